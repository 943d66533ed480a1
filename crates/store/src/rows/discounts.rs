//! Discount codes.

use chrono::NaiveDate;
use diesel::prelude::*;
use kernel::{BasisPoints, BookingId, DiscountId, Money, Province, UserId, fold};
use pricing::{DiscountTerms, MoveKind};
use service::ports::{
    StoreResult,
    discounts::{CodeUse, StoredDiscount},
};

use crate::{
    columns::{Doc, Id, Instant},
    error::unknown,
    schema::{discount_uses, discounts},
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
    pub bookable_from: Option<NaiveDate>,
    pub bookable_until: Option<NaiveDate>,
    pub max_uses_per_customer: Option<i32>,
    pub first_booking_only: bool,
    pub found_by: String,
    pub promised_uses: i32,
}

/// The stored form of a code: two spellings that differ in case meet.
pub fn code_key(code: &str) -> String {
    code.trim().to_uppercase()
}

/// What a code is found by at the desk: two spellings that differ in case or in accents meet.
pub fn search_key(code: &str) -> String {
    fold(code.trim())
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
            bookable_from: d.bookable_from,
            bookable_until: d.bookable_until,
            max_uses_per_customer: d.max_uses_per_customer,
            first_booking_only: d.first_booking_only,
            found_by: search_key(&d.code),
            promised_uses: 0,
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
        let mut provinces: Vec<Province> = self.provinces.read(TABLE, "provinces", &id)?;
        let mut kinds: Vec<MoveKind> = self.kinds.read(TABLE, "kinds", &id)?;
        // One order, whoever wrote them: rows that say the same are the same.
        provinces.sort_unstable_by_key(|p| p.code());
        kinds.sort_unstable_by_key(|k| k.code());
        Ok(StoredDiscount {
            id: DiscountId(id),
            code: self.code,
            terms,
            valid_from: self.valid_from,
            valid_until: self.valid_until,
            bookable_from: self.bookable_from,
            bookable_until: self.bookable_until,
            max_uses: self.max_uses,
            max_uses_per_customer: self.max_uses_per_customer,
            first_booking_only: self.first_booking_only,
            uses: self.uses.saturating_add(self.promised_uses),
            provinces,
            kinds,
            disabled: self.disabled,
            created_at: self.created_at.0,
            version: self.version,
        })
    }
}

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = discount_uses, treat_none_as_default_value = false)]
pub struct CodeUseRow {
    pub discount_id: Id,
    pub booking_id: Id,
    pub user_id: Id,
    pub taken_at: Instant,
    pub returned_at: Option<Instant>,
}

impl From<&CodeUse> for CodeUseRow {
    fn from(u: &CodeUse) -> Self {
        CodeUseRow {
            discount_id: Id(u.discount.0),
            booking_id: Id(u.booking.0),
            user_id: Id(u.user.0),
            taken_at: Instant(u.taken_at),
            returned_at: u.returned_at.map(Instant),
        }
    }
}

impl From<CodeUseRow> for CodeUse {
    fn from(row: CodeUseRow) -> Self {
        CodeUse {
            discount: DiscountId(row.discount_id.0),
            booking: BookingId(row.booking_id.0),
            user: UserId(row.user_id.0),
            taken_at: row.taken_at.0,
            returned_at: row.returned_at.map(|at| at.0),
        }
    }
}
