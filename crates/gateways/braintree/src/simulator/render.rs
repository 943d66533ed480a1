//! Records as the objects of the schema, each with its `__typename`.

use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use serde_json::{Value, json};

use super::records::{Customer, Decline, Method, Payment, legacy_id};
use super::state::{CUSTOMER, METHOD, REFUND, State, TRANSACTION, global_id, read_id};

/// How long the bank waits for an answer.
const ANSWERED_WITHIN: TimeDelta = TimeDelta::days(10);

pub(super) fn instant(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Micros, true)
}

/// Anything by its global id.
pub(super) fn node(state: &State, now: DateTime<Utc>, id: &str) -> Option<Value> {
    let (kind, legacy) = read_id(id)?;
    match kind {
        CUSTOMER => state.customer(&legacy).map(customer),
        METHOD => state.method(&legacy).map(|m| method(state, m)),
        _ => state.payment(&legacy).filter(|p| payment_id(p) == id).map(|p| payment(state, now, p)),
    }
}

pub(super) fn customer_id(customer: &Customer) -> String {
    global_id(CUSTOMER, &legacy_id(customer.seq))
}

pub(super) fn payment_id(payment: &Payment) -> String {
    global_id(if payment.is_refund() { REFUND } else { TRANSACTION }, &payment.legacy_id())
}

pub(super) fn customer(customer: &Customer) -> Value {
    json!({
        "__typename": "Customer",
        "id": customer_id(customer),
        "legacyId": legacy_id(customer.seq),
        "createdAt": instant(customer.at),
        "email": customer.email,
        "firstName": customer.first_name,
        "lastName": customer.last_name,
        "phoneNumber": customer.phone,
    })
}

pub(super) fn method(state: &State, method: &Method) -> Value {
    let legacy = legacy_id(method.seq);
    let card = &method.card;
    json!({
        "__typename": "PaymentMethod",
        "id": global_id(METHOD, &legacy),
        "legacyId": legacy,
        "usage": "MULTI_USE",
        "createdAt": instant(method.at),
        "customer": state.customer(&method.customer).map(customer),
        "details": {
            "__typename": "CreditCardDetails",
            "brandCode": card.brand,
            "last4": card.last4,
            "expirationMonth": card.month,
            "expirationYear": card.year,
            "uniqueNumberIdentifier": card.fingerprint,
        },
    })
}

/// The verification of a card.
pub(super) fn verification(seq: u64, now: DateTime<Utc>, check: Option<&Decline>) -> Value {
    let legacy = format!("v{}", legacy_id(seq));
    json!({
        "__typename": "Verification",
        "id": global_id("verification", &legacy),
        "legacyId": legacy,
        "createdAt": instant(now),
        "status": check.map_or("VERIFIED", |d| d.status.as_str()),
        "gatewayRejectionReason": check.and_then(|d| d.reason.as_deref()),
        "processorResponse": match check {
            Some(decline) => decline.code.as_ref().map(|_| response("VerificationProcessorResponse", decline)),
            None => Some(approved("VerificationProcessorResponse")),
        },
    })
}

fn response(type_name: &str, decline: &Decline) -> Value {
    json!({ "__typename": type_name, "legacyCode": decline.code, "message": decline.message })
}

fn approved(type_name: &str) -> Value {
    json!({ "__typename": type_name, "legacyCode": "1000", "message": "Approved" })
}

fn money(payment: &Payment) -> Value {
    json!({ "__typename": "MonetaryAmount", "value": payment.amount, "currencyCode": payment.currency })
}

