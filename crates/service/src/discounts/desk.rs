//! Discount codes as staff keep them.

use chrono::NaiveDate;
use kernel::{BasisPoints, BookingId, DiscountId, Money, Province, ShortId};
use pricing::{DiscountTerms, MoveKind};

use super::{MAX_CODE_LEN, day, key, snapshot::snapshot, why::is_used_up};
use crate::{
    Error, ErrorCode, FieldProblem, Limit, ServiceResult, Services, Staff, Tx,
    error::FieldError,
    idempotency::{self, Guard, Replayable},
    ports::{
        StoreError,
        bookings::Page,
        discounts::{CodeUse, StoredDiscount},
    },
};

/// More than this no code takes off.
const MOST: Money = Money::from_cents(10_000_000);
/// 100 %.
const WHOLE: i64 = 10_000;

/// Where a code stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Its time is still to come.
    Planned,
    /// May be used.
    Active,
    /// The last use is gone.
    Exhausted,
    /// Its time is over.
    Past,
    /// Switched off by staff.
    Disabled,
}

impl State {
    /// All of them.
    pub const ALL: [State; 5] = [State::Planned, State::Active, State::Exhausted, State::Past, State::Disabled];

    /// Stable code.
    pub const fn code(self) -> &'static str {
        match self {
            State::Planned => "planned",
            State::Active => "active",
            State::Exhausted => "exhausted",
            State::Past => "past",
            State::Disabled => "disabled",
        }
    }

    /// Of a code on a day of the company. What is over counts more than what is used up: it will not come back. Without a
    /// first day of booking the first day of moving says when a code begins.
    pub fn of(d: &StoredDiscount, today: NaiveDate) -> State {
        match () {
            () if d.disabled => State::Disabled,
            () if d.valid_until < today || d.bookable_until.is_some_and(|until| until < today) => State::Past,
            () if is_used_up(d) => State::Exhausted,
            () if d.bookable_from.unwrap_or(d.valid_from) > today => State::Planned,
            () => State::Active,
        }
    }
}

/// A code and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Standing {
    /// The code.
    pub discount: StoredDiscount,
    /// Where it stands today.
    pub state: State,
}

/// Who used a code.
#[derive(Debug, Clone, PartialEq)]
pub struct UsedBy {
    /// The use.
    pub used: CodeUse,
    /// The booking's number; none while it is being paid for, or when it never was.
    pub short_id: Option<ShortId>,
    /// The customer's name; empty while nobody has told it.
    pub name: String,
    /// What the code took off, where the booking still has it.
    pub off: Option<Money>,
}

/// What staff write down about a code.
#[derive(Debug, Clone, PartialEq)]
pub struct Terms {
    /// As printed; empty where it stays as it is.
    pub code: String,
    /// What it takes off.
    pub terms: DiscountTerms,
    /// First and last local day of the move.
    pub valid: (NaiveDate, NaiveDate),
    /// First and last day of booking, as far as there are any.
    pub bookable: (Option<NaiveDate>, Option<NaiveDate>),
    /// Provinces of pickup; empty = all.
    pub provinces: Vec<Province>,
    /// Kinds of move; empty = all.
    pub kinds: Vec<MoveKind>,
    /// Uses in all.
    pub max_uses: Option<i32>,
    /// Uses of one customer.
    pub max_uses_per_customer: Option<i32>,
    /// Only for a customer without another booking.
    pub first_booking_only: bool,
    /// Switched off.
    pub disabled: bool,
}

