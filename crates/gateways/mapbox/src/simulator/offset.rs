//! Where in its neighbourhood an address lies: always the same, never far.

use kernel::{Coordinates, fold};

/// Civil numbers repeat their way along the street after this many.
const NUMBERS_PER_WALK: u32 = 4000;
/// How far the last of them is from the first, km.
const WALK_KM: f64 = 0.8;
const KM_PER_DEGREE: f64 = 111.19;

/// FNV-1a: stable over releases, unlike the standard library's hashers.
pub(super) fn hash(text: &str) -> u64 {
    fold(text).bytes().fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3))
}

/// The point of a civil number on a street through `middle`: every street has its direction,
/// numbers go along it.
pub(super) fn along(middle: Coordinates, street: &str, number: u32) -> Coordinates {
    let angle = (hash(street) % 360) as f64;
    let step = f64::from(number % NUMBERS_PER_WALK) / f64::from(NUMBERS_PER_WALK) - 0.5;
    let (north, east) = (angle.to_radians().sin() * step * WALK_KM, angle.to_radians().cos() * step * WALK_KM);
    let lat = middle.lat + north / KM_PER_DEGREE;
    // Canada ends where a degree of longitude still is some 13 km wide.
    let lon = middle.lon + east / (KM_PER_DEGREE * middle.lat.to_radians().cos().max(0.1));
    Coordinates::new(round(lat), round(lon)).unwrap_or(middle)
}

/// Six decimals, as the service gives them: a decimetre.
pub(super) fn round(degrees: f64) -> f64 {
    (degrees * 1e6).round() / 1e6
}
