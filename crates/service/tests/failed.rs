//! Charges that failed: one more attempt, undone before they settle, given up, or paid by another card.

use crate::support;

use chrono::{Duration, NaiveDate, NaiveTime};
use kernel::{BookingId, Money, PaymentId, Province};
use service::{
    Caller, Error, ErrorCode, ServiceResult,
    billing::{reconcile, settlement},
    bookings::{
        TipInput, cancel,
        edit::{StaffEdit, edit_as_staff},
        statement, status,
    },
    desk::{
        credits::{self, NewCredit},
        failed::{self, FailureReason},
        received::{self, Received},
        record::{self, Paid},
    },
    idempotency::Replayable,
    jobs,
    payments::card_link,
    ports::{
        credits::CreditKind,
        ledger::Account,
        payments::{GatewayKind, GatewayStatus, PaidWith, PaymentKind},
    },
    tips,
};
use status_machine::{booking::Status, payment::State};
use store::testing::TestDb;
use support::{
    Next, World, draft,
    thursday::{DEPOSIT, TOTAL, lock, row, start},
};

on_both_engines!(
    pressed_twice_is_one_attempt,
    another_attempt_pays_what_was_given_up,
    a_card_that_was_refused_for_good_is_not_asked_again,
    undone_before_it_settles_and_owed_again,
    a_settled_charge_is_not_undone,
    an_undone_deposit_is_part_of_the_48_hour_charge,
    what_was_undone_is_charged_to_another_card,
    a_link_asks_for_no_more_than_is_owed,
    a_link_asks_for_all_that_its_charge_would_be,
    an_undone_tip_is_no_trouble,
    a_price_that_changes_while_a_card_is_checked_is_not_charged_by_a_link,
    what_will_not_come_is_given_up,
    an_invoice_that_was_given_up_is_done_with,
    what_was_given_up_is_not_given_away_once_more,
    a_tip_that_is_given_up_was_not_given,
    a_move_to_come_is_not_given_up,
    a_cancelled_booking_is_put_away_when_nothing_of_it_is_owed,
    a_cancelled_booking_is_not_put_away_while_a_charge_is_at_the_gateway,
    another_card_by_link_is_charged_at_once,
    a_refused_card_leaves_the_link_as_it_was,
    the_mail_about_a_decline_carries_the_link,
    only_a_card_that_is_tried_again_is_said_to_be,
    staff_do_not_release_a_booking_by_trying_again,
    what_nobody_owes_is_not_charged_by_trying_again,
);

