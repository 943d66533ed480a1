//! Prices and durations, before anybody gives a name.

use actix_web::web;
use kernel::Language;
use pricing::{Line, Warning};
use serde::Serialize;
use service::estimates::{self, Estimate};
use utoipa::ToSchema;

use super::{
    examples,
    moves::MoveRequestBody,
    replies::{Json, Reply},
    values::{Cash, LineTypeCode},
};
use crate::{
    access::Who,
    contract::refusals,
    endpoint::{Access, Audit, Example, Route},
    http::ValidJson,
    limits::LimitClass,
    state::State,
};

refusals! {
    /// Why there is no price.
    EstimateRefusal { Rule: NoRate }
}

/// One line of a price.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PriceLine {
    /// Content type.
    #[serde(rename = "type")]
    #[schema(value_type = LineTypeCode)]
    pub kind: String,
    /// `labour`, `travel_fee`, …; a discount's own code.
    pub code: String,
    /// For people, in the language of the answer.
    pub description: String,
    /// Decimal string.
    pub quantity: String,
    /// `hour`, `km`, `flat`.
    pub unit: String,
    /// Dollars a unit.
    pub unit_price: String,
    /// Decimal string.
    pub multiplier: String,
    /// Price period, `base`.
    pub period: String,
    /// Dollars; negative for a discount.
    pub amount: Cash,
}

impl PriceLine {
    fn of(line: &Line, language: Language) -> PriceLine {
        PriceLine {
            kind: line.content.code().to_owned(),
            code: line.code.clone(),
            description: pricing::describe_line(line, language),
            quantity: line.quantity_text(),
            unit: line.unit.code().to_owned(),
            unit_price: line.unit_price_text(),
            multiplier: line.multiplier_text(),
            period: line.period.clone(),
            amount: line.amount.into(),
        }
    }
}

/// One tax of an amount.
#[derive(Debug, Serialize, ToSchema)]
pub struct TaxPart {
    /// `gst`, `qst`, `hst`.
    pub name: String,
    /// Decimal string.
    pub rate: String,
    /// Dollars.
    pub amount: Cash,
}

/// Something the crew does not suit.
#[derive(Debug, Serialize, ToSchema)]
pub struct CrewWarning {
    /// `heavy_item_single_mate`, `min_mates`, `contact_support`.
    pub code: &'static str,
    /// For `min_mates`: how many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mates: Option<u8>,
}

fn warnings(list: &[Warning]) -> Vec<CrewWarning> {
    list.iter().map(|w| CrewWarning { code: w.code(), mates: w.mates() }).collect()
}

/// The price, line by line.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EstimateAnswer {
    /// After the discount, before tax.
    amount: Cash,
    /// Before the discount.
    original_amount: Cash,
    /// What the code takes off.
    discount: Cash,
    /// `CAD`.
    currency: &'static str,
    /// On `amount`.
    tax: Cash,
    /// `gst+qst`, `gst`, `hst`.
    tax_type: String,
    /// They add up to `tax`.
    tax_components: Vec<TaxPart>,
    /// `amount` and `tax`.
    total: Cash,
    /// The code that was applied.
    discount_code: Option<String>,
    /// A code was sent that is not good for this move.
    discount_refused: bool,
    /// Size class, 1 to 3.
    tier: u8,
    /// Minutes.
    duration: u32,
    /// False: too long to be booked online.
    #[serde(rename = "is_duration_within_limit")]
    is_duration_within_limit: bool,
    /// One decimal.
    total_cubic_feet: String,
    /// Pieces of 50 cubic feet and more.
    big_items: u32,
    /// The other pieces.
    small_items: u32,
    /// Heads the belongings need.
    min_mates: u8,
    /// Each blocks booking, none blocks the estimate.
    warnings: Vec<CrewWarning>,
    /// They add up to `amount`.
    lines: Vec<PriceLine>,
    /// Rate card used.
    rate_id: String,
    /// Its version.
    rate_version: i32,
}

impl EstimateAnswer {
    fn of(e: &Estimate, language: Language) -> EstimateAnswer {
        let (q, d) = (&e.quote, &e.duration);
        let part = |c: &pricing::TaxComponent| TaxPart {
            name: c.name.clone(),
            rate: c.rate.to_string(),
            amount: c.amount.into(),
        };
        EstimateAnswer {
            amount: q.amount.into(),
            original_amount: q.original_amount.into(),
            discount: q.discount.into(),
            currency: "CAD",
            tax: q.tax.amount.into(),
            tax_type: q.tax.type_code.to_string(),
            tax_components: q.tax.components.iter().map(part).collect(),
            total: q.total.into(),
            discount_code: e.discount_code.clone(),
            discount_refused: e.discount_refused,
            tier: d.tier,
            duration: d.minutes,
            is_duration_within_limit: d.within_limit,
            total_cubic_feet: d.cubic_feet_text(),
            big_items: d.big_items,
            small_items: d.small_items,
            min_mates: d.min_heads,
            warnings: warnings(&d.warnings),
            lines: q.lines.iter().map(|l| PriceLine::of(l, language)).collect(),
            rate_id: e.rate_id.to_string(),
            rate_version: e.rate_version,
        }
    }
}

/// How long it takes.
#[derive(Debug, Serialize, ToSchema)]
pub struct DurationAnswer {
    /// Minutes.
    duration: u32,
    /// False: too long to be booked online.
    is_duration_within_limit: bool,
    /// Each blocks booking.
    warnings: Vec<CrewWarning>,
}

async fn estimate(
    state: web::Data<State>,
    who: Who,
    body: ValidJson<MoveRequestBody>,
) -> Reply<Json<EstimateAnswer>, EstimateRefusal> {
    let done = estimates::estimate(&state.services, &who.0, body.value.estimate()?).await?;
    Ok(Json(EstimateAnswer::of(&done, who.0.language)))
}

async fn duration(
    state: web::Data<State>,
    who: Who,
    body: ValidJson<MoveRequestBody>,
) -> Reply<Json<DurationAnswer>, EstimateRefusal> {
    let done = estimates::duration(&state.services, &who.0, body.value.job()?).await?;
    Ok(Json(DurationAnswer {
        duration: done.minutes,
        is_duration_within_limit: done.within_limit,
        warnings: warnings(&done.warnings),
    }))
}

/// Its part of the table.
pub fn routes() -> Vec<Route> {
    vec![
        Route::post("/api/booking/estimate", Access::Public, Audit::Looks, estimate)
            .limited(LimitClass::Guest)
            .doc("estimateBooking", "Estimates", "The fixed price of a move, line by line")
            .about("Warnings block booking, not the estimate. A code that is not good for the move is left out and `discountRefused` is true.")
            .example(Example::json(examples::estimate())),
        Route::post("/api/booking/duration", Access::Public, Audit::Looks, duration)
            .limited(LimitClass::Guest)
            .doc("estimateDuration", "Estimates", "How long a move takes")
            .example(Example::json(examples::estimate())),
    ]
}
