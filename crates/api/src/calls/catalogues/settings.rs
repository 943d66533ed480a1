//! Settings that a company changes in the browser.

use std::collections::BTreeMap;

use actix_web::web;
use kernel::chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use service::settings::{
    Area,
    desk::{self, SettingsView, Version as Saved},
};
use utoipa::ToSchema;
use validator::Validate;

use super::common::TAG;
use crate::{
    access::AsStaff,
    calls::{
        replies::{Json, Reply, Versioned, versioned},
        values::SettingsAreaCode,
    },
    contract::{Names, Record},
    endpoint::{ADMIN, Audit, Example, Route, STAFF},
    http::{PathId, ValidJson, Version},
    state::State,
};

impl Names for Area {
    const RECORD: Record = Record::Settings;
}

/// The settings of a group, as they are to be.
#[derive(Debug, Deserialize, ToSchema, Validate)]
struct SettingsRequest {
    /// The fields to save, in the form of `values`; a field that is left out, or null, follows its default again.
    #[schema(value_type = BTreeMap<String, Value>)]
    values: Map<String, Value>,
}

/// The settings of a group.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SettingsRecord {
    #[schema(value_type = SettingsAreaCode)]
    group: &'static str,
    /// The saved version; 0 before anybody saved one.
    version: i32,
    /// Every field as it is in force.
    #[schema(value_type = BTreeMap<String, Value>)]
    values: Map<String, Value>,
    /// The fields that were saved.
    #[schema(value_type = BTreeMap<String, Value>)]
    saved: Map<String, Value>,
    /// Every field as it is without what was saved.
    #[schema(value_type = BTreeMap<String, Value>)]
    defaults: Map<String, Value>,
    /// Where the value of each field comes from: `saved`, `environment` or `default`.
    #[schema(value_type = BTreeMap<String, String>)]
    sources: BTreeMap<String, &'static str>,
    /// Since when; none before anybody saved something.
    changed_at: Option<DateTime<Utc>>,
    /// Who changed them last.
    changed_by: Option<String>,
}

impl From<SettingsView> for SettingsRecord {
    fn from(s: SettingsView) -> SettingsRecord {
        SettingsRecord {
            group: s.area.code(),
            version: s.version,
            values: s.values,
            saved: s.saved,
            defaults: s.defaults,
            sources: s.sources.into_iter().map(|(field, source)| (field, source.code())).collect(),
            changed_at: s.changed_at,
            changed_by: s.changed_by,
        }
    }
}

/// The settings of every group.
#[derive(Debug, Serialize, ToSchema)]
pub struct SettingsList {
    /// One a group.
    data: Vec<SettingsRecord>,
}

/// A version of the settings of a group.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SettingsVersion {
    /// Counts up with each change.
    version: i32,
    /// Since when.
    changed_at: DateTime<Utc>,
    /// By whom.
    changed_by: Option<String>,
    /// The fields that were saved.
    #[schema(value_type = BTreeMap<String, Value>)]
    saved: Map<String, Value>,
}

impl From<Saved> for SettingsVersion {
    fn from(v: Saved) -> SettingsVersion {
        let Saved { version, changed_at, changed_by, saved } = v;
        SettingsVersion { version, changed_at, changed_by, saved }
    }
}

/// What was saved of a group.
#[derive(Debug, Serialize, ToSchema)]
pub struct SettingsVersions {
    /// The newest first, at most a hundred.
    data: Vec<SettingsVersion>,
}

async fn list(state: web::Data<State>, who: AsStaff) -> Reply<Json<SettingsList>> {
    let found = desk::list(&state.services, &who.0).await?;
    Ok(Json(SettingsList { data: found.into_iter().map(SettingsRecord::from).collect() }))
}

async fn get(state: web::Data<State>, who: AsStaff, area: PathId<Area>) -> Reply<Versioned<SettingsRecord>> {
    let found = desk::get(&state.services, &who.0, area.0).await?;
    versioned(found.version, found.into())
}

async fn put(
    state: web::Data<State>,
    who: AsStaff,
    area: PathId<Area>,
    version: Version,
    body: ValidJson<SettingsRequest>,
) -> Reply<Versioned<SettingsRecord>> {
    let done = desk::put(&state.services, &who.0, area.0, body.value.values, version.0).await?;
    versioned(done.version, done.into())
}

async fn versions(state: web::Data<State>, who: AsStaff, area: PathId<Area>) -> Reply<Json<SettingsVersions>> {
    let found = desk::versions(&state.services, &who.0, area.0).await?;
    Ok(Json(SettingsVersions { data: found.into_iter().map(SettingsVersion::from).collect() }))
}

/// Their part of the table.
pub(super) fn routes() -> Vec<Route> {
    let example = json!({ "values": { "name": "Déménagements Roy", "supportPhone": "514-555-0142" } });
    vec![
        Route::get("/api/settings", STAFF, list)
            .doc("allSettings", TAG, "Settings of the company: its facts, its policy, its working day"),
        Route::get("/api/settings/{id}", STAFF, get)
            .doc("settings", TAG, "Settings of a group")
            .about("A group that nobody has saved has version 0; its values are those of the environment and the program."),
        Route::put("/api/settings/{id}", ADMIN, Audit::Action("settings.change"), put)
            .doc("changeSettings", TAG, "Save the settings of a group")
            .about(
                "They hold from now on: a booking keeps the policy and the arrival window it was made with. `If-Match` \
                 names the version that was read, \"0\" for the first. Saving what is saved already adds no version. Every \
                 mistake is named by its place, `values.provinces.QC.retention.afterFree`.",
            )
            .example(Example::json(example)),
        Route::get("/api/settings/{id}/versions", STAFF, versions)
            .doc("settingsVersions", TAG, "What was saved of a group, the newest first"),
    ]
}
