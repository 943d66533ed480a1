//! Who works for the company.

use diesel::prelude::*;
use service::ports::{
    StoreError, StoreResult,
    members::{Member, Members},
};

use super::Repos;
use crate::{error::fault, rows::members::MemberRow, schema::members};

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
        let added = diesel::insert_into(members::table)
            .values(MemberRow::from(member))
            .on_conflict(members::email_key)
            .do_nothing()
            .execute(self.conn)
            .map_err(fault(TABLE))?;
        if added == 1 { Ok(()) } else { Err(StoreError::Duplicate("members.email_key".to_owned())) }
    }

    fn remove(&mut self, email_key: &str) -> StoreResult<bool> {
        let gone = diesel::delete(members::table.filter(members::email_key.eq(email_key)))
            .execute(self.conn)
            .map_err(fault(TABLE))?;
        Ok(gone == 1)
    }
}
