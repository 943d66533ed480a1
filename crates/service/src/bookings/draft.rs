//! The draft a customer sends, checked field by field before anything else happens.

use chrono::{NaiveDate, NaiveTime};
use kernel::{HoldId, Language, MateCount, Money, Phone};
use pricing::{ExtraService, MoveKind};
use serde::{Deserialize, Serialize};

use crate::{
    Error, ErrorCode, FieldError, FieldProblem, ServiceResult,
    estimates::locked,
    moves::{Access, MoveInput, Whereabouts, place_of},
    ports::{
        bookings::{BookedItem, Location, Survey},
        identity::TokenHash,
        rooms::Rooms,
    },
};

/// The booking draft of specification §3, as far as the server needs it.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// From where.
    pub pickup: Location,
    /// To where.
    pub dropoff: Location,
    /// Kind, when named.
    pub kind: Option<MoveKind>,
    /// What.
    pub items: Vec<BookedItem>,
    /// Paid mates.
    pub mate_count: MateCount,
    /// The customer helps.
    pub client_as_mate: bool,
    /// No truck.
    pub just_mates: bool,
    /// The customer rides along.
    pub ride_along: bool,
    /// Local day at the pickup.
    pub date: NaiveDate,
    /// Local start.
    pub time: NaiveTime,
    /// Code typed.
    pub discount_code: Option<String>,
    /// The guidelines were agreed to.
    pub guidelines_agreed: bool,
    /// Version of the text agreed to; the present one when not named.
    pub guidelines_version: Option<String>,
    /// Version of the policy whose terms were agreed to, when the client says it: never book under another.
    pub policy_version: Option<String>,
    /// What is wanted beside carrying.
    pub extras: Extras,
    /// Free text.
    pub comments: String,
    /// How they heard of us.
    pub survey: Option<Survey>,
    /// The slot reserved during checkout.
    pub hold_id: Option<HoldId>,
    /// Telephone of this move; the profile's when not named.
    pub phone: Option<Phone>,
    /// Language of messages; the caller's when not named.
    pub language: Option<Language>,
    /// The total the customer was shown, when the client says it: never charge another.
    pub expected_total: Option<Money>,
    /// The mailed quote it was taken up from: its price holds for exactly what was priced.
    pub saved_quote: Option<TokenHash>,
}

/// What a customer says of the home and wants beside carrying (specification §3, Items).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Extras {
    /// False: nothing is taken apart, whatever the items say.
    pub assembly: Option<bool>,
    /// Services beside the move.
    pub services: Vec<ExtraService>,
    /// Rooms and ways of the home.
    pub rooms: Rooms,
}

/// A tip as typed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TipInput {
    /// `amount` or `percent`.
    pub kind: String,
    /// As typed; a comma decimal is accepted.
    pub value: String,
}

/// The version of the guidelines text in force.
pub const GUIDELINES_VERSION: &str = "2026-11";

const MAX_TEXT: usize = 2_000;
const MAX_SHORT: usize = 200;

impl Draft {
    /// Everything that can be said without asking anybody.
    ///
    /// # Errors
    /// All wrong fields at once; then `guidelines_not_agreed`, `survey_specify`.
    pub fn check(&self) -> ServiceResult<()> {
        self.check_move()?;
        if !self.guidelines_agreed {
            return Err(ErrorCode::GuidelinesNotAgreed.into());
        }
        check_survey(self.survey.as_ref())
    }

    /// The same of the move alone: before anybody agrees to anything.
    ///
    /// # Errors
    /// All wrong fields at once.
    pub fn check_move(&self) -> ServiceResult<()> {
        let mut wrong = Vec::new();
        for (name, end) in [("pickup", &self.pickup), ("dropoff", &self.dropoff)] {
            check_location(name, end, &mut wrong);
        }
        if self.items.is_empty() || self.items.iter().all(|i| i.quantity == 0) {
            wrong.push(FieldError::new("bookingRequest.selectedFurnitures", FieldProblem::Required));
        }
        if self.comments.chars().count() > MAX_TEXT {
            wrong.push(FieldError::new("bookingRequest.comments", FieldProblem::TooLong));
        }
        if wrong.is_empty() { Ok(()) } else { Err(Error::Invalid(wrong)) }
    }

    /// For pricing, with the leg the routing service found.
    pub fn job(&self, travel_minutes: u32, distance_km10: u32) -> MoveInput {
        let access = |l: &Location| Access {
            floor: l.floor,
            elevator: l.elevator,
            parking: l.parking,
            accessibility: l.accessibility,
        };
        let known = |l: &Location| Whereabouts {
            province: Some(l.address.province),
            city: Some(l.address.city.clone()),
            postal_code: Some(l.address.postal_code.clone()),
            coordinates: Some(l.coordinates),
        };
        MoveInput {
            kind: self.kind,
            items: self.items.clone(),
            mate_count: self.mate_count,
            client_as_mate: self.client_as_mate,
            just_mates: self.just_mates,
            ride_along: self.ride_along,
            travel_minutes,
            distance_km10: Some(distance_km10),
            access: [access(&self.pickup), access(&self.dropoff)],
            ends: [known(&self.pickup), known(&self.dropoff)],
            assembly: self.extras.assembly,
            extra_services: self.extras.services.clone(),
        }
    }

