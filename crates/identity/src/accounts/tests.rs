//! The account pages, call by call, on a real database.

use kernel::chrono::Duration;
use service::ports::{
    StoreError, acted,
    members::{Member, MemberRole},
};

use super::*;
use crate::{
    RequestContext, VerifiedToken,
    testing::{PASSWORD, World, browser, param, sign_in_form, sign_up_form},
};

const ANA: &str = "ana@example.test";

fn fields(error: &SignUpError) -> Vec<(&'static str, &'static str)> {
    match error {
        SignUpError::Invalid(list) => list.iter().map(|e| (e.field, e.code.code())).collect(),
        other => panic!("{other}"),
    }
}

/// The token of the link in the newest mail.
fn link(world: &World, value: &str) -> String {
    let mails = world.mails();
    let url = mails.last().expect("a mail was queued").values[value].as_str().unwrap().to_owned();
    param(&url, "token").unwrap()
}

#[tokio::test]
async fn signing_up_signs_in_and_welcomes() {
    let world = World::new();
    let (signed_in, context) = world.sign_up("Ana@Example.test").await;
    assert!(!signed_in.email_verified);
    assert_eq!(signed_in.redirect_to, "/identity/authorize?x=y");
    let active = world.identity.session(&context).await.unwrap().unwrap();
    assert_eq!(active.account.id, signed_in.user_id);
    let mails = world.mails();
    assert_eq!((mails.len(), mails[0].template, mails[0].to_name.as_str()), (1, "welcome", "Ana Roy"));
    assert_eq!(mails[0].language, kernel::Language::Fr);
    let id = signed_in.user_id;
    let (profile, audited) = world
        .store
        .read(move |u| Ok::<_, StoreError>((u.profiles().get(id)?, u.audits().of_subject("account", &id.to_string())?)))
        .await
        .unwrap();
    assert_eq!(profile.unwrap().full_name(), "Ana Roy");
    assert_eq!(audited.len(), 1);

    let again = world.identity.sign_up(sign_up_form("ANA@example.test", PASSWORD), &RequestContext::default()).await;
    assert_eq!(fields(&again.unwrap_err()), [("email", "email_taken")], "another spelling of the same address");
    assert!(world.mails().is_empty());
}

#[tokio::test]
async fn unknown_address_and_wrong_password_read_alike() {
    let world = World::new();
    world.sign_up(ANA).await;
    let wrong = world.sign_in(ANA, "another password").await.unwrap_err();
    let unknown = world.sign_in("nobody@example.test", PASSWORD).await.unwrap_err();
    assert!(matches!(wrong, SignInError::WrongCredentials) && matches!(unknown, SignInError::WrongCredentials));
    world.sign_in("ANA@EXAMPLE.TEST", PASSWORD).await.unwrap();
    let empty = world.sign_in("", "").await.unwrap_err();
    assert!(matches!(empty, SignInError::Invalid(list) if list.len() == 2));
}

#[tokio::test]
async fn lockout_hits_known_and_unknown_addresses_alike_and_passes() {
    let world = World::new();
    world.sign_up(ANA).await;
    for address in [ANA, "nobody@example.test"] {
        for _ in 0..5 {
            assert!(matches!(world.sign_in(address, "another password").await, Err(SignInError::WrongCredentials)));
        }
        let locked = world.sign_in(address, PASSWORD).await.unwrap_err();
        assert!(matches!(locked, SignInError::TooManyAttempts { retry_after: 1..=31, .. }), "{locked:?}");
    }
    world.clock.forward(Duration::seconds(31));
    world.sign_in(ANA, PASSWORD).await.unwrap();
    // The success cleared the counter.
    for _ in 0..4 {
        let _ = world.sign_in(ANA, "another password").await;
    }
    world.sign_in(ANA, PASSWORD).await.unwrap();
}

#[tokio::test]
async fn guesses_made_at_once_do_not_share_a_count() {
    for world in World::both() {
        world.sign_up(ANA).await;
        let mut guesses = tokio::task::JoinSet::new();
        for n in 0..12 {
            let identity = world.identity.clone();
            let guess = sign_in_form(ANA, &format!("wrong password {n}"));
            guesses.spawn(async move { identity.sign_in(guess, &RequestContext::default()).await });
        }
        let outcomes = guesses.join_all().await;
        let looked_at = outcomes.iter().filter(|o| matches!(o, Err(SignInError::WrongCredentials))).count();
        assert_eq!(looked_at, 5);
    }
}

