//! What staff book for a caller and somebody pays by a link: whatever becomes of the charge on its way, the booking ends
//! with what is owed, once, on both databases.

use std::collections::BTreeSet;

use crate::support::{Next, World, draft};
use chrono::{DateTime, Duration, NaiveDate, NaiveTime, Utc};
use kernel::{BookingId, Language, Money, Province, UserId};
use service::{
    Actor, Caller, Error, ErrorCode,
    accounts::{
        self,
        desk::{self, Contact},
    },
    billing::{reconcile, settlement},
    bookings::{
        Draft, cancel, create_for,
        edit::{EditInput, StaffEdit, edit_as_staff},
        pay_link::{self, State},
        status::{self, StatusInput},
    },
    desk::record::store_card,
    idempotency::Replayable,
    ports::{
        bookings::PaidBy,
        payments::{GatewayKind, GatewayStatus, GatewayTransaction, PaymentKind},
    },
};
use status_machine::booking::Status;
use store::testing::TestDb;

macro_rules! on_both {
    ($($name:ident),+ $(,)?) => {
        mod on_sqlite {
            $(#[tokio::test]
            async fn $name() {
                super::$name(super::TestDb::sqlite()).await;
            })+
        }
        mod on_postgres {
            $(#[tokio::test]
            async fn $name() {
                super::$name(super::TestDb::postgres()).await;
            })+
        }
    };
}

on_both!(
    a_lost_answer_is_looked_up_and_paid_once,
    a_payment_that_comes_after_it_was_given_up_is_booked_and_what_is_too_much_goes_back,
    a_payment_that_ends_after_the_cancellation_goes_back,
    what_a_change_costs_is_owed_and_what_it_saves_goes_back,
    a_cancellation_keeps_what_the_policy_says_and_charges_nobody,
    done_and_paid_outside,
    a_card_is_theirs_who_show_the_address_while_the_gateway_checks_it,
    a_link_payment_that_the_bank_takes_back_is_owed_again_and_charged_to_no_other_card,
    what_is_ordered_while_the_address_is_shown_is_theirs_who_show_it,
    orders_at_once_for_a_new_address_are_of_one_customer,
    what_is_ordered_for_a_locked_out_account_is_theirs_once_they_are_let_in_again,
    who_pays_by_hand_agrees_to_no_charge_of_a_card,
);

fn monday() -> DateTime<Utc> {
    "2027-02-08T14:00:00Z".parse().unwrap()
}

fn on(day: u32) -> Draft {
    draft(Province::QC, NaiveDate::from_ymd_opt(2027, 2, day).unwrap(), NaiveTime::from_hms_opt(9, 0, 0).unwrap())
}

fn contact() -> Contact {
    Contact {
        email: "camille@portage.test".parse().unwrap(),
        first_name: "Camille".into(),
        last_name: "Caron".into(),
        phone: "514-555-0199".parse().unwrap(),
        language: Language::Fr,
    }
}

fn refused(e: &Error) -> Option<ErrorCode> {
    match e {
        Error::Refused(code, _) => Some(*code),
        _ => None,
    }
}

/// 574.88 for Thursday week.
async fn ordered(w: &World, paid_by: PaidBy) -> BookingId {
    w.flat_rate(50_000).await;
    match create_for(&w.s, &w.staff(), contact(), (paid_by, None), on(18), None).await.unwrap() {
        Replayable::Fresh(made) => made.booking.id,
        Replayable::Replayed { .. } => panic!("replayed"),
    }
}

async fn link(w: &World, id: BookingId) -> String {
    match pay_link::send_again(&w.s, &w.staff(), id, None).await.unwrap() {
        Replayable::Fresh(sent) => sent.url.rsplit_once("/pay/").unwrap().1.split('?').next().unwrap().to_owned(),
        Replayable::Replayed { .. } => panic!("replayed"),
    }
}

async fn pay(w: &World, token: &str, cents: i64) -> service::ServiceResult<pay_link::Page> {
    let guest = Caller::guest(Language::Fr);
    pay_link::pay(&w.s, &guest, token.to_owned(), "nonce".into(), Money::from_cents(cents)).await
}

async fn state(w: &World, token: &str) -> State {
    pay_link::look(&w.s, token.to_owned()).await.unwrap().state
}

async fn sound(w: &World) {
    assert_eq!(w.gateway.repeated(), Vec::<String>::new(), "{:#?}", w.gateway.seen());
    let report = reconcile::run(&w.s, monday() - Duration::days(1), monday() + Duration::days(90)).await.unwrap();
    assert_eq!(report.differences, Vec::<String>::new(), "{:#?}", w.gateway.seen());
    assert_eq!(w.read(|u| u.jobs().dead(9)).await, []);
    assert!(w.read(|u| u.capacities().drift()).await.is_empty());
}

