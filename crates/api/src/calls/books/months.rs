//! Months of the books: closed by administrators, reopened with a reason, taken along for the accounting program.

use actix_web::web;
use kernel::chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use service::{
    FieldProblem,
    desk::{
        accounting::{self, Content, Posting},
        months::{self, BookMonth, BookMonths},
    },
    ports::periods::Month,
};
use utoipa::ToSchema;
use validator::Validate;

use crate::{
    access::AsStaff,
    calls::{
        replies::{Json, Made, Reply, made},
        spreadsheet::{self, text},
        values::{AccountingContentCode, BookMonthStateCode},
    },
    contract::{CommonError, DeclaredAnswer, refusals},
    http::{ValidJson, ValidQuery, texts},
    state::State,
};

made! {
    /// Rows with their names, UTF-8 with a byte order mark.
    AccountingFile: DeclaredAnswer::plain(200, "Entries that balance, with the names of their columns.", "text/csv");
}

refusals! {
    /// Why a month is not closed.
    CloseRefusal { Rule: MonthNotEnded, MonthOrder }
}

refusals! {
    /// Why a month is not reopened.
    ReopenRefusal { Rule: MonthOrder }
}

refusals! {
    /// Why a month is not taken along.
    AccountingRefusal { Rule: ExportTooLarge }
}

/// Which month.
#[derive(Debug, Deserialize, ToSchema, Validate)]
pub(super) struct CloseMonthRequest {
    /// `2027-01`; the calendar is Montreal's.
    #[schema(pattern = "^[0-9]{4}-(0[1-9]|1[0-2])$", max_length = 7)]
    month: String,
}

/// Which month, and why.
#[derive(Debug, Deserialize, ToSchema, Validate)]
pub(super) struct ReopenMonthRequest {
    /// `2027-01`: the month that was closed last.
    #[schema(pattern = "^[0-9]{4}-(0[1-9]|1[0-2])$", max_length = 7)]
    month: String,
    /// Kept in the audit trail.
    #[validate(length(min = 1, max = 500))]
    #[schema(min_length = 1, max_length = 500)]
    reason: String,
}

/// What of which month.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct AccountingQuery {
    /// `2027-01`; the calendar is Montreal's.
    #[schema(pattern = "^[0-9]{4}-(0[1-9]|1[0-2])$", max_length = 7)]
    month: String,
    /// Every entry of the journal, the journal with one entry a day, or the invoices and credit notes of the month.
    #[serde(default = "journal")]
    #[schema(value_type = AccountingContentCode, default = "journal")]
    content: String,
}

fn journal() -> String {
    Content::Journal.code().to_owned()
}

/// A month of the books.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BookMonthRow {
    /// `2027-01`.
    month: String,
    #[schema(value_type = BookMonthStateCode)]
    state: &'static str,
    /// When it was closed; none for one before the first that was.
    closed_at: Option<DateTime<Utc>>,
    /// By whom.
    closed_by: Option<String>,
    /// An administrator may close it now.
    may_close: bool,
    /// An administrator may reopen it now.
    may_reopen: bool,
    /// When it ends, or ended, in the last time zone the company works in.
    ends_at: DateTime<Utc>,
}

/// The months of the books.
#[derive(Debug, Serialize, ToSchema)]
pub struct BookMonthList {
    /// The newest first, from that of the first entry on.
    data: Vec<BookMonthRow>,
    /// Now, as the server sees it.
    at: DateTime<Utc>,
}

impl From<BookMonth> for BookMonthRow {
    fn from(m: BookMonth) -> BookMonthRow {
        BookMonthRow {
            month: m.month.to_string(),
            state: m.standing.code(),
            closed_at: m.closed_at,
            closed_by: m.closed_by,
            may_close: m.may_close,
            may_reopen: m.may_reopen,
            ends_at: m.ends_at,
        }
    }
}

impl From<BookMonths> for BookMonthList {
    fn from(list: BookMonths) -> BookMonthList {
        BookMonthList { data: list.months.into_iter().map(BookMonthRow::from).collect(), at: list.at }
    }
}

fn read(month: &str) -> Result<Month, CommonError> {
    month.parse().map_err(|_| CommonError::field("month", FieldProblem::Invalid))
}

