//! A stand-in for Mapbox that speaks its wire protocol and answers from `geography`.
//!
//! [`handle`] is a pure function from request to response: no state, no clock, no randomness.
//! It knows every Canadian postal area and some five thousand places, and a few hundred
//! stretches of well-known streets; anything else that is typed with a number and a city or a
//! postal code is placed near the middle of that postal area, always at the same point.
//!
//! Trouble on command: an address that contains `#503`, `#500` or `#429` is answered with that
//! status.

mod candidates;
mod directions;
mod feature;
mod forward;
mod offset;
mod polyline;
mod reverse;
mod street_words;
mod streets;
mod typed;

use serde_json::{Value, json};

/// A token the simulator accepts; so is any other that begins with `pk.`.
pub const DEMO_TOKEN: &str = "pk.portage-simulator";

/// An HTTP status and a JSON body.
pub type JsonReply = (u16, Value);

/// Decoded query parameters.
pub(crate) struct Params(Vec<(String, String)>);

impl Params {
    fn parse(query: &str) -> Params {
        let url = reqwest::Url::parse(&format!("http://simulator.invalid/?{query}"));
        Params(url.map(|u| u.query_pairs().into_owned().collect()).unwrap_or_default())
    }

    /// The first non-empty value.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(n, v)| n == name && !v.trim().is_empty()).map(|(_, v)| v.as_str())
    }

    /// A comma-separated list.
    pub(crate) fn list(&self, name: &str) -> Vec<&str> {
        self.get(name).map(|v| v.split(',').map(str::trim).filter(|v| !v.is_empty()).collect()).unwrap_or_default()
    }
}

/// Outside directions Mapbox explains an error in `message` alone.
pub(crate) fn refuse(status: u16, message: &str) -> JsonReply {
    (status, json!({ "message": message }))
}

/// Answers one request. `path` starts with `/` and has no mount prefix
/// (`/search/geocode/v6/forward`); `query` is the raw query string without `?`.
pub fn handle(method: &str, path: &str, query: &str) -> JsonReply {
    if method != "GET" {
        return refuse(405, "Method Not Allowed");
    }
    let params = Params::parse(query);
    match params.get("access_token") {
        None => return refuse(401, "Not Authorized - No Token"),
        Some(token) if !token.starts_with("pk.") => return refuse(401, "Not Authorized - Invalid Token"),
        Some(_) => {}
    }
    match path.trim_end_matches('/') {
        "/search/geocode/v6/forward" => forward::answer(&params),
        "/search/geocode/v6/reverse" => reverse::answer(&params),
        other => match other.strip_prefix("/directions/v5/mapbox/").and_then(|rest| rest.split_once('/')) {
            Some((profile, waypoints)) => directions::answer(profile, waypoints, &params),
            None => refuse(404, "Not Found"),
        },
    }
}

#[cfg(test)]
mod tests;
