//! The client: each call of the port as one or a few GraphQL operations.

use std::sync::Arc;

use async_trait::async_trait;
use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use serde_json::{Value, json};
use service::ports::payments::{
    ChargeOutcome, ChargeRequest, GatewayDispute, GatewayError, GatewayStatus, GatewayTransaction, Initiator,
    NewCustomer, Notification, NotificationRefused, PaymentGateway, RefundOutcome, RefundRequest, VaultOutcome,
    WITHOUT_ORDER,
};

use crate::config::{Config, Environment};
use crate::decline;
use crate::mapping::{
    captured, card, check_money, declined, disputes, is_about_the_card, is_ours, is_paid, is_refund, rejected,
    to_transaction,
};
use crate::notice;
use crate::operations::{CHARGE, CLIENT_TOKEN, CREATE_CUSTOMER, FIND_CUSTOMERS, PAYMENTS, PING, VAULT};
use crate::simulator::Simulator;
use crate::transport::{self, Effect, Failure, Transport};
use crate::webhook::WebhookVerifier;
use crate::wire::{
    ClientTokenPayload, CustomerPayload, CustomersPage, FoundCustomer, PaymentNode, PaymentsPage, TransactionPayload,
    VaultPayload,
};

/// Pages read at most in one search, so that a gateway that never says "last page" cannot hold us.
const MOST_PAGES: usize = 2_000;

/// How many times the money time-out a request may wander before it is applied. Measured by nobody,
/// chosen with distance: the gateway's edge answers or drops a request within its own time-out.
const WANDERING: i32 = 10;

/// Braintree behind the port. Cheap to share; holds one connection pool and at most five calls at once.
pub struct BraintreeGateway {
    pub(crate) transport: Transport,
    pub(crate) merchant_account_id: String,
    pub(crate) environment: Environment,
    pub(crate) api_request_key: bool,
    money_timeout: TimeDelta,
    webhooks: WebhookVerifier,
    /// The simulator in this process, and when it was opened.
    carried: Option<(Arc<Simulator>, DateTime<Utc>)>,
}

impl BraintreeGateway {
    /// A client.
    ///
    /// # Errors
    /// `Misconfigured` when the endpoint does not belong to the environment or a key is missing.
    pub fn new(config: Config) -> Result<Self, GatewayError> {
        let transport = Transport::new(&config, config.timeouts)?;
        let money_timeout = TimeDelta::from_std(config.timeouts.money)
            .map_err(|_| GatewayError::Misconfigured("the payment time-out is too long".to_owned()))?;
        Ok(BraintreeGateway {
            transport,
            merchant_account_id: config.merchant_account_id,
            environment: config.environment,
            api_request_key: config.api_request_key,
            money_timeout,
            webhooks: WebhookVerifier::new(config.public_key, config.private_key),
            carried: None,
        })
    }

    /// Tells that this process itself carries the simulator, opened at the real instant `at`: what
    /// the process before held back has died with it, and what this one holds back is known.
    #[must_use]
    pub fn carried_here(mut self, simulator: Arc<Simulator>, at: DateTime<Utc>) -> Self {
        self.carried = Some((simulator, at));
        self
    }

    /// Is the gateway there and does it take our keys? For `portage check-config`.
    ///
    /// # Errors
    /// Whatever stands in the way.
    pub async fn ping(&self) -> Result<(), GatewayError> {
        let answer = self.transport.call::<String>(&PING, json!({}), Effect::Reads).await?;
        tracing::debug!(answer = answer.payload, "payment gateway is there");
        Ok(())
    }

    /// Braintree's public test nonces would be charged as real cards' stand-ins nowhere but in tests.
    fn refuse_test_method(&self, method: &str) -> Result<(), GatewayError> {
        if self.environment == Environment::Production && method.starts_with("fake-") {
            return Err(rejected("a test card cannot be used here"));
        }
        Ok(())
    }

