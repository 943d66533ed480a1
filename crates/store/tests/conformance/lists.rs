//! What lists go by, pages that begin after a row, and records as they were.

use kernel::BookingId;
use service::ports::{
    StoreResult, Unit,
    bookings::Booking,
    crews::CrewMate,
    facts::{BookingFacts, PaymentState},
    lists::{Listing, Order, Slice, Start},
    payments::{Payment, PaymentKind},
};
use status_machine::{At, booking::Status, payment::State};
use store::testing::{NEED_STAFF, TestDb};

use crate::fixtures::*;

on_both_engines!(
    facts_follow_the_money,
    facts_follow_the_crew_and_the_booking,
    of_two_payments_at_once_none_is_overlooked,
    every_page_of_every_order_adds_up,
    a_row_that_comes_meanwhile_shifts_no_page,
    lists_select_what_they_say,
    a_customers_list_goes_on_from_a_row,
    the_record_is_kept_as_it_was,
    lists_are_read_from_their_indexes,
);

const ORDERS: [Order; 4] = [Order::MoveAt, Order::MoveAtDescending, Order::CreatedAt, Order::CreatedAtDescending];

async fn state_of(db: &TestDb, id: BookingId) -> PaymentState {
    read(db, move |u| u.bookings().facts(id)).await.unwrap().payment_state
}

/// A payment of a booking over 574.88 that is written, and then changed, and what the list says.
async fn facts_follow_the_money(db: TestDb) {
    let made = booked(&db).await;
    let id = made.id;
    assert_eq!(state_of(&db, id).await, PaymentState::None);
    let row = |kind, amount, state, settled: bool| Payment {
        amount: cents(amount),
        state: At::stored(state),
        settled_at: settled.then(t0),
        ..payment(id, kind)
    };
    let write_row = |row: Payment| write(&db, move |u| u.payments().insert(&row));
    let mut deposit = row(PaymentKind::Deposit, 11_498, State::Scheduled, false);
    write_row(deposit.clone()).await;
    assert_eq!(state_of(&db, id).await, PaymentState::None, "it is to come");
    (deposit.state, deposit.settled_at) = (At::stored(State::Captured), Some(t0()));
    let copy = deposit.clone();
    deposit.version = write(&db, move |u| u.payments().update(&copy)).await;
    assert_eq!(state_of(&db, id).await, PaymentState::DepositPaid);
    let tip = row(PaymentKind::Tip, 90_000, State::Captured, true);
    write_row(tip.clone()).await;
    write_row(row(PaymentKind::Goodwill, 90_000, State::Captured, true)).await;
    assert_eq!(
        state_of(&db, id).await,
        PaymentState::DepositPaid,
        "a tip is not for the move, and goodwill is no money"
    );
    write_row(row(PaymentKind::Balance, 45_990, State::Captured, true)).await;
    assert_eq!(state_of(&db, id).await, PaymentState::Paid);
    let back = |amount, of: &Payment| Payment {
        refund_of: Some(of.id),
        ..row(PaymentKind::Refund, amount, State::Scheduled, false)
    };
    write_row(back(90_000, &tip)).await;
    assert_eq!(state_of(&db, id).await, PaymentState::Paid, "the tip went back");
    let mut refund = back(11_498, &deposit);
    write_row(refund.clone()).await;
    assert_eq!(state_of(&db, id).await, PaymentState::PartiallyRefunded);
    refund.amount = cents(57_488);
    let copy = refund.clone();
    refund.version = write(&db, move |u| u.payments().update(&copy)).await;
    assert_eq!(state_of(&db, id).await, PaymentState::Refunded);
    refund.state = At::stored(State::Failed);
    write(&db, move |u| u.payments().update(&refund)).await;
    assert_eq!(state_of(&db, id).await, PaymentState::Paid, "it did not go back after all");
    let mut dearer = made.clone();
    (dearer.amount, dearer.total) = (cents(60_000), cents(67_488));
    write(&db, move |u| u.bookings().update(&dearer, 1)).await;
    assert_eq!(state_of(&db, id).await, PaymentState::DepositPaid, "more is owed");
    let mut given_up = made;
    given_up.details.payment_problem = true;
    write(&db, move |u| u.bookings().update(&given_up, 2)).await;
    assert_eq!(state_of(&db, id).await, PaymentState::Problem);
    assert_eq!(read(&db, |u| u.bookings().facts(BookingId(uuid()))).await, None);
}

