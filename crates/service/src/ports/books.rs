//! What reconciliation and the books read in large: windows and pages, never everything at once.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use kernel::{BookingId, Money, PaymentId};

use super::{
    StoreResult,
    bookings::Booking,
    copies::BookingCopy,
    disputes::Dispute,
    history::StatusChange,
    ledger::{Account, Entry, EntryLine},
    payments::{Attempt, PaidWith, Payment},
    strays::Stray,
    tips::Tip,
};

/// Everything that is on record about one booking's money.
#[derive(Debug, Clone)]
pub struct BookingFile {
    /// The booking.
    pub booking: Booking,
    /// What its money goes by, as the program last wrote it; none of a booking from before copies were kept.
    pub copy: Option<BookingCopy>,
    /// Its statuses, oldest first.
    pub history: Vec<StatusChange>,
    /// Its charges and refunds, oldest first. Whose one is, its ledger entries say and the order ids it was made under: one
    /// that somebody moved to another booking is here, with the key of that booking.
    pub rows: Vec<Payment>,
    /// The code of the booking that such a row lies with.
    pub lies_with: Vec<(PaymentId, String)>,
    /// Payments that its ledger entries name and that have no row any more: somebody deleted it.
    pub lost: Vec<PaymentId>,
    /// Whose the rows are that lie with this booking and are another's.
    pub strangers: Vec<BookingId>,
    /// All attempts at them, and at those of `lost`.
    pub attempts: Vec<Attempt>,
    /// Payments of which an attempt is stored under another order id than row and ledger name, each with the one that is stored.
    pub misordered: Vec<(PaymentId, String)>,
    /// Its ledger entries, oldest first.
    pub entries: Vec<Entry>,
    /// Its tip.
    pub tip: Option<Tip>,
    /// Disputes of its charges, oldest first.
    pub disputes: Vec<Dispute>,
    /// Attempts that staff asked for, each by its payment and number.
    pub pressed: Vec<(PaymentId, i32)>,
    /// It has capacity of its own.
    pub has_capacity: bool,
    /// A checkout of it is at the gateway.
    pub checkout_open: bool,
    /// How many mates are on it.
    pub crew: usize,
}

/// The accounts of customers and partners: together they say what one of them owes, or what we hold for them.
pub const OF_CUSTOMERS: [Account; 3] = [Account::Customer, Account::Trust, Account::Receivable];

/// Where in the journal an entry stands.
pub type Place = (DateTime<Utc>, i64);

/// An entry as the journal shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct JournalEntry {
    /// Its place; the second part is its number.
    pub place: Place,
    /// `capture`, `refund`, `completion`, …
    pub kind: String,
    /// Code of its booking.
    pub short_id: String,
    /// Number of the transfer or cheque, or the gateway's key.
    pub reference: Option<String>,
    /// In the order in which it was posted.
    pub lines: Vec<EntryLine>,
}

/// What entries of one kind moved in one account.
#[derive(Debug, Clone, PartialEq)]
pub struct Sum {
    /// Kind of the entries.
    pub kind: String,
    /// Account.
    pub account: Account,
    /// How the money came or went, where there is a payment behind it.
    pub method: Option<PaidWith>,
    /// Debits, not negative.
    pub debit: Money,
    /// Credits, not negative.
    pub credit: Money,
}

/// What is held in trust for one booking.
#[derive(Debug, Clone, PartialEq)]
pub struct InTrust {
    /// The booking.
    pub booking: Booking,
    /// How much.
    pub amount: Money,
    /// Since when something of it lies there.
    pub since: DateTime<Utc>,
}

/// What the accounts of customers say of one booking.
#[derive(Debug, Clone, PartialEq)]
pub struct Standing {
    /// The booking.
    pub booking: Booking,
    /// Owed to us; below zero it is what we hold for them.
    pub amount: Money,
}

/// The books in large.
pub trait Books {
    /// Attempts written in [from, until) with their payments, in the order of their instants, after one of them.
    fn attempts_page(
        &mut self,
        from: DateTime<Utc>,
        until: DateTime<Utc>,
        after: Option<(DateTime<Utc>, String)>,
        limit: i64,
    ) -> StoreResult<Vec<(Attempt, Payment)>>;
    /// When the first attempt was written.
    fn first_attempt(&mut self) -> StoreResult<Option<DateTime<Utc>>>;
    /// What entries of these facts moved at the gateway; those that are not posted are left out.
    fn moved_at_gateway(&mut self, facts: &[String]) -> StoreResult<HashMap<String, Money>>;
    /// Bookings with an entry posted in [from, until) that does not sum to zero.
    fn unbalanced_between(&mut self, from: DateTime<Utc>, until: DateTime<Utc>) -> StoreResult<Vec<BookingId>>;
    /// Strays that count as gone back since `from` and were found before `until`.
    fn strays_between(&mut self, from: DateTime<Utc>, until: DateTime<Utc>) -> StoreResult<Vec<Stray>>;
    /// What is on record about these bookings, in their order; those that are not there are left out.
    fn files(&mut self, ids: &[BookingId]) -> StoreResult<Vec<BookingFile>>;
    /// The code of a booking, also where its record cannot be read.
    fn code_of(&mut self, id: BookingId) -> StoreResult<Option<String>>;
    /// Bookings in the order of their keys, after one of them.
    fn bookings_after(&mut self, after: Option<BookingId>, limit: i64) -> StoreResult<Vec<BookingId>>;
    /// Entries posted in [from, until), the oldest first, after one of them.
    fn journal(
        &mut self,
        from: DateTime<Utc>,
        until: DateTime<Utc>,
        after: Option<Place>,
        limit: i64,
    ) -> StoreResult<Vec<JournalEntry>>;
    /// What was moved in [from, until), by kind of entry, account and way.
    fn sums(&mut self, from: DateTime<Utc>, until: DateTime<Utc>) -> StoreResult<Vec<Sum>>;
    /// What lies in trust, of all entries at or before `at`, the booking whose move comes first first.
    fn in_trust(&mut self, at: DateTime<Utc>) -> StoreResult<Vec<InTrust>>;
    /// Bookings of which the accounts of customers ([`OF_CUSTOMERS`]) did not come to zero, of all entries at or before
    /// `at`.
    fn standing(&mut self, at: DateTime<Utc>) -> StoreResult<Vec<Standing>>;
}
