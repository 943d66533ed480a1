//! Discount codes.

use chrono::{DateTime, NaiveDate, Utc};
use kernel::{BookingId, DiscountId, Province, UserId};
use pricing::{DiscountTerms, MoveKind};
use serde::{Deserialize, Serialize};

use super::{StoreResult, bookings::Page};

/// A stored discount. As JSON it stands in mailed quotes and in payments at the gateway: a field that comes later has a default.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StoredDiscount {
    /// Key.
    pub id: DiscountId,
    /// As printed, upper case; compared without regard to case.
    pub code: String,
    /// What it takes off.
    pub terms: DiscountTerms,
    /// First move date it is good for.
    pub valid_from: NaiveDate,
    /// Last move date it is good for.
    pub valid_until: NaiveDate,
    /// First day one may book with it; none = without that end. Days of the company's own zone.
    pub bookable_from: Option<NaiveDate>,
    /// Last day one may book with it, likewise.
    pub bookable_until: Option<NaiveDate>,
    /// Bookings it may be used in; none = unlimited.
    pub max_uses: Option<i32>,
    /// Bookings of one customer it may be used in; none = unlimited.
    pub max_uses_per_customer: Option<i32>,
    /// Only for a customer who has no other booking.
    pub first_booking_only: bool,
    /// Bookings it was used in: more than the most there may be, where a quote was mailed with it before the last use was gone.
    pub uses: i32,
    /// Provinces of pickup; empty = all.
    pub provinces: Vec<Province>,
    /// Move kinds; empty = all.
    pub kinds: Vec<MoveKind>,
    /// Switched off by staff.
    pub disabled: bool,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// Counts up with each edit by staff; uses are counted beside it.
    pub version: i32,
}

/// A code in a booking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CodeUse {
    /// The code.
    pub discount: DiscountId,
    /// The booking, or one that is being paid for.
    pub booking: BookingId,
    /// Whose booking it is.
    pub user: UserId,
    /// When it was used.
    pub taken_at: DateTime<Utc>,
    /// When it was given back: the booking was cancelled, or was never paid, or has another code now.
    pub returned_at: Option<DateTime<Utc>>,
}

/// Discounts.
pub trait Discounts {
    /// By code, case aside.
    fn by_code(&mut self, code: &str) -> StoreResult<Option<StoredDiscount>>;
    /// One.
    fn get(&mut self, id: DiscountId) -> StoreResult<Option<StoredDiscount>>;
    /// Those whose code contains a text, case and accents aside, the newest first; all for the empty text.
    fn page(&mut self, part: &str, skip: i64, limit: i64) -> StoreResult<Page<StoredDiscount>>;
    /// Adds; `Duplicate` when the code is taken.
    fn insert(&mut self, discount: &StoredDiscount) -> StoreResult<()>;
    /// Writes terms and limits if the stored version equals `discount.version`; answers the new version, else `Stale`;
    /// `Refused` when fewer uses are allowed than there were, those beyond the limit aside. Code and uses stay.
    fn update(&mut self, discount: &StoredDiscount) -> StoreResult<i32>;
    /// Removes one that was never used; `false` when it is not there. The caller has asked for its uses, and its lock is
    /// had by [`Discounts::lock`].
    fn remove(&mut self, id: DiscountId) -> StoreResult<bool>;
    /// One, which nobody else uses or changes until the unit ends.
    fn lock(&mut self, id: DiscountId) -> StoreResult<Option<StoredDiscount>>;
    /// Counts one more use, if the limit of uses allows: false when it is exhausted. Nobody else uses the code until the
    /// unit ends. A use that is taken again after it was returned is one use.
    fn take_use(&mut self, taken: &CodeUse) -> StoreResult<bool>;
    /// Counts one more use beyond the limit, as [`Discounts::take_use`]: false when there is no such code.
    fn take_promised_use(&mut self, taken: &CodeUse) -> StoreResult<bool>;
    /// Gives a use back; nothing happens when the booking has none.
    fn return_use(&mut self, id: DiscountId, booking: BookingId, at: DateTime<Utc>) -> StoreResult<()>;
    /// Uses of a customer that were not returned.
    fn uses_of_user(&mut self, id: DiscountId, user: UserId) -> StoreResult<i64>;
    /// Who used it, the newest first, returned uses as well.
    fn uses(&mut self, id: DiscountId, skip: i64, limit: i64) -> StoreResult<Page<CodeUse>>;
    /// The uses of an account are another's: it has shown that it is the same person.
    fn hand_over(&mut self, from: UserId, to: UserId) -> StoreResult<()>;
}
