//! Reads a line's sentence and works out what its numbers give.

use kernel::{Language, Money, round_half_up};
use serde_json::Value;

/// A fraction, exact.
#[derive(Debug, Clone, Copy)]
struct Exact(i128, i128);

/// The first decimal number of a text, thousands apart or not, with the language's decimal mark.
fn number(text: &str, language: Language) -> Exact {
    let (thousands, mark) = if language == Language::Fr { ('\u{a0}', ',') } else { (',', '.') };
    let from = text.find(|c: char| c.is_ascii_digit()).unwrap_or_else(|| panic!("no number in {text:?}"));
    let (mut digits, mut scale, mut behind) = (0i128, 1i128, false);
    for c in text[from..].chars() {
        match c.to_digit(10) {
            Some(d) => {
                digits = digits * 10 + i128::from(d);
                scale *= if behind { 10 } else { 1 };
            }
            None if c == mark && !behind => behind = true,
            None if c == thousands && !behind => {}
            None => break,
        }
    }
    Exact(digits, scale)
}

/// `6 h 15 min`, `6 h 15`, `6 小时 15 分钟`, `45 min`: in hours.
fn hours(text: &str) -> Exact {
    let numbers: Vec<i128> =
        text.split(|c: char| !c.is_ascii_digit()).filter(|t| !t.is_empty()).map(|t| t.parse().unwrap()).collect();
    let whole = text.contains('h') || text.contains("小时");
    match numbers.as_slice() {
        [h, m] => Exact(h * 60 + m, 60),
        [h] if whole => Exact(*h, 1),
        [m] => Exact(*m, 60),
        other => panic!("{text}: {other:?}"),
    }
}

/// What stands before and behind the equals sign; in Chinese a bracket needs no space beside it.
fn sides(sentence: &str) -> (&str, &str) {
    let (left, right) = sentence.split_once('=').unwrap_or_else(|| panic!("no result in {sentence:?}"));
    (left.trim(), right.trim())
}

fn without_brackets(text: &str) -> String {
    let mut depth = 0;
    text.chars()
        .filter(|c| {
            depth += i32::from("(（".contains(*c)) - i32::from(")）".contains(*c));
            depth == 0 && !")）".contains(*c)
        })
        .collect()
}

/// What the factors before the equals sign give, in dollars.
pub fn worked_out(sentence: &str, language: Language) -> Money {
    let (left, _) = sides(sentence);
    let mut product = Exact(1, 1);
    for factor in left.split('×') {
        let factor = without_brackets(factor);
        let time = !factor.contains('$') && ["h", "min", "小时", "分钟"].iter().any(|unit| factor.contains(unit));
        let Exact(over, under) = if time { hours(&factor) } else { number(&factor, language) };
        product = Exact(product.0 * over, product.1 * under);
    }
    Money::from_cents(round_half_up(product.0 * 100, product.1))
}

/// What a discount's sentence gives: a share of an amount and perhaps a cap, or an amount.
pub fn taken_off(sentence: &str, language: Language, price: Money) -> Money {
    let (left, _) = sides(sentence);
    let amounts: Vec<Money> = left
        .split_inclusive(if language == Language::Fr { "$" } else { " " })
        .filter(|part| part.contains('$'))
        .map(|part| {
            // In French the amount ends the part, in the other two it begins with the sign.
            let from = if language == Language::Fr {
                part.rfind(|c: char| !(c.is_ascii_digit() || ",\u{a0}$".contains(c))).map_or(0, |at| at + 1)
            } else {
                part.find('$').unwrap()
            };
            let Exact(over, under) = number(part.get(from..).unwrap_or(part), language);
            Money::from_cents(round_half_up(over * 100, under))
        })
        .collect();
    let off = if let Some(at) = left.find('%') {
        let before: String =
            left[..at].chars().rev().take_while(|c| c.is_ascii_digit() || " \u{a0}.,".contains(*c)).collect();
        let percent = number(&before.chars().rev().collect::<String>(), language);
        let share = round_half_up(i128::from(amounts[0].cents()) * percent.0, percent.1 * 100);
        amounts.get(1).map_or(Money::from_cents(share), |most| Money::from_cents(share).min(*most))
    } else {
        amounts[0].min(price)
    };
    off.negated()
}

/// The amount a sentence ends its sum with.
pub fn result(sentence: &str, language: Language) -> Money {
    let (_, right) = sides(sentence);
    let Exact(over, under) = number(right, language);
    let cents = Money::from_cents(round_half_up(over * 100, under));
    if right.starts_with('−') { cents.negated() } else { cents }
}

pub fn money(v: &Value) -> Money {
    v.as_str().unwrap().parse().unwrap()
}
