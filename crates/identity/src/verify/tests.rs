//! An external issuer on loopback: good tokens, bad tokens, and an issuer that misbehaves.

use std::sync::{Arc, LazyLock, Mutex};

use aws_lc_rs::{encoding::AsDer, rsa::KeySize, signature::RsaKeyPair};
use base64::{Engine, engine::general_purpose::STANDARD, engine::general_purpose::URL_SAFE_NO_PAD};
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode, jwk::Jwk};
use kernel::chrono::Duration;
use serde_json::{Value, json};
use service::ports::Clock;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};

use super::*;
use crate::testing::Hands;

const AUDIENCE: &str = "https://api.portage.example";
const CLIENT: &str = "spa-client";

static RSA: LazyLock<EncodingKey> = LazyLock::new(rsa);
static OTHER_RSA: LazyLock<EncodingKey> = LazyLock::new(rsa);

fn rsa() -> EncodingKey {
    let pair = RsaKeyPair::generate(KeySize::Rsa2048).unwrap();
    let der = AsDer::<aws_lc_rs::encoding::Pkcs8V1Der<'_>>::as_der(&pair).unwrap();
    let pem = format!("-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----\n", STANDARD.encode(der.as_ref()));
    EncodingKey::from_rsa_pem(pem.as_bytes()).unwrap()
}

fn published(key: &EncodingKey, alg: Algorithm, kid: &str) -> Value {
    let mut jwk = Jwk::from_encoding_key(key, alg).unwrap();
    jwk.common.key_id = Some(kid.to_owned());
    serde_json::to_value(jwk).unwrap()
}

/// What the issuer serves, and what was asked of it.
#[derive(Default)]
struct Shelf {
    issuer: String,
    keys: Vec<Value>,
    userinfo: Value,
    failures: u32,
    asked: Vec<String>,
}

struct Issuer {
    url: String,
    shelf: Arc<Mutex<Shelf>>,
    clock: Arc<Hands>,
    verifier: TokenVerifier,
}

impl Issuer {
    /// With `slash`, its name ends with one, as Auth0's do.
    async fn start(slash: bool) -> Issuer {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let url = if slash { format!("{base}/") } else { base.clone() };
        let shelf = Arc::new(Mutex::new(Shelf {
            issuer: url.clone(),
            keys: vec![published(&RSA, Algorithm::RS256, "rsa-1")],
            ..Shelf::default()
        }));
        let clock = Hands::at("2027-01-04T12:00:00Z");
        let settings =
            ExternalIssuer { issuer: url.clone(), audience: AUDIENCE.to_owned(), client_id: CLIENT.to_owned() };
        let verifier = TokenVerifier::external(settings, clock.clone()).unwrap();
        let served = shelf.clone();
        tokio::spawn(async move {
            loop {
                let (mut stream, _) = listener.accept().await.unwrap();
                let mut head = Vec::new();
                while !head.ends_with(b"\r\n\r\n") {
                    head.push(stream.read_u8().await.unwrap());
                }
                let head = String::from_utf8(head).unwrap();
                let path = head.split(' ').nth(1).unwrap().to_owned();
                let (status, body) = answer(&mut served.lock().unwrap(), &base, &path);
                let body = body.to_string();
                let reply =
                    format!("HTTP/1.1 {status} X\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}", body.len());
                stream.write_all(reply.as_bytes()).await.unwrap();
            }
        });
        Issuer { url, shelf, clock, verifier }
    }

    fn now(&self) -> i64 {
        self.clock.now().timestamp()
    }

    fn claims(&self) -> Value {
        json!({ "iss": self.url, "sub": "auth0|1", "aud": AUDIENCE, "iat": self.now(), "exp": self.now() + 600,
                "azp": CLIENT, "scope": "openid profile", "email": "ana@example.test", "email_verified": true })
    }

