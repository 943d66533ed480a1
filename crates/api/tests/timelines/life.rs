//! Living through a case: the clock, the workers, and what people do.

use std::collections::HashMap;

use kernel::{
    BasisPoints, Money, RateId,
    chrono::{DateTime, Duration, NaiveDateTime, Utc},
};
use pricing::RateCard;
use reqwest::Method;
use serde_json::{Value, json};
use service::ports::{StoreError, rates::StoredRate};

use super::{
    case::{Case, cents, dollars, same, stamp},
    support::{
        TestApp,
        people::{CUSTOMER, GUEST, OPS, PASSWORD, email},
        requests::Answer,
    },
};

/// A card under which every move costs exactly `amount` before tax.
pub async fn flat_rate(app: &TestApp, amount: i64) {
    let mut card = RateCard::builtin();
    let zero = Money::ZERO;
    card.rates.provinces.clear();
    card.periods.clear();
    let r = &mut card.rates.default;
    (r.first_mate_hourly, r.first_mate_hourly_no_truck, r.additional_mate_hourly) = (zero, zero, zero);
    (r.km_fee, r.long_distance_km_fee, r.ride_along_fee) = (zero, zero, zero);
    r.truck_fee_by_tier = [Money::from_cents(amount); 3];
    r.overtime_bp = BasisPoints::ONE;
    let s = &app.services;
    let (id, from) = (RateId(s.entropy.uuid(s.clock.now())), s.clock.now() - Duration::seconds(1));
    s.store
        .write(move |u| {
            let version = u.rates().active(None, from)?.map_or(1, |r| r.version + 1);
            u.rates().insert(&StoredRate { id, name: "standard".into(), version, effective_from: from, effective_to: None, card: card.clone() })?;
            Ok::<_, StoreError>(())
        })
        .await
        .unwrap();
    s.rates.clear();
}

