use super::*;
use crate::{
    object::PartialObjectMetadata,
    queue::testing::{Known, drain, object, words},
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

type Pods = DeltaFifo<PartialObjectMetadata>;

/// One whose lists have objects looked at again, as if nothing had happened to them.
fn syncing() -> Pods {
    DeltaFifo::new(DeltaFifoOptions { emit_replaced: false, ..DeltaFifoOptions::default() })
}

fn objects(list: &[(&str, u32)]) -> Vec<PartialObjectMetadata> {
    list.iter().map(|(name, version)| object(name, *version)).collect()
}

/// The newest of what comes out next: what client-go's `FIFO` hands out.
fn pop_newest(queue: &mut Pods) -> u32 {
    let popped = queue.pop().unwrap();
    crate::queue::testing::version(popped.deltas.last().unwrap().object().unwrap())
}

#[test]
fn objects_come_out_in_the_order_in_which_they_came() {
    let mut queue = Pods::default();
    for number in 1..=500 {
        queue.add(object(&format!("a{number}-"), number));
        queue.add(object(&format!("b{number}-"), number));
    }
    for number in 1..=500 {
        assert_eq!(words(&queue.pop().unwrap().deltas), format!("+a{number}-{number}"));
        assert_eq!(words(&queue.pop().unwrap().deltas), format!("+b{number}-{number}"));
    }
    assert!(queue.pop().is_none());
}

#[test]
fn a_listed_object_whose_deletion_is_queued_comes_after_it() {
    let mut queue = syncing();
    let known = Known::of(&[("foo", 1)]);
    queue.delete(object("foo", 1), &known);
    queue.replace(objects(&[("foo", 2)]), "2".into(), &known);
    assert_eq!(drain(&mut queue), "-foo1 ofoo2");
}

#[test]
fn what_is_only_queued_is_deleted_once_by_lists_without_it() {
    type Operations = fn(&mut Pods);
    let table: [(Operations, &str); 5] = [
        (|queue| queue.add(object("foo", 2)), "+foo2 †foo2"),
        (
            |queue| {
                queue.add(object("foo", 2));
                queue.replace(objects(&[("foo", 2)]), "0".into(), &());
            },
            "+foo2 =foo2 †foo2",
        ),
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
    ];
    for (operations, expected) in table {
        let mut queue = Pods::default();
        operations(&mut queue);
        queue.replace(Vec::<PartialObjectMetadata>::new(), "1".into(), &Known::default());
        assert_eq!(drain(&mut queue), expected);
    }

    let mut queue = syncing();
    queue.add(object("foo", 2));
    for list in [&[("foo", 2)][..], &[("foo", 2)], &[]] {
        queue.replace(objects(list), "0".into(), &());
    }
    assert_eq!(drain(&mut queue), "+foo2 ofoo2 ofoo2 †foo2");
}

#[test]
fn all_that_happened_to_an_object_comes_out_at_once() {
    let mut queue = Pods::default();
    let foo = Key::new("foo");
    queue.add(object("foo", 10));
    queue.update(object("foo", 12));
    queue.delete(object("foo", 15), &());
    assert_eq!(words(queue.deltas(&foo)), "+foo10 ~foo12 -foo15");
    assert_eq!((queue.keys().collect::<Vec<_>>(), queue.len()), (vec![&foo], 1));
    assert_eq!(pop_newest(&mut queue), 15);
    assert!(queue.is_empty() && queue.pop().is_none() && queue.deltas(&foo).is_empty());
}

#[test]
fn the_newest_of_an_object_that_was_added_and_updated_comes_out_once() {
    let mut queue = Pods::default();
    queue.add(object("foo", 10));
    queue.update(object("foo", 15));
    assert_eq!(queue.keys().map(Key::as_str).collect::<Vec<_>>(), ["foo"]);
    assert_eq!(pop_newest(&mut queue), 15);
    assert!(queue.pop().is_none());
}

#[test]
fn a_transform_sees_each_object_once_and_neither_tombstones_nor_what_is_looked_at_again() {
    for emit_replaced in [true, false] {
        let transform: Box<dyn Transform<PartialObjectMetadata>> = Box::new(|object: &mut PartialObjectMetadata| {
            let generation = object.metadata.generation.get_or_insert(0);
            *generation += 1;
            object.metadata.namespace = "hidden".into();
        });
        let mut queue = DeltaFifo::new(DeltaFifoOptions { transform: Some(transform), emit_replaced });
        let mut known = Known::default();
        let mut said = Vec::new();
        let mut take_out = |queue: &mut Pods, known: &mut Known| {
            while let Some(popped) = queue.pop() {
                said.push(words(&popped.deltas));
                for delta in &popped.deltas {
                    assert_eq!(delta.object().and_then(|object| object.metadata.generation), Some(1), "{delta:?}");
                }
                known.apply(popped);
            }
        };
        queue.add(object("foo", 10));
        queue.add(object("bar", 11));
        queue.update(object("foo", 12));
        queue.delete(object("foo", 15), &known);
        queue.replace(Vec::<PartialObjectMetadata>::new(), "15".into(), &known);
        queue.add(object("bar", 16));
        queue.replace(objects(&[("baz", 17)]), "17".into(), &known);
        take_out(&mut queue, &mut known);
        queue.resync(&known);
        take_out(&mut queue, &mut known);
        queue.clear(&known);
        take_out(&mut queue, &mut known);
        let listed = if emit_replaced { "=baz17" } else { "obaz17" };
        assert_eq!(said, ["+foo10 ~foo12 -foo15", "+bar11 †bar11 +bar16 †bar16", listed, "obaz17", "†baz17"]);
    }
}

#[test]
fn a_deletion_of_what_is_neither_queued_nor_known_is_dropped() {
    let mut queue = Pods::default();
    queue.add(object("foo", 10));
    queue.update(object("bar", 15));
    queue.add(object("qux", 17));
    queue.delete(object("qux", 18), &());
    queue.delete(object("baz", 20), &());
    queue.delete_unseen(Key::new("quux"), None, &());
    assert_eq!(drain(&mut queue), "+foo10 | ~bar15 | +qux17 -qux18");
}

#[test]
fn a_deletion_of_what_is_known_comes_out() {
    let mut queue = Pods::default();
    let known = Known::of(&[("foo", 5), ("bar", 6), ("baz", 7), ("qux", 8)]);
    queue.add(object("foo", 10));
    queue.update(object("bar", 15));
    queue.delete(object("baz", 20), &known);
    queue.delete_unseen(Key::new("qux"), known.find(&Key::new("qux")), &known);
    assert_eq!(drain(&mut queue), "+foo10 | ~bar15 | -baz20 | †qux8");
}

#[test]
fn of_two_deletions_in_a_row_the_one_that_tells_more_stays() {
    type Operations = fn(&mut Pods, &Known);
    let seen: Operations = |queue, known| queue.delete(object("foo", 2), known);
    let later: Operations = |queue, known| queue.delete(object("foo", 3), known);
    let tombstone: Operations = |queue, known| queue.delete_unseen(Key::new("foo"), known.find(&Key::new("foo")), known);
    let bare: Operations = |queue, known| queue.delete_unseen(Key::new("foo"), None, known);
    for (first, second, expected) in [
        (seen, later, "-foo2"),
        (seen, tombstone, "-foo2"),
        (tombstone, seen, "-foo2"),
        (bare, seen, "-foo2"),
        (bare, tombstone, "†foo1"),
        (tombstone, bare, "†foo1"),
        (bare, bare, "†foo"),
    ] {
        let (mut queue, known) = (Pods::default(), Known::of(&[("foo", 1)]));
        first(&mut queue, &known);
        second(&mut queue, &known);
        assert_eq!(drain(&mut queue), expected);
    }
}

#[test]
fn an_addition_before_a_list_and_the_listed_object_come_out_together() {
    let mut queue = Pods::default();
    queue.add(object("foo", 10));
    queue.replace(objects(&[("foo", 15)]), "0".into(), &());
    assert_eq!(words(queue.deltas(&Key::new("foo"))), "+foo10 =foo15");
    assert_eq!(pop_newest(&mut queue), 15);
    assert!(queue.pop().is_none());
}

#[test]
fn a_resync_passes_over_what_is_queued_as_deleted() {
    let mut queue = Pods::default();
    let known = Known::of(&[("foo", 5)]);
    queue.delete(object("foo", 10), &known);
    queue.resync(&known);
    assert_eq!(drain(&mut queue), "-foo10");
}

#[test]
fn a_resync_has_each_known_object_looked_at_again() {
    let mut queue = Pods::default();
    queue.resync(&Known::of(&[("bar", 4), ("foo", 5)]));
    assert_eq!(drain(&mut queue), "obar4 | ofoo5");
    queue.resync(&());
    assert_eq!(drain(&mut queue), "");
}

#[test]
fn a_resync_does_not_go_back_behind_an_update_that_is_queued() {
    let mut queue = Pods::default();
    queue.update(object("foo", 6));
    queue.resync(&Known::of(&[("foo", 5)]));
    assert_eq!(drain(&mut queue), "~foo6");
}

#[test]
fn a_deletion_of_what_is_only_queued_comes_out() {
    let mut queue = Pods::default();
    queue.add(object("foo", 5));
    queue.delete(object("foo", 6), &());
    assert_eq!(drain(&mut queue), "+foo5 -foo6");
}

#[test]
fn a_list_deletes_what_it_does_not_have_with_the_newest_state_there_is() {
    type Operations = fn(&mut Pods, &Known);
    let table: [(Operations, &str); 4] = [
        (|queue, known| queue.delete(object("baz", 10), known), "-baz10 | ofoo5 | †bar6"),
        (|queue, _| queue.add(object("baz", 10)), "+baz10 †baz10 | ofoo5 | †bar6"),
        (
            |queue, known| {
                queue.delete(object("bar", 6), known);
                queue.add(object("bar", 100));
            },
            "-bar6 +bar100 †bar100 | ofoo5 | †baz7",
        ),
        (
            |queue, known| queue.replace(objects(&[("bar", 100), ("foo", 5)]), "0".into(), known),
            "obar100 †bar100 | ofoo5 ofoo5 | †baz7",
        ),
    ];
    for (operations, expected) in table {
        let mut queue = syncing();
        let known = Known::of(&[("foo", 5), ("bar", 6), ("baz", 7)]);
        operations(&mut queue, &known);
        queue.replace(objects(&[("foo", 5)]), "0".into(), &known);
        assert_eq!(drain(&mut queue), expected);
    }

    let mut queue = syncing();
    queue.add(object("baz", 10));
    queue.replace(objects(&[("foo", 5)]), "0".into(), &());
    assert_eq!(drain(&mut queue), "+baz10 †baz10 | ofoo5");
}

#[test]
fn what_a_list_has_is_replaced_where_that_is_asked_for() {
    let mut queue = Pods::default();
    let known = Known::of(&[("foo", 5), ("bar", 6), ("baz", 7)]);
    queue.delete(object("baz", 10), &known);
    queue.replace(objects(&[("foo", 6)]), "0".into(), &known);
    assert_eq!(drain(&mut queue), "-baz10 | =foo6 | †bar6");

    let known = Known::of(&[("foo", 5)]);
    for (mut queue, expected) in [(Pods::default(), "=foo5"), (syncing(), "ofoo5")] {
        queue.replace(objects(&[("foo", 5)]), "0".into(), &known);
        assert_eq!(drain(&mut queue), expected);
    }
}

#[test]
fn what_the_first_list_deletes_belongs_to_it() {
    let mut queue = syncing();
    queue.replace(objects(&[("foo", 5)]), "0".into(), &Known::of(&[("foo", 5), ("bar", 6), ("baz", 7)]));
    queue.update(object("qux", 8));
    for expected in ["ofoo5", "†bar6", "†baz7"] {
        assert!(!queue.has_synced());
        let popped = queue.pop().unwrap();
        assert_eq!((words(&popped.deltas).as_str(), popped.is_in_initial_list), (expected, true));
    }
    assert!(queue.has_synced());
    assert!(!queue.pop().unwrap().is_in_initial_list);
}

#[test]
fn an_object_that_comes_again_goes_to_the_end_of_the_line() {
    let mut queue = Pods::default();
    for (name, version) in [("foo", 10), ("bar", 1), ("foo", 11), ("foo", 13), ("zab", 30)] {
        queue.add(object(name, version));
    }
    assert_eq!(pop_newest(&mut queue), 13);
    queue.add(object("foo", 14));
    assert_eq!([(); 3].map(|()| pop_newest(&mut queue)), [1, 30, 14]);
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
        // A list that has an object twice is a fault of the server's; both come out at once.
        (
            |queue| {
                queue.replace(objects(&[("a", 1), ("a", 2)]), "0".into(), &());
                queue.pop();
            },
            true,
        ),
    ];
    for (number, (operations, expected)) in table.into_iter().enumerate() {
        let mut queue = Pods::default();
        operations(&mut queue);
        assert_eq!(queue.has_synced(), expected, "row {number}");
    }
}

