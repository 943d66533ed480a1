//! One answer a key: the same request sent again changes nothing and hears the same.

use chrono::{DateTime, Duration, Utc};
use serde_json::Value;

use crate::{
    Error, ErrorCode, ServiceResult, Tx,
    ports::{Unit, idempotency::StoredAnswer},
};

/// How long an answer is remembered.
const KEPT_HOURS: i64 = 24;

/// What identifies a repeated request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// Caller and route.
    pub scope: String,
    /// The client's `Idempotency-Key`.
    pub key: String,
    /// SHA-256 of the body, hex.
    pub body_hash: String,
}

/// Writes an answer down: status and body.
pub type Render<T> = Box<dyn FnOnce(&T) -> (u16, Value) + Send>;

/// A request's key together with how its answer will read, so that the answer can be stored in
/// the very transaction that makes the effect.
pub struct Guard<T: ?Sized> {
    /// The key.
    pub request: Request,
    /// The answer's status and body.
    pub render: Render<T>,
}

/// What a use case with an idempotency key answers.
#[derive(Debug)]
pub enum Replayable<T> {
    /// It was carried out now.
    Fresh(T),
    /// It was carried out before; this is the stored answer.
    Replayed {
        /// The HTTP status of the first answer.
        status: u16,
        /// The body of the first answer.
        body: Value,
    },
}

impl Request {
    /// The stored answer, if this key was answered already.
    ///
    /// # Errors
    /// `idempotency_key_reused` for another body, `request_in_flight` while the first is worked on.
    pub fn replay(&self, unit: &mut dyn Unit, now: DateTime<Utc>) -> ServiceResult<Option<(u16, Value)>> {
        match unit.idempotency().get(&self.scope, &self.key, now)? {
            None => Ok(None),
            Some(stored) if stored.body_hash != self.body_hash => Err(ErrorCode::IdempotencyKeyReused.into()),
            Some(stored) => match u16::try_from(stored.status) {
                Ok(status) if status > 0 => Ok(Some((status, stored.answer))),
                _ => Err(ErrorCode::RequestInFlight.into()),
            },
        }
    }

    /// Stores the answer; status 0 marks a request still being worked on.
    ///
    /// # Errors
    /// When the database fails.
    pub fn record(&self, tx: &mut Tx<'_>, status: u16, answer: Value) -> ServiceResult<()> {
        tx.unit.idempotency().put(&StoredAnswer {
            scope: self.scope.clone(),
            key: self.key.clone(),
            body_hash: self.body_hash.clone(),
            status: i32::from(status),
            answer,
            created_at: tx.now,
            expires_at: tx.now + Duration::hours(KEPT_HOURS),
        })?;
        Ok(())
    }
}

/// Runs `effect` once a key: replays a stored answer, else runs it and stores what it answers. Whether an answer is
/// still valid is judged by `asked_at`, the instant at which the request was received: a request that was sent twice at
/// once and finished a day later gets the first answer, too.
///
/// # Errors
/// What `effect` answers; see [`Request::replay`].
pub fn once<T>(
    tx: &mut Tx<'_>,
    guard: Option<Guard<T>>,
    asked_at: DateTime<Utc>,
    effect: impl FnOnce(&mut Tx<'_>) -> Result<T, Error>,
) -> ServiceResult<Replayable<T>> {
    let Some(guard) = guard else { return effect(tx).map(Replayable::Fresh) };
    if let Some((status, body)) = guard.request.replay(tx.unit, asked_at)? {
        return Ok(Replayable::Replayed { status, body });
    }
    let value = effect(tx)?;
    let (status, body) = (guard.render)(&value);
    guard.request.record(tx, status, body)?;
    Ok(Replayable::Fresh(value))
}
