//! `portage rates`: the rate card in force, and putting a new version in force while servers run.

use std::path::Path;

use kernel::chrono::{DateTime, SecondsFormat, Utc};
use pricing::RateCard;
use serde_json::Value;
use service::{
    Actor, Error,
    ports::StoreError,
    rates::{self, LoadError, Standing},
};

use crate::failure::{CommandResult, Failure};
use crate::terminal::{complain, print, read_file, runtime};
use crate::{
    args::NewRates,
    config::Settings,
    text_table::columns,
    wiring::{Program, SimulatorHost},
};

fn instant(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::AutoSi, true)
}

/// Prints the card in force alone, so that it can be edited and loaded again; which one it is, and
/// the list of all versions, go beside it.
pub fn show(settings: Settings, name: &str) -> CommandResult {
    let program = Program::build(settings, SimulatorHost::NotNeeded)?;
    let all = runtime()?.block_on(rates::versions(&program.services, name.to_owned()))?;
    let mut rows = vec![["version", "in force from", "state"].map(str::to_owned)];
    rows.extend(
        all.iter().map(|(r, stands)| [r.version.to_string(), instant(r.effective_from), stands.code().to_owned()]),
    );
    let list = columns(&rows, [true, false, false]);
    let Some((rate, _)) = all.iter().find(|(_, stands)| *stands == Standing::Active) else {
        let planned = if all.is_empty() { String::new() } else { format!("\n{list}") };
        return Err(Failure::new(format!(
            "no rate card {name:?} is in force; portage rates load FILE --name {name:?} puts one in force{planned}"
        )));
    };
    complain(&format!(
        "{} version {}, in force from {}\n{list}",
        rate.name,
        rate.version,
        instant(rate.effective_from)
    ));
    Ok(print(&format!("{}\n", serde_json::to_string_pretty(&rate.card)?)))
}

pub fn load(settings: Settings, new: NewRates) -> CommandResult {
    let card = read(&new.file)?;
    let program = Program::build(settings, SimulatorHost::NotNeeded)?;
    let s = &program.services;
    let runtime = runtime()?;
    match runtime.block_on(rates::load(s, Actor::system(), new.name, new.from, card)) {
        Ok(rate) => {
            let (name, from) = (rate.name.clone(), instant(rate.effective_from));
            let all = runtime.block_on(rates::versions(s, name.clone()))?;
            let begun = all.iter().find(|(_, stands)| *stands == Standing::Active).map(|(r, _)| r.version);
            let tense = match begun {
                _ if rate.effective_from > s.clock.now() => "will be in force",
                Some(active) if active != rate.version => {
                    let text =
                        format!("is stored, but version {active} began later and stays in force; this one began");
                    return Ok(print(&format!("{name} version {} {text} {from}\n", rate.version)));
                }
                _ => "is in force",
            };
            Ok(print(&format!("{name} version {} {tense} from {from}\n", rate.version)))
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
    let value: Value = serde_json::from_slice(&bytes).map_err(|e| refused(file, &format!("  {e}")))?;
    rates::read::read(value).map_err(|wrong| {
        let told: Vec<String> = wrong.iter().map(|mistake| format!("  {mistake}")).collect();
        refused(file, &told.join("\n"))
    })
}

fn refused(file: &Path, problems: &str) -> Failure {
    Failure::new(format!(
        "{} is no rate card that can be put in force; nothing was changed:\n{problems}\nportage rates show prints one to start from; amounts are whole cents",
        file.display()
    ))
}
