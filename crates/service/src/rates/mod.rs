//! The rate card in force.

pub mod cache;

use std::sync::Arc;

use cache::Read;
use chrono::{DateTime, Utc};
use kernel::RateId;
use pricing::{InvalidRateCard, RateCard};
use serde_json::json;
use tokio::time::Instant;

use crate::{Actor, Error, ErrorCode, ServiceResult, Services, ports::rates::StoredRate};

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
    /// `active`, `planned` or `past`.
    pub const fn code(self) -> &'static str {
        match self {
            Standing::Active => "active",
            Standing::Planned => "planned",
            Standing::Past => "past",
        }
    }
}

/// Every version of the named card with where it stands now, the highest first.
///
/// # Errors
/// When the database fails.
pub async fn versions(s: &Services, name: String) -> ServiceResult<Vec<(StoredRate, Standing)>> {
    let now = s.clock.now();
    s.store
        .read(move |u| {
            let active = u.rates().active(Some(&name), now)?.map(|rate| rate.id);
            let standing = |rate: &StoredRate| match () {
                () if Some(rate.id) == active => Standing::Active,
                () if rate.effective_from > now => Standing::Planned,
                () => Standing::Past,
            };
            let all = u.rates().versions(&name)?;
            let stands = |rate| {
                let standing = standing(&rate);
                (rate, standing)
            };
            Ok::<_, Error>(all.into_iter().map(stands).collect())
        })
        .await
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
            let version = tx.unit.rates().latest_version(&name)?.unwrap_or(0) + 1;
            let id = RateId(tx.id());
            let rate = StoredRate { id, name, version, effective_from: from.unwrap_or(tx.now), effective_to: None, card };
            tx.unit.rates().insert(&rate)?;
            let after = json!({ "name": rate.name, "version": version, "effectiveFrom": rate.effective_from, "card": rate.card });
            tx.audit("rate.load", id, None, Some(after))?;
            Ok::<_, Error>(rate)
        })
        .await?;
    s.rates.clear();
    Ok(stored)
}
