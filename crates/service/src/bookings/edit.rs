//! Changing a booking: re-checked, re-priced, shown before it is done, charged with the change
//! when the move is close.

use kernel::{BookingId, HoldId, Money};
use policy::{Change, PaymentPlan, RequestedBy};
use pricing::MoveKind;
use status_machine::booking::{EditScope, edit_scope};

use super::{
    ceiling::{Booker, Place},
    change::{Prepared, apply, still_holds},
    checkout::CodeChange,
    crew,
    draft::Draft,
    edit_checkout, overtime,
    queries::{detail_of, visible},
    quote::{Terms, price_draft},
    rehearsal,
    rewrite::{carry_adjustment, changes, copy_texts, material, merged, override_amount, rewrite},
};
pub use super::{
    change::Edited,
    draft::{EditInput, StaffEdit},
};
use crate::{
    Caller, Error, ErrorCode, ServiceResult, Services, Staff,
    billing::{at_once, charge, facts::facts_of_change},
    capacity::{self, Reserved, capacity_of},
    crews, discounts, geo,
    payments::refusals,
    ports::{bookings::Booking, discounts::StoredDiscount, tips::Tip},
    tips,
};

/// What an edit would cost; nothing is changed.
#[derive(Debug, Clone)]
pub struct EditPreview {
    /// Total before.
    pub old_total: Money,
    /// Total after.
    pub new_total: Money,
    /// Change fee, tax included.
    pub change_fee: Money,
    /// Charged together with the edit.
    pub charge_now: Money,
    /// Returned with the edit.
    pub refund_now: Money,
    /// The dated charges afterwards.
    pub plan: PaymentPlan,
    /// The booking as it would be.
    pub booking: Booking,
    /// Its tip; one in percent follows the price.
    pub tip: Option<Tip>,
    /// Who would be taken off it, by name.
    pub crew_released: Vec<String>,
}

/// `POST /c/bookings/{id}/preview`.
///
/// # Errors
/// As [`edit`].
pub async fn preview(s: &Services, caller: &Caller, id: BookingId, input: EditInput) -> ServiceResult<EditPreview> {
    previewed(s, caller, id, BookingEdit::of(caller, input)).await
}

/// `POST /bookings/{id}/preview`.
///
/// # Errors
/// As [`edit_as_staff`].
pub async fn preview_as_staff(
    s: &Services,
    staff: &Staff,
    id: BookingId,
    input: StaffEdit,
) -> ServiceResult<EditPreview> {
    previewed(s, staff.caller(), id, BookingEdit::Staff(input)).await
}

/// `PUT /c/bookings/{id}`.
///
/// # Errors
/// `not_found`, `edit_closed`, `discount_locked`, `version_conflict`, `payment_declined` (then
/// nothing was changed), and every rule of booking.
pub async fn edit(
    s: &Services,
    caller: &Caller,
    id: BookingId,
    input: EditInput,
    expected: Option<i32>,
) -> ServiceResult<Edited> {
    edited(s, caller, id, BookingEdit::of(caller, input), expected).await
}

/// `PUT /bookings/{id}`.
///
/// # Errors
/// As [`edit`], without the bounds of self-service; `overtime_only` when the price of a move that has begun would rise.
pub async fn edit_as_staff(
    s: &Services,
    staff: &Staff,
    id: BookingId,
    input: StaffEdit,
    expected: Option<i32>,
) -> ServiceResult<Edited> {
    edited(s, staff.caller(), id, BookingEdit::Staff(input), expected).await
}

/// An edit, by who asks for it: only staff set a price, notes and whether the fee is charged.
enum BookingEdit {
    Customer(EditInput),
    Staff(StaffEdit),
}

impl BookingEdit {
    /// What came by the customer's way; staff use it as well.
    fn of(caller: &Caller, input: EditInput) -> BookingEdit {
        if caller.role.is_staff() { BookingEdit::Staff(input.into()) } else { BookingEdit::Customer(input) }
    }

    fn change(&self) -> &EditInput {
        match self {
            BookingEdit::Customer(input) => input,
            BookingEdit::Staff(staff) => &staff.change,
        }
    }

    fn staff(&self) -> Option<&StaffEdit> {
        match self {
            BookingEdit::Customer(_) => None,
            BookingEdit::Staff(staff) => Some(staff),
        }
    }

    fn only_notes(&self) -> bool {
        self.staff().is_some_and(|s| *s == StaffEdit { notes: s.notes.clone(), ..StaffEdit::default() })
    }
}

/// How often a preview is worked out anew where the booking changes meanwhile.
const TRIES: usize = 3;

