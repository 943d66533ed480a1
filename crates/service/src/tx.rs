//! The unit of work with its context: what a use case writes through.

use std::fmt::Display;

use chrono::{DateTime, Utc};
use kernel::{AuditId, JobId};
use serde_json::Value;
use uuid::Uuid;

use crate::{
    Actor, Services,
    ports::{StoreError, StoreResult, Unit, audit::AuditRow, jobs::NewJob},
    work::Work,
};

/// One transaction, together with who acts, when, and with which services. Whatever writes takes it;
/// what only reads takes `&mut dyn Unit` and is given `tx.unit`, so that it serves reads as well.
pub struct Tx<'u> {
    /// The repositories: `tx.unit.bookings()`.
    pub unit: &'u mut dyn Unit,
    /// The ports and facts of the program.
    pub services: &'u Services,
    /// Who acts.
    pub actor: Actor,
    /// The instant that judges and that is written down: of the transaction's begin, or of
    /// [`Tx::look_at_clock`].
    pub now: DateTime<Utc>,
    enqueued: bool,
}

impl Services {
    /// Writes as `actor`: commits when `f` answers `Ok`, rolls back when it answers `Err`. What was
    /// enqueued wakes the worker once it is committed.
    ///
    /// # Errors
    /// What `f` answers, or the store's own failure (including a failed commit) turned into `E`.
    pub async fn write<T, E>(
        &self,
        actor: Actor,
        f: impl FnOnce(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let services = self.clone();
        let (done, enqueued) = self
            .store
            .write(move |unit| {
                let mut tx = Tx::new(unit, &services, actor);
                Ok::<_, E>((f(&mut tx)?, tx.enqueued))
            })
            .await?;
        if enqueued {
            self.bell.notify_one();
        }
        Ok(done)
    }
}

impl<'u> Tx<'u> {
    /// For a unit of work that somebody else commits: they ring the bell then.
    pub fn new(unit: &'u mut dyn Unit, services: &'u Services, actor: Actor) -> Tx<'u> {
        Tx { unit, services, actor, now: services.clock.now(), enqueued: false }
    }

    /// Takes the present instant for [`Tx::now`]. Called once a lock was had: an instant the policy
    /// judges by may have passed while it was waited for.
    pub fn look_at_clock(&mut self) {
        self.now = self.services.clock.now();
    }

    /// A new key, for a record made now.
    pub fn id(&self) -> Uuid {
        self.services.entropy.uuid(self.now)
    }

    /// Writes the audit row of a change. The action's first word names the kind of thing that `subject`
    /// is the key of: `booking.cancel` is about a booking.
    ///
    /// # Errors
    /// When the database fails.
    pub fn audit(
        &mut self,
        action: &str,
        subject: impl Display,
        before: Option<Value>,
        after: Option<Value>,
    ) -> StoreResult<()> {
        let row = AuditRow {
            id: AuditId(self.id()),
            at: self.now,
            actor: self.actor.user,
            role: self.actor.code().to_owned(),
            action: action.to_owned(),
            subject_kind: action.split('.').next().unwrap_or(action).to_owned(),
            subject_id: subject.to_string(),
            before,
            after,
            request_id: self.actor.request_id.clone(),
        };
        self.unit.audits().append(&row)
    }

    /// Queues work to be done at once.
    ///
    /// # Errors
    /// When the database fails.
    pub fn enqueue(&mut self, work: &Work) -> StoreResult<()> {
        self.enqueue_at(work, self.now)
    }

    /// Queues work for an instant of the business clock.
    ///
    /// # Errors
    /// When the database fails.
    pub fn enqueue_at(&mut self, work: &Work, at: DateTime<Utc>) -> StoreResult<()> {
        self.put(&work.at(self.services, at))
    }

    /// Queues work that waits for a network and not for a date: not before this instant of real time.
    ///
    /// # Errors
    /// When the database fails.
    pub fn enqueue_held(&mut self, work: &Work, until: DateTime<Utc>) -> StoreResult<()> {
        self.put(&NewJob { held_until: Some(until), ..work.at(self.services, self.now) })
    }

    /// Takes queued work back; work without a key cannot be.
    ///
    /// # Errors
    /// When the database fails.
    pub fn withdraw(&mut self, work: &Work) -> StoreResult<()> {
        let Some(key) = work.key() else { return Ok(()) };
        self.unit.jobs().withdraw(&key).map(drop)
    }

    /// Has work that was given up done again, from the beginning. False: it is not on that list.
    ///
    /// # Errors
    /// When the database fails.
    pub fn revive(&mut self, job: JobId) -> StoreResult<bool> {
        let now = self.now;
        let revived = self.unit.jobs().revive(job, now)?;
        self.enqueued |= revived;
        Ok(revived)
    }

    fn put(&mut self, job: &NewJob) -> StoreResult<()> {
        self.unit.jobs().enqueue(job)?;
        self.enqueued = true;
        Ok(())
    }
}
