//! Disputed charges, and the papers that answer them.

use actix_web::web;
use kernel::chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use service::{
    FieldProblem,
    desk::disputes::{self, Case, DisputeUpdate, Written},
    ports::disputes::{DisputeId, Paper},
};
use utoipa::ToSchema;
use validator::Validate;

use crate::{
    access::AsStaff,
    calls::{
        replies::{Json, Reply, Versioned, versioned},
        values::{Cash, DisputeStateCode, PaperCode, PaymentKindCode},
    },
    contract::{CommonError, Names, Record, refusals},
    http::{PathId, ValidJson, ValidQuery, Version},
    state::State,
};

refusals! {
    /// Why a dispute stays as it is.
    DisputeRefusal { Rule: PaymentInFlight, PeriodClosed }
}

impl Names for DisputeId {
    const RECORD: Record = Record::Dispute;
}

/// Which page.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct DisputeQuery {
    /// Page, from 1.
    #[serde(default = "first")]
    #[schema(minimum = 1, maximum = 1_000_000, default = 1)]
    page: i64,
    /// Rows a page.
    #[serde(default = "fifty")]
    #[schema(minimum = 1, maximum = 100, default = 50)]
    per_page: i64,
}

const fn first() -> i64 {
    1
}

const fn fifty() -> i64 {
    50
}

/// A paper of the list.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DisputePaperRecord {
    #[schema(value_type = PaperCode)]
    paper: &'static str,
    /// It was sent to the bank.
    sent: bool,
    note: String,
    /// Who wrote at it last; none while nobody did.
    by: Option<String>,
    /// When.
    at: Option<DateTime<Utc>>,
}

/// A disputed charge.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DisputeRecord {
    id: String,
    booking_id: String,
    short_id: String,
    customer: String,
    payment_id: String,
    /// What the charge was for.
    #[schema(value_type = PaymentKindCode)]
    kind: &'static str,
    #[schema(value_type = DisputeStateCode)]
    state: &'static str,
    amount: Cash,
    /// What the gateway and the bank kept for themselves.
    fee: Cash,
    /// The gateway's word for why: `fraud`, `product_not_received`, …; empty when it says none.
    reason: String,
    /// The bank's number of the case.
    case_number: Option<String>,
    /// Until when it can be answered.
    reply_by: Option<DateTime<Utc>>,
    opened_at: DateTime<Utc>,
    /// When it ended.
    decided_at: Option<DateTime<Utc>>,
    /// It was lost and some of it is owed still: that can be written off.
    can_write_off: bool,
    /// All papers of the list.
    papers: Vec<DisputePaperRecord>,
    version: i32,
}

/// A page of disputes.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DisputeList {
    /// Rows.
    data: Vec<DisputeRecord>,
    /// Of how many.
    total: i64,
    /// From 1.
    page: i64,
    /// Rows a page.
    per_page: i64,
}

impl From<&Case> for DisputeRecord {
    fn from(c: &Case) -> DisputeRecord {
        let (d, b) = (&c.dispute, &c.booking);
        let papers = c.papers.iter().map(|(e, name)| DisputePaperRecord {
            paper: e.paper.code(),
            sent: e.sent,
            note: e.note.clone(),
            by: name.clone(),
            at: e.by.map(|_| e.at),
        });
        DisputeRecord {
            id: d.id.to_string(),
            booking_id: b.id.to_string(),
            short_id: b.short_id.to_string(),
            customer: b.details.customer_name.clone(),
            payment_id: d.payment_id.to_string(),
            kind: c.charge.code(),
            state: d.state.code(),
            amount: d.amount.into(),
            fee: d.fee.into(),
            reason: d.reason.clone(),
            case_number: d.case_number.clone(),
            reply_by: d.reply_by,
            opened_at: d.opened_at,
            decided_at: d.decided_at,
            can_write_off: c.can_write_off,
            papers: papers.collect(),
            version: d.version,
        }
    }
}

/// What staff write at a paper.
#[derive(Debug, Serialize, Deserialize, ToSchema, Validate)]
pub(super) struct PaperRequest {
    #[schema(value_type = PaperCode)]
    paper: String,
    /// It was sent to the bank.
    sent: bool,
    /// For colleagues.
    #[serde(default)]
    #[validate(length(max = 500))]
    #[schema(max_length = 500)]
    note: String,
}

/// What staff write down about a dispute.
#[derive(Debug, Deserialize, ToSchema, Validate)]
pub(super) struct DisputeRequest {
    /// At these papers; the others stay as they are.
    #[schema(max_items = 8)]
    #[validate(length(max = 8), nested)]
    papers: Vec<PaperRequest>,
    /// What the gateway and the bank kept for themselves.
    fee: Cash,
}

pub(super) async fn list(
    state: web::Data<State>,
    who: AsStaff,
    query: ValidQuery<DisputeQuery>,
) -> Reply<Json<DisputeList>> {
    let DisputeQuery { page, per_page } = query.value;
    let found = disputes::list(&state.services, &who.0, page, per_page).await?;
    let data = found.data.iter().map(DisputeRecord::from).collect();
    Ok(Json(DisputeList { data, total: found.total, page, per_page }))
}

pub(super) async fn get(
    state: web::Data<State>,
    who: AsStaff,
    id: PathId<DisputeId>,
) -> Reply<Versioned<DisputeRecord>> {
    let case = disputes::get(&state.services, &who.0, id.0).await?;
    versioned(case.dispute.version, DisputeRecord::from(&case))
}

pub(super) async fn put(
    state: web::Data<State>,
    who: AsStaff,
    id: PathId<DisputeId>,
    version: Version,
    body: ValidJson<DisputeRequest>,
) -> Reply<Versioned<DisputeRecord>, DisputeRefusal> {
    let DisputeRequest { papers, fee } = body.value;
    let mut written = Vec::with_capacity(papers.len());
    for p in papers {
        let paper = Paper::from_code(&p.paper).ok_or_else(|| CommonError::field("papers", FieldProblem::Unknown))?;
        written.push(Written { paper, sent: p.sent, note: p.note });
    }
    let new = DisputeUpdate { papers: written, fee: fee.0 };
    let case = disputes::put(&state.services, &who.0, id.0, new, version.0).await?;
    versioned(case.dispute.version, DisputeRecord::from(&case))
}
