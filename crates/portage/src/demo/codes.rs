//! Discount codes to try: some that work, one that has expired, one that is switched off.

use kernel::{
    BasisPoints, DiscountId, Money,
    chrono::{DateTime, NaiveDate},
};
use pricing::DiscountTerms;
use service::{ServiceResult, Tx, ports::discounts::StoredDiscount};

/// A code, what it takes off, the last year of moves it is good for, and what else bounds it.
type Code = (&'static str, DiscountTerms, i32, Bounds);

/// Uses in all, uses of a customer, first booking only, switched off.
type Bounds = (Option<i32>, Option<i32>, bool, bool);

const FREE: Bounds = (None, None, false, false);

fn codes() -> [Code; 6] {
    let cents = Money::from_cents;
    let percent = |share, max| DiscountTerms::Percent { share: BasisPoints::new(share), max };
    [
        ("WELCOME10", percent(1_000, Some(cents(5_000))), 2035, FREE),
        ("PARTNER25", DiscountTerms::Fixed { amount: cents(2_500) }, 2035, FREE),
        ("EXPIRED15", percent(1_500, None), 2021, FREE),
        ("FIRSTMOVE", percent(500, None), 2035, (None, Some(1), true, false)),
        ("STUDENT20", DiscountTerms::Fixed { amount: cents(2_000) }, 2035, (Some(200), Some(2), false, false)),
        ("SNOWDAY", percent(1_200, Some(cents(8_000))), 2035, (None, None, false, true)),
    ]
}

/// Writes the codes that are missing.
pub fn write(tx: &mut Tx<'_>) -> ServiceResult<()> {
    for (code, terms, last_year, (max_uses, max_uses_per_customer, first_booking_only, disabled)) in codes() {
        if tx.unit.discounts().by_code(code)?.is_some() {
            continue;
        }
        let id = DiscountId(tx.id());
        tx.unit.discounts().insert(&StoredDiscount {
            id,
            code: code.to_owned(),
            terms,
            valid_from: DateTime::UNIX_EPOCH.date_naive(),
            valid_until: NaiveDate::from_ymd_opt(last_year, 12, 31).unwrap_or(NaiveDate::MAX),
            bookable_from: None,
            bookable_until: None,
            max_uses,
            max_uses_per_customer,
            first_booking_only,
            uses: 0,
            provinces: Vec::new(),
            kinds: Vec::new(),
            disabled,
            created_at: tx.now,
            version: 1,
        })?;
    }
    Ok(())
}
