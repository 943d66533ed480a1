//! A bound on the memory that unfinished request bodies take.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use service::ErrorCode;

use super::problem::ApiError;
use crate::client::Origin;

/// The most bytes of bodies that are being read.
#[derive(Debug, Clone, Copy)]
struct Room {
    /// Of all connections.
    all: usize,
    /// Of one address.
    origin: usize,
}

const USUAL: Room = Room { all: 24 * 1024 * 1024, origin: 8 * 1024 * 1024 };

/// Files have a limit of their own, so that slow uploads block no booking. One address sends one or two at a time.
const FILES: Room = Room { all: 40 * 1024 * 1024, origin: 16 * 1024 * 1024 };

#[derive(Default)]
struct BytesInUse {
    all: usize,
    origins: HashMap<Origin, usize>,
}

/// Bounds the memory of unfinished bodies, so that many slow ones cannot take all of it.
#[derive(Clone)]
pub struct Bodies {
    in_use: Arc<Mutex<BytesInUse>>,
    room: Room,
}

/// The bytes of one body; given back when it is dropped.
pub struct Share {
    bodies: Bodies,
    origin: Option<Origin>,
    bytes: usize,
}

impl Bodies {
    /// The limit of bodies that are read into one text.
    pub fn usual() -> Bodies {
        Bodies { in_use: Arc::default(), room: USUAL }
    }

    /// The limit of uploaded files.
    pub fn files() -> Bodies {
        Bodies { in_use: Arc::default(), room: FILES }
    }

    pub(super) fn share(&self, origin: Option<Origin>) -> Share {
        Share { bodies: self.clone(), origin, bytes: 0 }
    }
}

impl Share {
    /// Takes `more` bytes.
    pub(super) fn grow(&mut self, more: usize) -> Result<(), ApiError> {
        let mut in_use = self.bodies.in_use.lock().unwrap_or_else(PoisonError::into_inner);
        let of_origin = self.origin.and_then(|o| in_use.origins.get(&o).copied()).unwrap_or_default();
        let room = self.bodies.room;
        if in_use.all + more > room.all || (self.origin.is_some() && of_origin + more > room.origin) {
            return Err(ApiError { retry_after: Some(1), ..ErrorCode::Busy.into() });
        }
        in_use.all += more;
        if let Some(origin) = self.origin {
            in_use.origins.insert(origin, of_origin + more);
        }
        self.bytes += more;
        Ok(())
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut in_use = self.bodies.in_use.lock().unwrap_or_else(PoisonError::into_inner);
        in_use.all = in_use.all.saturating_sub(self.bytes);
        if let Some(origin) = self.origin {
            let left = in_use.origins.get(&origin).copied().unwrap_or_default().saturating_sub(self.bytes);
            if left == 0 {
                in_use.origins.remove(&origin);
            } else {
                in_use.origins.insert(origin, left);
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
        let in_use = bodies.in_use.lock().unwrap();
        assert_eq!((in_use.all, in_use.origins.len()), (0, 0));
    }
}
