//! The stand-ins of outside services, in demo mode only: raw requests are passed on.

mod mailbox;

use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, http::header, web};
use futures_util::stream;

use crate::{
    access::Access,
    http::{ApiError, HttpCode, body},
    routes::Route,
    state::State,
};

/// The simulators that keep state.
#[derive(Clone)]
pub struct Simulators {
    /// The card gateway.
    pub braintree: Arc<braintree::simulator::Simulator>,
}

type Done = Result<HttpResponse, ApiError>;

const BRAINTREE: &str = "/simulators/braintree";
const MAPBOX: &str = "/simulators/mapbox";

async fn braintree_call(req: HttpRequest, state: web::Data<State>, payload: web::Payload) -> Done {
    let simulators = state.simulators.clone().ok_or_else(|| ApiError::from(HttpCode::PathNotFound))?;
    let body = body::read(req.clone(), payload.into_inner()).await?;
    let (method, query) = (req.method().as_str().to_owned(), req.query_string().to_owned());
    let path = req.path().strip_prefix(BRAINTREE).unwrap_or("").to_owned();
    let headers: Vec<(String, String)> =
        req.headers().iter().filter_map(|(n, v)| Some((n.as_str().to_owned(), v.to_str().ok()?.to_owned()))).collect();
    // It waits for its file.
    let reply = web::block(move || {
        let header = |name: &str| headers.iter().find(|(n, _)| n == name).map(|(_, v)| v.clone());
        simulators.braintree.dispatch(&method, &path, &query, &header, &body)
    })
    .await
    .map_err(ApiError::internal)?;
    if let Some(delay) = reply.delay {
        tokio::time::sleep(delay).await;
    }
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

/// Their part of the table.
pub fn routes() -> Vec<Route> {
    let mut all = vec![
        Route::get("/simulators/braintree/{tail:.*}", Access::Public, braintree_call),
        Route::post("/simulators/braintree/{tail:.*}", Access::Public, braintree_call),
        Route::delete("/simulators/braintree/{tail:.*}", Access::Public, braintree_call),
        Route::get("/simulators/mapbox/{tail:.*}", Access::Public, mapbox_call),
    ];
    all.extend(mailbox::routes());
    all.into_iter().map(|r| r.relation("demo mode only").takes(body::LARGEST)).collect()
}
