//! The client of one resource.

use std::{fmt, marker::PhantomData, time::Duration};

use serde::Serialize;

use super::{Deletion, SubresourceClient};
use crate::{
    meta::{GroupVersionResource, Namespace, ObjectName},
    object::{Kind, Object, ObjectList, Unstructured, WireObject, with_kind},
    patch::Patch,
    platform::{BoxFuture, MaybeSend},
    rest::{
        ApiError, DeleteOptions, GetOptions, ListOptions, Listed, PagedItems, Pager, PatchOptions, Request, RequestError,
        RestClient, WatchStream, WriteOptions,
    },
};

/// A form of object that can be created and updated as a whole. Metadata alone cannot (client-go `metadata.ResourceInterface` has
/// neither).
pub trait Writable: WireObject + Serialize {}

impl Writable for Unstructured {}

/// A form of object whose status is a subresource, or may be one: what has `UpdateStatus` in client-go.
pub trait HasStatus {}

impl HasStatus for Unstructured {}

/// Reads and writes the objects of one resource, in one namespace, in all, or of the whole cluster, as `K` (client-go
/// `gentype/type.go`, `dynamic/simple.go` and `metadata/metadata.go`, which do the same for their forms).
///
/// ```
/// use std::sync::Arc;
/// use http::Method;
/// use porthole_client_core::{
///     clients::ResourceClient,
///     meta::GroupVersionResource,
///     object::{Object as _, Unstructured},
///     platform::{FakePlatform, ready},
///     rest::{GetOptions, RestClient},
///     transport::{ScriptedAnswer, ScriptedTransport},
/// };
///
/// let server = ScriptedTransport::default();
/// server.once(
///     "/apis/example.com/v1/namespaces/shop/widgets/a",
///     ScriptedAnswer::text(r#"{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"a"}}"#),
/// );
/// let client = RestClient::new(Arc::new(server), Arc::new(FakePlatform::default()));
///
/// let widgets = GroupVersionResource::new("example.com", "v1", "widgets");
/// let widgets = ResourceClient::<Unstructured>::namespaced(client, widgets, "shop");
/// assert_eq!(ready(widgets.get("a", &GetOptions::default())).unwrap().name(), "a");
/// ```
pub struct ResourceClient<K> {
    client: RestClient,
    resource: GroupVersionResource,
    namespace: Option<Namespace>,
    form: PhantomData<fn() -> K>,
}

impl<K> Clone for ResourceClient<K> {
    fn clone(&self) -> Self {
        let (client, resource, namespace) = (self.client.clone(), self.resource.clone(), self.namespace.clone());
        Self { client, resource, namespace, form: PhantomData }
    }
}

impl<K> fmt::Debug for ResourceClient<K> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "ResourceClient({}, {:?})", self.resource, self.namespace)
    }
}

impl<K> ResourceClient<K> {
    /// The client of a resource of the whole cluster.
    #[must_use]
    pub const fn cluster(client: RestClient, resource: GroupVersionResource) -> Self {
        Self { client, resource, namespace: None, form: PhantomData }
    }

    /// The client of a resource in `namespace`. An empty one is all namespaces: it can be listed and watched, and nothing
    /// else.
    #[must_use]
    pub fn namespaced(client: RestClient, resource: GroupVersionResource, namespace: impl Into<Namespace>) -> Self {
        Self { client, resource, namespace: Some(namespace.into()), form: PhantomData }
    }

    /// The client of a subresource of the objects, such as `["scale"]`, which is read and written as an `S`;
    /// for `proxy` the segments of the path behind it follow.
    #[must_use]
    pub fn subresource<S>(&self, path: impl IntoIterator<Item = impl Into<String>>) -> SubresourceClient<S> {
        SubresourceClient::new(self.clone().cast(), path.into_iter().map(Into::into).collect())
    }

    /// The same objects in another form.
    #[must_use]
    pub fn cast<Other>(self) -> ResourceClient<Other> {
        let Self { client, resource, namespace, .. } = self;
        ResourceClient { client, resource, namespace, form: PhantomData }
    }

    /// What it is the client of.
    #[must_use]
    pub const fn resource(&self) -> &GroupVersionResource {
        &self.resource
    }

