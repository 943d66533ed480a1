//! The company's logo. A file that is uploaded is shown once the settings that name it are saved; a version of the
//! settings names the one it was saved with, so that going back to it shows that one again.

use chrono::Duration;
use serde_json::json;

use super::Area;
use crate::{
    Error, ErrorCode, ServiceResult, Services, Staff,
    ports::{
        StoreResult, Unit,
        logos::{Logo, LogoId},
    },
};

/// The field of the company's facts that names it.
pub(super) const FIELD: &str = "logo";
/// An uploaded file that no version names is erased so long after.
const UNSAVED: Duration = Duration::hours(24);

/// A logo that was read and made ready to be kept.
#[derive(Debug, Clone)]
pub struct NewLogo {
    /// The file.
    pub png: Vec<u8>,
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
}

/// `POST /logos`: keeps the file; nobody sees it before the settings name it.
///
/// # Errors
/// `forbidden` for whoever is no administrator.
pub async fn add(s: &Services, staff: &Staff, new: NewLogo) -> ServiceResult<Logo> {
    if !staff.is_admin() {
        return Err(ErrorCode::Forbidden.into());
    }
    s.write(staff.actor(), move |tx| {
        let logo = Logo {
            id: LogoId(tx.id()),
            added_by: tx.actor.user.ok_or(ErrorCode::SignInNeeded)?,
            added_at: tx.now,
            width: new.width,
            height: new.height,
            bytes: u32::try_from(new.png.len()).map_err(|_| Error::Internal("a logo of gigabytes".into()))?,
        };
        let named = named(tx.unit)?;
        tx.unit.logos().purge(tx.now - UNSAVED, &named)?;
        tx.unit.logos().insert(&logo, &new.png)?;
        let told = json!({ "width": logo.width, "height": logo.height, "bytes": logo.bytes });
        tx.audit("logo.add", logo.id, None, Some(told))?;
        Ok::<_, Error>(logo)
    })
    .await
}

/// `GET /logos/{id}`: its file, for everybody.
///
/// # Errors
/// `not_found`.
pub async fn file(s: &Services, id: LogoId) -> ServiceResult<Vec<u8>> {
    let found = s.store.read(move |u| Ok::<_, Error>(u.logos().file(id)?)).await?;
    found.ok_or_else(|| ErrorCode::NotFound.into())
}

/// Whether there is the logo that somebody wants to save; none is fine.
pub(super) fn is_there(u: &mut dyn Unit, named: &str) -> StoreResult<bool> {
    match named.parse::<LogoId>() {
        _ if named.is_empty() => Ok(true),
        Ok(id) => u.logos().exists(id),
        Err(_) => Ok(false),
    }
}

/// Every logo that some version of the company's facts names.
fn named(u: &mut dyn Unit) -> StoreResult<Vec<LogoId>> {
    let versions = u.settings().versions(Area::Company.code(), i64::MAX)?;
    Ok(versions.iter().filter_map(|one| one.saved.get(FIELD)?.as_str()?.parse().ok()).collect())
}
