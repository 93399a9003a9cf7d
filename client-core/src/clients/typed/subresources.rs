//! What single kinds have beside their objects.

use std::time::Duration;

use super::HasScale;
use crate::{
    clients::ResourceClient,
    meta::{ObjectName, Timestamp},
    object::Object as _,
    rest::{ApiError, GetOptions, Query, QueryOptions, WriteOptions},
    transport::Body,
};
use k8s_openapi::api::{
    authentication::v1::TokenRequest,
    autoscaling::v1::Scale,
    certificates::v1::CertificateSigningRequest,
    core::v1::{Binding, Namespace, Pod, ServiceAccount},
    policy::v1::Eviction,
};

/// Which log of a pod, and which part of it (`core/v1` `PodLogOptions`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[expect(clippy::struct_excessive_bools, reason = "each is a parameter of its own")]
pub struct LogOptions {
    /// The container; needed where the pod has several.
    pub container: Option<String>,
    /// Whether the log is followed to its end.
    pub follow: bool,
    /// Whether it is the log of the container that ran before.
    pub previous: bool,
    /// Only what is younger than this; whole seconds.
    pub since: Option<Duration>,
    /// Only what came after this moment.
    pub since_time: Option<Timestamp>,
    /// Whether each line begins with its time.
    pub timestamps: bool,
    /// Only so many lines from the end.
    pub tail_lines: Option<u64>,
    /// Only so many bytes.
    pub limit_bytes: Option<u64>,
    /// `Stdout` or `Stderr`; all of it where it is `None`. Servers that do not know it send all.
    pub stream: Option<String>,
    /// Whether the server trusts the node without checking its certificate.
    pub insecure_skip_tls_verify_backend: bool,
}

impl QueryOptions for LogOptions {
    fn add_to(&self, query: &mut Query) {
        query.add_some("container", self.container.as_deref());
        query.add_flag("follow", self.follow);
        query.add_flag("previous", self.previous);
        query.add_some("sinceSeconds", self.since.map(|since| since.as_secs().to_string()));
        query.add_some("sinceTime", self.since_time.map(|time| time.to_string()));
        query.add_flag("timestamps", self.timestamps);
        query.add_some("tailLines", self.tail_lines.map(|lines| lines.to_string()));
        query.add_some("limitBytes", self.limit_bytes.map(|bytes| bytes.to_string()));
        query.add_some("stream", self.stream.as_deref());
        query.add_flag("insecureSkipTLSVerifyBackend", self.insecure_skip_tls_verify_backend);
    }
}

impl<K: HasScale> ResourceClient<K> {
    /// How many replicas the object `name` has and shall have.
    ///
    /// # Errors
    /// Where there is none or it may not be read.
    pub async fn scale(&self, name: impl Into<ObjectName>) -> Result<Scale, ApiError> {
        self.subresource(["scale"]).get(name, &GetOptions::default()).await
    }

    /// Sets how many replicas the object that `scale` is of shall have.
    ///
    /// # Errors
    /// Where it changed meanwhile, or may not be changed.
    pub async fn update_scale(&self, scale: &Scale, options: &WriteOptions) -> Result<Scale, ApiError> {
        self.subresource(["scale"]).update(scale.name(), scale, options).await
    }
}

impl ResourceClient<Pod> {
    /// The log of the pod `name`, as it comes.
    ///
    /// # Errors
    /// Where there is no such pod or container, or where its node does not answer.
    pub async fn log(&self, name: impl Into<ObjectName>, options: &LogOptions) -> Result<Body, ApiError> {
        self.object_request(http::Method::GET, name).subresource(["log"]).options(options).accept("*/*").stream().await
    }

    /// Asks for the pod that `eviction` names to be deleted where its disruption budget allows it.
    ///
    /// # Errors
    /// 429 where the budget does not allow it for now.
    pub async fn evict(&self, eviction: &Eviction) -> Result<(), ApiError> {
        let request = self.object_request(http::Method::POST, eviction.name()).subresource(["eviction"]);
        request.json(eviction).send().await.map(drop)
    }

    /// Puts the pod that `binding` names on a node.
    ///
    /// # Errors
    /// Where it is on one already.
    pub async fn bind(&self, binding: &Binding, options: &WriteOptions) -> Result<(), ApiError> {
        let request = self.object_request(http::Method::POST, binding.name()).subresource(["binding"]);
        request.options(options).json(binding).send().await.map(drop)
    }

    /// Sets the ephemeral containers of `pod`; the rest of it is passed over.
    ///
    /// # Errors
    /// Where one is taken away or changed.
    pub async fn update_ephemeral_containers(&self, pod: &Pod, options: &WriteOptions) -> Result<Pod, ApiError> {
        self.subresource(["ephemeralcontainers"]).update(pod.name(), pod, options).await
    }

    /// Sets the resources of the containers of `pod`; the rest of it is passed over.
    ///
    /// # Errors
    /// Where they cannot be changed in a running pod.
    pub async fn resize(&self, pod: &Pod, options: &WriteOptions) -> Result<Pod, ApiError> {
        self.subresource(["resize"]).update(pod.name(), pod, options).await
    }
}

impl ResourceClient<ServiceAccount> {
    /// A token of the service account `name`.
    ///
    /// # Errors
    /// Where there is none, or where the request makes no sense.
    pub async fn create_token(
        &self,
        name: impl Into<ObjectName>,
        request: &TokenRequest,
        options: &WriteOptions,
    ) -> Result<TokenRequest, ApiError> {
        self.subresource(["token"]).create(name, request, options).await
    }
}

impl ResourceClient<Namespace> {
    /// Sets the finalizers of `namespace`; the rest of it is passed over.
    ///
    /// # Errors
    /// Where it changed meanwhile.
    pub async fn finalize(&self, namespace: &Namespace, options: &WriteOptions) -> Result<Namespace, ApiError> {
        self.subresource(["finalize"]).update(namespace.name(), namespace, options).await
    }
}

impl ResourceClient<CertificateSigningRequest> {
    /// Sets the conditions that approve or deny `request`; the rest of it is passed over.
    ///
    /// # Errors
    /// Where it changed meanwhile.
    pub async fn update_approval(
        &self,
        request: &CertificateSigningRequest,
        options: &WriteOptions,
    ) -> Result<CertificateSigningRequest, ApiError> {
        self.subresource(["approval"]).update(request.name(), request, options).await
    }
}
