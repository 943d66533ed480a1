//! Partners as staff keep them: companies that send moves, their addresses, people and terms.

use kernel::{Address, Email, Language, PartnerId, Phone};
use serde_json::{Value, json};
use status_machine::At;

use crate::{
    Error, ErrorCode, FieldProblem, Limit, ServiceResult, Services, Staff, Tx,
    error::FieldError,
    idempotency::{self, Guard, Replayable},
    mates::page_of,
    ports::{
        Unit,
        bookings::Page,
        directory::{Contact, PartnerRecord, PartnerState},
    },
};

/// The longest name, characters.
const LONGEST_NAME: usize = 100;
/// The most addresses, or people, of one partner.
const MOST: usize = 50;
/// The longest an invoice may wait, days.
const LONGEST_TERM: i32 = 365;

/// What staff write down about a partner.
#[derive(Debug, Clone, PartialEq)]
pub struct Form {
    /// Name.
    pub name: String,
    /// Where goods are fetched and invoices go.
    pub addresses: Vec<Address>,
    /// Whom one asks.
    pub contacts: Vec<Contact>,
    /// The rate card by name; empty = the company's own.
    pub rate_name: String,
    /// Days an invoice may wait; stays, or is 30 for a new one, when it is not said.
    pub net_days: Option<i32>,
    /// Of its papers; stays when it is not said.
    pub language: Option<Language>,
    /// Where it stands; stays, or is active for a new one, when it is not said.
    pub state: Option<PartnerState>,
}

impl Form {
    /// Trimmed, and everything that is wrong at once.
    pub(crate) fn checked(mut self) -> ServiceResult<Form> {
        let mut wrong = Vec::new();
        let mut refuse = |field: String, problem| wrong.push(FieldError::new(field, problem));
        self.name = self.name.split_whitespace().collect::<Vec<_>>().join(" ");
        match self.name.chars().count() {
            0 => refuse("name".to_owned(), FieldProblem::Required),
            n if n > LONGEST_NAME => refuse("name".to_owned(), FieldProblem::TooLong),
            _ => {}
        }
        for (at, contact) in self.contacts.iter_mut().enumerate() {
            for text in [&mut contact.name, &mut contact.email, &mut contact.phone] {
                *text = text.trim().to_owned();
            }
            if contact.name.is_empty() {
                refuse(format!("contacts[{at}].name"), FieldProblem::Required);
            } else if contact.name.chars().count() > LONGEST_NAME {
                refuse(format!("contacts[{at}].name"), FieldProblem::TooLong);
            }
            if !contact.email.is_empty() && contact.email.parse::<Email>().is_err() {
                refuse(format!("contacts[{at}].email"), FieldProblem::Invalid);
            }
            if !contact.phone.is_empty() && contact.phone.parse::<Phone>().is_err() {
                refuse(format!("contacts[{at}].phone"), FieldProblem::Invalid);
            }
        }
        for (field, count) in [("addresses", self.addresses.len()), ("contacts", self.contacts.len())] {
            if count > MOST {
                refuse(field.to_owned(), FieldProblem::TooLong);
            }
        }
        if self.net_days.is_some_and(|days| !(0..=LONGEST_TERM).contains(&days)) {
            refuse(
                "netDays".to_owned(),
                FieldProblem::Between(Limit::Days(0), Limit::Days(LONGEST_TERM.unsigned_abs())),
            );
        }
        self.rate_name = self.rate_name.trim().to_owned();
        if wrong.is_empty() { Ok(self) } else { Err(Error::Invalid(wrong)) }
    }

    /// The partner with what is written down here.
    ///
    /// # Errors
    /// The field `state`, when it cannot follow the present one.
    pub(crate) fn write(self, mut to: PartnerRecord) -> ServiceResult<PartnerRecord> {
        if let Some(state) = self.state {
            step(&mut to, state)?;
        }
        Ok(PartnerRecord {
            name: self.name,
            addresses: self.addresses,
            contacts: self.contacts,
            rate_name: (!self.rate_name.is_empty()).then_some(self.rate_name),
            net_days: self.net_days.unwrap_or(to.net_days),
            language: self.language.or(to.language),
            ..to
        })
    }

    /// The card it is billed by is there.
    fn known_card(&self, u: &mut dyn Unit) -> ServiceResult<()> {
        if self.rate_name.is_empty() || u.rates().latest_version(&self.rate_name)?.is_some() {
            return Ok(());
        }
        Err(Error::field("rateName", FieldProblem::Unknown))
    }
}

/// Takes a step of the partners' table: the one way in which the state of a record changes.
///
/// # Errors
/// The field `state`, when the table has no such step.
fn step(partner: &mut PartnerRecord, to: PartnerState) -> ServiceResult<()> {
    let from = *partner.state;
    if !partner.state.go(to) {
        return Err(Error::field("state", FieldProblem::CannotFollow));
    }
    tracing::debug!(partner = %partner.id, table = "partner", from = from.code(), to = to.code(), "a step");
    Ok(())
}

