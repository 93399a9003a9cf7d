//! The whole way from bytes to readers, over a scripted server and a clock that only the test moves.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
    time::Duration,
};

use bytes::Bytes;
use futures::{channel::mpsc, executor::LocalPool, task::LocalSpawnExt as _};
use http::{HeaderMap, StatusCode};

use crate::{
    clients::TableClient,
    informer::{Change, IdentityCheck, Selection, TableInformer, TableNews},
    platform::{BoxFuture, FakePlatform, Platform},
    reflector::{Following, HealthState, Identity, Signal},
    rest::{ApiError, ResourcePath, RestClient},
    transport::{Request, Response, Transport, TransportError},
    wire::{Cell, ProjectedColumn, TableRow},
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// Answers requests in the order in which the test says how.
#[derive(Clone, Default)]
struct Script(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    answers: VecDeque<(StatusCode, mpsc::UnboundedReceiver<Result<Bytes, TransportError>>)>,
    requests: Vec<Request>,
}

type Stream = mpsc::UnboundedSender<Result<Bytes, TransportError>>;

impl Script {
    /// The next request gets this status; its body is what the test sends.
    fn answer(&self, status: StatusCode) -> Stream {
        let (sender, receiver) = mpsc::unbounded();
        self.0.lock().unwrap().answers.push_back((status, receiver));
        sender
    }

    fn paths(&self) -> Vec<String> {
        self.0.lock().unwrap().requests.iter().map(|request| request.path.clone()).collect()
    }
}

impl Transport for Script {
    fn send(&self, request: Request) -> BoxFuture<'static, Result<Response, TransportError>> {
        let mut state = self.0.lock().unwrap();
        let answer = state.answers.pop_front();
        let address = request.path.clone();
        state.requests.push(request);
        Box::pin(async move {
            let (status, body) =
                answer.ok_or_else(|| TransportError::Unreachable { address, message: "nothing is scripted".into() })?;
            Ok(Response { status, headers: HeaderMap::new(), body: Box::pin(body) })
        })
    }
}

struct Same;

impl IdentityCheck for Same {
    fn check(&self) -> BoxFuture<'static, Result<Identity, ApiError>> {
        Box::pin(async { Ok(Identity::Same) })
    }
}

type Told = Arc<Mutex<Vec<String>>>;

