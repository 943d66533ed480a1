//! Userinfo, revocation, the end of a session.

use super::*;

#[tokio::test]
async fn userinfo_follows_the_account() {
    let world = World::new();
    let (signed_in, context) = world.sign_up(ANA).await;
    let tokens = world.redeem(&world.code(&context).await).await;
    let bearer = format!("Bearer {}", text(&tokens, "access_token"));
    let info = world.identity.userinfo(Some(&bearer)).await;
    assert_eq!((info.status, text(&info, "sub")), (200, signed_in.user_id.to_string().as_str()));
    assert_eq!((text(&info, "email"), info.body["email_verified"].as_bool()), (ANA, Some(false)));
    for bad in [None, Some("Bearer nonsense"), Some("Basic eDp5")] {
        let answer = world.identity.userinfo(bad).await;
        assert_eq!(answer.status, 401);
        assert!(answer.www_authenticate.is_some());
    }
}

#[tokio::test]
async fn revoking_ends_the_family() {
    let world = World::new();
    let (_, context) = world.sign_up(ANA).await;
    let tokens = world.redeem(&world.code(&context).await).await;
    let revoke = async |token: &str| {
        world.identity.revoke(&form(&[("client_id", CLIENT_ID), ("token", token)]), None).await.status
    };
    assert_eq!(revoke("unknown").await, 200);
    let bearer = format!("Bearer {}", text(&tokens, "access_token"));
    assert_eq!(world.identity.userinfo(Some(&bearer)).await.status, 200);
    assert_eq!(revoke(text(&tokens, "refresh_token")).await, 200);
    assert_eq!(world.identity.userinfo(Some(&bearer)).await.status, 401);
    assert_eq!(text(&world.refresh(text(&tokens, "refresh_token")).await, "error"), "invalid_grant");
    assert_eq!(world.identity.revoke("token=x", None).await.status, 400);
    // An access token names its family as well; the session, and what else came from it, goes on.
    let (one, other) =
        (world.redeem(&world.code(&context).await).await, world.redeem(&world.code(&context).await).await);
    assert_eq!(revoke(text(&one, "access_token")).await, 200);
    assert_eq!(text(&world.refresh(text(&one, "refresh_token")).await, "error"), "invalid_grant");
    assert_eq!(world.refresh(text(&other, "refresh_token")).await.status, 200);
}

#[tokio::test]
async fn ending_the_session() {
    let world = World::new();
    let (_, context) = world.sign_up(ANA).await;
    let tokens = world.redeem(&world.code(&context).await).await;
    let hint = text(&tokens, "id_token");
    let end = async |pairs: &[(&str, &str)], origin: Origin| {
        world.identity.end_session(&form(pairs), &context, origin).await.unwrap()
    };
    // A foreign page's link.
    let forged = end(&[("post_logout_redirect_uri", "http://localhost:8080/")], Origin::Foreign).await;
    assert_eq!((forged.location.as_str(), forged.set_cookies.len()), ("/", 0));
    assert!(world.identity.session(&context).await.unwrap().is_some());
    // The app, long after the ID token expired.
    world.clock.forward(Duration::days(1));
    let pairs =
        [("id_token_hint", hint), ("post_logout_redirect_uri", "http://localhost:8080/signin"), ("state", "s 1")];
    let done = end(&pairs, Origin::Foreign).await;
    assert_eq!(done.location, "http://localhost:8080/signin?state=s+1");
    assert!(done.set_cookies[0].contains("Max-Age=0"));
    assert!(world.identity.session(&context).await.unwrap().is_none());
    assert_eq!(text(&world.refresh(text(&tokens, "refresh_token")).await, "error"), "invalid_grant");
    // Once more is fine; elsewhere is not.
    let elsewhere = end(&[("post_logout_redirect_uri", "https://evil.example/")], Origin::Own).await;
    assert_eq!(elsewhere.location, "/");
}
