//! `If-Match` and `Idempotency-Key`.

use std::future::{Ready, ready};

use actix_web::{FromRequest, HttpRequest, dev::Payload, http::header};
use serde_json::json;
use service::{Caller, ErrorCode, FieldProblem, idempotency};

use super::problem::ApiError;
use crate::contract::{Contract, Declares, Param};

/// The version the client read, from `If-Match: "3"`; `*` and absence are `None`.
#[derive(Debug, Clone, Copy)]
pub struct IfMatch(pub Option<i32>);

impl IfMatch {
    fn read(value: &str) -> Result<Option<i32>, ApiError> {
        let value = value.trim();
        if value == "*" {
            return Ok(None);
        }
        let bare = value.strip_prefix("W/").unwrap_or(value);
        let bare = bare.strip_prefix('"').and_then(|v| v.strip_suffix('"')).unwrap_or(bare);
        // Anything else is a version nobody ever had.
        Ok(Some(bare.parse().map_err(|_| ApiError::rule(ErrorCode::VersionConflict))?))
    }
}

impl FromRequest for IfMatch {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(req: &HttpRequest, _: &mut Payload) -> Self::Future {
        let Some(value) = req.headers().get(header::IF_MATCH) else { return ready(Ok(IfMatch(None))) };
        let text = value.to_str().map_err(|_| ApiError::rule(ErrorCode::VersionConflict));
        ready(text.and_then(IfMatch::read).map(IfMatch))
    }
}

impl Declares for IfMatch {
    fn declare(contract: &mut Contract) {
        contract.params.push(version(false));
        contract.refuses(&[ErrorCode::VersionConflict]);
    }
}

/// The version the client read, where an update must name it: 428 without it.
#[derive(Debug, Clone, Copy)]
pub struct Version(pub i32);

impl FromRequest for Version {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(req: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let told = IfMatch::from_request(req, payload).into_inner();
        ready(told.and_then(|version| version.0.map(Version).ok_or_else(|| ErrorCode::VersionRequired.into())))
    }
}

impl Declares for Version {
    fn declare(contract: &mut Contract) {
        contract.params.push(version(true));
        contract.refuses(&[ErrorCode::VersionConflict, ErrorCode::VersionRequired]);
    }
}

fn version(required: bool) -> Param {
    Param {
        name: "If-Match".to_owned(),
        place: "header",
        required,
        description: "The version that was read: \"3\".".to_owned(),
        schema: json!({ "type": "string", "pattern": r#"^"\d{1,9}"$"# }),
    }
}

/// The longest key.
const MAX_KEY: usize = 255;

/// The client's `Idempotency-Key`, if it sent one.
#[derive(Debug, Clone)]
pub struct IdempotencyKey(Option<String>);

impl IdempotencyKey {
    /// The key together with whose it is and what was asked. `who` is something only they are or
    /// have: an answer belongs to whoever got it first.
    pub fn request(self, who: &str, call: &str, body_hash: &str) -> Option<idempotency::Request> {
        self.0.map(|key| idempotency::Request { scope: format!("{who} {call}"), key, body_hash: body_hash.to_owned() })
    }

    /// A signed-in person's key, or a partner's machine's.
    pub fn of_caller(self, caller: &Caller, call: &str, body_hash: &str) -> Option<idempotency::Request> {
        let partner = || caller.partner.map(|p| format!("partner {p}"));
        let who = caller.user.map(|u| u.to_string()).or_else(partner)?;
        self.request(&who, call, body_hash)
    }
}

impl FromRequest for IdempotencyKey {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(req: &HttpRequest, _: &mut Payload) -> Self::Future {
        let Some(value) = req.headers().get("idempotency-key") else { return ready(Ok(IdempotencyKey(None))) };
        let refused = |problem| ready(Err(ApiError::field("Idempotency-Key", problem)));
        match std::str::from_utf8(value.as_bytes()).map(str::trim) {
            Ok("") => refused(FieldProblem::Invalid),
            Ok(key) if key.chars().count() > MAX_KEY => refused(FieldProblem::TooLong),
            Ok(key) if key.chars().any(char::is_control) => refused(FieldProblem::Invalid),
            Ok(key) => ready(Ok(IdempotencyKey(Some(key.to_owned())))),
            Err(_) => refused(FieldProblem::Invalid),
        }
    }
}

impl Declares for IdempotencyKey {
    fn declare(contract: &mut Contract) {
        contract.params.push(Param {
            name: "Idempotency-Key".to_owned(),
            place: "header",
            required: false,
            description: "The same key and body within 24 hours replays the first answer instead of acting again."
                .to_owned(),
            schema: json!({ "type": "string", "minLength": 1, "maxLength": MAX_KEY, "pattern": r"^[!-~]+$" }),
        });
        contract.refuses(&[ErrorCode::ValidationFailed, ErrorCode::IdempotencyKeyReused, ErrorCode::RequestInFlight]);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn a_key_belongs_to_one_caller() {
        let key = || IdempotencyKey(Some("k".into()));
        let machine = |partner: u128| Caller {
            role: service::Role::Partner,
            partner: Some(kernel::PartnerId(kernel::uuid::Uuid::from_u128(partner))),
            ..Caller::guest(kernel::Language::En)
        };
        let scope = |caller: &Caller| key().of_caller(caller, "POST /x", "h").map(|r| r.scope);
        assert_ne!(scope(&machine(1)), scope(&machine(2)), "machines of two partners share nothing");
        assert_eq!(scope(&machine(1)), scope(&machine(1)));
        assert_eq!(scope(&Caller::guest(kernel::Language::En)), None, "what all guests are is nobody's");
    }

    #[test]
    fn versions_are_read_in_the_usual_spellings() {
        for text in ["3", "\"3\"", "W/\"3\"", " \"3\" "] {
            assert_eq!(IfMatch::read(text).unwrap(), Some(3), "{text}");
        }
        assert_eq!(IfMatch::read("*").unwrap(), None);
        assert!(IfMatch::read("\"abc\"").is_err());
    }
}
