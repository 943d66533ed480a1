//! A booking compared with its own history, by our own records alone: no payment service is asked.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use kernel::BookingId;

use super::{
    audit::File,
    difference::{Difference, DifferenceKind},
    lost,
};
use crate::{
    Error, ServiceResult,
    ports::{StoreError, Unit, books::BookingFile, payments::Payment},
};

/// What differs between some bookings and their histories.
///
/// # Errors
/// When the database fails, or a record cannot be read.
pub(super) fn differences_of_all(
    u: &mut dyn Unit,
    ids: &[BookingId],
    now: DateTime<Utc>,
) -> ServiceResult<Vec<Difference>> {
    let files = lost::files(u, ids)?;
    let mut found: Vec<Difference> = files.iter().flat_map(|file| File::of(file).differences(now)).collect();
    // Whose rows lie with them is told with the booking that they are of.
    let others: BTreeSet<BookingId> = files.iter().flat_map(|file| file.strangers.iter().copied()).collect();
    let others: Vec<BookingId> = others.into_iter().filter(|id| !ids.contains(id)).collect();
    if !others.is_empty() {
        let files = lost::files(u, &others)?;
        let told = files.iter().flat_map(|file| File::of(file).differences(now));
        found.extend(told.filter(|d| matches!(d.what, DifferenceKind::RowReads { .. })));
    }
    Ok(found)
}

/// Everything that is on record about the money of a booking.
///
/// # Errors
/// When the database fails.
pub(super) fn file_of(u: &mut dyn Unit, id: BookingId) -> ServiceResult<Option<BookingFile>> {
    Ok(lost::files(u, &[id])?.pop())
}

/// What differs between one booking and its history: that it cannot be read, where somebody wrote into the database what the
/// program never does. The comparison of all others goes on.
///
/// # Errors
/// When the database fails.
pub fn differences_of(u: &mut dyn Unit, id: BookingId, now: DateTime<Utc>) -> ServiceResult<Vec<Difference>> {
    match differences_of_all(u, &[id], now) {
        Err(Error::Store(StoreError::BadRow { table, column, .. })) => {
            let what = DifferenceKind::Unreadable { table: table.to_owned(), column: column.to_owned() };
            let subject = u.books().code_of(id)?.unwrap_or_else(|| id.to_string());
            Ok(vec![Difference { subject, booking: Some(id), what }])
        }
        told => told,
    }
}

/// Why no money of a booking moves by itself: a row of it is gone or says something else than its witnesses.
///
/// # Errors
/// When the database fails.
pub(super) fn held_back(
    u: &mut dyn Unit,
    id: BookingId,
    rows: &[Payment],
    now: DateTime<Utc>,
) -> ServiceResult<Option<&'static str>> {
    if lost::any(u, id, rows)? {
        return Ok(Some("row_lost"));
    }
    let told = differences_of(u, id, now)?;
    Ok(told.iter().find(|d| d.what.holds_money_back()).map(|d| d.what.code()))
}
