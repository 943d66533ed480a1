//! One move on many days, and with many crews.

use actix_web::web;
use kernel::{Language, chrono::NaiveDate};
use pricing::line::exact_factor;
use serde::Serialize;
use service::{
    estimates::{
        EstimateInput,
        crews::{self, Label, PricedCrew},
        days::{self, PricedDay, PricedDays},
    },
    secret,
};
use utoipa::ToSchema;

use super::{
    estimates::EstimateRefusal,
    examples,
    moves::{EstimateRequestBody, PricesRequestBody},
    replies::{Json, Reply},
    values::{Cash, CrewLabelCode},
    warnings::{CrewWarning, warnings},
};
use crate::{
    access::Who,
    endpoint::{Access, Audit, Example, Route},
    http::ValidJson,
    limits::LimitClass,
    state::State,
};

/// Days in order.
#[derive(Debug, Serialize, ToSchema)]
pub struct PricesAnswer {
    /// One a day asked for.
    days: Vec<DayPrice>,
    /// The first open day with the lowest total; none when no day is open.
    #[schema(value_type = Option<String>, format = Date)]
    cheapest: Option<NaiveDate>,
}

/// What the move costs on a day.
#[derive(Debug, Serialize, ToSchema)]
pub struct DayPrice {
    /// Local day at the pickup.
    #[schema(value_type = String, format = Date)]
    date: NaiveDate,
    /// After the discount, before tax.
    amount: Cash,
    /// `amount` and tax.
    total: Cash,
    /// On hourly lines.
    #[schema(example = "1.10")]
    factor: String,
    /// Name in the rate card; none on an ordinary day.
    period: Option<String>,
    /// What people call the day, in the language of the answer; none on an ordinary day.
    #[schema(example = "Moving day, July 1")]
    label: Option<String>,
    /// Some start of that day is free for this crew and duration.
    open: bool,
}

impl From<PricedDay> for DayPrice {
    fn from(d: PricedDay) -> DayPrice {
        DayPrice {
            date: d.date,
            amount: d.amount.into(),
            total: d.total.into(),
            factor: exact_factor(d.factor).to_string(),
            period: d.period,
            label: d.label,
            open: d.open,
        }
    }
}

impl From<PricedDays> for PricesAnswer {
    fn from(p: PricedDays) -> PricesAnswer {
        PricesAnswer { days: p.days.into_iter().map(DayPrice::from).collect(), cheapest: p.cheapest }
    }
}

/// Crews, the smallest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct CrewsAnswer {
    /// Every size customers may book, and the one asked for.
    crews: Vec<CrewPrice>,
}

/// What the move costs with a crew.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CrewPrice {
    /// Paid mates.
    mate_count: u8,
    /// After the discount, before tax.
    amount: Cash,
    /// `amount` and tax.
    total: Cash,
    /// Minutes.
    duration: u32,
    /// What stops this crew from being booked online.
    warnings: Vec<CrewWarning>,
    /// `cheapest` and `fastest` of the crews that may be booked; `refused_heavy_item`: see the warnings' items.
    #[schema(value_type = Vec<CrewLabelCode>)]
    labels: Vec<&'static str>,
}

impl CrewPrice {
    fn of(crew: &PricedCrew, language: Language) -> CrewPrice {
        CrewPrice {
            mate_count: crew.mates.get(),
            amount: crew.amount.into(),
            total: crew.total.into(),
            duration: crew.duration,
            warnings: warnings(&crew.warnings, &crew.culprits, language),
            labels: crew.labels.iter().copied().map(Label::code).collect(),
        }
    }
}

async fn prices(
    state: web::Data<State>,
    who: Who,
    body: ValidJson<PricesRequestBody>,
) -> Reply<Json<PricesAnswer>, EstimateRefusal> {
    let (from, days) = (body.value.from, body.value.days);
    let saved_quote = body.value.saved_quote.as_deref().map(secret::hash);
    let input = EstimateInput { saved_quote, ..body.value.estimate()? };
    let priced = days::prices(&state.services, &who.0, input, from, days).await?;
    Ok(Json(priced.into()))
}

async fn crews(
    state: web::Data<State>,
    who: Who,
    body: ValidJson<EstimateRequestBody>,
) -> Reply<Json<CrewsAnswer>, EstimateRefusal> {
    let saved_quote = body.value.saved_quote.as_deref().map(secret::hash);
    let input = EstimateInput { saved_quote, ..body.value.estimate()? };
    let all = crews::crews(&state.services, &who.0, input).await?;
    Ok(Json(CrewsAnswer { crews: all.iter().map(|c| CrewPrice::of(c, who.0.language)).collect() }))
}

/// Its part of the table.
pub fn routes() -> Vec<Route> {
    vec![
        Route::post("/api/booking/prices", Access::Public, Audit::Looks, prices)
            .limited(LimitClass::Guest)
            .doc("priceDays", "Estimates", "The price of a move on each of many days")
            .about("Each day answers what the estimate of that day answers, by the price of a mailed quote (`savedQuote`) on the day it was mailed for. `open`: some start is free; past days and those beyond the horizon are not open.")
            .example(Example::json(examples::prices())),
        Route::post("/api/booking/crews", Access::Public, Audit::Looks, crews)
            .limited(LimitClass::Guest)
            .doc("priceCrews", "Estimates", "The price of a move with each crew one may choose")
            .about("Each crew answers what the estimate with that crew answers, by the price of a mailed quote (`savedQuote`) with the crew it was mailed for; `mateCount` of the request does not matter while customers may book that many.")
            .example(Example::json(examples::estimate())),
    ]
}
