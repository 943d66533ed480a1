//! To which charges a refund goes back.

use kernel::Money;

/// Splits a refund over charges, newest first. `refundable` is what is left of each charge,
/// oldest first; the answer names charges by their position in it, in the order of refunding.
/// Never more than was captured: what exceeds the sum stays out.
pub fn refund_parts(amount: Money, refundable: &[Money]) -> Vec<(usize, Money)> {
    let mut left = amount.max(Money::ZERO);
    let mut parts = Vec::new();
    for (n, available) in refundable.iter().enumerate().rev() {
        let part = left.min((*available).max(Money::ZERO));
        if part.is_positive() {
            parts.push((n, part));
            left = left.minus(part);
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_charge_first() {
        let cents = Money::from_cents;
        let charges = [cents(11_498), cents(45_990)];
        assert_eq!(refund_parts(cents(5_749), &charges), [(1, cents(5_749))]);
        assert_eq!(refund_parts(cents(57_488), &charges), [(1, cents(45_990)), (0, cents(11_498))]);
        assert_eq!(refund_parts(cents(99_999), &[cents(100), cents(0)]), [(0, cents(100))]);
        assert!(refund_parts(cents(-5), &charges).is_empty());
    }
}
