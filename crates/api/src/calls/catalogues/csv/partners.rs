//! Partners as a sheet. The first address has the columns `address.street` and so on, the second one `address2.street`,
//! as many as the partner with the most of them needs.

use serde_json::{Map, Value};
use service::{imports::partners::Partners, partners::Form, ports::directory::PartnerRecord};

use super::{
    accepted::Accepts,
    calls::{self, Words},
    lists,
    sheet::{Column, Kind, Sheet, address_cells, address_columns},
};
use crate::{
    calls::catalogues::partners::PartnerRequest,
    endpoint::Route,
    http::{ApiError, json},
};

/// The most addresses of one partner, as in the JSON form.
const MOST: usize = 50;

struct Companies;

/// What the columns of an address begin with, from 1.
fn group(n: usize) -> String {
    if n == 1 { "address".to_owned() } else { format!("address{n}") }
}

fn columns(addresses: usize) -> Vec<Column> {
    let before = [
        Column::needed("name", "X"),
        Column::new("state", Kind::Text).of(Accepts::PartnerStates),
        Column::new("rateName", Kind::Text),
        Column::new("netDays", Kind::Number),
        Column::new("language", Kind::Text).of(Accepts::Languages),
        Column::new("contacts", Kind::Contacts),
    ];
    let of_group = |n: usize| {
        let part = move |c: Column| Column { field: "addresses".to_owned(), is_listed: n == 1, ..c };
        address_columns(&group(n)).into_iter().map(part)
    };
    before.into_iter().chain((1..=addresses).flat_map(of_group)).collect()
}

impl Sheet for Companies {
    type Catalogue = Partners;

    const CALL: &'static str = "POST /api/catalogues/partners/csv";
    const KEY: &'static str = "name";

    fn columns() -> Vec<Column> {
        columns(MOST)
    }

    fn form(mut row: Map<String, Value>) -> Result<Form, ApiError> {
        // A row may leave a group of columns empty: its list of addresses has no gaps.
        let filled: Vec<(String, Value)> =
            (1..=MOST).filter_map(|n| Some((group(n), row.remove(&group(n))?))).collect();
        let (groups, addresses): (Vec<String>, Vec<Value>) = filled.into_iter().unzip();
        row.insert("addresses".to_owned(), Value::Array(addresses));
        let read = json::of_value::<PartnerRequest>(&Value::Object(row)).and_then(|request| Ok(request.form()?));
        read.map_err(|mut e| {
            for field in &mut e.fields {
                field.path = in_columns(&field.path, &groups);
            }
            e
        })
    }

    fn table(records: &[PartnerRecord]) -> (Vec<String>, Vec<Vec<String>>) {
        let most = records.iter().map(|p| p.addresses.len()).max().unwrap_or(0).clamp(1, MOST);
        let rows = records.iter().map(|p| cells(p, most)).collect();
        (columns(most).into_iter().map(|c| c.name).collect(), rows)
    }
}

/// `addresses[1].city` is the city in the second of the groups that are filled.
fn in_columns(path: &str, groups: &[String]) -> String {
    let place = path.strip_prefix("addresses[").and_then(|rest| rest.split_once(']'));
    let named = place.and_then(|(at, part)| Some((groups.get(at.parse::<usize>().ok()?)?, part)));
    named.map_or_else(|| path.to_owned(), |(group, part)| format!("{group}{part}"))
}

fn cells(p: &PartnerRecord, addresses: usize) -> Vec<String> {
    let mut cells = vec![
        p.name.clone(),
        p.state.code().to_owned(),
        p.rate_name.clone().unwrap_or_default(),
        p.net_days.to_string(),
        p.language.map(|l| l.code().to_owned()).unwrap_or_default(),
        lists::people(&p.contacts),
    ];
    for at in 0..addresses {
        cells.extend(address_cells(p.addresses.get(at)));
    }
    cells
}

/// Their part of the table.
pub(super) fn routes() -> Vec<Route> {
    calls::routes::<Companies>(&Words {
        path: "/api/catalogues/partners/csv",
        file: ("exportPartners", "Partners as CSV, by name"),
        back: ("importPartners", "Partners from CSV, each named by its name"),
        example: "name,netDays,contacts,address.street,address.city,address.province,address.postalCode\r\nFrom a file,30,Paul Gagnon <paul@outremont.test> 514-555-0170,1200 Avenue Bernard,Montréal,QC,H2V 1V3\r\n",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_address_is_named_by_its_columns() {
        let groups = ["address".to_owned(), "address3".to_owned()];
        for (path, column) in [
            ("addresses[0].city", "address.city"),
            ("addresses[1].postalCode", "address3.postalCode"),
            ("addresses[2].city", "addresses[2].city"),
            ("contacts[0].email", "contacts[0].email"),
            ("addresses", "addresses"),
        ] {
            assert_eq!(in_columns(path, &groups), column);
        }
    }
}
