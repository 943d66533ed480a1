//! What is told of an invoice.

use kernel::{
    Language, Province,
    chrono::{DateTime, NaiveDate, Utc},
};
use serde::Serialize;
use service::{
    invoices::{
        desk::{File, Member},
        paper::GST_HST,
    },
    ports::{
        directory::PartnerRecord,
        invoices::{Invoice, Paper, PaperLine, PaperPayment, PaperTax, Party},
    },
};
use status_machine::invoice::State;
use utoipa::ToSchema;

use crate::calls::values::{
    BookingStatusCode, Cash, InvoicePurposeCode, InvoiceStateCode, LanguageCode, PaidWithCode, ProvinceCode,
};

/// Somebody on paper.
#[derive(Debug, Serialize, ToSchema)]
pub struct InvoiceParty {
    name: String,
    lines: Vec<String>,
}

/// A registration number.
#[derive(Debug, Serialize, ToSchema)]
pub struct InvoiceRegistration {
    /// `gst`, `qst` or `neq`.
    name: String,
    number: String,
}

/// A line, before tax.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InvoiceLine {
    key: String,
    description: String,
    /// How the amount comes about.
    detail: String,
    quantity: String,
    unit: String,
    unit_price: String,
    amount: Cash,
}

/// A tax by itself.
#[derive(Debug, Serialize, ToSchema)]
pub struct InvoiceTax {
    /// `gst`, `qst`, `hst`.
    name: &'static str,
    /// Decimal: `0.09975`.
    rate: String,
    amount: Cash,
    /// Where the moves began, where it is a tax of one of several provinces.
    #[schema(value_type = Option<ProvinceCode>)]
    province: Option<&'static str>,
}

/// A booking on the paper of a partner.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InvoiceBooking {
    booking_id: String,
    short_id: String,
    #[schema(value_type = String, format = Date)]
    move_date: NaiveDate,
    pickup: String,
    dropoff: String,
    /// Whose move.
    customer: String,
    /// The partner's own number of it; empty: none.
    reference: String,
    #[schema(value_type = BookingStatusCode)]
    status: &'static str,
    /// Before tax.
    subtotal: Cash,
    taxes: Vec<InvoiceTax>,
    total: Cash,
    /// What is left to pay for it now.
    due: Cash,
}

/// The partner of a paper.
#[derive(Debug, Serialize, ToSchema)]
pub struct InvoicePartner {
    id: String,
    /// What people read: `P-0007`.
    #[serde(rename = "partnerID")]
    partner_id: String,
    name: String,
}

/// Money that came, or went back where it is below zero.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InvoicePayment {
    #[schema(value_type = String, format = Date)]
    on: NaiveDate,
    #[schema(value_type = PaidWithCode)]
    method: &'static str,
    card_last4: Option<String>,
    reference: Option<String>,
    amount: Cash,
}

/// First and last day.
#[derive(Debug, Serialize, ToSchema)]
pub struct InvoicePeriod {
    #[schema(value_type = String, format = Date)]
    from: NaiveDate,
    #[schema(value_type = String, format = Date)]
    to: NaiveDate,
}

/// What stands on it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InvoicePaper {
    #[schema(value_type = LanguageCode)]
    language: &'static str,
    seller: InvoiceParty,
    registrations: Vec<InvoiceRegistration>,
    buyer: InvoiceParty,
    reference: String,
    #[schema(value_type = String, format = Date)]
    move_date: NaiveDate,
    pickup: String,
    dropoff: String,
    /// First and last day of the moves on a partner's paper.
    period: Option<InvoicePeriod>,
    lines: Vec<InvoiceLine>,
    subtotal: Cash,
    taxes: Vec<InvoiceTax>,
    total: Cash,
    /// What was paid before it was issued.
    payments: Vec<InvoicePayment>,
    /// What was left to pay then.
    due: Cash,
    note: String,
}

/// What staff wrote into a draft.
#[derive(Debug, Serialize, ToSchema)]
pub struct InvoiceEdits {
    buyer: String,
    address: String,
    reference: String,
    note: String,
    /// Of a partner's paper: of its texts.
    #[schema(value_type = Option<LanguageCode>)]
    language: Option<&'static str>,
}

/// A paper of the booking that has a number.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InvoiceDocument {
    id: String,
    #[schema(value_type = InvoicePurposeCode)]
    purpose: &'static str,
    #[schema(value_type = InvoiceStateCode)]
    state: &'static str,
    number: String,
    total: Cash,
    issued_at: Option<DateTime<Utc>>,
    /// There is a receipt of it.
    has_receipt: bool,
    /// Why it was taken back, or what a credit note is for.
    reason: Option<String>,
}

/// An invoice.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InvoiceRecord {
    id: String,
    /// None where it is a partner's.
    booking_id: Option<String>,
    /// What people call the booking, or the partner.
    short_id: String,
    /// Whose, where it is one for many bookings.
    partner: Option<InvoicePartner>,
    /// The bookings on a partner's paper, in the order of their moves.
    bookings: Vec<InvoiceBooking>,
    #[schema(value_type = InvoicePurposeCode)]
    purpose: &'static str,
    #[schema(value_type = InvoiceStateCode)]
    state: &'static str,
    /// None for a draft.
    number: Option<String>,
    issued_at: Option<DateTime<Utc>>,
    due_at: Option<DateTime<Utc>>,
    sent_at: Option<DateTime<Utc>>,
    paid_at: Option<DateTime<Utc>>,
    voided_at: Option<DateTime<Utc>>,
    /// Why it was taken back.
    reason: Option<String>,
    /// What is left to pay now.
    due: Cash,
    currency: &'static str,
    version: i32,
    /// Zone of its days.
    zone: String,
    paper: InvoicePaper,
    edits: InvoiceEdits,
    /// All papers of the booking, or of the partner's invoice, that have a number, oldest first.
    documents: Vec<InvoiceDocument>,
}

