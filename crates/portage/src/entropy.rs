//! Randomness of the operating system: the one place that asks for it.

use service::ports::Entropy;

/// The operating system's generator.
pub struct OsEntropy;

impl Entropy for OsEntropy {
    fn fill(&self, out: &mut [u8]) {
        if let Err(error) = getrandom::fill(out) {
            // Ids and tokens anybody could guess are worse than no answer at all.
            tracing::error!(%error, "the operating system gives no randomness");
            std::process::abort();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_differ_and_ids_sort_by_time() {
        let (mut a, mut b) = ([0u8; 32], [0u8; 32]);
        OsEntropy.fill(&mut a);
        OsEntropy.fill(&mut b);
        assert_ne!(a, b);
        let at = kernel::chrono::DateTime::from_timestamp(1_800_000_000, 0).unwrap_or_default();
        let later = at + kernel::chrono::Duration::milliseconds(1);
        assert!(OsEntropy.uuid(at) < OsEntropy.uuid(later));
    }
}
