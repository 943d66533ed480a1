//! A hand-written list of well-known streets: which city, which postal area from which number on.

use std::sync::LazyLock;

use geography::{PostalArea, normalise, postal_area};
use kernel::Province;
use serde::Deserialize;

use super::street_words::StreetKey;

const LIST: &str = include_str!("streets.csv");

/// A stretch of a known street.
pub(super) struct KnownStreet {
    pub street: String,
    pub city: String,
    pub province: Province,
    /// The first civil number of the stretch.
    pub from: u32,
    pub area: &'static PostalArea,
    pub key: StreetKey,
    pub city_key: String,
}

#[derive(Deserialize)]
struct Row {
    street: String,
    city: String,
    province: Province,
    from: u32,
    fsa: String,
}

fn parse(text: &str) -> Result<Vec<KnownStreet>, String> {
    csv::Reader::from_reader(text.as_bytes())
        .into_deserialize::<Row>()
        .map(|row| {
            let row = row.map_err(|e| e.to_string())?;
            let area = postal_area(&row.fsa).ok_or_else(|| format!("{}: no postal area {}", row.street, row.fsa))?;
            let (key, city_key) = (StreetKey::of(&row.street), normalise(&row.city));
            Ok(KnownStreet {
                street: row.street,
                city: row.city,
                province: row.province,
                from: row.from,
                area,
                key,
                city_key,
            })
        })
        .collect()
}

// The unit test below proves that the list parses, so the empty fallback is never served.
static STREETS: LazyLock<Vec<KnownStreet>> = LazyLock::new(|| parse(LIST).unwrap_or_default());

/// All stretches in the order of the list.
pub(super) fn streets() -> &'static [KnownStreet] {
    &STREETS
}

/// Of stretches of one street in one city the one with this number: the last that has begun.
pub(super) fn stretch_with(number: u32, same: &'static KnownStreet) -> &'static KnownStreet {
    streets()
        .iter()
        .filter(|s| s.street == same.street && s.city == same.city && s.province == same.province && s.from <= number)
        .max_by_key(|s| s.from)
        .unwrap_or(same)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use geography::{great_circle_km, places_named};

    #[test]
    fn every_street_lies_in_its_city() {
        let all = parse(LIST).unwrap();
        assert!(all.len() > 180);
        let different: std::collections::HashSet<_> = all.iter().map(|s| (&s.street, &s.city)).collect();
        assert!(different.len() >= 120, "{}", different.len());
        for s in &all {
            assert!(s.key.is_named(), "{}", s.street);
            assert_eq!(s.area.province, s.province, "{}", s.street);
            let city = places_named(Some(s.province), &s.city);
            let near = city.iter().map(|c| great_circle_km(c.coordinates, s.area.coordinates)).fold(f64::MAX, f64::min);
            assert!(near < 20.0, "{}, {}: {} is {near:.0} km away", s.street, s.city, s.area.fsa);
            let own = normalise(&s.area.municipality) == s.city_key;
            assert!(own, "{} {}: {} is {}", s.street, s.city, s.area.fsa, s.area.municipality);
        }
    }

    #[test]
    fn numbers_choose_the_stretch() {
        let any = streets().iter().find(|s| s.street == "Rue Peel").unwrap();
        for (number, fsa) in [(50, "H3C"), (1200, "H3B"), (3400, "H3A")] {
            assert_eq!(stretch_with(number, any).area.fsa, fsa);
        }
        // Streets people try first in the cities we serve lie where they are, not in any area of their city.
        for (street, city, number, fsa) in [
            ("Boulevard Saint-Martin Ouest", "Laval", 300, "H7M"),
            ("Boulevard Saint-Martin Ouest", "Laval", 3100, "H7T"),
            ("Bathurst Street", "Toronto", 399, "M5T"),
            ("Carling Avenue", "Ottawa", 1800, "K1Z"),
            ("11 Avenue SW", "Calgary", 320, "T2R"),
        ] {
            let any = streets().iter().find(|s| s.street == street && s.city == city).unwrap();
            assert_eq!(stretch_with(number, any).area.fsa, fsa, "{number} {street}");
        }
        let late = streets().iter().find(|s| s.street == "Rue Wellington").unwrap();
        assert_eq!(stretch_with(1, late).from, 3900);
    }
}
