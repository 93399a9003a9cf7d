//! The control plane of this run alone, and what can be done to it.

use std::{
    fs,
    io::Write as _,
    path::PathBuf,
    process::{Command, Stdio},
    sync::Arc,
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use http::Method;
use porthole_client_core::{
    config::{
        PemData, RestConfig, TlsConfig,
        kubeconfig::{LoadingRules, Overrides, client_config},
    },
    host::native::{NativeConnector, NativeFiles, NativePlatform, ProcessEnvironment},
};
use serde_json::{Value, json};
use tokio::{runtime::Handle, task::spawn_blocking};

use super::{Fallible, options::Options, while_doing};

/// client-go's word for no limit of rate; none at all would be five requests a second.
pub(super) const UNLIMITED: Option<f32> = Some(-1.0);

#[derive(Clone)]
pub(super) struct Cluster {
    program: PathBuf,
    dir: PathBuf,
}

pub(super) fn connector() -> NativeConnector {
    NativeConnector::new(Arc::new(NativePlatform::new(Handle::current())))
}

/// What a program prints; an error where it fails.
async fn output(mut command: Command, input: String) -> Fallible<String> {
    let run = move || {
        let shown = format!("{command:?}");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = while_doing(&shown, command.spawn())?;
        if let Some(mut stdin) = child.stdin.take() {
            while_doing(&shown, stdin.write_all(input.as_bytes()))?;
        }
        let output = while_doing(&shown, child.wait_with_output())?;
        let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
        if output.status.success() { Ok(said(&output.stdout)) } else { Err(format!("{shown}: {}", said(&output.stderr))) }
    };
    while_doing("run a program", spawn_blocking(run).await)?
}

impl Cluster {
    pub(super) async fn up(options: &Options) -> Fallible<Self> {
        let cluster = Self { program: options.cluster.clone(), dir: options.dir.join("cluster") };
        cluster.run(&["up", "--nodes", "2"]).await?;
        Ok(cluster)
    }

    /// Does something to a part: `kill`, `start`, `pause`, `resume`.
    pub(super) async fn part(&self, deed: &str, part: &str) -> Fallible<()> {
        self.run(&[deed, part]).await.map(drop)
    }

    async fn run(&self, arguments: &[&str]) -> Fallible<String> {
        let mut command = Command::new(&self.program);
        command.args(arguments).arg("--dir").arg(&self.dir);
        output(command, String::new()).await
    }

    /// kubectl, with a folder of this run for what it remembers.
    pub(super) fn kubectl_command(&self) -> Command {
        let mut command = Command::new(self.program.with_file_name("control-plane"));
        command.args(["kubectl", "--kubeconfig"]).arg(self.dir.join("kubeconfig"));
        command.arg("--cache-dir").arg(self.dir.with_file_name("kubectl"));
        command
    }

    pub(super) async fn kubectl(&self, arguments: &[&str], input: &str) -> Fallible<String> {
        let mut command = self.kubectl_command();
        command.args(arguments);
        output(command, input.to_owned()).await
    }

    /// What the kubeconfig says, without a limit of rate.
    pub(super) fn config(&self) -> Fallible<RestConfig> {
        let path = self.dir.join("kubeconfig");
        let rules = LoadingRules::explicit(path.to_string_lossy());
        let config = client_config(&rules, &Overrides::default(), &NativeFiles, &ProcessEnvironment);
        Ok(RestConfig { qps: UNLIMITED, ..while_doing("read the kubeconfig", config)?.rest })
    }

    /// Makes etcd forget all states before now, and tells the API server so, as its own compactor does every five minutes. What
    /// the API server has in memory it forgets when it starts anew.
    pub(super) async fn compact(&self) -> Fallible<()> {
        let read = |name: &str| while_doing(name, fs::read(self.dir.join("pki").join(name)));
        let state = while_doing("read the state", fs::read(self.dir.join("state.json")))?;
        let state: Value = while_doing("read the state", serde_json::from_slice(&state))?;
        let port = state.pointer("/ports/etcd").and_then(Value::as_u64).ok_or("the state has no port of etcd")?;
        let tls = TlsConfig {
            ca_data: PemData::new(read("ca.crt")?),
            cert_data: PemData::new(read("kube-apiserver-client.crt")?),
            key_data: PemData::new(read("kube-apiserver-client.key")?),
            ..TlsConfig::default()
        };
        let etcd = RestConfig { tls, ..RestConfig::new(format!("https://127.0.0.1:{port}")) };
        let client = while_doing("connect to etcd", connector().client(&etcd))?;
        let call = async |path: &str, body: &Value| {
            let answer = client.request(Method::POST).absolute_path(path).json(body).send().await;
            while_doing(path, answer.and_then(|answer| answer.read::<Value>()))
        };
        let newest = call("/v3/kv/range", &json!({ "key": STANDARD.encode("compact_rev_key") })).await?;
        let revision = newest.pointer("/header/revision").and_then(Value::as_str).ok_or("etcd says no revision")?;
        call("/v3/kv/compaction", &json!({ "revision": revision })).await?;
        let [key, value] = ["compact_rev_key", revision].map(|text| STANDARD.encode(text));
        call("/v3/kv/put", &json!({ "key": key, "value": value })).await.map(drop)
    }
}
