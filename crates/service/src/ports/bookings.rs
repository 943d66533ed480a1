//! Booking records. What is kept of their changes is in [`super::history`], payments under way in [`super::checkouts`].

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use kernel::{
    Accessibility, Address, BookingId, Coordinates, Language, MateCount, Money, PartnerId, Ppm, Province, RateId,
    ShortId, UserId, Zone,
};
use pricing::MoveKind;
use serde::{Deserialize, Serialize};
use status_machine::booking::Status;

use super::{
    StoreResult,
    cancelled::CancelledBy,
    consents::{ChargesWait, Consent},
    credits::Credit,
    facts::BookingFacts,
    failed::WriteOff,
    lists::{Counted, Listing, Mark, Order, Slice, Start},
    overtime::Overtime,
    priced::{Agreed, BookedLine, BookedTax},
    rooms::Rooms,
};

/// One end of a move (specification §3, Locations).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Location {
    /// Where.
    pub address: Address,
    /// Its point.
    pub coordinates: Coordinates,
    /// European floor number, 0 = ground.
    pub floor: i32,
    /// 0 none, 1 shared, 2 or more: two elevators or one reserved.
    pub elevator: u32,
    /// Room for the truck (2 to 3 car lengths).
    pub parking: bool,
    /// How hard the way is.
    pub accessibility: Accessibility,
    /// Buzzer, entrance and the like.
    #[serde(default)]
    pub details: String,
    /// A code of [`kernel::PlaceCategory`]; empty where nobody said. Not written while it is empty: a digest of the request
    /// that made a booking is compared with one from before.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub category: String,
}

/// One kind of item and how many.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BookedItem {
    /// Catalogue id.
    pub id: String,
    /// Pieces.
    pub quantity: u32,
    /// They are taken apart and put together; none = as the catalogue has it, and not written, as [`Location::category`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assembly: Option<bool>,
}

/// 'How did you hear' (specification §3).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Survey {
    /// `advertisements`, `friendsFamily`, `socialMedia`, `partners`, `other`.
    pub source: String,
    /// The specification of the last three.
    #[serde(default)]
    pub specify: String,
}

/// How a booking's money comes in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum PaidBy {
    /// The stored card is charged on the days of the policy.
    #[default]
    Card,
    /// The customer pays by a link that was mailed to them.
    Link,
    /// By an invoice.
    Invoice,
    /// On the day, to the crew.
    OnSite,
}

impl PaidBy {
    /// All of them.
    pub const ALL: [PaidBy; 4] = [PaidBy::Card, PaidBy::Link, PaidBy::Invoice, PaidBy::OnSite];

    /// Stable code.
    pub const fn code(self) -> &'static str {
        match self {
            PaidBy::Card => "card",
            PaidBy::Link => "link",
            PaidBy::Invoice => "invoice",
            PaidBy::OnSite => "onSite",
        }
    }

    /// The one of a code.
    pub fn from_code(code: &str) -> Option<PaidBy> {
        PaidBy::ALL.into_iter().find(|by| by.code() == code)
    }

    /// Nothing is charged by itself: somebody pays, or staff write down that they did.
    pub const fn is_by_hand(self) -> bool {
        !matches!(self, PaidBy::Card)
    }
}

