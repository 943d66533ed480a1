//! The authorization endpoint, and the discovery document.

use super::*;

#[tokio::test]
async fn a_stranger_is_sent_to_the_sign_in_page_and_back() {
    let world = World::new();
    let nobody = RequestContext::default();
    let page = location(&world, &[("login_hint", Some(ANA))], &nobody).await;
    assert!(page.starts_with("/signin?"), "{page}");
    assert_eq!(param(&page, "lang").as_deref(), Some("fr"));
    assert_eq!(param(&page, "login_hint").as_deref(), Some(ANA));
    let back = param(&page, "returnTo").unwrap();
    assert!(back.starts_with("/identity/authorize?"), "{back}");

    let (_, context) = world.sign_up(ANA).await;
    let (_, query) = back.split_once('?').unwrap();
    let answer = world.identity.authorize(query, &context).await.unwrap();
    assert!(answer.location.starts_with(&format!("{CALLBACK}?code=")), "{}", answer.location);
    assert_eq!(param(&answer.location, "state").as_deref(), Some("st&ate"));
    assert_eq!(param(&answer.location, "iss").as_deref(), Some("http://localhost:8080/identity"));

    for hint in [("screen_hint", Some("signup")), ("prompt", Some("create"))] {
        let up = location(&world, &[hint], &nobody).await;
        assert!(up.starts_with("/signup?"), "{up}");
    }
    let again = location(&world, &[("prompt", Some("create"))], &context).await;
    assert!(again.starts_with("/signup?"), "{again}");
    let signed_in = location(&world, &[("screen_hint", Some("signup"))], &context).await;
    assert!(param(&signed_in, "code").is_some(), "a hint is not a demand");
    let dashboard = "http://localhost:8080/dashboard/callback";
    let answer = location(&world, &[("redirect_uri", Some(dashboard))], &context).await;
    assert!(answer.starts_with(dashboard));
}

#[tokio::test]
async fn silent_requests_never_show_a_page() {
    let world = World::new();
    let silent = [("prompt", Some("none"))];
    let refused = location(&world, &silent, &RequestContext::default()).await;
    assert_eq!(param(&refused, "error").as_deref(), Some("login_required"));
    assert_eq!(param(&refused, "state").as_deref(), Some("st&ate"));
    let (_, context) = world.sign_up(ANA).await;
    assert!(param(&location(&world, &silent, &context).await, "code").is_some());
    world.identity.sign_out(&context).await.unwrap();
    assert!(param(&location(&world, &silent, &context).await, "error").is_some());
}

#[tokio::test]
async fn prompt_login_asks_once_and_max_age_when_it_is_long_ago() {
    let world = World::new();
    let (_, context) = world.sign_up(ANA).await;
    world.clock.forward(Duration::minutes(10));
    let page = location(&world, &[("prompt", Some("login"))], &context).await;
    assert!(page.starts_with("/signin?"), "{page}");
    let back = param(&page, "returnTo").unwrap();
    let (_, query) = back.split_once('?').unwrap();
    // Going back without having signed in again does not help.
    let still = world.identity.authorize(query, &context).await.unwrap().location;
    assert!(still.starts_with("/signin?"), "{still}");
    world.clock.forward(Duration::seconds(5));
    let again = world.identity.sign_in(sign_in_form(ANA, PASSWORD), &context).await.unwrap();
    let answer = world.identity.authorize(query, &browser(&again.set_cookies)).await.unwrap();
    assert!(param(&answer.location, "code").is_some(), "{}", answer.location);

    let fresh = browser(&again.set_cookies);
    assert!(param(&location(&world, &[("max_age", Some("300"))], &fresh).await, "code").is_some());
    world.clock.forward(Duration::seconds(301));
    assert!(location(&world, &[("max_age", Some("300"))], &fresh).await.starts_with("/signin?"));
    let both = [("max_age", Some("300")), ("prompt", Some("none"))];
    assert_eq!(param(&location(&world, &both, &fresh).await, "error").as_deref(), Some("login_required"));
}

#[tokio::test]
async fn nobody_is_sent_to_an_address_that_is_not_registered() {
    let world = World::new();
    let (_, context) = world.sign_up(ANA).await;
    for uri in [
        "https://evil.example/callback",
        "http://localhost:8080/callback/",
        "http://localhost:8080/callback?x=1",
        "http://localhost:8080/callback#x",
        "http://localhost:8080.evil.example/callback",
        "http://localhost:8080/callback/../evil",
        "HTTP://localhost:8080/callback",
    ] {
        let refused = world.identity.authorize(&authorize_query(&[("redirect_uri", Some(uri))]), &context).await;
        assert_eq!(refused.unwrap_err(), AuthorizeRefusal::UnregisteredRedirect, "{uri}");
    }
    let refuse = async |query: String| world.identity.authorize(&query, &context).await.unwrap_err();
    assert_eq!(refuse(authorize_query(&[("redirect_uri", None)])).await, AuthorizeRefusal::UnregisteredRedirect);
    assert_eq!(refuse(authorize_query(&[("client_id", Some("other"))])).await, AuthorizeRefusal::UnknownClient);
    let twice = format!("{}&redirect_uri=https%3A%2F%2Fevil.example", authorize_query(&[]));
    assert_eq!(refuse(twice).await, AuthorizeRefusal::UnregisteredRedirect);
    let long = authorize_query(&[("state", Some(&"x".repeat(20_000)))]);
    assert_eq!(refuse(long).await, AuthorizeRefusal::Malformed);
}

#[tokio::test]
async fn mistakes_of_the_app_are_told_to_the_app() {
    let world = World::new();
    let (_, context) = world.sign_up(ANA).await;
    let cases: [(Changes<'_>, &str); 12] = [
        (&[("response_type", Some("token"))], "unsupported_response_type"),
        (&[("response_type", None)], "invalid_request"),
        (&[("response_mode", Some("fragment"))], "invalid_request"),
        (&[("code_challenge", None)], "invalid_request"),
        (&[("code_challenge", Some("short"))], "invalid_request"),
        (&[("code_challenge_method", None)], "invalid_request"),
        (&[("code_challenge_method", Some("plain"))], "invalid_request"),
        (&[("prompt", Some("none login"))], "invalid_request"),
        (&[("prompt", Some("dance"))], "invalid_request"),
        (&[("max_age", Some("soon"))], "invalid_request"),
        (&[("request", Some("e30"))], "request_not_supported"),
        (&[("request_uri", Some("https://a.example"))], "request_uri_not_supported"),
    ];
    for (changes, error) in cases {
        let to = location(&world, changes, &context).await;
        assert!(to.starts_with(CALLBACK), "{to}");
        assert_eq!(param(&to, "error").as_deref(), Some(error), "{changes:?}");
        assert!(param(&to, "code").is_none());
    }
    let twice = format!("{}&scope=admin", authorize_query(&[]));
    let to = world.identity.authorize(&twice, &context).await.unwrap().location;
    assert_eq!(param(&to, "error").as_deref(), Some("invalid_request"));
}

#[tokio::test]
async fn discovery_names_what_exists() {
    let world = World::new();
    let document = serde_json::to_value(world.identity.discovery()).unwrap();
    assert_eq!(document["issuer"], "http://localhost:8080/identity");
    assert_eq!(document["code_challenge_methods_supported"], serde_json::json!(["S256"]));
    assert_eq!(document["token_endpoint"], "http://localhost:8080/identity/token");
    let jwks = serde_json::to_value(world.identity.jwks()).unwrap();
    assert_eq!(jwks["keys"][0]["alg"], "ES256");
}
