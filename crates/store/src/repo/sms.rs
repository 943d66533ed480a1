//! Text messages: handings over, and wishes.

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use kernel::{E164, MessageId};
use service::ports::{
    StoreResult,
    sms::{Handover, SendId, SmsLog, SmsPreference},
};

use super::Repos;
use crate::{
    columns::{Id, Instant},
    error::fault,
    rows::sms::{SendRow, WishRow},
    schema::{sms_sends as s, sms_wishes as w},
    statement::{OpenSends, update},
};

const SENDS: &str = "sms_sends";
const WISHES: &str = "sms_wishes";

impl SmsLog for Repos<'_> {
    fn begin(&mut self, send: &Handover) -> StoreResult<()> {
        diesel::insert_into(s::table).values(SendRow::of(send)).execute(self.conn).map_err(fault(SENDS))?;
        Ok(())
    }

    fn of_message(&mut self, id: MessageId) -> StoreResult<Vec<Handover>> {
        if self.writes {
            super::super::dialect::lock_key(self.conn, &format!("sms {id}")).map_err(fault(SENDS))?;
        }
        let rows: Vec<SendRow> = s::table
            .filter(s::message_id.eq(Id(id.0)))
            .order(s::seq.desc())
            .select(SendRow::as_select())
            .load(self.conn)
            .map_err(fault(SENDS))?;
        rows.into_iter().map(SendRow::read).collect()
    }

    fn by_id(&mut self, id: SendId) -> StoreResult<Option<Handover>> {
        let row: Option<SendRow> = s::table
            .filter(s::id.eq(Id(id.0)))
            .select(SendRow::as_select())
            .first(self.conn)
            .optional()
            .map_err(fault(SENDS))?;
        row.map(SendRow::read).transpose()
    }

    fn by_sid(&mut self, sid: &str) -> StoreResult<Option<Handover>> {
        let row: Option<SendRow> = s::table
            .filter(s::sid.eq(sid))
            .select(SendRow::as_select())
            .first(self.conn)
            .optional()
            .map_err(fault(SENDS))?;
        row.map(SendRow::read).transpose()
    }

    fn update(&mut self, send: &Handover) -> StoreResult<()> {
        let row = SendRow::of(send);
        let learnt = (
            s::sid.eq(row.sid),
            s::status.eq(row.status),
            s::error_code.eq(row.error_code),
            s::is_over.eq(row.is_over),
        );
        update(s::table, s::id.eq(row.id), learnt).execute(self.conn).map(drop).map_err(fault(SENDS))
    }

    fn open_between(&mut self, from: DateTime<Utc>, until: DateTime<Utc>, limit: i64) -> StoreResult<Vec<Handover>> {
        let rows: Vec<SendRow> = s::table
            .filter(OpenSends)
            .filter(s::sid.is_not_null())
            .filter(s::made_at.ge(Instant(from)))
            .filter(s::made_at.lt(Instant(until)))
            .order(s::made_at)
            .limit(limit)
            .select(SendRow::as_select())
            .load(self.conn)
            .map_err(fault(SENDS))?;
        rows.into_iter().map(SendRow::read).collect()
    }

    fn wish(&mut self, wish: &SmsPreference) -> StoreResult<bool> {
        let added = diesel::insert_into(w::table)
            .values(WishRow::of(wish))
            .on_conflict(w::sid)
            .do_nothing()
            .execute(self.conn)
            .map_err(fault(WISHES))?;
        Ok(added == 1)
    }

    fn wish_of(&mut self, phone: &E164) -> StoreResult<Option<SmsPreference>> {
        let row: Option<WishRow> = w::table
            .filter(w::phone.eq(phone.as_str()))
            .order(w::seq.desc())
            .select(WishRow::as_select())
            .first(self.conn)
            .optional()
            .map_err(fault(WISHES))?;
        row.map(WishRow::read).transpose()
    }
}
