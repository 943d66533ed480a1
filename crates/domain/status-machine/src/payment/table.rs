//! Every step of a payment.

use super::{State, State::*};
use crate::message_kind::MessageKind;
use crate::role::{Role, STAFF, STAFF_OR_SYSTEM, SYSTEM};
use crate::step::Rule;

coded! {
    /// A condition of a step.
    Guard, "payment guard" {
        /// The due instant is reached and there is an amount.
        Due = "not_due",
        /// Merged, cancelled, or nothing to charge.
        NotNeeded = "still_needed",
        /// A step of the retry ladder, or a new card.
        NextAttempt = "no_attempt_left",
        /// Another card was stored since.
        NewCard = "same_card",
        /// The retry ladder has ended.
        LadderEnded = "attempts_left",
        /// The gateway was asked and does not know the request.
        NotAtGateway = "maybe_at_gateway",
    }
}

/// What a step is judged by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Facts {
    /// The due instant is reached and the amount is above zero.
    pub due: bool,
    /// The charge was merged or cancelled, or its amount is zero.
    pub not_needed: bool,
    /// The ladder's next instant is reached.
    pub attempt_due: bool,
    /// A card was stored after the decline.
    pub new_card: bool,
    /// No step of the ladder is left.
    pub ladder_ended: bool,
    /// The look-up by idempotency key found nothing.
    pub not_at_gateway: bool,
}

impl Facts {
    pub(super) fn satisfy(&self, guard: Guard) -> bool {
        match guard {
            Guard::Due => self.due,
            Guard::NotNeeded => self.not_needed,
            Guard::NextAttempt => self.attempt_due || self.new_card,
            Guard::NewCard => self.new_card,
            Guard::LadderEnded => self.ladder_ended,
            Guard::NotAtGateway => self.not_at_gateway,
        }
    }
}

/// What a step of a payment brings with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Effect {
    /// Ask the gateway by idempotency key in 5 minutes.
    ScheduleLookup,
    /// Book the captured money in the ledger.
    BookCapture,
    /// Take the captured money out of the ledger again.
    BookReversal,
    /// Book the money that went back.
    BookRefund,
    /// Book the disputed money, or its return.
    BookChargeback,
    /// Send the receipt of this kind of charge.
    SendReceipt,
    /// Schedule the next step of the retry ladder.
    ScheduleRetry,
    /// Mark the booking's payment problem.
    FlagProblem,
    /// Queue a message.
    Send(MessageKind),
}

const OWNER_OR_STAFF: &[Role] = &[Role::Customer, Role::Ops, Role::Admin, Role::System];
const CAPTURED: &[Effect] = &[Effect::BookCapture, Effect::SendReceipt];
const SOFT: &[Effect] = &[Effect::ScheduleRetry, Effect::Send(MessageKind::PaymentFailed)];
const HARD: &[Effect] = &[Effect::FlagProblem, Effect::Send(MessageKind::PaymentFailed)];
const GIVEN_UP: &[Effect] = &[Effect::FlagProblem, Effect::Send(MessageKind::OpsAlert)];
const DISPUTED: &[Effect] = &[Effect::BookChargeback, Effect::FlagProblem, Effect::Send(MessageKind::OpsAlert)];
const SENT_BACK: &[Effect] = &[Effect::BookRefund, Effect::Send(MessageKind::RefundIssued)];

const fn rule(
    from: State,
    to: State,
    roles: &'static [Role],
    guards: &'static [Guard],
    effects: &'static [Effect],
) -> Rule<State, Guard, Effect> {
    Rule { from, to, roles, guards, effects }
}

/// The steps of a payment. Beyond the published ones: `processing` and `unknown` to `failed` and
/// `captured` to `failed`, because the gateway has such answers (`failed`, `settlement_declined`);
/// and `unknown` to `processing` when the gateway never got the request.
pub const TABLE: &[Rule<State, Guard, Effect>] = &[
    rule(Scheduled, Processing, SYSTEM, &[Guard::Due], &[]),
    rule(Scheduled, Skipped, STAFF_OR_SYSTEM, &[Guard::NotNeeded], &[]),
    rule(Processing, Authorized, SYSTEM, &[], &[]),
    rule(Processing, Captured, SYSTEM, &[], CAPTURED),
    rule(Processing, SoftDeclined, SYSTEM, &[], SOFT),
    rule(Processing, HardDeclined, SYSTEM, &[], HARD),
    rule(Processing, Unknown, SYSTEM, &[], &[Effect::ScheduleLookup]),
    rule(Processing, Failed, SYSTEM, &[], GIVEN_UP),
    rule(Unknown, Authorized, STAFF_OR_SYSTEM, &[], &[]),
    rule(Unknown, Captured, STAFF_OR_SYSTEM, &[], CAPTURED),
    rule(Unknown, SoftDeclined, STAFF_OR_SYSTEM, &[], SOFT),
    rule(Unknown, HardDeclined, STAFF_OR_SYSTEM, &[], HARD),
    rule(Unknown, Processing, STAFF_OR_SYSTEM, &[Guard::NotAtGateway], &[]),
    rule(Unknown, Failed, STAFF_OR_SYSTEM, &[], GIVEN_UP),
    rule(Authorized, Captured, SYSTEM, &[], CAPTURED),
    rule(Authorized, Voided, STAFF_OR_SYSTEM, &[], &[]),
    rule(Authorized, Expired, SYSTEM, &[], &[]),
    rule(Captured, Settled, SYSTEM, &[], &[]),
    rule(Captured, Voided, STAFF_OR_SYSTEM, &[], &[Effect::BookReversal, Effect::Send(MessageKind::RefundIssued)]),
    rule(
        Captured,
        Failed,
        SYSTEM,
        &[],
        &[Effect::BookReversal, Effect::FlagProblem, Effect::Send(MessageKind::OpsAlert)],
    ),
    rule(Settled, Refunded, STAFF_OR_SYSTEM, &[], SENT_BACK),
    rule(Settled, PartiallyRefunded, STAFF_OR_SYSTEM, &[], SENT_BACK),
    rule(Settled, ChargedBack, SYSTEM, &[], DISPUTED),
    rule(PartiallyRefunded, Refunded, STAFF_OR_SYSTEM, &[], SENT_BACK),
    rule(SoftDeclined, Processing, OWNER_OR_STAFF, &[Guard::NextAttempt], &[]),
    rule(SoftDeclined, Failed, SYSTEM, &[Guard::LadderEnded], GIVEN_UP),
    rule(HardDeclined, Processing, OWNER_OR_STAFF, &[Guard::NewCard], &[]),
    rule(HardDeclined, Failed, SYSTEM, &[Guard::LadderEnded], GIVEN_UP),
    rule(Failed, Processing, STAFF, &[], &[]),
    rule(ChargedBack, Settled, SYSTEM, &[], &[Effect::BookChargeback]),
];
