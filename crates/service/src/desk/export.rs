//! A whole list at once, for a spreadsheet.

use kernel::{BookingId, PartnerId};
use serde_json::json;

use super::lists::{BookingListQuery, MOST_COUNTED};
use crate::{
    Error, ErrorCode, ServiceResult, Services, Staff,
    ports::{
        bookings::Booking,
        facts::PaymentState,
        lists::{Order, Start},
    },
};

/// Rows read in one go.
const STEP: i64 = 500;

/// A row of the file.
#[derive(Debug, Clone)]
pub struct Line {
    /// The booking.
    pub booking: Booking,
    /// Where its money stands.
    pub payment_state: PaymentState,
    /// Who comes, by name.
    pub crew: Vec<String>,
    /// Name of the partner; empty without one.
    pub partner: String,
}

/// Every row of a list. That somebody took it along is on record.
///
/// # Errors
/// `export_too_large` when it is longer than lists are counted.
pub async fn lines(s: &Services, staff: &Staff, query: BookingListQuery, order: Order) -> ServiceResult<Vec<Line>> {
    let (who, now) = (staff.clone(), s.clock.now());
    let lines = match query.listing(&who, now) {
        None => Vec::new(),
        Some(listing) => {
            s.store
                .read(move |u| {
                    if !u.bookings().counted(&listing, MOST_COUNTED)?.is_exact {
                        return Err(Error::Refused(ErrorCode::ExportTooLarge, vec![("n", MOST_COUNTED.to_string())]));
                    }
                    let (mut start, mut lines) = (Start::First(order), Vec::new());
                    loop {
                        let slice = u.bookings().listed(&listing, start, STEP)?;
                        for booking in slice.data {
                            let (id, partner): (BookingId, Option<PartnerId>) = (booking.id, booking.partner_id);
                            let partner = match partner {
                                Some(partner) => u.directory().partner(partner)?.map_or_else(String::new, |p| p.name),
                                None => String::new(),
                            };
                            let facts = u.bookings().facts(id)?;
                            lines.push(Line {
                                payment_state: facts.map_or(PaymentState::None, |f| f.payment_state),
                                crew: u.crews().of_booking(id)?.into_iter().map(|m| m.name).collect(),
                                partner,
                                booking,
                            });
                        }
                        match slice.next {
                            Some(next) => start = Start::After(next),
                            None => return Ok(lines),
                        }
                    }
                })
                .await?
        }
    };
    let many = lines.len();
    s.write(staff.actor(), move |tx| {
        let by = tx.actor.user.map_or_else(String::new, |u| u.to_string());
        tx.audit("booking.export", by, None, Some(json!({ "rows": many }))).map_err(Error::from)
    })
    .await?;
    Ok(lines)
}
