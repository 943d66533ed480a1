//! What a booking occupies: people and a truck, from leaving the depot to being free again.

use kernel::chrono::{DateTime, Duration, Utc};
use serde::{Deserialize, Serialize};

/// Least minutes reserved for the way from the depot to the pickup.
const PRE_TRAVEL_MIN: u32 = 30;
/// Minutes to load the equipment before leaving.
const EQUIPMENT_MIN: u32 = 15;
/// Least minutes reserved after the move, to the depot or the next job.
const POST_TRAVEL_MIN: u32 = 30;
/// Minutes added after the move in a building with an elevator: reserved lifts run late.
const ELEVATOR_MIN: u32 = 30;
/// Least minutes between two jobs that operations chain by hand.
const BETWEEN_JOBS_MIN: u32 = 15;

/// A size of truck. One a booking; a larger one may serve a smaller move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum TruckClass {
    /// 10 feet, tier 1.
    #[serde(rename = "10ft")]
    TenFoot,
    /// 20 feet, tier 2.
    #[serde(rename = "20ft")]
    TwentyFoot,
    /// 26 feet, tier 3.
    #[serde(rename = "26ft")]
    TwentySixFoot,
}

impl TruckClass {
    /// All classes, smallest first; the order of the capacity arrays.
    pub const ALL: [TruckClass; 3] = [TruckClass::TenFoot, TruckClass::TwentyFoot, TruckClass::TwentySixFoot];

    /// The class a tier needs. Tiers are 1 to 3; anything above needs the largest.
    pub const fn for_tier(tier: u8) -> TruckClass {
        match tier {
            0 | 1 => TruckClass::TenFoot,
            2 => TruckClass::TwentyFoot,
            _ => TruckClass::TwentySixFoot,
        }
    }

    /// Place in the capacity arrays.
    pub const fn index(self) -> usize {
        match self {
            TruckClass::TenFoot => 0,
            TruckClass::TwentyFoot => 1,
            TruckClass::TwentySixFoot => 2,
        }
    }

    /// Length of the box in feet.
    pub const fn feet(self) -> u32 {
        match self {
            TruckClass::TenFoot => 10,
            TruckClass::TwentyFoot => 20,
            TruckClass::TwentySixFoot => 26,
        }
    }

    /// `10ft`, as stored.
    pub const fn code(self) -> &'static str {
        match self {
            TruckClass::TenFoot => "10ft",
            TruckClass::TwentyFoot => "20ft",
            TruckClass::TwentySixFoot => "26ft",
        }
    }

    /// From its [`TruckClass::code`].
    pub fn from_code(code: &str) -> Option<TruckClass> {
        TruckClass::ALL.into_iter().find(|c| c.code() == code)
    }
}

/// A move before travel and buffers are added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OccupancyRequest {
    /// The start promised to the customer.
    pub start: DateTime<Utc>,
    /// Estimated duration of the move in elapsed minutes.
    pub duration_minutes: u32,
    /// Paid mates. The customer helping is not capacity.
    pub mates: u32,
    /// Size class of the move, 1 to 3.
    pub tier: u8,
    /// No truck comes.
    pub just_mates: bool,
    /// Driving minutes from the hub to the pickup.
    pub depot_to_pickup_minutes: u32,
    /// Driving minutes from the drop-off to the hub.
    pub dropoff_to_depot_minutes: u32,
    /// Either building has an elevator in use.
    pub elevator_building: bool,
}

/// Who is away, and from when until when (`until` excluded).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Occupancy {
    /// Leaving the depot.
    pub from: DateTime<Utc>,
    /// Free again.
    pub until: DateTime<Utc>,
    /// People away.
    pub mates: u32,
    /// Smallest truck that does, none for just mates.
    pub truck: Option<TruckClass>,
}