async fn of_two_payments_at_once_none_is_overlooked(db: TestDb) {
    for _ in 0..15 {
        let id = booked(&db).await.id;
        let rows = [(PaymentKind::Deposit, 11_498), (PaymentKind::Balance, 45_990)];
        let rows = rows.map(|(kind, amount)| Payment { amount: cents(amount), ..payment(id, kind) });
        let copy = rows.clone();
        write(&db, move |u| copy.iter().try_for_each(|row| u.payments().insert(row))).await;
        let taken = rows.map(|row| {
            let row = Payment { state: At::stored(State::Captured), settled_at: Some(t0()), ..row };
            try_write(&db, move |u| u.payments().update(&row))
        });
        let told = futures_util::future::join_all(taken).await;
        assert!(told.iter().all(Result::is_ok), "{told:?}");
        assert_eq!(state_of(&db, id).await, PaymentState::Paid);
    }
}

fn mate(n: u128) -> CrewMate {
    CrewMate { mate: kernel::MateId(kernel::uuid::Uuid::from_u128(0xae00 + n)), name: n.to_string(), since: t0() }
}

async fn facts_follow_the_crew_and_the_booking(db: TestDb) {
    let mut made = booked(&db).await;
    let id = made.id;
    let unassigned = || async {
        let wanted = Listing { unassigned: Some(true), ..Listing::default() };
        !read(&db, move |u| u.bookings().listed(&wanted, Start::First(Order::MoveAt), 9)).await.data.is_empty()
    };
    assert!(unassigned().await);
    write(&db, move |u| {
        u.crews().put(id, &mate(1), &[at(0)])?;
        u.crews().put(id, &mate(2), &[at(0)])
    })
    .await;
    let facts = BookingFacts { payment_state: PaymentState::None, crew_size: 2 };
    assert_eq!((read(&db, move |u| u.bookings().facts(id)).await, unassigned().await), (Some(facts), false));
    write(&db, move |u| u.crews().release(id, mate(1).mate)).await;
    assert_eq!(read(&db, move |u| u.bookings().facts(id)).await.unwrap().crew_size, 1);
    write(&db, move |u| u.crews().release(id, mate(2).mate)).await;
    assert!(unassigned().await);
    (made.status, made.move_at) = (Status::Completed, at(77));
    write(&db, move |u| u.bookings().update(&made, 1)).await;
    assert!(!unassigned().await, "a move that was done waits for nobody");
    let on_that_day = Listing { moves_from: Some(at(77)), moves_before: Some(at(78)), ..Listing::default() };
    let found = read(&db, move |u| u.bookings().listed(&on_that_day, Start::First(Order::MoveAt), 9)).await;
    assert_eq!(ids(&found.data), [id]);
}

fn ids(rows: &[Booking]) -> Vec<BookingId> {
    rows.iter().map(|b| b.id).collect()
}

/// Bookings of several people; several at one instant.
async fn many(db: &TestDb) -> Vec<Booking> {
    let users = [person(db).await, person(db).await];
    write(db, move |u| {
        let mut all = Vec::new();
        for n in 0..23 {
            let mut made = booking(users[usize::from(n % 3 == 0)]);
            made.status = Status::ALL[usize::try_from(n).unwrap() % Status::ALL.len()];
            (made.move_at, made.created_at) = (at((n * 7 % 23) / 4), at(100 + n / 3));
            u.bookings().insert(&made)?;
            if n % 5 == 0 {
                let full = payment(made.id, PaymentKind::Full);
                let full =
                    Payment { amount: made.total, state: At::stored(State::Captured), settled_at: Some(t0()), ..full };
                u.payments().insert(&full)?;
            }
            all.push(made);
        }
        Ok(all)
    })
    .await
}

