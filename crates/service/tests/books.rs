//! Journal, balances, the report of a day, and what lies in trust: they agree, to the cent.

use crate::{
    planted::{Stock, until, utc},
    support,
};

use std::collections::BTreeMap;

use chrono::{DateTime, Days, NaiveDate, NaiveTime, Utc};
use kernel::{Money, Province};
use service::{
    Error, FieldProblem,
    bookings::status::{self, StatusInput},
    desk::{
        books::{self, Journal, ZONE},
        received::{self, Received},
    },
    ports::{books::JournalEntry, ledger::Account, payments::PaidWith},
};
use status_machine::booking::Status;
use store::testing::TestDb;
use support::{World, draft};

on_both_engines!(
    the_journal_balances_every_day_and_is_the_balances,
    the_journal_is_the_same_however_it_is_paged,
    what_is_held_in_trust_is_what_the_account_says,
    what_is_owed_for_a_move_that_is_done_never_lies_in_trust,
    the_day_tells_what_came_and_went,
);

fn day(m: u32, d: u32) -> NaiveDate {
    NaiveDate::from_ymd_opt(2027, m, d).unwrap()
}

async fn journal(w: &World, first: NaiveDate, last: NaiveDate) -> Vec<JournalEntry> {
    let mut journal = Journal::open(&w.s, &w.staff(), first, last).await.unwrap();
    let mut all = Vec::new();
    while let Some(page) = journal.next(&w.s).await.unwrap() {
        all.extend(page);
    }
    all
}

async fn balances(w: &World, at: DateTime<Utc>) -> BTreeMap<Account, Money> {
    books::balances(&w.s, &w.staff(), at).await.unwrap().into_iter().collect()
}

fn moved(entries: &[JournalEntry]) -> BTreeMap<Account, Money> {
    let mut all: BTreeMap<Account, Money> = Account::ALL.into_iter().map(|a| (a, Money::ZERO)).collect();
    for line in entries.iter().flat_map(|e| &e.lines) {
        let sum = all[&line.account].plus(line.amount);
        all.insert(line.account, sum);
    }
    all
}

async fn the_journal_balances_every_day_and_is_the_balances(db: TestDb) {
    let s = Stock::on(db).await;
    until(&s.w, utc("2027-03-02T00:00:00Z")).await;
    let entries = journal(&s.w, day(2, 1), day(2, 28)).await;
    assert!(entries.len() > 10, "{}", entries.len());
    let mut days: BTreeMap<NaiveDate, (i64, i64)> = BTreeMap::new();
    for entry in &entries {
        assert!(!entry.lines.is_empty());
        let sums = days.entry(ZONE.local(entry.place.0).date).or_default();
        for line in &entry.lines {
            let cents = line.amount.cents();
            if cents > 0 { sums.0 += cents } else { sums.1 -= cents }
        }
    }
    assert!(days.len() > 3, "{days:?}");
    for (day, (debit, credit)) in &days {
        assert_eq!(debit, credit, "{day}");
        assert!(*debit > 0, "{day}");
    }
    // The month's journal is how far the balances went in it; and day by day.
    let midnight = |date: NaiveDate| ZONE.instant(date, NaiveTime::MIN).unwrap();
    let before = |date: NaiveDate| midnight(date) - chrono::Duration::microseconds(1);
    let (opening, closing) = (balances(&s.w, before(day(2, 1))).await, balances(&s.w, before(day(3, 1))).await);
    for (account, change) in moved(&entries) {
        assert_eq!(closing[&account].minus(opening[&account]), change, "{account:?}");
    }
    for date in days.keys() {
        let own = journal(&s.w, *date, *date).await;
        let next = date.succ_opt().unwrap();
        let (opening, closing) = (balances(&s.w, before(*date)).await, balances(&s.w, before(next)).await);
        for (account, change) in moved(&own) {
            assert_eq!(closing[&account].minus(opening[&account]), change, "{date} {account:?}");
        }
        let sum: Money = closing.values().copied().sum();
        assert_eq!(sum, Money::ZERO, "{date}");
    }
    // Bookings are named, charges with the key of the gateway.
    let codes = [&s.done, &s.paid, &s.deposit].map(|b| b.short_id.to_string());
    assert!(codes.iter().all(|code| entries.iter().any(|e| e.short_id == *code)));
    assert!(entries.iter().filter(|e| e.kind == "capture").all(|e| e.reference.is_some()));
    for (first, last) in [(day(2, 2), day(2, 1)), (day(1, 1), NaiveDate::from_ymd_opt(2028, 3, 1).unwrap())] {
        let refused = Journal::open(&s.w.s, &s.w.staff(), first, last).await.unwrap_err();
        let Error::Invalid(fields) = refused else { panic!("{refused}") };
        let bounds = FieldProblem::Between(first.into(), (first + Days::new(399)).into());
        assert_eq!((fields[0].field.as_str(), fields[0].problem), ("to", bounds));
    }
}

