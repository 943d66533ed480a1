//! The append-only double-entry ledger: the only truth about money.

use chrono::{DateTime, Utc};
use kernel::{BookingId, EntryId, Money, PaymentId};
use serde::{Deserialize, Serialize};

use super::StoreResult;

/// A ledger account. Positive lines are debits, negative lines credits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Account {
    /// Money the card gateway holds for us.
    Gateway,
    /// What we owe the customer (prepayments) or are owed by them.
    Customer,
    /// Prepayments that law wants held in trust until the move (Quebec, CPA s. 256).
    Trust,
    /// Services performed.
    Revenue,
    /// Amounts kept after a cancellation, before tax.
    CancellationRevenue,
    /// Goods and services tax collected.
    Gst,
    /// Quebec sales tax collected.
    Qst,
    /// Harmonized sales tax collected.
    Hst,
    /// Tips owed to mates.
    TipsPayable,
    /// Amounts due that were given up.
    WriteOff,
    /// Money in the bank: transfers and cheques that staff wrote down. Card money stays in `Gateway`.
    Bank,
    /// Cash that staff wrote down.
    Cash,
    /// Unpaid invoices. No entry uses it: what is owed stands in `Customer`.
    Receivable,
    /// Charges the bank took back until the dispute is over.
    Disputes,
    /// What the gateway and the bank keep for themselves.
    Fees,
    /// Damage paid for. No entry uses it.
    Claims,
    /// Pay owed to mates for their hours. No entry uses it.
    MatePayable,
}

impl Account {
    /// Stable code, as stored and shown.
    pub const fn code(self) -> &'static str {
        match self {
            Account::Gateway => "gateway",
            Account::Customer => "customer",
            Account::Trust => "trust",
            Account::Revenue => "revenue",
            Account::CancellationRevenue => "cancellation_revenue",
            Account::Gst => "gst",
            Account::Qst => "qst",
            Account::Hst => "hst",
            Account::TipsPayable => "tips_payable",
            Account::WriteOff => "write_off",
            Account::Bank => "bank",
            Account::Cash => "cash",
            Account::Receivable => "receivable",
            Account::Disputes => "disputes",
            Account::Fees => "fees",
            Account::Claims => "claims",
            Account::MatePayable => "mate_payable",
        }
    }

    /// All accounts.
    pub const ALL: [Account; 17] = [
        Account::Gateway,
        Account::Customer,
        Account::Trust,
        Account::Revenue,
        Account::CancellationRevenue,
        Account::Gst,
        Account::Qst,
        Account::Hst,
        Account::TipsPayable,
        Account::WriteOff,
        Account::Bank,
        Account::Cash,
        Account::Receivable,
        Account::Disputes,
        Account::Fees,
        Account::Claims,
        Account::MatePayable,
    ];

    /// The account of a code.
    pub fn from_code(code: &str) -> Option<Account> {
        Account::ALL.into_iter().find(|a| a.code() == code)
    }
}

/// One line of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryLine {
    /// Where.
    pub account: Account,
    /// How much; debit positive, credit negative.
    pub amount: Money,
}

/// A set of lines. What is written is balanced ([`Entry::new`]); what is stored is read as it stands ([`Entry::stored`]).
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// Key.
    pub id: EntryId,
    /// The booking it belongs to.
    pub booking_id: BookingId,
    /// The charge or refund behind it.
    pub payment_id: Option<PaymentId>,
    /// When the fact happened.
    pub at: DateTime<Utc>,
    /// `capture`, `refund`, `void`, `completion`, `cancellation`, `tip`, `dispute_opened`, `write_off`, …
    pub kind: String,
    /// Unique: the same fact is never posted twice (`capture:<order id>`).
    pub fact_key: String,
    lines: Vec<EntryLine>,
}

/// The lines of an entry do not sum to zero.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a ledger entry must sum to zero and move something")]
pub struct Unbalanced;

impl Entry {
    /// Checks the balance; zero lines are dropped.
    pub fn new(
        id: EntryId,
        booking_id: BookingId,
        payment_id: Option<PaymentId>,
        at: DateTime<Utc>,
        kind: &str,
        fact_key: String,
        lines: Vec<EntryLine>,
    ) -> Result<Entry, Unbalanced> {
        let entry = Entry::stored(id, booking_id, payment_id, at, kind.to_owned(), fact_key, lines);
        if entry.is_balanced() { Ok(entry) } else { Err(Unbalanced) }
    }

    /// As it stands in the table, whatever somebody made of it there. Zero lines are dropped.
    pub fn stored(
        id: EntryId,
        booking_id: BookingId,
        payment_id: Option<PaymentId>,
        at: DateTime<Utc>,
        kind: String,
        fact_key: String,
        lines: Vec<EntryLine>,
    ) -> Entry {
        let lines = lines.into_iter().filter(|l| !l.amount.is_zero()).collect();
        Entry { id, booking_id, payment_id, at, kind, fact_key, lines }
    }

    /// Its debits are its credits, and it moves something.
    pub fn is_balanced(&self) -> bool {
        let sum: i128 = self.lines.iter().map(|l| i128::from(l.amount.cents())).sum();
        sum == 0 && !self.lines.is_empty()
    }

    /// Its debits less its credits: zero in every entry that nobody changed.
    pub fn sum(&self) -> Money {
        self.lines.iter().map(|l| l.amount).sum()
    }

    /// The lines.
    pub fn lines(&self) -> &[EntryLine] {
        &self.lines
    }

    /// How much it moves: the sum of its debits.
    pub fn debited(&self) -> Money {
        self.lines.iter().map(|l| l.amount).filter(|amount| amount.is_positive()).sum()
    }
}

/// The ledger.
pub trait Ledgers {
    /// Appends; `Duplicate` when the fact is posted already.
    fn append(&mut self, entry: &Entry) -> StoreResult<()>;
    /// Entries of a booking, oldest first, those that do not balance among them.
    fn of_booking(&mut self, id: BookingId) -> StoreResult<Vec<Entry>>;
    /// Balance of every account, of all entries at or before `until`.
    fn balances(&mut self, until: DateTime<Utc>) -> StoreResult<Vec<(Account, Money)>>;
    /// Keys of entries whose lines do not sum to zero (there must be none).
    fn unbalanced(&mut self) -> StoreResult<Vec<EntryId>>;
}
