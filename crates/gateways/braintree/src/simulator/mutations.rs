//! Customers, stored cards, and what all mutations share.

use std::time::Instant;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use kernel::Money;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};

use super::outcomes::{Operation, Outcome};
use super::plan::Handling;
use super::records::{Customer, Decline, Event, Method, Nonce, Payment, RequestKey, legacy_id};
use super::{Core, Fault, Turn, cards, charges, refunds, render, tokenize};

/// Runs one field of `Mutation`; a second time when the request was delivered twice, and then the
/// second answer is the one that is seen.
pub(super) fn run(core: &mut Core, turn: &mut Turn, field: &str, input: Value) -> Result<Value, Fault> {
    let again = input.clone();
    let only_safely = turn.handling.as_ref().is_some_and(|p| p.only_safely);
    let answer = run_once(core, turn, field, input);
    // What kept a second one from moving money may have been switched off since this one arrived.
    if !turn.twice || (only_safely && !repeatable(core, field, &again)) {
        return answer;
    }
    turn.handling = Some(Handling::PLAIN);
    let (delay, disruption) = (turn.delay, turn.disruption);
    let answer = run_once(core, turn, field, again);
    (turn.delay, turn.disruption) = (delay, disruption);
    answer
}

/// The merchant's account takes the same request twice without moving money twice.
fn repeatable(core: &Core, field: &str, input: &Value) -> bool {
    let keyed = key_in_use(core, &mut input.clone()).is_ok_and(|key| key.is_some());
    keyed || (field == "chargePaymentMethod" && core.state.settings().duplicate_checking)
}

fn run_once(core: &mut Core, turn: &mut Turn, field: &str, input: Value) -> Result<Value, Fault> {
    let echo = input["clientMutationId"].clone();
    let mut payload = match field {
        "createClientToken" => client_token(core, &read(input)?)?,
        "createCustomer" => create_customer(core, turn, &read(input)?)?,
        "vaultPaymentMethod" => vault(core, turn, &read(input)?)?,
        "chargePaymentMethod" => charges::charge(core, turn, input)?,
        "refundTransaction" => refunds::refund(core, turn, input)?,
        "reverseTransaction" => refunds::reverse(core, turn, &read(input)?)?,
        "sandboxSettleTransaction" => refunds::settle(core, turn, &read(input)?)?,
        _ => {
            return Err(Fault { class: "NOT_IMPLEMENTED", legacy: None, message: format!("{field} is not simulated") });
        }
    };
    payload["clientMutationId"] = echo;
    Ok(payload)
}

/// The schema has checked the shape already; what is left are scalars.
pub(super) fn read<T: DeserializeOwned>(input: Value) -> Result<T, Fault> {
    let input = if input.is_null() { json!({}) } else { input };
    serde_json::from_value(input).map_err(|e| Fault { class: "VALIDATION", legacy: None, message: e.to_string() })
}

/// The `Amount` scalar: text, a whole number or exactly two decimals, above zero.
pub(super) fn amount(value: &Value) -> Result<Money, Fault> {
    let text = match value {
        Value::String(text) if !text.is_empty() => text.as_str(),
        Value::Null | Value::String(_) => return Err(Fault::validation("81502", "Amount is required.")),
        _ => return Err(Fault::validation("81503", "Amount is an invalid format.")),
    };
    let shaped = text.split_once('.').is_none_or(|(_, cents)| cents.len() == 2);
    let amount: Money = match text.parse::<Money>() {
        Ok(amount) if shaped => amount,
        Err(kernel::MoneyError::Overflow) => return Err(Fault::validation("81528", "Amount is too large.")),
        _ => return Err(Fault::validation("81503", "Amount is an invalid format.")),
    };
    if amount.is_negative() {
        Err(Fault::validation("81501", "Amount cannot be negative."))
    } else if amount.is_zero() {
        Err(Fault::validation("81531", "Amount must be greater than zero."))
    } else if amount > Money::from_cents(999_999_999_999) {
        Err(Fault::validation("81528", "Amount is too large."))
    } else {
        Ok(amount)
    }
}

pub(super) fn check_order_id(order: Option<&str>) -> Result<(), Fault> {
    if order.is_some_and(|o| o.chars().count() > 255) {
        return Err(Fault::validation("91501", "Order ID is too long."));
    }
    Ok(())
}

/// The idempotency key that counts: none when the merchant does not have the feature.
pub(super) fn key_in_use(core: &Core, input: &mut Value) -> Result<Option<RequestKey>, Fault> {
    let key = request_key(input)?;
    Ok(key.filter(|_| core.state.settings().request_keys))
}

