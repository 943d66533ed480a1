//! What strangers try: guesses from everywhere, mails without end, somebody else's address.

use std::net::IpAddr;

use kernel::{
    UserId,
    chrono::{DateTime, Duration, Utc},
};
use service::ports::{
    StoreError,
    identity::{Account, Session, SessionEnd},
};

use super::*;
use crate::{
    RequestContext, cookie, secret,
    testing::{PASSWORD, World, browser, param, sign_in_form, sign_up_form},
};

const ANA: &str = "ana@example.test";
const NEW: &str = "a newer password";

fn from(address: &str) -> RequestContext {
    RequestContext { address: Some(address.parse().unwrap()), ..RequestContext::default() }
}

/// One of many networks.
fn network(n: u32) -> RequestContext {
    RequestContext {
        address: Some(IpAddr::from(((0x2001_0db8_u128 << 96) | (u128::from(n) << 64)).to_be_bytes())),
        ..from("::1")
    }
}

async fn guess(world: &World, context: &RequestContext, password: &str) -> Result<SignedIn, SignInError> {
    world.identity.sign_in(sign_in_form(ANA, password), context).await
}

fn waits(told: &Result<SignedIn, SignInError>) -> Option<i64> {
    match told {
        Err(SignInError::TooManyAttempts { retry_after, .. }) => Some(*retry_after),
        _ => None,
    }
}

fn forgot(email: &str) -> ForgotPassword {
    serde_json::from_value(serde_json::json!({ "email": email })).unwrap()
}

fn reset(token: &str, password: &str) -> ResetPassword {
    serde_json::from_value(serde_json::json!({ "token": token, "password": password })).unwrap()
}

/// The tokens of the links of one kind in the mails since the last look.
fn links(world: &World, value: &str) -> Vec<String> {
    let urls = world.mails().into_iter().filter_map(|m| m.values[value].as_str().map(str::to_owned));
    urls.map(|url| param(&url, "token").unwrap()).collect()
}

async fn account(world: &World, id: UserId) -> Account {
    world.store.read(move |u| u.accounts().get(id)).await.map_err(|e: StoreError| e).unwrap().unwrap()
}

async fn session_of(world: &World, context: &RequestContext) -> Session {
    let hash = secret::hash(context.session.as_ref().unwrap());
    world.store.read(move |u| u.sessions().by_token(&hash)).await.map_err(|e: StoreError| e).unwrap().unwrap()
}

#[tokio::test]
async fn one_networks_guesses_are_its_own_affair() {
    for world in World::both() {
        world.sign_up(ANA).await;
        let stranger = from("198.51.100.9");
        // A wrong guess every quarter of an hour, for a day.
        for _ in 0..100 {
            let _ = guess(&world, &stranger, "not this one").await;
            world.clock.forward(Duration::minutes(15));
        }
        let _ = guess(&world, &stranger, "not this one").await;
        assert!(waits(&guess(&world, &stranger, PASSWORD).await).is_some());
        // The owner has never been here before, and does not even wait.
        guess(&world, &from("203.0.113.7"), PASSWORD).await.unwrap();
    }
}

#[tokio::test]
async fn guesses_from_a_thousand_networks_cost_others_a_wait_and_the_own_browser_nothing() {
    let world = World::new();
    let (_, own) = world.sign_up(ANA).await;
    let mut looked_at = 0;
    for n in 0..400 {
        let told = guess(&world, &network(n), "not this one").await;
        looked_at += i32::from(waits(&told).is_none());
    }
    assert_eq!(looked_at, 100, "then each network waits before it is looked at");
    // A browser that has signed in before, from any of them.
    let own = RequestContext { session: None, address: network(3).address, ..own };
    guess(&world, &own, "a slip of the finger").await.unwrap_err();
    assert_eq!(waits(&guess(&world, &own, PASSWORD).await), None);

    // The success cleared the account's counter; strangers fill it again.
    for n in 1_000..1_400 {
        let _ = guess(&world, &network(n), "not this one").await;
    }
    // The owner on a new device waits once, whatever strangers do meanwhile, and is in.
    let new = from("203.0.113.7");
    let wait = waits(&guess(&world, &new, PASSWORD).await).unwrap();
    assert!((1..=901).contains(&wait), "{wait}");
    for n in 2_000..2_100 {
        let _ = guess(&world, &network(n), "not this one").await;
    }
    world.clock.forward(Duration::seconds(wait));
    guess(&world, &new, PASSWORD).await.unwrap();
}

