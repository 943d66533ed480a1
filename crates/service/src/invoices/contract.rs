//! The contract of a move: what is promised, for which price, what is charged when, what a cancellation keeps, and who comes.
//!
//! It is the booking as it is when the file is drawn. For a move that begins in Quebec the French one comes first, and the
//! customer's own language after it.

use chrono::{DateTime, Utc};
use documents::{Block, Row, Sheet, Total};
use furniture_catalogue::Catalogue;
use kernel::{Language, Money, Province};
use policy::{PaymentPlan, Window};

use super::{
    paper, pay,
    sheet::{self, colon, day, percent},
};
use crate::{
    ServiceResult, Services,
    billing::facts::{facts, in_flight, is_given_up, open, plan_since},
    bookings::line_words,
    formats,
    ports::{
        Unit,
        bookings::Booking,
        crews::CrewMate,
        invoices::{Edits, Paper, PaperLine},
        logos::LogoId,
        payments::{Payment, PaymentKind},
        priced::BookedLine,
        tips::Tip,
    },
    terms,
    texts::text,
};

/// The data of a contract.
struct ContractData<'a> {
    b: &'a Booking,
    head: &'a Paper,
    logo: Option<Vec<u8>>,
    plan: &'a PaymentPlan,
    payments: &'a [Payment],
    tip: Option<&'a Tip>,
    crew: &'a [CrewMate],
    now: DateTime<Utc>,
}

/// The sheets of the contract of a booking, one a language, the one that comes first first.
///
/// # Errors
/// When the database fails.
pub fn sheets(u: &mut dyn Unit, s: &Services, b: &Booking, now: DateTime<Utc>) -> ServiceResult<Vec<Sheet>> {
    let payments = u.payments().of_booking(b.id)?;
    let plan = plan_since(b, &facts(b, &payments), now);
    let head = paper::head(u, s, b, &Edits::default())?;
    let logo = paper::logo(u, &head)?;
    let (tip, crew) = (u.tips().of_booking(b.id)?, u.crews().of_booking(b.id)?);
    let all = languages(b);
    let made = all.iter().map(|l| {
        let facts = ContractData {
            b,
            head: &head,
            logo: logo.clone(),
            plan: &plan,
            payments: &payments,
            tip: tip.as_ref(),
            crew: &crew,
            now,
        };
        sheet_in(&facts, *l, all.len() > 1 && *l == Language::Fr)
    });
    Ok(made.collect())
}

/// The logo on the contract of a booking.
///
/// # Errors
/// When the database fails.
pub fn logo_of(u: &mut dyn Unit, s: &Services, b: &Booking) -> ServiceResult<Option<LogoId>> {
    Ok(paper::head(u, s, b, &Edits::default())?.logo)
}

/// Quebec wants French, and lets somebody have theirs beside it.
fn languages(b: &Booking) -> Vec<Language> {
    match (b.province, b.language) {
        (Province::QC, Language::Fr) => vec![Language::Fr],
        (Province::QC, other) => vec![Language::Fr, other],
        (_, own) => vec![own],
    }
}

fn sheet_in(f: &ContractData<'_>, l: Language, another_follows: bool) -> Sheet {
    let t = |key: &str| text(key, l).to_owned();
    let title = t("contract.title");
    let mut notes = notes(f, l);
    if another_follows {
        notes.push(t("contract.follows"));
    }
    Sheet {
        language: l,
        issuer: f.head.seller.name.clone(),
        logo: f.logo.clone(),
        facts: promised(f, l),
        blocks: parties(f, l),
        lead: t("contract.lead").replace("{amount}", &formats::money(f.b.total, l)),
        columns: [t("invoice.description"), t("invoice.quantity"), t("invoice.unitPrice"), t("invoice.amount")],
        rows: f.b.details.lines.iter().map(|line| row(line, f.b, l)).collect(),
        totals: totals(f, l),
        notes,
        footer: sheet::footer(f.head),
        page_words: sheet::page_words(l),
        mark: String::new(),
        file_title: format!("{title} {}", f.b.short_id),
        title,
        made_on: day(f.b.zone.local(f.now).date),
    }
}

/// What is promised, label by label.
fn promised(f: &ContractData<'_>, l: Language) -> Vec<(String, String)> {
    let b = f.b;
    let (from, until) = scheduling::arrival_window(b.details.arrival, b.move_time);
    let arrival =
        format!("{} – {} ({})", formats::time(from, l), formats::time(until, l), formats::zone_name(b.zone, l));
    let truck = if b.just_mates { "contract.noTruck" } else { "contract.truck" };
    let separator = if l == Language::Zh { "、" } else { ", " };
    let crew: Vec<&str> = f.crew.iter().map(|mate| mate.name.as_str()).collect();
    let crew = if crew.is_empty() { text("contract.crewLater", l).to_owned() } else { crew.join(separator) };
    [
        ("invoice.booking", b.short_id.to_string()),
        ("contract.agreedOn", moment(b.created_at, b, l)),
        ("contract.asOf", formats::date(b.zone.local(f.now).date, l)),
        ("contract.day", formats::date(b.move_date, l)),
        ("contract.arrival", arrival),
        ("contract.duration", formats::minutes(b.duration_minutes, l)),
        ("contract.mates", b.mate_count.get().to_string()),
        ("contract.withTruck", text(truck, l).to_owned()),
        ("contract.crew", crew),
    ]
    .map(|(key, value)| (text(key, l).to_owned(), value))
    .to_vec()
}

