//! A difference that reconciliation found, as a value.

use std::fmt;

use chrono::{DateTime, NaiveDate, Utc};
use kernel::{BookingId, EntryId, Money, PaymentId};
use serde::{Deserialize, Serialize};

use super::misread::Named;
use crate::ports::{capacity::Drift, copies::Misread, ledger::Account, payments::PaymentKind};

/// What differs, with the figures.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", rename_all_fields = "camelCase")]
#[allow(missing_docs, reason = "each says itself what it is, below")]
pub enum DifferenceKind {
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

impl DifferenceKind {
    /// Stable code.
    pub const fn code(&self) -> &'static str {
        match self {
            DifferenceKind::GatewayTwice { .. } => "gateway_twice",
            DifferenceKind::DisputeLost { .. } => "dispute_lost",
            DifferenceKind::DisputeOpen { .. } => "dispute_open",
            DifferenceKind::DisputeWon { .. } => "dispute_won",
            DifferenceKind::GatewayUnknown { .. } => "gateway_unknown",
            DifferenceKind::GatewayMoved { .. } => "gateway_moved",
            DifferenceKind::GatewayAmount { .. } => "gateway_amount",
            DifferenceKind::GatewayMissing { .. } => "gateway_missing",
            DifferenceKind::LedgerAmount { .. } => "ledger_amount",
            DifferenceKind::LedgerMissing { .. } => "ledger_missing",
            DifferenceKind::NotReturned { .. } => "not_returned",
            DifferenceKind::Unbalanced { .. } => "unbalanced",
            DifferenceKind::Capacity { .. } => "capacity",
            DifferenceKind::MadeTwice { .. } => "made_twice",
            DifferenceKind::UnderWay { .. } => "under_way",
            DifferenceKind::MadeUnsaid { .. } => "made_unsaid",
            DifferenceKind::Held { .. } => "held",
            DifferenceKind::HeldByHand { .. } => "held_by_hand",
            DifferenceKind::Early { .. } => "early",
            DifferenceKind::Tip { .. } => "tip",
            DifferenceKind::Overdue { .. } => "overdue",
            DifferenceKind::PutOff { .. } => "put_off",
            DifferenceKind::Waits { .. } => "waits",
            DifferenceKind::Unseen { .. } => "unseen",
            DifferenceKind::Endless { .. } => "endless",
            DifferenceKind::Kept { .. } => "kept",
            DifferenceKind::CrewMissing => "crew_missing",
            DifferenceKind::CrewLeft { .. } => "crew_left",
            DifferenceKind::Fee { .. } => "fee",
            DifferenceKind::DisputeBack { .. } => "dispute_back",
            DifferenceKind::DisputeUnmarked { .. } => "dispute_unmarked",
            DifferenceKind::DisputeMissing { .. } => "dispute_missing",
            DifferenceKind::Books { .. } => "books",
            DifferenceKind::CapacityMissing => "capacity_missing",
            DifferenceKind::CapacityLeft => "capacity_left",
            DifferenceKind::RowAmount { .. } => "row_amount",
            DifferenceKind::RowUnmarked { .. } => "row_unmarked",
            DifferenceKind::RowMarked { .. } => "row_marked",
            DifferenceKind::EntryTwice { .. } => "entry_twice",
            DifferenceKind::RefundOutside { .. } => "refund_outside",
            DifferenceKind::RefundUnknown { .. } => "refund_unknown",
            DifferenceKind::VoidOutside { .. } => "void_outside",
            DifferenceKind::AttemptMissing { .. } => "attempt_missing",
            DifferenceKind::RowLost { .. } => "row_lost",
            DifferenceKind::RowReads { .. } => "row_reads",
            DifferenceKind::TipReads { .. } => "tip_reads",
            DifferenceKind::TipAsked { .. } => "tip_asked",
            DifferenceKind::RecordReads { .. } => "record_reads",
            DifferenceKind::RefundRefused { .. } => "refund_refused",
            DifferenceKind::Unreadable { .. } => "unreadable",
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
            DifferenceKind::Unbalanced { entry } => entry.as_ref().map(|e| e.id.to_string()).unwrap_or_default(),
            DifferenceKind::Capacity { date, bucket, .. } => format!("{date} {bucket}"),
            DifferenceKind::Books { accounts, .. } => accounts.iter().map(|a| a.code()).collect::<Vec<_>>().join("+"),
            DifferenceKind::RowAmount { payment, .. }
            | DifferenceKind::RowUnmarked { payment, .. }
            | DifferenceKind::RowMarked { payment, .. }
            | DifferenceKind::RowLost { payment, .. }
            | DifferenceKind::EntryTwice { payment, .. } => payment.to_string(),
            DifferenceKind::RowReads { payment, named, .. } => format!("{payment} {}", named.field.code()),
            DifferenceKind::RefundOutside { transaction, .. }
            | DifferenceKind::RefundUnknown { transaction, .. }
            | DifferenceKind::VoidOutside { transaction, .. } => transaction.clone(),
            DifferenceKind::MadeTwice { charge, .. }
            | DifferenceKind::UnderWay { charge, .. }
            | DifferenceKind::MadeUnsaid { charge, .. }
            | DifferenceKind::Early { charge, .. }
            | DifferenceKind::Overdue { charge, .. }
            | DifferenceKind::PutOff { charge, .. }
            | DifferenceKind::Waits { charge, .. }
            | DifferenceKind::Unseen { charge, .. }
            | DifferenceKind::Endless { charge, .. }
            | DifferenceKind::DisputeMissing { charge, .. } => charge.code().to_owned(),
            _ => String::new(),
        };
        (self.code(), about)
    }

