//! How the program was started: what it may talk to, and which databases are its own.

/// How the program was started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Simulators on.
    Demo,
    /// Real services, or refusal to start.
    Production,
}

impl Mode {
    /// `demo` or `production`.
    pub const fn code(self) -> &'static str {
        match self {
            Mode::Demo => "demo",
            Mode::Production => "production",
        }
    }

    /// Of a code.
    pub fn from_code(code: &str) -> Option<Mode> {
        [Mode::Demo, Mode::Production].into_iter().find(|mode| mode.code() == code)
    }
}