async fn a_lost_answer_is_looked_up_and_paid_once(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = ordered(&w, PaidBy::Link).await;
    let token = link(&w, id).await;
    w.gateway.forget_keys();
    w.gateway.may_be_late(60_000);
    w.gateway.queue(&[Next::Late]);
    let first = pay(&w, &token, 57_488).await;
    assert_eq!(refused(&first.unwrap_err()), Some(ErrorCode::PaymentUnavailable));
    assert_eq!(state(&w, &token).await, State::Working);
    // Another press is not another charge while nobody knows of the first.
    assert_eq!(refused(&pay(&w, &token, 57_488).await.unwrap_err()), Some(ErrorCode::PaymentInFlight));
    assert_eq!(w.gateway.deliver(), 1);
    w.clock.set(monday() + Duration::minutes(4));
    service::bookings::recovery::recover_all(&w.s).await.unwrap();
    w.work().await;
    assert_eq!((state(&w, &token).await, w.gateway.charges()), (State::Paid, vec![57_488]));
    assert_eq!(refused(&pay(&w, &token, 57_488).await.unwrap_err()), Some(ErrorCode::NothingOwed));
    let rows = w.read(move |u| u.payments().of_booking(id)).await;
    assert_eq!((rows.len(), rows[0].kind, rows[0].card_last4.as_deref()), (1, PaymentKind::Full, Some("4242")));
    // Nothing at the 48-hour instant, nothing after the move.
    w.clock.set(monday() + Duration::days(20));
    w.work().await;
    assert_eq!(w.gateway.charges(), [57_488]);
    sound(&w).await;
}

async fn a_payment_that_comes_after_it_was_given_up_is_booked_and_what_is_too_much_goes_back(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = ordered(&w, PaidBy::Link).await;
    let token = link(&w, id).await;
    w.gateway.forget_keys();
    w.gateway.queue(&[Next::Late]);
    // The look-up is told that nothing can arrive any more; the gateway breaks its word.
    assert_eq!(refused(&pay(&w, &token, 57_488).await.unwrap_err()), Some(ErrorCode::PaymentUnavailable));
    assert_eq!(state(&w, &token).await, State::Open);
    pay(&w, &token, 57_488).await.unwrap();
    assert_eq!(w.gateway.deliver(), 1);
    for hours in [1, 30, 60, 90] {
        w.clock.set(monday() + Duration::hours(hours));
        w.work().await;
    }
    assert_eq!((w.gateway.charges().len(), w.gateway.net()), (2, 57_488));
    assert_eq!(state(&w, &token).await, State::Paid);
    sound(&w).await;
}

async fn a_payment_that_ends_after_the_cancellation_goes_back(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = ordered(&w, PaidBy::Link).await;
    let token = link(&w, id).await;
    w.gateway.forget_keys();
    w.gateway.may_be_late(60_000);
    w.gateway.queue(&[Next::Late]);
    pay(&w, &token, 57_488).await.unwrap_err();
    let said = StatusInput { reason: Some("no crew".into()), ..StatusInput::default() };
    status::set(&w.s, &w.staff(), id, Status::Cancelled, said).await.unwrap();
    assert_eq!(w.gateway.deliver(), 1);
    service::bookings::recovery::recover_all(&w.s).await.unwrap();
    w.clock.set(monday() + Duration::hours(13));
    w.work().await;
    assert_eq!((w.gateway.charges(), w.gateway.net()), (vec![57_488], 0));
    assert_eq!(state(&w, &token).await, State::Ended);
    sound(&w).await;
}

async fn what_a_change_costs_is_owed_and_what_it_saves_goes_back(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = ordered(&w, PaidBy::Link).await;
    let token = link(&w, id).await;
    pay(&w, &token, 57_488).await.unwrap();
    let price = |cents| StaffEdit { amount: Some(Money::from_cents(cents)), ..StaffEdit::default() };
    // The day before the move a card would be charged with the change.
    w.clock.set("2027-02-17T15:00:00Z".parse().unwrap());
    let dearer = edit_as_staff(&w.s, &w.staff(), id, price(60_000), None).await.unwrap();
    assert_eq!((dearer.booking.total.cents(), w.gateway.charges()), (68_985, vec![57_488]));
    let token = link(&w, id).await;
    assert_eq!(pay_link::look(&w.s, token.clone()).await.unwrap().amount.cents(), 68_985 - 57_488);
    pay(&w, &token, 68_985 - 57_488).await.unwrap();
    edit_as_staff(&w.s, &w.staff(), id, price(40_000), None).await.unwrap();
    w.clock.set("2027-02-18T16:00:00Z".parse().unwrap());
    w.work().await;
    assert_eq!(w.gateway.net(), 45_990);
    // What the customer changes is owed as well.
    let comments = EditInput { comments: Some("Third door".into()), ..EditInput::default() };
    edit_as_staff(&w.s, &w.staff(), id, comments.into(), None).await.unwrap();
    w.work().await;
    assert_eq!(w.gateway.net(), 45_990);
    sound(&w).await;
}

