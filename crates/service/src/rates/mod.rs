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
    slot: RwLock<Option<(Instant, Arc<StoredRate>)>>,
}

impl Cache {
    fn fresh(&self, at: DateTime<Utc>) -> Option<Arc<StoredRate>> {
        let slot = self.slot.read().ok()?;
        let (read_at, rate) = slot.as_ref()?;
        let in_force = rate.effective_from <= at && rate.effective_to.is_none_or(|end| at < end);
        (read_at.elapsed() < FRESH_FOR && in_force).then(|| rate.clone())
    }

    fn put(&self, rate: Arc<StoredRate>) {
        if let Ok(mut slot) = self.slot.write() {
            *slot = Some((Instant::now(), rate));
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
    let rate = Arc::new(active(s, None).await?);
    s.rates.put(rate.clone());
    Ok(rate)
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
pub async fn load(s: &Services, by: Actor, name: String, from: Option<DateTime<Utc>>, card: RateCard) -> Result<StoredRate, LoadError> {
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
