//! Store, mail, maps and entropy as the use cases see them: slow by the seed, failing by the seed.

use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::{Arc, Mutex},
};

use async_trait::async_trait;
use futures_util::future::BoxFuture;
use kernel::{Coordinates, Language};
use service::ports::{
    Entropy, Store, StoreError, StoreResult,
    mail::{Accepted, MailError, Mailer, OutgoingMail},
    maps::{Maps, MapsError, PlaceSuggestion, Route},
    store::Work,
};
use store::testing::Inline;

use crate::world::World;

/// One server's way to the database. A server that is killed while it waits here has either not
/// begun its unit or finished it; it may not hear of that.
pub struct ServersStore {
    pub db: Arc<Inline>,
    pub world: Arc<World>,
}

impl Store for ServersStore {
    fn read_unit(&self, work: Work) -> BoxFuture<'_, StoreResult<()>> {
        Box::pin(async move {
            self.world.lag("store").await;
            self.db.run(work, false)
        })
    }

    fn write_unit(&self, work: Work) -> BoxFuture<'_, StoreResult<()>> {
        Box::pin(async move {
            self.world.lag("store").await;
            if self.world.nasty(4) {
                return Err(StoreError::Busy);
            }
            let done = self.db.run(work, true);
            self.world.lag("store").await;
            done
        })
    }

    fn ping(&self) -> BoxFuture<'_, StoreResult<()>> {
        self.db.ping()
    }

    fn backup(&self, target: PathBuf) -> BoxFuture<'_, StoreResult<()>> {
        self.db.backup(target)
    }

    fn engine(&self) -> &'static str {
        "sqlite"
    }
}

/// Bytes of the seed.
pub struct SeededEntropy(pub Arc<World>);

impl Entropy for SeededEntropy {
    fn fill(&self, out: &mut [u8]) {
        for chunk in out.chunks_mut(8) {
            chunk.copy_from_slice(&self.0.entropy.next().to_le_bytes()[..chunk.len()]);
        }
    }
}

/// A mail that reached its reader.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Letter {
    pub id: String,
    pub kind: String,
    /// Short id of the booking.
    pub booking: Option<String>,
}

/// Slow, loses the answer, refuses for now: the same message may arrive twice, and does.
#[derive(Default)]
pub struct Post {
    letters: Mutex<Vec<Letter>>,
    /// Links that ask for a consent, by the short id of their booking, oldest first.
    questions: Mutex<Vec<(String, String)>>,
    refused: Mutex<BTreeMap<String, u32>>,
}

impl Post {
    pub fn letters(&self) -> Vec<Letter> {
        self.letters.lock().unwrap().clone()
    }

    /// The secrets of the links that its customer was asked by, oldest first.
    pub fn questions(&self, short: &str) -> Vec<String> {
        let all = self.questions.lock().unwrap();
        all.iter().filter(|(of, _)| of == short).map(|(_, token)| token.clone()).collect()
    }
}

pub struct SimMailer(pub Arc<World>);

#[async_trait]
impl Mailer for SimMailer {
    async fn send(&self, mail: &OutgoingMail) -> Result<Accepted, MailError> {
        let w = &self.0;
        w.lag("mail").await;
        let (lost, unheard) = (w.nasty(60), w.nasty(60));
        let mut refused = w.post.refused.lock().unwrap();
        let times = refused.entry(mail.message_id.clone()).or_default();
        // A message is given up after four attempts; that is not what is tried here.
        let fails = (lost || unheard) && *times < 2;
        if !(lost && fails) {
            let letter =
                Letter { id: mail.message_id.clone(), kind: mail.message_type.clone(), booking: mail.booking.clone() };
            w.post.letters.lock().unwrap().push(letter);
            let token = mail.text.split_once("/consent/").and_then(|(_, rest)| rest.split('?').next());
            if let (Some(short), Some(token)) = (&mail.booking, token) {
                w.post.questions.lock().unwrap().push((short.clone(), token.to_owned()));
            }
        }
        w.step(format_args!("mail {} {:?} heard={}", mail.message_type, mail.booking, !fails));
        if fails {
            *times += 1;
            return Err(MailError::Transient("by the seed".into()));
        }
        Ok(Accepted { queue_id: "sim".into() })
    }
}

/// Every two points are six kilometres and a quarter of an hour apart, when it answers.
pub struct SimMaps(pub Arc<World>);

#[async_trait]
impl Maps for SimMaps {
    async fn search(&self, _: &str, _: Language, _: Coordinates) -> Result<Vec<PlaceSuggestion>, MapsError> {
        self.0.lag("maps").await;
        if self.0.nasty(50) {
            return Err(MapsError::Unavailable("by the seed".into()));
        }
        Ok(vec![crate::people::place()])
    }

    async fn reverse(&self, _: Coordinates, _: Language) -> Result<Option<PlaceSuggestion>, MapsError> {
        self.0.lag("maps").await;
        if self.0.nasty(50) {
            return Err(MapsError::Unavailable("by the seed".into()));
        }
        Ok(Some(crate::people::place()))
    }

    async fn route(&self, from: Coordinates, to: Coordinates) -> Result<Route, MapsError> {
        self.0.lag("maps").await;
        if self.0.nasty(50) {
            return Err(MapsError::Unavailable("by the seed".into()));
        }
        Ok(Route { duration_seconds: 900, distance_meters: 6_200, geometry: vec![from, to] })
    }
}
