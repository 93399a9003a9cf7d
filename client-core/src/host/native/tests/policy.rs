use super::{
    super::{ExecError, ExecEvent, ExecHost, exec::Plugin},
    support::Folder,
};
use crate::{
    config::{ExecConfig, InteractiveMode, PluginPolicy},
    platform::FakePlatform,
};
use std::{
    ffi::OsString,
    sync::{Arc, Mutex},
};

const OUTPUT: &str = r#"{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"token":"t"}}"#;

/// A folder of plugins, which is the `PATH`.
struct Plugins(Folder);

impl Plugins {
    fn new() -> Self {
        let folder = Folder::new();
        folder.script("plugin", &format!("#!/bin/sh\necho '{OUTPUT}'\n"));
        folder.put("no-program", "");
        Self(folder)
    }

    /// Whether `command` may run under `policy`, why not, and what was told about it.
    async fn run(&self, command: &str, policy: PluginPolicy) -> (Result<(), ExecError>, Vec<ExecEvent>) {
        let path: OsString = format!("{}:/usr/bin:/bin", self.0.as_path().display()).into();
        let events: Arc<Mutex<Vec<ExecEvent>>> = Arc::default();
        let seen = Arc::clone(&events);
        let host = ExecHost::default()
            .with_variables(move || vec![("PATH".into(), path.clone())])
            .with_terminal(|| false)
            .with_stderr(|_chunk| {})
            .with_observer(move |event| seen.lock().unwrap().push(event.clone()));
        let config = ExecConfig {
            command: command.into(),
            api_version: "client.authentication.k8s.io/v1".into(),
            interactive_mode: InteractiveMode::Never,
            plugin_policy: policy,
            ..ExecConfig::default()
        };
        let result = match Plugin::new(config, None, Arc::new(host), Arc::new(FakePlatform::default())) {
            Ok(plugin) => Arc::new(plugin).credentials().await.map(|_credentials| ()),
            Err(error) => Err(error),
        };
        let events = events.lock().unwrap().clone();
        (result, events)
    }
}

fn list(entries: &[&str]) -> PluginPolicy {
    PluginPolicy::Allowlist(entries.iter().map(|&entry| entry.to_owned()).collect())
}

#[tokio::test]
async fn a_plugin_runs_where_the_policy_names_the_same_file() {
    let plugins = Plugins::new();
    let absolute = plugins.0.path("plugin");
    let missing = ["/this/path/does/not/exist", "does-not-exist", "no-program"];
    for existing in ["plugin", absolute.as_str()] {
        assert_eq!(plugins.run(existing, PluginPolicy::AllowAll).await.0, Ok(()));
        assert!(matches!(plugins.run(existing, PluginPolicy::DenyAll).await.0, Err(ExecError::Denied { .. })));
        for entry in ["plugin", absolute.as_str()] {
            for entries in [vec![entry], vec!["foo-1", entry, "foo-2"]] {
                assert_eq!(plugins.run(existing, list(&entries)).await.0, Ok(()), "{existing} by {entries:?}");
            }
        }
        for entry in missing {
            let error = plugins.run(existing, list(&["foo-1", entry])).await.0.unwrap_err().to_string();
            assert!(error.contains(&format!("{absolute} is not in the list of allowed plugins")), "{error}");
        }
        assert!(matches!(plugins.run(existing, list(&[])).await.0, Err(ExecError::Policy(_))));
    }
    for command in missing {
        assert!(matches!(plugins.run(command, PluginPolicy::AllowAll).await.0, Err(ExecError::NotFound { .. })));
        assert!(matches!(plugins.run(command, PluginPolicy::DenyAll).await.0, Err(ExecError::Denied { .. })));
        for entry in ["plugin", command] {
            assert!(matches!(plugins.run(command, list(&[entry])).await.0, Err(ExecError::Denied { .. })), "{command}");
        }
    }
}

#[tokio::test]
async fn a_path_that_is_written_in_another_way_is_the_same_file() {
    let plugins = Plugins::new();
    let roundabout = format!("{}/./plugin", plugins.0.as_path().display());
    assert_eq!(plugins.run(&roundabout, list(&[plugins.0.path("plugin").as_str()])).await.0, Ok(()));
}

#[tokio::test]
async fn each_answer_of_the_policy_is_told() {
    let plugins = Plugins::new();
    for (policy, allowed) in [
        (PluginPolicy::AllowAll, true),
        (PluginPolicy::DenyAll, false),
        (list(&["foobar", "plugin"]), true),
        (list(&["foobar", "baz"]), false),
    ] {
        let (result, events) = plugins.run("plugin", policy).await;
        assert_eq!(result.is_ok(), allowed);
        assert_eq!(events[0], ExecEvent::Policy { command: "plugin".into(), allowed });
        // What is not allowed is not run.
        assert_eq!(events.len(), if allowed { 2 } else { 1 });
    }
}
