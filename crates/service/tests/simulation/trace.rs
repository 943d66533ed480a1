//! What happened, step by step, as a hash (two runs of one seed must agree) and, when somebody
//! wants to read it, as text. The first thing that is wrong stays.

use std::{
    fmt::{self, Write as _},
    sync::Mutex,
};

use crate::facts::Facts;

/// What was wrong, and when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The step of the schedule, counted from 1.
    pub step: u64,
    pub why: String,
}

pub struct Trace(Mutex<State>);

struct State {
    hash: Fnv,
    steps: u64,
    text: Option<String>,
    violation: Option<Violation>,
}

struct Fnv(u64);

impl fmt::Write for Fnv {
    fn write_str(&mut self, s: &str) -> fmt::Result {
        for byte in s.bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        Ok(())
    }
}

impl Trace {
    pub fn new(keep_text: bool) -> Trace {
        Trace(Mutex::new(State {
            hash: Fnv(0xcbf2_9ce4_8422_2325),
            steps: 0,
            text: keep_text.then(String::new),
            violation: None,
        }))
    }

    /// A step. `at`: milliseconds of virtual time since the beginning.
    pub fn step(&self, at: u64, what: fmt::Arguments<'_>) {
        let mut s = self.0.lock().unwrap();
        s.steps += 1;
        let n = s.steps;
        writeln!(s.hash, "{n} {at} {what}").unwrap();
        if let Some(text) = &mut s.text {
            writeln!(text, "{n:5} {:>9} {what}", Seconds(at)).unwrap();
        }
    }

    /// Something is wrong; only the first counts.
    pub fn wrong(&self, why: String) {
        let mut s = self.0.lock().unwrap();
        let step = s.steps;
        if let Some(text) = &mut s.text {
            writeln!(text, "{step:5}           WRONG: {why}").unwrap();
        }
        s.violation.get_or_insert(Violation { step, why });
    }

    /// The rows behind a violation, for whoever reads the trace.
    pub fn explain(&self, facts: &Facts) {
        let Some(text) = &mut self.0.lock().unwrap().text else { return };
        for b in &facts.bookings {
            let k = &b.booking;
            writeln!(
                text,
                "  {} {:?} v{} total {} starts {} kept {:?}",
                k.short_id, k.status, k.version, k.total, k.move_at, k.details.kept
            )
            .unwrap();
            for p in &b.payments {
                writeln!(
                    text,
                    "    {} {:?} {} due {} next {:?} of {:?}: {}",
                    p.kind.code(),
                    p.state,
                    p.amount,
                    p.due_at,
                    p.next_attempt_at,
                    p.refund_of,
                    p.id
                )
                .unwrap();
            }
            for a in &b.attempts {
                writeln!(text, "    sent {} {:?} {}", a.order_id, *a.state, a.amount).unwrap();
            }
        }
        for t in &facts.bank {
            writeln!(text, "  gateway {} {:?} {:?} {}", t.order_id, t.kind, t.status, t.amount).unwrap();
        }
    }

    pub fn violation(&self) -> Option<Violation> {
        self.0.lock().unwrap().violation.clone()
    }

    pub fn broken(&self) -> bool {
        self.0.lock().unwrap().violation.is_some()
    }

    /// Hash, steps and text so far.
    pub fn told(&self) -> (u64, u64, String) {
        let s = self.0.lock().unwrap();
        (s.hash.0, s.steps, s.text.clone().unwrap_or_default())
    }
}

struct Seconds(u64);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}.{:03}", self.0 / 1_000, self.0 % 1_000))
    }
}

/// What the program logs, among the steps; for reading only, it does not count.
pub struct Log(pub std::sync::Arc<crate::world::World>);

impl tracing::Subscriber for Log {
    fn enabled(&self, metadata: &tracing::Metadata<'_>) -> bool {
        *metadata.level() <= tracing::Level::WARN
    }

    fn new_span(&self, _: &tracing::span::Attributes<'_>) -> tracing::span::Id {
        tracing::span::Id::from_u64(1)
    }

    fn record(&self, _: &tracing::span::Id, _: &tracing::span::Record<'_>) {}

    fn record_follows_from(&self, _: &tracing::span::Id, _: &tracing::span::Id) {}

    fn event(&self, event: &tracing::Event<'_>) {
        let mut line = Line(String::new());
        event.record(&mut line);
        if let Some(text) = &mut self.0.trace.0.lock().unwrap().text {
            writeln!(text, "                  log:{}", line.0).unwrap();
        }
    }

    fn enter(&self, _: &tracing::span::Id) {}

    fn exit(&self, _: &tracing::span::Id) {}
}

struct Line(String);

impl tracing::field::Visit for Line {
    fn record_debug(&mut self, field: &tracing::field::Field, value: &dyn fmt::Debug) {
        write!(self.0, " {}={value:?}", field.name()).unwrap();
    }
}
