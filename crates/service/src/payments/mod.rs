//! The customer's card at the gateway, and the payment plan of a price.

pub mod card_link;
pub(crate) mod refusals;

use chrono::{DateTime, Utc};
use kernel::{BookingId, Money, Province, UserId};
use policy::PaymentPlan;
use status_machine::payment::State;

use crate::{
    Actor, Caller, Error, ErrorCode, Mode, ServiceResult, Services, Tx,
    billing::{facts::due_now, settle},
    idempotency::{self, Guard, Replayable},
    ports::{
        StoreError,
        cards::Card,
        decline::DeclineReason,
        payments::{CardDetails, GatewayError, NewCustomer, VaultOutcome},
        profiles::Profile,
    },
    profiles, settings,
    work::Work,
};

/// `POST /booking/payment-plan`: the dated charges of a price, as a booking made now for a move from `province` would have
/// them, and the settings that make them.
///
/// # Errors
/// When the database fails.
pub async fn payment_plan(
    s: &Services,
    total: Money,
    move_at: DateTime<Utc>,
    booked_at: Option<DateTime<Utc>>,
    province: Option<Province>,
) -> ServiceResult<(PaymentPlan, policy::Settings)> {
    let settings = settings::in_force(s).await?;
    let policy = province.map_or_else(|| settings.policy.clone(), |province| settings.policy.for_province(province));
    let plan = policy::plan(&policy, total, booked_at.unwrap_or_else(|| s.clock.now()), move_at);
    Ok((plan, policy))
}

/// The public key material the specification calls "a built-in fallback token": only ever with
/// the simulated gateway, where it opens nothing.
const FALLBACK_TOKEN: &str = "simulator-tokenization-key";
/// Somebody may write the profile between our look and our write: then it is looked at again.
const LOOKS: u32 = 5;

/// `POST /payment/client`.
///
/// # Errors
/// `payment_unavailable` in production; in demo mode the fallback is answered instead.
pub async fn client_token(s: &Services, caller: &Caller) -> ServiceResult<String> {
    let customer = match caller.user {
        Some(user) => {
            s.store.read(move |u| Ok::<_, Error>(u.profiles().get(user)?.and_then(|p| p.gateway_customer_id))).await?
        }
        None => None,
    };
    match s.gateway.client_token(customer.as_deref()).await {
        Ok(token) => Ok(token),
        Err(failure) if s.mode == Mode::Demo => {
            tracing::warn!(error = %failure, "client token failed, the demo falls back");
            Ok(FALLBACK_TOKEN.to_owned())
        }
        Err(failure) => Err(failure.into()),
    }
}

/// A stored customer and card.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredCustomer {
    /// The gateway's key.
    pub customer_id: String,
    /// The card.
    pub card: Card,
}

/// `POST /payment`: makes the customer at the gateway and stores their first card.
///
/// # Errors
/// `payment_customer_failed` and `payment_card_failed` with the gateway's own words;
/// `too_many_declined_cards`.
pub async fn create_customer(
    s: &Services,
    caller: &Caller,
    nonce: String,
    guard: Option<Guard<StoredCustomer>>,
) -> ServiceResult<Replayable<StoredCustomer>> {
    let user = caller.user.ok_or(ErrorCode::SignInNeeded)?;
    store_for(s, caller, user, nonce, guard).await
}

/// Stores a card for a person: it is the one charged from now on, and declined charges are tried again
/// with it at once. `caller` is that person, or staff.
///
/// # Errors
/// As [`create_customer`]; `email_unknown` when the person has no profile.
pub(crate) async fn store_for(
    s: &Services,
    caller: &Caller,
    user: UserId,
    nonce: String,
    guard: Option<Guard<StoredCustomer>>,
) -> ServiceResult<Replayable<StoredCustomer>> {
    let asked_at = s.clock.now();
    if let Some(answer) = replayed(s, guard.as_ref()).await? {
        return Ok(answer);
    }
    let by = caller.actor();
    let profile = s.store.read(move |u| profiles::own(u, user)).await?;
    let checked = at_gateway(s, by.clone(), &profile, &nonce);
    let (customer_id, details) = refusals::of_new_card(s, caller, None, checked).await?;
    s.write(by, move |tx| idempotency::once(tx, guard, asked_at, |tx| keep_card(tx, user, customer_id, details))).await
}

