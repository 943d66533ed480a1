//! Stored cards.

use diesel::prelude::*;
use kernel::UserId;
use service::ports::{
    StoreResult,
    cards::{Card, Cards},
};

use super::Repos;
use crate::{columns::Id, error::fault, rows::cards::CardRow, schema::cards};

const TABLE: &str = "cards";

impl Cards for Repos<'_> {
    fn current(&mut self, user: UserId) -> StoreResult<Option<Card>> {
        let row: Option<CardRow> = cards::table
            .filter(cards::user_id.eq(Id(user.0)))
            .order((cards::created_at.desc(), cards::seq.desc()))
            .select(CardRow::as_select())
            .first(self.conn)
            .optional()
            .map_err(fault(TABLE))?;
        Ok(row.map(Card::from).filter(|card| card.usable))
    }

    fn insert(&mut self, card: &Card) -> StoreResult<()> {
        diesel::insert_into(cards::table).values(CardRow::from(card)).execute(self.conn).map_err(fault(TABLE))?;
        Ok(())
    }

    fn hand_over(&mut self, from: UserId, to: UserId) -> StoreResult<()> {
        diesel::update(cards::table.filter(cards::user_id.eq(Id(from.0))))
            .set(cards::user_id.eq(Id(to.0)))
            .execute(self.conn)
            .map_err(fault(TABLE))?;
        Ok(())
    }

    fn retire(&mut self, method_id: &str) -> StoreResult<()> {
        diesel::update(cards::table.filter(cards::method_id.eq(method_id)))
            .set(cards::usable.eq(false))
            .execute(self.conn)
            .map_err(fault(TABLE))?;
        Ok(())
    }
}
