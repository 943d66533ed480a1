//! Errors as `application/problem+json` (RFC 9457).
//!
//! Handlers and extractors answer an [`ApiError`]; [`render`] (called by the outermost
//! middleware, the only place that knows the request's language and id) turns it into a body.

use std::fmt;

use actix_web::{HttpResponse, ResponseError, http::StatusCode, http::header};
use furniture_catalogue::Catalogue;
use kernel::Language;
use serde_json::{Map, Value, json};
use service::{
    Alternative, ErrorCode, FieldProblem, Limit, Params,
    ports::{StoreError, calendar::Shortfall},
};

use super::{
    codes::{Code, HttpCode},
    details, texts,
};

/// Media type of every error body.
pub const MEDIA_TYPE: &str = "application/problem+json";

/// A refused field as the HTTP layer sees it: the problem, or a text of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Path in the request.
    pub path: String,
    /// Stable code.
    pub code: &'static str,
    /// Key of the message; `{p1}` is the field's label, `{p2}` the greatest that is possible, `{p3}` the least.
    pub message: &'static str,
    /// The least that is possible.
    pub least: Option<Limit>,
    /// The greatest that is possible.
    pub most: Option<Limit>,
}

impl Field {
    /// A field with one of the service's problems.
    pub fn new(path: impl Into<String>, problem: FieldProblem) -> Field {
        let message = match problem {
            FieldProblem::Required => "form.required",
            FieldProblem::Invalid => "form.invalid",
            FieldProblem::OutOfRange => "field.outOfRange",
            FieldProblem::Unknown => "field.unknownValue",
            FieldProblem::TooLong => "field.tooLong",
            FieldProblem::Contradicts => "field.contradicts",
            FieldProblem::DoesNotFit => "field.doesNotFit",
            FieldProblem::CodeStays => "field.codeStays",
            FieldProblem::AlwaysClosed => "field.alwaysClosed",
            FieldProblem::CannotFollow => "field.cannotFollow",
            FieldProblem::Taken => "field.taken",
            FieldProblem::Overlaps => "field.overlaps",
            FieldProblem::AtLeast(Limit::Date(_)) => "field.fromDay",
            FieldProblem::AtLeast(_) => "field.atLeast",
            FieldProblem::AtMost(Limit::Date(_)) => "field.untilDay",
            FieldProblem::AtMost(_) => "field.atMost",
            FieldProblem::Between(Limit::Date(_), _) => "field.betweenDays",
            FieldProblem::Between(..) => "field.between",
        };
        let (least, most) = problem.limits();
        Field { path: path.into(), code: problem.code(), message, least, most }
    }

    /// A value of the wrong JSON type.
    pub fn wrong_type(path: impl Into<String>) -> Field {
        Field { path: path.into(), code: "wrong_type", message: "field.wrongType", least: None, most: None }
    }

    /// What is wrong, for people.
    pub fn words(&self, language: Language) -> String {
        let label = texts::field_label(&self.path, language);
        let [most, least] = [self.most, self.least].map(|limit| limit.map(|l| l.words(language)).unwrap_or_default());
        let values = [("p1", label.as_str()), ("p2", most.as_str()), ("p3", least.as_str())];
        texts::filled(self.message, language, values)
    }

    fn json(&self, language: Language) -> Value {
        let mut told = json!({ "field": self.path, "code": self.code, "message": self.words(language) });
        if let Some(Limit::Money(most)) = self.most {
            told["most"] = json!(most.to_string());
        }
        told
    }
}

/// Why a request was not carried out. Every handler returns it: seldom used parts are boxed.
#[derive(Debug)]
pub struct ApiError {
    /// The reason.
    pub code: Code,
    /// Values of the message, and further members of the body.
    pub params: Params,
    /// Somebody else's own words instead of our text.
    pub own_words: Option<Box<str>>,
    /// Refused fields.
    pub fields: Vec<Field>,
    /// What else the body tells of a refusal, boxed: most have nothing, and every answer carries the room for it.
    pub more: Option<Box<More>>,
    /// Seconds until it may be tried again.
    pub retry_after: Option<u64>,
    /// For the log only.
    pub cause: Option<Box<str>>,
}

/// Lists that the body of some refusals has.
#[derive(Debug)]
pub enum More {
    /// Free starts instead of one that is gone.
    Starts(Vec<Alternative>),
    /// What would be too little.
    TooLittle(Vec<Shortfall>),
}

impl ApiError {
    /// A bare reason.
    pub fn new(code: Code) -> ApiError {
        ApiError {
            code,
            params: Vec::new(),
            own_words: None,
            fields: Vec::new(),
            more: None,
            retry_after: None,
            cause: None,
        }
    }

