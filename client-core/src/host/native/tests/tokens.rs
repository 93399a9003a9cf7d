use super::support::{Folder, Reply, Seen, Server, body, config, connector, get};
use crate::{
    config::{AuthProviderConfig, BasicAuth, Impersonation, Secret},
    platform::BoxFuture,
    transport::{
        AuthProvider, AuthProviders, ProviderSettings, Request, Response, SettingsKeeper, Transport, TransportError,
        TransportLayer,
    },
};
use http::HeaderValue;
use std::{fs, sync::Arc, time::Duration};

/// Says what the client said about itself.
fn echo(seen: &Seen) -> Reply {
    let of = |name: &str| seen.header(name).unwrap_or("-").to_owned();
    Reply::text(&[of("authorization"), of("impersonate-user"), of("x-layer")].join(" "))
}

#[tokio::test]
async fn a_configuration_says_as_whom_requests_are_sent() {
    let server = Server::start(None, echo);
    let (connector, _) = connector();
    let mut config = config(server.url(), None);
    assert_eq!(body(&connector.transport(&config).unwrap()).await, "- - -");
    config.auth.token = Some(Secret::new("abc"));
    config.impersonate = Impersonation { user: "alice".into(), ..Impersonation::default() };
    assert_eq!(body(&connector.transport(&config).unwrap()).await, "Bearer abc alice -");
    config.auth.token = None;
    config.auth.basic = Some(BasicAuth { username: "user".into(), password: Secret::new("pass") });
    assert_eq!(body(&connector.transport(&config).unwrap()).await, "Basic dXNlcjpwYXNz alice -");
}

#[tokio::test]
async fn a_client_says_its_name() {
    let server = Server::start(None, |seen| Reply::text(seen.header("user-agent").unwrap()));
    let (connector, _) = connector();
    let mut config = config(server.url(), None);
    let agent = body(&connector.transport(&config).unwrap()).await;
    assert!(agent.contains(") kubernetes/") && agent.contains(concat!("/", env!("CARGO_PKG_VERSION"), " (")), "{agent}");
    config.user_agent = Some("mine".into());
    assert_eq!(body(&connector.transport(&config).unwrap()).await, "mine");
}

#[tokio::test]
async fn the_token_of_a_file_is_read_again_as_time_passes_and_when_it_is_refused() {
    let server = Server::start(None, |seen| match seen.header("authorization") {
        Some("Bearer revoked") => Reply::status(401),
        other => Reply::text(other.unwrap()),
    });
    let folder = Folder::new();
    let path = folder.put("token", " one\n");
    let (connector, clock) = connector();
    let mut config = config(server.url(), None);
    config.auth.token_file = Some(path.clone());
    let transport = connector.transport(&config).unwrap();
    assert_eq!(body(&transport).await, "Bearer one");
    folder.put("token", "two");
    clock.advance(Duration::from_secs(49));
    assert_eq!(body(&transport).await, "Bearer one");
    clock.advance(Duration::from_secs(1));
    assert_eq!(body(&transport).await, "Bearer two");
    // A file that is gone leaves the token there was.
    fs::remove_file(&path).unwrap();
    clock.advance(Duration::from_mins(1));
    assert_eq!(body(&transport).await, "Bearer two");
    folder.put("token", "revoked");
    clock.advance(Duration::from_mins(1));
    assert_eq!(get(&transport, "/").await.unwrap().0, 401);
    folder.put("token", "three");
    // The first refusal was of a token fresh from the file.
    assert_eq!(get(&transport, "/").await.unwrap().0, 401);
    assert_eq!(body(&transport).await, "Bearer three");
}

#[tokio::test]
async fn a_token_stands_in_for_a_file_that_cannot_be_read_and_without_one_that_is_told_at_once() {
    let server = Server::start(None, echo);
    let folder = Folder::new();
    let (connector, _) = connector();
    let mut config = config(server.url(), None);
    config.auth.token_file = Some(folder.path("missing"));
    let error = connector.transport(&config).err().unwrap().to_string();
    assert!(error.contains("the token file") && error.contains("missing cannot be read"), "{error}");
    config.auth.token_file = Some(folder.put("empty", " \n"));
    assert!(connector.transport(&config).err().unwrap().to_string().ends_with("empty is empty"));
    config.auth.token = Some(Secret::new("inline"));
    assert_eq!(body(&connector.transport(&config).unwrap()).await, "Bearer inline - -");
}

/// Adds a header to each request.
struct Marking(Arc<dyn Transport>, HeaderValue);

impl Transport for Marking {
    fn send(&self, mut request: Request) -> BoxFuture<'static, Result<Response, TransportError>> {
        // Below the layers with credentials: it sees them.
        let credentials = request.headers.contains_key("authorization");
        let value = if credentials { self.1.clone() } else { HeaderValue::from_static("none") };
        request.headers.append("x-layer", value);
        self.0.send(request)
    }
}

fn marking(value: &str) -> Arc<dyn TransportLayer> {
    let value = HeaderValue::from_str(value).unwrap();
    Arc::new(move |inner| Arc::new(Marking(inner, value.clone())) as Arc<dyn Transport>)
}

#[tokio::test]
async fn a_layer_of_the_program_sees_what_is_sent() {
    let server = Server::start(None, echo);
    let connector = connector().0.with_layer(marking("seen"));
    let mut config = config(server.url(), None);
    config.auth.token = Some(Secret::new("abc"));
    assert_eq!(body(&connector.transport(&config).unwrap()).await, "Bearer abc - seen");
}

#[tokio::test]
async fn the_provider_of_a_configuration_must_be_known_to_the_program() {
    struct Provider;
    impl AuthProvider for Provider {
        fn layer(
            &self,
            _host: &str,
            settings: ProviderSettings,
            _keeper: Arc<dyn SettingsKeeper>,
        ) -> Result<Arc<dyn TransportLayer>, TransportError> {
            assert_eq!(settings["client-id"], "me");
            Ok(marking("provided"))
        }
    }
    let server = Server::start(None, echo);
    let mut config = config(server.url(), None);
    let settings = [("client-id".to_owned(), "me".to_owned())].into();
    config.auth.provider = Some(AuthProviderConfig { name: "oidc".into(), config: settings });
    let error = connector().0.transport(&config).err().unwrap().to_string();
    assert!(error.contains("no auth provider named \"oidc\" is registered: use an exec plugin"), "{error}");
    let providers = AuthProviders::default().with("oidc", Arc::new(Provider)).unwrap();
    let connector = connector().0.with_auth_providers(providers, None);
    assert_eq!(body(&connector.transport(&config).unwrap()).await, "- - none");
}
