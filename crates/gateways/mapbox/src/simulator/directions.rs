//! `GET /directions/v5/mapbox/{profile}/{lon},{lat};{lon},{lat}`.

use geography::{Place, ferry_between, nearest, travel};
use kernel::{Coordinates, Province};
use serde_json::{Value, json};

use super::{JsonReply, Params, forward::point, offset::round, polyline, reverse::is_abroad};

const PROFILES: [&str; 4] = ["driving", "driving-traffic", "walking", "cycling"];
const MOST_WAYPOINTS: usize = 25;
/// Further from everything we know there is no road to stand on, km.
const FURTHEST_KM: f64 = 100.0;
/// North of this Quebec has no road to the rest of it.
const QUEBEC_ROADS_END: f64 = 54.5;
/// Points of a drawn line per kilometre of great circle, and the most of them.
const POINTS: (f64, usize) = (0.5, 200);

fn failure(status: u16, code: &str, message: &str) -> JsonReply {
    (status, json!({ "code": code, "message": message, "routes": [] }))
}

pub(super) fn answer(profile: &str, waypoints: &str, params: &Params) -> JsonReply {
    if !PROFILES.contains(&profile) {
        return failure(404, "ProfileNotFound", "Profile not found");
    }
    let text = waypoints.replace("%2C", ",").replace("%2c", ",").replace("%3B", ";").replace("%3b", ";");
    let points: Option<Vec<Coordinates>> = text.split(';').map(point).collect();
    let points = match points {
        Some(points) if (2..=MOST_WAYPOINTS).contains(&points.len()) => points,
        _ => return failure(422, "InvalidInput", "Coordinate is invalid, or there are not 2 to 25 of them"),
    };
    let geometry = params.get("geometries").unwrap_or("polyline");
    let overview = params.get("overview").unwrap_or("simplified");
    if !["geojson", "polyline", "polyline6"].contains(&geometry) || !["full", "simplified", "false"].contains(&overview)
    {
        return failure(422, "InvalidInput", "geometries or overview is not one of the known values");
    }
    if points.iter().all(|p| is_abroad(*p)) {
        return failure(200, "NoSegment", "Could not find a matching segment for any coordinate");
    }
    let mut stops = Vec::with_capacity(points.len());
    for point in &points {
        match stop_at(*point) {
            Some(stop) => stops.push(stop),
            None => return failure(200, "NoRoute", "No route found"),
        }
    }
    let legs: Vec<(Value, f64, f64)> = stops.windows(2).filter_map(leg).collect();
    if legs.len() + 1 != stops.len() {
        return failure(200, "NoRoute", "No route found");
    }
    let (distance, duration) = legs.iter().fold((0.0, 0.0), |sum, leg| (sum.0 + leg.1, sum.1 + leg.2));
    let mut route = json!({
        "distance": distance, "duration": duration, "weight": duration, "weight_name": "auto",
        "legs": legs.into_iter().map(|l| l.0).collect::<Vec<_>>(),
    });
    if overview != "false"
        && let Some(fields) = route.as_object_mut()
    {
        let line: Vec<Coordinates> = points.windows(2).flat_map(|p| drawn(p[0], p[1])).collect();
        fields.insert("geometry".to_owned(), geometry_of(&line, geometry));
    }
    let named = stops.iter().map(|s| {
        let at = s.coordinates.unwrap_or(Coordinates::MONTREAL);
        json!({ "name": s.city, "location": [round(at.lon), round(at.lat)], "distance": 0.0 })
    });
    let uuid = format!("simulated-{:016x}", super::offset::hash(&text));
    (200, json!({ "code": "Ok", "uuid": uuid, "waypoints": named.collect::<Vec<_>>(), "routes": [route] }))
}

/// The point on the road network; none abroad, at sea and where roads end.
fn stop_at(at: Coordinates) -> Option<Place> {
    if is_abroad(at) {
        return None;
    }
    let (found, km) = nearest(at)?;
    let province = found.province();
    let roadless = province == Province::NU || (province == Province::QC && at.lat > QUEBEC_ROADS_END);
    (km <= FURTHEST_KM && !roadless).then(|| Place {
        province,
        city: found.municipality().to_owned(),
        postal_code: Some(found.postal_code().clone()),
        coordinates: Some(at),
    })
}

/// A leg with its metres and seconds; none across water without a bridge.
fn leg(ends: &[Place]) -> Option<(Value, f64, f64)> {
    let [from, to] = ends else { return None };
    if ferry_between(from, to) {
        return None;
    }
    let travel = travel(from, to);
    let (metres, seconds) = (f64::from(travel.distance_km10) * 100.0, f64::from(travel.minutes) * 60.0);
    Some((json!({ "distance": metres, "duration": seconds, "summary": "", "steps": [] }), metres, seconds))
}

/// A line with a slight bow, so that it is seen to be a way and not a ruler's edge.
fn drawn(from: Coordinates, to: Coordinates) -> Vec<Coordinates> {
    let km = geography::great_circle_km(from, to);
    let steps = ((km * POINTS.0) as usize).clamp(8, POINTS.1);
    let bow = 0.06;
    let (north, east) = (to.lat - from.lat, to.lon - from.lon);
    let at = |i: usize| {
        let t = i as f64 / steps as f64;
        let side = bow * (t * std::f64::consts::PI).sin() * (1.0 + 0.3 * (t * 9.0).sin());
        let (lat, lon) = (from.lat + north * t + east * side * 0.6, from.lon + east * t - north * side * 1.4);
        Coordinates::new(round(lat), round(lon)).unwrap_or(from)
    };
    let mut line: Vec<Coordinates> = (0..=steps).map(at).collect();
    // sin(π) is not quite zero.
    if let Some(last) = line.last_mut() {
        *last = to;
    }
    line
}

fn geometry_of(line: &[Coordinates], format: &str) -> Value {
    match format {
        "polyline6" => json!(polyline::encode(line, 6)),
        "polyline" => json!(polyline::encode(line, 5)),
        _ => {
            json!({ "type": "LineString", "coordinates": line.iter().map(|c| [round(c.lon), round(c.lat)]).collect::<Vec<_>>() })
        }
    }
}
