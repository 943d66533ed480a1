//! Whether a move between two places may be booked.

use crate::{AreaId, Place, ServiceArea, area_of};

/// What "Montreal" means in "other areas can book if the pickup or dropoff is in Montreal".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MontrealScope {
    /// The whole service area of that name.
    #[default]
    GreaterMontreal,
    /// Only the municipalities on the island.
    Island,
}

/// Why a move may not be booked. Both are shown as "We currently do not operate in this area".
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unserved {
    /// An end lies in a province we do not serve.
    #[error("an end of the move is in a province that is not served")]
    Province,
    /// An end lies outside every service area, and neither is in Montreal.
    #[error("an end of the move is outside every service area")]
    Area,
}

/// Whether a move may be booked: both ends in Quebec, Ontario, British Columbia or Alberta, and
/// both in a service area or one of them in Greater Montreal. Says nothing about distance,
/// ferries or crews.
pub fn bookable(pickup: &Place, dropoff: &Place) -> Result<(), Unserved> {
    bookable_within(MontrealScope::default(), pickup, dropoff)
}

/// [`bookable`] with a chosen reading of "Montreal".
pub fn bookable_within(scope: MontrealScope, pickup: &Place, dropoff: &Place) -> Result<(), Unserved> {
    if !pickup.province.is_served() || !dropoff.province.is_served() {
        return Err(Unserved::Province);
    }
    between(scope, &[area_of(pickup), area_of(dropoff)])
}

/// The rule, once it is known in which areas the ends lie (both in served provinces).
pub(crate) fn between(scope: MontrealScope, areas: &[Option<ServiceArea>; 2]) -> Result<(), Unserved> {
    let in_montreal = areas.iter().flatten().any(|a| {
        a.id == AreaId::GreaterMontreal
            && (scope == MontrealScope::GreaterMontreal || a.sub_area.as_deref() == Some("agglomeration-montreal"))
    });
    if in_montreal || areas.iter().all(Option::is_some) { Ok(()) } else { Err(Unserved::Area) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{gazetteer::gazetteer, testing::place};
    use kernel::Province;
    use proptest::prelude::*;

    #[test]
    fn the_montreal_exception() {
        let montreal = place("QC", "Montréal", None);
        let laval = place("QC", "Laval", None);
        let quebec = place("QC", "Québec", None);
        let sherbrooke = place("QC", "Sherbrooke", None);
        let kelowna = place("BC", "Kelowna", None);
        let vancouver = place("BC", "Vancouver", None);
        let toronto = place("ON", "Toronto", None);
        let calgary = place("AB", "Calgary", None);
        let halifax = place("NS", "Halifax", None);
        for (a, b) in [
            (&montreal, &sherbrooke),
            (&quebec, &laval),
            (&kelowna, &montreal),
            (&toronto, &calgary),
            (&vancouver, &toronto),
        ] {
            assert_eq!(bookable(a, b), Ok(()), "{} – {}", a.city, b.city);
        }
        for (a, b) in [(&quebec, &sherbrooke), (&kelowna, &vancouver), (&toronto, &quebec)] {
            assert_eq!(bookable(a, b), Err(Unserved::Area), "{} – {}", a.city, b.city);
        }
        assert_eq!(bookable(&montreal, &halifax), Err(Unserved::Province));
        assert_eq!(bookable_within(MontrealScope::Island, &quebec, &laval), Err(Unserved::Area));
        assert_eq!(bookable_within(MontrealScope::Island, &quebec, &montreal), Ok(()));
        assert_eq!(bookable_within(MontrealScope::Island, &laval, &toronto), Ok(()));
    }

    proptest! {
        #[test]
        fn direction_does_not_matter(a in 0usize..5000, b in 0usize..5000) {
            let [a, b] = [a, b].map(|i| {
                let known = &gazetteer().places[i];
                Place { province: known.province, city: known.name.clone(), postal_code: Some(known.postal_code.clone()), coordinates: Some(known.coordinates) }
            });
            prop_assert_eq!(bookable(&a, &b), bookable(&b, &a));
            let everywhere = [&a, &b].iter().all(|p| matches!(p.province, Province::ON | Province::AB));
            prop_assert!(!everywhere || bookable(&a, &b).is_ok());
        }
    }
}
