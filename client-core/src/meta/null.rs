//! What a server written in Go sends for a list that is empty.

use serde::{Deserialize, Deserializer};

/// Reads `null` as the default: for fields whose type has an empty value of its own, such as lists and maps.
///
/// Go's empty lists are often `nil`, and a field that is not `omitempty` shows them as `null` (`metav1.Verbs`, the items of a
/// list). With `default` beside it, an absent list, `null` and an empty one are read alike; all are written as an empty list,
/// which every server reads.
///
/// ```
/// use porthole_client_core::meta::null_is_default;
///
/// #[derive(serde::Deserialize)]
/// struct Resource {
///     #[serde(default, deserialize_with = "null_is_default")]
///     verbs: Vec<String>,
/// }
///
/// for text in [r#"{}"#, r#"{"verbs":null}"#, r#"{"verbs":[]}"#] {
///     assert!(serde_json::from_str::<Resource>(text)?.verbs.is_empty());
/// }
/// # Ok::<(), serde_json::Error>(())
/// ```
///
/// # Errors
///
/// Where there is a value that is not one of the field's type.
pub fn null_is_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Default + Deserialize<'de>,
{
    Option::deserialize(deserializer).map(Option::unwrap_or_default)
}

#[cfg(test)]
mod tests {
    use serde::Serialize;

    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
    struct Resource {
        #[serde(default, deserialize_with = "null_is_default")]
        verbs: Vec<String>,
        #[serde(default, deserialize_with = "null_is_default", skip_serializing_if = "Vec::is_empty")]
        categories: Vec<String>,
    }

    #[test]
    fn a_list_that_is_absent_null_or_empty_is_empty() {
        for text in ["{}", r#"{"verbs":null}"#, r#"{"verbs":[]}"#, r#"{"verbs":null,"categories":null}"#] {
            assert_eq!(serde_json::from_str::<Resource>(text).unwrap(), Resource::default(), "{text}");
        }
    }

    #[test]
    fn a_list_with_something_in_it_is_read_and_another_type_is_refused() {
        for (text, verbs) in
            [("{}", &[][..]), (r#"{"verbs":null}"#, &[]), (r#"{"verbs":[]}"#, &[]), (r#"{"verbs":["delete"]}"#, &["delete"])]
        {
            assert_eq!(serde_json::from_str::<Resource>(text).unwrap().verbs, verbs, "{text}");
        }
        for text in [r#"{"verbs":"delete"}"#, r#"{"verbs":[null]}"#, r#"{"verbs":{}}"#] {
            assert!(serde_json::from_str::<Resource>(text).is_err(), "{text}");
        }
    }

    #[test]
    fn an_empty_list_is_written_as_one_and_never_as_null() {
        for (verbs, text) in [(vec![], r#"{"verbs":[]}"#), (vec!["delete".to_owned()], r#"{"verbs":["delete"]}"#)] {
            let resource = Resource { verbs, categories: vec![] };
            assert_eq!(serde_json::to_string(&resource).unwrap(), text);
        }
    }

    #[test]
    fn an_empty_list_that_may_be_left_out_is_left_out() {
        let mut resource = Resource::default();
        assert!(!serde_json::to_string(&resource).unwrap().contains("categories"));
        resource.categories.push(String::new());
        assert_eq!(serde_json::to_string(&resource).unwrap(), r#"{"verbs":[],"categories":[""]}"#);
    }
}
