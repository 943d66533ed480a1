//! The delivery task, as the dispatching service has it, and its webhooks.
//!
//! States change through assigning, starting and completing only. Webhooks may come twice and out
//! of order: [`on_trigger`] never leads back from completed.

use crate::message_kind::MessageKind;
use crate::role::{Role, STAFF_OR_SYSTEM};
use crate::step::{self, Outcome, Refused, Rule};

coded! {
    /// State of a delivery task.
    State, "task state" {
        /// Nobody drives it.
        Unassigned = "unassigned",
        /// A driver is chosen.
        Assigned = "assigned",
        /// The driver is on it.
        Active = "active",
        /// Over, delivered or not.
        Completed = "completed",
        /// Taken away before anybody had it.
        Deleted = "deleted",
    }
}

impl State {
    /// The dispatching service's number; none for deleted, which it does not know.
    pub const fn number(self) -> Option<u8> {
        match self {
            State::Unassigned => Some(0),
            State::Assigned => Some(1),
            State::Active => Some(2),
            State::Completed => Some(3),
            State::Deleted => None,
        }
    }

    /// From the dispatching service's number.
    pub const fn from_number(number: u8) -> Option<State> {
        match number {
            0 => Some(State::Unassigned),
            1 => Some(State::Assigned),
            2 => Some(State::Active),
            3 => Some(State::Completed),
            _ => None,
        }
    }
}

coded! {
    /// A webhook's trigger, those Portage listens to.
    Trigger, "task trigger" {
        /// The driver starts.
        Started = "taskStarted",
        /// The estimated arrival is near or changed.
        Eta = "taskEta",
        /// The driver arrives.
        Arrival = "taskArrival",
        /// Delivered.
        Completed = "taskCompleted",
        /// Not delivered.
        Failed = "taskFailed",
    }
}

impl Trigger {
    /// The dispatching service's number.
    pub const fn number(self) -> u8 {
        match self {
            Trigger::Started => 0,
            Trigger::Eta => 1,
            Trigger::Arrival => 2,
            Trigger::Completed => 3,
            Trigger::Failed => 4,
        }
    }

    /// From the dispatching service's number.
    pub fn from_number(number: u8) -> Option<Trigger> {
        Trigger::ALL.iter().copied().find(|t| t.number() == number)
    }
}

coded! {
    /// State of an uploaded file of tasks: all of it or nothing.
    UploadState, "upload state" {
        /// It came.
        Received = "received",
        /// Every line is good.
        Validated = "validated",
        /// Its tasks exist.
        Imported = "imported",
        /// Some line is bad; nothing was imported.
        Rejected = "rejected",
    }
}

impl UploadState {
    /// The states that may follow.
    pub const fn next(self) -> &'static [UploadState] {
        match self {
            UploadState::Received => &[UploadState::Validated, UploadState::Rejected],
            UploadState::Validated => &[UploadState::Imported],
            UploadState::Imported | UploadState::Rejected => &[],
        }
    }
}

coded! {
    /// A condition of a step.
    Guard, "task guard" {
        /// The driver has no other active task.
        DriverFree = "driver_busy",
        /// It is the driver's own task.
        Own = "not_own",
    }
}

/// What a step is judged by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Facts {
    /// The driver has no other active task.
    pub driver_free: bool,
    /// The asking mate is the driver.
    pub own: bool,
    /// The delivery succeeded; read when the task completes.
    pub success: bool,
}

/// What a step of a task brings with it: a message to the recipient.
pub type Effect = MessageKind;

const MATE: &[Role] = &[Role::Mate];

const fn rule(from: State, to: State, roles: &'static [Role], guards: &'static [Guard]) -> Rule<State, Guard, Effect> {
    Rule { from, to, roles, guards, effects: &[] }
}

