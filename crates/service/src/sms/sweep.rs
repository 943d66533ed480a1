//! Asks what became of texts of which nobody told the end: a report may be lost, and is not repeated.

use chrono::Duration;

use super::report::{self, News};
use crate::{Actor, Error, ServiceResult, Services};

/// A report that has not come by then is asked for.
const OVERDUE: Duration = Duration::hours(24);
/// What is known by then is all that will be: not every carrier says that a text arrived.
const LAST_LOOK: Duration = Duration::days(4);
/// Texts that a sweep asks for.
const MOST: i64 = 500;

/// The job: once a day.
///
/// # Errors
/// When the service cannot be asked or the database fails.
pub(crate) async fn run(s: &Services) -> ServiceResult<()> {
    let Some(texter) = &s.texter else { return Ok(()) };
    let now = s.clock.now();
    let open = s
        .store
        .read(move |u| u.sms().open_between(now - Duration::days(60), now - OVERDUE, MOST).map_err(Error::from))
        .await?;
    for send in open {
        let Some(sid) = send.sid.clone() else { continue };
        let known = texter.read(&sid).await.map_err(|e| Error::Internal(format!("look-up of a text: {e}")))?;
        // What the service does not know any more is not asked for again.
        let until = if known.is_some() { now - LAST_LOOK } else { now };
        s.write(Actor::system(), move |tx| {
            if let Some(known) = &known {
                report::learn(tx, send.id, &News::of(known))?;
            }
            report::close(tx, send.id, until)
        })
        .await?;
    }
    Ok(())
}