async fn previewed(s: &Services, caller: &Caller, id: BookingId, wish: BookingEdit) -> ServiceResult<EditPreview> {
    let mut tries = 1..=TRIES;
    let (p, outlook) = loop {
        let p = prepare(s, caller, id, &wish).await?;
        match Box::pin(rehearsal::rehearse(s, caller.actor(), p.clone())).await? {
            Some(outlook) => break (p, outlook),
            // Somebody changed it meanwhile.
            None if tries.next().is_some() => {}
            None => return Err(ErrorCode::VersionConflict.into()),
        }
    };
    let (old, new) = (p.old.clone(), p.new.clone());
    let occupied = p.wanted.as_ref().map(|wanted| {
        let o = wanted.occupancy();
        (o.from, o.until)
    });
    let leaving = s.store.read(move |u| crews::crew_removal(u, (&old, &new), occupied)).await?;
    let mut booking = p.new.clone();
    if leaving.all {
        crew::go_back(&mut booking)?;
    }
    Ok(EditPreview {
        old_total: p.old.total,
        new_total: p.new.total,
        change_fee: p.fee.plus(p.fee.rate(p.new.details.tax_rate)),
        charge_now: p.charge_now.map_or(Money::ZERO, |c| c.1),
        refund_now: outlook.refund,
        plan: outlook.plan,
        booking,
        tip: outlook.tip,
        crew_released: leaving.names,
    })
}

async fn edited(
    s: &Services,
    caller: &Caller,
    id: BookingId,
    wish: BookingEdit,
    expected: Option<i32>,
) -> ServiceResult<Edited> {
    charge::before_action(s, id).await?;
    let p = prepare(s, caller, id, &wish).await?;
    let (hold_id, expected_total) = (wish.change().hold_id, wish.change().expected_total);
    if expected.is_some_and(|v| v != p.old.version) {
        return Err(ErrorCode::VersionConflict.into());
    }
    if expected_total.is_some_and(|shown| shown != p.new.total) {
        return Err(Error::Refused(ErrorCode::PriceChanged, vec![("total", p.new.total.to_string())]));
    }
    if p.is_nothing() {
        // What is as it was has no new version, and nobody is told of it.
        let (who, now) = (caller.clone(), s.clock.now());
        return s.store.read(move |u| visible(u, &who, id).and_then(|b| detail_of(u, b, now))).await;
    }
    if let Some(booker) = Booker::of(caller) {
        let moved = p
            .wanted
            .as_ref()
            .map(|w| (w.hub.clone(), w.date))
            .filter(|to| (to.0.as_str(), to.1) != (p.old.hub.as_str(), p.old.move_date));
        s.write(caller.actor(), move |tx| {
            booker.admit_change(tx, moved.as_ref().map(|(hub, date)| Place { hub, date: *date }))
        })
        .await?;
    }
    if p.charge_now.is_some() {
        return refusals::of_stored_card(s, caller, None, edit_checkout::pay_and_edit(s, caller, p, hold_id)).await;
    }
    s.write(caller.actor(), move |tx| {
        // The booking before its buckets, as whoever cancels it does.
        let current = tx.unit.bookings().lock(p.old.id)?.ok_or(ErrorCode::NotFound)?;
        if current.version != p.old.version {
            return Err(ErrorCode::VersionConflict.into());
        }
        // As `cancel::cancel`.
        tx.look_at_clock();
        still_holds(tx.unit, &p, tx.now)?;
        if let Some(typed) = &p.tip {
            tips::allowed(tx.unit, &p.new, typed)?;
        }
        if let Some(wanted) = &p.wanted {
            capacity::lock_change(tx, p.old.id, hold_id, wanted)?;
            capacity::release(tx, p.old.id)?;
            let fresh = HoldId(tx.id());
            match capacity::reserve(tx, hold_id, fresh, wanted)? {
                Reserved::Kept(kept) => kept.given_to(tx, p.old.id)?,
                Reserved::Already(_) => return Err(ErrorCode::SlotGone.into()),
            }
        }
        apply(tx, &p)
    })
    .await
}

