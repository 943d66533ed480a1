//! Closed months: in order, by administrators, and whatever works by itself goes on.

use crate::{
    planted::{Stock, until, utc},
    support,
};

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use kernel::{Language, Money, uuid::Uuid};
use service::{
    Actor, Caller, Error, ErrorCode, FieldProblem, Role, ServiceResult, Staff,
    billing::{dates, ledger},
    bookings::{
        statement::Fact,
        status::{self, StatusInput},
    },
    desk::{
        accounting::{self, Content, Posting},
        aged,
        books::{self, Journal, ZONE},
        credits::{self, NewCredit},
        months::{self, BookMonths, Standing},
        received::{self, Received},
    },
    ports::{
        audit::Trail,
        books::OF_CUSTOMERS,
        credits::CreditKind,
        invoices::Purpose,
        ledger::Account,
        payments::{PaidWith, PaymentKind},
        periods::Month,
    },
};
use status_machine::{At, booking::Status};
use store::testing::TestDb;
use support::World;

on_both_engines!(
    months_are_closed_in_order_by_administrators,
    two_who_close_at_once_close_once,
    what_has_happened_is_dated_in_what_is_open,
    staff_wait_and_write_nothing,
    a_closed_month_stays_as_it_was_taken_along,
    the_file_adds_up_to_the_journal,
    invoices_add_up_to_what_was_earned,
    what_is_owed_is_what_the_accounts_say,
    a_debt_grows_older,
);

fn month(text: &str) -> Month {
    text.parse().unwrap()
}

fn admin(w: &World) -> Staff {
    Staff::prove(&Caller { role: Role::Admin, ..w.ops.clone() }).unwrap()
}

fn refused<T: std::fmt::Debug>(told: &ServiceResult<T>) -> Option<(ErrorCode, String)> {
    match told {
        Err(Error::Refused(code, said)) => Some((*code, said.first().map(|s| s.1.clone()).unwrap_or_default())),
        _ => None,
    }
}

fn closed(list: &BookMonths) -> Vec<String> {
    list.months.iter().filter(|m| m.standing == Standing::Closed).map(|m| m.month.to_string()).collect()
}

async fn close(w: &World, text: &str) -> ServiceResult<BookMonths> {
    months::close(&w.s, &admin(w), month(text)).await
}

async fn reopen(w: &World, text: &str, reason: &str) -> ServiceResult<BookMonths> {
    months::reopen(&w.s, &admin(w), month(text), reason.to_owned()).await
}

async fn trail(w: &World, kind: &str) -> Vec<String> {
    let wanted = Trail { subject_kind: Some(kind.to_owned()), ..Trail::default() };
    let rows = w.read(move |u| u.audits().newest(&wanted, 0, 50)).await;
    rows.into_iter().map(|r| format!("{} {}", r.action, r.subject_id)).collect()
}

/// February 2027 ends in Vancouver two hours after it does in Montreal.
fn february_is_over() -> DateTime<Utc> {
    utc("2027-03-01T07:00:00Z")
}

