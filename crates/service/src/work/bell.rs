//! Tells the loops of a worker that there is work to be done now.

use chrono::{DateTime, Duration, Utc};
use tokio::sync::Notify;

use super::lanes::Lane;
use crate::ports::jobs::NewJob;

/// Work that is due later than this need not be told of: an idle loop looks by itself this often.
const SOON: Duration = Duration::seconds(1);

/// How many new jobs each lane has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Lanes([u8; Lane::ALL.len()]);

impl Lanes {
    /// One in every lane.
    pub const ALL: Lanes = Lanes([1; Lane::ALL.len()]);

    /// A job that may run soon, in its lane; nothing for one that waits.
    pub fn of(job: &NewJob, now: DateTime<Utc>, wall: DateTime<Utc>) -> Lanes {
        let waits = job.run_at > now + SOON || job.held_until.is_some_and(|until| until > wall + SOON);
        Lanes(Lane::ALL.map(|lane| u8::from(!waits && lane.has(&job.kind))))
    }

    /// These and those.
    #[must_use]
    pub fn and(self, other: Lanes) -> Lanes {
        Lanes(std::array::from_fn(|n| self.0[n].saturating_add(other.0[n])))
    }

    /// No lane.
    pub fn is_empty(self) -> bool {
        self == Lanes::default()
    }
}

/// One bell a lane. Each stroke wakes one idle loop of the lane.
#[derive(Debug, Default)]
pub struct Bell {
    lanes: [Notify; Lane::ALL.len()],
    any: Notify,
}

impl Bell {
    /// Wakes as many loops of a lane as it has new jobs, and who listens to all lanes.
    pub fn ring(&self, lanes: Lanes) {
        if lanes.is_empty() {
            return;
        }
        for (bell, strokes) in self.lanes.iter().zip(lanes.0) {
            (0..strokes).for_each(|_| bell.notify_one());
        }
        self.any.notify_one();
    }

    /// Resolves at a stroke for the lane; without a lane at any stroke. One that was not heard yet counts.
    pub async fn rung(&self, lane: Option<Lane>) {
        let bell = lane.and_then(|lane| Lane::ALL.iter().position(|l| *l == lane)).map(|n| &self.lanes[n]);
        bell.unwrap_or(&self.any).notified().await;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::time::Duration as StdDuration;

    use kernel::{JobId, uuid::Uuid};

    use super::super::kinds::Kind;
    use super::*;

    fn job(kind: Kind, run_at: DateTime<Utc>, held_until: Option<DateTime<Utc>>) -> NewJob {
        let payload = serde_json::Value::Null;
        NewJob {
            id: JobId(Uuid::nil()),
            kind: kind.code().into(),
            payload,
            run_at,
            dedup_key: None,
            max_attempts: 1,
            held_until,
        }
    }

    async fn heard(bell: &Bell, lane: Option<Lane>) -> bool {
        tokio::time::timeout(StdDuration::from_millis(1), bell.rung(lane)).await.is_ok()
    }

    #[tokio::test]
    async fn only_the_lane_with_work_is_woken() {
        let (now, bell) = (DateTime::UNIX_EPOCH, Bell::default());
        bell.ring(Lanes::of(&job(Kind::SendMessage, now, None), now, now));
        for lane in Lane::ALL {
            assert_eq!(heard(&bell, Some(lane)).await, lane == Lane::Mail, "{lane:?}");
        }
        assert!(heard(&bell, None).await);
        assert!(!heard(&bell, None).await);
    }

    #[test]
    fn work_that_waits_wakes_nobody() {
        let (now, later) = (DateTime::UNIX_EPOCH, DateTime::UNIX_EPOCH + Duration::minutes(1));
        assert!(Lanes::of(&job(Kind::ExpireHold, later, None), now, now).is_empty());
        assert!(Lanes::of(&job(Kind::Remind, later, None), now, now).is_empty());
        assert!(Lanes::of(&job(Kind::BillBooking, now, Some(later)), now, now).is_empty());
        let both = Lanes::of(&job(Kind::ExpireHold, now, Some(now)), now, now).and(Lanes::of(
            &job(Kind::BillBooking, now + Duration::milliseconds(900), None),
            now,
            now,
        ));
        assert_eq!(both.0, Lane::ALL.map(|lane| u8::from(matches!(lane, Lane::Quick | Lane::Money))));
    }
}
