//! The account of a booking, for its owner and for staff.

use actix_web::web;
use kernel::{
    BookingId, Language,
    chrono::{DateTime, Utc},
};
use serde::Serialize;
use service::{
    bookings::statement::{self, Fact, Row, Statement},
    ports::{
        credits::CreditKind,
        payments::{PaidWith, PaymentKind},
    },
};
use utoipa::ToSchema;

use crate::{
    access::Who,
    calls::{
        replies::{Json, Reply},
        values::{Cash, PaidWithCode, StatementKindCode},
    },
    http::{PathId, texts},
    state::State,
};

/// One fact of the account.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StatementRow {
    at: DateTime<Utc>,
    #[schema(value_type = StatementKindCode)]
    kind: &'static str,
    /// What happened and why, in the language of the caller.
    text: String,
    /// How much; below zero where a change lowered the price.
    amount: Cash,
    /// What is left to pay after it; below zero while money is on its way back.
    balance: Cash,
    /// The charge or refund.
    payment_id: Option<String>,
    /// How money came or went.
    #[schema(value_type = Option<PaidWithCode>)]
    method: Option<&'static str>,
    card_last4: Option<String>,
    /// Number of the transfer or cheque.
    reference: Option<String>,
}

/// The account of a booking.
#[derive(Debug, Serialize, ToSchema)]
pub struct StatementAnswer {
    /// Oldest first.
    rows: Vec<StatementRow>,
    /// What is left to pay; the tip is no part of it.
    balance: Cash,
    /// Zone of its days.
    zone: String,
    currency: &'static str,
}

/// Codes of the rows.
pub(in crate::calls) const KINDS: [&str; 22] = [
    "price",
    "edit",
    "overtime",
    "credit_refund",
    "credit_goodwill",
    "credit_capped",
    "cancelled",
    "taken_back",
    "deposit",
    "balance",
    "full",
    "full_at_booking",
    "difference",
    "overtime_charge",
    "cancellation_fee",
    "tip",
    "by_hand",
    "refund",
    "refund_tip",
    "settlement_declined",
    "charged_back",
    "written_off",
];

const fn of_charge(kind: PaymentKind, at_once: bool, method: PaidWith) -> &'static str {
    if method.is_by_hand() {
        return "by_hand";
    }
    match kind {
        PaymentKind::Deposit => "deposit",
        PaymentKind::Balance => "balance",
        PaymentKind::Full if at_once => "full_at_booking",
        PaymentKind::Full => "full",
        PaymentKind::Overtime => "overtime_charge",
        PaymentKind::CancellationFee => "cancellation_fee",
        PaymentKind::Tip => "tip",
        PaymentKind::Difference | PaymentKind::Refund | PaymentKind::Goodwill | PaymentKind::Claim => "difference",
    }
}

fn kind(fact: &Fact) -> &'static str {
    match fact {
        Fact::Price => "price",
        Fact::Edit => "edit",
        Fact::Overtime(_) => "overtime",
        Fact::Credit(CreditKind::Refund, _) => "credit_refund",
        Fact::Credit(CreditKind::Goodwill, _) => "credit_goodwill",
        Fact::CreditCapped => "credit_capped",
        Fact::Cancelled => "cancelled",
        Fact::TakenBack => "taken_back",
        Fact::Charge { kind, at_once, method, .. } => of_charge(*kind, *at_once, *method),
        Fact::Refund { of_tip: true, .. } => "refund_tip",
        Fact::Refund { .. } => "refund",
        Fact::SettlementDeclined => "settlement_declined",
        Fact::ChargedBack => "charged_back",
        Fact::WrittenOff => "written_off",
    }
}

fn row(r: &Row, language: Language) -> StatementRow {
    let kind = kind(&r.fact);
    let minutes = match &r.fact {
        Fact::Overtime(minutes) => minutes.to_string(),
        _ => String::new(),
    };
    let reason = match &r.fact {
        Fact::Credit(_, reason) => reason.as_str(),
        _ => "",
    };
    let params = [("minutes", minutes.as_str()), ("reason", reason)];
    let (method, card_last4, reference) = match &r.fact {
        Fact::Charge { method, last4, reference, .. } => (Some(method.code()), last4.clone(), reference.clone()),
        Fact::Refund { method, .. } => (Some(method.code()), None, None),
        _ => (None, None, None),
    };
    StatementRow {
        at: r.at,
        kind,
        text: texts::filled(&format!("statement.{kind}"), language, params),
        amount: r.amount.into(),
        balance: r.balance.into(),
        payment_id: r.payment.map(|id| id.to_string()),
        method,
        card_last4,
        reference,
    }
}

fn answer(s: &Statement, language: Language) -> StatementAnswer {
    StatementAnswer {
        rows: s.rows.iter().map(|r| row(r, language)).collect(),
        balance: s.balance.into(),
        zone: s.zone.to_string(),
        currency: "CAD",
    }
}

pub(super) async fn get(state: web::Data<State>, who: Who, id: PathId<BookingId>) -> Reply<Json<StatementAnswer>> {
    let found = statement::statement(&state.services, &who.0, id.0).await?;
    Ok(Json(answer(&found, who.0.language)))
}
