//! Money that somebody gave back at the payment service, once it is written down: it is owed, no card is charged for it by
//! itself, and it is a trouble of the booking until it is paid or given away.

use crate::support;

use chrono::{Duration, NaiveDate, NaiveTime};
use kernel::{BookingId, Language, Money, Province};
use service::{
    Caller, Error, ErrorCode, ServiceResult,
    billing::{
        facts::{owed, owed_apart, returned_by_us},
        mend, reconcile, settlement,
    },
    bookings::{
        cancel,
        consents::answer,
        edit::{StaffEdit, edit_as_staff},
        pay_link, queries, status,
    },
    desk::{
        credits::{self, NewCredit},
        failed, record,
    },
    idempotency::Replayable,
    invoices::paper,
    ports::{
        credits::CreditKind,
        disputes::DisputeState,
        facts::PaymentState,
        ledger::Account,
        payments::{GatewayKind, GatewayStatus, GatewayTransaction, Payment, PaymentKind},
    },
};
use status_machine::{booking::Status, payment::State};
use store::testing::TestDb;
use support::{
    Next, World, draft,
    thursday::{BALANCE, DEPOSIT, TOTAL, at, lock, row, rows, start},
};

on_both_engines!(
    what_a_cancellation_keeps_and_somebody_gave_back_is_owed,
    what_is_written_down_after_the_cancellation_is_owed,
    what_a_cancellation_keeps_and_the_bank_gave_back_is_owed,
    the_48_hour_charge_does_not_solve_it,
    goodwill_settles_it_before_the_next_charge,
    a_cancellation_that_leaves_nothing_owed_solves_it,
    it_is_paid_by_a_link_before_the_next_charge,
    it_belongs_to_what_a_customer_is_asked_for,
    a_refused_refund_of_a_move_to_come_stands_among_the_failed,
    a_refused_refund_made_in_the_control_panel_is_no_debt,
    what_went_back_is_written_off_of_its_charge,
    what_was_written_off_before_is_not_taken_off_a_higher_price,
);

/// 574.88 for Thursday week, its deposit paid.
async fn with_deposit(db: TestDb) -> (World, BookingId) {
    let w = World::on(db, start()).await;
    w.flat_rate(50_000).await;
    let date = NaiveDate::from_ymd_opt(2027, 2, 18).unwrap();
    let draft = draft(Province::QC, date, NaiveTime::from_hms_opt(9, 0, 0).unwrap());
    let id = w.book(draft, None).await.unwrap().booking.id;
    at(&w, start() + Duration::hours(25)).await;
    // Part of it can go back once it has settled.
    at(&w, start() + Duration::hours(45)).await;
    assert_eq!(w.gateway.charges(), [DEPOSIT]);
    (w, id)
}

/// What is owed, in cents, and whether it stands among the troubles.
async fn stands(w: &World, id: BookingId) -> (i64, bool) {
    let (b, rows) = (w.booking(id).await, rows(w, id).await);
    (owed(&b, &rows).cents(), b.details.payment_problem)
}

/// What the page of a cancelled booking says: what went back, and what is owed.
async fn shown(w: &World, id: BookingId) -> (i64, i64) {
    let (b, rows) = (w.booking(id).await, rows(w, id).await);
    (returned_by_us(&b, &rows).cents(), owed_apart(&b, &rows).cents())
}

/// Somebody gives some of the deposit back in the control panel, which copies its order id.
async fn panel(w: &World, id: BookingId, amount: i64) {
    let of = row(w, id, PaymentKind::Deposit).await.transaction_id.unwrap();
    let created_at = w.clock.now_value();
    w.gateway.change(|list| {
        let charge = list.iter().find(|t| t.id == of).unwrap().clone();
        let (kind, amount) = (GatewayKind::Refund { of }, Money::from_cents(amount));
        let status = GatewayStatus::Captured;
        list.push(GatewayTransaction { id: "panel".into(), kind, amount, status, created_at, code: None, ..charge });
    });
}

