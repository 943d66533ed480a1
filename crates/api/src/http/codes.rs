//! The one table from a reason to its HTTP status, title and text.

use actix_web::http::StatusCode;
use service::ErrorCode;

/// Reasons only the HTTP layer knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HttpCode {
    /// Not JSON, a wrong type, an unreadable parameter.
    MalformedRequest,
    /// A body of another media type.
    UnsupportedMediaType,
    /// A body beyond the limit.
    PayloadTooLarge,
    /// The bearer token is not good.
    InvalidToken,
    /// No call of that name.
    PathNotFound,
    /// The address exists, this method does not.
    MethodNotAllowed,
    /// The body did not arrive in time.
    RequestTimeout,
    /// Slow down.
    TooManyRequests,
    /// A page that is not ours sent this.
    CrossSiteRefused,
    /// E-mail or password is not right.
    WrongCredentials,
    /// Too many failed attempts.
    AccountLocked,
    /// An account with this e-mail exists.
    EmailTaken,
    /// A link from a mail that was used or has expired.
    LinkExpired,
    /// The sign-up terms were not accepted.
    TermsRequired,
    /// A picture as telephones keep it, which browsers cannot show.
    PhotoHeic,
    /// No JPEG, PNG or WebP.
    PhotoFormat,
    /// A picture that cannot be read.
    PhotoDamaged,
    /// A picture with too many pixels.
    PhotoDimensions,
    /// The address of the account is what a role belongs to.
    EmailHoldsRole,
    /// An external identity provider has the passwords and addresses.
    SignInElsewhere,
    /// Our fault; the client reads nothing of it.
    Internal,
}

impl HttpCode {
    /// All of them.
    pub const ALL: [HttpCode; 21] = [
        HttpCode::MalformedRequest,
        HttpCode::UnsupportedMediaType,
        HttpCode::PayloadTooLarge,
        HttpCode::InvalidToken,
        HttpCode::PathNotFound,
        HttpCode::MethodNotAllowed,
        HttpCode::RequestTimeout,
        HttpCode::TooManyRequests,
        HttpCode::CrossSiteRefused,
        HttpCode::WrongCredentials,
        HttpCode::AccountLocked,
        HttpCode::EmailTaken,
        HttpCode::LinkExpired,
        HttpCode::TermsRequired,
        HttpCode::PhotoHeic,
        HttpCode::PhotoFormat,
        HttpCode::PhotoDamaged,
        HttpCode::PhotoDimensions,
        HttpCode::EmailHoldsRole,
        HttpCode::SignInElsewhere,
        HttpCode::Internal,
    ];
}

/// A reason of either layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Code {
    /// A use case's.
    Rule(ErrorCode),
    /// The HTTP layer's.
    Http(HttpCode),
}

/// How a reason reads in HTTP.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// Stable code in the body.
    pub code: &'static str,
    /// HTTP status.
    pub status: StatusCode,
    /// Key of the title.
    pub title: &'static str,
    /// Key of the detail.
    pub message: &'static str,
}

macro_rules! row {
    ($code:literal, $status:ident, $message:literal) => {
        Row { code: $code, status: StatusCode::$status, title: concat!("title.", $code), message: $message }
    };
}
macro_rules! own {
    ($code:literal, $status:ident) => {
        Row {
            code: $code,
            status: StatusCode::$status,
            title: concat!("title.", $code),
            message: concat!("error.", $code),
        }
    };
}

impl Code {
    /// All codes of both layers, one `not_found`.
    pub fn all() -> impl Iterator<Item = Code> {
        let rules = ErrorCode::ALL.iter().copied().map(Code::Rule);
        rules.chain(HttpCode::ALL.into_iter().map(Code::Http))
    }

    /// The row of the table.
    pub const fn row(self) -> Row {
        match self {
            Code::Rule(rule) => rule_row(rule),
            Code::Http(code) => http_row(code),
        }
    }
}

