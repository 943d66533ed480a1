//! Reading bodies: no longer than the call takes, not for ever, and not all at once.

use std::{future::Future, marker::PhantomData, pin::Pin, time::Duration};

use actix_web::{FromRequest, HttpMessage, HttpRequest, dev::Payload, http::header, web};
use futures_util::StreamExt;
use tokio::time::timeout;
use utoipa::ToSchema;

use super::{
    codes::HttpCode,
    media,
    problem::{ApiError, too_large},
    sizes::{BodyLimit, USUAL},
};
use crate::{
    client::Origin,
    contract::{Contract, Declares},
    state::State,
};

/// A body that is on its way.
pub(super) type Reading<T> = Pin<Box<dyn Future<Output = Result<T, ApiError>>>>;

/// How long a body may take: some seconds, and one more for every 16 kB of what it may hold; of a file four minutes.
pub(super) fn patience(limit: usize) -> Duration {
    const SECOND_FOR: usize = 16 * 1024;
    Duration::from_secs((8 + (limit / SECOND_FOR) as u64).min(240))
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

/// Media type of forms.
const FORM: &str = "application/x-www-form-urlencoded";

/// The text of a form, still encoded; `T` has the schema of its fields, for whoever parses it.
pub struct Form<T> {
    /// As it was sent.
    pub text: String,
    fields: PhantomData<fn() -> T>,
}

impl<T: 'static> FromRequest for Form<T> {
    type Error = ApiError;
    type Future = Reading<Self>;

    fn from_request(req: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (req, payload) = (req.clone(), payload.take());
        Box::pin(async move {
            if media::media_type(&req).as_deref() != Some(FORM) {
                return Err(media::wrong_media(FORM));
            }
            let bytes = read(req, payload).await?;
            let text = String::from_utf8(bytes.to_vec()).map_err(|_| ApiError::malformed("the form is not UTF-8"))?;
            Ok(Form { text, fields: PhantomData })
        })
    }
}

impl<T: ToSchema> Declares for Form<T> {
    fn declare(contract: &mut Contract) {
        contract.reads::<T>(FORM);
    }
}

/// A body of any kind, as it was sent.
pub struct Raw(pub web::Bytes);

impl FromRequest for Raw {
    type Error = ApiError;
    type Future = Reading<Self>;

    fn from_request(req: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (req, payload) = (req.clone(), payload.take());
        Box::pin(async move { read(req, payload).await.map(Raw) })
    }
}

impl Declares for Raw {
    fn declare(contract: &mut Contract) {
        contract.refuses_http(&[HttpCode::MalformedRequest, HttpCode::PayloadTooLarge, HttpCode::RequestTimeout]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::sizes::{FILE_FORM, LARGEST};

    #[test]
    fn larger_bodies_may_take_longer() {
        assert_eq!(patience(USUAL), Duration::from_secs(16));
        assert!(patience(LARGEST) < Duration::from_secs(120));
        assert_eq!(patience(FILE_FORM), Duration::from_secs(240));
    }
}
