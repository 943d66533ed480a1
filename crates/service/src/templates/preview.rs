//! How a message will look: filled in as the mail is, of a real booking or of a sample, and mailed to who asks.

use kernel::{BookingId, E164, Segments, full_name};
use serde_json::Value;

use super::{TemplateKey, check, shown};
use crate::{
    Error, ErrorCode, FieldProblem, ServiceResult, Services, Staff, Tx,
    bookings::{
        cancel,
        queries::{detail_of, visible},
    },
    mailing::{self, NewMessage, Rendered, drafted, filled},
    ports::{Unit, profiles::Profile, templates::TemplateText},
    sms::{self, NewText, words},
};

/// What to preview.
#[derive(Debug, Clone)]
pub struct TemplatePreviewInput {
    /// A subject that is not saved; none: the one in force.
    pub subject: Option<String>,
    /// The same of the plain text.
    pub text: Option<String>,
    /// The same of the HTML.
    pub html: Option<String>,
    /// Filled with this booking; none: with a sample.
    pub booking: Option<BookingId>,
}

/// A message as it would be sent.
#[derive(Debug, Clone)]
pub struct Preview {
    /// Its parts.
    pub rendered: Rendered,
    /// The keys that the message does not have: nothing stands where they are.
    pub unsupported: Vec<String>,
    /// What only this message says is of a sample: the booking has nothing of it.
    pub is_sample: bool,
    /// What a text takes on the air.
    pub segments: Option<Segments>,
}

/// A message to oneself.
#[derive(Debug, Clone)]
pub struct Tried {
    /// To which address.
    pub recipient: String,
}

struct Made {
    text: TemplateText,
    values: Value,
    preview: Preview,
}

fn made(
    s: &Services,
    u: &mut dyn Unit,
    staff: &Staff,
    which: TemplateKey,
    input: &TemplatePreviewInput,
) -> ServiceResult<Made> {
    let now = s.clock.now();
    let detail = match input.booking {
        Some(id) => {
            let booking = visible(u, staff.caller(), id)?;
            Some(detail_of(u, booking, now)?)
        }
        None => None,
    };
    let ending = match &detail {
        Some(d) => cancel::as_customer(u, &d.booking, now)?,
        None => None,
    };
    let of = detail.as_ref().map(|d| drafted::BookingContext {
        booking: &d.booking,
        plan: &d.plan,
        payments: &d.payments,
        tip: d.tip.as_ref(),
        ending,
        at: now,
    });
    let saved = shown(s, u, which)?.text;
    let text = TemplateText {
        subject: input.subject.clone().unwrap_or(saved.subject),
        text: input.text.clone().unwrap_or(saved.text),
        html: input.html.clone().unwrap_or(saved.html),
        attachment: saved.attachment,
    };
    let full = drafted::values(s, u, which.kind, which.language, None)?.values;
    let unsupported = check::check(which.kind, &text, &full)?;
    let drafted = drafted::values(s, u, which.kind, which.language, of.as_ref())?;
    let mut values = drafted.values;
    if drafted.is_sample {
        drafted::of_one_moment(which.kind, &mut values);
    }
    let whole = Value::Object(values.clone());
    let (rendered, segments) = if which.kind.is_text() {
        let body = words::filled(&text.text, &whole).map_err(|_| Error::field("text", FieldProblem::TooLong))?;
        let segments = kernel::segments(&body);
        (Rendered { subject: String::new(), text: body, html: String::new() }, Some(segments))
    } else {
        (filled(&text, &whole).map_err(Error::Internal)?, None)
    };
    drafted::with_words(&mut values, &text);
    let preview = Preview { rendered, unsupported, is_sample: drafted.is_sample, segments };
    Ok(Made { text, values: Value::Object(values), preview })
}

/// `POST …/preview`: nothing is kept, and nothing sent.
///
/// # Errors
/// `template_broken`, `template_unsafe`; `not_found` of a booking.
pub async fn preview(
    s: &Services,
    staff: &Staff,
    which: TemplateKey,
    input: TemplatePreviewInput,
) -> ServiceResult<Preview> {
    let (services, staff) = (s.clone(), staff.clone());
    s.store.read(move |u| Ok(made(&services, u, &staff, which, &input)?.preview)).await
}

/// The same of a text, to the number of whoever asks.
fn try_text(tx: &mut Tx<'_>, which: TemplateKey, made: Made, to: &Profile) -> ServiceResult<Tried> {
    if tx.services.texter.is_none() {
        return Err(ErrorCode::TextsOff.into());
    }
    let number: E164 = to.phone.parse().map_err(|_| ErrorCode::PhoneUnknown)?;
    let Value::Object(values) = made.values else { return Err(Error::Internal("no values".to_owned())) };
    let text = NewText {
        dedup_key: format!("{}{}", mailing::TRIED, tx.id()),
        about: None,
        kind: words::named(&which.kind.name).to_owned(),
        language: which.language,
        zone: sms::zones::of_number(&number),
        name: to.full_name(),
        number: number.as_str().to_owned(),
        values,
    };
    sms::put(tx, text)?;
    tx.audit("template.test", which.subject(), None, Some(serde_json::json!({ "channel": "sms" })))?;
    Ok(Tried { recipient: number.as_str().to_owned() })
}

/// `POST …/test`: what was looked at, as a mail, or as a text, to whoever asks and nobody else.
///
/// # Errors
/// As [`preview`]; `email_unknown` of somebody without an address; of a text `phone_unknown`, and `texts_off` while none are sent.
pub async fn test(
    s: &Services,
    staff: &Staff,
    which: TemplateKey,
    input: TemplatePreviewInput,
) -> ServiceResult<Tried> {
    let who = staff.clone();
    s.write(staff.actor(), move |tx| {
        let services = tx.services;
        let made = made(services, tx.unit, &who, which, &input)?;
        let user = who.caller().user.ok_or(ErrorCode::SignInNeeded)?;
        let profile = tx.unit.profiles().get(user)?.ok_or(ErrorCode::EmailUnknown)?;
        if which.kind.is_text() {
            return try_text(tx, which, made, &profile);
        }
        let recipient = profile.email.to_string();
        let message = NewMessage {
            dedup_key: format!("{}{}", mailing::TRIED, tx.id()),
            booking_id: None,
            user_id: Some(user),
            message_type: which.kind.name.clone(),
            language: which.language,
            to: profile.email,
            to_name: full_name(&profile.first_name, &profile.last_name),
            values: made.values,
        };
        mailing::queue(tx, message)?;
        let told = serde_json::json!({ "subject": made.text.subject });
        tx.audit("template.test", which.subject(), None, Some(told))?;
        Ok::<_, Error>(Tried { recipient })
    })
    .await
}
