//! Rate cards: a version is many rows, one for each figure. Versions are never changed, so that a file adds those that are
//! not there; a version that is there says what its rows say, or is refused.

use std::collections::BTreeMap;

use chrono::{DateTime, SecondsFormat, Utc};
use kernel::RateId;
use pricing::RateCard;
use serde_json::{Value, json};
use status_machine::booking::Status;

pub use super::report::{Difference, Place};
use super::{
    report::{Problem, Report, Wrong},
    whole::{taken_along, whole},
};
use crate::{
    Error, FieldProblem, Limit, ServiceResult, Services, Staff, Tx,
    idempotency::{Guard, Replayable},
    ports::{Unit, lists::Listing, rates::StoredRate},
    rates::read::{self, Mistake},
};

/// Its name in addresses and in the audit trail.
pub const NAME: &str = "rates";
/// The longest name of a card, characters.
const LONGEST_NAME: usize = 100;

/// A version as a file has it.
#[derive(Debug, Clone, PartialEq)]
pub struct Version {
    /// Name of the card.
    pub name: String,
    /// Its number.
    pub number: i32,
    /// In force from.
    pub from: DateTime<Utc>,
    /// In force until (exclusive); none = open.
    pub to: Option<DateTime<Utc>>,
    /// The figures, amounts in whole cents.
    pub card: Value,
    /// Where each figure stands, by its path.
    pub lines: BTreeMap<String, usize>,
}

impl Version {
    fn first_line(&self) -> usize {
        self.lines.values().min().copied().unwrap_or(1)
    }

    /// The line of a place in the card: its own, or the first of what lies in it.
    fn line_of(&self, path: &str) -> usize {
        let below = |name: &String| name.starts_with(path) && name[path.len()..].starts_with(['.', '[']);
        let found = self.lines.get(path).copied();
        found
            .or_else(|| self.lines.iter().find(|(name, _)| below(name)).map(|(_, line)| *line))
            .unwrap_or(self.first_line())
    }
}

/// Each figure of a card by its path, as a file has them: `rates.default.km_fee`, `periods[0].from`.
pub fn figures(card: &Value) -> Vec<(String, String)> {
    let mut all = Vec::new();
    collect("", card, &mut all);
    all
}

fn collect(at: &str, value: &Value, out: &mut Vec<(String, String)>) {
    match value {
        Value::Object(object) if !object.is_empty() => {
            for (name, part) in object {
                let path = if at.is_empty() { name.clone() } else { format!("{at}.{name}") };
                collect(&path, part, out);
            }
        }
        Value::Array(list) if !list.is_empty() => {
            for (n, part) in list.iter().enumerate() {
                collect(&format!("{at}[{n}]"), part, out);
            }
        }
        // A text that reads like a number, or like nothing, is quoted, so that it comes back as a text.
        Value::String(text) if serde_json::from_str::<Value>(text).is_err() && !text.trim().is_empty() => {
            out.push((at.to_owned(), text.clone()));
        }
        other => out.push((at.to_owned(), other.to_string())),
    }
}

/// An instant as a file has it.
pub fn instant(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::AutoSi, true)
}

/// The first place where the file says something else, with what stands here and there; none when both say the same.
fn difference(there: &StoredRate, v: &Version, card: &RateCard) -> Option<(Place, Option<String>, Option<String>)> {
    if there.effective_from != v.from {
        let [here, file] = [there.effective_from, v.from].map(|at| Some(instant(at)));
        return Some((Place::Column("effectiveFrom"), here, file));
    }
    if there.effective_to != v.to {
        let [here, file] = [there.effective_to, v.to].map(|at| at.map(instant));
        return Some((Place::Column("effectiveTo"), here, file));
    }
    let [here, file] = [&there.card, card].map(|card| figures(&serde_json::to_value(card).unwrap_or_default()));
    let by_path = |all: &[(String, String)]| all.iter().cloned().collect::<BTreeMap<_, _>>();
    let (in_here, in_file) = (by_path(&here), by_path(&file));
    let path = here.iter().chain(&file).map(|(path, _)| path).find(|path| in_here.get(*path) != in_file.get(*path))?;
    Some((Place::Figure(path.clone()), in_here.get(path).cloned(), in_file.get(path).cloned()))
}

