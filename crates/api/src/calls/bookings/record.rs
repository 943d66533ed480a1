//! A booking as clients read it.

use kernel::{
    Language, Money,
    chrono::{DateTime, NaiveDate, Utc},
};
use policy::PaymentPlan;
use serde::Serialize;
use service::{
    availability::arrival_window,
    billing::facts::{owed_apart, plan_of, returned_by_us},
    bookings::{
        Created,
        cancel::Cancelled,
        queries::{Detail, MoneyNow},
    },
    ports::{bookings::Booking, cancelled::CancelledBy, consents::Standing, crews::CrewMate, tips::Tip},
    tips,
};
use status_machine::booking::Status;
use utoipa::ToSchema;

use super::{
    parts::{BookedCredit, BookedFurniture, BookedLocation, BookedPayment, CrewMember, TipRecord, line, line_in, tax},
    rooms::RoomCounts,
};
use crate::calls::{
    estimates::{PriceLine, TaxPart},
    payments::PlanAnswer,
    photos,
    values::{
        ArrivalWindow, BookingStatusCode, CancelledByCode, Cash, ExtraServiceCode, HourMinute, Km, LanguageCode,
        MoveKindCode, PaidByCode,
    },
};

/// A booking. `estimatedPrice`, `moveType`, `numberOfMates` and `tips` are the specification's
/// names; `date`, `time` and `zone` are what the customer was promised.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BookingRecord {
    id: String,
    /// People can read it aloud.
    short_id: String,
    #[schema(value_type = BookingStatusCode)]
    status: String,
    /// For `If-Match`.
    version: i32,
    /// When it was booked.
    booking_date: DateTime<Utc>,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
    /// Local day of the move.
    #[schema(value_type = String, format = Date)]
    move_date: NaiveDate,
    /// The same under the contract's name.
    #[schema(value_type = String, format = Date)]
    date: NaiveDate,
    /// Local start.
    time: HourMinute,
    /// When the crew arrives.
    arrival_window: ArrivalWindow,
    /// Zone of both.
    zone: String,
    /// The start.
    starts_at: DateTime<Utc>,
    #[schema(value_type = MoveKindCode)]
    move_type: &'static str,
    number_of_mates: u8,
    mate_count: u8,
    client_as_mate: bool,
    just_mates: bool,
    ride_along: bool,
    /// Minutes.
    estimated_duration: u32,
    /// Km with one decimal.
    distance: Km,
    /// Size class.
    tier: u8,
    /// After discount, before tax.
    estimated_price: Cash,
    amount: Cash,
    original_amount: Cash,
    discount: Cash,
    discount_code: Option<String>,
    tax: Cash,
    tax_type: String,
    tax_components: Vec<TaxPart>,
    /// `amount` and `tax`.
    total: Cash,
    currency: &'static str,
    /// They add up to `amount`.
    lines: Vec<PriceLine>,
    pickup: BookedLocation,
    dropoff: BookedLocation,
    items: Vec<BookedFurniture>,
    /// False: nothing is taken apart, whatever the items say.
    assembly: bool,
    /// Services beside the move; those with a price have a line of this code.
    #[schema(value_type = Vec<ExtraServiceCode>)]
    extra_services: Vec<String>,
    rooms: RoomCounts,
    total_cubic_feet: String,
    big_items: u32,
    small_items: u32,
    customer_name: String,
    customer_email: String,
    customer_phone: String,
    comments: String,
    /// Staff only.
    #[serde(skip_serializing_if = "Option::is_none")]
    notes: Option<String>,
    /// Addresses of its photos, oldest first; present on a single booking.
    #[serde(skip_serializing_if = "Option::is_none")]
    photos: Option<Vec<String>>,
    /// Staff only: who comes, the longest on it first; fewer than `mateCount` when no more were free.
    #[serde(skip_serializing_if = "Option::is_none")]
    crew: Option<Vec<CrewMember>>,
    #[schema(value_type = LanguageCode)]
    language: Language,
    /// Amount of the tip.
    tips: Option<Cash>,
    tip: Option<TipRecord>,
    /// How it is paid; only `card` is charged by itself, on the dates of the plan.
    #[schema(value_type = PaidByCode)]
    payment: &'static str,
    payment_plan: PlanAnswer,
    /// Money that went back would be charged again: no card is charged for the move until its customer agrees.
    charges_wait: bool,
    /// Until when they can answer the question that was mailed.
    consent_until: Option<DateTime<Utc>>,
    /// Charges and refunds so far; present on a single booking.
    #[serde(skip_serializing_if = "Option::is_none")]
    payments: Option<Vec<BookedPayment>>,
    /// Captured minus returned, tip aside; present on a single booking.
    #[serde(skip_serializing_if = "Option::is_none")]
    net_paid: Option<Cash>,
    /// What staff gave back or waived, oldest first; present on a single booking.
    #[serde(skip_serializing_if = "Option::is_none")]
    credits: Option<Vec<BookedCredit>>,
    /// The customer may change it online now.
    #[serde(skip_serializing_if = "Option::is_none")]
    may_edit: Option<bool>,
    /// The customer may cancel it online now.
    #[serde(skip_serializing_if = "Option::is_none")]
    may_cancel: Option<bool>,
    cancelled_at: Option<DateTime<Utc>>,
    /// After a cancellation: whose wish or fault it was.
    #[schema(value_type = Option<CancelledByCode>)]
    cancelled_by: Option<&'static str>,
    completed_at: Option<DateTime<Utc>>,
    /// After a cancellation: what was kept.
    kept: Option<Cash>,
    /// After a cancellation: what was returned with it, and by staff before. What left by another hand counts only where it
    /// was to go back.
    #[serde(skip_serializing_if = "Option::is_none")]
    refunded: Option<Cash>,
    /// What is owed and charged by nothing of ours: people ask for it. Of a move that is paid by card, and after a
    /// cancellation what of `kept` is not paid; present on a single booking.
    #[serde(skip_serializing_if = "Option::is_none")]
    still_owed: Option<Cash>,
    /// After a cancellation: what is still charged.
    #[serde(skip_serializing_if = "Option::is_none")]
    to_charge: Option<Cash>,
    /// After a cancellation: `free`, `deposit`, `full`.
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<&'static str>,
}

