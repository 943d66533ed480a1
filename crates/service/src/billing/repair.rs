//! Works out the repair of a difference, and carries it out. It is worked out when the difference is found and says all that
//! it will do; when somebody asks for it, it is worked out again and done only if it is still the same.

use chrono::DateTime;
use kernel::BookingId;

pub use super::{
    anew::{RowAction, Step},
    remedy::Repair,
};
use super::{
    anew::{locked, plan_anew},
    audit::File,
    difference::{Difference, DifferenceKind},
    history::{differences_of, file_of},
    known::{fact_of, moved},
    late, ledger, looks, orders, outside, put_right, refund_settlement, settle, settlement,
};
use crate::{
    Actor, Error, ServiceResult, Services, Tx,
    ports::{
        StoreError, Unit,
        bookings::Booking,
        books::BookingFile,
        capacity::Drift,
        checkouts::CheckoutState,
        ledger::{Account, EntryLine},
        payments::{AttemptState, GatewayKind, GatewayStatus, GatewayTransaction},
        strays::Stray,
    },
    work::JobOutcome,
};

/// What puts a difference right; none where that is a person's.
///
/// # Errors
/// When gateway or database cannot be asked.
pub async fn offer(s: &Services, d: &Difference) -> ServiceResult<Option<Repair>> {
    // Which of the two somebody changed nobody knows: no more is charged than either says.
    let tip_is_more =
        matches!(&d.what, DifferenceKind::TipAsked { asked, given } if asked.is_positive() && asked < given);
    if let DifferenceKind::Held { .. }
    | DifferenceKind::HeldByHand { .. }
    | DifferenceKind::Tip { .. }
    | DifferenceKind::PutOff { .. }
    | DifferenceKind::Waits { .. }
    | DifferenceKind::TipAsked { .. } = d.what
        && !tip_is_more
        && !tip_is_gone(s, d).await?
    {
        let planned = rehearsed(s, d).await?;
        if planned.is_some() || !matches!(d.what, DifferenceKind::Tip { .. }) {
            return Ok(planned);
        }
    }
    let found = at_gateway(s, d).await?;
    let d = d.clone();
    s.store.read(move |u| of_record(u, &d, &found)).await
}

/// Somebody deleted what was given: by what is left nothing can be planned.
async fn tip_is_gone(s: &Services, d: &Difference) -> ServiceResult<bool> {
    let Some(id) = d.booking.filter(|_| matches!(d.what, DifferenceKind::Tip { .. } | DifferenceKind::TipAsked { .. }))
    else {
        return Ok(false);
    };
    s.store.read(move |u| Ok::<_, Error>(u.tips().of_booking(id)?.is_none())).await
}

/// What the payment service lists under the order id of a difference; nothing where it has none.
///
/// # Errors
/// When gateway or database cannot be asked.
pub(super) async fn at_gateway(s: &Services, d: &Difference) -> ServiceResult<Vec<GatewayTransaction>> {
    let asked = d.clone();
    let order = s.store.read(move |u| put_right::order_of(u, &asked)).await?;
    match order {
        Some(order) => orders::find_by_order(s, &order).await,
        None => Ok(Vec::new()),
    }
}

