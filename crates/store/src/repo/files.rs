//! Reads all records about the money of several bookings at once: a few queries, however many bookings.

use std::collections::{HashMap, HashSet};

use diesel::{dsl::count_star, prelude::*};
use kernel::{BookingId, PaymentId};
use service::ports::{StoreResult, books::BookingFile};

use super::{super::Conn, astray, copies, disputes::DisputeRow, lists};
use crate::{
    columns::Id,
    error::fault,
    rows::{
        history::StatusRow,
        ledger::{EntryRow, LineRow},
        payments::{AttemptRow, PaymentRow},
        tips::TipRow,
    },
    schema::{
        booking_crews, booking_status_changes, checkouts, disputes, holds, ledger_entries, ledger_lines,
        payment_attempts, payment_presses, payments, tips,
    },
    statement::{Charging, Converted, among},
};

/// Rows by the booking they belong to, each list in the order of the query.
fn by_booking<R>(rows: Vec<R>, of: impl Fn(&R) -> Id) -> HashMap<Id, Vec<R>> {
    let mut all: HashMap<Id, Vec<R>> = HashMap::new();
    for row in rows {
        all.entry(of(&row)).or_default().push(row);
    }
    all
}

pub fn of(conn: &mut Conn, ids: &[BookingId]) -> StoreResult<Vec<BookingFile>> {
    let keys: Vec<Id> = ids.iter().map(|id| Id(id.0)).collect();
    let bookings = lists::of_ids(conn, ids)?;
    let rows: Vec<PaymentRow> = payments::table
        .filter(among!(payments::booking_id, &keys[..]))
        .order((payments::created_at, payments::seq))
        .select(PaymentRow::as_select())
        .load(conn)
        .map_err(fault("payments"))?;
    let attempts: Vec<(Id, AttemptRow)> = payment_attempts::table
        .inner_join(payments::table)
        .filter(among!(payments::booking_id, &keys[..]))
        .order((payments::created_at, payments::seq, payment_attempts::number, payment_attempts::created_at))
        .select((payments::booking_id, AttemptRow::as_select()))
        .load(conn)
        .map_err(fault("payment_attempts"))?;
    let history: Vec<StatusRow> = booking_status_changes::table
        .filter(among!(booking_status_changes::booking_id, &keys[..]))
        .order(booking_status_changes::seq)
        .select(StatusRow::as_select())
        .load(conn)
        .map_err(fault("booking_status_changes"))?;
    let entries: Vec<EntryRow> = ledger_entries::table
        .filter(among!(ledger_entries::booking_id, &keys[..]))
        .order((ledger_entries::at, ledger_entries::seq))
        .select(EntryRow::as_select())
        .load(conn)
        .map_err(fault("ledger_entries"))?;
    let lines: Vec<LineRow> = ledger_lines::table
        .inner_join(ledger_entries::table)
        .filter(among!(ledger_entries::booking_id, &keys[..]))
        .order((ledger_lines::entry_id, ledger_lines::position))
        .select(LineRow::as_select())
        .load(conn)
        .map_err(fault("ledger_lines"))?;
    let tips: Vec<TipRow> = tips::table
        .filter(among!(tips::booking_id, &keys[..]))
        .select(TipRow::as_select())
        .load(conn)
        .map_err(fault("tips"))?;
    let disputed: Vec<DisputeRow> = disputes::table
        .filter(among!(disputes::booking_id, &keys[..]))
        .order((disputes::opened_at, disputes::seq))
        .select(DisputeRow::as_select())
        .load(conn)
        .map_err(fault("disputes"))?;
    let pressed: Vec<(Id, Id, i32)> = payment_presses::table
        .inner_join(payments::table)
        .filter(among!(payments::booking_id, &keys[..]))
        .order((payments::created_at, payments::seq, payment_presses::number))
        .select((payments::booking_id, payment_presses::payment_id, payment_presses::number))
        .load(conn)
        .map_err(fault("payment_presses"))?;
    let held: Vec<Option<Id>> = holds::table
        .filter(among!(holds::booking_id, &keys[..]))
        .filter(Converted)
        .select(holds::booking_id)
        .load(conn)
        .map_err(fault("holds"))?;
    let charging: Vec<Id> = checkouts::table
        .filter(among!(checkouts::subject, &keys[..]))
        .filter(Charging)
        .select(checkouts::subject)
        .load(conn)
        .map_err(fault("checkouts"))?;
    let crews: Vec<(Id, i64)> = booking_crews::table
        .filter(among!(booking_crews::booking_id, &keys[..]))
        .group_by(booking_crews::booking_id)
        .select((booking_crews::booking_id, count_star()))
        .load(conn)
        .map_err(fault("booking_crews"))?;
    let mut copied: HashMap<Id, _> = copies::of(conn, &keys)?.into_iter().collect();
    let codes: HashMap<Id, String> = bookings.iter().map(|b| (Id(b.id.0), b.short_id.as_str().to_owned())).collect();
    let astray::Sorted { rows, attempts, lies_with, strangers, lost } =
        astray::sorted(conn, codes, rows, attempts, &entries)?;
    let mut lies_with = by_booking(lies_with, |r| r.0);
    let mut strangers = by_booking(strangers, |r| r.0);
    let mut lost = by_booking(lost, |r| r.0);
    let mut rows = by_booking(rows, |r| r.0);
    let mut attempts = by_booking(attempts, |r| r.0);
    let mut history = by_booking(history, |r| r.booking_id);
    let mut entries = by_booking(entries, |r| r.booking_id);
    let mut lines = by_booking(lines, |r| r.entry_id);
    let mut tips: HashMap<Id, TipRow> = tips.into_iter().map(|t| (t.booking_id, t)).collect();
    let mut disputed = by_booking(disputed, |r| r.booking_id);
    let mut pressed = by_booking(pressed, |r| r.0);
    let held: HashSet<Id> = held.into_iter().flatten().collect();
    let charging: HashSet<Id> = charging.into_iter().collect();
    let crews: HashMap<Id, i64> = crews.into_iter().collect();
    bookings
        .into_iter()
        .map(|booking| {
            let id = Id(booking.id.0);
            let own = entries.remove(&id).unwrap_or_default().into_iter();
            Ok(BookingFile {
                copy: copied.remove(&id),
                history: read(history.remove(&id), StatusRow::read)?,
                rows: read(rows.remove(&id), |(_, row)| row.read())?,
                lies_with: read(lies_with.remove(&id), |(_, payment, code)| Ok((PaymentId(payment.0), code)))?,
                lost: read(lost.remove(&id), |(_, payment)| Ok(PaymentId(payment.0)))?,
                misordered: Vec::new(),
                strangers: read(strangers.remove(&id), |(_, owner)| Ok(BookingId(owner.0)))?,
                attempts: read(attempts.remove(&id), |(_, row)| row.read())?,
                entries: own
                    .map(|e| {
                        let lines = lines.remove(&e.id).unwrap_or_default();
                        e.read(lines)
                    })
                    .collect::<StoreResult<_>>()?,
                tip: tips.remove(&id).map(TipRow::read).transpose()?,
                disputes: read(disputed.remove(&id), DisputeRow::read)?,
                pressed: read(pressed.remove(&id), |(_, payment, number)| Ok((PaymentId(payment.0), number)))?,
                has_capacity: held.contains(&id),
                checkout_open: charging.contains(&id),
                crew: crews.get(&id).and_then(|n| usize::try_from(*n).ok()).unwrap_or_default(),
                booking,
            })
        })
        .collect()
}

fn read<R, T>(rows: Option<Vec<R>>, one: impl Fn(R) -> StoreResult<T>) -> StoreResult<Vec<T>> {
    rows.unwrap_or_default().into_iter().map(one).collect()
}
