//! What a stranger found at the money desk: what is asked for twice, refused with untrue words, kept too little of, or told
//! wrongly.

use crate::support;

use chrono::{DateTime, Duration, NaiveDate, NaiveTime, Utc};
use kernel::{BookingId, Money, Province};
use service::{
    Caller, Error, ErrorCode, ServiceResult,
    billing::{reconcile, settlement},
    bookings::{TipInput, cancel, pay_link, statement, status},
    desk::{
        credits::{self, NewCredit},
        failed,
        received::{self, Received},
        record,
    },
    idempotency::Replayable,
    ports::{
        credits::CreditKind,
        disputes::DisputeState,
        ledger::Account,
        payments::{PaidWith, PaymentKind},
    },
};
use status_machine::{booking::Status, payment::State};
use store::testing::TestDb;
use support::{
    Next, World, draft,
    thursday::{BALANCE, DEPOSIT, TOTAL, at, lock, row, start},
};

in_both_worlds!(
    what_was_released_is_asked_for_once,
    a_deposit_ends_with_the_whole_also_when_staff_look_after_it,
    a_lost_dispute_can_be_paid_by_a_link,
    a_lost_dispute_of_a_cancelled_move_is_paid_or_written_off,
    a_lost_dispute_of_a_move_to_come_is_written_off_and_no_loss_when_it_is_called_off,
    a_link_is_not_sent_while_the_card_is_charged_by_itself,
    what_the_bank_holds_is_not_given_back,
    money_by_hand_is_part_of_the_deposit_that_is_kept,
    money_by_hand_that_went_back_is_not_kept,
    the_end_of_the_ladder_is_one_message,
    a_full_charge_of_its_instant_is_not_told_as_one_of_the_booking,
    a_failed_tip_is_no_trouble_of_the_booking,
    a_move_to_come_is_no_debt,
);

async fn world(db: TestDb) -> World {
    let w = World::on(db, start()).await;
    w.flat_rate(50_000).await;
    w
}

async fn booked_on(w: &World, day: u32, tip: Option<&str>) -> BookingId {
    let date = NaiveDate::from_ymd_opt(2027, 2, day).unwrap();
    let tip = tip.map(|dollars| TipInput { kind: "amount".into(), value: dollars.into() });
    w.book(draft(Province::QC, date, NaiveTime::from_hms_opt(9, 0, 0).unwrap()), tip).await.unwrap().booking.id
}

/// 574.88 for Thursday week.
async fn booked(w: &World) -> BookingId {
    booked_on(w, 18, None).await
}

/// The list of failed charges.
async fn listed(w: &World) -> Vec<(PaymentKind, i64)> {
    let list = failed::list(&w.s, &w.staff(), 1, 50).await.unwrap();
    list.data.iter().map(|f| (f.payment.kind, f.payment.amount.cents())).collect()
}

async fn owed(w: &World, id: BookingId) -> i64 {
    record::payments(&w.s, &w.staff(), id).await.unwrap().owed.cents()
}

async fn balance(w: &World, id: BookingId, account: Account) -> i64 {
    let entries = w.read(move |u| u.ledger().of_booking(id)).await;
    let lines = entries.iter().flat_map(|e| e.lines().to_vec());
    lines.filter(|l| l.account == account).map(|l| l.amount.cents()).sum()
}

async fn sound(w: &World) {
    let report = reconcile::run(&w.s, start() - Duration::days(1), start() + Duration::days(90)).await.unwrap();
    assert_eq!(report.differences, Vec::<String>::new(), "{:#?}", w.gateway.seen());
    assert_eq!(w.read(|u| u.jobs().dead(9)).await, []);
}

fn code<T: std::fmt::Debug>(done: ServiceResult<T>) -> ErrorCode {
    match done {
        Err(Error::Refused(code, _) | Error::ByGateway(code, ..)) => code,
        other => panic!("{other:?}"),
    }
}

/// The letters of a kind, oldest first.
fn letters(w: &World, kind: &str) -> Vec<String> {
    let sent = w.mailer.sent.lock().unwrap();
    sent.iter().filter(|m| m.message_type == kind).map(|m| m.text.clone()).collect()
}

fn only_letter(w: &World, kind: &str) -> String {
    let mut all = letters(w, kind);
    assert_eq!(all.len(), 1, "{kind}: {all:?}");
    all.remove(0)
}

