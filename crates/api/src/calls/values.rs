//! Small values of the wire format, each with its schema.

use std::{borrow::Cow, str::FromStr};

use kernel::{
    BookingId, Money,
    chrono::{DateTime, Datelike as _, NaiveTime, Timelike as _, Utc},
};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, Type},
};

use crate::config::ChatProvider;

/// Pattern of amounts in dollars.
const MONEY: &str = r"^-?\d+\.\d{2}$";

/// The key of a booking in a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(value_type = String, format = Uuid)]
pub struct BookingKey(pub BookingId);

/// An amount in dollars: `"574.88"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Cash(pub Money);

impl From<Money> for Cash {
    fn from(m: Money) -> Cash {
        Cash(m)
    }
}

impl PartialSchema for Cash {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .pattern(Some(MONEY))
            .max_length(Some(20))
            .description(Some("Dollars with two digits after the point."))
            .examples([serde_json::json!("574.88")])
            .into()
    }
}

impl ToSchema for Cash {
    fn name() -> Cow<'static, str> {
        "Money".into()
    }
}

/// A wall-clock time: `"09:30"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HourMinute(pub NaiveTime);

impl Serialize for HourMinute {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        // Without a formatter: an answer may have hundreds.
        let mut text = *b"00:00";
        write_digits(&mut text[..2], self.0.hour());
        write_digits(&mut text[3..], self.0.minute());
        s.serialize_str(str::from_utf8(&text).unwrap_or_default())
    }
}

/// The decimal digits of a number, as many as there is room for.
fn write_digits(room: &mut [u8], mut number: u32) {
    for digit in room.iter_mut().rev() {
        *digit = b'0' + u8::try_from(number % 10).unwrap_or_default();
        number /= 10;
    }
}

/// An instant as chrono writes it, `2027-02-17T14:00:00Z`, in a tenth of the time: an answer may have hundreds.
///
/// # Errors
/// Those of the serializer.
pub fn whole_second<S: Serializer>(at: &DateTime<Utc>, s: S) -> Result<S::Ok, S::Error> {
    let year = match u32::try_from(at.year()) {
        Ok(year) if year <= 9_999 && at.nanosecond() == 0 => year,
        _ => return at.serialize(s),
    };
    let mut text = *b"0000-00-00T00:00:00Z";
    write_digits(&mut text[..4], year);
    for (from, number) in [(5, at.month()), (8, at.day()), (11, at.hour()), (14, at.minute()), (17, at.second())] {
        write_digits(&mut text[from..from + 2], number);
    }
    s.serialize_str(str::from_utf8(&text).unwrap_or_default())
}

/// When the crew arrives for a start: the one promise that screens, calendar files and mails repeat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct ArrivalWindow {
    /// Earliest, local time.
    from: HourMinute,
    /// Latest, local time.
    until: HourMinute,
}

impl From<(NaiveTime, NaiveTime)> for ArrivalWindow {
    fn from((from, until): (NaiveTime, NaiveTime)) -> ArrivalWindow {
        ArrivalWindow { from: HourMinute(from), until: HourMinute(until) }
    }
}

impl FromStr for HourMinute {
    type Err = &'static str;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let digits = |part: &str| part.len() == 2 && part.bytes().all(|b| b.is_ascii_digit());
        let (h, m) = text.split_once(':').filter(|(h, m)| digits(h) && digits(m)).ok_or("a time is HH:MM")?;
        let parsed = h.parse().ok().zip(m.parse().ok()).and_then(|(h, m)| NaiveTime::from_hms_opt(h, m, 0));
        parsed.map(HourMinute).ok_or("a time is HH:MM")
    }
}

impl<'de> Deserialize<'de> for HourMinute {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        String::deserialize(d)?.parse().map_err(D::Error::custom)
    }
}

impl PartialSchema for HourMinute {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .pattern(Some(r"^([01]\d|2[0-3]):[0-5]\d$"))
            .description(Some("Wall-clock time of the zone beside it."))
            .examples([serde_json::json!("09:30")])
            .into()
    }
}

impl ToSchema for HourMinute {
    fn name() -> Cow<'static, str> {
        "TimeOfDay".into()
    }
}

/// A distance in km with one decimal, `"12.4"`; more decimals are rounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Km(pub u32);

impl FromStr for Km {
    type Err = &'static str;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const WRONG: &str = "a distance is a number of km, as text";
        let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
        let digits = |t: &str| !t.is_empty() && t.len() <= 7 && t.bytes().all(|b| b.is_ascii_digit());
        if !digits(whole) || !digits(fraction) {
            return Err(WRONG);
        }
        let at = |i: usize| fraction.as_bytes().get(i).map_or(0, |b| u32::from(b - b'0'));
        let whole: u32 = whole.parse().map_err(|_| WRONG)?;
        let tenths = at(0) + u32::from(at(1) >= 5);
        whole.checked_mul(10).and_then(|w| w.checked_add(tenths)).map(Km).ok_or(WRONG)
    }
}

