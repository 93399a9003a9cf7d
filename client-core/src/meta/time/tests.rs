//! Times and durations against the tables of apimachinery's `pkg/apis/meta/v1` tests, and laws over random ones.

#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::{Duration, MicroTime, Timestamp, parse_timestamp};
use crate::platform::{Chance, WallTime};

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Holder<T> {
    t: T,
}

/// 1998-05-05T05:05:05Z.
const SECONDS: i64 = 894_344_705;

fn time(nanos: i64) -> Timestamp {
    Timestamp::from_unix(SECONDS, nanos)
}

fn micro(nanos: i64) -> MicroTime {
    MicroTime::from_unix(SECONDS, nanos)
}

/// What is written for `value`, the same in JSON and in YAML.
#[track_caller]
fn assert_written<T: Serialize + DeserializeOwned>(value: T, expected: Option<&str>) {
    let holder = Holder { t: value };
    let json = expected.map_or_else(|| "null".to_owned(), |text| format!("\"{text}\""));
    assert_eq!(serde_json::to_string(&holder).unwrap(), format!("{{\"t\":{json}}}"));
    let yaml = serde_saphyr::to_string(&holder).unwrap();
    let scalar: Holder<Option<String>> = serde_saphyr::from_str(&yaml).unwrap();
    assert_eq!(scalar.t.as_deref(), expected, "{yaml}");
}

/// What is read from a scalar, in JSON and in YAML, with and without quotes.
#[track_caller]
fn read<T: DeserializeOwned + PartialEq + std::fmt::Debug>(text: Option<&str>) -> T {
    let json = text.map_or_else(|| "null".to_owned(), |text| format!("\"{text}\""));
    let from_json: Holder<T> = serde_json::from_str(&format!("{{\"t\":{json}}}")).unwrap();
    for yaml in [format!("t: {}\n", text.unwrap_or("null")), format!("t: {json}\n")] {
        assert_eq!(serde_saphyr::from_str::<Holder<T>>(&yaml).unwrap(), from_json, "{yaml}");
    }
    from_json.t
}

/// What is written as JSON and read as YAML: JSON is YAML.
#[track_caller]
fn through_both<T: Serialize + DeserializeOwned>(value: T) -> T {
    let json = serde_json::to_string(&Holder { t: value }).unwrap();
    serde_saphyr::from_str::<Holder<T>>(&json).unwrap().t
}

#[test]
fn a_timestamp_is_written_in_utc_without_its_nanoseconds() {
    assert_written(Timestamp::default(), None);
    assert_written("1998-05-05T01:05:05.00000005-04:00".parse::<Timestamp>().unwrap(), Some("1998-05-05T05:05:05Z"));
    assert_written(time(50), Some("1998-05-05T05:05:05Z"));
    assert_written(time(999_999_999), Some("1998-05-05T05:05:05Z"));
    assert_written(time(0), Some("1998-05-05T05:05:05Z"));
    assert_written(Timestamp::from_unix(0, 0), Some("1970-01-01T00:00:00Z"));
    assert_written(Timestamp::from_unix(-1, 1), Some("1969-12-31T23:59:59Z"));
}

#[test]
fn a_timestamp_is_read_with_its_nanoseconds_and_null_as_not_set() {
    assert_eq!(read::<Timestamp>(None), Timestamp::default());
    assert_eq!(read::<Timestamp>(Some("1998-05-05T05:05:05Z")), time(0));
    assert_eq!(read::<Timestamp>(Some("1998-05-05T05:05:05.123456789Z")), time(123_456_789));
    assert_eq!(read::<Option<Timestamp>>(None), None);
    assert_eq!(read::<Option<Timestamp>>(Some("1998-05-05T05:05:05Z")), Some(time(0)));
    for wrong in ["7", "\"hello\"", "\"\"", "true", "[]", "\"1998-05-05\""] {
        assert!(serde_json::from_str::<Timestamp>(wrong).is_err(), "{wrong}");
    }
    let message = serde_json::from_str::<Timestamp>("\"hello\"").unwrap_err().to_string();
    assert!(message.contains("\"hello\" is not a time"), "{message}");
}

