//! Comparisons that are kept: the daily one, which puts right by itself what it can, and those that staff ask for, which
//! only look. A page shows the newest with what would repair each difference.

use chrono::{DateTime, Duration, Utc};
use kernel::UserId;

use super::{
    difference::Difference,
    late, reconcile,
    reconcile::Report,
    repair::{self, Repair},
    settlement,
};
use crate::{
    Actor, Error, ServiceResult, Services, Staff,
    ports::comparisons::{Comparison, ComparisonId, DifferenceId, Found, Standing},
    work::{Ran, Work},
};

/// How far back a comparison looks: a charge may settle, or be refused then, days after its
/// capture, and the program may have been down for some days.
const COMPARED: Duration = Duration::days(10);
/// Differences that are kept of one comparison; more are no differences, but another database or another gateway.
pub const MOST_KEPT: usize = 500;
/// For so long comparisons are kept.
const KEPT: Duration = Duration::days(400);

/// The daily comparison. What the gateway did after all is booked or goes back, what it refused when it settled is taken
/// out of the books.
///
/// # Errors
/// When gateway or database cannot be asked.
pub async fn daily(s: &Services) -> ServiceResult<()> {
    let (report, from, until) = compared(s).await?;
    for difference in &report.differences {
        tracing::error!(difference, "gateway, ledger and history differ");
    }
    for order in &report.differing {
        let found = super::orders::found(s, order).await?;
        let late = late::found_late(s, order, &found).await?;
        if !late && !late::reversed_late(s, order, &found).await? {
            match settlement::look(s, order.clone()).await? {
                Ran::Done => {}
                // Other money of the booking is under way.
                Ran::Later(_) | Ran::GivenUp(_) => settlement::suspect(s, order).await?,
            }
        }
    }
    let looked_again = !report.differing.is_empty();
    kept(s, report, (from, until), None, looked_again).await?;
    s.write(Actor::system(), |tx| {
        let gone = tx.unit.comparisons().purge(tx.now - KEPT)?;
        tracing::debug!(gone, "old comparisons were forgotten");
        Ok(())
    })
    .await
}

/// The comparison that somebody asked for: it changes nothing.
///
/// # Errors
/// When gateway or database cannot be asked.
pub async fn now(s: &Services, asked_by: UserId) -> ServiceResult<()> {
    let (report, from, until) = compared(s).await?;
    kept(s, report, (from, until), Some(asked_by), false).await
}

async fn compared(s: &Services) -> ServiceResult<(Report, DateTime<Utc>, DateTime<Utc>)> {
    let now = s.clock.now();
    let (from, until) = (now - COMPARED, now + Duration::seconds(1));
    Ok((reconcile::run(s, from, until).await?, from, until))
}

/// Writes down what was found and what would put it right.
async fn kept(
    s: &Services,
    report: Report,
    (from, until): (DateTime<Utc>, DateTime<Utc>),
    asked_by: Option<UserId>,
    looked_again: bool,
) -> ServiceResult<()> {
    let count = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
    let (transactions, attempts, bookings, differences) =
        (count(report.transactions), count(report.attempts), count(report.bookings), count(report.found.len()));
    let mut found = Vec::new();
    for difference in report.found.into_iter().take(MOST_KEPT) {
        let there = !looked_again || repair::still_there(s, &difference).await?;
        let repair = if there { repair::offer(s, &difference).await? } else { None };
        found.push((difference, there, repair));
    }
    s.write(Actor::system(), move |tx| {
        let (id, at) = (ComparisonId(tx.id()), tx.now);
        let mut rows = Vec::new();
        for (difference, there, repair) in found {
            rows.push(Found {
                id: DifferenceId(tx.id()),
                comparison: id,
                booking: difference.booking,
                difference: stored(&difference)?,
                repair: repair.as_ref().map(stored).transpose()?,
                standing: if there { Standing::Open } else { Standing::Mended },
                changed_at: at,
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

/// A difference as it is shown.
#[derive(Debug, Clone)]
pub struct Shown {
    /// As it is kept.
    pub found: Found,
    /// What differs.
    pub difference: Difference,
    /// What would put it right; none where that is a person's.
    pub repair: Option<Repair>,
    /// Code of the booking.
    pub short_id: Option<String>,
    /// Who changed its standing, by name.
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
    pub differences: Vec<Shown>,
}

fn name_of(u: &mut dyn crate::ports::Unit, user: Option<UserId>) -> ServiceResult<Option<String>> {
    let Some(user) = user else { return Ok(None) };
    Ok(u.profiles().get(user)?.map(|p| format!("{} {}", p.first_name, p.last_name).trim().to_owned()))
}

pub(super) fn shown(u: &mut dyn crate::ports::Unit, found: Found) -> ServiceResult<Shown> {
    let unreadable = |e: serde_json::Error| Error::Internal(format!("difference {}: {e}", found.id));
    let difference: Difference = serde_json::from_value(found.difference.clone()).map_err(unreadable)?;
    let repair = found.repair.clone().map(serde_json::from_value).transpose().map_err(unreadable)?;
    let short_id = match found.booking {
        Some(id) => u.bookings().get(id)?.map(|b| b.short_id.to_string()),
        None => None,
    };
    let changed_by = name_of(u, found.changed_by)?;
    Ok(Shown { found, difference, repair, short_id, changed_by })
}

/// `GET /reconciliation`: the newest comparison; none before the first.
///
/// # Errors
/// When the database fails.
pub async fn last(s: &Services, _: &Staff) -> ServiceResult<Option<Last>> {
    s.store
        .read(|u| {
            let Some(comparison) = u.comparisons().last()? else { return Ok(None) };
            let most = i64::try_from(MOST_KEPT).unwrap_or(i64::MAX);
            let mut differences = Vec::new();
            for found in u.comparisons().found_by(comparison.id, most)? {
                differences.push(shown(u, found)?);
            }
            let asked_by = name_of(u, comparison.asked_by)?;
            Ok(Some(Last { comparison, asked_by, differences }))
        })
        .await
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
        Ok(tx.now)
    })
    .await
}
