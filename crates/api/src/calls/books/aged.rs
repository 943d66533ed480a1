//! What customers and partners owe, by age.

use actix_web::web;
use kernel::chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use service::desk::aged::{self, ByAge, Debt, Debtor};
use utoipa::ToSchema;

use super::reports::InstantQuery;
use crate::{
    access::AsStaff,
    calls::{
        replies::{Json, Made, Reply, made},
        spreadsheet::{self, text},
        values::Cash,
    },
    contract::DeclaredAnswer,
    http::ValidQuery,
    state::State,
};

made! {
    /// Rows with their names, UTF-8 with a byte order mark.
    AgedFile: DeclaredAnswer::plain(200, "What is owed, booking by booking, with the names of its columns.", "text/csv");
}

/// Which debtors.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct AgedQuery {
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

/// Amounts by how late they are.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AgedAmounts {
    not_due: Cash,
    /// 1 to 30 days late.
    to30: Cash,
    /// 31 to 60 days late.
    to60: Cash,
    /// 61 to 90 days late.
    to90: Cash,
    over90: Cash,
    /// Together.
    total: Cash,
}

/// What is owed for a booking.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AgedBooking {
    booking_id: String,
    short_id: String,
    /// Day of the move, of its own zone.
    move_date: NaiveDate,
    amount: Cash,
    /// Since when; none while it is not due.
    due_at: Option<DateTime<Utc>>,
    /// Whole days of Montreal's calendar.
    days_late: i64,
}

/// What a customer or partner owes.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AgedDebtor {
    name: String,
    /// None for customers.
    partner_id: Option<String>,
    amounts: AgedAmounts,
    /// The oldest first.
    bookings: Vec<AgedBooking>,
}

/// What is owed, by age.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AgedAnswer {
    at: DateTime<Utc>,
    /// Who owes most first.
    data: Vec<AgedDebtor>,
    /// Of how many.
    total: usize,
    /// From 1.
    page: usize,
    /// Rows a page.
    per_page: usize,
    /// Of all of them.
    amounts: AgedAmounts,
    /// What is held for customers whose move is to come.
    held: Cash,
    /// What the accounts of customers say: what is owed less what is held, or something is wrong.
    accounts: Cash,
    currency: &'static str,
}

fn amounts(by_age: ByAge) -> AgedAmounts {
    let [not_due, to30, to60, to90, over90] = by_age;
    AgedAmounts {
        not_due: not_due.into(),
        to30: to30.into(),
        to60: to60.into(),
        to90: to90.into(),
        over90: over90.into(),
        total: by_age.into_iter().sum::<kernel::Money>().into(),
    }
}

fn booking(debt: &Debt) -> AgedBooking {
    AgedBooking {
        booking_id: debt.booking.id.to_string(),
        short_id: debt.booking.short_id.to_string(),
        move_date: debt.booking.move_date,
        amount: debt.amount.into(),
        due_at: debt.due_at,
        days_late: debt.days_late,
    }
}

fn debtor(d: &Debtor) -> AgedDebtor {
    AgedDebtor {
        name: d.name.clone(),
        partner_id: d.partner.map(|id| id.to_string()),
        amounts: amounts(d.by_age),
        bookings: d.debts.iter().map(booking).collect(),
    }
}

pub(super) async fn list(
    state: web::Data<State>,
    who: AsStaff,
    query: ValidQuery<AgedQuery>,
) -> Reply<Json<AgedAnswer>> {
    let AgedQuery { at, page, per_page } = query.value;
    let at = at.unwrap_or_else(|| state.services.clock.now());
    let found = aged::at(&state.services, &who.0, at).await?;
    let skip = page.saturating_sub(1).saturating_mul(per_page);
    Ok(Json(AgedAnswer {
        at,
        data: found.debtors.iter().skip(skip).take(per_page).map(debtor).collect(),
        total: found.debtors.len(),
        page,
        per_page,
        amounts: amounts(found.by_age),
        held: found.held.into(),
        accounts: found.accounts.into(),
        currency: "CAD",
    }))
}

pub(super) async fn file(
    state: web::Data<State>,
    who: AsStaff,
    query: ValidQuery<InstantQuery>,
) -> Reply<Made<AgedFile>> {
    let at = query.value.at.unwrap_or_else(|| state.services.clock.now());
    let found = aged::file(&state.services, &who.0, at).await?;
    let line = |(d, debt): (&Debtor, &Debt)| {
        let kind = if d.partner.is_some() { "partner" } else { "customer" };
        let due = debt.due_at.map(|due| service::desk::books::ZONE.local(due).date.to_string()).unwrap_or_default();
        let short = text(debt.booking.short_id.as_str());
        format!(
            "{},{kind},{short},{},{due},{},{},CAD",
            text(&d.name),
            debt.booking.move_date,
            debt.days_late,
            debt.amount
        )
    };
    let rows = found.debtors.iter().flat_map(|d| d.debts.iter().map(move |debt| (d, debt)));
    let file = spreadsheet::file("name,kind,booking,moveDate,dueOn,daysLate,amount,currency", rows.map(line));
    Ok(Made::new(spreadsheet::response("aged-balances", file)))
}
