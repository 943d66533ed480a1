//! The rate card in force.

pub mod cache;
pub mod desk;
pub mod preview;
pub mod read;

use std::sync::Arc;

use cache::Read;
use chrono::{DateTime, Utc};
use kernel::RateId;
use pricing::{InvalidRateCard, RateCard};
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::{
    Actor, Error, ErrorCode, ServiceResult, Services, Tx,
    ports::{StoreResult, rates::StoredRate},
};

/// The standard card in force now.
///
/// # Errors
/// `no_rate` when none is in force; never a zero price.
pub async fn current(s: &Services) -> ServiceResult<Arc<StoredRate>> {
    let now = s.clock.now();
    if let Some(rate) = s.rates.fresh(now) {
        return Ok(rate);
    }
    let at = Instant::now();
    let (rate, next) = s
        .store
        .read(move |u| {
            let rate = u.rates().active(None, now)?.ok_or(ErrorCode::NoRate)?;
            Ok::<_, Error>((Arc::new(rate), u.rates().next_begin(None, now)?))
        })
        .await?;
    let until = [rate.effective_to, next].into_iter().flatten().min();
    s.rates.put(Read { at, from: rate.effective_from, until, rate: rate.clone() });
    Ok(rate)
}

/// Where a version stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Prices are made with it.
    Active,
    /// Its time is still to come.
    Planned,
    /// Another one has taken its place, or it has ended.
    Past,
}

impl Standing {
    /// All of them.
    pub const ALL: [Standing; 3] = [Standing::Active, Standing::Planned, Standing::Past];

    /// `active`, `planned` or `past`.
    pub const fn code(self) -> &'static str {
        match self {
            Standing::Active => "active",
            Standing::Planned => "planned",
            Standing::Past => "past",
        }
    }
}

/// The version that counts at an instant, of all versions of one name: of those that have begun the one that began last,
/// the higher one where two began together.
fn in_force(versions: &[StoredRate], at: DateTime<Utc>) -> Option<RateId> {
    let begun = versions.iter().filter(|r| r.effective_from <= at && r.effective_to.is_none_or(|end| at < end));
    begun.max_by_key(|r| (r.effective_from, r.version)).map(|r| r.id)
}

/// Where a version stands among those of its name when `active` is the one in force. One that begins together with a
/// higher one never counts: that has taken its place before its time.
fn standing(rate: &StoredRate, versions: &[StoredRate], active: Option<RateId>, now: DateTime<Utc>) -> Standing {
    let lasts =
        |other: &StoredRate| other.effective_to.is_none_or(|end| rate.effective_to.is_some_and(|own| own <= end));
    let is_above = |other: &StoredRate| other.effective_from == rate.effective_from && other.version > rate.version;
    let is_replaced = versions.iter().any(|other| is_above(other) && lasts(other));
    match () {
        () if Some(rate.id) == active => Standing::Active,
        () if rate.effective_from > now && !is_replaced => Standing::Planned,
        () => Standing::Past,
    }
}

/// Every version of the named card with where it stands now, the highest first.
///
/// # Errors
/// When the database fails.
pub async fn versions(s: &Services, name: String) -> ServiceResult<Vec<(StoredRate, Standing)>> {
    let now = s.clock.now();
    let all = s.store.read(move |u| u.rates().versions(&name).map_err(Error::from)).await?;
    let active = in_force(&all, now);
    let stand: Vec<Standing> = all.iter().map(|rate| standing(rate, &all, active, now)).collect();
    Ok(all.into_iter().zip(stand).collect())
}

/// `GET /rates/active?name`: the named card in force now, straight from the database.
///
/// # Errors
/// `no_rate` when there is none.
pub async fn active(s: &Services, name: Option<String>) -> ServiceResult<StoredRate> {
    let now = s.clock.now();
    s.store.read(move |u| u.rates().active(name.as_deref(), now)?.ok_or_else(|| ErrorCode::NoRate.into())).await
}

/// Why a card was not put in force.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The card itself is wrong.
    #[error(transparent)]
    Card(#[from] InvalidRateCard),
    /// Anything else; a duplicate when somebody else loaded a version at the same moment.
    #[error(transparent)]
    Service(#[from] Error),
}

/// Adds a version of the named card, in force from an instant (none: now) until a newer one is.
/// Versions are never changed: bookings keep the one they were priced with.
///
/// # Errors
/// All that is wrong with the card; failures of the database.
pub async fn load(
    s: &Services,
    by: Actor,
    name: String,
    from: Option<DateTime<Utc>>,
    card: RateCard,
) -> Result<StoredRate, LoadError> {
    card.validate()?;
    let stored = s
        .write(by, move |tx| {
            let from = from.unwrap_or(tx.now);
            add(tx, name, from, card).map_err(Error::from)
        })
        .await?;
    s.rates.clear();
    Ok(stored)
}

/// Writes the next version of a name.
fn add(tx: &mut Tx<'_>, name: String, from: DateTime<Utc>, card: RateCard) -> StoreResult<StoredRate> {
    let version = tx.unit.rates().latest_version(&name)?.unwrap_or(0) + 1;
    write(tx, "rate.load", (name, version), from, card)
}

/// Writes one version of a name. Whoever has looked which version is the latest passes the number that follows what they
/// saw: of two that looked at the same moment the database then takes one, and a number read here would let both in.
fn write(
    tx: &mut Tx<'_>,
    action: &'static str,
    (name, version): (String, i32),
    from: DateTime<Utc>,
    card: RateCard,
) -> StoreResult<StoredRate> {
    let rate = StoredRate { id: RateId(tx.id()), name, version, effective_from: from, effective_to: None, card };
    tx.unit.rates().insert(&rate)?;
    tx.audit(action, rate.id, None, Some(snapshot(&rate)))?;
    Ok(rate)
}

fn snapshot(rate: &StoredRate) -> Value {
    json!({ "name": rate.name, "version": rate.version, "effectiveFrom": rate.effective_from, "card": rate.card })
}
