//! Random lists in random chunks.

use std::collections::BTreeMap;

use serde::{Deserialize, de::IgnoredAny};
use serde_json::Value;

use super::*;
use crate::platform::Chance;
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

type Taken = (Vec<Vec<u8>>, Result<Vec<u8>, DecodeError>);

/// Takes a body apart that comes in these chunks.
fn take_apart<'a>(mut reader: ItemReader, chunks: impl IntoIterator<Item = &'a [u8]>) -> Taken {
    let mut items = Vec::new();
    for chunk in chunks {
        reader.push(chunk, &mut |item| items.push(item.text.to_vec()));
    }
    (items, reader.finish())
}

fn whole(text: &str) -> Taken {
    take_apart(ItemReader::default(), [text.as_bytes()])
}

/// Cuts a text anywhere, also in the middle of a character.
fn cut<'a>(chance: &mut Chance, mut text: &'a [u8]) -> Vec<&'a [u8]> {
    let longest = chance.of(&[1, 2, 7, 40, 1000]);
    let mut chunks = Vec::new();
    while !text.is_empty() {
        let (chunk, rest) = text.split_at(chance.index(longest + 1).min(text.len()));
        chunks.push(chunk);
        text = rest;
    }
    chunks
}

const NAMES: &[&str] = &[
    "items",
    "rows",
    "metadata",
    "managedFields",
    "object",
    "kind",
    "a",
    "",
    "ä",
    "\\u0061b",
    "meta\\u0064ata",
    "m\\\"}",
    "\\\\",
    "]",
];
const TEXTS: &[&str] =
    &["", "a", "{", "}", "[", "]", ",", ":", "\\\"", "\\\\", "\\u0022", "\\n", "名", "🦀", "managedFields", "\\/"];

fn space(chance: &mut Chance, out: &mut String) {
    if chance.percent(20) {
        out.push_str(&chance.text(&[" ", "\n", "\t", "\r\n"], 3));
    }
}

/// A value of JSON, of any shape.
fn value(chance: &mut Chance, depth: usize, out: &mut String) {
    let shapes = if depth == 0 { 5 } else { 9 };
    match chance.below(shapes) {
        0 => out.push_str(chance.of(&["null", "true", "false"])),
        1 => out.push_str(chance.of(&["0", "-1", "1.5e3", "18446744073709551615", "0.1"])),
        2..=4 => out.push_str(&["\"", &chance.text(TEXTS, 6), "\""].concat()),
        5 | 6 => list(chance, depth - 1, out),
        _ => object(chance, depth - 1, &[], out),
    }
}

fn list(chance: &mut Chance, depth: usize, out: &mut String) {
    out.push('[');
    space(chance, out);
    for index in 0..chance.index(5) {
        if index > 0 {
            out.push(',');
            space(chance, out);
        }
        value(chance, depth, out);
        space(chance, out);
    }
    out.push(']');
}

/// An object in which each name is used once, under whichever escapes. The names that are given come first in the choice.
fn object(chance: &mut Chance, depth: usize, wanted: &[&'static str], out: &mut String) {
    let mut names: Vec<&str> = wanted.to_vec();
    names.extend((0..chance.index(5)).map(|_| chance.of(NAMES)));
    let read = |name: &str| serde_json::from_str::<String>(&format!("\"{name}\"")).unwrap();
    let mut seen = std::collections::BTreeSet::new();
    names.retain(|name| seen.insert(read(name)));
    for index in (1..names.len()).rev() {
        names.swap(index, chance.index(index + 1));
    }
    out.push('{');
    space(chance, out);
    for (index, name) in names.iter().enumerate() {
        if index > 0 {
            out.push(',');
            space(chance, out);
        }
        out.push_str(&["\"", name, "\""].concat());
        space(chance, out);
        out.push(':');
        space(chance, out);
        value(chance, depth, out);
        space(chance, out);
    }
    out.push('}');
}

/// What serde reads of a list: its items or rows, whichever come first, and the rest with neither of that array's elements.
fn expected(text: &str) -> (Vec<String>, BTreeMap<String, Value>) {
    /// The first of the two that is an array, by its place in the text.
    #[derive(Deserialize)]
    struct Arrays<'a> {
        #[serde(borrow, default)]
        items: Option<&'a RawValue>,
        #[serde(borrow, default)]
        rows: Option<&'a RawValue>,
    }
    let Arrays { items, rows } = serde_json::from_str(text).unwrap();
    let mut envelope: BTreeMap<String, Value> = serde_json::from_str(text).unwrap();
    let arrays = [("items", items), ("rows", rows)];
    let arrays =
        arrays.into_iter().filter_map(|(name, array)| array.filter(|array| array.get().starts_with('[')).zip(Some(name)));
    let Some((array, name)) = arrays.min_by_key(|(array, _)| array.get().as_ptr() as usize) else {
        return (Vec::new(), envelope);
    };
    envelope.insert(name.to_owned(), Value::Array(Vec::new()));
    let items: Vec<&RawValue> = serde_json::from_str(array.get()).unwrap();
    (items.into_iter().map(|item| item.get().to_owned()).collect(), envelope)
}

