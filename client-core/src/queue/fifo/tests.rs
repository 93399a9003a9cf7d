use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::{
    object::PartialObjectMetadata,
    queue::testing::{Known, drain, object, words},
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

type Pods = Fifo<PartialObjectMetadata>;

/// One that takes lists and resyncs apart, against what is known.
fn apart() -> Pods {
    apart_by(BATCH_SIZE)
}

fn apart_by(batch_size: usize) -> Pods {
    Fifo::new(FifoOptions { atomic: false, batch_size, ..FifoOptions::default() })
}

fn one_by_one() -> Pods {
    apart_by(1)
}

fn objects(list: &[(&str, u32)]) -> Vec<PartialObjectMetadata> {
    list.iter().map(|(name, version)| object(name, *version)).collect()
}

#[test]
fn a_listed_object_whose_deletion_is_queued_comes_after_it() {
    let mut queue = apart();
    let known = Known::of(&[("foo", 1)]);
    queue.delete(object("foo", 1), &known);
    queue.replace(objects(&[("foo", 2)]), "2".into(), &known);
    assert_eq!(drain(&mut queue), "-foo1 | =foo2");
}

#[test]
fn what_is_only_queued_is_deleted_once_by_lists_without_it() {
    type Operations = fn(&mut Pods);
    let table: [(Operations, &str); 6] = [
        (|queue| queue.add(object("foo", 2)), "+foo2 †foo2"),
        (
            |queue| {
                queue.add(object("foo", 2));
                queue.delete(object("foo", 2), &());
            },
            "+foo2 -foo2",
        ),
        (
            |queue| {
                queue.add(object("foo", 2));
                queue.replace(objects(&[("foo", 2)]), "0".into(), &());
                queue.replace(objects(&[("foo", 2)]), "0".into(), &());
            },
            "+foo2 =foo2 =foo2 †foo2",
        ),
        (
            |queue| {
                queue.add(object("foo", 2));
                queue.replace(Vec::<PartialObjectMetadata>::new(), "0".into(), &());
            },
            "+foo2 †foo2",
        ),
        (
            |queue| {
                queue.add(object("foo", 2));
                queue.delete(object("foo", 2), &());
                queue.add(object("foo", 3));
            },
            "+foo2 -foo2 +foo3 †foo3",
        ),
        (|queue| queue.bookmark("123".into()), ""),
    ];
    for (operations, expected) in table {
        let mut queue = one_by_one();
        operations(&mut queue);
        queue.replace(Vec::<PartialObjectMetadata>::new(), "1".into(), &());
        assert_eq!(drain(&mut queue).replace(" | ", " "), expected);
    }
}

#[test]
fn every_event_of_an_object_comes_out() {
    let mut queue = apart();
    queue.add(object("foo", 10));
    queue.update(object("foo", 12));
    queue.delete(object("foo", 15), &());
    assert_eq!((queue.len(), queue.is_empty()), (3, false));
    assert_eq!(drain(&mut queue), "+foo10 | ~foo12 | -foo15");
    assert_eq!((queue.len(), queue.is_empty()), (0, true));
}

#[test]
fn a_transform_sees_each_object_once_and_neither_tombstones_nor_what_is_looked_at_again() {
    for atomic in [true, false] {
        let transform: Box<dyn Transform<PartialObjectMetadata>> = Box::new(|object: &mut PartialObjectMetadata| {
            let generation = object.metadata.generation.get_or_insert(0);
            *generation += 1;
            object.metadata.namespace = "hidden".into();
        });
        let mut queue = Fifo::new(FifoOptions { transform: Some(transform), atomic, ..FifoOptions::default() });
        let mut known = Known::default();
        let mut said = Vec::new();
        let mut take_out = |queue: &mut Pods, known: &mut Known| {
            while let Some(popped) = queue.pop() {
                said.push(words(&popped.deltas));
                for delta in &popped.deltas {
                    let generation = delta.object().map_or(1, |object| object.metadata.generation.unwrap_or(0));
                    assert_eq!(generation, 1, "{delta:?}");
                }
                known.apply(popped);
            }
        };
        queue.add(object("foo", 10));
        queue.add(object("bar", 11));
        queue.update(object("foo", 12));
        queue.delete(object("foo", 15), &known);
        queue.replace(objects(&[("baz", 16)]), "16".into(), &known);
        take_out(&mut queue, &mut known);
        queue.resync(&known);
        take_out(&mut queue, &mut known);
        queue.clear(&known);
        take_out(&mut queue, &mut known);
        assert!(known.0.is_empty());
        let expected = if atomic {
            ["+foo10 +bar11", "~foo12", "-foo15", "[baz16]@16", "all", "†baz16"].as_slice()
        } else {
            ["+foo10 +bar11", "~foo12", "-foo15 †bar11 =baz16", "obaz16", "†baz16"].as_slice()
        };
        assert_eq!(said, expected);
    }
}

#[test]
fn a_transform_sees_what_a_whole_list_has_once() {
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    let transform: Box<dyn Transform<PartialObjectMetadata>> = Box::new(move |_: &mut PartialObjectMetadata| {
        counted.fetch_add(1, Ordering::Relaxed);
    });
    let mut queue = Fifo::new(FifoOptions { transform: Some(transform), ..FifoOptions::default() });
    queue.replace(objects(&[("a", 1), ("b", 2)]), "2".into(), &());
    queue.begin_replace();
    queue.replace_item(object("c", 3));
    queue.end_replace("3".into(), &());
    queue.delete_unseen(Key::new("c"), None, &());
    assert_eq!(count.load(Ordering::Relaxed), 3);
}

#[test]
fn a_deletion_of_what_nobody_knows_comes_out() {
    let mut queue = apart();
    queue.add(object("foo", 10));
    queue.update(object("bar", 15));
    queue.add(object("qux", 17));
    queue.delete(object("qux", 18), &());
    queue.delete(object("baz", 20), &());
    queue.delete_unseen(Key::new("quux"), None, &());
    assert_eq!(drain(&mut queue), "+foo10 ~bar15 +qux17 | -qux18 -baz20 †quux");
}

#[test]
fn a_deletion_of_what_is_known_comes_out() {
    let mut queue = apart();
    queue.add(object("foo", 10));
    queue.update(object("bar", 15));
    queue.delete(object("baz", 20), &Known::of(&[("foo", 5), ("bar", 6), ("baz", 7)]));
    assert_eq!(drain(&mut queue), "+foo10 ~bar15 -baz20");
}

#[test]
fn an_addition_before_a_list_and_the_listed_object_both_come_out() {
    let mut queue = apart();
    queue.add(object("foo", 10));
    queue.replace(objects(&[("foo", 15)]), "0".into(), &());
    assert_eq!(drain(&mut queue), "+foo10 | =foo15");
}

#[test]
fn a_resync_passes_over_what_is_queued_as_deleted() {
    let mut queue = apart();
    let known = Known::of(&[("foo", 5)]);
    queue.delete(object("foo", 10), &known);
    queue.resync(&known);
    assert_eq!(drain(&mut queue), "-foo10");
}

#[test]
fn a_resync_has_each_known_object_looked_at_again() {
    let mut queue = apart();
    queue.resync(&Known::of(&[("bar", 4), ("foo", 5)]));
    assert_eq!(drain(&mut queue), "obar4 ofoo5");
    queue.resync(&());
    assert_eq!(drain(&mut queue), "");
}

#[test]
fn a_resync_does_not_go_back_behind_an_update_that_is_queued() {
    let mut queue = apart();
    queue.update(object("foo", 6));
    queue.resync(&Known::of(&[("foo", 5)]));
    assert_eq!(drain(&mut queue), "~foo6");
}

#[test]
fn a_deletion_of_what_is_only_queued_comes_out() {
    let mut queue = apart();
    queue.add(object("foo", 5));
    queue.delete(object("foo", 6), &());
    assert_eq!(drain(&mut queue), "+foo5 | -foo6");
}

#[test]
fn a_list_deletes_first_what_it_does_not_have_with_the_newest_state_there_is() {
    type Operations = fn(&mut Pods, &Known);
    let table: [(Operations, &str); 4] = [
        (|queue, known| queue.delete(object("baz", 10), known), "-baz10 †bar6 =foo5"),
        (|queue, _| queue.add(object("baz", 10)), "+baz10 †baz10 †bar6 =foo5"),
        (
            |queue, known| {
                queue.delete(object("bar", 6), known);
                queue.add(object("bar", 100));
            },
            "-bar6 +bar100 †bar100 †baz7 =foo5",
        ),
        (
            |queue, known| queue.replace(objects(&[("bar", 100), ("foo", 5)]), "0".into(), known),
            "†baz7 =bar100 =foo5 †bar100 =foo5",
        ),
    ];
    for (operations, expected) in table {
        let mut queue = one_by_one();
        let known = Known::of(&[("foo", 5), ("bar", 6), ("baz", 7)]);
        operations(&mut queue, &known);
        queue.replace(objects(&[("foo", 5)]), "0".into(), &known);
        assert_eq!(drain(&mut queue).replace(" | ", " "), expected);
    }

    let mut queue = one_by_one();
    queue.add(object("baz", 10));
    queue.replace(objects(&[("foo", 5)]), "0".into(), &());
    assert_eq!(drain(&mut queue), "+baz10 | †baz10 | =foo5");
}

#[test]
fn what_a_list_has_is_replaced_and_not_merely_looked_at_again() {
    let mut queue = apart();
    let known = Known::of(&[("foo", 5), ("bar", 6), ("baz", 7)]);
    queue.delete(object("baz", 10), &known);
    queue.replace(objects(&[("foo", 6)]), "0".into(), &known);
    assert_eq!(drain(&mut queue), "-baz10 †bar6 =foo6");
}

#[test]
fn what_the_first_list_deletes_belongs_to_it() {
    let mut queue = one_by_one();
    queue.replace(objects(&[("foo", 5)]), "0".into(), &Known::of(&[("foo", 5), ("bar", 6), ("baz", 7)]));
    queue.update(object("foo", 8));
    for expected in ["†bar6", "†baz7", "=foo5"] {
        assert!(!queue.has_synced());
        let popped = queue.pop().unwrap();
        assert_eq!((words(&popped.deltas).as_str(), popped.is_in_initial_list), (expected, true));
    }
    assert!(queue.has_synced());
    let popped = queue.pop().unwrap();
    assert_eq!((words(&popped.deltas).as_str(), popped.is_in_initial_list), ("~foo8", false));
}

#[test]
fn nothing_jumps_the_line() {
    let mut queue = one_by_one();
    for (name, version) in [("foo", 10), ("bar", 1), ("foo", 11), ("foo", 13), ("zab", 30)] {
        queue.add(object(name, version));
    }
    assert_eq!(words(&queue.pop().unwrap().deltas), "+foo10");
    queue.add(object("foo", 14));
    assert_eq!(drain(&mut queue), "+bar1 | +foo11 | +foo13 | +zab30 | +foo14");
}

#[test]
fn it_has_synced_once_all_of_the_first_list_is_taken_out() {
    type Operations = fn(&mut Pods);
    let table: [(Operations, bool); 9] = [
        (|_| {}, false),
        (|queue| queue.add(object("a", 1)), true),
        (|queue| queue.delete(object("a", 1), &()), true),
        (|queue| queue.delete_unseen(Key::new("a"), None, &()), true),
        (|queue| queue.replace(Vec::<PartialObjectMetadata>::new(), "0".into(), &()), true),
        (|queue| queue.replace(objects(&[("a", 1), ("b", 2)]), "0".into(), &()), false),
        (
            |queue| {
                queue.replace(objects(&[("a", 1), ("b", 2)]), "0".into(), &());
                queue.pop();
            },
            false,
        ),
        (
            |queue| {
                queue.replace(objects(&[("a", 1), ("b", 2)]), "0".into(), &());
                queue.pop();
                queue.pop();
            },
            true,
        ),
        // A list that has an object twice is a fault of the server's; both come out.
        (
            |queue| {
                queue.replace(objects(&[("a", 1), ("a", 2)]), "0".into(), &());
                queue.pop();
                assert!(!queue.has_synced());
                queue.pop();
            },
            true,
        ),
    ];
    for (number, (operations, expected)) in table.into_iter().enumerate() {
        let mut queue = one_by_one();
        operations(&mut queue);
        assert_eq!(queue.has_synced(), expected, "row {number}");
    }
}

#[test]
fn a_batch_ends_with_the_first_list_before_a_second_delta_of_an_object_and_when_it_is_full() {
    type Row = (usize, &'static [(&'static str, u32)], &'static [&'static str], &'static str);
    let table: [Row; 8] = [
        (usize::MAX, &[("a", 5), ("b", 5), ("c", 5)], &[], "=a5 =b5 =c5"),
        (2, &[("a", 5), ("b", 5)], &["c", "d"], "=a5 =b5 | ~c6 ~d6"),
        (usize::MAX, &[("a", 5)], &["a", "a"], "=a5 | ~a6 | ~a6"),
        (usize::MAX, &[("a", 5), ("b", 5)], &["b", "c"], "=a5 =b5 | ~b6 ~c6"),
        (usize::MAX, &[("a", 5), ("b", 5), ("c", 5)], &["b"], "=a5 =b5 =c5 | ~b6"),
        (2, &[("a", 5), ("b", 5), ("c", 5)], &[], "=a5 =b5 | =c5"),
        (2, &[], &["a", "b", "c"], "~a6 ~b6 | ~c6"),
        (2, &[("a", 5), ("b", 5), ("c", 5)], &["d"], "=a5 =b5 | =c5 | ~d6"),
    ];
    for (size, list, updates, expected) in table {
        let mut queue = apart_by(size);
        queue.replace(objects(list), "123".into(), &Known::of(list));
        for name in updates {
            queue.update(object(name, 6));
        }
        let mut batches = Vec::new();
        while let Some(popped) = queue.pop() {
            assert_eq!(popped.is_in_initial_list, popped.deltas.iter().all(|delta| matches!(delta, Delta::Replaced(_))));
            batches.push(words(&popped.deltas));
        }
        assert_eq!(batches.join(" | "), expected);
    }
}

