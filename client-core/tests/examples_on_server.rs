//! The examples as programs on a real API server, beside kubectl. See `support`.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "a test may fail"
)]

mod support;

use std::{
    env, fs,
    io::{BufRead as _, BufReader, Write as _},
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    sync::LazyLock,
};

use support::{cluster_dir, kubectl, kubectl_output, until, until_forgotten};

/// The folder of the examples, which are built as these tests are.
static EXAMPLES: LazyLock<PathBuf> = LazyLock::new(|| {
    let features = [
        (cfg!(feature = "native"), "native"),
        (cfg!(feature = "typed"), "typed"),
        (cfg!(feature = "kubeconfig"), "kubeconfig"),
        (cfg!(feature = "fake"), "fake"),
        (cfg!(feature = "protobuf"), "protobuf"),
        (cfg!(feature = "test-util"), "test-util"),
    ];
    let features = features.iter().filter(|(is_on, _)| *is_on).map(|(_, name)| *name).collect::<Vec<_>>().join(",");
    let mut build = Command::new(env!("CARGO"));
    // What cargo tells of this test would make build scripts run again.
    for (name, _) in env::vars_os() {
        let name = name.to_string_lossy();
        if name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_") || name.starts_with("CARGO_BIN_") {
            build.env_remove(&*name);
        }
    }
    let built = build
        .args(["build", "--locked", "--quiet", "-p", "porthole-client-core", "--examples", "--features", &features])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(built.status.success(), "the examples cannot be built: {}", String::from_utf8_lossy(&built.stderr));
    env::current_exe().unwrap().parent().unwrap().with_file_name("examples")
});

fn example(name: &str) -> Command {
    let mut command = Command::new(EXAMPLES.join(name));
    command.env("KUBECONFIG", cluster_dir().join("kubeconfig"));
    command
}

fn run(name: &str, arguments: &[&str]) -> Output {
    example(name).args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// A folder that goes with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = env::temp_dir().join(format!("porthole-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _gone_already = fs::remove_dir_all(&self.0);
    }
}

/// A namespace that goes with the test.
struct Namespace(String);

impl Namespace {
    fn new(name: &str) -> Self {
        let name = format!("{name}-{}", std::process::id());
        kubectl(&["create", "namespace", &name]);
        Self(name)
    }
}

impl Drop for Namespace {
    fn drop(&mut self) {
        kubectl_output("kubectl-cache", &["delete", "namespace", &self.0, "--wait=false"]);
    }
}

/// The group of the kind that a test makes while others look.
const ADDED: &str = "examples-added.example";

/// Without what a test adds meanwhile.
fn without_added(text: &str) -> Vec<&str> {
    text.lines().filter(|line| !line.contains(ADDED)).collect()
}

#[test]
fn an_example_is_shorter_than_a_hundred_lines() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file());
    let lines: Vec<_> = files.map(|path| (fs::read_to_string(&path).unwrap().lines().count(), path)).collect();
    assert!(lines.len() >= 4 && lines.iter().all(|(lines, _)| *lines < 100), "{lines:?}");
}

#[test]
fn api_resources_prints_what_kubectl_prints() {
    let ours = run("api-resources", &[]);
    let theirs = kubectl_output("kubectl-cache-fresh", &["api-resources", "--cached=false"]);
    let (ours_printed, theirs_printed) = (text(&ours.stdout), text(&theirs.stdout));
    assert!(theirs_printed.lines().count() > 40, "{theirs_printed}");
    assert_eq!(without_added(&ours_printed), without_added(&theirs_printed));
    // kubectl passes over a group whose server is dead; here it is named.
    let path = r#"jsonpath={range .items[?(@.status.conditions[*].status=="False")]}{.spec.group}/{.spec.version} {end}"#;
    let dead = kubectl(&["get", "apiservices", "-o", path]);
    assert!(dead.contains("metrics.k8s.io/v1beta1"), "the demo has a dead group: {dead}");
    assert_eq!(ours.status.code(), Some(1));
    assert!(dead.split_whitespace().all(|group| text(&ours.stderr).contains(group)), "{dead}: {ours:?}");
}

/// Each line as words, without how long ago something was.
fn without_ages(printed: &str) -> Vec<Vec<String>> {
    let is_age = |word: &str| {
        word.starts_with(|first: char| first.is_ascii_digit())
            && word.ends_with(['s', 'm', 'h', 'd', 'y'])
            && word.chars().all(|letter| letter.is_ascii_digit() || "smhdy".contains(letter))
    };
    let word = |word: &str| if is_age(word.trim_matches(['(', ')'])) { "AGE".to_owned() } else { word.to_owned() };
    without_added(printed).iter().map(|line| line.split_whitespace().map(word).collect()).collect()
}

