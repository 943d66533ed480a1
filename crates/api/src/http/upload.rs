//! A file in a form, as browsers send it (`multipart/form-data`).

use std::{cell::Cell, rc::Rc};

use actix_multipart::{Multipart, MultipartError as Malformed};
use actix_web::{FromRequest, HttpMessage, HttpRequest, dev::Payload, error::PayloadError, http::header, web};
use futures_util::StreamExt;
use service::{ErrorCode, FieldProblem};
use tokio::time::timeout;
use utoipa::ToSchema;

use super::{
    bodies::Share,
    body::{Reading, patience},
    codes::HttpCode,
    media,
    problem::{ApiError, too_large},
    sizes::{BodyLimit, FILE, USUAL},
};
use crate::{
    client::Origin,
    contract::{Contract, Declares},
    state::State,
};

const MEDIA: &str = "multipart/form-data";

/// The form of a call that takes a photo.
#[derive(ToSchema)]
#[allow(dead_code, reason = "documentation of the form")]
pub struct PhotoForm {
    /// A JPEG, PNG or WebP file. Its name and declared kind are not looked at.
    #[schema(value_type = String, format = Binary, max_length = 12_582_912)]
    photo: Vec<u8>,
}

const PART: &str = "photo";

/// The file in the part `photo` of a form; other parts are passed over.
pub struct PhotoUpload {
    /// As it was sent.
    pub file: Vec<u8>,
    // What it takes counts until whoever works with it is done.
    _share: Option<Share>,
}

impl FromRequest for PhotoUpload {
    type Error = ApiError;
    type Future = Reading<Self>;

    fn from_request(req: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (req, payload) = (req.clone(), payload.take());
        Box::pin(async move {
            if media::media_type(&req).as_deref() != Some(MEDIA) {
                return Err(media::wrong_media(MEDIA));
            }
            let limit = req.extensions().get::<BodyLimit>().map_or(USUAL, |l| l.0);
            let announced =
                req.headers().get(header::CONTENT_LENGTH).and_then(|v| v.to_str().ok()?.parse::<u64>().ok());
            if announced.is_some_and(|n| n > limit as u64) {
                return Err(too_large(FILE));
            }
            let share = req
                .app_data::<web::Data<State>>()
                .map(|state| state.uploads.share(Origin::of_request(&req, state.config.limits.behind_proxy)));
            let read = file_of(&req, payload, limit, share);
            timeout(patience(limit), read).await.unwrap_or_else(|_| Err(HttpCode::RequestTimeout.into()))
        })
    }
}

impl Declares for PhotoUpload {
    fn declare(contract: &mut Contract) {
        contract.reads::<PhotoForm>(MEDIA);
        contract.refuses(&[ErrorCode::ValidationFailed]);
    }
}

async fn file_of(
    req: &HttpRequest,
    payload: Payload,
    limit: usize,
    mut share: Option<Share>,
) -> Result<PhotoUpload, ApiError> {
    // Whatever stands around the file counts as well.
    let (left, overflown) = (Cell::new(limit), Rc::new(Cell::new(false)));
    let told = overflown.clone();
    let counted = payload.map(move |chunk| {
        let chunk = chunk?;
        match left.get().checked_sub(chunk.len()) {
            Some(rest) => {
                left.set(rest);
                Ok(chunk)
            }
            None => {
                told.set(true);
                Err(PayloadError::Overflow)
            }
        }
    });
    let cut = |e: Malformed| {
        if overflown.get() { too_large(FILE) } else { ApiError::malformed(format!("the form cannot be read: {e}")) }
    };
    let mut form = Multipart::new(req.headers(), counted);
    let mut file: Option<Vec<u8>> = None;
    while let Some(part) = form.next().await {
        let mut part = part.map_err(cut)?;
        let wanted = part.name() == Some(PART) && file.is_none();
        let mut bytes = Vec::new();
        while let Some(chunk) = part.next().await {
            let chunk = chunk.map_err(cut)?;
            if !wanted {
                continue;
            }
            if bytes.len() + chunk.len() > FILE {
                return Err(too_large(FILE));
            }
            if let Some(share) = &mut share {
                share.grow(chunk.len())?;
            }
            bytes.extend_from_slice(&chunk);
        }
        if wanted {
            file = Some(bytes);
        }
    }
    match file {
        Some(file) if !file.is_empty() => Ok(PhotoUpload { file, _share: share }),
        _ => Err(ApiError::field(PART, FieldProblem::Required)),
    }
}
