//! The two calls of every catalogue: its file, and a file back.

use actix_web::web;
use serde::{Deserialize, Serialize};
use service::{
    idempotency::Replayable,
    imports::{self, Catalogue, Problem, Report, Wrong, rates::Difference},
};
use utoipa::ToSchema;

use super::sheet::{self, Column, Mistake, Sheet, mistake, refused};
use crate::{
    access::AsStaff,
    calls::{
        catalogues::common::TAG,
        replies::{Made, Once, Reply, made},
        spreadsheet,
    },
    contract::{CommonError, DeclaredAnswer},
    endpoint::{Audit, Example, Route, STAFF},
    http::{
        ApiError, IdempotencyKey, ValidQuery,
        csv::{CsvUpload, MEDIA},
        sizes,
    },
    state::State,
};

/// The most mistakes of a file that an answer lists.
const MOST_TOLD: usize = 100;

made! {
    /// A catalogue, UTF-8 with a byte order mark.
    CatalogueFile: DeclaredAnswer::plain(200, "The catalogue, with the names of its columns.", "text/csv");
}

/// Whether a file is kept.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ImportQuery {
    /// Everything is tried and told, and nothing is kept.
    #[serde(default = "trial")]
    #[schema(default = true)]
    pub dry_run: bool,
}

const fn trial() -> bool {
    true
}

/// What is wrong in a file.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ImportMistake {
    /// The line, from 1; the names of columns count as one.
    line: usize,
    /// The name of the column, if it is in one.
    column: Option<String>,
    /// In the language of the request.
    message: String,
}

impl From<Mistake> for ImportMistake {
    fn from(m: Mistake) -> ImportMistake {
        ImportMistake { line: m.line, column: m.column, message: m.message }
    }
}

/// What became of a file, or would.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CatalogueImport {
    /// It was only tried.
    dry_run: bool,
    /// Something was written.
    saved: bool,
    /// Rows of the file that are not empty.
    rows: usize,
    /// New records.
    added: usize,
    /// Records that say something else than before.
    changed: usize,
    /// Records that said so before.
    unchanged: usize,
    /// What is wrong, by line, at most 100. With one of them nothing is kept.
    errors: Vec<ImportMistake>,
    /// How many more there are.
    more_errors: usize,
}

impl CatalogueImport {
    /// The answer for a file that was saved.
    pub(super) fn saved(report: &Report) -> CatalogueImport {
        CatalogueImport {
            dry_run: false,
            saved: report.saved,
            rows: report.added + report.changed + report.unchanged,
            added: report.added,
            changed: report.changed,
            unchanged: report.unchanged,
            errors: Vec::new(),
            more_errors: 0,
        }
    }
}

/// The mistakes that the use case found in a row, in words. `key` is the column that identifies the record.
pub(super) fn mistakes_of(wrong: Wrong, key: &str, known: &[Column], language: kernel::Language) -> Vec<Mistake> {
    match wrong.problem {
        Problem::Twice(first) => {
            let first = first.to_string();
            vec![mistake(wrong.line, Some(key), "csv.rowTwice", language, &[("n", first.as_str())])]
        }
        Problem::Several => vec![mistake(wrong.line, Some(key), "csv.several", language, &[])],
        Problem::Refused(e) => refused(wrong.line, &ApiError::from(e), known, language),
        // Only rate cards have this problem: their paths are the columns of no other file.
        Problem::NoFigure(path) => {
            vec![mistake(wrong.line, Some("path"), "csv.noFigure", language, &[("path", path.as_str())])]
        }
        Problem::NotAFigure(path) => {
            vec![mistake(wrong.line, Some("value"), "csv.notAFigure", language, &[("path", path.as_str())])]
        }
        Problem::OtherVersion(other) => vec![other_version(wrong.line, &other, language)],
    }
}

/// The mistake of a row that differs from a saved version, and what to do about it.
fn other_version(line: usize, other: &Difference, language: kernel::Language) -> Mistake {
    let key = match (&other.here, &other.file) {
        (None, _) => "csv.otherVersion.onlyFile",
        (_, None) => "csv.otherVersion.onlyHere",
        (Some(_), Some(_)) => "csv.otherVersion",
    };
    let [version, next] = [other.version, other.next].map(|n| n.to_string());
    let [here, file] = [&other.here, &other.file].map(|said| said.as_deref().unwrap_or_default());
    let values = [
        ("version", version.as_str()),
        ("next", next.as_str()),
        ("place", other.at.name()),
        ("here", here),
        ("file", file),
        ("card", other.name.as_str()),
    ];
    mistake(line, Some(other.at.column()), key, language, &values)
}

