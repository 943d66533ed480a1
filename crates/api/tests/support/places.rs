//! Addresses as the search finds them, and drafts between them.

use serde_json::{Value, json};

use super::{TestApp, people::GUEST, requests::draft};

/// The day of the moves.
pub const DAY: &str = "2027-02-17";
/// When they begin.
pub const START: &str = "08:00";

/// An address as the search answers it.
pub async fn found(app: &TestApp, text: &str) -> Value {
    let url = reqwest::Url::parse_with_params("http://x/api/geo/search", [("q", text)]).unwrap();
    let answer = app.get(GUEST, &format!("/api/geo/search?{}", url.query().unwrap())).await.expect(200);
    let first = answer.body["data"][0].clone();
    assert!(first["postalCode"].is_string(), "{text}: {first}");
    first
}

/// The address without its point.
pub fn address(found: &Value) -> Value {
    let mut a = found.clone();
    for own in ["lat", "lon", "area", "served"] {
        a.as_object_mut().unwrap().remove(own);
    }
    a
}

pub fn point(found: &Value) -> Value {
    json!({ "lat": found["lat"], "lon": found["lon"] })
}

pub fn end(draft: &mut Value, name: &str, found: &Value) {
    draft[name] = address(found);
    draft[format!("{name}Coords")] = point(found);
}

pub fn honest(from: &Value, to: &Value) -> Value {
    let mut d = draft(DAY, START);
    end(&mut d, "pickup", from);
    end(&mut d, "dropoff", to);
    d
}
