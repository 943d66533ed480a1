//! Where log lines go: standard error, as text or JSON.

use std::io::IsTerminal as _;

use tracing_subscriber::{EnvFilter, fmt};

use crate::config::{LogFormat, Settings};

/// Starts logging; a second call changes nothing.
pub fn start(settings: &Settings) {
    let filter = EnvFilter::builder().parse_lossy(&settings.log);
    let lines = fmt().with_env_filter(filter).with_writer(std::io::stderr);
    let done = match settings.log_format {
        LogFormat::Text => lines.with_ansi(std::io::stderr().is_terminal()).with_target(false).try_init(),
        LogFormat::Json => lines.json().try_init(),
    };
    // Only a program that logs already gets here, and then nothing is lost.
    drop(done);
}