/// Reconciliation tells it, and its repair writes it down.
async fn written_down(w: &World) {
    let last = w.compared().await;
    let one = last.differences.iter().find(|d| d.difference.what.code() == "refund_outside").unwrap();
    mend::mend(&w.s, &w.staff(), one.found.id, None).await.unwrap();
    w.work().await;
}

async fn outside(w: &World, id: BookingId, amount: i64) {
    panel(w, id, amount).await;
    written_down(w).await;
}

async fn give(w: &World, id: BookingId, kind: CreditKind, cents: i64) {
    let new = NewCredit { kind, amount: Money::from_cents(cents), reason: "A scratched table".into() };
    credits::give(&w.s, &w.staff(), id, new, None).await.unwrap();
    w.work().await;
}

async fn set(w: &World, id: BookingId, to: Status) {
    let said = status::StatusInput { reason: Some("the customer called".into()), ..status::StatusInput::default() };
    status::set(&w.s, &w.staff(), id, to, said).await.unwrap();
    w.work().await;
}

async fn link(w: &World, id: BookingId) -> ServiceResult<(String, i64)> {
    match pay_link::send_again(&w.s, &w.staff(), id, None).await? {
        Replayable::Fresh(sent) => {
            let token = sent.url.split("/pay/").nth(1).unwrap().split('?').next().unwrap().to_owned();
            Ok((token, sent.amount.cents()))
        }
        Replayable::Replayed { .. } => panic!("replayed"),
    }
}

async fn sound(w: &World) {
    let report = reconcile::run(&w.s, start() - Duration::days(1), start() + Duration::days(90)).await.unwrap();
    assert_eq!(report.differences, Vec::<String>::new(), "{:#?}", w.gateway.seen());
    assert_eq!(w.read(|u| u.jobs().dead(9)).await, []);
}

async fn what_a_cancellation_keeps_and_somebody_gave_back_is_owed(db: TestDb) {
    let (w, id) = with_deposit(db).await;
    outside(&w, id, 2_000).await;
    at(&w, start() + Duration::hours(50)).await;
    let preview = cancel::preview(&w.s, &w.customer, id).await.unwrap();
    let said = preview.outcome;
    assert_eq!((said.kept.cents(), said.refund, said.to_charge), (DEPOSIT, Money::ZERO, Money::ZERO));
    assert_eq!(preview.owed.cents(), 2_000, "it is said before that so much of it is not held");
    cancel::cancel(&w.s, &w.customer, id).await.unwrap();
    w.work().await;
    assert_eq!(shown(&w, id).await, (0, 2_000), "nothing of it goes back");
    assert_eq!(w.gateway.charges(), [DEPOSIT], "no card is charged for it");
    // What the invoice says of it has no mark of ours.
    let (b, rows) = (w.booking(id).await, rows(&w, id).await);
    assert!(paper::payments(&b, &rows).iter().all(|p| p.reference.is_none()));
    sound(&w).await;
}

async fn what_is_written_down_after_the_cancellation_is_owed(db: TestDb) {
    let (w, id) = with_deposit(db).await;
    panel(&w, id, DEPOSIT).await;
    at(&w, start() + Duration::hours(50)).await;
    cancel::cancel(&w.s, &w.customer, id).await.unwrap();
    w.work().await;
    written_down(&w).await;
    assert_eq!((shown(&w, id).await, stands(&w, id).await), ((0, DEPOSIT), (DEPOSIT, true)));
    // Where nothing is kept, it is what was to go back.
    give(&w, id, CreditKind::Goodwill, DEPOSIT).await;
    assert_eq!((shown(&w, id).await, stands(&w, id).await), ((DEPOSIT, 0), (0, false)));
    sound(&w).await;
}

