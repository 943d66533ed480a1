//! The service that sends text messages.

use std::sync::Arc;

use service::ports::{Clock as _, sms::Texter};

use super::SimulatorHost;
use crate::{
    clock::SystemClock,
    config::{Settings, Sms},
    failure::Failure,
    observed::Observed,
};

/// The simulated service. It goes by real time, whatever the business clock says, as an outside service does.
pub(super) fn simulator(settings: &Settings) -> Arc<twilio::simulator::Simulator> {
    let inbound = format!("{}/api/webhooks/twilio", settings.public_url.origin());
    let wall: twilio::simulator::SimClock = Arc::new(|| SystemClock.now());
    Arc::new(twilio::simulator::Simulator::new(wall, inbound))
}

/// The client of the text service; none while texts are off.
///
/// # Errors
/// When the settings are of no use.
pub(super) fn texter(settings: &Settings, stage: SimulatorHost) -> Result<Option<Arc<dyn Texter>>, Failure> {
    let config = match &settings.sms {
        Sms::Off => return Ok(None),
        Sms::Twilio(config) => config.clone(),
        Sms::Simulator => twilio::Config {
            base_url: format!("http://{}/simulators/twilio/2010-04-01", stage.address()),
            account_sid: twilio::simulator::DEMO_ACCOUNT.to_owned(),
            auth_token: twilio::simulator::DEMO_TOKEN.to_owned().into(),
            sender: twilio::simulator::DEMO_NUMBER.to_owned(),
            timeouts: twilio::Timeouts::default(),
        },
    };
    let client = twilio::Twilio::new(config).map_err(|e| Failure::new(format!("PORTAGE_SMS_…: {e}")))?;
    Ok(Some(Arc::new(Observed(Arc::new(client) as Arc<dyn Texter>))))
}
