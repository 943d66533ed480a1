//! Putting the app together, and running it.

use std::{
    io,
    net::{SocketAddr, TcpListener},
    sync::atomic::Ordering,
    time::Duration,
};

use actix_http::{HttpService, error::DispatchError};
use actix_service::{IntoServiceFactory, ServiceFactoryExt, map_config};
use actix_web::{
    App, Error,
    body::MessageBody,
    dev::{AppConfig, Server, ServiceFactory, ServiceRequest, ServiceResponse, fn_service},
    middleware::{Compress, from_fn},
    rt::net::TcpStream,
    web,
};

use crate::{
    config::ServerConfig,
    connections::{Ceilings, Doors, WatchedStream},
    frontend,
    middleware::{outer, varied},
    routes::{self, Extra},
    state::{Parts, State},
};

/// For the head of a connection's first request; later ones are seen to by [`WatchedStream`].
const HEAD: Duration = Duration::from_secs(5);
/// Between two requests.
const KEEP_ALIVE: Duration = Duration::from_secs(5);
/// For the other side to close after us.
const GOODBYE: Duration = Duration::from_secs(1);

/// The app of one worker.
pub fn build_app(
    state: web::Data<State>,
    extra: &Extra,
) -> App<
    impl ServiceFactory<
        ServiceRequest,
        Config = (),
        Response = ServiceResponse<impl MessageBody + use<>>,
        Error = Error,
        InitError = (),
    > + use<>,
> {
    let mode = state.services.mode;
    App::new()
        .app_data(state)
        .configure(|config| routes::mount_all(config, mode, extra))
        .default_service(web::to(frontend::fallback))
        .wrap(from_fn(varied))
        .wrap(Compress::default())
        .wrap(from_fn(outer))
}

/// A started server.
pub struct Running {
    /// Where it listens.
    pub address: SocketAddr,
    /// A future that ends with it; its handle stops it gracefully.
    pub server: Server,
    /// Takes it out of service while it still answers.
    pub drain: Drain,
}

/// See [`Drain::begin`].
#[derive(Clone)]
pub struct Drain(web::Data<State>);

impl Drain {
    /// From now on `/readyz` answers 503, and connections are closed after their answer: a proxy that looks
    /// sends nothing more here.
    pub fn begin(&self) {
        self.0.draining.store(true, Ordering::Relaxed);
    }
}

/// Bytes that the system keeps of an answer before they are on their way.
#[cfg(any(target_os = "linux", target_os = "android"))]
const UNSENT: u32 = 64 * 1024;

/// How the system treats a connection.
///
/// What is written goes out at once. Otherwise the end of an answer that is longer than one write waits until the
/// client has confirmed its beginning, which clients do after forty milliseconds.
///
/// The system takes only so much of an answer in advance. Otherwise it takes megabytes for a client that reads nothing:
/// memory of the system that no ceiling of ours counts, and minutes on a busy machine until such a client is noticed.
fn prepare(stream: &TcpStream) {
    if let Err(e) = stream.set_nodelay(true) {
        tracing::debug!(error = %e, "a connection cannot be told to send at once");
    }
    #[cfg(any(target_os = "linux", target_os = "android"))]
    if let Err(e) = socket2::SockRef::from(stream).set_tcp_notsent_lowat(UNSENT) {
        tracing::debug!(error = %e, "what the system keeps of a connection's answers cannot be bounded");
    }
}

/// Starts the server on a listener that is bound already (port 0 in tests). `extra`: the rows that are mounted besides ours.
///
/// # Errors
/// When the listener cannot be used.
pub fn serve(config: ServerConfig, parts: Parts, extra: Extra, listener: TcpListener) -> io::Result<Running> {
    crate::metrics::handle();
    let address = listener.local_addr()?;
    let doors = Doors::new(Ceilings {
        all: config.max_connections,
        // Behind a proxy all connections come from its address.
        of_origin: (!config.limits.behind_proxy).then_some(config.max_connections / 2),
    });
    let mut server = Server::build()
        .shutdown_timeout(config.shutdown_seconds)
        // Ctrl-C and TERM are the program's: it also stops its worker.
        .disable_signals();
    if let Some(n) = config.workers {
        server = server.workers(n);
    }
    let stopping = server.graceful_shutdown_signal();
    let state = web::Data::new(State::new(config, parts, crate::openapi::openapi));
    let drain = Drain(state.clone());
    // As `HttpServer` does it, with every connection watched.
    let server = server.listen("portage", listener, move || {
        let (doors, stopping) = (doors.clone(), stopping.clone());
        let http = HttpService::build()
            .graceful_shutdown_signal(move || {
                let stopping = stopping.clone();
                async move { stopping.notified().await }
            })
            .client_request_timeout(HEAD)
            .keep_alive(KEEP_ALIVE)
            .client_disconnect_timeout(GOODBYE)
            .local_addr(address)
            .on_connect_ext(|io: &WatchedStream, ext: &mut actix_http::Extensions| {
                ext.insert(io.activity());
            });
        let app = build_app(state.clone(), &extra).into_factory().map_err(|e| e.error_response());
        fn_service(move |stream: TcpStream| {
            let peer = stream.peer_addr().ok();
            prepare(&stream);
            // Over the ceiling it is closed at once: dropped here.
            let place = doors.enter(peer.map(|p| p.ip()));
            let watched =
                place.map(|place| (WatchedStream::new(stream, place), peer)).ok_or(DispatchError::DisconnectTimeout);
            std::future::ready(watched)
        })
        .and_then(http.h1(map_config(app, |()| AppConfig::default())))
    })?;
    Ok(Running { address, server: server.run(), drain })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    async fn connection() -> (TcpStream, TcpStream) {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (client, accepted) =
            tokio::join!(tokio::net::TcpStream::connect(listener.local_addr().unwrap()), listener.accept());
        (client.unwrap(), accepted.unwrap().0)
    }

    #[tokio::test]
    async fn nothing_waits_to_be_confirmed() {
        let (client, _server) = connection().await;
        assert!(!client.nodelay().unwrap(), "the system's default");
        prepare(&client);
        assert!(client.nodelay().unwrap());
    }

    /// The crowd of `portage`'s tests has 250 of these, who ask for eight answers of a megabyte each.
    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn the_system_keeps_little_for_a_client_that_reads_nothing() {
        let (_client, server) = connection().await;
        prepare(&server);
        let (piece, mut taken) = ([0; 8 * 1024], 0);
        // Until nothing is taken for a while: windows grow meanwhile.
        while let Ok(Ok(())) = tokio::time::timeout(Duration::from_millis(300), server.writable()).await {
            taken += server.try_write(&piece).unwrap_or_default();
        }
        assert!(taken < 1024 * 1024, "{taken} bytes");
    }
}
