//! What a value has to be. A rule carries its figures; who words it for people builds the sentence from them.

use std::fmt;

use crate::{BasisPoints, Money};

/// What the figures of a rule count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// A bare number: of people, pieces, kilometres.
    Count,
    /// Money, in cents.
    Cents,
    /// A share in basis points that files have as a decimal, `0.2`.
    Share,
    /// A share or a factor that files have in basis points.
    BasisPoints,
    /// Minutes.
    Minutes,
    /// Hours.
    Hours,
    /// Days.
    Days,
}

/// The least and the greatest that a figure may be, in what it counts. As a text it is half an English sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bounds {
    /// This or more.
    AtLeast(i64, Measure),
    /// This or less.
    AtMost(i64, Measure),
    /// From the one to the other.
    Between(i64, i64, Measure),
}

impl Bounds {
    /// Whether the figure is within them.
    pub fn hold(self, figure: i64) -> bool {
        match self {
            Bounds::AtLeast(least, _) => figure >= least,
            Bounds::AtMost(most, _) => figure <= most,
            Bounds::Between(least, most, _) => (least..=most).contains(&figure),
        }
    }

    /// What the figures count.
    pub const fn measure(self) -> Measure {
        match self {
            Bounds::AtLeast(_, measure) | Bounds::AtMost(_, measure) | Bounds::Between(_, _, measure) => measure,
        }
    }
}

impl fmt::Display for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let measure = self.measure();
        let figure = |n: i64| match measure {
            Measure::Cents => Money::from_cents(n).to_string(),
            Measure::Share => BasisPoints::new(n).to_string(),
            _ => n.to_string(),
        };
        if measure == Measure::Share {
            f.write_str("a share ")?;
        }
        match *self {
            Bounds::AtLeast(least, _) => write!(f, "at least {}", figure(least))?,
            Bounds::AtMost(most, _) => write!(f, "at most {}", figure(most))?,
            Bounds::Between(least, most, _) => write!(f, "between {} and {}", figure(least), figure(most))?,
        }
        f.write_str(match measure {
            Measure::Count | Measure::Share => "",
            Measure::Cents => " dollars",
            Measure::BasisPoints => " basis points",
            Measure::Minutes => " minutes",
            Measure::Hours => " hours",
            Measure::Days => " days",
        })
    }
}

/// What a value must be. As a text it is half an English sentence, for whoever edits a file: nothing reads the words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Must {
    /// There: nothing stands in for it.
    Given,
    /// A figure within these bounds.
    Within(Bounds),
    /// A figure of another size, which no two numbers bound: it depends on other figures.
    Sized(&'static str),
    /// A name that nothing else has.
    Unique(&'static str),
    /// Days that nothing else has.
    Apart(&'static str),
    /// Of another form, or in accord with another value.
    Formed(&'static str),
}

impl fmt::Display for Must {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Must::Given => f.write_str("given"),
            Must::Within(bounds) => bounds.fmt(f),
            Must::Sized(words) | Must::Unique(words) | Must::Apart(words) | Must::Formed(words) => f.write_str(words),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_hold_what_is_within_them() {
        let held = |bounds: Bounds| [-1, 0, 1, 5, 6].map(|n| bounds.hold(n));
        assert_eq!(held(Bounds::Between(0, 5, Measure::Count)), [false, true, true, true, false]);
        assert_eq!(held(Bounds::AtLeast(1, Measure::Count)), [false, false, true, true, true]);
        assert_eq!(held(Bounds::AtMost(5, Measure::Count)), [true, true, true, true, false]);
    }

    #[test]
    fn who_edits_a_file_reads_the_figures_as_the_file_has_them() {
        for (bounds, words) in [
            (Bounds::Between(1, 20, Measure::Count), "between 1 and 20"),
            (Bounds::Between(1, 1_000_000, Measure::Cents), "between 0.01 and 10000.00 dollars"),
            (Bounds::Between(1, 10_000, Measure::Share), "a share between 0.0001 and 1"),
            (Bounds::Between(1, 20_000, Measure::BasisPoints), "between 1 and 20000 basis points"),
            (Bounds::AtLeast(1, Measure::Minutes), "at least 1 minutes"),
            (Bounds::AtMost(1_440, Measure::Hours), "at most 1440 hours"),
            (Bounds::AtMost(30, Measure::Days), "at most 30 days"),
        ] {
            assert_eq!(Must::Within(bounds).to_string(), words);
        }
        assert_eq!(Must::Given.to_string(), "given");
        assert_eq!(Must::Sized("above the other").to_string(), "above the other");
    }
}
