//! A difference that reconciliation found, as a value: what is written here in English for logs and the command line is
//! told to staff in their own language.

use std::fmt;

use chrono::{DateTime, NaiveDate, Utc};
use kernel::{BookingId, EntryId, Money, PaymentId};
use serde::{Deserialize, Serialize};

use super::misread::Named;
use crate::ports::{capacity::Drift, copies::Misread, ledger::Account, payments::PaymentKind};

/// What differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", rename_all_fields = "camelCase")]
#[allow(missing_docs, reason = "each says itself what it is, below")]
pub enum What {
    GatewayTwice { many: usize },
    DisputeLost { amount: Money },
    DisputeOpen { amount: Money },
    DisputeWon { amount: Money },
    GatewayUnknown { amount: Money },
    GatewayMoved { amount: Money, state: String },
    GatewayAmount { amount: Money, ours: Money },
    GatewayMissing { amount: Money },
    LedgerAmount { posted: Money, ours: Money },
    LedgerMissing { amount: Money },
    NotReturned { amount: Money },
    Unbalanced { entry: Option<Broken> },
    Capacity { hub: String, date: NaiveDate, bucket: i32, counted: [i64; 4], held: [i64; 4] },
    MadeTwice { charge: PaymentKind, amount: Money, many: usize },
    UnderWay { charge: PaymentKind, amount: Money },
    MadeUnsaid { charge: PaymentKind, amount: Money },
    Held { net: Money, asked: Money, owed: Money },
    HeldByHand { net: Money, asked: Money, owed: Money },
    Early { charge: PaymentKind, amount: Money },
    Tip { held: Money, owed: Money },
    TipReads { reads: Money, given: Money },
    TipAsked { asked: Money, given: Money },
    Overdue { charge: PaymentKind, amount: Money, since: DateTime<Utc> },
    PutOff { charge: PaymentKind, amount: Money, until: DateTime<Utc>, day: DateTime<Utc> },
    Waits { charge: PaymentKind, amount: Money },
    Unseen { charge: PaymentKind, amount: Money },
    Endless { charge: PaymentKind, amount: Money, many: usize, most: usize },
    Kept { kept: Money, right: Vec<Money> },
    CrewMissing,
    CrewLeft { status: String, many: usize },
    Fee { amount: Money },
    DisputeBack { amount: Money, state: String, back: Money },
    DisputeUnmarked { amount: Money, state: String },
    DisputeMissing { charge: PaymentKind, amount: Money },
    Books { accounts: Vec<Account>, posted: Money, want: Money },
    CapacityMissing,
    CapacityLeft,
    RowAmount { payment: PaymentId, charge: PaymentKind, amount: Money, made: Money, order: Option<String> },
    RowUnmarked { payment: PaymentId, charge: PaymentKind, amount: Money, state: String, order: Option<String> },
    RowMarked { payment: PaymentId, charge: PaymentKind, amount: Money, state: String },
    EntryTwice { payment: PaymentId, charge: PaymentKind, amount: Money },
    RefundOutside { transaction: String, charge: PaymentKind, charged: Money, amount: Money, at: DateTime<Utc> },
    RefundUnknown { transaction: String, amount: Money, at: DateTime<Utc> },
    VoidOutside { transaction: String, charge: PaymentKind, amount: Money },
    AttemptMissing { charge: PaymentKind, amount: Money },
    RowLost { payment: PaymentId, charge: PaymentKind, amount: Money, order: Option<String> },
    RowReads { payment: PaymentId, charge: PaymentKind, amount: Money, named: Named },
    RecordReads { fields: Vec<Misread> },
    RefundRefused { amount: Money },
    Unreadable { table: String, column: String },
}

/// An entry whose debits are not its credits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Broken {
    /// Its key.
    pub id: EntryId,
    /// What it tells of, a kind of [`super::ledger`].
    pub kind: String,
    /// When that happened.
    pub at: DateTime<Utc>,
    /// Debits less credits; zero where it has no lines.
    pub sum: Money,
}

