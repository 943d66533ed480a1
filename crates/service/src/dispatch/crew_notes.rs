//! What a crew keeps on record of a job: photos before and after the work, and notes. The crew of the job and staff see them,
//! the customer does not. Each carries its own instant: it may reach us later, when there is signal again; what a
//! wrong clock says is brought to an instant that can be, and none is refused for it.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use kernel::{BookingId, MateId, NoteId};
use serde_json::{Value, json};
use status_machine::booking::Status;

use super::{
    board::{AssignedMate, MoveJob, jobs, on_it},
    jobs::{mate_of, nearest},
};
use crate::{
    Caller, Error, ErrorCode, FieldProblem, ServiceResult, Services, Staff, Tx,
    bookings::queries::visible,
    idempotency::{self, Guard, Replayable},
    photos::NewPhoto,
    ports::{
        Unit,
        crew_photos::{CrewPhoto, PhotoStage},
        notes::{Note, Visibility},
        photos::PhotoId,
    },
};

/// The longest note, characters.
pub const LONGEST: usize = 2_000;
/// Photos of all of the crew of a job.
pub const MOST: usize = 40;

/// Something that a mate made, with the mate's name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ByMate<T> {
    /// What they made.
    pub what: T,
    /// The mate's name.
    pub name: String,
}

/// What became of a job, for staff.
#[derive(Debug, Clone)]
pub struct Report {
    /// The job, with everybody who was on it.
    pub job: MoveJob,
    /// The crew's photos, the first taken first.
    pub photos: Vec<ByMate<CrewPhoto>>,
}

/// A photo to be stored.
#[derive(Debug, Clone)]
pub struct NewCrewPhoto {
    /// Before or after the work; by default before until the mate has begun, then after.
    pub stage: Option<PhotoStage>,
    /// When it was taken; by default now.
    pub at: Option<DateTime<Utc>>,
    /// SHA-256 of the file as it was sent, hex.
    pub digest: String,
}

/// Names of mates, each looked up once.
#[derive(Default)]
struct Names(BTreeMap<MateId, String>);

impl Names {
    fn by<T>(&mut self, u: &mut dyn Unit, mate: MateId, what: T) -> ServiceResult<ByMate<T>> {
        let name = match self.0.get(&mate) {
            Some(known) => known.clone(),
            None => u.directory().mate(mate)?.map(|m| m.name).unwrap_or_default(),
        };
        self.0.insert(mate, name.clone());
        Ok(ByMate { what, name })
    }
}

/// The mate on the job, with what they said of it. What is not theirs, or does not take place, does not exist.
fn on_job(u: &mut dyn Unit, mate: MateId, id: BookingId) -> ServiceResult<AssignedMate> {
    let b = u.bookings().get(id)?.ok_or(ErrorCode::NotFound)?;
    if matches!(b.status, Status::Deleted | Status::Cancelled) {
        return Err(ErrorCode::NotFound.into());
    }
    let known = u.crews().of_booking(id)?.into_iter().find(|m| m.mate == mate).ok_or(ErrorCode::NotFound)?;
    Ok(on_it(known, &u.dispatches().acts_of(&[id])?))
}

/// The same, with the job locked: two that come at once come one after the other.
fn on_locked(tx: &mut Tx<'_>, mate: MateId, id: BookingId) -> ServiceResult<AssignedMate> {
    tx.unit.bookings().lock(id)?.ok_or(ErrorCode::NotFound)?;
    tx.look_at_clock();
    on_job(tx.unit, mate, id)
}

/// What the crew of a job wrote, oldest first.
///
/// # Errors
/// `not_found`, also when the job is somebody else's.
pub async fn notes(s: &Services, caller: &Caller, id: BookingId) -> ServiceResult<Vec<ByMate<Note>>> {
    let mate = mate_of(caller)?;
    s.store
        .read(move |u| {
            on_job(u, mate, id)?;
            let mut names = Names::default();
            let mut found = Vec::new();
            for note in u.notes().of_booking(id)? {
                if let Some(author) = note.mate {
                    found.push(names.by(u, author, note)?);
                }
            }
            Ok(found)
        })
        .await
}

/// A mate writes a note on a job of theirs. The same text of the same instant is written once.
///
/// # Errors
/// `not_found`; the field `text` when there is none or too much of it.
pub async fn add_note(
    s: &Services,
    caller: &Caller,
    id: BookingId,
    text: &str,
    at: Option<DateTime<Utc>>,
    guard: Option<Guard<ByMate<Note>>>,
) -> ServiceResult<Replayable<ByMate<Note>>> {
    let mate = mate_of(caller)?;
    let text = text.trim().to_owned();
    match text.chars().count() {
        0 => return Err(Error::field("text", FieldProblem::Required)),
        n if n > LONGEST => return Err(Error::field("text", FieldProblem::TooLong)),
        _ => {}
    }
    let asked_at = s.clock.now();
    s.write(caller.actor(), move |tx| {
        idempotency::once(tx, guard, asked_at, |tx| {
            let mine = on_locked(tx, mate, id)?;
            let kept = nearest(tx, &mine.mate, at);
            let at = kept.at;
            let known = tx.unit.notes().of_booking(id)?;
            let same = known.into_iter().find(|n| n.mate == Some(mate) && n.created_at == at && n.text == text);
            if let Some(note) = same {
                return Names::default().by(tx.unit, mate, note);
            }
            let note = Note {
                id: NoteId(tx.id()),
                booking_id: id,
                visibility: Visibility::Crew,
                text,
                author: tx.actor.user,
                role: tx.actor.role,
                created_at: at,
                mate: Some(mate),
            };
            tx.unit.notes().append(&note)?;
            let written = json!({ "note": note.id, "visibility": note.visibility.code(), "mates": [mate], "at": at });
            tx.audit("booking.note", id, None, Some(kept.audited(written)))?;
            Names::default().by(tx.unit, mate, note)
        })
    })
    .await
}

