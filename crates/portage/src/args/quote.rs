//! The arguments of `quote`.

use std::path::PathBuf;

use clap::Args;
use kernel::{Language, chrono::NaiveDate};

/// Arguments of `quote`.
#[derive(Debug, Clone, PartialEq, Args)]
pub struct QuoteArgs {
    /// The file; - is standard input
    pub file: PathBuf,
    /// Language of the table: en, fr or zh
    #[arg(long = "lang", value_name = "LANGUAGE", default_value = "en")]
    pub language: Language,
    /// Local day of the move when the file names none
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = super::day)]
    pub date: Option<NaiveDate>,
    /// CODE=10%, CODE=10%,50.00 (at most 50.00) or CODE=25.00: there is no database to look codes up in
    #[arg(long, value_parser = discount)]
    pub discount: Option<pricing::Discount>,
    /// Print JSON instead of a table
    #[arg(long)]
    pub json: bool,
}

/// `WELCOME10=10%`, `WELCOME10=10%,50.00` (at most 50.00), `PARTNER25=25.00`.
pub(super) fn discount(text: &str) -> Result<pricing::Discount, &'static str> {
    const FORM: &str = "a discount is CODE=10%, CODE=10%,50.00 (at most 50.00) or CODE=25.00";
    let money = |t: &str| t.trim().parse::<kernel::Money>().ok().filter(|m| m.is_positive()).ok_or(FORM);
    let (code, terms) = text.split_once('=').ok_or(FORM)?;
    let code = code.trim().to_uppercase();
    if code.is_empty() {
        return Err(FORM);
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
                return Err(FORM);
            }
            pricing::DiscountTerms::Percent { share: kernel::BasisPoints::new(share), max }
        }
        None if max.is_none() => pricing::DiscountTerms::Fixed { amount: money(first)? },
        None => return Err(FORM),
    };
    Ok(pricing::Discount { code, terms })
}
