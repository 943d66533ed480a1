//! `GET /search/geocode/v6/forward`.

use geography::GEO_DEFAULTS;
use kernel::Coordinates;

use super::{
    JsonReply, Params,
    candidates::candidates,
    feature::{self, language_of},
    refuse,
    typed::TypedAddress,
};

/// Of the service: the longest query and the most words in it.
const MAX_CHARS: usize = 256;
const MAX_WORDS: usize = 20;
const MAX_RESULTS: usize = 10;
const DEFAULT_RESULTS: usize = 5;

/// `lon,lat`.
pub(super) fn point(text: &str) -> Option<Coordinates> {
    let (lon, lat) = text.split_once(',')?;
    Coordinates::new(lat.trim().parse().ok()?, lon.trim().parse().ok()?).ok()
}

/// The free text, or the structured fields put together.
fn query_of(params: &Params) -> Option<String> {
    if let Some(q) = params.get("q") {
        return Some(q.to_owned());
    }
    let line = params.get("address_line1").map(str::to_owned).or_else(|| {
        let number = params.get("address_number").unwrap_or_default();
        params.get("street").map(|street| format!("{number} {street}"))
    });
    let rest = ["place", "region", "postcode"].iter().filter_map(|name| params.get(name).map(str::to_owned));
    let parts: Vec<String> = line.into_iter().chain(rest).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

pub(super) fn answer(params: &Params) -> JsonReply {
    let Some(query) = query_of(params) else { return refuse(404, "Not Found") };
    for (mark, status, message) in [
        ("#503", 503, "Service Unavailable"),
        ("#500", 500, "Internal Server Error"),
        ("#429", 429, "Too Many Requests"),
    ] {
        if query.contains(mark) {
            return refuse(status, message);
        }
    }
    if query.chars().count() > MAX_CHARS || query.split_whitespace().count() > MAX_WORDS || query.contains(';') {
        return refuse(422, "Query is too long or contains a semicolon");
    }
    let limit = match params.get("limit").map(str::parse::<usize>) {
        None => DEFAULT_RESULTS,
        Some(Ok(n)) if (1..=MAX_RESULTS).contains(&n) => n,
        Some(_) => return refuse(422, "Limit must be between 1 and 10"),
    };
    let near = match params.get("proximity") {
        None | Some("ip") => GEO_DEFAULTS.proximity,
        Some(text) => match point(text) {
            Some(point) => point,
            None => return refuse(422, "Proximity must be longitude,latitude"),
        },
    };
    let countries = params.list("country");
    let types = params.list("types");
    let elsewhere = !countries.is_empty() && !countries.iter().any(|c| c.eq_ignore_ascii_case("ca"));
    if elsewhere || !(types.is_empty() || types.contains(&"address")) {
        return (200, feature::collection(Vec::new()));
    }
    let language = language_of(&params.list("language"));
    let typed = TypedAddress::read(&query, near);
    let found = candidates(&typed, near, limit);
    (200, feature::collection(found.iter().map(|c| feature::address(c, language)).collect()))
}
