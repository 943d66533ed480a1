//! The booking draft as clients send it (specification §3), for booking and for editing.

mod kept;

use std::fmt;

use kernel::{Accessibility, HoldId, Language, Phone, PlaceCategory, chrono::NaiveDate};
use pricing::{ExtraService, MoveKind};
use serde::{
    Deserialize, Deserializer, Serialize,
    de::{
        MapAccess, SeqAccess, Visitor,
        value::{MapAccessDeserializer, SeqAccessDeserializer},
    },
};
use service::{
    FieldProblem, Limit,
    bookings::{
        Draft, TipInput,
        draft::Extras,
        edit::{EditInput, StaffEdit},
    },
    ports::{
        bookings::{BookedItem, Location, Survey},
        rooms::Rooms,
    },
    secret,
};
use utoipa::ToSchema;
use validator::Validate;

use super::{
    ends::{DraftAddress, End, EndFields, changed, location},
    rooms::RoomCounts,
    tip_request::TipRequest,
};
use crate::{
    calls::{
        geo::Point,
        moves::{FurnitureChoice, MAX_ITEMS, MAX_QUANTITY, SelectedFurnitures, mates},
        values::{
            AccessibilityCode, Cash, ExtraServiceCode, HourMinute, LanguageCode, MoveKindCode, PlaceCategoryCode,
            blank, nullable,
        },
    },
    contract::{CommonError, refusals},
    http::problem::Field,
};

refusals! {
    /// The rules of a move: booking and changing keep them alike.
    RuleRefusal {
        Rule: AreaUnserved, ProvinceNotServed, NoRoute, SlotGone, DatePast, DateClosed, TooSoon,
            TooFarAhead, NotASlot, TooLong, HeavyItemSingleMate, MinMates, ContactSupport, DiscountInvalid,
            GuidelinesNotAgreed, SurveySpecify, CardRequired, TooManyDeclinedCards, PaymentDeclined,
            PaymentUnavailable, MapsUnavailable, NoRate, PriceChanged, BookingFailed, RequestInFlight
    }
}

/// The list of furniture: bare, or inside `{ "furnitures": [...] }` as the estimate has it.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(value_type = Vec<FurnitureChoice>)]
pub struct FurnitureList(Vec<FurnitureChoice>);

impl<'de> Deserialize<'de> for FurnitureList {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = FurnitureList;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of furniture")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<FurnitureList, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(seq)).map(FurnitureList)
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<FurnitureList, A::Error> {
                SelectedFurnitures::deserialize(MapAccessDeserializer::new(map)).map(|s| FurnitureList(s.furnitures))
            }
        }
        d.deserialize_any(Either)
    }
}

/// How the customer heard of us.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct SurveyAnswer {
    /// `advertisements`, `friendsFamily`, `socialMedia`, `partners`, `other`.
    #[schema(max_length = 40)]
    source: String,
    /// Needed for the last three.
    #[serde(default)]
    #[schema(max_length = 200)]
    specify: Option<String>,
}

impl From<SurveyAnswer> for Survey {
    fn from(s: SurveyAnswer) -> Survey {
        Survey { source: s.source, specify: s.specify.unwrap_or_default() }
    }
}

