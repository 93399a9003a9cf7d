use super::{
    super::connections::{Connections, Settings},
    support::{Authority, Folder, Reply, Server, body, config, connector, get, server_tls},
};
use crate::{
    config::{BasicAuth, Impersonation, PemData, Proxy, ProxyUrl, RestConfig, Secret, ServerUrl, TlsConfig},
    platform::FakePlatform,
};
use std::{collections::HashSet, sync::Arc, time::Duration};

fn settings(config: &RestConfig) -> Settings {
    let url = ServerUrl::parse("https://host", true).unwrap();
    Settings::new(&config.tls, &config.proxy, !config.disable_compression, None, &url, true)
}

#[test]
fn connections_are_the_same_for_whoever_sends_and_others_for_other_tls() {
    let base = || RestConfig::new("https://host");
    let same: [fn(&mut RestConfig); 6] = [
        |_config| {},
        |config| config.auth.basic = Some(BasicAuth { username: "bob".into(), password: Secret::new("password") }),
        |config| config.auth.token = Some(Secret::new("token")),
        |config| config.user_agent = Some("useragent".into()),
        |config| config.impersonate = Impersonation { user: "bob".into(), ..Impersonation::default() },
        |config| config.qps = Some(1.0),
    ];
    let distinct = |changes: &[fn(&mut RestConfig)]| {
        let changed = |change: &fn(&mut RestConfig)| {
            let mut config = base();
            change(&mut config);
            settings(&config)
        };
        changes.iter().map(changed).collect::<HashSet<_>>().len()
    };
    assert_eq!(distinct(&same), 1);

    fn cert(config: &mut RestConfig, cert: &str, key: &str) {
        config.tls.cert_data = PemData::from(cert);
        config.tls.key_data = PemData::from(key);
    }
    let different: [fn(&mut RestConfig); 15] = [
        |_config| {},
        |config| config.proxy = Proxy::Url(ProxyUrl::parse("http://proxy").unwrap()),
        |config| config.proxy = Proxy::Direct,
        |config| config.disable_compression = true,
        |config| config.tls.insecure = true,
        |config| config.tls.ca_data = PemData::from("1"),
        |config| config.tls.ca_data = PemData::from("2"),
        |config| config.tls.ca_file = Some("ca".into()),
        |config| config.tls.server_name = Some("1".into()),
        |config| cert(config, "1", "1"),
        |config| cert(config, "1", "2"),
        |config| cert(config, "2", "1"),
        |config| {
            cert(config, "1", "1");
            config.tls.server_name = Some("1".into());
        },
        |config| {
            cert(config, "1", "1");
            config.tls.ca_data = PemData::from("1");
        },
        |config| config.tls.cert_file = Some("1".into()),
    ];
    assert_eq!(distinct(&different), different.len());
}

#[test]
fn a_file_beside_data_makes_no_other_connections() {
    let data = TlsConfig { ca_data: PemData::from("ca"), ..TlsConfig::default() };
    let both = TlsConfig { ca_file: Some("unused".into()), ..data.clone() };
    let with = |tls| settings(&RestConfig { tls, ..RestConfig::default() });
    assert!(with(data) == with(both));
}

#[tokio::test]
async fn transports_that_agree_share_connections_while_one_of_them_lives() {
    let server = Server::start(None, |_| Reply::text("ok"));
    let (connector, _) = connector();
    let mut config = config(server.url(), None);
    let one = connector.transport(&config).unwrap();
    config.user_agent = Some("another".into());
    let two = connector.transport(&config).unwrap();
    assert_eq!((body(&one).await, body(&two).await, server.connections()), ("ok".into(), "ok".into(), 1));
    drop(one);
    let three = connector.transport(&config).unwrap();
    assert_eq!((body(&three).await, server.connections()), ("ok".into(), 1));
    drop((two, three));
    let four = connector.transport(&config).unwrap();
    assert_eq!((body(&four).await, server.connections()), ("ok".into(), 2));
}