// No wildcard: a new reason does not compile until it has a status and a text.
const fn rule_row(code: ErrorCode) -> Row {
    match code {
        ErrorCode::NotFound => own!("not_found", NOT_FOUND),
        ErrorCode::Forbidden => own!("forbidden", FORBIDDEN),
        ErrorCode::SignInNeeded => row!("sign_in_needed", UNAUTHORIZED, "page.loginNeeded"),
        ErrorCode::ValidationFailed => own!("validation_failed", UNPROCESSABLE_ENTITY),
        ErrorCode::AreaUnserved => row!("area_unserved", UNPROCESSABLE_ENTITY, "area.unserved"),
        ErrorCode::ProvinceNotServed => row!("province_not_served", UNPROCESSABLE_ENTITY, "area.provinceDefault"),
        ErrorCode::CoordinatesUnavailable => {
            row!("coordinates_unavailable", UNPROCESSABLE_ENTITY, "area.noCoordinates")
        }
        ErrorCode::NoRoute => row!("no_route", UNPROCESSABLE_ENTITY, "route.notFound"),
        ErrorCode::SlotGone => row!("slot_gone", CONFLICT, "schedule.slotGone"),
        ErrorCode::HoldTooLarge => own!("hold_too_large", CONFLICT),
        ErrorCode::DatePast => own!("date_past", UNPROCESSABLE_ENTITY),
        ErrorCode::DateClosed => own!("date_closed", UNPROCESSABLE_ENTITY),
        ErrorCode::TooSoon => own!("too_soon", UNPROCESSABLE_ENTITY),
        ErrorCode::TooFarAhead => own!("too_far_ahead", UNPROCESSABLE_ENTITY),
        ErrorCode::NotASlot => own!("not_a_slot", UNPROCESSABLE_ENTITY),
        ErrorCode::TooLong => own!("too_long", UNPROCESSABLE_ENTITY),
        ErrorCode::HeavyItemSingleMate => row!("heavy_item_single_mate", UNPROCESSABLE_ENTITY, "items.heavySingleMate"),
        ErrorCode::MinMates => row!("min_mates", UNPROCESSABLE_ENTITY, "items.minMates"),
        ErrorCode::ContactSupport => row!("contact_support", UNPROCESSABLE_ENTITY, "items.contactSupport"),
        ErrorCode::DiscountNotFound => row!("discount_not_found", NOT_FOUND, "discount.invalid"),
        ErrorCode::DiscountInvalid => row!("discount_not_found", UNPROCESSABLE_ENTITY, "discount.invalid"),
        ErrorCode::DiscountCodeTaken => own!("discount_code_taken", CONFLICT),
        ErrorCode::DiscountLocked => own!("discount_locked", CONFLICT),
        ErrorCode::TipInvalid => row!("tip_invalid", UNPROCESSABLE_ENTITY, "tip.invalid"),
        ErrorCode::TipLocked => own!("tip_locked", CONFLICT),
        ErrorCode::GuidelinesNotAgreed => own!("guidelines_not_agreed", UNPROCESSABLE_ENTITY),
        ErrorCode::SurveySpecify => row!("survey_specify", UNPROCESSABLE_ENTITY, "survey.specify"),
        ErrorCode::CardRequired => own!("card_required", UNPROCESSABLE_ENTITY),
        ErrorCode::NothingOwed => own!("nothing_owed", CONFLICT),
        ErrorCode::RepairChanged => own!("repair_changed", CONFLICT),
        ErrorCode::NothingToReturn => own!("nothing_to_return", CONFLICT),
        ErrorCode::OvertimeFree => own!("overtime_free", UNPROCESSABLE_ENTITY),
        ErrorCode::OvertimeCap => own!("overtime_cap", UNPROCESSABLE_ENTITY),
        ErrorCode::OvertimeOnly => own!("overtime_only", CONFLICT),
        ErrorCode::OvertimeClosed => own!("overtime_closed", CONFLICT),
        ErrorCode::PaymentUndone => own!("payment_undone", CONFLICT),
        ErrorCode::PaymentRecorded => own!("payment_recorded", CONFLICT),
        ErrorCode::PaymentNotFailed => own!("payment_not_failed", CONFLICT),
        ErrorCode::ChargedBack => own!("charged_back", CONFLICT),
        ErrorCode::CardRefused => own!("card_refused", CONFLICT),
        ErrorCode::AlreadySettled => own!("already_settled", CONFLICT),
        ErrorCode::WriteOffEarly => own!("write_off_early", CONFLICT),
        ErrorCode::PaidByCard => own!("paid_by_card", CONFLICT),
        ErrorCode::LinkEnded => own!("link_ended", CONFLICT),
        ErrorCode::ConsentAwaited => own!("consent_awaited", CONFLICT),
        ErrorCode::ConsentNotNeeded => own!("consent_not_needed", CONFLICT),
        ErrorCode::ConsentAnswered => own!("consent_answered", CONFLICT),
        ErrorCode::ConsentOutdated => own!("consent_outdated", CONFLICT),
        ErrorCode::PaymentDeclined => row!("payment_declined", PAYMENT_REQUIRED, "payment.declined"),
        ErrorCode::TooManyDeclinedCards => own!("too_many_declined_cards", TOO_MANY_REQUESTS),
        ErrorCode::EmailUnverified => own!("email_unverified", CONFLICT),
        ErrorCode::EmailUnknown => own!("email_unknown", CONFLICT),
        ErrorCode::PhoneUnknown => own!("phone_unknown", CONFLICT),
        ErrorCode::TextsOff => own!("texts_off", CONFLICT),
        ErrorCode::PaymentCustomerFailed => own!("payment_customer_failed", UNPROCESSABLE_ENTITY),
        ErrorCode::PaymentCardFailed => own!("payment_card_failed", UNPROCESSABLE_ENTITY),
        ErrorCode::BookingFailed => row!("booking_failed", CONFLICT, "booking.failed"),
        ErrorCode::PriceChanged => own!("price_changed", CONFLICT),
        ErrorCode::TermsChanged => own!("terms_changed", CONFLICT),
        ErrorCode::EditClosed => own!("edit_closed", CONFLICT),
        ErrorCode::CancelRefused => own!("cancel_refused", CONFLICT),
        ErrorCode::NothingToConfirm => own!("nothing_to_confirm", CONFLICT),
        ErrorCode::ExportTooLarge => own!("export_too_large", UNPROCESSABLE_ENTITY),
        ErrorCode::TooManyViews => own!("too_many_views", CONFLICT),
        ErrorCode::MemberExists => own!("member_exists", CONFLICT),
        ErrorCode::LastAdmin => own!("last_admin", CONFLICT),
        ErrorCode::TransitionRefused => own!("transition_refused", CONFLICT),
        ErrorCode::CrewMissing => own!("crew_missing", CONFLICT),
        ErrorCode::CrewNotFree => own!("crew_not_free", CONFLICT),
        ErrorCode::TruckElsewhere => own!("truck_elsewhere", UNPROCESSABLE_ENTITY),
        ErrorCode::PlanChanged => own!("plan_changed", CONFLICT),
        ErrorCode::JobOrder => own!("job_order", CONFLICT),
        ErrorCode::MateHasJobs => own!("mate_has_jobs", CONFLICT),
        ErrorCode::TruckNameTaken => own!("truck_name_taken", CONFLICT),
        ErrorCode::CapacityTaken => own!("capacity_taken", CONFLICT),
        ErrorCode::AbsenceOverlaps => own!("absence_overlaps", CONFLICT),
        ErrorCode::VersionConflict => own!("version_conflict", PRECONDITION_FAILED),
        ErrorCode::VersionRequired => own!("version_required", PRECONDITION_REQUIRED),
        ErrorCode::IdempotencyKeyReused => own!("idempotency_key_reused", UNPROCESSABLE_ENTITY),
        ErrorCode::RequestInFlight => own!("request_in_flight", CONFLICT),
        ErrorCode::NoRate => own!("no_rate", UNPROCESSABLE_ENTITY),
        ErrorCode::RateMissing => own!("rate_missing", UNPROCESSABLE_ENTITY),
        ErrorCode::RateInUse => own!("rate_in_use", CONFLICT),
        ErrorCode::PaymentInFlight => own!("payment_in_flight", CONFLICT),
        ErrorCode::PhotoClosed => own!("photo_closed", CONFLICT),
        ErrorCode::PhotoLimit => own!("photo_limit", CONFLICT),
        ErrorCode::PhotoDayLimit => own!("photo_day_limit", TOO_MANY_REQUESTS),
        ErrorCode::InvoiceExists => own!("invoice_exists", CONFLICT),
        ErrorCode::InvoiceFrozen => own!("invoice_frozen", CONFLICT),
        ErrorCode::PeriodClosed => own!("period_closed", CONFLICT),
        ErrorCode::MonthNotEnded => own!("month_not_ended", CONFLICT),
        ErrorCode::MonthOrder => own!("month_order", CONFLICT),
        ErrorCode::MessageNotGivenUp => own!("message_not_given_up", CONFLICT),
        ErrorCode::MessageNotWhole => own!("message_not_whole", CONFLICT),
        ErrorCode::QuoteMailLimit => own!("quote_mail_limit", TOO_MANY_REQUESTS),
        ErrorCode::QuoteRequestLimit => own!("quote_request_limit", TOO_MANY_REQUESTS),
        ErrorCode::TemplateUnsupportedKeys => own!("template_unsupported_keys", UNPROCESSABLE_ENTITY),
        ErrorCode::TemplateBroken => own!("template_broken", UNPROCESSABLE_ENTITY),
        ErrorCode::TemplateUnsafe => own!("template_unsafe", UNPROCESSABLE_ENTITY),
        ErrorCode::InvoiceNeedsCompleted => row!("invoice_needs_completed", CONFLICT, "invoice.needComplete"),
        ErrorCode::PaymentUnavailable => own!("payment_unavailable", SERVICE_UNAVAILABLE),
        ErrorCode::MapsUnavailable => own!("maps_unavailable", SERVICE_UNAVAILABLE),
        ErrorCode::Busy => own!("busy", SERVICE_UNAVAILABLE),
    }
}

