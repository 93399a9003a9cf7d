use super::{
    super::{NativeFiles, NativeTransport, NativeTransportError, ProcessEnvironment, Tls},
    support::{Authority, Folder, Reply, Seen, Server, body, config, connector, get, server_tls},
};
use crate::{
    config::{
        PemData, RestConfig, TlsConfig,
        kubeconfig::{LoadingRules, Overrides, client_config},
    },
    transport::{Request, Transport as _},
};
use rustls::pki_types::{CertificateDer, pem::PemObject as _};
use std::{fs, time::Duration};

/// Says who the client is by its certificate: its length, which is as good as its name here, or `nobody`.
fn who(seen: &Seen) -> Reply {
    Reply::text(&seen.certificate.as_ref().map_or("nobody".to_owned(), |certificate| certificate.len().to_string()))
}

fn length(pem: &str) -> String {
    CertificateDer::from_pem_slice(pem.as_bytes()).unwrap().len().to_string()
}

#[tokio::test]
async fn a_server_is_believed_whom_the_authority_vouches_for_and_no_other() {
    let (ours, other) = (Authority::new("ours"), Authority::new("other"));
    let server = Server::start(Some(server_tls(&ours.server(&["127.0.0.1"]), None)), |_| Reply::text("ok"));
    let (connector, _) = connector();
    let folder = Folder::new();

    assert_eq!(body(&connector.transport(&config(server.url(), Some(&ours))).unwrap()).await, "ok");
    let both = config(server.url(), None);
    let ca_data = PemData::new(other.pem() + &ours.pem());
    let both = RestConfig { tls: TlsConfig { ca_data, ..TlsConfig::default() }, ..both };
    assert_eq!(body(&connector.transport(&both).unwrap()).await, "ok");
    let mut from_file = config(server.url(), None);
    from_file.tls.ca_file = Some(folder.put("ca.crt", &ours.pem()));
    assert_eq!(body(&connector.transport(&from_file).unwrap()).await, "ok");
    let insecure = RestConfig { tls: TlsConfig { insecure: true, ..TlsConfig::default() }, ..config(server.url(), None) };
    assert_eq!(body(&connector.transport(&insecure).unwrap()).await, "ok");

    for (what, config) in [("another authority", config(server.url(), Some(&other))), ("the system", config(server.url(), None))]
    {
        let error = get(&connector.transport(&config).unwrap(), "/").await.unwrap_err();
        assert!(!error.is_connection_lost() && !error.is_timeout(), "{what}: {error}");
        assert!(error.to_string().starts_with("the server could not be reached at https://127.0.0.1"), "{what}: {error}");
        assert!(error.to_string().contains("invalid peer certificate: UnknownIssuer"), "{what}: {error}");
    }
}

#[tokio::test]
async fn a_certificate_is_shown_to_a_server_that_asks_for_one() {
    let authority = Authority::new("ours");
    let server = Server::start(Some(server_tls(&authority.server(&["127.0.0.1"]), Some(&authority))), who);
    let alice = authority.client("alice");
    let (connector, _) = connector();
    let nobody = config(server.url(), Some(&authority));
    assert_eq!(body(&connector.transport(&nobody).unwrap()).await, "nobody");
    let mut with_data = nobody.clone();
    with_data.tls.cert_data = PemData::new(alice.certificate.clone());
    with_data.tls.key_data = PemData::new(alice.key.clone());
    // Data goes before files.
    with_data.tls.key_file = Some("/invalid file".into());
    assert_eq!(body(&connector.transport(&with_data).unwrap()).await, length(&alice.certificate));

    let tls =
        Tls { authority: authority.pem().into(), certificate: alice.certificate.clone().into(), key: alice.key.clone().into() };
    let plain = NativeTransport::new(server.url(), &tls).unwrap();
    assert_eq!(plain.send(Request::read("/")).await.unwrap().status, 200);
}