#[tokio::test]
async fn sessions_slide_end_and_are_replaced() {
    let world = World::new();
    let (_, context) = world.sign_up(ANA).await;
    world.clock.forward(SESSION_IDLE - Duration::seconds(1));
    assert!(world.identity.session(&context).await.unwrap().is_some());
    // Using it moves it on and sends the cookie again.
    let answer = world.identity.authorize(&crate::testing::authorize_query(&[]), &context).await.unwrap();
    assert!(answer.set_cookies[0].contains("Max-Age=1209600"), "{:?}", answer.set_cookies);
    world.clock.forward(SESSION_IDLE - Duration::seconds(1));
    assert!(world.identity.session(&context).await.unwrap().is_some());
    world.clock.forward(Duration::seconds(1));
    assert!(world.identity.session(&context).await.unwrap().is_none(), "14 days without use");

    let (_, first) = world.sign_in(ANA, PASSWORD).await.unwrap();
    let second = world.identity.sign_in(sign_in_form(ANA, PASSWORD), &first).await.unwrap();
    let second = browser(&second.set_cookies);
    assert!(world.identity.session(&first).await.unwrap().is_none(), "the old cookie is worth nothing");
    let out = world.identity.sign_out(&second).await.unwrap();
    assert!(out.set_cookies[0].contains("Max-Age=0"));
    assert!(world.identity.session(&second).await.unwrap().is_none());
}

#[tokio::test]
async fn verification_needs_the_mailbox_and_the_password() {
    let world = World::new();
    let (_, context) = world.sign_up(ANA).await;
    let token = link(&world, "verifyUrl");
    // A mail scanner opens the link.
    let scanner = world.identity.open_verification(&token, &RequestContext::default()).await.unwrap();
    assert_eq!(scanner.location, "/signin?notice=signInToVerify");
    assert!(!world.identity.session(&context).await.unwrap().unwrap().account.email_verified);
    // So does somebody signed in to another account.
    let (_, other) = world.sign_up("bob@example.test").await;
    let stranger = world.identity.open_verification(&token, &other).await.unwrap();
    assert_eq!(stranger.location, "/signin?notice=signInToVerify");
    assert!(!world.identity.session(&other).await.unwrap().unwrap().account.email_verified);
    // The person, on another device: the link waits in a cookie for the sign-in.
    let waiting = browser(&scanner.set_cookies);
    let signed_in = world.identity.sign_in(sign_in_form(ANA, PASSWORD), &waiting).await.unwrap();
    assert!(signed_in.email_verified);
    assert!(signed_in.set_cookies[0].starts_with("portage_verify=;"));
    // Opening it again is no error.
    let again = world.identity.open_verification(&token, &context).await.unwrap();
    assert_eq!(again.location, "/profile?notice=emailVerified");
    let dead = world.identity.open_verification("nonsense", &context).await.unwrap();
    assert_eq!(dead.location, "/signin?notice=linkDead");
}

#[tokio::test]
async fn verification_in_the_same_browser_is_one_click() {
    let world = World::new();
    let (_, context) = world.sign_up(ANA).await;
    let old = link(&world, "verifyUrl");
    world.identity.resend_verification(&context).await.unwrap();
    let token = link(&world, "verifyUrl");
    world.identity.resend_verification(&context).await.unwrap();
    assert!(world.mails().is_empty(), "one mail a minute");
    let landing = world.identity.open_verification(&old, &context).await.unwrap();
    assert_eq!(landing.location, "/signin?notice=linkDead", "a newer link replaced it");
    let landing = world.identity.open_verification(&token, &context).await.unwrap();
    assert_eq!(landing.location, "/profile?notice=emailVerified");
    assert!(world.identity.session(&context).await.unwrap().unwrap().account.email_verified);
    world.clock.forward(Duration::minutes(2));
    world.identity.resend_verification(&context).await.unwrap();
    assert!(world.mails().is_empty(), "nothing left to verify");
    assert!(matches!(
        world.identity.resend_verification(&RequestContext::default()).await,
        Err(ResendError::NotSignedIn)
    ));
}