    /// A stored row, or the record of the booking, is not what its witnesses say: nothing is planned by it before that is right.
    pub const fn is_of_row(&self) -> bool {
        matches!(
            self,
            DifferenceKind::RowAmount { .. }
                | DifferenceKind::RowUnmarked { .. }
                | DifferenceKind::RowMarked { .. }
                | DifferenceKind::RowLost { .. }
                | DifferenceKind::RowReads { .. }
                | DifferenceKind::RecordReads { .. }
        )
    }

    /// While this is so, the stored records do not say what is owed: nothing is charged or given back by itself.
    pub const fn holds_money_back(&self) -> bool {
        self.is_of_row() || matches!(self, DifferenceKind::EntryTwice { .. })
    }

    /// While this is so, it is not known how much of the booking's money the payment service holds: nothing is charged or given
    /// back by itself.
    pub const fn is_unclear_at_gateway(&self) -> bool {
        matches!(
            self,
            DifferenceKind::GatewayTwice { .. }
                | DifferenceKind::GatewayUnknown { .. }
                | DifferenceKind::GatewayMoved { .. }
                | DifferenceKind::GatewayAmount { .. }
                | DifferenceKind::GatewayMissing { .. }
                | DifferenceKind::RefundRefused { .. }
        )
    }

    /// It is told under an order id of the gateway.
    pub const fn is_of_order(&self) -> bool {
        matches!(
            self,
            DifferenceKind::GatewayTwice { .. }
                | DifferenceKind::DisputeLost { .. }
                | DifferenceKind::DisputeOpen { .. }
                | DifferenceKind::DisputeWon { .. }
                | DifferenceKind::GatewayUnknown { .. }
                | DifferenceKind::GatewayMoved { .. }
                | DifferenceKind::GatewayAmount { .. }
                | DifferenceKind::GatewayMissing { .. }
                | DifferenceKind::LedgerAmount { .. }
                | DifferenceKind::LedgerMissing { .. }
                | DifferenceKind::NotReturned { .. }
                | DifferenceKind::RefundOutside { .. }
                | DifferenceKind::RefundUnknown { .. }
                | DifferenceKind::VoidOutside { .. }
                | DifferenceKind::AttemptMissing { .. }
                | DifferenceKind::RefundRefused { .. }
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
    pub what: DifferenceKind,
}

impl Difference {
    /// Of an order id at the gateway.
    pub fn of_order(order: &str, booking: Option<BookingId>, what: DifferenceKind) -> Difference {
        Difference { subject: order.to_owned(), booking, what }
    }

    /// The gateway and we differ under one order id: looked at again, it may put itself right.
    pub fn is_of_gateway(&self) -> bool {
        self.what.is_of_order() && !matches!(self.what, DifferenceKind::NotReturned { .. })
    }

    /// True when both are about the same fault, even if amounts have changed since.
    pub fn goes_on(&self, other: &Difference) -> bool {
        self.subject == other.subject && self.booking == other.booking && self.what.names() == other.what.names()
    }

    /// A half hour whose counters are not what holds take of it.
    pub fn of_drift(drift: Drift) -> Difference {
        let Drift { hub, date, bucket, counted, held } = drift;
        Difference {
            subject: hub.clone(),
            booking: None,
            what: DifferenceKind::Capacity { hub, date, bucket, counted, held },
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.what {
            DifferenceKind::Capacity { hub, date, bucket, counted, held } => {
                let (hub, date) = (hub.clone(), *date);
                write!(f, "capacity: {}", Drift { hub, date, bucket: *bucket, counted: *counted, held: *held })
            }
            what => write!(f, "{}: {what}", self.subject),
        }
    }
}
