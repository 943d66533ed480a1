//! The documentation of one call, as the OpenAPI document says it.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use service::ErrorCode;
use utoipa::ToSchema;

use crate::{
    endpoint::{Access, Route, usual_codes},
    http::{Code, HttpCode, problem, query::Bound},
};

/// Pattern of amounts in dollars.
pub const MONEY: &str = r"^-?\d+\.\d{2}$";

/// A parameter of a call.
#[derive(Debug, Clone)]
pub struct Param {
    name: &'static str,
    place: &'static str,
    required: bool,
    description: &'static str,
    schema: Value,
}

impl Param {
    /// An optional query parameter with its JSON schema.
    pub fn query(name: &'static str, description: &'static str, schema: Value) -> Param {
        Param { name, place: "query", required: false, description, schema }
    }

    /// Makes it required.
    pub fn required(mut self) -> Param {
        self.required = true;
        self
    }

    fn header(name: &'static str, required: bool, description: &'static str, schema: Value) -> Param {
        Param { name, place: "header", required, description, schema }
    }

    fn json(&self) -> Value {
        json!({ "name": self.name, "in": self.place, "required": self.required, "description": self.description, "schema": self.schema })
    }
}

#[derive(Debug, Clone)]
struct Body {
    media: &'static str,
    schema: Value,
    required: bool,
}

#[derive(Debug, Clone)]
struct Answer {
    status: u16,
    description: &'static str,
    content: Option<(&'static str, Value)>,
}

/// Documentation of one call.
#[derive(Debug, Clone)]
pub struct Doc {
    id: &'static str,
    pub(crate) tag: &'static str,
    summary: &'static str,
    description: Option<&'static str>,
    params: Vec<Param>,
    body: Option<Body>,
    answers: Vec<Answer>,
    codes: Vec<Code>,
    pub(crate) schemas: BTreeMap<String, Value>,
    idempotent: bool,
    if_match: Option<bool>,
}

impl Doc {
    /// A call's operation id, group and one-line summary.
    pub fn new(id: &'static str, tag: &'static str, summary: &'static str) -> Doc {
        Doc {
            id,
            tag,
            summary,
            description: None,
            params: Vec::new(),
            body: None,
            answers: Vec::new(),
            codes: Vec::new(),
            schemas: BTreeMap::new(),
            idempotent: false,
            if_match: None,
        }
    }

    /// What else there is to know.
    pub fn about(mut self, text: &'static str) -> Doc {
        self.description = Some(text);
        self
    }

    /// A query parameter.
    pub fn param(mut self, param: Param) -> Doc {
        self.params.push(param);
        self
    }

    /// `page` and `per_page`.
    pub fn paged(self, default_size: i64) -> Doc {
        self.param(Param::query(
            "page",
            "Page, from 1.",
            json!({ "type": "integer", "minimum": 1, "maximum": 1_000_000, "default": 1 }),
        ))
        .param(Param::query(
            "per_page",
            "Rows a page.",
            json!({ "type": "integer", "minimum": 1, "maximum": 100, "default": default_size }),
        ))
        .refuses(&[ErrorCode::ValidationFailed])
        .refuses_http(&[HttpCode::MalformedRequest])
    }

    /// A JSON body.
    pub fn body<T: ToSchema>(mut self) -> Doc {
        let schema = self.component::<T>();
        self.body = Some(Body { media: "application/json", schema, required: true });
        self
    }

    /// A form body.
    pub fn form<T: ToSchema>(mut self) -> Doc {
        let schema = self.component::<T>();
        self.body = Some(Body { media: "application/x-www-form-urlencoded", schema, required: true });
        self
    }

    /// A body that may be left out.
    pub fn optional_body<T: ToSchema>(mut self) -> Doc {
        let schema = self.component::<T>();
        self.body = Some(Body { media: "application/json", schema, required: false });
        self
    }

    /// A JSON answer.
    pub fn answers<T: ToSchema>(mut self, status: u16, description: &'static str) -> Doc {
        let schema = self.component::<T>();
        self.answers.push(Answer { status, description, content: Some(("application/json", schema)) });
        self
    }

    /// An answer without a body, or with one that is not JSON.
    pub fn answers_plain(mut self, status: u16, description: &'static str, media: Option<&'static str>) -> Doc {
        let kind = if media == Some("application/json") { "object" } else { "string" };
        let content = media.map(|m| (m, json!({ "type": kind })));
        self.answers.push(Answer { status, description, content });
        self
    }

    /// Rules that may refuse it.
    pub fn refuses(mut self, codes: &[ErrorCode]) -> Doc {
        self.codes.extend(codes.iter().copied().map(Code::Rule));
        self
    }

    /// Reasons of the HTTP layer that may refuse it.
    pub fn refuses_http(mut self, codes: &[HttpCode]) -> Doc {
        self.codes.extend(codes.iter().copied().map(Code::Http));
        self
    }

    /// Takes an `Idempotency-Key`.
    pub fn idempotent(mut self) -> Doc {
        self.idempotent = true;
        self.refuses(&[ErrorCode::IdempotencyKeyReused, ErrorCode::RequestInFlight])
    }

    /// Takes `If-Match`.
    pub fn if_match(mut self, required: bool) -> Doc {
        self.if_match = Some(required);
        let mut codes = vec![ErrorCode::VersionConflict];
        codes.extend(required.then_some(ErrorCode::VersionRequired));
        self.refuses(&codes)
    }

