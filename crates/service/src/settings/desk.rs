//! Settings as staff see them and administrators change them: what was saved, and where the rest comes from.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde_json::{Map, Value};

use super::{Area, cache::Defaults, check, logo, merge};
use crate::{
    Error, ErrorCode, FieldError, FieldProblem, ServiceResult, Services, Staff,
    bookings::trail::Names,
    ports::{StoreError, Unit, settings::SavedSettings},
};

/// How a request calls the fields.
const VALUES: &str = "values";
/// Versions that are shown at most.
const MOST_VERSIONS: i64 = 100;
/// What the environment says of the company; the program has nothing to say of it.
const OF_THE_ENVIRONMENT: [&str; 4] = ["name", "address", "supportEmail", "supportPhone"];

/// Where the value of a field comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// Somebody saved it.
    Saved,
    /// The settings file or the environment of the program.
    Environment,
    /// The program.
    Default,
}

impl Source {
    /// All of them.
    pub const ALL: [Source; 3] = [Source::Saved, Source::Environment, Source::Default];

    /// Stable code.
    pub const fn code(self) -> &'static str {
        match self {
            Source::Saved => "saved",
            Source::Environment => "environment",
            Source::Default => "default",
        }
    }
}

/// The settings of an area.
#[derive(Debug, Clone, PartialEq)]
pub struct SettingsView {
    /// Which.
    pub area: Area,
    /// The saved version; 0 before anybody saved one.
    pub version: i32,
    /// Every field as it is in force.
    pub values: Map<String, Value>,
    /// The fields that were saved.
    pub saved: Map<String, Value>,
    /// Every field as it is without what was saved.
    pub defaults: Map<String, Value>,
    /// Where the value of each field comes from.
    pub sources: BTreeMap<String, Source>,
    /// Since when.
    pub changed_at: Option<DateTime<Utc>>,
    /// Who changed them last.
    pub changed_by: Option<String>,
}

/// A version of the settings of an area.
#[derive(Debug, Clone, PartialEq)]
pub struct Version {
    /// Which.
    pub version: i32,
    /// Since when.
    pub changed_at: DateTime<Utc>,
    /// By whom.
    pub changed_by: Option<String>,
    /// The fields that were saved.
    pub saved: Map<String, Value>,
}

fn source(area: Area, field: &str, saved: &Map<String, Value>) -> Source {
    match () {
        () if saved.contains_key(field) => Source::Saved,
        () if area == Area::Company && OF_THE_ENVIRONMENT.contains(&field) => Source::Environment,
        () => Source::Default,
    }
}

fn shown(u: &mut dyn Unit, defaults: &Defaults, area: Area) -> ServiceResult<SettingsView> {
    let latest = u.settings().latest(area.code())?;
    let (values, defaults) = match area {
        Area::Company => (merge::fields(&super::company(u, defaults)?), merge::fields(&defaults.company)),
        Area::Policy => (merge::fields(&super::policy(u, defaults)?), merge::fields(&defaults.policy)),
        Area::Scheduling => (merge::fields(&super::scheduling(u, defaults)?), merge::fields(&defaults.scheduling)),
    };
    let version = latest.as_ref().map_or(0, |found| found.version);
    let changed_at = latest.as_ref().map(|found| found.changed_at);
    let changed_by = Names::default().of(u, latest.as_ref().and_then(|found| found.changed_by))?;
    let saved = latest.map(|found| merge::still_meant(found.saved)).unwrap_or_default();
    let sources = values.keys().map(|field| (field.clone(), source(area, field, &saved))).collect();
    Ok(SettingsView { area, version, values, saved, defaults, sources, changed_at, changed_by })
}

/// Every area.
///
/// # Errors
/// When the database fails.
pub async fn list(s: &Services, _: &Staff) -> ServiceResult<Vec<SettingsView>> {
    let defaults = s.defaults.clone();
    s.store.read(move |u| Area::ALL.into_iter().map(|area| shown(u, &defaults, area)).collect()).await
}

/// One area.
///
/// # Errors
/// When the database fails.
pub async fn get(s: &Services, _: &Staff, area: Area) -> ServiceResult<SettingsView> {
    let defaults = s.defaults.clone();
    s.store.read(move |u| shown(u, &defaults, area)).await
}

/// What was saved of an area, the newest first, at most a hundred versions.
///
/// # Errors
/// When the database fails.
pub async fn versions(s: &Services, _: &Staff, area: Area) -> ServiceResult<Vec<Version>> {
    s.store
        .read(move |u| {
            let all = u.settings().versions(area.code(), MOST_VERSIONS)?;
            let mut names = Names::default();
            let one = |found: SavedSettings| {
                let SavedSettings { version, changed_at, changed_by, saved, .. } = found;
                Ok::<_, Error>(Version { version, changed_at, changed_by: names.of(u, changed_by)?, saved })
            };
            all.into_iter().map(one).collect()
        })
        .await
}

/// Saves the settings of an area: the fields that were sent, and no others. `expected` is the version that was read, 0 for
/// the first. What is saved already adds no version.
///
/// # Errors
/// `forbidden` for whoever is no administrator, `version_conflict`, every mistake by its place.
pub async fn put(
    s: &Services,
    staff: &Staff,
    area: Area,
    sent: Map<String, Value>,
    expected: i32,
) -> ServiceResult<SettingsView> {
    if !staff.is_admin() {
        return Err(ErrorCode::Forbidden.into());
    }
    let saved = check::read(&s.defaults, area, &sent).map_err(|wrong| {
        let at = |mistake: FieldError| FieldError::new(format!("{VALUES}.{}", mistake.field), mistake.problem);
        Error::Invalid(wrong.into_iter().map(at).collect())
    })?;
    let done = s
        .write(staff.actor(), move |tx| {
            let old = tx.unit.settings().latest(area.code())?;
            if old.as_ref().map_or(0, |found| found.version) != expected {
                return Err(ErrorCode::VersionConflict.into());
            }
            let before = old.map(|found| merge::still_meant(found.saved)).unwrap_or_default();
            let logo = saved.get(logo::FIELD).and_then(Value::as_str).unwrap_or_default();
            if area == Area::Company && !logo::is_there(tx.unit, logo)? {
                let field = format!("{VALUES}.{}", logo::FIELD);
                return Err(Error::Invalid(vec![FieldError::new(field, FieldProblem::Unknown)]));
            }
            if before != saved {
                let new = SavedSettings {
                    area: area.code().to_owned(),
                    version: expected + 1,
                    saved: saved.clone(),
                    changed_at: tx.now,
                    changed_by: tx.actor.user,
                };
                match tx.unit.settings().insert(&new) {
                    // Somebody else has saved this version at the same moment.
                    Err(StoreError::Duplicate(_)) => return Err(ErrorCode::VersionConflict.into()),
                    added => added?,
                }
                let after = Value::Object(saved);
                tx.audit("settings.change", area.code(), Some(Value::Object(before)), Some(after))?;
            }
            let services = tx.services;
            shown(tx.unit, &services.defaults, area)
        })
        .await;
    // Also after a failure: of a commit whose answer was lost nobody knows whether it was made.
    s.settings.clear();
    done
}
