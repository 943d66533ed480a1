//! The wire: envelope, credentials, and the execution of documents against the schema.

use std::{cell::RefCell, collections::HashMap, sync::LazyLock};

use apollo_compiler::{
    ExecutableDocument, Schema,
    request::coerce_variable_values,
    resolvers::{Execution, FieldError, ObjectValue, ResolveInfo, ResolvedValue},
    response::JsonMap,
    validation::Valid,
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use chrono::{DateTime, NaiveDate, Utc};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Disruption, Fault, SimReply, Simulator, Turn, mutations, render, search};

/// `None` only if our own schema were broken, which a test rules out.
static SCHEMA: LazyLock<Option<Valid<Schema>>> = LazyLock::new(|| {
    let builder = Schema::builder()
        .parse(include_str!("../../schema/subset.graphql"), "subset.graphql")
        .parse(include_str!("../../schema/extensions.graphql"), "extensions.graphql");
    match builder.build().map(Schema::validate) {
        Ok(Ok(schema)) => Some(schema),
        Ok(Err(error)) => broken_schema(&error),
        Err(error) => broken_schema(&error),
    }
});

fn broken_schema(error: &dyn std::fmt::Display) -> Option<Valid<Schema>> {
    tracing::error!(%error, "the simulator's schema");
    None
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Request {
    query: String,
    #[serde(default)]
    variables: Option<JsonMap>,
    operation_name: Option<String>,
}

impl Simulator {
    /// Answers one GraphQL request.
    pub fn handle_graphql(&self, authorization: Option<&str>, version: Option<&str>, body: &[u8]) -> SimReply {
        let mut turn = Turn { now: self.now(), sandbox_amounts: self.sandbox_amounts, delay: None, disruption: None };
        let mut answer = match refuse_client(authorization, version) {
            Some(fault) => refusal(&fault),
            None => match serde_json::from_slice::<Request>(body) {
                Ok(request) => self.execute(&request, &mut turn),
                Err(error) => refusal(&Fault { class: "VALIDATION", legacy: None, message: error.to_string() }),
            },
        };
        answer["extensions"] = json!({ "requestId": self.request_id() });
        let reply = match turn.disruption {
            Some(Disruption::InternalError) => {
                let mut failure = refusal(&Fault::internal("An unexpected error occurred."));
                failure["extensions"] = answer["extensions"].take();
                SimReply::json(500, &failure)
            }
            Some(Disruption::DropConnection) => SimReply { drop_connection: true, ..SimReply::json(200, &json!({})) },
            None => SimReply::json(200, &answer),
        };
        SimReply { delay: turn.delay, ..reply }
    }

    fn execute(&self, request: &Request, turn: &mut Turn) -> Value {
        let Some(schema) = SCHEMA.as_ref() else {
            return refusal(&Fault::internal("the simulator's schema is broken"));
        };
        let document = match ExecutableDocument::parse_and_validate(schema, &request.query, "request.graphql") {
            Ok(document) => document,
            Err(invalid) => return invalid_document(invalid.errors.iter().map(|e| e.error.to_string())),
        };
        let name = request.operation_name.as_deref();
        let Ok(operation) = document.operations.get(name) else {
            return invalid_document(["there is no such operation in the document".to_owned()].into_iter());
        };
        let none = JsonMap::new();
        let raw = request.variables.as_ref().unwrap_or(&none);
        let variables = match coerce_variable_values(schema, operation, raw) {
            Ok(variables) => variables,
            Err(error) => return invalid_document([error.message().to_string()].into_iter()),
        };
        let root = Root { simulator: self, turn: RefCell::new(turn), faults: RefCell::default() };
        let execution = Execution::new(schema, &document).operation(operation).coerced_variable_values(&variables);
        let response = match execution.execute_sync(&root) {
            Ok(response) => response,
            Err(error) => return invalid_document([error.message().to_string()].into_iter()),
        };
        let mut answer = serde_json::to_value(&response).unwrap_or_default();
        let faults = root.faults.borrow();
        for error in answer.get_mut("errors").and_then(Value::as_array_mut).into_iter().flatten() {
            let key = error["path"][0].as_str().unwrap_or_default().to_owned();
            let Some(fault) = faults.get(&key) else {
                error["extensions"] = json!({ "errorClass": "INTERNAL" });
                continue;
            };
            error["extensions"] = fault.extensions();
            // The engine puts words of its own before ours.
            error["message"] = fault.message.clone().into();
        }
        answer
    }
}

/// Any well-formed credentials will do: the simulator has no accounts. A missing version is refused
/// though the real gateway merely answers in an old dialect: nobody should find out that way.
fn refuse_client(authorization: Option<&str>, version: Option<&str>) -> Option<Fault> {
    let pair = authorization
        .and_then(|a| a.strip_prefix("Basic "))
        .and_then(|encoded| STANDARD.decode(encoded.trim()).ok())
        .and_then(|bytes| String::from_utf8(bytes).ok());
    let filled = |pair: &String| pair.split_once(':').is_some_and(|(user, key)| !user.is_empty() && !key.is_empty());
    if !pair.as_ref().is_some_and(filled) {
        let message = "Authentication credentials are invalid.".to_owned();
        return Some(Fault { class: "AUTHENTICATION", legacy: None, message });
    }
    let dated = version.is_some_and(|v| NaiveDate::parse_from_str(v, "%Y-%m-%d").is_ok());
    if dated {
        None
    } else {
        let message = "The Braintree-Version header must be a date.".to_owned();
        Some(Fault { class: "UNSUPPORTED_CLIENT", legacy: None, message })
    }
}

fn refusal(fault: &Fault) -> Value {
    json!({ "data": null, "errors": [{ "message": fault.message, "extensions": fault.extensions() }] })
}

fn invalid_document(messages: impl Iterator<Item = String>) -> Value {
    let errors: Vec<Value> =
        messages.map(|message| json!({ "message": message, "extensions": { "errorClass": "VALIDATION" } })).collect();
    json!({ "data": null, "errors": errors })
}

/// `Query` and `Mutation`.
struct Root<'a> {
    simulator: &'a Simulator,
    turn: RefCell<&'a mut Turn>,
    /// By response key: what the execution engine cannot carry in its own errors.
    faults: RefCell<HashMap<String, Fault>>,
}

