//! What label selectors do as a whole.

use std::{
    collections::{BTreeMap, HashSet},
    str::FromStr,
};

use super::*;
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use crate::selector::SelectorError;

fn selector(text: &str) -> LabelSelector {
    LabelSelector::from_str(text).unwrap_or_else(|error| panic!("{text:?}: {error}"))
}

fn map<const N: usize>(labels: [(&str, &str); N]) -> BTreeMap<String, String> {
    BTreeMap::from(labels.map(|(key, value)| (key.to_owned(), value.to_owned())))
}

#[test]
fn a_selector_prints_what_it_was_read_from() {
    for text in ["x=a,y=b,z=c", "", "x!=a,y=b", "x=", "x= ", "x=,z= ", "x= ,z= ", "!x", "x>1", "x>1,z<5"] {
        assert_eq!(selector(text).to_string(), text.replace(' ', ""));
    }
    for text in [
        "x in (abc,def),y notin (jkl),z",
        "x notin (abc,def),y!=jkl,!z",
        "x notin (abc),y in (jkl,mno),z notin ()",
        "x=abc,y==jkl,z!=a,z",
        "x>2,y<8,z",
    ] {
        assert_eq!(selector(text).to_string(), text);
    }
    for text in ["x=a||y=b", "x==a==b", "!x=a", "x<a"] {
        assert!(LabelSelector::from_str(text).is_err(), "{text:?}");
    }
}

#[test]
fn the_order_of_a_text_does_not_matter() {
    let mut seen = HashSet::new();
    for text in ["x=a,a in (y,x),a!=b,a!=a", "a!=a,a in (x,y),x=a,a!=b", "a in (y,x,y) , x=a, a!=b, a!=a"] {
        seen.insert(selector(text));
        assert_eq!(selector(text).to_string(), "a!=a,a!=b,a in (x,y),x=a");
    }
    assert_eq!(seen.len(), 1);
}

#[test]
fn everything_matches_everything_and_nothing_matches_nothing() {
    for labels in [map([]), map([("x", "y")])] {
        assert!(LabelSelector::everything().matches(&labels));
        assert!(!LabelSelector::nothing().matches(&labels));
    }
    assert_eq!(LabelSelector::default(), LabelSelector::everything());
    assert!(LabelSelector::everything().is_everything());
    assert!(!LabelSelector::nothing().is_everything());
    assert_eq!(LabelSelector::everything().requirements(), Some(&[][..]));
    assert_eq!(LabelSelector::nothing().requirements(), None);
}

#[test]
fn only_nothing_is_known_to_match_nothing() {
    assert!(LabelSelector::nothing().is_nothing());
    assert!(!LabelSelector::everything().is_nothing());
    assert!(!LabelSelector::try_from(map([])).unwrap().is_nothing());
    assert!(!LabelSelector::try_from(map([("key", "value")])).unwrap().is_nothing());
    for text in ["", "a", "!a", "a=b", "a!=b", "a in (b)", "a notin (b)", "a,!a", "a=b,a!=b", "a in (b),a notin (b)"] {
        assert!(!selector(text).is_nothing(), "{text:?}");
    }
}

#[test]
fn nothing_never_turns_into_everything() {
    let mut nothing = LabelSelector::nothing();
    nothing.extend([Requirement::exists("a").unwrap()]);
    for selector in [nothing.clone(), nothing.clone().and(selector("a")), selector("a").and(nothing.clone())] {
        assert_eq!(selector, LabelSelector::nothing());
    }
    let error = nothing.to_string().parse::<LabelSelector>().unwrap_err();
    assert_eq!((error.position(), error.found()), (0, "\"<\""));
}

#[test]
fn a_selector_matches_where_each_condition_holds() {
    let labels = map([("foo", "bar"), ("baz", "blah")]);
    for text in ["foo=bar", "baz=blah", "foo=bar,baz=blah", ""] {
        assert!(selector(text).matches(&labels), "{text:?}");
    }
    for text in ["foo=blah", "baz=bar", "foo=bar,foobar=bar,baz=blah", "foo=bar,!baz"] {
        assert!(!selector(text).matches(&labels), "{text:?}");
    }
    for (text, labels, expected) in [
        ("x=y,z=w", map([("x", "y"), ("z", "w")]), true),
        ("x!=y,z!=w", map([("x", "z"), ("z", "a")]), true),
        ("notin=in", map([("notin", "in")]), true),
        ("x>1", map([("x", "2")]), true),
        ("x<1", map([("x", "0")]), true),
        ("!x", map([("y", "z")]), true),
        ("x=z", map([]), false),
        ("x=y,z=w", map([("x", "w"), ("z", "w")]), false),
        ("x!=y,z!=w", map([("x", "z"), ("z", "w")]), false),
        ("x", map([("y", "z")]), false),
        ("!x", map([("x", "z")]), false),
        ("x>1", map([("x", "0")]), false),
        ("x<1", map([("x", "2")]), false),
        ("x in (foo),y notin (alpha)", map([("x", "foo"), ("y", "baz")]), true),
        ("x in (foo),y in (alpha)", map([("x", "foo"), ("y", "baz")]), false),
        ("x notin (),y", map([("y", "")]), true),
        ("x notin (),!y", map([("y", "")]), false),
    ] {
        assert_eq!(selector(text).matches(&labels), expected, "{text:?} on {labels:?}");
    }
}

