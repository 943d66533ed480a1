//! Many records of a catalogue at once, as a file of another tool has them: all of them are written, or none.
//!
//! The file is read above; here it is rows of forms, each with the line it stands in. What a single call would refuse is
//! refused of a row by the same functions, and a row that says what its record says already changes nothing.

mod catalogue;
pub mod discounts;
mod known;
pub mod mates;
pub mod partners;
pub mod rates;
mod report;
mod sheet;
pub mod trucks;
mod whole;

use std::collections::HashMap;

pub use catalogue::Catalogue;
use known::{CatalogueIndex, Meaning};
pub use report::{Problem, Report, Wrong};
pub use sheet::{Row, Sheet, SheetColumns};
use whole::{taken_along, whole};

use crate::{
    Error, ErrorCode, ServiceResult, Services, Staff, Tx,
    idempotency::{Guard, Replayable},
    ports::StoreError,
};

/// What became of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowOutcome {
    /// A new record.
    Added,
    /// Its record says something else now.
    Changed,
    /// Its record said so before.
    Unchanged,
}

/// Writes every row of a file in one unit of work, or none of them: when one is wrong, or when it is only tried. A file
/// that changes something leaves one row in the audit trail beside those of its records.
///
/// # Errors
/// When the database fails; what is wrong with a row is in the report.
pub async fn import<C: Catalogue>(
    s: &Services,
    staff: &Staff,
    sheet: Sheet<C::Form>,
    guard: Option<Guard<Report>>,
) -> ServiceResult<Replayable<Report>> {
    whole(s, staff, C::NAME, sheet.is_trial, guard, move |tx| write::<C>(tx, sheet)).await
}

/// Every record of a catalogue, for a file that [`import`] takes back. That somebody took it along is on record.
///
/// # Errors
/// When the database fails.
pub async fn export<C: Catalogue>(s: &Services, staff: &Staff) -> ServiceResult<Vec<C::Record>> {
    let all = s.store.read(C::all).await?;
    taken_along(s, staff, C::NAME, all.len()).await?;
    Ok(all)
}

fn write<C: Catalogue>(tx: &mut Tx<'_>, sheet: Sheet<C::Form>) -> ServiceResult<Report> {
    C::begin(tx)?;
    let mut known = CatalogueIndex::<C>::of(C::all(tx.unit)?);
    let mut report = Report::default();
    let keys: Vec<String> = sheet.rows.iter().map(|row| C::key(&row.form)).collect();
    let mut named: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, key) in keys.iter().enumerate() {
        named.entry(key).or_default().push(at);
    }
    let mut meanings: HashMap<usize, Meaning> = HashMap::new();
    for (key, rows) in named.iter().filter(|(_, rows)| rows.len() > 1) {
        let all: Vec<&Row<C::Form>> = rows.iter().map(|at| &sheet.rows[*at]).collect();
        meanings.extend(rows.iter().copied().zip(known.apart(key, &all, &sheet.given)));
    }
    for (at, Row { line, form }) in sheet.rows.iter().enumerate() {
        let meaning = meanings.remove(&at).unwrap_or_else(|| known.meant(&keys[at], C::alias(form), &named));
        let old = match meaning {
            Meaning::New => None,
            Meaning::Of(record) => known.records.get(record),
            Meaning::Wrong(problem) => {
                report.wrong.push(Wrong { line: *line, problem });
                continue;
            }
        };
        match write_one::<C>(tx, old, form.clone(), &sheet.given) {
            Ok(RowOutcome::Added) => report.added += 1,
            Ok(RowOutcome::Changed) => report.changed += 1,
            Ok(RowOutcome::Unchanged) => report.unchanged += 1,
            Err(Error::Store(StoreError::Stale)) => {
                let why = Error::refused(ErrorCode::VersionConflict);
                report.wrong.push(Wrong { line: *line, problem: Problem::Refused(why) });
            }
            Err(why @ (Error::Store(_) | Error::Internal(_) | Error::Refused(ErrorCode::Busy, _))) => return Err(why),
            Err(why) => {
                // The index said so: PostgreSQL does nothing more for this transaction.
                let is_over = matches!(why, Error::Refused(ErrorCode::TruckNameTaken, _));
                report.wrong.push(Wrong { line: *line, problem: Problem::Refused(why) });
                if is_over {
                    break;
                }
            }
        }
    }
    report.wrong.sort_by_key(|w| w.line);
    Ok(report)
}

/// Writes a row as the single calls do, with every rule of theirs.
fn write_one<C: Catalogue>(
    tx: &mut Tx<'_>,
    old: Option<&C::Record>,
    form: C::Form,
    given: &SheetColumns,
) -> ServiceResult<RowOutcome> {
    let Some(old) = old else {
        C::add(tx, C::checked(form)?)?;
        return Ok(RowOutcome::Added);
    };
    let form = C::checked(C::filled(form, old, given))?;
    if C::written(form.clone(), old.clone())? == *old {
        return Ok(RowOutcome::Unchanged);
    }
    C::change(tx, old, form)?;
    Ok(RowOutcome::Changed)
}
