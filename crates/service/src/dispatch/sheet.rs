//! A day on paper: what its crews need at the doors.

use chrono::NaiveDate;
use geography::Hub;
use status_machine::booking::Status;

use super::{
    board::{MOST_JOBS, jobs},
    jobs::{CrewJob, told},
};
use crate::{ServiceResult, Services, Staff};

/// The jobs of a hub on a local day that somebody goes to, or has been to, by their start.
///
/// # Errors
/// When the database fails.
pub async fn sheet(s: &Services, _: &Staff, hub: &'static Hub, day: NaiveDate) -> ServiceResult<Vec<CrewJob>> {
    let now = s.clock.now();
    s.store
        .read(move |u| {
            let ids = u.dispatches().of_days(Some(hub.id), day, day, MOST_JOBS)?;
            let found = jobs(u, &ids, now)?.into_iter();
            let takes_place = found.filter(|j| !matches!(j.booking.status, Status::Deleted | Status::Cancelled));
            takes_place.map(|job| told(u, job, now)).collect()
        })
        .await
}
