//! What production refuses: nothing that only a demo may do goes unnoticed.

use service::Mode;

use super::{
    adapters::{Identity, Maps, Payments, Sms},
    problems::Problems,
    settings::Settings,
};

const SIMULATORS: &str = "/simulators/";

/// Adds what is wrong with the settings as a whole.
pub fn check(s: &Settings, p: &mut Problems) {
    if let Payments::Braintree(config) = &s.payments
        && let Err(error) = braintree::BraintreeGateway::new(config.clone())
        && !config.public_key.is_empty()
    {
        p.add("payments_url", &format!("and the keys do not fit: {error}"));
    }
    if s.mode == Mode::Demo {
        return;
    }
    if !s.public_url.is_https() {
        p.wrong("public_url", s.public_url.origin(), "production needs https: passwords and cards pass through it");
    }
    if s.clock_file.is_some() {
        p.add("clock_file", "is for demo mode: production follows the machine's clock; unset it");
    }
    let simulated = |url: &str| url.contains(SIMULATORS);
    if let Payments::Braintree(config) = &s.payments
        && simulated(&config.endpoint)
    {
        p.wrong("payments_url", &config.endpoint, "production must not talk to a simulator");
    }
    if let Sms::Twilio(config) = &s.sms {
        if simulated(&config.base_url) {
            p.wrong("sms_url", &config.base_url, "production must not talk to a simulator");
        } else if !config.base_url.starts_with("https://") {
            p.wrong(
                "sms_url",
                &config.base_url,
                "production needs https: the token and customers' numbers pass through it",
            );
        }
    }
    match &s.maps {
        Maps::Mapbox { url, .. } if simulated(url) => {
            p.wrong("maps_url", url, "production must not talk to a simulator")
        }
        _ => {}
    }
    if let Identity::External { issuer, .. } = &s.identity
        && !issuer.issuer.starts_with("https://")
    {
        p.wrong("oidc_issuer", &issuer.issuer, "production needs https");
    }
}
