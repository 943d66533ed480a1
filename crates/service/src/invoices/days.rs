//! The days of an invoice: when it is late, and when its reminders go out.

use chrono::{DateTime, Duration, Utc};
use kernel::Zone;
use status_machine::invoice::{REMINDER_DAYS, State};

use crate::ports::invoices::Invoice;

/// The end of the local day of an instant: what is due on a day is late when it is over.
pub(super) fn end_of_day(zone: Zone, at: DateTime<Utc>, days: i64) -> DateTime<Utc> {
    let next = zone.local(at).date.checked_add_signed(Duration::days(days + 1));
    let midnight = next.and_then(|date| zone.instant(date, chrono::NaiveTime::MIN).ok());
    midnight.unwrap_or_else(|| at + Duration::days(days + 1))
}

/// When its reminder after so many others goes out; none after the last one. Of what was sent late the days count from then:
/// nobody is reminded of a paper they have just got.
pub(super) fn reminder_at(i: &Invoice, zone: Zone, sent_before: u32) -> Option<DateTime<Utc>> {
    let since = i.due_at?.max(i.sent_at?);
    let days = usize::try_from(sent_before).ok().and_then(|n| REMINDER_DAYS.get(n))?;
    Some(end_of_day(zone, since, i64::from(*days) - 1))
}

/// When its next reminder goes out if it is not paid by then.
pub(crate) fn next_reminder(i: &Invoice, zone: Zone) -> Option<DateTime<Utc>> {
    matches!(*i.state, State::Sent | State::Overdue).then(|| reminder_at(i, zone, i.reminders)).flatten()
}
