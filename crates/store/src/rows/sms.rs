//! Text messages: handings over, and wishes.

use diesel::prelude::*;
use kernel::MessageId;
use service::ports::{
    StoreResult,
    sms::{Handover, SendId, SmsPreference, SmsStatus},
};

use super::parse;
use crate::{
    columns::{Id, Instant},
    error::unknown,
    schema::{sms_sends, sms_wishes},
};

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = sms_sends, treat_none_as_default_value = false)]
pub struct SendRow {
    pub id: Id,
    pub message_id: Id,
    pub begun_at: Instant,
    pub made_at: Instant,
    pub body_hash: String,
    pub sid: Option<String>,
    pub status: Option<String>,
    pub error_code: Option<i32>,
    pub is_over: bool,
}

impl SendRow {
    pub fn of(s: &Handover) -> Self {
        SendRow {
            id: Id(s.id.0),
            message_id: Id(s.message_id.0),
            begun_at: Instant(s.begun_at),
            made_at: Instant(s.made_at),
            body_hash: s.body_hash.clone(),
            sid: s.sid.clone(),
            status: s.status.map(|status| status.code().to_owned()),
            error_code: s.error_code,
            is_over: s.is_over,
        }
    }

    pub fn read(self) -> StoreResult<Handover> {
        let status =
            |code: String| SmsStatus::from_code(&code).ok_or_else(|| unknown("sms_sends", "status", &self.id.0, &code));
        Ok(Handover {
            id: SendId(self.id.0),
            message_id: MessageId(self.message_id.0),
            begun_at: self.begun_at.0,
            made_at: self.made_at.0,
            body_hash: self.body_hash,
            sid: self.sid,
            status: self.status.map(status).transpose()?,
            error_code: self.error_code,
            is_over: self.is_over,
        })
    }
}

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = sms_wishes)]
pub struct WishRow {
    pub sid: String,
    pub phone: String,
    pub stops: bool,
    pub at: Instant,
}

impl WishRow {
    pub fn of(w: &SmsPreference) -> Self {
        WishRow { sid: w.sid.clone(), phone: w.phone.as_str().to_owned(), stops: w.stops, at: Instant(w.at) }
    }

    pub fn read(self) -> StoreResult<SmsPreference> {
        Ok(SmsPreference {
            phone: parse(&self.phone, "sms_wishes", "phone", &self.sid)?,
            sid: self.sid,
            stops: self.stops,
            at: self.at.0,
        })
    }
}
