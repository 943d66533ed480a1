//! Discount codes.

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use kernel::{BookingId, DiscountId, UserId};
use service::ports::{
    StoreError, StoreResult,
    bookings::Page,
    discounts::{CodeUse, Discounts, StoredDiscount},
};

use super::{super::dialect, Repos};
use crate::{
    columns::{Id, Instant},
    error::fault,
    rows::discounts::{CodeUseRow, DiscountRow, code_key, search_key},
    schema::{discount_uses, discounts},
    statement::update,
};

const TABLE: &str = "discounts";
const USES: &str = "discount_uses";

/// A text that is looked for as it is: `%` and `_` stand for themselves.
fn containing(part: &str) -> String {
    let mut pattern = String::from("%");
    for c in search_key(part).chars() {
        if matches!(c, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern.push('%');
    pattern
}

impl Repos<'_> {
    /// A use that is counted. One that is taken again after it was returned is the same one.
    fn write_use(&mut self, taken: &CodeUse) -> StoreResult<()> {
        let row = CodeUseRow::from(taken);
        diesel::insert_into(discount_uses::table)
            .values(&row)
            .on_conflict((discount_uses::discount_id, discount_uses::booking_id))
            .do_update()
            .set((
                discount_uses::user_id.eq(row.user_id),
                discount_uses::taken_at.eq(row.taken_at),
                discount_uses::returned_at.eq(row.returned_at),
            ))
            .execute(self.conn)
            .map(drop)
            .map_err(fault(USES))
    }
}

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
            discounts::bookable_from.eq(row.bookable_from),
            discounts::bookable_until.eq(row.bookable_until),
            discounts::max_uses.eq(row.max_uses),
            discounts::max_uses_per_customer.eq(row.max_uses_per_customer),
            discounts::first_booking_only.eq(row.first_booking_only),
            discounts::provinces.eq(row.provinces),
            discounts::kinds.eq(row.kinds),
            discounts::disabled.eq(row.disabled),
            discounts::version.eq(version),
        );
        let known = discounts::id.eq(row.id).and(discounts::version.eq(discount.version));
        let written = update(discounts::table, known, changes).execute(self.conn).map_err(fault(TABLE))?;
        if written == 1 { Ok(version) } else { Err(StoreError::Stale) }
    }

    fn get(&mut self, id: DiscountId) -> StoreResult<Option<StoredDiscount>> {
        let row: Option<DiscountRow> = discounts::table
            .find(Id(id.0))
            .select(DiscountRow::as_select())
            .first(self.conn)
            .optional()
            .map_err(fault(TABLE))?;
        row.map(DiscountRow::read).transpose()
    }

    fn page(&mut self, part: &str, skip: i64, limit: i64) -> StoreResult<Page<StoredDiscount>> {
        let found = || discounts::table.filter(discounts::found_by.like(containing(part)).escape('\\'));
        let total = found().count().get_result(self.conn).map_err(fault(TABLE))?;
        let rows: Vec<DiscountRow> = found()
            .order((discounts::created_at.desc(), discounts::id.desc()))
            .offset(skip.max(0))
            .limit(limit.max(0))
            .select(DiscountRow::as_select())
            .load(self.conn)
            .map_err(fault(TABLE))?;
        Ok(Page { data: rows.into_iter().map(DiscountRow::read).collect::<StoreResult<_>>()?, total })
    }

    fn remove(&mut self, id: DiscountId) -> StoreResult<bool> {
        let gone = diesel::delete(discounts::table.find(Id(id.0))).execute(self.conn).map_err(fault(TABLE))?;
        Ok(gone == 1)
    }

    fn lock(&mut self, id: DiscountId) -> StoreResult<Option<StoredDiscount>> {
        let row = dialect::lock_discount(self.conn, Id(id.0)).map_err(fault(TABLE))?;
        row.map(DiscountRow::read).transpose()
    }

    fn take_use(&mut self, taken: &CodeUse) -> StoreResult<bool> {
        let counted = (discounts::uses + discounts::promised_uses).nullable();
        let room = discounts::max_uses.is_null().or(counted.lt(discounts::max_uses));
        // A condition that compares with NULL is NULL, which is not true; coalesced by `or`.
        let counted = diesel::update(discounts::table.filter(discounts::id.eq(Id(taken.discount.0))).filter(room))
            .set(discounts::uses.eq(discounts::uses + 1))
            .execute(self.conn)
            .map_err(fault(TABLE))?;
        if counted != 1 {
            return Ok(false);
        }
        self.write_use(taken)?;
        Ok(true)
    }

    fn take_promised_use(&mut self, taken: &CodeUse) -> StoreResult<bool> {
        let counted = diesel::update(discounts::table.filter(discounts::id.eq(Id(taken.discount.0))))
            .set(discounts::promised_uses.eq(discounts::promised_uses + 1))
            .execute(self.conn)
            .map_err(fault(TABLE))?;
        if counted != 1 {
            return Ok(false);
        }
        self.write_use(taken)?;
        Ok(true)
    }

    fn return_use(&mut self, id: DiscountId, booking: BookingId, at: DateTime<Utc>) -> StoreResult<()> {
        let taken = discount_uses::table.find((Id(id.0), Id(booking.0))).filter(discount_uses::returned_at.is_null());
        let returned = diesel::update(taken)
            .set(discount_uses::returned_at.eq(Some(Instant(at))))
            .execute(self.conn)
            .map_err(fault(USES))?;
        if returned != 1 {
            return Ok(());
        }
        let code = || discounts::table.filter(discounts::id.eq(Id(id.0)));
        // What is beyond the limit goes first, whoever took it: what is left is within the limit as far as it can be.
        let beyond = diesel::update(code().filter(discounts::promised_uses.gt(0)))
            .set(discounts::promised_uses.eq(discounts::promised_uses - 1))
            .execute(self.conn)
            .map_err(fault(TABLE))?;
        if beyond == 0 {
            diesel::update(code().filter(discounts::uses.gt(0)))
                .set(discounts::uses.eq(discounts::uses - 1))
                .execute(self.conn)
                .map_err(fault(TABLE))?;
        }
        Ok(())
    }

    fn uses_of_user(&mut self, id: DiscountId, user: UserId) -> StoreResult<i64> {
        discount_uses::table
            .filter(discount_uses::discount_id.eq(Id(id.0)))
            .filter(discount_uses::user_id.eq(Id(user.0)))
            .filter(discount_uses::returned_at.is_null())
            .count()
            .get_result(self.conn)
            .map_err(fault(USES))
    }

    fn uses(&mut self, id: DiscountId, skip: i64, limit: i64) -> StoreResult<Page<CodeUse>> {
        let of_code = || discount_uses::table.filter(discount_uses::discount_id.eq(Id(id.0)));
        let total = of_code().count().get_result(self.conn).map_err(fault(USES))?;
        let rows: Vec<CodeUseRow> = of_code()
            .order((discount_uses::taken_at.desc(), discount_uses::booking_id))
            .offset(skip.max(0))
            .limit(limit.max(0))
            .select(CodeUseRow::as_select())
            .load(self.conn)
            .map_err(fault(USES))?;
        Ok(Page { data: rows.into_iter().map(CodeUse::from).collect(), total })
    }

    fn hand_over(&mut self, from: UserId, to: UserId) -> StoreResult<()> {
        diesel::update(discount_uses::table.filter(discount_uses::user_id.eq(Id(from.0))))
            .set(discount_uses::user_id.eq(Id(to.0)))
            .execute(self.conn)
            .map(drop)
            .map_err(fault(USES))
    }
}