#[tokio::test]
async fn what_cannot_be_used_is_told_when_the_transport_is_made() {
    let authority = Authority::new("ours");
    let (alice, bob) = (authority.client("alice"), authority.client("bob"));
    let (connector, _) = connector();
    let make = |change: &dyn Fn(&mut TlsConfig)| {
        let mut config = config("https://127.0.0.1:1", Some(&authority));
        change(&mut config.tls);
        connector.transport(&config).map(|_transport| ()).map_err(|error| error.to_string())
    };
    let cert = |tls: &mut TlsConfig, cert: &str, key: &str| {
        tls.cert_data = PemData::from(cert);
        tls.key_data = PemData::from(key);
    };
    assert_eq!(make(&|_tls| {}), Ok(()));
    assert_eq!(make(&|tls| tls.ca_file = Some("/data goes before".into())), Ok(()));
    assert_eq!(make(&|tls| cert(tls, &alice.certificate, &alice.key)), Ok(()));
    type Change<'a> = &'a dyn Fn(&mut TlsConfig);
    let broken_ca = authority.pem().replace("-----END", "this is not valid");
    let cases: [(Change<'_>, &str); 8] = [
        (
            &|tls| tls.ca_data = PemData::from("nonsense"),
            "the certificate authority is no PEM that can be used: it holds no certificate",
        ),
        (&|tls| tls.ca_data = PemData::from(broken_ca.as_str()), "the certificate authority is no PEM that can be used"),
        (
            &|tls| {
                tls.ca_data = PemData::default();
                tls.ca_file = Some("/missing/ca".into());
            },
            "the certificate authority cannot be read from /missing/ca: ",
        ),
        (&|tls| cert(tls, &alice.certificate, "bad key data"), "the client key is no PEM that can be used"),
        (&|tls| cert(tls, "bad", &alice.key), "the client certificate is no PEM that can be used: it holds no certificate"),
        (&|tls| cert(tls, &alice.certificate, &bob.key), "the client key is no PEM that can be used: "),
        (
            &|tls| {
                cert(tls, &alice.certificate, "");
                tls.key_file = Some("/missing/key".into());
            },
            "the client key cannot be read from /missing/key: ",
        ),
        (&|tls| tls.insecure = true, "both a certificate authority and insecure-skip-tls-verify are configured"),
    ];
    for (change, expected) in cases {
        let error = make(change).unwrap_err();
        assert!(error.starts_with(expected), "{error}");
    }
    let host = connector.transport(&RestConfig::new("host/path")).err().unwrap();
    assert!(matches!(host, NativeTransportError::Config(_)), "{host}");
}

#[tokio::test]
async fn another_name_is_asked_for_and_checked() {
    let authority = Authority::new("ours");
    let server = Server::start(Some(server_tls(&authority.server(&["kubernetes.default"]), None)), |seen| {
        Reply::text(&format!("{:?} {:?}", seen.server_name, seen.header("host")))
    });
    let (connector, _) = connector();
    let mut named = config(server.url(), Some(&authority));
    let error = get(&connector.transport(&named).unwrap(), "/").await.unwrap_err().to_string();
    assert!(error.contains("not valid for name"), "{error}");
    named.tls.server_name = Some("kubernetes.default".into());
    let expected = format!("Some(\"kubernetes.default\") Some(\"{}\")", server.address);
    assert_eq!(body(&connector.transport(&named).unwrap()).await, expected);
    named.tls.server_name = Some("another".into());
    assert!(get(&connector.transport(&named).unwrap(), "/").await.is_err());
}

#[tokio::test]
async fn an_address_can_be_checked_as_another_address() {
    let authority = Authority::new("ours");
    let server = Server::start(Some(server_tls(&authority.server(&["10.0.0.1"]), None)), |_| Reply::text("ok"));
    let (connector, _) = connector();
    let mut named = config(server.url(), Some(&authority));
    named.tls.server_name = Some("10.0.0.1".into());
    assert_eq!(body(&connector.transport(&named).unwrap()).await, "ok");
    named.tls.server_name = Some("10.0.0.2".into());
    assert!(get(&connector.transport(&named).unwrap(), "/").await.is_err());
}

#[tokio::test]
async fn an_authority_file_without_content_believes_nobody() {
    let authority = Authority::new("ours");
    let server = Server::start(Some(server_tls(&authority.server(&["127.0.0.1"]), None)), |_| Reply::text("ok"));
    let folder = Folder::new();
    let (connector, _) = connector();
    let mut empty = config(server.url(), None);
    empty.tls.ca_file = Some(folder.put("ca.crt", ""));
    let error = get(&connector.transport(&empty).unwrap(), "/").await.unwrap_err().to_string();
    assert!(error.contains("UnknownIssuer"), "{error}");
}

#[tokio::test]
async fn an_authority_file_that_is_filled_later_is_read_then() {
    let authority = Authority::new("ours");
    let server = Server::start(Some(server_tls(&authority.server(&["127.0.0.1"]), None)), |_| Reply::text("ok"));
    let folder = Folder::new();
    let (connector, platform) = connector();
    let mut config = config(server.url(), None);
    let path = folder.put("ca.crt", "");
    config.tls.ca_file = Some(path.clone());
    let transport = connector.transport(&config).unwrap();
    assert!(get(&transport, "/").await.is_err());
    folder.put("ca.crt", &authority.pem());
    // It is not looked at again at once.
    assert!(get(&transport, "/").await.is_err());
    platform.advance(Duration::from_secs(1));
    assert_eq!(body(&transport).await, "ok");
    for broken in ["", "nonsense"] {
        fs::write(&path, broken).unwrap();
        platform.advance(Duration::from_secs(1));
        assert_eq!(body(&transport).await, "ok", "{broken:?} replaced what was good");
    }
    fs::remove_file(&path).unwrap();
    platform.advance(Duration::from_secs(1));
    assert_eq!(body(&transport).await, "ok");
}

#[tokio::test]
async fn another_authority_in_the_file_is_believed_from_then_on() {
    let (old, new) = (Authority::new("old"), Authority::new("new"));
    let server = Server::start(Some(server_tls(&old.server(&["127.0.0.1"]), None)), |_| Reply::text("ok"));
    let folder = Folder::new();
    let (connector, platform) = connector();
    let mut config = config(server.url(), None);
    config.tls.ca_file = Some(folder.put("ca.crt", &old.pem()));
    let transport = connector.transport(&config).unwrap();
    assert_eq!(body(&transport).await, "ok");
    server.change_tls(server_tls(&new.server(&["127.0.0.1"]), None));
    // Who connects now is still told to believe the old one.
    let (another, _) = self::connector();
    assert!(get(&another.transport(&config).unwrap(), "/").await.is_err());
    folder.put("ca.crt", &new.pem());
    platform.advance(Duration::from_secs(1));
    let before = server.connections();
    assert_eq!(body(&transport).await, "ok");
    assert_eq!(server.connections(), before + 1, "the old connection was used on");
}

#[tokio::test]
async fn a_client_certificate_that_is_replaced_is_shown_from_then_on() {
    let authority = Authority::new("ours");
    let server = Server::start(Some(server_tls(&authority.server(&["127.0.0.1"]), Some(&authority))), who);
    let (alice, robert) = (authority.client("alice"), authority.client("robert-with-a-longer-name"));
    let folder = Folder::new();
    let (connector, platform) = connector();
    let mut config = config(server.url(), Some(&authority));
    config.tls.cert_file = Some(folder.put("tls.crt", &alice.certificate));
    config.tls.key_file = Some(folder.put("tls.key", &alice.key));
    let transport = connector.transport(&config).unwrap();
    assert_eq!(body(&transport).await, length(&alice.certificate));
    // Half of the pair is not the pair.
    folder.put("tls.crt", &robert.certificate);
    platform.advance(Duration::from_secs(1));
    assert_eq!(body(&transport).await, length(&alice.certificate));
    folder.put("tls.key", &robert.key);
    platform.advance(Duration::from_secs(1));
    assert_eq!(body(&transport).await, length(&robert.certificate));
    assert_eq!(server.connections(), 2);
}

#[tokio::test]
async fn what_cannot_be_used_names_the_file_the_context_and_the_field() {
    let folder = Folder::new();
    let text = "{current-context: dev, contexts: [{name: dev, context: {cluster: c, user: u}}], clusters: [{name: c, cluster: \
                {server: 'https://host', certificate-authority-data: bm9uZQ==}}], users: [{name: u, user: {token: t}}]}";
    let path = folder.put("config", text);
    let resolved =
        client_config(&LoadingRules::explicit(&path), &Overrides::default(), &NativeFiles, &ProcessEnvironment).unwrap();
    let (connector, _) = connector();
    let error = connector.transport(&resolved.rest).map(drop).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "the context \"dev\" of {path}: the certificate authority is no PEM that can be used: it holds no certificate that can vouch for a server"
        )
    );
}