/// Takes the idempotency key and a hash of the rest off an input.
pub(super) fn request_key(input: &mut Value) -> Result<Option<RequestKey>, Fault> {
    let Some(object) = input.as_object_mut() else { return Ok(None) };
    object.remove("clientMutationId");
    let Some(Value::String(key)) = object.remove("apiRequestKey") else { return Ok(None) };
    if key.chars().count() > 255 {
        return Err(Fault::validation("915230", "API request key is too long."));
    }
    // serde_json's maps are sorted, so equal inputs have equal text.
    Ok(Some(RequestKey { key, input: tokenize::hash(&input.to_string()) }))
}

/// The payment an idempotency key already stands for.
pub(super) fn replayed(core: &Core, turn: &Turn, key: Option<&RequestKey>) -> Result<Option<Value>, Fault> {
    let Some(key) = key else { return Ok(None) };
    match core.state.payment_by_request_key(&key.key, turn.now) {
        Some(p) if p.request_key.as_ref() == Some(key) => Ok(Some(render::payment(&core.state, turn.now, p))),
        Some(_) => Err(other_input()),
        None => Ok(None),
    }
}

fn other_input() -> Fault {
    Fault::validation("915232", "API request key was used with different parameters.")
}

/// Refuses the key of a request that is being worked on.
pub(super) fn not_in_flight(core: &Core, key: &RequestKey) -> Result<(), Fault> {
    match core.in_flight.get(&key.key) {
        None => Ok(()),
        Some(input) if *input == key.input => {
            Err(Fault::validation("915233", "A request with this API request key is in progress."))
        }
        Some(_) => Err(other_input()),
    }
}

/// What happens to this operation, as decided when it arrived or else by the queue, with the event
/// that takes it off.
pub(super) fn queued(
    core: &Core,
    turn: &mut Turn,
    operation: Operation,
    customer: Option<&Customer>,
) -> (Outcome, Vec<Event>) {
    let (handling, events) = match (turn.handling.take(), core.state.queued(operation, customer)) {
        (Some(handling), _) => (handling, Vec::new()),
        (None, Some((operation, key, queued))) => (queued.into(), vec![Event::Unqueued { operation, key }]),
        (None, None) => (Handling::PLAIN, Vec::new()),
    };
    turn.follow(handling);
    (handling.outcome, events)
}

