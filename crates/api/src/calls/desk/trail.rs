//! The audit trail, and jobs that were given up.

use actix_web::web;
use kernel::{
    JobId, Zone,
    chrono::{DateTime, NaiveDate, NaiveTime, Utc},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use service::{
    desk::trail::{self, AuditFilter, Entry, Person},
    jobs::{self, Listed},
    ports::acted,
};
use utoipa::ToSchema;

use crate::{
    access::AsStaff,
    calls::{
        replies::{Json, NoContent, Reply},
        values::blank,
    },
    contract::{Names, Record},
    http::{PathId, ValidQuery},
    state::State,
};

impl Names for JobId {
    const RECORD: Record = Record::Job;
}

/// Which rows of the trail.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct TrailQuery {
    /// Page, from 1.
    #[serde(default = "first")]
    #[schema(minimum = 1, maximum = 1_000_000, default = 1)]
    page: i64,
    /// Rows a page.
    #[serde(default = "fifty")]
    #[schema(minimum = 1, maximum = 100, default = 50)]
    per_page: i64,
    /// By this person: an e-mail address or the id of an account.
    #[serde(default, deserialize_with = "blank")]
    #[schema(value_type = Option<String>, max_length = 254)]
    actor: Option<Person>,
    /// About a thing of this kind, `booking`; or about one, `booking:{key}`, a booking also by its number.
    #[schema(max_length = 100)]
    subject: Option<String>,
    /// From this day on, Montreal's.
    #[schema(value_type = Option<String>, format = Date)]
    from: Option<NaiveDate>,
    /// To the end of this day.
    #[schema(value_type = Option<String>, format = Date)]
    to: Option<NaiveDate>,
}

const fn first() -> i64 {
    1
}

const fn fifty() -> i64 {
    50
}

/// Who acted.
#[derive(Debug, Serialize, ToSchema)]
pub struct AuditActor {
    id: String,
    name: Option<String>,
}

/// One change.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditEntry {
    id: String,
    at: DateTime<Utc>,
    /// None for guests and for the program itself.
    actor: Option<AuditActor>,
    /// In which role.
    role: &'static str,
    /// `booking.edit`, `member.add`, …
    action: String,
    subject_kind: String,
    subject_id: String,
    /// The number of the booking that `subjectId` names; left out for other things.
    #[serde(skip_serializing_if = "Option::is_none")]
    subject_number: Option<String>,
    /// As it was.
    #[schema(value_type = Option<Object>)]
    before: Option<Value>,
    /// As it became.
    #[schema(value_type = Option<Object>)]
    after: Option<Value>,
}

/// A page of the trail, the newest first.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditPage {
    /// Rows.
    data: Vec<AuditEntry>,
    /// Of how many, as far as they are counted.
    total: i64,
    /// False: there are more.
    total_is_exact: bool,
    /// From 1.
    page: i64,
    /// Rows a page.
    per_page: i64,
}

fn entry(Entry { row, name, number }: &Entry) -> AuditEntry {
    AuditEntry {
        id: row.id.to_string(),
        at: row.at,
        actor: row.actor.map(|id| AuditActor { id: id.to_string(), name: name.clone() }),
        role: acted::code(row.role),
        action: row.action.clone(),
        subject_kind: row.subject_kind.clone(),
        subject_id: row.subject_id.clone(),
        subject_number: number.as_ref().map(ToString::to_string),
        before: row.before.clone(),
        after: row.after.clone(),
    }
}

pub(super) async fn list(
    state: web::Data<State>,
    who: AsStaff,
    query: ValidQuery<TrailQuery>,
) -> Reply<Json<AuditPage>> {
    let q = query.value;
    let midnight = |date: NaiveDate| Zone::MONTREAL.instant(date, NaiveTime::MIN).ok();
    let subject = q.subject.unwrap_or_default();
    let (kind, id) = subject.split_once(':').unwrap_or((&subject, ""));
    let some = |text: &str| Some(text.trim().to_owned()).filter(|t| !t.is_empty());
    let wanted = AuditFilter {
        by: q.actor,
        kind: some(kind),
        key: some(id),
        from: q.from.and_then(midnight),
        before: q.to.and_then(|d| d.succ_opt()).and_then(midnight),
    };
    let found = trail::page(&state.services, &who.0, wanted, q.page, q.per_page).await?;
    Ok(Json(AuditPage {
        data: found.data.iter().map(entry).collect(),
        total: found.counted.total,
        total_is_exact: found.counted.is_exact,
        page: q.page,
        per_page: q.per_page,
    }))
}

/// What a job sends.
#[derive(Debug, Serialize, ToSchema)]
pub struct JobMessage {
    /// Template.
    #[serde(rename = "type")]
    kind: String,
    /// As somebody may see it who needs not know the address.
    recipient: String,
}

/// A job that failed.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JobEntry {
    id: String,
    /// `bill_booking`, `send_message`, …
    kind: String,
    /// `dead`: given up; `failing`: it is tried again.
    state: &'static str,
    attempts: i32,
    failures: i32,
    /// What the last attempt said.
    last_error: Option<String>,
    /// Short id of the booking it is about.
    booking: Option<String>,
    message: Option<JobMessage>,
    /// When it was asked for.
    made_at: Option<DateTime<Utc>>,
    /// When it is tried again.
    next_at: Option<DateTime<Utc>>,
}

/// What was given up, newest first, and then what is tried again.
#[derive(Debug, Serialize, ToSchema)]
pub struct JobsAnswer {
    /// Jobs, at most 100 of each kind.
    data: Vec<JobEntry>,
}

fn job(l: &Listed) -> JobEntry {
    JobEntry {
        id: l.job.id.to_string(),
        kind: l.job.kind.clone(),
        state: if l.next.is_some() { "failing" } else { "dead" },
        attempts: l.job.attempts,
        failures: l.job.failures,
        // A relay or a gateway may have repeated an address.
        last_error: l.job.last_error.as_deref().map(kernel::without_addresses),
        booking: l.booking.clone(),
        message: l.message.clone().map(|(kind, recipient)| JobMessage { kind, recipient }),
        made_at: l.made,
        next_at: l.next,
    }
}

pub(super) async fn failed(state: web::Data<State>, _who: AsStaff) -> Reply<Json<JobsAnswer>> {
    let found = jobs::listed(&state.services, 100).await?;
    Ok(Json(JobsAnswer { data: found.iter().map(job).collect() }))
}

pub(super) async fn retry(state: web::Data<State>, who: AsStaff, id: PathId<JobId>) -> Reply<NoContent> {
    jobs::retry(&state.services, id.0, who.0.actor()).await?;
    Ok(NoContent)
}

pub(super) async fn discard(state: web::Data<State>, who: AsStaff, id: PathId<JobId>) -> Reply<NoContent> {
    jobs::discard(&state.services, id.0, who.0.actor()).await?;
    Ok(NoContent)
}
