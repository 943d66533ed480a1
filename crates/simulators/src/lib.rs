//! The stand-ins of outside services, in demo mode only: raw requests are passed on. Their rows stand beside those of
//! `api`, which does not know them: whoever starts the server hands it [`calls`].

mod chatwoot;
mod mailbox;
mod parts;

use std::{
    io,
    net::TcpListener,
    sync::{Arc, LazyLock},
};

use actix_web::{App, HttpRequest, HttpResponse, HttpServer, dev::Server, http::StatusCode, http::header, web};
use api::{
    Extra,
    calls::replies::{Made, Reply},
    contract::{CommonError, Contract, Declares},
    endpoint::{Access, Audit, Example, Relation, Route},
    http::{ApiError, body::Raw, sizes},
};
use braintree::simulator::{SimRequest, Simulator};
use futures_util::stream;
use serde_json::json;

use parts::SimulatorRefusal;

pub use parts::{Carried, Simulators};

/// An outside service's answer: it declares nothing, so nothing is compared.
struct UndeclaredAnswer;

impl Declares for UndeclaredAnswer {
    fn declare(_: &mut Contract) {}
}

type PassedOnReply = Reply<Made<UndeclaredAnswer>, SimulatorRefusal>;

const BRAINTREE: &str = "/simulators/braintree";
const TWILIO: &str = "/simulators/twilio";
const MAPBOX: &str = "/simulators/mapbox";

async fn braintree_call(req: HttpRequest, simulators: web::Data<Simulators>, body: Raw) -> PassedOnReply {
    Ok(Made::new(pass_on(&req, &simulators.carried()?.braintree, &body.0).await?))
}

async fn alone_call(req: HttpRequest, carried: web::Data<Carried>, body: Raw) -> Result<HttpResponse, ApiError> {
    Ok(pass_on(&req, &carried.braintree, &body.0).await?)
}

async fn pass_on(req: &HttpRequest, gateway: &Arc<Simulator>, body: &web::Bytes) -> Result<HttpResponse, CommonError> {
    let text = |name: &str| req.headers().get(name).and_then(|v| v.to_str().ok()).map(str::to_owned);
    let request = SimRequest {
        method: req.method().as_str().to_owned(),
        path: req.path().strip_prefix(BRAINTREE).unwrap_or("").to_owned(),
        query: req.query_string().to_owned(),
        authorization: text("authorization"),
        version: text("braintree-version"),
        body: body.to_vec(),
    };
    // It works on when the client has gone, as an outside service would.
    let reply = gateway.clone().call(request).await;
    let mut response = HttpResponse::build(StatusCode::from_u16(reply.status).map_err(CommonError::internal)?);
    response.insert_header((header::CONTENT_TYPE, reply.content_type));
    if reply.drop_connection {
        return Ok(response.streaming(cut_off()));
    }
    Ok(response.body(reply.body))
}

async fn twilio_call(req: HttpRequest, simulators: web::Data<Simulators>, body: Raw) -> PassedOnReply {
    let twilio = simulators.carried()?.twilio.clone();
    let authorization = req.headers().get(header::AUTHORIZATION).and_then(|v| v.to_str().ok()).map(str::to_owned);
    let request = twilio::simulator::SimRequest {
        method: req.method().as_str().to_owned(),
        path: req.path().strip_prefix(TWILIO).unwrap_or("").to_owned(),
        query: req.query_string().to_owned(),
        authorization,
        body: body.0.to_vec(),
    };
    let reply = twilio.call(request).await;
    let mut response = HttpResponse::build(StatusCode::from_u16(reply.status).map_err(CommonError::internal)?);
    response.content_type("application/json");
    if let Some(seconds) = reply.retry_after {
        response.insert_header((header::RETRY_AFTER, seconds.to_string()));
    }
    if reply.drop_connection {
        return Ok(Made::new(response.streaming(cut_off())));
    }
    Ok(Made::new(response.body(reply.body)))
}

/// A body that ends before it began: the answer gets lost.
fn cut_off() -> impl futures_util::Stream<Item = Result<web::Bytes, io::Error>> {
    stream::once(async { Err(io::Error::from(io::ErrorKind::ConnectionAborted)) })
}

async fn mapbox_call(req: HttpRequest) -> PassedOnReply {
    let (method, query) = (req.method().as_str().to_owned(), req.query_string().to_owned());
    let path = req.path().strip_prefix(MAPBOX).unwrap_or("").to_owned();
    let (status, body) =
        web::block(move || mapbox::simulator::handle(&method, &path, &query)).await.map_err(CommonError::internal)?;
    let status = StatusCode::from_u16(status).map_err(CommonError::internal)?;
    Ok(Made::new(HttpResponse::build(status).json(body)))
}

/// Serves the simulators that keep state and nothing else, so that they outlive who uses them.
///
/// # Errors
/// When the listener cannot be used.
pub fn serve_alone(carried: Carried, listener: TcpListener) -> io::Result<Server> {
    let data = web::Data::new(carried);
    let server = HttpServer::new(move || {
        App::new().app_data(data.clone()).service(web::scope(BRAINTREE).default_service(web::to(alone_call)))
    })
    .workers(2)
    .shutdown_timeout(1)
    .disable_signals()
    .listen(listener)?
    .run();
    Ok(server)
}

/// Their rows, with what their handlers reach: what the server of a demo is given.
pub fn calls(simulators: Simulators) -> Extra {
    Extra::new(rows(), simulators)
}

static ROWS: LazyLock<Vec<Route>> = LazyLock::new(routes);

/// Their rows, made once a process.
pub fn rows() -> &'static [Route] {
    &ROWS
}

fn routes() -> Vec<Route> {
    const ALL_OF_BRAINTREE: &str = "/simulators/braintree/{tail:.*}";
    const ALL_OF_TWILIO: &str = "/simulators/twilio/{tail:.*}";
    const FORWARD: &[(&str, &str)] = &[("q", "3500 rue saint-urbain"), ("access_token", mapbox::simulator::DEMO_TOKEN)];
    let (public, unrecorded) = (Access::Public, Audit::Unrecorded);
    let tail = |tail, body: Example| Example { tail, ..body };
    let control = Example::json(json!({ "outcomes": ["hard_decline"] }));
    let delivered = Example::json(json!({ "outcomes": [{ "outcome": "deliver" }] }));
    let mut all = vec![
        Route::get(ALL_OF_BRAINTREE, public, braintree_call).example(tail("webhooks", Example::default())),
        Route::post(ALL_OF_BRAINTREE, public, unrecorded, braintree_call).example(tail("control", control)),
        Route::delete(ALL_OF_BRAINTREE, public, unrecorded, braintree_call)
            .example(tail("control", Example::default())),
        Route::get(ALL_OF_TWILIO, public, twilio_call).example(tail("messages", Example::default())),
        Route::post(ALL_OF_TWILIO, public, unrecorded, twilio_call).example(tail("control", delivered)),
        Route::delete(ALL_OF_TWILIO, public, unrecorded, twilio_call).example(tail("control", Example::default())),
        Route::get("/simulators/mapbox/{tail:.*}", public, mapbox_call)
            .example(tail("search/geocode/v6/forward", Example::query(FORWARD))),
    ];
    all.extend(mailbox::routes());
    all.extend(chatwoot::routes());
    all.into_iter().map(|r| r.relation(Relation::Demo).takes(sizes::LARGEST)).collect()
}
