//! Invoices: drafts that follow their booking, and what was frozen when they were issued.

use std::{collections::BTreeMap, fmt};

use chrono::{DateTime, NaiveDate, Utc};
use kernel::{BookingId, Exact, Language, Money, PartnerId, Ppm, Province, Zone};
use serde::{Deserialize, Serialize};
use status_machine::{At, invoice::State};

use super::{StoreResult, lists::Counted, logos::LogoId, paid_with::PaidWith, priced::Tax};

kernel::typed_ids! {
    /// An invoice or a credit note.
    InvoiceId,
}

/// What an invoice is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// A move that was done.
    Move,
    /// What a cancellation keeps.
    Cancellation,
    /// Moves of a partner, on one paper.
    Batch,
    /// It takes an invoice back, or a part of it.
    CreditNote,
}

impl Purpose {
    /// All of them.
    pub const ALL: [Purpose; 4] = [Purpose::Move, Purpose::Cancellation, Purpose::Batch, Purpose::CreditNote];

    /// Stable code.
    pub const fn code(self) -> &'static str {
        match self {
            Purpose::Move => "move",
            Purpose::Cancellation => "cancellation",
            Purpose::Batch => "batch",
            Purpose::CreditNote => "credit_note",
        }
    }

    /// Of its code.
    pub fn from_code(code: &str) -> Option<Purpose> {
        Purpose::ALL.into_iter().find(|p| p.code() == code)
    }
}

/// A number: the how many-th of its sequence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Number {
    /// Year, before it what tells sequences of one year apart: `2027`, `CN-2027`.
    pub series: String,
    /// From 1, without gaps.
    pub place: u32,
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{:06}", self.series, self.place)
    }
}

/// What staff write into a draft. Amounts are the booking's: they change there.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Edits {
    /// To whom, where it is not the booking's customer.
    pub buyer: String,
    /// Lines below the name.
    pub address: String,
    /// The buyer's own number of the order.
    pub reference: String,
    /// A paragraph below the sum.
    pub note: String,
    /// Other descriptions of lines, by [`PaperLine::key`]; of a booking on a partner's paper the partner's own reference.
    pub descriptions: BTreeMap<String, String>,
    /// Of a partner's paper: of its texts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<Language>,
    /// Of a partner's paper: the first and last day of the moves it was drafted for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub period: Option<(NaiveDate, NaiveDate)>,
}

/// Somebody on paper.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Party {
    /// Name.
    pub name: String,
    /// Address and ways to reach them.
    pub lines: Vec<String>,
}

/// A line, before tax.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PaperLine {
    /// Tells it apart from the others of its paper.
    pub key: String,
    /// What.
    pub description: String,
    /// How the amount comes about; empty: nothing is said.
    #[serde(default)]
    pub detail: String,
    /// How many units.
    pub quantity: Exact,
    /// `hour`, `km`, `flat`, …
    pub unit: String,
    /// Dollars a unit; written as an empty text where there is none.
    #[serde(with = "empty_or_money")]
    pub unit_price: Option<Money>,
    /// How much.
    pub amount: Money,
}

/// Money as frozen papers keep it: none is an empty text.
mod empty_or_money {
    use kernel::Money;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

    pub fn serialize<S: Serializer>(money: &Option<Money>, s: S) -> Result<S::Ok, S::Error> {
        match money {
            Some(money) => money.serialize(s),
            None => s.serialize_str(""),
        }
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Option<Money>, D::Error> {
        let text = String::deserialize(d)?;
        if text.is_empty() { Ok(None) } else { text.parse().map(Some).map_err(D::Error::custom) }
    }
}

/// A tax by itself: they are never added up on paper.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PaperTax {
    /// Which.
    pub tax: Tax,
    /// Its rate.
    pub rate: Ppm,
    /// How much.
    pub amount: Money,
    /// Where the moves began, on a paper with several provinces. Not written while it is none: frozen papers stay as they
    /// are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub province: Option<Province>,
}

