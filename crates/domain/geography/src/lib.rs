//! Where Portage works: service areas, what may be booked, crew hubs, and how far places are
//! from each other without asking anybody.
//!
//! Everything is answered from `fixtures/service-areas.json`, `fixtures/places.csv` and
//! `fixtures/fsa.csv`, embedded at compile time and read once. A routing service, when there is
//! one, gives better distances; the model here is the fallback and the yardstick of tests.
//!
//! Pure: no I/O, no clock, no randomness, and no panic on any input.
#![warn(missing_docs)]

mod agreement;
mod area;
mod areas_file;
mod booking;
mod defaults;
mod elsewhere;
mod ferry;
mod gazetteer;
mod gazetteer_file;
mod great_circle;
mod hub;
mod names;
mod place;
mod search;
#[cfg(test)]
mod testing;
mod travel;

pub use agreement::{Contradiction, agreement, is_known};
pub use area::{AreaId, ServiceArea, UnknownArea, area_of};
pub use booking::{MontrealScope, Unserved, bookable, bookable_within};
pub use defaults::{BoundingBox, GEO_DEFAULTS, GeoDefaults};
pub use elsewhere::{Reading, is_readable, town_elsewhere, visible};
pub use ferry::{ferry_between, needs_ferry};
pub use gazetteer::{
    KnownPlace, Nearby, PostalArea, center_of_fsa, nearest, nearest_place, places_named, postal_area, postal_areas_in,
};
pub use gazetteer_file::DataError;
pub use great_circle::great_circle_km;
pub use hub::{Hub, hub, hub_for, hubs, nearest_hub};
pub use names::normalise;
pub use place::{Place, locate};
pub use search::{PlaceMatch, search};
pub use travel::{Travel, Waypoint, km10_from_minutes, minutes_from_km10, road_km10, travel, travel_between, waypoint};
