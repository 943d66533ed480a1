#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
use super::*;
use crate::message_kind::MessageKind;
use crate::step::Reason;
use kernel::Money;
use kernel::chrono::{DateTime, Duration, Utc};
use proptest::prelude::*;

/// The published table, typed again: who may (guards aside). c customer, m mate, p partner,
/// o operations, a administrator, s system; `=` the same state; `-` nobody.
const WHO: [(&str, [&str; 7]); 7] = [
    //            pending assigned completed invoiced payed cancelled deleted
    ("pending", ["=", "oas", "oa", "-", "-", "cpoas", "oa"]),
    ("assigned", ["oas", "=", "moas", "-", "-", "cpoas", "-"]),
    ("completed", ["-", "oa", "=", "oas", "oa", "-", "-"]),
    ("invoiced", ["-", "-", "oa", "=", "oas", "-", "-"]),
    ("payed", ["-", "-", "-", "oas", "=", "-", "oa"]),
    ("cancelled", ["oa", "-", "-", "-", "-", "=", "oa"]),
    ("deleted", ["a", "-", "-", "-", "a", "a", "="]),
];

fn letter(role: Role) -> char {
    match role {
        Role::Customer => 'c',
        Role::Mate => 'm',
        Role::Partner => 'p',
        Role::Ops => 'o',
        Role::Admin => 'a',
        Role::System => 's',
    }
}

fn now() -> DateTime<Utc> {
    "2027-02-16T14:00:00Z".parse().unwrap()
}

/// Facts under which every guard of a step holds.
fn good(from: Status, to: Status) -> Facts {
    let ahead = matches!((from, to), (Status::Cancelled | Status::Deleted, _) | (_, Status::Assigned));
    Facts {
        now: now(),
        start: now() + if ahead { Duration::hours(5) } else { -Duration::hours(5) },
        own: true,
        reason_given: true,
        payment_reference: true,
        crew: 2,
        crew_free: true,
        mate_count: 2,
        delivers_items: false,
        passed_completed: matches!(from, Status::Completed | Status::Invoiced | Status::Payed),
        completed_at: Some(now() - Duration::days(1)),
        cancelled_at: Some(now() - Duration::hours(1)),
        payed_at: Some(now() - Duration::days(31)),
        amount_due: Money::from_cents(if (from, to) == (Status::Payed, Status::Invoiced) { 100 } else { 0 }),
        capacity_free: true,
        previous: (from == Status::Deleted).then_some(to),
        ..Facts::default()
    }
}

#[test]
fn every_pair_of_states_for_every_role() {
    for (from, row) in WHO {
        for (to, who) in Status::ALL.iter().zip(row) {
            let from: Status = from.parse().unwrap();
            for role in Role::ALL {
                let answer = transition(from, *to, *role, &good(from, *to));
                let label = format!("{from} -> {to} by {role}");
                match answer {
                    Ok(Outcome::Unchanged) => assert_eq!(who, "=", "{label}"),
                    Ok(Outcome::Changed(_)) => assert!(who.contains(letter(*role)), "{label}"),
                    Err(Refused { reason: Reason::NoSuchStep, .. }) => assert_eq!(who, "-", "{label}"),
                    Err(Refused { reason: Reason::NotForRole, .. }) => {
                        assert!(who != "-" && who != "=" && !who.contains(letter(*role)), "{label}");
                    }
                    Err(Refused { reason: Reason::Guard(g), .. }) => panic!("{label}: {g}"),
                }
            }
        }
    }
}

/// Facts in which exactly that guard fails.
fn broken(facts: Facts, guard: Guard) -> Facts {
    let mut f = facts;
    match guard {
        Guard::Own => f.own = false,
        Guard::ReasonGiven => f.reason_given = false,
        Guard::CrewFree => f.crew_free = false,
        Guard::CrewWithinCount => f.mate_count = f.crew - 1,
        Guard::NotLongPast => f.start = f.now - Duration::hours(24) - Duration::seconds(1),
        Guard::StartReached => f.start = f.now + Duration::seconds(1),
        Guard::StartAhead => f.start = f.now,
        Guard::CrewRecorded => f.crew = 0,
        Guard::PassedCompleted => f.passed_completed = false,
        Guard::ReopenWindow => f.completed_at = Some(f.now - Duration::days(7) - Duration::seconds(1)),
        Guard::NoLiveInvoice => f.invoice_live = true,
        Guard::NoInvoiceWanted => f.invoice_wanted = true,
        Guard::NothingOwed => f.amount_due = Money::from_cents(1),
        Guard::AmountOwed => f.amount_due = Money::ZERO,
        Guard::PaymentReference => f.payment_reference = false,
        Guard::CapacityFree => f.capacity_free = false,
        Guard::UncancelWindow => f.cancelled_at = Some(f.now - Duration::hours(24) - Duration::seconds(1)),
        Guard::NetZero => f.net_paid = Money::from_cents(1),
        Guard::NoOpenRefunds => f.refunds_open = true,
        Guard::TidyTime => f.payed_at = Some(f.now - Duration::days(30) + Duration::seconds(1)),
        Guard::WasBefore => f.previous = None,
    }
    f
}