    /// Good claims with changes; null takes a claim away.
    fn changed(&self, changes: Value) -> Value {
        let mut claims = self.claims();
        for (name, value) in changes.as_object().unwrap() {
            match value {
                Value::Null => claims.as_object_mut().unwrap().remove(name),
                value => claims.as_object_mut().unwrap().insert(name.clone(), value.clone()),
            };
        }
        claims
    }

    async fn check(&self, claims: &Value) -> Result<VerifiedToken, VerifyError> {
        self.verifier.verify(&token(&RSA, Algorithm::RS256, Some("rsa-1"), claims)).await
    }

    async fn outcome(&self, changes: Value) -> Result<(), Rejection> {
        match self.check(&self.changed(changes)).await {
            Ok(_) => Ok(()),
            Err(VerifyError::Rejected(why)) => Err(why),
            Err(VerifyError::Unavailable(why)) => panic!("{why}"),
        }
    }

    fn take_requests(&self) -> Vec<String> {
        std::mem::take(&mut self.shelf.lock().unwrap().asked)
    }
}

fn answer(shelf: &mut Shelf, base: &str, path: &str) -> (u16, Value) {
    shelf.asked.push(path.to_owned());
    if shelf.failures > 0 {
        shelf.failures -= 1;
        return (503, json!({}));
    }
    match path {
        "/.well-known/openid-configuration" => (
            200,
            json!({ "issuer": shelf.issuer, "jwks_uri": format!("{base}/jwks"), "userinfo_endpoint": format!("{base}/userinfo") }),
        ),
        "/jwks" => (200, json!({ "keys": shelf.keys })),
        "/userinfo" => (200, shelf.userinfo.clone()),
        _ => (404, json!({})),
    }
}

fn token(key: &EncodingKey, alg: Algorithm, kid: Option<&str>, claims: &Value) -> String {
    let mut header = Header::new(alg);
    header.kid = kid.map(str::to_owned);
    encode(&header, claims, key).unwrap()
}

fn by_hand(header: &Value, claims: &Value, signature: &str) -> String {
    let part = |v: &Value| URL_SAFE_NO_PAD.encode(v.to_string());
    format!("{}.{}.{signature}", part(header), part(claims))
}

#[tokio::test]
async fn a_good_token_and_its_variants() {
    let issuer = Issuer::start(true).await;
    let found = issuer.check(&issuer.claims()).await.unwrap();
    assert_eq!((found.issuer.as_str(), found.subject.as_str()), (issuer.url.as_str(), "auth0|1"));
    assert_eq!(found.email.unwrap().as_str(), "ana@example.test");
    assert!(found.email_verified && !found.client);
    assert_eq!(found.scopes, ["openid", "profile"]);
    for fine in [
        json!({ "aud": ["https://other.example", AUDIENCE] }),
        json!({ "exp": issuer.now() - 30 }),
        json!({ "exp": issuer.now() - 59 }),
        json!({ "nbf": issuer.now() + 59 }),
        json!({ "exp": 4_000_000_000.5 }),
        json!({ "https://portage.example/roles": "ops" }),
        json!({ "roles": ["ops", 7, null] }),
        json!({ "typ": "Bearer" }),
    ] {
        assert_eq!(issuer.outcome(fine.clone()).await, Ok(()), "{fine}");
    }
    assert_eq!(issuer.take_requests(), ["/.well-known/openid-configuration", "/jwks"], "fetched once for all of them");
}

