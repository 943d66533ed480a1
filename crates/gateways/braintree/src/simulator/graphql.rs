//! The wire: envelope, credentials, and the execution of documents against the schema.

use std::{cell::RefCell, collections::HashMap, sync::LazyLock, time::Duration};

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

use super::outcomes::{Operation, Outcome};
use super::plan::{self, Handling};
use super::{Core, Disruption, Fault, SimReply, Simulator, Turn, mutations, render, search};

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

/// A request that was understood, checked against the schema and let in.
pub(super) struct Accepted {
    document: Valid<ExecutableDocument>,
    operation_name: Option<String>,
    variables: Valid<JsonMap>,
    handling: Option<Handling>,
    /// The idempotency key that is in flight because of it.
    key: Option<String>,
}

impl Accepted {
    /// How long it is held back before it is applied.
    pub(super) fn hold(&self) -> Duration {
        self.handling.map_or(Duration::ZERO, |p| p.hold)
    }
}

impl Simulator {
    /// Answers one GraphQL request on this thread, which waits for as long as it is held back.
    pub fn handle_graphql(&self, authorization: Option<&str>, version: Option<&str>, body: &[u8]) -> SimReply {
        match self.at_once(authorization, version, body) {
            Ok(reply) => reply,
            Err(held) => {
                std::thread::sleep(held.hold());
                self.apply_held(*held)
            }
        }
    }

    /// Answers one GraphQL request, unless it is to be held back.
    pub(super) fn at_once(
        &self,
        authorization: Option<&str>,
        version: Option<&str>,
        body: &[u8],
    ) -> Result<SimReply, Box<Accepted>> {
        let refused = |answer| Ok(self.reply(answer, None, None));
        if let Some(fault) = refuse_client(authorization, version) {
            return refused(refusal(&fault));
        }
        let accepted = match serde_json::from_slice::<Request>(body) {
            Ok(request) => understand(request),
            Err(error) => {
                return refused(refusal(&Fault { class: "VALIDATION", legacy: None, message: error.to_string() }));
            }
        };
        let mut accepted = match accepted {
            Ok(accepted) => accepted,
            Err(answer) => return refused(answer),
        };
        let _alone = self.desk();
        if let Err(fault) = self.decide(&mut accepted) {
            return refused(refusal(&fault));
        }
        if accepted.hold().is_zero() { Ok(self.apply(accepted)) } else { Err(Box::new(accepted)) }
    }

    /// What was held back happens.
    pub(super) fn apply_held(&self, accepted: Accepted) -> SimReply {
        let _alone = self.desk();
        self.apply(accepted)
    }

    /// What will happen to it, and its key in flight if it has to wait.
    fn decide(&self, accepted: &mut Accepted) -> Result<(), Fault> {
        let Some(operation) = accepted
            .document
            .operations
            .get(accepted.operation_name.as_deref())
            .ok()
            .and_then(|o| o.root_fields(&accepted.document).next())
            .and_then(|field| Operation::of_field(field.name.as_str()))
        else {
            return Ok(());
        };
        let input = accepted.variables.get("input").and_then(|i| serde_json::to_value(i).ok()).unwrap_or_default();
        let mut core = self.core();
        let key = match operation {
            Operation::Charge | Operation::Refund => mutations::key_in_use(&core, &mut input.clone())?,
            _ => None,
        };
        if let Some(key) = &key {
            mutations::not_in_flight(&core, key)?;
        }
        accepted.handling = plan::at_the_door(&mut core, operation, &input)?;
        if let Some(handling) = accepted.handling.as_mut().filter(|p| p.only_safely) {
            let checked = operation == Operation::Charge && core.state.settings().duplicate_checking;
            handling.twice &= key.is_some() || checked;
        }
        if let Some(key) = key
            && !accepted.hold().is_zero()
        {
            core.in_flight.insert(key.key.clone(), key.input);
            accepted.key = Some(key.key);
        }
        Ok(())
    }

