#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
use super::*;
use crate::booking::Status;
use crate::message_kind::MessageKind;
use crate::step::Reason;
use kernel::Money;
use proptest::prelude::*;

/// Who may take each step, guards aside: c customer, o operations, a administrator, s system.
const STEPS: [(&str, &[(&str, &str)]); 15] = [
    ("scheduled", &[("processing", "s"), ("skipped", "oas")]),
    (
        "processing",
        &[
            ("unknown", "s"),
            ("authorized", "s"),
            ("captured", "s"),
            ("soft_declined", "s"),
            ("hard_declined", "s"),
            ("failed", "s"),
        ],
    ),
    (
        "unknown",
        &[
            ("processing", "oas"),
            ("authorized", "oas"),
            ("captured", "oas"),
            ("soft_declined", "oas"),
            ("hard_declined", "oas"),
            ("failed", "oas"),
        ],
    ),
    ("authorized", &[("captured", "s"), ("voided", "oas"), ("expired", "s")]),
    ("captured", &[("settled", "s"), ("voided", "oas"), ("failed", "s")]),
    ("settled", &[("refunded", "oas"), ("partially_refunded", "oas"), ("charged_back", "s")]),
    ("soft_declined", &[("processing", "coas"), ("failed", "s")]),
    ("hard_declined", &[("processing", "coas"), ("failed", "s")]),
    ("failed", &[("processing", "oa")]),
    ("voided", &[]),
    ("expired", &[]),
    ("skipped", &[]),
    ("refunded", &[]),
    ("partially_refunded", &[("refunded", "oas")]),
    ("charged_back", &[("settled", "s")]),
];

const GOOD: Facts =
    Facts { due: true, not_needed: true, attempt_due: true, new_card: true, ladder_ended: true, not_at_gateway: true };

#[test]
fn every_pair_of_states_for_every_role() {
    for (from, steps) in STEPS {
        for to in State::ALL {
            let who = steps.iter().find(|(t, _)| *t == to.code()).map(|(_, who)| *who);
            for role in Role::ALL {
                let letter = role.code().chars().next().unwrap();
                let label = format!("{from} -> {to} by {role}");
                match transition(from.parse().unwrap(), *to, *role, &GOOD) {
                    Ok(Outcome::Unchanged) => assert_eq!(from, to.code(), "{label}"),
                    Ok(Outcome::Changed(_)) => assert!(who.unwrap_or("").contains(letter), "{label}"),
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

#[test]
fn guards_refuse_alone() {
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
            }
            let refused = transition(rule.from, rule.to, rule.roles[0], &facts).unwrap_err();
            assert_eq!(refused.reason, Reason::Guard(*guard));
            assert!(!allowed(rule.from, rule.roles[0], &facts).contains(&rule.to));
        }
    }
}

#[test]
fn money_is_booked_exactly_where_it_moves() {
    // What the rows of the ledger say must follow from the states alone.
    let holds_money = |s: State| matches!(s, State::Captured | State::Settled | State::PartiallyRefunded);
    for rule in TABLE {
        let books = rule.effects.iter().any(|e| {
            matches!(e, Effect::BookCapture | Effect::BookReversal | Effect::BookRefund | Effect::BookChargeback)
        });
        let moves = holds_money(rule.from) != holds_money(rule.to) || rule.to == State::PartiallyRefunded;
        assert_eq!(books, moves, "{} -> {}", rule.from, rule.to);
    }
    for rule in TABLE.iter().filter(|r| matches!(r.to, State::SoftDeclined | State::HardDeclined)) {
        assert!(rule.effects.contains(&Effect::Send(MessageKind::PaymentFailed)));
    }
}

#[test]
fn the_gateway_s_words() {
    let cases = [
        ("AUTHORIZING", State::Processing),
        ("AUTHORIZED", State::Authorized),
        ("AUTHORIZATION_EXPIRED", State::Expired),
        ("submitted_for_settlement", State::Captured),
        ("settling", State::Captured),
        ("SETTLED", State::Settled),
        ("SETTLEMENT_CONFIRMED", State::Settled),
        ("SETTLEMENT_PENDING", State::Unknown),
        ("SETTLEMENT_DECLINED", State::Failed),
        ("PROCESSOR_DECLINED", State::SoftDeclined),
        ("GATEWAY_REJECTED", State::SoftDeclined),
        ("FAILED", State::Failed),
        ("VOIDED", State::Voided),
    ];
    for (word, state) in cases {
        assert_eq!(from_provider(word, false), Some(state), "{word}");
    }
    assert_eq!(from_provider("PROCESSOR_DECLINED", true), Some(State::HardDeclined));
    assert_eq!(from_provider("SOMETHING_NEW", false), None);
}

fn word(total: i64, captured: i64, refunded: i64, charged_back: i64, open_problem: bool) -> BookingPaymentState {
    let money = Money::from_cents;
    booking_payment_state(&PaymentTotals {
        total: money(total),
        captured: money(captured),
        refunded: money(refunded),
        charged_back: money(charged_back),
        open_problem,
    })
}

#[test]
fn a_booking_s_money_in_one_word() {
    use BookingPaymentState::*;
    assert_eq!(word(57_488, 0, 0, 0, false), None);
    assert_eq!(word(0, 0, 0, 0, false), None);
    assert_eq!(word(57_488, 11_498, 0, 0, false), DepositPaid);
    assert_eq!(word(57_488, 57_487, 0, 0, false), DepositPaid);
    assert_eq!(word(57_488, 57_488, 0, 0, false), Paid);
    assert_eq!(word(50_000, 57_488, 7_488, 0, false), PartiallyRefunded);
    assert_eq!(word(57_488, 57_488, 57_488, 0, false), Refunded);
    assert_eq!(word(57_488, 57_488, 0, 57_488, false), Problem);
    assert_eq!(word(57_488, 11_498, 0, 0, true), Problem);
}

#[test]
fn tips_change_until_paid_or_off() {
    for status in Status::ALL {
        assert!(!tip_editable(true, *status));
        assert_eq!(tip_editable(false, *status), !matches!(status, Status::Cancelled | Status::Deleted));
    }
}

#[test]
fn cards_go_one_way() {
    assert_eq!(CardState::Stored.next(), [CardState::Expired, CardState::Removed]);
    for end in [CardState::Expired, CardState::Removed] {
        assert_eq!(end.next(), []);
    }
}

proptest! {
    /// A charge is captured at most once between two reversals, along any walk.
    #[test]
    fn no_walk_captures_twice(steps in proptest::collection::vec(0usize..15, 1..60)) {
        let (mut state, mut held) = (State::Scheduled, 0i32);
        for to in steps {
            if let Ok(Outcome::Changed(effects)) = transition(state, State::ALL[to], Role::System, &GOOD) {
                for effect in &effects {
                    match effect {
                        Effect::BookCapture => held += 1,
                        Effect::BookReversal => held -= 1,
                        _ => {}
                    }
                }
                prop_assert!((0..=1).contains(&held));
                state = State::ALL[to];
            }
        }
    }
}