async fn a_cancellation_keeps_what_the_policy_says_and_charges_nobody(db: TestDb) {
    let w = World::on(db, monday()).await;
    let unpaid = ordered(&w, PaidBy::OnSite).await;
    let id = ordered(&w, PaidBy::Link).await;
    let token = link(&w, id).await;
    pay(&w, &token, 57_488).await.unwrap();
    w.clock.set(monday() + Duration::days(3));
    let by_customer = StatusInput { customers_wish: true, reason: Some("sold".into()), ..StatusInput::default() };
    for booking in [unpaid, id] {
        let shown =
            cancel::preview_as_staff(&w.s, &w.staff(), booking, policy::CancelledBy::Customer, false).await.unwrap();
        assert_eq!((shown.outcome.kept.cents(), shown.outcome.to_charge.cents()), (11_498, 0), "owed, not charged");
        status::set(&w.s, &w.staff(), booking, Status::Cancelled, by_customer.clone()).await.unwrap();
    }
    w.work().await;
    assert_eq!((w.gateway.charges(), w.gateway.net()), (vec![57_488], 11_498));
    // Taken back nothing is charged either, and the whole is owed again.
    let again = StatusInput { reason: Some("wants it after all".into()), ..StatusInput::default() };
    status::set(&w.s, &w.staff(), id, Status::Pending, again).await.unwrap();
    w.clock.set(monday() + Duration::days(20));
    w.work().await;
    assert_eq!(w.gateway.net(), 11_498);
    let token = link(&w, id).await;
    assert_eq!(pay_link::look(&w.s, token).await.unwrap().amount.cents(), 57_488 - 11_498);
    sound(&w).await;
}

async fn done_and_paid_outside(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = ordered(&w, PaidBy::Invoice).await;
    status::set(&w.s, &w.staff(), id, Status::Assigned, StatusInput::default()).await.unwrap();
    w.clock.set("2027-02-18T20:00:00Z".parse().unwrap());
    w.work().await;
    status::set(&w.s, &w.staff(), id, Status::Completed, StatusInput::default()).await.unwrap();
    w.clock.set("2027-03-18T20:00:00Z".parse().unwrap());
    w.work().await;
    assert_eq!(w.gateway.charges(), Vec::<i64>::new());
    let mails = w.mailer.sent.lock().unwrap().iter().map(|m| m.message_type.clone()).collect::<Vec<_>>();
    assert!(!mails.iter().any(|m| m == "paymentFailed"), "{mails:?}");
    let record = service::desk::record::get(&w.s, &w.staff(), id).await.unwrap();
    assert_eq!(record.owed.cents(), 57_488);
    sound(&w).await;
}

