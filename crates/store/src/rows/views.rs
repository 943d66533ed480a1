//! Rows of kept lists.

use diesel::prelude::*;
use kernel::{UserId, ViewId};
use service::ports::{StoreResult, views::SavedView};

use crate::{
    columns::{Doc, Id, Instant},
    schema::saved_views,
};

const TABLE: &str = "saved_views";

#[derive(Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = saved_views, treat_none_as_default_value = false, treat_none_as_null = true)]
pub struct ViewRow {
    pub id: Id,
    pub owner: Id,
    pub name: String,
    pub shared: bool,
    pub filters: Doc,
    pub sort: Option<String>,
    pub value: Option<String>,
    pub version: i32,
    pub created_at: Instant,
    pub updated_at: Instant,
}

impl ViewRow {
    pub fn of(v: &SavedView) -> StoreResult<ViewRow> {
        Ok(ViewRow {
            id: Id(v.id.0),
            owner: Id(v.owner.0),
            name: v.name.clone(),
            shared: v.shared,
            filters: Doc::of(&v.filters)?,
            sort: v.sort.clone(),
            value: v.value.clone(),
            version: v.version,
            created_at: Instant(v.created_at),
            updated_at: Instant(v.updated_at),
        })
    }

    pub fn read(self) -> StoreResult<SavedView> {
        Ok(SavedView {
            id: ViewId(self.id.0),
            owner: UserId(self.owner.0),
            name: self.name,
            shared: self.shared,
            filters: self.filters.read(TABLE, "filters", &self.id.0)?,
            sort: self.sort,
            value: self.value,
            version: self.version,
            created_at: self.created_at.0,
            updated_at: self.updated_at.0,
        })
    }
}
