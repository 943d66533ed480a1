//! A quote by mail: a draft is kept with the price it has, and a link leads back to both. Whoever holds the link sees them,
//! and books at that price until it lapses. The start is nobody's until it is held.
//!
//! The price is a promise: the card of rates and the terms of the code are kept as they were, so that a code that staff
//! change, end, use up or switch off meanwhile takes off what the mail said. Its use is counted all the same, beyond the most
//! there may be where it must. What the code asks of the customer (a first booking, so many uses each) is asked when they
//! book, by the kept terms: the mail was for whoever opens it. A changed draft has the card and the terms of today.

use chrono::{DateTime, Duration, NaiveTime, Utc};
use kernel::{Email, Money, Zone};
use sha2::{Digest as _, Sha256};

use super::{
    draft::Draft,
    quote::{Terms, price_draft},
};
use crate::{
    Caller, Error, ErrorCode, FieldProblem, ServiceResult, Services, Tx,
    estimates::locked,
    geo,
    idempotency::{self, Guard, Replayable},
    mailing,
    ports::{
        discounts::StoredDiscount,
        quotes::{QuoteId, SavedQuote},
    },
    secret,
};

/// How long a price holds, when nothing ends it sooner.
const HOLDS: Duration = Duration::days(7);
/// How long a link still says that its quote has lapsed.
const KEPT: Duration = Duration::days(30);
/// Quotes mailed to one address within a day: whoever owns it need not have asked for them.
const MOST_TO_ADDRESS: usize = 5;
/// Quotes mailed from one network within a day.
const MOST_OF_NETWORK: usize = 20;
const WINDOW: Duration = Duration::hours(24);

/// A quote to save and to mail.
#[derive(Debug, Clone)]
pub struct NewSavedQuote {
    /// The recipient.
    pub to: Email,
    /// The move.
    pub draft: Draft,
    /// The draft as the client keeps it, as a JSON object.
    pub kept: String,
}

/// A quote that was saved.
#[derive(Debug, Clone)]
pub struct Saved {
    /// The quote.
    pub quote: SavedQuote,
    /// Its address wants no quotes by mail: nothing is sent to it.
    pub withheld: bool,
}

/// Whether the price of a link holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// It holds.
    Open,
    /// It does not any more: the move is priced anew.
    Lapsed,
}

impl State {
    /// All of them.
    pub const ALL: [State; 2] = [State::Open, State::Lapsed];

    /// Code of the HTTP contract.
    pub const fn code(self) -> &'static str {
        match self {
            State::Open => "open",
            State::Lapsed => "lapsed",
        }
    }
}

/// What a link leads to.
#[derive(Debug, Clone)]
pub struct Page {
    /// Whether its price holds.
    pub state: State,
    /// The quote.
    pub quote: SavedQuote,
}