/// What a list of partners is filtered by.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PartnerListQuery {
    /// Words that must all occur in name, people or number.
    pub value: String,
    /// Only the partner with this number (`P-0007`) or key.
    pub id: String,
    /// Only in this state.
    pub state: Option<PartnerState>,
}

/// A page of partners, by name; who is archived comes last.
///
/// # Errors
/// When the database fails.
pub async fn list(
    s: &Services,
    _: &Staff,
    query: PartnerListQuery,
    (page, per_page): (i64, i64),
) -> ServiceResult<Page<PartnerRecord>> {
    let all = s.store.read(|u| u.directory().partners().map_err(Error::from)).await?;
    let id = query.id.trim();
    let words = kernel::sought(&query.value);
    let mut found: Vec<PartnerRecord> = all
        .into_iter()
        .filter(|p| id.is_empty() || p.short_id().eq_ignore_ascii_case(id) || p.id.to_string() == id)
        .filter(|p| query.state.is_none_or(|s| p.state == s) && fits(p, &words))
        .collect();
    found.sort_by_cached_key(|p| (p.state == PartnerState::Archived, kernel::fold(&p.name), p.number));
    Ok(page_of(found, page, per_page))
}

fn fits(p: &PartnerRecord, words: &[String]) -> bool {
    let people: Vec<String> = p.contacts.iter().map(|c| format!("{} {} {}", c.name, c.email, c.phone)).collect();
    let text = kernel::searchable(&format!("{} {} {}", p.name, p.short_id(), people.join(" ")));
    words.iter().all(|word| text.contains(word.as_str()))
}

/// One partner.
///
/// # Errors
/// `not_found`.
pub async fn get(s: &Services, _: &Staff, id: PartnerId) -> ServiceResult<PartnerRecord> {
    let found = s.store.read(move |u| u.directory().partner(id).map_err(Error::from)).await?;
    found.ok_or_else(|| ErrorCode::NotFound.into())
}

/// Adds a partner.
///
/// # Errors
/// The fields; a rate card that is not there.
pub async fn add(
    s: &Services,
    staff: &Staff,
    form: Form,
    guard: Option<Guard<PartnerRecord>>,
) -> ServiceResult<Replayable<PartnerRecord>> {
    let (form, asked_at) = (form.checked()?, s.clock.now());
    s.write(staff.actor(), move |tx| idempotency::once(tx, guard, asked_at, |tx| insert(tx, form))).await
}

/// Adds a partner within a unit of work; the form is checked.
///
/// # Errors
/// As [`add`].
pub(crate) fn insert(tx: &mut Tx<'_>, form: Form) -> ServiceResult<PartnerRecord> {
    form.known_card(tx.unit)?;
    let bare = PartnerRecord {
        id: PartnerId(tx.id()),
        number: 0,
        name: String::new(),
        addresses: Vec::new(),
        contacts: Vec::new(),
        rate_name: None,
        net_days: 30,
        language: None,
        state: At::<PartnerState>::added(form.state.unwrap_or(PartnerState::Active)),
        version: 1,
        created_at: tx.now,
        updated_at: tx.now,
    };
    let mut partner = form.write(bare)?;
    partner.number = tx.unit.directory().add_partner(&partner)?;
    tx.audit("partner.add", partner.id, None, Some(snapshot(&partner)))?;
    Ok(partner)
}

/// Writes a partner anew.
///
/// # Errors
/// `not_found`, `version_conflict`, the fields.
pub async fn put(s: &Services, staff: &Staff, id: PartnerId, form: Form, version: i32) -> ServiceResult<PartnerRecord> {
    let form = form.checked()?;
    s.write(staff.actor(), move |tx| change(tx, id, form, version)).await
}

/// Writes a partner anew within a unit of work; the form is checked.
///
/// # Errors
/// As [`put`].
pub(crate) fn change(tx: &mut Tx<'_>, id: PartnerId, form: Form, version: i32) -> ServiceResult<PartnerRecord> {
    let old = tx.unit.directory().partner(id)?.ok_or(ErrorCode::NotFound)?;
    if old.version != version {
        return Err(ErrorCode::VersionConflict.into());
    }
    form.known_card(tx.unit)?;
    let mut partner = PartnerRecord { updated_at: tx.now, ..form.write(old.clone())? };
    partner.version = tx.unit.directory().update_partner(&partner)?;
    tx.audit("partner.update", id, Some(snapshot(&old)), Some(snapshot(&partner)))?;
    Ok(partner)
}

fn snapshot(p: &PartnerRecord) -> Value {
    let addresses: Vec<String> = p.addresses.iter().map(Address::line).collect();
    json!({
        "partnerID": p.short_id(), "name": p.name, "addresses": addresses, "contacts": p.contacts,
        "rateName": p.rate_name, "netDays": p.net_days, "language": p.language, "state": p.state.code(),
    })
}
