//! The schemas of a server (client-go `openapi/`): which documents there are, and the documents as bytes.
//!
//! Leaves out what is in them: who explains or validates brings a reader of its own.

use std::collections::BTreeMap;

use bytes::Bytes;
use serde::{Deserialize, de::IgnoredAny};

use super::source::{Answer, unreadable};
use crate::{meta::GroupVersion, rest::ApiError};

/// Where the index is.
pub(super) const INDEX_PATH: &str = "/openapi/v3";

/// Where the one document of the second version is.
pub(super) const V2_PATH: &str = "/openapi/v2";

/// The form in which a schema is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SchemaFormat {
    /// As JSON.
    Json,
    /// As protobuf, a third of the size.
    Protobuf,
}

impl SchemaFormat {
    pub(super) fn accept_v3(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Protobuf => "application/com.github.proto-openapi.spec.v3@v1.0+protobuf",
        }
    }

    pub(super) fn accept_v2(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Protobuf => "application/com.github.proto-openapi.spec.v2@v1.0+protobuf",
        }
    }
}

/// The index of the schemas of a server, each of which describes one group version or one other part of the server (client-go
/// `openapi/client.go`, `Paths`). [`Discovery::openapi_v3`](super::Discovery::openapi_v3) asks for it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpenApiV3 {
    /// The schemas by what they describe, such as `api/v1` or `apis/apps/v1`.
    pub paths: BTreeMap<String, OpenApiV3Path>,
}

impl OpenApiV3 {
    /// The schema of a group version.
    #[must_use]
    pub fn group_version(&self, group_version: &GroupVersion) -> Option<&OpenApiV3Path> {
        self.paths.get(group_version.path().trim_start_matches('/'))
    }

    /// The group versions that have a schema, the core group first (client-go `openapi3/root.go`, `GroupVersions`, which has it
    /// last). What the index has beside them, such as `version`, is passed over.
    pub fn group_versions(&self) -> impl Iterator<Item = GroupVersion> {
        self.paths.keys().filter_map(|path| {
            let of_core = path.strip_prefix("api/").filter(|version| !version.contains('/'));
            let of_group = path.strip_prefix("apis/").filter(|rest| rest.contains('/'));
            of_core.or(of_group)?.parse().ok()
        })
    }
}

/// Where a schema is (client-go `openapi/groupversion.go`).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OpenApiV3Path(String);

impl OpenApiV3Path {
    /// The path and query to ask for. It names the content as well: with the content changes the hash in it
    /// (client-go `GroupVersion.ServerRelativeURL`).
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The hash of the content, where the server gives one.
    #[must_use]
    pub fn hash(&self) -> Option<&str> {
        let (_, query) = self.0.split_once('?')?;
        query.split('&').find_map(|part| part.strip_prefix("hash="))
    }

    /// Reads the address that a server gives for a schema. A server behind a proxy may put the proxy's own path before
    /// it, which is a part of the address of every request already; what leads to another server is none.
    fn new(address: &str) -> Option<Self> {
        let path = address.find("/openapi/v3").map_or(address, |start| address.get(start..).unwrap_or(address));
        let is_path = path.starts_with('/') && !path.starts_with("//") && path.bytes().all(|byte| byte.is_ascii_graphic());
        is_path.then(|| Self(path.to_owned()))
    }
}

/// Reads the index.
pub(super) fn read_index(answer: &Answer) -> Result<OpenApiV3, ApiError> {
    #[derive(Deserialize)]
    struct Document {
        paths: BTreeMap<String, Entry>,
    }
    #[derive(Deserialize)]
    struct Entry {
        #[serde(rename = "serverRelativeURL")]
        address: String,
    }
    let document: Document = serde_json::from_slice(&answer.body).map_err(|error| unreadable(INDEX_PATH, &error))?;
    let mut paths = BTreeMap::new();
    for (name, Entry { address }) in document.paths {
        let path = OpenApiV3Path::new(&address).ok_or_else(|| ApiError::Unreadable {
            path: INDEX_PATH.to_owned(),
            message: format!("the address of {name} is {address:?}, which is no path of this server"),
        })?;
        paths.insert(name, path);
    }
    Ok(OpenApiV3 { paths })
}