impl Serialize for Km {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(&format_args!("{}.{}", self.0 / 10, self.0 % 10))
    }
}

impl<'de> Deserialize<'de> for Km {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        String::deserialize(d)?.parse().map_err(D::Error::custom)
    }
}

impl PartialSchema for Km {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .pattern(Some(r"^\d{1,5}(\.\d{1,3})?$"))
            .description(Some("Kilometres with one decimal."))
            .examples([serde_json::json!("12.4")])
            .into()
    }
}

impl ToSchema for Km {
    fn name() -> Cow<'static, str> {
        "Kilometres".into()
    }
}

/// For optional fields that forms send empty: `""` and `null` are absent, anything else is read.
pub fn blank<'de, D: Deserializer<'de>, T: FromStr<Err: std::fmt::Display>>(d: D) -> Result<Option<T>, D::Error> {
    match Option::<String>::deserialize(d)? {
        Some(text) if !text.trim().is_empty() => text.trim().parse().map(Some).map_err(D::Error::custom),
        _ => Ok(None),
    }
}

/// For fields in which `null` says something: absent is `None`, `null` is `Some(None)`.
pub fn nullable<'de, D: Deserializer<'de>, T: Deserialize<'de>>(d: D) -> Result<Option<Option<T>>, D::Error> {
    Option::<T>::deserialize(d).map(Some)
}

/// A schema-only type for codes the domain crates own.
macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $title:literal: $all:expr),+ $(,)?) => {$(
        $(#[$doc])*
        pub struct $name;
        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                ObjectBuilder::new().schema_type(Type::String).enum_values(Some($all)).into()
            }
        }
        impl ToSchema for $name {
            fn name() -> Cow<'static, str> {
                $title.into()
            }
        }
    )+};
}

