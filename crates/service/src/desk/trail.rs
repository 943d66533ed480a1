//! The audit trail as staff read it.

use std::{collections::BTreeMap, str::FromStr};

use kernel::{
    BookingId, Email, ShortId, UserId,
    chrono::{DateTime, Utc},
};

use crate::{
    ServiceResult, Services, Staff,
    bookings::trail::Names,
    ports::{
        StoreResult, Unit,
        audit::{AuditRow, Trail},
        lists::Counted,
    },
};

/// Rows are counted no further.
const MOST_COUNTED: i64 = 10_000;

/// A person as staff name them: by the id of the account or by an e-mail address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Person {
    /// The account with this id.
    Account(UserId),
    /// Every account with this address, verified or not.
    Email(Email),
}

/// Neither an id nor an address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a person is named by an e-mail address or by the id of the account")]
pub struct InvalidPerson;

impl FromStr for Person {
    type Err = InvalidPerson;
    fn from_str(text: &str) -> Result<Self, InvalidPerson> {
        if let Ok(id) = text.parse() {
            return Ok(Person::Account(id));
        }
        text.parse().map(Person::Email).map_err(|_| InvalidPerson)
    }
}

/// Which rows staff ask for: all of it must hold.
#[derive(Debug, Clone, Default)]
pub struct AuditFilter {
    /// By this person.
    pub by: Option<Person>,
    /// About a thing of this kind.
    pub kind: Option<String>,
    /// About the thing with this key; a booking also by its number.
    pub key: Option<String>,
    /// From this instant on.
    pub from: Option<DateTime<Utc>>,
    /// Before this instant.
    pub before: Option<DateTime<Utc>>,
}

/// The keys behind the names.
fn looked_up(u: &mut dyn Unit, wanted: &AuditFilter) -> StoreResult<Trail> {
    let actors = match &wanted.by {
        None => None,
        Some(Person::Account(id)) => Some(vec![*id]),
        Some(Person::Email(email)) => {
            Some(u.accounts().of_email(&email.key())?.into_iter().map(|account| account.id).collect())
        }
    };
    let mut subject_id = wanted.key.clone();
    if wanted.kind.as_deref() == Some("booking")
        && let Some(number) = wanted.key.as_deref().and_then(|key| key.parse::<ShortId>().ok())
        && let Some(id) = u.bookings().of_short_id(&number)?
    {
        subject_id = Some(id.to_string());
    }
    Ok(Trail { actors, subject_kind: wanted.kind.clone(), subject_id, from: wanted.from, before: wanted.before })
}

/// A row of the trail in the words of staff.
#[derive(Debug, Clone)]
pub struct Entry {
    /// The row.
    pub row: AuditRow,
    /// The name of who acted.
    pub name: Option<String>,
    /// The number of the booking it is about.
    pub number: Option<ShortId>,
}

/// A page of the trail, the newest first.
#[derive(Debug, Clone)]
pub struct Entries {
    /// Rows.
    pub data: Vec<Entry>,
    /// Of how many.
    pub counted: Counted,
}

/// The numbers of the bookings that rows are about, by their keys: a row need not have kept it.
fn numbers(u: &mut dyn Unit, rows: &[AuditRow]) -> StoreResult<BTreeMap<String, ShortId>> {
    // A tip, a crew and an account of a booking have its key as well.
    let mut ids: Vec<BookingId> = rows.iter().filter_map(|row| row.subject_id.parse().ok()).collect();
    ids.sort_unstable();
    ids.dedup();
    Ok(u.bookings().get_all(&ids)?.into_iter().map(|b| (b.id.to_string(), b.short_id)).collect())
}

/// What was changed, by whom, from what to what.
///
/// # Errors
/// When the database fails.
pub async fn page(s: &Services, _: &Staff, wanted: AuditFilter, page: i64, per_page: i64) -> ServiceResult<Entries> {
    s.store
        .read(move |u| {
            let wanted = looked_up(u, &wanted)?;
            let counted = u.audits().counted(&wanted, MOST_COUNTED)?;
            let rows = u.audits().newest(&wanted, page.saturating_sub(1).saturating_mul(per_page), per_page)?;
            let numbers = numbers(u, &rows)?;
            let mut names = Names::default();
            let named = rows.into_iter().map(|row| {
                let number = numbers.get(&row.subject_id).cloned();
                Ok(Entry { name: names.of(u, row.actor)?, row, number })
            });
            Ok(Entries { data: named.collect::<ServiceResult<_>>()?, counted })
        })
        .await
}
