//! What the policy's own words (two charges, three windows) make of a booking: computed here once
//! more, from hours and per cents alone.

use kernel::chrono::{DateTime, Duration, Utc};
use serde_json::{Value, json};

use super::case::{Case, cents, dollars, stamp};

struct Terms {
    free_until: DateTime<Utc>,
    locked_from: DateTime<Utc>,
    lead: Duration,
    /// A fifth, half a cent upwards.
    deposit: i64,
}

fn terms(case: &Case<'_>) -> Terms {
    Terms {
        free_until: case.booked_at + Duration::hours(24),
        locked_from: case.move_at - Duration::hours(48),
        lead: case.move_at - case.booked_at,
        deposit: (case.total() * 2 + 5) / 10,
    }
}

/// The dated charges.
pub fn charges(case: &Case<'_>) -> Value {
    let (t, total) = (terms(case), case.total());
    let charge = |kind: &str, at: DateTime<Utc>, amount: i64| json!({ "kind": kind, "dueAt": stamp(at), "amount": dollars(amount) });
    if t.lead <= Duration::hours(48) {
        json!([charge("full", case.booked_at, total)])
    } else if t.lead <= Duration::hours(72) {
        json!([charge("full", t.locked_from, total)])
    } else {
        json!([charge("deposit", t.free_until, t.deposit), charge("balance", t.locked_from, total - t.deposit)])
    }
}

/// What a cancellation keeps, when.
pub fn windows(case: &Case<'_>) -> Value {
    let (t, total) = (terms(case), case.total());
    let window = |from: DateTime<Utc>, until: Option<DateTime<Utc>>, inclusive: bool, kept: i64| json!({ "from": stamp(from), "until": until.map(stamp), "untilInclusive": inclusive, "kept": dollars(kept) });
    let full = |from| window(from, None, false, total);
    if t.lead <= Duration::hours(48) {
        json!([full(case.booked_at)])
    } else if t.free_until >= t.locked_from {
        // The 48-hour rule wins over the 24-hour rule, at the very instant too.
        json!([window(case.booked_at, Some(t.locked_from), false, 0), full(t.locked_from)])
    } else {
        json!([
            window(case.booked_at, Some(t.free_until), true, 0),
            window(t.free_until, Some(t.locked_from), false, t.deposit),
            full(t.locked_from)
        ])
    }
}

/// Where nothing came in between, the charges that the model really made are those of the plan, and
/// what a cancellation kept is what its window says.
pub fn agrees_with_the_model(case: &Case<'_>, plan: &Value) {
    let events = case.events();
    let money = case.money();
    let calm = !money.iter().any(|(_, action, _)| action.starts_with("decline")) && case.input["tip"].is_null();
    let untouched = events.iter().all(|(_, e)| matches!(e["type"].as_str(), Some("assign" | "complete")));
    if calm && untouched {
        let planned = plan["charges"].as_array().unwrap().iter().map(|c| {
            (
                c["dueAt"].as_str().unwrap().to_owned(),
                format!("charge:{}", c["kind"].as_str().unwrap()),
                cents(&c["amount"]),
            )
        });
        assert_eq!(money, planned.collect::<Vec<_>>());
    }
    let [(at, only)] = events.as_slice() else { return };
    if only["type"] == "cancel" && only["by"].is_null() {
        let inside = |w: &&Value| {
            let edge = |name: &str| w[name].as_str().map(|s| s.parse::<DateTime<Utc>>().unwrap());
            let (from, until) = (edge("from").unwrap(), edge("until"));
            // A window begins after the last instant of an inclusive one: the first match decides.
            from <= *at && until.is_none_or(|u| *at < u || (*at == u && w["untilInclusive"] == true))
        };
        let window = plan["cancellation"].as_array().unwrap().iter().find(inside).unwrap();
        assert_eq!(cents(&window["kept"]), case.output["net_kept"].as_i64().unwrap(), "{}", case.output);
    }
}
