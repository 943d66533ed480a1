//! The unit of work with its context: what a use case writes through.

use std::{
    fmt::Display,
    sync::{Arc, Mutex, PoisonError},
};

use chrono::{DateTime, Utc};
use kernel::{AuditId, JobId};
use scheduling::BucketKey;
use serde_json::Value;
use uuid::Uuid;

use crate::{
    Actor, Services,
    ports::{StoreError, StoreResult, Unit, audit::AuditRow, jobs::NewJob, store::Size},
    room::HubDay,
    work::{Lanes, Work},
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
    /// Days whose capacity was changed.
    changed: Vec<HubDay>,
    /// A calendar was changed.
    replanned: bool,
    /// Work that is queued in one statement at the end.
    queued: Vec<NewJob>,
    woken: Lanes,
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
        self.write_of(Size::Usual, actor, f).await
    }

    /// As [`write`](Self::write), for a unit of that size.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    pub(crate) async fn write_of<T, E>(
        &self,
        size: Size,
        actor: Actor,
        f: impl FnOnce(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let (services, changed) = (self.clone(), Arc::new(Mutex::new((Vec::new(), false))));
        let days = changed.clone();
        let written = self
            .store
            .write_of(size, move |unit| {
                let mut tx = Tx::new(unit, &services, actor);
                let done = f(&mut tx);
                *days.lock().unwrap_or_else(PoisonError::into_inner) = (std::mem::take(&mut tx.changed), tx.replanned);
                let done = done?;
                tx.flush()?;
                Ok::<_, E>((done, tx.woken))
            })
            .await;
        // Also after a failure: of a commit whose answer was lost nobody knows whether it was made.
        let (days, replanned) = std::mem::take(&mut *changed.lock().unwrap_or_else(PoisonError::into_inner));
        self.rooms.forget(&days);
        if replanned {
            self.rooms.forget_all();
        }
        let (done, woken) = written?;
        self.bell.ring(woken);
        Ok(done)
    }
}

impl<'u> Tx<'u> {
    /// Writes within a unit of work that somebody else commits: they ring the bell then.
    ///
    /// # Errors
    /// What `f` answers; when the database fails.
    pub fn within<T, E: From<StoreError>>(
        unit: &'u mut dyn Unit,
        services: &'u Services,
        actor: Actor,
        f: impl FnOnce(&mut Tx<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut tx = Tx::new(unit, services, actor);
        let done = f(&mut tx)?;
        tx.flush()?;
        Ok(done)
    }

    fn new(unit: &'u mut dyn Unit, services: &'u Services, actor: Actor) -> Tx<'u> {
        Tx {
            unit,
            services,
            actor,
            now: services.clock.now(),
            changed: Vec::new(),
            replanned: false,
            queued: Vec::new(),
            woken: Lanes::default(),
        }
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
            role: self.actor.role,
            action: action.to_owned(),
            subject_kind: action.split('.').next().unwrap_or(action).to_owned(),
            subject_id: subject.to_string(),
            before,
            after,
            request_id: self.actor.request_id.clone(),
        };
        self.unit.audits().append(&row)
    }

    /// The capacity of these half hours is changed: nobody goes by what was known of their days.
    pub(crate) fn changes(&mut self, hub: &str, half_hours: &[BucketKey]) {
        let Some(hub) = geography::hub(hub) else { return };
        for key in half_hours {
            if self.changed.last() != Some(&(hub.id, key.date)) {
                self.changed.push((hub.id, key.date));
            }
        }
    }

    /// The calendar of a hub is changed.
    pub(crate) fn replans(&mut self) {
        self.replanned = true;
    }

    /// Queues work to be done at once. It is written with the end of the unit of work.
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
        self.put(work.at(self.services, at));
        Ok(())
    }

    /// Queues work that waits for a network and not for a date: not before this instant of real time.
    ///
    /// # Errors
    /// When the database fails.
    pub fn enqueue_held(&mut self, work: &Work, until: DateTime<Utc>) -> StoreResult<()> {
        self.put(NewJob { held_until: Some(until), ..work.at(self.services, self.now) });
        Ok(())
    }

    /// Takes queued work back; work without a key cannot be.
    ///
    /// # Errors
    /// When the database fails.
    pub fn withdraw(&mut self, work: &Work) -> StoreResult<()> {
        let Some(key) = work.key() else { return Ok(()) };
        self.queued.retain(|job| job.dedup_key.as_ref() != Some(&key));
        self.unit.jobs().withdraw(&key).map(drop)
    }

    /// Has work that was given up done again, from the beginning. False: it is not on that list.
    ///
    /// # Errors
    /// When the database fails.
    pub fn revive(&mut self, job: JobId) -> StoreResult<bool> {
        let now = self.now;
        let revived = self.unit.jobs().revive(job, now)?;
        if revived {
            self.woken = Lanes::ALL;
        }
        Ok(revived)
    }

    /// Writes the work that was queued so far.
    fn flush(&mut self) -> StoreResult<()> {
        let jobs = std::mem::take(&mut self.queued);
        if jobs.is_empty() { Ok(()) } else { self.unit.jobs().enqueue_all(&jobs) }
    }

    fn put(&mut self, job: NewJob) {
        self.woken = self.woken.and(Lanes::of(&job, self.services.clock.now(), self.services.wall.now()));
        // The later word about the same work counts.
        self.queued.retain(|other| job.dedup_key.is_none() || other.dedup_key != job.dedup_key);
        self.queued.push(job);
    }
}
