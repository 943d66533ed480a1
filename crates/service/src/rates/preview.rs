//! What another card would make of the bookings there are.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;
use kernel::{BookingId, Money, RateId, ShortId};
use pricing::{Discount, RateCard};
use serde_json::Value;

use super::{current, read};
use crate::{
    Error, ErrorCode, ServiceResult, Services, Staff, bookings, discounts, estimates,
    moves::MoveInput,
    ports::{
        Unit,
        bookings::Booking,
        lists::{Listing, Order, Start},
    },
};

/// A booking priced by two cards: by its own job, day, code and leg, without a change fee.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repriced {
    /// The booking.
    pub booking: BookingId,
    /// Its number.
    pub short_id: ShortId,
    /// Local day of the move.
    pub move_date: NaiveDate,
    /// The total that was booked.
    pub booked: Money,
    /// The total by the card in force.
    pub old: Money,
    /// The total by the other card.
    pub new: Money,
}

impl Repriced {
    /// What the other card asks for more.
    pub fn difference(&self) -> Money {
        self.new.minus(self.old)
    }
}

/// A move that nobody booked, priced by two cards: the total with tax and the minutes it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PricedExample {
    /// By the card in force.
    pub old: (Money, u32),
    /// By the other card.
    pub new: (Money, u32),
}

/// Bookings and example moves priced by two cards.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Preview {
    /// The newest booking first.
    pub data: Vec<Repriced>,
    /// How many could not be priced.
    pub failed: usize,
    /// In the order in which they were sent.
    pub examples: Vec<PricedExample>,
}

/// What to price.
#[derive(Debug, Clone)]
pub struct RatePreviewInput {
    /// The other card as it was sent, amounts in whole cents; that of the version when there is none.
    pub card: Option<Value>,
    /// How many of the newest bookings are priced.
    pub n: i64,
    /// Moves that nobody booked, each with its day; an ordinary one where it has none.
    pub examples: Vec<(MoveInput, Option<NaiveDate>)>,
}

impl Preview {
    /// All totals by the card in force.
    pub fn old_sum(&self) -> Money {
        self.data.iter().map(|b| b.old).sum()
    }

    /// All totals by the other card.
    pub fn new_sum(&self) -> Money {
        self.data.iter().map(|b| b.new).sum()
    }

    /// The booking that would change most, up or down; of several the newest.
    pub fn worst(&self) -> Option<&Repriced> {
        self.data.iter().rev().max_by_key(|b| b.difference().cents().unsigned_abs())
    }
}

/// Prices the newest bookings and the example moves by the standard card in force and by another one: by the card that was
/// sent, or by that of the version `id`. Nothing is changed, and no map is asked.
///
/// # Errors
/// `not_found`, `no_rate`; every mistake of the card and of the example moves by its place.
pub async fn preview(s: &Services, _: &Staff, id: RateId, input: RatePreviewInput) -> ServiceResult<Preview> {
    let RatePreviewInput { card, n, examples } = input;
    let mistakes = |all: Vec<read::Mistake>| Error::Invalid(all.iter().map(|mistake| mistake.field("card")).collect());
    let sent = card.map(read::read).transpose().map_err(mistakes)?;
    let standard = current(s).await?;
    s.store
        .read(move |u| {
            let stored = u.rates().get(id)?.ok_or(ErrorCode::NotFound)?;
            let new = sent.unwrap_or(stored.card);
            let examples = priced(&examples, &standard.card, &new)?;
            Ok::<_, Error>(Preview { examples, ..of_newest(u, n, &standard.card, &new)? })
        })
        .await
}

/// Bookings that are read together: each comes with all that was described of its move.
const CHUNK: i64 = 100;

/// Prices the newest `n` bookings by two cards.
fn of_newest(u: &mut dyn Unit, n: i64, old: &RateCard, new: &RateCard) -> ServiceResult<Preview> {
    let (mut found, mut left) = (Preview::default(), n);
    let mut start = Some(Start::First(Order::CreatedAtDescending));
    while let Some(from) = start.filter(|_| left > 0) {
        let slice = u.bookings().listed(&Listing::default(), from, left.min(CHUNK))?;
        let part = compare(&slice.data, &codes(u, &slice.data)?, old, new);
        found.data.extend(part.data);
        found.failed += part.failed;
        left -= CHUNK;
        start = slice.next.map(Start::After);
    }
    Ok(found)
}

/// Prices example moves by two cards.
fn priced(
    examples: &[(MoveInput, Option<NaiveDate>)],
    old: &RateCard,
    new: &RateCard,
) -> ServiceResult<Vec<PricedExample>> {
    (0_u32..)
        .zip(examples)
        .map(|(n, (job, day))| {
            let items = format!("examples[{n}].{}", estimates::ITEMS);
            let by = |card| estimates::cost(job, *day, card, &items);
            Ok(PricedExample { old: by(old)?, new: by(new)? })
        })
        .collect()
}

/// The codes of bookings, whatever they are still good for.
fn codes(u: &mut dyn Unit, bookings: &[Booking]) -> ServiceResult<BTreeMap<String, Discount>> {
    let named: BTreeSet<&str> = bookings.iter().filter_map(|b| b.discount_code.as_deref()).collect();
    let mut found = BTreeMap::new();
    for code in named {
        if let Some(stored) = u.discounts().by_code(code)? {
            found.insert(code.to_owned(), discounts::priced(&stored));
        }
    }
    Ok(found)
}

/// Prices bookings by two cards.
pub fn compare(bookings: &[Booking], codes: &BTreeMap<String, Discount>, old: &RateCard, new: &RateCard) -> Preview {
    let mut preview = Preview::default();
    for b in bookings {
        let discount = b.discount_code.as_ref().and_then(|code| codes.get(code));
        match repriced(b, discount, old, new) {
            Ok(one) => preview.data.push(one),
            Err(e) => {
                tracing::debug!(booking = %b.id, error = %e, "a booking cannot be priced anew");
                preview.failed += 1;
            }
        }
    }
    preview
}

fn repriced(b: &Booking, discount: Option<&Discount>, old: &RateCard, new: &RateCard) -> ServiceResult<Repriced> {
    let job = bookings::job(b);
    Ok(Repriced {
        booking: b.id,
        short_id: b.short_id.clone(),
        move_date: b.move_date,
        booked: b.total,
        old: estimates::total(&job, b.move_date, discount, old)?,
        new: estimates::total(&job, b.move_date, discount, new)?,
    })
}
