//! What the identity provider keeps. Of two transactions racing, exactly one sees `true`.

use std::future::Future;

use kernel::{PartnerId, SessionId, UserId};
use service::ports::{
    StoreError, StoreResult,
    identity::{
        AuthorizationCode, Credential, Grant, GrantId, MachineClient, OneTimeToken, RefreshToken, Session, SessionEnd,
        TokenHash, TokenPurpose,
    },
};
use store::testing::TestDb;

use crate::fixtures::*;

on_both_engines!(
    an_account_is_made_once,
    accounts_change,
    a_password_sign_in_is_made_once,
    sessions_live_and_end,
    a_code_is_redeemed_once,
    a_refresh_token_is_spent_once,
    grants_are_revoked_by_session_and_by_person,
    expired_grants_go_with_their_tokens,
    a_link_works_once,
    a_link_about_a_booking_names_it,
    throttles_count_every_attempt,
    machines_of_a_partner,
);

fn hash(text: &str) -> TokenHash {
    TokenHash(format!("{text:0>64}"))
}

/// Twenty at once; exactly one is told `true`.
async fn one_wins<F: Future<Output = StoreResult<bool>>>(race: impl Fn() -> F) {
    let told = futures_util::future::join_all((0..20).map(|_| race())).await;
    assert_eq!(told.into_iter().filter(|r| *r.as_ref().unwrap()).count(), 1);
}

async fn an_account_is_made_once(db: TestDb) {
    let mut made = account(UserId(uuid()));
    (made.issuer, made.subject) = ("https://id.example.test".to_owned(), "zoë|1".to_owned());
    let copy = made.clone();
    assert!(write(&db, move |u| u.accounts().insert(&copy)).await);
    let mut same = made.clone();
    same.id = UserId(uuid());
    let copy = same.clone();
    assert!(!write(&db, move |u| u.accounts().insert(&copy)).await);
    let id = made.id;
    assert_eq!(read(&db, move |u| u.accounts().get(id)).await.as_ref(), Some(&made));
    assert_eq!(read(&db, move |u| u.accounts().by_subject("https://id.example.test", "zoë|1")).await, Some(made));
    assert_eq!(read(&db, |u| u.accounts().by_subject("embedded", "zoë|1")).await, None);
    assert_eq!(read(&db, move |u| u.accounts().get(same.id)).await, None);
    let copy = account(UserId(uuid()));
    let (id, address) = (copy.id, copy.email.clone().unwrap());
    let mut shouting = account(UserId(uuid()));
    (shouting.email, shouting.created_at) =
        (Some(address.as_str().replace('@', "X@").to_uppercase().parse().unwrap()), at(1));
    let (second, other) = (shouting.id, shouting.email.clone().unwrap());
    assert!(write(&db, move |u| Ok(u.accounts().insert(&copy)? && u.accounts().insert(&shouting)?)).await);
    let found = read(&db, move |u| u.accounts().of_email(&other.key())).await;
    assert_eq!(found.iter().map(|a| a.id).collect::<Vec<_>>(), [second], "whatever its spelling");
    assert!(read(&db, move |u| u.accounts().of_email(&address.key())).await.iter().any(|a| a.id == id));
    assert_eq!(write(&db, move |u| u.accounts().lock(id)).await.map(|a| a.id), Some(id));
    assert_eq!(write(&db, |u| u.accounts().lock(UserId(uuid()))).await, None);
    one_wins(|| {
        let mut racer = account(UserId(uuid()));
        racer.subject = "race".to_owned();
        try_write(&db, move |u| u.accounts().insert(&racer))
    })
    .await;
}

async fn accounts_change(db: TestDb) {
    let id = person(&db).await;
    let address: kernel::Email = "New@portage.test".parse().unwrap();
    let copy = address.clone();
    write(&db, move |u| {
        u.accounts().set_email(id, Some(&copy), true, at(1))?;
        u.accounts().set_disabled(id, Some(at(2)), at(2))
    })
    .await;
    let changed = read(&db, move |u| u.accounts().get(id)).await.unwrap();
    assert_eq!((changed.email, changed.email_verified), (Some(address), true));
    assert_eq!((changed.disabled_at, changed.updated_at, changed.created_at), (Some(at(2)), at(2), t0()));
    write(&db, move |u| {
        u.accounts().set_email(id, None, false, at(3))?;
        u.accounts().set_disabled(id, None, at(3))
    })
    .await;
    let again = read(&db, move |u| u.accounts().get(id)).await.unwrap();
    assert_eq!((again.email, again.disabled_at), (None, None));
}

