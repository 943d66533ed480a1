//! Balances, the report of a day, and what lies in trust.

use actix_web::web;
use kernel::{
    Money,
    chrono::{DateTime, NaiveDate, Utc},
};
use serde::{Deserialize, Serialize};
use service::{
    desk::books::{self, ByWay, Day, ZONE},
    ports::{books::InTrust, ledger::Account},
};
use utoipa::ToSchema;

use crate::{
    access::AsStaff,
    calls::{
        replies::{Json, Made, Reply, made},
        spreadsheet::{self, text},
        values::{AccountCode, Cash, PaidWithCode},
    },
    contract::DeclaredAnswer,
    http::{ValidQuery, texts},
    state::State,
};

made! {
    /// Rows with their names, UTF-8 with a byte order mark.
    TrustFile: DeclaredAnswer::plain(200, "What lies in trust, with the names of its columns.", "text/csv");
}

/// At which instant.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct InstantQuery {
    /// Now when it is not said.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub(super) at: Option<DateTime<Utc>>,
}

/// Which day.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct DayQuery {
    /// Montreal's; today when it is not said.
    #[schema(value_type = Option<String>, format = Date)]
    date: Option<NaiveDate>,
}

/// Which rows of the trust report.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct TrustQuery {
    /// As it was then; now when it is not said.
    #[schema(value_type = Option<String>, format = DateTime)]
    at: Option<DateTime<Utc>>,
    /// Page, from 1.
    #[serde(default = "first")]
    #[schema(minimum = 1, maximum = 1_000_000, default = 1)]
    page: usize,
    /// Rows a page.
    #[serde(default = "fifty")]
    #[schema(minimum = 1, maximum = 100, default = 50)]
    per_page: usize,
}

const fn first() -> usize {
    1
}

const fn fifty() -> usize {
    50
}

/// An account with its balance.
#[derive(Debug, Serialize, ToSchema)]
pub struct BalanceRow {
    #[schema(value_type = AccountCode)]
    account: &'static str,
    /// In the language of the caller.
    name: String,
    /// Debits less credits.
    balance: Cash,
}

/// Every account at an instant.
#[derive(Debug, Serialize, ToSchema)]
pub struct BalancesAnswer {
    at: DateTime<Utc>,
    /// They add up to zero.
    accounts: Vec<BalanceRow>,
    currency: &'static str,
}

/// Money by the way it came or went.
#[derive(Debug, Serialize, ToSchema)]
pub struct WayRow {
    /// None where no payment is behind it.
    #[schema(value_type = Option<PaidWithCode>)]
    method: Option<&'static str>,
    amount: Cash,
}

/// A tax.
#[derive(Debug, Serialize, ToSchema)]
pub struct TaxRow {
    #[schema(value_type = AccountCode)]
    tax: &'static str,
    amount: Cash,
}

/// What was moved in an account.
#[derive(Debug, Serialize, ToSchema)]
pub struct MovedRow {
    #[schema(value_type = AccountCode)]
    account: &'static str,
    /// In the language of the caller.
    name: String,
    debit: Cash,
    credit: Cash,
}

/// The end of a day.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DayAnswer {
    date: NaiveDate,
    /// Zone of the day.
    zone: String,
    came_in: Vec<WayRow>,
    went_out: Vec<WayRow>,
    /// Earned by moves that were done, before tax.
    earned: Cash,
    /// Kept of cancellations, before tax.
    kept: Cash,
    taxes: Vec<TaxRow>,
    /// Tips that came, owed to the crews.
    tips: Cash,
    /// What was moved in each account that was touched; debits and credits are equal.
    accounts: Vec<MovedRow>,
    /// Differences that the newest comparison left open.
    differences: usize,
    /// When that was.
    compared_at: Option<DateTime<Utc>>,
    currency: &'static str,
}

/// What is held in trust for a booking.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TrustRow {
    booking_id: String,
    short_id: String,
    customer: String,
    /// Day of the move, of its own zone.
    move_date: NaiveDate,
    /// Since when something of it lies there.
    since: DateTime<Utc>,
    amount: Cash,
}

