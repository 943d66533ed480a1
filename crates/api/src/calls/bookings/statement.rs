//! The account of a booking, for its owner and for staff.

use actix_web::web;
use kernel::{
    BookingId, Language,
    chrono::{DateTime, Utc},
};
use serde::Serialize;
use service::{
    bookings::{
        statement::{self, Cause, Fact, Row, Statement},
        statement_file,
    },
    ports::{
        consents::AnsweredBy,
        credits::CreditKind,
        payments::{PaidWith, PaymentKind},
    },
};
use utoipa::ToSchema;

use super::contract::{BookingFile, pdf};
use crate::{
    access::Who,
    calls::{
        replies::{Json, Made, Reply},
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
    /// What is left to pay after it; below zero where more came than is owed.
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
#[serde(rename_all = "camelCase")]
pub struct StatementAnswer {
    /// Oldest first.
    rows: Vec<StatementRow>,
    /// What is left to pay; the tip is no part of it.
    balance: Cash,
    /// Zone of its days.
    zone: String,
    currency: &'static str,
    /// An entry of the ledger behind it does not balance: its amounts may be wrong until that is cleared up.
    in_question: bool,
}

/// Codes of the rows.
pub(in crate::calls) const KINDS: [&str; 35] = [
    "price",
    "edit",
    "overtime",
    "credit_refund",
    "credit_goodwill",
    "credit_capped",
    "cancelled",
    "taken_back",
    "agreed_recharge",
    "agreed_overtime",
    "deposit",
    "balance",
    "full",
    "full_at_booking",
    "difference",
    "overtime_charge",
    "cancellation_fee",
    "tip",
    "by_hand",
    "by_link",
    "asked_again",
    "owed_again",
    "on_its_way",
    "set_off",
    "refund",
    "refund_tip",
    "undone",
    "settlement_declined",
    "refund_declined",
    "tip_refund_declined",
    "charged_back",
    "disputed",
    "dispute_won",
    "written_off",
    "write_off_ended",
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
        Fact::Edit(_) => "edit",
        Fact::Overtime(_) => "overtime",
        Fact::Credit(CreditKind::Refund, _) => "credit_refund",
        Fact::Credit(CreditKind::Goodwill, _) => "credit_goodwill",
        Fact::CreditCapped => "credit_capped",
        Fact::Cancelled => "cancelled",
        Fact::TakenBack => "taken_back",
        Fact::Agreed { kind: "overtime", .. } => "agreed_overtime",
        Fact::Agreed { .. } => "agreed_recharge",
        Fact::Charge { by_link: true, .. } => "by_link",
        Fact::Charge { cause: Cause::TakenOut, method, .. } if !method.is_by_hand() => "asked_again",
        Fact::Charge { cause: Cause::TakenBack, method, .. } if !method.is_by_hand() => "owed_again",
        Fact::Charge { kind, at_once, method, .. } => of_charge(*kind, *at_once, *method),
        Fact::OnItsWay { .. } => "on_its_way",
        Fact::SetOff { .. } => "set_off",
        Fact::Refund { of_tip: true, .. } => "refund_tip",
        Fact::Refund { .. } => "refund",
        Fact::Undone { .. } => "undone",
        Fact::SettlementDeclined => "settlement_declined",
        Fact::RefundDeclined { of_tip: true } => "tip_refund_declined",
        Fact::RefundDeclined { of_tip: false } => "refund_declined",
        Fact::ChargedBack => "charged_back",
        Fact::Disputed => "disputed",
        Fact::DisputeWon => "dispute_won",
        Fact::WrittenOff => "written_off",
        Fact::WriteOffEnded => "write_off_ended",
    }
}

fn changed(fields: &[&str], language: Language) -> String {
    let mark = if language == Language::Zh { "、" } else { ", " };
    fields.iter().map(|field| texts::text(&format!("changed.{field}"), language)).collect::<Vec<_>>().join(mark)
}

/// What happened and why, as a sentence.
fn sentence(r: &Row, language: Language) -> String {
    let kind = kind(&r.fact);
    let minutes = match &r.fact {
        Fact::Overtime(minutes) => minutes.to_string(),
        _ => String::new(),
    };
    let reason = match &r.fact {
        Fact::Credit(_, reason) => reason.as_str(),
        _ => "",
    };
    // The sentence about a change names what was changed.
    let (key, changed) = match &r.fact {
        Fact::Edit(fields) if !fields.is_empty() => ("statement.edit_of".to_owned(), changed(fields, language)),
        Fact::Agreed { how: AnsweredBy::Telephone, .. } => (format!("statement.{kind}_phone"), String::new()),
        _ => (format!("statement.{kind}"), String::new()),
    };
    let params = [("minutes", minutes.as_str()), ("reason", reason), ("changed", changed.as_str())];
    texts::filled(&key, language, params)
}

fn row(r: &Row, language: Language) -> StatementRow {
    let (method, card_last4, reference) = match &r.fact {
        Fact::Charge { method, last4, reference, .. } => (Some(method.code()), last4.clone(), reference.clone()),
        Fact::Refund { method, .. } | Fact::OnItsWay { method } | Fact::SetOff { method } | Fact::Undone { method } => {
            (Some(method.code()), None, None)
        }
        _ => (None, None, None),
    };
    StatementRow {
        at: r.at,
        kind: kind(&r.fact),
        text: sentence(r, language),
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
        in_question: s.in_question,
    }
}

pub(super) async fn get(state: web::Data<State>, who: Who, id: PathId<BookingId>) -> Reply<Json<StatementAnswer>> {
    let found = statement::statement(&state.services, &who.0, id.0).await?;
    Ok(Json(answer(&found, who.0.language)))
}

pub(super) async fn file(state: web::Data<State>, who: Who, id: PathId<BookingId>) -> Reply<Made<BookingFile>> {
    Ok(pdf(statement_file::download(&state.services, &who.0, id.0, sentence).await?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever a price goes by has a name in each language.
    #[test]
    fn each_change_has_its_words() {
        let missing: Vec<String> =
            statement::PRICED.iter().map(|f| format!("changed.{f}")).filter(|key| !texts::exists(key)).collect();
        assert_eq!(missing, Vec::<String>::new());
        let at = DateTime::UNIX_EPOCH;
        let zero = kernel::Money::ZERO;
        let of = |fields: Vec<&'static str>| Row {
            at,
            fact: Fact::Edit(fields),
            amount: zero,
            balance: zero,
            payment: None,
        };
        assert_eq!(
            row(&of(vec!["moveAt", "mateCount"]), Language::En).text,
            "Change of the booking: day and time, number of mates"
        );
        assert_eq!(row(&of(vec!["moveAt", "mateCount"]), Language::Zh).text, "预订变更：日期与时间、帮手人数");
        assert_eq!(row(&of(Vec::new()), Language::Fr).text, "Modification de la réservation");
    }
}