fn sorted(all: &[Booking], order: Order) -> Vec<BookingId> {
    let mut all: Vec<&Booking> = all.iter().filter(|b| b.status != Status::Deleted).collect();
    all.sort_by_key(|b| match order {
        Order::MoveAt | Order::MoveAtDescending => (b.move_at, b.id.0),
        Order::CreatedAt | Order::CreatedAtDescending => (b.created_at, b.id.0),
    });
    if matches!(order, Order::MoveAtDescending | Order::CreatedAtDescending) {
        all.reverse();
    }
    all.into_iter().map(|b| b.id).collect()
}

/// Every page from the first on.
async fn walk(
    db: &TestDb,
    order: Order,
    limit: i64,
    page: impl Fn(&mut dyn Unit, Start, i64) -> StoreResult<Slice<Booking>> + Copy + Send + 'static,
) -> Vec<BookingId> {
    let (mut start, mut found) = (Start::First(order), Vec::new());
    loop {
        let slice = read(db, move |u| page(u, start, limit)).await;
        assert!(i64::try_from(slice.data.len()).unwrap() <= limit);
        found.extend(ids(&slice.data));
        let Some(next) = slice.next else { return found };
        assert_eq!(next.id, slice.data.last().unwrap().id);
        start = Start::After(next);
    }
}

async fn every_page_of_every_order_adds_up(db: TestDb) {
    let all = many(&db).await;
    for order in ORDERS {
        for limit in [1, 4, 20, 100] {
            let found = walk(&db, order, limit, |u, start, n| u.bookings().listed(&Listing::default(), start, n)).await;
            assert_eq!(found, sorted(&all, order), "{order:?} by {limit}");
        }
    }
}

async fn a_row_that_comes_meanwhile_shifts_no_page(db: TestDb) {
    let all = many(&db).await;
    let want = sorted(&all, Order::MoveAt);
    let first = read(&db, |u| u.bookings().listed(&Listing::default(), Start::First(Order::MoveAt), 5)).await;
    let mut early = booking(all[0].user_id);
    early.move_at = at(-9);
    write(&db, move |u| u.bookings().insert(&early)).await;
    let start = Start::After(first.next.unwrap());
    let second = read(&db, move |u| u.bookings().listed(&Listing::default(), start, 5)).await;
    assert_eq!([ids(&first.data), ids(&second.data)].concat(), want[..10]);
}

async fn lists_select_what_they_say(db: TestDb) {
    let all = many(&db).await;
    let listed = |wanted: Listing| async {
        let page = read(&db, move |u| u.bookings().listed(&wanted, Start::First(Order::MoveAt), 100)).await;
        ids(&page.data)
    };
    let which = |keep: &dyn Fn(usize, &Booking) -> bool| -> Vec<BookingId> {
        let kept: Vec<Booking> = all.iter().enumerate().filter(|(n, b)| keep(*n, b)).map(|(_, b)| b.clone()).collect();
        sorted(&kept, Order::MoveAt)
    };
    let live = |b: &Booking| matches!(b.status, Status::Pending | Status::Assigned);
    let two = vec![Status::Payed, Status::Cancelled];
    assert_eq!(
        listed(Listing { statuses: two.clone(), ..Listing::default() }).await,
        which(&|_, b| two.contains(&b.status))
    );
    let deleted = Listing { statuses: vec![Status::Deleted], ..Listing::default() };
    assert_eq!(listed(deleted).await.len(), all.iter().filter(|b| b.status == Status::Deleted).count());
    let paid = Listing { payment_states: vec![PaymentState::Paid], ..Listing::default() };
    assert_eq!(listed(paid.clone()).await, which(&|n, _| n % 5 == 0));
    assert_eq!(listed(Listing { unassigned: Some(true), ..Listing::default() }).await, which(&|_, b| live(b)));
    assert_eq!(listed(Listing { unassigned: Some(false), ..Listing::default() }).await, which(&|_, b| !live(b)));
    let (from, before) = (Some(at(1)), Some(at(4)));
    let within = Listing { unassigned: Some(true), moves_from: from, moves_before: before, ..paid };
    let inside = |b: &Booking| Some(b.move_at) >= from && Some(b.move_at) < before;
    assert_eq!(listed(within).await, which(&|n, b| n % 5 == 0 && live(b) && inside(b)), "borders included");
}

