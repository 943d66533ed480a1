//! One timeline: what a customer and the staff do at which instants, and what must have become of it, over HTTP. A
//! [`people::House`] is what they do it in: the app of a test, or a program of its own.

pub mod case;
pub mod ending;
pub mod life;
pub mod people;
pub mod plan;
