//! Lists and watches of objects, for the reflector.

use std::sync::Arc;

use http::Method;

use super::{IdentityCheck, Selection};
use crate::{
    clients::ResourceClient,
    meta::GroupVersionKind,
    object::{Item, WireObject},
    platform::BoxFuture,
    reflector::{Identity, Input, PageEnd, Received, Request, Source},
    rest::ApiError,
    transport::Body,
    wire::{ObjectListReader, read_event},
};

/// Where the objects of a resource come from, in the form `K`: typed, [compact](crate::object::Compact),
/// [of any kind](crate::object::Unstructured), or their [metadata](crate::object::PartialObjectMetadata) alone. `managedFields` are
/// left out. One that cannot be read is told as such, and the rest as well.
pub struct ObjectSource<K> {
    client: ResourceClient<K>,
    selection: Selection,
    identity: Arc<dyn IdentityCheck>,
    /// What the objects of a watch are to say they are, where the form does not tell.
    kind: Option<GroupVersionKind>,
    list: ObjectListReader<K>,
}

impl<K: WireObject> ObjectSource<K> {
    /// The objects that `client` lists and watches.
    #[must_use]
    pub fn new(client: ResourceClient<K>, selection: Selection, identity: Arc<dyn IdentityCheck>) -> Self {
        Self { client, selection, identity, kind: None, list: ObjectListReader::default() }
    }

    /// The same, where each object is to say that it is of this kind, or nothing; one of another is a
    /// [`BadObject`](crate::object::BadObject).
    #[must_use]
    pub fn of_kind(self, kind: GroupVersionKind) -> Self {
        Self { kind: Some(kind), ..self }
    }
}

impl<K: WireObject> Source<Received<K>> for ObjectSource<K> {
    fn open(&mut self, request: &Request) -> BoxFuture<'static, Result<Body, ApiError>> {
        self.list = ObjectListReader::default();
        let options = self.selection.options(request);
        let wanted = self.client.collection_request(Method::GET);
        let wanted = match request {
            Request::Watch { .. } => wanted.parameter("watch", "true").accept(K::ACCEPT),
            Request::List { .. } | Request::Identity => wanted.accept(K::ACCEPT_LIST),
        };
        // A refusal is told at once: the reflector waits by itself, and shows that it does.
        Box::pin(async move { wanted.options(&options).most_retries(0).stream().await })
    }

    fn identity(&mut self) -> BoxFuture<'static, Result<Identity, ApiError>> {
        self.identity.check()
    }

    fn list_chunk(&mut self, chunk: &[u8], inputs: &mut Vec<Input<Received<K>>>) {
        let mut items = Vec::new();
        self.list.push(chunk, &mut items);
        if !items.is_empty() {
            inputs.push(Input::Items(items.into_iter().map(received).collect()));
        }
    }

    fn list_end(&mut self, inputs: &mut Vec<Input<Received<K>>>) -> Result<PageEnd, String> {
        let mut items = Vec::new();
        let end = std::mem::take(&mut self.list).finish(&mut items).map_err(|error| error.to_string())?;
        inputs.push(Input::Items(items.into_iter().map(received).collect()));
        Ok(PageEnd {
            resource_version: end.resource_version,
            continue_token: Some(end.continue_token).filter(|token| !token.is_empty()),
        })
    }

    fn event(&mut self, line: &[u8], inputs: &mut Vec<Input<Received<K>>>) {
        inputs.push(match read_event::<K>(line, self.kind.as_ref()) {
            Ok(event) => Input::Event(event.map(received)),
            Err(error) => Input::Unreadable(error.to_string()),
        });
    }
}

fn received<K>(item: Item<K>) -> Received<K> {
    item.map(Into::into).map_err(Box::new)
}
