//! A month for the company's accounting program: the journal, or the invoices of the month, as entries that balance.
//!
//! Accounts have a number of their own, which never changes: programs find them by it.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use kernel::{Language, Money};
use serde_json::json;

use super::books::{PAGE, ZONE, days};
use crate::{
    Error, ErrorCode, ServiceResult, Services, Staff,
    billing::ledger::tax_account,
    ports::{
        Unit,
        books::JournalEntry,
        invoices::{Invoice, InvoiceFilter, PaperTax, Purpose},
        ledger::Account,
        periods::Month,
    },
    texts::text,
};

/// Rows of a file at most.
pub const MOST: usize = 200_000;
/// Invoices read at a time.
const SOME: i64 = 500;

/// What of a month.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// Every entry of the journal.
    Journal,
    /// The journal with one entry a day.
    Days,
    /// Every invoice and credit note that was issued, and what of the journal stands on none of them.
    Invoices,
}

impl Content {
    /// All of them.
    pub const ALL: [Content; 3] = [Content::Journal, Content::Days, Content::Invoices];

    /// Stable code.
    pub const fn code(self) -> &'static str {
        match self {
            Content::Journal => "journal",
            Content::Days => "days",
            Content::Invoices => "invoices",
        }
    }

    /// The one of a code.
    #[must_use]
    pub fn from_code(code: &str) -> Option<Content> {
        Content::ALL.into_iter().find(|c| c.code() == code)
    }
}

/// A line of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Posting {
    /// Of its entry; the same for all of its lines, and for no others of the file.
    pub number: String,
    /// Day on the company's calendar.
    pub date: NaiveDate,
    /// Which entry, in words; with the number in it no two are alike on one day.
    pub narration: String,
    /// What the line is about.
    pub description: String,
    /// Code of its booking; empty: of several.
    pub about: String,
    /// Where.
    pub account: Account,
    /// Debits are positive.
    pub amount: Money,
    /// Whose, where that is one person or company.
    pub name: String,
    /// Number of the transfer or cheque, or the gateway's key.
    pub reference: String,
}

/// The number of an account in the company's chart (`docs/accounting.md`). It stays: charts of accounts refer to it.
#[must_use]
pub const fn number(account: Account) -> u16 {
    match account {
        Account::Bank => 1010,
        Account::Cash => 1020,
        Account::Gateway => 1050,
        Account::Disputes => 1060,
        Account::Receivable => 1200,
        Account::Customer => 2100,
        Account::Trust => 2110,
        Account::Gst => 2200,
        Account::Qst => 2210,
        Account::Hst => 2220,
        Account::TipsPayable => 2300,
        Account::MatePayable => 2310,
        Account::Revenue => 4000,
        Account::CancellationRevenue => 4010,
        Account::Fees => 5010,
        Account::WriteOff => 5020,
        Account::Claims => 5030,
    }
}

/// `GET /books/accounting`. That somebody took it along is on record.
///
/// # Errors
/// The field `month` when it is out of range; `export_too_large`.
pub async fn month(
    s: &Services,
    staff: &Staff,
    month: Month,
    content: Content,
    language: Language,
) -> ServiceResult<Vec<Posting>> {
    let (from, until) = days(month.first(), month.last(), "month")?;
    let postings: Vec<Posting> = s
        .store
        .read(move |u| match content {
            Content::Invoices => {
                let wanted =
                    InvoiceFilter { issued_from: Some(from), issued_before: Some(until), ..InvoiceFilter::default() };
                let mut all = invoices(u, wanted, language)?;
                let earned = journal(u, from, until, language)?;
                all.extend(differences_from_invoices(&earned, &all, month, language));
                Ok(all)
            }
            Content::Journal => journal(u, from, until, language),
            Content::Days => Ok(by_day(&journal(u, from, until, language)?, language)),
        })
        .await?;
    let rows = postings.len();
    s.write(staff.actor(), move |tx| {
        let told = json!({ "month": month, "content": content.code(), "rows": rows });
        tx.audit("accounting.export", month, None, Some(told)).map_err(Error::from)
    })
    .await?;
    Ok(postings)
}

fn journal(u: &mut dyn Unit, from: DateTime<Utc>, until: DateTime<Utc>, l: Language) -> ServiceResult<Vec<Posting>> {
    let (mut all, mut after) = (Vec::new(), None);
    loop {
        let page = u.books().journal(from, until, after, PAGE)?;
        let is_last = page.len() < usize::try_from(PAGE).unwrap_or(usize::MAX);
        after = page.last().map(|e| e.place);
        all.extend(page.iter().flat_map(|entry| posted(entry, l)));
        if all.len() > MOST {
            return Err(too_large());
        }
        if is_last {
            return Ok(all);
        }
    }
}

