//! A booking as staff read it.

use kernel::{
    Language,
    chrono::{DateTime, Utc},
};
use serde::Serialize;
use service::{
    bookings::status::Step,
    desk::{record::Record, rows::Row},
};
use utoipa::ToSchema;

use super::{consents::ConsentRecord, overtime::OvertimeRecord};
use crate::calls::{
    bookings::record::BookingRecord,
    values::{BookingStatusCode, Cash, PaymentStateCode, StatusRefusalCode},
};

/// The partner whose booking it is.
#[derive(Debug, Serialize, ToSchema)]
pub struct BookingPartner {
    id: String,
    /// May be empty: nobody said it yet.
    name: String,
}

/// A status that a booking may be given now, or why not.
#[derive(Debug, Serialize, ToSchema)]
pub struct AllowedStatus {
    #[schema(value_type = BookingStatusCode)]
    status: &'static str,
    allowed: bool,
    /// What stands in the way.
    #[schema(value_type = Option<StatusRefusalCode>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    /// Fields of the change that must be said with it: `reason`, `paymentReference`.
    needs: Vec<&'static str>,
}

impl From<&Step> for AllowedStatus {
    fn from(s: &Step) -> AllowedStatus {
        AllowedStatus {
            status: s.to.code(),
            allowed: s.refused.is_none(),
            reason: s.refused,
            needs: s.needs.iter().map(|n| n.code()).collect(),
        }
    }
}

/// How the customer heard of us.
#[derive(Debug, Serialize, ToSchema)]
pub struct SurveyRecord {
    /// `advertisements`, `friendsFamily`, `socialMedia`, `partners`, `other`.
    source: String,
    /// What they said besides.
    specify: String,
}

/// The guidelines the customer agreed to.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AgreedGuidelines {
    /// Version of the text.
    version: String,
    /// Its sentences about charges, cancelling and changes, with the figures they were shown with, in the language of the
    /// booking; empty for bookings from before these were kept.
    text: Vec<String>,
    agreed_at: DateTime<Utc>,
}

/// A booking, and what staff read of it besides.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StaffBooking {
    #[serde(flatten)]
    booking: BookingRecord,
    /// The account of the customer.
    customer_id: String,
    /// Hub of the crew.
    hub: String,
    #[schema(value_type = PaymentStateCode)]
    payment_state: &'static str,
    /// A charge was given up.
    payment_problem: bool,
    partner: Option<BookingPartner>,
    /// The other statuses.
    allowed_statuses: Vec<AllowedStatus>,
    survey: Option<SurveyRecord>,
    guidelines: AgreedGuidelines,
    /// Time beyond what was agreed, oldest first.
    overtime: Vec<OvertimeRecord>,
    /// What the customer was asked to agree to, oldest first.
    consents: Vec<ConsentRecord>,
    /// Still owed; present on a single booking.
    #[serde(skip_serializing_if = "Option::is_none")]
    owed: Option<Cash>,
    /// The newest link to pay by, while it works; present on a single booking.
    #[serde(skip_serializing_if = "Option::is_none")]
    payment_link: Option<PaymentLinkState>,
    /// A link to pay what is owed can be mailed: nothing charges it by itself; present on a single booking.
    #[serde(skip_serializing_if = "Option::is_none")]
    payable_by_link: Option<bool>,
    /// Who has the customer's number wants no texts; present on a single booking.
    #[serde(skip_serializing_if = "Option::is_none")]
    texts_stopped: Option<bool>,
    /// Who has the customer's address wants no commercial e-mails; present on a single booking.
    #[serde(skip_serializing_if = "Option::is_none")]
    mails_stopped: Option<bool>,
}

/// A link that was mailed, without its secret.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PaymentLinkState {
    /// When it stops working.
    expires_at: DateTime<Utc>,
    /// Whom it was mailed to.
    sent_to: String,
}

impl StaffBooking {
    /// A row of a list.
    pub fn row(r: &Row) -> StaffBooking {
        let record = BookingRecord::listed(&r.booking, &r.money, &r.crew).with_note(r.note.clone());
        StaffBooking::with(record, r)
    }

    /// A single booking.
    pub fn record(r: &Record) -> StaffBooking {
        let record = BookingRecord::detail(&r.detail, true).with_note(r.row.note.clone());
        let link = r.link.as_ref().map(|l| PaymentLinkState { expires_at: l.expires_at, sent_to: l.to.clone() });
        StaffBooking {
            owed: Some(r.owed.into()),
            payment_link: link,
            payable_by_link: Some(r.payable_by_link),
            texts_stopped: Some(r.texts_stopped),
            mails_stopped: Some(r.mails_stopped),
            ..StaffBooking::with(record, &r.row)
        }
    }

    /// The same booking with the lines of its price in the reader's language.
    pub fn record_in(r: &Record, language: Language) -> StaffBooking {
        let all = StaffBooking::record(r);
        StaffBooking { booking: all.booking.with_lines_in(&r.detail.booking, language), ..all }
    }

    fn with(booking: BookingRecord, r: &Row) -> StaffBooking {
        let (b, d) = (&r.booking, &r.booking.details);
        StaffBooking {
            booking,
            customer_id: b.user_id.to_string(),
            hub: b.hub.clone(),
            payment_state: r.payment_state.code(),
            payment_problem: d.payment_problem,
            partner: r.partner.as_ref().map(|(id, name)| BookingPartner { id: id.to_string(), name: name.clone() }),
            allowed_statuses: r.steps.iter().map(AllowedStatus::from).collect(),
            survey: d.survey.as_ref().map(|s| SurveyRecord { source: s.source.clone(), specify: s.specify.clone() }),
            guidelines: AgreedGuidelines {
                version: d.guidelines_version.clone(),
                text: d.guidelines_text.clone(),
                agreed_at: d.guidelines_agreed_at,
            },
            overtime: d.overtime.iter().map(OvertimeRecord::from).collect(),
            consents: d.consents.iter().map(ConsentRecord::from).collect(),
            owed: None,
            payment_link: None,
            payable_by_link: None,
            texts_stopped: None,
            mails_stopped: None,
        }
    }
}

/// A page of bookings as staff read them.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StaffBookingPage {
    /// Rows.
    pub data: Vec<StaffBooking>,
    /// Of how many, as far as they are counted.
    pub total: i64,
    /// False: there are more than `total`.
    pub total_is_exact: bool,
    /// From 1.
    pub page: i64,
    /// Rows a page.
    pub per_page: i64,
}
