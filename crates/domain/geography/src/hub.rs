//! Where crews and trucks start.

use std::sync::LazyLock;

use kernel::{Coordinates, Language, Province, Zone};

use crate::{
    AreaId, Place, area_of,
    areas_file::{AreaNames, areas},
    booking::{MontrealScope, between},
    ferry::needs_ferry,
    great_circle::great_circle_km,
    place::locate,
};

/// A depot with crews.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hub {
    /// Stable id: `montreal`, `kitchener-waterloo`.
    pub id: &'static str,
    /// The depot.
    pub center: Coordinates,
    /// Its province.
    pub province: Province,
    /// The zone its schedule is kept in.
    pub zone: Zone,
    /// The area it serves.
    pub area: AreaId,
    /// How far its crews go to a pickup, km; `None`: all over the area.
    pub radius_km: Option<f64>,
    /// The crew first drives to a pickup outside its area: the drop-off decided the hub, and that
    /// leg is added to the buffer and to the travel fee.
    pub positioning: bool,
    names: &'static AreaNames,
}

impl Hub {
    /// What people call it.
    pub fn name(&self, language: Language) -> &'static str {
        self.names.get(language)
    }

    /// The depot as an end of a leg.
    pub fn place(&self) -> Place {
        Place {
            province: self.province,
            city: self.names.fr.clone(),
            postal_code: None,
            coordinates: Some(self.center),
        }
    }

    fn reaches(&self, point: Coordinates) -> bool {
        self.radius_km.is_none_or(|r| great_circle_km(self.center, point) <= r)
    }
}

static HUBS: LazyLock<Vec<Hub>> = LazyLock::new(|| {
    let of_area = |area: &'static crate::areas_file::AreaRecord| {
        area.hubs.iter().map(|h| Hub {
            id: &h.id,
            center: Coordinates { lat: h.lat, lon: h.lon },
            province: area.province,
            zone: area.zone,
            area: area.id,
            radius_km: h.radius_km,
            positioning: false,
            names: &h.name,
        })
    };
    areas().iter().flat_map(of_area).collect()
});

/// All hubs, by area.
pub fn hubs() -> &'static [Hub] {
    &HUBS
}

/// The hub with this id.
pub fn hub(id: &str) -> Option<&'static Hub> {
    hubs().iter().find(|h| h.id == id)
}

/// The nearest hub of the area whose crews go as far as the point.
pub(crate) fn reaching(area: AreaId, point: Coordinates) -> Option<&'static Hub> {
    let km = |h: &&Hub| great_circle_km(h.center, point);
    hubs().iter().filter(|h| h.area == area && h.reaches(point)).min_by(|a, b| km(a).total_cmp(&km(b)))
}

/// The hub nearest to a place whatever its radius, for staff who plan a move by hand.
pub fn nearest_hub(place: &Place) -> Option<&'static Hub> {
    let point = locate(place)?;
    let km = |h: &&Hub| great_circle_km(h.center, point);
    hubs().iter().min_by(|a, b| km(a).total_cmp(&km(b)))
}

/// The hub whose crew does a move customers book themselves: the pickup's; when only the
/// drop-off lies in an area, the drop-off's, with [`Hub::positioning`] set.
///
/// `None` means that the support team must be asked: no hub is near enough, an end needs a
/// ferry, or the move may not be booked at all ([`crate::bookable`] tells).
pub fn hub_for(pickup: &Place, dropoff: &Place) -> Option<Hub> {
    if !pickup.province.is_served() || !dropoff.province.is_served() {
        return None;
    }
    let areas = [area_of(pickup), area_of(dropoff)];
    between(MontrealScope::default(), &areas).ok()?;
    if needs_ferry(pickup) || needs_ferry(dropoff) {
        return None;
    }
    let (end, area, positioning) = match areas {
        [Some(area), _] => (pickup, area, false),
        [None, area] => (dropoff, area?, true),
    };
    // A metropolitan area's hub goes everywhere in it, so a municipality without a known point
    // is fine; a province is too large for that.
    let found = match locate(end) {
        Some(point) => reaching(area.id, point),
        None => hubs().iter().find(|h| h.area == area.id && h.radius_km.is_none()),
    };
    found.map(|h| Hub { positioning, ..*h })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::testing::place;

    fn ids(pickup: (&str, &str), dropoff: (&str, &str)) -> Option<(&'static str, bool)> {
        hub_for(&place(pickup.0, pickup.1, None), &place(dropoff.0, dropoff.1, None)).map(|h| (h.id, h.positioning))
    }

    #[test]
    fn the_pickup_decides_and_the_drop_off_steps_in() {
        assert_eq!(ids(("QC", "Laval"), ("ON", "Toronto")), Some(("montreal", false)));
        assert_eq!(ids(("QC", "Québec"), ("QC", "Montréal")), Some(("montreal", true)));
        assert_eq!(ids(("QC", "Montréal"), ("QC", "Québec")), Some(("montreal", false)));
        assert_eq!(ids(("BC", "Burnaby"), ("BC", "Surrey")), Some(("vancouver", false)));
        assert_eq!(ids(("ON", "Mississauga"), ("ON", "Toronto")), Some(("toronto", false)));
        assert_eq!(ids(("ON", "Guelph"), ("ON", "Toronto")), Some(("kitchener-waterloo", false)));
        assert_eq!(ids(("AB", "Airdrie"), ("AB", "Calgary")), Some(("calgary", false)));
    }

    #[test]
    fn support_is_asked_when_no_crew_is_near() {
        assert_eq!(ids(("ON", "Thunder Bay"), ("ON", "Toronto")), None);
        assert_eq!(ids(("ON", "Thunder Bay"), ("QC", "Montréal")), None);
        assert_eq!(ids(("BC", "Bowen Island"), ("BC", "Vancouver")), None);
        assert_eq!(ids(("QC", "Montréal"), ("QC", "Les Îles-de-la-Madeleine")), None);
        assert_eq!(ids(("QC", "Québec"), ("QC", "Sherbrooke")), None);
        assert_eq!(ids(("BC", "Kelowna"), ("BC", "Vancouver")), None);
        assert_eq!(ids(("ON", "Nowhere at all"), ("ON", "Toronto")), None);
        assert_eq!(nearest_hub(&place("ON", "Sudbury", None)).unwrap().area, AreaId::Ontario);
    }

    #[test]
    fn every_hub_is_at_home_in_its_area() {
        assert_eq!(hubs().len(), 12);
        for h in hubs() {
            let own = hub_for(&h.place(), &h.place()).unwrap();
            assert_eq!((own.id, own.zone, own.positioning), (h.id, h.province.zone(), false));
            assert_eq!(hub(h.id).unwrap(), h);
            assert!(Language::ALL.iter().all(|l| !h.name(*l).is_empty()));
        }
        assert!(hub("nowhere").is_none());
    }
}
