//! Messages made by hand, cut, lying and without sense.

use serde_json::{Value, json};

use super::{
    reader::{Ordered, Reader, Wire},
    writer::{bytes_field, number_field, varint},
    *,
};
use crate::{
    meta::Status,
    object::{Object as _, PartialObjectMetadata, Unstructured},
    platform::Chance,
    wire::{LengthFramer, WatchEvent},
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const SCHEMA: &str = "# A comment.
v1/Thing 1:metadata:@meta.k8s.io/v1/ObjectMeta 2:text:s 3:shortText:?s 4:count:i 5:size:?i 6:ratio:d 7:on:b 8:off:?b 9:data:y \
10:at:T 11:exactly:U 12:amount:Q 13:port:I 14:any:J 15:names:*s 16:labels:%s 17:part:@.Part 18::^@.Inner 19:parts:*@.Part \
20:limits:%Q 21:extra:%L 22:sizes:*i 23:either:B@.Part 24:several:A@.Part 25:words:S@.Part 26:deep:@.Thing 27:bytes:%y
v1/Part 1:name:?s 2:inner:@.Part
v1/Inner 1:host:s 2:path:?s
v1/ThingList 1:metadata:@meta.k8s.io/v1/ListMeta 2:items:*@.Thing
meta.k8s.io/v1/ObjectMeta 1:name:?s 6:resourceVersion:?s 12:annotations:%s
meta.k8s.io/v1/ListMeta 2:resourceVersion:?s
meta.k8s.io/v1/Status 2:status:?s 3:message:?s 4:reason:?s 6:code:?i
";

fn schema() -> Schema {
    Schema::parse(SCHEMA).unwrap()
}

fn enveloped(kind: &str, raw: &[u8]) -> Vec<u8> {
    Envelope { api_version: "v1", kind, raw }.write()
}

fn message(fields: &[(u32, &[u8])]) -> Vec<u8> {
    let mut out = Vec::new();
    for (number, bytes) in fields {
        bytes_field(*number, bytes, &mut out);
    }
    out
}

fn number(field: u32, value: i64) -> Vec<u8> {
    let mut out = Vec::new();
    number_field(field, value, &mut out);
    out
}

fn read(raw: &[u8]) -> Result<Value, ProtobufError> {
    decode_object(&schema(), &enveloped("Thing", raw))
}

/// What a thing holds beside its kind.
fn fields(raw: &[u8]) -> Value {
    let mut value = read(raw).unwrap();
    let object = value.as_object_mut().unwrap();
    assert_eq!((object.remove("apiVersion"), object.remove("kind")), (Some("v1".into()), Some("Thing".into())));
    value
}

/// A thing with everything that there is.
fn whole() -> Value {
    json!({
        "apiVersion": "v1", "kind": "Thing", "metadata": { "name": "a", "annotations": { "x": "", "": "y" } }, "text": "名前",
        "shortText": "s", "count": -7, "size": i64::MAX, "ratio": 0.5, "on": true, "off": true, "data": "AP8=",
        "at": "2026-11-30T01:50:31Z", "exactly": "2026-11-30T01:50:31.000017Z", "amount": "1500m", "port": "http",
        "any": { "a": [1, null, "b"] }, "names": ["a", "", "b"], "labels": { "k": "v" }, "part": { "inner": { "name": "p" } },
        "host": "h", "path": "/", "parts": [{ "name": "1" }, {}], "limits": { "cpu": "1" }, "extra": { "e": ["1", "2"] },
        "sizes": [0, -1, 300], "either": false, "several": [{ "name": "q" }], "words": ["w"], "deep": { "count": 0 },
        "bytes": { "b": "" },
    })
}

#[test]
fn an_envelope_says_the_kind_and_other_bytes_are_refused() {
    let body = enveloped("Thing", b"abc");
    assert_eq!(Envelope::read(&body).unwrap(), Envelope { api_version: "v1", kind: "Thing", raw: b"abc" });
    for other in [&b""[..], b"k8s", b"k8t\0", b"{\"kind\":\"Thing\"}"] {
        assert_eq!(Envelope::read(other), Err(ProtobufError::Magic), "{other:?}");
    }
    assert_eq!(Envelope::read(MAGIC), Err(ProtobufError::Truncated));
    let gzip = [MAGIC.as_slice(), &message(&[(3, b"gzip")])].concat();
    assert_eq!(Envelope::read(&gzip), Err(ProtobufError::Encoding { encoding: "gzip".into() }));
    let unknown = decode_object::<Value>(&schema(), &enveloped("Pod", b"")).unwrap_err();
    assert_eq!(unknown.to_string(), "the schema of protobuf has no Pod of \"v1\": ask for JSON");
}

#[test]
fn an_envelope_is_written_and_read_byte_for_byte_as_by_go() {
    let empty = b"k8s\0\x0a\x04\x0a\0\x12\0\x12\0\x1a\0\x22\0";
    let full = b"k8s\0\x0a\x15\x0a\x0dother/version\x12\x04test\x12\x07k8s\0\x01\x02\x03\x1a\0\x22\0";
    for (envelope, bytes) in [
        (Envelope::default(), &empty[..]),
        // What is in it may look like an envelope.
        (Envelope { api_version: "other/version", kind: "test", raw: b"k8s\0\x01\x02\x03" }, full),
    ] {
        assert_eq!(envelope.write(), bytes);
        assert_eq!(Envelope::read(bytes), Ok(envelope));
    }
    assert_eq!(Envelope::read(b"k"), Err(ProtobufError::Magic));
    assert_eq!(Envelope::read(b"k8s\x01"), Err(ProtobufError::Magic));
}

#[test]
fn a_body_that_is_cut_anywhere_is_refused_or_whole() {
    let body = encode_object(&schema(), &whole()).unwrap();
    let kind_and_raw = body.len() - 4;
    for length in 0..body.len() {
        let cut = decode_object::<Value>(&schema(), &body[..length]);
        assert!(cut.is_err() || length >= kind_and_raw, "{length} of {}: {cut:?}", body.len());
    }
    let raw = Envelope::read(&body).unwrap().raw;
    // A message may end after each of its fields; within one it is refused, and is never more than what was written.
    for length in 0..raw.len() {
        if let Ok(cut) = read(&raw[..length]) {
            assert!(cut.as_object().unwrap().len() < whole().as_object().unwrap().len());
        }
    }
    assert_eq!(read(&raw[..raw.len() - 1]), Err(ProtobufError::Truncated));
}

#[test]
fn a_length_that_lies_is_refused_and_nothing_is_made_for_it() {
    let lie = |length: u64| {
        let mut raw = vec![0x12];
        varint(length, &mut raw);
        [raw, b"abc".to_vec()].concat()
    };
    assert_eq!(fields(&lie(3)), json!({ "text": "abc" }));
    for length in [4, 1 << 31, u64::from(u32::MAX), 1 << 40, i64::MAX.cast_unsigned(), u64::MAX] {
        assert_eq!(read(&lie(length)), Err(ProtobufError::Truncated), "{length}");
    }
    // It reaches beyond its own message, but not beyond the body.
    let nested = [message(&[(17, &[0x0a, 5, b'a'])]), message(&[(2, b"bcdefg")])].concat();
    assert_eq!(read(&nested), Err(ProtobufError::Truncated));
    let entry = message(&[(16, &[0x0a, 9])]);
    assert_eq!(read(&entry), Err(ProtobufError::Truncated));
}

#[test]
fn numbers_of_more_than_64_bits_and_impossible_tags_are_refused() {
    assert_eq!(fields(&[&[0x20][..], &[0xff; 9], &[1]].concat()), json!({ "count": -1 }));
    assert_eq!(read(&[&[0x20][..], &[0xff; 9], &[2]].concat()), Err(ProtobufError::Varint));
    assert_eq!(read(&[&[0x20][..], &[0x80; 30]].concat()), Err(ProtobufError::Varint));
    assert_eq!(read(&[&[0x20][..], &[0x80; 9]].concat()), Err(ProtobufError::Truncated));
    for tag in [0, 2, 3, 4, 6, 7, 0x13, 0x14, 1 << 32, u64::MAX] {
        let mut raw = Vec::new();
        varint(tag, &mut raw);
        raw.extend([0; 16]);
        assert_eq!(read(&raw), Err(ProtobufError::Tag { tag }), "{tag}");
    }
}

#[test]
fn fields_that_are_not_known_are_passed_over() {
    let unknown = [
        number(99, 7),
        message(&[(1000, b"\xff\xff")]),
        [&[0xe9, 0x07][..], &[1; 8]].concat(),
        [&[0xed, 0x07][..], &[1; 4]].concat(),
        message(&[((1 << 29) - 1, b"")]),
    ];
    for unknown in &unknown {
        let raw = [unknown.as_slice(), &message(&[(2, b"a"), (17, unknown)]), unknown].concat();
        assert_eq!(fields(&raw), json!({ "text": "a", "part": {} }), "{unknown:?}");
    }
}

#[test]
fn the_order_of_fields_does_not_matter_and_the_last_of_one_counts() {
    let raw = [
        message(&[(19, &message(&[(1, b"1")])), (15, b"a"), (18, &message(&[(2, b"/"), (1, b"h")])), (2, b"first")]),
        message(&[(15, b"b"), (2, b"last"), (19, b"")]),
        number(4, 1),
    ]
    .concat();
    let expected =
        json!({ "text": "last", "count": 1, "names": ["a", "b"], "host": "h", "path": "/", "parts": [{ "name": "1" }, {}] });
    assert_eq!(fields(&raw), expected);
    let mut ordered = Ordered::new(&raw).unwrap();
    let numbers: Vec<_> = std::iter::from_fn(|| ordered.next().unwrap()).map(|(number, _)| number).collect();
    assert_eq!(numbers, [2, 2, 4, 15, 15, 18, 19, 19]);
}

#[test]
fn what_json_leaves_out_is_left_out_and_a_zero_that_was_set_is_kept() {
    let zeros = [
        message(&[(2, b""), (3, b"")]),
        number(4, 0),
        number(5, 0),
        number(7, 0),
        number(8, 0),
        message(&[(10, b""), (11, b""), (14, b""), (17, b""), (18, &message(&[(1, b""), (2, b"")]))]),
    ];
    let expected = json!({ "text": "", "count": 0, "on": false, "part": {}, "host": "" });
    assert_eq!(fields(&zeros.concat()), expected);
}

#[test]
fn everything_is_written_and_read_back() {
    let body = encode_object(&schema(), &whole()).unwrap();
    assert_eq!(decode_object::<Value>(&schema(), &body).unwrap(), whole());
    for (name, value) in [
        ("either", json!({ "name": "b" })),
        ("either", json!(true)),
        ("several", json!({ "name": "s" })),
        ("words", json!({})),
        ("port", json!(8080)),
        ("port", json!("")),
        ("ratio", json!(3.0)),
        ("any", json!(7)),
        ("exactly", json!("2026-11-30T01:50:31.000000Z")),
    ] {
        let thing = json!({ "apiVersion": "v1", "kind": "Thing", name: value });
        let body = encode_object(&schema(), &thing).unwrap();
        assert_eq!(decode_object::<Value>(&schema(), &body).unwrap(), thing, "{name}");
    }
}

#[test]
fn an_object_in_place_of_json_is_read_as_an_object() {
    let inner = enveloped("Thing", &message(&[(2, b"in")]));
    let raw = message(&[(14, &message(&[(1, &inner)]))]);
    assert_eq!(fields(&raw), json!({ "any": { "apiVersion": "v1", "kind": "Thing", "text": "in" } }));
}

#[test]
fn nothing_is_written_that_would_be_lost() {
    let refused = |thing: Value| encode_object(&schema(), &thing).unwrap_err().to_string();
    for (field, value, error) in [
        ("other", json!(1), "the field \"other\" is not in the schema of protobuf: write it as JSON"),
        ("part", json!({ "kind": "Part" }), "the field \"part.kind\" is not in the schema of protobuf: write it as JSON"),
        ("part", json!({ "inner": { "x": 1 } }), "the field \"part.inner.x\" is not in the schema of protobuf: write it as JSON"),
        ("count", json!("7"), "count: a whole number was expected, and it is a string"),
        ("count", json!(7.5), "count: a whole number was expected, and it is a number"),
        ("names", json!({}), "names: a list was expected, and it is an object"),
        ("at", json!("yesterday"), "at: a time was expected, and it is a string"),
        ("data", json!("?"), "data: bytes in base64 was expected, and it is a string"),
    ] {
        assert_eq!(refused(json!({ "apiVersion": "v1", "kind": "Thing", field: value })), error);
    }
    assert!(refused(json!({ "text": "a" })).contains("has no "));
    // Within another object the kind has no place, and is known from it.
    let nested = json!({ "apiVersion": "v1", "kind": "Thing", "deep": { "apiVersion": "v1", "kind": "Thing", "text": "a" } });
    let body = encode_object(&schema(), &nested).unwrap();
    assert_eq!(fields(Envelope::read(&body).unwrap().raw), json!({ "deep": { "text": "a" } }));
    // What is null is not there.
    let body = encode_object(&schema(), &json!({ "apiVersion": "v1", "kind": "Thing", "other": null }));
    assert!(body.is_err());
    let body = encode_object(&schema(), &json!({ "apiVersion": "v1", "kind": "Thing", "count": null })).unwrap();
    assert_eq!(fields(Envelope::read(&body).unwrap().raw), json!({}));
}

#[test]
fn values_of_another_form_say_where_they_are() {
    let error = |raw: &[u8]| read(raw).unwrap_err().to_string();
    assert_eq!(error(&number(2, 1)), "text: a field with bytes was expected, and it has Varint(1)");
    assert_eq!(error(&message(&[(4, b"a")])), "count: a number was expected, and it is Bytes([97])");
    assert!(
        error(&message(&[(17, &message(&[(2, &message(&[(1, b"\xff")]))]))]))
            .starts_with("part: inner: name: a text is no UTF-8")
    );
    assert!(error(&message(&[(14, &message(&[(1, b"{")]))])).starts_with("any: EOF while parsing"));
    assert!(error(&message(&[(10, &number(2, 1_000_000_000))])).starts_with("at: a time has more"));
    assert!(error(&message(&[(13, &number(1, 2))])).starts_with("port: there is no form 2"));
}

#[test]
fn messages_without_end_are_refused() {
    let nested = |levels: usize| (0..levels).fold(Vec::new(), |inner, _| message(&[(26, &inner)]));
    assert!(read(&nested(100)).is_ok());
    for levels in [130, 10_000] {
        assert!(matches!(read(&nested(levels)), Err(ProtobufError::Depth { .. })), "{levels}");
    }
    let objects = (0..200).fold(Vec::new(), |inner, _| enveloped("Thing", &message(&[(14, &message(&[(1, &inner)]))])));
    assert!(matches!(decode_object::<Value>(&schema(), &objects), Err(ProtobufError::Depth { .. })));
}

#[test]
fn one_bad_item_of_a_list_stops_nothing() {
    let items = [message(&[(2, b"a")]), message(&[(2, b"\xff")]), message(&[(2, b"c")])];
    let raw = message(&[(1, &message(&[(2, b"7")])), (2, &items[0]), (2, &items[1]), (2, &items[2])]);
    let (schema, body) = (schema(), enveloped("ThingList", &raw));
    let list = ProtobufList::new(&schema, &body).unwrap();
    assert_eq!((list.kind(), list.metadata.resource_version.as_str()), (("v1", "ThingList"), "7"));
    let read: Vec<_> = list.items.iter().map(|item| list.read::<Value>(item).ok()).collect();
    let thing = |text: &str| Some(json!({ "apiVersion": "v1", "kind": "Thing", "text": text }));
    assert_eq!(read, [thing("a"), None, thing("c")]);
    let whole = decode_object_list::<Value>(&schema, &body).unwrap_err().to_string();
    assert!(whole.starts_with("item 1: text: a text is no UTF-8"), "{whole}");
    assert!(ProtobufList::new(&schema, &enveloped("Thing", b"")).is_err());
}

fn event(kind: &str, object: &[u8]) -> Vec<u8> {
    message(&[(1, kind.as_bytes()), (2, &message(&[(1, object)]))])
}

#[test]
fn each_type_of_event_is_read_and_a_bad_one_stops_nothing() {
    let thing = |text: &[u8]| enveloped("Thing", &message(&[(2, text)]));
    let meta = message(&[(6, b"12"), (12, &message(&[(1, b"k8s.io/initial-events-end"), (2, b"true")]))]);
    let gone = [message(&[(2, b"Failure"), (4, b"Expired")]), number(6, 410)].concat();
    let frames = [
        event("ADDED", &thing(b"a")),
        event("MODIFIED", &thing(b"\xff")),
        event("DELETED", &thing(b"c")),
        event("BOOKMARK", &enveloped("Thing", &message(&[(1, &meta)]))),
        event("ERROR", &enveloped("Status", &gone)),
        event("OTHER", &thing(b"a")),
        event("ADDED", b"{}"),
        Vec::new(),
    ];
    let stream: Vec<u8> =
        frames.iter().flat_map(|frame| [&u32::try_from(frame.len()).unwrap().to_be_bytes(), frame.as_slice()].concat()).collect();
    let (schema, mut events) = (schema(), Vec::new());
    let mut cutter = LengthFramer::default();
    for chunk in stream.chunks(7) {
        cutter.push(chunk, |frame| events.push(decode_protobuf_event::<Value>(&schema, frame.unwrap())));
    }
    let text = |event: &WatchEvent<Value>| event.object().unwrap()["text"].clone();
    assert!(matches!(&events[0], Ok(event @ WatchEvent::Added(_)) if text(event) == "a"));
    assert!(events[1].as_ref().unwrap_err().to_string().starts_with("an event of the watch could not be read: text: a text"));
    assert!(matches!(&events[2], Ok(event @ WatchEvent::Deleted(_)) if text(event) == "c"));
    assert!(
        matches!(&events[3], Ok(WatchEvent::Bookmark(mark)) if mark.ends_initial_events && mark.resource_version.as_str() == "12")
    );
    assert!(matches!(&events[4], Ok(WatchEvent::Error(status)) if status.is_expired()));
    assert!(events[5..].iter().all(Result::is_err), "{events:?}");
}

#[test]
fn metadata_is_the_same_as_from_json() {
    let text = r#"{"apiVersion":"meta.k8s.io/v1","kind":"PartialObjectMetadata","metadata":{"name":"a","generateName":"a-","namespace":"b","uid":"c","resourceVersion":"18014398509481985","generation":7,"creationTimestamp":"2026-11-30T01:50:31Z","deletionTimestamp":"2026-11-30T01:50:32Z","deletionGracePeriodSeconds":0,"labels":{"l":"1"},"annotations":{"x":""},"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"r","uid":"u","controller":true,"blockOwnerDeletion":false}],"finalizers":["f"],"managedFields":[{"manager":"m","operation":"Update","apiVersion":"v1","time":"2026-11-30T01:50:31Z","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"k:{\"a\":1.50}":1.50}}}]}}"#;
    let schema = Schema::metadata();
    let json: PartialObjectMetadata = serde_json::from_str(text).unwrap();
    let body = encode_object(&schema, &json).unwrap();
    let read: PartialObjectMetadata = decode_object(&schema, &body).unwrap();
    assert_eq!(read.metadata().managed_fields.len(), 1);
    assert_eq!(serde_json::to_value(&read).unwrap(), serde_json::to_value(&json).unwrap());
    let any: Unstructured = decode_object(&schema, &body).unwrap();
    assert_eq!((any.name(), any.group_version_kind().kind.as_str()), ("a", "PartialObjectMetadata"));
}

#[test]
fn a_status_is_read_whichever_version_the_server_names() {
    let status = json!({ "apiVersion": "v1", "kind": "Status", "metadata": {}, "status": "Failure", "message": "m",
        "reason": "NotFound", "details": { "name": "a", "kind": "pods", "causes": [{ "message": "c" }], "retryAfterSeconds": 3 },
        "code": 404 });
    let body = encode_object(&Schema::metadata(), &status).unwrap();
    let read: Status = decode_object(&Schema::metadata(), &body).unwrap();
    assert!(read.is_not_found());
    assert_eq!((read.code, read.details.causes[0].message.as_str(), read.details.retry_after_seconds), (404, "c", 3));
}

#[test]
fn the_schema_of_kubernetes_is_whole_and_has_that_of_metadata() {
    let (kubernetes, metadata) = (include_str!("kubernetes.txt"), include_str!("metadata.txt"));
    for text in [kubernetes, metadata] {
        Schema::parse(text).unwrap();
    }
    let lines: std::collections::BTreeSet<_> = kubernetes.lines().collect();
    assert!(metadata.lines().all(|line| lines.contains(line)));
    let schema = Schema::kubernetes();
    for (api_version, kind) in [("v1", "Pod"), ("v1", "PodList"), ("apps/v1", "Deployment"), ("v1", "Status")] {
        assert!(schema.has(api_version, kind), "{kind}");
    }
    assert!(!schema.has("v1", "Deployment") && !Schema::metadata().has("v1", "Pod"));
    assert!(Schema::metadata().has("meta.k8s.io/v1", "PartialObjectMetadataList"));
}

#[cfg(feature = "typed")]
#[test]
fn the_schema_has_every_kind_that_has_a_client() {
    let schema = Schema::kubernetes();
    for built_in in crate::clients::ClientSet::built_in() {
        let version = built_in.resource.group_version.to_string();
        assert!(schema.has(&version, built_in.kind), "{version} {}", built_in.kind);
    }
}

#[test]
fn a_schema_with_a_wrong_line_is_refused() {
    for word in [
        "x",
        "1",
        "1:a",
        "0:a:s",
        "-1:a:s",
        "1:a:w",
        "1:a:@.None",
        "1:a:@other/None",
        "1::s",
        "1:a:^@.A",
        "1:a:B",
        "600000000:a:s",
    ] {
        let error = Schema::parse(&format!("# c\nv1/A {word}\n")).unwrap_err();
        assert_eq!(error, ProtobufError::Schema { line: 2, word: word.to_owned() });
    }
}

#[test]
fn bytes_without_sense_are_read_or_refused_and_never_a_panic() {
    let (schema, mut dice) = (schema(), Chance(7));
    let body = encode_object(&schema, &whole()).unwrap();
    let list = enveloped("ThingList", &message(&[(2, Envelope::read(&body).unwrap().raw), (2, b"")]));
    let (mut read, mut refused) = (0, 0);
    for round in 0..20_000 {
        let mut bytes = if round % 3 == 0 { list.clone() } else { body.clone() };
        for _ in 0..=dice.index(4) {
            let at = dice.index(bytes.len());
            match dice.index(5) {
                0 => bytes[at] = u8::try_from(dice.index(256)).unwrap(),
                1 => bytes[at] ^= 1 << dice.index(8),
                2 => bytes.truncate(at.max(4)),
                3 => bytes.insert(at, u8::try_from(dice.index(256)).unwrap()),
                _ => {
                    let (from, length) = (dice.index(bytes.len()), dice.index(40));
                    let piece = bytes[from..(from + length).min(bytes.len())].to_vec();
                    bytes.splice(at..at, piece);
                }
            }
        }
        let value = decode_object::<Value>(&schema, &bytes);
        let outcomes = [
            value.as_ref().is_ok(),
            value.is_ok_and(|value| encode_object(&schema, &value).is_ok()),
            decode_object_list::<Value>(&schema, &bytes).is_ok(),
            decode_object::<PartialObjectMetadata>(&schema, &bytes).is_ok(),
            decode_protobuf_event::<Value>(&schema, bytes.get(4..).unwrap_or_default()).is_ok(),
        ];
        let well = outcomes.iter().filter(|is_ok| **is_ok).count();
        (read, refused) = (read + well, refused + outcomes.len() - well);
    }
    assert!(read > 1000 && refused > 1000, "{read} were read, {refused} refused");
}

#[test]
fn the_four_encodings_of_a_field_are_told_apart() {
    let raw = [number(1, 300), [&[0x11][..], &[1, 0, 0, 0, 0, 0, 0, 0]].concat(), message(&[(3, b"x")]), vec![0x25, 2, 0, 0, 0]];
    let raw = raw.concat();
    let mut reader = Reader::new(&raw);
    let read: Vec<_> = std::iter::from_fn(|| reader.next().unwrap()).collect();
    assert_eq!(read, [(1, Wire::Varint(300)), (2, Wire::Fixed64(1)), (3, Wire::Bytes(b"x")), (4, Wire::Fixed32(2))]);
}
