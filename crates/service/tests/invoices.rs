//! Invoices: numbers without gaps, papers that stay, and figures that are the books'.

use crate::support;

use chrono::{DateTime, Duration, NaiveDate, NaiveTime, Utc};
use kernel::{BookingId, Language, Money, Province, ShortId, UserId, uuid::Uuid};
use service::{
    Error, ErrorCode, ServiceResult,
    billing::reconcile,
    bookings::{
        Draft,
        status::{self, StatusInput},
    },
    desk::credits::{self, NewCredit},
    invoices::{
        desk, issue,
        list::{self, InvoiceListQuery},
        sheet::Document,
    },
    ports::{
        bookings::PaidBy,
        credits::CreditKind,
        history::StatusChange,
        invoices::{Edits, Invoice, Purpose},
        ledger::Account,
        payments::PaidWith,
    },
    templates,
};
use status_machine::{Role, booking::Status, invoice::State};
use store::testing::TestDb;
use support::{World, draft};

on_both_engines!(
    what_was_never_done_has_no_invoice,
    fifty_at_once_have_fifty_numbers,
    an_issued_paper_stays_whatever_changes,
    a_paid_move_is_invoiced_and_payed_by_itself,
    what_is_owed_becomes_overdue_and_is_reminded_of,
    taking_an_invoice_back_writes_a_credit_note,
    what_is_given_back_later_has_a_credit_note,
    what_a_cancellation_keeps_is_invoiced_with_its_taxes,
    a_draft_is_changed_until_it_is_issued,
    a_customer_sees_only_papers_of_their_own,
    a_list_finds_what_it_is_asked_for,
    a_preview_about_an_invoice_is_of_one_language,
);

fn monday() -> DateTime<Utc> {
    "2027-02-08T14:00:00Z".parse().unwrap()
}

fn after_the_move() -> DateTime<Utc> {
    "2027-02-18T22:00:00Z".parse().unwrap()
}

/// A booking of 574.88 for Thursday week.
async fn booked(w: &World) -> BookingId {
    w.flat_rate(50_000).await;
    let date = NaiveDate::from_ymd_opt(2027, 2, 18).unwrap();
    w.book(draft(Province::QC, date, NaiveTime::from_hms_opt(9, 0, 0).unwrap()), None).await.unwrap().booking.id
}

async fn set(w: &World, id: BookingId, to: Status) -> ServiceResult<()> {
    let said = StatusInput { reason: Some("as it was".into()), ..StatusInput::default() };
    status::set(&w.s, &w.staff(), id, to, said).await.map(drop)
}

/// Done and paid as a whole.
async fn done(w: &World) -> BookingId {
    let id = booked(w).await;
    for instant in [monday() + Duration::hours(25), "2027-02-16T14:00:00Z".parse().unwrap()] {
        w.clock.set(instant);
        w.work().await;
    }
    set(w, id, Status::Assigned).await.unwrap();
    w.clock.set(after_the_move());
    w.work().await;
    set(w, id, Status::Completed).await.unwrap();
    w.work().await;
    id
}

/// Done, and nothing of it paid: it is to be paid by invoice.
async fn done_by_invoice(w: &World) -> BookingId {
    let id = booked(w).await;
    w.write(move |u| {
        let mut b = u.bookings().get(id)?.unwrap();
        b.details.paid_by = PaidBy::Invoice;
        let version = b.version;
        for mut row in u.payments().of_booking(id)? {
            row.state = status_machine::At::stored(status_machine::payment::State::Skipped);
            row.next_attempt_at = None;
            u.payments().update(&row)?;
        }
        u.bookings().update(&b, version)
    })
    .await;
    set(w, id, Status::Assigned).await.unwrap();
    w.clock.set(after_the_move());
    set(w, id, Status::Completed).await.unwrap();
    w.work().await;
    id
}

fn refused<T: std::fmt::Debug>(told: &ServiceResult<T>) -> Option<ErrorCode> {
    match told {
        Err(Error::Refused(code, _)) => Some(*code),
        _ => None,
    }
}

async fn all(w: &World, id: BookingId) -> Vec<Invoice> {
    w.read(move |u| u.invoices().of_booking(id)).await
}

