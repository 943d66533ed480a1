//! The forty payment timelines of `fixtures/policy-examples.json`, lived through by the use
//! cases on a real SQLite file: booked, changed, charged by the worker, cancelled.

use crate::support::{Next, World, draft};
use chrono::{DateTime, Duration, NaiveDateTime, SubsecRound, Utc};
use kernel::{BookingId, Money, Province, Zone};
use serde_json::Value;
use service::{
    bookings::{
        TipInput, cancel,
        edit::{self, EditInput, StaffEdit},
        status::{self, StatusInput},
    },
    ports::payments::PaymentKind,
};
use status_machine::booking::Status;

struct Case<'a> {
    input: &'a Value,
    zone: Zone,
    move_at: DateTime<Utc>,
    booked_at: DateTime<Utc>,
}

fn utc(text: &Value) -> DateTime<Utc> {
    text.as_str().unwrap().parse().unwrap()
}

impl Case<'_> {
    fn local(&self, text: &str) -> DateTime<Utc> {
        let at: NaiveDateTime = text.parse().unwrap();
        self.zone.instant(at.date(), at.time()).unwrap()
    }

    fn events(&self) -> Vec<(DateTime<Utc>, Value)> {
        let mut out: Vec<_> = self.input["events"]
            .as_array()
            .map(|list| {
                list.iter()
                    .map(|e| {
                        let at = if let Some(s) = e["after_booking_seconds"].as_i64() {
                            self.booked_at + Duration::seconds(s)
                        } else if let Some(s) = e["before_move_seconds"].as_i64() {
                            self.move_at - Duration::seconds(s)
                        } else {
                            self.local(e["at_local"].as_str().unwrap())
                        };
                        (at, e.clone())
                    })
                    .collect()
            })
            .unwrap_or_default();
        out.sort_by_key(|(at, _)| *at);
        out
    }
}

/// The gateway answers each charge as the example says it ended.
fn outcomes(output: &Value) -> Vec<Next> {
    expected(output)
        .iter()
        .filter(|(_, action, _)| action != "refund")
        .map(|(_, action, _)| if action.starts_with("decline") { Next::Soft } else { Next::Approve })
        .collect()
}

async fn act(w: &World, case: &Case<'_>, id: BookingId, event: &Value) {
    let ops_does = event["by"] == "ops" || event["waive_fee"] == true;
    match event["type"].as_str().unwrap() {
        "assign" => {
            status::set(&w.s, &w.staff(), id, Status::Assigned, StatusInput::default()).await.unwrap();
        }
        "complete" => {
            status::set(&w.s, &w.staff(), id, Status::Completed, StatusInput::default()).await.unwrap();
        }
        "no_show" => {
            let said = StatusInput { customers_wish: true, reason: Some("no-show".into()), ..StatusInput::default() };
            status::set(&w.s, &w.staff(), id, Status::Cancelled, said).await.unwrap();
        }
        "cancel" if event["by"] == "company" => {
            let said = StatusInput { reason: Some("no crew".into()), ..StatusInput::default() };
            status::set(&w.s, &w.staff(), id, Status::Cancelled, said).await.unwrap();
        }
        "cancel" => {
            cancel::cancel(&w.s, &w.customer, id).await.unwrap();
        }
        "edit" => {
            let mut input = EditInput::default();
            if let Some(amount) = event["new_amount"].as_i64() {
                w.flat_rate(amount).await;
                input.ride_along = Some(true);
            }
            if let Some(local) = event["new_move_local"].as_str() {
                let at: NaiveDateTime = local.parse().unwrap();
                (input.date, input.time) = (Some(at.date()), Some(at.time()));
                assert_eq!(case.local(local), case.zone.instant(at.date(), at.time()).unwrap());
            }
            if event["material"] == false {
                input.comments = Some("Ring twice".into());
            }
            let waived = event["waive_fee"] == true;
            match ops_does {
                true => {
                    let input =
                        StaffEdit { change: input, waive_fee: waived, customers_wish: waived, ..StaffEdit::default() };
                    edit::edit_as_staff(&w.s, &w.staff(), id, input, None).await.unwrap();
                }
                false => drop(edit::edit(&w.s, &w.customer, id, input, None).await.unwrap()),
            }
        }
        other => panic!("unknown event {other}"),
    }
}

async fn live(w: &World, case: &Case<'_>, id: BookingId, stop: DateTime<Utc>) {
    let mut events = case.events();
    w.work().await;
    loop {
        let job = w.next_job().await.filter(|at| *at <= stop);
        let event = events.first().map(|(at, _)| *at);
        let Some(at) = job.into_iter().chain(event).min() else { return };
        w.clock.set(at.max(w.clock.now_value()));
        if event == Some(at) {
            let (_, event) = events.remove(0);
            act(w, case, id, &event).await;
        }
        w.work().await;
    }
}

