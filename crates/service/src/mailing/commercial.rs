//! What Canada's anti-spam law asks of e-mails (`docs/decisions/0028-who-writes-and-how-it-ends.md`): every one says who sends it and how they
//! are reached; a commercial one can be stopped by a press, and is not sent to who stopped them.

use chrono::Duration;
use kernel::{Email, Language};
use serde_json::{Map, Value, json};

use super::{
    TRIED,
    catalogue::{self, MessageType},
    render::Rendered,
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

/// The link to the page where somebody stops commercial e-mail; in the words of such messages.
pub(super) const LINK: &str = "unsubscribeUrl";
/// Where the button of a mail program goes; shown by no template.
const ONE_CLICK: &str = "oneClickUrl";
/// How long a link works. The law asks for sixty days.
const KEPT: Duration = Duration::days(400);

/// Whether a type of message is one that somebody may stop.
fn is_commercial(message_type: &str) -> bool {
    catalogue::of(message_type).is_some_and(MessageType::is_commercial)
}

/// What is kept of the link of the mail that is queued now.
pub(super) struct Made(TokenHash);

/// Adds the link to what a commercial message says. One that staff try out on themselves has the sample's, which opens nothing.
pub(super) fn begin(tx: &Tx<'_>, m: &super::NewMessage, values: &mut Map<String, Value>) -> Option<Made> {
    if !is_commercial(&m.message_type) || m.dedup_key.starts_with(TRIED) {
        return None;
    }
    let (token, hash) = secret::fresh(&*tx.services.entropy);
    let home = tx.services.public_url();
    values.insert(LINK.to_owned(), json!(format!("{home}/unsubscribe/{token}?lang={}", m.language)));
    values.insert(ONE_CLICK.to_owned(), json!(format!("{home}/api/unsubscribe/{token}/one-click")));
    Some(Made(hash))
}

/// Keeps what is needed to know the link again.
pub(super) fn keep(tx: &mut Tx<'_>, made: Made, email: &Email, language: Language) -> StoreResult<()> {
    let link =
        MailLink { id: MailLinkId(tx.id()), token_hash: made.0, email: email.clone(), language, made_at: tx.now };
    tx.unit.mail_wishes().add_link(&link)
}

/// Where the button of a mail program goes, of a message that has one.
pub(super) fn one_click(m: &Message) -> Option<String> {
    m.values.get(ONE_CLICK).and_then(Value::as_str).map(str::to_owned)
}

/// Whether a message is not sent because its recipient stopped such mail.
///
/// # Errors
/// When the database fails.
pub(super) fn is_stopped(u: &mut dyn Unit, m: &Message) -> StoreResult<bool> {
    match m.recipient.email() {
        Some(email) if one_click(m).is_some() => stopped(u, email),
        _ => Ok(false),
    }
}

/// Whether an address wants no commercial e-mail.
///
/// # Errors
/// When the database fails.
pub fn stopped(u: &mut dyn Unit, email: &Email) -> StoreResult<bool> {
    Ok(u.mail_wishes().wish_of(email)?.is_some_and(|wish| wish.stops))
}

/// The same of an address as it was typed; of what is none nobody stopped anything.
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

/// Who sends a message and how they are reached, and how such mail is stopped: what every mail says.
const SAID: [&str; 4] = ["companyName", "companyAddress", "supportEmail", LINK];

/// Which parts lack something of that: words of a company's own need not name their sender.
pub(super) struct Lacks {
    pub text: bool,
    pub html: bool,
}

/// Reads the finished message and not its template: a condition may leave out what the template names.
pub(super) fn lacks(told: &Rendered, values: &Value) -> Lacks {
    let said: Vec<&str> = SAID.iter().filter_map(|key| values.get(*key)?.as_str()).filter(|s| !s.is_empty()).collect();
    Lacks {
        text: said.iter().any(|said| !told.text.contains(said)),
        html: said.iter().any(|said| !told.html.contains(&handlebars::html_escape(said))),
    }
}

/// Puts the footer where the page ends.
pub(super) fn with_footer(html: &str, footer: &str) -> String {
    // Bytes of ASCII letters keep their places in lower case.
    let end = html.to_ascii_lowercase().rfind("</body>").unwrap_or(html.len());
    let (before, after) = html.split_at(end);
    format!("{before}{footer}{after}")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{mailing::render::filled, ports::templates::TemplateText};

    fn sent(text: &str, html: &str, values: &Value) -> Rendered {
        let words =
            TemplateText { subject: "s".into(), text: text.into(), html: html.into(), attachment: false };
        filled(&words, values).unwrap()
    }

    fn company() -> Value {
        json!({
            "companyName": "Roy & Fils", "companyAddress": "1, rue A", "supportEmail": "a@roy.test", "supportPhone": "514",
            "unsubscribeWords": "Stop", "unsubscribeUrl": "https://x.test/unsubscribe/t?lang=en",
        })
    }

    #[test]
    fn words_that_do_not_name_their_sender_are_given_a_footer() {
        let told = sent("Hello", "<html><body><p>Hello</p></BODY></html>", &company());
        for said in ["Roy & Fils", "1, rue A", "a@roy.test", "https://x.test/unsubscribe/t?lang=en"] {
            assert_eq!(told.text.matches(said).count(), 1, "{said}: {}", told.text);
            let escaped = handlebars::html_escape(said);
            assert!(told.html.contains(&escaped), "{said}: {}", told.html);
        }
        assert!(told.html.ends_with("</BODY></html>"), "{}", told.html);
        // Where a condition leaves it out, it is not there either.
        let told = sent("Hello {{#if nothing}}{{companyName}}{{/if}}", "<p>x</p>", &company());
        assert!(told.text.contains("Roy & Fils"), "{}", told.text);
    }

    #[test]
    fn words_that_do_are_left_as_they_are() {
        let own = "{{companyName}}, {{companyAddress}}, {{supportEmail}} {{unsubscribeUrl}}";
        let told = sent(own, own, &company());
        assert_eq!(told.text, "Roy & Fils, 1, rue A, a@roy.test https://x.test/unsubscribe/t?lang=en\n");
        assert!(told.html.starts_with("Roy &amp; Fils, 1, rue A") && !told.html.contains("<hr"), "{}", told.html);
        // Nothing is known of the company: nothing is missing.
        assert_eq!(sent("Hello", "<p>x</p>", &json!({})).html, "<p>x</p>");
    }
}