/// The same from what is on record, and what the gateway lists under the order id.
pub(super) fn of_record(
    u: &mut dyn Unit,
    d: &Difference,
    found: &[GatewayTransaction],
) -> ServiceResult<Option<Repair>> {
    let order_id = d.subject.clone();
    match &d.what {
        DifferenceKind::GatewayMoved { state, .. } if *state == AttemptState::Lost.code() => {
            if let Some(noted) = put_right::note_attempt(u, d, order_id.clone(), found)? {
                return Ok(Some(noted));
            }
            let made = late::took_place(found);
            Ok(made.map(|t| Repair::BookLate { order_id, amount: t.amount }))
        }
        DifferenceKind::GatewayMoved { .. } => put_right::note_attempt(u, d, order_id, found),
        DifferenceKind::GatewayTwice { .. } => put_right::beside_ours(u, &order_id, found),
        DifferenceKind::GatewayUnknown { .. } => unknown(u, order_id, found),
        DifferenceKind::GatewayMissing { amount } => {
            let amount = *amount;
            let taken = settlement::applied_charge(u, &order_id)?;
            let fact = taken.as_ref().map_or_else(|| format!("refund:{order_id}"), |(a, row)| fact_of(a, row));
            if u.books().moved_at_gateway(std::slice::from_ref(&fact))?.is_empty() {
                // The ledger has it under another order id: somebody changed that of the attempt.
                return Ok(None);
            }
            let Some((attempt, row)) = taken else {
                let refund = refund_settlement::written(u, &order_id)?.is_some();
                let repair = Repair::NeverMade { order_id, amount, refund };
                return Ok((refund && found.is_empty()).then_some(repair));
            };
            let ours = found.iter().find(|t| Some(&t.id) == attempt.transaction_id.as_ref());
            Ok(match ours {
                Some(t) if t.status == GatewayStatus::Declined => Some(Repair::TakeOut { order_id, amount }),
                // Not offered while the payment service lists anything under the order id: then a person has to decide.
                None if found.is_empty() && settlement::may_be_taken_out(&row) => {
                    Some(Repair::NeverMade { order_id, amount, refund: false })
                }
                _ => None,
            })
        }
        DifferenceKind::GatewayAmount { .. } => match put_right::note_attempt(u, d, order_id, found)? {
            Some(noted) => Ok(Some(noted)),
            None => outside::another_amount(u, d, found),
        },
        DifferenceKind::RefundOutside { .. } | DifferenceKind::VoidOutside { .. } => {
            // Written down on a row that reads otherwise than its witnesses it would be asked of the customer again.
            let file = d.booking.map(|id| file_of(u, id)).transpose()?.flatten();
            if file.is_some_and(|file| is_held_back(&file)) { Ok(None) } else { outside::offered(u, d, found) }
        }
        // The notification was lost: the repair asks the payment service, and writes down what it answers.
        DifferenceKind::DisputeLost { amount }
        | DifferenceKind::DisputeOpen { amount }
        | DifferenceKind::DisputeWon { amount } => {
            let known = settlement::applied_charge(u, &order_id)?.is_some();
            Ok(known.then_some(Repair::BookDispute { order_id, amount: *amount }))
        }
        DifferenceKind::RefundRefused { amount } => Ok(Some(Repair::RefundBack { order_id, amount: *amount })),
        DifferenceKind::Unreadable { .. } => Ok(None),
        DifferenceKind::LedgerMissing { .. } => missing(u, order_id, found),
        DifferenceKind::Books { .. } => {
            let Some(file) = d.booking.map(|id| file_of(u, id)).transpose()?.flatten() else { return Ok(None) };
            let file = File::of(&file);
            let of = || file.amendments_only().into_iter().map(|a| a.fact).collect();
            Ok(file.correction().filter(|_| only_books(&file)).map(|lines| Repair::Correct { lines, of: of() }))
        }
        DifferenceKind::LedgerAmount { .. } => {
            let Some(file) = d.booking.map(|id| file_of(u, id)).transpose()?.flatten() else { return Ok(None) };
            let file = File::of(&file);
            let own = |fact: &str| fact.split_once(':').is_some_and(|(_, order)| order == order_id);
            let amendment = file.amendments_only().into_iter().find(|a| own(&a.fact)).filter(|_| only_books(&file));
            Ok(amendment.map(|a| Repair::Correct { lines: a.lines, of: vec![a.fact] }))
        }
        DifferenceKind::Capacity { hub, date, bucket, counted, held } => {
            let repair =
                Repair::Recount { hub: hub.clone(), date: *date, bucket: *bucket, counted: *counted, held: *held };
            Ok(Some(repair))
        }
        DifferenceKind::CapacityLeft => Ok(Some(Repair::FreeTime)),
        DifferenceKind::CrewLeft { many, .. } => Ok(Some(Repair::FreeCrew { many: *many })),
        DifferenceKind::Overdue { charge, amount, .. } => {
            // What holds the job back holds a press back, too.
            let file = d.booking.map(|id| file_of(u, id)).transpose()?.flatten();
            let odd = file.is_some_and(|file| !file.strangers.is_empty() || is_held_back(&file));
            Ok((!odd).then_some(Repair::ChargeNow { charge: *charge, amount: *amount }))
        }
        _ => put_right::offered(u, d, found),
    }
}

/// Its stored records contradict each other: no money of it moves before that is right.
fn is_held_back(file: &BookingFile) -> bool {
    File::of(file).differences(DateTime::UNIX_EPOCH).iter().any(|d| d.what.holds_money_back())
}

/// Where anything but the books is wrong, nobody knows whether they are.
fn only_books(file: &File<'_>) -> bool {
    let books = |d: &Difference| matches!(d.what, DifferenceKind::Books { .. });
    file.differences(DateTime::UNIX_EPOCH).iter().all(books) && file.all_posted()
}

