//! A catalogue as a sheet: its columns, and rows made into the forms that the JSON calls take.

use kernel::{Address, Language};
use serde_json::{Map, Value, json};
use service::{
    FieldProblem,
    imports::{Catalogue, Row, SheetColumns},
};

use super::{
    accepted::Accepts,
    amounts, lists,
    read::{self, Unreadable},
};
use crate::{
    calls::spreadsheet,
    http::{
        ApiError,
        problem::{self, Field},
        texts,
    },
};

/// The most rows of a file.
pub(super) const MOST_ROWS: usize = 10_000;

/// What stands in the cells of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Words, a day, a code.
    Text,
    /// Dollars or a percentage, as spreadsheets of any language write it.
    Amount,
    /// A whole number.
    Number,
    /// `true` or `false`, yes or no in the languages of the people.
    Flag,
    /// Words parted by `|`.
    List,
    /// Papers of a mate.
    Documents,
    /// People of a partner.
    Contacts,
}

impl Kind {
    /// A cell as the JSON form has it. What is of another kind stays a text, and is refused as the JSON call refuses it.
    fn value(self, cell: &str) -> Value {
        match self {
            Kind::Text => json!(cell),
            Kind::Amount => amounts::plain(cell).map_or_else(|| json!(cell), |amount| json!(amount)),
            Kind::Number => cell.parse::<i64>().map_or_else(|_| json!(cell), |n| json!(n)),
            Kind::Flag => match cell.to_lowercase().as_str() {
                "true" | "1" | "yes" | "oui" | "vrai" | "是" => json!(true),
                "false" | "0" | "no" | "non" | "faux" | "否" => json!(false),
                _ => json!(cell),
            },
            Kind::List => lists::values(cell),
            Kind::Documents => lists::documents(cell),
            Kind::Contacts => lists::contacts(cell),
        }
    }
}

/// A column that a file may have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Column {
    /// Its name, the field's: `validFrom`, `address.street`.
    pub name: String,
    /// The field of the form it is a part of.
    pub field: String,
    /// What its cells hold.
    pub kind: Kind,
    /// No file and no row without it.
    pub is_needed: bool,
    /// What stands in for a wrong cell of a needed column while the rest of its row is looked at.
    pub stand_in: &'static str,
    /// Its cells are compared with those of other columns: what is said of them holds only where none of those is guessed.
    pub is_compared: bool,
    /// It is named where the known columns are listed.
    pub is_listed: bool,
    /// What a refusal of its cells names.
    pub(super) accepts: Accepts,
}

impl Column {
    pub(super) fn new(name: &str, kind: Kind) -> Column {
        let field = name.split('.').next().unwrap_or(name).to_owned();
        Column {
            name: name.to_owned(),
            field,
            kind,
            is_needed: false,
            stand_in: "",
            is_compared: false,
            is_listed: true,
            accepts: match kind {
                Kind::Flag => Accepts::Flag,
                Kind::Documents => Accepts::Papers,
                Kind::Contacts => Accepts::People,
                Kind::Text | Kind::Amount | Kind::Number | Kind::List => Accepts::Anything,
            },
        }
    }

    /// Where a refusal names what is taken.
    pub(super) fn of(self, accepts: Accepts) -> Column {
        Column { accepts, ..self }
    }

    pub(super) fn needed(name: &str, stand_in: &'static str) -> Column {
        Column { is_needed: true, stand_in, ..Column::new(name, Kind::Text) }
    }
}

/// The parts of an address.
const ADDRESS: [&str; 7] = ["street", "unit", "city", "province", "postalCode", "country", "fullAddress"];

/// The columns of an address.
pub(super) fn address_columns(group: &str) -> Vec<Column> {
    let column = |part: &str| Column::new(&format!("{group}.{part}"), Kind::Text);
    let accepts = |part: &str| if part == "province" { Accepts::Provinces } else { Accepts::Anything };
    ADDRESS.iter().map(|part| column(part).of(accepts(part))).collect()
}

/// The cells of an address.
pub(super) fn address_cells(address: Option<&Address>) -> Vec<String> {
    match address {
        None => vec![String::new(); ADDRESS.len()],
        Some(a) => vec![
            a.street.clone(),
            a.unit.clone(),
            a.city.clone(),
            a.province.code().to_owned(),
            a.postal_code.to_string(),
            a.country.clone(),
            a.full_address.clone(),
        ],
    }
}

/// The form of a sheet's catalogue.
pub(super) type FormOf<S> = <<S as Sheet>::Catalogue as Catalogue>::Form;
/// The record of a sheet's catalogue.
pub(super) type RecordOf<S> = <<S as Sheet>::Catalogue as Catalogue>::Record;

