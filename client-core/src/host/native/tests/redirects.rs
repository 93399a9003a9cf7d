use super::support::{Reply, Seen, Server, config, connector, get};
use crate::{
    config::{Auth, RestConfig, Secret},
    transport::{Request, TransportError},
};
use http::Method;
use std::sync::{Arc, Mutex};

const CODES: [u16; 5] = [301, 302, 303, 307, 308];

fn to(code: u16, location: &str) -> Reply {
    Reply::Raw(format!("HTTP/1.1 {code} X\r\nlocation: {location}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n").into())
}

fn with_token(server: &Server) -> RestConfig {
    RestConfig { auth: Auth { token: Some(Secret::new("s3cr3t")), ..Auth::default() }, ..config(server.url(), None) }
}

/// A server that remembers what it was asked.
fn remembering(reply: impl Fn(&Seen) -> Reply + Send + Sync + 'static) -> (Server, Arc<Mutex<Vec<Seen>>>) {
    let seen: Arc<Mutex<Vec<Seen>>> = Arc::default();
    let kept = Arc::clone(&seen);
    let server = Server::start(None, move |request| {
        kept.lock().unwrap().push(request.clone());
        reply(request)
    });
    (server, seen)
}

#[tokio::test]
async fn a_read_that_is_redirected_brings_no_credentials_to_another_server() {
    for code in CODES {
        let (other, seen) = remembering(|_| Reply::text("there"));
        let location = format!("{}/new", other.url());
        let server = Server::start(None, move |_| to(code, &location));
        let transport = connector().0.transport(&with_token(&server)).unwrap();
        assert_eq!(get(&transport, "/old").await.unwrap(), (200, "there".to_owned()), "{code}");
        let seen = seen.lock().unwrap();
        assert_eq!(seen[0].line, "GET /new HTTP/1.1");
        assert_eq!((seen[0].header("authorization"), seen[0].header("host")), (None, Some(other.address.to_string().as_str())));
    }
}

#[tokio::test]
async fn a_read_that_is_redirected_to_the_same_server_keeps_its_credentials() {
    let (server, seen) =
        remembering(|seen| if seen.line.starts_with("GET /a/old ") { to(302, "../b/new?c=d") } else { Reply::text("there") });
    let transport = connector().0.transport(&with_token(&server)).unwrap();
    assert_eq!(get(&transport, "/a/old").await.unwrap(), (200, "there".to_owned()));
    let seen = seen.lock().unwrap();
    assert_eq!((seen[1].line.as_str(), seen[1].header("authorization")), ("GET /b/new?c=d HTTP/1.1", Some("Bearer s3cr3t")));
}

#[tokio::test]
async fn a_write_never_goes_where_a_redirect_leads() {
    for code in CODES {
        for method in [Method::POST, Method::PUT, Method::PATCH, Method::DELETE] {
            let (server, seen) = remembering(move |_| to(code, "/new"));
            let transport = connector().0.transport(&with_token(&server)).unwrap();
            let response = transport.send(Request { method: method.clone(), ..Request::read("/old") }).await.unwrap();
            assert_eq!(response.status.as_u16(), code, "{method}");
            assert_eq!(seen.lock().unwrap().len(), 1, "{method} {code}");
        }
    }
}

#[tokio::test]
async fn redirects_that_lead_nowhere_end() {
    let (server, seen) = remembering(|_| to(307, "/again"));
    let transport = connector().0.transport(&with_token(&server)).unwrap();
    let error = get(&transport, "/").await.unwrap_err();
    assert!(matches!(error, TransportError::Unreachable { .. }) && error.to_string().ends_with("more than 10 times"), "{error}");
    assert_eq!(seen.lock().unwrap().len(), 11);
    for location in ["file:///etc/passwd", "data:text/plain,{}", "http://[", "//", ""] {
        let server =
            Server::start(None, move |seen| if seen.line.contains("/old") { to(302, location) } else { Reply::text("") });
        let transport = connector().0.transport(&with_token(&server)).unwrap();
        let ended = get(&transport, "/old").await;
        assert!(ended.as_ref().is_ok_and(|(status, _)| *status == 302) || (location.is_empty() && ended.is_err()), "{location}");
    }
}
