//! Settings of the outside services: which adapter, and what it must be told.

use std::{path::PathBuf, time::Duration};

use braintree::Timeouts;
use identity::verify::ExternalIssuer;
use kernel::Email;
use secrecy::SecretString;
use service::Mode;

use super::{problems::Problems, source::Source};

const SANDBOX: &str = "https://payments.sandbox.braintree-api.com/graphql";
const PRODUCTION: &str = "https://payments.braintree-api.com/graphql";
const TWILIO: &str = "https://api.twilio.com/2010-04-01";
const MAPBOX: &str = "https://api.mapbox.com";

/// Card payments.
#[derive(Debug, Clone)]
pub enum Payments {
    /// The simulator.
    Simulator(SimulatedPayments),
    /// Braintree.
    Braintree(braintree::Config),
}

/// How the simulated gateway is called.
#[derive(Debug, Clone)]
pub struct SimulatedPayments {
    /// The GraphQL address of a simulator that another process carries (`portage simulators`); none:
    /// it is served by this very program.
    pub elsewhere: Option<String>,
    /// Send the order id as API request key.
    pub request_key: bool,
    /// How long calls may take.
    pub timeouts: Timeouts,
}

#[derive(Clone, Copy, PartialEq)]
enum Gateway {
    Simulator,
    Sandbox,
    Production,
}

impl Payments {
    /// No real money moves.
    pub fn is_sandbox(&self) -> bool {
        matches!(self, Payments::Braintree(c) if c.environment == braintree::Environment::Sandbox)
    }

    pub(super) fn read(source: &Source, p: &mut Problems, mode: Mode) -> Payments {
        let words =
            [("simulator", Gateway::Simulator), ("sandbox", Gateway::Sandbox), ("production", Gateway::Production)];
        let said = source.choice(p, "payments_environment", &words);
        let timeouts = timeouts(source, p, mode);
        let gateway = said.unwrap_or(if mode == Mode::Demo { Gateway::Simulator } else { Gateway::Production });
        if gateway == Gateway::Simulator {
            if mode == Mode::Production {
                p.add(
                    "payments_environment",
                    "is \"simulator\": production takes real payments; say sandbox or production",
                );
            }
            return Payments::Simulator(SimulatedPayments {
                elsewhere: source.text("payments_url"),
                request_key: source.text("payments_request_key").is_none() || source.flag(p, "payments_request_key"),
                timeouts,
            });
        }
        if gateway == Gateway::Production && mode == Mode::Demo {
            p.add(
                "payments_environment",
                "is \"production\": a demo must not take real money; say sandbox, or set PORTAGE_MODE=production",
            );
        }
        let consent = source.flag(p, "payments_sandbox_in_production");
        if gateway == Gateway::Sandbox && mode == Mode::Production && !consent {
            p.add(
                "payments_sandbox_in_production",
                "is not set: the payment gateway is a sandbox, which takes no real money from anybody; say \
                 PORTAGE_PAYMENTS_ENVIRONMENT=production, or PORTAGE_PAYMENTS_SANDBOX_IN_PRODUCTION=yes when this is meant",
            );
        }
        let why = "the payment gateway's control panel shows it under API keys";
        let mut needed = |key: &'static str| {
            source.text(key).unwrap_or_else(|| {
                p.missing(key, why);
                String::new()
            })
        };
        let (public_key, merchant_account_id) = (needed("payments_public_key"), needed("payments_merchant_account"));
        let private_key = source.secret("payments_private_key").unwrap_or_else(|| {
            p.missing("payments_private_key", why);
            SecretString::from(String::new())
        });
        let (usual, environment) = match gateway {
            Gateway::Production => (PRODUCTION, braintree::Environment::Production),
            Gateway::Sandbox | Gateway::Simulator => (SANDBOX, braintree::Environment::Sandbox),
        };
        Payments::Braintree(braintree::Config {
            endpoint: source.text("payments_url").unwrap_or_else(|| usual.to_owned()),
            public_key,
            private_key,
            merchant_account_id,
            environment,
            api_request_key: source.flag(p, "payments_request_key"),
            timeouts,
        })
    }
}

/// A call that moves money must not be given up before the gateway itself would.
fn timeouts(source: &Source, p: &mut Problems, mode: Mode) -> Timeouts {
    let usual = Timeouts::USUAL.as_millis();
    let Some(said) = source.number(p, "payments_timeout_ms", 50..=600_000) else { return Timeouts::default() };
    if mode == Mode::Production && (said as u128) < usual {
        p.wrong("payments_timeout_ms", &said.to_string(), &format!("production waits at least {usual}"));
    }
    Timeouts::of_money(Duration::from_millis(said as u64))
}

/// Geocoding and routing.
#[derive(Debug, Clone)]
pub enum Maps {
    /// The simulator, served by this very program.
    Simulator,
    /// Mapbox.
    Mapbox {
        /// Address of its API.
        url: String,
        /// A public token.
        token: SecretString,
        /// Results may be stored.
        permanent: bool,
    },
    /// Self-hosted OSRM and Photon.
    OsrmPhoton {
        /// OSRM.
        routing: String,
        /// Photon.
        geocoding: String,
    },
}

impl Maps {
    /// Said when two services are named, of which one is used.
    pub(super) fn overruled(source: &Source) -> Option<String> {
        let own: Vec<String> = ["routing_url", "geocoding_url"]
            .into_iter()
            .filter(|key| source.text(key).is_some())
            .map(super::keys::variable)
            .collect();
        (source.text("maps_token").is_some() && !own.is_empty()).then(|| {
            format!(
                "PORTAGE_MAPS_TOKEN and {} are set: Mapbox is used, and OSRM and Photon are not; unset what is not meant",
                own.join(" and ")
            )
        })
    }

