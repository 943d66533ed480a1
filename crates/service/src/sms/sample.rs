//! Values for a text that is only looked at: every key has one.

use chrono::{NaiveDate, NaiveTime};
use kernel::Language;
use serde_json::{Map, Value, json};

use super::{events, words::SmsType};
use crate::{
    ServiceResult, Services, formats,
    ports::{Unit, bookings::Booking},
    settings,
    texts::text,
};

/// Stands where the secret of a link will. It is as long as one, so that the text is counted in as many parts as will be
/// sent, and it is no secret of any link.
const NO_SECRET: &str = "-------------------------------------------";
/// Values that no booking has by itself: who is on the way now, and a link that is made when it is sent.
const NOT_OF_A_BOOKING: [&str; 2] = ["mate_name", "updateCardUrl"];

/// The values of a text, of a booking or of a sample; and whether what only it says is the sample's.
///
/// # Errors
/// When the database fails.
pub(crate) fn values(
    s: &Services,
    u: &mut dyn Unit,
    kind: &SmsType,
    language: Language,
    of: Option<&Booking>,
) -> ServiceResult<(Map<String, Value>, bool)> {
    let company = settings::company(u, &s.defaults)?.name;
    let mut all: Map<String, Value> =
        kind.supported().map(|key| (key.to_owned(), one(key, language, s.public_url()))).collect();
    all.insert("company_name".to_owned(), json!(company));
    let Some(booking) = of else { return Ok((all, true)) };
    let theirs = Booking { language, ..booking.clone() };
    let told = events::of_booking(s, u, &theirs)?;
    all.extend(told.into_iter().filter(|(key, _)| kind.supported().any(|known| known == key)));
    // Nobody wrote any for a booking.
    if all.contains_key("notes") {
        all.insert("notes".to_owned(), json!(""));
    }
    let is_sample = kind.keys.iter().any(|key| NOT_OF_A_BOOKING.contains(&key.as_str()));
    Ok((all, is_sample))
}

fn one(key: &str, l: Language, public_url: &str) -> Value {
    let at = |hour| formats::time(NaiveTime::from_hms_opt(hour, 0, 0).unwrap_or_default(), l);
    match key {
        "date" => json!(NaiveDate::from_ymd_opt(2027, 3, 18).map(|day| formats::date(day, l)).unwrap_or_default()),
        "time_range" => json!(format!("{} – {}", at(9), at(10))),
        "partner_name" => json!("Meubles Laurier"),
        "mate_name" => json!("Alex"),
        "customer_name" => json!("Camille Tremblay"),
        "phone_number" => json!("514-555-0142"),
        "address" => json!(text("sample.otherAddress", l)),
        "taskID" => json!("CA7F2K"),
        "notes" => json!(text("sample.access", l)),
        "updateCardUrl" => json!(format!("{public_url}/card/{NO_SECRET}?lang={l}")),
        _ => json!(""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sms::words;

    #[test]
    fn every_key_of_every_text_has_a_value_in_every_language() {
        for (name, kind) in words::all() {
            for language in Language::ALL {
                // The company's name is that of the settings.
                for key in kind.supported().filter(|key| *key != "company_name") {
                    let value = one(key, language, "https://move.example");
                    assert!(value.as_str().is_some_and(|v| !v.is_empty()), "{name} {language}: {key}");
                }
            }
        }
    }
}
