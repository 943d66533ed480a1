//! Every step of a booking: who, what must be true, what follows.

use super::facts::{Facts, Guard};
use super::{Status, Status::*};
use crate::message_kind::MessageKind;
use crate::role::{Role, STAFF, STAFF_OR_SYSTEM, SYSTEM};
use crate::step::Rule;

/// What a step of a booking brings with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Effect {
    /// Take the buckets again, all or the step fails.
    TakeCapacity,
    /// Give back what the booking's hold recorded.
    ReleaseCapacity,
    /// Put the chosen mates on the booking, for the whole time it occupies.
    AssignMates,
    /// Free the mates and tell them.
    ReleaseMates,
    /// Schedule the charges of the payment plan.
    ScheduleCharges,
    /// Skip scheduled charges, void open authorizations.
    WithdrawCharges,
    /// Keep, charge and refund as the policy says for this instant.
    SettleCancellation,
    /// Issue the cancellation invoice for what is kept.
    IssueCancellationInvoice,
    /// The tip will not be charged.
    VoidTip,
    /// Set `completed_at` and earn the money. A reopened move that is done again has a new instant; the history
    /// keeps both.
    RecordCompletion,
    /// Charge the tip 24 h from now.
    ScheduleTip,
    /// Ask for feedback 24 h from now.
    ScheduleFeedback,
    /// Withdraw the tip charge and the feedback request.
    WithdrawTipAndFeedback,
    /// Draw the invoice's number and freeze its lines.
    IssueInvoice,
    /// Create the driver's delivery task.
    CreateDeliveryTask,
    /// Delete or unassign delivery tasks that are not done.
    CancelDeliveryTasks,
    /// Queue a message.
    Send(MessageKind),
}

impl Effect {
    /// False for the effects that the facts make pointless.
    pub(super) fn applies(self, facts: &Facts) -> bool {
        match self {
            Effect::IssueCancellationInvoice => facts.keeps_money,
            Effect::CreateDeliveryTask => facts.delivers_items,
            Effect::TakeCapacity | Effect::ScheduleCharges => !facts.started(),
            _ => true,
        }
    }
}

const ADMIN: &[Role] = &[Role::Admin];
const MATE: &[Role] = &[Role::Mate];
/// Whose booking it is: a customer, or a partner for the bookings it made.
const OWNER: &[Role] = &[Role::Customer, Role::Partner];

const ASSIGNED: &[Effect] = &[
    Effect::AssignMates,
    Effect::Send(MessageKind::MateJob),
    Effect::Send(MessageKind::MateAssigned),
    Effect::CreateDeliveryTask,
];
const DONE: &[Effect] = &[Effect::RecordCompletion, Effect::ScheduleTip, Effect::ScheduleFeedback];
const CANCELLED: &[Effect] = &[
    Effect::WithdrawCharges,
    Effect::SettleCancellation,
    Effect::IssueCancellationInvoice,
    Effect::VoidTip,
    Effect::ReleaseCapacity,
    Effect::ReleaseMates,
    Effect::CancelDeliveryTasks,
    Effect::Send(MessageKind::BookingCancelled),
];
const DELETED: &[Effect] =
    &[Effect::WithdrawCharges, Effect::VoidTip, Effect::ReleaseCapacity, Effect::CancelDeliveryTasks];
const TAKEN_BACK: &[Effect] = &[Effect::TakeCapacity, Effect::ScheduleCharges];

const fn rule(
    from: Status,
    to: Status,
    roles: &'static [Role],
    guards: &'static [Guard],
    effects: &'static [Effect],
) -> Rule<Status, Guard, Effect> {
    Rule { from, to, roles, guards, effects }
}

/// The steps of a booking. What people can say with a step (a reason, a reference) is asked for last, so that a refusal names
/// what nobody can put right by saying more.
pub const TABLE: &[Rule<Status, Guard, Effect>] = &[
    rule(Pending, Assigned, STAFF_OR_SYSTEM, &[Guard::CrewFree, Guard::CrewWithinCount, Guard::NotLongPast], ASSIGNED),
    // Also Portage itself: a crew that declines a material change, or cannot come any more, sends the
    // booking back.
    rule(Assigned, Pending, STAFF_OR_SYSTEM, &[], &[Effect::ReleaseMates, Effect::CancelDeliveryTasks]),
    rule(Assigned, Completed, STAFF_OR_SYSTEM, &[Guard::StartReached, Guard::CrewRecorded], DONE),
    rule(Assigned, Completed, MATE, &[Guard::Own, Guard::StartReached, Guard::CrewRecorded], DONE),
    // The forgotten assignment: the crew is entered afterwards.
    rule(Pending, Completed, STAFF, &[Guard::StartReached, Guard::ReasonGiven], DONE),
    rule(
        Completed,
        Assigned,
        STAFF,
        // Who did it stays recorded; after a forgotten assignment somebody has to be named now.
        &[Guard::NoLiveInvoice, Guard::ReopenWindow, Guard::CrewRecorded, Guard::ReasonGiven],
        &[Effect::AssignMates, Effect::WithdrawTipAndFeedback],
    ),
    rule(Completed, Invoiced, STAFF_OR_SYSTEM, &[Guard::PassedCompleted], &[Effect::IssueInvoice]),
    rule(Invoiced, Completed, STAFF, &[Guard::NoLiveInvoice], &[]),
    rule(Completed, Payed, STAFF, &[Guard::NothingOwed, Guard::NoInvoiceWanted], &[]),
    rule(Invoiced, Payed, SYSTEM, &[Guard::NothingOwed], &[Effect::Send(MessageKind::PaymentReceived)]),
    rule(
        Invoiced,
        Payed,
        STAFF,
        &[Guard::NothingOwed, Guard::PaymentReference],
        &[Effect::Send(MessageKind::PaymentReceived)],
    ),
    // Chargebacks arrive weeks later.
    rule(Payed, Invoiced, STAFF_OR_SYSTEM, &[Guard::AmountOwed], &[Effect::Send(MessageKind::OpsAlert)]),
    rule(Pending, Cancelled, OWNER, &[Guard::Own], CANCELLED),
    rule(Assigned, Cancelled, OWNER, &[Guard::Own], CANCELLED),
    // Staff may cancel after the start: nobody was there.
    rule(Pending, Cancelled, STAFF_OR_SYSTEM, &[], CANCELLED),
    rule(Assigned, Cancelled, STAFF_OR_SYSTEM, &[], CANCELLED),
    rule(
        Cancelled,
        Pending,
        STAFF,
        &[Guard::StartAhead, Guard::UncancelWindow, Guard::CapacityFree, Guard::ReasonGiven],
        TAKEN_BACK,
    ),
    // What waits to be handed back counts as gone, and could not be handed back afterwards.
    rule(Pending, Deleted, STAFF, &[Guard::NetZero, Guard::NoOpenRefunds], DELETED),
    // Nobody is asked for the money of a booking that is hidden: staff collect it, or write it off, before.
    rule(Cancelled, Deleted, STAFF, &[Guard::NoOpenRefunds, Guard::NothingOwed], &[]),
    rule(Payed, Deleted, STAFF, &[Guard::TidyTime], &[]),
    rule(Deleted, Pending, ADMIN, &[Guard::WasBefore, Guard::CapacityFree], TAKEN_BACK),
    rule(Deleted, Cancelled, ADMIN, &[Guard::WasBefore], &[]),
    rule(Deleted, Payed, ADMIN, &[Guard::WasBefore], &[]),
];
