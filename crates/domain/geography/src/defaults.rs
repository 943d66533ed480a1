//! What holds until we know better.

use kernel::{Coordinates, Province, Zone};

/// A rectangle in degrees; never crosses the 180th meridian.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BoundingBox {
    /// Western longitude.
    pub west: f64,
    /// Southern latitude.
    pub south: f64,
    /// Eastern longitude.
    pub east: f64,
    /// Northern latitude.
    pub north: f64,
}

impl BoundingBox {
    /// True for points inside and on the border.
    pub fn contains(&self, point: Coordinates) -> bool {
        (self.west..=self.east).contains(&point.lon) && (self.south..=self.north).contains(&point.lat)
    }

    /// The box with `degrees` more on every side.
    pub(crate) fn padded(&self, degrees: f64) -> BoundingBox {
        BoundingBox {
            west: self.west - degrees,
            south: self.south - degrees,
            east: self.east + degrees,
            north: self.north + degrees,
        }
    }
}

/// The geo settings of a visitor we know nothing about (specification §3 and §9).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GeoDefaults {
    /// Province.
    pub province: Province,
    /// Time zone of schedules.
    pub zone: Zone,
    /// Addresses near this point come first.
    pub proximity: Coordinates,
    /// Where addresses are looked for: Canada.
    pub canada: BoundingBox,
}

/// Quebec, around Montreal.
pub const GEO_DEFAULTS: GeoDefaults = GeoDefaults {
    province: Province::QC,
    zone: Zone::MONTREAL,
    proximity: Coordinates::MONTREAL,
    canada: BoundingBox { west: -141.01, south: 41.67, east: -52.61, north: 83.12 },
};