async fn posted(w: &World, id: BookingId, account: Account) -> i64 {
    let entries = w.read(move |u| u.ledger().of_booking(id)).await;
    entries.iter().flat_map(|e| e.lines().to_vec()).filter(|l| l.account == account).map(|l| l.amount.cents()).sum()
}

/// What invoices say less what credit notes take back: before tax, and of each tax.
async fn invoiced(w: &World, id: BookingId) -> (i64, i64, i64) {
    let (mut net, mut gst, mut qst) = (0, 0, 0);
    for i in all(w, id).await {
        let Some(paper) = i.paper else { continue };
        let sign = if i.purpose == Purpose::CreditNote { -1 } else { 1 };
        let tax =
            |code: &str| -> i64 { paper.taxes.iter().filter(|t| t.tax.code() == code).map(|t| t.amount.cents()).sum() };
        net += sign * paper.subtotal.cents();
        gst += sign * tax("gst");
        qst += sign * tax("qst");
    }
    (net, gst, qst)
}

async fn sound(w: &World) {
    let report = reconcile::run(&w.s, monday() - Duration::days(1), w.clock.now_value() + Duration::days(1)).await;
    assert_eq!(report.unwrap().differences, Vec::<String>::new());
}

fn sent(w: &World, kind: &str) -> usize {
    w.mailer.sent.lock().unwrap().iter().filter(|m| m.message_type == kind).count()
}

async fn what_was_never_done_has_no_invoice(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = booked(&w).await;
    let staff = w.staff();
    assert_eq!(refused(&desk::draft(&w.s, &staff, id).await), Some(ErrorCode::InvoiceNeedsCompleted));
    assert_eq!(refused(&set(&w, id, Status::Invoiced).await), Some(ErrorCode::InvoiceNeedsCompleted));
    let file = desk::download(&w.s, staff.caller(), id, None, Document::Invoice).await;
    assert_eq!(refused(&file), Some(ErrorCode::InvoiceNeedsCompleted));
    assert_eq!(refused(&desk::of_booking(&w.s, staff.caller(), id).await), Some(ErrorCode::NotFound));
    // Completed once and reopened: it keeps its right to an invoice.
    set(&w, id, Status::Assigned).await.unwrap();
    w.clock.set(after_the_move());
    set(&w, id, Status::Completed).await.unwrap();
    set(&w, id, Status::Assigned).await.unwrap();
    let drafted = desk::draft(&w.s, &staff, id).await.unwrap();
    assert_eq!((drafted.invoice.number, *drafted.invoice.state), (None, State::Draft));
    let pdf = desk::download(&w.s, staff.caller(), id, None, Document::Invoice).await.unwrap();
    assert_eq!(pdf.name, format!("{id}-invoice.pdf"));
    assert!(pdf.bytes.starts_with(b"%PDF-"));
    assert_eq!(refused(&desk::draft(&w.s, &staff, id).await), Some(ErrorCode::InvoiceExists));
    let steps = service::desk::rows::read(&w.s, &staff, id).await.unwrap().steps;
    assert!(steps.iter().any(|s| s.to == Status::Invoiced && s.refused.is_none()), "{steps:?}");
    let sent = desk::send(&w.s, &staff, drafted.invoice.id).await.unwrap();
    assert_eq!((sent.invoice.number_text().as_str(), *sent.invoice.state), ("2027-000001", State::Sent));
    let history: Vec<Status> =
        w.read(move |u| u.booking_history().status_history(id)).await.iter().map(|h| h.to).collect();
    assert_eq!(history[history.len() - 3..], [Status::Assigned, Status::Completed, Status::Invoiced]);
    // What it says is in the books again.
    w.work().await;
    assert_eq!(invoiced(&w, id).await, books(&w, id).await);
    sound(&w).await;
}

