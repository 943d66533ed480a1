//! What customers do with their bookings.

use actix_web::{http::StatusCode, web};
use kernel::{
    BookingId,
    chrono::{DateTime, Utc},
};
use serde::Serialize;
use service::{
    Caller, Services,
    bookings::{self, cancel, edit, queries},
    ports::bookings::Location,
};
use utoipa::ToSchema;

use super::{
    draft::{BookingDraft, CreateRequest},
    record::BookingRecord,
};
use crate::{
    access::Who,
    calls::{
        payments::PlanAnswer,
        replies::{Reply, guard, json, ok, once, versioned},
        values::Cash,
    },
    http::{ApiError, IdempotencyKey, IfMatch, PathId, Query, ValidJson},
    state::State,
};

/// A page of bookings.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BookingPage {
    /// Rows.
    pub data: Vec<BookingRecord>,
    /// Of how many.
    pub total: i64,
    /// From 1.
    pub page: i64,
    /// Rows a page.
    pub per_page: i64,
}

/// What an edit would cost.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EditPreviewAnswer {
    /// Total before.
    old_total: Cash,
    /// Total after, change fee included.
    new_total: Cash,
    /// Tax included.
    change_fee: Cash,
    /// `newTotal` minus `oldTotal`.
    difference: Cash,
    /// Charged together with the edit.
    charge_now: Cash,
    /// Returned with the edit.
    refund_now: Cash,
    /// The dated charges afterwards.
    payment_plan: PlanAnswer,
    /// The booking as it would be.
    booking: BookingRecord,
}

/// What cancelling now would do.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CancellationAnswer {
    /// The instant it was judged at.
    at: DateTime<Utc>,
    /// Kept in the end, tax included.
    kept: Cash,
    /// Given back.
    refunded: Cash,
    /// Kept and still to be charged.
    to_charge: Cash,
    /// `free`, `deposit`, `full`.
    rule: &'static str,
}

/// Field paths of the draft inside `bookingRequest`, or on their own.
fn nested(e: ApiError, inside: bool) -> ApiError {
    const PREFIX: &str = "bookingRequest.";
    let fields = e.fields.into_iter().map(|mut f| {
        let bare = f.path.strip_prefix(PREFIX).unwrap_or(&f.path).to_owned();
        f.path = if inside { format!("{PREFIX}{bare}") } else { bare };
        f
    });
    ApiError { fields: fields.collect(), ..e }
}

pub(super) async fn create(
    state: web::Data<State>,
    who: Who,
    key: IdempotencyKey,
    body: ValidJson<CreateRequest>,
) -> Reply {
    let guard = guard(key, &who.0, "POST /api/bookings", &body.body_hash(), StatusCode::CREATED, |c| {
        json(BookingRecord::created(c))
    });
    let CreateRequest { booking_request, tip_request } = body.value;
    let draft = booking_request.draft().map_err(|e| nested(e, true))?;
    let done = bookings::create(&state.services, &who.0, draft, tip_request.map(Into::into), guard).await;
    once(done?, StatusCode::CREATED, |c| json(BookingRecord::created(c)))
}

pub(super) async fn book(
    state: web::Data<State>,
    who: Who,
    key: IdempotencyKey,
    body: ValidJson<BookingDraft>,
) -> Reply {
    let guard = guard(key, &who.0, "POST /api/book", &body.body_hash(), StatusCode::CREATED, |c| {
        json(BookingRecord::created(c))
    });
    let draft = body.value.draft()?;
    let done = bookings::create(&state.services, &who.0, draft, None, guard).await;
    let done = done.map_err(|e| nested(e.into(), false))?;
    once(done, StatusCode::CREATED, |c| json(BookingRecord::created(c)))
}

pub(super) async fn previous(state: web::Data<State>, who: Who, query: Query) -> Reply {
    let (page, per_page) = query.page(5)?;
    let found = queries::previous(&state.services, &who.0, page, per_page).await?;
    let data = found.data.iter().map(|b| BookingRecord::row(b, false)).collect();
    ok(&BookingPage { data, total: found.total, page, per_page })
}

pub(super) async fn detail(state: web::Data<State>, who: Who, id: PathId<BookingId>) -> Reply {
    let found = queries::detail(&state.services, &who.0, id.0).await?;
    versioned(found.booking.version, &BookingRecord::detail(&found, who.0.role.is_staff()))
}

/// The ends of the booking as it is: an edit names only what changes.
pub(super) async fn ends(s: &Services, caller: &Caller, id: BookingId) -> Result<(Location, Location), ApiError> {
    let d = queries::detail(s, caller, id).await?.booking.details;
    Ok((d.pickup, d.dropoff))
}

pub(super) async fn preview(
    state: web::Data<State>,
    who: Who,
    id: PathId<BookingId>,
    body: ValidJson<BookingDraft>,
) -> Reply {
    let old = ends(&state.services, &who.0, id.0).await?;
    let input = body.value.edit((&old.0, &old.1))?;
    let p = edit::preview(&state.services, &who.0, id.0, input).await.map_err(|e| nested(e.into(), false))?;
    ok(&EditPreviewAnswer {
        old_total: p.old_total.into(),
        new_total: p.new_total.into(),
        change_fee: p.change_fee.into(),
        difference: p.new_total.minus(p.old_total).into(),
        charge_now: p.charge_now.into(),
        refund_now: p.refund_now.into(),
        payment_plan: PlanAnswer::new(&p.plan, p.booking.zone),
        booking: BookingRecord::row(&p.booking, who.0.role.is_staff()),
    })
}

pub(super) async fn change(
    state: web::Data<State>,
    who: Who,
    id: PathId<BookingId>,
    version: IfMatch,
    body: ValidJson<BookingDraft>,
) -> Reply {
    let old = ends(&state.services, &who.0, id.0).await?;
    let input = body.value.edit((&old.0, &old.1))?;
    let done =
        edit::edit(&state.services, &who.0, id.0, input, version.0).await.map_err(|e| nested(e.into(), false))?;
    let record = BookingRecord::detail(&done, who.0.role.is_staff());
    versioned(record.version(), &record)
}

pub(super) async fn cancellation(state: web::Data<State>, who: Who, id: PathId<BookingId>) -> Reply {
    let p = cancel::preview(&state.services, &who.0, id.0).await?;
    ok(&CancellationAnswer {
        at: p.at,
        kept: p.outcome.kept.into(),
        refunded: p.outcome.refund.into(),
        to_charge: p.outcome.to_charge.into(),
        rule: p.outcome.rule.code(),
    })
}

pub(super) async fn cancel_booking(state: web::Data<State>, who: Who, id: PathId<BookingId>) -> Reply {
    let done = bookings::cancel::cancel(&state.services, &who.0, id.0).await?;
    versioned(done.booking.version, &BookingRecord::cancelled(&done))
}