/// What is stored as one document beside the searchable columns.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BookingDetails {
    /// From where.
    pub pickup: Location,
    /// To where.
    pub dropoff: Location,
    /// What.
    pub items: Vec<BookedItem>,
    /// Tenths of cubic feet.
    pub total_dcf: u32,
    /// Pieces of 50 cubic feet and more.
    pub big_items: u32,
    /// Pieces under 50 cubic feet.
    pub small_items: u32,
    /// Loaded leg, minutes.
    pub travel_minutes: u32,
    /// Price lines; they add up to the amount.
    pub lines: Vec<BookedLine>,
    /// Sum of lines before the discount.
    pub original_amount: Money,
    /// What the code took off, positive.
    pub discount: Money,
    /// The rate card's own words for its taxes, as the customer read them. What is booked is in `taxes`.
    pub tax_type: String,
    /// Combined rate.
    pub tax_rate: Ppm,
    /// Taxes; they add up to the tax.
    pub taxes: Vec<BookedTax>,
    /// Rate card used.
    pub rate_id: Option<RateId>,
    /// Its version.
    pub rate_version: i32,
    /// Change fees added so far, before tax.
    pub change_fees: Money,
    /// Text version of the guidelines the customer agreed to.
    pub guidelines_version: String,
    /// The sentences they agreed to, with the figures they were shown with; empty for bookings from before these were kept.
    #[serde(default)]
    pub guidelines_text: Vec<String>,
    /// When they agreed.
    pub guidelines_agreed_at: DateTime<Utc>,
    /// Policy settings the booking was made under, frozen.
    pub policy: policy::Settings,
    /// True once the 48-hour charge came due or was captured; it never goes back.
    pub lock_entered: bool,
    /// Customer name, frozen at booking.
    pub customer_name: String,
    /// Customer e-mail.
    pub customer_email: String,
    /// Customer phone.
    pub customer_phone: String,
    /// Free text of the draft.
    #[serde(default)]
    pub comments: String,
    /// Staff notes.
    #[serde(default)]
    pub notes: String,
    /// How they heard of us.
    #[serde(default)]
    pub survey: Option<Survey>,
    /// Why it was cancelled.
    #[serde(default)]
    pub cancel_reason: Option<String>,
    /// Who cancelled.
    #[serde(default)]
    pub cancelled_by: Option<CancelledBy>,
    /// What was kept at the cancellation.
    #[serde(default)]
    pub kept: Option<Money>,
    /// Sample of a payment trouble for lists: a ladder ended without success.
    #[serde(default)]
    pub payment_problem: bool,
    /// What staff gave back or waived, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub credits: Vec<Credit>,
    /// Time beyond what was agreed; all of it is one line of the price.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub overtime: Vec<Overtime>,
    /// What the customer was asked to agree to, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub consents: Vec<Consent>,
    /// No card is charged for the move until its customer agrees.
    #[serde(default)]
    pub charges_wait: Option<ChargesWait>,
    /// What was given up of it, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub write_offs: Vec<WriteOff>,
    /// A digest of the request that made it, for the second press of the same button; empty where none was kept.
    #[serde(default)]
    pub asked: String,
    /// The last price that staff agreed, if it was another than the card's.
    #[serde(default)]
    pub agreed: Option<Agreed>,
    /// Rooms and ways of the home.
    #[serde(default)]
    pub rooms: Rooms,
    /// Codes of services beside the move ([`pricing::ExtraService`]), in the order of lines.
    #[serde(default)]
    pub extra_services: Vec<String>,
    /// Pieces to be taken apart and put together; none = as the catalogue has it, zero = nothing at all.
    #[serde(default)]
    pub assembly: Option<u32>,
    /// How it is paid.
    #[serde(default)]
    pub paid_by: PaidBy,
    /// How wide its arrival was promised, frozen; of bookings from before it was kept that of the program.
    #[serde(default)]
    pub arrival: scheduling::Arrival,
}

/// A booking.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Booking {
    /// Key.
    pub id: BookingId,
    /// What people read aloud.
    pub short_id: ShortId,
    /// Owner.
    pub user_id: UserId,
    /// Partner, for b2b.
    pub partner_id: Option<PartnerId>,
    /// Status.
    pub status: Status,
    /// Counts up with each change.
    pub version: i32,
    /// Language of mails and line texts.
    pub language: Language,
    /// B of the policy: never changes.
    pub created_at: DateTime<Utc>,
    /// Last change.
    pub updated_at: DateTime<Utc>,
    /// T of the policy: start of the move.
    pub move_at: DateTime<Utc>,
    /// Local day as promised.
    pub move_date: NaiveDate,
    /// Local time as promised.
    pub move_time: NaiveTime,
    /// Zone of both.
    pub zone: Zone,
    /// Crew hub.
    pub hub: String,
    /// Province of the pickup.
    pub province: Province,
    /// Kind asked for.
    pub move_kind: MoveKind,
    /// Paid mates.
    pub mate_count: MateCount,
    /// The customer helps.
    pub client_as_mate: bool,
    /// No truck.
    pub just_mates: bool,
    /// The customer rides along.
    pub ride_along: bool,
    /// Minutes.
    pub duration_minutes: u32,
    /// Tenths of km.
    pub distance_km10: u32,
    /// 1, 2 or 3.
    pub tier: u8,
    /// After discount, before tax.
    pub amount: Money,
    /// Tax.
    pub tax: Money,
    /// amount + tax.
    pub total: Money,
    /// Code applied.
    pub discount_code: Option<String>,
    /// The rest.
    pub details: BookingDetails,
    /// Set once when completed.
    pub completed_at: Option<DateTime<Utc>>,
    /// Set when cancelled.
    pub cancelled_at: Option<DateTime<Utc>>,
}

