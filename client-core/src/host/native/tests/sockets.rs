use super::{
    super::socket::accept_of,
    support::{Authority, Folder, Reply, Seen, Server, config, connector, server_tls},
};
use crate::{
    config::{Impersonation, PemData, RestConfig},
    platform::FakePlatform,
    transport::{
        Exchange, Socket, SocketAnswer, SocketMessage, SocketRequest, Transport, TransportError, TransportLayer, with_observer,
    },
};
use futures::{SinkExt as _, StreamExt as _};
use http::{HeaderValue, header};
use std::{
    io::{Read as _, Write as _},
    net::TcpListener,
    sync::{Arc, Mutex},
};
use tokio_tungstenite::tungstenite::{Message, protocol::Role, protocol::WebSocket};

/// The answer that opens a WebSocket, with these lines in its head and these bytes behind it.
fn agree(key: &str, lines: &str, frames: &[u8]) -> Vec<u8> {
    let accept = accept_of(key);
    let head =
        format!("HTTP/1.1 101 X\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: {accept}\r\n{lines}\r\n");
    [head.as_bytes(), frames].concat()
}

fn key(seen: &Seen) -> String {
    seen.header("sec-websocket-key").unwrap().to_owned()
}

/// A server that agrees to every WebSocket and sends these bytes.
fn sending(frames: &'static [u8]) -> Server {
    Server::start(None, |seen| Reply::Raw(agree(&key(seen), "", frames)))
}

async fn ask(config: &RestConfig, request: SocketRequest) -> Result<SocketAnswer, TransportError> {
    connector().0.sockets(config).unwrap().open(request).await
}

async fn open(config: &RestConfig) -> Socket {
    match ask(config, SocketRequest::new("/api?watch=true")).await.unwrap() {
        SocketAnswer::Open(socket) => socket,
        SocketAnswer::Plain(response) => panic!("{}", response.status),
    }
}

#[tokio::test]
async fn messages_come_in_whole_until_the_server_is_done() {
    // A text, a ping, a text in two frames, bytes, and a close with code 1000.
    let server = sending(b"\x81\x02hi\x89\x01p\x01\x01a\x80\x01b\x82\x02\x00\xff\x88\x02\x03\xe8");
    let messages: Vec<_> = open(&config(server.url(), None)).await.map(Result::unwrap).collect().await;
    let text = |text: &str| SocketMessage::Text(text.into());
    assert_eq!(messages, [text("hi"), text("ab"), SocketMessage::Binary([0, 255][..].into())]);
}

#[tokio::test]
async fn a_connection_that_ends_without_a_word_or_with_a_bad_one_is_broken() {
    for (frames, words) in [
        (&b"\x81\x02hi"[..], "without closing handshake"),
        (b"\x81\x02hi\x81\x05cut", "without closing handshake"),
        (b"\x81\x02hi\x88\x07\x03\xf3sorry", "code 1011: sorry"),
        (b"\x81\x02hi\x83\x00", "opcode"),
    ] {
        let server = sending(frames);
        let messages: Vec<_> = open(&config(server.url(), None)).await.collect().await;
        let [Ok(_), Err(error)] = &messages[..] else { panic!("{messages:?}") };
        assert!(error.is_connection_lost() && error.to_string().contains(words), "{error}");
    }
}

#[tokio::test]
async fn a_socket_is_asked_for_as_whom_the_configuration_says_and_by_its_certificate() {
    let authority = Authority::new("ours");
    let (seen, folder): (Arc<Mutex<Vec<Seen>>>, _) = (Arc::default(), Folder::new());
    let notes = Arc::clone(&seen);
    let tls = server_tls(&authority.server(&["127.0.0.1"]), Some(&authority));
    let server = Server::start(Some(tls), move |seen| {
        notes.lock().unwrap().push(seen.clone());
        Reply::Raw(agree(&key(seen), "sec-websocket-protocol: b\r\n", b"\x88\x00"))
    });
    let alice = authority.client("alice");
    let mut config = config(server.url(), Some(&authority));
    config.tls.cert_data = PemData::new(alice.certificate);
    config.tls.key_data = PemData::new(alice.key);
    config.auth.token_file = Some(folder.put("token", "t0ken"));
    config.user_agent = Some("agent".into());
    config.impersonate = Impersonation { user: "bob".into(), ..Impersonation::default() };
    let exchanges: Arc<Mutex<Vec<Exchange>>> = Arc::default();
    let log = Arc::clone(&exchanges);
    let layer: Arc<dyn TransportLayer> = Arc::new(move |inner: Arc<dyn Transport>| {
        let log = Arc::clone(&log);
        let observer = move |exchange: Exchange| log.lock().unwrap().push(exchange);
        with_observer(inner, Arc::new(FakePlatform::default()), Arc::new(observer))
    });
    let sockets = connector().0.with_layer(layer).sockets(&config).unwrap();
    let mut request = SocketRequest::new("/api?watch=true");
    request.protocols = vec!["a".into(), "b".into()];
    for _ in 0..2 {
        let Ok(SocketAnswer::Open(mut socket)) = sockets.open(request.clone()).await else { panic!("no socket") };
        assert_eq!(socket.protocol(), "b");
        assert!(socket.next().await.is_none());
    }
    let seen = seen.lock().unwrap();
    for seen in seen.iter() {
        assert_eq!(seen.line, "GET /api?watch=true HTTP/1.1");
        assert!(seen.certificate.is_some());
        for (name, value) in [
            ("upgrade", "websocket"),
            ("sec-websocket-version", "13"),
            ("sec-websocket-protocol", "a, b"),
            ("origin", &server.url()),
            ("authorization", "Bearer t0ken"),
            ("user-agent", "agent"),
            ("impersonate-user", "bob"),
        ] {
            assert_eq!(seen.header(name), Some(value), "{name}");
        }
    }
    let statuses: Vec<_> =
        exchanges.lock().unwrap().iter().map(|exchange| exchange.outcome.as_ref().unwrap().0.as_u16()).collect();
    assert_eq!(statuses, [101, 101]);
}