async fn what_a_cancellation_keeps_and_the_bank_gave_back_is_owed(db: TestDb) {
    let (w, id) = with_deposit(db).await;
    let order = w.gateway.seen().last().unwrap().order_id.clone();
    w.gateway.dispute(&order, DisputeState::Opened);
    settlement::suspect(&w.s, &order).await.unwrap();
    at(&w, start() + Duration::hours(50)).await;
    cancel::cancel(&w.s, &w.customer, id).await.unwrap();
    w.work().await;
    assert_eq!(shown(&w, id).await, (0, 0));
    w.gateway.dispute(&order, DisputeState::Lost);
    settlement::suspect(&w.s, &order).await.unwrap();
    w.work().await;
    assert_eq!((shown(&w, id).await, stands(&w, id).await), ((0, DEPOSIT), (DEPOSIT, true)));
}

async fn the_48_hour_charge_does_not_solve_it(db: TestDb) {
    let (w, id) = with_deposit(db).await;
    outside(&w, id, 2_000).await;
    assert!(stands(&w, id).await.1);
    at(&w, lock()).await;
    assert_eq!(w.gateway.charges(), [DEPOSIT, BALANCE]);
    assert_eq!(stands(&w, id).await, (2_000, true));
    sound(&w).await;
    give(&w, id, CreditKind::Goodwill, 500).await;
    assert_eq!(stands(&w, id).await, (1_500, true));
    give(&w, id, CreditKind::Goodwill, 1_500).await;
    assert_eq!((stands(&w, id).await, w.gateway.refunds()), ((0, false), vec![]));
    sound(&w).await;
}

async fn goodwill_settles_it_before_the_next_charge(db: TestDb) {
    let (w, id) = with_deposit(db).await;
    outside(&w, id, 2_000).await;
    give(&w, id, CreditKind::Goodwill, 2_000).await;
    assert_eq!(
        (stands(&w, id).await, row(&w, id, PaymentKind::Balance).await.amount.cents()),
        ((BALANCE, false), BALANCE)
    );
    // The plan says what its rows do, and not what a price less goodwill would come to.
    let plan = queries::detail(&w.s, &w.customer, id).await.unwrap().plan;
    assert_eq!(plan.charges.iter().map(|c| c.amount.cents()).collect::<Vec<_>>(), [DEPOSIT, BALANCE]);
    sound(&w).await;
    // What is given beyond it lowers the next charge.
    give(&w, id, CreditKind::Goodwill, 1_000).await;
    at(&w, lock()).await;
    assert_eq!(w.gateway.charges(), [DEPOSIT, BALANCE - 1_000]);
    assert_eq!(stands(&w, id).await, (0, false));
    let facts = w.read(move |u| u.bookings().facts(id)).await.unwrap();
    assert_eq!(facts.payment_state, PaymentState::Paid, "what was given away does not have to come");
    sound(&w).await;
}

async fn a_cancellation_that_leaves_nothing_owed_solves_it(db: TestDb) {
    let (w, id) = with_deposit(db).await;
    outside(&w, id, 2_000).await;
    assert!(stands(&w, id).await.1);
    set(&w, id, Status::Cancelled).await;
    assert_eq!((stands(&w, id).await, w.gateway.net()), ((0, false), 0));
    assert_eq!(shown(&w, id).await, (DEPOSIT, 0), "all of it went back, by whomever");
    sound(&w).await;
}

