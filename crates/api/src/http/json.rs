//! JSON bodies: read whole, refused with the field that is wrong.

use std::marker::PhantomData;

use actix_web::{FromRequest, HttpRequest, dev::Payload, web};
use serde::de::DeserializeOwned;
use serde_json::{Value, error::Category};
use service::{ErrorCode, FieldProblem};
use sha2::{Digest, Sha256};
use utoipa::ToSchema;
use validator::{Validate, ValidationErrors, ValidationErrorsKind};

use crate::{
    contract::{Contract, Declares, JSON},
    hexadecimal::hex,
};

use super::{
    body::{self, Reading},
    bounds,
    media::{media_type, wrong_media},
    problem::{ApiError, Field},
};

/// A JSON body whose shape and bounds were checked.
#[derive(Debug)]
pub struct ValidJson<T> {
    /// The value.
    pub value: T,
    bytes: web::Bytes,
}

impl<T> ValidJson<T> {
    /// SHA-256 of the bytes as sent, hex: tells a repeated request from a changed one.
    pub fn body_hash(&self) -> String {
        hex(&Sha256::digest(&self.bytes))
    }
}

impl<T: DeserializeOwned + Validate + ToSchema + 'static> FromRequest for ValidJson<T> {
    type Error = ApiError;
    type Future = Reading<Self>;

    fn from_request(req: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (req, payload) = (req.clone(), payload.take());
        Box::pin(async move {
            let bytes = read_json(req, payload).await?;
            let value = parse::<T>(&bounds::cleaned::<T>(&bytes))?;
            Ok(ValidJson { value, bytes })
        })
    }
}

impl<T: ToSchema> Declares for ValidJson<T> {
    fn declare(contract: &mut Contract) {
        contract.reads::<T>(JSON);
        contract.refuses(&[ErrorCode::ValidationFailed]);
    }
}

/// A JSON body whose fields somebody else checks (the forms of the identity provider); `S` has the
/// bounds of its texts.
pub struct PlainJson<T, S>(pub T, PhantomData<S>);

impl<T: DeserializeOwned + 'static, S: ToSchema + 'static> FromRequest for PlainJson<T, S> {
    type Error = ApiError;
    type Future = Reading<Self>;

    fn from_request(req: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (req, payload) = (req.clone(), payload.take());
        Box::pin(async move {
            let bytes = read_json(req, payload).await?;
            let bytes = bounds::cleaned::<S>(&bytes);
            let value = read_shape(&bytes).map_err(|e| named::<S>(e, &bytes))?;
            match bounds::beyond::<S>(&bytes) {
                fields if fields.is_empty() => Ok(PlainJson(value, PhantomData)),
                fields => Err(ApiError::invalid(fields)),
            }
        })
    }
}

impl<T, S: ToSchema> Declares for PlainJson<T, S> {
    fn declare(contract: &mut Contract) {
        contract.reads::<S>(JSON);
        contract.refuses(&[ErrorCode::ValidationFailed]);
    }
}

async fn read_json(req: HttpRequest, payload: Payload) -> Result<web::Bytes, ApiError> {
    let json = media_type(&req)
        .is_some_and(|t| t == "application/json" || (t.starts_with("application/") && t.ends_with("+json")));
    if !json {
        return Err(wrong_media(JSON));
    }
    let bytes = body::read(req, payload).await?;
    match super::nul::in_json(&bytes) {
        Some(path) => Err(ApiError::field(path, FieldProblem::Invalid)),
        None => Ok(bytes),
    }
}

/// Parses, and tells everything that is beyond the bounds of the schema or wrong by `Validate`.
pub fn parse<T: DeserializeOwned + Validate + ToSchema + 'static>(bytes: &[u8]) -> Result<T, ApiError> {
    let value: T = read_shape(bytes).map_err(|e| named::<T>(e, bytes))?;
    let mut wrong = value.validate().map_or_else(|e| flatten(&e), |()| Vec::new());
    for field in bounds::beyond::<T>(bytes) {
        if !wrong.iter().any(|w| w.path == field.path) {
            wrong.push(field);
        }
    }
    if wrong.is_empty() { Ok(value) } else { Err(ApiError::invalid(wrong)) }
}

