//! Sign-in by an external provider that is not there: the program starts, serves everybody who needs no account,
//! says "ask again" and not "you are nobody", and takes tokens as soon as the provider answers.

use std::net::SocketAddr;

use crate::support::{customer::browser, server::Site};
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode, jwk::Jwk};
use kernel::chrono::{DateTime, Utc};
use reqwest::{Client, StatusCode, header};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpListener,
    task::JoinHandle,
};

const NOW: &str = "2027-02-01T13:00:00Z";
const AUDIENCE: &str = "https://move.example/api";
const KEY: &str = "the-key";

/// A signing key of the provider.
struct Key(EncodingKey);

impl Key {
    fn new() -> Key {
        let pem = rcgen::KeyPair::generate().unwrap().serialize_pem();
        Key(EncodingKey::from_ec_pem(pem.as_bytes()).unwrap())
    }

    fn published(&self, id: &str) -> Value {
        let mut key = Jwk::from_encoding_key(&self.0, Algorithm::ES256).unwrap();
        key.common.key_id = Some(id.to_owned());
        serde_json::to_value(key).unwrap()
    }

    fn token(&self, id: &str, issuer: &str) -> String {
        let now = NOW.parse::<DateTime<Utc>>().unwrap().timestamp();
        let claims = json!({
            "iss": issuer, "sub": "people|1", "aud": AUDIENCE, "azp": "web", "scope": "openid profile email",
            "iat": now, "exp": now + 900, "email": "ana@example.test", "email_verified": true, "name": "Ana Roy",
        });
        let header = Header { kid: Some(id.to_owned()), ..Header::new(Algorithm::ES256) };
        encode(&header, &claims, &self.0).unwrap()
    }
}

/// The provider is there from now on, until what this answers is aborted.
async fn come(address: SocketAddr, keys: Vec<Value>) -> JoinHandle<()> {
    let listener = TcpListener::bind(address).await.unwrap();
    let issuer = format!("http://{address}");
    tokio::spawn(async move {
        loop {
            let Ok((mut stream, _)) = listener.accept().await else { return };
            let mut head = Vec::new();
            while !head.ends_with(b"\r\n\r\n") {
                let Ok(byte) = stream.read_u8().await else { break };
                head.push(byte);
            }
            let body = match String::from_utf8_lossy(&head).split(' ').nth(1) {
                Some("/.well-known/openid-configuration") => json!({
                    "issuer": issuer, "jwks_uri": format!("{issuer}/jwks"),
                    "authorization_endpoint": format!("{issuer}/authorize"), "token_endpoint": format!("{issuer}/token"),
                }),
                _ => json!({ "keys": keys }),
            };
            let body = body.to_string();
            let answer =
                format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}", body.len());
            // A caller that went away is no concern of the provider's.
            let _ = stream.write_all(answer.as_bytes()).await;
        }
    })
}

async fn profile(web: &Client, site: &Site, token: &str) -> (StatusCode, Option<String>, Value) {
    let answer = web.get(site.url("/api/profiles")).bearer_auth(token).send().await.unwrap();
    let after = answer.headers().get(header::RETRY_AFTER).and_then(|v| v.to_str().ok()).map(str::to_owned);
    (answer.status(), after, answer.json().await.unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_provider_that_is_down_at_the_start_costs_nobody_a_refusal() {
    let address = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let (issuer, key) = (format!("http://{address}"), Key::new());
    let (web, mut site) = (browser(), Site::new(NOW));
    site = site.with("PORTAGE_OIDC_ISSUER", &issuer);
    site = site.with("PORTAGE_OIDC_AUDIENCE", AUDIENCE).with("PORTAGE_OIDC_CLIENT_ID", "web");
    let tried = site.run(&["check-config", "--connect"]);
    let words = String::from_utf8_lossy(&tried.stdout) + String::from_utf8_lossy(&tried.stderr);
    assert!(!tried.status.success() && words.contains("PORTAGE_OIDC_ISSUER"), "{words}");

    // It starts, is ready, and serves whoever needs no account.
    site.start(&web).await;
    let rates = web.get(site.url("/api/rates/active")).send().await.unwrap();
    assert_eq!(rates.status(), StatusCode::OK);
    let token = key.token(KEY, &issuer);
    let (status, after, body) = profile(&web, &site, &token).await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE, "{body}");
    assert!(after.is_some(), "when to ask again: {body}");
    assert!(site.log_text().contains(&issuer), "the log names the provider: {}", site.log_text());
    // Nonsense stays nonsense, whether the provider is there or not.
    assert_eq!(profile(&web, &site, "nonsense").await.0, StatusCode::UNAUTHORIZED);

    // It comes, and nobody starts Portage anew.
    let provider = come(address, vec![key.published(KEY)]).await;
    site.set_clock("2027-02-01T13:00:06Z");
    let (status, _, body) = profile(&web, &site, &token).await;
    assert_eq!((status, &body["email"]), (StatusCode::OK, &json!("ana@example.test")), "{body}");

    // It goes again: whom it vouched for is known, and of a key that nobody knows nothing can be said.
    provider.abort();
    assert!(provider.await.unwrap_err().is_cancelled());
    site.set_clock("2027-02-01T13:00:30Z");
    assert_eq!(profile(&web, &site, &token).await.0, StatusCode::OK);
    let (rotated, new) = (Key::new(), "another-key");
    let unknown = rotated.token(new, &issuer);
    assert_eq!(profile(&web, &site, &unknown).await.0, StatusCode::SERVICE_UNAVAILABLE);
    let provider = come(address, vec![rotated.published(new)]).await;
    site.set_clock("2027-02-01T13:00:40Z");
    assert_eq!(profile(&web, &site, &unknown).await.0, StatusCode::OK);
    provider.abort();
    assert!(site.stop());
}