/// The photos of the crew of a job, the first taken first.
///
/// # Errors
/// `not_found`, also when the job is somebody else's.
pub async fn photos(s: &Services, caller: &Caller, id: BookingId) -> ServiceResult<Vec<ByMate<CrewPhoto>>> {
    let mate = mate_of(caller)?;
    s.store
        .read(move |u| {
            on_job(u, mate, id)?;
            photos_of(u, id)
        })
        .await
}

fn photos_of(u: &mut dyn Unit, id: BookingId) -> ServiceResult<Vec<ByMate<CrewPhoto>>> {
    let mut names = Names::default();
    let found = u.crew_photos().of_booking(id)?;
    found.into_iter().map(|photo| names.by(u, photo.mate, photo)).collect()
}

/// What became of a job: hours and photos of its crew. Its notes stand with those of staff.
///
/// # Errors
/// `not_found`.
pub async fn report(s: &Services, staff: &Staff, id: BookingId) -> ServiceResult<Report> {
    let (staff, now) = (staff.clone(), s.clock.now());
    s.store
        .read(move |u| {
            visible(u, staff.caller(), id)?;
            let job = jobs(u, &[id], now)?.pop().ok_or(ErrorCode::NotFound)?;
            Ok(Report { job, photos: photos_of(u, id)? })
        })
        .await
}

/// Whether the caller may add a photo now, asked before the work of reading it is done; the stored answer when this very
/// request was answered before.
///
/// # Errors
/// As [`add_photo`].
pub async fn may_add(
    s: &Services,
    caller: &Caller,
    id: BookingId,
    shot: &NewCrewPhoto,
    request: Option<idempotency::Request>,
) -> ServiceResult<Option<(u16, Value)>> {
    let (mate, now, digest) = (mate_of(caller)?, s.clock.now(), shot.digest.clone());
    s.store
        .read(move |u| {
            if let Some(answered) = request.map(|r| r.replay(u, now)).transpose()?.flatten() {
                return Ok(Some(answered));
            }
            on_job(u, mate, id)?;
            let known = u.crew_photos().of_booking(id)?;
            if !known.iter().any(|p| p.mate == mate && p.digest == digest) {
                room(&known)?;
            }
            Ok(None)
        })
        .await
}

/// A mate adds a photo to a job of theirs. The same file for the same stage is kept once, with the instant it was first told with.
///
/// # Errors
/// `not_found`, `photo_limit`.
pub async fn add_photo(
    s: &Services,
    caller: &Caller,
    id: BookingId,
    shot: NewCrewPhoto,
    new: NewPhoto,
    guard: Option<Guard<ByMate<CrewPhoto>>>,
) -> ServiceResult<Replayable<ByMate<CrewPhoto>>> {
    let (mate, asked_at) = (mate_of(caller)?, s.clock.now());
    s.write(caller.actor(), move |tx| {
        idempotency::once(tx, guard, asked_at, |tx| {
            let mine = on_locked(tx, mate, id)?;
            let kept = nearest(tx, &mine.mate, shot.at);
            let taken_at = kept.at;
            // A wrong clock does not tell whether it was before: then it is what we know now.
            let begun = mine.started_at.is_some_and(|began| began <= taken_at || kept.clock.is_some());
            let stage = shot.stage.unwrap_or(if begun { PhotoStage::After } else { PhotoStage::Before });
            let known = tx.unit.crew_photos().of_booking(id)?;
            let same = known.iter().find(|p| p.mate == mate && p.stage == stage && p.digest == shot.digest);
            if let Some(photo) = same.cloned() {
                return Names::default().by(tx.unit, mate, photo);
            }
            room(&known)?;
            let photo = CrewPhoto {
                id: PhotoId(tx.id()),
                booking_id: id,
                mate,
                stage,
                taken_at,
                added_at: tx.now,
                digest: shot.digest,
                width: new.width,
                height: new.height,
                bytes: u32::try_from(new.jpeg.len()).map_err(|_| Error::Internal("a photo of gigabytes".into()))?,
            };
            tx.unit.crew_photos().insert(&photo, &new.jpeg)?;
            tx.audit("photo.create", photo.id, None, Some(kept.audited(crate::photos::crew_audit_snapshot(&photo))))?;
            Names::default().by(tx.unit, mate, photo)
        })
    })
    .await
}

fn room(known: &[CrewPhoto]) -> ServiceResult<()> {
    if known.len() >= MOST {
        return Err(Error::Refused(ErrorCode::PhotoLimit, vec![("n", MOST.to_string())]));
    }
    Ok(())
}
