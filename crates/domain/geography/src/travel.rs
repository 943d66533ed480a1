//! How far and how long by truck, without a routing service.
//!
//! Great circle → road km by bands of marginal detour, river crossings of the two metropolitan
//! areas, mountains → tenths of km → minutes by bands of speed. Bands are marginal, so distance
//! and time never fall as places move apart.

use kernel::{Coordinates, Province, round_half_up};

use crate::{GEO_DEFAULTS, Place, area_of, great_circle::great_circle_km, place::locate};

/// Great-circle km up to, and the detour factor of that stretch.
const DETOUR: [(f64, f64); 4] = [(5.0, 1.45), (20.0, 1.35), (100.0, 1.20), (f64::INFINITY, 1.12)];
/// Road km up to, and the truck's speed on that stretch, km/h.
const SPEED: [(f64, f64); 4] = [(5.0, 25.0), (20.0, 40.0), (100.0, 75.0), (f64::INFINITY, 92.0)];
/// Factor on trips through the mountains, and the great-circle km from which it holds.
const MOUNTAINS: (f64, f64) = (1.27, 100.0);
/// East of this British Columbia is mountains.
const MOUNTAINS_EAST_OF: f64 = -121.5;
/// Extra road per river crossing, km.
const CROSSING_KM: f64 = 3.0;
/// Keeps an exact minute from becoming the next one by rounding errors.
const MINUTE_EPSILON: f64 = 1e-9;

/// A leg by truck.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Travel {
    /// Road distance, tenths of km.
    pub distance_km10: u32,
    /// Driving time, whole minutes, at least 1.
    pub minutes: u32,
    /// Great-circle distance, km.
    pub crow_km: f64,
}

/// Sums `part(length, factor)` over the bands `total` reaches into.
fn banded(total: f64, bands: &[(f64, f64)], part: impl Fn(f64, f64) -> f64) -> f64 {
    let mut sum = 0.0;
    let mut start = 0.0;
    for (end, factor) in bands {
        let length = total.min(*end) - start;
        if length <= 0.0 {
            break;
        }
        sum += part(length, *factor);
        start = *end;
    }
    sum
}

/// The banks of a region between which bridges cost a detour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Bank {
    MontrealIsland,
    Laval,
    SouthShore,
    NorthShore,
    VancouverNorthShore,
    VancouverRest,
}

fn bank_of(place: &Place) -> Option<Bank> {
    match area_of(place)?.sub_area?.as_str() {
        "agglomeration-montreal" => Some(Bank::MontrealIsland),
        "laval" => Some(Bank::Laval),
        "agglomeration-longueuil" | "south-shore" => Some(Bank::SouthShore),
        "north-shore" => Some(Bank::NorthShore),
        "van-north-shore" => Some(Bank::VancouverNorthShore),
        "metro-vancouver" => Some(Bank::VancouverRest),
        _ => None,
    }
}

fn crossings(a: Option<Bank>, b: Option<Bank>) -> u32 {
    let (Some(a), Some(b)) = (a, b) else { return 0 };
    match (a.min(b), a.max(b)) {
        (Bank::MontrealIsland, Bank::Laval | Bank::SouthShore)
        | (Bank::Laval, Bank::NorthShore)
        | (Bank::VancouverNorthShore, Bank::VancouverRest) => 1,
        (Bank::MontrealIsland, Bank::NorthShore) | (Bank::Laval, Bank::SouthShore) => 2,
        (Bank::SouthShore, Bank::NorthShore) => 3,
        _ => 0,
    }
}

fn through_mountains(a: (Province, Coordinates), b: (Province, Coordinates)) -> bool {
    let inland = |(province, point): (Province, Coordinates)| province == Province::BC && point.lon > MOUNTAINS_EAST_OF;
    inland(a) || inland(b) || matches!((a.0, b.0), (Province::BC, Province::AB) | (Province::AB, Province::BC))
}

/// The point travel starts from when nothing but the province is known: its first hub, else the
/// default proximity ("coordinates unavailable, defaulting to Montreal").
fn point_of(place: &Place) -> Coordinates {
    locate(place)
        .or_else(|| crate::hubs().iter().find(|h| h.province == place.province).map(|h| h.center))
        .unwrap_or(GEO_DEFAULTS.proximity)
}