#[tokio::test]
async fn bad_claims() {
    let issuer = Issuer::start(false).await;
    let now = issuer.now();
    let cases = [
        (json!({ "iss": "https://evil.example" }), Rejection::Issuer),
        (json!({ "iss": format!("{}/", issuer.url) }), Rejection::Issuer),
        (json!({ "iss": null }), Rejection::Issuer),
        (json!({ "aud": "https://other.example" }), Rejection::Audience),
        (json!({ "aud": CLIENT }), Rejection::Audience),
        (json!({ "aud": [] }), Rejection::Audience),
        (json!({ "aud": null }), Rejection::Audience),
        (json!({ "exp": now - 61 }), Rejection::Expired),
        (json!({ "exp": now - 60 }), Rejection::Expired),
        (json!({ "exp": null }), Rejection::Expired),
        (json!({ "exp": "tomorrow" }), Rejection::Malformed),
        (json!({ "nbf": now + 61 }), Rejection::NotYet),
        (json!({ "sub": null }), Rejection::Subject),
        (json!({ "sub": "" }), Rejection::Subject),
        (json!({ "sub": 7 }), Rejection::Subject),
        (json!({ "at_hash": "x" }), Rejection::Type),
        (json!({ "typ": "ID" }), Rejection::Type),
        (json!({ "typ": "Refresh" }), Rejection::Type),
    ];
    for (changes, why) in cases {
        assert_eq!(issuer.outcome(changes.clone()).await, Err(why), "{changes}");
    }
}

#[tokio::test]
async fn bad_signatures_and_algorithms() {
    let issuer = Issuer::start(false).await;
    let claims = issuer.claims();
    let rejected = async |token: String| match issuer.verifier.verify(&token).await {
        Err(VerifyError::Rejected(why)) => why,
        other => panic!("{other:?}"),
    };
    let good = token(&RSA, Algorithm::RS256, Some("rsa-1"), &claims);
    let (head, signature) = good.rsplit_once('.').unwrap();

    for alg in ["none", "None", "NONE", ""] {
        let unsigned = by_hand(&json!({ "alg": alg, "kid": "rsa-1" }), &claims, "");
        assert_eq!(rejected(unsigned).await, Rejection::Algorithm, "{alg}");
    }
    // The public key is known to everybody; as an HMAC secret it must prove nothing.
    let jwk = published(&RSA, Algorithm::RS256, "rsa-1").to_string();
    let confused = token(&EncodingKey::from_secret(jwk.as_bytes()), Algorithm::HS256, Some("rsa-1"), &claims);
    assert_eq!(rejected(confused).await, Rejection::Algorithm);
    let other_family = by_hand(&json!({ "alg": "ES256", "kid": "rsa-1" }), &claims, signature);
    assert_eq!(rejected(other_family).await, Rejection::Algorithm);
    for alg in [Algorithm::RS512, Algorithm::PS256] {
        assert_eq!(rejected(token(&RSA, alg, Some("rsa-1"), &claims)).await, Rejection::Algorithm, "{alg:?}");
    }
    let forged = token(&OTHER_RSA, Algorithm::RS256, Some("rsa-1"), &claims);
    assert_eq!(rejected(forged).await, Rejection::Signature);
    let (first, _) = head.split_once('.').unwrap();
    let payload = URL_SAFE_NO_PAD.encode(issuer.changed(json!({ "sub": "somebody else" })).to_string());
    let altered = format!("{first}.{payload}.{signature}");
    assert_eq!(rejected(altered).await, Rejection::Signature);
    for malformed in ["", "a.b", "a.b.c.d", &"x".repeat(20_000)] {
        assert_eq!(rejected(malformed.to_owned()).await, Rejection::Malformed);
    }
    // Other types of token, by their header.
    let logout = by_typ("logout+jwt", &claims);
    assert_eq!(rejected(logout).await, Rejection::Type);
    issuer.verifier.verify(&by_typ("at+jwt", &claims)).await.unwrap();
    issuer.verifier.verify(&by_typ("application/at+JWT", &claims)).await.unwrap();
}

fn by_typ(typ: &str, claims: &Value) -> String {
    let mut header = Header::new(Algorithm::RS256);
    header.typ = Some(typ.to_owned());
    header.kid = Some("rsa-1".to_owned());
    encode(&header, claims, &RSA).unwrap()
}

