//! Facts that lists of bookings filter by, written together with the rows they are worked out from; and earlier versions of
//! bookings.
//!
//! The row is locked before what it is worked out from is read: of two units that change two payments of one booking, the
//! second then sees what the first wrote.

use chrono::{DateTime, Utc};
use diesel::{dsl::max, prelude::*};
use kernel::BookingId;
use service::ports::{
    StoreResult,
    bookings::Booking,
    facts::{BookingFacts, PaymentState},
    payments::Payment,
};

use super::{
    super::{Conn, dialect},
    payments::of_booking,
};
use crate::{
    columns::{Doc, Id, Instant},
    error::{fault, unknown},
    rows::{
        bookings::BookingRow,
        facts::{CopiedRow, FactsRow, RecordRow},
        number,
    },
    schema::{booking_crews, booking_facts, booking_records, bookings},
    statement::{unless_there, update},
};

const TABLE: &str = "booking_facts";
const RECORDS: &str = "booking_records";

/// The facts of a new booking: nothing was paid, nobody is on it.
pub fn begin(conn: &mut Conn, b: &Booking) -> StoreResult<()> {
    let copied = CopiedRow::of(b, PaymentState::of(b.to_be_paid(), b.details.payment_problem, &[]))?;
    let row = FactsRow { booking_id: Id(b.id.0), created_at: Instant(b.created_at), crew_size: 0, copied };
    diesel::insert_into(booking_facts::table).values(row).execute(conn).map(drop).map_err(fault(TABLE))
}

/// The booking changed.
pub fn follow(conn: &mut Conn, b: &Booking) -> StoreResult<()> {
    dialect::lock_facts(conn, Id(b.id.0)).map_err(fault(TABLE))?;
    let rows = of_booking(conn, b.id)?;
    let changes = &CopiedRow::of(b, PaymentState::of(b.to_be_paid(), b.details.payment_problem, &rows))?;
    update(booking_facts::table, booking_facts::booking_id.eq(Id(b.id.0)), changes)
        .execute(conn)
        .map(drop)
        .map_err(fault(TABLE))
}

/// A payment of the booking changed.
pub fn follow_payment(conn: &mut Conn, id: BookingId) -> StoreResult<()> {
    let known = dialect::lock_facts(conn, Id(id.0)).map_err(fault(TABLE))?;
    let Some((problem, before)) = known else { return Ok(()) };
    let row: BookingRow =
        bookings::table.find(Id(id.0)).select(BookingRow::as_select()).first(conn).map_err(fault("bookings"))?;
    let state = PaymentState::of(row.read()?.to_be_paid(), problem, &of_booking(conn, id)?).code();
    if state == before {
        return Ok(());
    }
    let changes = booking_facts::payment_state.eq(state);
    update(booking_facts::table, booking_facts::booking_id.eq(Id(id.0)), changes)
        .execute(conn)
        .map(drop)
        .map_err(fault(TABLE))
}

/// Whether a new row can change where the money stands.
pub fn tells(new: &Payment) -> bool {
    new.was_taken() || new.is_given_back()
}

/// The crew of the booking changed.
pub fn follow_crew(conn: &mut Conn, id: BookingId) -> StoreResult<()> {
    dialect::lock_facts(conn, Id(id.0)).map_err(fault(TABLE))?;
    let many: i64 = booking_crews::table
        .filter(booking_crews::booking_id.eq(Id(id.0)))
        .count()
        .get_result(conn)
        .map_err(fault("booking_crews"))?;
    let changes = booking_facts::crew_size.eq(i32::try_from(many).unwrap_or(i32::MAX));
    update(booking_facts::table, booking_facts::booking_id.eq(Id(id.0)), changes)
        .execute(conn)
        .map(drop)
        .map_err(fault(TABLE))
}

/// The facts as they stand.
pub fn get(conn: &mut Conn, id: BookingId) -> StoreResult<Option<BookingFacts>> {
    let row: Option<(String, i32)> = booking_facts::table
        .find(Id(id.0))
        .select((booking_facts::payment_state, booking_facts::crew_size))
        .first(conn)
        .optional()
        .map_err(fault(TABLE))?;
    row.map(|(state, crew)| {
        let known = PaymentState::from_code(&state);
        Ok(BookingFacts {
            payment_state: known.ok_or_else(|| unknown(TABLE, "payment_state", &id, &state))?,
            crew_size: number(crew, TABLE, "crew_size", &id)?,
        })
    })
    .transpose()
}

/// The record that is about to be replaced, if it still has this version.
pub fn before(conn: &mut Conn, id: BookingId, version: i32) -> StoreResult<Option<Booking>> {
    let row: Option<BookingRow> = bookings::table
        .find(Id(id.0))
        .filter(bookings::version.eq(version))
        .select(BookingRow::as_select())
        .first(conn)
        .optional()
        .map_err(fault("bookings"))?;
    row.map(BookingRow::read).transpose()
}

/// Keeps a record that was replaced, and answers the version of what takes its place. No clock goes back by a change that names
/// no instant of its own.
pub fn keep(conn: &mut Conn, old: &Booking, at: DateTime<Utc>) -> StoreResult<i32> {
    let row = RecordRow {
        booking_id: Id(old.id.0),
        version: old.version,
        replaced_at: Instant(at.max(old.updated_at)),
        record: Doc::of(old)?,
    };
    let written = unless_there(booking_records::table, row).execute(conn).map_err(fault(RECORDS))?;
    if written == 1 {
        return Ok(old.version.saturating_add(1));
    }
    // Somebody put an older row back into the database, whose record was kept when it was replaced the first time. The row that
    // was lost by that had the version after the newest record, and pages may show it: what is written now gets another one.
    let newest: Option<i32> = booking_records::table
        .filter(booking_records::booking_id.eq(Id(old.id.0)))
        .select(max(booking_records::version))
        .first(conn)
        .map_err(fault(RECORDS))?;
    Ok(newest.unwrap_or(old.version).saturating_add(2))
}

/// A replaced record by its version.
pub fn record_of(conn: &mut Conn, id: BookingId, version: i32) -> StoreResult<Option<Booking>> {
    let found: Option<Doc> = booking_records::table
        .find((Id(id.0), version))
        .select(booking_records::record)
        .first(conn)
        .optional()
        .map_err(fault(RECORDS))?;
    found.map(|doc| doc.read(RECORDS, "record", &id)).transpose()
}
