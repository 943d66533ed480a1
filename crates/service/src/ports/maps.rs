//! Geocoding and routing.

use async_trait::async_trait;
use kernel::{Coordinates, Language, PostalCode, Province};

/// One answer of an address search.
#[derive(Debug, Clone, PartialEq)]
pub struct PlaceSuggestion {
    /// One line.
    pub full_address: String,
    /// Civic number and street.
    pub street: String,
    /// Municipality.
    pub city: String,
    /// Province, when the service names one of Canada's.
    pub province: Option<Province>,
    /// Postal code, when known.
    pub postal_code: Option<PostalCode>,
    /// Country name.
    pub country: String,
    /// Where.
    pub coordinates: Coordinates,
}

/// A way between two points.
#[derive(Debug, Clone, PartialEq)]
pub struct Route {
    /// Driving time, seconds.
    pub duration_seconds: u32,
    /// Length, metres.
    pub distance_meters: u32,
    /// The line, in driving order.
    pub geometry: Vec<Coordinates>,
}

/// Why a maps call has no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MapsError {
    /// The two points are not connected, or one is far from any road.
    #[error("no route between the two points")]
    NoRoute,
    /// The service cannot be reached or failed.
    #[error("the maps service is unavailable: {0}")]
    Unavailable(String),
    /// Our key or settings are refused.
    #[error("the maps service refused our settings: {0}")]
    Misconfigured(String),
}

/// A maps service.
#[async_trait]
pub trait Maps: Send + Sync {
    /// Addresses in Canada that match what was typed, best first.
    async fn search(
        &self,
        query: &str,
        language: Language,
        near: Coordinates,
    ) -> Result<Vec<PlaceSuggestion>, MapsError>;
    /// The place at a point.
    async fn reverse(&self, at: Coordinates, language: Language) -> Result<Option<PlaceSuggestion>, MapsError>;
    /// The way by truck.
    async fn route(&self, from: Coordinates, to: Coordinates) -> Result<Route, MapsError>;
}