/// A reader that writes down what it is told.
fn reader(informer: &TableInformer) -> (u64, Told) {
    let told = Told::default();
    let log = Arc::clone(&told);
    let number = informer.subscribe(move |news: TableNews<'_>| log.lock().unwrap().extend(words(&news)));
    (number, told)
}

fn words(news: &TableNews<'_>) -> Vec<String> {
    let words = news.changes.iter().map(|change| match change {
        Change::Added { object, .. } => format!("+{}", object.name),
        Change::Updated { after, .. } => format!("~{}", after.name),
        Change::Deleted { last, .. } => format!("-{}", last.name),
    });
    words.collect()
}

/// An informer on a script, with what its reader was told.
struct Bench {
    pool: LocalPool,
    platform: FakePlatform,
    script: Script,
    informer: Option<Arc<TableInformer>>,
    told: Told,
}

impl Bench {
    fn new(following: Following) -> Self {
        Self::selecting(following, Selection::default())
    }

    fn selecting(following: Following, selection: Selection) -> Self {
        let platform = FakePlatform::default();
        let script = Script::default();
        let client = RestClient::new(Arc::new(script.clone()), Arc::new(platform.clone()) as Arc<dyn Platform>);
        let pods = crate::meta::GroupVersionResource { group_version: "v1".parse().unwrap(), resource: "pods".into() };
        let path = ResourcePath::collection(&pods, None).unwrap();
        let informer = TableInformer::start(TableClient::new(client, path), selection, following, Arc::new(Same));
        let (_, told) = reader(&informer);
        Self { pool: LocalPool::new(), platform, script, informer: Some(Arc::new(informer)), told }
    }

    fn run(&mut self) {
        let spawner = self.pool.spawner();
        for task in self.platform.tasks() {
            spawner.spawn_local(task).unwrap();
        }
        self.pool.run_until_stalled();
    }

    fn pass(&mut self, time: Duration) {
        self.platform.advance(time);
        self.run();
    }

    fn say(&mut self, stream: &Stream, text: &str) {
        stream.unbounded_send(Ok(Bytes::copy_from_slice(text.as_bytes()))).unwrap();
        self.run();
    }

    fn informer(&self) -> &Arc<TableInformer> {
        self.informer.as_ref().unwrap()
    }

    fn rows(&self) -> Vec<(String, usize, bool)> {
        let mut rows: Vec<_> = self.informer().read(|state| {
            let row = |row: &Arc<TableRow>| (row.name.to_string(), row.cells.len(), row.fault.is_some());
            state.rows.iter_unsorted().map(|(_, found)| row(found)).collect()
        });
        rows.sort();
        rows
    }

    fn columns(&self) -> Vec<String> {
        self.informer().read(|state| state.columns.iter().map(|column| column.name.clone()).collect())
    }

    fn state(&self) -> (HealthState, String) {
        self.informer().read(|state| (state.health.state, state.health.reason.clone()))
    }

    /// Brings the informer to a live stream with one pod and two columns.
    fn live() -> (Self, Stream) {
        Self::live_selecting(Selection::default())
    }

    fn live_selecting(selection: Selection) -> (Self, Stream) {
        let mut bench = Self::selecting(Following::WatchList, selection);
        let stream = bench.script.answer(StatusCode::OK);
        bench.run();
        bench.say(&stream, &event("ADDED", Some(2), "a", 2));
        bench.say(&stream, &bookmark("10"));
        assert_eq!(bench.state().0, HealthState::Live);
        (bench, stream)
    }
}

fn columns(count: usize) -> String {
    let columns: Vec<_> =
        (0..count).map(|at| format!(r#"{{"name":"C{at}","type":"string","format":"","priority":0}}"#)).collect();
    columns.join(",")
}

fn row(name: &str, cells: usize) -> String {
    let cells = vec![format!("{name:?}"); cells].join(",");
    format!(r#"{{"cells":[{cells}],"object":{{"metadata":{{"name":{name:?},"uid":"uid-{name}","resourceVersion":"7"}}}}}}"#)
}

fn event(kind: &str, with_columns: Option<usize>, name: &str, cells: usize) -> String {
    let columns = with_columns.map(|count| format!(r#""columnDefinitions":[{}],"#, columns(count))).unwrap_or_default();
    format!("{{\"type\":\"{kind}\",\"object\":{{\"kind\":\"Table\",{columns}\"rows\":[{}]}}}}\n", row(name, cells))
}

fn bookmark(version: &str) -> String {
    format!(
        "{{\"type\":\"BOOKMARK\",\"object\":{{\"kind\":\"Table\",\"rows\":[{{\"cells\":[\"\",\"\"],\"object\":{{\"metadata\":{{\"resourceVersion\":\"{version}\",\"annotations\":{{\"k8s.io/initial-events-end\":\"true\"}}}}}}}}]}}}}\n"
    )
}

fn list(column_count: usize, rows: &[String]) -> String {
    format!(
        r#"{{"kind":"Table","metadata":{{"resourceVersion":"20"}},"columnDefinitions":[{}],"rows":[{}]}}"#,
        columns(column_count),
        rows.join(",")
    )
}

#[test]
fn requests_ask_for_tables_unindented_and_stream_the_first_list() {
    let (bench, _stream) = Bench::live();
    let path = bench.script.paths().remove(0);
    for part in [
        "/api/v1/pods?",
        "pretty=false",
        "watch=true",
        "allowWatchBookmarks=true",
        "sendInitialEvents=true",
        "resourceVersionMatch=NotOlderThan",
    ] {
        assert!(path.contains(part), "{part} is missing in {path}");
    }
    let accept = bench.script.0.lock().unwrap().requests[0].headers["accept"].clone();
    assert!(accept.to_str().unwrap().starts_with("application/json;as=Table;v=v1;g=meta.k8s.io"));
}

#[test]
fn rows_are_the_same_wherever_chunks_end() {
    let text = format!("{}{}{}", event("ADDED", Some(1), "名前-🦀", 1), event("ADDED", None, "b", 1), bookmark("9"));
    for size in [1, 2, 3, 7, 50, text.len()] {
        let mut bench = Bench::new(Following::WatchList);
        let stream = bench.script.answer(StatusCode::OK);
        bench.run();
        for chunk in text.as_bytes().chunks(size) {
            stream.unbounded_send(Ok(Bytes::copy_from_slice(chunk))).unwrap();
        }
        bench.run();
        assert_eq!(bench.rows(), [("b".into(), 1, false), ("名前-🦀".into(), 1, false)], "chunks of {size}");
        assert_eq!(bench.state().0, HealthState::Live);
    }
}

#[test]
fn columns_are_kept_and_a_row_that_does_not_fit_brings_the_new_ones() {
    let (mut bench, stream) = Bench::live();
    bench.say(&stream, &event("ADDED", None, "b", 2));
    assert_eq!(bench.columns(), ["C0", "C1"]);
    let again = bench.script.answer(StatusCode::OK);
    bench.say(&stream, &event("MODIFIED", None, "b", 3));
    assert_eq!(bench.script.paths().len(), 2, "it lists again at once");
    bench.say(&again, &event("ADDED", Some(3), "a", 3));
    bench.say(&again, &event("ADDED", None, "b", 3));
    bench.say(&again, &bookmark("12"));
    assert_eq!(bench.columns(), ["C0", "C1", "C2"]);
    assert_eq!(bench.rows(), [("a".into(), 3, false), ("b".into(), 3, false)]);
}

#[test]
fn columns_that_change_on_the_way_bring_every_row_anew() {
    for first_words in [
        event("MODIFIED", Some(3), "a", 3),
        bookmark("11").replace("\"rows\"", &format!("\"columnDefinitions\":[{}],\"rows\"", columns(3))),
    ] {
        let (mut bench, stream) = Bench::live();
        bench.say(&stream, &event("ADDED", None, "b", 2));
        let resumed = bench.script.answer(StatusCode::OK);
        let again = bench.script.answer(StatusCode::OK);
        stream.unbounded_send(Err(TransportError::Broken { message: "reset".into() })).unwrap();
        bench.run();
        // The second retry in a moment waits a little.
        bench.say(&resumed, &first_words);
        bench.pass(Duration::from_secs(5));
        bench.say(&again, &event("ADDED", Some(3), "a", 3));
        bench.say(&again, &event("ADDED", None, "b", 3));
        bench.say(&again, &bookmark("12"));
        assert_eq!(bench.rows(), [("a".into(), 3, false), ("b".into(), 3, false)]);
        assert_eq!(bench.columns().len(), 3);
    }
}

#[test]
fn a_misfit_that_a_new_list_does_not_mend_is_named_in_its_row_once_and_for_all() {
    let (mut bench, stream) = Bench::live();
    let again = bench.script.answer(StatusCode::OK);
    bench.say(&stream, &event("ADDED", None, "odd", 3));
    bench.say(&again, &event("ADDED", Some(2), "a", 2));
    bench.say(&again, &event("ADDED", None, "odd", 3));
    bench.say(&again, &bookmark("12"));
    assert_eq!(bench.rows(), [("a".into(), 2, false), ("odd".into(), 3, true)]);
    bench.say(&again, &event("MODIFIED", None, "odd", 3));
    assert_eq!(bench.script.paths().len(), 2, "it does not list for ever");
}

#[test]
fn cells_that_every_row_has_beyond_the_columns_get_columns_for_wide_output() {
    let mut bench = Bench::new(Following::List);
    let stream = bench.script.answer(StatusCode::OK);
    bench.run();
    bench.say(&stream, &list(2, &[row("a", 3), row("b", 3)]));
    drop(stream);
    bench.run();
    assert_eq!(bench.columns(), ["C0", "C1", ""]);
    assert!(bench.informer().read(|state| state.columns[2].priority > 0));
    assert_eq!(bench.rows(), [("a".into(), 3, false), ("b".into(), 3, false)]);
    assert_eq!(bench.state().0, HealthState::Polling);
}

#[test]
fn an_object_without_metadata_is_a_row_that_says_so_and_the_stream_goes_on() {
    let (mut bench, stream) = Bench::live();
    bench.say(&stream, "{\"type\":\"ADDED\",\"object\":{\"kind\":\"Table\",\"rows\":[{\"cells\":[\"x\",\"y\"]}]}}\n");
    bench.say(&stream, &event("ADDED", None, "b", 2));
    assert_eq!(bench.rows(), [(String::new(), 2, true), ("a".into(), 2, false), ("b".into(), 2, false)]);
}

#[test]
fn a_malformed_line_is_named_and_the_stream_goes_on() {
    let (mut bench, stream) = Bench::live();
    bench.say(&stream, "{\"type\":\"ADDED\",\"object\":{{{\n");
    let (state, reason) = bench.state();
    assert_eq!(state, HealthState::Live);
    assert!(reason.contains("a line of the watch could not be read"), "{reason}");
    bench.say(&stream, &event("DELETED", None, "a", 2));
    bench.say(&stream, &event("ADDED", None, "b", 2));
    assert_eq!(*bench.told.lock().unwrap(), ["+a", "-a", "+b"]);
}

#[test]
fn a_page_of_html_in_the_place_of_a_list_keeps_the_rows_and_says_what_came() {
    let (mut bench, stream) = Bench::live();
    drop(stream);
    bench.run();
    let first = bench.script.answer(StatusCode::BAD_GATEWAY);
    let second = bench.script.answer(StatusCode::OK);
    bench.say(&first, "<html><body>Bad gateway, says the proxy</body></html>");
    drop(first);
    bench.pass(Duration::from_secs(2));
    let (state, reason) = bench.state();
    assert_eq!(state, HealthState::Reconnecting);
    assert!(!reason.is_empty());
    assert_eq!(bench.rows().len(), 1);
    for _ in 0..8 {
        bench.pass(Duration::from_secs(4));
    }
    bench.say(&second, &event("ADDED", None, "b", 2));
    assert_eq!(bench.state().0, HealthState::Live);
    assert_eq!(bench.rows().len(), 2);
}

#[test]
fn a_list_that_is_no_list_is_an_error_that_shows_its_start() {
    let mut bench = Bench::new(Following::List);
    let stream = bench.script.answer(StatusCode::OK);
    bench.run();
    bench.say(&stream, "<html>login</html>");
    drop(stream);
    bench.run();
    let (state, reason) = bench.state();
    assert_eq!(state, HealthState::Loading);
    assert!(reason.contains("<html>login"), "{reason}");
}

#[test]
fn a_stream_that_breaks_resumes_where_it_was() {
    let (mut bench, stream) = Bench::live();
    let again = bench.script.answer(StatusCode::OK);
    stream.unbounded_send(Err(TransportError::Broken { message: "reset".into() })).unwrap();
    bench.run();
    let path = bench.script.paths().pop().unwrap();
    assert!(path.contains("resourceVersion=10") && !path.contains("sendInitialEvents"), "{path}");
    bench.say(&again, &event("ADDED", None, "b", 2));
    assert_eq!(*bench.told.lock().unwrap(), ["+a", "+b"]);
    assert_eq!(bench.state(), (HealthState::Live, String::new()));
}

#[test]
fn whoever_drops_the_informer_ends_its_stream() {
    let (mut bench, stream) = Bench::live();
    assert!(!stream.is_closed());
    bench.informer = None;
    bench.run();
    assert!(stream.is_closed());
}

#[test]
fn a_late_reader_is_told_everything_at_once() {
    let (bench, _stream) = Bench::live();
    let seen = Arc::new(Mutex::new(0));
    let count = Arc::clone(&seen);
    let number = bench.informer().subscribe(move |news: TableNews<'_>| *count.lock().unwrap() += news.changes.len());
    assert_eq!(*seen.lock().unwrap(), 1);
    assert_eq!(bench.informer().unsubscribe(number), 1);
}

#[test]
fn every_reader_is_told_every_change_in_order() {
    let (mut bench, stream) = Bench::live();
    let (_, late) = reader(bench.informer());
    for (kind, name) in [("ADDED", "foo"), ("ADDED", "bar"), ("MODIFIED", "foo"), ("DELETED", "bar")] {
        bench.say(&stream, &event(kind, None, name, 2));
    }
    for told in [&bench.told, &late] {
        assert_eq!(*told.lock().unwrap(), ["+a", "+foo", "+bar", "~foo", "-bar"]);
    }
}

#[test]
fn a_reader_that_left_is_told_no_more_and_may_leave_again() {
    let (mut bench, stream) = Bench::live();
    let (one, told_one) = reader(bench.informer());
    let (two, told_two) = reader(bench.informer());
    assert_eq!(bench.informer().unsubscribe(one), 2);
    bench.say(&stream, &event("ADDED", None, "b", 2));
    assert_eq!(bench.informer().unsubscribe(one), 2);
    bench.say(&stream, &event("ADDED", None, "c", 2));
    assert_eq!(*told_one.lock().unwrap(), ["+a"]);
    assert_eq!(*told_two.lock().unwrap(), ["+a", "+b", "+c"]);
    assert_eq!(bench.informer().unsubscribe(two), 1);
    // Who comes later is not taken for one that left.
    let (three, _) = reader(bench.informer());
    assert!(three != one && three != two);
}

#[test]
fn a_reader_takes_itself_and_others_off_while_it_is_told() {
    let (mut bench, stream) = Bench::live();
    let (told, numbers) = (Told::default(), Arc::<Mutex<Vec<u64>>>::default());
    let all = ["one", "two", "three"].map(|reader| {
        let (log, to_leave, informer) = (Arc::clone(&told), Arc::clone(&numbers), Arc::downgrade(bench.informer()));
        bench.informer().subscribe(move |news: TableNews<'_>| {
            log.lock().unwrap().extend(words(&news).into_iter().map(|word| format!("{reader} {word}")));
            for number in to_leave.lock().unwrap().drain(..) {
                informer.upgrade().unwrap().unsubscribe(number);
            }
        })
    });
    told.lock().unwrap().clear();
    // The first that is told of a change takes off all three.
    numbers.lock().unwrap().extend(all);
    bench.say(&stream, &event("ADDED", None, "b", 2));
    bench.say(&stream, &event("ADDED", None, "c", 2));
    assert_eq!(*told.lock().unwrap(), ["one +b"]);
    assert_eq!(*bench.told.lock().unwrap(), ["+a", "+b", "+c"]);
    assert_eq!(bench.informer().unsubscribe(u64::MAX), 1);
}

#[test]
fn an_informer_that_is_gone_takes_nothing_in_and_tells_nobody() {
    let (mut bench, stream) = Bench::live();
    bench.informer = None;
    bench.run();
    assert!(stream.unbounded_send(Ok(Bytes::from(event("ADDED", None, "b", 2)))).is_err());
    bench.run();
    assert_eq!(*bench.told.lock().unwrap(), ["+a"]);
}

#[test]
fn readers_and_the_informer_may_go_while_an_event_is_on_its_way() {
    for readers_first in [true, false] {
        let (mut bench, stream) = Bench::live();
        let readers = [(); 2].map(|()| reader(bench.informer()));
        stream.unbounded_send(Ok(Bytes::from(event("ADDED", None, "b", 2)))).unwrap();
        let informer = bench.informer.take().unwrap();
        if readers_first {
            for (number, _) in &readers {
                informer.unsubscribe(*number);
            }
        }
        drop(informer);
        bench.run();
        assert!(stream.is_closed());
        for (_, told) in &readers {
            assert_eq!(*told.lock().unwrap(), ["+a"], "{readers_first}");
        }
    }
}

#[test]
fn a_row_that_is_gone_tells_of_new_columns_as_any_other_does() {
    let (mut bench, stream) = Bench::live();
    let again = bench.script.answer(StatusCode::OK);
    bench.say(&stream, &event("DELETED", None, "a", 3));
    assert_eq!(bench.script.paths().len(), 2, "it lists again at once");
    bench.say(&again, &event("ADDED", Some(3), "b", 3));
    bench.say(&again, &bookmark("12"));
    assert_eq!(bench.rows(), [("b".into(), 3, false)]);
}

#[test]
fn columns_that_come_go_and_come_again_are_noticed_each_time() {
    let (mut bench, stream) = Bench::live();
    let again = bench.script.answer(StatusCode::OK);
    bench.say(&stream, &event("MODIFIED", None, "a", 3));
    // Meanwhile they are as they were.
    bench.say(&again, &event("ADDED", Some(2), "a", 2));
    bench.say(&again, &bookmark("12"));
    bench.pass(Duration::from_secs(6));
    let third = bench.script.answer(StatusCode::OK);
    bench.say(&again, &event("MODIFIED", None, "a", 3));
    bench.say(&third, &event("ADDED", Some(3), "a", 3));
    bench.say(&third, &bookmark("14"));
    assert_eq!((bench.rows(), bench.columns().len()), (vec![("a".into(), 3, false)], 3));
}

#[test]
fn only_a_row_with_neither_a_name_nor_a_uid_is_given_one() {
    let mut bench = Bench::new(Following::Watch);
    let stream = bench.script.answer(StatusCode::OK);
    bench.run();
    let row = |metadata: &str| format!(r#"{{"cells":["x","y"],"object":{{"metadata":{{{metadata}}}}}}}"#);
    let rows = [row(r#""name":"named""#), row(r#""uid":"known""#), row("")];
    bench.say(&stream, &list(2, &rows));
    drop(stream);
    bench.run();
    let mut uids: Vec<_> = bench.informer().read(|state| {
        let rows = state.rows.iter_unsorted();
        rows.map(|(_, row)| row.uid.as_ref().map(|uid| uid.as_str().split(' ').next().unwrap_or_default().to_owned())).collect()
    });
    uids.sort();
    assert_eq!(uids, [None, Some("known".to_owned()), Some("nameless".to_owned())]);
}

#[test]
fn an_informer_of_a_table_does_what_its_reflector_is_told() {
    let (mut bench, stream) = Bench::live();
    bench.informer().signal(Signal::Suspend);
    bench.run();
    assert!(stream.is_closed());
    assert_eq!(bench.state().0, HealthState::Suspended);
}

#[test]
fn who_was_taken_off_hears_nothing_more_though_the_informer_goes() {
    let (mut bench, _stream) = Bench::live();
    let rows = bench.informer().rows().clone();
    let told = Arc::new(Mutex::new(0));
    let count = Arc::clone(&told);
    let registration = rows.on_change(move |_| *count.lock().unwrap() += 1).unwrap();
    rows.remove_event_handler(&registration);
    drop(rows);
    bench.informer = None;
    bench.run();
    assert_eq!(*told.lock().unwrap(), 0);
}

#[test]
fn a_row_that_does_not_fit_has_its_cells_by_path_below_their_columns() {
    let paths = [".metadata.uid", ".metadata.generation"];
    let projection = paths.map(|path| ProjectedColumn { name: "P".into(), path: path.parse().unwrap() });
    let (mut bench, stream) = Bench::live_selecting(Selection { projection: projection.into(), ..Selection::default() });
    assert_eq!(bench.columns(), ["C0", "C1", "P", "P"]);
    let last = |bench: &Bench| {
        let cells =
            |row: &Arc<TableRow>| (row.name.to_string(), row.cells[2..].to_vec(), row.fault.as_deref().map(str::to_owned));
        let mut rows: Vec<_> = bench.informer().read(|state| state.rows.iter_unsorted().map(|(_, row)| cells(row)).collect());
        rows.sort_by(|one: &(String, Vec<Cell>, Option<String>), other| one.0.cmp(&other.0));
        rows
    };
    let by_path = |uid: &str| vec![Cell::Text(uid.into()), Cell::Text("<none>".into())];
    assert_eq!(last(&bench), [("a".into(), by_path("uid-a"), None)]);
    let again = bench.script.answer(StatusCode::OK);
    bench.say(&stream, &event("ADDED", None, "b", 1));
    let wrong = |cells: usize| Some(format!("the server sent {cells} cells for 2 columns"));
    assert_eq!(last(&bench)[1], ("b".into(), by_path("uid-b"), wrong(1)));
    // The row that did not fit made the reflector ask anew.
    bench.say(&again, &event("ADDED", Some(2), "a", 2));
    bench.say(&again, "{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"name\":\"e\",\"uid\":\"uid-e\",\"generation\":7}}}\n");
    let _third = bench.script.answer(StatusCode::OK);
    bench.say(&again, &event("ADDED", None, "c", 4));
    let rows = last(&bench);
    let named = |name: &str| rows.iter().find(|row| row.0 == name).cloned();
    assert_eq!(named("e"), Some(("e".into(), vec![Cell::Text("uid-e".into()), Cell::Integer(7)], None)));
    assert_eq!(named("c"), Some(("c".into(), by_path("uid-c"), wrong(4))));
}