/// What the gateway saw, in the words of the examples.
async fn timeline(w: &World, id: BookingId) -> Vec<(String, String, i64)> {
    let rows = w
        .read(move |u| {
            let mut out = Vec::new();
            for p in u.payments().of_booking(id)? {
                for a in u.payments().attempts_of(p.id)? {
                    out.push((a.order_id, p.clone()));
                }
            }
            Ok(out)
        })
        .await;
    let mut out: Vec<(String, String, i64)> = Vec::new();
    for seen in w.gateway.seen() {
        let kind = &rows.iter().find(|(order, _)| *order == seen.order_id).expect("every transaction is ours").1.kind;
        let action = match (seen.what, kind) {
            ("refund", _) => "refund".to_owned(),
            (what, kind) => format!("{what}:{}", kind.code()),
        };
        let at = seen.at.trunc_subsecs(0).to_rfc3339_opts(chrono::SecondsFormat::Secs, true);
        match out.last_mut() {
            // A card network returns each charge by itself; the examples name the sum.
            Some(last) if action == "refund" && (&last.0, &last.1) == (&at, &action) => last.2 += seen.amount,
            _ => out.push((at, action, seen.amount)),
        }
    }
    out
}

fn expected(output: &Value) -> Vec<(String, String, i64)> {
    let money =
        |e: &&Value| ["charge", "decline", "refund"].iter().any(|p| e["action"].as_str().unwrap().starts_with(p));
    output["timeline"]
        .as_array()
        .unwrap()
        .iter()
        .filter(money)
        .map(|e| {
            (
                e["at_utc"].as_str().unwrap().to_owned(),
                e["action"].as_str().unwrap().to_owned(),
                e["amount"].as_i64().unwrap(),
            )
        })
        .collect()
}

async fn run(example: &Value) -> Result<(), String> {
    let (input, output) = (&example["input"], &example["output"]);
    let province: Province = input["province"].as_str().unwrap().parse().unwrap();
    let zone: Zone = input["timezone"].as_str().unwrap().parse().unwrap();
    // The examples' `move_utc` is the date after all edits; the booking begins with the local one.
    let first: NaiveDateTime = input["move_local"].as_str().unwrap().parse().unwrap();
    let move_at = zone.instant(first.date(), first.time()).unwrap();
    let case = Case { input, zone, move_at, booked_at: utc(&output["booked_utc"]) };
    let w = World::new(case.booked_at).await;
    w.flat_rate(input["amount"].as_i64().unwrap()).await;
    w.gateway.queue(&outcomes(output));
    let local = case.zone.local(case.move_at);
    let tip = input["tip"]
        .as_i64()
        .map(|cents| TipInput { kind: "amount".into(), value: Money::from_cents(cents).to_string().replace('.', ",") });
    let created = w.book(draft(province, local.date, local.time), tip).await.map_err(|e| format!("booking: {e:?}"))?;
    let id = created.booking.id;
    let same = |what: &str, got: &dyn std::fmt::Debug, want: &dyn std::fmt::Debug| {
        let (got, want) = (format!("{got:?}"), format!("{want:?}"));
        if got == want { Ok(()) } else { Err(format!("{what}:\n  got  {got}\n  want {want}")) }
    };
    same("total at booking", &created.booking.total.cents(), &output["total_at_booking"].as_i64().unwrap())?;
    live(&w, &case, id, case.move_at + Duration::days(20)).await;

    same("timeline", &timeline(&w, id).await, &expected(output))?;
    let b = w.booking(id).await;
    same("status", &b.status.code(), &output["final_status"].as_str().unwrap())?;
    same("final total", &b.total.cents(), &output["final_total"].as_i64().unwrap())?;
    let rows = w.read(move |u| u.payments().of_booking(id)).await;
    let sum = |f: &dyn Fn(&service::ports::payments::Payment) -> bool| {
        rows.iter().filter(|r| r.settled_at.is_some() && f(r)).map(|r| r.amount.cents()).sum::<i64>()
    };
    same(
        "captured",
        &sum(&|r| !matches!(r.kind, PaymentKind::Refund | PaymentKind::Tip)),
        &output["captured"].as_i64().unwrap(),
    )?;
    same("refunded", &sum(&|r| r.kind == PaymentKind::Refund), &output["refunded"].as_i64().unwrap())?;
    same("tip", &sum(&|r| r.kind == PaymentKind::Tip), &output["tip_charged"].as_i64().unwrap())?;
    let net = output["net_kept"].as_i64().unwrap() + output["tip_charged"].as_i64().unwrap();
    same("gateway", &w.gateway.net(), &net)?;
    let report =
        service::billing::reconcile::run(&w.s, case.booked_at - Duration::days(1), case.move_at + Duration::days(60))
            .await
            .unwrap();
    same("reconciliation", &report.differences, &Vec::<String>::new())?;
    let balances = w.read(|u| u.ledger().balances("2100-01-01T00:00:00Z".parse().unwrap())).await;
    let gateway = balances.iter().find(|(a, _)| a.code() == "gateway").map_or(0, |(_, m)| m.cents());
    same("ledger", &gateway, &net)
}

#[tokio::test]
async fn all_forty_hold() {
    let file: Value = serde_json::from_str(include_str!("../../../fixtures/policy-examples.json")).unwrap();
    let examples = file["examples"].as_array().unwrap();
    assert_eq!(examples.len(), 40);
    let mut wrong = Vec::new();
    for example in examples {
        eprintln!("{}", example["name"]);
        if let Err(why) = run(example).await {
            wrong.push(format!("{}: {why}", example["name"]));
        }
    }
    assert!(wrong.is_empty(), "{} of 40 differ\n{}", wrong.len(), wrong.join("\n"));
}
