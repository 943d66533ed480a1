//! Room in a bucket, and the one decision over all buckets of a booking.
//!
//! Buckets sum people and count trucks by class. That is enough: jobs of one class that never
//! exceed the count in any bucket can always be spread over that many trucks without overlap
//! (intervals need no more colours than their largest pile), provided each job is counted in the
//! same class throughout. [`assign_truck`] therefore picks one class for all buckets.

use serde::{Deserialize, Serialize};

use crate::occupancy::TruckClass;

/// What one hub has in one bucket, and what is taken. Arrays run over [`TruckClass::ALL`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Capacity {
    /// People on shift.
    pub mates_total: u32,
    /// People taken by holds and bookings.
    pub mates_used: u32,
    /// Trucks by class.
    pub trucks_total: [u32; 3],
    /// Trucks taken by class.
    pub trucks_used: [u32; 3],
}

/// Some bucket has not enough people, or no single class of truck is free in all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no room left at that time")]
pub struct NoRoom;

impl Capacity {
    /// People still free.
    pub fn mates_free(&self) -> u32 {
        self.mates_total.saturating_sub(self.mates_used)
    }

    /// Trucks of a class still free.
    pub fn trucks_free(&self, class: TruckClass) -> u32 {
        let i = class.index();
        self.trucks_total[i].saturating_sub(self.trucks_used[i])
    }

    /// The bucket with `mates` and exactly that class of truck taken.
    pub fn take(self, mates: u32, truck: Option<TruckClass>) -> Result<Capacity, NoRoom> {
        let room = mates <= self.mates_free() && truck.is_none_or(|class| self.trucks_free(class) > 0);
        if !room {
            return Err(NoRoom);
        }
        let mut taken = Capacity { mates_used: self.mates_used + mates, ..self };
        if let Some(class) = truck {
            taken.trucks_used[class.index()] += 1;
        }
        Ok(taken)
    }

    /// The bucket with what was taken given back; `None` when it was never taken, which the
    /// nightly recount must report rather than clamp.
    pub fn release(self, mates: u32, truck: Option<TruckClass>) -> Option<Capacity> {
        let mut freed = Capacity { mates_used: self.mates_used.checked_sub(mates)?, ..self };
        if let Some(class) = truck {
            let used = &mut freed.trucks_used[class.index()];
            *used = used.checked_sub(1)?;
        }
        Some(freed)
    }
}

/// True when this bucket alone has room: the people, and a truck of that class or a larger one.
pub fn fits(capacity: &Capacity, mates: u32, truck: Option<TruckClass>) -> bool {
    let truck_free = |least: TruckClass| candidates(least).any(|class| capacity.trucks_free(class) > 0);
    mates <= capacity.mates_free() && truck.is_none_or(truck_free)
}

/// Which truck a booking takes in every one of its buckets: the smallest class, at least the one
/// it needs, that is free in all of them. `Ok(None)` for a booking that needs no truck.
///
/// No bucket at all is no room: an hour nobody planned is an hour nobody works.
pub fn assign_truck(
    capacities: &[Capacity],
    mates: u32,
    needed: Option<TruckClass>,
) -> Result<Option<TruckClass>, NoRoom> {
    if capacities.is_empty() || capacities.iter().any(|c| c.mates_free() < mates) {
        return Err(NoRoom);
    }
    match needed {
        None => Ok(None),
        Some(least) => {
            candidates(least).find(|class| capacities.iter().all(|c| c.trucks_free(*class) > 0)).map(Some).ok_or(NoRoom)
        }
    }
}

