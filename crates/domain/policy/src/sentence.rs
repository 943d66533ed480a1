//! Which sentences tell a plan to people. Codes only: the texts are in the messages file, and name the figures of the settings.

use kernel::{
    BasisPoints, Money,
    chrono::{DateTime, Utc},
};

use crate::{
    Cancellation, ChangeFeeMode, ChargeKind, Hours, Mode, PaymentPlan, RetentionMode, Rule, Settings, plan::plan,
};

/// What one sentence says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Term {
    /// The deposit comes at the end of the free window and is kept whole.
    Deposit,
    /// There is no free window: the deposit comes with the booking and is kept whole.
    DepositAtBooking,
    /// The deposit comes at the end of the free window; not all of it is kept.
    DepositOnly,
    /// The deposit comes with the booking; not all of it is kept.
    DepositOnlyAtBooking,
    /// The rest comes at the lock.
    Balance,
    /// Everything comes with the booking.
    FullAtOnce,
    /// Everything comes at the lock.
    Merged,
    /// Cancelling is free within the free window and before the lock.
    CancelFree,
    /// Cancelling is free before the lock, also after the free window.
    CancelFreeToLock,
    /// After the free window the deposit is kept.
    DepositKept,
    /// The deposit is kept from the booking on.
    DepositKeptAtOnce,
    /// After the free window a share of the total is kept.
    ShareKept,
    /// A share of the total is kept from the booking on.
    ShareKeptAtOnce,
    /// After the lock the rest is charged, and all of it is kept.
    LockRest,
    /// After the lock nothing is given back.
    LockFull,
    /// After the lock a share of the total is kept.
    LockShare,
    /// Nothing is ever kept.
    CancelAlwaysFree,
    /// What was spent and done is billed instead of a share.
    ActualCosts,
    /// What a change costs after the free window.
    Changes,
    /// What a change costs where there is no free window.
    ChangesAtOnce,
}

impl Term {
    /// All of them, in the order they are read.
    pub const ALL: [Term; 20] = [
        Term::Deposit,
        Term::DepositAtBooking,
        Term::DepositOnly,
        Term::DepositOnlyAtBooking,
        Term::Balance,
        Term::FullAtOnce,
        Term::Merged,
        Term::CancelFree,
        Term::CancelFreeToLock,
        Term::DepositKept,
        Term::DepositKeptAtOnce,
        Term::ShareKept,
        Term::ShareKeptAtOnce,
        Term::LockRest,
        Term::LockFull,
        Term::LockShare,
        Term::CancelAlwaysFree,
        Term::ActualCosts,
        Term::Changes,
        Term::ChangesAtOnce,
    ];

    /// The code of the HTTP contract.
    pub const fn code(self) -> &'static str {
        match self {
            Term::Deposit => "deposit",
            Term::DepositAtBooking => "depositAtBooking",
            Term::DepositOnly => "depositOnly",
            Term::DepositOnlyAtBooking => "depositOnlyAtBooking",
            Term::Balance => "balance",
            Term::FullAtOnce => "fullAtOnce",
            Term::Merged => "merged",
            Term::CancelFree => "cancelFree",
            Term::CancelFreeToLock => "cancelFreeToLock",
            Term::DepositKept => "depositKept",
            Term::DepositKeptAtOnce => "depositKeptAtOnce",
            Term::ShareKept => "shareKept",
            Term::ShareKeptAtOnce => "shareKeptAtOnce",
            Term::LockRest => "lockRest",
            Term::LockFull => "lockFull",
            Term::LockShare => "lockShare",
            Term::CancelAlwaysFree => "cancelAlwaysFree",
            Term::ActualCosts => "actualCosts",
            Term::Changes => "changes",
            Term::ChangesAtOnce => "changesAtOnce",
        }
    }

    /// Its text in the messages file.
    pub const fn key(self) -> &'static str {
        match self {
            Term::Deposit => "payment.deposit",
            Term::DepositAtBooking => "payment.depositAtBooking",
            Term::DepositOnly => "payment.depositOnly",
            Term::DepositOnlyAtBooking => "payment.depositOnlyAtBooking",
            Term::Balance => "payment.balance",
            Term::FullAtOnce => "payment.fullAtOnce",
            Term::Merged => "payment.merged",
            Term::CancelFree => "guideline.cancelFree",
            Term::CancelFreeToLock => "guideline.cancelFreeToLock",
            Term::DepositKept => "guideline.cancelAfter24",
            Term::DepositKeptAtOnce => "guideline.depositKeptAtOnce",
            Term::ShareKept => "guideline.shareKept",
            Term::ShareKeptAtOnce => "guideline.shareKeptAtOnce",
            Term::LockRest => "guideline.within48",
            Term::LockFull => "guideline.within48Full",
            Term::LockShare => "guideline.within48Share",
            Term::CancelAlwaysFree => "guideline.cancelAlwaysFree",
            Term::ActualCosts => "guideline.actualCosts",
            Term::Changes => "guideline.changes",
            Term::ChangesAtOnce => "guideline.changesAtOnce",
        }
    }

    /// It tells what a change costs.
    pub const fn is_of_changes(self) -> bool {
        matches!(self, Term::Changes | Term::ChangesAtOnce)
    }
}

