//! Why a use case said no. The API maps every [`ErrorCode`] to a status, a title and a text in
//! three languages by one exhaustive match; nothing here knows HTTP.

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use kernel::{Bounds, Must};

use crate::{
    limit::Limit,
    ports::{StoreError, calendar::Shortfall, maps::MapsError, payments::GatewayError},
};

/// Values a message names, for example `("amount", "114.98")`.
pub type Params = Vec<(&'static str, String)>;

/// The answer of a use case.
pub type ServiceResult<T> = Result<T, Error>;

/// A free start offered instead of a lost one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Alternative {
    /// Local day.
    pub date: NaiveDate,
    /// Local time.
    pub time: NaiveTime,
    /// The instant.
    pub starts_at: DateTime<Utc>,
}

/// What is wrong with one field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldProblem {
    /// Missing or empty.
    Required,
    /// Not of the right form.
    Invalid,
    /// Outside of bounds that no two figures say.
    OutOfRange,
    /// Names something that does not exist.
    Unknown,
    /// Too long.
    TooLong,
    /// Contradicts the rest of the address.
    Contradicts,
    /// Does not fit something else that was entered.
    DoesNotFit,
    /// The code of a discount is never changed: bookings name it.
    CodeStays,
    /// Nobody ever works on the day, whatever numbers it is given.
    AlwaysClosed,
    /// A state that cannot follow the one the record has.
    CannotFollow,
    /// Another record has it.
    Taken,
    /// Days that another period has as well.
    Overlaps,
    /// Below the least that is possible.
    AtLeast(Limit),
    /// Above the greatest that is possible.
    AtMost(Limit),
    /// Below the one, or above the other.
    Between(Limit, Limit),
}

impl FieldProblem {
    /// Stable code.
    pub const fn code(self) -> &'static str {
        match self {
            FieldProblem::Required => "required",
            FieldProblem::Invalid | FieldProblem::Taken => "invalid",
            FieldProblem::OutOfRange
            | FieldProblem::AtLeast(_)
            | FieldProblem::AtMost(_)
            | FieldProblem::Between(..) => "out_of_range",
            FieldProblem::Unknown => "unknown",
            FieldProblem::TooLong => "too_long",
            FieldProblem::Contradicts
            | FieldProblem::DoesNotFit
            | FieldProblem::CodeStays
            | FieldProblem::AlwaysClosed
            | FieldProblem::CannotFollow => "contradicts",
            FieldProblem::Overlaps => "overlaps",
        }
    }

    /// The least and the greatest that it names.
    pub const fn limits(self) -> (Option<Limit>, Option<Limit>) {
        match self {
            FieldProblem::AtLeast(least) => (Some(least), None),
            FieldProblem::AtMost(most) => (None, Some(most)),
            FieldProblem::Between(least, most) => (Some(least), Some(most)),
            _ => (None, None),
        }
    }
}

impl From<Must> for FieldProblem {
    /// Of a value that breaks the rule.
    fn from(rule: Must) -> FieldProblem {
        match rule {
            Must::Given => FieldProblem::Required,
            Must::Within(Bounds::AtLeast(least, of)) => FieldProblem::AtLeast(Limit::of(least, of)),
            Must::Within(Bounds::AtMost(most, of)) => FieldProblem::AtMost(Limit::of(most, of)),
            Must::Within(Bounds::Between(least, most, of)) => {
                FieldProblem::Between(Limit::of(least, of), Limit::of(most, of))
            }
            Must::Sized(_) => FieldProblem::OutOfRange,
            Must::Unique(_) => FieldProblem::Taken,
            Must::Apart(_) => FieldProblem::Overlaps,
            Must::Formed(_) => FieldProblem::Invalid,
        }
    }
}

/// One refused field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldError {
    /// Path in the request, `bookingRequest.pickup.postalCode`.
    pub field: String,
    /// What is wrong.
    pub problem: FieldProblem,
}