/// The booking draft. To book, everything a move needs must be there; to edit, only what
/// changes. Prices and taxes a client sends are ignored: the server decides them.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema, Validate)]
#[serde(rename_all = "camelCase")]
pub struct BookingDraft {
    /// From where.
    pickup: Option<DraftAddress>,
    /// To where.
    dropoff: Option<DraftAddress>,
    /// Point of the pickup; found from the address when left out.
    pickup_coords: Option<Point>,
    /// Point of the drop-off.
    dropoff_coords: Option<Point>,
    /// Unit at the pickup.
    #[schema(max_length = 60)]
    pickup_apt_unit: Option<String>,
    /// Unit at the drop-off.
    #[schema(max_length = 60)]
    dropoff_apt_unit: Option<String>,
    /// 0 none, 1 shared, 2 or more: two elevators, or one reserved.
    #[validate(range(max = 100))]
    #[schema(minimum = 0, maximum = 100)]
    pickup_has_elevator: Option<u32>,
    /// As above.
    #[validate(range(max = 100))]
    #[schema(minimum = 0, maximum = 100)]
    dropoff_has_elevator: Option<u32>,
    /// European floor number: 0 is the ground floor.
    #[validate(range(min = -20, max = 200))]
    #[schema(minimum = -20, maximum = 200)]
    pickup_floor: Option<i32>,
    /// As above.
    #[validate(range(min = -20, max = 200))]
    #[schema(minimum = -20, maximum = 200)]
    dropoff_floor: Option<i32>,
    /// Room for the truck.
    pickup_has_parking: Option<bool>,
    /// Room for the truck.
    dropoff_has_parking: Option<bool>,
    /// Way between truck and door.
    #[schema(value_type = Option<AccessibilityCode>)]
    pickup_accessibility: Option<Accessibility>,
    /// Way between truck and door.
    #[schema(value_type = Option<AccessibilityCode>)]
    dropoff_accessibility: Option<Accessibility>,
    /// Buzzer, entrance and the like.
    #[schema(max_length = 2000)]
    pickup_details: Option<String>,
    /// Buzzer, entrance and the like.
    #[schema(max_length = 2000)]
    dropoff_details: Option<String>,
    /// Kind of place.
    #[serde(default, deserialize_with = "blank", serialize_with = "kept::category_code")]
    #[schema(value_type = Option<PlaceCategoryCode>)]
    pickup_category: Option<PlaceCategory>,
    /// Kind of place.
    #[serde(default, deserialize_with = "blank", serialize_with = "kept::category_code")]
    #[schema(value_type = Option<PlaceCategoryCode>)]
    dropoff_category: Option<PlaceCategory>,
    /// Local day at the pickup.
    #[serde(default, deserialize_with = "blank")]
    #[schema(value_type = Option<String>, format = Date)]
    date: Option<NaiveDate>,
    /// Local start.
    #[serde(default, deserialize_with = "blank")]
    time: Option<HourMinute>,
    /// Kind of move.
    #[serde(default, deserialize_with = "blank")]
    #[schema(value_type = Option<MoveKindCode>)]
    booking_type: Option<MoveKind>,
    /// Kind of move, under the estimate's name.
    #[serde(default, deserialize_with = "blank")]
    #[schema(value_type = Option<MoveKindCode>)]
    move_kind: Option<MoveKind>,
    /// What is moved.
    #[schema(value_type = Option<Vec<FurnitureChoice>>, max_items = 500)]
    selected_furnitures: Option<FurnitureList>,
    /// Paid mates.
    #[validate(range(min = 1, max = 20))]
    #[schema(minimum = 1, maximum = 20)]
    mate_count: Option<i64>,
    /// The customer helps.
    client_as_mate: Option<bool>,
    /// No truck.
    just_mates: Option<bool>,
    /// The customer rides along.
    ride_along: Option<bool>,
    /// False: nothing is taken apart, whatever the items say.
    assembly: Option<bool>,
    /// Services beside the move: a line `other` where the rate card has a price, else a note to staff.
    #[schema(value_type = Option<Vec<ExtraServiceCode>>, max_items = 5)]
    extra_services: Option<Vec<ExtraService>>,
    /// Rooms and ways of the home.
    #[validate(nested)]
    rooms: Option<RoomCounts>,
    /// Code typed; `null` in an edit removes it.
    #[serde(default, deserialize_with = "code")]
    #[schema(value_type = Option<String>, max_length = 100)]
    discount_code: Option<Option<String>>,
    /// The guidelines were read and accepted.
    guidelines_agreed: Option<bool>,
    /// Version of the text that was accepted.
    #[schema(max_length = 40)]
    guidelines_version: Option<String>,
    /// `policy.version` of the payment plan whose terms were agreed to: where another one is in force, nothing is booked.
    #[schema(max_length = 40)]
    policy_version: Option<String>,
    /// Free text.
    #[schema(max_length = 2000)]
    comments: Option<String>,
    /// Free text, under its older name.
    #[schema(max_length = 2000)]
    comment: Option<String>,
    /// How they heard of us.
    survey: Option<SurveyAnswer>,
    /// The time kept during checkout.
    #[serde(default, deserialize_with = "blank")]
    #[schema(value_type = Option<String>, format = Uuid)]
    hold_id: Option<HoldId>,
    /// Language of messages.
    #[serde(default, deserialize_with = "blank")]
    #[schema(value_type = Option<LanguageCode>)]
    language: Option<Language>,
    /// The total that was shown: another one is refused instead of charged.
    expected_total: Option<Cash>,
    /// The secret of the link of a mailed quote: until it lapses its price holds for exactly what was priced. Booking looks at it, an edit does not.
    #[schema(min_length = 43, max_length = 43)]
    saved_quote: Option<String>,
    /// Telephone of this move; the profile's when left out. The profile stays as it is.
    #[schema(max_length = 40)]
    phone: Option<String>,
    /// An edit may come wrapped as `POST /api/bookings` takes it.
    #[validate(nested)]
    #[schema(no_recursion)]
    booking_request: Option<Box<BookingDraft>>,
    /// With an edit: another tip. Both are told in one message.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[validate(nested)]
    tip_request: Option<TipRequest>,
}

