//! Price and duration before anybody gives a name.

pub mod crews;
pub mod days;
pub mod explain;
pub mod hints;
mod job;
pub mod labels;
pub mod locked;

use std::sync::Arc;

use chrono::{DateTime, NaiveDate, Utc};
use kernel::{Language, Money};
use pricing::{Discount, Duration, Quote, RateCard};

use crate::{
    Caller, Error, ServiceResult, Services, discounts,
    moves::{self, MoveInput},
    ports::{discounts::StoredDiscount, identity::TokenHash, rates::StoredRate},
};
use explain::{Explainer, ExplanationContext};
use hints::Hint;
use job::MoveToPrice;
use locked::{Locked, LockedQuote};

/// Where an estimate's items stand in the request.
pub(crate) const ITEMS: &str = "selectedFurnitures.furnitures";

/// What is to be priced.
#[derive(Debug, Clone, PartialEq)]
pub struct EstimateInput {
    /// The move.
    pub job: MoveInput,
    /// Local day of the start; when not chosen yet, the price is that of an ordinary day.
    pub moving_date: Option<NaiveDate>,
    /// Code typed, if any.
    pub discount_code: Option<String>,
    /// The mailed quote it was taken up from, by its link.
    pub saved_quote: Option<TokenHash>,
}

impl EstimateInput {
    /// The code typed, if any.
    fn code(&self) -> Option<&str> {
        self.discount_code.as_deref()
    }
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
    /// What the lines' explanations draw on.
    pub facts: ExplanationContext,
}

impl Estimate {
    fn of(
        job: &MoveToPrice<'_>,
        quote: Quote,
        date: Option<NaiveDate>,
        discount: Option<&Discount>,
        rate: &StoredRate,
    ) -> Estimate {
        Estimate {
            facts: ExplanationContext::of(job, date, discount),
            quote,
            duration: job.duration.clone(),
            discount_code: discount.map(|d| d.code.clone()),
            discount_refused: false,
            rate_id: rate.id,
            rate_version: rate.version,
        }
    }

    /// Who says how the amounts of the lines come about.
    pub fn explainer(&self, language: Language) -> Explainer<'_> {
        Explainer::of(&self.facts, &self.quote, language)
    }
}

/// An estimate with what people are told about it.
#[derive(Debug, Clone)]
pub struct Explained {
    /// The price and what it stands on.
    pub estimate: Estimate,
    /// What would make it cheaper.
    pub hints: Vec<Hint>,
    /// Each warning's items by id, in the order of the warnings.
    pub culprits: Vec<Vec<String>>,
    /// It is the price of a mailed quote, which lapses then.
    pub kept_until: Option<DateTime<Utc>>,
}

/// `POST /booking/estimate`. Answers with warnings; only booking is blocked by them.
///
/// # Errors
/// Field errors, `no_rate`.
pub async fn estimate(s: &Services, _caller: &Caller, mut input: EstimateInput) -> ServiceResult<Explained> {
    let mut code = Code::of(s, &input).await?;
    let mut kept_until = None;
    let kept = locked_quote(s, &input).await?;
    let rate = match kept.as_ref().and_then(|kept| kept.of(&input.job, input.moving_date, input.code())) {
        Some(locked) => {
            kept_until = Some(locked.until);
            input.job = locked.on_its_way(&input.job);
            code = code.kept(locked);
            Arc::new(locked.rate.clone())
        }
        None => crate::rates::current(s).await?,
    };
    let job = MoveToPrice::of(&input.job, &rate.card, ITEMS)?;
    let day = input.moving_date;
    let discount = code.on(day.unwrap_or_else(|| input.job.pickup_province().zone().local(s.clock.now()).date));
    let quote = job.price(day, discount.as_ref(), Money::ZERO);
    Ok(Explained {
        hints: hints::hints(&job, day, discount.as_ref(), &quote),
        culprits: job.culprits(),
        kept_until,
        estimate: Estimate {
            discount_refused: code.asked && discount.is_none(),
            ..Estimate::of(&job, quote, day, discount.as_ref(), &rate)
        },
    })
}

/// The mailed quote that this estimate starts from, while it has not lapsed.
async fn locked_quote(s: &Services, input: &EstimateInput) -> ServiceResult<Option<LockedQuote>> {
    let Some(link) = input.saved_quote.clone() else { return Ok(None) };
    let now = s.clock.now();
    s.store.read(move |u| locked::locked_quote(u, &link, now)).await
}

/// How long a move takes, and what its warnings are about.
#[derive(Debug, Clone)]
pub struct TimeNeeded {
    /// Minutes, limit, warnings.
    pub duration: Duration,
    /// Each warning's items by id, in the order of the warnings.
    pub culprits: Vec<Vec<String>>,
}

