//! The books for whoever does the accounts: journal, balances, the report of a day, what lies in trust. Days are those of
//! the company's zone.

use chrono::{DateTime, Datelike, Duration, NaiveDate, NaiveTime, Utc};
use kernel::{Money, Zone};
use serde_json::json;

use crate::{
    Error, FieldProblem, ServiceResult, Services, Staff,
    billing::{
        facts::SETTLEMENT_DECLINED,
        ledger::{REFUND_DECLINED, UNDONE},
    },
    ports::{
        books::{InTrust, JournalEntry, Place, Sum},
        comparisons::Standing,
        ledger::Account,
        payments::PaidWith,
    },
};

/// The zone of the company's days.
pub const ZONE: Zone = Zone::MONTREAL;
/// The longest journal, days.
pub const LONGEST: i64 = 400;
/// Entries read at a time.
pub const PAGE: i64 = 5_000;

/// Where money lies that somebody gave us.
const MONEY: [Account; 3] = [Account::Gateway, Account::Cash, Account::Bank];

/// Entries that take money out of the books that had been written down and never came: a payment by hand that was undone, a
/// charge that the bank refused when it settled.
const NEVER_CAME: [&str; 2] = [UNDONE, SETTLEMENT_DECLINED];

fn midnight(date: NaiveDate) -> ServiceResult<DateTime<Utc>> {
    ZONE.instant(date, NaiveTime::MIN).map_err(|e| Error::Internal(format!("{date} has no midnight: {e}")))
}

/// From the first instant of a day to that after the last, which `field` names.
pub(super) fn days(
    first: NaiveDate,
    last: NaiveDate,
    field: &'static str,
) -> ServiceResult<(DateTime<Utc>, DateTime<Utc>)> {
    let next = last.succ_opt().filter(|next| next.year() <= 9_999);
    let next = next.ok_or_else(|| Error::field(field, FieldProblem::OutOfRange))?;
    Ok((midnight(first)?, midnight(next)?))
}

/// A journal that is read page by page.
#[derive(Debug, Clone)]
pub struct Journal {
    from: DateTime<Utc>,
    until: DateTime<Utc>,
    after: Option<Place>,
    done: bool,
}

impl Journal {
    /// `GET /journal`. That somebody took it along is on record.
    ///
    /// # Errors
    /// The field `to` when it is before `from`, or too far from it.
    pub async fn open(s: &Services, staff: &Staff, first: NaiveDate, last: NaiveDate) -> ServiceResult<Journal> {
        if last < first || (last - first).num_days() >= LONGEST {
            let furthest = first + Duration::days(LONGEST - 1);
            return Err(Error::field("to", FieldProblem::Between(first.into(), furthest.into())));
        }
        let (from, until) = days(first, last, "to")?;
        s.write(staff.actor(), move |tx| {
            let by = tx.actor.user.map_or_else(String::new, |u| u.to_string());
            tx.audit("journal.export", by, None, Some(json!({ "from": first, "to": last }))).map_err(Error::from)
        })
        .await?;
        Ok(Journal { from, until, after: None, done: false })
    }

    /// The next entries, the oldest first; none at the end.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn next(&mut self, s: &Services) -> ServiceResult<Option<Vec<JournalEntry>>> {
        if self.done {
            return Ok(None);
        }
        let (from, until, after) = (self.from, self.until, self.after);
        let page = s.store.read(move |u| u.books().journal(from, until, after, PAGE).map_err(Error::from)).await?;
        self.after = page.last().map(|e| e.place);
        self.done = page.len() < usize::try_from(PAGE).unwrap_or(usize::MAX);
        Ok((!page.is_empty()).then_some(page))
    }
}

/// `GET /books/balances`: every account as it was at an instant.
///
/// # Errors
/// When the database fails.
pub async fn balances(s: &Services, _: &Staff, at: DateTime<Utc>) -> ServiceResult<Vec<(Account, Money)>> {
    s.store.read(move |u| u.ledger().balances(at).map_err(Error::from)).await
}

/// Money by the way it came or went; none for entries without a payment behind them.
pub type ByWay = Vec<(Option<PaidWith>, Money)>;

/// The end of a day.
#[derive(Debug, Clone, PartialEq)]
pub struct Day {
    /// The day.
    pub date: NaiveDate,
    /// What came in, less what was written down as come and had not: below zero where that was written down on a day before.
    pub came_in: ByWay,
    /// What went out, less refunds that the bank did not take: below zero where those had gone out on a day before.
    pub went_out: ByWay,
    /// Earned by moves that were done, before tax.
    pub earned: Money,
    /// Kept of cancellations, before tax.
    pub kept: Money,
    /// Taxes collected, each by itself.
    pub taxes: Vec<(Account, Money)>,
    /// Tips that are owed to the crews of the day.
    pub tips: Money,
    /// What was moved in each account that was touched: debits, credits.
    pub accounts: Vec<(Account, Money, Money)>,
    /// Differences that the newest comparison left open.
    pub differences: usize,
    /// When that was.
    pub compared_at: Option<DateTime<Utc>>,
}

