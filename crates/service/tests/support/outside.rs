//! Clock, entropy, maps and mail of the tests.

use std::sync::Mutex;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use kernel::{Coordinates, Language};
use service::ports::{
    Clock, Entropy,
    mail::{Accepted, MailError, Mailer, OutgoingMail},
    maps::{Maps, MapsError, PlaceSuggestion, Route},
};

pub struct HandClock(Mutex<DateTime<Utc>>);

impl HandClock {
    pub fn at(now: DateTime<Utc>) -> HandClock {
        HandClock(Mutex::new(now))
    }

    pub fn set(&self, now: DateTime<Utc>) {
        *self.0.lock().unwrap() = now;
    }

    pub fn now_value(&self) -> DateTime<Utc> {
        *self.0.lock().unwrap()
    }
}

impl Clock for HandClock {
    fn now(&self) -> DateTime<Utc> {
        self.now_value()
    }
}

pub struct WallClock;

impl Clock for WallClock {
    fn now(&self) -> DateTime<Utc> {
        let t = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
        DateTime::from_timestamp_micros(i64::try_from(t.as_micros()).unwrap()).unwrap()
    }
}

pub struct OsEntropy;

impl Entropy for OsEntropy {
    fn fill(&self, out: &mut [u8]) {
        for chunk in out.chunks_mut(16) {
            chunk.copy_from_slice(&uuid::Uuid::new_v4().as_bytes()[16 - chunk.len()..]);
        }
    }
}

/// Every two points are six kilometres and a quarter of an hour apart.
pub struct StraightMaps;

#[async_trait]
impl Maps for StraightMaps {
    async fn search(&self, _: &str, _: Language, _: Coordinates) -> Result<Vec<PlaceSuggestion>, MapsError> {
        Ok(Vec::new())
    }

    async fn reverse(&self, _: Coordinates, _: Language) -> Result<Option<PlaceSuggestion>, MapsError> {
        Ok(None)
    }

    async fn route(&self, from: Coordinates, to: Coordinates) -> Result<Route, MapsError> {
        Ok(Route { duration_seconds: 900, distance_meters: 6_200, geometry: vec![from, to] })
    }
}

#[derive(Default)]
pub struct FakeMailer {
    pub sent: Mutex<Vec<OutgoingMail>>,
}

#[async_trait]
impl Mailer for FakeMailer {
    async fn send(&self, mail: &OutgoingMail) -> Result<Accepted, MailError> {
        self.sent.lock().unwrap().push(mail.clone());
        Ok(Accepted { queue_id: "test".into() })
    }
}
