//! Payments, attempts, tips, cards and the ledger.

use kernel::{BookingId, EntryId, Money, PaymentId, TipId, UserId};
use service::ports::{
    StoreError,
    cards::Card,
    ledger::{Account, Entry, EntryLine},
    payments::{Attempt, AttemptState, Payment, PaymentKind},
    strays::Stray,
    tips::{Tip, TipKind},
};
use status_machine::{At, booking::Status, payment::State};
use store::testing::TestDb;

use crate::fixtures::*;

on_both_engines!(
    payments_come_back_as_they_were,
    a_payment_is_written_by_who_read_it_last,
    an_order_id_is_used_once,
    a_booking_has_one_tip,
    the_card_stored_last_is_current_while_it_is_usable,
    a_fact_is_posted_once,
    balances_of_any_moment,
    nothing_lies_in_trust_for_a_move_that_is_done_after_the_migration,
    one_owner_of_a_bookings_money,
    stray_charges_are_kept_until_they_went_back,
    the_database_refuses_a_second_open_tip_and_a_second_send,
);

async fn payments_come_back_as_they_were(db: TestDb) {
    let made = booked(&db).await.id;
    let mut deposit = payment(made, PaymentKind::Deposit);
    let balance = payment(made, PaymentKind::Balance);
    (deposit.transaction_id, deposit.card_last4, deposit.last_message, deposit.settled_at) =
        (Some("tx".into()), Some("1111".into()), Some("refusé 拒绝".into()), Some(at(1)));
    let mut refund = payment(made, PaymentKind::Refund);
    refund.refund_of = Some(deposit.id);
    refund.created_at = at(1);
    let all = vec![deposit.clone(), balance, refund];
    let copy = all.clone();
    write(&db, move |u| copy.iter().try_for_each(|p| u.payments().insert(p))).await;
    assert_eq!(read(&db, move |u| u.payments().of_booking(made)).await, all);
    let id = deposit.id;
    assert_eq!(read(&db, move |u| u.payments().get(id)).await, Some(deposit));
    assert_eq!(read(&db, |u| u.payments().get(PaymentId(uuid()))).await, None);
    let orphan = payment(BookingId(uuid()), PaymentKind::Full);
    assert!(matches!(try_write(&db, move |u| u.payments().insert(&orphan)).await, Err(StoreError::Other(_))));
    let mut negative = payment(made, PaymentKind::Full);
    negative.amount = cents(-1);
    assert!(matches!(try_write(&db, move |u| u.payments().insert(&negative)).await, Err(StoreError::Refused(_))));
}

async fn a_payment_is_written_by_who_read_it_last(db: TestDb) {
    let mut made = payment(booked(&db).await.id, PaymentKind::Deposit);
    let copy = made.clone();
    write(&db, move |u| u.payments().insert(&copy)).await;
    for (version, state) in (1..).zip(State::ALL) {
        (made.state, made.next_attempt_at) = (At::stored(*state), None);
        let copy = made.clone();
        made.version = write(&db, move |u| u.payments().update(&copy)).await;
        assert_eq!(made.version, version + 1);
        let id = made.id;
        assert_eq!(read(&db, move |u| u.payments().get(id)).await.as_ref(), Some(&made), "every state is storable");
    }
    made.version = 1;
    assert!(matches!(try_write(&db, move |u| u.payments().update(&made)).await, Err(StoreError::Stale)));
}

fn attempt(payment: PaymentId, order_id: &str, number: i32, minutes: i64) -> Attempt {
    Attempt {
        order_id: order_id.to_owned(),
        payment_id: payment,
        number,
        amount: cents(11_498),
        method_id: "card-token".to_owned(),
        state: At::stored(AttemptState::Sent),
        transaction_id: None,
        code: None,
        created_at: at(minutes),
        sent_at: at(minutes),
        resolved_at: None,
    }
}

/// Of a payment at most one attempt is under way.
fn ended(attempt: Attempt) -> Attempt {
    Attempt { state: At::stored(AttemptState::Lost), resolved_at: Some(at(40)), ..attempt }
}