fn arguments(info: &ResolveInfo<'_>) -> Value {
    serde_json::to_value(info.arguments()).unwrap_or_default()
}

impl ObjectValue for Root<'_> {
    fn type_name(&self) -> &str {
        // The engine knows which root it asked for; this is only read for `__typename`.
        "Query"
    }

    fn resolve_field<'a>(&'a self, info: &'a ResolveInfo<'a>) -> Result<ResolvedValue<'a>, FieldError> {
        let arguments = arguments(info);
        let resolved = match info.field_name() {
            "ping" => return Ok(ResolvedValue::leaf("pong")),
            "search" => {
                return Ok(ResolvedValue::object(Search { simulator: self.simulator, now: self.turn.borrow().now }));
            }
            "node" => {
                let now = self.turn.borrow().now;
                let id = arguments["id"].as_str().unwrap_or_default();
                render::node(&self.simulator.core().state, now, id)
                    .ok_or_else(|| Fault::not_found("An object with this ID was not found."))
            }
            field => {
                let mut turn = self.turn.borrow_mut();
                mutations::run(&mut self.simulator.core(), &mut turn, field, arguments["input"].clone())
            }
        };
        resolved.map(owned).map_err(|fault| {
            let message = fault.message.clone();
            let key = info.field_selections().first().map(|f| f.response_key().to_string()).unwrap_or_default();
            self.faults.borrow_mut().insert(key, fault);
            FieldError { message }
        })
    }
}

/// `Search`.
struct Search<'a> {
    simulator: &'a Simulator,
    now: DateTime<Utc>,
}

impl ObjectValue for Search<'_> {
    fn type_name(&self) -> &str {
        "Search"
    }

    fn resolve_field<'a>(&'a self, info: &'a ResolveInfo<'a>) -> Result<ResolvedValue<'a>, FieldError> {
        let core = self.simulator.core();
        match search::connection(&core.state, self.now, info.field_name(), &arguments(info)) {
            Some(connection) => Ok(owned(connection)),
            None => Err(self.unknown_field_error(info)),
        }
    }
}

/// A rendered object: JSON whose objects name their type in `__typename`.
struct Owned(Value);
struct Borrowed<'a>(&'a Value);

fn owned<'a>(value: Value) -> ResolvedValue<'a> {
    if value.is_null() { ResolvedValue::null() } else { ResolvedValue::object(Owned(value)) }
}

fn type_of(value: &Value) -> &str {
    value["__typename"].as_str().unwrap_or_default()
}

fn field_of<'a>(value: &'a Value, info: &ResolveInfo<'_>) -> ResolvedValue<'a> {
    value.get(info.field_name()).map_or_else(ResolvedValue::null, resolved)
}

fn resolved(value: &Value) -> ResolvedValue<'_> {
    match value {
        Value::Object(_) => ResolvedValue::object(Borrowed(value)),
        Value::Array(items) => ResolvedValue::list(items.iter().map(resolved)),
        leaf => ResolvedValue::leaf(leaf.clone()),
    }
}

impl ObjectValue for Owned {
    fn type_name(&self) -> &str {
        type_of(&self.0)
    }

    fn resolve_field<'a>(&'a self, info: &'a ResolveInfo<'a>) -> Result<ResolvedValue<'a>, FieldError> {
        Ok(field_of(&self.0, info))
    }
}

impl ObjectValue for Borrowed<'_> {
    fn type_name(&self) -> &str {
        type_of(self.0)
    }

    fn resolve_field<'a>(&'a self, info: &'a ResolveInfo<'a>) -> Result<ResolvedValue<'a>, FieldError> {
        Ok(field_of(self.0, info))
    }
}
