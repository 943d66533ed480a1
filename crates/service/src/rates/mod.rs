//! The rate card in force.

use std::{
    sync::{Arc, RwLock},
    time::Duration,
};

use chrono::{DateTime, Utc};
use kernel::RateId;
use pricing::{InvalidRateCard, RateCard};
use serde_json::json;
use tokio::time::Instant;

use crate::{
    Error, ErrorCode, ServiceResult, Services,
    members::{self, Actor},
    ports::rates::StoredRate,
};

/// How long a card read from the database is trusted. Another replica's change is seen after
/// at most this long; bookings store the version they used, so nothing drifts.
const FRESH_FOR: Duration = Duration::from_secs(1);

/// The standard card as last read: prices are asked for far more often than they change.
#[derive(Default)]
pub struct Cache {
    slot: RwLock<Option<Read>>,
}

/// What was read, and when it is to be read again.
struct Read {
    /// Real time of the reading.
    at: Instant,
    /// It was in force from this business instant on.
    from: DateTime<Utc>,
    /// Another version begins: until then, of the business clock.
    until: Option<DateTime<Utc>>,
    rate: Arc<StoredRate>,
}

impl Cache {
    fn fresh(&self, now: DateTime<Utc>) -> Option<Arc<StoredRate>> {
        let slot = self.slot.read().ok()?;
        let read = slot.as_ref()?;
        let in_force = read.from <= now && read.until.is_none_or(|end| now < end);
        (read.at.elapsed() < FRESH_FOR && in_force).then(|| read.rate.clone())
    }

    fn put(&self, read: Read) {
        if let Ok(mut slot) = self.slot.write() {
            *slot = Some(read);
        }
    }

    /// Forgets what was read, after a change made here.
    pub fn clear(&self) {
        if let Ok(mut slot) = self.slot.write() {
            *slot = None;
        }
    }
}

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
    let (ctx, now) = (s.clone(), s.clock.now());
    let stored = s
        .store
        .write(move |u| {
            let version = u.rates().latest_version(&name)?.unwrap_or(0) + 1;
            let id = RateId(ctx.entropy.uuid(now));
            let rate = StoredRate { id, name, version, effective_from: from.unwrap_or(now), effective_to: None, card };
            u.rates().insert(&rate)?;
            let after = json!({ "name": rate.name, "version": version, "effectiveFrom": rate.effective_from, "card": rate.card });
            members::audit(u, &ctx, now, by, "rate.load", ("rate", &id.to_string()), None, Some(after))?;
            Ok::<_, Error>(rate)
        })
        .await?;
    s.rates.clear();
    Ok(stored)
}