/// Takes a schema as it is, where it can be one. Its address is kept with it for ever, so a page that a proxy put in its
/// place must not pass.
pub(super) fn read_schema(path: &str, format: SchemaFormat, answer: &Answer) -> Result<Bytes, ApiError> {
    let body = &answer.body;
    match format {
        SchemaFormat::Json => {
            serde_json::from_slice::<IgnoredAny>(body).map_err(|error| unreadable(path, &error))?;
        }
        // The first three bits say how the first field is written; text and JSON begin as no field does.
        SchemaFormat::Protobuf if body.first().is_some_and(|byte| matches!(byte & 7, 0 | 1 | 2 | 5)) => {}
        SchemaFormat::Protobuf => {
            return Err(ApiError::Unreadable { path: path.to_owned(), message: "it is no protobuf".to_owned() });
        }
    }
    Ok(body.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn read(text: &str) -> Result<OpenApiV3, ApiError> {
        read_index(&Answer { body: text.to_owned().into(), content_type: None })
    }

    #[test]
    fn an_index_says_where_the_schema_of_each_group_version_is() {
        let index = read(
            r#"{"paths":{"api/v1":{"serverRelativeURL":"/openapi/v3/api/v1?hash=AB%2F1"},
                "apis/apps/v1":{"serverRelativeURL":"/openapi/v3/apis/apps/v1?timeout=3&hash=CD"},
                "version":{"serverRelativeURL":"/openapi/v3/version"}}}"#,
        )
        .unwrap();
        let core = index.group_version(&GroupVersion::new("", "v1")).unwrap();
        assert_eq!((core.as_str(), core.hash()), ("/openapi/v3/api/v1?hash=AB%2F1", Some("AB%2F1")));
        assert_eq!(index.group_version(&GroupVersion::new("apps", "v1")).unwrap().hash(), Some("CD"));
        assert_eq!(index.paths["version"].hash(), None);
        assert_eq!(index.group_version(&GroupVersion::new("apps", "v2")), None);
    }

    #[test]
    fn the_group_versions_of_an_index_are_those_whose_paths_are_of_one() {
        let with = |names: &[&str]| {
            let paths: BTreeMap<_, _> =
                names.iter().map(|name| (*name, serde_json::json!({ "serverRelativeURL": "/openapi/v3/x" }))).collect();
            read(&serde_json::json!({ "paths": paths }).to_string()).unwrap()
        };
        let found = |names: &[&str]| with(names).group_versions().map(|version| version.to_string()).collect::<Vec<_>>();
        assert_eq!(found(&[]), Vec::<String>::new());
        assert_eq!(found(&["apis/apps/v1"]), ["apps/v1"]);
        assert_eq!(found(&["apis/batch/v1beta1", "api/v1", "apis/apps/v1"]), ["v1", "apps/v1", "batch/v1beta1"]);
        assert_eq!(found(&["foo/apps/v1", "api", "apis/apps", "apis/apps/v1/x", "api/v1/x", "version", "apis//v1"]), [""; 0]);
        let all = with(&["api/v1", "apis/apps/v1", "apis/batch/v1beta1"]);
        assert!(all.group_versions().all(|version| all.group_version(&version).is_some()));
    }

    #[test]
    fn the_path_of_a_proxy_is_not_asked_for_twice() {
        let index = read(r#"{"paths":{"api/v1":{"serverRelativeURL":"/k8s/clusters/c-1/openapi/v3/api/v1?hash=A"}}}"#).unwrap();
        assert_eq!(index.paths["api/v1"].as_str(), "/openapi/v3/api/v1?hash=A");
        let index = read(r#"{"paths":{"api/v1":{"serverRelativeURL":"/elsewhere/api/v1?hash=A"}}}"#).unwrap();
        assert_eq!(index.paths["api/v1"].as_str(), "/elsewhere/api/v1?hash=A");
    }

    #[test]
    fn an_address_of_another_server_is_refused() {
        for address in ["https://other.example/api", "//other.example/api", "", "api/v1", "/a b", "/a\r\nX: y"] {
            let text = serde_json::json!({"paths": {"api/v1": {"serverRelativeURL": address}}}).to_string();
            let error = read(&text).unwrap_err().to_string();
            assert!(error.contains("no path of this server"), "{address:?}: {error}");
        }
        assert!(read("[]").is_err());
    }

    #[test]
    fn what_cannot_be_a_schema_is_none() {
        let read = |format, body: &'static [u8]| read_schema("/s", format, &Answer { body: body.into(), content_type: None });
        for page in [&b"<html>log in</html>"[..], b"", b"\n\x0bnot finished{"] {
            assert!(read(SchemaFormat::Json, page).is_err(), "{page:?}");
        }
        for page in [&b"<html>log in</html>"[..], b"", b"{\"openapi\":\"3.0.0\"}"] {
            assert!(read(SchemaFormat::Protobuf, page).is_err(), "{page:?}");
        }
        assert_eq!(read(SchemaFormat::Json, b"{\"openapi\":\"3.0.0\"}").unwrap().len(), 19);
        assert_eq!(read(SchemaFormat::Protobuf, b"\n\x053.0.0").unwrap().len(), 7);
    }
}
