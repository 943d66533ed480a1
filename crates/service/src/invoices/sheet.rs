//! A paper with its words, as it is printed.

use chrono::{DateTime, Datelike, NaiveDate, Utc};
use documents::{Block, Day, Row, Sheet, Total};
use kernel::{Language, Money, Ppm};

use super::{paper::GST_HST, pay};
use crate::{
    formats,
    ports::{
        invoices::{Invoice, Paper, PaperLine, PaperPayment, Purpose},
        payments::PaidWith,
    },
    texts::text,
};

/// Which document of an invoice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Document {
    /// As it was issued; a draft is marked as one. A credit note is its own.
    Invoice,
    /// The same with everything that was paid, once nothing is due.
    Receipt,
}

/// The sheet of an invoice. `paper` is the frozen one, or for a draft what it would be, and `logo` the file it names; `now`
/// is the day of a draft.
pub fn build(invoice: &Invoice, paper: &Paper, logo: Option<Vec<u8>>, document: Document, now: DateTime<Utc>) -> Sheet {
    let l = paper.language;
    let t = |key: &str| text(key, l).to_owned();
    let title = title(invoice, document, l);
    let payments = match (document, &invoice.receipt) {
        (Document::Receipt, Some(paid)) => paid.clone(),
        _ => paper.payments.clone(),
    };
    let made = invoice.issued_at.unwrap_or(now);
    let on = paper.zone.local(made).date;
    let number = invoice.number_text();
    let file_title =
        if number.is_empty() { format!("{title} {}", paper.short_id) } else { format!("{title} {number}") };
    Sheet {
        language: l,
        issuer: paper.seller.name.clone(),
        logo,
        facts: facts(invoice, paper, document, on),
        blocks: blocks(paper),
        lead: lead(invoice, paper, document),
        columns: [t("invoice.description"), t("invoice.quantity"), t("invoice.unitPrice"), t("invoice.amount")],
        rows: paper.lines.iter().map(|line| row(line, l)).collect(),
        totals: totals(invoice, paper, &payments, document),
        notes: notes(invoice, paper, document),
        footer: footer(paper),
        page_words: page_words(l),
        mark: if invoice.number.is_none() { t("invoice.mark") } else { String::new() },
        title,
        file_title,
        made_on: day(on),
    }
}

/// What stands before, between and after the two numbers of a page.
pub(crate) fn page_words(l: Language) -> [String; 3] {
    let whole = text("invoice.page", l);
    let (before, rest) = whole.split_once("{n}").unwrap_or((whole, ""));
    let (between, after) = rest.split_once("{total}").unwrap_or((rest, ""));
    [before.to_owned(), between.to_owned(), after.to_owned()]
}

pub(crate) fn day(on: NaiveDate) -> Day {
    Day {
        year: u16::try_from(on.year()).unwrap_or(0),
        month: u8::try_from(on.month()).unwrap_or(1),
        day: u8::try_from(on.day()).unwrap_or(1),
    }
}

fn title(invoice: &Invoice, document: Document, l: Language) -> String {
    let key = match (document, invoice.purpose) {
        (Document::Receipt, _) => "invoice.title.receipt",
        (Document::Invoice, Purpose::Move | Purpose::Batch) => "invoice.title.invoice",
        (Document::Invoice, Purpose::Cancellation) => "invoice.title.cancellation",
        (Document::Invoice, Purpose::CreditNote) => "invoice.title.creditNote",
    };
    text(key, l).to_owned()
}

fn facts(invoice: &Invoice, paper: &Paper, document: Document, on: NaiveDate) -> Vec<(String, String)> {
    let l = paper.language;
    let mut facts: Vec<(String, String)> = Vec::new();
    let mut tell = |key: &str, value: String| {
        if !value.is_empty() {
            facts.push((text(key, l).to_owned(), value));
        }
    };
    tell("invoice.number", invoice.number_text());
    tell("invoice.date", formats::date(on, l));
    let is_invoice = invoice.purpose != Purpose::CreditNote && document == Document::Invoice;
    if let Some(due) = invoice.due_at.filter(|_| is_invoice && paper.due.is_positive()) {
        tell("invoice.dueDate", formats::date(paper.zone.local(due).date, l));
    }
    if let Some(paid) = invoice.paid_at.filter(|_| document == Document::Receipt) {
        tell("invoice.paidOn", formats::date(paper.zone.local(paid).date, l));
    }
    tell("invoice.credited", paper.credited_number.clone().unwrap_or_default());
    match paper.period {
        Some((from, to)) => {
            tell("invoice.period", format!("{} – {}", formats::date(from, l), formats::date(to, l)));
        }
        None => tell("invoice.booking", paper.short_id.clone()),
    }
    tell("invoice.reference", paper.reference.clone());
    facts
}

