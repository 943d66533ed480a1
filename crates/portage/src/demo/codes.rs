//! Discount codes to try: two that work, one that has expired.

use kernel::{
    BasisPoints, DiscountId, Money,
    chrono::{DateTime, NaiveDate},
};
use pricing::DiscountTerms;
use service::{ServiceResult, Tx, ports::discounts::StoredDiscount};

fn codes() -> [(&'static str, DiscountTerms, i32); 3] {
    let cents = Money::from_cents;
    let percent = |share, max| DiscountTerms::Percent { share: BasisPoints::new(share), max };
    [
        ("WELCOME10", percent(1_000, Some(cents(5_000))), 2035),
        ("PARTNER25", DiscountTerms::Fixed { amount: cents(2_500) }, 2035),
        ("EXPIRED15", percent(1_500, None), 2021),
    ]
}

/// Writes the codes that are missing.
pub fn write(tx: &mut Tx<'_>) -> ServiceResult<()> {
    for (code, terms, last_year) in codes() {
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
            max_uses: None,
            uses: 0,
            provinces: Vec::new(),
            kinds: Vec::new(),
            disabled: false,
            created_at: tx.now,
            version: 1,
        })?;
    }
    Ok(())
}
