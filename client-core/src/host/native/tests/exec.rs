use super::{
    super::{CallOutcome, ExecError, ExecEvent, ExecHost, NativeConnector, exec::Plugin},
    support::{Authority, Folder, Pair, Reply, Server, body, config, connector, get, server_tls},
};
use crate::{
    config::{BasicAuth, ExecCluster, ExecConfig, ExecEnvVar, InteractiveMode, PemData, RestConfig, Secret},
    meta::Timestamp,
    platform::{FakePlatform, Platform},
    transport::Request,
};
use http::{HeaderValue, header};
use serde_json::{Value, json};
use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

const V1: &str = "client.authentication.k8s.io/v1";
const V1BETA1: &str = "client.authentication.k8s.io/v1beta1";

/// A plugin that says on standard error what it was told, prints what it is told to, and counts its runs.
const SCRIPT: &str = "#!/bin/sh
echo \"$KUBERNETES_EXEC_INFO\" >&2
echo run >> \"$0.runs\"
cat \"$0.output\"
exit \"${TEST_EXIT_CODE:-0}\"
";

struct Script {
    folder: Folder,
    command: String,
}

impl Script {
    fn new() -> Self {
        let folder = Folder::new();
        let command = folder.script("plugin", SCRIPT);
        Self { folder, command }
    }

    fn prints(&self, output: &Value) {
        self.prints_text(&output.to_string());
    }

    fn prints_text(&self, output: &str) {
        self.folder.put("plugin.output", output);
    }

    fn runs(&self) -> usize {
        std::fs::read_to_string(self.folder.path("plugin.runs")).unwrap_or_default().lines().count()
    }

    fn exec(&self, version: &str) -> ExecConfig {
        ExecConfig {
            command: self.command.clone(),
            api_version: version.into(),
            interactive_mode: InteractiveMode::IfAvailable,
            ..ExecConfig::default()
        }
    }
}

fn credential(version: &str, status: &Value) -> Value {
    json!({ "kind": "ExecCredential", "apiVersion": version, "status": status })
}

fn token(token: &str) -> Value {
    credential(V1BETA1, &json!({ "token": token }))
}

/// A plugin, what it says on standard error, and what happens to it.
struct Watched {
    plugin: Arc<Plugin>,
    stderr: Arc<Mutex<Vec<u8>>>,
    events: Arc<Mutex<Vec<ExecEvent>>>,
}

impl Watched {
    fn new(exec: ExecConfig, cluster: Option<ExecCluster>, terminal: bool) -> Result<Self, ExecError> {
        Self::on(exec, cluster, terminal, FakePlatform::default())
    }

    fn on(exec: ExecConfig, cluster: Option<ExecCluster>, terminal: bool, platform: FakePlatform) -> Result<Self, ExecError> {
        let stderr: Arc<Mutex<Vec<u8>>> = Arc::default();
        let events: Arc<Mutex<Vec<ExecEvent>>> = Arc::default();
        let (said, seen) = (Arc::clone(&stderr), Arc::clone(&events));
        let host = ExecHost::default()
            .with_variables(|| std::env::var_os("PATH").map(|path| ("PATH".into(), path)).into_iter().collect())
            .with_terminal(move || terminal)
            .with_stderr(move |chunk| said.lock().unwrap().extend_from_slice(chunk))
            .with_observer(move |event| seen.lock().unwrap().push(event.clone()));
        let platform: Arc<dyn Platform> = Arc::new(platform);
        Ok(Self { plugin: Arc::new(Plugin::new(exec, cluster, Arc::new(host), platform)?), stderr, events })
    }

    async fn token(&self) -> Result<String, String> {
        let credentials = Arc::clone(&self.plugin).credentials().await.map_err(|error| error.to_string())?;
        Ok(credentials.token.expose().to_owned())
    }

    /// What the plugin was told.
    fn told(&self) -> Value {
        serde_json::from_slice(&self.stderr.lock().unwrap()).unwrap()
    }
}

/// What a plugin with this output gives.
async fn outcome(version: &str, output: &str) -> Result<String, String> {
    let script = Script::new();
    script.prints_text(output);
    Watched::new(script.exec(version), None, false).unwrap().token().await
}

