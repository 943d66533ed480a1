//! Many records of a catalogue at once, as a file of another tool has them: all of them are written, or none.
//!
//! The file is read above; here it is rows of forms, each with the line it stands in. What a single call would refuse is
//! refused of a row by the same functions, and a row that says what its record says already changes nothing.

pub mod discounts;
mod known;
pub mod mates;
pub mod partners;
pub mod rates;
pub mod trucks;

use std::collections::{BTreeSet, HashMap};

use known::{Known, Meaning};
use serde_json::json;

use crate::{
    Error, ErrorCode, ServiceResult, Services, Staff, Tx,
    idempotency::{Answer, Guard},
    ports::{StoreError, Unit, store::Size},
};

/// What became of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// A new record.
    Added,
    /// Its record says something else now.
    Changed,
    /// Its record said so before.
    Unchanged,
}

/// The fields a file has columns of. Of the others a record keeps what it says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Given(BTreeSet<String>);

impl Given {
    /// These fields, by their names in the API.
    pub fn of(fields: impl IntoIterator<Item = String>) -> Given {
        Given(fields.into_iter().collect())
    }

    /// What the record says, where the file has no column of the field.
    pub(crate) fn or_kept<T: Clone>(&self, field: &str, new: &mut T, kept: &T) {
        if !self.0.contains(field) {
            new.clone_from(kept);
        }
    }
}

/// A catalogue whose records are imported.
pub trait Catalogue: 'static {
    /// What staff write down about a record.
    type Form: Clone + PartialEq + Send + 'static;
    /// A record.
    type Record: Clone + PartialEq + Send + 'static;

    /// Its name in addresses and in the audit trail.
    const NAME: &'static str;

    /// Waits for whoever must not write at the same time.
    ///
    /// # Errors
    /// When the database fails.
    fn begin(_: &mut Tx<'_>) -> ServiceResult<()> {
        Ok(())
    }

    /// Every record that a row could name, in the order of a file: the same in two databases that say the same. Who is gone
    /// comes last.
    ///
    /// # Errors
    /// When the database fails.
    fn all(unit: &mut dyn Unit) -> ServiceResult<Vec<Self::Record>>;

    /// Which record a row means.
    fn key(form: &Self::Form) -> String;

    /// The key of a record.
    fn key_of(record: &Self::Record) -> String;

    /// What a row means by less than a key, when no record has its key: one record, if it is the only one called so.
    fn alias(_: &Self::Form) -> Option<String> {
        None
    }

    /// What a record is called when its key is not told.
    fn alias_of(_: &Self::Record) -> Option<String> {
        None
    }

    /// Archived: a single row means it only when nobody else has its key.
    fn is_gone(record: &Self::Record) -> bool;

    /// The row says that its record is archived.
    fn is_gone_in(_: &Self::Form) -> bool {
        false
    }

    /// Two records that are not archived never share this key.
    fn is_unique(_key: &str) -> bool {
        true
    }

    /// The form in the writing of the catalogue.
    ///
    /// # Errors
    /// The fields that a single call would refuse whatever the records say.
    fn checked(form: Self::Form) -> ServiceResult<Self::Form>;

    /// The form with what the record says, where the file has no column of it.
    fn filled(form: Self::Form, old: &Self::Record, given: &Given) -> Self::Form;

    /// The record with what a checked form says.
    fn written(form: Self::Form, old: Self::Record) -> Self::Record;

    /// Adds a record by a checked form, as the single call does.
    ///
    /// # Errors
    /// Those of the call.
    fn add(tx: &mut Tx<'_>, form: Self::Form) -> ServiceResult<()>;

    /// Changes a record by a checked form, as the single call does.
    ///
    /// # Errors
    /// Those of the call.
    fn change(tx: &mut Tx<'_>, old: &Self::Record, form: Self::Form) -> ServiceResult<()>;
}

/// A row of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Row<F> {
    /// Where it stands, from 1; the line of the names of columns counts.
    pub line: usize,
    /// What it says.
    pub form: F,
}