#[test]
fn random_lists_in_random_chunks_are_what_serde_reads_of_the_whole() {
    let mut chance = Chance(7);
    for round in 0..3000 {
        let mut text = String::new();
        space(&mut chance, &mut text);
        object(&mut chance, 4, &["items", "kind"], &mut text);
        space(&mut chance, &mut text);
        let (items, envelope) = expected(&text);
        let chunks = cut(&mut chance, text.as_bytes());
        let (taken, rest) = take_apart(ItemReader::default(), chunks.iter().copied());
        let taken: Vec<_> = taken.into_iter().map(|item| String::from_utf8(item).unwrap()).collect();
        assert_eq!(taken, items, "round {round}: {text}");
        let rest: BTreeMap<String, Value> = serde_json::from_slice(&rest.unwrap()).unwrap();
        assert_eq!(rest, envelope, "round {round}: {text}");
    }
}

#[test]
fn the_envelope_is_json_wherever_the_body_has_come_to() {
    let mut chance = Chance(8);
    for _ in 0..500 {
        let mut text = String::new();
        object(&mut chance, 3, &["items", "kind"], &mut text);
        let (_, whole) = expected(&text);
        let mut reader = ItemReader::default();
        for chunk in text.as_bytes().chunks(1 + chance.index(5)) {
            reader.push(chunk, &mut |item| assert!(serde_json::from_slice::<Value>(item.envelope).is_ok()));
            let so_far: BTreeMap<String, Value> = serde_json::from_slice(&reader.envelope()).unwrap();
            assert!(so_far.iter().all(|(name, value)| whole.get(name) == Some(value)), "{so_far:?} of {text}");
        }
        assert_eq!(serde_json::from_slice::<BTreeMap<String, Value>>(&reader.envelope()).unwrap(), whole);
    }
}

/// Whatever comes: the chunks make no difference, and what is taken for a list of good items is one.
#[test]
fn garbage_is_told_from_a_list_and_never_a_panic() {
    const PIECES: &[&str] = &[
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "\\",
        " ",
        "1",
        "null",
        "\"items\":[",
        "\"rows\":[",
        "\"metadata\":{",
        "\"object\":{",
        "\"managedFields\":",
        "{}",
        "\"a\":1",
        "\"a\"",
        "ä",
        "{\"metadata\":{\"managedFields\":[",
    ];
    let mut chance = Chance(9);
    let mut accepted = 0;
    for _ in 0..30_000 {
        let mut text = chance.text(&["", "{", "{\"items\":["], 1) + &chance.text(PIECES, 12);
        text += chance.of(&["", "}", "]}", "]}}"]);
        for leaves_out in [false, true] {
            let reader = || if leaves_out { ItemReader::without_managed_fields() } else { ItemReader::default() };
            let (items, end) = take_apart(reader(), [text.as_bytes()]);
            let chunks = cut(&mut chance, text.as_bytes());
            assert_eq!(take_apart(reader(), chunks), (items.clone(), end.clone()), "{text}");
            if !leaves_out {
                let good = end.is_ok() && items.iter().all(|item| serde_json::from_slice::<IgnoredAny>(item).is_ok());
                let is_object = text.trim_start().starts_with('{');
                assert_eq!(good, is_object && serde_json::from_str::<IgnoredAny>(&text).is_ok(), "{text}");
                accepted += usize::from(good);
            }
        }
        drop(without_managed_fields(text.as_bytes()));
    }
    assert!(accepted > 100, "{accepted}");
}

/// The tree of an object without the field at `path`.
fn tree_without(text: &str, path: &[&str]) -> Value {
    let mut tree: Value = serde_json::from_str(text).unwrap();
    let (last, parents) = path.split_last().unwrap();
    let parent = parents.iter().try_fold(&mut tree, |at, name| at.as_object_mut()?.get_mut(*name));
    if let Some(fields) = parent.and_then(Value::as_object_mut) {
        fields.remove(*last);
    }
    tree
}