async fn it_is_paid_by_a_link_before_the_next_charge(db: TestDb) {
    let (w, id) = with_deposit(db).await;
    let refused = link(&w, id).await;
    assert!(matches!(refused, Err(Error::Refused(ErrorCode::PaidByCard, _))), "{refused:?}");
    outside(&w, id, 2_000).await;
    let (token, amount) = link(&w, id).await.unwrap();
    assert_eq!(amount, 2_000, "what the card is charged for in its time is not asked for");
    let later = Some((Money::from_cents(BALANCE), lock()));
    let shown = pay_link::look(&w.s, token.clone()).await.unwrap();
    assert_eq!((shown.went_back.cents(), shown.later), (2_000, later), "what it is for, and what comes");
    let guest = Caller::guest(Language::En);
    let page = pay_link::pay(&w.s, &guest, token, "nonce".into(), Money::from_cents(amount)).await.unwrap();
    assert_eq!((page.state, page.went_back, page.later), (pay_link::State::Paid, Money::ZERO, later));
    w.work().await;
    {
        let mails = w.mailer.sent.lock().unwrap();
        let mail = mails.iter().rfind(|m| m.message_type == "balanceCharged").unwrap();
        assert!(mail.subject.starts_with("Payment received"), "{}", mail.subject);
        for words in ["had gone back to your card", "Still to come: $459.90"] {
            assert!(mail.text.contains(words), "{}", mail.text);
        }
        assert!(!mail.text.contains("is paid"), "{}", mail.text);
    }
    assert_eq!(stands(&w, id).await, (BALANCE, false));
    sound(&w).await;
    at(&w, lock()).await;
    assert_eq!(w.gateway.charges(), [DEPOSIT, 2_000, BALANCE]);
    let facts = w.read(move |u| u.bookings().facts(id)).await.unwrap();
    assert_eq!(facts.payment_state, PaymentState::Paid);
    sound(&w).await;
}

async fn it_belongs_to_what_a_customer_is_asked_for(db: TestDb) {
    let (w, id) = with_deposit(db).await;
    outside(&w, id, DEPOSIT).await;
    at(&w, start() + Duration::hours(50)).await;
    cancel::cancel(&w.s, &w.customer, id).await.unwrap();
    at(&w, start() + Duration::hours(51)).await;
    set(&w, id, Status::Pending).await;
    let asked = w.booking(id).await.details.consents.last().unwrap().clone();
    assert_eq!(asked.amount.cents(), TOTAL);
    let token = {
        let sent = w.mailer.sent.lock().unwrap();
        let last = sent.iter().rev().find_map(|m| m.text.split_once("/consent/")).unwrap().1;
        last.split('?').next().unwrap().to_owned()
    };
    answer::answer(&w.s, &Caller::guest(Language::En), token, true).await.unwrap();
    at(&w, lock()).await;
    assert_eq!((w.gateway.charges(), stands(&w, id).await), (vec![DEPOSIT, TOTAL], (0, false)));
    let facts = w.read(move |u| u.bookings().facts(id)).await.unwrap();
    assert_eq!(facts.payment_state, PaymentState::Paid);
    sound(&w).await;
}

/// The gateway refuses a refund that staff gave of a move that is still to come.
async fn refused_refund(w: &World, id: BookingId) -> Payment {
    w.gateway.queue_refund(&[Next::Hard]);
    give(w, id, CreditKind::Refund, 2_000).await;
    row(w, id, PaymentKind::Refund).await
}

async fn a_refused_refund_of_a_move_to_come_stands_among_the_failed(db: TestDb) {
    let (w, id) = with_deposit(db).await;
    let refund = refused_refund(&w, id).await;
    let listed = failed::list(&w.s, &w.staff(), 1, 50).await.unwrap();
    let listed: Vec<_> = listed.data.iter().map(|f| (f.payment.id, f.can_pay_back)).collect();
    assert_eq!((*refund.state, listed), (State::Failed, vec![(refund.id, true)]));
    assert!(stands(&w, id).await.1);
    at(&w, lock()).await;
    assert_eq!(w.gateway.charges(), [DEPOSIT, BALANCE], "not smaller: nothing went back");
    assert!(stands(&w, id).await.1);
    failed::retry(&w.s, &w.staff(), refund.id, None).await.unwrap();
    w.work().await;
    assert_eq!((w.gateway.net(), stands(&w, id).await), (TOTAL - 2_000, (0, false)));
    sound(&w).await;
}

