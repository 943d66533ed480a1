//! `GET /search/geocode/v6/reverse`.

use geography::{GEO_DEFAULTS, Nearby, great_circle_km, nearest};
use kernel::Coordinates;
use serde_json::Value;

use super::{
    JsonReply, Params,
    candidates::{Candidate, Confidence},
    feature::{self, language_of},
    offset::hash,
    refuse,
    streets::streets,
};

/// Further from everything we know there is no address, km.
const FURTHEST_KM: f64 = 150.0;
/// How far a point may be from the postal area of a street that is said to be there, km.
const STREET_KM: f64 = 3.0;

/// South of the two straight borders with the United States.
pub(super) fn is_abroad(at: Coordinates) -> bool {
    let prairies = at.lat < 48.999 && (-123.03..-95.16).contains(&at.lon);
    let new_england = at.lat < 44.99 && (-74.66..-71.50).contains(&at.lon);
    prairies || new_england || !GEO_DEFAULTS.canada.contains(at)
}

pub(super) fn answer(params: &Params) -> JsonReply {
    let read = |name: &str| params.get(name).and_then(|v| v.trim().parse::<f64>().ok());
    let (Some(lon), Some(lat)) = (read("longitude"), read("latitude")) else {
        return refuse(422, "longitude and latitude are required numbers");
    };
    let Ok(at) = Coordinates::new(lat, lon) else { return refuse(422, "longitude or latitude is out of range") };
    let types = params.list("types");
    if params.get("limit").is_some_and(|l| l != "1") && types.len() != 1 {
        return refuse(422, "limit must be combined with a single type parameter when reverse geocoding");
    }
    let countries = params.list("country");
    if is_abroad(at) || !(countries.is_empty() || countries.iter().any(|c| c.eq_ignore_ascii_case("ca"))) {
        return (200, feature::collection(Vec::new()));
    }
    let wanted = |kind: &str| types.is_empty() || types.contains(&kind);
    let language = language_of(&params.list("language"));
    let features: Vec<Value> = match nearest(at).filter(|(_, km)| *km <= FURTHEST_KM) {
        None => Vec::new(),
        Some((found, _)) => {
            let street = wanted("address").then(|| on_street(at, &found)).flatten();
            let district = match found {
                Nearby::Place(p) if p.name != p.municipality => Some(p.name.as_str()),
                Nearby::Place(_) => None,
                Nearby::PostalArea(a) => a.district.as_deref(),
            };
            match street {
                Some(candidate) => vec![feature::address(&candidate, language)],
                None if wanted("place") => {
                    vec![feature::place(
                        found.municipality(),
                        district,
                        found.postal_code(),
                        found.province(),
                        at,
                        language,
                    )]
                }
                None if wanted("region") => vec![feature::province(found.province(), at, language)],
                None => Vec::new(),
            }
        }
    };
    (200, feature::collection(features))
}

/// A house on the nearest well-known street, when one is near.
fn on_street(at: Coordinates, found: &Nearby) -> Option<Candidate> {
    let km = |c: Coordinates| great_circle_km(c, at);
    let here = |s: &&super::streets::KnownStreet| s.province == found.province() && s.city == found.municipality();
    let street =
        streets().iter().filter(here).min_by(|a, b| km(a.area.coordinates).total_cmp(&km(b.area.coordinates)))?;
    if km(street.area.coordinates) > STREET_KM {
        return None;
    }
    // The same house for the same ten metres.
    let spot = format!("{:.4},{:.4}", at.lat, at.lon);
    let number = street.from + u32::try_from(hash(&spot) % 90).unwrap_or_default() + 1;
    Some(Candidate {
        number: number.to_string(),
        street: street.street.clone(),
        city: street.city.clone(),
        district: street.area.district.clone(),
        province: street.province,
        postal_code: street.area.postal_code.clone(),
        coordinates: at,
        confidence: Confidence::Medium,
    })
}
