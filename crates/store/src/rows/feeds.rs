//! Rows of secret links to calendars.

use diesel::prelude::*;
use kernel::{MateId, UserId};
use service::ports::{
    StoreError, StoreResult,
    feeds::{Feed, FeedId, FeedOf},
    identity::TokenHash,
};

use super::parse;
use crate::{
    columns::{Id, Instant},
    schema::calendar_feeds,
};

const TABLE: &str = "calendar_feeds";

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = calendar_feeds, treat_none_as_default_value = false)]
pub struct FeedRow {
    pub id: Id,
    pub mate_id: Option<Id>,
    pub hub: Option<String>,
    pub token_hash: String,
    pub language: String,
    pub made_by: Id,
    pub made_at: Instant,
}

impl From<&Feed> for FeedRow {
    fn from(f: &Feed) -> FeedRow {
        let (mate_id, hub) = match &f.of {
            FeedOf::Mate(id) => (Some(Id(id.0)), None),
            FeedOf::Hub(hub) => (None, Some(hub.clone())),
        };
        FeedRow {
            id: Id(f.id.0),
            mate_id,
            hub,
            token_hash: f.token_hash.0.clone(),
            language: f.language.code().to_owned(),
            made_by: Id(f.made_by.0),
            made_at: Instant(f.made_at),
        }
    }
}

impl FeedRow {
    pub fn read(self) -> StoreResult<Feed> {
        let id = self.id.0;
        let of = match (self.mate_id, self.hub) {
            (Some(mate), None) => FeedOf::Mate(MateId(mate.0)),
            (None, Some(hub)) => FeedOf::Hub(hub),
            _ => return Err(StoreError::Other(format!("{TABLE} {id} is of nobody, or of two"))),
        };
        Ok(Feed {
            id: FeedId(id),
            of,
            token_hash: TokenHash(self.token_hash),
            language: parse(&self.language, TABLE, "language", &id)?,
            made_by: UserId(self.made_by.0),
            made_at: self.made_at.0,
        })
    }
}
