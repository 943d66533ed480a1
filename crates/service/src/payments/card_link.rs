//! Storing another card by a link, without an account at hand: a charge was declined, or staff sent the link. What was
//! declined is charged with the new card at once.

use chrono::{DateTime, Utc};
use kernel::{BookingId, Money};
use status_machine::{booking::Status, payment::State as PaymentState};

use super::{client_token, refusals, store_by_link};
use crate::{
    Actor, Caller, Error, ErrorCode, ServiceResult, Services, Staff, Tx,
    billing::{
        charge,
        facts::{may_be_charged, owed},
        lease,
    },
    bookings::queries::visible_locked,
    idempotency::{self, Guard, Replayable},
    mailing::card_links,
    ports::{
        Unit,
        bookings::Booking,
        decline::DeclineReason,
        identity::TokenPurpose,
        payments::{Attempt, AttemptState, Payment, PaymentKind},
    },
    secret,
    work::JobOutcome,
};

/// A link that was mailed.
#[derive(Debug, Clone)]
pub struct SentLink {
    /// Where it leads: a secret.
    pub url: String,
    /// When it stops working.
    pub expires_at: DateTime<Utc>,
    /// Whom it was mailed to.
    pub to: String,
}

/// `POST /bookings/{id}/card-link`: mails the customer a link to store another card by.
///
/// # Errors
/// `not_found`; `link_ended` for a booking that was deleted, or is cancelled and owes nothing.
pub async fn send(
    s: &Services,
    staff: &Staff,
    id: BookingId,
    guard: Option<Guard<SentLink>>,
) -> ServiceResult<Replayable<SentLink>> {
    let (staff, asked_at) = (staff.clone(), s.clock.now());
    s.write(staff.actor(), move |tx| {
        idempotency::once(tx, guard, asked_at, |tx| {
            let booking = visible_locked(tx.unit, staff.caller(), id)?;
            let rows = tx.unit.payments().of_booking(id)?;
            if nothing_more_to_charge(&booking, &rows) {
                return Err(ErrorCode::LinkEnded.into());
            }
            let link = card_links::send(tx, &booking)?;
            let sent = SentLink { url: link.url, expires_at: link.expires_at, to: link.to.to_string() };
            let told = serde_json::json!({ "cardLink": { "to": sent.to, "expiresAt": sent.expires_at } });
            tx.audit("booking.card_link", id, None, Some(told))?;
            Ok(sent)
        })
    })
    .await
}

/// How often, and how long apart, the booking's own job is waited for that charges a stored card at the same instant.
const LOOKS: u32 = 10;
const BETWEEN_LOOKS: std::time::Duration = std::time::Duration::from_millis(200);

/// Where a link stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// A card can be stored.
    Open,
    /// A card was stored, and nothing of what was declined is left.
    Done,
    /// A charge is at the gateway.
    Working,
    /// The booking will not take place.
    Ended,
}

impl State {
    /// All of them.
    pub const ALL: [State; 4] = [State::Open, State::Done, State::Working, State::Ended];

    /// Stable code.
    pub const fn code(self) -> &'static str {
        match self {
            State::Open => "open",
            State::Done => "done",
            State::Working => "working",
            State::Ended => "ended",
        }
    }
}

/// What whoever holds the link is shown.
#[derive(Debug, Clone)]
pub struct CardPage {
    /// The booking; only what tells them that it is theirs goes out.
    pub booking: Booking,
    /// Where it stands.
    pub state: State,
    /// What is charged as soon as a card is stored.
    pub amount: Money,
    /// When the link stops working.
    pub expires_at: DateTime<Utc>,
    /// A token for the card fields, while a card can be stored.
    pub client_token: Option<String>,
}

/// Charges that wait for another card: declined, and still to be paid.
fn waiting<'a>(b: &'a Booking, rows: &'a [Payment]) -> impl Iterator<Item = &'a Payment> {
    let declined = |r: &&Payment| {
        matches!(*r.state, PaymentState::SoftDeclined | PaymentState::HardDeclined | PaymentState::Failed)
    };
    rows.iter().filter(declined).filter(|r| may_be_charged(b, rows, r))
}

/// Nothing more will be charged for the booking.
fn nothing_more_to_charge(b: &Booking, rows: &[Payment]) -> bool {
    match b.status {
        Status::Deleted => true,
        Status::Cancelled => waiting(b, rows).next().is_none(),
        _ => false,
    }
}

/// The booking of a link that works.
fn by_token(u: &mut dyn Unit, token: &str, now: DateTime<Utc>) -> ServiceResult<(Booking, DateTime<Utc>)> {
    let link = u.one_time_tokens().get(&secret::hash(token))?;
    let link = link.filter(|l| l.purpose == TokenPurpose::Card && l.spent_at.is_none() && now < l.expires_at);
    let link = link.ok_or(ErrorCode::NotFound)?;
    let id = link.booking_id.ok_or(ErrorCode::NotFound)?;
    let booking = u.bookings().get(id)?.filter(|b| b.status != Status::Deleted).ok_or(ErrorCode::NotFound)?;
    Ok((booking, link.expires_at))
}