/// As many bookings as this one, done as it was.
async fn copies(w: &World, id: BookingId, many: u128) -> Vec<BookingId> {
    w.write(move |u| {
        let (b, history) = (u.bookings().get(id)?.unwrap(), u.booking_history().status_history(id)?);
        let mut made = Vec::new();
        for n in 0..many {
            let key = BookingId(Uuid::from_u128(0xcafe_0000 + n));
            let mut copy = b.clone();
            (copy.id, copy.short_id) = (
                key,
                ShortId::from_entropy([7, 7, 7, 7, u8::try_from(n / 16).unwrap(), u8::try_from(n % 16).unwrap()]),
            );
            u.bookings().insert(&copy)?;
            for change in &history {
                u.booking_history().append_status(key, &StatusChange { reason: None, ..change.clone() })?;
            }
            made.push(key);
        }
        Ok(made)
    })
    .await
}

async fn fifty_at_once_have_fifty_numbers(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = done(&w).await;
    let ids = copies(&w, id, 60).await;
    let mut tasks = Vec::new();
    for (n, id) in ids.iter().copied().enumerate() {
        let (s, staff) = (w.s.clone(), w.staff());
        tasks.push(tokio::spawn(async move {
            // Every sixth draws a number and is rolled back: it is given to somebody else.
            if n % 6 == 5 {
                let done: ServiceResult<()> = s
                    .write(staff.actor(), move |tx| {
                        let b = tx.unit.bookings().lock(id)?.unwrap();
                        issue::issue(tx, &b, Role::Ops)?;
                        Err(Error::Internal("the server was killed".into()))
                    })
                    .await;
                return done.is_ok();
            }
            loop {
                match status::set(&s, &staff, id, Status::Invoiced, StatusInput::default()).await {
                    Ok(_) => return true,
                    Err(Error::Store(e)) if e.passes() => {}
                    Err(e) => panic!("{e}"),
                }
            }
        }));
    }
    let mut issued = 0;
    for task in tasks {
        issued += u32::from(task.await.unwrap());
    }
    assert_eq!(issued, 50);
    let mut places = Vec::new();
    for id in ids {
        places.extend(all(&w, id).await.into_iter().filter_map(|i| i.number));
    }
    assert!(places.iter().all(|n| n.series == "2027"), "{places:?}");
    let mut places: Vec<u32> = places.into_iter().map(|n| n.place).collect();
    places.sort_unstable();
    assert_eq!(places, (1..=50).collect::<Vec<u32>>());
}

async fn an_issued_paper_stays_whatever_changes(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = done(&w).await;
    set(&w, id, Status::Invoiced).await.unwrap();
    w.work().await;
    let staff = w.staff();
    let first = desk::download(&w.s, staff.caller(), id, None, Document::Invoice).await.unwrap();
    w.write(move |u| {
        let mut b = u.bookings().get(id)?.unwrap();
        b.details.customer_name = "Somebody Else".into();
        b.details.pickup.address.street = "1 Other Street".into();
        for line in &mut b.details.lines {
            line.description = "Something else".into();
        }
        let version = b.version;
        u.bookings().update(&b, version)
    })
    .await;
    w.flat_rate(90_000).await;
    w.clock.set(w.clock.now_value() + Duration::days(40));
    let again = desk::download(&w.s, staff.caller(), id, None, Document::Invoice).await.unwrap();
    assert_eq!(first.bytes, again.bytes);
    assert!(first.bytes.len() < 150_000, "{}", first.bytes.len());
    // Nobody changes it in the database either.
    let frozen = all(&w, id).await.remove(0);
    let written: Result<i32, _> =
        w.s.store
            .write(move |u| {
                let mut i = frozen;
                i.total = Money::from_cents(1);
                u.invoices().update(&i)
            })
            .await;
    let written: Result<i32, service::ports::StoreError> = written;
    assert!(written.is_err());
}

