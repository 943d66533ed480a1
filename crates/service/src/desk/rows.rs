//! A booking as staff read it in a list.

use chrono::{DateTime, Utc};
use kernel::{BookingId, PartnerId};

use crate::{
    ServiceResult, Services, Staff,
    bookings::{
        queries::{MoneyNow, money_of, visible},
        status::{Step, steps},
    },
    ports::{Unit, bookings::Booking, crews::CrewMate, facts::PaymentState},
};

/// A row.
#[derive(Debug, Clone)]
pub struct Row {
    /// The booking.
    pub booking: Booking,
    /// Where its money stands.
    pub payment_state: PaymentState,
    /// The same with its dates and its tip.
    pub money: MoneyNow,
    /// The partner whose booking it is, with their name.
    pub partner: Option<(PartnerId, String)>,
    /// Who comes, the longest on it first.
    pub crew: Vec<CrewMate>,
    /// The other statuses, as whoever looks may give them now.
    pub steps: Vec<Step>,
    /// The newest note for staff; may be empty.
    pub note: String,
}

/// What the row of a booking says.
///
/// # Errors
/// When the database fails.
pub(super) fn row(u: &mut dyn Unit, staff: &Staff, booking: Booking, now: DateTime<Utc>) -> ServiceResult<Row> {
    let id = booking.id;
    let facts = u.bookings().facts(id)?;
    let partner = match booking.partner_id {
        Some(partner) => Some((partner, u.directory().partner(partner)?.map_or_else(String::new, |p| p.name))),
        None => None,
    };
    let crew = u.crews().of_booking(id)?;
    let steps = steps(u, &booking, staff.caller().acts_as()?, now)?;
    let newest = u.notes().newest_for_staff(id)?;
    Ok(Row {
        // A booking has its facts from the moment it is made.
        payment_state: facts.map_or(PaymentState::None, |f| f.payment_state),
        money: money_of(u, &booking, now)?,
        note: newest.map_or_else(|| booking.details.notes.clone(), |n| n.text),
        partner,
        crew,
        steps,
        booking,
    })
}

/// Reads the row of one booking.
///
/// # Errors
/// `not_found`.
pub async fn read(s: &Services, staff: &Staff, id: BookingId) -> ServiceResult<Row> {
    let (staff, now) = (staff.clone(), s.clock.now());
    s.store
        .read(move |u| {
            let booking = visible(u, staff.caller(), id)?;
            row(u, &staff, booking, now)
        })
        .await
}
