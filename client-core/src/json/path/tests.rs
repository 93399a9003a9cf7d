//! The cases of client-go's `util/jsonpath` that are no templates, and what is different here.

use super::*;
use crate::json::Value;
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// What a path finds, as JSON with spaces between, as client-go prints it; or the error.
#[track_caller]
fn found(path: &str, value: &Value) -> Result<String, String> {
    let path = JsonPath::parse(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let found = path.try_find(value).map_err(|error| error.to_string())?;
    let texts = found.into_iter().map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned));
    Ok(texts.collect::<Vec<_>>().join(" "))
}

#[track_caller]
fn all_find(value: &str, cases: &[(&str, &str)]) {
    let value = value.parse().unwrap();
    for (path, expected) in cases {
        assert_eq!(found(path, &value).as_deref(), Ok(*expected), "{path}");
    }
}

#[track_caller]
fn all_fail(value: &str, cases: &[(&str, &str)]) {
    let value = value.parse().unwrap();
    for (path, words) in cases {
        let error = found(path, &value).expect_err(path);
        assert!(error.contains(words), "{path}: {error}");
        assert_eq!(JsonPath::parse(path).unwrap().text(&value), "<none>", "{path}");
    }
}

const TYPES: &str = r#"{"bools":[true,false,true,false],"integers":[1,2,3,4],"floats":[1.0,2.2,3.3,4.0],
    "strings":["one","two","three","four"],"mixed":[true,"one",1,1.1],
    "maps":[{"name":"one","value":1},{"name":"two","value":2.02},{"name":"three","value":3.03},{"name":"four","value":4.04}]}"#;