impl Terms {
    /// The code as it is stored, and everything that is wrong at once.
    pub(crate) fn checked(mut self) -> ServiceResult<Terms> {
        let mut wrong = Vec::new();
        let mut refuse = |field: &str, problem| wrong.push(FieldError::new(field, problem));
        self.code = key(&self.code);
        if self.code.len() > MAX_CODE_LEN {
            refuse("code", FieldProblem::TooLong);
        } else if self.code.chars().any(|c| c.is_whitespace() || c.is_control()) {
            // People read a code aloud and type it: one word.
            refuse("code", FieldProblem::Invalid);
        }
        let in_range = |m: Money| m.is_positive() && m <= MOST;
        let amounts = FieldProblem::Between(Limit::CENT, MOST.into());
        match &self.terms {
            DiscountTerms::Percent { share, max } => {
                if *share <= BasisPoints::new(0) || *share > BasisPoints::new(WHOLE) {
                    let (least, most) = (BasisPoints::new(1), BasisPoints::new(WHOLE));
                    refuse("value", FieldProblem::Between(Limit::Share(least), Limit::Share(most)));
                }
                if max.is_some_and(|m| !in_range(m)) {
                    refuse("maxAmount", amounts);
                }
            }
            DiscountTerms::Fixed { amount } if !in_range(*amount) => refuse("value", amounts),
            DiscountTerms::Fixed { .. } => {}
        }
        if self.valid.1 < self.valid.0 {
            refuse("validUntil", FieldProblem::AtLeast(self.valid.0.into()));
        }
        if let (Some(from), Some(until)) = self.bookable
            && until < from
        {
            refuse("bookableUntil", FieldProblem::AtLeast(from.into()));
        }
        if self.bookable.0.is_some_and(|from| from > self.valid.1) {
            // Nobody could ever book with it.
            refuse("bookableFrom", FieldProblem::AtMost(self.valid.1.into()));
        }
        for (field, most) in [("maxUses", self.max_uses), ("maxUsesPerCustomer", self.max_uses_per_customer)] {
            if most.is_some_and(|n| n < 1) {
                refuse(field, FieldProblem::AtLeast(Limit::Count(1)));
            }
        }
        self.provinces.sort_unstable_by_key(|p| p.code());
        self.provinces.dedup();
        self.kinds.sort_unstable_by_key(|k| k.code());
        self.kinds.dedup();
        if wrong.is_empty() { Ok(self) } else { Err(Error::Invalid(wrong)) }
    }

    /// The code with these terms; its uses and its key stay.
    pub(crate) fn write(self, to: StoredDiscount) -> StoredDiscount {
        StoredDiscount {
            terms: self.terms,
            valid_from: self.valid.0,
            valid_until: self.valid.1,
            bookable_from: self.bookable.0,
            bookable_until: self.bookable.1,
            max_uses: self.max_uses,
            max_uses_per_customer: self.max_uses_per_customer,
            first_booking_only: self.first_booking_only,
            provinces: self.provinces,
            kinds: self.kinds,
            disabled: self.disabled,
            ..to
        }
    }
}

/// A page of codes, the newest first: all, or those that contain a text.
///
/// # Errors
/// When the database fails.
pub async fn list(
    s: &Services,
    _: &Staff,
    part: String,
    (page, per_page): (i64, i64),
) -> ServiceResult<Page<Standing>> {
    let today = day(s.clock.now());
    let skip = page.saturating_sub(1).saturating_mul(per_page);
    let found = s.store.read(move |u| u.discounts().page(&part, skip, per_page).map_err(Error::from)).await?;
    let data = found.data.into_iter().map(|d| standing(d, today)).collect();
    Ok(Page { data, total: found.total })
}

fn standing(discount: StoredDiscount, today: NaiveDate) -> Standing {
    Standing { state: State::of(&discount, today), discount }
}

/// One code.
///
/// # Errors
/// `not_found`.
pub async fn get(s: &Services, _: &Staff, id: DiscountId) -> ServiceResult<Standing> {
    let today = day(s.clock.now());
    let found = s.store.read(move |u| u.discounts().get(id).map_err(Error::from)).await?;
    Ok(standing(found.ok_or(ErrorCode::NotFound)?, today))
}

/// A page of the bookings a code was used in, the newest use first.
///
/// # Errors
/// `not_found`.
pub async fn uses(
    s: &Services,
    _: &Staff,
    id: DiscountId,
    (page, per_page): (i64, i64),
) -> ServiceResult<Page<UsedBy>> {
    let skip = page.saturating_sub(1).saturating_mul(per_page);
    s.store
        .read(move |u| {
            let code = u.discounts().get(id)?.ok_or(ErrorCode::NotFound)?;
            let found = u.discounts().uses(id, skip, per_page)?;
            let ids: Vec<BookingId> = found.data.iter().map(|used| used.booking).collect();
            let bookings = u.bookings().get_all(&ids)?;
            let mut data = Vec::new();
            for used in found.data {
                let booking = bookings.iter().find(|b| b.id == used.booking);
                let profile = u.profiles().get(used.user)?;
                let has_it = booking.filter(|b| b.discount_code.as_deref() == Some(code.code.as_str()));
                let line = has_it.and_then(|b| b.details.lines.iter().find(|l| l.content == "discount"));
                data.push(UsedBy {
                    used,
                    short_id: booking.map(|b| b.short_id.clone()),
                    name: profile.map_or_else(String::new, |p| kernel::full_name(&p.first_name, &p.last_name)),
                    off: line.map(|l| l.amount.negated()),
                });
            }
            Ok::<_, Error>(Page { data, total: found.total })
        })
        .await
}