/// A catalogue as a sheet.
pub(super) trait Sheet: Sized + 'static {
    /// Whose records they are.
    type Catalogue: Catalogue;

    /// The call that takes a file, as keys of repeated requests name it.
    const CALL: &'static str;
    /// The column that says which record a row means.
    const KEY: &'static str;

    /// Every column a file may have.
    fn columns() -> Vec<Column>;

    /// The form of a row, by the rules of the JSON call; wrong fields are named as its columns are.
    ///
    /// # Errors
    /// What is wrong with the row.
    fn form(row: Map<String, Value>) -> Result<FormOf<Self>, ApiError>;

    /// The names of the columns of a file with these records, and a row of cells for each.
    fn table(records: &[RecordOf<Self>]) -> (Vec<String>, Vec<Vec<String>>);
}

/// What is wrong with a row of a file, or with the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mistake {
    /// Where it stands.
    pub line: usize,
    /// In which column, if in one.
    pub column: Option<String>,
    /// In words.
    pub message: String,
}

/// What a file says.
#[derive(Debug)]
pub(super) struct ParsedSheet<F> {
    /// How many rows it has.
    pub rows: usize,
    /// What it has columns of.
    pub given: SheetColumns,
    /// The rows that are in order by themselves.
    pub forms: Vec<Row<F>>,
    /// Everything that is not.
    pub mistakes: Vec<Mistake>,
}

/// A mistake in a line that a text tells.
pub(super) fn mistake(
    line: usize,
    column: Option<&str>,
    key: &str,
    language: Language,
    values: &[(&str, &str)],
) -> Mistake {
    let message = texts::filled(key, language, values.iter().copied());
    Mistake { line, column: column.map(str::to_owned), message }
}

/// What a call would have refused, as mistakes in a line of these columns.
pub(super) fn refused(line: usize, e: &ApiError, known: &[Column], language: Language) -> Vec<Mistake> {
    if e.fields.is_empty() {
        let message = problem::body(e, language)["detail"].as_str().unwrap_or_default().to_owned();
        return vec![Mistake { line, column: None, message }];
    }
    let to_mistake = |f: &Field| {
        let name = column_of(f);
        let accepts = known.iter().find(|c| c.name == name).map_or(Accepts::Anything, |c| c.accepts);
        Mistake { line, column: Some(name.to_owned()), message: accepts.words(f, language) }
    };
    e.fields.iter().map(to_mistake).collect()
}

/// A list is one cell: `hubs[1]` stands in the column `hubs`.
fn column_of(field: &Field) -> &str {
    field.path.split('[').next().unwrap_or(&field.path)
}

/// Names of columns are the same whatever their case and spaces.
fn bare(name: &str) -> String {
    name.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).collect()
}

/// Which column each cell of the first line names; none for an empty one.
fn head(
    cells: &[String],
    line: usize,
    known: &[Column],
    language: Language,
) -> Result<Vec<Option<usize>>, Vec<Mistake>> {
    let listed: Vec<&str> = known.iter().filter(|c| c.is_listed).map(|c| c.name.as_str()).collect();
    let listed = listed.join(", ");
    let (mut found, mut wrong) = (Vec::new(), Vec::new());
    for cell in cells {
        let name = cell.trim();
        let at = known.iter().position(|c| bare(&c.name) == bare(name));
        let key = match at {
            None if name.is_empty() => None,
            None => Some("csv.unknownColumn"),
            Some(_) if found.contains(&at) => Some("csv.columnTwice"),
            Some(_) => None,
        };
        if let Some(key) = key {
            wrong.push(mistake(line, Some(name), key, language, &[("column", name), ("known", listed.as_str())]));
        }
        found.push(at);
    }
    for (at, column) in known.iter().enumerate() {
        if column.is_needed && !found.contains(&Some(at)) {
            let name = column.name.as_str();
            let values = [("column", name), ("known", listed.as_str())];
            wrong.push(mistake(line, Some(name), "csv.missingColumn", language, &values));
        }
    }
    if wrong.is_empty() { Ok(found) } else { Err(wrong) }
}

/// Puts a value where its column belongs: `address.city` is the city of the address.
fn put(object: &mut Map<String, Value>, name: &str, value: Value) {
    match name.split_once('.') {
        None => {
            object.insert(name.to_owned(), value);
        }
        Some((group, part)) => {
            let group = object.entry(group).or_insert_with(|| json!({}));
            if let Some(group) = group.as_object_mut() {
                group.insert(part.to_owned(), value);
            }
        }
    }
}

/// Reads a file. What is wrong with it is told in `language`.
pub(super) fn read<S: Sheet>(bytes: &[u8], language: Language) -> ParsedSheet<FormOf<S>> {
    let check = |form| S::Catalogue::checked(form).map(drop).map_err(ApiError::from);
    read_as(bytes, language, &S::columns(), S::form, check)
}