/// The edit, checked and priced.
async fn prepare(s: &Services, caller: &Caller, id: BookingId, wish: &BookingEdit) -> ServiceResult<Prepared> {
    let (input, terms) = (wish.change(), wish.staff());
    let (who, now) = (caller.clone(), s.clock.now());
    let typed = input.tip.clone();
    let (old, f, kept_code, rows, tip) = s
        .store
        .read(move |u| {
            let b = visible(u, &who, id)?;
            let rows = u.payments().of_booking(id)?;
            let code = match &b.discount_code {
                Some(code) => u.discounts().by_code(code)?,
                None => None,
            };
            let f = facts_of_change(u, &b, &rows)?;
            // What is typed is a tip at any price; what it comes to is said by the new one.
            let tip = match typed {
                Some(typed) => tips::another(u, &b, typed)?,
                None => None,
            };
            Ok::<_, Error>((b, f, code, rows, tip))
        })
        .await?;
    let staff = terms.is_some();
    let open = policy::customer_may_edit(&old.details.policy, &f, now);
    match edit_scope(old.status, caller.acts_as()?, open) {
        EditScope::Everything => {}
        EditScope::Afterwards if wish.only_notes() => {}
        EditScope::Afterwards | EditScope::Nothing => return Err(ErrorCode::EditClosed.into()),
    }
    let draft = merged(&old, input);
    draft.check()?;
    let mut draft = geo::places::settled(s, draft, Some((&old.details.pickup, &old.details.dropoff))).await?;
    let material = material(&old, &draft);
    if kept_code.as_ref().is_some_and(|kept| is_outgrown(&old, &draft, kept)) {
        // The preview shows the price without the code, and its use is given back. The customer did not change the code, so
        // the instant from which codes may not be changed any more does not matter.
        draft.discount_code = None;
    }
    let code_changed = input.discount_code.as_ref().is_some_and(|c| typed_code(c.as_deref()) != old.discount_code);
    if code_changed && !staff && !policy::customer_may_change_discount(&old.details.policy, &f, now) {
        return Err(ErrorCode::DiscountLocked.into());
    }
    let by = if terms.is_some_and(|t| !t.customers_wish) { RequestedBy::Staff } else { RequestedBy::Customer };
    let change = Change { material, by, waived: terms.is_some_and(|t| t.waive_fee) };
    let fee = policy::change_fee(&old.details.policy, &f, old.amount, now, &change);
    let mut new = old.clone();
    // Judged by the old date: once inside 48 hours, postponing gives nothing back.
    new.details.lock_entered = f.is_locked(&old.details.policy, now);
    copy_texts(&mut new, &draft, input);
    let note = terms.and_then(|t| t.notes.as_deref()).map(|text| text.trim().to_owned());
    if let Some(text) = &note {
        new.details.notes.clone_from(text);
    }
    let mut wanted = None;
    let mut code = CodeChange::default();
    let repriced = material || code_changed || fee.is_positive();
    if repriced {
        let rate = crate::rates::current(s).await?;
        let kept_start = (draft.date == old.move_date && draft.time == old.move_time).then_some(old.duration_minutes);
        let change_fee = old.details.change_fees.plus(fee);
        let terms = Terms { rate: &rate, change_fee, staff, keep_code: kept_code.as_ref(), kept_start, leg: None };
        let priced = price_draft(s, &draft, &terms).await?;
        code = code_uses(kept_code.as_ref(), priced.discount.as_ref());
        if let Some(wished) = priced.discount.clone().filter(|d| code.take == Some(d.id)) {
            // The preview promises no price that the change refuses.
            let (actor, user) = (caller.actor(), old.user_id);
            s.store.read(move |u| discounts::may_take(u, &wished, (id, user), &actor)).await?;
        }
        if capacity_of(&old).occupancy() != priced.wanted.occupancy() || priced.wanted.hub != old.hub {
            wanted = Some(priced.wanted.clone());
        }
        rewrite(&mut new, &draft, &priced, fee)?;
    }
    match terms.and_then(|t| t.amount) {
        Some(amount) => {
            overtime::carry(&mut new, &old);
            override_amount(&mut new, amount)?;
        }
        None if repriced => {
            carry_adjustment(&mut new, &old)?;
            overtime::carry(&mut new, &old);
        }
        None => {}
    }
    // The bounds of overtime, consent and the law's cap, would mean nothing if the price could be raised beside them.
    if new.total > old.total && now >= new.move_at {
        return Err(ErrorCode::OvertimeOnly.into());
    }
    // What is missing for another reason is charged by its own ladder, not by a change of notes.
    let priced = new.total != old.total || new.move_at != old.move_at;
    let settled = if priced {
        at_once::of_change(&old, &new, &rows, now)
    } else {
        policy::EditSettlement { refund: Money::ZERO, charge_now: None }
    };
    let changes = changes(&old, &new);
    Ok(Prepared {
        old,
        new,
        fee,
        wanted,
        charge_now: settled.charge_now,
        too_much: settled.refund,
        code,
        changes,
        tip,
        note,
    })
}

/// A code as bookings name it; none where none was typed.
fn typed_code(code: Option<&str>) -> Option<String> {
    code.map(discounts::key).filter(|code| !code.is_empty())
}

/// The draft keeps the booking's code for a move that its terms do not allow. They are asked where the day, the kind or the
/// province of the pickup is another one: any other change keeps the code, whatever staff have made of it since.
fn is_outgrown(old: &Booking, draft: &Draft, kept: &StoredDiscount) -> bool {
    if typed_code(draft.discount_code.as_deref()).as_deref() != Some(kept.code.as_str()) {
        return false;
    }
    let before = (old.move_date, old.province, old.move_kind);
    let after = (draft.date, draft.pickup.address.province, MoveKind::resolve(draft.kind, draft.just_mates));
    let (date, province, kind) = after;
    before != after && !discounts::allows(kept, discounts::Move { date, province: Some(province), kind: Some(kind) })
}

fn code_uses(old: Option<&StoredDiscount>, new: Option<&StoredDiscount>) -> CodeChange {
    match (old.map(|d| d.id), new.map(|d| d.id)) {
        (a, b) if a == b => CodeChange::default(),
        (give_back, take) => CodeChange { take, give_back },
    }
}