async fn booked_on(w: &World, day: u32) -> BookingId {
    w.flat_rate(50_000).await;
    let date = NaiveDate::from_ymd_opt(2027, 2, day).unwrap();
    w.book(draft(Province::QC, date, NaiveTime::from_hms_opt(9, 0, 0).unwrap()), None).await.unwrap().booking.id
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

async fn retry(w: &World, id: PaymentId) -> ServiceResult<Replayable<failed::RetriedPayment>> {
    failed::retry(&w.s, &w.staff(), id, None).await
}

fn code<T: std::fmt::Debug>(done: ServiceResult<T>) -> ErrorCode {
    match done {
        Err(Error::Refused(code, _) | Error::ByGateway(code, ..)) => code,
        other => panic!("{other:?}"),
    }
}

fn money(done: ServiceResult<Replayable<Paid>>) -> Paid {
    match done.unwrap() {
        Replayable::Fresh(paid) => paid,
        Replayable::Replayed { .. } => panic!("no key was sent"),
    }
}

async fn done(w: &World, id: BookingId) {
    w.clock.set("2027-02-09T18:00:00Z".parse().unwrap());
    let said = status::StatusInput { reason: Some("done".into()), ..status::StatusInput::default() };
    status::set(&w.s, &w.staff(), id, Status::Completed, said).await.unwrap();
}

/// Paid at once, done, and refused by the bank when it settled: 574.88 are owed.
async fn refused_after_the_move(w: &World) -> BookingId {
    let id = booked_on(w, 9).await;
    done(w, id).await;
    refuse_newest(w).await;
    id
}

async fn refuse_newest(w: &World) {
    let mut order = String::new();
    w.gateway.change(|list| {
        let t = list.iter_mut().rfind(|t| t.kind == GatewayKind::Charge).unwrap();
        t.status = GatewayStatus::Declined;
        order.clone_from(&t.order_id);
    });
    settlement::suspect(&w.s, &order).await.unwrap();
    w.work().await;
}

async fn declined_deposit(w: &World, how: Next) -> BookingId {
    let id = booked_on(w, 18).await;
    w.gateway.queue(&[how]);
    w.clock.set(start() + Duration::hours(25));
    w.work().await;
    id
}

async fn pressed_twice_is_one_attempt(db: TestDb) {
    let w = World::on(db, start()).await;
    let id = declined_deposit(&w, Next::Soft).await;
    let deposit = row(&w, id, PaymentKind::Deposit).await;
    assert_eq!((*deposit.state, deposit.attempts), (State::SoftDeclined, 1));
    w.gateway.queue(&[Next::Slow(300)]);
    let (a, b) = tokio::join!(retry(&w, deposit.id), retry(&w, deposit.id));
    let refused: Vec<ErrorCode> = [a, b].into_iter().filter(Result::is_err).map(code).collect();
    assert!(matches!(refused[..], [ErrorCode::PaymentInFlight | ErrorCode::PaymentNotFailed]), "{refused:?}");
    assert_eq!(w.gateway.charges(), [DEPOSIT]);
    assert_eq!(row(&w, id, PaymentKind::Deposit).await.state, State::Captured);
    assert_eq!(code(retry(&w, deposit.id).await), ErrorCode::PaymentNotFailed);
    sound(&w).await;
}

async fn another_attempt_pays_what_was_given_up(db: TestDb) {
    let w = World::on(db, start()).await;
    let id = refused_after_the_move(&w).await;
    let full = row(&w, id, PaymentKind::Full).await;
    assert_eq!(full.state, State::Failed);
    let listed = failed::list(&w.s, &w.staff(), 1, 10).await.unwrap();
    assert_eq!((listed.total, listed.data.len()), (1, 1));
    assert_eq!((listed.data[0].payment.id, listed.data[0].why), (full.id, FailureReason::Settlement));
    assert!(listed.data[0].can_retry && listed.data[0].can_write_off);
    // Declined again: it stays on the list, and is the staff's as before.
    w.gateway.queue(&[Next::Soft]);
    retry(&w, full.id).await.unwrap();
    assert_eq!(failed::list(&w.s, &w.staff(), 1, 10).await.unwrap().total, 1);
    sound(&w).await;
    retry(&w, full.id).await.unwrap();
    assert_eq!(w.gateway.charges(), [TOTAL, TOTAL]);
    assert_eq!(failed::list(&w.s, &w.staff(), 1, 10).await.unwrap().total, 0);
    assert!(!w.booking(id).await.details.payment_problem);
    assert_eq!(balance(&w, id, Account::Customer).await, 0);
    sound(&w).await;
}

async fn a_card_that_was_refused_for_good_is_not_asked_again(db: TestDb) {
    let w = World::on(db, start()).await;
    let id = declined_deposit(&w, Next::Hard).await;
    let deposit = row(&w, id, PaymentKind::Deposit).await;
    let seen = w.gateway.seen().len();
    // The card was retired with its refusal.
    assert_eq!(code(retry(&w, deposit.id).await), ErrorCode::CardRequired);
    assert_eq!(w.gateway.seen().len(), seen);
    let listed = failed::list(&w.s, &w.staff(), 1, 10).await.unwrap();
    assert!(!listed.data[0].can_retry && !listed.data[0].can_write_off);
    sound(&w).await;
}

async fn undone_before_it_settles_and_owed_again(db: TestDb) {
    let w = World::on(db, start()).await;
    let id = booked_on(&w, 9).await;
    let full = row(&w, id, PaymentKind::Full).await;
    let staff = w.staff();
    let void = |why: &str| failed::void(&w.s, &staff, full.id, why.into(), None);
    assert!(matches!(void(" ").await, Err(Error::Invalid(_))));
    money(void("The wrong card").await);
    assert_eq!(code(void("Again").await), ErrorCode::NothingToReturn);
    w.work().await;
    assert_eq!((w.gateway.net(), w.gateway.refunds()), (0, vec![TOTAL]), "the gateway voided it");
    let paid = record::payments(&w.s, &w.staff(), id).await.unwrap();
    assert_eq!((paid.net_paid, paid.owed.cents()), (Money::ZERO, TOTAL));
    let listed = failed::list(&w.s, &w.staff(), 1, 10).await.unwrap();
    assert_eq!((listed.total, listed.data[0].why), (1, FailureReason::Voided));
    sound(&w).await;
    // By itself nothing is charged again.
    w.clock.set(start() + Duration::hours(20));
    w.work().await;
    assert_eq!(w.gateway.charges(), [TOTAL]);
    retry(&w, listed.data[0].payment.id).await.unwrap();
    assert_eq!(w.gateway.charges(), [TOTAL, TOTAL]);
    assert_eq!(record::payments(&w.s, &w.staff(), id).await.unwrap().owed, Money::ZERO);
    sound(&w).await;
}

async fn a_settled_charge_is_not_undone(db: TestDb) {
    let w = World::on(db, start()).await;
    let id = booked_on(&w, 9).await;
    let full = row(&w, id, PaymentKind::Full).await;
    w.gateway.settles(&w.gateway.seen()[0].order_id);
    w.clock.set(start() + Duration::hours(12));
    w.work().await;
    let done = failed::void(&w.s, &w.staff(), full.id, "Too late".into(), None).await;
    assert_eq!(code(done), ErrorCode::AlreadySettled);
    assert!(w.gateway.refunds().is_empty());
}

/// A booking whose deposit was charged, and undone by staff.
async fn undone_deposit(w: &World) -> BookingId {
    let id = booked_on(w, 18).await;
    w.clock.set(start() + Duration::hours(25));
    w.work().await;
    let deposit = row(w, id, PaymentKind::Deposit).await;
    money(failed::void(&w.s, &w.staff(), deposit.id, "The wrong card".into(), None).await);
    w.work().await;
    id
}

async fn an_undone_deposit_is_part_of_the_48_hour_charge(db: TestDb) {
    let w = World::on(db, start()).await;
    undone_deposit(&w).await;
    sound(&w).await;
    w.clock.set(lock());
    w.work().await;
    assert_eq!(w.gateway.charges(), [DEPOSIT, TOTAL]);
    sound(&w).await;
}

/// A deposit, or the whole price, that staff undid: the link's page says so much, and the new card is charged so much, once.
async fn what_was_undone_is_charged_to_another_card(db: TestDb) {
    let w = World::on(db, start()).await;
    for (day, kind, amount) in [(18, PaymentKind::Deposit, DEPOSIT), (9, PaymentKind::Full, TOTAL)] {
        w.clock.set(start());
        let before = w.gateway.net();
        let id = booked_on(&w, day).await;
        w.clock.set(start() + Duration::hours(25));
        w.work().await;
        let charged = row(&w, id, kind).await;
        money(failed::void(&w.s, &w.staff(), charged.id, "The wrong card".into(), None).await);
        w.work().await;
        assert_eq!(w.gateway.net(), before);
        w.clock.set(start() + Duration::hours(26));
        let token = link(&w, id).await;
        let page = card_link::look(&w.s, token.clone()).await.unwrap();
        assert_eq!(page.amount.cents(), amount);
        let stored = card_link::store(&w.s, &guest(), token, "fake-valid-nonce".into(), page.amount).await.unwrap();
        assert_eq!((stored.state, stored.amount), (card_link::State::Done, Money::ZERO));
        assert_eq!(w.gateway.net(), before + amount);
        assert_eq!(failed::list(&w.s, &w.staff(), 1, 10).await.unwrap().total, 0);
        assert!(!w.booking(id).await.details.payment_problem);
        sound(&w).await;
        if day == 18 {
            w.clock.set(lock());
            w.work().await;
            assert_eq!(w.gateway.net(), before + TOTAL);
            sound(&w).await;
        }
    }
}

/// Most of the price came in cash after the deposit was undone: nothing is left to be charged before the 48-hour instant.
async fn a_link_asks_for_no_more_than_is_owed(db: TestDb) {
    let w = World::on(db, start()).await;
    let id = undone_deposit(&w).await;
    let cash = |cents| Received { method: PaidWith::Cash, amount: Money::from_cents(cents), reference: None };
    received::record(&w.s, &w.staff(), id, cash(5_000), None).await.unwrap();
    let token = link(&w, id).await;
    let shown = card_link::look(&w.s, token.clone()).await.unwrap().amount;
    assert_eq!(shown.cents(), DEPOSIT - 5_000);
    received::record(&w.s, &w.staff(), id, cash(45_000), None).await.unwrap();
    let page = card_link::look(&w.s, token.clone()).await.unwrap();
    assert_eq!(page.amount, Money::ZERO);
    card_link::store(&w.s, &guest(), token, "fake-valid-nonce".into(), Money::ZERO).await.unwrap();
    assert_eq!(w.gateway.net(), 0);
    w.clock.set(lock());
    w.work().await;
    assert_eq!(w.gateway.net(), TOTAL - 50_000);
    sound(&w).await;
}

/// What a link asked for less of, because money had come, or because the price was lower, is asked for whole again when that
/// changes: the page says what a new card is charged, and nothing else is charged.
async fn a_link_asks_for_all_that_its_charge_would_be(db: TestDb) {
    let w = World::on(db, start()).await;
    let cash = |cents| Received { method: PaidWith::Cash, amount: Money::from_cents(cents), reference: None };
    let amount = async |id| card_link::look(&w.s, link(&w, id).await).await.unwrap().amount;
    let mut charged = 0;
    for what in ["the deposit", "the 48-hour charge", "a dearer deposit"] {
        w.clock.set(start());
        let id = undone_deposit(&w).await;
        let mut whole = DEPOSIT;
        if what == "the 48-hour charge" {
            w.clock.set(lock());
            w.work().await;
            let full = row(&w, id, PaymentKind::Balance).await;
            money(failed::void(&w.s, &w.staff(), full.id, "The wrong card".into(), None).await);
            w.work().await;
            whole = TOTAL;
        }
        w.clock.set(w.clock.now_value() + Duration::hours(1));
        assert_eq!(amount(id).await.cents(), whole, "{what}");
        if what == "a dearer deposit" {
            let old = link(&w, id).await;
            let input = StaffEdit { amount: Some(Money::from_cents(90_000)), waive_fee: true, ..StaffEdit::default() };
            edit_as_staff(&w.s, &w.staff(), id, input, None).await.unwrap();
            let shown = Money::from_cents(DEPOSIT);
            let stored = card_link::store(&w.s, &guest(), old, "fake-valid-nonce".into(), shown).await;
            assert_eq!(code(stored), ErrorCode::PriceChanged);
            whole = amount(id).await.cents();
            assert_eq!(whole, (w.booking(id).await.total.cents() * 2 + 5) / 10);
        } else {
            let came = money(received::record(&w.s, &w.staff(), id, cash(3_000), None).await);
            assert_eq!(amount(id).await.cents(), whole - 3_000, "{what}");
            let of_it = came.data.iter().find(|(r, _)| r.method == PaidWith::Cash).unwrap().0.id;
            money(received::undo(&w.s, &w.staff(), of_it, "It never came".into(), None).await);
            assert_eq!(amount(id).await.cents(), whole, "{what}");
        }
        assert!(w.booking(id).await.details.payment_problem, "{what} waits for another card");
        let before = w.gateway.net();
        let shown = Money::from_cents(whole);
        let stored = card_link::store(&w.s, &guest(), link(&w, id).await, "fake-valid-nonce".into(), shown).await;
        assert_eq!(stored.unwrap().amount, Money::ZERO, "{what}");
        charged += whole;
        assert_eq!((w.gateway.net() - before, w.gateway.net()), (whole, charged), "{what}");
        assert!(!w.booking(id).await.details.payment_problem);
        sound(&w).await;
        cancel::cancel(&w.s, &w.customer, id).await.unwrap();
        w.work().await;
        sound(&w).await;
        charged = w.gateway.net();
    }
}

async fn an_undone_tip_is_no_trouble(db: TestDb) {
    let w = World::on(db, start()).await;
    let id = booked_on(&w, 9).await;
    let tip = TipInput { kind: "amount".into(), value: "20".into() };
    tips::put(&w.s, &w.customer, id.0, tip, None).await.unwrap();
    done(&w, id).await;
    w.clock.set("2027-02-10T19:00:00Z".parse().unwrap());
    w.work().await;
    let tip = row(&w, id, PaymentKind::Tip).await;
    money(failed::void(&w.s, &w.staff(), tip.id, "Too much".into(), None).await);
    w.work().await;
    assert_eq!(w.gateway.net(), TOTAL);
    assert!(!w.booking(id).await.details.payment_problem, "a tip is nobody's debt");
}

async fn a_price_that_changes_while_a_card_is_checked_is_not_charged_by_a_link(db: TestDb) {
    let w = World::on(db, start()).await;
    let id = declined_deposit(&w, Next::Hard).await;
    let token = link(&w, id).await;
    let checking = w.gateway.vaulting.write().await;
    let caller = guest();
    let stored = card_link::store(&w.s, &caller, token.clone(), "fake-valid-nonce".into(), Money::from_cents(DEPOSIT));
    let dearer = async {
        let input = StaffEdit { amount: Some(Money::from_cents(90_000)), waive_fee: true, ..StaffEdit::default() };
        edit_as_staff(&w.s, &w.staff(), id, input, None).await.unwrap();
        drop(checking);
    };
    let (stored, ()) = tokio::join!(stored, dearer);
    assert_eq!(code(stored), ErrorCode::PriceChanged);
    assert_eq!(w.gateway.net(), 0);
    let page = card_link::look(&w.s, token.clone()).await.unwrap();
    assert!(page.amount.cents() > DEPOSIT, "{page:?}");
    card_link::store(&w.s, &caller, token, "fake-valid-nonce".into(), page.amount).await.unwrap();
    assert_eq!(w.gateway.net(), page.amount.cents());
    sound(&w).await;
}

async fn what_will_not_come_is_given_up(db: TestDb) {
    let w = World::on(db, start()).await;
    let id = refused_after_the_move(&w).await;
    let full = row(&w, id, PaymentKind::Full).await;
    assert_eq!(balance(&w, id, Account::Customer).await, TOTAL);
    let paid = money(failed::write_off(&w.s, &w.staff(), full.id, "Cannot be found".into(), None).await);
    assert_eq!(paid.owed, Money::ZERO);
    assert_eq!(balance(&w, id, Account::Customer).await, 0);
    assert_eq!(balance(&w, id, Account::WriteOff).await, TOTAL);
    assert_eq!(failed::list(&w.s, &w.staff(), 1, 10).await.unwrap().total, 0);
    assert!(!w.booking(id).await.details.payment_problem);
    let again = failed::write_off(&w.s, &w.staff(), full.id, "Again".into(), None).await;
    assert_eq!(code(again), ErrorCode::PaymentNotFailed);
    // Nor by another card, nor with time.
    service::payments::add_card(&w.s, &w.customer, "fake-valid-nonce".into(), None, None).await.unwrap();
    w.clock.set(start() + Duration::days(12));
    w.work().await;
    assert_eq!(w.gateway.charges(), [TOTAL]);
    sound(&w).await;
    let told = statement::statement(&w.s, &w.customer, id).await.unwrap();
    assert_eq!(told.balance, Money::ZERO);
    assert_eq!(
        told.rows.last().map(|r| (r.fact.clone(), r.amount.cents())),
        Some((statement::Fact::WrittenOff, TOTAL))
    );
    assert_eq!(told.rows.last().unwrap().balance, Money::ZERO);
}

/// A kindness after a loss would leave the customer a balance nobody paid.
async fn what_was_given_up_is_not_given_away_once_more(db: TestDb) {
    let w = World::on(db, start()).await;
    let id = refused_after_the_move(&w).await;
    let staff = w.staff();
    let give = |cents: i64| {
        let amount = Money::from_cents(cents);
        credits::give(&w.s, &staff, id, NewCredit { kind: CreditKind::Goodwill, amount, reason: "Late".into() }, None)
    };
    let cash = Received { method: PaidWith::Cash, amount: Money::from_cents(20_000), reference: None };
    received::record(&w.s, &staff, id, cash, None).await.unwrap();
    let full = row(&w, id, PaymentKind::Full).await;
    money(failed::write_off(&w.s, &staff, full.id, "Cannot be found".into(), None).await);
    let most = record::payments(&w.s, &staff, id).await.unwrap().most;
    assert_eq!((most.refund.cents(), most.goodwill.cents()), (20_000, 20_000));
    assert!(matches!(give(20_001).await, Err(Error::Invalid(_))));
    // What was paid is paid too much then, and goes back.
    give(5_000).await.unwrap();
    w.work().await;
    let back = row(&w, id, PaymentKind::Refund).await;
    assert_eq!((back.amount.cents(), back.method, *back.state), (5_000, PaidWith::Cash, State::Scheduled));
    received::handed_over(&w.s, &staff, back.id, None, None).await.unwrap();
    w.work().await;
    assert_eq!((balance(&w, id, Account::Cash).await, balance(&w, id, Account::Customer).await), (15_000, 0));
    sound(&w).await;
}

async fn an_invoice_that_was_given_up_is_done_with(db: TestDb) {
    let w = World::on(db, start()).await;
    let id = refused_after_the_move(&w).await;
    let said = || status::StatusInput { reason: Some("asked for".into()), ..status::StatusInput::default() };
    status::set(&w.s, &w.staff(), id, Status::Invoiced, said()).await.unwrap();
    w.work().await;
    let full = row(&w, id, PaymentKind::Full).await;
    money(failed::write_off(&w.s, &w.staff(), full.id, "Cannot be found".into(), None).await);
    w.work().await;
    assert_eq!(w.booking(id).await.status, Status::Payed, "nothing is owed any more");
    assert_eq!(balance(&w, id, Account::Customer).await, 0);
    sound(&w).await;
}

async fn a_tip_that_is_given_up_was_not_given(db: TestDb) {
    let w = World::on(db, start()).await;
    let id = booked_on(&w, 9).await;
    let tip = TipInput { kind: "amount".into(), value: "20".into() };
    tips::put(&w.s, &w.customer, id.0, tip, None).await.unwrap();
    done(&w, id).await;
    w.gateway.queue(&[Next::Soft]);
    w.clock.set("2027-02-10T19:00:00Z".parse().unwrap());
    w.work().await;
    let tip = row(&w, id, PaymentKind::Tip).await;
    assert_eq!(tip.state, State::SoftDeclined);
    money(failed::write_off(&w.s, &w.staff(), tip.id, "They changed their mind".into(), None).await);
    w.clock.set(start() + Duration::days(30));
    w.work().await;
    assert_eq!(w.gateway.charges(), [TOTAL]);
    assert_eq!(balance(&w, id, Account::WriteOff).await, 0, "nobody lost anything");
    sound(&w).await;
}

async fn a_move_to_come_is_not_given_up(db: TestDb) {
    let w = World::on(db, start()).await;
    let id = declined_deposit(&w, Next::Soft).await;
    let deposit = row(&w, id, PaymentKind::Deposit).await;
    let early = failed::write_off(&w.s, &w.staff(), deposit.id, "Why not".into(), None).await;
    assert_eq!(code(early), ErrorCode::WriteOffEarly);
    // Of a cancellation the fee can be.
    w.gateway.queue(&[Next::Soft; 9]);
    cancel::cancel(&w.s, &w.customer, id).await.unwrap();
    w.work().await;
    let fee = row(&w, id, PaymentKind::CancellationFee).await;
    assert_eq!((fee.amount.cents(), *fee.state), (DEPOSIT, State::SoftDeclined));
    let paid = money(failed::write_off(&w.s, &w.staff(), fee.id, "A kindness".into(), None).await);
    assert_eq!(paid.owed, Money::ZERO);
    assert_eq!(balance(&w, id, Account::Customer).await, 0);
    w.clock.set(lock() + Duration::days(20));
    w.work().await;
    assert!(w.gateway.charges().is_empty());
    sound(&w).await;
}

async fn put_away(w: &World, id: BookingId) -> ServiceResult<()> {
    status::set(&w.s, &w.staff(), id, Status::Deleted, status::StatusInput::default()).await.map(drop)
}

/// Nobody is asked for the money of a booking that is hidden, and *Failed charges* does not list it.
async fn a_cancelled_booking_is_put_away_when_nothing_of_it_is_owed(db: TestDb) {
    let w = World::on(db, start()).await;
    let id = declined_deposit(&w, Next::Soft).await;
    w.gateway.queue(&[Next::Soft; 9]);
    cancel::cancel(&w.s, &w.customer, id).await.unwrap();
    w.work().await;
    let Err(Error::Refused(refused, params)) = put_away(&w, id).await else { panic!("its fee is owed") };
    assert_eq!(refused, ErrorCode::TransitionRefused);
    assert!(params.contains(&("guard", "amount_due".to_owned())), "{params:?}");
    assert_eq!(w.booking(id).await.status, Status::Cancelled);
    let fee = row(&w, id, PaymentKind::CancellationFee).await;
    money(failed::write_off(&w.s, &w.staff(), fee.id, "A kindness".into(), None).await);
    put_away(&w, id).await.unwrap();
    w.work().await;
    assert_eq!((w.booking(id).await.status, w.gateway.charges()), (Status::Deleted, vec![]));
    sound(&w).await;
}

async fn a_cancelled_booking_is_not_put_away_while_a_charge_is_at_the_gateway(db: TestDb) {
    let w = World::on(db, start()).await;
    let id = declined_deposit(&w, Next::Soft).await;
    w.gateway.forget_keys();
    w.gateway.may_be_late(60_000);
    w.gateway.queue(&[Next::Late]);
    cancel::cancel(&w.s, &w.customer, id).await.unwrap();
    jobs::run_due(&w.s, "w").await.unwrap();
    assert_eq!(row(&w, id, PaymentKind::CancellationFee).await.state, State::Unknown);
    assert_eq!(code(put_away(&w, id).await), ErrorCode::PaymentInFlight);
    w.gateway.may_be_late(0);
    assert_eq!(w.gateway.deliver(), 1);
    w.clock.set(start() + Duration::hours(27));
    w.work().await;
    assert_eq!(w.gateway.charges(), [DEPOSIT]);
    put_away(&w, id).await.unwrap();
    sound(&w).await;
}

fn guest() -> Caller {
    Caller::guest(kernel::Language::En)
}

async fn link(w: &World, id: BookingId) -> String {
    let Replayable::Fresh(sent) = card_link::send(&w.s, &w.staff(), id, None).await.unwrap() else { panic!() };
    sent.url.rsplit_once("/card/").unwrap().1.split('?').next().unwrap().to_owned()
}

async fn another_card_by_link_is_charged_at_once(db: TestDb) {
    let w = World::on(db, start()).await;
    let id = declined_deposit(&w, Next::Hard).await;
    let token = link(&w, id).await;
    let page = card_link::look(&w.s, token.clone()).await.unwrap();
    assert_eq!((page.state, page.amount.cents()), (card_link::State::Open, DEPOSIT));
    let nonce = || "fake-valid-nonce".to_owned();
    let other = card_link::store(&w.s, &guest(), token.clone(), nonce(), Money::from_cents(1)).await;
    assert_eq!(code(other), ErrorCode::PriceChanged);
    let stored = card_link::store(&w.s, &guest(), token.clone(), nonce(), page.amount).await.unwrap();
    assert_eq!((stored.state, stored.amount), (card_link::State::Done, Money::ZERO));
    assert_eq!(w.gateway.charges(), [DEPOSIT], "charged before anybody's job ran");
    assert_eq!(code(card_link::look(&w.s, token).await), ErrorCode::NotFound);
    assert_eq!(failed::list(&w.s, &w.staff(), 1, 10).await.unwrap().total, 0);
    w.clock.set(lock());
    w.work().await;
    assert_eq!(w.gateway.charges(), [DEPOSIT, TOTAL - DEPOSIT], "it is the card charged from now on");
    sound(&w).await;
}

async fn a_refused_card_leaves_the_link_as_it_was(db: TestDb) {
    let w = World::on(db, start()).await;
    let id = declined_deposit(&w, Next::Hard).await;
    let token = link(&w, id).await;
    let shown = Money::from_cents(DEPOSIT);
    let refused = card_link::store(&w.s, &guest(), token.clone(), "declined".into(), shown).await;
    assert_eq!(code(refused), ErrorCode::PaymentDeclined);
    // Kept, and refused when it was charged.
    w.gateway.queue(&[Next::Hard]);
    let refused = card_link::store(&w.s, &guest(), token.clone(), "fake-valid-nonce".into(), shown).await;
    assert_eq!(code(refused), ErrorCode::PaymentDeclined);
    let page = card_link::look(&w.s, token.clone()).await.unwrap();
    assert_eq!((page.state, page.amount), (card_link::State::Open, shown));
    card_link::store(&w.s, &guest(), token, "another-nonce".into(), shown).await.unwrap();
    assert_eq!(w.gateway.charges(), [DEPOSIT]);
    sound(&w).await;
    // A link ends after seven days.
    let token = link(&w, id).await;
    w.clock.set(w.clock.now_value() + Duration::days(7));
    assert_eq!(code(card_link::look(&w.s, token).await), ErrorCode::NotFound);
}

async fn the_mail_about_a_decline_carries_the_link(db: TestDb) {
    let w = World::on(db, start()).await;
    let id = declined_deposit(&w, Next::Hard).await;
    w.work().await;
    let mail = w.mailer.sent.lock().unwrap().iter().find(|m| m.message_type == "paymentFailed").cloned().unwrap();
    let url = mail.text.split_whitespace().find(|word| word.contains("/card/")).unwrap();
    let token = url.rsplit_once("/card/").unwrap().1.split('?').next().unwrap().to_owned();
    let stored = card_link::store(&w.s, &guest(), token, "fake-valid-nonce".into(), Money::from_cents(DEPOSIT)).await;
    assert_eq!(stored.unwrap().state, card_link::State::Done);
    let kept = w.read(move |u| u.messages().of_booking(id)).await;
    let kept = kept.iter().find(|m| m.message_type == "paymentFailed").unwrap();
    assert!(!kept.text.as_ref().unwrap().body.contains("/card/"), "what is kept of the mail does not open anything");
}

/// A card that was refused for good is not tried again, and neither is one whose ladder has ended: another one is asked for.
async fn only_a_card_that_is_tried_again_is_said_to_be(db: TestDb) {
    let w = World::on(db, start()).await;
    declined_deposit(&w, Next::Soft).await;
    let newest = || {
        let sent = w.mailer.sent.lock().unwrap();
        sent.iter().rfind(|m| m.message_type == "paymentFailed").unwrap().clone()
    };
    let soft = newest();
    w.gateway.usually(Next::Hard);
    booked_on(&w, 19).await;
    w.clock.set(start() + Duration::hours(50));
    w.work().await;
    // By then the card is retired: the other booking has none.
    let without = newest();
    let hard = {
        let sent = w.mailer.sent.lock().unwrap();
        sent.iter().rfind(|m| m.message_type == "paymentFailed" && m.text.contains("ending in")).unwrap().clone()
    };
    let (promise, other) = ("Next attempt", "We do not try this card again. Please add another card");
    for words in [&soft.text, &soft.html] {
        assert!(words.contains(promise) && !words.contains(other), "{words}");
    }
    for words in [&hard.text, &hard.html] {
        assert!(!words.contains(promise) && words.contains(other), "{words}");
    }
    for words in [&without.text, &without.html] {
        assert!(
            words.contains("no card that can be charged. ") && words.contains("Please add another card"),
            "{words}"
        );
        assert!(!words.contains(promise) && !words.contains("this card"), "{words}");
    }
}

async fn staff_do_not_release_a_booking_by_trying_again(db: TestDb) {
    let w = World::on(db, start()).await;
    let id = booked_on(&w, 18).await;
    w.clock.set(lock());
    w.work().await;
    refuse_newest(&w).await;
    let charge = row(&w, id, PaymentKind::Full).await;
    assert_eq!(charge.state, State::Failed);
    // An hour before the move no step of the ladder is left.
    w.clock.set(lock() + Duration::hours(47));
    w.gateway.queue(&[Next::Soft]);
    retry(&w, charge.id).await.unwrap();
    assert_eq!(w.booking(id).await.status, Status::Pending);
    assert_eq!(row(&w, id, PaymentKind::Full).await.state, State::Failed);
    sound(&w).await;
}

/// A move was released because nothing of it could be charged: its charges stay on the list. Neither a press nor a link for
/// another card asks for the price of it.
async fn what_nobody_owes_is_not_charged_by_trying_again(db: TestDb) {
    let w = World::on(db, start()).await;
    let id = booked_on(&w, 18).await;
    w.gateway.queue(&[Next::Soft; 40]);
    let mut sent = String::new();
    for hours in (24..=237).step_by(3) {
        w.clock.set(start() + Duration::hours(hours));
        w.work().await;
        if hours == 177 {
            sent = link(&w, id).await;
            let page = card_link::look(&w.s, sent.clone()).await.unwrap();
            assert!(page.state == card_link::State::Open && page.amount.is_positive(), "{page:?}");
        }
    }
    assert_eq!(w.booking(id).await.status, Status::Cancelled);
    let listed = failed::list(&w.s, &w.staff(), 1, 20).await.unwrap().data;
    assert!(!listed.is_empty() && listed.iter().all(|f| !f.can_retry && !f.can_send_link));
    for one in listed {
        assert_eq!(code(retry(&w, one.payment.id).await), ErrorCode::NothingOwed);
    }
    assert_eq!(code(card_link::send(&w.s, &w.staff(), id, None).await), ErrorCode::LinkEnded);
    // One that was sent before: it asks for nothing, and takes no card.
    let page = card_link::look(&w.s, sent.clone()).await.unwrap();
    assert_eq!((page.state, page.amount), (card_link::State::Ended, Money::ZERO));
    let stored = card_link::store(&w.s, &guest(), sent, "fake-valid-nonce".into(), Money::ZERO).await;
    assert_eq!(code(stored), ErrorCode::LinkEnded);
    w.work().await;
    assert_eq!(w.gateway.net(), 0);
}