/// One sentence with the amount and the instant it has in this very plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sentence {
    /// What it says.
    pub term: Term,
    /// Money it speaks of.
    pub amount: Option<Money>,
    /// Instant it speaks of.
    pub at: Option<DateTime<Utc>>,
}

/// The terms of a booking in the order they are read: what is charged when, then what a
/// cancellation keeps, then what a change costs.
pub fn sentences(s: &Settings, plan: &PaymentPlan) -> Vec<Sentence> {
    let mut all = Vec::with_capacity(6);
    let at_once = s.free_window == Hours(0);
    for charge in &plan.charges {
        let term = match (charge.kind, plan.mode) {
            (ChargeKind::Deposit, _) => match (keeps_deposit(s), at_once) {
                (true, false) => Term::Deposit,
                (true, true) => Term::DepositAtBooking,
                (false, false) => Term::DepositOnly,
                (false, true) => Term::DepositOnlyAtBooking,
            },
            (ChargeKind::Full, Mode::FullAtOnce) => Term::FullAtOnce,
            (ChargeKind::Full, _) => Term::Merged,
            _ => Term::Balance,
        };
        all.push(Sentence { term, amount: Some(charge.amount), at: Some(charge.due_at) });
    }
    all.extend(of_cancelling(s, plan));
    // After the lock nothing is changed online: what a change costs is no promise to make then.
    let costs = s.change_fee_mode != ChangeFeeMode::Off && s.change_fee.get() > 0;
    if costs && plan.mode != Mode::FullAtOnce {
        let term = if at_once { Term::ChangesAtOnce } else { Term::Changes };
        all.push(Sentence { term, amount: None, at: None });
    }
    all
}

/// The terms of a booking for a day far off, which are read before there is one.
pub fn general_terms(s: &Settings) -> Vec<Term> {
    let booked = DateTime::<Utc>::UNIX_EPOCH;
    let after = |hours: Hours, at| hours.after(at);
    let start = after(Hours(1), after(s.min_gap_between_charges, after(s.lock_window, after(s.free_window, booked))));
    let plan = plan(s, Money::from_cents(100_000), booked, start);
    sentences(s, &plan).into_iter().map(|sentence| sentence.term).collect()
}

/// The whole deposit is kept after the free window.
fn keeps_deposit(s: &Settings) -> bool {
    s.retention.mode == RetentionMode::Policy && s.retention.after_free >= s.deposit
}

fn of_cancelling(s: &Settings, plan: &PaymentPlan) -> Vec<Sentence> {
    let Some(last) = plan.cancellation.last() else { return Vec::new() };
    let of = |term, amount, at| Sentence { term, amount: Some(amount), at: Some(at) };
    let (after_free, after_lock) = (s.retention.after_free.get(), s.retention.after_lock);
    if s.retention.mode == RetentionMode::ActualCosts {
        return vec![of(Term::ActualCosts, last.kept, last.from)];
    }
    if after_lock.get() == 0 {
        return vec![of(Term::CancelAlwaysFree, last.kept, last.from)];
    }
    let mut all = Vec::with_capacity(3);
    let has = |kind| plan.charges.iter().any(|c| c.kind == kind);
    // Where no deposit is charged none is kept.
    let keeps_deposit = keeps_deposit(s) && has(ChargeKind::Deposit);
    let before = &plan.cancellation[..plan.cancellation.len() - 1];
    if after_free == 0 {
        let until = before.last().and_then(|window| window.until.map(|until| (window.kept, until)));
        all.extend(until.map(|(kept, until)| of(Term::CancelFreeToLock, kept, until)));
    } else {
        for (n, window) in before.iter().enumerate() {
            let until = window.until.unwrap_or(window.from);
            let term = match (n, plan.mode, keeps_deposit) {
                // A window that ends where it begins promises nothing.
                (0, ..) if until == window.from => continue,
                (0, ..) => Term::CancelFree,
                (_, Mode::Split, true) if s.free_window == Hours(0) => Term::DepositKeptAtOnce,
                (_, Mode::Split, true) => Term::DepositKept,
                _ if s.free_window == Hours(0) => Term::ShareKeptAtOnce,
                _ => Term::ShareKept,
            };
            all.push(of(term, window.kept, until));
        }
    }
    let term = match after_lock {
        // A remaining part is promised only where the price is charged in two parts.
        BasisPoints::ONE if has(ChargeKind::Deposit) && has(ChargeKind::Balance) => Term::LockRest,
        BasisPoints::ONE => Term::LockFull,
        _ => Term::LockShare,
    };
    all.push(of(term, last.kept, last.from));
    all
}

