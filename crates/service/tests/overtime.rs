//! Time beyond what was agreed: what it costs, whose yes it needs, and how much the law lets it be.

use crate::support;

use chrono::{DateTime, Duration, NaiveDate, NaiveTime, Utc};
use kernel::{BookingId, Money, Province};
use pricing::RateCard;
use service::{
    Error, ErrorCode, FieldProblem, Limit, ServiceResult,
    billing::reconcile,
    bookings::{
        edit::{StaffEdit, edit_as_staff},
        status::{self, StatusInput},
    },
    desk::{
        overtime::{self, NewOvertime},
        record::Record,
    },
    idempotency::Replayable,
    ports::{ledger::Account, overtime::OvertimeCause, payments::PaymentKind},
};
use status_machine::booking::Status;
use store::testing::TestDb;
use support::{World, draft};

on_both_engines!(
    three_quarters_of_an_hour_are_a_line_and_a_charge_of_their_own,
    nobody_is_charged_without_a_yes,
    only_a_move_that_has_begun_takes_longer,
    a_move_under_way_charges_it_at_once_and_keeps_it_when_it_is_taken_back,
    minutes_add_up_to_one_line,
    the_law_bounds_it_to_the_cent,
    four_at_once_are_four_and_charged_once_each,
    a_price_that_has_begun_rises_by_overtime_alone,
);

fn monday() -> DateTime<Utc> {
    "2027-02-08T14:00:00Z".parse().unwrap()
}

/// An hour after the start of the move of the 18th.
fn on_the_day() -> DateTime<Utc> {
    "2027-02-18T15:00:00Z".parse().unwrap()
}

/// A card under which the truck costs so much and an hour of the crew so much, overtime or not.
fn hourly(fee: i64, cents: i64) -> RateCard {
    let mut card = support::flat::flat(fee);
    card.rates.default.first_mate_hourly = Money::from_cents(cents);
    card
}

async fn booked(w: &World, province: Province, card: RateCard) -> BookingId {
    w.rate(card, w.clock.now_value() - Duration::seconds(1)).await;
    let date = NaiveDate::from_ymd_opt(2027, 2, 18).unwrap();
    w.book(draft(province, date, NaiveTime::from_hms_opt(9, 0, 0).unwrap()), None).await.unwrap().booking.id
}

/// Paid as a whole, its crew on the way.
async fn under_way(w: &World, province: Province, card: RateCard) -> BookingId {
    let id = booked(w, province, card).await;
    for at in [monday() + Duration::hours(25), on_the_day() - Duration::hours(48)] {
        w.clock.set(at);
        w.work().await;
    }
    set(w, id, Status::Assigned).await;
    w.clock.set(on_the_day());
    w.work().await;
    id
}

async fn set(w: &World, id: BookingId, to: Status) {
    let said = StatusInput { reason: Some("test".into()), ..StatusInput::default() };
    status::set(&w.s, &w.staff(), id, to, said).await.unwrap();
}

fn agreed(minutes: u32) -> NewOvertime {
    NewOvertime { minutes, cause: OvertimeCause::Elevator, consent: Some("Ana Roy, on site".into()) }
}

async fn add(w: &World, id: BookingId, new: NewOvertime) -> ServiceResult<Record> {
    match overtime::add(&w.s, &w.staff(), id, new, None).await? {
        Replayable::Fresh(record) => Ok(record),
        Replayable::Replayed { .. } => panic!("replayed"),
    }
}

fn code(e: &Error) -> ErrorCode {
    match e {
        Error::Refused(code, _) => *code,
        other => panic!("{other:?}"),
    }
}

async fn posted(w: &World, id: BookingId, account: Account) -> i64 {
    let entries = w.read(move |u| u.ledger().of_booking(id)).await;
    entries.iter().flat_map(|e| e.lines().to_vec()).filter(|l| l.account == account).map(|l| l.amount.cents()).sum()
}

async fn sound(w: &World) {
    let report = reconcile::run(&w.s, monday() - Duration::days(1), monday() + Duration::days(90)).await.unwrap();
    assert_eq!(report.differences, Vec::<String>::new(), "{:#?}", w.gateway.seen());
    assert_eq!(w.read(|u| u.jobs().dead(9)).await, []);
}

/// Its line, before tax.
async fn line(w: &World, id: BookingId) -> i64 {
    let lines = w.booking(id).await.details.lines;
    assert_eq!(lines.iter().map(|l| l.amount).sum::<Money>(), w.booking(id).await.amount, "lines add up");
    let own: Vec<_> = lines.iter().filter(|l| l.content == "overtime").collect();
    assert!(own.len() < 2, "{own:?}");
    own.first().map_or(0, |l| l.amount.cents())
}

