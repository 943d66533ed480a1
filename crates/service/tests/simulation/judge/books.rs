//! The ledger: balanced, equal to the gateway, and what the booking's state means.

use kernel::Money;
use service::ports::{disputes::DisputeState, ledger::Account, payments::PaymentKind};
use status_machine::booking::Status;

use super::{Money2, check};
use crate::facts::BookingFacts;

/// Every entry sums to zero.
pub fn balanced(b: &BookingFacts) -> Result<(), String> {
    for e in &b.entries {
        let sum: Money = e.lines().iter().map(|l| l.amount).sum();
        check(sum.is_zero(), || format!("{}: the entry {} sums to {sum}", b.name(), e.fact_key))?;
    }
    Ok(())
}

fn account(b: &BookingFacts, accounts: &[Account]) -> Money {
    let lines = b.entries.iter().flat_map(|e| e.lines());
    lines.filter(|l| accounts.contains(&l.account)).map(|l| l.amount).sum()
}

const TAXES: [Account; 3] = [Account::Gst, Account::Qst, Account::Hst];

/// The accounts of a booking at rest; `money` is the gateway's own word.
pub fn agree(b: &BookingFacts, money: Money2) -> Result<(), String> {
    let says = |what: &str, is: Money, should: Money| {
        check(is == should, || format!("{}: the ledger has {is} as {what}, it should be {should}", b.name()))
    };
    let open = b.disputed(DisputeState::Opened, false).plus(b.disputed(DisputeState::Opened, true));
    says("gateway", account(b, &[Account::Gateway]), money.of_move.plus(money.of_tip).minus(open))?;
    says("disputes", account(b, &[Account::Disputes]), open)?;
    let cash = |p: &service::ports::payments::Payment| p.method.account() == Account::Cash;
    says("cash", account(b, &[Account::Cash]), b.by_hand(cash))?;
    says("bank", account(b, &[Account::Bank]), b.by_hand(|p| !cash(p)))?;
    says("write-off", account(b, &[Account::WriteOff]), b.written_off())?;
    let of_move = money.of_move.plus(b.by_hand(|_| true));
    says("tips payable", account(b, &[Account::TipsPayable]), money.of_tip.negated())?;
    let kept = b.retained();
    let (revenue, cancellation, taxes, earned) = match b.status() {
        Status::Completed | Status::Invoiced | Status::Payed => {
            // What was credited takes its share of each tax with it.
            let waived = |tax| policy::tax_of_part(b.credited(), tax, b.booking.total);
            let waived: Money = b.booking.details.taxes.iter().map(|t| waived(t.amount)).sum();
            let revenue = b.booking.amount.minus(b.credited().minus(waived));
            (revenue, Money::ZERO, b.booking.tax.minus(waived), b.due())
        }
        Status::Cancelled => {
            let taxes = account(b, &TAXES).negated();
            (Money::ZERO, kept.minus(taxes), taxes, kept)
        }
        Status::Pending | Status::Assigned | Status::Deleted => (Money::ZERO, Money::ZERO, Money::ZERO, Money::ZERO),
    };
    says("revenue", account(b, &[Account::Revenue]), revenue.negated())?;
    says("cancellation revenue", account(b, &[Account::CancellationRevenue]), cancellation.negated())?;
    says("tax", account(b, &TAXES), taxes.negated())?;
    if b.status() == Status::Cancelled {
        check(!taxes.is_negative() && taxes <= kept, || format!("{}: {taxes} of tax inside of {kept}", b.name()))?;
        // Each tax by itself: 5/105 and 9.975/109.975 of what is kept.
        let rates = b.booking.details.taxes.iter().map(|t| t.rate);
        let fair: Money = rates.map(|rate| policy::tax_included(kept, rate)).sum();
        check(taxes == fair, || format!("{}: {taxes} of tax inside of {kept}, not {fair}", b.name()))?;
    }
    let prepaid = [Account::Customer, Account::Trust];
    says("prepaid", account(b, &prepaid), earned.minus(of_move).minus(b.written_off()))?;
    if earned == of_move.plus(b.written_off()) {
        says("customer", account(b, &[Account::Customer]), Money::ZERO)?;
        says("trust", account(b, &[Account::Trust]), Money::ZERO)?;
    }
    // In trust is what was paid for a move of Quebec that is far ahead and to come, and nothing else.
    let to_come = matches!(b.status(), Status::Pending | Status::Assigned);
    let of = &b.booking;
    let wanted = policy::trust_account_required(&of.details.policy, of.province, of.created_at, of.move_at);
    let trust = if to_come && wanted { of_move.negated() } else { Money::ZERO };
    says("trust", account(b, &[Account::Trust]), trust)
}

/// A booking that is done with leaves nothing on the customer's account and in trust, but for what a bank has to say: it
/// holds a disputed charge, took one back, or refuses a refund.
pub fn closed(b: &BookingFacts) -> Result<(), String> {
    let lost = b.disputed(DisputeState::Lost, false);
    let bank = b.disputed(DisputeState::Opened, false).is_positive() || super::refund_refused(b);
    if bank {
        return Ok(());
    }
    // A booking was cancelled before its customer agreed to be charged again, so no card is charged for the fee. If the fee was
    // kept of a payment by hand that was taken out later, staff ask for it: the booking must be among the problems.
    let unagreed = b.status() == Status::Cancelled && b.booking.details.charges_wait.is_some();
    let taken_out = b.entries.iter().filter(|e| e.kind == "undone").flat_map(|e| e.lines());
    let taken_out = taken_out.filter(|l| matches!(l.account, Account::Cash | Account::Bank));
    let taken_out = taken_out.map(|l| l.amount).sum::<Money>().negated();
    let by_staff = if unagreed && b.booking.details.payment_problem { lost.plus(taken_out) } else { lost };
    for what in [Account::Customer, Account::Trust] {
        let left = account(b, &[what]);
        let asked = b.payments.iter().any(|p| p.kind.is_charge() && p.kind != PaymentKind::Tip && super::asks(p));
        // What a lost dispute took is asked for by staff, too.
        check(left.is_zero() || asked || (left.is_positive() && left <= by_staff), || {
            format!("{}: {} has {left} at the end", b.name(), what.code())
        })?;
    }
    Ok(())
}
