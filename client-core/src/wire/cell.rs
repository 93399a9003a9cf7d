//! One cell of a table.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, SeqAccess, Visitor},
};

/// A cell as the server sent it. It prints as kubectl prints it (cli-runtime `tableprinter.go`).
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Cell {
    /// No value; prints nothing.
    #[default]
    Null,
    /// A text.
    Text(Box<str>),
    /// A whole number.
    Integer(i64),
    /// Another number.
    Float(f64),
    /// A truth value.
    Bool(bool),
}

impl fmt::Display for Cell {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => Ok(()),
            // A row is one line: the text up to its first line break.
            Self::Text(text) => match text.split_once(['\n', '\r', '\u{c}']) {
                Some((line, _)) => write!(formatter, "{line}..."),
                None => formatter.write_str(text),
            },
            Self::Integer(number) => write!(formatter, "{number}"),
            Self::Float(number) => formatter.write_str(&as_go_writes(*number)),
            Self::Bool(value) => write!(formatter, "{value}"),
        }
    }
}

/// A float the way Go's `%v` has it: the shortest digits, with an exponent below -4 and from 6 on.
fn as_go_writes(number: f64) -> String {
    if number == 0.0 || !number.is_finite() {
        return format!("{number}");
    }
    let scientific = format!("{number:e}");
    let Some((mantissa, exponent)) = scientific.split_once('e') else { return scientific };
    match exponent.parse::<i32>() {
        Ok(exponent) if !(-4..6).contains(&exponent) => {
            format!("{mantissa}e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs())
        }
        _ => format!("{number}"),
    }
}

impl<'de> Deserialize<'de> for Cell {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(CellVisitor)
    }
}

struct CellVisitor;

impl<'de> Visitor<'de> for CellVisitor {
    type Value = Cell;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a cell")
    }

    fn visit_unit<E>(self) -> Result<Cell, E> {
        Ok(Cell::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Cell, E> {
        Ok(Cell::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Cell, E> {
        Ok(Cell::Integer(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Cell, E> {
        Ok(i64::try_from(value).map_or(Cell::Float(value as f64), Cell::Integer))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Cell, E> {
        Ok(Cell::Float(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Cell, E> {
        Ok(Cell::Text(value.into()))
    }

    fn visit_string<E>(self, value: String) -> Result<Cell, E> {
        Ok(Cell::Text(value.into()))
    }

    /// A list prints as Go prints one: `[a b]`.
    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Cell, A::Error> {
        let mut parts = Vec::new();
        while let Some(item) = items.next_element::<Cell>()? {
            parts.push(nested(&item));
        }
        Ok(Cell::Text(format!("[{}]", parts.join(" ")).into()))
    }

    /// An object prints as Go prints a map: `map[a:1 b:2]`, by key.
    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Cell, A::Error> {
        let mut parts = Vec::new();
        while let Some((key, value)) = entries.next_entry::<String, Cell>()? {
            let part = format!("{key}:{}", nested(&value));
            let at = parts.partition_point(|other| *other < part);
            parts.insert(at, part);
        }
        Ok(Cell::Text(format!("map[{}]", parts.join(" ")).into()))
    }
}

fn nested(cell: &Cell) -> String {
    match cell {
        Cell::Null => "<nil>".to_owned(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn printed(json: &str) -> String {
        serde_json::from_str::<Cell>(json).unwrap().to_string()
    }

    #[test]
    fn cells_print_as_kubectl_prints_them() {
        for (json, text) in [
            ("null", ""),
            ("\"a\\nb\"", "a..."),
            ("7", "7"),
            ("9007199254740993", "9007199254740993"),
            ("1.0", "1"),
            ("0.5", "0.5"),
            ("1e21", "1e+21"),
            ("1e20", "1e+20"),
            ("100000.5", "100000.5"),
            ("999999.9", "999999.9"),
            ("1e6", "1e+06"),
            ("-1234567.8", "-1.2345678e+06"),
            ("123456789.1234567", "1.234567891234567e+08"),
            ("18446744073709551615", "1.8446744073709552e+19"),
            ("0.0001", "0.0001"),
            ("0.00001", "1e-05"),
            ("true", "true"),
            ("[\"a\",1,null]", "[a 1 <nil>]"),
            ("{\"b\":1,\"a\":\"x\"}", "map[a:x b:1]"),
        ] {
            assert_eq!(printed(json), text, "{json}");
        }
    }
}
