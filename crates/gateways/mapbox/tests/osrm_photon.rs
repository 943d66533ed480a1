//! The self-hosted pair against the services' own answers.
#![allow(clippy::unwrap_used)]

mod common;

use std::time::Duration;

use common::{Reply, RequestLog, canned, json};
use kernel::{Coordinates, Language, Province};
use mapbox::{Limits, OsrmPhoton, OsrmPhotonConfig};
use service::ports::maps::{Maps as _, MapsError};

const A: Coordinates = Coordinates { lat: 45.5019, lon: -73.5674 };
const B: Coordinates = Coordinates { lat: 45.5717, lon: -73.7237 };

async fn pair(replies: Vec<Reply>) -> (OsrmPhoton, RequestLog) {
    let (base, asked) = canned(replies).await;
    let limits =
        Limits { timeout: Duration::from_millis(1500), backoff: Duration::from_millis(5), ..Limits::default() };
    (
        OsrmPhoton::new(OsrmPhotonConfig {
            osrm_url: format!("{base}/osrm"),
            photon_url: format!("{base}/photon/"),
            limits,
        })
        .unwrap(),
        asked,
    )
}

fn feature(properties: &str) -> String {
    format!(
        r#"{{"type":"Feature","geometry":{{"type":"Point","coordinates":[-73.5721,45.4995]}},"properties":{properties}}}"#
    )
}

fn features(all: &[&str]) -> Reply {
    let list: Vec<String> = all.iter().map(|p| feature(p)).collect();
    json(200, &format!(r#"{{"type":"FeatureCollection","features":[{}]}}"#, list.join(",")))
}

const HOUSE: &str = r#"{"osm_id":1,"type":"house","housenumber":"1200","street":"Rue Peel","city":"Montreal","state":"Québec","postcode":"H3B 2T6","country":"Canada","countrycode":"CA"}"#;
const STREET: &str = r#"{"type":"street","name":"Rue Peel","city":"Montréal","state":"Colombie-Britannique","country":"Canada","countrycode":"CA"}"#;
const VERMONT: &str = r#"{"type":"house","housenumber":"1","street":"Main Street","city":"Newport","state":"Vermont","country":"United States","countrycode":"US"}"#;

#[tokio::test]
async fn addresses_are_houses_and_streets_with_the_typed_number() {
    let (maps, asked) =
        pair(vec![features(&[HOUSE, STREET, VERMONT, r#"{"type":"city","name":"Peel","countrycode":"CA"}"#, "7"])])
            .await;
    let found = maps.search("1210 rue Peel", Language::Fr, A).await.unwrap();
    let told: Vec<&str> = found.iter().map(|s| s.full_address.as_str()).collect();
    assert_eq!(told, ["1200 Rue Peel, Montreal, QC H3B 2T6, Canada", "1210 Rue Peel, Montréal, BC, Canada"]);
    assert_eq!((found[0].province, found[1].province), (Some(Province::QC), Some(Province::BC)));
    assert_eq!(found[0].coordinates, Coordinates { lat: 45.4995, lon: -73.5721 });
    let target = asked.lock().unwrap()[0].clone();
    for part in [
        "/photon/api?q=1210+rue+Peel&",
        "lat=45.501900",
        "lon=-73.567400",
        "layer=house&layer=street",
        "countrycode=CA",
        "lang=fr",
    ] {
        assert!(target.contains(part), "{part} in {target}");
    }
    let (maps, _) = pair(vec![features(&[STREET])]).await;
    assert_eq!(maps.search("rue Peel", Language::En, A).await, Ok(Vec::new()), "no number, no address");
}

#[tokio::test]
async fn an_older_server_is_asked_without_the_country() {
    let refusal = json(400, r#"{"message":"unknown query parameter 'countrycode'. Allowed parameters are: [...]"}"#);
    let (maps, asked) = pair(vec![refusal, features(&[HOUSE, VERMONT])]).await;
    assert_eq!(maps.search("1200 rue Peel", Language::Zh, A).await.unwrap().len(), 1);
    assert_eq!(maps.search("1200 rue Peel", Language::En, A).await.unwrap().len(), 1);
    let asked = asked.lock().unwrap();
    let with: Vec<bool> = asked.iter().map(|t| t.contains("countrycode")).collect();
    assert_eq!(with, [true, false, false], "and remembered");
    assert!(asked[1].contains("bbox=-141.01") && asked[1].contains("lang=en"));
}

#[tokio::test]
async fn other_refusals_are_settings() {
    let (maps, _) = pair(vec![json(400, r#"{"message":"invalid search term 'lat'"}"#)]).await;
    assert!(matches!(maps.search("1 x", Language::En, A).await, Err(MapsError::Misconfigured(_))));
    let (maps, _) = pair(vec![json(502, "bad gateway")]).await;
    assert!(matches!(maps.search("1 x", Language::En, A).await, Err(MapsError::Unavailable(_))));
    let (maps, _) = pair(vec![json(200, "[]")]).await;
    assert!(matches!(maps.search("1 x", Language::En, A).await, Err(MapsError::Unavailable(_))));
}

#[tokio::test]
async fn a_point_has_a_place_or_none() {
    let (maps, asked) = pair(vec![features(&[HOUSE])]).await;
    let here = maps.reverse(A, Language::En).await.unwrap().unwrap();
    assert_eq!(
        (here.province, here.street.as_str(), here.city.as_str()),
        (Some(Province::QC), "1200 Rue Peel", "Montreal")
    );
    assert!(asked.lock().unwrap()[0].starts_with("/photon/reverse?lat=45.501900&lon=-73.567400"));
    let (maps, _) = pair(vec![features(&[VERMONT])]).await;
    assert_eq!(maps.reverse(A, Language::En).await.unwrap().unwrap().province, None);
    let (maps, _) = pair(vec![features(&[])]).await;
    assert_eq!(maps.reverse(A, Language::En).await, Ok(None));
}

#[tokio::test]
async fn routes_and_refusals_of_osrm() {
    let ok = r#"{"code":"Ok","waypoints":[],"routes":[{"distance":23000.4,"duration":1500.5,"weight_name":"routability","geometry":{"type":"LineString","coordinates":[[-73.5674,45.5019],[-73.7237,45.5717]]},"legs":[]}]}"#;
    let (maps, asked) = pair(vec![json(200, ok)]).await;
    let route = maps.route(A, B).await.unwrap();
    assert_eq!((route.distance_meters, route.duration_seconds), (23_000, 1501));
    assert_eq!(route.geometry, [A, B]);
    assert!(asked.lock().unwrap()[0].starts_with(
        "/osrm/route/v1/driving/-73.567400,45.501900;-73.723700,45.571700?overview=full&geometries=geojson"
    ));
    for code in ["NoRoute", "NoSegment", "InvalidValue", "InvalidQuery", "InvalidUrl", "InvalidOptions"] {
        let (maps, _) = pair(vec![json(400, &format!(r#"{{"code":"{code}","message":"x"}}"#))]).await;
        assert_eq!(maps.route(A, B).await, Err(MapsError::NoRoute), "{code}");
    }
    for code in ["InvalidService", "InvalidVersion", "TooBig"] {
        let (maps, _) = pair(vec![json(400, &format!(r#"{{"code":"{code}","message":"x"}}"#))]).await;
        assert!(matches!(maps.route(A, B).await, Err(MapsError::Misconfigured(_))), "{code}");
    }
    let (maps, _) = pair(vec![json(504, "{}")]).await;
    assert!(matches!(maps.route(A, B).await, Err(MapsError::Unavailable(_))));
}