impl From<&Party> for InvoiceParty {
    fn from(p: &Party) -> InvoiceParty {
        InvoiceParty { name: p.name.clone(), lines: p.lines.clone() }
    }
}

impl From<&PaperLine> for InvoiceLine {
    fn from(l: &PaperLine) -> InvoiceLine {
        InvoiceLine {
            key: l.key.clone(),
            description: l.description.clone(),
            detail: l.detail.clone(),
            quantity: l.quantity.to_string(),
            unit: l.unit.clone(),
            unit_price: l.unit_price.map(|p| p.to_string()).unwrap_or_default(),
            amount: l.amount.into(),
        }
    }
}

impl From<&PaperTax> for InvoiceTax {
    fn from(t: &PaperTax) -> InvoiceTax {
        InvoiceTax {
            name: t.tax.code(),
            rate: t.rate.decimal().normalize().to_string(),
            amount: t.amount.into(),
            province: t.province.map(Province::code),
        }
    }
}

impl From<&Member> for InvoiceBooking {
    fn from(m: &Member) -> InvoiceBooking {
        let p = &m.part;
        InvoiceBooking {
            booking_id: p.id.to_string(),
            short_id: p.short_id.clone(),
            move_date: p.move_date,
            pickup: p.pickup.clone(),
            dropoff: p.dropoff.clone(),
            customer: p.customer.clone(),
            reference: p.reference.clone(),
            status: m.status.code(),
            subtotal: p.subtotal.into(),
            taxes: p.taxes.iter().map(InvoiceTax::from).collect(),
            total: p.total.into(),
            due: m.due.into(),
        }
    }
}

impl From<&PartnerRecord> for InvoicePartner {
    fn from(p: &PartnerRecord) -> InvoicePartner {
        InvoicePartner { id: p.id.to_string(), partner_id: p.short_id(), name: p.name.clone() }
    }
}

impl From<&PaperPayment> for InvoicePayment {
    fn from(p: &PaperPayment) -> InvoicePayment {
        InvoicePayment {
            on: p.on,
            method: p.method.code(),
            card_last4: p.last4.clone(),
            reference: p.reference.clone(),
            amount: p.amount.into(),
        }
    }
}

impl From<&Paper> for InvoicePaper {
    fn from(p: &Paper) -> InvoicePaper {
        let number = |(name, number): &(String, String)| {
            // Beside the harmonized tax it is called otherwise; it is the same registration.
            let name = if name == GST_HST { "gst" } else { name };
            InvoiceRegistration { name: name.to_owned(), number: number.clone() }
        };
        InvoicePaper {
            language: p.language.code(),
            seller: InvoiceParty::from(&p.seller),
            registrations: p.registrations.iter().map(number).collect(),
            buyer: InvoiceParty::from(&p.buyer),
            reference: p.reference.clone(),
            move_date: p.move_date,
            pickup: p.pickup.clone(),
            dropoff: p.dropoff.clone(),
            period: p.period.map(|(from, to)| InvoicePeriod { from, to }),
            lines: p.lines.iter().map(InvoiceLine::from).collect(),
            subtotal: p.subtotal.into(),
            taxes: p.taxes.iter().map(InvoiceTax::from).collect(),
            total: p.total.into(),
            payments: p.payments.iter().map(InvoicePayment::from).collect(),
            due: p.due.into(),
            note: p.note.clone(),
        }
    }
}

impl InvoiceDocument {
    fn new(i: &Invoice, state: State) -> InvoiceDocument {
        InvoiceDocument {
            id: i.id.to_string(),
            purpose: i.purpose.code(),
            state: state.code(),
            number: i.number_text(),
            total: i.total.into(),
            issued_at: i.issued_at,
            has_receipt: i.receipt.is_some(),
            reason: i.reason.clone(),
        }
    }
}

impl From<&File> for InvoiceRecord {
    fn from(f: &File) -> InvoiceRecord {
        let (i, e) = (&f.invoice, &f.invoice.edits);
        InvoiceRecord {
            id: i.id.to_string(),
            booking_id: i.booking_id.map(|b| b.to_string()),
            short_id: f.about(),
            partner: f.partner.as_ref().map(InvoicePartner::from),
            bookings: f.bookings.iter().map(InvoiceBooking::from).collect(),
            purpose: i.purpose.code(),
            state: f.state_of(i).code(),
            number: i.number.as_ref().map(ToString::to_string),
            issued_at: i.issued_at,
            due_at: i.due_at,
            sent_at: i.sent_at,
            paid_at: i.paid_at,
            voided_at: i.voided_at,
            reason: i.reason.clone(),
            due: f.due.into(),
            currency: "CAD",
            version: i.version,
            zone: f.zone().to_string(),
            paper: InvoicePaper::from(&f.paper),
            edits: InvoiceEdits {
                buyer: e.buyer.clone(),
                address: e.address.clone(),
                reference: e.reference.clone(),
                note: e.note.clone(),
                language: e.language.map(Language::code),
            },
            documents: f.all.iter().map(|i| InvoiceDocument::new(i, f.state_of(i))).collect(),
        }
    }
}
