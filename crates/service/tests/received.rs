//! Cash, transfers and cheques: what is owed falls, the gateway has no part in it, and what goes back is handed back.

use crate::support;

use chrono::{DateTime, Duration, NaiveDate, NaiveTime, Utc};
use kernel::{BookingId, Money, PaymentId, Province};
use service::{
    Caller, Error, ErrorCode, FieldProblem, Limit, Role, ServiceResult, Staff,
    billing::reconcile,
    bookings::{
        cancel,
        edit::{StaffEdit, edit_as_staff},
        status::{self, StatusInput},
    },
    desk::{
        credits::{self, NewCredit},
        received::{self, Received},
        record::{self, Paid},
    },
    idempotency::Replayable,
    ports::{
        credits::CreditKind,
        ledger::Account,
        payments::{PaidWith, Payment, PaymentKind},
    },
};
use status_machine::{booking::Status, payment::State};
use store::testing::TestDb;
use support::{Next, World, draft};

on_both_engines!(
    what_came_by_hand_is_not_charged,
    what_came_before_the_deposit_is_part_of_it,
    what_staff_gave_back_of_a_deposit_in_cash_is_taken_off_once,
    a_cancellation_keeps_the_same_whenever_cash_is_handed_back,
    what_never_came_is_no_part_of_the_deposit,
    a_deposit_that_was_given_up_ends_with_the_whole_by_transfer,
    one_reference_counts_once,
    four_at_once_take_no_more_than_is_owed,
    what_was_paid_by_hand_is_handed_back,
    a_refund_of_both_is_newest_first,
    a_mistake_is_taken_out_and_asked_for_again,
    a_mistake_is_taken_out_once_however_many_press,
    taken_out_after_the_48_hour_instant_it_is_charged_by_the_ladder,
    taken_out_after_the_48_hour_instant_one_try_can_do,
    a_refund_of_money_that_never_came_ends_with_it,
    what_was_handed_back_stays_given,
    what_was_deleted_is_closed,
    a_booking_whose_money_waits_to_be_handed_back_is_not_put_away,
    what_cannot_be_is_refused_at_its_field,
);

fn monday() -> DateTime<Utc> {
    "2027-02-08T14:00:00Z".parse().unwrap()
}

fn lock() -> DateTime<Utc> {
    "2027-02-16T14:00:00Z".parse().unwrap()
}

/// A booking of 574.88 for Thursday week, by card.
async fn booked(w: &World) -> BookingId {
    w.flat_rate(50_000).await;
    let date = NaiveDate::from_ymd_opt(2027, 2, 18).unwrap();
    w.book(draft(Province::QC, date, NaiveTime::from_hms_opt(9, 0, 0).unwrap()), None).await.unwrap().booking.id
}

/// Its deposit of 114.98 paid.
async fn with_deposit(w: &World) -> BookingId {
    let id = booked(w).await;
    w.clock.set(monday() + Duration::hours(25));
    w.work().await;
    assert_eq!(w.gateway.charges(), [11_498]);
    id
}

async fn take(
    w: &World,
    id: BookingId,
    method: PaidWith,
    cents: i64,
    reference: Option<&str>,
) -> ServiceResult<(i64, i64)> {
    let new = Received { method, amount: Money::from_cents(cents), reference: reference.map(str::to_owned) };
    sums(received::record(&w.s, &w.staff(), id, new, None).await)
}

/// What is held, and what is owed.
fn sums(answer: ServiceResult<Replayable<Paid>>) -> ServiceResult<(i64, i64)> {
    match answer? {
        Replayable::Fresh(paid) => Ok((paid.net_paid.cents(), paid.owed.cents())),
        Replayable::Replayed { .. } => panic!("replayed"),
    }
}

async fn owed(w: &World, id: BookingId) -> i64 {
    record::payments(&w.s, &w.staff(), id).await.unwrap().owed.cents()
}

async fn rows(w: &World, id: BookingId) -> Vec<Payment> {
    w.read(move |u| u.payments().of_booking(id)).await
}

