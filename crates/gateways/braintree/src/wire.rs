//! The shapes of the answers, only the fields the documents in `operations/` select.

use chrono::{DateTime, NaiveDate, Utc};
use kernel::Money;
use serde::Deserialize;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ClientTokenPayload {
    pub client_token: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct CustomerPayload {
    pub customer: Option<Id>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(crate) struct Id {
    pub id: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Page<T> {
    pub page_info: PageInfo,
    #[serde(default = "Vec::new")]
    pub edges: Vec<Edge<T>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PageInfo {
    pub has_next_page: bool,
    pub end_cursor: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Edge<T> {
    pub node: Option<T>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct CustomersPage {
    pub customers: Page<FoundCustomer>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FoundCustomer {
    pub id: String,
    pub first_name: Option<String>,
    pub last_name: Option<String>,
    pub email: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct PaymentsPage {
    pub payments: Page<PaymentNode>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VaultPayload {
    pub payment_method: Option<PaymentMethod>,
    pub verification: Option<Verification>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct PaymentMethod {
    pub id: String,
    pub details: Option<CardNode>,
}

/// `CreditCardDetails`; every field is absent for other kinds of payment method.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CardNode {
    pub brand_code: Option<String>,
    pub last4: Option<String>,
    pub expiration_month: Option<String>,
    pub expiration_year: Option<String>,
    pub unique_number_identifier: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Verification {
    pub status: Option<String>,
    pub gateway_rejection_reason: Option<String>,
    pub processor_response: Option<ProcessorResponse>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ProcessorResponse {
    pub legacy_code: Option<String>,
    pub message: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct TransactionPayload {
    pub transaction: Option<PaymentNode>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct RefundPayload {
    pub refund: Option<PaymentNode>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct ReversePayload {
    pub reversal: Option<PaymentNode>,
}

/// A `Transaction` or a `Refund`: what the interface `Payment` shares, and what only one has.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PaymentNode {
    #[serde(rename = "__typename")]
    pub typename: Option<String>,
    pub id: String,
    pub legacy_id: Option<String>,
    pub status: Option<String>,
    pub order_id: Option<String>,
    pub created_at: Option<DateTime<Utc>>,
    pub amount: Option<Amount>,
    #[serde(default)]
    pub status_history: Option<Vec<StatusEvent>>,
    #[serde(default)]
    pub refunds: Option<Vec<PaymentNode>>,
    pub refunded_transaction: Option<Id>,
    #[serde(default)]
    pub disputes: Option<Vec<DisputeNode>>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DisputeNode {
    pub id: Option<String>,
    pub status: Option<String>,
    pub case_number: Option<String>,
    pub reply_by_date: Option<NaiveDate>,
    pub amount_disputed: Option<Amount>,
    pub processor_response: Option<DisputeResponse>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DisputeResponse {
    pub reason: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Amount {
    pub value: Option<String>,
    pub currency_code: Option<String>,
}

impl Amount {
    /// The amount, if it is one in Canadian dollars.
    pub(crate) fn canadian(&self) -> Option<Money> {
        if self.currency_code.as_deref() != Some("CAD") {
            return None;
        }
        self.value.as_deref().and_then(|v| v.parse().ok())
    }
}

/// One entry of `statusHistory`, newest first; the fields of all event types side by side.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StatusEvent {
    pub status: Option<String>,
    pub decline_type: Option<String>,
    pub gateway_rejection_reason: Option<String>,
    pub processor_response: Option<ProcessorResponse>,
    pub merchant_advice_code_response: Option<AdviceCode>,
    pub duplicate_of: Option<Box<PaymentNode>>,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct AdviceCode {
    pub code: Option<String>,
}
