//! The words of a consent question: which move, what is charged when and to which card, to the cent. They are made from what is
//! on record, so that whoever makes them again sees whether they still hold.

use chrono::{DateTime, Utc};
use kernel::{Language, Money};
use status_machine::booking::Status;

use crate::{
    Error, ErrorCode, ServiceResult,
    billing::facts::{held, in_flight, open, waits_for_consent},
    bookings::overtime,
    formats,
    ports::{
        Unit,
        bookings::Booking,
        consents::{Consent, ConsentSubject},
        payments::Payment,
    },
    texts::text,
};

/// What is asked now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Words {
    /// The exact words.
    pub text: String,
    /// What is charged in all.
    pub amount: Money,
}

/// Whether a question to the customer is still valid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Validity {
    /// Its words are still true.
    Yes,
    /// Another question would be asked now.
    No,
    /// No question is needed any more.
    Over,
}

/// Whether a question is valid now.
pub(super) fn validity_of(u: &mut dyn Unit, b: &Booking, c: &Consent) -> ServiceResult<Validity> {
    if let ConsentSubject::Overtime { .. } = c.about
        && c.answered_at.is_none()
        && matches!(b.status, Status::Invoiced | Status::Payed)
    {
        return Ok(Validity::Over);
    }
    let of = (c.language, c.asked_at, c.expires_at);
    Ok(match of_booking(u, b, &c.about, of)? {
        None => Validity::Over,
        Some(words) if words.text == c.text => Validity::Yes,
        Some(_) => Validity::No,
    })
}

/// What would be asked now; none when there is nothing to ask. `of`: in which language, when it is asked, until when it
/// can be answered.
pub(super) fn of_booking(
    u: &mut dyn Unit,
    b: &Booking,
    about: &ConsentSubject,
    of: (Language, DateTime<Utc>, DateTime<Utc>),
) -> ServiceResult<Option<Words>> {
    if matches!(b.status, Status::Cancelled | Status::Deleted) {
        return Ok(None);
    }
    match about {
        ConsentSubject::Recharge { back } => recharge(u, b, *back, of),
        ConsentSubject::Overtime { minutes, .. } => {
            match longer(u, b, about, *minutes, of.0) {
                // Nothing of the kind can be added any more.
                Err(Error::Refused(
                    ErrorCode::OvertimeFree | ErrorCode::OvertimeCap | ErrorCode::NoRate | ErrorCode::EditClosed,
                    _,
                )) => Ok(None),
                other => other.map(Some),
            }
        }
    }
}

fn recharge(
    u: &mut dyn Unit,
    b: &Booking,
    back: Money,
    (l, asked_at, until): (Language, DateTime<Utc>, DateTime<Utc>),
) -> ServiceResult<Option<Words>> {
    let rows = u.payments().of_booking(b.id)?;
    let missing = b.due().minus(b.written_off()).minus(held(&rows));
    let mut planned: Vec<&Payment> = rows.iter().filter(|r| waits_for_consent(b, r)).collect();
    planned.retain(|r| (open(r) || in_flight(r)) && r.amount.is_positive());
    planned.sort_by_key(|r| (r.due_at, r.created_at));
    let amount: Money = planned.iter().map(|r| r.amount).sum();
    if !back.min(missing).is_positive() || planned.is_empty() {
        return Ok(None);
    }
    let mut lines = vec![filled("consent.recharge", l, &[("back", formats::money(back, l))], b)];
    lines.push(filled("consent.agree", l, &[("card", card(u, b, l)?)], b));
    for row in planned {
        let key = match row.due_at {
            at if at <= asked_at => "consent.atOnce",
            at if at < until => "consent.orThen",
            _ => "consent.onDay",
        };
        let at = formats::moment(row.due_at, b.zone, l);
        lines.push(filled(key, l, &[("amount", formats::money(row.amount, l)), ("at", at)], b));
    }
    lines.push(filled("consent.rest", l, &[("total", formats::money(b.due(), l))], b));
    Ok(Some(Words { text: lines.join("\n"), amount }))
}

fn longer(u: &mut dyn Unit, b: &Booking, about: &ConsentSubject, minutes: u32, l: Language) -> ServiceResult<Words> {
    let rate = overtime::card_of(u, b)?;
    let (new, before_tax) = overtime::with(b, minutes, &rate)?;
    let tax = new.tax.minus(b.tax);
    let amount = before_tax.plus(tax);
    let cause = match about {
        ConsentSubject::Overtime { cause, .. } => text(&format!("consent.cause.{}", cause.code()), l).to_owned(),
        ConsentSubject::Recharge { .. } => String::new(),
    };
    let money = |m: Money| formats::money(m, l);
    let values = [
        ("minutes", formats::minutes(minutes, l)),
        ("cause", cause),
        ("amount", money(before_tax)),
        ("tax", money(tax)),
        ("total", money(amount)),
        ("price", money(new.total)),
    ];
    let mut lines = vec![filled("consent.longer", l, &values, b), filled("consent.cost", l, &values, b)];
    if b.details.paid_by.is_by_hand() {
        lines.push(filled("consent.agreeToPay", l, &values, b));
    } else {
        lines.push(filled("consent.agree", l, &[("card", card(u, b, l)?)], b));
        lines.push(filled("consent.atOnce", l, &[("amount", money(amount))], b));
    }
    Ok(Words { text: lines.join("\n"), amount })
}

/// The card that is charged, by its last digits.
fn card(u: &mut dyn Unit, b: &Booking, l: Language) -> ServiceResult<String> {
    Ok(match u.cards().current(b.user_id)? {
        Some(card) => text("consent.card", l).replace("{last4}", &card.last4),
        None => text("consent.noCard", l).to_owned(),
    })
}

/// A text with its values, and those that say which move it is.
fn filled(key: &str, l: Language, values: &[(&str, String)], b: &Booking) -> String {
    let of_move = [
        ("code", b.short_id.to_string()),
        ("date", formats::date(b.move_date, l)),
        ("time", formats::time(b.move_time, l)),
        ("from", b.details.pickup.address.city.clone()),
        ("to", b.details.dropoff.address.city.clone()),
    ];
    formats::filled(text(key, l), l, values.iter().chain(&of_move).map(|(name, value)| (*name, value.as_str())))
}
