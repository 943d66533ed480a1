//! The Mapbox client: against the simulator over loopback HTTP, and against the service's own
//! answers, good and bad.
#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use std::time::{Duration, Instant};

use common::{Reply, canned, json, serve};
use kernel::{Coordinates, Language, Province};
use mapbox::{Limits, Mapbox, MapboxConfig, simulator};
use service::ports::maps::{Maps as _, MapsError};

const DOWNTOWN: Coordinates = Coordinates { lat: 45.5019, lon: -73.5674 };
const QUEBEC: Coordinates = Coordinates { lat: 46.8139, lon: -71.208 };

fn client(base: &str) -> Mapbox {
    let limits =
        Limits { timeout: Duration::from_millis(1500), backoff: Duration::from_millis(5), ..Limits::default() };
    Mapbox::new(MapboxConfig { limits, ..MapboxConfig::new(base, simulator::DEMO_TOKEN.into()) }).unwrap()
}

async fn simulated() -> Mapbox {
    let (base, _) = serve(|target| {
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let (status, body) = simulator::handle("GET", path.strip_prefix("/simulators/mapbox").unwrap_or("/"), query);
        json(status, &body.to_string())
    })
    .await;
    client(&format!("{base}/simulators/mapbox"))
}

const PEEL: &str = r#"{"type":"FeatureCollection","features":[{"type":"Feature"},{"type":"Feature","id":"dXJu","geometry":{"type":"Point","coordinates":[-73.5721,45.4995]},
 "properties":{"mapbox_id":"dXJu","feature_type":"address","name":"1200 Rue Peel","place_formatted":"Montréal, Quebec H3B 2T6, Canada","full_address":"1200 Rue Peel, Montréal, Quebec H3B 2T6, Canada",
  "context":{"address":{"address_number":"1200","street_name":"Rue Peel","name":"1200 Rue Peel"},"postcode":{"name":"H3B 2T6"},"place":{"name":"Montréal"},
   "region":{"name":"Quebec","region_code":"QC","region_code_full":"CA-QC"},"country":{"name":"Canada","country_code":"CA"}},"match_code":{"confidence":"high"}}}]}"#;

#[tokio::test]
async fn a_person_finds_an_address_and_a_way() {
    let maps = simulated().await;
    let found = maps.search("1200 rue peel", Language::Fr, Coordinates::MONTREAL).await.unwrap();
    let peel = &found[0];
    assert_eq!(
        (peel.street.as_str(), peel.city.as_str(), peel.province),
        ("1200 Rue Peel", "Montréal", Some(Province::QC))
    );
    assert_eq!(peel.postal_code.as_ref().unwrap().fsa(), "H3B");
    assert_eq!(peel.country, "Canada");
    assert!(peel.full_address.contains("Québec"));
    let route = maps.route(DOWNTOWN, QUEBEC).await.unwrap();
    assert_eq!((route.duration_seconds, route.distance_meters), (211 * 60, 272_500));
    assert_eq!((route.geometry.first(), route.geometry.last()), (Some(&DOWNTOWN), Some(&QUEBEC)));
    let here = maps.reverse(DOWNTOWN, Language::Zh).await.unwrap().unwrap();
    assert_eq!((here.province, here.city.as_str()), (Some(Province::QC), "Montréal"));
}

#[tokio::test]
async fn the_simulator_says_no_like_the_service() {
    let maps = simulated().await;
    let paris = Coordinates { lat: 48.85, lon: 2.35 };
    assert_eq!(maps.route(DOWNTOWN, paris).await, Err(MapsError::NoRoute));
    assert_eq!(maps.reverse(paris, Language::En).await, Ok(None));
    assert_eq!(maps.search("rue Peel", Language::En, DOWNTOWN).await, Ok(Vec::new()));
    assert!(matches!(maps.search("1 rue Peel #503", Language::En, DOWNTOWN).await, Err(MapsError::Unavailable(_))));
    let (base, _) = serve(|t| {
        let (path, query) = t.split_once('?').unwrap();
        let (status, body) = simulator::handle("GET", path, query);
        json(status, &body.to_string())
    })
    .await;
    let stranger = Mapbox::new(MapboxConfig::new(base, "secret-token".into())).unwrap();
    assert!(matches!(stranger.route(DOWNTOWN, QUEBEC).await, Err(MapsError::Misconfigured(_))));
}

#[tokio::test]
async fn the_services_own_answers_are_read() {
    let (base, asked) = canned(vec![json(200, PEEL)]).await;
    let found = client(&base).search(" 1200;rue Peel ", Language::En, DOWNTOWN).await.unwrap();
    // The odd feature beside it is skipped.
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].full_address, "1200 Rue Peel, Montréal, Quebec H3B 2T6, Canada");
    assert_eq!(found[0].coordinates, Coordinates { lat: 45.4995, lon: -73.5721 });
    let target = asked.lock().unwrap()[0].clone();
    for part in [
        "/search/geocode/v6/forward?q=1200+rue+Peel&",
        "country=ca",
        "types=address",
        "language=en",
        "proximity=-73.567400%2C45.501900",
        "bbox=-141.01%2C41.67%2C-52.61%2C83.12",
        "access_token=pk.",
    ] {
        assert!(target.contains(part), "{part} in {target}");
    }
    assert!(!target.contains("permanent"));
    assert_eq!(client(&base).search("  ", Language::En, DOWNTOWN).await, Ok(Vec::new()));
    assert_eq!(asked.lock().unwrap().len(), 1, "nothing typed, nothing asked");
}

