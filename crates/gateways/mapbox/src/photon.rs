//! Photon: self-hosted addresses from OpenStreetMap.

use geography::GEO_DEFAULTS;
use kernel::{Coordinates, Language, PostalCode, Province, fold};
use service::ports::maps::PlaceSuggestion;

use crate::wire::{PhotonFeature, PhotonProperties};

/// How many are asked for; some fall away because they are no addresses.
pub(crate) const ASKED: &str = "15";
/// How many addresses are offered.
pub(crate) const SUGGESTIONS: usize = 5;

/// Photon's indexes have English and French; other people read English names.
pub(crate) fn tag(language: Language) -> &'static str {
    if language == Language::Fr { "fr" } else { "en" }
}

pub(crate) fn canada() -> String {
    let b = GEO_DEFAULTS.canada;
    format!("{},{},{},{}", b.west, b.south, b.east, b.north)
}

/// The states of Canada in the two languages we ask in. Photon has no province codes.
fn province_of(state: &str) -> Option<Province> {
    Some(match fold(state).replace(['-', '\''], " ").as_str() {
        "quebec" => Province::QC,
        "ontario" => Province::ON,
        "alberta" => Province::AB,
        "british columbia" | "colombie britannique" => Province::BC,
        "manitoba" => Province::MB,
        "saskatchewan" => Province::SK,
        "nova scotia" | "nouvelle ecosse" => Province::NS,
        "new brunswick" | "nouveau brunswick" => Province::NB,
        "prince edward island" | "ile du prince edouard" => Province::PE,
        "newfoundland and labrador" | "terre neuve et labrador" => Province::NL,
        "yukon" => Province::YT,
        "northwest territories" | "territoires du nord ouest" => Province::NT,
        "nunavut" => Province::NU,
        _ => return None,
    })
}

/// The civil number a query begins with.
pub(crate) fn typed_number(query: &str) -> Option<&str> {
    let first = query.split([' ', ',']).find(|w| !w.is_empty())?;
    let digits = first.bytes().take_while(u8::is_ascii_digit).count();
    let letter = first.len() - digits <= 1 && first.bytes().all(|b| b.is_ascii_alphanumeric());
    ((1..=6).contains(&digits) && letter).then_some(first)
}

/// An address of a search answer; `None` for what is none or lies abroad.
///
/// OpenStreetMap lacks many house numbers: a street answers for them with the number typed.
pub(crate) fn address(feature: PhotonFeature, number: Option<&str>) -> Option<PlaceSuggestion> {
    let at = feature.geometry.read()?;
    let p = feature.properties;
    if !p.countrycode.as_deref().is_some_and(|c| c.eq_ignore_ascii_case("ca")) {
        return None;
    }
    let street = match (&p.housenumber, &p.street, &p.name) {
        (Some(house), Some(street), _) => format!("{house} {street}"),
        (None, _, Some(name)) if p.kind.as_deref() == Some("street") => format!("{} {name}", number?),
        _ => return None,
    };
    Some(suggestion(p, street, at))
}

/// What is at a point, as far as known, in any country.
pub(crate) fn place(feature: PhotonFeature) -> Option<PlaceSuggestion> {
    let at = feature.geometry.read()?;
    let p = feature.properties;
    let street = match (&p.housenumber, &p.street) {
        (Some(house), Some(street)) => format!("{house} {street}"),
        _ => String::new(),
    };
    Some(suggestion(p, street, at))
}

fn suggestion(p: PhotonProperties, street: String, coordinates: Coordinates) -> PlaceSuggestion {
    let canada = p.countrycode.as_deref().is_some_and(|c| c.eq_ignore_ascii_case("ca"));
    let postal_code = p.postcode.as_deref().filter(|_| canada).and_then(|c| c.parse::<PostalCode>().ok());
    let named = p.state.as_deref().filter(|_| canada).and_then(province_of);
    // The first letter of the code is authoritative; the state is a name in some language.
    let province = postal_code.as_ref().map(PostalCode::province).or(named);
    let itself = p.name.filter(|_| p.kind.as_deref() == Some("city"));
    let city = p.city.or(itself).or(p.locality).or(p.county).unwrap_or_default();
    let country = p.country.unwrap_or_default();
    let region = match (&province, &postal_code) {
        (Some(province), Some(code)) => format!("{province} {code}"),
        (Some(province), None) => province.to_string(),
        (None, _) => p.state.unwrap_or_default(),
    };
    let parts = [street.clone(), city.clone(), region, country.clone()];
    let full_address = parts.iter().filter(|t| !t.is_empty()).map(String::as_str).collect::<Vec<_>>().join(", ");
    PlaceSuggestion { full_address, street, city, province, postal_code, country, coordinates }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn provinces_are_read_from_names_in_both_languages() {
        assert_eq!(province_of("Québec"), Some(Province::QC));
        assert_eq!(province_of("Colombie-Britannique"), Some(Province::BC));
        assert_eq!(province_of("Île-du-Prince-Édouard"), Some(Province::PE));
        assert_eq!(province_of("Vermont"), None);
    }

    #[test]
    fn a_query_begins_with_its_number_or_has_none() {
        assert_eq!(typed_number(" 1200 rue Peel"), Some("1200"));
        assert_eq!(typed_number("12A, rue Peel"), Some("12A"));
        for none in ["rue Peel 1200", "", "5th avenue", "1234567 rue", "12é"] {
            assert_eq!(typed_number(none), None, "{none}");
        }
    }
}
