//! Who owns which fields: the sets in an object's `managedFields` (structured-merge-diff `fieldpath`).
//!
//! Guarantees: a set is written as it was read; path elements of a kind this does not know are dropped, as the server
//! drops them. Leaves out what needs a schema.

use std::collections::BTreeMap;

use super::{PatchError, PathElement};
use crate::json::{Map, Value};

/// Which request made an entry of `managedFields`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ManagedFieldsOperation {
    /// A server-side apply.
    Apply,
    /// Any other write.
    Update,
}

impl ManagedFieldsOperation {
    /// Its name in an entry.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Apply => "Apply",
            Self::Update => "Update",
        }
    }
}

/// A set of fields. Its text is `FieldsV1`.
///
/// ```
/// use porthole_client_core::{json::Value, patch::FieldSet};
///
/// let ours: Value = r#"{"f:spec":{"f:replicas":{}}}"#.parse()?;
/// let theirs: Value = r#"{"f:metadata":{"f:labels":{".":{},"f:app":{}}}}"#.parse()?;
/// let both = FieldSet::read(&ours)?.union(&FieldSet::read(&theirs)?);
/// let text = r#"{"f:metadata":{"f:labels":{".":{},"f:app":{}}},"f:spec":{"f:replicas":{}}}"#;
/// assert_eq!(both.to_value().to_string(), text);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldSet(BTreeMap<PathElement, Node>);

/// A step that is in the set itself, or leads to something that is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Node {
    member: bool,
    children: FieldSet,
}

impl FieldSet {
    /// The set of these fields, each a path of names. A parent is in the set only where it is named.
    #[must_use]
    pub fn of_fields(paths: &[&[&str]]) -> Self {
        let mut set = Self::default();
        for path in paths {
            set.insert(path.iter().map(|name| PathElement::field(name)));
        }
        set
    }

    /// Reads `FieldsV1`.
    ///
    /// # Errors
    /// Where it is no object of objects, or a name in it cannot be read.
    pub fn read(fields_v1: &Value) -> Result<Self, PatchError> {
        Ok(Self::read_node("fieldsV1", fields_v1)?.children)
    }

    fn read_node(name: &str, value: &Value) -> Result<Node, PatchError> {
        let no_object = || PatchError::ManagedFields { element: name.to_owned(), fault: "it is no object" };
        let mut node = Node::default();
        for (name, value) in value.as_object().ok_or_else(no_object)? {
            if name == "." {
                node.member = true;
            } else if let Some(element) = PathElement::read(name)? {
                let child = Self::read_node(name, value)?;
                node.children.0.insert(element, child);
            }
        }
        // A way that leads nowhere is itself the field.
        node.member |= node.children.is_empty();
        Ok(node)
    }

    /// The set as `FieldsV1`.
    #[must_use]
    pub fn to_value(&self) -> Value {
        Value::Object(self.fields())
    }

    fn fields(&self) -> Map {
        let written = self.0.iter().map(|(element, node)| {
            let mut fields = node.children.fields();
            if node.member && !fields.is_empty() {
                fields.insert(".".to_owned(), Value::object());
            }
            (element.to_string(), Value::Object(fields))
        });
        written.collect()
    }

    /// Puts a field in; the empty path is nothing.
    pub fn insert(&mut self, path: impl IntoIterator<Item = PathElement>) {
        let mut path = path.into_iter();
        let Some(mut element) = path.next() else { return };
        let mut at = self;
        for next in path {
            at = &mut at.0.entry(element).or_default().children;
            element = next;
        }
        at.0.entry(element).or_default().member = true;
    }

    /// Whether the set has this field itself.
    #[must_use]
    pub fn contains(&self, path: &[PathElement]) -> bool {
        match path {
            [] => false,
            [last] => self.0.get(last).is_some_and(|node| node.member),
            [first, rest @ ..] => self.0.get(first).is_some_and(|node| node.children.contains(rest)),
        }
    }

