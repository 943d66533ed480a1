//! The quote that somebody wants to have by mail.

use serde_json::{Value, json};

use super::{
    queue::{NewMessage, queue},
    values::{html_lang, object},
};
use crate::{ServiceResult, Tx, formats, ports::quotes::SavedQuote};

/// `quoteSaved`. `token` is the secret of its link: it is in the message until that is sent, and nowhere else.
///
/// # Errors
/// When the database fails.
pub(crate) fn saved(tx: &mut Tx<'_>, quote: &SavedQuote, token: &str) -> ServiceResult<()> {
    let l = quote.language;
    let values = object(json!({
        "lang": html_lang(l),
        "quoteUrl": format!("{}/saved/{token}?lang={l}", tx.services.public_url()),
        "total": formats::money(quote.total, l),
        "quoteValidUntil": formats::moment(quote.valid_until, quote.zone, l),
    }));
    let message = NewMessage {
        dedup_key: format!("quote:{}", quote.id),
        booking_id: None,
        user_id: None,
        message_type: "quoteSaved".to_owned(),
        language: l,
        to: quote.email.clone(),
        to_name: String::new(),
        values: Value::Object(values),
    };
    Ok(queue(tx, message)?)
}
