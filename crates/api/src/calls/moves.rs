//! The move as estimate, duration and drafts describe it.

use kernel::{Accessibility, Coordinates, MateCount, PostalCode, Province, chrono::NaiveDate};
use pricing::{ExtraService, MoveKind};
use serde::{Deserialize, Serialize};
use service::{
    FieldProblem, Limit,
    estimates::EstimateInput,
    moves::{Access, MoveInput, Whereabouts},
    ports::bookings::BookedItem,
};
use utoipa::ToSchema;
use validator::Validate;

use super::values::{AccessibilityCode, ExtraServiceCode, Km, MoveKindCode, ProvinceCode, blank};
use crate::contract::CommonError;

/// Most kinds of items in one request; the catalogue has about 150.
pub const MAX_ITEMS: u64 = 500;
/// Most pieces of one item.
pub const MAX_QUANTITY: u32 = 10_000;

/// One kind of item and how many.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema, Validate)]
pub struct FurnitureChoice {
    /// Catalogue id, see `GET /api/furniture`.
    #[validate(length(min = 1, max = 80))]
    #[schema(min_length = 1, max_length = 80, example = "couch-3-seats")]
    pub id: String,
    /// Pieces.
    #[validate(range(max = 10_000))]
    #[schema(minimum = 0, maximum = 10_000, example = 1)]
    pub quantity: u32,
    /// They are taken apart and put together; as the catalogue has it when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assembly: Option<bool>,
}

impl From<&FurnitureChoice> for BookedItem {
    fn from(f: &FurnitureChoice) -> BookedItem {
        BookedItem { id: f.id.clone(), quantity: f.quantity, assembly: f.assembly }
    }
}

/// What is moved.
#[derive(Debug, Clone, Default, Deserialize, ToSchema, Validate)]
pub struct SelectedFurnitures {
    /// Items.
    #[validate(length(max = 500), nested)]
    #[schema(max_items = 500)]
    pub furnitures: Vec<FurnitureChoice>,
}

/// Access to one end.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema, Validate)]
pub struct LocationDetails {
    /// European floor number: 0 is the ground floor.
    #[serde(default)]
    #[validate(range(min = -20, max = 200))]
    #[schema(minimum = -20, maximum = 200, default = 0)]
    pub floor: i32,
    /// 0 none, 1 shared, 2 or more: two elevators, or one reserved for the move.
    #[serde(default)]
    #[validate(range(max = 100))]
    #[schema(minimum = 0, maximum = 100, default = 0)]
    pub elevator: u32,
    /// Room for the truck, 2 to 3 car lengths.
    #[serde(default)]
    #[schema(default = false)]
    pub parking: bool,
    /// How hard the way between truck and door is.
    #[serde(default)]
    #[schema(value_type = AccessibilityCode)]
    pub accessibility: Accessibility,
}

impl From<&LocationDetails> for Access {
    fn from(l: &LocationDetails) -> Access {
        Access { floor: l.floor, elevator: l.elevator, parking: l.parking, accessibility: l.accessibility }
    }
}

/// An address as far as it is known.
#[derive(Debug, Clone, Default, Deserialize, ToSchema, Validate)]
#[serde(rename_all = "camelCase")]
pub struct PartialAddress {
    /// Province or territory.
    #[serde(default, deserialize_with = "blank")]
    #[schema(value_type = Option<ProvinceCode>)]
    pub province: Option<Province>,
    /// Municipality.
    #[validate(length(max = 200))]
    #[schema(max_length = 200)]
    pub city: Option<String>,
    /// `H2X 1Y4`.
    #[serde(default, deserialize_with = "blank")]
    #[schema(value_type = Option<String>, pattern = "^[A-Za-z][0-9][A-Za-z] ?[0-9][A-Za-z][0-9]$")]
    pub postal_code: Option<PostalCode>,
    /// Degrees north, when the point is known.
    #[validate(range(min = -90.0, max = 90.0))]
    #[schema(minimum = -90, maximum = 90)]
    pub lat: Option<f64>,
    /// Degrees east.
    #[validate(range(min = -180.0, max = 180.0))]
    #[schema(minimum = -180, maximum = 180)]
    pub lon: Option<f64>,
}

impl PartialAddress {
    /// For the service.
    pub fn whereabouts(&self) -> Whereabouts {
        let point = self.lat.zip(self.lon).and_then(|(lat, lon)| Coordinates::new(lat, lon).ok());
        // The postal code's letter decides where the two contradict each other or one is missing.
        let province = self.province.or_else(|| self.postal_code.as_ref().map(PostalCode::province));
        Whereabouts { province, city: self.city.clone(), postal_code: self.postal_code.clone(), coordinates: point }
    }

    /// For geography.
    ///
    /// # Errors
    /// 422 when no province is known.
    pub fn place(&self, field: &str) -> Result<geography::Place, CommonError> {
        self.whereabouts()
            .place()
            .ok_or_else(|| CommonError::field(format!("{field}.province"), FieldProblem::Required))
    }
}