async fn the_journal_is_the_same_however_it_is_paged(db: TestDb) {
    let s = Stock::on(db).await;
    let (from, to) = (utc("2027-02-01T00:00:00Z"), utc("2027-04-01T00:00:00Z"));
    let whole = s.w.read(move |u| u.books().journal(from, to, None, 10_000)).await;
    assert!(whole.len() > 8);
    for size in [1, 2, 3, 7] {
        let mut paged: Vec<JournalEntry> = Vec::new();
        loop {
            let after = paged.last().map(|e| e.place);
            let page = s.w.read(move |u| u.books().journal(from, to, after, size)).await;
            if page.is_empty() {
                break;
            }
            paged.extend(page);
        }
        assert_eq!(paged, whole, "{size} at a time");
    }
}

async fn what_is_held_in_trust_is_what_the_account_says(db: TestDb) {
    let w = World::on(db, utc("2027-02-08T14:00:00Z")).await;
    w.flat_rate(50_000).await;
    let nine = NaiveTime::from_hms_opt(9, 0, 0).unwrap();
    let book = async |province, date| w.book(draft(province, date, nine), None).await.unwrap().booking;
    // Of these the law of Quebec wants only the second one's money in trust.
    let near = book(Province::QC, day(3, 1)).await;
    let far = book(Province::QC, day(4, 26)).await;
    let elsewhere = book(Province::ON, day(4, 27)).await;
    let nothing = books::trust(&w.s, &w.staff(), w.clock.now_value()).await.unwrap();
    assert_eq!((nothing.held.len(), nothing.account), (0, Money::ZERO));
    until(&w, utc("2027-02-10T15:00:00Z")).await;
    let held = books::trust(&w.s, &w.staff(), w.clock.now_value()).await.unwrap();
    let rows: Vec<_> = held.held.iter().map(|t| (t.booking.id, t.amount.cents())).collect();
    assert_eq!(rows, [(far.id, 11_498)], "not {} and not {}", near.short_id, elsewhere.short_id);
    assert_eq!((held.total.cents(), held.account.cents()), (11_498, 11_498));
    assert!(held.held[0].since > far.created_at);
    // Until the move is done all of it lies there, and then nothing.
    until(&w, utc("2027-04-25T15:00:00Z")).await;
    let all = books::trust(&w.s, &w.staff(), w.clock.now_value()).await.unwrap();
    assert_eq!((all.total.cents(), all.account.cents()), (57_488, 57_488));
    w.clock.set(utc("2027-04-26T22:00:00Z"));
    let done = StatusInput { reason: Some("done".into()), ..Default::default() };
    status::set(&w.s, &w.staff(), far.id, Status::Completed, done).await.unwrap();
    w.work().await;
    let after = books::trust(&w.s, &w.staff(), w.clock.now_value()).await.unwrap();
    assert_eq!((after.held.len(), after.total, after.account), (0, Money::ZERO, Money::ZERO));
    // And it is known for any time past.
    let past = books::trust(&w.s, &w.staff(), utc("2027-02-10T15:00:00Z")).await.unwrap();
    assert_eq!((past.held.len(), past.total.cents(), past.account.cents()), (1, 11_498, 11_498));
    let file = books::trust_file(&w.s, &w.staff(), utc("2027-02-10T15:00:00Z")).await.unwrap();
    assert_eq!(file.total, past.total);
}

async fn what_is_owed_for_a_move_that_is_done_never_lies_in_trust(db: TestDb) {
    let w = World::on(db, utc("2027-02-08T14:00:00Z")).await;
    w.flat_rate(50_000).await;
    let nine = NaiveTime::from_hms_opt(9, 0, 0).unwrap();
    let id = w.book(draft(Province::QC, day(4, 26), nine), None).await.unwrap().booking.id;
    // 100.00 of 574.88 in cash, ahead of the move; the rest is never paid.
    let cash = Received { method: PaidWith::Cash, amount: Money::from_cents(10_000), reference: None };
    received::record(&w.s, &w.staff(), id, cash, None).await.unwrap();
    let of = async |account| {
        let entries = w.s.store.read(move |u| u.ledger().of_booking(id).map_err(service::Error::from)).await.unwrap();
        let lines = entries.iter().flat_map(service::ports::ledger::Entry::lines).filter(|l| l.account == account);
        lines.map(|l| l.amount.cents()).sum::<i64>()
    };
    assert_eq!((of(Account::Trust).await, of(Account::Customer).await), (-10_000, 0));
    let step = async |to, at| {
        w.clock.set(utc(at));
        let said = StatusInput { reason: Some("as it was".into()), ..Default::default() };
        status::set(&w.s, &w.staff(), id, to, said).await.unwrap();
    };
    step(Status::Completed, "2027-04-26T22:00:00Z").await;
    assert_eq!((of(Account::Trust).await, of(Account::Customer).await), (0, 47_488));
    let report = books::trust(&w.s, &w.staff(), w.clock.now_value()).await.unwrap();
    assert_eq!((report.held.len(), report.account), (0, Money::ZERO));
    // Not done after all: what was paid is held for the move again.
    step(Status::Assigned, "2027-04-26T23:00:00Z").await;
    assert_eq!((of(Account::Trust).await, of(Account::Customer).await), (-10_000, 0));
    step(Status::Completed, "2027-04-26T23:30:00Z").await;
    assert_eq!((of(Account::Trust).await, of(Account::Customer).await), (0, 47_488));
}

