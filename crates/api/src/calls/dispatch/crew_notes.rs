//! What a crew keeps on record of a job: photos and notes. No field of an answer to a mate is a price or an e-mail address.

use actix_web::web;
use kernel::{
    BookingId,
    chrono::{DateTime, Utc},
};
use picture::Picture;
use serde::{Deserialize, Serialize};
use service::{
    FieldProblem,
    dispatch::{
        crew_notes::{self, ByMate, NewCrewPhoto, Report},
        hours,
    },
    formats::without_addresses,
    idempotency::Replayable,
    photos::NewPhoto,
    ports::{
        crew_photos::{CrewPhoto, PhotoStage},
        notes::Note,
    },
};
use sha2::{Digest, Sha256};
use utoipa::ToSchema;
use validator::Validate;

use super::{board::DispatchMate, jobs::JobId};
use crate::{
    access::{AsStaff, Who},
    calls::{
        photos::{PictureRefusal, address, develop},
        replies::{Json, Once, Reply},
        values::{PhotoStageCode, blank},
    },
    contract::{CommonError, refusals},
    hexadecimal::hex,
    http::{IdempotencyKey, PathId, ValidJson, ValidQuery, upload::PhotoUpload},
    state::State,
};

refusals! {
    /// Why a photo of a job is not taken.
    JobPhotoRefusal { Rule: PhotoLimit, RequestInFlight }
}

/// What a mate writes on a job.
#[derive(Debug, Deserialize, ToSchema, Validate)]
pub struct JobNoteRequest {
    /// The text. The crew and staff read it, the customer does not.
    #[validate(length(min = 1, max = 2000))]
    #[schema(min_length = 1, max_length = 2000)]
    text: String,
    /// When it was written, where it is told later. What a wrong clock says, ahead of us or from before the mate came on the job,
    /// is brought to the nearest instant that can be.
    #[serde(default, deserialize_with = "blank")]
    #[schema(value_type = Option<String>, format = DateTime)]
    at: Option<DateTime<Utc>>,
}

/// A note of a mate.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JobNote {
    id: String,
    /// Without e-mail addresses.
    text: String,
    /// When it was written.
    at: DateTime<Utc>,
    mate_id: Option<String>,
    /// The mate who wrote it.
    name: String,
}

impl From<&ByMate<Note>> for JobNote {
    fn from(by: &ByMate<Note>) -> JobNote {
        JobNote {
            id: by.what.id.to_string(),
            text: without_addresses(&by.what.text),
            at: by.what.created_at,
            mate_id: by.what.mate.map(|m| m.to_string()),
            name: without_addresses(&by.name),
        }
    }
}

/// What the crew of a job wrote.
#[derive(Debug, Serialize, ToSchema)]
pub struct JobNotes {
    /// Oldest first.
    data: Vec<JobNote>,
}

/// What a photo of a job is of.
#[derive(Debug, Deserialize, ToSchema)]
pub struct JobPhotoQuery {
    /// Before or after the work; left out: before, until the mate has begun.
    #[serde(default)]
    #[schema(value_type = Option<PhotoStageCode>)]
    stage: Option<String>,
    /// When it was taken, where it is told later. What a wrong clock says, ahead of us or from before the mate came on the job, is
    /// brought to the nearest instant that can be.
    #[serde(default, deserialize_with = "blank")]
    #[schema(value_type = Option<String>, format = DateTime)]
    at: Option<DateTime<Utc>>,
}

/// A photo of a crew.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JobPhoto {
    id: String,
    /// Path of its file; asked for with the access token.
    url: String,
    #[schema(value_type = PhotoStageCode)]
    stage: &'static str,
    /// When it was taken.
    at: DateTime<Utc>,
    mate_id: String,
    /// The mate who took it.
    name: String,
    /// Pixels.
    width: u32,
    /// Pixels.
    height: u32,
    /// Size of the file.
    bytes: u32,
}

impl From<&ByMate<CrewPhoto>> for JobPhoto {
    fn from(by: &ByMate<CrewPhoto>) -> JobPhoto {
        let p = &by.what;
        JobPhoto {
            id: p.id.to_string(),
            url: address(p.id),
            stage: p.stage.code(),
            at: p.taken_at,
            mate_id: p.mate.to_string(),
            name: without_addresses(&by.name),
            width: p.width,
            height: p.height,
            bytes: p.bytes,
        }
    }
}

/// The photos of the crew of a job.
#[derive(Debug, Serialize, ToSchema)]
pub struct JobPhotos {
    /// The first taken first; no more than 40.
    data: Vec<JobPhoto>,
}