#[test]
fn a_timestamp_written_as_json_is_read_as_yaml() {
    for value in [Timestamp::default(), time(0), Timestamp::from_unix(-5, 0)] {
        assert_eq!(through_both(value), value);
    }
    assert_eq!(through_both(time(50)), time(0));
}

#[test]
fn a_timestamp_survives_protobuf_to_the_second() {
    for value in [Timestamp::default(), time(0), Timestamp::from_unix(-1, 0), Timestamp::from_unix(0, 0)] {
        assert_eq!(Timestamp::from_protobuf(value.to_protobuf()), value);
    }
    assert_eq!(Timestamp::default().to_protobuf(), None);
    assert_eq!(time(123_456_789).to_protobuf(), Some((SECONDS, 0)));
    assert_eq!(Timestamp::from_protobuf(Some((SECONDS, 123_456_789))), time(0));
}

#[test]
fn timestamps_are_equal_where_they_name_the_same_nanosecond() {
    let same = ["1998-05-05T05:05:05Z", "1998-05-05T01:05:05-04:00", "1998-05-05T10:35:05.000+05:30"];
    for text in same {
        assert_eq!(text.parse::<Timestamp>().unwrap(), time(0), "{text}");
    }
    assert_ne!(time(0), time(1));
    let (set, same, not_set) = (Some(time(0)), Some(time(0)), None);
    assert_eq!([set == same, not_set == set, set == not_set], [true, false, false]);
}

#[test]
fn a_timestamp_is_before_another_only_where_both_are_set() {
    let before = |left: Option<Timestamp>, right: Option<Timestamp>| left.zip(right).is_some_and(|(left, right)| left < right);
    let set = Some(time(0));
    assert_eq!([before(None, None), before(set, set), before(None, set), before(set, None)], [false; 4]);
    assert!(before(set, Some(time(1))) && !before(Some(time(1)), set));
    assert!(Timestamp::from_unix(-1, 999_999_999) < Timestamp::from_unix(0, 0));
}

#[test]
fn a_timestamp_is_not_set_where_it_is_the_first_second_of_year_one() {
    assert!(Timestamp::default().is_zero());
    assert!("0001-01-01T00:00:00Z".parse::<Timestamp>().unwrap().is_zero());
    assert!(!Timestamp::from_unix(0, 0).is_zero() && !time(0).is_zero());
}

#[test]
fn the_first_value_of_a_parameter_is_its_time() {
    let (first, second) = ("1998-05-05T05:05:05Z", "2000-06-06T06:06:06Z");
    for (values, expected) in [
        (&[][..], Timestamp::default()),
        (&[""], Timestamp::default()),
        (&["null"], Timestamp::default()),
        (&[first], time(0)),
        (&[first, second], time(0)),
    ] {
        assert_eq!(Timestamp::from_query(values.iter().copied()), Ok(expected), "{values:?}");
    }
    assert!(Timestamp::from_query(["yesterday", first]).is_err());
    assert_eq!((time(5).to_query(), Timestamp::default().to_query()), (first.to_owned(), String::new()));
}

#[test]
fn a_micro_time_is_written_in_utc_with_six_digits() {
    assert_written(MicroTime::default(), None);
    assert_written("1998-05-05T01:05:05.00000005-04:00".parse::<MicroTime>().unwrap(), Some("1998-05-05T05:05:05.000000Z"));
    assert_written(micro(50), Some("1998-05-05T05:05:05.000000Z"));
    assert_written(micro(5050), Some("1998-05-05T05:05:05.000005Z"));
    assert_written(micro(0), Some("1998-05-05T05:05:05.000000Z"));
    assert_written(micro(999_999_999), Some("1998-05-05T05:05:05.999999Z"));
}