/// Road distance of `crow_km` great-circle km in tenths of km, before crossings and mountains.
pub fn road_km10(crow_km: f64) -> u32 {
    tenths(banded(crow_km.max(0.0), &DETOUR, |length, factor| length * factor))
}

fn tenths(km: f64) -> u32 {
    // `as` saturates and turns NaN into zero.
    (km * 10.0 + 0.5).floor() as u32
}

/// Driving time of a road distance, whole minutes rounded up, at least 1.
pub fn minutes_from_km10(km10: u32) -> u32 {
    let minutes = banded(f64::from(km10) / 10.0, &SPEED, |length, speed| length / speed * 60.0);
    ((minutes - MINUTE_EPSILON).ceil() as u32).max(1)
}

/// The road distance driven in `minutes`, tenths of km: the inverse of [`minutes_from_km10`].
pub fn km10_from_minutes(minutes: u32) -> u32 {
    // Half minutes, because two bands end on one; all terms over 120 to stay in integers.
    let t = 2 * i128::from(minutes);
    let km10_times_120 = match t {
        ..=24 => 250 * t,
        25..=69 => 50 * 120 + 400 * (t - 24),
        70..=197 => 200 * 120 + 750 * (t - 69),
        _ => 1000 * 120 + 920 * (t - 197),
    };
    u32::try_from(round_half_up(km10_times_120, 120)).unwrap_or(u32::MAX)
}

/// A place as [`travel`] sees it, looked up once where many ways begin or end there.
#[derive(Debug, Clone, Copy)]
pub struct Waypoint {
    province: Province,
    point: Coordinates,
    bank: Option<Bank>,
}

/// Looks a place up for [`travel_between`].
pub fn waypoint(place: &Place) -> Waypoint {
    Waypoint { province: place.province, point: point_of(place), bank: bank_of(place) }
}

/// Distance and driving time between two places by the offline model.
///
/// A place of which nothing but the province is known counts as its main hub, or Montreal; ask
/// [`locate`] first where that matters. Ferries are not part of the model.
pub fn travel(a: &Place, b: &Place) -> Travel {
    travel_between(&waypoint(a), &waypoint(b))
}

