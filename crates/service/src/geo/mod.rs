//! Addresses, routes and geo settings.

pub mod places;

use kernel::{Address, Coordinates, Language, Money, Province, Zone};
use pricing::{RateCard, Tax};

use crate::{
    ErrorCode, ServiceResult, Services,
    moves::place_of,
    ports::maps::{MapsError, PlaceSuggestion, Route},
};

/// The longest text sent to the geocoder.
pub const MAX_QUERY_LEN: usize = 256;

/// A suggestion and what we can say of it before anything else is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Suggestion {
    /// The place.
    pub place: PlaceSuggestion,
    /// The service area it lies in: `greater-montreal`, …
    pub area: Option<String>,
}

/// `GET /geo/search`.
///
/// # Errors
/// `maps_unavailable`.
pub async fn search(
    s: &Services,
    query: &str,
    language: Language,
    near: Option<Coordinates>,
) -> ServiceResult<Vec<Suggestion>> {
    let query = query.trim();
    if query.chars().count() < 3 {
        return Ok(Vec::new());
    }
    let found = s.maps.search(query, language, near.unwrap_or(Coordinates::MONTREAL)).await?;
    Ok(found.into_iter().map(with_area).collect())
}

fn with_area(place: PlaceSuggestion) -> Suggestion {
    let area = place.province.and_then(|province| {
        geography::area_of(&geography::Place {
            province,
            city: place.city.clone(),
            postal_code: place.postal_code.clone(),
            coordinates: Some(place.coordinates),
        })
    });
    Suggestion { place, area: area.map(|a| a.id.code().to_owned()) }
}

/// `GET /geo/reverse`: the place at a point. Of a whole address the point is the one a booking
/// there would be priced by.
///
/// # Errors
/// `province_not_served` outside the four provinces, `maps_unavailable`.
pub async fn reverse(s: &Services, at: Coordinates, language: Language) -> ServiceResult<Suggestion> {
    let mut place = s.maps.reverse(at, language).await?.ok_or(ErrorCode::ProvinceNotServed)?;
    if !place.province.is_some_and(Province::is_served) {
        return Err(ErrorCode::ProvinceNotServed.into());
    }
    place.coordinates = places::own_point(s, &place).await;
    Ok(with_area(place))
}

/// `POST /geo/route`.
///
/// # Errors
/// `no_route`, `maps_unavailable`.
pub async fn route(s: &Services, from: Coordinates, to: Coordinates) -> ServiceResult<Route> {
    Ok(s.maps.route(from, to).await?)
}

/// Minutes and tenths of km between two complete addresses: the routing service's answer, or
/// the offline model's when the service is down. Never used when it says there is no way.
///
/// # Errors
/// `no_route`.
pub async fn leg(
    s: &Services,
    pickup: (&Address, Coordinates),
    dropoff: (&Address, Coordinates),
) -> ServiceResult<(u32, u32)> {
    match s.maps.route(pickup.1, dropoff.1).await {
        Ok(route) => Ok(leg_of(&route)),
        Err(MapsError::NoRoute) => Err(ErrorCode::NoRoute.into()),
        Err(failure) => {
            tracing::warn!(error = %failure, "routing service failed, the offline model answers");
            let t = geography::travel(&place_of(pickup.0, pickup.1), &place_of(dropoff.0, dropoff.1));
            Ok((t.minutes.max(1), t.distance_km10))
        }
    }
}

/// Whole minutes (at least 1) and tenths of km of a route, as the specification sends them.
pub fn leg_of(route: &Route) -> (u32, u32) {
    let km10 = u32::try_from(kernel::round_half_up(i128::from(route.distance_meters), 100)).unwrap_or(u32::MAX);
    ((route.duration_seconds / 60).max(1), km10)
}

/// Geo settings of specification §3.
#[derive(Debug, Clone)]
pub struct GeoSettings {
    /// Default province.
    pub province: Province,
    /// Default zone.
    pub zone: Zone,
    /// Default proximity.
    pub proximity: Coordinates,
    /// Tax of the default province.
    pub tax: TaxRate,
}

/// A province's tax, for display: the server decides what is charged.
#[derive(Debug, Clone)]
pub struct TaxRate {
    /// `gst+qst`, …
    pub type_code: String,
    /// Combined.
    pub rate: kernel::Ppm,
    /// Name and rate of each.
    pub components: Vec<(String, kernel::Ppm)>,
}

/// `GET /geo/settings`.
///
/// # Errors
/// `no_rate`.
pub async fn settings(s: &Services) -> ServiceResult<GeoSettings> {
    Ok(GeoSettings {
        province: Province::QC,
        zone: Zone::MONTREAL,
        proximity: Coordinates::MONTREAL,
        tax: tax_of(s, Province::QC).await?,
    })
}

/// `GET /tax?province`: the tax of a move inside one province.
///
/// # Errors
/// `province_not_served`, `no_rate`.
pub async fn tax_of(s: &Services, province: Province) -> ServiceResult<TaxRate> {
    if !province.is_served() {
        return Err(ErrorCode::ProvinceNotServed.into());
    }
    let rate = crate::rates::current(s).await?;
    Ok(tax_rate(&rate.card, province))
}

fn tax_rate(card: &RateCard, province: Province) -> TaxRate {
    let tax: Tax = pricing::tax(Money::ZERO, pricing::tax_rule(card, province, province, false));
    TaxRate {
        type_code: tax.type_code,
        rate: tax.rate,
        components: tax.components.into_iter().map(|c| (c.name, c.rate)).collect(),
    }
}
