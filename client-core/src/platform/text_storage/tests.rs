use std::time::Duration;

use super::*;
use crate::platform::{FakePlatform, Texts, ready};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

fn key(text: &str) -> StorageKey {
    StorageKey::new(text).unwrap()
}

/// The storage of cluster `owner`.
fn of(owner: &str, texts: &Texts, platform: &FakePlatform, limit: usize) -> BoundedStorage<Texts> {
    BoundedStorage::new(texts.clone(), Arc::new(platform.clone()), "p/", &format!("{owner}/"), limit)
}

fn storage(texts: &Texts, platform: &FakePlatform, limit: usize) -> BoundedStorage<Texts> {
    of("here", texts, platform, limit)
}

/// Writes so many bytes, a second after what was written before.
fn write(storage: &BoundedStorage<Texts>, platform: &FakePlatform, name: &str, bytes: usize) -> Result<(), StorageError> {
    platform.advance(Duration::from_secs(1));
    ready(storage.write(&key(name), vec![b'x'; bytes]))
}

fn names(texts: &Texts) -> Vec<String> {
    texts.names().unwrap()
}

#[test]
fn any_bytes_come_back_with_the_time_they_were_written() {
    let (texts, platform) = (Texts::of(10_000), FakePlatform::default());
    let storage = storage(&texts, &platform, 10_000);
    let every_byte: Vec<u8> = (0..=255).collect();
    ready(storage.write(&key("a/b"), every_byte.clone())).unwrap();
    let written = platform.wall_time();
    platform.advance(Duration::from_secs(9));
    assert_eq!(ready(storage.read(&key("a/b"))).unwrap(), Some(Stored { value: every_byte, modified: written }));
    assert_eq!(ready(storage.modified(&key("a/b"))).unwrap(), Some(written));
    assert_eq!(ready(storage.keys("a/")).unwrap(), [key("a/b")]);
    assert_eq!(ready(storage.keys("b")).unwrap(), []);
    ready(storage.remove(&key("a/b"))).unwrap();
    assert_eq!(ready(storage.read(&key("a/b"))).unwrap(), None);
}

#[test]
fn what_was_cut_or_comes_from_others_is_no_value() {
    let (texts, platform) = (Texts::of(10_000), FakePlatform::default());
    let storage = storage(&texts, &platform, 10_000);
    ready(storage.write(&key("a"), b"{\"kind\":\"List\"}".to_vec())).unwrap();
    let whole = texts.get("p/here/a").unwrap().unwrap();
    for end in 0..whole.len() {
        texts.set("p/here/a", &whole[..end]).unwrap();
        assert_eq!(ready(storage.read(&key("a"))).unwrap(), None, "{:?} was read", &whole[..end]);
    }
    for other in ["null", "1 2 €€", "x 1 a", "1 x a", "1 -1 "] {
        texts.set("p/here/a", other).unwrap();
        assert_eq!(ready(storage.read(&key("a"))).unwrap(), None, "{other:?} was read");
    }
}

#[test]
fn the_oldest_value_makes_room_and_what_is_outside_of_the_room_stays() {
    let (texts, platform) = (Texts::of(10_000), FakePlatform::default());
    texts.set("other", "0 3 abc").unwrap();
    let storage = storage(&texts, &platform, 330);
    // The names are not in the order of time.
    for name in ["c", "a", "b"] {
        write(&storage, &platform, name, 70).unwrap();
    }
    write(&storage, &platform, "d", 70).unwrap();
    assert_eq!(ready(storage.keys("")).unwrap(), ["a", "b", "d"].map(key));
    write(&storage, &platform, "e", 270).unwrap();
    assert_eq!(ready(storage.keys("")).unwrap(), [key("e")]);
    assert!(texts.get("other").unwrap().is_some());
}

#[test]
fn what_belongs_to_other_clusters_goes_before_what_is_ours_the_oldest_first() {
    let (texts, platform) = (Texts::of(10_000), FakePlatform::default());
    let [here, one, two] = ["here", "one", "two"].map(|owner| of(owner, &texts, &platform, 540));
    // Ours is the oldest of all; of the others the first by name is the newest.
    write(&here, &platform, "a", 70).unwrap();
    write(&two, &platform, "a", 70).unwrap();
    write(&two, &platform, "b", 70).unwrap();
    write(&one, &platform, "a", 70).unwrap();
    write(&here, &platform, "b", 70).unwrap();
    assert_eq!(names(&texts), ["p/here/a", "p/here/b", "p/one/a", "p/two/a", "p/two/b"]);
    write(&here, &platform, "c", 70).unwrap();
    assert_eq!(names(&texts), ["p/here/a", "p/here/b", "p/here/c", "p/one/a", "p/two/b"]);
    write(&here, &platform, "d", 150).unwrap();
    assert_eq!(names(&texts), ["p/here/a", "p/here/b", "p/here/c", "p/here/d"]);
    write(&here, &platform, "e", 150).unwrap();
    assert_eq!(names(&texts), ["p/here/c", "p/here/d", "p/here/e"]);
    // And for another cluster these are of others.
    write(&two, &platform, "a", 150).unwrap();
    assert_eq!(names(&texts), ["p/here/d", "p/here/e", "p/two/a"]);
}