/// A `Transaction` or `Refund` with what hangs on it.
pub(super) fn payment(state: &State, now: DateTime<Utc>, payment: &Payment) -> Value {
    let mut value = brief(now, payment);
    value["statusHistory"] = history(state, now, payment).into();
    if let Some(of) = &payment.refund_of {
        value["refundedTransaction"] = state.payment(of).map(|p| brief(now, p)).into();
    } else {
        value["customer"] = payment.customer.as_deref().and_then(|c| state.customer(c)).map(customer).into();
        value["paymentMethod"] =
            payment.method.as_deref().and_then(|m| state.method(m)).map(|m| method(state, m)).into();
        let refunds: Vec<Value> = state.refunds_of(&payment.legacy_id()).into_iter().map(|r| brief(now, r)).collect();
        value["refunds"] = refunds.into();
        let dispute = payment.dispute(now);
        value["disputes"] = match dispute.last() {
            Some(last) => {
                let opened = dispute.first().map_or(last.at, |first| first.at);
                json!([{
                    "__typename": "Dispute",
                    "id": global_id("dispute", &payment.legacy_id()),
                    "status": last.state.graphql(),
                    "caseNumber": format!("CASE-{}", payment.legacy_id()),
                    "replyByDate": (opened + ANSWERED_WITHIN).date_naive(),
                    "amountDisputed": money(payment),
                    "processorResponse": {
                        "__typename": "DisputeProcessorResponse",
                        "reason": "PRODUCT_UNSATISFACTORY",
                    },
                }])
            }
            None => json!([]),
        };
    }
    value
}

/// The fields of the interface `Payment`, without history or relations.
fn brief(now: DateTime<Utc>, payment: &Payment) -> Value {
    json!({
        "__typename": if payment.is_refund() { "Refund" } else { "Transaction" },
        "id": payment_id(payment),
        "legacyId": payment.legacy_id(),
        "createdAt": instant(payment.at),
        "amount": money(payment),
        "orderId": payment.order_id,
        "status": payment.status(now),
        "merchantAccountId": payment.merchant_account,
    })
}

/// Every status it went through and when, oldest first.
pub(super) fn steps(state: &State, now: DateTime<Utc>, payment: &Payment) -> Vec<Value> {
    let events = history(state, now, payment);
    events.iter().rev().map(|e| json!({ "status": e["status"], "at": e["timestamp"] })).collect()
}

/// `statusHistory`, newest first.
fn history(state: &State, now: DateTime<Utc>, payment: &Payment) -> Vec<Value> {
    let event = |type_name: &str, status: &str, at: DateTime<Utc>, terminal: bool| {
        json!({
            "__typename": type_name, "status": status, "timestamp": instant(at),
            "amount": money(payment), "terminal": terminal,
        })
    };
    if let Some(decline) = &payment.decline {
        let (type_name, terminal) = match decline.status.as_str() {
            "GATEWAY_REJECTED" => ("GatewayRejectedEvent", true),
            "FAILED" => ("FailedEvent", true),
            _ => ("ProcessorDeclinedEvent", true),
        };
        let mut refused = event(type_name, &decline.status, payment.at, terminal);
        refused["declineType"] = decline.kind.clone().into();
        refused["gatewayRejectionReason"] = decline.reason.clone().into();
        if decline.code.is_some() {
            refused["processorResponse"] = response("TransactionAuthorizationProcessorResponse", decline);
        }
        let original = decline.duplicate_of.as_deref().and_then(|legacy| state.payment(legacy));
        refused["duplicateOf"] = original.map(|p| brief(now, p)).into();
        return vec![refused];
    }
    let mut authorized = event("AuthorizedEvent", "AUTHORIZED", payment.at, false);
    authorized["authorizationExpiresAt"] = instant(payment.at + TimeDelta::days(7)).into();
    authorized["processorResponse"] = approved("TransactionAuthorizationProcessorResponse");
    let submitted = event("SubmittedForSettlementEvent", "SUBMITTED_FOR_SETTLEMENT", payment.at, false);
    let mut events = vec![submitted, authorized];
    let last = match payment.status(now) {
        "VOIDED" => Some(event("VoidedEvent", "VOIDED", payment.voided_at.unwrap_or(now), true)),
        "SETTLED" => Some(event("SettledEvent", "SETTLED", payment.settles_at(), true)),
        "SETTLEMENT_DECLINED" => {
            let mut declined = event("SettlementDeclinedEvent", "SETTLEMENT_DECLINED", payment.settles_at(), true);
            declined["processorResponse"] = json!({
                "__typename": "TransactionSettlementProcessorResponse",
                "legacyCode": "4001", "message": "Settlement Declined",
            });
            Some(declined)
        }
        _ => None,
    };
    events.splice(0..0, last);
    events
}
