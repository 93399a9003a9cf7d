//! Properties of patches between random workloads.

use super::workload::{Check, Hand, against_both};
use crate::{
    json::{Map, Value},
    patch::{
        ThreeWay,
        random::Random,
        strategic::{OnConflict, PatchSchema, apply, create_three_way, create_two_way, find_conflict},
    },
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const NAMES: [&str; 5] = ["a", "b", "c", "d", "e"];

/// A workload that fits the schema: names are unique in each list, nothing is `null`.
fn workload(random: &mut Random, depth: usize, schema: Hand) -> Map {
    let mut fields = Map::new();
    for name in ["image", "tier", "other"] {
        if random.once_in(2) {
            fields.insert(name.to_owned(), random.scalar());
        }
    }
    if random.once_in(3) {
        fields.insert("labels".to_owned(), labels(random));
    }
    if random.once_in(3) {
        fields.insert("finalizers".to_owned(), random.some_of(&["x", "y", "z", "10", "9"]).into());
    }
    if depth == 0 {
        return fields;
    }
    let lists: &[&str] = match schema {
        Hand::Workload => &["containers", "sidecars", "volumes", "rules"],
        _ => &["containers", "rules"],
    };
    for list in lists {
        if random.once_in(3) {
            fields.insert((*list).to_owned(), items(random, depth - 1));
        }
    }
    if schema == Hand::Workload {
        if random.once_in(3) {
            fields.insert("args".to_owned(), (0..random.below(4)).map(|_| random.scalar()).collect::<Vec<_>>().into());
        }
        if random.once_in(3) {
            fields.insert("strategy".to_owned(), workload(random, depth - 1, Hand::Strategy).into());
        }
        if random.once_in(4) {
            fields.insert("template".to_owned(), random.object(2, false).into());
        }
    }
    fields
}

fn labels(random: &mut Random) -> Value {
    let names = random.some_of(&NAMES);
    Value::Object(names.into_iter().map(|name| (name.to_owned(), random.scalar())).collect())
}

fn items(random: &mut Random, depth: usize) -> Value {
    let names = random.some_of(&NAMES);
    let item = |name| {
        let mut fields = workload(random, depth, Hand::Workload);
        fields.insert("name".to_owned(), Value::from(name));
        Value::Object(fields)
    };
    names.into_iter().map(item).collect::<Vec<_>>().into()
}

/// The workload with some fields as another one has them.
fn changed(random: &mut Random, from: &Map, depth: usize) -> Map {
    let other = workload(random, depth, Hand::Workload);
    let mut fields = from.clone();
    for name in from.keys().chain(other.keys()) {
        match (random.below(3), other.get(name)) {
            (0, _) => drop(fields.remove(name)),
            (1, Some(value)) => drop(fields.insert(name.clone(), value.clone())),
            _ => {}
        }
    }
    for list in ["containers", "sidecars", "volumes"] {
        if let Some(Value::Array(items)) = fields.get_mut(list) {
            for item in items.iter_mut() {
                if let (Some(inner), true) = (item.as_object_mut(), random.once_in(2)) {
                    let name = inner.get("name").cloned().unwrap();
                    *inner = changed(random, inner, depth.saturating_sub(1));
                    inner.insert("name".to_owned(), name);
                }
            }
            if !items.is_empty() && random.once_in(3) {
                let middle = random.below(items.len());
                items.rotate_left(middle);
            }
        }
    }
    fields
}

struct Documents {
    original: Value,
    modified: Value,
    current: Value,
}

impl Documents {
    fn random(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let original = workload(&mut random, 2, Hand::Workload);
        let modified = changed(&mut random, &original, 2);
        let current = changed(&mut random, &original, 2);
        Self { original: original.into(), modified: modified.into(), current: current.into() }
    }
}

fn applied(document: &Value, patch: &Value, schema: &impl PatchSchema) -> Value {
    let mut document = document.clone();
    // The patch goes as text, as it would to a server.
    apply(&mut document, &patch.to_string().parse().unwrap(), schema).unwrap();
    document
}

/// A patch of two documents yields the one when applied to the other.
struct TwoWay(Documents);

impl Check for TwoWay {
    fn against(&self, schema: &impl PatchSchema) {
        let Documents { original, modified, .. } = &self.0;
        let patch = create_two_way(original, modified, schema, &[]).unwrap();
        assert_eq!(applied(original, &patch, schema), *modified, "{original}\nby {patch}");
        assert_eq!(create_two_way(modified, modified, schema, &[]).unwrap(), Value::object());
        let from_nothing = create_two_way(&Value::Null, modified, schema, &[]).unwrap();
        assert_eq!(applied(&Value::Null, &from_nothing, schema), *modified);
    }
}

#[test]
fn a_patch_of_two_applied_to_the_one_yields_the_other() {
    for seed in 0..300 {
        against_both(&TwoWay(Documents::random(seed)));
    }
}

/// After a patch of three nothing is left to do, and where nobody else changed anything it is a patch of two.
struct OfThree(Documents);

impl Check for OfThree {
    fn against(&self, schema: &impl PatchSchema) {
        let Documents { original, modified, current } = &self.0;
        let create =
            |original, current, on_conflict| create_three_way(ThreeWay { original, modified, current }, schema, on_conflict, &[]);
        let patch = create(original, current, OnConflict::Overwrite).unwrap();
        let result = applied(current, &patch, schema);
        let again = create(modified, &result, OnConflict::Fail).unwrap();
        let after = applied(&result, &again, schema);
        assert_eq!(after, result, "{patch}\nand again {again}");

        let alone = create(original, original, OnConflict::Fail).unwrap();
        assert_eq!(applied(original, &alone, schema), *modified, "{original}\nby {alone}");

        // A patch is refused exactly where it conflicts with the change of others.
        let theirs = create_two_way(original, current, schema, &[]).unwrap();
        let refused = create(original, current, OnConflict::Fail).is_err_and(|error| error.is_conflict());
        let without_orders = |patch: &Value| without_orders(patch.clone());
        let conflict = find_conflict(&without_orders(&patch), &without_orders(&theirs), schema).unwrap();
        assert_eq!(refused, conflict.is_some(), "{patch}\nand {theirs}");
    }
}

fn without_orders(patch: Value) -> Value {
    match patch {
        Value::Object(fields) => {
            let kept = fields.into_iter().filter(|(name, _)| !name.starts_with("$setElementOrder"));
            Value::Object(kept.map(|(name, value)| (name, without_orders(value))).collect())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(without_orders).collect()),
        scalar => scalar,
    }
}

#[test]
fn a_patch_of_three_is_done_once_and_refused_only_for_a_conflict() {
    for seed in 0..300 {
        against_both(&OfThree(Documents::random(seed)));
    }
}
