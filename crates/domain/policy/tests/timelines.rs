//! The forty worked timelines of `fixtures/policy-examples.json`, replayed by a small simulator
//! that decides nothing itself: it asks the public functions of the crate and keeps the books.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use kernel::{
    Money, Ppm, Zone,
    chrono::{DateTime, Duration, NaiveDateTime, SecondsFormat, Utc},
};
use policy::{
    CancelledBy, Change, ChargeKind, Facts, LadderEnd, Mode, PlannedCharge, RequestedBy, Rule, Settings, after_ladder,
    attempt_at, cancellation, change_fee, deposit_charge, is_due, lock_charge, plan, settle_edit, tip_due_at,
};
use serde_json::{Value, json};

fn utc(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Secs, true)
}

fn cents(v: &Value) -> Option<Money> {
    v.as_i64().map(Money::from_cents)
}

/// One attempt at a charge, or the tip.
struct Job {
    at: DateTime<Utc>,
    kind: ChargeKind,
    amount: Money,
}

struct Sim<'a> {
    input: &'a Value,
    s: Settings,
    zone: Zone,
    rate: Ppm,
    amount: Money,
    fees: Money,
    facts: Facts,
    log: Vec<Value>,
    status: &'static str,
    completed_at: Option<DateTime<Utc>>,
    tip_charged: Money,
    declined: [u32; 2],
}

impl<'a> Sim<'a> {
    fn new(input: &'a Value, card: &Value) -> Self {
        let zone: Zone = input["timezone"].as_str().unwrap().parse().unwrap();
        let province = input["province"].as_str().unwrap();
        let rate = Ppm::new(card["taxes"][province]["rate_ppm"].as_i64().unwrap());
        let amount = cents(&input["amount"]).unwrap();
        let move_at = local(zone, &input["move_local"]);
        let booked_at = move_at - Duration::seconds(input["lead_seconds"].as_i64().unwrap());
        let s = Settings::default().for_province(province.parse().unwrap());
        let facts = Facts::new(booked_at, move_at, amount.plus(amount.rate(rate)));
        Sim {
            input,
            s,
            zone,
            rate,
            amount,
            fees: Money::ZERO,
            facts,
            log: Vec::new(),
            status: "pending",
            completed_at: None,
            tip_charged: Money::ZERO,
            declined: [0, 0],
        }
    }

    fn say(&mut self, at: DateTime<Utc>, action: &str, amount: Money, note: &str) {
        let mut entry = json!({ "at_utc": utc(at), "at_local": self.zone.local(at).rfc3339(), "action": action });
        if !amount.is_zero() {
            entry["amount"] = amount.cents().into();
        }
        if !note.is_empty() {
            entry["note"] = note.into();
        }
        self.log.push(entry);
    }

    fn capture(&mut self, at: DateTime<Utc>, kind: ChargeKind, amount: Money) {
        self.facts.captured = self.facts.captured.plus(amount);
        match kind {
            ChargeKind::Deposit => self.facts.deposit_captured = Some(amount),
            ChargeKind::Balance | ChargeKind::Full => {
                self.facts.balance_captured = true;
                self.facts.lock_entered = true;
            }
            _ => {}
        }
        self.say(at, &format!("charge:{kind}"), amount, "");
    }

    fn refund(&mut self, at: DateTime<Utc>, amount: Money, note: &str) {
        if amount.is_positive() {
            self.facts.refunded = self.facts.refunded.plus(amount);
            self.say(at, "refund", amount, note);
        }
    }

    fn attempts(&mut self, kind: ChargeKind) -> (&mut u32, i64) {
        match kind {
            ChargeKind::Deposit => (&mut self.declined[0], self.input["deposit_declines"].as_i64().unwrap_or(0)),
            _ => (&mut self.declined[1], self.input["balance_declines"].as_i64().unwrap_or(0)),
        }
    }

