use super::{
    super::{
        NativeTransport, Tls,
        http::{client_builder, exchange},
        tls::{Authority, tls_config},
    },
    support::{Reply, Server, config, connector, get},
};
use crate::transport::{Request, Transport as _, TransportError};
use std::{net::TcpListener, time::Duration};

fn client(change: fn(reqwest::ClientBuilder) -> reqwest::ClientBuilder) -> reqwest::Client {
    let tls = tls_config(&Authority::Anybody, None, None).unwrap();
    change(client_builder(tls).no_proxy()).build().unwrap()
}

async fn fault_of(reply: impl Fn() -> Reply + Send + Sync + 'static) -> TransportError {
    let server = Server::start(None, move |_| reply());
    let transport = connector().0.transport(&config(server.url(), None)).unwrap();
    get(&transport, "/path").await.unwrap_err()
}

#[tokio::test]
async fn where_nobody_listens_the_server_is_out_of_reach() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let transport = connector().0.transport(&config(format!("http://user:s3cr3t@{free}/prefix"), None)).unwrap();
    let error = get(&transport, "/path").await.unwrap_err();
    let text = error.to_string();
    assert!(matches!(error, TransportError::Unreachable { .. }), "{error:?}");
    assert!(text.starts_with(&format!("the server could not be reached at http://{free}/prefix/path: ")), "{text}");
    assert!(text.contains("refused") && !text.contains("s3cr3t"), "{text}");
    assert_eq!(text.matches("http://").count(), 1, "the address is told twice: {text}");
    assert!(!error.is_connection_lost() && !error.is_timeout());
}

#[tokio::test]
async fn a_transport_without_a_configuration_tells_no_password_either() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let transport = NativeTransport::new(format!("http://user:s3cr3t@{free}/prefix/"), &Tls::default()).unwrap();
    let error = transport.send(Request::read("/path")).await.err().unwrap();
    for text in [error.to_string(), format!("{error:?}"), format!("{transport:?}")] {
        assert!(text.contains(&format!("@{free}/prefix")) && !text.contains("s3cr3t"), "{text}");
    }
}

#[tokio::test]
async fn a_connection_that_ends_before_the_answer_is_lost() {
    for part in ["", "HTTP/1.1 200 OK\r\ncontent-le"] {
        let error = fault_of(move || Reply::Raw(part.into())).await;
        assert!(matches!(error, TransportError::Lost { .. }), "{part:?}: {error:?}");
        assert!(error.is_connection_lost());
    }
}

#[tokio::test]
async fn a_connection_that_is_reset_before_the_answer_is_lost() {
    let server = Server::start(None, |_| Reply::Reset);
    let transport = NativeTransport::new(server.url(), &Tls::default()).unwrap();
    let request = Request { method: http::Method::PUT, body: vec![7; 1_000_000].into(), ..Request::read("/path") };
    let error = transport.send(request).await.err().unwrap();
    assert!(matches!(error, TransportError::Lost { .. }), "{error:?}");
    assert!(error.to_string().starts_with("the connection to http://127.0.0.1"), "{error}");
}

#[tokio::test]
async fn an_answer_that_breaks_off_is_broken() {
    let error = fault_of(|| Reply::Raw(b"HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf".to_vec())).await;
    assert!(matches!(error, TransportError::Broken { .. }), "{error:?}");
    assert!(error.is_connection_lost());
}

#[tokio::test]
async fn what_is_no_answer_is_no_lost_connection() {
    let error = fault_of(|| Reply::Raw(b"SSH-2.0-OpenSSH\r\n\r\n".to_vec())).await;
    assert!(matches!(error, TransportError::Unreachable { .. }), "{error:?}");
}

#[tokio::test]
async fn an_answer_that_does_not_come_in_the_time_of_the_host_is_told_as_such() {
    let server = Server::start(None, |_| Reply::Hang);
    let client = client(|builder| builder.timeout(Duration::from_millis(1)));
    let error = exchange(client, server.url(), "address".into(), Request::read("/")).await.err().unwrap();
    assert!(error.is_timeout(), "{error:?}");
    assert_eq!(error.to_string(), "no answer from address in time");
}

#[tokio::test]
async fn a_path_that_makes_no_url_is_told_before_anything_is_sent() {
    let client = client(|builder| builder);
    let error = exchange(client, "http://".into(), "address".into(), Request::read("/")).await.err().unwrap();
    assert!(matches!(error, TransportError::Invalid { .. }), "{error:?}");
}
