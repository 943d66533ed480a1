//! Making bookings: every button pressed twice, every answer lost, every slot contested.
#![allow(clippy::disallowed_methods)]

use crate::support;

use chrono::{DateTime, Duration, NaiveDate, NaiveTime, Utc};
use kernel::{MateCount, Money, Province};
use service::{
    Error, ErrorCode,
    bookings::{Created, cancel, create, recovery},
    holds::{self, HoldInput},
    idempotency::{Guard, Replayable, Request},
    jobs,
    moves::place_of,
    ports::{
        capacity::DayCapacity,
        payments::{AttemptState, PaymentKind},
    },
};
use status_machine::{booking::Status, hold, records::CheckoutState};
use support::{Next, World, draft};

/// A winter Monday morning in Montreal.
fn monday() -> DateTime<Utc> {
    "2027-02-08T14:00:00Z".parse().unwrap()
}

fn day(d: u32) -> NaiveDate {
    NaiveDate::from_ymd_opt(2027, 2, d).unwrap()
}

fn nine() -> NaiveTime {
    NaiveTime::from_hms_opt(9, 0, 0).unwrap()
}

fn refused(e: &Error) -> Option<ErrorCode> {
    match e {
        Error::Refused(code, _) | Error::ByGateway(code, ..) => Some(*code),
        Error::SlotGone(_) => Some(ErrorCode::SlotGone),
        _ => None,
    }
}

fn guard(key: &str) -> Guard<Created> {
    Guard {
        request: Request { scope: "customer POST /bookings".into(), key: key.into(), body_hash: "h".into() },
        render: Box::new(|c: &Created| (201, serde_json::json!({ "id": c.booking.id }))),
    }
}

fn hold_input(date: NaiveDate) -> HoldInput {
    let pickup = support::location(Province::QC);
    HoldInput {
        date,
        time: nine(),
        mate_count: MateCount::new(2).unwrap(),
        duration_minutes: 120,
        just_mates: false,
        tier: None,
        pickup: place_of(&pickup.address, pickup.coordinates),
        dropoff: None,
        replaces: None,
        job: None,
        holder: None,
    }
}

async fn hold(w: &World, date: NaiveDate) -> service::ServiceResult<service::ports::capacity::Hold> {
    match holds::create(&w.s, &w.customer, hold_input(date), None).await? {
        Replayable::Fresh(hold) => Ok(hold),
        Replayable::Replayed { .. } => panic!("replayed"),
    }
}

#[tokio::test]
async fn a_booking_two_weeks_ahead_is_split_confirmed_and_audited() {
    let w = World::new(monday()).await;
    let made = w.book(draft(Province::QC, day(22), nine()), None).await.unwrap();
    let id = made.booking.id;
    assert_eq!(made.plan.charges.iter().map(|c| c.amount).sum::<Money>(), made.booking.total);
    w.work().await;
    let mails = w.mailer.sent.lock().unwrap().clone();
    assert_eq!(mails.iter().map(|m| m.message_type.as_str()).collect::<Vec<_>>(), ["bookingConfirmation"]);
    assert!(mails[0].subject.contains(made.booking.short_id.as_str()) && mails[0].html.contains("1200 Rue Peel"));
    assert!(!mails[0].html.contains("14.975") && !mails[0].text.contains("14.975"));
    let audits = w.read(move |u| u.audits().of_subject("booking", &id.to_string())).await;
    assert_eq!(audits.iter().map(|a| a.action.as_str()).collect::<Vec<_>>(), ["booking.create"]);
    assert!(w.gateway.seen().is_empty(), "nothing is charged at booking");
}