/// A value that was put together from something else than a body: cleaned, parsed and bounded as a body is.
///
/// # Errors
/// As [`parse`].
pub fn of_value<T: DeserializeOwned + Validate + ToSchema + 'static>(value: &Value) -> Result<T, ApiError> {
    let bytes = serde_json::to_vec(value).map_err(ApiError::internal)?;
    parse(&bounds::cleaned::<T>(&bytes))
}

/// A refusal of what cannot be read: a number that is too large for its type names the bounds of its schema.
pub(super) fn named<T: ToSchema + 'static>(mut e: ApiError, bytes: &[u8]) -> ApiError {
    let is_too_large = |f: &Field| f.code == FieldProblem::OutOfRange.code();
    if e.fields.iter().any(is_too_large) {
        let beyond = bounds::beyond::<T>(bytes);
        for field in e.fields.iter_mut().filter(|f| is_too_large(f)) {
            if let Some(known) = beyond.iter().find(|b| b.path == field.path) {
                *field = known.clone();
            }
        }
    }
    e
}

/// A value of that shape; its bounds are not looked at.
pub(super) fn read_shape<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ApiError> {
    // Only a refused body is read again, to find the path of what is wrong.
    if let Ok(value) = serde_json::from_slice(bytes) {
        return Ok(value);
    }
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let value: T = serde_path_to_error::deserialize(&mut reader).map_err(|e| refused(&e))?;
    reader.end().map_err(|e| ApiError::malformed(e.to_string()))?;
    Ok(value)
}

/// Tells the three kinds apart: not JSON or a wrong type is 400; a missing field or a value that
/// no rule knows is 422.
fn refused(e: &serde_path_to_error::Error<serde_json::Error>) -> ApiError {
    let inner = e.inner();
    let text = inner.to_string();
    if inner.classify() != Category::Data {
        return ApiError::malformed(text);
    }
    let path = e.path().to_string();
    let path = if path == "." { String::new() } else { path };
    let join = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    if let Some(name) = text.strip_prefix("missing field `").and_then(|r| r.split('`').next()) {
        return ApiError::field(join(name), FieldProblem::Required);
    }
    if text.starts_with("invalid type: null") && !path.is_empty() {
        return ApiError::field(path, FieldProblem::Required);
    }
    if text.starts_with("invalid type") || path.is_empty() {
        let field = if path.is_empty() { Vec::new() } else { vec![Field::wrong_type(path)] };
        return ApiError { fields: field, ..ApiError::malformed("a value has the wrong type") };
    }
    let number = text.starts_with("invalid value: integer") || text.starts_with("invalid value: floating");
    let problem = if number {
        FieldProblem::OutOfRange
    } else if text.starts_with("unknown variant") {
        FieldProblem::Unknown
    } else {
        FieldProblem::Invalid
    };
    ApiError::field(path, problem)
}

/// Validator's tree as a list of dotted paths in JSON spelling.
pub fn flatten(errors: &ValidationErrors) -> Vec<Field> {
    let mut out = Vec::new();
    walk(errors, "", &mut out);
    out.sort_by(|a, b| a.path.cmp(&b.path));
    out
}

