//! Photos of what is special about a move: the narrow stairs, the piano. They belong to a booking, so that
//! each has an owner, a ceiling and a day on which it is erased. What crews add (`dispatch::crew_notes`) is shown and erased
//! here, too.

use chrono::{DateTime, Duration, Utc};
use kernel::{BookingId, UserId};
use serde_json::{Value, json};
use status_machine::booking::Status;

use crate::{
    Caller, Error, ErrorCode, ServiceResult, Services, Tx,
    bookings::queries::visible,
    idempotency::{self, Guard, Replayable},
    ports::{
        Unit,
        bookings::Booking,
        crew_photos::CrewPhoto,
        photos::{Photo, PhotoId},
    },
};

/// Photos of a booking.
pub const MOST: usize = 20;
/// Photos that one person adds within [`DAY`], also when some are erased again. Staff are not counted.
const MOST_A_DAY: usize = 60;
const DAY: Duration = Duration::hours(24);
/// How long they are kept after the start of the move, whatever became of it: as long as damage is asked
/// about.
const KEPT: Duration = Duration::days(90);
/// Photos that one transaction erases.
const ERASED_AT_ONCE: i64 = 200;

/// A photo that was read and made ready to be kept.
#[derive(Debug, Clone)]
pub struct NewPhoto {
    /// The file.
    pub jpeg: Vec<u8>,
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
}

/// Whether the caller may add a photo now, asked before the work of reading it is done; the stored answer
/// when this very request was answered before.
///
/// # Errors
/// As [`add`].
pub async fn may_add(
    s: &Services,
    caller: &Caller,
    id: BookingId,
    request: Option<idempotency::Request>,
) -> ServiceResult<Option<(u16, Value)>> {
    let (caller, now) = (caller.clone(), s.clock.now());
    s.store
        .read(move |u| {
            if let Some(answered) = request.map(|r| r.replay(u, now)).transpose()?.flatten() {
                return Ok(Some(answered));
            }
            let booking = visible(u, &caller, id)?;
            open(u, &booking, &caller)?;
            Ok(None)
        })
        .await
}

/// `POST /bookings/{id}/photos`: the owner or staff add a photo.
///
/// # Errors
/// `not_found`, `photo_closed` for customers when the move is not to come any more, `photo_limit`,
/// `photo_day_limit`.
pub async fn add(
    s: &Services,
    caller: &Caller,
    id: BookingId,
    new: NewPhoto,
    guard: Option<Guard<Photo>>,
) -> ServiceResult<Replayable<Photo>> {
    let (caller, asked_at) = (caller.clone(), s.clock.now());
    s.write(caller.actor(), move |tx| {
        idempotency::once(tx, guard, asked_at, |tx| {
            let user = caller.user.ok_or(ErrorCode::SignInNeeded)?;
            if !caller.role.is_staff() {
                count(tx, user)?;
            }
            visible(tx.unit, &caller, id)?;
            // Two that come at once are counted one after the other.
            let booking = tx.unit.bookings().lock(id)?.ok_or(ErrorCode::NotFound)?;
            open(tx.unit, &booking, &caller)?;
            let photo = Photo {
                id: PhotoId(tx.id()),
                booking_id: id,
                added_by: user,
                added_at: tx.now,
                width: new.width,
                height: new.height,
                bytes: u32::try_from(new.jpeg.len()).map_err(|_| Error::Internal("a photo of gigabytes".into()))?,
            };
            tx.unit.photos().insert(&photo, &new.jpeg)?;
            tx.audit("photo.create", photo.id, None, Some(audit_snapshot(&photo)))?;
            Ok(photo)
        })
    })
    .await
}

/// `GET /photos/{id}`: its file, for the owner, staff, and the crew of the move. A photo that a crew took is not its owner's.
///
/// # Errors
/// `not_found`.
pub async fn file(s: &Services, caller: &Caller, id: PhotoId) -> ServiceResult<Vec<u8>> {
    let caller = caller.clone();
    s.store
        .read(move |u| {
            if let Some(photo) = u.photos().get(id)? {
                if !is_of_crew(u, &caller, photo.booking_id)? {
                    visible(u, &caller, photo.booking_id)?;
                }
                return u.photos().file(id)?.ok_or_else(|| ErrorCode::NotFound.into());
            }
            let photo = u.crew_photos().get(id)?.ok_or(ErrorCode::NotFound)?;
            if !is_of_crew(u, &caller, photo.booking_id)? {
                for_staff(u, &caller, &photo)?;
            }
            u.crew_photos().file(id)?.ok_or_else(|| ErrorCode::NotFound.into())
        })
        .await
}

