//! What tests share: a provider on a real database file, with a clock and randomness in hand.

use std::sync::{Arc, Mutex};

use kernel::chrono::{DateTime, Duration, Utc};
use service::ports::{Clock, Entropy, Store, Unit};
use sha2::{Digest, Sha256};
use store::testing::TestDb;

use crate::{
    CLIENT_ID, Identity, KeySource, MailRequest, RequestContext, SigningKeys,
    accounts::{SignIn, SignUp, SignedIn},
    cookie,
    provider::ProviderAnswer,
    secret,
};

pub(crate) const SITE: &str = "http://localhost:8080";
pub(crate) const PASSWORD: &str = "a long password";
pub(crate) const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
pub(crate) const CALLBACK: &str = "http://localhost:8080/callback";

/// Entropy that never repeats and is the same in every run.
#[derive(Default)]
pub(crate) struct Numbers(Mutex<u64>);

impl Entropy for Numbers {
    fn fill(&self, out: &mut [u8]) {
        let mut count = self.0.lock().unwrap();
        for chunk in out.chunks_mut(32) {
            *count += 1;
            let block = Sha256::digest(count.to_be_bytes());
            chunk.copy_from_slice(&block[..chunk.len()]);
        }
    }
}

/// A clock that moves when told.
pub(crate) struct Hands(Mutex<DateTime<Utc>>);

impl Hands {
    pub fn at(text: &str) -> Arc<Hands> {
        Arc::new(Hands(Mutex::new(text.parse().unwrap())))
    }

    pub fn forward(&self, by: Duration) {
        *self.0.lock().unwrap() += by;
    }
}

impl Clock for Hands {
    fn now(&self) -> DateTime<Utc> {
        *self.0.lock().unwrap()
    }
}

pub(crate) struct World {
    pub identity: Identity,
    /// The same, with the patience of production.
    pub patient: Identity,
    pub store: Arc<dyn Store>,
    pub clock: Arc<Hands>,
    pub entropy: Arc<Numbers>,
    pub keys: SigningKeys,
    mails: Arc<Mutex<Vec<MailRequest>>>,
    _db: TestDb,
    _keys: tempfile::TempDir,
}

impl World {
    pub fn new() -> World {
        World::on(TestDb::sqlite())
    }

    /// One on each engine, for what races.
    pub fn both() -> [World; 2] {
        TestDb::both().map(World::on)
    }

    fn on(db: TestDb) -> World {
        let store = db.store();
        let folder = tempfile::tempdir().unwrap();
        let keys = SigningKeys::load(&KeySource::Folder(folder.path().to_owned())).unwrap();
        let (clock, entropy) = (Hands::at("2027-01-04T12:00:00Z"), Arc::new(Numbers::default()));
        let mails: Arc<Mutex<Vec<MailRequest>>> = Arc::default();
        let sent = mails.clone();
        let outbox = move |_: &mut dyn Unit, mail: &MailRequest, _: DateTime<Utc>| {
            sent.lock().unwrap().push(mail.clone());
            Ok(())
        };
        let outbox = Arc::new(outbox);
        let make = || {
            let (store, clock, entropy) = (store.clone(), clock.clone(), entropy.clone());
            Identity::new(store, clock, entropy, outbox.clone(), keys.clone(), SITE.parse().unwrap())
        };
        let (identity, patient) = (make().in_a_hurry(), make());
        World { identity, patient, store, clock, entropy, keys, mails, _db: db, _keys: folder }
    }

    /// The mails queued since the last look.
    pub fn mails(&self) -> Vec<MailRequest> {
        std::mem::take(&mut self.mails.lock().unwrap())
    }

    pub async fn sign_up(&self, email: &str) -> (SignedIn, RequestContext) {
        let form = sign_up_form(email, PASSWORD);
        let signed_in = self.identity.sign_up(form, &RequestContext::default()).await.unwrap();
        let context = browser(&signed_in.set_cookies);
        (signed_in, context)
    }

    pub async fn sign_in(
        &self,
        email: &str,
        password: &str,
    ) -> Result<(SignedIn, RequestContext), crate::accounts::SignInError> {
        let form = sign_in_form(email, password);
        let signed_in = self.identity.sign_in(form, &RequestContext::default()).await?;
        let context = browser(&signed_in.set_cookies);
        Ok((signed_in, context))
    }

    /// The code the web app gets.
    pub async fn code(&self, context: &RequestContext) -> String {
        let answer = self.identity.authorize(&authorize_query(&[]), context).await.unwrap();
        param(&answer.location, "code").unwrap_or_else(|| panic!("no code in {}", answer.location))
    }

    pub async fn redeem(&self, code: &str) -> ProviderAnswer {
        let form = form(&[
            ("grant_type", "authorization_code"),
            ("client_id", CLIENT_ID),
            ("code", code),
            ("code_verifier", VERIFIER),
            ("redirect_uri", CALLBACK),
        ]);
        self.identity.token(&form, None).await
    }

    pub async fn refresh(&self, token: &str) -> ProviderAnswer {
        let form = form(&[("grant_type", "refresh_token"), ("client_id", CLIENT_ID), ("refresh_token", token)]);
        self.identity.token(&form, None).await
    }
}

pub(crate) fn sign_up_form(email: &str, password: &str) -> SignUp {
    serde_json::from_value(serde_json::json!({
        "email": email, "password": password, "firstName": "Ana", "lastName": "Roy", "language": "fr",
        "acceptTerms": true, "returnTo": "/identity/authorize?x=y"
    }))
    .unwrap()
}

pub(crate) fn sign_in_form(email: &str, password: &str) -> SignIn {
    serde_json::from_value(serde_json::json!({ "email": email, "password": password })).unwrap()
}

/// The cookies a browser would send next.
pub(crate) fn browser(set_cookies: &[String]) -> RequestContext {
    let value = |name: &str| {
        let pair = set_cookies.iter().find(|c| c.starts_with(&format!("{name}=")))?;
        cookie::find(pair, name).map(str::to_owned)
    };
    RequestContext {
        session: value(cookie::SESSION),
        verify: value(cookie::VERIFY),
        device: value(cookie::DEVICE),
        request_id: Some("r-1".into()),
        ..RequestContext::default()
    }
}

/// A good authorization request with changes: a `None` leaves a parameter out.
pub(crate) fn authorize_query(changes: &[(&str, Option<&str>)]) -> String {
    let challenge = secret::sha256_base64url(VERIFIER);
    let mut pairs = vec![
        ("response_type", "code"),
        ("client_id", CLIENT_ID),
        ("redirect_uri", CALLBACK),
        ("scope", "openid profile email offline_access"),
        ("state", "st&ate"),
        ("nonce", "n-1"),
        ("code_challenge", challenge.as_str()),
        ("code_challenge_method", "S256"),
        ("ui_locales", "fr-CA fr en"),
    ];
    for (name, value) in changes {
        pairs.retain(|(n, _)| n != name);
        if let Some(value) = value {
            pairs.push((name, value));
        }
    }
    form(&pairs)
}

pub(crate) fn form(pairs: &[(&str, &str)]) -> String {
    url::form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish()
}

/// A query parameter of an address.
pub(crate) fn param(location: &str, name: &str) -> Option<String> {
    let (_, query) = location.split_once('?')?;
    url::form_urlencoded::parse(query.as_bytes()).find(|(n, _)| n == name).map(|(_, v)| v.into_owned())
}
