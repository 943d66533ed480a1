//! The price of one move on many days.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use geography::Place;
use kernel::{BasisPoints, Language, Money};
use pricing::MoveKind;

use super::{Code, EstimateInput, ITEMS, job::MoveToPrice, labels::day_label, locked_quote};
use crate::{
    Caller, Error, FieldProblem, Limit, ServiceResult, Services,
    availability::{self, AvailabilityInput, MAX_DAYS},
    capacity::MAX_MINUTES,
};

/// A day and what the move costs then.
#[derive(Debug, Clone, PartialEq)]
pub struct PricedDay {
    /// Local day at the pickup.
    pub date: NaiveDate,
    /// Before tax.
    pub amount: Money,
    /// With tax.
    pub total: Money,
    /// On hourly lines.
    pub factor: BasisPoints,
    /// Name in the rate card; none on an ordinary day.
    pub period: Option<String>,
    /// What people call it.
    pub label: Option<String>,
    /// Some start of that day is free for this crew and duration.
    pub open: bool,
}

/// Days in order.
#[derive(Debug, Clone, PartialEq)]
pub struct PricedDays {
    /// One a day asked for.
    pub days: Vec<PricedDay>,
    /// The first of the open days with the lowest total.
    pub cheapest: Option<NaiveDate>,
}

/// `POST /booking/prices`: what the estimate of each day answers, and whether a move can start then. The day of a mailed
/// quote has its price, while that holds.
///
/// # Errors
/// Field errors, `no_rate`.
pub async fn prices(
    s: &Services,
    caller: &Caller,
    input: EstimateInput,
    from: NaiveDate,
    days: u32,
) -> ServiceResult<PricedDays> {
    if days == 0 || days > MAX_DAYS {
        return Err(Error::field("days", FieldProblem::Between(Limit::Days(1), Limit::Days(MAX_DAYS))));
    }
    let rate = crate::rates::current(s).await?;
    let code = Code::of(s, &input).await?;
    let job = MoveToPrice::of(&input.job, &rate.card, ITEMS)?;
    let open = open_days(s, &input, &job, from, days).await?;
    let mut priced: Vec<PricedDay> =
        from.iter_days().take(days as usize).map(|day| price(&job, &code, day, &open, caller.language)).collect();
    if let Some(mailed) = locked_quote(s, &input).await? {
        for day in &mut priced {
            let Some(locked) = mailed.of(&input.job, Some(day.date), input.code()) else { continue };
            let input = EstimateInput { job: locked.on_its_way(&input.job), ..input.clone() };
            let job = MoveToPrice::of(&input.job, &locked.rate.card, ITEMS)?;
            let open = open_days(s, &input, &job, day.date, 1).await?;
            *day = price(&job, &code.clone().kept(locked), day.date, &open, caller.language);
        }
    }
    let cheapest = priced.iter().filter(|d| d.open).min_by_key(|d| (d.total, d.date)).map(|d| d.date);
    Ok(PricedDays { days: priced, cheapest })
}

fn price(
    job: &MoveToPrice<'_>,
    code: &Code,
    date: NaiveDate,
    open: &BTreeMap<NaiveDate, bool>,
    language: Language,
) -> PricedDay {
    let quote = job.price(Some(date), code.on(date).as_ref(), Money::ZERO);
    let province = job.request.pickup.province;
    let period = job.card.dear_period(province, Some(date), scheduling::is_statutory(province, date));
    PricedDay {
        date,
        amount: quote.amount,
        total: quote.total,
        factor: quote.multiplier,
        period: period.map(|p| p.name.clone()),
        label: period.map(|p| day_label(p, province, date, language)),
        open: open.get(&date).copied().unwrap_or(false),
    }
}

/// Which days have a start. A move that is too long for any has none.
async fn open_days(
    s: &Services,
    input: &EstimateInput,
    job: &MoveToPrice<'_>,
    from: NaiveDate,
    days: u32,
) -> ServiceResult<BTreeMap<NaiveDate, bool>> {
    if job.duration.minutes > MAX_MINUTES {
        return Ok(BTreeMap::new());
    }
    let [pickup, dropoff] = &input.job.ends;
    let pickup = pickup.place().unwrap_or_else(|| Place {
        province: input.job.pickup_province(),
        city: pickup.city.clone().unwrap_or_default(),
        postal_code: pickup.postal_code.clone(),
        coordinates: pickup.coordinates,
    });
    let asked = AvailabilityInput {
        date: from,
        days,
        mate_count: job.request.mate_count,
        duration_minutes: job.duration.minutes,
        just_mates: job.duration.just_mates,
        tier: Some(job.duration.tier),
        long_distance: job.duration.effective_kind == MoveKind::LongDistance,
        pickup,
        dropoff: dropoff.place(),
    };
    availability::open_days(s, &asked).await
}