/// `POST /booking/duration`.
///
/// # Errors
/// Field errors, `no_rate`.
pub async fn duration(s: &Services, _caller: &Caller, job: MoveInput) -> ServiceResult<TimeNeeded> {
    let rate = crate::rates::current(s).await?;
    let job = MoveToPrice::of(&job, &rate.card, ITEMS)?;
    Ok(TimeNeeded { culprits: job.culprits(), duration: job.duration })
}

/// The decision itself: pure, used by estimates, bookings and edits alike.
///
/// # Errors
/// Field errors only.
pub fn price(
    job: &MoveInput,
    date: Option<NaiveDate>,
    discount: Option<&Discount>,
    change_fee: Money,
    rate: &StoredRate,
    items_field: &str,
) -> ServiceResult<Estimate> {
    let job = MoveToPrice::of(job, &rate.card, items_field)?;
    let quote = job.price(date, discount, change_fee);
    Ok(Estimate::of(&job, quote, date, discount, rate))
}

/// What a move costs by a card, with tax; nothing that stands beside the price is made.
///
/// # Errors
/// Field errors only.
pub fn total(job: &MoveInput, date: NaiveDate, discount: Option<&Discount>, card: &RateCard) -> ServiceResult<Money> {
    Ok(MoveToPrice::of(job, card, ITEMS)?.price(Some(date), discount, Money::ZERO).total)
}

/// What a move costs by a card, with tax, and the minutes it takes; on an ordinary day when it has none.
///
/// # Errors
/// Field errors only.
pub fn cost(
    job: &MoveInput,
    date: Option<NaiveDate>,
    card: &RateCard,
    items_field: &str,
) -> ServiceResult<(Money, u32)> {
    let job = MoveToPrice::of(job, card, items_field)?;
    Ok((job.price(date, None, Money::ZERO).total, job.duration.minutes))
}

/// The line of so many minutes beyond what was agreed; none while they are free.
///
/// # Errors
/// Field errors only.
pub fn overtime(
    job: &MoveInput,
    date: NaiveDate,
    minutes: u32,
    card: &RateCard,
    language: Language,
) -> ServiceResult<Option<(pricing::Line, String)>> {
    let job = MoveToPrice::of(job, card, ITEMS)?;
    let quote = job.price_with(Some(date), None, Money::ZERO, minutes);
    let facts = ExplanationContext::of(&job, Some(date), None);
    let explainer = Explainer::of(&facts, &quote, language);
    let line = quote.lines.iter().find(|l| l.code == pricing::line::code::OVERTIME);
    Ok(line.map(|line| (line.clone(), explainer.line(line))))
}

/// The first warning that keeps a move from being booked online, as the refusal it becomes, with the items it is about.
///
/// # Errors
/// Field errors only.
pub fn blocking(job: &MoveInput, rate: &StoredRate, items_field: &str) -> ServiceResult<Option<Error>> {
    let job = MoveToPrice::of(job, &rate.card, items_field)?;
    let Some(warning) = job.duration.warnings.first().copied() else { return Ok(None) };
    let items = pricing::culprits(&job.request, job.card, &job.duration, warning);
    Ok(Some(moves::refusal(warning, &items)))
}

/// The code typed, looked up once; whether it is good may differ from day to day.
#[derive(Clone)]
struct Code {
    found: Option<StoredDiscount>,
    /// By its terms of when a quote was mailed with it, for just the move that was priced: it is good, whatever is today.
    promised: bool,
    /// Something was typed.
    asked: bool,
    province: kernel::Province,
    kind: pricing::MoveKind,
    /// The day it would be used on.
    today: NaiveDate,
}

impl Code {
    async fn of(s: &Services, input: &EstimateInput) -> ServiceResult<Code> {
        let typed = input.discount_code.clone().filter(|c| !c.trim().is_empty());
        let asked = typed.is_some();
        let found = match typed {
            Some(code) => discounts::find_code(s, code).await?,
            None => None,
        };
        let today = discounts::day(s.clock.now());
        Ok(Code {
            found,
            promised: false,
            asked,
            province: input.job.pickup_province(),
            kind: input.job.move_kind(),
            today,
        })
    }

    /// As it is in a mailed quote that holds.
    fn kept(self, locked: &Locked) -> Code {
        match locked.discount.clone() {
            Some(kept) => Code { found: Some(kept), promised: true, ..self },
            None => self,
        }
    }

    fn on(&self, day: NaiveDate) -> Option<Discount> {
        let wanted = discounts::Move { date: day, province: Some(self.province), kind: Some(self.kind) };
        let good = self.found.as_ref().filter(|d| self.promised || discounts::applies(d, wanted, self.today));
        good.map(discounts::priced)
    }
}