codes! {
    /// Kinds of move.
    MoveKindCode = "MoveKind": pricing::MoveKind::ALL.map(pricing::MoveKind::code),
    /// Ways between truck and door.
    AccessibilityCode = "Accessibility": ["easy", "moderate", "difficult"],
    /// Provinces and territories.
    ProvinceCode = "Province": kernel::Province::ALL.map(kernel::Province::code),
    /// Languages.
    LanguageCode = "Language": kernel::Language::ALL.map(kernel::Language::code),
    /// Content types of price lines.
    LineTypeCode = "LineType": pricing::ContentType::ALL.map(pricing::ContentType::code),
    /// Ways a booking is charged.
    PlanModeCode = "PlanMode": [policy::Mode::Split, policy::Mode::Merged, policy::Mode::FullAtOnce].map(policy::Mode::code),
    /// Groups of the furniture picker.
    FurnitureCategoryCode = "FurnitureCategory": furniture_catalogue::Category::ALL.map(furniture_catalogue::Category::id),
    /// Chat widgets the web app can load.
    ChatProviderCode = "ChatProvider": ChatProvider::ALL.map(ChatProvider::code),
    /// Services beside the move.
    ExtraServiceCode = "ExtraService": pricing::ExtraService::ALL.map(pricing::ExtraService::code),
    /// Kinds of place.
    PlaceCategoryCode = "PlaceCategory": kernel::PlaceCategory::ALL.map(kernel::PlaceCategory::code),
    /// What is unusual about a way.
    WayWarningCode = "WayWarning": service::geo::WayWarning::ALL.map(service::geo::WayWarning::code),
    /// What sets a crew apart.
    CrewLabelCode = "CrewLabel": service::estimates::crews::Label::ALL.map(service::estimates::crews::Label::code),
    /// Where the money of a booking stands.
    PaymentStateCode = "PaymentState": service::ports::facts::PaymentState::ALL.map(service::ports::facts::PaymentState::code),
    /// Whose wish or fault a cancellation was.
    CancelledByCode = "CancelledBy": service::ports::cancelled::CancelledBy::ALL.map(service::ports::cancelled::CancelledBy::code),
    /// How a booking is paid.
    PaidByCode = "PaidBy": service::ports::bookings::PaidBy::ALL.map(service::ports::bookings::PaidBy::code),
    /// Where a discount code stands.
    DiscountStateCode = "DiscountState": service::discounts::desk::State::ALL.map(service::discounts::desk::State::code),
    /// Where a version of a rate card stands.
    RateStateCode = "RateState": service::rates::Standing::ALL.map(service::rates::Standing::code),
    /// Where a mate stands.
    MateStateCode = "MateState": service::ports::directory::MateState::ALL.iter().map(|s| s.code()),
    /// Where a partner stands.
    PartnerStateCode = "PartnerState": service::ports::directory::PartnerState::ALL.iter().map(|s| s.code()),
    /// Where a truck stands.
    TruckStateCode = "TruckState": service::ports::directory::TruckState::ALL.map(service::ports::directory::TruckState::code),
    /// What is wrong with a job.
    DispatchConflictCode = "DispatchConflictKind": service::dispatch::board::Wrong::ALL.map(service::dispatch::board::Wrong::code),
    /// Why a job of a planned day has nobody.
    OpenJobCode = "OpenJobReason": service::dispatch::auto::UnassignedReason::ALL.map(service::dispatch::auto::UnassignedReason::code),
    /// What speaks for a mate.
    CrewReasonCode = "CrewReason": service::dispatch::suggest::Reason::ALL.map(service::dispatch::suggest::Reason::code),
    /// Lengths of a truck's box.
    TruckClassCode = "TruckClass": service::trucks::TruckClass::ALL.map(service::trucks::TruckClass::code),
    /// By which way a message goes.
    ChannelCode = "Channel": [service::ports::messages::Channel::Email, service::ports::messages::Channel::Sms].map(service::ports::messages::Channel::code),
    /// Where a message stands.
    MessageStandingCode = "MessageStanding": service::outbox::Standing::ALL.map(service::outbox::Standing::code),
    /// Why a message was not sent, or did not arrive.
    SmsTroubleCode = "SmsTrouble": service::ports::sms::SmsTrouble::ALL.map(service::ports::sms::SmsTrouble::code),
    /// Why a text that staff asked for is not sent.
    TextRejectionCode = "TextRejectionReason": service::desk::texts::RejectionReason::ALL.map(service::desk::texts::RejectionReason::code),
    /// How a text is written on the air.
    TextEncodingCode = "TextEncoding": [kernel::Encoding::Gsm7, kernel::Encoding::Ucs2].map(kernel::Encoding::code),
    /// Whose words of a message count.
    TemplateOriginCode = "TemplateOrigin": service::templates::Origin::ALL.map(service::templates::Origin::code),
    /// What goes along with a message.
    TemplateDocumentCode = "TemplateDocument": service::mailing::catalogue::Document::ALL.map(service::mailing::catalogue::Document::code),
    /// Settings that are saved together.
    SettingsAreaCode = "SettingsGroup": service::settings::Area::ALL.map(service::settings::Area::code),
    /// What a new company does before it opens.
    FirstStepCode = "FirstStepCode": service::settings::first_steps::Step::ALL.map(service::settings::first_steps::Step::code),
    /// Where the payment of a link stands.
    PayStateCode = "PayState": service::bookings::pay_link::State::ALL.map(service::bookings::pay_link::State::code),
    /// Where a link for another card stands.
    CardLinkStateCode = "CardLinkState": service::payments::card_link::State::ALL.map(service::payments::card_link::State::code),
    /// Whether the price of a mailed quote holds.
    SavedQuoteStateCode = "SavedQuoteState": service::bookings::saved::State::ALL.map(service::bookings::saved::State::code),
    /// Where a request for a quote stands.
    QuoteRequestStateCode = "QuoteRequestState": service::ports::quote_requests::RequestState::ALL.map(service::ports::quote_requests::RequestState::code),
    /// When somebody wants to be called.
    CallAtCode = "CallAt": service::ports::quote_requests::CallAt::ALL.map(service::ports::quote_requests::CallAt::code),
    /// Why a move could not be booked online.
    ObstacleCode = "BookingObstacle": service::ports::quote_requests::Obstacle::ALL.map(service::ports::quote_requests::Obstacle::code),
    /// Where a question stands for whoever holds its link.
    ConsentStateCode = "ConsentState": service::bookings::consents::answer::State::ALL.map(service::bookings::consents::answer::State::code),
    /// What a customer is asked.
    ConsentKindCode = "ConsentKind": service::ports::consents::KINDS,
    /// Where a question to a customer stands.
    ConsentStandingCode = "ConsentStanding": service::ports::consents::Standing::ALL.map(service::ports::consents::Standing::code),
    /// How an answer came.
    ConsentAnswerCode = "ConsentAnswerWay": service::ports::consents::AnsweredBy::ALL.map(service::ports::consents::AnsweredBy::code),
    /// What a term of a booking says.
    TermCode = "PolicyTerm": policy::Term::ALL.map(policy::Term::code),
    /// Why a charge failed.
    FailureCode = "FailureReason": service::desk::failed::FailureReason::ALL.map(service::desk::failed::FailureReason::code),
    /// Where a failed charge stands; `scheduled` is a refund that waits to be handed back.
    FailedStateCode = "FailedState": ["soft_declined", "hard_declined", "failed", "scheduled"],
    /// What a charge or refund is for.
    PaymentKindCode = "PaymentKind": service::ports::payments::PaymentKind::ALL.map(service::ports::payments::PaymentKind::code),
    /// Where a dispute stands.
    DisputeStateCode = "DisputeState": service::ports::disputes::DisputeState::ALL.map(service::ports::disputes::DisputeState::code),
    /// A paper that answers a dispute.
    PaperCode = "DisputePaper": service::ports::disputes::Paper::ALL.map(service::ports::disputes::Paper::code),
    /// Who reads a note beside staff.
    VisibilityCode = "NoteVisibility": service::ports::notes::Visibility::ALL.map(service::ports::notes::Visibility::code),
    /// Of what a crew takes a photo.
    PhotoStageCode = "CrewPhotoStage": service::ports::crew_photos::PhotoStage::ALL.map(service::ports::crew_photos::PhotoStage::code),
    /// What a row of a statement tells.
    StatementKindCode = "StatementKind": crate::calls::bookings::statement::KINDS,
    /// Accounts of the ledger.
    AccountCode = "LedgerAccount": service::ports::ledger::Account::ALL.map(service::ports::ledger::Account::code),
    /// Where a month of the books stands.
    BookMonthStateCode = "BookMonthState": service::desk::months::Standing::ALL.map(service::desk::months::Standing::code),
    /// What of a month is taken along for the accounting program.
    AccountingContentCode = "AccountingContent": service::desk::accounting::Content::ALL.map(service::desk::accounting::Content::code),
    /// What reconciliation finds.
    DifferenceCode = "DifferenceKind": service::billing::difference::DifferenceKind::CODES,
    /// What puts a difference right.
    RepairCode = "RepairKind": service::billing::repair::Repair::CODES,
    /// Where a difference stands.
    StandingCode = "DifferenceStanding": service::ports::comparisons::Standing::ALL.map(service::ports::comparisons::Standing::code),
    /// Why a move took longer.
    OvertimeCauseCode = "OvertimeCause": service::ports::overtime::OvertimeCause::ALL.map(service::ports::overtime::OvertimeCause::code),
    /// How money comes by hand.
    HandMethodCode = "HandMethod": service::ports::payments::PaidWith::BY_HAND.map(service::ports::payments::PaidWith::code),
    /// How a charge is paid.
    PaidWithCode = "PaidWith": service::ports::payments::PaidWith::ALL.map(service::ports::payments::PaidWith::code),
    /// How money is given back.
    CreditKindCode = "CreditKind": service::ports::credits::CreditKind::ALL.map(service::ports::credits::CreditKind::code),
    /// What an invoice is for.
    InvoicePurposeCode = "InvoicePurpose": service::ports::invoices::Purpose::ALL.map(service::ports::invoices::Purpose::code),
    /// Where an invoice stands.
    InvoiceStateCode = "InvoiceState": status_machine::invoice::State::ALL.iter().map(|s| s.code()),
    /// Statuses of a booking.
    BookingStatusCode = "BookingStatus": ["pending", "assigned", "completed", "invoiced", "payed", "cancelled", "deleted"],
    /// What stands in the way of a status.
    StatusRefusalCode = "StatusRefusal": service::bookings::status::Step::refusals(),
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn distances_are_rounded_to_tenths() {
        for (text, want) in
            [("12.4", 124), ("12", 120), ("12.44", 124), ("12.45", 125), ("0.95", 10), ("99999.9", 999_999)]
        {
            assert_eq!(text.parse::<Km>().unwrap().0, want, "{text}");
        }
        for bad in ["", "-1", "1,2", "1e3", ".5", "5.", "999999999999", "é"] {
            assert!(bad.parse::<Km>().is_err(), "{bad}");
        }
    }

    #[test]
    fn times_have_two_digits_each() {
        assert_eq!(serde_json::to_string(&"09:30".parse::<HourMinute>().unwrap()).unwrap(), "\"09:30\"");
        for bad in ["9:30", "24:00", "09:60", "09:30:00", "aa:bb", "+9:30"] {
            assert!(bad.parse::<HourMinute>().is_err(), "{bad}");
        }
    }

    #[test]
    fn instants_are_written_as_chrono_writes_them() {
        #[derive(Serialize)]
        struct At(#[serde(serialize_with = "whole_second")] DateTime<Utc>);
        for text in ["2027-02-17T14:00:00Z", "0001-01-01T00:00:09Z", "9999-12-31T23:59:59Z", "2027-02-17T14:00:00.5Z"] {
            let at: DateTime<Utc> = text.parse().unwrap();
            assert_eq!(serde_json::to_string(&At(at)).unwrap(), serde_json::to_string(&at).unwrap());
        }
        for at in [DateTime::<Utc>::MIN_UTC, DateTime::<Utc>::MAX_UTC] {
            assert_eq!(serde_json::to_string(&At(at)).unwrap(), serde_json::to_string(&at).unwrap());
        }
    }
}
