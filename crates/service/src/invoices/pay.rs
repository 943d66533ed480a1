//! How an invoice can be paid: said on the paper and in the messages with it.

use kernel::{Language, Money};

use crate::{
    billing::facts::{is_asked_otherwise, may_be_sent},
    formats,
    ports::{
        bookings::{Booking, PaidBy},
        invoices::{Invoice, Paper, PaperPay},
        payments::Payment,
    },
    texts::text,
};

/// The sentence that says how a booking is paid, where no card is charged by itself: a key of the texts. A partner's
/// booking is paid by the partner's invoice.
pub(crate) fn how_agreed(b: &Booking) -> Option<&'static str> {
    match b.details.paid_by {
        PaidBy::Card => None,
        PaidBy::Link => Some("howPaid.link"),
        PaidBy::Invoice if b.partner_id.is_some() => Some("howPaid.partner"),
        PaidBy::Invoice => Some("howPaid.invoice"),
        PaidBy::OnSite => Some("howPaid.onSite"),
    }
}

/// How the amount `due` of a booking's invoice can be paid; none if nothing is due.
pub(crate) fn ways_to_pay(b: &Booking, rows: &[Payment], due: Money) -> Option<PaperPay> {
    // A link would go to whose move it was.
    let by_partner = b.partner_id.is_some() && b.details.paid_by == PaidBy::Invoice;
    due.is_positive().then(|| match may_be_sent(b, rows) {
        _ if by_partner => PaperPay::ByHand,
        true => PaperPay::ByLink,
        false if is_asked_otherwise(b, rows) => PaperPay::ByStoredCard,
        false => PaperPay::ByHand,
    })
}

/// Where a transfer goes: the first address for letters of the seller.
fn transfer_to(paper: &Paper) -> Option<&str> {
    paper.seller.lines.iter().map(String::as_str).find(|line| line.parse::<kernel::Email>().is_ok())
}

/// The ways, a sentence each. `card` is that of the link, where there is one.
fn ways(paper: &Paper, card: Option<String>, l: Language) -> Vec<String> {
    let transfer = transfer_to(paper).map(|to| text("invoice.pay.transfer", l).replace("{to}", to));
    let cheque = text("invoice.pay.cheque", l).replace("{name}", &paper.seller.name);
    card.into_iter().chain(transfer).chain([cheque]).collect()
}

/// Paragraphs for the paper, in its language; empty where nothing is due, and on papers that were issued before this was
/// said.
pub(super) fn on_paper(i: &Invoice, paper: &Paper) -> Vec<String> {
    let l = paper.language;
    let by_link = || Some(text("invoice.pay.link", l).to_owned());
    let ways = match paper.pay.filter(|_| paper.due.is_positive()) {
        None => return Vec::new(),
        Some(PaperPay::ByStoredCard) => return vec![text("invoice.pay.storedCard", l).to_owned()],
        Some(PaperPay::ByLink) => ways(paper, by_link(), l),
        Some(PaperPay::ByHand) => ways(paper, None, l),
    };
    let asked = i.due_at.filter(|_| i.number.is_some()).map(|due| {
        text("invoice.pay.asked", l)
            .replace("{amount}", &formats::money(paper.due, l))
            .replace("{date}", &formats::date(paper.zone.local(due).date, l))
            .replace("{number}", &i.number_text())
    });
    asked.into_iter().chain(ways).collect()
}

/// The same for a message, in its language; `by` is how it is paid now, `until` when its link stops working.
pub(crate) fn in_message(i: &Invoice, paper: &Paper, by: PaperPay, until: Option<String>, l: Language) -> Vec<String> {
    if by == PaperPay::ByStoredCard {
        return vec![text("invoice.pay.storedCard", l).to_owned()];
    }
    let card = until.map(|until| text("invoice.pay.thisLink", l).replace("{when}", &until));
    let number = text("invoice.pay.number", l).replace("{number}", &i.number_text());
    ways(paper, card, l).into_iter().chain([number]).collect()
}
