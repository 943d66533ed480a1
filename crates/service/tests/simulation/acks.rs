//! What people were told. Whatever was acknowledged must be found in the database for ever after.

use std::sync::Mutex;

use kernel::BookingId;
use status_machine::booking::Status;

/// An acknowledgement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ack {
    /// 201 for this key.
    Booked { key: String, id: BookingId },
    /// 200: the booking has at least this version.
    Edited { id: BookingId, version: i32 },
    /// 200: it was set to this status.
    Moved { id: BookingId, to: Status },
    /// 200: its tip has at least this version.
    Tipped { id: BookingId, version: i32 },
    /// 200: staff gave something back or waived it, under this key.
    Gave { id: BookingId, key: u64 },
    /// 200: staff took money by hand, under this key.
    Took { id: BookingId, key: u64 },
    /// 200: overtime was added, under this key.
    Longer { id: BookingId, key: u64 },
}

#[derive(Default)]
pub struct Acks(Mutex<Vec<Ack>>);

impl Acks {
    pub fn add(&self, ack: Ack) {
        self.0.lock().unwrap().push(ack);
    }

    pub fn all(&self) -> Vec<Ack> {
        self.0.lock().unwrap().clone()
    }
}
