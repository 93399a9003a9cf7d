//! A request as it is built.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use serde::{Serialize, de::DeserializeOwned};

use super::{
    Answer, ApiError, Query, QueryOptions, RequestError, RestClient, WatchStream,
    retry::{self, Exchange, MOST_RETRIES},
    send::{Sending, send},
    target::Target,
};
use crate::{
    meta::{GroupVersionResource, Namespace, ObjectName},
    object::{WireObject, with_kind},
    transport::{self, Body, SocketTransport},
};
#[cfg(feature = "protobuf")]
use crate::{object::ProtobufForm, wire::protobuf::encode_json};

/// A request to an API server, built part by part and then sent (client-go `rest/request.go`, `Request`).
///
/// A part that does not fit is remembered and is the error of sending; what is set after it changes nothing.
///
/// ```
/// use std::sync::Arc;
/// use porthole_client_core::{
///     meta::GroupVersionResource,
///     platform::{FakePlatform, ready},
///     rest::{ListOptions, RestClient},
///     transport::{ScriptedAnswer, ScriptedTransport},
/// };
///
/// let server = ScriptedTransport::default();
/// server.once("/api/v1/namespaces/shop/pods", ScriptedAnswer::text(r#"{"kind":"PodList","items":[]}"#));
/// let client = RestClient::new(Arc::new(server), Arc::new(FakePlatform::default()));
///
/// let list = client
///     .get()
///     .resource(&GroupVersionResource::new("", "v1", "pods"))
///     .namespace(&"shop".into())
///     .options(&ListOptions { limit: Some(500), ..ListOptions::default() });
/// assert!(ready(list.send()).unwrap().bytes().starts_with(b"{"));
/// ```
#[derive(Clone)]
#[must_use = "a request does nothing until it is sent"]
pub struct Request {
    client: RestClient,
    method: Method,
    target: Target,
    query: Query,
    headers: HeaderMap,
    body: Bytes,
    timeout: Option<Duration>,
    most_retries: u32,
    fault: Option<RequestError>,
    #[cfg(feature = "protobuf")]
    alternative: super::protobuf::Alternative,
}

opaque_debug!(Request);

