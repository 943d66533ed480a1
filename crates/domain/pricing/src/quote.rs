//! The fixed price of a move.

use kernel::{BasisPoints, Money, ceil_to};
use serde::{Deserialize, Serialize};

use crate::card::{BASE_PERIOD, tier_index};
use crate::line::code;
use crate::tax::{Tax, tax, tax_rule};
use crate::{ContentType, Duration, ExtraService, Line, MoveKind, PriceRequest, RateCard, Unit};

/// A price, line by line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Quote {
    /// In the order of quotes and invoices; they add up to `amount`. Zero lines are left out.
    pub lines: Vec<Line>,
    /// All lines but the discount.
    pub original_amount: Money,
    /// What the discount takes off, positive.
    pub discount: Money,
    /// After the discount, before tax; what the wizard shows.
    pub amount: Money,
    /// On `amount`.
    pub tax: Tax,
    /// `amount` and tax, without any tip.
    pub total: Money,
    /// What the crew costs an hour before the period's multiplier.
    pub crew_hourly: Money,
    /// Minutes of the labour line.
    pub billed_minutes: u32,
    /// The period that applies, `base` if none.
    pub period: String,
    /// Its multiplier.
    pub multiplier: BasisPoints,
}

/// Writes lines that share a crew and a period.
struct Writer<'a> {
    lines: Vec<Line>,
    crew_hourly: Money,
    mates: u8,
    period: &'a str,
    multiplier: BasisPoints,
}

impl Writer<'_> {
    fn push(&mut self, mut line: Line) {
        line.amount = line.computed_amount();
        if !line.amount.is_zero() {
            self.lines.push(line);
        }
    }

    /// Minutes of the crew at a factor, in the period.
    fn hours(&mut self, content: ContentType, code: &str, minutes: i64, factor: BasisPoints) {
        self.push(Line {
            content,
            code: code.to_owned(),
            quantity: minutes,
            unit: Unit::Hour,
            unit_price: self.crew_hourly,
            factor,
            multiplier: self.multiplier,
            period: self.period.to_owned(),
            mates: self.mates,
            amount: Money::ZERO,
        });
    }

    /// Something whose price knows no period.
    fn fee(&mut self, content: ContentType, code: &str, quantity: i64, unit: Unit, unit_price: Money) {
        self.push(Line {
            content,
            code: code.to_owned(),
            quantity,
            unit,
            unit_price,
            factor: BasisPoints::ONE,
            multiplier: BasisPoints::ONE,
            period: BASE_PERIOD.to_owned(),
            mates: 0,
            amount: Money::ZERO,
        });
    }

    fn sum(&self) -> Money {
        self.lines.iter().map(|l| l.amount).sum()
    }
}

/// The price of a move whose duration was computed with the same card.
///
/// A discount comes off the service (labour, travel, truck, kilometres, ride along, extra services), not off the
/// change fee, which is a share of what was agreed before the change, nor off overtime.
pub fn price(req: &PriceRequest<'_>, job_duration: &Duration, card: &RateCard) -> Quote {
    let job = req.job;
    let pickup = job.pickup.province;
    let rate = card.rate(pickup);
    let (period, multiplier) = card.period(pickup, req.moving_date, req.statutory_holiday);
    let just_mates = job_duration.just_mates;
    let mates = job.mate_count.get();
    let crew_hourly = rate.crew_hourly(mates, just_mates);
    let mut out = Writer { lines: Vec::with_capacity(8), crew_hourly, mates, period, multiplier };

    let billed_kind = if just_mates { MoveKind::JustMates } else { job_duration.effective_kind };
    let minimum = rate.minimum_billed_min.get(billed_kind).of_tier(job_duration.tier);
    let billed_minutes = job_duration.minutes.max(minimum);
    out.hours(ContentType::Regular, code::LABOUR, billed_minutes.into(), BasisPoints::ONE);
    let travel_fee = i64::from(rate.travel_fee_min) + i64::from(job.positioning_minutes);
    out.hours(ContentType::Regular, code::TRAVEL_FEE, travel_fee, BasisPoints::ONE);
    if !just_mates {
        let truck = rate.truck_fee_by_tier[tier_index(job_duration.tier)];
        out.fee(ContentType::Other, code::TRUCK_FEE, 1, Unit::Flat, truck);
        let included = i64::from(rate.included_km) * 10;
        let km10 = i64::from(job.distance_km10);
        if job_duration.effective_kind == MoveKind::LongDistance {
            let way_back = i64::from(job.travel_minutes.max(1));
            out.hours(ContentType::Regular, code::RETURN_LABOUR, way_back, rate.return_labour_bp);
            let billed = (2 * km10 - included).max(0);
            out.fee(ContentType::Other, code::KM_FEE, billed, Unit::Km, rate.long_distance_km_fee);
        } else {
            out.fee(ContentType::Other, code::KM_FEE, (km10 - included).max(0), Unit::Km, rate.km_fee);
        }
    }
    if job.ride_along {
        out.fee(ContentType::RideAlong, code::RIDE_ALONG, 1, Unit::Flat, rate.ride_along_fee);
    }
    for service in ExtraService::ALL.into_iter().filter(|s| job.extra_services.contains(s)) {
        if let Some(fee) = rate.extra_services.get(service) {
            out.fee(ContentType::Other, service.code(), 1, Unit::Flat, fee);
        }
    }
    let service = out.sum();
    out.fee(ContentType::Other, code::CHANGE_FEE, 1, Unit::Flat, req.change_fee);
    let discount = req.discount.map_or(Money::ZERO, |d| d.terms.off(service));
    if let Some(given) = req.discount {
        out.fee(ContentType::Discount, &given.code, 1, Unit::Flat, discount.negated());
    }
    if req.overtime_minutes > rate.overtime_grace_min {
        let billed = ceil_to(req.overtime_minutes.into(), rate.overtime_step_min.into());
        out.hours(ContentType::Overtime, code::OVERTIME, billed, rate.overtime_bp);
    }

    let amount = out.sum();
    let tax = tax(amount, tax_rule(card, pickup, job.dropoff.province, just_mates));
    Quote {
        original_amount: amount.plus(discount),
        discount,
        amount,
        total: amount.plus(tax.amount),
        tax,
        crew_hourly,
        billed_minutes,
        period: period.to_owned(),
        multiplier,
        lines: out.lines,
    }
}