/// A code, or none: an empty text takes the code away as `null` does.
fn code<'de, D: Deserializer<'de>>(d: D) -> Result<Option<Option<String>>, D::Error> {
    nullable(d).map(|told| told.map(|code: Option<String>| code.filter(|c| !c.trim().is_empty())))
}

impl BookingDraft {
    fn end(&self, end: End) -> EndFields<'_> {
        match end {
            End::Pickup => EndFields {
                name: "pickup",
                address: &self.pickup,
                coords: self.pickup_coords,
                unit: &self.pickup_apt_unit,
                elevator: self.pickup_has_elevator,
                floor: self.pickup_floor,
                parking: self.pickup_has_parking,
                accessibility: self.pickup_accessibility,
                details: &self.pickup_details,
                category: self.pickup_category,
            },
            End::Dropoff => EndFields {
                name: "dropoff",
                address: &self.dropoff,
                coords: self.dropoff_coords,
                unit: &self.dropoff_apt_unit,
                elevator: self.dropoff_has_elevator,
                floor: self.dropoff_floor,
                parking: self.dropoff_has_parking,
                accessibility: self.dropoff_accessibility,
                details: &self.dropoff_details,
                category: self.dropoff_category,
            },
        }
    }

    fn kind(&self) -> Option<MoveKind> {
        self.booking_type.or(self.move_kind)
    }

    fn items(&self, wrong: &mut Vec<Field>) -> Option<Vec<BookedItem>> {
        let list = &self.selected_furnitures.as_ref()?.0;
        if list.len() as u64 > MAX_ITEMS {
            wrong.push(Field::new("selectedFurnitures", FieldProblem::TooLong));
        }
        for (i, item) in list.iter().enumerate() {
            if item.quantity > MAX_QUANTITY {
                let most = FieldProblem::AtMost(Limit::Count(MAX_QUANTITY.into()));
                wrong.push(Field::new(format!("selectedFurnitures[{i}].quantity"), most));
            }
        }
        Some(list.iter().map(BookedItem::from).collect())
    }

    /// What was sent, checked; an empty text is nothing sent.
    fn phone(&self, wrong: &mut Vec<Field>) -> Option<Phone> {
        let typed = self.phone.as_deref().map(str::trim).filter(|p| !p.is_empty())?;
        let phone = typed.parse().ok();
        if phone.is_none() {
            wrong.push(Field::new("phone", FieldProblem::Invalid));
        }
        phone
    }

    fn comments(&self) -> Option<String> {
        // Blank ones that are named take away what was written.
        self.comments
            .clone()
            .filter(|c| !c.trim().is_empty())
            .or_else(|| self.comment.clone())
            .or(self.comments.clone())
    }

    /// For booking.
    ///
    /// # Errors
    /// All missing and wrong fields at once.
    pub fn draft(self) -> Result<Draft, CommonError> {
        let mut wrong = Vec::new();
        let mut required = |name: &str| wrong.push(Field::new(name, FieldProblem::Required));
        if self.date.is_none() {
            required("date");
        }
        if self.time.is_none() {
            required("time");
        }
        let pickup = location(&self.end(End::Pickup), &mut wrong);
        let dropoff = location(&self.end(End::Dropoff), &mut wrong);
        let items = self.items(&mut wrong).unwrap_or_default();
        if items.iter().all(|i| i.quantity == 0) {
            wrong.push(Field::new("selectedFurnitures", FieldProblem::Required));
        }
        let phone = self.phone(&mut wrong);
        let mate_count = mates(self.mate_count.unwrap_or(1), "mateCount")?;
        let (Some(pickup), Some(dropoff), Some(date), Some(time), true) =
            (pickup, dropoff, self.date, self.time, wrong.is_empty())
        else {
            return Err(CommonError::invalid(wrong));
        };
        Ok(Draft {
            pickup,
            dropoff,
            kind: self.kind(),
            items,
            mate_count,
            client_as_mate: self.client_as_mate.unwrap_or(false),
            just_mates: self.just_mates.unwrap_or(false),
            ride_along: self.ride_along.unwrap_or(false),
            date,
            time: time.0,
            comments: self.comments().unwrap_or_default(),
            extras: Extras {
                assembly: self.assembly,
                services: self.extra_services.unwrap_or_default(),
                rooms: self.rooms.map(Rooms::from).unwrap_or_default(),
            },
            discount_code: self.discount_code.flatten(),
            guidelines_agreed: self.guidelines_agreed.unwrap_or(false),
            guidelines_version: self.guidelines_version,
            policy_version: self.policy_version,
            survey: self.survey.map(Survey::from),
            hold_id: self.hold_id,
            phone,
            language: self.language,
            expected_total: self.expected_total.map(|c| c.0),
            saved_quote: self.saved_quote.as_deref().map(secret::hash),
        })
    }

    /// For editing a booking whose ends are `old`.
    ///
    /// # Errors
    /// As [`BookingDraft::draft`], of what was sent.
    pub fn edit(mut self, old: (&Location, &Location)) -> Result<EditInput, CommonError> {
        let tip = self.tip_request.take().map(TipInput::from);
        if let Some(wrapped) = self.booking_request.take() {
            let edit = wrapped.edit(old)?;
            return Ok(EditInput { tip: tip.or(edit.tip), ..edit });
        }
        let mut wrong = Vec::new();
        let pickup = changed(&self.end(End::Pickup), old.0, &mut wrong);
        let dropoff = changed(&self.end(End::Dropoff), old.1, &mut wrong);
        let items = self.items(&mut wrong);
        let phone = self.phone(&mut wrong);
        if !wrong.is_empty() {
            return Err(CommonError::invalid(wrong));
        }
        Ok(EditInput {
            pickup,
            dropoff,
            kind: self.kind(),
            items,
            mate_count: self.mate_count.map(|n| mates(n, "mateCount")).transpose()?,
            client_as_mate: self.client_as_mate,
            just_mates: self.just_mates,
            ride_along: self.ride_along,
            date: self.date,
            time: self.time.map(|t| t.0),
            comments: self.comments(),
            survey: self.survey.map(Survey::from),
            assembly: self.assembly,
            extra_services: self.extra_services,
            rooms: self.rooms.map(Rooms::from),
            discount_code: self.discount_code,
            phone,
            hold_id: self.hold_id,
            expected_total: self.expected_total.map(|c| c.0),
            tip,
        })
    }
}

/// What staff may change besides.
#[derive(Debug, Default, Deserialize, ToSchema, Validate)]
#[serde(rename_all = "camelCase")]
pub struct StaffEditRequest {
    /// Fields as in the draft; only what changes. It may be called `bookingRequest` as well, as when a booking is made.
    #[serde(default, alias = "bookingRequest")]
    #[validate(nested)]
    pub booking: BookingDraft,
    /// Staff notes.
    #[validate(length(max = 2000))]
    #[schema(max_length = 2000)]
    pub notes: Option<String>,
    /// Another price before tax.
    pub amount: Option<Cash>,
    /// No change fee.
    #[serde(default)]
    pub waive_fee: bool,
    /// The customer asked for it: the customer's rules decide the fee.
    #[serde(default)]
    pub customers_wish: bool,
}

impl StaffEditRequest {
    /// For the service.
    ///
    /// # Errors
    /// As [`BookingDraft::edit`].
    pub fn edit(self, old: (&Location, &Location)) -> Result<StaffEdit, CommonError> {
        Ok(StaffEdit {
            change: self.booking.edit(old)?,
            notes: self.notes,
            amount: self.amount.map(|c| c.0),
            waive_fee: self.waive_fee,
            customers_wish: self.customers_wish,
        })
    }
}
