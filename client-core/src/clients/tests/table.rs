//! The client of tables.

use super::{sent, server, widgets};
use crate::{
    clients::TableClient,
    object::Object as _,
    platform::ready,
    rest::{ApiError, ListOptions, ResourcePath, RestClient},
    transport::{ScriptedAnswer, ScriptedTransport, read_to_end},
};
use http::{Method, StatusCode, header};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const ACCEPT: &str = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";
const TABLE: &str = r#"{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"7","continue":"c"},"columnDefinitions":[{"name":"Name","type":"string"}],"rows":[{"cells":["a"],"object":{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"name":"a","resourceVersion":"5"}}}]}"#;

fn client(server: &ScriptedTransport) -> TableClient {
    let rest: RestClient = super::rest(server);
    TableClient::new(rest, ResourcePath::collection(&widgets(), Some(&"nstest".into())).unwrap())
}

#[test]
fn a_table_has_columns_and_rows() {
    let server = server(Method::GET, "/apis/gtest/vtest/namespaces/nstest/rtest", TABLE);
    let client = client(&server);
    let table = ready(client.list(&ListOptions { limit: Some(1), ..ListOptions::default() })).unwrap();
    assert_eq!(table.columns.unwrap()[0].name, "Name");
    assert_eq!((table.rows[0].name(), table.rows[0].resource_version()), ("a", "5"));
    assert_eq!((table.resource_version.as_str(), table.continue_token.as_deref()), ("7", Some("c")));
    let request = sent(&server);
    assert_eq!(request.line, format!("GET {}?limit=1", client.path().as_str()));
    assert_eq!(request.accept, ACCEPT);
}

#[test]
fn whole_objects_are_asked_for_by_whoever_wants_them() {
    let server = server(Method::GET, "/apis/gtest/vtest/namespaces/nstest/rtest", TABLE);
    let client = client(&server).with_whole_objects();
    ready(client.list(&ListOptions { limit: Some(1), ..ListOptions::default() })).unwrap();
    assert_eq!(sent(&server).line, format!("GET {}?includeObject=Object&limit=1", client.path().as_str()));
}

#[test]
fn what_is_no_table_and_no_list_says_where_it_is_from() {
    let server = server(Method::GET, "/apis/gtest/vtest/namespaces/nstest/rtest", r#"{"kind":"Pod"}"#);
    let error = ready(client(&server).list(&ListOptions::default())).unwrap_err();
    assert!(matches!(&error, ApiError::Unreadable { path, .. } if path.ends_with("/nstest/rtest")), "{error}");
}

#[test]
fn a_watch_of_tables_is_handed_out_as_it_comes() {
    let server = server(Method::GET, "/apis/gtest/vtest/namespaces/nstest/rtest", "{}\n{}");
    let options = ListOptions { resource_version: Some("7".into()), ..ListOptions::default() };
    let body = ready(client(&server).open_watch(&options)).unwrap();
    assert_eq!(ready(read_to_end(body)).unwrap(), b"{}\n{}");
    let request = sent(&server);
    assert!(request.line.ends_with("?watch=true&resourceVersion=7"), "{}", request.line);
    assert_eq!(request.accept, ACCEPT);
}

#[test]
fn a_busy_server_is_named_to_who_follows_and_asked_again_for_who_wants_the_rows() {
    let server = ScriptedTransport::default();
    let path = "/apis/gtest/vtest/namespaces/nstest/rtest";
    let busy = ScriptedAnswer::status(StatusCode::TOO_MANY_REQUESTS).with_header(header::RETRY_AFTER, "0");
    let (client, options) = (client(&server), ListOptions::default());
    server.always(path, busy.clone());
    assert!(ready(client.open_list(&options)).err().unwrap().is_too_many_requests());
    assert!(ready(client.open_watch(&options)).err().unwrap().is_too_many_requests());
    assert_eq!(server.count(path), 2);
    server.always(path, ScriptedAnswer::text(TABLE));
    server.once(path, busy);
    assert_eq!(ready(client.list(&options)).unwrap().rows.len(), 1);
    assert_eq!(server.count(path), 4);
}

#[test]
fn one_object_is_a_table_of_one_row() {
    let server = server(Method::GET, "/apis/gtest/vtest/namespaces/nstest/rtest/a", TABLE);
    let table = ready(client(&server).get("a")).unwrap();
    assert_eq!((table.rows.len(), table.columns.unwrap().len()), (1, 1));
    assert_eq!(sent(&server).accept, ACCEPT);
    for name in ["", "..", "a/b", "a%2fb"] {
        assert!(matches!(ready(client(&server).get(name)), Err(ApiError::Request(_))), "{name}");
    }
}

#[test]
fn the_place_of_the_objects_is_that_of_their_resource() {
    let rest = || super::rest(&ScriptedTransport::default());
    let path = |client: TableClient| client.path().as_str().to_owned();
    assert_eq!(path(TableClient::cluster(rest(), &widgets()).unwrap()), "/apis/gtest/vtest/rtest");
    assert_eq!(path(TableClient::namespaced(rest(), &widgets(), "").unwrap()), "/apis/gtest/vtest/rtest");
    assert_eq!(path(TableClient::namespaced(rest(), &widgets(), "a").unwrap()), "/apis/gtest/vtest/namespaces/a/rtest");
    assert!(TableClient::namespaced(rest(), &widgets(), "a/b").is_err());
}