/// The first minute of a colleague: the link leads to where they work, also after a sign-in in another browser.
#[tokio::test]
async fn the_link_of_a_colleague_leads_to_the_dashboard() {
    for (role, works) in
        [(MemberRole::Admin, true), (MemberRole::Ops, true), (MemberRole::Mate, true), (MemberRole::Partner, false)]
    {
        let world = World::new();
        let member = Member {
            id: kernel::OpsMemberId(kernel::uuid::Uuid::from_u128(7)),
            email: ANA.parse().unwrap(),
            first_name: "Ana".into(),
            last_name: "Roy".into(),
            role,
            partner_id: None,
            mate_id: None,
            created_at: world.identity.now(),
            version: 1,
        };
        world.store.write(move |u| u.members().insert(&member)).await.unwrap();
        let (_, context) = world.sign_up(ANA).await;
        let token = link(&world, "verifyUrl");
        let elsewhere = world.identity.open_verification(&token, &RequestContext::default()).await.unwrap();
        let on = if works { "&returnTo=%2Fdashboard%2F" } else { "" };
        assert_eq!(elsewhere.location, format!("/signin?notice=signInToVerify{on}"));
        let landing = world.identity.open_verification(&token, &context).await.unwrap();
        let own = if works { "/dashboard/" } else { "/profile" };
        assert_eq!(landing.location, format!("{own}?notice=emailVerified"));
    }
}

fn forgot(email: &str) -> ForgotPassword {
    serde_json::from_value(serde_json::json!({ "email": email })).unwrap()
}

fn reset(token: &str, password: &str) -> ResetPassword {
    serde_json::from_value(serde_json::json!({ "token": token, "password": password })).unwrap()
}

#[tokio::test]
async fn a_reset_link_works_once_and_throws_everybody_out() {
    let world = World::new();
    let none = RequestContext::default();
    let (_, context) = world.sign_up(ANA).await;
    let tokens = world.redeem(&world.code(&context).await).await;
    world.mails();

    world.identity.forgot_password(forgot("nobody@example.test"), &none).await.unwrap();
    assert!(world.mails().is_empty());
    world.identity.forgot_password(forgot(ANA), &none).await.unwrap();
    let mails = world.mails();
    // An instant is written as the reader reads it, and nobody is greeted by a name somebody else may have chosen.
    let until = mails[0].values["expiresAt"].as_str().unwrap();
    assert!(until.contains(" à ") && until.ends_with("(heure de Montréal)"), "{until}");
    assert!(mails[0].values["customerFirstName"].is_null());
    let token = param(mails[0].values["resetUrl"].as_str().unwrap(), "token").unwrap();
    world.identity.forgot_password(forgot(ANA), &none).await.unwrap();
    assert!(world.mails().is_empty(), "one mail a minute");

    let weak = world.identity.reset_password(reset(&token, "short"), &none).await.unwrap_err();
    assert!(matches!(weak, ResetPasswordError::Invalid(_)));
    world.identity.reset_password(reset(&token, "a newer password"), &none).await.unwrap();
    let twice = world.identity.reset_password(reset(&token, "the newest password"), &none).await.unwrap_err();
    assert!(matches!(twice, ResetPasswordError::LinkDead));

    assert!(world.identity.session(&context).await.unwrap().is_none());
    let refreshed = world.refresh(tokens.body["refresh_token"].as_str().unwrap()).await;
    assert_eq!(refreshed.body["error"], "invalid_grant");
    assert!(matches!(world.sign_in(ANA, PASSWORD).await, Err(SignInError::WrongCredentials)));
    let (signed_in, _) = world.sign_in(ANA, "a newer password").await.unwrap();
    assert!(signed_in.email_verified, "the link reached the mailbox");
}

#[tokio::test]
async fn reset_links_grow_old_and_one_use_ends_them_all() {
    let world = World::new();
    let none = RequestContext::default();
    world.sign_up(ANA).await;
    world.identity.forgot_password(forgot(ANA), &none).await.unwrap();
    let first = link(&world, "resetUrl");
    world.clock.forward(Duration::minutes(2));
    world.identity.forgot_password(forgot(ANA), &none).await.unwrap();
    let second = link(&world, "resetUrl");
    // A stranger who asks for another one does not spoil the one the owner is about to open.
    world.identity.reset_password(reset(&first, "a newer password"), &none).await.unwrap();
    let spent = world.identity.reset_password(reset(&second, "a third password"), &none).await;
    assert!(matches!(spent, Err(ResetPasswordError::LinkDead)));
    world.identity.forgot_password(forgot(ANA), &none).await.unwrap();
    let third = link(&world, "resetUrl");
    world.clock.forward(RESET_LINK);
    let late = world.identity.reset_password(reset(&third, "a third password"), &none).await;
    assert!(matches!(late, Err(ResetPasswordError::LinkDead)));
}

#[tokio::test]
async fn two_resets_at_once_are_one() {
    for world in World::both() {
        world.sign_up(ANA).await;
        world.identity.forgot_password(forgot(ANA), &RequestContext::default()).await.unwrap();
        let token = link(&world, "resetUrl");
        let mut both = tokio::task::JoinSet::new();
        for n in 0..4 {
            let (identity, form) = (world.identity.clone(), reset(&token, &format!("a newer password {n}")));
            both.spawn(async move { identity.reset_password(form, &RequestContext::default()).await });
        }
        let done = both.join_all().await.iter().filter(|o| o.is_ok()).count();
        assert_eq!(done, 1);
    }
}

