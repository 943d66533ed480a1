//! Rate cards.

use diesel::prelude::*;
use kernel::RateId;
use service::ports::{StoreResult, rates::StoredRate};

use super::{some, time};
use crate::{
    columns::{Doc, Id, Instant},
    schema::rates,
};

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = rates, treat_none_as_default_value = false)]
pub struct RateRow {
    pub id: Id,
    pub name: String,
    pub version: i32,
    pub effective_from: Instant,
    pub effective_to: Option<Instant>,
    pub card: Doc,
}

impl RateRow {
    pub fn of(r: &StoredRate) -> StoreResult<Self> {
        Ok(RateRow {
            id: Id(r.id.0),
            name: r.name.clone(),
            version: r.version,
            effective_from: Instant(r.effective_from),
            effective_to: some(r.effective_to),
            card: Doc::of(&r.card)?,
        })
    }

    pub fn read(self) -> StoreResult<StoredRate> {
        Ok(StoredRate {
            id: RateId(self.id.0),
            name: self.name,
            version: self.version,
            effective_from: self.effective_from.0,
            effective_to: time(self.effective_to),
            card: self.card.read("rates", "card", &self.id.0)?,
        })
    }
}