async fn a_password_sign_in_is_made_once(db: TestDb) {
    let id = person(&db).await;
    let made = Credential {
        user_id: id,
        email_key: "zoe@portage.test".to_owned(),
        password_hash: "$argon2id$v=19$m=1$a$b".to_owned(),
        password_changed_at: t0(),
    };
    let (copy, other) = (made.clone(), person(&db).await);
    let mut taken = made.clone();
    taken.user_id = other;
    let mut second = made.clone();
    second.email_key = "other@portage.test".to_owned();
    let told = write(&db, move |u| {
        Ok((
            u.accounts().insert_credential(&copy)?,
            u.accounts().insert_credential(&taken)?,
            u.accounts().insert_credential(&second)?,
        ))
    })
    .await;
    assert_eq!(told, (true, false, false), "one an address, one an account");
    assert_eq!(read(&db, |u| u.accounts().credential("zoe@portage.test")).await, Some(made.clone()));
    assert_eq!(read(&db, move |u| u.accounts().credential_of(id)).await, Some(made.clone()));
    assert_eq!(read(&db, move |u| u.accounts().credential_of(other)).await, None);
    let changed = write(&db, move |u| {
        Ok((u.accounts().set_password(id, "$argon2id$new", at(5))?, u.accounts().set_password(other, "x", at(5))?))
    })
    .await;
    assert_eq!(changed, (true, false));
    let now = read(&db, move |u| u.accounts().credential_of(id)).await.unwrap();
    assert_eq!((now.password_hash.as_str(), now.password_changed_at), ("$argon2id$new", at(5)));
    let gone =
        write(&db, move |u| Ok((u.accounts().delete_credential(id)?, u.accounts().delete_credential(id)?))).await;
    assert_eq!(gone, (true, false));
    let mut moved = made.clone();
    moved.user_id = other;
    assert!(write(&db, move |u| u.accounts().insert_credential(&moved)).await, "the address is free again");
}

fn session(user: UserId, token: &str, expires: i64) -> Session {
    Session {
        id: SessionId(uuid()),
        token_hash: hash(token),
        user_id: user,
        authenticated_at: t0(),
        created_at: t0(),
        last_seen_at: t0(),
        expires_at: at(expires),
        ended: None,
    }
}

