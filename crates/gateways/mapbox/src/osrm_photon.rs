//! The self-hosted pair: OSRM for routes, Photon for addresses.

use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use kernel::{Coordinates, Language};
use reqwest::{StatusCode, Url};
use serde_json::Value;
use service::ports::maps::{Maps, MapsError, PlaceSuggestion, Route};

use crate::{
    http::{Http, HttpAnswer, Limits, at, base_url},
    osrm,
    photon::{self, ASKED, SUGGESTIONS},
    wire::{Collection, PhotonFeature},
};

/// Furthest feature a point is named after, km.
const REVERSE_RADIUS_KM: &str = "5";

/// Where the two services are. Neither asks for a key.
#[derive(Debug, Clone)]
pub struct OsrmPhotonConfig {
    /// `http://host:5000`.
    pub osrm_url: String,
    /// `http://host:2322`.
    pub photon_url: String,
    /// Patience, with each of them.
    pub limits: Limits,
}

/// A client of both.
pub struct OsrmPhoton {
    osrm: Http,
    osrm_base: Url,
    photon: Http,
    photon_base: Url,
    /// Older Photon servers refuse the parameter, and with it the whole call.
    knows_countrycode: AtomicBool,
}

impl OsrmPhoton {
    /// Checks the settings; nothing is asked yet.
    ///
    /// # Errors
    /// `Misconfigured`: not an address.
    pub fn new(config: OsrmPhotonConfig) -> Result<OsrmPhoton, MapsError> {
        let (osrm_base, photon_base) = (base_url(&config.osrm_url)?, base_url(&config.photon_url)?);
        Ok(OsrmPhoton {
            osrm: Http::new("osrm", config.limits, &osrm_base)?,
            photon: Http::new("photon", config.limits, &photon_base)?,
            osrm_base,
            photon_base,
            knows_countrycode: AtomicBool::new(true),
        })
    }

    async fn ask(&self, path: &str, parameters: &[(&str, &str)]) -> Result<HttpAnswer, MapsError> {
        let mut url = at(&self.photon_base, path);
        url.query_pairs_mut().extend_pairs(parameters);
        self.photon.get(url).await
    }
}

fn features(answer: HttpAnswer) -> Result<Vec<PhotonFeature>, MapsError> {
    if answer.status != StatusCode::OK {
        return Err(answer.failure());
    }
    let collection: Collection = serde_json::from_value(answer.body)
        .map_err(|_| MapsError::Unavailable("photon: not a feature collection".to_owned()))?;
    Ok(collection.features.into_iter().filter_map(|f: Value| serde_json::from_value(f).ok()).collect())
}

#[async_trait]
impl Maps for OsrmPhoton {
    async fn search(
        &self,
        query: &str,
        language: Language,
        near: Coordinates,
    ) -> Result<Vec<PlaceSuggestion>, MapsError> {
        let query = query.trim();
        if query.is_empty() {
            return Ok(Vec::new());
        }
        let (lat, lon, bbox) = (format!("{:.6}", near.lat), format!("{:.6}", near.lon), photon::canada());
        let mut parameters = vec![
            ("q", query),
            ("lat", lat.as_str()),
            ("lon", lon.as_str()),
            ("zoom", "12"),
            ("location_bias_scale", "0.4"),
            ("bbox", bbox.as_str()),
            ("layer", "house"),
            ("layer", "street"),
            ("limit", ASKED),
            ("lang", photon::tag(language)),
        ];
        let plain = parameters.clone();
        parameters.push(("countrycode", "CA"));
        let mut answer = None;
        if self.knows_countrycode.load(Ordering::Relaxed) {
            let first = self.ask("/api", &parameters).await?;
            if first.status == StatusCode::BAD_REQUEST && first.message().contains("countrycode") {
                tracing::warn!("this Photon server is old: it does not know countrycode, the bounding box must do");
                self.knows_countrycode.store(false, Ordering::Relaxed);
            } else {
                answer = Some(first);
            }
        }
        let answer = match answer {
            Some(answer) => answer,
            None => self.ask("/api", &plain).await?,
        };
        let number = photon::typed_number(query);
        let found = features(answer)?.into_iter().filter_map(|f| photon::address(f, number));
        Ok(found.filter(|s| s.province.is_some()).take(SUGGESTIONS).collect())
    }

    async fn reverse(&self, at: Coordinates, language: Language) -> Result<Option<PlaceSuggestion>, MapsError> {
        let (lat, lon) = (format!("{:.6}", at.lat), format!("{:.6}", at.lon));
        let parameters = [
            ("lat", lat.as_str()),
            ("lon", lon.as_str()),
            ("radius", REVERSE_RADIUS_KM),
            ("limit", "1"),
            ("lang", photon::tag(language)),
        ];
        let found = features(self.ask("/reverse", &parameters).await?)?;
        Ok(found.into_iter().find_map(photon::place))
    }

    async fn route(&self, from: Coordinates, to: Coordinates) -> Result<Route, MapsError> {
        osrm::route(&self.osrm, &self.osrm_base, from, to).await
    }
}
