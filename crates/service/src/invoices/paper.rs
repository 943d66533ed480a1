//! What stands on an invoice, from the booking as it is now. Issuing freezes it.

use std::collections::BTreeSet;

use kernel::{Address, Exact, Language, Money, Zone};
use status_machine::booking::Status;

use super::{batch_paper, pay, told, whose};
use crate::{
    Company, Error, ServiceResult, Services,
    billing::{
        facts::{captured, is_of_tip, refunded, returned, taken_out, took},
        ledger::{tax_account, taxes_credited, taxes_inside},
    },
    ports::{
        Unit,
        bookings::Booking,
        invoices::{Edits, Paper, PaperLine, PaperPayment, PaperTax, Party, Purpose},
        ledger::Account,
        payments::{Payment, PaymentKind},
    },
    settings,
    texts::text,
};

/// Lines, taxes and total.
pub(super) struct Sums {
    pub lines: Vec<PaperLine>,
    pub taxes: Vec<PaperTax>,
    pub subtotal: Money,
    pub total: Money,
}

impl Sums {
    /// They add up, or no paper is made of them.
    fn checked(self, b: &Booking) -> ServiceResult<Sums> {
        let lines: Money = self.lines.iter().map(|l| l.amount).sum();
        let taxes: Money = self.taxes.iter().map(|t| t.amount).sum();
        if lines == self.subtotal && self.subtotal.plus(taxes) == self.total {
            return Ok(self);
        }
        let told = format!("{lines} of lines, {} before tax, {taxes} of taxes, {} in all", self.subtotal, self.total);
        Err(Error::Internal(format!("the invoice of {} does not add up: {told}", b.short_id)))
    }
}

/// Builds the paper of a booking that was done, or cancelled with money kept, as it is now.
///
/// # Errors
/// When the database fails, or the lines of the booking do not add up to its price: no such invoice is made.
pub fn build(u: &mut dyn Unit, s: &Services, b: &Booking, purpose: Purpose, edits: &Edits) -> ServiceResult<Paper> {
    let rows = u.payments().of_booking(b.id)?;
    // In the language of who reads it.
    let language = whose::billed(u, b)?.map_or(b.language, |partner| batch_paper::language_of(&partner));
    let b = &Booking { language, ..b.clone() };
    let sums = match purpose {
        Purpose::Move | Purpose::Batch => of_move(b, edits)?,
        Purpose::Cancellation | Purpose::CreditNote => of_cancellation(b).checked(b)?,
    };
    let net = captured(&rows).minus(refunded(&rows));
    let Sums { lines, taxes, subtotal, total } = sums;
    let head = head(u, s, b, edits)?;
    let due = total.minus(net).max(Money::ZERO);
    Ok(Paper {
        lines,
        taxes,
        subtotal,
        total,
        payments: payments(b, &rows),
        due,
        pay: pay::ways_to_pay(b, &rows, due),
        note: edits.note.clone(),
        ..head
    })
}

/// Parties, numbers and what it is about; nothing is owed yet.
///
/// # Errors
/// When the database fails.
pub fn head(u: &mut dyn Unit, s: &Services, b: &Booking, edits: &Edits) -> ServiceResult<Paper> {
    let partner = match b.partner_id {
        Some(id) => u.directory().partner(id)?,
        None => None,
    };
    let mut head = blank(u, s, b.language, b.zone)?;
    beside(&mut head.registrations, b.details.taxes.iter().map(|t| t.name.code()));
    let mut buyer = Party {
        name: b.details.customer_name.clone(),
        lines: vec![b.details.customer_email.clone(), b.details.customer_phone.clone()],
    };
    if let Some(partner) = partner {
        buyer = Party { name: partner.name, lines: partner.addresses.first().map(postal).into_iter().collect() };
    }
    if !edits.buyer.is_empty() {
        buyer.name.clone_from(&edits.buyer);
    }
    let written = edits.address.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned);
    buyer.lines = written.chain(buyer.lines.into_iter().filter(|line| !line.is_empty())).collect();
    head.buyer = buyer;
    head.reference.clone_from(&edits.reference);
    head.short_id = b.short_id.as_str().to_owned();
    head.move_date = b.move_date;
    head.pickup = postal(&b.details.pickup.address);
    head.dropoff = postal(&b.details.dropoff.address);
    head.partner = b.partner_id.is_some();
    Ok(head)
}

