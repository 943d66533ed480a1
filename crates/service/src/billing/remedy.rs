//! What a repair does, as a value: all of it is told before it is done.

use chrono::NaiveDate;
use kernel::{Money, PaymentId};
use serde::{Deserialize, Serialize};

use super::{anew::Step, misread::RowField};
use crate::ports::{
    copies::Misread,
    ledger::EntryLine,
    payments::{PaidWith, PaymentKind},
};

/// What is done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Repair {
    /// What was given up and was applied after all is written on its booking; what is too much goes back.
    BookLate {
        /// Under which it was applied.
        order_id: String,
        /// How much.
        amount: Money,
    },
    /// A charge that the bank refused when it settled is taken out of the books, and asked for again.
    TakeOut {
        /// Of the charge.
        order_id: String,
        /// How much.
        amount: Money,
    },
    /// A capture that belongs to no booking goes back as a whole.
    SendBack {
        /// Of the capture.
        order_id: String,
        /// The gateway's key.
        transaction_id: String,
        /// How much.
        amount: Money,
    },
    /// The entry that is missing is posted.
    Post {
        /// Of the deed it tells of.
        order_id: String,
        /// What it moves.
        lines: Vec<EntryLine>,
    },
    /// The entry of money by hand that is missing is posted again, as the audit trail tells of it.
    PostByHand {
        /// Whose.
        payment: PaymentId,
        /// How much.
        amount: Money,
        /// How it came or went.
        method: PaidWith,
        /// What it moves.
        lines: Vec<EntryLine>,
    },
    /// Entries are posted after which the accounts of a booking say what its history says.
    Correct {
        /// What they move.
        lines: Vec<EntryLine>,
        /// The facts whose entries say something else than what was done; none: it corrects the accounts as a whole.
        #[serde(default)]
        of: Vec<String>,
    },
    /// What an entry lacks that somebody changed in the database is posted beside it: both together balance.
    Balance {
        /// What it lacks.
        lines: Vec<EntryLine>,
    },
    /// The counters of a half hour are set to what holds take.
    Recount {
        /// Crew hub.
        hub: String,
        /// Its day.
        date: NaiveDate,
        /// The half hour.
        bucket: i32,
        /// Mates and trucks as they are counted.
        counted: [i64; 4],
        /// As they will be.
        held: [i64; 4],
    },
    /// The time of a booking that does not take place is given back.
    FreeTime,
    /// Its crew is.
    FreeCrew {
        /// How many mates.
        many: usize,
    },
    /// What is overdue is charged now.
    ChargeNow {
        /// What for.
        charge: PaymentKind,
        /// How much.
        amount: Money,
    },
    /// Charges and refunds are planned anew, as the policy says.
    PlanAnew {
        /// What that changes.
        steps: Vec<Step>,
    },
    /// A row reads what payment service and ledger say moved.
    SetAmount {
        /// Whose row.
        payment: PaymentId,
        /// What for.
        charge: PaymentKind,
        /// As it reads.
        was: Money,
        /// As it will.
        amount: Money,
    },
    /// A row reads the state that its money is in.
    SetState {
        /// Whose row.
        payment: PaymentId,
        /// What for.
        charge: PaymentKind,
        /// How much.
        amount: Money,
        /// As it reads, a code of the payments' table.
        was: String,
        /// As it will.
        state: String,
    },
    /// An entry that is there once too often is turned around.
    TurnAround {
        /// Of which payment.
        payment: PaymentId,
        /// What it moves.
        lines: Vec<EntryLine>,
    },
    /// The second charge of one intent is written down as a payment of its own; what is too much goes back.
    BookApart {
        /// Under which it was made.
        order_id: String,
        /// How much.
        amount: Money,
    },
    /// Money that somebody gave back at the payment service is written down.
    BookRefund {
        /// Under which it went back.
        order_id: String,
        /// The gateway's key: of the refund, or of the charge that was undone. Empty in what was kept before it stood here.
        #[serde(default)]
        transaction_id: String,
        /// How much.
        amount: Money,
        /// Of which charge; none in what was kept before it stood here.
        #[serde(default)]
        charge: Option<PaymentKind>,
    },
    /// The payment service took more than we noted: the rest is written down as received, and what is too much goes back.
    BookMore {
        /// Of the charge.
        order_id: String,
        /// The gateway's key.
        transaction_id: String,
        /// As we noted it.
        was: Money,
        /// As it was taken.
        amount: Money,
    },
    /// The payment service took less than we noted: the rest is written down as money that went back.
    BookLess {
        /// Of the charge.
        order_id: String,
        /// The gateway's key.
        transaction_id: String,
        /// As we noted it.
        was: Money,
        /// As it was taken.
        amount: Money,
    },
    /// A charge or refund of which the payment service knows nothing is taken out of the books, and is the staff's.
    NeverMade {
        /// Of the charge or refund.
        order_id: String,
        /// How much.
        amount: Money,
        /// It is a refund.
        #[serde(default)]
        refund: bool,
    },
    /// The payment service is asked about a dispute, and what it says is written down.
    BookDispute {
        /// Of the charge.
        order_id: String,
        /// How much of it.
        amount: Money,
    },
    /// The tip reads what was charged for it.
    SetTip {
        /// As it reads.
        was: Money,
        /// As it will.
        amount: Money,
        /// Whether it counts as paid then.
        paid: bool,
    },
    /// The booking takes its time again.
    TakeTime,
    /// The record of an attempt whose deed the payment service, the ledger and the row name is written down again.
    NoteAttempt {
        /// Of the deed.
        order_id: String,
        /// The gateway's key.
        transaction_id: String,
        /// What for.
        charge: PaymentKind,
        /// How much.
        amount: Money,
    },
    /// The row of a payment that somebody deleted is written down again, as the ledger has it.
    WriteRow {
        /// Of which payment.
        payment: PaymentId,
        /// What for.
        charge: PaymentKind,
        /// How much.
        amount: Money,
        /// How it was paid.
        method: PaidWith,
    },
    /// A row says whose it is, what for and how it was paid as its money does.
    SetField {
        /// Whose row.
        payment: PaymentId,
        /// What for, as it reads.
        charge: PaymentKind,
        /// How much.
        amount: Money,
        /// What is set.
        field: RowField,
        /// As it reads, as [`super::difference::DifferenceKind::RowReads`] has it.
        was: String,
        /// As it will, likewise.
        value: String,
    },
    /// The booking's record reads as the program wrote it.
    SetRecord {
        /// What is set.
        fields: Vec<Misread>,
    },
    /// The booking reads what its cancellation kept, as policy and ledger have it.
    SetKept {
        /// As it reads.
        was: Money,
        /// As it will.
        kept: Money,
    },
    /// A refund that the bank did not take is put back in the books, and is the staff's to give again.
    RefundBack {
        /// Of the refund.
        order_id: String,
        /// How much.
        amount: Money,
    },
}