async fn the_day_tells_what_came_and_went(db: TestDb) {
    let s = Stock::on(db).await;
    let today = ZONE.local(s.w.clock.now_value()).date;
    let new = |method, n, reference: Option<&str>| Received {
        method,
        amount: Money::from_cents(n),
        reference: reference.map(str::to_owned),
    };
    for one in [new(PaidWith::Cash, 10_000, None), new(PaidWith::Etransfer, 2_000, Some("CA7F2K"))] {
        received::record(&s.w.s, &s.w.staff(), s.fresh.id, one, None).await.unwrap();
    }
    s.w.work().await;
    let told = books::day(&s.w.s, &s.w.staff(), today).await.unwrap();
    let way = |list: &books::ByWay, way| list.iter().find(|w| w.0 == way).map(|w| w.1.cents());
    assert_eq!(way(&told.came_in, Some(PaidWith::Cash)), Some(10_000));
    assert_eq!(way(&told.came_in, Some(PaidWith::Etransfer)), Some(2_000));
    let (debit, credit): (Money, Money) =
        (told.accounts.iter().map(|a| a.1).sum(), told.accounts.iter().map(|a| a.2).sum());
    assert_eq!(debit, credit);
    // A transfer that never came is no money that went out: on its own day it had not come, on another it comes off there.
    let id = s.fresh.id;
    let of = async |method: PaidWith| {
        let rows = s.w.read(move |u| u.payments().of_booking(id)).await;
        rows.into_iter().find(|r| r.method == method && r.kind.is_charge()).unwrap().id
    };
    let paid_out = told.went_out.clone();
    received::undo(&s.w.s, &s.w.staff(), of(PaidWith::Etransfer).await, "It bounced".into(), None).await.unwrap();
    let told = books::day(&s.w.s, &s.w.staff(), today).await.unwrap();
    assert_eq!((way(&told.came_in, Some(PaidWith::Etransfer)), &told.went_out), (None, &paid_out));
    s.w.clock.set(s.w.clock.now_value() + chrono::Duration::days(1));
    received::undo(&s.w.s, &s.w.staff(), of(PaidWith::Cash).await, "A false note".into(), None).await.unwrap();
    let next = books::day(&s.w.s, &s.w.staff(), today.succ_opt().unwrap()).await.unwrap();
    assert_eq!(way(&next.came_in, Some(PaidWith::Cash)), Some(-10_000));
    assert_eq!(way(&next.went_out, Some(PaidWith::Cash)), None);
    // The day of the completed move: what it earned, its taxes, and its tip the day after.
    let friday = books::day(&s.w.s, &s.w.staff(), day(2, 12)).await.unwrap();
    assert_eq!(friday.earned.cents(), 50_000);
    let taxes: Vec<_> = friday.taxes.iter().map(|(tax, amount)| (*tax, amount.cents())).collect();
    assert_eq!(taxes, [(Account::Gst, 2_500), (Account::Qst, 4_988), (Account::Hst, 0)]);
    let tips: i64 = {
        let mut sum = 0;
        for d in 12..=14 {
            sum += books::day(&s.w.s, &s.w.staff(), day(2, d)).await.unwrap().tips.cents();
        }
        sum
    };
    assert_eq!(tips, 2_000);
    // A cancellation kept its deposit and gave the other back.
    let wednesday = books::day(&s.w.s, &s.w.staff(), day(2, 10)).await.unwrap();
    assert_eq!(wednesday.kept.cents(), 9_907);
    assert_eq!(way(&wednesday.went_out, Some(PaidWith::Card)), Some(11_498));
    assert_eq!((wednesday.differences, wednesday.compared_at), (0, None));
    let empty = books::day(&s.w.s, &s.w.staff(), day(1, 5)).await.unwrap();
    assert_eq!((empty.came_in.len(), empty.went_out.len(), empty.accounts.len()), (0, 0, 0));
}
