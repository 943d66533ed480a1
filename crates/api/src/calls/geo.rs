//! Addresses, routes, geo settings and taxes.

use actix_web::web;
use kernel::{Coordinates, Province};
use serde::{Deserialize, Serialize};
use serde_json::json;
use service::{
    FieldProblem,
    geo::{self, RouteInfo, Suggestion, WayWarning},
};
use utoipa::ToSchema;
use validator::Validate;

use super::{
    replies::{Json, Reply},
    values::{LanguageCode, ProvinceCode, WayWarningCode, blank},
};
use crate::{
    access::Who,
    contract::{CommonError, refusals},
    endpoint::{Access, Audit, Example, Route},
    http::{ValidJson, ValidQuery},
    limits::LimitClass,
    state::State,
};

refusals! {
    /// Why no address is found.
    SearchRefusal { Rule: MapsUnavailable }
}

refusals! {
    /// Why a point has no address.
    ReverseRefusal { Rule: CoordinatesUnavailable, ProvinceNotServed, MapsUnavailable }
}

refusals! {
    /// Why there is no way.
    WayRefusal { Rule: NoRoute, MapsUnavailable }
}

refusals! {
    /// Why there are no settings.
    SettingsRefusal { Rule: NoRate }
}

refusals! {
    /// Why there are no taxes.
    TaxRefusal { Rule: ProvinceNotServed, NoRate }
}

/// What was typed, and where.
#[derive(Debug, Deserialize, ToSchema)]
struct SearchQuery {
    /// What was typed.
    #[schema(min_length = 1, max_length = 256)]
    q: String,
    /// Language of the answer.
    #[schema(value_type = Option<LanguageCode>)]
    #[allow(dead_code, reason = "read for every call, by `request::language`; an unknown one is refused by none")]
    lang: Option<String>,
    /// Degrees north.
    #[schema(minimum = -90, maximum = 90)]
    lat: Option<f64>,
    /// Degrees east.
    #[schema(minimum = -180, maximum = 180)]
    lon: Option<f64>,
}

/// A point as it comes from a browser that may not tell it.
#[derive(Debug, Deserialize, ToSchema)]
struct ReverseQuery {
    /// Degrees north.
    #[schema(minimum = -90, maximum = 90, required = true)]
    lat: Option<f64>,
    /// Degrees east.
    #[schema(minimum = -180, maximum = 180, required = true)]
    lon: Option<f64>,
}

/// Whose taxes.
#[derive(Debug, Deserialize, ToSchema)]
struct TaxQuery {
    /// Quebec when left out.
    #[serde(default, deserialize_with = "blank")]
    #[schema(value_type = Option<ProvinceCode>)]
    province: Option<Province>,
}

/// A point.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema, Validate)]
pub struct Point {
    /// Degrees north.
    #[validate(range(min = -90.0, max = 90.0))]
    #[schema(minimum = -90, maximum = 90, example = 45.5)]
    pub lat: f64,
    /// Degrees east.
    #[validate(range(min = -180.0, max = 180.0))]
    #[schema(minimum = -180, maximum = 180, example = -73.65)]
    pub lon: f64,
}

impl Point {
    /// A checked point.
    ///
    /// # Errors
    /// 422 out of bounds.
    pub fn checked(self, field: &str) -> Result<Coordinates, CommonError> {
        Coordinates::new(self.lat, self.lon).map_err(|_| CommonError::field(field, FieldProblem::OutOfRange))
    }
}

impl From<Coordinates> for Point {
    fn from(c: Coordinates) -> Point {
        Point { lat: c.lat, lon: c.lon }
    }
}

/// A found address.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FoundAddress {
    /// One line.
    full_address: String,
    /// Civic number and street.
    street: String,
    /// Municipality.
    city: String,
    /// Province, when known.
    #[schema(value_type = Option<ProvinceCode>)]
    province: Option<Province>,
    /// Postal code, when known.
    postal_code: Option<String>,
    /// Country.
    country: String,
    /// Degrees north.
    lat: f64,
    /// Degrees east.
    lon: f64,
    /// Its service area, `greater-montreal`; none outside of all.
    area: Option<String>,
    /// It lies in a service area. (Elsewhere can still book to or from Greater Montreal.)
    served: bool,
}

