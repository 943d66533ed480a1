//! Health, metrics, and the document of the API itself.

use std::sync::atomic::Ordering;

use actix_web::{
    Either, HttpRequest, HttpResponse,
    http::{StatusCode, header},
    web,
};
use kernel::chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use service::{ServiceResult, billing::compare, clocks, jobs};
use utoipa::ToSchema;

use super::replies::{Json, Made, Reply, made};
use crate::{
    client::is_local,
    contract::{CommonError, Contract, DeclaredAnswer, Declares, refusals},
    docs_page,
    endpoint::{Access, Relation, Route},
    http::ValidQuery,
    metrics, pages,
    state::State,
};

refusals! {
    /// To anybody else the figures are not there.
    FiguresRefusal { Http: PathNotFound }
}

made! {
    /// This document.
    Document: DeclaredAnswer::plain(200, "OpenAPI 3.1.", "application/json");
    /// A page of ours.
    Page: DeclaredAnswer::plain(200, "The page.", "text/html");
    /// The style of our pages.
    Style: DeclaredAnswer::plain(200, "CSS.", "text/css");
    /// Figures for Prometheus.
    Figures: DeclaredAnswer::plain(200, "Figures.", "text/plain");
}

/// Health that is not well.
struct Unwell;

impl Declares for Unwell {
    fn declare(contract: &mut Contract) {
        contract.answers::<HealthAnswer>(StatusCode::SERVICE_UNAVAILABLE);
    }
}

/// What to tell besides.
#[derive(Debug, Deserialize, ToSchema)]
struct ReadyQuery {
    /// For this machine: what else an operator should know.
    #[schema(max_length = 5)]
    #[allow(dead_code, reason = "it says nothing by its value")]
    verbose: Option<String>,
}

/// Health.
#[derive(Debug, Serialize, ToSchema)]
pub struct HealthAnswer {
    /// `ok`; with `?verbose` also `unavailable`.
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
    /// In words, what a person should look at; empty when all is well.
    problems: Vec<String>,
    /// Jobs that could run now.
    #[serde(skip_serializing_if = "Option::is_none")]
    jobs_due: Option<i64>,
    /// Jobs that were given up: `portage jobs list` says why.
    #[serde(skip_serializing_if = "Option::is_none")]
    jobs_dead: Option<i64>,
    /// Seconds that this machine's clock is ahead of the database's; absent with SQLite, which has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    clock_ahead_seconds: Option<f64>,
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

async fn alive() -> Reply<Json<HealthAnswer>> {
    Ok(Json(FINE))
}

type Readiness = Reply<Either<Json<HealthAnswer>, Made<Unwell>>>;

/// What `?verbose` adds; it names the company's relay, so it is for this machine only.
async fn details(state: &State) -> ServiceResult<ReadyDetails> {
    let s = &state.services;
    let figures = jobs::figures(s).await?;
    let ahead = clocks::ahead(s).await?;
    let mut details = local_details(state);
    details.problems.extend(ahead.and_then(clocks::clock_warning));
    details.problems.extend(compare::failed(s).await?.map(|failure| failure.to_string()));
    if figures.dead > 0 {
        details
            .problems
            .push(format!("jobs that were given up: {}; portage jobs list says which and why", figures.dead));
    }
    Ok(ReadyDetails {
        jobs_due: Some(figures.due),
        jobs_dead: Some(figures.dead),
        clock_ahead_seconds: ahead,
        ..details
    })
}

/// What is known without the database.
fn local_details(state: &State) -> ReadyDetails {
    let shut = state.services.mail_gate.shut();
    let paused = shut.map(|shut| MailPaused { since: shut.since, next_try: shut.until, why: shut.why });
    let mut problems = state.config.machine.look();
    problems.extend(paused.as_ref().map(|paused| format!("no mail goes out: {}", paused.why)));
    problems.extend(state.services.text_gate.shut().map(|shut| format!("no text goes out: {}", shut.why)));
    ReadyDetails { problems, jobs_due: None, jobs_dead: None, clock_ahead_seconds: None, mail_paused: paused }
}

/// Not now: to whom it may be told also why.
fn not_ready(why: String, details: Option<ReadyDetails>) -> Readiness {
    let Some(mut details) = details else {
        return Err(CommonError::busy().into());
    };
    details.problems.insert(0, why);
    let answer = HealthAnswer { status: "unavailable", version: env!("CARGO_PKG_VERSION"), details: Some(details) };
    let response = HttpResponse::ServiceUnavailable().insert_header((header::RETRY_AFTER, "1")).json(answer);
    Ok(Either::Right(Made::new(response)))
}

async fn ready(req: HttpRequest, query: ValidQuery<ReadyQuery>, state: web::Data<State>) -> Readiness {
    let verbose = is_local(&req) && query.has("verbose");
    let verbose_details = || verbose.then(|| local_details(&state));
    if state.draining.load(Ordering::Relaxed) {
        return not_ready("the program stops".to_owned(), verbose_details());
    }
    let store = &state.services.store;
    let failed = match store.ping().await {
        Ok(()) if !verbose => return Ok(Either::Left(Json(FINE))),
        Ok(()) => match details(&state).await {
            Ok(details) => return Ok(Either::Left(Json(HealthAnswer { details: Some(details), ..FINE }))),
            Err(e) => e.to_string(),
        },
        Err(e) => e.to_string(),
    };
    let why = match store.trouble() {
        Some(why) => format!("{failed}: {why}"),
        None => failed,
    };
    tracing::warn!(error = why, "not ready: the database is of no use");
    not_ready(why, verbose_details())
}

async fn document(state: web::Data<State>) -> Made<Document> {
    let mut response = HttpResponse::Ok();
    response.insert_header((header::CACHE_CONTROL, "no-cache")).content_type("application/json");
    Made::new(response.body((state.document)()))
}

async fn docs(req: HttpRequest, state: web::Data<State>) -> Made<Page> {
    Made::new(docs_page::get(&req, &state))
}

async fn style() -> Made<Style> {
    Made::new(pages::style())
}

async fn figures(req: HttpRequest, state: web::Data<State>) -> Reply<Made<Figures>, FiguresRefusal> {
    // To anybody else they are not there.
    if !state.config.metrics_for_all && !is_local(&req) {
        return Err(FiguresRefusal::PathNotFound.into());
    }
    Ok(Made::new(metrics::get(&state).await))
}

/// Its part of the table.
pub fn routes() -> Vec<Route> {
    vec![
        Route::get("/api/openapi.json", Access::Public, document).doc("openapi", "System", "This document"),
        Route::get("/api/docs", Access::Public, docs).doc("docs", "System", "This document as a page"),
        Route::get("/api/docs/style.css", Access::Public, style).doc(
            "docsStyle",
            "System",
            "Style of the server's own pages",
        ),
        Route::get("/healthz", Access::Public, alive).doc("alive", "System", "The process runs"),
        Route::get("/readyz", Access::Public, ready).doc("ready", "System", "The database answers"),
        Route::get("/metrics", Access::Public, figures).relation(Relation::ThisMachine).doc(
            "metrics",
            "System",
            "Figures for Prometheus; only for this machine unless configured",
        ),
    ]
}
