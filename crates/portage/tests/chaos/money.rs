//! What staff do about money by hand: refunds, goodwill, cash and transfers, handing back and taking out.

use kernel::Money;
use serde_json::{Value, json};

fn cents(v: &Value) -> u64 {
    let amount = v.as_str().and_then(|t| t.parse::<Money>().ok()).unwrap_or_default();
    u64::try_from(amount.cents()).unwrap_or(0)
}

/// One press of staff.
pub struct Deed {
    /// For figures.
    pub what: &'static str,
    /// The call.
    pub path: String,
    /// What is sent; the key is in it, so that it can be found again.
    pub body: Value,
    /// It stands there afterwards under its key, once.
    pub stays: bool,
}

/// Some deed about the money of booking `id`, whose payments answered `money`.
pub fn choose(money: &Value, id: &str, key: &str, up_to: &mut dyn FnMut(u64) -> u64) -> Deed {
    let rows = money["data"].as_array().map_or(&[][..], Vec::as_slice);
    let hand = |refund: bool, state: &str| {
        let wanted = |r: &&Value| r["method"] != "card" && (r["kind"] == "refund") == refund && r["state"] == state;
        rows.iter().find(wanted).and_then(|r| r["id"].as_str()).map(str::to_owned)
    };
    if let Some(refund) = hand(true, "scheduled") {
        let body = json!({ "reference": key });
        return Deed { what: "handed over", path: format!("/api/payments/{refund}/handed-over"), body, stays: false };
    }
    let kind = up_to(5);
    // Sometimes a little more than there is, which must be refused.
    let mut some = |most: &Value| Money::from_cents(i64::try_from(1 + up_to(cents(most) + 3)).unwrap());
    match (kind, hand(false, "settled")) {
        (0 | 1, _) => {
            let what = if kind == 0 { "refund" } else { "goodwill" };
            let body = json!({ "kind": what, "amount": some(&money["most"][what]), "reason": key });
            Deed { what, path: format!("/api/bookings/{id}/refunds"), body, stays: true }
        }
        (2, Some(charge)) => {
            let body = json!({ "reason": key });
            Deed { what: "undone", path: format!("/api/payments/{charge}/undo"), body, stays: false }
        }
        _ => {
            let method = if kind == 3 { "cash" } else { "etransfer" };
            let body = json!({ "method": method, "amount": some(&money["owed"]), "reference": key });
            Deed { what: "received", path: format!("/api/bookings/{id}/payments"), body, stays: true }
        }
    }
}

/// What staff did about the money of a booking, as its payments say.
pub struct ByHand {
    /// What of the price, or of what a cancellation kept, was given back; cents.
    pub credited: i64,
    /// What lies in the till and the bank; cents.
    pub held: i64,
    /// What of that waits to be handed back; cents.
    pub waits: i64,
    /// The keys of its deeds, once each time they stand there.
    pub keys: Vec<String>,
}

impl ByHand {
    /// Of the answer of `GET /bookings/{id}/payments`.
    pub fn of(money: &Value) -> ByHand {
        let sum = |wanted: &dyn Fn(&Value) -> bool| -> i64 {
            let rows = money["data"].as_array().into_iter().flatten().filter(|r| r["method"] != "card" && wanted(r));
            rows.map(|r| i64::try_from(cents(&r["amount"])).unwrap()).sum()
        };
        let went = |r: &Value| r["kind"] == "refund" && r["state"] == "settled";
        let reasons = money["credits"].as_array().into_iter().flatten().map(|c| &c["reason"]);
        let rows = money["data"].as_array().into_iter().flatten();
        let references = rows.filter(|r| r["kind"] != "refund").map(|r| &r["reference"]);
        ByHand {
            credited: i64::try_from(cents(&money["credited"])).unwrap(),
            held: sum(&|r| r["kind"] != "refund") - sum(&went),
            waits: sum(&|r| r["kind"] == "refund" && r["state"] == "scheduled"),
            keys: reasons.chain(references).filter_map(Value::as_str).map(str::to_owned).collect(),
        }
    }
}
