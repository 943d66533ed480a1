//! `search`: filters and forward paging, newest first.

use base64::{Engine as _, engine::general_purpose::STANDARD_NO_PAD};
use chrono::{DateTime, Utc};
use serde_json::{Value, json};

use super::records::{Customer, Payment};
use super::render;
use super::state::State;

/// Most entries a page has, whatever `first` says.
const LARGEST_PAGE: u64 = 50;

/// The connection a field of `Search` answers; `None` for a field that does not exist. Payments that
/// are `hidden` (by their number) are not found.
pub(super) fn connection(
    state: &State,
    now: DateTime<Utc>,
    field: &str,
    arguments: &Value,
    hidden: &dyn Fn(u64) -> bool,
) -> Option<Value> {
    let input = &arguments["input"];
    // A list of many pages would render everything before each of them again.
    let before = start(arguments);
    let (type_name, edges): (&str, Box<dyn Iterator<Item = (u64, Value)> + '_>) = match field {
        "payments" | "transactions" | "refunds" => {
            let wanted = move |p: &&Payment| match field {
                _ if hidden(p.seq) => false,
                "transactions" => !p.is_refund(),
                "refunds" => p.is_refund(),
                _ => true,
            };
            let rendered = move |p: &Payment| (p.seq, render::payment(state, now, p));
            let matching = move |p: &&Payment| p.seq < before && wanted(p) && payment_matches(input, p);
            // A search by order id is the one asked most, and asked while somebody waits.
            let edges: Box<dyn Iterator<Item = (u64, Value)> + '_> = match input["orderId"]["is"].as_str() {
                Some(order) => Box::new(state.payments_of_order(order).into_iter().filter(matching).map(rendered)),
                None => Box::new(state.payments_before(before).filter(matching).map(rendered)),
            };
            let type_name = match field {
                "transactions" => "TransactionConnection",
                "refunds" => "RefundConnection",
                _ => "PaymentConnection",
            };
            (type_name, edges)
        }
        "customers" => {
            let found = state.customers().filter(|c| customer_matches(input, c));
            ("CustomerConnection", Box::new(found.map(|c| (c.seq, render::customer(c)))))
        }
        _ => return None,
    };
    Some(page(type_name, edges, arguments))
}

fn cursor(seq: u64) -> String {
    STANDARD_NO_PAD.encode(format!("before:{seq}"))
}

fn read_cursor(cursor: &str) -> Option<u64> {
    let text = String::from_utf8(STANDARD_NO_PAD.decode(cursor).ok()?).ok()?;
    text.strip_prefix("before:")?.parse().ok()
}

/// Only what is older than this is on the page.
fn start(arguments: &Value) -> u64 {
    arguments["after"].as_str().and_then(read_cursor).unwrap_or(u64::MAX)
}

fn page(type_name: &str, edges: impl Iterator<Item = (u64, Value)>, arguments: &Value) -> Value {
    let first = arguments["first"].as_u64().unwrap_or(LARGEST_PAGE).clamp(1, LARGEST_PAGE);
    let before = start(arguments);
    let mut rest = edges.filter(|(seq, _)| *seq < before);
    let page: Vec<(u64, Value)> = rest.by_ref().take(usize::try_from(first).unwrap_or(usize::MAX)).collect();
    let more = rest.next().is_some();
    let edge_type = format!("{type_name}Edge");
    let cursor_of = |edge: Option<&(u64, Value)>| edge.map(|(seq, _)| cursor(*seq));
    let info = json!({
        "__typename": "PageInfo",
        "hasNextPage": more,
        // There is no backward paging.
        "hasPreviousPage": false,
        "startCursor": cursor_of(page.first()),
        "endCursor": cursor_of(page.last()),
    });
    let edges: Vec<Value> = page
        .into_iter()
        .map(|(seq, node)| json!({ "__typename": edge_type, "cursor": cursor(seq), "node": node }))
        .collect();
    json!({ "__typename": type_name, "edges": edges, "pageInfo": info })
}

fn payment_matches(input: &Value, payment: &Payment) -> bool {
    // Ids are formatted only where the search names one.
    let named =
        |wanted: &Value| wanted.is_null() || one_of(wanted, &[&render::payment_id(payment), &payment.legacy_id()]);
    named(&input["id"])
        && text(&input["orderId"], payment.order_id.as_deref())
        && text(&input["merchantAccountId"], payment.merchant_account.as_deref())
        && between(&input["createdAt"], payment.at)
}

fn customer_matches(input: &Value, customer: &Customer) -> bool {
    one_of(&input["id"], &[&render::customer_id(customer)])
        && text(&input["email"], customer.email.as_deref())
        && text(&input["firstName"], customer.first_name.as_deref())
        && text(&input["lastName"], customer.last_name.as_deref())
        && text(&input["phoneNumber"], customer.phone.as_deref())
        && between(&input["createdAt"], customer.at)
}

