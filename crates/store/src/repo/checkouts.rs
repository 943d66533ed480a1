//! Checkouts: charges under way whose booking or edit is written afterwards.

use diesel::prelude::*;
use kernel::{BookingId, UserId};
use service::ports::{
    StoreResult,
    checkouts::{Checkout, CheckoutState, Checkouts},
};

use super::{super::Conn, Repos};
use crate::{
    columns::Id,
    error::fault,
    rows::history::CheckoutRow,
    schema::checkouts,
    statement::{Charging, update},
};

const TABLE: &str = "checkouts";

/// How many of a person's are at the gateway.
pub fn charging_of(conn: &mut Conn, user: UserId) -> StoreResult<i64> {
    checkouts::table
        .filter(checkouts::user_id.eq(Id(user.0)))
        .filter(Charging)
        .count()
        .get_result(conn)
        .map_err(fault(TABLE))
}

impl Checkouts for Repos<'_> {
    fn insert(&mut self, checkout: &Checkout) -> StoreResult<()> {
        diesel::insert_into(checkouts::table)
            .values(CheckoutRow::of(checkout)?)
            .execute(self.conn)
            .map_err(fault(TABLE))?;
        Ok(())
    }

    fn get(&mut self, id: BookingId) -> StoreResult<Option<Checkout>> {
        let row: Option<CheckoutRow> = checkouts::table
            .find(Id(id.0))
            .select(CheckoutRow::as_select())
            .first(self.conn)
            .optional()
            .map_err(fault(TABLE))?;
        row.map(CheckoutRow::read).transpose()
    }

    /// The one that is charging or booked; what was declined or given up has freed its key. Where a key lapsed and was given
    /// again, the newest.
    fn by_key(&mut self, scope: &str, key: &str) -> StoreResult<Option<Checkout>> {
        let row: Option<CheckoutRow> = checkouts::table
            .filter(checkouts::idempotency_scope.eq(scope))
            .filter(checkouts::idempotency_key.eq(key))
            .filter(checkouts::state.eq_any([CheckoutState::Charging.code(), CheckoutState::Booked.code()]))
            .order((checkouts::created_at.desc(), checkouts::booking_id.desc()))
            .select(CheckoutRow::as_select())
            .first(self.conn)
            .optional()
            .map_err(fault(TABLE))?;
        row.map(CheckoutRow::read).transpose()
    }

    fn by_order(&mut self, order_id: &str) -> StoreResult<Option<Checkout>> {
        let row: Option<CheckoutRow> = checkouts::table
            .filter(checkouts::order_id.eq(order_id))
            .select(CheckoutRow::as_select())
            .first(self.conn)
            .optional()
            .map_err(fault(TABLE))?;
        row.map(CheckoutRow::read).transpose()
    }

    fn of_subject(&mut self, booking: BookingId) -> StoreResult<Option<Checkout>> {
        let row: Option<CheckoutRow> = checkouts::table
            .filter(checkouts::subject.eq(Id(booking.0)))
            .filter(Charging)
            .select(CheckoutRow::as_select())
            .first(self.conn)
            .optional()
            .map_err(fault(TABLE))?;
        row.map(CheckoutRow::read).transpose()
    }

    fn in_state(&mut self, state: CheckoutState) -> StoreResult<Vec<Checkout>> {
        let rows: Vec<CheckoutRow> = checkouts::table
            .filter(checkouts::state.eq(state.code()))
            .order((checkouts::created_at, checkouts::booking_id))
            .select(CheckoutRow::as_select())
            .load(self.conn)
            .map_err(fault(TABLE))?;
        rows.into_iter().map(CheckoutRow::read).collect()
    }

    fn set_state(&mut self, id: BookingId, from: CheckoutState, to: CheckoutState) -> StoreResult<bool> {
        let known = checkouts::booking_id.eq(Id(id.0)).and(checkouts::state.eq(from.code()));
        let moved =
            update(checkouts::table, known, checkouts::state.eq(to.code())).execute(self.conn).map_err(fault(TABLE))?;
        Ok(moved == 1)
    }
}
