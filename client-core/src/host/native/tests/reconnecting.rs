use super::support::{Authority, Reply, Server, body, config, connector, get, server_tls};
use crate::platform::timeout;
use std::{
    io::{Read as _, Write as _},
    net::{Shutdown, SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

/// Whether a connection is stalled, and its end at the client.
type Carried = (Arc<AtomicBool>, TcpStream);

/// A load balancer that can stop carrying bytes without closing, or close, the connections it has.
struct Balancer {
    address: SocketAddr,
    connections: Arc<AtomicUsize>,
    /// How often something came in that is carried no further.
    swallowed: Arc<AtomicUsize>,
    current: Arc<Mutex<Vec<Carried>>>,
}

impl Balancer {
    fn start(server: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let this = Self { address, connections: Arc::default(), swallowed: Arc::default(), current: Arc::default() };
        let (count, current) = (Arc::clone(&this.connections), Arc::clone(&this.current));
        let swallowed = Arc::clone(&this.swallowed);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                count.fetch_add(1, Ordering::Relaxed);
                let client = stream.unwrap();
                let upstream = TcpStream::connect(server).unwrap();
                let stalled = Arc::new(AtomicBool::new(false));
                current.lock().unwrap().push((Arc::clone(&stalled), client.try_clone().unwrap()));
                for (from, to) in [(&client, &upstream), (&upstream, &client)] {
                    let (from, to) = (from.try_clone().unwrap(), to.try_clone().unwrap());
                    let (stalled, swallowed) = (Arc::clone(&stalled), Arc::clone(&swallowed));
                    std::thread::spawn(move || carry(from, to, &stalled, &swallowed));
                }
            }
        });
        this
    }

    /// From now on nothing gets through the connections there are, and nobody is told.
    fn stall(&self) {
        self.current.lock().unwrap().drain(..).for_each(|(stalled, _)| stalled.store(true, Ordering::Relaxed));
    }

    /// Closes the connections there are.
    fn close(&self) {
        self.current.lock().unwrap().drain(..).for_each(|(_, client)| client.shutdown(Shutdown::Both).unwrap());
    }
}

fn carry(mut from: TcpStream, mut to: TcpStream, stalled: &AtomicBool, swallowed: &AtomicUsize) {
    let mut chunk = [0; 4096];
    while let Ok(length @ 1..) = from.read(&mut chunk) {
        if stalled.load(Ordering::Relaxed) {
            swallowed.fetch_add(1, Ordering::Relaxed);
        } else if to.write_all(&chunk[..length]).is_err() {
            break;
        }
    }
    if !stalled.load(Ordering::Relaxed) {
        to.shutdown(Shutdown::Both).ok();
    }
}

/// A server, whom it is vouched for by, and how many requests hang there.
fn server() -> (Authority, Server, Arc<AtomicUsize>) {
    let authority = Authority::new("ours");
    let hanging: Arc<AtomicUsize> = Arc::default();
    let count = Arc::clone(&hanging);
    let server = Server::start(Some(server_tls(&authority.server(&["127.0.0.1"]), None)), move |seen| {
        if seen.line.starts_with("GET /hang") {
            count.fetch_add(1, Ordering::Relaxed);
            return Reply::Hang;
        }
        Reply::text("ok")
    });
    (authority, server, hanging)
}

async fn until_one(count: &AtomicUsize) {
    while count.load(Ordering::Relaxed) == 0 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_request_after_one_that_was_given_up_on_a_dead_connection_takes_another() {
    let (authority, server, _) = server();
    let balancer = Balancer::start(server.address);
    let (connector, clock) = connector();
    let transport = connector.transport(&config(format!("https://{}", balancer.address), Some(&authority))).unwrap();
    assert_eq!(body(&transport).await, "ok");
    balancer.stall();
    // The caller's patience ends.
    let platform: Arc<dyn crate::platform::Platform> = Arc::new(clock.clone());
    let waiting = timeout(&platform, Duration::from_secs(1), Box::pin(get(&transport, "/")));
    let patience = async {
        until_one(&balancer.swallowed).await;
        clock.advance(Duration::from_secs(1));
    };
    let (answer, ()) = futures::future::join(waiting, patience).await;
    assert!(answer.is_none(), "something came through a dead connection");
    assert_eq!(body(&transport).await, "ok");
    assert_eq!(balancer.connections.load(Ordering::Relaxed), 2);
}

#[tokio::test]
async fn a_request_after_the_connection_was_closed_takes_another() {
    let (authority, server, _) = server();
    let balancer = Balancer::start(server.address);
    let transport = connector().0.transport(&config(format!("https://{}", balancer.address), Some(&authority))).unwrap();
    assert_eq!(body(&transport).await, "ok");
    balancer.close();
    // The end of the connection may not have arrived yet; then this request finds it out.
    let mut answer = get(&transport, "/").await;
    if matches!(&answer, Err(error) if error.is_connection_lost()) {
        answer = get(&transport, "/").await;
    }
    assert_eq!(answer.unwrap().1, "ok");
    assert_eq!(balancer.connections.load(Ordering::Relaxed), 2);
}

#[tokio::test]
async fn a_request_beside_one_that_hangs_takes_another_connection_and_the_one_that_hangs_ends_when_it_is_dropped() {
    let (authority, server, hanging) = server();
    let balancer = Balancer::start(server.address);
    let transport = connector().0.transport(&config(format!("https://{}", balancer.address), Some(&authority))).unwrap();
    let task = tokio::spawn({
        let transport = Arc::clone(&transport);
        async move { get(&transport, "/hang").await }
    });
    until_one(&hanging).await;
    balancer.stall();
    assert_eq!(body(&transport).await, "ok");
    assert_eq!(balancer.connections.load(Ordering::Relaxed), 2);
    assert!(!task.is_finished());
    task.abort();
    assert!(task.await.unwrap_err().is_cancelled());
}

#[tokio::test]
async fn a_request_that_takes_too_long_ends_with_its_connection() {
    let (authority, server, hanging) = server();
    let (connector, clock) = connector();
    let transport = connector.transport(&config(server.url(), Some(&authority))).unwrap();
    let platform: Arc<dyn crate::platform::Platform> = Arc::new(clock.clone());
    let waiting = timeout(&platform, Duration::from_secs(1), Box::pin(get(&transport, "/hang")));
    let patience = async {
        until_one(&hanging).await;
        clock.advance(Duration::from_secs(1));
    };
    let (answer, ()) = futures::future::join(waiting, patience).await;
    assert!(answer.is_none());
    assert_eq!(body(&transport).await, "ok");
    assert_eq!(server.connections(), 2);
}
