//! What papers and accounts say of money: factors that multiply a line, days on which something really happened, and why
//! something was charged.

use crate::support;

use chrono::{DateTime, Duration, NaiveDate, NaiveTime, Utc};
use documents::Sheet;
use kernel::{BasisPoints, BookingId, Language, Money, Province};
use service::{
    Caller,
    accounts::desk::Contact,
    bookings::{
        confirmation, create_for,
        edit::{StaffEdit, edit_as_staff},
        pay_link,
        statement::{self, Cause, Fact},
        status::{self, StatusInput},
    },
    desk::{
        credits::{self, NewCredit},
        overtime::{self, NewOvertime},
        received::{self, Received},
        record,
    },
    idempotency::Replayable,
    ports::{
        bookings::PaidBy,
        credits::CreditKind,
        mail::Content,
        overtime::OvertimeCause,
        payments::{PaidWith, PaymentKind},
    },
};
use status_machine::booking::Status;
use store::testing::TestDb;
use support::{World, draft, people::administrator};

in_both_worlds!(
    overtime_names_its_factor_on_every_paper,
    a_contract_tells_what_happened_on_its_day,
    a_payment_by_link_is_told_as_one,
    what_is_charged_after_a_mistake_says_so,
    what_is_charged_after_a_cancellation_was_taken_back_says_so,
    money_on_its_way_is_told_and_left_to_nobody,
    what_was_to_be_handed_back_and_is_kept_is_told,
    what_was_to_be_handed_back_and_is_owed_as_a_whole_is_told,
);

fn monday() -> DateTime<Utc> {
    "2027-02-08T14:00:00Z".parse().unwrap()
}

fn lock() -> DateTime<Utc> {
    "2027-02-16T14:00:00Z".parse().unwrap()
}

async fn world(db: TestDb) -> World {
    let w = World::on(db, monday()).await;
    w.flat_rate(50_000).await;
    w
}

async fn booked(w: &World) -> BookingId {
    let date = NaiveDate::from_ymd_opt(2027, 2, 18).unwrap();
    w.book(draft(Province::QC, date, NaiveTime::from_hms_opt(9, 0, 0).unwrap()), None).await.unwrap().booking.id
}

async fn at(w: &World, instant: DateTime<Utc>) {
    w.clock.set(instant);
    w.work().await;
}

async fn set(w: &World, id: BookingId, to: Status) {
    let said = StatusInput { reason: Some("test".into()), ..StatusInput::default() };
    status::set(&w.s, &w.staff(), id, to, said).await.unwrap();
    w.work().await;
}

async fn price(w: &World, id: BookingId, cents: i64) {
    let input = StaffEdit { amount: Some(Money::from_cents(cents)), waive_fee: true, ..StaffEdit::default() };
    edit_as_staff(&w.s, &w.staff(), id, input, None).await.unwrap();
    w.work().await;
}

/// The sheets of the contract that went with the newest message of a kind: French first, English after it.
fn contract(w: &World, kind: &str) -> Vec<Sheet> {
    let mails = w.mailer.sent.lock().unwrap();
    let mail = mails.iter().rfind(|m| m.message_type == kind).unwrap();
    let sheets = mail.attachments.iter().find_map(|a| match &a.content {
        Content::Sheets(sheets) => Some(sheets.clone()),
        _ => None,
    });
    sheets.unwrap()
}

fn plain(text: &str) -> String {
    text.replace('\u{a0}', " ")
}

fn totals(s: &Sheet) -> Vec<String> {
    s.totals.iter().map(|t| plain(&format!("{}: {}", t.label, t.amount))).collect()
}

