//! A draft turned into a priced, scheduled move: every rule a booking must pass, used by
//! booking, editing and the edit's preview alike.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use kernel::{Language, Money};
use pricing::MoveKind;

use super::draft::Draft;
use crate::{
    Error, ErrorCode, ServiceResult, Services,
    capacity::{CapacityRequest, hub_and_legs, refusal},
    discounts,
    estimates::{self, Estimate},
    geo,
    ports::{
        discounts::StoredDiscount,
        priced::{BookedLine, BookedTax, Tax},
        rates::StoredRate,
    },
    settings::{self, cache::InForce},
};

/// A move that may be booked, with its price.
#[derive(Debug, Clone)]
pub struct Priced {
    /// Price and duration.
    pub estimate: Estimate,
    /// The code used.
    pub discount: Option<StoredDiscount>,
    /// Loaded leg, minutes.
    pub travel_minutes: u32,
    /// Tenths of km.
    pub distance_km10: u32,
    /// The start.
    pub move_at: DateTime<Utc>,
    /// What it occupies.
    pub wanted: CapacityRequest,
    /// Kind asked for.
    pub kind: MoveKind,
    /// The settings it was judged by, under which a new booking is made.
    pub settings: Arc<InForce>,
}

/// Circumstances that differ between booking, customer edit and staff edit.
pub struct Terms<'a> {
    /// The card whose prices hold.
    pub rate: &'a StoredRate,
    /// Before tax, a change fee to add.
    pub change_fee: Money,
    /// Staff may book closer and beyond self-service limits.
    pub staff: bool,
    /// The code that the booking or the mailed quote has: it is not looked up again. An edit takes it out of the draft first
    /// where its terms do not allow the changed move; a mailed quote is for just the move that was priced.
    pub keep_code: Option<&'a StoredDiscount>,
    /// The start is the one already booked, for so many minutes: the lead-time rules were passed then.
    pub kept_start: Option<u32>,
    /// Minutes and tenths of km of the loaded leg, where a mailed quote has them; else the map is asked.
    pub leg: Option<(u32, u32)>,
}

/// Where the list of items stands in a request.
const ITEMS: &str = "bookingRequest.selectedFurnitures";

/// Applies every rule.
///
/// # Errors
/// The first rule that says no, in the order people can mend them: area, route, code, crew, time.
pub async fn price_draft(s: &Services, draft: &Draft, terms: &Terms<'_>) -> ServiceResult<Priced> {
    let (pickup, dropoff) = draft.places();
    geography::bookable(&pickup, &dropoff).map_err(|_| ErrorCode::AreaUnserved)?;
    if geography::needs_ferry(&pickup) || geography::needs_ferry(&dropoff) {
        return Err(ErrorCode::ContactSupport.into());
    }
    let ends = [(&draft.pickup.address, draft.pickup.coordinates), (&draft.dropoff.address, draft.dropoff.coordinates)];
    let (travel_minutes, distance_km10) = match terms.leg {
        Some(leg) => leg,
        None => geo::leg(s, ends[0], ends[1]).await?,
    };
    let job = draft.job(travel_minutes, distance_km10);
    let discount = discount(s, draft, terms, job.move_kind()).await?;
    let priced = discount.as_ref().map(discounts::priced);
    let estimate = estimates::price(&job, Some(draft.date), priced.as_ref(), terms.change_fee, terms.rate, ITEMS)?;
    if !(terms.staff || estimate.duration.warnings.is_empty())
        && let Some(no) = estimates::blocking(&job, terms.rate, ITEMS)?
    {
        return Err(no);
    }
    let (hub, to_pickup, from_dropoff) = hub_and_legs(&pickup, Some(&dropoff)).ok_or(ErrorCode::ContactSupport)?;
    let settings = settings::in_force(s).await?;
    let calendar = &settings.scheduling;
    let long = estimate.duration.effective_kind == MoveKind::LongDistance;
    let (now, minutes) = (s.clock.now(), estimate.duration.minutes);
    let move_at = match terms.kept_start {
        _ if terms.staff => {
            scheduling::check_staff_start(calendar, hub.zone, hub.province, draft.date, draft.time, now)
        }
        Some(booked) => scheduling::check_kept_start(
            calendar,
            hub.zone,
            hub.province,
            draft.date,
            draft.time,
            minutes,
            booked,
            long,
            now,
        ),
        None => scheduling::check_start(calendar, hub.zone, hub.province, draft.date, draft.time, minutes, long, now),
    }
    .map_err(refusal)?;
    let wanted = CapacityRequest {
        hub: hub.id.to_owned(),
        date: draft.date,
        time: draft.time,
        zone: hub.zone,
        starts_at: move_at,
        duration_minutes: estimate.duration.minutes,
        mates: u32::from(draft.mate_count.get()),
        tier: estimate.duration.tier,
        just_mates: draft.just_mates || draft.kind == Some(MoveKind::JustMates),
        to_pickup,
        from_dropoff,
        elevator_building: draft.elevator_building(),
    };
    let kind = job.move_kind();
    Ok(Priced { estimate, discount, travel_minutes, distance_km10, move_at, wanted, kind, settings })
}