async fn a_paid_move_is_invoiced_and_payed_by_itself(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = done(&w).await;
    let drafted = desk::draft(&w.s, &w.staff(), id).await.unwrap();
    assert_eq!((drafted.paper.total.cents(), drafted.paper.due.cents()), (57_488, 0));
    let told = desk::send(&w.s, &w.staff(), drafted.invoice.id).await.unwrap();
    assert_eq!(
        (told.invoice.number_text().as_str(), *told.invoice.state, told.queued),
        ("2027-000001", State::Sent, true)
    );
    assert_eq!(w.booking(id).await.status, Status::Invoiced);
    w.work().await;
    assert_eq!(w.booking(id).await.status, Status::Payed);
    let invoice = all(&w, id).await.remove(0);
    assert_eq!((*invoice.state, invoice.receipt.as_ref().map(Vec::len)), (State::Paid, Some(2)));
    {
        let mails = w.mailer.sent.lock().unwrap();
        let mail = mails.iter().find(|m| m.message_type == "invoiceSent").unwrap();
        assert_eq!(mail.attachments.len(), 1);
        assert_eq!(mail.attachments[0].file_name, format!("{id}-invoice.pdf"));
        assert!(mail.attachments[0].bytes().unwrap().starts_with(b"%PDF-"));
    }
    // Everything had been told with its charge.
    assert_eq!(sent(&w, "paymentReceived"), 0);
    let receipt = desk::download(&w.s, &w.customer, id, None, Document::Receipt).await.unwrap();
    assert_eq!(receipt.name, format!("{id}-receipt.pdf"));
    // The books are as before: an invoice earns nothing.
    assert_eq!(posted(&w, id, Account::Revenue).await, -50_000);
    assert_eq!(invoiced(&w, id).await, (50_000, 2_500, 4_988));
    sound(&w).await;
    // A charge that the bank takes back makes it owed again.
    w.write(move |u| {
        let rows = u.payments().of_booking(id)?;
        let mut row = rows.into_iter().rfind(|r| r.settled_at.is_some()).unwrap();
        row.state = status_machine::At::stored(status_machine::payment::State::Failed);
        (row.settled_at, row.next_attempt_at) = (None, None);
        u.payments().update(&row)
    })
    .await;
    service::invoices::follow::run(&w.s, id).await.unwrap();
    assert_eq!(w.booking(id).await.status, Status::Invoiced);
    let again = all(&w, id).await.remove(0);
    assert_eq!((*again.state, again.receipt), (State::Sent, None));
}

async fn what_is_owed_becomes_overdue_and_is_reminded_of(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = done_by_invoice(&w).await;
    let drafted = desk::draft(&w.s, &w.staff(), id).await.unwrap();
    desk::send(&w.s, &w.staff(), drafted.invoice.id).await.unwrap();
    w.work().await;
    let state = |w: &World| {
        let s = w.s.clone();
        async move {
            let found: Result<Vec<Invoice>, service::ports::StoreError> =
                s.store.read(move |u| u.invoices().of_booking(id)).await;
            let i = found.unwrap().remove(0);
            (*i.state, i.reminders)
        }
    };
    // Due on the day it is issued, which ends at midnight in Montreal.
    assert_eq!(state(&w).await, (State::Sent, 0));
    w.clock.set("2027-02-19T04:59:00Z".parse().unwrap());
    w.work().await;
    assert_eq!(state(&w).await, (State::Sent, 0));
    w.clock.set("2027-02-19T05:00:00Z".parse().unwrap());
    w.work().await;
    assert_eq!(state(&w).await, (State::Overdue, 0));
    for (day, reminders) in [("2027-02-25T05:00:00Z", 1), ("2027-03-04T05:00:00Z", 2), ("2027-03-20T04:00:00Z", 3)] {
        w.clock.set(day.parse::<DateTime<Utc>>().unwrap() - Duration::minutes(1));
        w.work().await;
        assert_eq!(state(&w).await.1, reminders - 1, "{day}");
        w.clock.set(day.parse().unwrap());
        w.work().await;
        assert_eq!(state(&w).await, (State::Overdue, reminders), "{day}");
    }
    w.clock.set("2027-06-01T05:00:00Z".parse().unwrap());
    w.work().await;
    assert_eq!((state(&w).await, sent(&w, "invoiceReminder")), ((State::Overdue, 3), 3));
    // A cheque for all of it.
    let received = service::desk::received::Received {
        method: PaidWith::Cheque,
        amount: Money::from_cents(57_488),
        reference: Some("0042".into()),
    };
    service::desk::received::record(&w.s, &w.staff(), id, received, None).await.unwrap();
    w.work().await;
    assert_eq!(state(&w).await, (State::Paid, 3));
    assert_eq!((w.booking(id).await.status, sent(&w, "paymentReceived")), (Status::Payed, 1));
    sound(&w).await;
}

