//! Money that staff give back, or waive: what is owed falls, nothing is charged again, and the books follow.

use crate::support;

use chrono::{DateTime, Duration, NaiveDate, NaiveTime, Utc};
use kernel::{BookingId, Money, Province};
use service::{
    Caller, Error, ErrorCode, FieldProblem, Limit, Role, ServiceResult, Staff,
    billing::reconcile,
    bookings::{
        cancel,
        edit::{StaffEdit, edit_as_staff},
        statement::{self, Fact},
        status::{self, StatusInput},
    },
    desk::{
        credits::{self, NewCredit},
        received::{self, Received},
        record::{self, Paid},
    },
    idempotency::Replayable,
    ports::{
        bookings::Booking,
        credits::CreditKind::{self, Goodwill, Refund},
        ledger::Account,
        payments::{PaidWith, Payment, PaymentKind},
    },
};
use status_machine::{booking::Status, payment::State};
use store::testing::TestDb;
use support::{Next, World, draft};

on_both_engines!(
    a_refund_of_a_paid_move_is_not_charged_again,
    what_is_refunded_of_a_deposit_is_not_part_of_the_balance,
    goodwill_lowers_the_next_charge,
    refunds_come_off_the_newest_charge_first,
    a_move_that_was_done_earned_so_much_less,
    goodwill_before_the_move_is_done_is_earned_by_nobody,
    what_a_cancellation_kept_can_be_given_back,
    a_deletion_taken_back_leaves_the_cancellation_as_it_was,
    goodwill_does_not_begin_a_new_ladder,
    a_refunded_deposit_is_not_kept_by_a_cancellation,
    a_credit_survives_a_change_of_the_price,
    what_was_paid_stays_when_a_booking_is_put_away,
    more_than_is_held_is_never_given,
    a_refund_while_something_is_owed_is_refused,
    four_at_once_give_no_more_than_there_is,
);

fn monday() -> DateTime<Utc> {
    "2027-02-08T14:00:00Z".parse().unwrap()
}

/// The 48-hour instant of the move of the 18th.
fn lock() -> DateTime<Utc> {
    "2027-02-16T14:00:00Z".parse().unwrap()
}

fn after_the_move() -> DateTime<Utc> {
    "2027-02-18T22:00:00Z".parse().unwrap()
}

/// A booking of 574.88.
async fn booked_on(w: &World, day: u32) -> BookingId {
    w.flat_rate(50_000).await;
    let date = NaiveDate::from_ymd_opt(2027, 2, day).unwrap();
    w.book(draft(Province::QC, date, NaiveTime::from_hms_opt(9, 0, 0).unwrap()), None).await.unwrap().booking.id
}

/// For Thursday week, its deposit of 114.98 paid.
async fn with_deposit(w: &World) -> BookingId {
    let id = booked_on(w, 18).await;
    w.clock.set(monday() + Duration::hours(25));
    w.work().await;
    assert_eq!(w.gateway.charges(), [11_498]);
    id
}

/// Paid as a whole by two charges.
async fn with_balance(w: &World) -> BookingId {
    let id = with_deposit(w).await;
    w.clock.set(lock());
    w.work().await;
    assert_eq!(w.gateway.charges(), [11_498, 45_990]);
    id
}

async fn done(w: &World, id: BookingId) {
    set(w, id, Status::Assigned).await;
    w.clock.set(after_the_move());
    w.work().await;
    set(w, id, Status::Completed).await;
    w.work().await;
}

async fn set(w: &World, id: BookingId, to: Status) {
    let said = StatusInput { reason: Some("as it was".into()), ..StatusInput::default() };
    status::set(&w.s, &w.staff(), id, to, said).await.unwrap();
}

async fn give(w: &World, id: BookingId, kind: CreditKind, cents: i64) -> ServiceResult<Paid> {
    let new = NewCredit { kind, amount: Money::from_cents(cents), reason: "A scratched table".into() };
    match credits::give(&w.s, &w.staff(), id, new, None).await? {
        Replayable::Fresh(paid) => Ok(paid),
        Replayable::Replayed { .. } => panic!("replayed"),
    }
}

async fn given(w: &World, id: BookingId, kind: CreditKind, cents: i64) -> Paid {
    let paid = give(w, id, kind, cents).await.unwrap();
    settles(w).await;
    paid
}

/// Part of a charge can go back once the bank has settled it.
async fn settles(w: &World) {
    w.work().await;
    w.clock.set(w.clock.now_value() + Duration::hours(13));
    w.work().await;
}

