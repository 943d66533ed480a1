//! Health, metrics, and the document of the API itself.

use std::sync::atomic::Ordering;

use actix_web::{HttpRequest, HttpResponse, http::header, web};
use kernel::chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::json;
use service::{ErrorCode, ServiceResult, Services, jobs};
use utoipa::ToSchema;

use super::replies::{Reply, ok};
use crate::{
    access::Access,
    client::is_local,
    docs_page,
    http::{ApiError, HttpCode, Query},
    metrics,
    openapi::{Doc, Param},
    pages,
    routes::Route,
    state::State,
};

/// Health.
#[derive(Debug, Serialize, ToSchema)]
pub struct HealthAnswer {
    /// `ok`.
    status: &'static str,
    /// Of the program.
    version: &'static str,
    /// With `?verbose`, for this machine only.
    #[serde(skip_serializing_if = "Option::is_none")]
    details: Option<ReadyDetails>,
}

/// What is not as it should be although the program can serve.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ReadyDetails {
    /// Jobs that could run now.
    jobs_due: i64,
    /// Jobs that were given up: `portage jobs list` says why.
    jobs_dead: i64,
    /// Why no mail goes out, when none does.
    mail_paused: Option<MailPaused>,
}

/// The settings of the relay are wrong, or it does not let us in.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct MailPaused {
    /// Since then, in real time.
    since: DateTime<Utc>,
    /// The next try.
    next_try: DateTime<Utc>,
    /// The words of the relay, or of the client.
    why: String,
}

const FINE: HealthAnswer = HealthAnswer { status: "ok", version: env!("CARGO_PKG_VERSION"), details: None };

async fn alive() -> Reply {
    ok(&FINE)
}

/// What `?verbose` adds; it names the company's relay, so it is for this machine only.
async fn details(s: &Services) -> ServiceResult<ReadyDetails> {
    let figures = jobs::figures(s).await?;
    let paused = s.mail_gate.shut().map(|shut| MailPaused { since: shut.since, next_try: shut.until, why: shut.why });
    Ok(ReadyDetails { jobs_due: figures.due, jobs_dead: figures.dead, mail_paused: paused })
}

async fn ready(req: HttpRequest, query: Query, state: web::Data<State>) -> Reply {
    if state.draining.load(Ordering::Relaxed) {
        return Err(ApiError { retry_after: Some(1), ..ErrorCode::Busy.into() });
    }
    let verbose = is_local(&req) && query.has("verbose");
    match state.services.store.ping().await {
        Ok(()) if verbose => ok(&HealthAnswer { details: Some(details(&state.services).await?), ..FINE }),
        Ok(()) => ok(&FINE),
        Err(e) => {
            tracing::warn!(error = %e, "not ready: the database does not answer");
            Err(ApiError { retry_after: Some(1), ..ErrorCode::Busy.into() })
        }
    }
}

async fn document(state: web::Data<State>) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((header::CACHE_CONTROL, "no-cache"))
        .content_type("application/json")
        .body(state.openapi.clone())
}

/// Its part of the table.
pub fn routes() -> Vec<Route> {
    vec![
        Route::get("/api/openapi.json", Access::Public, document).doc(
            Doc::new("openapi", "System", "This document").answers_plain(200, "OpenAPI 3.1.", Some("application/json")),
        ),
        Route::get("/api/docs", Access::Public, docs_page::get).doc(
            Doc::new("docs", "System", "This document as a page").answers_plain(200, "The page.", Some("text/html")),
        ),
        Route::get("/api/docs/style.css", Access::Public, pages::style).doc(
            Doc::new("docsStyle", "System", "Style of the server's own pages").answers_plain(
                200,
                "CSS.",
                Some("text/css"),
            ),
        ),
        Route::get("/healthz", Access::Public, alive)
            .doc(Doc::new("alive", "System", "The process runs").answers::<HealthAnswer>(200, "It does.")),
        Route::get("/readyz", Access::Public, ready).doc(
            Doc::new("ready", "System", "The database answers")
                .param(Param::query(
                    "verbose",
                    "For this machine: what else an operator should know.",
                    json!({ "type": "string", "maxLength": 5 }),
                ))
                .refuses(&[ErrorCode::ValidationFailed])
                .refuses_http(&[HttpCode::MalformedRequest])
                .answers::<HealthAnswer>(200, "It does."),
        ),
        Route::get("/metrics", Access::Public, metrics::get).relation("this machine only, unless configured").doc(
            Doc::new("metrics", "System", "Figures for Prometheus; only for this machine unless configured")
                .answers_plain(200, "Figures.", Some("text/plain"))
                .refuses_http(&[HttpCode::PathNotFound]),
        ),
    ]
}
