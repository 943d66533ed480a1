//! Figures for Prometheus.

mod database;
mod process;

use std::{cell::RefCell, collections::HashMap, sync::OnceLock, time::Duration};

use crate::state::State;
use actix_web::{HttpResponse, http::Method};
use metrics::{Counter, Histogram};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};

/// Upper bounds of the latency histogram, seconds.
const BUCKETS: [f64; 12] = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];

const STANDARD: [Method; 6] = [Method::GET, Method::HEAD, Method::POST, Method::PUT, Method::DELETE, Method::PATCH];

/// The statuses that the server, or a proxy in front of it, answers when it is at fault.
const SERVER_ERRORS: [u16; 4] = [500, 502, 503, 504];

static HANDLE: OnceLock<Option<PrometheusHandle>> = OnceLock::new();

/// Installs the recorder once a process; none when another one is installed already.
pub fn handle() -> Option<&'static PrometheusHandle> {
    HANDLE
        .get_or_init(|| {
            let builder = PrometheusBuilder::new().set_buckets(&BUCKETS).ok()?;
            let recorder = builder.build_recorder();
            let handle = recorder.handle();
            metrics::set_global_recorder(recorder).ok()?;
            metrics::describe_counter!("portage_http_requests_total", "Requests answered, by route and status.");
            metrics::describe_histogram!("portage_http_request_duration_seconds", "Time to answer, by route.");
            metrics::describe_counter!(
                "portage_http_server_errors_total",
                "Requests answered with 500 or more, by status."
            );
            // A counter that appears with its first event has no increase that an alarm could see.
            for status in SERVER_ERRORS {
                server_errors(status).increment(0);
            }
            database::describe();
            metrics::describe_counter!("portage_mails_total", "Mails handed to the relay, by result.");
            metrics::describe_gauge!("portage_mail_paused", "1 while no mail goes out because of wrong settings.");
            metrics::describe_counter!(
                "portage_gateway_calls_total",
                "Calls of the card gateway, by operation and result."
            );
            metrics::describe_histogram!("portage_gateway_call_seconds", "Time the card gateway takes, by operation.");
            metrics::describe_counter!(
                "portage_maps_calls_total",
                "Calls of the maps service, by operation and result; a route that fails is priced by the offline model."
            );
            process::describe();
            metrics::describe_gauge!("portage_build_info", "1, with the version.");
            metrics::gauge!("portage_build_info", "version" => env!("CARGO_PKG_VERSION")).set(1.0);
            metrics::describe_counter!(
                "portage_job_loops_restarted_total",
                "Job loops that ended before they were told to, by lane."
            );
            Some(handle)
        })
        .as_ref()
}

/// Count and latency of one (method, route, status).
type RouteFigures = (Counter, Histogram);

thread_local! {
    // Looking a figure up by its labels costs more than counting; there are as many as routes and statuses.
    static KNOWN: RefCell<HashMap<(Method, &'static str, u16), RouteFigures>> = RefCell::default();
}

fn server_errors(status: u16) -> Counter {
    metrics::counter!("portage_http_server_errors_total", "status" => status.to_string())
}

/// Counts one request. `route` is the pattern, never the path with its ids.
pub fn request(method: &Method, route: &'static str, status: u16, took: Duration) {
    if status >= 500 {
        server_errors(status).increment(1);
    }
    // Whatever word a client sends as a method would be a figure of its own.
    let method = if STANDARD.contains(method) { method.clone() } else { Method::OPTIONS };
    KNOWN.with_borrow_mut(|known| {
        let (count, time) = known.entry((method.clone(), route, status)).or_insert_with(|| {
            let method = if method == Method::OPTIONS { "other" } else { method.as_str() }.to_owned();
            (
                metrics::counter!("portage_http_requests_total", "method" => method.clone(), "route" => route, "status" => status.to_string()),
                metrics::histogram!("portage_http_request_duration_seconds", "method" => method, "route" => route),
            )
        });
        count.increment(1);
        time.record(took.as_secs_f64());
    });
}

/// `GET /metrics`. The figures of this process are told whatever the database does.
pub async fn get(state: &State) -> HttpResponse {
    database::collect(&state.services).await;
    process::collect();
    // Its words are for `/readyz?verbose`.
    drop(state.config.machine.look());
    metrics::gauge!("portage_mail_paused").set(if state.services.mail_gate.shut().is_some() { 1.0 } else { 0.0 });
    metrics::gauge!("portage_texts_paused").set(if state.services.text_gate.shut().is_some() { 1.0 } else { 0.0 });
    let text = handle().map(PrometheusHandle::render).unwrap_or_default();
    HttpResponse::Ok().content_type("text/plain; version=0.0.4; charset=utf-8").body(text)
}
