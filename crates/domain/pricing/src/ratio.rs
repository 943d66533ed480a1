//! Products and one rounding, safe for absurd factors.

use kernel::round_half_up;

/// Far inside `i128`, so that the rounding (which doubles) cannot overflow.
const BOUND: i128 = i128::MAX / 8;

fn product(factors: &[i64]) -> i128 {
    factors.iter().fold(1i128, |acc, f| acc.saturating_mul(i128::from(*f))).clamp(-BOUND, BOUND)
}

/// The product of `over` divided by the product of `under`, rounded half up once.
///
/// Exact while both products fit 124 bits, which every request inside [`crate::limits`] on a
/// valid rate card does; beyond that the products stop growing. An empty divisor product of
/// zero gives zero.
pub(crate) fn ratio(over: &[i64], under: &[i64]) -> i64 {
    round_half_up(product(over), product(under))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_once_and_never_overflows() {
        assert_eq!(ratio(&[5], &[10]), 1);
        assert_eq!(ratio(&[11_800, 150, 10_000], &[60, 10_000]), 29_500);
        assert_eq!(ratio(&[1], &[0]), 0);
        assert_eq!(ratio(&[i64::MAX; 4], &[1]), i64::MAX);
        assert_eq!(ratio(&[i64::MAX, i64::MIN, i64::MAX, i64::MAX], &[1]), i64::MIN);
        assert_eq!(ratio(&[i64::MAX; 4], &[i64::MAX; 4]), 1);
    }
}
