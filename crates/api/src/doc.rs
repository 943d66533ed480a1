//! The documentation of one call, as the OpenAPI document says it.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use service::Role;

use crate::{
    contract::Param,
    endpoint::{Access, Content, Route},
    http::{codes::Row, problem},
};

/// What the types of a call do not say: its name, its group, and words for people.
#[derive(Debug, Clone, Copy)]
pub struct Doc {
    /// Operation id.
    pub id: &'static str,
    /// Group.
    pub tag: &'static str,
    /// One line.
    pub summary: &'static str,
    /// What else there is to know.
    pub about: &'static str,
}

/// Refusals that several calls share: each set of codes of a status is written once.
#[derive(Debug, Default)]
pub(crate) struct Refused(BTreeMap<(u16, Vec<&'static str>), String>);

/// Codes whose names are the name of a shared response; of more it has that of the first call.
const FEW: usize = 3;

impl Refused {
    fn reference(&mut self, id: &str, status: u16, codes: Vec<&'static str>) -> Value {
        let made = || if codes.len() > FEW { format!("{}Refused{status}", camel(id)) } else { joined(&codes) };
        let name = self.0.get(&(status, codes.clone())).cloned().unwrap_or_else(made);
        let reference = json!({ "$ref": format!("#/components/responses/{name}") });
        self.0.insert((status, codes), name);
        reference
    }

    /// `components.responses`.
    pub fn components(&self) -> Value {
        let each = self.0.iter().map(|((status, codes), name)| (name.clone(), refusal(*status, codes)));
        each.collect::<Map<_, _>>().into()
    }
}

/// `slot_gone` is `SlotGone`, `createHold` is `CreateHold`.
fn camel(text: &str) -> String {
    let first = |word: &str| {
        let mut letters = word.chars();
        letters.next().map(|c| c.to_ascii_uppercase()).into_iter().chain(letters).collect::<String>()
    };
    text.split('_').map(first).collect()
}

fn joined(codes: &[&str]) -> String {
    codes.iter().map(|c| camel(c)).collect::<Vec<_>>().join("Or")
}

fn request_id() -> Value {
    json!({ "X-Request-Id": { "$ref": "#/components/headers/RequestId" } })
}

fn refusal(status: u16, codes: &[&str]) -> Value {
    let mut headers = request_id();
    if status == 429 || status == 503 {
        headers["Retry-After"] = json!({ "description": "Seconds to wait.", "schema": { "type": "integer" } });
    }
    json!({
        "description": format!("Refused: {}.", codes.join(", ")),
        "headers": headers,
        "content": { problem::MEDIA_TYPE: { "schema": {
            "allOf": [{ "$ref": "#/components/schemas/Problem" }],
            "properties": { "code": { "enum": codes } }
        } } }
    })
}

/// One operation of the document.
pub(crate) fn operation(route: &Route, doc: &Doc, refused: &mut Refused) -> Value {
    let contract = &route.contract;
    let mut op = Map::new();
    op.insert("operationId".into(), json!(doc.id));
    op.insert("tags".into(), json!([doc.tag]));
    op.insert("summary".into(), json!(doc.summary));
    let mut about = doc.about.to_owned();
    if route.access != Access::Public {
        let may: Vec<&str> = Role::ALL.into_iter().filter(|r| route.access.allows(*r)).map(Role::code).collect();
        about = format!("{about}\n\nWho may: {} ({}).", may.join(", "), route.relation.text());
    }
    if !about.trim().is_empty() {
        op.insert("description".into(), json!(about.trim()));
    }
    if !contract.params.is_empty() {
        op.insert("parameters".into(), contract.params.iter().map(|p| param(p, route)).collect());
    }
    if let Some(body) = &contract.body {
        let mut content = json!({ "schema": { "$ref": format!("#/components/schemas/{}", body.schema) } });
        match &route.example.body {
            Some(Content::Json(example)) => content["example"] = example.clone(),
            Some(Content::Form(pairs)) => {
                let pairs = pairs.iter().map(|(name, value)| ((*name).to_owned(), json!(value)));
                content["example"] = Value::Object(pairs.collect());
            }
            Some(Content::Text(_, text)) => content["example"] = json!(text),
            // Bytes are not shown.
            Some(Content::File(..)) | None => {}
        }
        op.insert("requestBody".into(), json!({ "required": true, "content": { body.media: content } }));
    }
    op.insert("responses".into(), responses(route, doc, refused));
    let security = if route.access == Access::Public { json!([]) } else { json!([{ "bearer": [] }]) };
    op.insert("security".into(), security);
    Value::Object(op)
}

fn param(p: &Param, route: &Route) -> Value {
    let mut out = json!({ "name": p.name, "in": p.place, "required": p.required, "description": p.description, "schema": p.schema });
    let shown = match p.place {
        "query" => route.example.query,
        "path" => route.example.parts,
        _ => &[],
    };
    let given = shown.iter().find(|(name, _)| *name == p.name);
    if let Some((_, value)) = given {
        let number = ["integer", "number", "boolean"].iter().any(|kind| p.schema["type"] == *kind);
        out["example"] =
            Some(number).filter(|n| *n).and_then(|_| serde_json::from_str(value).ok()).unwrap_or(json!(value));
    }
    out
}

fn responses(route: &Route, doc: &Doc, refused: &mut Refused) -> Value {
    // Every response is written as an object below, so that adding members to it cannot fail.
    let mut by_status: BTreeMap<u16, Value> = BTreeMap::new();
    for answer in &route.contract.answers {
        let mut response = json!({ "description": answer.description, "headers": request_id() });
        for (name, says) in &answer.headers {
            response["headers"][name] = json!({ "description": says, "schema": { "type": "string" } });
        }
        if let Some((media, schema)) = &answer.content {
            response["content"] = json!({ *media: { "schema": schema } });
        }
        by_status.insert(answer.status, response);
    }
    for (status, codes) in by_code(route.codes().iter().map(|c| c.row())) {
        match by_status.get_mut(&status) {
            // A status may have an answer of its own kind besides (an OAuth error, a page).
            Some(own) => {
                let problem = refusal(status, &codes);
                let words = own["description"].as_str().unwrap_or_default().to_owned();
                own["description"] = json!(format!("{words} {}", problem["description"].as_str().unwrap_or_default()));
                own["content"][problem::MEDIA_TYPE] = problem["content"][problem::MEDIA_TYPE].clone();
                if let Some(wait) = problem["headers"].get("Retry-After") {
                    own["headers"]["Retry-After"] = wait.clone();
                }
            }
            None => drop(by_status.insert(status, refused.reference(doc.id, status, codes))),
        }
    }
    by_status.into_iter().map(|(s, r)| (s.to_string(), r)).collect::<Map<_, _>>().into()
}

fn by_code(rows: impl Iterator<Item = Row>) -> BTreeMap<u16, Vec<&'static str>> {
    let mut refusals: BTreeMap<u16, Vec<&'static str>> = BTreeMap::new();
    for row in rows {
        let codes = refusals.entry(row.status.as_u16()).or_default();
        if !codes.contains(&row.code) {
            codes.push(row.code);
        }
    }
    refusals.values_mut().for_each(|codes| codes.sort_unstable());
    refusals
}
