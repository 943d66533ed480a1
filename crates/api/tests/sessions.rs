//! No right outlives its session: a token is refused by every signed-in call as soon as what it was
//! issued for has ended, whichever process is asked.

use crate::support;

use std::time::{Duration, Instant};

use api::{
    Tokens,
    authenticator::{Authenticator as _, Unknown},
    endpoint::Access,
    routes::Route,
};
use identity::accounts::Provision;
use kernel::{Language, OpsMemberId, PartnerId};
use reqwest::Method;
use serde_json::{Value, json};
use service::{
    Actor, Mode, Role, Services, accounts,
    bookings::crew,
    ports::{
        StoreError,
        members::{Member, MemberRole},
    },
};
use store::testing::TestDb;
use support::{
    Options, TestApp,
    people::{GUEST, PASSWORD, query_value},
    requests::Answer,
    table,
};

const UNKNOWN: &str = "0190a000-0000-7000-8000-000000000000";
const NEW_PASSWORD: &str = "quite-another-one";

/// How a session ends.
#[derive(Debug, Clone, Copy)]
enum Ending {
    SignedOut,
    EndSession,
    Revoked,
    RevokedByAccessToken,
    PasswordChanged,
    PasswordReset,
    /// As `portage accounts disable` does.
    Disabled,
    /// By whoever writes to the database.
    DisabledByHand,
    /// As `portage ops remove` does.
    RoleRemoved,
    RoleRemovedByHand,
    Demoted,
    /// A refresh token used twice.
    Reused,
    /// A code used twice.
    CodeReplayed,
    SignedInAgain,
    Expired,
}

const ENDINGS: [Ending; 15] = [
    Ending::SignedOut,
    Ending::EndSession,
    Ending::Revoked,
    Ending::RevokedByAccessToken,
    Ending::PasswordChanged,
    Ending::PasswordReset,
    Ending::Disabled,
    Ending::DisabledByHand,
    Ending::RoleRemoved,
    Ending::RoleRemovedByHand,
    Ending::Demoted,
    Ending::Reused,
    Ending::CodeReplayed,
    Ending::SignedInAgain,
    // The last one: it moves the clock.
    Ending::Expired,
];

impl Ending {
    /// What the person is after the role was taken away.
    fn role_then(self) -> Option<Role> {
        match self {
            Ending::RoleRemoved | Ending::RoleRemovedByHand => Some(Role::Customer),
            Ending::Demoted => Some(Role::Mate),
            _ => None,
        }
    }

    /// The session itself goes on: a new token says what the person is now.
    fn keeps_the_session(self) -> bool {
        matches!(self, Ending::RoleRemovedByHand | Ending::Demoted)
    }
}

/// Somebody signed in, who may call everything.
struct Person {
    id: kernel::UserId,
    email: String,
    cookie: String,
    code: String,
    access: String,
    refresh: String,
    id_token: String,
}

async fn administrator(app: &TestApp, name: &str) -> Person {
    let email = format!("{}@portage.test", name.to_lowercase());
    let wanted = Provision {
        email: email.parse().unwrap(),
        password: PASSWORD.into(),
        first_name: name.into(),
        last_name: "Tester".into(),
        phone: None,
        language: kernel::Language::En,
        email_verified: true,
    };
    let (id, _) = app.identity.provision(wanted).await.unwrap();
    make_member(app, &email, MemberRole::Admin).await;
    let cookie = app.session(&email, PASSWORD).await;
    let (code, tokens) = app.code_and_tokens(&cookie).await;
    let text = |name: &str| tokens[name].as_str().unwrap().to_owned();
    Person {
        id,
        cookie,
        code,
        access: text("access_token"),
        refresh: text("refresh_token"),
        id_token: text("id_token"),
        email,
    }
}

/// As `portage ops add` does.
async fn make_member(app: &TestApp, email: &str, role: MemberRole) {
    let (entropy, email) = (app.services.entropy.clone(), email.to_owned());
    let now = app.services.clock.now();
    app.services
        .store
        .write(move |u| {
            u.members().insert(&Member {
                id: OpsMemberId(entropy.uuid(now)),
                email: email.parse().unwrap(),
                first_name: "New".into(),
                last_name: "Member".into(),
                role,
                partner_id: None,
                mate_id: None,
                created_at: now,
                version: 1,
            })?;
            Ok::<_, StoreError>(())
        })
        .await
        .unwrap();
}

