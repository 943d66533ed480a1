//! Rows of requests for a quote.

use chrono::NaiveDate;
use diesel::prelude::*;
use kernel::{BookingId, UserId, searchable};
use service::ports::{
    StoreResult,
    quote_requests::{CallAt, QuoteRequest, QuoteRequestId, RequestState},
};

use super::parse;
use crate::{
    columns::{Doc, Id, Instant},
    error::unknown,
    schema::quote_requests,
};

const TABLE: &str = "quote_requests";

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = quote_requests)]
pub struct RequestRow {
    pub id: Id,
    pub state: String,
    pub name: String,
    pub email: Option<String>,
    pub phone: Option<String>,
    pub language: String,
    pub call_at: String,
    pub obstacles: Doc,
    pub draft: String,
    pub move_date: Option<NaiveDate>,
    pub from_city: String,
    pub to_city: String,
    pub found_by: String,
    pub taken_by: Option<Id>,
    pub booking_id: Option<Id>,
    pub made_at: Instant,
    pub changed_at: Instant,
    pub version: i32,
}

/// What a request is found by: whoever looks types some of it.
fn found_by(r: &QuoteRequest) -> String {
    let digits = r.phone.as_ref().map(kernel::Phone::digits).unwrap_or_default();
    let email = r.email.as_ref().map(ToString::to_string).unwrap_or_default();
    searchable(&[r.name.as_str(), &email, &digits, &r.from_city, &r.to_city].join(" "))
}

impl RequestRow {
    pub fn of(r: &QuoteRequest) -> StoreResult<RequestRow> {
        Ok(RequestRow {
            id: Id(r.id.0),
            state: r.state.code().to_owned(),
            name: r.name.clone(),
            email: r.email.as_ref().map(ToString::to_string),
            phone: r.phone.as_ref().map(ToString::to_string),
            language: r.language.code().to_owned(),
            call_at: r.call_at.code().to_owned(),
            obstacles: Doc::of(&r.obstacles)?,
            draft: r.draft.clone(),
            move_date: r.move_date,
            from_city: r.from_city.clone(),
            to_city: r.to_city.clone(),
            found_by: found_by(r),
            taken_by: r.taken_by.map(|id| Id(id.0)),
            booking_id: r.booking_id.map(|id| Id(id.0)),
            made_at: Instant(r.made_at),
            changed_at: Instant(r.changed_at),
            version: r.version,
        })
    }

    pub fn read(self) -> StoreResult<QuoteRequest> {
        let id = self.id.0;
        let state = RequestState::from_code(&self.state).ok_or_else(|| unknown(TABLE, "state", &id, &self.state))?;
        let call_at = CallAt::from_code(&self.call_at).ok_or_else(|| unknown(TABLE, "call_at", &id, &self.call_at))?;
        Ok(QuoteRequest {
            id: QuoteRequestId(id),
            state,
            name: self.name,
            email: self.email.map(|text| parse(&text, TABLE, "email", &id)).transpose()?,
            phone: self.phone.map(|text| parse(&text, TABLE, "phone", &id)).transpose()?,
            language: parse(&self.language, TABLE, "language", &id)?,
            call_at,
            obstacles: self.obstacles.read(TABLE, "obstacles", &id)?,
            draft: self.draft,
            move_date: self.move_date,
            from_city: self.from_city,
            to_city: self.to_city,
            taken_by: self.taken_by.map(|id| UserId(id.0)),
            booking_id: self.booking_id.map(|id| BookingId(id.0)),
            made_at: self.made_at.0,
            changed_at: self.changed_at.0,
            version: self.version,
        })
    }
}
