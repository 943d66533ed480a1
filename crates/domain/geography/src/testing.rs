//! Shorthand of this crate's tests.
#![allow(clippy::unwrap_used)]

use kernel::Coordinates;

use crate::Place;

pub(crate) fn place(province: &str, city: &str, postal_code: Option<&str>) -> Place {
    Place {
        province: province.parse().unwrap(),
        city: city.to_owned(),
        postal_code: postal_code.map(|c| c.parse().unwrap()),
        coordinates: None,
    }
}

pub(crate) fn at(province: &str, lat: f64, lon: f64) -> Place {
    Place { coordinates: Some(Coordinates::new(lat, lon).unwrap()), ..place(province, "", None) }
}
