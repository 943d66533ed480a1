//! Making payment rows and the job that works on them.

use chrono::{DateTime, Utc};
use kernel::{BookingId, JobId, Money, PaymentId};
use policy::ChargeKind;
use status_machine::payment::State;

use crate::{
    Services,
    ports::{
        jobs::NewJob,
        payments::{Payment, PaymentKind},
    },
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
        PaymentKind::Refund => None,
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

/// The key under which a booking's billing job is queued once.
pub fn job_key(booking: BookingId) -> String {
    format!("bill:{booking}")
}

/// The job that works on a booking's charges at `run_at`.
pub fn job(s: &Services, booking: BookingId, run_at: DateTime<Utc>, now: DateTime<Utc>) -> NewJob {
    NewJob {
        id: JobId(s.entropy.uuid(now)),
        kind: crate::jobs::BILL_BOOKING.to_owned(),
        payload: serde_json::json!({ "bookingId": booking }),
        run_at,
        dedup_key: Some(job_key(booking)),
        max_attempts: 40,
        held_until: None,
    }
}
