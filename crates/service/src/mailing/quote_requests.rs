//! Somebody asked a person for a quote: a word to them, and a word to those who answer.

use kernel::{Email, Language};
use serde_json::{Value, json};

use super::{
    papers::confirmed_staff,
    queue::{NewMessage, queue},
    values::{html_lang, object},
};
use crate::{
    ServiceResult, Tx, formats,
    ports::{
        members::{Member, MemberRole},
        quote_requests::QuoteRequest,
    },
    settings,
    texts::text,
};

fn call_at(r: &QuoteRequest, l: Language) -> &'static str {
    text(&format!("request.call.{}", r.call_at.code()), l)
}

/// `quoteRequestReceived`, to who asked, if they read mail. Anybody may type any address: no word of theirs is in it.
///
/// # Errors
/// When the database fails.
pub(crate) fn received(tx: &mut Tx<'_>, r: &QuoteRequest) -> ServiceResult<()> {
    let Some(to) = r.email.clone() else { return Ok(()) };
    let l = r.language;
    let how = if r.phone.is_some() { call_at(r, l) } else { text("request.call.byMail", l) };
    let values = object(json!({ "lang": html_lang(l), "nextStep": how }));
    let message = NewMessage {
        dedup_key: format!("request:{}:received", r.id),
        booking_id: None,
        user_id: None,
        message_type: "quoteRequestReceived".to_owned(),
        language: l,
        to,
        to_name: String::new(),
        values: Value::Object(values),
    };
    Ok(queue(tx, message)?)
}

/// `quoteRequestAlert`, to the company's own address; to its administrators who have confirmed theirs while it has none.
///
/// # Errors
/// When the database fails.
pub(crate) fn tell_staff(tx: &mut Tx<'_>, r: &QuoteRequest) -> ServiceResult<()> {
    let company = settings::company(tx.unit, &tx.services.defaults)?;
    let staff = confirmed_staff(tx)?;
    if let Ok(address) = company.support_email.trim().parse::<Email>() {
        return tell(tx, r, &address, usual_language(&staff));
    }
    for (member, language) in staff.iter().filter(|(m, _)| m.role == MemberRole::Admin) {
        tell(tx, r, &member.email, *language)?;
    }
    Ok(())
}

/// The language most of the staff read; a company's address has none of its own.
fn usual_language(staff: &[(Member, Language)]) -> Language {
    let readers = |l: Language| staff.iter().filter(|(_, read)| *read == l).count();
    // Of as many readers the first counts: `max_by_key` would answer the last.
    Language::ALL.into_iter().rev().max_by_key(|l| readers(*l)).unwrap_or_default()
}

fn tell(tx: &mut Tx<'_>, r: &QuoteRequest, to: &Email, l: Language) -> ServiceResult<()> {
    let why: Vec<&str> = r.obstacles.iter().map(|o| text(&format!("request.why.{}", o.code()), l)).collect();
    let when = match r.phone {
        Some(_) => text(&format!("request.when.{}", r.call_at.code()), l),
        None => text("request.byMail", l),
    };
    let unknown = text("request.unknown", l);
    let or_unknown = |said: &str| if said.is_empty() { unknown.to_owned() } else { said.to_owned() };
    let values = object(json!({
        "lang": html_lang(l),
        "requesterName": r.name,
        "callWhen": when,
        "whyAsked": if why.is_empty() { text("request.why.other", l).to_owned() } else { why.join(text("request.and", l)) },
        "fromTo": format!("{} → {}", or_unknown(&r.from_city), or_unknown(&r.to_city)),
        "wantedDay": r.move_date.map_or_else(|| unknown.to_owned(), |day| formats::date(day, l)),
        "recordUrl": format!("{}/dashboard/quote-requests/{}?lang={l}", tx.services.public_url(), r.id),
    }));
    let message = NewMessage {
        dedup_key: format!("request:{}:{}", r.id, to.key()),
        booking_id: None,
        user_id: None,
        message_type: "quoteRequestAlert".to_owned(),
        language: l,
        to: to.clone(),
        to_name: String::new(),
        values: Value::Object(values),
    };
    Ok(queue(tx, message)?)
}