#[test]
fn items_of_each_type_are_chosen_by_index_and_slice() {
    all_find(
        TYPES,
        &[
            ("{ .bools }", "[true,false,true,false]"),
            ("{ .bools[0] }", "true"),
            ("{ .bools[-1] }", "false"),
            ("{ .bools[0:2] }", "true false"),
            ("{ .bools[:2] }", "true false"),
            ("{ .bools[:4:2] }", "true true"),
            ("{ .integers }", "[1,2,3,4]"),
            ("{ .integers[0] }", "1"),
            ("{ .integers[-2] }", "3"),
            ("{ .integers[0:2] }", "1 2"),
            ("{ .integers[:4:2] }", "1 3"),
            ("{ .floats }", "[1.0,2.2,3.3,4.0]"),
            ("{ .floats[-2] }", "3.3"),
            ("{ .floats[:4:2] }", "1.0 3.3"),
            ("{ .strings }", r#"["one","two","three","four"]"#),
            ("{ .strings[0] }", "one"),
            ("{ .strings[-2] }", "three"),
            ("{ .strings[:2] }", "one two"),
            ("{ .mixed[-2] }", "1"),
            ("{ .mixed[:4:2] }", "true 1"),
            ("{ .maps[0] }", r#"{"name":"one","value":1}"#),
            ("{ .maps[-2] }", r#"{"name":"three","value":3.03}"#),
            ("{ .maps[::2].name }", "one three"),
            ("{ .maps[1::2].name }", "two four"),
        ],
    );
}

const STORE: &str = r#"{"Name":"jsonpath","Book":[
    {"Category":"reference","Author":"Nigel Rees","Title":"Sayings of the Centurey","Price":8.95},
    {"Category":"fiction","Author":"Evelyn Waugh","Title":"Sword of Honour","Price":12.99},
    {"Category":"fiction","Author":"Herman Melville","Title":"Moby Dick","Price":8.99}],
    "Bicycle":[{"Color":"red","Price":19.95,"IsNew":true},{"Color":"green","Price":20.01,"IsNew":false}],
    "Labels":{"engieer":10,"web/html":15,"k8s-app":20},"Employees":{"jason":"manager","dan":"clerk"}}"#;

#[test]
fn fields_wildcards_descents_and_filters_find_what_client_go_finds() {
    all_find("[1,2,3]", &[("{..}", "[1,2,3]")]);
    all_find("[2,6,3,7]", &[("{[?(@<5)]}", "2 3")]);
    all_find("[0,1,2,3,4]", &[("{[1,3,4]}", "1 3 4")]);
    all_find(r#"["Monday","Tudesday"]"#, &[("{[0:2]}", "Monday Tudesday"), ("[0:2]", "Monday Tudesday")]);
    all_find(
        STORE,
        &[
            ("{.Name}", "jsonpath"),
            ("{$.Labels.web/html}", "15"),
            ("{$.Employees.jason}", "manager"),
            ("{.Labels.k8s-app}", "20"),
            ("{.Labels.*}", "10 20 15"),
            ("{.Bicycle[*].Color}", "red green"),
            ("{.Book[*].Author}", "Nigel Rees Evelyn Waugh Herman Melville"),
            ("{.Bicycle[*].*}", "red true 19.95 green false 20.01"),
            ("{..Price}", "19.95 20.01 8.95 12.99 8.99"),
            ("{...Price}", "19.95 20.01 8.95 12.99 8.99"),
            ("{.Book[-1:].Title}", "Moby Dick"),
            ("{..Book[2].Title}", "Moby Dick"),
            ("{.Bicycle[?(@.IsNew==true)].Color}", "red"),
            ("{.hello}", ""),
            ("{.hello.there}", ""),
            ("{@.Name}", "jsonpath"),
        ],
    );
    all_find(r#"{"a":[]}"#, &[("{.}", r#"{"a":[]}"#), ("{@}", r#"{"a":[]}"#), ("{$}", r#"{"a":[]}"#)]);
}

#[test]
fn a_path_that_does_not_fit_is_an_error_that_says_why() {
    all_fail(
        STORE,
        &[
            ("{.Labels[0]}", "an object has no items"),
            ("{.Name[*]}", "a string has no items"),
            ("{.Labels[?(@.x)]}", "an object has no items"),
            ("{.Book[?(@.*==1)]}", "one value only, not 4"),
            ("{.Book[?(@.Price=='x')]}", "cannot compare a number with a string"),
            ("{.Bicycle[?(@.IsNew<true)]}", "cannot compare a boolean with a boolean"),
            ("{.Book[?(@==1)]}", "cannot compare an object with a number"),
        ],
    );
}

#[test]
fn a_filter_asks_for_existence_and_null_is_a_value() {
    let points = r#"[{"id":"i1","x":4,"y":-5},{"id":"i2","x":-2,"y":-5,"z":1},{"id":"i3","x":8,"y":3},{"id":"i4","x":-6,"y":-1},
        {"id":"i5","x":0,"y":2,"z":1},{"id":"i6","x":1,"y":4},{"id":"i7","x":null,"y":4}]"#;
    all_find(
        points,
        &[
            ("{[?(@.z)].id}", "i2 i5"),
            ("{[0]['id']}", "i1"),
            ("{[0][\"id\"]}", "i1"),
            ("{[-1]['x']}", "null"),
            ("{[-1].x.y}", ""),
            ("{[-1].x[0]}", ""),
            ("{[?(@.x)].id}", "i1 i2 i3 i4 i5 i6 i7"),
            ("{[?(@.id[0])].id}", ""),
        ],
    );
    assert_eq!(JsonPath::parse("{[-1]['x']}").unwrap().text(&points.parse().unwrap()), "<nil>");
}

const NODES: &str = r#"{"kind":"List","items":[
    {"kind":"None","metadata":{"name":"127.0.0.1","labels":{"kubernetes.io/hostname":"127.0.0.1"}},
     "status":{"capacity":{"cpu":"4"},"ready":true,"addresses":[{"type":"LegacyHostIP","address":"127.0.0.1"}]}},
    {"kind":"None","metadata":{"name":"127.0.0.2","labels":{"kubernetes.io/hostname":"127.0.0.2"}},
     "status":{"capacity":{"cpu":"8"},"ready":false,"addresses":[{"type":"LegacyHostIP","address":"127.0.0.2"},
      {"type":"another","address":"127.0.0.3"}]}}],
    "users":[{"name":"myself","user":{}},{"name":"e2e","user":{"username":"admin","password":"secret"}}]}"#;