#[tokio::test]
async fn a_known_browser_is_no_way_to_guess_without_end() {
    let world = World::new();
    let (_, own) = world.sign_up(ANA).await;
    let thief = RequestContext { session: None, ..own.clone() };
    for _ in 0..5 {
        assert_eq!(waits(&guess(&world, &thief, "not this one").await), None);
    }
    assert!(waits(&guess(&world, &thief, "not this one").await).is_some());
    // It is known to this account only, and not to one with another password since.
    world.sign_up("bob@example.test").await;
    let bobs = world.identity.sign_in(sign_in_form("bob@example.test", "not this one"), &thief).await;
    assert!(matches!(bobs, Err(SignInError::WrongCredentials)));
    // A forged or a stranger's cookie is as good as none.
    for forged in ["x", "a.b.c", own.session.as_deref().unwrap()] {
        let context = RequestContext { device: Some(forged.to_owned()), ..from("203.0.113.7") };
        assert!(guess(&world, &context, "not this one").await.is_err());
    }
}

#[tokio::test]
async fn one_browser_remembers_a_household() {
    let world = World::new();
    let (_, mut here) = world.sign_up(ANA).await;
    for email in ["bob@example.test", "cleo@example.test", "dan@example.test"] {
        let made = world.identity.sign_up(sign_up_form(email, PASSWORD), &here).await.unwrap();
        here = browser(&made.set_cookies);
    }
    let tokens: Vec<String> = here.device.as_deref().unwrap().split('~').map(str::to_owned).collect();
    assert_eq!(tokens.len(), 3, "the last three");
    assert!(here.device.as_deref().unwrap().len() < 1_500);
    let set = world.sign_in(ANA, PASSWORD).await.unwrap().0.set_cookies;
    let device = set.iter().find(|c| c.starts_with(cookie::DEVICE)).unwrap();
    assert!(device.contains("HttpOnly") && device.contains("Max-Age=31536000"), "{device}");
    // An access token is no device, and a device no access token.
    assert!(world.identity.verifier().verify(&tokens[0]).await.is_err());
}

#[tokio::test]
async fn whoever_asks_for_mails_neither_fills_the_mailbox_nor_spoils_the_link_in_it() {
    for world in World::both() {
        let (_, own) = world.sign_up(ANA).await;
        world.mails();
        let mut mailed: Vec<(DateTime<Utc>, String)> = Vec::new();
        for n in 0..24 * 60 {
            world.identity.forgot_password(forgot(ANA), &network(n)).await.unwrap();
            mailed.extend(links(&world, "resetUrl").into_iter().map(|link| (world.identity.now(), link)));
            world.clock.forward(Duration::minutes(1));
            if n >= 180 {
                break;
            }
        }
        assert!((5..=12).contains(&mailed.len()), "{} mails in three hours", mailed.len());
        // At any time there is a link that works; and the own browser gets one at once.
        let (at, link) = mailed.last().unwrap();
        assert!(world.identity.now() - *at < RESET_LINK);
        let own = RequestContext { session: None, ..own };
        world.identity.forgot_password(forgot(ANA), &own).await.unwrap();
        assert_eq!(links(&world, "resetUrl").len(), 1);
        world.identity.reset_password(reset(link, NEW), &own).await.unwrap();
        world.sign_in(ANA, NEW).await.unwrap();
        // What strangers asked for does not hold up the next one.
        world.identity.forgot_password(forgot(ANA), &from("203.0.113.7")).await.unwrap();
        assert_eq!(links(&world, "resetUrl").len(), 1);
    }
}

#[tokio::test]
async fn one_network_cannot_write_to_the_whole_world() {
    let world = World::new();
    let sign_up = async |n: i32, context: RequestContext| {
        world.identity.sign_up(sign_up_form(&format!("p{n}@example.test"), PASSWORD), &context).await
    };
    for n in 0..60 {
        // Asking costs no mail here, but counts: nobody learns who has an account by the count.
        world.identity.forgot_password(forgot(&format!("n{n}@example.test")), &from("198.51.100.9")).await.unwrap();
    }
    let refused = sign_up(1, from("198.51.100.9")).await;
    assert!(matches!(refused, Err(SignUpError::TooMany { retry_after: 1..=3601 })));
    let refused = world.identity.forgot_password(forgot(ANA), &from("198.51.100.9")).await;
    assert!(matches!(refused, Err(ResetPasswordError::TooMany { .. })));
    sign_up(1, from("203.0.113.7")).await.unwrap();
    world.clock.forward(Duration::hours(1));
    sign_up(2, from("198.51.100.9")).await.unwrap();
}