/// Cookies of the people, and when they were last used. Access tokens live a quarter of an hour;
/// a session that is used lives on.
#[derive(Default)]
pub struct Sessions(HashMap<&'static str, (String, DateTime<Utc>)>);

/// A session that was idle longer has ended.
const IDLE: Duration = Duration::days(14);

impl Sessions {
    /// Fresh tokens, for the moment the clock shows.
    pub async fn renew(&mut self, app: &TestApp) {
        let now = app.services.clock.now();
        for who in [CUSTOMER, OPS] {
            let cookie = match self.0.remove(who) {
                Some((cookie, used)) if now - used < IDLE => cookie,
                _ => app.session(&email(who), PASSWORD).await,
            };
            let answer = app.token_answer(&cookie).await;
            let token = answer["access_token"].as_str().unwrap().to_owned();
            app.tokens.lock().unwrap().insert(who, token);
            self.0.insert(who, (cookie, now));
        }
    }
}

/// Two workers, as two replicas would run them, until neither finds anything due.
async fn work(app: &TestApp) {
    let worker = |name: &str| service::jobs::work(app.services.clone(), name.to_owned(), std::future::ready(()));
    futures_util::join!(worker("one"), worker("two"));
}

/// From the booking to `stop`, halting at every job and every event.
pub async fn live(app: &TestApp, case: &Case<'_>, id: &str, sessions: &mut Sessions) -> Result<(), String> {
    let (mut events, stop) = (case.events(), case.move_at + Duration::days(20));
    work(app).await;
    loop {
        let next: Result<_, StoreError> = app.services.store.read(|u| u.jobs().next_run_at()).await;
        let job = next.unwrap().filter(|at| *at <= stop);
        let event = events.first().map(|(at, _)| *at);
        let Some(at) = job.into_iter().chain(event).min() else { return Ok(()) };
        app.clock.move_to(at.max(app.services.clock.now()));
        if event == Some(at) {
            // The workers look at the clock before anybody acts at the same instant.
            work(app).await;
            let (_, event) = events.remove(0);
            sessions.renew(app).await;
            act(app, case, id, event).await?;
        }
        work(app).await;
    }
}

async fn act(app: &TestApp, case: &Case<'_>, id: &str, event: &Value) -> Result<(), String> {
    let by = event["by"].as_str();
    match event["type"].as_str().unwrap() {
        "assign" => status(app, id, &json!({ "status": "assigned", "language": "en" })).await,
        "complete" => status(app, id, &json!({ "status": "completed", "language": "en" })).await,
        "no_show" => status(app, id, &json!({ "status": "cancelled", "reason": "no-show", "customersWish": true })).await,
        "cancel" if by == Some("company") => status(app, id, &json!({ "status": "cancelled", "reason": "no crew" })).await,
        "cancel" => cancel(app, case, id).await,
        "edit" if by == Some("ops") || event["waive_fee"] == true => staff_edit(app, id, event).await,
        "edit" => edit(app, id, event).await,
        other => Err(format!("unknown event {other}")),
    }
}

fn ok(what: &str, answer: Answer) -> Result<Value, String> {
    if answer.status == 200 { Ok(answer.body) } else { Err(format!("{what}: {} {}", answer.status, answer.text)) }
}

async fn status(app: &TestApp, id: &str, body: &Value) -> Result<(), String> {
    let done = ok("status", app.put(OPS, &format!("/api/bookings/status/{id}"), body).await)?;
    same("status set", &done["status"], &body["status"])
}

/// First the preview, then the deed: they say the same.
async fn cancel(app: &TestApp, case: &Case<'_>, id: &str) -> Result<(), String> {
    let path = format!("/api/c/bookings/{id}/cancellation");
    let told = ok("cancellation", app.get(CUSTOMER, &path).await)?;
    let done = app.send(CUSTOMER, Method::PUT, &format!("/api/c/bookings/cancel/{id}"), None).await;
    let done = ok("cancel", done)?;
    same("status", &done["status"], &json!("cancelled"))?;
    for field in ["kept", "rule"] {
        same(field, &done[field], &told[field])?;
    }
    same("kept", cents(&done["kept"]), case.output["net_kept"].as_i64().unwrap())
}

/// The new price comes from a new rate card; something material has to change for it to count.
async fn change_of(app: &TestApp, event: &Value) -> Value {
    if let Some(amount) = event["new_amount"].as_i64() {
        flat_rate(app, amount).await;
        return json!({ "rideAlong": true });
    }
    if let Some(local) = event["new_move_local"].as_str() {
        let at: NaiveDateTime = local.parse().unwrap();
        return json!({ "date": at.date(), "time": at.time().format("%H:%M").to_string() });
    }
    assert_eq!(event["material"], false, "{event}");
    json!({ "comments": "Ring twice" })
}

/// The customer's edit, after its preview.
async fn edit(app: &TestApp, id: &str, event: &Value) -> Result<(), String> {
    let body = change_of(app, event).await;
    let path = format!("/api/c/bookings/{id}");
    let before = ok("detail", app.get(CUSTOMER, &path).await)?;
    let told = ok("preview", app.post(CUSTOMER, &format!("{path}/preview"), &body).await)?;
    same("old total", &told["oldTotal"], &before["total"])?;
    let still = ok("detail", app.get(CUSTOMER, &path).await)?;
    same("a preview changes nothing", (&still["total"], &still["version"]), (&before["total"], &before["version"]))?;
    let done = ok("edit", app.put(CUSTOMER, &path, &body).await)?;
    same("new total", &done["total"], &told["newTotal"])?;
    same("difference", cents(&told["difference"]), cents(&told["newTotal"]) - cents(&told["oldTotal"]))
}

async fn staff_edit(app: &TestApp, id: &str, event: &Value) -> Result<(), String> {
    let path = format!("/api/bookings/{id}");
    let body = match event["new_amount"].as_i64() {
        Some(amount) if event["waive_fee"] != true => json!({ "amount": dollars(amount) }),
        _ => json!({ "booking": change_of(app, event).await, "waiveFee": event["waive_fee"] == true, "customersWish": event["waive_fee"] == true }),
    };
    let found = app.get(OPS, &path).await;
    let version = found.header("etag").to_owned();
    ok("staff detail", found)?;
    let request = app.builder(OPS, Method::PUT, &path).await.header("if-match", version);
    ok("staff edit", Answer::of(request.json(&body).send().await.unwrap()).await).map(drop)
}

/// What the gateway has really done, in the words of the examples.
pub async fn timeline(app: &TestApp, id: &str) -> Result<Vec<(String, String, i64)>, String> {
    let history = ok("history", app.get(OPS, &format!("/api/bookings/{id}/history")).await)?;
    let charges: Vec<&Value> =
        history["data"].as_array().unwrap().iter().filter(|e| e["kind"] == "charge").map(|e| &e["what"]).collect();
    let list = ok("transactions", app.get(GUEST, "/simulators/braintree/transactions").await)?;
    let mut out: Vec<(String, String, i64)> = Vec::new();
    for t in list["data"].as_array().unwrap() {
        let ours = charges.iter().find(|c| c["orderId"] == t["orderId"]).ok_or_else(|| format!("{t} is not ours"))?;
        let action = match (t["kind"].as_str().unwrap(), t["status"].as_str().unwrap()) {
            ("refund", "captured" | "settled") => "refund".to_owned(),
            ("charge", "declined") => format!("decline:{}", ours["kind"].as_str().unwrap()),
            ("charge", "captured" | "settled") => format!("charge:{}", ours["kind"].as_str().unwrap()),
            other => return Err(format!("{other:?}: {t}")),
        };
        same("amount of an order", &t["amount"], &ours["amount"])?;
        let at = stamp(t["createdAt"].as_str().unwrap().parse().unwrap());
        match out.last_mut() {
            // Each charge is returned by itself; the examples name the sum.
            Some(last) if action == "refund" && (&last.0, &last.1) == (&at, &action) => last.2 += cents(&t["amount"]),
            _ => out.push((at, action, cents(&t["amount"]))),
        }
    }
    same("orders nobody knows at the gateway", charges.len(), list["data"].as_array().unwrap().len())?;
    Ok(out)
}
