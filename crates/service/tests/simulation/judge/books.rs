//! The ledger: balanced, equal to the gateway, and what the booking's state means.

use kernel::Money;
use service::ports::ledger::Account;
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
    says("gateway", account(b, &[Account::Gateway]), money.of_move.plus(money.of_tip))?;
    says("tips payable", account(b, &[Account::TipsPayable]), money.of_tip.negated())?;
    let kept = b.booking.details.kept.unwrap_or_default();
    let (revenue, cancellation, taxes, earned) = match b.booking.status {
        Status::Completed | Status::Invoiced | Status::Payed => {
            (b.booking.amount, Money::ZERO, b.booking.tax, b.booking.total)
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
    if b.booking.status == Status::Cancelled {
        check(!taxes.is_negative() && taxes <= kept, || format!("{}: {taxes} of tax inside of {kept}", b.name()))?;
        // Each tax by itself: 5/105 and 9.975/109.975 of what is kept.
        let rates = b.booking.details.taxes.iter().map(|t| t.rate);
        let fair: Money = rates.map(|rate| policy::tax_included(kept, rate)).sum();
        check(taxes == fair, || format!("{}: {taxes} of tax inside of {kept}, not {fair}", b.name()))?;
    }
    let prepaid = [Account::Customer, Account::Trust];
    says("prepaid", account(b, &prepaid), earned.minus(money.of_move))?;
    if earned == money.of_move {
        says("customer", account(b, &[Account::Customer]), Money::ZERO)?;
        says("trust", account(b, &[Account::Trust]), Money::ZERO)?;
    }
    Ok(())
}