async fn taking_an_invoice_back_writes_a_credit_note(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = done_by_invoice(&w).await;
    set(&w, id, Status::Invoiced).await.unwrap();
    w.work().await;
    let first = all(&w, id).await.remove(0);
    // While it stands its booking stays.
    assert_eq!(refused(&set(&w, id, Status::Completed).await), Some(ErrorCode::TransitionRefused));
    let back = desk::take_back(&w.s, &w.staff(), first.id, "Wrong company".into()).await.unwrap();
    assert_eq!((*back.invoice.state, back.booking.unwrap().status), (State::Void, Status::Completed));
    let papers = all(&w, id).await;
    let note = papers.iter().find(|i| i.purpose == Purpose::CreditNote).unwrap();
    assert_eq!(
        (note.number_text().as_str(), note.credits, note.total),
        ("CN-2027-000001", Some(first.id), first.total)
    );
    assert_eq!(invoiced(&w, id).await, (0, 0, 0));
    let file = desk::download(&w.s, w.staff().caller(), id, Some(note.id), Document::Invoice).await.unwrap();
    assert_eq!(file.name, format!("{id}-credit-note.pdf"));
    // Neither is taken back again, and another has the next number.
    for i in [first.id, note.id] {
        let told = desk::take_back(&w.s, &w.staff(), i, "Again".into()).await;
        assert_eq!(refused(&told), Some(ErrorCode::TransitionRefused));
    }
    set(&w, id, Status::Invoiced).await.unwrap();
    assert_eq!(all(&w, id).await.last().unwrap().number_text(), "2027-000002");
    assert_eq!(invoiced(&w, id).await, (50_000, 2_500, 4_988));
    assert_eq!(posted(&w, id, Account::Revenue).await, -50_000);
    sound(&w).await;
}

/// Gives back, and lets the money go: part of a charge can go back once the bank has settled it.
async fn given(w: &World, id: BookingId, cents: i64) {
    let new = NewCredit { kind: CreditKind::Refund, amount: Money::from_cents(cents), reason: "A scratch".into() };
    credits::give(&w.s, &w.staff(), id, new, None).await.unwrap();
    w.work().await;
    w.clock.set(w.clock.now_value() + Duration::hours(13));
    w.work().await;
}

/// What was earned, and of each tax, by the books.
async fn books(w: &World, id: BookingId) -> (i64, i64, i64) {
    (-posted(w, id, Account::Revenue).await, -posted(w, id, Account::Gst).await, -posted(w, id, Account::Qst).await)
}

async fn what_is_given_back_later_has_a_credit_note(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = done(&w).await;
    // Before: a line of the invoice.
    given(&w, id, 3_333).await;
    set(&w, id, Status::Invoiced).await.unwrap();
    w.work().await;
    assert_eq!(invoiced(&w, id).await, books(&w, id).await);
    assert_eq!(all(&w, id).await.len(), 1);
    // After: credit notes, each with its number.
    for cents in [1, 1_999, 10_007] {
        given(&w, id, cents).await;
        assert_eq!(invoiced(&w, id).await, books(&w, id).await, "{cents}");
    }
    let notes: Vec<String> = all(&w, id).await.iter().skip(1).map(Invoice::number_text).collect();
    assert_eq!(notes, ["CN-2027-000001", "CN-2027-000002", "CN-2027-000003"]);
    sound(&w).await;
}

