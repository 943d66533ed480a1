//! Everything the judge needs, read as it lies there: rows, the gateway's own list, what arrived by
//! mail, what people were told. Nothing here is computed by the use cases.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Duration, Utc};
use kernel::MateId;
use scheduling::BucketKey;
use service::ports::{
    Clock as _, StoreResult, Unit,
    bookings::Booking,
    capacity::Hold,
    checkouts::Checkout,
    crews::CrewMate,
    disputes::Dispute,
    history::{Revision, StatusChange},
    jobs::Job,
    ledger::Entry,
    payments::{Attempt, GatewayDispute, GatewayTransaction, Payment},
    tips::Tip,
};
use status_machine::records::CheckoutState;

use crate::{
    acks::Ack,
    outside::Letter,
    people::{CODE, HUB},
    world::World,
};

/// One booking and all that hangs on it.
#[derive(Debug, Clone)]
pub struct BookingFacts {
    pub booking: Booking,
    pub payments: Vec<Payment>,
    pub attempts: Vec<Attempt>,
    pub entries: Vec<Entry>,
    pub history: Vec<StatusChange>,
    pub revisions: Vec<Revision>,
    pub tip: Option<Tip>,
    pub hold: Option<Hold>,
    pub crew: Vec<CrewMate>,
    /// Half hours its mates are taken for.
    pub times: Vec<(MateId, DateTime<Utc>)>,
    /// Disputes as our books have them.
    pub disputes: Vec<Dispute>,
    /// Attempts that staff asked for.
    pub pressed: usize,
}

/// A moment.
#[derive(Debug, Clone)]
pub struct Facts {
    pub now: DateTime<Utc>,
    pub bookings: Vec<BookingFacts>,
    pub bank: Vec<GatewayTransaction>,
    /// Every dispute that was opened at the gateway.
    pub disputes: Vec<GatewayDispute>,
    /// Order ids that were applied when nobody had to wait for them any more.
    pub late: BTreeSet<String>,
    pub letters: Vec<Letter>,
    pub acks: Vec<Ack>,
    /// Uses of the code, as counted.
    pub uses: i32,
    /// Payments before the effect that are not finished.
    pub checkouts: Vec<Checkout>,
    /// Jobs that were given up.
    pub dead: Vec<Job>,
    /// Holds that have not become a booking.
    pub holds: Vec<Hold>,
    /// Mates and trucks counted as taken.
    pub used: BTreeMap<BucketKey, (u32, [u32; 3])>,
    /// Cards stored since the beginning.
    pub cards: u64,
}

/// What hangs on these bookings, and the rest. The counters of the half hours are only read when asked for.
pub fn gather(w: &World, bookings: &[Booking], rooms: bool, cards: u64) -> Facts {
    let now = w.clock.now();
    let bookings = bookings.to_vec();
    let desk = w.plan.desk > 0 || w.plan.disputed > 0;
    let mut facts = w.look(move |u| read(u, now, bookings, desk));
    if rooms {
        facts.used =
            w.db.taken(HUB).into_iter().map(|(date, index, taken)| (BucketKey { date, index }, taken)).collect();
    }
    w.settle_charges();
    facts.bank = w.bank.list();
    facts.disputes = w.bank.disputes();
    facts.late = w.bank.late();
    facts.letters = w.post.letters();
    facts.acks = w.acks.all();
    facts.cards = cards;
    facts
}

fn read(u: &mut dyn Unit, now: DateTime<Utc>, bookings: Vec<Booking>, desk: bool) -> StoreResult<Facts> {
    let bookings = bookings.into_iter().map(|booking| one(u, booking, desk)).collect::<StoreResult<_>>()?;
    let holds = u.capacities().lapsed(now + Duration::days(999), 10_000)?;
    Ok(Facts {
        now,
        bookings,
        bank: Vec::new(),
        disputes: Vec::new(),
        late: BTreeSet::new(),
        letters: Vec::new(),
        acks: Vec::new(),
        uses: u.discounts().by_code(CODE)?.map_or(0, |d| d.uses),
        checkouts: u.checkouts().in_state(CheckoutState::Charging)?,
        dead: u.jobs().dead(10)?,
        holds,
        used: BTreeMap::new(),
        cards: 0,
    })
}

fn one(u: &mut dyn Unit, booking: Booking, desk: bool) -> StoreResult<BookingFacts> {
    let id = booking.id;
    let payments = u.payments().of_booking(id)?;
    let mut attempts = Vec::new();
    for payment in &payments {
        attempts.extend(u.payments().attempts_of(payment.id)?);
    }
    let (mut disputes, mut pressed) = (Vec::new(), 0);
    if desk {
        disputes = u.disputes().of_booking(id)?;
        for payment in payments.iter().filter(|p| p.attempts > 0) {
            pressed += u.failed().pressed(payment.id)?.len();
        }
    }
    Ok(BookingFacts {
        payments,
        attempts,
        entries: u.ledger().of_booking(id)?,
        history: u.booking_history().status_history(id)?,
        revisions: u.booking_history().revisions(id)?,
        tip: u.tips().of_booking(id)?,
        hold: u.capacities().hold_of_booking(id)?,
        crew: u.crews().of_booking(id)?,
        times: u.crews().times(id)?,
        disputes,
        pressed,
        booking,
    })
}