/// Has the gateway check and keep a card.
async fn at_gateway(s: &Services, by: Actor, profile: &Profile, nonce: &str) -> ServiceResult<(String, CardDetails)> {
    let customer_id = match profile.gateway_customer_id.clone() {
        Some(id) => id,
        None => make_customer(s, by, profile).await?,
    };
    let details = vault(s, &customer_id, nonce).await?;
    Ok((customer_id, details))
}

/// As [`store_for`], for the holder of a booking's link: refused cards are counted by the link. `still_right` checks once more,
/// in the unit of work that keeps the card, what was checked before the gateway was asked.
async fn store_by_link(
    s: &Services,
    caller: &Caller,
    by: Actor,
    booking: BookingId,
    user: UserId,
    nonce: String,
    still_right: impl FnOnce(&mut Tx<'_>) -> ServiceResult<()> + Send + 'static,
) -> ServiceResult<()> {
    let profile = s.store.read(move |u| profiles::own(u, user)).await?;
    let checked = at_gateway(s, by.clone(), &profile, &nonce);
    let (customer_id, details) = refusals::of_new_card(s, caller, Some(booking), checked).await?;
    s.write(by, move |tx| {
        still_right(tx)?;
        keep_card(tx, user, customer_id, details).map(drop)
    })
    .await
}

/// `POST /payment/card`: another card of a known customer; it is the one charged from now on,
/// and declined charges are tried again with it at once.
///
/// # Errors
/// As [`create_customer`]; `not_found` when `customer_id` is not the caller's.
pub async fn add_card(
    s: &Services,
    caller: &Caller,
    nonce: String,
    customer_id: Option<String>,
    guard: Option<Guard<StoredCustomer>>,
) -> ServiceResult<Replayable<StoredCustomer>> {
    if let Some(named) = customer_id {
        let user = caller.user.ok_or(ErrorCode::SignInNeeded)?;
        let profile = s.store.read(move |u| Ok::<_, Error>(u.profiles().get(user)?)).await?;
        if profile.and_then(|p| p.gateway_customer_id) != Some(named) {
            return Err(ErrorCode::NotFound.into());
        }
    }
    create_customer(s, caller, nonce, guard).await
}

async fn replayed(
    s: &Services,
    guard: Option<&Guard<StoredCustomer>>,
) -> ServiceResult<Option<Replayable<StoredCustomer>>> {
    let Some(request) = guard.map(|g| g.request.clone()) else { return Ok(None) };
    let now = s.clock.now();
    let found = s.store.read(move |u| request.replay(u, now)).await?;
    Ok(found.map(|(status, body)| Replayable::Replayed { status, body }))
}

async fn make_customer(s: &Services, actor: Actor, profile: &Profile) -> ServiceResult<String> {
    let phone = Some(profile.phone.clone()).filter(|p| !p.is_empty());
    let customer = NewCustomer {
        user_ref: profile.user_id.to_string(),
        first_name: profile.first_name.clone(),
        last_name: profile.last_name.clone(),
        email: profile.email.to_string(),
        phone,
    };
    let id = s
        .gateway
        .create_customer(&customer)
        .await
        .map_err(|e| refusal_of(e, ErrorCode::PaymentCustomerFailed, "Payment: "))?;
    keep_customer(s, actor, profile.user_id, id).await
}

/// Two tabs may make a customer each: the one that is written first is the person's.
async fn keep_customer(s: &Services, actor: Actor, user: UserId, made: String) -> ServiceResult<String> {
    let mut looks = 0;
    loop {
        looks += 1;
        let made = made.clone();
        // Written at once: a crash after this point must not leave a second customer behind.
        let kept = s.write(actor.clone(), move |tx| {
            let mut profile = profiles::own(tx.unit, user)?;
            if let Some(first) = profile.gateway_customer_id {
                return Ok(first);
            }
            profile.gateway_customer_id = Some(made.clone());
            tx.unit.profiles().update(&profile, profile.version)?;
            Ok(made)
        });
        match kept.await {
            // The profile was written between our look and our write.
            Err(Error::Store(StoreError::Stale)) if looks < LOOKS => {}
            kept => return kept,
        }
    }
}

/// Has the gateway check a card that is charged once: it is nobody's stored card.
///
/// # Errors
/// As [`create_customer`].
pub(crate) async fn check_card(s: &Services, by: Actor, payer: &Profile, nonce: &str) -> ServiceResult<CardDetails> {
    let customer_id = match payer.gateway_customer_id.clone() {
        Some(id) => id,
        None => make_customer(s, by, payer).await?,
    };
    vault(s, &customer_id, nonce).await
}

async fn vault(s: &Services, customer_id: &str, nonce: &str) -> ServiceResult<CardDetails> {
    match s.gateway.vault(customer_id, nonce).await {
        Ok(VaultOutcome::Stored(details)) => Ok(details),
        Ok(VaultOutcome::Refused { message, code, .. }) => {
            let reason = DeclineReason::of(&code).code();
            Err(Error::ByGateway(ErrorCode::PaymentDeclined, message, vec![("reason", reason.to_owned())]))
        }
        Err(e) => Err(refusal_of(e, ErrorCode::PaymentCardFailed, "PaymentCard: ")),
    }
}

/// A rejection as an error in the gateway's words; the log carries the specification's prefix.
fn refusal_of(e: GatewayError, code: ErrorCode, prefix: &str) -> Error {
    match e {
        GatewayError::Rejected { message, .. } => {
            tracing::warn!("{prefix}{message}");
            Error::ByGateway(code, message, Vec::new())
        }
        other => other.into(),
    }
}

/// Writes a card down that the gateway keeps, and sets going what waits for one.
fn keep_card(
    tx: &mut Tx<'_>,
    user: UserId,
    customer_id: String,
    details: CardDetails,
) -> ServiceResult<StoredCustomer> {
    // While the gateway was asked, the person may have shown the address to be theirs.
    let user = tx.unit.accounts().lock(user)?.and_then(|a| a.merged).map_or(user, |(into, _)| into);
    let card = Card {
        id: tx.id(),
        user_id: user,
        method_id: details.method_id,
        brand: details.brand,
        last4: details.last4,
        expiry: details.expiry,
        usable: true,
        created_at: tx.now,
    };
    tx.unit.cards().insert(&card)?;
    retry_declined(tx, user)?;
    let after = serde_json::json!({ "brand": card.brand, "last4": card.last4, "customer": user });
    tx.audit("card.store", card.id, None, Some(after))?;
    Ok(StoredCustomer { customer_id, card })
}

/// A new card sets every declined charge of its owner going at once (`policy-timeline.md` §6).
///
/// # Errors
/// When the database fails.
pub fn retry_declined(tx: &mut Tx<'_>, user: UserId) -> ServiceResult<()> {
    let mut page = 1;
    loop {
        let mut bookings = tx.unit.bookings().of_user(user, page, 100)?;
        for booking in &mut bookings.data {
            if booking.is_asked() {
                // The question names the card that is charged.
                tx.enqueue(&Work::FollowConsent { booking_id: booking.id })?;
            }
            let mut moved = false;
            for mut row in tx.unit.payments().of_booking(booking.id)? {
                let waits = matches!(*row.state, State::SoftDeclined | State::HardDeclined)
                    || (*row.state == State::Failed && row.kind.is_charge());
                if waits {
                    row.next_attempt_at = Some(due_now(tx.now));
                    tx.unit.payments().update(&row)?;
                    moved = true;
                }
            }
            if moved {
                settle::settle(tx, booking)?;
            }
        }
        if bookings.data.len() < 100 {
            return Ok(());
        }
        page += 1;
    }
}
