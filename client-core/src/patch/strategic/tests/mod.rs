//! The tables of apimachinery's tests as facts about a workload, and properties over random workloads.

mod conflicts;
mod directives;
mod fields;
mod notation;
mod numbers;
mod object_lists;
mod object_orders;
mod properties;
mod retain_keys;
mod retain_keys_lists;
mod scalar_lists;
mod sorting;
mod table;
mod unknown_fields;
mod workload;
