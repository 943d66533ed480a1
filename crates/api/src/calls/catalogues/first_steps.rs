//! The first steps of a new company.

use actix_web::web;
use serde::Serialize;
use service::settings::first_steps::{self, Steps};
use utoipa::ToSchema;

use super::common::TAG;
use crate::{
    access::AsStaff,
    calls::{
        replies::{Json, Reply},
        values::FirstStepCode,
    },
    contract::refusals,
    endpoint::{Audit, Route, STAFF},
    state::State,
};

refusals! {
    /// Why there is nothing to confirm.
    ConfirmRefusal { Rule: RateMissing }
}

/// A step.
#[derive(Debug, Serialize, ToSchema)]
pub struct FirstStep {
    #[schema(value_type = FirstStepCode)]
    code: &'static str,
    /// It is done.
    done: bool,
}

/// What a new company does before it opens.
#[derive(Debug, Serialize, ToSchema)]
pub struct FirstSteps {
    /// In the order in which they are best done.
    steps: Vec<FirstStep>,
    /// All are done.
    done: bool,
}

impl From<Steps> for FirstSteps {
    fn from(steps: Steps) -> FirstSteps {
        FirstSteps {
            done: steps.iter().all(|(_, done)| *done),
            steps: steps.into_iter().map(|(step, done)| FirstStep { code: step.code(), done }).collect(),
        }
    }
}

async fn show(state: web::Data<State>, who: AsStaff) -> Reply<Json<FirstSteps>> {
    Ok(Json(first_steps::show(&state.services, &who.0).await?.into()))
}

async fn confirm_prices(state: web::Data<State>, who: AsStaff) -> Reply<Json<FirstSteps>, ConfirmRefusal> {
    Ok(Json(first_steps::confirm_prices(&state.services, &who.0).await?.into()))
}

/// Their part of the table.
pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get("/api/first-steps", STAFF, show).doc(
            "firstSteps",
            TAG,
            "What a new company does before it opens, and what of it is done",
        ),
        Route::post("/api/first-steps/prices", STAFF, Audit::Action("first_steps.prices"), confirm_prices)
            .doc("confirmPrices", TAG, "Confirm that the standard rate card has the company's own prices")
            .about(
                "Once is enough: a second time changes nothing. Whoever saves a version of the card confirms it so.",
            ),
    ]
}
