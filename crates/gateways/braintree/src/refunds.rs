//! Giving money back: a void before settlement, a refund after, and waiting in between.

use serde_json::json;
use service::ports::payments::{GatewayError, GatewayStatus, RefundOutcome, RefundRequest};

use crate::client::BraintreeGateway;
use crate::decline;
use crate::mapping::rejected;
use crate::operations::{REFUND, REVERSE, TRANSACTION};
use crate::transport::{self, Effect, Failure};
use crate::wire::{PaymentNode, RefundPayload, ReversePayload};

fn refused(code: &str, message: &str) -> RefundOutcome {
    RefundOutcome::Refused { code: code.to_owned(), message: message.to_owned() }
}

/// What to do about a charge, from where it stands.
#[derive(Debug, PartialEq, Eq)]
enum Step {
    Done(RefundOutcome),
    Reverse,
    Refund,
}

/// Decides from the charge as the gateway shows it now. Asking twice is safe: what a first, lost
/// answer did shows up in the charge itself.
fn next_step(charge: &PaymentNode, request: &RefundRequest) -> Result<Step, GatewayError> {
    let total = charge.amount.as_ref().and_then(|a| a.canadian());
    let Some(total) = total else {
        return Err(GatewayError::Misconfigured(format!("transaction {} is not in Canadian dollars", charge.id)));
    };
    if request.amount > total || (request.full && request.amount != total) {
        return Ok(Step::Done(refused("91521", "the amount to give back does not fit the charge")));
    }
    let refunds = charge.refunds.as_deref().unwrap_or_default();
    let already = refunds.iter().find(|r| {
        r.order_id.as_deref() == Some(request.order_id.as_str())
            && decline::status(r.status.as_deref().unwrap_or_default()) != GatewayStatus::Declined
    });
    if let Some(refund) = already {
        return if refund.amount.as_ref().and_then(|a| a.canadian()) == Some(request.amount) {
            Ok(Step::Done(RefundOutcome::Refunded { refund_id: refund.id.clone() }))
        } else {
            Err(rejected("another refund has this order id"))
        };
    }
    let whole = request.amount == total;
    let raw = charge.status.as_deref().unwrap_or_default();
    Ok(match (decline::status(raw), raw) {
        (GatewayStatus::Settled, _) => Step::Refund,
        (GatewayStatus::Voided, _) if whole => Step::Done(RefundOutcome::Voided { transaction_id: charge.id.clone() }),
        (GatewayStatus::Voided, _) => Step::Done(refused("voided", "the charge was voided")),
        (GatewayStatus::Declined, _) => Step::Done(refused("not_captured", "the charge took no money")),
        (_, "SUBMITTED_FOR_SETTLEMENT" | "AUTHORIZED") if whole => Step::Reverse,
        // Part of an unsettled charge, or a charge on its way to the bank: neither can be undone now.
        _ => Step::Done(RefundOutcome::NotSettledYet),
    })
}

impl BraintreeGateway {
    pub(crate) async fn give_back(&self, request: &RefundRequest) -> Result<RefundOutcome, GatewayError> {
        match next_step(&self.charge_now(&request.transaction_id).await?, request)? {
            Step::Done(outcome) => Ok(outcome),
            Step::Reverse => self.reverse_charge(request).await,
            Step::Refund => self.refund_settled(request).await,
        }
    }

    async fn charge_now(&self, id: &str) -> Result<PaymentNode, GatewayError> {
        let answer = self.transport.call::<serde_json::Value>(&TRANSACTION, json!({ "id": id }), Effect::Reads).await?;
        if answer.payload.get("__typename").and_then(serde_json::Value::as_str) != Some("Transaction") {
            return Err(GatewayError::NotFound);
        }
        serde_json::from_value(answer.payload)
            .map_err(|e| GatewayError::Unavailable(format!("unreadable transaction: {e}")))
    }

    /// Voids or refunds the whole of a transaction, whichever its state allows.
    pub(crate) async fn reverse(&self, transaction_id: &str) -> Result<PaymentNode, Failure> {
        let variables = json!({ "input": { "transactionId": transaction_id } });
        let answer = self.transport.call::<ReversePayload>(&REVERSE, variables, Effect::Writes).await?;
        answer.payload.reversal.ok_or_else(|| transport::classify(&answer.errors, Effect::Writes))
    }

    async fn reverse_charge(&self, request: &RefundRequest) -> Result<RefundOutcome, GatewayError> {
        match self.reverse(&request.transaction_id).await {
            // It settled between our look and our word: the reversal is a refund.
            Ok(node) if node.typename.as_deref() == Some("Refund") => {
                Ok(RefundOutcome::Refunded { refund_id: node.id })
            }
            Ok(node) => Ok(RefundOutcome::Voided { transaction_id: node.id }),
            Err(failure) => self.not_given_back(request, failure).await,
        }
    }

