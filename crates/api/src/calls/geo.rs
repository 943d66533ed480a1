//! Addresses, routes, geo settings and taxes.

use actix_web::web;
use kernel::{Coordinates, Province};
use serde::{Deserialize, Serialize};
use serde_json::json;
use service::{
    ErrorCode, FieldProblem,
    geo::{self, Suggestion},
    ports::maps::Route as Way,
};
use utoipa::ToSchema;
use validator::Validate;

use super::{
    replies::{Reply, ok},
    values::ProvinceCode,
};
use crate::{
    access::Who,
    doc::{Doc, Param},
    endpoint::Access,
    endpoint::Route,
    http::{ApiError, HttpCode, Query, ValidJson},
    limits::LimitClass,
    state::State,
};

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
    pub fn checked(self, field: &str) -> Result<Coordinates, ApiError> {
        Coordinates::new(self.lat, self.lon).map_err(|_| ApiError::field(field, FieldProblem::OutOfRange))
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

impl From<Way> for RouteAnswer {
    fn from(w: Way) -> RouteAnswer {
        RouteAnswer {
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

async fn search(state: web::Data<State>, who: Who, query: Query) -> Reply {
    let text = query.required("q", geo::MAX_QUERY_LEN)?.to_owned();
    let near = match (query.text("lat"), query.text("lon")) {
        (Some(_), Some(_)) => Some(Point { lat: query.decimal("lat")?, lon: query.decimal("lon")? }.checked("lat")?),
        _ => None,
    };
    let found = geo::search(&state.services, &text, who.0.language, near).await?;
    ok(&FoundAddresses { data: found.into_iter().map(FoundAddress::from).collect() })
}

async fn reverse(state: web::Data<State>, who: Who, query: Query) -> Reply {
    if query.text("lat").is_none() || query.text("lon").is_none() {
        return Err(ErrorCode::CoordinatesUnavailable.into());
    }
    let at = Point { lat: query.decimal("lat")?, lon: query.decimal("lon")? }.checked("lat")?;
    let found = geo::reverse(&state.services, at, who.0.language).await?;
    ok(&FoundAddress::from(found))
}

async fn route(state: web::Data<State>, body: ValidJson<RouteRequest>) -> Reply {
    let (from, to) = (body.value.pickup.checked("pickup")?, body.value.dropoff.checked("dropoff")?);
    ok(&RouteAnswer::from(geo::route(&state.services, from, to).await?))
}

async fn settings(state: web::Data<State>, who: Who) -> Reply {
    let s = geo::settings(&state.services).await?;
    let area = |id: geography::AreaId| ServedArea {
        id: id.code(),
        name: id.name(who.0.language).to_owned(),
        province: id.province(),
        zone: id.zone().to_string(),
    };
    ok(&GeoSettingsAnswer {
        province: s.province,
        timezone: s.zone.to_string(),
        proximity: s.proximity.into(),
        tax: s.tax.into(),
        locations: geography::AreaId::ALL.into_iter().map(area).collect(),
    })
}

async fn tax(state: web::Data<State>, query: Query) -> Reply {
    let province = query.value::<Province>("province")?.unwrap_or(Province::QC);
    ok(&TaxAnswer::from(geo::tax_of(&state.services, province).await?))
}

/// Its part of the table.
pub fn routes() -> Vec<Route> {
    let lang = || Param::query("lang", "Language of the answer.", json!({ "$ref": "#/components/schemas/Language" }));
    let lat = || Param::query("lat", "Degrees north.", json!({ "type": "number", "minimum": -90, "maximum": 90 }));
    let lon = || Param::query("lon", "Degrees east.", json!({ "type": "number", "minimum": -180, "maximum": 180 }));
    let limited = |r: Route| r.limited(LimitClass::Guest);
    vec![
        limited(Route::get("/api/geo/search", Access::Public, search)).doc(
            Doc::new("searchAddresses", "Places", "Addresses in Canada that match what was typed")
                .about("Fewer than three characters find nothing.")
                .param(
                    Param::query("q", "What was typed.", json!({ "type": "string", "minLength": 1, "maxLength": 256 }))
                        .required(),
                )
                .param(lang())
                .param(lat())
                .param(lon())
                .answers::<FoundAddresses>(200, "Found addresses.")
                .refuses(&[ErrorCode::ValidationFailed, ErrorCode::MapsUnavailable])
                .refuses_http(&[HttpCode::MalformedRequest]),
        ),
        limited(Route::get("/api/geo/reverse", Access::Public, reverse)).doc(
            Doc::new("reverseGeocode", "Places", "The address at a point")
                .param(lat().required())
                .param(lon().required())
                .answers::<FoundAddress>(200, "The address.")
                .refuses(&[
                    ErrorCode::ValidationFailed,
                    ErrorCode::CoordinatesUnavailable,
                    ErrorCode::ProvinceNotServed,
                    ErrorCode::MapsUnavailable,
                ])
                .refuses_http(&[HttpCode::MalformedRequest]),
        ),
        limited(Route::post("/api/geo/route", Access::Public, route)).doc(
            Doc::new("route", "Places", "The way by truck between two points")
                .body::<RouteRequest>()
                .answers::<RouteAnswer>(200, "The way.")
                .refuses(&[ErrorCode::NoRoute, ErrorCode::MapsUnavailable]),
        ),
        limited(Route::get("/api/geo/settings", Access::Public, settings)).doc(
            Doc::new("geoSettings", "Places", "Default province, zone, proximity and tax, and the service areas")
                .answers::<GeoSettingsAnswer>(200, "The settings.")
                .refuses(&[ErrorCode::NoRate]),
        ),
        limited(Route::get("/api/tax", Access::Public, tax)).doc(
            Doc::new("taxOfProvince", "Places", "The taxes of a province")
                .param(Param::query(
                    "province",
                    "Quebec when left out.",
                    json!({ "$ref": "#/components/schemas/Province" }),
                ))
                .answers::<TaxAnswer>(200, "The taxes.")
                .refuses(&[ErrorCode::ValidationFailed, ErrorCode::ProvinceNotServed, ErrorCode::NoRate]),
        ),
    ]
}
