//! What is on screen, as the part of the address after the hash.
//!
//! `#/deployments.apps?namespace=shop&filter=web&sort=Age&order=descending&wide`. A proxy serves files and
//! nothing else, so a path could not be loaded again; a hash can.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use porthole_client_core::meta::{GroupResource, Namespace};

const VALUE: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/').remove(b':');

/// What is on screen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Route {
    /// The resource; `None` for the first page.
    pub(crate) resource: Option<GroupResource>,
    /// One namespace; `None` for all.
    pub(crate) namespace: Option<Namespace>,
    pub(crate) filter: String,
    /// The column the table is sorted by.
    pub(crate) sort: Option<String>,
    pub(crate) descending: bool,
    /// Whether the columns for wide output are shown.
    pub(crate) wide: bool,
}

impl Route {
    /// Reads the hash of an address. What it does not know it leaves out.
    pub(crate) fn parse(hash: &str) -> Self {
        let text = hash.trim_start_matches('#').trim_start_matches('/');
        let (path, query) = text.split_once('?').unwrap_or((text, ""));
        let mut route = Self { resource: some(&decode(path)).map(|path| GroupResource::from(path.as_str())), ..Self::default() };
        for pair in query.split('&') {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let value = decode(value);
            match name {
                "namespace" => route.namespace = some(&value).map(Namespace::from),
                "filter" => route.filter = value,
                "sort" => route.sort = some(&value),
                "order" => route.descending = value == "descending",
                "wide" => route.wide = true,
                _ => {}
            }
        }
        route
    }

    /// The hash that reads as this.
    pub(crate) fn hash(&self) -> String {
        let encode = |text: &str| utf8_percent_encode(text, VALUE).to_string();
        let resource = self.resource.as_ref().map(ToString::to_string).unwrap_or_default();
        let mut hash = format!("#/{}", encode(&resource));
        let mut separator = '?';
        let mut add = |name: &str, value: Option<&str>| {
            hash.push(separator);
            separator = '&';
            hash.push_str(name);
            if let Some(value) = value {
                hash.push('=');
                hash.push_str(&encode(value));
            }
        };
        if let Some(namespace) = &self.namespace {
            add("namespace", Some(namespace.as_str()));
        }
        if !self.filter.is_empty() {
            add("filter", Some(&self.filter));
        }
        if let Some(sort) = &self.sort {
            add("sort", Some(sort));
            if self.descending {
                add("order", Some("descending"));
            }
        }
        if self.wide {
            add("wide", None);
        }
        hash
    }
}

fn decode(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

fn some(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_route_survives_its_own_hash() {
        for route in [
            Route::default(),
            Route { resource: Some("pods".into()), ..Route::default() },
            Route {
                resource: Some("triggers.eventing.example.io".into()),
                namespace: Some("shop".into()),
                filter: "a=b & c?#%ü/🦀".into(),
                sort: Some("Last Seen".into()),
                descending: true,
                wide: true,
            },
        ] {
            assert_eq!(Route::parse(&route.hash()), route, "{}", route.hash());
        }
    }

    #[test]
    fn a_hash_that_makes_no_sense_is_read_as_far_as_it_does() {
        for hash in ["", "#", "#/", "#//", "#/?", "#/?&&=", "#/%ff?filter=%"] {
            Route::parse(hash);
        }
        assert_eq!(Route::parse("#/pods?unknown=1&namespace=").resource, Some("pods".into()));
    }
}