fn blocks(paper: &Paper) -> Vec<Block> {
    let l = paper.language;
    let mut all = parties(paper, l);
    if let Some((from, to)) = paper.period {
        let count = text("invoice.moveCount", l).replace("{n}", &paper.bookings.len().to_string());
        let span = format!("{} – {}", formats::date(from, l), formats::date(to, l));
        if let Some(about) = all.last_mut() {
            *about = Block { heading: text("invoice.moves", l).to_owned(), lines: vec![span, count] };
        }
        return all;
    }
    if let Some(about) = all.last_mut() {
        about.lines.insert(0, formats::date(paper.move_date, l));
    }
    all
}

/// Who sells, who pays, from where to where.
pub(crate) fn parties(paper: &Paper, l: Language) -> Vec<Block> {
    let party = |heading: &str, name: &str, lines: &[String]| Block {
        heading: text(heading, l).to_owned(),
        lines: std::iter::once(name.to_owned()).chain(lines.iter().cloned()).collect(),
    };
    let mut seller = party("invoice.from", &paper.seller.name, &paper.seller.lines);
    seller.lines.extend(registrations(paper, l));
    let buyer = party("invoice.billTo", &paper.buyer.name, &paper.buyer.lines);
    let labelled = |key: &str, value: &str| format!("{}{}{value}", text(key, l), colon(l));
    let about = Block {
        heading: text("invoice.move", l).to_owned(),
        lines: vec![labelled("invoice.pickup", &paper.pickup), labelled("invoice.dropoff", &paper.dropoff)],
    };
    vec![seller, buyer, about]
}

/// Registration numbers, each with its name.
fn registrations(paper: &Paper, l: Language) -> Vec<String> {
    let label = |name: &str| match name {
        "neq" => "NEQ",
        GST_HST => text("invoice.gstHst", l),
        tax => text(&format!("tax.{tax}"), l),
    };
    paper.registrations.iter().map(|(name, number)| formats::tight(&format!("{} {number}", label(name)), l)).collect()
}

/// Each language sets its colon differently.
pub(crate) const fn colon(l: Language) -> &'static str {
    match l {
        Language::En => ": ",
        Language::Fr => "\u{a0}: ",
        Language::Zh => "：",
    }
}

fn lead(invoice: &Invoice, paper: &Paper, document: Document) -> String {
    let l = paper.language;
    if invoice.purpose == Purpose::CreditNote {
        return text("invoice.creditLead", l).replace("{amount}", &formats::money(paper.total, l));
    }
    if document == Document::Receipt || !paper.due.is_positive() {
        return text("invoice.paidLead", l).to_owned();
    }
    let due = formats::money(paper.due, l);
    match invoice.due_at {
        Some(at) => text("invoice.dueLead", l)
            .replace("{amount}", &due)
            .replace("{date}", &formats::date(paper.zone.local(at).date, l)),
        None => text("invoice.openLead", l).replace("{amount}", &due),
    }
}

pub(crate) fn row(line: &PaperLine, l: Language) -> Row {
    let written = line.quantity.to_string();
    let written = trimmed(&written);
    let quantity = formats::decimal(written, l);
    let quantity = match line.unit.as_str() {
        "hour" => format!("{quantity}\u{a0}{}", text("invoice.hours", l)),
        "km" => format!("{quantity}\u{a0}{}", if l == Language::Zh { "公里" } else { "km" }),
        "percent" => formats::percent(written, l),
        _ => quantity,
    };
    Row {
        description: formats::line_text(&line.description, l),
        detail: line.detail.clone(),
        quantity,
        unit_price: line.unit_price.map(|p| formats::money(p, l)).unwrap_or_default(),
        amount: formats::money(line.amount, l),
    }
}