/// `POST /quotes`. The price is the server's own: addresses, way and price are found as for a booking. One that is taken up
/// from a mailed quote keeps that quote's price and its end.
///
/// # Errors
/// The rules of a move; `price_changed` when another total was shown; `quote_mail_limit`.
pub async fn save(
    s: &Services,
    caller: &Caller,
    new: NewSavedQuote,
    guard: Option<Guard<Saved>>,
) -> ServiceResult<Replayable<Saved>> {
    let NewSavedQuote { to, draft, kept } = new;
    if !serde_json::from_str::<serde_json::Value>(&kept).is_ok_and(|v| v.is_object()) {
        return Err(Error::field("draft", FieldProblem::Invalid));
    }
    draft.check_move()?;
    let now = s.clock.now();
    let digest = draft.digest();
    let former = match draft.saved_quote.clone() {
        Some(link) => {
            let digest = digest.clone();
            s.store.read(move |u| locked::read(u, &link, &digest, now)).await?
        }
        None => None,
    };
    let shown = draft.expected_total;
    let draft = geo::places::settled(s, draft, None).await?;
    let (rate, leg, until, code) = match former {
        Some(former) => (former.rate, Some(former.leg), former.until, former.discount),
        None => ((*crate::rates::current(s).await?).clone(), None, now + HOLDS, None),
    };
    let keep_code = code.as_ref();
    let terms = Terms { rate: &rate, change_fee: Money::ZERO, staff: false, keep_code, kept_start: None, leg };
    let priced = price_draft(s, &draft, &terms).await?;
    priced.same_as_shown(shown)?;
    let (token, token_hash) = secret::fresh(&*s.entropy);
    let ends = [Some(until), Some(priced.move_at), priced.discount.as_ref().and_then(code_ends)];
    let quote = SavedQuote {
        id: QuoteId(uuid::Uuid::nil()),
        token_hash,
        email: to,
        language: draft.language.unwrap_or(caller.language),
        draft: kept,
        digest,
        rate_id: rate.id,
        discount: priced.discount,
        travel_minutes: priced.travel_minutes,
        distance_km10: priced.distance_km10,
        move_date: draft.date,
        move_time: draft.time,
        zone: priced.wanted.zone,
        from_city: draft.pickup.address.city.clone(),
        to_city: draft.dropoff.address.city.clone(),
        total: priced.estimate.quote.total,
        made_at: now,
        valid_until: ends.into_iter().flatten().min().unwrap_or(until),
    };
    let network = caller.network.clone();
    s.write(caller.actor(), move |tx| {
        idempotency::once(tx, guard, now, |tx| {
            admit(tx, &quote.email, network.as_deref())?;
            let quote = SavedQuote { id: QuoteId(tx.id()), made_at: tx.now, ..quote };
            tx.unit.quotes().insert(&quote)?;
            mailing::quotes::saved(tx, &quote, &token)?;
            let told = serde_json::json!({ "total": quote.total, "validUntil": quote.valid_until });
            tx.audit("quote.save", quote.id, None, Some(told))?;
            let withheld = mailing::commercial::stopped(tx.unit, &quote.email)?;
            Ok(Saved { quote, withheld })
        })
    })
    .await
}

/// When the last day ends on which one may book with a code; days are the company's.
fn code_ends(code: &StoredDiscount) -> Option<DateTime<Utc>> {
    let next = code.bookable_until?.succ_opt()?;
    Zone::MONTREAL.instant(next, NaiveTime::MIN).ok()
}

/// Lets another mail go, or not, and counts it. Both bounds are looked at before either is counted.
fn admit(tx: &mut Tx<'_>, to: &Email, network: Option<&str>) -> ServiceResult<()> {
    // A tally needs to tell addresses apart, not to know them.
    let address = Sha256::digest(to.key().as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let mut keys = vec![(format!("quotes:{address}"), MOST_TO_ADDRESS)];
    keys.extend(network.map(|network| (format!("quotes:{network}"), MOST_OF_NETWORK)));
    let mut counted = Vec::new();
    for (key, most) in keys {
        let mut instants = tx.unit.tallies().lock(&key, tx.now)?;
        // The clock of a demonstration may be set back: what lies ahead of it counts as long.
        instants.retain(|at| (tx.now - *at).abs() < WINDOW);
        if instants.len() >= most {
            return Err(ErrorCode::QuoteMailLimit.into());
        }
        instants.push(tx.now);
        counted.push((key, instants));
    }
    for (key, instants) in counted {
        tx.unit.tallies().put(&key, &instants)?;
    }
    Ok(())
}

/// `GET /quotes/{id}`, by the secret of its link.
///
/// # Errors
/// `not_found` for any other text.
pub async fn look(s: &Services, token: &str) -> ServiceResult<Page> {
    let hash = secret::hash(token);
    let found = s.store.read(move |u| u.quotes().by_token(&hash).map_err(Error::from)).await?;
    let quote = found.ok_or(ErrorCode::NotFound)?;
    let state = if s.clock.now() < quote.valid_until { State::Open } else { State::Lapsed };
    Ok(Page { state, quote })
}

/// Forgets quotes that lapsed some weeks ago, with the addresses in them.
///
/// # Errors
/// When the database fails.
pub(crate) fn forget(tx: &mut Tx<'_>) -> ServiceResult<()> {
    tx.unit.quotes().purge(tx.now - KEPT)?;
    Ok(())
}
