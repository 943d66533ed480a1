//! Whether what is told of a place agrees with itself: province, postal code, city and point.
//!
//! The parts of an address come from outside, and each of them moves the price. Here they are
//! compared with each other, without asking a maps service. Tolerant where the data is coarse:
//! names of quarters nobody listed are believed, rural areas are as large as countries.

use kernel::Coordinates;

use crate::{
    KnownPlace, Place, PostalArea,
    gazetteer::{self, gazetteer, places_named, postal_area, postal_areas_in},
    great_circle::great_circle_km,
    names::{QUARTERS, normalise},
};

/// The least reach of any postal area, km: points written by hand and interpolated ones miss by
/// that much.
const LEAST_REACH_KM: f64 = 10.0;
/// The most reach of a town's postal area, km.
const MOST_TOWN_REACH_KM: f64 = 60.0;
/// The reach of a rural area goes this far beyond its furthest known village, km.
const BEYOND_VILLAGES_KM: f64 = 25.0;
/// The most reach of a rural area, km.
const MOST_RURAL_REACH_KM: f64 = 800.0;
/// How far from any part of a city people still write its name on the envelope, km.
const SUBURB_KM: f64 = 25.0;
/// How far from all of a city's known points a point without postal code may lie, km.
const CITY_REACH_KM: f64 = 40.0;
/// A name nobody knows in this province is believed to be a quarter, unless a town with so many
/// postal codes bears it elsewhere: there is a Kensington in Calgary, but no Toronto in Quebec.
pub(crate) const TOWN_CODES: u32 = 100;
/// Towns at a provincial border lend their names to the other side, km.
const BORDER_KM: f64 = 60.0;

/// The part of a place that contradicts the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Contradiction {
    /// The postal code lies in another province, or nowhere near the city.
    #[error("the postal code does not belong to the city or the province")]
    PostalCode,
    /// The city is in another province.
    #[error("the city is not in the province")]
    City,
    /// The point is not at the address.
    #[error("the point does not lie in the postal area or the city")]
    Point,
}

impl PostalArea {
    /// How far from its middle an address of the area may plausibly lie, km: at least 10. In
    /// towns by the distance of the neighbouring areas, in the country by the known villages.
    pub fn reach_km(&self) -> f64 {
        gazetteer::reach_of(self, || self.work_out_reach_km())
    }

    fn work_out_reach_km(&self) -> f64 {
        if self.is_rural() {
            let villages = gazetteer().places.iter().filter(|p| p.postal_code.fsa() == self.fsa);
            let furthest = villages.map(|p| great_circle_km(p.coordinates, self.coordinates)).fold(0.0, f64::max);
            return (furthest + BEYOND_VILLAGES_KM).clamp(LEAST_REACH_KM, MOST_RURAL_REACH_KM);
        }
        let others = gazetteer().postal_areas.iter().filter(|a| !a.is_rural() && a.fsa != self.fsa);
        let mut nearest = [f64::MAX; 3];
        for km in others.map(|a| great_circle_km(a.coordinates, self.coordinates)) {
            if km < nearest[2] {
                nearest[2] = km;
                nearest.sort_by(f64::total_cmp);
            }
        }
        (nearest[2] * 2.0).clamp(LEAST_REACH_KM, MOST_TOWN_REACH_KM)
    }

    /// Whether a point plausibly lies in this area.
    pub fn may_contain(&self, point: Coordinates) -> bool {
        great_circle_km(point, self.coordinates) <= self.reach_km()
    }
}

/// Compares the parts of a place that are known with each other.
///
/// # Errors
/// The first part that contradicts the rest.
pub fn agreement(place: &Place) -> Result<(), Contradiction> {
    if place.postal_code.as_ref().is_some_and(|code| code.province() != place.province) {
        return Err(Contradiction::PostalCode);
    }
    let area = place.fsa().and_then(postal_area);
    let known = if is_quarter(&normalise(&place.city), area) { Vec::new() } else { known_points(place) };
    if known.is_empty() && !is_quarter(&normalise(&place.city), area) && is_elsewhere(place, area) {
        return Err(Contradiction::City);
    }
    if let Some(area) = area {
        let near = |limit: f64| known.iter().any(|p| great_circle_km(*p, area.coordinates) <= limit);
        if !known.is_empty() && !is_named_after(area, &place.city) && !near(area.reach_km().max(SUBURB_KM)) {
            return Err(Contradiction::PostalCode);
        }
    }
    let Some(point) = place.coordinates else { return Ok(()) };
    let there = match area {
        Some(area) => area.may_contain(point),
        None => known.is_empty() || known.iter().any(|p| great_circle_km(*p, point) <= CITY_REACH_KM),
    };
    if there { Ok(()) } else { Err(Contradiction::Point) }
}

fn is_named_after(area: &PostalArea, city: &str) -> bool {
    let city = normalise(city);
    !city.is_empty() && [&area.municipality, &area.place].into_iter().any(|n| normalise(n) == city)
}

