//! How many mates and trucks each hub has: by weekday, and more of them on Quebec's moving day.

use kernel::{
    Province,
    chrono::{DateTime, Datelike as _, NaiveDate, Utc},
};
use service::{
    ServiceResult,
    ports::{StoreError, Unit, capacity::DayCapacity},
};

/// On a working day, on Saturday, on Sunday.
struct Week {
    working: DayCapacity,
    saturday: DayCapacity,
    sunday: DayCapacity,
}

const fn crew(mates: u32, trucks: [u32; 3]) -> DayCapacity {
    DayCapacity { mates, trucks }
}

/// The two large depots work every day, the middling ones with fewer people, the small ones with
/// one truck of each class.
fn week(hub: &str) -> Week {
    match hub {
        "montreal" => Week { working: crew(24, [4, 4, 3]), saturday: crew(32, [5, 5, 4]), sunday: crew(14, [3, 2, 2]) },
        "vancouver" | "toronto" => {
            Week { working: crew(18, [3, 3, 2]), saturday: crew(22, [4, 3, 3]), sunday: crew(10, [2, 2, 1]) }
        }
        "ottawa" | "calgary" | "edmonton" => {
            Week { working: crew(12, [2, 2, 2]), saturday: crew(14, [2, 2, 2]), sunday: crew(8, [1, 1, 1]) }
        }
        _ => Week { working: crew(8, [1, 1, 1]), saturday: crew(8, [1, 1, 1]), sunday: crew(6, [1, 1, 1]) },
    }
}

/// Trucks of a hub by class: as many as the fullest day of its week needs. Those of [`MOVING_DAY`] are hired.
pub fn trucks(hub: &str) -> [u32; 3] {
    let week = week(hub);
    let days = [week.working, week.saturday, week.sunday];
    [0, 1, 2].map(|class| days.iter().map(|day| day.trucks[class]).max().unwrap_or_default())
}

/// Everybody works on July 1.
const MOVING_DAY: DayCapacity = crew(48, [8, 8, 6]);
/// Said beside it.
const WHY: &str = "Moving day";
/// Years before and after this one that have their moving day in the calendar.
const YEARS: std::ops::RangeInclusive<i32> = -1..=3;

/// Writes the calendar of every hub.
pub fn write(u: &mut dyn Unit, now: DateTime<Utc>) -> ServiceResult<()> {
    for hub in geography::hubs() {
        let week = week(hub.id);
        for weekday in 0..7 {
            let day = match weekday {
                5 => week.saturday,
                6 => week.sunday,
                _ => week.working,
            };
            u.capacities().set_default(hub.id, weekday, day)?;
        }
        if hub.province == Province::QC {
            for year in YEARS {
                moving_day(u, hub.id, now.year() + year)?;
            }
        }
    }
    Ok(())
}

fn moving_day(u: &mut dyn Unit, hub: &str, year: i32) -> ServiceResult<()> {
    let Some(date) = NaiveDate::from_ymd_opt(year, 7, 1) else { return Ok(()) };
    match u.capacities().set_override(hub, date, MOVING_DAY) {
        Ok(()) => Ok(u.calendars().set_date(hub, date, MOVING_DAY, WHY)?),
        // More than that is promised already: people changed the calendar, and rightly so.
        Err(StoreError::Refused(_)) => Ok(()),
        Err(e) => Err(e.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_hub_can_do_a_large_move_on_every_day() {
        for hub in geography::hubs() {
            let week = week(hub.id);
            for day in [week.working, week.saturday, week.sunday] {
                assert!(day.mates >= 6 && day.trucks.iter().all(|t| *t > 0), "{}", hub.id);
            }
        }
    }
}
