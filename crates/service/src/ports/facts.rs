//! Facts that lists of bookings filter by and that are no column of a booking, such as the state of its payments.

use kernel::Money;
use serde::{Deserialize, Serialize};
use status_machine::payment::State;

use super::payments::{Payment, PaymentKind};

/// How the reference of a charge back begins.
pub const CHARGEBACK: &str = "dispute:";
/// The reference of a refund that undoes a charge of which the amount is owed still.
pub const VOID: &str = "void";

/// The reference of a charge that was paid by a link: by nobody's stored card, and asked for by people.
pub const LINK: &str = "link";

/// The reference of a refund that the gateway made after all, when the money had been given back by hand already.
pub const TWICE: &str = "twice";

/// The reference of a refund by hand, or of a part of one, that was not handed over because more is owed since.
pub const SET_OFF: &str = "set_off";

/// What a refund by hand says as its last message that takes a payment out of the books because it never came. Its reference
/// is the reason that staff gave; what they write as a reference themselves marks nothing.
pub const TAKEN_OUT: &str = "it never came";

/// Where the money of a booking stands, for lists (`domain/statuses.md` §3). It is worked out from the payments at each
/// change of one, and never set by hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PaymentState {
    /// Nothing was taken yet.
    None,
    /// Something was taken, and more is owed.
    DepositPaid,
    /// All that has to come was taken.
    Paid,
    /// A charge was given up.
    Problem,
    /// Everything went back.
    Refunded,
    /// A part went back.
    PartiallyRefunded,
}

impl PaymentState {
    /// All of them.
    pub const ALL: [PaymentState; 6] = [
        PaymentState::None,
        PaymentState::DepositPaid,
        PaymentState::Paid,
        PaymentState::Problem,
        PaymentState::Refunded,
        PaymentState::PartiallyRefunded,
    ];

    /// Stable code.
    pub const fn code(self) -> &'static str {
        match self {
            PaymentState::None => "none",
            PaymentState::DepositPaid => "deposit_paid",
            PaymentState::Paid => "paid",
            PaymentState::Problem => "problem",
            PaymentState::Refunded => "refunded",
            PaymentState::PartiallyRefunded => "partially_refunded",
        }
    }

    /// The state of a code.
    pub fn from_code(code: &str) -> Option<PaymentState> {
        PaymentState::ALL.into_iter().find(|s| s.code() == code)
    }

    /// The state of a booking of which so much has to come ([`super::bookings::Booking::to_be_paid`]), and whose list entry has
    /// a problem or not. A tip is no money of the move.
    pub fn of(total: Money, problem: bool, rows: &[Payment]) -> PaymentState {
        let of_tip =
            |refund: &Payment| rows.iter().any(|r| Some(r.id) == refund.refund_of && r.kind == PaymentKind::Tip);
        let taken: Money = rows.iter().filter(|r| r.was_taken() && r.kind != PaymentKind::Tip).map(|r| r.amount).sum();
        // What was written down by mistake neither came nor went back.
        let taken = taken.minus(rows.iter().filter(|r| r.is_taken_out() && !of_tip(r)).map(|r| r.amount).sum());
        let back = |r: &&Payment| r.is_given_back() && !r.is_taken_out() && !of_tip(r);
        let back: Money = rows.iter().filter(back).map(|r| r.amount).sum();
        match () {
            () if problem => PaymentState::Problem,
            () if back.is_positive() && back >= taken => PaymentState::Refunded,
            // What went back was taken again.
            () if back.is_positive() && taken.minus(back) >= total => PaymentState::Paid,
            () if back.is_positive() => PaymentState::PartiallyRefunded,
            () if !taken.is_positive() => PaymentState::None,
            () if taken >= total => PaymentState::Paid,
            () => PaymentState::DepositPaid,
        }
    }
}

impl Payment {
    /// The gateway took the money (whatever was returned later).
    pub fn was_taken(&self) -> bool {
        self.kind.is_charge() && self.settled_at.is_some()
    }

    /// What the bank took back after a dispute was lost: a refund that nobody sent. Its reference names the dispute.
    pub fn is_chargeback(&self) -> bool {
        let of_dispute = self.reference.as_deref().is_some_and(|r| r.starts_with(CHARGEBACK));
        self.kind == PaymentKind::Refund && !self.method.is_by_hand() && of_dispute
    }

    /// Whoever held a payment link paid it.
    pub fn is_by_link(&self) -> bool {
        self.kind.is_charge() && !self.method.is_by_hand() && self.reference.as_deref() == Some(LINK)
    }

    /// It undoes a charge before that settles: it leaves although the money is owed still.
    pub fn is_void(&self) -> bool {
        self.kind == PaymentKind::Refund && !self.method.is_by_hand() && self.reference.as_deref() == Some(VOID)
    }

    /// It went back although the same money had been given back by hand: the customer has it twice.
    pub fn is_twice(&self) -> bool {
        self.kind == PaymentKind::Refund && !self.method.is_by_hand() && self.reference.as_deref() == Some(TWICE)
    }

    /// What was not handed over of a refund by hand, because more is owed since.
    pub fn is_set_off(&self) -> bool {
        let not_handed_over = *self.state == State::Skipped;
        self.kind == PaymentKind::Refund && not_handed_over && self.reference.as_deref() == Some(SET_OFF)
    }

    /// A refund by hand that is not handed over yet, as far as staff have said. No job makes it.
    pub fn waits_for_a_hand(&self) -> bool {
        self.kind == PaymentKind::Refund && self.method.is_by_hand() && *self.state == State::Scheduled
    }

    /// It says that a payment by hand was written down by mistake. No money moved, neither then nor now.
    pub fn is_taken_out(&self) -> bool {
        let marked = self.last_message.as_deref() == Some(TAKEN_OUT);
        self.kind == PaymentKind::Refund && self.method.is_by_hand() && marked
    }

    /// What staff wrote down with money by hand: the number of a transfer or cheque, or why it was taken out.
    pub fn written_reference(&self) -> Option<&str> {
        self.reference.as_deref().filter(|_| self.method.is_by_hand() && !self.is_set_off())
    }

    /// A refund that is made or promised: it counts as returned from the moment it is decided.
    pub fn is_given_back(&self) -> bool {
        self.kind == PaymentKind::Refund && !matches!(*self.state, State::Failed | State::Skipped | State::Voided)
    }
}

/// The facts of one booking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BookingFacts {
    /// Where its money stands.
    pub payment_state: PaymentState,
    /// How many mates are on it.
    pub crew_size: u32,
}
