//! Tables with columns by path.

use std::sync::Arc;

use http::{HeaderValue, header};

use super::bench::{Bench, config_maps};
use crate::{
    clients::TableClient,
    informer::{SameCluster, Selection, TableInformer},
    json::JsonPath,
    platform::{BoxFuture, Platform},
    reflector::Following,
    rest::RestClient,
    transport::{Request, Response, Transport, TransportError},
    view::view_columns,
    wire::{Cell, ProjectedColumn},
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const ALL: [Following; 3] = [Following::WatchList, Following::Watch, Following::List];

fn column(path: &str) -> ProjectedColumn {
    ProjectedColumn { name: path.to_owned(), path: JsonPath::parse(path).unwrap() }
}

fn follow(bench: &Bench, client: RestClient, following: Following, projection: &[ProjectedColumn]) -> TableInformer {
    let tables = TableClient::namespaced(client, &config_maps(), "default").unwrap();
    let selection = Selection { projection: projection.into(), ..Selection::default() };
    let informer = TableInformer::start(tables, selection, following, Arc::new(SameCluster));
    bench.run();
    informer
}

/// What the last cells of each row show, by name.
fn shown(informer: &TableInformer, count: usize) -> Vec<String> {
    let mut shown: Vec<String> = informer.read(|state| {
        assert!(state.rows.iter_unsorted().all(|(_, row)| row.cells.len() == state.columns.len() && row.fault.is_none()));
        let cells = |cells: &[Cell]| cells[cells.len() - count..].iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        state.rows.iter_unsorted().map(|(_, row)| format!("{}: {}", row.name, cells(&row.cells))).collect()
    });
    shown.sort();
    shown
}

#[test]
fn cells_by_path_stand_behind_those_of_the_server_and_follow_the_objects() {
    for following in [Following::WatchList, Following::Watch] {
        let bench = Bench::with(&["a", "b"]);
        let plain = follow(&bench, bench.server.client(), following, &[]);
        bench.server.forget_requests();
        let projection = [column(".data.value"), column("{.kind}"), column(".data.missing")];
        let informer = follow(&bench, bench.server.client(), following, &projection);
        assert_eq!(shown(&informer, 3), ["a: 1 ConfigMap <none>", "b: 1 ConfigMap <none>"]);
        let columns = informer.columns();
        assert_eq!(columns[..columns.len() - 3], plain.columns()[..]);
        let last = &columns[columns.len() - 3];
        assert_eq!(
            (last.name.as_str(), last.kind.as_str(), last.description.as_str(), last.priority),
            (".data.value", "string", ".data.value", 0)
        );

        bench.put("a", "2");
        bench.put("c", "3");
        bench.remove("b");
        bench.run();
        assert_eq!(shown(&informer, 3), ["a: 2 ConfigMap <none>", "c: 3 ConfigMap <none>"]);
        let asked = bench.requests();
        assert!(!asked.is_empty() && asked.iter().all(|path| path.contains("includeObject=Object")), "{asked:?}");
    }
}

#[test]
fn columns_of_labels_are_answered_with_the_metadata_that_rows_carry() {
    for following in ALL {
        let bench = Bench::with(&[]);
        bench.put_labelled("a", "1", &["app.kubernetes.io/x"]);
        bench.put("b", "1");
        let projection = [ProjectedColumn::label("app.kubernetes.io/x").unwrap(), column("metadata.name")];
        let informer = follow(&bench, bench.server.client(), following, &projection);
        assert_eq!(shown(&informer, 2), ["a:  a", "b: <none> b"]);
        let asked = bench.requests();
        assert!(!asked.is_empty() && asked.iter().all(|path| !path.contains("includeObject")), "{asked:?}");
    }
}

/// A server that has no tables.
struct WithoutTables(Arc<dyn Transport>);

impl Transport for WithoutTables {
    fn send(&self, mut request: Request) -> BoxFuture<'static, Result<Response, TransportError>> {
        request.headers.insert(header::ACCEPT, HeaderValue::from_static("application/json"));
        self.0.send(request)
    }
}

#[test]
fn plain_objects_show_their_name_and_age_and_what_paths_find() {
    for following in ALL {
        let bench = Bench::with(&["a"]);
        let client = RestClient::new(
            Arc::new(WithoutTables(bench.server.transport())),
            Arc::new(bench.platform.clone()) as Arc<dyn Platform>,
        );
        let bare = follow(&bench, client.clone(), following, &[]);
        assert_eq!(bare.columns().len(), 0);
        let informer = follow(&bench, client, following, &[column(".data.value"), column(".immutable")]);
        assert_eq!(shown(&informer, 2), ["a: 1 <none>"]);
        let names: Vec<_> =
            view_columns(&informer.columns(), false).into_iter().map(|column| (column.name, column.cell)).collect();
        assert_eq!(
            names,
            [("Name".into(), None), ("Age".into(), None), (".data.value".into(), Some(0)), (".immutable".into(), Some(1))]
        );
        if following != Following::List {
            bench.put("b", "2");
            bench.run();
            assert_eq!(shown(&informer, 2), ["a: 1 <none>", "b: 2 <none>"]);
        }
    }
}
