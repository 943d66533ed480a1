//! What stands on the paper of a partner: a line a booking, and each tax by itself. Issuing freezes it.

use kernel::{Exact, Language, Money, Province};

use super::{
    paper::{self, Sums, postal},
    whose,
};
use crate::{
    Error, ServiceResult, Services,
    billing::facts::{captured, refunded},
    formats,
    ports::{
        Unit,
        bookings::Booking,
        directory::PartnerRecord,
        invoices::{Edits, Invoice, Paper, PaperBooking, PaperLine, PaperPay, PaperPayment, PaperTax, Party},
    },
};

/// Lines, taxes, before tax, in all.
pub type Whole = (Vec<PaperLine>, Vec<PaperTax>, Money, Money);

/// The language of a partner's papers: theirs, or that of the province of their first address.
pub fn language_of(partner: &PartnerRecord) -> Language {
    let french = partner.addresses.first().is_some_and(|a| a.province == Province::QC);
    partner.language.unwrap_or(if french { Language::Fr } else { Language::En })
}

/// Builds the paper of these bookings as they are now.
///
/// # Errors
/// When the database fails, or the lines of a booking do not add up to its price: no such invoice is made.
pub fn build(
    u: &mut dyn Unit,
    s: &Services,
    partner: &PartnerRecord,
    members: &[Booking],
    edits: &Edits,
) -> ServiceResult<Paper> {
    let language = edits.language.unwrap_or_else(|| language_of(partner));
    let (mut parts, mut payments, mut net) = (Vec::new(), Vec::new(), Money::ZERO);
    for b in members {
        parts.push(part(b, edits.descriptions.get(&b.id.to_string()))?);
        let rows = u.payments().of_booking(b.id)?;
        net = net.plus(captured(&rows).minus(refunded(&rows)).min(b.due()));
        payments.extend(paper::payments(b, &rows));
    }
    let (lines, taxes, subtotal, total) = sums(&parts, language);
    let first = members.iter().map(|b| b.move_date).min().unwrap_or_default();
    let last = members.iter().map(|b| b.move_date).max().unwrap_or_default();
    let mut paper = paper::blank(u, s, language, whose::home())?;
    paper::beside(&mut paper.registrations, taxes.iter().map(|t| t.tax.code()));
    paper.buyer = buyer(partner, edits);
    paper.reference.clone_from(&edits.reference);
    paper.short_id = partner.short_id();
    paper.move_date = last;
    paper.note.clone_from(&edits.note);
    paper.partner = true;
    paper.period = Some(edits.period.unwrap_or((first, last)));
    paper.payments = together(payments);
    paper.due = total.minus(net).max(Money::ZERO);
    paper.pay = paper.due.is_positive().then_some(PaperPay::ByHand);
    (paper.lines, paper.taxes, paper.subtotal, paper.total) = (lines, taxes, subtotal, total);
    paper.bookings = parts;
    Ok(paper)
}

fn buyer(partner: &PartnerRecord, edits: &Edits) -> Party {
    let name = if edits.buyer.is_empty() { &partner.name } else { &edits.buyer };
    let written = edits.address.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned);
    Party { name: name.clone(), lines: written.chain(partner.addresses.first().map(postal)).collect() }
}

/// A booking with its part of the sums.
///
/// # Errors
/// When its lines do not add up to its price.
pub fn part(b: &Booking, reference: Option<&String>) -> ServiceResult<PaperBooking> {
    let Sums { taxes, subtotal, total, .. } = paper::of_move(b, &Edits::default())?;
    let taxes = taxes.into_iter().map(|t| PaperTax { province: Some(b.province), ..t }).collect();
    Ok(PaperBooking {
        id: b.id,
        short_id: b.short_id.as_str().to_owned(),
        move_date: b.move_date,
        pickup: postal(&b.details.pickup.address),
        dropoff: postal(&b.details.dropoff.address),
        customer: b.details.customer_name.clone(),
        reference: reference.cloned().unwrap_or_default(),
        subtotal,
        taxes,
        total,
    })
}

