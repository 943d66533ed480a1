//! Why a code is not good for a booking: staff are told, who see the codes themselves. To everybody else each reason reads
//! the same.

use chrono::NaiveDate;
use kernel::Province;
use pricing::MoveKind;

use crate::{Actor, Error, ErrorCode, Params, ports::discounts::StoredDiscount};

/// A move that a code is to be good for: its local day, its province and kind where they are known.
#[derive(Debug, Clone, Copy)]
pub struct Move {
    /// Local day.
    pub date: NaiveDate,
    /// Of the pickup.
    pub province: Option<Province>,
    /// Kind.
    pub kind: Option<MoveKind>,
}

/// The first reason why a code is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum RefusalReason {
    /// No code is called so.
    Unknown,
    /// It is switched off.
    Disabled,
    /// Its uses are gone.
    UsedUp,
    /// The move is not in its days.
    MoveDay(NaiveDate, NaiveDate),
    /// One may not book with it yet.
    NotYet(NaiveDate),
    /// One may not book with it any more.
    NoMore(NaiveDate),
    /// It is for pickups elsewhere.
    Province(Vec<Province>),
    /// It is for other kinds of move.
    Kind(Vec<MoveKind>),
    /// This customer has used it as often as one may.
    Customer,
    /// It is for a first booking, and this customer has another one.
    NotFirst,
}

impl RefusalReason {
    /// Stable code.
    pub(crate) const fn code(&self) -> &'static str {
        match self {
            RefusalReason::Unknown => "unknown",
            RefusalReason::Disabled => "disabled",
            RefusalReason::UsedUp => "usedUp",
            RefusalReason::MoveDay(..) => "moveDay",
            RefusalReason::NotYet(_) => "notYet",
            RefusalReason::NoMore(_) => "noMore",
            RefusalReason::Province(_) => "province",
            RefusalReason::Kind(_) => "kind",
            RefusalReason::Customer => "customer",
            RefusalReason::NotFirst => "notFirst",
        }
    }

    /// The refusal as `actor` is told it.
    pub(super) fn refused_to(&self, actor: &Actor) -> Error {
        use status_machine::Role::{Admin, Ops};
        if matches!(actor.role, Some(Ops | Admin)) { self.refused() } else { ErrorCode::DiscountInvalid.into() }
    }

    /// The refusal as staff are told it.
    pub(crate) fn refused(&self) -> Error {
        let mut said: Params = vec![("why", self.code().to_owned())];
        match self {
            RefusalReason::MoveDay(first, last) => {
                said.extend([("firstDay", first.to_string()), ("lastDay", last.to_string())]);
            }
            RefusalReason::NotYet(first) => said.push(("firstDay", first.to_string())),
            RefusalReason::NoMore(last) => said.push(("lastDay", last.to_string())),
            RefusalReason::Province(list) => {
                said.push(("provinces", list.iter().map(|p| p.code()).collect::<Vec<_>>().join(",")));
            }
            RefusalReason::Kind(list) => {
                said.push(("kinds", list.iter().map(|k| k.code()).collect::<Vec<_>>().join(",")))
            }
            RefusalReason::Unknown
            | RefusalReason::Disabled
            | RefusalReason::UsedUp
            | RefusalReason::Customer
            | RefusalReason::NotFirst => {}
        }
        Error::Refused(ErrorCode::DiscountInvalid, said)
    }
}

/// Why a code is not good for a move that is booked on the day `today`; none when it is. What depends on the customer is
/// seen when the booking is made.
pub(crate) fn not_good(d: &StoredDiscount, wanted: Move, today: NaiveDate) -> Option<RefusalReason> {
    if d.disabled {
        return Some(RefusalReason::Disabled);
    }
    if let Some(why) = not_bookable(d, today) {
        return Some(why);
    }
    if is_used_up(d) {
        return Some(RefusalReason::UsedUp);
    }
    not_of_move(d, wanted)
}

/// Why its terms do not allow the move itself, whenever it is booked and however often the code is used.
pub(super) fn not_of_move(d: &StoredDiscount, wanted: Move) -> Option<RefusalReason> {
    let Move { date, province, kind } = wanted;
    if date < d.valid_from || d.valid_until < date {
        return Some(RefusalReason::MoveDay(d.valid_from, d.valid_until));
    }
    if province.is_some_and(|p| !d.provinces.is_empty() && !d.provinces.contains(&p)) {
        return Some(RefusalReason::Province(d.provinces.clone()));
    }
    if kind.is_some_and(|k| !d.kinds.is_empty() && !d.kinds.contains(&k)) {
        return Some(RefusalReason::Kind(d.kinds.clone()));
    }
    None
}

/// Why one may not book with it on a day.
pub(super) fn not_bookable(d: &StoredDiscount, today: NaiveDate) -> Option<RefusalReason> {
    let early = d.bookable_from.filter(|from| today < *from).map(RefusalReason::NotYet);
    early.or_else(|| d.bookable_until.filter(|until| *until < today).map(RefusalReason::NoMore))
}

/// Its uses are gone.
pub(super) fn is_used_up(d: &StoredDiscount) -> bool {
    d.max_uses.is_some_and(|max| d.uses >= max)
}
