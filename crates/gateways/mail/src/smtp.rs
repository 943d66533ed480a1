//! A relay by SMTP: production.

use std::time::Duration;

use async_trait::async_trait;
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::TlsParameters;
use lettre::transport::smtp::extension::ClientId;
use percent_encoding::percent_decode_str;
use service::ports::mail::{Accepted, MailError, Mailer, OutgoingMail};
use url::{Host, Url};

use crate::conversation::{Patience, Relay, Security};
use crate::message::build;
use crate::sender::{Now, Sender};

/// Hands messages to one relay, each on a connection of its own.
pub struct SmtpMailer {
    relay: Relay,
    sender: Sender,
    now: Now,
    patience: Patience,
}

/// Ports of submission: encrypted from the first byte, by STARTTLS, and in plain text.
const WRAPPED: u16 = 465;
const UPGRADED: u16 = 587;
const PLAIN: u16 = 25;

impl SmtpMailer {
    /// From `smtps://user:password@host:465`, `smtp://user:password@host:587?tls=required`, or
    /// `smtp://127.0.0.1:1025` for a catcher on this machine. User and password are
    /// percent-encoded. A password is never sent in plain text to another machine. Certificates are
    /// checked as the machine checks them: by its own roots, or those of `SSL_CERT_FILE`.
    ///
    /// # Errors
    /// [`MailError::Misconfigured`]; the text never holds the URL, which holds the password.
    pub fn from_url(url: &str, sender: Sender, now: Now) -> Result<SmtpMailer, MailError> {
        let wrong = |why: &str| {
            MailError::Misconfigured(format!("the SMTP URL {why}; it looks like smtps://user:password@host:465"))
        };
        let parsed = Url::parse(url).map_err(|_| wrong("cannot be read"))?;
        if !matches!(parsed.scheme(), "smtp" | "smtps") {
            return Err(wrong("has another scheme than smtp or smtps"));
        }
        if parsed.password().is_some() && is_plain_elsewhere(&parsed) {
            return Err(wrong("has a password but no encryption (add ?tls=required or use smtps)"));
        }
        let host = parsed.host_str().filter(|host| !host.is_empty()).ok_or_else(|| wrong("names no host"))?;
        // An IPv6 address stands in brackets in a URL, and nowhere else.
        let host = host.trim_start_matches('[').trim_end_matches(']').to_owned();
        let tls = || TlsParameters::new(host.clone()).map_err(|_| wrong("names a host that no certificate can have"));
        let asked = parsed.query_pairs().find(|(key, _)| key == "tls").map(|(_, value)| value.into_owned());
        let (security, usual) = match (parsed.scheme(), asked.as_deref()) {
            ("smtps", None | Some("required")) => (Security::Wrapped(tls()?), WRAPPED),
            ("smtp", Some("required")) => (Security::StartTls(tls()?), UPGRADED),
            ("smtp", None) => (Security::Plain, PLAIN),
            _ => return Err(wrong("has another tls= than required")),
        };
        let decoded = |text: &str| {
            let text = percent_decode_str(text).decode_utf8().map_err(|_| wrong("has a password that is not UTF-8"))?;
            Ok::<_, MailError>(text.into_owned())
        };
        let credentials = match parsed.password() {
            Some(password) => Some(Credentials::new(decoded(parsed.username())?, decoded(password)?)),
            None if parsed.username().is_empty() => None,
            None => return Err(wrong("has a user but no password")),
        };
        let named = parsed.path().trim_matches('/');
        let hello = if named.is_empty() { sender.domain.clone() } else { named.to_owned() };
        let port = parsed.port().unwrap_or(usual);
        let relay = Relay { host, port, security, hello: ClientId::Domain(hello), credentials };
        Ok(SmtpMailer { relay, sender, now, patience: Patience::USUAL })
    }

    /// Connects, encrypts and signs in, as far as the URL asks for it, and leaves again.
    ///
    /// # Errors
    /// What the relay, or the way to it, has against us.
    pub async fn try_sign_in(&self) -> Result<(), MailError> {
        self.relay.look_in(self.patience).await
    }

    /// The same with another limit for each step.
    pub fn with_limit(self, limit: Duration) -> SmtpMailer {
        SmtpMailer { patience: Patience { connect: limit, answer: limit, taken: limit }, ..self }
    }
}

/// Whether mail handed over at this URL crosses a network unencrypted; false for what is no such URL.
pub fn goes_elsewhere_in_plain_text(url: &str) -> bool {
    Url::parse(url).is_ok_and(|url| is_plain_elsewhere(&url))
}

fn is_plain_elsewhere(url: &Url) -> bool {
    let encrypted = url.scheme() == "smtps" || url.query_pairs().any(|(k, v)| k == "tls" && v == "required");
    let here = match url.host() {
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip.is_loopback(),
        // `smtp` is not one of the schemes for which the parser recognises numbers as addresses.
        Some(Host::Domain(name)) => {
            name == "localhost" || name.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback())
        }
        None => false,
    };
    !encrypted && !here
}

#[async_trait]
impl Mailer for SmtpMailer {
    async fn send(&self, mail: &OutgoingMail) -> Result<Accepted, MailError> {
        let built = build(mail, &self.sender, (self.now)())?;
        let told = self.relay.hand_over(&built, self.patience).await;
        match &told {
            Ok(Accepted { queue_id }) => {
                tracing::info!(mail = %built.id, kind = %mail.message_type, %queue_id, "mail accepted");
            }
            Err(error) => {
                tracing::warn!(mail = %built.id, kind = %mail.message_type, %error, "mail not accepted");
            }
        }
        told
    }
}
