//! Who wants no commercial e-mail, and the links by which they say so.

use diesel::prelude::*;
use service::ports::{
    StoreResult,
    identity::TokenHash,
    mail_wishes::{MailLink, MailLinkId, MailWish, WishWay},
};

use super::parse;
use crate::{
    columns::{Id, Instant},
    error::unknown,
    schema::{mail_links, mail_wishes},
};

const LINKS: &str = "mail_links";

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = mail_links)]
pub struct LinkRow {
    pub id: Id,
    pub token_hash: String,
    pub email: String,
    pub language: String,
    pub made_at: Instant,
}

impl LinkRow {
    pub fn of(link: &MailLink) -> LinkRow {
        LinkRow {
            id: Id(link.id.0),
            token_hash: link.token_hash.0.clone(),
            email: link.email.as_str().to_owned(),
            language: link.language.code().to_owned(),
            made_at: Instant(link.made_at),
        }
    }

    pub fn read(self) -> StoreResult<MailLink> {
        let id = self.id.0;
        Ok(MailLink {
            id: MailLinkId(id),
            token_hash: TokenHash(self.token_hash),
            email: parse(&self.email, LINKS, "email", &id)?,
            language: parse(&self.language, LINKS, "language", &id)?,
            made_at: self.made_at.0,
        })
    }
}

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = mail_wishes)]
pub struct WishRow {
    pub email_key: String,
    pub stops: bool,
    pub way: String,
    pub at: Instant,
}

impl WishRow {
    pub fn of(wish: &MailWish) -> WishRow {
        WishRow {
            email_key: wish.email_key.clone(),
            stops: wish.stops,
            way: wish.way.code().to_owned(),
            at: Instant(wish.at),
        }
    }

    pub fn read(self) -> StoreResult<MailWish> {
        let way = WishWay::from_code(&self.way);
        Ok(MailWish {
            way: way.ok_or_else(|| unknown("mail_wishes", "way", &"of an address", &self.way))?,
            email_key: self.email_key,
            stops: self.stops,
            at: self.at.0,
        })
    }
}