#[tokio::test]
async fn an_origin_of_the_caller_stays() {
    let server = Server::start(None, |seen| Reply::text(seen.header("origin").unwrap()));
    let mut request = SocketRequest::new("/");
    request.headers.insert(header::ORIGIN, HeaderValue::from_static("https://page"));
    let Ok(SocketAnswer::Plain(response)) = ask(&config(server.url(), None), request).await else { panic!("a socket") };
    assert_eq!(crate::transport::read_to_end(response.body).await.unwrap(), b"https://page");
}

#[tokio::test]
async fn an_answer_that_opens_nothing_is_handed_on_and_no_redirect_is_followed() {
    let server = Server::start(None, |seen| match seen.line.as_str() {
        "GET /403 HTTP/1.1" => Reply::status(403),
        "GET /302 HTTP/1.1" => Reply::Answer(302, &[("location", "/403")], Vec::new()),
        _ => Reply::text("events"),
    });
    for (path, status) in [("/403", 403), ("/302", 302), ("/200", 200)] {
        let answer = ask(&config(server.url(), None), SocketRequest::new(path)).await.unwrap();
        let SocketAnswer::Plain(response) = answer else { panic!("a socket") };
        assert_eq!(response.status, status);
    }
}

#[tokio::test]
async fn a_server_that_agrees_to_something_else_opens_no_socket() {
    let another_key = Server::start(None, |_| Reply::Raw(agree("another", "", b"")));
    let another_protocol = Server::start(None, |seen| Reply::Raw(agree(&key(seen), "sec-websocket-protocol: c\r\n", b"")));
    for server in [another_key, another_protocol] {
        let error = ask(&config(server.url(), None), SocketRequest::new("/")).await.err().unwrap();
        assert!(matches!(&error, TransportError::NoSocket { .. }), "{error}");
    }
}

#[tokio::test]
async fn a_connection_that_fails_before_the_answer_is_told_as_for_a_request() {
    let server = Server::start(None, |_| Reply::Raw(Vec::new()));
    let error = ask(&config(server.url(), None), SocketRequest::new("/")).await.err().unwrap();
    assert!(matches!(&error, TransportError::Lost { .. }), "{error}");
    let error = ask(&config("http://127.0.0.1:1", None), SocketRequest::new("/")).await.err().unwrap();
    assert!(matches!(&error, TransportError::Unreachable { .. }), "{error}");
    let unsendable = SocketRequest { protocols: vec!["a\nb".into()], ..SocketRequest::new("/") };
    let error = ask(&config(server.url(), None), unsendable).await.err().unwrap();
    assert!(matches!(&error, TransportError::Invalid { .. }), "{error}");
}

/// A server of one WebSocket, which says what comes and sends it back, and at the end says how it was closed.
fn echo() -> (String, std::thread::JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let thread = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            stream.read_exact(&mut byte).unwrap();
            head.push(byte[0]);
        }
        let head = String::from_utf8(head).unwrap();
        let key = head.lines().find_map(|line| line.strip_prefix("sec-websocket-key: ")).unwrap();
        stream.write_all(&agree(key, "", b"")).unwrap();
        let mut socket = WebSocket::from_raw_socket(stream, Role::Server, None);
        let mut said = Vec::new();
        loop {
            match socket.read() {
                Ok(Message::Close(frame)) => said.push(format!("close {}", u16::from(frame.unwrap().code))),
                Ok(message) => {
                    said.push(message.to_string());
                    socket.send(message).unwrap();
                }
                Err(error) => {
                    said.push(error.to_string());
                    return said;
                }
            }
        }
    });
    (url, thread)
}

#[tokio::test]
async fn what_is_sent_arrives_and_a_close_is_in_good_order() {
    let (url, server) = echo();
    let (mut sender, mut receiver) = open(&config(url, None)).await.split();
    let long = "ü".repeat(100_000);
    for message in [SocketMessage::Text(long.clone()), SocketMessage::Binary("bytes".into())] {
        sender.send(message.clone()).await.unwrap();
        assert_eq!(receiver.next().await.unwrap().unwrap(), message);
    }
    sender.close().await.unwrap();
    assert!(receiver.next().await.is_none());
    sender.send(SocketMessage::Text("late".into())).await.unwrap_err();
    drop((sender, receiver));
    let said = server.join().unwrap();
    assert_eq!(said[..3], [long, "bytes".into(), "close 1000".into()]);
}

#[tokio::test]
async fn a_socket_that_is_dropped_closes_its_connection() {
    let (url, server) = echo();
    drop(open(&config(url, None)).await);
    assert_eq!(server.join().unwrap().len(), 1);
}