#[tokio::test]
async fn es256_keys_and_odd_keys_in_the_set() {
    let issuer = Issuer::start(false).await;
    let folder = tempfile::tempdir().unwrap();
    let ours = SigningKeys::load(&crate::KeySource::Folder(folder.path().to_owned())).unwrap();
    let ec = serde_json::to_value(&ours.jwks().keys[0]).unwrap();
    let mut for_encryption = published(&OTHER_RSA, Algorithm::RS256, "enc");
    for_encryption["use"] = json!("enc");
    for_encryption.as_object_mut().unwrap().remove("alg");
    issuer.shelf.lock().unwrap().keys = vec![
        json!({ "kty": "AKP", "kid": "new" }),
        json!("not a key"),
        json!({ "kty": "oct", "k": "c2VjcmV0", "kid": "hmac" }),
        for_encryption,
        ec,
        published(&RSA, Algorithm::RS256, "rsa-1"),
    ];
    issuer.verifier.verify(&ours.sign("at+jwt", &issuer.claims()).unwrap()).await.unwrap();
    issuer.check(&issuer.claims()).await.unwrap();
    let encryption = token(&OTHER_RSA, Algorithm::RS256, Some("enc"), &issuer.claims());
    assert_eq!(issuer.verifier.verify(&encryption).await, Err(Rejection::UnknownKey.into()));
    // Without a key name only one RSA key can be meant.
    let nameless = token(&RSA, Algorithm::RS256, None, &issuer.claims());
    issuer.verifier.verify(&nameless).await.unwrap();
}

#[tokio::test]
async fn a_key_that_was_rotated_in_an_emergency_costs_nobody_a_refusal() {
    let issuer = Issuer::start(false).await;
    issuer.check(&issuer.claims()).await.unwrap();
    issuer.take_requests();
    // A moment after the keys were fetched the provider throws them away and signs with another one.
    issuer.shelf.lock().unwrap().keys = vec![published(&OTHER_RSA, Algorithm::RS256, "rsa-2")];
    let rotated = token(&OTHER_RSA, Algorithm::RS256, Some("rsa-2"), &issuer.claims());
    let mut all = tokio::task::JoinSet::new();
    for _ in 0..20 {
        let (verifier, rotated) = (issuer.verifier.clone(), rotated.clone());
        all.spawn(async move { verifier.verify(&rotated).await });
    }
    for outcome in all.join_all().await {
        outcome.unwrap();
    }
    assert_eq!(issuer.take_requests(), ["/jwks"], "one look for all of them");
    // What the thrown-away key signed is refused from now on.
    assert_eq!(issuer.check(&issuer.claims()).await, Err(Rejection::UnknownKey.into()));
}

#[tokio::test]
async fn keys_that_strangers_invent_are_looked_for_ever_less_often() {
    let issuer = Issuer::start(false).await;
    issuer.check(&issuer.claims()).await.unwrap();
    issuer.take_requests();
    let began = std::time::Instant::now();
    for kid in ["x-1", "x-2"] {
        let forged = token(&OTHER_RSA, Algorithm::RS256, Some(kid), &issuer.claims());
        assert_eq!(issuer.verifier.verify(&forged).await, Err(Rejection::UnknownKey.into()));
    }
    assert!(began.elapsed() >= std::time::Duration::from_secs(3), "a second, then two: {:?}", began.elapsed());
    assert_eq!(issuer.take_requests(), ["/jwks", "/jwks"]);
    // While the provider is down nobody can say whose key that is: ask again later, not "you are nobody".
    issuer.clock.forward(Duration::minutes(1));
    issuer.shelf.lock().unwrap().failures = 100;
    let forged = token(&OTHER_RSA, Algorithm::RS256, Some("x-3"), &issuer.claims());
    assert!(matches!(issuer.verifier.verify(&forged).await, Err(VerifyError::Unavailable(_))));
    issuer.check(&issuer.claims()).await.unwrap();
}

