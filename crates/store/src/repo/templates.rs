//! Message templates that staff saved in place of the shipped ones.

use diesel::prelude::*;
use kernel::Language;
use service::ports::{
    StoreResult,
    templates::{SavedTemplate, TemplateHead, Templates},
};

use super::Repos;
use crate::{
    error::fault,
    rows::templates::{HeadRow, TemplateRow},
    schema::message_templates,
};

const TABLE: &str = "message_templates";

macro_rules! of {
    ($message_type:expr, $language:expr) => {
        message_templates::table
            .filter(message_templates::message_type.eq($message_type))
            .filter(message_templates::language.eq($language.code()))
    };
}

impl Templates for Repos<'_> {
    fn latest(&mut self, message_type: &str, language: Language) -> StoreResult<Option<SavedTemplate>> {
        let row: Option<TemplateRow> = of!(message_type, language)
            .order(message_templates::version.desc())
            .select(TemplateRow::as_select())
            .first(self.conn)
            .optional()
            .map_err(fault(TABLE))?;
        row.map(TemplateRow::read).transpose()
    }

    fn version(&mut self, message_type: &str, language: Language, version: i32) -> StoreResult<Option<SavedTemplate>> {
        let row: Option<TemplateRow> = of!(message_type, language)
            .filter(message_templates::version.eq(version))
            .select(TemplateRow::as_select())
            .first(self.conn)
            .optional()
            .map_err(fault(TABLE))?;
        row.map(TemplateRow::read).transpose()
    }

    fn versions(&mut self, message_type: &str, language: Language, limit: i64) -> StoreResult<Vec<TemplateHead>> {
        let rows: Vec<HeadRow> = of!(message_type, language)
            .order(message_templates::version.desc())
            .limit(limit.max(0))
            .select(HeadRow::as_select())
            .load(self.conn)
            .map_err(fault(TABLE))?;
        rows.into_iter().map(HeadRow::read).collect()
    }

    fn heads(&mut self) -> StoreResult<Vec<TemplateHead>> {
        let newer = diesel::alias!(message_templates as newer);
        let later = newer
            .filter(newer.field(message_templates::message_type).eq(message_templates::message_type))
            .filter(newer.field(message_templates::language).eq(message_templates::language))
            .filter(newer.field(message_templates::version).gt(message_templates::version));
        let rows: Vec<HeadRow> = message_templates::table
            .filter(diesel::dsl::not(diesel::dsl::exists(later)))
            .order((message_templates::message_type, message_templates::language))
            .select(HeadRow::as_select())
            .load(self.conn)
            .map_err(fault(TABLE))?;
        rows.into_iter().map(HeadRow::read).collect()
    }

    fn insert(&mut self, new: &SavedTemplate) -> StoreResult<()> {
        let row = TemplateRow::of(new);
        diesel::insert_into(message_templates::table).values(row).execute(self.conn).map_err(fault(TABLE))?;
        Ok(())
    }
}