async fn discount(
    s: &Services,
    draft: &Draft,
    terms: &Terms<'_>,
    kind: MoveKind,
) -> ServiceResult<Option<StoredDiscount>> {
    let Some(code) = draft.discount_code.as_deref().map(str::trim).filter(|c| !c.is_empty()) else { return Ok(None) };
    if let Some(kept) = terms.keep_code.filter(|k| k.code == discounts::key(code)) {
        return Ok(Some(kept.clone()));
    }
    let province = draft.pickup.address.province;
    let wanted = discounts::Move { date: draft.date, province: Some(province), kind: Some(kind) };
    if terms.staff {
        // They see the codes, so they are told what to do about this one.
        let known = discounts::find_code(s, code.to_owned())
            .await?
            .ok_or_else(|| discounts::RefusalReason::Unknown.refused())?;
        return match discounts::not_good(&known, wanted, discounts::day(s.clock.now())) {
            Some(why) => Err(why.refused()),
            None => Ok(Some(known)),
        };
    }
    match discounts::find(s, code.to_owned(), wanted).await? {
        Some(found) => Ok(Some(found)),
        None => Err(ErrorCode::DiscountInvalid.into()),
    }
}

/// A line as it is frozen in a booking of that language, without its explanation.
pub(super) fn booked_line(l: &pricing::Line, language: Language) -> BookedLine {
    BookedLine {
        content: l.content.code().to_owned(),
        code: l.code.clone(),
        description: pricing::describe_line(l, language),
        quantity: l.exact_quantity(),
        unit: l.unit.code().to_owned(),
        unit_price: l.unit_price,
        multiplier: l.exact_multiplier(),
        own_factor: Some(l.exact_own_factor()),
        date_factor: Some(l.exact_date_factor()),
        period: l.period.clone(),
        amount: l.amount,
        explanation: None,
    }
}

impl Priced {
    /// Price lines as they are frozen in the booking, in its language.
    pub fn lines(&self, language: Language) -> Vec<BookedLine> {
        let explainer = self.estimate.explainer(language);
        let lines = self.estimate.quote.lines.iter();
        lines.map(|l| BookedLine { explanation: Some(explainer.line(l)), ..booked_line(l, language) }).collect()
    }

    /// Taxes as they are frozen in the booking.
    ///
    /// # Errors
    /// When the rate card has a tax that the books have no account for.
    pub fn taxes(&self) -> ServiceResult<Vec<BookedTax>> {
        let booked = |c: &pricing::TaxComponent| {
            let name = Tax::from_code(&c.name);
            let name =
                name.ok_or_else(|| Error::Internal(format!("the books have no account for the tax {:?}", c.name)))?;
            Ok(BookedTax { name, rate: c.rate, amount: c.amount })
        };
        self.estimate.quote.tax.components.iter().map(booked).collect()
    }

    /// Refuses when the client showed another total than the server would charge.
    ///
    /// # Errors
    /// `booking_failed` naming the right total.
    pub fn same_as_shown(&self, shown: Option<Money>) -> ServiceResult<()> {
        match shown {
            Some(shown) if shown != self.estimate.quote.total => {
                Err(Error::Refused(ErrorCode::PriceChanged, vec![("total", self.estimate.quote.total.to_string())]))
            }
            _ => Ok(()),
        }
    }
}