/// A file that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Sheet<F> {
    /// What it has columns of.
    pub given: Given,
    /// Its rows.
    pub rows: Vec<Row<F>>,
    /// Everything is tried, nothing is kept.
    pub is_trial: bool,
}

/// Why a row is not taken.
#[derive(Debug)]
pub enum Problem {
    /// An earlier row, in this line, means the same record.
    Twice(usize),
    /// Several records are called so.
    Several,
    /// What a single call would have answered.
    Refused(Error),
    /// The rows of a rate card lack this path.
    NoFigure(String),
    /// The figure of this path has another form.
    NotAFigure(String),
    /// A version of a rate card that is there says something else.
    OtherVersion(Box<rates::Difference>),
}

/// A row that is not taken.
#[derive(Debug)]
pub struct Wrong {
    /// Its line.
    pub line: usize,
    /// Why.
    pub problem: Problem,
}

/// What became of a file.
#[derive(Debug, Default)]
pub struct Report {
    /// New records.
    pub added: usize,
    /// Records that say something else now.
    pub changed: usize,
    /// Records that said so before.
    pub unchanged: usize,
    /// Rows that are not taken, by line. With one of them nothing is kept.
    pub wrong: Vec<Wrong>,
    /// Something was written.
    pub saved: bool,
}

/// How a unit of work ends that keeps nothing.
enum Undone {
    /// As it was to end.
    Tried(Report),
    /// It failed.
    Failed(Error),
}

impl From<Error> for Undone {
    fn from(e: Error) -> Undone {
        Undone::Failed(e)
    }
}

impl From<StoreError> for Undone {
    fn from(e: StoreError) -> Undone {
        Undone::Failed(e.into())
    }
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
) -> ServiceResult<Answer<Report>> {
    whole(s, staff, C::NAME, sheet.is_trial, guard, move |tx| write::<C>(tx, sheet)).await
}

/// One file as one unit of work, however its rows are written.
async fn whole(
    s: &Services,
    staff: &Staff,
    name: &'static str,
    is_trial: bool,
    guard: Option<Guard<Report>>,
    write: impl FnOnce(&mut Tx<'_>) -> ServiceResult<Report> + Send + 'static,
) -> ServiceResult<Answer<Report>> {
    let asked_at = s.clock.now();
    let done: Result<Answer<Report>, Undone> = s
        .write_of(Size::Large, staff.actor(), move |tx| {
            if let Some(guard) = &guard
                && let Some((status, body)) = guard.request.replay(tx.unit, asked_at)?
            {
                return Ok(Answer::Replayed { status, body });
            }
            let mut report = write(tx)?;
            if is_trial || !report.wrong.is_empty() {
                // What was tried is rolled back.
                return Err(Undone::Tried(report));
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
            Ok(Answer::Fresh(report))
        })
        .await;
    match done {
        Ok(answer) => Ok(answer),
        Err(Undone::Tried(report)) => Ok(Answer::Fresh(report)),
        Err(Undone::Failed(e)) => Err(e),
    }
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

/// That somebody took a catalogue along is on record.
async fn taken_along(s: &Services, staff: &Staff, name: &'static str, rows: usize) -> ServiceResult<()> {
    s.write(staff.actor(), move |tx| {
        tx.audit("catalogue.export", name, None, Some(json!({ "rows": rows }))).map_err(Error::from)
    })
    .await
}

fn write<C: Catalogue>(tx: &mut Tx<'_>, sheet: Sheet<C::Form>) -> ServiceResult<Report> {
    C::begin(tx)?;
    let mut known = Known::<C>::of(C::all(tx.unit)?);
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
            Ok(Effect::Added) => report.added += 1,
            Ok(Effect::Changed) => report.changed += 1,
            Ok(Effect::Unchanged) => report.unchanged += 1,
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
    given: &Given,
) -> ServiceResult<Effect> {
    let Some(old) = old else {
        C::add(tx, C::checked(form)?)?;
        return Ok(Effect::Added);
    };
    let form = C::checked(C::filled(form, old, given))?;
    if C::written(form.clone(), old.clone()) == *old {
        return Ok(Effect::Unchanged);
    }
    C::change(tx, old, form)?;
    Ok(Effect::Changed)
}
