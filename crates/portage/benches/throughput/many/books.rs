//! What stands in the books behind a paid booking: the attempt, the entry of its capture, and the one of the completion.

use kernel::{EntryId, Money, PaymentId, chrono::Duration, uuid::Uuid};
use service::{
    billing::ledger,
    ports::{
        StoreError, Unit,
        bookings::Booking,
        ledger::{Account, Entry, EntryLine},
        payments::{Attempt, AttemptState, Payment},
        priced::Tax,
    },
};
use status_machine::At;

/// Writes them, for the whole price by card of a move that was done.
pub fn write(u: &mut dyn Unit, b: &Booking, paid: &Payment) -> Result<(), StoreError> {
    let order_id = format!("{}-full-1", b.short_id);
    u.payments().insert_attempt(&Attempt {
        order_id: order_id.clone(),
        payment_id: paid.id,
        number: 1,
        amount: paid.amount,
        method_id: "card".to_owned(),
        state: At::stored(AttemptState::Applied),
        transaction_id: paid.transaction_id.clone(),
        code: None,
        created_at: paid.created_at,
        sent_at: paid.created_at,
        resolved_at: Some(paid.created_at),
    })?;
    let prepaid = ledger::prepaid(b);
    let captured = vec![line(Account::Gateway, paid.amount), line(prepaid, paid.amount.negated())];
    append(u, b, Some(paid), ("capture", format!("capture:{order_id}")), captured)?;
    let taxes: Money = b.details.taxes.iter().map(|t| t.amount).sum();
    let mut earned = vec![line(prepaid, paid.amount), line(Account::Revenue, paid.amount.minus(taxes).negated())];
    earned.extend(b.details.taxes.iter().map(|t| line(account(t.name), t.amount.negated())));
    append(u, b, None, ("completion", format!("completion:{}:{}", b.id, b.version)), earned)
}

fn append(
    u: &mut dyn Unit,
    b: &Booking,
    paid: Option<&Payment>,
    (kind, fact): (&str, String),
    lines: Vec<EntryLine>,
) -> Result<(), StoreError> {
    let at = match paid {
        Some(paid) => paid.created_at,
        None => b.completed_at.unwrap_or(b.move_at + Duration::hours(4)),
    };
    // Another key for each of its two.
    let id = EntryId(Uuid::from_u128(b.id.0.as_u128() ^ (1 + u128::from(paid.is_some()))));
    let payment: Option<PaymentId> = paid.map(|p| p.id);
    let entry = Entry::new(id, b.id, payment, at, kind, fact, lines).expect("the lines sum to zero");
    u.ledger().append(&entry)
}

const fn line(account: Account, amount: Money) -> EntryLine {
    EntryLine { account, amount }
}

const fn account(tax: Tax) -> Account {
    match tax {
        Tax::Gst => Account::Gst,
        Tax::Qst => Account::Qst,
        Tax::Hst => Account::Hst,
    }
}