/// Writes the versions of a file that are not there, all of them or none.
///
/// # Errors
/// When the database fails; what is wrong with a row is in the report.
pub async fn import(
    s: &Services,
    staff: &Staff,
    versions: Vec<Version>,
    is_trial: bool,
    guard: Option<Guard<Report>>,
) -> ServiceResult<Replayable<Report>> {
    let done = whole(s, staff, NAME, is_trial, guard, move |tx| write(tx, versions)).await?;
    s.rates.clear();
    Ok(done)
}

/// Every version of every card, by name and number.
///
/// # Errors
/// When the database fails.
pub async fn export(s: &Services, staff: &Staff) -> ServiceResult<Vec<StoredRate>> {
    let mut all = s.store.read(|u| u.rates().all().map_err(Error::from)).await?;
    all.sort_by(|a, b| (&a.name, a.version).cmp(&(&b.name, b.version)));
    taken_along(s, staff, NAME, all.len()).await?;
    Ok(all)
}

fn write(tx: &mut Tx<'_>, mut versions: Vec<Version>) -> ServiceResult<Report> {
    versions.sort_by(|a, b| (&a.name, a.number).cmp(&(&b.name, b.number)));
    let mut report = Report::default();
    // A company that comes with its cards brings what was in force before; one that has them only plans.
    let mut new_names: BTreeMap<String, bool> = BTreeMap::new();
    for version in versions {
        let is_new = match new_names.get(&version.name) {
            Some(is_new) => *is_new,
            None => is_unused(tx.unit, &version.name)?,
        };
        new_names.insert(version.name.clone(), is_new);
        match one(tx, &version, is_new)? {
            Ok(true) => report.added += 1,
            Ok(false) => report.unchanged += 1,
            Err(wrong) => report.wrong.extend(wrong),
        }
    }
    report.wrong.sort_by_key(|w| w.line);
    Ok(report)
}

/// Nobody has had a price of this card: it is not there, or it is the one that the installation began with and nothing was
/// booked since. What was in force elsewhere changes nothing then.
fn is_unused(u: &mut dyn Unit, name: &str) -> ServiceResult<bool> {
    match u.rates().versions(name)?.len() {
        0 => Ok(true),
        1 => {
            let any = Listing { statuses: Status::ALL.to_vec(), ..Listing::default() };
            Ok(u.bookings().counted(&any, 1)?.total == 0)
        }
        _ => Ok(false),
    }
}

/// What has no row, or a value of another form, is told with its path: the line alone does not say what is meant.
fn problem_of(m: &Mistake) -> Problem {
    match m.problem {
        FieldProblem::Required => Problem::NoFigure(m.path.clone()),
        FieldProblem::Invalid if m.is_of_form() => Problem::NotAFigure(m.path.clone()),
        other => Problem::Refused(Error::field("value", other)),
    }
}