/// `9,975 %`: every tax by itself, with its own rate.
pub(crate) fn percent(rate: Ppm, l: Language) -> String {
    let (whole, rest) = (rate.get() / 10_000, rate.get() % 10_000);
    let decimals = format!("{rest:04}");
    let decimals = decimals.trim_end_matches('0');
    let number = if decimals.is_empty() { whole.to_string() } else { format!("{whole}.{decimals}") };
    formats::percent(&number, l)
}

/// A decimal number without the zeros at its end.
fn trimmed(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

fn totals(invoice: &Invoice, paper: &Paper, payments: &[PaperPayment], document: Document) -> Vec<Total> {
    let l = paper.language;
    let mut totals: Vec<Total> = Vec::new();
    let mut tell = |label: String, amount: Money, strong: bool| {
        totals.push(Total { label, amount: formats::money(amount, l), strong });
    };
    tell(text("invoice.subtotal", l).to_owned(), paper.subtotal, false);
    for tax in &paper.taxes {
        let name = tax_at(&format!("tax.{}", tax.tax.code()), &percent(tax.rate, l), l);
        let place = tax.province.map(|p| format!(" · {}", p.code())).unwrap_or_default();
        tell(format!("{name}{place}"), tax.amount, false);
    }
    let is_credit = invoice.purpose == Purpose::CreditNote;
    tell(text(if is_credit { "invoice.creditTotal" } else { "invoice.total" }, l).to_owned(), paper.total, true);
    if is_credit {
        return totals;
    }
    for paid in payments {
        tell(payment(paid, l), paid.amount.negated(), false);
    }
    let due = if document == Document::Receipt { Money::ZERO } else { paper.due };
    tell(text("invoice.due", l).to_owned(), due, true);
    totals
}

/// A tax and its rate: `GST (5%)`; the Chinese names end with a bracket already.
pub(crate) fn tax_at(key: &str, rate: &str, l: Language) -> String {
    let name = text(key, l);
    if l == Language::Zh { formats::tight(&format!("{name} {rate}"), l) } else { format!("{name} ({rate})") }
}

/// `Paid on March 2, 2027 (card ending in 4242)`.
pub(crate) fn payment(paid: &PaperPayment, l: Language) -> String {
    let key = match paid.amount.is_negative() {
        true if paid.waits => "invoice.toHandBack",
        true => "invoice.wentBack",
        false => "invoice.came",
    };
    let how = match (paid.method, &paid.last4, &paid.reference) {
        (PaidWith::Card, Some(last4), _) => text("invoice.card", l).replace("{last4}", last4),
        (PaidWith::Card, None, _) => text("invoice.anyCard", l).to_owned(),
        (method, _, reference) => {
            let name = text(&format!("invoice.method.{}", method.code()), l);
            match reference {
                Some(reference) => format!("{name} {reference}"),
                None => name.to_owned(),
            }
        }
    };
    text(key, l).replace("{date}", &formats::date(paid.on, l)).replace("{how}", &how)
}

fn notes(invoice: &Invoice, paper: &Paper, document: Document) -> Vec<String> {
    let l = paper.language;
    let mut notes = vec![paper.note.clone()];
    if invoice.purpose == Purpose::Cancellation {
        notes.push(text("invoice.keptNote", l).to_owned());
    }
    if invoice.purpose != Purpose::CreditNote && document == Document::Invoice {
        let terms = match (paper.due.is_positive(), paper.partner) {
            (false, _) => Some("invoice.terms.none"),
            // Said with how to pay, unless it was issued before that was.
            (true, _) if paper.pay.is_some() => None,
            (true, true) => Some("invoice.terms.partner"),
            (true, false) => Some("invoice.terms.now"),
        };
        notes.extend(terms.map(|key| text(key, l).to_owned()));
        notes.extend(pay::on_paper(invoice, paper));
    }
    if document == Document::Receipt {
        notes.push(text("invoice.receiptNote", l).to_owned());
    }
    notes
}

pub(crate) fn footer(paper: &Paper) -> String {
    let parts = std::iter::once(&paper.seller.name).chain(&paper.seller.lines).filter(|p| !p.is_empty());
    parts.cloned().collect::<Vec<_>>().join(" · ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_says_which_of_how_many_it_is() {
        for (language, told) in [(Language::En, "Page 2/3"), (Language::Fr, "Page 2/3"), (Language::Zh, "第 2/3 页")]
        {
            let [before, between, after] = page_words(language);
            assert_eq!(format!("{before}2{between}3{after}"), told);
        }
    }
}
