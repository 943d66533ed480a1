//! Imports one file in one unit of work.

use serde_json::json;

use super::report::Report;
use crate::{
    Error, ServiceResult, Services, Staff, Tx,
    idempotency::{Guard, Replayable},
    ports::{StoreError, store::Size},
};

/// How a unit of work ends that is rolled back.
enum Rollback {
    /// A trial ended as intended.
    Tried(Report),
    /// It failed.
    Failed(Error),
}

impl From<Error> for Rollback {
    fn from(e: Error) -> Rollback {
        Rollback::Failed(e)
    }
}

impl From<StoreError> for Rollback {
    fn from(e: StoreError) -> Rollback {
        Rollback::Failed(e.into())
    }
}

/// One file as one unit of work, however its rows are written.
pub(super) async fn whole(
    s: &Services,
    staff: &Staff,
    name: &'static str,
    is_trial: bool,
    guard: Option<Guard<Report>>,
    write: impl FnOnce(&mut Tx<'_>) -> ServiceResult<Report> + Send + 'static,
) -> ServiceResult<Replayable<Report>> {
    let asked_at = s.clock.now();
    let done: Result<Replayable<Report>, Rollback> = s
        .write_of(Size::Large, staff.actor(), move |tx| {
            if let Some(guard) = &guard
                && let Some((status, body)) = guard.request.replay(tx.unit, asked_at)?
            {
                return Ok(Replayable::Replayed { status, body });
            }
            let mut report = write(tx)?;
            if is_trial || !report.wrong.is_empty() {
                // What was tried is rolled back.
                return Err(Rollback::Tried(report));
            }
            report.saved = report.added + report.changed > 0;
            if report.saved {
                let counts = json!({
                    "added": report.added, "changed": report.changed, "unchanged": report.unchanged,
                });
                tx.audit("catalogue.import", name, None, Some(counts))?;
            }
            if let Some(guard) = guard {
                let (status, body) = (guard.render)(&report);
                guard.request.record(tx, status, body)?;
            }
            Ok(Replayable::Fresh(report))
        })
        .await;
    match done {
        Ok(answer) => Ok(answer),
        Err(Rollback::Tried(report)) => Ok(Replayable::Fresh(report)),
        Err(Rollback::Failed(e)) => Err(e),
    }
}

/// That somebody took a catalogue along is on record.
pub(super) async fn taken_along(s: &Services, staff: &Staff, name: &'static str, rows: usize) -> ServiceResult<()> {
    s.write(staff.actor(), move |tx| {
        tx.audit("catalogue.export", name, None, Some(json!({ "rows": rows }))).map_err(Error::from)
    })
    .await
}
