//! The clock of this machine against the database's: several servers work on one database, and leases, tokens and
//! due times are compared across them.

use std::time::Duration;

use crate::{ServiceResult, Services};

/// More than this is told: leases and tokens bear some seconds.
pub const BEARABLE: f64 = 3.0;

/// Seconds that this machine's clock is ahead of the database's, negative when it is behind; none where the database
/// has no clock of its own. What the question took counts for neither.
///
/// # Errors
/// When the database fails.
pub async fn ahead(s: &Services) -> ServiceResult<Option<f64>> {
    let before = s.wall.now();
    let theirs = s.store.time().await?;
    let after = s.wall.now();
    let seconds = |d: chrono::Duration| d.to_std().unwrap_or(Duration::ZERO).as_secs_f64();
    Ok(theirs.map(|at| seconds(before - at) - seconds(at - after)))
}

/// The warning about a clock that is wrong by more than [`BEARABLE`].
#[must_use]
pub fn clock_warning(ahead: f64) -> Option<String> {
    let direction = if ahead > 0.0 { "ahead of" } else { "behind" };
    (ahead.abs() > BEARABLE).then(|| {
        format!(
            "the clock of this machine is {:.0} s {direction} the database's: set both by NTP, or jobs are taken twice or \
             late",
            ahead.abs()
        )
    })
}
