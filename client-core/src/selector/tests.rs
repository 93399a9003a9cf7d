//! Selectors made by chance: what is printed reads back as the same selector, and a selector matches as its parts say.

use std::collections::BTreeMap;

use super::*;
use crate::platform::Chance;
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const ROUNDS: u64 = 3_000;

/// Few keys and values, so that selectors and labels often meet.
const KEYS: [&str; 7] = ["a", "b", "in", "notin", "example.com/a", "A_b.c-d", "0"];
const VALUES: [&str; 9] = ["", "a", "b", "in", "notin", "0", "7", "10", "x_y.Z-0"];

/// A condition in parts, and what it means, said another way than the code does.
#[derive(Debug)]
struct Condition {
    key: &'static str,
    operator: Operator,
    values: Vec<&'static str>,
}

impl Condition {
    fn random(chance: &mut Chance) -> Self {
        let (key, value) = (chance.of(&KEYS), chance.of(&VALUES));
        let (operator, values) = match chance.index(9) {
            0 => (Operator::Equals, vec![value]),
            1 => (Operator::DoubleEquals, vec![value]),
            2 => (Operator::NotEquals, vec![value]),
            3 => (Operator::GreaterThan, vec![chance.of(&["0", "7", "007", "10"])]),
            4 => (Operator::LessThan, vec![chance.of(&["0", "7", "007", "10"])]),
            5 => (Operator::Exists, vec![]),
            6 => (Operator::DoesNotExist, vec![]),
            set => {
                let values = (0..=chance.index(4)).map(|_| chance.of(&VALUES)).collect();
                (if set == 7 { Operator::In } else { Operator::NotIn }, values)
            }
        };
        Self { key, operator, values }
    }

    fn holds(&self, labels: &BTreeMap<String, String>) -> bool {
        let label = labels.get(self.key).map(String::as_str);
        let number = |text: &str| text.parse::<i64>().ok();
        let compare = |wanted| {
            let numbers = label.and_then(number).zip(number(self.values[0]));
            numbers.is_some_and(|(label, bound)| label.cmp(&bound) == wanted)
        };
        let listed = label.is_some_and(|label| self.values.contains(&label));
        match self.operator {
            Operator::Equals | Operator::DoubleEquals | Operator::In => listed,
            Operator::NotEquals | Operator::NotIn => !listed,
            Operator::GreaterThan => compare(std::cmp::Ordering::Greater),
            Operator::LessThan => compare(std::cmp::Ordering::Less),
            Operator::Exists => label.is_some(),
            Operator::DoesNotExist => label.is_none(),
        }
    }

    fn requirement(&self) -> Requirement {
        Requirement::new(self.key, self.operator, self.values.iter().copied()).unwrap()
    }
}

fn labels(chance: &mut Chance) -> BTreeMap<String, String> {
    (0..chance.index(5)).map(|_| (chance.of(&KEYS).to_owned(), chance.of(&VALUES).to_owned())).collect()
}

#[test]
fn a_random_label_selector_reads_back_and_matches_as_its_conditions_do() {
    let mut matched = 0;
    for seed in 0..ROUNDS {
        let mut chance = Chance(seed);
        let conditions: Vec<Condition> = (0..chance.index(4)).map(|_| Condition::random(&mut chance)).collect();
        let selector: LabelSelector = conditions.iter().map(Condition::requirement).collect();
        let again: LabelSelector = selector.to_string().parse().unwrap();
        assert_eq!(again, selector, "seed {seed}");
        assert_eq!(again.to_string(), selector.to_string(), "seed {seed}");
        let backwards: LabelSelector = conditions.iter().rev().map(Condition::requirement).collect();
        assert_eq!(backwards, selector, "seed {seed}");
        for _ in 0..8 {
            let labels = labels(&mut chance);
            let expected = conditions.iter().all(|condition| condition.holds(&labels));
            assert_eq!(again.matches(&labels), expected, "seed {seed}: {selector} on {labels:?}");
            matched += u64::from(expected);
        }
    }
    assert!(matched > ROUNDS && matched < 7 * ROUNDS, "{matched} matches show little");
}

