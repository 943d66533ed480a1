//! A move as described by a person, turned into what the pricing crate reads. Shared by the
//! estimate, the duration and the booking itself, so that all three say the same.

use furniture_catalogue::Catalogue;
use geography::Place;
use kernel::{Accessibility, Address, Coordinates, MateCount, Province};
use pricing::{ExtraService, MoveKind, MoveRequest, PricedItem, Stop, Warning};

use crate::{Error, ErrorCode, FieldError, FieldProblem, Limit, ServiceResult, ports::bookings::BookedItem};

/// Access to one end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Access {
    /// European floor number.
    pub floor: i32,
    /// Elevators, see `Location`.
    pub elevator: u32,
    /// Room for the truck.
    pub parking: bool,
    /// How hard the way is.
    pub accessibility: Accessibility,
}

/// An address as far as it is known while a price is being made.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Whereabouts {
    /// Province.
    pub province: Option<Province>,
    /// Municipality.
    pub city: Option<String>,
    /// Postal code.
    pub postal_code: Option<kernel::PostalCode>,
    /// Its point.
    pub coordinates: Option<Coordinates>,
}

impl Whereabouts {
    /// For geography, once the province is known.
    pub fn place(&self) -> Option<Place> {
        Some(Place {
            province: self.province?,
            city: self.city.clone().unwrap_or_default(),
            postal_code: self.postal_code.clone(),
            coordinates: self.coordinates,
        })
    }
}

/// For geography, of a complete address.
pub fn place_of(address: &Address, coordinates: Coordinates) -> Place {
    Place {
        province: address.province,
        city: address.city.clone(),
        postal_code: Some(address.postal_code.clone()),
        coordinates: Some(coordinates),
    }
}

/// The move.
#[derive(Debug, Clone, PartialEq)]
pub struct MoveInput {
    /// Kind, when named.
    pub kind: Option<MoveKind>,
    /// What is moved.
    pub items: Vec<BookedItem>,
    /// Paid mates.
    pub mate_count: MateCount,
    /// The customer helps.
    pub client_as_mate: bool,
    /// No truck.
    pub just_mates: bool,
    /// The customer rides along.
    pub ride_along: bool,
    /// Loaded leg, minutes; at least 1.
    pub travel_minutes: u32,
    /// Tenths of km; without it the speed bands of the travel model are inverted.
    pub distance_km10: Option<u32>,
    /// Access at both ends.
    pub access: [Access; 2],
    /// Both ends, as far as known.
    pub ends: [Whereabouts; 2],
    /// False: nothing is taken apart, whatever the items say.
    pub assembly: Option<bool>,
    /// Services beside the move.
    pub extra_services: Vec<ExtraService>,
}

impl MoveInput {
    /// Province whose rates apply: the pickup's, Quebec when unknown (specification §9 default).
    pub fn pickup_province(&self) -> Province {
        self.ends[0].province.unwrap_or(Province::QC)
    }

    /// Kind as priced: `justMates` when flagged, else the named one, else residential.
    pub fn move_kind(&self) -> MoveKind {
        MoveKind::resolve(self.kind, self.just_mates)
    }

    /// For the pricing crate.
    ///
    /// # Errors
    /// Unknown items (by field), quantities and floors out of range.
    pub fn request(&self, items_field: &str) -> ServiceResult<MoveRequest> {
        let items = priced_items(&self.items, self.assembly, items_field)?;
        let pickup = self.pickup_province();
        let dropoff = self.ends[1].province.unwrap_or(pickup);
        let stop = |access: Access, province| Stop {
            province,
            floor: access.floor,
            elevator: access.elevator,
            parking: access.parking,
            accessibility: access.accessibility,
        };
        let travel_minutes = self.travel_minutes.max(1);
        let request = MoveRequest {
            kind: self.move_kind(),
            items,
            mate_count: self.mate_count,
            client_as_mate: self.client_as_mate,
            just_mates: self.just_mates || self.kind == Some(MoveKind::JustMates),
            ride_along: self.ride_along,
            pickup: stop(self.access[0], pickup),
            dropoff: stop(self.access[1], dropoff),
            travel_minutes,
            distance_km10: self.distance_km10.unwrap_or_else(|| geography::km10_from_minutes(travel_minutes)),
            positioning_minutes: self.positioning_minutes(),
            extra_services: self.extra_services.clone(),
        };
        pricing::limits::check(&request).map_err(|e| Error::field(e.field, beyond(&e)))?;
        Ok(request)
    }

    /// Extra travel-fee minutes when the crew comes from the drop-off's hub because the pickup is
    /// in no area (`geography.md` §2).
    fn positioning_minutes(&self) -> u32 {
        let (Some(pickup), Some(dropoff)) = (self.ends[0].place(), self.ends[1].place()) else { return 0 };
        positioning_minutes(&pickup, &dropoff)
    }
}

/// See [`MoveInput`]: hub → pickup, when the hub is the drop-off's.
pub fn positioning_minutes(pickup: &Place, dropoff: &Place) -> u32 {
    match geography::hub_for(pickup, dropoff) {
        Some(hub) if hub.positioning => geography::travel(&hub.place(), pickup).minutes,
        _ => 0,
    }
}

fn priced_items(items: &[BookedItem], assembly: Option<bool>, field: &str) -> ServiceResult<Vec<PricedItem>> {
    let catalogue = Catalogue::builtin();
    let mut unknown = Vec::new();
    let mut priced = Vec::with_capacity(items.len());
    for (i, wanted) in items.iter().enumerate() {
        match catalogue.get(&wanted.id) {
            Some(item) => priced.push(PricedItem {
                id: wanted.id.clone(),
                dcf: item.volume.dcf(),
                heavy: item.weight_class == furniture_catalogue::WeightClass::Heavy,
                needs_assembly: assembly != Some(false) && wanted.assembly.unwrap_or(item.needs_assembly),
                quantity: wanted.quantity,
            }),
            None => unknown.push(FieldError::new(format!("{field}[{i}].id"), FieldProblem::Unknown)),
        }
    }
    if unknown.is_empty() { Ok(priced) } else { Err(Error::Invalid(unknown)) }
}

/// A warning that blocks self-service, as the refusal it becomes; it names the items it is about, by id.
pub fn refusal(warning: Warning, items: &[&str]) -> Error {
    let (code, mut params) = match warning {
        Warning::HeavyItemSingleMate => (ErrorCode::HeavyItemSingleMate, Vec::new()),
        Warning::MinMates(n) => (ErrorCode::MinMates, vec![("n", n.to_string())]),
        Warning::ContactSupport => (ErrorCode::ContactSupport, Vec::new()),
    };
    if !items.is_empty() {
        params.push(("items", items.join(",")));
    }
    Error::Refused(code, params)
}

/// The bounds that a figure of a move is beyond.
fn beyond(e: &pricing::limits::OutOfBounds) -> FieldProblem {
    let count = i64::try_from(e.max).unwrap_or(i64::MAX);
    let small = u32::try_from(e.max).unwrap_or(u32::MAX);
    match e.field {
        "floor" => FieldProblem::Between(Limit::Count(-count), Limit::Count(count)),
        "travelDuration" | "positioningMinutes" => FieldProblem::AtMost(Limit::Minutes(small)),
        "distance" => FieldProblem::AtMost(Limit::Kilometres(small)),
        "volume" => FieldProblem::AtMost(Limit::CubicFeet(small / 10)),
        _ => FieldProblem::AtMost(Limit::Count(count)),
    }
}
