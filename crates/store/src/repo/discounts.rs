//! Discount codes.

use diesel::prelude::*;
use kernel::DiscountId;
use service::ports::{
    StoreError, StoreResult,
    discounts::{Discounts, StoredDiscount},
};

use super::Repos;
use crate::{
    columns::Id,
    error::fault,
    rows::discounts::{DiscountRow, code_key},
    schema::discounts,
    statement::update,
};

const TABLE: &str = "discounts";

impl Discounts for Repos<'_> {
    fn by_code(&mut self, code: &str) -> StoreResult<Option<StoredDiscount>> {
        let row: Option<DiscountRow> = discounts::table
            .filter(discounts::code.eq(code_key(code)))
            .select(DiscountRow::as_select())
            .first(self.conn)
            .optional()
            .map_err(fault(TABLE))?;
        row.map(DiscountRow::read).transpose()
    }

    fn insert(&mut self, discount: &StoredDiscount) -> StoreResult<()> {
        let added = diesel::insert_into(discounts::table)
            .values(DiscountRow::of(discount)?)
            .on_conflict(discounts::code)
            .do_nothing()
            .execute(self.conn)
            .map_err(fault(TABLE))?;
        if added == 1 { Ok(()) } else { Err(StoreError::Duplicate("discounts.code".to_owned())) }
    }

    fn update(&mut self, discount: &StoredDiscount) -> StoreResult<i32> {
        let version = discount.version.saturating_add(1);
        let row = DiscountRow::of(discount)?;
        let changes = (
            discounts::terms_kind.eq(row.terms_kind),
            discounts::share_bp.eq(row.share_bp),
            discounts::amount_cents.eq(row.amount_cents),
            discounts::valid_from.eq(row.valid_from),
            discounts::valid_until.eq(row.valid_until),
            discounts::max_uses.eq(row.max_uses),
            discounts::provinces.eq(row.provinces),
            discounts::kinds.eq(row.kinds),
            discounts::disabled.eq(row.disabled),
            discounts::version.eq(version),
        );
        let known = discounts::id.eq(row.id).and(discounts::version.eq(discount.version));
        let written = update(discounts::table, known, changes).execute(self.conn).map_err(fault(TABLE))?;
        if written == 1 { Ok(version) } else { Err(StoreError::Stale) }
    }

    fn take_use(&mut self, id: DiscountId) -> StoreResult<bool> {
        let room = discounts::max_uses.is_null().or(discounts::uses.nullable().lt(discounts::max_uses));
        // A condition that compares with NULL is NULL, which is not true; coalesced by `or`.
        let taken = diesel::update(discounts::table.filter(discounts::id.eq(Id(id.0))).filter(room))
            .set(discounts::uses.eq(discounts::uses + 1))
            .execute(self.conn)
            .map_err(fault(TABLE))?;
        Ok(taken == 1)
    }

    fn return_use(&mut self, id: DiscountId) -> StoreResult<()> {
        diesel::update(discounts::table.filter(discounts::id.eq(Id(id.0))).filter(discounts::uses.gt(0)))
            .set(discounts::uses.eq(discounts::uses - 1))
            .execute(self.conn)
            .map_err(fault(TABLE))?;
        Ok(())
    }
}