    /// Adds the idempotency key where the account has the feature. `input` is an object, as every
    /// caller writes it: only to another kind of value could no member be added.
    pub(crate) fn keyed(&self, mut input: Value, order_id: &str) -> Value {
        if self.api_request_key {
            input["apiRequestKey"] = order_id.into();
        }
        json!({ "input": input })
    }

    /// All payments that match, newest first as the gateway orders them.
    pub(crate) async fn payments(&self, input: Value) -> Result<Vec<PaymentNode>, Failure> {
        let mut found = Vec::new();
        let mut after: Option<String> = None;
        for _ in 0..MOST_PAGES {
            let variables = json!({ "input": input, "after": after });
            let page = self.transport.call::<PaymentsPage>(&PAYMENTS, variables, Effect::Reads).await?.payload.payments;
            found.extend(page.edges.into_iter().filter_map(|e| e.node));
            match page.page_info.end_cursor {
                Some(cursor) if page.page_info.has_next_page => after = Some(cursor),
                _ => return Ok(found),
            }
        }
        Err(GatewayError::Unavailable("a search without an end".to_owned()).into())
    }

    pub(crate) async fn payments_of_order(&self, order_id: &str) -> Result<Vec<PaymentNode>, Failure> {
        if let Some(id) = order_id.strip_prefix(WITHOUT_ORDER) {
            let found = self.payments(json!({ "id": { "is": id } })).await?;
            // What goes back of it has an order id that begins so.
            if !found.is_empty() {
                return Ok(found);
            }
        }
        self.payments(json!({ "orderId": { "is": order_id } })).await
    }

    async fn customer_by_email(&self, wanted: &NewCustomer) -> Result<Option<String>, Failure> {
        let same = |c: &FoundCustomer| {
            c.email.as_deref() == Some(wanted.email.as_str())
                && c.first_name.as_deref().unwrap_or_default() == wanted.first_name
                && c.last_name.as_deref().unwrap_or_default() == wanted.last_name
        };
        let variables = json!({ "input": { "email": { "is": wanted.email } }, "after": null });
        let page =
            self.transport.call::<CustomersPage>(&FIND_CUSTOMERS, variables, Effect::Reads).await?.payload.customers;
        // The newest comes first: it is the one the lost answer was about.
        Ok(page.edges.into_iter().filter_map(|e| e.node).find(same).map(|c| c.id))
    }

    async fn send_customer(&self, customer: &NewCustomer) -> Result<String, Failure> {
        let input = json!({
            // Echoed and otherwise ignored by the gateway; it ties the two records in its logs.
            "clientMutationId": customer.user_ref,
            "customer": {
                "firstName": customer.first_name,
                "lastName": customer.last_name,
                "email": customer.email,
                "phoneNumber": customer.phone,
            },
        });
        let answer =
            self.transport.call::<CustomerPayload>(&CREATE_CUSTOMER, json!({ "input": input }), Effect::Writes).await?;
        match answer.payload.customer {
            Some(customer) => Ok(customer.id),
            None => Err(transport::classify(&answer.errors, Effect::Writes)),
        }
    }

    /// What a transaction in an answer to a charge means.
    async fn charged(&self, request: &ChargeRequest, node: &PaymentNode) -> Result<ChargeOutcome, GatewayError> {
        match decline::status(node.status.as_deref().unwrap_or_default()) {
            GatewayStatus::Captured | GatewayStatus::Settled => {
                if node.amount.as_ref().and_then(|a| a.canadian()) != Some(request.amount) {
                    return Err(self.undo_wrong_amount(node).await);
                }
                Ok(captured(node))
            }
            GatewayStatus::Declined => Ok(match decline::duplicate_of(node) {
                Some(original) if is_ours(original, request) => captured(original),
                _ => declined(node),
            }),
            // A voided charge can only be an earlier one of the same request key: it took nothing.
            GatewayStatus::Voided => Err(rejected("this charge was made and voided before")),
            GatewayStatus::Pending => {
                Err(GatewayError::Unknown(format!("the charge is {}", node.status.as_deref().unwrap_or("pending"))))
            }
        }
    }