/// Both print the same, but for ages. A cluster is never still: the lines that count are those that kubectl prints before and
/// after.
fn agree(arguments: &[&str]) {
    let kubectl_arguments = [&["get"], arguments].concat();
    let theirs = || kubectl_output("kubectl-cache", &kubectl_arguments);
    let (before, ours, after) = (theirs(), run("get", arguments), theirs());
    assert_eq!(ours.status.code(), after.status.code(), "get {arguments:?}: {ours:?}");
    let [before, mut ours, after] = [before, ours, after].map(|output| without_ages(&text(&output.stdout)));
    let mut still: Vec<_> = before.iter().filter(|line| after.contains(line)).cloned().collect();
    assert!(before.len() <= 2 * still.len(), "get {arguments:?}: {before:?} became {after:?}");
    ours.retain(|line| still.contains(line));
    if arguments.contains(&"componentstatuses") {
        // The server lists these in no order.
        ours.sort();
        still.sort();
    }
    assert_eq!(ours, still, "get {arguments:?}");
}

#[test]
fn get_prints_every_resource_as_kubectl_does() {
    let names = kubectl_output("kubectl-cache", &["api-resources", "--verbs=list", "-o", "name"]).stdout;
    let names = text(&names);
    let names: Vec<_> = names.lines().filter(|name| !name.contains(ADDED)).collect();
    assert!(names.len() > 40, "{names:?}");
    for name in names {
        agree(&[name, "-A"]);
    }
}