#[tokio::test]
async fn a_plugin_is_told_its_version_and_gives_a_token() {
    for version in [V1, V1BETA1] {
        let script = Script::new();
        script.prints(&credential(version, &json!({ "token": "foo-bar" })));
        let watched = Watched::new(script.exec(version), None, false).unwrap();
        assert_eq!(watched.token().await, Ok("foo-bar".into()));
        assert_eq!(watched.told(), json!({ "kind": "ExecCredential", "apiVersion": version, "spec": { "interactive": false } }));
        assert_eq!(watched.plugin.last().unwrap().expires, None);
    }
}

#[tokio::test]
async fn a_plugin_gives_a_certificate_or_says_when_its_credentials_end() {
    let authority = Authority::new("ours");
    let Pair { certificate, key } = authority.client("alice");
    let script = Script::new();
    script.prints(&credential(V1, &json!({ "clientCertificateData": certificate, "clientKeyData": key })));
    let watched = Watched::new(script.exec(V1), None, false).unwrap();
    assert_eq!(watched.token().await, Ok(String::new()));
    assert!(watched.plugin.last().unwrap().identity.is_some());
    assert!(!format!("{:?}", watched.plugin.last()).contains("BEGIN"));

    script.prints(&credential(V1, &json!({ "token": "t", "expirationTimestamp": "2006-01-02T15:04:05Z" })));
    let watched = Watched::new(script.exec(V1), None, false).unwrap();
    assert_eq!(watched.token().await, Ok("t".into()));
    let expected = "2006-01-02T15:04:05Z".parse::<Timestamp>().unwrap().wall_time();
    assert_eq!(watched.plugin.last().unwrap().expires, Some(expected));
}

#[tokio::test]
async fn a_credential_may_be_yaml_or_begin_with_a_mark() {
    let yaml = format!("# mine\nkind: ExecCredential\napiVersion: {V1}\nstatus:\n  token: \"1\"\n  expirationTimestamp: null\n");
    for output in [yaml, format!("\u{feff}{}\n", credential(V1, &json!({ "token": "1" })))] {
        assert_eq!(outcome(V1, &output).await, Ok("1".into()), "{output}");
    }
}

#[tokio::test]
async fn what_is_no_credential_is_told_without_what_was_printed() {
    let authority = Authority::new("ours");
    let (alice, bob) = (authority.client("alice"), authority.client("bob"));
    for (output, expected) in [
        ("s3cr3t".to_owned(), "it is neither JSON nor YAML of an ExecCredential (line 1, column 1)"),
        ("{\"kind\": s3cr3t".to_owned(), "it is no JSON of an ExecCredential (line 1, column 10)"),
        (format!("{0}{0}", token("s3cr3t")), "it is no JSON of an ExecCredential (line 1, column "),
        (format!("a warning\n{}", token("s3cr3t")), "it is neither JSON nor YAML of an ExecCredential"),
        (String::new(), "its kind is \"\""),
        (json!({ "kind": "ExecCredential", "status": { "token": "s3cr3t" } }).to_string(), "answered in \"\""),
        (json!({ "apiVersion": V1, "status": { "token": "s3cr3t" } }).to_string(), "its kind is \"\""),
        (
            token("s3cr3t").to_string(),
            "is configured to speak client.authentication.k8s.io/v1, and answered in \"client.authentication.k8s.io/v1beta1\"",
        ),
        (json!({ "kind": "ExecCredential", "apiVersion": V1 }).to_string(), "it has no status"),
        (credential(V1, &json!({})).to_string(), "it has neither a token nor a certificate with its key"),
        (
            credential(V1, &json!({ "clientCertificateData": alice.certificate })).to_string(),
            "it has a certificate without its key",
        ),
        (credential(V1, &json!({ "clientKeyData": alice.key })).to_string(), "it has a key without a certificate"),
        (
            credential(V1, &json!({ "clientKeyData": "s3cr3t", "clientCertificateData": "bar" })).to_string(),
            "the client certificate is no PEM",
        ),
        (
            credential(V1, &json!({ "clientKeyData": bob.key, "clientCertificateData": alice.certificate })).to_string(),
            "the client key is no PEM that can be used",
        ),
        (
            credential(V1, &json!({ "token": "s3cr3t", "expirationTimestamp": "soon" })).to_string(),
            "it is no JSON of an ExecCredential",
        ),
    ] {
        let error = outcome(V1, &output).await.unwrap_err();
        assert!(error.contains("printed no credentials that can be used: ") && error.contains(expected), "{error}");
        assert!(!error.contains("s3cr3t"), "{error}");
    }
}