impl From<Suggestion> for FoundAddress {
    fn from(s: Suggestion) -> FoundAddress {
        FoundAddress {
            full_address: s.place.full_address,
            street: s.place.street,
            city: s.place.city,
            province: s.place.province,
            postal_code: s.place.postal_code.map(|p| p.to_string()),
            country: s.place.country,
            lat: s.place.coordinates.lat,
            lon: s.place.coordinates.lon,
            served: s.area.is_some(),
            area: s.area,
        }
    }
}

/// Found addresses, best first.
#[derive(Debug, Serialize, ToSchema)]
pub struct FoundAddresses {
    /// Addresses.
    data: Vec<FoundAddress>,
}

/// Two points.
#[derive(Debug, Deserialize, ToSchema, Validate)]
pub struct RouteRequest {
    /// From.
    #[validate(nested)]
    pickup: Point,
    /// To.
    #[validate(nested)]
    dropoff: Point,
}

/// A way by truck.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RouteAnswer {
    /// Driving time.
    duration_seconds: u32,
    /// Length.
    distance_meters: u32,
    /// GeoJSON LineString.
    geometry: LineString,
    /// Address parts of the pickup, where the maps know them.
    pickup: Option<FoundAddress>,
    /// Address parts of the drop-off, likewise.
    dropoff: Option<FoundAddress>,
    /// `same_place`: both ends are one; `long_distance`: priced as a long-distance move; `too_far`: not in one day, contact
    /// support.
    #[schema(value_type = Vec<WayWarningCode>)]
    warnings: Vec<&'static str>,
}

/// A GeoJSON line: longitude before latitude.
#[derive(Debug, Serialize, ToSchema)]
pub struct LineString {
    /// `LineString`.
    #[serde(rename = "type")]
    kind: &'static str,
    /// Points in driving order.
    coordinates: Vec<[f64; 2]>,
}

impl From<RouteInfo> for RouteAnswer {
    fn from(info: RouteInfo) -> RouteAnswer {
        let (w, [pickup, dropoff]) = (info.route, info.ends);
        RouteAnswer {
            pickup: pickup.map(FoundAddress::from),
            dropoff: dropoff.map(FoundAddress::from),
            warnings: info.warnings.into_iter().map(WayWarning::code).collect(),
            duration_seconds: w.duration_seconds,
            distance_meters: w.distance_meters,
            geometry: LineString {
                kind: "LineString",
                coordinates: w.geometry.iter().map(|c| [c.lon, c.lat]).collect(),
            },
        }
    }
}

/// One tax.
#[derive(Debug, Serialize, ToSchema)]
pub struct TaxComponentRate {
    /// `gst`, `qst`, `hst`.
    name: String,
    /// Decimal string.
    rate: String,
}

/// The taxes of a move inside one province. For display: the server decides what is charged.
#[derive(Debug, Serialize, ToSchema)]
pub struct TaxAnswer {
    /// `gst+qst`, …
    #[serde(rename = "type")]
    kind: String,
    /// Combined.
    #[schema(example = "0.14975")]
    rate: String,
    /// Each of them.
    components: Vec<TaxComponentRate>,
}

impl From<geo::TaxRate> for TaxAnswer {
    fn from(t: geo::TaxRate) -> TaxAnswer {
        let component = |(name, rate): (String, kernel::Ppm)| TaxComponentRate { name, rate: rate.to_string() };
        TaxAnswer {
            kind: t.type_code,
            rate: t.rate.to_string(),
            components: t.components.into_iter().map(component).collect(),
        }
    }
}

/// What holds until we know better (specification §3).
#[derive(Debug, Serialize, ToSchema)]
pub struct GeoSettingsAnswer {
    /// Default province.
    #[schema(value_type = ProvinceCode)]
    province: Province,
    /// Default zone.
    timezone: String,
    /// Where searches look first.
    proximity: Point,
    /// Taxes of the default province.
    tax: TaxAnswer,
    /// The service areas.
    locations: Vec<ServedArea>,
}