#[test]
fn get_takes_the_names_that_kubectl_takes() {
    for arguments in [
        &["po", "-A"][..],
        &["Pod", "-n", "shop"],
        &["pod", "-n", "shop"],
        &["PODS.v1.", "-n", "shop"],
        &["deploy.apps", "-A"],
        &["deployments.v1.apps", "-A"],
        &["no,deploy,svc", "-A"],
        &["all", "-A"],
        &["ns", "default", "kube-system"],
        &["ns/default", "ns/kube-system", "node/node-0"],
        &["events.events.k8s.io", "-A"],
        &["crd"],
        &["jobs", "-n", "default"],
    ] {
        agree(arguments);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn get_lays_a_table_out_as_kubectl_does() {
    for arguments in [&["crd"][..], &["clusterroles"], &["ns,sc", "-A"]] {
        let kubectl_arguments = [&["get"], arguments].concat();
        until("the same table", || text(&run("get", arguments).stdout) == kubectl(&kubectl_arguments)).await;
    }
}

#[test]
fn get_says_what_is_wrong() {
    for (arguments, wanted) in [
        (&["nothing"][..], "the server doesn't have a resource type \"nothing\""),
        (&["pods", "no-such-pod"], "pods \"no-such-pod\" not found"),
        (&[], "name a type of resource"),
        (&["ns/default", "pods"], "\"pods\" is no TYPE/NAME"),
        (&["pods", "-n"], "-n needs the name of a namespace"),
    ] {
        let output = run("get", arguments);
        assert_eq!((output.status.code(), text(&output.stdout).as_str()), (Some(1), ""), "{arguments:?}");
        assert!(text(&output.stderr).contains(wanted), "{arguments:?}: {output:?}");
    }
    let output = example("get").args(["pods"]).env("KUBECONFIG", "/no/such/kubeconfig").output().unwrap();
    assert!(!output.status.success() && text(&output.stderr).starts_with("error: "), "{output:?}");
    assert!(text(&run("get", &["pods", "-n", "no-such-namespace"]).stderr).contains("No resources found"));
}

fn apply(arguments: &[&str], manifests: &str) -> Output {
    let mut command = example("apply");
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(manifests.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn manifests(namespace: &str) -> String {
    format!(
        r#"# Two objects, and between them nothing.
apiVersion: v1
kind: ConfigMap
metadata: {{name: a, namespace: {namespace}}}
data:
  number: "9007199254740993"
---
---
{{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {{"name": "web", "namespace": "{namespace}"}},
 "spec": {{"replicas": 0, "selector": {{"matchLabels": {{"app": "web"}}}},
          "template": {{"metadata": {{"labels": {{"app": "web"}}}}, "spec": {{"containers": [{{"name": "c", "image": "i"}}]}}}}}}}}
"#
    )
}

#[test]
fn apply_makes_and_changes_objects_and_prints_what_kubectl_prints() {
    let (namespace, folder) = (Namespace::new("examples-apply"), Folder::new("apply"));
    let manifests = manifests(&namespace.0);
    let file = folder.0.join("manifests.yaml");
    fs::write(&file, &manifests).unwrap();
    let ours = apply(&[], &manifests);
    assert!(ours.status.success(), "{ours:?}");
    // The same fields with the same values: nobody is in conflict with anybody.
    let theirs = kubectl(&["apply", "--server-side", "-f", file.to_str().unwrap()]);
    assert_eq!(text(&ours.stdout), theirs);
    assert_eq!(theirs.lines().collect::<Vec<_>>(), ["configmap/a serverside-applied", "deployment.apps/web serverside-applied"]);
    let read = |path: &str| kubectl(&["get", "configmap", "a", "-n", &namespace.0, "-o", &format!("jsonpath={{{path}}}")]);
    assert_eq!(read(".data.number"), "9007199254740993");
    let managers = read(".metadata.managedFields[*].manager");
    assert!(["apply-example kubectl", "kubectl apply-example"].contains(&managers.as_str()), "{managers}");

    let changed = manifests.replace("9007199254740993", "2");
    let refused = apply(&[], &changed);
    assert!(!refused.status.success());
    let said = text(&refused.stderr);
    assert!(
        said.contains("error: ConfigMap \"a\": Apply failed with 1 conflict: conflict with \"kubectl\": .data.number"),
        "{said}"
    );
    assert_eq!((text(&refused.stdout).lines().count(), read(".data.number").as_str()), (1, "9007199254740993"));
    assert!(apply(&["--force-conflicts"], &changed).status.success());
    assert_eq!(read(".data.number"), "2");
}

#[tokio::test(flavor = "multi_thread")]
async fn apply_finds_a_kind_that_it_has_just_made() {
    let namespace = Namespace::new("examples-kind");
    let crd = format!(
        r"
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {{name: things.{ADDED}}}
spec:
  group: {ADDED}
  scope: Namespaced
  names: {{plural: things, singular: thing, kind: Thing}}
  versions:
  - {{name: v1, served: true, storage: true, schema: {{openAPIV3Schema: {{type: object, x-kubernetes-preserve-unknown-fields: true}}}}}}
---
apiVersion: {ADDED}/v1
kind: Thing
metadata: {{name: a, namespace: {}}}
spec: {{size: 9007199254740993, price: 1.10, many: 1e3}}
",
        namespace.0
    );
    let applied = || text(&apply(&[], &crd).stdout);
    // A server tells of a new kind a moment after it took it.
    until("the thing is applied", || applied().contains(&format!("thing.{ADDED}/a serverside-applied"))).await;
    let spec = || kubectl(&["get", &format!("things.{ADDED}"), "a", "-n", &namespace.0, "-o", "jsonpath={.spec}"]);
    let ours = spec();
    assert!(ours.contains("9007199254740993"), "{ours}");
    // The same digits as kubectl makes of the same words.
    let (folder, thing) = (Folder::new("kind"), crd.split("---").last().unwrap().to_owned());
    let file = folder.0.join("thing.yaml");
    fs::write(&file, thing).unwrap();
    kubectl(&["apply", "--server-side", "--force-conflicts", "-f", file.to_str().unwrap()]);
    assert_eq!(spec(), ours);
    kubectl(&["delete", "crd", &format!("things.{ADDED}"), "--wait=false"]);
    until_forgotten(&format!("things.{ADDED}")).await;
}

#[test]
fn apply_says_what_is_wrong_and_goes_on() {
    let namespace = Namespace::new("examples-wrong");
    let wrong = format!(
        "{}---\napiVersion: v1\nkind: Nothing\nmetadata: {{name: x}}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {{name: b, namespace: {}}}\n",
        manifests(&namespace.0),
        namespace.0
    );
    let output = apply(&[], &wrong);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stderr).contains("error: Nothing \"x\": no matches for kind \"Nothing\" in version \"v1\""),
        "{output:?}"
    );
    assert!(text(&output.stdout).ends_with("configmap/b serverside-applied\n"), "{output:?}");
    for (manifests, wanted) in [("a: [", "error: "), ("kind: Pod\n", "error: "), ("7", "error: ")] {
        let output = apply(&[], manifests);
        assert!(!output.status.success() && text(&output.stderr).starts_with(wanted), "{manifests:?}: {output:?}");
    }
    assert!(text(&apply(&["-f"], "").stderr).contains("\"-f\" is unknown"));
}

/// A program that is ended with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ended_already = self.0.kill();
        let _status = self.0.wait();
    }
}

