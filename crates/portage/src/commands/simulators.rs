//! `portage simulators`: the demo's card gateway in a process of its own, which survives the servers
//! that use it.

use std::{net::TcpListener, process::ExitCode};

use service::Mode;

use super::stop;
use crate::failure::{CommandResult, Failure};
use crate::terminal::{print, runtime};
use crate::{
    config::Settings,
    wiring::{self, clock},
};

pub fn run(settings: &Settings) -> CommandResult {
    if settings.mode != Mode::Demo {
        return Err(Failure::new("PORTAGE_MODE: simulators are for demo mode".to_owned()));
    }
    let carried = wiring::simulators(settings, &clock(settings)?)?;
    let listener = TcpListener::bind(settings.bind)
        .map_err(|e| Failure::new(format!("PORTAGE_BIND: cannot listen on {}: {e}", settings.bind)))?;
    let runtime = runtime()?;
    let ended = runtime.block_on(async {
        let asked = stop::listen()?;
        let address = listener.local_addr()?;
        let server = simulators::serve_alone(carried, listener)?;
        let handle = server.handle();
        let server = tokio::spawn(server);
        print(&format!("The simulated card gateway answers at http://{address}/simulators/braintree\n"));
        asked.await;
        // What is held back is lost, as when any outside service stops.
        handle.stop(false).await;
        server.await??;
        Ok(ExitCode::SUCCESS)
    });
    runtime.shutdown_background();
    ended
}