/// A body that describes a move. What is beside the move stands in the same object, so that every field keeps its
/// path, its bounds and its place in the document.
macro_rules! move_body {
    ($(#[$about:meta])* $name:ident { $($beside:tt)* }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Deserialize, ToSchema, Validate)]
        #[serde(rename_all = "camelCase")]
        pub struct $name {
            /// Loaded leg, whole minutes, at least 1.
            #[validate(range(min = 1, max = 100_000))]
            #[schema(minimum = 1, maximum = 100_000, example = 25)]
            pub travel_duration: u32,
            /// What is moved.
            #[validate(nested)]
            pub selected_furnitures: SelectedFurnitures,
            /// Paid mates.
            #[validate(range(min = 1, max = 20))]
            #[schema(minimum = 1, maximum = 20, example = 2)]
            pub mate_count: i64,
            /// Pickup, then drop-off.
            #[validate(length(equal = 2), nested)]
            #[schema(min_items = 2, max_items = 2)]
            pub location_details: Vec<LocationDetails>,
            /// The customer rides along.
            #[serde(default)]
            pub ride_along: bool,
            /// Local day of the move; the price of an ordinary day when not chosen yet.
            #[serde(default, deserialize_with = "blank")]
            #[schema(value_type = Option<String>, format = Date, example = "2027-02-17")]
            pub moving_date: Option<NaiveDate>,
            /// Code typed.
            #[serde(default)]
            #[validate(length(max = 100))]
            #[schema(max_length = 100)]
            pub discount_code: Option<String>,
            /// The customer helps.
            #[serde(default)]
            pub client_as_mate: bool,
            /// No truck.
            #[serde(default)]
            pub just_mates: bool,
            /// From where.
            #[serde(default)]
            #[validate(nested)]
            pub pickup_address: Option<PartialAddress>,
            /// To where.
            #[serde(default)]
            #[validate(nested)]
            pub dropoff_address: Option<PartialAddress>,
            /// Kind of move; `residential` when left out.
            #[serde(default, deserialize_with = "blank")]
            #[schema(value_type = Option<MoveKindCode>)]
            pub move_kind: Option<MoveKind>,
            /// Length of the loaded leg; derived from its duration when left out.
            #[serde(default, deserialize_with = "blank")]
            #[schema(value_type = Option<Km>)]
            pub distance_km: Option<Km>,
            /// False: nothing is taken apart, whatever the items say.
            #[serde(default)]
            pub assembly: Option<bool>,
            /// Services beside the move: a line `other` where the rate card has a price, else a note to staff.
            #[serde(default)]
            #[schema(value_type = Vec<ExtraServiceCode>, max_items = 5)]
            pub extra_services: Vec<ExtraService>,
            $($beside)*
        }

        impl $name {
            /// For the service.
            ///
            /// # Errors
            /// 422 for an impossible crew (validation keeps that from happening).
            pub fn job(&self) -> Result<MoveInput, CommonError> {
                let [pickup, dropoff] = self.location_details.as_slice() else {
                    return Err(CommonError::field("locationDetails", FieldProblem::Invalid));
                };
                Ok(MoveInput {
                    kind: self.move_kind,
                    items: self.selected_furnitures.furnitures.iter().map(BookedItem::from).collect(),
                    mate_count: mates(self.mate_count, "mateCount")?,
                    client_as_mate: self.client_as_mate,
                    just_mates: self.just_mates,
                    ride_along: self.ride_along,
                    travel_minutes: self.travel_duration,
                    distance_km10: self.distance_km.map(|k| k.0),
                    access: [pickup.into(), dropoff.into()],
                    ends: [whereabouts(self.pickup_address.as_ref()), whereabouts(self.dropoff_address.as_ref())],
                    assembly: self.assembly,
                    extra_services: self.extra_services.clone(),
                })
            }

            /// For the service.
            ///
            /// # Errors
            /// As [`Self::job`].
            pub fn estimate(&self) -> Result<EstimateInput, CommonError> {
                Ok(EstimateInput {
                    job: self.job()?,
                    moving_date: self.moving_date,
                    discount_code: self.discount_code.clone(),
                    saved_quote: None,
                })
            }
        }
    };
}

move_body! {
    /// What `POST /api/booking/duration` takes. `tax` is accepted and ignored: the server decides it.
    MoveRequestBody {}
}

move_body! {
    /// What `POST /api/booking/estimate` and `/crews` take. `tax` is accepted and ignored: the server decides it.
    EstimateRequestBody {
        /// The secret of the link of a mailed quote: until it lapses its price holds for exactly what was priced.
        #[serde(default, deserialize_with = "blank")]
        #[schema(value_type = Option<String>, min_length = 43, max_length = 43)]
        pub saved_quote: Option<String>,
    }
}

move_body! {
    /// A move and the days to price it on; `movingDate` does not matter.
    PricesRequestBody {
        /// First local day.
        #[schema(value_type = String, format = Date, example = "2027-06-20")]
        pub from: NaiveDate,
        /// How many days.
        #[serde(default = "six_weeks")]
        #[validate(range(min = 1, max = 42))]
        #[schema(minimum = 1, maximum = 42, default = 42)]
        pub days: u32,
        /// The secret of the link of a mailed quote: until it lapses its price holds for exactly what was priced, on its day.
        #[serde(default, deserialize_with = "blank")]
        #[schema(value_type = Option<String>, min_length = 43, max_length = 43)]
        pub saved_quote: Option<String>,
    }
}

const fn six_weeks() -> u32 {
    service::availability::MAX_DAYS
}

fn whereabouts(address: Option<&PartialAddress>) -> Whereabouts {
    address.map(PartialAddress::whereabouts).unwrap_or_default()
}

/// A crew size.
///
/// # Errors
/// 422 out of bounds.
pub fn mates(n: i64, field: &str) -> Result<MateCount, CommonError> {
    let bounds = FieldProblem::Between(Limit::Count(1), Limit::Count(MateCount::MAX.into()));
    MateCount::new(n).map_err(|_| CommonError::field(field, bounds))
}