impl What {
    /// Stable code.
    pub const fn code(&self) -> &'static str {
        match self {
            What::GatewayTwice { .. } => "gateway_twice",
            What::DisputeLost { .. } => "dispute_lost",
            What::DisputeOpen { .. } => "dispute_open",
            What::DisputeWon { .. } => "dispute_won",
            What::GatewayUnknown { .. } => "gateway_unknown",
            What::GatewayMoved { .. } => "gateway_moved",
            What::GatewayAmount { .. } => "gateway_amount",
            What::GatewayMissing { .. } => "gateway_missing",
            What::LedgerAmount { .. } => "ledger_amount",
            What::LedgerMissing { .. } => "ledger_missing",
            What::NotReturned { .. } => "not_returned",
            What::Unbalanced { .. } => "unbalanced",
            What::Capacity { .. } => "capacity",
            What::MadeTwice { .. } => "made_twice",
            What::UnderWay { .. } => "under_way",
            What::MadeUnsaid { .. } => "made_unsaid",
            What::Held { .. } => "held",
            What::HeldByHand { .. } => "held_by_hand",
            What::Early { .. } => "early",
            What::Tip { .. } => "tip",
            What::Overdue { .. } => "overdue",
            What::PutOff { .. } => "put_off",
            What::Waits { .. } => "waits",
            What::Unseen { .. } => "unseen",
            What::Endless { .. } => "endless",
            What::Kept { .. } => "kept",
            What::CrewMissing => "crew_missing",
            What::CrewLeft { .. } => "crew_left",
            What::Fee { .. } => "fee",
            What::DisputeBack { .. } => "dispute_back",
            What::DisputeUnmarked { .. } => "dispute_unmarked",
            What::DisputeMissing { .. } => "dispute_missing",
            What::Books { .. } => "books",
            What::CapacityMissing => "capacity_missing",
            What::CapacityLeft => "capacity_left",
            What::RowAmount { .. } => "row_amount",
            What::RowUnmarked { .. } => "row_unmarked",
            What::RowMarked { .. } => "row_marked",
            What::EntryTwice { .. } => "entry_twice",
            What::RefundOutside { .. } => "refund_outside",
            What::RefundUnknown { .. } => "refund_unknown",
            What::VoidOutside { .. } => "void_outside",
            What::AttemptMissing { .. } => "attempt_missing",
            What::RowLost { .. } => "row_lost",
            What::RowReads { .. } => "row_reads",
            What::TipReads { .. } => "tip_reads",
            What::TipAsked { .. } => "tip_asked",
            What::RecordReads { .. } => "record_reads",
            What::RefundRefused { .. } => "refund_refused",
            What::Unreadable { .. } => "unreadable",
        }
    }

    /// All codes.
    pub const CODES: [&'static str; 50] = [
        "gateway_twice",
        "dispute_lost",
        "dispute_open",
        "dispute_won",
        "gateway_unknown",
        "gateway_moved",
        "gateway_amount",
        "gateway_missing",
        "ledger_amount",
        "ledger_missing",
        "not_returned",
        "unbalanced",
        "capacity",
        "made_twice",
        "under_way",
        "made_unsaid",
        "held",
        "held_by_hand",
        "early",
        "tip",
        "overdue",
        "put_off",
        "waits",
        "unseen",
        "endless",
        "kept",
        "crew_missing",
        "crew_left",
        "fee",
        "dispute_back",
        "dispute_unmarked",
        "dispute_missing",
        "books",
        "capacity_missing",
        "capacity_left",
        "row_amount",
        "row_unmarked",
        "row_marked",
        "entry_twice",
        "refund_outside",
        "refund_unknown",
        "void_outside",
        "attempt_missing",
        "row_lost",
        "row_reads",
        "tip_reads",
        "tip_asked",
        "record_reads",
        "refund_refused",
        "unreadable",
    ];

    /// The key of a fault within its subject: its code, and what distinguishes several faults of that code.
    fn names(&self) -> (&'static str, String) {
        let about = match self {
            What::Unbalanced { entry } => entry.as_ref().map(|e| e.id.to_string()).unwrap_or_default(),
            What::Capacity { date, bucket, .. } => format!("{date} {bucket}"),
            What::Books { accounts, .. } => accounts.iter().map(|a| a.code()).collect::<Vec<_>>().join("+"),
            What::RowAmount { payment, .. }
            | What::RowUnmarked { payment, .. }
            | What::RowMarked { payment, .. }
            | What::RowLost { payment, .. }
            | What::EntryTwice { payment, .. } => payment.to_string(),
            What::RowReads { payment, named, .. } => format!("{payment} {}", named.field.code()),
            What::RefundOutside { transaction, .. }
            | What::RefundUnknown { transaction, .. }
            | What::VoidOutside { transaction, .. } => transaction.clone(),
            What::MadeTwice { charge, .. }
            | What::UnderWay { charge, .. }
            | What::MadeUnsaid { charge, .. }
            | What::Early { charge, .. }
            | What::Overdue { charge, .. }
            | What::PutOff { charge, .. }
            | What::Waits { charge, .. }
            | What::Unseen { charge, .. }
            | What::Endless { charge, .. }
            | What::DisputeMissing { charge, .. } => charge.code().to_owned(),
            _ => String::new(),
        };
        (self.code(), about)
    }

    /// A stored row, or the record of the booking, is not what its witnesses say: nothing is planned by it before that is right.
    pub const fn is_of_row(&self) -> bool {
        matches!(
            self,
            What::RowAmount { .. }
                | What::RowUnmarked { .. }
                | What::RowMarked { .. }
                | What::RowLost { .. }
                | What::RowReads { .. }
                | What::RecordReads { .. }
        )
    }

    /// By what is stored nobody knows what is owed: nothing is charged or given back by itself before that is right.
    pub const fn holds_money_back(&self) -> bool {
        self.is_of_row() || matches!(self, What::EntryTwice { .. })
    }

    /// It is told under an order id of the gateway.
    pub const fn is_of_order(&self) -> bool {
        matches!(
            self,
            What::GatewayTwice { .. }
                | What::DisputeLost { .. }
                | What::DisputeOpen { .. }
                | What::DisputeWon { .. }
                | What::GatewayUnknown { .. }
                | What::GatewayMoved { .. }
                | What::GatewayAmount { .. }
                | What::GatewayMissing { .. }
                | What::LedgerAmount { .. }
                | What::LedgerMissing { .. }
                | What::NotReturned { .. }
                | What::RefundOutside { .. }
                | What::RefundUnknown { .. }
                | What::VoidOutside { .. }
                | What::AttemptMissing { .. }
                | What::RefundRefused { .. }
        )
    }
}

