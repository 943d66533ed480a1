//! Where log lines go: standard error, as text or JSON.

use std::io::IsTerminal as _;

use tracing_subscriber::{EnvFilter, fmt};

use crate::config::{LogFormat, Settings};

/// actix reports a request it cannot parse, or one cut off, as an error of the server: a client's
/// garbage is none, and it could fill the log. Who wants to see it names the target.
const CLIENTS_FAULTS: &str = "actix_http::h1=off";

fn filter(wanted: &str) -> EnvFilter {
    let filter = EnvFilter::builder().parse_lossy(wanted);
    match CLIENTS_FAULTS.parse() {
        Ok(quiet) if !wanted.contains("actix_http") => filter.add_directive(quiet),
        _ => filter,
    }
}

/// Starts logging; a second call changes nothing.
pub fn start(settings: &Settings) {
    let filter = filter(&settings.log);
    let lines = fmt().with_env_filter(filter).with_writer(std::io::stderr);
    let done = match settings.log_format {
        LogFormat::Text => lines.with_ansi(std::io::stderr().is_terminal()).with_target(false).try_init(),
        LogFormat::Json => lines.json().try_init(),
    };
    // Only a program that logs already gets here, and then nothing is lost.
    drop(done);
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::{
        io::{self, Write},
        sync::{Arc, Mutex},
    };

    use super::*;

    #[derive(Clone, Default)]
    struct Lines(Arc<Mutex<Vec<u8>>>);

    impl Write for Lines {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn logged_lines(wanted: &str) -> String {
        let lines = Lines::default();
        let writer = lines.clone();
        let subscriber =
            fmt().with_env_filter(filter(wanted)).with_ansi(false).with_writer(move || writer.clone()).finish();
        tracing::subscriber::with_default(subscriber, || {
            tracing::error!(target: "actix_http::h1::dispatcher", "stream error: invalid Header provided");
            tracing::error!(target: "actix_http::service", "service readiness error");
            tracing::info!(target: "api", "ours");
        });
        let bytes = lines.0.lock().unwrap().clone();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn what_a_client_does_wrong_is_no_error_of_ours() {
        for wanted in ["info,actix_server=warn", "debug"] {
            let text = logged_lines(wanted);
            assert!(
                !text.contains("stream error") && text.contains("readiness") && text.contains("ours"),
                "{wanted}: {text}"
            );
        }
        for wanted in ["info,actix_http::h1=info", "actix_http=error"] {
            assert!(logged_lines(wanted).contains("stream error"), "whoever asks for it sees it: {wanted}");
        }
        assert_eq!(logged_lines("off"), "");
    }
}
