//! Who works for the company.

use diesel::prelude::*;
use kernel::{MateId, OpsMemberId, PartnerId};
use service::ports::{
    StoreResult,
    members::{Member, MemberRole},
};

use super::parse;
use crate::{
    columns::{Id, Instant},
    error::unknown,
    schema::members,
};

const TABLE: &str = "members";

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = members, treat_none_as_default_value = false)]
pub struct MemberRow {
    pub id: Id,
    pub email: String,
    pub email_key: String,
    pub first_name: String,
    pub last_name: String,
    pub role: String,
    pub partner_id: Option<Id>,
    pub mate_id: Option<Id>,
    pub created_at: Instant,
    pub version: i32,
}

impl From<&Member> for MemberRow {
    fn from(m: &Member) -> Self {
        MemberRow {
            id: Id(m.id.0),
            email: m.email.as_str().to_owned(),
            email_key: m.email.key(),
            first_name: m.first_name.clone(),
            last_name: m.last_name.clone(),
            role: m.role.code().to_owned(),
            partner_id: m.partner_id.map(|p| Id(p.0)),
            mate_id: m.mate_id.map(|p| Id(p.0)),
            created_at: Instant(m.created_at),
            version: m.version,
        }
    }
}

impl MemberRow {
    pub fn read(self) -> StoreResult<Member> {
        let id = self.id.0;
        Ok(Member {
            id: OpsMemberId(id),
            email: parse(&self.email, TABLE, "email", &id)?,
            first_name: self.first_name,
            last_name: self.last_name,
            role: MemberRole::from_code(&self.role).ok_or_else(|| unknown(TABLE, "role", &id, &self.role))?,
            partner_id: self.partner_id.map(|p| PartnerId(p.0)),
            mate_id: self.mate_id.map(|p| MateId(p.0)),
            created_at: self.created_at.0,
            version: self.version,
        })
    }
}