async fn post_with(app: &TestApp, cookie: &str, path: &str, body: &Value) -> Answer {
    Answer::of(app.http.post(app.path(path)).header("cookie", cookie).json(body).send().await.unwrap()).await
}

async fn form(app: &TestApp, path: &str, pairs: &[(&str, &str)]) -> Answer {
    Answer::of(app.http.post(app.path(path)).form(pairs).send().await.unwrap()).await
}

async fn refresh(app: &TestApp, token: &str) -> Answer {
    form(
        app,
        "/identity/token",
        &[("grant_type", "refresh_token"), ("client_id", "portage-web"), ("refresh_token", token)],
    )
    .await
}

/// The token of the newest reset link mailed to an address.
async fn mailed_reset(app: &TestApp, email: &str) -> String {
    app.post(GUEST, "/identity/api/forgot-password", &json!({ "email": email })).await.expect(204);
    app.run_jobs().await;
    let link = mailed(app, email, "/resetpassword?token=").await;
    query_value(&link, "token").unwrap()
}

async fn mailed(app: &TestApp, email: &str, part: &str) -> String {
    let mails = app.get(GUEST, "/simulators/mailbox/messages?limit=100").await.expect(200).body;
    for mail in mails["data"].as_array().unwrap().iter().filter(|m| m["to"] == email) {
        let one =
            app.get(GUEST, &format!("/simulators/mailbox/messages/{}", mail["id"].as_str().unwrap())).await.expect(200);
        if let Some(link) = one.body["text"].as_str().unwrap().split_whitespace().find(|w| w.contains(part)) {
            return link.to_owned();
        }
    }
    panic!("no {part} was mailed to {email}: {mails}")
}

async fn end(app: &TestApp, who: &Person, how: Ending) {
    match how {
        Ending::SignedOut => {
            post_with(app, &who.cookie, "/identity/api/sign-out", &json!({})).await.expect(204);
        }
        Ending::EndSession => {
            let request = app.http.get(app.path("/identity/end_session")).query(&[("id_token_hint", &who.id_token)]);
            Answer::of(request.header("cookie", &who.cookie).send().await.unwrap()).await.expect(302);
        }
        Ending::Revoked => {
            form(app, "/identity/revoke", &[("client_id", "portage-web"), ("token", &who.refresh)]).await.expect(200);
        }
        Ending::RevokedByAccessToken => {
            form(app, "/identity/revoke", &[("client_id", "portage-web"), ("token", &who.access)]).await.expect(200);
        }
        Ending::PasswordChanged => {
            let body = json!({ "currentPassword": PASSWORD, "password": NEW_PASSWORD });
            post_with(app, &who.cookie, "/identity/api/change-password", &body).await.expect(204);
        }
        Ending::PasswordReset => {
            let token = mailed_reset(app, &who.email).await;
            app.post(GUEST, "/identity/api/reset-password", &json!({ "token": token, "password": NEW_PASSWORD }))
                .await
                .expect(204);
        }
        Ending::Disabled => {
            accounts::disable(&app.services, who.email.parse().unwrap(), Actor::system()).await.unwrap();
        }
        Ending::RoleRemoved => {
            crew::dismiss(&app.services, who.email.parse().unwrap(), Actor::system()).await.unwrap();
        }
        Ending::RoleRemovedByHand => remove_member(app, &who.email).await,
        Ending::Demoted => {
            remove_member(app, &who.email).await;
            make_member(app, &who.email, MemberRole::Mate).await;
        }
        Ending::DisabledByHand => {
            let (id, now) = (who.id, app.services.clock.now());
            app.services.store.write(move |u| u.accounts().set_disabled(id, Some(now), now)).await.unwrap();
        }
        Ending::Reused => {
            refresh(app, &who.refresh).await.expect(200);
            refresh(app, &who.refresh).await.expect(400);
        }
        Ending::CodeReplayed => {
            app.redeem(&who.code).await.expect(400);
        }
        Ending::SignedInAgain => {
            let body = json!({ "email": who.email, "password": PASSWORD });
            post_with(app, &who.cookie, "/identity/api/sign-in", &body).await.expect(200);
        }
        Ending::Expired => {
            app.clock.move_to(app.services.clock.now() + kernel::chrono::Duration::days(14));
        }
    }
}

