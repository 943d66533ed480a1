//! Comparisons that are kept: the daily one, which puts right by itself what it can, and those that staff ask for, which
//! only look. A page shows the newest with what would repair each difference.

use std::{collections::BTreeSet, fmt};

use chrono::{DateTime, Duration, Utc};
use kernel::{BookingId, UserId};

use super::{
    difference::Difference,
    late, reconcile,
    reconcile::Report,
    repair::{self, Repair},
    settlement,
};
use crate::{
    Actor, Error, ServiceResult, Services, Staff, Tx,
    ports::{
        Unit,
        comparisons::{Comparison, ComparisonId, DifferenceId, FoundDifference, Standing},
        jobs::{FailedJob, Kinds},
    },
    work::{JobOutcome, Kind, Work},
};

/// How far back a comparison looks: a charge may settle, or be refused then, days after its
/// capture, and the program may have been down for some days.
const COMPARED: Duration = Duration::days(10);
/// How far back it looks for disputes: a cardholder has about four months for one, and the bank some weeks to decide.
const DISPUTED: Duration = Duration::days(200);
/// Differences that are kept of one comparison; more are no differences, but another database or another gateway.
pub const MOST_KEPT: usize = 500;
/// A company with no more bookings than this has all of them compared when somebody asks: that takes some seconds.
const ALL: i64 = 3_000;
/// For so long comparisons are kept.
const KEPT: Duration = Duration::days(400);

/// The daily comparison. What the gateway did after all is booked or goes back, what it refused when it settled is taken
/// out of the books.
///
/// # Errors
/// When gateway or database cannot be asked.
pub async fn daily(s: &Services) -> ServiceResult<()> {
    let Compared { report, from, until, left } = compared(s, false).await?;
    for difference in &report.differences {
        tracing::error!(difference, "gateway, ledger and history differ");
    }
    for order in &report.differing {
        if let Err(failure) = settled_after_all(s, order).await {
            // What cannot be settled under one order id must not cost the comparison of all others: a job of its own tries again.
            tracing::error!(order, error = %failure, "what became of a charge could not be written down");
            settlement::suspect(s, order).await?;
        }
    }
    let looked_again = !report.differing.is_empty();
    store_comparison(s, Compared { report, from, until, left }, None, looked_again).await?;
    s.write(Actor::system(), |tx| {
        let gone = tx.unit.comparisons().purge(tx.now - KEPT)?;
        tracing::debug!(gone, "old comparisons were forgotten");
        Ok(())
    })
    .await
}

/// Writes down what the gateway did under an order id after all, or refused when it settled.
async fn settled_after_all(s: &Services, order: &str) -> ServiceResult<()> {
    let found = super::orders::find_by_order(s, order).await?;
    if late::found_late(s, order, &found).await? || late::reversed_late(s, order, &found).await? {
        return Ok(());
    }
    match settlement::look(s, order.to_owned()).await? {
        JobOutcome::Done => Ok(()),
        // Other money of the booking is under way.
        JobOutcome::Later(_) | JobOutcome::GivenUp(_) => settlement::suspect(s, order).await,
    }
}

/// The comparison that somebody asked for: it changes nothing.
///
/// # Errors
/// When gateway or database cannot be asked.
pub async fn now(s: &Services, asked_by: UserId) -> ServiceResult<()> {
    let compared = compared(s, true).await?;
    store_comparison(s, compared, Some(asked_by), false).await
}

/// Kinds of jobs that compare.
const COMPARISONS: &[&str] = &[Kind::Compare.code(), Kind::CompareNow.code()];

/// A comparison that was not made: its answer is not known, and what the page shows is older.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// When it failed.
    pub at: DateTime<Utc>,
    /// What it said.
    pub why: String,
    /// When it is tried again; none once it was given up.
    pub next: Option<DateTime<Utc>>,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (at, why) = (self.at.to_rfc3339(), &self.why);
        write!(f, "payment service and ledger were not compared: the last try failed on {at} ({why})")?;
        match self.next {
            Some(next) => write!(f, "; the next one is on {}", next.to_rfc3339()),
            None => write!(f, "; it was given up, portage jobs list names it"),
        }
    }
}

/// The last comparison that failed; none when one was made since.
///
/// # Errors
/// When the database fails.
pub fn failure(u: &mut dyn Unit) -> ServiceResult<Option<Failure>> {
    let made = u.comparisons().last()?.map(|c| c.at);
    let failed = u.jobs().failed_of(Kinds::Only(COMPARISONS))?.into_iter().filter_map(|FailedJob { job, given_up }| {
        let at = given_up.unwrap_or_else(|| job.run_at - Kind::Compare.pause(job.failures));
        let next = given_up.is_none().then_some(job.run_at);
        Some(Failure { at, why: job.last_error?, next })
    });
    Ok(failed.filter(|f| made.is_none_or(|made| f.at > made)).max_by_key(|f| f.at))
}

