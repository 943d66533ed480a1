//! A day on paper: what its crews need at the doors.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;
use geography::Hub;
use kernel::{Language, MateId};
use status_machine::booking::Status;

use super::{
    board::{MOST_JOBS, jobs},
    jobs::{CrewJob, crew_job},
};
use crate::{ServiceResult, Services, Staff};

/// Somebody on a job of the day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OnSheet {
    /// Who.
    pub mate: MateId,
    /// Languages they read.
    pub languages: Vec<Language>,
    /// They do not come that day, and nobody goes instead yet.
    pub away: bool,
}

/// A day of a hub.
#[derive(Debug)]
pub struct Sheet {
    /// Jobs that somebody goes to, or has been to, by their start.
    pub jobs: Vec<CrewJob>,
    /// Everybody on them, once.
    pub mates: Vec<OnSheet>,
}

/// The jobs of a hub on a local day, and who is on them.
///
/// # Errors
/// When the database fails.
pub async fn sheet(s: &Services, _: &Staff, hub: &'static Hub, day: NaiveDate) -> ServiceResult<Sheet> {
    let now = s.clock.now();
    s.store
        .read(move |u| {
            let ids = u.dispatches().of_days(Some(hub.id), day, day, MOST_JOBS)?;
            let found = jobs(u, &ids, now)?.into_iter();
            let takes_place = found.filter(|j| !matches!(j.booking.status, Status::Deleted | Status::Cancelled));
            let jobs = takes_place.map(|job| crew_job(u, job, now)).collect::<ServiceResult<Vec<CrewJob>>>()?;
            let on: BTreeSet<MateId> = jobs.iter().flat_map(|told| &told.job.crew).map(|one| one.mate.mate).collect();
            let away: BTreeSet<MateId> = u.absences().mates_away(day)?.into_iter().collect();
            let known = u.directory().mates()?.into_iter().map(|m| (m.id, m.languages));
            let mut languages: BTreeMap<MateId, Vec<Language>> = known.collect();
            let mates = on.into_iter().map(|mate| OnSheet {
                mate,
                languages: languages.remove(&mate).unwrap_or_default(),
                away: away.contains(&mate),
            });
            Ok(Sheet { mates: mates.collect(), jobs })
        })
        .await
}