/// What became of a job.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CrewReport {
    /// Work as planned, minutes.
    planned_minutes: u32,
    /// When the first of the crew began.
    started_at: Option<DateTime<Utc>>,
    /// When the last was done; none until everybody who began is done.
    finished_at: Option<DateTime<Utc>>,
    /// From the one to the other, minutes.
    worked_minutes: Option<u32>,
    /// Everybody on it, with their own hours.
    crew: Vec<DispatchMate>,
    /// The first taken first; no more than 40.
    photos: Vec<JobPhoto>,
}

impl From<&Report> for CrewReport {
    fn from(r: &Report) -> CrewReport {
        let (started_at, finished_at) = hours::span(&r.job);
        CrewReport {
            planned_minutes: r.job.booking.duration_minutes,
            started_at,
            finished_at,
            worked_minutes: hours::of_job(&r.job),
            crew: r.job.crew.iter().map(DispatchMate::from).collect(),
            photos: r.photos.iter().map(JobPhoto::from).collect(),
        }
    }
}

pub async fn notes(state: web::Data<State>, who: Who, id: PathId<JobId>) -> Reply<Json<JobNotes>> {
    let found = crew_notes::notes(&state.services, &who.0, id.0.0).await?;
    Ok(Json(JobNotes { data: found.iter().map(JobNote::from).collect() }))
}

pub async fn add_note(
    state: web::Data<State>,
    who: Who,
    id: PathId<JobId>,
    key: IdempotencyKey,
    body: ValidJson<JobNoteRequest>,
) -> Reply<Once<JobNote, 201>> {
    let render = |note: &ByMate<Note>| JobNote::from(note);
    let call = format!("POST /api/jobs/{}/notes", id.0.0);
    let guard = Once::<_, 201>::guard(key, &who.0, &call, &body.body_hash(), render);
    let JobNoteRequest { text, at } = body.value;
    let done = crew_notes::add_note(&state.services, &who.0, id.0.0, &text, at, guard).await?;
    Ok(Once::of(done, render)?)
}

pub async fn photos(state: web::Data<State>, who: Who, id: PathId<JobId>) -> Reply<Json<JobPhotos>> {
    let found = crew_notes::photos(&state.services, &who.0, id.0.0).await?;
    Ok(Json(JobPhotos { data: found.iter().map(JobPhoto::from).collect() }))
}

pub async fn add_photo(
    state: web::Data<State>,
    who: Who,
    id: PathId<JobId>,
    key: IdempotencyKey,
    query: ValidQuery<JobPhotoQuery>,
    mut form: PhotoUpload,
) -> Reply<Once<JobPhoto, 201>, (PictureRefusal, JobPhotoRefusal)> {
    let render = |photo: &ByMate<CrewPhoto>| JobPhoto::from(photo);
    let JobPhotoQuery { stage, at } = query.value;
    let code =
        |code: &str| PhotoStage::from_code(code).ok_or_else(|| CommonError::field("stage", FieldProblem::Unknown));
    let stage = stage.filter(|s| !s.is_empty()).map(|s| code(&s)).transpose()?;
    // The file, not the body: a browser draws another boundary for each request.
    let digest = hex(&Sha256::digest(&form.file));
    let said =
        format!("{digest} {} {}", stage.map_or("", PhotoStage::code), at.map(|at| at.to_rfc3339()).unwrap_or_default());
    let call = format!("POST /api/jobs/{}/photos", id.0.0);
    let guard = Once::<_, 201>::guard(key, &who.0, &call, &hex(&Sha256::digest(said)), render);
    let shot = NewCrewPhoto { stage, at, digest };
    let request = guard.as_ref().map(|g| g.request.clone());
    if let Some((status, body)) = crew_notes::may_add(&state.services, &who.0, id.0.0, &shot, request).await? {
        return Ok(Once::of(Replayable::Replayed { status, body }, render)?);
    }
    let Picture { jpeg, width, height } = develop(&state, std::mem::take(&mut form.file), picture::read).await?;
    drop(form);
    let new = NewPhoto { jpeg, width, height };
    let done = crew_notes::add_photo(&state.services, &who.0, id.0.0, shot, new, guard).await?;
    Ok(Once::of(done, render)?)
}

pub async fn report(state: web::Data<State>, who: AsStaff, id: PathId<BookingId>) -> Reply<Json<CrewReport>> {
    let found = crew_notes::report(&state.services, &who.0, id.0).await?;
    Ok(Json(CrewReport::from(&found)))
}