pub(super) async fn list(state: web::Data<State>, who: AsStaff) -> Reply<Json<BookMonthList>> {
    Ok(Json(months::list(&state.services, &who.0).await?.into()))
}

pub(super) async fn close(
    state: web::Data<State>,
    who: AsStaff,
    body: ValidJson<CloseMonthRequest>,
) -> Reply<Json<BookMonthList>, CloseRefusal> {
    let month = read(&body.value.month)?;
    Ok(Json(months::close(&state.services, &who.0, month).await?.into()))
}

pub(super) async fn reopen(
    state: web::Data<State>,
    who: AsStaff,
    body: ValidJson<ReopenMonthRequest>,
) -> Reply<Json<BookMonthList>, ReopenRefusal> {
    let month = read(&body.value.month)?;
    Ok(Json(months::reopen(&state.services, &who.0, month, body.value.reason).await?.into()))
}

/// The first ten are those of Xero's template for manual journals, the others are what QuickBooks Online asks for.
const COLUMNS: &str = "*Narration,*Date,Description,*AccountCode,*TaxRate,*Amount,TrackingName1,TrackingOption1,\
                       TrackingName2,TrackingOption2,JournalNo,AccountName,Debits,Credits,Name,Reference,Currency";
/// Taxes are lines of their own: no line has one inside.
const NO_TAX: &str = "Tax Exempt";

pub(super) async fn file(
    state: web::Data<State>,
    who: AsStaff,
    query: ValidQuery<AccountingQuery>,
) -> Reply<Made<AccountingFile>, AccountingRefusal> {
    let AccountingQuery { month, content } = query.value;
    let month = read(&month)?;
    let content = Content::from_code(&content).ok_or_else(|| CommonError::field("content", FieldProblem::Unknown))?;
    let language = who.0.caller().language;
    let postings = accounting::month(&state.services, &who.0, month, content, language).await?;
    let account = |p: &Posting| texts::text(&format!("account.{}", p.account.code()), language);
    let file = spreadsheet::file(COLUMNS, postings.iter().map(|p| row(p, &account(p))));
    Ok(Made::new(spreadsheet::response(&format!("{}-{month}", content.code()), file)))
}

fn row(p: &Posting, account: &str) -> String {
    let (debit, credit) = match p.amount.is_negative() {
        true => (String::new(), p.amount.negated().to_string()),
        false => (p.amount.to_string(), String::new()),
    };
    // A minus before an amount is no formula: were it guarded as words are, no program would take it for a number.
    [
        text(&p.narration),
        p.date.format("%d/%m/%Y").to_string(),
        text(&p.description),
        accounting::number(p.account).to_string(),
        NO_TAX.to_owned(),
        p.amount.to_string(),
        String::new(),
        String::new(),
        String::new(),
        String::new(),
        text(&p.number),
        text(account),
        debit,
        credit,
        text(&p.name),
        text(&p.reference),
        "CAD".to_owned(),
    ]
    .join(",")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use kernel::Money;
    use service::ports::ledger::Account;

    use super::*;

    #[test]
    fn words_are_no_formula_and_amounts_stay_numbers() {
        let posting = |amount| Posting {
            number: "2027-000001".into(),
            date: "2027-02-01".parse().unwrap(),
            narration: "=cmd|' /C calc'!A1".into(),
            description: "-2+3".into(),
            about: String::new(),
            account: Account::Customer,
            amount: Money::from_cents(amount),
            name: "@SUM(A1:A9), \"Roy\"".into(),
            reference: "+1 514 555-0100".into(),
        };
        assert_eq!(
            row(&posting(-123_456), "Avances"),
            "\"'=cmd|' /C calc'!A1\",01/02/2027,\"'-2+3\",2100,Tax Exempt,-1234.56,,,,,\"2027-000001\",\"Avances\",,1234.56,\
             \"'@SUM(A1:A9), \"\"Roy\"\"\",\"'+1 514 555-0100\",CAD"
        );
        assert!(row(&posting(5), "x").contains(",0.05,,,,,\"2027-000001\",\"x\",0.05,,"));
    }
}