/// Posts what corrects the books of a booking, an entry for each entry that says something else than what was done.
fn correct(tx: &mut Tx<'_>, b: &Booking, lines: &[EntryLine], of: &[String]) -> ServiceResult<bool> {
    if of.is_empty() {
        return ledger::correction(tx, b, lines.to_vec()).map(|()| true);
    }
    let Some(file) = file_of(tx.unit, b.id)? else { return Ok(false) };
    for a in File::of(&file).amendments().into_iter().filter(|a| of.contains(&a.fact)) {
        ledger::amend(tx, b, a.payment, &a.fact, a.lines)?;
    }
    Ok(true)
}

/// Money that came under an order id nobody wrote.
fn unknown(u: &mut dyn Unit, order_id: String, found: &[GatewayTransaction]) -> ServiceResult<Option<Repair>> {
    let made: Vec<&GatewayTransaction> = found.iter().filter(|t| moved(t)).collect();
    let [t] = made.as_slice() else { return Ok(None) };
    if t.kind != GatewayKind::Charge || t.status == GatewayStatus::Voided || u.strays().get(&order_id)?.is_some() {
        return Ok(None);
    }
    // The ledger has it: somebody changed the rows of it, and that is put right where they are told.
    let fact = format!("capture:{order_id}");
    if u.books().moved_at_gateway(std::slice::from_ref(&fact))?.get(&fact) == Some(&t.amount) {
        return Ok(None);
    }
    // An edit that was given up: its booking stands, and the money is the booking's.
    if let Some(c) = u.checkouts().by_order(&order_id)? {
        let stands = c.state == CheckoutState::Abandoned && u.bookings().get(c.subject)?.is_some();
        if stands {
            return Ok(Some(Repair::BookLate { order_id, amount: t.amount }));
        }
        if c.state != CheckoutState::Abandoned {
            return Ok(None);
        }
    }
    Ok(Some(Repair::SendBack { order_id, transaction_id: t.id.clone(), amount: t.amount }))
}

/// The entry of a deed, where the accounts of its booking lack just that, or that beside more while the payment service has
/// the deed as row and attempt say.
fn missing(u: &mut dyn Unit, order_id: String, found: &[GatewayTransaction]) -> ServiceResult<Option<Repair>> {
    let Some(attempt) = u.payments().attempt(&order_id)? else { return Ok(None) };
    let Some(payment) = u.payments().get(attempt.payment_id)? else { return Ok(None) };
    let Some(file) = file_of(u, payment.booking_id)? else { return Ok(None) };
    let fact = fact_of(&attempt, &payment);
    if !u.books().moved_at_gateway(std::slice::from_ref(&fact))?.is_empty() {
        // It is posted, with another booking: an entry is posted once, and a person looks whose it is.
        return Ok(None);
    }
    let lines = ledger::lines_of(&file.booking, &payment, &file.rows);
    let mut lacking = File::of(&file).correction().unwrap_or_default();
    let mut wanted = lines.clone();
    for list in [&mut lacking, &mut wanted] {
        list.sort_by_key(|l| l.account);
    }
    let at_gateway = |lines: &[EntryLine]| -> i64 {
        lines.iter().filter(|l| l.account == Account::Gateway).map(|l| l.amount.cents()).sum()
    };
    let same = |t: &GatewayTransaction| Some(&t.id) == attempt.transaction_id.as_ref() && t.amount == attempt.amount;
    let (lacks, wants) = (at_gateway(&lacking), at_gateway(&wanted));
    // Also where more entries are gone: each is posted by itself.
    let among = lacks.signum() == wants.signum() && lacks.abs() >= wants.abs() && payment.amount == attempt.amount;
    let confirmed = among && found.iter().any(|t| moved(t) && same(t));
    Ok((confirmed || lacking == wanted).then_some(Repair::Post { order_id, lines }))
}

/// How a rehearsal ends: always without a change.
enum Rehearsal {
    Told(Option<Vec<Step>>),
    Failed(Error),
}

impl From<StoreError> for Rehearsal {
    fn from(e: StoreError) -> Self {
        Rehearsal::Failed(e.into())
    }
}

/// Plans the charges of a booking anew, looks what that changes, and takes it back.
async fn rehearsed(s: &Services, d: &Difference) -> ServiceResult<Option<Repair>> {
    let d = d.clone();
    let rehearsal = move |tx: &mut Tx<'_>| match plan_anew(tx, &d) {
        Ok(steps) => Err::<(), _>(Rehearsal::Told(steps)),
        Err(e) => Err(Rehearsal::Failed(e)),
    };
    match s.write(Actor::system(), rehearsal).await {
        Err(Rehearsal::Told(steps)) => Ok(steps.map(|steps| Repair::PlanAnew { steps })),
        Err(Rehearsal::Failed(e)) => Err(e),
        Ok(()) => Ok(None),
    }
}