async fn a_customers_list_goes_on_from_a_row(db: TestDb) {
    let all = many(&db).await;
    let user = all[0].user_id;
    let own: Vec<Booking> = all.into_iter().filter(|b| b.user_id == user).collect();
    for order in ORDERS {
        let (mut start, mut found) = (Start::First(order), Vec::new());
        loop {
            let slice = read(&db, move |u| u.bookings().of_user_from(user, start, 3)).await;
            found.extend(ids(&slice.data));
            let Some(next) = slice.next else { break };
            start = Start::After(next);
        }
        assert_eq!(found, sorted(&own, order), "{order:?}");
    }
}

async fn the_record_is_kept_as_it_was(db: TestDb) {
    let first = booked(&db).await;
    let id = first.id;
    let mut second = first.clone();
    (second.updated_at, second.mate_count) = (at(10), kernel::MateCount::new(3).unwrap());
    second.details.comments = "plus tard\n以后".to_owned();
    let copy = second.clone();
    second.version = write(&db, move |u| u.bookings().update(&copy, 1)).await;
    let mut third = second.clone();
    (third.updated_at, third.status, third.cancelled_at) = (at(20), Status::Cancelled, Some(at(20)));
    let copy = third.clone();
    third.version = write(&db, move |u| u.bookings().update(&copy, 2)).await;
    // Two changes at one instant.
    let mut fourth = third.clone();
    fourth.details.payment_problem = true;
    let copy = fourth.clone();
    fourth.version = write(&db, move |u| u.bookings().update(&copy, 3)).await;
    for seen in [&first, &second, &third, &fourth] {
        let version = seen.version;
        assert_eq!(read(&db, move |u| u.booking_history().at_version(id, version)).await.as_ref(), Some(seen));
    }
    assert_eq!(read(&db, move |u| u.booking_history().at_version(id, 5)).await, None);
    // A change that is not made leaves no record.
    let lost = try_write(&db, move |u| u.bookings().update(&first, 1)).await;
    assert!(lost.is_err());
    let records = "SELECT CAST(COUNT(*) AS TEXT) AS text FROM booking_records";
    assert_eq!(Stranger::at(db.url()).texts(records), ["3"]);
}

/// Neither engine sorts for a page in the middle: it begins to read an index there.
async fn lists_are_read_from_their_indexes(db: TestDb) {
    booked(&db).await;
    let mut stranger = Stranger::at(db.url());
    let after = "move_at >= '2027-02-01 15:00:00.000000' AND (move_at > '2027-02-01 15:00:00.000000' OR booking_id > \
                 '01900000-0000-7000-8000-000000000000')";
    let query = |which: &str| {
        format!("SELECT booking_id FROM booking_facts WHERE {which} AND {after} ORDER BY move_at, booking_id LIMIT 21")
    };
    let asked = [
        ("booking_facts_moves", query("status <> 'deleted'")),
        ("booking_facts_status", query("status = 'completed'")),
        ("booking_facts_payment", query("payment_state = 'problem'")),
        ("booking_facts_unassigned", query("unassigned")),
    ];
    // So few rows are read one by one by PostgreSQL, if it is let.
    let plans = stranger.plans(&asked.each_ref().map(|(_, query)| query.as_str()));
    for ((index, query), plan) in asked.iter().zip(plans) {
        assert!(plan.contains(index) || plan.contains("Index"), "{query}: {plan}");
        assert!(!plan.contains("TEMP B-TREE") && !plan.contains("Sort"), "{query}: {plan}");
    }
    let need_staff = ["id", "COUNT(*)"].map(|what| format!("SELECT {what} FROM payments WHERE {NEED_STAFF}"));
    for plan in stranger.plans(&need_staff.each_ref().map(String::as_str)) {
        assert!(plan.contains("payments_need_staff"), "{plan}");
    }
}