/// Adds a code.
///
/// # Errors
/// `discount_code_taken`, whatever its case; the fields.
pub async fn add(
    s: &Services,
    staff: &Staff,
    new: Terms,
    guard: Option<Guard<Standing>>,
) -> ServiceResult<Replayable<Standing>> {
    let (new, asked_at) = (new.checked()?, s.clock.now());
    s.write(staff.actor(), move |tx| {
        idempotency::once(tx, guard, asked_at, |tx| {
            let discount = insert(tx, new)?;
            Ok(standing(discount, day(tx.now)))
        })
    })
    .await
}

/// Adds a code within a unit of work; its terms are checked.
///
/// # Errors
/// As [`add`].
pub(crate) fn insert(tx: &mut Tx<'_>, new: Terms) -> ServiceResult<StoredDiscount> {
    if new.code.is_empty() {
        return Err(Error::field("code", FieldProblem::Required));
    }
    let bare = StoredDiscount {
        id: DiscountId(tx.id()),
        code: new.code.clone(),
        terms: new.terms.clone(),
        valid_from: new.valid.0,
        valid_until: new.valid.1,
        bookable_from: None,
        bookable_until: None,
        max_uses: None,
        max_uses_per_customer: None,
        first_booking_only: false,
        uses: 0,
        provinces: Vec::new(),
        kinds: Vec::new(),
        disabled: false,
        created_at: tx.now,
        version: 1,
    };
    let discount = new.write(bare);
    match tx.unit.discounts().insert(&discount) {
        Err(StoreError::Duplicate(_)) => return Err(ErrorCode::DiscountCodeTaken.into()),
        added => added?,
    }
    tx.audit("discount.add", discount.id, None, Some(snapshot(&discount)))?;
    Ok(discount)
}

/// Changes what a code takes off, when and for whom. The code itself stays: bookings name it.
///
/// # Errors
/// `not_found`, `version_conflict`, the fields; `maxUses` below the uses there were.
pub async fn put(s: &Services, staff: &Staff, id: DiscountId, new: Terms, version: i32) -> ServiceResult<Standing> {
    let new = new.checked()?;
    s.write(staff.actor(), move |tx| {
        let discount = change(tx, id, new, version)?;
        Ok(standing(discount, day(tx.now)))
    })
    .await
}

/// Changes a code within a unit of work; its terms are checked.
///
/// # Errors
/// As [`put`].
pub(crate) fn change(tx: &mut Tx<'_>, id: DiscountId, new: Terms, version: i32) -> ServiceResult<StoredDiscount> {
    let old = tx.unit.discounts().lock(id)?.ok_or(ErrorCode::NotFound)?;
    if old.version != version {
        return Err(ErrorCode::VersionConflict.into());
    }
    if !new.code.is_empty() && new.code != old.code {
        return Err(Error::field("code", FieldProblem::CodeStays));
    }
    // Uses that mailed quotes took beyond the limit do not keep anybody from leaving the limit as it is.
    if new.max_uses != old.max_uses && new.max_uses.is_some_and(|most| most < old.uses) {
        return Err(Error::field("maxUses", FieldProblem::AtLeast(Limit::Count(old.uses.into()))));
    }
    let before = snapshot(&old);
    let mut discount = new.write(old);
    discount.version = tx.unit.discounts().update(&discount)?;
    tx.audit("discount.update", id, Some(before), Some(snapshot(&discount)))?;
    Ok(discount)
}

/// Removes a code that nobody ever used and no quote was mailed with, and switches any other off for good: its bookings keep
/// it, and a mailed quote holds its price until it lapses. `expected` is the version that was read; none: whichever it has.
///
/// # Errors
/// `not_found`, `version_conflict`.
pub async fn remove(s: &Services, staff: &Staff, id: DiscountId, expected: Option<i32>) -> ServiceResult<()> {
    s.write(staff.actor(), move |tx| {
        let old = tx.unit.discounts().lock(id)?.ok_or(ErrorCode::NotFound)?;
        if expected.is_some_and(|version| version != old.version) {
            return Err(ErrorCode::VersionConflict.into());
        }
        if tx.unit.discounts().uses(id, 0, 1)?.total == 0 && !tx.unit.quotes().name_code(id)? {
            tx.unit.discounts().remove(id)?;
            return Ok::<_, Error>(tx.audit("discount.remove", id, Some(snapshot(&old)), None)?);
        }
        switch_off(tx, old)
    })
    .await
}

fn switch_off(tx: &mut Tx<'_>, old: StoredDiscount) -> ServiceResult<()> {
    if old.disabled {
        return Ok(());
    }
    let before = snapshot(&old);
    let mut discount = StoredDiscount { disabled: true, ..old };
    discount.version = tx.unit.discounts().update(&discount)?;
    Ok(tx.audit("discount.remove", discount.id, Some(before), Some(snapshot(&discount)))?)
}
