//! Mates and trucks that are away, as staff write it down.

use actix_web::web;
use kernel::{
    AbsenceId, MateId, TruckId,
    chrono::{DateTime, NaiveDate, Utc},
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use service::{
    FieldProblem,
    calendar::absences::{self, Added, Form, NamedAbsence},
    ports::absences::Absentee,
};
use utoipa::ToSchema;
use validator::Validate;

use super::common::TAG;
use crate::{
    access::AsStaff,
    calls::{
        replies::{Json, NoContent, Once, Reply},
        values::blank,
    },
    contract::{CommonError, Names, Record, refusals},
    endpoint::{Audit, Example, Route, STAFF},
    http::{IdempotencyKey, PathId, ValidJson, ValidQuery},
    state::State,
};

impl Names for AbsenceId {
    const RECORD: Record = Record::MadeBy("addAbsence");
}

refusals! {
    /// Why somebody is not written down as away.
    AbsenceRefusal { Rule: CapacityTaken, AbsenceOverlaps }
}

refusals! {
    /// Why an absence is not taken back.
    ReturnRefusal { Rule: CapacityTaken }
}

/// A mate or a truck that is away: exactly one of `mateId` and `truckId`.
#[derive(Debug, Deserialize, ToSchema, Validate)]
#[serde(rename_all = "camelCase")]
struct AbsenceRequest {
    /// The mate.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = Uuid)]
    mate_id: Option<MateId>,
    /// The truck.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = Uuid)]
    truck_id: Option<TruckId>,
    /// Hub that has one less, by its id; may be left out where the mate or the truck has one only.
    #[serde(default)]
    #[validate(length(max = 60))]
    #[schema(max_length = 60, example = "montreal")]
    hub: Option<String>,
    /// First local day.
    #[schema(value_type = String, format = Date)]
    from: NaiveDate,
    /// Last local day, at most 366 days in all.
    #[schema(value_type = String, format = Date)]
    to: NaiveDate,
    /// Why.
    #[serde(default)]
    #[validate(length(max = 200))]
    #[schema(max_length = 200)]
    reason: String,
}

impl AbsenceRequest {
    fn form(self) -> Form {
        Form {
            mate: self.mate_id,
            truck: self.truck_id,
            hub: self.hub,
            first: self.from,
            last: self.to,
            reason: self.reason,
        }
    }
}

/// Which absences are listed.
#[derive(Debug, Deserialize, ToSchema)]
struct AbsenceQuery {
    /// Of this hub, by its id; of all when it is left out.
    #[schema(max_length = 60)]
    hub: Option<String>,
    /// With a day from this one on; today when it is left out.
    #[serde(default, deserialize_with = "blank")]
    #[schema(value_type = Option<String>, format = Date)]
    from: Option<NaiveDate>,
    /// With a day up to this one; 400 days after `from` when it is left out.
    #[serde(default, deserialize_with = "blank")]
    #[schema(value_type = Option<String>, format = Date)]
    to: Option<NaiveDate>,
}

/// What is away.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum AbsentKind {
    /// A person.
    Mate,
    /// A vehicle.
    Truck,
}

/// Who or what is away.
#[derive(Debug, Serialize, ToSchema)]
struct AbsentParty {
    /// A mate or a truck.
    #[serde(rename = "type")]
    kind: AbsentKind,
    /// Key of the mate or the truck.
    id: String,
    /// What people call it.
    name: String,
}

/// Days on which a mate or a truck is away.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AbsenceRecord {
    id: String,
    /// Hub that has one less, by its id.
    hub: String,
    who: AbsentParty,
    /// First local day.
    #[schema(value_type = String, format = Date)]
    from: NaiveDate,
    /// Last local day.
    #[schema(value_type = String, format = Date)]
    to: NaiveDate,
    /// Why; may be empty.
    reason: String,
    created_at: DateTime<Utc>,
}