impl Booking {
    /// The normalised words a search finds it by: short id, name, e-mail, phone digits, address words, discount code.
    pub fn search_text(&self) -> String {
        let d = &self.details;
        let digits: String = d.customer_phone.chars().filter(char::is_ascii_digit).collect();
        let parts = [
            self.short_id.as_str(),
            &d.customer_name,
            &d.customer_email,
            &digits,
            &d.pickup.address.line(),
            &d.dropoff.address.line(),
            self.discount_code.as_deref().unwrap_or(""),
        ];
        kernel::fold(&parts.join(" "))
    }
}

/// One page of a list.
#[derive(Debug, Clone, PartialEq)]
pub struct Page<T> {
    /// The rows.
    pub data: Vec<T>,
    /// Of how many.
    pub total: i64,
}

/// Bookings.
pub trait Bookings {
    /// Adds; `Duplicate` when the short id is taken (draw another).
    fn insert(&mut self, booking: &Booking) -> StoreResult<()>;
    /// The booking that has this short id.
    fn of_short_id(&mut self, id: &ShortId) -> StoreResult<Option<BookingId>>;
    /// One booking.
    fn get(&mut self, id: BookingId) -> StoreResult<Option<Booking>>;
    /// One booking, its row locked until commit (a plain read on SQLite's single writer).
    fn lock(&mut self, id: BookingId) -> StoreResult<Option<Booking>>;
    /// Writes all columns if the stored version equals `expected`; answers the new version, else `Stale`. The record as it
    /// was is kept for [`super::history::BookingHistory::at_version`], replaced at `booking.updated_at`.
    fn update(&mut self, booking: &Booking, expected: i32) -> StoreResult<i32>;
    /// What lists filter by.
    fn facts(&mut self, id: BookingId) -> StoreResult<Option<BookingFacts>>;
    /// Staff's list, from a place on.
    fn listed(&mut self, wanted: &Listing, start: Start, limit: i64) -> StoreResult<Slice<Booking>>;
    /// Staff's list without its first rows.
    fn listed_beyond(&mut self, wanted: &Listing, order: Order, skip: i64, limit: i64) -> StoreResult<Vec<Booking>>;
    /// How many bookings staff's list has; counted no further than `most`.
    fn counted(&mut self, wanted: &Listing, most: i64) -> StoreResult<Counted>;
    /// Staff's list, the furthest move ahead first, without what the rows say.
    fn marked(&mut self, wanted: &Listing, limit: i64) -> StoreResult<Vec<Mark>>;
    /// These bookings, in this order; one that is not there is left out.
    fn get_all(&mut self, ids: &[BookingId]) -> StoreResult<Vec<Booking>>;
    /// A customer's bookings except deleted, from a place on, in the order of the start.
    fn of_user_from(&mut self, user: UserId, start: Start, limit: i64) -> StoreResult<Slice<Booking>>;
    /// Keys of all bookings of a customer, the deleted ones as well, in their own order.
    fn all_of_user(&mut self, user: UserId) -> StoreResult<Vec<BookingId>>;
    /// A customer's bookings except deleted, newest move first; page from 1.
    fn of_user(&mut self, user: UserId, page: i64, per_page: i64) -> StoreResult<Page<Booking>>;
    /// How many of a customer's bookings are to come (pending or assigned, after `now`), and checkouts at the gateway.
    fn open_of_user(&mut self, user: UserId, now: DateTime<Utc>) -> StoreResult<i64>;
    /// Whether a customer has a booking beside this one that is neither cancelled nor deleted.
    fn has_other(&mut self, user: UserId, except: BookingId) -> StoreResult<bool>;
    /// Ids of bookings that changed, were charged or to be charged, or move in [from, until), for reconciliation.
    fn touched_between(&mut self, from: DateTime<Utc>, until: DateTime<Utc>) -> StoreResult<Vec<BookingId>>;
}
