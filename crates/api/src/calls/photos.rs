//! Photos of what is special about a move.

use actix_web::{HttpResponse, http::header, web};
use kernel::{
    BookingId,
    chrono::{DateTime, Utc},
};
use picture::{MEGAPIXELS, Picture, Unusable};
use serde::Serialize;
use service::{
    idempotency::Replayable,
    photos::{self, NewPhoto},
    ports::photos::{Photo, PhotoId},
};
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

use super::replies::{Made, NoContent, Once, Reply, made};
use crate::{
    access::Who,
    contract::{CommonError, DeclaredAnswer, Names, Record, Refusal, refusals},
    endpoint::{Audit, Example, Relation, Route, SIGNED_IN},
    hexadecimal::hex,
    http::{IdempotencyKey, PathId, sizes, upload::PhotoUpload},
    limits::LimitClass,
    state::State,
};

refusals! {
    /// Why a file is no picture.
    PictureRefusal { Http: PhotoHeic, PhotoFormat, PhotoDamaged, PhotoDimensions }
}

refusals! {
    /// Why a photo is not taken.
    AddRefusal { Rule: PhotoClosed, PhotoLimit, PhotoDayLimit, RequestInFlight }
}

refusals! {
    /// Why a photo stays.
    DeleteRefusal { Rule: PhotoClosed, Forbidden }
}

made! {
    /// A picture.
    PhotoFile: DeclaredAnswer::plain(200, "The photo.", "image/jpeg");
}

impl Names for PhotoId {
    const RECORD: Record = Record::MadeBy("addPhoto");
}

/// A photo of a booking.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PhotoAnswer {
    id: String,
    /// Path of its file; asked for with the access token.
    url: String,
    /// Pixels.
    width: u32,
    /// Pixels.
    height: u32,
    /// Size of the file.
    bytes: u32,
    added_at: DateTime<Utc>,
}

impl From<&Photo> for PhotoAnswer {
    fn from(p: &Photo) -> PhotoAnswer {
        PhotoAnswer {
            id: p.id.to_string(),
            url: address(p.id),
            width: p.width,
            height: p.height,
            bytes: p.bytes,
            added_at: p.added_at,
        }
    }
}

/// Path of a photo's file.
pub fn address(id: PhotoId) -> String {
    format!("/api/photos/{id}")
}

/// Why a file gives no picture.
pub(in crate::calls) enum Undeveloped {
    /// It is no picture.
    Unusable(Unusable),
    /// The file could not be read.
    Failed(CommonError),
}

impl From<CommonError> for Undeveloped {
    fn from(e: CommonError) -> Undeveloped {
        Undeveloped::Failed(e)
    }
}

impl<E> From<Undeveloped> for Refusal<(PictureRefusal, E)> {
    fn from(why: Undeveloped) -> Self {
        match why {
            Undeveloped::Unusable(Unusable::Heic) => PictureRefusal::PhotoHeic.into(),
            Undeveloped::Unusable(Unusable::Format) => PictureRefusal::PhotoFormat.into(),
            Undeveloped::Unusable(Unusable::Damaged) => PictureRefusal::PhotoDamaged.into(),
            Undeveloped::Unusable(Unusable::TooLarge) => {
                Refusal::from(PictureRefusal::PhotoDimensions).with("n", MEGAPIXELS)
            }
            Undeveloped::Failed(e) => e.into(),
        }
    }
}

/// Reads a file on a thread that may be busy, one file at a time. A client that has gone is not waited for by the next.
pub(in crate::calls) async fn develop<T: Send + 'static>(
    state: &State,
    file: Vec<u8>,
    reader: fn(&[u8]) -> Result<T, Unusable>,
) -> Result<T, Undeveloped> {
    let turn = state.darkroom.clone().acquire_owned().await.map_err(CommonError::internal)?;
    let read = web::block(move || {
        // The turn is held until the work is over, also when the client has gone.
        let _turn = turn;
        reader(&file)
    });
    read.await.map_err(CommonError::internal)?.map_err(Undeveloped::Unusable)
}

type PhotoOnce = Once<PhotoAnswer, 201>;

async fn add(
    state: web::Data<State>,
    who: Who,
    id: PathId<BookingId>,
    key: IdempotencyKey,
    mut form: PhotoUpload,
) -> Reply<PhotoOnce, (PictureRefusal, AddRefusal)> {
    let render = |p: &Photo| PhotoAnswer::from(p);
    // The file, not the body: a browser draws another boundary for each request.
    let digest = hex(&Sha256::digest(&form.file));
    let guard = PhotoOnce::guard(key, &who.0, &format!("POST /api/bookings/{}/photos", id.0), &digest, render);
    let request = guard.as_ref().map(|g| g.request.clone());
    if let Some((status, body)) = photos::may_add(&state.services, &who.0, id.0, request).await? {
        return Ok(Once::of(Replayable::Replayed { status, body }, render)?);
    }
    let Picture { jpeg, width, height } = develop(&state, std::mem::take(&mut form.file), picture::read).await?;
    drop(form);
    let done = photos::add(&state.services, &who.0, id.0, NewPhoto { jpeg, width, height }, guard).await?;
    Ok(Once::of(done, render)?)
}

async fn show(state: web::Data<State>, who: Who, id: PathId<PhotoId>) -> Reply<Made<PhotoFile>> {
    let file = photos::file(&state.services, &who.0, id.0).await?;
    let response = HttpResponse::Ok()
        .content_type("image/jpeg")
        .insert_header((header::CACHE_CONTROL, "private, no-store"))
        .insert_header((header::CONTENT_DISPOSITION, "inline; filename=\"photo.jpg\""))
        .body(file);
    Ok(Made::new(response))
}

async fn delete(state: web::Data<State>, who: Who, id: PathId<PhotoId>) -> Reply<NoContent, DeleteRefusal> {
    photos::delete(&state.services, &who.0, id.0).await?;
    Ok(NoContent)
}

/// A white square of eight by eight pixels.
pub(in crate::calls) const EXAMPLE: &[u8] = include_bytes!("photo-example.png");

/// Its part of the table.
pub fn routes() -> Vec<Route> {
    const TAG: &str = "Photos";
    vec![
        Route::post("/api/bookings/{id}/photos", SIGNED_IN, Audit::Action("photo.create"), add)
            .relation(Relation::OwnOrStaff)
            .limited(LimitClass::Upload)
            .takes(sizes::FILE_FORM)
            .doc("addPhoto", TAG, "Add a photo of what is special about a move")
            .about("JPEG, PNG or WebP, at most 12 MB and 25 megapixels. It is turned upright, made at most 2048 pixels long and encoded anew; no metadata is kept. At most 20 a booking, and 60 a day of one person. Customers add photos while the move is to come.")
            .example(Example::file("photo", "stairs.png", EXAMPLE)),
        Route::get("/api/photos/{id}", SIGNED_IN, show)
            .relation(Relation::OwnStaffOrCrew)
            .doc("photo", TAG, "The file of a photo")
            .about("What a crew took is shown to the crew and to staff, and not to the customer."),
        Route::delete("/api/photos/{id}", SIGNED_IN, Audit::Action("photo.delete"), delete)
            .relation(Relation::OwnOrStaff)
            .limited(LimitClass::Upload)
            .doc("deletePhoto", TAG, "Erase a photo")
            .about("Customers erase what they added themselves, while the move is to come; only staff erase what a crew took."),
    ]
}
