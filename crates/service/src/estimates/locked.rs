//! A price that was mailed: until it lapses it holds for exactly what was priced, whatever card of rates came into force
//! since and whatever staff made of its code. Anything else has the card and the terms of today.

use chrono::{DateTime, NaiveDate, Utc};
use kernel::PostalCode;
use pricing::MoveKind;
use sha2::{Digest as _, Sha256};

use crate::{
    ServiceResult, discounts,
    moves::{MoveInput, Whereabouts},
    ports::{Unit, discounts::StoredDiscount, identity::TokenHash, rates::StoredRate},
};

/// What a mailed quote is priced with.
#[derive(Debug, Clone)]
pub struct Locked {
    /// The card.
    pub rate: StoredRate,
    /// The code as its terms were then; none without a code, and in quotes of before terms were kept: then it is looked up.
    pub discount: Option<StoredDiscount>,
    /// Minutes and tenths of km of the loaded leg.
    pub leg: (u32, u32),
    /// When it lapses.
    pub until: DateTime<Utc>,
}

/// A mailed quote that has not lapsed, and what it was made for.
#[derive(Debug, Clone)]
pub(crate) struct LockedQuote {
    digest: String,
    locked: Locked,
}

impl LockedQuote {
    /// What this is priced with, where it is exactly what was priced.
    pub(crate) fn of(&self, job: &MoveInput, day: Option<NaiveDate>, code: Option<&str>) -> Option<&Locked> {
        (digest(job, day, code) == self.digest).then_some(&self.locked)
    }
}

impl Locked {
    /// The move on the way that it was priced with.
    pub(crate) fn on_its_way(&self, job: &MoveInput) -> MoveInput {
        MoveInput { travel_minutes: self.leg.0, distance_km10: Some(self.leg.1), ..job.clone() }
    }
}

/// A digest of everything that decides about a price, as the client sends it. The leg is not in it: the quote has its own.
/// Points are compared to a metre, so that a number's way through a browser changes nothing.
pub(crate) fn digest(job: &MoveInput, day: Option<NaiveDate>, code: Option<&str>) -> String {
    let items: Vec<_> = job.items.iter().filter(|i| i.quantity > 0).collect();
    let access = job.access.map(|a| (a.floor, a.elevator, a.parking, a.accessibility));
    let metre = |degrees: f64| format!("{degrees:.5}");
    let end = |w: &Whereabouts| {
        let point = w.coordinates.map(|c| (metre(c.lat), metre(c.lon)));
        (w.province, w.postal_code.as_ref().map(PostalCode::as_str).map(str::to_owned), point)
    };
    let crew = (
        job.mate_count.get(),
        job.client_as_mate,
        job.just_mates || job.kind == Some(MoveKind::JustMates),
        job.ride_along,
    );
    let code = code.map(discounts::key).filter(|code| !code.is_empty());
    let priced = (
        job.move_kind().code(),
        items,
        crew,
        access,
        job.ends.each_ref().map(end),
        job.assembly != Some(false),
        &job.extra_services,
        day,
        code,
    );
    // Nothing of it is a map with keys that are no texts: writing it cannot fail.
    let digest = Sha256::digest(serde_json::to_vec(&priced).unwrap_or_default());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What the quote of a link is priced with, when it has not lapsed and `digest` is of what it was made for.
///
/// # Errors
/// When the database fails.
pub(crate) fn read(
    u: &mut dyn Unit,
    link: &TokenHash,
    digest: &str,
    now: DateTime<Utc>,
) -> ServiceResult<Option<Locked>> {
    Ok(locked_quote(u, link, now)?.filter(|kept| kept.digest == digest).map(|kept| kept.locked))
}

/// The quote of a link, while it has not lapsed.
///
/// # Errors
/// When the database fails.
pub(crate) fn locked_quote(
    u: &mut dyn Unit,
    link: &TokenHash,
    now: DateTime<Utc>,
) -> ServiceResult<Option<LockedQuote>> {
    let found = u.quotes().by_token(link)?;
    let Some(quote) = found.filter(|q| now < q.valid_until) else { return Ok(None) };
    let rate = u.rates().get(quote.rate_id)?;
    let leg = (quote.travel_minutes, quote.distance_km10);
    Ok(rate.map(|rate| LockedQuote {
        digest: quote.digest,
        locked: Locked { rate, discount: quote.discount, leg, until: quote.valid_until },
    }))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{moves::Access, ports::bookings::BookedItem};
    use kernel::{Accessibility, Coordinates, MateCount, Province};

    fn job() -> MoveInput {
        let access = Access { floor: 1, elevator: 0, parking: true, accessibility: Accessibility::Easy };
        let end = Whereabouts {
            province: Some(Province::QC),
            city: Some("Montréal".into()),
            postal_code: "H2X 1Y4".parse().ok(),
            coordinates: Coordinates::new(45.5, -73.6).ok(),
        };
        MoveInput {
            kind: None,
            items: vec![BookedItem { id: "nightstand".into(), quantity: 1, assembly: None }],
            mate_count: MateCount::new(2).unwrap(),
            client_as_mate: false,
            just_mates: false,
            ride_along: false,
            travel_minutes: 10,
            distance_km10: Some(50),
            access: [access, access],
            ends: [end.clone(), end],
            assembly: None,
            extra_services: Vec::new(),
        }
    }

    #[test]
    fn what_decides_about_the_price_is_in_the_digest_and_nothing_else() {
        let day = NaiveDate::from_ymd_opt(2027, 2, 18);
        let first = digest(&job(), day, Some(" spring "));
        let same: [fn(&mut MoveInput); 5] = [
            |j| j.travel_minutes = 99,
            |j| j.distance_km10 = None,
            |j| j.kind = Some(MoveKind::Residential),
            |j| j.assembly = Some(true),
            |j| j.items.push(BookedItem { id: "couch-3-seats".into(), quantity: 0, assembly: None }),
        ];
        for change in same {
            let mut job = job();
            change(&mut job);
            assert_eq!(digest(&job, day, Some("SPRING")), first, "{job:?}");
        }
        let others: [fn(&mut MoveInput); 10] = [
            |j| j.kind = Some(MoveKind::Commercial),
            |j| j.items[0].quantity = 2,
            |j| j.items[0].assembly = Some(true),
            |j| j.mate_count = MateCount::new(3).unwrap(),
            |j| j.client_as_mate = true,
            |j| j.just_mates = true,
            |j| j.access[1].floor = 3,
            |j| j.ends[1].coordinates = Coordinates::new(45.6, -73.6).ok(),
            |j| j.ends[0].postal_code = "H2X 1Y5".parse().ok(),
            |j| j.assembly = Some(false),
        ];
        for change in others {
            let mut job = job();
            change(&mut job);
            assert_ne!(digest(&job, day, Some("SPRING")), first, "{job:?}");
        }
        assert_ne!(digest(&job(), day, None), first);
        assert_ne!(digest(&job(), NaiveDate::from_ymd_opt(2027, 2, 19), Some("SPRING")), first);
    }
}