/// `DELETE /photos/{id}`: erases it. Customers erase what they added themselves, while the move is to come; only staff erase what
/// a crew took.
///
/// # Errors
/// `not_found`, `forbidden`, `photo_closed`.
pub async fn delete(s: &Services, caller: &Caller, id: PhotoId) -> ServiceResult<()> {
    let caller = caller.clone();
    s.write(caller.actor(), move |tx| {
        let Some(photo) = tx.unit.photos().get(id)? else { return delete_of_crew(tx, &caller, id) };
        let booking = visible(tx.unit, &caller, photo.booking_id)?;
        if !caller.role.is_staff() {
            if caller.user != Some(photo.added_by) {
                return Err(ErrorCode::Forbidden.into());
            }
            if !is_to_come(&booking) {
                return Err(ErrorCode::PhotoClosed.into());
            }
        }
        // Somebody else erased it at the same moment.
        if !tx.unit.photos().delete(id)? {
            return Err(ErrorCode::NotFound.into());
        }
        Ok::<_, Error>(tx.audit("photo.delete", id, Some(audit_snapshot(&photo)), None)?)
    })
    .await
}

/// The daily job: erases the photos of moves that are long over.
///
/// # Errors
/// When the database fails.
pub(crate) async fn sweep(s: &Services) -> ServiceResult<()> {
    let before = s.clock.now() - KEPT;
    loop {
        let erased = s
            .write(crate::Actor::system(), move |tx| {
                let erased = tx.unit.photos().purge(before, ERASED_AT_ONCE)?
                    + tx.unit.crew_photos().purge(before, ERASED_AT_ONCE)?;
                if erased > 0 {
                    tx.audit("photo.purge", before, None, Some(json!({ "photos": erased })))?;
                }
                Ok::<_, Error>(erased)
            })
            .await?;
        if i64::try_from(erased).unwrap_or(i64::MAX) < ERASED_AT_ONCE {
            return Ok(());
        }
    }
}

/// Refuses whoever is not staff: of a photo that a crew took.
fn for_staff(u: &mut dyn Unit, caller: &Caller, photo: &CrewPhoto) -> ServiceResult<()> {
    if !caller.role.is_staff() {
        return Err(ErrorCode::NotFound.into());
    }
    visible(u, caller, photo.booking_id).map(drop)
}

fn delete_of_crew(tx: &mut Tx<'_>, caller: &Caller, id: PhotoId) -> ServiceResult<()> {
    let photo = tx.unit.crew_photos().get(id)?.ok_or(ErrorCode::NotFound)?;
    for_staff(tx.unit, caller, &photo)?;
    if !tx.unit.crew_photos().delete(id)? {
        return Err(ErrorCode::NotFound.into());
    }
    Ok(tx.audit("photo.delete", id, Some(crew_audit_snapshot(&photo)), None)?)
}

/// Whether the caller is a mate on the crew of a move that is not deleted.
fn is_of_crew(u: &mut dyn Unit, caller: &Caller, id: BookingId) -> ServiceResult<bool> {
    let Some(mate) = caller.mate else { return Ok(false) };
    if !u.crews().of_booking(id)?.iter().any(|m| m.mate == mate) {
        return Ok(false);
    }
    Ok(u.bookings().get(id)?.is_some_and(|b| b.status != Status::Deleted))
}

const fn is_to_come(b: &Booking) -> bool {
    matches!(b.status, Status::Pending | Status::Assigned)
}

/// Refuses when the booking takes no more photos of this caller.
fn open(u: &mut dyn Unit, booking: &Booking, caller: &Caller) -> ServiceResult<()> {
    if !caller.role.is_staff() && !is_to_come(booking) {
        return Err(ErrorCode::PhotoClosed.into());
    }
    if u.photos().of_booking(booking.id)?.len() >= MOST {
        return Err(Error::Refused(ErrorCode::PhotoLimit, vec![("n", MOST.to_string())]));
    }
    Ok(())
}

/// Counts a photo of a person, or refuses it.
fn count(tx: &mut Tx<'_>, user: UserId) -> ServiceResult<()> {
    let key = format!("photos:{user}");
    let mut instants = tx.unit.tallies().lock(&key, tx.now)?;
    // The clock of a demonstration may be set back: what lies ahead of it counts as long.
    instants.retain(|at| (tx.now - *at).abs() < DAY);
    if instants.len() >= MOST_A_DAY {
        return Err(Error::Refused(ErrorCode::PhotoDayLimit, wait(&instants, tx.now)));
    }
    instants.push(tx.now);
    tx.unit.tallies().put(&key, &instants)?;
    Ok(())
}

fn wait(instants: &[DateTime<Utc>], now: DateTime<Utc>) -> crate::Params {
    let free = instants.iter().min().map_or(DAY, |first| *first + DAY - now);
    vec![("n", MOST_A_DAY.to_string()), ("seconds", free.num_seconds().max(1).to_string())]
}

/// What the audit trail keeps of a photo: never the picture.
fn audit_snapshot(photo: &Photo) -> Value {
    json!({ "bookingId": photo.booking_id, "width": photo.width, "height": photo.height, "bytes": photo.bytes })
}

/// The same of a crew's photo.
pub(crate) fn crew_audit_snapshot(photo: &CrewPhoto) -> Value {
    json!({
        "bookingId": photo.booking_id, "width": photo.width, "height": photo.height, "bytes": photo.bytes,
        "stage": photo.stage.code(), "at": photo.taken_at,
    })
}