#[test]
fn objects_without_a_name_come_out_all_the_same() {
    let mut queue = Pods::default();
    queue.add(object("a", 1));
    queue.add(object("", 2));
    queue.add(object("", 3));
    assert_eq!(drain(&mut queue), "+a1 +2 | +3");
}

#[test]
fn no_batch_is_empty_or_has_more_than_a_thousand() {
    let mut queue = Fifo::new(FifoOptions { batch_size: 0, ..FifoOptions::default() });
    queue.add(object("a", 1));
    queue.add(object("b", 1));
    assert_eq!(drain(&mut queue), "+a1 | +b1");

    let mut queue = Pods::default();
    (0..2001).for_each(|number| queue.add(object(&format!("{number}"), 1)));
    let sizes: Vec<_> = std::iter::from_fn(|| queue.pop()).map(|popped| popped.deltas.len()).collect();
    assert_eq!(sizes, [1000, 1000, 1]);
}

#[test]
fn a_whole_list_is_one_delta_in_its_place_and_so_is_a_bookmark() {
    type Operations = fn(&mut Pods);
    let table: [(Operations, &str); 4] = [
        (|_| {}, "[]@123"),
        (|queue| queue.add(object("foo", 2)), "+foo2 | []@123"),
        (
            |queue| {
                queue.add(object("foo", 2));
                queue.replace(objects(&[("foo", 2)]), "10".into(), &());
                queue.replace(objects(&[("foo", 2)]), "20".into(), &());
            },
            "+foo2 | [foo2]@10 | [foo2]@20 | []@123",
        ),
        (|queue| queue.bookmark("12".into()), "@12 | []@123"),
    ];
    for (operations, expected) in table {
        let mut queue = Pods::default();
        operations(&mut queue);
        queue.replace(Vec::<PartialObjectMetadata>::new(), "123".into(), &());
        assert_eq!(drain(&mut queue), expected);
    }
}