/// The occupancy of a move. Buffers are never billed.
pub fn occupancy(request: &OccupancyRequest) -> Occupancy {
    let minutes = |n: u32| Duration::minutes(i64::from(n));
    let before = minutes(request.depot_to_pickup_minutes.max(PRE_TRAVEL_MIN)) + minutes(EQUIPMENT_MIN);
    let elevator = if request.elevator_building { ELEVATOR_MIN } else { 0 };
    let after = minutes(request.duration_minutes)
        + minutes(request.dropoff_to_depot_minutes.max(POST_TRAVEL_MIN))
        + minutes(elevator);
    Occupancy {
        from: request.start.checked_sub_signed(before).unwrap_or(DateTime::<Utc>::MIN_UTC),
        until: request.start.checked_add_signed(after).unwrap_or(DateTime::<Utc>::MAX_UTC),
        mates: request.mates,
        truck: (!request.just_mates).then(|| TruckClass::for_tier(request.tier)),
    }
}

/// Minutes between two jobs chained by operations: the real travel time, at least 15.
pub fn buffer_between(travel_minutes: u32) -> u32 {
    travel_minutes.max(BETWEEN_JOBS_MIN)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    fn request() -> OccupancyRequest {
        OccupancyRequest {
            start: "2027-02-16T14:00:00Z".parse().unwrap(),
            duration_minutes: 150,
            mates: 2,
            tier: 1,
            just_mates: false,
            depot_to_pickup_minutes: 10,
            dropoff_to_depot_minutes: 12,
            elevator_building: false,
        }
    }

    #[test]
    fn short_ways_still_take_half_an_hour() {
        let o = occupancy(&request());
        assert_eq!(o.from.to_rfc3339(), "2027-02-16T13:15:00+00:00");
        assert_eq!(o.until.to_rfc3339(), "2027-02-16T17:00:00+00:00");
        assert_eq!((o.mates, o.truck), (2, Some(TruckClass::TenFoot)));
    }

    #[test]
    fn long_ways_and_elevators_take_more() {
        let o = occupancy(&OccupancyRequest {
            depot_to_pickup_minutes: 50,
            dropoff_to_depot_minutes: 45,
            elevator_building: true,
            tier: 3,
            ..request()
        });
        assert_eq!(o.from.to_rfc3339(), "2027-02-16T12:55:00+00:00");
        assert_eq!(o.until.to_rfc3339(), "2027-02-16T17:45:00+00:00");
        assert_eq!(o.truck, Some(TruckClass::TwentySixFoot));
    }

    #[test]
    fn just_mates_take_no_truck() {
        assert_eq!(occupancy(&OccupancyRequest { just_mates: true, ..request() }).truck, None);
    }

    #[test]
    fn classes_follow_tiers_and_codes_round_trip() {
        assert_eq!([1, 2, 3, 9].map(|t| TruckClass::for_tier(t).feet()), [10, 20, 26, 26]);
        for class in TruckClass::ALL {
            assert_eq!(TruckClass::ALL[class.index()], class);
            assert_eq!(TruckClass::from_code(class.code()), Some(class));
            assert_eq!(serde_json::to_string(&class).unwrap(), format!("\"{}\"", class.code()));
        }
        assert_eq!([0, 14, 15, 40].map(buffer_between), [15, 15, 15, 40]);
    }

    proptest! {
        #[test]
        fn the_move_lies_inside_with_its_buffers(
            duration_minutes in 0u32..2_000, pre in 0u32..600, post in 0u32..600, elevator_building: bool,
        ) {
            let r = OccupancyRequest {
                duration_minutes, depot_to_pickup_minutes: pre, dropoff_to_depot_minutes: post, elevator_building, ..request()
            };
            let o = occupancy(&r);
            prop_assert!((r.start - o.from).num_minutes() >= i64::from(pre.max(30)) + 15);
            let end = r.start + Duration::minutes(i64::from(duration_minutes));
            prop_assert!((o.until - end).num_minutes() >= i64::from(post.max(30)));
        }

        #[test]
        fn nothing_overflows(start in proptest::num::i64::ANY, d: u32, a: u32, b: u32) {
            let start = DateTime::from_timestamp(start, 0).unwrap_or(DateTime::<Utc>::MAX_UTC);
            let o = occupancy(&OccupancyRequest {
                start, duration_minutes: d, depot_to_pickup_minutes: a, dropoff_to_depot_minutes: b, ..request()
            });
            prop_assert!(o.from <= start && start <= o.until);
        }
    }
}