#[tokio::test]
async fn a_forgotten_password_takes_as_long_for_nobody() {
    let world = World::new();
    world.sign_up(ANA).await;
    for email in [ANA, "nobody@example.test"] {
        let start = std::time::Instant::now();
        world.patient.forgot_password(forgot(email), &from("203.0.113.7")).await.unwrap();
        assert!(start.elapsed() >= FORGOT_TAKES, "{email}");
    }
}

#[tokio::test]
async fn the_owner_of_an_address_inherits_nothing_and_shares_nothing() {
    for world in World::both() {
        let (stranger, context) = world.sign_up(ANA).await;
        let verify = links(&world, "verifyUrl").remove(0);
        let none = RequestContext { language: kernel::Language::Zh, ..from("203.0.113.7") };
        world.identity.forgot_password(forgot(ANA), &none).await.unwrap();
        let link = links(&world, "resetUrl").remove(0);
        // A device that signed in to another account is no proof.
        let (_, other) = world.sign_up("bob@example.test").await;
        let elsewhere = RequestContext { language: kernel::Language::Zh, ..other };
        world.identity.reset_password(reset(&link, NEW), &elsewhere).await.unwrap();

        let old = account(&world, stranger.user_id).await;
        assert_eq!((old.email, old.email_verified, old.disabled_at.is_some()), (None, false, true));
        let (_, why) = session_of(&world, &context).await.ended.unwrap();
        assert_eq!(why, SessionEnd::AddressClaimed);
        assert!(world.identity.session(&context).await.unwrap().is_none());
        let dead = world.identity.open_verification(&verify, &context).await.unwrap();
        assert_eq!(dead.location, "/signin?notice=linkDead");
        assert!(matches!(world.sign_in(ANA, PASSWORD).await, Err(SignInError::WrongCredentials)));

        let (owner, _) = world.sign_in(ANA, NEW).await.unwrap();
        assert!(owner.email_verified && owner.user_id != stranger.user_id);
        let id = owner.user_id;
        let profile =
            world.store.read(move |u| u.profiles().get(id)).await.map_err(|e: StoreError| e).unwrap().unwrap();
        assert_eq!((profile.full_name().trim(), profile.language), ("", kernel::Language::Zh));
        assert_eq!(account(&world, id).await.terms_accepted_at, None);
    }
}

#[tokio::test]
async fn whoever_made_the_account_keeps_it() {
    for world in World::both() {
        // Ana signed up, booked, never opened the link, and forgot her password.
        let (ana, context) = world.sign_up(ANA).await;
        world.mails();
        let device = RequestContext { session: None, ..context.clone() };
        world.identity.forgot_password(forgot(ANA), &device).await.unwrap();
        let link = links(&world, "resetUrl").remove(0);
        let set = world.identity.reset_password(reset(&link, NEW), &device).await.unwrap();
        assert!(set.set_cookies[0].starts_with(cookie::DEVICE));
        let (again, _) = world.sign_in(ANA, NEW).await.unwrap();
        assert_eq!((again.user_id, again.email_verified), (ana.user_id, true));
        assert_eq!(session_of(&world, &context).await.ended.map(|(_, why)| why), Some(SessionEnd::PasswordReset));
        // A verified account is hers on any device.
        world.identity.forgot_password(forgot(ANA), &from("203.0.113.7")).await.unwrap();
        let link = links(&world, "resetUrl").remove(0);
        world.identity.reset_password(reset(&link, "a third password"), &from("203.0.113.7")).await.unwrap();
        assert_eq!(world.sign_in(ANA, "a third password").await.unwrap().0.user_id, ana.user_id);
    }
}

/// A sign-in with the old password that is under way while the password is set anew leaves no
/// session behind.
#[tokio::test]
async fn no_session_slips_past_a_new_password() {
    for world in World::both() {
        world.sign_up(ANA).await;
        world.mails();
        let mut password = PASSWORD.to_owned();
        for round in 0..6 {
            world.identity.forgot_password(forgot(ANA), &network(round)).await.unwrap();
            let link = links(&world, "resetUrl").remove(0);
            let next = format!("password number {round}");
            let mut late = tokio::task::JoinSet::new();
            for n in 0..4 {
                let (identity, form) = (world.identity.clone(), sign_in_form(ANA, &password));
                late.spawn(async move { identity.sign_in(form, &network(100 + 10 * round + n)).await });
            }
            world.identity.reset_password(reset(&link, &next), &RequestContext::default()).await.unwrap();
            for done in late.join_all().await.into_iter().flatten() {
                let context = browser(&done.set_cookies);
                assert!(world.identity.session(&context).await.unwrap().is_none(), "round {round}");
            }
            password = next;
            // The account is verified, and so kept, from the first round on.
        }
    }
}
