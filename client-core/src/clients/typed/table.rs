//! Every built-in group and version, with its resources.
//!
//! The two words before a line say from which version of Kubernetes on, and up to which, `k8s-openapi` has it.

#[allow(unused_imports, reason = "which words are needed depends on the version of Kubernetes")]
use k8s_openapi::{
    api, apiextensions_apiserver, k8s_if_ge_1_34, k8s_if_ge_1_35, k8s_if_ge_1_36, k8s_if_ge_1_37, k8s_if_le_1_33, k8s_if_le_1_34,
    k8s_if_le_1_35, k8s_if_le_1_36, kube_aggregator,
};

use super::groups::{any, groups};

groups! {
    (any, any) core_v1: CoreV1Client {
        (any, any) namespaced_create_only bindings: api::core::v1::Binding [];
        (any, any) cluster component_statuses: api::core::v1::ComponentStatus [];
        (any, any) namespaced config_maps: api::core::v1::ConfigMap [];
        (any, any) namespaced endpoints: api::core::v1::Endpoints [];
        (any, any) namespaced events: api::core::v1::Event [];
        (any, any) namespaced limit_ranges: api::core::v1::LimitRange [];
        (any, any) cluster namespaces: api::core::v1::Namespace [status];
        (any, any) cluster nodes: api::core::v1::Node [status];
        (any, any) cluster persistent_volumes: api::core::v1::PersistentVolume [status];
        (any, any) namespaced persistent_volume_claims: api::core::v1::PersistentVolumeClaim [status];
        (any, any) namespaced pods: api::core::v1::Pod [status];
        (any, any) namespaced pod_templates: api::core::v1::PodTemplate [];
        (any, any) namespaced replication_controllers: api::core::v1::ReplicationController [status scale];
        (any, any) namespaced resource_quotas: api::core::v1::ResourceQuota [status];
        (any, any) namespaced secrets: api::core::v1::Secret [];
        (any, any) namespaced services: api::core::v1::Service [status];
        (any, any) namespaced service_accounts: api::core::v1::ServiceAccount [];
    }
    (any, any) admissionregistration_v1: AdmissionregistrationV1Client {
        (k8s_if_ge_1_36, any) cluster mutating_admission_policies: api::admissionregistration::v1::MutatingAdmissionPolicy [];
        (k8s_if_ge_1_36, any) cluster mutating_admission_policy_bindings: api::admissionregistration::v1::MutatingAdmissionPolicyBinding [];
        (any, any) cluster mutating_webhook_configurations: api::admissionregistration::v1::MutatingWebhookConfiguration [];
        (any, any) cluster validating_admission_policies: api::admissionregistration::v1::ValidatingAdmissionPolicy [status];
        (any, any) cluster validating_admission_policy_bindings: api::admissionregistration::v1::ValidatingAdmissionPolicyBinding [];
        (any, any) cluster validating_webhook_configurations: api::admissionregistration::v1::ValidatingWebhookConfiguration [];
    }
    (any, any) admissionregistration_v1beta1: AdmissionregistrationV1beta1Client {
        (k8s_if_ge_1_34, any) cluster mutating_admission_policies: api::admissionregistration::v1beta1::MutatingAdmissionPolicy [];
        (k8s_if_ge_1_34, any) cluster mutating_admission_policy_bindings: api::admissionregistration::v1beta1::MutatingAdmissionPolicyBinding [];
        (any, k8s_if_le_1_33) cluster validating_admission_policies: api::admissionregistration::v1beta1::ValidatingAdmissionPolicy [status];
        (any, k8s_if_le_1_33) cluster validating_admission_policy_bindings: api::admissionregistration::v1beta1::ValidatingAdmissionPolicyBinding [];
    }
    (any, any) admissionregistration_v1alpha1: AdmissionregistrationV1alpha1Client {
        (any, any) cluster mutating_admission_policies: api::admissionregistration::v1alpha1::MutatingAdmissionPolicy [];
        (any, any) cluster mutating_admission_policy_bindings: api::admissionregistration::v1alpha1::MutatingAdmissionPolicyBinding [];
    }
    (any, any) apiextensions_v1: ApiextensionsV1Client {
        (any, any) cluster custom_resource_definitions: apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition [status];
    }
    (any, any) apiregistration_v1: ApiregistrationV1Client {
        (any, any) cluster api_services: kube_aggregator::pkg::apis::apiregistration::v1::APIService [status];
    }
    (any, any) apps_v1: AppsV1Client {
        (any, any) namespaced controller_revisions: api::apps::v1::ControllerRevision [];
        (any, any) namespaced daemon_sets: api::apps::v1::DaemonSet [status];
        (any, any) namespaced deployments: api::apps::v1::Deployment [status scale];
        (any, any) namespaced replica_sets: api::apps::v1::ReplicaSet [status scale];
        (any, any) namespaced stateful_sets: api::apps::v1::StatefulSet [status scale];
    }
    (any, any) authentication_v1: AuthenticationV1Client {
        (any, any) cluster_create_only self_subject_reviews: api::authentication::v1::SelfSubjectReview [];
        (any, any) cluster_create_only token_reviews: api::authentication::v1::TokenReview [];
    }
    (any, any) authorization_v1: AuthorizationV1Client {
        (any, any) namespaced_create_only local_subject_access_reviews: api::authorization::v1::LocalSubjectAccessReview [];
        (any, any) cluster_create_only self_subject_access_reviews: api::authorization::v1::SelfSubjectAccessReview [];
        (any, any) cluster_create_only self_subject_rules_reviews: api::authorization::v1::SelfSubjectRulesReview [];
        (any, any) cluster_create_only subject_access_reviews: api::authorization::v1::SubjectAccessReview [];
    }
    (any, any) autoscaling_v2: AutoscalingV2Client {
        (any, any) namespaced horizontal_pod_autoscalers: api::autoscaling::v2::HorizontalPodAutoscaler [status];
    }
    (any, any) autoscaling_v1: AutoscalingV1Client {
        (any, any) namespaced horizontal_pod_autoscalers: api::autoscaling::v1::HorizontalPodAutoscaler [status];
    }
    (any, any) batch_v1: BatchV1Client {
        (any, any) namespaced cron_jobs: api::batch::v1::CronJob [status];
        (any, any) namespaced jobs: api::batch::v1::Job [status];
    }
    (any, any) certificates_v1: CertificatesV1Client {
        (any, any) cluster certificate_signing_requests: api::certificates::v1::CertificateSigningRequest [status];
        (k8s_if_ge_1_37, any) cluster cluster_trust_bundles: api::certificates::v1::ClusterTrustBundle [];
        (k8s_if_ge_1_37, any) namespaced pod_certificate_requests: api::certificates::v1::PodCertificateRequest [status];
    }
    (any, any) certificates_v1beta1: CertificatesV1beta1Client {
        (any, any) cluster cluster_trust_bundles: api::certificates::v1beta1::ClusterTrustBundle [];
        (k8s_if_ge_1_35, any) namespaced pod_certificate_requests: api::certificates::v1beta1::PodCertificateRequest [status];
    }
    (any, k8s_if_le_1_36) certificates_v1alpha1: CertificatesV1alpha1Client {
        (any, any) cluster cluster_trust_bundles: api::certificates::v1alpha1::ClusterTrustBundle [];
        (k8s_if_ge_1_34, k8s_if_le_1_34) namespaced pod_certificate_requests: api::certificates::v1alpha1::PodCertificateRequest [status];
    }
    (any, any) coordination_v1: CoordinationV1Client {
        (any, any) namespaced leases: api::coordination::v1::Lease [];
    }
    (any, any) coordination_v1beta1: CoordinationV1beta1Client {
        (any, any) namespaced lease_candidates: api::coordination::v1beta1::LeaseCandidate [];
    }
    (any, any) coordination_v1alpha2: CoordinationV1alpha2Client {
        (any, any) namespaced lease_candidates: api::coordination::v1alpha2::LeaseCandidate [];
    }
    (any, any) discovery_v1: DiscoveryV1Client {
        (any, any) namespaced endpoint_slices: api::discovery::v1::EndpointSlice [];
    }
    (any, any) events_v1: EventsV1Client {
        (any, any) namespaced events: api::events::v1::Event [];
    }
    (any, any) flowcontrol_v1: FlowcontrolV1Client {
        (any, any) cluster flow_schemas: api::flowcontrol::v1::FlowSchema [status];
        (any, any) cluster priority_level_configurations: api::flowcontrol::v1::PriorityLevelConfiguration [status];
    }
    (any, any) internal_v1alpha1: InternalV1alpha1Client {
        (any, any) cluster storage_versions: api::apiserverinternal::v1alpha1::StorageVersion [status];
    }
    (k8s_if_ge_1_37, any) lifecycle_v1alpha1: LifecycleV1alpha1Client {
        (any, any) namespaced evictions: api::lifecycle::v1alpha1::Eviction [status];
        (any, any) namespaced eviction_requests: api::lifecycle::v1alpha1::EvictionRequest [status];
    }
    (any, any) networking_v1: NetworkingV1Client {
        (any, any) cluster ip_addresses: api::networking::v1::IPAddress [];
        (any, any) namespaced ingresses: api::networking::v1::Ingress [status];
        (any, any) cluster ingress_classes: api::networking::v1::IngressClass [];
        (any, any) namespaced network_policies: api::networking::v1::NetworkPolicy [];
        (any, any) cluster service_cidrs: api::networking::v1::ServiceCIDR [status];
    }
    (any, k8s_if_le_1_36) networking_v1beta1: NetworkingV1beta1Client {
        (any, any) cluster ip_addresses: api::networking::v1beta1::IPAddress [];
        (any, any) cluster service_cidrs: api::networking::v1beta1::ServiceCIDR [status];
    }
    (any, any) node_v1: NodeV1Client {
        (any, any) cluster runtime_classes: api::node::v1::RuntimeClass [];
    }
    (any, any) policy_v1: PolicyV1Client {
        (any, any) namespaced pod_disruption_budgets: api::policy::v1::PodDisruptionBudget [status];
    }
    (any, any) rbac_v1: RbacV1Client {
        (any, any) cluster cluster_roles: api::rbac::v1::ClusterRole [];
        (any, any) cluster cluster_role_bindings: api::rbac::v1::ClusterRoleBinding [];
        (any, any) namespaced roles: api::rbac::v1::Role [];
        (any, any) namespaced role_bindings: api::rbac::v1::RoleBinding [];
    }
    (k8s_if_ge_1_34, any) resource_v1: ResourceV1Client {
        (any, any) cluster device_classes: api::resource::v1::DeviceClass [];
        (k8s_if_ge_1_37, any) cluster device_taint_rules: api::resource::v1::DeviceTaintRule [status];
        (any, any) namespaced resource_claims: api::resource::v1::ResourceClaim [status];
        (any, any) namespaced resource_claim_templates: api::resource::v1::ResourceClaimTemplate [];
        (any, any) cluster resource_slices: api::resource::v1::ResourceSlice [];
    }
    (any, any) resource_v1beta2: ResourceV1beta2Client {
        (any, any) cluster device_classes: api::resource::v1beta2::DeviceClass [];
        (k8s_if_ge_1_36, any) cluster device_taint_rules: api::resource::v1beta2::DeviceTaintRule [status];
        (any, any) namespaced resource_claims: api::resource::v1beta2::ResourceClaim [status];
        (any, any) namespaced resource_claim_templates: api::resource::v1beta2::ResourceClaimTemplate [];
        (any, any) cluster resource_slices: api::resource::v1beta2::ResourceSlice [];
    }
    (any, any) resource_v1beta1: ResourceV1beta1Client {
        (any, any) cluster device_classes: api::resource::v1beta1::DeviceClass [];
        (any, any) namespaced resource_claims: api::resource::v1beta1::ResourceClaim [status];
        (any, any) namespaced resource_claim_templates: api::resource::v1beta1::ResourceClaimTemplate [];
        (any, any) cluster resource_slices: api::resource::v1beta1::ResourceSlice [];
    }
    (any, any) resource_v1alpha3: ResourceV1alpha3Client {
        (any, k8s_if_le_1_33) cluster device_classes: api::resource::v1alpha3::DeviceClass [];
        (any, k8s_if_le_1_34) cluster device_taint_rules: api::resource::v1alpha3::DeviceTaintRule [];
        (k8s_if_ge_1_35, any) cluster device_taint_rules: api::resource::v1alpha3::DeviceTaintRule [status];
        (any, k8s_if_le_1_33) namespaced resource_claims: api::resource::v1alpha3::ResourceClaim [status];
        (any, k8s_if_le_1_33) namespaced resource_claim_templates: api::resource::v1alpha3::ResourceClaimTemplate [];
        (k8s_if_ge_1_36, any) cluster resource_pool_status_requests: api::resource::v1alpha3::ResourcePoolStatusRequest [status];
        (any, k8s_if_le_1_33) cluster resource_slices: api::resource::v1alpha3::ResourceSlice [];
    }
    (any, any) scheduling_v1: SchedulingV1Client {
        (any, any) cluster priority_classes: api::scheduling::v1::PriorityClass [];
    }
    (k8s_if_ge_1_37, any) scheduling_v1beta1: SchedulingV1beta1Client {
        (any, any) namespaced pod_groups: api::scheduling::v1beta1::PodGroup [status];
        (any, any) namespaced workloads: api::scheduling::v1beta1::Workload [];
    }
    (k8s_if_ge_1_37, any) scheduling_v1alpha3: SchedulingV1alpha3Client {
        (any, any) namespaced composite_pod_groups: api::scheduling::v1alpha3::CompositePodGroup [status];
        (any, any) namespaced pod_groups: api::scheduling::v1alpha3::PodGroup [status];
        (any, any) namespaced workloads: api::scheduling::v1alpha3::Workload [];
    }
    (k8s_if_ge_1_36, k8s_if_le_1_36) scheduling_v1alpha2: SchedulingV1alpha2Client {
        (any, any) namespaced pod_groups: api::scheduling::v1alpha2::PodGroup [status];
        (any, any) namespaced workloads: api::scheduling::v1alpha2::Workload [];
    }
    (k8s_if_ge_1_35, k8s_if_le_1_35) scheduling_v1alpha1: SchedulingV1alpha1Client {
        (any, any) namespaced workloads: api::scheduling::v1alpha1::Workload [];
    }
    (any, any) storage_v1: StorageV1Client {
        (any, any) cluster csi_drivers: api::storage::v1::CSIDriver [];
        (any, k8s_if_le_1_36) cluster csi_nodes: api::storage::v1::CSINode [];
        (k8s_if_ge_1_37, any) cluster csi_nodes: api::storage::v1::CSINode [status];
        (any, any) namespaced csi_storage_capacities: api::storage::v1::CSIStorageCapacity [];
        (any, any) cluster storage_classes: api::storage::v1::StorageClass [];
        (any, any) cluster volume_attachments: api::storage::v1::VolumeAttachment [status];
        (k8s_if_ge_1_34, any) cluster volume_attributes_classes: api::storage::v1::VolumeAttributesClass [];
    }
    (any, k8s_if_le_1_36) storage_v1beta1: StorageV1beta1Client {
        (any, any) cluster volume_attributes_classes: api::storage::v1beta1::VolumeAttributesClass [];
    }
    (any, k8s_if_le_1_34) storage_v1alpha1: StorageV1alpha1Client {
        (any, any) cluster volume_attributes_classes: api::storage::v1alpha1::VolumeAttributesClass [];
    }
    (k8s_if_ge_1_37, any) storagemigration_v1: StoragemigrationV1Client {
        (any, any) cluster storage_version_migrations: api::storagemigration::v1::StorageVersionMigration [status];
    }
    (k8s_if_ge_1_35, any) storagemigration_v1beta1: StoragemigrationV1beta1Client {
        (any, any) cluster storage_version_migrations: api::storagemigration::v1beta1::StorageVersionMigration [status];
    }
    (any, k8s_if_le_1_34) storagemigration_v1alpha1: StoragemigrationV1alpha1Client {
        (any, any) cluster storage_version_migrations: api::storagemigration::v1alpha1::StorageVersionMigration [status];
    }
}
