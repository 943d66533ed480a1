//! The real Mapbox: geocoding v6 and directions v5.

use async_trait::async_trait;
use geography::GEO_DEFAULTS;
use kernel::{Coordinates, Language};
use reqwest::{StatusCode, Url};
use secrecy::{ExposeSecret as _, SecretString};
use service::ports::maps::{Maps, MapsError, PlaceSuggestion, Route};

use crate::{
    http::{Http, HttpAnswer, Limits, at, base_url},
    wire::{Collection, Directions, MapboxFeature},
};

/// Of the service: longer queries are refused.
const MAX_CHARS: usize = 256;
const MAX_WORDS: usize = 20;
/// How many addresses are offered.
const SUGGESTIONS: &str = "5";

/// Where Mapbox is and who we are there.
#[derive(Debug, Clone)]
pub struct MapboxConfig {
    /// `https://api.mapbox.com`, or the simulator's mount.
    pub base_url: String,
    /// A public token (`pk.…`) without URL restriction.
    pub access_token: SecretString,
    /// Ask for results that may be stored. Portage keeps the addresses of bookings, which Mapbox
    /// allows only for permanent results, and those only to eligible accounts.
    pub permanent: bool,
    /// Patience.
    pub limits: Limits,
}

impl MapboxConfig {
    /// The usual settings at an address.
    pub fn new(base_url: impl Into<String>, access_token: SecretString) -> Self {
        MapboxConfig { base_url: base_url.into(), access_token, permanent: false, limits: Limits::default() }
    }
}

/// A client of Mapbox.
pub struct Mapbox {
    http: Http,
    base: Url,
    token: SecretString,
    permanent: bool,
}

impl Mapbox {
    /// Checks the settings; nothing is asked yet.
    ///
    /// # Errors
    /// `Misconfigured`: not an address, or no token.
    pub fn new(config: MapboxConfig) -> Result<Mapbox, MapsError> {
        if config.access_token.expose_secret().trim().is_empty() {
            return Err(MapsError::Misconfigured("the access token is empty".to_owned()));
        }
        let base = base_url(&config.base_url)?;
        let http = Http::new("mapbox", config.limits, &base)?;
        Ok(Mapbox { http, base, token: config.access_token, permanent: config.permanent })
    }

    async fn get(&self, path: &str, parameters: &[(&str, &str)]) -> Result<HttpAnswer, MapsError> {
        let mut url = at(&self.base, path);
        url.query_pairs_mut().extend_pairs(parameters).append_pair("access_token", self.token.expose_secret());
        self.http.get(url).await
    }

    async fn geocode(&self, path: &str, parameters: &[(&str, &str)]) -> Result<Vec<PlaceSuggestion>, MapsError> {
        let mut parameters = parameters.to_vec();
        if self.permanent {
            parameters.push(("permanent", "true"));
        }
        let answer = self.get(path, &parameters).await?;
        if answer.status != StatusCode::OK {
            return Err(answer.failure());
        }
        let collection: Collection = serde_json::from_value(answer.body)
            .map_err(|_| MapsError::Unavailable("mapbox: not a feature collection".to_owned()))?;
        let read =
            |feature| serde_json::from_value::<MapboxFeature>(feature).ok().and_then(MapboxFeature::into_suggestion);
        Ok(collection.features.into_iter().filter_map(read).collect())
    }
}

/// Longitude first, six decimals: a decimetre.
pub(crate) fn lon_lat(point: Coordinates) -> String {
    format!("{:.6},{:.6}", point.lon, point.lat)
}

/// What the service takes: no semicolon, at most 256 characters in 20 words.
fn accepted(query: &str) -> String {
    let words = query.split([' ', '\t', '\n', '\r', ';']).filter(|w| !w.is_empty()).take(MAX_WORDS);
    words.collect::<Vec<_>>().join(" ").chars().take(MAX_CHARS).collect()
}

fn tag(language: Language) -> &'static str {
    match language {
        Language::En => "en",
        Language::Fr => "fr",
        Language::Zh => "zh-Hans",
    }
}

fn canada() -> String {
    let b = GEO_DEFAULTS.canada;
    format!("{},{},{},{}", b.west, b.south, b.east, b.north)
}

#[async_trait]
impl Maps for Mapbox {
    async fn search(
        &self,
        query: &str,
        language: Language,
        near: Coordinates,
    ) -> Result<Vec<PlaceSuggestion>, MapsError> {
        let query = accepted(query);
        if query.is_empty() {
            return Ok(Vec::new());
        }
        let parameters = [
            ("q", query.as_str()),
            ("country", "ca"),
            ("types", "address"),
            ("language", tag(language)),
            ("proximity", &lon_lat(near)),
            ("bbox", &canada()),
            ("limit", SUGGESTIONS),
            ("autocomplete", "true"),
        ];
        let mut found = self.geocode("/search/geocode/v6/forward", &parameters).await?;
        // The country filter is the service's word; what Portage stores is ours.
        found.retain(|s| s.province.is_some());
        Ok(found)
    }

    async fn reverse(&self, at: Coordinates, language: Language) -> Result<Option<PlaceSuggestion>, MapsError> {
        let (longitude, latitude) = (format!("{:.6}", at.lon), format!("{:.6}", at.lat));
        let parameters = [
            ("longitude", longitude.as_str()),
            ("latitude", latitude.as_str()),
            ("types", "address,street,place,region"),
            ("language", tag(language)),
        ];
        let found = self.geocode("/search/geocode/v6/reverse", &parameters).await?;
        Ok(found.into_iter().next())
    }

    async fn route(&self, from: Coordinates, to: Coordinates) -> Result<Route, MapsError> {
        let path = format!("/directions/v5/mapbox/driving/{};{}", lon_lat(from), lon_lat(to));
        let parameters =
            [("geometries", "geojson"), ("overview", "full"), ("alternatives", "false"), ("steps", "false")];
        let answer = self.get(&path, &parameters).await?;
        // NoRoute comes with status 200: the code is read before anything else.
        let code = answer.body.get("code").and_then(serde_json::Value::as_str).unwrap_or_default();
        match code {
            "Ok" if answer.status == StatusCode::OK => serde_json::from_value::<Directions>(answer.body)
                .map_err(|_| MapsError::Unavailable("mapbox: not a route".to_owned()))?
                .into_route(),
            "NoRoute" | "NoSegment" | "InvalidInput" => Err(MapsError::NoRoute),
            "ProfileNotFound" => Err(MapsError::Misconfigured(answer.message())),
            _ => Err(answer.failure()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_are_cut_to_what_the_service_takes() {
        assert_eq!(accepted("  1200;rue \n Peel "), "1200 rue Peel");
        assert_eq!(accepted(&"é ".repeat(40)).split(' ').count(), 20);
        assert_eq!(accepted(&"é".repeat(400)).chars().count(), 256);
        assert_eq!(accepted(" ; "), "");
    }

    #[test]
    fn longitude_comes_first() {
        assert_eq!(lon_lat(Coordinates::MONTREAL), "-73.650000,45.500000");
    }
}