#[test]
fn an_addition_comes_out_before_the_whole_list_that_came_after_it() {
    let mut queue = Pods::default();
    queue.add(object("foo", 10));
    queue.replace(objects(&[("foo", 15)]), "20".into(), &());
    assert_eq!(drain(&mut queue), "+foo10 | [foo15]@20");
}

#[test]
fn a_resync_of_all_is_one_delta_in_its_place() {
    let mut queue = Pods::default();
    queue.resync(&Known::of(&[("bar", 1)]));
    assert_eq!(drain(&mut queue), "all");
    queue.add(object("foo", 2));
    queue.resync(&());
    queue.add(object("foo", 3));
    assert_eq!(drain(&mut queue), "+foo2 | all | +foo3");
}

#[test]
fn a_whole_list_is_the_first_once_it_is_taken_out_even_if_it_has_nothing() {
    let mut queue = Pods::default();
    queue.replace(Vec::<PartialObjectMetadata>::new(), "1".into(), &());
    queue.add(object("foo", 2));
    assert!(!queue.has_synced());
    assert!(queue.pop().unwrap().is_in_initial_list && queue.has_synced());
    assert!(!queue.pop().unwrap().is_in_initial_list);
}

#[test]
fn a_list_in_pieces_comes_out_as_it_comes_and_deletes_the_others_at_its_end() {
    let mut queue = Pods::default();
    let mut known = Known::of(&[("a", 1), ("b", 1), ("c", 1)]);
    queue.begin_replace();
    queue.replace_item(object("b", 2));
    let popped = queue.pop().unwrap();
    assert_eq!((words(&popped.deltas).as_str(), popped.is_in_initial_list), ("=b2", true));
    known.apply(popped);
    queue.replace_item(object("d", 3));
    assert!(!queue.has_synced());
    queue.end_replace("9".into(), &known);
    assert_eq!(drain(&mut queue), "=d3 †a1 †c1 | @9");
    assert!(queue.has_synced());
    queue.end_replace("10".into(), &known);
    assert_eq!(drain(&mut queue), "", "no list is open");
}

