//! Rooms, stairs and elevators of a home, as a customer counted them.

use serde::{Deserialize, Serialize};

/// Rooms and ways of a home (specification §3, Items); zero where nobody said.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[allow(missing_docs)]
pub struct Rooms {
    pub bedrooms: u32,
    pub bathrooms: u32,
    /// Other rooms.
    pub rooms: u32,
    pub stairs: u32,
    pub elevators: u32,
}