#[test]
fn a_list_in_pieces_comes_out_as_it_comes_and_deletes_the_others_at_its_end() {
    let mut queue = Pods::default();
    let mut known = Known::of(&[("a", 1), ("b", 1), ("c", 1), ("e", 1)]);
    queue.begin_replace();
    queue.replace_item(object("b", 2));
    let popped = queue.pop().unwrap();
    assert_eq!((words(&popped.deltas).as_str(), popped.is_in_initial_list), ("=b2", true));
    known.apply(popped);
    queue.replace_item(object("d", 3));
    queue.update(object("a", 4));
    queue.delete(object("d", 5), &known);
    assert!(!queue.has_synced());
    queue.end_replace("9".into(), &known);
    assert_eq!(drain(&mut queue), "=d3 -d5 | ~a4 | †c1 | †e1");
    assert!(queue.has_synced());
    queue.end_replace("10".into(), &known);
    assert_eq!(drain(&mut queue), "", "no list is open");
}

#[test]
fn another_cluster_deletes_all_that_is_known_and_queued_and_drops_an_open_list() {
    let mut queue = Pods::default();
    let known = Known::of(&[("a", 1), ("b", 1)]);
    queue.begin_replace();
    queue.replace_item(object("b", 2));
    queue.clear(&known);
    queue.end_replace("3".into(), &known);
    assert!(!queue.has_synced());
    assert_eq!(drain(&mut queue), "=b2 †b2 | †a1");
}

#[test]
fn a_closed_queue_says_so_and_still_has_what_is_in_it() {
    let mut queue = Pods::default();
    queue.add(object("a", 1));
    queue.bookmark("1".into());
    assert!(!queue.is_closed());
    queue.close();
    assert!(queue.is_closed());
    assert_eq!(drain(&mut queue), "+a1");
}
