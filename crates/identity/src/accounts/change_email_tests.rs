//! Another address for an account: asked for, confirmed, and everything that may come in between.

use kernel::{Language, UserId, chrono::Duration, uuid::Uuid};
use secrecy::SecretString;
use service::ports::{
    StoreError, Unit,
    members::{Member, MemberRole},
};

use super::*;
use crate::{
    MailRequest, RequestContext,
    testing::{PASSWORD, World, param},
};

const ANA: &str = "ana@example.test";
const NEW: &str = "Ana.Roy@example.test";
const EVA: &str = "eva@example.test";

async fn ask(world: &World, context: &RequestContext, email: &str) -> Result<(), ChangeEmailError> {
    let form = ChangeEmail { current_password: PASSWORD.into(), email: email.to_owned() };
    world.identity.change_email(form, context).await
}

/// The link that went to an address, of the mails since the last look; none when the mail has none.
fn link_to(mails: &[MailRequest], to: &str) -> Option<String> {
    let mail = mails.iter().rfind(|m| m.template == "emailChange" && m.to.as_str() == to)?;
    param(mail.values["confirmUrl"].as_str()?, "token")
}

async fn change_link(world: &World, context: &RequestContext, email: &str) -> String {
    world.mails();
    ask(world, context, email).await.unwrap();
    link_to(&world.mails(), email).unwrap()
}

async fn open(world: &World, token: &str, context: &RequestContext) -> String {
    world.identity.open_email_change(token, context).await.unwrap().location
}

async fn read<T: Send + 'static>(
    world: &World,
    f: impl FnOnce(&mut dyn Unit) -> Result<T, StoreError> + Send + 'static,
) -> T {
    world.store.read(f).await.unwrap()
}

async fn address_of(world: &World, user: UserId) -> (String, bool, String) {
    read(world, move |u| {
        let account = u.accounts().get(user)?.unwrap();
        let profile = u.profiles().get(user)?.unwrap();
        Ok((account.email.unwrap().to_string(), account.email_verified, profile.email.to_string()))
    })
    .await
}

#[tokio::test]
async fn it_counts_once_the_link_is_opened_and_the_old_address_is_told() {
    for world in World::both() {
        let (person, context) = world.sign_up(ANA).await;
        let user = person.user_id;
        world.mails();
        ask(&world, &context, NEW).await.unwrap();
        let mails = world.mails();
        let told: Vec<_> = mails.iter().map(|m| (m.template, m.to.as_str(), m.language)).collect();
        assert_eq!(told, [("emailChange", NEW, Language::Fr), ("emailChangeNotice", ANA, Language::Fr)]);
        assert_eq!(mails[0].to_name, NEW, "a stranger's mailbox, perhaps: nobody's name stands there");
        assert!(mails[1].values["changedAt"].is_null());
        assert_eq!(mails[1].values["newAddress"], "A***@example.test");
        assert_eq!(address_of(&world, user).await, (ANA.to_owned(), false, ANA.to_owned()), "nothing has changed");
        let key = NEW.to_lowercase();
        assert_eq!(world.identity.pending_email(user).await.unwrap(), Some(key.clone()));
        world.sign_in(ANA, PASSWORD).await.unwrap();

        let token = link_to(&mails, NEW).unwrap();
        assert_eq!(open(&world, &token, &context).await, "/profile?notice=emailChanged");
        assert_eq!(address_of(&world, user).await, (key.clone(), true, key.clone()));
        assert_eq!(world.identity.pending_email(user).await.unwrap(), None);
        let mails = world.mails();
        assert_eq!((mails.len(), mails[0].template, mails[0].to.as_str()), (1, "emailChangeNotice", ANA));
        assert!(mails[0].values["changedAt"].is_string());
        // The session follows, the old address opens nothing.
        assert!(world.identity.session(&context).await.unwrap().is_some());
        assert!(matches!(world.sign_in(ANA, PASSWORD).await, Err(SignInError::WrongCredentials)));
        world.sign_in(NEW, PASSWORD).await.unwrap();
        // Twice is once.
        assert_eq!(open(&world, &token, &context).await, "/profile?notice=emailChanged");
        assert!(world.mails().is_empty());
        let trail = read(&world, move |u| u.audits().of_subject("email", &user.to_string())).await;
        let actions: Vec<_> = trail.iter().map(|r| r.action.as_str()).collect();
        assert_eq!(actions, ["email.ask", "email.change"]);
    }
}

