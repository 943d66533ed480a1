//! Lists that somebody of the staff keeps.

use diesel::prelude::*;
use kernel::{UserId, ViewId};
use service::ports::{
    StoreError, StoreResult,
    views::{SavedView, Views},
};

use super::Repos;
use crate::{columns::Id, error::fault, rows::views::ViewRow, schema::saved_views, statement::update};

const TABLE: &str = "saved_views";

impl Views for Repos<'_> {
    fn insert(&mut self, view: &SavedView) -> StoreResult<()> {
        let row = ViewRow::of(view)?;
        diesel::insert_into(saved_views::table).values(row).execute(self.conn).map(drop).map_err(fault(TABLE))
    }

    fn get(&mut self, id: ViewId) -> StoreResult<Option<SavedView>> {
        let row: Option<ViewRow> = saved_views::table
            .find(Id(id.0))
            .select(ViewRow::as_select())
            .first(self.conn)
            .optional()
            .map_err(fault(TABLE))?;
        row.map(ViewRow::read).transpose()
    }

    fn seen_by(&mut self, user: UserId) -> StoreResult<Vec<SavedView>> {
        let rows: Vec<ViewRow> = saved_views::table
            .filter(saved_views::owner.eq(Id(user.0)).or(saved_views::shared.eq(true)))
            .order((saved_views::name, saved_views::id))
            .select(ViewRow::as_select())
            .load(self.conn)
            .map_err(fault(TABLE))?;
        rows.into_iter().map(ViewRow::read).collect()
    }

    fn update(&mut self, view: &SavedView) -> StoreResult<i32> {
        let version = view.version.saturating_add(1);
        let row = ViewRow { version, ..ViewRow::of(view)? };
        let known = saved_views::id.eq(row.id).and(saved_views::version.eq(view.version));
        let written = update(saved_views::table, known, &row).execute(self.conn).map_err(fault(TABLE))?;
        if written == 1 { Ok(version) } else { Err(StoreError::Stale) }
    }

    fn remove(&mut self, id: ViewId) -> StoreResult<bool> {
        let gone = diesel::delete(saved_views::table.find(Id(id.0))).execute(self.conn).map_err(fault(TABLE))?;
        Ok(gone == 1)
    }
}