    fn next_job(&mut self) -> Option<Job> {
        if self.status == "cancelled" {
            return None;
        }
        if let Some(completed_at) = self.completed_at {
            let tip = cents(&self.input["tip"]).filter(|_| self.tip_charged.is_zero())?;
            return Some(Job { at: tip_due_at(&self.s, completed_at), kind: ChargeKind::Tip, amount: tip });
        }
        let lock_at = self.facts.lock_at(&self.s);
        let charges = [deposit_charge(&self.s, &self.facts), lock_charge(&self.s, &self.facts)];
        let mut jobs = Vec::new();
        for PlannedCharge { kind, due_at, amount } in charges.into_iter().flatten() {
            let attempt = *self.attempts(kind).0;
            if let Some(at) = attempt_at(&self.s, kind, due_at, attempt, lock_at) {
                jobs.push(Job { at, kind, amount });
            }
        }
        jobs.into_iter().min_by_key(|j| j.at)
    }

    fn run(&mut self, job: &Job) {
        let &Job { at, kind, amount } = job;
        if kind == ChargeKind::Tip {
            self.tip_charged = amount;
            self.say(at, "charge:tip", amount, "24 h after completion; never part of the 20/80 split");
            return;
        }
        if kind != ChargeKind::Deposit {
            self.facts.lock_entered = true;
        }
        let (declined, declines) = self.attempts(kind);
        if i64::from(*declined) >= declines {
            return self.capture(at, kind, amount);
        }
        *declined += 1;
        let attempt = *declined;
        self.say(at, &format!("decline:{kind}"), amount, &format!("attempt {attempt}"));
        let ended = attempt_at(&self.s, kind, at, attempt, self.facts.lock_at(&self.s)).is_none();
        if ended && after_ladder(&self.s, kind) == LadderEnd::AutoCancel {
            self.status = "cancelled";
            let note =
                "payment_failed: mates released, amounts already captured are kept, the rest is written off for review";
            self.say(at, "auto_cancel", Money::ZERO, note);
        }
    }

    fn cancel(&mut self, at: DateTime<Utc>, by: CancelledBy, suffix: &str) {
        let c = cancellation(&self.s, &self.facts, at, by, false);
        assert_eq!(c.kept.plus(c.refund), self.facts.net().plus(c.to_charge));
        self.status = "cancelled";
        let note = match (by, c.rule) {
            (CancelledBy::Company, _) => "by the company",
            (_, Rule::Free) => "free",
            (_, Rule::Deposit) => "20 % deposit kept",
            (_, Rule::Full) => "100 % kept",
        };
        self.say(at, "cancel", Money::ZERO, &format!("{note}{suffix}"));
        self.refund(at, c.refund, if by == CancelledBy::Company { "full refund" } else { "" });
        if c.to_charge.is_positive() {
            self.capture(at, ChargeKind::CancellationFee, c.to_charge);
        }
    }

    fn edit(&mut self, at: DateTime<Utc>, e: &Value) {
        let change = Change {
            material: e["material"].as_bool().unwrap_or(true),
            by: if e["by"] == "ops" { RequestedBy::Staff } else { RequestedBy::Customer },
            waived: e["waive_fee"].as_bool().unwrap_or(false),
        };
        let fee = change_fee(&self.s, &self.facts, self.amount, at, &change);
        self.facts.lock_entered = self.facts.is_locked(&self.s, at);
        // A new price comes without the fees of earlier changes.
        let service = cents(&e["new_amount"]).unwrap_or(self.amount.minus(self.fees));
        self.fees = self.fees.plus(fee);
        self.amount = service.plus(self.fees);
        self.facts.total = self.amount.plus(self.amount.rate(self.rate));
        if !e["new_move_local"].is_null() {
            self.facts.move_at = local(self.zone, &e["new_move_local"]);
        }
        let fee_text =
            if fee.is_zero() { "no change fee".to_owned() } else { format!("change fee {} before tax", fee.cents()) };
        self.say(at, "edit", Money::ZERO, &format!("new total {}, {fee_text}", self.facts.total.cents()));
        let settled = settle_edit(&self.s, &self.facts, at);
        self.refund(at, settled.refund, "total is lower than what was paid");
        if let Some((kind, amount)) = settled.charge_now {
            self.capture(at, kind, amount);
        }
    }

    fn happen(&mut self, at: DateTime<Utc>, e: &Value) {
        match e["type"].as_str().unwrap() {
            "assign" => {
                self.facts.mate_assigned = true;
                self.status = "assigned";
                self.say(at, "assign", Money::ZERO, "");
            }
            "complete" => {
                self.completed_at = Some(at);
                self.status = "completed";
                self.say(at, "complete", Money::ZERO, "");
            }
            "cancel" if e["by"] == "company" => self.cancel(at, CancelledBy::Company, ""),
            "cancel" => self.cancel(at, CancelledBy::Customer, ""),
            "no_show" => self.cancel(at, CancelledBy::Customer, " (no-show)"),
            "edit" => self.edit(at, e),
            other => panic!("an event of type {other}"),
        }
    }

