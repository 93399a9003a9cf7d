//! What is built, and what is found wrong with it.

use std::{collections::HashMap, time::Duration};

use http::{Method, header};

use super::{Bench, pods};
use crate::{
    meta::{GroupVersionResource, Namespace, ObjectName},
    platform::ready,
    rest::{ApiError, ListOptions, Query, QueryOptions, Request, RequestError},
    transport::address_of,
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// The path without what every request has.
fn path(request: &Request) -> String {
    request.path().unwrap().replacen("?pretty=false", "?", 1).replacen("?&", "?", 1).trim_end_matches('?').to_owned()
}

fn fault(request: &Request) -> RequestError {
    match request.path() {
        Err(ApiError::Request(fault)) => fault,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_request_asks_for_json_unless_it_says_otherwise() {
    let bench = Bench::default();
    ready(bench.get().send()).ok();
    ready(bench.get().accept("application/yaml").send()).ok();
    let accepts: Vec<_> = bench.server.requests().iter().map(|request| request.headers[header::ACCEPT].clone()).collect();
    assert_eq!(accepts, ["application/json", "application/yaml"]);
}

#[test]
fn every_way_of_sending_sends_the_headers() {
    let bench = Bench::default();
    let request = bench.get().header(header::ACCEPT, "other/form").header(header::IF_NONE_MATCH, "\"1\"");
    ready(request.send()).unwrap_err();
    ready(request.send_unchecked()).unwrap();
    ready(request.stream()).map(drop).unwrap_err();
    ready(request.watch::<()>()).map(drop).unwrap_err();
    let sent = bench.server.requests();
    assert_eq!(sent.len(), 4);
    for request in sent {
        assert_eq!(
            (&request.headers[header::ACCEPT], &request.headers[header::IF_NONE_MATCH]),
            (&"other/form".parse().unwrap(), &"\"1\"".parse().unwrap())
        );
    }
}

#[test]
fn the_first_fault_stays_and_nothing_is_set_after_it() {
    let bench = Bench::default();
    let faulty = bench.client().get().name(&"..".into());
    let first = fault(&faulty);
    assert!(matches!(&first, RequestError::Segment { part: "name", .. }), "{first:?}");
    let changed = faulty
        .parameter("foo", "bar")
        .uri("/abs?a=b")
        .namespace(&"".into())
        .resource(&pods())
        .name(&"/".into())
        .subresource(["."])
        .header(header::ACCEPT, "\n")
        .json(&HashMap::from([([1], 2)]))
        .timeout(Duration::from_millis(1));
    assert_eq!(fault(&changed), first);
}

#[test]
fn a_fault_is_the_error_of_every_way_of_sending_and_nothing_is_sent() {
    let bench = Bench::default();
    let request = bench.client().post().json(&HashMap::from([([1], 2)]));
    let fault = fault(&request).to_string();
    assert!(fault.starts_with("the body cannot be written"), "{fault}");
    for error in [
        ready(request.send()).unwrap_err(),
        ready(request.send_unchecked()).unwrap_err(),
        ready(request.stream()).map(drop).unwrap_err(),
        ready(request.watch::<()>()).map(drop).unwrap_err(),
    ] {
        assert_eq!(error.to_string(), fault);
    }
    assert!(bench.server.requests().is_empty());
}

#[test]
fn a_slash_at_the_end_of_a_path_stays() {
    let get = |at: &str| path(&Bench::default().client().get().absolute_path(at));
    for at in ["/", "/foo/", "/foo", "/api/v1/namespaces/n/services/s/proxy/"] {
        assert_eq!(get(at), at);
    }
    assert_eq!(address_of("http://host/path/", &get("/foo/")), "http://host/path/foo/");
}

#[test]
fn an_absolute_path_begins_with_one_slash_and_stays_at_its_server() {
    let client = Bench::default().client();
    for (given, at) in [
        ("foo/bar/baz", "/foo/bar/baz"),
        ("", "/"),
        ("//other.example/x", "/other.example/x"),
        ("/\\other.example", "/%5Cother.example"),
        ("/\t/other.example", "/%09/other.example"),
        ("/a b?c=d#e", "/a%20b%3Fc=d%23e"),
        ("/api/v1/pods/a%20b", "/api/v1/pods/a%20b"),
    ] {
        assert_eq!(path(&client.get().absolute_path(given)), at);
    }
    for climbing in
        ["..", "/a/../b", "/a/./b", "/a/%2e%2E/b", "/a/.%2e", "/a\\..\\b", "/a/..", "/a%2f..%2Fb", "/..%5c..%5Cb", "/%2e%2e%2fb"]
    {
        let fault = fault(&client.get().absolute_path(climbing));
        assert!(matches!(fault, RequestError::Segment { part: "path", .. }), "{climbing}");
    }
    assert_eq!(path(&client.get().absolute_path("/one").absolute_path("/two")), "/two");
}

#[test]
fn an_absolute_path_leaves_no_room_for_the_parts_of_another() {
    let client = Bench::default().client();
    type Part = fn(Request) -> Request;
    let parts: [(&str, Part); 4] = [
        ("resource", |request| request.resource(&pods())),
        ("namespace", |request| request.namespace(&"shop".into())),
        ("name", |request| request.name(&"p".into())),
        ("subresource", |request| request.subresource(["log"])),
    ];
    for (part, set) in parts {
        let before_and_after = [set(client.delete()).absolute_path("/api"), set(client.delete().absolute_path("/api"))];
        for request in before_and_after {
            let fault = fault(&request);
            assert!(matches!(&fault, RequestError::PathIsWhole { part: found, .. } if *found == part), "{fault:?}");
        }
        if part != "resource" {
            assert!(matches!(fault(&set(client.get())), RequestError::NoResource { part: found, .. } if found == part));
        }
    }
    assert_eq!(path(&client.get()), "/");
}

#[test]
fn a_path_follows_the_address_of_the_server() {
    for (base, at, address) in [
        ("/", "", "/"),
        ("", "/", "/"),
        ("", "/api", "/api"),
        ("", "/api/", "/api/"),
        ("", "/apis", "/apis"),
        ("", "/bar/foo", "/bar/foo"),
        ("/p1", "/", "/p1/"),
        ("/p1", "/api", "/p1/api"),
        ("/p1", "/apis", "/p1/apis"),
        ("/p1/", "/apis", "/p1/apis"),
        ("/p1/api/p2", "/", "/p1/api/p2/"),
        ("/p1/api/p2", "/api", "/p1/api/p2/api"),
        ("/p1/api/p2", "/api/", "/p1/api/p2/api/"),
    ] {
        let base = format!("http://localhost:123{base}");
        let before = Bench::default().client().post().absolute_path("/r1");
        assert_eq!(address_of(&base, &path(&before.absolute_path(at))), format!("http://localhost:123{address}"));
    }
}

#[test]
fn the_parts_of_a_path_have_their_order_whatever_order_they_are_set_in() {
    let client = Bench::default().client();
    let request = client.get().name(&"bar".into()).resource(&pods()).namespace(&"foo".into());
    assert_eq!(path(&request), "/api/v1/namespaces/foo/pods/bar");
    assert_eq!(path(&request.clone().subresource(["a", "b"])), "/api/v1/namespaces/foo/pods/bar/a/b");
    let jobs = GroupVersionResource::new("batch", "v1", "jobs");
    assert_eq!(path(&client.get().subresource(["status"]).name(&"j".into()).resource(&jobs)), "/apis/batch/v1/jobs/j/status");
    assert_eq!(path(&client.get().namespace_of(Some(&"foo".into())).resource(&jobs)), "/apis/batch/v1/namespaces/foo/jobs");
    assert_eq!(path(&client.get().namespace_of(None).resource(&jobs)), "/apis/batch/v1/jobs");
}

#[test]
fn a_part_that_is_set_twice_is_a_fault() {
    let get = || Bench::default().client().get();
    for (part, request) in [
        ("name", get().name(&"bar".into()).name(&"baz".into())),
        ("namespace", get().namespace(&"bar".into()).namespace(&"baz".into())),
        ("namespace", get().namespace(&"".into()).namespace(&"baz".into())),
        ("resource", get().resource(&pods()).resource(&pods())),
        ("subresource", get().subresource(["bar"]).subresource(["baz"])),
    ] {
        let fault = fault(&request);
        assert!(matches!(&fault, RequestError::AlreadySet { part: found, .. } if *found == part), "{fault:?}");
    }
    let words = fault(&get().name(&"bar".into()).name(&"baz".into())).to_string();
    assert_eq!(words, "the name is \"bar\" already and cannot become \"baz\"");
}

#[test]
fn no_part_of_a_path_holds_more_than_one_segment() {
    let get = || Bench::default().client().get();
    for text in [".", "..", "test/segment", "test%2bsegment"] {
        for (part, request) in [
            ("namespace", get().namespace(&text.into())),
            ("resource", get().resource(&GroupVersionResource::new("", "v1", text))),
            ("version", get().resource(&GroupVersionResource::new("", text, "pods"))),
            ("group", get().resource(&GroupVersionResource::new(text, "v1", "pods"))),
            ("name", get().name(&text.into())),
            ("subresource", get().subresource(["proxy", text])),
        ] {
            let fault = fault(&request);
            assert!(matches!(&fault, RequestError::Segment { part: found, .. } if *found == part), "{text}: {fault:?}");
        }
    }
    assert!(matches!(fault(&get().name(&"".into())), RequestError::Segment { part: "name", .. }));
}

#[test]
fn parameters_add_up_in_order() {
    let request = Bench::default().client().get().parameter("foo", "a").parameter("bar", "1").parameter("bar", "2");
    assert_eq!(path(&request), "/?foo=a&bar=1&bar=2");
    assert_eq!(path(&request.clone().parameter("timeout", "42s")), "/?foo=a&bar=1&bar=2&timeout=42s");
}

#[test]
fn a_time_limit_is_a_parameter_in_place_of_one_of_that_name() {
    let client = Bench::default().client();
    let request = client.get().parameter("timeout", "42s").parameter("a", "b");
    assert_eq!(path(&request.timeout(Duration::from_millis(1500))), "/?a=b&timeout=1500ms");
    assert_eq!(path(&client.get().timeout(Duration::from_nanos(1))), "/?timeout=1ms");
    let limited = client.with_timeout(Duration::from_secs(32));
    assert_eq!(path(&limited.get()), "/?timeout=32000ms");
    assert_eq!(path(&limited.get().timeout(Duration::from_secs(1))), "/?timeout=1000ms");
}

#[test]
fn options_add_to_the_parameters() {
    struct LogOptions;
    impl QueryOptions for LogOptions {
        fn add_to(&self, query: &mut Query) {
            query.add("container", "bar");
            query.add_flag("follow", true);
            query.add_flag("previous", false);
        }
    }
    let get = || Bench::default().client().get().parameter("foo", "a");
    assert_eq!(path(&get().options(&LogOptions)), "/?foo=a&container=bar&follow=true");
    let list = |version: &str, seconds: Option<u64>| ListOptions {
        resource_version: Some(version.into()),
        timeout: seconds.map(Duration::from_secs),
        ..ListOptions::default()
    };
    let both = get().options(&list("1", None)).options(&list("2", Some(10)));
    assert_eq!(path(&both), "/?foo=a&resourceVersion=1&resourceVersion=2&timeoutSeconds=10");
}

#[test]
fn a_uri_stands_in_place_of_the_path_and_all_parameters_before_it() {
    let get = || Bench::default().client().get().absolute_path("/other").parameter("foo", "a").parameter("bar", "b");
    let request = get().uri("/test?foo=b&a=b&c=1&c=2&q=x%20y+z&pretty=true");
    assert_eq!(request.path().unwrap(), "/test?pretty=false&foo=b&a=b&c=1&c=2&q=x%20y%20z");
    assert_eq!(path(&request.parameter("d", "e")), "/test?foo=b&a=b&c=1&c=2&q=x%20y%20z&d=e");
    assert_eq!(path(&get().uri("/test")), "/test");
}

#[test]
fn a_uri_stays_below_the_address_of_the_server() {
    let get = || Bench::default().client().get().parameter("foo", "a");
    let request = get().uri("/test?foo=b&a=b&c=1&c=2");
    assert_eq!(address_of("http://host/context", &path(&request)), "http://host/context/test?foo=b&a=b&c=1&c=2");
    // client-go lets it leave the context.
    assert!(matches!(fault(&get().uri("../test?foo=b")), RequestError::Segment { part: "path", .. }));
}

#[test]
fn a_body_is_sent_as_it_is_with_its_media_type() {
    #[derive(serde::Serialize)]
    struct Pod {
        name: &'static str,
    }
    let bench = Bench::default();
    let sent = |request: Request| {
        bench.server.forget_requests();
        ready(request.absolute_path("/p").send_unchecked()).unwrap();
        let request = bench.server.requests().pop().unwrap();
        let media_type = request.headers.get(header::CONTENT_TYPE).map(|value| value.to_str().unwrap().to_owned());
        (String::from_utf8(request.body.to_vec()).unwrap(), media_type.unwrap_or_default())
    };
    let post = || bench.client().post();
    assert_eq!(sent(post().json(&Pod { name: "foo" })), (r#"{"name":"foo"}"#.into(), "application/json".into()));
    for patch in ["application/json-patch+json", "application/merge-patch+json", "application/apply-patch+yaml"] {
        assert_eq!(sent(post().body("test payload", patch)), ("test payload".into(), patch.into()));
        assert_eq!(sent(post().body(b"test payload".to_vec(), patch)), ("test payload".into(), patch.into()));
    }
    assert_eq!(sent(post()), (String::new(), String::new()));
    assert_eq!(sent(post().json("first").json("last")).0, "\"last\"");
}

#[test]
fn a_body_that_cannot_be_written_is_a_fault() {
    let fault = fault(&Bench::default().client().post().json(&HashMap::from([([1], "a list is no name of a field")])));
    assert!(matches!(fault, RequestError::Body { .. }), "{fault:?}");
}

#[test]
fn a_header_that_cannot_be_sent_is_a_fault_that_does_not_show_it() {
    let fault = fault(&Bench::default().get().header(header::AUTHORIZATION, "Bearer secret\n"));
    assert_eq!(fault.to_string(), "the header authorization cannot be sent: its value has characters that headers do not have");
}

#[test]
fn each_verb_has_its_method() {
    let bench = Bench::default();
    let client = bench.client();
    for request in [client.get(), client.post(), client.put(), client.patch(), client.delete(), client.request(Method::OPTIONS)] {
        ready(request.absolute_path("/p").send_unchecked()).unwrap();
    }
    let methods: Vec<_> = bench.server.requests().into_iter().map(|request| request.method).collect();
    assert_eq!(methods, [Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE, Method::OPTIONS]);
}

#[test]
fn an_empty_namespace_is_a_fault_where_one_is_needed() {
    let methods = [Method::GET, Method::PUT, Method::PATCH, Method::DELETE, Method::POST];
    let built = |method: &Method, namespace: Option<&Namespace>, name: Option<&ObjectName>| {
        let request = Bench::default().client().request(method.clone()).resource(&pods()).namespace_of(namespace);
        name.map_or(request.clone(), |name| request.name(name)).path().map_err(|error| error.to_string())
    };
    let (empty, shop, name) = (&Namespace::from(""), &Namespace::from("shop"), &ObjectName::from("p"));
    let needed = Err("the namespace is empty: name one, or leave it out for a resource of the whole cluster".to_owned());
    for method in &methods {
        assert!(built(method, None, Some(name)).is_ok() && built(method, None, None).is_ok());
        assert!(built(method, Some(shop), Some(name)).is_ok() && built(method, Some(shop), None).is_ok());
        assert_eq!(built(method, Some(empty), Some(name)), needed, "{method}");
        if method == Method::POST {
            assert_eq!(built(method, Some(empty), None), needed);
        } else {
            assert_eq!(built(method, Some(empty), None).unwrap(), "/api/v1/pods?pretty=false", "{method}");
        }
    }
}
