//! Mailed quotes.

use chrono::{DateTime, Utc};
use diesel::{dsl::exists, prelude::*, select};
use kernel::DiscountId;
use service::ports::{
    StoreResult,
    identity::TokenHash,
    quotes::{Quotes, SavedQuote},
};

use super::Repos;
use crate::{
    columns::{Id, Instant},
    error::fault,
    rows::quotes::QuoteRow,
    schema::saved_quotes as q,
};

const TABLE: &str = "saved_quotes";

impl Quotes for Repos<'_> {
    fn insert(&mut self, quote: &SavedQuote) -> StoreResult<()> {
        let row = QuoteRow::of(quote)?;
        diesel::insert_into(q::table).values(row).execute(self.conn).map(drop).map_err(fault(TABLE))
    }

    fn by_token(&mut self, hash: &TokenHash) -> StoreResult<Option<SavedQuote>> {
        let row: Option<QuoteRow> = q::table
            .filter(q::token_hash.eq(&hash.0))
            .select(QuoteRow::as_select())
            .first(self.conn)
            .optional()
            .map_err(fault(TABLE))?;
        row.map(QuoteRow::read).transpose()
    }

    fn name_code(&mut self, code: DiscountId) -> StoreResult<bool> {
        select(exists(q::table.filter(q::discount_id.eq(Id(code.0))))).get_result(self.conn).map_err(fault(TABLE))
    }

    fn purge(&mut self, before: DateTime<Utc>) -> StoreResult<usize> {
        diesel::delete(q::table.filter(q::valid_until.lt(Instant(before)))).execute(self.conn).map_err(fault(TABLE))
    }
}
