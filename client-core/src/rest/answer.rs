//! A whole answer.

use std::fmt;

use bytes::Bytes;
use http::{HeaderMap, Method, StatusCode, header};
use serde::de::DeserializeOwned;

#[cfg(feature = "protobuf")]
use super::protobuf::is_protobuf;
use super::{ApiError, RefusedRequest, decode_status, refusal::failure_in, target::Target};
#[cfg(feature = "protobuf")]
use crate::wire::protobuf::{ProtobufError, Schema, decode_object, decode_object_list};
use crate::{
    meta::GroupResource,
    object::{ObjectList, WireObject},
    transport::{self, Response},
};

/// What a server answered, read to its end (client-go `rest/request.go`, `Result`). `Debug` does not show the body, which may be
/// a secret.
#[derive(Clone)]
pub struct Answer {
    path: String,
    method: Method,
    resource: Option<GroupResource>,
    name: String,
    status: StatusCode,
    headers: HeaderMap,
    body: Bytes,
    #[cfg(feature = "protobuf")]
    protobuf: Option<super::protobuf::Protobuf>,
}

impl fmt::Debug for Answer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self { method, path, status, headers, .. }, length) = (self, self.body.len());
        write!(formatter, "Answer({method} {path}: {status}, {headers:?}, {length} bytes)")
    }
}

impl Answer {
    pub(super) fn new(request: &transport::Request, target: &Target, response: Response, body: Bytes) -> Self {
        let Response { status, headers, .. } = response;
        let (path, method) = (request.path.clone(), request.method.clone());
        Self {
            path,
            method,
            resource: target.group_resource(),
            name: target.object_name().to_owned(),
            status,
            headers,
            body,
            #[cfg(feature = "protobuf")]
            protobuf: None,
        }
    }

    #[cfg(feature = "protobuf")]
    pub(super) fn with_protobuf(self, protobuf: Option<super::protobuf::Protobuf>) -> Self {
        Self { protobuf, ..self }
    }

    /// The HTTP status.
    #[must_use]
    pub const fn status(&self) -> StatusCode {
        self.status
    }

    /// The headers.
    #[must_use]
    pub const fn headers(&self) -> &HeaderMap {
        &self.headers
    }

    /// The body, as it came.
    #[must_use]
    pub const fn bytes(&self) -> &Bytes {
        &self.body
    }

    /// Whether the server made something new (201): of an apply, that the object was not there.
    #[must_use]
    pub fn was_created(&self) -> bool {
        self.status == StatusCode::CREATED
    }

    /// The entity tag of the body, where the server gave one.
    #[must_use]
    pub fn etag(&self) -> Option<&str> {
        self.headers.get(header::ETAG).and_then(|value| value.to_str().ok())
    }

    /// What the body is, where the server says so.
    #[must_use]
    pub fn content_type(&self) -> Option<&str> {
        self.headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok())
    }

    /// The object in the body (`Into`).
    ///
    /// # Errors
    /// [`ApiError::Unreadable`] where there is no body, where it is not of this type, or in a form that was not asked for;
    /// [`ApiError::Refused`] where there is a Status in its place that tells of a failure.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, ApiError> {
        let unreadable = |message: String| ApiError::Unreadable { path: self.path.clone(), message };
        if self.body.is_empty() {
            return Err(unreadable(format!("it has status {} and no body", self.status.as_u16())));
        }
        #[cfg(feature = "protobuf")]
        if let Some(schema) = self.protobuf_schema() {
            return decode_object(schema, &self.body).map_err(|error| self.unreadable(&error));
        }
        is_json(&self.headers).map_err(unreadable)?;
        serde_json::from_slice(&self.body).map_err(|error| match failure_in(&self.body) {
            Some(status) => ApiError::Refused(Box::new(status)),
            None => unreadable(error.to_string()),
        })
    }

    /// The list in the body.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_list<K: WireObject>(&self) -> Result<ObjectList<K>, ApiError> {
        #[cfg(feature = "protobuf")]
        if let Some(schema) = self.protobuf_schema() {
            return decode_object_list(schema, &self.body).map_err(|error| self.unreadable(&error));
        }
        self.read()
    }

    /// With what the body is read, where it is protobuf.
    #[cfg(feature = "protobuf")]
    fn protobuf_schema(&self) -> Option<&Schema> {
        let protobuf = self.protobuf.as_ref().filter(|_| !self.body.is_empty() && is_protobuf(&self.headers))?;
        Some(&protobuf.schema)
    }

    #[cfg(feature = "protobuf")]
    fn unreadable(&self, error: &ProtobufError) -> ApiError {
        match failure_in(&self.body) {
            Some(status) => ApiError::Refused(Box::new(status)),
            None => ApiError::Unreadable { path: self.path.clone(), message: error.to_string() },
        }
    }

    /// This answer, where it is no refusal: a success of any kind, or a switch of protocols.
    ///
    /// # Errors
    /// [`ApiError::Refused`] with the server's Status where the code is another.
    pub fn checked(self) -> Result<Self, ApiError> {
        if self.status.is_success() || self.status == StatusCode::SWITCHING_PROTOCOLS {
            return Ok(self);
        }
        let request = RefusedRequest { method: self.method.as_str(), resource: self.resource, name: &self.name };
        Err(ApiError::Refused(Box::new(decode_status(self.status, &self.headers, &self.body, &request))))
    }
}

/// Whether the answer is JSON by its Content-Type; one without is taken as JSON, which is what was asked for.
pub(super) fn is_json(headers: &HeaderMap) -> Result<(), String> {
    let Some(value) = headers.get(header::CONTENT_TYPE) else { return Ok(()) };
    let text = value.to_str().map_err(|_not_text| "its Content-Type is no text".to_owned())?;
    let kind = text.split(';').next().unwrap_or_default().trim();
    if kind.is_empty() || kind.eq_ignore_ascii_case("application/json") {
        return Ok(());
    }
    Err(format!("its Content-Type is {text:?}, not JSON"))
}
