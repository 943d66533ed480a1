//! `GET transactions`: what the simulator has really done, for tests and the curious.

use serde_json::{Value, json};

use super::records::{Payment, legacy_id};
use super::state::{State, TRANSACTION, global_id};
use super::{SimReply, Simulator, render};

/// Query parameters; values are ids and order ids, percent-decoded.
fn parameter(query: &str, name: &str) -> Option<String> {
    let pair = query.split('&').filter_map(|p| p.split_once('=')).find(|(key, _)| *key == name);
    pair.map(|(_, value)| decode(value)).filter(|v| !v.is_empty())
}

fn decode(value: &str) -> String {
    let mut bytes = Vec::with_capacity(value.len());
    let mut rest = value.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        let hex = tail.get(..2).and_then(|h| std::str::from_utf8(h).ok()).and_then(|h| u8::from_str_radix(h, 16).ok());
        match (first, hex) {
            (b'%', Some(byte)) => {
                bytes.push(byte);
                rest = tail.get(2..).unwrap_or_default();
            }
            (b'+', _) => {
                bytes.push(b' ');
                rest = tail;
            }
            (other, _) => {
                bytes.push(*other);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

impl Simulator {
    /// `GET transactions?orderId=&customerId=&page=&per_page=`, oldest first. Without `per_page`
    /// everything is on one page. A rejected duplicate did nothing and is left out.
    pub(super) fn transactions(&self, query: &str) -> SimReply {
        let order = parameter(query, "orderId");
        let customer = parameter(query, "customerId");
        let number = |name: &str| match parameter(query, name) {
            None => Ok(None),
            Some(text) => text.parse::<usize>().ok().filter(|n| *n > 0).map(Some).ok_or(()),
        };
        let (Ok(page), Ok(per_page)) = (number("page"), number("per_page")) else {
            return SimReply::problem(400, "invalid", "page and per_page are whole numbers from 1");
        };
        let (now, core) = (self.now(), self.core());
        let state = &core.state;
        let matching: Vec<&Payment> = state
            .payments()
            .rev()
            .filter(|p| p.decline.as_ref().is_none_or(|d| d.duplicate_of.is_none()))
            .filter(|p| order.as_deref().is_none_or(|o| p.order_id.as_deref() == Some(o)))
            .filter(|p| customer.as_deref().is_none_or(|c| belongs_to(state, p, c)))
            .collect();
        let total = matching.len();
        let size = per_page.unwrap_or_else(|| total.max(1));
        let page = page.unwrap_or(1);
        let skipped = (page - 1).saturating_mul(size);
        let data: Vec<Value> = matching.into_iter().skip(skipped).take(size).map(|p| row(state, now, p)).collect();
        SimReply::json(200, &json!({ "data": data, "total": total, "page": page, "perPage": size }))
    }
}

/// The customer may be named by the gateway's ids, Portage's own, or the e-mail address.
fn belongs_to(state: &State, payment: &Payment, wanted: &str) -> bool {
    let Some(customer) = payment.customer.as_deref().and_then(|c| state.customer(c)) else { return false };
    wanted == render::customer_id(customer)
        || wanted == legacy_id(customer.seq)
        || customer.user_ref.as_deref() == Some(wanted)
        || customer.email.as_deref() == Some(wanted)
}

fn row(state: &State, now: chrono::DateTime<chrono::Utc>, payment: &Payment) -> Value {
    let customer = payment.customer.as_deref().and_then(|c| state.customer(c));
    let status = match payment.status(now) {
        "SUBMITTED_FOR_SETTLEMENT" => "captured",
        "SETTLED" => "settled",
        "VOIDED" => "voided",
        "SETTLEMENT_DECLINED" => "settlement_declined",
        _ => "declined",
    };
    let mut row = json!({
        "id": render::payment_id(payment),
        "legacyId": payment.legacy_id(),
        "orderId": payment.order_id,
        "customerId": customer.map(render::customer_id),
        "userRef": customer.and_then(|c| c.user_ref.clone()),
        "kind": if payment.is_refund() { "refund" } else { "charge" },
        "amount": payment.amount,
        "currency": payment.currency,
        "status": status,
        "createdAt": render::instant(payment.at),
        "history": render::steps(state, now, payment),
    });
    let dispute = payment.dispute(now);
    if let Some(last) = dispute.last() {
        row["dispute"] = json!({ "state": last.state, "at": render::instant(last.at) });
    }
    if let Some(decline) = &payment.decline {
        row["code"] = decline.code.clone().or_else(|| decline.reason.clone()).into();
    }
    if let Some(of) = &payment.refund_of {
        row["refundedTransactionId"] = global_id(TRANSACTION, of).into();
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_decoded() {
        assert_eq!(parameter("a=1&orderId=bk%2D1%20x", "orderId").as_deref(), Some("bk-1 x"));
        assert_eq!(parameter("orderId=%zz%", "orderId").as_deref(), Some("%zz%"));
        assert_eq!(parameter("orderId=", "orderId"), None);
        assert_eq!(parameter("", "orderId"), None);
    }
}
