//! Parts of a path that name no record: a hub, a day, a template.

use std::future::{Ready, ready};

use actix_web::{FromRequest, HttpRequest, dev::Payload};
use geography::Hub;
use kernel::chrono::NaiveDate;
use serde_json::{Value, json};
use service::{ErrorCode, templates::TemplateKey};

use super::problem::ApiError;
use crate::contract::{Contract, Declares, Param};

/// The hub in a path, by its id. Whatever is none names nothing: 404.
#[derive(Debug, Clone, Copy)]
pub struct PathHub(pub &'static Hub);

impl FromRequest for PathHub {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(req: &HttpRequest, _: &mut Payload) -> Self::Future {
        let hub = req.match_info().get("hub").and_then(geography::hub);
        ready(hub.map(PathHub).ok_or_else(|| ErrorCode::NotFound.into()))
    }
}

impl Declares for PathHub {
    fn declare(contract: &mut Contract) {
        part(contract, "hub", "Id of the hub.", json!({ "type": "string", "maxLength": 60 }));
    }
}

/// The local day in a path, `2027-07-01`. Whatever is none names nothing: 404.
#[derive(Debug, Clone, Copy)]
pub struct PathDay(pub NaiveDate);

impl PathDay {
    fn read(text: &str) -> Option<PathDay> {
        // Four digits of a year, as everywhere in the interface; the parser takes more.
        text.parse::<NaiveDate>().ok().filter(|_| text.len() == "2027-07-01".len()).map(PathDay)
    }
}

impl FromRequest for PathDay {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(req: &HttpRequest, _: &mut Payload) -> Self::Future {
        let day = req.match_info().get("date").and_then(PathDay::read);
        ready(day.ok_or_else(|| ErrorCode::NotFound.into()))
    }
}

impl Declares for PathDay {
    fn declare(contract: &mut Contract) {
        part(contract, "date", "Local day of the hub.", json!({ "type": "string", "format": "date" }));
    }
}

/// The type of message and the language in a path. Whatever is none names nothing: 404.
#[derive(Debug, Clone, Copy)]
pub struct PathTemplate(pub TemplateKey);

impl FromRequest for PathTemplate {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(req: &HttpRequest, _: &mut Payload) -> Self::Future {
        let part = |name: &str| req.match_info().get(name);
        let which =
            part("messageType").zip(part("language")).and_then(|(kind, language)| TemplateKey::of(kind, language));
        ready(which.map(PathTemplate).ok_or_else(|| ErrorCode::NotFound.into()))
    }
}

impl Declares for PathTemplate {
    fn declare(contract: &mut Contract) {
        part(contract, "messageType", "Type of the message.", json!({ "type": "string", "maxLength": 60 }));
        part(contract, "language", "Language of the message.", json!({ "type": "string", "enum": ["en", "fr", "zh"] }));
    }
}

fn part(contract: &mut Contract, name: &str, description: &str, schema: Value) {
    contract.params.push(Param {
        name: name.to_owned(),
        place: "path",
        required: true,
        description: description.to_owned(),
        schema,
    });
    contract.refuses(&[ErrorCode::NotFound]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_written_in_one_way() {
        let read = |text: &str| PathDay::read(text).map(|day| day.0.to_string());
        assert_eq!(read("2027-07-01").as_deref(), Some("2027-07-01"));
        for none in ["2027-7-1", "2027-02-30", "+12027-07-01", "tomorrow", "week", ""] {
            assert_eq!(read(none), None, "{none}");
        }
    }
}
