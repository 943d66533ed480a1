//! The token endpoint.

use super::*;

#[tokio::test]
async fn tokens_say_what_they_should() {
    let world = World::new();
    let (signed_in, context) = world.sign_up(ANA).await;
    let answer = world.redeem(&world.code(&context).await).await;
    assert_eq!((answer.status, answer.body["expires_in"].as_i64()), (200, Some(900)));
    assert_eq!(text(&answer, "token_type").to_lowercase(), "bearer");
    assert_eq!(text(&answer, "scope"), "openid profile email offline_access");
    let claims = |name: &str| check_signature(text(&answer, name), |kid| world.keys.verifying(kid).cloned()).unwrap();
    let (header, access) = claims("access_token");
    assert_eq!(header.typ.as_deref(), Some("at+jwt"));
    assert_eq!((access["aud"].as_str(), access["client_id"].as_str()), (Some("portage-api"), Some(CLIENT_ID)));
    let (_, id) = claims("id_token");
    assert_eq!(id["iss"], "http://localhost:8080/identity");
    assert_eq!((id["aud"].as_str(), id["nonce"].as_str()), (Some(CLIENT_ID), Some("n-1")));
    assert_eq!(id["sub"], signed_in.user_id.to_string());
    assert_eq!((id["email"].as_str(), id["email_verified"].as_bool()), (Some(ANA), Some(false)));
    assert_eq!((id["name"].as_str(), id["locale"].as_str()), (Some("Ana Roy"), Some("fr-CA")));
    assert_eq!(id["auth_time"], access["auth_time"]);
    assert_eq!(id["at_hash"], crate::secret::left_half_base64url(text(&answer, "access_token")));

    let token = world.identity.verifier().verify(text(&answer, "access_token")).await.unwrap();
    assert_eq!((token.subject.as_str(), token.client), (signed_in.user_id.to_string().as_str(), false));
    assert_eq!(token.issuer, service::ports::identity::EMBEDDED_ISSUER);
    let as_access = world.identity.verifier().verify(text(&answer, "id_token")).await;
    assert_eq!(as_access, Err(VerifyError::Rejected(Rejection::Type)), "an ID token opens nothing");
    world.clock.forward(TOKEN_LIFE + Duration::seconds(59));
    world.identity.verifier().verify(text(&answer, "access_token")).await.unwrap();
    world.clock.forward(Duration::seconds(1));
    let late = world.identity.verifier().verify(text(&answer, "access_token")).await;
    assert_eq!(late, Err(VerifyError::Rejected(Rejection::Expired)));
}

#[tokio::test]
async fn fewer_scopes_tell_less() {
    let world = World::new();
    let (_, context) = world.sign_up(ANA).await;
    let to = location(&world, &[("scope", Some("openid"))], &context).await;
    let answer = world.redeem(&param(&to, "code").unwrap()).await;
    assert!(answer.body.get("refresh_token").is_none(), "not without offline_access");
    let (_, id) = check_signature(text(&answer, "id_token"), |kid| world.keys.verifying(kid).cloned()).unwrap();
    assert!(!id.contains_key("email") && !id.contains_key("name"));
    let to = location(&world, &[("scope", Some("email"))], &context).await;
    let answer = world.redeem(&param(&to, "code").unwrap()).await;
    assert!(answer.body.get("id_token").is_none(), "not without openid");
    let bearer = format!("Bearer {}", text(&answer, "access_token"));
    assert_eq!(world.identity.userinfo(Some(&bearer)).await.status, 403);
}