#[test]
fn every_guard_of_every_rule_refuses_alone() {
    let mut seen = std::collections::HashSet::new();
    for rule in TABLE {
        for guard in rule.guards {
            let facts = broken(good(rule.from, rule.to), *guard);
            let refused = transition(rule.from, rule.to, rule.roles[0], &facts).expect_err("a guard fails");
            assert_eq!(refused.reason, Reason::Guard(*guard), "{} -> {}", rule.from, rule.to);
            assert!(!refused.allowed.contains(&rule.to));
            seen.insert(*guard);
        }
    }
    assert_eq!(seen.len(), Guard::ALL.len(), "a guard nobody uses");
}

#[test]
fn what_people_can_say_is_asked_for_last() {
    for rule in TABLE {
        for guard in rule.guards.iter().filter(|g| !matches!(g, Guard::ReasonGiven | Guard::PaymentReference)) {
            let facts = broken(good(rule.from, rule.to), *guard);
            let silent = Facts { reason_given: false, payment_reference: false, ..facts };
            let refused = transition(rule.from, rule.to, rule.roles[0], &silent).expect_err("a guard fails");
            assert_eq!(refused.reason, Reason::Guard(*guard), "{} -> {}", rule.from, rule.to);
        }
    }
}

#[test]
fn windows_include_their_ends() {
    let at = |from, to, change: fn(&mut Facts)| {
        let mut facts = good(from, to);
        change(&mut facts);
        transition(from, to, Role::Admin, &facts).is_ok()
    };
    assert!(at(Status::Pending, Status::Assigned, |f| f.start = f.now - Duration::hours(24)));
    assert!(at(Status::Assigned, Status::Completed, |f| f.start = f.now));
    assert!(at(Status::Completed, Status::Assigned, |f| f.completed_at = Some(f.now - Duration::days(7))));
    assert!(at(Status::Cancelled, Status::Pending, |f| f.cancelled_at = Some(f.now - Duration::hours(24))));
    assert!(at(Status::Payed, Status::Deleted, |f| f.payed_at = Some(f.now - Duration::days(30))));
    assert!(!at(Status::Completed, Status::Assigned, |f| f.completed_at = None));
}

#[test]
fn forgotten_facts_refuse() {
    for rule in TABLE.iter().filter(|r| !r.guards.is_empty()) {
        let harmless =
            [Guard::NetZero, Guard::NoOpenRefunds, Guard::NothingOwed, Guard::NoInvoiceWanted, Guard::NoLiveInvoice];
        if !rule.guards.iter().all(|g| harmless.contains(g)) {
            assert!(
                transition(rule.from, rule.to, rule.roles[0], &Facts::default()).is_err(),
                "{} -> {}",
                rule.from,
                rule.to
            );
        }
    }
}

fn effects(from: Status, to: Status, facts: &Facts) -> Vec<Effect> {
    match transition(from, to, Role::Admin, facts).unwrap() {
        Outcome::Changed(effects) => effects,
        Outcome::Unchanged => panic!("unchanged"),
    }
}

#[test]
fn effects_follow_the_facts() {
    let cancel = |keeps_money| effects(Status::Assigned, Status::Cancelled, &Facts { keeps_money, ..Facts::default() });
    assert!(cancel(true).contains(&Effect::IssueCancellationInvoice));
    assert!(!cancel(false).contains(&Effect::IssueCancellationInvoice));
    for effect in
        [Effect::SettleCancellation, Effect::ReleaseCapacity, Effect::ReleaseMates, Effect::CancelDeliveryTasks]
    {
        assert!(cancel(false).contains(&effect));
    }
    assert_eq!(cancel(true).last(), Some(&Effect::Send(MessageKind::BookingCancelled)));

    let complete = |passed_completed| {
        effects(
            Status::Assigned,
            Status::Completed,
            &Facts { passed_completed, ..good(Status::Assigned, Status::Completed) },
        )
    };
    assert_eq!(complete(false), [Effect::RecordCompletion, Effect::ScheduleTip, Effect::ScheduleFeedback]);
    assert_eq!(complete(true), complete(false), "a reopened move that is done again has a new instant");

    let assign = |delivers_items| {
        effects(Status::Pending, Status::Assigned, &Facts { delivers_items, ..good(Status::Pending, Status::Assigned) })
    };
    assert!(assign(true).contains(&Effect::CreateDeliveryTask));
    assert!(!assign(false).contains(&Effect::CreateDeliveryTask));
}

