//! Rate cards as staff keep them. A version is never changed: who changes a price adds a version.

use std::collections::BTreeMap;

use chrono::{DateTime, Duration, Utc};
use kernel::RateId;
use pricing::RateCard;
use serde_json::Value;

use super::{Standing, in_force, read, snapshot, standing, write};
use crate::{
    Error, ErrorCode, FieldProblem, Limit, ServiceResult, Services, Staff,
    error::FieldError,
    idempotency::{self, Guard, Replayable},
    ports::{
        StoreError, Unit,
        bookings::Page,
        rates::{STANDARD, StoredRate},
    },
};

/// The longest name, characters.
const LONGEST_NAME: usize = 100;
/// An instant that passed so long ago is still taken for now: the clocks of two machines differ, and somebody typed.
const LATE: Duration = Duration::minutes(1);
/// Nobody plans further ahead.
const FAR: Duration = Duration::days(3_650);
/// How a request calls the figures.
const CARD: &str = "card";

/// A version of a rate card, and its place among the versions of its name.
#[derive(Debug, Clone, PartialEq)]
pub struct RateCardView {
    /// The version.
    pub rate: StoredRate,
    /// Its standing among the versions.
    pub state: Standing,
    /// When it ends, or another version takes its place.
    pub until: Option<DateTime<Utc>>,
    /// The highest version of the name.
    pub latest: i32,
}

/// The next version of a card, as it was sent.
#[derive(Debug, Clone, PartialEq)]
pub struct NewVersion {
    /// The figures, amounts in whole cents.
    pub card: Value,
    /// In force from; none = at once.
    pub from: Option<DateTime<Utc>>,
    /// Name of a new card; none = of the card that is changed.
    pub name: Option<String>,
}

/// Of two versions that have begun the higher rank counts.
fn rank(rate: &StoredRate) -> (DateTime<Utc>, i32) {
    (rate.effective_from, rate.version)
}

/// When a version ends: by itself, or because one of higher rank begins.
fn until(rate: &StoredRate, versions: &[StoredRate], now: DateTime<Utc>) -> Option<DateTime<Utc>> {
    // A version that has already ended does not end another one.
    let lasts = |other: &&StoredRate| other.effective_to.is_none_or(|end| now < end);
    let above = versions.iter().filter(lasts).filter(|other| rank(other) > rank(rate));
    [rate.effective_to, above.map(|other| other.effective_from).min()].into_iter().flatten().min()
}

/// All versions of one name, each with where it stands.
fn shown(versions: Vec<StoredRate>, now: DateTime<Utc>) -> Vec<RateCardView> {
    let active = in_force(&versions, now);
    let latest = versions.iter().map(|rate| rate.version).max().unwrap_or(0);
    let ends: Vec<Option<DateTime<Utc>>> = versions.iter().map(|rate| until(rate, &versions, now)).collect();
    let stand: Vec<Standing> = versions.iter().map(|rate| standing(rate, &versions, active, now)).collect();
    let one = |((rate, until), state): ((StoredRate, Option<DateTime<Utc>>), Standing)| RateCardView {
        rate,
        state,
        until,
        latest,
    };
    versions.into_iter().zip(ends).zip(stand).map(one).collect()
}

/// A page of the versions of all cards: by name, and of each name the highest version first.
///
/// # Errors
/// When the database fails.
pub async fn list(s: &Services, _: &Staff, (page, per_page): (i64, i64)) -> ServiceResult<Page<RateCardView>> {
    let now = s.clock.now();
    let all = s.store.read(|u| u.rates().all().map_err(Error::from)).await?;
    let total = i64::try_from(all.len()).unwrap_or(i64::MAX);
    let mut names: BTreeMap<String, Vec<StoredRate>> = BTreeMap::new();
    for rate in all {
        names.entry(rate.name.clone()).or_default().push(rate);
    }
    let size = |n: i64| usize::try_from(n).unwrap_or(0);
    let skip = size(page.saturating_sub(1).saturating_mul(per_page));
    let rows = names.into_values().flat_map(|versions| shown(versions, now));
    Ok(Page { data: rows.skip(skip).take(size(per_page)).collect(), total })
}

/// One version.
///
/// # Errors
/// `not_found`.
pub async fn get(s: &Services, _: &Staff, id: RateId) -> ServiceResult<RateCardView> {
    let now = s.clock.now();
    s.store.read(move |u| of_id(u, id, now)).await
}

fn of_id(u: &mut dyn Unit, id: RateId, now: DateTime<Utc>) -> ServiceResult<RateCardView> {
    let rate = u.rates().get(id)?.ok_or(ErrorCode::NotFound)?;
    let versions = u.rates().versions(&rate.name)?;
    shown(versions, now).into_iter().find(|s| s.rate.id == id).ok_or_else(|| ErrorCode::NotFound.into())
}

/// What was sent of a version, read.
struct Checked {
    card: RateCard,
    from: Option<DateTime<Utc>>,
    name: Option<String>,
}

