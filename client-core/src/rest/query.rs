//! The query of a URL.

use std::borrow::Cow;

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};

/// What a query's name or value may not hold unencoded. A server written in Go drops a parameter with a semicolon in it.
const QUERY: &AsciiSet =
    &CONTROLS.add(b' ').add(b'"').add(b'#').add(b'%').add(b'&').add(b'+').add(b';').add(b'<').add(b'=').add(b'>').add(b'?');

/// The parameters of a request, in the order they were added. Every query says `pretty=false`, because the server
/// indents its JSON for browsers and does not stream it then.
///
/// ```
/// use porthole_client_core::rest::Query;
///
/// let mut query = Query::default();
/// query.add("container", "web");
/// query.add_some("tailLines", Some("10"));
/// query.add_flag("follow", false);
/// assert_eq!(query.on("/log"), "/log?pretty=false&container=web&tailLines=10");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query(Vec<(Cow<'static, str>, String)>);

impl Query {
    /// Adds a parameter; one of the same name stays as well.
    pub fn add(&mut self, name: impl Into<Cow<'static, str>>, value: impl Into<String>) {
        self.0.push((name.into(), value.into()));
    }

    /// Adds a parameter in place of those of the same name.
    pub fn set(&mut self, name: &'static str, value: impl Into<String>) {
        self.0.retain(|(other, _)| other != name);
        self.add(name, value);
    }

    /// Adds a parameter where there is a value.
    pub fn add_some(&mut self, name: &'static str, value: Option<impl Into<String>>) {
        if let Some(value) = value {
            self.add(name, value);
        }
    }

    /// Adds `name=true` where `value` holds; the server takes a missing one as false.
    pub fn add_flag(&mut self, name: &'static str, value: bool) {
        if value {
            self.add(name, "true");
        }
    }

    /// The parameters.
    pub fn parameters(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_ref(), value.as_str()))
    }

    /// The parameters in `text`, which is what follows a URL's question mark.
    pub(super) fn decode(text: &str) -> Self {
        let mut query = Self::default();
        let decoded = |part: &str| percent_decode_str(&part.replace('+', " ")).decode_utf8_lossy().into_owned();
        for part in text.split('&').filter(|part| !part.is_empty()) {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            if name != "pretty" {
                query.add(decoded(name), decoded(value));
            }
        }
        query
    }

    /// `path` with this query, encoded.
    #[must_use]
    pub fn on(&self, path: &str) -> String {
        let mut target = format!("{path}?pretty=false");
        for (name, value) in self.parameters() {
            target.push('&');
            target.extend(utf8_percent_encode(name, QUERY));
            target.push('=');
            target.extend(utf8_percent_encode(value, QUERY));
        }
        target
    }
}

/// Parameters that a request can have, all at once (client-go `Request.VersionedParams`).
pub trait QueryOptions {
    /// Adds those that are set.
    fn add_to(&self, query: &mut Query);
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn a_query_value_is_encoded_once_and_every_query_forbids_indenting() {
        let mut query = Query::default();
        query.add("labelSelector", "a in (x,y),!b,c!=d/e");
        assert_eq!(query.on("/p"), "/p?pretty=false&labelSelector=a%20in%20(x,y),!b,c!%3Dd/e");
        query.set("labelSelector", "a;b");
        assert_eq!(query.on("/p"), "/p?pretty=false&labelSelector=a%3Bb");
    }

    #[test]
    fn a_query_that_was_written_is_read_back_alike() {
        let mut query = Query::default();
        for (name, value) in [("a", "1"), ("a", "2"), ("q", "x y+z&=%?#;ü"), ("empty", "")] {
            query.add(name, value);
        }
        let (_, text) = query.on("/p").split_once('?').map(|(path, text)| (path.to_owned(), text.to_owned())).unwrap();
        assert_eq!(Query::decode(&text), query);
    }
}
