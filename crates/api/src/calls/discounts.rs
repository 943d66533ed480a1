//! Discount codes.

use actix_web::web;
use kernel::chrono::NaiveDate;
use pricing::DiscountTerms;
use serde::{Deserialize, Serialize};
use serde_json::json;
use service::{discounts, ports::discounts::StoredDiscount};
use utoipa::ToSchema;
use validator::Validate;

use super::replies::{Json, Reply};
use crate::{
    contract::refusals,
    endpoint::{Access, Audit, Example, Route},
    http::ValidJson,
    limits::LimitClass,
    state::State,
};

refusals! {
    /// Why there is no such code.
    DiscountRefusal { Rule: DiscountNotFound }
}

/// What `POST /api/discount` takes.
#[derive(Debug, Deserialize, ToSchema, Validate)]
#[serde(rename_all = "camelCase")]
pub struct DiscountRequest {
    /// As typed; case does not matter.
    #[validate(length(min = 1, max = 100))]
    #[schema(min_length = 1, max_length = 100, example = "WELCOME10")]
    discount_code: String,
    /// Day of the move.
    #[schema(value_type = String, format = Date, example = "2027-02-17")]
    booking_date: NaiveDate,
}

/// A code that is good on that day.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DiscountAnswer {
    /// As printed.
    code: String,
    /// `percent` or `fixed`.
    kind: &'static str,
    /// Percent or dollars, two decimals: `"10.00"`.
    value: String,
    /// First move date.
    #[schema(value_type = String, format = Date)]
    valid_from: NaiveDate,
    /// Last move date.
    #[schema(value_type = String, format = Date)]
    valid_until: NaiveDate,
}

impl From<&StoredDiscount> for DiscountAnswer {
    fn from(d: &StoredDiscount) -> DiscountAnswer {
        let (kind, value) = match &d.terms {
            // A basis point is a hundredth of a percent: the same digits as cents of a dollar.
            DiscountTerms::Percent { share, .. } => ("percent", kernel::Money::from_cents(share.get()).to_string()),
            DiscountTerms::Fixed { amount } => ("fixed", amount.to_string()),
        };
        DiscountAnswer { code: d.code.clone(), kind, value, valid_from: d.valid_from, valid_until: d.valid_until }
    }
}

async fn lookup(
    state: web::Data<State>,
    body: ValidJson<DiscountRequest>,
) -> Reply<Json<DiscountAnswer>, DiscountRefusal> {
    let DiscountRequest { discount_code, booking_date } = body.value;
    let found = discounts::lookup(&state.services, discount_code, booking_date).await?;
    Ok(Json(DiscountAnswer::from(&found)))
}

/// Its part of the table.
pub fn routes() -> Vec<Route> {
    vec![
        Route::post("/api/discount", Access::Public, Audit::Looks, lookup)
            .limited(LimitClass::Guest)
            .doc("findDiscount", "Estimates", "A discount code for a moving date")
            .example(Example::json(json!({ "discountCode": "welcome10", "bookingDate": "2027-02-17" }))),
    ]
}
