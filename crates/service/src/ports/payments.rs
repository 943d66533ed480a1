//! Charges and refunds: our own rows, and the card gateway.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use kernel::{BookingId, Money, PaymentId};
pub use status_machine::payment::AttemptState;
use status_machine::{At, payment};

pub use super::{paid_with::PaidWith, payment_kind::PaymentKind};

use super::{StoreResult, disputes::DisputeState};

/// One charge or refund of a booking.
#[derive(Debug, Clone, PartialEq)]
pub struct Payment {
    /// Key.
    pub id: PaymentId,
    /// The booking.
    pub booking_id: BookingId,
    /// What for.
    pub kind: PaymentKind,
    /// Where it stands (`domain/statuses.md` §3).
    pub state: At<payment::State>,
    /// How much; always positive.
    pub amount: Money,
    /// When it is due.
    pub due_at: DateTime<Utc>,
    /// Attempts made so far on the retry ladder.
    pub attempts: i32,
    /// When the next attempt may be made; none = not scheduled.
    pub next_attempt_at: Option<DateTime<Utc>>,
    /// For a refund: the charge it returns.
    pub refund_of: Option<PaymentId>,
    /// The gateway's key of the successful transaction.
    pub transaction_id: Option<String>,
    /// Last four digits of the card used.
    pub card_last4: Option<String>,
    /// What the gateway said last (a decline).
    pub last_message: Option<String>,
    /// When it was captured or refunded.
    pub settled_at: Option<DateTime<Utc>>,
    /// Counts up with each change.
    pub version: i32,
    /// When the row was made.
    pub created_at: DateTime<Utc>,
    /// How it is paid, or given back.
    pub method: PaidWith,
    /// Number of the transfer or cheque, or whatever else tells a payment by hand apart.
    pub reference: Option<String>,
}

/// The written intent of one call that moves money.
#[derive(Debug, Clone, PartialEq)]
pub struct Attempt {
    /// Unique and deterministic: the gateway's order id and request key.
    pub order_id: String,
    /// The charge or refund.
    pub payment_id: PaymentId,
    /// 1, 2, …
    pub number: i32,
    /// How much was asked for.
    pub amount: Money,
    /// The card token used (empty for refunds).
    pub method_id: String,
    /// How it ended.
    pub state: At<AttemptState>,
    /// The gateway's key, when it answered one.
    pub transaction_id: Option<String>,
    /// Decline code.
    pub code: Option<String>,
    /// When the intent was written, by the business clock.
    pub created_at: DateTime<Utc>,
    /// When it was sent, in real time: how long a send may still arrive is a matter of networks.
    pub sent_at: DateTime<Utc>,
    /// When the outcome was known.
    pub resolved_at: Option<DateTime<Utc>>,
}

/// Payment rows and attempts.
pub trait Payments {
    /// Adds a row.
    fn insert(&mut self, payment: &Payment) -> StoreResult<()>;
    /// One row.
    fn get(&mut self, id: PaymentId) -> StoreResult<Option<Payment>>;
    /// All rows of a booking, oldest first.
    fn of_booking(&mut self, id: BookingId) -> StoreResult<Vec<Payment>>;
    /// Rows that name this key of the gateway, oldest first. It reads the whole table: for what is rare.
    fn of_transaction(&mut self, transaction_id: &str) -> StoreResult<Vec<Payment>>;
    /// Writes if the stored version equals `payment.version`; answers the new version, else `Stale`.
    fn update(&mut self, payment: &Payment) -> StoreResult<i32>;
    /// Writes an intent; `Duplicate` when the order id exists.
    fn insert_attempt(&mut self, attempt: &Attempt) -> StoreResult<()>;
    /// One attempt by order id.
    fn attempt(&mut self, order_id: &str) -> StoreResult<Option<Attempt>>;
    /// Attempts of a payment, oldest first.
    fn attempts_of(&mut self, id: PaymentId) -> StoreResult<Vec<Attempt>>;
    /// Records how an attempt ended, of how much it was, and which payment it counts for.
    fn resolve_attempt(&mut self, attempt: &Attempt) -> StoreResult<()>;
    /// Gives an attempt another order id, where that of its record is wrong. `Stale` when there is none under the first.
    fn rename_attempt(&mut self, from: &str, to: &str) -> StoreResult<()>;
}