    /// A reason of the HTTP layer.
    pub fn http(code: HttpCode) -> ApiError {
        ApiError::new(Code::Http(code))
    }

    /// A reason of a use case.
    pub fn rule(code: ErrorCode) -> ApiError {
        ApiError::new(Code::Rule(code))
    }

    /// Not readable; `reason`, a member of the body, is for programmers, in English.
    pub fn malformed(reason: impl Into<String>) -> ApiError {
        ApiError { params: vec![("reason", reason.into())], ..ApiError::http(HttpCode::MalformedRequest) }
    }

    /// Refused fields.
    pub fn invalid(fields: Vec<Field>) -> ApiError {
        ApiError { fields, ..ApiError::rule(ErrorCode::ValidationFailed) }
    }

    /// One refused field.
    pub fn field(path: impl Into<String>, problem: FieldProblem) -> ApiError {
        ApiError::invalid(vec![Field::new(path, problem)])
    }

    /// Our fault; `cause` goes to the log.
    pub fn internal(cause: impl fmt::Display) -> ApiError {
        ApiError { cause: Some(cause.to_string().into()), ..ApiError::http(HttpCode::Internal) }
    }

    /// Slow down.
    pub fn too_many(seconds: u64) -> ApiError {
        let seconds = seconds.max(1);
        ApiError {
            params: vec![("seconds", seconds.to_string())],
            retry_after: Some(seconds),
            ..ApiError::http(HttpCode::TooManyRequests)
        }
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code.row().code)
    }
}

impl std::error::Error for ApiError {}

impl From<service::Error> for ApiError {
    fn from(e: service::Error) -> ApiError {
        match e {
            service::Error::Refused(ErrorCode::Busy, params) => {
                ApiError { params, retry_after: Some(1), ..ApiError::rule(ErrorCode::Busy) }
            }
            service::Error::Refused(code, params) => {
                let retry_after =
                    params.iter().find(|(name, _)| *name == "seconds").and_then(|(_, value)| value.parse().ok());
                ApiError { params, retry_after, ..ApiError::rule(code) }
            }
            service::Error::SlotGone(list) => {
                ApiError { more: Some(Box::new(More::Starts(list))), ..ApiError::rule(ErrorCode::SlotGone) }
            }
            service::Error::CapacityTaken(list) => {
                ApiError { more: Some(Box::new(More::TooLittle(list))), ..ApiError::rule(ErrorCode::CapacityTaken) }
            }
            service::Error::Invalid(fields) => {
                ApiError::invalid(fields.into_iter().map(|f| Field::new(f.field, f.problem)).collect())
            }
            service::Error::ByGateway(code, words, params) => {
                let own_words = (!words.trim().is_empty()).then_some(words.into());
                ApiError { own_words, params, ..ApiError::rule(code) }
            }
            service::Error::Store(StoreError::Stale) => ApiError::rule(ErrorCode::VersionConflict),
            service::Error::Store(StoreError::PeriodClosed) => ApiError::rule(ErrorCode::PeriodClosed),
            service::Error::Store(e) if e.passes() => {
                ApiError { retry_after: Some(1), ..ApiError::rule(ErrorCode::Busy) }
            }
            service::Error::Store(e) => ApiError::internal(e),
            service::Error::Internal(why) => ApiError::internal(why),
        }
    }
}

impl From<ErrorCode> for ApiError {
    fn from(code: ErrorCode) -> ApiError {
        ApiError::rule(code)
    }
}

impl From<HttpCode> for ApiError {
    fn from(code: HttpCode) -> ApiError {
        ApiError::http(code)
    }
}

// The body is made by `render`; this is what actix needs to carry the error there.
impl ResponseError for ApiError {
    fn status_code(&self) -> StatusCode {
        self.code.row().status
    }

    fn error_response(&self) -> HttpResponse {
        HttpResponse::new(self.status_code())
    }
}

/// The problem of an error that is not ours: actix answered before any of our code ran.
pub fn of_status(status: StatusCode) -> ApiError {
    match status {
        StatusCode::NOT_FOUND => HttpCode::PathNotFound.into(),
        StatusCode::METHOD_NOT_ALLOWED => HttpCode::MethodNotAllowed.into(),
        StatusCode::PAYLOAD_TOO_LARGE => too_large(super::sizes::USUAL),
        StatusCode::REQUEST_TIMEOUT => HttpCode::RequestTimeout.into(),
        StatusCode::UNSUPPORTED_MEDIA_TYPE => {
            ApiError { params: vec![("expected", "application/json".into())], ..HttpCode::UnsupportedMediaType.into() }
        }
        s if s.is_client_error() => ApiError::malformed("the request cannot be read"),
        _ => ApiError::internal("an error outside of the handlers"),
    }
}

