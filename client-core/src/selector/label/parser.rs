//! From text to requirements: the parser of apimachinery's `pkg/labels/selector.go`.
//!
//! ```text
//! selector    = [ requirement { "," requirement } ]
//! requirement = key | "!" key | key sign [ value ] | key ( "in" | "notin" ) "(" [ value ] { "," [ value ] } ")"
//! sign        = "=" | "==" | "!=" | ">" | "<"
//! ```
//!
//! A value left out is the empty one. `in` and `notin` are operators only where an operator can stand.

use super::{
    Operator, Requirement,
    lexer::{Token, Tokens},
    syntax::check_key,
};
use crate::selector::ParseSelectorError;

/// The requirements of a selector, in the order of the text.
pub(super) fn parse(text: &str) -> Result<Vec<Requirement>, ParseSelectorError> {
    let mut tokens = Tokens::new(text);
    let mut requirements = Vec::new();
    if tokens.peek().token == Token::End {
        return Ok(requirements);
    }
    loop {
        requirements.push(requirement(&mut tokens)?);
        let next = tokens.next();
        match next.token {
            Token::End => return Ok(requirements),
            Token::Sign(",") => {}
            _ => return Err(next.instead_of("\",\" or the end")),
        }
    }
}

fn requirement(tokens: &mut Tokens<'_>) -> Result<Requirement, ParseSelectorError> {
    let mut spot = tokens.next();
    let negated = spot.token == Token::Sign("!");
    if negated {
        spot = tokens.next();
    }
    let Token::Word(key) = spot.token else {
        return Err(spot.instead_of(if negated { "a label's key" } else { "\"!\" or a label's key" }));
    };
    check_key(key).map_err(|expected| spot.instead_of(expected))?;
    let operator = if negated { Operator::DoesNotExist } else { operator(tokens)? };
    let values = match operator {
        Operator::Exists | Operator::DoesNotExist => Vec::new(),
        Operator::In | Operator::NotIn => set_of_values(tokens, operator)?,
        _ => vec![exact_value(tokens, operator)?],
    };
    Ok(Requirement::from_checked(key.to_owned(), operator, values))
}

/// The operator after a key. That there is none is one as well; what ends the requirement stays.
fn operator(tokens: &mut Tokens<'_>) -> Result<Operator, ParseSelectorError> {
    let spot = tokens.peek();
    let operator = match spot.token {
        Token::End | Token::Sign(",") => return Ok(Operator::Exists),
        Token::Sign("=") => Operator::Equals,
        Token::Sign("==") => Operator::DoubleEquals,
        Token::Sign("!=") => Operator::NotEquals,
        Token::Sign(">") => Operator::GreaterThan,
        Token::Sign("<") => Operator::LessThan,
        Token::Word("in") => Operator::In,
        Token::Word("notin") => Operator::NotIn,
        _ => {
            return Err(spot.instead_of("an operator (\"=\", \"==\", \"!=\", \"in\", \"notin\", \">\", \"<\"), \",\" or the end"));
        }
    };
    tokens.next();
    Ok(operator)
}

/// `(a,b)`, each value once or more, each perhaps empty.
fn set_of_values(tokens: &mut Tokens<'_>, operator: Operator) -> Result<Vec<String>, ParseSelectorError> {
    let open = tokens.next();
    if open.token != Token::Sign("(") {
        return Err(open.instead_of("\"(\""));
    }
    let mut values = Vec::new();
    loop {
        let spot = tokens.peek();
        let wanted = match spot.token {
            Token::Word(_) => "\",\" or \")\"",
            _ => "a value, \",\" or \")\"",
        };
        values.push(value(tokens, operator)?);
        let next = tokens.next();
        match next.token {
            Token::Sign(")") => return Ok(values),
            Token::Sign(",") => {}
            _ => return Err(next.instead_of(wanted)),
        }
    }
}

/// The one value after a sign; what ends the requirement stays.
fn exact_value(tokens: &mut Tokens<'_>, operator: Operator) -> Result<String, ParseSelectorError> {
    let spot = tokens.peek();
    match spot.token {
        Token::Word(_) | Token::End | Token::Sign(",") => value(tokens, operator),
        Token::Sign(_) => Err(spot.instead_of("a value, \",\" or the end")),
    }
}