/// A paper on which nothing stands but who sells.
pub(super) fn blank(u: &mut dyn Unit, s: &Services, language: Language, zone: Zone) -> ServiceResult<Paper> {
    let company = settings::company(u, &s.defaults)?;
    Ok(Paper {
        language,
        zone,
        registrations: registrations(&company),
        logo: company.logo.parse().ok(),
        seller: seller(company),
        buyer: Party::default(),
        reference: String::new(),
        short_id: String::new(),
        move_date: chrono::NaiveDate::default(),
        pickup: String::new(),
        dropoff: String::new(),
        lines: Vec::new(),
        subtotal: Money::ZERO,
        taxes: Vec::new(),
        total: Money::ZERO,
        payments: Vec::new(),
        due: Money::ZERO,
        pay: None,
        note: String::new(),
        credited_number: None,
        partner: false,
        period: None,
        bookings: Vec::new(),
    })
}

/// The file of a paper's logo, to be drawn.
///
/// # Errors
/// When the database fails.
pub fn logo(u: &mut dyn Unit, paper: &Paper) -> ServiceResult<Option<Vec<u8>>> {
    Ok(match paper.logo {
        Some(id) => u.logos().file(id)?,
        None => None,
    })
}

pub(super) fn postal(address: &Address) -> String {
    let unit = address.unit.trim();
    if unit.is_empty() { address.line() } else { format!("{unit}, {}", address.line()) }
}

fn seller(c: Company) -> Party {
    let lines = [c.address, c.support_email, c.support_phone].into_iter().filter(|line| !line.is_empty());
    Party { name: c.name, lines: lines.collect() }
}

fn registrations(c: &Company) -> Vec<(String, String)> {
    let named = [("gst", &c.gst_number), ("qst", &c.qst_number), ("neq", &c.neq)];
    let given = named.iter().filter(|(_, number)| !number.is_empty());
    given.map(|(name, number)| ((*name).to_owned(), spaced(number))).collect()
}

/// The federal number where the harmonized tax is charged: it is the registration for both.
pub const GST_HST: &str = "gst_hst";

/// Leaves the registration numbers that belong beside these taxes: that of Quebec's tax only where it is charged.
pub(super) fn beside<'a>(numbers: &mut Vec<(String, String)>, taxes: impl Iterator<Item = &'a str>) {
    let taxes: BTreeSet<&str> = taxes.collect();
    numbers.retain(|(name, _)| name != "qst" || taxes.contains("qst"));
    for (name, _) in numbers.iter_mut().filter(|(name, _)| name == "gst" && taxes.contains("hst")) {
        GST_HST.clone_into(name);
    }
}

/// `123456782RT0001` as `12345 6782 RT0001`; a number of another form as it was saved.
fn spaced(number: &str) -> String {
    let bare: String = number.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_uppercase()).collect();
    let digits = bare.chars().take_while(char::is_ascii_digit).count();
    match (digits, bare.len(), bare.get(digits..digits + 2)) {
        (9, 15, Some("RT")) => format!("{} {} {}", &bare[..5], &bare[5..9], &bare[9..]),
        (10, 16, Some("TQ")) => format!("{} {}", &bare[..10], &bare[10..]),
        _ => number.to_owned(),
    }
}

fn line(key: &str, description: String, detail: String, amount: Money) -> PaperLine {
    PaperLine {
        key: key.to_owned(),
        description,
        detail,
        quantity: Exact::new(1, 0),
        unit: "flat".to_owned(),
        unit_price: Some(amount),
        amount,
    }
}

/// The price as it was agreed, line by line, less what staff gave back of it.
pub(super) fn of_move(b: &Booking, edits: &Edits) -> ServiceResult<Sums> {
    let d = &b.details;
    let mut lines: Vec<PaperLine> = Vec::with_capacity(d.lines.len() + 1);
    for (i, booked) in d.lines.iter().enumerate() {
        let key = format!("{i}:{}", booked.code);
        let described = edits.descriptions.get(&key).filter(|text| !text.is_empty());
        let (description, detail) = told::line(booked, b.mate_count.get(), b.language);
        lines.push(PaperLine {
            description: described.cloned().unwrap_or(description),
            key,
            detail,
            quantity: booked.quantity,
            unit: booked.unit.clone(),
            unit_price: Some(booked.unit_price),
            amount: booked.amount,
        });
    }
    let waived = taxes_credited(b);
    let of = |account: Account| -> Money { waived.iter().filter(|w| w.0 == account).map(|w| w.1).sum() };
    let waived_tax: Money = waived.iter().map(|w| w.1).sum();
    let given = b.credited().minus(waived_tax);
    if b.credited().is_positive() {
        let counted = d.credits.iter().filter(|c| !c.ended && !c.of_cancellation);
        let reasons: Vec<&str> = counted.map(|c| c.reason.as_str()).collect();
        let words = text("invoice.credit", b.language).to_owned();
        lines.push(line("credit", words, reasons.join(" · "), given.negated()));
    }
    let taxes = d.taxes.iter().map(|t| PaperTax {
        tax: t.name,
        rate: t.rate,
        amount: t.amount.minus(of(tax_account(t.name))),
        province: None,
    });
    Sums { lines, taxes: taxes.collect(), subtotal: b.amount.minus(given), total: b.due() }.checked(b)
}