const fn http_row(code: HttpCode) -> Row {
    match code {
        HttpCode::MalformedRequest => own!("malformed_request", BAD_REQUEST),
        HttpCode::UnsupportedMediaType => own!("unsupported_media_type", UNSUPPORTED_MEDIA_TYPE),
        HttpCode::PayloadTooLarge => own!("payload_too_large", PAYLOAD_TOO_LARGE),
        HttpCode::InvalidToken => own!("invalid_token", UNAUTHORIZED),
        HttpCode::PathNotFound => row!("not_found", NOT_FOUND, "error.path_not_found"),
        HttpCode::MethodNotAllowed => own!("method_not_allowed", METHOD_NOT_ALLOWED),
        HttpCode::RequestTimeout => own!("request_timeout", REQUEST_TIMEOUT),
        HttpCode::TooManyRequests => own!("too_many_requests", TOO_MANY_REQUESTS),
        HttpCode::CrossSiteRefused => own!("cross_site_refused", FORBIDDEN),
        HttpCode::WrongCredentials => own!("wrong_credentials", UNAUTHORIZED),
        HttpCode::AccountLocked => own!("account_locked", TOO_MANY_REQUESTS),
        HttpCode::EmailTaken => own!("email_taken", CONFLICT),
        HttpCode::LinkExpired => own!("link_expired", UNPROCESSABLE_ENTITY),
        HttpCode::TermsRequired => row!("terms_required", UNPROCESSABLE_ENTITY, "terms.required"),
        HttpCode::PhotoHeic => own!("photo_heic", UNPROCESSABLE_ENTITY),
        HttpCode::PhotoFormat => own!("photo_format", UNPROCESSABLE_ENTITY),
        HttpCode::PhotoDamaged => own!("photo_damaged", UNPROCESSABLE_ENTITY),
        HttpCode::PhotoDimensions => own!("photo_dimensions", UNPROCESSABLE_ENTITY),
        HttpCode::EmailHoldsRole => own!("email_holds_role", CONFLICT),
        HttpCode::SignInElsewhere => own!("sign_in_elsewhere", CONFLICT),
        HttpCode::Internal => row!("internal_error", INTERNAL_SERVER_ERROR, "page.serverError"),
    }
}