#[test]
fn managed_fields_are_left_out_of_random_items_and_rows_and_nothing_else_is() {
    let mut chance = Chance(10);
    let mut left_out = 0;
    for _ in 0..3000 {
        let (mut fields, mut metadata) = (String::new(), String::new());
        object(&mut chance, 2, &["managedFields"], &mut metadata);
        object(&mut chance, 3, &["a", "b"], &mut fields);
        // `metadata` in place of one of the fields, at the front or behind all.
        let inner = fields.trim_end_matches('}').strip_prefix('{').unwrap();
        let tree: BTreeMap<String, Value> = serde_json::from_str(&fields).unwrap();
        let item = match (tree.contains_key("metadata"), chance.percent(50)) {
            (true, _) => fields.clone(),
            (false, true) => format!("{{\"metadata\" :{metadata},{inner}}}"),
            (false, false) => format!("{{{inner} , \"metadata\": {metadata}}}"),
        };
        let Ok(before) = serde_json::from_str::<Value>(&item) else { continue };
        let row = format!(r#"{{"cells":[1],"object": {item}, "metadata":{{"managedFields":1}}}}"#);
        let text = format!(r#"{{"items":[{item}, {item}]}}"#);
        let chunks = cut(&mut chance, text.as_bytes());
        let (items, _) = take_apart(ItemReader::without_managed_fields(), chunks);
        let wanted = tree_without(&item, &["metadata", "managedFields"]);
        left_out += usize::from(wanted != before);
        for item in &items {
            assert_eq!(serde_json::from_slice::<Value>(item).unwrap(), wanted, "{text}");
            assert_eq!(**item, *without_managed_fields(item), "once is enough");
        }
        assert_eq!(items.len(), 2);
        assert_eq!(*items[0], *without_managed_fields(item.as_bytes()));
        let text = format!(r#"{{"rows":[{row}]}}"#);
        let chunks = cut(&mut chance, text.as_bytes());
        let (rows, _) = take_apart(ItemReader::without_managed_fields(), chunks);
        let wanted = tree_without(&row, &["object", "metadata", "managedFields"]);
        assert_eq!(serde_json::from_slice::<Value>(&rows[0]).unwrap(), wanted, "{text}");
    }
    assert!(left_out > 1000, "{left_out}");
}

#[test]
fn what_is_left_out_takes_its_comma_along_and_leaves_all_else_byte_for_byte() {
    for (text, wanted) in [
        (r#"{"metadata":{"managedFields":[{"a":{}}]}}"#, r#"{"metadata":{}}"#),
        (r#"{"metadata":{"managedFields":[],"name":"a"}}"#, r#"{"metadata":{"name":"a"}}"#),
        (r#"{"metadata":{"name":"a","managedFields":[{"f":"}],"}]}}"#, r#"{"metadata":{"name":"a"}}"#),
        (r#"{"metadata":{"name":"a","managedFields":null,"uid":"u"},"b":1}"#, r#"{"metadata":{"name":"a","uid":"u"},"b":1}"#),
        (r#"{"metadata":{"name":"a" , "managedFields" : 7 , "uid":"u"}}"#, r#"{"metadata":{"name":"a" , "uid":"u"}}"#),
        (
            r#"{"spec":{"metadata":{"managedFields":1}},"metadata":{"managedFields":1}}"#,
            r#"{"spec":{"metadata":{"managedFields":1}},"metadata":{}}"#,
        ),
        (
            r#"{"managedFields":1,"metadata":{"managedFields":1,"managedFields":2,"a":1.0}}"#,
            r#"{"managedFields":1,"metadata":{"a":1.0}}"#,
        ),
        (r#"{"metadata":{"\u006danagedFields":1,"a":2}}"#, r#"{"metadata":{"a":2}}"#),
        (" {\"metadata\" :{\"managedFields\":1}} \n", " {\"metadata\" :{}} \n"),
    ] {
        assert_eq!(String::from_utf8_lossy(&without_managed_fields(text.as_bytes())), wanted, "{text}");
    }
}

#[test]
fn what_has_no_managed_fields_of_its_own_is_not_copied() {
    for text in [
        r#"{"metadata":{"annotations":{"managedFields":"x","a":"managedFields"},"labels":{"managedFields":"1"}},"spec":{"template":{"metadata":{"managedFields":[]}}}}"#,
        r#"{"metadata":["managedFields",1],"a":[{"metadata":{"managedFields":1}}]}"#,
        r#"[{"metadata":{"managedFields":1}}]"#,
        r#"{"metadata":{"managedFields":[1,2"#,
        r#"{"metadata":null,"spec":{"managedFields":1}}"#,
        "<html>",
        "",
    ] {
        assert!(matches!(without_managed_fields(text.as_bytes()), Cow::Borrowed(same) if same == text.as_bytes()), "{text}");
    }
}

#[test]
fn an_item_that_lies_in_one_chunk_is_a_part_of_it() {
    let first = br#"{"items":[{"a":1},{"b":"#;
    let range = first.as_ptr_range();
    let (mut reader, mut parts) = (ItemReader::default(), Vec::new());
    for chunk in [&first[..], b"2},7]}"] {
        reader.push(chunk, &mut |item| parts.push(range.contains(&item.text.as_ptr())));
    }
    assert_eq!(parts, [true, false, false]);
}

/// client-go's `TestReflectorListExtract`: what is kept of a list is an item, not the list. A reader holds no more than the
/// longest item at any time.
#[test]
fn a_reader_holds_one_item_however_long_the_list_is() {
    let (mut reader, mut count) = (ItemReader::without_managed_fields(), 0);
    reader.push(br#"{"kind":"PodList","items":[null"#, &mut |_| count += 1);
    let item = format!(r#",{{"metadata":{{"name":"a","managedFields":[1]}},"spec":"{}"}}"#, "x".repeat(1000));
    for chunk in item.repeat(10_000).as_bytes().chunks(333) {
        reader.push(chunk, &mut |_| count += 1);
        assert!(reader.element.text.capacity() < 4096 && reader.envelope.text.capacity() < 256);
    }
    reader.push(b"]}", &mut |_| count += 1);
    assert_eq!(count, 10_001);
    assert!(reader.finish().is_ok());
}

#[test]
fn brackets_in_any_depth_need_no_stack() {
    let deep = "[".repeat(1_000_000) + &"]".repeat(1_000_000);
    let (items, end) = whole(&format!(r#"{{"items":[{deep}]}}"#));
    assert_eq!((items.len(), items[0].len()), (1, deep.len()));
    assert!(end.is_ok());
}

#[test]
fn the_kind_and_the_columns_are_known_when_the_first_row_comes() {
    let text = r#"{"kind":"Table","columnDefinitions":[{"name":"Name"}],"rows":[{"cells":["a"]}],"metadata":{}}"#;
    let (mut reader, mut seen) = (ItemReader::default(), Vec::new());
    let first = text.find("],\"metadata").unwrap();
    reader
        .push(&text.as_bytes()[..first], &mut |row| seen.push((row.is_row, String::from_utf8_lossy(row.envelope).into_owned())));
    assert_eq!(seen, [(true, r#"{"kind":"Table","columnDefinitions":[{"name":"Name"}],"rows":[]}"#.to_owned())]);
}

#[test]
fn an_array_of_another_field_and_one_that_is_no_array_are_left_in_the_envelope() {
    for text in [r#"{"items":null,"a":[1]}"#, r#"{"items":{"items":[1]}}"#, r#"{"a":{"rows":[1]},"items":"[1]"}"#] {
        assert_eq!(whole(text), (Vec::new(), Ok(text.as_bytes().to_vec())), "{text}");
    }
    let (items, end) = whole(r#"{"items":[1],"rows":[2]}"#);
    assert_eq!((items, end.unwrap()), (vec![b"1".to_vec()], br#"{"items":[],"rows":[2]}"#.to_vec()));
}

#[test]
fn what_is_wrong_with_a_body_is_said_and_where() {
    for (text, words) in [
        ("", "the list could not be read: it is empty"),
        ("  <html>oops", "it is no JSON object at byte 2, after 0 items; it starts with \"<html>oops\""),
        ("[1]", "it is no JSON object at byte 0"),
        (
            r#"{"kind":"PodList","items":[{},{"a":"#,
            r#"it is cut after 35 bytes and 1 items; it starts with "{\"kind\":\"PodList\""#,
        ),
        (r#"{"items":[1 2]}"#, "there is no comma at byte 12, after 1 items"),
        (r#"{"items":[1,]}"#, "there is no item at byte 12, after 1 items"),
        (r#"{"items":[}"#, "there is no item at byte 10"),
        (r#"{"items":[1]} {"#, "something follows its end at byte 14, after 1 items"),
        (r#"{"items":[1],"kind":tru}"#, "expected ident at line 1 column 23, not counting its 1 items"),
    ] {
        let (_, end) = whole(text);
        let error = end.unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
        let (_, in_bytes) = take_apart(ItemReader::default(), text.as_bytes().chunks(1));
        if !text.contains("html") {
            assert_eq!(in_bytes.unwrap_err().to_string(), error, "{text}");
        }
    }
}
