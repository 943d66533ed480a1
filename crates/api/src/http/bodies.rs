//! What unfinished bodies take in memory.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use service::ErrorCode;

use super::problem::ApiError;
use crate::client::Origin;

/// Bytes of bodies that are being read.
#[derive(Debug, Clone, Copy)]
struct Room {
    /// Of all connections.
    all: usize,
    /// Of one address.
    origin: usize,
}

const USUAL: Room = Room { all: 24 * 1024 * 1024, origin: 8 * 1024 * 1024 };

/// Files have room of their own, so that slow ones keep nobody from booking. One address sends one or two at a time.
const FILES: Room = Room { all: 40 * 1024 * 1024, origin: 16 * 1024 * 1024 };

#[derive(Default)]
struct Held {
    all: usize,
    origins: HashMap<Origin, usize>,
}

/// What unfinished bodies take in memory, so that many slow ones cannot take all of it.
#[derive(Clone)]
pub struct Bodies {
    held: Arc<Mutex<Held>>,
    room: Room,
}

/// The part of one body; given back when it is dropped.
pub struct Share {
    bodies: Bodies,
    origin: Option<Origin>,
    bytes: usize,
}

impl Bodies {
    /// Those that are read as one text.
    pub fn usual() -> Bodies {
        Bodies { held: Arc::default(), room: USUAL }
    }

    /// Files.
    pub fn files() -> Bodies {
        Bodies { held: Arc::default(), room: FILES }
    }

    pub(super) fn share(&self, origin: Option<Origin>) -> Share {
        Share { bodies: self.clone(), origin, bytes: 0 }
    }
}

impl Share {
    /// Takes so many bytes more.
    pub(super) fn grow(&mut self, more: usize) -> Result<(), ApiError> {
        let mut held = self.bodies.held.lock().unwrap_or_else(PoisonError::into_inner);
        let of_origin = self.origin.and_then(|o| held.origins.get(&o).copied()).unwrap_or_default();
        let room = self.bodies.room;
        if held.all + more > room.all || (self.origin.is_some() && of_origin + more > room.origin) {
            return Err(ApiError { retry_after: Some(1), ..ErrorCode::Busy.into() });
        }
        held.all += more;
        if let Some(origin) = self.origin {
            held.origins.insert(origin, of_origin + more);
        }
        self.bytes += more;
        Ok(())
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut held = self.bodies.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.all = held.all.saturating_sub(self.bytes);
        if let Some(origin) = self.origin {
            let left = held.origins.get(&origin).copied().unwrap_or_default().saturating_sub(self.bytes);
            if left == 0 {
                held.origins.remove(&origin);
            } else {
                held.origins.insert(origin, left);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn one_address_cannot_take_the_room_of_all() {
        let bodies = Bodies::usual();
        let origin = |text: &str| Some(Origin::of(text.parse().unwrap()));
        let mut mine = bodies.share(origin("192.0.2.1"));
        mine.grow(USUAL.origin).unwrap();
        assert!(bodies.share(origin("192.0.2.1")).grow(1).is_err());
        let mut others: Vec<Share> = (2..4).map(|n| bodies.share(origin(&format!("192.0.2.{n}")))).collect();
        others.iter_mut().for_each(|o| o.grow(USUAL.origin).unwrap());
        assert!(bodies.share(origin("192.0.2.9")).grow(1).is_err(), "nor can all of them take more than there is");
        drop(mine);
        bodies.share(origin("192.0.2.1")).grow(1).unwrap();
        drop(others);
        let held = bodies.held.lock().unwrap();
        assert_eq!((held.all, held.origins.len()), (0, 0));
    }
}