async fn remove_member(app: &TestApp, email: &str) {
    let key = email.to_owned();
    assert!(app.services.store.write(move |u| u.members().remove(&key)).await.map_err(|e: StoreError| e).unwrap());
}

fn method(route: &Route) -> Method {
    Method::from_bytes(route.method.as_str().as_bytes()).unwrap()
}

async fn call(app: &TestApp, route: &Route, token: &str) -> Answer {
    let path = route.path_of(UNKNOWN);
    Answer::of(app.http.request(method(route), app.path(&path)).bearer_auth(token).send().await.unwrap()).await
}

fn signed_in_routes() -> Vec<&'static Route> {
    let routes: Vec<&Route> = table(Mode::Demo).iter().filter(|r| r.access != Access::Public).collect();
    assert!(routes.len() > 15, "{}", routes.len());
    routes
}

/// Every ending × every signed-in call, on both databases.
#[actix_web::test]
async fn a_token_ends_with_its_session() {
    for db in TestDb::both() {
        // What another process knows: only the database.
        let beside = store::open(db.url(), store::Options::default()).unwrap();
        let app = TestApp::with(Options { db: Some(db), people: &[], ..Options::default() }).await;
        let elsewhere = Tokens::new(Services { store: beside, ..app.services.clone() }, app.identity.verifier());
        let routes = signed_in_routes();
        let mut wrong = Vec::new();
        for how in ENDINGS {
            let who = administrator(&app, &format!("{how:?}")).await;
            for route in &routes {
                let before = call(&app, route, &who.access).await;
                assert!(
                    before.status != 401 && before.code() != "forbidden",
                    "{how:?} {}: {}",
                    route.path,
                    before.text
                );
            }
            let known = elsewhere.caller(&who.access, Language::En, None).await.unwrap();
            assert_eq!((known.role, known.user), (Role::Admin, Some(who.id)));
            end(&app, &who, how).await;
            let ended = Instant::now();
            let unknown = elsewhere.caller(&who.access, Language::En, None).await;
            if !matches!(unknown, Err(Unknown::BadToken | Unknown::RoleTaken(_))) {
                wrong.push(format!("{how:?}: another process takes it"));
            }
            for route in &routes {
                let after = call(&app, route, &who.access).await;
                // Who lost a role is known, and forbidden what it was for.
                let forbidden = how.role_then().is_some_and(|role| !route.access.allows(role));
                if after.status != if forbidden { 403 } else { 401 } {
                    wrong.push(format!(
                        "{} {how:?}: {} {} answers {}",
                        app.services.store.engine(),
                        route.method,
                        route.path,
                        after.status
                    ));
                }
                if ended.elapsed() > Duration::from_secs(1) && route.path == routes[0].path {
                    wrong.push(format!("{how:?}: the first answer took {:?}", ended.elapsed()));
                }
            }
            let info = app.http.get(app.path("/identity/userinfo")).bearer_auth(&who.access).send().await.unwrap();
            if info.status() != 401 && !how.keeps_the_session() {
                wrong.push(format!("{how:?}: userinfo answers {}", info.status()));
            }
            let renewed = refresh(&app, &who.refresh).await;
            if how.keeps_the_session() {
                let now = if matches!(how, Ending::Demoted) { "mate" } else { "customer" };
                let token = renewed.expect(200).body["access_token"].as_str().unwrap().to_owned();
                assert_eq!(get(&app, &token, "/api/profiles/").await.expect(200).body["role"], now);
            } else if renewed.status != 400 {
                wrong.push(format!("{how:?}: the refresh token answers {}", renewed.status));
            }
        }
        app.run_jobs().await;
        assert!(wrong.is_empty(), "{} answers:\n{}", wrong.len(), wrong.join("\n"));
    }
}

fn sign_up(email: &str) -> Value {
    json!({
        "email": email, "password": PASSWORD, "firstName": "Mallory", "lastName": "Stranger", "phone": "514-555-0666",
        "language": "fr", "acceptTerms": true
    })
}

async fn get(app: &TestApp, token: &str, path: &str) -> Answer {
    Answer::of(app.http.get(app.path(path)).bearer_auth(token).send().await.unwrap()).await
}

