//! The clients of groups, made from one table.

use crate::{meta::GroupVersionResource, object::Kind};

/// A kind whose number of replicas is a subresource: what has `GetScale` and `UpdateScale` in client-go.
pub trait HasScale {}

/// A resource that has a client here, as [`ClientSet::built_in`](crate::clients::ClientSet::built_in) lists them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuiltIn {
    /// Its group, version and plural name.
    pub resource: GroupVersionResource,
    /// The kind of its objects.
    pub kind: &'static str,
    /// Whether its objects belong to namespaces.
    pub namespaced: bool,
    /// Whether it can only be created.
    pub create_only: bool,
    /// The subresources that its client knows of every kind that has them: `status` and `scale`.
    pub subresources: &'static [&'static str],
}

impl BuiltIn {
    pub(super) fn of<K: Kind + k8s_openapi::Resource>(create_only: bool, subresources: &'static [&'static str]) -> Self {
        Self { resource: K::resource(), kind: K::KIND, namespaced: K::NAMESPACED, create_only, subresources }
    }
}

/// Makes the client set, a client for each group and version, and a method for each resource.
macro_rules! groups {
    ($(
        ($from:ident, $to:ident) $accessor:ident: $client:ident {
            $(($first:ident, $last:ident) $scope:ident $method:ident: $kind:path [$($capability:ident)*];)*
        }
    )*) => {
        /// Clients of everything that Kubernetes has built in (client-go `kubernetes/clientset.go`).
        ///
        /// ```
        /// # use porthole_client_core::{clients::ClientSet, rest::{ApiError, ListOptions, RestClient}};
        /// async fn pods_of(client: RestClient) -> Result<usize, ApiError> {
        ///     let client = ClientSet::new(client);
        ///     Ok(client.core_v1().pods("shop").list(&ListOptions::default()).await?.items.len())
        /// }
        /// ```
        #[derive(Clone, Debug)]
        pub struct ClientSet {
            client: $crate::rest::RestClient,
        }

        impl ClientSet {
            /// Over `client`. Nothing is sent before a verb is called.
            #[must_use]
            pub const fn new(client: $crate::rest::RestClient) -> Self {
                Self { client }
            }

            /// The client that this one sends its requests with.
            #[must_use]
            pub const fn rest(&self) -> &$crate::rest::RestClient {
                &self.client
            }

            $($from! { $to! {
                #[doc = concat!("The clients of `", stringify!($accessor), "`.")]
                #[must_use]
                pub fn $accessor(&self) -> $client {
                    $client { client: self.client.clone() }
                }
            } })*

            /// Every resource that has a client here.
            #[must_use]
            #[expect(clippy::vec_init_then_push, reason = "what is pushed depends on the version of Kubernetes")]
            pub fn built_in() -> Vec<$crate::clients::typed::BuiltIn> {
                let mut all = Vec::new();
                $($from! { $to! { $($first! { $last! {
                    all.push($crate::clients::typed::groups::built_in!($scope $kind, $($capability)*));
                } })* } })*
                all
            }
        }

        $($from! { $to! {
            #[doc = concat!("The clients of `", stringify!($accessor), "`.")]
            #[derive(Clone, Debug)]
            pub struct $client {
                client: $crate::rest::RestClient,
            }

            impl $client {
                $($first! { $last! {
                    $crate::clients::typed::groups::accessor!($scope $method: $kind);
                } })*
            }

            $($first! { $last! {
                $($crate::clients::typed::groups::capability!($capability $kind);)*
            } })*
        } })*
    };
}

macro_rules! accessor {
    (namespaced $method:ident: $kind:path) => {
        #[doc = concat!("The client of `", stringify!($kind), "` in `namespace`; of all namespaces, where that is empty.")]
        #[must_use]
        pub fn $method(&self, namespace: impl Into<$crate::meta::Namespace>) -> $crate::clients::ResourceClient<$kind> {
            $crate::clients::ResourceClient::of_kind(self.client.clone(), namespace)
        }
    };
    (cluster $method:ident: $kind:path) => {
        #[doc = concat!("The client of `", stringify!($kind), "`.")]
        #[must_use]
        pub fn $method(&self) -> $crate::clients::ResourceClient<$kind> {
            $crate::clients::ResourceClient::of_kind(self.client.clone(), "")
        }
    };
    (namespaced_create_only $method:ident: $kind:path) => {
        #[doc = concat!("Creates `", stringify!($kind), "` in `namespace`.")]
        #[must_use]
        pub fn $method(&self, namespace: impl Into<$crate::meta::Namespace>) -> $crate::clients::typed::CreateOnlyClient<$kind> {
            $crate::clients::typed::CreateOnlyClient::new(self.client.clone(), namespace)
        }
    };
    (cluster_create_only $method:ident: $kind:path) => {
        #[doc = concat!("Creates `", stringify!($kind), "`.")]
        #[must_use]
        pub fn $method(&self) -> $crate::clients::typed::CreateOnlyClient<$kind> {
            $crate::clients::typed::CreateOnlyClient::new(self.client.clone(), "")
        }
    };
}

macro_rules! capability {
    (status $kind:path) => {
        impl $crate::clients::HasStatus for $kind {}
        // The table is wrong where this does not compile.
        const _: fn(&$kind) = |object| _ = &object.status;
    };
    (scale $kind:path) => {
        impl $crate::clients::typed::HasScale for $kind {}
    };
}

macro_rules! built_in {
    (namespaced $kind:path, $($capability:ident)*) => {
        $crate::clients::typed::BuiltIn::of::<$kind>(false, &[$(stringify!($capability)),*])
    };
    (cluster $kind:path, $($capability:ident)*) => {
        $crate::clients::typed::BuiltIn::of::<$kind>(false, &[$(stringify!($capability)),*])
    };
    ($create_only:ident $kind:path, $($capability:ident)*) => {
        $crate::clients::typed::BuiltIn::of::<$kind>(true, &[$(stringify!($capability)),*])
    };
}

/// Where a resource is there in every version.
macro_rules! any {
    ($($items:tt)*) => { $($items)* };
}

pub(super) use {accessor, any, built_in, capability, groups};
