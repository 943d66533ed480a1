//! Charges that belong to no booking.

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use kernel::{BookingId, Money};
use service::ports::{
    StoreError, StoreResult,
    strays::{Stray, Strays},
};

use super::{super::Conn, Repos};
use crate::{
    columns::{Id, Instant},
    error::fault,
    schema::stray_charges,
};

const TABLE: &str = "stray_charges";

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = stray_charges, treat_none_as_default_value = false)]
struct StrayRow {
    order_id: String,
    checkout_id: Id,
    transaction_id: String,
    amount_cents: i64,
    found_at: Instant,
    returned_at: Option<Instant>,
    return_id: Option<String>,
}

impl From<StrayRow> for Stray {
    fn from(row: StrayRow) -> Stray {
        Stray {
            order_id: row.order_id,
            checkout_id: BookingId(row.checkout_id.0),
            transaction_id: row.transaction_id,
            amount: Money::from_cents(row.amount_cents),
            found_at: row.found_at.0,
            returned_at: row.returned_at.map(|at| at.0),
            return_id: row.return_id,
        }
    }
}

/// Those that count as gone back since `from` and were found before `until`, oldest first.
pub fn returned_between(conn: &mut Conn, from: DateTime<Utc>, until: DateTime<Utc>) -> StoreResult<Vec<Stray>> {
    let rows: Vec<StrayRow> = stray_charges::table
        .filter(stray_charges::returned_at.ge(Instant(from)))
        .filter(stray_charges::found_at.lt(Instant(until)))
        .order(stray_charges::seq)
        .select(StrayRow::as_select())
        .load(conn)
        .map_err(fault(TABLE))?;
    Ok(rows.into_iter().map(Stray::from).collect())
}

impl Strays for Repos<'_> {
    fn add(&mut self, stray: &Stray) -> StoreResult<bool> {
        let row = StrayRow {
            order_id: stray.order_id.clone(),
            checkout_id: Id(stray.checkout_id.0),
            transaction_id: stray.transaction_id.clone(),
            amount_cents: stray.amount.cents(),
            found_at: Instant(stray.found_at),
            returned_at: stray.returned_at.map(Instant),
            return_id: stray.return_id.clone(),
        };
        let added = diesel::insert_into(stray_charges::table)
            .values(row)
            .on_conflict(stray_charges::order_id)
            .do_nothing()
            .execute(self.conn)
            .map_err(fault(TABLE))?;
        Ok(added == 1)
    }

    fn get(&mut self, order_id: &str) -> StoreResult<Option<Stray>> {
        let row: Option<StrayRow> = stray_charges::table
            .filter(stray_charges::order_id.eq(order_id))
            .select(StrayRow::as_select())
            .first(self.conn)
            .optional()
            .map_err(fault(TABLE))?;
        Ok(row.map(Stray::from))
    }

    fn returned(&mut self, order_id: &str, return_id: &str, at: DateTime<Utc>) -> StoreResult<()> {
        let open = stray_charges::table
            .filter(stray_charges::order_id.eq(order_id))
            .filter(stray_charges::returned_at.is_null());
        let written = diesel::update(open)
            .set((stray_charges::returned_at.eq(Instant(at)), stray_charges::return_id.eq(return_id)))
            .execute(self.conn)
            .map_err(fault(TABLE))?;
        if written == 1 { Ok(()) } else { Err(StoreError::Stale) }
    }

    fn all(&mut self) -> StoreResult<Vec<Stray>> {
        let rows: Vec<StrayRow> = stray_charges::table
            .order(stray_charges::seq)
            .select(StrayRow::as_select())
            .load(self.conn)
            .map_err(fault(TABLE))?;
        Ok(rows.into_iter().map(Stray::from).collect())
    }
}
