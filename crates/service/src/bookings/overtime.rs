//! A booking with time beyond what was agreed: one line, taxes and total after it.

use kernel::Money;

use super::{
    quote::booked_line,
    rewrite::{job, reprice},
};
use crate::{
    Error, ErrorCode, ServiceResult, estimates,
    ports::{bookings::Booking, priced::BookedLine, rates::StoredRate},
};

/// Whether a line is the one of overtime.
fn is_overtime(line: &BookedLine) -> bool {
    line.code == pricing::line::code::OVERTIME
}

/// Before tax, what overtime costs so far.
fn billed(b: &Booking) -> Money {
    b.details.lines.iter().filter(|l| is_overtime(l)).map(|l| l.amount).sum()
}

/// The booking with so many minutes more, priced with the card it was booked with, and by how much that raises its
/// price before tax. All its minutes count together: a second quarter of an hour is no second grace.
///
/// # Errors
/// `overtime_free` when nothing more is billed; `overtime_cap` above what the law of the province lets a price grow.
pub(crate) fn with(b: &Booking, minutes: u32, rate: &StoredRate) -> ServiceResult<(Booking, Money)> {
    let before: u32 = b.details.overtime.iter().map(|o| o.minutes).sum();
    let line = estimates::overtime(&job(b), b.move_date, before.saturating_add(minutes), &rate.card)?;
    let old = billed(b);
    let Some(line) = line.filter(|l| l.amount > old) else { return Err(ErrorCode::OvertimeFree.into()) };
    let agreed = b.amount.minus(old);
    let most = policy::max_overrun(&b.details.policy, b.province, agreed);
    if let Some(most) = most.filter(|most| line.amount > *most) {
        let params = vec![
            ("province", b.province.code().to_owned()),
            ("difference", most.minus(old).max(Money::ZERO).to_string()),
            ("amount", line.amount.minus(old).to_string()),
        ];
        return Err(Error::Refused(ErrorCode::OvertimeCap, params));
    }
    let added = line.amount.minus(old);
    let mut new = b.clone();
    new.details.lines.retain(|l| !is_overtime(l));
    new.details.lines.push(booked_line(&line, b.language));
    reprice(&mut new, agreed.plus(line.amount));
    Ok((new, added))
}

/// Priced anew for another reason, a booking keeps its overtime as it was agreed.
pub(super) fn carry(new: &mut Booking, old: &Booking) {
    if let Some(line) = old.details.lines.iter().find(|l| is_overtime(l))
        && !new.details.lines.iter().any(is_overtime)
    {
        new.details.lines.push(line.clone());
        let amount = new.amount.plus(line.amount);
        reprice(new, amount);
    }
}