#[test]
fn a_micro_time_is_read_with_any_number_of_digits_and_null_as_not_set() {
    assert_eq!(read::<MicroTime>(None), MicroTime::default());
    assert_eq!(read::<MicroTime>(Some("1998-05-05T05:05:05.000000Z")), micro(0));
    assert_eq!(read::<MicroTime>(Some("1998-05-05T05:05:05.000005Z")), micro(5000));
    assert_eq!(read::<MicroTime>(Some("1998-05-05T05:05:05Z")), micro(0));
    assert_eq!(read::<MicroTime>(Some("1998-05-05T05:05:05.5Z")), micro(500_000_000));
    for wrong in ["7", "\"hello\"", "\"1998-05-05T05:05:05.Z\""] {
        assert!(serde_json::from_str::<MicroTime>(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn a_micro_time_survives_protobuf_to_the_microsecond() {
    for value in [MicroTime::default(), micro(1000), micro(0), MicroTime::from_unix(-1, 5000)] {
        assert_eq!(MicroTime::from_protobuf(value.to_protobuf()), value);
    }
    assert_eq!(MicroTime::default().to_protobuf(), None);
    assert_eq!(micro(123_123_123).to_protobuf(), Some((SECONDS, 123_123_000)));
}

#[test]
fn a_protobuf_message_with_nanoseconds_is_cut_to_microseconds() {
    for nanos in [123_123_123, 123_123_000] {
        assert_eq!(MicroTime::from_protobuf(Some((123, nanos))), MicroTime::from_unix(123, 123_123_000), "{nanos}");
    }
}

#[test]
fn a_micro_time_is_the_same_through_json_and_protobuf() {
    for nanos in [123_123_123, 123_123_000, 1, 999_999_999] {
        let value = MicroTime::from_unix(123, nanos);
        let json = serde_json::to_string(&value).unwrap();
        assert_eq!(serde_json::from_str::<MicroTime>(&json).unwrap(), MicroTime::from_protobuf(value.to_protobuf()), "{json}");
    }
}

#[test]
fn micro_times_are_equal_where_they_name_the_same_nanosecond() {
    assert_eq!("1998-05-05T01:05:05.000001-04:00".parse::<MicroTime>().unwrap(), micro(1000));
    assert_ne!(micro(0), micro(1));
    let (set, same, not_set) = (Some(micro(0)), Some(micro(0)), None);
    assert_eq!([set == same, not_set == set, set == not_set], [true, false, false]);
}

#[test]
fn a_micro_time_equals_a_timestamp_of_the_same_nanosecond() {
    assert!(micro(5) == time(5) && micro(5) != time(6) && micro(5) != time(0));
    assert_eq!(MicroTime::from(time(5)), micro(5));
    assert!(MicroTime::default() == Timestamp::default());
    let equal = |left: Option<MicroTime>, right: Option<Timestamp>| {
        left.map_or(right.is_none(), |left| right.is_some_and(|right| left == right))
    };
    assert_eq!(
        [equal(None, None), equal(Some(micro(0)), Some(time(0))), equal(None, Some(time(0))), equal(Some(micro(0)), None)],
        [true, true, false, false]
    );
}

#[test]
fn a_micro_time_is_before_another_only_where_both_are_set() {
    let before = |left: Option<MicroTime>, right: Option<MicroTime>| left.zip(right).is_some_and(|(left, right)| left < right);
    let set = Some(micro(0));
    assert_eq!([before(None, None), before(set, set), before(None, set), before(set, None)], [false; 4]);
    assert!(before(set, Some(micro(1))) && !before(Some(micro(1)), set));
}

#[test]
fn a_micro_time_is_before_a_timestamp_only_where_both_are_set() {
    let before = |left: Option<MicroTime>, right: Option<Timestamp>| left.zip(right).is_some_and(|(left, right)| left < right);
    let (micro_time, timestamp) = (Some(micro(0)), Some(time(0)));
    assert_eq!(
        [before(None, None), before(micro_time, timestamp), before(None, timestamp), before(micro_time, None)],
        [false; 4]
    );
    assert!(before(micro_time, Some(time(1))) && !before(Some(micro(1)), timestamp));
}

#[test]
fn a_micro_time_is_not_set_where_it_is_the_first_second_of_year_one() {
    assert!(MicroTime::default().is_zero());
    assert!(MicroTime::from(Timestamp::default()).is_zero());
    assert!(!MicroTime::from_unix(0, 0).is_zero() && !micro(0).is_zero());
}

#[test]
fn nanoseconds_carry_over_into_seconds() {
    for ((seconds, nanos), (expected, rest)) in [
        ((0, 1_000_000_000), (1, 0)),
        ((0, -1), (-1, 999_999_999)),
        ((5, -2_500_000_000), (2, 500_000_000)),
        ((i64::MAX, 5_000_000_000), (i64::MAX, 0)),
    ] {
        let made = Timestamp::from_unix(seconds, nanos);
        assert_eq!((made.unix_seconds(), made.subsec_nanos()), (expected, rest), "{seconds} and {nanos}");
        let made = MicroTime::from_unix(seconds, nanos);
        assert_eq!((made.unix_seconds(), made.subsec_nanos()), (expected, rest), "{seconds} and {nanos}");
    }
}

#[test]
fn times_and_the_hosts_clock_agree_to_the_millisecond() {
    let clock = WallTime(SECONDS * 1000 + 123);
    assert_eq!((Timestamp::from(clock), MicroTime::from(clock)), (time(123_000_000), micro(123_000_000)));
    assert_eq!((time(123_999_999).wall_time(), micro(123_999_999).wall_time()), (clock, clock));
    assert_eq!(parse_timestamp("1998-05-05T05:05:05.123999999Z"), Some(clock));
}

#[test]
fn every_time_is_read_back_as_it_was_written() {
    let mut chance = Chance(10);
    for _ in 0..5000 {
        // From the year 0 to the year 9999.
        let seconds = i64::try_from(chance.below(62_167_219_200 + 253_402_300_800)).unwrap() - 62_167_219_200;
        let nanos = i64::try_from(chance.below(1_000_000)).unwrap() * 1000;
        let (time, micro) = (Timestamp::from_unix(seconds, 0), MicroTime::from_unix(seconds, nanos));
        assert_eq!(time.to_string().parse(), Ok(time));
        assert_eq!(micro.to_string().parse(), Ok(micro));
        assert_eq!((time.to_string().len(), micro.to_string().len()), (20, 27), "{micro}");
    }
}

const HOUR: i64 = 3_600_000_000_000;
const MINUTE: i64 = 60_000_000_000;
const SECOND: i64 = 1_000_000_000;
const MILLISECOND: i64 = 1_000_000;

#[test]
fn a_duration_is_written_as_a_text() {
    for (nanos, text) in [(5 * SECOND, "5s"), (2 * MINUTE, "2m0s"), (HOUR + 3 * MILLISECOND, "1h0m0.003s"), (0, "0s")] {
        assert_written(Duration::from_nanos(nanos), Some(text));
    }
}

#[test]
fn a_duration_is_read_with_and_without_units_that_are_zero() {
    for (text, nanos) in [
        ("0s", 0),
        ("5s", 5 * SECOND),
        ("2m0s", 2 * MINUTE),
        ("1h0m0.003s", HOUR + 3 * MILLISECOND),
        ("2m", 2 * MINUTE),
        ("1h0.003s", HOUR + 3 * MILLISECOND),
    ] {
        assert_eq!(read::<Duration>(Some(text)), Duration::from_nanos(nanos), "{text}");
    }
    for wrong in ["null", "5", "\"\"", "\"5\"", "\"5 s\"", "true"] {
        assert!(serde_json::from_str::<Duration>(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn a_duration_written_as_json_is_read_as_yaml() {
    for nanos in [0, 5 * SECOND, 2 * MINUTE, HOUR + 3 * MILLISECOND, -1500] {
        assert_eq!(through_both(Duration::from_nanos(nanos)), Duration::from_nanos(nanos));
    }
}

#[test]
fn a_duration_is_written_as_go_writes_it() {
    for (nanos, text) in [
        (1, "1ns"),
        (999, "999ns"),
        (1100, "1.1µs"),
        (2_200_000, "2.2ms"),
        (1_000_000, "1ms"),
        (3_300_000_000, "3.3s"),
        (4 * MINUTE + 5 * SECOND, "4m5s"),
        (4 * MINUTE + 5001 * MILLISECOND, "4m5.001s"),
        (5 * HOUR + 6 * MINUTE + 7001 * MILLISECOND, "5h6m7.001s"),
        (8 * MINUTE + 1, "8m0.000000001s"),
        (-90 * MINUTE, "-1h30m0s"),
        (-1, "-1ns"),
        (i64::MAX, "2562047h47m16.854775807s"),
        (i64::MIN, "-2562047h47m16.854775808s"),
    ] {
        assert_eq!(Duration::from_nanos(nanos).to_string(), text);
        assert_eq!(text.parse(), Ok(Duration::from_nanos(nanos)));
    }
}

#[test]
fn a_duration_is_read_as_go_reads_it() {
    for (text, nanos) in [
        ("0", 0),
        ("-0", 0),
        ("+5s", 5 * SECOND),
        ("-5s", -5 * SECOND),
        ("5.0s", 5 * SECOND),
        ("5.s", 5 * SECOND),
        (".5s", SECOND / 2),
        ("1.004s", 1004 * MILLISECOND),
        ("100.00100s", 100_001 * MILLISECOND),
        ("10ns", 10),
        ("11us", 11_000),
        ("12µs", 12_000),
        ("12μs", 12_000),
        ("3h30m", 3 * HOUR + 30 * MINUTE),
        ("10.5s4m", 4 * MINUTE + 10 * SECOND + SECOND / 2),
        ("-2m3.4s", -(2 * MINUTE + 3400 * MILLISECOND)),
        ("1s1s", 2 * SECOND),
        ("9223372036854775807ns", i64::MAX),
        ("9223372036854775.807us", i64::MAX),
        ("9223372036s854ms775us807ns", i64::MAX),
        ("-9223372036854775808ns", i64::MIN),
        ("0.3333333333333333333h", 20 * MINUTE),
        ("0.100000000000000000000h", 6 * MINUTE),
        ("9007199254.740993ms", 9_007_199_254_740_993),
        ("0.0000000009s", 0),
    ] {
        assert_eq!(text.parse(), Ok(Duration::from_nanos(nanos)), "{text}");
    }
    let wrong = [
        "",
        "3",
        "-",
        "s",
        ".",
        "-.",
        ".s",
        "+.s",
        "1d",
        "1S",
        "1 s",
        "--1s",
        "+",
        "5s3",
        "1.2.3s",
        "1h-5m",
        "٣s",
        "9223372036854775808ns",
        "9223372036854775810ns",
        "-9223372036854775809ns",
        "3000000h",
        "18446744073709551616ns",
        "9223372036854ms775us808ns9223372036854775807ns",
    ];
    for text in wrong {
        let error = text.parse::<Duration>().unwrap_err().to_string();
        assert!(error.starts_with(&format!("\"{text}\" is not a duration: ")), "{error}");
    }
}

#[test]
fn every_duration_is_read_back_as_it_was_written() {
    let mut chance = Chance(11);
    for _ in 0..5000 {
        let bits = chance.below(64);
        let nanos = i64::from_ne_bytes(chance.next().to_ne_bytes()) >> bits;
        let duration = Duration::from_nanos(nanos);
        assert_eq!(duration.to_string().parse(), Ok(duration));
    }
}

#[test]
fn durations_of_the_standard_library_go_both_ways_where_they_fit() {
    use std::time;
    let standard = time::Duration::new(5, 7);
    assert_eq!(Duration::from(standard).as_nanos(), 5_000_000_007);
    assert_eq!(time::Duration::try_from(Duration::from(standard)), Ok(standard));
    assert_eq!(Duration::from(time::Duration::MAX).as_nanos(), i64::MAX);
    assert!(time::Duration::try_from(Duration::from_nanos(-1)).is_err());
    assert!(Duration::from_nanos(-1) < Duration::default());
}
