//! Logos of the company. The file is a column that only [`Logos::file`] reads.

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use service::ports::{
    StoreResult,
    logos::{Logo, LogoId, Logos},
};

use super::Repos;
use crate::{
    columns::{Id, Instant},
    error::{bad, fault},
};

use company_logos as l;

const TABLE: &str = "company_logos";

diesel::table! {
    use diesel::sql_types::*;
    use crate::columns::{SqlId, SqlInstant};
    company_logos (id) {
        id -> SqlId,
        added_by -> SqlId,
        added_at -> SqlInstant,
        width -> Integer,
        height -> Integer,
        bytes -> Integer,
        png -> Binary,
    }
}

impl Logos for Repos<'_> {
    fn insert(&mut self, logo: &Logo, png: &[u8]) -> StoreResult<()> {
        let column = |n: u32, name: &'static str| i32::try_from(n).map_err(bad(TABLE, name, &logo.id));
        diesel::insert_into(l::table)
            .values((
                l::id.eq(Id(logo.id.0)),
                l::added_by.eq(Id(logo.added_by.0)),
                l::added_at.eq(Instant(logo.added_at)),
                l::width.eq(column(logo.width, "width")?),
                l::height.eq(column(logo.height, "height")?),
                l::bytes.eq(column(logo.bytes, "bytes")?),
                l::png.eq(png),
            ))
            .execute(self.conn)
            .map_err(fault(TABLE))?;
        Ok(())
    }

    fn exists(&mut self, id: LogoId) -> StoreResult<bool> {
        let found: Option<Id> =
            l::table.find(Id(id.0)).select(l::id).first(self.conn).optional().map_err(fault(TABLE))?;
        Ok(found.is_some())
    }

    fn file(&mut self, id: LogoId) -> StoreResult<Option<Vec<u8>>> {
        l::table.find(Id(id.0)).select(l::png).first(self.conn).optional().map_err(fault(TABLE))
    }

    fn purge(&mut self, before: DateTime<Utc>, kept: &[LogoId]) -> StoreResult<usize> {
        let kept: Vec<Id> = kept.iter().map(|id| Id(id.0)).collect();
        diesel::delete(l::table.filter(l::added_at.lt(Instant(before))).filter(l::id.ne_all(kept)))
            .execute(self.conn)
            .map_err(fault(TABLE))
    }
}
