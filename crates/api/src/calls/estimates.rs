//! Prices and durations, before anybody gives a name.

use actix_web::web;
use kernel::{
    Language,
    chrono::{DateTime, Utc},
};
use pricing::Line;
use serde::Serialize;
use service::{
    estimates::{self, EstimateInput, Explained, TimeNeeded, explain::Explainer, hints::Hint},
    secret,
};
use utoipa::ToSchema;

use super::{
    examples,
    moves::{EstimateRequestBody, MoveRequestBody},
    replies::{Json, Reply},
    values::{Cash, LineTypeCode, MoveKindCode},
    warnings::{CrewWarning, warnings},
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
    /// Decimal string: the line's own factor times the date's.
    pub multiplier: String,
    /// The line's own factor, whatever the date: `0.50` on the way back. Every estimate has it; lines of old bookings do not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub own_factor: Option<String>,
    /// The date's factor alone; likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date_factor: Option<String>,
    /// Price period, `base`.
    pub period: String,
    /// Dollars; negative for a discount.
    pub amount: Cash,
    /// How the amount comes about: quantity × rate × named factors, minimum or cap. Every estimate has it, in the language
    /// of the answer; a booking keeps it in its own; lines of old bookings and those staff added do not have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explanation: Option<String>,
}

impl PriceLine {
    fn of(line: &Line, explainer: &Explainer<'_>, language: Language) -> PriceLine {
        PriceLine {
            kind: line.content.code().to_owned(),
            code: line.code.clone(),
            description: pricing::describe_line(line, language),
            quantity: line.exact_quantity().to_string(),
            unit: line.unit.code().to_owned(),
            unit_price: line.unit_price_text(),
            multiplier: line.exact_multiplier().to_string(),
            own_factor: Some(line.exact_own_factor().to_string()),
            date_factor: Some(line.exact_date_factor().to_string()),
            period: line.period.clone(),
            amount: line.amount.into(),
            explanation: Some(explainer.line(line)),
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

/// Something that would make the move cheaper.
#[derive(Debug, Serialize, ToSchema)]
pub struct PriceHint {
    /// `pickup_elevator`, `dropoff_elevator`, `pickup_parking`, `dropoff_parking`, `pickup_easy_access`,
    /// `dropoff_easy_access`, `no_assembly`, `client_helps`.
    pub code: &'static str,
    /// Dollars on `amount`; negative.
    pub difference: Cash,
}

impl From<&Hint> for PriceHint {
    fn from(hint: &Hint) -> PriceHint {
        PriceHint { code: hint.code, difference: hint.difference.into() }
    }
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
    /// The kind it is priced as: `longDistance` also where another was asked for and the way is that long.
    #[schema(value_type = MoveKindCode)]
    effective_kind: &'static str,
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
    /// The day's name where it makes hours dearer, in the language of the answer.
    date_label: Option<String>,
    /// What would make it cheaper, each priced on its own; the most first.
    hints: Vec<PriceHint>,
    /// Rate card used.
    rate_id: String,
    /// Its version.
    rate_version: i32,
    /// It is the price of the mailed quote that was named, and holds until then; left out when it is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    kept_until: Option<DateTime<Utc>>,
}

impl EstimateAnswer {
    fn of(told: &Explained, language: Language) -> EstimateAnswer {
        let e = &told.estimate;
        let (q, d, explainer) = (&e.quote, &e.duration, e.explainer(language));
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
            effective_kind: d.effective_kind.code(),
            tier: d.tier,
            duration: d.minutes,
            is_duration_within_limit: d.within_limit,
            total_cubic_feet: d.cubic_feet_text(),
            big_items: d.big_items,
            small_items: d.small_items,
            min_mates: d.min_heads,
            warnings: warnings(&d.warnings, &told.culprits, language),
            lines: q.lines.iter().map(|l| PriceLine::of(l, &explainer, language)).collect(),
            date_label: explainer.day().map(str::to_owned),
            hints: told.hints.iter().map(PriceHint::from).collect(),
            rate_id: e.rate_id.to_string(),
            rate_version: e.rate_version,
            kept_until: told.kept_until,
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
    body: ValidJson<EstimateRequestBody>,
) -> Reply<Json<EstimateAnswer>, EstimateRefusal> {
    let saved_quote = body.value.saved_quote.as_deref().map(secret::hash);
    let input = EstimateInput { saved_quote, ..body.value.estimate()? };
    let done = estimates::estimate(&state.services, &who.0, input).await?;
    Ok(Json(EstimateAnswer::of(&done, who.0.language)))
}

async fn duration(
    state: web::Data<State>,
    who: Who,
    body: ValidJson<MoveRequestBody>,
) -> Reply<Json<DurationAnswer>, EstimateRefusal> {
    let TimeNeeded { duration, culprits } = estimates::duration(&state.services, &who.0, body.value.job()?).await?;
    Ok(Json(DurationAnswer {
        duration: duration.minutes,
        is_duration_within_limit: duration.within_limit,
        warnings: warnings(&duration.warnings, &culprits, who.0.language),
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