/// The steps of a task. Messages depend on the outcome: see [`transition`].
pub const TABLE: &[Rule<State, Guard, Effect>] = &[
    rule(State::Unassigned, State::Assigned, STAFF_OR_SYSTEM, &[]),
    rule(State::Unassigned, State::Deleted, STAFF_OR_SYSTEM, &[]),
    rule(State::Assigned, State::Unassigned, STAFF_OR_SYSTEM, &[]),
    rule(State::Assigned, State::Active, STAFF_OR_SYSTEM, &[Guard::DriverFree]),
    rule(State::Assigned, State::Active, MATE, &[Guard::Own, Guard::DriverFree]),
    rule(State::Active, State::Completed, STAFF_OR_SYSTEM, &[]),
    rule(State::Active, State::Completed, MATE, &[Guard::Own]),
];

/// Decides a step and tells which message the recipient gets.
///
/// # Errors
/// [`Refused`] names the reason and the states this role could reach now.
pub fn transition(from: State, to: State, role: Role, facts: &Facts) -> Result<Outcome<Effect>, Refused<State, Guard>> {
    let outcome = step::decide(TABLE, from, to, role, |guard| satisfy(facts, guard))?;
    Ok(match outcome {
        Outcome::Unchanged => Outcome::Unchanged,
        Outcome::Changed(_) => Outcome::Changed(announcement(to, facts.success).into_iter().collect()),
    })
}

/// The states `role` could reach now.
pub fn allowed(from: State, role: Role, facts: &Facts) -> Vec<State> {
    step::allowed(TABLE, from, role, |guard| satisfy(facts, guard))
}

fn satisfy(facts: &Facts, guard: Guard) -> bool {
    match guard {
        Guard::DriverFree => facts.driver_free,
        Guard::Own => facts.own,
    }
}

fn announcement(to: State, success: bool) -> Option<MessageKind> {
    match to {
        State::Assigned => Some(MessageKind::DeliveryScheduled),
        State::Active => Some(MessageKind::DeliveryOnTheWay),
        State::Completed if success => Some(MessageKind::DeliveryCompleted),
        State::Completed => Some(MessageKind::DeliveryFailed),
        State::Unassigned | State::Deleted => None,
    }
}

/// What a webhook means for a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Webhook {
    /// The state to write; `None` leaves it.
    pub state: Option<State>,
    /// The message the recipient gets.
    pub message: Option<MessageKind>,
}

