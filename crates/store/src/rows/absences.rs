//! Absences.

use chrono::NaiveDate;
use diesel::prelude::*;
use kernel::{AbsenceId, MateId, TruckId};
use scheduling::TruckClass;
use service::ports::{
    StoreResult,
    absences::{Absence, Absentee},
};

use crate::{
    columns::{Id, Instant},
    error::{out_of_range, unknown},
    schema::absences,
};

const TABLE: &str = "absences";

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = absences, treat_none_as_default_value = false)]
pub struct AbsenceRow {
    pub id: Id,
    pub hub: String,
    pub mate_id: Option<Id>,
    pub truck_id: Option<Id>,
    pub truck_feet: Option<i32>,
    pub first_day: NaiveDate,
    pub last_day: NaiveDate,
    pub reason: String,
    pub created_at: Instant,
}

impl AbsenceRow {
    pub fn of(a: &Absence) -> StoreResult<Self> {
        let feet = |class: TruckClass| i32::try_from(class.feet()).map_err(out_of_range("absences.truck_feet"));
        let (mate_id, truck_id, truck_feet) = match a.who {
            Absentee::Mate(mate) => (Some(Id(mate.0)), None, None),
            Absentee::Truck(truck, class) => (None, Some(Id(truck.0)), Some(feet(class)?)),
        };
        Ok(AbsenceRow {
            id: Id(a.id.0),
            hub: a.hub.clone(),
            mate_id,
            truck_id,
            truck_feet,
            first_day: a.first,
            last_day: a.last,
            reason: a.reason.clone(),
            created_at: Instant(a.created_at),
        })
    }

    pub fn read(self) -> StoreResult<Absence> {
        let id = self.id.0;
        let class = |feet: i32| TruckClass::ALL.into_iter().find(|c| i32::try_from(c.feet()) == Ok(feet));
        let who = match (self.mate_id, self.truck_id, self.truck_feet.and_then(class)) {
            (Some(mate), None, None) => Absentee::Mate(MateId(mate.0)),
            (None, Some(truck), Some(class)) => Absentee::Truck(TruckId(truck.0), class),
            _ => return Err(unknown(TABLE, "truck_feet", &id, &format!("{:?}", self.truck_feet))),
        };
        Ok(Absence {
            id: AbsenceId(id),
            hub: self.hub,
            who,
            first: self.first_day,
            last: self.last_day,
            reason: self.reason,
            created_at: self.created_at.0,
        })
    }
}