/// What an invoice says of: what was earned, and each tax.
const INVOICED: [Account; 5] =
    [Account::Revenue, Account::CancellationRevenue, Account::Gst, Account::Qst, Account::Hst];

/// What of these accounts the journal of a month has beyond its invoices, booking by booking: a move that was done and not
/// invoiced, or whose invoice was taken back; and what its invoices have beyond the journal, because it was earned in another
/// month. With it both add up to the same.
fn differences_from_invoices(journal: &[Posting], invoices: &[Posting], month: Month, l: Language) -> Vec<Posting> {
    let mut left: BTreeMap<&str, BTreeMap<Account, Money>> = BTreeMap::new();
    let signed = journal.iter().map(|p| (p, p.amount)).chain(invoices.iter().map(|p| (p, p.amount.negated())));
    for (p, amount) in signed.filter(|(p, _)| INVOICED.contains(&p.account)) {
        let sum = left.entry(&p.about).or_default().entry(p.account).or_insert(Money::ZERO);
        *sum = sum.plus(amount);
    }
    let mut out = Vec::new();
    for (about, sums) in left {
        let all: Money = sums.values().copied().sum();
        let lines = std::iter::once((Account::Customer, all.negated())).chain(sums);
        let lines: Vec<(Account, Money)> = lines.filter(|(_, amount)| !amount.is_zero()).collect();
        // Credits are below zero.
        let what = kind(if all.is_positive() { "elsewhere" } else { "uninvoiced" }, l);
        let number = format!("N{}-{about}", month.first().format("%Y%m"));
        out.extend(lines.into_iter().map(|(account, amount)| Posting {
            number: number.clone(),
            date: month.last(),
            narration: format!("{number} {what}"),
            description: format!("{about} {what}"),
            about: about.to_owned(),
            account,
            amount,
            name: String::new(),
            reference: String::new(),
        }));
    }
    out
}

fn too_large() -> Error {
    Error::Refused(ErrorCode::ExportTooLarge, vec![("n", MOST.to_string())])
}

fn kind(code: &str, l: Language) -> String {
    text(&format!("entry.{code}"), l).to_owned()
}

fn posted(entry: &JournalEntry, l: Language) -> Vec<Posting> {
    let number = format!("J{}", entry.place.1);
    let what = kind(&entry.kind, l);
    let line = |line: &crate::ports::ledger::EntryLine| Posting {
        number: number.clone(),
        date: ZONE.local(entry.place.0).date,
        narration: format!("{number} {} {what}", entry.short_id),
        description: format!("{} {what}", entry.short_id),
        about: entry.short_id.clone(),
        account: line.account,
        amount: line.amount,
        name: String::new(),
        reference: entry.reference.clone().unwrap_or_default(),
    };
    entry.lines.iter().map(line).collect()
}

/// One entry a day: of each account what came and what went, each by itself.
fn by_day(all: &[Posting], l: Language) -> Vec<Posting> {
    let mut out: Vec<Posting> = Vec::new();
    let mut dates: Vec<NaiveDate> = all.iter().map(|p| p.date).collect();
    dates.dedup();
    for date in dates {
        let number = format!("D{}", date.format("%Y%m%d"));
        for account in Account::ALL {
            let own = || all.iter().filter(|p| p.date == date && p.account == account).map(|p| p.amount);
            let debit: Money = own().filter(|a| a.is_positive()).sum();
            let credit: Money = own().filter(|a| a.is_negative()).sum();
            for amount in [debit, credit].into_iter().filter(|a| !a.is_zero()) {
                let what = text("entry.day", l).to_owned();
                out.push(Posting {
                    number: number.clone(),
                    date,
                    narration: format!("{number} {what}"),
                    description: what,
                    about: String::new(),
                    account,
                    amount,
                    name: String::new(),
                    reference: String::new(),
                });
            }
        }
    }
    out
}

fn invoices(u: &mut dyn Unit, wanted: InvoiceFilter, l: Language) -> ServiceResult<Vec<Posting>> {
    let mut all: Vec<Invoice> = Vec::new();
    loop {
        let skip = i64::try_from(all.len()).unwrap_or(i64::MAX);
        let page = u.invoices().listed(&wanted, skip, SOME)?;
        let is_last = page.len() < usize::try_from(SOME).unwrap_or(usize::MAX);
        all.extend(page);
        if all.len() > MOST {
            return Err(too_large());
        }
        if is_last {
            break;
        }
    }
    all.sort_by_key(|i| (i.issued_at, i.number_text()));
    let mut out = Vec::new();
    for invoice in &all {
        // A credit note is of what its invoice was for.
        let of = match invoice.credits {
            Some(id) => u.invoices().get(id)?.map_or(Purpose::Move, |i| i.purpose),
            None => invoice.purpose,
        };
        out.extend(sold(invoice, of, l));
    }
    Ok(out)
}

