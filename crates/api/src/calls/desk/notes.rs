//! Notes about a booking.

use actix_web::web;
use kernel::{
    BookingId,
    chrono::{DateTime, Utc},
};
use serde::{Deserialize, Serialize};
use service::{
    FieldProblem,
    desk::notes::{self, Signed},
    ports::notes::Visibility,
};
use utoipa::ToSchema;
use validator::Validate;

use crate::{
    access::AsStaff,
    calls::{
        replies::{Json, Once, Reply},
        values::VisibilityCode,
    },
    contract::CommonError,
    http::{IdempotencyKey, PathId, ValidJson},
    state::State,
};

/// What staff write.
#[derive(Debug, Deserialize, ToSchema, Validate)]
pub(super) struct NoteRequest {
    /// The text.
    #[validate(length(min = 1, max = 2000))]
    #[schema(min_length = 1, max_length = 2000)]
    text: String,
    /// Who reads it: staff only, or the crew of the booking as well.
    #[schema(value_type = VisibilityCode)]
    visibility: String,
}

/// Who wrote a note.
#[derive(Debug, Serialize, ToSchema)]
pub struct NoteAuthor {
    id: Option<String>,
    name: Option<String>,
}

/// A mate who wrote a note.
#[derive(Debug, Serialize, ToSchema)]
pub struct NoteMate {
    id: String,
    name: Option<String>,
}

/// A note.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NoteRecord {
    id: String,
    text: String,
    #[schema(value_type = VisibilityCode)]
    visibility: &'static str,
    created_at: DateTime<Utc>,
    author: NoteAuthor,
    /// The mate who wrote it on the job; none: staff wrote it.
    mate: Option<NoteMate>,
}

impl From<&Signed> for NoteRecord {
    fn from(s: &Signed) -> NoteRecord {
        NoteRecord {
            id: s.note.id.to_string(),
            text: s.note.text.clone(),
            visibility: s.note.visibility.code(),
            created_at: s.note.created_at,
            author: NoteAuthor { id: s.note.author.map(|id| id.to_string()), name: s.author.clone() },
            mate: s.note.mate.map(|id| NoteMate { id: id.to_string(), name: s.mate.clone() }),
        }
    }
}

/// Notes about a booking, the newest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct BookingNotes {
    /// Notes.
    data: Vec<NoteRecord>,
}

pub(super) async fn list(state: web::Data<State>, who: AsStaff, id: PathId<BookingId>) -> Reply<Json<BookingNotes>> {
    let found = notes::list(&state.services, &who.0, id.0).await?;
    Ok(Json(BookingNotes { data: found.iter().map(NoteRecord::from).collect() }))
}

pub(super) async fn add(
    state: web::Data<State>,
    who: AsStaff,
    id: PathId<BookingId>,
    key: IdempotencyKey,
    body: ValidJson<NoteRequest>,
) -> Reply<Once<NoteRecord, 201>> {
    let render = |s: &Signed| NoteRecord::from(s);
    let call = format!("POST /api/bookings/{}/notes", id.0);
    let guard = Once::<_, 201>::guard(key, who.0.caller(), &call, &body.body_hash(), render);
    let NoteRequest { text, visibility } = body.value;
    let visibility = Visibility::from_code(&visibility);
    let visibility = visibility.ok_or_else(|| CommonError::field("visibility", FieldProblem::Unknown))?;
    let done = notes::add(&state.services, &who.0, id.0, &text, visibility, guard).await?;
    Ok(Once::of(done, render)?)
}