async fn sessions_live_and_end(db: TestDb) {
    let user = person(&db).await;
    let all = [session(user, "1", 10), session(user, "2", 20), session(user, "3", 30)];
    let ids = [all[0].id, all[1].id, all[2].id];
    let copy = all.clone();
    write(&db, move |u| copy.iter().try_for_each(|s| u.sessions().insert(s))).await;
    assert_eq!(read(&db, |u| u.sessions().by_token(&hash("1"))).await.as_ref(), Some(&all[0]));
    write(&db, move |u| u.sessions().touch(ids[0], at(5), at(50))).await;
    let touched = read(&db, move |u| u.sessions().get(ids[0])).await.unwrap();
    assert_eq!((touched.last_seen_at, touched.expires_at), (at(5), at(50)));
    assert_eq!(write(&db, |u| u.sessions().purge(at(20))).await, 0, "before, not at");
    assert_eq!(write(&db, |u| u.sessions().purge(at(21))).await, 1);
    let ended = |id| read(&db, move |u| Ok(u.sessions().get(id)?.map(|s| s.ended)));
    assert_eq!((ended(ids[0]).await, ended(ids[1]).await, ended(ids[2]).await), (Some(None), None, Some(None)));
    write(&db, move |u| u.sessions().end(ids[2], SessionEnd::SignedOut, at(6))).await;
    write(&db, move |u| u.sessions().end(ids[2], SessionEnd::TokenReused, at(7))).await;
    write(&db, move |u| u.sessions().end(ids[1], SessionEnd::SignedOut, at(7))).await;
    assert_eq!(ended(ids[2]).await, Some(Some((at(6), SessionEnd::SignedOut))), "once");
    assert_eq!(ended(ids[0]).await, Some(None), "the other goes on");
    let copy = all.clone();
    write(&db, move |u| u.sessions().insert(&copy[1])).await;
    let stranger = session(person(&db).await, "4", 20);
    let (id, copy) = (stranger.id, stranger.clone());
    write(&db, move |u| u.sessions().insert(&copy)).await;
    write(&db, move |u| u.sessions().end_of_user(user, SessionEnd::PasswordReset, at(8))).await;
    let reset = Some(Some((at(8), SessionEnd::PasswordReset)));
    assert_eq!((ended(ids[0]).await, ended(ids[1]).await), (reset, reset));
    assert_eq!(ended(ids[2]).await, Some(Some((at(6), SessionEnd::SignedOut))));
    assert_eq!(ended(id).await, Some(None), "nobody else's");
    let by_token = read(&db, |u| u.sessions().by_token(&hash("2"))).await.unwrap();
    assert!(!by_token.is_live(at(9)) && stranger.is_live(at(19)) && !stranger.is_live(at(20)));
    for (n, why) in SessionEnd::ALL.into_iter().enumerate() {
        let other = session(user, &format!("e{n}"), 30);
        let id = other.id;
        write(&db, move |u| u.sessions().insert(&other).and_then(|()| u.sessions().end(id, why, at(9)))).await;
        assert_eq!(ended(id).await, Some(Some((at(9), why))));
    }
    let (a, b) = (session(user, "same", 1), session(user, "same", 1));
    let told = try_write(&db, move |u| u.sessions().insert(&a).and_then(|()| u.sessions().insert(&b))).await;
    assert!(matches!(told, Err(StoreError::Duplicate(_))));
}

fn grant(user: UserId, session: SessionId, expires: i64) -> Grant {
    Grant {
        id: GrantId(uuid()),
        client_id: "portage-web".to_owned(),
        user_id: user,
        session_id: session,
        scope: "openid offline_access".to_owned(),
        authenticated_at: t0(),
        created_at: t0(),
        expires_at: at(expires),
        revoked_at: None,
    }
}

async fn a_code_is_redeemed_once(db: TestDb) {
    let made = AuthorizationCode {
        code_hash: hash("c"),
        grant_id: GrantId(uuid()),
        client_id: "portage-web".to_owned(),
        redirect_uri: "https://portage.test/callback?x=é".to_owned(),
        user_id: person(&db).await,
        session_id: SessionId(uuid()),
        scope: "openid".to_owned(),
        nonce: Some("n".to_owned()),
        code_challenge: "s256".to_owned(),
        authenticated_at: t0(),
        created_at: t0(),
        expires_at: at(1),
        redeemed_at: None,
    };
    let copy = made.clone();
    write(&db, move |u| u.grants().insert_code(&copy)).await;
    assert_eq!(read(&db, |u| u.grants().code(&hash("c"))).await.as_ref(), Some(&made));
    one_wins(|| try_write(&db, |u| u.grants().redeem_code(&hash("c"), at(0)))).await;
    assert_eq!(read(&db, |u| u.grants().code(&hash("c"))).await.unwrap().redeemed_at, Some(at(0)));
    assert!(!write(&db, |u| u.grants().redeem_code(&hash("unknown"), at(0))).await);
    assert_eq!(write(&db, |u| u.grants().purge(at(2))).await, 1);
    assert_eq!(read(&db, |u| u.grants().code(&hash("c"))).await, None);
}

