//! What a message would say, without sending it: of a booking as it is now, or of a sample.

use chrono::{DateTime, Utc};
use kernel::{BasisPoints, Language, Money};
use policy::PaymentPlan;
use pricing::Line;
use serde_json::{Map, Value, json};

use super::{
    catalogue::{self, MessageType},
    crews, invoices, reminders, sample,
    values::{self, html_lang},
    wording,
};
use crate::{
    ServiceResult, Services,
    billing::facts::took,
    ports::{
        Unit,
        bookings::Booking,
        invoices::Invoice,
        payments::{Payment, PaymentKind},
        priced::BookedLine,
        templates::TemplateText,
        tips::Tip,
    },
    settings,
    sms::{self, words},
};

/// A booking with what its messages say of it.
pub(crate) struct Of<'a> {
    /// The booking.
    pub booking: &'a Booking,
    /// Its charges, made and to come.
    pub plan: &'a PaymentPlan,
    /// Charges and refunds.
    pub payments: &'a [Payment],
    /// The tip.
    pub tip: Option<&'a Tip>,
    /// Now.
    pub at: DateTime<Utc>,
}

/// Values of a message that was not sent.
pub(crate) struct Drafted {
    /// By key.
    pub values: Map<String, Value>,
    /// Its own keys have values of a sample: the booking has nothing yet that such a message would tell.
    pub is_sample: bool,
}

/// The values of a message, of a booking or of a sample. A link that opens something is never made for a draft.
///
/// # Errors
/// When the database fails.
pub(crate) fn values(
    s: &Services,
    u: &mut dyn Unit,
    kind: &MessageType,
    language: Language,
    of: Option<&Of<'_>>,
) -> ServiceResult<Drafted> {
    if let Some(text) = words::of_template(&kind.name) {
        let (values, is_sample) = sms::sample::values(s, u, text, language, of.map(|of| of.booking))?;
        return Ok(Drafted { values, is_sample });
    }
    let company = settings::company(u, &s.defaults)?;
    let about = of.filter(|_| kind.is_about_booking());
    let mut all = sample::values(kind, language);
    all.insert("lang".into(), json!(html_lang(language)));
    all.extend(values::company(&company, about.map(|of| of.booking.hub.as_str()), language));
    let Some(of) = about else { return Ok(Drafted { values: all, is_sample: true }) };
    let mut theirs = of.booking.clone();
    if theirs.language != language {
        // Lines are kept in the customer's language.
        let mates = theirs.mate_count.get();
        theirs.details.lines.iter_mut().for_each(|line| line.description = described(line, mates, language));
        theirs.language = language;
    }
    all.extend(values::booking(s, &theirs));
    let Some(own) = own(s, u, kind, &theirs, of)? else { return Ok(Drafted { values: all, is_sample: true }) };
    // What such a message does not say of this booking stays empty, as it does when it is sent.
    for key in kind.own_keys().filter(|key| !catalogue::is_link(key)) {
        all.remove(key);
    }
    all.extend(own);
    Ok(Drafted { values: all, is_sample: false })
}

/// What a line of a booking says in a language other than the one it is kept in; as it is kept, where nobody can tell.
fn described(line: &BookedLine, mates: u8, language: Language) -> String {
    let unit =
        [pricing::Unit::Hour, pricing::Unit::Km, pricing::Unit::Flat].into_iter().find(|unit| unit.code() == line.unit);
    let (Ok(content), Some(unit)) = (line.content.parse(), unit) else { return line.description.clone() };
    let Some(quantity) = pricing::quantity_of(&line.quantity, unit) else { return line.description.clone() };
    let told = Line {
        content,
        code: line.code.clone(),
        quantity,
        unit,
        unit_price: Money::ZERO,
        factor: BasisPoints::ONE,
        multiplier: BasisPoints::ONE,
        period: line.period.clone(),
        mates,
        amount: line.amount,
    };
    pricing::describe_line(&told, language)
}

/// What only this type says; none when the booking has nothing of it.
fn own(
    s: &Services,
    u: &mut dyn Unit,
    kind: &MessageType,
    b: &Booking,
    of: &Of<'_>,
) -> ServiceResult<Option<Map<String, Value>>> {
    let made = |wanted: &[PaymentKind]| {
        let row = of.payments.iter().rfind(|p| wanted.contains(&p.kind) && (took(p) || p.is_given_back()));
        row.map(|row| values::payment(b, row, of.payments, of.at))
    };
    Ok(match kind.name.as_str() {
        "bookingConfirmation" => Some(values::confirmation(s, b, of.plan, of.tip)),
        "moveReminder" => Some(reminders::said(b, of.payments, reminders::next(b, of.at))),
        "depositCharged" => made(&[PaymentKind::Deposit]),
        "fullPaymentCharged" => made(&[PaymentKind::Full]),
        "balanceCharged" => made(&[PaymentKind::Balance, PaymentKind::Difference, PaymentKind::Overtime]),
        "tipCharged" => made(&[PaymentKind::Tip]),
        "refundIssued" => made(&[PaymentKind::Refund]),
        // The link leads to a page that asks who reads it, and opens nothing by itself.
        "mateAssigned" | "mateJob" | "mateReleased" => crews::said(s, u, &kind.name, b, of.at)?,
        "invoiceSent" | "invoiceReminder" | "paymentReceived" => {
            let invoice = u.invoices().of_booking(b.id)?.into_iter().rfind(Invoice::stands);
            invoice.and_then(|invoice| invoices::said(&kind.name, b, of.booking, &invoice, of.payments))
        }
        _ => None,
    })
}

/// Takes from a sample what is never said beside the rest of it: a partner's paper is reminded of or paid, not both.
pub(crate) fn of_one_moment(kind: &MessageType, sample: &mut Map<String, Value>) {
    if kind.name == "partnerInvoice" {
        sample.remove("paidAt");
    }
}

/// Adds the words a message is tried out with to its values.
pub(crate) fn with_words(values: &mut Map<String, Value>, words: &TemplateText) {
    values.insert(wording::OWN_WORDS.to_owned(), wording::kept_words(words));
}