async fn months_are_closed_in_order_by_administrators(db: TestDb) {
    let s = Stock::on(db).await;
    let w = &s.w;
    let told = months::close(&w.s, &w.staff(), month("2027-01")).await;
    assert_eq!(refused(&told), Some((ErrorCode::Forbidden, String::new())));
    let told = months::reopen(&w.s, &w.staff(), month("2027-01"), "why".into()).await;
    assert_eq!(refused(&told), Some((ErrorCode::Forbidden, String::new())));
    // It runs still, and a second before it has ended in the last zone it does, too.
    for now in ["2027-02-13T20:00:00Z", "2027-03-01T05:00:00Z", "2027-03-01T06:59:59Z"] {
        w.clock.set(utc(now));
        let told = close(w, "2027-02").await;
        assert_eq!(refused(&told), Some((ErrorCode::MonthNotEnded, "2027-02".into())), "{now}");
        let list = months::list(&w.s, &w.staff()).await.unwrap();
        assert_eq!(list.months.iter().find(|m| m.month == month("2027-02")).unwrap().standing, Standing::Running);
    }
    w.clock.set(february_is_over());
    let list = months::list(&w.s, &w.staff()).await.unwrap();
    let shown: Vec<_> = list.months.iter().map(|m| (m.month.to_string(), m.standing, m.may_close)).collect();
    assert_eq!(
        shown,
        [("2027-03".into(), Standing::Running, false), ("2027-02".into(), Standing::Open, true)],
        "from that of the first entry on"
    );
    let done = close(w, "2027-02").await.unwrap();
    assert_eq!(closed(&done), ["2027-02"]);
    assert!(done.months[1].may_reopen && !done.months[1].may_close);
    // Pressed again, nothing more is done.
    assert_eq!(closed(&close(w, "2027-02").await.unwrap()), ["2027-02"]);
    assert_eq!(trail(w, "month").await, ["month.close 2027-02"]);
    // In order, and back in reverse.
    w.clock.set(utc("2027-05-02T12:00:00Z"));
    assert_eq!(refused(&close(w, "2027-04").await), Some((ErrorCode::MonthOrder, "2027-03".into())));
    close(w, "2027-03").await.unwrap();
    assert_eq!(closed(&close(w, "2027-04").await.unwrap()), ["2027-04", "2027-03", "2027-02"]);
    let told = reopen(w, "2027-02", "a mistake").await;
    assert_eq!(refused(&told), Some((ErrorCode::MonthOrder, "2027-04".into())));
    let long = "x".repeat(501);
    for (reason, problem) in [("  ", FieldProblem::Required), (long.as_str(), FieldProblem::TooLong)] {
        let Error::Invalid(fields) = reopen(w, "2027-04", reason).await.unwrap_err() else { panic!("{problem:?}") };
        assert_eq!((fields[0].field.as_str(), fields[0].problem), ("reason", problem));
    }
    assert_eq!(closed(&reopen(w, "2027-04", "an invoice came late").await.unwrap()), ["2027-03", "2027-02"]);
    assert_eq!(closed(&reopen(w, "2027-04", "pressed twice").await.unwrap()), ["2027-03", "2027-02"]);
    let told = trail(w, "month").await;
    assert_eq!(told, ["month.reopen 2027-04", "month.close 2027-04", "month.close 2027-03", "month.close 2027-02"]);
}

async fn two_who_close_at_once_close_once(db: TestDb) {
    let s = Stock::on(db).await;
    s.w.clock.set(february_is_over());
    let admin = admin(&s.w);
    let all = (0..6).map(|_| months::close(&s.w.s, &admin, month("2027-02")));
    for told in futures_util::future::join_all(all).await {
        assert_eq!(closed(&told.unwrap()), ["2027-02"]);
    }
    assert_eq!(trail(&s.w, "month").await, ["month.close 2027-02"]);
}

async fn dated(w: &World, id: kernel::BookingId) -> Vec<(String, DateTime<Utc>)> {
    let entries = w.read(move |u| u.ledger().of_booking(id)).await;
    entries.into_iter().map(|e| (e.kind, e.at)).collect()
}

