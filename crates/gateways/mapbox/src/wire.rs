//! The parts of outside answers that are read. Everything may be missing.

use kernel::{Coordinates, PostalCode};
use serde::Deserialize;
use serde_json::Value;
use service::ports::maps::{MapsError, PlaceSuggestion, Route};

/// A GeoJSON collection. Features are read one by one: an odd one must not spoil the others.
#[derive(Deserialize)]
pub(crate) struct Collection {
    pub features: Vec<Value>,
}

#[derive(Deserialize)]
pub(crate) struct Point {
    /// Longitude, latitude.
    pub coordinates: (f64, f64),
}

impl Point {
    pub(crate) fn read(&self) -> Option<Coordinates> {
        Coordinates::new(self.coordinates.1, self.coordinates.0).ok()
    }
}

/// A feature of Mapbox geocoding v6.
#[derive(Deserialize)]
pub(crate) struct MapboxFeature {
    geometry: Point,
    properties: MapboxProperties,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct MapboxProperties {
    feature_type: String,
    name: String,
    place_formatted: String,
    full_address: Option<String>,
    context: MapboxContext,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct MapboxContext {
    address: Option<Named>,
    postcode: Option<Named>,
    place: Option<Named>,
    locality: Option<Named>,
    region: Option<MapboxRegion>,
    country: Option<MapboxCountry>,
}

#[derive(Deserialize)]
struct Named {
    name: String,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct MapboxRegion {
    region_code: String,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct MapboxCountry {
    name: String,
    country_code: String,
}

impl MapboxFeature {
    pub(crate) fn into_suggestion(self) -> Option<PlaceSuggestion> {
        let MapboxProperties { feature_type, name, place_formatted, full_address, context } = self.properties;
        let country = context.country.unwrap_or_default();
        let canada = country.country_code.is_empty() || country.country_code.eq_ignore_ascii_case("ca");
        let street = match context.address {
            Some(address) => address.name,
            None if feature_type == "address" => name.clone(),
            None => String::new(),
        };
        Some(PlaceSuggestion {
            full_address: full_address.unwrap_or_else(|| format!("{name}, {place_formatted}")),
            street,
            city: context.place.or(context.locality).map(|n| n.name).unwrap_or_default(),
            // The code, never the name: names follow the language asked for.
            province: context.region.filter(|_| canada).and_then(|r| r.region_code.parse().ok()),
            postal_code: context.postcode.and_then(|n| n.name.parse::<PostalCode>().ok()),
            country: country.name,
            coordinates: self.geometry.read()?,
        })
    }
}

/// An answer of Mapbox directions and of OSRM.
#[derive(Deserialize)]
pub(crate) struct Directions {
    #[serde(default)]
    routes: Vec<DirectionsRoute>,
}

#[derive(Deserialize)]
struct DirectionsRoute {
    distance: f64,
    duration: f64,
    geometry: LineString,
}

#[derive(Deserialize)]
struct LineString {
    coordinates: Vec<(f64, f64)>,
}

impl Directions {
    /// The first route; call only when the answer's `code` is `Ok`.
    pub(crate) fn into_route(self) -> Result<Route, MapsError> {
        let broken = || MapsError::Unavailable("the routing service's answer makes no sense".to_owned());
        let route = self.routes.into_iter().next().ok_or_else(broken)?;
        let geometry: Option<Vec<Coordinates>> =
            route.geometry.coordinates.into_iter().map(|(lon, lat)| Coordinates::new(lat, lon).ok()).collect();
        Ok(Route {
            duration_seconds: whole(route.duration).ok_or_else(broken)?,
            distance_meters: whole(route.distance).ok_or_else(broken)?,
            geometry: geometry.ok_or_else(broken)?,
        })
    }
}

/// Half up; none for negative, endless and absurd numbers.
fn whole(number: f64) -> Option<u32> {
    let rounded = (number + 0.5).floor();
    (0.0..=f64::from(u32::MAX)).contains(&rounded).then_some(rounded as u32)
}

/// A feature of Photon.
#[derive(Deserialize)]
pub(crate) struct PhotonFeature {
    pub geometry: Point,
    pub properties: PhotonProperties,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct PhotonProperties {
    pub name: Option<String>,
    pub housenumber: Option<String>,
    pub street: Option<String>,
    pub locality: Option<String>,
    pub city: Option<String>,
    pub county: Option<String>,
    pub state: Option<String>,
    pub postcode: Option<String>,
    pub country: Option<String>,
    pub countrycode: Option<String>,
    #[serde(rename = "type")]
    pub kind: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_rounded_half_up_and_bounded() {
        assert_eq!([whole(512.5), whole(512.4), whole(0.0)], [Some(513), Some(512), Some(0)]);
        for bad in [f64::NAN, f64::INFINITY, -1.0, 1e12] {
            assert_eq!(whole(bad), None, "{bad}");
        }
    }
}
