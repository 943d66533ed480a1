//! Records of mates and partners.

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use kernel::{MateId, PartnerId};
use service::ports::{
    StoreResult,
    directory::{Directory, MateRecord, MateState, PartnerRecord, PartnerState},
    members::Member,
};

use super::{super::Conn, Repos};
use crate::{
    columns::{Id, Instant},
    error::fault,
    rows::directory::{MateRow, NewMateRow, NewPartnerRow, PartnerRow},
    schema::{mates, partners},
};

const MATES: &str = "mates";
const PARTNERS: &str = "partners";

/// Whom a member names has a record from then on.
pub fn know(conn: &mut Conn, member: &Member) -> StoreResult<()> {
    if let Some(partner) = member.partner_id {
        know_partner(conn, partner, "", member.created_at)?;
    }
    let Some(mate) = member.mate_id else { return Ok(()) };
    let name = format!("{} {}", member.first_name, member.last_name);
    know_mate(conn, mate, name, member.email.as_str(), member.created_at)
}

/// Whom a member or a crew names has a record from then on.
pub fn know_mate(conn: &mut Conn, id: MateId, name: String, email: &str, at: DateTime<Utc>) -> StoreResult<()> {
    let row = NewMateRow {
        id: Id(id.0),
        name,
        email: email.to_owned(),
        state: MateState::Active.code(),
        created_at: Instant(at),
        updated_at: Instant(at),
    };
    let added = diesel::insert_into(mates::table).values(row).on_conflict(mates::id).do_nothing().execute(conn);
    added.map(drop).map_err(fault(MATES))
}

/// Whom a member or a machine names has a record from then on.
pub fn know_partner(conn: &mut Conn, id: PartnerId, name: &str, at: DateTime<Utc>) -> StoreResult<()> {
    let row = NewPartnerRow {
        id: Id(id.0),
        name: name.to_owned(),
        state: PartnerState::Active.code(),
        created_at: Instant(at),
        updated_at: Instant(at),
    };
    let added = diesel::insert_into(partners::table).values(row).on_conflict(partners::id).do_nothing().execute(conn);
    added.map(drop).map_err(fault(PARTNERS))
}

impl Directory for Repos<'_> {
    fn mate(&mut self, id: MateId) -> StoreResult<Option<MateRecord>> {
        let row: Option<MateRow> = mates::table
            .filter(mates::id.eq(Id(id.0)))
            .select(MateRow::as_select())
            .first(self.conn)
            .optional()
            .map_err(fault(MATES))?;
        row.map(MateRow::read).transpose()
    }

    fn partner(&mut self, id: PartnerId) -> StoreResult<Option<PartnerRecord>> {
        let row: Option<PartnerRow> = partners::table
            .filter(partners::id.eq(Id(id.0)))
            .select(PartnerRow::as_select())
            .first(self.conn)
            .optional()
            .map_err(fault(PARTNERS))?;
        row.map(PartnerRow::read).transpose()
    }
}