/// [`travel`] between places that were looked up before.
pub fn travel_between(from: &Waypoint, to: &Waypoint) -> Travel {
    let crow = great_circle_km(from.point, to.point);
    let mut km = banded(crow, &DETOUR, |length, factor| length * factor);
    km += CROSSING_KM * f64::from(crossings(from.bank, to.bank));
    if crow > MOUNTAINS.1 && through_mountains((from.province, from.point), (to.province, to.point)) {
        km *= MOUNTAINS.0;
    }
    let distance_km10 = tenths(km);
    Travel { distance_km10, minutes: minutes_from_km10(distance_km10), crow_km: crow }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{at, place};
    use proptest::prelude::*;

    fn town(province: &str, city: &str, lat: f64, lon: f64) -> Place {
        Place { coordinates: Some(Coordinates { lat, lon }), ..place(province, city, None) }
    }

    #[test]
    fn the_table_of_the_model_is_reproduced() {
        let montreal = || town("QC", "Montréal", 45.5019, -73.5674);
        let toronto = || town("ON", "Toronto", 43.6532, -79.3832);
        let vancouver = || town("BC", "Vancouver", 49.2827, -123.1207);
        let calgary = || town("AB", "Calgary", 51.0447, -114.0719);
        let rows = [
            (montreal(), town("QC", "Laval", 45.5717, -73.7237), 14.4, 230, 37),
            (montreal(), town("QC", "Longueuil", 45.5312, -73.5181), 5.0, 103, 20),
            (montreal(), town("QC", "Brossard", 45.4513, -73.4568), 10.3, 174, 31),
            (montreal(), town("QC", "Terrebonne", 45.70, -73.633), 22.6, 366, 48),
            (toronto(), town("ON", "Mississauga", 43.589, -79.6441), 22.2, 301, 43),
            (toronto(), town("ON", "Hamilton", 43.2557, -79.8711), 59.2, 745, 79),
            (vancouver(), town("BC", "Surrey", 49.1913, -122.849), 22.2, 301, 43),
            (vancouver(), town("BC", "West Vancouver", 49.328, -123.16), 5.8, 113, 22),
            (calgary(), town("AB", "Red Deer", 52.2681, -113.8112), 137.2, 1652, 142),
            (montreal(), town("QC", "Sherbrooke", 45.4042, -71.8929), 131.1, 1583, 137),
            (montreal(), town("ON", "Ottawa", 45.4215, -75.6972), 166.3, 1978, 163),
            (montreal(), town("QC", "Québec", 46.8139, -71.208), 233.0, 2725, 211),
            (calgary(), town("AB", "Edmonton", 53.5461, -113.4938), 280.9, 3261, 246),
            (montreal(), toronto(), 504.3, 5763, 410),
            (vancouver(), town("BC", "Kelowna", 49.888, -119.496), 269.8, 3984, 294),
            (vancouver(), calgary(), 673.2, 9721, 668),
        ];
        for (a, b, crow, km10, minutes) in rows {
            let leg = travel(&a, &b);
            let names = format!("{} – {}", a.city, b.city);
            assert_eq!((leg.distance_km10, leg.minutes), (km10, minutes), "{names}");
            assert!((leg.crow_km - crow).abs() <= 0.05, "{names}: {}", leg.crow_km);
        }
    }

    #[test]
    fn rivers_count_once_per_bridge() {
        let [island, laval, south, north] =
            ["Montréal", "Laval", "Longueuil", "Terrebonne"].map(|c| bank_of(&place("QC", c, None)));
        for (a, b, bridges) in [
            (island, laval, 1),
            (island, south, 1),
            (laval, north, 1),
            (island, north, 2),
            (laval, south, 2),
            (north, south, 3),
            (south, south, 0),
        ] {
            assert_eq!((crossings(a, b), crossings(b, a)), (bridges, bridges));
        }
        assert_eq!(crossings(island, bank_of(&place("QC", "Sherbrooke", None))), 0);
    }

    #[test]
    fn minutes_invert_to_the_bands_of_speed() {
        for (minutes, km10) in [(0, 0), (12, 50), (34, 197), (35, 206), (98, 994), (99, 1008), (158, 1912)] {
            assert_eq!(km10_from_minutes(minutes), km10, "{minutes} min");
        }
        assert_eq!(minutes_from_km10(0), 1);
        assert_eq!(km10_from_minutes(u32::MAX), u32::MAX);
    }

    #[test]
    fn unknown_places_count_as_the_middle_of_the_province() {
        let nowhere = place("ON", "", None);
        assert_eq!(travel(&nowhere, &place("ON", "Nowhere", None)).distance_km10, 0);
        assert!(travel(&nowhere, &place("AB", "", None)).distance_km10 > 20_000);
    }

    proptest! {
        #[test]
        fn further_is_never_nearer_and_never_jumps(crow in 0.0f64..5000.0, step in 0.0f64..10.0) {
            let (near, far) = (road_km10(crow), road_km10(crow + step));
            prop_assert!(near <= far);
            // The steepest band plus rounding.
            prop_assert!(f64::from(far - near) <= step * 14.5 + 1.0);
            prop_assert!(f64::from(near) + 0.5 >= crow * 10.0);
            prop_assert!(minutes_from_km10(near) <= minutes_from_km10(far));
        }

        #[test]
        fn inverse_is_within_a_minute(minutes in 1u32..3000) {
            let back = minutes_from_km10(km10_from_minutes(minutes));
            prop_assert!(back == minutes || back == minutes + 1, "{minutes} → {back}");
            prop_assert!(km10_from_minutes(minutes) <= km10_from_minutes(minutes + 1));
        }

        #[test]
        fn there_is_as_far_as_back(lat in 42.0f64..55.0, lon in -125.0f64..-64.0, lat2 in 42.0f64..55.0, lon2 in -125.0f64..-64.0, a in 0usize..4, b in 0usize..4) {
            let provinces = ["QC", "ON", "BC", "AB"];
            let (a, b) = (at(provinces[a], lat, lon), at(provinces[b], lat2, lon2));
            let (there, back) = (travel(&a, &b), travel(&b, &a));
            prop_assert_eq!(there.distance_km10, back.distance_km10);
            prop_assert_eq!(there.minutes, back.minutes);
            prop_assert!(f64::from(there.distance_km10) + 1.0 >= there.crow_km * 10.0);
        }

        #[test]
        fn any_numbers_have_an_answer(crow in proptest::num::f64::ANY, km10: u32) {
            let _ = road_km10(crow);
            prop_assert!(minutes_from_km10(km10) >= 1);
        }
    }
}