/// The bank gives the newest charge back.
async fn lose(w: &World) {
    let order = w.gateway.seen().iter().rfind(|s| s.what == "charge").unwrap().order_id.clone();
    w.gateway.dispute(&order, DisputeState::Lost);
    settlement::suspect(&w.s, &order).await.unwrap();
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

async fn pay(w: &World, token: &str, cents: i64) -> pay_link::Page {
    let guest = Caller::guest(kernel::Language::En);
    pay_link::pay(&w.s, &guest, token.to_owned(), "nonce".into(), Money::from_cents(cents)).await.unwrap()
}

async fn transfer(w: &World, id: BookingId, cents: i64) {
    let amount = Money::from_cents(cents);
    let new = Received { method: PaidWith::Etransfer, amount, reference: Some("T-1".into()) };
    received::record(&w.s, &w.staff(), id, new, None).await.unwrap();
    w.work().await;
}

/// The deposit is declined until it is given up.
async fn without_deposit(w: &World) -> BookingId {
    let id = booked(w).await;
    w.gateway.queue(&[Next::Soft; 4]);
    for hours in [25, 31, 49, 73] {
        at(w, start() + Duration::hours(hours)).await;
    }
    assert_eq!(row(w, id, PaymentKind::Deposit).await.state, State::Failed);
    assert_eq!(listed(w).await, [(PaymentKind::Deposit, DEPOSIT)]);
    id
}

async fn what_was_released_is_asked_for_once(w: World) {
    let id = without_deposit(&w).await;
    w.gateway.queue(&[Next::Soft; 5]);
    at(&w, lock()).await;
    assert_eq!(listed(&w).await, [(PaymentKind::Full, TOTAL)], "the deposit is part of the whole");
    sound(&w).await;
    for hours in [2, 6, 12, 24] {
        at(&w, lock() + Duration::hours(hours)).await;
    }
    assert_eq!(w.booking(id).await.status, Status::Cancelled);
    assert_eq!(listed(&w).await, [(PaymentKind::Full, TOTAL)]);
    sound(&w).await;
    let full = row(&w, id, PaymentKind::Full).await;
    failed::write_off(&w.s, &w.staff(), full.id, "Cannot be found".into(), None).await.unwrap();
    assert_eq!(listed(&w).await, []);
    assert!(!w.booking(id).await.details.payment_problem);
    sound(&w).await;
}

/// Released by nobody: the whole is given up, refused at its settlement, and still asked for once.
async fn a_deposit_ends_with_the_whole_also_when_staff_look_after_it(w: World) {
    let id = without_deposit(&w).await;
    at(&w, lock()).await;
    assert_eq!(w.gateway.charges(), [TOTAL]);
    w.gateway.change(|list| list.last_mut().unwrap().status = service::ports::payments::GatewayStatus::Declined);
    let order = w.gateway.seen().last().unwrap().order_id.clone();
    settlement::suspect(&w.s, &order).await.unwrap();
    w.work().await;
    assert_eq!(listed(&w).await, [(PaymentKind::Full, TOTAL)]);
    assert_eq!(owed(&w, id).await, TOTAL);
    sound(&w).await;
    cancel::cancel(&w.s, &w.customer, id).await.unwrap();
    w.gateway.queue(&[Next::Soft]);
    w.work().await;
    assert_eq!(listed(&w).await, [(PaymentKind::CancellationFee, TOTAL)], "what is kept, once");
    sound(&w).await;
}

async fn a_lost_dispute_can_be_paid_by_a_link(w: World) {
    let id = booked_on(&w, 9, None).await;
    lose(&w).await;
    assert_eq!(owed(&w, id).await, TOTAL);
    let charge = row(&w, id, PaymentKind::Full).await;
    assert_eq!(code(failed::retry(&w.s, &w.staff(), charge.id, None).await), ErrorCode::ChargedBack);
    let (token, amount) = link(&w, id).await.unwrap();
    assert_eq!(amount, TOTAL);
    assert_eq!(pay(&w, &token, TOTAL).await.state, pay_link::State::Paid);
    w.work().await;
    assert_eq!(owed(&w, id).await, 0);
    sound(&w).await;
    // What is asked for later is asked for as ever: the loss has been made good.
    at(&w, "2027-02-09T18:00:00Z".parse().unwrap()).await;
    let said = status::StatusInput { reason: Some("done".into()), ..status::StatusInput::default() };
    status::set(&w.s, &w.staff(), id, Status::Completed, said).await.unwrap();
    w.work().await;
    assert_eq!(balance(&w, id, Account::Customer).await, 0);
    assert_eq!(w.gateway.charges(), [TOTAL, TOTAL]);
    sound(&w).await;
}

async fn a_lost_dispute_of_a_cancelled_move_is_paid_or_written_off(w: World) {
    let id = booked_on(&w, 9, None).await;
    lose(&w).await;
    cancel::cancel(&w.s, &w.customer, id).await.unwrap();
    w.work().await;
    assert_eq!(owed(&w, id).await, TOTAL, "the policy keeps all of it");
    let letter = only_letter(&w, "bookingCancelled");
    assert!(letter.contains("Kept: $574.88") && letter.contains("Still owed: $574.88"), "{letter}");
    let (token, _) = link(&w, id).await.unwrap();
    assert_eq!(pay_link::look(&w.s, token).await.unwrap().state, pay_link::State::Open);
    let charge = row(&w, id, PaymentKind::Full).await;
    failed::write_off(&w.s, &w.staff(), charge.id, "Cannot be found".into(), None).await.unwrap();
    assert_eq!((owed(&w, id).await, balance(&w, id, Account::WriteOff).await), (0, TOTAL));
    assert_eq!(balance(&w, id, Account::Customer).await, 0);
    let again = failed::write_off(&w.s, &w.staff(), charge.id, "Again".into(), None).await;
    assert_eq!(code(again), ErrorCode::NothingOwed);
    assert_eq!(code(link(&w, id).await), ErrorCode::LinkEnded);
    sound(&w).await;
}

async fn a_lost_dispute_of_a_move_to_come_is_written_off_and_no_loss_when_it_is_called_off(w: World) {
    let id = booked_on(&w, 9, None).await;
    lose(&w).await;
    let charge = row(&w, id, PaymentKind::Full).await;
    failed::write_off(&w.s, &w.staff(), charge.id, "Cannot be found".into(), None).await.unwrap();
    assert_eq!((owed(&w, id).await, balance(&w, id, Account::WriteOff).await), (0, TOTAL));
    sound(&w).await;
    let said = status::StatusInput { reason: Some("no crew".into()), ..status::StatusInput::default() };
    status::set(&w.s, &w.staff(), id, Status::Cancelled, said).await.unwrap();
    w.work().await;
    // Nothing is owed of a move that the company calls off: nothing of it was lost.
    assert_eq!((owed(&w, id).await, balance(&w, id, Account::WriteOff).await), (0, 0));
    assert_eq!(balance(&w, id, Account::Customer).await, 0);
    let told = statement::statement(&w.s, &w.customer, id).await.unwrap();
    assert_eq!((told.balance, told.rows.last().map(|r| r.balance)), (Money::ZERO, Some(Money::ZERO)));
    assert!(told.rows.iter().any(|r| r.fact == statement::Fact::WriteOffEnded), "{:#?}", told.rows);
    sound(&w).await;
}

async fn a_link_is_not_sent_while_the_card_is_charged_by_itself(w: World) {
    let id = booked(&w).await;
    assert_eq!(code(link(&w, id).await), ErrorCode::PaidByCard);
    at(&w, start() + Duration::hours(25)).await;
    lose(&w).await;
    let (_, amount) = link(&w, id).await.unwrap();
    assert_eq!(amount, DEPOSIT, "the 48-hour charge is still to come, and does not ask for what the bank gave back");
}

async fn what_the_bank_holds_is_not_given_back(w: World) {
    let id = booked(&w).await;
    at(&w, start() + Duration::hours(25)).await;
    let order = w.gateway.seen().last().unwrap().order_id.clone();
    w.gateway.dispute(&order, DisputeState::Opened);
    settlement::suspect(&w.s, &order).await.unwrap();
    w.work().await;
    let most = record::payments(&w.s, &w.staff(), id).await.unwrap().most;
    assert_eq!(most.refund, Money::ZERO);
    let give = NewCredit { kind: CreditKind::Refund, amount: Money::from_cents(DEPOSIT), reason: "Sorry".into() };
    assert_eq!(code(credits::give(&w.s, &w.staff(), id, give, None).await), ErrorCode::NothingToReturn);
    assert_eq!(w.booking(id).await.details.credits, []);
    assert_eq!(owed(&w, id).await, BALANCE);
    sound(&w).await;
}

async fn money_by_hand_is_part_of_the_deposit_that_is_kept(w: World) {
    let id = booked(&w).await;
    transfer(&w, id, 1_000).await;
    at(&w, start() + Duration::hours(25)).await;
    assert_eq!(w.gateway.charges(), [DEPOSIT - 1_000]);
    // More by hand after it is no deposit.
    let more = Received { method: PaidWith::Cash, amount: Money::from_cents(2_000), reference: None };
    received::record(&w.s, &w.staff(), id, more, None).await.unwrap();
    at(&w, start() + Duration::hours(50)).await;
    let cancelled = cancel::cancel(&w.s, &w.customer, id).await.unwrap();
    assert_eq!(cancelled.outcome.kept.cents(), DEPOSIT, "20 % of the price, however it was paid");
    assert_eq!(cancelled.outcome.refund.cents(), 2_000);
    w.work().await;
    sound(&w).await;
}

async fn money_by_hand_that_went_back_is_not_kept(w: World) {
    let id = booked(&w).await;
    transfer(&w, id, 1_000).await;
    at(&w, start() + Duration::hours(25)).await;
    let came = row(&w, id, PaymentKind::Difference).await;
    received::undo(&w.s, &w.staff(), came.id, "It never came".into(), None).await.unwrap();
    at(&w, start() + Duration::hours(50)).await;
    let cancelled = cancel::cancel(&w.s, &w.customer, id).await.unwrap();
    assert_eq!(cancelled.outcome.kept.cents(), DEPOSIT - 1_000, "what was really charged as deposit");
    w.work().await;
    sound(&w).await;
}

async fn the_end_of_the_ladder_is_one_message(w: World) {
    let id = booked(&w).await;
    at(&w, start() + Duration::hours(25)).await;
    w.gateway.queue(&[Next::Soft; 5]);
    for hours in [0, 2, 6, 12, 24] {
        at(&w, lock() + Duration::hours(hours)).await;
    }
    assert_eq!(w.booking(id).await.status, Status::Cancelled);
    assert_eq!(letters(&w, "paymentFailed").len(), 4, "the fifth is the end, and that is another message");
    let letter = only_letter(&w, "bookingCancelled");
    assert!(letter.contains("Reason: "), "{letter}");
}

async fn a_full_charge_of_its_instant_is_not_told_as_one_of_the_booking(w: World) {
    // 50 hours ahead: one charge, two hours from now.
    w.clock.set("2027-02-16T12:00:00Z".parse().unwrap());
    booked(&w).await;
    at(&w, lock()).await;
    let letter = only_letter(&w, "fullPaymentCharged");
    assert!(!letter.contains("when you booked") && letter.contains("fell due before your move"), "{letter}");
    // And the one of tomorrow is.
    booked_on(&w, 17, None).await;
    w.work().await;
    let all = letters(&w, "fullPaymentCharged");
    assert!(all.len() == 2 && all[1].contains("when you booked"), "{all:?}");
}

async fn a_failed_tip_is_no_trouble_of_the_booking(w: World) {
    let id = booked_on(&w, 9, Some("20")).await;
    at(&w, "2027-02-09T18:00:00Z".parse().unwrap()).await;
    let said = status::StatusInput { reason: Some("done".into()), ..status::StatusInput::default() };
    status::set(&w.s, &w.staff(), id, Status::Completed, said).await.unwrap();
    w.gateway.queue(&[Next::Soft; 4]);
    for hours in [25, 49, 97, 193] {
        at(&w, "2027-02-09T18:00:00Z".parse::<DateTime<Utc>>().unwrap() + Duration::hours(hours)).await;
    }
    assert_eq!(row(&w, id, PaymentKind::Tip).await.state, State::Failed);
    assert!(!w.booking(id).await.details.payment_problem);
    assert_eq!(listed(&w).await, [(PaymentKind::Tip, 2_000)], "staff see it all the same");
    sound(&w).await;
}

async fn a_move_to_come_is_no_debt(w: World) {
    let id = booked(&w).await;
    let owes = async || record::customer(&w.s, &w.staff(), id).await.unwrap().owes.cents();
    assert_eq!(owes().await, 0, "nothing is due yet");
    w.gateway.queue(&[Next::Soft]);
    at(&w, start() + Duration::hours(25)).await;
    assert_eq!(owes().await, DEPOSIT, "its deposit was due and did not come");
    at(&w, start() + Duration::hours(31)).await;
    assert_eq!(owes().await, 0);
    w.gateway.queue(&[Next::Soft]);
    at(&w, lock()).await;
    assert_eq!(owes().await, BALANCE);
}
