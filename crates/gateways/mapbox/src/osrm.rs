//! OSRM: self-hosted routes.

use kernel::Coordinates;
use reqwest::{StatusCode, Url};
use serde_json::Value;
use service::ports::maps::{MapsError, Route};

use crate::{
    client::lon_lat,
    http::{Http, at},
    wire::Directions,
};

/// `GET /route/v1/driving/…`.
pub(crate) async fn route(http: &Http, base: &Url, from: Coordinates, to: Coordinates) -> Result<Route, MapsError> {
    let mut url = at(base, &format!("/route/v1/driving/{};{}", lon_lat(from), lon_lat(to)));
    url.query_pairs_mut().extend_pairs([
        ("overview", "full"),
        ("geometries", "geojson"),
        ("alternatives", "false"),
        ("steps", "false"),
    ]);
    let answer = http.get(url).await?;
    let code = answer.body.get("code").and_then(Value::as_str).unwrap_or_default();
    match code {
        "Ok" if answer.status == StatusCode::OK => serde_json::from_value::<Directions>(answer.body)
            .map_err(|_| MapsError::Unavailable("osrm: not a route".to_owned()))?
            .into_route(),
        // OSRM has no InvalidInput: these four are what Mapbox calls so. All come with status 400.
        "NoRoute" | "NoSegment" | "InvalidValue" | "InvalidQuery" | "InvalidUrl" | "InvalidOptions" => {
            Err(MapsError::NoRoute)
        }
        _ => Err(answer.failure()),
    }
}
