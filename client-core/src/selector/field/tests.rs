//! What field selectors do as a whole.

use std::{collections::BTreeMap, str::FromStr};

use super::*;
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use crate::{
    meta::{Namespace, ObjectName},
    selector::SelectorError,
};

fn selector(text: &str) -> FieldSelector {
    FieldSelector::from_str(text).unwrap_or_else(|error| panic!("{text:?}: {error}"))
}

/// Field names that nobody can write.
const NO_FIELDS: [&str; 6] = ["", "a,b", "a=b", r"a\", "a!", "="];

#[test]
fn a_selector_prints_what_it_was_read_from() {
    for text in ["x=a,y=b,z=c", "", "x!=a,y=b", r"x=a||y\=b", r"x=a\=\=b", "x=", "x!=", r"x=\,,y=\\", "x= a b ", "함=수"] {
        assert_eq!(selector(text).to_string(), text);
    }
    assert_eq!(selector("x==a,,y==b,").to_string(), "x=a,y=b");
    for text in ["x=a||y=b", "x==a==b", "x=a,b", "x in (a)", "x in (a,b,c)", "x", "=", "!=a"] {
        assert!(FieldSelector::from_str(text).is_err(), "{text:?}");
    }
}

#[test]
fn the_order_of_a_text_does_not_matter() {
    for (one, other, printed) in [("x=a,a=x", "a=x,x=a", "a=x,x=a"), ("a!=b,a.b=c,a=d", "a=d,a!=b,a.b==c", "a=d,a!=b,a.b=c")] {
        assert_eq!(selector(one), selector(other));
        assert_eq!((selector(one).to_string().as_str(), selector(other).to_string().as_str()), (printed, printed));
    }
}

#[test]
fn everything_matches_everything_and_nothing_matches_nothing() {
    assert!(FieldSelector::everything().matches(&[("x", "y")]));
    assert!(FieldSelector::everything().is_everything() && !FieldSelector::everything().is_nothing());
    assert!(!FieldSelector::nothing().matches(&[("x", "y")]));
    assert!(FieldSelector::nothing().is_nothing() && !FieldSelector::nothing().is_everything());
    assert_eq!(FieldSelector::default(), FieldSelector::everything());
}

#[test]
fn nothing_never_turns_into_everything() {
    let nothing = FieldSelector::nothing();
    let mut more = nothing.clone();
    more.extend(selector("a=b").requirements().unwrap().iter().cloned());
    let kept = nothing.transform(|_| Ok::<_, SelectorError>(None)).unwrap();
    for selector in [more, kept, nothing.clone().and(selector("a=b")), selector("a=b").and(nothing.clone())] {
        assert_eq!(selector, nothing);
    }
    assert!(nothing.to_string().parse::<FieldSelector>().is_err());
}

#[test]
fn a_selector_matches_where_each_condition_holds() {
    let fields = [("foo", "bar"), ("baz", "blah"), ("complex", r"=value\,\"), ("notin", "in")];
    for text in
        ["", "foo=bar", "baz=blah", "foo=bar,baz=blah", r"foo=bar,baz=blah,complex=\=value\\\,\\", "foo!=z,baz!=a", "notin=in"]
    {
        assert!(selector(text).matches(&fields), "{text:?}");
        assert!(selector(text).matches_with(|field| fields.iter().find(|(own, _)| *own == field).map(|(_, value)| *value)));
    }
    for text in ["foo=blah", "baz=bar", "foo=bar,foobar=bar,baz=blah", "foo!=z,baz!=blah", "foo=bar ", "Foo=bar"] {
        assert!(!selector(text).matches(&fields), "{text:?}");
    }
}

#[test]
fn a_field_that_is_not_there_counts_as_empty() {
    let none = BTreeMap::<String, String>::new();
    assert!(selector("spec.nodeName=").matches(&none));
    assert!(!selector("spec.nodeName!=").matches(&none));
    assert!(selector("spec.nodeName!=a").matches(&none));
    assert!(!selector("spec.nodeName=a").matches(&none));
}

#[test]
fn one_condition_compares_one_field() {
    let (equal, other) = (FieldSelector::equals("x", "y").unwrap(), FieldSelector::not_equals("x", "y").unwrap());
    assert!(equal.matches(&[("x", "y")]) && !equal.matches(&[("x", "z")]));
    assert!(!other.matches(&[("x", "y")]) && other.matches(&[("x", "z")]));
    assert!(equal.requirements().unwrap()[0].matches(&[("x", "y")]));
}

#[test]
fn names_and_namespaces_have_their_fields() {
    assert_eq!(FieldSelector::name(&ObjectName::from("web-0")).to_string(), "metadata.name=web-0");
    let both = FieldSelector::namespace(&Namespace::from("shop")).and(FieldSelector::name(&ObjectName::from("a,b=c")));
    assert_eq!(both.to_string(), r"metadata.name=a\,b\=c,metadata.namespace=shop");
}

#[test]
fn a_selector_made_of_fields_matches_objects_that_have_them_all() {
    let fields = [("foo", "bar"), ("baz", "blah")];
    for own in [&[][..], &[("foo", "bar")], &[("baz", "blah")], &fields] {
        assert!(FieldSelector::all_equal(own.iter().copied()).unwrap().matches(&fields), "{own:?}");
    }
    for other in [&[("foo", "=blah")][..], &[("baz", "=bar")], &[("foo", "=bar"), ("foobar", "bar"), ("baz", "blah")]] {
        assert!(!FieldSelector::all_equal(other.iter().copied()).unwrap().matches(&fields), "{other:?}");
    }
}

#[test]
fn a_selector_made_of_fields_prints_them_by_name() {
    for (fields, expected) in
        [(&[("x", "y")][..], "x=y"), (&[("foo", "bar")], "foo=bar"), (&[("foo", "bar"), ("baz", "q,p")], r"baz=q\,p,foo=bar")]
    {
        assert_eq!(FieldSelector::all_equal(fields.iter().copied()).unwrap().to_string(), expected);
    }
}

#[test]
fn no_fields_make_the_selector_of_everything() {
    assert!(FieldSelector::all_equal(BTreeMap::<String, String>::new()).unwrap().is_everything());
    assert!(FieldSelector::from_iter([]).is_everything());
}

#[test]
fn everything_twice_is_everything_and_with_any_condition_it_is_not() {
    assert!(FieldSelector::everything().and(FieldSelector::everything()).is_everything());
    for selector in [FieldSelector::equals("a", "").unwrap(), FieldSelector::not_equals("a", "").unwrap()] {
        assert!(!selector.is_everything());
        assert!(!FieldSelector::everything().and(selector).is_everything());
    }
}

#[test]
fn a_field_that_the_grammar_cannot_write_makes_no_condition() {
    for field in NO_FIELDS {
        for operator in [FieldOperator::Equals, FieldOperator::NotEquals] {
            let error = FieldRequirement::new(field, operator, "v").unwrap_err();
            assert!(matches!(&error, SelectorError::Field { field: named, .. } if named == field), "{error}");
        }
        assert!(FieldSelector::all_equal([("good", "v"), (field, "v")]).is_err());
    }
    assert!(FieldSelector::equals("!a b.[함]", "v").is_ok());
}

#[test]
fn an_exact_match_is_a_condition_that_a_field_has_a_value() {
    for (text, expected) in [
        ("", None),
        ("a=b", None),
        ("test=b", Some("b")),
        ("test=", Some("")),
        ("test!=b", None),
        ("test!=", None),
        ("a=b,test=b", Some("b")),
        ("test!=a,test=b", Some("b")),
    ] {
        assert_eq!(selector(text).requires_exact_match("test"), expected, "{text:?}");
    }
    assert_eq!(FieldSelector::nothing().requires_exact_match("test"), None);
}

#[test]
fn conditions_can_be_changed_and_left_out() {
    type Change = fn(&FieldRequirement) -> Result<Option<FieldRequirement>, SelectorError>;
    let keep: Change = |requirement| Ok(Some(requirement.clone()));
    let rename: Change = |requirement| match requirement.field() {
        "a" => FieldRequirement::new("e", requirement.operator(), "f").map(Some),
        _ => Ok(Some(requirement.clone())),
    };
    let drop_c: Change = |requirement| Ok((requirement.field() != "c").then(|| requirement.clone()));
    for (text, change, expected) in [
        ("", keep, ""),
        ("a=b,c=d", keep, "a=b,c=d"),
        ("a=b,c=d", rename, "c=d,e=f"),
        ("a!=b", rename, "e!=f"),
        ("a=b", |_| Ok(None), ""),
        ("a=b,c=d,e=f", drop_c, "a=b,e=f"),
    ] {
        let changed = selector(text).transform(change).unwrap();
        assert_eq!((changed.to_string().as_str(), changed.is_everything()), (expected, expected.is_empty()), "{text:?}");
    }
    let refused = selector("a=b,c=d").transform(|requirement| FieldRequirement::new("", requirement.operator(), "").map(Some));
    assert!(matches!(refused, Err(SelectorError::Field { .. })));
}

#[test]
fn a_selector_is_its_text_in_json_and_null_where_it_matches_nothing() {
    for (selector, json) in [
        (selector(r"a=x\,y,b!="), r#""a=x\\,y,b!=""#),
        (FieldSelector::everything(), r#""""#),
        (FieldSelector::nothing(), "null"),
    ] {
        assert_eq!(serde_json::to_string(&selector).unwrap(), json);
        assert_eq!(serde_json::from_str::<FieldSelector>(json).unwrap(), selector);
    }
    let error = serde_json::from_str::<FieldSelector>(r#""a=b,c""#).unwrap_err();
    assert!(error.to_string().contains("at byte 4 of the selector"), "{error}");
}
