//! A path, and what it finds.

use std::{
    fmt,
    hash::{Hash, Hasher},
    str::FromStr,
};

use super::{super::Value, FindError, JsonPathError, find::find, parse::parse, print::print, step::Step};

/// A path to values inside of an object, such as `.spec.containers[*].image` (client-go `util/jsonpath`).
///
/// It is written as kubectl's custom columns take it: in braces or without, with a dot before its first name or without.
/// `['a.b']` is the field `a.b` where there is one, and else `b` in `a`, as in client-go; a dot in a name can also be written as
/// `\.`. Quotes are single or double.
///
/// ```
/// use porthole_client_core::json::{JsonPath, Value};
///
/// let pod: Value = r#"{"spec":{"containers":[{"image":"a:1"},{"image":"b:2"}]},
///     "status":{"conditions":[{"type":"Ready","status":"True"}]}}"#.parse()?;
/// assert_eq!(JsonPath::parse("{.spec.containers[*].image}")?.text(&pod), "a:1,b:2");
/// assert_eq!(JsonPath::parse(r#"status.conditions[?(@.type=="Ready")].status"#)?.text(&pod), "True");
/// assert_eq!(JsonPath::parse(".spec.nodeName")?.text(&pod), "<none>");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct JsonPath {
    text: Box<str>,
    steps: Box<[Step]>,
}

impl JsonPath {
    /// The path that `text` writes (kubectl `RelaxedJSONPathExpression`, client-go `util/jsonpath/parser.go`).
    ///
    /// # Errors
    /// Where it is none, and where it is a template.
    pub fn parse(text: &str) -> Result<Self, JsonPathError> {
        Ok(Self { text: text.into(), steps: parse(text)? })
    }

    /// The path as it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The values that the path leads to, in order. What is missing is no fault.
    ///
    /// # Errors
    /// Where the path does not fit: an index that is out of bounds, a filter that compares what cannot be compared.
    pub fn try_find<'a>(&'a self, value: &'a Value) -> Result<Vec<&'a Value>, FindError> {
        find(&self.steps, vec![value])
    }

    /// The same; none, where the path does not fit.
    #[must_use]
    pub fn find<'a>(&'a self, value: &'a Value) -> Vec<&'a Value> {
        self.try_find(value).unwrap_or_default()
    }

    /// What kubectl prints in a custom column: the values between commas, `<none>` where there are none, lists and maps as Go
    /// prints them (`[a b]`, `map[a:1 b:2]`), `null` as `<nil>`. Unlike kubectl, which knows floats only, it prints numbers as they
    /// were written, and it prints `<none>` where kubectl ends with an error because the path does not fit.
    #[must_use]
    pub fn text(&self, value: &Value) -> String {
        print(&self.find(value))
    }

    /// Whether all that the path can lead to is below `.metadata`.
    #[must_use]
    pub fn needs_only_metadata(&self) -> bool {
        is_below_metadata(&self.steps)
    }
}

fn is_below_metadata(steps: &[Step]) -> bool {
    match steps.first() {
        Some(Step::Field(name)) => &**name == "metadata",
        Some(Step::Dotted(_, steps)) => is_below_metadata(steps),
        Some(Step::Union(paths)) => paths.iter().all(|path| is_below_metadata(path)),
        _ => false,
    }
}

impl FromStr for JsonPath {
    type Err = JsonPathError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text)
    }
}

impl fmt::Display for JsonPath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

impl fmt::Debug for JsonPath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "JsonPath({})", self.text)
    }
}

/// Two paths are equal where they are written alike.
impl PartialEq for JsonPath {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for JsonPath {}

impl Hash for JsonPath {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}