/// Nothing was done; the answer is spoiled by the turn's disruption anyway.
pub(super) fn not_applied(core: &mut Core, events: Vec<Event>) -> Result<Value, Fault> {
    core.commit(events)?;
    Err(Fault::internal("An unexpected error occurred."))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ClientTokenInput {
    #[serde(default)]
    client_token: Option<TokenFor>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TokenFor {
    customer_id: Option<String>,
    merchant_account_id: Option<String>,
}

fn client_token(core: &Core, input: &ClientTokenInput) -> Result<Value, Fault> {
    let wanted = input.client_token.as_ref();
    let customer = wanted.and_then(|t| t.customer_id.as_deref());
    if customer.is_some_and(|id| core.state.customer_by_id(id).is_none()) {
        return Err(Fault::validation("92804", "Customer specified by customer_id does not exist."));
    }
    let content = json!({
        "version": 2,
        "simulated": true,
        "customerId": customer,
        "merchantAccountId": wanted.and_then(|t| t.merchant_account_id.as_deref()),
    });
    let token = STANDARD.encode(content.to_string());
    Ok(json!({ "__typename": "CreateClientTokenPayload", "clientToken": token }))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CustomerInput {
    client_mutation_id: Option<String>,
    #[serde(default)]
    customer: Option<CustomerDetails>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct CustomerDetails {
    first_name: Option<String>,
    last_name: Option<String>,
    email: Option<String>,
    phone_number: Option<String>,
}

fn create_customer(core: &mut Core, turn: &mut Turn, input: &CustomerInput) -> Result<Value, Fault> {
    let default = CustomerDetails::default();
    let details = input.customer.as_ref().unwrap_or(&default);
    if details.email.as_deref().is_some_and(|e| !e.contains('@') || e.len() > 255) {
        return Err(Fault::validation("81604", "Email is an invalid format."));
    }
    if [&details.first_name, &details.last_name].into_iter().flatten().any(|n| n.chars().count() > 255) {
        return Err(Fault::validation("81608", "A name is too long."));
    }
    let customer = Customer {
        seq: core.state.next_seq(),
        user_ref: input.client_mutation_id.clone(),
        first_name: details.first_name.clone(),
        last_name: details.last_name.clone(),
        email: details.email.clone(),
        phone: details.phone_number.clone(),
        at: turn.now,
    };
    let (outcome, mut events) = queued(core, turn, Operation::Customer, Some(&customer));
    if outcome.is_not_applied() {
        return not_applied(core, events);
    }
    events.push(Event::Customer(customer.clone()));
    core.commit(events)?;
    Ok(json!({ "__typename": "CreateCustomerPayload", "customer": render::customer(&customer) }))
}

/// The card behind a nonce, checked for life and single use.
pub(super) fn card_of_nonce(core: &Core, turn: &Turn, nonce: &str, codes: [&'static str; 2]) -> Result<Nonce, Fault> {
    let [used, unknown] = codes;
    if let Some(test) = cards::test_nonce(nonce, turn.now, used)? {
        return Ok(test);
    }
    match core.state.nonce(nonce) {
        Some((_, true)) => Err(Fault::validation(used, "Cannot use a payment method nonce more than once.")),
        Some((nonce, false)) if turn.now.signed_duration_since(nonce.at) <= tokenize::NONCE_LIFE => Ok(nonce.clone()),
        _ => Err(Fault::validation(unknown, "Unknown or expired payment method nonce.")),
    }
}

/// The event that uses a nonce up; test nonces are never used up.
pub(super) fn use_up(core: &Core, nonce: &str) -> Option<Event> {
    core.state.nonce(nonce).map(|_| Event::NonceUsed { nonce: nonce.to_owned() })
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct VaultInput {
    payment_method_id: String,
    customer_id: Option<String>,
    verification: Option<VerificationInput>,
}

#[derive(Deserialize)]
struct VerificationInput {
    skip: Option<bool>,
}

fn vault(core: &mut Core, turn: &mut Turn, input: &VaultInput) -> Result<Value, Fault> {
    let Some(customer) = input.customer_id.as_deref().and_then(|id| core.state.customer_by_id(id)).cloned() else {
        return Err(Fault::validation("91510", "Customer ID is invalid."));
    };
    let nonce = card_of_nonce(core, turn, &input.payment_method_id, ["93107", "93108"])?;
    let (outcome, mut events) = queued(core, turn, Operation::Vault, Some(&customer));
    if outcome.is_not_applied() {
        return not_applied(core, events);
    }
    events.extend(use_up(core, &input.payment_method_id));
    let seq = core.state.next_seq();
    let skipped = input.verification.as_ref().and_then(|v| v.skip).unwrap_or(false);
    let check = Decline::queued(outcome).or(nonce.check).filter(|_| !skipped);
    let method =
        check.is_none().then(|| Method { seq, customer: legacy_id(customer.seq), card: nonce.card, at: turn.now });
    events.extend(method.clone().map(Event::Method));
    core.commit(events)?;
    // A refused card comes back as data, without a payment method.
    Ok(json!({
        "__typename": "VaultPaymentMethodPayload",
        "paymentMethod": method.as_ref().map(|m| render::method(&core.state, m)),
        "verification": (!skipped).then(|| render::verification(seq, turn.now, check.as_ref())),
    }))
}

/// Writes a payment down and shows it.
pub(super) fn record(core: &mut Core, turn: &Turn, mut events: Vec<Event>, payment: Payment) -> Result<Value, Fault> {
    let (seq, legacy) = (payment.seq, payment.legacy_id());
    events.push(Event::Payment(Box::new(payment)));
    core.commit(events)?;
    core.applied.insert(seq, Instant::now());
    let made = core.state.payment(&legacy).ok_or_else(|| Fault::internal("the payment was not kept"))?;
    Ok(render::payment(&core.state, turn.now, made))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn amounts_are_text_above_zero_with_two_decimals_or_none() {
        for (text, cents) in [("91.98", 9_198), ("12", 1_200), ("0.01", 1), ("25000.00", 2_500_000)] {
            assert_eq!(amount(&text.into()).unwrap().cents(), cents);
        }
        for (value, code) in [
            (json!(null), "81502"),
            (json!(""), "81502"),
            (json!(12.5), "81503"),
            (json!("12.5"), "81503"),
            (json!("1,50"), "81503"),
            (json!("1e3"), "81503"),
            (json!("-1.00"), "81501"),
            (json!("0.00"), "81531"),
            (json!("99999999999.00"), "81528"),
            (json!("99999999999999999999.00"), "81528"),
        ] {
            assert_eq!(amount(&value).unwrap_err().legacy, Some(code), "{value}");
        }
    }

    #[test]
    fn the_key_does_not_depend_on_the_order_of_fields() {
        let key = |text: &str| request_key(&mut serde_json::from_str(text).unwrap()).unwrap().unwrap();
        let one = key(r#"{"apiRequestKey":"k","a":"1","b":{"c":1,"d":2}}"#);
        let two = key(r#"{"b":{"d":2,"c":1},"clientMutationId":"x","a":"1","apiRequestKey":"k"}"#);
        assert_eq!(one, two);
        assert_ne!(one, key(r#"{"apiRequestKey":"k","a":"2","b":{"c":1,"d":2}}"#));
    }
}