/// The word that stands next, or the empty value where none does; what is no word stays.
fn value(tokens: &mut Tokens<'_>, operator: Operator) -> Result<String, ParseSelectorError> {
    let spot = tokens.peek();
    let text = match spot.token {
        Token::Word(text) => {
            tokens.next();
            text
        }
        _ => "",
    };
    operator.check_value(text).map_err(|expected| spot.instead_of(expected))?;
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn printed(text: &str) -> Vec<String> {
        parse(text).unwrap_or_else(|error| panic!("{text:?}: {error}")).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn every_form_of_a_requirement_is_read_and_no_other() {
        for (text, expected) in [
            ("", &[][..]),
            (" \t\r\n", &[]),
            ("\rx", &["x"]),
            ("a ", &["a"]),
            ("! x", &["!x"]),
            ("x=a", &["x=a"]),
            ("x = a", &["x=a"]),
            ("x==a", &["x==a"]),
            ("x!=a", &["x!=a"]),
            ("x=", &["x="]),
            ("x= ,z!= ", &["x=", "z!="]),
            ("x>1,z<5", &["x>1", "z<5"]),
            ("x=a,y!=b,z in (h,i,j)", &["x=a", "y!=b", "z in (h,i,j)"]),
            ("x,y in (a)", &["x", "y in (a)"]),
            ("this-is-a-dns.domain.com/key-with-dash", &["this-is-a-dns.domain.com/key-with-dash"]),
            ("a-dns.domain.com/key-with-dash in (so,what)", &["a-dns.domain.com/key-with-dash in (so,what)"]),
            ("0.1.2.domain/99 notin (10.10.100.1, tick.tack.clock)", &["0.1.2.domain/99 notin (10.10.100.1,tick.tack.clock)"]),
            ("foo  in\t (abc)", &["foo in (abc)"]),
            ("x notin\n (abc)", &["x notin (abc)"]),
            ("x  notin\t\t(def,abc)", &["x notin (abc,def)"]),
            ("x in (abc,)", &["x in (,abc)"]),
            ("x in (a,,a,,a,,a,,)", &["x in (,a)"]),
            ("x notin ( )", &["x notin ()"]),
            ("x notin (abc,,def),bar,z in (),w", &["x notin (,abc,def)", "bar", "z in ()", "w"]),
            ("a in (x,y,notin, z,in)", &["a in (in,notin,x,y,z)"]),
        ] {
            assert_eq!(printed(text), expected, "{text:?}");
        }
        for text in [
            "x=a||y=b",
            "x,,y",
            ",x,y",
            "x nott in (y)",
            "a in (xyz),",
            "a in (xyz)b notin ()",
            "a in (xyz abc)",
            "a notin(",
            "a (",
            "(",
        ] {
            assert!(parse(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn values_left_out_of_a_set_are_empty_and_count_once() {
        for (text, expected) in [
            ("x in ()", "x in ()"),
            ("x notin ( )", "x notin ()"),
            ("x in (,)", "x in ()"),
            ("x in (abc,)", "x in (,abc)"),
            ("x notin (, a)", "x notin (,a)"),
            ("x in (abc,abc)", "x in (abc)"),
            ("x in (a,,)", "x in (,a)"),
            ("x in (a,,,,,,)", "x in (,a)"),
            ("x in (a,,a,,a,,a,,)", "x in (,a)"),
            ("x notin (abc,,def)", "x notin (,abc,def)"),
        ] {
            assert_eq!(printed(text), [expected], "{text:?}");
        }
    }

    #[test]
    fn in_and_notin_are_keys_and_values_where_no_operator_can_stand() {
        for (text, expected) in [
            ("a in (x,y,notin, z,in)", "a in (in,notin,x,y,z)"),
            ("notin=in", "notin=in"),
            ("in in (in)", "in in (in)"),
            ("notin notin (notin)", "notin notin (notin)"),
            ("in", "in"),
            ("!notin", "!notin"),
        ] {
            assert_eq!(printed(text), [expected], "{text:?}");
        }
    }

    #[test]
    fn what_is_no_operator_is_refused_where_one_is_expected() {
        for operator in ["=", "==", "!=", ">", "<", "in", "notin"] {
            assert!(parse(&format!("x {operator} {}", if operator.ends_with("in") { "(1)" } else { "1" })).is_ok(), "{operator}");
        }
        for (text, found) in
            [("x ! 1", "\"!\""), ("x exists", "\"exists\""), ("x (", "\"(\""), ("x IN (a)", "\"IN\""), ("x gt 1", "\"gt\"")]
        {
            let error = parse(text).unwrap_err();
            assert_eq!((error.position(), error.found()), (2, found), "{text:?}");
            assert!(error.expected().starts_with("an operator"), "{error}");
        }
    }

    #[test]
    fn an_error_says_where_it_is_what_stands_there_and_what_was_expected() {
        for (text, position, found, expected) in [
            ("x=a||y=b", 2, "\"a||y\"", "nothing, or 1 to 63 letters"),
            ("x==a==b", 4, "\"==\"", "\",\" or the end"),
            ("x===a", 3, "\"=\"", "a value, \",\" or the end"),
            ("!x=a", 2, "\"=\"", "\",\" or the end"),
            ("!", 1, "the end", "a label's key"),
            ("!!x", 1, "\"!\"", "a label's key"),
            ("x<a", 2, "\"a\"", "an integer"),
            ("x> ", 3, "the end", "an integer"),
            ("x,,y", 2, "\",\"", "\"!\" or a label's key"),
            (",x,y", 0, "\",\"", "\"!\" or a label's key"),
            ("a in (xyz),", 11, "the end", "\"!\" or a label's key"),
            ("x nott in (y)", 2, "\"nott\"", "an operator"),
            ("a in (xyz)b notin ()", 10, "\"b\"", "\",\" or the end"),
            ("a in (xyz abc)", 10, "\"abc\"", "\",\" or \")\""),
            ("a notin(", 8, "the end", "a value, \",\" or \")\""),
            ("a in (b,", 8, "the end", "a value, \",\" or \")\""),
            ("a in (b", 7, "the end", "\",\" or \")\""),
            ("a in (=)", 6, "\"=\"", "a value, \",\" or \")\""),
            ("a in b", 5, "\"b\"", "\"(\""),
            ("(", 0, "\"(\"", "\"!\" or a label's key"),
            ("ok, -bad=x y", 4, "\"-bad\"", "a name of 1 to 63 letters"),
            ("ok in (ok, -bad)", 11, "\"-bad\"", "nothing, or 1 to 63 letters"),
            ("x\0=a", 0, "\"x\\u{0}\"", "a name of 1 to 63 letters"),
            ("ā", 0, "\"ā\"", "a name of 1 to 63 letters"),
        ] {
            let error = parse(text).unwrap_err();
            assert_eq!((error.position(), error.found()), (position, found), "{text:?}: {error}");
            assert!(error.expected().starts_with(expected), "{text:?}: {error}");
        }
        let message = "at byte 4 of the selector: found \"==\", expected \",\" or the end";
        assert_eq!(parse("x==a==b").unwrap_err().to_string(), message);
    }
}
