//! `kubectl proxy`, which serves the page and the server.

use std::{
    io::{BufRead as _, BufReader},
    path::PathBuf,
    process::{Child, ChildStdout, Command, Stdio},
};

use tokio::task::spawn_blocking;

use super::{Fallible, cluster::Cluster, while_doing};

pub(super) struct Proxy {
    cluster: Cluster,
    page: PathBuf,
    port: u16,
    child: Option<Running>,
}

struct Running {
    process: Child,
    /// Kept open, so that it can always write.
    _said: BufReader<ChildStdout>,
}

impl Proxy {
    /// Starts one on a free port.
    pub(super) async fn start(cluster: &Cluster, page: PathBuf) -> Fallible<Self> {
        let mut proxy = Self { cluster: cluster.clone(), page, port: 0, child: None };
        proxy.again().await?;
        Ok(proxy)
    }

    pub(super) fn origin(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Starts it, on the port it had before.
    pub(super) async fn again(&mut self) -> Fallible<()> {
        let mut command = self.cluster.kubectl_command();
        command.args(["proxy", "--address=127.0.0.1", &format!("--port={}", self.port), "--www-prefix=/static/", "--www"]);
        command.arg(&self.page).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let (running, line) = while_doing("start the proxy", spawn_blocking(move || begin(command)).await)??;
        self.child = Some(running);
        let port = line.trim().rsplit(':').next().and_then(|port| port.parse().ok());
        self.port = port.ok_or_else(|| format!("kubectl proxy did not say its port: {line}"))?;
        Ok(())
    }

    /// Kills it.
    pub(super) fn end(&mut self) -> Fallible<()> {
        let Some(mut running) = self.child.take() else { return Ok(()) };
        while_doing("kill the proxy", running.process.kill().and_then(|()| running.process.wait())).map(drop)
    }

    /// Keeps it from running, or lets it run on.
    pub(super) fn pause(&self, paused: bool) -> Fallible<()> {
        // Nobody else gets the number of a child that was not waited for.
        let Some(running) = &self.child else { return Ok(()) };
        let signal = if paused { "-STOP" } else { "-CONT" };
        let status = Command::new("kill").args([signal, &running.process.id().to_string()]).status();
        if while_doing("pause the proxy", status)?.success() { Ok(()) } else { Err(format!("kill {signal} failed on the proxy")) }
    }
}

fn begin(mut command: Command) -> Fallible<(Running, String)> {
    let mut process = while_doing("start kubectl proxy", command.spawn())?;
    let mut said = BufReader::new(process.stdout.take().ok_or("kubectl proxy has no output")?);
    let mut line = String::new();
    while_doing("read what kubectl proxy says", said.read_line(&mut line))?;
    Ok((Running { process, _said: said }, line))
}

impl Drop for Proxy {
    fn drop(&mut self) {
        if let Err(error) = self.end() {
            eprintln!("soak: {error}");
        }
    }
}
