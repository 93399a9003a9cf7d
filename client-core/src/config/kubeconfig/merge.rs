//! What is set goes over what was there.

use std::collections::BTreeMap;

use super::model::{AuthInfo, Cluster, Context, Kubeconfig, Preferences};
use crate::config::{AuthProviderConfig, ExecConfig, PemData, Secret};

/// Values that can be laid over one another (client-go `tools/clientcmd/merge.go`): what is set replaces what was there, what
/// is not set leaves it; maps take over key by key, and the value of a key as a whole.
pub trait Merge {
    /// Lays `over` onto this.
    fn merge_from(&mut self, over: &Self);
}

impl Merge for bool {
    fn merge_from(&mut self, over: &Self) {
        *self |= over;
    }
}

macro_rules! merge_whole {
    ($($type:ty),*) => {$(
        impl Merge for $type {
            fn merge_from(&mut self, over: &Self) {
                if !over.is_empty() {
                    self.clone_from(over);
                }
            }
        }
    )*};
}

merge_whole!(String, Vec<String>, Secret, PemData);

macro_rules! merge_option {
    ($($type:ty),*) => {$(
        impl Merge for Option<$type> {
            fn merge_from(&mut self, over: &Self) {
                if over.is_some() {
                    self.clone_from(over);
                }
            }
        }
    )*};
}

// Go keeps these behind pointers: one replaces the other, field for field, set or not.
merge_option!(AuthProviderConfig, ExecConfig);

impl<T: Clone> Merge for BTreeMap<String, T> {
    fn merge_from(&mut self, over: &Self) {
        self.extend(over.iter().map(|(key, value)| (key.clone(), value.clone())));
    }
}

macro_rules! merge_fields {
    ($type:ty: $($field:ident),*) => {
        impl Merge for $type {
            fn merge_from(&mut self, over: &Self) {
                // Each field is named, so that a new one cannot be forgotten.
                let Self { $($field),* } = over;
                $(self.$field.merge_from($field);)*
            }
        }
    };
}

merge_fields!(Kubeconfig: preferences, clusters, users, contexts, current_context, extensions);
merge_fields!(Preferences: colors, extensions);
merge_fields!(
    Cluster: location_of_origin, server, tls_server_name, insecure_skip_tls_verify, certificate_authority,
    certificate_authority_data, proxy_url, disable_compression, extensions
);
merge_fields!(
    AuthInfo: location_of_origin, client_certificate, client_certificate_data, client_key, client_key_data, token,
    token_file, impersonate, impersonate_uid, impersonate_groups, impersonate_user_extra, username, password,
    auth_provider, exec, extensions
);
merge_fields!(Context: location_of_origin, cluster, user, namespace, extensions);

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn merged<T: Merge + Clone>(under: &T, over: &T) -> T {
        let mut result = under.clone();
        result.merge_from(over);
        result
    }

    fn user(name: &str) -> AuthInfo {
        AuthInfo {
            token: Secret::new(name),
            client_key_data: PemData::from(name),
            impersonate: name.into(),
            impersonate_groups: vec![name.into(), "shared".into()],
            impersonate_user_extra: [(name.to_owned(), vec![name.to_owned()]), ("shared".to_owned(), vec![name.to_owned()])]
                .into(),
            exec: Some(ExecConfig { command: name.into(), ..ExecConfig::default() }),
            extensions: [(name.to_owned(), json!(name))].into(),
            ..AuthInfo::default()
        }
    }

    #[test]
    fn what_is_set_replaces_and_maps_take_over_key_by_key() {
        let over = AuthInfo { impersonate_uid: "uid".into(), ..user("b") };
        let under = AuthInfo { username: "kept".into(), ..user("a") };
        let result = merged(&under, &over);
        let expected = AuthInfo {
            username: "kept".into(),
            impersonate_user_extra: [
                ("a".to_owned(), vec!["a".to_owned()]),
                ("b".to_owned(), vec!["b".to_owned()]),
                ("shared".to_owned(), vec!["b".to_owned()]),
            ]
            .into(),
            extensions: [("a".to_owned(), json!("a")), ("b".to_owned(), json!("b"))].into(),
            ..over
        };
        assert_eq!(result, expected);
    }

    #[test]
    fn what_is_not_set_changes_nothing() {
        assert_eq!(merged(&user("a"), &AuthInfo::default()), user("a"));
        assert_eq!(merged(&AuthInfo::default(), &user("a")), user("a"));
        let cluster = Cluster { insecure_skip_tls_verify: true, server: "a".into(), ..Cluster::default() };
        assert_eq!(merged(&cluster, &Cluster::default()), cluster);
        assert_eq!(merged(&Cluster::default(), &cluster), cluster);
    }

    #[test]
    fn a_plugin_is_replaced_as_a_whole() {
        let with = |exec: ExecConfig| AuthInfo { exec: Some(exec), ..AuthInfo::default() };
        let under =
            with(ExecConfig { command: "a".into(), args: vec!["x".into()], provide_cluster_info: true, ..ExecConfig::default() });
        let over = with(ExecConfig { command: "b".into(), ..ExecConfig::default() });
        assert_eq!(merged(&under, &over), over);
    }

    #[test]
    fn an_entry_of_a_configuration_is_replaced_as_a_whole() {
        let with = |cluster: Cluster| Kubeconfig { clusters: [("c".to_owned(), cluster)].into(), ..Kubeconfig::default() };
        let under = with(Cluster { server: "a".into(), tls_server_name: "lost".into(), ..Cluster::default() });
        let over = with(Cluster { server: "b".into(), ..Cluster::default() });
        assert_eq!(merged(&under, &over), over);
    }
}
