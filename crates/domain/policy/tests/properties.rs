//! What holds for every total, lead and instant.
#![allow(clippy::unwrap_used, missing_docs)]

use kernel::{
    BasisPoints, Money,
    chrono::{DateTime, Duration, Utc},
};
use policy::{
    CancelledBy, Change, ChangeFeeMode, ChargeKind, Facts, Hours, Mode, RequestedBy, RetentionMode, Rule, Settings,
    attempt_at, cancellation, change_fee, customer_may_change_discount, customer_may_edit, due_charge, is_due,
    lock_charge, plan, plan_since, settle_edit,
};
use proptest::prelude::*;

fn booked() -> DateTime<Utc> {
    "2027-02-08T14:00:00Z".parse().unwrap()
}

fn cents(n: i64) -> Money {
    Money::from_cents(n)
}

/// Leads around every border, to the second.
fn lead() -> impl Strategy<Value = i64> {
    let near = |hours: i64| (-3i64..=3).prop_map(move |s| hours * 3600 + s);
    prop_oneof![near(0), near(24), near(48), near(72), near(78), -100_000i64..5_000_000]
}

fn settings() -> impl Strategy<Value = Settings> {
    (1i64..=10_000, 0u32..60, 0u32..80, 0u32..12).prop_map(|(deposit, free, lock, gap)| Settings {
        deposit: BasisPoints::new(deposit),
        free_window: Hours(free),
        lock_window: Hours(lock),
        min_gap_between_charges: Hours(gap),
        ..Settings::default()
    })
}

/// The facts at `at` when every charge went through at its instant.
fn facts_at(s: &Settings, total: Money, move_at: DateTime<Utc>, at: DateTime<Utc>) -> Facts {
    let mut facts = Facts::new(booked(), move_at, total);
    while let Some(charge) = due_charge(s, &facts).filter(|c| is_due(c.kind, c.due_at, at)) {
        facts.captured = facts.captured.plus(charge.amount);
        match charge.kind {
            ChargeKind::Deposit => facts.deposit_captured = Some(charge.amount),
            _ => {
                facts.balance_captured = true;
                facts.lock_entered = true;
            }
        }
    }
    facts
}