/// The body is larger than the call takes.
pub fn too_large(limit: usize) -> ApiError {
    const MEGABYTE: usize = 1024 * 1024;
    let size = if limit < MEGABYTE { format!("{} kB", limit / 1024) } else { format!("{} MB", limit / MEGABYTE) };
    ApiError { params: vec![("size", size)], ..HttpCode::PayloadTooLarge.into() }
}

/// The most days of `capacity_taken` that a body tells.
const SHORTFALLS: usize = 50;

fn shortfall(s: &Shortfall) -> Value {
    let what = s.truck.map_or("mates", |class| class.code());
    json!({ "hub": s.hub, "date": s.date, "what": what, "taken": s.taken, "offered": s.planned })
}

/// The body in `language`.
pub fn body(e: &ApiError, language: Language) -> Value {
    let row = e.code.row();
    let mut body = Map::new();
    body.insert("type".into(), json!(format!("/api/docs#{}", row.code)));
    body.insert("title".into(), json!(texts::text(row.title, language)));
    body.insert("status".into(), json!(row.status.as_u16()));
    body.insert("detail".into(), json!(details::detail(e, language)));
    body.insert("code".into(), json!(row.code));
    for (name, value) in &e.params {
        match *name {
            "expected" | "size" => {}
            "allowed" | "keys" | "provinces" | "kinds" => {
                let list: Vec<&str> = value.split([',', ' ']).filter(|s| !s.is_empty()).collect();
                body.insert((*name).into(), json!(list));
            }
            "n" | "seconds" | "minutes" | "line" | "way" => {
                body.insert((*name).into(), value.parse::<u64>().map_or_else(|_| json!(value), |n| json!(n)));
            }
            "items" => {
                body.insert("items".into(), value.split(',').map(|id| item(id, language)).collect());
            }
            other => {
                body.insert(other.into(), json!(value));
            }
        }
    }
    match e.more.as_deref() {
        Some(More::Starts(list)) => {
            let start = |a: &Alternative| json!({ "date": a.date, "time": a.time.format("%H:%M").to_string(), "startsAt": a.starts_at });
            body.insert("alternatives".into(), list.iter().map(start).collect());
        }
        Some(More::TooLittle(list)) => {
            body.insert("shortfalls".into(), list.iter().take(SHORTFALLS).map(shortfall).collect());
        }
        None => {}
    }
    if !e.fields.is_empty() {
        // Two rules may say the same of a field: it is told once.
        let mut told: Vec<&Field> = Vec::new();
        for field in &e.fields {
            if !told.contains(&field) {
                told.push(field);
            }
        }
        body.insert("errors".into(), told.into_iter().map(|f| f.json(language)).collect());
    }
    Value::Object(body)
}

/// An item of the catalogue, as the warnings of an estimate name it.
fn item(id: &str, language: Language) -> Value {
    let name = Catalogue::builtin().get(id).map_or(id, |item| item.name.get(language));
    json!({ "id": id, "name": name })
}

