//! Data read in one transaction before a booking is created.

use kernel::{Email, HoldId, UserId};
use status_machine::hold;

use super::{
    draft::Draft,
    replay::{self, KeyState},
};
use crate::{
    Error, ServiceResult, Services,
    accounts::desk::{self, Contact},
    estimates::locked::{self, Locked},
    idempotency::Request,
    ports::{Unit, bookings::Booking, profiles::Profile, rates::StoredRate, tips::Tip},
    profiles,
};

/// Whose booking it will be.
#[derive(Clone)]
pub(super) enum Owner {
    /// Of somebody who is signed in.
    Account(UserId),
    /// Of whoever has this address.
    Contact(Contact),
}

impl Owner {
    /// It is theirs already.
    fn has(&self, b: &Booking) -> bool {
        match self {
            Owner::Account(user) => b.user_id == *user,
            Owner::Contact(contact) => {
                b.details.customer_email.parse::<Email>().is_ok_and(|email| email.key() == contact.email.key())
            }
        }
    }
}

/// What is read before a booking is made. See the module.
pub(super) struct BookingPreflight {
    /// What the request's key was answered with.
    pub key: ServiceResult<KeyState>,
    /// What the hold became already: this person's booking with its tip.
    pub made: Option<(Booking, Option<Tip>)>,
    /// Who books.
    pub profile: ServiceResult<Profile>,
    /// They have stored a card.
    pub has_card: bool,
    /// The card of rates that the hold of this start locked, while it lasts.
    pub rate: Option<StoredRate>,
    /// What the mailed quote is priced with that the draft was taken up from, while it holds for this draft.
    pub locked: Option<Locked>,
    /// Holds that lapsed and that nobody gave back.
    pub lapsed: Vec<HoldId>,
}

/// Lapsed holds that are looked at before a booking.
const LAPSED: i64 = 200;

/// # Errors
/// When the database fails.
pub(super) async fn look(
    s: &Services,
    owner: &Owner,
    draft: &Draft,
    key: Option<Request>,
) -> ServiceResult<BookingPreflight> {
    let owner = owner.clone();
    let (now, hold, start) = (s.clock.now(), draft.hold_id, (draft.date, draft.time));
    let quote = draft.saved_quote.clone().map(|link| (link, draft.digest()));
    let read = move |u: &mut dyn Unit| {
        let key = key.map_or(Ok(KeyState::Nothing), |key| replay::look(u, &key, now));
        let held = match hold {
            Some(id) => u.capacities().hold(id)?,
            None => None,
        };
        let made = match held.as_ref().and_then(|h| h.booking_id) {
            Some(id) => u.bookings().get(id)?.filter(|b| owner.has(b)),
            None => None,
        };
        let made = made.map(|b| Ok::<_, Error>((u.tips().of_booking(b.id)?, b))).transpose()?;
        let lasts = |h: &crate::ports::capacity::Hold| {
            hold::occupies(*h.state) && now < h.expires_at && (h.date, h.time) == start
        };
        let rate = match held.filter(lasts).and_then(|h| h.rate_id) {
            Some(rate) => u.rates().get(rate)?,
            None => None,
        };
        let locked = match &quote {
            Some((link, digest)) => locked::read(u, link, digest, now)?,
            None => None,
        };
        let account = match &owner {
            Owner::Account(user) => Some(*user),
            Owner::Contact(contact) => desk::verified(u, &contact.email)?,
        };
        let has_card = match account {
            Some(user) => u.cards().current(user)?.is_some(),
            None => false,
        };
        Ok(BookingPreflight {
            key,
            made: made.map(|(tip, b)| (b, tip)),
            profile: match &owner {
                Owner::Account(user) => profiles::own(u, *user),
                // Who has no account yet gets one with the booking.
                Owner::Contact(contact) => {
                    Ok(contact.profile(account.unwrap_or_else(|| UserId(uuid::Uuid::nil())), now))
                }
            },
            has_card,
            rate,
            locked,
            lapsed: u.capacities().lapsed(now, LAPSED)?.into_iter().map(|h| h.id).collect(),
        })
    };
    s.store.read(read).await
}