/// Whether a difference is there now.
///
/// # Errors
/// When gateway or database cannot be asked.
pub async fn still_there(s: &Services, d: &Difference) -> ServiceResult<bool> {
    let (now, d) = (s.clock.now(), d.clone());
    let found: Vec<Difference> = match &d.what {
        DifferenceKind::NotReturned { .. } => {
            let order = d.subject.clone();
            let stray = s.store.read(move |u| u.strays().get(&order).map_err(Error::from)).await?;
            match stray {
                Some(stray) => orders::not_returned(s, &stray).await?.into_iter().collect(),
                None => Vec::new(),
            }
        }
        what if what.is_of_order() => orders::look(s, &d.subject).await?,
        DifferenceKind::Capacity { date, .. } => {
            let day = *date;
            let drift = s.store.read(move |u| u.capacities().drift_between(day, day).map_err(Error::from)).await?;
            drift.into_iter().map(Difference::of_drift).collect()
        }
        _ => match d.booking {
            Some(id) => s.store.read(move |u| differences_of(u, id, now)).await?,
            None => Vec::new(),
        },
    };
    Ok(found.contains(&d))
}

/// Does what was said, and only that. False: it would be something else by now, and nothing was done. `found` is what the
/// gateway lists under the order id.
///
/// # Errors
/// When the database fails.
pub(super) fn carry_out(
    tx: &mut Tx<'_>,
    d: &Difference,
    said: &Repair,
    found: &[GatewayTransaction],
) -> ServiceResult<bool> {
    let booking = locked(tx, d)?;
    if let Repair::PlanAnew { steps } = said {
        return Ok(plan_anew(tx, d)?.as_ref() == Some(steps));
    }
    if of_record(tx.unit, d, found)?.as_ref() != Some(said) {
        return Ok(false);
    }
    match (said, booking) {
        (Repair::BookLate { order_id, .. }, _) => late::book_found(tx, order_id, found),
        (Repair::TakeOut { order_id, .. }, _) => {
            // What the bank refused is disputed by nobody.
            settlement::book(tx, order_id, found, &[])?;
            Ok(settlement::applied_charge(tx.unit, order_id)?.is_none())
        }
        (Repair::RefundBack { order_id, .. }, _) => {
            refund_settlement::book(tx, order_id, found).map(|ran| matches!(ran, Some(JobOutcome::Done)))
        }
        (Repair::SendBack { order_id, transaction_id, amount }, _) => {
            let checkout = tx.unit.checkouts().by_order(order_id)?.map(|c| c.booking_id);
            let stray = Stray {
                order_id: order_id.clone(),
                checkout_id: checkout.unwrap_or_else(|| BookingId(tx.id())),
                transaction_id: transaction_id.clone(),
                amount: *amount,
                found_at: tx.now,
                returned_at: None,
                return_id: None,
            };
            let added = tx.unit.strays().add(&stray)?;
            tx.enqueue(&crate::work::Work::ReturnStray { order_id: order_id.clone() })?;
            Ok(added)
        }
        (Repair::NeverMade { order_id, refund: false, .. }, _) => settlement::never_made(tx, order_id),
        (Repair::NeverMade { order_id, refund: true, .. }, _) => refund_settlement::never_made(tx, order_id),
        (Repair::BookDispute { order_id, .. }, _) => looks::at_charge(tx, order_id, tx.now).map(|()| true),
        (Repair::BookRefund { order_id, .. }, Some(b)) => outside::book_refund(tx, &b, d, order_id, found),
        (Repair::BookMore { order_id, .. }, Some(b)) => outside::book_more(tx, &b, order_id, found),
        (Repair::BookLess { order_id, .. }, Some(b)) => outside::book_less(tx, &b, order_id, found),
        (Repair::Post { order_id, .. }, _) => put_right::post(tx, order_id),
        (Repair::Correct { lines, of }, Some(b)) => correct(tx, &b, lines, of),
        (Repair::Recount { hub, date, bucket, counted, held }, _) => {
            let drift = Drift { hub: hub.clone(), date: *date, bucket: *bucket, counted: *counted, held: *held };
            put_right::recount(tx, &drift)
        }
        (Repair::FreeTime, Some(b)) => crate::capacity::release(tx, b.id).map(|()| true),
        (Repair::FreeCrew { .. }, Some(b)) => crate::crews::release(tx, &b).map(|()| true),
        (Repair::ChargeNow { .. }, Some(mut b)) => settle::settle(tx, &mut b).map(|()| true),
        (said, Some(b)) => put_right::carry_out(tx, &b, d, said, found),
        _ => Ok(false),
    }
}