    /// What it sends its requests with.
    #[must_use]
    pub const fn rest_client(&self) -> &RestClient {
        &self.client
    }

    /// A request for the collection, to which more can be said.
    pub fn collection_request(&self, method: http::Method) -> Request {
        self.client.request(method).resource(&self.resource).namespace_of(self.namespace.as_ref())
    }

    /// A request for one object, to which more can be said: a subresource, say.
    pub fn object_request(&self, method: http::Method, name: impl Into<ObjectName>) -> Request {
        self.collection_request(method).name(&name.into())
    }
}

impl<K: Kind> ResourceClient<K> {
    /// The client of a kind whose place is known; `namespace` counts where its objects belong to namespaces.
    #[must_use]
    pub fn of_kind(client: RestClient, namespace: impl Into<Namespace>) -> Self {
        if K::NAMESPACED { Self::namespaced(client, K::resource(), namespace) } else { Self::cluster(client, K::resource()) }
    }
}

impl<K: WireObject> ResourceClient<K> {
    /// The object `name`.
    ///
    /// # Errors
    /// Where there is none, where it may not be read, or where it is no `K`.
    pub async fn get(&self, name: impl Into<ObjectName>, options: &GetOptions) -> Result<K, ApiError> {
        self.object_request(http::Method::GET, name).options(options).accept_object::<K>().send().await?.read()
    }

    /// A page of the objects, or all of them where `options` set no limit.
    ///
    /// # Errors
    /// Where they may not be listed, or where one of them is no `K`.
    pub async fn list(&self, options: &ListOptions) -> Result<ObjectList<K>, ApiError> {
        self.bounded(http::Method::GET, options).accept_list::<K>().send().await?.read_list()
    }

    /// What happens to the objects from now on, or from the version in `options` on. The server ends every watch after some
    /// minutes: who wants to go on asks again from the last version that came, and lists anew where that is too old.
    ///
    /// # Errors
    /// Where they may not be watched, or where the version is too old.
    pub async fn watch(&self, options: &ListOptions) -> Result<WatchStream<K>, ApiError> {
        self.collection_request(http::Method::GET).options(options).accept_object::<K>().watch().await
    }

    /// Deletes the object `name`.
    ///
    /// # Errors
    /// Where there is none, where it may not be deleted, or where a precondition does not hold.
    pub async fn delete(&self, name: impl Into<ObjectName>, options: &DeleteOptions) -> Result<Deletion<K>, ApiError> {
        let answer = self.object_request(http::Method::DELETE, name).accept(K::ACCEPT).json(options).send().await?;
        Deletion::read(&answer)
    }

    /// Deletes what `selection` selects: everything, where it selects nothing.
    ///
    /// # Errors
    /// Where they may not be deleted.
    pub async fn delete_collection(&self, options: &DeleteOptions, selection: &ListOptions) -> Result<(), ApiError> {
        self.bounded(http::Method::DELETE, selection).json(options).send().await.map(drop)
    }

    /// A request for the collection, which may take as long as its options say. A server takes `timeoutSeconds` for watches
    /// alone, so that client-go's typed clients say it once more, as the time limit of the request.
    fn bounded(&self, method: http::Method, options: &ListOptions) -> Request {
        let request = self.collection_request(method).options(options);
        match options.timeout.map(|timeout| timeout.as_secs()) {
            None | Some(0) => request,
            Some(seconds) => request.timeout(Duration::from_secs(seconds)),
        }
    }

    /// Changes the object `name` in part, and gives it back. An apply makes it where there is none.
    ///
    /// # Errors
    /// Where there is none, where it may not be changed, or where the patch does not fit.
    pub async fn patch(&self, name: impl Into<ObjectName>, patch: &Patch, options: &PatchOptions) -> Result<K, ApiError> {
        let request = self.object_request(http::Method::PATCH, name).accept_object::<K>();
        with_patch(request, patch)?.options(options).send().await?.read()
    }

    /// Says what the fields of the object `name` shall be, and owns them as the field manager in `options`: a server-side
    /// apply. Fields that were said before and are no more are removed.
    ///
    /// # Errors
    /// Where others own fields with other values (a conflict), unless `options` force it; and as [`patch`](Self::patch).
    pub async fn apply(
        &self,
        name: impl Into<ObjectName>,
        object: &(impl Serialize + ?Sized),
        options: &PatchOptions,
    ) -> Result<K, ApiError> {
        self.patch(name, &apply_patch(object, K::OF_KIND)?, options).await
    }

