//! What is done later, or by another process: every kind of job with its input, its lane, the key
//! that keeps it single and how often it may fail. Who does it stands in [`crate::jobs`], in one
//! `match` without a wildcard.

pub(crate) mod bell;
mod kinds;
mod lanes;

use chrono::{DateTime, Duration, Utc};
use kernel::{BookingId, HoldId, JobId, MessageId, PaymentId, UserId};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

pub use bell::{Bell, Lanes};
pub use kinds::*;
pub use lanes::Lane;

use crate::{
    Error, ServiceResult, Services,
    ports::jobs::{Job, NewJob},
};

/// A job with its input. The variants are what the table's `kind` and `payload` say.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "payload", rename_all = "snake_case", rename_all_fields = "camelCase")]
#[allow(missing_docs, reason = "the constants above say what each is for")]
pub enum Work {
    BillBooking {
        booking_id: BookingId,
    },
    RecoverCheckout {
        checkout_id: BookingId,
    },
    ExpireHold {
        hold_id: HoldId,
    },
    WatchOrder {
        order_id: String,
        given_up: DateTime<Utc>,
        /// The how many-th look, from 0.
        look: usize,
    },
    ReturnStray {
        order_id: String,
    },
    LookSettlement {
        order_id: String,
    },
    FollowInvoice {
        booking_id: BookingId,
    },
    FollowConsent {
        booking_id: BookingId,
    },
    SendMessage {
        message_id: MessageId,
    },
    SendSms {
        message_id: MessageId,
    },
    SweepSms {},
    #[serde(rename = "move_reminder")]
    Remind {
        booking_id: BookingId,
        /// Hours before the move, as text.
        hours: String,
    },
    WatchCrews {},
    TellHandBack {
        payment_id: PaymentId,
    },
    Housekeeping {},
    Compare {},
    CompareNow {
        asked_by: UserId,
    },
}

impl Work {
    /// What the table calls it.
    pub fn kind(&self) -> &'static str {
        match self {
            Work::BillBooking { .. } => BILL_BOOKING,
            Work::RecoverCheckout { .. } => RECOVER_CHECKOUT,
            Work::ExpireHold { .. } => EXPIRE_HOLD,
            Work::WatchOrder { .. } => WATCH_ORDER,
            Work::ReturnStray { .. } => RETURN_STRAY,
            Work::LookSettlement { .. } => LOOK_SETTLEMENT,
            Work::FollowInvoice { .. } => FOLLOW_INVOICE,
            Work::FollowConsent { .. } => FOLLOW_CONSENT,
            Work::SendMessage { .. } => SEND_MESSAGE,
            Work::SendSms { .. } => SEND_SMS,
            Work::SweepSms {} => SWEEP_SMS,
            Work::Remind { .. } => REMIND,
            Work::WatchCrews {} => WATCH_CREWS,
            Work::TellHandBack { .. } => TELL_HAND_BACK,
            Work::Housekeeping {} => HOUSEKEEPING,
            Work::Compare {} => COMPARE,
            Work::CompareNow { .. } => COMPARE_NOW,
        }
    }

    /// Under which key it is queued once; none = as often as it is asked for.
    pub fn key(&self) -> Option<String> {
        Some(match self {
            Work::BillBooking { booking_id } => format!("bill:{booking_id}"),
            Work::RecoverCheckout { checkout_id } => format!("checkout:{checkout_id}"),
            Work::ExpireHold { hold_id } => format!("hold:{hold_id}"),
            Work::WatchOrder { order_id, .. } => format!("watch:{order_id}"),
            Work::ReturnStray { order_id } => format!("return:{order_id}"),
            Work::LookSettlement { order_id } => format!("settlement:{order_id}"),
            Work::FollowInvoice { booking_id } => format!("invoice:{booking_id}"),
            Work::FollowConsent { booking_id } => format!("consent:{booking_id}"),
            Work::SendMessage { .. } => return None,
            Work::SendSms { message_id } => format!("sms:{message_id}"),
            Work::SweepSms {} => SWEEP_SMS.to_owned(),
            Work::Remind { booking_id, hours } => format!("remind:{booking_id}:{hours}"),
            Work::WatchCrews {} => WATCH_CREWS.to_owned(),
            Work::TellHandBack { payment_id } => format!("handback:{payment_id}"),
            Work::Housekeeping {} => HOUSEKEEPING.to_owned(),
            Work::Compare {} => COMPARE.to_owned(),
            Work::CompareNow { .. } => COMPARE_NOW.to_owned(),
        })
    }

    /// Failures before it waits for a person. Many for what asks the gateway, which may be away for
    /// hours; for mail see [`crate::mailing::retry_in`].
    pub fn most_failures(&self) -> i32 {
        match self {
            Work::RecoverCheckout { .. } | Work::ReturnStray { .. } => 200,
            Work::BillBooking { .. }
            | Work::WatchOrder { .. }
            | Work::LookSettlement { .. }
            | Work::FollowInvoice { .. }
            | Work::FollowConsent { .. }
            | Work::SweepSms {}
            | Work::WatchCrews {}
            | Work::TellHandBack { .. }
            | Work::Housekeeping {}
            | Work::Compare {} => 40,
            Work::SendMessage { .. } => 24,
            // At once, after a minute, ten minutes and an hour.
            Work::SendSms { .. } => 4,
            Work::ExpireHold { .. } => 10,
            // Somebody waits for it.
            Work::Remind { .. } | Work::CompareNow { .. } => 5,
        }
    }

    /// The job, to be queued for an instant of the business clock.
    pub fn at(&self, s: &Services, run_at: DateTime<Utc>) -> NewJob {
        let whole = serde_json::to_value(self).unwrap_or_default();
        NewJob {
            id: JobId(s.entropy.uuid(run_at)),
            kind: self.kind().to_owned(),
            payload: whole.get("payload").cloned().unwrap_or_else(|| json!({})),
            run_at,
            dedup_key: self.key(),
            max_attempts: self.most_failures(),
            held_until: None,
        }
    }

    /// What a claimed job is.
    ///
    /// # Errors
    /// When nobody knows its kind or its input cannot be read.
    pub fn of(job: &Job) -> ServiceResult<Work> {
        let whole: Value = json!({ "kind": job.kind, "payload": job.payload });
        serde_json::from_value(whole)
            .map_err(|e| Error::Internal(format!("job {} of kind {:?}: {e}", job.id, job.kind)))
    }
}