async fn a_card_is_theirs_who_show_the_address_while_the_gateway_checks_it(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = ordered(&w, PaidBy::Invoice).await;
    let (kept, customer, staff) = (w.booking(id).await.user_id, w.customer.user.unwrap(), w.staff());
    let gate = w.gateway.vaulting.write().await;
    let shown = async {
        // They are a customer of the gateway before it is asked about the card.
        while w.read(move |u| u.profiles().get(kept)).await.unwrap().gateway_customer_id.is_none() {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
        w.write(move |u| desk::email_shown(u, customer, &contact().email, monday()).map(drop)).await;
        drop(gate);
    };
    let (stored, ()) = tokio::join!(store_card(&w.s, &staff, id, "nonce".into(), None), shown);
    stored.unwrap();
    let card = w.read(move |u| Ok((u.cards().current(customer)?, u.cards().current(kept)?))).await;
    assert_eq!(card.0.map(|c| c.method_id).as_deref(), Some("pm_nonce"));
    assert_eq!(card.1, None);
    assert_eq!(w.booking(id).await.user_id, customer);
}

/// The bank refuses the newest charge when it settles, and we hear of it.
async fn refused_at_settlement(w: &World) {
    let mut order = String::new();
    w.gateway.change(|list| {
        let t = list.iter_mut().rfind(|t: &&mut GatewayTransaction| t.kind == GatewayKind::Charge).unwrap();
        t.status = GatewayStatus::Declined;
        order.clone_from(&t.order_id);
    });
    settlement::suspect(&w.s, &order).await.unwrap();
    w.work().await;
}

async fn a_link_payment_that_the_bank_takes_back_is_owed_again_and_charged_to_no_other_card(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = ordered(&w, PaidBy::Link).await;
    let cancelled = ordered(&w, PaidBy::Link).await;
    for booking in [id, cancelled] {
        let token = link(&w, booking).await;
        pay(&w, &token, 57_488).await.unwrap();
        refused_at_settlement(&w).await;
        assert_eq!(state(&w, &token).await, State::Open);
        assert!(w.booking(booking).await.details.payment_problem);
    }
    let by_company = StatusInput { reason: Some("no truck".into()), ..StatusInput::default() };
    status::set(&w.s, &w.staff(), cancelled, Status::Cancelled, by_company).await.unwrap();
    sound(&w).await;
    // Nobody promised this card for what the link asks.
    store_card(&w.s, &w.staff(), id, "nonce".into(), None).await.unwrap();
    w.work().await;
    assert_eq!(w.gateway.net(), 0);
    pay(&w, &link(&w, id).await, 57_488).await.unwrap();
    assert!(!w.booking(id).await.details.payment_problem, "it is paid");
    store_card(&w.s, &w.staff(), id, "other".into(), None).await.unwrap();
    w.clock.set("2027-02-17T20:00:00Z".parse().unwrap());
    w.work().await;
    assert_eq!((w.booking(id).await.status, w.gateway.net()), (Status::Pending, 57_488));
    sound(&w).await;
}

/// Orders at once, each for another day; whose they are.
async fn orders(w: &World, contact: &Contact, days: std::ops::Range<u32>) -> Vec<BookingId> {
    let staff = w.staff();
    let made = days.map(|day| create_for(&w.s, &staff, contact.clone(), (PaidBy::Invoice, None), on(day), None));
    let made = futures_util::future::join_all(made).await;
    made.into_iter()
        .map(|one| match one.unwrap() {
            Replayable::Fresh(made) => made.booking.id,
            Replayable::Replayed { .. } => panic!("replayed"),
        })
        .collect()
}

async fn owners(w: &World, ids: &[BookingId]) -> BTreeSet<UserId> {
    let mut owners = BTreeSet::new();
    for id in ids {
        owners.insert(w.booking(*id).await.user_id);
    }
    owners
}

async fn what_is_ordered_while_the_address_is_shown_is_theirs_who_show_it(db: TestDb) {
    let w = World::on(db, monday()).await;
    w.flat_rate(50_000).await;
    let customer = w.customer.user.unwrap();
    for round in 0..6 {
        // An address that nobody had before, and that the customer now takes.
        let contact = Contact { email: format!("camille{round}@portage.test").parse().unwrap(), ..contact() };
        let email = contact.email.clone();
        let shown = w.write(move |u| desk::email_shown(u, customer, &email, monday()).map(drop));
        let (ids, ()) = tokio::join!(orders(&w, &contact, 12..18), shown);
        assert_eq!(owners(&w, &ids).await, BTreeSet::from([customer]), "round {round}");
    }
}

async fn orders_at_once_for_a_new_address_are_of_one_customer(db: TestDb) {
    let w = World::on(db, monday()).await;
    w.flat_rate(50_000).await;
    let ids = orders(&w, &contact(), 12..24).await;
    assert_eq!(owners(&w, &ids).await.len(), 1);
}

async fn what_is_ordered_for_a_locked_out_account_is_theirs_once_they_are_let_in_again(db: TestDb) {
    let w = World::on(db, monday()).await;
    w.flat_rate(50_000).await;
    let (customer, email) = (w.customer.user.unwrap(), contact().email);
    w.write(move |u| desk::email_shown(u, customer, &contact().email, monday()).map(drop)).await;
    accounts::disable(&w.s, email.clone(), Actor::system()).await.unwrap();
    let ids = orders(&w, &contact(), 12..14).await;
    assert!(!owners(&w, &ids).await.contains(&customer), "locked out they own nothing new");
    accounts::enable(&w.s, email, Actor::system()).await.unwrap();
    assert_eq!(owners(&w, &ids).await, BTreeSet::from([customer]));
}

async fn who_pays_by_hand_agrees_to_no_charge_of_a_card(db: TestDb) {
    let w = World::on(db, monday()).await;
    for paid_by in [PaidBy::Link, PaidBy::OnSite] {
        let id = ordered(&w, paid_by).await;
        w.work().await;
        let agreed = w.booking(id).await.details.guidelines_text;
        let mail = {
            let sent = w.mailer.sent.lock().unwrap();
            sent.iter().rfind(|m| m.message_type == "bookingConfirmation").unwrap().text.clone()
        };
        assert!(agreed.len() > 2 && agreed.iter().all(|sentence| mail.contains(sentence)), "{agreed:#?}\n{mail}");
        // The contact reads French.
        for word in ["dépôt", "autorisés et prélevés"] {
            assert!(!agreed.concat().contains(word) && !mail.contains(word), "{word}: {agreed:#?}\n{mail}");
        }
        status::set(&w.s, &w.staff(), id, Status::Cancelled, StatusInput::default()).await.unwrap();
    }
}