#[test]
fn objects_of_kubernetes_are_searched_as_client_go_searches_them() {
    all_find(
        NODES,
        &[
            ("{.items[*].status.addresses[*].address}", "127.0.0.1 127.0.0.2 127.0.0.3"),
            ("{.items[*].metadata.name}", "127.0.0.1 127.0.0.2"),
            ("{.items[*]['metadata.name', 'status.capacity']}", r#"127.0.0.1 127.0.0.2 {"cpu":"4"} {"cpu":"8"}"#),
            (r#"{.users[?(@.name=="e2e")].user.password}"#, "secret"),
            (r"{.items[0].metadata.labels.kubernetes\.io/hostname}", "127.0.0.1"),
            (r#"{.items[?(@.metadata.labels.kubernetes\.io/hostname=="127.0.0.1")].kind}"#, "None"),
            ("{.items[?(@..ready==true)].metadata.name}", "127.0.0.1"),
            ("{..name}", "127.0.0.1 127.0.0.2 myself e2e"),
        ],
    );
}

#[test]
fn a_name_in_quotes_is_the_field_and_else_a_path() {
    all_find(
        r#"{"labels":{"app.kubernetes.io/name":"web","a":{"b":1},"c.d":2,"c":{"d":3}}}"#,
        &[
            ("labels['app.kubernetes.io/name']", "web"),
            ("labels[\"app.kubernetes.io/name\"]", "web"),
            (r"labels['app\.kubernetes\.io/name']", "web"),
            (r"labels.app\.kubernetes\.io/name", "web"),
            ("labels.['app.kubernetes.io/name']", "web"),
            ("labels['a.b']", "1"),
            ("labels['c.d']", "2"),
            ("labels.c.d", "3"),
            ("labels['a.x']", ""),
            ("labels['x','a.b',\"c.d\"]", "1 2"),
            ("labels['*'].b", "1"),
        ],
    );
}

#[test]
fn items_without_the_field_of_a_filter_are_passed_over() {
    all_find(
        r#"{"items":[{"name":"pod1","annotations":{"color":"blue"}},{"name":"pod2"},
            {"name":"pod3","annotations":{"color":"green"}},{"name":"pod4","annotations":{"color":"blue"}}]}"#,
        &[
            (r#"{.items[?(@.annotations.color=="blue")].name}"#, "pod1 pod4"),
            (r#"{.items[?(@.annotations.color!="blue")].name}"#, "pod3"),
        ],
    );
}

fn containers(count: usize) -> String {
    let names: Vec<_> = (0..count).map(|index| format!(r#"{{"name":"fake{index}"}}"#)).collect();
    format!(r#"{{"spec":{{"containers":[{}]}}}}"#, names.join(","))
}

#[test]
fn a_negative_index_counts_from_the_end() {
    all_find(
        &containers(4),
        &[
            ("{.spec.containers[0].name}", "fake0"),
            ("{.spec.containers[0:0].name}", ""),
            ("{.spec.containers[0:-1].name}", "fake0 fake1 fake2"),
            ("{.spec.containers[-1].name}", "fake3"),
            ("{.spec.containers[-1:].name}", "fake3"),
            ("{.spec.containers[-2].name}", "fake2"),
            ("{.spec.containers[-2:].name}", "fake2 fake3"),
            ("{.spec.containers[-3].name}", "fake1"),
            ("{.spec.containers[-3:-1].name}", "fake1 fake2"),
            ("{.spec.containers[-4].name}", "fake0"),
            ("{.spec.containers[-4:].name}", "fake0 fake1 fake2 fake3"),
            ("{.spec.containers[5:5].name}", ""),
            ("{.spec.containers[-5:-5].name}", ""),
        ],
    );
    all_fail(
        &containers(4),
        &[
            ("{.spec.containers[-1:0].name}", "from 3 to 0"),
            ("{.spec.containers[-5].name}", "index -1 is out of a list of 4"),
            ("{.spec.containers[4].name}", "index 4 is out of a list of 4"),
            ("{.spec.containers[0:5].name}", "index 4 is out of a list of 4"),
            ("{.spec.containers[3:1].name}", "from 3 to 1"),
            ("{.spec.containers[-1:-2].name}", "from 3 to 2"),
            ("{.spec.containers[-9223372036854775808:].name}", "out of a list"),
        ],
    );
}

#[test]
fn items_are_chosen_by_the_phase_that_a_filter_names() {
    all_find(
        r#"{"items":[{"name":"pod1","status":{"phase":"Running"}},{"name":"pod2","status":{"phase":"Pending"}},
            {"name":"pod3","status":{"phase":"Running"}},{"resourceVersion":""}]}"#,
        &[(r#"{.items[?(.status.phase=="Running")].name}"#, "pod1 pod3")],
    );
}

#[test]
fn a_step_leaves_items_out_and_goes_forward_only() {
    all_find(
        &containers(6),
        &[
            ("{.spec.containers[0:].name}", "fake0 fake1 fake2 fake3 fake4 fake5"),
            ("{.spec.containers[0:6:].name}", "fake0 fake1 fake2 fake3 fake4 fake5"),
            ("{.spec.containers[0:6:1].name}", "fake0 fake1 fake2 fake3 fake4 fake5"),
            ("{.spec.containers[1:4:2].name}", "fake1 fake3"),
            ("{.spec.containers[1:4:3].name}", "fake1"),
            ("{.spec.containers[1:4:4].name}", "fake1"),
            ("{.spec.containers[0:6:2].name}", "fake0 fake2 fake4"),
            ("{.spec.containers[0:6:3].name}", "fake0 fake3"),
            ("{.spec.containers[0:6:5].name}", "fake0 fake5"),
            ("{.spec.containers[0:6:6].name}", "fake0"),
        ],
    );
    all_fail(
        &containers(6),
        &[("{.spec.containers[0:6:0].name}", "not above zero"), ("{.spec.containers[0:6:-1].name}", "not above zero")],
    );
}

#[test]
fn a_path_reads_its_names_slices_unions_and_quotes() {
    let value = r#"{"book":[{"author":"a","price":2,"osImage":"()"},{"author":"b","price":5,"osImage":"(\"\")"}],"x":[0,1,2,3],
        "bicycle":{"price":7,"color":"{[()]}"},"q":["''","\"\"","\\'","())(","Linux"]}"#;
    all_find(
        value,
        &[
            ("{['bicycle']['color']}", "{[()]}"),
            ("{.x[1:3]}", "1 2"),
            ("{.x[1:-1]}", "1 2"),
            ("{.x[-5:-5]}", ""),
            ("{.book[*].author}", "a b"),
            ("{.bicycle.*}", "{[()]} 7"),
            ("{.book[?(@.price<3)].author}", "a"),
            ("{['bicycle.price', 'book']['author']}", ""),
            ("{['bicycle.price', 'x']}", "7 [0,1,2,3]"),
            (r#"{.book[?(@.osImage == "()")].author}"#, "a"),
            (r#"{.book[?(@.osImage == "(\"\")")].author}"#, "b"),
            (r#"{.q[?(@ == "())(")]}"#, "())("),
            (r"{.q[?(@ == 'Linux')]}", "Linux"),
            (r#"{.q[?(@ == "''")]}"#, "''"),
            (r#"{.q[?(@ == '""')]}"#, "\"\""),
            (r"{.q[?(@ == '\\\'')]}", r"\'"),
        ],
    );
    all_find(r#"[{"osImage":"{[()]}"}]"#, &[(r#"{[?(@.osImage == "{[()]}")].osImage}"#, "{[()]}")]);
}

#[test]
fn what_is_no_path_says_where_and_why() {
    for (text, at, words) in [
        ("{.hello", 8, "a } is missing"),
        ("{.a}}", 5, "template"),
        ("{{.a}", 2, "template"),
        (".a}", 3, "no meaning"),
        ("{[1}", 4, "a ] or a comma"),
        ("{[x]}", 3, "no index"),
        ("{[--1]}", 4, "not a number"),
        ("{['a]}", 4, "not closed"),
        ("{[?(.price]}", 11, "a ) may be missing"),
        ("{[?(.price)}", 12, "a ] is missing"),
        ("{[?(@.a==+12.3.0)]}", 17, "number cannot be read"),
        ("{[?(@.a==\"x)]}", 10, "not closed"),
        ("{[?(@.a==\"\\x\")]}", 10, "escape"),
        ("{[?(@.a==yes)]}", 13, "in quotes"),
        ("{.Book[?(@.Price<>10)]}", 19, "no such operator"),
        ("{.Book[?(@.Price=10)]}", 18, "no such operator"),
        ("{........}", 6, "too many dots"),
        ("{...}", 5, "name is missing"),
        (".a..b..*", 8, "no meaning"),
        (".a.", 4, "name is missing"),
        ("a b", 3, "no meaning"),
        (".a\\", 4, "behind the backslash"),
        (".ä#\u{1F600}.b c", 8, "no meaning"),
        ("{\\\\\\}", 6, "a } is missing"),
        ("{.a,.b}", 4, "no meaning"),
    ] {
        let error = JsonPath::parse(text).expect_err(text);
        let place = match &error {
            JsonPathError::Syntax { at, .. } | JsonPathError::Template { at } => *at,
            JsonPathError::Empty => 0,
        };
        assert!(error.to_string().contains(words), "{text}: {error}");
        assert_eq!(place, at, "{text}: {error}");
    }
    for text in ["", " ", "\t"] {
        assert_eq!(JsonPath::parse(text), Err(JsonPathError::Empty));
    }
}

#[test]
fn a_template_is_refused_as_one() {
    for text in [
        "{range .items[*]}{.name}{end}",
        "range .items[*]",
        "{end}",
        "hello {.jsonpath}",
        "{.a}{.b}",
        "{.a} {.b}",
        "{.a}, ",
        r#"{"text"}"#,
        r#"{.name}{"\t"}"#,
    ] {
        assert!(matches!(JsonPath::parse(text), Err(JsonPathError::Template { .. })), "{text}");
    }
    // These are names.
    all_find(r#"{"range":1,"end":2,"ranger":{"a":3}}"#, &[("range", "1"), (".end", "2"), ("end", "2"), ("{ranger.a}", "3")]);
}

#[test]
fn braces_and_the_first_dot_may_be_left_out() {
    for text in ["foo.bar", "{foo.bar}", ".foo.bar", "{.foo.bar}", "$.foo.bar", "{ .foo.bar }", " foo['bar']"] {
        all_find(r#"{"foo":{"bar":7}}"#, &[(text, "7")]);
    }
    for text in ["{foo.bar", "foo.bar}", "{foo.bar}}", "{{foo.bar}"] {
        assert!(JsonPath::parse(text).is_err(), "{text}");
    }
}

#[test]
fn numbers_are_compared_by_value_and_printed_digit_for_digit() {
    let value = r#"{"x":[{"n":9007199254740993},{"n":9007199254740992},{"n":1.0},{"n":1e3},{"n":-2}]}"#;
    all_find(
        value,
        &[
            ("x[?(@.n>9007199254740992)].n", "9007199254740993"),
            ("x[?(@.n==1)].n", "1.0"),
            ("x[?(@.n>=1000.0)].n", "9007199254740993 9007199254740992 1e3"),
            ("x[?(@.n<=-2)].n", "-2"),
            ("x[?(@.n<1.5)].n", "1.0 -2"),
            ("x[?(@.n!=+1)].n", "9007199254740993 9007199254740992 1e3 -2"),
        ],
    );
    let value: Value = value.parse().unwrap();
    assert_eq!(JsonPath::parse("x[*].n").unwrap().text(&value), "9007199254740993,9007199254740992,1.0,1e3,-2");
}

#[test]
fn values_print_as_kubectl_prints_them() {
    let value: Value =
        r#"{"b":true,"n":null,"l":["a",1,null,{"z":1,"y":[]}],"m":{"k":"v w","a":{"b":false}},"e":[],"o":{},"s":""}"#.parse().unwrap();
    for (path, text) in [
        (".b", "true"),
        (".n", "<nil>"),
        (".l", "[a 1 <nil> map[y:[] z:1]]"),
        (".l[*]", "a,1,<nil>,map[y:[] z:1]"),
        (".m", "map[a:map[b:false] k:v w]"),
        (".e", "[]"),
        (".e[*]", "<none>"),
        (".o", "map[]"),
        (".s", ""),
        (".x", "<none>"),
        ("['b','m.k','x']", "true,v w"),
    ] {
        assert_eq!(JsonPath::parse(path).unwrap().text(&value), text, "{path}");
    }
}

#[test]
fn a_list_without_items_hides_nothing_of_the_lists_behind_it() {
    all_find(r#"{"a":[{"p":[]},{"p":null},{},{"p":[{"n":1}]}]}"#, &[(".a[*].p[*].n", "1"), (".a[*].p[0:0].n", "")]);
}

#[test]
fn only_paths_below_the_metadata_need_nothing_else() {
    for (path, only) in [
        (".metadata.labels['a']", true),
        ("metadata", true),
        ("{$.metadata.name}", true),
        ("['metadata']['labels']", true),
        ("['metadata.name','metadata.uid']", true),
        ("['metadata.name','spec']", false),
        (".spec.metadata", false),
        ("..metadata", false),
        (".*", false),
        (".", false),
        (".kind", false),
        (r".metadata\.x", false),
        (".status.conditions[?(@.metadata)]", false),
    ] {
        assert_eq!(JsonPath::parse(path).unwrap().needs_only_metadata(), only, "{path}");
    }
}

#[test]
fn a_path_is_known_by_its_text() {
    let path: JsonPath = "{.a.b}".parse().unwrap();
    assert_eq!((path.to_string(), format!("{path:?}")), ("{.a.b}".to_owned(), "JsonPath({.a.b})".to_owned()));
    assert_eq!(path, path.clone());
    assert_ne!(path, ".a.b".parse().unwrap());
}

#[test]
fn no_text_makes_the_reader_panic_or_recurse_without_end() {
    let pieces =
        ["{", "}", "[", "]", "?(", ")", ".", "..", "*", "'", "\"", "\\", "a", "ä", "-", ":", ",", "1", "==", "<", "@", "$", " "];
    let mut state = 7_u64;
    let value: Value = STORE.parse().unwrap();
    let mut read = 0;
    for _ in 0..20_000 {
        let mut text = String::new();
        for _ in 0..12 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            text.push_str(pieces[usize::try_from(state >> 33).unwrap() % pieces.len()]);
        }
        if let Ok(path) = JsonPath::parse(&text) {
            read += 1;
            assert!(!path.text(&value).is_empty() || !path.find(&value).is_empty());
        }
    }
    assert!(read > 20, "{read} were read");
    assert!(JsonPath::parse(&"[?(".repeat(100_000)).is_err());
    assert!(JsonPath::parse(&format!("a{}", "['x.y".repeat(100_000))).is_err());
}