async fn a_refresh_token_is_spent_once(db: TestDb) {
    let family = grant(person(&db).await, SessionId(uuid()), 100);
    let made = RefreshToken { token_hash: hash("r"), grant_id: family.id, created_at: t0(), spent_at: None };
    let (f, copy) = (family.clone(), made.clone());
    write(&db, move |u| {
        u.grants().insert(&f)?;
        u.grants().insert_refresh(&copy)
    })
    .await;
    let id = family.id;
    assert_eq!(read(&db, move |u| u.grants().get(id)).await, Some(family));
    assert_eq!(read(&db, |u| u.grants().refresh(&hash("r"))).await, Some(made));
    one_wins(|| {
        try_write(&db, move |u| {
            // As a refresh does: the family first, then the token.
            let open = u.grants().get(id)?.is_some_and(|g| g.revoked_at.is_none());
            Ok(open && u.grants().spend_refresh(&hash("r"), at(0))?)
        })
    })
    .await;
    assert_eq!(read(&db, |u| u.grants().refresh(&hash("r"))).await.unwrap().spent_at, Some(at(0)));
}

async fn grants_are_revoked_by_session_and_by_person(db: TestDb) {
    let user = person(&db).await;
    let sessions = [SessionId(uuid()), SessionId(uuid()), SessionId(uuid())];
    let all = sessions.map(|s| grant(user, s, 100));
    let ids = all.clone().map(|g| g.id);
    write(&db, move |u| all.iter().try_for_each(|g| u.grants().insert(g))).await;
    let revoked = || {
        read(&db, move |u| {
            ids.iter().map(|id| Ok(u.grants().get(*id)?.unwrap().revoked_at)).collect::<StoreResult<Vec<_>>>()
        })
    };
    write(&db, move |u| u.grants().revoke_of_session(sessions[0], at(1))).await;
    assert_eq!(revoked().await, [Some(at(1)), None, None]);
    write(&db, move |u| u.grants().revoke(ids[1], at(3))).await;
    write(&db, move |u| u.grants().revoke(GrantId(uuid()), at(3))).await;
    assert_eq!(revoked().await, [Some(at(1)), Some(at(3)), None]);
    write(&db, move |u| u.grants().revoke_of_user(user, at(4))).await;
    assert_eq!(revoked().await, [Some(at(1)), Some(at(3)), Some(at(4))], "what is revoked keeps its time");
}

async fn expired_grants_go_with_their_tokens(db: TestDb) {
    let family = grant(person(&db).await, SessionId(uuid()), 10);
    let id = family.id;
    write(&db, move |u| {
        u.grants().insert(&family)?;
        u.grants().insert_refresh(&RefreshToken {
            token_hash: hash("r"),
            grant_id: id,
            created_at: t0(),
            spent_at: None,
        })
    })
    .await;
    assert_eq!(write(&db, |u| u.grants().purge(at(10))).await, 0);
    assert_eq!(write(&db, |u| u.grants().purge(at(11))).await, 1);
    let left = read(&db, move |u| Ok((u.grants().get(id)?, u.grants().refresh(&hash("r"))?))).await;
    assert_eq!(left, (None, None));
}

async fn a_link_works_once(db: TestDb) {
    let user = person(&db).await;
    let link = |token: &str, purpose, expires| OneTimeToken {
        token_hash: hash(token),
        user_id: user,
        purpose,
        email_key: "zoe@portage.test".to_owned(),
        created_at: t0(),
        expires_at: at(expires),
        spent_at: None,
        booking_id: None,
    };
    let all = [
        link("1", TokenPurpose::ResetPassword, 10),
        link("2", TokenPurpose::ResetPassword, 20),
        link("3", TokenPurpose::VerifyEmail, 30),
    ];
    let copy = all.clone();
    write(&db, move |u| copy.iter().try_for_each(|t| u.one_time_tokens().insert(t))).await;
    assert_eq!(read(&db, |u| u.one_time_tokens().get(&hash("3"))).await.as_ref(), Some(&all[2]));
    one_wins(|| try_write(&db, |u| u.one_time_tokens().spend(&hash("1"), at(1)))).await;
    write(&db, move |u| u.one_time_tokens().spend_of_user(user, TokenPurpose::ResetPassword, at(2))).await;
    let spent =
        |token: &'static str| read(&db, move |u| Ok(u.one_time_tokens().get(&hash(token))?.map(|t| t.spent_at)));
    assert_eq!(
        [spent("1").await, spent("2").await, spent("3").await],
        [Some(Some(at(1))), Some(Some(at(2))), Some(None)]
    );
    assert_eq!(write(&db, |u| u.one_time_tokens().purge(at(11))).await, 1);
    assert_eq!(spent("1").await, None);
}