async fn three_quarters_of_an_hour_are_a_line_and_a_charge_of_their_own(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = under_way(&w, Province::QC, hourly(50_000, 4_000)).await;
    set(&w, id, Status::Completed).await;
    let before = w.booking(id).await;
    let shown = overtime::preview(&w.s, &w.staff(), id, 45).await.unwrap();
    assert_eq!(w.booking(id).await, before, "a look changes nothing");
    let paid = w.gateway.net();

    let record = add(&w, id, agreed(45)).await.unwrap();
    let b = w.booking(id).await;
    assert_eq!(record.detail.booking, b);
    assert_eq!(line(&w, id).await, shown.amount.cents());
    assert!(shown.amount.is_positive());
    assert_eq!((b.amount, b.total), (before.amount.plus(shown.amount), shown.new_total));
    assert_eq!(b.tax, before.tax.plus(shown.tax));
    assert_eq!(b.details.taxes.iter().map(|t| t.amount).sum::<Money>(), b.tax);
    let told = &b.details.overtime[0];
    assert_eq!((told.minutes, told.cause, told.consent.as_str()), (45, OvertimeCause::Elevator, "Ana Roy, on site"));

    w.work().await;
    let added = shown.amount.plus(shown.tax).cents();
    assert_eq!(w.gateway.net(), paid + added);
    let rows = w.read(move |u| u.payments().of_booking(id)).await;
    let own: Vec<i64> = rows
        .iter()
        .filter(|r| r.kind == PaymentKind::Overtime && r.settled_at.is_some())
        .map(|r| r.amount.cents())
        .collect();
    assert_eq!(own, [added]);
    assert_eq!(
        (posted(&w, id, Account::Customer).await, -posted(&w, id, Account::Revenue).await),
        (0, b.amount.cents())
    );
    w.clock.set(on_the_day() + Duration::days(9));
    w.work().await;
    assert_eq!(w.gateway.net(), paid + added);
    sound(&w).await;
}

async fn nobody_is_charged_without_a_yes(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = under_way(&w, Province::QC, hourly(50_000, 4_000)).await;
    let before = w.booking(id).await;
    let Err(Error::Invalid(wrong)) = add(&w, id, NewOvertime { consent: None, ..agreed(45) }).await else { panic!() };
    assert_eq!((wrong[0].field.as_str(), wrong[0].problem), ("consent", FieldProblem::Required));
    for minutes in [0, overtime::LONGEST + 1] {
        let Err(Error::Invalid(wrong)) = add(&w, id, agreed(minutes)).await else { panic!() };
        let bounds = FieldProblem::Between(Limit::Minutes(1), Limit::Minutes(overtime::LONGEST));
        assert_eq!((wrong[0].field.as_str(), wrong[0].problem), ("minutes", bounds));
    }
    // The first quarter of an hour is free.
    assert_eq!(code(&add(&w, id, agreed(15)).await.unwrap_err()), ErrorCode::OvertimeFree);
    assert_eq!(w.booking(id).await, before);
}

async fn only_a_move_that_has_begun_takes_longer(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = booked(&w, Province::QC, hourly(50_000, 4_000)).await;
    assert_eq!(code(&add(&w, id, agreed(45)).await.unwrap_err()), ErrorCode::OvertimeClosed);
    set(&w, id, Status::Assigned).await;
    assert_eq!(code(&add(&w, id, agreed(45)).await.unwrap_err()), ErrorCode::OvertimeClosed);
    w.clock.set(on_the_day());
    w.work().await;
    add(&w, id, agreed(45)).await.unwrap();
    w.work().await;
    set(&w, id, Status::Completed).await;
    w.clock.set(on_the_day() + Duration::days(8));
    w.work().await;
    assert_eq!(
        code(&add(&w, id, agreed(60)).await.unwrap_err()),
        ErrorCode::OvertimeClosed,
        "a week later is too late"
    );
    w.clock.set(on_the_day());
    set(&w, id, Status::Assigned).await;
    set(&w, id, Status::Cancelled).await;
    w.work().await;
    assert_eq!(code(&add(&w, id, agreed(60)).await.unwrap_err()), ErrorCode::OvertimeClosed);
    sound(&w).await;
}

async fn a_move_under_way_charges_it_at_once_and_keeps_it_when_it_is_taken_back(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = under_way(&w, Province::QC, hourly(50_000, 4_000)).await;
    let paid = w.gateway.net();
    add(&w, id, agreed(45)).await.unwrap();
    w.work().await;
    let with = w.gateway.net();
    assert!(with > paid);
    set(&w, id, Status::Completed).await;
    w.work().await;
    set(&w, id, Status::Assigned).await;
    w.work().await;
    set(&w, id, Status::Completed).await;
    w.work().await;
    assert_eq!((w.gateway.net(), w.gateway.refunds()), (with, vec![]), "what was agreed to is not given back");
    assert_eq!(w.booking(id).await.total.cents(), with);
    sound(&w).await;
}