/// Who moves, who is moved, from where to where.
fn parties(f: &ContractData<'_>, l: Language) -> Vec<Block> {
    let mut all = sheet::parties(f.head, l);
    for (block, heading) in all.iter_mut().zip(["contract.mover", "contract.customer"]) {
        text(heading, l).clone_into(&mut block.heading);
    }
    all
}

fn row(line: &BookedLine, b: &Booking, l: Language) -> Row {
    let paper = PaperLine {
        key: String::new(),
        description: formats::line_text(&line_words::description(line, b, l), l),
        detail: line_words::explanation(line, b, l).unwrap_or_default(),
        quantity: line.quantity,
        unit: line.unit.clone(),
        unit_price: Some(line.unit_price),
        amount: line.amount,
    };
    sheet::row(&paper, l)
}

fn totals(f: &ContractData<'_>, l: Language) -> Vec<Total> {
    let b = f.b;
    let mut totals: Vec<Total> = Vec::new();
    let mut tell = |label: String, amount: Money, strong: bool| {
        totals.push(Total { label, amount: formats::money(amount, l), strong });
    };
    tell(text("invoice.subtotal", l).to_owned(), b.amount, false);
    for tax in &b.details.taxes {
        let name = sheet::tax_at(&format!("tax.{}", tax.name.code()), &percent(tax.rate, l), l);
        tell(name, tax.amount, false);
    }
    tell(text("invoice.total", l).to_owned(), b.total, true);
    // What happened, on its day, and what is still to come, on its own: a sum of today is told of no other day.
    for paid in paper::payments(b, f.payments) {
        tell(sheet::payment(&paid, l), paid.amount, false);
    }
    for charge in f.payments.iter().filter(|r| r.kind != PaymentKind::Tip && r.kind.is_charge() && asked_for(r)) {
        let late = charge.due_at < f.now;
        let key = match charge.kind {
            _ if late => "contract.owed",
            PaymentKind::Deposit => "contract.deposit",
            PaymentKind::Full => "contract.full",
            PaymentKind::Balance => "contract.balance",
            _ => "contract.rest",
        };
        let when = moment(charge.due_at, b, l);
        tell(text(key, l).replace("{when}", &when), charge.amount, false);
    }
    if let Some(tip) = f.tip {
        tell(text("contract.tip", l).to_owned(), tip.amount, false);
    }
    totals
}

/// Still to be charged, or given up and owed.
fn asked_for(row: &Payment) -> bool {
    open(row) || in_flight(row) || is_given_up(row)
}

/// An instant on the clock of the move, with its zone: a deadline is no deadline without it.
fn moment(at: DateTime<Utc>, b: &Booking, l: Language) -> String {
    formats::moment(at, b.zone, l)
}

/// What a cancellation keeps, from when to when.
fn kept(f: &ContractData<'_>, window: &Window, l: Language) -> String {
    let moment = |at: DateTime<Utc>| moment(at, f.b, l);
    let (key, when) = match window.until {
        Some(until) if window.kept.is_zero() => ("contract.freeUntil", moment(until)),
        Some(until) => ("contract.keptUntil", moment(until)),
        None => ("contract.keptFrom", moment(window.from)),
    };
    text(key, l).replace("{when}", &when).replace("{amount}", &formats::money(window.kept, l))
}

fn notes(f: &ContractData<'_>, l: Language) -> Vec<String> {
    let b = f.b;
    let mut notes = vec![text("contract.fixed", l).to_owned()];
    notes.extend(pay::how_agreed(b).map(|key| text(key, l).to_owned()));
    let windows: Vec<String> = f.plan.cancellation.iter().map(|window| kept(f, window, l)).collect();
    notes.push(windows.join(if l == Language::Zh { "" } else { " " }));
    let changes =
        policy::sentences(&b.details.policy, f.plan).into_iter().map(|s| s.term).filter(|t| t.is_of_changes());
    notes.extend(changes.map(|term| terms::words(term, &b.details.policy, l)));
    let catalogue = Catalogue::builtin();
    let name = |id: &str| catalogue.get(id).map_or_else(|| id.to_owned(), |i| i.name.get(l).to_owned());
    let items: Vec<String> = b.details.items.iter().map(|i| format!("{} × {}", i.quantity, name(&i.id))).collect();
    if !items.is_empty() {
        notes.push(format!("{}{}{}", text("contract.items", l), colon(l), items.join(" · ")));
    }
    let agreed = text("contract.guidelines", l)
        .replace("{version}", &b.details.guidelines_version)
        .replace("{when}", &moment(b.details.guidelines_agreed_at, b, l));
    notes.push(agreed);
    notes
}
