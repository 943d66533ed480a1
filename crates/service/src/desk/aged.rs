//! What customers and partners owe, by age, as it was at an instant: the accounts of customers, looked at one by one.

use std::collections::{HashMap, hash_map};

use chrono::{DateTime, Utc};
use kernel::{Money, PartnerId, UserId};
use serde_json::json;

use super::books::ZONE;
use crate::{
    Error, ServiceResult, Services, Staff,
    ports::{
        Unit,
        bookings::Booking,
        books::{OF_CUSTOMERS, Standing},
        invoices::{Invoice, Purpose},
        ledger::Entry,
    },
};

/// How many ages are told apart.
pub const AGES: usize = 5;

/// Amounts by age: not due yet, 1 to 30 days late, 31 to 60, 61 to 90, more.
pub type ByAge = [Money; AGES];

/// What is owed for one booking.
#[derive(Debug, Clone, PartialEq)]
pub struct Debt {
    /// The booking.
    pub booking: Booking,
    /// How much.
    pub amount: Money,
    /// Since when it is due; none while it is not.
    pub due_at: Option<DateTime<Utc>>,
    /// Whole days since then, of the company's calendar.
    pub days_late: i64,
}

/// What one customer or partner owes.
#[derive(Debug, Clone, PartialEq)]
pub struct Debtor {
    /// Their name.
    pub name: String,
    /// A partner.
    pub partner: Option<PartnerId>,
    /// By age.
    pub by_age: ByAge,
    /// Together.
    pub total: Money,
    /// One by one, the oldest first.
    pub debts: Vec<Debt>,
}

/// Aged balances.
#[derive(Debug, Clone, PartialEq)]
pub struct Aged {
    /// Who owes most first.
    pub debtors: Vec<Debtor>,
    /// Of all of them, by age.
    pub by_age: ByAge,
    /// Together.
    pub owed: Money,
    /// What we hold for customers whose move is to come.
    pub held: Money,
    /// What the accounts of customers say: what is owed less what is held, or something is wrong.
    pub accounts: Money,
}

/// `GET /books/aged`.
///
/// # Errors
/// When the database fails.
pub async fn at(s: &Services, _: &Staff, at: DateTime<Utc>) -> ServiceResult<Aged> {
    s.store.read(move |u| read_aged(u, at)).await
}

/// The same to be taken along, which is on record.
///
/// # Errors
/// When the database fails.
pub async fn file(s: &Services, staff: &Staff, at: DateTime<Utc>) -> ServiceResult<Aged> {
    let aged = s.store.read(move |u| read_aged(u, at)).await?;
    let rows: usize = aged.debtors.iter().map(|d| d.debts.len()).sum();
    s.write(staff.actor(), move |tx| {
        let by = tx.actor.user.map_or_else(String::new, |u| u.to_string());
        tx.audit("aged.export", by, None, Some(json!({ "at": at, "rows": rows }))).map_err(Error::from)
    })
    .await?;
    Ok(aged)
}

fn read_aged(u: &mut dyn Unit, at: DateTime<Utc>) -> ServiceResult<Aged> {
    let balances = u.ledger().balances(at)?;
    let accounts = balances.iter().filter(|b| OF_CUSTOMERS.contains(&b.0)).map(|b| b.1).sum();
    let (mut held, mut debts) = (Money::ZERO, Vec::new());
    for Standing { booking, amount } in u.books().standing(at)? {
        if amount.is_negative() {
            held = held.plus(amount.negated());
            continue;
        }
        let due_at = due_since(u, &booking, at)?;
        let days_late = due_at.map_or(0, |due| (ZONE.local(at).date - ZONE.local(due).date).num_days().max(0));
        debts.push(Debt { booking, amount, due_at, days_late });
    }
    let debtors = by_debtor(u, debts)?;
    let mut by_age = [Money::ZERO; AGES];
    for debtor in &debtors {
        for (sum, amount) in by_age.iter_mut().zip(debtor.by_age) {
            *sum = sum.plus(amount);
        }
    }
    Ok(Aged { owed: by_age.into_iter().sum(), debtors, by_age, held, accounts })
}

/// Since when what is owed for a booking is due. An invoice says so. Before there is one a partner has time, and a customer
/// owes from when the debt arose: the move was done and a charge had failed, a cancellation kept more than was paid.
fn due_since(u: &mut dyn Unit, b: &Booking, at: DateTime<Utc>) -> ServiceResult<Option<DateTime<Utc>>> {
    let invoices = u.invoices().of_booking(b.id)?;
    if let Some(due) = invoices.iter().rev().find_map(|i| due_of(i, at)) {
        return Ok(Some(due).filter(|due| *due <= at));
    }
    if b.partner_id.is_some() {
        return Ok(None);
    }
    Ok(arisen(&u.ledger().of_booking(b.id)?, at))
}