/// As [`read`], with these columns, this way to make a row a form, and this look at a form.
pub(super) fn read_as<F>(
    bytes: &[u8],
    language: Language,
    known: &[Column],
    form: impl Fn(Map<String, Value>) -> Result<F, ApiError>,
    check: impl Fn(F) -> Result<(), ApiError>,
) -> ParsedSheet<F> {
    let mut parsed = ParsedSheet { rows: 0, given: SheetColumns::default(), forms: Vec::new(), mistakes: Vec::new() };
    let lines = match read::lines(bytes) {
        Ok(lines) => lines,
        Err(Unreadable::NoText) => {
            parsed.mistakes.push(mistake(1, None, "csv.noText", language, &[]));
            return parsed;
        }
        Err(Unreadable::OpenQuote(line)) => {
            parsed.mistakes.push(mistake(line, None, "csv.openQuote", language, &[]));
            return parsed;
        }
    };
    let Some((first, rows)) = lines.split_first() else {
        parsed.mistakes.push(mistake(1, None, "csv.noNames", language, &[]));
        return parsed;
    };
    parsed.rows = rows.len();
    let places = match head(&first.cells, first.number, known, language) {
        Ok(places) => places,
        Err(wrong) => {
            parsed.mistakes = wrong;
            return parsed;
        }
    };
    if let Some(beyond) = rows.get(MOST_ROWS) {
        let most = MOST_ROWS.to_string();
        parsed.mistakes.push(mistake(beyond.number, None, "csv.tooManyRows", language, &[("n", most.as_str())]));
        return parsed;
    }
    parsed.given = SheetColumns::of(places.iter().flatten().filter_map(|at| known.get(*at)).map(|c| c.field.clone()));
    for line in rows {
        match row(&line.cells, &places, known, &form, &check) {
            Ok(form) => parsed.forms.push(Row { line: line.number, form }),
            Err(Refused::More) => parsed.mistakes.push(mistake(line.number, None, "csv.moreCells", language, &[])),
            Err(Refused::Form(e)) => parsed.mistakes.extend(refused(line.number, &e, known, language)),
        }
    }
    parsed
}

/// Why a row is no form.
enum Refused {
    /// It has cells beyond the named columns.
    More,
    /// The call would refuse it. (An error of the API is large.)
    Form(Box<ApiError>),
}

fn row<F>(
    cells: &[String],
    places: &[Option<usize>],
    known: &[Column],
    form: impl Fn(Map<String, Value>) -> Result<F, ApiError>,
    check: impl Fn(F) -> Result<(), ApiError>,
) -> Result<F, Refused> {
    let mut object = Map::new();
    let mut filled = Vec::new();
    let mut wrong = Vec::new();
    // A stand-in says nothing of the columns that are compared with it.
    let mut is_guessed = false;
    for (at, cell) in cells.iter().enumerate() {
        let words = spreadsheet::words(cell).trim();
        if words.is_empty() {
            // What is not said is left out, as in JSON.
            continue;
        }
        let column = places.get(at).copied().flatten().and_then(|at| known.get(at)).ok_or(Refused::More)?;
        put(&mut object, &column.name, column.kind.value(words));
        filled.push(column);
    }
    for column in known.iter().filter(|c| c.is_needed && !filled.contains(c)) {
        wrong.push(Field::new(column.name.as_str(), FieldProblem::Required));
        gives_way(&mut object, known, &column.name);
        is_guessed = true;
    }
    // What is wrong gives way to what is right, so that the next mistake of the row is told as well.
    loop {
        match form(object.clone()) {
            Ok(read) if wrong.is_empty() => return Ok(read),
            Ok(read) => {
                if let Err(e) = check(read) {
                    let holds =
                        |f: &Field| !is_guessed || !known.iter().any(|c| c.is_compared && c.name == column_of(f));
                    add(&mut wrong, e.fields.into_iter().filter(holds).collect());
                }
                break;
            }
            Err(e) if e.fields.is_empty() => {
                if wrong.is_empty() {
                    return Err(Refused::Form(Box::new(e)));
                }
                break;
            }
            Err(e) => {
                let mut is_other = false;
                for name in e.fields.iter().map(column_of) {
                    is_other |= gives_way(&mut object, known, name);
                    is_guessed |= known.iter().any(|c| c.is_needed && c.name == name);
                }
                add(&mut wrong, e.fields);
                if !is_other {
                    break;
                }
            }
        }
    }
    Err(Refused::Form(Box::new(ApiError::invalid(wrong))))
}

/// Adds what was not told yet.
fn add(wrong: &mut Vec<Field>, more: Vec<Field>) {
    for field in more {
        if !wrong.iter().any(|known| known.path == field.path) {
            wrong.push(field);
        }
    }
}

/// Puts the stand-in of a needed column in its place and takes any other away, with its whole group where the column is
/// what the group lacks. Whether that changed something.
fn gives_way(object: &mut Map<String, Value>, known: &[Column], name: &str) -> bool {
    if let Some(column) = known.iter().find(|c| c.is_needed && c.name == name) {
        let stand_in = column.kind.value(column.stand_in);
        return object.insert(name.to_owned(), stand_in.clone()) != Some(stand_in);
    }
    match name.split_once('.') {
        None => object.remove(name).is_some(),
        Some((group, part)) => {
            let parts = object.get_mut(group).and_then(Value::as_object_mut);
            parts.is_some_and(|parts| parts.remove(part).is_some()) || object.remove(group).is_some()
        }
    }
}
