//! Status changes, revisions and checkouts of bookings.

use diesel::prelude::*;
use kernel::{BookingId, UserId};
use service::ports::{
    StoreResult, acted,
    checkouts::Checkout,
    history::{Revision, StatusChange},
};
use status_machine::At;

use super::parse;
use crate::{
    columns::{Doc, Id, Instant},
    error::bad,
    schema::{booking_revisions, booking_status_changes, checkouts},
};

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = booking_status_changes, treat_none_as_default_value = false)]
pub struct StatusRow {
    pub booking_id: Id,
    pub from_status: Option<String>,
    pub to_status: String,
    pub actor: Option<Id>,
    pub role: String,
    pub at: Instant,
    pub reason: Option<String>,
}

impl StatusRow {
    pub fn of(id: BookingId, change: &StatusChange) -> Self {
        StatusRow {
            booking_id: Id(id.0),
            from_status: change.from.map(|s| s.code().to_owned()),
            to_status: change.to.code().to_owned(),
            actor: change.actor.map(|a| Id(a.0)),
            role: acted::code(change.role).to_owned(),
            at: Instant(change.at),
            reason: change.reason.clone(),
        }
    }

    pub fn read(self) -> StoreResult<StatusChange> {
        const TABLE: &str = "booking_status_changes";
        let id = self.booking_id.0;
        Ok(StatusChange {
            from: self.from_status.map(|s| parse(&s, TABLE, "from_status", &id)).transpose()?,
            to: parse(&self.to_status, TABLE, "to_status", &id)?,
            actor: self.actor.map(|a| UserId(a.0)),
            role: acted::role_of(&self.role).map_err(bad(TABLE, "role", &id))?,
            at: self.at.0,
            reason: self.reason,
        })
    }
}

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = booking_revisions, treat_none_as_default_value = false)]
pub struct RevisionRow {
    pub booking_id: Id,
    pub version: i32,
    pub at: Instant,
    pub actor: Option<Id>,
    pub role: String,
    pub changes: Doc,
}

impl RevisionRow {
    pub fn of(id: BookingId, revision: &Revision) -> StoreResult<Self> {
        Ok(RevisionRow {
            booking_id: Id(id.0),
            version: revision.version,
            at: Instant(revision.at),
            actor: revision.actor.map(|a| Id(a.0)),
            role: acted::code(revision.role).to_owned(),
            changes: Doc::of(&revision.changes)?,
        })
    }

    pub fn read(self) -> StoreResult<Revision> {
        const TABLE: &str = "booking_revisions";
        let id = self.booking_id.0;
        Ok(Revision {
            version: self.version,
            at: self.at.0,
            actor: self.actor.map(|a| UserId(a.0)),
            role: acted::role_of(&self.role).map_err(bad(TABLE, "role", &id))?,
            changes: self.changes.read(TABLE, "changes", &id)?,
        })
    }
}

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = checkouts, treat_none_as_default_value = false)]
pub struct CheckoutRow {
    pub booking_id: Id,
    pub subject: Id,
    pub user_id: Id,
    pub order_id: String,
    pub state: String,
    pub plan: Doc,
    pub idempotency_scope: Option<String>,
    pub idempotency_key: Option<String>,
    pub created_at: Instant,
    pub sent_at: Instant,
}

impl CheckoutRow {
    pub fn of(c: &Checkout) -> StoreResult<Self> {
        let (scope, key) = c.idempotency.clone().unzip();
        Ok(CheckoutRow {
            booking_id: Id(c.booking_id.0),
            subject: Id(c.subject.0),
            user_id: Id(c.user_id.0),
            order_id: c.order_id.clone(),
            state: c.state.code().to_owned(),
            plan: Doc::of(&c.plan)?,
            idempotency_scope: scope,
            idempotency_key: key,
            created_at: Instant(c.created_at),
            sent_at: Instant(c.sent_at),
        })
    }

    pub fn read(self) -> StoreResult<Checkout> {
        Ok(Checkout {
            booking_id: BookingId(self.booking_id.0),
            subject: BookingId(self.subject.0),
            user_id: UserId(self.user_id.0),
            order_id: self.order_id,
            state: At::stored(parse(&self.state, "checkouts", "state", &self.booking_id.0)?),
            plan: self.plan.read("checkouts", "plan", &self.booking_id.0)?,
            idempotency: self.idempotency_scope.zip(self.idempotency_key),
            created_at: self.created_at.0,
            sent_at: self.sent_at.0,
        })
    }
}
