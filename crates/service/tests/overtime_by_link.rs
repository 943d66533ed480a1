//! Overtime that the customer is asked for by a link: nothing is added before they agree to its exact words.

use crate::support;

use chrono::{Duration, NaiveDate, NaiveTime};
use kernel::{BookingId, Language, Money, Province};
use service::{
    Caller, Error, ErrorCode, ServiceResult,
    billing::reconcile,
    bookings::{
        consents::answer::{self, Page, State},
        status,
    },
    desk::{
        overtime::{self, NewOvertime},
        record,
    },
    idempotency::Replayable,
    ports::{
        bookings::Booking,
        consents::{Consent, Standing},
        overtime::OvertimeCause,
    },
};
use status_machine::booking::Status;
use store::testing::TestDb;
use support::{
    World, draft,
    thursday::{TOTAL, lock, start},
};

on_both_engines!(overtime_by_link_is_added_when_agreed, overtime_by_link_that_changed_or_was_refused,);

fn said(reason: &str) -> status::StatusInput {
    status::StatusInput { reason: Some(reason.into()), ..status::StatusInput::default() }
}

async fn set(w: &World, id: BookingId, to: Status) {
    status::set(&w.s, &w.staff(), id, to, said("the customer called")).await.unwrap();
}

async fn booked(w: &World) -> BookingId {
    w.flat_rate(50_000).await;
    let date = NaiveDate::from_ymd_opt(2027, 2, 18).unwrap();
    w.book(draft(Province::QC, date, NaiveTime::from_hms_opt(9, 0, 0).unwrap()), None).await.unwrap().booking.id
}

async fn newest(w: &World, id: BookingId) -> Consent {
    w.booking(id).await.details.consents.last().unwrap().clone()
}

fn guest() -> Caller {
    Caller::guest(Language::En)
}

async fn says(w: &World, token: &str, agree: bool) -> ServiceResult<Page> {
    answer::answer(&w.s, &guest(), token.to_owned(), agree).await
}

fn code<T: std::fmt::Debug>(done: ServiceResult<T>) -> ErrorCode {
    match done {
        Err(Error::Refused(code, _)) => code,
        other => panic!("{other:?}"),
    }
}

async fn sound(w: &World) {
    let report = reconcile::run(&w.s, start() - Duration::days(1), start() + Duration::days(90)).await.unwrap();
    assert_eq!(report.differences, Vec::<String>::new(), "{:#?}", w.gateway.seen());
    assert_eq!(w.read(|u| u.jobs().dead(9)).await, []);
}

async fn write_down(w: &World, id: BookingId, which: Option<uuid::Uuid>, note: &str) -> ServiceResult<Booking> {
    let done = record::consent(&w.s, &w.staff(), id, which, note.into(), None).await?;
    match done {
        Replayable::Fresh(record) => Ok(record.detail.booking),
        Replayable::Replayed { .. } => panic!("no key was sent"),
    }
}

/// Done, 574.88 paid.
async fn done(w: &World) -> BookingId {
    let id = booked(w).await;
    w.clock.set(lock());
    w.work().await;
    w.clock.set("2027-02-18T18:00:00Z".parse().unwrap());
    set(w, id, Status::Completed).await;
    w.work().await;
    id
}

async fn ask_longer(w: &World, id: BookingId, minutes: u32) -> String {
    let asked = overtime::ask(&w.s, &w.staff(), id, minutes, OvertimeCause::Elevator, None).await.unwrap();
    let Replayable::Fresh(sent) = asked else { panic!() };
    w.work().await;
    sent.url.rsplit_once("/consent/").unwrap().1.split('?').next().unwrap().to_owned()
}

async fn overtime_by_link_is_added_when_agreed(db: TestDb) {
    let w = World::on(db, start()).await;
    let id = done(&w).await;
    let Replayable::Fresh(_) = overtime::ask(&w.s, &w.staff(), id, 45, OvertimeCause::Elevator, None).await.unwrap()
    else {
        panic!()
    };
    let link = ask_longer(&w, id, 45).await;
    let cost = overtime::preview(&w.s, &w.staff(), id, 45).await.unwrap();
    let with_tax = cost.amount.plus(cost.tax);
    let b = w.booking(id).await;
    assert_eq!((b.total.cents(), w.gateway.net(), b.details.overtime.len()), (TOTAL, TOTAL, 0));
    let page = answer::look(&w.s, link.clone()).await.unwrap();
    assert_eq!((page.state, page.consent.amount, page.releases), (State::Asked, with_tax, false));
    assert!(page.consent.text.contains("45"), "{}", page.consent.text);
    assert_eq!(says(&w, &link, true).await.unwrap().state, State::Agreed);
    assert_eq!(says(&w, &link, true).await.unwrap().state, State::Agreed, "pressed twice");
    w.work().await;
    let b = w.booking(id).await;
    assert_eq!((b.details.overtime.len(), b.total), (1, Money::from_cents(TOTAL).plus(with_tax)));
    assert_eq!((&b.details.overtime[0].consent, b.details.overtime[0].by), (&page.consent.text, w.ops.user));
    assert_eq!(w.gateway.net(), b.total.cents());
    sound(&w).await;
}

async fn overtime_by_link_that_changed_or_was_refused(db: TestDb) {
    let w = World::on(db, start()).await;
    let id = done(&w).await;
    let link = ask_longer(&w, id, 45).await;
    // Meanwhile somebody adds time that the customer agreed to on the spot: all minutes count together.
    let new = NewOvertime { minutes: 60, cause: OvertimeCause::Access, consent: Some("Ana, on site".into()) };
    overtime::add(&w.s, &w.staff(), id, new, None).await.unwrap();
    assert_eq!(says(&w, &link, true).await.unwrap().state, State::Replaced);
    w.work().await;
    assert_eq!(w.booking(id).await.details.overtime.len(), 1);
    let link = ask_longer(&w, id, 60).await;
    assert_eq!(says(&w, &link, false).await.unwrap().state, State::Refused);
    let b = w.booking(id).await;
    assert_eq!(
        (b.status, b.details.overtime.len(), newest(&w, id).await.standing),
        (Status::Completed, 1, Standing::Refused)
    );
    // Written down on the telephone after all.
    let link = ask_longer(&w, id, 60).await;
    write_down(&w, id, None, "Ana Roy, the next day").await.unwrap();
    assert_eq!(says(&w, &link, true).await.unwrap().state, State::Agreed);
    w.work().await;
    let b = w.booking(id).await;
    assert_eq!((b.details.overtime.len(), w.gateway.net()), (2, b.total.cents()));
    // Silence ends it.
    let link = ask_longer(&w, id, 90).await;
    w.clock.set("2027-02-25T19:00:00Z".parse().unwrap());
    w.work().await;
    assert_eq!(
        (code(says(&w, &link, true).await), newest(&w, id).await.standing),
        (ErrorCode::NotFound, Standing::Lapsed)
    );
    sound(&w).await;
}
