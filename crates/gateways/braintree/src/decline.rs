//! What a refusal means: may this card be tried again, and what did the gateway say?

use service::ports::payments::GatewayStatus;

use crate::wire::{PaymentNode, ProcessorResponse, StatusEvent, Verification};

/// A refusal by the processor or by the gateway's own rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Decline {
    /// True: never try this card again.
    pub hard: bool,
    /// Processor code such as `2001`, or the gateway's reason such as `FRAUD`.
    pub code: String,
    /// For people, in the gateway's words.
    pub message: String,
}

/// Portage's view of `PaymentStatus` (the payment rows of the booking's money).
pub(crate) fn status(raw: &str) -> GatewayStatus {
    match raw {
        "SUBMITTED_FOR_SETTLEMENT" | "SETTLING" | "SETTLEMENT_CONFIRMED" => GatewayStatus::Captured,
        "SETTLED" => GatewayStatus::Settled,
        "VOIDED" => GatewayStatus::Voided,
        "PROCESSOR_DECLINED" | "GATEWAY_REJECTED" | "FAILED" | "SETTLEMENT_DECLINED" | "AUTHORIZATION_EXPIRED" => {
            GatewayStatus::Declined
        }
        // AUTHORIZING, AUTHORIZED, SETTLEMENT_PENDING, and whatever a later version adds: not known to be paid.
        _ => GatewayStatus::Pending,
    }
}

/// Codes after which the same card must not be tried again (used when the gateway names no decline
/// type). Everything else in 2000-3000 may be tried again a few times: the retry ladder is short.
fn hard_code(code: &str) -> bool {
    matches!(
        code,
        "2004"
            | "2005"
            | "2006"
            | "2007"
            | "2009"
            | "2010"
            | "2012"
            | "2013"
            | "2014"
            | "2015"
            | "2017"
            | "2018"
            | "2019"
            | "2022"
            | "2041"
            | "2043"
            | "2044"
            | "2047"
            | "2053"
            | "2107"
            | "2108"
    )
}

/// Gateway rules that another attempt only makes worse. Fraud and address rules are soft: the next
/// attempt is judged anew.
fn hard_reason(reason: &str) -> bool {
    matches!(reason, "EXCESSIVE_RETRY" | "PAYMENT_METHOD_BLOCKED")
}

/// Mastercard's "do not try again" advice, which overrules a soft code.
fn advised_against(event: &StatusEvent) -> bool {
    let advice = event.merchant_advice_code_response.as_ref().and_then(|a| a.code.as_deref());
    matches!(advice, Some("03" | "21"))
}

fn spoken(response: Option<&ProcessorResponse>, otherwise: &str) -> String {
    response.and_then(|r| r.message.clone()).filter(|m| !m.is_empty()).unwrap_or_else(|| otherwise.to_owned())
}

fn code_of(response: Option<&ProcessorResponse>) -> Option<String> {
    response.and_then(|r| r.legacy_code.clone()).filter(|c| !c.is_empty())
}

/// The event that explains why this payment is declined: the newest with the payment's own status.
fn explaining(node: &PaymentNode) -> Option<&StatusEvent> {
    let history = node.status_history.as_deref().unwrap_or_default();
    history.iter().find(|e| e.status == node.status)
}

/// Why a declined payment was declined.
pub(crate) fn of_payment(node: &PaymentNode) -> Decline {
    let raw = node.status.clone().unwrap_or_default();
    let Some(event) = explaining(node) else {
        return Decline { hard: false, code: raw.clone(), message: raw };
    };
    let response = event.processor_response.as_ref();
    if let Some(reason) = &event.gateway_rejection_reason {
        let message = spoken(response, &format!("Gateway Rejected: {reason}"));
        return Decline { hard: hard_reason(reason), code: reason.clone(), message };
    }
    let code = code_of(response).unwrap_or_else(|| raw.clone());
    let hard = match event.decline_type.as_deref() {
        _ if advised_against(event) => true,
        Some(kind) => kind == "HARD",
        None => hard_code(&code),
    };
    Decline { hard, message: spoken(response, &raw), code }
}

/// The original behind a rejected duplicate, if this is one.
pub(crate) fn duplicate_of(node: &PaymentNode) -> Option<&PaymentNode> {
    explaining(node).filter(|_| is_duplicate(node)).and_then(|e| e.duplicate_of.as_deref())
}

