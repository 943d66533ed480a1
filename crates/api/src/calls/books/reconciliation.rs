//! Whether payment service, ledger and histories agree, and what puts right where they do not.

use actix_web::web;
use kernel::{
    Language,
    chrono::{DateTime, Utc},
};
use serde::Serialize;
use service::{
    billing::{
        compare::{self, DifferenceView, Last},
        mend,
    },
    ports::comparisons::DifferenceId,
};
use utoipa::ToSchema;

use super::words::Words;
use crate::{
    access::AsStaff,
    calls::{
        replies::{Json, Once, Reply},
        values::{DifferenceCode, RepairCode, StandingCode},
    },
    contract::{Names, Record, refusals},
    http::{IdempotencyKey, PathId},
    state::State,
};

refusals! {
    /// Why a difference stays as it is.
    RepairRefusal { Rule: RepairChanged, PaymentInFlight, PeriodClosed }
}

impl Names for DifferenceId {
    const RECORD: Record = Record::Difference;
}

/// What would put a difference right.
#[derive(Debug, Serialize, ToSchema)]
pub struct RepairOffer {
    #[schema(value_type = RepairCode)]
    kind: &'static str,
    /// All that it will do, in the language of the caller.
    text: String,
}

/// A difference.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DifferenceRow {
    id: String,
    #[schema(value_type = DifferenceCode)]
    kind: &'static str,
    /// What differs, in the language of the caller.
    text: String,
    booking_id: Option<String>,
    short_id: Option<String>,
    /// None where nothing puts it right by itself.
    repair: Option<RepairOffer>,
    /// What somebody must do then.
    advice: Option<String>,
    #[schema(value_type = StandingCode)]
    standing: &'static str,
    /// When a comparison first saw it. It goes on from one to the next until it is solved.
    first_seen: DateTime<Utc>,
    /// Since when it stands so.
    changed_at: DateTime<Utc>,
    /// Who had it repaired.
    changed_by: Option<String>,
}

/// A comparison.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ComparisonRecord {
    id: String,
    /// When it was over.
    at: DateTime<Utc>,
    /// What was compared: from this instant on.
    from: DateTime<Utc>,
    /// To before this one.
    until: DateTime<Utc>,
    /// Who asked for it; nobody for the daily one.
    asked_by: Option<String>,
    /// Transactions of the payment service.
    transactions: i64,
    /// Attempts of ours.
    attempts: i64,
    /// Bookings that were held against their history.
    bookings: i64,
    /// Differences it found; the list has at most 500 of them.
    total: i64,
    differences: Vec<DifferenceRow>,
}

/// A comparison that was not made.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ComparisonFailure {
    /// When it failed.
    at: DateTime<Utc>,
    /// What it said, for whoever runs the installation.
    why: String,
    /// When it is tried again; none once it was given up.
    next_try: Option<DateTime<Utc>>,
}

/// The newest comparison.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReconciliationAnswer {
    /// None before the first.
    last: Option<ComparisonRecord>,
    /// The last attempt, where it failed and no comparison was made since.
    failed: Option<ComparisonFailure>,
}

/// A comparison was asked for.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ComparisonAsked {
    /// One that is over from then on is the answer.
    asked_at: DateTime<Utc>,
}

fn row(shown: &DifferenceView, language: Language) -> DifferenceRow {
    let words = Words(language);
    let (found, difference) = (&shown.found, &shown.difference);
    let repair = shown.repair.as_ref().map(|r| RepairOffer { kind: r.code(), text: words.repair(r) });
    DifferenceRow {
        id: found.id.to_string(),
        kind: difference.what.code(),
        text: words.difference(difference),
        booking_id: found.booking.map(|id| id.to_string()),
        short_id: shown.short_id.clone(),
        advice: repair.is_none().then(|| words.advice(difference)),
        repair,
        standing: found.standing.code(),
        first_seen: shown.first_seen,
        changed_at: found.changed_at,
        changed_by: shown.changed_by.clone(),
    }
}

fn record(last: &Last, language: Language) -> ComparisonRecord {
    let c = &last.comparison;
    ComparisonRecord {
        id: c.id.to_string(),
        at: c.at,
        from: c.from,
        until: c.until,
        asked_by: last.asked_by.clone(),
        transactions: c.transactions,
        attempts: c.attempts,
        bookings: c.bookings,
        total: c.differences,
        differences: last.differences.iter().map(|d| row(d, language)).collect(),
    }
}

pub(super) async fn last(state: web::Data<State>, who: AsStaff) -> Reply<Json<ReconciliationAnswer>> {
    let found = compare::last(&state.services, &who.0).await?;
    let failed = compare::failed(&state.services).await?;
    let language = who.0.caller().language;
    Ok(Json(ReconciliationAnswer {
        last: found.map(|last| record(&last, language)),
        failed: failed.map(|f| ComparisonFailure { at: f.at, why: f.why, next_try: f.next }),
    }))
}

pub(super) async fn ask(state: web::Data<State>, who: AsStaff) -> Reply<Json<ComparisonAsked>> {
    let asked_at = compare::ask(&state.services, &who.0).await?;
    Ok(Json(ComparisonAsked { asked_at }))
}

/// By language, as the stored answer of a key is written within the transaction.
fn renderer(language: Language) -> fn(&DifferenceView) -> DifferenceRow {
    match language {
        Language::En => |shown| row(shown, Language::En),
        Language::Fr => |shown| row(shown, Language::Fr),
        Language::Zh => |shown| row(shown, Language::Zh),
    }
}

pub(super) async fn repair(
    state: web::Data<State>,
    who: AsStaff,
    id: PathId<DifferenceId>,
    key: IdempotencyKey,
) -> Reply<Once<DifferenceRow>, RepairRefusal> {
    let call = format!("POST /api/reconciliation/{}/repair", id.0);
    let render = renderer(who.0.caller().language);
    let guard = Once::<_, 200>::guard(key, who.0.caller(), &call, "", render);
    let done = mend::mend(&state.services, &who.0, id.0, guard).await?;
    Ok(Once::of(done, render)?)
}