/// What is held in trust.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TrustAnswer {
    at: DateTime<Utc>,
    /// The next move first.
    data: Vec<TrustRow>,
    /// Of how many.
    total: usize,
    /// From 1.
    page: usize,
    /// Rows a page.
    per_page: usize,
    /// The sum of all rows.
    amount: Cash,
    /// What the account says; the same, or something is wrong.
    account: Cash,
    currency: &'static str,
}

fn name(account: Account, who: &AsStaff) -> String {
    texts::text(&format!("account.{}", account.code()), who.0.caller().language)
}

pub(super) async fn balances(
    state: web::Data<State>,
    who: AsStaff,
    query: ValidQuery<InstantQuery>,
) -> Reply<Json<BalancesAnswer>> {
    let at = query.value.at.unwrap_or_else(|| state.services.clock.now());
    let found = books::balances(&state.services, &who.0, at).await?;
    let row = |(account, balance): (Account, Money)| BalanceRow {
        account: account.code(),
        name: name(account, &who),
        balance: balance.into(),
    };
    Ok(Json(BalancesAnswer { at, accounts: found.into_iter().map(row).collect(), currency: "CAD" }))
}

fn ways(list: &ByWay) -> Vec<WayRow> {
    list.iter().map(|(way, amount)| WayRow { method: way.map(|w| w.code()), amount: (*amount).into() }).collect()
}

pub(super) async fn day(state: web::Data<State>, who: AsStaff, query: ValidQuery<DayQuery>) -> Reply<Json<DayAnswer>> {
    let today = || ZONE.local(state.services.clock.now()).date;
    let found: Day = books::day(&state.services, &who.0, query.value.date.unwrap_or_else(today)).await?;
    let moved = |(account, debit, credit): &(Account, Money, Money)| MovedRow {
        account: account.code(),
        name: name(*account, &who),
        debit: (*debit).into(),
        credit: (*credit).into(),
    };
    Ok(Json(DayAnswer {
        date: found.date,
        zone: ZONE.to_string(),
        came_in: ways(&found.came_in),
        went_out: ways(&found.went_out),
        earned: found.earned.into(),
        kept: found.kept.into(),
        taxes: found.taxes.iter().map(|(tax, amount)| TaxRow { tax: tax.code(), amount: (*amount).into() }).collect(),
        tips: found.tips.into(),
        accounts: found.accounts.iter().map(moved).collect(),
        differences: found.differences,
        compared_at: found.compared_at,
        currency: "CAD",
    }))
}

fn row(held: &InTrust) -> TrustRow {
    TrustRow {
        booking_id: held.booking.id.to_string(),
        short_id: held.booking.short_id.to_string(),
        customer: held.booking.details.customer_name.clone(),
        move_date: held.booking.move_date,
        since: held.since,
        amount: held.amount.into(),
    }
}

pub(super) async fn trust(
    state: web::Data<State>,
    who: AsStaff,
    query: ValidQuery<TrustQuery>,
) -> Reply<Json<TrustAnswer>> {
    let TrustQuery { at, page, per_page } = query.value;
    let at = at.unwrap_or_else(|| state.services.clock.now());
    let found = books::trust(&state.services, &who.0, at).await?;
    let skip = page.saturating_sub(1).saturating_mul(per_page);
    Ok(Json(TrustAnswer {
        at,
        data: found.held.iter().skip(skip).take(per_page).map(row).collect(),
        total: found.held.len(),
        page,
        per_page,
        amount: found.total.into(),
        account: found.account.into(),
        currency: "CAD",
    }))
}

pub(super) async fn trust_file(
    state: web::Data<State>,
    who: AsStaff,
    query: ValidQuery<InstantQuery>,
) -> Reply<Made<TrustFile>> {
    let at = query.value.at.unwrap_or_else(|| state.services.clock.now());
    let found = books::trust_file(&state.services, &who.0, at).await?;
    let line = |held: &InTrust| {
        let (short, customer) = (text(held.booking.short_id.as_str()), text(&held.booking.details.customer_name));
        let since = ZONE.local(held.since).date;
        format!("{short},{customer},{},{since},{}", held.booking.move_date, held.amount)
    };
    let file = spreadsheet::file("booking,customer,moveDate,since,amount", found.held.iter().map(line));
    Ok(Made::new(spreadsheet::response("trust", file)))
}