/// A stranger signs up with somebody else's address and waits for its owner.
#[actix_web::test]
async fn a_stranger_gains_nothing_by_somebody_elses_address() {
    for (db, administrator) in
        TestDb::both().into_iter().zip([true, false]).chain(TestDb::both().into_iter().zip([false, true]))
    {
        let app = TestApp::with(Options { db: Some(db), people: &[], ..Options::default() }).await;
        let boss = "boss@portage.test";
        let answer = app.http.post(app.path("/identity/api/sign-up")).json(&sign_up(boss)).send().await.unwrap();
        assert_eq!(answer.status(), 201);
        let cookie = support::people::cookies(&answer);
        let tokens = app.token_answer(&cookie).await;
        let stranger = tokens["access_token"].as_str().unwrap().to_owned();
        // An unverified account books like any other.
        let post = async |path: &str, body: Value| {
            Answer::of(app.http.post(app.path(path)).bearer_auth(&stranger).json(&body).send().await.unwrap()).await
        };
        post("/api/payment", json!({ "paymentNonce": "fake-valid-nonce" })).await.expect(200);
        let booking = json!({ "bookingRequest": support::bodies::draft("2027-02-17", "09:00") });
        let booked = post("/api/bookings", booking).await.expect(201).body;
        let one = format!("/api/c/bookings/{}", booked["id"].as_str().unwrap());

        if administrator {
            make_member(&app, boss, MemberRole::Admin).await;
        }
        // The address is not shown to be theirs, so it gives no role; nor does a scanner that opens the link.
        app.run_jobs().await;
        let link = mailed(&app, boss, "/identity/verify?token=").await;
        let page = app.http.get(&link).send().await.unwrap().headers()["location"].to_str().unwrap().to_owned();
        // Whose address is on the team goes on to the dashboard.
        let onward = if administrator { "&returnTo=%2Fdashboard%2F" } else { "" };
        assert_eq!(page, format!("/signin?notice=signInToVerify{onward}"));
        for token in [stranger.clone(), app.token_answer(&cookie).await["access_token"].as_str().unwrap().to_owned()] {
            assert_eq!(get(&app, &token, "/api/profiles/").await.expect(200).body["role"], "customer");
            assert_eq!(get(&app, &token, &format!("/api/bookings/{UNKNOWN}")).await.status, 403);
        }
        // Nobody else may sign up with it; the owner comes by the mailbox.
        app.post(GUEST, "/identity/api/sign-up", &sign_up(boss)).await.expect(409);
        let token = mailed_reset(&app, boss).await;
        app.post(GUEST, "/identity/api/reset-password", &json!({ "token": token, "password": NEW_PASSWORD }))
            .await
            .expect(204);

        // Nothing of the stranger works any more, and the link in the first mail is dead.
        for route in signed_in_routes() {
            assert_eq!(call(&app, route, &stranger).await.status, 401, "{}", route.path);
        }
        assert_eq!(refresh(&app, tokens["refresh_token"].as_str().unwrap()).await.status, 400);
        let session = app.http.get(app.path("/identity/api/session")).header("cookie", &cookie).send().await.unwrap();
        assert_eq!(Answer::of(session).await.body["signedIn"], false);
        let again = app.post(GUEST, "/identity/api/sign-in", &json!({ "email": boss, "password": PASSWORD })).await;
        assert_eq!((again.status, again.code()), (401, "wrong_credentials"));
        let dead = app.http.get(&link).header("cookie", &cookie).send().await.unwrap();
        assert_eq!(dead.headers()["location"], "/signin?notice=linkDead");

        // The owner has an account of their own, with nothing in it.
        let own = app.session(boss, NEW_PASSWORD).await;
        let own = app.token_answer(&own).await["access_token"].as_str().unwrap().to_owned();
        let profile = get(&app, &own, "/api/profiles/").await.expect(200);
        assert!(
            !profile.text.contains("Mallory")
                && !profile.text.contains("555-0666")
                && !profile.text.contains("5550666"),
            "{}",
            profile.text
        );
        assert_eq!(
            (&profile.body["wallet"]["card"], &profile.body["wallet"]["customerId"]),
            (&Value::Null, &Value::Null)
        );
        assert_eq!(profile.body["role"], if administrator { "admin" } else { "customer" });
        assert_eq!(get(&app, &own, "/api/bookings/previous").await.expect(200).body["total"], 0);
        assert_eq!(get(&app, &own, &one).await.status, if administrator { 200 } else { 404 });
        app.run_jobs().await;
    }
}

