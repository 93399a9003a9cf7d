//! Servers, certificates and folders for tests.

use std::{
    fs,
    io::{self, BufRead as _, BufReader, Read, Write},
    net::{Shutdown, SocketAddr, TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::Command,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa, KeyPair};
use rustls::{
    RootCertStore, ServerConfig, ServerConnection, StreamOwned,
    crypto::ring,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject as _},
    server::WebPkiClientVerifier,
};

use super::super::{ExecHost, NativeConnector};
use crate::{
    config::{PemData, RestConfig, TlsConfig},
    platform::{FakePlatform, Platform},
    transport::{Request, Transport, TransportError, read_to_end},
};

/// A folder that is gone after the test.
pub(super) struct Folder(PathBuf);

impl Folder {
    pub(super) fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("porthole-test-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(super) fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    pub(super) fn put(&self, name: &str, content: &str) -> String {
        let path = self.path(name);
        fs::write(&path, content).unwrap();
        path
    }

    /// A script that can be run.
    pub(super) fn script(&self, name: &str, content: &str) -> String {
        // Another process writes it: a file cannot be run while it is open for writing, and it would be in each process
        // that another test forks just then.
        let text = self.put(&format!("{name}.text"), content);
        let path = self.path(name);
        let status = Command::new("install").args(["-m", "755", &text, &path]).status().unwrap();
        assert!(status.success());
        path
    }

    pub(super) fn as_path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).ok();
    }
}

/// A certificate and its key, in PEM.
pub(super) struct Pair {
    pub(super) certificate: String,
    pub(super) key: String,
}

/// A certificate authority.
pub(super) struct Authority(CertifiedIssuer<'static, KeyPair>);

impl Authority {
    pub(super) fn new(name: &str) -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        Self(CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap())
    }

    pub(super) fn pem(&self) -> String {
        self.0.pem()
    }

    fn issue(&self, name: &str, names: &[&str], usage: ExtendedKeyUsagePurpose) -> Pair {
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        let mut params = CertificateParams::new(names).unwrap();
        params.distinguished_name.push(DnType::CommonName, name);
        params.extended_key_usages = vec![usage];
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.0).unwrap();
        Pair { certificate: certificate.pem(), key: key.serialize_pem() }
    }

    pub(super) fn server(&self, names: &[&str]) -> Pair {
        self.issue("server", names, ExtendedKeyUsagePurpose::ServerAuth)
    }

    pub(super) fn client(&self, name: &str) -> Pair {
        self.issue(name, &[], ExtendedKeyUsagePurpose::ClientAuth)
    }
}

/// TLS of a server, which takes certificates of clients that `clients` vouches for.
pub(super) fn server_tls(pair: &Pair, clients: Option<&Authority>) -> ServerConfig {
    let provider = Arc::new(ring::default_provider());
    let chain = CertificateDer::pem_slice_iter(pair.certificate.as_bytes()).collect::<Result<Vec<_>, _>>().unwrap();
    let key = PrivateKeyDer::from_pem_slice(pair.key.as_bytes()).unwrap();
    let builder = ServerConfig::builder_with_provider(Arc::clone(&provider)).with_safe_default_protocol_versions().unwrap();
    let builder = match clients {
        None => builder.with_no_client_auth(),
        Some(authority) => {
            let mut roots = RootCertStore::empty();
            roots.add(CertificateDer::from_pem_slice(authority.pem().as_bytes()).unwrap()).unwrap();
            let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider);
            builder.with_client_cert_verifier(verifier.allow_unauthenticated().build().unwrap())
        }
    };
    builder.with_single_cert(chain, key).unwrap()
}

/// A request as a server got it.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    /// The first line, such as `GET /path HTTP/1.1`.
    pub(super) line: String,
    headers: Vec<(String, String)>,
    /// The certificate of the client.
    pub(super) certificate: Option<Vec<u8>>,
    /// The name the client asked for when it connected.
    pub(super) server_name: Option<String>,
}

impl Seen {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

/// What a server does with a request.
pub(super) enum Reply {
    /// Answers with a status, headers and a body.
    Answer(u16, &'static [(&'static str, &'static str)], Vec<u8>),
    /// Writes these bytes and closes the connection.
    Raw(Vec<u8>),
    /// Closes the connection with a reset.
    Reset,
    /// Keeps the connection and says nothing until the client goes.
    Hang,
}

impl Reply {
    pub(super) fn text(text: &str) -> Self {
        Self::Answer(200, &[], text.into())
    }

    pub(super) fn status(status: u16) -> Self {
        Self::Answer(status, &[], Vec::new())
    }
}

type Handler = dyn Fn(&Seen) -> Reply + Send + Sync;

/// A server on a port of its own, which lives as long as this.
pub(super) struct Server {
    pub(super) address: SocketAddr,
    shared: Arc<Shared>,
}

struct Shared {
    tls: Mutex<Option<Arc<ServerConfig>>>,
    handler: Box<Handler>,
    connections: AtomicUsize,
    ended: AtomicBool,
}

impl Server {
    pub(super) fn start(tls: Option<ServerConfig>, handler: impl Fn(&Seen) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared {
            tls: Mutex::new(tls.map(Arc::new)),
            handler: Box::new(handler),
            connections: AtomicUsize::new(0),
            ended: AtomicBool::new(false),
        });
        let server = Arc::clone(&shared);
        std::thread::spawn(move || {
            while let Ok((stream, _)) = listener.accept() {
                if server.ended.load(Ordering::Relaxed) {
                    return;
                }
                server.connections.fetch_add(1, Ordering::Relaxed);
                let server = Arc::clone(&server);
                // A client that goes away in the middle is no fault of the server.
                std::thread::spawn(move || serve(stream, &server).ok());
            }
        });
        Self { address, shared }
    }

