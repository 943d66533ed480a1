//! What a call takes, answers and refuses, told by the types of its handler.
//!
//! Each argument of a handler and each type it answers implements [`Declares`]; a row of the table
//! gathers them with [`Contract::of`]. Nothing of it is written beside the handler, so the document
//! cannot say anything else than the code does.

mod record;
mod refusal;

use std::collections::BTreeMap;

use actix_web::{Either, HttpRequest, http::StatusCode, web};
use serde_json::{Value, json};
use service::ErrorCode;
use utoipa::ToSchema;

use crate::http::codes::{Code, HttpCode};

pub use record::Record;
pub use refusal::{CommonError, Reason, Refusal, Refusals, refusals};

/// Media type of nearly every body.
pub const JSON: &str = "application/json";

/// An id that names a record in a path.
pub trait Names {
    /// Which kind of record.
    const RECORD: Record;
}

impl Names for kernel::BookingId {
    const RECORD: Record = Record::Booking;
}

impl Names for kernel::HoldId {
    const RECORD: Record = Record::MadeBy("createHold");
}

/// A parameter of a call.
#[derive(Debug, Clone)]
pub struct Param {
    /// Its name.
    pub name: String,
    /// `query`, `path`, `header`.
    pub place: &'static str,
    /// It must be there.
    pub required: bool,
    /// For people.
    pub description: String,
    /// JSON schema.
    pub schema: Value,
}

/// The body of a request.
#[derive(Debug, Clone)]
pub struct Body {
    /// Media type.
    pub media: &'static str,
    /// Name of the schema.
    pub schema: String,
}

/// An answer that is not a problem.
#[derive(Debug, Clone)]
pub struct DeclaredAnswer {
    /// Status.
    pub status: u16,
    /// For people.
    pub description: String,
    /// Media type and schema of the body, if there is one.
    pub content: Option<(&'static str, Value)>,
    /// Names of headers, with what they say.
    pub headers: Vec<(&'static str, &'static str)>,
}

impl DeclaredAnswer {
    /// An answer without a body.
    pub fn empty(status: u16, description: &str) -> DeclaredAnswer {
        DeclaredAnswer { status, description: description.to_owned(), content: None, headers: Vec::new() }
    }

    /// An answer with a body that no schema describes.
    pub fn plain(status: u16, description: &str, media: &'static str) -> DeclaredAnswer {
        let kind = if media == JSON { "object" } else { "string" };
        DeclaredAnswer { content: Some((media, json!({ "type": kind }))), ..DeclaredAnswer::empty(status, description) }
    }
}

/// What a call takes, answers and refuses.
#[derive(Debug, Clone, Default)]
pub struct Contract {
    /// Parameters of path, query and header.
    pub params: Vec<Param>,
    /// The body it reads.
    pub body: Option<Body>,
    /// What it answers when it does not refuse; the usual one first.
    pub answers: Vec<DeclaredAnswer>,
    /// Why it refuses.
    pub codes: Vec<Code>,
    /// What the path names.
    pub record: Option<Record>,
    /// Schemas by name.
    pub schemas: BTreeMap<String, Value>,
}

/// A type that says something about the calls whose handler takes or answers it.
pub trait Declares {
    /// Adds what it says.
    fn declare(contract: &mut Contract);
}

impl Contract {
    /// Of a handler with these arguments and this answer.
    pub fn of<Args: Declares, Output: Declares>() -> Contract {
        let mut contract = Contract::default();
        Args::declare(&mut contract);
        Output::declare(&mut contract);
        contract
    }

    /// Adds reasons of the use case.
    pub fn refuses(&mut self, codes: &[ErrorCode]) {
        codes.iter().for_each(|c| self.refuses_code(Code::Rule(*c)));
    }

    /// Adds reasons of the HTTP layer.
    pub fn refuses_http(&mut self, codes: &[HttpCode]) {
        codes.iter().for_each(|c| self.refuses_code(Code::Http(*c)));
    }

    /// Adds a reason, once.
    pub fn refuses_code(&mut self, code: Code) {
        if !self.codes.contains(&code) {
            self.codes.push(code);
        }
    }

    /// Keeps the schema of `T` and what it refers to; its name and description.
    pub fn schema<T: ToSchema>(&mut self) -> (String, String) {
        self.parts::<T>();
        let (name, schema) = (T::name().into_owned(), serde_json::to_value(T::schema()).unwrap_or_default());
        let description = schema["description"].as_str().unwrap_or_default().to_owned();
        self.schemas.insert(name.clone(), schema);
        (name, description)
    }

