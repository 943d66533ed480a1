//! What reconciliation finds is kept, says what would put it right, and is put right by exactly that.

use crate::{
    planted::{Moved, Stock, charge, until, utc},
    support,
};

use chrono::NaiveDate;
use kernel::Money;
use scheduling::BucketKey;
use service::{
    Error, ErrorCode,
    billing::{
        compare::{self, DifferenceView, Last},
        mend,
        repair::{Repair, RowAction},
    },
    idempotency::Replayable,
    jobs,
    ports::{
        comparisons::Standing,
        ledger::Account,
        payments::{Attempt, AttemptState, GatewayKind, GatewayStatus, GatewayTransaction, PaymentKind},
    },
};
use status_machine::{At, booking::Status, payment::State};
use store::testing::TestDb;
use support::World;

on_both_engines!(
    five_faults_are_told_with_a_repair_and_gone_after_it,
    what_was_dropped_is_planned_anew_and_only_when_asked,
    books_are_corrected_where_only_they_are_wrong,
    a_cancelled_move_gives_back_time_and_crew,
    what_changed_meanwhile_is_not_repaired,
    the_daily_job_puts_right_what_it_can,
    what_is_overdue_is_charged_when_asked,
    what_nobody_repairs_stays_until_it_is_solved,
);

fn cents(n: i64) -> Money {
    Money::from_cents(n)
}

fn told(last: &Last) -> Vec<String> {
    last.differences.iter().filter(|d| d.found.standing == Standing::Open).map(|d| d.difference.to_string()).collect()
}

fn kinds(last: &Last) -> Vec<(&'static str, Option<&'static str>)> {
    last.differences.iter().map(|d| (d.difference.what.code(), d.repair.as_ref().map(Repair::code))).collect()
}

async fn repaired(w: &World, one: &DifferenceView) -> DifferenceView {
    match mend::mend(&w.s, &w.staff(), one.found.id, None).await.unwrap() {
        Replayable::Fresh(done) => done,
        Replayable::Replayed { .. } => panic!("replayed"),
    }
}

/// Repairs one after the other what can be, as the page then shows it.
async fn repair_all(w: &World) {
    loop {
        let last = compare::last(&w.s, &w.staff()).await.unwrap().unwrap();
        let open = |d: &&DifferenceView| d.found.standing == Standing::Open && d.repair.is_some();
        let Some(one) = last.differences.iter().find(open) else { return };
        let done = repaired(w, one).await;
        assert_eq!(done.found.standing, Standing::Repaired);
        assert_eq!(done.found.changed_by, w.ops.user);
        w.work().await;
    }
}

/// A half hour that counts one mate more than holds take.
async fn drifted(w: &World) -> BucketKey {
    let key = BucketKey { date: NaiveDate::from_ymd_opt(2027, 3, 3).unwrap(), index: 20 };
    w.write(move |u| {
        u.capacities().make("montreal", &[key])?;
        u.capacities().add("montreal", &[key], 1, None)
    })
    .await;
    key
}

