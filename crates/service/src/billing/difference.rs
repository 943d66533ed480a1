//! A difference that reconciliation found, as a value.

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

    /// While this is so, the stored records do not say what is owed: nothing is charged or given back by itself.
    pub const fn holds_money_back(&self) -> bool {
        self.is_of_row() || matches!(self, What::EntryTwice { .. })
    }

    /// While this is so, it is not known how much of the booking's money the payment service holds: nothing is charged or given
    /// back by itself.
    pub const fn is_unclear_at_gateway(&self) -> bool {
        matches!(
            self,
            What::GatewayTwice { .. }
                | What::GatewayUnknown { .. }
                | What::GatewayMoved { .. }
                | What::GatewayAmount { .. }
                | What::GatewayMissing { .. }
                | What::RefundRefused { .. }
        )
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
