//! Requests over real connections, to a server of a few lines.

#![cfg(not(target_family = "wasm"))]
#![expect(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may fail, and runs natively")]

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::Arc,
    thread,
};

use futures::future::join_all;
use porthole_client_core::{
    host::native::{NativePlatform, NativeTransport, Tls},
    platform::Platform,
    rest::RestClient,
};
use tokio::sync::mpsc;

/// Answers each request with the client's end of its connection and the request's path, but to `/hang` not at all. Says which
/// paths it was asked for.
fn serve() -> (SocketAddr, mpsc::UnboundedReceiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let (asked, paths) = mpsc::unbounded_channel();
    thread::spawn(move || {
        for connection in listener.incoming() {
            let asked = asked.clone();
            thread::spawn(move || answer_all(connection.unwrap(), &asked));
        }
    });
    (address, paths)
}

/// Ends with the connection.
fn answer_all(mut connection: TcpStream, asked: &mpsc::UnboundedSender<String>) -> Option<()> {
    let client = connection.peer_addr().ok()?;
    let mut requests = BufReader::new(connection.try_clone().ok()?);
    loop {
        let path = read_request(&mut requests)?;
        asked.send(path.clone()).ok()?;
        if path.starts_with("/hang") {
            // Until the client goes away.
            requests.read_to_end(&mut Vec::new()).ok()?;
            return None;
        }
        let body = format!("{client} {path}");
        let answer = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}", body.len());
        connection.write_all(answer.as_bytes()).ok()?;
    }
}

fn read_request(requests: &mut impl std::io::BufRead) -> Option<String> {
    let mut lines = requests.lines().map_while(Result::ok);
    let path = lines.next()?.split(' ').nth(1)?.to_owned();
    lines.find(String::is_empty)?;
    Some(path)
}

fn client(server: SocketAddr) -> RestClient {
    let transport = NativeTransport::new(format!("http://{server}/"), &Tls::default()).unwrap();
    let platform: Arc<dyn Platform> = Arc::new(NativePlatform::new(tokio::runtime::Handle::current()));
    RestClient::new(Arc::new(transport), platform)
}

/// The client's end of the connection that a request took, and the path it asked for.
async fn ask(client: &RestClient, path: &str) -> (String, String) {
    let answer = client.get().absolute_path(path).send().await.unwrap();
    let text = String::from_utf8(answer.bytes().to_vec()).unwrap();
    let (end, path) = text.split_once(' ').unwrap();
    (end.to_owned(), path.to_owned())
}

#[tokio::test]
async fn a_connection_is_used_again() {
    let (server, _paths) = serve();
    let client = client(server);
    assert_eq!(ask(&client, "/foo").await, ask(&client, "/foo").await);
}

#[tokio::test]
async fn the_connection_of_a_request_that_was_given_up_is_not_used_again() {
    let (server, mut paths) = serve();
    let client = client(server);
    let (first, _) = ask(&client, "/foo").await;
    assert_eq!(paths.recv().await.unwrap(), "/foo?pretty=false");
    let request = client.get().absolute_path("/hang");
    tokio::select! {
        answer = request.send() => panic!("{answer:?}"),
        path = paths.recv() => assert_eq!(path.unwrap(), "/hang?pretty=false"),
    }
    let (second, _) = ask(&client, "/foo").await;
    assert_ne!(first, second);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_of_many_tasks_each_get_their_own_answer() {
    let (server, _paths) = serve();
    let client = client(server);
    let tasks = (0..4).map(|task| {
        let client = client.clone();
        tokio::spawn(async move {
            for number in 0..25 {
                let wanted = format!("request-{task}-{number}");
                let answer = client.get().absolute_path("/").parameter("echo", &wanted).send().await.unwrap();
                let text = String::from_utf8(answer.bytes().to_vec()).unwrap();
                assert!(text.ends_with(&format!("&echo={wanted}")), "{text}");
            }
        })
    });
    for outcome in join_all(tasks).await {
        outcome.unwrap();
    }
}