/// The clock of one server is behind that of the one where the month was closed.
async fn what_has_happened_is_dated_in_what_is_open(db: TestDb) {
    let s = Stock::on(db).await;
    let w = &s.w;
    until(w, utc("2027-02-23T15:00:00Z")).await;
    w.clock.set(february_is_over());
    close(w, "2027-02").await.unwrap();
    let before = dated(w, s.deposit.id).await;
    // The balance of the move of February 26 falls due on the 24th: it is charged all the same.
    w.clock.set(utc("2027-02-24T15:00:00Z"));
    w.work().await;
    let after = dated(w, s.deposit.id).await;
    assert_eq!(after.len(), before.len() + 1);
    assert_eq!(after.last().unwrap(), &("capture".to_owned(), february_is_over()));
    assert_eq!(*s.row(&s.deposit, PaymentKind::Balance).await.state, status_machine::payment::State::Captured);
    // A customer's cancellation is served, its money goes back, and what it keeps is invoiced; a move is done.
    let early = dated(w, s.fresh.id).await.len();
    service::bookings::cancel::cancel(&w.s, &w.customer, s.fresh.id).await.unwrap();
    w.work().await;
    assert!(dated(w, s.fresh.id).await[early..].iter().all(|e| e.1 == february_is_over()));
    let statement = service::bookings::statement::statement(&w.s, &w.customer, s.fresh.id).await.unwrap();
    let told: Vec<_> = statement.rows.iter().map(|r| (&r.fact, r.balance.cents())).collect();
    assert_eq!(told.last(), Some(&(&Fact::Cancelled, 0)), "{told:?}");
    w.s.write(Actor::system(), {
        let b = w.booking(s.paid.id).await;
        move |tx| {
            assert_eq!(dates::of_fact(tx)?, february_is_over());
            ledger::completion(tx, &b)
        }
    })
    .await
    .unwrap();
    assert_eq!(dated(w, s.paid.id).await.last().unwrap(), &("completion".to_owned(), february_is_over()));
    // What comes later has its own instant again.
    w.clock.set(utc("2027-03-02T15:00:00Z"));
    let at = w.s.write(Actor::system(), dates::of_fact).await.unwrap();
    assert_eq!(at, utc("2027-03-02T15:00:00Z"));
}

async fn staff_wait_and_write_nothing(db: TestDb) {
    let s = Stock::on(db).await;
    let w = &s.w;
    w.clock.set(february_is_over());
    close(w, "2027-02").await.unwrap();
    w.clock.set(utc("2027-02-14T15:00:00Z"));
    let waits = Some((ErrorCode::PeriodClosed, String::new()));
    let rows = dated(w, s.fresh.id).await;
    let cash = || Received { method: PaidWith::Cash, amount: Money::from_cents(1_000), reference: None };
    assert_eq!(refused(&received::record(&w.s, &w.staff(), s.fresh.id, cash(), None).await), waits);
    assert_eq!(dated(w, s.fresh.id).await, rows, "nothing was written");
    let credit = NewCredit { kind: CreditKind::Goodwill, amount: Money::from_cents(500), reason: "late".into() };
    let told = credits::give(&w.s, &w.staff(), s.done.id, credit, None).await;
    assert_eq!(refused(&told), waits);
    // Of a move to come it lowers what will be owed, and posts nothing today.
    let credit = NewCredit { kind: CreditKind::Goodwill, amount: Money::from_cents(500), reason: "late".into() };
    let told = credits::give(&w.s, &w.staff(), s.fresh.id, credit, None).await;
    assert_eq!(refused(&told), waits);
    assert!(w.booking(s.fresh.id).await.details.credits.is_empty());
    let staff = w.staff();
    let to = |to| status::set(&w.s, &staff, s.done.id, to, StatusInput::default());
    assert_eq!(refused(&to(Status::Invoiced).await), waits);
    assert_eq!(w.booking(s.done.id).await.status, Status::Completed);
    // Reopened, or once the clock is right, it goes.
    reopen(w, "2027-02", "the clock").await.unwrap();
    received::record(&w.s, &w.staff(), s.fresh.id, cash(), None).await.unwrap();
    to(Status::Invoiced).await.unwrap();
    let done = s.done.id;
    let invoice = w.read(move |u| u.invoices().of_booking(done)).await.remove(0);
    w.work().await;
    w.clock.set(february_is_over());
    close(w, "2027-02").await.unwrap();
    w.clock.set(utc("2027-02-14T16:00:00Z"));
    let told = service::invoices::desk::take_back(&w.s, &w.staff(), invoice.id, "wrong".into()).await;
    assert_eq!(refused(&told), waits);
}

async fn taken(w: &World, text: &str, content: Content) -> Vec<Posting> {
    accounting::month(&w.s, &w.staff(), month(text), content, Language::Fr).await.unwrap()
}