fn candidates(least: TruckClass) -> impl Iterator<Item = TruckClass> {
    TruckClass::ALL.into_iter().filter(move |class| *class >= least)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    const TEN: Option<TruckClass> = Some(TruckClass::TenFoot);
    const TWENTY: Option<TruckClass> = Some(TruckClass::TwentyFoot);
    const TWENTY_SIX: Option<TruckClass> = Some(TruckClass::TwentySixFoot);

    fn hub(mates: u32, trucks: [u32; 3]) -> Capacity {
        Capacity { mates_total: mates, trucks_total: trucks, ..Capacity::default() }
    }

    #[test]
    fn a_larger_truck_serves_a_smaller_move_but_not_the_reverse() {
        let only_large = hub(4, [0, 0, 1]);
        assert!(fits(&only_large, 2, TEN) && fits(&only_large, 2, TWENTY_SIX) && fits(&only_large, 4, None));
        let only_small = hub(4, [1, 0, 0]);
        assert!(!fits(&only_small, 2, TWENTY));
        assert!(!fits(&only_small, 5, None));
    }

    #[test]
    fn one_class_for_the_whole_job() {
        // Each bucket alone has a truck, but no truck is free in both.
        let morning = Capacity { trucks_used: [1, 0, 0], ..hub(4, [1, 1, 0]) };
        let noon = Capacity { trucks_used: [0, 1, 0], ..hub(4, [1, 1, 0]) };
        assert!(fits(&morning, 2, TEN) && fits(&noon, 2, TEN));
        assert_eq!(assign_truck(&[morning, noon], 2, TEN), Err(NoRoom));
        assert_eq!(assign_truck(&[morning, morning], 2, TEN), Ok(TWENTY));
        assert_eq!(assign_truck(&[noon, noon], 2, TEN), Ok(TEN));
        assert_eq!(assign_truck(&[morning, noon], 2, None), Ok(None));
    }

    #[test]
    fn nothing_planned_is_no_room() {
        assert_eq!(assign_truck(&[], 1, None), Err(NoRoom));
        assert_eq!(assign_truck(&[Capacity::default()], 1, None), Err(NoRoom));
    }

    #[test]
    fn what_was_never_taken_cannot_be_given_back() {
        assert_eq!(hub(4, [1, 1, 1]).release(1, None), None);
        assert_eq!(Capacity { mates_used: 2, ..hub(4, [1, 1, 1]) }.release(2, TEN), None);
    }

    fn capacity() -> impl Strategy<Value = Capacity> {
        (0u32..12, 0u32..12, [0u32..4, 0u32..4, 0u32..4], [0u32..4, 0u32..4, 0u32..4]).prop_map(
            |(total, used, trucks, taken)| Capacity {
                mates_total: total,
                mates_used: used.min(total),
                trucks_total: trucks,
                trucks_used: [taken[0].min(trucks[0]), taken[1].min(trucks[1]), taken[2].min(trucks[2])],
            },
        )
    }

    fn truck() -> impl Strategy<Value = Option<TruckClass>> {
        prop_oneof![Just(None), Just(TEN), Just(TWENTY), Just(TWENTY_SIX)]
    }

    proptest! {
        #[test]
        fn taking_then_releasing_is_the_identity(
            row in proptest::collection::vec(capacity(), 1..12), mates in 0u32..8, needed in truck(),
        ) {
            match assign_truck(&row, mates, needed) {
                Ok(class) => {
                    for bucket in &row {
                        prop_assert!(fits(bucket, mates, needed));
                        let taken = bucket.take(mates, class).unwrap();
                        prop_assert!(taken.mates_used <= taken.mates_total);
                        prop_assert!((0..3).all(|i| taken.trucks_used[i] <= taken.trucks_total[i]));
                        prop_assert_eq!(taken.release(mates, class).unwrap(), *bucket);
                    }
                    prop_assert!(class >= needed);
                }
                Err(NoRoom) => {
                    // Refused only when no class would have worked.
                    let possible = |class| row.iter().all(|b| b.take(mates, class).is_ok());
                    let some_way = match needed {
                        None => possible(None),
                        Some(least) => TruckClass::ALL.into_iter().any(|c| c >= least && possible(Some(c))),
                    };
                    prop_assert!(!some_way);
                }
            }
        }

        #[test]
        fn many_takers_never_oversell(start in capacity(), asks in proptest::collection::vec((0u32..4, truck()), 0..30)) {
            let mut bucket = start;
            let mut held = Vec::new();
            for (mates, needed) in asks {
                if let Ok(class) = assign_truck(&[bucket], mates, needed) {
                    bucket = bucket.take(mates, class).unwrap();
                    held.push((mates, class));
                }
                prop_assert!(bucket.mates_used <= bucket.mates_total);
                prop_assert!((0..3).all(|i| bucket.trucks_used[i] <= bucket.trucks_total[i]));
            }
            for (mates, class) in held {
                bucket = bucket.release(mates, class).unwrap();
            }
            prop_assert_eq!(bucket, start);
        }
    }
}
