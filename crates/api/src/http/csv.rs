//! A file with rows as the whole body of a request, as a browser sends what somebody chose.

use std::borrow::Cow;

use actix_web::{FromRequest, HttpRequest, dev::Payload, web};
use service::ErrorCode;
use sha2::{Digest, Sha256};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, Type},
};

use super::{
    body::{self, Reading},
    media,
    problem::ApiError,
    sizes::TABLE,
};
use crate::{
    contract::{Contract, Declares},
    hexadecimal::hex,
};

/// Media type of such a file.
pub const MEDIA: &str = "text/csv";

/// What the same file is called where a spreadsheet program has its ending registered, or nobody has.
const ALSO: [&str; 2] = ["application/vnd.ms-excel", "text/plain"];

/// The bytes of a CSV file; what encoding and which delimiter it has is found out by whoever reads it.
#[derive(Debug, Clone)]
pub struct CsvUpload {
    /// As they were sent.
    pub bytes: web::Bytes,
}

impl CsvUpload {
    /// SHA-256 of the bytes, hex: tells a repeated request from a changed one.
    pub fn digest(&self) -> String {
        hex(&Sha256::digest(&self.bytes))
    }
}

impl FromRequest for CsvUpload {
    type Error = ApiError;
    type Future = Reading<Self>;

    fn from_request(req: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (req, payload) = (req.clone(), payload.take());
        Box::pin(async move {
            let sent = media::media_type(&req);
            if !sent.is_some_and(|sent| sent == MEDIA || ALSO.contains(&sent.as_str())) {
                return Err(media::wrong_media(MEDIA));
            }
            body::read(req, payload).await.map(|bytes| CsvUpload { bytes })
        })
    }
}

/// The file in the document.
#[derive(Debug)]
pub struct CsvFile;

impl PartialSchema for CsvFile {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .max_length(Some(TABLE))
            .description(Some(
                "A line with the names of columns, then rows. UTF-8, UTF-16 with its mark, or Windows-1252; commas, semicolons or tabs.",
            ))
            .into()
    }
}

impl ToSchema for CsvFile {
    fn name() -> Cow<'static, str> {
        "CsvFile".into()
    }
}

impl Declares for CsvUpload {
    fn declare(contract: &mut Contract) {
        contract.reads::<CsvFile>(MEDIA);
        contract.refuses(&[ErrorCode::ValidationFailed]);
    }
}