async fn overtime_names_its_factor_on_every_paper(w: World) {
    let mut card = support::flat::flat(50_000);
    card.rates.default.first_mate_hourly = Money::from_cents(10_000);
    card.rates.default.overtime_bp = BasisPoints::new(12_500);
    w.rate(card, monday() - Duration::seconds(1)).await;
    let id = booked(&w).await;
    for instant in [monday() + Duration::hours(25), lock()] {
        at(&w, instant).await;
    }
    set(&w, id, Status::Assigned).await;
    at(&w, "2027-02-18T15:00:00Z".parse().unwrap()).await;
    let new = NewOvertime { minutes: 45, cause: OvertimeCause::Elevator, consent: Some("Ana Roy, on site".into()) };
    overtime::add(&w.s, &w.staff(), id, new, None).await.unwrap();
    w.work().await;
    let lines = w.booking(id).await.details.lines;
    let line = lines.iter().find(|l| l.code == "overtime").unwrap();
    let price: f64 = line.unit_price.to_string().parse().unwrap();
    let cents = (price * 100.0 * 0.75 * 1.25).round();
    assert_eq!(line.amount.to_string(), format!("{:.2}", cents / 100.0), "quantity × unit price × factor");
    let how = plain(line.explanation.as_deref().unwrap());
    assert!(how.starts_with("45 min × ") && how.contains(" × 1.25 (overtime) = "), "{how}");
    let sheets = contract(&w, "bookingEdited");
    let details = |s: &Sheet| s.rows.iter().map(|r| plain(&r.detail)).collect::<Vec<_>>().join("\n");
    assert!(details(&sheets[0]).contains("× 1,25 (temps supplémentaire)"), "{:?}", sheets[0].rows);
    assert!(details(&sheets[1]).contains("× 1.25 (overtime)"), "{:?}", sheets[1].rows);
}

async fn a_contract_tells_what_happened_on_its_day(w: World) {
    let id = booked(&w).await;
    at(&w, monday() + Duration::hours(25)).await;
    at(&w, monday() + Duration::hours(73)).await;
    price(&w, id, 60_000).await;
    let told = totals(&contract(&w, "bookingEdited")[1]);
    assert!(told.contains(&"Paid on February 9, 2027 · card ending in 1111: $114.98".to_owned()), "{told:#?}");
    assert!(
        told.contains(&"Balance, charged on February 16, 2027, 9:00 a.m. (Montreal time): $574.87".to_owned()),
        "{told:#?}"
    );
    assert!(!told.iter().any(|t| t.starts_with("Deposit")), "{told:#?}");
    // After its 48-hour instant a higher price is charged at once: nothing of it on the day before.
    at(&w, lock()).await;
    at(&w, lock() + Duration::hours(25)).await;
    price(&w, id, 70_000).await;
    confirmation::send_again(&w.s, &w.staff(), id).await.unwrap();
    w.work().await;
    let told = totals(&contract(&w, "bookingConfirmation")[1]);
    let paid: Vec<&String> = told.iter().filter(|t| t.starts_with("Paid on")).collect();
    assert_eq!(paid.len(), 3, "{told:#?}");
    assert!(paid[1].contains("February 16, 2027") && paid[1].ends_with("$574.87"), "{told:#?}");
    assert!(paid[2].contains("February 17, 2027") && paid[2].ends_with("$114.98"), "{told:#?}");
    assert!(!told.iter().any(|t| t.contains("charged on")), "{told:#?}");
}

async fn story(w: &World, id: BookingId) -> Vec<(Fact, i64)> {
    let told = statement::statement(&w.s, &w.ops, id).await.unwrap();
    told.rows.into_iter().map(|r| (r.fact, r.balance.cents())).collect()
}

/// The statement leaves what the plan does.
async fn agrees(w: &World, id: BookingId) {
    let left = statement::statement(&w.s, &w.ops, id).await.unwrap().balance;
    let paid = record::payments(&w.s, &w.staff(), id).await.unwrap();
    let b = w.booking(id).await;
    assert_eq!(left, b.due().minus(paid.net_paid), "{:#?}", story(w, id).await);
}

async fn a_payment_by_link_is_told_as_one(w: World) {
    let id = booked(&w).await;
    at(&w, monday() + Duration::hours(25)).await;
    at(&w, lock()).await;
    let order = w.gateway.seen().last().unwrap().order_id.clone();
    w.gateway.dispute(&order, service::ports::disputes::DisputeState::Lost);
    service::billing::settlement::suspect(&w.s, &order).await.unwrap();
    w.work().await;
    at(&w, lock() + Duration::hours(1)).await;
    let Replayable::Fresh(sent) = pay_link::send_again(&w.s, &w.staff(), id, None).await.unwrap() else { panic!() };
    let token = sent.url.split("/pay/").nth(1).unwrap().split('?').next().unwrap().to_owned();
    let guest = Caller::guest(kernel::Language::En);
    pay_link::pay(&w.s, &guest, token, "nonce".into(), sent.amount).await.unwrap();
    let (last, left) = story(&w, id).await.pop().unwrap();
    assert!(matches!(last, Fact::Charge { by_link: true, reference: None, .. }), "{last:?}");
    assert_eq!(left, 0);
    agrees(&w, id).await;
    w.work().await;
    let mails = w.mailer.sent.lock().unwrap();
    let mail = mails.iter().rfind(|m| m.message_type == "balanceCharged").unwrap();
    assert!(mail.text.contains("with the link that we sent you"), "{}", mail.text);
}