async fn five_faults_are_told_with_a_repair_and_gone_after_it(db: TestDb) {
    let s = Stock::on(db).await;
    let now = s.w.clock.now_value();
    assert_eq!(told(&s.w.compared().await), Vec::<String>::new());

    // One: what was given up was applied after all.
    let mut m: Moved = charge(PaymentKind::Difference, 5_000);
    (m.attempted, m.posted, m.at_gateway) = (false, false, false);
    s.moved(&s.paid, m).await;
    let row = s.row(&s.paid, PaymentKind::Difference).await;
    let late = format!("{}-difference-1", s.paid.short_id);
    s.charge_at_gateway(&late, "late", cents(5_000), GatewayKind::Charge);
    let attempt = Attempt {
        order_id: late.clone(),
        payment_id: row.id,
        number: 1,
        amount: cents(5_000),
        method_id: "pm".into(),
        state: At::stored(AttemptState::Lost),
        transaction_id: None,
        code: None,
        created_at: now,
        sent_at: now,
        resolved_at: Some(now),
    };
    s.w.write(move |u| u.payments().insert_attempt(&attempt)).await;
    s.update_row(row, |r| (r.state, r.settled_at, r.transaction_id) = (At::stored(State::Skipped), None, None)).await;

    // Two: a capture that belongs to nobody.
    let strange = format!("{}-full-9", s.fresh.short_id);
    s.charge_at_gateway(&strange, "strange", cents(57_488), GatewayKind::Charge);

    // Three: a capture that was never posted: somebody fell between gateway and ledger.
    let row = s.row(&s.fresh, PaymentKind::Deposit).await;
    let unposted = format!("{}-deposit-1", s.fresh.short_id);
    s.charge_at_gateway(&unposted, "unposted", row.amount, GatewayKind::Charge);
    let attempt = Attempt {
        order_id: unposted.clone(),
        payment_id: row.id,
        number: 1,
        amount: row.amount,
        method_id: "pm".into(),
        state: At::stored(AttemptState::Applied),
        transaction_id: Some("unposted".into()),
        code: None,
        created_at: now,
        sent_at: now,
        resolved_at: Some(now),
    };
    s.w.write(move |u| u.payments().insert_attempt(&attempt)).await;
    s.update_row(row, |r| {
        (r.state, r.settled_at, r.next_attempt_at) = (At::stored(State::Captured), Some(now), None);
        r.transaction_id = Some("unposted".into());
        r.attempts = 1;
    })
    .await;

    // Four: a half hour that counts too much.
    drifted(&s.w).await;

    // Five: a charge that the bank refused when it settled, and nobody told.
    let refused = s.order(&s.row(&s.deposit, PaymentKind::Deposit).await).await;
    s.w.gateway.change(|list| {
        for t in list.iter_mut().filter(|t| t.order_id == refused) {
            t.status = GatewayStatus::Declined;
        }
    });

    let last = s.w.compared().await;
    let found = kinds(&last);
    for expected in [
        ("gateway_moved", Some("book_late")),
        ("gateway_unknown", Some("send_back")),
        ("ledger_missing", Some("post")),
        ("capacity", Some("recount")),
        ("gateway_missing", Some("take_out")),
    ] {
        assert!(found.contains(&expected), "{expected:?} is not in {found:?}: {:#?}", told(&last));
    }
    for one in &last.differences {
        assert_eq!(one.found.standing, Standing::Open);
        let booking = one.found.booking.is_some() || one.difference.what.code() == "capacity";
        assert!(booking, "whose it is: {}", one.difference);
    }
    // Looking has changed nothing.
    let last = s.w.compared().await;
    assert_eq!(kinds(&last), found);
    let told_first = last.differences.iter().find(|d| d.repair.is_some()).unwrap().clone();

    repair_all(&s.w).await;
    let last = s.w.compared().await;
    assert_eq!(told(&last), Vec::<String>::new());
    assert_eq!(last.comparison.differences, 0);
    // What belonged to nobody went back, once.
    let mut back = Vec::new();
    s.w.gateway.change(|list| {
        let undoes = |t: &GatewayTransaction| match &t.kind {
            GatewayKind::Charge => t.id == "strange" && t.status == GatewayStatus::Voided,
            GatewayKind::Refund { of } => of == "strange",
        };
        back = list.iter().filter(|t| undoes(t)).map(|t| t.amount.cents()).collect();
    });
    assert_eq!(back, [57_488]);
    let first = told_first.found.id.to_string();
    let trail = s.w.read(move |u| u.audits().of_subject("difference", &first)).await;
    assert_eq!(trail.iter().map(|row| row.action.as_str()).collect::<Vec<_>>(), ["difference.repair"]);
}

async fn what_was_dropped_is_planned_anew_and_only_when_asked(db: TestDb) {
    let s = Stock::on(db).await;
    let row = s.row(&s.deposit, PaymentKind::Balance).await;
    let due = row.next_attempt_at;
    s.update_row(row, |r| (r.state, r.next_attempt_at) = (At::stored(State::Skipped), None)).await;
    let id = s.deposit.id;
    let before = s.w.read(move |u| u.payments().of_booking(id)).await;
    let last = s.w.compared().await;
    let [one] = last.differences.as_slice() else { panic!("{:?}", kinds(&last)) };
    let Some(Repair::PlanAnew { steps }) = &one.repair else { panic!("{one:?}") };
    assert_eq!(steps.len(), 1);
    assert_eq!(
        (steps[0].deed, steps[0].charge, steps[0].amount),
        (RowAction::Charge, PaymentKind::Balance, cents(45_990))
    );
    assert_eq!(steps[0].at, due);
    assert_eq!(s.w.read(move |u| u.payments().of_booking(id)).await, before, "a rehearsal changes nothing");
    repaired(&s.w, one).await;
    let planned = s.row(&s.deposit, PaymentKind::Balance).await;
    assert_eq!((planned.amount, planned.next_attempt_at), (cents(45_990), due));
    assert_eq!(told(&s.w.compared().await), Vec::<String>::new());
    until(&s.w, utc("2027-02-27T00:00:00Z")).await;
    assert!(s.row(&s.deposit, PaymentKind::Balance).await.settled_at.is_some(), "and it is charged in its time");
}