#[tokio::test]
async fn connections_stay_shared_when_their_certificates_change() {
    let (old, new) = (Authority::new("old"), Authority::new("new"));
    let server = Server::start(Some(server_tls(&old.server(&["127.0.0.1"]), None)), |_| Reply::text("ok"));
    let folder = Folder::new();
    let (connector, platform) = connector();
    let mut config = config(server.url(), None);
    config.tls.ca_file = Some(folder.put("ca.crt", &old.pem()));
    let one = connector.transport(&config).unwrap();
    body(&one).await;
    server.change_tls(server_tls(&new.server(&["127.0.0.1"]), None));
    folder.put("ca.crt", &new.pem());
    platform.advance(Duration::from_secs(1));
    body(&one).await;
    let two = connector.transport(&config).unwrap();
    body(&two).await;
    assert_eq!(server.connections(), 2);
}

#[tokio::test]
async fn connections_that_replaced_others_are_found() {
    let server = Server::start(None, |_| Reply::text("ok"));
    let (connector, _) = connector();
    let config = config(server.url(), None);
    let old = connector.transport(&config).unwrap();
    drop(old);
    let new = connector.transport(&config).unwrap();
    body(&new).await;
    let found = connector.transport(&config).unwrap();
    body(&found).await;
    assert_eq!(server.connections(), 1);
}

#[tokio::test]
async fn nothing_is_left_of_connections_that_nobody_uses() {
    let (connector, _) = connector();
    let with = |name: usize| {
        let mut config = RestConfig::new("https://127.0.0.1:1");
        config.tls.insecure = true;
        config.tls.server_name = Some(format!("name-{name}"));
        connector.transport(&config).unwrap()
    };
    let kept = (with(0), with(1));
    for name in 0..20 {
        drop((with(name), with(name)));
        assert!(connector.open_connections() <= 3);
    }
    drop(with(2));
    assert_eq!(connector.open_connections(), 2);
    drop(kept);
    assert_eq!(connector.open_connections(), 0);
}

#[tokio::test]
async fn certificate_files_are_watched_without_anything_that_outlives_the_connections() {
    let authority = Authority::new("ours");
    let alice = authority.client("alice");
    let folder = Folder::new();
    let platform = FakePlatform::default();
    let tls = TlsConfig {
        cert_file: Some(folder.put("tls.crt", &alice.certificate)),
        key_file: Some(folder.put("tls.key", &alice.key)),
        ..TlsConfig::default()
    };
    let settings = settings(&RestConfig { tls, ..RestConfig::default() });
    let connections = Connections::new(settings, Arc::new(platform.clone())).unwrap();
    connections.client(None).unwrap();
    assert!(platform.tasks().is_empty(), "a task watches the files");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn transports_can_be_made_by_many_at_once() {
    let authority = Authority::new("ours");
    let server = Server::start(Some(server_tls(&authority.server(&["127.0.0.1"]), None)), |_| Reply::text("ok"));
    let (connector, _) = connector();
    let config = config(server.url(), Some(&authority));
    let tasks = (0..50).map(|_| {
        let (connector, config) = (connector.clone(), config.clone());
        tokio::task::spawn_blocking(move || connector.transport(&config).unwrap())
    });
    let transports = futures::future::join_all(tasks).await;
    assert_eq!(connector.open_connections(), 1);
    for transport in &transports {
        assert_eq!(get(transport.as_ref().unwrap(), "/").await.unwrap().0, 200);
    }
}

#[tokio::test]
async fn answers_come_compressed_unless_that_is_not_wanted() {
    // "compressed" by gzip.
    const GZIP: [u8; 30] = [
        0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x4b, 0xce, 0xcf, 0x2d, 0x28, 0x4a, 0x2d, 0x2e, 0x4e, 0x4d,
        0x01, 0x00, 0x1e, 0x4b, 0x56, 0x97, 0x0a, 0x00, 0x00, 0x00,
    ];
    let server = Server::start(None, |seen| match seen.header("accept-encoding") {
        Some("gzip") => Reply::Answer(200, &[("content-encoding", "gzip")], GZIP.to_vec()),
        other => Reply::text(&format!("{other:?}")),
    });
    let (connector, _) = connector();
    let mut config = config(server.url(), None);
    assert_eq!(body(&connector.transport(&config).unwrap()).await, "compressed");
    config.disable_compression = true;
    assert_eq!(body(&connector.transport(&config).unwrap()).await, "None");
}