    async fn refund_settled(&self, request: &RefundRequest) -> Result<RefundOutcome, GatewayError> {
        let input = json!({
            "transactionId": request.transaction_id,
            "refund": {
                "amount": request.amount,
                "orderId": request.order_id,
                "merchantAccountId": self.merchant_account_id,
            },
        });
        let variables = self.keyed(input, &request.order_id);
        let failure = match self.transport.call::<RefundPayload>(&REFUND, variables, Effect::Writes).await {
            Ok(answer) => match answer.payload.refund {
                Some(refund)
                    if decline::status(refund.status.as_deref().unwrap_or_default()) == GatewayStatus::Declined =>
                {
                    let decline = decline::of_payment(&refund);
                    return Ok(refused(&decline.code, &decline.message));
                }
                Some(refund) => return Ok(RefundOutcome::Refunded { refund_id: refund.id }),
                None => transport::classify(&answer.errors, Effect::Writes),
            },
            Err(failure) => failure,
        };
        self.not_given_back(request, failure).await
    }

    /// A refusal, a delay, or an open question.
    async fn not_given_back(&self, request: &RefundRequest, failure: Failure) -> Result<RefundOutcome, GatewayError> {
        match failure {
            Failure::Other(GatewayError::Rejected { code, message }) => Ok(match code.as_deref() {
                // Not settled, being settled, or too late to void.
                Some("91506" | "91574" | "91504") => RefundOutcome::NotSettledYet,
                code => refused(code.unwrap_or("rejected"), &message),
            }),
            Failure::Busy(why) => {
                let Ok(charge) = self.charge_now(&request.transaction_id).await else {
                    return Err(GatewayError::Unknown(why));
                };
                match next_step(&charge, request)? {
                    Step::Done(outcome @ (RefundOutcome::Refunded { .. } | RefundOutcome::Voided { .. })) => {
                        Ok(outcome)
                    }
                    // Not listed yet, which proves nothing.
                    _ => Err(GatewayError::Unknown(why)),
                }
            }
            failure => Err(failure.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use kernel::Money;
    use serde_json::Value;

    use super::*;

    fn charge(status: &str, refunds: Value) -> PaymentNode {
        serde_json::from_value(json!({
            "__typename": "Transaction", "id": "t", "status": status,
            "amount": { "value": "100.00", "currencyCode": "CAD" }, "refunds": refunds,
        }))
        .unwrap()
    }

    fn request(cents: i64, full: bool) -> RefundRequest {
        RefundRequest {
            order_id: "r-1".to_owned(),
            transaction_id: "t".to_owned(),
            amount: Money::from_cents(cents),
            full,
        }
    }

    #[test]
    fn the_state_of_the_charge_decides() {
        use RefundOutcome::*;
        let none = || json!([]);
        let voided = || Step::Done(Voided { transaction_id: "t".to_owned() });
        let step = |status: &str, request: RefundRequest| next_step(&charge(status, none()), &request).unwrap();
        assert_eq!(step("SUBMITTED_FOR_SETTLEMENT", request(10_000, true)), Step::Reverse);
        assert_eq!(step("SUBMITTED_FOR_SETTLEMENT", request(4_000, false)), Step::Done(NotSettledYet));
        assert_eq!(step("SETTLING", request(10_000, true)), Step::Done(NotSettledYet));
        assert_eq!(step("SETTLEMENT_PENDING", request(10_000, true)), Step::Done(NotSettledYet));
        assert_eq!(step("SETTLED", request(10_000, true)), Step::Refund);
        assert_eq!(step("SETTLED", request(4_000, false)), Step::Refund);
        assert_eq!(step("VOIDED", request(10_000, true)), voided());
        for (status, request) in [
            ("VOIDED", request(4_000, false)),
            ("PROCESSOR_DECLINED", request(10_000, true)),
            ("SETTLEMENT_DECLINED", request(10_000, true)),
            ("SETTLED", request(10_001, false)),
            ("SETTLED", request(9_999, true)),
        ] {
            assert!(matches!(step(status, request), Step::Done(Refused { .. })), "{status}");
        }
    }

    #[test]
    fn a_refund_already_made_is_found_by_its_order_id() {
        let made = |status: &str, value: &str| json!([{ "id": "r", "status": status, "orderId": "r-1", "amount": { "value": value, "currencyCode": "CAD" } }]);
        let done = Step::Done(RefundOutcome::Refunded { refund_id: "r".to_owned() });
        let ask = |refunds| next_step(&charge("SETTLED", refunds), &request(4_000, false));
        assert_eq!(ask(made("SUBMITTED_FOR_SETTLEMENT", "40.00")).unwrap(), done);
        assert_eq!(ask(made("PROCESSOR_DECLINED", "40.00")).unwrap(), Step::Refund);
        assert!(matches!(ask(made("SETTLED", "41.00")), Err(GatewayError::Rejected { .. })));
    }

    #[test]
    fn another_currency_is_never_touched() {
        let mut node = charge("SETTLED", json!([]));
        node.amount.as_mut().unwrap().currency_code = Some("USD".to_owned());
        assert!(matches!(next_step(&node, &request(10_000, true)), Err(GatewayError::Misconfigured(_))));
    }
}
