//! Who calls: accounts of every role, and the way from a password to an access token.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use identity::accounts::Provision;
use kernel::{MateId, OpsMemberId, PartnerId};
use serde_json::{Value, json};
use service::ports::{
    StoreError,
    members::{Member, MemberRole},
};
use sha2::{Digest, Sha256};

use super::{TestApp, requests::Answer};

/// Of PKCE.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
pub const PASSWORD: &str = "a-long-enough-password";
pub const GUEST: &str = "guest";
pub const CUSTOMER: &str = "customer";
pub const OTHER: &str = "other";
pub const MATE: &str = "mate";
pub const PARTNER: &str = "partner";
pub const OPS: &str = "ops";
pub const ADMIN: &str = "admin";

pub const SIGNED_IN: [&str; 6] = [CUSTOMER, OTHER, MATE, PARTNER, OPS, ADMIN];

pub fn email(who: &str) -> String {
    format!("{who}@portage.test")
}

pub async fn provision(app: &TestApp, people: &[&'static str]) {
    for &who in people {
        app.identity
            .provision(Provision {
                email: email(who).parse().unwrap(),
                password: PASSWORD.into(),
                first_name: who.into(),
                last_name: "Tester".into(),
                phone: Some("514-555-0101".parse().unwrap()),
                language: kernel::Language::En,
                email_verified: true,
            })
            .await
            .unwrap();
        let role = match who {
            MATE => MemberRole::Mate,
            PARTNER => MemberRole::Partner,
            OPS => MemberRole::Ops,
            ADMIN => MemberRole::Admin,
            _ => continue,
        };
        let (entropy, now) = (app.services.entropy.clone(), kernel::chrono::DateTime::UNIX_EPOCH);
        app.services
            .store
            .write(move |u| {
                u.members().insert(&Member {
                    id: OpsMemberId(entropy.uuid(now)),
                    email: email(who).parse().unwrap(),
                    first_name: who.into(),
                    last_name: "Tester".into(),
                    role,
                    partner_id: (role == MemberRole::Partner).then(|| PartnerId(entropy.uuid(now))),
                    mate_id: (role == MemberRole::Mate).then(|| MateId(entropy.uuid(now))),
                    created_at: now,
                    version: 1,
                })?;
                Ok::<_, StoreError>(())
            })
            .await
            .unwrap();
    }
}

/// A browser's jar, as far as these tests need one.
pub fn cookies(response: &reqwest::Response) -> String {
    let pairs = response.headers().get_all("set-cookie").iter();
    let pairs: Vec<&str> = pairs.filter_map(|c| c.to_str().ok()?.split(';').next()).collect();
    pairs.join("; ")
}

pub fn query_value(location: &str, name: &str) -> Option<String> {
    let url =
        reqwest::Url::parse(location).ok().or_else(|| reqwest::Url::parse(&format!("http://x{location}")).ok())?;
    url.query_pairs().find(|(k, _)| k == name).map(|(_, v)| v.into_owned())
}

impl TestApp {
    /// Signs in; the session cookie.
    pub async fn session(&self, email: &str, password: &str) -> String {
        let response = self
            .http
            .post(self.path("/identity/api/sign-in"))
            .json(&json!({ "email": email, "password": password }))
            .send()
            .await
            .unwrap();
        assert_eq!(response.status(), 200, "{email} signs in");
        cookies(&response)
    }

    /// The whole authorization code flow with PKCE; the token endpoint's answer.
    pub async fn token_answer(&self, session: &str) -> Value {
        self.code_and_tokens(session).await.1
    }

    /// The same, and the code that was redeemed.
    pub async fn code_and_tokens(&self, session: &str) -> (String, Value) {
        let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(VERIFIER));
        let redirect = format!("{}/callback", self.url);
        let authorize = self
            .http
            .get(self.path("/identity/authorize"))
            .query(&[
                ("client_id", "portage-web"),
                ("redirect_uri", &redirect),
                ("response_type", "code"),
                ("scope", "openid profile email offline_access"),
                ("state", "s"),
                ("nonce", "n"),
                ("code_challenge", &challenge),
                ("code_challenge_method", "S256"),
                ("prompt", "none"),
            ])
            .header("cookie", session)
            .send()
            .await
            .unwrap();
        assert_eq!(authorize.status(), 302);
        let location = authorize.headers()["location"].to_str().unwrap().to_owned();
        let code = query_value(&location, "code").unwrap_or_else(|| panic!("no code in {location}"));
        let tokens = self.redeem(&code).await.expect(200);
        assert_eq!(tokens.header("cache-control"), "no-store");
        (code, tokens.body)
    }

    /// What the token endpoint says to a code.
    pub async fn redeem(&self, code: &str) -> Answer {
        let redirect = format!("{}/callback", self.url);
        let form = [
            ("grant_type", "authorization_code"),
            ("client_id", "portage-web"),
            ("code", code),
            ("code_verifier", VERIFIER),
            ("redirect_uri", &redirect),
        ];
        Answer::of(self.http.post(self.path("/identity/token")).form(&form).send().await.unwrap()).await
    }

    /// An access token of one of [`SIGNED_IN`].
    pub async fn token(&self, who: &'static str) -> String {
        if let Some(known) = self.tokens.lock().unwrap().get(who).cloned() {
            return known;
        }
        let session = self.session(&email(who), PASSWORD).await;
        let answer = self.token_answer(&session).await;
        let token = answer["access_token"].as_str().unwrap().to_owned();
        self.tokens.lock().unwrap().insert(who, token.clone());
        token
    }
}
