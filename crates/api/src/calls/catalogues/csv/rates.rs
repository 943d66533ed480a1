//! Rate cards as a sheet: one row for each figure of each version, so that prices stand below each other.

use std::{collections::BTreeMap, sync::LazyLock};

use actix_web::web;
use kernel::chrono::{DateTime, Utc};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use service::{
    idempotency::Replayable,
    imports::{
        Report,
        rates::{self, Version, figures, instant},
    },
    ports::rates::StoredRate,
};
use utoipa::ToSchema;
use validator::Validate;

use super::{
    accepted::Accepts,
    calls::{self, CatalogueFile, CatalogueImport, ImportOnce, ImportQuery, Words, answered, mistakes_of},
    sheet::{Column, Kind, Mistake, mistake, read_as},
};
use crate::{
    access::AsStaff,
    calls::{
        replies::{Made, Once, Reply},
        spreadsheet,
    },
    contract::CommonError,
    endpoint::{Audit, Route, STAFF},
    http::{IdempotencyKey, ValidQuery, csv::CsvUpload, json as forms},
    state::State,
};

const CALL: &str = "POST /api/catalogues/rates/csv";

/// A file that is taken: every figure of a card, as a version needs them.
static EXAMPLE: LazyLock<String> = LazyLock::new(|| {
    let all = figures(&serde_json::to_value(pricing::RateCard::builtin()).unwrap_or_default());
    let row = |(path, value): (String, String)| {
        format!("From a file,1,2029-01-01T05:00:00Z,{},{}\r\n", spreadsheet::text(&path), spreadsheet::text(&value))
    };
    format!("name,version,effectiveFrom,path,value\r\n{}", all.into_iter().map(row).collect::<String>())
});

/// A row: one figure of one version.
#[derive(Debug, Clone, Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Figure {
    #[schema(min_length = 1, max_length = 100)]
    name: String,
    #[schema(minimum = 1, maximum = 1_000_000)]
    version: i32,
    effective_from: DateTime<Utc>,
    #[serde(default)]
    effective_to: Option<DateTime<Utc>>,
    #[schema(min_length = 1, max_length = 200)]
    path: String,
    #[serde(default)]
    #[schema(max_length = 1_000)]
    value: String,
}

fn columns() -> Vec<Column> {
    vec![
        Column::needed("name", "X"),
        Column { kind: Kind::Number, ..Column::needed("version", "1") },
        Column::needed("effectiveFrom", "2027-01-01T00:00:00Z").of(Accepts::Instant),
        Column::new("effectiveTo", Kind::Text).of(Accepts::Instant),
        Column::needed("path", "about"),
        Column::needed("value", "1"),
    ]
}

/// Sets the figure at a path.
fn put(card: &mut Value, path: &str, value: Value) -> Result<(), ()> {
    let mut place = card;
    let mut steps = path.split('.').peekable();
    while let Some(step) = steps.next() {
        let (name, rest) = step.split_at(step.find('[').unwrap_or(step.len()));
        let object = place.as_object_mut().ok_or(())?;
        place = object.entry(name).or_insert(Value::Null);
        for n in rest.split('[').skip(1) {
            let n: usize = n.strip_suffix(']').and_then(|n| n.parse().ok()).ok_or(())?;
            if place.is_null() {
                *place = json!([]);
            }
            let list = place.as_array_mut().ok_or(())?;
            // Lists have no gaps: the figures of a place come one after the other.
            if n > list.len() || n > 1_000 {
                return Err(());
            }
            if n == list.len() {
                list.push(Value::Null);
            }
            place = list.get_mut(n).ok_or(())?;
        }
        if place.is_null() && steps.peek().is_some() {
            *place = json!({});
        }
    }
    if !place.is_null() {
        return Err(());
    }
    *place = value;
    Ok(())
}

fn value_of(cell: &str) -> Value {
    serde_json::from_str(cell).unwrap_or_else(|_| Value::from(cell))
}

/// The versions that the rows make up, and what is wrong with rows.
fn versions(rows: Vec<service::imports::Row<Figure>>, language: kernel::Language) -> (Vec<Version>, Vec<Mistake>) {
    let mut found: BTreeMap<(String, i32), Version> = BTreeMap::new();
    let mut mistakes = Vec::new();
    for service::imports::Row { line, form } in rows {
        let key = (form.name.clone(), form.version);
        let version = found.entry(key).or_insert_with(|| Version {
            name: form.name.clone(),
            number: form.version,
            from: form.effective_from,
            to: form.effective_to,
            card: Value::Object(Map::new()),
            lines: BTreeMap::new(),
        });
        if let Some(first) = version.lines.get(&form.path) {
            let first = first.to_string();
            mistakes.push(mistake(line, Some("path"), "csv.rowTwice", language, &[("n", first.as_str())]));
            continue;
        }
        if (version.from, version.to) != (form.effective_from, form.effective_to) {
            mistakes.push(mistake(line, Some("effectiveFrom"), "csv.otherTimes", language, &[]));
            continue;
        }
        match put(&mut version.card, &form.path, value_of(&form.value)) {
            Ok(()) => {
                version.lines.insert(form.path, line);
            }
            Err(()) => mistakes.push(mistake(line, Some("path"), "csv.noPlace", language, &[])),
        }
    }
    (found.into_values().collect(), mistakes)
}

