//! A day on paper.

use actix_web::web;
use kernel::{Language, chrono::NaiveDate};
use serde::{Deserialize, Serialize};
use service::dispatch::sheet::{self, OnSheet};
use utoipa::ToSchema;

use super::{board::hub_of, jobs::CrewJobRecord};
use crate::{
    access::AsStaff,
    calls::{
        replies::{Json, Reply},
        values::{LanguageCode, blank},
    },
    http::ValidQuery,
    state::State,
};

/// Which day of which hub.
#[derive(Debug, Deserialize, ToSchema)]
pub struct DaySheetQuery {
    /// Id of the hub.
    #[schema(max_length = 60)]
    hub: String,
    /// Local day.
    #[schema(value_type = String, format = Date)]
    date: NaiveDate,
    /// The crew's language, for the names of items; that of the call when it is left out.
    #[serde(default, deserialize_with = "blank")]
    #[schema(value_type = Option<LanguageCode>)]
    language: Option<Language>,
}

/// A day as its crews take it along: no price, no e-mail address.
#[derive(Debug, Serialize, ToSchema)]
pub struct DaySheet {
    /// Jobs that take place, by their start; the items in the language that was asked for.
    data: Vec<CrewJobRecord>,
    /// Everybody who is on them, once.
    mates: Vec<SheetMate>,
}

/// Somebody on a job of the day.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SheetMate {
    /// Key.
    mate_id: String,
    /// Languages they read.
    #[schema(value_type = Vec<LanguageCode>)]
    languages: Vec<Language>,
    /// They do not come that day, and nobody goes instead yet.
    away: bool,
}

impl From<&OnSheet> for SheetMate {
    fn from(one: &OnSheet) -> SheetMate {
        SheetMate { mate_id: one.mate.to_string(), languages: one.languages.clone(), away: one.away }
    }
}

pub async fn get(state: web::Data<State>, who: AsStaff, query: ValidQuery<DaySheetQuery>) -> Reply<Json<DaySheet>> {
    let DaySheetQuery { hub, date, language } = query.value;
    let sheet = sheet::sheet(&state.services, &who.0, hub_of(hub)?, date).await?;
    let language = language.unwrap_or(who.0.caller().language);
    Ok(Json(DaySheet {
        data: sheet.jobs.iter().map(|job| CrewJobRecord::of(job, language)).collect(),
        mates: sheet.mates.iter().map(SheetMate::from).collect(),
    }))
}
