//! The file `portage calendar` reads and writes: TOML, so that people may say why beside a line.

use std::collections::BTreeMap;

use kernel::chrono::NaiveDate;
use serde::Deserialize;
use service::{
    calendar::{CLOSED, HubCalendar},
    ports::capacity::DayCapacity,
};

/// More of anything is a slip of the keyboard.
const MOST: u32 = 1_000;
/// As the file names them, Monday first.
const WEEKDAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const FORM: &str = "{ mates = 12, trucks = { 10ft = 2, 20ft = 2, 26ft = 1 } } or { closed = true }";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    hubs: BTreeMap<String, Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    week: Week,
    #[serde(default)]
    dates: BTreeMap<String, Day>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Week {
    weekdays: Option<Day>,
    weekend: Option<Day>,
    monday: Option<Day>,
    tuesday: Option<Day>,
    wednesday: Option<Day>,
    thursday: Option<Day>,
    friday: Option<Day>,
    saturday: Option<Day>,
    sunday: Option<Day>,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(deny_unknown_fields)]
struct Day {
    #[serde(default)]
    closed: bool,
    mates: Option<u32>,
    trucks: Option<Trucks>,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(deny_unknown_fields)]
struct Trucks {
    #[serde(rename = "10ft", default)]
    ten: u32,
    #[serde(rename = "20ft", default)]
    twenty: u32,
    #[serde(rename = "26ft", default)]
    twenty_six: u32,
}

/// The calendars of a file.
///
/// # Errors
/// Every mistake, each with its place in the file; of those that leave the file unreadable, the first.
pub fn read(text: &str) -> Result<Vec<HubCalendar>, Vec<String>> {
    let file: File = serde_path_to_error::deserialize(toml::Deserializer::new(text)).map_err(|e| {
        let (path, inner) = (e.path().to_string(), e.inner());
        let line = inner.span().map(|at| text[..at.start.min(text.len())].matches('\n').count() + 1);
        let place = line.map_or_else(String::new, |n| format!("line {n}: "));
        let part = if path == "." { String::new() } else { format!("{path}: ") };
        vec![format!("{place}{part}{}", inner.message())]
    })?;
    let mut wrong = Vec::new();
    let calendars: Vec<HubCalendar> = file.hubs.iter().filter_map(|(id, entry)| hub(id, entry, &mut wrong)).collect();
    if calendars.is_empty() && wrong.is_empty() {
        wrong.push("hubs: names no hub".to_owned());
    }
    if wrong.is_empty() { Ok(calendars) } else { Err(wrong) }
}

fn hub(id: &str, entry: &Entry, wrong: &mut Vec<String>) -> Option<HubCalendar> {
    let place = format!("hubs.{id}");
    let known = geography::hub(id);
    if known.is_none() {
        let all: Vec<&str> = geography::hubs().iter().map(|h| h.id).collect();
        wrong.push(format!("{place}: there is no such hub; they are {}", all.join(", ")));
    }
    let w = &entry.week;
    for (name, day) in [("weekdays", w.weekdays), ("weekend", w.weekend)] {
        if let Some(day) = day {
            capacity(&format!("{place}.week.{name}"), day, wrong);
        }
    }
    let named = [w.monday, w.tuesday, w.wednesday, w.thursday, w.friday, w.saturday, w.sunday];
    let mut week = [CLOSED; 7];
    for (i, (name, day)) in WEEKDAYS.iter().zip(named).enumerate() {
        let place = format!("{place}.week.{name}");
        let group = if i < 5 { w.weekdays } else { w.weekend };
        week[i] = match (day, group) {
            (Some(day), _) => capacity(&place, day, wrong),
            // Its mistakes were told above.
            (None, Some(group)) => capacity(&place, group, &mut Vec::new()),
            (None, None) => {
                wrong.push(format!("{place}: is missing; write {FORM}"));
                CLOSED
            }
        };
    }
    let mut dates = BTreeMap::new();
    for (text, day) in &entry.dates {
        let place = format!("{place}.dates.{text}");
        let day = capacity(&place, *day, wrong);
        match text.parse::<NaiveDate>() {
            // chrono takes 2027-7-1 as well, and then a day could be named twice.
            Ok(date) if date.to_string() == *text => drop(dates.insert(date, day)),
            _ => wrong.push(format!("{place}: is no day such as 2027-07-01")),
        }
    }
    known.map(|hub| HubCalendar { hub: hub.id, week, dates })
}

fn capacity(place: &str, day: Day, wrong: &mut Vec<String>) -> DayCapacity {
    let mut bounded = |part: &str, n: u32| {
        if n > MOST {
            wrong.push(format!("{place}.{part}: must be at most {MOST}"));
        }
        n
    };
    match day {
        Day { closed: true, mates: None, trucks: None } => CLOSED,
        Day { closed: false, mates: Some(mates), trucks: Some(t) } => DayCapacity {
            mates: bounded("mates", mates),
            trucks: [
                bounded("trucks.10ft", t.ten),
                bounded("trucks.20ft", t.twenty),
                bounded("trucks.26ft", t.twenty_six),
            ],
        },
        Day { closed: true, .. } => {
            wrong.push(format!("{place}: is closed and has people or trucks; write {FORM}"));
            CLOSED
        }
        _ => {
            wrong.push(format!("{place}: must say both mates and trucks; write {FORM}"));
            CLOSED
        }
    }
}