async fn what_a_cancellation_keeps_is_invoiced_with_its_taxes(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = booked(&w).await;
    w.clock.set(monday() + Duration::hours(25));
    w.work().await;
    let said = StatusInput { customers_wish: true, reason: Some("Sold".into()), ..StatusInput::default() };
    status::set(&w.s, &w.staff(), id, Status::Cancelled, said).await.unwrap();
    w.work().await;
    let invoice = all(&w, id).await.remove(0);
    assert_eq!((invoice.purpose, *invoice.state, invoice.total.cents()), (Purpose::Cancellation, State::Paid, 11_498));
    let taxes: Vec<i64> = invoice.paper.unwrap().taxes.iter().map(|t| t.amount.cents()).collect();
    assert_eq!(taxes, [548, 1_043]);
    assert_eq!(posted(&w, id, Account::Gst).await, -548);
    assert_eq!(posted(&w, id, Account::Qst).await, -1_043);
    {
        let mails = w.mailer.sent.lock().unwrap();
        let mail = mails.iter().find(|m| m.message_type == "bookingCancelled").unwrap();
        assert_eq!(mail.attachments.iter().filter(|file| file.mime == "application/pdf").count(), 1);
    }
    // Taken back: nothing is invoiced for it any more.
    set(&w, id, Status::Pending).await.unwrap();
    assert_eq!(*all(&w, id).await[0].state, State::Void);
    assert_eq!(invoiced(&w, id).await, (0, 0, 0));
    w.work().await;
    sound(&w).await;
}

async fn a_draft_is_changed_until_it_is_issued(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = done_by_invoice(&w).await;
    let staff = w.staff();
    let drafted = desk::draft(&w.s, &staff, id).await.unwrap();
    let key = drafted.paper.lines[0].key.clone();
    let edits = Edits {
        buyer: "Roy inc.".into(),
        address: "1 rue Roy\nMontréal".into(),
        reference: "PO-7".into(),
        note: "Merci".into(),
        descriptions: [(key.clone(), "Labour as agreed".to_owned())].into(),
        ..Edits::default()
    };
    let strange = Edits { descriptions: [("9:none".to_owned(), "x".to_owned())].into(), ..Edits::default() };
    assert!(desk::edit(&w.s, &staff, drafted.invoice.id, strange, 1).await.is_err());
    let changed = desk::edit(&w.s, &staff, drafted.invoice.id, edits.clone(), 1).await.unwrap();
    assert_eq!(changed.paper.buyer.name, "Roy inc.");
    assert_eq!(changed.paper.buyer.lines[..2], ["1 rue Roy", "Montréal"]);
    assert_eq!(changed.paper.lines[0].description, "Labour as agreed");
    assert_eq!(changed.paper.total, drafted.paper.total);
    let stale = desk::edit(&w.s, &staff, drafted.invoice.id, edits.clone(), 1).await;
    assert!(matches!(stale, Err(Error::Store(_))), "{stale:?}");
    set(&w, id, Status::Invoiced).await.unwrap();
    let frozen = all(&w, id).await.remove(0);
    assert_eq!(frozen.paper.as_ref().unwrap().buyer.name, "Roy inc.");
    let late = desk::edit(&w.s, &staff, frozen.id, edits, frozen.version).await;
    assert_eq!(refused(&late), Some(ErrorCode::InvoiceFrozen));
    assert_eq!(refused(&desk::discard(&w.s, &staff, frozen.id, None).await), Some(ErrorCode::TransitionRefused));
}

async fn a_customer_sees_only_papers_of_their_own(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = done_by_invoice(&w).await;
    desk::draft(&w.s, &w.staff(), id).await.unwrap();
    // No draft.
    assert_eq!(refused(&desk::of_booking(&w.s, &w.customer, id).await), Some(ErrorCode::NotFound));
    let none = desk::download(&w.s, &w.customer, id, None, Document::Invoice).await;
    assert_eq!(refused(&none), Some(ErrorCode::NotFound));
    set(&w, id, Status::Invoiced).await.unwrap();
    assert!(desk::of_booking(&w.s, &w.customer, id).await.is_ok());
    assert!(desk::download(&w.s, &w.customer, id, None, Document::Invoice).await.is_ok());
    let stranger = support::caller(service::Role::Customer, UserId(Uuid::from_u128(77)));
    let mate = support::caller(service::Role::Mate, UserId(Uuid::from_u128(78)));
    for who in [stranger, mate] {
        assert_eq!(refused(&desk::of_booking(&w.s, &who, id).await), Some(ErrorCode::NotFound));
        let file = desk::download(&w.s, &who, id, None, Document::Invoice).await;
        assert_eq!(refused(&file), Some(ErrorCode::NotFound));
    }
    let owed = desk::download(&w.s, &w.customer, id, None, Document::Receipt).await;
    assert_eq!(refused(&owed), Some(ErrorCode::NotFound), "no receipt while it is owed");
}