async fn paid(w: &World, id: BookingId) -> Paid {
    record::payments(&w.s, &w.staff(), id).await.unwrap()
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

async fn a_refund_of_a_paid_move_is_not_charged_again(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = booked_on(&w, 9).await;
    assert_eq!(w.gateway.charges(), [57_488], "tomorrow's move is paid with the booking");
    let after = given(&w, id, Refund, 5_000).await;
    assert_eq!((after.net_paid.cents(), after.owed.cents(), after.credited.cents()), (52_488, 0, 5_000));
    assert_eq!((w.gateway.charges(), w.gateway.refunds()), (vec![57_488], vec![5_000]));
    sound(&w).await;
    let mail = w.mailer.sent.lock().unwrap().iter().rfind(|m| m.message_type == "refundIssued").cloned().unwrap();
    assert!(mail.text.contains("A scratched table"), "its customer reads why: {}", mail.text);
    w.clock.set(monday() + Duration::days(30));
    w.work().await;
    assert_eq!(w.gateway.charges(), [57_488], "nothing is charged again");
    assert_eq!(w.booking(id).await.total.cents(), 57_488, "the price is what was agreed");
    sound(&w).await;
}

async fn what_is_refunded_of_a_deposit_is_not_part_of_the_balance(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = with_deposit(&w).await;
    let after = given(&w, id, Refund, 5_000).await;
    assert_eq!(after.net_paid.cents(), 6_498);
    w.clock.set(lock());
    w.work().await;
    assert_eq!((w.gateway.charges(), w.gateway.refunds()), (vec![11_498, 45_990], vec![5_000]));
    assert_eq!(paid(&w, id).await.owed, Money::ZERO);
    sound(&w).await;
}

async fn goodwill_lowers_the_next_charge(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = with_deposit(&w).await;
    given(&w, id, Goodwill, 5_000).await;
    assert_eq!(w.gateway.refunds(), Vec::<i64>::new(), "so much was not paid yet");
    w.clock.set(lock());
    w.work().await;
    assert_eq!(w.gateway.charges(), [11_498, 40_990]);
    // What is paid as a whole goes back.
    given(&w, id, Goodwill, 1_000).await;
    assert_eq!(w.gateway.refunds(), [1_000]);
    sound(&w).await;
}

async fn refunds_come_off_the_newest_charge_first(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = with_balance(&w).await;
    for cents in [40_000, 10_000, 7_488] {
        given(&w, id, Refund, cents).await;
        sound(&w).await;
    }
    assert_eq!(w.gateway.refunds(), [40_000, 5_990, 4_010, 7_488]);
    assert_eq!((w.gateway.net(), paid(&w, id).await.owed), (0, Money::ZERO));
    w.clock.set(after_the_move());
    w.work().await;
    assert_eq!(w.gateway.charges(), [11_498, 45_990], "nothing is charged again");
    sound(&w).await;
}

async fn a_move_that_was_done_earned_so_much_less(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = with_balance(&w).await;
    done(&w, id).await;
    sound(&w).await;
    given(&w, id, Refund, 11_498).await;
    // 100.00 of it is the price, the rest are its taxes.
    assert_eq!(posted(&w, id, Account::Revenue).await, -40_000);
    assert_eq!((posted(&w, id, Account::Gst).await, posted(&w, id, Account::Qst).await), (-2_000, -3_990));
    assert_eq!(posted(&w, id, Account::Customer).await, 0, "a move that was done and paid leaves nothing open");
    sound(&w).await;
    given(&w, id, Goodwill, 333).await;
    sound(&w).await;
    // Not done after all, and done again.
    set(&w, id, Status::Assigned).await;
    assert_eq!(posted(&w, id, Account::Revenue).await, 0);
    sound(&w).await;
    set(&w, id, Status::Completed).await;
    w.work().await;
    assert_eq!(posted(&w, id, Account::Customer).await, 0);
    assert_eq!(w.gateway.charges(), [11_498, 45_990]);
    sound(&w).await;
}

async fn goodwill_before_the_move_is_done_is_earned_by_nobody(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = with_deposit(&w).await;
    given(&w, id, Goodwill, 11_498).await;
    assert_eq!(posted(&w, id, Account::Revenue).await, 0, "nothing was earned yet");
    w.clock.set(lock());
    w.work().await;
    done(&w, id).await;
    assert_eq!(posted(&w, id, Account::Revenue).await, -40_000);
    assert_eq!(posted(&w, id, Account::Customer).await, 0);
    sound(&w).await;
}

async fn what_a_cancellation_kept_can_be_given_back(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = with_deposit(&w).await;
    cancel::cancel(&w.s, &w.customer, id).await.unwrap();
    w.work().await;
    assert_eq!(posted(&w, id, Account::CancellationRevenue).await, -9_907);
    sound(&w).await;
    let after = given(&w, id, Goodwill, 5_749).await;
    assert_eq!((after.net_paid.cents(), after.owed.cents()), (5_749, 0));
    assert_eq!(w.gateway.refunds(), [5_749]);
    assert_eq!(posted(&w, id, Account::CancellationRevenue).await, -4_954);
    sound(&w).await;
    // Taken back, the whole price is owed again.
    set(&w, id, Status::Pending).await;
    w.work().await;
    assert_eq!(posted(&w, id, Account::CancellationRevenue).await, 0);
    assert!(w.booking(id).await.details.credits[0].ended);
    // What went back is charged again once the customer agreed.
    record::consent(&w.s, &w.staff(), id, None, "Ana Roy, on the telephone".into(), None).await.unwrap();
    w.clock.set(lock());
    w.work().await;
    assert_eq!(w.gateway.net(), 57_488);
    sound(&w).await;
    // And a second cancellation keeps what the policy says, whatever was given back of the first.
    set(&w, id, Status::Cancelled).await;
    w.work().await;
    sound(&w).await;
}

async fn a_deletion_taken_back_leaves_the_cancellation_as_it_was(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = with_deposit(&w).await;
    cancel::cancel(&w.s, &w.customer, id).await.unwrap();
    w.work().await;
    let before = w.booking(id).await;
    set(&w, id, Status::Deleted).await;
    sound(&w).await;
    let admin = Staff::prove(&Caller { role: Role::Admin, ..w.ops.clone() }).unwrap();
    // Nobody says whose wish it was: what stands is what was decided then.
    status::set(&w.s, &admin, id, Status::Cancelled, StatusInput::default()).await.unwrap();
    w.work().await;
    let after = w.booking(id).await;
    let kept = |b: &Booking| (b.details.kept, b.details.cancelled_by, b.cancelled_at, b.status);
    assert_eq!(kept(&after), kept(&before));
    assert_eq!((w.gateway.charges(), w.gateway.refunds()), (vec![11_498], vec![]));
    assert_eq!(posted(&w, id, Account::CancellationRevenue).await, -9_907);
    sound(&w).await;
    let told = statement::statement(&w.s, &w.customer, id).await.unwrap();
    let cancelled = told.rows.iter().filter(|r| r.fact == Fact::Cancelled).count();
    assert_eq!((cancelled, told.balance), (1, Money::ZERO));
}

/// What was given up waits for a new card or for people. Less is owed then; nothing is tried once more by itself.
async fn goodwill_does_not_begin_a_new_ladder(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = booked_on(&w, 18).await;
    w.gateway.usually(Next::Soft);
    w.clock.set(monday() + Duration::hours(25));
    w.work().await;
    cancel::cancel(&w.s, &w.customer, id).await.unwrap();
    for _ in 0..20 {
        w.work().await;
        w.clock.set(w.clock.now_value() + Duration::hours(12));
    }
    let fee = |rows: &[Payment]| -> Vec<(State, i64)> {
        let own = rows.iter().filter(|r| r.kind == PaymentKind::CancellationFee);
        own.map(|r| (*r.state, r.amount.cents())).collect()
    };
    let rows = w.read(move |u| u.payments().of_booking(id)).await;
    assert_eq!(fee(&rows), [(State::Failed, 11_498)]);
    w.gateway.usually(Next::Approve);
    for left in [11_398, 11_298] {
        given(&w, id, Goodwill, 100).await;
        let rows = w.read(move |u| u.payments().of_booking(id)).await;
        assert_eq!(fee(&rows), [(State::Failed, left)]);
    }
    let cash = Received { method: PaidWith::Cash, amount: Money::from_cents(5_000), reference: None };
    received::record(&w.s, &w.staff(), id, cash, None).await.unwrap();
    settles(&w).await;
    let rows = w.read(move |u| u.payments().of_booking(id)).await;
    assert_eq!((fee(&rows), w.gateway.charges()), (vec![(State::Failed, 6_298)], vec![]));
    sound(&w).await;
}

async fn a_refunded_deposit_is_not_kept_by_a_cancellation(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = with_deposit(&w).await;
    given(&w, id, Refund, 11_498).await;
    cancel::cancel(&w.s, &w.customer, id).await.unwrap();
    w.work().await;
    assert_eq!(w.gateway.charges(), [11_498], "what staff gave back is not charged again as a fee");
    assert_eq!((w.gateway.net(), w.booking(id).await.details.kept), (0, Some(Money::ZERO)));
    sound(&w).await;
}

async fn a_credit_survives_a_change_of_the_price(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = with_balance(&w).await;
    given(&w, id, Refund, 5_000).await;
    let terms = StaffEdit { amount: Some(Money::from_cents(60_000)), waive_fee: true, ..StaffEdit::default() };
    edit_as_staff(&w.s, &w.staff(), id, terms, None).await.unwrap();
    w.work().await;
    // 689.85 less 50.00, of which 574.88 less 50.00 was held.
    assert_eq!(w.gateway.charges(), [11_498, 45_990, 11_497]);
    assert_eq!((w.gateway.net(), paid(&w, id).await.owed), (63_985, Money::ZERO));
    sound(&w).await;
    // Far below what was credited: nothing is owed, and nothing below nothing.
    let terms = StaffEdit { amount: Some(Money::from_cents(1_000)), waive_fee: true, ..StaffEdit::default() };
    edit_as_staff(&w.s, &w.staff(), id, terms, None).await.unwrap();
    w.work().await;
    assert_eq!(w.gateway.net(), 0);
    sound(&w).await;
    done(&w, id).await;
    assert_eq!((w.gateway.net(), posted(&w, id, Account::Customer).await), (0, 0));
    sound(&w).await;
}

/// Tidied away after a month, a move stays paid: nothing of it goes back.
async fn what_was_paid_stays_when_a_booking_is_put_away(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = with_balance(&w).await;
    done(&w, id).await;
    set(&w, id, Status::Payed).await;
    w.work().await;
    w.clock.set(after_the_move() + Duration::days(31));
    set(&w, id, Status::Deleted).await;
    settles(&w).await;
    assert_eq!((w.gateway.net(), w.gateway.refunds()), (57_488, vec![]));
    assert_eq!((posted(&w, id, Account::Revenue).await, posted(&w, id, Account::Customer).await), (-50_000, 0));
    sound(&w).await;
}

fn field(e: Error) -> (String, FieldProblem) {
    match e {
        Error::Invalid(mut wrong) => wrong.pop().map(|f| (f.field, f.problem)).unwrap(),
        other => panic!("{other:?}"),
    }
}

async fn more_than_is_held_is_never_given(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = with_deposit(&w).await;
    let most = paid(&w, id).await.most;
    assert_eq!((most.refund.cents(), most.goodwill.cents()), (11_498, 57_488));
    let at_most = |cents| FieldProblem::AtMost(Money::from_cents(cents).into());
    for (kind, cents, problem) in [
        (Refund, 11_499, at_most(11_498)),
        (Goodwill, 57_489, at_most(57_488)),
        (Refund, 0, FieldProblem::AtLeast(Limit::CENT)),
        (Goodwill, -1, FieldProblem::AtLeast(Limit::CENT)),
    ] {
        let wrong = field(give(&w, id, kind, cents).await.unwrap_err());
        assert_eq!(wrong, ("amount".to_owned(), problem), "{kind:?} {cents}");
    }
    let new = NewCredit { kind: Refund, amount: Money::from_cents(100), reason: "  ".into() };
    let wrong = field(credits::give(&w.s, &w.staff(), id, new, None).await.unwrap_err());
    assert_eq!(wrong, ("reason".to_owned(), FieldProblem::Required));
    assert!(w.booking(id).await.details.credits.is_empty());
    given(&w, id, Goodwill, 57_488).await;
    assert_eq!(w.gateway.refunds(), [11_498]);
    let Err(Error::Refused(ErrorCode::NothingToReturn, _)) = give(&w, id, Goodwill, 1).await else { panic!() };
    w.clock.set(after_the_move());
    w.work().await;
    assert_eq!((w.gateway.charges(), w.gateway.net()), (vec![11_498], 0));
    sound(&w).await;
}

async fn a_refund_while_something_is_owed_is_refused(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = with_deposit(&w).await;
    w.gateway.usually(support::Next::Soft);
    w.clock.set(lock());
    w.work().await;
    let Err(Error::Refused(ErrorCode::NothingToReturn, _)) = give(&w, id, Refund, 100).await else { panic!() };
    // What is owed falls, and the charge that waits with it.
    give(&w, id, Goodwill, 5_000).await.unwrap();
    w.gateway.usually(support::Next::Approve);
    w.clock.set(lock() + Duration::hours(3));
    w.work().await;
    assert_eq!(w.gateway.net(), 52_488);
    sound(&w).await;
}

async fn four_at_once_give_no_more_than_there_is(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = with_balance(&w).await;
    let (a, b, c, d) = tokio::join!(
        give(&w, id, Refund, 30_000),
        give(&w, id, Goodwill, 30_000),
        give(&w, id, Refund, 30_000),
        give(&w, id, Goodwill, 30_000),
    );
    let made = [a, b, c, d].into_iter().filter(Result::is_ok).count();
    assert_eq!(made, 1, "574.88 is no two times 300.00");
    settles(&w).await;
    assert_eq!(w.gateway.refunds(), [30_000]);
    sound(&w).await;
}