    /// Query parameters that have a length or numeric bounds.
    pub fn query_bounds(&self) -> Vec<(&'static str, Bound)> {
        let bound = |schema: &Value| match schema["maxLength"].as_u64() {
            Some(most) => usize::try_from(most).ok().map(Bound::Characters),
            None => Some(Bound::Number(schema["minimum"].as_f64()?, schema["maximum"].as_f64()?)),
        };
        self.params.iter().filter(|p| p.place == "query").filter_map(|p| Some((p.name, bound(&p.schema)?))).collect()
    }

    /// Operation id.
    pub fn id(&self) -> &'static str {
        self.id
    }

    fn component<T: ToSchema>(&mut self) -> Value {
        let mut all = Vec::new();
        T::schemas(&mut all);
        let name = T::name().into_owned();
        all.push((name.clone(), T::schema()));
        for (name, schema) in all {
            self.schemas.insert(name, serde_json::to_value(schema).unwrap_or_default());
        }
        json!({ "$ref": format!("#/components/schemas/{name}") })
    }

    pub(crate) fn operation(&self, route: &Route) -> Value {
        let mut params: Vec<Value> = path_params(route.path);
        params.extend(self.params.iter().map(Param::json));
        if self.idempotent {
            let schema = json!({ "type": "string", "minLength": 1, "maxLength": 255, "pattern": r"^[!-~]+$" });
            params.push(
                Param::header(
                    "Idempotency-Key",
                    false,
                    "The same key and body within 24 hours replays the first answer instead of acting again.",
                    schema,
                )
                .json(),
            );
        }
        if let Some(required) = self.if_match {
            let schema = json!({ "type": "string", "pattern": r#"^"\d{1,9}"$"# });
            params.push(Param::header("If-Match", required, "The version that was read: \"3\".", schema).json());
        }
        let mut op = Map::new();
        op.insert("operationId".into(), json!(self.id));
        op.insert("tags".into(), json!([self.tag]));
        op.insert("summary".into(), json!(self.summary));
        let mut about = self.description.map(str::to_owned).unwrap_or_default();
        if route.access != Access::Public {
            let may: Vec<&str> =
                service::Role::ALL.into_iter().filter(|r| route.access.allows(*r)).map(service::Role::code).collect();
            about = format!("{about}\n\nWho may: {} ({}).", may.join(", "), route.relation);
        }
        if !about.trim().is_empty() {
            op.insert("description".into(), json!(about.trim()));
        }
        if !params.is_empty() {
            op.insert("parameters".into(), Value::Array(params));
        }
        if let Some(body) = &self.body {
            op.insert(
                "requestBody".into(),
                json!({ "required": body.required, "content": { body.media: { "schema": body.schema } } }),
            );
        }
        op.insert("responses".into(), self.responses(route));
        let security = if route.access == Access::Public { json!([]) } else { json!([{ "bearer": [] }]) };
        op.insert("security".into(), security);
        Value::Object(op)
    }

    fn responses(&self, route: &Route) -> Value {
        // Every response is written as an object below, so that adding members to it cannot fail.
        let mut by_status: BTreeMap<u16, Value> = BTreeMap::new();
        let request_id = json!({ "X-Request-Id": { "$ref": "#/components/headers/RequestId" } });
        for answer in &self.answers {
            let mut response = json!({ "description": answer.description, "headers": request_id });
            if self.idempotent {
                response["headers"]["Idempotency-Replayed"] = json!({ "description": "`true` when this is the answer of an earlier request.", "schema": { "type": "string" } });
            }
            if let Some((media, schema)) = &answer.content {
                response["content"] = json!({ *media: { "schema": schema } });
            }
            by_status.insert(answer.status, response);
        }
        let mut refusals: BTreeMap<u16, Vec<&'static str>> = BTreeMap::new();
        let usual = usual_codes(route, self.body.is_some(), self.params.iter().any(|p| p.place == "query"));
        for code in usual.iter().chain(&self.codes) {
            let row = code.row();
            let codes = refusals.entry(row.status.as_u16()).or_default();
            if !codes.contains(&row.code) {
                codes.push(row.code);
            }
        }
        for (status, codes) in refusals {
            let schema = json!({
                "allOf": [{ "$ref": "#/components/schemas/Problem" }],
                "properties": { "code": { "enum": codes } }
            });
            let mut response = json!({
                "description": format!("Refused: {}.", codes.join(", ")),
                "headers": request_id,
                "content": { problem::MEDIA_TYPE: { "schema": schema } }
            });
            // A status may have an answer of its own kind besides (an OAuth error, a page).
            if let Some(own) = by_status.get(&status).and_then(|r| r["content"].as_object()) {
                for (media, content) in own {
                    response["content"][media] = content.clone();
                }
            }
            if status == 429 || status == 503 {
                response["headers"]["Retry-After"] =
                    json!({ "description": "Seconds to wait.", "schema": { "type": "integer" } });
            }
            by_status.insert(status, response);
        }
        by_status.into_iter().map(|(s, r)| (s.to_string(), r)).collect::<Map<_, _>>().into()
    }
}

fn path_params(path: &str) -> Vec<Value> {
    path.split('{')
        .skip(1)
        .filter_map(|p| p.split_once('}'))
        .map(|(name, _)| {
            json!({ "name": name, "in": "path", "required": true, "description": "Key of the record.", "schema": { "type": "string", "format": "uuid" } })
        })
        .collect()
}