/// A person to be known at the gateway.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct NewCustomer {
    pub user_ref: String,
    pub first_name: String,
    pub last_name: String,
    pub email: String,
    pub phone: Option<String>,
}

/// What the gateway tells of a vaulted card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CardDetails {
    /// `visa`, …
    pub brand: String,
    /// Last four digits.
    pub last4: String,
    /// `MM/YYYY`.
    pub expiry: String,
    /// The token to charge.
    pub method_id: String,
    /// Equal for equal card numbers.
    pub fingerprint: Option<String>,
}

/// How vaulting ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VaultOutcome {
    /// Stored.
    Stored(CardDetails),
    /// The bank or gateway refused the card.
    Refused {
        /// What the gateway said.
        message: String,
        /// Processor code, or that of the field of the card; empty when none came.
        code: String,
        /// True when this card will never do.
        hard: bool,
    },
}

/// Who starts a charge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Initiator {
    /// The customer is present.
    Customer,
    /// We charge the stored card later (Braintree `UNSCHEDULED`).
    Merchant,
}

/// One charge to make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChargeRequest {
    /// Unique and deterministic.
    pub order_id: String,
    /// Vaulted card token.
    pub method_id: String,
    /// How much.
    pub amount: Money,
    /// Tax inside the amount, informational.
    pub tax: Option<Money>,
    /// Who starts it.
    pub initiator: Initiator,
}

/// How a charge ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChargeOutcome {
    /// Authorized and submitted for settlement.
    Captured {
        /// Gateway key.
        transaction_id: String,
        /// The key shown in the gateway's control panel.
        legacy_id: Option<String>,
    },
    /// The bank said no.
    Declined {
        /// True: stop with this card.
        hard: bool,
        /// Processor code.
        code: String,
        /// What the gateway said.
        message: String,
        /// Gateway key of the declined transaction.
        transaction_id: Option<String>,
    },
}

/// Charge or refund, in the gateway's own list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GatewayKind {
    /// A charge.
    Charge,
    /// A refund of a charge.
    Refund {
        /// Key of the charge.
        of: String,
    },
}

/// Where a gateway transaction stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum GatewayStatus {
    Captured,
    Settled,
    Declined,
    Voided,
    Pending,
}

/// One transaction as the gateway knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GatewayTransaction {
    /// Gateway key.
    pub id: String,
    /// Our order id; of what somebody made without one, [`WITHOUT_ORDER`] and the gateway's key.
    pub order_id: String,
    /// How much.
    pub amount: Money,
    /// Charge or refund.
    pub kind: GatewayKind,
    /// Where it stands.
    pub status: GatewayStatus,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// For a decline: hard or soft.
    pub declined_hard: Option<bool>,
    /// Decline code, or where its dispute stands: [`DISPUTE_OPEN`], [`DISPUTE_WON`], [`DISPUTE_LOST`].
    pub code: Option<String>,
}

/// How the name begins under which a transaction without an order id is listed and found.
pub const WITHOUT_ORDER: &str = "transaction:";

/// The bank gave a charge back.
pub const DISPUTE_LOST: &str = "dispute_lost";
/// The cardholder disputes a charge, and the bank has not decided.
pub const DISPUTE_OPEN: &str = "dispute_open";
/// The bank decided that a disputed charge is ours.
pub const DISPUTE_WON: &str = "dispute_won";

/// A dispute as the gateway knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GatewayDispute {
    /// Gateway key.
    pub id: String,
    /// Key of the charge.
    pub transaction_id: String,
    /// Where it stands.
    pub state: DisputeState,
    /// How much of the charge.
    pub amount: Money,
    /// The gateway's word for why, in small letters: `fraud`, `product_not_received`, …; empty when it says none.
    pub reason: String,
    /// The bank's number of the case.
    pub case_number: Option<String>,
    /// Until when it can be answered.
    pub reply_by: Option<DateTime<Utc>>,
}

/// One refund to make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefundRequest {
    /// Unique and deterministic.
    pub order_id: String,
    /// The charge to return.
    pub transaction_id: String,
    /// How much.
    pub amount: Money,
    /// True when it is the whole charge: an unsettled one is voided instead.
    pub full: bool,
}

