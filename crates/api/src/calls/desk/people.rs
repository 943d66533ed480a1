//! The operations team.

use actix_web::web;
use kernel::{
    Email, Language, OpsMemberId,
    chrono::{DateTime, Utc},
};
use serde::{Deserialize, Serialize};
use service::{
    FieldProblem,
    desk::people::{self, Colleague, Rights},
};
use utoipa::ToSchema;
use validator::Validate;

use crate::{
    access::AsStaff,
    calls::{
        replies::{Json, NoContent, Once, Reply, Versioned, versioned},
        values::{LanguageCode, blank},
    },
    contract::{CommonError, Names, Record, refusals},
    http::{IdempotencyKey, IfMatch, PathId, ValidJson, ValidQuery, Version},
    state::State,
};

impl Names for OpsMemberId {
    const RECORD: Record = Record::MadeBy("addOpsMember");
}

refusals! {
    /// Why somebody is not taken into the team.
    AddRefusal { Rule: MemberExists, Forbidden }
}

refusals! {
    /// Why a right is not taken away.
    RightsRefusal { Rule: LastAdmin }
}

/// Which page.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct TeamQuery {
    /// Page, from 1.
    #[serde(default = "first")]
    #[schema(minimum = 1, maximum = 1_000_000, default = 1)]
    page: i64,
    /// Rows a page.
    #[serde(default = "ten")]
    #[schema(minimum = 1, maximum = 100, default = 10)]
    per_page: i64,
}

const fn first() -> i64 {
    1
}

const fn ten() -> i64 {
    10
}

/// Who is taken into the team.
#[derive(Debug, Deserialize, ToSchema, Validate)]
#[serde(rename_all = "camelCase")]
pub(super) struct NewMemberRequest {
    /// First name.
    #[validate(length(min = 1, max = 100))]
    #[schema(min_length = 1, max_length = 100)]
    first_name: String,
    /// Last name.
    #[validate(length(min = 1, max = 100))]
    #[schema(min_length = 1, max_length = 100)]
    last_name: String,
    /// The address they sign up with.
    #[validate(length(max = 254))]
    #[schema(max_length = 254)]
    email: String,
    /// They may also restore and configure; only an administrator may say so.
    #[serde(default)]
    admin: bool,
    /// Language of the invitation; that of the request when left out.
    #[serde(default, deserialize_with = "blank")]
    #[schema(value_type = Option<LanguageCode>)]
    language: Option<Language>,
}

/// Another name, or another right.
#[derive(Debug, Deserialize, ToSchema, Validate)]
#[serde(rename_all = "camelCase")]
pub(super) struct MemberRequest {
    /// First name.
    #[validate(length(min = 1, max = 100))]
    #[schema(min_length = 1, max_length = 100)]
    first_name: String,
    /// Last name.
    #[validate(length(min = 1, max = 100))]
    #[schema(min_length = 1, max_length = 100)]
    last_name: String,
    /// They may also restore and configure.
    admin: bool,
}

/// Somebody of the team.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemberRecord {
    id: String,
    first_name: String,
    last_name: String,
    email: String,
    admin: bool,
    /// `invited` until they have signed up and verified their address, then `active`.
    state: &'static str,
    version: i32,
    created_at: DateTime<Utc>,
}

impl From<&Colleague> for MemberRecord {
    fn from(c: &Colleague) -> MemberRecord {
        let m = &c.member;
        MemberRecord {
            id: m.id.to_string(),
            first_name: m.first_name.clone(),
            last_name: m.last_name.clone(),
            email: m.email.to_string(),
            admin: m.role == service::ports::members::MemberRole::Admin,
            state: if c.is_active { "active" } else { "invited" },
            version: m.version,
            created_at: m.created_at,
        }
    }
}

/// A page of the team.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemberPage {
    /// Rows, by name.
    data: Vec<MemberRecord>,
    /// Of how many.
    total: i64,
    /// From 1.
    page: i64,
    /// Rows a page.
    per_page: i64,
}

pub(super) async fn list(
    state: web::Data<State>,
    who: AsStaff,
    query: ValidQuery<TeamQuery>,
) -> Reply<Json<MemberPage>> {
    let TeamQuery { page, per_page } = query.value;
    let found = people::list(&state.services, &who.0, page, per_page).await?;
    let data = found.data.iter().map(MemberRecord::from).collect();
    Ok(Json(MemberPage { data, total: found.total, page, per_page }))
}

pub(super) async fn add(
    state: web::Data<State>,
    who: AsStaff,
    key: IdempotencyKey,
    body: ValidJson<NewMemberRequest>,
) -> Reply<Once<MemberRecord, 201>, AddRefusal> {
    let render = |c: &Colleague| MemberRecord::from(c);
    let guard = Once::<_, 201>::guard(key, who.0.caller(), "POST /api/ops", &body.body_hash(), render);
    let b = body.value;
    let email: Email = b.email.parse().map_err(|_| CommonError::field("email", FieldProblem::Invalid))?;
    let language = b.language.unwrap_or(who.0.caller().language);
    let rights = Rights { first_name: b.first_name, last_name: b.last_name, admin: b.admin };
    let done = people::add(&state.services, &who.0, email, rights, language, guard).await?;
    Ok(Once::of(done, render)?)
}

pub(super) async fn put(
    state: web::Data<State>,
    who: AsStaff,
    id: PathId<OpsMemberId>,
    version: Version,
    body: ValidJson<MemberRequest>,
) -> Reply<Versioned<MemberRecord>, RightsRefusal> {
    let b = body.value;
    let rights = Rights { first_name: b.first_name, last_name: b.last_name, admin: b.admin };
    let done = people::put(&state.services, &who.0, id.0, rights, version.0).await?;
    versioned(done.member.version, MemberRecord::from(&done))
}

pub(super) async fn remove(
    state: web::Data<State>,
    who: AsStaff,
    id: PathId<OpsMemberId>,
    version: IfMatch,
) -> Reply<NoContent, RightsRefusal> {
    people::remove(&state.services, &who.0, id.0, version.0).await?;
    Ok(NoContent)
}
