//! Rows of mailed quotes.

use chrono::{NaiveDate, NaiveTime};
use diesel::prelude::*;
use kernel::{Money, RateId};
use service::ports::{
    StoreResult,
    identity::TokenHash,
    quotes::{QuoteId, SavedQuote},
};

use super::{number, parse};
use crate::{
    columns::{Doc, Id, Instant},
    error::out_of_range,
    schema::saved_quotes,
};

const TABLE: &str = "saved_quotes";

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = saved_quotes)]
pub struct QuoteRow {
    pub id: Id,
    pub token_hash: String,
    pub email: String,
    pub language: String,
    pub draft: String,
    pub digest: String,
    pub rate_id: Id,
    pub travel_minutes: i32,
    pub distance_km10: i32,
    pub move_date: NaiveDate,
    pub move_time: NaiveTime,
    pub zone: String,
    pub from_city: String,
    pub to_city: String,
    pub total_cents: i64,
    pub made_at: Instant,
    pub valid_until: Instant,
    pub discount_id: Option<Id>,
    pub discount: Option<Doc>,
}

impl QuoteRow {
    pub fn of(q: &SavedQuote) -> StoreResult<QuoteRow> {
        let column = |n: u32| i32::try_from(n).map_err(out_of_range(TABLE));
        Ok(QuoteRow {
            id: Id(q.id.0),
            token_hash: q.token_hash.0.clone(),
            email: q.email.as_str().to_owned(),
            language: q.language.code().to_owned(),
            draft: q.draft.clone(),
            digest: q.digest.clone(),
            rate_id: Id(q.rate_id.0),
            travel_minutes: column(q.travel_minutes)?,
            distance_km10: column(q.distance_km10)?,
            move_date: q.move_date,
            move_time: q.move_time,
            zone: q.zone.name().to_owned(),
            from_city: q.from_city.clone(),
            to_city: q.to_city.clone(),
            total_cents: q.total.cents(),
            made_at: Instant(q.made_at),
            valid_until: Instant(q.valid_until),
            discount_id: q.discount.as_ref().map(|d| Id(d.id.0)),
            discount: q.discount.as_ref().map(Doc::of).transpose()?,
        })
    }

    pub fn read(self) -> StoreResult<SavedQuote> {
        let id = self.id.0;
        Ok(SavedQuote {
            id: QuoteId(id),
            token_hash: TokenHash(self.token_hash),
            email: parse(&self.email, TABLE, "email", &id)?,
            language: parse(&self.language, TABLE, "language", &id)?,
            draft: self.draft,
            digest: self.digest,
            rate_id: RateId(self.rate_id.0),
            travel_minutes: number(self.travel_minutes, TABLE, "travel_minutes", &id)?,
            distance_km10: number(self.distance_km10, TABLE, "distance_km10", &id)?,
            move_date: self.move_date,
            move_time: self.move_time,
            zone: parse(&self.zone, TABLE, "zone", &id)?,
            from_city: self.from_city,
            to_city: self.to_city,
            total: Money::from_cents(self.total_cents),
            made_at: self.made_at.0,
            valid_until: self.valid_until.0,
            discount: self.discount.map(|kept| kept.read(TABLE, "discount", &id)).transpose()?,
        })
    }
}
