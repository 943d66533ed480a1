//! What stands on a sheet. It has a stored form, by which the same file is drawn again later; the logo is no part of that.

use kernel::Language;
use serde::{Deserialize, Serialize};

/// A day, for the file's own date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Day {
    /// Year.
    pub year: u16,
    /// 1 to 12.
    pub month: u8,
    /// 1 to 31.
    pub day: u8,
}

/// A heading with lines below it: a party, a move.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// `Bill to`.
    pub heading: String,
    /// One below the other; long ones are broken.
    pub lines: Vec<String>,
}

/// A line of the table.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// What.
    pub description: String,
    /// How the amount comes about, smaller below it; empty: nothing.
    pub detail: String,
    /// How many.
    pub quantity: String,
    /// For how much each.
    pub unit_price: String,
    /// How much.
    pub amount: String,
}

/// A line of the sum.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Total {
    /// What.
    pub label: String,
    /// How much.
    pub amount: String,
    /// Set in bold, below a rule.
    pub strong: bool,
}

/// A sheet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sheet {
    /// Of its texts.
    pub language: Language,
    /// `Invoice`, the heading.
    pub title: String,
    /// Who made it, in the upper corner.
    pub issuer: String,
    /// Their mark above it, a PNG; none: the name stands alone.
    #[serde(skip)]
    pub logo: Option<Vec<u8>>,
    /// Label and value: number, dates.
    pub facts: Vec<(String, String)>,
    /// Parties and what it is about, beside each other; no more than three.
    pub blocks: Vec<Block>,
    /// What is to be read first: `$368.08 due March 4, 2027`; empty: nothing.
    pub lead: String,
    /// Names of the four columns: description, quantity, unit price, amount.
    pub columns: [String; 4],
    /// The table.
    pub rows: Vec<Row>,
    /// The sum below it.
    pub totals: Vec<Total>,
    /// Paragraphs below it.
    pub notes: Vec<String>,
    /// At the foot of each page, on the left.
    pub footer: String,
    /// Before and after the number of a page, and after that of the last: `Page 2/3`, `第 2/3 页`.
    pub page_words: [String; 3],
    /// Across each page, for what does not count yet; empty: nothing.
    pub mark: String,
    /// The file's own title.
    pub file_title: String,
    /// The file's own date.
    pub made_on: Day,
}