#[test]
fn nothing_is_assigned_without_a_crew() {
    for rule in TABLE.iter().filter(|r| r.to == Status::Assigned) {
        let facts = Facts { crew: 0, ..good(rule.from, Status::Assigned) };
        let refused = transition(rule.from, Status::Assigned, Role::Ops, &facts).expect_err("nobody comes");
        assert!(matches!(refused.reason, Reason::Guard(Guard::CrewFree | Guard::CrewRecorded)), "{refused}");
        assert!(!allowed(rule.from, Role::Ops, &facts).contains(&Status::Assigned));
        assert!(rule.effects.contains(&Effect::AssignMates), "{} -> assigned", rule.from);
    }
}

#[test]
fn deleting_gives_capacity_back_and_restoring_takes_it_again_while_it_matters() {
    assert!(effects(Status::Pending, Status::Deleted, &Facts::default()).contains(&Effect::ReleaseCapacity));
    let ahead = good(Status::Deleted, Status::Pending);
    assert_eq!(effects(Status::Deleted, Status::Pending, &ahead), [Effect::TakeCapacity, Effect::ScheduleCharges]);
    let past = Facts { start: now() - Duration::days(9), capacity_free: false, ..ahead };
    assert_eq!(effects(Status::Deleted, Status::Pending, &past), []);
    // No mail about what people are not meant to see.
    for rule in TABLE.iter().filter(|r| r.from == Status::Deleted || r.to == Status::Deleted) {
        assert!(!rule.effects.iter().any(|e| matches!(e, Effect::Send(_))));
    }
}

#[test]
fn refusals_name_what_is_possible() {
    let facts = good(Status::Pending, Status::Cancelled);
    let refused = transition(Status::Pending, Status::Invoiced, Role::Customer, &facts).unwrap_err();
    assert_eq!(refused.allowed, [Status::Cancelled]);
    assert_eq!(refused.to_string(), "pending cannot become invoiced: there is no such step");
    assert_eq!(
        allowed(Status::Pending, Role::Ops, &facts),
        [Status::Assigned, Status::Completed, Status::Cancelled, Status::Deleted]
    );
    assert_eq!(allowed(Status::Pending, Role::Mate, &facts), []);
    assert_eq!(allowed(Status::Invoiced, Role::Customer, &facts), []);
}

#[test]
fn edits_and_sight_follow_the_status() {
    use EditScope::*;
    for status in Status::ALL {
        let open = matches!(status, Status::Pending | Status::Assigned);
        assert_eq!(edit_scope(*status, Role::Customer, true), if open { Everything } else { Nothing });
        assert_eq!(edit_scope(*status, Role::Customer, false), Nothing);
        let staff = if open {
            Everything
        } else if *status == Status::Completed {
            Afterwards
        } else {
            Nothing
        };
        assert_eq!(edit_scope(*status, Role::Ops, false), staff);
        assert_eq!(edit_scope(*status, Role::Mate, true), Nothing);
        for role in [Role::Customer, Role::Mate, Role::Partner, Role::Ops] {
            assert_eq!(visible_to(*status, role), *status != Status::Deleted);
        }
        assert!(visible_to(*status, Role::Admin));
    }
}

#[test]
fn the_right_to_an_invoice_is_read_from_history() {
    assert!(passed_completed([Status::Assigned, Status::Completed, Status::Assigned]));
    assert!(!passed_completed([Status::Pending, Status::Assigned, Status::Cancelled]));
}

proptest! {
    /// Along any walk: allowed and transition agree, nothing frozen is undone, and an invoice is
    /// never reached without completion.
    #[test]
    fn walks_keep_their_promises(steps in proptest::collection::vec((0usize..7, 0usize..6), 1..40)) {
        let (mut status, mut history) = (Status::Pending, vec![Status::Pending]);
        for (to, role) in steps {
            let (to, role) = (Status::ALL[to], Role::ALL[role]);
            let passed = passed_completed(history.iter().copied());
            let previous = (status == Status::Deleted).then(|| history[history.len() - 2]);
            let facts = Facts { passed_completed: passed, previous, ..good(status, to) };
            let answer = transition(status, to, role, &facts);
            prop_assert_eq!(matches!(answer, Ok(Outcome::Changed(_))), allowed(status, role, &facts).contains(&to));
            if let Ok(Outcome::Changed(_)) = answer {
                let frozen = matches!(status, Status::Completed | Status::Invoiced);
                prop_assert!(!(frozen && matches!(to, Status::Cancelled | Status::Deleted)));
                prop_assert!(to != Status::Invoiced || passed);
                status = to;
                history.push(to);
            }
        }
    }
}