proptest! {
    #[test]
    fn the_charges_of_a_plan_add_up(s in settings(), total in -100i64..100_000_000, lead in lead()) {
        let move_at = booked() + Duration::seconds(lead);
        let plan = plan(&s, cents(total), booked(), move_at);
        let sum: Money = plan.charges.iter().map(|c| c.amount).sum();
        prop_assert_eq!(sum, cents(total.max(0)));
        prop_assert!(plan.charges.iter().all(|c| c.amount.is_positive() && c.due_at >= booked()));
        prop_assert!(plan.charges.windows(2).all(|w| w[0].due_at < w[1].due_at));
    }

    #[test]
    fn the_plan_is_what_the_charges_make_of_it(s in settings(), total in 1i64..100_000_000, lead in lead()) {
        let move_at = booked() + Duration::seconds(lead);
        let plan = plan(&s, cents(total), booked(), move_at);
        let end = facts_at(&s, cents(total), move_at, move_at.max(booked()) + Duration::days(1));
        prop_assert_eq!(end.captured, cents(total));
        prop_assert_eq!(end.deposit_captured, plan.charges.iter().find(|c| c.kind == ChargeKind::Deposit).map(|c| c.amount));
        prop_assert!(due_charge(&s, &end).is_none());
    }

    #[test]
    fn windows_are_contiguous_and_tell_what_a_cancellation_keeps(
        s in settings(), actual in any::<bool>(), total in 0i64..100_000_000, lead in lead(), sample in 0i64..6_000_000,
    ) {
        let mut s = s;
        if actual {
            s.retention.mode = RetentionMode::ActualCosts;
        }
        let move_at = booked() + Duration::seconds(lead);
        let plan = plan(&s, cents(total), booked(), move_at);
        let windows = &plan.cancellation;
        prop_assert_eq!(windows.first().unwrap().from, booked());
        prop_assert_eq!(windows.last().unwrap().until, None);
        for pair in windows.windows(2) {
            prop_assert_eq!(pair[0].until, Some(pair[1].from));
            prop_assert!(pair[0].kept <= pair[1].kept);
        }
        let borders = windows.iter().map(|w| w.from);
        let mut instants: Vec<DateTime<Utc>> =
            borders.flat_map(|at| [-1_000, -1, 0, 1, 1_000].map(|ms| at + Duration::milliseconds(ms))).collect();
        instants.push(booked() + Duration::seconds(sample));
        for at in instants.into_iter().filter(|at| *at >= booked()) {
            let facts = facts_at(&s, cents(total), move_at, at);
            let c = cancellation(&s, &facts, at, CancelledBy::Customer, false);
            prop_assert_eq!(c.kept, plan.window_at(at).unwrap().kept, "at {}", at);
            prop_assert_eq!(c.kept.plus(c.refund), facts.captured.plus(c.to_charge));
            prop_assert!(c.refund.is_zero() || c.to_charge.is_zero());
            prop_assert_eq!(customer_may_edit(&s, &facts, at), c.rule != Rule::Full);
        }
    }

    #[test]
    fn after_a_change_of_price_the_plan_keeps_the_deposit_and_says_what_a_cancellation_does(
        before in 1i64..10_000_000, now_total in 0i64..10_000_000, lead in lead(), age in 0i64..5_000_000, sooner in 0i64..3_000_000,
    ) {
        let s = Settings::default();
        let move_at = booked() + Duration::seconds(lead);
        let at = booked() + Duration::seconds(age);
        let mut facts = facts_at(&s, cents(before), move_at, at);
        facts.total = cents(now_total);
        facts.move_at = move_at - Duration::seconds(sooner);
        let plan = plan_since(&s, &facts, at);
        let sum: Money = plan.charges.iter().map(|c| c.amount).sum();
        prop_assert_eq!(sum, facts.total);
        if let Some(deposit) = facts.deposit_captured {
            let told = plan.charges.iter().find(|c| c.kind == ChargeKind::Deposit).map_or(Money::ZERO, |c| c.amount);
            prop_assert_eq!(told, deposit.min(facts.total));
            let rest = plan.charges.iter().find(|c| c.kind == ChargeKind::Balance).map_or(Money::ZERO, |c| c.amount);
            if !facts.balance_captured {
                prop_assert_eq!(rest, facts.missing().max(Money::ZERO));
            }
        }
        let kept = cancellation(&s, &facts, at, CancelledBy::Customer, false).kept;
        prop_assert_eq!(plan.window_at(at).unwrap().kept, kept, "at {}", at);
    }

    #[test]
    fn money_is_conserved_whatever_happened(
        total in 0i64..10_000_000, captured in 0i64..10_000_000, refunded in 0i64..10_000_000, deposit in proptest::option::of(0i64..3_000_000),
        lock_entered: bool, balance_captured: bool, lead in lead(), after in -10_000i64..6_000_000, waived: bool, company: bool,
    ) {
        let s = Settings::default();
        let facts = Facts {
            captured: cents(captured), refunded: cents(refunded.min(captured)), deposit_captured: deposit.map(cents), lock_entered,
            balance_captured, ..Facts::new(booked(), booked() + Duration::seconds(lead), cents(total))
        };
        let at = booked() + Duration::seconds(after);
        let by = if company { CancelledBy::Company } else { CancelledBy::Customer };
        let c = cancellation(&s, &facts, at, by, waived);
        prop_assert_eq!(c.kept.plus(c.refund), facts.net().plus(c.to_charge));
        prop_assert!(c.refund <= facts.net() && c.kept <= facts.total);
        if waived || company {
            prop_assert_eq!((c.kept, c.to_charge, c.refund), (Money::ZERO, Money::ZERO, facts.net()));
        }
        let settled = settle_edit(&s, &facts, at);
        let charged = settled.charge_now.map_or(Money::ZERO, |(_, amount)| amount);
        prop_assert!(settled.refund.is_zero() || charged.is_zero());
        let net = facts.net().plus(charged).minus(settled.refund);
        prop_assert!(net <= facts.total);
        if balance_captured || at >= facts.lock_at(&s) {
            prop_assert_eq!(net, facts.total);
        }
    }

    #[test]
    fn a_ladder_rises_and_ends(kind in prop::sample::select(ChargeKind::ALL.to_vec()), lock in 0i64..400_000) {
        let s = Settings::default();
        let lock_at = booked() + Duration::seconds(lock);
        let attempts: Vec<_> = (0..10).map_while(|n| attempt_at(&s, kind, booked(), n, lock_at)).collect();
        prop_assert!(attempts.len() <= 5 && attempts.windows(2).all(|w| w[0] < w[1]));
        if kind == ChargeKind::Deposit {
            prop_assert!(attempts.iter().all(|at| *at < lock_at));
        } else {
            prop_assert_eq!(attempts.first(), Some(&booked()));
        }
    }

    #[test]
    fn absurd_values_do_no_harm(total: i64, captured: i64, refunded: i64, deposit: i64, booked: i64, moved: i64, at: i64) {
        let instant = |n: i64| DateTime::from_timestamp(n / 1_000_000, 0).unwrap_or(if n < 0 { DateTime::<Utc>::MIN_UTC } else { DateTime::<Utc>::MAX_UTC });
        let s = Settings::default();
        let facts = Facts {
            captured: cents(captured), refunded: cents(refunded), deposit_captured: Some(cents(deposit)),
            ..Facts::new(instant(booked), instant(moved), cents(total))
        };
        let at = instant(at);
        let plan = plan(&s, facts.total, facts.booked_at, facts.move_at);
        prop_assert!(plan.window_at(at).is_some());
        prop_assert!(!cancellation(&s, &facts, at, CancelledBy::Customer, false).refund.is_negative());
        prop_assert!(!settle_edit(&s, &facts, at).refund.is_negative());
        prop_assert!(lock_charge(&s, &facts).is_none_or(|c| c.amount.is_positive()));
    }
}