async fn books_are_corrected_where_only_they_are_wrong(db: TestDb) {
    let s = Stock::on(db).await;
    let lines =
        [(Account::Customer, 57_488), (Account::Revenue, -50_000), (Account::Gst, -2_500), (Account::Qst, -4_988)];
    s.post(&s.done, "completion", &lines).await;
    let last = s.w.compared().await;
    assert!(kinds(&last).iter().all(|k| *k == ("books", Some("correct"))), "{:?}", kinds(&last));
    assert_eq!(last.differences.len(), 4);
    repaired(&s.w, &last.differences[0]).await;
    // One entry put all four right.
    let now = compare::last(&s.w.s, &s.w.staff()).await.unwrap().unwrap();
    let standing = |n: usize| now.differences[n].found.standing;
    assert_eq!(
        [standing(0), standing(1), standing(2), standing(3)],
        [Standing::Repaired, Standing::Gone, Standing::Gone, Standing::Gone]
    );
    assert_eq!(told(&s.w.compared().await), Vec::<String>::new());

    // A payment that counts as made and is not: the row is wrong, and the books are not.
    s.moved(
        &s.fresh,
        Moved { attempted: false, at_gateway: false, posted: false, ..charge(PaymentKind::Full, 57_488) },
    )
    .await;
    let last = s.w.compared().await;
    assert_eq!(kinds(&last), [("row_marked", Some("set_state"))]);
}

async fn a_cancelled_move_gives_back_time_and_crew(db: TestDb) {
    let s = Stock::on(db).await;
    s.status(&s.deposit, Status::Cancelled).await;
    let (id, since) = (s.cancelled.id, s.w.clock.now_value());
    let mate = service::ports::crews::CrewMate { mate: support::mate(1), name: "Mate1 Tester".into(), since };
    s.w.write(move |u| u.crews().put(id, &mate, &[since])).await;
    let last = s.w.compared().await;
    assert!(kinds(&last).contains(&("capacity_left", Some("free_time"))), "{:?}", kinds(&last));
    assert!(kinds(&last).contains(&("crew_left", Some("free_crew"))), "{:?}", kinds(&last));
    for one in last.differences.iter().filter(|d| d.repair.as_ref().is_some_and(|r| r.code().starts_with("free"))) {
        repaired(&s.w, one).await;
    }
    let (time, crew) = (s.deposit.id, s.cancelled.id);
    assert!(s.w.read(move |u| u.capacities().hold_of_booking(time)).await.is_none());
    assert!(s.w.read(move |u| u.crews().of_booking(crew)).await.is_empty());
    assert_eq!(s.w.read(|u| u.capacities().drift()).await, Vec::<String>::new());
}

async fn what_changed_meanwhile_is_not_repaired(db: TestDb) {
    let s = Stock::on(db).await;
    let key = drifted(&s.w).await;
    let last = s.w.compared().await;
    let [one] = last.differences.as_slice() else { panic!("{:?}", kinds(&last)) };
    // Another mate is counted: the repair would take away two, and said one.
    s.w.write(move |u| u.capacities().add("montreal", &[key], 1, None)).await;
    let refused = mend::mend(&s.w.s, &s.w.staff(), one.found.id, None).await;
    assert!(matches!(refused, Err(Error::Refused(ErrorCode::RepairChanged, _))), "{refused:?}");
    let seen = s.w.read(move |u| u.capacities().view("montreal", &[key])).await;
    assert_eq!(seen[0].mates_used, 2, "nothing was done");
    let now = compare::last(&s.w.s, &s.w.staff()).await.unwrap().unwrap();
    assert_eq!(now.differences[0].found.standing, Standing::Gone);
    // Looked at anew it is repaired, and only once.
    let last = s.w.compared().await;
    let done = repaired(&s.w, &last.differences[0]).await;
    let again = mend::mend(&s.w.s, &s.w.staff(), done.found.id, None).await;
    assert!(matches!(again, Err(Error::Refused(ErrorCode::RepairChanged, _))), "{again:?}");
    let seen = s.w.read(move |u| u.capacities().view("montreal", &[key])).await;
    assert_eq!(seen[0].mates_used, 0);
    let nobody = service::ports::comparisons::DifferenceId(s.fresh.id.0);
    let unknown = mend::mend(&s.w.s, &s.w.staff(), nobody, None).await;
    assert!(matches!(unknown, Err(Error::Refused(ErrorCode::NotFound, _))), "{unknown:?}");
}