#[tokio::test]
async fn a_plugin_may_read_standard_input_where_it_wants_to_and_a_person_sits_there() {
    use InteractiveMode::{Always, IfAvailable, Never, Other, Unset};
    for (mode, unavailable, terminal, expected) in [
        (Never, false, true, Ok(false)),
        (Never, true, false, Ok(false)),
        (IfAvailable, false, false, Ok(false)),
        (IfAvailable, true, false, Ok(false)),
        (IfAvailable, true, true, Ok(false)),
        (Always, false, false, Err("standard input is not a terminal")),
        (Always, true, true, Err("standard input is unavailable: some message")),
        (Unset, false, true, Err("its interactiveMode is \"\", and must be Never, IfAvailable or Always")),
        (Other("Sometimes".into()), false, true, Err("its interactiveMode is \"Sometimes\"")),
    ] {
        let script = Script::new();
        script.prints(&token("t"));
        let exec = ExecConfig {
            interactive_mode: mode.clone(),
            stdin_unavailable: unavailable,
            stdin_unavailable_message: "some message".into(),
            ..script.exec(V1BETA1)
        };
        let watched = Watched::new(exec, None, terminal).unwrap();
        match (watched.token().await, expected) {
            (Ok(_), Ok(interactive)) => assert_eq!(watched.told()["spec"]["interactive"], interactive, "{mode:?}"),
            (Err(error), Err(expected)) => {
                assert!(error.contains("cannot ask a person: ") && error.contains(expected), "{error}");
            }
            (answer, expected) => panic!("{mode:?}: {answer:?}, and not {expected:?}"),
        }
    }
}

#[tokio::test]
async fn a_plugin_that_may_ask_a_person_is_told_so() {
    // The script leaves a note of what it was told: what it says goes to the person.
    let folder = Folder::new();
    let command = folder.script("plugin", "#!/bin/sh\necho \"$KUBERNETES_EXEC_INFO\" > \"$0.told\"\ncat \"$0.output\"\n");
    folder.put("plugin.output", &token("t").to_string());
    for mode in [InteractiveMode::IfAvailable, InteractiveMode::Always] {
        let exec =
            ExecConfig { command: command.clone(), api_version: V1BETA1.into(), interactive_mode: mode, ..ExecConfig::default() };
        assert_eq!(Watched::new(exec, None, true).unwrap().token().await, Ok("t".into()));
        let told: Value = serde_json::from_str(&std::fs::read_to_string(folder.path("plugin.told")).unwrap()).unwrap();
        assert_eq!(told["spec"], json!({ "interactive": true }));
    }
}

#[tokio::test]
async fn a_plugin_is_told_about_the_cluster_where_it_asks_for_that() {
    let cluster = ExecCluster {
        server: "foo".into(),
        tls_server_name: "bar".into(),
        certificate_authority_data: PemData::from("baz"),
        config: Some(json!({ "apiVersion": "group/v1", "kind": "PluginConfig", "spec": { "audience": "snorlax" } })),
        ..ExecCluster::default()
    };
    for provide_cluster_info in [true, false] {
        let script = Script::new();
        script.prints(&token("t"));
        let exec = ExecConfig { provide_cluster_info, ..script.exec(V1BETA1) };
        let watched = Watched::new(exec, Some(cluster.clone()), false).unwrap();
        watched.token().await.unwrap();
        let expected = if provide_cluster_info {
            json!({
                "cluster": {
                    "server": "foo",
                    "tls-server-name": "bar",
                    "certificate-authority-data": "YmF6",
                    "config": { "apiVersion": "group/v1", "kind": "PluginConfig", "spec": { "audience": "snorlax" } },
                },
                "interactive": false,
            })
        } else {
            json!({ "interactive": false })
        };
        assert_eq!(watched.told()["spec"], expected);
    }
}

