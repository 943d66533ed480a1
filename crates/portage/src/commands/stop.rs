//! When to stop: Ctrl-C, or TERM from whoever supervises us.

use std::io;

/// Listens from now on, so that nobody who asks early kills the program instead; the answer
/// resolves when it is asked to stop.
///
/// # Errors
/// When the system does not let us listen.
pub fn listen() -> io::Result<impl Future<Output = ()>> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
        Ok(async move {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
        })
    }
    #[cfg(not(unix))]
    Ok(async {
        // Where it cannot be heard, the program ends at once when it is asked.
        drop(tokio::signal::ctrl_c().await);
    })
}
