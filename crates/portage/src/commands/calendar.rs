//! `portage calendar`: how many people and trucks each hub has, and changing that while servers run.

use std::path::Path;

use kernel::chrono::NaiveDate;
use service::{
    Actor, Services,
    calendar::{self, Change, LoadError},
};

use crate::failure::{CommandResult, Failure};
use crate::terminal::{print, read_file, runtime};
use crate::{
    args::CalendarQuestion,
    calendar_file,
    config::Settings,
    text_table::columns,
    wiring::{Program, SimulatorHost},
};

/// The warning of an empty calendar, wherever nobody would otherwise notice.
pub const EMPTY: &str = "the calendar is empty, so no slot is offered and nobody can book: portage calendar load FILE \
                         (fixtures/calendar.toml is one to start from)";
/// What to do where a hub has none.
pub const ADVICE: &str = "portage calendar load FILE gives it one; fixtures/calendar.toml is one to start from";

pub fn show(settings: Settings, asked: &CalendarQuestion) -> CommandResult {
    let program = Program::build(settings, SimulatorHost::NotNeeded)?;
    let s = &program.services;
    let hubs: Vec<_> = asked.hub.map_or_else(|| geography::hubs().iter().collect(), |hub| vec![hub]);
    let text = runtime()?.block_on(async {
        match asked.days() {
            None => as_file(s, hubs).await,
            Some((first, last)) => day_by_day(s, &hubs, first, last).await,
        }
    })?;
    Ok(print(&text))
}

async fn as_file(s: &Services, hubs: Vec<&'static geography::Hub>) -> Result<String, Failure> {
    let missing = calendar::missing(&*s.store, s.clock.now()).await?;
    let (mut text, mut without) = (String::new(), Vec::new());
    for calendar in calendar::show(&*s.store, s.clock.now(), hubs).await? {
        if missing.contains(&calendar.hub) {
            without.push(calendar.hub);
        } else {
            text += &format!("{}\n", calendar_file::write(&calendar));
        }
    }
    if !without.is_empty() {
        text += &format!("# Without a calendar, and so without a slot: {}.\n# {ADVICE}.\n", without.join(", "));
    }
    Ok(text)
}

async fn day_by_day(
    s: &Services,
    hubs: &[&'static geography::Hub],
    first: NaiveDate,
    last: NaiveDate,
) -> Result<String, Failure> {
    let head = ["hub", "date", "day", "mates", "10 ft", "20 ft", "26 ft", ""].map(str::to_owned);
    let mut rows = vec![head];
    for hub in hubs {
        for day in calendar::days(&*s.store, hub, first, last).await? {
            let (there, taken) = (day.offered(), day.taken);
            let of = |taken: u32, there: u32| format!("{taken}/{there}");
            let [ten, twenty, twenty_six] = [0, 1, 2].map(|i| of(taken.trucks[i], there.trucks[i]));
            rows.push([
                hub.id.to_owned(),
                day.date.to_string(),
                day.date.format("%a").to_string(),
                of(taken.mates, there.mates),
                ten,
                twenty,
                twenty_six,
                if day.special { "a date of its own".to_owned() } else { String::new() },
            ]);
        }
    }
    let table = columns(&rows, [false, false, false, true, true, true, true, false]);
    Ok(format!("{table}\nthe most that is taken at one time / what is there\n"))
}

pub fn load(settings: Settings, file: &Path) -> CommandResult {
    let text = String::from_utf8(read_file(file)?)
        .map_err(|_| Failure::new(format!("{} is no text in UTF-8", file.display())))?;
    let calendars = calendar_file::read(&text).map_err(|wrong| {
        Failure::new(format!(
            "{} is no calendar that can be loaded; nothing was changed:\n  {}\nportage calendar show prints one to start from",
            file.display(),
            wrong.join("\n  ")
        ))
    })?;
    let program = Program::build(settings, SimulatorHost::NotNeeded)?;
    match runtime()?.block_on(calendar::load(&program.services, Actor::system(), calendars)) {
        Ok(changes) => Ok(print(&changes.iter().map(change_line).collect::<String>())),
        Err(LoadError::Taken(lacking)) => Err(Failure::new(format!(
            "more is taken than would remain; nothing was changed:\n  {}\nmove or cancel bookings first, or plan more",
            lacking.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n  ")
        ))),
        Err(LoadError::Service(e)) => Err(e.into()),
    }
}

fn change_line(change: &Change) -> String {
    let dates = |list: &[NaiveDate]| list.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let mut parts = Vec::new();
    if change.is_none() {
        parts.push("as it was".to_owned());
    }
    if change.week {
        parts.push("a new week".to_owned());
    }
    if !change.set.is_empty() {
        parts.push(format!("dates set: {}", dates(&change.set)));
    }
    if !change.removed.is_empty() {
        parts.push(format!("dates that follow their weekday again: {}", dates(&change.removed)));
    }
    if !change.past.is_empty() {
        parts.push(format!("passed over, as they are over: {} dates: {}", change.past.len(), dates(&change.past)));
    }
    format!("{}: {}\n", change.hub, parts.join("; "))
}