fn walk(errors: &ValidationErrors, prefix: &str, out: &mut Vec<Field>) {
    for (name, kind) in errors.errors() {
        let name = camel(name);
        let path = if prefix.is_empty() { name } else { format!("{prefix}.{name}") };
        match kind {
            ValidationErrorsKind::Struct(inner) => walk(inner, &path, out),
            ValidationErrorsKind::List(list) => {
                for (i, inner) in list {
                    walk(inner, &format!("{path}[{i}]"), out);
                }
            }
            ValidationErrorsKind::Field(list) => {
                let problem = match list.first().map(|e| e.code.as_ref()) {
                    Some("range") => {
                        let bound = |name: &str| list.first()?.params.get(name)?.as_f64();
                        bounds::out_of(&path, bound("min"), bound("max"))
                    }
                    Some("required") => FieldProblem::Required,
                    Some("length") => {
                        let empty = list.first().and_then(|e| e.params.get("value")).is_some_and(|v| {
                            v.as_str().is_some_and(str::is_empty) || v.as_array().is_some_and(Vec::is_empty)
                        });
                        if empty { FieldProblem::Required } else { FieldProblem::TooLong }
                    }
                    _ => FieldProblem::Invalid,
                };
                out.push(Field::new(path, problem));
            }
        }
    }
}

fn camel(snake: &str) -> String {
    let mut out = String::with_capacity(snake.len());
    let mut up = false;
    for c in snake.chars() {
        match c {
            '_' => up = true,
            c if up => {
                out.extend(c.to_uppercase());
                up = false;
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, dead_code)]
    use super::*;
    use actix_web::ResponseError;
    use serde::Deserialize;

    #[derive(Debug, Deserialize, ToSchema, Validate)]
    #[serde(rename_all = "camelCase")]
    struct Outer {
        #[validate(range(min = 1, max = 20))]
        mate_count: i64,
        #[validate(nested)]
        locations: Vec<Inner>,
        #[schema(value_type = Option<String>)]
        kind: Option<pricing::MoveKind>,
    }

    #[derive(Debug, Deserialize, ToSchema, Validate)]
    #[serde(rename_all = "camelCase")]
    struct Inner {
        #[validate(length(min = 1, max = 3))]
        postal_code: String,
        floor: u32,
    }

    fn fail(text: &str) -> (u16, Option<(String, &'static str)>) {
        let e = parse::<Outer>(text.as_bytes()).unwrap_err();
        (e.status_code().as_u16(), e.fields.first().map(|f| (f.path.clone(), f.code)))
    }

    #[test]
    fn each_mistake_names_its_field() {
        let field = |path: &str, code| Some((path.to_owned(), code));
        for (text, want) in [
            ("{", (400, None)),
            ("[]", (400, None)),
            (r#"{"mateCount":1,"locations":[]} x"#, (400, None)),
            (r#"{"mateCount":"two","locations":[]}"#, (400, field("mateCount", "wrong_type"))),
            (r#"{"mateCount":1.5,"locations":[]}"#, (400, field("mateCount", "wrong_type"))),
            (r#"{"locations":[]}"#, (422, field("mateCount", "required"))),
            (r#"{"mateCount":null,"locations":[]}"#, (422, field("mateCount", "required"))),
            (r#"{"mateCount":21,"locations":[]}"#, (422, field("mateCount", "out_of_range"))),
            (
                r#"{"mateCount":1,"locations":[{"postalCode":"x","floor":-1}]}"#,
                (422, field("locations[0].floor", "out_of_range")),
            ),
            (r#"{"mateCount":1,"locations":[{"postalCode":"x"}]}"#, (422, field("locations[0].floor", "required"))),
            (
                r#"{"mateCount":1,"locations":[{"postalCode":"","floor":1}]}"#,
                (422, field("locations[0].postalCode", "required")),
            ),
            (
                r#"{"mateCount":1,"locations":[{"postalCode":"abcd","floor":1}]}"#,
                (422, field("locations[0].postalCode", "too_long")),
            ),
            (r#"{"mateCount":1,"locations":[],"kind":"rocket"}"#, (422, field("kind", "unknown"))),
        ] {
            assert_eq!(fail(text), want, "{text}");
        }
        assert!(parse::<Outer>(br#"{"mateCount":1,"locations":[],"more":true}"#).is_ok(), "unknown fields are ignored");
    }
}