/// The whole response.
pub fn render(e: &ApiError, language: Language) -> HttpResponse {
    let row = e.code.row();
    let mut response = HttpResponse::build(row.status);
    response.insert_header((header::CONTENT_TYPE, MEDIA_TYPE));
    response.insert_header((header::CONTENT_LANGUAGE, language.code()));
    response.insert_header((header::CACHE_CONTROL, "no-store"));
    if let Some(seconds) = e.retry_after {
        response.insert_header((header::RETRY_AFTER, seconds.to_string()));
    }
    match e.code {
        Code::Rule(ErrorCode::SignInNeeded) => {
            response.insert_header((header::WWW_AUTHENTICATE, "Bearer"));
        }
        Code::Http(HttpCode::InvalidToken) => {
            response.insert_header((header::WWW_AUTHENTICATE, "Bearer error=\"invalid_token\""));
        }
        Code::Http(HttpCode::RequestTimeout | HttpCode::PayloadTooLarge) => {
            // The rest of the body is not waited for.
            response.force_close();
        }
        Code::Http(HttpCode::MethodNotAllowed) => {
            if let Some((_, allowed)) = e.params.iter().find(|(n, _)| *n == "allowed") {
                response.insert_header((header::ALLOW, allowed.clone()));
            }
        }
        _ => {}
    }
    response.body(body(e, language).to_string())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use service::trucks::TruckClass;

    #[test]
    fn fields_are_named_in_the_callers_language() {
        let e = ApiError::field("bookingRequest.pickup.postalCode", FieldProblem::Required);
        let b = body(&e, Language::Fr);
        assert_eq!(b["errors"][0]["message"], "Code postal est obligatoire.");
        assert_eq!((b["code"].as_str(), b["status"].as_u64()), (Some("validation_failed"), Some(422)));
        assert_eq!(body(&e, Language::En)["errors"][0]["message"], "Postal code is required.");
        assert_eq!(body(&e, Language::Zh)["errors"][0]["message"], "请填写邮政编码。");
    }

    #[test]
    fn the_same_mistake_of_a_field_is_told_once() {
        let field = |path: &str, problem| Field::new(path, problem);
        let e = ApiError::invalid(vec![
            field("name", FieldProblem::Required),
            field("email", FieldProblem::Invalid),
            field("name", FieldProblem::Required),
            field("name", FieldProblem::TooLong),
        ]);
        let told = body(&e, Language::En)["errors"].clone();
        let codes: Vec<&str> = told.as_array().unwrap().iter().map(|f| f["code"].as_str().unwrap()).collect();
        assert_eq!(codes, ["required", "invalid", "too_long"]);
    }

    #[test]
    fn a_sum_that_is_too_great_names_the_greatest() {
        let e = ApiError::field("amount", FieldProblem::AtMost(kernel::Money::from_cents(123_450).into()));
        let first_error = |language| body(&e, language)["errors"][0].clone();
        assert_eq!(first_error(Language::En)["message"], "Amount can be $1,234.50 at most.");
        assert_eq!(first_error(Language::Fr)["message"], "Montant\u{a0}: au plus 1\u{a0}234,50\u{a0}$.");
        assert_eq!(first_error(Language::Zh)["message"], "金额最多为 CA$1,234.50。");
        assert_eq!(first_error(Language::Fr)["most"], "1234.50");
        assert_eq!(first_error(Language::Fr)["code"], "out_of_range");
    }

    #[test]
    fn values_are_filled_in_and_kept_as_members() {
        let e: ApiError = service::Error::Refused(ErrorCode::MinMates, vec![("n", "3".into())]).into();
        let b = body(&e, Language::En);
        assert_eq!(b["detail"], "At least 3 mates are needed for this move.");
        assert_eq!(b["n"], 3);
        let e: ApiError =
            service::Error::Refused(ErrorCode::TransitionRefused, vec![("allowed", "assigned,cancelled".into())])
                .into();
        assert_eq!(body(&e, Language::En)["allowed"], json!(["assigned", "cancelled"]));
    }

    #[test]
    fn what_would_be_too_little_is_told_by_its_first_day_and_listed() {
        let lacks = |truck, taken, planned| Shortfall {
            hub: "montreal",
            date: "2027-07-01".parse().unwrap(),
            truck,
            taken,
            planned,
        };
        let mates = service::Error::CapacityTaken(vec![lacks(None, 30, 24); 60]);
        let b = body(&mates.into(), Language::En);
        assert_eq!(b["detail"], "July 1, 2027: 30 mates are taken, 24 would be there: 6 too few.");
        assert_eq!((b["status"].as_u64(), b["shortfalls"].as_array().unwrap().len()), (Some(409), 50));
        let first = json!({ "hub": "montreal", "date": "2027-07-01", "what": "mates", "taken": 30, "offered": 24 });
        assert_eq!(b["shortfalls"][0], first);
        let truck = service::Error::CapacityTaken(vec![lacks(Some(TruckClass::TwentyFoot), 3, 2)]);
        let b = body(&truck.into(), Language::Fr);
        assert!(b["detail"].as_str().unwrap().contains("20\u{a0}pi"), "{b}");
        assert_eq!(b["shortfalls"][0]["what"], "20ft");
    }

    #[test]
    fn the_gateways_words_are_the_detail_and_our_faults_say_nothing() {
        let e: ApiError = service::Error::ByGateway(ErrorCode::PaymentDeclined, "Do Not Honor".into(), vec![]).into();
        assert_eq!(body(&e, Language::Fr)["detail"], "Do Not Honor");
        assert_eq!(render(&e, Language::Fr).status(), StatusCode::PAYMENT_REQUIRED);
        let e: ApiError = service::Error::Internal("secret table".into()).into();
        assert!(!body(&e, Language::En).to_string().contains("secret"));
        let e: ApiError = service::Error::Store(StoreError::Stale).into();
        assert_eq!(render(&e, Language::En).status(), StatusCode::PRECONDITION_FAILED);
    }
}
