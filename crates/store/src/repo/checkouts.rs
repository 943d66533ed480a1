//! Checkouts: bookings being paid in full before they exist.

use diesel::prelude::*;
use kernel::{BookingId, UserId};
use service::ports::{
    StoreResult,
    bookings::{Checkout, checkout_state},
};

use super::super::Conn;
use crate::{
    columns::Id,
    error::fault,
    rows::history::CheckoutRow,
    schema::checkouts,
    statement::{Charging, update},
};

const TABLE: &str = "checkouts";

pub fn insert(conn: &mut Conn, checkout: &Checkout) -> StoreResult<()> {
    diesel::insert_into(checkouts::table).values(CheckoutRow::of(checkout)?).execute(conn).map_err(fault(TABLE))?;
    Ok(())
}

pub fn get(conn: &mut Conn, id: BookingId) -> StoreResult<Option<Checkout>> {
    let row: Option<CheckoutRow> = checkouts::table
        .find(Id(id.0))
        .select(CheckoutRow::as_select())
        .first(conn)
        .optional()
        .map_err(fault(TABLE))?;
    row.map(CheckoutRow::read).transpose()
}

/// The one that is charging or booked; what was declined or given up has freed its key. Where a key lapsed and was given
/// again, the newest.
pub fn by_key(conn: &mut Conn, scope: &str, key: &str) -> StoreResult<Option<Checkout>> {
    let row: Option<CheckoutRow> = checkouts::table
        .filter(checkouts::idempotency_scope.eq(scope))
        .filter(checkouts::idempotency_key.eq(key))
        .filter(checkouts::state.eq_any([checkout_state::CHARGING, checkout_state::BOOKED]))
        .order((checkouts::created_at.desc(), checkouts::booking_id.desc()))
        .select(CheckoutRow::as_select())
        .first(conn)
        .optional()
        .map_err(fault(TABLE))?;
    row.map(CheckoutRow::read).transpose()
}

pub fn by_order(conn: &mut Conn, order_id: &str) -> StoreResult<Option<Checkout>> {
    let row: Option<CheckoutRow> = checkouts::table
        .filter(checkouts::order_id.eq(order_id))
        .select(CheckoutRow::as_select())
        .first(conn)
        .optional()
        .map_err(fault(TABLE))?;
    row.map(CheckoutRow::read).transpose()
}

pub fn of_subject(conn: &mut Conn, booking: BookingId) -> StoreResult<Option<Checkout>> {
    let row: Option<CheckoutRow> = checkouts::table
        .filter(checkouts::subject.eq(Id(booking.0)))
        .filter(Charging)
        .select(CheckoutRow::as_select())
        .first(conn)
        .optional()
        .map_err(fault(TABLE))?;
    row.map(CheckoutRow::read).transpose()
}

/// How many of a person's are at the gateway.
pub fn charging_of(conn: &mut Conn, user: UserId) -> StoreResult<i64> {
    checkouts::table
        .filter(checkouts::user_id.eq(Id(user.0)))
        .filter(Charging)
        .count()
        .get_result(conn)
        .map_err(fault(TABLE))
}

pub fn in_state(conn: &mut Conn, state: &str) -> StoreResult<Vec<Checkout>> {
    let rows: Vec<CheckoutRow> = checkouts::table
        .filter(checkouts::state.eq(state))
        .order((checkouts::created_at, checkouts::booking_id))
        .select(CheckoutRow::as_select())
        .load(conn)
        .map_err(fault(TABLE))?;
    rows.into_iter().map(CheckoutRow::read).collect()
}

pub fn set_state(conn: &mut Conn, id: BookingId, from: &str, to: &str) -> StoreResult<bool> {
    let known = checkouts::booking_id.eq(Id(id.0)).and(checkouts::state.eq(from));
    let moved = update(checkouts::table, known, checkouts::state.eq(to)).execute(conn).map_err(fault(TABLE))?;
    Ok(moved == 1)
}