/// As [`failure`].
///
/// # Errors
/// When the database fails.
pub async fn failed(s: &Services) -> ServiceResult<Option<Failure>> {
    s.store.read(failure).await
}

/// A comparison that was made, and what the one before it had found.
struct Compared {
    report: Report,
    from: DateTime<Utc>,
    until: DateTime<Utc>,
    left: Vec<EarlierDifference>,
}

/// A difference that the previous comparison found.
struct EarlierDifference {
    difference: Difference,
    first_seen: DateTime<Utc>,
}

/// Compares the last days, the disputed charges of months, and whatever the comparison before found: that goes on until it is
/// solved, however long ago it happened. `asked`: somebody waits for it, and gets all there is of a small company.
async fn compared(s: &Services, asked: bool) -> ServiceResult<Compared> {
    let now = s.clock.now();
    let (from, until) = (now - COMPARED, now + Duration::seconds(1));
    let left = s.store.read(earlier_differences).await?;
    let (few, first) = s
        .store
        .read(|u| Ok::<_, Error>((u.books().bookings_after(None, ALL + 1)?.len(), u.books().first_attempt()?)))
        .await?;
    if asked && i64::try_from(few).is_ok_and(|few| few <= ALL) {
        let report = reconcile::all(s, until).await?;
        let from = first.map_or(from, |first| first.min(from));
        return Ok(Compared { report, from, until, left });
    }
    let mut again = reconcile::EarlierFindings::default();
    for one in &left {
        again.look_at(&one.difference, one.first_seen - COMPARED);
    }
    again.look_at_disputed(s, now - DISPUTED, from).await?;
    let report = reconcile::run_again(s, from, until, again).await?;
    Ok(Compared { report, from, until, left })
}

/// The differences of the last comparison, repaired ones included: a repair may not last.
fn earlier_differences(u: &mut dyn Unit) -> ServiceResult<Vec<EarlierDifference>> {
    let Some(last) = u.comparisons().last()? else { return Ok(Vec::new()) };
    let mut all = Vec::new();
    for found in u.comparisons().found_by(last.id, most_kept())? {
        match serde_json::from_value(found.difference.clone()) {
            Ok(difference) => all.push(EarlierDifference { difference, first_seen: first_seen(&found) }),
            Err(e) => tracing::error!(id = %found.id, error = %e, "a difference cannot be read"),
        }
    }
    Ok(all)
}

fn most_kept() -> i64 {
    i64::try_from(MOST_KEPT).unwrap_or(i64::MAX)
}

/// Where the day on which a difference was first seen stands in what is kept of it.
const FIRST_SEEN: &str = "firstSeen";

/// When it was first seen.
fn first_seen(found: &FoundDifference) -> DateTime<Utc> {
    let kept = found.difference.get(FIRST_SEEN).cloned();
    kept.and_then(|at| serde_json::from_value(at).ok()).unwrap_or(found.changed_at)
}

/// Stores what was found and what would put it right. If that is more than is kept, what was seen first stays.
async fn store_comparison(
    s: &Services,
    compared: Compared,
    asked_by: Option<UserId>,
    looked_again: bool,
) -> ServiceResult<()> {
    let Compared { report, from, until, left } = compared;
    let count = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
    let (transactions, attempts, bookings, differences) =
        (count(report.transactions), count(report.attempts), count(report.bookings), count(report.found.len()));
    let since = |difference: &Difference| {
        left.iter().filter(|one| one.difference.goes_on(difference)).map(|one| one.first_seen).min()
    };
    let mut all: Vec<(Difference, Option<DateTime<Utc>>)> = report
        .found
        .into_iter()
        .map(|difference| {
            let since = since(&difference);
            (difference, since)
        })
        .collect();
    all.sort_by_key(|(_, since)| (since.is_none(), *since));
    // While the payment service says something else of a booking's charge, nobody knows what is owed.
    let unclear = all.iter().filter(|(d, _)| d.what.is_unclear_at_gateway());
    let unsure: BTreeSet<BookingId> = unclear.filter_map(|(d, _)| d.booking).collect();
    let mut found = Vec::new();
    for (difference, since) in all.into_iter().take(MOST_KEPT) {
        let there = !looked_again || repair::still_there(s, &difference).await?;
        let repair = if there { repair::offer(s, &difference).await? } else { None };
        let charges = |r: &Repair| matches!(r, Repair::PlanAnew { .. } | Repair::ChargeNow { .. });
        let withheld = difference.booking.is_some_and(|id| unsure.contains(&id));
        let repair = repair.filter(|r| !(withheld && charges(r)));
        found.push((difference, since, there, repair));
    }
    s.write(Actor::system(), move |tx| {
        let (id, at) = (ComparisonId(tx.id()), instant_after_last(tx)?);
        let mut rows = Vec::new();
        for (difference, since, there, repair) in found {
            let first_seen = since.unwrap_or(at);
            let mut value = stored(&difference)?;
            if let Some(kept) = value.as_object_mut() {
                kept.insert(FIRST_SEEN.to_owned(), stored(&first_seen)?);
            }
            rows.push(FoundDifference {
                id: DifferenceId(tx.id()),
                comparison: id,
                booking: difference.booking,
                difference: value,
                repair: repair.as_ref().map(stored).transpose()?,
                standing: if there { Standing::Open } else { Standing::Mended },
                changed_at: if there { first_seen } else { at },
                changed_by: None,
            });
        }
        let made = Comparison { id, from, until, at, asked_by, transactions, attempts, bookings, differences };
        Ok(tx.unit.comparisons().add(&made, &rows)?)
    })
    .await
}

