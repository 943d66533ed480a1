#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
use proptest::prelude::*;

use super::*;

fn get(path: &str, query: &str) -> JsonReply {
    handle("GET", path, &format!("access_token={DEMO_TOKEN}&{query}"))
}

fn encoded(text: &str) -> String {
    text.bytes().map(|b| format!("%{b:02X}")).collect()
}

/// `full_address` of each answer.
fn search(q: &str, more: &str) -> Vec<String> {
    let (status, body) =
        get("/search/geocode/v6/forward", &format!("q={}&country=ca&types=address&{more}", encoded(q)));
    assert_eq!(status, 200, "{body}");
    body["features"]
        .as_array()
        .unwrap()
        .iter()
        .map(|f| f["properties"]["full_address"].as_str().unwrap().to_owned())
        .collect()
}

fn route(from: (f64, f64), to: (f64, f64), more: &str) -> JsonReply {
    get(&format!("/directions/v5/mapbox/driving/{},{};{},{}", from.1, from.0, to.1, to.0), more)
}

#[test]
fn tokens_are_asked_for() {
    assert_eq!(handle("GET", "/search/geocode/v6/forward", "q=1").0, 401);
    assert_eq!(handle("GET", "/search/geocode/v6/forward", "q=1&access_token=x").0, 401);
    assert_eq!(handle("POST", "/search/geocode/v6/forward", "q=1&access_token=pk.x").0, 405);
    assert_eq!(get("/nowhere", "").0, 404);
    assert_eq!(get("/search/geocode/v6/forward", "").0, 404);
}

#[test]
fn well_known_streets_come_complete() {
    let found = search("1200 rue peel", "");
    assert!(found[0].starts_with("1200 Rue Peel, Montréal, Quebec H3B "), "{found:?}");
    assert!(found[0].ends_with(", Canada"));
    assert_eq!(search("1200 PEEL montreal", ""), search("1200 peel st, Montréal, QC", ""));
    assert!(search("290 bremner blvd toronto", "")[0].starts_with("290 Bremner Boulevard, Toronto, Ontario M"));
    assert!(
        search("100 king st w", "proximity=-79.38,43.65")[0].starts_with("100 King Street West, Toronto, Ontario M5H")
    );
    assert!(search("100 king st w", "proximity=-80.49,43.45")[0].starts_with("100 King Street West, Kitchener"));
    assert!(
        search("1015 17 avenue sw", "proximity=-114.07,51.04")[0]
            .starts_with("1015 17 Avenue SW, Calgary, Alberta T2T")
    );
    assert!(search("1200 rue p", "").len() >= 2, "autocomplete");
}

#[test]
fn any_address_with_a_city_or_a_postal_code_is_placed() {
    let found = search("77 rue des Lilas, Trois-Rivières, QC", "language=fr");
    assert!(found[0].starts_with("77 Rue des Lilas, Trois-Rivières, Québec G"), "{found:?}");
    assert_eq!(
        search("12 rang double, Saint-Isidore, QC J0L 2A0", "")[0],
        "12 Rang Double, Saint-Isidore, Quebec J0L 2A0, Canada"
    );
    assert_eq!(search("3 impasse inconnue H2X 1Y4", "")[0], "3 Impasse Inconnue, Montréal, Quebec H2X 1Y4, Canada");
    assert_eq!(
        search("3 maple lane, Nowhereville, ON M5V 2T6", "")[0],
        "3 Maple Lane, Toronto, Ontario M5V 2T6, Canada",
        "a town knows the names of its parts"
    );
    assert!(search("3 maple lane, Nowhereville, ON K0A 1A0", "")[0].starts_with("3 Maple Lane, Nowhereville, Ontario"));
    assert!(search("8 elm st, halifax", "")[0].contains("Halifax, Nova Scotia B3"));
    assert!(search("42 rue sans ville", "").len() >= 2, "several cities are offered");
    assert!(search("42 sans ville road", "proximity=-113.5,53.5")[0].contains("Edmonton, Alberta T"));
}

