//! Making payment rows.

use chrono::{DateTime, Utc};
use kernel::{BookingId, Money, PaymentId};
use policy::ChargeKind;
use status_machine::payment::State;

use crate::{
    Services,
    ports::payments::{Payment, PaymentKind},
};

/// The row kind of a policy charge.
pub const fn kind_of(kind: ChargeKind) -> PaymentKind {
    match kind {
        ChargeKind::Deposit => PaymentKind::Deposit,
        ChargeKind::Balance => PaymentKind::Balance,
        ChargeKind::Full => PaymentKind::Full,
        ChargeKind::Difference => PaymentKind::Difference,
        ChargeKind::Tip => PaymentKind::Tip,
        ChargeKind::Overtime => PaymentKind::Overtime,
        ChargeKind::CancellationFee => PaymentKind::CancellationFee,
    }
}

/// The policy kind of a row; refunds follow no ladder.
pub const fn charge_kind(kind: PaymentKind) -> Option<ChargeKind> {
    match kind {
        PaymentKind::Deposit => Some(ChargeKind::Deposit),
        PaymentKind::Balance => Some(ChargeKind::Balance),
        PaymentKind::Full => Some(ChargeKind::Full),
        PaymentKind::Difference => Some(ChargeKind::Difference),
        PaymentKind::Tip => Some(ChargeKind::Tip),
        PaymentKind::Overtime => Some(ChargeKind::Overtime),
        PaymentKind::CancellationFee => Some(ChargeKind::CancellationFee),
        PaymentKind::Refund | PaymentKind::Goodwill | PaymentKind::Claim => None,
    }
}

/// A row to be worked on from `due_at`.
pub fn scheduled(
    s: &Services,
    booking: BookingId,
    kind: PaymentKind,
    amount: Money,
    due_at: DateTime<Utc>,
    now: DateTime<Utc>,
) -> Payment {
    Payment {
        id: PaymentId(s.entropy.uuid(now)),
        booking_id: booking,
        kind,
        state: State::Scheduled,
        amount,
        due_at,
        attempts: 0,
        next_attempt_at: Some(due_at),
        refund_of: None,
        transaction_id: None,
        card_last4: None,
        last_message: None,
        settled_at: None,
        version: 1,
        created_at: now,
    }
}
