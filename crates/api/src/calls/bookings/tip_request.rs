//! A tip as it comes with a booking.

use serde::{Deserialize, Serialize};
use service::bookings::TipInput;
use utoipa::ToSchema;
use validator::Validate;

/// A tip.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema, Validate)]
pub struct TipRequest {
    /// `amount` (dollars) or `percent` (of the price before tax).
    #[serde(rename = "type", default = "amount")]
    #[validate(length(max = 20))]
    #[schema(max_length = 20, default = "amount")]
    kind: String,
    /// A decimal comma is accepted: `"20,50"`.
    #[validate(length(max = 40))]
    #[schema(max_length = 40, example = "20,50")]
    value: String,
}

fn amount() -> String {
    "amount".to_owned()
}

impl From<TipRequest> for TipInput {
    fn from(t: TipRequest) -> TipInput {
        TipInput { kind: t.kind, value: t.value }
    }
}