#[tokio::test]
async fn old_keys_stay_good_while_the_issuer_is_down() {
    let issuer = Issuer::start(false).await;
    issuer.check(&issuer.claims()).await.unwrap();
    issuer.take_requests();
    issuer.clock.forward(Duration::minutes(10));
    issuer.shelf.lock().unwrap().failures = 100;
    issuer.check(&issuer.claims()).await.unwrap();
    assert_eq!(issuer.take_requests().len(), 3, "three tries");
    issuer.check(&issuer.claims()).await.unwrap();
    assert!(issuer.take_requests().is_empty(), "not at every call");
    issuer.shelf.lock().unwrap().failures = 0;
    issuer.clock.forward(Duration::minutes(1));
    issuer.check(&issuer.claims()).await.unwrap();
    assert_eq!(issuer.take_requests(), ["/jwks"]);
    issuer.clock.forward(Duration::hours(1));
    issuer.check(&issuer.claims()).await.unwrap();
    assert_eq!(
        issuer.take_requests(),
        ["/.well-known/openid-configuration", "/jwks"],
        "the document too, once an hour"
    );
}

#[tokio::test]
async fn without_keys_nobody_knows() {
    let issuer = Issuer::start(false).await;
    issuer.shelf.lock().unwrap().failures = 3;
    assert!(matches!(issuer.check(&issuer.claims()).await, Err(VerifyError::Unavailable(_))));
    assert!(matches!(issuer.check(&issuer.claims()).await, Err(VerifyError::Unavailable(_))));
    assert_eq!(issuer.take_requests().len(), 3);
    issuer.clock.forward(Duration::seconds(5));
    issuer.shelf.lock().unwrap().failures = 2;
    issuer.check(&issuer.claims()).await.unwrap();

    let impostor = Issuer::start(false).await;
    impostor.shelf.lock().unwrap().issuer.push('/');
    let refused = impostor.check(&impostor.claims()).await;
    assert!(matches!(refused, Err(VerifyError::Unavailable(why)) if why.contains("discovery document")));
}

#[tokio::test]
async fn many_calls_at_once_fetch_once() {
    let issuer = Issuer::start(false).await;
    let good = token(&RSA, Algorithm::RS256, Some("rsa-1"), &issuer.claims());
    let mut all = tokio::task::JoinSet::new();
    for _ in 0..20 {
        let (verifier, good) = (issuer.verifier.clone(), good.clone());
        all.spawn(async move { verifier.verify(&good).await.is_ok() });
    }
    assert!(all.join_all().await.into_iter().all(|ok| ok));
    assert_eq!(issuer.take_requests().len(), 2);
}

#[tokio::test]
async fn an_address_the_token_lacks_is_asked_for() {
    let issuer = Issuer::start(true).await;
    issuer.shelf.lock().unwrap().userinfo = json!({ "sub": "auth0|1", "email": "Ana@example.test", "email_verified": true, "name": "Ana Roy", "locale": "fr-CA" });
    let bare = issuer.changed(json!({ "email": null, "email_verified": null }));
    for _ in 0..3 {
        let found = issuer.check(&bare).await.unwrap();
        assert_eq!((found.email_verified, found.language), (true, Some(Language::Fr)));
        assert_eq!(found.names(), ("Ana".to_owned(), "Roy".to_owned()));
    }
    assert_eq!(issuer.take_requests().iter().filter(|p| *p == "/userinfo").count(), 1);
    // Somebody else's answer is not believed.
    let other = issuer.changed(json!({ "email": null, "email_verified": null, "sub": "auth0|2" }));
    let found = issuer.check(&other).await.unwrap();
    assert_eq!((found.email, found.email_verified), (None, false));
    // An address that is not vouched for is told, and not trusted.
    let found = issuer.check(&issuer.changed(json!({ "email_verified": false }))).await.unwrap();
    assert!(found.email.is_some() && !found.email_verified);
}