    /// What was decided about a look-up.
    fn look(&self, turn: &mut Turn) {
        let Some(handling) = turn.handling.take() else { return };
        turn.follow(handling);
        let mut core = self.core();
        let Core { state, dice, .. } = &mut *core;
        turn.blind = match &state.settings().chaos {
            _ if handling.outcome == Outcome::Miss => Some(Duration::MAX),
            Some(chaos) if dice.chance() < chaos.look_up_misses => Some(Duration::from_millis(chaos.look_up_lag_ms)),
            _ => None,
        };
    }

    fn apply(&self, accepted: Accepted) -> SimReply {
        if let Some(key) = &accepted.key {
            self.core().in_flight.remove(key);
        }
        let mut turn = Turn {
            now: self.now(),
            sandbox_amounts: self.sandbox_amounts,
            delay: None,
            disruption: None,
            handling: accepted.handling,
            twice: false,
            blind: None,
        };
        let answer = self.execute(&accepted, &mut turn);
        self.reply(answer, turn.delay, turn.disruption)
    }

    fn reply(&self, mut answer: Value, delay: Option<Duration>, disruption: Option<Disruption>) -> SimReply {
        answer["extensions"] = json!({ "requestId": self.request_id() });
        let reply = match disruption {
            Some(Disruption::InternalError) => {
                let mut failure = refusal(&Fault::internal("An unexpected error occurred."));
                failure["extensions"] = answer["extensions"].take();
                SimReply::json(500, &failure)
            }
            Some(Disruption::DropConnection) => SimReply { drop_connection: true, ..SimReply::json(200, &json!({})) },
            None => SimReply::json(200, &answer),
        };
        SimReply { delay, ..reply }
    }

    fn execute(&self, accepted: &Accepted, turn: &mut Turn) -> Value {
        let Some(schema) = SCHEMA.as_ref() else { return broken() };
        let Ok(operation) = accepted.document.operations.get(accepted.operation_name.as_deref()) else {
            return no_such_operation();
        };
        let root = Root { simulator: self, turn: RefCell::new(turn), faults: RefCell::default() };
        let execution = Execution::new(schema, &accepted.document)
            .operation(operation)
            .coerced_variable_values(&accepted.variables);
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

fn understand(request: Request) -> Result<Accepted, Value> {
    let Some(schema) = SCHEMA.as_ref() else { return Err(broken()) };
    let document = ExecutableDocument::parse_and_validate(schema, &request.query, "request.graphql")
        .map_err(|invalid| invalid_document(invalid.errors.iter().map(|e| e.error.to_string())))?;
    let operation = document.operations.get(request.operation_name.as_deref()).map_err(|_| no_such_operation())?;
    let none = JsonMap::new();
    let raw = request.variables.as_ref().unwrap_or(&none);
    let variables = coerce_variable_values(schema, operation, raw)
        .map_err(|error| invalid_document([error.message().to_string()].into_iter()))?;
    Ok(Accepted { document, operation_name: request.operation_name, variables, handling: None, key: None })
}

fn broken() -> Value {
    refusal(&Fault::internal("the simulator's schema is broken"))
}

fn no_such_operation() -> Value {
    invalid_document(["there is no such operation in the document".to_owned()].into_iter())
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
                let mut turn = self.turn.borrow_mut();
                self.simulator.look(&mut turn);
                return Ok(ResolvedValue::object(Search {
                    simulator: self.simulator,
                    now: turn.now,
                    blind: turn.blind,
                }));
            }
            "node" => {
                let mut turn = self.turn.borrow_mut();
                self.simulator.look(&mut turn);
                let now = turn.now;
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
    blind: Option<Duration>,
}

impl ObjectValue for Search<'_> {
    fn type_name(&self) -> &str {
        "Search"
    }

    fn resolve_field<'a>(&'a self, info: &'a ResolveInfo<'a>) -> Result<ResolvedValue<'a>, FieldError> {
        let core = self.simulator.core();
        let hidden = |seq: u64| {
            let Some(lag) = self.blind else { return false };
            lag == Duration::MAX || core.applied.get(&seq).is_some_and(|at| at.elapsed() < lag)
        };
        match search::connection(&core.state, self.now, info.field_name(), &arguments(info), &hidden) {
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
