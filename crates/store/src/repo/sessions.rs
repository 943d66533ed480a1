//! Browser sessions of the embedded provider, and partners' machines.

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use kernel::{PartnerId, SessionId, UserId};
use service::ports::{
    StoreResult,
    identity::{MachineClient, MachineClients, Session, SessionEnd, Sessions, TokenHash},
};

use super::{Repos, directory};
use crate::{
    columns::{Id, Instant},
    error::fault,
    rows::{
        identity::{MachineRow, SessionRow},
        some,
    },
    schema::{machine_clients, sessions},
};

const TABLE: &str = "sessions";
const MACHINES: &str = "machine_clients";

impl Sessions for Repos<'_> {
    fn insert(&mut self, session: &Session) -> StoreResult<()> {
        diesel::insert_into(sessions::table)
            .values(SessionRow::from(session))
            .execute(self.conn)
            .map_err(fault(TABLE))?;
        Ok(())
    }

    fn by_token(&mut self, token: &TokenHash) -> StoreResult<Option<Session>> {
        let row: Option<SessionRow> = sessions::table
            .filter(sessions::token_hash.eq(&token.0))
            .select(SessionRow::as_select())
            .first(self.conn)
            .optional()
            .map_err(fault(TABLE))?;
        row.map(SessionRow::read).transpose()
    }

    fn get(&mut self, id: SessionId) -> StoreResult<Option<Session>> {
        let row: Option<SessionRow> = sessions::table
            .find(Id(id.0))
            .select(SessionRow::as_select())
            .first(self.conn)
            .optional()
            .map_err(fault(TABLE))?;
        row.map(SessionRow::read).transpose()
    }

    fn touch(&mut self, id: SessionId, seen_at: DateTime<Utc>, expires_at: DateTime<Utc>) -> StoreResult<()> {
        diesel::update(sessions::table.find(Id(id.0)))
            .set((sessions::last_seen_at.eq(Instant(seen_at)), sessions::expires_at.eq(Instant(expires_at))))
            .execute(self.conn)
            .map_err(fault(TABLE))?;
        Ok(())
    }

    fn end(&mut self, id: SessionId, why: SessionEnd, at: DateTime<Utc>) -> StoreResult<()> {
        diesel::update(sessions::table.find(Id(id.0)).filter(sessions::ended_at.is_null()))
            .set((sessions::ended_at.eq(Instant(at)), sessions::end_reason.eq(why.code())))
            .execute(self.conn)
            .map_err(fault(TABLE))?;
        Ok(())
    }

    fn end_of_user(&mut self, user: UserId, why: SessionEnd, at: DateTime<Utc>) -> StoreResult<()> {
        diesel::update(sessions::table.filter(sessions::user_id.eq(Id(user.0))).filter(sessions::ended_at.is_null()))
            .set((sessions::ended_at.eq(Instant(at)), sessions::end_reason.eq(why.code())))
            .execute(self.conn)
            .map_err(fault(TABLE))?;
        Ok(())
    }

    fn purge(&mut self, before: DateTime<Utc>) -> StoreResult<usize> {
        diesel::delete(sessions::table.filter(sessions::expires_at.lt(Instant(before))))
            .execute(self.conn)
            .map_err(fault(TABLE))
    }
}

impl MachineClients for Repos<'_> {
    fn insert(&mut self, client: &MachineClient) -> StoreResult<bool> {
        directory::know_partner(self.conn, client.partner_id, &client.name, client.created_at)?;
        let added = diesel::insert_into(machine_clients::table)
            .values(MachineRow::from(client))
            .on_conflict(machine_clients::client_id)
            .do_nothing()
            .execute(self.conn)
            .map_err(fault(MACHINES))?;
        Ok(added == 1)
    }

    fn get(&mut self, client_id: &str) -> StoreResult<Option<MachineClient>> {
        let row: Option<MachineRow> = machine_clients::table
            .find(client_id)
            .select(MachineRow::as_select())
            .first(self.conn)
            .optional()
            .map_err(fault(MACHINES))?;
        Ok(row.map(MachineClient::from))
    }

    fn of_partner(&mut self, partner: PartnerId) -> StoreResult<Vec<MachineClient>> {
        let rows: Vec<MachineRow> = machine_clients::table
            .filter(machine_clients::partner_id.eq(Id(partner.0)))
            .order((machine_clients::created_at, machine_clients::client_id))
            .select(MachineRow::as_select())
            .load(self.conn)
            .map_err(fault(MACHINES))?;
        Ok(rows.into_iter().map(MachineClient::from).collect())
    }

    fn set_disabled(&mut self, client_id: &str, disabled_at: Option<DateTime<Utc>>) -> StoreResult<bool> {
        let written = diesel::update(machine_clients::table.find(client_id))
            .set(machine_clients::disabled_at.eq(some(disabled_at)))
            .execute(self.conn)
            .map_err(fault(MACHINES))?;
        Ok(written == 1)
    }
}
