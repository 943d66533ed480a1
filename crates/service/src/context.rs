//! What every use case is given: the ports, and what holds until somebody saves other settings.

use std::sync::Arc;

use crate::{
    mode::Mode,
    ports::{Clock, Entropy, Store, mail::Mailer, maps::Maps, payments::PaymentGateway, sms::Texter},
    settings::cache::{Cache, Defaults},
    work::bell::Bell,
};

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
    /// Text messages; none: they are off, and none is queued.
    pub texter: Option<Arc<dyn Texter>>,
    /// Whether they go out.
    pub text_gate: Arc<crate::mailing::gate::Gate>,
    /// What holds as long as nobody saved something else: read [`crate::settings::in_force`], or within a unit of work
    /// [`crate::settings::read_in_force`].
    pub defaults: Defaults,
    /// The settings in force, read at most once a second.
    pub settings: Arc<Cache>,
    /// Demo or production.
    pub mode: Mode,
    /// Rate cards in force, read at most once a second.
    pub rates: Arc<crate::rates::cache::Cache>,
    /// The room of days, remembered for a moment.
    pub rooms: Arc<crate::room::Rooms>,
    /// Rung by [`Services::write`] after a commit that enqueued work for now, so that the worker looks at once.
    pub bell: Arc<Bell>,
}

impl Services {
    /// Root of links in messages, without a trailing slash. The installation's: nobody saves another one.
    pub fn public_url(&self) -> &str {
        &self.defaults.company.public_url
    }
}