#[test]
fn labels_are_looked_up_wherever_they_are() {
    let (yes, no) = (selector("a=1,!c"), selector("a=1,c"));
    assert!(yes.matches(&[("a", "1")]) && !no.matches(&[("a", "1")]));
    assert!(yes.matches(&Some(map([("a", "1")]))) && !no.matches(&None::<BTreeMap<String, String>>));
    let text = "a 1";
    let lookup = |key: &str| text.split_once(' ').filter(|(own, _)| *own == key).map(|(_, value)| value);
    assert!(yes.matches_with(lookup) && !no.matches_with(lookup));
}

#[test]
fn a_selector_made_of_labels_matches_objects_that_have_them_all() {
    let labels = map([("foo", "bar"), ("baz", "blah")]);
    for own in [map([]), map([("foo", "bar")]), map([("baz", "blah")]), labels.clone()] {
        assert!(LabelSelector::try_from(own.clone()).unwrap().matches(&labels), "{own:?}");
    }
    for other in [map([("foo", "blah")]), map([("foo", "bar"), ("foobar", "bar")])] {
        assert!(!LabelSelector::try_from(other.clone()).unwrap().matches(&labels), "{other:?}");
    }
}

#[test]
fn no_labels_make_the_selector_of_everything() {
    assert!(LabelSelector::from(LabelSet::default()).is_everything());
    assert!(LabelSelector::try_from(map([])).unwrap().is_everything());
    assert!(LabelSelector::from_iter([]).is_everything());
    assert!(!LabelSelector::try_from(map([("a", "")])).unwrap().is_everything());
}

#[test]
fn a_selector_made_of_labels_prints_them_by_key() {
    for (labels, expected) in
        [(map([]), ""), (map([("app", "foo")]), "app=foo"), (map([("app", "foo"), ("a", "b")]), "a=b,app=foo")]
    {
        assert_eq!(LabelSelector::try_from(labels).unwrap().to_string(), expected);
    }
}

#[test]
fn labels_that_are_none_make_no_selector() {
    let key_value = LabelSelector::try_from(map([("key", "val")])).unwrap();
    assert_eq!(key_value.requirements(), Some(&[Requirement::equals("key", "val").unwrap()][..]));
    let long = "axahm2EJ8Phiephe2eixohbee9eGeiyees1thuozi1xoh0GiuH3diewi8iem7Nui";
    let error = LabelSelector::try_from(map([("Key", long)])).unwrap_err();
    assert!(matches!(&error, SelectorError::Value { key, value, .. } if key == "Key" && value == long), "{error}");
    assert!(matches!(LabelSelector::try_from(map([("a b", "")])), Err(SelectorError::Key { .. })));
}

#[test]
fn conditions_are_added_in_order() {
    let mut selector = LabelSelector::everything();
    selector.extend([Requirement::equals("key2", "value2").unwrap()]);
    assert_eq!(selector.to_string(), "key2=value2");
    selector.extend([Requirement::is_in("key", ["value"]).unwrap()]);
    assert_eq!(selector.to_string(), "key in (value),key2=value2");
    let more = LabelSelector::from(Requirement::does_not_exist("key1").unwrap());
    assert_eq!(selector.and(more).to_string(), "key in (value),!key1,key2=value2");
}

#[test]
fn an_exact_match_is_a_condition_that_allows_one_value() {
    for (text, key, expected) in [
        ("key in (value)", "key", Some("value")),
        ("key in (value,value2)", "key", None),
        ("key in (value,value1),key2 in (value2)", "key2", Some("value2")),
        ("key=value", "key", Some("value")),
        ("key=", "key", Some("")),
        ("key==value", "key", Some("value")),
        ("key!=value", "key", None),
        ("key notin (value)", "key", None),
        ("key,key2", "key", None),
        ("key>1", "key", None),
        ("key in (value),key2 in (value2)", "key", Some("value")),
        ("key=value", "other", None),
        // In Go the condition that stands first would decide.
        ("key!=a,key in (value)", "key", Some("value")),
    ] {
        assert_eq!(selector(text).requires_exact_match(key), expected, "{key} in {text:?}");
    }
    assert_eq!(LabelSelector::nothing().requires_exact_match("key"), None);
}

#[test]
fn a_selector_is_its_text_in_json_and_null_where_it_matches_nothing() {
    for (selector, json) in [
        (selector("a in (x,y),!b"), r#""a in (x,y),!b""#),
        (LabelSelector::everything(), r#""""#),
        (LabelSelector::nothing(), "null"),
    ] {
        assert_eq!(serde_json::to_string(&selector).unwrap(), json);
        assert_eq!(serde_json::from_str::<LabelSelector>(json).unwrap(), selector);
    }
    let error = serde_json::from_str::<LabelSelector>(r#""a in""#).unwrap_err();
    assert!(error.to_string().contains("at byte 4 of the selector: found the end, expected \"(\""), "{error}");
}

#[test]
fn a_filter_with_every_sign_of_the_grammar_stays_whole() {
    let good = "a in (x,y),!b,c!=d,app.kubernetes.io/name=z";
    assert_eq!(selector(good).to_string(), "a in (x,y),app.kubernetes.io/name=z,!b,c!=d");
    assert_eq!(selector(&selector(good).to_string()), selector(good));
    assert!(selector(good).matches(&[("a", "y"), ("app.kubernetes.io/name", "z")]));
    let bad = "a in (x,y),!b,c!=d/e,app.kubernetes.io/name=z".parse::<LabelSelector>().unwrap_err();
    assert_eq!((bad.position(), bad.found()), (17, "\"d/e\""));
}
