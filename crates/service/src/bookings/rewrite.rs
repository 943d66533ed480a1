//! What an edit makes of a booking: the wish merged with what is, and the record rewritten.

use kernel::{Exact, Money};
use serde_json::{Map, Value, json};

use super::{
    draft::{Draft, EditInput, Extras, GUIDELINES_VERSION},
    extras,
    quote::Priced,
};
use crate::{
    Error, FieldProblem, Limit, ServiceResult,
    moves::MoveInput,
    ports::{
        bookings::{BookedItem, Booking, Location},
        priced::{Agreed, BookedLine, BookedTax},
    },
};

/// The code of the line that says by how much staff changed the price.
const ADJUSTMENT: &str = "adjustment";

/// The draft of the booking as it would be.
pub(super) fn merged(b: &Booking, input: &EditInput) -> Draft {
    let d = &b.details;
    Draft {
        pickup: input.pickup.clone().unwrap_or_else(|| d.pickup.clone()),
        dropoff: input.dropoff.clone().unwrap_or_else(|| d.dropoff.clone()),
        kind: Some(input.kind.unwrap_or(b.move_kind)),
        items: input.items.clone().unwrap_or_else(|| d.items.clone()),
        mate_count: input.mate_count.unwrap_or(b.mate_count),
        client_as_mate: input.client_as_mate.unwrap_or(b.client_as_mate),
        just_mates: input.just_mates.unwrap_or(b.just_mates),
        ride_along: input.ride_along.unwrap_or(b.ride_along),
        date: input.date.unwrap_or(b.move_date),
        time: input.time.unwrap_or(b.move_time),
        discount_code: input.discount_code.clone().unwrap_or_else(|| b.discount_code.clone()),
        guidelines_agreed: true,
        guidelines_version: Some(GUIDELINES_VERSION.to_owned()),
        policy_version: None,
        extras: extras::merged(d, input),
        comments: input.comments.clone().unwrap_or_else(|| d.comments.clone()),
        survey: input.survey.clone().or_else(|| d.survey.clone()),
        hold_id: input.hold_id,
        phone: input.phone.clone(),
        language: Some(b.language),
        expected_total: None,
        saved_quote: None,
    }
}

/// The job of a booking as it is, with the leg it was booked with.
pub(crate) fn job(b: &Booking) -> MoveInput {
    merged(b, &EditInput::default()).job(b.details.travel_minutes, b.distance_km10)
}

/// Material changes are those of `policy-timeline.md` §4: what the crew does, where and when. Unit
/// and buzzer texts, contact details, notes and comments are not.
pub(super) fn material(b: &Booking, d: &Draft) -> bool {
    let place = |a: &Location| {
        (
            a.address.street.clone(),
            a.address.city.clone(),
            a.address.province,
            a.address.postal_code.clone(),
            a.floor,
            a.elevator,
            a.parking,
            a.accessibility,
        )
    };
    let items = |list: &[BookedItem]| {
        let mut v: Vec<_> =
            list.iter().filter(|i| i.quantity > 0).map(|i| (i.id.clone(), i.quantity, i.assembly)).collect();
        v.sort();
        v
    };
    let old = extras::of(&b.details);
    let wants = |e: &Extras| (e.assembly == Some(false), e.services.clone());
    place(&b.details.pickup) != place(&d.pickup)
        || place(&b.details.dropoff) != place(&d.dropoff)
        || items(&b.details.items) != items(&d.items)
        || wants(&old) != wants(&d.extras)
        || d.kind.is_some_and(|k| k != b.move_kind)
        || (b.mate_count, b.client_as_mate, b.just_mates, b.ride_along, b.move_date, b.move_time)
            != (d.mate_count, d.client_as_mate, d.just_mates, d.ride_along, d.date, d.time)
}

