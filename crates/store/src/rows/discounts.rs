//! Discount codes.

use chrono::NaiveDate;
use diesel::prelude::*;
use kernel::{BasisPoints, DiscountId, Money};
use pricing::DiscountTerms;
use service::ports::{StoreResult, discounts::StoredDiscount};

use crate::{
    columns::{Doc, Id, Instant},
    error::unknown,
    schema::discounts,
};

const TABLE: &str = "discounts";

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = discounts, treat_none_as_default_value = false)]
pub struct DiscountRow {
    pub id: Id,
    pub code: String,
    pub terms_kind: String,
    pub share_bp: Option<i64>,
    pub amount_cents: Option<i64>,
    pub valid_from: NaiveDate,
    pub valid_until: NaiveDate,
    pub max_uses: Option<i32>,
    pub uses: i32,
    pub provinces: Doc,
    pub kinds: Doc,
    pub disabled: bool,
    pub created_at: Instant,
    pub version: i32,
}

/// The stored form of a code: two spellings that differ in case meet.
pub fn code_key(code: &str) -> String {
    code.trim().to_uppercase()
}

impl DiscountRow {
    pub fn of(d: &StoredDiscount) -> StoreResult<Self> {
        let (terms_kind, share_bp, amount_cents) = match &d.terms {
            DiscountTerms::Percent { share, max } => ("percent", Some(share.get()), max.map(Money::cents)),
            DiscountTerms::Fixed { amount } => ("fixed", None, Some(amount.cents())),
        };
        Ok(DiscountRow {
            id: Id(d.id.0),
            code: code_key(&d.code),
            terms_kind: terms_kind.to_owned(),
            share_bp,
            amount_cents,
            valid_from: d.valid_from,
            valid_until: d.valid_until,
            max_uses: d.max_uses,
            uses: d.uses,
            provinces: Doc::of(&d.provinces)?,
            kinds: Doc::of(&d.kinds)?,
            disabled: d.disabled,
            created_at: Instant(d.created_at),
            version: d.version,
        })
    }

    pub fn read(self) -> StoreResult<StoredDiscount> {
        let id = self.id.0;
        let terms = match (self.terms_kind.as_str(), self.share_bp, self.amount_cents) {
            ("percent", Some(share), max) => {
                DiscountTerms::Percent { share: BasisPoints::new(share), max: max.map(Money::from_cents) }
            }
            ("fixed", None, Some(amount)) => DiscountTerms::Fixed { amount: Money::from_cents(amount) },
            (other, ..) => return Err(unknown(TABLE, "terms_kind", &id, other)),
        };
        Ok(StoredDiscount {
            id: DiscountId(id),
            code: self.code,
            terms,
            valid_from: self.valid_from,
            valid_until: self.valid_until,
            max_uses: self.max_uses,
            uses: self.uses,
            provinces: self.provinces.read(TABLE, "provinces", &id)?,
            kinds: self.kinds.read(TABLE, "kinds", &id)?,
            disabled: self.disabled,
            created_at: self.created_at.0,
            version: self.version,
        })
    }
}
