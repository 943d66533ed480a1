//! Tips, by their own id or their booking's.

use actix_web::web;
use kernel::uuid::Uuid;
use serde::Deserialize;
use service::{ErrorCode, bookings::TipInput, tips};
use utoipa::ToSchema;
use validator::Validate;

use super::{
    bookings::record::TipRecord,
    replies::{Reply, versioned},
};
use crate::{
    access::Who,
    doc::Doc,
    endpoint::Route,
    endpoint::{CUSTOMERS, STAFF},
    http::{IfMatch, PathId, ValidJson},
    limits::LimitClass,
    state::State,
};

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

async fn get(state: web::Data<State>, who: Who, id: PathId<Uuid>) -> Reply {
    let tip = tips::get(&state.services, &who.0, id.0).await?;
    versioned(tip.version, &TipRecord::from(&tip))
}

async fn put(
    state: web::Data<State>,
    who: Who,
    id: PathId<Uuid>,
    version: IfMatch,
    body: ValidJson<TipUpdate>,
) -> Reply {
    let TipUpdate { value, kind } = body.value;
    let input = TipInput { kind: kind.unwrap_or_else(|| "amount".to_owned()), value };
    let tip = tips::put(&state.services, &who.0, id.0, input, version.0).await?;
    versioned(tip.version, &TipRecord::from(&tip))
}

/// Its part of the table.
pub fn routes() -> Vec<Route> {
    vec![
        Route::get("/api/c/tip/{id}", CUSTOMERS, get).relation("own; staff any").doc(
            Doc::new("tip", "Tips", "The tip of one's own booking, by its id or the booking's")
                .answers::<TipRecord>(200, "The tip."),
        ),
        Route::get("/api/tip/{id}", STAFF, get).doc(
            Doc::new("tipForStaff", "Back office", "Any tip, by its id or the booking's")
                .answers::<TipRecord>(200, "The tip."),
        ),
        Route::put("/api/tip/{id}", CUSTOMERS, put).relation("own; staff any").limited(LimitClass::Payment).doc(
            Doc::new("updateTip", "Tips", "Change the tip while it is not charged")
                .about("By the tip's id or the booking's; a booking without a tip gets one.")
                .body::<TipUpdate>()
                .if_match(false)
                .answers::<TipRecord>(200, "The tip.")
                .refuses(&[ErrorCode::TipInvalid, ErrorCode::TipLocked]),
        ),
    ]
}
