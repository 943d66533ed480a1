//! Answers already given.

use diesel::prelude::*;
use service::ports::{StoreResult, idempotency::StoredAnswer};

use crate::{
    columns::{Doc, Instant},
    schema::idempotency_answers,
};

#[derive(Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = idempotency_answers, primary_key(scope, key))]
pub struct AnswerRow {
    pub scope: String,
    pub key: String,
    pub body_hash: String,
    pub status: i32,
    pub answer: Doc,
    pub created_at: Instant,
    pub expires_at: Instant,
}

impl AnswerRow {
    pub fn of(a: &StoredAnswer) -> StoreResult<Self> {
        Ok(AnswerRow {
            scope: a.scope.clone(),
            key: a.key.clone(),
            body_hash: a.body_hash.clone(),
            status: a.status,
            answer: Doc::of(&a.answer)?,
            created_at: Instant(a.created_at),
            expires_at: Instant(a.expires_at),
        })
    }

    pub fn read(self) -> StoreResult<StoredAnswer> {
        Ok(StoredAnswer {
            answer: self.answer.read("idempotency_answers", "answer", &self.key)?,
            scope: self.scope,
            key: self.key,
            body_hash: self.body_hash,
            status: self.status,
            created_at: self.created_at.0,
            expires_at: self.expires_at.0,
        })
    }
}