#[tokio::test]
async fn rules_say_no_in_their_own_words() {
    let w = World::new(monday()).await;
    let base = || draft(Province::QC, day(22), nine());
    let code = |d| async { refused(&w.book(d, None).await.unwrap_err()) };
    let mut d = base();
    d.guidelines_agreed = false;
    assert_eq!(code(d).await, Some(ErrorCode::GuidelinesNotAgreed));
    let mut d = base();
    d.date = NaiveDate::from_ymd_opt(2027, 2, 1).unwrap();
    assert_eq!(code(d).await, Some(ErrorCode::DatePast));
    let mut d = base();
    d.date = NaiveDate::from_ymd_opt(2027, 12, 25).unwrap();
    assert_eq!(code(d).await, Some(ErrorCode::DateClosed));
    let mut d = base();
    d.time = NaiveTime::from_hms_opt(9, 10, 0).unwrap();
    assert_eq!(code(d).await, Some(ErrorCode::NotASlot));
    let mut d = base();
    d.mate_count = MateCount::new(1).unwrap();
    d.items[0].id = "fridge-standard".into();
    d.items[0].quantity = 1;
    assert_eq!(code(d).await, Some(ErrorCode::HeavyItemSingleMate));
    let mut d = base();
    d.items[0].id = "hot-tub".into();
    d.items[0].quantity = 1;
    assert_eq!(code(d).await, Some(ErrorCode::ContactSupport));
    let mut d = base();
    d.discount_code = Some("NOSUCHCODE".into());
    assert_eq!(code(d).await, Some(ErrorCode::DiscountInvalid));
    let mut d = base();
    d.expected_total = Some(Money::from_cents(1));
    assert_eq!(code(d).await, Some(ErrorCode::PriceChanged));
    let mut d = base();
    for end in [&mut d.pickup, &mut d.dropoff] {
        end.address.city = "Sept-Îles".into();
        end.address.postal_code = "G4R 1A1".parse().unwrap();
        end.coordinates = kernel::Coordinates::new(50.2, -66.38).unwrap();
    }
    assert_eq!(code(d).await, Some(ErrorCode::AreaUnserved));
    let mut d = base();
    d.pickup.address.street = " ".into();
    d.items.clear();
    match w.book(d, None).await.unwrap_err() {
        Error::Invalid(fields) => {
            let names: Vec<_> = fields.iter().map(|f| f.field.as_str()).collect();
            assert_eq!(names, ["bookingRequest.pickup.street", "bookingRequest.selectedFurnitures"]);
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn the_same_button_twice_is_one_booking() {
    let w = World::new(monday()).await;
    let held = hold(&w, day(22)).await.unwrap();
    let mut d = draft(Province::QC, day(22), nine());
    d.hold_id = Some(held.id);
    // By the hold alone, without any key.
    let first = w.book(d.clone(), None).await.unwrap();
    let second = w.book(d.clone(), None).await.unwrap();
    assert_eq!(first.booking.id, second.booking.id);
    // By the key.
    let mut d = draft(Province::QC, day(23), nine());
    let Replayable::Fresh(one) = create(&w.s, &w.customer, d.clone(), None, Some(guard("k"))).await.unwrap() else {
        panic!()
    };
    let Replayable::Replayed { status, body } =
        create(&w.s, &w.customer, d.clone(), None, Some(guard("k"))).await.unwrap()
    else {
        panic!()
    };
    assert_eq!((status, body["id"].as_str().unwrap()), (201, one.booking.id.to_string().as_str()));
    // Another body under the same key.
    d.ride_along = true;
    let mut other = guard("k");
    other.request.body_hash = "other".into();
    let e = create(&w.s, &w.customer, d, None, Some(other)).await.unwrap_err();
    assert_eq!(refused(&e), Some(ErrorCode::IdempotencyKeyReused));
}

#[tokio::test]
async fn a_lapsed_hold_is_retaken_silently_while_there_is_room() {
    let w = World::new(monday()).await;
    w.calendar(DayCapacity { mates: 2, trucks: [1, 0, 0] }).await;
    let held = hold(&w, day(22)).await.unwrap();
    assert_eq!(refused(&hold(&w, day(22)).await.unwrap_err()), Some(ErrorCode::SlotGone));
    w.clock.set(held.expires_at);
    w.work().await;
    let id = held.id;
    assert_eq!(w.read(move |u| u.capacities().hold(id)).await.unwrap().state, hold::State::Expired);
    let mut d = draft(Province::QC, day(22), nine());
    d.hold_id = Some(held.id);
    w.book(d, None).await.unwrap();
    // Now it is really gone.
    let e = w.book(draft(Province::QC, day(22), nine()), None).await.unwrap_err();
    assert_eq!(refused(&e), Some(ErrorCode::SlotGone));
    assert!(w.read(|u| u.capacities().drift()).await.is_empty());
}

async fn race(db: store::testing::TestDb) {
    let w = World::on(db, monday()).await;
    w.calendar(DayCapacity { mates: 2, trucks: [1, 0, 0] }).await;
    let tries: Vec<_> = (0..50)
        .map(|_| {
            let (s, who) = (w.s.clone(), w.customer.clone());
            tokio::spawn(async move { create(&s, &who, draft(Province::QC, day(22), nine()), None, None).await })
        })
        .collect();
    let mut won = 0;
    for t in tries {
        match t.await.unwrap() {
            Ok(_) => won += 1,
            Err(e) => assert_eq!(refused(&e), Some(ErrorCode::SlotGone), "{e:?}"),
        }
    }
    assert_eq!(won, 1);
    let user = w.customer.user.unwrap();
    assert_eq!(w.read(move |u| u.bookings().of_user(user, 1, 100)).await.total, 1);
    assert!(w.read(|u| u.capacities().drift()).await.is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn fifty_racing_for_the_last_slot_make_one_booking_on_sqlite() {
    race(store::testing::TestDb::sqlite()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn fifty_racing_for_the_last_slot_make_one_booking_on_postgres() {
    race(store::testing::TestDb::postgres()).await;
}

/// A move tomorrow: everything is charged at once.
fn tomorrow() -> service::bookings::Draft {
    draft(Province::QC, day(9), NaiveTime::from_hms_opt(13, 0, 0).unwrap())
}

#[tokio::test]
async fn a_move_tomorrow_is_charged_before_it_exists() {
    let w = World::new(monday()).await;
    let made = w.book(tomorrow(), None).await.unwrap();
    assert_eq!(made.booking.total.cents(), w.gateway.net());
    let id = made.booking.id;
    w.work().await;
    let rows = w.read(move |u| u.payments().of_booking(id)).await;
    assert_eq!(rows.iter().map(|r| r.kind).collect::<Vec<_>>(), [PaymentKind::Full]);
    assert!(w.booking(id).await.details.lock_entered);
    let types: Vec<_> = w.mailer.sent.lock().unwrap().iter().map(|m| m.message_type.clone()).collect();
    assert!(
        types.contains(&"bookingConfirmation".to_owned()) && types.contains(&"fullPaymentCharged".to_owned()),
        "{types:?}"
    );
}

#[tokio::test]
async fn a_declined_card_books_nothing_and_keeps_the_time() {
    let w = World::new(monday()).await;
    w.calendar(DayCapacity { mates: 2, trucks: [1, 0, 0] }).await;
    w.gateway.queue(&[Next::Soft]);
    let d = tomorrow();
    let e = create(&w.s, &w.customer, d.clone(), None, Some(guard("k"))).await.unwrap_err();
    assert_eq!(refused(&e), Some(ErrorCode::PaymentDeclined));
    let user = w.customer.user.unwrap();
    assert_eq!(w.read(move |u| u.bookings().of_user(user, 1, 10)).await.total, 0);
    assert_eq!(w.gateway.net(), 0);
    // The time is kept for a second try by whoever held it; it lapses by itself.
    w.clock.set(monday() + Duration::minutes(11));
    w.work().await;
    let Replayable::Fresh(made) = create(&w.s, &w.customer, d, None, Some(guard("k"))).await.unwrap() else { panic!() };
    assert_eq!(made.booking.total.cents(), w.gateway.net());
    assert!(w.read(|u| u.capacities().drift()).await.is_empty());
}

#[tokio::test]
async fn a_lost_answer_is_looked_up_and_never_charged_again() {
    let w = World::new(monday()).await;
    w.gateway.queue(&[Next::LostAnswer]);
    let made = w.book(tomorrow(), None).await.unwrap();
    assert_eq!(w.gateway.net(), made.booking.total.cents());
    assert_eq!(w.gateway.seen().len(), 1);
    // A request that certainly never arrived frees everything; the next press has another order id.
    w.gateway.queue(&[Next::LostRequest]);
    let mut d = tomorrow();
    d.time = NaiveTime::from_hms_opt(14, 0, 0).unwrap();
    assert_eq!(refused(&w.book(d.clone(), None).await.unwrap_err()), Some(ErrorCode::PaymentUnavailable));
    let other = w.book(d, None).await.unwrap();
    assert_eq!(w.gateway.net(), made.booking.total.plus(other.booking.total).cents());
}

#[tokio::test]
async fn a_checkout_without_an_answer_is_recovered_by_its_job() {
    let w = World::new(monday()).await;
    // Not found, and still young: it may arrive.
    w.gateway.may_be_late(60_000);
    w.gateway.queue(&[Next::LostRequest]);
    let e = create(&w.s, &w.customer, tomorrow(), None, Some(guard("k"))).await.unwrap_err();
    assert_eq!(refused(&e), Some(ErrorCode::PaymentUnavailable));
    let open = async || w.read(|u| u.checkouts().in_state(CheckoutState::Charging)).await.len();
    assert_eq!(open().await, 1);
    assert_eq!(recovery::recover_all(&w.s).await.unwrap(), 1);
    jobs::run_due(&w.s, "w").await.unwrap();
    assert_eq!(open().await, 1, "nothing is freed while the charge may still arrive");
    w.gateway.may_be_late(0);
    w.work().await;
    assert_eq!(open().await, 0);
    assert_eq!(w.gateway.net(), 0);
    // Nothing stands in the way of trying again with the same key.
    let Replayable::Fresh(made) = create(&w.s, &w.customer, tomorrow(), None, Some(guard("k"))).await.unwrap() else {
        panic!()
    };
    assert_eq!(w.gateway.net(), made.booking.total.cents());
    assert!(w.read(|u| u.capacities().drift()).await.is_empty());
}

#[tokio::test]
async fn an_unknown_deposit_is_looked_up_before_anything_is_sent_again() {
    let w = World::new(monday()).await;
    let made = w.book(draft(Province::QC, day(22), nine()), None).await.unwrap();
    let id = made.booking.id;
    w.gateway.queue(&[Next::LostAnswer]);
    w.clock.set(monday() + Duration::hours(24) + Duration::seconds(1));
    w.work_at_once().await;
    let rows = w.read(move |u| u.payments().of_booking(id)).await;
    let deposit = rows.iter().find(|r| r.kind == PaymentKind::Deposit).unwrap().clone();
    assert_eq!(deposit.state.code(), "unknown");
    w.work().await;
    let (row, attempts) =
        w.read(move |u| Ok((u.payments().get(deposit.id)?.unwrap(), u.payments().attempts_of(deposit.id)?))).await;
    assert_eq!(row.state.code(), "captured");
    assert_eq!(attempts.iter().map(|a| *a.state).collect::<Vec<_>>(), [AttemptState::Applied]);
    assert_eq!(w.gateway.seen().len(), 1, "charged once");
}

#[tokio::test]
async fn a_hard_decline_waits_for_a_new_card() {
    let w = World::new(monday()).await;
    let made = w.book(draft(Province::QC, day(22), nine()), None).await.unwrap();
    let id = made.booking.id;
    w.gateway.queue(&[Next::Hard]);
    w.clock.set(monday() + Duration::hours(25));
    w.work().await;
    assert_eq!(w.gateway.seen().iter().filter(|s| s.what == "decline").count(), 1);
    w.clock.set(monday() + Duration::hours(31));
    w.work().await;
    assert_eq!(w.gateway.seen().len(), 1, "the same card is not asked again");
    service::payments::add_card(&w.s, &w.customer, "fake-valid-nonce".into(), None, None).await.unwrap();
    w.work().await;
    assert_eq!(w.gateway.net(), made.plan.charges[0].amount.cents());
    let b = w.booking(id).await;
    assert_eq!((b.status, b.details.payment_problem), (Status::Pending, false));
}

#[tokio::test]
async fn cancelling_gives_time_and_code_back_and_can_be_done_once() {
    let w = World::new(monday()).await;
    w.calendar(DayCapacity { mates: 2, trucks: [1, 0, 0] }).await;
    let made = w.book(draft(Province::QC, day(22), nine()), None).await.unwrap();
    let preview = cancel::preview(&w.s, &w.customer, made.booking.id).await.unwrap();
    assert_eq!((preview.outcome.kept, preview.outcome.rule), (Money::ZERO, policy::Rule::Free));
    cancel::cancel(&w.s, &w.customer, made.booking.id).await.unwrap();
    w.work().await;
    // Who cancels free of charge reads so.
    let mail = w.mailer.sent.lock().unwrap().iter().find(|m| m.message_type == "bookingCancelled").cloned().unwrap();
    for words in [&mail.text, &mail.html] {
        assert!(words.contains("Nothing is kept.") && !words.contains("Taxes included"), "{words}");
    }
    let e = cancel::cancel(&w.s, &w.customer, made.booking.id).await.unwrap_err();
    assert_eq!(refused(&e), Some(ErrorCode::CancelRefused));
    w.book(draft(Province::QC, day(22), nine()), None).await.unwrap();
    assert!(w.read(|u| u.capacities().drift()).await.is_empty());
    // Somebody else's booking does not exist.
    let stranger = support::caller(service::Role::Customer, kernel::UserId(uuid::Uuid::new_v4()));
    let e = cancel::cancel(&w.s, &stranger, made.booking.id).await.unwrap_err();
    assert_eq!(refused(&e), Some(ErrorCode::NotFound));
}

#[tokio::test]
async fn a_move_is_announced_at_its_present_date_and_a_cancelled_one_is_not() {
    let w = World::new(monday()).await;
    let made = w.book(draft(Province::QC, day(22), nine()), None).await.unwrap();
    let other = w.book(draft(Province::QC, day(23), nine()), None).await.unwrap();
    cancel::cancel(&w.s, &w.customer, other.booking.id).await.unwrap();
    let later = service::bookings::edit::EditInput { date: Some(day(25)), ..Default::default() };
    service::bookings::edit::edit(&w.s, &w.customer, made.booking.id, later, None).await.unwrap();
    while let Some(at) = w.next_job().await.filter(|at| *at < "2027-03-01T00:00:00Z".parse::<DateTime<Utc>>().unwrap())
    {
        w.clock.set(at.max(w.clock.now_value()));
        w.work().await;
    }
    let sent = w.mailer.sent.lock().unwrap().clone();
    let reminders: Vec<_> = sent.iter().filter(|m| m.message_type == "moveReminder").collect();
    assert_eq!(reminders.len(), 2, "{:?}", sent.iter().map(|m| &m.message_type).collect::<Vec<_>>());
    assert!(reminders.iter().all(|m| m.subject.contains("February 25, 2027")));
}

#[tokio::test]
async fn a_server_that_stood_still_reminds_once_and_of_no_move_that_began() {
    let reminded = async |hours: i64| {
        let w = World::new(monday()).await;
        let made = w.book(draft(Province::QC, day(22), nine()), None).await.unwrap();
        w.clock.set(made.booking.move_at + Duration::hours(hours));
        w.work().await;
        let sent = w.mailer.sent.lock().unwrap().clone();
        sent.iter().filter(|m| m.message_type == "moveReminder").count()
    };
    assert_eq!([reminded(-71).await, reminded(-10).await, reminded(2).await], [1, 1, 0]);
}

#[tokio::test]
async fn mails_survive_workers_that_die() {
    let w = World::new(monday()).await;
    w.book(draft(Province::QC, day(22), nine()), None).await.unwrap();
    // Six servers claim everything and are killed; each claim costs an attempt.
    for _ in 0..6 {
        let now = w.clock.now_value();
        w.write(move |u| u.jobs().claim(now, now, now + Duration::hours(1), "dead", 50)).await;
        w.write(|u| u.jobs().release_leases()).await;
    }
    w.work().await;
    assert!(w.read(|u| u.jobs().dead(10)).await.is_empty());
    assert_eq!(w.mailer.sent.lock().unwrap().len(), 1);
}