/// When an invoice that stood at an instant was to be paid.
fn due_of(i: &Invoice, at: DateTime<Utc>) -> Option<DateTime<Utc>> {
    let stood = i.purpose != Purpose::CreditNote
        && i.issued_at.is_some_and(|issued| issued <= at)
        && i.voided_at.is_none_or(|voided| voided > at);
    i.due_at.filter(|_| stood)
}

/// When the accounts of a booking last went from nothing owed to something owed.
fn arisen(entries: &[Entry], at: DateTime<Utc>) -> Option<DateTime<Utc>> {
    let (mut balance, mut since) = (Money::ZERO, None);
    for entry in entries.iter().filter(|e| e.at <= at) {
        let was_owed = balance.is_positive();
        let own = entry.lines().iter().filter(|l| OF_CUSTOMERS.contains(&l.account));
        balance = balance.plus(own.map(|l| l.amount).sum());
        if balance.is_positive() && !was_owed {
            since = Some(entry.at);
        }
    }
    since
}

/// Which age a debt has.
const fn age(debt: &Debt) -> usize {
    match (debt.due_at, debt.days_late) {
        (None, _) | (Some(_), ..=0) => 0,
        (_, ..=30) => 1,
        (_, ..=60) => 2,
        (_, ..=90) => 3,
        _ => 4,
    }
}

fn by_debtor(u: &mut dyn Unit, debts: Vec<Debt>) -> ServiceResult<Vec<Debtor>> {
    let mut all: HashMap<(Option<PartnerId>, Option<UserId>), Debtor> = HashMap::new();
    for debt in debts {
        let partner = debt.booking.partner_id;
        let key = (partner, partner.is_none().then_some(debt.booking.user_id));
        let debtor = match all.entry(key) {
            hash_map::Entry::Occupied(known) => known.into_mut(),
            hash_map::Entry::Vacant(new) => {
                let company = match partner {
                    Some(id) => u.directory().partner(id)?.map(|p| p.name).filter(|name| !name.is_empty()),
                    None => None,
                };
                let name = company.unwrap_or_else(|| debt.booking.details.customer_name.clone());
                let (by_age, total, debts) = ([Money::ZERO; AGES], Money::ZERO, Vec::new());
                new.insert(Debtor { name, partner, by_age, total, debts })
            }
        };
        debtor.total = debtor.total.plus(debt.amount);
        if let Some(sum) = debtor.by_age.get_mut(age(&debt)) {
            *sum = sum.plus(debt.amount);
        }
        debtor.debts.push(debt);
    }
    let mut debtors: Vec<Debtor> = all.into_values().collect();
    for debtor in &mut debtors {
        debtor.debts.sort_by_key(|d| (std::cmp::Reverse(d.days_late), d.booking.move_at, d.booking.id));
    }
    debtors.sort_by(|a, b| {
        let first = |d: &Debtor| d.debts.first().map(|d| d.booking.id);
        (b.total, &a.name, first(a)).cmp(&(a.total, &b.name, first(b)))
    });
    Ok(debtors)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use chrono::Duration;
    use kernel::{BookingId, EntryId, uuid::Uuid};

    use super::*;
    use crate::ports::ledger::{Account, EntryLine};

    fn entry(day: i64, cents: i64) -> Entry {
        let amount = Money::from_cents(cents);
        let lines = vec![
            EntryLine { account: Account::Customer, amount },
            EntryLine { account: Account::Revenue, amount: amount.negated() },
        ];
        let at = DateTime::UNIX_EPOCH + Duration::days(day);
        Entry::new(EntryId(Uuid::nil()), BookingId(Uuid::nil()), None, at, "x", String::new(), lines).unwrap()
    }

    #[test]
    fn a_debt_is_as_old_as_since_it_is_owed_without_a_break() {
        let days = |entries: &[Entry], until: i64| {
            let at = DateTime::UNIX_EPOCH + Duration::days(until);
            arisen(entries, at).map(|since| (since - DateTime::UNIX_EPOCH).num_days())
        };
        let prepaid = [entry(1, -100), entry(5, 574), entry(6, -100)];
        assert_eq!((days(&prepaid, 4), days(&prepaid, 5), days(&prepaid, 9)), (None, Some(5), Some(5)));
        let settled_and_owed_again = [entry(1, 100), entry(2, -100), entry(7, 30)];
        assert_eq!(days(&settled_and_owed_again, 9), Some(7));
    }
}
