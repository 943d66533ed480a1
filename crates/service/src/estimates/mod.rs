//! Price and duration before anybody gives a name.

use chrono::NaiveDate;
use pricing::{Duration, PriceRequest, Quote};

use crate::{Caller, ServiceResult, Services, discounts, moves::MoveInput, ports::rates::StoredRate};

/// What is to be priced.
#[derive(Debug, Clone, PartialEq)]
pub struct EstimateInput {
    /// The move.
    pub job: MoveInput,
    /// Local day of the start; when not chosen yet, the price is that of an ordinary day.
    pub moving_date: Option<NaiveDate>,
    /// Code typed, if any.
    pub discount_code: Option<String>,
}

/// The price, line by line, and what it stands on.
#[derive(Debug, Clone)]
pub struct Estimate {
    /// Lines, tax and totals.
    pub quote: Quote,
    /// Minutes, limits, warnings, volumes.
    pub duration: Duration,
    /// The code that was applied.
    pub discount_code: Option<String>,
    /// The code that was asked for is not good for this move.
    pub discount_refused: bool,
    /// The rate card used.
    pub rate_id: kernel::RateId,
    /// Its version.
    pub rate_version: i32,
}

/// `POST /booking/estimate`. Answers with warnings; only booking is blocked by them.
///
/// # Errors
/// Field errors, `no_rate`.
pub async fn estimate(s: &Services, _caller: &Caller, input: EstimateInput) -> ServiceResult<Estimate> {
    let rate = crate::rates::current(s).await?;
    let province = input.job.pickup_province();
    let code = input.discount_code.filter(|c| !c.trim().is_empty());
    let asked = code.is_some();
    let discount = match code {
        Some(code) => {
            let day = input.moving_date.unwrap_or_else(|| province.zone().local(s.clock.now()).date);
            discounts::find(s, code, day, Some(province), Some(input.job.move_kind())).await?
        }
        None => None,
    };
    let discount = discount.as_ref().map(discounts::priced);
    let mut estimate = price(
        &input.job,
        input.moving_date,
        discount.as_ref(),
        kernel::Money::ZERO,
        &rate,
        "selectedFurnitures.furnitures",
    )?;
    estimate.discount_refused = asked && estimate.discount_code.is_none();
    Ok(estimate)
}

/// `POST /booking/duration`.
///
/// # Errors
/// Field errors, `no_rate`.
pub async fn duration(s: &Services, _caller: &Caller, job: MoveInput) -> ServiceResult<Duration> {
    let rate = crate::rates::current(s).await?;
    Ok(pricing::duration(&job.request("selectedFurnitures.furnitures")?, &rate.card))
}

/// The decision itself: pure, used by estimates, bookings and edits alike.
///
/// # Errors
/// Field errors only.
pub fn price(
    job: &MoveInput,
    date: Option<NaiveDate>,
    discount: Option<&pricing::Discount>,
    change_fee: kernel::Money,
    rate: &StoredRate,
    items_field: &str,
) -> ServiceResult<Estimate> {
    let request = job.request(items_field)?;
    let duration = pricing::duration(&request, &rate.card);
    let quote = pricing::price(
        &PriceRequest {
            job: &request,
            moving_date: date,
            statutory_holiday: date.is_some_and(|day| scheduling::is_statutory(request.pickup.province, day)),
            discount,
            overtime_minutes: 0,
            change_fee,
        },
        &duration,
        &rate.card,
    );
    Ok(Estimate {
        quote,
        duration,
        discount_code: discount.map(|d| d.code.clone()),
        discount_refused: false,
        rate_id: rate.id,
        rate_version: rate.version,
    })
}
