//! Message templates that staff saved in place of the shipped ones.

use diesel::prelude::*;
use kernel::UserId;
use service::ports::{
    StoreResult,
    templates::{SavedTemplate, TemplateHead, TemplateText},
};

use super::parse;
use crate::{
    columns::{Id, Instant},
    schema::message_templates,
};

const TABLE: &str = "message_templates";

#[derive(Queryable, Selectable)]
#[diesel(table_name = message_templates)]
pub struct HeadRow {
    pub message_type: String,
    pub language: String,
    pub version: i32,
    pub attachment: Option<bool>,
    pub changed_at: Instant,
    pub changed_by: Option<Id>,
}

impl HeadRow {
    pub fn read(self) -> StoreResult<TemplateHead> {
        let row = format!("{} {} {}", self.message_type, self.language, self.version);
        Ok(TemplateHead {
            language: parse(&self.language, TABLE, "language", &row)?,
            message_type: self.message_type,
            version: self.version,
            is_stored: self.attachment.is_some(),
            changed_at: self.changed_at.0,
            changed_by: self.changed_by.map(|id| UserId(id.0)),
        })
    }
}

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = message_templates, treat_none_as_default_value = false)]
pub struct TemplateRow {
    pub message_type: String,
    pub language: String,
    pub version: i32,
    pub subject: Option<String>,
    pub body: Option<String>,
    pub html: Option<String>,
    pub attachment: Option<bool>,
    pub changed_at: Instant,
    pub changed_by: Option<Id>,
}

impl TemplateRow {
    pub fn of(t: &SavedTemplate) -> Self {
        let TemplateHead { message_type, language, version, changed_at, changed_by, .. } = &t.head;
        let text = t.text.as_ref();
        TemplateRow {
            message_type: message_type.clone(),
            language: language.code().to_owned(),
            version: *version,
            subject: text.map(|t| t.subject.clone()),
            body: text.map(|t| t.text.clone()),
            html: text.map(|t| t.html.clone()),
            attachment: text.map(|t| t.attachment),
            changed_at: Instant(*changed_at),
            changed_by: changed_by.map(|user| Id(user.0)),
        }
    }

    pub fn read(self) -> StoreResult<SavedTemplate> {
        let TemplateRow { message_type, language, version, subject, body, html, attachment, changed_at, changed_by } =
            self;
        let head = HeadRow { message_type, language, version, attachment, changed_at, changed_by }.read()?;
        let parts = subject.zip(body).zip(html).zip(attachment);
        let text = parts.map(|(((subject, text), html), attachment)| TemplateText { subject, text, html, attachment });
        Ok(SavedTemplate { head, text })
    }
}