/// Was this payment refused only because the same one had just been made? It moved nothing and
/// stands for its original.
pub(crate) fn is_duplicate(node: &PaymentNode) -> bool {
    node.status.as_deref() == Some("GATEWAY_REJECTED")
        && explaining(node).and_then(|e| e.gateway_rejection_reason.as_deref()) == Some("DUPLICATE")
}

/// Why a card failed its verification.
pub(crate) fn of_verification(verification: &Verification) -> Decline {
    let raw = verification.status.clone().unwrap_or_else(|| "FAILED".to_owned());
    let response = verification.processor_response.as_ref();
    if let Some(reason) = &verification.gateway_rejection_reason {
        let message = spoken(response, &format!("Gateway Rejected: {reason}"));
        return Decline { hard: hard_reason(reason), code: reason.clone(), message };
    }
    let code = code_of(response).unwrap_or_else(|| raw.clone());
    Decline { hard: hard_code(&code), message: spoken(response, &raw), code }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use serde_json::{Value, json};

    use super::*;

    fn declined(status: &str, event: Value) -> Decline {
        let mut event = event;
        event["status"] = status.into();
        let node = json!({ "id": "x", "status": status, "statusHistory": [event, { "status": "AUTHORIZED" }] });
        of_payment(&serde_json::from_value(node).unwrap())
    }

    fn processor(code: &str) -> Value {
        json!({ "processorResponse": { "legacyCode": code, "message": "StatusInput so" } })
    }

    #[test]
    fn the_decline_type_wins_over_the_code_list() {
        let mut event = processor("2001");
        event["declineType"] = "HARD".into();
        assert!(declined("PROCESSOR_DECLINED", event).hard);
        let mut event = processor("2013");
        event["declineType"] = "SOFT".into();
        assert!(!declined("PROCESSOR_DECLINED", event).hard);
    }

    #[test]
    fn codes_decide_when_no_type_is_given() {
        for (code, hard) in [
            ("2000", false),
            ("2001", false),
            ("2004", true),
            ("2009", true),
            ("2013", true),
            ("2038", false),
            ("2047", true),
            ("2106", false),
            ("2108", true),
            ("2109", false),
            ("3000", false),
        ] {
            let decline = declined("PROCESSOR_DECLINED", processor(code));
            assert_eq!((decline.hard, decline.code.as_str(), decline.message.as_str()), (hard, code, "StatusInput so"));
        }
    }

    #[test]
    fn advice_not_to_retry_is_obeyed() {
        let mut event = processor("2001");
        event["declineType"] = "SOFT".into();
        event["merchantAdviceCodeResponse"] = json!({ "code": "03" });
        assert!(declined("PROCESSOR_DECLINED", event).hard);
    }

    #[test]
    fn gateway_reasons_are_soft_unless_retrying_is_the_problem() {
        for (reason, hard) in
            [("FRAUD", false), ("CVV", false), ("EXCESSIVE_RETRY", true), ("PAYMENT_METHOD_BLOCKED", true)]
        {
            let decline = declined("GATEWAY_REJECTED", json!({ "gatewayRejectionReason": reason }));
            assert_eq!((decline.hard, decline.code.as_str()), (hard, reason));
            assert!(decline.message.contains(reason));
        }
    }

    #[test]
    fn every_published_status_is_mapped() {
        use GatewayStatus::*;
        for (raw, expected) in [
            ("AUTHORIZING", Pending),
            ("AUTHORIZED", Pending),
            ("AUTHORIZATION_EXPIRED", Declined),
            ("SUBMITTED_FOR_SETTLEMENT", Captured),
            ("SETTLING", Captured),
            ("SETTLED", Settled),
            ("SETTLEMENT_CONFIRMED", Captured),
            ("SETTLEMENT_PENDING", Pending),
            ("SETTLEMENT_DECLINED", Declined),
            ("PROCESSOR_DECLINED", Declined),
            ("GATEWAY_REJECTED", Declined),
            ("FAILED", Declined),
            ("VOIDED", Voided),
            ("SOMETHING_NEW", Pending),
        ] {
            assert_eq!(status(raw), expected, "{raw}");
        }
    }

    #[test]
    fn a_status_without_history_still_has_a_code() {
        let node = json!({ "id": "x", "status": "FAILED" });
        let decline = of_payment(&serde_json::from_value(node).unwrap());
        assert_eq!((decline.code.as_str(), decline.hard), ("FAILED", false));
    }
}
