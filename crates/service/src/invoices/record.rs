//! The record of an invoice as its page shows it, and its file.

use chrono::{DateTime, Utc};
use kernel::{Money, Zone};
use status_machine::{booking::Status, invoice::State};

use super::whose::home;
use crate::{
    Error, FieldProblem, ServiceResult, mailing,
    ports::{
        bookings::Booking,
        directory::PartnerRecord,
        invoices::{Edits, Invoice, Paper, PaperBooking},
    },
};

/// The longest name of a buyer, characters.
pub const LONGEST_NAME: usize = 200;
/// The longest address, note or description.
pub const LONGEST_TEXT: usize = 1_000;
/// The longest number of an order.
pub const LONGEST_REFERENCE: usize = 100;

/// An invoice with everything its page shows.
#[derive(Debug, Clone)]
pub struct File {
    /// The one that counts now: live, or the last that was.
    pub invoice: Invoice,
    /// The frozen paper; of a draft what it would be now.
    pub paper: Paper,
    /// What is left to pay.
    pub due: Money,
    /// All papers of the booking that have a number, oldest first.
    pub all: Vec<Invoice>,
    /// Its booking; none where it is a partner's.
    pub booking: Option<Booking>,
    /// The partner, where it is one for many bookings.
    pub partner: Option<PartnerRecord>,
    /// The partner that the paper of a single booking goes to.
    pub billed: Option<PartnerRecord>,
    /// The bookings on a partner's paper, in the order of their moves.
    pub bookings: Vec<Member>,
    /// A message with it was queued.
    pub queued: bool,
    /// When the day of whoever reads began.
    pub today: DateTime<Utc>,
}

/// A booking on a partner's paper.
#[derive(Debug, Clone)]
pub struct Member {
    /// What stands on the paper.
    pub part: PaperBooking,
    /// What is left to pay for it.
    pub due: Money,
    /// Where it stands.
    pub status: Status,
}

impl File {
    /// Where one of its papers stands.
    pub fn state_of(&self, invoice: &Invoice) -> State {
        invoice.state_on(self.today)
    }

    /// What people call the booking, or the partner.
    pub fn about(&self) -> String {
        match (&self.booking, &self.partner) {
            (Some(b), _) => b.short_id.as_str().to_owned(),
            (None, Some(partner)) => partner.short_id(),
            (None, None) => String::new(),
        }
    }

    /// Zone of its days.
    pub fn zone(&self) -> Zone {
        self.booking.as_ref().map_or_else(home, |b| b.zone)
    }

    /// To whom it is sent; empty where nobody has an address.
    pub fn recipient(&self) -> String {
        match (&self.booking, self.partner.as_ref().or(self.billed.as_ref())) {
            (Some(b), None) => b.details.customer_email.clone(),
            (_, Some(partner)) => {
                mailing::batches::recipient(partner).map_or_else(String::new, |(email, _)| email.to_string())
            }
            (None, None) => String::new(),
        }
    }
}

/// A document to be downloaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pdf {
    /// `{bookingId}-invoice.pdf`.
    pub name: String,
    /// The file.
    pub bytes: Vec<u8>,
}

/// What staff write is no longer than it may be.
///
/// # Errors
/// The field that is.
pub(super) fn bounded(edits: &Edits) -> ServiceResult<()> {
    let long = |text: &str, most: usize| text.chars().count() > most;
    let field = match edits {
        e if long(&e.buyer, LONGEST_NAME) => Some("buyer"),
        e if long(&e.address, LONGEST_TEXT) => Some("address"),
        e if long(&e.reference, LONGEST_REFERENCE) => Some("reference"),
        e if long(&e.note, LONGEST_TEXT) => Some("note"),
        e if e.descriptions.values().any(|d| long(d, LONGEST_TEXT)) => Some("lines"),
        _ => None,
    };
    field.map_or(Ok(()), |field| Err(Error::field(field, FieldProblem::TooLong)))
}

/// A sheet as its file.
pub(super) async fn drawn(sheet: documents::Sheet, name: String) -> ServiceResult<Pdf> {
    let drawn = tokio::task::spawn_blocking(move || documents::pdf(&sheet)).await;
    let bytes = drawn
        .map_err(|e| Error::Internal(format!("the document was not drawn: {e}")))?
        .map_err(|e| Error::Internal(e.to_string()))?;
    Ok(Pdf { name, bytes })
}
