//! The catalogue of things people move: about 150 items in six categories, each with the
//! volume it takes in a truck, its weight class and its name in three languages.
//!
//! Volumes are those of the trade's cube sheets (loaded volume, not the bounding box). The
//! built-in catalogue is `fixtures/furniture.csv`, embedded at compile time and read once.
//!
//! Pure: no I/O, no clock, no randomness, and no panic on any input.
#![warn(missing_docs)]

mod catalogue;
mod category;
mod item;
mod preset;
mod room;
mod search;
mod volume;

pub use catalogue::{Catalogue, CatalogueError};
pub use category::{Category, UnknownCategory};
pub use item::{BIG_ITEM_MIN_DCF, Item, Names, UnknownWeightClass, WeightClass, Words};
pub use preset::{Preset, UnknownPreset};
pub use room::Room;
pub use volume::{InvalidVolume, Volume};
