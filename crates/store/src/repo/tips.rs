//! Tips.

use diesel::prelude::*;
use kernel::{BookingId, TipId};
use service::ports::{
    StoreResult,
    tips::{Tip, Tips},
};

use super::Repos;
use crate::{columns::Id, error::fault, rows::tips::TipRow, schema::tips, statement::upsert};

const TABLE: &str = "tips";

impl Tips for Repos<'_> {
    fn get(&mut self, id: TipId) -> StoreResult<Option<Tip>> {
        let row: Option<TipRow> =
            tips::table.find(Id(id.0)).select(TipRow::as_select()).first(self.conn).optional().map_err(fault(TABLE))?;
        row.map(TipRow::read).transpose()
    }

    fn of_booking(&mut self, id: BookingId) -> StoreResult<Option<Tip>> {
        let row: Option<TipRow> = tips::table
            .filter(tips::booking_id.eq(Id(id.0)))
            .select(TipRow::as_select())
            .first(self.conn)
            .optional()
            .map_err(fault(TABLE))?;
        row.map(TipRow::read).transpose()
    }

    fn put(&mut self, tip: &Tip) -> StoreResult<()> {
        let row = TipRow::from(tip);
        upsert(tips::table, &row, &["booking_id"], &row).execute(self.conn).map_err(fault(TABLE))?;
        Ok(())
    }
}