async fn a_list_finds_what_it_is_asked_for(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = done_by_invoice(&w).await;
    set(&w, id, Status::Invoiced).await.unwrap();
    let first = all(&w, id).await.remove(0);
    desk::take_back(&w.s, &w.staff(), first.id, "Wrong".into()).await.unwrap();
    set(&w, id, Status::Invoiced).await.unwrap();
    let count = |wish: InvoiceListQuery| {
        let (s, staff) = (w.s.clone(), w.staff());
        async move { list::page(&s, &staff, wish, 1, 20).await.unwrap().data.len() }
    };
    assert_eq!(count(InvoiceListQuery::default()).await, 3);
    let name = w.booking(id).await.details.customer_name.to_uppercase();
    for (wish, many) in [
        (InvoiceListQuery { states: vec![State::Void], ..InvoiceListQuery::default() }, 1),
        (InvoiceListQuery { purposes: vec![Purpose::CreditNote], ..InvoiceListQuery::default() }, 1),
        (InvoiceListQuery { value: Some("2027-000002".into()), ..InvoiceListQuery::default() }, 1),
        (InvoiceListQuery { value: Some(name), ..InvoiceListQuery::default() }, 3),
        (InvoiceListQuery { value: Some("%".into()), ..InvoiceListQuery::default() }, 0),
        (InvoiceListQuery { from: NaiveDate::from_ymd_opt(2027, 2, 18), ..InvoiceListQuery::default() }, 3),
        (InvoiceListQuery { from: NaiveDate::from_ymd_opt(2027, 2, 19), ..InvoiceListQuery::default() }, 0),
        (InvoiceListQuery { to: NaiveDate::from_ymd_opt(2027, 2, 17), ..InvoiceListQuery::default() }, 0),
    ] {
        assert_eq!(count(wish.clone()).await, many, "{wish:?}");
    }
    let due: Vec<i64> = list::page(&w.s, &w.staff(), InvoiceListQuery::default(), 1, 20)
        .await
        .unwrap()
        .data
        .iter()
        .map(|l| l.due.cents())
        .collect();
    assert_eq!(due.iter().sum::<i64>(), 57_488, "{due:?}");
}

/// The invoice of a booking in French, looked at in the words of another language: no line, day nor amount stays French.
async fn a_preview_about_an_invoice_is_of_one_language(db: TestDb) {
    let w = World::on(db, monday()).await;
    let date = NaiveDate::from_ymd_opt(2027, 2, 18).unwrap();
    let french =
        Draft { language: Some(Language::Fr), ..draft(Province::QC, date, NaiveTime::from_hms_opt(9, 0, 0).unwrap()) };
    let id = w.book(french, None).await.unwrap().booking.id;
    for instant in [monday() + Duration::hours(25), "2027-02-16T14:00:00Z".parse().unwrap()] {
        w.clock.set(instant);
        w.work().await;
    }
    set(&w, id, Status::Assigned).await.unwrap();
    w.clock.set(after_the_move());
    w.work().await;
    for to in [Status::Completed, Status::Invoiced] {
        set(&w, id, to).await.unwrap();
        w.work().await;
    }
    assert_eq!(all(&w, id).await[0].paper.as_ref().unwrap().language, Language::Fr);
    let (s, staff) = (w.s.clone(), w.staff());
    let seen = async |kind: &str, language: &str| {
        let asked = templates::TemplatePreviewInput { subject: None, text: None, html: None, booking: Some(id) };
        let shown =
            templates::preview(&s, &staff, templates::TemplateKey::of(kind, language).unwrap(), asked).await.unwrap();
        assert!(!shown.is_sample, "{kind} {language}");
        shown.rendered.text
    };
    for kind in ["invoiceSent", "paymentReceived"] {
        for language in ["en", "zh"] {
            let text = seen(kind, language).await;
            for french in ["février", "aidants", "\u{a0}$", "heure de"] {
                assert!(!text.contains(french), "{kind} {language}: {french} stands in\n{text}");
            }
            assert!(text.contains("2027-000001"), "{text}");
        }
        assert!(seen(kind, "fr").await.contains("février"), "{kind}");
    }
}
