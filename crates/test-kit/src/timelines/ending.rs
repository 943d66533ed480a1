//! How a case ended: the booking, the gateway, the books.

use kernel::chrono::Duration;
use serde_json::json;

use super::{
    case::{Case, cents, same},
    life::{self, Life},
    people::{CUSTOMER, House, OPS},
};

/// The whole of a case, from the booking to the last comparison.
pub async fn run(house: &impl House, case: &Case<'_>) -> Result<(), String> {
    let life = life::book(house, case).await?;
    life.live().await?;

    same("timeline", life.timeline().await?, case.money())?;
    let output = case.output;
    let b = life.people.get(CUSTOMER, &format!("/api/c/bookings/{}", life.id)).await.expect(200).body;
    same("status", &b["status"], &output["final_status"])?;
    same("final total", cents(&b["total"]), output["final_total"].as_i64().unwrap())?;
    let lines = b["lines"].as_array().unwrap().iter();
    same("lines", lines.map(|l| cents(&l["amount"])).sum::<i64>(), cents(&b["amount"]))?;
    let sum = |wanted: &dyn Fn(&str) -> bool| {
        let settled = b["payments"].as_array().unwrap().iter().filter(|p| !p["settledAt"].is_null());
        settled.filter(|p| wanted(p["kind"].as_str().unwrap())).map(|p| cents(&p["amount"])).sum::<i64>()
    };
    let figure = |name: &str| output[name].as_i64().unwrap();
    same("captured", sum(&|k| k != "refund" && k != "tip"), figure("captured"))?;
    same("refunded", sum(&|k| k == "refund"), figure("refunded"))?;
    same("tip", sum(&|k| k == "tip"), figure("tip_charged"))?;
    same("net paid", cents(&b["netPaid"]), figure("net_kept"))?;
    if figure("tip_charged") > 0 {
        same("tip is paid", &b["tip"]["isPaid"], &json!(true))?;
    }
    books_balance(&life).await
}

/// Ledger over HTTP, gateway against ledger, and a queue that came to rest.
async fn books_balance(life: &Life<'_, impl House>) -> Result<(), String> {
    let (house, case) = (life.people.house, life.case);
    let net = case.output["net_kept"].as_i64().unwrap() + case.output["tip_charged"].as_i64().unwrap();
    let ledger = life.people.get(OPS, &format!("/api/bookings/{}/ledger", life.id)).await.expect(200).body;
    let mut at_gateway = 0;
    for entry in ledger["data"].as_array().unwrap() {
        let lines = entry["lines"].as_array().unwrap();
        same("an entry of the ledger", lines.iter().map(|l| cents(&l["amount"])).sum::<i64>(), 0)?;
        at_gateway += lines.iter().filter(|l| l["account"] == "gateway").map(|l| cents(&l["amount"])).sum::<i64>();
    }
    same("ledger", at_gateway, net)?;
    let compared = house.reconcile(case.booked_at - Duration::days(1), case.move_at + Duration::days(60)).await?;
    same("transactions compared", compared > 0, !case.money().is_empty())?;
    same("jobs due and dead", house.jobs().await, (0, 0))
}
