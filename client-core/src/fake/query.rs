//! The parameters of a request.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

/// The path of a request in parts, and its parameters.
pub(super) struct Target {
    pub(super) segments: Vec<String>,
    parameters: Vec<(String, String)>,
}

impl Target {
    pub(super) fn of(path: &str) -> Self {
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let segments = path.split('/').filter(|segment| !segment.is_empty()).map(decoded).collect();
        let pairs = query.split('&').filter(|pair| !pair.is_empty());
        let parameters = pairs.map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            (decoded(&plus(name)), decoded(&plus(value)))
        });
        Self { segments, parameters: parameters.collect() }
    }

    /// The first value of a parameter; empty where there is none.
    pub(super) fn parameter(&self, name: &str) -> &str {
        self.parameters.iter().find(|(own, _)| own == name).map_or("", |(_, value)| value.as_str())
    }

    /// All values of a parameter.
    pub(super) fn all<'t>(&'t self, name: &'t str) -> impl Iterator<Item = &'t str> {
        self.parameters.iter().filter(move |(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    /// Whether a parameter is there and not `false`, as Go reads it from a query.
    pub(super) fn flag(&self, name: &str) -> bool {
        self.parameters.iter().any(|(own, value)| own == name && !matches!(value.as_str(), "false" | "0" | "f" | "F" | "False"))
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.parameters.iter().any(|(own, _)| own == name)
    }

    pub(super) fn dry_run(&self) -> bool {
        self.all("dryRun").any(|value| value == "All")
    }
}

fn plus(text: &str) -> Cow<'_, str> {
    if text.contains('+') { text.replace('+', " ").into() } else { text.into() }
}

fn decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn a_path_is_read_in_parts_and_its_query_decoded() {
        let target = Target::of("/api/v1/namespaces/a%2Fb?labelSelector=a+in+(b%2Cc)&watch&limit=5&dryRun=All&force=false");
        assert_eq!(target.segments, ["api", "v1", "namespaces", "a/b"]);
        assert_eq!(target.parameter("labelSelector"), "a in (b,c)");
        assert!(target.flag("watch") && !target.flag("force") && target.has("force") && target.dry_run());
        assert_eq!((target.parameter("limit"), target.parameter("missing")), ("5", ""));
    }
}