impl FieldError {
    /// A refused field.
    pub fn new(field: impl Into<String>, problem: FieldProblem) -> FieldError {
        FieldError { field: field.into(), problem }
    }
}

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $code:literal),+ $(,)?) => {
        /// Every reason a use case may refuse with: stable, listed in the OpenAPI document.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum ErrorCode {
            $($(#[$doc])* $name),+
        }

        impl ErrorCode {
            /// All of them.
            pub const ALL: &'static [ErrorCode] = &[$(ErrorCode::$name),+];

            /// Stable snake_case code.
            pub const fn code(self) -> &'static str {
                match self {
                    $(ErrorCode::$name => $code),+
                }
            }
        }
    };
}

codes! {
    /// The thing does not exist, or is not yours.
    NotFound = "not_found",
    /// Known but not allowed.
    Forbidden = "forbidden",
    /// Signing in is needed.
    SignInNeeded = "sign_in_needed",
    /// Fields are wrong; see the list.
    ValidationFailed = "validation_failed",
    /// Neither end is where we work.
    AreaUnserved = "area_unserved",
    /// The province is none of the four.
    ProvinceNotServed = "province_not_served",
    /// No way between the two addresses.
    NoRoute = "no_route",
    /// The chosen time is taken.
    SlotGone = "slot_gone",
    /// Keeping it would leave nothing of a day for others.
    HoldTooLarge = "hold_too_large",
    /// The date has passed.
    DatePast = "date_past",
    /// Where somebody is was not told.
    CoordinatesUnavailable = "coordinates_unavailable",
    /// Closed that day.
    DateClosed = "date_closed",
    /// Closer than the minimum lead time.
    TooSoon = "too_soon",
    /// Further away than the calendar is open.
    TooFarAhead = "too_far_ahead",
    /// Not one of the offered start times.
    NotASlot = "not_a_slot",
    /// The job does not end in the working day.
    TooLong = "too_long",
    /// A heavy item with one mate and no help.
    HeavyItemSingleMate = "heavy_item_single_mate",
    /// More mates are needed; names how many.
    MinMates = "min_mates",
    /// Beyond self-service: contact support.
    ContactSupport = "contact_support",
    /// Unknown, expired, exhausted or not for this move.
    DiscountNotFound = "discount_not_found",
    /// The same, of a code that a booking was to use: there it is a rule that refuses.
    DiscountInvalid = "discount_not_found",
    /// Another discount has this code.
    DiscountCodeTaken = "discount_code_taken",
    /// The code can no longer be changed.
    DiscountLocked = "discount_locked",
    /// The tip is not a dollar amount or percentage.
    TipInvalid = "tip_invalid",
    /// The tip was charged or the booking is cancelled.
    TipLocked = "tip_locked",
    /// The guidelines were not agreed to.
    GuidelinesNotAgreed = "guidelines_not_agreed",
    /// A survey answer needs its specification.
    SurveySpecify = "survey_specify",
    /// No card is stored.
    CardRequired = "card_required",
    /// Everything that is owed is paid.
    NothingOwed = "nothing_owed",
    /// Nothing is held that could go back, or something is still owed.
    NothingToReturn = "nothing_to_return",
    /// So little time beyond what was agreed costs nothing more.
    OvertimeFree = "overtime_free",
    /// The law of the province lets the price grow by less; names the province, the difference that is left and the amount that was asked for.
    OvertimeCap = "overtime_cap",
    /// A move that has begun costs more only as overtime, which the customer agrees to.
    OvertimeOnly = "overtime_only",
    /// Overtime is added from the start of the move until a week after it was done.
    OvertimeClosed = "overtime_closed",
    /// A payment by hand that was taken out already, or went back as a whole.
    PaymentUndone = "payment_undone",
    /// A payment by hand of this method and reference is on the booking already.
    PaymentRecorded = "payment_recorded",
    /// A charge that did not fail, or is not asked for any more.
    PaymentNotFailed = "payment_not_failed",
    /// The bank took a charge back after a dispute: no card is asked for it again.
    ChargedBack = "charged_back",
    /// A card that was refused for good: only another one can do.
    CardRefused = "card_refused",
    /// A charge that settled is not undone: it is given back.
    AlreadySettled = "already_settled",
    /// A move that is to come is not written off.
    WriteOffEarly = "write_off_early",
    /// The booking is charged by its stored card: there is nothing to pay by a link.
    PaidByCard = "paid_by_card",
    /// The link is for a booking that will not take place.
    LinkEnded = "link_ended",
    /// Money went back, and the customer did not agree yet that it is charged again: nothing is charged until then.
    ConsentAwaited = "consent_awaited",
    /// There is nothing to ask the customer for.
    ConsentNotNeeded = "consent_not_needed",
    /// The question was answered already.
    ConsentAnswered = "consent_answered",
    /// What was agreed to does not hold any more: it is asked anew.
    ConsentOutdated = "consent_outdated",
    /// The bank refused the card.
    PaymentDeclined = "payment_declined",
    /// Too many refused cards; names how long to wait.
    TooManyDeclinedCards = "too_many_declined_cards",
    /// More bookings need a verified e-mail address; names how many may be open without.
    EmailUnverified = "email_unverified",
    /// The external sign-in service told no e-mail address of this person.
    EmailUnknown = "email_unknown",
    /// Nobody told a telephone number of this person.
    PhoneUnknown = "phone_unknown",
    /// No texts are sent: the installation has no service for them.
    TextsOff = "texts_off",
    /// The gateway refused to make the customer.
    PaymentCustomerFailed = "payment_customer_failed",
    /// The gateway refused the card method.
    PaymentCardFailed = "payment_card_failed",
    /// The price is not the one the customer was shown; names the right total.
    PriceChanged = "price_changed",
    /// The policy is not the one whose terms the customer agreed to; names the version in force.
    TermsChanged = "terms_changed",
    /// The booking could not be made.
    BookingFailed = "booking_failed",
    /// Online changes closed 48 hours before the move.
    EditClosed = "edit_closed",
    /// Cancelling is not possible any more.
    CancelRefused = "cancel_refused",
    /// The booking will not take place: there is nothing to confirm.
    NothingToConfirm = "nothing_to_confirm",
    /// A list is too long to be taken along; names how long it may be.
    ExportTooLarge = "export_too_large",
    /// Somebody keeps as many lists as they may; names how many.
    TooManyViews = "too_many_views",
    /// Somebody with this address is a member already.
    MemberExists = "member_exists",
    /// The last administrator stays.
    LastAdmin = "last_admin",
    /// The status table has no such arrow; names the allowed ones.
    TransitionRefused = "transition_refused",
    /// No mate is free for the whole time of the move.
    CrewMissing = "crew_missing",
    /// Somebody who was named has another job then, or is away; names who and when.
    CrewNotFree = "crew_not_free",
    /// The truck that was named stands at another hub than that of the move; names both.
    TruckElsewhere = "truck_elsewhere",
    /// A day would be assigned in another way than was seen: somebody changed something since.
    PlanChanged = "plan_changed",
    /// The job is not begun, or ended before it began.
    JobOrder = "job_order",
    /// A mate who is on moves to come stays; names how many.
    MateHasJobs = "mate_has_jobs",
    /// A difference is not as it was when its repair was said: it is gone, was repaired, or needs something else.
    RepairChanged = "repair_changed",
    /// Another truck of the hub is called so.
    TruckNameTaken = "truck_name_taken",
    /// Less would be there than is taken already.
    CapacityTaken = "capacity_taken",
    /// The mate or truck is away already on some of these days.
    AbsenceOverlaps = "absence_overlaps",
    /// Someone else changed the record first.
    VersionConflict = "version_conflict",
    /// The update must name the version it changes.
    VersionRequired = "version_required",
    /// The key was used with another body.
    IdempotencyKeyReused = "idempotency_key_reused",
    /// The first request with this key is still being worked on.
    RequestInFlight = "request_in_flight",
    /// No rate card is in force for the date.
    NoRate = "no_rate",
    /// The company has no standard rate card yet, and staff wanted to confirm it.
    RateMissing = "rate_missing",
    /// The version of a rate card is or was in force.
    RateInUse = "rate_in_use",
    /// Money of this booking is at the payment service; the outcome is not known yet.
    PaymentInFlight = "payment_in_flight",
    /// Customers add and erase photos while the move is to come.
    PhotoClosed = "photo_closed",
    /// The booking has as many photos as it may; names how many.
    PhotoLimit = "photo_limit",
    /// Somebody added too many photos within a day; names how many, and how long to wait.
    PhotoDayLimit = "photo_day_limit",
    /// An invoice needs a booking that passed through completed.
    InvoiceNeedsCompleted = "invoice_needs_completed",
    /// The booking has an invoice, or a draft of one.
    InvoiceExists = "invoice_exists",
    /// An invoice that was issued stays as it is.
    InvoiceFrozen = "invoice_frozen",
    /// It would be dated in a month whose books are closed.
    PeriodClosed = "period_closed",
    /// A month is closed when it has ended; names which.
    MonthNotEnded = "month_not_ended",
    /// Months are closed one after the other and reopened in reverse; names the one that comes first.
    MonthOrder = "month_order",
    /// A message that was not given up is not handed over again by hand.
    MessageNotGivenUp = "message_not_given_up",
    /// A message that was not sent, or of which not all is kept, is not repeated.
    MessageNotWhole = "message_not_whole",
    /// Too many quotes were mailed to an address, or from a network, within a day.
    QuoteMailLimit = "quote_mail_limit",
    /// Too many requests for a quote named an address or a number, or came from a network, within a day.
    QuoteRequestLimit = "quote_request_limit",
    /// The template uses keys that its message does not have; names them.
    TemplateUnsupportedKeys = "template_unsupported_keys",
    /// The template cannot be read; names part and line.
    TemplateBroken = "template_broken",
    /// The template would run, load or send something; names part, line and what stands there.
    TemplateUnsafe = "template_unsafe",
    /// The payment service does not answer.
    PaymentUnavailable = "payment_unavailable",
    /// The maps service does not answer.
    MapsUnavailable = "maps_unavailable",
    /// Too busy; try again.
    Busy = "busy",
}

