//! The forms a server can give its groups in, and how a client asks for them (client-go `discovery_client.go`).

use thiserror::Error;

/// Asks for the groups with all their resources, in either version, or else for the groups alone. The order of the
/// parameters is the one the server takes.
pub(super) const ACCEPT: &str = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,\
    application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json";

/// The same, and first of all what this one server has, without its peers in the control plane.
pub(super) const ACCEPT_NO_PEERS: &str = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList;profile=nopeer,\
    application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,\
    application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json";

/// Asks for the groups alone, or for any other document.
pub(super) const ACCEPT_JSON: &str = "application/json";

/// What a document of `/api` or `/apis` is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DiscoveryFormat {
    /// Groups with all their resources: `apidiscovery.k8s.io/v2`.
    AggregatedV2,
    /// The same, as servers before 1.30 have it: `apidiscovery.k8s.io/v2beta1`.
    AggregatedV2Beta1,
    /// Groups alone, or something else altogether.
    Unaggregated,
}

/// A text that is no content type.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{0:?} is not a content type")]
pub(super) struct ContentTypeError(String);

impl DiscoveryFormat {
    /// The format that a `Content-Type` names. The order of its parameters does not matter, nor do others, which a
    /// proxy may add (client-go `ContentTypeIsGVK`).
    ///
    /// # Errors
    /// Where the text is no content type.
    pub(super) fn from_content_type(text: &str) -> Result<Self, ContentTypeError> {
        let malformed = || ContentTypeError(text.to_owned());
        let mut parts = text.split(';').map(str::trim);
        let media_type = parts.next().filter(|media_type| is_media_type(media_type)).ok_or_else(malformed)?;
        let (mut group, mut version, mut kind) = ("", "", "");
        for part in parts.filter(|part| !part.is_empty()) {
            let (name, value) = part.split_once('=').ok_or_else(malformed)?;
            let value = value.trim().trim_matches('"');
            match name.trim().to_ascii_lowercase().as_str() {
                "g" => group = value,
                "v" => version = value,
                "as" => kind = value,
                _ => {}
            }
        }
        let is_list = media_type.eq_ignore_ascii_case("application/json")
            && group == "apidiscovery.k8s.io"
            && kind == "APIGroupDiscoveryList";
        Ok(match version {
            "v2" if is_list => Self::AggregatedV2,
            "v2beta1" if is_list => Self::AggregatedV2Beta1,
            _ => Self::Unaggregated,
        })
    }
}

fn is_media_type(text: &str) -> bool {
    let token = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_graphic() && !b"()<>@,;:\\\"/[]?=".contains(&byte))
    };
    text.split_once('/').is_some_and(|(kind, subtype)| token(kind) && token(subtype))
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn a_content_type_names_the_format_whatever_the_order_of_its_parameters() {
        use DiscoveryFormat::{AggregatedV2, AggregatedV2Beta1, Unaggregated};
        for (text, format) in [
            ("application/json; g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList", AggregatedV2),
            ("application/json; v=v2;as=APIGroupDiscoveryList;g=apidiscovery.k8s.io", AggregatedV2),
            ("application/json; as=APIGroupDiscoveryList;g=apidiscovery.k8s.io;v=v2", AggregatedV2),
            ("application/json; g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList;charset=utf-8", AggregatedV2),
            ("Application/JSON;charset=\"utf-8\";G=apidiscovery.k8s.io; v=v2beta1;as=APIGroupDiscoveryList;", AggregatedV2Beta1),
            ("application/json", Unaggregated),
            ("application/json; charset=UTF-8", Unaggregated),
            ("application/json;g=apidiscovery.k8s.io;v=v3;as=APIGroupDiscoveryList", Unaggregated),
            ("application/json;g=other.io;v=v2;as=APIGroupDiscoveryList", Unaggregated),
            ("application/yaml;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList", Unaggregated),
            ("text/json", Unaggregated),
            ("text/html", Unaggregated),
        ] {
            assert_eq!(DiscoveryFormat::from_content_type(text), Ok(format), "{text}");
        }
        for text in ["", "json", "application/", "a b/c", "application/json;g", "malformed content type string"] {
            assert!(DiscoveryFormat::from_content_type(text).is_err(), "{text:?} was taken");
        }
    }
}
