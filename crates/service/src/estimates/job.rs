//! A move prepared once, to be priced on many days.

use chrono::NaiveDate;
use kernel::Money;
use pricing::{Discount, Duration, MoveRequest, PriceRequest, Quote, RateCard};

use crate::{ServiceResult, moves::MoveInput};

/// A move that is read once and priced for any number of days: its duration does not depend on the day.
pub(super) struct MoveToPrice<'c> {
    pub(super) request: MoveRequest,
    pub(super) duration: Duration,
    pub(super) card: &'c RateCard,
}

impl<'c> MoveToPrice<'c> {
    pub(super) fn of(input: &MoveInput, card: &'c RateCard, items_field: &str) -> ServiceResult<MoveToPrice<'c>> {
        Ok(MoveToPrice::with(input.request(items_field)?, card))
    }

    pub(super) fn with(request: MoveRequest, card: &'c RateCard) -> MoveToPrice<'c> {
        MoveToPrice { duration: pricing::duration(&request, card), request, card }
    }

    pub(super) fn price(&self, date: Option<NaiveDate>, discount: Option<&Discount>, change_fee: Money) -> Quote {
        self.price_with(date, discount, change_fee, 0)
    }

    pub(super) fn price_with(
        &self,
        date: Option<NaiveDate>,
        discount: Option<&Discount>,
        change_fee: Money,
        overtime_minutes: u32,
    ) -> Quote {
        let province = self.request.pickup.province;
        let request = PriceRequest {
            job: &self.request,
            moving_date: date,
            statutory_holiday: date.is_some_and(|day| scheduling::is_statutory(province, day)),
            discount,
            overtime_minutes,
            change_fee,
        };
        pricing::price(&request, &self.duration, self.card)
    }

    pub(super) fn culprits(&self) -> Vec<Vec<String>> {
        let about = |w| pricing::culprits(&self.request, self.card, &self.duration, w);
        let named = |w: &pricing::Warning| about(*w).into_iter().map(str::to_owned).collect();
        self.duration.warnings.iter().map(named).collect()
    }
}
