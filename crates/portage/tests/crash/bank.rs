//! What banks do while the server is killed: cardholders dispute charges and win or lose, and refunds are not taken. The
//! gateway tells of it by webhooks, twice and in any order.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::{Run, cents};

/// Disputes of a whole run.
const DISPUTES: usize = 6;
/// Refunds of a whole run that are not taken.
const NOT_TAKEN: usize = 4;
/// Days in which refunds are given again until each was taken: more than were ever asked not to be.
const DAYS_OF_REFUNDS: usize = 40;
const CONTROL: &str = "/simulators/braintree/control";

/// What the bank gave back of charges that were disputed and lost, cents.
pub fn lost(moved: &[Value]) -> i64 {
    moved.iter().filter(|t| t["dispute"]["state"] == "lost").map(|t| cents(&t["amount"])).sum()
}

/// The same of one booking, by its code.
pub fn lost_of(moved: &[Value], code: &str) -> i64 {
    let own = |t: &&Value| t["orderId"].as_str().is_some_and(|order| order.split('-').next() == Some(code));
    let own: Vec<Value> = moved.iter().filter(own).cloned().collect();
    lost(&own)
}

impl Run {
    async fn bank(&self, command: &Value) -> bool {
        let sent = self.web.post(self.site.url(CONTROL)).json(command).send().await;
        sent.is_ok_and(|answer| answer.status().is_success())
    }

    async fn movements(&self) -> Vec<Value> {
        let Ok(answer) = self.web.get(self.site.url("/simulators/braintree/transactions")).send().await else {
            return Vec::new();
        };
        let list: Value = answer.json().await.unwrap_or_default();
        list["data"].as_array().cloned().unwrap_or_default()
    }

    async fn dispute(&self, t: &Value, state: &str) {
        self.bank(&json!({ "disputes": [{ "transactionId": t["id"], "state": state }] })).await;
    }

    /// In one life: a settled charge is disputed, what is disputed is decided, a refund will not be taken.
    pub async fn bank_moves(&mut self) {
        let all = self.movements().await;
        let disputed: Vec<&Value> = all.iter().filter(|t| t["dispute"]["state"].is_string()).collect();
        if let Some(open) = disputed.iter().find(|t| t["dispute"]["state"] == "opened")
            && self.dice.up_to(2) == 0
        {
            let state = if self.dice.up_to(2) == 0 { "won" } else { "lost" };
            self.dispute(open, state).await;
        }
        let whole = |t: &&Value| {
            let returned = |r: &Value| r["refundedTransactionId"] == t["id"];
            t["kind"] == "charge" && t["status"] == "settled" && t["dispute"].is_null() && !all.iter().any(returned)
        };
        if disputed.len() < DISPUTES
            && self.dice.up_to(3) == 0
            && let Some(charge) = all.iter().find(whole)
        {
            self.dispute(charge, "opened").await;
        }
        let refused = all.iter().filter(|t| t["kind"] == "refund" && t["status"] == "settlement_declined").count();
        if refused < NOT_TAKEN && self.dice.up_to(3) == 0 {
            self.bank(&json!({ "outcome": "settlement_decline", "operation": "refund" })).await;
        }
    }

    /// At the end: everything that is open is decided, and what had not happened by chance happens, so that the run is never
    /// blind to it. Refunds that were not taken are given again by staff.
    pub async fn bank_decides(&mut self) {
        for state in ["won", "lost"] {
            let all = self.movements().await;
            if all.iter().any(|t| t["dispute"]["state"] == state) {
                continue;
            }
            let open = all.iter().find(|t| t["dispute"]["state"] == "opened");
            let returned = |t: &Value| all.iter().any(|r| r["refundedTransactionId"] == t["id"]);
            let whole = |t: &&Value| {
                t["kind"] == "charge" && t["status"] == "settled" && t["dispute"].is_null() && !returned(t)
            };
            if let Some(charge) = open.or_else(|| all.iter().find(whole)).cloned() {
                if charge["dispute"].is_null() {
                    self.dispute(&charge, "opened").await;
                    self.settle().await;
                }
                self.dispute(&charge, state).await;
                self.settle().await;
            }
        }
        for open in self.movements().await.iter().filter(|t| t["dispute"]["state"] == "opened") {
            self.dispute(open, "won").await;
        }
        self.settle().await;
        self.refund_that_is_not_taken().await;
        // A refund settles within days; what is given again may not be taken either, as often as that was asked for.
        for day in 0..DAYS_OF_REFUNDS {
            self.advance(24);
            self.settle().await;
            let again = self.give_again().await;
            self.settle().await;
            if again == 0 && day >= 3 {
                break;
            }
        }
        self.advance(24);
        self.settle().await;
    }