/// One difference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Difference {
    /// What it is told under: an order id of the gateway, the code of a booking, a hub.
    pub subject: String,
    /// The booking, where it is about one.
    pub booking: Option<BookingId>,
    /// What differs.
    pub what: What,
}

impl Difference {
    /// Of an order id at the gateway.
    pub fn of_order(order: &str, booking: Option<BookingId>, what: What) -> Difference {
        Difference { subject: order.to_owned(), booking, what }
    }

    /// The gateway and we differ under one order id: looked at again, it may put itself right.
    pub fn is_of_gateway(&self) -> bool {
        self.what.is_of_order() && !matches!(self.what, What::NotReturned { .. })
    }

    /// True when both are about the same fault, even if amounts have changed since.
    pub fn goes_on(&self, other: &Difference) -> bool {
        self.subject == other.subject && self.booking == other.booking && self.what.names() == other.what.names()
    }

    /// A half hour whose counters are not what holds take of it.
    pub fn of_drift(drift: Drift) -> Difference {
        let Drift { hub, date, bucket, counted, held } = drift;
        Difference { subject: hub.clone(), booking: None, what: What::Capacity { hub, date, bucket, counted, held } }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.what {
            What::Capacity { hub, date, bucket, counted, held } => {
                let (hub, date) = (hub.clone(), *date);
                write!(f, "capacity: {}", Drift { hub, date, bucket: *bucket, counted: *counted, held: *held })
            }
            what => write!(f, "{}: {what}", self.subject),
        }
    }
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = |charge: &PaymentKind| charge.code();
        match self {
            What::GatewayTwice { many } => write!(f, "the gateway made {many} transactions"),
            What::DisputeLost { amount } => {
                write!(f, "the bank gave {amount} back after a dispute, our books hold it")
            }
            What::DisputeOpen { amount } => {
                write!(f, "the cardholder disputes {amount}, our books do not say so")
            }
            What::DisputeWon { amount } => write!(f, "a dispute of {amount} was won, our books say it is open"),
            What::GatewayUnknown { amount } => write!(f, "the gateway moved {amount} that we do not know"),
            What::GatewayMoved { amount, state } => write!(f, "the gateway moved {amount}, we wrote {state}"),
            What::GatewayAmount { amount, ours } => write!(f, "the gateway moved {amount}, we wrote {ours}"),
            What::GatewayMissing { amount } => write!(f, "we wrote {amount}, the gateway knows nothing of it"),
            What::LedgerAmount { posted, ours } => write!(f, "the ledger says {posted}, the attempt {ours}"),
            What::LedgerMissing { .. } => write!(f, "the ledger has no entry"),
            What::NotReturned { amount } => write!(f, "{amount} belongs to no booking and did not go back"),
            What::Unbalanced { entry: None } => write!(f, "entries do not sum to zero"),
            What::Unbalanced { entry: Some(Broken { id, kind, sum, .. }) } if sum.is_zero() => {
                write!(f, "the ledger entry {id} ({kind}) has no lines")
            }
            What::Unbalanced { entry: Some(Broken { id, kind, sum, .. }) } => {
                write!(f, "the lines of the ledger entry {id} ({kind}) come to {sum}, not to zero")
            }
            What::Capacity { counted, held, .. } => write!(f, "counted {counted:?}, held {held:?}"),
            What::MadeTwice { charge, amount, many } => {
                write!(f, "the {} of {amount} was made {many} times", kind(charge))
            }
            What::UnderWay { charge, amount } => {
                write!(f, "the {} of {amount} is under way without being marked so", kind(charge))
            }
            What::MadeUnsaid { charge, amount } => {
                write!(f, "the {} of {amount} counts as made and no attempt says so", kind(charge))
            }
            What::Held { net, asked, owed } => write!(f, "holds {net} and asks for {asked}, its history says {owed}"),
            What::HeldByHand { net, asked, owed } => {
                write!(f, "holds {net} and asks for {asked}, its history says {owed} at most, paid by hand")
            }
            What::Early { charge, amount } => {
                write!(f, "the {} of {amount} was charged before its day", kind(charge))
            }
            What::Tip { held, owed } => write!(f, "holds a tip of {held}, {owed} was given"),
            What::TipReads { reads, given } => write!(f, "the tip reads {reads}, its giver said {given}"),
            What::TipAsked { asked, given } => write!(f, "asks for a tip of {asked}, {given} was given"),
            What::Overdue { charge, amount, since } => {
                write!(f, "the {} of {amount} has been due since {}", kind(charge), since.to_rfc3339())
            }
            What::PutOff { charge, amount, until, day } => {
                let (until, day) = (until.to_rfc3339(), day.to_rfc3339());
                write!(f, "the {} of {amount} waits until {until}, its day was {day}", kind(charge))
            }
            What::Waits { charge, amount } => write!(f, "the {} of {amount} waits for nothing", kind(charge)),
            What::Unseen { charge, amount } => {
                write!(f, "the {} of {amount} was given up and nobody is told", kind(charge))
            }
            What::Endless { charge, amount, many, most } => {
                let kind = kind(charge);
                write!(f, "the {kind} of {amount} was refused {many} times by one card, {most} are allowed")
            }
            What::Kept { kept, right } => {
                let right: Vec<String> = right.iter().map(ToString::to_string).collect();
                write!(f, "kept {kept} of its cancellation, the policy gives {}", right.join(" or "))
            }
            What::CrewMissing => write!(f, "is assigned and nobody is on its crew"),
            What::CrewLeft { status, many } => write!(f, "is {status} and still takes {many} mates"),
            What::Fee { amount } => write!(f, "a change fee of {amount} although nobody was ever assigned"),
            What::DisputeBack { amount, state, back } => {
                write!(f, "a dispute of {amount} is {state}, {back} went back for it")
            }
            What::DisputeUnmarked { amount, state } => {
                write!(f, "a dispute of {amount} is {state}, its charge does not say so")
            }
            What::DisputeMissing { charge, amount } => {
                write!(f, "the {} of {amount} counts as disputed and no dispute says so", kind(charge))
            }
            What::Books { accounts, posted, want } => {
                let names: Vec<&str> = accounts.iter().map(|a| a.code()).collect();
                write!(f, "the ledger says {posted} in {}, its history {want}", names.join("+"))
            }
            What::CapacityMissing => write!(f, "takes no capacity"),
            What::CapacityLeft => write!(f, "still takes capacity"),
            What::RowAmount { charge, amount, made, .. } => {
                write!(f, "the {} reads {amount}, {made} moved", kind(charge))
            }
            What::RowUnmarked { charge, amount, state, .. } => {
                write!(f, "the {} of {amount} reads {state}, its money moved", kind(charge))
            }
            What::RowMarked { charge, amount, state, .. } => {
                write!(f, "the {} of {amount} reads {state}, nobody else knows of it", kind(charge))
            }
            What::RowLost { charge, amount, .. } => {
                write!(f, "the row of the {} of {amount} is gone; the ledger has it", kind(charge))
            }
            What::EntryTwice { charge, amount, .. } => {
                write!(f, "the {} is in the ledger once more, with {amount}", kind(charge))
            }
            What::RefundOutside { charge, charged, amount, at, .. } => {
                let (kind, at) = (kind(charge), at.to_rfc3339());
                write!(f, "somebody gave {amount} of the {kind} of {charged} back at the gateway on {at}")
            }
            What::RefundUnknown { amount, at, .. } => {
                write!(f, "somebody gave {amount} back at the gateway on {}, of no charge of ours", at.to_rfc3339())
            }
            What::AttemptMissing { charge, amount } => {
                let kind = kind(charge);
                write!(
                    f,
                    "the record of the attempt at the {kind} of {amount} is missing; the row and the ledger have it"
                )
            }
            What::RowReads { charge, amount, named, .. } => {
                let (field, reads) = (named.field.code(), &named.reads);
                let right = named.right.as_deref().unwrap_or("something else");
                write!(f, "the {} of {amount} reads {field} {reads}, its money says {right}", kind(charge))
            }
            What::RecordReads { fields } => {
                let of = |m: &Misread| format!("{} reads {}, {} was written", m.field, m.reads, m.right);
                write!(f, "somebody changed its record: {}", fields.iter().map(of).collect::<Vec<_>>().join("; "))
            }
            What::Unreadable { table, column } => {
                write!(f, "somebody changed its record: {table}.{column} cannot be read, nothing of it was compared")
            }
            What::RefundRefused { amount } => {
                write!(f, "the bank did not take the refund of {amount}, our books say that it went back")
            }
            What::VoidOutside { charge, amount, .. } => {
                write!(f, "somebody undid the {} of {amount} at the gateway", kind(charge))
            }
        }
    }
}
