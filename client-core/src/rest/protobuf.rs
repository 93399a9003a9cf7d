//! Whether a client asks for protobuf, and with which schema its answers are read.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, StatusCode, header};

use crate::{
    object::ProtobufForm,
    transport::Request,
    wire::protobuf::{MEDIA_TYPE, Schema},
};

/// What a client says where it may get a type in protobuf or in JSON: that of client-go's typed clients.
const ACCEPT_KIND: &str = "application/vnd.kubernetes.protobuf,application/json";

/// client-go's `metadata/metadata.go`.
const ACCEPT_METADATA: &str = "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,\
    application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";
const ACCEPT_METADATA_LIST: &str = "application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,\
    application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";

/// That a client speaks protobuf. Clones share whether the server refused it.
#[derive(Clone, Debug)]
pub(super) struct Protobuf {
    pub(super) schema: Arc<Schema>,
    refused: Arc<AtomicBool>,
}

impl Protobuf {
    pub(super) fn new(schema: Arc<Schema>) -> Self {
        Self { schema, refused: Arc::default() }
    }

    pub(super) fn is_refused(&self) -> bool {
        self.refused.load(Ordering::Relaxed)
    }

    /// What to ask for beside JSON; `None` where protobuf has no such form.
    pub(super) fn accept(&self, form: ProtobufForm, is_list: bool) -> Option<&'static str> {
        match form {
            ProtobufForm::None => None,
            ProtobufForm::Metadata if is_list => Some(ACCEPT_METADATA_LIST),
            ProtobufForm::Metadata => Some(ACCEPT_METADATA),
            ProtobufForm::Kind { api_version, kind } => self.schema.has(api_version, kind).then_some(ACCEPT_KIND),
        }
    }

    /// Whether this answer says that the server does not speak protobuf. Then JSON is spoken from now on, by all clones:
    /// client-go does so for CBOR after a 415 (`rest/client.go`, `UnsupportedMediaType`).
    pub(super) fn gives_up(&self, request: &Request, status: StatusCode) -> bool {
        let refuses = matches!(status, StatusCode::NOT_ACCEPTABLE | StatusCode::UNSUPPORTED_MEDIA_TYPE);
        let speaks = |name| request.headers.get(name).is_some_and(|value| value.as_bytes().starts_with(MEDIA_TYPE.as_bytes()));
        let gives_up = refuses && (speaks(header::ACCEPT) || speaks(header::CONTENT_TYPE));
        if gives_up {
            self.refused.store(true, Ordering::Relaxed);
        }
        gives_up
    }
}

/// What takes the place of JSON in a request while protobuf is not refused.
#[derive(Clone, Debug, Default)]
pub(super) struct Alternative {
    pub(super) accept: Option<&'static str>,
    pub(super) body: Option<Bytes>,
}

impl Alternative {
    /// Puts it in place of JSON.
    pub(super) fn apply(&self, headers: &mut HeaderMap, body: &mut Bytes) {
        if let Some(accept) = self.accept {
            headers.insert(header::ACCEPT, HeaderValue::from_static(accept));
        }
        if let Some(own) = &self.body {
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(MEDIA_TYPE));
            *body = own.clone();
        }
    }
}

/// Whether the answer is protobuf by its Content-Type.
pub(super) fn is_protobuf(headers: &HeaderMap) -> bool {
    let text = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    text.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case(MEDIA_TYPE)
}