/// The text that says more exactly why an invoice does not take a step, by the state it is in.
pub fn of_invoice(params: &[(&str, String)]) -> Option<&'static str> {
    let (_, state) = params.iter().find(|(name, _)| *name == "invoiceState")?;
    Some(match state.as_str() {
        "draft" => "error.invoice_is_draft",
        "paid" => "error.invoice_is_paid",
        "void" => "error.invoice_is_void",
        "deleted" => "error.invoice_is_deleted",
        _ => "error.invoice_stands",
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use crate::http::texts;
    use kernel::Language;

    #[test]
    fn every_code_has_a_title_and_a_text_in_three_languages() {
        for code in Code::all() {
            let row = code.row();
            for key in [row.title, row.message] {
                assert!(texts::exists(key), "{key} of {}", row.code);
                for language in Language::ALL {
                    assert!(!texts::text(key, language).trim().is_empty(), "{key} {language}");
                }
            }
            assert!(row.status.is_client_error() || row.status.is_server_error());
        }
    }

    #[test]
    fn a_step_an_invoice_does_not_take_has_words_of_its_own() {
        for state in status_machine::invoice::State::ALL {
            let key = of_invoice(&[("allowed", String::new()), ("invoiceState", state.code().to_owned())]).unwrap();
            assert!(texts::exists(key), "{key}");
        }
        assert_eq!(of_invoice(&[("allowed", "assigned".to_owned())]), None, "of a booking");
    }

    #[test]
    fn the_codes_are_those_of_the_service_and_told_apart() {
        for rule in ErrorCode::ALL {
            assert_eq!(Code::Rule(*rule).row().code, rule.code());
        }
        let mut seen = std::collections::HashSet::new();
        // One reason with two statuses: 404 when it is looked for, 422 when a rule wants it.
        let twice = [Code::Http(HttpCode::PathNotFound), Code::Rule(ErrorCode::DiscountInvalid)];
        for code in Code::all().filter(|c| !twice.contains(c)) {
            assert!(seen.insert(code.row().code), "{}", code.row().code);
        }
    }
}
