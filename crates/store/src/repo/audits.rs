//! The audit trail.

use diesel::prelude::*;
use service::ports::{
    StoreResult,
    audit::{AuditRow, Audits},
};

use super::Repos;
use crate::{error::fault, rows::audits::StoredAudit, schema::audit_rows};

const TABLE: &str = "audit_rows";

impl Audits for Repos<'_> {
    fn append(&mut self, row: &AuditRow) -> StoreResult<()> {
        diesel::insert_into(audit_rows::table)
            .values(StoredAudit::of(row)?)
            .execute(self.conn)
            .map_err(fault(TABLE))?;
        Ok(())
    }

    fn of_subject(&mut self, kind: &str, id: &str) -> StoreResult<Vec<AuditRow>> {
        let rows: Vec<StoredAudit> = audit_rows::table
            .filter(audit_rows::subject_kind.eq(kind))
            .filter(audit_rows::subject_id.eq(id))
            .order((audit_rows::at, audit_rows::seq))
            .select(StoredAudit::as_select())
            .load(self.conn)
            .map_err(fault(TABLE))?;
        rows.into_iter().map(StoredAudit::read).collect()
    }

    fn count_for_request(&mut self, request_id: &str) -> StoreResult<i64> {
        audit_rows::table
            .filter(audit_rows::request_id.eq(request_id))
            .count()
            .get_result(self.conn)
            .map_err(fault(TABLE))
    }
}
