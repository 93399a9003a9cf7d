//! The page, by the script that drives its browser.

use std::{
    io::{BufRead as _, BufReader, Write as _},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::{Arc, Mutex, PoisonError},
};

use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};
use tokio::task::spawn_blocking;

use super::{Fallible, options::Options, while_doing};
use crate::subject::Report;

#[derive(Clone)]
pub(super) struct Browser(Arc<Mutex<Pipes>>);

struct Pipes {
    process: Child,
    /// Its end ends the script.
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
}

/// What the page takes, in bytes.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(super) struct Heaps {
    /// The memories of both modules.
    pub(super) wasm: u64,
    /// The objects of both scripts, after a collection.
    pub(super) scripts: u64,
}

impl Browser {
    /// Opens the page, which starts its informers.
    pub(super) async fn open(options: &Options, origin: &str) -> Fallible<Self> {
        let mut command = Command::new("node");
        command.arg(&options.driver).arg(format!("{origin}/static/")).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = while_doing("start node", command.spawn())?;
        let (stdin, stdout) = (process.stdin.take(), process.stdout.take().ok_or("node has no output")?);
        let browser = Self(Arc::new(Mutex::new(Pipes { process, stdin, stdout: BufReader::new(stdout) })));
        browser.ask::<Value>("open", json!([])).await?;
        Ok(browser)
    }

    pub(super) async fn reports(&self, with_entries: bool) -> Fallible<Vec<Report>> {
        let texts: Vec<String> = self.ask("report", json!([with_entries])).await?;
        let reports = texts.iter().map(|text| while_doing("read a report", serde_json::from_str::<Vec<Report>>(text)));
        Ok(reports.collect::<Fallible<Vec<_>>>()?.into_iter().flatten().collect())
    }

    pub(super) async fn suspend(&self, name: &str, suspended: bool) -> Fallible<()> {
        self.ask::<bool>("suspend", json!([name, suspended])).await.map(drop)
    }

    pub(super) async fn heaps(&self) -> Fallible<Heaps> {
        self.ask("heaps", json!([])).await
    }

    async fn ask<T: DeserializeOwned + Send + 'static>(&self, call: &'static str, arguments: Value) -> Fallible<T> {
        let pipes = Arc::clone(&self.0);
        let exchange = move || {
            let mut pipes = pipes.lock().unwrap_or_else(PoisonError::into_inner);
            let mut line = json!({ "call": call, "args": arguments }).to_string();
            line.push('\n');
            let stdin = pipes.stdin.as_mut().ok_or("the browser was closed")?;
            while_doing("ask the browser", stdin.write_all(line.as_bytes()))?;
            line.clear();
            while_doing("hear the browser", pipes.stdout.read_line(&mut line))?;
            let mut answer: Value = while_doing("hear the browser", serde_json::from_str(&line))?;
            match answer.get("error").and_then(Value::as_str) {
                Some(error) => Err(format!("the page, asked to {call}: {error}")),
                None => while_doing(call, serde_json::from_value(answer.get_mut("answer").map(Value::take).unwrap_or_default())),
            }
        };
        while_doing("ask the browser", spawn_blocking(exchange).await)?
    }
}

impl Drop for Pipes {
    fn drop(&mut self) {
        drop(self.stdin.take());
        if let Err(error) = self.process.wait() {
            eprintln!("soak: end the browser: {error}");
        }
    }
}
