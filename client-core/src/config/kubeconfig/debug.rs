//! How entries look in a log: without what is or may be secret.

use std::fmt;

use super::{AuthInfo, Cluster, Context, Extensions, Kubeconfig, Preferences};
use crate::config::server_url::without_credentials;

/// The names of extensions: what they hold is known to others alone.
struct Names<'a>(&'a Extensions);

impl fmt::Debug for Names<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.0.keys()).finish()
    }
}

macro_rules! debug_fields {
    ($type:ty: $($field:ident $(through $shown:expr)?),*) => {
        impl fmt::Debug for $type {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                // Each field is named, so that a new one cannot be forgotten.
                let Self { $($field),* } = self;
                let mut shown = formatter.debug_struct(stringify!($type));
                $(debug_fields!(shown, $field $(, $shown)?);)*
                shown.finish()
            }
        }
    };
    ($formatter:ident, $field:ident) => {
        $formatter.field(stringify!($field), $field)
    };
    ($formatter:ident, $field:ident, $shown:expr) => {
        $formatter.field(stringify!($field), &$shown($field))
    };
}

debug_fields!(Kubeconfig: preferences, clusters, users, contexts, current_context, extensions through Names);
debug_fields!(Preferences: colors, extensions through Names);
debug_fields!(
    Cluster: location_of_origin, server through without_credentials, tls_server_name, insecure_skip_tls_verify,
    certificate_authority, certificate_authority_data, proxy_url through without_credentials, disable_compression,
    extensions through Names
);
debug_fields!(
    AuthInfo: location_of_origin, client_certificate, client_certificate_data, client_key, client_key_data, token, token_file,
    impersonate, impersonate_uid, impersonate_groups, impersonate_user_extra, username, password, auth_provider, exec,
    extensions through Names
);
debug_fields!(Context: location_of_origin, cluster, user, namespace, extensions through Names);
