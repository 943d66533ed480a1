//! What the link of a commercial e-mail opens, without signing in: such mail is stopped by a press, and may come again by another. To look
//! changes nothing: programs that read mail before people do follow every link.

use kernel::{Email, Language};
use serde_json::json;

use crate::{
    Caller, Error, ErrorCode, ServiceResult, Services, Tx,
    mailing::commercial,
    ports::{
        Unit,
        mail_wishes::{MailLink, MailWish, WishWay},
    },
    secret, settings,
};

/// What whoever holds a link is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// Whose mail it is.
    pub email: Email,
    /// Of the mail.
    pub language: Language,
    /// Such mail is not sent.
    pub is_stopped: bool,
    /// Who sends it.
    pub company: String,
}

fn link(u: &mut dyn Unit, token: &str) -> ServiceResult<MailLink> {
    u.mail_wishes().link(&secret::hash(token))?.ok_or_else(|| ErrorCode::NotFound.into())
}

fn page(s: &Services, u: &mut dyn Unit, link: MailLink) -> ServiceResult<Page> {
    Ok(Page {
        is_stopped: commercial::stopped(u, &link.email)?,
        company: settings::company(u, &s.defaults)?.name,
        email: link.email,
        language: link.language,
    })
}

/// `GET /unsubscribe/{id}`, by the secret of its link.
///
/// # Errors
/// `not_found` for any other text.
pub async fn look(s: &Services, token: String) -> ServiceResult<Page> {
    let services = s.clone();
    s.store
        .read(move |u| {
            let link = link(u, &token)?;
            page(&services, u, link)
        })
        .await
}

/// `POST /unsubscribe/{id}`: such mail is stopped, or sent again. The same once more changes nothing.
///
/// # Errors
/// `not_found` for any other text.
pub async fn say(s: &Services, caller: &Caller, token: String, stops: bool, way: WishWay) -> ServiceResult<Page> {
    s.write(caller.actor(), move |tx| {
        let link = link(tx.unit, &token)?;
        keep(tx, &link, stops, way)?;
        let services = tx.services;
        page(services, tx.unit, link)
    })
    .await
}

fn keep(tx: &mut Tx<'_>, link: &MailLink, stops: bool, way: WishWay) -> Result<(), Error> {
    let was = commercial::stopped(tx.unit, &link.email)?;
    if was != stops {
        tx.unit.mail_wishes().wish(&MailWish { email_key: link.email.key(), stops, way, at: tx.now })?;
    }
    // The trail names the link and no address.
    let told = json!({ "stops": stops, "way": way.code() });
    tx.audit("mail.unsubscribe", link.id, Some(json!({ "stops": was })), Some(told))?;
    Ok(())
}