impl Cancellation {
    /// The sentence a customer confirms before cancelling; its amount is what is kept.
    pub fn message_key(&self) -> &'static str {
        match self.rule {
            Rule::Free => "booking.cancelFree",
            Rule::Deposit => "booking.cancelDeposit",
            Rule::Full => "booking.cancelFull",
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{Retention, plan};

    fn terms(s: &Settings, lead: u32) -> Vec<&'static str> {
        let booked: DateTime<Utc> = "2027-02-08T14:00:00Z".parse().unwrap();
        let plan = plan(s, Money::from_cents(57_488), booked, Hours(lead).after(booked));
        sentences(s, &plan).iter().map(|x| x.term.code()).collect()
    }

    const SHIPPED: [&str; 6] = ["deposit", "balance", "cancelFree", "depositKept", "lockRest", "changes"];

    fn kept(after_free: i64, after_lock: i64) -> Retention {
        let [after_free, after_lock] = [after_free, after_lock].map(BasisPoints::new);
        Retention { after_free, after_lock, ..Retention::default() }
    }

    #[test]
    fn each_mode_has_its_sentences() {
        let s = Settings::default();
        assert_eq!(terms(&s, 240), SHIPPED);
        assert_eq!(terms(&s, 60), ["merged", "cancelFree", "lockFull", "changes"]);
        assert_eq!(terms(&s, 20), ["fullAtOnce", "lockFull"]);
        assert_eq!(general_terms(&s).iter().map(|t| t.code()).collect::<Vec<_>>(), SHIPPED);
    }

    #[test]
    fn no_sentence_promises_what_other_figures_do_not_hold() {
        let with = |change: &dyn Fn(&mut Settings)| {
            let mut s = Settings::default();
            change(&mut s);
            terms(&s, 240)
        };
        let half = BasisPoints::new(5_000);
        assert_eq!(
            with(&|s| (s.deposit, s.retention) = (half, kept(5_000, 9_000))),
            ["deposit", "balance", "cancelFree", "depositKept", "lockShare", "changes"]
        );
        assert_eq!(
            with(&|s| (s.deposit, s.retention) = (half, kept(1_000, 10_000))),
            ["depositOnly", "balance", "cancelFree", "shareKept", "lockRest", "changes"]
        );
        assert_eq!(
            with(&|s| s.free_window = Hours(0)),
            ["depositAtBooking", "balance", "depositKeptAtOnce", "lockRest", "changesAtOnce"]
        );
        assert_eq!(
            with(&|s| (s.free_window, s.retention) = (Hours(0), kept(500, 10_000))),
            ["depositOnlyAtBooking", "balance", "shareKeptAtOnce", "lockRest", "changesAtOnce"]
        );
        assert_eq!(
            with(&|s| s.deposit = BasisPoints::ONE),
            ["depositOnly", "cancelFree", "shareKept", "lockFull", "changes"]
        );
        assert_eq!(
            with(&|s| s.retention = kept(0, 10_000)),
            ["depositOnly", "balance", "cancelFreeToLock", "lockRest", "changes"]
        );
        assert_eq!(with(&|s| s.retention = kept(0, 0)), ["depositOnly", "balance", "cancelAlwaysFree", "changes"]);
        assert_eq!(
            with(&|s| s.retention.mode = RetentionMode::ActualCosts),
            ["depositOnly", "balance", "actualCosts", "changes"]
        );
        for free_of_charge in
            [with(&|s| s.change_fee = BasisPoints::new(0)), with(&|s| s.change_fee_mode = ChangeFeeMode::Off)]
        {
            assert_eq!(free_of_charge, SHIPPED[..5]);
        }
    }

    #[test]
    fn where_nothing_is_charged_no_charge_is_named() {
        let booked: DateTime<Utc> = "2027-02-08T14:00:00Z".parse().unwrap();
        let s = Settings::default();
        let by_hand = PaymentPlan {
            charges: Vec::new(),
            ..plan(&s, Money::from_cents(57_488), booked, Hours(240).after(booked))
        };
        let told: Vec<&str> = sentences(&s, &by_hand).iter().map(|x| x.term.code()).collect();
        assert_eq!(told, ["cancelFree", "shareKept", "lockFull", "changes"]);
    }

    #[test]
    fn codes_and_texts_are_different() {
        let mut seen = std::collections::BTreeSet::new();
        assert!(Term::ALL.iter().all(|term| seen.insert(term.code()) && seen.insert(term.key())));
    }
}
