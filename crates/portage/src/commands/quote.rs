//! `portage quote FILE|-`: the price of a move, line by line, without a database. The file is
//! what `POST /api/booking/estimate` takes, the prices are those of the built-in rate card.

mod words;

use std::process::ExitCode;

use api::{
    calls::moves::MoveRequestBody,
    http::{ApiError, json, problem},
};
use kernel::{Language, Money, RateId, chrono::DateTime, uuid::Uuid};
use service::{
    estimates::{self, Estimate},
    formats,
    ports::rates::StoredRate,
    texts,
};

use crate::failure::{CommandResult, Failure};
use crate::terminal::{print, read_file};
use crate::{args::QuoteArgs, text_table::columns};
use words::{Word, word};

pub fn run(args: &QuoteArgs) -> CommandResult {
    let bytes = read_file(&args.file)?;
    let body: MoveRequestBody = json::parse(&bytes).map_err(|e| failure_of(&e, args.language))?;
    let estimate = price(&body, args).map_err(|e| failure_of(&e, args.language))?;
    let text = if args.json { in_json(&estimate)? } else { in_words(&estimate, &body, args.language) };
    print(&text);
    Ok(ExitCode::SUCCESS)
}

/// The same decision the HTTP call makes, on the built-in card.
fn price(body: &MoveRequestBody, args: &QuoteArgs) -> Result<Estimate, ApiError> {
    let input = body.estimate()?;
    let date = input.moving_date.or(args.date);
    let rate = StoredRate {
        id: RateId(Uuid::nil()),
        name: "built-in".to_owned(),
        version: 0,
        effective_from: DateTime::UNIX_EPOCH,
        effective_to: None,
        card: pricing::RateCard::builtin(),
    };
    let field = "selectedFurnitures.furnitures";
    Ok(estimates::price(&input.job, date, args.discount.as_ref(), Money::ZERO, &rate, field)?)
}

/// A refusal in the words of the HTTP call.
fn failure_of(e: &ApiError, language: Language) -> Failure {
    let body = problem::body(e, language);
    let text = |v: &serde_json::Value, key: &str| {
        v.get(key).and_then(serde_json::Value::as_str).unwrap_or_default().to_owned()
    };
    let mut lines = vec![text(&body, "detail")];
    for field in body.get("errors").and_then(serde_json::Value::as_array).into_iter().flatten() {
        lines.push(format!("  {}: {} ({})", text(field, "field"), text(field, "message"), text(field, "code")));
    }
    lines.extend(e.params.iter().filter(|(name, _)| *name == "reason").map(|(_, why)| format!("  {why}")));
    Failure::new(lines.join("\n"))
}

/// A decimal string with the language's mark.
fn decimal(text: &str, language: Language) -> String {
    if language == Language::Fr { text.replace('.', ",") } else { text.to_owned() }
}

/// The pure crates' own form: every figure they found.
fn in_json(e: &Estimate) -> Result<String, Failure> {
    let value = serde_json::json!({ "currency": "CAD", "quote": e.quote, "duration": e.duration });
    Ok(format!("{}\n", serde_json::to_string_pretty(&value)?))
}

fn in_words(e: &Estimate, body: &MoveRequestBody, language: Language) -> String {
    let (q, d) = (&e.quote, &e.duration);
    let say = |w: Word| word(w, language);
    let money = |m: Money| formats::money(m, language);
    let size = format!(
        "{} · {} {} · {} {}",
        decimal(&d.cubic_feet_text(), language),
        d.big_items,
        say(Word::Big),
        d.small_items,
        say(Word::Small)
    );
    let facts = [
        [
            say(Word::Kind).to_owned(),
            texts::text(&format!("moveKind.{}", d.effective_kind.code()), language).to_owned(),
        ],
        [say(Word::Volume).to_owned(), size],
        [say(Word::Tier).to_owned(), d.tier.to_string()],
        [say(Word::Duration).to_owned(), pricing::describe_minutes(d.minutes.into(), language)],
    ];
    let mut rows =
        vec![[Word::Line, Word::Quantity, Word::UnitPrice, Word::Multiplier, Word::Amount].map(|w| say(w).to_owned())];
    for line in &q.lines {
        rows.push([
            formats::line_text(&pricing::describe_line(line, language), language),
            decimal(&line.exact_quantity().to_string(), language),
            money(line.unit_price),
            decimal(&line.exact_multiplier().to_string(), language),
            money(line.amount),
        ]);
    }
    let total = |label: String, amount: Money| [label, String::new(), String::new(), String::new(), money(amount)];
    rows.push(total(say(Word::BeforeTax).to_owned(), q.amount));
    for part in &q.tax.components {
        rows.push(total(texts::text(&format!("tax.{}", part.name), language).to_owned(), part.amount));
    }
    rows.push(total(say(Word::Total).to_owned(), q.total));
    let mut text = format!("{}\n{}", columns(&facts, [false, false]), columns(&rows, [false, true, true, true, true]));
    for warning in &d.warnings {
        let n = warning.mates().map(|n| n.to_string()).unwrap_or_default();
        text += &format!("\n! {}\n", texts::text(warning.message_key(), language).replace("{n}", &n));
    }
    if !d.within_limit {
        text += &format!("\n! {}\n", say(Word::TooLong));
    }
    if body.discount_code.as_ref().is_some_and(|c| !c.trim().is_empty()) && e.discount_code.is_none() {
        text += &format!("\n! {}\n", say(Word::CodeNotLookedUp));
    }
    text
}
