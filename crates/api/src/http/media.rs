//! The media type of a request.

use actix_web::{HttpRequest, http::header};

use super::{codes::HttpCode, problem::ApiError};

/// The media type without parameters, lower case.
pub fn media_type(req: &HttpRequest) -> Option<String> {
    let value = req.headers().get(header::CONTENT_TYPE)?.to_str().ok()?;
    Some(value.split(';').next().unwrap_or("").trim().to_ascii_lowercase())
}

/// 415, with what would have been right.
pub fn wrong_media(expected: &str) -> ApiError {
    ApiError { params: vec![("expected", expected.to_owned())], ..HttpCode::UnsupportedMediaType.into() }
}
