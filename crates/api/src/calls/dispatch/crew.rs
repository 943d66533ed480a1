//! Crews by name, and who would be good.

use actix_web::web;
use kernel::{BookingId, MateId, TruckId};
use serde::{Deserialize, Serialize};
use service::dispatch::{
    name::{self, Named, Truck},
    suggest::{self, Candidate, Suggestions, TruckCandidate},
};
use utoipa::ToSchema;
use validator::Validate;

use super::board::{ClashingJob, DispatchJob, EndedPaper};
use crate::{
    access::AsStaff,
    calls::{
        replies::{Json, Reply},
        values::{CrewReasonCode, TruckClassCode, nullable},
    },
    contract::refusals,
    http::{IfMatch, PathId, ValidJson},
    state::State,
};

refusals! {
    /// Why a crew is not named.
    CrewRefusal { Rule: CrewMissing, CrewNotFree, TruckElsewhere, TransitionRefused }
}

/// A mate, by its id.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
#[schema(value_type = String, format = Uuid)]
struct MateKey(MateId);

/// Who goes.
#[derive(Debug, Deserialize, ToSchema, Validate)]
#[serde(rename_all = "camelCase")]
pub struct CrewRequest {
    /// Mates by their ids: all of them, nobody twice, no more than the booking pays for.
    #[validate(length(max = 20))]
    #[schema(max_items = 20)]
    mates: Vec<MateKey>,
    /// The truck; `null` names none. When it is left out, the booking keeps the one it has, and a move that needs a truck and has
    /// none takes the one that is suggested.
    #[serde(default, deserialize_with = "nullable")]
    #[schema(value_type = Option<String>, format = Uuid)]
    truck_id: Option<Option<TruckId>>,
}

/// A mate who could be sent.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SuggestedMate {
    id: String,
    name: String,
    /// Of the crew that is suggested.
    suggested: bool,
    /// On it already.
    on_it: bool,
    /// Neither on another job then, nor away.
    free: bool,
    /// What speaks for them.
    #[schema(value_type = Vec<CrewReasonCode>)]
    reasons: Vec<&'static str>,
    /// The job that is in the way.
    taken: Option<ClashingJob>,
    /// Away that day.
    away: bool,
    /// Papers that have ended by then: they may be sent all the same.
    ended: Vec<EndedPaper>,
    /// Work in the week of the move, this job aside.
    minutes_that_week: i64,
    /// Jobs that day, this one aside.
    jobs_that_day: usize,
    /// Minutes of driving to the pickup: from their job before, else from the hub.
    way_minutes: i64,
}

impl From<&Candidate> for SuggestedMate {
    fn from(c: &Candidate) -> SuggestedMate {
        SuggestedMate {
            id: c.id.to_string(),
            name: c.name.clone(),
            suggested: c.suggested,
            on_it: c.on_it,
            free: c.taken.is_none() && !c.away,
            reasons: c.reasons.iter().map(|r| r.code()).collect(),
            taken: c.taken.as_ref().map(ClashingJob::from),
            away: c.away,
            ended: c.ended.iter().map(EndedPaper::from).collect(),
            minutes_that_week: c.minutes_that_week,
            jobs_that_day: c.jobs_that_day,
            way_minutes: c.way,
        }
    }
}

/// A truck that could be sent.
#[derive(Debug, Serialize, ToSchema)]
struct SuggestedTruck {
    id: String,
    name: String,
    #[schema(value_type = TruckClassCode)]
    size: &'static str,
    /// The smallest of those that are free and large enough.
    suggested: bool,
    /// Large enough.
    fits: bool,
    /// The job that is in the way.
    taken: Option<ClashingJob>,
    /// Away that day.
    away: bool,
    /// Papers that have ended by then: it may be sent all the same.
    ended: Vec<EndedPaper>,
}

impl From<&TruckCandidate> for SuggestedTruck {
    fn from(t: &TruckCandidate) -> SuggestedTruck {
        SuggestedTruck {
            id: t.id.to_string(),
            name: t.name.clone(),
            size: t.class.code(),
            suggested: t.suggested,
            fits: t.fits,
            taken: t.taken.as_ref().map(ClashingJob::from),
            away: t.away,
            ended: t.ended.iter().map(EndedPaper::from).collect(),
        }
    }
}

/// Who and what could be sent, the best first.
#[derive(Debug, Serialize, ToSchema)]
pub struct CrewSuggestions {
    /// Mates the booking pays for.
    wanted: u8,
    /// Mates of the hub.
    mates: Vec<SuggestedMate>,
    /// Trucks of the hub; none where the move needs none.
    trucks: Vec<SuggestedTruck>,
}

impl From<&Suggestions> for CrewSuggestions {
    fn from(s: &Suggestions) -> CrewSuggestions {
        CrewSuggestions {
            wanted: s.wanted,
            mates: s.mates.iter().map(SuggestedMate::from).collect(),
            trucks: s.trucks.iter().map(SuggestedTruck::from).collect(),
        }
    }
}

pub async fn put(
    state: web::Data<State>,
    who: AsStaff,
    id: PathId<BookingId>,
    version: IfMatch,
    body: ValidJson<CrewRequest>,
) -> Reply<Json<DispatchJob>, CrewRefusal> {
    let CrewRequest { mates, truck_id } = body.value;
    let mates = mates.into_iter().map(|key| key.0).collect();
    // Nothing said of a truck is another thing than none.
    let truck = truck_id.map_or(Truck::AsFits, Truck::from);
    let named = Named { mates, truck, seen: version.0.into() };
    let done = name::name(&state.services, &who.0, id.0, named).await?;
    Ok(Json(DispatchJob::from(&done)))
}

pub async fn suggestions(state: web::Data<State>, who: AsStaff, id: PathId<BookingId>) -> Reply<Json<CrewSuggestions>> {
    let found = suggest::suggestions(&state.services, &who.0, id.0).await?;
    Ok(Json(CrewSuggestions::from(&found)))
}
