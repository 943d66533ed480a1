//! Making a booking.

use chrono::{DateTime, Utc};
use kernel::{BookingId, HoldId, Money, PartnerId, TipId};
use policy::Mode;
use pricing::MoveKind;
use status_machine::booking::Status;

pub use super::made::Created;
use super::{
    before::{self, Owner},
    ceiling::Booker,
    draft::{Draft, GUIDELINES_VERSION, TipInput},
    extras,
    made::{self, Blueprint},
    paid_booking,
    quote::{Priced, Terms, price_draft},
    replay::{self, KeyState},
    same::{BookingFingerprint, already_made, is_same},
};
use crate::{
    Caller, Error, ErrorCode, FieldProblem, ServiceResult, Services, Staff, Tx,
    accounts::desk::{self, Contact},
    availability,
    billing::{facts::plan_of, settle},
    capacity::{self, Reserved},
    geo, holds,
    idempotency::{self, Guard, Replayable},
    payments::refusals,
    ports::{
        bookings::{Booking, BookingDetails, PaidBy},
        directory::PartnerState,
        profiles::Profile,
        quote_requests::QuoteRequestId,
        rooms::Rooms,
        tips::Tip,
    },
    terms, tips,
};

/// `POST /bookings` (and `POST /book`, without a tip).
///
/// # Errors
/// Every rule of the wizard, `slot_gone`, `card_required`, `payment_declined`.
pub async fn create(
    s: &Services,
    caller: &Caller,
    draft: Draft,
    tip: Option<TipInput>,
    guard: Option<Guard<Created>>,
) -> ServiceResult<Replayable<Created>> {
    let user = caller.user.ok_or(ErrorCode::SignInNeeded)?;
    let order = Order { owner: Owner::Account(user), paid_by: PaidBy::Card, partner: None, answers: None };
    // On the heap: what is kept of it while the gateway is waited for is large.
    Box::pin(make(s, caller, order, draft, tip, guard)).await
}

/// `POST /bookings` by staff for somebody who called: without an account, or with one. Staff's bounds hold, not those of
/// self-service. Their e-mail address decides whose the booking is: of the account that has shown it to be theirs, or
/// else of whoever does so later.
///
/// # Errors
/// As [`create`]; `card_required` when it is to be paid by a card that is not stored; the field `partnerId` for a partner who
/// is not there or works with us no more, and where it is not paid by invoice.
pub async fn create_for(
    s: &Services,
    staff: &Staff,
    customer: Contact,
    how: (PaidBy, Option<PartnerId>),
    draft: Draft,
    guard: Option<Guard<Created>>,
) -> ServiceResult<Replayable<Created>> {
    create_from(s, staff, customer, how, None, draft, guard).await
}

/// [`create_for`] somebody who asked a person for a quote: with the booking, their request is answered.
///
/// # Errors
/// As [`create_for`]; the field `quoteRequestId` when there is no such request.
pub async fn create_from(
    s: &Services,
    staff: &Staff,
    customer: Contact,
    (paid_by, partner): (PaidBy, Option<PartnerId>),
    answers: Option<QuoteRequestId>,
    draft: Draft,
    guard: Option<Guard<Created>>,
) -> ServiceResult<Replayable<Created>> {
    if let Some(id) = answers {
        let found = s.store.read(move |u| u.quote_requests().get(id).map_err(Error::from)).await?;
        if found.is_none() {
            return Err(Error::field("quoteRequestId", FieldProblem::Unknown));
        }
    }
    let draft = Draft { language: Some(customer.language), phone: Some(customer.phone.clone()), ..draft };
    if let Some(id) = partner {
        if paid_by != PaidBy::Invoice {
            return Err(Error::field("partnerId", FieldProblem::DoesNotFit));
        }
        let found = s.store.read(move |u| u.directory().partner(id).map_err(Error::from)).await?;
        if found.is_none_or(|p| p.state != PartnerState::Active) {
            return Err(Error::field("partnerId", FieldProblem::Unknown));
        }
    }
    let order = Order { owner: Owner::Contact(customer), paid_by, partner, answers };
    Box::pin(make(s, staff.caller(), order, draft, None, guard)).await
}

/// Whose booking is made, how and by which partner it is paid, and which request for a quote it answers.
struct Order {
    owner: Owner,
    paid_by: PaidBy,
    partner: Option<PartnerId>,
    answers: Option<QuoteRequestId>,
}

