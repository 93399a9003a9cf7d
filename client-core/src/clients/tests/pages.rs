//! Collections page by page.

use std::sync::Arc;

use futures::{StreamExt as _, future::join};

use super::{client, text, widget, widgets};
use crate::{
    clients::ResourceClient,
    object::Unstructured,
    platform::{FakePlatform, ready},
    rest::{ApiError, ListOptions, RestClient},
    transport::{ScriptedAnswer, ScriptedTransport},
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// A server with two pages.
fn paged() -> ScriptedTransport {
    let page = |version: u8, token: &str, name: &str| {
        let metadata = format!(r#"{{"resourceVersion":"{version}","continue":"{token}"}}"#);
        let item = text(name);
        ScriptedAnswer::text(format!(
            r#"{{"kind":"rTestList","apiVersion":"gtest/vTest","metadata":{metadata},"items":[{item}]}}"#
        ))
    };
    let server = ScriptedTransport::default();
    server.always("/apis/gtest/vtest/rtest?limit=500", page(7, "next", "a"));
    server.always("/apis/gtest/vtest/rtest?limit=500&continue=next", page(8, "", "b"));
    server.always("/apis/gtest/vtest/rtest?limit=1", page(7, "", "a"));
    server
}

#[test]
fn all_pages_make_one_list_of_the_version_of_the_first() {
    let server = paged();
    let listed = ready(client::<Unstructured>(&server, None).list_all(ListOptions::default())).unwrap();
    assert!(listed.is_paged);
    assert_eq!(listed.list.items, [widget("a"), widget("b")]);
    assert_eq!((listed.list.metadata.resource_version.as_str(), listed.list.kind.unwrap().kind.as_str()), ("7", "rTestList"));
    assert!(server.unscripted().is_empty());
}

/// All that `items` hands out, while the task runs that reads ahead.
fn taken(server: &ScriptedTransport) -> Vec<Result<Unstructured, ApiError>> {
    let host = FakePlatform::default();
    let rest = RestClient::new(Arc::new(server.clone()), Arc::new(host.clone()));
    let items = ResourceClient::<Unstructured>::cluster(rest, widgets()).items(ListOptions::default());
    let task = host.tasks().pop().unwrap();
    ready(join(task, items.collect())).1
}

#[test]
fn items_come_one_by_one_and_an_error_is_the_last() {
    let server = paged();
    let items: Vec<_> = taken(&server).into_iter().map(Result::unwrap).collect();
    assert_eq!(items, [widget("a"), widget("b")]);
    server.once("/apis/gtest/vtest/rtest?limit=500&continue=next", ScriptedAnswer::status(http::StatusCode::GONE));
    let mut items = taken(&server);
    assert!(items.pop().unwrap().unwrap_err().is_gone());
    assert_eq!(items.len(), 1);
}

#[test]
fn the_size_of_a_page_can_be_said() {
    let server = paged();
    let listed = ready(client::<Unstructured>(&server, None).pages().with_page_size(1).list(ListOptions::default())).unwrap();
    assert!(!listed.is_paged);
    assert_eq!(listed.list.items, [widget("a")]);
}
