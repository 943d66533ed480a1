//! Counting by key in fixed memory.
//!
//! A key is kept as a keyed hash, so its length is nobody's choice and nobody can aim at a place.
//! A place for a new key is found in its set: an empty one, one whose window is over, else the one
//! with the smallest count, *which the new key inherits* (the "space saving" counter of Metwally
//! and others). So a count is never too low: whoever drives keys out of the table to have their
//! own forgotten comes back with at least the count of whoever was driven out.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use sha2::{Digest, Sha256};

/// Places of one set.
const WAYS: usize = 16;
/// Sets; a power of two.
const SETS: usize = 1024;

#[derive(Clone, Copy, Default)]
struct Place {
    tag: u64,
    count: u32,
    /// End of the window, milliseconds after the start of the counters; 0 = free.
    ends: u64,
}

/// Counters of one kind: at most `WAYS × SETS` keys, 400 kB, however many there are outside.
pub struct Counters {
    sets: Box<[Mutex<[Place; WAYS]>]>,
    secret: [u8; 32],
    began: Instant,
    window: Duration,
}

impl Counters {
    /// Empty counters over a window that begins with the first call of a key.
    pub fn new(secret: [u8; 32], began: Instant, window: Duration) -> Counters {
        Counters { sets: (0..SETS).map(|_| Mutex::default()).collect(), secret, began, window }
    }

    /// Counts one call of `key`, of which `max` are allowed in a window.
    ///
    /// # Errors
    /// How long to wait when there were more.
    pub fn count(&self, key: &[u8], max: u64, now: Instant) -> Result<(), Duration> {
        let (set, tag) = self.place(key);
        let Some(set) = self.sets.get(set) else { return Ok(()) };
        let now = millis(now.saturating_duration_since(self.began));
        let mut places = set.lock().unwrap_or_else(PoisonError::into_inner);
        let mine = places.iter().position(|p| p.tag == tag && p.ends > now);
        let chosen =
            mine.or_else(|| (0..WAYS).min_by_key(|i| places.get(*i).map(|p| if p.ends > now { p.count } else { 0 })));
        let Some(place) = chosen.and_then(|i| places.get_mut(i)) else { return Ok(()) };
        if mine.is_none() {
            let inherited = if place.ends > now { place.count } else { 0 };
            *place = Place { tag, count: inherited, ends: now + millis(self.window).max(1) };
        }
        place.count = place.count.saturating_add(1);
        if u64::from(place.count) > max { Err(Duration::from_millis(place.ends - now)) } else { Ok(()) }
    }

    fn place(&self, key: &[u8]) -> (usize, u64) {
        let digest = Sha256::new().chain_update(self.secret).chain_update(key).finalize();
        let word = |at: usize| digest.get(at..at + 8).and_then(|b| b.try_into().ok()).map_or(0, u64::from_le_bytes);
        #[allow(clippy::cast_possible_truncation, reason = "a few bits of it are used")]
        let set = word(0) as usize % SETS;
        (set, word(8))
    }
}

fn millis(d: Duration) -> u64 {
    u64::try_from(d.as_millis()).unwrap_or(u64::MAX / 2)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    #[test]
    fn a_key_is_counted_for_its_window() {
        let began = Instant::now();
        let counters = Counters::new([7; 32], began, MINUTE);
        let at = |seconds| began + Duration::from_secs(seconds);
        for _ in 0..3 {
            counters.count(b"a", 3, at(0)).unwrap();
        }
        assert_eq!(counters.count(b"a", 3, at(20)), Err(Duration::from_secs(40)));
        counters.count(b"b", 3, at(20)).unwrap();
        counters.count(b"a", 3, at(60)).unwrap();
    }

    /// Twenty times as many keys as there are places: memory stays, and nobody is forgotten.
    #[test]
    fn a_flood_of_keys_frees_nobody() {
        let began = Instant::now();
        let counters = Counters::new([7; 32], began, MINUTE);
        let attackers: Vec<[u8; 2]> = (0..100u16).map(u16::to_le_bytes).collect();
        for key in &attackers {
            for _ in 0..30 {
                counters.count(key, 30, began).unwrap();
            }
            assert!(counters.count(key, 30, began).is_err());
        }
        for n in 0..(20 * WAYS * SETS) as u64 {
            let _ = counters.count(&n.to_be_bytes(), 1_000, began);
        }
        let free = attackers.iter().filter(|key| counters.count(*key, 30, began).is_ok()).count();
        assert!(free <= 2, "{free} of {} were forgotten", attackers.len());
        assert_eq!(counters.sets.len() * WAYS, WAYS * SETS);
    }

    /// Who drives others out has to be counted higher than they were, and they come back with that.
    #[test]
    fn who_is_driven_out_comes_back_with_what_drove_them_out() {
        let began = Instant::now();
        let counters = Counters::new([5; 32], began, MINUTE);
        let attacker = b"attacker";
        for _ in 0..30 {
            counters.count(attacker, 30, began).unwrap();
        }
        let set = counters.place(attacker).0;
        let same_set = (0..u64::MAX).map(u64::to_be_bytes).filter(|key| counters.place(key).0 == set);
        for key in same_set.take(2 * WAYS) {
            for _ in 0..40 {
                let _ = counters.count(&key, 1_000, began);
            }
        }
        assert!(counters.count(attacker, 30, began).is_err(), "forgotten by a flood");
    }

    /// A flood costs newcomers at most the average: it does not lock everybody out.
    #[test]
    fn a_flood_of_keys_locks_nobody_out() {
        let began = Instant::now();
        let counters = Counters::new([9; 32], began, MINUTE);
        for n in 0..(4 * WAYS * SETS) as u64 {
            let _ = counters.count(&n.to_be_bytes(), 40, began);
        }
        let locked =
            (0..500u64).filter(|n| counters.count(&[b'n', *n as u8, (*n >> 8) as u8], 40, began).is_err()).count();
        assert_eq!(locked, 0);
    }
}