/// Wrong guesses from everywhere never keep the owner's own browser out, nor another network for long.
#[actix_web::test]
async fn guesses_of_others_do_not_keep_the_owner_out() {
    let limits = api::Limits { behind_proxy: true, ..api::Limits::default() };
    let app = TestApp::with(Options { limits, people: &[support::people::CUSTOMER], ..Options::default() }).await;
    let email = support::people::email(support::people::CUSTOMER);
    let attempt = async |from: &str, cookie: &str, password: &str| {
        let request =
            app.http.post(app.path("/identity/api/sign-in")).header("x-forwarded-for", from).header("cookie", cookie);
        Answer::of(request.json(&json!({ "email": email, "password": password })).send().await.unwrap()).await
    };
    // Within one network guesses are soon refused; addresses of one /64 are one network.
    let mut statuses = Vec::new();
    for n in 0..8 {
        statuses.push(attempt(&format!("2001:db8:1:2::{n}"), "", "not-the-password").await.status);
    }
    assert_eq!(statuses, [401, 401, 401, 401, 401, 429, 429, 429]);
    assert_eq!(attempt("2001:db8:1:2::beef", "", PASSWORD).await.status, 429);
    // The owner, elsewhere, notices nothing.
    let own = attempt("203.0.113.7", "", PASSWORD).await.expect(200);
    let cookies: Vec<&str> = own.headers.get_all("set-cookie").iter().map(|c| c.to_str().unwrap()).collect();
    let device = cookies.iter().find(|c| c.starts_with("portage_device=")).unwrap();
    assert!(
        device.contains("HttpOnly") && device.contains("SameSite=Lax") && device.contains("Path=/identity"),
        "{device}"
    );
    // Nor in a browser that has signed in before, beside the one who guesses.
    let device = device.split(';').next().unwrap();
    assert_eq!(attempt("2001:db8:1:2::7", device, PASSWORD).await.status, 200);
    // A hundred and fifty guesses from as many networks: the next one waits, the own browser does not.
    let mut looked_at = 0;
    for n in 0..150 {
        looked_at +=
            i32::from(attempt(&format!("198.51.{}.{}", n / 100, n % 100), "", "not-the-password").await.status == 401);
    }
    assert_eq!(looked_at, 100);
    let waits = attempt("203.0.113.99", "", PASSWORD).await.expect(429);
    assert_eq!((waits.code(), waits.header("retry-after")), ("account_locked", "31"));
    assert_eq!(attempt("198.51.0.1", device, PASSWORD).await.status, 200);
}

/// A partner's machine ends with its client.
#[actix_web::test]
async fn a_machines_token_ends_with_its_client() {
    for db in TestDb::both() {
        let app = TestApp::with(Options { db: Some(db), people: &[], ..Options::default() }).await;
        let partner = PartnerId(app.services.entropy.uuid(app.services.clock.now()));
        let made = app.identity.add_machine_client(partner, "Warehouse").await.unwrap();
        let secret = secrecy::ExposeSecret::expose_secret(&made.client_secret);
        let pairs =
            [("grant_type", "client_credentials"), ("client_id", made.client_id.as_str()), ("client_secret", secret)];
        let token =
            form(&app, "/identity/token", &pairs).await.expect(200).body["access_token"].as_str().unwrap().to_owned();
        for route in signed_in_routes().iter().filter(|r| r.access.allows(Role::Partner)) {
            assert_ne!(call(&app, route, &token).await.code(), "invalid_token", "{}", route.path);
        }
        let (id, now) = (made.client_id.clone(), app.services.clock.now());
        app.services
            .store
            .write(move |u| u.machine_clients().set_disabled(&id, Some(now)))
            .await
            .map_err(|e: StoreError| e)
            .unwrap();
        for route in signed_in_routes() {
            let refused = call(&app, route, &token).await;
            assert_eq!((refused.status, refused.code()), (401, "invalid_token"), "{}", route.path);
        }
        form(&app, "/identity/token", &pairs).await.expect(400);
    }
}