#[tokio::test]
async fn a_code_is_good_once_for_a_minute_and_with_its_verifier() {
    for world in World::both() {
        let (_, context) = world.sign_up(ANA).await;
        let code = world.code(&context).await;
        let first = world.redeem(&code).await;
        assert_eq!(first.status, 200);
        let replay = world.redeem(&code).await;
        assert_eq!((replay.status, text(&replay, "error")), (400, "invalid_grant"));
        let refreshed = world.refresh(text(&first, "refresh_token")).await;
        assert_eq!(text(&refreshed, "error"), "invalid_grant", "a replayed code takes back what it gave");

        let late = world.code(&context).await;
        world.clock.forward(CODE_LIFE);
        assert_eq!(text(&world.redeem(&late).await, "error"), "invalid_grant");

        let bad = async |code: &str, verifier: &str, uri: &str| {
            let pairs = [
                ("grant_type", "authorization_code"),
                ("client_id", CLIENT_ID),
                ("code", code),
                ("code_verifier", verifier),
                ("redirect_uri", uri),
            ];
            text(&world.identity.token(&form(&pairs), None).await, "error").to_owned()
        };
        let code = world.code(&context).await;
        assert_eq!(bad(&code, &"x".repeat(43), CALLBACK).await, "invalid_grant");
        assert_eq!(bad(&code, VERIFIER, CALLBACK).await, "invalid_grant", "one try");
        let code = world.code(&context).await;
        assert_eq!(bad(&code, VERIFIER, "http://localhost:8080/dashboard/callback").await, "invalid_grant");
        assert_eq!(bad(&code, "short", CALLBACK).await, "invalid_request");
        let code = world.code(&context).await;
        world.identity.sign_out(&context).await.unwrap();
        assert_eq!(bad(&code, VERIFIER, CALLBACK).await, "invalid_grant", "signed out in between");
    }
}

#[tokio::test]
async fn refresh_tokens_rotate_and_a_spent_one_ends_the_session() {
    for world in World::both() {
        let (_, context) = world.sign_up(ANA).await;
        let first = world.redeem(&world.code(&context).await).await;
        let second = world.refresh(text(&first, "refresh_token")).await;
        assert_eq!(second.status, 200);
        assert_ne!(text(&first, "refresh_token"), text(&second, "refresh_token"));
        let (_, id) = check_signature(text(&second, "id_token"), |kid| world.keys.verifying(kid).cloned()).unwrap();
        assert!(!id.contains_key("nonce"));
        let third = world.refresh(text(&second, "refresh_token")).await;
        let reused = world.refresh(text(&first, "refresh_token")).await;
        assert_eq!((reused.status, text(&reused, "error")), (400, "invalid_grant"));
        let newest = world.refresh(text(&third, "refresh_token")).await;
        assert_eq!(text(&newest, "error"), "invalid_grant", "the thief and the owner are both out");
        let silent = location(&world, &[("prompt", Some("none"))], &context).await;
        assert_eq!(param(&silent, "error").as_deref(), Some("login_required"), "whoever is the owner knows the password");
    }
}

#[tokio::test]
async fn rotation_does_not_prolong_the_family() {
    let world = World::new();
    let (_, context) = world.sign_up(ANA).await;
    let mut tokens = world.redeem(&world.code(&context).await).await;
    for _ in 0..13 {
        world.clock.forward(Duration::days(1));
        tokens = world.refresh(text(&tokens, "refresh_token")).await;
    }
    world.clock.forward(Duration::days(1));
    assert_eq!(text(&world.refresh(text(&tokens, "refresh_token")).await, "error"), "invalid_grant");
}

#[tokio::test]
async fn refreshes_at_once_are_one() {
    for world in World::both() {
        let (_, context) = world.sign_up(ANA).await;
        let first = world.redeem(&world.code(&context).await).await;
        let token = text(&first, "refresh_token").to_owned();
        let pairs = form(&[("grant_type", "refresh_token"), ("client_id", CLIENT_ID), ("refresh_token", &token)]);
        let mut all = tokio::task::JoinSet::new();
        for _ in 0..6 {
            let (identity, pairs) = (world.identity.clone(), pairs.clone());
            all.spawn(async move { identity.token(&pairs, None).await.status });
        }
        let statuses = all.join_all().await;
        assert_eq!(statuses.iter().filter(|s| **s == 200).count(), 1, "{statuses:?}");
    }
}

