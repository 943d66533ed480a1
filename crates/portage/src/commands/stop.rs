//! When to stop: Ctrl-C, or TERM from whoever supervises us.

use std::io;

/// Resolves when the program is asked to stop.
///
/// # Errors
/// When the system does not let us listen.
pub async fn asked() -> io::Result<()> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut terminate = signal(SignalKind::terminate())?;
        tokio::select! {
            done = tokio::signal::ctrl_c() => done,
            _ = terminate.recv() => Ok(()),
        }
    }
    #[cfg(not(unix))]
    tokio::signal::ctrl_c().await
}