async fn an_order_id_is_used_once(db: TestDb) {
    let made = payment(booked(&db).await.id, PaymentKind::Deposit);
    let id = made.id;
    let (mut first, second) = (attempt(id, "B-1", 1, 1), ended(attempt(id, "B-2", 2, 0)));
    let (a, b) = (first.clone(), second.clone());
    let told = write(&db, move |u| {
        u.payments().insert(&made)?;
        u.payments().insert_attempt(&a)?;
        let again = u.payments().insert_attempt(&a);
        u.payments().insert_attempt(&b)?;
        Ok(matches!(again, Err(StoreError::Duplicate(_))))
    })
    .await;
    assert!(told, "the same order id is a duplicate, and the unit goes on");
    (first.state, first.transaction_id, first.code, first.resolved_at) =
        (At::stored(AttemptState::Declined), Some("tx".into()), Some("2001".into()), Some(at(2)));
    let copy = first.clone();
    write(&db, move |u| u.payments().resolve_attempt(&copy)).await;
    assert_eq!(read(&db, |u| u.payments().attempt("B-1")).await.as_ref(), Some(&first));
    assert_eq!(read(&db, |u| u.payments().attempt("B-9")).await, None);
    assert_eq!(read(&db, move |u| u.payments().attempts_of(id)).await, [first, second]);
    let unknown = attempt(id, "B-9", 9, 0);
    assert!(matches!(try_write(&db, move |u| u.payments().resolve_attempt(&unknown)).await, Err(StoreError::Stale)));
    let racers = (0..20).map(|_| {
        let same = ended(attempt(id, "B-3", 3, 3));
        try_write(&db, move |u| u.payments().insert_attempt(&same))
    });
    let told = futures_util::future::join_all(racers).await;
    assert_eq!(told.iter().filter(|r| r.is_ok()).count(), 1);
    assert!(told.iter().all(|r| matches!(r, Ok(()) | Err(StoreError::Duplicate(_)))), "{told:?}");
}

async fn a_booking_has_one_tip(db: TestDb) {
    let made = booked(&db).await.id;
    let tip = |kind, value: &str, amount| Tip {
        id: TipId(uuid()),
        booking_id: made,
        kind,
        value: value.parse().unwrap(),
        amount: cents(amount),
        is_paid: false,
        payment_id: None,
        version: 1,
        updated_at: t0(),
    };
    let (first, mut second) = (tip(TipKind::Percent, "12.5", 6_250), tip(TipKind::Amount, "20.50", 2_050));
    let copy = first.clone();
    write(&db, move |u| u.tips().put(&copy)).await;
    let id = first.id;
    assert_eq!(read(&db, move |u| u.tips().get(id)).await, Some(first));
    (second.is_paid, second.version) = (true, 2);
    let copy = second.clone();
    write(&db, move |u| u.tips().put(&copy)).await;
    assert_eq!(read(&db, move |u| u.tips().of_booking(made)).await, Some(second));
    assert_eq!(read(&db, move |u| u.tips().get(id)).await, None, "replaced");
    assert_eq!(read(&db, |u| u.tips().of_booking(BookingId(uuid()))).await, None);
}

async fn the_card_stored_last_is_current_while_it_is_usable(db: TestDb) {
    let user = person(&db).await;
    let card = |method: &str, minutes| Card {
        id: uuid(),
        user_id: user,
        method_id: method.to_owned(),
        brand: "visa".to_owned(),
        last4: "1111".to_owned(),
        expiry: "12/2029".to_owned(),
        usable: true,
        created_at: at(minutes),
    };
    let all = [card("old", 1), card("new", 2), card("same instant", 2)];
    let copy = all.clone();
    write(&db, move |u| copy.iter().try_for_each(|c| u.cards().insert(c))).await;
    assert_eq!(read(&db, move |u| u.cards().current(user)).await.as_ref(), Some(&all[2]));
    // What it took the place of does not come back, whatever becomes of either.
    write(&db, |u| u.cards().retire("old")).await;
    write(&db, |u| u.cards().retire("unknown")).await;
    assert_eq!(read(&db, move |u| u.cards().current(user)).await.as_ref(), Some(&all[2]));
    write(&db, |u| u.cards().retire("same instant")).await;
    assert_eq!(read(&db, move |u| u.cards().current(user)).await, None);
    assert_eq!(read(&db, |u| u.cards().current(UserId(uuid()))).await, None);
}

fn entry(booking: BookingId, minutes: i64, fact: &str, lines: &[(Account, i64)]) -> Entry {
    let lines = lines.iter().map(|(account, n)| EntryLine { account: *account, amount: cents(*n) }).collect();
    Entry::new(EntryId(uuid()), booking, None, at(minutes), "capture", fact.to_owned(), lines).unwrap()
}