async fn make(
    s: &Services,
    caller: &Caller,
    order: Order,
    draft: Draft,
    tip: Option<TipInput>,
    guard: Option<Guard<Created>>,
) -> ServiceResult<Replayable<Created>> {
    let mut before = before::look(s, &order.owner, &draft, guard.as_ref().map(|g| g.request.clone())).await?;
    if let Some(g) = &guard {
        let known = std::mem::replace(&mut before.key, Ok(KeyState::Nothing))?;
        let waits = matches!(known, KeyState::Working(_));
        if let Some(replayed) = replay::replay(s, &g.request, known).await? {
            return Ok(replayed);
        }
        if waits {
            before = before::look(s, &order.owner, &draft, None).await?;
        }
    }
    draft.check()?;
    let asked = BookingFingerprint::of(&draft);
    if let Some(made) = already_made(before.made, &asked)? {
        return Ok(Replayable::Fresh(made));
    }
    let profile = before.profile?;
    if !before.has_card && !order.paid_by.is_by_hand() {
        return Err(ErrorCode::CardRequired.into());
    }
    let draft = geo::places::settled(s, draft, None).await?;
    // The price is locked with a mailed quote, or with the hold of this start: that card, or the one in force now. A mailed
    // quote has its code as well, by the terms it was mailed with.
    let (rate, leg, promised) = match (before.locked, before.rate) {
        (Some(quote), _) => (quote.rate, Some(quote.leg), quote.discount),
        (None, Some(rate)) => (rate, None, None),
        (None, None) => ((*crate::rates::current(s).await?).clone(), None, None),
    };
    let by_staff = matches!(order.owner, Owner::Contact(_));
    let conditions = Terms {
        rate: &rate,
        change_fee: Money::ZERO,
        staff: by_staff,
        keep_code: promised.as_ref(),
        kept_start: None,
        leg,
    };
    let priced = price_draft(s, &draft, &conditions).await?;
    priced.same_as_shown(draft.expected_total)?;
    same_as_agreed(draft.policy_version.as_deref(), &priced.settings.policy.version)?;
    holds::give_back_lapsed(s, &before.lapsed).await?;
    let now = s.clock.now();
    let mut blueprint = blueprint(s, caller, &draft, tip.as_ref(), &profile, &priced, now)?;
    blueprint.booking.details.asked = asked.request;
    blueprint.booking.details.paid_by = order.paid_by;
    blueprint.booking.partner_id = order.partner;
    blueprint.answers = order.answers;
    blueprint.promised = promised;
    if let Owner::Contact(contact) = order.owner {
        blueprint.contact = Some(contact);
    }
    let plan = plan_of(&blueprint.booking);
    let details = &mut blueprint.booking.details;
    // Of the booking's own plan: where no card is charged, no term says so.
    details.guidelines_text = terms::sentences(&details.policy, &plan, blueprint.booking.language);
    let made = match plan.mode {
        Mode::FullAtOnce if !order.paid_by.is_by_hand() => {
            refusals::of_stored_card(s, caller, None, paid_booking::pay_and_book(s, blueprint, guard)).await
        }
        Mode::Split | Mode::Merged | Mode::FullAtOnce => book(s, blueprint, guard).await,
    };
    match made {
        Err(e) => Err(availability::offering(s, &priced.wanted, priced.kind == MoveKind::LongDistance, e).await),
        made => made,
    }
}

fn blueprint(
    s: &Services,
    caller: &Caller,
    draft: &Draft,
    tip: Option<&TipInput>,
    profile: &Profile,
    priced: &Priced,
    now: DateTime<Utc>,
) -> ServiceResult<Blueprint> {
    let language = draft.language.unwrap_or(caller.language);
    let booking = booking_of(s, draft, profile, priced, language, now)?;
    let tip = match tip {
        Some(input) => Some(tips::value_of(input, booking.amount)?),
        None => None,
    };
    let tip = tip.filter(|t| t.amount.is_positive()).map(|t| Tip {
        id: TipId(s.entropy.uuid(now)),
        booking_id: booking.id,
        kind: t.kind,
        value: t.value,
        amount: t.amount,
        is_paid: false,
        payment_id: None,
        version: 1,
        updated_at: now,
    });
    Ok(Blueprint {
        booking,
        tip,
        wanted: priced.wanted.clone(),
        hold_id: draft.hold_id,
        fresh_hold_id: HoldId(s.entropy.uuid(now)),
        discount_id: priced.discount.as_ref().map(|d| d.id),
        promised: None,
        request_id: caller.request_id.clone(),
        role: caller.acts_as()?,
        booker: Booker::of(caller),
        by: caller.user,
        contact: None,
        answers: None,
    })
}

/// Nobody is bound by terms they have not read: a company may have changed its policy since.
fn same_as_agreed(agreed: Option<&str>, in_force: &str) -> ServiceResult<()> {
    match agreed {
        Some(agreed) if agreed != in_force => {
            Err(Error::Refused(ErrorCode::TermsChanged, vec![("policyVersion", in_force.to_owned())]))
        }
        _ => Ok(()),
    }
}