    /// Staff give one dollar of some booking back, and its bank does not take it.
    async fn refund_that_is_not_taken(&mut self) {
        if self.movements().await.iter().any(|t| t["kind"] == "refund" && t["status"] == "settlement_declined") {
            return;
        }
        assert!(self.bank(&json!({ "outcome": "settlement_decline", "operation": "refund" })).await);
        let ops = self.staff().await;
        let ids: Vec<String> = self.diary.acknowledged.keys().cloned().collect();
        for id in ids {
            let payments = self.read(&ops, &format!("/api/bookings/{id}/payments")).await;
            let held = payments["data"].as_array().into_iter().flatten().any(|r| {
                r["method"] == "card" && r["kind"] != "refund" && r["kind"] != "tip" && r["state"] == "settled"
            });
            if !held || cents(&payments["most"]["refund"]) < 100 {
                continue;
            }
            self.diary.keys += 1;
            let key = format!("deed-{}", self.diary.keys);
            let body = json!({ "kind": "refund", "amount": "1.00", "reason": key });
            let url = self.site.url(&format!("/api/bookings/{id}/refunds"));
            let asked = self.web.post(url).bearer_auth(&ops).header("Idempotency-Key", &key).json(&body);
            let answer = asked.send().await.unwrap();
            if answer.status().is_success() {
                self.diary.deeds.insert(key, id);
                self.settle().await;
                return;
            }
        }
    }

    /// Staff see to each refund on the list of failed charges: what a bank did not take is given again, what came by hand is
    /// handed back. Answers how many stood there.
    async fn give_again(&mut self) -> usize {
        let ops = self.staff().await;
        let refunds = self.waiting_refunds(&ops).await;
        for row in &refunds {
            self.diary.keys += 1;
            let key = format!("again-{}", self.diary.keys);
            let by_hand = row["canHandOver"] == true;
            let (deed, what) = if by_hand { ("handed-over", "handed over") } else { ("retry", "given again") };
            let url = self.site.url(&format!("/api/payments/{}/{deed}", row["id"].as_str().unwrap()));
            let asked = self.web.post(url).bearer_auth(&ops).header("Idempotency-Key", &key);
            let asked = if by_hand { asked.json(&json!({ "reference": key })) } else { asked };
            let answer = asked.send().await.unwrap();
            assert!(!by_hand || answer.status().is_success(), "{what}: {} {row:#}", answer.status());
            *self.diary.done.entry(what).or_default() += 1;
        }
        refunds.len()
    }

    /// Refunds that wait for somebody.
    async fn waiting_refunds(&self, ops: &str) -> Vec<Value> {
        let failed = self.read(ops, "/api/payments/failed?page=1&per_page=100").await;
        let rows = failed["data"].as_array().into_iter().flatten();
        rows.filter(|r| r["kind"] == "refund").cloned().collect()
    }

    async fn staff(&self) -> String {
        crate::sign_in(&self.web, &self.site, crate::OPS, crate::PASSWORD).await.unwrap()
    }

    async fn read(&self, token: &str, path: &str) -> Value {
        let answer = self.web.get(self.site.url(path)).bearer_auth(token).send().await.unwrap();
        answer.json().await.unwrap()
    }

    /// Each kind of notification was sent at least once, and what it tells is on record.
    pub async fn bank_was_heard(&self, ops: &str) {
        let notices = self.read(ops, "/simulators/braintree/webhooks").await;
        let sent: BTreeSet<&str> = notices["data"]
            .as_array()
            .into_iter()
            .flatten()
            .filter(|n| n["sent"] == true)
            .filter_map(|n| n["kind"].as_str())
            .collect();
        for kind in ["transaction_settled", "dispute_opened", "dispute_won", "dispute_lost", "refund_failed"] {
            assert!(sent.contains(kind), "{kind} was never sent, only {sent:?}\n{}", self.site.log_text());
        }
        let disputes = self.read(ops, "/api/disputes?page=1&per_page=100").await;
        let all = self.movements().await;
        for state in ["won", "lost"] {
            let of = |list: &Value, kept: &dyn Fn(&Value) -> bool| {
                list.as_array().into_iter().flatten().filter(|d| kept(d)).count()
            };
            let told = all.iter().filter(|t| t["dispute"]["state"] == state).count();
            let known = of(&disputes["data"], &|d| d["state"] == state);
            assert_eq!(known, told, "disputes that were {state}: {disputes:#}");
        }
        let waits = self.waiting_refunds(ops).await;
        assert!(waits.is_empty(), "nobody saw to these refunds: {waits:#?}");
    }
}
