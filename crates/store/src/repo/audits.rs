//! The audit trail.

use diesel::prelude::*;
use service::ports::{
    StoreResult,
    audit::{AuditRow, Audits, Change, Trail},
    lists::Counted,
};

use super::{super::Conn, Repos};
use crate::{
    columns::{Id, Instant},
    error::fault,
    rows::audits::StoredAudit,
    schema::audit_rows,
};

const TABLE: &str = "audit_rows";

type Engine = <Conn as diesel::Connection>::Backend;

/// The rows that are as wished for.
fn narrowed(wanted: &Trail) -> audit_rows::BoxedQuery<'_, Engine> {
    let mut query = audit_rows::table.into_boxed::<Engine>();
    if let Some(actors) = &wanted.actors {
        query = query.filter(audit_rows::actor.eq_any(actors.iter().map(|id| Id(id.0))));
    }
    if let Some(kind) = &wanted.subject_kind {
        query = query.filter(audit_rows::subject_kind.eq(kind));
    }
    if let Some(id) = &wanted.subject_id {
        query = query.filter(audit_rows::subject_id.eq(id));
    }
    if let Some(from) = wanted.from {
        query = query.filter(audit_rows::at.ge(Instant(from)));
    }
    if let Some(before) = wanted.before {
        query = query.filter(audit_rows::at.lt(Instant(before)));
    }
    query
}

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

    fn newest(&mut self, wanted: &Trail, skip: i64, limit: i64) -> StoreResult<Vec<AuditRow>> {
        let rows: Vec<StoredAudit> = narrowed(wanted)
            .order((audit_rows::at.desc(), audit_rows::seq.desc()))
            .offset(skip.max(0))
            .limit(limit.max(0))
            .select(StoredAudit::as_select())
            .load(self.conn)
            .map_err(fault(TABLE))?;
        rows.into_iter().map(StoredAudit::read).collect()
    }

    fn counted(&mut self, wanted: &Trail, most: i64) -> StoreResult<Counted> {
        let beyond: Option<i64> = narrowed(wanted)
            .order((audit_rows::at.desc(), audit_rows::seq.desc()))
            .offset(most.max(0))
            .select(audit_rows::seq)
            .first(self.conn)
            .optional()
            .map_err(fault(TABLE))?;
        if beyond.is_some() {
            return Ok(Counted { total: most, is_exact: false });
        }
        let total = narrowed(wanted).count().get_result(self.conn).map_err(fault(TABLE))?;
        Ok(Counted { total, is_exact: true })
    }

    fn changes_from(&mut self, number: i64, limit: i64) -> StoreResult<Vec<Change>> {
        let rows: Vec<(i64, String, String)> = audit_rows::table
            .filter(audit_rows::seq.ge(number))
            .order(audit_rows::seq)
            .limit(limit.max(0))
            .select((audit_rows::seq, audit_rows::subject_kind, audit_rows::subject_id))
            .load(self.conn)
            .map_err(fault(TABLE))?;
        Ok(rows.into_iter().map(|(number, kind, id)| Change { number, kind, id }).collect())
    }

    fn last_number(&mut self) -> StoreResult<i64> {
        let newest: Option<i64> =
            audit_rows::table.select(diesel::dsl::max(audit_rows::seq)).first(self.conn).map_err(fault(TABLE))?;
        Ok(newest.unwrap_or(0))
    }

    fn count_for_request(&mut self, request_id: &str) -> StoreResult<i64> {
        audit_rows::table
            .filter(audit_rows::request_id.eq(request_id))
            .count()
            .get_result(self.conn)
            .map_err(fault(TABLE))
    }
}
