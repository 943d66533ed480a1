//! The table, tried: every row is called with its own example, and what comes back is what the row
//! declares, down to the fields of the body and the rows of the audit trail.

use crate::support::{Options, TestApp, examples::Stage, requests::Answer, schema, table};
use api::{
    contract::JSON,
    endpoint::{Audit, Route},
    http::{Code, HttpCode},
};
use serde_json::{Value, json};
use service::Mode;

/// What is wrong with the answer to the example of a row.
fn judged(document: &Value, route: &Route, answer: &Answer) -> Vec<String> {
    if let Some(code) = route.example.refused {
        let row = Code::Http(code).row();
        let told = (answer.status, answer.code()) == (row.status.as_u16(), row.code);
        return if told {
            Vec::new()
        } else {
            vec![format!("{} instead of {}: {}", answer.status, row.code, answer.text)]
        };
    }
    // What a stand-in passes on is an outside service's.
    let Some(declared) = route.contract.answers.first() else {
        return if answer.status < 400 { Vec::new() } else { vec![format!("{}: {}", answer.status, answer.text)] };
    };
    if answer.status != declared.status {
        return vec![format!("{} instead of {}: {}", answer.status, declared.status, answer.text)];
    }
    let headers = declared.headers.iter().map(|(name, _)| *name).filter(|n| *n != "Idempotency-Replayed");
    let mut wrong: Vec<String> =
        headers.filter(|n| answer.header(n).is_empty()).map(|n| format!("the header {n} is missing")).collect();
    match &declared.content {
        Some((JSON, body)) => wrong.extend(schema::wrong(document, body, &answer.body)),
        Some(_) if answer.text.is_empty() => wrong.push("the body is empty".to_owned()),
        Some(_) => {}
        None if answer.text.is_empty() => {}
        None => wrong.push(format!("there is a body: {}", answer.text)),
    }
    wrong
}

#[actix_web::test]
async fn every_row_answers_its_example_as_it_declares() {
    let app = TestApp::with(Options { limits: generous(), ..Options::default() }).await;
    let (document, table) = (api::openapi::document(), table(Mode::Demo));
    let mut stage = Stage::set(&app).await;
    let mut wrong = Vec::new();
    for (n, route) in table.iter().enumerate() {
        let answer = stage.example(route, &format!("example-{n}")).await;
        wrong.extend(judged(&document, route, &answer).into_iter().map(|w| format!("{}: {w}", route.name())));
        app.run_jobs().await;
    }
    // The trail is read by subject: at the end each row is about its request.
    let done = app.trail_by_request().await;
    for (n, route) in table.iter().enumerate() {
        let actions = done(format!("example-{n}")).await;
        let fits = match route.audit {
            Audit::Action(action) => actions.iter().any(|a| a == action),
            Audit::Looks | Audit::Unrecorded => actions.is_empty(),
        };
        if !fits {
            wrong.push(format!("{}: {:?} is declared, {actions:?} on record", route.name(), route.audit));
        }
    }
    assert!(table.len() > 60, "{}", table.len());
    assert!(wrong.is_empty(), "{} of {} rows:\n{}", wrong.len(), table.len(), wrong.join("\n"));
}

fn generous() -> api::Limits {
    api::Limits { sign_in: 1_000_000, token: 1_000_000, ..api::Limits::default() }
}

/// The judge above is no friend: each way to declare something else than what is answered is told.
#[actix_web::test]
async fn a_wrong_declaration_is_told() {
    let app = TestApp::new().await;
    let mut stage = Stage::set(&app).await;
    let document = api::openapi::document();
    let answer = stage.example(profile(), "right").await;
    assert_eq!(judged(&document, profile(), &answer), Vec::<String>::new());
    let wrong = |lie: fn(&mut Route)| {
        let mut route = profile().clone();
        lie(&mut route);
        judged(&document, &route, &answer)
    };
    assert_eq!(wrong(|r| r.contract.answers[0].status = 201).len(), 1, "another status");
    assert_eq!(wrong(|r| r.contract.answers[0].content = None).len(), 1, "no body");
    assert_eq!(wrong(|r| r.contract.answers[0].headers.push(("Age", ""))).len(), 1, "a header that is not sent");
    assert_eq!(wrong(|r| r.example.refused = Some(HttpCode::PathNotFound)).len(), 1, "a refusal");
    let other = |schema: Value| schema::wrong(&document, &schema, &answer.body);
    assert!(other(json!({ "$ref": "#/components/schemas/CardAnswer" })).len() > 3, "another record");
    for (field, kind) in [("version", "string"), ("email", "integer"), ("wallet", "array"), ("role", "null")] {
        let schema = json!({ "additionalProperties": {}, "properties": { field: { "type": kind } } });
        assert_eq!(other(schema).len(), 1, "{field} is no {kind}");
    }
    assert_eq!(other(json!({ "additionalProperties": {}, "properties": { "role": { "enum": ["ops"] } } })).len(), 1);
    assert_eq!(other(json!({ "required": ["nickname"] })).len(), 1);
}

fn profile() -> &'static Route {
    table(Mode::Demo).iter().find(|r| r.path == "/api/profiles/").unwrap()
}

/// What a body or a query needs stands in the example; what the path names is a record. (What
/// simulators take is an outside service's.)
#[test]
fn every_row_is_whole() {
    for route in table(Mode::Demo).iter().filter(|r| r.doc.is_some()) {
        let (name, params) = (route.name(), &route.contract.params);
        assert_eq!(route.contract.body.is_some(), route.example.body.is_some(), "{name}: a body, and an example of it");
        for (parameter, _) in route.example.query {
            assert!(params.iter().any(|p| p.name == *parameter), "{name}: {parameter} is read by nobody");
        }
        for parameter in params.iter().filter(|p| p.required && p.place == "query") {
            let given = route.example.query.iter().any(|(n, _)| *n == parameter.name);
            assert!(given, "{name}: the example lacks {}", parameter.name);
        }
        assert_eq!(route.path.contains("{id}"), route.contract.record.is_some(), "{name}: the id in the path is read");
        assert!(!route.contract.answers.is_empty(), "{name} answers nothing");
    }
}
