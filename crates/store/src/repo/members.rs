//! Who works for the company.

use diesel::prelude::*;
use kernel::OpsMemberId;
use service::ports::{
    StoreError, StoreResult,
    bookings::Page,
    members::{Member, MemberRole, Members},
};

use super::{super::dialect, Repos, directory};
use crate::{columns::Id, error::fault, rows::members::MemberRow, schema::members, statement::update};

const TABLE: &str = "members";
/// Roles of staff.
const STAFF: [&str; 2] = [MemberRole::Ops.code(), MemberRole::Admin.code()];

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

    fn get(&mut self, id: OpsMemberId) -> StoreResult<Option<Member>> {
        let row: Option<MemberRow> = members::table
            .find(Id(id.0))
            .select(MemberRow::as_select())
            .first(self.conn)
            .optional()
            .map_err(fault(TABLE))?;
        row.map(MemberRow::read).transpose()
    }

    fn staff(&mut self, skip: i64, limit: i64) -> StoreResult<Page<Member>> {
        let total =
            members::table.filter(members::role.eq_any(STAFF)).count().get_result(self.conn).map_err(fault(TABLE))?;
        let rows: Vec<MemberRow> = members::table
            .filter(members::role.eq_any(STAFF))
            .order((members::last_name, members::first_name, members::id))
            .offset(skip.max(0))
            .limit(limit.max(0))
            .select(MemberRow::as_select())
            .load(self.conn)
            .map_err(fault(TABLE))?;
        Ok(Page { data: rows.into_iter().map(MemberRow::read).collect::<StoreResult<_>>()?, total })
    }

    fn lock_admins(&mut self) -> StoreResult<i64> {
        dialect::lock_key(self.conn, "admins").map_err(fault(TABLE))?;
        members::table
            .filter(members::role.eq(MemberRole::Admin.code()))
            .count()
            .get_result(self.conn)
            .map_err(fault(TABLE))
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