#[tokio::test]
async fn a_plugin_gets_its_arguments_and_variables() {
    let folder = Folder::new();
    let command = folder.script("plugin", "#!/bin/sh\necho \"$1|$2|$ONE|$HOME\" >&2\nexit 7\n");
    let exec = ExecConfig {
        args: vec!["get token".into(), "--quiet".into()],
        env: vec![ExecEnvVar { name: "ONE".into(), value: "1 2".into() }],
        command,
        ..Script::new().exec(V1)
    };
    let error = Watched::new(exec, None, false).unwrap().token().await.unwrap_err();
    assert!(error.ends_with("failed with exit code 7: get token|--quiet|1 2|"), "{error}");
}

#[tokio::test]
async fn a_plugin_that_fails_is_told_with_its_exit_code_and_the_end_of_what_it_said() {
    let script = Script::new();
    script.prints(&token("s3cr3t"));
    let exit = ExecEnvVar { name: "TEST_EXIT_CODE".into(), value: "73".into() };
    let watched = Watched::new(ExecConfig { env: vec![exit], ..script.exec(V1) }, None, false).unwrap();
    let error = watched.token().await.unwrap_err();
    let expected = format!("the credential plugin {} failed with exit code 73: {{\"kind\":\"ExecCredential\"", script.command);
    assert!(error.starts_with(&expected) && !error.contains("s3cr3t"), "{error}");

    let folder = Folder::new();
    let command = folder.script("plugin", "#!/bin/sh\nyes nonsense | head -n 600 >&2\necho the end >&2\nkill -9 $$\n");
    let error = Watched::new(ExecConfig { command, ..script.exec(V1) }, None, false).unwrap().token().await.unwrap_err();
    assert!(error.contains("failed with exit code -1: ") && error.ends_with("nonsense\nthe end"), "{error}");
    assert!(error.len() < 2300, "{} bytes", error.len());
}

#[tokio::test]
async fn a_plugin_that_is_not_installed_is_told_with_its_hint() {
    for command in ["does-not-exist", "./does/not/exist", "/does/not/exist"] {
        let exec = ExecConfig { command: command.into(), install_hint: "some install hint".into(), ..Script::new().exec(V1) };
        let watched = Watched::new(exec, None, false).unwrap();
        let error = watched.token().await.unwrap_err();
        assert!(error.starts_with(&format!("the credential plugin {command} is not installed: to learn more")), "{error}");
        assert!(error.ends_with("\n\nsome install hint"), "{error}");
    }
}

