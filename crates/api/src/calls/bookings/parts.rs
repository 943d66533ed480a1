//! What a booking is read with: its two ends, items, charges, credits, tip and crew.

use kernel::{
    Accessibility, Language, Money, Province,
    chrono::{DateTime, Utc},
};
use serde::Serialize;
use service::{
    billing::facts::{code_of_own_message, never_came},
    bookings::line_words,
    ports::{
        bookings::{BookedItem, Booking, Location},
        credits::Credit,
        crews::CrewMate,
        payments::Payment,
        priced::{BookedLine, BookedTax},
        tips::Tip,
    },
};
use utoipa::ToSchema;

use crate::calls::{
    estimates::{PriceLine, TaxPart},
    geo::Point,
    values::{AccessibilityCode, Cash, CreditKindCode, PaidWithCode, PlaceCategoryCode, ProvinceCode},
};

/// One end of a booked move.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BookedLocation {
    street: String,
    unit: String,
    /// The same under the specification's name.
    apt_unit: String,
    city: String,
    #[schema(value_type = ProvinceCode)]
    province: Province,
    postal_code: String,
    country: String,
    full_address: String,
    coords: Point,
    /// European floor number.
    floor: i32,
    /// The same under the specification's name.
    floors: i32,
    /// 0 none, 1 shared, 2 or more.
    elevator: u32,
    /// Room for the truck.
    parking: bool,
    #[schema(value_type = AccessibilityCode)]
    accessibility: Accessibility,
    /// Buzzer, entrance and the like.
    details: String,
    /// Kind of place, where it was said.
    #[schema(value_type = Option<PlaceCategoryCode>)]
    category: Option<String>,
}

impl From<&Location> for BookedLocation {
    fn from(l: &Location) -> BookedLocation {
        BookedLocation {
            full_address: l.address.line(),
            street: l.address.street.clone(),
            unit: l.address.unit.clone(),
            apt_unit: l.address.unit.clone(),
            city: l.address.city.clone(),
            province: l.address.province,
            postal_code: l.address.postal_code.to_string(),
            country: l.address.country.clone(),
            coords: l.coordinates.into(),
            floor: l.floor,
            floors: l.floor,
            elevator: l.elevator,
            parking: l.parking,
            accessibility: l.accessibility,
            details: l.details.clone(),
            category: Some(l.category.clone()).filter(|c| !c.is_empty()),
        }
    }
}

/// One kind of booked item.
#[derive(Debug, Serialize, ToSchema)]
pub struct BookedFurniture {
    id: String,
    quantity: u32,
    /// They are taken apart and put together; as the catalogue has it when left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    assembly: Option<bool>,
}

impl From<&BookedItem> for BookedFurniture {
    fn from(i: &BookedItem) -> BookedFurniture {
        BookedFurniture { id: i.id.clone(), quantity: i.quantity, assembly: i.assembly }
    }
}

/// A charge or refund.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BookedPayment {
    id: String,
    /// `deposit`, `balance`, `full`, `difference`, `tip`, `overtime`, `cancellation_fee`, `refund`.
    kind: &'static str,
    /// Where it stands.
    state: String,
    amount: Cash,
    due_at: DateTime<Utc>,
    /// When money moved.
    settled_at: Option<DateTime<Utc>>,
    card_last4: Option<String>,
    /// `card`, or what was given and taken by hand.
    #[schema(value_type = PaidWithCode)]
    method: &'static str,
    /// Number of the transfer or cheque.
    reference: Option<String>,
    /// What the bank said last, while no money moved: a refusal is over once the charge was made.
    message: Option<String>,
    /// What Portage itself says instead, as a code: `settlement_declined`, `refund_declined`, `no_card`, `never_answered`, `voided`.
    #[serde(skip_serializing_if = "Option::is_none")]
    message_code: Option<&'static str>,
    /// True of a refund that nobody here made: the bank gave the charge back after a dispute. Absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    by_bank: Option<bool>,
    /// True of a payment by hand that was written down by mistake as a whole, and of the refund that takes one out of the
    /// books: no money moved. Absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    never_came: Option<bool>,
    /// True of a charge that was paid by a payment link. Absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    by_link: Option<bool>,
}

/// The code of Portage's own explanation of a payment that was not made.
pub(in crate::calls) fn failure_code(p: &Payment) -> Option<&'static str> {
    p.last_message.as_deref().filter(|_| p.settled_at.is_none()).and_then(code_of_own_message)
}

