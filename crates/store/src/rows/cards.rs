//! Stored cards.

use diesel::prelude::*;
use kernel::UserId;
use service::ports::cards::Card;

use crate::{
    columns::{Id, Instant},
    schema::cards,
};

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = cards, treat_none_as_default_value = false)]
pub struct CardRow {
    pub id: Id,
    pub user_id: Id,
    pub method_id: String,
    pub brand: String,
    pub last4: String,
    pub expiry: String,
    pub usable: bool,
    pub created_at: Instant,
}

impl From<&Card> for CardRow {
    fn from(c: &Card) -> Self {
        CardRow {
            id: Id(c.id),
            user_id: Id(c.user_id.0),
            method_id: c.method_id.clone(),
            brand: c.brand.clone(),
            last4: c.last4.clone(),
            expiry: c.expiry.clone(),
            usable: c.usable,
            created_at: Instant(c.created_at),
        }
    }
}

impl From<CardRow> for Card {
    fn from(r: CardRow) -> Self {
        Card {
            id: r.id.0,
            user_id: UserId(r.user_id.0),
            method_id: r.method_id,
            brand: r.brand,
            last4: r.last4,
            expiry: r.expiry,
            usable: r.usable,
            created_at: r.created_at.0,
        }
    }
}
