//! What the gateway's status means here.
//!
//! Names: <https://developer.paypal.com/braintree/docs/reference/general/statuses>; GraphQL spells
//! them in capitals.

use super::State;

/// The state a transaction's status stands for; `None` for a name the gateway did not have when
/// this was written, which callers treat as unknown and report. `hard` tells a hard decline, which
/// the status alone does not.
pub fn from_provider(status: &str, hard: bool) -> Option<State> {
    let state = match status.to_ascii_lowercase().as_str() {
        "authorizing" => State::Processing,
        "authorized" => State::Authorized,
        "authorization_expired" => State::Expired,
        "submitted_for_settlement" | "settling" => State::Captured,
        "settled" | "settlement_confirmed" => State::Settled,
        "settlement_pending" => State::Unknown,
        "processor_declined" if hard => State::HardDeclined,
        // The gateway's own rules refused; the card may be fine.
        "processor_declined" | "gateway_rejected" => State::SoftDeclined,
        "failed" | "settlement_declined" => State::Failed,
        "voided" => State::Voided,
        _ => return None,
    };
    Some(state)
}