async fn export(state: web::Data<State>, who: AsStaff) -> Reply<Made<CatalogueFile>> {
    let all = rates::export(&state.services, &who.0).await?;
    let names: Vec<String> = columns().into_iter().map(|c| c.name).collect();
    let rows = all.iter().flat_map(rows_of);
    let cells = |row: Vec<String>| row.iter().map(|cell| spreadsheet::text(cell)).collect::<Vec<_>>().join(",");
    let file = spreadsheet::file(&names.join(","), rows.map(cells));
    Ok(Made::new(spreadsheet::response(rates::NAME, file)))
}

fn rows_of(rate: &StoredRate) -> Vec<Vec<String>> {
    let all = figures(&serde_json::to_value(&rate.card).unwrap_or_default());
    let row = |(path, value)| {
        vec![
            rate.name.clone(),
            rate.version.to_string(),
            instant(rate.effective_from),
            rate.effective_to.map(instant).unwrap_or_default(),
            path,
            value,
        ]
    };
    all.into_iter().map(row).collect()
}

async fn import(
    state: web::Data<State>,
    who: AsStaff,
    query: ValidQuery<ImportQuery>,
    key: IdempotencyKey,
    file: CsvUpload,
) -> Reply<ImportOnce> {
    let (dry_run, language) = (query.value.dry_run, who.0.caller().language);
    let digest = file.digest();
    let reading = web::block(move || {
        let form = |row| forms::of_value::<Figure>(&Value::Object(row));
        let parsed = read_as(&file.bytes, language, &columns(), form, |_| Ok(()));
        let (versions, wrong) = versions(parsed.forms, language);
        (parsed.rows, versions, [parsed.mistakes, wrong].concat())
    });
    let (rows, versions, mut mistakes) = reading.await.map_err(CommonError::internal)?;
    let mut report = Report::default();
    if !versions.is_empty() {
        let is_trial = dry_run || !mistakes.is_empty();
        let guard = match is_trial {
            true => None,
            false => ImportOnce::guard(key, who.0.caller(), CALL, &digest, CatalogueImport::saved),
        };
        match rates::import(&state.services, &who.0, versions, is_trial, guard).await? {
            Replayable::Fresh(done) => report = done,
            Replayable::Replayed { status, body } => {
                return Ok(Once::of(Replayable::Replayed { status, body }, CatalogueImport::saved)?);
            }
        }
    }
    for wrong in std::mem::take(&mut report.wrong) {
        mistakes.extend(mistakes_of(wrong, "name", &columns(), language));
    }
    answered(dry_run, rows, &report, mistakes)
}

/// Their part of the table.
pub(super) fn routes() -> Vec<Route> {
    let path = "/api/catalogues/rates/csv";
    calls::rows(
        &Words {
            path,
            file: ("exportRates", "Rate cards as CSV: every figure of every version, by name and number"),
            back: ("importRates", "Rate cards from CSV: versions that are not there are added"),
            example: EXAMPLE.as_str(),
        },
        Route::get(path, STAFF, export),
        Route::post(path, STAFF, Audit::Action("catalogue.import"), import),
    )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_card_comes_back_from_its_figures() {
        let card = serde_json::to_value(pricing::RateCard::builtin()).unwrap();
        let all = figures(&card);
        assert!(all.len() > 100, "{}", all.len());
        let mut back = json!({});
        for (path, value) in all {
            put(&mut back, &path, value_of(&value)).unwrap();
        }
        assert_eq!(back, card);
    }

    #[test]
    fn texts_stay_texts() {
        for text in ["2027", "true", "null", "", " ", "[]", "July 1", "\"quoted\""] {
            assert_eq!(value_of(&figures(&json!({ "a": text }))[0].1), json!(text));
        }
    }

    #[test]
    fn a_path_that_leads_nowhere_is_refused() {
        let mut card = json!({});
        put(&mut card, "a.b", json!(1)).unwrap();
        // A name may come again further down.
        put(&mut card, "c.d.c", json!(1)).unwrap();
        for path in ["a", "a.b", "a.b.c", "a[0]", "l[1]", "l[x]"] {
            assert!(put(&mut card.clone(), path, json!(2)).is_err(), "{path}");
        }
    }
}