/// `SearchValueInput`: any of the spellings of one thing.
fn one_of(condition: &Value, ids: &[&str]) -> bool {
    let is = condition["is"].as_str().is_none_or(|wanted| ids.contains(&wanted));
    let listed =
        condition["in"].as_array().is_none_or(|l| l.iter().any(|w| w.as_str().is_some_and(|w| ids.contains(&w))));
    is && listed
}

/// `SearchTextInput`.
fn text(condition: &Value, value: Option<&str>) -> bool {
    let value = value.unwrap_or_default();
    let holds = |name: &str, test: &dyn Fn(&str) -> bool| condition[name].as_str().is_none_or(test);
    holds("is", &|w| value == w)
        && holds("isNot", &|w| value != w)
        && holds("startsWith", &|w| value.starts_with(w))
        && holds("endsWith", &|w| value.ends_with(w))
        && holds("contains", &|w| value.contains(w))
        && condition["in"].as_array().is_none_or(|l| l.iter().any(|w| w.as_str() == Some(value)))
}

/// `SearchTimestampInput`; a bound that is no instant matches nothing.
fn between(condition: &Value, at: DateTime<Utc>) -> bool {
    let bound = |name: &str, test: &dyn Fn(DateTime<Utc>) -> bool| {
        condition[name].as_str().is_none_or(|text| text.parse::<DateTime<Utc>>().is_ok_and(test))
    };
    bound("greaterThanOrEqualTo", &|from| at >= from) && bound("lessThanOrEqualTo", &|until| at <= until)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::records::Event;
    use super::*;

    #[test]
    fn text_conditions() {
        for (condition, matches) in [
            (json!(null), true),
            (json!({}), true),
            (json!({ "is": "bk-1" }), true),
            (json!({ "is": "bk-2" }), false),
            (json!({ "isNot": "bk-1" }), false),
            (json!({ "startsWith": "bk", "endsWith": "1", "contains": "-" }), true),
            (json!({ "startsWith": "x" }), false),
            (json!({ "in": ["a", "bk-1"] }), true),
            (json!({ "in": [] }), false),
        ] {
            assert_eq!(text(&condition, Some("bk-1")), matches, "{condition}");
        }
    }

    #[test]
    fn times_include_both_bounds() {
        let at = DateTime::UNIX_EPOCH;
        let condition = |from: &str, until: &str| json!({ "greaterThanOrEqualTo": from, "lessThanOrEqualTo": until });
        assert!(between(&condition("1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z"), at));
        assert!(!between(&condition("1970-01-01T00:00:01Z", "1970-01-02T00:00:00Z"), at));
        assert!(!between(&json!({ "lessThanOrEqualTo": "yesterday" }), at));
    }

    fn charge(seq: u64) -> Payment {
        Payment {
            seq,
            refund_of: None,
            order_id: Some(format!("bk-{seq}")),
            customer: None,
            method: None,
            amount: kernel::Money::from_cents(100),
            currency: "CAD".to_owned(),
            merchant_account: None,
            at: DateTime::UNIX_EPOCH,
            decline: None,
            request_key: None,
            voided_at: None,
            settled: None,
            fate: None,
            disputes: Vec::new(),
        }
    }

    /// As long as the list is: what a page looks at is the page, and one more to know whether there is another.
    #[test]
    fn a_page_does_not_look_at_those_before_it() {
        let mut state = State::default();
        for seq in 1..=200 {
            state.apply(Event::Payment(Box::new(charge(seq))));
        }
        let mut after = Value::Null;
        for page in 0..4 {
            let looked_at = std::cell::Cell::new(0);
            let look = |_: u64| {
                looked_at.set(looked_at.get() + 1);
                false
            };
            let arguments = json!({ "input": {}, "first": 50, "after": after });
            let found = connection(&state, DateTime::UNIX_EPOCH, "payments", &arguments, &look).unwrap();
            assert_eq!(found["edges"].as_array().map(Vec::len), Some(50));
            assert_eq!(found["edges"][0]["node"]["orderId"], format!("bk-{}", 200 - page * 50));
            assert_eq!(looked_at.get(), if page < 3 { 51 } else { 50 });
            after = found["pageInfo"]["endCursor"].clone();
        }
    }

    #[test]
    fn pages_follow_one_another() {
        let all = || (1..=120u64).rev().map(|seq| (seq, json!(seq)));
        let mut after = Value::Null;
        let mut seen = Vec::new();
        for _ in 0..3 {
            let page = page("C", all(), &json!({ "first": 1_000, "after": after }));
            let edges = page["edges"].as_array().cloned().unwrap_or_default();
            seen.extend(edges.iter().filter_map(|e| e["node"].as_u64()));
            assert_eq!(page["pageInfo"]["hasNextPage"], seen.len() < 120);
            after = page["pageInfo"]["endCursor"].clone();
        }
        assert_eq!(seen, (1..=120).rev().collect::<Vec<_>>());
    }
}