async fn the_daily_job_puts_right_what_it_can(db: TestDb) {
    let s = Stock::on(db).await;
    let refused = s.order(&s.row(&s.deposit, PaymentKind::Deposit).await).await;
    s.w.gateway.change(|list| {
        for t in list.iter_mut().filter(|t| t.order_id == refused) {
            t.status = GatewayStatus::Declined;
        }
    });
    drifted(&s.w).await;
    jobs::schedule_housekeeping(&s.w.s).await.unwrap();
    s.w.work().await;
    let last = compare::last(&s.w.s, &s.w.staff()).await.unwrap().unwrap();
    assert_eq!(last.comparison.asked_by, None);
    let standing = |kind: &str| {
        last.differences
            .iter()
            .filter(|d| d.difference.what.code() == kind)
            .map(|d| d.found.standing)
            .collect::<Vec<_>>()
    };
    assert_eq!(standing("gateway_missing"), [Standing::Mended]);
    assert_eq!(standing("capacity"), [Standing::Open]);
    assert_eq!(s.row(&s.deposit, PaymentKind::Deposit).await.state, At::stored(State::Failed));
}

async fn what_is_overdue_is_charged_when_asked(db: TestDb) {
    let s = Stock::on(db).await;
    until(&s.w, utc("2027-02-24T13:00:00Z")).await;
    // Its job is lost, and its instant goes by.
    let key = format!("bill:{}", s.deposit.id);
    assert_eq!(s.w.write(move |u| u.jobs().withdraw(&key)).await, 1);
    s.w.clock.set(utc("2027-02-24T18:00:00Z"));
    s.w.work().await;
    let last = s.w.compared().await;
    let [one] = last.differences.as_slice() else { panic!("{:?}", kinds(&last)) };
    let said = Repair::ChargeNow { charge: PaymentKind::Balance, amount: cents(45_990) };
    assert_eq!(one.repair, Some(said));
    assert!(s.row(&s.deposit, PaymentKind::Balance).await.settled_at.is_none());
    repaired(&s.w, one).await;
    s.w.work().await;
    assert!(s.row(&s.deposit, PaymentKind::Balance).await.settled_at.is_some());
    assert_eq!(told(&s.w.compared().await), Vec::<String>::new());
}

/// A comparison looks at ten days. What it finds goes on until somebody solved it, with the day on which it was first seen.
async fn what_nobody_repairs_stays_until_it_is_solved(db: TestDb) {
    let s = Stock::on(db).await;
    // At the gateway, in the books of a booking, and in the calendar.
    let row = s.row(&s.paid, PaymentKind::Balance).await;
    let (order, of) = (s.order(&row).await, row.transaction_id.unwrap());
    s.charge_at_gateway(&order, "panel", cents(3_000), GatewayKind::Refund { of });
    let lines =
        [(Account::Customer, 57_488), (Account::Revenue, -50_000), (Account::Gst, -2_500), (Account::Qst, -4_988)];
    s.post(&s.done, "completion", &lines).await;
    drifted(&s.w).await;
    let first = s.w.compared().await;
    let sorted = |last: &Last| {
        let mut told = told(last);
        told.sort();
        told
    };
    let (seen, found) = (first.comparison.at, sorted(&first));
    assert_eq!(found.len(), 6, "{found:?}");
    assert!(first.differences.iter().all(|d| d.first_seen == seen));
    // The daily comparisons, until all of it lies behind what they look at.
    for day in ["2027-02-20T12:00:00Z", "2027-03-02T12:00:00Z", "2027-03-20T12:00:00Z"] {
        until(&s.w, utc(day)).await;
        compare::daily(&s.w.s).await.unwrap();
        let last = compare::last(&s.w.s, &s.w.staff()).await.unwrap().unwrap();
        assert_eq!(sorted(&last), found, "on {day}");
        assert!(last.differences.iter().all(|d| d.first_seen == seen), "on {day}");
        assert_eq!(last.comparison.differences, 6);
    }
    let last = compare::last(&s.w.s, &s.w.staff()).await.unwrap().unwrap();
    assert!(last.comparison.from > seen, "nothing of it lies in what is looked at");
    assert_eq!(sorted(&s.w.compared().await), found);
    repair_all(&s.w).await;
    // What is solved goes.
    let last = s.w.compared().await;
    assert_eq!((told(&last), last.differences.len()), (Vec::new(), 0));
}