/// A booking on the paper of a partner, with its part of the sums.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PaperBooking {
    /// Which.
    pub id: BookingId,
    /// What people call it.
    pub short_id: String,
    /// Local day of the move.
    pub move_date: NaiveDate,
    /// From where.
    pub pickup: String,
    /// To where.
    pub dropoff: String,
    /// Whose move.
    pub customer: String,
    /// The partner's own number of it; empty: none.
    #[serde(default)]
    pub reference: String,
    /// Before tax.
    pub subtotal: Money,
    /// Each by itself.
    pub taxes: Vec<PaperTax>,
    /// Subtotal and taxes.
    pub total: Money,
}

/// Money that came, or went back where it is below zero.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PaperPayment {
    /// Local day.
    pub on: NaiveDate,
    /// How.
    pub method: PaidWith,
    /// Of the card.
    #[serde(default)]
    pub last4: Option<String>,
    /// Number of the transfer or cheque.
    #[serde(default)]
    pub reference: Option<String>,
    /// How much.
    pub amount: Money,
    /// It is to be handed back, and nobody said yet that it was.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub waits: bool,
}

/// How what is due is paid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum PaperPay {
    /// By card with a link that is mailed, or by hand.
    ByLink,
    /// By hand: a transfer, a cheque, cash.
    ByHand,
    /// The stored card is charged by itself.
    ByStoredCard,
}

/// Everything that stands on an invoice. Once it was issued it never changes, whatever becomes of rates, names or settings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Paper {
    /// Of its texts.
    pub language: Language,
    /// Of its days.
    pub zone: Zone,
    /// Who sells.
    pub seller: Party,
    /// The seller's mark at that time.
    #[serde(default)]
    pub logo: Option<LogoId>,
    /// Registration numbers, by the code of their tax; `neq` is the enterprise's.
    pub registrations: Vec<(String, String)>,
    /// Who pays.
    pub buyer: Party,
    /// The buyer's own number of the order.
    #[serde(default)]
    pub reference: String,
    /// What people call the booking.
    pub short_id: String,
    /// Local day of the move.
    pub move_date: NaiveDate,
    /// From where.
    pub pickup: String,
    /// To where.
    pub dropoff: String,
    /// They add up to the subtotal.
    pub lines: Vec<PaperLine>,
    /// Before tax.
    pub subtotal: Money,
    /// Each by itself.
    pub taxes: Vec<PaperTax>,
    /// Subtotal and taxes.
    pub total: Money,
    /// What was paid before it was issued.
    pub payments: Vec<PaperPayment>,
    /// What is left to pay.
    pub due: Money,
    /// How that is paid; none where nothing is due, and on papers that were issued before it was said. Not written while
    /// it is none: frozen papers stay as they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pay: Option<PaperPay>,
    /// A paragraph below the sum.
    #[serde(default)]
    pub note: String,
    /// Number of the invoice that a credit note takes back.
    #[serde(default)]
    pub credited_number: Option<String>,
    /// A partner, who has time to pay.
    #[serde(default)]
    pub partner: bool,
    /// First and last day of the moves on a partner's paper. This and the next are not written while there are none:
    /// frozen papers stay as they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub period: Option<(NaiveDate, NaiveDate)>,
    /// The bookings on a partner's paper; their sums are the paper's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bookings: Vec<PaperBooking>,
}

/// An invoice or a credit note.
#[derive(Debug, Clone, PartialEq)]
pub struct Invoice {
    /// Key.
    pub id: InvoiceId,
    /// The booking it is about; none where it is a partner's.
    pub booking_id: Option<BookingId>,
    /// The partner whose bookings it is about.
    pub partner_id: Option<PartnerId>,
    /// What for.
    pub purpose: Purpose,
    /// Where it stands.
    pub state: At<State>,
    /// From when it was issued on.
    pub number: Option<Number>,
    /// The invoice that a credit note takes back.
    pub credits: Option<InvoiceId>,
    /// Tax included; of a credit note what is taken back.
    pub total: Money,
    /// Lower-case words it is found by.
    pub words: String,
    /// What staff wrote into the draft.
    pub edits: Edits,
    /// From when it was issued on.
    pub paper: Option<Paper>,
    /// All payments, from when nothing was due any more.
    pub receipt: Option<Vec<PaperPayment>>,
    /// Why it was taken back.
    pub reason: Option<String>,
    /// When the number was drawn.
    pub issued_at: Option<DateTime<Utc>>,
    /// Until when it is to be paid.
    pub due_at: Option<DateTime<Utc>>,
    /// When it was first sent.
    pub sent_at: Option<DateTime<Utc>>,
    /// When nothing was due any more.
    pub paid_at: Option<DateTime<Utc>>,
    /// When it was taken back.
    pub voided_at: Option<DateTime<Utc>>,
    /// Reminders that went out.
    pub reminders: u32,
    /// Counts up with each change.
    pub version: i32,
    /// When it was drafted.
    pub created_at: DateTime<Utc>,
    /// Last change.
    pub updated_at: DateTime<Utc>,
}

