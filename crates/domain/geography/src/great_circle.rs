//! The shortest way over the globe.

use kernel::Coordinates;

/// Mean radius of the Earth, km.
const EARTH_RADIUS_KM: f64 = 6371.0088;

/// One degree of latitude, km; a lower bound used to stop searches early.
pub(crate) const KM_PER_DEGREE: f64 = 111.19;

/// Great-circle distance in km (haversine).
pub fn great_circle_km(a: Coordinates, b: Coordinates) -> f64 {
    let half_lat = (b.lat - a.lat).to_radians() / 2.0;
    let half_lon = (b.lon - a.lon).to_radians() / 2.0;
    let x = half_lat.sin().powi(2) + a.lat.to_radians().cos() * b.lat.to_radians().cos() * half_lon.sin().powi(2);
    // Rounding may push opposite points a hair above one, where the arcsine has no value.
    2.0 * EARTH_RADIUS_KM * x.clamp(0.0, 1.0).sqrt().asin()
}