/// What a cancellation keeps has its taxes inside.
fn of_cancellation(b: &Booking) -> Sums {
    let kept = b.retained();
    let inside = taxes_inside(b, kept);
    let tax: Money = inside.iter().map(|t| t.1).sum();
    let taxes = b.details.taxes.iter().zip(inside);
    let taxes: Vec<PaperTax> =
        taxes.map(|(t, (_, amount))| PaperTax { tax: t.name, rate: t.rate, amount, province: None }).collect();
    let words = text("invoice.kept", b.language).to_owned();
    let lines = vec![line("kept", words, text("invoice.keptDetail", b.language).to_owned(), kept.minus(tax))];
    Sums { lines, taxes, subtotal: kept.minus(tax), total: kept }
}

/// What was paid for the move, and what went back of it. A tip is the mates' and stands on no invoice, nor does what was
/// written down by mistake.
pub fn payments(b: &Booking, rows: &[Payment]) -> Vec<PaperPayment> {
    let of_move = |r: &&Payment| {
        if r.kind == PaymentKind::Refund {
            returned(r) && !r.is_taken_out() && !is_of_tip(r, rows)
        } else {
            took(r) && r.kind != PaymentKind::Tip && r.amount > taken_out(rows, r)
        }
    };
    let mut told: Vec<&Payment> = rows.iter().filter(of_move).collect();
    told.sort_by_key(|r| r.settled_at.unwrap_or(r.created_at));
    told.into_iter()
        .map(|r| PaperPayment {
            on: b.zone.local(r.settled_at.unwrap_or(r.created_at)).date,
            method: r.method,
            last4: r.card_last4.clone(),
            reference: r.written_reference().map(str::to_owned),
            waits: r.waits_for_a_hand(),
            amount: if r.kind == PaymentKind::Refund { r.amount.negated() } else { r.amount.minus(taken_out(rows, r)) },
        })
        .collect()
}

/// For what an invoice of this booking would be; none when it cannot have one: it never passed completed, or its
/// cancellation keeps nothing.
///
/// # Errors
/// When the database fails.
pub fn purpose_of(u: &mut dyn Unit, b: &Booking) -> ServiceResult<Option<Purpose>> {
    let history = u.booking_history().status_history(b.id)?;
    let done = status_machine::booking::passed_completed(history.iter().map(|h| h.to));
    Ok(match b.status {
        Status::Cancelled if b.retained().is_positive() => Some(Purpose::Cancellation),
        Status::Cancelled | Status::Deleted => None,
        _ if done => Some(Purpose::Move),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registration_numbers_stand_where_their_tax_is_charged() {
        let all = || vec![("gst".to_owned(), "1".to_owned()), ("qst".into(), "2".into()), ("neq".into(), "3".into())];
        for (taxes, want) in [
            (vec!["gst", "qst"], vec!["gst", "qst", "neq"]),
            (vec!["hst"], vec![GST_HST, "neq"]),
            (vec!["gst"], vec!["gst", "neq"]),
            (vec!["gst", "qst", "hst"], vec![GST_HST, "qst", "neq"]),
        ] {
            let mut numbers = all();
            beside(&mut numbers, taxes.iter().copied());
            assert_eq!(numbers.iter().map(|n| n.0.as_str()).collect::<Vec<_>>(), want, "{taxes:?}");
        }
    }

    #[test]
    fn registration_numbers_as_they_are_printed() {
        for (saved, printed) in [
            ("123456782RT0001", "12345 6782 RT0001"),
            ("123456782 rt-0001", "12345 6782 RT0001"),
            ("1224002901TQ0001", "1224002901 TQ0001"),
            ("1161234567", "1161234567"),
            ("abc", "abc"),
        ] {
            assert_eq!(spaced(saved), printed);
        }
    }
}
