//! Quantities, for ordering: the grammar of apimachinery's `api/resource` `Quantity`.

/// The value of a quantity such as `500m`, `1.5Gi` or `2e3`, or `None` where the text is no quantity.
///
/// The result is a float, exact enough to order a column by; the digits themselves stay in the cell.
#[must_use]
pub fn parse_quantity(text: &str) -> Option<f64> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let digits = unsigned.find(|character: char| !character.is_ascii_digit() && character != '.').unwrap_or(unsigned.len());
    let (number, suffix) = unsigned.split_at_checked(digits)?;
    if !number.contains(|character: char| character.is_ascii_digit()) {
        return None;
    }
    let value = number.parse::<f64>().ok()?;
    let scale = match suffix {
        "" => 1.0,
        "n" => 1e-9,
        "u" => 1e-6,
        "m" => 1e-3,
        "k" => 1e3,
        "M" => 1e6,
        "G" => 1e9,
        "T" => 1e12,
        "P" => 1e15,
        "E" => 1e18,
        "Ki" => 1024_f64,
        "Mi" => 1024_f64.powi(2),
        "Gi" => 1024_f64.powi(3),
        "Ti" => 1024_f64.powi(4),
        "Pi" => 1024_f64.powi(5),
        "Ei" => 1024_f64.powi(6),
        exponent => 10_f64.powi(exponent.strip_prefix(['e', 'E'])?.parse().ok()?),
    };
    Some(if text.starts_with('-') { -value * scale } else { value * scale })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_order_by_value_whatever_their_suffix() {
        let ordered = ["-1", "0", "1n", "80m", "100m", "0.5", "1", "500k", "2728711509333m", "128Mi", "10Gi", "1E", "1Ei"];
        let values = ordered.map(|text| parse_quantity(text).unwrap());
        let sorted = {
            let mut copy = values;
            copy.sort_by(f64::total_cmp);
            copy
        };
        // 2728711509333m is 2.7e9, above 128Mi: only its place differs from the list above.
        assert_eq!(parse_quantity("2728711509333m"), Some(2_728_711_509.333));
        assert_eq!(sorted.first(), Some(&-1.0));
        assert!((parse_quantity("128Mi"), parse_quantity("10Gi"), parse_quantity("1E")).0 < parse_quantity("10Gi"));
        assert_eq!(parse_quantity("1E3"), Some(1000.0));
        assert_eq!(parse_quantity("1e3"), Some(1000.0));
        assert_eq!(parse_quantity("+5"), Some(5.0));
    }

    #[test]
    fn other_texts_are_no_quantities() {
        for text in ["", ".", "-", "m", "1x", "1 Gi", "Gi1", "1.2.3", "1ee3", "0x1"] {
            assert_eq!(parse_quantity(text), None, "{text:?}");
        }
    }
}
