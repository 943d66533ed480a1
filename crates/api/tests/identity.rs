//! Signing up, in and out; tokens; passwords; and what foreign pages may not do.

use crate::support::{
    TestApp,
    people::{CUSTOMER, GUEST, PASSWORD, cookies, email, query_value},
    requests::Answer,
};
use serde_json::{Value, json};

fn sign_up(email: &str) -> Value {
    json!({ "email": email, "password": PASSWORD, "firstName": "Ana", "lastName": "Roy", "language": "fr", "acceptTerms": true })
}

#[actix_web::test]
async fn a_stranger_signs_up_verifies_and_signs_out() {
    let app = TestApp::new().await;
    let response =
        app.http.post(app.path("/identity/api/sign-up")).json(&sign_up("ana@portage.test")).send().await.unwrap();
    let cookie = response.headers()["set-cookie"].to_str().unwrap().to_owned();
    assert!(
        cookie.starts_with("portage_session=") && cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"),
        "{cookie}"
    );
    let session = cookies(&response);
    let body = Answer::of(response).await.expect(201).body;
    assert_eq!((&body["emailVerified"], &body["redirectTo"]), (&json!(false), &json!("/")));
    app.run_jobs().await;

    let mails = app.get(GUEST, "/simulators/mailbox/messages").await.expect(200).body;
    let welcome = mails["data"].as_array().unwrap().iter().find(|m| m["to"] == "ana@portage.test").unwrap().clone();
    assert_eq!((&welcome["messageType"], &welcome["language"]), (&json!("welcome"), &json!("fr")));
    let mail = app
        .get(GUEST, &format!("/simulators/mailbox/messages/{}", welcome["id"].as_str().unwrap()))
        .await
        .expect(200)
        .body;
    let text = mail["text"].as_str().unwrap();
    let link = text.split_whitespace().find(|w| w.contains("/identity/verify?token=")).unwrap();
    let opened = app.http.get(link).header("cookie", &session).send().await.unwrap();
    assert_eq!(
        (opened.status().as_u16(), opened.headers()["location"].to_str().unwrap()),
        (302, "/profile?notice=emailVerified")
    );
    let who = app.http.get(app.path("/identity/api/session")).header("cookie", &session).send().await.unwrap();
    let who = Answer::of(who).await.expect(200).body;
    assert_eq!(
        (&who["signedIn"], &who["email"], &who["emailVerified"]),
        (&json!(true), &json!("ana@portage.test"), &json!(true))
    );

    let tokens = app.token_answer(&session).await;
    let bearer = tokens["access_token"].as_str().unwrap();
    let profile = Answer::of(app.http.get(app.path("/api/profiles/")).bearer_auth(bearer).send().await.unwrap())
        .await
        .expect(200)
        .body;
    assert_eq!(
        (&profile["firstName"], &profile["role"], &profile["language"]),
        (&json!("Ana"), &json!("customer"), &json!("fr"))
    );

    let out = app.http.post(app.path("/identity/api/sign-out")).header("cookie", &session).send().await.unwrap();
    assert_eq!(out.status(), 204);
    let who = app.http.get(app.path("/identity/api/session")).header("cookie", &session).send().await.unwrap();
    assert_eq!(Answer::of(who).await.body["signedIn"], false);
    app.run_jobs().await;
}

