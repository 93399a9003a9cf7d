//! What the program is told when it is started.

use std::{str::FromStr, time::Duration};

/// How to call it.
pub(crate) const USAGE: &str = "replicaset-controller [--namespace NAME] [--workers 5] [--qps 20] [--burst 30] \
    [--lease kube-system/replicaset-controller] [--lease-seconds 15] [--identity NAME]";

/// What it is told.
#[derive(Debug, PartialEq)]
pub(crate) struct Arguments {
    /// Whose sets; all where it is empty.
    pub(crate) namespace: String,
    /// How many sets are worked on at once.
    pub(crate) workers: usize,
    /// Requests a second, over time.
    pub(crate) qps: f64,
    /// Requests at once.
    pub(crate) burst: u32,
    /// The namespace and the name of the lease by which copies find out which of them leads.
    pub(crate) lease: (String, String),
    /// For how long the others leave the lease to a leader that nobody hears of.
    pub(crate) lease_duration: Duration,
    /// The name of this copy.
    pub(crate) identity: String,
}

/// Reads what stands after the program's name. `identity` is the name of this copy where it is told none.
///
/// # Errors
/// Where something is not understood; the words say what.
pub(crate) fn read(mut words: impl Iterator<Item = String>, identity: String) -> Result<Arguments, String> {
    let mut arguments = Arguments {
        namespace: String::new(),
        workers: 5,
        qps: 20.0,
        burst: 30,
        lease: ("kube-system".to_owned(), "replicaset-controller".to_owned()),
        lease_duration: Duration::from_secs(15),
        identity,
    };
    while let Some(name) = words.next() {
        let value = words.next().ok_or_else(|| format!("{name} is the last word, and has no value; {USAGE}"))?;
        let wrong = |wanted: &str| format!("{name} {value}: {wanted} is wanted");
        match name.as_str() {
            "--namespace" => arguments.namespace = value,
            "--identity" if !value.is_empty() => arguments.identity = value,
            "--workers" => arguments.workers = above_zero(&value, 0).ok_or_else(|| wrong("a number above zero"))?,
            "--qps" => {
                arguments.qps = above_zero(&value, 0.0).ok_or_else(|| wrong("a number above zero"))?;
            }
            "--burst" => {
                arguments.burst = above_zero(&value, 0).ok_or_else(|| wrong("a number above zero"))?;
            }
            "--lease-seconds" => {
                let seconds = above_zero(&value, 0).ok_or_else(|| wrong("a whole number above zero"))?;
                arguments.lease_duration = Duration::from_secs(seconds);
            }
            "--lease" => {
                let (namespace, name) = value.split_once('/').ok_or_else(|| wrong("a namespace and a name"))?;
                arguments.lease = (namespace.to_owned(), name.to_owned());
            }
            _ => return Err(format!("{name} is unknown; {USAGE}")),
        }
    }
    Ok(arguments)
}

fn above_zero<N: FromStr + PartialOrd>(text: &str, zero: N) -> Option<N> {
    text.parse().ok().filter(|number| *number > zero)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Result<Arguments, String> {
        read(text.split_whitespace().map(str::to_owned), "me".to_owned())
    }

    #[test]
    fn all_that_is_told_is_read_and_the_rest_is_as_in_kubernetes() {
        let plain = of("").unwrap();
        assert_eq!((plain.workers, plain.burst, plain.identity.as_str(), plain.namespace.as_str()), (5, 30, "me", ""));
        let told = of("--namespace a --workers 2 --qps 0.5 --burst 1 --lease b/c --lease-seconds 3 --identity d").unwrap();
        let expected = Arguments {
            namespace: "a".to_owned(),
            workers: 2,
            qps: 0.5,
            burst: 1,
            lease: ("b".to_owned(), "c".to_owned()),
            lease_duration: Duration::from_secs(3),
            identity: "d".to_owned(),
        };
        assert_eq!(told, expected);
    }

    #[test]
    fn what_is_not_understood_is_told_with_what_is_wanted() {
        for (text, words) in [
            ("--workers 0", "--workers 0: a number above zero is wanted"),
            ("--qps NaN", "--qps NaN: a number above zero is wanted"),
            ("--burst -1", "--burst -1: a number above zero is wanted"),
            ("--lease-seconds 1.5", "--lease-seconds 1.5: a whole number above zero is wanted"),
            ("--lease a", "--lease a: a namespace and a name is wanted"),
            ("--worker 1", "--worker is unknown; replicaset-controller"),
            ("--workers", "--workers is the last word, and has no value; replicaset-controller"),
        ] {
            let error = of(text).unwrap_err();
            assert!(error.starts_with(words), "{error}");
        }
    }
}