/// Whether a version was added; what is wrong with it otherwise.
fn one(tx: &mut Tx<'_>, v: &Version, is_new: bool) -> ServiceResult<Result<bool, Vec<Wrong>>> {
    let wrong = |line: usize, field: &str, problem| Wrong {
        line,
        problem: Problem::Refused(Error::field(field.to_owned(), problem)),
    };
    let card: RateCard = match read::read(v.card.clone()) {
        Ok(card) => card,
        Err(mistakes) => {
            let wrong = |m: &Mistake| Wrong { line: v.line_of(&m.path), problem: problem_of(m) };
            return Ok(Err(mistakes.iter().map(wrong).collect()));
        }
    };
    let first = v.first_line();
    if v.name.chars().count() > LONGEST_NAME {
        return Ok(Err(vec![wrong(first, "name", FieldProblem::TooLong)]));
    }
    if v.to.is_some_and(|to| to <= v.from) {
        return Ok(Err(vec![wrong(first, "effectiveTo", FieldProblem::AtLeast(v.from.date_naive().into()))]));
    }
    let there = tx.unit.rates().versions(&v.name)?;
    let highest = there.iter().map(|r| r.version).max().unwrap_or(0);
    if let Some(same) = there.iter().find(|r| r.version == v.number) {
        let Some((at, here, file)) = difference(same, v, &card) else { return Ok(Ok(false)) };
        let line = if at.column() == "value" { v.line_of(at.name()) } else { first };
        let (name, version, next) = (v.name.clone(), v.number, highest + 1);
        let problem = Problem::OtherVersion(Box::new(Difference { name, version, next, at, here, file }));
        return Ok(Err(vec![Wrong { line, problem }]));
    }
    // The next one and no other; of a card that was not here, a version that was planned and taken back leaves a gap.
    let may_follow = v.number == highest + 1 || is_new && v.number > highest;
    if !may_follow {
        let next = Limit::Count(i64::from(highest) + 1);
        let problem = if v.number > highest { FieldProblem::AtMost(next) } else { FieldProblem::AtLeast(next) };
        return Ok(Err(vec![wrong(first, "version", problem)]));
    }
    // Prices that were in force once are nobody's to change afterwards.
    if !is_new && v.from < tx.now {
        return Ok(Err(vec![wrong(first, "effectiveFrom", FieldProblem::AtLeast(tx.now.date_naive().into()))]));
    }
    let rate = StoredRate {
        id: RateId(tx.id()),
        name: v.name.clone(),
        version: v.number,
        effective_from: v.from,
        effective_to: v.to,
        card,
    };
    tx.unit.rates().insert(&rate)?;
    let told =
        json!({ "name": rate.name, "version": rate.version, "effectiveFrom": rate.effective_from, "card": rate.card });
    tx.audit("rate.load", rate.id, None, Some(told))?;
    Ok(Ok(true))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use kernel::Money;

    use super::*;

    #[test]
    fn the_first_difference_of_two_versions_is_named_with_both_values() {
        let from: DateTime<Utc> = "2027-01-01T05:00:00Z".parse().unwrap();
        let there = StoredRate {
            id: RateId(kernel::uuid::Uuid::nil()),
            name: "standard".to_owned(),
            version: 1,
            effective_from: from,
            effective_to: None,
            card: RateCard::builtin(),
        };
        let file = |from, to| Version {
            name: "standard".to_owned(),
            number: 1,
            from,
            to,
            card: Value::Null,
            lines: BTreeMap::new(),
        };
        let same = file(from, None);
        assert_eq!(difference(&there, &same, &there.card), None);
        let later = from + chrono::Duration::hours(1);
        let (at, here, said) = difference(&there, &file(later, None), &there.card).unwrap();
        assert_eq!(at, Place::Column("effectiveFrom"));
        assert_eq!([here.as_deref(), said.as_deref()], [Some("2027-01-01T05:00:00Z"), Some("2027-01-01T06:00:00Z")]);
        let (at, here, said) = difference(&there, &file(from, Some(later)), &there.card).unwrap();
        assert_eq!((at.name(), here, said.as_deref()), ("effectiveTo", None, Some("2027-01-01T06:00:00Z")));
        let mut card = there.card.clone();
        card.rates.default.km_fee = Money::from_cents(137);
        let (at, here, said) = difference(&there, &same, &card).unwrap();
        assert_eq!((at.column(), at.name()), ("value", "rates.default.km_fee"));
        assert_eq!((here, said.as_deref()), (Some(there.card.rates.default.km_fee.cents().to_string()), Some("137")));
        // What only one of them has.
        let mut card = there.card.clone();
        let gone = card.periods.len() - 1;
        card.periods.pop();
        let (at, here, said) = difference(&there, &same, &card).unwrap();
        assert!(at.name().starts_with(&format!("periods[{gone}].")), "{at:?}");
        assert!(here.is_some() && said.is_none());
    }
}
