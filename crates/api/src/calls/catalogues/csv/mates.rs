//! Mates as a sheet.

use serde_json::{Map, Value};
use service::{imports::mates::Mates, mates::Form, ports::directory::MateRecord};

use super::{
    accepted::Accepts,
    calls::{self, Words},
    lists,
    sheet::{Column, Kind, Sheet, address_cells, address_columns},
};
use crate::{
    calls::catalogues::mates::MateRequest,
    endpoint::Route,
    http::{ApiError, json},
};

struct Crew;

impl Sheet for Crew {
    type Catalogue = Mates;

    const CALL: &'static str = "POST /api/catalogues/mates/csv";
    const KEY: &'static str = "email";

    fn columns() -> Vec<Column> {
        let before = vec![
            Column::needed("name", "X"),
            Column::new("email", Kind::Text),
            Column::new("phone", Kind::Text),
            Column::new("state", Kind::Text).of(Accepts::MateStates),
        ];
        let behind = vec![
            Column::new("neq", Kind::Text),
            Column::new("tps", Kind::Text),
            Column::new("tvq", Kind::Text),
            Column::new("skills", Kind::List),
            Column::new("languages", Kind::List).of(Accepts::Languages),
            Column::new("hubs", Kind::List).of(Accepts::Hubs),
            Column::new("documents", Kind::Documents),
            Column::new("payRate", Kind::Amount),
        ];
        [before, address_columns("address"), behind].concat()
    }

    fn form(row: Map<String, Value>) -> Result<Form, ApiError> {
        Ok(json::of_value::<MateRequest>(&Value::Object(row))?.form()?)
    }

    fn table(records: &[MateRecord]) -> (Vec<String>, Vec<Vec<String>>) {
        (Crew::columns().into_iter().map(|c| c.name).collect(), records.iter().map(cells).collect())
    }
}

fn cells(m: &MateRecord) -> Vec<String> {
    let number = |number: &Option<String>| number.clone().unwrap_or_default();
    let before = vec![m.name.clone(), m.email.clone(), m.phone.clone(), m.state.code().to_owned()];
    let behind = vec![
        number(&m.neq),
        number(&m.tps),
        number(&m.tvq),
        lists::joined(m.skills.iter().map(String::as_str)),
        lists::joined(m.languages.iter().map(|l| l.code())),
        lists::joined(m.hubs.iter().map(String::as_str)),
        lists::papers(&m.documents),
        m.pay_rate.map(|pay| pay.to_string()).unwrap_or_default(),
    ];
    [before, address_cells(m.address.as_ref()), behind].concat()
}

/// Their part of the table.
pub(super) fn routes() -> Vec<Route> {
    calls::routes::<Crew>(&Words {
        path: "/api/catalogues/mates/csv",
        file: ("exportMates", "Mates as CSV, by name"),
        back: ("importMates", "Mates from CSV, each named by the e-mail address, or by name without one"),
        example: "name,email,phone,skills,languages,documents,payRate\r\nAnne Caron,from-a-file@portage.test,514-555-0143,piano,fr|en,Driving licence#R456=2028-05-31,24.50\r\n",
    })
}
