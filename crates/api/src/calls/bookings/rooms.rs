//! Rooms and ways of a home.

use serde::{Deserialize, Serialize};
use service::ports::rooms::Rooms;
use utoipa::ToSchema;
use validator::Validate;

/// Rooms and ways of a home (specification §3, Items).
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, ToSchema, Validate)]
#[serde(default)]
pub struct RoomCounts {
    #[validate(range(max = 100))]
    #[schema(minimum = 0, maximum = 100, default = 0)]
    bedrooms: u32,
    #[validate(range(max = 100))]
    #[schema(minimum = 0, maximum = 100, default = 0)]
    bathrooms: u32,
    /// Other rooms.
    #[validate(range(max = 100))]
    #[schema(minimum = 0, maximum = 100, default = 0)]
    rooms: u32,
    /// Flights of stairs inside.
    #[validate(range(max = 100))]
    #[schema(minimum = 0, maximum = 100, default = 0)]
    stairs: u32,
    /// Elevators.
    #[validate(range(max = 100))]
    #[schema(minimum = 0, maximum = 100, default = 0)]
    elevator: u32,
}

impl From<RoomCounts> for Rooms {
    fn from(r: RoomCounts) -> Rooms {
        Rooms { bedrooms: r.bedrooms, bathrooms: r.bathrooms, rooms: r.rooms, stairs: r.stairs, elevators: r.elevator }
    }
}

impl From<Rooms> for RoomCounts {
    fn from(r: Rooms) -> RoomCounts {
        RoomCounts {
            bedrooms: r.bedrooms,
            bathrooms: r.bathrooms,
            rooms: r.rooms,
            stairs: r.stairs,
            elevator: r.elevators,
        }
    }
}