impl BookedPayment {
    /// One of `all` payments of its booking.
    pub(super) fn of(p: &Payment, all: &[Payment]) -> BookedPayment {
        BookedPayment {
            id: p.id.to_string(),
            kind: p.kind.code(),
            state: p.state.code().to_owned(),
            amount: p.amount.into(),
            due_at: p.due_at,
            settled_at: p.settled_at,
            card_last4: p.card_last4.clone(),
            method: p.method.code(),
            reference: p.reference.clone().filter(|_| p.kind.is_charge() && p.method.is_by_hand()),
            message: p.last_message.clone().filter(|_| p.settled_at.is_none()),
            message_code: failure_code(p),
            by_bank: p.is_chargeback().then_some(true),
            never_came: never_came(all, p).then_some(true),
            by_link: p.is_by_link().then_some(true),
        }
    }
}

/// A tip: voluntary and untaxed.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TipRecord {
    id: String,
    booking_id: String,
    /// `amount` or `percent`.
    #[serde(rename = "type")]
    kind: String,
    /// As entered, with a decimal point.
    value: String,
    /// In dollars.
    amount: Cash,
    is_paid: bool,
    version: i32,
}

impl From<&Tip> for TipRecord {
    fn from(t: &Tip) -> TipRecord {
        TipRecord {
            id: t.id.to_string(),
            booking_id: t.booking_id.to_string(),
            kind: t.kind.code().to_owned(),
            value: t.value.to_string(),
            amount: t.amount.into(),
            is_paid: t.is_paid,
            version: t.version,
        }
    }
}

/// A mate on a booking.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CrewMember {
    #[serde(rename = "mateID")]
    mate_id: String,
    /// When he was assigned.
    name: String,
    /// Their part of the tip: all parts make it up to the cent. On a single booking with a tip.
    #[serde(skip_serializing_if = "Option::is_none")]
    tip: Option<Cash>,
}

impl CrewMember {
    pub(super) fn new(m: &CrewMate, tip: Option<Money>) -> CrewMember {
        CrewMember { mate_id: m.mate.to_string(), name: m.name.clone(), tip: tip.map(Cash::from) }
    }
}

/// What staff gave back or waived, as the customer reads it.
#[derive(Debug, Serialize, ToSchema)]
pub struct BookedCredit {
    /// `refund`: money that was paid went back. `goodwill`: less is owed.
    #[schema(value_type = CreditKindCode)]
    kind: &'static str,
    /// Tax included.
    amount: Cash,
    /// Why, in the words of whoever gave it.
    reason: String,
    at: DateTime<Utc>,
}

impl BookedCredit {
    /// The credits of a booking that count, oldest first.
    pub(super) fn of(b: &Booking) -> Vec<BookedCredit> {
        b.details.credits.iter().filter(|c| !c.ended).map(BookedCredit::from).collect()
    }
}

impl From<&Credit> for BookedCredit {
    fn from(c: &Credit) -> BookedCredit {
        BookedCredit { kind: c.kind.code(), amount: c.amount.into(), reason: c.reason.clone(), at: c.at }
    }
}

/// A line of the price.
pub(super) fn line(l: &BookedLine) -> PriceLine {
    PriceLine {
        kind: l.content.clone(),
        code: l.code.clone(),
        description: l.description.clone(),
        quantity: l.quantity.to_string(),
        unit: l.unit.clone(),
        unit_price: l.unit_price.to_string(),
        multiplier: l.multiplier.to_string(),
        own_factor: l.own_factor.map(|f| f.to_string()),
        date_factor: l.date_factor.map(|f| f.to_string()),
        period: l.period.clone(),
        amount: l.amount.into(),
        explanation: l.explanation.clone(),
    }
}

/// A line of the price in the language of the page.
pub(super) fn line_in(l: &BookedLine, b: &Booking, language: Language) -> PriceLine {
    PriceLine {
        description: line_words::description(l, b, language),
        explanation: line_words::explanation(l, b, language),
        ..line(l)
    }
}

/// One tax of the price.
pub(super) fn tax(t: &BookedTax) -> TaxPart {
    TaxPart { name: t.name.code().to_owned(), rate: t.rate.to_string(), amount: t.amount.into() }
}
