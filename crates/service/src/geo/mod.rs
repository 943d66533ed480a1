//! Addresses, routes and geo settings.

pub mod places;

use std::time::Duration;

use kernel::{Address, Coordinates, Language, Money, Province, Zone};
use pricing::{MoveKind, RateCard, Tax};

use crate::{
    ErrorCode, ServiceResult, Services,
    moves::place_of,
    ports::maps::{MapsError, PlaceSuggestion, Route},
};

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

/// Something about a way that is said at the addresses, before anything is priced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WayWarning {
    /// Both ends are one place.
    SamePlace,
    /// Residential, storage and commercial moves that far are long-distance moves and priced as such.
    LongDistance,
    /// The way alone, with its breaks, is longer than a crew may work in a day: the support team helps.
    TooFar,
}

impl WayWarning {
    /// All of them.
    pub const ALL: [WayWarning; 3] = [WayWarning::SamePlace, WayWarning::LongDistance, WayWarning::TooFar];

    /// Code of the HTTP contract.
    pub const fn code(self) -> &'static str {
        match self {
            WayWarning::SamePlace => "same_place",
            WayWarning::LongDistance => "long_distance",
            WayWarning::TooFar => "too_far",
        }
    }
}

/// The way is not kept waiting for the names of its ends.
const NAMED_WITHIN: Duration = Duration::from_secs(1);
/// Two points closer than this are one place, km.
const ONE_PLACE_KM: f64 = 0.03;

/// A way, the addresses at its ends where the maps know them, and what is to be said about it.
#[derive(Debug, Clone)]
pub struct RouteInfo {
    /// The way.
    pub route: Route,
    /// Pickup and drop-off.
    pub ends: [Option<Suggestion>; 2],
    /// At most one of the last two.
    pub warnings: Vec<WayWarning>,
}

/// `POST /geo/route` with the address parts of both ends. An end nobody can name, or a maps service that does not
/// answer in time, leaves its parts out.
///
/// # Errors
/// `no_route`, `maps_unavailable`.
pub async fn route_info(
    s: &Services,
    from: Coordinates,
    to: Coordinates,
    language: Language,
) -> ServiceResult<RouteInfo> {
    let named = |at| async move {
        let found = tokio::time::timeout(NAMED_WITHIN, s.maps.reverse(at, language)).await;
        found.ok()?.ok()?.map(with_area)
    };
    let (way, pickup, dropoff) = tokio::join!(route(s, from, to), named(from), named(to));
    let way = way?;
    let card = crate::rates::current(s).await.ok();
    let warnings =
        card.map_or_else(Vec::new, |rate| way_warnings(&way, geography::great_circle_km(from, to), &rate.card));
    Ok(RouteInfo { route: way, ends: [pickup, dropoff], warnings })
}

fn way_warnings(way: &Route, apart_km: f64, card: &RateCard) -> Vec<WayWarning> {
    if apart_km < ONE_PLACE_KM {
        return vec![WayWarning::SamePlace];
    }
    let (minutes, km10) = leg_of(way);
    let rules = &card.duration;
    let breaks =
        minutes.checked_div(rules.driving_break_every_min).unwrap_or(0).saturating_mul(rules.driving_break_min);
    let limit = rules.kinds.get(MoveKind::LongDistance).limit_min;
    if minutes.saturating_add(breaks) > limit {
        vec![WayWarning::TooFar]
    } else if u64::from(km10) > u64::from(card.long_distance_over_km) * 10 {
        vec![WayWarning::LongDistance]
    } else {
        Vec::new()
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_says_what_is_unusual_about_it() {
        let card = RateCard::builtin();
        let told = |minutes: u32, km: u32, apart| {
            let way = Route { duration_seconds: minutes * 60, distance_meters: km * 1_000, geometry: Vec::new() };
            way_warnings(&way, apart, &card)
        };
        assert_eq!(told(10, 4, 3.0), []);
        assert_eq!(told(1, 0, 0.0), [WayWarning::SamePlace]);
        assert_eq!(told(70, 100, 90.0), []);
        assert_eq!(told(170, 265, 230.0), [WayWarning::LongDistance]);
        // Thirteen hours of driving are three breaks too many for one day.
        assert_eq!(told(690, 900, 800.0), [WayWarning::LongDistance]);
        assert_eq!(told(780, 1_000, 900.0), [WayWarning::TooFar]);
        assert_eq!(told(2_700, 4_140, 3_600.0), [WayWarning::TooFar]);
    }
}
