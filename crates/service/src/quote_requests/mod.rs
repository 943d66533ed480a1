//! A guest who cannot book by themselves asks a person: staff are told, take it, and book it for them.

use chrono::{Duration, NaiveDate};
use kernel::{Email, Language, Phone};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::{
    Caller, Error, ErrorCode, FieldError, FieldProblem, ServiceResult, Services, Staff, Tx,
    bookings::trail::Names,
    idempotency::{self, Guard, Replayable},
    mailing,
    ports::{
        Unit,
        bookings::Booking,
        quote_requests::{CallAt, Obstacle, QuoteRequest, QuoteRequestId, RequestState, WantedRequests},
        words,
    },
};

/// The longest name, characters.
pub const LONGEST_NAME: usize = 100;
/// How long one that ended is kept, with the address and the number in it.
const KEPT: Duration = Duration::days(90);
/// Requests that name one address or one number, within a day.
const MOST_OF_ONE: usize = 3;
/// Requests from one network, within a day.
const MOST_OF_NETWORK: usize = 20;
const WINDOW: Duration = Duration::hours(24);

/// A request for a quote by a person.
#[derive(Debug, Clone)]
pub struct NewQuoteRequest {
    /// Who asks.
    pub name: String,
    /// Where they read mail.
    pub email: Option<Email>,
    /// Where they are called.
    pub phone: Option<Phone>,
    /// Their language.
    pub language: Language,
    /// When they want to be called.
    pub call_at: CallAt,
    /// Why they could not book.
    pub obstacles: Vec<Obstacle>,
    /// The draft as JSON; it may lack anything.
    pub draft: String,
    /// Local day of the move.
    pub move_date: Option<NaiveDate>,
    /// Municipality of the pickup.
    pub from_city: String,
    /// Municipality of the drop-off.
    pub to_city: String,
}

/// `POST /quote-requests`.
///
/// # Errors
/// The fields `name`, and `email` where there is neither an address nor a number; `quote_request_limit`.
pub async fn ask(
    s: &Services,
    caller: &Caller,
    new: NewQuoteRequest,
    guard: Option<Guard<QuoteRequest>>,
) -> ServiceResult<Replayable<QuoteRequest>> {
    let name = new.name.trim().to_owned();
    let mut wrong = Vec::new();
    if name.is_empty() {
        wrong.push(FieldError::new("name", FieldProblem::Required));
    }
    if new.email.is_none() && new.phone.is_none() {
        wrong.push(FieldError::new("email", FieldProblem::Required));
    }
    if !wrong.is_empty() {
        return Err(Error::Invalid(wrong));
    }
    let mut obstacles = new.obstacles;
    obstacles.sort_by_key(|o| Obstacle::ALL.iter().position(|known| known == o));
    obstacles.dedup();
    let network = caller.network.clone();
    let asked_at = s.clock.now();
    s.write(caller.actor(), move |tx| {
        idempotency::once(tx, guard, asked_at, |tx| {
            let request = QuoteRequest {
                id: QuoteRequestId(tx.id()),
                state: RequestState::New,
                name,
                email: new.email,
                phone: new.phone,
                language: new.language,
                call_at: new.call_at,
                obstacles,
                draft: new.draft,
                move_date: new.move_date,
                from_city: new.from_city.trim().to_owned(),
                to_city: new.to_city.trim().to_owned(),
                taken_by: None,
                booking_id: None,
                made_at: tx.now,
                changed_at: tx.now,
                version: 1,
            };
            admit(tx, &request, network.as_deref())?;
            tx.unit.quote_requests().insert(&request)?;
            mailing::quote_requests::received(tx, &request)?;
            mailing::quote_requests::tell_staff(tx, &request)?;
            tx.audit("quote_request.ask", request.id, None, Some(trace(&request)))?;
            Ok(request)
        })
    })
    .await
}

/// What the audit trail keeps of one: nothing that tells who asked.
fn trace(r: &QuoteRequest) -> Value {
    json!({ "state": r.state.code(), "takenBy": r.taken_by, "booking": r.booking_id, "obstacles": r.obstacles })
}

/// Lets another one in, or not, and counts it. Every bound is looked at before any is counted.
fn admit(tx: &mut Tx<'_>, r: &QuoteRequest, network: Option<&str>) -> ServiceResult<()> {
    // A tally needs to tell people apart, not to know them.
    let hashed =
        |text: &str| Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let email = r.email.as_ref().map(|email| hashed(&email.key()));
    let phone = r.phone.as_ref().map(|phone| hashed(&phone.digits()));
    let mut keys: Vec<_> = email.into_iter().chain(phone).map(|one| (format!("requests:{one}"), MOST_OF_ONE)).collect();
    keys.extend(network.map(|network| (format!("requests:{network}"), MOST_OF_NETWORK)));
    // Two who name the same are counted in the same order.
    keys.sort();
    let mut counted = Vec::new();
    for (key, most) in keys {
        let mut instants = tx.unit.tallies().lock(&key, tx.now)?;
        // The clock of a demonstration may be set back: what lies ahead of it counts as long.
        instants.retain(|at| (tx.now - *at).abs() < WINDOW);
        if instants.len() >= most {
            return Err(ErrorCode::QuoteRequestLimit.into());
        }
        instants.push(tx.now);
        counted.push((key, instants));
    }
    for (key, instants) in counted {
        tx.unit.tallies().put(&key, &instants)?;
    }
    Ok(())
}