/// `GET /books/day`.
///
/// # Errors
/// The field `date` when it is the last of all days.
pub async fn day(s: &Services, _: &Staff, date: NaiveDate) -> ServiceResult<Day> {
    let (from, until) = days(date, date, "date")?;
    s.store
        .read(move |u| {
            let sums = u.books().sums(from, until)?;
            let last = u.comparisons().last()?;
            let mut differences = 0;
            if let Some(last) = &last {
                let most = i64::try_from(crate::billing::compare::MOST_KEPT).unwrap_or(i64::MAX);
                let found = u.comparisons().found_by(last.id, most)?;
                differences = found.iter().filter(|f| f.standing == Standing::Open).count();
            }
            Ok::<_, Error>(Day { differences, compared_at: last.map(|l| l.at), ..of_sums(date, &sums) })
        })
        .await
}

fn of_sums(date: NaiveDate, sums: &[Sum]) -> Day {
    let credit = |account: Account| -> Money {
        sums.iter().filter(|s| s.account == account).map(|s| s.credit.minus(s.debit)).sum()
    };
    let (mut came_in, mut went_out): (ByWay, ByWay) = (Vec::new(), Vec::new());
    let ways = [Some(PaidWith::Card), Some(PaidWith::Cash), Some(PaidWith::Etransfer), Some(PaidWith::Cheque), None];
    let mut kinds: Vec<&str> = sums.iter().map(|s| s.kind.as_str()).collect();
    kinds.dedup();
    for way in ways {
        let (mut inward, mut outward) = (Money::ZERO, Money::ZERO);
        // What only goes from one of our own places to another neither came nor went.
        for kind in &kinds {
            let of = sums.iter().filter(|s| s.kind == *kind && s.method == way && MONEY.contains(&s.account));
            let net: Money = of.map(|s| s.debit.minus(s.credit)).sum();
            if NEVER_CAME.contains(kind) {
                // Nobody was paid anything: the money had not come.
                inward = inward.plus(net);
                continue;
            }
            if *kind == REFUND_DECLINED {
                // Nobody paid us anything: the money had not gone.
                outward = outward.minus(net);
                continue;
            }
            inward = inward.plus(net.max(Money::ZERO));
            outward = outward.plus(net.negated().max(Money::ZERO));
        }
        if !inward.is_zero() {
            came_in.push((way, inward));
        }
        if !outward.is_zero() {
            went_out.push((way, outward));
        }
    }
    let accounts = Account::ALL.into_iter().filter_map(|account| {
        let own = || sums.iter().filter(move |s| s.account == account);
        let (debit, credit): (Money, Money) = (own().map(|s| s.debit).sum(), own().map(|s| s.credit).sum());
        (!debit.is_zero() || !credit.is_zero()).then_some((account, debit, credit))
    });
    Day {
        date,
        came_in,
        went_out,
        earned: credit(Account::Revenue),
        kept: credit(Account::CancellationRevenue),
        taxes: [Account::Gst, Account::Qst, Account::Hst].map(|tax| (tax, credit(tax))).to_vec(),
        tips: credit(Account::TipsPayable),
        accounts: accounts.collect(),
        differences: 0,
        compared_at: None,
    }
}

/// What lies in trust.
#[derive(Debug, Clone)]
pub struct Trust {
    /// By booking, the next move first.
    pub held: Vec<InTrust>,
    /// Their sum.
    pub total: Money,
    /// What the account says: the same, or something is wrong.
    pub account: Money,
}

/// `GET /books/trust`: what Quebec wants held in trust until the move, as it was at an instant.
///
/// # Errors
/// When the database fails.
pub async fn trust(s: &Services, _: &Staff, at: DateTime<Utc>) -> ServiceResult<Trust> {
    s.store
        .read(move |u| {
            let held = u.books().in_trust(at)?;
            let total = held.iter().map(|t| t.amount).sum();
            let balances = u.ledger().balances(at)?;
            let account: Money = balances.iter().filter(|b| b.0 == Account::Trust).map(|b| b.1).sum();
            Ok::<_, Error>(Trust { held, total, account: account.negated() })
        })
        .await
}

/// The same to be taken along, which is on record.
///
/// # Errors
/// When the database fails.
pub async fn trust_file(s: &Services, staff: &Staff, at: DateTime<Utc>) -> ServiceResult<Trust> {
    let found = trust(s, staff, at).await?;
    let many = found.held.len();
    s.write(staff.actor(), move |tx| {
        let by = tx.actor.user.map_or_else(String::new, |u| u.to_string());
        tx.audit("trust.export", by, None, Some(json!({ "at": at, "rows": many }))).map_err(Error::from)
    })
    .await?;
    Ok(found)
}
