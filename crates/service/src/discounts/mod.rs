//! Discount codes: look-up and use. Unknown, not yet active, expired, exhausted, wrong province, wrong kind and used by
//! this customer before all read the same to the customer.

pub mod desk;
mod snapshot;
mod uses;
mod why;

use chrono::{DateTime, NaiveDate, Utc};
use kernel::Zone;
use pricing::Discount;

pub use self::why::Move;
pub(crate) use self::{
    uses::{count_again, give_back, may_take, take, take_promised},
    why::{RefusalReason, not_good},
};
use crate::{ErrorCode, ServiceResult, Services, ports::discounts::StoredDiscount};

/// The longest code anybody may type.
pub const MAX_CODE_LEN: usize = 40;

/// How a code is stored, however it is typed.
pub(crate) fn key(code: &str) -> String {
    code.trim().to_uppercase()
}

/// The day codes are judged by when somebody books: that of the company, wherever the move is.
pub fn day(at: DateTime<Utc>) -> NaiveDate {
    Zone::MONTREAL.local(at).date
}

/// Whether a code is good for a move that is booked on the day `today` of [`day`]. What depends on the customer is seen
/// when the booking is made, see [`take`], and in the preview of a change, see [`may_take`].
pub fn applies(d: &StoredDiscount, wanted: Move, today: NaiveDate) -> bool {
    not_good(d, wanted, today).is_none()
}

/// Whether the terms of a code allow the move itself: its day, the province of its pickup and its kind. A booking that has the
/// code is not asked again whether one may still book with it.
pub(crate) fn allows(d: &StoredDiscount, wanted: Move) -> bool {
    why::not_of_move(d, wanted).is_none()
}

/// `POST /discount`: the code for a booking date.
///
/// # Errors
/// `discount_not_found`.
pub async fn lookup(s: &Services, code: String, date: NaiveDate) -> ServiceResult<StoredDiscount> {
    find(s, code, Move { date, province: None, kind: None }).await?.ok_or_else(|| ErrorCode::DiscountNotFound.into())
}

/// The code if it is good for this move.
///
/// # Errors
/// Only when the database fails; "no" is `None`.
pub async fn find(s: &Services, code: String, wanted: Move) -> ServiceResult<Option<StoredDiscount>> {
    let today = day(s.clock.now());
    Ok(find_code(s, code).await?.filter(|d| applies(d, wanted, today)))
}

/// Finds a code, whether it applies or not.
///
/// # Errors
/// Only when the database fails.
pub(crate) async fn find_code(s: &Services, code: String) -> ServiceResult<Option<StoredDiscount>> {
    let code = key(&code);
    if code.is_empty() || code.len() > MAX_CODE_LEN {
        return Ok(None);
    }
    s.store.read(move |u| u.discounts().by_code(&code).map_err(crate::Error::from)).await
}

/// What pricing needs of a stored code.
pub fn priced(d: &StoredDiscount) -> Discount {
    Discount { code: d.code.clone(), terms: d.terms.clone() }
}