/// A request as staff see it.
#[derive(Debug, Clone)]
pub struct Entry {
    /// The request.
    pub request: QuoteRequest,
    /// Name of who took it.
    pub taken_by: Option<String>,
    /// Number of the booking it became.
    pub booking: Option<String>,
}

/// A page of the list.
#[derive(Debug, Clone)]
pub struct Entries {
    /// The newest first.
    pub data: Vec<Entry>,
    /// Of how many.
    pub total: i64,
}

/// What a list of quote requests is filtered by.
#[derive(Debug, Clone, Default)]
pub struct QuoteRequestFilter {
    /// Only requests in this state.
    pub state: Option<RequestState>,
    /// Only requests that the caller has taken.
    pub mine: bool,
    /// Only requests with these words in name, address, number or municipalities.
    pub value: Option<String>,
}

fn entry(u: &mut dyn Unit, request: QuoteRequest, names: &mut Names) -> ServiceResult<Entry> {
    let booking = match request.booking_id {
        Some(id) => u.bookings().get(id)?.map(|b| b.short_id.to_string()),
        None => None,
    };
    let taken_by = names.of(u, request.taken_by)?;
    Ok(Entry { request, taken_by, booking })
}

/// `GET /quote-requests`.
///
/// # Errors
/// When the database fails.
pub async fn list(
    s: &Services,
    staff: &Staff,
    filter: QuoteRequestFilter,
    page: i64,
    per_page: i64,
) -> ServiceResult<Entries> {
    let wanted = WantedRequests {
        state: filter.state,
        taken_by: staff.caller().user.filter(|_| filter.mine),
        words: filter.value.as_deref().map(words::search_words).unwrap_or_default(),
    };
    s.store
        .read(move |u| {
            let skip = page.saturating_sub(1).saturating_mul(per_page);
            let (rows, total) = u.quote_requests().listed(&wanted, skip, per_page)?;
            let mut names = Names::default();
            let data = rows.into_iter().map(|r| entry(u, r, &mut names)).collect::<ServiceResult<_>>()?;
            Ok(Entries { data, total })
        })
        .await
}

/// `GET /quote-requests/{id}`.
///
/// # Errors
/// `not_found`.
pub async fn get(s: &Services, _: &Staff, id: QuoteRequestId) -> ServiceResult<Entry> {
    s.store
        .read(move |u| {
            let request = u.quote_requests().get(id)?.ok_or(ErrorCode::NotFound)?;
            entry(u, request, &mut Names::default())
        })
        .await
}

/// `PUT /quote-requests/{id}`: takes it (`answering`), gives it back (`new`) or ends it (`closed`).
///
/// # Errors
/// `not_found`; `version_conflict`; the field `state` when it became a booking, which only booking does.
pub async fn put(
    s: &Services,
    staff: &Staff,
    id: QuoteRequestId,
    to: RequestState,
    version: i32,
) -> ServiceResult<Entry> {
    s.write(staff.actor(), move |tx| {
        let known = tx.unit.quote_requests().get(id)?.ok_or(ErrorCode::NotFound)?;
        if known.version != version {
            return Err(ErrorCode::VersionConflict.into());
        }
        if to == RequestState::Booked || known.state == RequestState::Booked {
            return Err(Error::field("state", FieldProblem::DoesNotFit));
        }
        let taken_by = match to {
            RequestState::New => None,
            RequestState::Answering => tx.actor.user,
            RequestState::Booked | RequestState::Closed => known.taken_by.or(tx.actor.user),
        };
        let request = write(tx, &known, QuoteRequest { state: to, taken_by, ..known.clone() })?;
        entry(tx.unit, request, &mut Names::default())
    })
    .await
}

fn write(tx: &mut Tx<'_>, known: &QuoteRequest, new: QuoteRequest) -> ServiceResult<QuoteRequest> {
    let mut new = QuoteRequest { changed_at: tx.now, ..new };
    new.version = tx.unit.quote_requests().update(&new)?;
    tx.audit("quote_request.update", new.id, Some(trace(known)), Some(trace(&new)))?;
    Ok(new)
}

/// Marks a quote request as booked. A request that already has a booking keeps it; one that was deleted meanwhile is ignored.
///
/// # Errors
/// When the database fails.
pub(crate) fn booked(tx: &mut Tx<'_>, id: QuoteRequestId, b: &Booking) -> ServiceResult<()> {
    let Some(known) = tx.unit.quote_requests().get(id)? else { return Ok(()) };
    if known.booking_id.is_some() {
        return Ok(());
    }
    let taken_by = known.taken_by.or(tx.actor.user);
    let new = QuoteRequest { state: RequestState::Booked, taken_by, booking_id: Some(b.id), ..known.clone() };
    write(tx, &known, new).map(drop)
}

/// Forgets requests that ended some weeks ago, with the addresses in them.
///
/// # Errors
/// When the database fails.
pub(crate) fn forget(tx: &mut Tx<'_>) -> ServiceResult<()> {
    tx.unit.quote_requests().purge(tx.now - KEPT)?;
    Ok(())
}