/// An invoice as an entry: the customer owes it, it was earned, and each tax was collected. A credit note turns it around.
/// Of a partner's paper each booking has lines of its own.
fn sold(i: &Invoice, of: Purpose, l: Language) -> Vec<Posting> {
    let (Some(paper), Some(at)) = (&i.paper, i.issued_at) else { return Vec::new() };
    let earned = if of == Purpose::Cancellation { Account::CancellationRevenue } else { Account::Revenue };
    let lines_of = |about: &str, total: Money, subtotal: Money, taxes: &[PaperTax]| -> Vec<(String, Account, Money)> {
        let taxes = taxes.iter().map(|t| (tax_account(t.tax), t.amount.negated()));
        let all = [(Account::Customer, total), (earned, subtotal.negated())].into_iter().chain(taxes);
        all.map(|(account, amount)| (about.to_owned(), account, amount)).collect()
    };
    let lines: Vec<_> = match paper.bookings.as_slice() {
        [] => lines_of(&paper.short_id, paper.total, paper.subtotal, &paper.taxes),
        parts => parts.iter().flat_map(|p| lines_of(&p.short_id, p.total, p.subtotal, &p.taxes)).collect(),
    };
    let is_note = i.purpose == Purpose::CreditNote;
    let title = match i.purpose {
        Purpose::Move | Purpose::Batch => "invoice.title.invoice",
        Purpose::Cancellation => "invoice.title.cancellation",
        Purpose::CreditNote => "invoice.title.creditNote",
    };
    let (number, title) = (i.number_text(), text(title, l));
    let posting = |(about, account, amount): (String, Account, Money)| Posting {
        number: number.clone(),
        date: ZONE.local(at).date,
        narration: format!("{title} {number} {}", paper.buyer.name).trim_end().to_owned(),
        description: format!("{about} {title}"),
        about,
        account,
        amount: if is_note { amount.negated() } else { amount },
        name: paper.buyer.name.clone(),
        reference: paper.credited_number.clone().unwrap_or_else(|| paper.reference.clone()),
    };
    lines.into_iter().filter(|(_, _, amount)| !amount.is_zero()).map(posting).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn with_what_is_on_no_invoice_both_files_add_up_to_the_same() {
        let posting = |about: &str, account: Account, cents: i64| Posting {
            number: String::new(),
            date: NaiveDate::default(),
            narration: String::new(),
            description: String::new(),
            about: about.to_owned(),
            account,
            amount: Money::from_cents(cents),
            name: String::new(),
            reference: String::new(),
        };
        let sale = |about: &str, sign: i64| {
            [(Account::Customer, 86_625), (Account::Revenue, -82_500), (Account::Gst, -4_125)]
                .map(|(account, cents)| posting(about, account, cents * sign))
        };
        // Done and invoiced; done, invoiced and taken back; earned in another month.
        let journal = [sale("A", 1), sale("B", 1)].concat();
        let invoices = [sale("A", 1), sale("B", 1), sale("B", -1), sale("C", 1)].concat();
        let month: Month = "2027-02".parse().unwrap();
        let apart = differences_from_invoices(&journal, &invoices, month, Language::En);
        let told: Vec<(&str, i64)> = apart
            .iter()
            .filter(|p| p.account == Account::Revenue)
            .map(|p| (p.about.as_str(), p.amount.cents()))
            .collect();
        assert_eq!(told, [("B", -82_500), ("C", 82_500)]);
        assert!(apart[0].description.contains("on no invoice") && apart[3].description.contains("of another"));
        let sum = |all: &[&[Posting]], account: Account| -> i64 {
            all.iter().flat_map(|part| part.iter()).filter(|p| p.account == account).map(|p| p.amount.cents()).sum()
        };
        for account in INVOICED {
            assert_eq!(sum(&[&invoices, &apart], account), sum(&[&journal], account), "{account:?}");
        }
        assert_eq!(apart.iter().map(|p| p.amount.cents()).sum::<i64>(), 0);
    }

    #[test]
    fn each_account_has_a_number_of_its_own() {
        let mut numbers: Vec<u16> = Account::ALL.into_iter().map(number).collect();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), Account::ALL.len());
    }
}
