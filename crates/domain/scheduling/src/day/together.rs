//! Which trucks go with which people from one job to the next: somebody has to drive a truck there.

use super::fleet::Fleet;

/// Minutes of driving that a truck which stays with its crew is worth, where there is no time to change it at the hub.
const KEPT_TRUCK: i64 = 60;
/// Minutes of driving that are accepted instead of a truck that nobody of its next crew can have brought.
const UNATTENDED_TRUCK: i64 = 600;

impl Fleet<'_> {
    /// Makes [`Fleet::cost`] count, for these trucks, the ways that the crews go straight from one job to the next: those
    /// between two jobs that lie too close in time for the way by the hub.
    pub fn follow(&mut self, crews: &Fleet<'_>) {
        let mut straight_on = vec![Vec::new(); self.day.jobs.len()];
        for pair in crews.chains.iter().flat_map(|chain| chain.windows(2)) {
            let [first, second] = [pair[0].job, pair[1].job];
            if !self.day.allows_hub(first, second) && !straight_on[first].contains(&second) {
                straight_on[first].push(second);
            }
        }
        (self.straight_on, self.follows) = (straight_on, true);
    }

    /// The same for mates and the ways of the trucks. Mates may also go without a truck, so that no way costs more.
    pub fn accompany(&mut self, trucks: &Fleet<'_>) {
        self.follow(trucks);
        self.follows = false;
    }

    /// What a leg costs: its minutes; fewer where the crew goes the same way, and more where nobody does and there is no time
    /// to fetch the truck at the hub.
    pub fn cost(&self, first: Option<usize>, second: Option<usize>) -> i64 {
        let more = match first.zip(second) {
            Some((first, second)) if self.straight_on[first].contains(&second) => -KEPT_TRUCK,
            Some((first, second)) if self.follows && !self.day.allows_hub(first, second) => UNATTENDED_TRUCK,
            _ => 0,
        };
        self.leg(first, second) + more
    }
}