#[test]
fn the_borders_of_the_modes() {
    let s = Settings::default();
    for (hours, seconds, mode) in [
        (20, 0, Mode::FullAtOnce),
        (48, 0, Mode::FullAtOnce),
        (48, 1, Mode::Merged),
        (72, 0, Mode::Merged),
        (72, 1, Mode::Split),
        (-5, 0, Mode::FullAtOnce),
    ] {
        let move_at = booked() + Duration::hours(hours) + Duration::seconds(seconds);
        assert_eq!(Mode::of(&s, booked(), move_at), mode, "{hours} h {seconds} s");
    }
    let gap = Settings { min_gap_between_charges: Hours(6), ..s };
    let at = |seconds| Mode::of(&gap, booked(), booked() + Duration::hours(78) + Duration::seconds(seconds));
    assert_eq!([at(0), at(1)], [Mode::Merged, Mode::Split]);
}

#[test]
fn free_until_names_its_own_instant_rightly() {
    let s = Settings::default();
    let of = |hours| plan(&s, cents(57_488), booked(), booked() + Duration::hours(hours)).free_until();
    assert_eq!(of(240), Some((booked() + Duration::hours(24), true)));
    assert_eq!(of(72), Some((booked() + Duration::hours(24), false)));
    assert_eq!(of(50), Some((booked() + Duration::hours(2), false)));
    assert_eq!(of(48), None);
}

#[test]
fn a_change_costs_only_when_every_condition_holds() {
    let s = Settings::default();
    let facts = Facts { mate_assigned: true, ..Facts::new(booked(), booked() + Duration::days(10), cents(57_488)) };
    let late = booked() + Duration::hours(24) + Duration::seconds(1);
    let change = Change { material: true, by: RequestedBy::Customer, waived: false };
    let fee = |s: &Settings, f: &Facts, at, c: Change| change_fee(s, f, cents(50_000), at, &c).cents();
    assert_eq!(fee(&s, &facts, late, change), 10_000);
    assert_eq!(fee(&s, &facts, booked() + Duration::hours(24), change), 0);
    assert_eq!(fee(&s, &Facts { mate_assigned: false, ..facts }, late, change), 0);
    assert_eq!(fee(&s, &facts, late, Change { material: false, ..change }), 0);
    assert_eq!(fee(&s, &facts, late, Change { by: RequestedBy::Staff, ..change }), 0);
    assert_eq!(fee(&s, &facts, late, Change { waived: true, ..change }), 0);
    for mode in [ChangeFeeMode::Manual, ChangeFeeMode::Off] {
        assert_eq!(fee(&Settings { change_fee_mode: mode, ..s.clone() }, &facts, late, change), 0);
    }
}

#[test]
fn a_locked_booking_stays_locked_for_its_customer() {
    let s = Settings::default();
    let facts = Facts::new(booked(), booked() + Duration::days(10), cents(57_488));
    let lock_at = facts.lock_at(&s);
    assert!(customer_may_edit(&s, &facts, lock_at - Duration::seconds(1)));
    assert!(!customer_may_edit(&s, &facts, lock_at));
    assert!(!customer_may_edit(&s, &Facts { lock_entered: true, ..facts }, booked()));
    let free_until = facts.free_until(&s);
    assert!(customer_may_change_discount(&s, &facts, free_until));
    assert!(!customer_may_change_discount(&s, &facts, free_until + Duration::seconds(1)));
}

#[test]
fn an_edit_charges_a_difference_only_after_everything_was_captured() {
    let s = Settings::default();
    let facts = Facts {
        captured: cents(57_488),
        deposit_captured: Some(cents(11_498)),
        balance_captured: true,
        lock_entered: true,
        ..Facts::new(booked(), booked() + Duration::days(3), cents(60_000))
    };
    let at = booked() + Duration::days(2);
    assert_eq!(settle_edit(&s, &facts, at).charge_now, Some((ChargeKind::Difference, cents(2_512))));
    let open = Facts { captured: cents(11_498), balance_captured: false, lock_entered: false, ..facts };
    assert_eq!(settle_edit(&s, &open, at).charge_now, Some((ChargeKind::Balance, cents(48_502))));
    assert_eq!(
        settle_edit(&s, &Facts { captured: Money::ZERO, ..open }, at).charge_now,
        Some((ChargeKind::Full, cents(60_000)))
    );
    assert_eq!(settle_edit(&s, &open, open.lock_at(&s)).charge_now, Some((ChargeKind::Balance, cents(48_502))));
    assert_eq!(settle_edit(&s, &open, open.lock_at(&s) - Duration::seconds(1)).charge_now, None);
}

#[test]
fn actual_costs_keep_nothing_by_rule() {
    let mut s = Settings::default();
    s.retention.mode = RetentionMode::ActualCosts;
    let facts = Facts {
        captured: cents(57_488),
        balance_captured: true,
        lock_entered: true,
        ..Facts::new(booked(), booked(), cents(57_488))
    };
    let c = cancellation(&s, &facts, booked(), CancelledBy::Customer, false);
    assert_eq!((c.rule, c.kept, c.refund), (Rule::Full, Money::ZERO, cents(57_488)));
}
