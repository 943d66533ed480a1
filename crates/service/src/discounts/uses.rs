//! Uses of a code: counted when a booking is made with it, in the same unit of work.

use kernel::{BookingId, DiscountId, UserId};

use super::{
    day,
    snapshot::snapshot,
    why::{RefusalReason, not_bookable},
};
use crate::{
    Actor, ServiceResult, Tx,
    ports::{
        Unit,
        discounts::{CodeUse, StoredDiscount},
    },
};

/// Counts a use of a code in a new booking, or in one that had another code.
///
/// # Errors
/// `discount_not_found` when the last use is gone, when staff have switched the code off meanwhile, and when this customer
/// may not use it.
pub(crate) fn take(tx: &mut Tx<'_>, id: DiscountId, booking: BookingId, user: UserId) -> ServiceResult<()> {
    let today = day(tx.now);
    let code = counted(tx, id, booking, user)?;
    let why = if code.disabled { Some(RefusalReason::Disabled) } else { not_bookable(&code, today) };
    why.map_or(Ok(()), |why| Err(why.refused_to(&tx.actor)))
}

/// Counts a use of a code that a mailed quote promised, by the terms it was mailed with: whatever staff have made of the code
/// since, it is given. Only such a use may be beyond the most there may be. What today's terms would not have given stands in
/// the audit trail as `discount.promised`, with the terms of today and those that were kept.
///
/// # Errors
/// `discount_not_found` when this customer may not use it.
pub(crate) fn take_promised(
    tx: &mut Tx<'_>,
    kept: &StoredDiscount,
    booking: BookingId,
    user: UserId,
) -> ServiceResult<()> {
    let taken = CodeUse { discount: kept.id, booking, user, taken_at: tx.now, returned_at: None };
    let beyond = !tx.unit.discounts().take_use(&taken)?;
    if beyond && !tx.unit.discounts().take_promised_use(&taken)? {
        return Err(RefusalReason::Unknown.refused_to(&tx.actor));
    }
    let Some(code) = tx.unit.discounts().get(kept.id)? else {
        return Err(RefusalReason::Unknown.refused_to(&tx.actor));
    };
    if let Some(why) = not_of_customer(tx.unit, kept, 0, (booking, user))? {
        return Err(why.refused_to(&tx.actor));
    }
    let (today, then) = (snapshot(&code), snapshot(kept));
    if beyond || today != then || not_bookable(&code, day(tx.now)).is_some() {
        tx.audit("discount.promised", kept.id, Some(today), Some(then))?;
    }
    Ok(())
}

/// Counts the use of a cancelled booking again, because it takes place after all.
///
/// # Errors
/// `discount_not_found` when the use has gone to somebody else, or to another booking of theirs.
pub(crate) fn count_again(tx: &mut Tx<'_>, id: DiscountId, booking: BookingId, user: UserId) -> ServiceResult<()> {
    counted(tx, id, booking, user).map(drop)
}

fn counted(tx: &mut Tx<'_>, id: DiscountId, booking: BookingId, user: UserId) -> ServiceResult<StoredDiscount> {
    let taken = CodeUse { discount: id, booking, user, taken_at: tx.now, returned_at: None };
    if !tx.unit.discounts().take_use(&taken)? {
        let why = if tx.unit.discounts().get(id)?.is_some() { RefusalReason::UsedUp } else { RefusalReason::Unknown };
        return Err(why.refused_to(&tx.actor));
    }
    // Read after the use is counted: nobody else uses or changes the code from then on.
    let Some(code) = tx.unit.discounts().get(id)? else { return Err(RefusalReason::Unknown.refused_to(&tx.actor)) };
    match not_of_customer(tx.unit, &code, 0, (booking, user))? {
        Some(why) => Err(why.refused_to(&tx.actor)),
        None => Ok(code),
    }
}

/// Whether this customer may use the code in a booking that has no use of it yet. Nothing is counted: [`take`] asks again.
///
/// # Errors
/// `discount_not_found` when this customer may not use it.
pub(crate) fn may_take(
    u: &mut dyn Unit,
    code: &StoredDiscount,
    of: (BookingId, UserId),
    actor: &Actor,
) -> ServiceResult<()> {
    not_of_customer(u, code, 1, of)?.map_or(Ok(()), |why| Err(why.refused_to(actor)))
}

/// Why a code is not for this customer. `more`: uses that are not counted yet.
fn not_of_customer(
    u: &mut dyn Unit,
    code: &StoredDiscount,
    more: i64,
    (booking, user): (BookingId, UserId),
) -> ServiceResult<Option<RefusalReason>> {
    let most = if code.first_booking_only { Some(1) } else { code.max_uses_per_customer };
    if let Some(most) = most
        && u.discounts().uses_of_user(code.id, user)? + more > i64::from(most)
    {
        return Ok(Some(RefusalReason::Customer));
    }
    if code.first_booking_only && u.bookings().has_other(user, booking)? {
        return Ok(Some(RefusalReason::NotFirst));
    }
    Ok(None)
}

/// Gives the use of a booking back that will not take place, or that has another code now.
///
/// # Errors
/// When the database fails.
pub(crate) fn give_back(tx: &mut Tx<'_>, id: DiscountId, booking: BookingId) -> ServiceResult<()> {
    let now = tx.now;
    Ok(tx.unit.discounts().return_use(id, booking, now)?)
}
