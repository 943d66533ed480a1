//! Lists that staff keep, and the worklists everybody has.

use actix_web::web;
use kernel::ViewId;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use service::{
    ServiceResult,
    desk::{
        lists::{self, BookingListQuery},
        views::{self, NewView},
    },
    ports::{lists::Counted, views::SavedView},
};
use utoipa::ToSchema;
use validator::Validate;

use super::{filters, lists::BookingOrder};
use crate::{
    access::AsStaff,
    calls::replies::{Json, NoContent, Once, Reply, Versioned, versioned},
    contract::{CommonError, Names, Record, refusals},
    http::{IdempotencyKey, IfMatch, PathId, ValidJson, Version},
    state::State,
};

impl Names for ViewId {
    const RECORD: Record = Record::MadeBy("saveView");
}

refusals! {
    /// Why a list is not kept.
    ViewRefusal { Rule: TooManyViews }
}

/// A list to keep.
#[derive(Debug, Deserialize, ToSchema, Validate)]
pub(super) struct ViewRequest {
    /// What it is called.
    #[validate(length(min = 1, max = 60))]
    #[schema(min_length = 1, max_length = 60)]
    name: String,
    /// All staff see it.
    #[serde(default)]
    shared: bool,
    /// Filters as in the list, as an object.
    #[serde(default)]
    #[schema(value_type = BTreeMap<String, Value>)]
    filters: Map<String, Value>,
    /// In which order.
    sort: Option<BookingOrder>,
    /// Words to find, as in the search.
    #[validate(length(max = 200))]
    #[schema(max_length = 200)]
    value: Option<String>,
}

impl ViewRequest {
    fn checked(self) -> Result<NewView, CommonError> {
        let filters = Value::Object(self.filters.into_iter().filter(|(_, v)| !v.is_null()).collect());
        let text = filters.to_string();
        if text.len() > LONGEST {
            return Err(CommonError::field("filters", service::FieldProblem::TooLong));
        }
        filters::read(&text)?;
        let sort = self.sort.map(|s| s.code().to_owned());
        let value = self.value.filter(|v| !v.trim().is_empty());
        Ok(NewView { name: self.name, shared: self.shared, filters, sort, value })
    }
}

/// As long as the filters of a list may be.
const LONGEST: usize = 4_000;

/// A kept list.
#[derive(Debug, Serialize, ToSchema)]
pub struct ViewRecord {
    id: String,
    name: String,
    shared: bool,
    /// It is one's own, and may be changed.
    own: bool,
    #[schema(value_type = BTreeMap<String, Value>)]
    filters: Value,
    sort: Option<String>,
    value: Option<String>,
    version: i32,
}

/// A kept list, and how many bookings it has.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CountedView {
    #[serde(flatten)]
    view: ViewRecord,
    /// How many, as far as they are counted.
    total: i64,
    /// False: there are more.
    total_is_exact: bool,
}

/// A list of what waits for somebody.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Worklist {
    /// `unassignedSoon`, `paymentProblem`, `waitingForCustomer`.
    key: &'static str,
    #[schema(value_type = BTreeMap<String, Value>)]
    filters: Value,
    sort: &'static str,
    /// How many, as far as they are counted.
    total: i64,
    /// False: there are more.
    total_is_exact: bool,
}

/// What waits, and what somebody keeps.
#[derive(Debug, Serialize, ToSchema)]
pub struct ViewsAnswer {
    /// What waits for somebody.
    worklists: Vec<Worklist>,
    /// One's own and the shared ones, by name.
    data: Vec<CountedView>,
}

fn worklists() -> [(&'static str, Value); 3] {
    [
        ("unassignedSoon", json!({ "unassigned": true, "withinHours": 72 })),
        ("paymentProblem", json!({ "paymentState": ["problem"] })),
        (
            "waitingForCustomer",
            json!({ "payment": ["link"], "paymentState": ["none", "deposit_paid"], "status": ["pending", "assigned"] }),
        ),
    ]
}

fn record(v: &SavedView, own: bool) -> ViewRecord {
    ViewRecord {
        id: v.id.to_string(),
        name: v.name.clone(),
        shared: v.shared,
        own,
        filters: v.filters.clone(),
        sort: v.sort.clone(),
        value: v.value.clone(),
        version: v.version,
    }
}

async fn counted(state: &State, who: &AsStaff, filters: &Value, value: Option<String>) -> ServiceResult<Counted> {
    // What an older program kept and this one cannot read selects nothing.
    let Ok(wish) = filters::read(&filters.to_string()) else { return Ok(Counted { total: 0, is_exact: true }) };
    lists::count(&state.services, &who.0, BookingListQuery { value, ..wish }).await
}

pub(super) async fn list(state: web::Data<State>, who: AsStaff) -> Reply<Json<ViewsAnswer>> {
    let mut waiting = Vec::new();
    for (key, filters) in worklists() {
        let Counted { total, is_exact } = counted(&state, &who, &filters, None).await?;
        waiting.push(Worklist { key, filters, sort: "moveAt", total, total_is_exact: is_exact });
    }
    let mut data = Vec::new();
    for view in views::list(&state.services, &who.0).await? {
        let Counted { total, is_exact } = counted(&state, &who, &view.filters, view.value.clone()).await?;
        let own = who.0.caller().user == Some(view.owner);
        data.push(CountedView { view: record(&view, own), total, total_is_exact: is_exact });
    }
    Ok(Json(ViewsAnswer { worklists: waiting, data }))
}

pub(super) async fn add(
    state: web::Data<State>,
    who: AsStaff,
    key: IdempotencyKey,
    body: ValidJson<ViewRequest>,
) -> Reply<Once<ViewRecord, 201>, ViewRefusal> {
    let render = |v: &SavedView| record(v, true);
    let guard = Once::<_, 201>::guard(key, who.0.caller(), "POST /api/views", &body.body_hash(), render);
    let done = views::add(&state.services, &who.0, body.value.checked()?, guard).await?;
    Ok(Once::of(done, render)?)
}

pub(super) async fn put(
    state: web::Data<State>,
    who: AsStaff,
    id: PathId<ViewId>,
    version: Version,
    body: ValidJson<ViewRequest>,
) -> Reply<Versioned<ViewRecord>> {
    let done = views::put(&state.services, &who.0, id.0, body.value.checked()?, version.0).await?;
    versioned(done.version, record(&done, true))
}

pub(super) async fn remove(
    state: web::Data<State>,
    who: AsStaff,
    id: PathId<ViewId>,
    version: IfMatch,
) -> Reply<NoContent> {
    views::remove(&state.services, &who.0, id.0, version.0).await?;
    Ok(NoContent)
}
