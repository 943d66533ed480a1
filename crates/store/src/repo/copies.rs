//! Copies of the booking fields that decide about its money, as the program last wrote them.

use diesel::prelude::*;
use service::ports::{StoreError, StoreResult, bookings::Booking, copies::BookingCopy};

use super::super::Conn;
use crate::{
    columns::{Doc, Id},
    error::fault,
    schema::booking_copies,
    statement::{among, update},
};

const TABLE: &str = "booking_copies";

fn doc(b: &Booking) -> StoreResult<Doc> {
    let copy = BookingCopy::of(b).map_err(|e| StoreError::Other(format!("a booking has no JSON form: {e}")))?;
    Doc::of(&copy)
}

/// The copy of a new booking.
pub fn begin(conn: &mut Conn, b: &Booking) -> StoreResult<()> {
    let row = (booking_copies::booking_id.eq(Id(b.id.0)), booking_copies::copy.eq(doc(b)?));
    diesel::insert_into(booking_copies::table).values(row).execute(conn).map(drop).map_err(fault(TABLE))
}

/// The booking was written.
pub fn follow(conn: &mut Conn, b: &Booking) -> StoreResult<()> {
    let changes = booking_copies::copy.eq(doc(b)?);
    let written = update(booking_copies::table, booking_copies::booking_id.eq(Id(b.id.0)), changes)
        .execute(conn)
        .map_err(fault(TABLE))?;
    // A booking from before copies were kept.
    if written == 0 { begin(conn, b) } else { Ok(()) }
}

/// The copies of these bookings.
pub fn of(conn: &mut Conn, ids: &[Id]) -> StoreResult<Vec<(Id, BookingCopy)>> {
    let rows: Vec<(Id, Doc)> = booking_copies::table
        .filter(among!(booking_copies::booking_id, ids))
        .select((booking_copies::booking_id, booking_copies::copy))
        .load(conn)
        .map_err(fault(TABLE))?;
    rows.into_iter().map(|(id, doc)| Ok((id, doc.read(TABLE, "copy", &id.0)?))).collect()
}
