//! Every step of a payment.

use std::convert::Infallible;

use super::{State, State::*};
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
        /// It is certain that the gateway never applied the request.
        NotAtGateway = "maybe_at_gateway",
        /// The gateway has applied it, whatever was believed before.
        AtGateway = "not_at_gateway",
        /// The gateway takes its word back: it never made what it said it had, or a bank refused it when it settled.
        TakenBack = "not_taken_back",
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
    /// The gateway never applied the request, and never will.
    pub not_at_gateway: bool,
    /// The gateway applied it: its list, or its answer to a checkout, says so.
    pub at_gateway: bool,
    /// What counted as made was never made, or a bank refused it when it settled.
    pub taken_back: bool,
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
            Guard::AtGateway => self.at_gateway,
            Guard::TakenBack => self.taken_back,
        }
    }
}

/// The card's owner, the staff, and Portage's own job for either of them.
const OWNER_OR_STAFF: &[Role] = &[Role::Customer, Role::Ops, Role::Admin, Role::System];

const fn rule(
    from: State,
    to: State,
    roles: &'static [Role],
    guards: &'static [Guard],
) -> Rule<State, Guard, Infallible> {
    Rule { from, to, roles, guards, effects: &[] }
}

/// The steps of a payment. What follows from each (ledger, mail, retry) depends on what the payment is for and
/// stands where the gateway's answer is written down.
///
/// The published early authorization is optional, and Portage authorizes and captures together: no step leads to or from
/// `authorized`, so none to `expired`. Nor does one lead to `voided`: a charge that the gateway voids because all of it is
/// given back has its refund as a row of its own and is `refunded`, however the gateway gave it back.
///
/// Beyond the published ones:
/// - `processing` and `unknown` to `failed`, and `captured` and what followed it to `failed`: the gateway has such answers (`failed`,
///   `settlement_declined`).
/// - `refunded` to `partially_refunded` and `settled`, and `partially_refunded` to `settled`: a bank does not take a refund.
/// - `processing` and `unknown` to `scheduled`: it is certain that the gateway never applied the request, so
///   nothing was tried.
/// - to `processing` from what waits when the gateway has applied what was given up.
/// - `failed` to `processing` with a new card: it triggers an attempt at once (`policy-timeline.md` §6).
/// - `partially_refunded` and `refunded` to `charged_back` and back: a cardholder also disputes what was returned.
/// - declined and `failed` to `skipped`: a booking that is cancelled, or costs less now, asks for them no more.
pub const TABLE: &[Rule<State, Guard, Infallible>] = &[
    rule(Scheduled, Processing, SYSTEM, &[Guard::Due]),
    rule(Scheduled, Processing, SYSTEM, &[Guard::AtGateway]),
    rule(Scheduled, Skipped, STAFF_OR_SYSTEM, &[Guard::NotNeeded]),
    rule(Processing, Captured, SYSTEM, &[]),
    rule(Processing, SoftDeclined, SYSTEM, &[]),
    rule(Processing, HardDeclined, SYSTEM, &[]),
    rule(Processing, Unknown, SYSTEM, &[]),
    rule(Processing, Failed, SYSTEM, &[]),
    rule(Processing, Scheduled, SYSTEM, &[Guard::NotAtGateway]),
    rule(Unknown, Captured, STAFF_OR_SYSTEM, &[]),
    rule(Unknown, SoftDeclined, STAFF_OR_SYSTEM, &[]),
    rule(Unknown, HardDeclined, STAFF_OR_SYSTEM, &[]),
    rule(Unknown, Failed, STAFF_OR_SYSTEM, &[]),
    rule(Unknown, Scheduled, STAFF_OR_SYSTEM, &[Guard::NotAtGateway]),
    rule(Captured, Settled, SYSTEM, &[]),
    rule(Captured, Failed, SYSTEM, &[Guard::TakenBack]),
    rule(Settled, Failed, SYSTEM, &[Guard::TakenBack]),
    rule(Settled, Refunded, STAFF_OR_SYSTEM, &[]),
    rule(Settled, PartiallyRefunded, STAFF_OR_SYSTEM, &[]),
    rule(Settled, ChargedBack, SYSTEM, &[]),
    rule(PartiallyRefunded, Refunded, STAFF_OR_SYSTEM, &[]),
    rule(PartiallyRefunded, ChargedBack, SYSTEM, &[]),
    rule(Refunded, ChargedBack, SYSTEM, &[]),
    rule(PartiallyRefunded, Settled, SYSTEM, &[Guard::TakenBack]),
    rule(PartiallyRefunded, Failed, SYSTEM, &[Guard::TakenBack]),
    rule(Refunded, PartiallyRefunded, SYSTEM, &[Guard::TakenBack]),
    rule(Refunded, Settled, SYSTEM, &[Guard::TakenBack]),
    rule(Refunded, Failed, SYSTEM, &[Guard::TakenBack]),
    rule(SoftDeclined, Processing, OWNER_OR_STAFF, &[Guard::NextAttempt]),
    rule(SoftDeclined, Processing, SYSTEM, &[Guard::AtGateway]),
    rule(SoftDeclined, Failed, SYSTEM, &[Guard::LadderEnded]),
    rule(SoftDeclined, Skipped, STAFF_OR_SYSTEM, &[Guard::NotNeeded]),
    rule(HardDeclined, Processing, OWNER_OR_STAFF, &[Guard::NewCard]),
    rule(HardDeclined, Processing, SYSTEM, &[Guard::AtGateway]),
    rule(HardDeclined, Failed, SYSTEM, &[Guard::LadderEnded]),
    rule(HardDeclined, Skipped, STAFF_OR_SYSTEM, &[Guard::NotNeeded]),
    rule(Failed, Processing, STAFF, &[]),
    rule(Failed, Processing, OWNER_OR_STAFF, &[Guard::NewCard]),
    rule(Failed, Processing, SYSTEM, &[Guard::AtGateway]),
    rule(Failed, Skipped, STAFF_OR_SYSTEM, &[Guard::NotNeeded]),
    rule(ChargedBack, Settled, SYSTEM, &[]),
    rule(ChargedBack, PartiallyRefunded, SYSTEM, &[]),
    rule(ChargedBack, Refunded, SYSTEM, &[]),
];