fn stored<T: serde::Serialize>(value: &T) -> ServiceResult<serde_json::Value> {
    serde_json::to_value(value).map_err(|e| Error::Internal(format!("a difference has no JSON form: {e}")))
}

/// A difference as staff see it.
#[derive(Debug, Clone)]
pub struct DifferenceView {
    /// As it is stored.
    pub found: FoundDifference,
    /// What differs.
    pub difference: Difference,
    /// When a comparison first saw it.
    pub first_seen: DateTime<Utc>,
    /// What would put it right; none if only a person can.
    pub repair: Option<Repair>,
    /// Code of the booking.
    pub short_id: Option<String>,
    /// The name of whoever changed its standing.
    pub changed_by: Option<String>,
}

/// A comparison as it is shown.
#[derive(Debug, Clone)]
pub struct Last {
    /// The comparison.
    pub comparison: Comparison,
    /// Who asked for it, by name.
    pub asked_by: Option<String>,
    /// What it found, at most [`MOST_KEPT`].
    pub differences: Vec<DifferenceView>,
}

fn name_of(u: &mut dyn Unit, user: Option<UserId>) -> ServiceResult<Option<String>> {
    let Some(user) = user else { return Ok(None) };
    Ok(u.profiles().get(user)?.map(|p| format!("{} {}", p.first_name, p.last_name).trim().to_owned()))
}

pub(super) fn shown(u: &mut dyn Unit, found: FoundDifference) -> ServiceResult<DifferenceView> {
    let unreadable = |e: serde_json::Error| Error::Internal(format!("difference {}: {e}", found.id));
    let difference: Difference = serde_json::from_value(found.difference.clone()).map_err(unreadable)?;
    let repair = found.repair.clone().map(serde_json::from_value).transpose().map_err(unreadable)?;
    let short_id = match found.booking {
        // not by its record, which may be what cannot be read
        Some(id) => u.books().code_of(id)?,
        None => None,
    };
    let changed_by = name_of(u, found.changed_by)?;
    let first_seen = first_seen(&found);
    Ok(DifferenceView { found, difference, first_seen, repair, short_id, changed_by })
}

/// `GET /reconciliation`: the newest comparison; none before the first.
///
/// # Errors
/// When the database fails.
pub async fn last(s: &Services, _: &Staff) -> ServiceResult<Option<Last>> {
    s.store
        .read(|u| {
            let Some(comparison) = u.comparisons().last()? else { return Ok(None) };
            let mut differences = Vec::new();
            for found in u.comparisons().found_by(comparison.id, most_kept())? {
                differences.push(shown(u, found)?);
            }
            let asked_by = name_of(u, comparison.asked_by)?;
            Ok(Some(Last { comparison, asked_by, differences }))
        })
        .await
}

/// Now, and after the newest comparison: a clock that stands still makes no two of them alike.
fn instant_after_last(tx: &mut Tx<'_>) -> ServiceResult<DateTime<Utc>> {
    let last = tx.unit.comparisons().last()?.map(|last| last.at + Duration::milliseconds(1));
    Ok(last.map_or(tx.now, |last| last.max(tx.now)))
}

/// `POST /reconciliation`: has a comparison made now, and answers since when its answer counts.
///
/// # Errors
/// When the database fails.
pub async fn ask(s: &Services, staff: &Staff) -> ServiceResult<DateTime<Utc>> {
    s.write(staff.actor(), |tx| {
        let asked_by = tx.actor.user.unwrap_or(UserId(kernel::uuid::Uuid::nil()));
        tx.enqueue(&Work::CompareNow { asked_by })?;
        tx.audit("comparison.start", asked_by, None, None)?;
        instant_after_last(tx)
    })
    .await
}
