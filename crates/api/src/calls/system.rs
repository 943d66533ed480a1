//! Health, metrics, and the document of the API itself.

use actix_web::{HttpResponse, http::header, web};
use serde::Serialize;
use service::ErrorCode;
use utoipa::ToSchema;

use super::replies::{Reply, ok};
use crate::{
    access::Access,
    docs_page,
    http::{ApiError, HttpCode},
    metrics,
    openapi::Doc,
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
}

const FINE: HealthAnswer = HealthAnswer { status: "ok", version: env!("CARGO_PKG_VERSION") };

async fn alive() -> Reply {
    ok(&FINE)
}

async fn ready(state: web::Data<State>) -> Reply {
    match state.services.store.ping().await {
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
        Route::get("/readyz", Access::Public, ready)
            .doc(Doc::new("ready", "System", "The database answers").answers::<HealthAnswer>(200, "It does.")),
        Route::get("/metrics", Access::Public, metrics::get).relation("this machine only, unless configured").doc(
            Doc::new("metrics", "System", "Figures for Prometheus; only for this machine unless configured")
                .answers_plain(200, "Figures.", Some("text/plain"))
                .refuses_http(&[HttpCode::PathNotFound]),
        ),
    ]
}
