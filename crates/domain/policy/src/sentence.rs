//! Which sentences tell a plan to people. Keys only: the texts are in the messages file.

use kernel::{
    Money,
    chrono::{DateTime, Utc},
};
use serde::Serialize;

use crate::{Cancellation, ChangeFeeMode, ChargeKind, Mode, PaymentPlan, Rule, Settings};

/// One sentence with what it needs to be filled in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Sentence {
    /// Message key.
    pub key: &'static str,
    /// Money it speaks of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amount: Option<Money>,
    /// Instant it speaks of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<DateTime<Utc>>,
}

/// The terms of a booking in the order they are read: what is charged when, then what a
/// cancellation keeps, then what a change costs.
pub fn sentences(s: &Settings, plan: &PaymentPlan) -> Vec<Sentence> {
    let mut all = Vec::with_capacity(6);
    for charge in &plan.charges {
        let key = match (charge.kind, plan.mode) {
            (ChargeKind::Deposit, _) => "payment.deposit",
            (ChargeKind::Full, Mode::FullAtOnce) => "payment.fullAtOnce",
            (ChargeKind::Full, _) => "payment.merged",
            _ => "payment.balance",
        };
        all.push(Sentence { key, amount: Some(charge.amount), at: Some(charge.due_at) });
    }
    let split = plan.charges.iter().any(|c| c.kind == ChargeKind::Deposit);
    for (n, window) in plan.cancellation.iter().enumerate() {
        let last = n + 1 == plan.cancellation.len();
        let key = match (last, window.kept.is_zero()) {
            // A remaining part is promised only where the price is charged in two parts.
            (true, _) if split => "guideline.within48",
            (true, _) => "guideline.within48Full",
            (false, true) => "guideline.cancelFree",
            (false, false) => "guideline.cancelAfter24",
        };
        let at = if last { window.from } else { window.until.unwrap_or(window.from) };
        all.push(Sentence { key, amount: Some(window.kept), at: Some(at) });
    }
    // Within 48 hours of the move nothing is changed online: what a change costs is no promise to make then.
    if s.change_fee_mode != ChangeFeeMode::Off && plan.mode != Mode::FullAtOnce {
        all.push(Sentence { key: "guideline.changes", amount: None, at: None });
    }
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
    use crate::{Hours, plan};

    fn keys(lead: u32) -> Vec<&'static str> {
        let s = Settings::default();
        let booked: DateTime<Utc> = "2027-02-08T14:00:00Z".parse().unwrap();
        let plan = plan(&s, Money::from_cents(57_488), booked, Hours(lead).after(booked));
        sentences(&s, &plan).iter().map(|x| x.key).collect()
    }

    #[test]
    fn each_mode_has_its_sentences() {
        assert_eq!(
            keys(240),
            [
                "payment.deposit",
                "payment.balance",
                "guideline.cancelFree",
                "guideline.cancelAfter24",
                "guideline.within48",
                "guideline.changes"
            ]
        );
        assert_eq!(keys(60), ["payment.merged", "guideline.cancelFree", "guideline.within48Full", "guideline.changes"]);
        assert_eq!(keys(20), ["payment.fullAtOnce", "guideline.within48Full"]);
    }
}
