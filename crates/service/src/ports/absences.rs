//! Absences of mates and trucks: days on which their hub has one less of them. Buckets of capacity are made from the calendar
//! less what is away; see [`super::calendar`].

use chrono::{DateTime, NaiveDate, Utc};
use kernel::{AbsenceId, MateId, TruckId};
use scheduling::TruckClass;

use super::{StoreResult, capacity::DayCapacity};

/// Who or what is absent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Absentee {
    /// A mate.
    Mate(MateId),
    /// A truck, of the class it had when this was written down.
    Truck(TruckId, TruckClass),
}

/// Days on which somebody or something is not there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Absence {
    /// Key.
    pub id: AbsenceId,
    /// The hub that has one less.
    pub hub: String,
    /// Who or what.
    pub who: Absentee,
    /// First local day.
    pub first: NaiveDate,
    /// Last local day, included.
    pub last: NaiveDate,
    /// Why; may be empty.
    pub reason: String,
    /// When it was written down.
    pub created_at: DateTime<Utc>,
}

/// What all of these take from a hub on a date. The absences are those of one hub.
#[must_use]
pub fn lacking(absences: &[Absence], date: NaiveDate) -> DayCapacity {
    let mut lacks = DayCapacity { mates: 0, trucks: [0; 3] };
    for absence in absences.iter().filter(|a| a.first <= date && date <= a.last) {
        match absence.who {
            Absentee::Mate(_) => lacks.mates += 1,
            Absentee::Truck(_, class) => lacks.trucks[class.index()] += 1,
        }
    }
    lacks
}

/// Absences. Who writes one has the calendar of its hub locked ([`super::calendar::Calendars::lock`]); buckets that exist
/// stay as they are until [`super::calendar::Calendars::replan`].
pub trait Absences {
    /// Adds one.
    fn insert(&mut self, absence: &Absence) -> StoreResult<()>;
    /// One of them.
    fn get(&mut self, id: AbsenceId) -> StoreResult<Option<Absence>>;
    /// Removes one. False: it is not there.
    fn remove(&mut self, id: AbsenceId) -> StoreResult<bool>;
    /// Those of a hub, or of all, that have a day from `first` to `last`, by their first day.
    fn between(&mut self, hub: Option<&str>, first: NaiveDate, last: NaiveDate) -> StoreResult<Vec<Absence>>;
    /// Those of a mate or a truck that have a day from `first` to `last`, by their first day. The class of a truck is
    /// not looked at.
    fn of(&mut self, who: Absentee, first: NaiveDate, last: NaiveDate) -> StoreResult<Vec<Absence>>;
    /// The mates who are away on a day, whatever their hub, each once.
    fn mates_away(&mut self, date: NaiveDate) -> StoreResult<Vec<MateId>>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_takes_one_on_its_days_and_on_no_other() {
        let day = |n: u32| NaiveDate::from_ymd_opt(2027, 7, n).unwrap_or_default();
        let away = |who, first, last| Absence {
            id: AbsenceId(kernel::uuid::Uuid::nil()),
            hub: "montreal".to_owned(),
            who,
            first: day(first),
            last: day(last),
            reason: String::new(),
            created_at: DateTime::UNIX_EPOCH,
        };
        let mate = |n: u128| Absentee::Mate(MateId(kernel::uuid::Uuid::from_u128(n)));
        let truck = Absentee::Truck(TruckId(kernel::uuid::Uuid::nil()), TruckClass::TwentyFoot);
        let all = [away(mate(1), 1, 3), away(mate(2), 3, 3), away(truck, 2, 4)];
        let lacks = |n| lacking(&all, day(n));
        let want = |mates, twenty| DayCapacity { mates, trucks: [0, twenty, 0] };
        assert_eq!([1, 2, 3, 4, 5].map(lacks), [want(1, 0), want(1, 1), want(2, 1), want(0, 1), want(0, 0)]);
    }
}