    pub(super) fn url(&self) -> String {
        let scheme = if self.shared.tls.lock().unwrap().is_some() { "https" } else { "http" };
        format!("{scheme}://{}", self.address)
    }

    /// How many connections there were.
    pub(super) fn connections(&self) -> usize {
        self.shared.connections.load(Ordering::Relaxed)
    }

    /// Shows another certificate from the next connection on.
    pub(super) fn change_tls(&self, tls: ServerConfig) {
        *self.shared.tls.lock().unwrap() = Some(Arc::new(tls));
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.ended.store(true, Ordering::Relaxed);
        TcpStream::connect(self.address).ok();
    }
}

fn serve(stream: TcpStream, server: &Shared) -> io::Result<()> {
    let tls = server.tls.lock().unwrap().clone();
    let raw = stream.try_clone()?;
    match tls {
        None => answer_all(stream, &raw, server, |_stream| (None, None)),
        Some(tls) => {
            let connection = ServerConnection::new(tls).unwrap();
            answer_all(StreamOwned::new(connection, stream), &raw, server, |stream| {
                let certificate = stream.conn.peer_certificates().and_then(|chain| Some(chain.first()?.to_vec()));
                (certificate, stream.conn.server_name().map(str::to_owned))
            })
        }
    }
}

type Peer = (Option<Vec<u8>>, Option<String>);

fn answer_all<S: Read + Write>(stream: S, raw: &TcpStream, server: &Shared, peer: impl Fn(&S) -> Peer) -> io::Result<()> {
    let mut reader = BufReader::new(stream);
    loop {
        let mut seen = Seen::default();
        reader.read_line(&mut seen.line)?;
        if seen.line.is_empty() {
            return Ok(());
        }
        seen.line.truncate(seen.line.trim_end().len());
        loop {
            let mut line = String::new();
            reader.read_line(&mut line)?;
            let Some((name, value)) = line.trim_end().split_once(':') else { break };
            seen.headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        (seen.certificate, seen.server_name) = peer(reader.get_ref());
        match (server.handler)(&seen) {
            Reply::Answer(status, headers, body) => {
                let stream = reader.get_mut();
                write!(stream, "HTTP/1.1 {status} X\r\ncontent-length: {}\r\n", body.len())?;
                for (name, value) in headers {
                    write!(stream, "{name}: {value}\r\n")?;
                }
                stream.write_all(b"\r\n")?;
                stream.write_all(&body)?;
                stream.flush()?;
            }
            Reply::Raw(bytes) => {
                reader.get_mut().write_all(&bytes)?;
                reader.get_mut().flush()?;
                return raw.shutdown(Shutdown::Both);
            }
            Reply::Reset => return reset(raw),
            Reply::Hang => {
                reader.read_line(&mut String::new())?;
                return Ok(());
            }
        }
    }
}

/// Closes a connection so that the other side gets a reset: a part of what it sent is left unread.
fn reset(stream: &TcpStream) -> io::Result<()> {
    while stream.peek(&mut [0])? == 0 {}
    Ok(())
}

/// A connector on a clock of its own, and the clock. Plugins have no variables but `PATH` and no terminal.
pub(super) fn connector() -> (NativeConnector, FakePlatform) {
    let platform = FakePlatform::default();
    let host = ExecHost::default()
        .with_variables(|| std::env::var_os("PATH").map(|path| ("PATH".into(), path)).into_iter().collect())
        .with_terminal(|| false)
        .with_stderr(|_chunk| {});
    let shared: Arc<dyn Platform> = Arc::new(platform.clone());
    (NativeConnector::new(shared).with_exec_host(host), platform)
}

/// A configuration for a server that `authority` vouches for.
pub(super) fn config(url: impl Into<String>, authority: Option<&Authority>) -> RestConfig {
    let ca_data = authority.map(|authority| PemData::new(authority.pem())).unwrap_or_default();
    RestConfig { tls: TlsConfig { ca_data, ..TlsConfig::default() }, ..RestConfig::new(url) }
}

/// The status and body of a GET.
pub(super) async fn get(transport: &Arc<dyn Transport>, path: &str) -> Result<(u16, String), TransportError> {
    let response = transport.send(Request::read(path)).await?;
    let status = response.status.as_u16();
    let text = String::from_utf8(read_to_end(response.body).await?).unwrap();
    for _ in 0..10 {
        // The task of the connection puts it back for the next request.
        tokio::task::yield_now().await;
    }
    Ok((status, text))
}

/// The body of a GET that must succeed.
pub(super) async fn body(transport: &Arc<dyn Transport>) -> String {
    let (status, text) = get(transport, "/").await.unwrap();
    assert_eq!(status, 200);
    text
}