async fn a_link_about_a_booking_names_it(db: TestDb) {
    let made = booked(&db).await;
    let link = |purpose: TokenPurpose, booking_id| OneTimeToken {
        token_hash: hash(purpose.code()),
        user_id: made.user_id,
        purpose,
        email_key: "zoe@portage.test".to_owned(),
        created_at: t0(),
        expires_at: at(9),
        spent_at: None,
        booking_id,
    };
    for purpose in TokenPurpose::ALL {
        let of_booking =
            matches!(purpose, TokenPurpose::Pay | TokenPurpose::Card | TokenPurpose::Consent | TokenPurpose::MovePage);
        let named = of_booking.then_some(made.id);
        let wrong = link(purpose, if named.is_some() { None } else { Some(made.id) });
        let told = try_write(&db, move |u| u.one_time_tokens().insert(&wrong)).await;
        assert!(
            matches!(&told, Err(StoreError::Refused(name)) if name.contains("one_time_tokens_booking")),
            "{told:?}"
        );
        let right = link(purpose, named);
        let (copy, key) = (right.clone(), right.token_hash.clone());
        write(&db, move |u| u.one_time_tokens().insert(&copy)).await;
        assert_eq!(read(&db, move |u| u.one_time_tokens().get(&key)).await, Some(right));
    }
}

async fn throttles_count_every_attempt(db: TestDb) {
    let attempts = (0..20).map(|_| {
        try_write(&db, |u| {
            let mut counter = u.sign_in_throttles().lock(&hash("a"), at(0))?;
            counter.failures += 1;
            counter.last_attempt_at = at(1);
            counter.locked_until = Some(at(2));
            u.sign_in_throttles().put(&counter)
        })
    });
    for told in futures_util::future::join_all(attempts).await {
        told.unwrap();
    }
    let counter = write(&db, |u| u.sign_in_throttles().lock(&hash("a"), at(9))).await;
    assert_eq!((counter.failures, counter.last_attempt_at, counter.locked_until), (20, at(1), Some(at(2))));
    assert_eq!(write(&db, |u| u.sign_in_throttles().purge(at(1))).await, 0);
    assert_eq!(write(&db, |u| u.sign_in_throttles().purge(at(2))).await, 1);
    let fresh = write(&db, |u| u.sign_in_throttles().lock(&hash("a"), at(9))).await;
    assert_eq!((fresh.failures, fresh.last_attempt_at, fresh.locked_until), (0, at(9), None));
    write(&db, |u| u.sign_in_throttles().clear(&hash("a"))).await;
    write(&db, |u| u.sign_in_throttles().clear(&hash("a"))).await;
    assert_eq!(write(&db, |u| u.sign_in_throttles().purge(at(99))).await, 0);
}

async fn machines_of_a_partner(db: TestDb) {
    let partner = PartnerId(uuid());
    let machine = move |name: &str, secret: &str, minutes| MachineClient {
        client_id: format!("partner-{name}"),
        secret_hash: hash(secret),
        partner_id: partner,
        name: "Entrepôt 仓库".to_owned(),
        created_at: at(minutes),
        disabled_at: None,
    };
    let all = [machine("b", "1", 1), machine("a", "2", 2)];
    let copy = all.clone();
    let told = write(&db, move |u| {
        Ok((
            u.machine_clients().insert(&copy[1])?,
            u.machine_clients().insert(&copy[0])?,
            u.machine_clients().insert(&machine("a", "3", 3))?,
        ))
    })
    .await;
    assert_eq!(told, (true, true, false));
    assert_eq!(read(&db, move |u| u.machine_clients().of_partner(partner)).await, all);
    assert_eq!(read(&db, |u| u.machine_clients().get("partner-a")).await.as_ref(), Some(&all[1]));
    let set = write(&db, |u| {
        Ok((
            u.machine_clients().set_disabled("partner-a", Some(at(5)))?,
            u.machine_clients().set_disabled("nobody", None)?,
        ))
    })
    .await;
    assert_eq!(set, (true, false));
    assert_eq!(read(&db, |u| u.machine_clients().get("partner-a")).await.unwrap().disabled_at, Some(at(5)));
}
