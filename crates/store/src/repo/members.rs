//! Who works for the company.

use diesel::prelude::*;
use service::ports::{
    StoreError, StoreResult,
    members::{Member, Members},
};

use super::{Repos, directory};
use crate::{columns::Id, error::fault, rows::members::MemberRow, schema::members, statement::update};

const TABLE: &str = "members";

impl Members for Repos<'_> {
    fn by_email(&mut self, email_key: &str) -> StoreResult<Option<Member>> {
        let row: Option<MemberRow> = members::table
            .filter(members::email_key.eq(email_key))
            .select(MemberRow::as_select())
            .first(self.conn)
            .optional()
            .map_err(fault(TABLE))?;
        row.map(MemberRow::read).transpose()
    }

    fn insert(&mut self, member: &Member) -> StoreResult<()> {
        directory::know(self.conn, member)?;
        let added = diesel::insert_into(members::table)
            .values(MemberRow::from(member))
            .on_conflict(members::email_key)
            .do_nothing()
            .execute(self.conn)
            .map_err(fault(TABLE))?;
        if added == 1 { Ok(()) } else { Err(StoreError::Duplicate("members.email_key".to_owned())) }
    }

    fn update(&mut self, member: &Member) -> StoreResult<i32> {
        directory::know(self.conn, member)?;
        let version = member.version.saturating_add(1);
        let row = MemberRow::from(member);
        let changes = (
            members::first_name.eq(row.first_name),
            members::last_name.eq(row.last_name),
            members::role.eq(row.role),
            members::partner_id.eq(row.partner_id),
            members::mate_id.eq(row.mate_id),
            members::version.eq(version),
        );
        let known = members::id.eq(Id(member.id.0)).and(members::version.eq(member.version));
        let written = update(members::table, known, changes).execute(self.conn).map_err(fault(TABLE))?;
        if written == 1 { Ok(version) } else { Err(StoreError::Stale) }
    }

    fn remove(&mut self, email_key: &str) -> StoreResult<bool> {
        let gone = diesel::delete(members::table.filter(members::email_key.eq(email_key)))
            .execute(self.conn)
            .map_err(fault(TABLE))?;
        Ok(gone == 1)
    }
}
