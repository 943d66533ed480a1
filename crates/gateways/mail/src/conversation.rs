//! One conversation with a relay, step by step: only so is it known what an error means, and what the
//! relay may have taken.

use std::time::Duration;

use lettre::transport::smtp::Error;
use lettre::transport::smtp::authentication::{Credentials, DEFAULT_MECHANISMS};
use lettre::transport::smtp::client::{AsyncSmtpConnection, TlsParameters};
use lettre::transport::smtp::commands::{Data, Mail, Rcpt};
use lettre::transport::smtp::extension::ClientId;
use service::ports::mail::{Accepted, MailError};

use crate::classify::{self, Step};
use crate::message::Built;

/// How a connection is protected.
#[derive(Clone)]
pub(crate) enum Security {
    /// Not at all.
    Plain,
    /// By STARTTLS, and not used without it.
    StartTls(TlsParameters),
    /// From the first byte.
    Wrapped(TlsParameters),
}

/// A relay, and who we are to it.
pub(crate) struct Relay {
    pub host: String,
    pub port: u16,
    pub security: Security,
    pub hello: ClientId,
    pub credentials: Option<Credentials>,
}

/// How long each step may take.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Patience {
    /// The connection, and its encryption, each.
    pub connect: Duration,
    /// Each answer, the greeting included. Where one call waits for several answers, it has as long for all of them together:
    /// no relay is given up that takes no longer for each.
    pub answer: Duration,
    /// The answer to the whole message, which a relay may look at closely before it takes it.
    pub taken: Duration,
}

impl Patience {
    /// Near what RFC 5321 (4.5.3.2) asks of a client, within what a job may take: a relay that is slow is not one that is lost.
    pub(crate) const USUAL: Patience = Patience {
        connect: Duration::from_secs(30),
        answer: Duration::from_secs(120),
        taken: Duration::from_secs(300),
    };
}

/// Answers that one call waits for: the greeting and that to EHLO; those to STARTTLS and to the EHLO after it; that to AUTH
/// and, of LOGIN, to the name and to the password.
const GREETED: u32 = 2;
const ENCRYPTED: u32 = 2;
const SIGNED_IN: u32 = 3;

/// Waits for leaving politely no longer than this; the message is gone by then, or was refused.
const GOODBYE: Duration = Duration::from_secs(2);

impl Relay {
    /// Connects, encrypts and signs in, as far as this relay is configured for it.
    async fn reach(&self, patience: Patience) -> Result<AsyncSmtpConnection, MailError> {
        let (wrapped, upgraded) = match &self.security {
            Security::Plain => (None, None),
            Security::StartTls(tls) => (None, Some(tls.clone())),
            Security::Wrapped(tls) => (Some(tls.clone()), None),
        };
        let address = (self.host.as_str(), self.port);
        let connect = AsyncSmtpConnection::connect_tokio1(address, Some(patience.connect), &self.hello, wrapped, None);
        // Two times the connection: encrypted from the first byte, it is encrypted before the greeting.
        let limit = patience.connect * 2 + patience.answer * GREETED;
        let mut connection = within(limit, Step::Reach, connect).await?;
        if let Some(tls) = upgraded {
            let limit = patience.connect + patience.answer * ENCRYPTED;
            within(limit, Step::Encrypt, connection.starttls(tls, &self.hello)).await?;
        }
        if let Some(credentials) = &self.credentials {
            let limit = patience.answer * SIGNED_IN;
            within(limit, Step::SignIn, connection.auth(DEFAULT_MECHANISMS, credentials)).await?;
        }
        Ok(connection)
    }

    /// Everything before a message.
    pub(crate) async fn look_in(&self, patience: Patience) -> Result<(), MailError> {
        let mut connection = self.reach(patience).await?;
        let _ = tokio::time::timeout(GOODBYE, connection.quit()).await;
        Ok(())
    }

    /// Hands one message over on a connection of its own. A connection is never used for a second
    /// message: one that was left in the middle of an answer would take that answer for the next.
    pub(crate) async fn hand_over(&self, message: &Built, patience: Patience) -> Result<Accepted, MailError> {
        let mut connection = self.reach(patience).await?;
        let told = converse(&mut connection, message, patience).await;
        if told.is_ok() {
            // Beside what follows: whoever waited for the relay's farewell could be killed before it is noted that the message
            // was taken, and would send it again.
            tokio::spawn(async move {
                let _ = tokio::time::timeout(GOODBYE, connection.quit()).await;
            });
        }
        told
    }
}

/// Addresses are ASCII (`kernel::Email`), and so is the message as `message::build` encodes it: no extension
/// of the relay is needed.
async fn converse(c: &mut AsyncSmtpConnection, message: &Built, patience: Patience) -> Result<Accepted, MailError> {
    let envelope = &message.envelope;
    let from = Mail::new(envelope.from().cloned(), Vec::new());
    within(patience.answer, Step::Sender, c.command(from)).await?;
    for to in envelope.to() {
        within(patience.answer, Step::Recipient, c.command(Rcpt::new(to.clone(), Vec::new()))).await?;
    }
    let go_on = within(patience.answer, Step::Data, c.command(Data)).await?;
    if !go_on.has_code(354) {
        return Err(classify::unexpected(Step::Data, &go_on));
    }
    let taken = within(patience.taken, Step::Message, c.message(&message.bytes)).await?;
    if !taken.has_code(250) {
        return Err(classify::unexpected(Step::Message, &taken));
    }
    Ok(Accepted { queue_id: classify::short(&taken.message().collect::<Vec<_>>().join(" ")) })
}

async fn within<T>(
    limit: Duration,
    step: Step,
    exchange: impl Future<Output = Result<T, Error>>,
) -> Result<T, MailError> {
    match tokio::time::timeout(limit, exchange).await {
        Ok(told) => told.map_err(|e| classify::refused(step, &e)),
        Err(_) => Err(classify::silent(step, limit)),
    }
}
