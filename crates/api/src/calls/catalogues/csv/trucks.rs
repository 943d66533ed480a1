//! Trucks as a sheet.

use kernel::chrono::NaiveDate;
use serde_json::{Map, Value};
use service::{
    imports::trucks::Trucks,
    ports::directory::TruckRecord,
    trucks::{Form, TruckClass},
};

use super::{
    accepted::Accepts,
    calls::{self, Words},
    sheet::{Column, Kind, Sheet},
};
use crate::{
    calls::catalogues::trucks::TruckRequest,
    endpoint::Route,
    http::{ApiError, json},
};

struct Fleet;

impl Sheet for Fleet {
    type Catalogue = Trucks;

    const CALL: &'static str = "POST /api/catalogues/trucks/csv";
    const KEY: &'static str = "name";

    fn columns() -> Vec<Column> {
        vec![
            Column::needed("name", "X"),
            Column::needed("size", "10ft").of(Accepts::Sizes),
            Column::needed("hub", "montreal").of(Accepts::Hubs),
            Column::new("plate", Kind::Text),
            Column::new("inspectedUntil", Kind::Text).of(Accepts::Day),
            Column::new("insuredUntil", Kind::Text).of(Accepts::Day),
            Column::new("state", Kind::Text).of(Accepts::TruckStates),
        ]
    }

    fn form(row: Map<String, Value>) -> Result<Form, ApiError> {
        Ok(json::of_value::<TruckRequest>(&Value::Object(row))?.form()?)
    }

    fn table(records: &[TruckRecord]) -> (Vec<String>, Vec<Vec<String>>) {
        (Fleet::columns().into_iter().map(|c| c.name).collect(), records.iter().map(cells).collect())
    }
}

fn cells(t: &TruckRecord) -> Vec<String> {
    let size = match t.class {
        TruckClass::TenFoot => "10ft",
        TruckClass::TwentyFoot => "20ft",
        TruckClass::TwentySixFoot => "26ft",
    };
    let day = |day: Option<NaiveDate>| day.map(|d| d.to_string()).unwrap_or_default();
    vec![
        t.name.clone(),
        size.to_owned(),
        t.hub.clone(),
        t.plate.clone(),
        day(t.inspected_until),
        day(t.insured_until),
        t.state.code().to_owned(),
    ]
}

/// Their part of the table.
pub(super) fn routes() -> Vec<Route> {
    calls::routes::<Fleet>(&Words {
        path: "/api/catalogues/trucks/csv",
        file: ("exportTrucks", "Trucks as CSV, by hub and name"),
        back: ("importTrucks", "Trucks from CSV, each named by its name and hub"),
        example: "name,size,hub,plate,inspectedUntil\r\nFrom a file,20ft,montreal,L654321,2027-09-30\r\n",
    })
}