#[test]
fn a_random_label_selector_matches_the_same_as_an_object() {
    for seed in 0..ROUNDS {
        let mut chance = Chance(seed);
        let conditions = (0..chance.index(4)).map(|_| Condition::random(&mut chance).requirement());
        let selector: LabelSelector = conditions.collect();
        let Ok(spec) = LabelSelectorSpec::try_from(&selector) else {
            assert!(selector.to_string().contains(['<', '>']), "seed {seed}: {selector}");
            continue;
        };
        let again = spec.as_selector().unwrap();
        for _ in 0..8 {
            let labels = labels(&mut chance);
            assert_eq!(again.matches(&labels), selector.matches(&labels), "seed {seed}: {selector} on {labels:?}");
        }
    }
}

#[test]
fn a_random_field_selector_reads_back_and_matches_as_its_conditions_do() {
    const FIELDS: [&str; 4] = ["metadata.name", "spec.nodeName", "a", "함"];
    const PIECES: [&str; 7] = ["a", "\\", ",", "=", "!", " ", "함"];
    let mut matched = 0;
    for seed in 0..ROUNDS {
        let mut chance = Chance(seed);
        let values: Vec<String> = (0..3).map(|_| chance.text(&PIECES, 4)).collect();
        let conditions: Vec<(&str, FieldOperator, &String)> = (0..chance.index(4))
            .map(|_| {
                let operator = chance.of(&[FieldOperator::Equals, FieldOperator::NotEquals]);
                (chance.of(&FIELDS), operator, &values[chance.index(3)])
            })
            .collect();
        let requirements = conditions.iter().map(|(field, operator, value)| FieldRequirement::new(*field, *operator, *value));
        let selector: FieldSelector = requirements.collect::<Result<_, _>>().unwrap();
        let again: FieldSelector = selector.to_string().parse().unwrap();
        assert_eq!(again, selector, "seed {seed}");
        for _ in 0..8 {
            let fields: BTreeMap<&str, &String> =
                (0..chance.index(4)).map(|_| (chance.of(&FIELDS), &values[chance.index(3)])).collect();
            let expected = conditions.iter().all(|(field, operator, value)| {
                let own = fields.get(field).map_or("", |own| own.as_str());
                if *operator == FieldOperator::Equals { own == *value } else { own != *value }
            });
            assert_eq!(again.matches(&fields), expected, "seed {seed}: {selector} on {fields:?}");
            matched += u64::from(expected);
        }
    }
    assert!(matched > ROUNDS && matched < 7 * ROUNDS, "{matched} matches show little");
}

#[test]
fn any_text_is_a_selector_that_reads_back_or_an_error_with_a_place() {
    const PIECES: [&str; 16] = ["a", "in", " in ", "notin", "(", ")", ",", "=", "==", "!", "<", ">", "\\", " ", "7", "함"];
    let (mut labels_read, mut fields_read) = (0, 0);
    for seed in 0..10 * ROUNDS {
        let text = Chance(seed).text(&PIECES, 8);
        let refused = |error: ParseSelectorError| {
            assert!(text.is_char_boundary(error.position()), "{text:?}: {error}");
            let shown = error.found().trim_matches('"');
            assert!(shown == "the end" || text[error.position()..].starts_with(shown), "{text:?}: {error}");
        };
        match text.parse::<LabelSelector>() {
            Ok(selector) => {
                labels_read += 1;
                assert_eq!(selector.to_string().parse(), Ok(selector), "{text:?}");
            }
            Err(error) => refused(error),
        }
        match text.parse::<FieldSelector>() {
            Ok(selector) => {
                fields_read += 1;
                assert_eq!(selector.to_string().parse(), Ok(selector), "{text:?}");
            }
            Err(error) => refused(error),
        }
        if let Err(error) = text.parse::<LabelSet>() {
            refused(error);
        }
    }
    assert!(labels_read > 1_000 && fields_read > 1_000, "{labels_read} and {fields_read} were read");
}