async fn a_closed_month_stays_as_it_was_taken_along(db: TestDb) {
    let s = Stock::on(db).await;
    let w = &s.w;
    status::set(&w.s, &w.staff(), s.done.id, Status::Invoiced, StatusInput::default()).await.unwrap();
    until(w, february_is_over()).await;
    close(w, "2027-02").await.unwrap();
    let all = [Content::Journal, Content::Days, Content::Invoices];
    let mut before = Vec::new();
    for content in all {
        before.push(taken(w, "2027-02", content).await);
    }
    assert!(before.iter().all(|part| !part.is_empty()));
    // Afterwards money is given back, which a credit note of March says, and a payment that was taken is taken out.
    w.clock.set(utc("2027-03-03T15:00:00Z"));
    let credit = NewCredit { kind: CreditKind::Goodwill, amount: Money::from_cents(2_000), reason: "late".into() };
    credits::give(&w.s, &w.staff(), s.done.id, credit, None).await.unwrap();
    until(w, utc("2027-03-05T15:00:00Z")).await;
    for (content, was) in all.into_iter().zip(before) {
        assert_eq!(taken(w, "2027-02", content).await, was, "{content:?}");
    }
    let notes = taken(w, "2027-03", Content::Invoices).await;
    assert!(notes.iter().any(|p| p.number.starts_with("CN-")), "{notes:?}");
    let customer = notes.iter().find(|p| p.number.starts_with("CN-") && p.account == Account::Customer).unwrap();
    assert_eq!(customer.amount.cents(), -2_000);
}

fn by_account<'a>(all: impl Iterator<Item = (Account, &'a Money)>) -> BTreeMap<Account, i64> {
    let mut sums = BTreeMap::new();
    for (account, amount) in all {
        *sums.entry(account).or_insert(0) += amount.cents();
    }
    sums.retain(|_, n| *n != 0);
    sums
}

async fn the_file_adds_up_to_the_journal(db: TestDb) {
    let s = Stock::on(db).await;
    let w = &s.w;
    until(w, utc("2027-03-02T00:00:00Z")).await;
    let (first, last) = (month("2027-02").first(), month("2027-02").last());
    let mut journal = Journal::open(&w.s, &w.staff(), first, last).await.unwrap();
    let mut entries = Vec::new();
    while let Some(page) = journal.next(&w.s).await.unwrap() {
        entries.extend(page);
    }
    let days: Vec<NaiveDate> = entries.iter().map(|e| ZONE.local(e.place.0).date).collect();
    for content in [Content::Journal, Content::Days] {
        let file = taken(w, "2027-02", content).await;
        // Every entry balances by itself, and every day is the journal's, account by account.
        let mut own: BTreeMap<(NaiveDate, &str), i64> = BTreeMap::new();
        for p in &file {
            *own.entry((p.date, &p.number)).or_default() += p.amount.cents();
        }
        assert!(own.len() > 3 && own.values().all(|sum| *sum == 0), "{own:?}");
        let mut numbers: Vec<&str> = own.keys().map(|k| k.1).collect();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), own.len(), "a number is one entry");
        for date in &days {
            let of_journal = entries.iter().filter(|e| ZONE.local(e.place.0).date == *date).flat_map(|e| &e.lines);
            let want = by_account(of_journal.map(|l| (l.account, &l.amount)));
            let got = by_account(file.iter().filter(|p| p.date == *date).map(|p| (p.account, &p.amount)));
            assert_eq!(got, want, "{content:?} {date}");
            let sides = |positive: bool| -> i64 {
                let side = file.iter().filter(|p| p.date == *date && p.amount.is_positive() == positive);
                side.map(|p| p.amount.cents()).sum()
            };
            assert_eq!(sides(true), -sides(false), "{date}");
        }
        assert!(file.iter().all(|p| (first..=last).contains(&p.date)));
    }
    let told = trail(w, "accounting").await;
    assert_eq!(told, ["accounting.export 2027-02", "accounting.export 2027-02"]);
}