#[test]
fn watch_says_what_happens() {
    let namespace = Namespace::new("examples-watch");
    let mut next = following("watch", &namespace);
    let in_namespace = |arguments: &[&str]| kubectl(&[arguments, &["-n", &namespace.0]].concat());
    in_namespace(&["create", "configmap", "a"]);
    assert_eq!(next(), "ADDED a");
    in_namespace(&["label", "configmap", "a", "x=y"]);
    assert_eq!(next(), "MODIFIED a");
    in_namespace(&["delete", "configmap", "a"]);
    assert_eq!(next(), "DELETED a");
}

#[test]
fn informer_says_what_there_is_and_what_happens() {
    let namespace = Namespace::new("examples-informer");
    let in_namespace = |arguments: &[&str]| kubectl(&[arguments, &["-n", &namespace.0]].concat());
    in_namespace(&["create", "configmap", "a"]);
    let mut next = following("informer", &namespace);
    let mut next_is = |words: &str| {
        let line = next();
        let (what, count) = line.split_once(" of ").unwrap();
        assert_eq!(what, words);
        count.parse::<usize>().unwrap()
    };
    assert!(next_is("THERE a") >= 1);
    in_namespace(&["create", "configmap", "b"]);
    assert!(next_is("ADDED b") >= 2);
    in_namespace(&["label", "configmap", "a", "x=y"]);
    next_is("MODIFIED a");
    in_namespace(&["delete", "configmap", "a"]);
    next_is("DELETED a");
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn controller_keeps_a_config_map_in_each_namespace_with_a_team_until_it_is_told_to_end() {
    let namespace = Namespace::new("examples-controller");
    let label = |label: &str| kubectl(&["label", "namespace", &namespace.0, label, "--overwrite"]);
    let team = || {
        let path = ["get", "configmap", "team", "-n", &namespace.0, "--ignore-not-found", "-o", "jsonpath={.data.team}"];
        kubectl(&path)
    };
    label("team=blue");
    let mut program = Running(example("controller").stderr(Stdio::piped()).spawn().unwrap());
    until("a config map is made", || team() == "blue").await;
    label("team=green");
    until("it follows the label", || team() == "green").await;
    kubectl(&["patch", "configmap", "team", "-n", &namespace.0, "--patch", r#"{"data":{"team":"red"}}"#]);
    until("it is put right", || team() == "green").await;
    kubectl(&["delete", "configmap", "team", "-n", &namespace.0]);
    until("it is made again", || team() == "green").await;
    label("team-");
    until("it goes with the label", || team().is_empty()).await;

    let told = Command::new("kill").args(["-INT", &program.0.id().to_string()]).status().unwrap();
    assert!(told.success());
    let ended = program.0.wait().unwrap();
    let mut said = String::new();
    std::io::Read::read_to_string(&mut program.0.stderr.take().unwrap(), &mut said).unwrap();
    assert!(ended.success(), "{ended}: {said}");
}

/// Runs an example that says what happens to the config maps of a namespace; gives back what gives its next line, that of the one
/// left out that each namespace has.
fn following(name: &str, namespace: &Namespace) -> impl FnMut() -> String + use<> {
    let folder = Folder::new(name);
    let config = with_namespace(&folder.0, &namespace.0);
    let mut command = example(name);
    command.arg("cm").env("KUBECONFIG", config).stdout(Stdio::piped());
    let mut running = Running(command.spawn().unwrap());
    let mut lines = BufReader::new(running.0.stdout.take().unwrap()).lines().map(Result::unwrap);
    move || {
        let _these_end_with_the_test = (&running, &folder);
        lines.find(|line| !line.contains("kube-root-ca.crt")).unwrap()
    }
}

/// The kubeconfig of the cluster with another namespace, in `folder`.
fn with_namespace(folder: &Path, namespace: &str) -> PathBuf {
    let path = folder.join("kubeconfig");
    fs::copy(cluster_dir().join("kubeconfig"), &path).unwrap();
    kubectl(&["config", "set-context", "--current", "--namespace", namespace, "--kubeconfig", path.to_str().unwrap()]);
    path
}
