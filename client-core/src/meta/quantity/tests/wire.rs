//! Quantities in JSON, YAML and protobuf.

#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use serde::{Deserialize, Serialize};

use super::super::{Quantity, QuantityFormat};

fn read(json: &str) -> Result<Quantity, serde_json::Error> {
    serde_json::from_str(json)
}

#[test]
fn white_space_around_a_text_or_number_is_left_out() {
    for (json, text) in [
        (r#"" 1""#, "1"),
        (r#""1 ""#, "1"),
        (r#""\n1Gi\t""#, "1Gi"),
        ("1", "1"),
        (" 1", "1"),
        ("1 ", "1"),
        ("10", "10"),
        ("-1", "-1"),
        (" -1", "-1"),
    ] {
        assert_eq!(read(json).unwrap().to_string(), text, "{json}");
    }
}

#[test]
fn numbers_are_read_with_the_value_they_show() {
    for (json, text) in [
        ("0", "0"),
        ("1.5", "1500m"),
        ("0.1", "100m"),
        ("-0.001", "-1m"),
        ("18446744073709551615", "18446744073709551615"),
        ("-9223372036854775808", "-9223372036854775808"),
        ("1e3", "1k"),
        ("1e21", "1e21"),
        ("1e-12", "1n"),
    ] {
        assert_eq!(read(json).unwrap().to_string(), text, "{json}");
    }
}

#[test]
fn null_and_an_empty_text_are_zero_and_other_values_are_refused() {
    #[derive(Deserialize)]
    struct Holder {
        #[serde(default)]
        capacity: Quantity,
        #[serde(default)]
        limit: Option<Quantity>,
    }
    for json in ["{}", r#"{"capacity":null,"limit":null}"#, r#"{"capacity":""}"#, r#"{"capacity":" "}"#] {
        let holder: Holder = serde_json::from_str(json).unwrap();
        assert_eq!((holder.capacity.to_string(), holder.limit), ("0".to_owned(), None), "{json}");
    }
    for json in ["true", "[]", "{}", r#""1 Gi""#, r#""aoeu""#, r#""1.1.M""#] {
        assert!(read(json).is_err(), "{json}");
    }
    let message = read(r#""aoeu""#).unwrap_err().to_string();
    assert!(message.contains("\"aoeu\" is not a quantity"), "{message}");
}

#[test]
fn a_value_of_a_command_line_is_read_and_written_to_json() {
    assert!("invalid".parse::<Quantity>().is_err());
    let size: Quantity = "1Mi".parse().unwrap();
    assert_eq!(size.value(), 1024 * 1024);
    assert_eq!(serde_json::to_string(&size).unwrap(), r#""1Mi""#);
}

#[test]
fn yaml_gives_the_same_as_json() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Limits {
        cpu: Quantity,
        memory: Quantity,
        none: Quantity,
    }
    let json: Limits = serde_json::from_str(r#"{"cpu":2,"memory":"1.5Gi","none":null}"#).unwrap();
    for yaml in [
        "cpu: 2\nmemory: 1.5Gi\nnone: null\n",
        "cpu: \"2\"\nmemory: '1536Mi'\nnone: \"\"\n",
        "cpu: 2.0\nmemory: 1.5Gi\nnone: 0\n",
    ] {
        assert_eq!(serde_saphyr::from_str::<Limits>(yaml).unwrap(), json, "{yaml}");
    }
    let written = serde_saphyr::to_string(&json).unwrap();
    assert_eq!(serde_saphyr::from_str::<Limits>(&written).unwrap(), json, "{written}");
    assert!(written.contains("memory: 1536Mi"), "{written}");
}

#[test]
fn the_text_in_a_protobuf_message_is_the_canonical_one() {
    for (value, scale, text) in [(0, 0, "0"), (100, -3, "100m"), (50, -3, "50m"), (10, 12, "10T"), (10, 0, "10"), (-10, 0, "-10")]
    {
        assert_eq!(Quantity::from_scaled(value, scale).to_string(), text);
        assert_eq!(text.parse::<Quantity>().unwrap().to_string(), text, "and stays it");
    }
    assert_eq!("10000T".parse::<Quantity>().unwrap().to_string(), "10P");
}

#[test]
fn the_text_in_a_protobuf_message_is_read_as_any_other() {
    for (text, value, scale) in
        [("0", 0, 0), ("100m", 100, -3), ("50m", 50, -3), ("10000T", 10_000, 12), ("10", 10, 0), ("-10", -10, 0)]
    {
        let read: Quantity = text.parse().unwrap();
        assert_eq!((read, read.format()), (Quantity::from_scaled(value, scale), QuantityFormat::DecimalSi));
    }
}

#[test]
fn a_format_is_named_as_in_apimachinery() {
    for (format, name) in [
        (QuantityFormat::BinarySi, r#""BinarySI""#),
        (QuantityFormat::DecimalSi, r#""DecimalSI""#),
        (QuantityFormat::DecimalExponent, r#""DecimalExponent""#),
    ] {
        assert_eq!(serde_json::to_string(&format).unwrap(), name);
    }
}
