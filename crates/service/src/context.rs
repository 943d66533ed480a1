//! What every use case is given: the ports, the company's facts, the policy in force.

use std::sync::Arc;

use crate::{
    ports::{Clock, Entropy, Store, mail::Mailer, maps::Maps, payments::PaymentGateway},
    work::bell::Bell,
};

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

/// Facts about the company that texts name.
#[derive(Debug, Clone)]
pub struct Company {
    /// Shown name.
    pub name: String,
    /// Postal address, one line.
    pub address: String,
    /// Where customers write.
    pub support_email: String,
    /// Where customers call.
    pub support_phone: String,
    /// Root of links in messages, without a trailing slash.
    pub public_url: String,
}

/// The ports and facts of one running program.
#[derive(Clone)]
pub struct Services {
    /// The database.
    pub store: Arc<dyn Store>,
    /// The clock that judges what is due.
    pub clock: Arc<dyn Clock>,
    /// Real time, whatever the clock above says: leases of running jobs.
    pub wall: Arc<dyn Clock>,
    /// Randomness.
    pub entropy: Arc<dyn Entropy>,
    /// The card gateway.
    pub gateway: Arc<dyn PaymentGateway>,
    /// Geocoding and routing.
    pub maps: Arc<dyn Maps>,
    /// E-mail.
    pub mailer: Arc<dyn Mailer>,
    /// Whether mail goes out.
    pub mail_gate: Arc<crate::mailing::gate::Gate>,
    /// Company facts.
    pub company: Company,
    /// The policy new bookings are made under.
    pub policy: policy::Settings,
    /// The calendar rules.
    pub scheduling: scheduling::Settings,
    /// Demo or production.
    pub mode: Mode,
    /// Rate cards in force, read at most once a second.
    pub rates: Arc<crate::rates::cache::Cache>,
    /// The room of days, remembered for a moment.
    pub rooms: Arc<crate::room::Rooms>,
    /// Rung by [`Services::write`] after a commit that enqueued work for now, so that the worker looks at once.
    pub bell: Arc<Bell>,
}