/// What was invoiced of a booking is what it earned, in the journal of the same months.
async fn invoices_add_up_to_what_was_earned(db: TestDb) {
    let s = Stock::on(db).await;
    let w = &s.w;
    status::set(&w.s, &w.staff(), s.done.id, Status::Invoiced, StatusInput::default()).await.unwrap();
    w.work().await;
    let credit = NewCredit { kind: CreditKind::Goodwill, amount: Money::from_cents(3_333), reason: "late".into() };
    credits::give(&w.s, &w.staff(), s.done.id, credit, None).await.unwrap();
    w.work().await;
    let file = taken(w, "2027-02", Content::Invoices).await;
    let mut own: BTreeMap<&str, i64> = BTreeMap::new();
    for p in &file {
        *own.entry(&p.number).or_default() += p.amount.cents();
    }
    assert!(own.len() >= 3 && own.values().all(|sum| *sum == 0), "{own:?}");
    let earned = [Account::Revenue, Account::CancellationRevenue, Account::Gst, Account::Qst, Account::Hst];
    for b in [&s.done, &s.cancelled] {
        let id = b.id;
        let papers = w.read(move |u| u.invoices().of_booking(id)).await;
        let numbers: Vec<String> = papers.iter().map(|i| i.number_text()).collect();
        assert!(!numbers.is_empty(), "{}", b.short_id);
        let got = by_account(
            file.iter()
                .filter(|p| numbers.contains(&p.number) && earned.contains(&p.account))
                .map(|p| (p.account, &p.amount)),
        );
        let entries = w.read(move |u| u.ledger().of_booking(id)).await;
        let lines: Vec<_> = entries.iter().flat_map(|e| e.lines().to_vec()).collect();
        let want = by_account(lines.iter().filter(|l| earned.contains(&l.account)).map(|l| (l.account, &l.amount)));
        assert_eq!(got, want, "{}", b.short_id);
    }
    let note = s.w.read({
        let id = s.done.id;
        move |u| u.invoices().of_booking(id)
    });
    assert!(note.await.iter().any(|i| i.purpose == Purpose::CreditNote));
}

async fn customers(w: &World, at: DateTime<Utc>) -> Money {
    let all = books::balances(&w.s, &w.staff(), at).await.unwrap();
    all.into_iter().filter(|b| OF_CUSTOMERS.contains(&b.0)).map(|b| b.1).sum()
}

async fn what_is_owed_is_what_the_accounts_say(db: TestDb) {
    let s = Stock::on(db).await;
    let w = &s.w;
    let now = w.clock.now_value();
    let found = aged::at(&w.s, &w.staff(), now).await.unwrap();
    assert_eq!((found.debtors.len(), found.owed), (0, Money::ZERO));
    assert!(found.held.is_positive());
    assert_eq!(found.accounts, found.held.negated());
    // Done without being paid: all of it is owed.
    let id = s.fresh.id;
    w.write(move |u| {
        let mut b = u.bookings().get(id)?.unwrap();
        b.details.paid_by = service::ports::bookings::PaidBy::OnSite;
        let version = b.version;
        u.bookings().update(&b, version)
    })
    .await;
    w.clock.set(utc("2027-02-27T22:00:00Z"));
    let said = StatusInput { reason: Some("done".into()), ..StatusInput::default() };
    status::set(&w.s, &w.staff(), id, Status::Completed, said).await.unwrap();
    let at = w.clock.now_value();
    let found = aged::at(&w.s, &w.staff(), at).await.unwrap();
    assert_eq!(found.debtors.len(), 1, "{found:?}");
    let debtor = &found.debtors[0];
    assert_eq!((debtor.name.as_str(), debtor.partner, debtor.total.cents()), ("Ana Roy", None, 57_488));
    assert_eq!((debtor.debts[0].booking.id, debtor.debts[0].due_at), (id, Some(at)));
    assert_eq!(found.by_age.map(|a| a.cents()), [57_488, 0, 0, 0, 0]);
    // At every instant, past and present: owed less held is what the accounts say.
    for day in 8..=28 {
        for hour in [3, 15, 23] {
            let instant = utc(&format!("2027-02-{day:02}T{hour:02}:30:00Z"));
            let found = aged::at(&w.s, &w.staff(), instant).await.unwrap();
            assert_eq!(found.owed.minus(found.held), customers(w, instant).await, "{instant}");
            assert_eq!(found.accounts, customers(w, instant).await, "{instant}");
            let sum: Money = found.debtors.iter().flat_map(|d| &d.debts).map(|d| d.amount).sum();
            assert_eq!(sum, found.owed, "{instant}");
        }
    }
    // Paid in part, so much less is owed, of the same age.
    let part = Received { method: PaidWith::Cash, amount: Money::from_cents(7_488), reference: None };
    received::record(&w.s, &w.staff(), id, part, None).await.unwrap();
    let later = utc("2027-03-20T15:00:00Z");
    w.clock.set(later);
    let found = aged::at(&w.s, &w.staff(), later).await.unwrap();
    assert_eq!(found.by_age.map(|a| a.cents()), [0, 50_000, 0, 0, 0]);
    assert_eq!(found.debtors[0].debts[0].days_late, 21);
    let file = aged::file(&w.s, &w.staff(), later).await.unwrap();
    assert_eq!(file, found);
    assert_eq!(trail(w, "aged").await.len(), 1);
}

