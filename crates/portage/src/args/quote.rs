//! The words after `quote`.

use std::path::PathBuf;

use kernel::{Language, chrono::NaiveDate};
use lexopt::prelude::{Long, Value, ValueExt as _};

use super::{Command, Wrong};

/// Arguments of `quote`.
#[derive(Debug, Clone, PartialEq)]
pub struct QuoteArgs {
    /// The file; `-` is standard input.
    pub file: PathBuf,
    /// Language of the table.
    pub language: Language,
    /// Local day of the move when the file names none.
    pub date: Option<NaiveDate>,
    /// A discount: there is no database to look codes up in.
    pub discount: Option<pricing::Discount>,
    /// Print JSON instead of a table.
    pub json: bool,
}

pub fn quote(parser: &mut lexopt::Parser) -> Result<Command, Wrong> {
    let mut file = None;
    let mut args = QuoteArgs { file: PathBuf::new(), language: Language::En, date: None, discount: None, json: false };
    while let Some(arg) = parser.next()? {
        match arg {
            Long("lang") => args.language = parser.value()?.parse()?,
            Long("date") => args.date = Some(parser.value()?.parse()?),
            Long("discount") => args.discount = Some(discount(&parser.value()?.string()?)?),
            Long("json") => args.json = true,
            Value(path) if file.is_none() => file = Some(PathBuf::from(path)),
            other => return Err(other.unexpected()),
        }
    }
    args.file = file.ok_or("quote needs a file, or - for standard input")?;
    Ok(Command::Quote(args))
}

/// `WELCOME10=10%`, `WELCOME10=10%,50.00` (at most 50.00), `PARTNER25=25.00`.
pub(super) fn discount(text: &str) -> Result<pricing::Discount, Wrong> {
    const FORM: &str = "a discount is CODE=10%, CODE=10%,50.00 (at most 50.00) or CODE=25.00";
    let money = |t: &str| t.trim().parse::<kernel::Money>().ok().filter(|m| m.is_positive()).ok_or(FORM);
    let (code, terms) = text.split_once('=').ok_or(FORM)?;
    let code = code.trim().to_uppercase();
    if code.is_empty() {
        return Err(FORM.into());
    }
    let (first, max) = match terms.split_once(',') {
        Some((first, max)) => (first.trim(), Some(money(max)?)),
        None => (terms.trim(), None),
    };
    let terms = match first.strip_suffix('%') {
        Some(percent) => {
            // Cents of a percent are basis points.
            let share = money(percent)?.cents();
            if share > 10_000 {
                return Err(FORM.into());
            }
            pricing::DiscountTerms::Percent { share: kernel::BasisPoints::new(share), max }
        }
        None if max.is_none() => pricing::DiscountTerms::Fixed { amount: money(first)? },
        None => return Err(FORM.into()),
    };
    Ok(pricing::Discount { code, terms })
}
