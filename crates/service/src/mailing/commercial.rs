//! Commercial e-mail, as Canada's anti-spam law has it (`docs/decisions/0028-who-writes-and-how-it-ends.md`): it can be stopped by a press, and is
//! not sent to who stopped it.

use chrono::Duration;
use kernel::{Email, Language};
use serde_json::{Map, Value, json};

use super::{
    catalogue::{self, MessageType},
    identity::LINK,
};
use crate::{
    ServiceResult, Tx,
    ports::{
        StoreResult, Unit,
        identity::TokenHash,
        mail_wishes::{MailLink, MailLinkId},
        messages::Message,
    },
    secret,
};

/// Prefix of the deduplication key of a message that staff send to themselves to try it out.
pub const TRIED: &str = "tried:";

/// Where the button of a mail program goes; shown by no template.
const ONE_CLICK: &str = "oneClickUrl";
/// How long a link works. The law asks for sixty days.
const KEPT: Duration = Duration::days(400);

/// Whether a type of message is one that somebody may stop.
fn is_commercial(message_type: &str) -> bool {
    catalogue::type_named(message_type).is_some_and(MessageType::is_commercial)
}

/// What is kept of the link of the mail that is queued now.
pub(super) struct UnsubscribeToken(TokenHash);

/// Adds the link to what a commercial message says. One that staff try out on themselves has the sample's, which opens nothing.
pub(super) fn begin(
    tx: &Tx<'_>,
    message_type: &str,
    dedup_key: &str,
    language: Language,
    values: &mut Map<String, Value>,
) -> Option<UnsubscribeToken> {
    if !is_commercial(message_type) || dedup_key.starts_with(TRIED) {
        return None;
    }
    let (token, hash) = secret::fresh(&*tx.services.entropy);
    let home = tx.services.public_url();
    values.insert(LINK.to_owned(), json!(format!("{home}/unsubscribe/{token}?lang={language}")));
    values.insert(ONE_CLICK.to_owned(), json!(format!("{home}/api/unsubscribe/{token}/one-click")));
    Some(UnsubscribeToken(hash))
}

/// Stores the token so that the link can be verified; only its hash is kept.
pub(super) fn keep(tx: &mut Tx<'_>, made: UnsubscribeToken, email: &Email, language: Language) -> StoreResult<()> {
    let link =
        MailLink { id: MailLinkId(tx.id()), token_hash: made.0, email: email.clone(), language, made_at: tx.now };
    tx.unit.mail_wishes().add_link(&link)
}

/// Where the button of a mail program goes, of a message that has one.
pub(super) fn one_click(m: &Message) -> Option<String> {
    m.values.get(ONE_CLICK).and_then(Value::as_str).map(str::to_owned)
}

/// Whether an address wants no commercial e-mail.
///
/// # Errors
/// When the database fails.
pub fn stopped(u: &mut dyn Unit, email: &Email) -> StoreResult<bool> {
    Ok(u.mail_wishes().wish_of(email)?.is_some_and(|wish| wish.stops))
}

/// Like [`stopped`], for an address as it was typed; an invalid address never counts as opted out.
///
/// # Errors
/// When the database fails.
pub fn typed_is_stopped(u: &mut dyn Unit, typed: &str) -> StoreResult<bool> {
    match typed.parse::<Email>() {
        Ok(email) => stopped(u, &email),
        Err(_) => Ok(false),
    }
}

/// Forgets links that the law asks for no more.
///
/// # Errors
/// When the database fails.
pub(crate) fn forget(tx: &mut Tx<'_>) -> ServiceResult<()> {
    tx.unit.mail_wishes().purge(tx.now - KEPT)?;
    Ok(())
}
