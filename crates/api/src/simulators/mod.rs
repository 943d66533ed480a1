//! The stand-ins of outside services, in demo mode only: raw requests are passed on.

mod mailbox;
pub mod parts;

use std::{io, net::TcpListener};

use actix_web::{App, HttpRequest, HttpResponse, HttpServer, dev::Server, http::StatusCode, http::header, web};
use braintree::simulator::SimRequest;
use futures_util::stream;

use crate::{
    endpoint::{Access, Route},
    http::{ApiError, HttpCode, body, sizes},
    state::State,
};

pub use parts::Simulators;

type Done = Result<HttpResponse, ApiError>;

const BRAINTREE: &str = "/simulators/braintree";
const MAPBOX: &str = "/simulators/mapbox";

async fn braintree_call(req: HttpRequest, state: web::Data<State>, payload: web::Payload) -> Done {
    let simulators = state.simulators.clone().ok_or_else(|| ApiError::from(HttpCode::PathNotFound))?;
    pass_on(req, &simulators, payload).await
}

async fn alone_call(req: HttpRequest, simulators: web::Data<Simulators>, payload: web::Payload) -> Done {
    pass_on(req, &simulators, payload).await
}

async fn pass_on(req: HttpRequest, simulators: &Simulators, payload: web::Payload) -> Done {
    let body = body::read(req.clone(), payload.into_inner()).await?;
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
    let reply = simulators.braintree.clone().call(request).await;
    let mut response = HttpResponse::build(StatusCode::from_u16(reply.status).map_err(ApiError::internal)?);
    response.insert_header((header::CONTENT_TYPE, reply.content_type));
    if reply.drop_connection {
        let cut = std::io::Error::from(std::io::ErrorKind::ConnectionAborted);
        return Ok(response.streaming(stream::once(async { Err::<web::Bytes, _>(cut) })));
    }
    Ok(response.body(reply.body))
}

async fn mapbox_call(req: HttpRequest) -> Done {
    let (method, query) = (req.method().as_str().to_owned(), req.query_string().to_owned());
    let path = req.path().strip_prefix(MAPBOX).unwrap_or("").to_owned();
    let (status, body) =
        web::block(move || mapbox::simulator::handle(&method, &path, &query)).await.map_err(ApiError::internal)?;
    Ok(HttpResponse::build(StatusCode::from_u16(status).map_err(ApiError::internal)?).json(body))
}

/// Serves the simulators that keep state and nothing else, so that they outlive who uses them.
///
/// # Errors
/// When the listener cannot be used.
pub fn serve_alone(simulators: Simulators, listener: TcpListener) -> io::Result<Server> {
    let data = web::Data::new(simulators);
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

/// Their part of the table.
pub fn routes() -> Vec<Route> {
    let mut all = vec![
        Route::get("/simulators/braintree/{tail:.*}", Access::Public, braintree_call),
        Route::post("/simulators/braintree/{tail:.*}", Access::Public, braintree_call),
        Route::delete("/simulators/braintree/{tail:.*}", Access::Public, braintree_call),
        Route::get("/simulators/mapbox/{tail:.*}", Access::Public, mapbox_call),
    ];
    all.extend(mailbox::routes());
    all.into_iter().map(|r| r.relation("demo mode only").takes(sizes::LARGEST)).collect()
}
