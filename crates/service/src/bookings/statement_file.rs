//! The account of a booking as a file.

use documents::{Row as Line, Sheet, Total};
use kernel::{BookingId, Language, Money};

use super::{
    queries::visible,
    statement::{self, Fact, Row, Statement},
};
use crate::{
    Caller, Error, ServiceResult, Services, formats,
    invoices::{
        desk::Pdf,
        paper,
        sheet::{self, day},
    },
    ports::{
        bookings::Booking,
        invoices::{Edits, Paper},
        payments::PaidWith,
    },
    texts::text,
};

/// `GET /c/bookings/{id}/statement/file`: the rows that the page shows, in the language of the caller. `words` tells one of
/// them, as the page does.
///
/// # Errors
/// `not_found`, also when it is somebody else's.
pub async fn download(
    s: &Services,
    caller: &Caller,
    id: BookingId,
    words: fn(&Row, Language) -> String,
) -> ServiceResult<Pdf> {
    let (caller, services, now) = (caller.clone(), s.clone(), s.clock.now());
    let sheet = s
        .store
        .read(move |u| {
            let b = visible(u, &caller, id)?;
            let head = paper::head(u, &services, &b, &Edits::default())?;
            let logo = paper::logo(u, &head)?;
            let found = statement::read(u, &b)?;
            let mut made = build_sheet(&found, &b, &head, caller.language, words);
            (made.logo, made.made_on) = (logo, day(b.zone.local(now).date));
            made.facts.insert(
                1,
                pair("invoice.date", formats::date(b.zone.local(now).date, caller.language), caller.language),
            );
            Ok::<_, Error>(made)
        })
        .await?;
    let drawn = tokio::task::spawn_blocking(move || documents::pdf(&sheet)).await;
    let bytes = drawn
        .map_err(|e| Error::Internal(format!("the document was not drawn: {e}")))?
        .map_err(|e| Error::Internal(e.to_string()))?;
    Ok(Pdf { name: format!("{id}-statement.pdf"), bytes })
}

fn pair(key: &str, value: String, l: Language) -> (String, String) {
    (text(key, l).to_owned(), value)
}

/// The sheet, without its day.
fn build_sheet(
    found: &Statement,
    b: &Booking,
    head: &Paper,
    l: Language,
    words: fn(&Row, Language) -> String,
) -> Sheet {
    let t = |key: &str| text(key, l).to_owned();
    let title = t("account.title");
    let left = formats::money(found.balance, l);
    let lead = match found.balance {
        left if left.is_positive() => t("account.left"),
        left if left.is_negative() => t("account.back"),
        _ => t("account.even"),
    };
    let mut before = Money::ZERO;
    let line = |row: &Row| {
        // By how much it changed what is left to pay, so that the rows add up; of what changed nothing (a tip) its amount.
        let change = row.balance.minus(std::mem::replace(&mut before, row.balance));
        Line {
            description: words(row, l),
            detail: way(&row.fact, l),
            quantity: formats::date(found.zone.local(row.at).date, l),
            unit_price: formats::money(if change == Money::ZERO { row.amount } else { change }, l),
            amount: formats::money(row.balance, l),
        }
    };
    Sheet {
        language: l,
        issuer: head.seller.name.clone(),
        logo: None,
        facts: vec![pair("invoice.booking", b.short_id.to_string(), l)],
        blocks: sheet::parties(head, l),
        lead: lead.replace("{amount}", &formats::money(magnitude(found.balance), l)),
        columns: [t("invoice.description"), t("invoice.date"), t("invoice.amount"), t("account.balance")],
        rows: found.rows.iter().map(line).collect(),
        totals: vec![Total { label: t("account.balance"), amount: left, strong: true }],
        notes: found.in_question.then(|| t("account.inQuestion")).into_iter().chain([t("account.note")]).collect(),
        footer: sheet::footer(head),
        page_words: sheet::page_words(l),
        mark: String::new(),
        file_title: format!("{title} {}", b.short_id),
        title,
        made_on: day(b.move_date),
    }
}

fn magnitude(amount: Money) -> Money {
    if amount.is_negative() { amount.negated() } else { amount }
}

/// How money came or went.
fn way(fact: &Fact, l: Language) -> String {
    let (method, last4, reference) = match fact {
        Fact::Charge { method, last4, reference, .. } => (*method, last4.as_ref(), reference.as_ref()),
        Fact::Refund { method, .. } | Fact::OnItsWay { method } | Fact::Undone { method } => (*method, None, None),
        _ => return String::new(),
    };
    match (method, last4, reference) {
        (PaidWith::Card, Some(last4), _) => text("invoice.card", l).replace("{last4}", last4),
        (PaidWith::Card, None, _) => text("invoice.anyCard", l).to_owned(),
        (method, _, reference) => {
            let name = text(&format!("invoice.method.{}", method.code()), l);
            reference.map_or_else(|| name.to_owned(), |number| format!("{name} {number}"))
        }
    }
}