/// It takes place, or took place, and is paid by card, or was cancelled: what its card is not charged for is told apart.
fn is_asked_apart(b: &Booking) -> bool {
    b.cancelled_at.is_some() || (b.status != Status::Deleted && !b.details.paid_by.is_by_hand())
}

impl BookingRecord {
    fn new(b: &Booking, plan: &PaymentPlan, tip: Option<&Tip>, staff: bool) -> BookingRecord {
        let d = &b.details;
        BookingRecord {
            id: b.id.to_string(),
            short_id: b.short_id.to_string(),
            status: b.status.code().to_owned(),
            version: b.version,
            booking_date: b.created_at,
            created_at: b.created_at,
            updated_at: b.updated_at,
            move_date: b.move_date,
            date: b.move_date,
            time: HourMinute(b.move_time),
            arrival_window: arrival_window(d.arrival, b.move_time).into(),
            zone: b.zone.to_string(),
            starts_at: b.move_at,
            move_type: b.move_kind.code(),
            number_of_mates: b.mate_count.get(),
            mate_count: b.mate_count.get(),
            client_as_mate: b.client_as_mate,
            just_mates: b.just_mates,
            ride_along: b.ride_along,
            estimated_duration: b.duration_minutes,
            distance: Km(b.distance_km10),
            tier: b.tier,
            estimated_price: b.amount.into(),
            amount: b.amount.into(),
            original_amount: d.original_amount.into(),
            discount: d.discount.into(),
            discount_code: b.discount_code.clone(),
            tax: b.tax.into(),
            tax_type: d.tax_type.clone(),
            tax_components: d.taxes.iter().map(tax).collect(),
            total: b.total.into(),
            currency: "CAD",
            lines: d.lines.iter().map(line).collect(),
            pickup: (&d.pickup).into(),
            dropoff: (&d.dropoff).into(),
            items: d.items.iter().map(BookedFurniture::from).collect(),
            assembly: d.assembly != Some(0),
            extra_services: d.extra_services.clone(),
            rooms: d.rooms.into(),
            total_cubic_feet: format!("{}.{}", d.total_dcf / 10, d.total_dcf % 10),
            big_items: d.big_items,
            small_items: d.small_items,
            customer_name: d.customer_name.clone(),
            customer_email: d.customer_email.clone(),
            customer_phone: d.customer_phone.clone(),
            comments: d.comments.clone(),
            notes: staff.then(|| d.notes.clone()),
            photos: None,
            crew: None,
            language: b.language,
            tips: tip.map(|t| t.amount.into()),
            tip: tip.map(TipRecord::from),
            payment: d.paid_by.code(),
            payment_plan: PlanAnswer::new(plan, b.zone, &d.policy),
            charges_wait: d.charges_wait.is_some() && b.cancelled_at.is_none(),
            consent_until: b.recharge().filter(|c| c.standing == Standing::Asked).map(|c| c.expires_at),
            payments: None,
            net_paid: None,
            credits: None,
            may_edit: None,
            may_cancel: None,
            cancelled_at: b.cancelled_at,
            cancelled_by: d.cancelled_by.map(CancelledBy::code),
            completed_at: b.completed_at,
            kept: d.kept.map(Cash::from),
            refunded: None,
            still_owed: None,
            to_charge: None,
            rule: None,
        }
    }