fn booking_of(
    s: &Services,
    draft: &Draft,
    profile: &Profile,
    priced: &Priced,
    language: kernel::Language,
    now: DateTime<Utc>,
) -> ServiceResult<Booking> {
    let (e, q, taxes) = (&priced.estimate, &priced.estimate.quote, priced.taxes()?);
    let policy = priced.settings.policy.for_province(draft.pickup.address.province);
    let mut booking = Booking {
        id: BookingId(s.entropy.uuid(now)),
        short_id: made::short_id(s),
        user_id: profile.user_id,
        partner_id: None,
        status: Status::Pending,
        version: 1,
        language,
        created_at: now,
        updated_at: now,
        move_at: priced.move_at,
        move_date: draft.date,
        move_time: draft.time,
        zone: priced.wanted.zone,
        hub: priced.wanted.hub.clone(),
        province: draft.pickup.address.province,
        move_kind: priced.kind,
        mate_count: draft.mate_count,
        client_as_mate: draft.client_as_mate,
        just_mates: priced.wanted.just_mates,
        ride_along: draft.ride_along,
        duration_minutes: e.duration.minutes,
        distance_km10: priced.distance_km10,
        tier: e.duration.tier,
        amount: q.amount,
        tax: q.tax.amount,
        total: q.total,
        discount_code: e.discount_code.clone(),
        details: BookingDetails {
            pickup: draft.pickup.clone(),
            dropoff: draft.dropoff.clone(),
            items: draft.items.iter().filter(|i| i.quantity > 0).cloned().collect(),
            total_dcf: e.duration.total_dcf,
            big_items: e.duration.big_items,
            small_items: e.duration.small_items,
            travel_minutes: priced.travel_minutes,
            lines: priced.lines(language),
            original_amount: q.original_amount,
            discount: q.discount,
            tax_type: q.tax.type_code.to_string(),
            tax_rate: q.tax.rate,
            taxes,
            rate_id: Some(e.rate_id),
            rate_version: e.rate_version,
            change_fees: Money::ZERO,
            guidelines_version: draft.guidelines_version.clone().unwrap_or_else(|| GUIDELINES_VERSION.to_owned()),
            guidelines_text: Vec::new(),
            guidelines_agreed_at: now,
            policy,
            arrival: priced.settings.scheduling.arrival(),
            lock_entered: false,
            customer_name: profile.full_name(),
            customer_email: profile.email.to_string(),
            customer_phone: draft.phone.as_ref().map_or_else(|| profile.phone.clone(), ToString::to_string),
            comments: draft.comments.trim().to_owned(),
            notes: String::new(),
            survey: draft.survey.clone(),
            cancel_reason: None,
            cancelled_by: None,
            kept: None,
            payment_problem: false,
            credits: Vec::new(),
            overtime: Vec::new(),
            consents: Vec::new(),
            charges_wait: None,
            write_offs: Vec::new(),
            asked: String::new(),
            agreed: None,
            rooms: Rooms::default(),
            extra_services: Vec::new(),
            assembly: None,
            paid_by: PaidBy::Card,
        },
        completed_at: None,
        cancelled_at: None,
    };
    extras::write(&mut booking, draft, priced);
    Ok(booking)
}

/// Split and merged plans: one transaction makes everything; the card is charged later.
async fn book(s: &Services, blueprint: Blueprint, guard: Option<Guard<Created>>) -> ServiceResult<Replayable<Created>> {
    let (actor, asked_at) = (blueprint.actor(), blueprint.booking.created_at);
    let write = move |tx: &mut Tx<'_>| write(tx, &blueprint, settle::begin);
    s.write(actor, move |tx| idempotency::once(tx, guard, asked_at, write)).await
}

/// Writes a whole booking: capacity, record, history, tip, money rows, message, audit.
pub(super) fn write(
    tx: &mut Tx<'_>,
    plan: &Blueprint,
    money: impl FnOnce(&mut Tx<'_>, &Booking) -> ServiceResult<()>,
) -> ServiceResult<Created> {
    let mut booking = plan.booking.clone();
    plan.admit(tx)?;
    if let Some(contact) = &plan.contact {
        let owner = desk::owner_of(tx, contact)?;
        // The card was looked for at an account that has the address no more.
        if owner != booking.user_id && !booking.details.paid_by.is_by_hand() {
            return Err(ErrorCode::CardRequired.into());
        }
        booking.user_id = owner;
    }
    let kept = match capacity::reserve(tx, plan.hold_id, plan.fresh_hold_id, &plan.wanted)? {
        Reserved::Kept(kept) => kept,
        Reserved::Already(other) => {
            let asked = |b: &Booking| is_same(b, &BookingFingerprint::of_booking(&booking));
            let made = tx.unit.bookings().get(other)?.filter(|b| b.user_id == booking.user_id && asked(b));
            let made = made.ok_or(ErrorCode::SlotGone)?;
            let tip = tx.unit.tips().of_booking(other)?;
            return Ok(made::answer(made, tip));
        }
    };
    made::take_code(tx, plan, booking.user_id)?;
    made::insert_with_free_short_id(tx, &mut booking)?;
    kept.given_to(tx, booking.id)?;
    made::record(tx, plan, booking, money)
}
