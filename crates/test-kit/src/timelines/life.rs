//! Living through a case: the clock, the workers, and what people do.

use kernel::chrono::{DateTime, Duration, NaiveDateTime, Utc};
use serde_json::{Value, json};

use super::{
    case::{self, Case, cents, dollars, same, stamp},
    people::{CUSTOMER, GUEST, House, OPS, People},
    plan,
};
use crate::answer::Answer;

/// How long after the move a case is over.
const REST: Duration = Duration::days(20);

/// A booking that was made, and what becomes of it.
pub struct Life<'a, H> {
    pub people: People<'a, H>,
    pub case: &'a Case<'a>,
    pub id: String,
}

/// The customer stores a card and books; the gateway is told how to answer.
pub async fn book<'a, H: House>(house: &'a H, case: &'a Case<'a>) -> Result<Life<'a, H>, String> {
    let people = People::of(house);
    house.flat_rate(case.input["amount"].as_i64().unwrap()).await;
    people.post(CUSTOMER, "/api/payment", &json!({ "paymentNonce": "fake-valid-nonce" })).await.expect(200);
    let outcomes = case.outcomes();
    if !outcomes.is_empty() {
        let body = json!({ "outcomes": outcomes });
        people.post(GUEST, "/simulators/braintree/control", &body).await.expect(200);
    }
    let mut body = json!({ "bookingRequest": case.draft() });
    if let Some(tip) = case.input["tip"].as_i64() {
        body["tipRequest"] = json!({ "type": "amount", "value": case::dollars(tip).replace('.', ",") });
    }
    let made = people.post(CUSTOMER, "/api/bookings", &body).await;
    if made.status != 201 {
        return Err(format!("booking: {}", made.text));
    }
    let made = made.body;
    same("total at booking", cents(&made["total"]), case.total())?;
    same("mode", &made["paymentPlan"]["mode"], &case.mode())?;
    same("plan of the booking", &made["paymentPlan"]["charges"], &plan::charges(case))?;
    same("windows of the booking", &made["paymentPlan"]["cancellation"], &plan::windows(case))?;
    Ok(Life { people, case, id: made["id"].as_str().unwrap().to_owned() })
}