#[test]
fn however_many_clusters_there_were_the_next_one_keeps_its_values_and_all_stay_within_the_bound() {
    let (texts, platform) = (Texts::of(1_000), FakePlatform::default());
    texts.set("other/discovery", &"x".repeat(200)).unwrap();
    for cluster in 0..20 {
        let storage = of(&cluster.to_string(), &texts, &platform, 500);
        for name in ["a", "b", "c"] {
            write(&storage, &platform, name, 100).unwrap();
        }
        assert_eq!(ready(storage.keys("")).unwrap(), ["a", "b", "c"].map(key), "of cluster {cluster}");
        let all: usize = names(&texts)
            .iter()
            .filter(|name| name.starts_with("p/"))
            .map(|name| size(name) + size(&texts.get(name).unwrap().unwrap()))
            .sum();
        assert!(all <= 500, "{all} characters after cluster {cluster}");
    }
    assert_eq!(texts.refusals(), 0);
    assert_eq!(texts.get("other/discovery").unwrap().unwrap().len(), 200);
}

#[test]
fn what_is_no_value_goes_first_whoever_had_it() {
    let (texts, platform) = (Texts::of(10_000), FakePlatform::default());
    let storage = storage(&texts, &platform, 360);
    write(&of("gone", &texts, &platform, 360), &platform, "a", 70).unwrap();
    texts.set("p/here/cut", &format!("1 100 {}", "x".repeat(70))).unwrap();
    write(&storage, &platform, "a", 70).unwrap();
    write(&storage, &platform, "b", 70).unwrap();
    assert_eq!(names(&texts), ["p/gone/a", "p/here/a", "p/here/b"]);
}

#[test]
fn a_value_over_the_bound_is_refused_and_takes_nothing_away() {
    let (texts, platform) = (Texts::of(10_000), FakePlatform::default());
    let storage = storage(&texts, &platform, 100);
    write(&storage, &platform, "a", 10).unwrap();
    for bytes in [100, 80] {
        let error = write(&storage, &platform, "b", bytes).unwrap_err();
        assert!(matches!(error, StorageError::Full { .. }), "{error}");
        assert_eq!(ready(storage.keys("")).unwrap(), [key("a")]);
    }
}

#[test]
fn a_host_that_is_full_before_the_bound_gets_room_of_others_then_of_ours_and_then_refuses() {
    let (texts, platform) = (Texts::of(250), FakePlatform::default());
    let (gone, storage) = (of("gone", &texts, &platform, 10_000), storage(&texts, &platform, 10_000));
    write(&storage, &platform, "a", 60).unwrap();
    write(&gone, &platform, "a", 60).unwrap();
    write(&storage, &platform, "b", 80).unwrap();
    assert_eq!(names(&texts), ["p/here/a", "p/here/b"]);
    write(&storage, &platform, "c", 80).unwrap();
    assert_eq!(names(&texts), ["p/here/b", "p/here/c"]);
    let error = write(&storage, &platform, "d", 300).unwrap_err();
    assert!(error.to_string().contains("QuotaExceededError"), "{error}");
}

#[test]
fn a_host_that_others_have_filled_costs_no_more_values_than_the_new_one_takes() {
    let (texts, platform) = (Texts::of(10_000), FakePlatform::default());
    let storage = storage(&texts, &platform, 20_000);
    for name in ["a", "b", "c", "d"] {
        write(&storage, &platform, name, 200).unwrap();
    }
    // Another application takes more than all of the rest: what is ours cannot make up for it.
    texts.set("other", &"x".repeat(8_900)).unwrap();
    texts.limit_to(5_000);
    let error = write(&storage, &platform, "e", 200).unwrap_err();
    assert!(matches!(error, StorageError::Full { .. }), "{error}");
    assert_eq!(ready(storage.keys("")).unwrap(), ["b", "c", "d"].map(key));
    assert_eq!(texts.refusals(), 2);
    assert_eq!(texts.get("other").unwrap().unwrap().len(), 8_900);
}

#[test]
fn a_value_that_is_written_again_does_not_count_twice() {
    let (texts, platform) = (Texts::of(10_000), FakePlatform::default());
    let storage = storage(&texts, &platform, 250);
    for _ in 0..3 {
        for name in ["a", "b"] {
            write(&storage, &platform, name, 80).unwrap();
        }
    }
    assert_eq!(ready(storage.keys("")).unwrap(), ["a", "b"].map(key));
}

#[test]
fn a_host_that_forbids_everything_says_so_in_its_own_words() {
    let (texts, platform) = (Texts::of(10_000), FakePlatform::default());
    let storage = storage(&texts, &platform, 1_000);
    texts.refuse(true);
    let failures = [
        write(&storage, &platform, "a", 1).unwrap_err(),
        ready(storage.read(&key("a"))).unwrap_err(),
        ready(storage.remove(&key("a"))).unwrap_err(),
        ready(storage.keys("")).unwrap_err(),
    ];
    for failure in failures {
        assert!(failure.to_string().contains("the person forbids it"), "{failure}");
    }
}