/// What changes without a new price.
pub(super) fn copy_texts(new: &mut Booking, draft: &Draft, input: &EditInput) {
    new.details.pickup = draft.pickup.clone();
    new.details.dropoff = draft.dropoff.clone();
    new.details.rooms = draft.extras.rooms;
    new.details.comments = draft.comments.trim().to_owned();
    new.details.survey = draft.survey.clone();
    if let Some(phone) = &input.phone {
        new.details.customer_phone = phone.to_string();
    }
}

/// The new facts and the new price.
///
/// # Errors
/// As [`Priced::taxes`].
pub(super) fn rewrite(new: &mut Booking, draft: &Draft, priced: &Priced, fee: Money) -> ServiceResult<()> {
    let (e, q) = (&priced.estimate, &priced.estimate.quote);
    new.move_at = priced.move_at;
    (new.move_date, new.move_time, new.zone, new.hub) =
        (draft.date, draft.time, priced.wanted.zone, priced.wanted.hub.clone());
    new.province = draft.pickup.address.province;
    new.move_kind = priced.kind;
    (new.mate_count, new.client_as_mate, new.ride_along) = (draft.mate_count, draft.client_as_mate, draft.ride_along);
    new.just_mates = priced.wanted.just_mates;
    (new.duration_minutes, new.distance_km10, new.tier) = (e.duration.minutes, priced.distance_km10, e.duration.tier);
    (new.amount, new.tax, new.total) = (q.amount, q.tax.amount, q.total);
    new.discount_code = e.discount_code.clone();
    let d = &mut new.details;
    d.items = draft.items.iter().filter(|i| i.quantity > 0).cloned().collect();
    (d.total_dcf, d.big_items, d.small_items) = (e.duration.total_dcf, e.duration.big_items, e.duration.small_items);
    d.travel_minutes = priced.travel_minutes;
    d.lines = priced.lines(new.language);
    (d.original_amount, d.discount) = (q.original_amount, q.discount);
    (d.tax_type, d.tax_rate, d.taxes) = (q.tax.type_code.to_string(), q.tax.rate, priced.taxes()?);
    (d.rate_id, d.rate_version) = (Some(e.rate_id), e.rate_version);
    d.change_fees = d.change_fees.plus(fee);
    extras::write(new, draft, priced);
    Ok(())
}

/// What staff took off or added to the price of the move by hand, before tax.
fn adjustment(b: &Booking) -> Money {
    b.details.lines.iter().filter(|l| l.code == ADJUSTMENT).map(|l| l.amount).sum()
}

/// What staff agreed with the customer stays when the move is priced anew: the difference, not the
/// sum, because the move may be another one. Of a smaller move a reduction is the smaller part, so
/// that nobody turns the goodwill of a large move into a small one for nothing. It is reckoned from
/// the move it was agreed for: the same move again has the agreed price again.
pub(super) fn carry_adjustment(new: &mut Booking, old: &Booking) -> ServiceResult<()> {
    let told = adjustment(old);
    let of_lines = || Agreed { difference: told, list: old.amount.minus(told) };
    let agreed = old.details.agreed.unwrap_or_else(of_lines);
    if agreed.difference.is_zero() {
        return Ok(());
    }
    let (list, cents) = (new.amount, |m: Money| i128::from(m.cents()));
    let carried = if agreed.difference.is_negative() && list < agreed.list {
        let share = kernel::round_half_up(cents(agreed.difference) * cents(list), cents(agreed.list));
        Money::from_cents(share)
    } else {
        agreed.difference
    };
    override_amount(new, list.plus(carried))?;
    new.details.agreed = Some(agreed);
    Ok(())
}

/// No price that staff set is higher.
const HIGHEST: Money = Money::from_cents(100_000_000);