#[actix_web::test]
async fn forms_say_what_is_wrong() {
    let app = TestApp::new().await;
    let bad = json!({ "email": "x", "password": "short", "firstName": " ", "acceptTerms": false });
    let a = app.post(GUEST, "/identity/api/sign-up?lang=fr", &bad).await.expect(422);
    let field = |name: &str| {
        a.body["errors"]
            .as_array()
            .unwrap()
            .iter()
            .find(|e| e["field"] == name)
            .unwrap_or_else(|| panic!("{name}: {}", a.text))
            .clone()
    };
    assert_eq!(field("password")["code"], "password_too_short");
    assert_eq!(field("firstName")["message"], "Prénom est obligatoire.");
    assert_eq!(field("acceptTerms")["message"], "Vous devez accepter les conditions pour créer un compte.");
    let mut no_terms = sign_up("b@portage.test");
    no_terms["acceptTerms"] = json!(false);
    assert_eq!(app.post(GUEST, "/identity/api/sign-up", &no_terms).await.expect(422).code(), "terms_required");
    let taken = app.post(GUEST, "/identity/api/sign-up", &sign_up(&email(CUSTOMER))).await.expect(409);
    assert_eq!((taken.code(), &taken.body["errors"][0]["field"]), ("email_taken", &json!("email")));
    let wrong = app
        .post(
            GUEST,
            "/identity/api/sign-in?lang=fr",
            &json!({ "email": email(CUSTOMER), "password": "not-the-password" }),
        )
        .await
        .expect(401);
    assert_eq!(
        (wrong.code(), wrong.body["detail"].as_str().unwrap()),
        ("wrong_credentials", "Le courriel ou le mot de passe est inexact.")
    );
    let unknown = app
        .post(
            GUEST,
            "/identity/api/sign-in",
            &json!({ "email": "nobody@portage.test", "password": "not-the-password" }),
        )
        .await
        .expect(401);
    assert_eq!(unknown.code(), "wrong_credentials");
}

#[actix_web::test]
async fn a_forgotten_password_is_set_anew() {
    let app = TestApp::new().await;
    let old = app.session(&email(CUSTOMER), PASSWORD).await;
    app.post(GUEST, "/identity/api/forgot-password", &json!({ "email": "nobody@portage.test" })).await.expect(204);
    app.post(GUEST, "/identity/api/forgot-password", &json!({ "email": email(CUSTOMER) })).await.expect(204);
    app.run_jobs().await;
    let mails = app.get(GUEST, "/simulators/mailbox/messages").await.expect(200).body;
    assert_eq!(mails["total"], 1, "{mails}");
    let id = mails["data"][0]["id"].as_str().unwrap();
    let mail = app.get(GUEST, &format!("/simulators/mailbox/messages/{id}")).await.expect(200).body;
    let link = mail["text"]
        .as_str()
        .unwrap()
        .split_whitespace()
        .find(|w| w.contains("/resetpassword?token="))
        .unwrap()
        .to_owned();
    let token = query_value(&link, "token").unwrap();
    app.post(GUEST, "/identity/api/reset-password", &json!({ "token": token, "password": "short" })).await.expect(422);
    app.post(GUEST, "/identity/api/reset-password", &json!({ "token": token, "password": "quite-another-one" }))
        .await
        .expect(204);
    let dead = app
        .post(GUEST, "/identity/api/reset-password", &json!({ "token": token, "password": "quite-another-one" }))
        .await
        .expect(422);
    assert_eq!(dead.code(), "link_expired");
    let who = app.http.get(app.path("/identity/api/session")).header("cookie", &old).send().await.unwrap();
    assert_eq!(Answer::of(who).await.body["signedIn"], false, "a new password ends every session");
    app.session(&email(CUSTOMER), "quite-another-one").await;
}

#[actix_web::test]
async fn foreign_pages_cannot_act() {
    let app = TestApp::new().await;
    let session = app.session(&email(CUSTOMER), PASSWORD).await;
    for (name, value) in [("origin", "https://evil.example"), ("sec-fetch-site", "cross-site")] {
        for path in ["/identity/api/sign-out", "/identity/api/sign-in", "/identity/api/change-password"] {
            let request = app.http.post(app.path(path)).header("cookie", &session).header(name, value);
            let body = json!({ "email": email(CUSTOMER), "password": PASSWORD, "currentPassword": PASSWORD });
            let a = Answer::of(request.json(&body).send().await.unwrap()).await;
            assert_eq!((a.status, a.code()), (403, "cross_site_refused"), "{path} {name}");
        }
    }
    let form =
        app.http.post(app.path("/identity/api/sign-in")).form(&[("email", email(CUSTOMER))]).send().await.unwrap();
    assert_eq!(form.status(), 415);
    // The API itself takes no cookie.
    let a = Answer::of(app.http.get(app.path("/api/profiles/")).header("cookie", &session).send().await.unwrap()).await;
    assert_eq!(a.status, 401);
}

