//! Every text, number and list of every request has a bound in the document, and the bound holds.
//! Read from the document itself: a new field without a bound, or with one nobody enforces, fails.

use crate::support;

use reqwest::Method;
use serde_json::{Map, Value, json};
use support::{
    Options, TestApp,
    people::{ADMIN, CUSTOMER, OPS},
    requests::{Answer, draft},
};

fn document() -> Value {
    api::openapi::document()
}

/// A schema with its references followed, without its null.
fn resolved<'d>(document: &'d Value, schema: &'d Value) -> &'d Value {
    if let Some(path) = schema["$ref"].as_str() {
        return resolved(document, document.pointer(path.trim_start_matches('#')).unwrap());
    }
    let parts = ["oneOf", "anyOf", "allOf"].iter().filter_map(|n| schema[*n].as_array()).flatten();
    match parts.into_iter().find(|s| s["type"] != "null") {
        Some(part) => resolved(document, part),
        None => schema,
    }
}

fn is(schema: &Value, kind: &str) -> bool {
    schema["type"] == kind || schema["type"].as_array().is_some_and(|l| l.iter().any(|t| t == kind))
}

/// One value of a body: its place, and its schema.
struct Leaf<'d> {
    pointer: String,
    schema: &'d Value,
}

/// Every string, number and list of a schema; what holds itself is followed once.
fn leaves<'d>(document: &'d Value, schema: &'d Value, at: &str, open: &mut Vec<&'d Value>, out: &mut Vec<Leaf<'d>>) {
    let schema = resolved(document, schema);
    if open.iter().any(|o| std::ptr::eq(*o, schema)) {
        return;
    }
    if schema["properties"].is_object() {
        open.push(schema);
        for (name, property) in schema["properties"].as_object().unwrap() {
            leaves(document, property, &format!("{at}/{name}"), open, out);
        }
        open.pop();
    } else {
        out.push(Leaf { pointer: at.to_owned(), schema });
        if is(schema, "array") {
            leaves(document, &schema["items"], &format!("{at}/0"), open, out);
        }
    }
}

/// A value that is in order by its schema alone.
fn sample(document: &Value, schema: &Value, depth: usize) -> Value {
    let schema = resolved(document, schema);
    for given in ["example", "default"] {
        if !schema[given].is_null() {
            return schema[given].clone();
        }
    }
    if let Some(first) = schema["enum"].as_array().or_else(|| schema["examples"].as_array()).and_then(|l| l.first()) {
        return first.clone();
    }
    if let Some(properties) = schema["properties"].as_object() {
        let fields = properties.iter().filter(|(name, _)| depth < 6 && *name != "bookingRequest" || depth == 0);
        return fields.map(|(name, p)| (name.clone(), sample(document, p, depth + 1))).collect::<Map<_, _>>().into();
    }
    match () {
        () if is(schema, "array") => {
            let n = schema["minItems"].as_u64().unwrap_or(1);
            (0..n).map(|_| sample(document, &schema["items"], depth + 1)).collect()
        }
        () if is(schema, "string") => match schema["format"].as_str() {
            Some("date") => json!("2027-02-17"),
            Some("date-time") => json!("2027-02-17T14:00:00Z"),
            Some("uuid") => json!("01900000-0000-7000-8000-000000000000"),
            _ if schema["pattern"].as_str().is_some_and(|p| p.starts_with("^[A-Za-z][0-9]")) => json!("H2X 1Y4"),
            _ => json!("x".repeat(usize::try_from(schema["minLength"].as_u64().unwrap_or(1)).unwrap())),
        },
        () if is(schema, "integer") => json!(schema["minimum"].as_i64().unwrap_or(1).max(0)),
        () if is(schema, "number") => json!(schema["minimum"].as_f64().unwrap_or(1.0).max(0.0)),
        () if is(schema, "boolean") => json!(true),
        () => json!({}),
    }
}

/// What a body must never hold at this place; none when the place has no bound.
fn beyond(schema: &Value) -> Option<Value> {
    if schema["enum"].is_array() {
        return Some(json!("x".repeat(2_000)));
    }
    if is(schema, "string") {
        let parsed = ["date", "date-time", "uuid"].contains(&schema["format"].as_str().unwrap_or(""));
        // A pattern with an end, and without anything repeated at will, is as long as it is written.
        let bounded = schema["pattern"].as_str().is_some_and(|p| p.ends_with('$') && !p.contains(['*', '+']));
        let most = schema["maxLength"].as_u64().or((parsed || bounded).then_some(100))?;
        return Some(json!("x".repeat(usize::try_from(most).unwrap() + 1)));
    }
    if is(schema, "array") {
        let most = usize::try_from(schema["maxItems"].as_u64()?).unwrap();
        return Some(json!(vec![Value::Null; most + 1]));
    }
    if is(schema, "integer") || is(schema, "number") {
        schema["minimum"].as_f64()?;
        let most = schema["maximum"].as_f64()?;
        #[allow(clippy::cast_possible_truncation)]
        return Some(if is(schema, "integer") { json!(most as i64 + 1) } else { json!(most + 1.0) });
    }
    is(schema, "boolean").then_some(Value::Null)
}