#[tokio::test]
async fn the_link_alone_gives_nobody_anything() {
    let world = World::new();
    let (person, context) = world.sign_up(ANA).await;
    let token = change_link(&world, &context, NEW).await;
    let (_, eve) = world.sign_up(EVA).await;
    // A scanner of mails, and somebody signed in to another account.
    let nobody = open(&world, &token, &RequestContext::default()).await;
    let back = format!("/signin?notice=signInToChangeEmail&returnTo=%2Fidentity%2Fchange-email%3Ftoken%3D{token}");
    assert_eq!(nobody, back);
    assert_eq!(open(&world, &token, &eve).await, "/profile?notice=emailLinkDead");
    assert_eq!(address_of(&world, person.user_id).await.0, ANA);
    // The owner comes back and it works.
    let (_, again) = world.sign_in(ANA, PASSWORD).await.unwrap();
    assert_eq!(open(&world, &token, &again).await, "/profile?notice=emailChanged");
    for (token, context, want) in [
        ("nonsense", &again, "/profile?notice=emailLinkDead"),
        ("nonsense", &RequestContext::default(), "/signin?notice=linkDead"),
        (token.as_str(), &RequestContext::default(), "/signin?notice=linkDead"),
    ] {
        assert_eq!(open(&world, token, context).await, want);
    }
}

#[tokio::test]
async fn a_later_wish_a_new_password_and_time_end_a_link() {
    let world = World::new();
    let (person, context) = world.sign_up(ANA).await;
    let first = change_link(&world, &context, NEW).await;
    let second = change_link(&world, &context, "other@example.test").await;
    assert_eq!(open(&world, &first, &context).await, "/profile?notice=emailLinkDead", "the later wish counts");
    world.clock.forward(CHANGE_LINK);
    assert_eq!(world.identity.pending_email(person.user_id).await.unwrap(), None);
    assert_eq!(open(&world, &second, &context).await, "/profile?notice=emailLinkDead", "a day later");
    let third = change_link(&world, &context, NEW).await;
    let form = ChangePassword { current_password: PASSWORD.into(), password: "another long one".into() };
    let set = world.identity.change_password(form, &context).await.unwrap();
    let fresh = crate::testing::browser(&set.set_cookies);
    assert_eq!(open(&world, &third, &fresh).await, "/profile?notice=emailLinkDead", "who is out stays out");
    assert_eq!(address_of(&world, person.user_id).await.0, ANA);
}

#[tokio::test]
async fn whether_an_address_has_an_account_is_told_to_its_mailbox_only() {
    let world = World::new();
    let (person, context) = world.sign_up(ANA).await;
    world.sign_up(EVA).await;
    world.mails();
    ask(&world, &context, EVA).await.unwrap();
    let taken = world.mails();
    assert_eq!(world.identity.pending_email(person.user_id).await.unwrap().as_deref(), Some(EVA), "it reads alike");
    ask(&world, &context, NEW).await.unwrap();
    let free = world.mails();
    assert!(taken[0].values["confirmUrl"].is_null() && free[0].values["confirmUrl"].is_string());
    let told = |mails: &[MailRequest]| mails.iter().map(|m| m.template).collect::<Vec<_>>();
    assert_eq!(told(&taken), ["emailChange", "emailChangeNotice"]);
    // The notice to the old address comes less and less often.
    assert_eq!(told(&free), ["emailChange"]);
}

#[tokio::test]
async fn an_address_that_was_taken_meanwhile_stays_with_whoever_has_it() {
    for world in World::both() {
        let (ana, context) = world.sign_up(ANA).await;
        let token = change_link(&world, &context, NEW).await;
        let (other, _) = world.sign_up(NEW).await;
        assert_eq!(open(&world, &token, &context).await, "/profile?notice=emailTaken");
        assert_eq!(address_of(&world, ana.user_id).await.0, ANA);
        assert_eq!(address_of(&world, other.user_id).await.0, NEW);
        world.sign_in(ANA, PASSWORD).await.unwrap();
    }
}

#[tokio::test]
async fn of_two_accounts_that_take_one_address_at_once_one_has_it() {
    for world in World::both() {
        let (ana, first) = world.sign_up(ANA).await;
        let (eva, second) = world.sign_up(EVA).await;
        let of_ana = change_link(&world, &first, NEW).await;
        // Mails to one address have their minute.
        world.clock.forward(Duration::minutes(2));
        let of_eva = change_link(&world, &second, NEW).await;
        let (a, b) = tokio::join!(open(&world, &of_ana, &first), open(&world, &of_eva, &second));
        let mut both = [a, b];
        both.sort();
        assert_eq!(both, ["/profile?notice=emailChanged", "/profile?notice=emailTaken"]);
        let key = NEW.to_lowercase();
        let (a, b) = (address_of(&world, ana.user_id).await.0, address_of(&world, eva.user_id).await.0);
        assert!((a == key && b == EVA) || (a == ANA && b == key), "{a} {b}");
        world.sign_in(NEW, PASSWORD).await.unwrap();
    }
}

