//! Reading bodies: no longer than the call takes, not for ever, and not all at once.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use actix_web::{HttpMessage, HttpRequest, dev::Payload, http::header, web};
use futures_util::StreamExt;
use service::ErrorCode;
use tokio::time::timeout;

use super::{
    codes::HttpCode,
    json,
    problem::{ApiError, too_large},
};
use crate::{client::Origin, state::State};

/// What a call takes when its row in the table says nothing else, bytes: the longest list of
/// furniture and the longest texts of a booking.
pub const USUAL: usize = 128 * 1024;
/// The largest body any call takes, bytes.
pub const LARGEST: usize = 1024 * 1024;

/// The largest body of the call that matched, put there by [`crate::access::guard`].
#[derive(Debug, Clone, Copy)]
pub struct BodyLimit(pub usize);

/// How long a body may take: some seconds, and one more for every 16 kB of what it may hold.
fn patience(limit: usize) -> Duration {
    const SECOND_FOR: usize = 16 * 1024;
    Duration::from_secs(8 + (limit / SECOND_FOR) as u64)
}

/// Bytes of bodies that are being read, of all connections.
const OF_ALL: usize = 24 * 1024 * 1024;
/// The same of one address.
const OF_ORIGIN: usize = 8 * 1024 * 1024;

#[derive(Default)]
struct Held {
    all: usize,
    origins: HashMap<Origin, usize>,
}

/// What unfinished bodies take in memory, so that many slow ones cannot take all of it.
#[derive(Clone, Default)]
pub struct Bodies(Arc<Mutex<Held>>);

/// The part of one body; given back when it is dropped.
struct Share {
    bodies: Bodies,
    origin: Option<Origin>,
    bytes: usize,
}

impl Bodies {
    fn share(&self, origin: Option<Origin>) -> Share {
        Share { bodies: self.clone(), origin, bytes: 0 }
    }
}

impl Share {
    /// Takes so many bytes more.
    fn grow(&mut self, more: usize) -> Result<(), ApiError> {
        let mut held = self.bodies.0.lock().unwrap_or_else(PoisonError::into_inner);
        let of_origin = self.origin.and_then(|o| held.origins.get(&o).copied()).unwrap_or_default();
        if held.all + more > OF_ALL || (self.origin.is_some() && of_origin + more > OF_ORIGIN) {
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
        let mut held = self.bodies.0.lock().unwrap_or_else(PoisonError::into_inner);
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

/// The whole body.
///
/// # Errors
/// 413 when it is longer than the call takes, 408 when it does not arrive in time, 503 when too
/// many are on their way, 400 when it was cut off.
pub async fn read(req: HttpRequest, mut payload: Payload) -> Result<web::Bytes, ApiError> {
    let limit = req.extensions().get::<BodyLimit>().map_or(USUAL, |l| l.0);
    let announced = req.headers().get(header::CONTENT_LENGTH).and_then(|v| v.to_str().ok()?.parse::<u64>().ok());
    if announced.is_some_and(|n| n > limit as u64) {
        return Err(too_large(limit));
    }
    let mut share = req.app_data::<web::Data<State>>().map(|state| {
        let origin = Origin::of_request(&req, state.config.limits.behind_proxy);
        state.bodies.share(origin)
    });
    let whole = async {
        let mut bytes = web::BytesMut::new();
        while let Some(chunk) = payload.next().await {
            let chunk = chunk.map_err(|_| ApiError::malformed("the body was cut off"))?;
            if bytes.len() + chunk.len() > limit {
                return Err(too_large(limit));
            }
            if let Some(share) = &mut share {
                share.grow(chunk.len())?;
            }
            bytes.extend_from_slice(&chunk);
        }
        Ok(bytes.freeze())
    };
    timeout(patience(limit), whole).await.unwrap_or_else(|_| Err(HttpCode::RequestTimeout.into()))
}

/// The text of a form, still encoded.
///
/// # Errors
/// 415 for another media type, 400 when it is not UTF-8; as [`read`].
pub async fn form(req: &HttpRequest, payload: web::Payload) -> Result<String, ApiError> {
    const FORM: &str = "application/x-www-form-urlencoded";
    if json::media_type(req).as_deref() != Some(FORM) {
        return Err(json::wrong_media(FORM));
    }
    let bytes = read(req.clone(), payload.into_inner()).await?;
    String::from_utf8(bytes.to_vec()).map_err(|_| ApiError::malformed("the form is not UTF-8"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn one_address_cannot_take_the_room_of_all() {
        let bodies = Bodies::default();
        let origin = |text: &str| Some(Origin::of(text.parse().unwrap()));
        let mut mine = bodies.share(origin("192.0.2.1"));
        mine.grow(OF_ORIGIN).unwrap();
        assert!(bodies.share(origin("192.0.2.1")).grow(1).is_err());
        let mut others: Vec<Share> = (2..4).map(|n| bodies.share(origin(&format!("192.0.2.{n}")))).collect();
        others.iter_mut().for_each(|o| o.grow(OF_ORIGIN).unwrap());
        assert!(bodies.share(origin("192.0.2.9")).grow(1).is_err(), "nor can all of them take more than there is");
        drop(mine);
        bodies.share(origin("192.0.2.1")).grow(1).unwrap();
        drop(others);
        let held = bodies.0.lock().unwrap();
        assert_eq!((held.all, held.origins.len()), (0, 0));
    }

    #[test]
    fn larger_bodies_may_take_longer() {
        assert_eq!(patience(USUAL), Duration::from_secs(16));
        assert!(patience(LARGEST) < Duration::from_secs(120));
    }
}