/// Every operation: verb, path, and the operation.
fn operations(document: &Value) -> Vec<(Method, &str, &Value)> {
    let paths = document["paths"].as_object().unwrap().iter();
    let each = paths.flat_map(|(path, item)| item.as_object().unwrap().iter().map(move |(verb, op)| (verb, path, op)));
    each.map(|(verb, path, op)| (verb.to_uppercase().parse().unwrap(), path.as_str(), op)).collect()
}

/// The body of an operation: its media type, and its schema.
fn body_of(op: &Value) -> Option<(&str, &Value)> {
    let (media, content) = op["requestBody"]["content"].as_object()?.iter().next()?;
    Some((media, &content["schema"]))
}

#[test]
fn every_part_of_a_request_has_a_bound() {
    let document = document();
    let (mut seen, mut without) = (0, Vec::new());
    for (verb, path, op) in operations(&document) {
        let mut all = Vec::new();
        if let Some((_, schema)) = body_of(op) {
            leaves(&document, schema, "", &mut Vec::new(), &mut all);
        }
        for parameter in op["parameters"].as_array().into_iter().flatten() {
            leaves(
                &document,
                &parameter["schema"],
                &format!("?{}", parameter["name"].as_str().unwrap()),
                &mut Vec::new(),
                &mut all,
            );
        }
        seen += all.len();
        without.extend(
            all.iter()
                // Filters of a kept list are read as those of a list, a rate card as `portage rates load` reads its file,
                // and settings field by field: they refuse by name what they do not know.
                .filter(|l| {
                    beyond(l.schema).is_none() && !["/filters", "/card", "/values"].contains(&l.pointer.as_str())
                })
                .map(|l| format!("{verb} {path} {}: {}", l.pointer, l.schema)),
        );
    }
    assert!(seen > 200, "{seen}");
    assert!(without.is_empty(), "{} of {seen} have no bound:\n{}", without.len(), without.join("\n"));
}

/// The name a refusal gives a place: `/a/0/b` is `a[0].b`.
fn field(pointer: &str) -> String {
    pointer.split('/').skip(1).fold(String::new(), |path, part| match part.parse::<usize>() {
        Ok(i) => format!("{path}[{i}]"),
        Err(_) if path.is_empty() => part.to_owned(),
        Err(_) => format!("{path}.{part}"),
    })
}

/// The text at a place of a body.
fn place_text<'b>(body: &'b Value, pointer: &str) -> &'b str {
    body.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

fn names(answer: &Answer, field: &str) -> bool {
    let errors = answer.body["errors"].as_array().into_iter().flatten();
    errors
        .filter_map(|e| e["field"].as_str())
        .any(|f| f == field || f.trim_start_matches("bookingRequest.") == field.trim_start_matches("bookingRequest."))
}

/// A path with its parts.
fn named(path: &str, id: &str) -> String {
    let path = path.replace("{id}", id).replace("{hub}", "montreal").replace("{date}", "2027-07-01");
    path.replace("{messageType}", "welcome").replace("{language}", "en")
}

/// Its path names the secret of a link and no record.
fn is_secret(op: &Value) -> bool {
    op["parameters"].as_array().into_iter().flatten().any(|p| p["in"] == "path" && p["schema"]["minLength"] == 43)
}