#[tokio::test]
async fn a_refresh_may_ask_for_less_only() {
    let world = World::new();
    let (_, context) = world.sign_up(ANA).await;
    let first = world.redeem(&world.code(&context).await).await;
    let ask = async |token: &str, scope: &str| {
        let pairs =
            [("grant_type", "refresh_token"), ("client_id", CLIENT_ID), ("refresh_token", token), ("scope", scope)];
        world.identity.token(&form(&pairs), None).await
    };
    let more = ask(text(&first, "refresh_token"), "openid admin").await;
    assert_eq!(text(&more, "error"), "invalid_scope");
    let less = ask(text(&first, "refresh_token"), "openid").await;
    assert_eq!(text(&less, "scope"), "openid");
    let all = world.refresh(text(&less, "refresh_token")).await;
    assert_eq!(text(&all, "scope"), "openid profile email offline_access");
}

#[tokio::test]
async fn malformed_token_requests() {
    let world = World::new();
    let cases: [(&str, Option<&str>, u16, &str); 9] = [
        ("", None, 400, "invalid_request"),
        ("grant_type=authorization_code", None, 400, "invalid_client"),
        ("grant_type=authorization_code&client_id=portage-web", None, 400, "invalid_request"),
        ("grant_type=refresh_token&client_id=portage-web", None, 400, "invalid_request"),
        ("grant_type=password&client_id=portage-web&username=a&password=b", None, 400, "unsupported_grant_type"),
        ("grant_type=refresh_token&client_id=portage-web&client_secret=x&refresh_token=y", None, 400, "invalid_client"),
        ("grant_type=client_credentials&client_id=portage-web", None, 400, "unauthorized_client"),
        ("grant_type=client_credentials&client_id=partner-1&client_secret=x", None, 400, "invalid_client"),
        ("grant_type=client_credentials", Some("Basic cGFydG5lci0xOng="), 401, "invalid_client"),
    ];
    for (body, header, status, error) in cases {
        let answer = world.identity.token(body, header).await;
        assert_eq!((answer.status, text(&answer, "error")), (status, error), "{body}");
        assert_eq!(answer.www_authenticate.is_some(), status == 401, "{body}");
    }
}

#[tokio::test]
async fn a_partners_machine_gets_a_token_of_its_own() {
    let world = World::new();
    let partner = PartnerId(Uuid::from_u128(1));
    assert!(matches!(world.identity.add_machine_client(partner, " ").await, Err(MachineClientError::Name)));
    let made = world.identity.add_machine_client(partner, "Warehouse").await.unwrap();
    let secret = made.client_secret.expose_secret();
    let post = form(&[("grant_type", "client_credentials"), ("client_id", &made.client_id), ("client_secret", secret)]);
    let answer = world.identity.token(&post, None).await;
    assert_eq!((answer.status, text(&answer, "scope")), (200, "b2b"));
    assert!(answer.body.get("refresh_token").is_none());
    let token = world.identity.verifier().verify(text(&answer, "access_token")).await.unwrap();
    assert!(token.client);
    assert_eq!((token.subject.as_str(), token.scopes.as_slice()), (made.client_id.as_str(), &["b2b".to_owned()][..]));

    let directory = Directory::new(world.store.clone(), world.clock.clone(), world.entropy.clone());
    assert_eq!(directory.partner(&token).await.unwrap(), partner);

    let wrong = form(&[("grant_type", "client_credentials"), ("client_id", &made.client_id), ("client_secret", "x")]);
    assert_eq!(text(&world.identity.token(&wrong, None).await, "error"), "invalid_client");
    let more = format!("{post}&scope=openid");
    assert_eq!(text(&world.identity.token(&more, None).await, "error"), "invalid_scope");
    let refresh = form(&[
        ("grant_type", "refresh_token"),
        ("client_id", &made.client_id),
        ("client_secret", secret),
        ("refresh_token", "x"),
    ]);
    assert_eq!(text(&world.identity.token(&refresh, None).await, "error"), "unauthorized_client");
    let (id, now) = (made.client_id.clone(), service::ports::Clock::now(&*world.clock));
    world.store.write(move |u| u.machine_clients().set_disabled(&id, Some(now))).await.unwrap();
    assert_eq!(text(&world.identity.token(&post, None).await, "error"), "invalid_client");
    assert!(matches!(directory.partner(&token).await, Err(ResolveError::NoAccount)));
}
