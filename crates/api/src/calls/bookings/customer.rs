//! What customers do with their bookings.

use actix_web::web;
use kernel::{
    BookingId,
    chrono::{DateTime, Utc},
};
use serde::{Deserialize, Serialize};
use service::{
    Caller, FieldProblem, ServiceResult, Services, Staff,
    bookings::{
        self, cancel,
        edit::{self, EditInput},
        queries,
    },
    ports::bookings::{Booking, Location, PaidBy},
};
use utoipa::ToSchema;

use super::{
    draft::{BookingDraft, RuleRefusal},
    order::CreateRequest,
    record::BookingRecord,
};
use crate::{
    access::Who,
    calls::{
        payments::PlanAnswer,
        replies::{Json, Once, Reply, Versioned, versioned},
        values::Cash,
    },
    contract::{CommonError, Refusal, refusals},
    http::{IdempotencyKey, IfMatch, PathId, ValidJson, ValidQuery},
    state::State,
};

refusals! {
    /// Why a move is not booked, besides its rules.
    CreateRefusal { Rule: TipInvalid, EmailUnverified, EmailUnknown, Forbidden, TermsChanged }
}

refusals! {
    /// The same without a tip.
    BookRefusal { Rule: EmailUnverified, EmailUnknown, TermsChanged }
}

refusals! {
    /// Why a change has no price, besides the rules of a move.
    EditPreviewRefusal {
        Rule: EditClosed, OvertimeOnly, DiscountLocked, Forbidden, TipInvalid, TipLocked, PaymentInFlight, VersionConflict
    }
}

refusals! {
    /// Why a booking is not changed, besides the rules of a move.
    EditRefusal {
        Rule: EditClosed, OvertimeOnly, DiscountLocked, Forbidden, EmailUnverified, PaymentInFlight, TipInvalid, TipLocked
    }
}

refusals! {
    /// Why a cancellation has no consequence.
    PreviewRefusal { Rule: CancelRefused }
}

refusals! {
    /// Why a booking is not cancelled.
    CancelRefusal { Rule: CancelRefused }
}

/// Which page.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct PageQuery {
    /// Page, from 1.
    #[serde(default = "first")]
    #[schema(minimum = 1, maximum = 1_000_000, default = 1)]
    page: i64,
    /// Rows a page.
    #[serde(default = "five")]
    #[schema(minimum = 1, maximum = 100, default = 5)]
    per_page: i64,
}

const fn first() -> i64 {
    1
}

const fn five() -> i64 {
    5
}

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
    /// The booking as it would be; a tip in percent follows its price.
    booking: BookingRecord,
    /// For staff: who would be taken off it, by name. Left out when nobody would; with nobody left it is `pending` again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    crew_released: Vec<String>,
}

/// What cancelling now would do.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CancellationAnswer {
    /// The instant it was judged at.
    at: DateTime<Utc>,
    /// Kept in the end, tax included.
    kept: Cash,
    /// Everything given back in the end, with what went back before: what the cancelled booking says.
    refunded: Cash,
    /// Of that, what goes back with the cancellation.
    refund_now: Cash,
    /// Kept and still to be charged.
    to_charge: Cash,
    /// Kept, and neither held nor charged by itself: it is owed then, and asked for by a link.
    owed: Cash,
    /// `free`, `deposit`, `full`.
    rule: &'static str,
}

impl EditPreviewAnswer {
    /// For the customer, or for staff.
    pub(super) fn new(p: &edit::EditPreview, staff: bool) -> EditPreviewAnswer {
        EditPreviewAnswer {
            old_total: p.old_total.into(),
            new_total: p.new_total.into(),
            change_fee: p.change_fee.into(),
            difference: p.new_total.minus(p.old_total).into(),
            charge_now: p.charge_now.into(),
            refund_now: p.refund_now.into(),
            payment_plan: PlanAnswer::new(&p.plan, p.booking.zone, &p.booking.details.policy),
            booking: BookingRecord::proposed(&p.booking, &p.plan, p.tip.as_ref(), staff),
            crew_released: if staff { p.crew_released.clone() } else { Vec::new() },
        }
    }
}

impl CancellationAnswer {
    pub(super) fn of(p: &cancel::Preview) -> CancellationAnswer {
        CancellationAnswer {
            at: p.at,
            kept: p.outcome.kept.into(),
            refunded: p.returned.into(),
            refund_now: p.outcome.refund.into(),
            to_charge: p.outcome.to_charge.into(),
            owed: p.owed.into(),
            rule: p.outcome.rule.code(),
        }
    }
}

/// Field paths of the draft inside `bookingRequest`, or on their own.
fn nested<E>(refusal: Refusal<E>, inside: bool) -> Refusal<E> {
    const PREFIX: &str = "bookingRequest.";
    refusal.renamed(|path| {
        let bare = path.strip_prefix(PREFIX).unwrap_or(path);
        if inside { format!("{PREFIX}{bare}") } else { bare.to_owned() }
    })
}

type BookingOnce = Once<BookingRecord, 201>;

