//! The hubs, as staff choose among them.

use chrono::Duration;
use geography::Hub;

use super::{stored, today};
use crate::{Error, ServiceResult, Services, Staff};

/// A hub, and whether anything is going on there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KnownHub {
    /// Which.
    pub hub: &'static Hub,
    /// Somebody works there on some day: it offers slots.
    pub has_calendar: bool,
    /// A move starts from there within the last day, or later.
    pub has_jobs: bool,
}

/// All hubs; those with a calendar or with jobs come first, each part by area.
///
/// # Errors
/// When the database fails.
pub async fn hubs(s: &Services, _: &Staff) -> ServiceResult<Vec<KnownHub>> {
    let now = s.clock.now();
    let mut known = s
        .store
        .read(move |u| {
            let mut known = Vec::new();
            for hub in geography::hubs() {
                let has_calendar = stored(u, hub.id, today(hub, now))?.works();
                let has_jobs = u.dispatches().has_jobs(hub.id, now - Duration::days(1))?;
                known.push(KnownHub { hub, has_calendar, has_jobs });
            }
            Ok::<_, Error>(known)
        })
        .await?;
    known.sort_by_key(|k| !(k.has_calendar || k.has_jobs));
    Ok(known)
}