#[actix_web::test]
async fn what_is_beyond_its_bound_is_refused_by_name_and_never_kept() {
    let limits = api::Limits { sign_in: 1_000_000, token: 1_000_000, ..api::Limits::default() };
    let mut app = TestApp::with(Options { people: &[CUSTOMER, OPS, ADMIN], limits, ..Options::default() }).await;
    app.leave_jobs();
    app.store_card(CUSTOMER, "fake-valid-nonce").await.expect(200);
    let made = app
        .post(CUSTOMER, "/api/bookings", &json!({ "bookingRequest": draft("2027-02-17", "09:00") }))
        .await
        .expect(201);
    let id = made.body["id"].as_str().unwrap().to_owned();
    let before = (
        app.get(CUSTOMER, "/api/profiles/").await.expect(200).body,
        app.get(OPS, &format!("/api/bookings/{id}")).await.expect(200).body,
    );
    let document = document();
    let (mut tried, mut wrong) = (0, Vec::new());
    for (verb, path, op) in operations(&document) {
        let Some((media, schema)) = body_of(op) else { continue };
        let who = if op["security"] == json!([]) {
            support::people::GUEST
        } else if ["Back office", "Books", "Catalogues", "Dispatch", "Invoices"]
            .map(|tag| json!(tag))
            .contains(&op["tags"][0])
        {
            ADMIN
        } else {
            CUSTOMER
        };
        let mut all = Vec::new();
        leaves(&document, schema, "", &mut Vec::new(), &mut all);
        let good = sample(&document, schema, 0);
        for leaf in all {
            let Some(bad) = beyond(leaf.schema).filter(|b| !b.is_null()) else { continue };
            let mut body = good.clone();
            let Some(place) = body.pointer_mut(&leaf.pointer) else {
                panic!("{verb} {path}: the sample has no {}", leaf.pointer)
            };
            *place = match (bad.as_array().map(Vec::len), place.as_array().and_then(|l| l.first())) {
                (Some(n), Some(item)) => json!(vec![item.clone(); n]),
                _ => bad,
            };
            let key = if is_secret(op) { "A".repeat(43) } else { id.clone() };
            let request = app.builder(who, verb.clone(), &named(path, &key)).await.header("if-match", "\"1\"");
            let request = if media == "application/json" {
                request.json(&body)
            } else if media == "multipart/form-data" {
                let file = place_text(&body, &leaf.pointer);
                support::requests::with_file(request, leaf.pointer.trim_start_matches('/'), "x.jpg", file.as_bytes())
            } else if media == "text/csv" {
                request.header("content-type", media).body(place_text(&body, &leaf.pointer).to_owned())
            } else {
                let pairs: Vec<(String, String)> = body
                    .as_object()
                    .unwrap()
                    .iter()
                    .map(|(k, v)| (k.clone(), v.as_str().unwrap_or_default().to_owned()))
                    .collect();
                request.form(&pairs)
            };
            let answer = Answer::of(request.send().await.unwrap()).await;
            tried += 1;
            let refused = [400, 413, 422].contains(&answer.status);
            if !refused || (media == "application/json" && !names(&answer, &field(&leaf.pointer))) {
                wrong.push(format!("{verb} {path} {}: {} {:.300}", leaf.pointer, answer.status, answer.text));
            }
        }
    }
    assert!(tried > 150, "{tried}");
    assert!(wrong.is_empty(), "{} of {tried}:\n{}", wrong.len(), wrong.join("\n"));
    let after = (
        app.get(CUSTOMER, "/api/profiles/").await.expect(200).body,
        app.get(OPS, &format!("/api/bookings/{id}")).await.expect(200).body,
    );
    assert_eq!(before, after, "nothing was kept");
    assert_eq!(app.get(CUSTOMER, "/api/bookings/previous").await.expect(200).body["total"], 1);
}

#[actix_web::test]
async fn a_parameter_beyond_its_bound_is_refused_by_name() {
    let mut app = TestApp::with(Options { people: &[CUSTOMER, OPS, ADMIN], ..Options::default() }).await;
    app.leave_jobs();
    let document = document();
    let (mut tried, mut wrong) = (0, Vec::new());
    for (verb, path, op) in operations(&document) {
        let who = if op["security"] == json!([]) { support::people::GUEST } else { OPS };
        for parameter in op["parameters"].as_array().into_iter().flatten().filter(|p| p["in"] == "query") {
            let name = parameter["name"].as_str().unwrap();
            let schema = resolved(&document, &parameter["schema"]);
            // `lang` is not refused: an unknown language is English.
            let Some(bad) = beyond(schema).filter(|b| !b.is_null() && name != "lang") else { continue };
            let bad = bad.as_str().map_or_else(|| bad.to_string(), str::to_owned);
            let needed: Vec<(&str, String)> = op["parameters"]
                .as_array()
                .unwrap()
                .iter()
                .filter(|p| {
                    p["in"] == "query"
                        && p["name"] != name
                        && (p["required"] == true || ["province", "lat", "lon"].contains(&p["name"].as_str().unwrap()))
                })
                .map(|p| (p["name"].as_str().unwrap(), sample(&document, &p["schema"], 0)))
                .map(|(n, v)| (n, v.as_str().map_or_else(|| v.to_string(), str::to_owned)))
                .collect();
            // A record that is not there: the query is refused before it is looked for.
            let path_of = named(path, "01900000-0000-7000-8000-000000000000");
            let request = app.builder(who, verb.clone(), &path_of).await.query(&needed).query(&[(name, bad)]);
            let answer = Answer::of(request.send().await.unwrap()).await;
            tried += 1;
            if ![400, 422].contains(&answer.status) || !names(&answer, name) {
                wrong.push(format!("{verb} {path} ?{name}: {} {:.300}", answer.status, answer.text));
            }
        }
    }
    assert!(tried > 25, "{tried}");
    assert!(wrong.is_empty(), "{} of {tried}:\n{}", wrong.len(), wrong.join("\n"));
}