/// Whether a name is that of a quarter of the city in whose postal area the place lies.
pub(crate) fn is_quarter(normal_name: &str, area: Option<&PostalArea>) -> bool {
    let Some(area) = area else { return false };
    let city = normalise(&area.municipality);
    QUARTERS.contains(&(city.as_str(), normal_name)) || has_quarter(area, normal_name)
}

/// Whether anything is known of the city of a place, in its province: a town, a part of one, or the
/// quarter that a postal area is called after.
pub fn is_known(place: &Place) -> bool {
    !known_points(place).is_empty() || place.fsa().and_then(postal_area).is_some_and(|a| is_named_after(a, &place.city))
}

/// Every point we know of a city in its province: its middle, its parts, its postal areas. For a name
/// that no town has: the areas whose quarter is called so.
fn known_points(place: &Place) -> Vec<Coordinates> {
    if place.city.trim().is_empty() {
        return Vec::new();
    }
    let named = places_named(Some(place.province), &place.city).into_iter().map(gazetteer::point_of);
    let areas = postal_areas_in(place.province, &place.city).into_iter().map(|a| a.coordinates);
    let known: Vec<_> = named.chain(areas).collect();
    if !known.is_empty() {
        return known;
    }
    let quarter = normalise(&place.city);
    gazetteer()
        .postal_areas
        .iter()
        .filter(|a| a.province == place.province && has_quarter(a, &quarter))
        .map(|a| a.coordinates)
        .collect()
}

/// Whether a postal area is called after a quarter, with or without its article: `Beauport Central`,
/// `Plateau Mont-Royal North`, `Downtown Toronto (Union Station / …)`.
fn has_quarter(area: &PostalArea, quarter: &str) -> bool {
    let bare = |name: String| {
        let without = ["le ", "la ", "les ", "l ", "the "].into_iter().find_map(|article| name.strip_prefix(article));
        without.map(str::to_owned).unwrap_or(name)
    };
    let quarter = bare(quarter.to_owned());
    let names = area.district.iter().flat_map(|d| d.split(['(', ')', '/', ','])).map(normalise).map(bare);
    names.into_iter().any(|name| {
        let rest = name.strip_prefix(&quarter);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    })
}

/// Near enough to the postal area of an address to be another name of the same place.
pub(crate) fn is_near(town: &KnownPlace, own: &Place) -> bool {
    let Some(area) = own.fsa().and_then(postal_area) else { return false };
    great_circle_km(town.coordinates, area.coordinates) <= area.reach_km().max(SUBURB_KM)
}