/// Consent and the law's cap would mean nothing if staff could raise the price beside them.
async fn a_price_that_has_begun_rises_by_overtime_alone(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = booked(&w, Province::ON, hourly(50_000, 4_000)).await;
    set(&w, id, Status::Assigned).await;
    let price = |cents| StaffEdit { amount: Some(Money::from_cents(cents)), ..StaffEdit::default() };
    let now = w.booking(id).await.amount.cents();
    edit_as_staff(&w.s, &w.staff(), id, price(now + 100), None).await.unwrap();
    w.clock.set(on_the_day());
    w.work().await;
    let more = edit_as_staff(&w.s, &w.staff(), id, price(now + 101), None).await.unwrap_err();
    assert_eq!(code(&more), ErrorCode::OvertimeOnly);
    edit_as_staff(&w.s, &w.staff(), id, price(now), None).await.unwrap();
    // A move that did not take place has another day, and another price.
    let mut later = price(now + 5_000);
    later.change.date = NaiveDate::from_ymd_opt(2027, 2, 25);
    edit_as_staff(&w.s, &w.staff(), id, later, None).await.unwrap();
    w.work().await;
    sound(&w).await;
}

async fn minutes_add_up_to_one_line(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = under_way(&w, Province::QC, hourly(50_000, 4_000)).await;
    let at_once = overtime::preview(&w.s, &w.staff(), id, 75).await.unwrap().amount.cents();
    add(&w, id, agreed(40)).await.unwrap();
    // Still the third quarter of an hour: nothing more is billed.
    assert_eq!(code(&add(&w, id, agreed(5)).await.unwrap_err()), ErrorCode::OvertimeFree);
    add(&w, id, agreed(35)).await.unwrap();
    assert_eq!(line(&w, id).await, at_once);
    assert_eq!(w.booking(id).await.details.overtime.len(), 2);
    w.work().await;
    assert_eq!(w.gateway.net(), w.booking(id).await.total.cents());
    sound(&w).await;
}

/// Ontario: a tenth of what was agreed. Alberta: that, and at most 100.00.
async fn the_law_bounds_it_to_the_cent(db: TestDb) {
    let w = World::on(db, monday()).await;
    // Three quarters of an hour cost 30.00; the little work of the move itself is part of what was agreed.
    let work = {
        let id = under_way(&w, Province::ON, hourly(30_000, 4_000)).await;
        w.booking(id).await.amount.cents() - 30_000
    };
    let of_ontario = |agreed: i64| hourly(agreed - work, 4_000);
    let of_alberta = |hour: i64| hourly(300_000, hour);
    for (province, card, most, fits) in [
        (Province::ON, of_ontario(30_000), 3_000, true),
        (Province::ON, of_ontario(29_994), 2_999, false),
        (Province::AB, of_ontario(30_000), 3_000, true),
        (Province::AB, of_ontario(29_994), 2_999, false),
        (Province::AB, of_alberta(13_333), 10_000, true),
        (Province::AB, of_alberta(13_334), 10_000, false),
        (Province::QC, of_ontario(20_000), i64::MAX, true),
    ] {
        w.clock.set(monday());
        let id = under_way(&w, province, card).await;
        let done = add(&w, id, agreed(45)).await;
        if fits {
            done.unwrap();
            // However it is cut, all of it counts.
            if province != Province::QC {
                assert_eq!(code(&add(&w, id, agreed(15)).await.unwrap_err()), ErrorCode::OvertimeCap);
            }
        } else {
            let Err(Error::Refused(ErrorCode::OvertimeCap, params)) = done else { panic!("{province}: {done:?}") };
            assert!(params.contains(&("province", province.code().to_owned())), "{params:?}");
            assert!(params.contains(&("difference", Money::from_cents(most).to_string())), "{params:?}");
            assert_eq!(line(&w, id).await, 0);
        }
    }
}

async fn four_at_once_are_four_and_charged_once_each(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = under_way(&w, Province::QC, hourly(50_000, 4_000)).await;
    let one = || add(&w, id, agreed(30));
    let (a, b, c, d) = tokio::join!(one(), one(), one(), one());
    let done = [a, b, c, d].into_iter().filter(Result::is_ok).count();
    assert!(done >= 1);
    w.work().await;
    let b = w.booking(id).await;
    assert_eq!(b.details.overtime.len(), done);
    assert_eq!(w.gateway.net(), b.total.cents());
    sound(&w).await;
}
