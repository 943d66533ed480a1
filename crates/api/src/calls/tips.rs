//! Tips, by their own id or their booking's.

use std::str::FromStr;

use actix_web::web;
use kernel::uuid::Uuid;
use serde::Deserialize;
use serde_json::json;
use service::{bookings::TipInput, tips};
use utoipa::ToSchema;
use validator::Validate;

use super::{
    bookings::parts::TipRecord,
    replies::{Reply, Versioned, versioned},
};
use crate::{
    access::Who,
    contract::{Names, Record, refusals},
    endpoint::{Audit, Example, Relation, Route, SIGNED_IN},
    http::{IfMatch, PathId, ValidJson},
    limits::LimitClass,
    state::State,
};

refusals! {
    /// Why a tip stays as it is.
    TipRefusal { Rule: TipInvalid, TipLocked, PaymentInFlight, CardRequired }
}

/// The id of a tip, or of its booking.
#[derive(Debug, Clone, Copy)]
struct TipKey(Uuid);

impl FromStr for TipKey {
    type Err = kernel::uuid::Error;

    fn from_str(text: &str) -> Result<TipKey, Self::Err> {
        text.parse().map(TipKey)
    }
}

impl Names for TipKey {
    const RECORD: Record = Record::Tip;
}

/// What `PUT /api/tip/{id}` takes.
#[derive(Debug, Deserialize, ToSchema, Validate)]
pub struct TipUpdate {
    /// A decimal comma is accepted: `"20,50"`.
    #[validate(length(max = 40))]
    #[schema(max_length = 40, example = "20,50")]
    value: String,
    /// `amount` (dollars) or `percent` (of the price before tax).
    #[serde(rename = "type", default)]
    #[validate(length(max = 20))]
    #[schema(max_length = 20)]
    kind: Option<String>,
}

async fn get(state: web::Data<State>, who: Who, id: PathId<TipKey>) -> Reply<Versioned<TipRecord>> {
    let tip = tips::get(&state.services, &who.0, id.0.0).await?;
    versioned(tip.version, TipRecord::from(&tip))
}

async fn put(
    state: web::Data<State>,
    who: Who,
    id: PathId<TipKey>,
    version: IfMatch,
    body: ValidJson<TipUpdate>,
) -> Reply<Versioned<TipRecord>, TipRefusal> {
    let TipUpdate { value, kind } = body.value;
    let input = TipInput { kind: kind.unwrap_or_else(|| "amount".to_owned()), value };
    let tip = tips::put(&state.services, &who.0, id.0.0, input, version.0).await?;
    versioned(tip.version, TipRecord::from(&tip))
}

/// Its part of the table.
pub fn routes() -> Vec<Route> {
    vec![
        Route::get("/api/c/tip/{id}", SIGNED_IN, get).relation(Relation::OwnOrStaff).doc(
            "tip",
            "Tips",
            "The tip of one's own booking, by its id or the booking's",
        ),
        Route::get("/api/tip/{id}", SIGNED_IN, get).relation(Relation::OwnOrStaff).doc(
            "tipForStaff",
            "Tips",
            "The tip of one's own booking, any tip for staff, by its id or the booking's",
        ),
        Route::put("/api/tip/{id}", SIGNED_IN, Audit::Action("tip.update"), put)
            .relation(Relation::OwnOrStaff)
            .limited(LimitClass::Payment)
            .doc("updateTip", "Tips", "Change the tip while it is not charged")
            .about("By the tip's id or the booking's; a booking without a tip gets one.")
            .example(Example::json(json!({ "value": "20,50" }))),
    ]
}
