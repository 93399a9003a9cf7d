//! JSON without quotes, so that tables of documents can be read.

use crate::json::Value;

/// The document that `{a:[b,{c:1}],$d/e:null}` is: a word that is no JSON by itself is a string.
pub(super) fn doc(text: &str) -> Value {
    let mut json = String::new();
    let mut word = String::new();
    for character in text.chars().chain([' ']) {
        if !"{}[],: \n".contains(character) {
            word.push(character);
            continue;
        }
        if word.parse::<Value>().is_ok() || word.is_empty() {
            json.push_str(&word);
        } else {
            json.push_str(&Value::from(&*word).to_string());
        }
        word.clear();
        json.push(character);
    }
    json.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn words_become_strings_and_json_stays() {
        let text = doc("{name:a, $setElementOrder/x:[1,1.0,true,null], \"q\":{}}").to_string();
        assert_eq!(text, r#"{"$setElementOrder/x":[1,1.0,true,null],"name":"a","q":{}}"#);
    }
}
