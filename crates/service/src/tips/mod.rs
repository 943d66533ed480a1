//! Tips: voluntary, untaxed, charged a day after the move.

use kernel::{BasisPoints, BookingId, Exact, Money, TipId};
use pricing::TipTerms;
use status_machine::payment::tip_editable;

use crate::{
    Caller, Error, ErrorCode, ServiceResult, Services, Tx,
    bookings::TipInput,
    mailing::{self, changes::AmountsBefore},
    ports::{
        Unit,
        bookings::Booking,
        crews::CrewMate,
        tips::{Tip, TipKind, terms_of},
    },
};

/// The largest tip anybody may give, to catch a slipped decimal point.
const MAX_TIP: Money = Money::from_cents(500_000);
/// The largest share of the pre-tax amount.
const MAX_SHARE: BasisPoints = BasisPoints::new(10_000);

/// A tip as typed, understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TipValue {
    /// What its value is.
    pub kind: TipKind,
    /// As entered.
    pub value: Exact,
    /// In cents.
    pub amount: Money,
}

/// Reads a tip; a comma decimal becomes a dot (specification §5).
///
/// # Errors
/// `tip_invalid`.
pub fn value_of(input: &TipInput, pre_tax: Money) -> ServiceResult<TipValue> {
    let kind = TipKind::from_code(&input.kind).ok_or(ErrorCode::TipInvalid)?;
    let value: Exact = input.value.trim().replace(',', ".").parse().map_err(|_| ErrorCode::TipInvalid)?;
    let terms = terms_of(kind, value).ok_or(ErrorCode::TipInvalid)?;
    let sensible = match terms {
        TipTerms::Amount(a) => !a.is_negative() && a <= MAX_TIP,
        TipTerms::Percent(share) => share.get() >= 0 && share <= MAX_SHARE,
    };
    if !sensible {
        return Err(ErrorCode::TipInvalid.into());
    }
    let amount = pricing::tip(terms, pre_tax);
    Ok(TipValue { kind, value, amount })
}

/// `GET /tip/{id}` and `GET /c/tip/{id}`: by the tip's own id or its booking's.
///
/// # Errors
/// `not_found`.
pub async fn get(s: &Services, caller: &Caller, id: uuid::Uuid) -> ServiceResult<Tip> {
    let caller = caller.clone();
    s.store.read(move |u| find(u, &caller, id).map(|(tip, _)| tip)).await
}

fn find(u: &mut dyn Unit, caller: &Caller, id: uuid::Uuid) -> ServiceResult<(Tip, Booking)> {
    let tip = match u.tips().get(TipId(id))? {
        Some(tip) => Some(tip),
        None => u.tips().of_booking(BookingId(id))?,
    };
    let tip = tip.ok_or(ErrorCode::NotFound)?;
    let booking = crate::bookings::queries::visible(u, caller, tip.booking_id)?;
    Ok((tip, booking))
}

/// `PUT /tip/{id}`: the value, while it is not charged. By the tip's id or its booking's; a
/// booking without a tip gets one.
///
/// # Errors
/// `tip_invalid`, `tip_locked`, `not_found`, `version_conflict`, `payment_in_flight` while its charge
/// is under way, `card_required` where the move is not paid by card and no card is stored.
pub async fn put(
    s: &Services,
    caller: &Caller,
    id: uuid::Uuid,
    input: TipInput,
    expected: Option<i32>,
) -> ServiceResult<Tip> {
    let caller = caller.clone();
    s.write(caller.actor(), move |tx| {
        let (old, booking) = match find(tx.unit, &caller, id) {
            Ok((tip, booking)) => (Some(tip), booking),
            Err(_) => (None, crate::bookings::queries::visible(tx.unit, &caller, BookingId(id))?),
        };
        // Whoever charges the tip locks the booking first.
        let booking = tx.unit.bookings().lock(booking.id)?.ok_or(ErrorCode::NotFound)?;
        let old = match old {
            Some(_) => tx.unit.tips().of_booking(booking.id)?,
            None => old,
        };
        if expected.is_some_and(|v| old.as_ref().is_some_and(|t| t.version != v)) {
            return Err(ErrorCode::VersionConflict.into());
        }
        let value = allowed(tx.unit, &booking, &input)?;
        let before = AmountsBefore::of(tx.unit, booking.id)?;
        let tip = give(tx, &booking, value)?;
        mailing::tip_changed(tx, &booking, before, &tip)?;
        Ok(tip)
    })
    .await
}

/// What is typed, where it may be given now.
///
/// # Errors
/// `payment_in_flight`, `tip_locked`, `tip_invalid`, `card_required`.
pub(crate) fn allowed(u: &mut dyn Unit, booking: &Booking, input: &TipInput) -> ServiceResult<TipValue> {
    // What is at the gateway was sent with the old amount: wait for its outcome.
    crate::billing::tips::at_rest(u, booking.id)?;
    let is_paid = u.tips().of_booking(booking.id)?.is_some_and(|t| t.is_paid);
    if !tip_editable(is_paid, booking.status) {
        return Err(ErrorCode::TipLocked.into());
    }
    let value = value_of(input, booking.amount)?;
    let by_hand = booking.details.paid_by.is_by_hand() && value.amount.is_positive();
    if by_hand && u.cards().current(booking.user_id)?.is_none() {
        return Err(ErrorCode::CardRequired.into());
    }
    Ok(value)
}

