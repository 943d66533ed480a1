//! Records of mates, partners and trucks.

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use kernel::{MateId, PartnerId, TruckId};
use service::ports::{
    StoreError, StoreResult,
    directory::{Directory, MateRecord, MateState, PartnerRecord, PartnerState, TruckRecord},
    members::Member,
};

use super::{super::Conn, Repos};
use crate::{
    columns::{Id, Instant},
    error::fault,
    rows::directory::{MateRow, NewMateRow, NewPartnerRow, PartnerRow, TruckRow, WrittenMateRow, WrittenPartnerRow},
    schema::{mates, partners, trucks},
    statement::update,
};

const MATES: &str = "mates";
const PARTNERS: &str = "partners";
const TRUCKS: &str = "trucks";

/// The version after this one, when the row with this one was written.
fn next(written: usize, version: i32) -> StoreResult<i32> {
    if written == 1 { Ok(version.saturating_add(1)) } else { Err(StoreError::Stale) }
}

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

    fn mates(&mut self) -> StoreResult<Vec<MateRecord>> {
        let rows: Vec<MateRow> = mates::table
            .order((mates::name, mates::seq))
            .select(MateRow::as_select())
            .load(self.conn)
            .map_err(fault(MATES))?;
        rows.into_iter().map(MateRow::read).collect()
    }

    fn add_mate(&mut self, mate: &MateRecord) -> StoreResult<i64> {
        diesel::insert_into(mates::table)
            .values(WrittenMateRow::of(mate, mate.version)?)
            .returning(mates::seq)
            .get_result(self.conn)
            .map_err(fault(MATES))
    }

    fn update_mate(&mut self, mate: &MateRecord) -> StoreResult<i32> {
        let known = mates::id.eq(Id(mate.id.0)).and(mates::version.eq(mate.version));
        let row = WrittenMateRow::of(mate, mate.version.saturating_add(1))?;
        let written = update(mates::table, known, row).execute(self.conn).map_err(fault(MATES))?;
        next(written, mate.version)
    }

    fn partners(&mut self) -> StoreResult<Vec<PartnerRecord>> {
        let rows: Vec<PartnerRow> = partners::table
            .order((partners::name, partners::seq))
            .select(PartnerRow::as_select())
            .load(self.conn)
            .map_err(fault(PARTNERS))?;
        rows.into_iter().map(PartnerRow::read).collect()
    }

    fn add_partner(&mut self, partner: &PartnerRecord) -> StoreResult<i64> {
        diesel::insert_into(partners::table)
            .values(WrittenPartnerRow::of(partner, partner.version)?)
            .returning(partners::seq)
            .get_result(self.conn)
            .map_err(fault(PARTNERS))
    }

    fn update_partner(&mut self, partner: &PartnerRecord) -> StoreResult<i32> {
        let known = partners::id.eq(Id(partner.id.0)).and(partners::version.eq(partner.version));
        let row = WrittenPartnerRow::of(partner, partner.version.saturating_add(1))?;
        let written = update(partners::table, known, row).execute(self.conn).map_err(fault(PARTNERS))?;
        next(written, partner.version)
    }

    fn truck(&mut self, id: TruckId) -> StoreResult<Option<TruckRecord>> {
        let row: Option<TruckRow> = trucks::table
            .find(Id(id.0))
            .select(TruckRow::as_select())
            .first(self.conn)
            .optional()
            .map_err(fault(TRUCKS))?;
        row.map(TruckRow::read).transpose()
    }

    fn trucks(&mut self) -> StoreResult<Vec<TruckRecord>> {
        let rows: Vec<TruckRow> = trucks::table
            .order((trucks::hub, trucks::name, trucks::id))
            .select(TruckRow::as_select())
            .load(self.conn)
            .map_err(fault(TRUCKS))?;
        rows.into_iter().map(TruckRow::read).collect()
    }

    fn add_truck(&mut self, truck: &TruckRecord) -> StoreResult<()> {
        let row = TruckRow::of(truck, truck.version)?;
        diesel::insert_into(trucks::table).values(row).execute(self.conn).map(drop).map_err(fault(TRUCKS))
    }

    fn update_truck(&mut self, truck: &TruckRecord) -> StoreResult<i32> {
        let known = trucks::id.eq(Id(truck.id.0)).and(trucks::version.eq(truck.version));
        let row = TruckRow::of(truck, truck.version.saturating_add(1))?;
        let written = update(trucks::table, known, row).execute(self.conn).map_err(fault(TRUCKS))?;
        next(written, truck.version)
    }
}