#[tokio::test]
async fn changing_the_password_keeps_this_browser_only() {
    let world = World::new();
    let (_, here) = world.sign_up(ANA).await;
    let (_, there) = world.sign_in(ANA, PASSWORD).await.unwrap();
    let change = |current: &str, new: &str| -> ChangePassword {
        serde_json::from_value(serde_json::json!({ "currentPassword": current, "password": new })).unwrap()
    };
    let wrong = world.identity.change_password(change("not this one", "a newer password"), &here).await.unwrap_err();
    assert!(matches!(wrong, ChangePasswordError::Invalid(l) if l[0].code == FieldCode::PasswordWrong));
    let set = world.identity.change_password(change(PASSWORD, "a newer password"), &here).await.unwrap();
    assert!(world.identity.session(&browser(&set.set_cookies)).await.unwrap().is_some());
    assert!(world.identity.session(&there).await.unwrap().is_none());
    assert!(world.identity.session(&here).await.unwrap().is_none(), "a copy of this browser's cookie is worth nothing");
    world.sign_in(ANA, "a newer password").await.unwrap();
    let nobody = world.identity.change_password(change("x", "a newer password"), &RequestContext::default()).await;
    assert!(matches!(nobody, Err(ChangePasswordError::NotSignedIn)));
}

#[tokio::test]
async fn a_disabled_account_is_out_at_once() {
    let world = World::new();
    let (signed_in, context) = world.sign_up(ANA).await;
    let tokens = world.redeem(&world.code(&context).await).await;
    let (id, now) = (signed_in.user_id, world.identity.now());
    world.store.write(move |u| u.accounts().set_disabled(id, Some(now), now)).await.unwrap();
    assert!(world.identity.session(&context).await.unwrap().is_none());
    assert!(matches!(world.sign_in(ANA, PASSWORD).await, Err(SignInError::WrongCredentials)));
    assert_eq!(world.refresh(tokens.body["refresh_token"].as_str().unwrap()).await.status, 400);
    let token = world.identity.verifier().verify(tokens.body["access_token"].as_str().unwrap()).await.unwrap();
    let directory = Directory::new(world.store.clone(), world.clock.clone(), world.entropy.clone());
    assert!(matches!(directory.resolve(&token).await, Err(ResolveError::NoAccount)));
}

#[tokio::test]
async fn provisioning_is_repeatable() {
    let world = World::new();
    let wanted = || Provision {
        email: "ops@portage.test".parse().unwrap(),
        password: "portage-demo-2027".to_owned().into(),
        first_name: "Olive".into(),
        last_name: "Tremblay".into(),
        phone: None,
        language: kernel::Language::En,
        email_verified: true,
    };
    let (id, made) = world.identity.provision(wanted()).await.unwrap();
    assert!(made);
    assert_eq!(world.identity.provision(wanted()).await.unwrap(), (id, false));
    assert!(world.mails().is_empty());
    let (signed_in, _) = world.sign_in("ops@portage.test", "portage-demo-2027").await.unwrap();
    assert!(signed_in.email_verified);
}

fn external(email: Option<&str>, verified: bool) -> VerifiedToken {
    VerifiedToken {
        issuer: "https://id.example/".into(),
        subject: "auth0|1".into(),
        email: email.map(|e| e.parse().unwrap()),
        email_verified: verified,
        name: Some("Ana María Roy".into()),
        given_name: None,
        family_name: None,
        language: Some(kernel::Language::Zh),
        scopes: vec![],
        client: false,
        issued: None,
    }
}

