//! The owner of an invoice: one booking, or a partner for many bookings.

use chrono::{DateTime, NaiveTime, Utc};
use kernel::{BookingId, PartnerId, Province, Zone};

use crate::{
    Error, ServiceResult,
    ports::{
        Unit,
        bookings::{Booking, PaidBy},
        directory::PartnerRecord,
        invoices::Invoice,
    },
};

/// Who owns an invoice, with what its number, dates and search words take from the owner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvoiceOwner {
    /// The booking it is for, if it is for one.
    pub booking_id: Option<BookingId>,
    /// The partner who gets it, if a partner does.
    pub partner_id: Option<PartnerId>,
    /// The zone of its days.
    pub zone: Zone,
    /// Whose sequence of numbers, where hubs have their own; none for bookings of several.
    pub hub: Option<String>,
    /// Days until it is to be paid.
    pub net_days: u32,
    /// Other names by which it is found.
    pub names: Vec<String>,
}

/// Where the company's days begin and end; a booking's own papers follow its own zone.
pub fn home() -> Zone {
    Province::QC.zone()
}

/// When the company's day began.
pub(super) fn today(now: DateTime<Utc>) -> DateTime<Utc> {
    home().instant(home().local(now).date, NaiveTime::MIN).unwrap_or(now)
}

/// A partner has the days of its terms.
fn terms(partner: &PartnerRecord) -> u32 {
    u32::try_from(partner.net_days).unwrap_or(0)
}

impl InvoiceOwner {
    /// A booking's.
    ///
    /// # Errors
    /// When the database fails.
    pub fn booking(u: &mut dyn Unit, b: &Booking) -> ServiceResult<InvoiceOwner> {
        let partner = match b.partner_id {
            Some(id) => u.directory().partner(id)?,
            None => None,
        };
        Ok(InvoiceOwner {
            booking_id: Some(b.id),
            partner_id: None,
            zone: b.zone,
            hub: Some(b.hub.clone()),
            net_days: partner.as_ref().map_or(0, terms),
            names: vec![b.details.customer_name.clone(), b.details.customer_email.clone()],
        })
    }

    /// A partner's, for these bookings.
    pub fn partner(partner: &PartnerRecord, members: &[Booking]) -> InvoiceOwner {
        let hub = members.first().map(|b| b.hub.clone());
        InvoiceOwner {
            booking_id: None,
            partner_id: Some(partner.id),
            zone: home(),
            hub: hub.filter(|hub| members.iter().all(|b| b.hub == *hub)),
            net_days: terms(partner),
            names: members.iter().map(|b| b.short_id.as_str().to_owned()).collect(),
        }
    }

    /// That of a partner's invoice, for these of its bookings.
    ///
    /// # Errors
    /// When the database fails, or the invoice has no partner.
    pub fn batch(u: &mut dyn Unit, invoice: &Invoice, members: &[Booking]) -> ServiceResult<InvoiceOwner> {
        Ok(InvoiceOwner::partner(&partner_of(u, invoice)?, members))
    }
}

/// The partner that pays for a booking by invoice: its paper goes to that partner, and not to whose move it was.
///
/// # Errors
/// When the database fails.
pub fn billed(u: &mut dyn Unit, b: &Booking) -> ServiceResult<Option<PartnerRecord>> {
    match b.partner_id.filter(|_| b.details.paid_by == PaidBy::Invoice) {
        Some(id) => Ok(u.directory().partner(id)?),
        None => Ok(None),
    }
}

/// The partner of an invoice.
///
/// # Errors
/// When the database fails, or the invoice has none.
pub fn partner_of(u: &mut dyn Unit, invoice: &Invoice) -> ServiceResult<PartnerRecord> {
    let found = match invoice.partner_id {
        Some(id) => u.directory().partner(id)?,
        None => None,
    };
    found.ok_or_else(|| Error::Internal(format!("invoice {} has no partner", invoice.id)))
}
