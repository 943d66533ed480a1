//! Discount codes: look-up and use. Unknown, not yet active, expired, exhausted, wrong province
//! and wrong kind all read the same to the customer.

use chrono::NaiveDate;
use kernel::Province;
use pricing::{Discount, MoveKind};

use crate::{ErrorCode, ServiceResult, Services, ports::discounts::StoredDiscount};

/// The longest code anybody may type.
pub const MAX_CODE_LEN: usize = 40;

/// Whether a code is good for a move on `date`; province and kind where they are known.
pub fn applies(d: &StoredDiscount, date: NaiveDate, province: Option<Province>, kind: Option<MoveKind>) -> bool {
    let used_up = d.max_uses.is_some_and(|max| d.uses >= max);
    let here = province.is_none_or(|p| d.provinces.is_empty() || d.provinces.contains(&p));
    let this = kind.is_none_or(|k| d.kinds.is_empty() || d.kinds.contains(&k));
    !d.disabled && !used_up && d.valid_from <= date && date <= d.valid_until && here && this
}

/// `POST /discount`: the code for a booking date.
///
/// # Errors
/// `discount_not_found`.
pub async fn lookup(s: &Services, code: String, date: NaiveDate) -> ServiceResult<StoredDiscount> {
    find(s, code, date, None, None).await?.ok_or_else(|| ErrorCode::DiscountNotFound.into())
}

/// The code if it is good for this move.
///
/// # Errors
/// Only when the database fails; "no" is `None`.
pub async fn find(
    s: &Services,
    code: String,
    date: NaiveDate,
    province: Option<Province>,
    kind: Option<MoveKind>,
) -> ServiceResult<Option<StoredDiscount>> {
    Ok(known(s, code).await?.filter(|d| applies(d, date, province, kind)))
}

/// The code, whatever it is good for.
///
/// # Errors
/// Only when the database fails.
pub(crate) async fn known(s: &Services, code: String) -> ServiceResult<Option<StoredDiscount>> {
    let code = code.trim().to_uppercase();
    if code.is_empty() || code.len() > MAX_CODE_LEN {
        return Ok(None);
    }
    s.store.read(move |u| u.discounts().by_code(&code).map_err(crate::Error::from)).await
}

/// What pricing needs of a stored code.
pub fn priced(d: &StoredDiscount) -> Discount {
    Discount { code: d.code.clone(), terms: d.terms.clone() }
}