/// A calendar as a part of such a file.
pub fn write(calendar: &HubCalendar) -> String {
    let mut text = format!("[hubs.{}.week]\n", calendar.hub);
    for (name, day) in WEEKDAYS.iter().zip(&calendar.week) {
        text += &format!("{name:<9} = {}\n", words(day));
    }
    if !calendar.dates.is_empty() {
        text += &format!("\n[hubs.{}.dates]\n", calendar.hub);
        for (date, day) in &calendar.dates {
            text += &format!("{date} = {}\n", words(day));
        }
    }
    text
}

fn words(day: &DayCapacity) -> String {
    if *day == CLOSED {
        return "{ closed = true }".to_owned();
    }
    let [ten, twenty, twenty_six] = day.trucks;
    format!("{{ mates = {}, trucks = {{ 10ft = {ten}, 20ft = {twenty}, 26ft = {twenty_six} }} }}", day.mates)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const EXAMPLE: &str = include_str!("../../../fixtures/calendar.toml");

    #[test]
    fn the_example_is_in_order_and_reads_back_as_written() {
        let read_once = read(EXAMPLE).unwrap();
        assert!(!read_once.is_empty());
        for calendar in &read_once {
            assert_eq!(read(&write(calendar)).unwrap().as_slice(), std::slice::from_ref(calendar));
            assert!(calendar.week.iter().any(|day| day.mates >= 6), "{}", calendar.hub);
        }
        let july: NaiveDate = "2027-07-01".parse().unwrap();
        let montreal = read_once.iter().find(|c| c.hub == "montreal").unwrap();
        assert!(montreal.on(july).mates > montreal.week[3].mates, "moving day has more people than other Thursdays");
        assert!(montreal.dates.values().any(|day| *day == CLOSED));
        // Everything that may be written is explained.
        for word in ["closed", "weekdays", "weekend", "mates", "10ft"] {
            assert!(EXAMPLE.contains(word), "{word}");
        }
    }

    #[test]
    fn a_days_own_line_wins_over_its_group() {
        let text = "[hubs.montreal.week]\nweekdays = { mates = 8, trucks = { 10ft = 1 } }\nfriday = { mates = 9, trucks = {} }\nweekend = { closed = true }\n";
        let week = read(text).unwrap()[0].week;
        assert_eq!(week.map(|d| d.mates), [8, 8, 8, 8, 9, 0, 0]);
        assert_eq!((week[0].trucks, week[4].trucks), ([1, 0, 0], [0, 0, 0]));
    }

    #[test]
    fn every_mistake_is_told_with_its_place() {
        let week = "weekdays = { mates = 8, trucks = { 10ft = 1 } }\nweekend = { closed = true }\n";
        for (text, told) in [
            ("hubs = 3", vec!["line 1: hubs: invalid type: integer"]),
            ("[hubs.montreal.week]\nmonday = ", vec!["line 2: "]),
            ("", vec!["missing field `hubs`"]),
            ("[hubs]", vec!["hubs: names no hub"]),
            ("[hubs.montreal]", vec!["hubs.montreal: missing field `week`"]),
            (
                &format!("[hubs.montreal.week]\n{week}moonday = {{ closed = true }}"),
                vec!["line 4: hubs.montreal.week.moonday: unknown field `moonday`"],
            ),
            (
                "[hubs.montreal.week]\nweekdays = { mates = -1, trucks = {} }",
                vec!["line 2: hubs.montreal.week.weekdays.mates: invalid value: integer `-1`"],
            ),
            (
                "[hubs.montreal.week]\nweekdays = { mates = 1, trucks = { 12ft = 1 } }",
                vec!["hubs.montreal.week.weekdays.trucks.12ft: unknown field"],
            ),
            // What can be read is told as a whole.
            (
                &format!(
                    "[hubs.paris.week]\n{week}[hubs.toronto.week]\nweekdays = {{ mates = 2000, trucks = {{}} }}\nsaturday = {{ mates = 3 }}\n[hubs.toronto.dates]\n2027-02-30 = {{ closed = true }}\n2027-7-1 = {{ closed = true, mates = 3 }}\n"
                ),
                vec![
                    "hubs.paris: there is no such hub; they are montreal",
                    "hubs.toronto.week.weekdays.mates: must be at most 1000",
                    "hubs.toronto.week.saturday: must say both mates and trucks",
                    "hubs.toronto.week.sunday: is missing",
                    "hubs.toronto.dates.2027-02-30: is no day",
                    "hubs.toronto.dates.2027-7-1: is closed and has people",
                    "hubs.toronto.dates.2027-7-1: is no day",
                ],
            ),
        ] {
            let mistakes = read(text).unwrap_err();
            assert_eq!(mistakes.len(), told.len(), "{text}\n{mistakes:#?}");
            for (mistake, told) in mistakes.iter().zip(told) {
                assert!(mistake.contains(told), "{told:?} is not in {mistake:?}");
            }
        }
    }
}
