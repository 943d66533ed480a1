//! Message templates that staff saved in place of the shipped ones, by type, language and version.

use chrono::{DateTime, Utc};
use kernel::{Language, UserId};

use super::StoreResult;

/// A message before its values are filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TemplateText {
    /// One line.
    pub subject: String,
    /// Plain text.
    pub text: String,
    /// HTML.
    pub html: String,
    /// Whether the document of this message goes along.
    pub attachment: bool,
}

/// Which version there is of a template, and whose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TemplateHead {
    /// `bookingConfirmation`.
    pub message_type: String,
    /// The language it is written in.
    pub language: Language,
    /// Counts up from 1 with each change.
    pub version: i32,
    /// False: with this version the shipped text counts again.
    pub is_stored: bool,
    /// Since when.
    pub changed_at: DateTime<Utc>,
    /// By whom.
    pub changed_by: Option<UserId>,
}

/// A version of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedTemplate {
    /// Which.
    pub head: TemplateHead,
    /// What was saved; none: the shipped text counts again.
    pub text: Option<TemplateText>,
}

/// Saved templates: append only.
pub trait Templates {
    /// The version of a template that counts; none before anybody saved one.
    fn latest(&mut self, message_type: &str, language: Language) -> StoreResult<Option<SavedTemplate>>;
    /// One version.
    fn version(&mut self, message_type: &str, language: Language, version: i32) -> StoreResult<Option<SavedTemplate>>;
    /// The versions of one template, the newest first, at most so many.
    fn versions(&mut self, message_type: &str, language: Language, limit: i64) -> StoreResult<Vec<TemplateHead>>;
    /// The version that counts of every template that somebody saved.
    fn heads(&mut self) -> StoreResult<Vec<TemplateHead>>;
    /// Adds a version; `Duplicate` when the template has it already.
    fn insert(&mut self, template: &SavedTemplate) -> StoreResult<()>;
}