async fn of(w: &World, id: BookingId, kind: PaymentKind, method: PaidWith) -> Vec<(PaymentId, State, i64)> {
    let rows = rows(w, id).await;
    rows.iter().filter(|r| r.kind == kind && r.method == method).map(|r| (r.id, *r.state, r.amount.cents())).collect()
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

fn code(e: &Error) -> Option<ErrorCode> {
    match e {
        Error::Refused(code, _) => Some(*code),
        _ => None,
    }
}

fn field(e: Error) -> (String, FieldProblem) {
    match e {
        Error::Invalid(mut wrong) => wrong.pop().map(|f| (f.field, f.problem)).unwrap(),
        other => panic!("{other:?}"),
    }
}

async fn what_came_by_hand_is_not_charged(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = with_deposit(&w).await;
    assert_eq!(take(&w, id, PaidWith::Cash, 10_000, None).await.unwrap(), (21_498, 35_990));
    assert_eq!(take(&w, id, PaidWith::Etransfer, 5_000, Some(" CA7F2K ")).await.unwrap(), (26_498, 30_990));
    w.work().await;
    assert_eq!(w.gateway.charges(), [11_498]);
    assert_eq!((posted(&w, id, Account::Cash).await, posted(&w, id, Account::Bank).await), (10_000, 5_000));
    let transfer = rows(&w, id).await.into_iter().find(|r| r.method == PaidWith::Etransfer).unwrap();
    assert_eq!((transfer.reference.as_deref(), *transfer.state), (Some("CA7F2K"), State::Settled));
    w.clock.set(lock());
    w.work().await;
    assert_eq!(w.gateway.charges(), [11_498, 30_990]);
    assert_eq!(owed(&w, id).await, 0);
    sound(&w).await;
}

async fn what_came_before_the_deposit_is_part_of_it(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = booked(&w).await;
    assert_eq!(take(&w, id, PaidWith::Cheque, 57_488, Some("0114")).await.unwrap(), (57_488, 0));
    for hours in [25, 8 * 24, 20 * 24] {
        w.clock.set(monday() + Duration::hours(hours));
        w.work().await;
    }
    assert_eq!(w.gateway.charges(), [0; 0]);
    assert_eq!(code(&take(&w, id, PaidWith::Cash, 1, None).await.unwrap_err()), Some(ErrorCode::NothingOwed));
    sound(&w).await;
}

async fn what_staff_gave_back_of_a_deposit_in_cash_is_taken_off_once(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = booked(&w).await;
    take(&w, id, PaidWith::Cash, 10_000, None).await.unwrap();
    w.clock.set(monday() + Duration::hours(25));
    w.work().await;
    // The rest of the fifth.
    assert_eq!(w.gateway.charges(), [1_498]);
    let new = NewCredit { kind: CreditKind::Refund, amount: Money::from_cents(3_000), reason: "Late".into() };
    credits::give(&w.s, &w.staff(), id, new, None).await.unwrap();
    w.work().await;
    let in_cash = of(&w, id, PaymentKind::Refund, PaidWith::Cash).await;
    assert_eq!((in_cash.len(), in_cash[0].2), (1, 1_502));
    received::handed_over(&w.s, &w.staff(), in_cash[0].0, None, None).await.unwrap();
    cancel::cancel(&w.s, &w.customer, id).await.unwrap();
    w.work().await;
    // Of 114.98 staff gave 30.00 back: the cancellation keeps what is left, and nothing more goes back.
    let kept = w.read(move |u| u.bookings().get(id)).await.and_then(|b| b.details.kept);
    assert_eq!(kept, Some(Money::from_cents(8_498)));
    assert_eq!(of(&w, id, PaymentKind::Refund, PaidWith::Cash).await.len(), 1);
    sound(&w).await;
}

/// 100.00 came in cash and went back as a refund, before or after the deposit was charged, or not yet: the fifth of what the
/// move costs then is kept, and the cash does not go back a second time.
async fn a_cancellation_keeps_the_same_whenever_cash_is_handed_back(db: TestDb) {
    let w = World::on(db, monday()).await;
    let mut ids = Vec::new();
    for handed_over_at in [Some(0), Some(26), None] {
        w.clock.set(monday());
        let id = booked(&w).await;
        take(&w, id, PaidWith::Cash, 6_000, None).await.unwrap();
        take(&w, id, PaidWith::Etransfer, 4_000, Some(&format!("E{}", ids.len()))).await.unwrap();
        let new = NewCredit { kind: CreditKind::Refund, amount: Money::from_cents(10_000), reason: "Late".into() };
        credits::give(&w.s, &w.staff(), id, new, None).await.unwrap();
        ids.push((id, handed_over_at));
    }
    let hand_over = async |hour: i64| {
        for (id, _) in ids.iter().filter(|(_, at)| *at == Some(hour)) {
            for row in rows(&w, *id).await.iter().filter(|r| r.waits_for_a_hand()) {
                received::handed_over(&w.s, &w.staff(), row.id, Some("R1".into()), None).await.unwrap();
            }
        }
    };
    hand_over(0).await;
    w.clock.set(monday() + Duration::hours(25));
    w.work().await;
    assert_eq!(w.gateway.charges(), [9_498; 3]);
    w.clock.set(monday() + Duration::hours(26));
    hand_over(26).await;
    for (id, _) in ids {
        cancel::cancel(&w.s, &w.customer, id).await.unwrap();
        w.work().await;
        let kept = w.read(move |u| u.bookings().get(id)).await.and_then(|b| b.details.kept);
        assert_eq!(kept, Some(Money::from_cents(9_498)));
        sound(&w).await;
    }
    assert_eq!(w.gateway.refunds(), [0; 0]);
}

/// Cash that was written down by mistake is no part of the deposit, for the program as for its judge; what came is.
async fn what_never_came_is_no_part_of_the_deposit(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = booked(&w).await;
    take(&w, id, PaidWith::Cash, 30_000, None).await.unwrap();
    let wrong = rows(&w, id).await.iter().find(|r| r.method == PaidWith::Cash).unwrap().id;
    received::undo(&w.s, &w.staff(), wrong, "Another customer's".into(), None).await.unwrap();
    take(&w, id, PaidWith::Cash, 2_000, None).await.unwrap();
    w.clock.set(monday() + Duration::hours(25));
    w.work().await;
    assert_eq!(w.gateway.charges(), [9_498]);
    let dearer = StaffEdit { amount: Some(Money::from_cents(90_000)), waive_fee: true, ..StaffEdit::default() };
    edit_as_staff(&w.s, &w.staff(), id, dearer, None).await.unwrap();
    w.work().await;
    cancel::cancel(&w.s, &w.customer, id).await.unwrap();
    w.work().await;
    let kept = w.read(move |u| u.bookings().get(id)).await.and_then(|b| b.details.kept);
    assert_eq!(kept, Some(Money::from_cents(11_498)));
    sound(&w).await;
}

/// The 48-hour charge is found not to be needed at its instant: in the same turn nothing asks for the deposit any more.
async fn a_deposit_that_was_given_up_ends_with_the_whole_by_transfer(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = booked(&w).await;
    w.gateway.queue(&[Next::Soft; 4]);
    for hours in [25, 31, 49, 73] {
        w.clock.set(monday() + Duration::hours(hours));
        w.work().await;
    }
    assert_eq!(of(&w, id, PaymentKind::Deposit, PaidWith::Card).await[0].1, State::Failed);
    assert_eq!(take(&w, id, PaidWith::Etransfer, 57_488, Some("CA7F2K")).await.unwrap(), (57_488, 0));
    for hours in [0, 1, 47] {
        w.clock.set(lock() + Duration::hours(hours));
        w.work().await;
        sound(&w).await;
    }
    let asked = rows(&w, id).await.into_iter().filter(|r| !matches!(*r.state, State::Skipped | State::Settled)).count();
    assert_eq!((asked, w.gateway.charges()), (0, vec![]));
}

async fn one_reference_counts_once(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = with_deposit(&w).await;
    take(&w, id, PaidWith::Etransfer, 5_000, Some("CA7F2K")).await.unwrap();
    let again = take(&w, id, PaidWith::Etransfer, 5_000, Some("ca7f2k ")).await.unwrap_err();
    assert_eq!(code(&again), Some(ErrorCode::PaymentRecorded));
    take(&w, id, PaidWith::Cheque, 5_000, Some("CA7F2K")).await.unwrap();
    // Notes have no number: twice the same sum may be two payments.
    take(&w, id, PaidWith::Cash, 5_000, None).await.unwrap();
    take(&w, id, PaidWith::Cash, 5_000, None).await.unwrap();
    assert_eq!(owed(&w, id).await, 57_488 - 11_498 - 20_000);
    sound(&w).await;
}

async fn four_at_once_take_no_more_than_is_owed(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = with_deposit(&w).await;
    let one = || take(&w, id, PaidWith::Cash, 20_000, None);
    let (a, b, c, d) = tokio::join!(one(), one(), one(), one());
    assert_eq!([a, b, c, d].iter().filter(|d| d.is_ok()).count(), 2);
    assert_eq!((posted(&w, id, Account::Cash).await, owed(&w, id).await), (40_000, 5_990));
    sound(&w).await;
}

async fn what_was_paid_by_hand_is_handed_back(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = booked(&w).await;
    take(&w, id, PaidWith::Cash, 10_000, None).await.unwrap();
    cancel::cancel(&w.s, &w.customer, id).await.unwrap();
    w.work().await;
    let waiting = of(&w, id, PaymentKind::Refund, PaidWith::Cash).await;
    assert_eq!(waiting.len(), 1);
    assert_eq!((waiting[0].1, waiting[0].2), (State::Scheduled, 10_000));
    // Nobody sends it: it waits for somebody's hand, however long.
    w.clock.set(monday() + Duration::days(20));
    w.work().await;
    sound(&w).await;
    let staff = w.staff();
    let give = || received::handed_over(&w.s, &staff, waiting[0].0, Some("signed for".into()), None);
    assert_eq!(sums(give().await).unwrap(), (0, 0));
    // Pressed once more it is the same, and is posted once.
    assert_eq!(sums(give().await).unwrap(), (0, 0));
    assert_eq!((posted(&w, id, Account::Cash).await, posted(&w, id, Account::Customer).await), (0, 0));
    let states: Vec<State> =
        rows(&w, id).await.iter().filter(|r| r.method == PaidWith::Cash).map(|r| *r.state).collect();
    assert!(states.contains(&State::Refunded), "{states:?}");
    assert_eq!(w.gateway.charges(), [0; 0]);
    sound(&w).await;
}

async fn a_refund_of_both_is_newest_first(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = with_deposit(&w).await;
    w.clock.set(monday() + Duration::hours(26));
    take(&w, id, PaidWith::Cash, 10_000, None).await.unwrap();
    w.clock.set(monday() + Duration::hours(48));
    w.work().await;
    let new = NewCredit { kind: CreditKind::Refund, amount: Money::from_cents(12_000), reason: "Late".into() };
    credits::give(&w.s, &w.staff(), id, new, None).await.unwrap();
    w.work().await;
    let by_hand = of(&w, id, PaymentKind::Refund, PaidWith::Cash).await;
    let by_card = of(&w, id, PaymentKind::Refund, PaidWith::Card).await;
    assert_eq!((by_hand[0].1, by_hand[0].2), (State::Scheduled, 10_000));
    assert_eq!(by_card.iter().map(|r| r.2).collect::<Vec<_>>(), [2_000]);
    received::handed_over(&w.s, &w.staff(), by_hand[0].0, None, None).await.unwrap();
    assert_eq!(posted(&w, id, Account::Cash).await, 0);
    sound(&w).await;
}

async fn a_mistake_is_taken_out_once_however_many_press(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = with_deposit(&w).await;
    take(&w, id, PaidWith::Cash, 45_990, None).await.unwrap();
    let wrong = of(&w, id, PaymentKind::Difference, PaidWith::Cash).await[0].0;
    let staff = w.staff();
    let undo = || received::undo(&w.s, &staff, wrong, "It never came".into(), None);
    let all = tokio::join!(undo(), undo(), undo());
    let losers: Vec<_> = [all.0, all.1, all.2].iter().filter_map(|done| done.as_ref().err()).map(code).collect();
    assert_eq!(losers, [Some(ErrorCode::PaymentUndone), Some(ErrorCode::PaymentUndone)]);
    assert_eq!(posted(&w, id, Account::Cash).await, 0);
    sound(&w).await;
}

async fn a_mistake_is_taken_out_and_asked_for_again(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = with_deposit(&w).await;
    take(&w, id, PaidWith::Cheque, 45_990, Some("0114")).await.unwrap();
    let wrong = of(&w, id, PaymentKind::Difference, PaidWith::Cheque).await[0].0;
    let staff = w.staff();
    let undo = || received::undo(&w.s, &staff, wrong, "It bounced".into(), None);
    assert_eq!(sums(undo().await).unwrap(), (11_498, 45_990));
    assert_eq!(code(&undo().await.unwrap_err()), Some(ErrorCode::PaymentUndone));
    assert_eq!(posted(&w, id, Account::Bank).await, 0);
    // The number is free again for the same cheque written anew.
    take(&w, id, PaidWith::Cheque, 5_990, Some("0114")).await.unwrap();
    w.clock.set(lock());
    w.work().await;
    assert_eq!(w.gateway.charges(), [11_498, 40_000]);
    sound(&w).await;
}

/// The whole by cash, so that nothing is charged at the 48-hour instant; taken out an hour after it.
async fn taken_out_late(w: &World) -> BookingId {
    let id = with_deposit(w).await;
    take(w, id, PaidWith::Cash, 45_990, None).await.unwrap();
    w.clock.set(lock());
    w.work().await;
    assert_eq!(w.gateway.charges(), [11_498]);
    w.clock.set(lock() + Duration::hours(1));
    let cash = of(w, id, PaymentKind::Difference, PaidWith::Cash).await[0].0;
    received::undo(&w.s, &w.staff(), cash, "Another booking's".into(), None).await.unwrap();
    id
}

async fn taken_out_after_the_48_hour_instant_one_try_can_do(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = taken_out_late(&w).await;
    w.work().await;
    assert_eq!(w.gateway.charges(), [11_498, 45_990], "at once");
    assert_eq!(owed(&w, id).await, 0);
    sound(&w).await;
}

/// Declined every time: now, and after one, three and seven days, each with its message; then it is the staff's.
async fn taken_out_after_the_48_hour_instant_it_is_charged_by_the_ladder(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = taken_out_late(&w).await;
    w.gateway.usually(Next::Soft);
    let tries = |w: &World| w.gateway.seen().iter().filter(|s| s.amount == 45_990).count();
    let letters = |w: &World| {
        let sent = w.mailer.sent.lock().unwrap();
        sent.iter().filter(|m| m.subject.contains("Payment problem")).count()
    };
    let mut made = Vec::new();
    for hour in 0..24 * 12 {
        w.clock.set(lock() + Duration::hours(1 + hour));
        let before = tries(&w);
        w.work().await;
        if tries(&w) > before {
            made.push(hour);
        }
        assert_eq!((tries(&w), letters(&w)), (made.len(), made.len()), "hour {hour}");
    }
    assert_eq!(made, [0, 24, 72, 168]);
    let rows = rows(&w, id).await;
    let given_up = rows.iter().find(|r| r.kind == PaymentKind::Difference && r.method == PaidWith::Card).unwrap();
    assert_eq!((*given_up.state, given_up.attempts), (State::Failed, 4));
    let b = w.booking(id).await;
    assert_eq!((b.status, b.details.payment_problem), (Status::Pending, true), "the move is not called off for it");
    sound(&w).await;
}

async fn refund(w: &World, id: BookingId, cents: i64) {
    let new = NewCredit { kind: CreditKind::Refund, amount: Money::from_cents(cents), reason: "Late".into() };
    credits::give(&w.s, &w.staff(), id, new, None).await.unwrap();
}

/// A credit without money behind it would be a gift: taken out with the payment it was to come from, nothing of it stays.
async fn a_refund_of_money_that_never_came_ends_with_it(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = with_deposit(&w).await;
    take(&w, id, PaidWith::Cash, 45_990, None).await.unwrap();
    refund(&w, id, 10_000).await;
    assert_eq!(owed(&w, id).await, 0);
    let cash = of(&w, id, PaymentKind::Difference, PaidWith::Cash).await[0].0;
    let undone = received::undo(&w.s, &w.staff(), cash, "Another booking's".into(), None).await;
    assert_eq!(sums(undone).unwrap(), (11_498, 45_990));
    assert_eq!(w.booking(id).await.due().cents(), 57_488);
    w.clock.set(lock());
    w.work().await;
    assert_eq!(w.gateway.charges(), [11_498, 45_990]);
    sound(&w).await;
}

/// Of a refund that was handed over in part, that part stays given: the customer has it.
async fn what_was_handed_back_stays_given(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = with_deposit(&w).await;
    take(&w, id, PaidWith::Cash, 45_990, None).await.unwrap();
    refund(&w, id, 4_000).await;
    let waiting = of(&w, id, PaymentKind::Refund, PaidWith::Cash).await[0].0;
    received::handed_over(&w.s, &w.staff(), waiting, None, None).await.unwrap();
    refund(&w, id, 10_000).await;
    let cash = of(&w, id, PaymentKind::Difference, PaidWith::Cash).await[0].0;
    received::undo(&w.s, &w.staff(), cash, "It bounced".into(), None).await.unwrap();
    assert_eq!(w.booking(id).await.due().cents(), 53_488);
    assert_eq!(posted(&w, id, Account::Cash).await, 0);
    w.clock.set(lock());
    w.work().await;
    assert_eq!(w.gateway.charges(), [11_498, 41_990]);
    sound(&w).await;
}

/// Nothing of a deleted booking is asked for any more: no card may be charged because an old entry is taken out.
async fn what_was_deleted_is_closed(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = with_deposit(&w).await;
    take(&w, id, PaidWith::Cash, 45_990, None).await.unwrap();
    let cash = of(&w, id, PaymentKind::Difference, PaidWith::Cash).await[0].0;
    w.clock.set(lock() + Duration::hours(1));
    w.work().await;
    cancel::cancel(&w.s, &w.customer, id).await.unwrap();
    w.work().await;
    let admin = Staff::prove(&Caller { role: Role::Admin, ..w.ops.clone() }).unwrap();
    status::set(&w.s, &admin, id, Status::Deleted, StatusInput::default()).await.unwrap();
    let undone = received::undo(&w.s, &admin, cash, "It never came".into(), None).await;
    assert_eq!(code(&undone.unwrap_err()), Some(ErrorCode::NotFound));
    let more = Received { method: PaidWith::Cash, amount: Money::from_cents(100), reference: None };
    let taken = received::record(&w.s, &admin, id, more, None).await;
    assert_eq!(code(&taken.unwrap_err()), Some(ErrorCode::NotFound));
    w.clock.set(lock() + Duration::days(30));
    w.work().await;
    assert_eq!(w.gateway.charges(), [11_498]);
    sound(&w).await;
}

/// It counts as gone back, and nobody could hand it back any more.
async fn a_booking_whose_money_waits_to_be_handed_back_is_not_put_away(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = booked(&w).await;
    take(&w, id, PaidWith::Cash, 10_000, None).await.unwrap();
    refund(&w, id, 10_000).await;
    let staff = w.staff();
    let delete = || status::set(&w.s, &staff, id, Status::Deleted, StatusInput::default());
    assert_eq!(code(&delete().await.unwrap_err()), Some(ErrorCode::TransitionRefused));
    let waiting = of(&w, id, PaymentKind::Refund, PaidWith::Cash).await[0].0;
    received::handed_over(&w.s, &staff, waiting, None, None).await.unwrap();
    delete().await.unwrap();
    assert_eq!((posted(&w, id, Account::Cash).await, posted(&w, id, Account::Customer).await), (0, 0));
    sound(&w).await;
}

async fn what_cannot_be_is_refused_at_its_field(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = with_deposit(&w).await;
    let long = "x".repeat(101);
    for (method, cents, reference, wanted) in [
        (PaidWith::Cash, 0, None, ("amount", FieldProblem::AtLeast(Limit::CENT))),
        (PaidWith::Cash, -100, None, ("amount", FieldProblem::AtLeast(Limit::CENT))),
        (PaidWith::Cash, 45_991, None, ("amount", FieldProblem::AtMost(Money::from_cents(45_990).into()))),
        (PaidWith::Etransfer, 100, None, ("reference", FieldProblem::Required)),
        (PaidWith::Cheque, 100, Some("  "), ("reference", FieldProblem::Required)),
        (PaidWith::Cheque, 100, Some(long.as_str()), ("reference", FieldProblem::TooLong)),
        (PaidWith::Card, 100, Some("x"), ("method", FieldProblem::Unknown)),
    ] {
        let refused = field(take(&w, id, method, cents, reference).await.unwrap_err());
        assert_eq!(refused, (wanted.0.to_owned(), wanted.1));
    }
    let deposit = of(&w, id, PaymentKind::Deposit, PaidWith::Card).await[0].0;
    let by_card = received::undo(&w.s, &w.staff(), deposit, "No".into(), None).await.unwrap_err();
    assert_eq!(code(&by_card), Some(ErrorCode::NotFound));
    sound(&w).await;
}
