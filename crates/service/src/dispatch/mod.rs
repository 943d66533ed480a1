//! Who goes where with which truck: the board, crews by name, who would be good, and what mates see and say.

pub mod board;
pub mod jobs;
pub mod name;
pub mod suggest;