impl<H: House> Life<'_, H> {
    /// From the booking to the end, halting whenever something happens and at every event.
    pub async fn live(&self) -> Result<(), String> {
        let (house, events, end) = (self.people.house, self.case.events(), self.case.move_at + REST);
        let mut done = 0;
        self.rest(done).await?;
        loop {
            let event = events.get(done).filter(|(at, _)| *at <= end);
            let halt = house.next(end).await;
            let Some(at) = halt.into_iter().chain(event.map(|(at, _)| *at)).min() else { return Ok(()) };
            house.move_to(at.max(house.now()));
            // The workers look at the clock before anybody acts at the same instant.
            self.rest(done).await?;
            if let Some((_, event)) = event.filter(|(when, _)| *when == at) {
                self.act(event).await?;
                done += 1;
            }
        }
    }

    async fn rest(&self, done: usize) -> Result<(), String> {
        let now = self.people.house.now();
        let mut want = self.case.money();
        want.truncate(self.case.money_by(now, done));
        let result = self.people.house.rest(async || self.on_the_books().await.is_ok_and(|got| got == want)).await;
        match result {
            Ok(()) => Ok(()),
            Err(why) => same("timeline so far", self.on_the_books().await?, want).and(Err(why)),
        }
    }

    async fn act(&self, event: &Value) -> Result<(), String> {
        let by = event["by"].as_str();
        match event["type"].as_str().unwrap() {
            "assign" => self.status(&json!({ "status": "assigned", "language": "en" })).await,
            "complete" => self.status(&json!({ "status": "completed", "language": "en" })).await,
            "no_show" => {
                self.status(&json!({ "status": "cancelled", "reason": "no-show", "customersWish": true })).await
            }
            "cancel" if by == Some("company") => {
                self.status(&json!({ "status": "cancelled", "reason": "no crew" })).await
            }
            "cancel" => self.cancel().await,
            "edit" if by == Some("ops") || event["waive_fee"] == true => self.staff_edit(event).await,
            "edit" => self.edit(event).await,
            other => Err(format!("unknown event {other}")),
        }
    }

    async fn status(&self, body: &Value) -> Result<(), String> {
        let done = ok("status", self.people.put(OPS, &format!("/api/bookings/status/{}", self.id), body).await)?;
        same("status set", &done["status"], &body["status"])
    }

    /// First the preview, then the deed: they say the same.
    async fn cancel(&self) -> Result<(), String> {
        let path = format!("/api/c/bookings/{}/cancellation", self.id);
        let told = ok("cancellation", self.people.get(CUSTOMER, &path).await)?;
        let path = format!("/api/c/bookings/cancel/{}", self.id);
        let done = ok("cancel", self.people.put_nothing(CUSTOMER, &path).await)?;
        same("status", &done["status"], &json!("cancelled"))?;
        for field in ["kept", "rule"] {
            same(field, &done[field], &told[field])?;
        }
        same("kept", cents(&done["kept"]), self.case.output["net_kept"].as_i64().unwrap())
    }

    /// The new price comes from a new rate card; something material has to change for it to count.
    async fn change_of(&self, event: &Value) -> Value {
        if let Some(amount) = event["new_amount"].as_i64() {
            self.people.house.flat_rate(amount).await;
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
    async fn edit(&self, event: &Value) -> Result<(), String> {
        let (people, body) = (&self.people, self.change_of(event).await);
        let path = format!("/api/c/bookings/{}", self.id);
        let before = ok("detail", people.get(CUSTOMER, &path).await)?;
        let told = ok("preview", people.post(CUSTOMER, &format!("{path}/preview"), &body).await)?;
        same("old total", &told["oldTotal"], &before["total"])?;
        let still = ok("detail", people.get(CUSTOMER, &path).await)?;
        let seen = |b: &Value| (b["total"].clone(), b["version"].clone());
        same("a preview changes nothing", seen(&still), seen(&before))?;
        let done = ok("edit", people.put(CUSTOMER, &path, &body).await)?;
        same("new total", &done["total"], &told["newTotal"])?;
        same("difference", cents(&told["difference"]), cents(&told["newTotal"]) - cents(&told["oldTotal"]))
    }

    async fn staff_edit(&self, event: &Value) -> Result<(), String> {
        let (people, path) = (&self.people, format!("/api/bookings/{}", self.id));
        let waived = event["waive_fee"] == true;
        let body = match event["new_amount"].as_i64() {
            Some(amount) if !waived => json!({ "amount": dollars(amount) }),
            _ => json!({ "booking": self.change_of(event).await, "waiveFee": waived, "customersWish": waived }),
        };
        let found = people.get(OPS, &path).await;
        let version = found.header("etag").to_owned();
        ok("staff detail", found)?;
        ok("staff edit", people.put_version(OPS, &path, &body, &version).await).map(drop)
    }

    /// What the gateway has really done, in the words of the examples, when all of it is booked.
    async fn on_the_books(&self) -> Result<Vec<(String, String, i64)>, String> {
        let charges = self.charges().await?;
        match charges.iter().find(|c| c["state"] == "sent") {
            Some(open) => Err(format!("no answer yet: {open}")),
            None => self.timeline_of(&charges).await,
        }
    }

    /// What the gateway has really done, in the words of the examples.
    pub async fn timeline(&self) -> Result<Vec<(String, String, i64)>, String> {
        self.timeline_of(&self.charges().await?).await
    }

    /// Charges and refunds as we know them.
    async fn charges(&self) -> Result<Vec<Value>, String> {
        let path = format!("/api/bookings/{}/history", self.id);
        let history = ok("history", self.people.get(OPS, &path).await)?;
        let events = history["data"].as_array().unwrap().iter();
        Ok(events.filter(|e| e["kind"] == "charge").map(|e| e["what"].clone()).collect())
    }

    async fn timeline_of(&self, charges: &[Value]) -> Result<Vec<(String, String, i64)>, String> {
        let list = ok("transactions", self.people.get(GUEST, "/simulators/braintree/transactions").await)?;
        let mut out: Vec<(String, String, i64)> = Vec::new();
        for t in list["data"].as_array().unwrap() {
            let ours =
                charges.iter().find(|c| c["orderId"] == t["orderId"]).ok_or_else(|| format!("{t} is not ours"))?;
            let action = match (t["kind"].as_str().unwrap(), t["status"].as_str().unwrap()) {
                ("refund", "captured" | "settled") => "refund".to_owned(),
                ("charge", "declined") => format!("decline:{}", ours["kind"].as_str().unwrap()),
                ("charge", "captured" | "settled") => format!("charge:{}", ours["kind"].as_str().unwrap()),
                other => return Err(format!("{other:?}: {t}")),
            };
            same("amount of an order", &t["amount"], &ours["amount"])?;
            let at = stamp(t["createdAt"].as_str().unwrap().parse::<DateTime<Utc>>().unwrap());
            match out.last_mut() {
                // Each charge is returned by itself; the examples name the sum.
                Some(last) if action == "refund" && (&last.0, &last.1) == (&at, &action) => {
                    last.2 += cents(&t["amount"]);
                }
                _ => out.push((at, action, cents(&t["amount"]))),
            }
        }
        same("orders nobody knows at the gateway", charges.len(), list["data"].as_array().unwrap().len())?;
        Ok(out)
    }
}

fn ok(what: &str, answer: Answer) -> Result<Value, String> {
    if answer.status == 200 { Ok(answer.body) } else { Err(format!("{what}: {} {}", answer.status, answer.text)) }
}