    /// A merchant account of another currency, or a partial authorization: give it back at once.
    async fn undo_wrong_amount(&self, node: &PaymentNode) -> GatewayError {
        let said = node.amount.as_ref().map_or_else(String::new, |a| {
            format!("{} {}", a.value.as_deref().unwrap_or("?"), a.currency_code.as_deref().unwrap_or("?"))
        });
        match self.reverse(&node.id).await {
            Ok(_) => {
                tracing::error!(transaction = node.id, said, "charged another amount or currency; reversed");
                GatewayError::Misconfigured(format!("charged {said} instead of Canadian dollars as asked; reversed"))
            }
            Err(error) => {
                tracing::error!(
                    transaction = node.id,
                    said,
                    ?error,
                    "charged another amount or currency; NOT reversed"
                );
                GatewayError::Unknown(format!("charged {said} as transaction {}, and could not undo it", node.id))
            }
        }
    }

    /// The gateway says it is unavailable: find out whether the charge went through all the same.
    async fn after_busy(&self, request: &ChargeRequest, why: String) -> Result<ChargeOutcome, GatewayError> {
        let Ok(found) = self.payments_of_order(&request.order_id).await else {
            return Err(GatewayError::Unknown(why));
        };
        match found.iter().find(|n| is_paid(n) && !is_refund(n)) {
            Some(node) => self.charged(request, node).await,
            // Nothing yet, which proves nothing; or declines under the same order id: this attempt's, or
            // an earlier one's. The caller compares.
            None => Err(GatewayError::Unknown(why)),
        }
    }
}

#[async_trait]
impl PaymentGateway for BraintreeGateway {
    async fn client_token(&self, customer: Option<&str>) -> Result<String, GatewayError> {
        // An object, so that adding members cannot fail; likewise in `charge`.
        let mut token = json!({ "merchantAccountId": self.merchant_account_id });
        if let Some(customer) = customer {
            token["customerId"] = customer.into();
        }
        let variables = json!({ "input": { "clientToken": token } });
        // Making a token twice harms nobody, so a lost answer is no open question.
        let answer = self.transport.call::<ClientTokenPayload>(&CLIENT_TOKEN, variables, Effect::Reads).await?;
        match answer.payload.client_token {
            Some(token) => Ok(token),
            None => Err(transport::classify(&answer.errors, Effect::Reads).into()),
        }
    }

    async fn create_customer(&self, customer: &NewCustomer) -> Result<String, GatewayError> {
        let failure = match self.send_customer(customer).await {
            Ok(id) => return Ok(id),
            Err(failure) => failure,
        };
        if !matches!(failure, Failure::Busy(_) | Failure::Other(GatewayError::Unknown(_))) {
            return Err(failure.into());
        }
        match self.customer_by_email(customer).await {
            Ok(Some(id)) => Ok(id),
            Ok(None) => Ok(self.send_customer(customer).await?),
            Err(_) => Err(failure.into()),
        }
    }

    async fn vault(&self, customer: &str, nonce: &str) -> Result<VaultOutcome, GatewayError> {
        self.refuse_test_method(nonce)?;
        let variables = json!({ "input": {
            "paymentMethodId": nonce,
            "customerId": customer,
            "makeDefault": true,
            "verification": { "merchantAccountId": self.merchant_account_id },
        } });
        let answer = match self.transport.call::<VaultPayload>(&VAULT, variables, Effect::Writes).await {
            Ok(answer) => answer,
            Err(Failure::Other(GatewayError::Rejected { code, message })) if is_about_the_card(code.as_deref()) => {
                return Ok(VaultOutcome::Refused { message, code: code.unwrap_or_default(), hard: false });
            }
            Err(failure) => return Err(failure.into()),
        };
        if let Some(method) = answer.payload.payment_method {
            return match &method.details {
                Some(details) if details.last4.is_some() => Ok(VaultOutcome::Stored(card(&method.id, details))),
                _ => Err(rejected("only cards can be stored")),
            };
        }
        if let Some(verification) = &answer.payload.verification {
            let decline = decline::of_verification(verification);
            return Ok(VaultOutcome::Refused { message: decline.message, code: decline.code, hard: decline.hard });
        }
        match answer.errors.first() {
            Some(first)
                if transport::all_validation(&answer.errors)
                    && is_about_the_card(transport::legacy_code(&answer.errors)) =>
            {
                let code = transport::legacy_code(&answer.errors).unwrap_or_default().to_owned();
                Ok(VaultOutcome::Refused { message: first.message.clone(), code, hard: false })
            }
            _ => Err(transport::classify(&answer.errors, Effect::Writes).into()),
        }
    }

