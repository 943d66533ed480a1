//! Rows of the audit trail.

use diesel::prelude::*;
use kernel::{AuditId, UserId};
use service::ports::{StoreResult, acted, audit::AuditRow};

use crate::{
    columns::{Doc, Id, Instant},
    error::bad,
    schema::audit_rows,
};

const TABLE: &str = "audit_rows";

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = audit_rows, treat_none_as_default_value = false)]
pub struct StoredAudit {
    pub id: Id,
    pub at: Instant,
    pub actor: Option<Id>,
    pub role: String,
    pub action: String,
    pub subject_kind: String,
    pub subject_id: String,
    pub state_before: Option<Doc>,
    pub state_after: Option<Doc>,
    pub request_id: Option<String>,
}

impl StoredAudit {
    pub fn of(row: &AuditRow) -> StoreResult<Self> {
        Ok(StoredAudit {
            id: Id(row.id.0),
            at: Instant(row.at),
            actor: row.actor.map(|a| Id(a.0)),
            role: acted::code(row.role).to_owned(),
            action: row.action.clone(),
            subject_kind: row.subject_kind.clone(),
            subject_id: row.subject_id.clone(),
            state_before: row.before.as_ref().map(Doc::of).transpose()?,
            state_after: row.after.as_ref().map(Doc::of).transpose()?,
            request_id: row.request_id.clone(),
        })
    }

    pub fn read(self) -> StoreResult<AuditRow> {
        let id = self.id.0;
        Ok(AuditRow {
            id: AuditId(id),
            at: self.at.0,
            actor: self.actor.map(|a| UserId(a.0)),
            role: acted::role_of(&self.role).map_err(bad(TABLE, "role", &id))?,
            action: self.action,
            subject_kind: self.subject_kind,
            subject_id: self.subject_id,
            before: self.state_before.map(|d| d.read(TABLE, "state_before", &id)).transpose()?,
            after: self.state_after.map(|d| d.read(TABLE, "state_after", &id)).transpose()?,
            request_id: self.request_id,
        })
    }
}
