//! The price of one move with every crew one may choose.

use chrono::NaiveDate;
use kernel::{MateCount, Money};
use pricing::{Discount, Warning};

use super::{Code, EstimateInput, ITEMS, job::MoveToPrice, locked_quote};
use crate::{Caller, ServiceResult, Services, moves::MoveInput};

/// What sets a crew apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Label {
    /// None that may be booked costs less.
    Cheapest,
    /// None that may be booked is done sooner.
    Fastest,
    /// Too few for something heavy or special: see the warnings' items.
    HeavyItem,
}

impl Label {
    /// All of them.
    pub const ALL: [Label; 3] = [Label::Cheapest, Label::Fastest, Label::HeavyItem];

    /// Code of the HTTP contract.
    pub const fn code(self) -> &'static str {
        match self {
            Label::Cheapest => "cheapest",
            Label::Fastest => "fastest",
            Label::HeavyItem => "refused_heavy_item",
        }
    }
}

/// A crew and what the move costs with it.
#[derive(Debug, Clone, PartialEq)]
pub struct PricedCrew {
    /// Paid mates.
    pub mates: MateCount,
    /// Before tax.
    pub amount: Money,
    /// With tax.
    pub total: Money,
    /// Minutes.
    pub duration: u32,
    /// What stops this crew from being booked online.
    pub warnings: Vec<Warning>,
    /// Each warning's items by id, in the order of the warnings.
    pub culprits: Vec<Vec<String>>,
    /// In the order of [`Label::ALL`].
    pub labels: Vec<Label>,
}

impl PricedCrew {
    fn of(mates: MateCount, job: MoveToPrice<'_>, day: Option<NaiveDate>, discount: Option<&Discount>) -> PricedCrew {
        let quote = job.price(day, discount, Money::ZERO);
        PricedCrew {
            mates,
            amount: quote.amount,
            total: quote.total,
            duration: job.duration.minutes,
            culprits: job.culprits(),
            warnings: job.duration.warnings,
            labels: Vec::new(),
        }
    }
}

/// `POST /booking/crews`: what the estimate with each crew answers, the smallest first. All sizes customers may
/// book, and the one asked for. The crew of a mailed quote has its price, while that holds.
///
/// # Errors
/// Field errors, `no_rate`.
pub async fn crews(s: &Services, _caller: &Caller, input: EstimateInput) -> ServiceResult<Vec<PricedCrew>> {
    let rate = crate::rates::current(s).await?;
    let code = Code::of(s, &input).await?;
    let day = input.moving_date;
    let used_on = day.unwrap_or_else(|| input.job.pickup_province().zone().local(s.clock.now()).date);
    let discount = code.on(used_on);
    let mailed = locked_quote(s, &input).await?;
    let asked = input.job.request(ITEMS)?;
    let most = rate.card.max_online_heads.saturating_sub(u8::from(asked.client_as_mate)).max(1);
    let sizes = (1..=most).filter_map(|n| MateCount::new(i64::from(n)).ok());
    let also = (asked.mate_count.get() > most).then_some(asked.mate_count);
    let mut all: Vec<PricedCrew> = sizes
        .chain(also)
        .map(|mates| {
            let wanted = MoveInput { mate_count: mates, ..input.job.clone() };
            if let Some(locked) = mailed.as_ref().and_then(|mailed| mailed.of(&wanted, day, input.code())) {
                let job = MoveToPrice::of(&locked.on_its_way(&wanted), &locked.rate.card, ITEMS)?;
                let discount = code.clone().kept(locked).on(used_on);
                return Ok(PricedCrew::of(mates, job, day, discount.as_ref()));
            }
            let mut request = asked.clone();
            request.mate_count = mates;
            Ok(PricedCrew::of(mates, MoveToPrice::with(request, &rate.card), day, discount.as_ref()))
        })
        .collect::<ServiceResult<_>>()?;
    label(&mut all);
    Ok(all)
}

/// Of two crews that cost the same the quicker is the cheapest, of two that are as quick the cheaper is the fastest.
fn label(all: &mut [PricedCrew]) {
    let bookable = || all.iter().filter(|c| c.warnings.is_empty());
    let cheapest = bookable().min_by_key(|c| (c.total, c.duration)).map(|c| c.mates);
    let fastest = bookable().min_by_key(|c| (c.duration, c.total)).map(|c| c.mates);
    for crew in all {
        let of_items = crew.culprits.iter().any(|items| !items.is_empty());
        let applies = |label: &Label| match label {
            Label::Cheapest => cheapest == Some(crew.mates),
            Label::Fastest => fastest == Some(crew.mates),
            Label::HeavyItem => of_items,
        };
        crew.labels = Label::ALL.into_iter().filter(applies).collect();
    }
}
