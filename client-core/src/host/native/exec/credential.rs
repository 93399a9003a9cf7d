//! What is said to a credential plugin, and what it answers.

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::super::tls::Identity;
use crate::{
    config::{ExecCluster, Secret},
    meta::{Timestamp, null_is_default},
    platform::WallTime,
};

const KIND: &str = "ExecCredential";

/// The versions that are spoken; they differ in nothing that is used.
pub(super) const VERSIONS: [&str; 2] = ["client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"];

/// What a plugin finds in `KUBERNETES_EXEC_INFO` (client-go `pkg/apis/clientauthentication/v1`, `ExecCredential`).
pub(super) fn request(version: &str, cluster: Option<&ExecCluster>, interactive: bool) -> Result<String, serde_json::Error> {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Request<'a> {
        kind: &'a str,
        api_version: &'a str,
        spec: Spec<'a>,
    }
    #[derive(Serialize)]
    struct Spec<'a> {
        #[serde(skip_serializing_if = "Option::is_none")]
        cluster: Option<&'a ExecCluster>,
        interactive: bool,
    }
    serde_json::to_string(&Request { kind: KIND, api_version: version, spec: Spec { cluster, interactive } })
}

/// Credentials of a plugin.
#[derive(Clone, Debug)]
pub(in crate::host::native) struct Credentials {
    /// A bearer token; empty where there is none.
    pub(in crate::host::native) token: Secret,
    /// A certificate to show.
    pub(in crate::host::native) identity: Option<Identity>,
    /// When they must be asked for again; `None` for never.
    pub(in crate::host::native) expires: Option<WallTime>,
}

/// What a plugin printed.
///
/// # Errors
/// What is wrong with it, without what it says.
pub(super) fn response(output: &[u8], version: &str) -> Result<Credentials, String> {
    #[derive(Default, Deserialize)]
    #[serde(rename_all = "camelCase", default)]
    struct Response {
        #[serde(deserialize_with = "null_is_default")]
        kind: String,
        #[serde(deserialize_with = "null_is_default")]
        api_version: String,
        status: Option<Status>,
    }
    #[derive(Default, Deserialize)]
    #[serde(rename_all = "camelCase", default)]
    struct Status {
        expiration_timestamp: Option<Timestamp>,
        #[serde(deserialize_with = "null_is_default")]
        token: Secret,
        #[serde(deserialize_with = "null_is_default")]
        client_certificate_data: Secret,
        #[serde(deserialize_with = "null_is_default")]
        client_key_data: Secret,
    }
    let response: Response = read(output)?;
    if response.kind != KIND {
        return Err(format!("its kind is \"{}\", and not {KIND}", response.kind));
    }
    if response.api_version != version {
        return Err(format!("the plugin is configured to speak {version}, and answered in \"{}\"", response.api_version));
    }
    let status = response.status.ok_or("it has no status")?;
    let identity = match (status.client_certificate_data.expose(), status.client_key_data.expose()) {
        ("", "") if status.token.is_empty() => return Err("it has neither a token nor a certificate with its key".to_owned()),
        ("", "") => None,
        ("", _) => return Err("it has a key without a certificate".to_owned()),
        (_, "") => return Err("it has a certificate without its key".to_owned()),
        (certificate, key) => {
            Some(Identity::from_pem(certificate.as_bytes(), key.as_bytes()).map_err(|error| error.to_string())?)
        }
    };
    let expires = status.expiration_timestamp.filter(|time| !time.is_zero()).map(Timestamp::wall_time);
    Ok(Credentials { token: status.token, identity, expires })
}

/// What a plugin printed: JSON, or YAML, which client-go's decoder takes as well. The words of the readers may quote what was
/// printed, and are left out.
fn read<T: DeserializeOwned + Default>(output: &[u8]) -> Result<T, String> {
    let text = std::str::from_utf8(output).map_err(|_not_text| "it is no UTF-8 text".to_owned())?;
    let text = text.trim_start_matches('\u{feff}');
    if text.trim_start().starts_with('{') {
        return serde_json::from_str(text)
            .map_err(|error| format!("it is no JSON of an {KIND} (line {}, column {})", error.line(), error.column()));
    }
    let read: Result<Option<T>, serde_saphyr::Error> = serde_saphyr::from_str(text);
    read.map(Option::unwrap_or_default).map_err(|error| match error.location() {
        Some(place) => format!("it is neither JSON nor YAML of an {KIND} (line {}, column {})", place.line(), place.column()),
        None => format!("it is neither JSON nor YAML of an {KIND}"),
    })
}