    /// Whether there is no field in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Every first step, whether it is in the set itself, and what is below it.
    #[cfg(any(test, feature = "fake"))]
    pub(crate) fn entries(&self) -> impl Iterator<Item = (&PathElement, bool, &Self)> {
        self.0.iter().map(|(element, node)| (element, node.member, &node.children))
    }

    /// What is below a step; `None` where that is nothing.
    #[cfg(any(test, feature = "fake"))]
    pub(crate) fn below(&self, element: &PathElement) -> Option<&Self> {
        self.0.get(element).map(|node| &node.children).filter(|children| !children.is_empty())
    }

    /// The fields that one of the two has.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        let mut all = self.clone();
        for (element, node) in &other.0 {
            let mine = all.0.entry(element.clone()).or_default();
            mine.member |= node.member;
            mine.children = mine.children.union(&node.children);
        }
        all
    }

    /// The fields of this set that the other lacks. A parent and its children are different fields.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Self {
        self.kept(other, |mine, theirs| mine && !theirs, Self::difference, Clone::clone)
    }

    /// The fields that both have.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        self.kept(other, |mine, theirs| mine && theirs, Self::intersection, |_| Self::default())
    }

    /// The part of this set that remains beside another: members by `member`, the children below steps that both have by
    /// `both`, those below steps that only this set has by `alone`.
    fn kept(
        &self,
        other: &Self,
        member: fn(bool, bool) -> bool,
        both: fn(&Self, &Self) -> Self,
        alone: fn(&Self) -> Self,
    ) -> Self {
        let nodes = self.0.iter().map(|(element, node)| {
            let theirs = other.0.get(element);
            let children = theirs.map_or_else(|| alone(&node.children), |theirs| both(&node.children, &theirs.children));
            let member = member(node.member, theirs.is_some_and(|theirs| theirs.member));
            (element.clone(), Node { member, children })
        });
        Self(nodes.filter(|(_, node)| node.member || !node.children.is_empty()).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn set(text: &str) -> FieldSet {
        FieldSet::read(&text.parse().unwrap()).unwrap()
    }

    #[test]
    fn a_set_is_written_as_it_was_read() {
        for text in [
            "{}",
            r#"{"f:spec":{}}"#,
            r#"{"f:spec":{".":{},"f:replicas":{}}}"#,
            r#"{"f:a:b":{},"f:":{}}"#,
            r#"{"f:ports":{"k:{\"port\":80,\"protocol\":\"TCP\"}":{".":{},"f:port":{}}}}"#,
            r#"{"f:finalizers":{"v:\"a.b/c\"":{}},"f:list":{"i:0":{},"i:-1":{}},"f:numbers":{"v:9007199254740993":{},"v:1.0":{}}}"#,
        ] {
            let sorted: Value = text.parse().unwrap();
            assert_eq!(set(text).to_value(), sorted);
        }
    }

    #[test]
    fn the_spelling_of_a_key_does_not_matter() {
        let spaced = set(r#"{"k:{\"protocol\": \"TCP\", \"port\": 80}":{}}"#);
        assert_eq!(spaced, set(r#"{"k:{\"port\":80,\"protocol\":\"TCP\"}":{}}"#));
        let fields = r#"{"protocol":"TCP","port":80}"#.parse::<Value>().unwrap();
        assert!(spaced.contains(&[PathElement::key(fields.as_object().unwrap())]));
    }

    #[test]
    fn elements_of_unknown_kinds_are_dropped() {
        assert_eq!(set(r#"{"x:new":{"f:a":{}},"f:b":{"y:z":{}}}"#), set(r#"{"f:b":{}}"#));
    }

    #[test]
    fn what_is_no_set_is_refused() {
        for (text, element) in [
            ("[]", "fieldsV1"),
            ("null", "fieldsV1"),
            (r#"{"f:a":{"f:b":1}}"#, "f:b"),
            (r#"{"spec":{}}"#, "spec"),
            (r#"{"":{}}"#, ""),
            (r#"{"v:tru":{}}"#, "v:tru"),
            (r#"{"k:[]":{}}"#, "k:[]"),
            (r#"{"i:x":{}}"#, "i:x"),
        ] {
            let error = FieldSet::read(&text.parse().unwrap()).unwrap_err();
            assert!(matches!(&error, PatchError::ManagedFields { element: at, .. } if at == element), "{text}: {error}");
        }
    }

    #[test]
    fn a_parent_is_in_the_set_only_where_it_is_named() {
        let names = |path: &[&str]| path.iter().map(|name| PathElement::field(name)).collect::<Vec<_>>();
        let both = FieldSet::of_fields(&[&["a", "b"], &["c"], &["c", "d"]]);
        assert_eq!(both.to_value().to_string(), r#"{"f:a":{"f:b":{}},"f:c":{".":{},"f:d":{}}}"#);
        for (path, contained) in
            [(&["a"][..], false), (&["a", "b"], true), (&["c"], true), (&["c", "d"], true), (&["c", "e"], false), (&[], false)]
        {
            assert_eq!(both.contains(&names(path)), contained, "{path:?}");
        }
    }

    #[test]
    fn sets_are_united_cut_and_taken_apart() {
        let left = set(r#"{"f:a":{".":{},"f:x":{},"f:y":{}},"f:b":{}}"#);
        let right = set(r#"{"f:a":{"f:x":{}},"f:b":{"f:z":{}},"f:c":{}}"#);
        assert_eq!(left.union(&right), set(r#"{"f:a":{".":{},"f:x":{},"f:y":{}},"f:b":{".":{},"f:z":{}},"f:c":{}}"#));
        assert_eq!(left.union(&right), right.union(&left));
        assert_eq!(left.difference(&right), set(r#"{"f:a":{".":{},"f:y":{}},"f:b":{}}"#));
        assert_eq!(right.difference(&left), set(r#"{"f:b":{"f:z":{}},"f:c":{}}"#));
        assert_eq!(left.intersection(&right), set(r#"{"f:a":{"f:x":{}}}"#));
        assert!(left.difference(&left.union(&right)).is_empty());
        assert!(left.intersection(&FieldSet::default()).is_empty());
        assert!(FieldSet::default().difference(&left).is_empty());
    }
    #[test]
    fn no_fields_are_an_empty_object_and_null_is_no_set() {
        assert_eq!(FieldSet::default().to_value().to_string(), "{}");
        assert_eq!(set("{}"), FieldSet::default());
        assert!(set(" \t\r\n{ } ").is_empty() && !set(r#"{"f:app":{}}"#).is_empty());
        assert_eq!(set(r#"{"f:app":{}}"#).to_value().to_string(), r#"{"f:app":{}}"#);
        assert!(FieldSet::read(&Value::Null).is_err());
    }

    #[test]
    fn sets_are_equal_where_their_fields_are() {
        let (one, same, other) = (set(r#"{"f:app":{}}"#), set(r#" {"f:app" : {}}"#), set(r#"{"f:other":{}}"#));
        assert_eq!(one, same);
        assert_ne!(one, other);
        assert_ne!(other, same);
        assert_ne!(one, FieldSet::default());
    }

    #[test]
    fn a_copy_of_a_set_is_changed_by_itself() {
        let original = set(r#"{"f:app":{}}"#);
        let mut copy = original.clone();
        assert_eq!(copy, original);
        copy.insert([PathElement::field("new")]);
        assert_eq!(original.to_value().to_string(), r#"{"f:app":{}}"#);
        assert_eq!(copy.to_value().to_string(), r#"{"f:app":{},"f:new":{}}"#);
    }

    #[test]
    fn the_set_in_an_object_is_read_and_written_as_it_is() {
        let text =
            r#"{"managedFields":[{"fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:labels":{"f:app":{}}}},"manager":"m"}]}"#;
        let meta: crate::meta::ObjectMeta = serde_json::from_slice(text.as_bytes()).unwrap();
        let fields = meta.managed_fields[0].nested(&["fieldsV1"]).unwrap().unwrap();
        assert_eq!(FieldSet::read(fields).unwrap().to_value(), *fields);
        assert_eq!(serde_json::to_string(&meta).unwrap(), text);
    }
}