/// How a refund ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RefundOutcome {
    /// Money is on its way back.
    Refunded {
        /// Gateway key of the refund.
        refund_id: String,
    },
    /// The charge was undone before it settled.
    Voided {
        /// Gateway key of the charge.
        transaction_id: String,
    },
    /// Part of an unsettled charge cannot be returned yet: try again later.
    NotSettledYet,
    /// Refused for good.
    Refused {
        /// Gateway code.
        code: String,
        /// What the gateway said.
        message: String,
    },
}

/// Why a gateway call has no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GatewayError {
    /// A definite no to the input; nothing happened.
    #[error("the payment service refused the request: {message}")]
    Rejected {
        /// Gateway code.
        code: Option<String>,
        /// What the gateway said.
        message: String,
    },
    /// Nobody knows whether it was applied: look up by order id before sending again.
    #[error("the outcome at the payment service is unknown: {0}")]
    Unknown(String),
    /// Definitely not applied; may be tried again.
    #[error("the payment service is unavailable: {0}")]
    Unavailable(String),
    /// Slow down.
    #[error("the payment service asks to slow down")]
    RateLimited,
    /// Our keys or settings are wrong.
    #[error("the payment service refused our settings: {0}")]
    Misconfigured(String),
    /// The thing named does not exist there.
    #[error("not found at the payment service")]
    NotFound,
}

/// What a notification is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Topic {
    /// A captured charge settled.
    Settled,
    /// A captured charge was refused by the bank when it settled.
    SettlementDeclined,
    /// The bank did not take a refund.
    RefundFailed,
    /// A dispute was opened or went on.
    Dispute,
    /// Anything else, among it its test of our address.
    Other,
}

/// A notification whose signature is the gateway's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notification {
    /// What it is about.
    pub topic: Topic,
    /// The gateway's own name for that.
    pub kind: String,
    /// The order id of the charge it is about, when it names one.
    pub order_id: Option<String>,
}

/// Why a notification is not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotificationRefused {
    /// It was not signed with our keys, or is not what it should be.
    #[error("it is not from the payment service: {0}")]
    NotOurs(String),
    /// This gateway sends none.
    #[error("the payment service sends no notifications")]
    Unsupported,
}

/// A card gateway.
#[async_trait]
pub trait PaymentGateway: Send + Sync {
    /// A token for the browser's card fields.
    async fn client_token(&self, customer: Option<&str>) -> Result<String, GatewayError>;
    /// Makes a customer; on an unknown outcome the adapter searches before it makes another.
    async fn create_customer(&self, customer: &NewCustomer) -> Result<String, GatewayError>;
    /// Stores the card behind a single-use nonce.
    async fn vault(&self, customer: &str, nonce: &str) -> Result<VaultOutcome, GatewayError>;
    /// Charges a stored card.
    async fn charge(&self, request: &ChargeRequest) -> Result<ChargeOutcome, GatewayError>;
    /// What exists under an order id.
    async fn find_by_order(&self, order_id: &str) -> Result<Vec<GatewayTransaction>, GatewayError>;
    /// The disputes of what exists under an order id.
    async fn disputes(&self, order_id: &str) -> Result<Vec<GatewayDispute>, GatewayError>;
    /// Returns money.
    async fn refund(&self, request: &RefundRequest) -> Result<RefundOutcome, GatewayError>;
    /// Everything it did in [from, until), for reconciliation.
    async fn list(&self, from: DateTime<Utc>, until: DateTime<Utc>) -> Result<Vec<GatewayTransaction>, GatewayError>;
    /// What was sent before this instant (real time) and is not listed by now will never be applied:
    /// "not found" proves nothing about anything younger. `wall_now` is the present, in real time.
    fn silent_before(&self, wall_now: DateTime<Utc>) -> DateTime<Utc>;
    /// Checks the signature of a notification and reads it; even a right one is only a reason to look.
    ///
    /// # Errors
    /// When it is not the gateway's.
    fn notification(&self, _signature: &str, _payload: &str) -> Result<Notification, NotificationRefused> {
        Err(NotificationRefused::Unsupported)
    }
    /// What answers its question whether our address for notifications is really ours; none when
    /// the question is not one it would ask.
    fn answer_challenge(&self, _challenge: &str) -> Option<String> {
        None
    }
}