    fn parts<T: ToSchema>(&mut self) {
        let mut all = Vec::new();
        T::schemas(&mut all);
        for (name, schema) in all {
            self.schemas.insert(name, serde_json::to_value(schema).unwrap_or_default());
        }
    }

    /// Reads a body of `T`.
    pub fn reads<T: ToSchema>(&mut self, media: &'static str) {
        let (schema, _) = self.schema::<T>();
        self.body = Some(Body { media, schema });
        self.refuses_http(&[HttpCode::MalformedRequest, HttpCode::UnsupportedMediaType]);
        self.refuses_http(&[HttpCode::PayloadTooLarge, HttpCode::RequestTimeout]);
    }

    /// Answers a JSON body of `T`; the description is that of `T`.
    pub fn answers<T: ToSchema>(&mut self, status: StatusCode) -> &mut DeclaredAnswer {
        let (name, description) = self.schema::<T>();
        let schema = json!({ "$ref": format!("#/components/schemas/{name}") });
        self.answers_with(DeclaredAnswer {
            content: Some((JSON, schema)),
            ..DeclaredAnswer::empty(status.as_u16(), &description)
        })
    }

    /// Adds an answer.
    pub fn answers_with(&mut self, answer: DeclaredAnswer) -> &mut DeclaredAnswer {
        self.answers.push(answer);
        let last = self.answers.len() - 1;
        &mut self.answers[last]
    }

    /// Takes the fields of `T` as query parameters.
    pub fn queries<T: ToSchema>(&mut self) {
        self.parts::<T>();
        let schema = serde_json::to_value(T::schema()).unwrap_or_default();
        let required: Vec<&str> =
            schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            self.params.push(Param {
                name: name.clone(),
                place: "query",
                required: required.contains(&name.as_str()),
                description: property["description"].as_str().unwrap_or_default().to_owned(),
                schema: bare(property),
            });
        }
        self.refuses(&[ErrorCode::ValidationFailed]);
        self.refuses_http(&[HttpCode::MalformedRequest]);
    }
}

/// The schema of a field as that of a parameter: absent instead of null, described outside of it.
pub fn bare(property: &Value) -> Value {
    let mut schema = property.clone();
    let one = |parts: &Value| {
        let mut others = parts.as_array().into_iter().flatten().filter(|p| p["type"] != "null");
        others.next().filter(|_| others.next().is_none()).cloned()
    };
    for several in ["oneOf", "anyOf", "allOf"] {
        if let Some(only) = one(&schema[several]) {
            schema = only;
            break;
        }
    }
    if let Some(object) = schema.as_object_mut() {
        object.retain(|name, value| name != "description" && !value.is_null());
        if let Some(kind) = object.get("type").and_then(Value::as_array).and_then(|l| l.iter().find(|t| *t != "null")) {
            let kind = kind.clone();
            object.insert("type".into(), kind);
        }
    }
    schema
}

/// What the framework hands over says nothing of its own.
macro_rules! silent {
    ($($type:ty),+ $(,)?) => {$(
        impl Declares for $type {
            fn declare(_: &mut Contract) {}
        }
    )+};
}

silent!(HttpRequest, ());

impl<T> Declares for web::Data<T> {
    fn declare(_: &mut Contract) {}
}

impl<L: Declares, R: Declares> Declares for Either<L, R> {
    fn declare(contract: &mut Contract) {
        L::declare(contract);
        R::declare(contract);
    }
}

/// Arguments of a handler are a tuple.
macro_rules! tuples {
    ($($($name:ident)+;)+) => {$(
        impl<$($name: Declares),+> Declares for ($($name,)+) {
            fn declare(contract: &mut Contract) {
                $($name::declare(contract);)+
            }
        }
    )+};
}

tuples! {
    A;
    A B;
    A B C;
    A B C D;
    A B C D E;
    A B C D E F;
}

/// Ids in paths that are each of a kind of record: `names! { LostMessage: Record::LostMessage }`.
macro_rules! names {
    ($($id:ident: $record:expr),+ $(,)?) => {$(
        impl std::str::FromStr for $id {
            type Err = ();

            fn from_str(text: &str) -> Result<$id, ()> {
                text.parse().map($id).map_err(drop)
            }
        }

        impl $crate::contract::Names for $id {
            const RECORD: $crate::contract::Record = $record;
        }
    )+};
}
pub(crate) use names;
