//! `portage rates`: the rate card in force, and putting a new version in force while servers run.

use std::path::Path;

use kernel::chrono::{DateTime, SecondsFormat, Utc};
use pricing::RateCard;
use serde_json::error::Category;
use service::{
    Error, ErrorCode,
    members::Actor,
    ports::StoreError,
    rates::{self, LoadError},
};

use super::{Done, Failure, complain, print, read_file, runtime};
use crate::{
    args::NewRates,
    config::Settings,
    wiring::{Program, Stage},
};

fn instant(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::AutoSi, true)
}

/// Prints the card alone, so that it can be edited and loaded again; which one it is goes beside it.
pub fn show(settings: Settings, name: &str) -> Done {
    let program = Program::build(settings, Stage::Nowhere)?;
    let rate = match runtime()?.block_on(rates::active(&program.services, Some(name.to_owned()))) {
        Ok(rate) => rate,
        Err(Error::Refused(ErrorCode::NoRate, _)) => {
            return Err(Failure::new(format!(
                "no rate card {name:?} is in force; portage rates load FILE --name {name:?} puts one in force"
            )));
        }
        Err(e) => return Err(e.into()),
    };
    complain(&format!("{} version {}, in force from {}", rate.name, rate.version, instant(rate.effective_from)));
    Ok(print(&format!("{}\n", serde_json::to_string_pretty(&rate.card)?)))
}

pub fn load(settings: Settings, new: NewRates) -> Done {
    let card = read(&new.file)?;
    let program = Program::build(settings, Stage::Nowhere)?;
    let s = &program.services;
    match runtime()?.block_on(rates::load(s, Actor::system(), new.name, new.from, card)) {
        Ok(rate) => {
            let tense = if rate.effective_from > s.clock.now() { "will be" } else { "is" };
            let from = instant(rate.effective_from);
            Ok(print(&format!("{} version {} {tense} in force from {from}\n", rate.name, rate.version)))
        }
        Err(LoadError::Card(wrong)) => {
            let problems: Vec<String> =
                wrong.problems.iter().map(|p| format!("  {} must be {}", p.field, p.must)).collect();
            Err(refused(&new.file, &problems.join("\n")))
        }
        Err(LoadError::Service(Error::Store(StoreError::Duplicate(_)))) => {
            Err(Failure::new("somebody else loaded a rate card at the same moment: look at it, then try again".into()))
        }
        Err(LoadError::Service(e)) => Err(e.into()),
    }
}

fn read(file: &Path) -> Result<RateCard, Failure> {
    let bytes = read_file(file)?;
    let mut reader = serde_json::Deserializer::from_slice(&bytes);
    let card = serde_path_to_error::deserialize(&mut reader).map_err(|e| {
        let (path, inner) = (e.path().to_string(), e.inner());
        let part = if path == "." || inner.classify() != Category::Data { String::new() } else { format!("{path}: ") };
        refused(file, &format!("  {part}{inner}"))
    })?;
    reader.end().map_err(|e| refused(file, &format!("  {e}")))?;
    Ok(card)
}

fn refused(file: &Path, problems: &str) -> Failure {
    Failure::new(format!(
        "{} is no rate card that can be put in force; nothing was changed:\n{problems}\nportage rates show prints one to start from; amounts are whole cents",
        file.display()
    ))
}
