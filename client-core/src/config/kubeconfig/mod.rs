//! Kubeconfig files.
