//! Closing months: what is dated in them stays as it is, whoever writes.

use chrono::{DateTime, NaiveTime, Utc};
use kernel::Zone;
use serde_json::json;

use super::books::ZONE;
use crate::{
    Error, ErrorCode, FieldProblem, ServiceResult, Services, Staff, Tx,
    bookings::trail::Names,
    ports::{
        Unit,
        periods::{ClosedMonth, Month},
    },
};

/// The longest reason, characters.
pub const LONGEST_REASON: usize = 500;
/// Months that are listed.
pub const MOST: usize = 240;

/// Where a month stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It has not ended everywhere the company works.
    Running,
    /// It has ended, and may still be written in.
    Open,
    /// Nothing is dated in it any more.
    Closed,
}

impl Standing {
    /// All of them.
    pub const ALL: [Standing; 3] = [Standing::Running, Standing::Open, Standing::Closed];

    /// Stable code.
    pub const fn code(self) -> &'static str {
        match self {
            Standing::Running => "running",
            Standing::Open => "open",
            Standing::Closed => "closed",
        }
    }
}

/// A month of the books.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookMonth {
    /// Which.
    pub month: Month,
    /// Where it stands.
    pub standing: Standing,
    /// When it was closed; none for one that lies before the first that was.
    pub closed_at: Option<DateTime<Utc>>,
    /// By whom.
    pub closed_by: Option<String>,
    /// An administrator may close it now.
    pub may_close: bool,
    /// An administrator may reopen it now: it was closed last.
    pub may_reopen: bool,
    /// From when on it may be closed.
    pub ends_at: DateTime<Utc>,
}

/// The months of the books.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookMonths {
    /// The newest first.
    pub months: Vec<BookMonth>,
    /// Now, as the server sees it.
    pub at: DateTime<Utc>,
}

/// Where the company works: papers have the date of their booking's own zone.
const ZONES: [Zone; 3] = [Zone::TORONTO, Zone::EDMONTON, Zone::VANCOUVER];

fn begins(zone: Zone, month: Month) -> ServiceResult<DateTime<Utc>> {
    let midnight = zone.instant(month.first(), NaiveTime::MIN);
    midnight.map_err(|_| Error::field("month", FieldProblem::OutOfRange))
}

/// From when on a month is over in every zone.
fn over_everywhere(month: Month) -> ServiceResult<DateTime<Utc>> {
    let mut latest = begins(ZONE, month.next())?;
    for zone in ZONES {
        latest = latest.max(begins(zone, month.next())?);
    }
    Ok(latest)
}

/// `GET /books/months`: every month since the first entry, the newest first.
///
/// # Errors
/// When the database fails.
pub async fn list(s: &Services, _: &Staff) -> ServiceResult<BookMonths> {
    let now = s.clock.now();
    s.store.read(move |u| listed(u, now)).await
}

fn listed(u: &mut dyn Unit, now: DateTime<Utc>) -> ServiceResult<BookMonths> {
    let closed = u.periods().closed()?;
    let last = closed.first().map(|m| m.month);
    let present = Month::of(ZONE.local(now).date);
    let first = u.periods().first_entry()?.map(|at| Month::of(ZONE.local(at).date));
    let oldest = [first, closed.last().map(|m| m.month)].into_iter().flatten().min().unwrap_or(present);
    let (mut names, mut months) = (Names::default(), Vec::new());
    // A clock that went back may be before the newest closed month.
    let (mut month, newest) = (oldest, last.map_or(present, |last| last.max(present)));
    while month <= newest {
        let ends_at = over_everywhere(month)?;
        let own = closed.iter().find(|m| m.month == month);
        let standing = if last.is_some_and(|last| month <= last) {
            Standing::Closed
        } else if ends_at <= now {
            Standing::Open
        } else {
            Standing::Running
        };
        months.push(BookMonth {
            month,
            standing,
            closed_at: own.map(|m| m.closed_at),
            closed_by: names.of(u, own.and_then(|m| m.closed_by))?,
            may_close: standing == Standing::Open && last.is_none_or(|last| month == last.next()),
            may_reopen: last == Some(month),
            ends_at,
        });
        month = month.next();
    }
    months.reverse();
    months.truncate(MOST);
    Ok(BookMonths { months, at: now })
}

fn admin_only(staff: &Staff) -> ServiceResult<()> {
    if staff.is_admin() { Ok(()) } else { Err(ErrorCode::Forbidden.into()) }
}

fn in_order(month: Month) -> Error {
    Error::Refused(ErrorCode::MonthOrder, vec![("month", month.to_string())])
}

/// `POST /books/months/close`. Months are closed one after the other; the first one closes whatever lies before it as well.
/// A month that is closed stays so: the answer of the first press may have been lost.
///
/// # Errors
/// `forbidden`; `month_not_ended`; `month_order` naming the month that comes first.
pub async fn close(s: &Services, staff: &Staff, month: Month) -> ServiceResult<BookMonths> {
    admin_only(staff)?;
    let (until, open_from) = (begins(ZONE, month.next())?, over_everywhere(month)?);
    s.write(staff.actor(), move |tx| {
        tx.unit.periods().hold()?;
        tx.look_at_clock();
        let last = tx.unit.periods().last()?.map(|m| m.month);
        if last.is_some_and(|last| month <= last) {
            return listed(tx.unit, tx.now);
        }
        if let Some(next) = last.map(Month::next).filter(|next| *next != month) {
            return Err(in_order(next));
        }
        if tx.now < open_from {
            return Err(Error::Refused(ErrorCode::MonthNotEnded, vec![("month", month.to_string())]));
        }
        let closed = ClosedMonth { month, until, open_from, closed_at: tx.now, closed_by: tx.actor.user };
        tx.unit.periods().close(&closed)?;
        tx.audit("month.close", month, None, Some(json!({ "month": month })))?;
        listed(tx.unit, tx.now)
    })
    .await
}

/// `POST /books/months/reopen`: the month that was closed last. A month that is open stays so.
///
/// # Errors
/// `forbidden`; the field `reason`; `month_order` naming the month that comes first.
pub async fn reopen(s: &Services, staff: &Staff, month: Month, reason: String) -> ServiceResult<BookMonths> {
    admin_only(staff)?;
    let reason = reason.trim().to_owned();
    match reason.chars().count() {
        0 => return Err(Error::field("reason", FieldProblem::Required)),
        n if n > LONGEST_REASON => return Err(Error::field("reason", FieldProblem::TooLong)),
        _ => {}
    }
    s.write(staff.actor(), move |tx| {
        tx.unit.periods().hold()?;
        tx.look_at_clock();
        reopened(tx, month, reason)?;
        listed(tx.unit, tx.now)
    })
    .await
}

fn reopened(tx: &mut Tx<'_>, month: Month, reason: String) -> ServiceResult<()> {
    let Some(last) = tx.unit.periods().last()?.filter(|last| month <= last.month) else { return Ok(()) };
    if month < last.month {
        return Err(in_order(last.month));
    }
    tx.unit.periods().reopen(month)?;
    let before = json!({ "month": month, "closedAt": last.closed_at });
    Ok(tx.audit("month.reopen", month, Some(before), Some(json!({ "month": month, "reason": reason })))?)
}
