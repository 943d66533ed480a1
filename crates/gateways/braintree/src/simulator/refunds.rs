//! Money back: voids before settlement, refunds after it; and settling by hand.

use serde::Deserialize;
use serde_json::{Value, json};

use super::mutations::{amount, check_order_id, key_in_use, not_applied, queued, read, record, replayed};
use super::outcomes::Operation;
use super::records::{Customer, Decline, Event, Fate, Payment};
use super::{Core, Fault, Turn, render};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RefundInput {
    transaction_id: String,
    #[serde(default)]
    refund: Option<RefundDetails>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct RefundDetails {
    #[serde(default)]
    amount: Value,
    order_id: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ReverseInput {
    transaction_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SettleInput {
    transaction_id: String,
    settlement_state: Option<String>,
}

fn charge_of(core: &Core, id: &str) -> Result<Payment, Fault> {
    core.state.charge_by_id(id).cloned().ok_or_else(|| Fault::not_found("An object with this ID was not found."))
}

fn customer_of(core: &Core, charge: &Payment) -> Option<Customer> {
    charge.customer.as_deref().and_then(|c| core.state.customer(c)).cloned()
}

fn returning(core: &Core, turn: &Turn, charge: &Payment, amount: kernel::Money) -> Payment {
    Payment {
        seq: core.state.next_seq(),
        refund_of: Some(charge.legacy_id()),
        // The gateway's own default when a refund names none.
        order_id: charge.order_id.clone(),
        amount,
        at: turn.now,
        decline: None,
        request_key: None,
        voided_at: None,
        settled: None,
        fate: None,
        disputes: Vec::new(),
        ..charge.clone()
    }
}

/// `refundTransaction`: all or part of what has settled.
pub(super) fn refund(core: &mut Core, turn: &mut Turn, mut raw: Value) -> Result<Value, Fault> {
    let key = key_in_use(core, &mut raw)?;
    let input: RefundInput = read(raw)?;
    let details = input.refund.unwrap_or_default();
    check_order_id(details.order_id.as_deref())?;
    let payload = |refund: Value| json!({ "__typename": "RefundTransactionPayload", "refund": refund });
    if let Some(refund) = replayed(core, turn, key.as_ref())? {
        return Ok(payload(refund));
    }
    let charge = charge_of(core, &input.transaction_id)?;
    if charge.status(turn.now) != "SETTLED" {
        return Err(Fault::validation("91506", "Cannot refund a transaction unless it is settled."));
    }
    let left = core.state.refundable(&charge, turn.now);
    if !left.is_positive() {
        return Err(Fault::validation("91512", "Transaction has already been fully refunded."));
    }
    let amount = if details.amount.is_null() { left } else { amount(&details.amount)? };
    if amount > left {
        return Err(Fault::validation("91521", "Refund amount is too large."));
    }
    let customer = customer_of(core, &charge);
    let (outcome, events) = queued(core, turn, Operation::Refund, customer.as_ref());
    if outcome.is_not_applied() {
        return not_applied(core, events);
    }
    let mut made = returning(core, turn, &charge, amount);
    made.decline = Decline::queued(outcome);
    made.fate = Fate::of(outcome);
    made.request_key = key;
    made.order_id = details.order_id.or(made.order_id);
    Ok(payload(record(core, turn, events, made)?))
}

/// `reverseTransaction`: voids what has not settled, refunds the whole of what has.
pub(super) fn reverse(core: &mut Core, turn: &mut Turn, input: &ReverseInput) -> Result<Value, Fault> {
    let charge = charge_of(core, &input.transaction_id)?;
    let payload = |reversal: Value| json!({ "__typename": "ReverseTransactionPayload", "reversal": reversal });
    let settled = match charge.status(turn.now) {
        "SUBMITTED_FOR_SETTLEMENT" => false,
        "SETTLED" if core.state.refundable(&charge, turn.now) == charge.amount => true,
        "SETTLED" => return Err(Fault::validation("91512", "Transaction has already been refunded.")),
        _ => {
            return Err(Fault::validation(
                "91504",
                "Transaction can only be voided if status is authorized or submitted for settlement.",
            ));
        }
    };
    let customer = customer_of(core, &charge);
    let (outcome, mut events) = queued(core, turn, Operation::Reverse, customer.as_ref());
    if outcome.is_not_applied() {
        return not_applied(core, events);
    }
    if settled {
        let mut made = returning(core, turn, &charge, charge.amount);
        made.decline = Decline::queued(outcome);
        made.fate = Fate::of(outcome);
        return Ok(payload(record(core, turn, events, made)?));
    }
    if Decline::queued(outcome).is_some() {
        core.commit(events)?;
        return Err(Fault::validation("91504", "The void was refused by the processor."));
    }
    let legacy = charge.legacy_id();
    events.push(Event::Voided { payment: legacy.clone(), at: turn.now });
    core.commit(events)?;
    let voided = core.state.payment(&legacy).ok_or_else(|| Fault::internal("the payment was not kept"))?;
    Ok(payload(render::payment(&core.state, turn.now, voided)))
}

/// `sandboxSettleTransaction`: settles a captured charge before its time.
pub(super) fn settle(core: &mut Core, turn: &mut Turn, input: &SettleInput) -> Result<Value, Fault> {
    let charge = charge_of(core, &input.transaction_id)?;
    if charge.status(turn.now) != "SUBMITTED_FOR_SETTLEMENT" {
        return Err(Fault::validation("91510", "Only a transaction submitted for settlement can be settled."));
    }
    let legacy = charge.legacy_id();
    let declined = input.settlement_state.as_deref() == Some("SETTLEMENT_DECLINED");
    core.commit(vec![Event::Settled { payment: legacy.clone(), at: turn.now, declined }])?;
    let settled = core.state.payment(&legacy).ok_or_else(|| Fault::internal("the payment was not kept"))?;
    Ok(json!({ "__typename": "TransactionPayload", "transaction": render::payment(&core.state, turn.now, settled) }))
}
