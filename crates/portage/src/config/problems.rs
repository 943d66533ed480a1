//! What is wrong with the settings, all of it at once.

use std::fmt;

use super::keys::variable;

/// One mistake.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The variable to change.
    pub variable: String,
    /// What to do about it.
    pub advice: String,
}

/// All mistakes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Problems {
    list: Vec<Problem>,
    /// What is told beside them: it stops nothing by itself.
    notes: Vec<String>,
}

impl Problems {
    /// A setting that must be changed; `advice` reads on from its name.
    pub fn add(&mut self, key: &str, advice: &str) {
        self.general(&variable(key), advice);
    }

    /// A setting whose value is not usable.
    pub fn wrong(&mut self, key: &str, value: &str, advice: &str) {
        self.add(key, &format!("is {value:?}: {advice}"));
    }

    /// A setting that is needed.
    pub fn missing(&mut self, key: &str, why: &str) {
        self.add(key, &format!("is not set: {why}"));
    }

    /// A mistake that belongs to no single variable.
    pub fn general(&mut self, what: &str, advice: &str) {
        let problem = Problem { variable: what.to_owned(), advice: advice.to_owned() };
        // Several looks may find the same mistake.
        if !self.list.contains(&problem) {
            self.list.push(problem);
        }
    }

    /// Told with the problems, if there are any.
    pub fn note(&mut self, text: &str) {
        self.notes.push(text.to_owned());
    }

    /// `value`, unless there is a problem.
    pub fn into_result<T>(self, value: T) -> Result<T, Problems> {
        if self.list.is_empty() { Ok(value) } else { Err(self) }
    }

    /// The mistakes, in the order they were found.
    #[cfg(test)]
    pub fn iter(&self) -> impl Iterator<Item = &Problem> {
        self.list.iter()
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.list.len() {
            1 => writeln!(f, "One setting must be changed before Portage can start:")?,
            n => writeln!(f, "{n} settings must be changed before Portage can start:")?,
        }
        for problem in &self.list {
            writeln!(f, "  {} {}", problem.variable, problem.advice)?;
        }
        for note in &self.notes {
            writeln!(f, "  {note}")?;
        }
        f.write_str("docs/operating.md describes every setting; portage check-config tries them without starting.")
    }
}

impl std::error::Error for Problems {}