/// Why a use case failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A rule said no.
    #[error("refused: {}", .0.code())]
    Refused(ErrorCode, Params),
    /// The chosen time is taken ([`ErrorCode::SlotGone`]); these are free, the nearest first.
    #[error("refused: slot_gone")]
    SlotGone(Vec<Alternative>),
    /// Less would be there than is taken already ([`ErrorCode::CapacityTaken`]); all of it, by hub and day.
    #[error("refused: capacity_taken")]
    CapacityTaken(Vec<Shortfall>),
    /// Fields are wrong.
    #[error("{} field(s) refused", .0.len())]
    Invalid(Vec<FieldError>),
    /// A bank's or gateway's own words for staff (never ours to translate), and values as a rule's refusal has them.
    #[error("refused with the service's own words: {}", .0.code())]
    ByGateway(ErrorCode, String, Params),
    /// The database failed; the client reads nothing of it.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Something that must not happen; the client reads nothing of it.
    #[error("internal: {0}")]
    Internal(String),
}

impl Error {
    /// A rule's refusal without values.
    pub fn refused(code: ErrorCode) -> Error {
        Error::Refused(code, Vec::new())
    }

    /// One refused field.
    pub fn field(field: impl Into<String>, problem: FieldProblem) -> Error {
        Error::Invalid(vec![FieldError::new(field, problem)])
    }
}

impl From<ErrorCode> for Error {
    fn from(code: ErrorCode) -> Error {
        Error::refused(code)
    }
}

impl From<MapsError> for Error {
    fn from(e: MapsError) -> Error {
        match e {
            MapsError::NoRoute => ErrorCode::NoRoute.into(),
            MapsError::Unavailable(why) | MapsError::Misconfigured(why) => {
                tracing::warn!(why, "maps service failed");
                ErrorCode::MapsUnavailable.into()
            }
        }
    }
}

impl From<GatewayError> for Error {
    fn from(e: GatewayError) -> Error {
        tracing::warn!(error = %e, "payment service failed");
        ErrorCode::PaymentUnavailable.into()
    }
}