async fn what_is_charged_after_a_mistake_says_so(w: World) {
    let id = booked(&w).await;
    at(&w, monday() + Duration::hours(25)).await;
    let cash = Received { method: PaidWith::Cash, amount: Money::from_cents(45_990), reference: None };
    received::record(&w.s, &w.staff(), id, cash, None).await.unwrap();
    at(&w, lock() + Duration::hours(1)).await;
    let rows = w.read(move |u| u.payments().of_booking(id)).await;
    let came = rows.iter().find(|r| r.method == PaidWith::Cash).unwrap();
    received::undo(&w.s, &w.staff(), came.id, "It was another booking".into(), None).await.unwrap();
    at(&w, lock() + Duration::hours(2)).await;
    let (last, left) = story(&w, id).await.pop().unwrap();
    let again = matches!(last, Fact::Charge { kind: PaymentKind::Difference, cause: Cause::TakenOut, .. });
    assert!(again || matches!(last, Fact::Charge { kind: PaymentKind::Balance, .. }), "{last:?}");
    assert_eq!(left, 0);
    // A price that rises later is another reason.
    at(&w, lock() + Duration::hours(3)).await;
    price(&w, id, 60_000).await;
    let (last, _) = story(&w, id).await.pop().unwrap();
    assert!(matches!(last, Fact::Charge { kind: PaymentKind::Difference, cause: Cause::Price, .. }), "{last:?}");
    agrees(&w, id).await;
}

async fn money_on_its_way_is_told_and_left_to_nobody(w: World) {
    let id = booked(&w).await;
    at(&w, monday() + Duration::hours(25)).await;
    at(&w, lock()).await;
    let give = NewCredit { kind: CreditKind::Refund, amount: Money::from_cents(5_000), reason: "An hour late".into() };
    credits::give(&w.s, &w.staff(), id, give, None).await.unwrap();
    // Part of a charge goes back once that has settled.
    let (last, left) = story(&w, id).await.pop().unwrap();
    assert_eq!((last, left), (Fact::OnItsWay { method: PaidWith::Card }, 0));
    agrees(&w, id).await;
    at(&w, lock() + Duration::hours(14)).await;
    let all = story(&w, id).await;
    assert!(!all.iter().any(|(fact, _)| matches!(fact, Fact::OnItsWay { .. })), "{all:#?}");
    assert!(matches!(all.last(), Some((Fact::Refund { of_tip: false, .. }, 0))), "{all:#?}");
    agrees(&w, id).await;
}

/// The company calls the move off after its 48-hour charge, takes that back, and the customer agrees on the telephone.
async fn what_is_charged_after_a_cancellation_was_taken_back_says_so(w: World) {
    let date = NaiveDate::from_ymd_opt(2027, 2, 18).unwrap();
    let id = w.book(draft(Province::QC, date, NaiveTime::from_hms_opt(9, 0, 0).unwrap()), None).await.unwrap();
    let id = id.booking.id;
    at(&w, monday() + Duration::hours(25)).await;
    at(&w, lock()).await;
    at(&w, lock() + Duration::hours(14)).await;
    set(&w, id, Status::Cancelled).await;
    assert_eq!(w.gateway.net(), 0);
    at(&w, lock() + Duration::hours(15)).await;
    set(&w, id, Status::Pending).await;
    let asked = w.booking(id).await.details.consents.last().unwrap().id;
    record::consent(&w.s, &w.staff(), id, Some(asked), "Ana Roy, at ten".into(), None).await.unwrap();
    at(&w, lock() + Duration::hours(16)).await;
    assert_eq!(w.gateway.net(), 57_488);
    let charged = story(&w, id).await.into_iter().rfind(|(fact, _)| matches!(fact, Fact::Charge { .. }));
    let Some((Fact::Charge { kind, cause, .. }, 0)) = charged else { panic!("{charged:?}") };
    assert_eq!((kind, cause), (PaymentKind::Difference, Cause::TakenBack));
    agrees(&w, id).await;
    // A price that rises later is another reason.
    at(&w, lock() + Duration::hours(17)).await;
    price(&w, id, 60_000).await;
    let (last, _) = story(&w, id).await.pop().unwrap();
    assert!(matches!(last, Fact::Charge { kind: PaymentKind::Difference, cause: Cause::Price, .. }), "{last:?}");
    agrees(&w, id).await;
}