#[tokio::test]
async fn a_person_is_known_by_what_their_browser_hands_over() {
    let issuer = Issuer::start(false).await;
    let id = |changes: Value| {
        let mut claims = issuer.changed(json!({ "aud": CLIENT, "scope": null, "name": "Ana Roy", "nonce": "n" }));
        let all = claims.as_object_mut().unwrap();
        all.extend(changes.as_object().unwrap().clone());
        all.retain(|_, value| !value.is_null());
        token(&RSA, Algorithm::RS256, Some("rsa-1"), &claims)
    };
    let ask = async |id_token: Option<String>, access_token: Option<&str>| {
        let proof = Proof { id_token, access_token: access_token.map(str::to_owned) };
        issuer.verifier.vouched("auth0|1", &proof).await.map(Option::unwrap)
    };
    let found = ask(Some(id(json!({}))), None).await.unwrap();
    assert_eq!((found.email.as_ref().unwrap().as_str(), found.email_verified), ("ana@example.test", true));
    assert_eq!(found.names(), ("Ana".to_owned(), "Roy".to_owned()));
    for (changes, why) in [
        (json!({ "sub": "auth0|2" }), Rejection::Subject),
        (json!({ "aud": AUDIENCE }), Rejection::Audience),
        (json!({ "azp": "another-client" }), Rejection::Audience),
        (json!({ "aud": [CLIENT, AUDIENCE], "azp": null }), Rejection::Audience),
        (json!({ "iss": "https://evil.example" }), Rejection::Issuer),
        (json!({ "exp": issuer.now() - 61 }), Rejection::Expired),
        (json!({ "iat": issuer.now() - 661 }), Rejection::Expired),
        (json!({ "iat": null }), Rejection::Expired),
    ] {
        assert_eq!(ask(Some(id(changes.clone())), None).await.err(), Some(why.into()), "{changes}");
    }
    let mut forged = id(json!({}));
    forged.push('A');
    assert!(ask(Some(forged), None).await.is_err());
    // The ID token tells no address: a token that userinfo takes does, also after it was refused once.
    let bare = id(json!({ "email": null, "email_verified": null }));
    assert_eq!(ask(Some(bare.clone()), Some("for-userinfo")).await.unwrap().email, None);
    issuer.shelf.lock().unwrap().userinfo =
        json!({ "sub": "auth0|1", "email": "ana@new.test", "email_verified": true });
    let found = ask(Some(bare), Some("for-userinfo")).await.unwrap();
    assert_eq!((found.email.unwrap().as_str(), found.email_verified), ("ana@new.test", true));
    assert_eq!(ask(None, Some("for-userinfo")).await.unwrap().email.unwrap().as_str(), "ana@new.test");
    // Somebody else's userinfo says nothing about this person.
    issuer.shelf.lock().unwrap().userinfo = json!({ "sub": "auth0|2", "email": "eve@new.test" });
    assert_eq!(ask(None, Some("of-somebody-else")).await.unwrap().email, None);
}

#[tokio::test]
async fn machines_are_told_from_people() {
    let issuer = Issuer::start(true).await;
    for machine in [
        json!({ "sub": "m2m@clients", "azp": "m2m", "gty": "client-credentials" }),
        json!({ "sub": "m2m@clients", "azp": "m2m" }),
        json!({ "sub": "m2m", "client_id": "m2m" }),
    ] {
        assert!(issuer.check(&issuer.changed(machine.clone())).await.unwrap().client, "{machine}");
    }
}

#[test]
fn settings_that_cannot_be_right() {
    let clock = Hands::at("2027-01-04T12:00:00Z");
    let with = |issuer: &str, audience: &str| {
        let settings = ExternalIssuer { issuer: issuer.into(), audience: audience.into(), client_id: CLIENT.into() };
        TokenVerifier::external(settings, clock.clone()).is_ok()
    };
    assert!(with("https://tenant.auth0.com/", AUDIENCE) && with("http://localhost:8081/realms/x", AUDIENCE));
    assert!(!with("http://tenant.auth0.com/", AUDIENCE) && !with("tenant", AUDIENCE));
    assert!(!with("https://tenant.auth0.com/", "") && !with("https://tenant.auth0.com/", CLIENT));
}
