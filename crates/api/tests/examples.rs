//! The table, tried: every row is called with its own example, and what comes back is what the row
//! declares: status, headers, media type, every field of a JSON body, and all the call left in the audit trail.

use crate::support::{Options, TestApp, examples::Fixtures, requests::Answer, schema, table};
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
    let media = answer.header("content-type").split(';').next().unwrap_or_default().trim();
    match &declared.content {
        Some((other, _)) if *other != media => wrong.push(format!("{media} instead of {other}")),
        Some((JSON, body)) => wrong.extend(schema::wrong(document, body, &answer.body)),
        Some(_) if answer.text.is_empty() => wrong.push("the body is empty".to_owned()),
        Some(_) => {}
        None if answer.text.is_empty() => {}
        None => wrong.push(format!("there is a body: {}", answer.text)),
    }
    wrong
}

/// Rows whose example leaves more on record than their own action once: what else there is, and why.
const BESIDES: &[(&str, &[&str], &str)] = &[
    ("PUT /api/bookings/status/{id}", &["booking.crew"], "`assigned` puts free mates on the booking"),
    ("POST /api/bookings/status", &["booking.crew"], "the same of many bookings; the example has one"),
    ("PUT /api/bookings/{id}/crew", &["booking.status"], "a pending booking is assigned with its crew"),
    (
        "POST /api/jobs/{id}/decline",
        &["booking.crew", "booking.status"],
        "the mate leaves the crew, and a booking that has nobody else waits for one again",
    ),
    ("POST /api/jobs/{id}/finish", &["booking.status"], "the first who is done has the move done"),
    ("POST /api/consent/{id}", &["booking.overtime"], "what was agreed to is added to the booking"),
    ("POST /api/invoices/batch/{id}/issue", &["booking.status"], "each booking of the paper is invoiced; there is one"),
    ("POST /api/invoices/batch/{id}/payments", &["booking.receive"], "each booking that is paid by it; there is one"),
    (
        "POST /api/invoices/void/{id}",
        &["booking.status", "invoice.credit_note"],
        "a credit note takes it back, and its booking is completed again",
    ),
    ("POST /api/mate", &["member.add"], "who has an address may sign in"),
    ("PUT /api/mate/{id}", &["member.add", "member.remove"], "the example has another address than the record"),
    ("POST /api/catalogues/discounts/csv", &["discount.add"], "each row that is new; the file has one"),
    ("POST /api/catalogues/mates/csv", &["mate.add", "member.add"], "the same, and they may sign in"),
    ("POST /api/catalogues/partners/csv", &["partner.add"], "each row that is new; the file has one"),
    ("POST /api/catalogues/rates/csv", &["rate.load"], "each version that is new; the file has one"),
    ("POST /api/catalogues/trucks/csv", &["truck.add"], "each row that is new; the file has one"),
];

/// What is wrong with the actions that a call left on record, whatever their order.
fn recorded(route: &Route, actions: &[String]) -> Option<String> {
    let own = match route.audit {
        Audit::Action(action) => Some(action),
        Audit::Looks | Audit::Unrecorded => None,
    };
    let besides = BESIDES.iter().filter(|(name, ..)| *name == route.name()).flat_map(|(_, actions, _)| *actions);
    let mut declared: Vec<&str> = own.into_iter().chain(besides.copied()).collect();
    let mut found: Vec<&str> = actions.iter().map(String::as_str).collect();
    declared.sort_unstable();
    found.sort_unstable();
    (declared != found).then(|| format!("{}: {declared:?} is declared, {found:?} on record", route.name()))
}

#[actix_web::test]
async fn every_row_answers_its_example_as_it_declares() {
    let app = TestApp::with(Options { limits: generous(), ..Options::default() }).await;
    let (document, table) = (api::openapi::document(), table(Mode::Demo));
    let mut fixtures = Fixtures::with_customer(&app).await;
    let mut wrong = Vec::new();
    for (n, route) in table.iter().enumerate() {
        let answer = fixtures.example(route, &format!("example-{n}")).await;
        wrong.extend(judged(&document, route, &answer).into_iter().map(|w| format!("{}: {w}", route.name())));
        app.run_jobs().await;
    }
    // The trail is read by subject: at the end each row is about its request.
    let done = app.trail_by_request().await;
    for (n, route) in table.iter().enumerate() {
        wrong.extend(recorded(route, &done(format!("example-{n}")).await));
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
    let mut fixtures = Fixtures::with_customer(&app).await;
    let document = api::openapi::document();
    let answer = fixtures.example(profile(), "right").await;
    assert_eq!(judged(&document, profile(), &answer), Vec::<String>::new());
    let wrong = |lie: fn(&mut Route)| {
        let mut route = profile().clone();
        lie(&mut route);
        judged(&document, &route, &answer)
    };
    assert_eq!(wrong(|r| r.contract.answers[0].status = 201).len(), 1, "another status");
    assert_eq!(wrong(|r| r.contract.answers[0].content = None).len(), 1, "no body");
    let csv = wrong(|r| r.contract.answers[0].content = Some(("text/csv", json!({ "type": "string" }))));
    assert_eq!(csv, ["application/json instead of text/csv"], "another media type");
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

/// And so is each way to declare something else than what is left on record.
#[test]
fn a_wrong_record_is_told() {
    let row = |name: &str| table(Mode::Demo).iter().find(|r| r.name() == name).unwrap();
    let left = |name: &str, actions: &[&str]| {
        let actions: Vec<String> = actions.iter().map(|a| (*a).to_owned()).collect();
        recorded(row(name), &actions).is_none()
    };
    // What a call may leave on record, and what it may not.
    type Case = (&'static str, &'static [&'static str], [&'static [&'static str]; 2]);
    let cases: [Case; 3] = [
        ("PUT /api/profiles/", &["profile.update"], [&[], &["profile.update", "profile.update"]]),
        ("GET /api/profiles/", &[], [&["profile.update"], &["profile.look"]]),
        ("POST /api/mate", &["member.add", "mate.add"], [&["mate.add"], &["mate.add", "member.add", "member.add"]]),
    ];
    for (name, fits, others) in cases {
        assert!(left(name, fits), "{name}: {fits:?}");
        for other in others {
            assert!(!left(name, other), "{name}: {other:?}");
        }
    }
    for (name, besides, why) in BESIDES {
        assert!(matches!(row(name).audit, Audit::Action(_)), "{name}");
        assert!(!besides.is_empty() && !why.is_empty(), "{name} is as every other row: it needs no line here");
    }
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
