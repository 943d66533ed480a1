//! What became of a file, and why a row is not taken.

use crate::Error;

/// Why a row is not taken.
#[derive(Debug)]
pub enum Problem {
    /// An earlier row, in this line, means the same record.
    Twice(usize),
    /// Several records are called so.
    Several,
    /// What a single call would have answered.
    Refused(Error),
    /// The rows of a rate card lack this path.
    NoFigure(String),
    /// The figure of this path has another form.
    NotAFigure(String),
    /// A version of a rate card that is there says something else.
    OtherVersion(Box<Difference>),
}

/// A row that is not taken.
#[derive(Debug)]
pub struct Wrong {
    /// Its line.
    pub line: usize,
    /// Why.
    pub problem: Problem,
}

/// What became of a file.
#[derive(Debug, Default)]
pub struct Report {
    /// New records.
    pub added: usize,
    /// Records that say something else now.
    pub changed: usize,
    /// Records that said so before.
    pub unchanged: usize,
    /// Rows that are not taken, by line. With one of them nothing is kept.
    pub wrong: Vec<Wrong>,
    /// Something was written.
    pub saved: bool,
}

/// What tells two versions apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// A column that all rows of a version have in common, by its name.
    Column(&'static str),
    /// The figure of this path.
    Figure(String),
}

impl Place {
    /// The column where it stands in a file.
    pub fn column(&self) -> &str {
        match self {
            Place::Column(name) => name,
            Place::Figure(_) => "value",
        }
    }

    /// What a file calls it: the column, or the path of the figure.
    pub fn name(&self) -> &str {
        match self {
            Place::Column(name) => name,
            Place::Figure(path) => path,
        }
    }
}

/// The first thing that a file says otherwise of a version that is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Name of the card.
    pub name: String,
    /// Number of the version.
    pub version: i32,
    /// The number that the next version of the card will have.
    pub next: i32,
    /// What differs.
    pub at: Place,
    /// What the version that is there says, as a file has it; none where it says nothing.
    pub here: Option<String>,
    /// What the file says.
    pub file: Option<String>,
}
