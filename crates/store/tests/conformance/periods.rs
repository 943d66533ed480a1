//! Closed months: nothing is dated in them, whoever writes.

use std::{
    sync::{Arc, Mutex, mpsc},
    time::Duration,
};

use chrono::{DateTime, NaiveDate, Utc};
use kernel::{BookingId, EntryId, Language, Money, Zone};
use service::ports::{
    StoreError,
    invoices::{Edits, Invoice, InvoiceId, Number, Paper, Party, Purpose},
    ledger::{Account, Entry, EntryLine},
    periods::{ClosedMonth, Month},
};
use status_machine::{At, invoice::State};
use store::testing::TestDb;

use crate::fixtures::*;

on_both_engines!(
    months_are_closed_and_reopened,
    no_entry_is_dated_in_a_closed_month,
    no_paper_is_dated_in_a_closed_month,
    who_closes_waits_for_who_posts,
);

fn utc(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

fn end_of_january() -> DateTime<Utc> {
    utc("2027-02-01T05:00:00Z")
}

fn closed(month: &str, until: DateTime<Utc>) -> ClosedMonth {
    let open_from = until + chrono::Duration::hours(3);
    let closed_at = until + chrono::Duration::hours(9);
    ClosedMonth { month: month.parse().unwrap(), until, open_from, closed_at, closed_by: None }
}

fn entry(booking: BookingId, at: DateTime<Utc>, fact: &str) -> Entry {
    let line = |account, n| EntryLine { account, amount: cents(n) };
    let lines = vec![line(Account::Gateway, 5), line(Account::Customer, -5)];
    Entry::new(EntryId(uuid()), booking, None, at, "capture", fact.to_owned(), lines).unwrap()
}

async fn months_are_closed_and_reopened(db: TestDb) {
    let by = person(&db).await;
    assert_eq!(read(&db, |u| u.periods().last()).await, None);
    let december = closed("2026-12", utc("2027-01-01T05:00:00Z"));
    let january = ClosedMonth { closed_by: Some(by), ..closed("2027-01", end_of_january()) };
    let all = [december.clone(), january.clone()];
    write(&db, move |u| all.iter().try_for_each(|m| u.periods().close(m))).await;
    assert_eq!(read(&db, |u| u.periods().last()).await.as_ref(), Some(&january));
    assert_eq!(write(&db, |u| u.periods().last()).await.as_ref(), Some(&january));
    assert_eq!(read(&db, |u| u.periods().closed()).await, [january.clone(), december.clone()]);
    let again = january.clone();
    assert!(matches!(try_write(&db, move |u| u.periods().close(&again)).await, Err(StoreError::Duplicate(_))));
    // A month that has not ended everywhere is not closed, whoever writes.
    let early = ClosedMonth { closed_at: end_of_january(), ..closed("2027-02", utc("2027-03-01T05:00:00Z")) };
    assert!(matches!(try_write(&db, move |u| u.periods().close(&early)).await, Err(StoreError::Refused(_))));
    let month = january.month;
    assert!(write(&db, move |u| u.periods().reopen(month)).await);
    assert!(!write(&db, move |u| u.periods().reopen(month)).await);
    assert_eq!(read(&db, |u| u.periods().closed()).await, [december]);
}

async fn no_entry_is_dated_in_a_closed_month(db: TestDb) {
    let made = booked(&db).await.id;
    assert_eq!(read(&db, |u| u.periods().first_entry()).await, None);
    let (first, last) =
        (end_of_january() - chrono::Duration::days(9), end_of_january() - chrono::Duration::microseconds(1));
    let old = entry(made, first, "old");
    let (copy, old_id) = (old.clone(), old.id);
    write(&db, move |u| u.ledger().append(&copy)).await;
    assert_eq!(read(&db, |u| u.periods().first_entry()).await, Some(first));
    write(&db, |u| u.periods().close(&closed("2027-01", end_of_january()))).await;
    for (at, fact) in [(last, "last"), (first, "first"), (utc("2026-06-01T00:00:00Z"), "long ago")] {
        let told = try_write(&db, move |u| u.ledger().append(&entry(made, at, fact))).await;
        assert!(matches!(told, Err(StoreError::PeriodClosed)), "{fact}: {told:?}");
    }
    write(&db, move |u| u.ledger().append(&entry(made, end_of_january(), "next"))).await;
    // Neither does another line come to an entry that lies in it.
    let line = "INSERT INTO ledger_lines (entry_id, position, account, amount_cents) VALUES ";
    let told = Stranger::at(db.url()).run(&format!("{line}('{old_id}', 7, 'gst', 5)")).unwrap_err().to_string();
    assert!(told.contains("books_closed"), "{told}");
    assert_eq!(read(&db, move |u| u.ledger().of_booking(made)).await.len(), 2);
    let month: Month = "2027-01".parse().unwrap();
    write(&db, move |u| u.periods().reopen(month)).await;
    write(&db, move |u| u.ledger().append(&entry(made, last, "late"))).await;
}

fn paper() -> Paper {
    Paper {
        language: Language::Fr,
        zone: Zone::TORONTO,
        seller: Party::default(),
        logo: None,
        registrations: Vec::new(),
        buyer: Party::default(),
        reference: String::new(),
        short_id: "ABCDEF".to_owned(),
        move_date: NaiveDate::from_ymd_opt(2027, 1, 20).unwrap(),
        pickup: String::new(),
        dropoff: String::new(),
        lines: Vec::new(),
        subtotal: cents(100),
        taxes: Vec::new(),
        total: cents(100),
        payments: Vec::new(),
        due: Money::ZERO,
        pay: None,
        note: String::new(),
        credited_number: None,
        partner: false,
        period: None,
        bookings: Vec::new(),
    }
}

pub fn draft(booking: BookingId) -> Invoice {
    Invoice {
        id: InvoiceId(uuid()),
        booking_id: Some(booking),
        partner_id: None,
        purpose: Purpose::Move,
        state: At::stored(State::Draft),
        number: None,
        credits: None,
        total: cents(100),
        words: String::new(),
        edits: Edits::default(),
        paper: None,
        receipt: None,
        reason: None,
        issued_at: None,
        due_at: None,
        sent_at: None,
        paid_at: None,
        voided_at: None,
        reminders: 0,
        version: 1,
        created_at: t0(),
        updated_at: t0(),
    }
}

pub fn issued(draft: &Invoice, place: u32, at: DateTime<Utc>) -> Invoice {
    Invoice {
        state: At::stored(State::Issued),
        number: Some(Number { series: "2027".to_owned(), place }),
        paper: Some(paper()),
        issued_at: Some(at),
        ..draft.clone()
    }
}

async fn no_paper_is_dated_in_a_closed_month(db: TestDb) {
    let (inside, after) = (end_of_january() - chrono::Duration::seconds(1), end_of_january());
    let [one, other, third] = [booked(&db).await.id, booked(&db).await.id, booked(&db).await.id];
    let (before, waiting) = (issued(&draft(one), 1, inside), draft(other));
    let (first, second) = (before.clone(), waiting.clone());
    write(&db, move |u| {
        u.invoices().insert(&first)?;
        u.invoices().insert(&second)
    })
    .await;
    write(&db, |u| u.periods().close(&closed("2027-01", end_of_january()))).await;
    let refused = async |told: Result<(), StoreError>, what: &str| {
        assert!(matches!(told, Err(StoreError::PeriodClosed)), "{what}: {told:?}");
    };
    let new = issued(&draft(third), 2, inside);
    refused(try_write(&db, move |u| u.invoices().insert(&new)).await, "a new one").await;
    let late = issued(&waiting, 2, inside);
    refused(try_write(&db, move |u| u.invoices().update(&late).map(drop)).await, "a draft").await;
    let receipt = Invoice { paid_at: Some(inside), receipt: Some(Vec::new()), ..before.clone() };
    refused(try_write(&db, move |u| u.invoices().update(&receipt).map(drop)).await, "a receipt").await;
    // What is dated afterwards is free, also of an invoice that lies inside; and its receipt may end again.
    let fresh = issued(&waiting, 2, after);
    write(&db, move |u| u.invoices().update(&fresh)).await;
    let paid = Invoice { paid_at: Some(after), receipt: Some(Vec::new()), ..before.clone() };
    let version = write(&db, move |u| u.invoices().update(&paid)).await;
    let owed_again = Invoice { version, ..before };
    write(&db, move |u| u.invoices().update(&owed_again)).await;
}

async fn who_closes_waits_for_who_posts(db: TestDb) {
    let made = booked(&db).await.id;
    let order = Arc::new(Mutex::new(Vec::new()));
    let (posted, heard) = mpsc::channel();
    let (store, log) = (db.store(), order.clone());
    let post = tokio::spawn(async move {
        let done: Result<(), StoreError> = store
            .write(move |u| {
                assert_eq!(u.periods().last()?, None);
                posted.send(()).unwrap();
                // Meanwhile the other one asks for the books.
                std::thread::sleep(Duration::from_millis(400));
                u.ledger().append(&entry(made, end_of_january() - chrono::Duration::seconds(1), "last"))?;
                log.lock().unwrap().push("posted");
                Ok(())
            })
            .await;
        done.unwrap();
    });
    tokio::task::spawn_blocking(move || heard.recv().unwrap()).await.unwrap();
    let log = order.clone();
    write(&db, move |u| {
        u.periods().hold()?;
        log.lock().unwrap().push("held");
        u.periods().close(&closed("2027-01", end_of_january()))
    })
    .await;
    post.await.unwrap();
    assert_eq!(*order.lock().unwrap(), ["posted", "held"]);
    assert_eq!(read(&db, move |u| u.ledger().of_booking(made)).await.len(), 1);
}
