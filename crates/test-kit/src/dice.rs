//! Numbers decided by the seed: SplitMix64, one stream for each thing that is decided, so that one
//! more question about mail does not change what customers do.

use std::sync::Mutex;

/// A stream of numbers.
pub struct Dice(Mutex<u64>);

impl Dice {
    /// The stream `name` of a schedule.
    pub fn of(seed: u64, name: &str) -> Dice {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0xd1b5_4a32_d192_ed03;
        for byte in name.bytes() {
            state = (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        let dice = Dice(Mutex::new(state));
        dice.next();
        dice
    }

    pub fn next(&self) -> u64 {
        let mut state = self.0.lock().unwrap();
        *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = *state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// 0 to n - 1.
    pub fn below(&self, n: u64) -> u64 {
        self.next() % n.max(1)
    }

    /// True this often in a thousand.
    pub fn often(&self, per_mille: u64) -> bool {
        self.below(1_000) < per_mille
    }

    pub fn pick<T: Copy>(&self, list: &[T]) -> T {
        list[usize::try_from(self.below(list.len() as u64)).unwrap()]
    }

    /// One of the choices, each as often as its weight says.
    pub fn weighed<T: Copy>(&self, list: &[(u64, T)]) -> T {
        let mut left = self.below(list.iter().map(|(weight, _)| weight).sum());
        for (weight, choice) in list {
            if left < *weight {
                return *choice;
            }
            left -= weight;
        }
        list[0].1
    }
}
