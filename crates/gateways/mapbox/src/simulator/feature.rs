//! GeoJSON features in the shape of geocoding v6.

use kernel::{Coordinates, Language, PostalCode, Province};
use serde_json::{Map, Value, json};

use super::{
    candidates::{Candidate, Confidence},
    offset::{hash, round},
};

fn country_name(language: Language) -> &'static str {
    if language == Language::Zh { "加拿大" } else { "Canada" }
}

/// The language of the answer: the first asked for that we have, else English.
pub(super) fn language_of(tags: &[&str]) -> Language {
    tags.iter().find_map(|t| t.split('-').next().and_then(|l| l.parse().ok())).unwrap_or_default()
}

fn region(province: Province, language: Language) -> Value {
    json!({
        "name": province.name(language), "region_code": province.code(), "region_code_full": format!("CA-{province}"),
    })
}

fn country(language: Language) -> Value {
    json!({ "name": country_name(language), "country_code": "CA", "country_code_alpha_3": "CAN" })
}

/// What a feature is before it is wrapped.
struct Parts {
    kind: &'static str,
    name: String,
    /// The line below the name; empty for a region.
    formatted: String,
    at: Coordinates,
    accuracy: Option<&'static str>,
    context: Map<String, Value>,
}

fn wrap(parts: Parts) -> Value {
    let id = format!("urn:simulated:{}:{:016x}", parts.kind, hash(&format!("{}{}", parts.name, parts.formatted)));
    let (lon, lat) = (round(parts.at.lon), round(parts.at.lat));
    let mut coordinates = json!({ "longitude": lon, "latitude": lat });
    if let (Some(accuracy), Some(fields)) = (parts.accuracy, coordinates.as_object_mut()) {
        fields.insert("accuracy".to_owned(), json!(accuracy));
    }
    json!({
        "type": "Feature",
        "id": id,
        "geometry": { "type": "Point", "coordinates": [lon, lat] },
        "properties": {
            "mapbox_id": id, "feature_type": parts.kind, "name": parts.name, "name_preferred": parts.name,
            "place_formatted": parts.formatted, "full_address": format!("{}, {}", parts.name, parts.formatted),
            "coordinates": coordinates, "context": parts.context,
        },
    })
}

fn context_of(
    city: &str,
    district: Option<&str>,
    code: &PostalCode,
    province: Province,
    language: Language,
) -> Map<String, Value> {
    let mut context = Map::new();
    if let Some(district) = district {
        context.insert("neighborhood".to_owned(), json!({ "name": district }));
    }
    context.insert("postcode".to_owned(), json!({ "name": code.as_str() }));
    context.insert("place".to_owned(), json!({ "name": city }));
    context.insert("region".to_owned(), region(province, language));
    context.insert("country".to_owned(), country(language));
    context
}

/// An address with its house number.
pub(super) fn address(candidate: &Candidate, language: Language) -> Value {
    let name = format!("{} {}", candidate.number, candidate.street);
    let mut context = context_of(
        &candidate.city,
        candidate.district.as_deref(),
        &candidate.postal_code,
        candidate.province,
        language,
    );
    context.insert(
        "address".to_owned(),
        json!({ "address_number": candidate.number, "street_name": candidate.street, "name": name }),
    );
    context.insert("street".to_owned(), json!({ "name": candidate.street }));
    let region = candidate.province.name(language);
    let mut feature = wrap(Parts {
        kind: "address",
        name,
        formatted: format!("{}, {region} {}, {}", candidate.city, candidate.postal_code, country_name(language)),
        at: candidate.coordinates,
        accuracy: Some(if matches!(candidate.confidence, Confidence::Exact | Confidence::High) {
            "rooftop"
        } else {
            "interpolated"
        }),
        context,
    });
    let confidence = match candidate.confidence {
        Confidence::Exact => "exact",
        Confidence::High => "high",
        Confidence::Medium => "medium",
        Confidence::Low => "low",
    };
    if let Some(properties) = feature.get_mut("properties").and_then(Value::as_object_mut) {
        properties.insert("match_code".to_owned(), json!({ "confidence": confidence }));
    }
    feature
}

/// A municipality.
pub(super) fn place(
    city: &str,
    district: Option<&str>,
    code: &PostalCode,
    province: Province,
    at: Coordinates,
    language: Language,
) -> Value {
    wrap(Parts {
        kind: "place",
        name: city.to_owned(),
        formatted: format!("{}, {}", province.name(language), country_name(language)),
        at,
        accuracy: None,
        context: context_of(city, district, code, province, language),
    })
}

/// A province.
pub(super) fn province(province: Province, at: Coordinates, language: Language) -> Value {
    let mut context = Map::new();
    context.insert("region".to_owned(), region(province, language));
    context.insert("country".to_owned(), country(language));
    let name = province.name(language).to_owned();
    wrap(Parts { kind: "region", name, formatted: country_name(language).to_owned(), at, accuracy: None, context })
}

/// The envelope of every geocoding answer.
pub(super) fn collection(features: Vec<Value>) -> Value {
    json!({
        "type": "FeatureCollection", "features": features,
        "attribution": "Simulated from GeoNames postal data, CC BY 4.0. Not a real geocoding service.",
    })
}