/// Wait after the `n`th failure of most jobs: a minute, ten minutes, an hour, then every hour.
pub(crate) fn backoff(failures: i32) -> Duration {
    match failures {
        0 | 1 => Duration::minutes(1),
        2 => Duration::minutes(10),
        _ => Duration::hours(1),
    }
}

/// What a job came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ran {
    /// Nothing more is due now.
    Done,
    /// Somebody else works on it, or an outcome is not known yet: come back at this instant of
    /// real time.
    Later(DateTime<Utc>),
    /// It will never succeed, for this reason: it is a person's now.
    GivenUp(String),
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn all() -> Vec<Work> {
        let (id, order_id) = (BookingId(kernel::uuid::Uuid::nil()), "A-full-1".to_owned());
        vec![
            Work::BillBooking { booking_id: id },
            Work::RecoverCheckout { checkout_id: id },
            Work::ExpireHold { hold_id: HoldId(id.0) },
            Work::WatchOrder { order_id: order_id.clone(), given_up: DateTime::UNIX_EPOCH, look: 2 },
            Work::ReturnStray { order_id: order_id.clone() },
            Work::LookSettlement { order_id },
            Work::FollowInvoice { booking_id: id },
            Work::FollowConsent { booking_id: id },
            Work::SendMessage { message_id: MessageId(id.0) },
            Work::SendSms { message_id: MessageId(id.0) },
            Work::SweepSms {},
            Work::Remind { booking_id: id, hours: "72".into() },
            Work::WatchCrews {},
            Work::TellHandBack { payment_id: PaymentId(id.0) },
            Work::Housekeeping {},
            Work::Compare {},
            Work::CompareNow { asked_by: UserId(id.0) },
        ]
    }

    /// The form of the table is also read by the version before and the version after this one.
    #[test]
    fn jobs_keep_the_form_of_the_table() {
        let nil = "00000000-0000-0000-0000-000000000000";
        let payloads: Vec<String> = all()
            .iter()
            .map(|w| {
                let whole = serde_json::to_value(w).unwrap();
                assert_eq!(whole["kind"], w.kind());
                whole["payload"].to_string()
            })
            .collect();
        assert_eq!(
            payloads,
            [
                format!(r#"{{"bookingId":"{nil}"}}"#),
                format!(r#"{{"checkoutId":"{nil}"}}"#),
                format!(r#"{{"holdId":"{nil}"}}"#),
                r#"{"givenUp":"1970-01-01T00:00:00Z","look":2,"orderId":"A-full-1"}"#.to_owned(),
                r#"{"orderId":"A-full-1"}"#.to_owned(),
                r#"{"orderId":"A-full-1"}"#.to_owned(),
                format!(r#"{{"bookingId":"{nil}"}}"#),
                format!(r#"{{"bookingId":"{nil}"}}"#),
                format!(r#"{{"messageId":"{nil}"}}"#),
                format!(r#"{{"messageId":"{nil}"}}"#),
                "{}".to_owned(),
                format!(r#"{{"bookingId":"{nil}","hours":"72"}}"#),
                "{}".to_owned(),
                format!(r#"{{"paymentId":"{nil}"}}"#),
                "{}".to_owned(),
                "{}".to_owned(),
                format!(r#"{{"askedBy":"{nil}"}}"#),
            ]
        );
        for work in all() {
            let whole = serde_json::to_value(&work).unwrap();
            assert_eq!(serde_json::from_value::<Work>(whole).unwrap(), work);
        }
    }

    #[test]
    fn every_kind_is_in_exactly_one_lane() {
        for kind in all().iter().map(Work::kind).chain(["unheard_of"]) {
            assert_eq!(Lane::ALL.into_iter().filter(|lane| lane.has(kind)).count(), 1, "{kind}");
        }
    }
}