#[tokio::test]
async fn people_of_an_external_provider_get_one_account() {
    for world in World::both() {
        let directory = Directory::new(world.store.clone(), world.clock.clone(), world.entropy.clone());
        let mut first_calls = tokio::task::JoinSet::new();
        for _ in 0..4 {
            let directory = directory.clone();
            first_calls.spawn(async move { directory.resolve(&external(Some(ANA), false)).await.unwrap().id });
        }
        let ids = first_calls.join_all().await;
        assert!(ids.iter().all(|id| id == &ids[0]), "{ids:?}");
        let id = ids[0];
        let profile = world.store.read(move |u| u.profiles().get(id)).await.unwrap().unwrap();
        assert_eq!((profile.first_name.as_str(), profile.last_name.as_str()), ("Ana", "María Roy"));

        let verified = directory.resolve(&external(Some("ana.roy@example.test"), true)).await.unwrap();
        assert_eq!((verified.id, verified.email_verified), (id, true));
        let silent = directory.resolve(&external(None, false)).await.unwrap();
        assert!(silent.email_verified, "a token that says nothing of the address takes nothing away");
        // The same address at the embedded provider is another account: addresses are no key.
        let (embedded, _) = world.sign_up("ana.roy@example.test").await;
        assert_ne!(embedded.user_id, id);
        let machine = VerifiedToken { client: true, ..external(None, false) };
        assert!(matches!(directory.resolve(&machine).await, Err(ResolveError::NoAccount)));
        // Its sessions are not ours; whether the account may come in is.
        let now = world.identity.now();
        world.store.write(move |u| u.accounts().set_disabled(id, Some(now), now)).await.unwrap();
        let locked_out = directory.resolve(&external(Some(ANA), true)).await;
        assert!(matches!(locked_out, Err(ResolveError::NoAccount)));
        let kept = world.store.read(move |u| u.accounts().get(id)).await.unwrap().unwrap();
        assert_eq!(kept.email, verified.email, "who is locked out changes nothing");
    }
}

#[tokio::test]
async fn audit_rows_carry_the_role_and_the_request() {
    let world = World::new();
    let member = Member {
        id: kernel::OpsMemberId(kernel::uuid::Uuid::from_u128(7)),
        email: "ops@portage.test".parse().unwrap(),
        first_name: "Olive".into(),
        last_name: "T".into(),
        role: MemberRole::Ops,
        partner_id: None,
        mate_id: None,
        created_at: world.identity.now(),
        version: 1,
    };
    world.store.write(move |u| u.members().insert(&member)).await.unwrap();
    // Unverified: whoever took the address first is a customer.
    let (_, context) = world.sign_up("ops@portage.test").await;
    let session = world.identity.session(&context).await.unwrap().unwrap();
    world.identity.sign_out(&context).await.unwrap();
    let key = session.session.id.to_string();
    let rows = world.store.read(move |u| u.audits().of_subject("session", &key)).await.unwrap();
    assert_eq!((acted::code(rows[0].role), rows[0].action.as_str()), ("customer", "session.end"));
    assert_eq!(rows[0].request_id.as_deref(), Some("r-1"));
}

#[tokio::test]
async fn the_past_is_swept_away() {
    for world in World::both() {
        let (_, context) = world.sign_up(ANA).await;
        world.redeem(&world.code(&context).await).await;
        let sweep = async || {
            let now = service::ports::Clock::now(&*world.clock);
            world.store.write(move |u| service::accounts::forget(u, now)).await.unwrap()
        };
        assert_eq!(sweep().await, 0);
        world.clock.forward(Duration::days(16));
        // Session, code, grant and verification link.
        assert_eq!(sweep().await, 4);
        assert_eq!(sweep().await, 0);
    }
}

#[tokio::test]
async fn what_a_provider_tells_later_is_taken_over() {
    for world in World::both() {
        let directory = Directory::new(world.store.clone(), world.clock.clone(), world.entropy.clone());
        // The first access token has no address: an account, and no profile.
        let bare = VerifiedToken { name: None, ..external(None, false) };
        let account = directory.resolve(&bare).await.unwrap();
        let id = account.id;
        let profile = async || world.store.read(move |u| u.profiles().get(id)).await.unwrap();
        assert!(account.email.is_none() && profile().await.is_none());
        let learned = directory.learn(external(Some(ANA), true), Some("r-1".to_owned())).await.unwrap();
        assert_eq!((learned.id, learned.email_verified), (account.id, true));
        let first = profile().await.unwrap();
        assert_eq!(first.email.as_str(), ANA);
        // Nothing new changes nothing, the version of the profile included.
        world.clock.forward(Duration::minutes(1));
        directory.learn(external(Some(ANA), true), None).await.unwrap();
        assert_eq!(profile().await.unwrap(), first);
        // A new address follows; names a person has are theirs.
        let renamed =
            VerifiedToken { name: Some("Somebody Else".to_owned()), ..external(Some("new@example.test"), false) };
        let moved = directory.learn(renamed, None).await.unwrap();
        assert!(!moved.email_verified);
        let now = profile().await.unwrap();
        assert_eq!(
            (now.email.as_str(), &now.first_name, &now.last_name),
            ("new@example.test", &first.first_name, &first.last_name)
        );
        let trail = world.store.read(move |u| u.audits().of_subject("account", &id.to_string())).await.unwrap();
        assert_eq!(trail.iter().filter(|row| row.action == "account.follow").count(), 2, "{trail:?}");
    }
}