#[test]
fn events_during_a_list_in_pieces_count_for_its_end() {
    let mut queue = apart();
    let known = Known::of(&[("a", 1), ("b", 1), ("c", 1), ("d", 1)]);
    queue.begin_replace();
    queue.replace_item(object("b", 2));
    queue.add(object("a", 3));
    queue.update(object("c", 4));
    queue.delete(object("b", 5), &known);
    queue.delete_unseen(Key::new("a"), None, &known);
    queue.end_replace("9".into(), &known);
    assert_eq!(drain(&mut queue), "=b2 +a3 ~c4 | -b5 †a †d1");
}

#[test]
fn a_list_in_pieces_that_begins_again_forgets_what_it_brought() {
    let mut queue = apart();
    queue.begin_replace();
    queue.replace_item(object("a", 1));
    queue.begin_replace();
    queue.replace_item(object("b", 2));
    queue.end_replace("2".into(), &());
    assert_eq!(drain(&mut queue), "=a1 =b2 | †a1");
}

#[test]
fn a_list_in_pieces_and_a_clearing_know_what_a_whole_list_brought_before_it_is_taken_out() {
    let known = Known::of(&[("a", 1), ("b", 1)]);
    for clears in [true, false] {
        let mut queue = Pods::default();
        queue.add(object("x", 1));
        queue.replace(objects(&[("b", 2), ("c", 2), ("d", 2), ("e", 2)]), "2".into(), &());
        queue.update(object("c", 3));
        queue.delete(object("d", 3), &known);
        if clears {
            queue.clear(&known);
            assert_eq!(drain(&mut queue), "+x1 | [b2 c2 d2 e2]@2 | ~c3 -d3 †b2 †e2 | †c3");
        } else {
            queue.begin_replace();
            queue.replace_item(object("e", 4));
            queue.end_replace("4".into(), &known);
            assert_eq!(drain(&mut queue), "+x1 | [b2 c2 d2 e2]@2 | ~c3 -d3 =e4 †b2 | †c3 | @4");
        }
    }
}

#[test]
fn another_cluster_deletes_all_that_is_known_and_queued_and_drops_an_open_list() {
    let mut queue = apart();
    let known = Known::of(&[("a", 1), ("b", 1)]);
    queue.begin_replace();
    queue.replace_item(object("b", 2));
    queue.replace_item(object("c", 3));
    queue.clear(&known);
    queue.end_replace("3".into(), &known);
    assert!(!queue.has_synced());
    assert_eq!(drain(&mut queue), "=b2 =c3 | †b2 †c3 †a1");
    queue.replace(objects(&[("d", 1)]), "1".into(), &());
    assert!(queue.pop().unwrap().is_in_initial_list && queue.has_synced());
}

#[test]
fn a_closed_queue_says_so_and_still_has_what_is_in_it() {
    let mut queue = Pods::default();
    queue.add(object("a", 1));
    assert!(!queue.is_closed());
    queue.close();
    assert!(queue.is_closed());
    assert_eq!(drain(&mut queue), "+a1");
}
