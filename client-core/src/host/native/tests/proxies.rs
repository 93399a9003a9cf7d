use super::support::{Authority, Reply, Seen, Server, body, config, connector, get, server_tls};
use crate::config::{BasicAuth, Proxy, ProxyUrl, RestConfig, Secret};
use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{Shutdown, SocketAddr, TcpListener, TcpStream},
    sync::{Arc, Mutex},
};

/// A proxy that connects everything to one server, and notes what it was asked for.
struct TestProxy {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<String>>>,
}

impl TestProxy {
    fn start(server: SocketAddr, greet: fn(&mut TcpStream) -> String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let asked: Arc<Mutex<Vec<String>>> = Arc::default();
        let notes = Arc::clone(&asked);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut client = stream.unwrap();
                notes.lock().unwrap().push(greet(&mut client));
                let mut upstream = TcpStream::connect(server).unwrap();
                let (mut from, mut to) = (client.try_clone().unwrap(), upstream.try_clone().unwrap());
                std::thread::spawn(move || std::io::copy(&mut from, &mut to).ok());
                std::thread::spawn(move || std::io::copy(&mut upstream, &mut client).ok());
            }
        });
        Self { address, asked }
    }
}

/// The first line of a CONNECT, and its credentials.
fn http_connect(client: &mut TcpStream) -> String {
    let mut reader = BufReader::new(client.try_clone().unwrap());
    let mut noted = String::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        if line.trim().is_empty() {
            break;
        }
        if noted.is_empty() || line.to_ascii_lowercase().starts_with("proxy-authorization") {
            noted.push_str(line.trim());
        }
    }
    client.write_all(b"HTTP/1.1 200 OK\r\n\r\n").unwrap();
    noted
}

/// The name and port that a SOCKS 5 client asks for.
fn socks_connect(client: &mut TcpStream) -> String {
    let mut read = |length: usize| {
        let mut bytes = vec![0; length];
        client.read_exact(&mut bytes).unwrap();
        bytes
    };
    let greeting = read(2);
    read(greeting[1].into());
    client.write_all(&[5, 0]).unwrap();
    let mut read = |length: usize| {
        let mut bytes = vec![0; length];
        client.read_exact(&mut bytes).unwrap();
        bytes
    };
    let request = read(4);
    assert_eq!(request[3], 3, "the name was not left to the proxy");
    let length = read(1)[0].into();
    let name = String::from_utf8(read(length)).unwrap();
    let port = read(2);
    client.write_all(&[5, 0, 0, 1, 0, 0, 0, 0, 0, 0]).unwrap();
    format!("{name}:{}", u16::from_be_bytes([port[0], port[1]]))
}

fn through(url: &str, proxy: &str, authority: &Authority) -> RestConfig {
    RestConfig { proxy: Proxy::Url(ProxyUrl::parse(proxy).unwrap()), ..config(url, Some(authority)) }
}

#[tokio::test]
async fn a_protected_server_is_reached_through_a_tunnel_of_an_http_proxy() {
    let authority = Authority::new("ours");
    let server = Server::start(Some(server_tls(&authority.server(&["cluster.example"]), None)), |_| Reply::text("ok"));
    let proxy = TestProxy::start(server.address, http_connect);
    let config = through("https://cluster.example:6443", &format!("http://me:pass@{}", proxy.address), &authority);
    assert_eq!(body(&connector().0.transport(&config).unwrap()).await, "ok");
    let asked = proxy.asked.lock().unwrap().join(" ").to_ascii_lowercase();
    assert_eq!(asked, "connect cluster.example:6443 http/1.1proxy-authorization: basic bwu6cgfzcw==");
}

#[tokio::test]
async fn a_socks_proxy_finds_the_name_itself() {
    let authority = Authority::new("ours");
    let server = Server::start(Some(server_tls(&authority.server(&["cluster.example"]), None)), |_| Reply::text("ok"));
    let proxy = TestProxy::start(server.address, socks_connect);
    let config = through("https://cluster.example:6443", &format!("socks5://{}", proxy.address), &authority);
    assert_eq!(body(&connector().0.transport(&config).unwrap()).await, "ok");
    assert_eq!(*proxy.asked.lock().unwrap(), ["cluster.example:6443"]);
}

#[tokio::test]
async fn through_a_proxy_another_name_is_checked() {
    let authority = Authority::new("ours");
    let server = Server::start(Some(server_tls(&authority.server(&["inner.example"]), None)), |_| Reply::text("ok"));
    let proxy = TestProxy::start(server.address, http_connect);
    let mut config = through("https://outer.example", &format!("http://{}", proxy.address), &authority);
    assert!(get(&connector().0.transport(&config).unwrap(), "/").await.is_err());
    config.tls.server_name = Some("inner.example".into());
    assert_eq!(body(&connector().0.transport(&config).unwrap()).await, "ok");
    assert_eq!(proxy.asked.lock().unwrap()[1], "CONNECT outer.example:443 HTTP/1.1");
}

#[tokio::test]
async fn an_unprotected_server_is_asked_for_by_its_whole_url() {
    let server = Server::start(None, |seen| Reply::text(&seen.line));
    let mut config = config("http://cluster.example:8080/prefix", None);
    config.proxy = Proxy::Url(ProxyUrl::parse(&server.url()).unwrap());
    assert_eq!(body(&connector().0.transport(&config).unwrap()).await, "GET http://cluster.example:8080/prefix/ HTTP/1.1");
}

/// Asks the server in the URL of `seen`, with its `Authorization`, as a proxy does; gives back the answer's body.
fn forwarded(seen: &Seen) -> String {
    let url = seen.line.split(' ').nth(1).unwrap();
    let (address, path) = url.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let mut server = TcpStream::connect(address).unwrap();
    let authorization = seen.header("authorization").unwrap_or_default();
    write!(server, "GET /{path} HTTP/1.1\r\nhost: {address}\r\nauthorization: {authorization}\r\n\r\n").unwrap();
    server.shutdown(Shutdown::Write).unwrap();
    let mut answer = String::new();
    server.read_to_string(&mut answer).unwrap();
    answer.split_once("\r\n\r\n").unwrap().1.to_owned()
}

#[tokio::test]
async fn a_client_asks_its_proxy_with_its_credentials_and_has_the_servers_answer() {
    let server = Server::start(None, |seen| {
        let path = seen.line.split([' ', '?']).nth(1).unwrap();
        Reply::text(&format!("{path} for {}", seen.header("authorization").unwrap_or("nobody")))
    });
    let proxy = Server::start(None, |seen| Reply::text(&format!("proxied: {}", forwarded(seen))));
    let mut config = config(server.url(), None);
    config.proxy = Proxy::Url(ProxyUrl::parse(&proxy.url()).unwrap());
    config.auth.basic = Some(BasicAuth { username: "user".into(), password: Secret::new("pass") });
    let client = connector().0.client(&config).unwrap();
    let answer = client.read("/api/v1/pods", "application/json").await.unwrap();
    assert_eq!(answer, "proxied: /api/v1/pods for Basic dXNlcjpwYXNz");
    assert_eq!((proxy.connections(), server.connections()), (1, 1));
}
