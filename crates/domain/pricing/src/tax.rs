//! Sales tax on an amount, and tips, which are outside of it.

use kernel::{BasisPoints, Money, Ppm, Province};
use serde::{Deserialize, Serialize};

use crate::{RateCard, TaxRule};

/// One tax of an amount.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TaxComponent {
    /// `gst`, `qst`, `hst`.
    pub name: String,
    /// Its own rate.
    pub rate: Ppm,
    /// Cents.
    pub amount: Money,
}

/// The taxes of an amount.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Tax {
    /// `gst+qst`, `gst`, `hst`.
    pub type_code: String,
    /// Combined rate. Revenu Québec does not want it printed; show the components.
    pub rate: Ppm,
    /// Rounded once on the whole amount.
    pub amount: Money,
    /// They add up to `amount`.
    pub components: Vec<TaxComponent>,
}

/// The rule of a move between two provinces; see [`crate::Taxes::of_move`].
pub fn tax_rule(card: &RateCard, pickup: Province, dropoff: Province, just_mates: bool) -> &TaxRule {
    card.taxes.of_move(pickup, dropoff, just_mates)
}

/// The tax on `amount`: one rounding of the combined rate, the last component is the remainder.
pub fn tax(amount: Money, rule: &TaxRule) -> Tax {
    let whole = amount.rate(rule.rate);
    let mut left = whole;
    let last = rule.components.len().saturating_sub(1);
    let components = rule
        .components
        .iter()
        .enumerate()
        .map(|(n, share)| {
            let part = if n == last { left } else { amount.rate(share.rate) };
            left = left.minus(part);
            TaxComponent { name: share.name.clone(), rate: share.rate, amount: part }
        })
        .collect();
    Tax { type_code: rule.type_code.clone(), rate: rule.rate, amount: whole, components }
}

/// How a tip was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "kind", content = "value")]
pub enum TipTerms {
    /// Dollars.
    Amount(Money),
    /// Of the price before tax (Quebec's rule for suggested tips).
    Percent(BasisPoints),
}

/// A tip in cents on a price before tax; never negative, never taxed.
pub fn tip(terms: TipTerms, amount: Money) -> Money {
    let wanted = match terms {
        TipTerms::Amount(money) => money,
        TipTerms::Percent(share) => amount.share(share),
    };
    wanted.max(Money::ZERO)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_a_move_is_taxed() {
        use Province::{AB, BC, MB, ON, QC};
        let card = RateCard::builtin();
        for (pickup, dropoff, just_mates, ppm) in [
            (QC, QC, false, 149_750),
            (ON, QC, false, 50_000),
            (QC, ON, false, 130_000),
            (ON, QC, true, 130_000),
            (QC, ON, true, 149_750),
            (AB, BC, false, 50_000),
            (BC, ON, false, 130_000),
            // No rule of its own: the specification's default.
            (QC, MB, false, 149_750),
        ] {
            assert_eq!(
                tax_rule(&card, pickup, dropoff, just_mates).rate,
                Ppm::new(ppm),
                "{pickup} {dropoff} {just_mates}"
            );
        }
        assert_eq!(card.taxes.quebec, TaxRule::default());
    }

    #[test]
    fn components_add_up_with_the_rounding_in_the_last() {
        let taxed = tax(Money::from_cents(21_700), &TaxRule::default());
        let parts: Vec<i64> = taxed.components.iter().map(|c| c.amount.cents()).collect();
        assert_eq!((taxed.amount.cents(), parts), (3_250, vec![1_085, 2_165]));
    }

    #[test]
    fn tips() {
        let price = Money::from_cents(39_600);
        assert_eq!(tip(TipTerms::Percent(BasisPoints::new(1_500)), price).cents(), 5_940);
        assert_eq!(tip(TipTerms::Amount(Money::from_cents(3_550)), price).cents(), 3_550);
        assert_eq!(tip(TipTerms::Amount(Money::from_cents(-1)), price), Money::ZERO);
    }
}
