//! Money that staff give back, or waive.

use actix_web::web;
use kernel::{
    BookingId,
    chrono::{DateTime, Utc},
};
use serde::{Deserialize, Serialize};
use service::{
    FieldProblem,
    desk::{
        credits::{self, NewCredit},
        record::{CreditLimits, Paid},
    },
    ports::credits::{Credit, CreditKind},
};
use utoipa::ToSchema;
use validator::Validate;

use super::record::BookingPayments;
use crate::{
    access::AsStaff,
    calls::{
        replies::{Once, Reply},
        values::{Cash, CreditKindCode},
    },
    contract::{CommonError, refusals},
    http::{IdempotencyKey, PathId, ValidJson},
    state::State,
};

refusals! {
    /// Why nothing is given back.
    CreditRefusal { Rule: NothingToReturn, PaymentInFlight, PeriodClosed }
}

/// What is given back.
#[derive(Debug, Deserialize, ToSchema, Validate)]
pub(super) struct CreditRequest {
    /// `refund`: money that was paid goes back at once. `goodwill`: less is owed, and what was paid beyond that goes back.
    #[schema(value_type = CreditKindCode)]
    kind: String,
    /// Tax included. At most what `most` of the booking's payments says.
    amount: Cash,
    /// Why; the customer reads it.
    #[validate(length(min = 1, max = 500))]
    #[schema(min_length = 1, max_length = 500)]
    reason: String,
}

/// What staff gave back or waived.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreditRecord {
    #[schema(value_type = CreditKindCode)]
    kind: &'static str,
    /// Tax included.
    amount: Cash,
    reason: String,
    at: DateTime<Utc>,
    /// Name of who gave it.
    by: Option<String>,
    /// Given of what a cancellation kept.
    of_cancellation: bool,
    /// That cancellation was taken back: it counts no longer.
    ended: bool,
}

impl From<&(Credit, Option<String>)> for CreditRecord {
    fn from((c, by): &(Credit, Option<String>)) -> CreditRecord {
        CreditRecord {
            kind: c.kind.code(),
            amount: c.amount.into(),
            reason: c.reason.clone(),
            at: c.at,
            by: by.clone(),
            of_cancellation: c.of_cancellation,
            ended: c.ended,
        }
    }
}

/// How much more can be given.
#[derive(Debug, Serialize, ToSchema)]
pub struct MostCredit {
    /// As a refund; none while something is still owed that is asked for already.
    refund: Cash,
    /// As goodwill.
    goodwill: Cash,
}

impl From<CreditLimits> for MostCredit {
    fn from(m: CreditLimits) -> MostCredit {
        MostCredit { refund: m.refund.into(), goodwill: m.goodwill.into() }
    }
}

pub(super) async fn give(
    state: web::Data<State>,
    who: AsStaff,
    id: PathId<BookingId>,
    key: IdempotencyKey,
    body: ValidJson<CreditRequest>,
) -> Reply<Once<BookingPayments, 201>, CreditRefusal> {
    let render = |paid: &Paid| BookingPayments::from(paid);
    let call = format!("POST /api/bookings/{}/refunds", id.0);
    let guard = Once::<_, 201>::guard(key, who.0.caller(), &call, &body.body_hash(), render);
    let CreditRequest { kind, amount, reason } = body.value;
    let kind = CreditKind::from_code(&kind).ok_or_else(|| CommonError::field("kind", FieldProblem::Unknown))?;
    let new = NewCredit { kind, amount: amount.0, reason };
    let done = credits::give(&state.services, &who.0, id.0, new, guard).await?;
    Ok(Once::of(done, render)?)
}