/// By its invoice, a partner's has thirty days; without one it is not due.
async fn a_debt_grows_older(db: TestDb) {
    let s = Stock::on(db).await;
    let w = &s.w;
    let (id, partner) = (s.done.id, kernel::PartnerId(Uuid::from_u128(0x7a)));
    let now = w.clock.now_value();
    let record = service::ports::directory::PartnerRecord {
        id: partner,
        number: 0,
        name: "Meubles Tremblay".into(),
        addresses: Vec::new(),
        contacts: Vec::new(),
        rate_name: None,
        net_days: 30,
        language: None,
        state: At::stored(service::ports::directory::PartnerState::Active),
        version: 1,
        created_at: now,
        updated_at: now,
    };
    w.write(move |u| {
        u.directory().add_partner(&record)?;
        let mut b = u.bookings().get(id)?.unwrap();
        b.partner_id = Some(partner);
        let version = b.version;
        u.bookings().update(&b, version)?;
        Ok(())
    })
    .await;
    // The bank refuses its balance: so much is owed again.
    let b = w.booking(id).await;
    w.s.write(Actor::system(), {
        let row = s.row(&s.done, PaymentKind::Balance).await;
        let order = s.order(&row).await;
        move |tx| ledger::settlement_declined(tx, &b, &row, &order)
    })
    .await
    .unwrap();
    let found = aged::at(&w.s, &w.staff(), now).await.unwrap();
    assert_eq!((found.debtors[0].name.as_str(), found.debtors[0].partner), ("Meubles Tremblay", Some(partner)));
    assert_eq!((found.by_age[0].cents(), found.debtors[0].debts[0].due_at), (45_990, None));
    status::set(&w.s, &w.staff(), id, Status::Invoiced, StatusInput::default()).await.unwrap();
    let due = w.read(move |u| u.invoices().of_booking(id)).await.remove(0).due_at.unwrap();
    assert_eq!(due, now + chrono::Duration::days(30));
    let evening = |days: u64| {
        let day = ZONE.local(due).date + chrono::Days::new(days);
        ZONE.instant(day, NaiveTime::from_hms_opt(19, 0, 0).unwrap()).unwrap()
    };
    for (days, age) in [(0, 0), (1, 1), (30, 1), (31, 2), (60, 2), (61, 3), (90, 3), (91, 4), (400, 4)] {
        let found = aged::at(&w.s, &w.staff(), evening(days)).await.unwrap();
        let want: Vec<i64> = (0..5).map(|n| if n == age { 45_990 } else { 0 }).collect();
        assert_eq!(found.by_age.map(|a| a.cents()).to_vec(), want, "{days} days late");
    }
    let before = aged::at(&w.s, &w.staff(), due - chrono::Duration::hours(1)).await.unwrap();
    assert_eq!((before.by_age[0].cents(), before.debtors[0].debts[0].days_late), (45_990, 0));
}
