//! What a new company does before it opens: its facts, its prices, its calendar, its people, and a booking to try it all.

use chrono::{DateTime, Utc};
use serde_json::{Map, Value};

use super::Area;
use crate::{
    Error, ErrorCode, ServiceResult, Services, Staff, calendar,
    ports::{
        Store, StoreError, StoreResult, Unit, directory::MateState, lists::Listing, rates::STANDARD,
        settings::SavedSettings,
    },
};

/// Where confirmations are kept.
const CONFIRMED: &str = "first_steps";

/// A step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Step {
    /// The company's facts were saved.
    Company,
    /// Somebody wrote the standard rate card, or confirmed the one there is.
    Prices,
    /// Some hub works on some day.
    Calendar,
    /// Somebody can be sent.
    People,
    /// There is a booking.
    TestBooking,
}

impl Step {
    /// All of them, in the order in which they are best done.
    pub const ALL: [Step; 5] = [Step::Company, Step::Prices, Step::Calendar, Step::People, Step::TestBooking];

    /// Stable code.
    pub const fn code(self) -> &'static str {
        match self {
            Step::Company => "company",
            Step::Prices => "prices",
            Step::Calendar => "calendar",
            Step::People => "people",
            Step::TestBooking => "testBooking",
        }
    }
}

/// Every step, and whether it is done.
pub type Steps = [(Step, bool); 5];

/// Every step in its order, and whether it is done.
///
/// # Errors
/// When the database fails.
pub async fn look(store: &dyn Store, now: DateTime<Utc>) -> ServiceResult<Steps> {
    let has_calendar = calendar::missing(store, now).await?.len() < geography::hubs().len();
    store
        .read(move |u| {
            let mut steps = Step::ALL.map(|step| (step, step == Step::Calendar && has_calendar));
            for (step, is_done) in &mut steps {
                match step {
                    Step::Company => *is_done = u.settings().latest(Area::Company.code())?.is_some(),
                    Step::Prices => *is_done = prices(u)?,
                    Step::Calendar => {}
                    Step::People => *is_done = u.directory().mates()?.iter().any(|m| m.state == MateState::Active),
                    Step::TestBooking => *is_done = u.bookings().counted(&Listing::default(), 1)?.total > 0,
                }
            }
            Ok::<_, Error>(steps)
        })
        .await
}

/// Somebody confirmed the prices, or has written a version of the standard card themselves.
fn prices(u: &mut dyn Unit) -> StoreResult<bool> {
    let versions = u.rates().versions(STANDARD)?;
    if u.settings().latest(CONFIRMED)?.is_some() {
        return Ok(!versions.is_empty());
    }
    for rate in versions {
        if u.audits()
            .of_subject("rate", &rate.id.to_string())?
            .iter()
            .any(|row| row.actor.is_some() && row.action == "rate.load")
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// `GET /first-steps`.
///
/// # Errors
/// When the database fails.
pub async fn show(s: &Services, _: &Staff) -> ServiceResult<Steps> {
    look(&*s.store, s.clock.now()).await
}

/// Confirms that the prices are the company's own. Once is enough: a second time changes nothing.
///
/// # Errors
/// `rate_missing` while there is no standard card.
pub async fn confirm_prices(s: &Services, staff: &Staff) -> ServiceResult<Steps> {
    let confirmed = s
        .write(staff.actor(), |tx| {
            if tx.unit.rates().latest_version(STANDARD)?.is_none() {
                return Err(ErrorCode::RateMissing.into());
            }
            if tx.unit.settings().latest(CONFIRMED)?.is_some() {
                return Ok(());
            }
            let saved = Map::from_iter([(Step::Prices.code().to_owned(), Value::from(true))]);
            let row = SavedSettings {
                area: CONFIRMED.to_owned(),
                version: 1,
                saved: saved.clone(),
                changed_at: tx.now,
                changed_by: tx.actor.user,
            };
            tx.unit.settings().insert(&row)?;
            Ok(tx.audit("first_steps.prices", Step::Prices.code(), None, Some(Value::Object(saved)))?)
        })
        .await;
    match confirmed {
        // Somebody else has confirmed them at the same moment.
        Ok(()) | Err(Error::Store(StoreError::Duplicate(_))) => show(s, staff).await,
        Err(failed) => Err(failed),
    }
}
