//! A relay by SMTP: production.

use std::sync::OnceLock;
use std::time::Duration;

use async_trait::async_trait;
use lettre::transport::smtp::extension::ClientId;
use lettre::transport::smtp::{AsyncSmtpTransportBuilder, PoolConfig};
use lettre::{AsyncSmtpTransport, AsyncTransport, Tokio1Executor};
use service::ports::mail::{Accepted, MailError, Mailer, OutgoingMail};
use tokio::runtime::Handle;
use url::{Host, Url};

use crate::classify::classify;
use crate::message::build;
use crate::sender::{Now, Sender};

/// Limit of one whole attempt. The transport's own limit covers connecting only: later reads may
/// hang without this.
const ATTEMPT: Duration = Duration::from_secs(30);
/// Limit of connecting.
const CONNECT: Duration = Duration::from_secs(15);
/// Shorter than relays keep idle connections: a connection they closed fails the next message.
const IDLE: Duration = Duration::from_secs(20);
const CONNECTIONS: u32 = 2;

/// Hands messages to one relay. One for the process: it keeps connections.
///
/// May be made and dropped anywhere; lettre's pool wants a running executor for both, so it is made
/// with the first message and taken down inside the executor it was made in.
pub struct SmtpMailer {
    relay: AsyncSmtpTransportBuilder,
    pool: OnceLock<Pool>,
    sender: Sender,
    now: Now,
    attempt: Duration,
}

impl SmtpMailer {
    /// From `smtps://user:password@host:465`, `smtp://user:password@host:587?tls=required`, or
    /// `smtp://127.0.0.1:1025` for a catcher on this machine. User and password are
    /// percent-encoded. A password is never sent in plain text to another machine.
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
        if sends_password_in_plain_text(&parsed) {
            return Err(wrong("has a password but no encryption (add ?tls=required or use smtps)"));
        }
        let mut builder = AsyncSmtpTransport::<Tokio1Executor>::from_url(url).map_err(|_| wrong("cannot be used"))?;
        if parsed.path().trim_matches('/').is_empty() {
            builder = builder.hello_name(ClientId::Domain(sender.domain.clone()));
        }
        let pool = PoolConfig::new().max_size(CONNECTIONS).idle_timeout(IDLE);
        let relay = builder.timeout(Some(CONNECT)).pool_config(pool);
        Ok(SmtpMailer { relay, pool: OnceLock::new(), sender, now, attempt: ATTEMPT })
    }

    /// The same with another limit for a whole attempt.
    pub fn with_attempt_limit(self, attempt: Duration) -> SmtpMailer {
        SmtpMailer { attempt, ..self }
    }
}

/// Open connections, and the executor they live in.
struct Pool {
    transport: Option<AsyncSmtpTransport<Tokio1Executor>>,
    home: Handle,
}

impl Drop for Pool {
    fn drop(&mut self) {
        let _inside = self.home.enter();
        drop(self.transport.take());
    }
}

fn sends_password_in_plain_text(url: &Url) -> bool {
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
    url.password().is_some() && !encrypted && !here
}

#[async_trait]
impl Mailer for SmtpMailer {
    async fn send(&self, mail: &OutgoingMail) -> Result<Accepted, MailError> {
        let built = build(mail, &self.sender, (self.now)())?;
        let pool =
            self.pool.get_or_init(|| Pool { transport: Some(self.relay.clone().build()), home: Handle::current() });
        let Some(transport) = &pool.transport else {
            return Err(MailError::Transient("the relay's connections are closed".to_owned()));
        };
        let answer = tokio::time::timeout(self.attempt, transport.send_raw(&built.envelope, &built.bytes)).await;
        match answer {
            Ok(Ok(response)) => {
                let queue_id: String = response.message().collect::<Vec<_>>().join(" ").chars().take(200).collect();
                tracing::info!(message = %built.id, kind = %mail.message_type, %queue_id, "mail accepted");
                Ok(Accepted { queue_id })
            }
            Ok(Err(e)) => {
                let error = classify(&e);
                tracing::warn!(message = %built.id, kind = %mail.message_type, %error, "mail refused");
                Err(error)
            }
            Err(_) => {
                tracing::warn!(message = %built.id, kind = %mail.message_type, "mail relay did not answer");
                Err(MailError::Transient(format!(
                    "no answer within {} s; the outcome is unknown",
                    self.attempt.as_secs()
                )))
            }
        }
    }
}
