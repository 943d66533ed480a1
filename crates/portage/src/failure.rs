//! How a command ends.

use std::{fmt, process::ExitCode};

/// A command that could not do its work: what to tell the person who started it.
#[derive(Debug)]
pub struct Failure {
    text: String,
    /// What the program exits with.
    pub code: u8,
}

/// Not done.
const NOT_DONE: u8 = 1;

impl Failure {
    /// With its text.
    pub fn new(text: String) -> Failure {
        Failure { text, code: NOT_DONE }
    }

    /// With another exit code.
    pub fn with(self, code: u8) -> Failure {
        Failure { code, ..self }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Failure {
        let mut text = error.to_string();
        let mut cause = error.source();
        while let Some(inner) = cause {
            let told = inner.to_string();
            // Many errors repeat their cause in their own text.
            if !text.contains(&told) {
                text.push_str(": ");
                text.push_str(&told);
            }
            cause = inner.source();
        }
        Failure { text, code: NOT_DONE }
    }
}

/// The result of a command: the program's exit code, or why it failed.
pub type CommandResult = Result<ExitCode, Failure>;