    /// A row of a list: of its money it says what the record says.
    pub fn row(b: &Booking, money: &MoneyNow, staff: bool) -> BookingRecord {
        BookingRecord::new(b, &money.plan, money.tip.as_ref(), staff)
    }

    /// A replaced version of the booking, with the payment plan of that version.
    pub fn replaced(b: &Booking) -> BookingRecord {
        BookingRecord::new(b, &plan_of(b), None, true)
    }

    /// The booking as it would be after a change.
    pub fn proposed(b: &Booking, plan: &PaymentPlan, tip: Option<&Tip>, staff: bool) -> BookingRecord {
        BookingRecord::new(b, plan, tip, staff)
    }

    /// A booking just made.
    pub fn created(c: &Created) -> BookingRecord {
        BookingRecord::new(&c.booking, &c.plan, c.tip.as_ref(), false)
    }

    /// A single booking with everything its page shows.
    pub fn detail(d: &Detail, staff: bool) -> BookingRecord {
        let cancelled = d.booking.cancelled_at;
        BookingRecord {
            payments: Some(d.payments.iter().map(|p| BookedPayment::of(p, &d.payments)).collect()),
            net_paid: Some(d.net_paid.into()),
            credits: Some(BookedCredit::of(&d.booking)),
            may_edit: Some(d.may_edit),
            may_cancel: Some(d.may_cancel),
            refunded: cancelled.map(|_| returned_by_us(&d.booking, &d.payments).into()),
            still_owed: is_asked_apart(&d.booking).then(|| owed_apart(&d.booking, &d.payments).into()),
            photos: Some(d.photos.iter().map(|p| photos::address(p.id)).collect()),
            ..BookingRecord::new(&d.booking, &d.plan, d.tip.as_ref(), staff)
        }
        .with_crew(&d.crew, d.tip.as_ref().map(|t| t.amount), staff)
    }

    /// A row of a staff list, with its crew.
    pub fn listed(b: &Booking, money: &MoneyNow, crew: &[CrewMate]) -> BookingRecord {
        BookingRecord::row(b, money, true).with_crew(crew, None, true)
    }

    fn with_crew(self, crew: &[CrewMate], tip: Option<Money>, staff: bool) -> BookingRecord {
        let parts = tip.filter(|t| t.is_positive()).map(|t| tips::parts(t, crew)).unwrap_or_default();
        let members = crew.iter().enumerate().map(|(n, m)| CrewMember::new(m, parts.get(n).copied()));
        BookingRecord { crew: staff.then(|| members.collect()), ..self }
    }

    /// With the newest note instead of the one that was edited with the booking.
    pub fn with_note(self, note: String) -> BookingRecord {
        BookingRecord { notes: Some(note), ..self }
    }

    /// A booking just cancelled.
    pub fn cancelled(c: &Cancelled, staff: bool) -> BookingRecord {
        BookingRecord {
            kept: Some(c.outcome.kept.into()),
            to_charge: Some(c.outcome.to_charge.into()),
            rule: Some(c.outcome.rule.code()),
            ..BookingRecord::detail(&c.detail, staff)
        }
    }

    /// With the lines of its price in the reader's language; they are stored in the language of the booking.
    pub fn with_lines_in(self, b: &Booking, language: Language) -> BookingRecord {
        let lines = b.details.lines.iter().map(|l| line_in(l, b, language)).collect();
        BookingRecord { lines, ..self }
    }

    /// For `ETag`.
    pub fn version(&self) -> i32 {
        self.version
    }
}