    /// A digest of what decides about its price, see [`locked::digest`].
    pub(super) fn digest(&self) -> String {
        locked::digest(&self.job(0, 0), Some(self.date), self.discount_code.as_deref())
    }

    /// Both ends for geography.
    pub fn places(&self) -> (geography::Place, geography::Place) {
        (
            place_of(&self.pickup.address, self.pickup.coordinates),
            place_of(&self.dropoff.address, self.dropoff.coordinates),
        )
    }

    /// One end is in a building with an elevator.
    pub fn elevator_building(&self) -> bool {
        self.pickup.elevator > 0 || self.dropoff.elevator > 0
    }
}

fn check_location(name: &str, end: &Location, wrong: &mut Vec<FieldError>) {
    let field = |part: &str| format!("bookingRequest.{name}.{part}");
    for (part, value) in [("street", &end.address.street), ("city", &end.address.city)] {
        if value.trim().is_empty() {
            wrong.push(FieldError::new(field(part), FieldProblem::Required));
        } else if value.chars().count() > MAX_SHORT {
            wrong.push(FieldError::new(field(part), FieldProblem::TooLong));
        } else if holds_link(value) {
            wrong.push(FieldError::new(field(part), FieldProblem::Invalid));
        }
    }
    // The postal code's letter decides the province; an address that contradicts itself would be
    // taxed in the wrong place.
    if end.address.postal_code.province() != end.address.province {
        wrong.push(FieldError::new(field("postalCode"), FieldProblem::Invalid));
    }
    let country = end.address.country.trim();
    if !(country.is_empty() || ["canada", "ca", "can", "加拿大"].contains(&country.to_lowercase().as_str())) {
        wrong.push(FieldError::new(field("country"), FieldProblem::Invalid));
    }
    for (part, value) in [("unit", &end.address.unit), ("details", &end.details)] {
        if value.chars().count() > MAX_TEXT {
            wrong.push(FieldError::new(field(part), FieldProblem::TooLong));
        } else if part == "unit" && holds_link(value) {
            wrong.push(FieldError::new(field(part), FieldProblem::Invalid));
        }
    }
}

/// A link is no part of an address, and mails repeat the address to whoever reads them.
fn holds_link(text: &str) -> bool {
    let text = text.to_lowercase();
    text.contains("://") || text.contains("www.")
}

fn check_survey(survey: Option<&Survey>) -> ServiceResult<()> {
    let Some(survey) = survey else { return Ok(()) };
    match survey.source.as_str() {
        "advertisements" | "friendsFamily" => Ok(()),
        "socialMedia" | "partners" | "other"
            if !survey.specify.trim().is_empty() && survey.specify.chars().count() <= MAX_SHORT =>
        {
            Ok(())
        }
        "socialMedia" | "partners" | "other" => Err(ErrorCode::SurveySpecify.into()),
        _ => Err(Error::field("bookingRequest.survey.source", FieldProblem::Unknown)),
    }
}
/// What may be changed; `None` keeps what is.
#[derive(Debug, Clone, Default, PartialEq)]
#[allow(missing_docs)]
pub struct EditInput {
    pub pickup: Option<Location>,
    pub dropoff: Option<Location>,
    pub kind: Option<MoveKind>,
    pub items: Option<Vec<BookedItem>>,
    pub mate_count: Option<MateCount>,
    pub client_as_mate: Option<bool>,
    pub just_mates: Option<bool>,
    pub ride_along: Option<bool>,
    pub date: Option<NaiveDate>,
    pub time: Option<NaiveTime>,
    /// `Some(None)` removes the code.
    pub discount_code: Option<Option<String>>,
    /// False: nothing is taken apart.
    pub assembly: Option<bool>,
    pub extra_services: Option<Vec<ExtraService>>,
    pub rooms: Option<Rooms>,
    pub comments: Option<String>,
    pub survey: Option<Survey>,
    pub phone: Option<Phone>,
    pub hold_id: Option<HoldId>,
    pub expected_total: Option<Money>,
    /// Another tip, told with the rest in one message.
    pub tip: Option<TipInput>,
}

/// What staff may change: the same, and what is theirs alone.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StaffEdit {
    /// What a customer could change as well.
    pub change: EditInput,
    /// Notes of their own.
    pub notes: Option<String>,
    /// Another price before tax.
    pub amount: Option<Money>,
    /// No change fee.
    pub waive_fee: bool,
    /// The customer asked for it: the customer's rules decide the fee.
    pub customers_wish: bool,
}

impl From<EditInput> for StaffEdit {
    fn from(change: EditInput) -> StaffEdit {
        StaffEdit { change, ..StaffEdit::default() }
    }
}
