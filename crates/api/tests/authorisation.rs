//! Who may call what: the policy table as a golden file, and every call of the router tried as
//! everybody.

use crate::support;

use std::path::Path;

use api::{
    contract::Record,
    endpoint::{Access, Audit, Relation},
    routes::{Route, print_policy},
};
use serde_json::json;
use service::{Mode, Role};
use support::{
    TestApp,
    examples::{Fixtures, method},
    people::{ADMIN, CUSTOMER, MATE, OPS, OTHER, PARTNER},
    requests::Answer,
    table,
};

const UNKNOWN: &str = "0190a000-0000-7000-8000-000000000000";

#[test]
fn the_policy_table_is_the_golden_file() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/authorisation.txt");
    let now = print_policy(table(Mode::Demo));
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&file, &now).unwrap();
    }
    let golden = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        golden == now,
        "tests/golden/authorisation.txt differs from the table. If the change is meant: UPDATE_GOLDEN=1\n{now}"
    );
}

#[test]
fn production_mounts_no_simulator() {
    assert!(table(Mode::Demo).iter().any(|r| r.path.starts_with("/simulators")));
    assert!(!table(Mode::Production).iter().any(|r| r.path.starts_with("/simulators")));
    // Every call of the API itself is documented.
    for route in table(Mode::Demo).iter().filter(|r| !r.path.starts_with("/simulators")) {
        assert!(route.doc.is_some(), "{} {}", route.method, route.path);
    }
}

/// What guests and customers may do that writes, or asks a service that costs money, has a ceiling.
#[test]
fn nobody_outside_may_do_anything_as_often_as_they_like() {
    let open = |r: &&Route| {
        r.path.starts_with("/api/") && r.method != "GET" && matches!(r.access, Access::Public | Access::SignedIn)
    };
    let endless: Vec<String> = table(Mode::Production)
        .iter()
        .filter(open)
        .filter(|r| r.limit.is_none())
        .map(|r| format!("{} {}", r.method, r.path))
        .collect();
    assert!(endless.is_empty(), "give them a class (`.limited(LimitClass::…)`): {endless:?}");
}

async fn call(app: &TestApp, route: &Route, token: Option<&str>) -> Answer {
    let request = app.http.request(method(route), app.path(&route.path_of(UNKNOWN)));
    let request = match token {
        Some(token) => request.bearer_auth(token),
        None => request,
    };
    // No body: whoever may call gets as far as that.
    Answer::of(request.send().await.unwrap()).await
}

const ROLES: [(&str, Role); 5] =
    [(CUSTOMER, Role::Customer), (MATE, Role::Mate), (PARTNER, Role::Partner), (OPS, Role::Ops), (ADMIN, Role::Admin)];

#[actix_web::test]
async fn every_call_answers_everybody_as_the_table_says() {
    let app = TestApp::new().await;
    let mut tokens = Vec::new();
    for (who, role) in ROLES {
        tokens.push((role, app.token(who).await));
    }
    for route in table(Mode::Demo).iter().filter(|r| !r.path.starts_with("/simulators")) {
        let name = format!("{} {}", route.method, route.path);
        let anonymous = call(&app, route, None).await;
        assert_ne!(anonymous.status, 500, "{name}: {}", anonymous.text);
        if route.access == Access::Public {
            // The account pages' session is a cookie, judged by the identity provider.
            let by_cookie = route.relation == Relation::Cookie;
            assert!(by_cookie || anonymous.code() != "sign_in_needed", "{name} is public");
            continue;
        }
        assert_eq!((anonymous.status, anonymous.code()), (401, "sign_in_needed"), "{name} without a token");
        assert_eq!(anonymous.header("www-authenticate"), "Bearer", "{name}");
        for bad in ["nonsense", "eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0."] {
            let refused = call(&app, route, Some(bad)).await;
            assert_eq!((refused.status, refused.code()), (401, "invalid_token"), "{name} with {bad}");
        }
        for (role, token) in &tokens {
            let answer = call(&app, route, Some(token)).await;
            let who = format!("{name} as {}", role.code());
            assert_ne!(answer.status, 500, "{who}: {}", answer.text);
            if route.access.allows(*role) {
                let refused = answer.status == 401 || (answer.status == 403 && answer.code() == "forbidden");
                assert!(!refused, "{who}: {} {}", answer.status, answer.text);
            } else {
                assert_eq!((answer.status, answer.code()), (403, "forbidden"), "{who}");
            }
        }
    }
    // A comparison needs no body: staff have asked for one.
    app.run_jobs().await;
}

#[actix_web::test]
async fn an_id_token_is_not_an_access_token() {
    let app = TestApp::new().await;
    let session = app.session(&support::people::email(CUSTOMER), support::people::PASSWORD).await;
    let tokens = app.token_answer(&session).await;
    let id_token = tokens["id_token"].as_str().unwrap();
    let answer = Answer::of(app.http.get(app.path("/api/profiles/")).bearer_auth(id_token).send().await.unwrap()).await;
    assert_eq!((answer.status, answer.code()), (401, "invalid_token"));
    let access = tokens["access_token"].as_str().unwrap();
    Answer::of(app.http.get(app.path("/api/profiles/")).bearer_auth(access).send().await.unwrap()).await.expect(200);
    // Fifteen minutes, and the minute of leeway.
    app.clock.set("2027-02-08T14:16:01Z");
    let late = Answer::of(app.http.get(app.path("/api/profiles/")).bearer_auth(access).send().await.unwrap()).await;
    assert_eq!((late.status, late.code()), (401, "invalid_token"));
}