pub(super) async fn create(
    state: web::Data<State>,
    who: Who,
    key: IdempotencyKey,
    body: ValidJson<CreateRequest>,
) -> Reply<BookingOnce, (RuleRefusal, CreateRefusal)> {
    let guard = BookingOnce::guard(key, &who.0, "POST /api/bookings", &body.body_hash(), BookingRecord::created);
    let CreateRequest { booking_request, tip_request, customer, payment, partner_id, quote_request_id } = body.value;
    let by_staff = customer.is_some() || payment.is_some() || partner_id.is_some() || quote_request_id.is_some();
    let staff = if by_staff { Some(Staff::prove(&who.0)?) } else { None };
    let draft = booking_request.draft().map_err(|e| nested(e.into(), true))?;
    let done = match staff {
        Some(staff) => {
            let customer = customer.ok_or_else(|| CommonError::field("customer", FieldProblem::Required))?;
            let contact = customer.contact(who.0.language)?;
            let paid_by = payment.as_deref().map_or(Some(PaidBy::Card), PaidBy::from_code);
            let paid_by = paid_by.ok_or_else(|| CommonError::field("payment", FieldProblem::Unknown))?;
            if tip_request.is_some() {
                Err(CommonError::field("tipRequest", FieldProblem::DoesNotFit))?;
            }
            let how = (paid_by, partner_id);
            bookings::create_from(&state.services, &staff, contact, how, quote_request_id, draft, guard).await?
        }
        None => bookings::create(&state.services, &who.0, draft, tip_request.map(Into::into), guard).await?,
    };
    Ok(Once::of(done, BookingRecord::created)?)
}

pub(super) async fn book(
    state: web::Data<State>,
    who: Who,
    key: IdempotencyKey,
    body: ValidJson<BookingDraft>,
) -> Reply<BookingOnce, (RuleRefusal, BookRefusal)> {
    let guard = BookingOnce::guard(key, &who.0, "POST /api/book", &body.body_hash(), BookingRecord::created);
    let draft = body.value.draft()?;
    let done = bookings::create(&state.services, &who.0, draft, None, guard).await;
    let done = done.map_err(|e| nested(e.into(), false))?;
    Ok(Once::of(done, BookingRecord::created)?)
}

pub(super) async fn previous(
    state: web::Data<State>,
    who: Who,
    query: ValidQuery<PageQuery>,
) -> Reply<Json<BookingPage>> {
    let PageQuery { page, per_page } = query.value;
    let found = queries::previous(&state.services, &who.0, page, per_page).await?;
    let data = found.data.iter().map(|l| BookingRecord::row(&l.booking, &l.money, false)).collect();
    Ok(Json(BookingPage { data, total: found.total, page, per_page }))
}

type BookingReply<E = ()> = Reply<Versioned<BookingRecord>, E>;

pub(super) async fn detail(state: web::Data<State>, who: Who, id: PathId<BookingId>) -> BookingReply {
    let found = queries::detail(&state.services, &who.0, id.0).await?;
    let record = BookingRecord::detail(&found, who.0.role.is_staff()).with_lines_in(&found.booking, who.0.language);
    versioned(found.booking.version, record)
}

/// The two ends of the booking before an edit, which names only what changes.
pub(super) struct CurrentEnds {
    pickup: Location,
    dropoff: Location,
    version: i32,
}

impl CurrentEnds {
    pub(super) async fn of(s: &Services, caller: &Caller, id: BookingId) -> ServiceResult<CurrentEnds> {
        let Booking { details: d, version, .. } = queries::detail(s, caller, id).await?.booking;
        Ok(CurrentEnds { pickup: d.pickup, dropoff: d.dropoff, version })
    }

    pub(super) fn both(&self) -> (&Location, &Location) {
        (&self.pickup, &self.dropoff)
    }

    /// The version an edit is made for: the one the client names; else, where a part of an end was sent and the rest
    /// of it was read here, the one it was read from. Nobody's change in between is written over.
    fn expected(&self, named: Option<i32>, edit: &EditInput) -> Option<i32> {
        let merged = edit.pickup.is_some() || edit.dropoff.is_some();
        named.or(merged.then_some(self.version))
    }
}

pub(super) async fn preview(
    state: web::Data<State>,
    who: Who,
    id: PathId<BookingId>,
    body: ValidJson<BookingDraft>,
) -> Reply<Json<EditPreviewAnswer>, (RuleRefusal, EditPreviewRefusal)> {
    let input = body.value.edit(CurrentEnds::of(&state.services, &who.0, id.0).await?.both())?;
    let p = edit::preview(&state.services, &who.0, id.0, input).await.map_err(|e| nested(e.into(), false))?;
    Ok(Json(EditPreviewAnswer::new(&p, who.0.role.is_staff())))
}

pub(super) async fn change(
    state: web::Data<State>,
    who: Who,
    id: PathId<BookingId>,
    version: IfMatch,
    body: ValidJson<BookingDraft>,
) -> BookingReply<(RuleRefusal, EditRefusal)> {
    let old = CurrentEnds::of(&state.services, &who.0, id.0).await?;
    let input = body.value.edit(old.both())?;
    let expected = old.expected(version.0, &input);
    let done = edit::edit(&state.services, &who.0, id.0, input, expected).await.map_err(|e| nested(e.into(), false))?;
    let record = BookingRecord::detail(&done, who.0.role.is_staff()).with_lines_in(&done.booking, who.0.language);
    versioned(record.version(), record)
}

pub(super) async fn cancellation(
    state: web::Data<State>,
    who: Who,
    id: PathId<BookingId>,
) -> Reply<Json<CancellationAnswer>, PreviewRefusal> {
    let p = cancel::preview(&state.services, &who.0, id.0).await?;
    Ok(Json(CancellationAnswer::of(&p)))
}

pub(super) async fn cancel_booking(
    state: web::Data<State>,
    who: Who,
    id: PathId<BookingId>,
    version: IfMatch,
) -> BookingReply<CancelRefusal> {
    let done = bookings::cancel::cancel_as_read(&state.services, &who.0, id.0, version.0).await?;
    let record =
        BookingRecord::cancelled(&done, who.0.role.is_staff()).with_lines_in(&done.detail.booking, who.0.language);
    versioned(record.version(), record)
}