#[tokio::test]
async fn results_that_may_be_stored_are_asked_for_when_configured() {
    let (base, asked) = canned(vec![json(200, PEEL)]).await;
    let maps = Mapbox::new(MapboxConfig { permanent: true, ..MapboxConfig::new(base, "pk.x".into()) }).unwrap();
    maps.search("1200 rue Peel", Language::En, DOWNTOWN).await.unwrap();
    assert!(asked.lock().unwrap()[0].contains("permanent=true"));
}

#[tokio::test]
async fn routes_are_read_by_their_code() {
    let ok = r#"{"code":"Ok","routes":[{"distance":2711.4,"duration":512.7,"geometry":{"type":"LineString","coordinates":[[-73.5721,45.4995],[-73.5878,45.5088]]}}]}"#;
    let (base, asked) = canned(vec![json(200, ok)]).await;
    let route = client(&base).route(DOWNTOWN, QUEBEC).await.unwrap();
    assert_eq!((route.distance_meters, route.duration_seconds, route.geometry.len()), (2711, 513, 2));
    assert!(asked.lock().unwrap()[0].starts_with(
        "/directions/v5/mapbox/driving/-73.567400,45.501900;-71.208000,46.813900?geometries=geojson&overview=full"
    ));
    for (status, body, want) in [
        (200, r#"{"code":"NoRoute","message":"x"}"#, "route"),
        (200, r#"{"code":"NoSegment","routes":[]}"#, "route"),
        (422, r#"{"code":"InvalidInput","message":"x"}"#, "route"),
        (404, r#"{"code":"ProfileNotFound","message":"x"}"#, "settings"),
        (401, r#"{"message":"Not Authorized - Invalid Token"}"#, "settings"),
        (403, r#"{"message":"Forbidden"}"#, "settings"),
        (500, r#"{"message":"x"}"#, "outage"),
        (429, r#"{"message":"Too Many Requests"}"#, "outage"),
        (200, r#"{"code":"Ok","routes":[]}"#, "outage"),
        (200, r#"{"code":"Ok","routes":[{"distance":-1,"duration":1,"geometry":{"coordinates":[]}}]}"#, "outage"),
        (200, "<html>", "outage"),
        (302, "{}", "outage"),
    ] {
        let (base, _) = canned(vec![json(status, body)]).await;
        let kind = match client(&base).route(DOWNTOWN, QUEBEC).await {
            Err(MapsError::NoRoute) => "route",
            Err(MapsError::Misconfigured(_)) => "settings",
            Err(MapsError::Unavailable(_)) => "outage",
            Ok(_) => "way",
        };
        assert_eq!(kind, want, "{status} {body}");
    }
}

#[tokio::test]
async fn what_may_pass_is_asked_again() {
    let (base, asked) = canned(vec![json(503, "{}"), json(500, "{}"), json(200, PEEL)]).await;
    assert_eq!(client(&base).search("1200 rue Peel", Language::En, DOWNTOWN).await.unwrap().len(), 1);
    assert_eq!(asked.lock().unwrap().len(), 3);

    let (base, asked) =
        canned(vec![Reply { headers: "retry-after: 0\r\n".to_owned(), ..json(429, "{}") }, json(200, PEEL)]).await;
    assert_eq!(client(&base).search("1200 rue Peel", Language::En, DOWNTOWN).await.unwrap().len(), 1);
    assert_eq!(asked.lock().unwrap().len(), 2);

    let (base, asked) = canned(vec![json(0, ""), json(200, PEEL)]).await;
    assert_eq!(
        client(&base).search("1200 rue Peel", Language::En, DOWNTOWN).await.unwrap().len(),
        1,
        "after a broken connection"
    );
    assert_eq!(asked.lock().unwrap().len(), 2);

    let (base, asked) = canned(vec![json(503, "{}")]).await;
    assert!(client(&base).search("1200 rue Peel", Language::En, DOWNTOWN).await.is_err());
    assert_eq!(asked.lock().unwrap().len(), 3, "not for ever");

    let (base, asked) = canned(vec![Reply { headers: "retry-after: 60\r\n".to_owned(), ..json(429, "{}") }]).await;
    assert!(matches!(
        client(&base).search("1200 rue Peel", Language::En, DOWNTOWN).await,
        Err(MapsError::Unavailable(_))
    ));
    assert_eq!(asked.lock().unwrap().len(), 1, "nobody waits a minute");
}

#[tokio::test]
async fn nobody_waits_longer_than_the_limit_and_no_token_is_told() {
    let (base, _) = canned(vec![Reply { after: Duration::from_secs(60), ..json(200, PEEL) }]).await;
    let started = Instant::now();
    let slow = client(&base).search("1200 rue Peel", Language::En, DOWNTOWN).await.unwrap_err();
    assert!(started.elapsed() < Duration::from_secs(5));
    let nobody = client("http://127.0.0.1:1").search("1200 rue Peel", Language::En, DOWNTOWN).await.unwrap_err();
    for error in [slow, nobody] {
        assert!(matches!(error, MapsError::Unavailable(_)));
        assert!(!error.to_string().contains("pk.") && !error.to_string().contains("access_token"), "{error}");
    }
}

#[test]
fn nonsense_settings_are_refused_at_once() {
    for (base, token) in [("nonsense", "pk.x"), ("ftp://x", "pk.x"), ("https://api.mapbox.com", " ")] {
        assert!(
            matches!(Mapbox::new(MapboxConfig::new(base, token.into())), Err(MapsError::Misconfigured(_))),
            "{base}"
        );
    }
    let shown = format!("{:?}", MapboxConfig::new("http://x", "pk.secret".into()));
    assert!(!shown.contains("pk.secret"));
}
