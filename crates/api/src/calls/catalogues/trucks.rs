//! Trucks by name, as staff keep them.

use actix_web::web;
use kernel::{
    TruckId,
    chrono::{DateTime, NaiveDate, Utc},
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use service::{
    FieldProblem,
    mates::DatedRecord,
    ports::directory::{TruckRecord as Stored, TruckState},
    trucks::{self, Form, TruckClass},
};
use utoipa::ToSchema;
use validator::Validate;

use super::common::TAG;
use crate::{
    access::AsStaff,
    calls::{
        replies::{Json, Once, Reply, Versioned, versioned},
        values::TruckStateCode,
    },
    contract::{CommonError, Names, Record, refusals},
    endpoint::{Audit, Example, Route, STAFF},
    http::{IdempotencyKey, PathId, ValidJson, Version},
    state::State,
};

impl Names for TruckId {
    const RECORD: Record = Record::MadeBy("addTruck");
}

refusals! {
    /// Why a truck is not written.
    TruckRefusal { Rule: TruckNameTaken }
}

/// Length of the box.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
enum TruckSize {
    /// 10 feet.
    #[serde(rename = "10ft")]
    Ten,
    /// 20 feet.
    #[serde(rename = "20ft")]
    Twenty,
    /// 26 feet.
    #[serde(rename = "26ft")]
    TwentySix,
}

impl From<TruckSize> for TruckClass {
    fn from(size: TruckSize) -> TruckClass {
        match size {
            TruckSize::Ten => TruckClass::TenFoot,
            TruckSize::Twenty => TruckClass::TwentyFoot,
            TruckSize::TwentySix => TruckClass::TwentySixFoot,
        }
    }
}

impl From<TruckClass> for TruckSize {
    fn from(class: TruckClass) -> TruckSize {
        match class {
            TruckClass::TenFoot => TruckSize::Ten,
            TruckClass::TwentyFoot => TruckSize::Twenty,
            TruckClass::TwentySixFoot => TruckSize::TwentySix,
        }
    }
}

/// A truck.
#[derive(Debug, Deserialize, ToSchema, Validate)]
#[serde(rename_all = "camelCase")]
pub(super) struct TruckRequest {
    /// What people call it.
    #[validate(length(min = 1, max = 40))]
    #[schema(min_length = 1, max_length = 40)]
    name: String,
    /// Length of the box.
    size: TruckSize,
    /// Hub it stands at, by its id.
    #[validate(length(max = 60))]
    #[schema(max_length = 60, example = "montreal")]
    hub: String,
    /// Licence plate.
    #[serde(default)]
    #[validate(length(max = 40))]
    #[schema(max_length = 40)]
    plate: String,
    /// Last day of its inspection.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = Date)]
    inspected_until: Option<NaiveDate>,
    /// Last day of its insurance.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = Date)]
    insured_until: Option<NaiveDate>,
    /// Where it stands; active when it is left out for a new one.
    #[serde(default)]
    #[schema(value_type = Option<TruckStateCode>)]
    state: Option<String>,
}

impl TruckRequest {
    pub(super) fn form(self) -> Result<Form, CommonError> {
        let read = |code: String| {
            TruckState::from_code(&code).ok_or_else(|| CommonError::field("state", FieldProblem::Invalid))
        };
        Ok(Form {
            name: self.name,
            class: self.size.into(),
            hub: self.hub,
            plate: self.plate,
            inspected_until: self.inspected_until,
            insured_until: self.insured_until,
            state: self.state.map(read).transpose()?,
        })
    }
}

/// A truck.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TruckRecord {
    id: String,
    name: String,
    size: TruckSize,
    hub: String,
    plate: String,
    #[schema(value_type = Option<String>, format = Date)]
    inspected_until: Option<NaiveDate>,
    #[schema(value_type = Option<String>, format = Date)]
    insured_until: Option<NaiveDate>,
    /// Its inspection or its insurance is over.
    expired: bool,
    #[schema(value_type = TruckStateCode)]
    state: &'static str,
    version: i32,
    created_at: DateTime<Utc>,
}

impl TruckRecord {
    fn of(shown: &DatedRecord<Stored>) -> TruckRecord {
        let (t, today) = (&shown.record, shown.today);
        TruckRecord {
            id: t.id.to_string(),
            name: t.name.clone(),
            size: t.class.into(),
            hub: t.hub.clone(),
            plate: t.plate.clone(),
            inspected_until: t.inspected_until,
            insured_until: t.insured_until,
            expired: [t.inspected_until, t.insured_until].into_iter().flatten().any(|until| until < today),
            state: t.state.code(),
            version: t.version,
            created_at: t.created_at,
        }
    }
}

/// All trucks.
#[derive(Debug, Serialize, ToSchema)]
pub struct TruckList {
    /// Rows, by hub and name.
    data: Vec<TruckRecord>,
}

async fn list(state: web::Data<State>, who: AsStaff) -> Reply<Json<TruckList>> {
    let found = trucks::list(&state.services, &who.0).await?;
    Ok(Json(TruckList { data: found.iter().map(TruckRecord::of).collect() }))
}

async fn get(state: web::Data<State>, who: AsStaff, id: PathId<TruckId>) -> Reply<Versioned<TruckRecord>> {
    let found = trucks::get(&state.services, &who.0, id.0).await?;
    versioned(found.record.version, TruckRecord::of(&found))
}

async fn add(
    state: web::Data<State>,
    who: AsStaff,
    key: IdempotencyKey,
    body: ValidJson<TruckRequest>,
) -> Reply<Once<TruckRecord, 201>, TruckRefusal> {
    let render = TruckRecord::of;
    let guard = Once::<_, 201>::guard(key, who.0.caller(), "POST /api/trucks", &body.body_hash(), render);
    let done = trucks::add(&state.services, &who.0, body.value.form()?, guard).await?;
    Ok(Once::of(done, render)?)
}

async fn put(
    state: web::Data<State>,
    who: AsStaff,
    id: PathId<TruckId>,
    version: Version,
    body: ValidJson<TruckRequest>,
) -> Reply<Versioned<TruckRecord>, TruckRefusal> {
    let done = trucks::put(&state.services, &who.0, id.0, body.value.form()?, version.0).await?;
    versioned(done.record.version, TruckRecord::of(&done))
}

/// Their part of the table.
pub(super) fn routes() -> Vec<Route> {
    let truck = json!({
        "name": "{unique}", "size": "20ft", "hub": "montreal", "plate": "L123456", "inspectedUntil": "2027-09-30",
        "insuredUntil": "2027-12-31",
    });
    vec![
        Route::get("/api/trucks", STAFF, list).doc("trucks", TAG, "Trucks, by hub and name"),
        Route::post("/api/trucks", STAFF, Audit::Action("truck.add"), add)
            .doc("addTruck", TAG, "Add a truck")
            .example(Example::json(truck.clone())),
        Route::get("/api/trucks/{id}", STAFF, get).doc("truck", TAG, "A truck"),
        Route::put("/api/trucks/{id}", STAFF, Audit::Action("truck.update"), put)
            .doc("changeTruck", TAG, "Write a truck anew; one that is gone is archived")
            .example(Example::json(truck)),
    ]
}