/// Staff set another price: one line says by how much, taxes follow.
pub(super) fn override_amount(b: &mut Booking, amount: Money) -> ServiceResult<()> {
    if amount.is_negative() || amount > HIGHEST {
        return Err(Error::field("amount", FieldProblem::Between(Limit::NOTHING, HIGHEST.into())));
    }
    let list = b.amount.minus(adjustment(b));
    let difference = amount.minus(list);
    b.details.agreed = (!difference.is_zero()).then_some(Agreed { difference, list });
    b.details.lines.retain(|l| l.code != ADJUSTMENT);
    if !difference.is_zero() {
        b.details.lines.push(BookedLine {
            content: "other".into(),
            code: ADJUSTMENT.into(),
            description: match b.language {
                kernel::Language::En => "Price adjustment".into(),
                kernel::Language::Fr => "Rajustement du prix".into(),
                kernel::Language::Zh => "价格调整".into(),
            },
            quantity: Exact::new(100, 2),
            unit: "flat".into(),
            unit_price: difference,
            multiplier: Exact::new(100, 2),
            own_factor: None,
            date_factor: None,
            explanation: None,
            period: "base".into(),
            amount: difference,
        });
    }
    reprice(b, amount);
    Ok(())
}

/// Another amount before tax: taxes and total follow.
pub(super) fn reprice(b: &mut Booking, amount: Money) {
    b.amount = amount;
    b.tax = amount.rate(b.details.tax_rate);
    let mut left = b.tax;
    let last = b.details.taxes.len().saturating_sub(1);
    let split = |i: usize, t: &BookedTax, left: Money| {
        if i == last { left } else { amount.rate(t.rate) }
    };
    for (i, tax) in b.details.taxes.iter_mut().enumerate() {
        tax.amount = split(i, tax, left);
        left = left.minus(tax.amount);
    }
    b.total = amount.plus(b.tax);
    b.details.original_amount = amount.plus(b.details.discount);
}

/// Field → before and after, for the history page and the message.
pub(super) fn changes(old: &Booking, new: &Booking) -> Value {
    let mut out = Map::new();
    let mut note = |field: &str, before: Value, after: Value| {
        if before != after {
            out.insert(field.to_owned(), json!({ "before": before, "after": after }));
        }
    };
    let when = |b: &Booking| json!(format!("{} {}", b.move_date.format("%Y-%m-%d"), b.move_time.format("%H:%M")));
    note("moveAt", when(old), when(new));
    note("pickup", json!(old.details.pickup.address.line()), json!(new.details.pickup.address.line()));
    note("dropoff", json!(old.details.dropoff.address.line()), json!(new.details.dropoff.address.line()));
    let access = |l: &Location| json!([l.floor, l.elevator, l.parking, l.accessibility]);
    note("pickupAccess", access(&old.details.pickup), access(&new.details.pickup));
    note("dropoffAccess", access(&old.details.dropoff), access(&new.details.dropoff));
    note("items", json!(old.details.items), json!(new.details.items));
    note("assembly", json!(old.details.assembly), json!(new.details.assembly));
    note("extraServices", json!(old.details.extra_services), json!(new.details.extra_services));
    note("rooms", json!(old.details.rooms), json!(new.details.rooms));
    let category = |b: &Booking| json!([b.details.pickup.category, b.details.dropoff.category]);
    note("categories", category(old), category(new));
    note("moveKind", json!(old.move_kind), json!(new.move_kind));
    note("mateCount", json!(old.mate_count), json!(new.mate_count));
    note("clientAsMate", json!(old.client_as_mate), json!(new.client_as_mate));
    note("justMates", json!(old.just_mates), json!(new.just_mates));
    note("rideAlong", json!(old.ride_along), json!(new.ride_along));
    note("discountCode", json!(old.discount_code), json!(new.discount_code));
    note("comments", json!(old.details.comments), json!(new.details.comments));
    note("survey", json!(old.details.survey), json!(new.details.survey));
    note("notes", json!(old.details.notes), json!(new.details.notes));
    note("total", json!(old.total), json!(new.total));
    Value::Object(out)
}