async fn a_fact_is_posted_once(db: TestDb) {
    let made = booked(&db).await.id;
    let every: Vec<_> = Account::ALL
        .iter()
        .filter(|a| **a != Account::WriteOff)
        .zip((1..).map(|n| 10 * n))
        .map(|(a, n)| (*a, n))
        .collect();
    let sum: i64 = every.iter().map(|(_, n)| n).sum();
    let all = [
        entry(made, 5, "capture:2", &[(Account::Gateway, 500), (Account::Customer, -500)]),
        entry(made, 5, "capture:3", &[every, vec![(Account::WriteOff, -sum)]].concat()),
        entry(made, 1, "capture:1", &[(Account::Gateway, 1), (Account::Trust, -1)]),
    ];
    let copy = all.clone();
    let again = write(&db, move |u| {
        copy.iter().try_for_each(|e| u.ledger().append(e))?;
        let again = entry(made, 9, "capture:1", &[(Account::Gateway, 2), (Account::Trust, -2)]);
        Ok(matches!(u.ledger().append(&again), Err(StoreError::Duplicate(_))))
    })
    .await;
    assert!(again);
    assert_eq!(read(&db, move |u| u.ledger().of_booking(made)).await, [all[2].clone(), all[0].clone(), all[1].clone()]);
    assert_eq!(read(&db, |u| u.ledger().unbalanced()).await, []);
    let racers = (0..20).map(|_| {
        let same = entry(made, 9, "capture:race", &[(Account::Gateway, 2), (Account::Trust, -2)]);
        try_write(&db, move |u| u.ledger().append(&same))
    });
    let told = futures_util::future::join_all(racers).await;
    assert_eq!(told.iter().filter(|r| r.is_ok()).count(), 1);
}

/// As the program before wrote it: what is owed for a move that is done and not paid stood in trust.
async fn nothing_lies_in_trust_for_a_move_that_is_done_after_the_migration(db: TestDb) {
    let (mut done, ahead) = (booked(&db).await, booked(&db).await.id);
    done.status = Status::Completed;
    let (id, version) = (done.id, done.version);
    write(&db, move |u| u.bookings().update(&done, version)).await;
    write(&db, move |u| {
        u.ledger().append(&entry(id, 1, "a", &[(Account::Gateway, 10_000), (Account::Trust, -10_000)]))?;
        u.ledger().append(&entry(id, 7, "b", &[(Account::Trust, 57_488), (Account::Revenue, -57_488)]))?;
        u.ledger().append(&entry(ahead, 3, "c", &[(Account::Gateway, 600), (Account::Trust, -600)]))
    })
    .await;
    let (engine, name) = (db.store().engine(), "20261201000100_trust_until_done");
    let up = std::fs::read_to_string(crate::schema::migrations().join(engine).join(name).join("up.sql")).unwrap();
    Stranger::at(db.url()).run_all(&up).unwrap();
    let entries = read(&db, move |u| u.ledger().of_booking(id)).await;
    let last = entries.last().unwrap();
    assert_eq!((entries.len(), last.at, last.kind.as_str()), (3, at(7), "trust_transfer"));
    assert_eq!(
        last.lines(),
        [(Account::Trust, -47_488), (Account::Customer, 47_488)]
            .map(|(account, n)| EntryLine { account, amount: cents(n) })
    );
    assert_eq!(read(&db, move |u| u.ledger().of_booking(ahead)).await.len(), 1);
    assert_eq!(read(&db, |u| u.ledger().unbalanced()).await, []);
}

async fn balances_of_any_moment(db: TestDb) {
    let made = booked(&db).await.id;
    write(&db, move |u| {
        u.ledger().append(&entry(made, 1, "a", &[(Account::Gateway, 10_000), (Account::Customer, -10_000)]))?;
        u.ledger().append(&entry(made, 2, "b", &[(Account::Customer, 4_000), (Account::Gateway, -4_000)]))
    })
    .await;
    let of = |minutes, account: Account| {
        let all = read(&db, move |u| u.ledger().balances(at(minutes)));
        async move { all.await.into_iter().find(|(a, _)| *a == account).unwrap().1 }
    };
    assert_eq!(of(0, Account::Gateway).await, Money::ZERO);
    assert_eq!(of(1, Account::Gateway).await, cents(10_000));
    assert_eq!(of(2, Account::Gateway).await, cents(6_000));
    assert_eq!(of(2, Account::Customer).await, cents(-6_000));
    let all = read(&db, |u| u.ledger().balances(at(9))).await;
    assert_eq!(all.iter().map(|(a, _)| *a).collect::<Vec<_>>(), Account::ALL);
    assert_eq!(all.iter().map(|(_, m)| m.cents()).sum::<i64>(), 0);
}

