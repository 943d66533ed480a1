//! The words bookings are found by, written with the booking.

use diesel::prelude::*;
use kernel::BookingId;
use service::ports::{StoreResult, bookings::Booking, words};

use super::{super::Conn, facts};
use crate::{
    columns::Id,
    error::fault,
    rows::bookings::BookingRow,
    schema::{booking_facts, booking_words, bookings},
    statement::{NewWords, Wordless, update},
};

const TABLE: &str = "booking_words";
/// Bookings that get their words in one transaction.
const BATCH: i64 = 500;

/// The words of a new booking.
pub fn begin(conn: &mut Conn, b: &Booking) -> StoreResult<()> {
    add(conn, b.id, words::of_booking(b).iter())
}

fn add<'w>(conn: &mut Conn, booking: BookingId, words: impl Iterator<Item = &'w String>) -> StoreResult<()> {
    let words: Vec<&str> = words.map(String::as_str).collect();
    if words.is_empty() {
        return Ok(());
    }
    NewWords { booking: &Id(booking.0), words: &words }.execute(conn).map(drop).map_err(fault(TABLE))
}

/// A booking changed: only other words are written.
pub fn follow(conn: &mut Conn, old: &Booking, new: &Booking) -> StoreResult<()> {
    let (before, after) = (words::of_booking(old), words::of_booking(new));
    if before == after {
        return Ok(());
    }
    let id = Id(new.id.0);
    let gone: Vec<&String> = before.difference(&after).collect();
    diesel::delete(
        booking_words::table.filter(booking_words::booking_id.eq(id)).filter(booking_words::word.eq_any(gone)),
    )
    .execute(conn)
    .map_err(fault(TABLE))?;
    add(conn, new.id, after.difference(&before))
}

/// Bookings of a version that wrote no words get them, some in each transaction: nothing is lost when it is
/// interrupted. Called when the schema was brought forward.
///
/// # Errors
/// When the database fails, or a booking cannot be read.
pub fn refill(conn: &mut Conn) -> StoreResult<()> {
    loop {
        let done: Result<bool, Refilled> = conn.transaction(|conn| Ok(refill_some(conn)?));
        match done {
            Ok(true) => {}
            Ok(false) => return Ok(()),
            Err(Refilled(e)) => return Err(e),
        }
    }
}

/// A transaction of diesel wants to turn its own errors into ours.
struct Refilled(service::ports::StoreError);

impl From<service::ports::StoreError> for Refilled {
    fn from(e: service::ports::StoreError) -> Self {
        Refilled(e)
    }
}

impl From<diesel::result::Error> for Refilled {
    fn from(e: diesel::result::Error) -> Self {
        Refilled(fault(TABLE)(e))
    }
}

fn refill_some(conn: &mut Conn) -> StoreResult<bool> {
    let rows: Vec<BookingRow> = booking_facts::table
        .inner_join(bookings::table)
        .filter(Wordless)
        .limit(BATCH)
        .select(BookingRow::as_select())
        .load(conn)
        .map_err(fault(TABLE))?;
    for row in rows {
        let id = row.id;
        let booking = match row.read() {
            Ok(booking) => booking,
            // It cannot be shown either; a single damaged row keeps nobody from the others.
            Err(damaged) => {
                tracing::error!(booking = %id.0, error = %damaged, "a booking cannot be read, so it is found by no word");
                let known = booking_facts::words_version.eq(words::VERSION);
                update(booking_facts::table, booking_facts::booking_id.eq(id), known)
                    .execute(conn)
                    .map_err(fault("booking_facts"))?;
                continue;
            }
        };
        clear(conn, booking.id)?;
        begin(conn, &booking)?;
        facts::follow(conn, &booking)?;
    }
    let left: i64 = booking_facts::table.filter(Wordless).count().get_result(conn).map_err(fault("booking_facts"))?;
    Ok(left > 0)
}

fn clear(conn: &mut Conn, id: BookingId) -> StoreResult<()> {
    let of_it = booking_words::table.filter(booking_words::booking_id.eq(Id(id.0)));
    diesel::delete(of_it).execute(conn).map(drop).map_err(fault(TABLE))
}