#[test]
fn what_is_no_address_is_an_empty_list() {
    for nothing in ["rue peel", "Montréal", "1200", "H2X 1Y4", "12 rue", "?", "搬家"] {
        assert!(search(nothing, "").is_empty(), "{nothing}");
    }
    assert!(search("1200 rue peel", "country=us").len() == search("1200 rue peel", "").len(), "the first country wins");
    let abroad = get("/search/geocode/v6/forward", "q=1200+rue+peel&country=us");
    assert_eq!(abroad.1["features"], json!([]));
}

#[test]
fn answers_have_the_shape_of_the_service() {
    let (_, body) = get("/search/geocode/v6/forward", "q=1200%20rue%20Peel&language=fr&limit=1");
    let feature = &body["features"][0];
    assert_eq!(body["type"], "FeatureCollection");
    assert_eq!(feature["geometry"]["coordinates"][0], feature["properties"]["coordinates"]["longitude"]);
    let properties = &feature["properties"];
    assert_eq!(properties["feature_type"], "address");
    assert_eq!(properties["context"]["address"]["address_number"], "1200");
    assert_eq!(properties["context"]["street"]["name"], "Rue Peel");
    assert_eq!(properties["context"]["place"]["name"], "Montréal");
    assert_eq!(
        properties["context"]["region"],
        json!({"name": "Québec", "region_code": "QC", "region_code_full": "CA-QC"})
    );
    assert_eq!(properties["context"]["country"]["country_code"], "CA");
    assert!(properties["context"]["postcode"]["name"].as_str().unwrap().starts_with("H3B "));
    assert_eq!(properties["match_code"]["confidence"], "high");
}

#[test]
fn numbers_have_their_own_points_and_keep_them() {
    let at = |q: &str| {
        let (_, body) = get("/search/geocode/v6/forward", &format!("q={}&limit=1", encoded(q)));
        body["features"][0]["geometry"]["coordinates"].clone()
    };
    assert_eq!(at("1200 rue Peel, Montréal"), at("1200 PEEL, montreal"));
    assert_ne!(at("1200 rue Peel, Montréal"), at("1300 rue Peel, Montréal"));
    let lon = at("1200 rue Peel, Montréal")[0].as_f64().unwrap();
    assert!((lon + 73.57).abs() < 0.03, "{lon}");
}

#[test]
fn bad_parameters_and_trouble_on_command() {
    let forward = |q: &str| get("/search/geocode/v6/forward", q).0;
    for bad in [
        "q=1+rue+peel&limit=0",
        "q=1+rue+peel&limit=x",
        "q=1+rue+peel&proximity=1",
        "q=a%3Bb",
        &format!("q={}", "a".repeat(257)),
    ] {
        assert_eq!(forward(bad), 422, "{bad}");
    }
    assert_eq!([forward("q=1+rue+peel+%23503"), forward("q=%23429"), forward("q=%23500")], [503, 429, 500]);
    let reverse = |q: &str| get("/search/geocode/v6/reverse", q).0;
    for bad in
        ["longitude=-73", "longitude=x&latitude=45", "longitude=-273&latitude=45", "longitude=-73&latitude=45&limit=2"]
    {
        assert_eq!(reverse(bad), 422, "{bad}");
    }
}

#[test]
fn points_have_a_place_and_a_province() {
    let reverse = |lat: f64, lon: f64, types: &str| {
        let (status, body) =
            get("/search/geocode/v6/reverse", &format!("longitude={lon}&latitude={lat}&types={types}"));
        assert_eq!(status, 200);
        body["features"][0]["properties"].clone()
    };
    let downtown = reverse(45.5019, -73.5674, "address");
    assert_eq!(
        (downtown["feature_type"].as_str(), downtown["context"]["region"]["region_code"].as_str()),
        (Some("address"), Some("QC"))
    );
    assert_eq!(downtown["context"]["place"]["name"], "Montréal");
    for (lat, lon, code) in [
        (45.5717, -73.7237, "QC"),
        (43.65, -79.38, "ON"),
        (49.2, -122.85, "BC"),
        (51.05, -114.07, "AB"),
        (44.65, -63.58, "NS"),
        (45.43, -75.72, "QC"),
        (45.42, -75.69, "ON"),
    ] {
        assert_eq!(reverse(lat, lon, "region")["context"]["region"]["region_code"], code, "{lat},{lon}");
    }
    for (lat, lon) in [(40.7, -74.0), (48.85, 2.35), (47.6, -122.33), (44.69, -73.45), (55.0, -50.0), (75.0, -100.0)] {
        assert!(reverse(lat, lon, "region").is_null(), "{lat},{lon}");
    }
}