/// True when a town of this name lies in another province, far from here.
fn is_elsewhere(place: &Place, area: Option<&PostalArea>) -> bool {
    let here = area.map(|a| a.coordinates);
    let towns: Vec<_> = places_named(None, &place.city).into_iter().filter(|p| p.codes >= TOWN_CODES).collect();
    let over_the_border = |p: Coordinates| here.is_some_and(|h| great_circle_km(p, h) <= BORDER_KM);
    !towns.is_empty() && !towns.iter().any(|p| over_the_border(p.coordinates))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::testing::place;
    use proptest::prelude::*;

    fn with_point(place: Place, lat: f64, lon: f64) -> Place {
        Place { coordinates: Some(Coordinates { lat, lon }), ..place }
    }

    #[test]
    fn what_people_write_agrees() {
        for (province, city, code) in [
            ("QC", "Montréal", Some("H2X 1Y4")),
            ("QC", "Montreal", Some("H9X 1A1")),
            ("QC", "Verdun", Some("H4G 1A1")),
            // Neighbours and quarters on the envelope, listed or not.
            ("QC", "Montréal", Some("J4K 1A1")),
            ("QC", "Petite-Patrie", Some("H2S 1A1")),
            ("QC", "", Some("H2S 1A1")),
            ("ON", "Toronto", Some("L4W 1A1")),
            ("ON", "Scarborough", Some("M1B 1A1")),
            ("AB", "Kensington", Some("T2N 1A1")),
            ("BC", "Vancouver", Some("V3T 1A1")),
            ("ON", "Ottawa", Some("K2S 1A1")),
            ("QC", "Saint-Isidore", Some("J0L 2A0")),
            ("QC", "Saint-Isidore", Some("G0S 2S0")),
            ("QC", "Hameau inconnu", Some("J0L 2A0")),
            ("AB", "Fort McMurray", Some("T9H 1A1")),
            ("ON", "Toronto", None),
            ("SK", "Lloydminster", Some("S9V 0A1")),
            ("QC", "蒙特利尔", Some("H2X 1Y4")),
        ] {
            assert_eq!(agreement(&place(province, city, code)), Ok(()), "{city} {code:?}");
        }
    }

    #[test]
    fn contradictions_are_named() {
        for (province, city, code, want) in [
            ("ON", "Toronto", Some("H2X 1Y4"), Contradiction::PostalCode),
            ("QC", "Toronto", Some("H2X 1Y4"), Contradiction::City),
            ("ON", "Montréal", Some("M5V 2T6"), Contradiction::City),
            ("QC", "Vancouver", None, Contradiction::City),
            ("QC", "Québec", Some("H2X 1Y4"), Contradiction::PostalCode),
            ("QC", "Montréal", Some("G1R 4P5"), Contradiction::PostalCode),
            ("ON", "Ottawa", Some("M5V 2T6"), Contradiction::PostalCode),
            ("ON", "Hamilton", Some("M5V 2T6"), Contradiction::PostalCode),
            ("BC", "Kelowna", Some("V6C 0C3"), Contradiction::PostalCode),
            ("AB", "Edmonton", Some("T2P 1J9"), Contradiction::PostalCode),
        ] {
            assert_eq!(agreement(&place(province, city, code)), Err(want), "{city} {code:?}");
        }
    }

    #[test]
    fn quarters_lie_where_the_areas_of_their_name_do() {
        for (province, city, code) in [
            ("QC", "Sainte-Foy", "H3A 3L3"),
            ("QC", "Beauport", "H3A 3L3"),
            ("QC", "Charlesbourg", "H3A 3L3"),
            ("QC", "Loretteville", "H3A 3L3"),
            ("QC", "Hull", "H3A 3L3"),
            ("ON", "Downtown Toronto", "K2P 0L7"),
        ] {
            assert_eq!(
                agreement(&place(province, city, Some(code))),
                Err(Contradiction::PostalCode),
                "{city} {code:?}"
            );
        }
        for (province, city, code) in [
            ("QC", "Sainte-Foy", "G1V 4V5"),
            ("QC", "Beauport", "G1C 5Y9"),
            ("QC", "Hull", "J8X 3C7"),
            ("QC", "Griffintown", "H3C 1H1"),
            ("QC", "Ville-Marie", "H3A 3L3"),
            ("QC", "Le Plateau-Mont-Royal", "H2J 2L1"),
            ("QC", "Plateau-Mont-Royal", "H2J 2L1"),
        ] {
            assert_eq!(agreement(&place(province, city, Some(code))), Ok(()), "{city} {code:?}");
            assert!(is_known(&place(province, city, Some(code))), "{city}");
        }
        assert!(!is_known(&place("QC", "New York", Some("H3A 3L3"))));
        assert!(!is_known(&place("QC", "Hameau inconnu", Some("J0L 2A0"))));
    }

    #[test]
    fn points_lie_in_their_area() {
        let plateau = || place("QC", "Montréal", Some("H2X 1Y4"));
        for (lat, lon) in [(45.5128, -73.5716), (45.50, -73.60), (45.56, -73.55)] {
            assert_eq!(agreement(&with_point(plateau(), lat, lon)), Ok(()), "{lat}, {lon}");
        }
        for (lat, lon) in [(0.0, 0.0), (43.65, -79.38), (-73.57, 45.51), (48.2, -61.9), (45.70, -73.65)] {
            assert_eq!(agreement(&with_point(plateau(), lat, lon)), Err(Contradiction::Point), "{lat}, {lon}");
        }
        let village = place("QC", "Saint-Isidore", Some("J0L 2A0"));
        assert_eq!(agreement(&with_point(village, 45.33, -73.72)), Ok(()));
        let city = || place("QC", "Montréal", None);
        assert_eq!(agreement(&with_point(city(), 45.45, -73.75)), Ok(()));
        assert_eq!(agreement(&with_point(city(), 46.81, -71.21)), Err(Contradiction::Point));
        // Nothing known but the province: nothing to contradict.
        assert_eq!(agreement(&with_point(place("QC", "", None), 45.5, -73.6)), Ok(()));
    }

    #[test]
    fn every_listed_place_agrees_with_itself() {
        for p in gazetteer().places.iter().step_by(7) {
            let own = Place {
                province: p.province,
                city: p.name.clone(),
                postal_code: Some(p.postal_code.clone()),
                coordinates: Some(p.coordinates),
            };
            // A middle of codes in several areas may lie outside of the sample code's own.
            let found = agreement(&own);
            assert!(found.is_ok() || found == Err(Contradiction::Point), "{}, {}: {found:?}", p.name, p.province);
        }
    }

    #[test]
    fn reach_follows_what_is_around() {
        let reach = |fsa| postal_area(fsa).unwrap().reach_km();
        assert!(reach("H2X") <= 10.0, "{}", reach("H2X"));
        assert!(reach("T9H") > 20.0, "{}", reach("T9H"));
        assert!(reach("J0L") > 30.0, "{}", reach("J0L"));
    }

    proptest! {
        #[test]
        fn any_place_has_an_answer(city in ".{0,40}", lat in -90.0f64..=90.0, lon in -180.0f64..=180.0, code in "[A-Z][0-9][A-Z] [0-9][A-Z][0-9]") {
            let code = code.parse().ok();
            let _ = agreement(&Place { province: kernel::Province::QC, city, postal_code: code, coordinates: Some(Coordinates { lat, lon }) });
        }
    }
}