/// Reads a webhook. The service's word counts, so steps between may be missing; what is late is
/// ignored. Repeats are the caller's to recognise, by task, trigger and time.
pub fn on_trigger(state: State, trigger: Trigger) -> Webhook {
    let ignored = Webhook { state: None, message: None };
    let moved = |to, message| Webhook { state: Some(to), message: Some(message) };
    match (trigger, state) {
        (_, State::Completed | State::Deleted) => ignored,
        (Trigger::Started, State::Active) | (Trigger::Eta, _) => ignored,
        (Trigger::Started, State::Unassigned | State::Assigned) => moved(State::Active, MessageKind::DeliveryOnTheWay),
        (Trigger::Arrival, State::Active) => Webhook { state: None, message: Some(MessageKind::DeliveryArriving) },
        // Its start was lost or is late; once here, "on the way" is no news.
        (Trigger::Arrival, State::Unassigned | State::Assigned) => moved(State::Active, MessageKind::DeliveryArriving),
        (Trigger::Completed, _) => moved(State::Completed, MessageKind::DeliveryCompleted),
        (Trigger::Failed, _) => moved(State::Completed, MessageKind::DeliveryFailed),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use crate::step::Reason;
    use proptest::prelude::*;

    const GOOD: Facts = Facts { driver_free: true, own: true, success: true };

    #[test]
    fn every_pair_of_states_for_every_role() {
        const WHO: [(&str, [&str; 5]); 5] = [
            //             unassigned assigned active completed deleted
            ("unassigned", ["=", "oas", "-", "-", "oas"]),
            ("assigned", ["oas", "=", "moas", "-", "-"]),
            ("active", ["-", "-", "=", "moas", "-"]),
            ("completed", ["-", "-", "-", "=", "-"]),
            ("deleted", ["-", "-", "-", "-", "="]),
        ];
        for (from, row) in WHO {
            for (to, who) in State::ALL.iter().zip(row) {
                for role in Role::ALL {
                    let letter = role.code().chars().next().unwrap();
                    let label = format!("{from} -> {to} by {role}");
                    match transition(from.parse().unwrap(), *to, *role, &GOOD) {
                        Ok(Outcome::Unchanged) => assert_eq!(who, "=", "{label}"),
                        Ok(Outcome::Changed(_)) => assert!(who.contains(letter), "{label}"),
                        Err(Refused { reason: Reason::NoSuchStep, .. }) => assert_eq!(who, "-", "{label}"),
                        Err(Refused { reason: Reason::NotForRole, .. }) => assert!(!who.contains(letter), "{label}"),
                        Err(Refused { reason: Reason::Guard(g), .. }) => panic!("{label}: {g}"),
                    }
                }
            }
        }
    }

    #[test]
    fn guards_and_messages() {
        let start = |facts: Facts| transition(State::Assigned, State::Active, Role::Mate, &facts);
        assert_eq!(start(GOOD), Ok(Outcome::Changed(vec![MessageKind::DeliveryOnTheWay])));
        let busy = start(Facts { driver_free: false, ..GOOD }).unwrap_err();
        assert_eq!(busy.reason, Reason::Guard(Guard::DriverFree));
        assert_eq!(start(Facts { own: false, ..GOOD }).unwrap_err().reason, Reason::Guard(Guard::Own));
        let end = |success| transition(State::Active, State::Completed, Role::Ops, &Facts { success, ..GOOD });
        assert_eq!(end(true), Ok(Outcome::Changed(vec![MessageKind::DeliveryCompleted])));
        assert_eq!(end(false), Ok(Outcome::Changed(vec![MessageKind::DeliveryFailed])));
        assert_eq!(allowed(State::Assigned, Role::Mate, &GOOD), [State::Active]);
    }

    #[test]
    fn the_service_s_numbers() {
        for state in State::ALL {
            assert_eq!(state.number().and_then(State::from_number), state.number().map(|_| *state));
        }
        for trigger in Trigger::ALL {
            assert_eq!(Trigger::from_number(trigger.number()), Some(*trigger));
        }
        assert_eq!((State::from_number(4), Trigger::from_number(5)), (None, None));
    }

    #[test]
    fn webhooks_out_of_order() {
        let completed = on_trigger(State::Assigned, Trigger::Completed);
        assert_eq!(completed.state, Some(State::Completed));
        for late in Trigger::ALL {
            assert_eq!(on_trigger(State::Completed, *late), Webhook { state: None, message: None });
        }
        assert_eq!(on_trigger(State::Active, Trigger::Arrival).message, Some(MessageKind::DeliveryArriving));
        assert_eq!(on_trigger(State::Assigned, Trigger::Arrival).state, Some(State::Active));
        assert_eq!(on_trigger(State::Active, Trigger::Started), Webhook { state: None, message: None });
    }

    #[test]
    fn uploads_are_all_or_nothing() {
        assert_eq!(UploadState::Received.next(), [UploadState::Validated, UploadState::Rejected]);
        assert_eq!(UploadState::Validated.next(), [UploadState::Imported]);
        assert_eq!(UploadState::Rejected.next(), []);
    }

    proptest! {
        #[test]
        fn whatever_the_order_a_finished_task_stays_finished_and_is_told_once(order in proptest::collection::vec(0usize..5, 0..12)) {
            let (mut state, mut ends) = (State::Assigned, 0);
            for i in order {
                let was = state;
                let hook = on_trigger(state, Trigger::ALL[i]);
                state = hook.state.unwrap_or(state);
                prop_assert!(was != State::Completed || state == State::Completed);
                ends += i32::from(matches!(hook.message, Some(MessageKind::DeliveryCompleted | MessageKind::DeliveryFailed)));
            }
            prop_assert!(ends <= 1);
        }
    }
}