#[test]
fn routes_come_from_the_travel_model() {
    let (status, body) = route((45.5019, -73.5674), (46.8139, -71.208), "geometries=geojson&overview=full");
    assert_eq!((status, body["code"].as_str()), (200, Some("Ok")));
    let found = &body["routes"][0];
    assert_eq!((found["distance"].as_f64(), found["duration"].as_f64()), (Some(272_500.0), Some(211.0 * 60.0)));
    let line = found["geometry"]["coordinates"].as_array().unwrap();
    assert!(line.len() > 50);
    assert_eq!((&line[0], line.last().unwrap()), (&json!([-73.5674, 45.5019]), &json!([-71.208, 46.8139])));
    assert_eq!(found["legs"].as_array().unwrap().len(), 1);
    let (_, encoded) = route((45.5, -73.6), (45.55, -73.7), "");
    assert!(encoded["routes"][0]["geometry"].is_string());
    let (_, bare) = route((45.5, -73.6), (45.55, -73.7), "overview=false");
    assert!(bare["routes"][0].get("geometry").is_none());
}

#[test]
fn water_borders_and_wilderness_have_no_route() {
    let code = |from, to| {
        let (status, body) = route(from, to, "geometries=geojson");
        (status, body["code"].as_str().unwrap().to_owned())
    };
    let montreal = (45.5019, -73.5674);
    for (name, to) in [
        ("Victoria", (48.4284, -123.3656)),
        ("Magdalen Islands", (47.38, -61.87)),
        ("Paris", (48.85, 2.35)),
        ("Kuujjuaq", (58.1, -68.4)),
        ("Atlantic", (44.0, -55.0)),
    ] {
        assert_eq!(code(montreal, to), (200, "NoRoute".to_owned()), "{name}");
    }
    assert_eq!(code((48.85, 2.35), (48.9, 2.4)), (200, "NoSegment".to_owned()));
    assert_eq!(code((48.4284, -123.3656), (49.1659, -123.9401)).1, "Ok", "on one island");
    assert_eq!(get("/directions/v5/mapbox/flying/1,2;3,4", "").0, 404);
    for bad in ["-73,45", "-73,45;x,y", "-73,95;-73,45"] {
        let (status, body) = get(&format!("/directions/v5/mapbox/driving/{bad}"), "");
        assert_eq!((status, body["code"].as_str()), (422, Some("InvalidInput")), "{bad}");
    }
}

proptest! {
    #[test]
    fn every_request_has_an_answer(path in "/[a-z0-9/,;.-]{0,50}", query in "(?s).{0,80}") {
        let (status, _) = handle("GET", &path, &query);
        prop_assert!((200..600).contains(&status));
    }

    #[test]
    fn every_text_is_searched(q in "(?s).{0,120}") {
        let (status, body) = get("/search/geocode/v6/forward", &format!("q={}", encoded(&q)));
        prop_assert!(status == 200 || body["message"].is_string());
    }

    #[test]
    fn every_pair_of_points_is_routed_or_refused(lat in 41.0f64..70.0, lon in -141.0f64..-52.0, lat2 in 41.0f64..70.0, lon2 in -141.0f64..-52.0) {
        let (status, body) = route((lat, lon), (lat2, lon2), "geometries=geojson");
        prop_assert_eq!(status, 200);
        prop_assert!(matches!(body["code"].as_str(), Some("Ok" | "NoRoute" | "NoSegment")));
    }
}
