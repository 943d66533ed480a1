//! Whether messages go out at all, by mail or as texts. Wrong settings hold for every message of their way: while they do, one
//! message a few minutes is tried, and the others wait without losing an attempt.

use std::sync::{Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, Duration, Utc};

/// Between two tries with settings that were wrong the last time.
const PAUSE: Duration = Duration::minutes(5);
/// How long the others wait while one tries: they must not wait for the pause after it when it succeeds.
const TRIAL: Duration = Duration::seconds(15);

/// Why no mail is sent now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GateClosed {
    /// Since this instant of real time.
    pub since: DateTime<Utc>,
    /// The next try.
    pub until: DateTime<Utc>,
    /// What the relay, or the client, said last.
    pub why: String,
}

/// Of one process; another finds out by itself.
#[derive(Debug, Default)]
pub struct Gate(Mutex<Option<GateClosed>>);

impl Gate {
    fn state(&self) -> MutexGuard<'_, Option<GateClosed>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Why the gate is closed, if it is.
    pub fn shut(&self) -> Option<GateClosed> {
        self.state().clone()
    }

    /// Next time a message may be tried while the gate is closed; none if this one may go. Once that time has come, one message
    /// is let through as a probe.
    pub(crate) fn wait(&self, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let mut state = self.state();
        let shut = state.as_mut()?;
        if now < shut.until {
            return Some(shut.until);
        }
        shut.until = now + TRIAL;
        None
    }

    /// When the message that tried may try again: after the others, so that another one tries next. Else a message
    /// that the relay alone takes offence at would keep all others waiting.
    pub(crate) fn close(&self, why: &str, now: DateTime<Utc>) -> DateTime<Utc> {
        let mut state = self.state();
        let since = state.as_ref().map_or(now, |shut| shut.since);
        let until = now + PAUSE;
        *state = Some(GateClosed { since, until, why: why.to_owned() });
        until + TRIAL
    }

    pub(crate) fn open(&self) {
        if let Some(shut) = self.state().take() {
            tracing::info!(since = %shut.since, "messages go out again");
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::expect_used)]
    use super::*;

    #[test]
    fn one_tries_for_all() {
        let (gate, start) = (Gate::default(), DateTime::UNIX_EPOCH);
        let at = |minutes| start + Duration::minutes(minutes);
        assert_eq!((gate.wait(at(0)), gate.shut()), (None, None));
        assert_eq!(gate.close("535 wrong password", at(0)), at(5) + TRIAL);
        assert_eq!(gate.wait(at(4)), Some(at(5)));
        // The first to come tries, everybody else waits for it.
        assert_eq!((gate.wait(at(6)), gate.wait(at(6))), (None, Some(at(6) + Duration::seconds(15))));
        gate.close("535 still wrong", at(7));
        let shut = gate.shut().expect("shut");
        assert_eq!((shut.since, shut.until, shut.why.as_str()), (at(0), at(12), "535 still wrong"));
        gate.open();
        assert_eq!((gate.wait(at(8)), gate.shut()), (None, None));
    }
}