/// Every row that reaches one's own records by id, with its own example: so that only the owner decides.
#[actix_web::test]
async fn somebody_elses_record_does_not_exist() {
    let app = TestApp::new().await;
    let mut fixtures = Fixtures::with_customer(&app).await;
    let booking = app.book(CUSTOMER).await;
    let id = booking["id"].as_str().unwrap();
    let (mut tried, mut rows) = (0, 0);
    let own = [Relation::OwnOrStaff, Relation::OwnStaffOrCrew];
    for route in table(Mode::Demo).iter().filter(|r| own.contains(&r.relation)) {
        let part;
        let id = match route.contract.record {
            // A booking's tip is named by the booking as well.
            Some(Record::Booking | Record::Tip) => id,
            Some(kind @ (Record::MadeBy(_) | Record::Invoiced)) => {
                part = fixtures.record(kind).await;
                part.as_str()
            }
            _ => panic!("{}: whose record is it? Make one here", route.name()),
        };
        rows += 1;
        for who in [OTHER, MATE, PARTNER] {
            for target in [id, UNKNOWN, "not-an-id"] {
                let answer = Answer::of(fixtures.request(route, target, who).await.send().await.unwrap()).await;
                let told = (answer.status, answer.code());
                assert_eq!(told, (404, "not_found"), "{} as {who}: {}", route.name(), answer.text);
                tried += 1;
            }
        }
    }
    assert!(rows >= 7 && tried == rows * 9, "{rows} {tried}");
    // It is still as it was, for its owner and for staff.
    for who in [CUSTOMER, OPS, ADMIN] {
        let seen = app.get(who, &format!("/api/c/bookings/{id}")).await.expect(200);
        assert_eq!((&seen.body["version"], &seen.body["status"]), (&booking["version"], &json!("pending")), "{who}");
    }
    let mine = app.get(OTHER, "/api/bookings/previous").await.expect(200);
    assert_eq!(mine.body["total"], 0);
    // A foreign user id in a payment does not exist either.
    let foreign =
        app.post(OTHER, "/api/payment", &json!({ "userId": UNKNOWN, "paymentNonce": "fake-valid-nonce" })).await;
    assert_eq!(foreign.status, 404);
}

/// Every row of a job, with its own example: a mate who is not on its crew, or not on it any more, finds none.
#[actix_web::test]
async fn a_job_exists_for_its_crew_only() {
    let app = TestApp::new().await;
    let mut fixtures = Fixtures::with_customer(&app).await;
    let booking = app.book(CUSTOMER).await;
    let id = booking["id"].as_str().unwrap();
    let of_job = |r: &&Route| r.relation == Relation::OnCrew && r.path.contains("{id}");
    let rows: Vec<&Route> = table(Mode::Demo).iter().filter(of_job).collect();
    assert!(rows.len() >= 9, "{}", rows.len());
    for was_on_it in [false, true] {
        if was_on_it {
            let crew = json!({ "mates": [app.mate_of(MATE).await] });
            app.put(OPS, &format!("/api/bookings/{id}/crew"), &crew).await.expect(200);
            app.get(MATE, &format!("/api/jobs/{id}")).await.expect(200);
            app.post(MATE, &format!("/api/jobs/{id}/decline"), &json!({})).await.expect(204);
        }
        for route in &rows {
            for target in [id, UNKNOWN, "not-an-id"] {
                let answer = Answer::of(fixtures.request(route, target, MATE).await.send().await.unwrap()).await;
                // Who declined may say so once more.
                let again = was_on_it && target == id && route.path.ends_with("/decline");
                let told = if again { (204, "") } else { (404, "not_found") };
                assert_eq!((answer.status, answer.code()), told, "{}: {}", route.name(), answer.text);
            }
        }
    }
    app.run_jobs().await;
}

/// What fails, and what somebody else tries, leaves nothing on record. (That each change does, and
/// no look, is told by the examples of the table: `tests/examples.rs`.)
#[actix_web::test]
async fn what_is_refused_is_not_on_record() {
    let app = TestApp::new().await;
    let mut fixtures = Fixtures::with_customer(&app).await;
    let booking = app.book(CUSTOMER).await;
    let id = booking["id"].as_str().unwrap();
    let mut tried = Vec::new();
    for route in table(Mode::Demo).iter().filter(|r| matches!(r.audit, Audit::Action(_)) && r.path.contains("{id}")) {
        let (name, request) = (format!("refused-{}", tried.len()), fixtures.request(route, id, OTHER).await);
        let answer = Answer::of(request.header("x-request-id", &name).send().await.unwrap()).await;
        assert!([403, 404].contains(&answer.status), "{}: {}", route.name(), answer.text);
        tried.push(name);
    }
    assert!(tried.len() >= 5, "{}", tried.len());
    for name in tried {
        assert_eq!(app.audit_rows(&name).await, 0, "{name}");
    }
}