/// A service area.
#[derive(Debug, Serialize, ToSchema)]
pub struct ServedArea {
    /// `greater-montreal`.
    id: &'static str,
    /// In the language of the answer.
    name: String,
    /// Its province.
    #[schema(value_type = ProvinceCode)]
    province: Province,
    /// Its zone.
    zone: String,
}

async fn search(
    state: web::Data<State>,
    who: Who,
    query: ValidQuery<SearchQuery>,
) -> Reply<Json<FoundAddresses>, SearchRefusal> {
    let SearchQuery { q, lat, lon, .. } = query.value;
    let near = lat.zip(lon).map(|(lat, lon)| Point { lat, lon }.checked("lat")).transpose()?;
    let found = geo::search(&state.services, &q, who.0.language, near).await?;
    Ok(Json(FoundAddresses { data: found.into_iter().map(FoundAddress::from).collect() }))
}

async fn reverse(
    state: web::Data<State>,
    who: Who,
    query: ValidQuery<ReverseQuery>,
) -> Reply<Json<FoundAddress>, ReverseRefusal> {
    let ReverseQuery { lat: Some(lat), lon: Some(lon) } = query.value else {
        return Err(ReverseRefusal::CoordinatesUnavailable.into());
    };
    let found = geo::reverse(&state.services, Point { lat, lon }.checked("lat")?, who.0.language).await?;
    Ok(Json(FoundAddress::from(found)))
}

async fn route(
    state: web::Data<State>,
    who: Who,
    body: ValidJson<RouteRequest>,
) -> Reply<Json<RouteAnswer>, WayRefusal> {
    let (from, to) = (body.value.pickup.checked("pickup")?, body.value.dropoff.checked("dropoff")?);
    Ok(Json(RouteAnswer::from(geo::route_info(&state.services, from, to, who.0.language).await?)))
}

async fn settings(state: web::Data<State>, who: Who) -> Reply<Json<GeoSettingsAnswer>, SettingsRefusal> {
    let s = geo::settings(&state.services).await?;
    let area = |id: geography::AreaId| ServedArea {
        id: id.code(),
        name: id.name(who.0.language).to_owned(),
        province: id.province(),
        zone: id.zone().to_string(),
    };
    Ok(Json(GeoSettingsAnswer {
        province: s.province,
        timezone: s.zone.to_string(),
        proximity: s.proximity.into(),
        tax: s.tax.into(),
        locations: geography::AreaId::ALL.into_iter().map(area).collect(),
    }))
}

async fn tax(state: web::Data<State>, query: ValidQuery<TaxQuery>) -> Reply<Json<TaxAnswer>, TaxRefusal> {
    let province = query.value.province.unwrap_or(Province::QC);
    Ok(Json(TaxAnswer::from(geo::tax_of(&state.services, province).await?)))
}

/// Its part of the table.
pub fn routes() -> Vec<Route> {
    let limited = |r: Route| r.limited(LimitClass::Guest);
    let ends = json!({ "pickup": { "lat": 45.5128, "lon": -73.5716 }, "dropoff": { "lat": 45.478, "lon": -73.585 } });
    vec![
        limited(Route::get("/api/geo/search", Access::Public, search))
            .doc("searchAddresses", "Places", "Addresses in Canada that match what was typed")
            .about("Fewer than three characters find nothing.")
            .example(Example::query(&[("q", "3500 rue saint-urbain"), ("lang", "fr")])),
        limited(Route::get("/api/geo/reverse", Access::Public, reverse))
            .doc("reverseGeocode", "Places", "The address at a point")
            .example(Example::query(&[("lat", "45.5128"), ("lon", "-73.5716")])),
        limited(Route::post("/api/geo/route", Access::Public, Audit::Looks, route))
            .doc("route", "Places", "The way by truck between two points")
            .example(Example::json(ends)),
        limited(Route::get("/api/geo/settings", Access::Public, settings)).doc(
            "geoSettings",
            "Places",
            "Default province, zone, proximity and tax, and the service areas",
        ),
        limited(Route::get("/api/tax", Access::Public, tax))
            .doc("taxOfProvince", "Places", "The taxes of a province")
            .example(Example::query(&[("province", "ON")])),
    ]
}