    pub(super) fn read(source: &Source, p: &mut Problems, mode: Mode) -> Maps {
        let permanent = source.flag(p, "maps_permanent");
        let (routing, geocoding) = (source.text("routing_url"), source.text("geocoding_url"));
        match (source.secret("maps_token"), routing, geocoding) {
            (Some(token), _, _) => {
                Maps::Mapbox { url: source.text("maps_url").unwrap_or_else(|| MAPBOX.to_owned()), token, permanent }
            }
            (None, Some(routing), Some(geocoding)) => Maps::OsrmPhoton { routing, geocoding },
            (None, None, None) if mode == Mode::Demo => {
                if source.text("maps_url").is_some() {
                    p.missing("maps_token", "PORTAGE_MAPS_URL needs it");
                }
                Maps::Simulator
            }
            (None, routing, geocoding) => {
                match (routing, geocoding) {
                    (Some(_), None) => {
                        p.missing("geocoding_url", "PORTAGE_ROUTING_URL alone finds no addresses; name a Photon server")
                    }
                    (None, Some(_)) => {
                        p.missing("routing_url", "PORTAGE_GEOCODING_URL alone finds no routes; name an OSRM server")
                    }
                    _ => p.missing(
                        "maps_token",
                        "a Mapbox token, or PORTAGE_ROUTING_URL (OSRM) and PORTAGE_GEOCODING_URL (Photon)",
                    ),
                }
                Maps::Simulator
            }
        }
    }
}

/// E-mail.
#[derive(Debug, Clone)]
pub struct Mail {
    /// The relay; none: files under the data directory.
    pub smtp_url: Option<SecretString>,
    /// Mail may cross a network in plain text.
    pub plain: bool,
    /// Address in `From`.
    pub from: Option<Email>,
    /// Where answers go.
    pub reply_to: Option<Email>,
}

impl Mail {
    pub(super) fn read(source: &Source, p: &mut Problems, mode: Mode) -> Mail {
        let smtp_url = source.secret("smtp_url");
        let form = "an e-mail address such as moves@company.example";
        let (from, reply_to) = (source.parse(p, "mail_from", form), source.parse(p, "mail_reply_to", form));
        if smtp_url.is_none() && mode == Mode::Production {
            p.missing("smtp_url", "customers get their confirmation by mail; smtps://user:password@relay.example:465");
        }
        if smtp_url.is_some() && source.text("mail_from").is_none() {
            p.missing("mail_from", "the relay must be told who writes");
        }
        Mail { smtp_url, plain: source.flag(p, "smtp_plain"), from, reply_to }
    }

    /// Where demo mails are written.
    pub fn folder(data_dir: &std::path::Path) -> PathBuf {
        data_dir.join("mail")
    }
}

/// Text messages.
#[derive(Debug, Clone)]
pub enum Sms {
    /// None are sent, and none is queued.
    Off,
    /// The simulator, served by this very program.
    Simulator,
    /// Twilio, or a simulator that another process carries.
    Twilio(twilio::Config),
}

impl Sms {
    /// `elsewhere`: this program carries no simulators.
    pub(super) fn read(source: &Source, p: &mut Problems, mode: Mode, elsewhere: bool) -> Sms {
        const KEYS: [&str; 4] = ["sms_url", "sms_account_sid", "sms_auth_token", "sms_sender"];
        if KEYS.into_iter().all(|key| source.text(key).is_none()) {
            // Nobody must buy texts to take bookings: letters say the same.
            return if mode == Mode::Demo && !elsewhere { Sms::Simulator } else { Sms::Off };
        }
        let why = "the console of the text service shows it; without any of PORTAGE_SMS_… texts are off";
        let mut needed = |key: &'static str| {
            source.text(key).unwrap_or_else(|| {
                p.missing(key, why);
                String::new()
            })
        };
        let (account_sid, sender) = (needed("sms_account_sid"), needed("sms_sender"));
        let auth_token = source.secret("sms_auth_token").unwrap_or_else(|| {
            p.missing("sms_auth_token", why);
            SecretString::from(String::new())
        });
        Sms::Twilio(twilio::Config {
            base_url: source.text("sms_url").unwrap_or_else(|| TWILIO.to_owned()),
            account_sid,
            auth_token,
            sender,
            timeouts: twilio::Timeouts::default(),
        })
    }
}

/// Who signs people in.
#[derive(Debug, Clone)]
pub enum Identity {
    /// This program.
    Embedded {
        /// PEM of the signing keys, for replicas; none: a file in the data directory.
        keys: Option<SecretString>,
    },
    /// Somebody else.
    External {
        /// The provider.
        issuer: ExternalIssuer,
        /// It gives refresh tokens only with `prompt=consent`.
        consent: bool,
    },
}

impl Identity {
    pub(super) fn read(source: &Source, p: &mut Problems) -> Identity {
        let Some(issuer) = source.text("oidc_issuer") else {
            let others = ["oidc_audience", "oidc_client_id", "oidc_consent"];
            if others.into_iter().any(|key| source.text(key).is_some()) {
                p.missing("oidc_issuer", "nothing else chooses a provider");
            }
            return Identity::Embedded { keys: source.secret("signing_keys") };
        };
        let consent = source.text("oidc_consent").is_none() || source.flag(p, "oidc_consent");
        let mut needed = |key: &'static str, why: &str| {
            source.text(key).unwrap_or_else(|| {
                p.missing(key, why);
                String::new()
            })
        };
        let audience = needed("oidc_audience", "the provider's name for this API, found in its access tokens as aud");
        let client_id = needed("oidc_client_id", "the provider's name for the web app");
        Identity::External { issuer: ExternalIssuer { issuer, audience, client_id }, consent }
    }
}
