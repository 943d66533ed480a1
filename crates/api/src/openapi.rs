//! The OpenAPI 3.1 document, made from the route table: a call that is not in the table is not
//! in the document, and the other way round.

use std::sync::LazyLock;

use crate::{
    doc::{self, Refused},
    http::Code,
    routes,
};
use serde_json::{Map, Value, json};
use service::ports::decline::DeclineReason;

fn problem_schema() -> Value {
    let codes: Vec<&str> = {
        let mut all: Vec<&str> = Code::all().map(|c| c.row().code).collect();
        all.sort_unstable();
        all.dedup();
        all
    };
    json!({
        "type": "object",
        "description": "RFC 9457. `title`, `detail` and `message` are in the language asked for; `code` is stable.",
        "required": ["type", "title", "status", "detail", "code"],
        "properties": {
            "type": { "type": "string", "format": "uri-reference" },
            "title": { "type": "string" },
            "status": { "type": "integer", "minimum": 400, "maximum": 599 },
            "detail": { "type": "string" },
            "code": { "type": "string", "enum": codes },
            "errors": { "type": "array", "items": { "$ref": "#/components/schemas/ProblemField" } },
            "allowed": { "type": "array", "items": { "type": "string" }, "description": "transition_refused: the statuses that are possible." },
            "from": { "type": "string", "description": "transition_refused of a booking: the status it has." },
            "to": { "type": "string", "description": "transition_refused of a booking: the status it was to have." },
            "guard": { "type": "string", "enum": service::bookings::status::Step::refusals().collect::<Vec<_>>(), "description": "transition_refused of a booking: what stands in the way." },
            "keys": { "type": "array", "items": { "type": "string" }, "description": "template_unsupported_keys: the keys that the message does not have." },
            "part": { "type": "string", "enum": ["subject", "text", "html"], "description": "template_broken, template_unsafe: the part of the template." },
            "n": { "type": "integer", "description": "min_mates: how many." },
            "reason": { "type": "string", "enum": DeclineReason::ALL.map(DeclineReason::code), "description": "payment_declined: what whoever holds the card can do something about; `bank` for all else." },
            "items": {
                "type": "array",
                "description": "heavy_item_single_mate, min_mates, contact_support: the items it is about; left out when it is about the size or the length of the move.",
                "items": {
                    "type": "object",
                    "required": ["id", "name"],
                    "properties": { "id": { "type": "string" }, "name": { "type": "string", "description": "In the language of the answer." } }
                }
            },
            "shortfalls": {
                "type": "array",
                "maxItems": 50,
                "description": "capacity_taken: on which days less would be there than is taken, by hub and day.",
                "items": {
                    "type": "object",
                    "required": ["hub", "date", "what", "taken", "offered"],
                    "properties": {
                        "hub": { "type": "string", "description": "Id of the hub." },
                        "date": { "type": "string", "format": "date" },
                        "what": { "type": "string", "enum": ["mates", "10ft", "20ft", "26ft"] },
                        "taken": { "type": "integer", "description": "The most that is taken at one time." },
                        "offered": { "type": "integer", "description": "What would be there." }
                    }
                }
            },
            "alternatives": {
                "type": "array",
                "maxItems": 3,
                "description": "slot_gone of a new hold or booking: free starts, the nearest first.",
                "items": {
                    "type": "object",
                    "required": ["date", "time", "startsAt"],
                    "properties": {
                        "date": { "type": "string", "format": "date" },
                        "time": { "$ref": "#/components/schemas/TimeOfDay" },
                        "startsAt": { "type": "string", "format": "date-time" }
                    }
                }
            }
        }
    })
}

/// The document as JSON.
pub fn document() -> Value {
    let mut paths: Map<String, Value> = Map::new();
    let mut schemas: Map<String, Value> = Map::new();
    let mut tags: Vec<&str> = Vec::new();
    schemas.insert("Problem".into(), problem_schema());
    schemas.insert(
        "ProblemField".into(),
        json!({
            "type": "object",
            "required": ["field", "code", "message"],
            "properties": { "field": { "type": "string" }, "code": { "type": "string" }, "message": { "type": "string" }, "most": { "type": "string", "description": "out_of_range of an amount: the greatest that is possible now." } }
        }),
    );
    let mut refused = Refused::default();
    for route in routes::own() {
        let Some(doc) = &route.doc else { continue };
        if !tags.contains(&doc.tag) {
            tags.push(doc.tag);
        }
        schemas.extend(route.contract.schemas.clone());
        let item = paths.entry(route.path).or_insert_with(|| json!({}));
        item[route.method.as_str().to_lowercase()] = doc::operation(route, doc, &mut refused);
    }
    let tags: Vec<Value> = tags.into_iter().map(|t| json!({ "name": t })).collect();
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Portage",
            "version": env!("CARGO_PKG_VERSION"),
            "summary": "Booking movers at a fixed price.",
            "description": ABOUT,
            "license": { "name": "Apache-2.0", "identifier": "Apache-2.0" }
        },
        "servers": [{ "url": "/" }],
        "tags": tags,
        "paths": paths,
        "components": {
            "schemas": schemas,
            "responses": refused.components(),
            "headers": { "RequestId": { "description": "Names this request in our log.", "schema": { "type": "string" } } },
            "securitySchemes": {
                "bearer": { "type": "http", "scheme": "bearer", "bearerFormat": "JWT", "description": "An access token of the identity provider named by `GET /api/config`." }
            }
        }
    })
}

const ABOUT: &str = "Money is a decimal string in dollars with two digits. Instants are RFC 3339 in UTC; `date`, `time` and `zone` are what the customer was promised. Durations are whole minutes, volumes cubic feet, distances km, both with one decimal. Unknown fields are ignored. Every GET also answers HEAD, without the body. Errors are `application/problem+json`, in the language of the query parameter `lang`, else of `Accept-Language`: en, fr or zh.";

/// The document as text, as `GET /api/openapi.json` serves it and `portage openapi` prints it.
/// It is made when somebody first asks for it.
pub fn openapi() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| {
        let mut text = serde_json::to_string_pretty(&document()).unwrap_or_default();
        text.push('\n');
        text
    });
    &TEXT
}
