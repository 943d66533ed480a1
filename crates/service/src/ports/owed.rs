//! The amounts due of a booking, with overtime, credits and write-offs.

use kernel::Money;

use super::{
    bookings::Booking,
    credits::{Credit, CreditKind},
    priced::BookedLine,
};

impl Booking {
    fn credits_of(&self, of_cancellation: bool) -> impl Iterator<Item = &Credit> {
        self.details.credits.iter().filter(move |c| !c.ended && c.of_cancellation == of_cancellation)
    }

    /// What of the price was credited; at most the price, which may have fallen since.
    pub fn credited(&self) -> Money {
        self.credits_of(false).map(|c| c.amount).sum::<Money>().min(self.total)
    }

    /// What of the price went back as a refund: a deposit that was returned is not kept by a later cancellation.
    pub fn credited_back(&self) -> Money {
        self.credits_of(false).filter(|c| c.kind == CreditKind::Refund).map(|c| c.amount).sum()
    }

    /// What overtime costs, its share of the taxes included.
    pub fn overtime(&self) -> Money {
        let is_overtime = |l: &&BookedLine| l.code == pricing::line::code::OVERTIME;
        let before_tax: Money = self.details.lines.iter().filter(is_overtime).map(|l| l.amount).sum();
        let without = self.amount.minus(before_tax);
        self.total.minus(without.plus(without.rate(self.details.tax_rate)))
    }

    /// What the move costs in the end, tax included.
    pub fn due(&self) -> Money {
        self.total.minus(self.credited())
    }

    /// What has to come until it is paid: neither what was waived nor what was given up. What went back as a refund had come.
    pub fn to_be_paid(&self) -> Money {
        let waived: Money = self.credits_of(false).filter(|c| c.kind == CreditKind::Goodwill).map(|c| c.amount).sum();
        self.total.minus(waived).minus(self.written_off()).max(Money::ZERO)
    }

    /// What is not asked for any more, because it will not come.
    pub fn written_off(&self) -> Money {
        self.details.write_offs.iter().map(|w| w.amount).sum()
    }

    /// What a cancellation keeps, less what was given back of that; nothing of a booking that was not cancelled.
    pub fn retained(&self) -> Money {
        let kept = self.details.kept.unwrap_or(Money::ZERO);
        kept.minus(self.credited_of_kept().min(kept))
    }

    /// What was given back of what a cancellation kept.
    pub fn credited_of_kept(&self) -> Money {
        self.credits_of(true).map(|c| c.amount).sum()
    }
}
