//! `chargePaymentMethod`.

use kernel::Money;
use serde::Deserialize;
use serde_json::{Value, json};

use super::mutations::{
    amount, card_of_nonce, check_order_id, key_in_use, not_applied, queued, read, record, replayed, use_up,
};
use super::outcomes::Operation;
use super::records::{Customer, Decline, Event, Fate, Payment, legacy_id};
use super::state::{METHOD, read_id};
use super::{Core, Fault, Turn};

/// What a merchant account that was not named is paid in: the trap of forgetting to name it.
const DEFAULT_CURRENCY: &str = "USD";

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ChargeInput {
    payment_method_id: String,
    transaction: TransactionInput,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TransactionInput {
    amount: Value,
    order_id: Option<String>,
    merchant_account_id: Option<String>,
    customer_id: Option<String>,
    tax: Option<TaxInput>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TaxInput {
    #[serde(default)]
    tax_amount: Value,
}

/// Who pays and with what: the key a duplicate is known by, the customer, the nonce to use up.
struct Payer {
    method: String,
    customer: Option<Customer>,
    nonce: Option<Event>,
}

fn payer(core: &Core, turn: &Turn, input: &ChargeInput) -> Result<Payer, Fault> {
    let id = input.payment_method_id.as_str();
    if let Some((kind, legacy)) = read_id(id) {
        return match core.state.method(&legacy) {
            Some(method) if kind == METHOD => {
                let customer = core.state.customer(&method.customer).cloned();
                Ok(Payer { method: legacy, customer, nonce: None })
            }
            _ => Err(Fault::validation("91518", "Payment method token is invalid.")),
        };
    }
    card_of_nonce(core, turn, id, ["91564", "91565"])?;
    let customer = match input.transaction.customer_id.as_deref() {
        None => None,
        Some(id) => {
            let found = core.state.customer_by_id(id).cloned();
            Some(found.ok_or_else(|| Fault::validation("91510", "Customer ID is invalid."))?)
        }
    };
    Ok(Payer { method: id.to_owned(), customer, nonce: use_up(core, id) })
}

/// The sandbox's table of amounts.
fn by_amount(amount: Money) -> Option<Decline> {
    match amount.cents() / 100 {
        code @ 2_000..=2_999 => {
            let hard =
                matches!(code, 2_004..=2_007 | 2_012..=2_015 | 2_019 | 2_022 | 2_041 | 2_043 | 2_044 | 2_047 | 2_053);
            Some(Decline::processor(&code.to_string(), "Processor Declined", if hard { "HARD" } else { "SOFT" }))
        }
        3_000 => Some(Decline::failed()),
        5_001 => Some(Decline::gateway("APPLICATION_INCOMPLETE")),
        _ => None,
    }
}

/// Authorizes and submits for settlement, or refuses, and remembers either.
pub(super) fn charge(core: &mut Core, turn: &mut Turn, mut raw: Value) -> Result<Value, Fault> {
    let key = key_in_use(core, &mut raw)?;
    let input: ChargeInput = read(raw)?;
    let amount = amount(&input.transaction.amount)?;
    if let Some(tax) = input.transaction.tax.as_ref().map(|t| &t.tax_amount).filter(|t| !t.is_null()) {
        // Informational; zero is fine, nonsense is not.
        let sensible =
            tax.as_str().and_then(|t| t.parse::<Money>().ok()).is_some_and(|t| !t.is_negative() && t <= amount);
        if !sensible {
            return Err(Fault::validation("81534", "Tax amount is an invalid format."));
        }
    }
    check_order_id(input.transaction.order_id.as_deref())?;
    let payload = |transaction: Value| json!({ "__typename": "TransactionPayload", "transaction": transaction });
    if let Some(transaction) = replayed(core, turn, key.as_ref())? {
        return Ok(payload(transaction));
    }
    let payer = payer(core, turn, &input)?;
    let mut payment = Payment {
        seq: core.state.next_seq(),
        refund_of: None,
        order_id: input.transaction.order_id,
        customer: payer.customer.as_ref().map(|c| legacy_id(c.seq)),
        method: Some(payer.method),
        amount,
        currency: if input.transaction.merchant_account_id.is_some() { "CAD" } else { DEFAULT_CURRENCY }.to_owned(),
        merchant_account: input.transaction.merchant_account_id,
        at: turn.now,
        decline: None,
        request_key: key,
        voided_at: None,
        settled: None,
        fate: None,
        disputes: Vec::new(),
    };
    // The check for duplicates and the idempotency key exclude each other.
    let checked = core.state.settings().duplicate_checking;
    let original = match (&payment.request_key, &payment.order_id, &payment.method) {
        (None, Some(order), Some(method)) if checked => {
            core.state.duplicate(order, amount, method, turn.now).map(Payment::legacy_id)
        }
        _ => None,
    };
    let mut events = Vec::new();
    if let Some(original) = original {
        payment.decline = Some(Decline::duplicate(&original));
    } else {
        let (outcome, taken) = queued(core, turn, Operation::Charge, payer.customer.as_ref());
        if outcome.is_not_applied() {
            return not_applied(core, taken);
        }
        events = taken;
        events.extend(payer.nonce);
        payment.fate = Fate::of(outcome);
        payment.decline =
            Decline::queued(outcome).or_else(|| if turn.sandbox_amounts { by_amount(amount) } else { None });
    }
    let transaction = record(core, turn, events, payment)?;
    Ok(payload(transaction))
}