    async fn charge(&self, request: &ChargeRequest) -> Result<ChargeOutcome, GatewayError> {
        self.refuse_test_method(&request.method_id)?;
        check_money(&request.order_id, request.amount)?;
        let mut transaction = json!({
            "amount": request.amount,
            "orderId": request.order_id,
            "merchantAccountId": self.merchant_account_id,
        });
        if request.initiator == Initiator::Merchant {
            transaction["paymentInitiator"] = "UNSCHEDULED".into();
        }
        if let Some(tax) = request.tax {
            transaction["tax"] = json!({ "taxAmount": tax });
        }
        let input = json!({ "paymentMethodId": request.method_id, "transaction": transaction });
        let variables = self.keyed(input, &request.order_id);
        match self.transport.call::<TransactionPayload>(&CHARGE, variables, Effect::Writes).await {
            Ok(answer) => match answer.payload.transaction {
                Some(node) => self.charged(request, &node).await,
                None => Err(transport::classify(&answer.errors, Effect::Writes).into()),
            },
            Err(Failure::Busy(why)) => self.after_busy(request, why).await,
            Err(failure) => Err(failure.into()),
        }
    }

    async fn find_by_order(&self, order_id: &str) -> Result<Vec<GatewayTransaction>, GatewayError> {
        let found = self.payments_of_order(order_id).await?;
        found.iter().filter_map(to_transaction).collect()
    }

    async fn disputes(&self, order_id: &str) -> Result<Vec<GatewayDispute>, GatewayError> {
        let found = self.payments_of_order(order_id).await?;
        Ok(found.iter().flat_map(disputes).collect())
    }

    async fn refund(&self, request: &RefundRequest) -> Result<RefundOutcome, GatewayError> {
        check_money(&request.order_id, request.amount)?;
        self.give_back(request).await
    }

    async fn list(&self, from: DateTime<Utc>, until: DateTime<Utc>) -> Result<Vec<GatewayTransaction>, GatewayError> {
        let instant = |t: DateTime<Utc>| t.to_rfc3339_opts(SecondsFormat::Micros, true);
        let found = self
            .payments(json!({
                "createdAt": { "greaterThanOrEqualTo": instant(from), "lessThanOrEqualTo": instant(until) },
                "merchantAccountId": { "is": self.merchant_account_id },
            }))
            .await?;
        // The search includes its upper bound, the port does not.
        found
            .iter()
            .filter(|n| n.created_at.is_none_or(|t| t >= from && t < until))
            .filter_map(to_transaction)
            .collect()
    }

    fn silent_before(&self, wall_now: DateTime<Utc>) -> DateTime<Utc> {
        let horizon = wall_now - self.money_timeout * WANDERING;
        let Some((simulator, opened)) = &self.carried else { return horizon };
        let known = simulator.reach().and_then(|reach| Some(wall_now - TimeDelta::from_std(reach).ok()?));
        known.unwrap_or(horizon).max(*opened)
    }

    fn notification(&self, signature: &str, payload: &str) -> Result<Notification, NotificationRefused> {
        notice::read(&self.webhooks, signature, payload)
    }

    fn answer_challenge(&self, challenge: &str) -> Option<String> {
        self.webhooks.answer_challenge(challenge).ok()
    }
}