fn page(u: &mut dyn Unit, booking: Booking, expires_at: DateTime<Utc>) -> ServiceResult<CardPage> {
    let rows = u.payments().of_booking(booking.id)?;
    let (tips, moves): (Vec<_>, Vec<_>) = waiting(&booking, &rows).partition(|r| r.kind == PaymentKind::Tip);
    let sum = |rows: Vec<&Payment>| rows.iter().map(|r| r.amount).sum::<Money>();
    let amount = sum(moves).min(owed(&booking, &rows)).plus(sum(tips));
    let state = match () {
        () if lease::under_way(u, booking.id)? => State::Working,
        () if nothing_more_to_charge(&booking, &rows) => State::Ended,
        () => State::Open,
    };
    Ok(CardPage { booking, state, amount, expires_at, client_token: None })
}

/// The page, where the link works and asks for what the person was shown.
fn as_shown(u: &mut dyn Unit, token: &str, now: DateTime<Utc>, shown: Money) -> ServiceResult<CardPage> {
    let (booking, expires_at) = by_token(u, token, now)?;
    let page = page(u, booking, expires_at)?;
    match page.state {
        State::Working => return Err(Error::from(ErrorCode::PaymentInFlight)),
        State::Ended => return Err(ErrorCode::LinkEnded.into()),
        State::Open | State::Done => {}
    }
    if page.amount != shown {
        return Err(Error::Refused(ErrorCode::PriceChanged, vec![("total", page.amount.to_string())]));
    }
    Ok(page)
}

/// `GET /card/{token}`.
///
/// # Errors
/// `not_found` for a link that never was or works no more; `payment_unavailable`.
pub async fn look(s: &Services, token: String) -> ServiceResult<CardPage> {
    let now = s.clock.now();
    let mut found = s
        .store
        .read(move |u| {
            let (booking, expires_at) = by_token(u, &token, now)?;
            page(u, booking, expires_at)
        })
        .await?;
    if found.state == State::Open {
        found.client_token = Some(client_token(s, &Caller::guest(found.booking.language)).await?);
    }
    Ok(found)
}

/// `POST /card/{token}`: stores the card and charges what was declined with it. `shown` is what the person was shown. Once
/// that is charged, no link of the booking works any more.
///
/// # Errors
/// `not_found`, `link_ended`, `price_changed` with what would be charged now, `payment_declined` when the bank refused the
/// card, or took it and refused the charge (the link works on), `payment_card_failed`, `payment_in_flight`,
/// `payment_unavailable`, `too_many_declined_cards`.
pub async fn store(
    s: &Services,
    caller: &Caller,
    token: String,
    nonce: String,
    shown: Money,
) -> ServiceResult<CardPage> {
    let now = s.clock.now();
    let (first, again) = (token.clone(), token);
    let known = s.store.read(move |u| as_shown(u, &first, now, shown)).await?;
    let (id, user, expires_at) = (known.booking.id, known.booking.user_id, known.expires_at);
    let by = Actor { user: None, role: None, request_id: caller.request_id.clone() };
    let still_right = move |tx: &mut Tx<'_>| {
        tx.unit.bookings().lock(id)?;
        tx.look_at_clock();
        as_shown(tx.unit, &again, tx.now, shown).map(drop)
    };
    store_by_link(s, caller, by.clone(), id, user, nonce, still_right).await?;
    let charged = async {
        let mut ran = charge::run(s, id).await?;
        for _ in 0..LOOKS {
            if ran == JobOutcome::Done {
                break;
            }
            // Its job took the money in hand at the same instant: the person is told what came of it.
            tokio::time::sleep(BETWEEN_LOOKS).await;
            ran = charge::run(s, id).await?;
        }
        s.write(by, move |tx| {
            let booking = tx.unit.bookings().lock(id)?.ok_or(ErrorCode::NotFound)?;
            let mut page = page(tx.unit, booking, expires_at)?;
            if ran != JobOutcome::Done {
                // Somebody else works on the booking's money: its job charges the card in a moment.
                page.state = State::Working;
            }
            if page.state == State::Open && page.amount.is_positive() {
                let reason = why_declined(tx.unit, id)?.code().to_owned();
                return Err(Error::Refused(ErrorCode::PaymentDeclined, vec![("reason", reason)]));
            }
            if page.state == State::Open {
                tx.unit.one_time_tokens().spend_of_booking(id, TokenPurpose::Card, tx.now)?;
                page.state = State::Done;
            }
            Ok(page)
        })
        .await
    };
    refusals::of_stored_card(s, caller, Some(id), charged).await
}

/// Why the newest charge that was declined was.
fn why_declined(u: &mut dyn Unit, id: BookingId) -> ServiceResult<DeclineReason> {
    let mut newest: Option<Attempt> = None;
    for row in u.payments().of_booking(id)? {
        let declined = u.payments().attempts_of(row.id)?.into_iter().filter(|a| a.state == AttemptState::Declined);
        newest = declined.chain(newest).max_by_key(|a| a.sent_at);
    }
    Ok(DeclineReason::of(newest.and_then(|a| a.code).as_deref().unwrap_or_default()))
}
