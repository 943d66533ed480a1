//! Who wants no texts, and who wants them again: kept per number, whatever booking it belongs to.

use kernel::{E164, Language, fold};

use crate::{
    Actor, Error, ServiceResult, Services, Tx,
    ports::{
        StoreResult, Unit,
        messages::Message,
        sms::{Handover, SmsPreference},
    },
    settings, texts,
};

/// The words by which people stop texts, folded. The service knows those of the first list by itself, and answers them.
const KNOWN_STOPS: [&str; 9] =
    ["stop", "stopall", "unsubscribe", "cancel", "end", "quit", "revoke", "optout", "opt-out"];
const OUR_STOPS: [(&str, Language); 6] = [
    ("arret", Language::Fr),
    ("arreter", Language::Fr),
    ("desabonner", Language::Fr),
    ("退订", Language::Zh),
    // The same in traditional characters.
    ("退訂", Language::Zh),
    ("停止", Language::Zh),
];
const STARTS: [&str; 3] = ["start", "unstop", "yes"];

/// What a word asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Keyword {
    /// No texts; with the language in which we answer, where the service does not.
    Stop(Option<Language>),
    Start,
}

fn keyword_of(text: &str, opt_out: Option<&str>) -> Option<Keyword> {
    match opt_out {
        // The service understood it, by words that the company taught it, and has answered.
        Some(kind) if kind.eq_ignore_ascii_case("stop") => return Some(Keyword::Stop(None)),
        Some(kind) if kind.eq_ignore_ascii_case("start") => return Some(Keyword::Start),
        _ => {}
    }
    let word = fold(text.trim().trim_end_matches(['.', '!', '。', '！']).trim());
    if KNOWN_STOPS.contains(&word.as_str()) {
        return Some(Keyword::Stop(None));
    }
    if let Some((_, language)) = OUR_STOPS.into_iter().find(|(stop, _)| fold(stop) == word) {
        return Some(Keyword::Stop(Some(language)));
    }
    STARTS.contains(&word.as_str()).then_some(Keyword::Start)
}

/// Something that somebody wrote to our number.
#[derive(Debug, Clone)]
pub struct Written {
    /// The service's name for it.
    pub sid: String,
    /// Their number.
    pub from: String,
    /// What they wrote.
    pub body: String,
    /// `STOP`, `START` or `HELP`, where the service understood it by itself.
    pub opt_out: Option<String>,
}

/// Takes what somebody wrote, signed by the service. The same one counts once. Answers what is said to them, when the service says nothing.
///
/// # Errors
/// When the database fails.
pub async fn written(s: &Services, written: Written) -> ServiceResult<Option<String>> {
    let Some(keyword) = keyword_of(&written.body, written.opt_out.as_deref()) else { return Ok(None) };
    // A short code has no such number, and is nobody who could be written to.
    let Ok(phone) = written.from.parse::<E164>() else { return Ok(None) };
    s.write(Actor::system(), move |tx| {
        let fresh = keep(tx, written.sid, phone, matches!(keyword, Keyword::Stop(_)))?;
        let Keyword::Stop(Some(language)) = keyword else { return Ok(None) };
        if !fresh {
            return Ok(None);
        }
        let company = settings::company(tx.unit, &tx.services.defaults)?;
        Ok::<_, Error>(Some(texts::text("sms.stopped", language).replace("{company}", &company.name)))
    })
    .await
}

/// Whether nobody may write to a number.
///
/// # Errors
/// When the database fails.
pub fn stopped(u: &mut dyn Unit, phone: &E164) -> StoreResult<bool> {
    Ok(u.sms().wish_of(phone)?.is_some_and(|wish| wish.stops))
}

/// Like [`stopped`], for a number as it was typed; an invalid number never counts as opted out.
///
/// # Errors
/// When the database fails.
pub fn typed_is_stopped(u: &mut dyn Unit, typed: &str) -> StoreResult<bool> {
    match typed.parse::<E164>() {
        Ok(phone) => stopped(u, &phone),
        Err(_) => Ok(false),
    }
}

pub(super) fn keep(tx: &mut Tx<'_>, sid: String, phone: E164, stops: bool) -> StoreResult<bool> {
    tx.unit.sms().wish(&SmsPreference { sid, phone, stops, at: tx.now })
}

/// The carrier refused a text because of a STOP that did not reach us.
pub(super) fn from_refusal(tx: &mut Tx<'_>, m: &Message, send: &Handover) -> StoreResult<()> {
    if let Ok(phone) = m.recipient.as_str().parse::<E164>() {
        keep(tx, format!("refused:{}", send.id), phone, true)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_stop_in_three_languages() {
        for word in ["STOP", " stop ", "Stop.", "CANCEL", "UNSUBSCRIBE", "OptOut"] {
            assert_eq!(keyword_of(word, None), Some(Keyword::Stop(None)), "{word}");
        }
        for word in ["ARRET", "Arrêt", "arrêt!", "ARRÊT"] {
            assert_eq!(keyword_of(word, None), Some(Keyword::Stop(Some(Language::Fr))), "{word}");
        }
        for word in ["退订。", "退訂", "退訂！"] {
            assert_eq!(keyword_of(word, None), Some(Keyword::Stop(Some(Language::Zh))), "{word}");
        }
        assert_eq!(keyword_of("start", None), Some(Keyword::Start));
        // What the service understood is not said twice.
        assert_eq!(keyword_of("ARRET", Some("STOP")), Some(Keyword::Stop(None)));
        assert_eq!(keyword_of("allez", Some("START")), Some(Keyword::Start));
        for word in ["", "please stop by at nine", "merci", "help", "I will start at 9"] {
            assert_eq!(keyword_of(word, Some("HELP")), None, "{word}");
        }
    }
}
