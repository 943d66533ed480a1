//! Discount codes.

use chrono::{DateTime, NaiveDate, Utc};
use kernel::{DiscountId, Province};
use pricing::{DiscountTerms, MoveKind};

use super::StoreResult;

/// A stored discount.
#[derive(Debug, Clone, PartialEq)]
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
    /// Bookings it may be used in; none = unlimited.
    pub max_uses: Option<i32>,
    /// Bookings it was used in.
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

/// Discounts.
pub trait Discounts {
    /// By code, case aside.
    fn by_code(&mut self, code: &str) -> StoreResult<Option<StoredDiscount>>;
    /// Adds; `Duplicate` when the code is taken.
    fn insert(&mut self, discount: &StoredDiscount) -> StoreResult<()>;
    /// Writes terms and limits if the stored version equals `discount.version`; answers the new version, else `Stale`;
    /// `Refused` when fewer uses are allowed than there were. Code and uses stay. Issue 11 has the page that calls it.
    fn update(&mut self, discount: &StoredDiscount) -> StoreResult<i32>;
    /// Counts one more use, if the limit allows: false when it is exhausted.
    fn take_use(&mut self, id: DiscountId) -> StoreResult<bool>;
    /// Gives a use back.
    fn return_use(&mut self, id: DiscountId) -> StoreResult<()>;
}