/// What is typed, if it is another tip than the booking has.
///
/// # Errors
/// As [`allowed`].
pub(crate) fn another(u: &mut dyn Unit, booking: &Booking, input: TipInput) -> ServiceResult<Option<TipInput>> {
    let value = value_of(&input, booking.amount)?;
    let is_same = match u.tips().of_booking(booking.id)? {
        Some(t) => terms_of(t.kind, t.value) == terms_of(value.kind, value.value),
        None => value.amount.is_zero(),
    };
    if is_same {
        return Ok(None);
    }
    allowed(u, booking, &input)?;
    Ok(Some(input))
}

/// Writes a tip, and what it is charged by.
fn give(tx: &mut Tx<'_>, booking: &Booking, value: TipValue) -> ServiceResult<Tip> {
    let old = tx.unit.tips().of_booking(booking.id)?;
    let tip = Tip {
        id: old.as_ref().map_or_else(|| TipId(tx.id()), |t| t.id),
        booking_id: booking.id,
        kind: value.kind,
        value: value.value,
        amount: value.amount,
        is_paid: false,
        payment_id: None,
        version: old.as_ref().map_or(1, |t| t.version + 1),
        updated_at: tx.now,
    };
    tx.unit.tips().put(&tip)?;
    crate::billing::tips::changed(tx, booking)?;
    let shown = |t: &Tip| serde_json::json!({ "amount": t.amount, "version": t.version });
    tx.audit("tip.update", tip.id, old.as_ref().map(shown), Some(shown(&tip)))?;
    Ok(tip)
}

/// The tip that came with an edit. One that was charged while the edit was being paid for stays what it was: the edit is
/// paid, and is not dropped for it.
///
/// # Errors
/// When the database fails.
pub(crate) fn given_with(tx: &mut Tx<'_>, booking: &Booking, input: &TipInput) -> ServiceResult<()> {
    match allowed(tx.unit, booking, input) {
        Ok(value) => give(tx, booking, value).map(drop),
        Err(Error::Refused(..)) => follow(tx, booking),
        Err(other) => Err(other),
    }
}

/// A tip that was given as a share follows the price before tax; what is paid already, or at the gateway, stays.
///
/// # Errors
/// When the database fails.
pub(crate) fn follow(tx: &mut Tx<'_>, booking: &Booking) -> ServiceResult<()> {
    let Some(old) = tx.unit.tips().of_booking(booking.id)?.filter(|t| t.kind == TipKind::Percent && !t.is_paid) else {
        return Ok(());
    };
    let amount = old.given(booking.amount).ok_or(ErrorCode::TipInvalid)?;
    if amount == old.amount || crate::billing::tips::at_rest(tx.unit, booking.id).is_err() {
        return Ok(());
    }
    let tip = Tip { amount, version: old.version + 1, updated_at: tx.now, ..old.clone() };
    tx.unit.tips().put(&tip)?;
    crate::billing::tips::changed(tx, booking)?;
    let shown = |t: &Tip| serde_json::json!({ "amount": t.amount, "version": t.version });
    tx.audit("tip.update", tip.id, Some(shown(&old)), Some(shown(&tip)))?;
    Ok(())
}

/// What each of a crew gets of a tip, in their order: equal parts that make it up to the cent.
pub fn parts(tip: Money, crew: &[CrewMate]) -> Vec<Money> {
    tip.split(u32::try_from(crew.len()).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn tip(kind: &str, value: &str) -> ServiceResult<TipValue> {
        value_of(&TipInput { kind: kind.into(), value: value.into() }, Money::from_cents(38_900))
    }

    #[test]
    fn a_comma_is_a_dot() {
        assert_eq!(tip("amount", " 20,50 ").unwrap().amount.cents(), 2_050);
        assert_eq!(tip("amount", "20,50").unwrap().value.to_string(), "20.50");
    }

    #[test]
    fn percentages_are_of_the_pre_tax_amount() {
        assert_eq!(tip("percent", "10").unwrap().amount.cents(), 3_890);
        assert_eq!(tip("percent", "12.5").unwrap().amount.cents(), 4_863);
        assert_eq!(tip("percent", "12,5").unwrap().amount.cents(), 4_863, "a comma here, too");
    }

    #[test]
    fn nonsense_is_refused() {
        for (kind, value) in [
            ("amount", ""),
            ("amount", "abc"),
            ("amount", "-1"),
            ("amount", "1.234"),
            ("amount", "5000.01"),
            ("percent", "101"),
            ("gold", "1"),
        ] {
            assert!(tip(kind, value).is_err(), "{kind} {value}");
        }
    }
}
