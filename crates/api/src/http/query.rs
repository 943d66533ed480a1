//! Query parameters and path parts, refused by name.

use std::{
    any::TypeId,
    cell::RefCell,
    collections::HashMap,
    future::{Ready, ready},
    marker::PhantomData,
    rc::Rc,
    str::FromStr,
};

use actix_web::{FromRequest, HttpRequest, dev::Payload, web};
use serde::de::DeserializeOwned;
use serde_json::{Map, Number, Value, json};
use service::{ErrorCode, FieldProblem, settings::Area};
use utoipa::ToSchema;

use super::{
    bounds, json,
    problem::{ApiError, Field},
};
use crate::contract::{Contract, Declares, Names, Param, Record, bare};

/// Query parameters as the fields of a struct. Its schema says which there are, their types and
/// bounds; what is sent empty was not sent.
#[derive(Debug)]
pub struct ValidQuery<T> {
    /// The values.
    pub value: T,
    sent: HashMap<String, String>,
}

impl<T> ValidQuery<T> {
    /// Whether `name` is there, whatever its value.
    pub fn has(&self, name: &str) -> bool {
        self.sent.contains_key(name)
    }
}

impl<T: DeserializeOwned + ToSchema + 'static> FromRequest for ValidQuery<T> {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(req: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(read(req.query_string()))
    }
}

impl<T: ToSchema> Declares for ValidQuery<T> {
    fn declare(contract: &mut Contract) {
        contract.queries::<T>();
    }
}

/// A query as it was sent, for another parser; the bounds of `T` hold.
#[derive(Debug)]
pub struct RawQuery<T>(pub String, PhantomData<fn() -> T>);

impl<T: DeserializeOwned + ToSchema + 'static> FromRequest for RawQuery<T> {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(req: &HttpRequest, _: &mut Payload) -> Self::Future {
        let text = req.query_string();
        ready(read::<T>(text).map(|_| RawQuery(text.to_owned(), PhantomData)))
    }
}

impl<T: ToSchema> Declares for RawQuery<T> {
    fn declare(contract: &mut Contract) {
        contract.queries::<T>();
    }
}

/// What the text of a parameter is read as.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Text,
    Integer,
    Number,
    Flag,
}

impl Kind {
    fn of(property: &Value) -> Kind {
        match bare(property)["type"].as_str() {
            Some("integer") => Kind::Integer,
            Some("number") => Kind::Number,
            Some("boolean") => Kind::Flag,
            _ => Kind::Text,
        }
    }

    fn read(self, name: &str, text: &str) -> Result<Value, ApiError> {
        let read = match self {
            Kind::Text => return Ok(json!(text)),
            Kind::Integer => text.parse::<i64>().ok().map(Value::from).ok_or("a whole number"),
            Kind::Number => text.parse().ok().and_then(Number::from_f64).map(Value::Number).ok_or("a number"),
            Kind::Flag => match text {
                "true" | "1" => Ok(json!(true)),
                "false" | "0" => Ok(json!(false)),
                _ => Err("true or false"),
            },
        };
        read.map_err(|expected| ApiError {
            fields: vec![Field::wrong_type(name)],
            ..ApiError::malformed(format!("{name} must be {expected}"))
        })
    }
}

type Kinds = Rc<Vec<(String, Kind)>>;

thread_local! {
    static KNOWN: RefCell<HashMap<TypeId, Kinds>> = RefCell::default();
}

fn kinds_of<T: ToSchema + 'static>() -> Kinds {
    let known = KNOWN.with_borrow(|k| k.get(&TypeId::of::<T>()).cloned());
    known.unwrap_or_else(|| {
        let schema = serde_json::to_value(T::schema()).unwrap_or_default();
        let properties = schema["properties"].as_object().into_iter().flatten();
        let made = Rc::new(properties.map(|(name, p)| (name.clone(), Kind::of(p))).collect::<Vec<_>>());
        KNOWN.with_borrow_mut(|k| k.insert(TypeId::of::<T>(), made.clone()));
        made
    })
}

/// Reads a query string; a name that appears twice counts once (the last).
fn read<T: DeserializeOwned + ToSchema + 'static>(query: &str) -> Result<ValidQuery<T>, ApiError> {
    let sent = pairs(query)?;
    let mut object = Map::new();
    for (name, kind) in kinds_of::<T>().iter() {
        let text = sent.get(name).map(|text| text.trim()).filter(|text| !text.is_empty());
        if let Some(text) = text {
            object.insert(name.clone(), kind.read(name, text)?);
        }
    }
    let bytes = serde_json::to_vec(&object).map_err(ApiError::internal)?;
    let value = json::read_shape(&bytes).map_err(|e| json::named::<T>(e, &bytes))?;
    match bounds::beyond::<T>(&bytes) {
        fields if fields.is_empty() => Ok(ValidQuery { value, sent }),
        fields => Err(ApiError::invalid(fields)),
    }
}

