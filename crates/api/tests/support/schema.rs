//! Compares a JSON value with a schema of the document: types, closed lists, what must be there,
//! and that nothing is there which the document does not know.

use serde_json::{Map, Value};

/// Everything that is wrong with `value`.
pub fn wrong(document: &Value, schema: &Value, value: &Value) -> Vec<String> {
    let mut out = Vec::new();
    check(document, schema, value, "", &mut out);
    out
}

fn resolved<'d>(document: &'d Value, schema: &'d Value) -> &'d Value {
    match schema["$ref"].as_str() {
        Some(path) => resolved(document, document.pointer(&path[1..]).unwrap()),
        None => schema,
    }
}

fn parts<'s>(schema: &'s Value, name: &str) -> impl Iterator<Item = &'s Value> {
    schema[name].as_array().into_iter().flatten()
}

fn check(document: &Value, schema: &Value, value: &Value, at: &str, out: &mut Vec<String>) {
    let schema = resolved(document, schema);
    for either in ["oneOf", "anyOf"] {
        let mut tries = parts(schema, either).map(|s| {
            let mut wrong = Vec::new();
            check(document, s, value, at, &mut wrong);
            wrong
        });
        if schema[either].is_array() && !tries.any(|wrong| wrong.is_empty()) {
            out.push(format!("{at}: {value} is none of {}", schema[either]));
        }
    }
    let kinds: Vec<&str> = match &schema["type"] {
        Value::String(one) => vec![one.as_str()],
        Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    if !kinds.is_empty() && !kinds.iter().any(|kind| is(value, kind)) {
        out.push(format!("{at}: {value} is not of type {kinds:?}"));
        return;
    }
    if parts(schema, "enum").next().is_some() && !parts(schema, "enum").any(|known| known == value) {
        out.push(format!("{at}: {value} is not in {}", schema["enum"]));
    }
    match value {
        Value::Array(list) if schema["items"].is_object() => {
            list.iter().enumerate().for_each(|(i, v)| check(document, &schema["items"], v, &format!("{at}/{i}"), out));
        }
        Value::Object(fields) => object(document, schema, fields, at, out),
        _ => {}
    }
}

fn is(value: &Value, kind: &str) -> bool {
    match kind {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("what is a {other}?"),
    }
}

/// The schemas an object has to obey all together.
fn together<'d>(document: &'d Value, schema: &'d Value) -> Vec<&'d Value> {
    let mut all = vec![schema];
    all.extend(parts(schema, "allOf").flat_map(|s| together(document, resolved(document, s))));
    all
}

fn object(document: &Value, schema: &Value, fields: &Map<String, Value>, at: &str, out: &mut Vec<String>) {
    let all = together(document, schema);
    for one in &all {
        for name in parts(one, "required").filter_map(Value::as_str).filter(|name| !fields.contains_key(*name)) {
            out.push(format!("{at}: {name} is missing"));
        }
    }
    // An object of which nothing is said may hold anything, as a map does.
    let open = all.iter().any(|s| s["additionalProperties"].is_object() || s["oneOf"].is_array())
        || all.iter().all(|s| s["properties"].is_null());
    for (name, value) in fields {
        let mut known = all.iter().filter_map(|s| s["properties"].get(name)).peekable();
        if known.peek().is_none() && !open {
            out.push(format!("{at}: {name} is in no document"));
        }
        known.for_each(|property| check(document, property, value, &format!("{at}/{name}"), out));
    }
}