#[actix_web::test]
async fn the_protocol_is_the_usual_one() {
    let app = TestApp::new().await;
    let d = app.get(GUEST, "/identity/.well-known/openid-configuration").await.expect(200).body;
    assert_eq!(d["issuer"], format!("{}/identity", app.url));
    for endpoint in [
        "authorization_endpoint",
        "token_endpoint",
        "jwks_uri",
        "userinfo_endpoint",
        "end_session_endpoint",
        "revocation_endpoint",
    ] {
        let answer = app.http.get(d[endpoint].as_str().unwrap()).send().await.unwrap();
        assert_ne!(answer.status(), 404, "{endpoint}");
    }
    assert!(!app.get(GUEST, "/identity/jwks").await.expect(200).body["keys"].as_array().unwrap().is_empty());

    let session = app.session(&email(CUSTOMER), PASSWORD).await;
    let tokens = app.token_answer(&session).await;
    assert_eq!(
        (&tokens["token_type"].as_str().unwrap().to_lowercase(), &tokens["expires_in"]),
        (&"bearer".to_owned(), &json!(900))
    );
    let info = app
        .http
        .get(app.path("/identity/userinfo"))
        .bearer_auth(tokens["access_token"].as_str().unwrap())
        .send()
        .await
        .unwrap();
    assert_eq!(Answer::of(info).await.expect(200).body["email"], email(CUSTOMER));

    let refresh = |token: String| {
        let form = [
            ("grant_type", "refresh_token".to_owned()),
            ("client_id", "portage-web".to_owned()),
            ("refresh_token", token),
        ];
        let request = app.http.post(app.path("/identity/token")).form(&form);
        async move { Answer::of(request.send().await.unwrap()).await }
    };
    let first = tokens["refresh_token"].as_str().unwrap().to_owned();
    let second = refresh(first.clone()).await.expect(200).body["refresh_token"].as_str().unwrap().to_owned();
    assert_ne!(first, second);
    assert_eq!(refresh(first).await.expect(400).body["error"], "invalid_grant");
    assert_eq!(refresh(second).await.expect(400).body["error"], "invalid_grant", "reuse ends the family");

    // Nobody is ever sent to an address that is not the app's.
    let evil = "/identity/authorize?client_id=portage-web&redirect_uri=https%3A%2F%2Fevil.example%2Fcallback&response_type=code";
    let a = app.get(GUEST, evil).await.expect(400);
    assert!(a.header("content-type").starts_with("text/html") && a.header("location").is_empty());
    let redirect = format!("{}%2Fcallback", app.url.replace(':', "%3A").replace('/', "%2F"));
    let stranger = format!(
        "/identity/authorize?client_id=portage-web&redirect_uri={redirect}&response_type=code&code_challenge_method=S256&code_challenge={}&scope=openid&ui_locales=fr-CA%20fr",
        "a".repeat(43)
    );
    let a = app.get(GUEST, &stranger).await.expect(302);
    assert!(
        a.header("location").starts_with("/signin?returnTo=") && a.header("location").contains("lang=fr"),
        "{}",
        a.header("location")
    );
    let a = app.get(GUEST, &format!("{stranger}&prompt=none")).await.expect(302);
    assert_eq!(query_value(a.header("location"), "error").unwrap(), "login_required");
    let form = app
        .http
        .post(app.path("/identity/token"))
        .json(&json!({ "grant_type": "refresh_token" }))
        .send()
        .await
        .unwrap();
    assert_eq!(form.status(), 415);
}