/// One owner at a time; whoever is not heard of any more loses it, and only the owner gives it back.
async fn one_owner_of_a_bookings_money(db: TestDb) {
    let booking = BookingId(uuid());
    let take = |who: &'static str, wall: i64, until: i64| {
        let db = &db;
        async move { write(db, move |u| u.money_leases().take(booking, who, at(wall), at(until))).await }
    };
    assert!(take("a", 0, 10).await);
    assert!(!take("b", 5, 15).await, "somebody has it");
    assert!(take("a", 6, 20).await, "the owner prolongs it");
    assert_eq!(read(&db, move |u| u.money_leases().held_until(booking, at(19))).await, Some(at(20)));
    assert_eq!(read(&db, move |u| u.money_leases().held_until(booking, at(20))).await, None);
    assert!(!take("b", 19, 30).await);
    assert!(take("b", 20, 30).await, "a lease that ended is taken over");
    write(&db, move |u| u.money_leases().release(booking, "a")).await;
    assert!(!take("a", 21, 40).await, "the old owner cannot give back what is not its own");
    write(&db, move |u| u.money_leases().release(booking, "b")).await;
    assert!(take("a", 22, 40).await);
    assert_eq!(write(&db, |u| u.money_leases().release_all()).await, 1);
    // Many at once: exactly one gets it.
    let asked = futures_util::future::join_all((0..12).map(|n| {
        let db = &db;
        async move { try_write(db, move |u| u.money_leases().take(booking, &n.to_string(), at(50), at(60))).await }
    }));
    let got = asked.await.into_iter().filter(|taken| matches!(taken, Ok(true))).count();
    assert_eq!(got, 1);
}

async fn stray_charges_are_kept_until_they_went_back(db: TestDb) {
    let stray = |order: &str| Stray {
        order_id: order.to_owned(),
        checkout_id: BookingId(uuid()),
        transaction_id: format!("t-{order}"),
        amount: cents(57_488),
        found_at: at(1),
        returned_at: None,
        return_id: None,
    };
    let (a, b) = (stray("a"), stray("b"));
    let both = [a.clone(), b.clone()];
    write(&db, move |u| both.iter().try_for_each(|s| u.strays().add(s).map(drop))).await;
    let again = a.clone();
    assert!(!write(&db, move |u| u.strays().add(&again)).await, "it is on record");
    assert_eq!(read(&db, |u| u.strays().all()).await, [a.clone(), b.clone()]);
    write(&db, |u| u.strays().returned("a", "r", at(2))).await;
    assert!(matches!(try_write(&db, |u| u.strays().returned("a", "r2", at(3))).await, Err(StoreError::Stale)));
    let gone = read(&db, |u| u.strays().get("a")).await;
    assert_eq!(gone, Some(Stray { returned_at: Some(at(2)), return_id: Some("r".to_owned()), ..a }));
    assert_eq!(read(&db, |u| u.strays().all()).await[1], b);
}

/// Whatever the program believes: one tip charge that has not ended well, one send of a payment.
async fn the_database_refuses_a_second_open_tip_and_a_second_send(db: TestDb) {
    let id = booked(&db).await.id;
    let tip = |state| Payment { state, ..payment(id, PaymentKind::Tip) };
    let first = tip(At::stored(State::Unknown));
    let (row, attempt_of) = (first.clone(), first.id);
    write(&db, move |u| u.payments().insert(&row)).await;
    for state in [State::Scheduled, State::SoftDeclined, State::Failed, State::Processing] {
        let second = tip(At::stored(state));
        assert!(
            matches!(try_write(&db, move |u| u.payments().insert(&second)).await, Err(StoreError::Duplicate(_))),
            "{state:?}"
        );
    }
    let captured = tip(At::stored(State::Captured));
    write(&db, move |u| u.payments().insert(&captured)).await;
    write(&db, move |u| u.payments().insert_attempt(&attempt(attempt_of, "tip-1", 1, 0))).await;
    assert!(matches!(
        try_write(&db, move |u| u.payments().insert_attempt(&attempt(attempt_of, "tip-2", 2, 0))).await,
        Err(StoreError::Duplicate(_))
    ));
}
