//! The gateway's answers in the port's words.

use chrono::NaiveDate;
use kernel::Money;
use service::ports::{
    disputes::DisputeState,
    payments::{
        CardDetails, ChargeOutcome, ChargeRequest, DISPUTE_LOST, DISPUTE_OPEN, DISPUTE_WON, GatewayDispute,
        GatewayError, GatewayKind, GatewayStatus, GatewayTransaction, WITHOUT_ORDER,
    },
};

use crate::decline;
use crate::wire::{CardNode, DisputeNode, PaymentNode};

pub(crate) fn rejected(message: &str) -> GatewayError {
    GatewayError::Rejected { code: None, message: message.to_owned() }
}

pub(crate) fn is_paid(node: &PaymentNode) -> bool {
    let status = decline::status(node.status.as_deref().unwrap_or_default());
    matches!(status, GatewayStatus::Captured | GatewayStatus::Settled)
}

pub(crate) fn is_refund(node: &PaymentNode) -> bool {
    node.typename.as_deref() == Some("Refund") || node.refunded_transaction.is_some()
}

/// Is the original of a rejected duplicate the very charge that was asked for?
pub(crate) fn is_ours(original: &PaymentNode, request: &ChargeRequest) -> bool {
    original.order_id.as_deref() == Some(request.order_id.as_str())
        && original.amount.as_ref().and_then(|a| a.canadian()) == Some(request.amount)
        && is_paid(original)
}

pub(crate) fn captured(node: &PaymentNode) -> ChargeOutcome {
    ChargeOutcome::Captured { transaction_id: node.id.clone(), legacy_id: node.legacy_id.clone() }
}

pub(crate) fn declined(node: &PaymentNode) -> ChargeOutcome {
    let decline = decline::of_payment(node);
    ChargeOutcome::Declined {
        hard: decline.hard,
        code: decline.code,
        message: decline.message,
        transaction_id: Some(node.id.clone()),
    }
}

/// Under which it is listed and found: whoever takes money outside of Portage may give no order id.
fn order_of(node: &PaymentNode) -> String {
    let given = node.order_id.as_deref().filter(|order| !order.is_empty());
    given.map_or_else(|| format!("{WITHOUT_ORDER}{}", node.id), str::to_owned)
}

/// A payment as the port's transaction; `None` for a rejected duplicate, which moved nothing.
pub(crate) fn to_transaction(node: &PaymentNode) -> Option<Result<GatewayTransaction, GatewayError>> {
    if decline::is_duplicate(node) {
        return None;
    }
    let status = decline::status(node.status.as_deref().unwrap_or_default());
    let Some(amount) = node.amount.as_ref().and_then(|a| a.canadian()) else {
        let why = format!("transaction {} is not in Canadian dollars", node.id);
        return Some(Err(GatewayError::Misconfigured(why)));
    };
    let Some(created_at) = node.created_at else {
        return Some(Err(GatewayError::Unavailable(format!("transaction {} has no date", node.id))));
    };
    let decline = (status == GatewayStatus::Declined).then(|| decline::of_payment(node));
    let kind = match &node.refunded_transaction {
        Some(of) => GatewayKind::Refund { of: of.id.clone() },
        None if is_refund(node) => GatewayKind::Refund { of: String::new() },
        None => GatewayKind::Charge,
    };
    Some(Ok(GatewayTransaction {
        id: node.id.clone(),
        order_id: order_of(node),
        amount,
        kind,
        status,
        created_at,
        declined_hard: decline.as_ref().map(|d| d.hard),
        code: decline.map(|d| d.code).or_else(|| disputed(node).map(str::to_owned)),
    }))
}

/// Where a dispute stands. Until it is decided the gateway holds the money, and nobody knows whose it is; what was not
/// answered in time is lost.
fn standing(d: &DisputeNode) -> DisputeState {
    match d.status.as_deref() {
        Some("LOST" | "ACCEPTED" | "AUTO_ACCEPTED" | "EXPIRED") => DisputeState::Lost,
        Some("WON") => DisputeState::Won,
        _ => DisputeState::Opened,
    }
}

/// Of several disputes of one charge: lost money wins over what is open, and that over what came back.
fn disputed(node: &PaymentNode) -> Option<&'static str> {
    let of = |state| node.disputes.iter().flatten().any(|d| standing(d) == state);
    [(DisputeState::Lost, DISPUTE_LOST), (DisputeState::Opened, DISPUTE_OPEN), (DisputeState::Won, DISPUTE_WON)]
        .into_iter()
        .find_map(|(state, code)| of(state).then_some(code))
}

/// The disputes of a charge as the port shows them. One over nothing, as a question of the bank is, moves no money.
pub(crate) fn disputes(node: &PaymentNode) -> impl Iterator<Item = GatewayDispute> {
    let whole = node.amount.as_ref().and_then(|a| a.canadian());
    node.disputes.iter().flatten().filter_map(move |d| {
        let reason = d.processor_response.as_ref().and_then(|r| r.reason.as_deref()).map(str::to_lowercase);
        let end = |day: NaiveDate| Some(day.succ_opt()?.and_hms_opt(0, 0, 0)?.and_utc());
        Some(GatewayDispute {
            id: d.id.clone()?,
            transaction_id: node.id.clone(),
            state: standing(d),
            amount: d.amount_disputed.as_ref().map_or(whole, |a| a.canadian()).filter(|a| a.is_positive())?,
            reason: reason.unwrap_or_default(),
            case_number: d.case_number.clone(),
            // The whole day counts.
            reply_by: d.reply_by_date.and_then(end),
        })
    })
}

pub(crate) fn card(method_id: &str, node: &CardNode) -> CardDetails {
    let text = |t: &Option<String>| t.clone().unwrap_or_default();
    CardDetails {
        // The enum has every brand in both cases.
        brand: text(&node.brand_code).to_lowercase(),
        last4: text(&node.last4),
        expiry: format!("{}/{}", text(&node.expiration_month), text(&node.expiration_year)),
        method_id: method_id.to_owned(),
        fingerprint: node.unique_number_identifier.clone(),
    }
}

/// Refusals of a card or its nonce that the customer can act on, as opposed to a wrong request of ours.
pub(crate) fn is_about_the_card(code: Option<&str>) -> bool {
    match code {
        None => true,
        Some("91564" | "91565" | "91566" | "93107" | "93108" | "93109" | "81724" | "81763" | "91617") => true,
        // 817xx: number, expiry, CVV and postal code of the card.
        Some(code) => code.len() == 5 && code.starts_with("817"),
    }
}

/// What the gateway would refuse anyway, refused before it is asked.
pub(crate) fn check_money(order_id: &str, amount: Money) -> Result<(), GatewayError> {
    if !amount.is_positive() {
        return Err(GatewayError::Rejected {
            code: Some("81531".to_owned()),
            message: "the amount must be greater than zero".to_owned(),
        });
    }
    if order_id.is_empty() || order_id.chars().count() > 255 {
        return Err(GatewayError::Rejected {
            code: Some("91501".to_owned()),
            message: "the order id must have 1 to 255 characters".to_owned(),
        });
    }
    Ok(())
}
