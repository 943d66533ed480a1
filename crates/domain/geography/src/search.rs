//! Places for the first letters people type.

use kernel::{Coordinates, PostalCode};

use crate::{
    KnownPlace, PostalArea, gazetteer::gazetteer, great_circle::great_circle_km, names::normalise, postal_area,
};

/// Distance at which a place counts half of what it would next door, km.
const HALF_WEIGHT_KM: f64 = 150.0;

/// A match of [`search`].
#[derive(Debug, Clone, PartialEq)]
pub enum PlaceMatch {
    /// A town, village or part of a town.
    Place(&'static KnownPlace),
    /// A postal area, with the postal code when it was typed in full.
    PostalArea(&'static PostalArea, Option<PostalCode>),
}

impl PlaceMatch {
    /// Where it is.
    pub fn coordinates(&self) -> Coordinates {
        match self {
            PlaceMatch::Place(p) => p.coordinates,
            PlaceMatch::PostalArea(a, _) => a.coordinates,
        }
    }
}

/// Known places whose names begin with `query` (or have a word that does), and the postal area
/// when it is a postal code or its first three characters. Large and near ones first; at most
/// `limit`. Nothing for an empty query.
pub fn search(query: &str, near: Coordinates, limit: usize) -> Vec<PlaceMatch> {
    let query = query.trim();
    if let Ok(code) = query.parse::<PostalCode>() {
        return postal_area(code.fsa())
            .map(|a| PlaceMatch::PostalArea(a, Some(code)))
            .into_iter()
            .take(limit)
            .collect();
    }
    if let Some(area) = postal_area(query) {
        return std::iter::once(PlaceMatch::PostalArea(area, None)).take(limit).collect();
    }
    let wanted = normalise(query);
    if wanted.is_empty() {
        return Vec::new();
    }
    let mut found: Vec<(u8, f64, &'static KnownPlace)> = gazetteer()
        .places
        .iter()
        .filter_map(|p| rank(&p.normal_name, &wanted).map(|rank| (rank, weight(p, near), p)))
        .collect();
    found.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
    found.into_iter().take(limit).map(|(_, _, p)| PlaceMatch::Place(p)).collect()
}

fn rank(name: &str, wanted: &str) -> Option<u8> {
    if name == wanted {
        Some(0)
    } else if name.starts_with(wanted) {
        Some(1)
    } else {
        name.match_indices(' ').any(|(at, _)| name[at + 1..].starts_with(wanted)).then_some(2)
    }
}

fn weight(place: &KnownPlace, near: Coordinates) -> f64 {
    f64::from(place.codes) / (1.0 + great_circle_km(place.coordinates, near) / HALF_WEIGHT_KM)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn names(query: &str, near: Coordinates) -> Vec<&'static str> {
        search(query, near, 5)
            .into_iter()
            .map(|f| match f {
                PlaceMatch::Place(p) => p.name.as_str(),
                PlaceMatch::PostalArea(a, _) => a.fsa.as_str(),
            })
            .collect()
    }

    #[test]
    fn large_and_near_places_come_first() {
        assert_eq!(names("montr", Coordinates::MONTREAL)[0], "Montréal");
        assert_eq!(names("trois riv", Coordinates::MONTREAL)[0], "Trois-Rivières");
        assert_eq!(names("van", Coordinates { lat: 49.2, lon: -123.0 })[0], "Vancouver");
        assert_eq!(names("perrot", Coordinates::MONTREAL).len(), 2);
        assert_eq!(names("windsor", Coordinates { lat: 42.3, lon: -83.0 })[0], "Windsor");
        assert!(names("  ", Coordinates::MONTREAL).is_empty());
        assert!(names("qqqq", Coordinates::MONTREAL).is_empty());
    }

    #[test]
    fn postal_codes_are_places_too() {
        assert_eq!(names("h2x", Coordinates::MONTREAL), ["H2X"]);
        let code = search("h2x1y4", Coordinates::MONTREAL, 5);
        assert!(matches!(&code[..], [PlaceMatch::PostalArea(_, Some(c))] if c.as_str() == "H2X 1Y4"));
        assert!(search("H2X", Coordinates::MONTREAL, 0).is_empty());
    }

    proptest! {
        #[test]
        fn any_query_has_an_answer(query in "(?s).{0,40}", limit in 0usize..7) {
            prop_assert!(search(&query, Coordinates::MONTREAL, limit).len() <= limit);
        }
    }
}
