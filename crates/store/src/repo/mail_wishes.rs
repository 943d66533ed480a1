//! Who opted out of commercial e-mail, and the links by which they say so.

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use kernel::Email;
use service::ports::{
    StoreResult,
    identity::TokenHash,
    mail_wishes::{MailLink, MailWish, MailWishes},
};

use super::Repos;
use crate::{
    columns::Instant,
    error::fault,
    rows::mail_wishes::{LinkRow, WishRow},
    schema::{mail_links as l, mail_wishes as w},
};

const LINKS: &str = "mail_links";
const WISHES: &str = "mail_wishes";

impl MailWishes for Repos<'_> {
    fn add_link(&mut self, link: &MailLink) -> StoreResult<()> {
        diesel::insert_into(l::table).values(LinkRow::of(link)).execute(self.conn).map(drop).map_err(fault(LINKS))
    }

    fn link(&mut self, hash: &TokenHash) -> StoreResult<Option<MailLink>> {
        let row: Option<LinkRow> = l::table
            .filter(l::token_hash.eq(&hash.0))
            .select(LinkRow::as_select())
            .first(self.conn)
            .optional()
            .map_err(fault(LINKS))?;
        row.map(LinkRow::read).transpose()
    }

    fn wish(&mut self, wish: &MailWish) -> StoreResult<()> {
        diesel::insert_into(w::table).values(WishRow::of(wish)).execute(self.conn).map(drop).map_err(fault(WISHES))
    }

    fn wish_of(&mut self, email: &Email) -> StoreResult<Option<MailWish>> {
        let row: Option<WishRow> = w::table
            .filter(w::email_key.eq(email.key()))
            .order(w::seq.desc())
            .select(WishRow::as_select())
            .first(self.conn)
            .optional()
            .map_err(fault(WISHES))?;
        row.map(WishRow::read).transpose()
    }

    fn purge(&mut self, before: DateTime<Utc>) -> StoreResult<usize> {
        diesel::delete(l::table.filter(l::made_at.lt(Instant(before)))).execute(self.conn).map_err(fault(LINKS))
    }
}
