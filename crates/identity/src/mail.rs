//! Mails of the account pages: queued in the transaction that causes them.

use kernel::{
    Email, Language, UserId,
    chrono::{DateTime, Utc},
};
use serde_json::Value;
use service::ports::{StoreError, StoreResult, Unit};

use crate::Deps;

/// A mail to one person, to be rendered from a template and sent.
#[derive(Debug, Clone, PartialEq)]
pub struct MailRequest {
    /// Template name: `welcome` or `passwordReset`.
    pub template: &'static str,
    /// The same request twice is one mail.
    pub dedup_key: String,
    /// Whose account it is about.
    pub user_id: UserId,
    /// Recipient.
    pub to: Email,
    /// Recipient's name.
    pub to_name: String,
    /// Language of the text.
    pub language: Language,
    /// When its link stops working; `values` says so in words.
    pub expires_at: DateTime<Utc>,
    /// Values of the template's keys.
    pub values: Value,
}

/// Queues mails in the unit of work that causes them. Any function of this shape is one; the
/// program passes `service`'s.
pub trait Outbox: Send + Sync {
    /// Queues one mail, to be sent once the unit of work is committed.
    ///
    /// # Errors
    /// When the store fails; nothing of the unit of work happens then.
    fn queue(&self, u: &mut dyn Unit, mail: &MailRequest, now: DateTime<Utc>) -> StoreResult<()>;

    /// What was queued is committed: whoever sends it may look.
    fn committed(&self) {}
}

impl<F> Outbox for F
where
    F: Fn(&mut dyn Unit, &MailRequest, DateTime<Utc>) -> StoreResult<()> + Send + Sync,
{
    fn queue(&self, u: &mut dyn Unit, mail: &MailRequest, now: DateTime<Utc>) -> StoreResult<()> {
        self(u, mail, now)
    }
}

/// The mails of one unit of work.
pub(crate) struct Mails<'o> {
    outbox: &'o dyn Outbox,
    any: bool,
}

impl Mails<'_> {
    pub(crate) fn queue(&mut self, u: &mut dyn Unit, mail: &MailRequest, now: DateTime<Utc>) -> StoreResult<()> {
        self.any = true;
        self.outbox.queue(u, mail, now)
    }
}

impl Deps {
    /// Writes, and tells the outbox after the commit when mails were queued.
    pub(crate) async fn write_with_mails<T, E>(
        &self,
        f: impl FnOnce(&mut dyn Unit, &mut Mails<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let outbox = self.outbox.clone();
        let (done, any) = self
            .store
            .write(move |u| {
                let mut mails = Mails { outbox: &*outbox, any: false };
                let done = f(u, &mut mails)?;
                Ok::<_, E>((done, mails.any))
            })
            .await?;
        if any {
            self.outbox.committed();
        }
        Ok(done)
    }
}