async fn export<S: Sheet>(state: web::Data<State>, who: AsStaff) -> Reply<Made<CatalogueFile>> {
    let records = imports::export::<S::Catalogue>(&state.services, &who.0).await?;
    let (names, rows) = S::table(&records);
    let cells = |row: Vec<String>| row.iter().map(|cell| spreadsheet::text(cell)).collect::<Vec<_>>().join(",");
    let file = spreadsheet::file(&names.join(","), rows.into_iter().map(cells));
    Ok(Made::new(spreadsheet::response(<S::Catalogue as Catalogue>::NAME, file)))
}

pub(super) type ImportOnce = Once<CatalogueImport, 200>;

async fn import<S: Sheet>(
    state: web::Data<State>,
    who: AsStaff,
    query: ValidQuery<ImportQuery>,
    key: IdempotencyKey,
    file: CsvUpload,
) -> Reply<ImportOnce> {
    let (dry_run, language) = (query.value.dry_run, who.0.caller().language);
    let digest = file.digest();
    let reading = web::block(move || sheet::read::<S>(&file.bytes, language));
    let parsed = reading.await.map_err(CommonError::internal)?;
    let (rows, mut mistakes) = (parsed.rows, parsed.mistakes);
    let mut report = Report::default();
    if !parsed.forms.is_empty() {
        // Mistakes of readable rows are reported together with rows that cannot be read.
        let is_trial = dry_run || !mistakes.is_empty();
        let guard = match is_trial {
            true => None,
            false => ImportOnce::guard(key, who.0.caller(), S::CALL, &digest, CatalogueImport::saved),
        };
        let sheet = imports::Sheet { given: parsed.given, rows: parsed.forms, is_trial };
        match imports::import::<S::Catalogue>(&state.services, &who.0, sheet, guard).await? {
            Replayable::Fresh(done) => report = done,
            Replayable::Replayed { status, body } => {
                return Ok(Once::of(Replayable::Replayed { status, body }, CatalogueImport::saved)?);
            }
        }
    }
    let wrong = std::mem::take(&mut report.wrong);
    let known = S::columns();
    mistakes.extend(wrong.into_iter().flat_map(|wrong| mistakes_of(wrong, S::KEY, &known, language)));
    answered(dry_run, rows, &report, mistakes)
}

/// The answer about a file of `rows` rows.
pub(super) fn answered(dry_run: bool, rows: usize, report: &Report, mut mistakes: Vec<Mistake>) -> Reply<ImportOnce> {
    mistakes.sort_by_key(|m| m.line);
    let more_errors = mistakes.len().saturating_sub(MOST_TOLD);
    mistakes.truncate(MOST_TOLD);
    let answer = CatalogueImport {
        dry_run,
        rows,
        errors: mistakes.into_iter().map(ImportMistake::from).collect(),
        more_errors,
        ..CatalogueImport::saved(report)
    };
    Ok(Once::of(Replayable::Fresh(answer), CatalogueImport::clone)?)
}

/// The words of the document about the calls of one catalogue.
pub(super) struct Words {
    /// Their path.
    pub path: &'static str,
    /// Operation id and summary of the file.
    pub file: (&'static str, &'static str),
    /// Operation id and summary of a file back.
    pub back: (&'static str, &'static str),
    /// A file that is taken.
    pub example: &'static str,
}

/// The rows of the table of one catalogue.
pub(super) fn routes<S: Sheet>(words: &Words) -> Vec<Route> {
    rows(
        words,
        Route::get(words.path, STAFF, export::<S>),
        Route::post(words.path, STAFF, Audit::Action("catalogue.import"), import::<S>),
    )
}

/// What the rows of the table say of both calls.
pub(super) fn rows(words: &Words, export: Route, import: Route) -> Vec<Route> {
    vec![
        export
            .audited(Audit::Action("catalogue.export"))
            .doc(words.file.0, TAG, words.file.1)
            .about("A column for each field of the JSON form, by its name; lists in one cell are parted by `|`. What a spreadsheet would take for a formula has an apostrophe before it, which the import takes off again."),
        import
            .takes(sizes::TABLE)
            .doc(words.back.0, TAG, words.back.1)
            .about("All rows are written or none: with an error nothing is saved, and the answer lists what is wrong by line. A row whose record is there changes it, any other is added; records that are not in the file stay, and so do fields without a column. At most 10,000 rows. `application/vnd.ms-excel` and `text/plain` are taken as well.")
            .example(Example { query: &[("dryRun", "false")], ..Example::text(MEDIA, words.example) }),
    ]
}