impl From<&NamedAbsence> for AbsenceRecord {
    fn from(known: &NamedAbsence) -> AbsenceRecord {
        let a = &known.absence;
        let (kind, id) = match a.who {
            Absentee::Mate(id) => (AbsentKind::Mate, id.to_string()),
            Absentee::Truck(id, _) => (AbsentKind::Truck, id.to_string()),
        };
        AbsenceRecord {
            id: a.id.to_string(),
            hub: a.hub.clone(),
            who: AbsentParty { kind, id, name: known.name.clone() },
            from: a.first,
            to: a.last,
            reason: a.reason.clone(),
            created_at: a.created_at,
        }
    }
}

/// Absences.
#[derive(Debug, Serialize, ToSchema)]
pub struct AbsenceList {
    /// Rows, by their first day.
    data: Vec<AbsenceRecord>,
}

/// A booking whose crew has somebody who is away.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct AbsentFrom {
    id: String,
    /// The booking's number.
    short_id: String,
}

/// A new absence.
#[derive(Debug, Serialize, ToSchema)]
pub struct AddedAbsence {
    #[serde(flatten)]
    absence: AbsenceRecord,
    /// Bookings of these days that the mate is on: they need somebody else.
    assigned: Vec<AbsentFrom>,
}

impl From<&Added> for AddedAbsence {
    fn from(added: &Added) -> AddedAbsence {
        let of = added.assigned.iter();
        AddedAbsence {
            absence: AbsenceRecord::from(&added.known),
            assigned: of.map(|(id, short)| AbsentFrom { id: id.to_string(), short_id: short.to_string() }).collect(),
        }
    }
}

async fn list(state: web::Data<State>, who: AsStaff, query: ValidQuery<AbsenceQuery>) -> Reply<Json<AbsenceList>> {
    let AbsenceQuery { hub, from, to } = query.value;
    let known = |id: String| geography::hub(&id).ok_or_else(|| CommonError::field("hub", FieldProblem::Unknown));
    let hub = hub.map(known).transpose()?;
    let found = absences::list(&state.services, &who.0, hub, (from, to)).await?;
    Ok(Json(AbsenceList { data: found.iter().map(AbsenceRecord::from).collect() }))
}

async fn add(
    state: web::Data<State>,
    who: AsStaff,
    key: IdempotencyKey,
    body: ValidJson<AbsenceRequest>,
) -> Reply<Once<AddedAbsence, 201>, AbsenceRefusal> {
    let render = |added: &Added| AddedAbsence::from(added);
    let guard = Once::<_, 201>::guard(key, who.0.caller(), "POST /api/absences", &body.body_hash(), render);
    let done = absences::add(&state.services, &who.0, body.value.form(), guard).await?;
    Ok(Once::of(done, render)?)
}

async fn remove(state: web::Data<State>, who: AsStaff, id: PathId<AbsenceId>) -> Reply<NoContent, ReturnRefusal> {
    absences::remove(&state.services, &who.0, id.0).await?;
    Ok(NoContent)
}

/// Their part of the table.
pub(super) fn routes() -> Vec<Route> {
    let absence = json!({ "mateId": "{mate}", "from": "2027-08-02", "to": "2027-08-06", "reason": "Holidays" });
    vec![
        Route::get("/api/absences", STAFF, list)
            .doc("absences", TAG, "Mates and trucks that are away, by their first day")
            .example(Example::query(&[("hub", "montreal"), ("from", "2027-07-01"), ("to", "2027-08-31")])),
        Route::post("/api/absences", STAFF, Audit::Action("absence.add"), add)
            .doc("addAbsence", TAG, "Write down that a mate or a truck is away")
            .about(
                "Their hub offers one less on each of the days. A mate may have jobs on them: those bookings are \
                 answered, so that somebody else can be sent.",
            )
            .example(Example::json(absence)),
        Route::delete("/api/absences/{id}", STAFF, Audit::Action("absence.remove"), remove).doc(
            "removeAbsence",
            TAG,
            "Take an absence back: they are there again",
        ),
    ]
}
