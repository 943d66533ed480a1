//! What happened, step by step, as a hash (two runs of one seed must agree) and, when somebody
//! wants to read it, as text. The first thing that is wrong stays.

use std::{
    fmt::{self, Write as _},
    sync::Mutex,
};

/// What was wrong, and when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Violation {
    /// The step of the schedule, counted from 1.
    pub step: u64,
    pub why: String,
}

pub(super) struct Trace(Mutex<State>);

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
        let hash = Fnv(0xcbf2_9ce4_8422_2325);
        Trace(Mutex::new(State { hash, steps: 0, text: keep_text.then(String::new), violation: None }))
    }

    /// A step. `at`: milliseconds of virtual time since the beginning.
    pub fn step(&self, at: u64, what: fmt::Arguments<'_>) {
        let mut s = self.0.lock().unwrap();
        s.steps += 1;
        let n = s.steps;
        writeln!(s.hash, "{n} {at} {what}").unwrap();
        if let Some(text) = &mut s.text {
            writeln!(text, "{n:5} {:>7}.{:03} {what}", at / 1_000, at % 1_000).unwrap();
        }
    }

    /// Something is wrong; only the first counts.
    pub fn wrong(&self, why: String) {
        let mut s = self.0.lock().unwrap();
        let step = s.steps;
        writeln!(s.hash, "{why}").unwrap();
        if let Some(text) = &mut s.text {
            writeln!(text, "{step:5}             WRONG: {why}").unwrap();
        }
        s.violation.get_or_insert(Violation { step, why });
    }

    pub fn violation(&self) -> Option<Violation> {
        self.0.lock().unwrap().violation.clone()
    }

    pub fn broken(&self) -> bool {
        self.0.lock().unwrap().violation.is_some()
    }

    /// Hash, steps and text so far.
    pub fn snapshot(&self) -> (u64, u64, String) {
        let s = self.0.lock().unwrap();
        (s.hash.0, s.steps, s.text.clone().unwrap_or_default())
    }
}