    fn go(mut self) -> Value {
        let Facts { booked_at, move_at, total, .. } = self.facts;
        let first = plan(&self.s, total, booked_at, move_at);
        self.say(booked_at, "book", Money::ZERO, first.mode.code());
        if first.mode == Mode::FullAtOnce {
            self.capture(booked_at, first.charges[0].kind, first.charges[0].amount);
        }
        let none = Vec::new();
        let events = self.input["events"].as_array().unwrap_or(&none);
        let mut events: Vec<(DateTime<Utc>, &Value)> = events
            .iter()
            .map(|e| {
                let at = match (e["after_booking_seconds"].as_i64(), e["before_move_seconds"].as_i64()) {
                    (Some(n), _) => booked_at + Duration::seconds(n),
                    (_, Some(n)) => move_at - Duration::seconds(n),
                    _ => local(self.zone, &e["at_local"]),
                };
                (at, e)
            })
            .collect();
        events.sort_by_key(|(at, _)| *at);
        let mut events = events.into_iter().peekable();
        loop {
            match (self.next_job(), events.peek()) {
                (None, None) => break,
                (Some(job), event) if event.is_none_or(|(at, _)| is_due(job.kind, job.at, *at)) => self.run(&job),
                _ => {
                    let (at, e) = events.next().unwrap();
                    self.happen(at, e);
                }
            }
        }
        json!({
            "booked_utc": utc(booked_at), "move_utc": utc(self.facts.move_at),
            "total_at_booking": total.cents(), "final_total": self.facts.total.cents(),
            "timeline": self.log,
            "captured": self.facts.captured.cents(), "refunded": self.facts.refunded.cents(), "net_kept": self.facts.net().cents(),
            "tip_charged": self.tip_charged.cents(), "final_status": self.status,
        })
    }
}

fn local(zone: Zone, text: &Value) -> DateTime<Utc> {
    let at: NaiveDateTime = text.as_str().unwrap().parse().unwrap();
    zone.instant(at.date(), at.time()).unwrap()
}

#[test]
fn all_forty_timelines_hold() {
    let file: Value = serde_json::from_str(include_str!("../../../../fixtures/policy-examples.json")).unwrap();
    let card: Value = serde_json::from_str(include_str!("../../../../fixtures/rate-card.json")).unwrap();
    let examples = file["examples"].as_array().unwrap();
    assert_eq!(examples.len(), 40);
    let wrong: Vec<String> = examples
        .iter()
        .filter_map(|e| {
            let got = Sim::new(&e["input"], &card).go();
            (got != e["output"]).then(|| format!("{}\n  want {}\n  got  {got}", e["name"], e["output"]))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Before anything else happens, the plan shown to the customer is the timeline that follows.
#[test]
fn the_plan_announces_the_timeline() {
    let file: Value = serde_json::from_str(include_str!("../../../../fixtures/policy-examples.json")).unwrap();
    let undisturbed = file["examples"].as_array().unwrap().iter().filter(|e| {
        let input = &e["input"];
        input["events"].is_null() && input["deposit_declines"].is_null() && input["balance_declines"].is_null()
    });
    let mut seen = 0;
    for e in undisturbed {
        let at = |name: &str| -> DateTime<Utc> { e["output"][name].as_str().unwrap().parse().unwrap() };
        let total = cents(&e["output"]["total_at_booking"]).unwrap();
        let planned: Vec<Value> = plan(&Settings::default(), total, at("booked_utc"), at("move_utc"))
            .charges
            .iter()
            .map(|c| json!([format!("charge:{}", c.kind), utc(c.due_at), c.amount.cents()]))
            .collect();
        let timeline = e["output"]["timeline"].as_array().unwrap().iter().skip(1);
        let happened: Vec<Value> = timeline.map(|l| json!([l["action"], l["at_utc"], l["amount"]])).collect();
        assert_eq!(planned, happened, "{}", e["name"]);
        seen += 1;
    }
    assert!(seen >= 10, "{seen}");
}