#[tokio::test]
async fn an_install_hint_is_told_ten_times_an_hour() {
    let clock = FakePlatform::default();
    let exec =
        ExecConfig { command: "does-not-exist".into(), install_hint: "some install hint".into(), ..Script::new().exec(V1) };
    let watched = Watched::on(exec, None, false, clock.clone()).unwrap();
    let mut hints = Vec::new();
    for minute in 0..120 {
        if watched.token().await.unwrap_err().contains("some install hint") {
            hints.push(minute);
        }
        clock.advance(Duration::from_mins(1));
    }
    assert_eq!(hints, (0..10).chain(60..70).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_version_that_is_not_spoken_is_told_at_once() {
    for version in ["", "client.authentication.k8s.io/v1alpha1", "v1"] {
        let error = Watched::new(Script::new().exec(version), None, false).err().unwrap();
        assert!(matches!(error, ExecError::Version { .. }), "{error}");
    }
}

fn with_exec(url: String, exec: ExecConfig) -> RestConfig {
    let mut config = config(url, None);
    config.auth.exec = Some(exec);
    config
}

#[tokio::test]
async fn a_token_is_kept_until_it_ends_or_is_refused() {
    let wanted = Arc::new(Mutex::new(String::from("token1")));
    let accepted = Arc::clone(&wanted);
    let server = Server::start(None, move |seen| {
        let expected = format!("Bearer {}", accepted.lock().unwrap());
        Reply::status(if seen.header("authorization") == Some(&expected) { 200 } else { 401 })
    });
    let want = |token: &str| *wanted.lock().unwrap() = token.to_owned();
    let script = Script::new();
    let (connector, clock) = connector();
    let transport = connector.transport(&with_exec(server.url(), script.exec(V1BETA1))).unwrap();
    let status = async || get(&transport, "/").await.unwrap().0;

    script.prints(&token("token1"));
    assert_eq!((status().await, script.runs()), (200, 1));
    script.prints(&token("token2"));
    assert_eq!((status().await, script.runs()), (200, 1));
    want("token2");
    // The refusal costs this request; the next has another token.
    assert_eq!((status().await, status().await, script.runs()), (401, 200, 2));

    let ends_in_an_hour = |token: &str| {
        let end = Timestamp::from(clock.wall_time()).unix_seconds() + 3600;
        credential(V1BETA1, &json!({ "token": token, "expirationTimestamp": Timestamp::from_unix(end, 0) }))
    };
    script.prints(&ends_in_an_hour("token3"));
    want("token3");
    assert_eq!((status().await, status().await, script.runs()), (401, 200, 3));
    clock.advance(Duration::from_hours(2));
    script.prints(&ends_in_an_hour("token4"));
    want("token4");
    assert_eq!((status().await, script.runs()), (200, 4));
}

#[tokio::test]
async fn whoever_says_otherwise_who_they_are_does_not_mean_the_plugin() {
    let authority = Authority::new("ours");
    let Pair { certificate, key } = authority.client("alice");
    let server = Server::start(None, |seen| Reply::text(seen.header("authorization").unwrap_or("nobody")));
    let script = Script::new();
    let (connector, _) = connector();
    let base = with_exec(server.url(), script.exec(V1));
    let changes: [&dyn Fn(&mut RestConfig); 3] = [
        &|config| config.auth.token = Some(Secret::new("token1f")),
        &|config| config.auth.basic = Some(BasicAuth { username: "marshmallow".into(), password: Secret::new("zelda") }),
        &|config| {
            config.tls.cert_data = PemData::new(certificate.clone());
            config.tls.key_data = PemData::new(key.clone());
        },
    ];
    for (change, expected) in changes.into_iter().zip(["Bearer token1f", "Basic bWFyc2htYWxsb3c6emVsZGE=", "nobody"]) {
        let mut config = base.clone();
        change(&mut config);
        assert_eq!(body(&connector.transport(&config).unwrap()).await, expected);
    }
    // A request with credentials of its own asks nobody either.
    let mut request = Request::read("/");
    request.headers.insert(header::AUTHORIZATION, HeaderValue::from_static("Bearer own"));
    assert_eq!(connector.transport(&base).unwrap().send(request).await.unwrap().status, 200);
    assert_eq!(script.runs(), 0);
}

#[tokio::test]
async fn a_certificate_is_shown_until_it_ends_and_then_another() {
    let (ours, other) = (Authority::new("ours"), Authority::new("other"));
    let server = Server::start(Some(server_tls(&ours.server(&["127.0.0.1"]), Some(&ours))), |seen| {
        Reply::text(if seen.certificate.is_some() { "known" } else { "nobody" })
    });
    let script = Script::new();
    let (connector, clock) = connector();
    let mut config = with_exec(server.url(), script.exec(V1));
    config.tls.ca_data = PemData::new(ours.pem());
    let transport = connector.transport(&config).unwrap();
    let will_show = |pair: &Pair| {
        let end = Timestamp::from(clock.wall_time()).unix_seconds() + 3600;
        script.prints(&credential(
            V1,
            &json!({
                "clientCertificateData": pair.certificate,
                "clientKeyData": pair.key,
                "expirationTimestamp": Timestamp::from_unix(end, 0),
            }),
        ));
    };
    let alice = ours.client("alice");
    will_show(&alice);
    assert_eq!((body(&transport).await, body(&transport).await, script.runs()), ("known".into(), "known".into(), 1));
    clock.advance(Duration::from_hours(2));
    will_show(&other.client("mallory"));
    assert!(get(&transport, "/").await.is_err(), "a certificate of another authority was taken");
    clock.advance(Duration::from_hours(2));
    will_show(&alice);
    assert_eq!((body(&transport).await, script.runs()), ("known".into(), 3));
}

#[tokio::test]
async fn configurations_that_describe_a_plugin_alike_share_it() {
    let script = Script::new();
    script.prints(&token("t"));
    let server = Server::start(None, |_| Reply::text("ok"));
    let (connector, _) = connector();
    let base = || with_exec(server.url(), script.exec(V1BETA1));
    let runs_with = async |change: &dyn Fn(&mut RestConfig)| {
        let before = script.runs();
        let mut config = base();
        change(&mut config);
        body(&connector.transport(&config).unwrap()).await;
        script.runs() - before
    };
    fn exec(config: &mut RestConfig) -> &mut ExecConfig {
        config.auth.exec.as_mut().unwrap()
    }
    assert_eq!(runs_with(&|_config| {}).await, 1);
    assert_eq!(runs_with(&|_config| {}).await, 0);
    assert_eq!(runs_with(&|config| config.user_agent = Some("other".into())).await, 0);
    let audience = |audience: &str| Some(json!({ "audience": audience }));
    assert_eq!(runs_with(&|config| exec(config).env.push(ExecEnvVar { name: "A".into(), value: "1".into() })).await, 1);
    assert_eq!(runs_with(&|config| exec(config).args.push("a".into())).await, 1);
    assert_eq!(runs_with(&|config| exec(config).stdin_unavailable = true).await, 1);
    assert_eq!(runs_with(&|config| exec(config).config = audience("snorlax")).await, 1);
    assert_eq!(runs_with(&|config| exec(config).config = audience("panda")).await, 1);
    let with_cluster = |audience_of: &'static str| {
        move |config: &mut RestConfig| {
            exec(config).provide_cluster_info = true;
            exec(config).config = audience(audience_of);
        }
    };
    assert_eq!(runs_with(&with_cluster("panda")).await, 1);
    assert_eq!(runs_with(&with_cluster("panda")).await, 0);
    assert_eq!(runs_with(&with_cluster("snorlax")).await, 1);

    // They share their connections as well, and with nobody else.
    let mut other = base();
    exec(&mut other).args.push("make this different".into());
    let transports = [base(), base(), other].map(|config| connector.transport(&config).unwrap());
    assert_eq!((transports.len(), connector.open_connections()), (3, 2));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn transports_made_by_many_at_once_ask_a_plugin_once() {
    let script = Script::new();
    script.prints(&token("t"));
    let server = Server::start(None, |seen| Reply::text(seen.header("authorization").unwrap()));
    let (connector, _) = connector();
    let config = with_exec(server.url(), script.exec(V1BETA1));
    let tasks = (0..20).map(|_| {
        let (connector, config) = (connector.clone(), config.clone());
        tokio::spawn(async move { body(&connector.transport(&config).unwrap()).await })
    });
    for answer in futures::future::join_all(tasks).await {
        assert_eq!(answer.unwrap(), "Bearer t");
    }
    assert_eq!(script.runs(), 1);
}

#[tokio::test]
async fn a_run_goes_on_when_its_request_is_dropped_and_serves_the_next() {
    let folder = Folder::new();
    let command = folder.script("plugin", "#!/bin/sh\necho run >> \"$0.runs\"\nread go < \"$0.go\"\ncat \"$0.output\"\n");
    folder.put("plugin.output", &token("t").to_string());
    assert!(std::process::Command::new("mkfifo").arg(folder.path("plugin.go")).status().unwrap().success());
    let runs = || std::fs::read_to_string(folder.path("plugin.runs")).unwrap_or_default().lines().count();
    let watched = Watched::new(ExecConfig { command, ..Script::new().exec(V1BETA1) }, None, false).unwrap();
    let first = tokio::spawn(Arc::clone(&watched.plugin).credentials());
    while runs() == 0 {
        tokio::task::yield_now().await;
    }
    first.abort();
    assert!(first.await.is_err());
    let second = tokio::spawn(Arc::clone(&watched.plugin).credentials());
    tokio::task::yield_now().await;
    std::fs::write(folder.path("plugin.go"), "go\n").unwrap();
    assert_eq!(second.await.unwrap().unwrap().token, Secret::new("t"));
    assert_eq!(runs(), 1);
}

#[test]
fn a_program_can_end_while_a_plugin_runs() {
    let folder = Folder::new();
    // It ends by itself after a while, so that a fault fails this test and does not stop it.
    let script = "#!/bin/sh\necho run >> \"$0.runs\"\ncount=0\nwhile [ ! -e \"$0.go\" ] && [ $count -lt 100 ]; do\nsleep 0.1\n\
                  count=$((count + 1))\ndone\necho end >> \"$0.ended\"\n";
    let command = folder.script("plugin", script);
    let exists = |name: &str| std::path::Path::new(&folder.path(name)).exists();
    let watched = Watched::new(ExecConfig { command, ..Script::new().exec(V1BETA1) }, None, false).unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.spawn(Arc::clone(&watched.plugin).credentials());
    while !exists("plugin.runs") {
        std::thread::yield_now();
    }
    drop(runtime);
    let waited = exists("plugin.ended");
    folder.put("plugin.go", "");
    assert!(!waited, "the runtime waited for the plugin");
    while !exists("plugin.ended") {
        std::thread::yield_now();
    }
}

#[tokio::test]
async fn each_run_of_a_plugin_is_told_with_its_exit_code() {
    let script = Script::new();
    script.prints(&token("t"));
    let called = |command: &str, exit_code, outcome| ExecEvent::Called { command: command.into(), exit_code, outcome };
    for (code, outcome) in [(0, CallOutcome::Succeeded), (1, CallOutcome::Failed), (2, CallOutcome::Failed)] {
        let env = vec![ExecEnvVar { name: "TEST_EXIT_CODE".into(), value: code.to_string() }];
        let watched = Watched::new(ExecConfig { env, ..script.exec(V1BETA1) }, None, false).unwrap();
        assert_eq!(watched.token().await.is_ok(), code == 0);
        assert_eq!(watched.events.lock().unwrap()[1..], [called(&script.command, code, outcome)]);
    }
    let folder = Folder::new();
    let not_a_program = folder.script("plugin", "\u{7f}ELF nonsense");
    for (command, outcome) in [
        ("does not exist without path slashes", CallOutcome::NotFound),
        ("./does/not/exist/with/relative/path", CallOutcome::NotFound),
        ("/does/not/exist/with/absolute/path", CallOutcome::NotFound),
        (not_a_program.as_str(), CallOutcome::NotStarted),
    ] {
        let watched = Watched::new(ExecConfig { command: command.into(), ..script.exec(V1BETA1) }, None, false).unwrap();
        watched.token().await.unwrap_err();
        assert_eq!(watched.events.lock().unwrap()[1..], [called(command, 1, outcome)]);
    }
}

#[tokio::test]
async fn the_first_end_of_the_credentials_of_all_plugins_is_known() {
    let (connector, clock) = connector();
    let server = Server::start(None, |_| Reply::text("ok"));
    let (one, two) = (Script::new(), Script::new());
    let now = Timestamp::from(clock.wall_time()).unix_seconds();
    let expire = |connector: &NativeConnector| connector.credentials_expire().map(|end| end.0 / 1000 - now);
    let run = async |script: &Script, minutes: Option<i64>| {
        let end = minutes.map(|minutes| Timestamp::from_unix(now + 60 * minutes, 0));
        script.prints(&credential(V1, &json!({ "token": "t", "expirationTimestamp": end })));
        body(&connector.transport(&with_exec(server.url(), script.exec(V1))).unwrap()).await;
    };
    assert_eq!(expire(&connector), None);
    run(&one, Some(10)).await;
    assert_eq!(expire(&connector), Some(600));
    run(&two, Some(5)).await;
    assert_eq!(expire(&connector), Some(300));
    clock.advance(Duration::from_mins(6));
    run(&two, Some(15)).await;
    assert_eq!(expire(&connector), Some(600));
    clock.advance(Duration::from_mins(5));
    run(&one, None).await;
    assert_eq!(expire(&connector), Some(900));
    clock.advance(Duration::from_mins(5));
    run(&two, None).await;
    assert_eq!(expire(&connector), None);
}