async fn a_refused_refund_made_in_the_control_panel_is_no_debt(db: TestDb) {
    let (w, id) = with_deposit(db).await;
    let refund = refused_refund(&w, id).await;
    outside(&w, id, 2_000).await;
    let given_up = rows(&w, id).await.into_iter().find(|r| r.id == refund.id).unwrap();
    assert_eq!((*given_up.state, stands(&w, id).await), (State::Skipped, (BALANCE, false)));
    at(&w, lock()).await;
    assert_eq!(w.gateway.charges(), [DEPOSIT, BALANCE]);
    assert_eq!((w.gateway.net(), stands(&w, id).await), (TOTAL - 2_000, (0, false)));
    sound(&w).await;
}

async fn posted(w: &World, id: BookingId, account: Account) -> i64 {
    let entries = w.read(move |u| u.ledger().of_booking(id)).await;
    let lines = entries.iter().flat_map(|e| e.lines().to_vec());
    lines.filter(|l| l.account == account).map(|l| l.amount.cents()).sum()
}

/// What of each charge can be written off, in cents.
async fn offered(w: &World, id: BookingId) -> Vec<i64> {
    let paid = record::payments(&w.s, &w.staff(), id).await.unwrap();
    paid.write_offs.iter().map(|(_, amount)| amount.cents()).collect()
}

async fn write_off(w: &World, charge: &Payment) -> Option<ErrorCode> {
    match failed::write_off(&w.s, &w.staff(), charge.id, "Cannot be found".into(), None).await {
        Ok(_) => None,
        Err(Error::Refused(code, _)) => Some(code),
        Err(other) => panic!("{other:?}"),
    }
}

async fn what_went_back_is_written_off_of_its_charge(db: TestDb) {
    let (w, id) = with_deposit(db).await;
    outside(&w, id, 2_000).await;
    let deposit = row(&w, id, PaymentKind::Deposit).await;
    // Goodwill lowers what is still to be charged.
    assert_eq!((write_off(&w, &deposit).await, offered(&w, id).await), (Some(ErrorCode::WriteOffEarly), vec![]));
    at(&w, lock()).await;
    set(&w, id, Status::Assigned).await;
    at(&w, "2027-02-18T22:00:00Z".parse().unwrap()).await;
    set(&w, id, Status::Completed).await;
    assert_eq!((stands(&w, id).await, offered(&w, id).await), ((2_000, true), vec![2_000]));
    assert_eq!(write_off(&w, &deposit).await, None);
    assert_eq!((stands(&w, id).await, offered(&w, id).await), ((0, false), vec![]));
    assert_eq!((posted(&w, id, Account::WriteOff).await, posted(&w, id, Account::Customer).await), (2_000, 0));
    assert_eq!(write_off(&w, &deposit).await, Some(ErrorCode::NothingOwed));
    let balance = row(&w, id, PaymentKind::Balance).await;
    assert_eq!(write_off(&w, &balance).await, Some(ErrorCode::PaymentNotFailed), "nothing of it went back");
    sound(&w).await;
}

async fn what_was_written_off_before_is_not_taken_off_a_higher_price(db: TestDb) {
    let (w, id) = with_deposit(db).await;
    outside(&w, id, 2_000).await;
    at(&w, lock()).await;
    let deposit = row(&w, id, PaymentKind::Deposit).await;
    assert_eq!((write_off(&w, &deposit).await, stands(&w, id).await), (None, (0, false)));
    // 600.00 before tax are 689.85.
    let dearer = StaffEdit { amount: Some(Money::from_cents(60_000)), ..StaffEdit::default() };
    edit_as_staff(&w.s, &w.staff(), id, dearer, None).await.unwrap();
    w.work().await;
    assert_eq!(w.gateway.charges(), [DEPOSIT, BALANCE, 68_985 - TOTAL], "all that it costs more");
    assert_eq!(stands(&w, id).await, (0, false));
    sound(&w).await;
}
