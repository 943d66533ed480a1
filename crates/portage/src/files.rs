//! What the system lets this process have: open files, and so connections, and how many may wait.

/// What databases, logs, the simulators' files and outside services need besides connections.
const OTHERS: u64 = 256;
/// More is of no use: see `max_connections`.
const ENOUGH: u64 = 65_536;

/// Raises the soft limit to the hard one, and answers it; none where there is no such limit.
/// Shells start programs with a soft limit of often 1,024, which a thousand idle connections use up.
#[cfg(unix)]
pub fn raise() -> Option<u64> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let wanted = maximum.unwrap_or(ENOUGH).min(ENOUGH);
    match current {
        Some(now) if now < wanted => {
            let raised = setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), maximum });
            if let Err(error) = raised {
                tracing::warn!(%error, limit = now, "the limit of open files cannot be raised");
                return Some(now);
            }
            Some(wanted)
        }
        other => other,
    }
}

/// There is no such limit.
#[cfg(not(unix))]
pub fn raise() -> Option<u64> {
    None
}

/// How many connections may wait to be accepted; the standard library says 128, and in a burst the
/// system makes everybody beyond it wait for a second and more.
#[cfg(unix)]
pub fn lengthen_queue(listener: &std::net::TcpListener) {
    if let Err(error) = rustix::net::listen(listener, 2048) {
        tracing::warn!(%error, "the queue of new connections stays short");
    }
}

/// Left to the system.
#[cfg(not(unix))]
pub fn lengthen_queue(_: &std::net::TcpListener) {}

/// As many connections as are wanted, and as the limit leaves after everything else.
pub fn connections(wanted: usize, files: Option<u64>) -> usize {
    let Some(files) = files else { return wanted };
    // With a very low limit half of it: better few connections than none.
    let room = files.saturating_sub(OTHERS).max(files / 2);
    let most = usize::try_from(room).unwrap_or(usize::MAX).min(wanted);
    if most < wanted {
        tracing::warn!(
            files,
            connections = most,
            wanted,
            "the limit of open files is lower than PORTAGE_MAX_CONNECTIONS needs"
        );
    }
    most
}

#[cfg(test)]
mod tests {
    use super::connections;

    #[test]
    fn connections_stay_below_the_limit_of_files() {
        assert_eq!(connections(4096, Some(20_000)), 4096);
        assert_eq!(connections(4096, Some(1_024)), 768);
        assert_eq!(connections(4096, Some(256)), 128);
        assert_eq!(connections(4096, None), 4096);
    }
}