impl Invoice {
    /// It has a number and is neither a credit note nor ended.
    pub fn is_in_force(&self) -> bool {
        self.purpose != Purpose::CreditNote
            && status_machine::invoice::is_live(*self.state)
            && *self.state != State::Draft
    }

    /// Where it stands as people read it: one that was issued, and never sent, is overdue from its due date on all the same,
    /// though nobody is reminded of it. `today` is the beginning of the day.
    pub fn state_on(&self, today: DateTime<Utc>) -> State {
        let is_late = self.due_at.is_some_and(|due| due < today);
        match *self.state {
            State::Issued if is_late && self.purpose != Purpose::CreditNote => State::Overdue,
            state => state,
        }
    }

    /// The number as people read it; empty for a draft.
    pub fn number_text(&self) -> String {
        self.number.as_ref().map(ToString::to_string).unwrap_or_default()
    }
}

/// Which invoices.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InvoiceFilter {
    /// In these states, as people read them ([`Invoice::state_on`]); empty: all but thrown away drafts.
    pub states: Vec<State>,
    /// The beginning of the day on which they are read; none: the states are those that are stored.
    pub today: Option<DateTime<Utc>>,
    /// For this; empty: whatever for.
    pub purposes: Vec<Purpose>,
    /// Of this partner: for one booking, or for many.
    pub partner: Option<PartnerId>,
    /// Folded words or parts of them, all of which it has.
    pub words: Vec<String>,
    /// Issued from then on.
    pub issued_from: Option<DateTime<Utc>>,
    /// Issued before.
    pub issued_before: Option<DateTime<Utc>>,
}

/// Invoices.
pub trait Invoices {
    /// Adds; `Duplicate` when the booking has a live one of this purpose, or stands on its partner's.
    fn insert(&mut self, invoice: &Invoice) -> StoreResult<()>;
    /// Writes all columns if the stored version equals the invoice's; answers the new version, else `Stale`.
    fn update(&mut self, invoice: &Invoice) -> StoreResult<i32>;
    /// One.
    fn get(&mut self, id: InvoiceId) -> StoreResult<Option<Invoice>>;
    /// All of a booking, and those of its partner that it stands on, oldest first.
    fn of_booking(&mut self, id: BookingId) -> StoreResult<Vec<Invoice>>;
    /// The credit notes of an invoice, oldest first.
    fn notes_of(&mut self, id: InvoiceId) -> StoreResult<Vec<Invoice>>;
    /// The bookings of an invoice for moves, and those of a partner's credit note, in their own order.
    fn bookings_of(&mut self, id: InvoiceId) -> StoreResult<Vec<BookingId>>;
    /// Replaces the bookings of a partner's draft, or writes those of its credit note; `Duplicate` when one of them is on
    /// another live invoice.
    fn put_bookings(&mut self, id: InvoiceId, bookings: &[BookingId], live: bool) -> StoreResult<()>;
    /// A partner's bookings that were done and are on no live invoice, with a move from one day to another, in the order of
    /// their moves; at most `limit`.
    fn uninvoiced(
        &mut self,
        partner: PartnerId,
        from: NaiveDate,
        to: NaiveDate,
        limit: i64,
    ) -> StoreResult<Vec<BookingId>>;
    /// Draws the next number of a sequence. It is this transaction's alone, and given back if that is rolled back.
    fn draw(&mut self, series: &str) -> StoreResult<u32>;
    /// A list, the newest first.
    fn listed(&mut self, wanted: &InvoiceFilter, skip: i64, limit: i64) -> StoreResult<Vec<Invoice>>;
    /// How many a list has; counted no further than `most`.
    fn counted(&mut self, wanted: &InvoiceFilter, most: i64) -> StoreResult<Counted>;
}