#[tokio::test]
async fn one_link_opened_in_two_tabs_at_once_is_one_change() {
    for world in World::both() {
        let (_, context) = world.sign_up(ANA).await;
        let token = change_link(&world, &context, NEW).await;
        let (a, b) = tokio::join!(open(&world, &token, &context), open(&world, &token, &context));
        assert_eq!((a.as_str(), b.as_str()), ("/profile?notice=emailChanged", "/profile?notice=emailChanged"));
        assert_eq!(world.mails().len(), 1, "the old address is told once");
    }
}

#[tokio::test]
async fn what_is_asked_wrongly_is_told() {
    let world = World::new();
    let (_, context) = world.sign_up(ANA).await;
    world.mails();
    let told = |e: ChangeEmailError| match e {
        ChangeEmailError::Invalid(list) => list.iter().map(|e| (e.field, e.code.code())).collect::<Vec<_>>(),
        other => panic!("{other}"),
    };
    for (email, code) in [("", "required"), ("ana", "invalid"), ("ANA@Example.test", "email_same")] {
        assert_eq!(told(ask(&world, &context, email).await.unwrap_err()), [("email", code)]);
    }
    assert!(matches!(ask(&world, &RequestContext::default(), NEW).await, Err(ChangeEmailError::NotSignedIn)));
    let guess = |n: i32| ChangeEmail { current_password: SecretString::from(format!("guess {n}")), email: NEW.into() };
    for n in 0..5 {
        let wrong = world.identity.change_email(guess(n), &context).await.unwrap_err();
        assert_eq!(told(wrong), [("currentPassword", "password_wrong")]);
    }
    let locked = ask(&world, &context, NEW).await.unwrap_err();
    assert!(matches!(locked, ChangeEmailError::TooManyAttempts { retry_after: 1..=31 }), "{locked:?}");
    assert!(world.mails().is_empty());
}

#[tokio::test]
async fn a_role_does_not_get_lost() {
    let world = World::new();
    let (person, context) = world.sign_up(ANA).await;
    let token = change_link(&world, &context, NEW).await;
    let user = person.user_id;
    let member = Member {
        id: kernel::OpsMemberId(Uuid::from_u128(7)),
        email: ANA.parse().unwrap(),
        first_name: "Ana".into(),
        last_name: "Roy".into(),
        role: MemberRole::Ops,
        partner_id: None,
        mate_id: None,
        created_at: "2027-01-01T00:00:00Z".parse().unwrap(),
        version: 1,
    };
    let now = world.identity.now();
    let written: Result<(), StoreError> = world
        .store
        .write(move |u| {
            u.members().insert(&member)?;
            u.accounts().set_email(user, Some(&ANA.parse().unwrap()), true, now)
        })
        .await;
    written.unwrap();
    assert_eq!(open(&world, &token, &context).await, "/profile?notice=emailHoldsRole", "given since it was asked");
    world.clock.forward(Duration::minutes(5));
    assert!(matches!(ask(&world, &context, NEW).await, Err(ChangeEmailError::HoldsRole)));
    assert_eq!(address_of(&world, user).await.0, ANA);
}

#[tokio::test]
async fn links_in_the_old_mailbox_open_nothing_any_more() {
    let world = World::new();
    let (_, context) = world.sign_up(ANA).await;
    world.identity.forgot_password(ForgotPassword { email: ANA.into() }, &context).await.unwrap();
    let mails = world.mails();
    let of = |template: &str, key: &str| {
        let mail = mails.iter().find(|m| m.template == template).unwrap();
        param(mail.values[key].as_str().unwrap(), "token").unwrap()
    };
    let (reset, verify) = (of("passwordReset", "resetUrl"), of("welcome", "verifyUrl"));
    let token = change_link(&world, &context, NEW).await;
    assert_eq!(open(&world, &token, &context).await, "/profile?notice=emailChanged");
    let form = ResetPassword { token: reset, password: "another long one".into() };
    let told = world.identity.reset_password(form, &RequestContext::default()).await;
    assert!(matches!(told, Err(ResetPasswordError::LinkDead)), "{told:?}");
    let landed = world.identity.open_verification(&verify, &RequestContext::default()).await.unwrap();
    assert_eq!(landed.location, "/signin?notice=linkDead");
}
