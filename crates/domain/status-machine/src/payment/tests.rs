#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
use super::*;
use crate::booking::Status;
use crate::step::{Reason, Refused};
use proptest::prelude::*;

/// Who may take each step, guards aside: c customer, o operations, a administrator, s system.
const STEPS: [(&str, &[(&str, &str)]); 15] = [
    ("scheduled", &[("processing", "s"), ("skipped", "oas")]),
    (
        "processing",
        &[
            ("unknown", "s"),
            ("captured", "s"),
            ("soft_declined", "s"),
            ("hard_declined", "s"),
            ("failed", "s"),
            ("scheduled", "s"),
        ],
    ),
    (
        "unknown",
        &[
            ("scheduled", "oas"),
            ("captured", "oas"),
            ("soft_declined", "oas"),
            ("hard_declined", "oas"),
            ("failed", "oas"),
        ],
    ),
    ("authorized", &[]),
    ("captured", &[("settled", "s"), ("failed", "s")]),
    ("settled", &[("refunded", "oas"), ("partially_refunded", "oas"), ("failed", "s"), ("charged_back", "s")]),
    ("soft_declined", &[("processing", "coas"), ("failed", "s"), ("skipped", "oas")]),
    ("hard_declined", &[("processing", "coas"), ("failed", "s"), ("skipped", "oas")]),
    ("failed", &[("processing", "coas"), ("skipped", "oas")]),
    ("voided", &[]),
    ("expired", &[]),
    ("skipped", &[]),
    ("refunded", &[("settled", "s"), ("partially_refunded", "s"), ("failed", "s"), ("charged_back", "s")]),
    ("partially_refunded", &[("settled", "s"), ("refunded", "oas"), ("failed", "s"), ("charged_back", "s")]),
    ("charged_back", &[("settled", "s"), ("partially_refunded", "s"), ("refunded", "s")]),
];

const GOOD: Facts = Facts {
    due: true,
    not_needed: true,
    attempt_due: true,
    new_card: true,
    ladder_ended: true,
    not_at_gateway: true,
    at_gateway: true,
    taken_back: true,
};

#[test]
fn every_pair_of_states_for_every_role() {
    for (from, steps) in STEPS {
        for to in State::ALL {
            let who = steps.iter().find(|(t, _)| *t == to.code()).map(|(_, who)| *who);
            for role in Role::ALL {
                let letter = role.code().chars().next().unwrap();
                let label = format!("{from} -> {to} by {role}");
                match transition(from.parse().unwrap(), *to, *role, &GOOD) {
                    Ok(false) => assert_eq!(from, to.code(), "{label}"),
                    Ok(true) => assert!(who.unwrap_or("").contains(letter), "{label}"),
                    Err(Refused { reason: Reason::NoSuchStep, .. }) => assert_eq!(who, None, "{label}"),
                    Err(Refused { reason: Reason::NotForRole, .. }) => {
                        assert!(who.is_some_and(|w| !w.contains(letter)), "{label}");
                    }
                    Err(Refused { reason: Reason::Guard(g), .. }) => panic!("{label}: {g}"),
                }
            }
        }
    }
}

/// Without what a rule asks for, its pair needs another rule.
#[test]
fn guards_refuse() {
    for rule in TABLE {
        for guard in rule.guards {
            let mut facts = GOOD;
            match guard {
                Guard::Due => facts.due = false,
                Guard::NotNeeded => facts.not_needed = false,
                Guard::NextAttempt => (facts.attempt_due, facts.new_card) = (false, false),
                Guard::NewCard => facts.new_card = false,
                Guard::LadderEnded => facts.ladder_ended = false,
                Guard::NotAtGateway => facts.not_at_gateway = false,
                Guard::AtGateway => facts.at_gateway = false,
                Guard::TakenBack => facts.taken_back = false,
            }
            let role = rule.roles[0];
            let another = TABLE.iter().any(|r| {
                (r.from, r.to) == (rule.from, rule.to) && r.roles.contains(&role) && !r.guards.contains(guard)
            });
            let told = transition(rule.from, rule.to, role, &facts);
            assert_eq!(told.is_ok(), another, "{} -> {} without {guard}", rule.from, rule.to);
        }
    }
    // A refused card is tried again with another one only.
    let same = Facts { attempt_due: true, due: true, ..Facts::default() };
    for state in [State::HardDeclined, State::Failed] {
        let refused = transition(state, State::Processing, Role::System, &same).unwrap_err();
        assert_eq!(refused.reason, Reason::Guard(Guard::NewCard));
    }
}

#[test]
fn tips_change_until_paid_or_off() {
    for status in Status::ALL {
        assert!(!tip_editable(true, *status));
        assert_eq!(tip_editable(false, *status), !matches!(status, Status::Cancelled | Status::Deleted));
    }
}

proptest! {
    /// Money is taken by way of a request, however a payment walks: nothing that holds money is sent again
    /// before the gateway said that the money is gone.
    #[test]
    fn no_walk_charges_what_is_held(steps in proptest::collection::vec(0usize..15, 1..60)) {
        let holds = |s: State| matches!(s, State::Captured | State::Settled | State::PartiallyRefunded | State::Refunded);
        let mut at = At::scheduled();
        for to in steps {
            let before = *at;
            if at.go(State::ALL[to], Role::System, &GOOD).is_err() {
                prop_assert_eq!(*at, before);
            }
            if holds(before) {
                prop_assert!(*at != State::Processing && *at != State::Scheduled);
            }
            if holds(*at) && !holds(before) {
                prop_assert!(matches!(before, State::Processing | State::Unknown | State::ChargedBack));
            }
        }
    }
}
