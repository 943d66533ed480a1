//! A cardholder disputes a charge: opened, won, lost, told twice and in any order.

use crate::support;

use chrono::{Duration, NaiveDate, NaiveTime};
use kernel::{BookingId, Money, Province, UserId};
use service::{
    Error, ErrorCode,
    billing::{compare, mend, reconcile, repair::Repair, settlement},
    bookings::{TipInput, cancel, status},
    desk::{
        credits::{self, NewCredit},
        disputes::{self, DisputeUpdate, Written},
        record,
    },
    payments,
    ports::{
        credits::CreditKind,
        disputes::{Dispute, DisputeState, Paper},
        ledger::Account,
        payments::{PaidWith, Payment, PaymentKind},
    },
    tips,
};
use status_machine::{booking::Status, payment::State};
use store::testing::TestDb;
use support::{
    World, draft,
    people::administrator,
    thursday::{TOTAL, rows, start},
};

on_both_engines!(
    a_charge_reads_settled_after_twelve_hours,
    told_in_every_order_the_end_is_the_same,
    won_it_stands_where_it_stood,
    lost_it_is_owed_and_nothing_charges_it_again,
    what_was_lost_is_paid_by_hand_and_nothing_goes_back,
    while_it_is_open_nothing_goes_back_of_it,
    what_was_to_go_back_goes_when_it_is_won,
    a_lost_tip_is_not_asked_for_again,
    papers_and_the_fee_are_written_down,
    the_comparison_finds_what_nobody_told,
    the_desk_finds_the_dispute_of_an_old_charge,
    what_somebody_changed_of_a_lost_dispute_is_put_right,
    what_somebody_changed_of_a_won_dispute_is_put_right,
);

/// A booking of 574.88 for tomorrow, paid at once.
async fn paid(w: &World) -> BookingId {
    w.flat_rate(50_000).await;
    let date = NaiveDate::from_ymd_opt(2027, 2, 9).unwrap();
    w.book(draft(Province::QC, date, NaiveTime::from_hms_opt(9, 0, 0).unwrap()), None).await.unwrap().booking.id
}

async fn charge(w: &World, id: BookingId) -> Payment {
    rows(w, id).await.into_iter().find(|r| r.kind == PaymentKind::Full).unwrap()
}

fn order(w: &World) -> String {
    w.gateway.seen().last().unwrap().order_id.clone()
}

/// What a notification does, once its signature is found right.
async fn told(w: &World, order: &str) {
    settlement::suspect(&w.s, order).await.unwrap();
    w.work().await;
}

