//! Answers already given.

use chrono::{DateTime, Duration, Utc};
use diesel::prelude::*;
use service::ports::{
    StoreResult,
    idempotency::{Idempotency, StoredAnswer},
};

use super::Repos;
use crate::{
    columns::Instant, error::fault, rows::idempotency::AnswerRow, schema::idempotency_answers, statement::upsert,
};

const TABLE: &str = "idempotency_answers";
/// The status of a request that is worked on.
const IN_FLIGHT: i32 = 0;
/// After its expiry: nothing is worked on any more that long. A booking that its recovery job finished keeps
/// the mark, because only a request can write the answer down.
const LONGEST_FLIGHT: Duration = Duration::days(30);

impl Idempotency for Repos<'_> {
    fn get(&mut self, scope: &str, key: &str, now: DateTime<Utc>) -> StoreResult<Option<StoredAnswer>> {
        if self.writes {
            // Whoever asks first works; the same key elsewhere waits here and then finds the answer.
            super::super::dialect::lock_key(self.conn, &format!("{scope}\n{key}")).map_err(fault(TABLE))?;
        }
        let row: Option<AnswerRow> = idempotency_answers::table
            .find((scope, key))
            .filter(idempotency_answers::expires_at.gt(Instant(now)).or(idempotency_answers::status.eq(IN_FLIGHT)))
            .select(AnswerRow::as_select())
            .first(self.conn)
            .optional()
            .map_err(fault(TABLE))?;
        row.map(AnswerRow::read).transpose()
    }

    fn put(&mut self, answer: &StoredAnswer) -> StoreResult<()> {
        let row = AnswerRow::of(answer)?;
        upsert(idempotency_answers::table, &row, &["scope", "key"], &row).execute(self.conn).map_err(fault(TABLE))?;
        Ok(())
    }

    fn forget(&mut self, scope: &str, key: &str) -> StoreResult<()> {
        // An answer that was given stays: it is somebody else's, who came after the key had expired.
        let unanswered =
            idempotency_answers::table.find((scope, key)).filter(idempotency_answers::status.eq(IN_FLIGHT));
        diesel::delete(unanswered).execute(self.conn).map_err(fault(TABLE))?;
        Ok(())
    }

    fn purge(&mut self, now: DateTime<Utc>) -> StoreResult<i64> {
        let gone = idempotency_answers::expires_at.le(Instant(now - LONGEST_FLIGHT));
        let answered = idempotency_answers::status.ne(IN_FLIGHT);
        let expired =
            idempotency_answers::table.filter(gone.or(idempotency_answers::expires_at.le(Instant(now)).and(answered)));
        let gone = diesel::delete(expired).execute(self.conn).map_err(fault(TABLE))?;
        Ok(i64::try_from(gone).unwrap_or(i64::MAX))
    }
}
