use super::*;
use crate::{
    platform::{Chance, WallTime},
    view::{
        Arrangement, ViewColumn,
        testing::{columns, entry},
    },
    wire::TableRow,
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const NOW: WallTime = WallTime(1_000_000);

fn table() -> Vec<ViewColumn> {
    columns(&["Name", "Ready", "Status", "Restarts", "Age", "IP", "Node", "CPU", "Version", "Last Seen", "Wide Image"])
}

fn row(name: &str) -> std::sync::Arc<TableRow> {
    let cells = match name {
        "web-1" => ["1/2", "Running", "3 (5m ago)", "4m", "10.0.0.1", "node-1", "500m", "v1.30.2", "10s", "nginx:1.27"],
        "web-2" => ["2/2", "CrashLoopBackOff", "10", "2d", "10.0.0.12", "<none>", "2", "1.9", "3h", "redis:7"],
        _ => ["0/1", "Pending", "0", "<unknown>", "<none>", "Node-10", "", "v1.31.0-rc.1", "1y", "ÄPFEL \"x\""],
    };
    entry(name, if name == "db-0" { "data" } else { "shop" }, &cells).object
}

fn bound(query: &str) -> Result<Filter, QueryError> {
    Query::parse(query)?.bind(&table(), |column| Arrangement::default().shows(column))
}

#[track_caller]
fn finds(query: &str, names: &[&str]) {
    let filter = bound(query).unwrap_or_else(|error| panic!("{query}: {error}"));
    let found: Vec<_> = ["web-1", "web-2", "db-0"].into_iter().filter(|name| filter.passes(&row(name), NOW)).collect();
    assert_eq!(found, names, "{query}");
}

#[test]
fn words_are_found_in_names_namespaces_and_shown_cells() {
    finds("", &["web-1", "web-2", "db-0"]);
    finds("  \t ", &["web-1", "web-2", "db-0"]);
    finds("WEB", &["web-1", "web-2"]);
    finds("shop run", &["web-1"]);
    finds("\"5m ago\"", &["web-1"]);
    finds("5m ago", &["web-1"]);
    finds("data", &["db-0"]);
    // A column that is not shown is not looked at, unless it is named.
    finds("nginx", &[]);
    finds("wideimage:nginx", &["web-1"]);
    finds("wide:äpfel", &["db-0"]);
    finds("wide:\"\\\"X\\\"\"", &["db-0"]);
    finds("<none>", &["web-2", "db-0"]);
}

#[test]
fn patterns_letters_and_their_contrary_are_found() {
    finds("/^web-[0-9]$/", &["web-1", "web-2"]);
    finds("/WEB/", &[]);
    finds("/running|pending/", &["web-1", "db-0"]);
    finds("/5m ago/", &["web-1"]);
    finds("status:/^(crash|pend)/", &["web-2", "db-0"]);
    finds("ready:/1\\/2/", &["web-1"]);
    finds("/\\w+LoopBack\\W?/", &["web-2"]);
    finds("~clbo", &["web-2"]);
    finds("~rnng", &["web-1"]);
    finds("status:~pg", &["db-0"]);
    finds("wide:~äel", &["db-0"]);
    finds("!web", &["db-0"]);
    finds("!/^web/", &["db-0"]);
    finds("!status:crash !db", &["web-1"]);
    finds("!!web-1", &["web-1"]);
    finds("!~clbo", &["web-1", "db-0"]);
}

#[test]
fn values_compare_as_what_they_are() {
    finds("cpu>400m", &["web-1", "web-2"]);
    finds("cpu>500m", &["web-2"]);
    finds("cpu>=0.5", &["web-1", "web-2"]);
    finds("cpu=500m", &["web-1"]);
    finds("cpu=0.5", &["web-1"]);
    finds("restarts>3", &["web-2"]);
    finds("restarts>=3", &["web-1", "web-2"]);
    finds("restarts=\"3 (5m ago)\"", &["web-1"]);
    finds("ready<1", &["db-0"]);
    finds("ready=1/2", &["web-1"]);
    finds("ready<2/2", &["web-1", "db-0"]);
    finds("ready<100%", &["web-1", "db-0"]);
    finds("ready>=100%", &["web-2"]);
    finds("version>=1.30", &["web-1", "db-0"]);
    finds("version<1.10", &["web-2"]);
    finds("version<1.31.0", &["web-1", "web-2", "db-0"]);
    finds("version>2", &[]);
    finds("ip=10.0.0.1", &["web-1"]);
    finds("ip>10.0.0.9", &["web-2"]);
    finds("status=running", &["web-1"]);
    finds("status!=running", &["web-2", "db-0"]);
    finds("name>web", &["web-1", "web-2"]);
    finds("name<web-2", &["web-1", "db-0"]);
    finds("lastseen<1h", &["web-1"]);
    finds("last_seen>=3h", &["web-2", "db-0"]);
    // Of different kinds nothing compares.
    finds("status>5", &[]);
    finds("cpu>m", &[]);
    finds("ip>5", &[]);
}

#[test]
fn what_is_missing_fulfils_nothing_but_unequal() {
    for operator in ["=", "<", ">", "<=", ">="] {
        finds(&format!("cpu{operator}0 db"), &[]);
        finds(&format!("age{operator}5m db"), &[]);
        finds(&format!("node{operator}\"<none>\" web-2"), &[]);
    }
    finds("cpu!=0 db", &["db-0"]);
    finds("age!=5m db", &["db-0"]);
    finds("node!=node-1", &["web-2", "db-0"]);
}

#[test]
fn columns_are_named_in_many_ways() {
    finds("LAST-SEEN:10s", &["web-1"]);
    finds("las:10s", &["web-1"]);
    finds("ns:data", &["db-0"]);
    finds("namespace=data", &["db-0"]);
    finds("no:NODE-1", &["web-1", "db-0"]);
    // What names no column is text.
    finds("nginx:1.27", &[]);
    finds("10.0.0.1:80", &[]);
    finds("http://web", &[]);
    finds("fe80::1", &[]);
    let unnamed = Query::parse("ns:shop name:web-1").unwrap().bind(&[], |_| true).unwrap();
    assert!(unnamed.passes(&row("web-1"), NOW) && !unnamed.passes(&row("web-2"), NOW));
}

#[track_caller]
fn fails(query: &str, place: &str, words: &str) {
    let error = bound(query).map(|_| ()).unwrap_err();
    assert_eq!(&query[error.place.clone()], place, "{query}");
    assert!(error.to_string().contains(words), "{query}: {error}");
}

#[test]
fn errors_say_where_and_what_to_do() {
    fails("a \"open", "\"open", "add \"");
    fails("a /open x", "/open x", "add /");
    fails("/api/v1 x", "/api/", "put a blank");
    fails("\"a\"b", "\"a\"", "put a blank");
    fails("x !", "!", "nothing follows the !");
    fails("x ! y", "!", "nothing follows the !");
    fails("cpu>", "cpu>", "cpu> has nothing to compare with");
    fails("cpu> 5", "cpu>", "add a value");
    fails("a x>5 b", "x>5", "no column is called x: there are Name, Namespace, Ready, Status");
    fails("-l", "-l", "add a selector");
    fails("-l env in (a", "env in (a", "add )");
    fails("-l 'env in (a, b)", "'env in (a, b)", "add '");
    fails("!-l a=b", "!-l a=b", "app!=web");
    fails("na:x", "na:x", "na begins the names of Name, Namespace");
    fails("/(/", "/(/", "no regular expression");
    fails("status:/a{5000}{5000}/", "status:/a{5000}{5000}/", "no regular expression");
    let columns = columns(&["Name", "Cpu Limit", "Cpu Request"]);
    let error = Query::parse("cpu>5").unwrap().bind(&columns, |_| true).unwrap_err();
    assert_eq!(error.to_string(), "cpu begins the names of Cpu Limit, Cpu Request: write more of one");
}

#[test]
fn selectors_go_to_the_server() {
    let labels = |text: &str| Query::parse(text).unwrap().label_selector();
    let fields = |text: &str| Query::parse(text).unwrap().field_selector();
    assert_eq!(labels("x y"), None);
    for (text, selector) in [
        ("-l app=web", "app=web"),
        ("-lapp=web x", "app=web"),
        ("--selector=app=web", "app=web"),
        ("x -l env in (a, b) y", "env in (a, b)"),
        ("x -l 'env in (a, b)' y", "env in (a, b)"),
        ("-l env notin (a,b),app=web y", "env notin (a,b),app=web"),
        ("-l env in(a, b), app y", "env in(a, b), app"),
        ("-l a -l b", "a,b"),
        ("-l \"a in (x)\"", "a in (x)"),
        ("-l !env", "!env"),
    ] {
        assert_eq!(labels(text).as_deref(), Some(selector), "{text}");
        assert_eq!(fields(text), None);
    }
    assert_eq!(fields("-f spec.nodeName=n-1 -l a").as_deref(), Some("spec.nodeName=n-1"));
    assert_eq!(fields("--field-selector=status.phase!=Running").as_deref(), Some("status.phase!=Running"));
    assert_eq!(Query::parse("x -l env in (a, b) y").unwrap().terms().len(), 3);
    finds("-l app=web web-1", &["web-1"]);
}

#[test]
fn terms_say_where_they_are() {
    let text = " a  !status:\"b c\" -l env in (x, y) /p q/ ";
    let query = Query::parse(text).unwrap();
    let places: Vec<_> = query.terms().iter().map(|term| &text[term.place.clone()]).collect();
    assert_eq!(places, ["a", "!status:\"b c\"", "-l env in (x, y)", "/p q/"]);
}

fn meanings(query: &Query) -> Vec<(bool, TermKind)> {
    query.terms().iter().map(|term| (term.negated, term.kind.clone())).collect()
}

#[test]
fn a_query_prints_as_what_it_was_parsed_from() {
    let parts = [
        "a",
        "web-1",
        " ",
        " ",
        " ",
        "\"",
        "\\",
        "/",
        "~",
        "!",
        ":",
        "=",
        "!=",
        ">",
        "<=",
        "-l ",
        "-f",
        "-",
        "in ",
        "notin",
        "(",
        ")",
        ",",
        "status",
        "ns:",
        "Ä",
        "名",
        ".",
        "\\/",
        "[",
        "*",
        "5m",
        "--selector=",
        "\t",
    ];
    let mut chance = Chance(11);
    let (mut parsed, mut refused, mut hits) = (0, 0, 0);
    for _ in 0..60_000 {
        let text = chance.text(&parts, 12);
        let Ok(query) = Query::parse(&text) else {
            refused += 1;
            continue;
        };
        let printed = query.to_string();
        let again = Query::parse(&printed).unwrap_or_else(|error| panic!("{text:?} prints as {printed:?}: {error}"));
        assert_eq!(meanings(&again), meanings(&query), "{text:?} prints as {printed:?}");
        // Binding and matching never panic either.
        if let Ok(filter) = query.bind(&table(), |_| true) {
            for name in ["web-1", "db-0"] {
                hits += usize::from(filter.passes(&row(name), NOW));
            }
        }
        parsed += 1;
    }
    assert!(parsed > 10_000 && refused > 1000 && hits > 100, "{parsed} {refused} {hits}");
}

#[test]
fn an_age_that_passes_a_limit_changes_sides_when_it_is_said() {
    // `web-1` is four minutes old when it arrives, at 1,000 s.
    let born = 760_000;
    for (query, moments) in [
        ("age<5m", vec![(born + 300_000, false)]),
        ("age>=5m", vec![(born + 300_000, true)]),
        ("age>5m", vec![(born + 301_000, true)]),
        ("age<=5m", vec![(born + 301_000, false)]),
        ("age=5m", vec![(born + 300_000, true), (born + 301_000, false)]),
        ("age!=5m", vec![(born + 300_000, false), (born + 301_000, true)]),
        ("age=5h", vec![(born + 18_000_000, true), (born + 18_060_000, false)]),
        ("!age>1h age<2h", vec![(born + 3_660_000, false)]),
    ] {
        let (filter, row) = (bound(query).unwrap(), row("web-1"));
        assert!(filter.is_timed());
        let (mut now, mut seen) = (NOW, Vec::new());
        let mut passes = filter.passes(&row, now);
        while let Some(next) = filter.judge(&row, now).1 {
            assert!(next > now, "{query}");
            // Until then nothing changes.
            assert_eq!(filter.passes(&row, WallTime(next.0 - 1)), passes, "{query}");
            now = next;
            if filter.passes(&row, now) != passes {
                passes = !passes;
                seen.push((now.0, passes));
            }
        }
        assert_eq!(seen, moments, "{query}");
    }
    assert!(!bound("cpu>1 age:5").unwrap().is_timed());
}

#[test]
fn a_hostile_pattern_takes_no_longer_than_its_size_says() {
    let filter = bound("/(a*)*b|(a|a)*c|(a+)+$x/").unwrap();
    let long = entry(&"a".repeat(20_000), "shop", &[]).object;
    assert!(!filter.passes(&long, NOW));
}