    /// All the objects, read page by page (client-go `tools/pager`, `List`).
    ///
    /// # Errors
    /// As [`list`](Self::list).
    pub async fn list_all(&self, options: ListOptions) -> Result<Listed<ObjectList<K>>, ApiError> {
        self.pages().list(options).await
    }

    /// The objects one by one, while pages are read ahead (client-go `tools/pager`, `EachListItem`). An error of a page is the
    /// last item.
    pub fn items(&self, options: ListOptions) -> PagedItems<ObjectList<K>> {
        self.pages().items(self.client.platform(), options)
    }

    /// A pager over the objects, to which more can be said: how large its pages are, say.
    ///
    /// # Errors
    /// None of its own: those of the pages come from the [`Pager`].
    #[must_use]
    pub fn pages(
        &self,
    ) -> Pager<impl FnMut(ListOptions) -> BoxFuture<'static, Result<ObjectList<K>, ApiError>> + MaybeSend + 'static> {
        let client = self.clone();
        Pager::new(move |options| -> BoxFuture<'static, _> {
            let client = client.clone();
            Box::pin(async move { client.list(&options).await })
        })
    }
}

impl<K: Writable> ResourceClient<K> {
    /// Makes `object`, and gives it back as the server stored it.
    ///
    /// # Errors
    /// Where one of its name is there, where it breaks a rule, or where it may not be made.
    pub async fn create(&self, object: &K, options: &WriteOptions) -> Result<K, ApiError> {
        self.collection_request(http::Method::POST).options(options).accept_object::<K>().object(object).send().await?.read()
    }

    /// Puts `object` in place of the one of its name, and gives it back as the server stored it. Where it has a version, the
    /// one at the server must have the same.
    ///
    /// # Errors
    /// Where it changed meanwhile (a conflict), where there is none, where it breaks a rule, or where it may not be changed.
    pub async fn update(&self, object: &K, options: &WriteOptions) -> Result<K, ApiError> {
        let request = self.object_request(http::Method::PUT, name_of(object)?);
        request.options(options).accept_object::<K>().object(object).send().await?.read()
    }
}

impl<K: Writable + HasStatus> ResourceClient<K> {
    /// As [`update`](Self::update), for the status alone; the rest of `object` is passed over.
    ///
    /// # Errors
    /// As [`update`](Self::update), and where the resource has no status of its own.
    pub async fn update_status(&self, object: &K, options: &WriteOptions) -> Result<K, ApiError> {
        self.subresource(["status"]).update(name_of(object)?, object, options).await
    }
}

impl<K: WireObject + HasStatus> ResourceClient<K> {
    /// As [`apply`](Self::apply), for the status alone.
    ///
    /// # Errors
    /// As [`apply`](Self::apply), and where the resource has no status of its own.
    pub async fn apply_status(
        &self,
        name: impl Into<ObjectName>,
        object: &(impl Serialize + ?Sized),
        options: &PatchOptions,
    ) -> Result<K, ApiError> {
        self.subresource(["status"]).patch(name, &apply_patch(object, K::OF_KIND)?, options).await
    }
}

/// The name by which an object is found at the server.
fn name_of(object: &impl Object) -> Result<ObjectName, RequestError> {
    Some(object.name()).filter(|name| !name.is_empty()).map(ObjectName::from).ok_or(RequestError::NoName)
}

/// A patch that applies `object`, which is of kind `own` where that is known and it does not say it itself.
pub(super) fn apply_patch(object: &(impl Serialize + ?Sized), own: Option<(&str, &str)>) -> Result<Patch, RequestError> {
    let json = serde_json::to_string(object).map_err(|error| RequestError::Body { message: error.to_string() })?;
    Ok(Patch::apply_json(&with_kind(json, own)))
}

pub(super) fn with_patch(request: Request, patch: &Patch) -> Result<Request, RequestError> {
    let body = patch.body().map_err(|error| RequestError::Body { message: error.to_string() })?;
    Ok(request.body(body, patch.content_type()))
}
