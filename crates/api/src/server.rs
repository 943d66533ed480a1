//! Putting the app together, and running it.

use std::{io, net::SocketAddr, net::TcpListener, sync::Arc};

use actix_web::{
    App, Error, HttpServer,
    body::MessageBody,
    dev::{Server, ServiceFactory, ServiceRequest, ServiceResponse},
    middleware::{Compress, from_fn},
    web,
};

use crate::{
    config::ServerConfig,
    frontend,
    middleware::outer,
    routes::{self, Route},
    state::{Parts, State},
};

/// The app of one worker.
pub fn build_app(
    state: web::Data<State>,
    table: Arc<Vec<Route>>,
) -> App<
    impl ServiceFactory<
        ServiceRequest,
        Config = (),
        Response = ServiceResponse<impl MessageBody + use<>>,
        Error = Error,
        InitError = (),
    > + use<>,
> {
    App::new()
        .app_data(state)
        .configure(|config| routes::mount(config, &table))
        .default_service(web::to(frontend::fallback))
        .wrap(Compress::default())
        .wrap(from_fn(outer))
}

/// A started server.
pub struct Running {
    /// Where it listens.
    pub address: SocketAddr,
    /// A future that ends with it; its handle stops it gracefully.
    pub server: Server,
}

/// Starts the server on a listener that is bound already (port 0 in tests).
///
/// # Errors
/// When the listener cannot be used.
pub fn serve(config: ServerConfig, parts: Parts, listener: TcpListener) -> io::Result<Running> {
    crate::metrics::handle();
    let address = listener.local_addr()?;
    let table = Arc::new(routes::table(parts.services.mode));
    let (workers, shutdown) = (config.workers, config.shutdown_seconds);
    let state = web::Data::new(State::new(config, parts));
    let mut server = HttpServer::new(move || build_app(state.clone(), table.clone()))
        .shutdown_timeout(shutdown)
        // Ctrl-C and TERM are the program's: it also stops its worker.
        .disable_signals();
    if let Some(n) = workers {
        server = server.workers(n);
    }
    Ok(Running { address, server: server.listen(listener)?.run() })
}