fn pairs(query: &str) -> Result<HashMap<String, String>, ApiError> {
    let read = web::Query::<Vec<(String, String)>>::from_query(query)
        .map_err(|_| ApiError::malformed("the query string cannot be read"))?;
    // See [`super::nul`].
    match read.iter().find(|(name, value)| name.contains('\0') || value.contains('\0')) {
        Some((name, _)) => Err(ApiError::field(name.as_str(), FieldProblem::Invalid)),
        None => Ok(read.into_inner().into_iter().collect()),
    }
}

/// The id in a path. Whatever is not an id names nothing: 404.
#[derive(Debug)]
pub struct PathId<T>(pub T);

impl<T: FromStr> FromRequest for PathId<T> {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(req: &HttpRequest, _: &mut Payload) -> Self::Future {
        let id = req.match_info().get("id").and_then(|t| t.parse().ok());
        ready(id.map(PathId).ok_or_else(|| ErrorCode::NotFound.into()))
    }
}

impl<T: Names> Declares for PathId<T> {
    fn declare(contract: &mut Contract) {
        contract.record = Some(T::RECORD);
        let schema = match T::RECORD {
            Record::Mail => json!({ "type": "string", "maxLength": 200 }),
            Record::Settings => json!({ "type": "string", "enum": Area::ALL.map(Area::code) }),
            Record::PayLink
            | Record::CardLink
            | Record::ConsentLink
            | Record::QuoteLink
            | Record::UnsubscribeLink
            | Record::Feed => {
                json!({ "type": "string", "minLength": 43, "maxLength": 43 })
            }
            Record::MadeBy(_)
            | Record::Booking
            | Record::Tip
            | Record::Job
            | Record::PhoneOrder
            | Record::Begun
            | Record::WaitsForConsent
            | Record::RefusedRefund
            | Record::MatesJob
            | Record::MatesBegunJob
            | Record::Difference
            | Record::HandPayment
            | Record::HandRefund
            | Record::FailedCharge
            | Record::LostCharge
            | Record::FreshCharge
            | Record::Dispute
            | Record::Invoiced
            | Record::Invoice
            | Record::BilledPartner
            | Record::IssuedBatch
            | Record::Message
            | Record::LostMessage
            | Record::Rate => {
                json!({ "type": "string", "format": "uuid" })
            }
        };
        let description = "Key of the record.".to_owned();
        contract.params.push(Param { name: "id".to_owned(), place: "path", required: true, description, schema });
        contract.refuses(&[ErrorCode::NotFound]);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use actix_web::ResponseError;
    use serde::Deserialize;

    #[derive(Debug, Deserialize, ToSchema)]
    struct SampleQuery {
        #[schema(max_length = 3)]
        q: String,
        #[schema(max_length = 5)]
        city: Option<String>,
        #[schema(minimum = -180, maximum = 180)]
        lon: Option<f64>,
        #[serde(default)]
        #[schema(minimum = 1, maximum = 42)]
        days: u32,
        #[serde(default)]
        just: bool,
        #[schema(value_type = Option<String>, format = Date)]
        date: Option<kernel::chrono::NaiveDate>,
    }

    fn refused(query: &str) -> (u16, String, &'static str) {
        let e = read::<SampleQuery>(query).map(drop).unwrap_err();
        (e.status_code().as_u16(), e.fields[0].path.clone(), e.fields[0].code)
    }

    #[test]
    fn parameters_are_read_as_the_schema_says() {
        let read = |query: &str| read::<SampleQuery>(query).unwrap().value;
        for fine in ["q=abc", "q=%20abc%20", "q=%C3%A9%C3%A9%C3%A9", "q=abcd&q=abc", "q=a&other=0123456789", "q=a&lon="]
        {
            assert!(super::read::<SampleQuery>(fine).is_ok(), "{fine}");
        }
        let all = read("q=a&city=%20rue%20&lon=-180&days=7&just=1&date=2027-02-17");
        assert_eq!((all.q.as_str(), all.city.as_deref()), ("a", Some("rue")));
        assert_eq!((all.lon, all.days, all.just), (Some(-180.0), 7, true));
        assert_eq!(all.date.unwrap().to_string(), "2027-02-17");
        assert_eq!((read("q=a").days, read("q=a&just=false").just), (0, false));
    }

    #[test]
    fn what_is_wrong_is_refused_by_name() {
        for (query, status, field, code) in [
            ("", 422, "q", "required"),
            ("q=%20", 422, "q", "required"),
            ("q=abcd", 422, "q", "too_long"),
            ("q=abc&city=abcdef", 422, "city", "too_long"),
            ("q=a&lon=180.1", 422, "lon", "out_of_range"),
            ("q=a&lon=NaN", 400, "lon", "wrong_type"),
            ("q=a&lon=east", 400, "lon", "wrong_type"),
            ("q=a&days=43", 422, "days", "out_of_range"),
            ("q=a&days=-1", 422, "days", "out_of_range"),
            ("q=a&days=1.5", 400, "days", "wrong_type"),
            ("q=a&just=yes", 400, "just", "wrong_type"),
            ("q=a&date=2027-02-30", 422, "date", "invalid"),
            ("q=a&city=%00", 422, "city", "invalid"),
        ] {
            assert_eq!(refused(query), (status, field.to_owned(), code), "{query}");
        }
    }
}