/// What was given back of one booking of a partner's invoice.
///
/// # Errors
/// When the booking does not stand on it.
pub fn part_credited(
    invoice: &Invoice,
    b: &Booking,
    subtotal: Money,
    taxes: Vec<PaperTax>,
) -> ServiceResult<PaperBooking> {
    let frozen = invoice.paper.iter().flat_map(|p| &p.bookings).find(|on| on.id == b.id);
    let Some(on) = frozen else { return Err(Error::Internal(format!("{} is not on {}", b.short_id, invoice.id))) };
    let taxes: Vec<PaperTax> = taxes.into_iter().map(|t| PaperTax { province: Some(b.province), ..t }).collect();
    let tax: Money = taxes.iter().map(|t| t.amount).sum();
    Ok(PaperBooking { subtotal, total: subtotal.plus(tax), taxes, ..on.clone() })
}

/// What credit notes have left of each booking of a partner's invoice; a booking of which nothing is left is not there.
pub fn uncredited_bookings(of: &Paper, notes: &[Invoice]) -> Vec<PaperBooking> {
    let credited: Vec<&PaperBooking> =
        notes.iter().filter_map(|n| n.paper.as_ref()).flat_map(|p| &p.bookings).collect();
    let rest = |on: &PaperBooking| {
        let own = || credited.iter().filter(|c| c.id == on.id);
        let of_tax =
            |t: &PaperTax| -> Money { own().flat_map(|c| &c.taxes).filter(|c| c.tax == t.tax).map(|c| c.amount).sum() };
        PaperBooking {
            subtotal: on.subtotal.minus(own().map(|c| c.subtotal).sum()),
            taxes: on.taxes.iter().map(|t| PaperTax { amount: t.amount.minus(of_tax(t)), ..t.clone() }).collect(),
            total: on.total.minus(own().map(|c| c.total).sum()),
            ..on.clone()
        }
    };
    of.bookings.iter().map(rest).filter(|part| part.total.is_positive()).collect()
}

/// A line a booking, and of each province each tax: the taxes of the bookings added up, as the ledger has them.
pub fn sums(parts: &[PaperBooking], l: Language) -> Whole {
    let mut taxes: Vec<PaperTax> = Vec::new();
    for tax in parts.iter().flat_map(|p| &p.taxes) {
        let same = |t: &&mut PaperTax| (t.province, t.tax, t.rate) == (tax.province, tax.tax, tax.rate);
        match taxes.iter_mut().find(same) {
            Some(sum) => sum.amount = sum.amount.plus(tax.amount),
            None => taxes.push(tax.clone()),
        }
    }
    taxes.sort_by_key(|t| t.province);
    // Where all moves began in one province its name says nothing.
    let first = taxes.first().and_then(|t| t.province);
    if taxes.iter().all(|t| t.province == first) {
        for tax in &mut taxes {
            tax.province = None;
        }
    }
    let lines = parts.iter().map(|p| line(p, l)).collect();
    (lines, taxes, parts.iter().map(|p| p.subtotal).sum(), parts.iter().map(|p| p.total).sum())
}

fn line(p: &PaperBooking, l: Language) -> PaperLine {
    let date = formats::date(p.move_date, l);
    let named = [p.short_id.as_str(), &date, &p.reference];
    PaperLine {
        key: p.id.to_string(),
        description: named.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · "),
        detail: format!("{} › {} · {}", p.pickup, p.dropoff, p.customer),
        quantity: Exact::new(1, 0),
        unit: "flat".to_owned(),
        unit_price: Some(p.subtotal),
        amount: p.subtotal,
    }
}

/// What came at once for several bookings is one payment on paper.
pub fn together(payments: Vec<PaperPayment>) -> Vec<PaperPayment> {
    let mut all: Vec<PaperPayment> = Vec::new();
    for paid in payments {
        let same = |p: &&mut PaperPayment| {
            (p.on, p.method, &p.last4, &p.reference, p.amount.is_negative())
                == (paid.on, paid.method, &paid.last4, &paid.reference, paid.amount.is_negative())
        };
        match all.iter_mut().find(same) {
            Some(sum) => sum.amount = sum.amount.plus(paid.amount),
            None => all.push(paid),
        }
    }
    // Of one day, by their numbers: the same papers are the same bytes.
    all.sort_by(|a, b| (a.on, &a.reference).cmp(&(b.on, &b.reference)));
    all
}