/// Every mistake at once. Without figures they are those that come with the program.
fn checked(
    card: Option<Value>,
    from: Option<DateTime<Utc>>,
    name: Option<String>,
    now: DateTime<Utc>,
) -> ServiceResult<Checked> {
    let mut wrong = Vec::new();
    let card = match card.map(read::read).transpose() {
        Ok(card) => Some(card.unwrap_or_else(|| RateCard::builtin().clone())),
        Err(mistakes) => {
            wrong.extend(mistakes.iter().map(|mistake| mistake.field(CARD)));
            None
        }
    };
    if from.is_some_and(|from| from < now - LATE || from > now + FAR) {
        let days = [now - LATE, now + FAR].map(|at| Limit::Date(at.date_naive()));
        wrong.push(FieldError::new("effectiveFrom", FieldProblem::Between(days[0], days[1])));
    }
    let name = name.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
    if name.as_ref().is_some_and(|name| name.chars().count() > LONGEST_NAME) {
        wrong.push(FieldError::new("name", FieldProblem::TooLong));
    }
    match card.filter(|_| wrong.is_empty()) {
        Some(card) => Ok(Checked { card, from, name }),
        None => Err(Error::Invalid(wrong)),
    }
}

/// A card of a name that none has, as it was sent.
#[derive(Debug, Clone, PartialEq)]
pub struct NewCard {
    /// The figures, amounts in whole cents; none = those that come with the program.
    pub card: Option<Value>,
    /// In force from; none = at once.
    pub from: Option<DateTime<Utc>>,
    /// Its name; none = the standard card.
    pub name: Option<String>,
}

/// Adds the first version of a card: how a new company comes to prices that it can look at and change.
///
/// # Errors
/// The field `name` when a card is called so already; the others as for a version.
pub async fn begin(
    s: &Services,
    staff: &Staff,
    new: NewCard,
    guard: Option<Guard<RateCardView>>,
) -> ServiceResult<Replayable<RateCardView>> {
    let asked_at = s.clock.now();
    let Checked { card, from, name } = checked(new.card, new.from, new.name, asked_at)?;
    let name = name.unwrap_or_else(|| STANDARD.to_owned());
    let begun = s
        .write(staff.actor(), move |tx| {
            idempotency::once(tx, guard, asked_at, |tx| {
                let taken = || Error::field("name", FieldProblem::Taken);
                if tx.unit.rates().latest_version(&name)?.is_some() {
                    return Err(taken());
                }
                let from = from.map_or(tx.now, |from| from.max(tx.now));
                let rate = match write(tx, "rate.begin", (name, 1), from, card) {
                    // Somebody else has added it at the same moment.
                    Err(StoreError::Duplicate(_)) => return Err(taken()),
                    written => written?,
                };
                of_id(tx.unit, rate.id, tx.now)
            })
        })
        .await?;
    s.rates.clear();
    Ok(begun)
}

/// Adds a version of the card that `id` is a version of, or the first version of a new name. `version` is the highest
/// version of the card that is changed.
///
/// # Errors
/// `not_found`, `version_conflict`; every mistake of the card by its place, an instant that has passed, a name that another
/// card has.
pub async fn put(
    s: &Services,
    staff: &Staff,
    id: RateId,
    new: NewVersion,
    version: i32,
) -> ServiceResult<RateCardView> {
    let Checked { card, from, name } = checked(Some(new.card), new.from, new.name, s.clock.now())?;
    let added = s
        .write(staff.actor(), move |tx| {
            let changed = tx.unit.rates().get(id)?.ok_or(ErrorCode::NotFound)?;
            if tx.unit.rates().latest_version(&changed.name)? != Some(version) {
                return Err(ErrorCode::VersionConflict.into());
            }
            let other = name.filter(|name| *name != changed.name);
            // Who adds to a card says which version of it they have read.
            let taken = || Error::field("name", FieldProblem::Taken);
            if let Some(other) = &other
                && tx.unit.rates().latest_version(other)?.is_some()
            {
                return Err(taken());
            }
            let newly_named = other.is_some();
            let next = other.map_or((changed.name, version + 1), |other| (other, 1));
            // Nothing is in force before it was written.
            let from = from.map_or(tx.now, |from| from.max(tx.now));
            let rate = match write(tx, "rate.load", next, from, card) {
                // Somebody else has added this version at the same moment.
                Err(StoreError::Duplicate(_)) if newly_named => return Err(taken()),
                Err(StoreError::Duplicate(_)) => return Err(ErrorCode::VersionConflict.into()),
                added => added?,
            };
            of_id(tx.unit, rate.id, tx.now)
        })
        .await?;
    s.rates.clear();
    Ok(added)
}

/// Removes a version that is still to come.
///
/// # Errors
/// `not_found`; `rate_in_use` once it has begun: bookings name it.
pub async fn remove(s: &Services, staff: &Staff, id: RateId) -> ServiceResult<()> {
    s.write(staff.actor(), move |tx| {
        let old = tx.unit.rates().get(id)?.ok_or(ErrorCode::NotFound)?;
        if old.effective_from <= tx.now {
            return Err(ErrorCode::RateInUse.into());
        }
        if !tx.unit.rates().remove(id)? {
            return Err(ErrorCode::NotFound.into());
        }
        tx.audit("rate.remove", id, Some(snapshot(&old)), None)?;
        Ok::<_, Error>(())
    })
    .await?;
    s.rates.clear();
    Ok(())
}