impl Repair {
    /// Stable code.
    pub const fn code(&self) -> &'static str {
        match self {
            Repair::BookLate { .. } => "book_late",
            Repair::TakeOut { .. } => "take_out",
            Repair::SendBack { .. } => "send_back",
            Repair::Post { .. } => "post",
            Repair::PostByHand { .. } => "post_by_hand",
            Repair::Correct { .. } => "correct",
            Repair::Balance { .. } => "balance",
            Repair::Recount { .. } => "recount",
            Repair::FreeTime => "free_time",
            Repair::FreeCrew { .. } => "free_crew",
            Repair::ChargeNow { .. } => "charge_now",
            Repair::PlanAnew { .. } => "plan_anew",
            Repair::SetAmount { .. } => "set_amount",
            Repair::SetState { .. } => "set_state",
            Repair::TurnAround { .. } => "turn_around",
            Repair::BookApart { .. } => "book_apart",
            Repair::BookRefund { .. } => "book_refund",
            Repair::BookMore { .. } => "book_more",
            Repair::BookLess { .. } => "book_less",
            Repair::NeverMade { .. } => "never_made",
            Repair::BookDispute { .. } => "book_dispute",
            Repair::SetTip { .. } => "set_tip",
            Repair::TakeTime => "take_time",
            Repair::NoteAttempt { .. } => "note_attempt",
            Repair::WriteRow { .. } => "write_row",
            Repair::SetField { .. } => "set_field",
            Repair::SetRecord { .. } => "set_record",
            Repair::SetKept { .. } => "set_kept",
            Repair::RefundBack { .. } => "refund_back",
        }
    }

    /// All codes.
    pub const CODES: [&'static str; 29] = [
        "book_late",
        "take_out",
        "send_back",
        "post",
        "post_by_hand",
        "correct",
        "balance",
        "recount",
        "free_time",
        "free_crew",
        "charge_now",
        "plan_anew",
        "set_amount",
        "set_state",
        "turn_around",
        "book_apart",
        "book_refund",
        "book_more",
        "book_less",
        "never_made",
        "book_dispute",
        "set_tip",
        "take_time",
        "note_attempt",
        "write_row",
        "set_field",
        "set_record",
        "set_kept",
        "refund_back",
    ];
}
