//! Who wants no commercial e-mail, and the links by which they say so.

use chrono::{DateTime, Utc};
use kernel::{Email, Language};

use super::{StoreResult, identity::TokenHash};

kernel::typed_ids! {
    /// A link by which somebody stops commercial e-mail.
    MailLinkId
}

/// By which way a wish came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WishWay {
    /// On our page.
    Page,
    /// By the button of a mail program (RFC 8058).
    OneClick,
}

impl WishWay {
    /// All of them.
    pub const ALL: [WishWay; 2] = [WishWay::Page, WishWay::OneClick];

    /// Stable code.
    pub const fn code(self) -> &'static str {
        match self {
            WishWay::Page => "page",
            WishWay::OneClick => "one_click",
        }
    }

    /// The way of a code.
    pub fn from_code(code: &str) -> Option<WishWay> {
        WishWay::ALL.into_iter().find(|way| way.code() == code)
    }
}

/// The link of one e-mail. Of its secret only the hash is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailLink {
    /// Key.
    pub id: MailLinkId,
    /// What is kept of the secret.
    pub token_hash: TokenHash,
    /// To whom the mail went.
    pub email: Email,
    /// Of the mail.
    pub language: Language,
    /// When the mail was queued.
    pub made_at: DateTime<Utc>,
}

/// What somebody said with such a link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailWish {
    /// The key of their address, [`Email::key`].
    pub email_key: String,
    /// No commercial e-mail, or such mail again.
    pub stops: bool,
    /// By which way.
    pub way: WishWay,
    /// When.
    pub at: DateTime<Utc>,
}

/// Links and wishes. Wishes are append only, and the newest of an address counts.
pub trait MailWishes {
    /// Adds the link of a mail.
    fn add_link(&mut self, link: &MailLink) -> StoreResult<()>;
    /// By the hash of its secret.
    fn link(&mut self, hash: &TokenHash) -> StoreResult<Option<MailLink>>;
    /// Keeps a wish.
    fn wish(&mut self, wish: &MailWish) -> StoreResult<()>;
    /// The newest wish of an address.
    fn wish_of(&mut self, email: &Email) -> StoreResult<Option<MailWish>>;
    /// Forgets links that were made before an instant; how many. Wishes stay.
    fn purge(&mut self, before: DateTime<Utc>) -> StoreResult<usize>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_lead_back() {
        assert!(WishWay::ALL.into_iter().all(|way| WishWay::from_code(way.code()) == Some(way)));
    }
}
