//! Settings that a company changes in the browser: versioned, over the defaults of the environment and the program.
//!
//! A booking keeps the policy and the arrival window it was made with; what is read here holds for new ones.

pub mod cache;
pub mod check;
pub mod company;
pub mod desk;
pub mod first_steps;
pub mod logo;
mod merge;

use std::{str::FromStr, sync::Arc};

use cache::{Defaults, InForce};
use company::Company;
use serde::{Serialize, de::DeserializeOwned};
use tokio::time::Instant;

use crate::{
    FieldError, ServiceResult, Services,
    ports::{StoreError, StoreResult, Unit, settings::SavedSettings},
};

/// What is saved together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Area {
    /// Facts about the company.
    Company,
    /// The policy new bookings are made under.
    Policy,
    /// When starts are offered.
    Scheduling,
}

impl Area {
    /// All of them.
    pub const ALL: [Area; 3] = [Area::Company, Area::Policy, Area::Scheduling];

    /// Stable code.
    pub const fn code(self) -> &'static str {
        match self {
            Area::Company => "company",
            Area::Policy => "policy",
            Area::Scheduling => "scheduling",
        }
    }
}

/// No area has this name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no such area of settings")]
pub struct UnknownArea;

impl FromStr for Area {
    type Err = UnknownArea;
    fn from_str(code: &str) -> Result<Self, UnknownArea> {
        Area::ALL.into_iter().find(|area| area.code() == code).ok_or(UnknownArea)
    }
}

/// The settings in force, read at most once a second.
///
/// # Errors
/// When the database fails, or has settings that this program cannot read.
pub async fn in_force(s: &Services) -> ServiceResult<Arc<InForce>> {
    if let Some(known) = s.settings.fresh() {
        return Ok(known);
    }
    let at = Instant::now();
    let defaults = s.defaults.clone();
    let read = s.store.read(move |u| read_in_force(u, &defaults)).await?;
    let read = Arc::new(read);
    s.settings.put(at, read.clone());
    Ok(read)
}

/// The settings in force within a unit of work.
///
/// # Errors
/// As [`in_force`].
pub fn read_in_force(u: &mut dyn Unit, defaults: &Defaults) -> StoreResult<InForce> {
    Ok(InForce { company: company(u, defaults)?, policy: policy(u, defaults)?, scheduling: scheduling(u, defaults)? })
}

/// The company's facts within a unit of work.
///
/// # Errors
/// As [`in_force`].
pub fn company(u: &mut dyn Unit, defaults: &Defaults) -> StoreResult<Company> {
    let (company, _) = read(u, Area::Company, &defaults.company)?;
    Ok(Company { public_url: defaults.company.public_url.clone(), ..company })
}

/// The policy of new bookings within a unit of work. Its version names the saved one.
///
/// # Errors
/// As [`in_force`].
pub fn policy(u: &mut dyn Unit, defaults: &Defaults) -> StoreResult<policy::Settings> {
    let (policy, version) = read(u, Area::Policy, &defaults.policy)?;
    Ok(policy::Settings { version: policy_version(&defaults.policy, version), ..policy })
}

/// The calendar rules within a unit of work.
///
/// # Errors
/// As [`in_force`].
pub fn scheduling(u: &mut dyn Unit, defaults: &Defaults) -> StoreResult<scheduling::Settings> {
    read(u, Area::Scheduling, &defaults.scheduling).map(|(scheduling, _)| scheduling)
}

/// `1` for the program's own numbers, `1.3` for the third that were saved over them.
fn policy_version(defaults: &policy::Settings, saved: i32) -> String {
    if saved == 0 { defaults.version.clone() } else { format!("{}.{saved}", defaults.version) }
}

/// The settings of an area with their version, 0 for the defaults.
fn read<T>(u: &mut dyn Unit, area: Area, defaults: &T) -> StoreResult<(T, i32)>
where
    T: Serialize + DeserializeOwned + Clone,
{
    match u.settings().latest(area.code())? {
        None => Ok((defaults.clone(), 0)),
        Some(found) => {
            let settings = merge::over(defaults, &merge::still_meant(found.saved.clone()))
                .map_err(|wrong| unreadable(&found, &wrong))?;
            Ok((settings, found.version))
        }
    }
}

/// What an older or newer program saved and this one cannot read. It is never taken for the defaults.
fn unreadable(found: &SavedSettings, wrong: &[FieldError]) -> StoreError {
    let fields: Vec<&str> = wrong.iter().map(|mistake| mistake.field.as_str()).collect();
    StoreError::BadRow {
        table: "settings",
        column: "saved",
        row: format!("{} {}", found.area, found.version),
        reason: format!("these fields cannot be read: {}", fields.join(", ")),
    }
}