/// Booked at the desk, and paid when the mates come: no card is charged for it.
async fn paid_on_site(w: &World) -> BookingId {
    let contact = Contact {
        email: "buyer@portage.test".parse().unwrap(),
        first_name: "Camille".into(),
        last_name: "Caron".into(),
        phone: "514-555-0199".parse().unwrap(),
        language: Language::En,
    };
    let date = NaiveDate::from_ymd_opt(2027, 2, 18).unwrap();
    let wanted = draft(Province::QC, date, NaiveTime::from_hms_opt(9, 0, 0).unwrap());
    match create_for(&w.s, &w.staff(), contact, (PaidBy::OnSite, None), wanted, None).await.unwrap() {
        Replayable::Fresh(made) => made.booking.id,
        Replayable::Replayed { .. } => panic!("replayed"),
    }
}

/// All of it was paid in cash, and 114.98 wait to be handed back.
async fn waits_to_be_handed_back(w: &World) -> BookingId {
    administrator(w).await;
    let id = paid_on_site(w).await;
    let cash = Received { method: PaidWith::Cash, amount: Money::from_cents(57_488), reference: None };
    received::record(&w.s, &w.staff(), id, cash, None).await.unwrap();
    at(w, monday() + Duration::hours(25)).await;
    at(w, lock()).await;
    at(w, lock() + Duration::hours(1)).await;
    price(w, id, 40_000).await;
    assert_eq!(to_hand_back(w, id).await, 11_498);
    at(w, lock() + Duration::hours(2)).await;
    id
}

async fn to_hand_back(w: &World, id: BookingId) -> i64 {
    let rows = w.read(move |u| u.payments().of_booking(id)).await;
    rows.iter().filter(|r| r.is_given_back() && r.settled_at.is_none()).map(|r| r.amount.cents()).sum()
}

fn alerts(w: &World) -> usize {
    let mails = w.mailer.sent.lock().unwrap();
    mails.iter().filter(|m| m.message_type == "opsAlert" && m.text.contains("Less money is to be handed back")).count()
}

/// Somebody was told to hand over more: the account says what became of the rest, and staff are told.
async fn what_was_to_be_handed_back_and_is_kept_is_told(w: World) {
    let id = waits_to_be_handed_back(&w).await;
    price(&w, id, 45_000).await;
    w.work().await;
    assert_eq!(to_hand_back(&w, id).await, 5_749);
    let all = story(&w, id).await;
    let cash = PaidWith::Cash;
    let tail: Vec<_> = all[all.len() - 4..].to_vec();
    assert!(matches!(tail[0], (Fact::Edit(_), -11_498)), "{all:#?}");
    assert_eq!(tail[1], (Fact::OnItsWay { method: cash }, 0));
    assert!(matches!(tail[2], (Fact::Edit(_), 5_749)), "{all:#?}");
    assert_eq!(tail[3], (Fact::SetOff { method: cash }, 0));
    agrees(&w, id).await;
    assert_eq!(alerts(&w), 1);
    // What is left of it is handed over.
    let rows = w.read(move |u| u.payments().of_booking(id)).await;
    let waits = rows.iter().find(|r| r.is_given_back() && r.settled_at.is_none()).unwrap();
    received::handed_over(&w.s, &w.staff(), waits.id, None, None).await.unwrap();
    assert_eq!(to_hand_back(&w, id).await, 0);
    agrees(&w, id).await;
    assert!(!story(&w, id).await.iter().any(|(fact, _)| *fact == Fact::CreditCapped));
}

async fn what_was_to_be_handed_back_and_is_owed_as_a_whole_is_told(w: World) {
    let id = waits_to_be_handed_back(&w).await;
    price(&w, id, 60_000).await;
    w.work().await;
    assert_eq!(to_hand_back(&w, id).await, 0);
    let all = story(&w, id).await;
    let kept = all.iter().find(|(fact, _)| matches!(fact, Fact::SetOff { .. }));
    assert!(kept.is_some(), "{all:#?}");
    agrees(&w, id).await;
    assert!(!all.iter().any(|(fact, _)| *fact == Fact::CreditCapped), "{all:#?}");
    assert_eq!(alerts(&w), 1);
}