impl Request {
    pub(super) fn new(client: RestClient, method: Method) -> Self {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT, HeaderValue::from_static("application/json"));
        Self {
            client,
            method,
            target: Target::default(),
            query: Query::default(),
            headers,
            body: Bytes::new(),
            timeout: None,
            most_retries: MOST_RETRIES,
            fault: None,
            #[cfg(feature = "protobuf")]
            alternative: super::protobuf::Alternative::default(),
        }
    }

    /// The resource the request is for, which also says below which path it is.
    pub fn resource(self, resource: &GroupVersionResource) -> Self {
        self.change(|request| request.target.set_resource(resource))
    }

    /// The namespace; leave it out for a resource of the whole cluster, and for a list of all namespaces.
    pub fn namespace(self, namespace: &Namespace) -> Self {
        self.change(|request| request.target.set_namespace(namespace))
    }

    /// The namespace where there is one.
    pub fn namespace_of(self, namespace: Option<&Namespace>) -> Self {
        match namespace {
            Some(namespace) => self.namespace(namespace),
            None => self,
        }
    }

    /// The name of the object.
    pub fn name(self, name: &ObjectName) -> Self {
        self.change(|request| request.target.set_name(name))
    }

    /// A subresource of the object, such as `["log"]`; for `proxy` the segments of the path behind it follow.
    pub fn subresource<'a>(self, segments: impl IntoIterator<Item = &'a str>) -> Self {
        self.change(|request| request.target.set_subresource(segments))
    }

    /// A path from the root of the server in place of a resource, such as `/version` (`AbsPath`). Its segments have to be
    /// encoded, and none may be `..`: it cannot leave the path the server itself is at. It stands in place of a path that was
    /// set before; a resource, a namespace or a name beside it is a fault.
    pub fn absolute_path(self, path: &str) -> Self {
        self.change(|request| request.target.set_absolute(path))
    }

    /// A path with its query, as a server hands one out, in place of a path and all parameters that were set before
    /// (`RequestURI`).
    pub fn uri(self, uri: &str) -> Self {
        self.change(|request| {
            let (path, query) = uri.split_once('?').unwrap_or((uri, ""));
            request.query = Query::decode(query);
            request.target.set_absolute(path)
        })
    }

    /// Adds a parameter to the query.
    pub fn parameter(self, name: &str, value: impl Into<String>) -> Self {
        self.change(|request| {
            request.query.add(name.to_owned(), value);
            Ok(())
        })
    }

    /// Adds the parameters that `options` set.
    pub fn options(self, options: &impl QueryOptions) -> Self {
        self.change(|request| {
            options.add_to(&mut request.query);
            Ok(())
        })
    }

    /// Sets a header, in place of one of that name.
    pub fn header(self, name: HeaderName, value: &str) -> Self {
        self.change(|request| {
            let value = HeaderValue::from_str(value).map_err(|_unsendable| RequestError::Header { name: name.to_string() })?;
            #[cfg(feature = "protobuf")]
            match name {
                header::ACCEPT => request.alternative.accept = None,
                header::CONTENT_TYPE => request.alternative.body = None,
                _ => {}
            }
            request.headers.insert(name, value);
            Ok(())
        })
    }

    /// The forms in which the answer may come; JSON where nothing is said.
    pub fn accept(self, media_types: &str) -> Self {
        self.header(header::ACCEPT, media_types)
    }

    /// The forms in which the answer may come, where it is one object of this form, or a watch of them.
    pub fn accept_object<K: WireObject>(self) -> Self {
        let request = self.accept(K::ACCEPT);
        #[cfg(feature = "protobuf")]
        let request = request.or_protobuf(K::PROTOBUF, false);
        request
    }

    /// As [`accept_object`](Self::accept_object), of a list.
    pub(crate) fn accept_list<K: WireObject>(self) -> Self {
        let request = self.accept(K::ACCEPT_LIST);
        #[cfg(feature = "protobuf")]
        let request = request.or_protobuf(K::PROTOBUF, true);
        request
    }

    #[cfg(feature = "protobuf")]
    fn or_protobuf(mut self, form: ProtobufForm, is_list: bool) -> Self {
        self.alternative.accept = self.client.protobuf.as_ref().and_then(|protobuf| protobuf.accept(form, is_list));
        self
    }

    /// The body, which is this object: as protobuf where the client speaks it and the object is wholly known to it, else as JSON.
    pub fn object<K: WireObject + Serialize>(self, object: &K) -> Self {
        let request = self.json_bytes(serde_json::to_string(object).map(|json| with_kind(json, K::OF_KIND).into()));
        #[cfg(feature = "protobuf")]
        if let Some(protobuf) = request.client.protobuf.clone().filter(|protobuf| !protobuf.is_refused())
            && matches!(K::PROTOBUF, ProtobufForm::Kind { .. })
            // What has no form in protobuf goes as JSON, whole.
            && let Ok(body) = encode_json(&protobuf.schema, &request.body)
        {
            return request.change(|request| {
                request.alternative.body = Some(body.into());
                Ok(())
            });
        }
        request
    }

    /// The body, as JSON.
    pub fn json(self, body: &(impl Serialize + ?Sized)) -> Self {
        self.json_bytes(serde_json::to_vec(body))
    }

    fn json_bytes(self, bytes: Result<Vec<u8>, serde_json::Error>) -> Self {
        self.change(|request| {
            request.body = bytes.map_err(|error| RequestError::Body { message: error.to_string() })?.into();
            Ok(())
        })
        .header(header::CONTENT_TYPE, "application/json")
    }

    /// The body, as bytes of this media type.
    pub fn body(self, body: impl Into<Bytes>, media_type: &str) -> Self {
        self.change(|request| {
            request.body = body.into();
            Ok(())
        })
        .header(header::CONTENT_TYPE, media_type)
    }

    /// How long the answer may take, here and at the server (`Timeout`): the whole of it with [`send`](Self::send), its head
    /// with [`stream`](Self::stream) and [`watch`](Self::watch). All tries are in it, but not the wait for the client's rate
    /// limit before the first. What the client has is taken where nothing is said.
    pub fn timeout(self, timeout: Duration) -> Self {
        self.change(|request| {
            request.timeout = Some(timeout);
            Ok(())
        })
    }

    /// How often the request is tried again at most; 10 where nothing is said.
    pub fn most_retries(self, retries: u32) -> Self {
        self.change(|request| {
            request.most_retries = retries;
            Ok(())
        })
    }

    /// The same request, which goes over a WebSocket of `sockets` where it is a watch: with [`watch`](Self::watch), and with
    /// [`stream`](Self::stream) where it has the parameter ([`RestClient::with_socket_watches`]).
    pub fn over_socket(mut self, sockets: Arc<dyn SocketTransport>) -> Self {
        self.client = self.client.with_socket_watches(sockets);
        self
    }

    /// Sends the request and reads the whole answer (`Do`).
    ///
    /// # Errors
    /// Where the request is not whole, the server refuses it or cannot be reached, or the time runs out.
    pub async fn send(&self) -> Result<Answer, ApiError> {
        self.send_unchecked().await?.checked()
    }

    /// As [`send`](Self::send), but a refusal is an answer too: for those who want its body, and for conditional requests,
    /// whose 304 is no refusal (`DoRaw`).
    ///
    /// # Errors
    /// As [`send`](Self::send), but for refusals.
    pub async fn send_unchecked(&self) -> Result<Answer, ApiError> {
        let (request, response, body) = self.exchange(Exchange::Whole).await?;
        Ok(self.answer(&request, response, body))
    }

    /// Sends the request and hands the body out as it comes (`Stream`). Only the server can ask for another try.
    ///
    /// # Errors
    /// As [`send`](Self::send), until the body begins.
    pub async fn stream(&self) -> Result<Body, ApiError> {
        Ok(self.open(Exchange::Stream).await?.body)
    }

    /// Sends the request as a watch and reads its events (`Watch`). The request needs no `watch=true`.
    ///
    /// A connection that is lost before the answer, again and again, is a watch without events, not an error, so that
    /// whoever follows a collection goes on as after any other end.
    ///
    /// # Errors
    /// As [`send`](Self::send), until the first event; and where the answer is neither JSON nor what was asked for.
    pub async fn watch<T: DeserializeOwned>(&self) -> Result<WatchStream<T>, ApiError> {
        let mut watch = self.clone();
        if !watch.query.parameters().any(|(name, _)| name == "watch") {
            watch.query.add("watch", "true");
        }
        match watch.open(Exchange::Watch).await {
            #[cfg(feature = "protobuf")]
            Ok(response) => WatchStream::open_either(response, watch.path()?, watch.client.protobuf.as_ref()),
            #[cfg(not(feature = "protobuf"))]
            Ok(response) => WatchStream::open(response, watch.path()?),
            Err(error) if retry::is_lost_watch(&error) => Ok(WatchStream::empty()),
            Err(error) => Err(error),
        }
    }

    /// The path with its query, encoded, below the address of the server.
    ///
    /// # Errors
    /// Where the request is not whole.
    pub fn path(&self) -> Result<String, ApiError> {
        if let Some(fault) = &self.fault {
            return Err(fault.clone().into());
        }
        let path = self.target.path(&self.method)?;
        let mut query = self.query.clone();
        if let Some(limit) = self.time_limit() {
            // Zero would be the server's own limit.
            query.set("timeout", format!("{}ms", limit.as_millis().max(1)));
        }
        Ok(query.on(&path))
    }

    fn time_limit(&self) -> Option<Duration> {
        self.timeout.or(self.client.timeout)
    }

    async fn open(&self, exchange: Exchange) -> Result<transport::Response, ApiError> {
        let (request, response, body) = self.exchange(exchange).await?;
        if response.status.is_success() {
            return Ok(response);
        }
        let switched = || ApiError::Unreadable { path: request.path.clone(), message: "it switches protocols".to_owned() };
        Err(self.answer(&request, response, body).checked().err().unwrap_or_else(switched))
    }

    async fn exchange(&self, exchange: Exchange) -> Result<(transport::Request, transport::Response, Bytes), ApiError> {
        let request = self.prepared()?;
        let (response, body) = send(&self.client, &self.sending(exchange, &request)).await?;
        #[cfg(feature = "protobuf")]
        if self.client.protobuf.as_ref().is_some_and(|protobuf| protobuf.gives_up(&request, response.status)) {
            // Nothing was done yet: in what form it is asked comes before what is asked.
            let request = self.prepared()?;
            let (response, body) = send(&self.client, &self.sending(exchange, &request)).await?;
            return Ok((request, response, body));
        }
        Ok((request, response, body))
    }

    fn answer(&self, request: &transport::Request, response: transport::Response, body: Bytes) -> Answer {
        let answer = Answer::new(request, &self.target, response, body);
        #[cfg(feature = "protobuf")]
        let answer = answer.with_protobuf(self.client.protobuf.clone());
        answer
    }

    fn sending<'a>(&self, exchange: Exchange, request: &'a transport::Request) -> Sending<'a> {
        Sending { exchange, request, most_retries: self.most_retries, time_limit: self.time_limit() }
    }

    fn prepared(&self) -> Result<transport::Request, ApiError> {
        let (method, headers, body) = (self.method.clone(), self.headers.clone(), self.body.clone());
        #[cfg(feature = "protobuf")]
        let (headers, body) = self.in_protobuf(headers, body);
        Ok(transport::Request { method, path: self.path()?, headers, body })
    }

    /// The headers and the body, in protobuf where that may be.
    #[cfg(feature = "protobuf")]
    fn in_protobuf(&self, mut headers: HeaderMap, mut body: Bytes) -> (HeaderMap, Bytes) {
        if self.client.protobuf.as_ref().is_some_and(|protobuf| !protobuf.is_refused()) {
            self.alternative.apply(&mut headers, &mut body);
        }
        (headers, body)
    }

    fn change(mut self, change: impl FnOnce(&mut Self) -> Result<(), RequestError>) -> Self {
        if self.fault.is_none() {
            self.fault = change(&mut self).err();
        }
        self
    }
}
