//! Whether each value can be used by whoever is given it: tried before a database is made or a port is
//! opened, by every command and by `check-config` alike. Nothing is called.

use std::sync::Arc;

use identity::{KeySource, SigningKeys, TokenVerifier};
use kernel::{Email, chrono::DateTime};
use secrecy::ExposeSecret as _;
use tracing_subscriber::EnvFilter;

use super::{
    adapters::{Identity, Maps, Payments, Sms},
    problems::Problems,
    settings::Settings,
};
use crate::clock::SystemClock;

/// Every value that cannot be used, by the name of its variable. A value that may hold a secret is not
/// repeated.
pub fn check(s: &Settings, p: &mut Problems) {
    if let Err(e) = EnvFilter::builder().parse(&s.log) {
        p.wrong("log", &s.log, &format!("{e}; a filter looks like info or info,service=debug"));
    }
    if let Some(folder) = s.frontend_dir.as_ref().filter(|f| !f.join("index.html").is_file()) {
        p.wrong("frontend_dir", &folder.display().to_string(), "there is no built web app");
    }
    let support = &s.company.support_email;
    if !support.is_empty() && support.parse::<Email>().is_err() {
        p.wrong("company_email", support, "it must be an e-mail address");
    }
    mail(s, p);
    maps(s, p);
    if let Payments::Braintree(config) = &s.payments
        && let Err(e) = braintree::BraintreeGateway::new(config.clone())
    {
        p.add("payments_url", &e.to_string());
    }
    if let Sms::Twilio(config) = &s.sms
        && !config.account_sid.is_empty()
        && let Err(e) = twilio::Twilio::new(config.clone())
    {
        p.general("PORTAGE_SMS_…", &e.to_string());
    }
    match &s.identity {
        Identity::Embedded { keys: Some(pem) } => {
            if let Err(e) = SigningKeys::load(&KeySource::Pem(pem.clone())) {
                p.add("signing_keys", &e.to_string());
            }
        }
        Identity::Embedded { keys: None } => {}
        Identity::External { issuer, .. } => {
            if let Err(e) = TokenVerifier::external(issuer.clone(), Arc::new(SystemClock)) {
                p.add("oidc_issuer", &e.to_string());
            }
        }
    }
}

fn mail(s: &Settings, p: &mut Problems) {
    let Some(url) = &s.mail.smtp_url else { return };
    let Ok(anybody) = "portage@localhost.example".parse::<Email>() else { return };
    let sender = mail::Sender::new(s.mail.from.clone().unwrap_or(anybody), s.company.name.clone());
    if let Err(e) = mail::SmtpMailer::from_url(url.expose_secret(), sender, Arc::new(|| DateTime::UNIX_EPOCH)) {
        p.add("smtp_url", &e.to_string());
    } else if mail::goes_elsewhere_in_plain_text(url.expose_secret()) && !s.mail.plain {
        p.add(
            "smtp_url",
            "sends customers' mail in plain text to another machine: add ?tls=required, use smtps://, or, for a relay on \
             a network that is yours, set PORTAGE_SMTP_PLAIN=true",
        );
    }
}

fn maps(s: &Settings, p: &mut Problems) {
    match &s.maps {
        Maps::Simulator => {}
        Maps::Mapbox { url, token, .. } => {
            if let Err(e) = mapbox::Mapbox::new(mapbox::MapboxConfig::new(url.clone(), token.clone())) {
                p.add("maps_url", &e.to_string());
            }
        }
        Maps::OsrmPhoton { routing, geocoding } => {
            for (key, osrm, photon) in [("routing_url", routing, routing), ("geocoding_url", geocoding, geocoding)] {
                let config = mapbox::OsrmPhotonConfig {
                    osrm_url: osrm.clone(),
                    photon_url: photon.clone(),
                    limits: mapbox::Limits::default(),
                };
                if let Err(e) = mapbox::OsrmPhoton::new(config) {
                    p.add(key, &e.to_string());
                }
            }
        }
    }
}
