//! An end of a move, as far as it is known.

use kernel::{Coordinates, PostalCode, Province};

use crate::{gazetteer, great_circle::great_circle_km, postal_area};

/// How far a city may lie from the middle of a rural postal area that names it, km. The areas
/// are as large as countries; homonyms are further apart.
const RURAL_AREA_KM: f64 = 600.0;

/// An end of a move, as far as it is known.
#[derive(Debug, Clone, PartialEq)]
pub struct Place {
    /// Province or territory.
    pub province: Province,
    /// Municipality as written; empty when unknown.
    pub city: String,
    /// Postal code, when known.
    pub postal_code: Option<PostalCode>,
    /// The point, when known.
    pub coordinates: Option<Coordinates>,
}

impl Place {
    pub(crate) fn fsa(&self) -> Option<&str> {
        self.postal_code.as_ref().map(PostalCode::fsa)
    }
}

/// The best known point of a place: its own; else the middle of its postal area (the
/// municipality's for rural areas, which are as large as countries); else the municipality's.
/// `None` when nothing is known but the province.
pub fn locate(place: &Place) -> Option<Coordinates> {
    if place.coordinates.is_some() {
        return place.coordinates;
    }
    let area = place.fsa().and_then(postal_area);
    let named = || gazetteer::places_named(Some(place.province), &place.city).into_iter();
    match area {
        Some(area) if !area.is_rural() => Some(area.coordinates),
        Some(area) => {
            let near = |p: &&_| great_circle_km(gazetteer::point_of(p), area.coordinates);
            let best = named().min_by(|a, b| near(a).total_cmp(&near(b))).filter(|p| near(p) <= RURAL_AREA_KM);
            Some(best.map_or(area.coordinates, |p| p.coordinates))
        }
        // Of homonyms the largest.
        None => named().max_by_key(|p| p.codes).map(|p| p.coordinates),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn place(city: &str, postal_code: Option<&str>) -> Place {
        Place {
            province: Province::QC,
            city: city.to_owned(),
            postal_code: postal_code.map(|c| c.parse().unwrap()),
            coordinates: None,
        }
    }

    #[test]
    fn the_best_known_point_is_taken() {
        let own = Coordinates { lat: 45.0, lon: -73.0 };
        assert_eq!(locate(&Place { coordinates: Some(own), ..place("Laval", None) }).unwrap(), own);
        let plateau = locate(&place("Nowhere", Some("H2X 1Y4"))).unwrap();
        assert!(great_circle_km(plateau, Coordinates { lat: 45.512, lon: -73.568 }) < 2.0);
        // Rural: the village, not the middle of Montérégie; and of two villages the right one.
        let near_montreal = locate(&place("Saint-Isidore", Some("J0L 2A0"))).unwrap();
        assert!(great_circle_km(near_montreal, Coordinates { lat: 45.30, lon: -73.69 }) < 8.0);
        let in_beauce = locate(&place("Saint-Isidore", Some("G0S 2S0"))).unwrap();
        assert!(great_circle_km(in_beauce, near_montreal) > 150.0);
        assert!(locate(&place("Nowhere", None)).is_none());
    }
}