async fn dispute(w: &World, id: BookingId) -> Dispute {
    let all = w.read(move |u| u.disputes().of_booking(id)).await;
    assert_eq!(all.len(), 1);
    all.into_iter().next().unwrap()
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

async fn done(w: &World, id: BookingId) {
    w.clock.set("2027-02-09T18:00:00Z".parse().unwrap());
    let said = status::StatusInput { reason: Some("done".into()), ..status::StatusInput::default() };
    status::set(&w.s, &w.staff(), id, Status::Completed, said).await.unwrap();
}

async fn a_charge_reads_settled_after_twelve_hours(db: TestDb) {
    let w = World::on(db, start()).await;
    let id = paid(&w).await;
    let order = order(&w);
    w.clock.set(start() + Duration::minutes(719));
    w.work().await;
    assert_eq!(charge(&w, id).await.state, State::Captured);
    w.gateway.settles(&order);
    w.clock.set(start() + Duration::hours(12));
    w.work().await;
    assert_eq!(charge(&w, id).await.state, State::Settled);
    // Told of it as well, twice: nothing is written again.
    let version = charge(&w, id).await.version;
    told(&w, &order).await;
    told(&w, &order).await;
    assert_eq!(charge(&w, id).await.version, version);
    assert_eq!(w.read(move |u| u.ledger().of_booking(id)).await.len(), 1);
    sound(&w).await;
}

/// The gateway decides at once; its three notifications (settled, opened, decided) come in every order, each twice.
async fn told_in_every_order_the_end_is_the_same(_: TestDb) {
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    for end in [DisputeState::Won, DisputeState::Lost] {
        let mut ends = Vec::new();
        for arrival in orders {
            let w = World::new(start()).await;
            let id = paid(&w).await;
            let order = order(&w);
            // What is true when each of the three was sent; whoever comes late finds more.
            let truths: [&dyn Fn(); 3] =
                [&|| w.gateway.settles(&order), &|| w.gateway.dispute(&order, DisputeState::Opened), &|| {
                    w.gateway.dispute(&order, end)
                }];
            let mut happened = 0;
            for n in arrival {
                while happened <= n {
                    truths[happened]();
                    happened += 1;
                }
                told(&w, &order).await;
                told(&w, &order).await;
            }
            let entries = w.read(move |u| u.ledger().of_booking(id)).await;
            let facts: Vec<String> = entries.iter().map(|e| e.kind.clone()).collect();
            let states: Vec<State> = rows(&w, id).await.iter().map(|r| *r.state).collect();
            ends.push((facts, states, dispute(&w, id).await.state, balance(&w, id, Account::Gateway).await));
            sound(&w).await;
        }
        for other in &ends[1..] {
            assert_eq!(*other, ends[0]);
        }
        let (facts, _, state, held) = &ends[0];
        let last = if end == DisputeState::Won { "dispute_won" } else { "dispute_lost" };
        assert_eq!(*facts, ["capture", "dispute_opened", last]);
        assert_eq!((*state, *held), (end, if end == DisputeState::Won { TOTAL } else { 0 }));
    }
}

async fn won_it_stands_where_it_stood(db: TestDb) {
    let w = World::on(db, start()).await;
    let boss = administrator(&w).await;
    let id = paid(&w).await;
    let order = order(&w);
    w.gateway.dispute(&order, DisputeState::Opened);
    told(&w, &order).await;
    assert_eq!(charge(&w, id).await.state, State::ChargedBack);
    assert_eq!((balance(&w, id, Account::Gateway).await, balance(&w, id, Account::Disputes).await), (0, TOTAL));
    let open = dispute(&w, id).await;
    assert_eq!((open.amount.cents(), open.reason.as_str()), (TOTAL, "fraud"));
    assert!(open.reply_by.is_some());
    sound(&w).await;
    // Nothing is charged meanwhile, also when the move is done.
    done(&w, id).await;
    w.work().await;
    assert_eq!(w.gateway.charges(), [TOTAL]);
    w.gateway.dispute(&order, DisputeState::Won);
    told(&w, &order).await;
    told(&w, &order).await;
    assert_eq!(charge(&w, id).await.state, State::Settled);
    assert_eq!((balance(&w, id, Account::Gateway).await, balance(&w, id, Account::Disputes).await), (TOTAL, 0));
    assert_eq!(balance(&w, id, Account::Customer).await, 0, "a finished booking leaves the customer at zero");
    sound(&w).await;
    let sent = w.mailer.sent.lock().unwrap();
    let alarms: Vec<&str> =
        sent.iter().filter(|m| m.message_type == "opsAlert" && m.to == boss).map(|m| m.subject.as_str()).collect();
    assert_eq!(alarms.len(), 2, "one when it was opened, one when it ended: {alarms:?}");
    assert!(alarms[0].contains("A charge is disputed") && alarms[1].contains("A dispute was won"), "{alarms:?}");
}

async fn lost_it_is_owed_and_nothing_charges_it_again(db: TestDb) {
    let w = World::on(db, start()).await;
    let id = paid(&w).await;
    let order = order(&w);
    done(&w, id).await;
    w.gateway.dispute(&order, DisputeState::Lost);
    told(&w, &order).await;
    let money = record::payments(&w.s, &w.staff(), id).await.unwrap();
    assert_eq!((money.owed.cents(), money.net_paid.cents()), (TOTAL, 0));
    assert_eq!(charge(&w, id).await.state, State::ChargedBack);
    assert_eq!(balance(&w, id, Account::Customer).await, TOTAL, "the customer owes it");
    assert!(w.booking(id).await.details.payment_problem);
    // Neither time nor another card charges what was disputed.
    w.clock.set(start() + Duration::days(12));
    w.work().await;
    payments::add_card(&w.s, &w.customer, "fake-valid-nonce".into(), None, None).await.unwrap();
    w.work().await;
    assert_eq!(w.gateway.charges(), [TOTAL]);
    sound(&w).await;
}

async fn what_was_lost_is_paid_by_hand_and_nothing_goes_back(db: TestDb) {
    let w = World::on(db, start()).await;
    let id = paid(&w).await;
    let order = order(&w);
    done(&w, id).await;
    w.gateway.dispute(&order, DisputeState::Lost);
    told(&w, &order).await;
    w.clock.set(start() + Duration::days(3));
    let cash =
        service::desk::received::Received { method: PaidWith::Cash, amount: Money::from_cents(TOTAL), reference: None };
    service::desk::received::record(&w.s, &w.staff(), id, cash, None).await.unwrap();
    w.work().await;
    assert!(w.gateway.refunds().is_empty());
    assert_eq!(balance(&w, id, Account::Customer).await, 0);
    assert_eq!(record::payments(&w.s, &w.staff(), id).await.unwrap().owed, Money::ZERO);
    sound(&w).await;
    // The note was false: it is owed as before, and the card of whoever disputed it is not charged for it.
    let came = rows(&w, id).await.into_iter().find(|r| r.method == PaidWith::Cash && r.kind.is_charge()).unwrap();
    service::desk::received::undo(&w.s, &w.staff(), came.id, "A false note".into(), None).await.unwrap();
    w.work().await;
    assert_eq!(w.gateway.charges(), [TOTAL]);
    let owed = record::payments(&w.s, &w.staff(), id).await.unwrap().owed.cents();
    assert_eq!((owed, w.booking(id).await.details.payment_problem), (TOTAL, true));
    sound(&w).await;
}

async fn while_it_is_open_nothing_goes_back_of_it(db: TestDb) {
    let w = World::on(db, start()).await;
    let id = paid(&w).await;
    let order = order(&w);
    w.gateway.dispute(&order, DisputeState::Opened);
    told(&w, &order).await;
    // The money is with the bank: nobody reads that it goes back, neither before nor after.
    let shown = cancel::preview_as_staff(&w.s, &w.staff(), id, policy::CancelledBy::Company, false).await.unwrap();
    assert_eq!((shown.outcome.kept, shown.outcome.refund), (Money::ZERO, Money::ZERO));
    let said = status::StatusInput { reason: Some("no crew".into()), ..status::StatusInput::default() };
    status::set(&w.s, &w.staff(), id, Status::Cancelled, said).await.unwrap();
    w.work().await;
    let mail = w.mailer.sent.lock().unwrap().iter().find(|m| m.message_type == "bookingCancelled").cloned().unwrap();
    assert!(!mail.text.contains("Refunded"), "{}", mail.text);
    assert!(w.gateway.refunds().is_empty());
    sound(&w).await;
    // Won, it goes back as it would have.
    w.clock.set(start() + Duration::days(2));
    w.gateway.dispute(&order, DisputeState::Won);
    told(&w, &order).await;
    assert_eq!(w.gateway.refunds(), [TOTAL]);
    assert_eq!(charge(&w, id).await.state, State::Refunded);
    sound(&w).await;
}

/// Staff promised it, and the customer reads so: it does not stay away because the bank looked at the charge.
async fn what_was_to_go_back_goes_when_it_is_won(db: TestDb) {
    let w = World::on(db, start()).await;
    w.flat_rate(50_000).await;
    let date = NaiveDate::from_ymd_opt(2027, 2, 18).unwrap();
    let draft = draft(Province::QC, date, NaiveTime::from_hms_opt(9, 0, 0).unwrap());
    let id = w.book(draft, None).await.unwrap().booking.id;
    w.clock.set(start() + Duration::hours(25));
    w.work().await;
    let (order, amount) = (order(&w), Money::from_cents(5_000));
    let new = NewCredit { kind: CreditKind::Refund, amount, reason: "A scratched table".into() };
    credits::give(&w.s, &w.staff(), id, new, None).await.unwrap();
    w.work().await;
    // Part of a charge goes back once it has settled; before that happens it is disputed.
    w.gateway.dispute(&order, DisputeState::Opened);
    told(&w, &order).await;
    assert_eq!(w.gateway.refunds(), Vec::<i64>::new(), "the bank has the money");
    sound(&w).await;
    w.gateway.dispute(&order, DisputeState::Won);
    told(&w, &order).await;
    told(&w, &order).await;
    w.clock.set(start() + Duration::hours(40));
    w.work().await;
    assert_eq!(w.gateway.refunds(), [5_000], "before the 48-hour instant as after it");
    w.clock.set("2027-02-16T14:00:00Z".parse().unwrap());
    w.work().await;
    assert_eq!((w.gateway.charges(), w.gateway.net()), (vec![11_498, 45_990], 52_488));
    sound(&w).await;
}

async fn a_lost_tip_is_not_asked_for_again(db: TestDb) {
    let w = World::on(db, start()).await;
    let id = paid(&w).await;
    let tip = TipInput { kind: "amount".into(), value: "20".into() };
    tips::put(&w.s, &w.customer, id.0, tip, None).await.unwrap();
    done(&w, id).await;
    w.clock.set("2027-02-10T19:00:00Z".parse().unwrap());
    w.work().await;
    assert_eq!(w.gateway.charges(), [TOTAL, 2_000]);
    let order = order(&w);
    w.gateway.dispute(&order, DisputeState::Lost);
    told(&w, &order).await;
    assert!(!w.read(move |u| u.tips().of_booking(id)).await.unwrap().is_paid);
    assert_eq!(balance(&w, id, Account::TipsPayable).await, 0);
    // Nor is it when the move was not done after all, and then is.
    for to in [Status::Assigned, Status::Completed] {
        let said = status::StatusInput { reason: Some("a mistake".into()), ..status::StatusInput::default() };
        status::set(&w.s, &w.staff(), id, to, said).await.unwrap();
    }
    w.clock.set(start() + Duration::days(12));
    w.work().await;
    assert_eq!(w.gateway.charges(), [TOTAL, 2_000]);
    sound(&w).await;
}

async fn papers_and_the_fee_are_written_down(db: TestDb) {
    let w = World::on(db, start()).await;
    let id = paid(&w).await;
    let order = order(&w);
    w.gateway.dispute(&order, DisputeState::Opened);
    told(&w, &order).await;
    let known = dispute(&w, id).await;
    let paper = |sent: bool, note: &str| Written { paper: Paper::Guidelines, sent, note: note.into() };
    let update = |fee: i64| DisputeUpdate { papers: vec![paper(true, " By mail ")], fee: Money::from_cents(fee) };
    let case = disputes::put(&w.s, &w.staff(), known.id, update(1_500), known.version).await.unwrap();
    assert_eq!(case.papers.len(), Paper::ALL.len(), "every paper of the list is shown");
    let written = case.papers.iter().find(|(e, _)| e.paper == Paper::Guidelines).unwrap();
    assert_eq!((written.0.sent, written.0.note.as_str(), written.0.by), (true, "By mail", w.ops.user));
    assert_eq!((balance(&w, id, Account::Fees).await, balance(&w, id, Account::Gateway).await), (1_500, -1_500));
    let stale = disputes::put(&w.s, &w.staff(), known.id, update(1_500), known.version).await;
    assert!(matches!(stale, Err(Error::Refused(ErrorCode::VersionConflict, _))));
    // Corrected, the books follow.
    let case = disputes::put(&w.s, &w.staff(), known.id, update(1_000), case.dispute.version).await.unwrap();
    assert_eq!(balance(&w, id, Account::Fees).await, 1_000);
    sound(&w).await;
    let below = disputes::put(&w.s, &w.staff(), known.id, update(-1), case.dispute.version).await;
    assert!(matches!(below, Err(Error::Invalid(_))));
    let listed = disputes::list(&w.s, &w.staff(), 1, 10).await.unwrap();
    assert_eq!((listed.total, listed.data.len(), listed.data[0].booking.id), (1, 1, id));
}

async fn the_comparison_finds_what_nobody_told(db: TestDb) {
    let w = World::on(db, start()).await;
    let id = paid(&w).await;
    let order = order(&w);
    for (stands, words) in
        [(DisputeState::Opened, "the cardholder disputes"), (DisputeState::Lost, "the bank gave 574.88 back")]
    {
        w.gateway.dispute(&order, stands);
        let report = reconcile::run(&w.s, start() - Duration::days(1), start() + Duration::days(9)).await.unwrap();
        assert!(report.differences.len() == 1 && report.differences[0].contains(words), "{:?}", report.differences);
        assert_eq!(report.differing, std::slice::from_ref(&order));
        told(&w, &order).await;
        sound(&w).await;
    }
    assert_eq!(dispute(&w, id).await.state, DisputeState::Lost);
    let _: UserId = w.customer.user.unwrap();
}

/// A dispute comes months after its charge, and the notification may be lost.
async fn the_desk_finds_the_dispute_of_an_old_charge(db: TestDb) {
    let w = World::on(db, start()).await;
    let id = paid(&w).await;
    let order = order(&w);
    w.clock.set(start() + Duration::days(100));
    w.work().await;
    w.gateway.dispute(&order, DisputeState::Opened);
    let last = w.compared().await;
    let told: Vec<_> = last.differences.iter().filter(|d| d.difference.what.code() == "dispute_open").collect();
    assert_eq!(told.len(), 1, "{:?}", last.differences);
    assert_eq!(told[0].found.booking, Some(id));
    compare::daily(&w.s).await.unwrap();
    w.work().await;
    let daily = compare::last(&w.s, &w.staff()).await.unwrap().unwrap();
    assert!(daily.comparison.from > start() + Duration::days(1), "the charge is not in what is compared whole");
    assert_eq!(dispute(&w, id).await.state, DisputeState::Opened);
}

/// What was booked of a dispute, and what the payment service says, outweigh its record, whatever somebody makes of that.
async fn put_right(db: TestDb, end: DisputeState, owed: i64, plants: &[&str]) {
    let w = World::on(db, start()).await;
    let id = paid(&w).await;
    let order = order(&w);
    done(&w, id).await;
    w.gateway.dispute(&order, end);
    told(&w, &order).await;
    let stands = async || {
        let owed = record::payments(&w.s, &w.staff(), id).await.unwrap().owed.cents();
        (owed, rows(&w, id).await.len(), w.gateway.seen().len(), dispute(&w, id).await.state)
    };
    let before = stands().await;
    assert_eq!((before.0, before.3), (owed, end));
    for plant in plants {
        w.execute(plant);
        let mut offered = Vec::new();
        for _ in 0..4 {
            let last = w.compared().await;
            let Some(one) = last.differences.iter().find(|d| d.repair.is_some()) else { break };
            offered.extend(one.repair.as_ref().map(Repair::code));
            mend::mend(&w.s, &w.staff(), one.found.id, None).await.unwrap();
            w.work().await;
        }
        assert_eq!(offered, ["book_dispute"], "{plant}");
        let last = w.compared().await;
        assert!(last.differences.is_empty(), "{plant}: {:#?}", last.differences);
        assert_eq!(stands().await, before, "{plant}");
    }
    sound(&w).await;
}

const OPENED: &str = "UPDATE disputes SET state = 'opened', decided_at = NULL";

async fn what_somebody_changed_of_a_lost_dispute_is_put_right(db: TestDb) {
    let won = "UPDATE disputes SET state = 'won'";
    let less = "UPDATE disputes SET amount_cents = 100";
    put_right(db, DisputeState::Lost, TOTAL, &[OPENED, won, less, "DELETE FROM disputes"]).await;
}

async fn what_somebody_changed_of_a_won_dispute_is_put_right(db: TestDb) {
    put_right(db, DisputeState::Won, 0, &[OPENED, "UPDATE disputes SET state = 'lost'"]).await;
}
