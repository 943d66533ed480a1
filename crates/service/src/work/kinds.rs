//! Every kind of job: what it is called, its lane, how often it may fail and how long it waits after a failure in one row, and
//! [`Work`], which adds the input and the key that keeps it single. Who does it stands in [`crate::jobs`], in one `match` without
//! a wildcard.

use chrono::{DateTime, Duration, Utc};
use kernel::{BookingId, HoldId, MessageId, PaymentId, UserId};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::lanes::Lane;
use crate::{Error, ServiceResult, ports::jobs::Job};

/// What is fixed about a kind of job.
struct Row {
    code: &'static str,
    lane: Lane,
    most_failures: i32,
    pause: RetryPause,
}

/// Which waits a kind of job has between its failures.
#[derive(Debug, Clone, Copy)]
enum RetryPause {
    /// A minute, ten minutes, then an hour each time.
    Usual,
    /// What moves money is tried again every five minutes for an hour (`statuses.md` §3), then as usual.
    Money,
    /// Relays that are busy ask for minutes, one that is down may need a weekend.
    Mail,
}

macro_rules! kinds {
    ($($(#[$doc:meta])+ $kind:ident = $code:literal, $lane:ident, $most_failures:literal, $pause:ident;)+) => {
        /// A kind of job, without its input.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Kind {
            $($(#[$doc])+ $kind,)+
        }

        impl Kind {
            /// All of them.
            pub const ALL: [Kind; [$($code),+].len()] = [$(Kind::$kind),+];

            const fn row(self) -> Row {
                match self {
                    $(Kind::$kind => Row {
                        code: $code,
                        lane: Lane::$lane,
                        most_failures: $most_failures,
                        pause: RetryPause::$pause,
                    },)+
                }
            }
        }
    };
}

// Kind = what the table calls it, lane, failures before it waits for a person, pause.
// Failures are many for what asks the gateway, which may be away for hours, and few where somebody waits for the answer.
kinds! {
    /// Charges and refunds of a booking.
    BillBooking = "bill_booking", Money, 40, Money;
    /// Looks into a payment nobody answered for.
    RecoverCheckout = "recover_checkout", Money, 200, Money;
    /// Ends a slot hold.
    ExpireHold = "expire_hold", Quick, 10, Usual;
    /// Looks for a charge or refund that was given up.
    WatchOrder = "watch_order", Money, 40, Usual;
    /// Gives back a charge that belongs to no booking.
    ReturnStray = "return_stray", Money, 200, Money;
    /// Asks what became of a captured charge when it settled.
    LookSettlement = "look_settlement", Comparison, 40, Money;
    /// Does what time and money do to the invoice of a booking.
    FollowInvoice = "follow_invoice", Quick, 40, Usual;
    /// Does what time and changes do to a question that a customer has not answered.
    FollowConsent = "follow_consent", Quick, 40, Usual;
    /// Sends a message.
    SendMessage = "send_message", Mail, 24, Mail;
    /// Sends a text message: at once, after a minute, ten minutes and an hour.
    SendSms = "send_sms", Texts, 4, Usual;
    /// Asks what became of text messages of which nobody told the end.
    SweepSms = "sweep_sms", Texts, 40, Usual;
    /// Announces a move to its customer.
    Remind = "move_reminder", Mail, 5, Usual;
    /// Tells operations of moves that lack people, or that nobody began.
    WatchCrews = "watch_crews", Quick, 40, Usual;
    /// Tells operations that less is to be handed back than they were told.
    TellHandBack = "tell_hand_back", Quick, 40, Usual;
    /// Daily: sweeps what expired, and asks for the comparison.
    Housekeeping = "housekeeping", Comparison, 40, Usual;
    /// Compares gateway and ledger; a job of its own, so that one that fails is tried again before tomorrow's.
    Compare = "compare", Comparison, 40, Usual;
    /// The same for somebody who asked for it: it changes nothing.
    CompareNow = "compare_now", Comparison, 5, Usual;
}

impl Kind {
    /// What the table calls it.
    #[must_use]
    pub const fn code(self) -> &'static str {
        self.row().code
    }

    /// The one that the table calls so.
    #[must_use]
    pub fn from_code(code: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.code() == code)
    }

    /// The lane whose loops do it.
    #[must_use]
    pub const fn lane(self) -> Lane {
        self.row().lane
    }

    /// Failures before it waits for a person.
    #[must_use]
    pub const fn most_failures(self) -> i32 {
        self.row().most_failures
    }

    /// Wait after its `n`th failure.
    #[must_use]
    pub fn pause(self, failures: i32) -> Duration {
        match (self.row().pause, failures) {
            (RetryPause::Money, ..=12) => Duration::minutes(5),
            (RetryPause::Mail, ..=1) => Duration::minutes(1),
            (RetryPause::Mail, 2) => Duration::minutes(5),
            (RetryPause::Mail, 3) => Duration::minutes(15),
            (RetryPause::Mail, 4) => Duration::minutes(30),
            (RetryPause::Mail, 5) => Duration::hours(1),
            (RetryPause::Mail, 6) => Duration::hours(2),
            (RetryPause::Mail, _) => Duration::hours(4),
            (RetryPause::Usual | RetryPause::Money, _) => backoff(failures),
        }
    }
}

/// Wait after the `n`th failure of most jobs, and of one whose kind nobody knows: a minute, ten minutes, an hour, then every
/// hour.
pub(crate) fn backoff(failures: i32) -> Duration {
    match failures {
        0 | 1 => Duration::minutes(1),
        2 => Duration::minutes(10),
        _ => Duration::hours(1),
    }
}

/// A job with its input. The variants are what the table's `kind` and `payload` say.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "payload", rename_all = "snake_case", rename_all_fields = "camelCase")]
#[allow(missing_docs, reason = "`Kind` says what each is for")]
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
        /// Hours before the move. Stored as text: the version before this one reads nothing else.
        #[serde(with = "number_as_text")]
        hours: u32,
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
    /// Its kind.
    pub const fn kind(&self) -> Kind {
        match self {
            Work::BillBooking { .. } => Kind::BillBooking,
            Work::RecoverCheckout { .. } => Kind::RecoverCheckout,
            Work::ExpireHold { .. } => Kind::ExpireHold,
            Work::WatchOrder { .. } => Kind::WatchOrder,
            Work::ReturnStray { .. } => Kind::ReturnStray,
            Work::LookSettlement { .. } => Kind::LookSettlement,
            Work::FollowInvoice { .. } => Kind::FollowInvoice,
            Work::FollowConsent { .. } => Kind::FollowConsent,
            Work::SendMessage { .. } => Kind::SendMessage,
            Work::SendSms { .. } => Kind::SendSms,
            Work::SweepSms {} => Kind::SweepSms,
            Work::Remind { .. } => Kind::Remind,
            Work::WatchCrews {} => Kind::WatchCrews,
            Work::TellHandBack { .. } => Kind::TellHandBack,
            Work::Housekeeping {} => Kind::Housekeeping,
            Work::Compare {} => Kind::Compare,
            Work::CompareNow { .. } => Kind::CompareNow,
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
            Work::Remind { booking_id, hours } => format!("remind:{booking_id}:{hours}"),
            Work::TellHandBack { payment_id } => format!("handback:{payment_id}"),
            Work::SweepSms {}
            | Work::WatchCrews {}
            | Work::Housekeeping {}
            | Work::Compare {}
            | Work::CompareNow { .. } => self.kind().code().to_owned(),
        })
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

/// A number that is written as text, and read as text or as a number.
mod number_as_text {
    use serde::{Deserialize, Deserializer, Serializer, de::Error as _};

    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Form {
        Number(u32),
        Text(String),
    }

    pub fn serialize<S: Serializer>(number: &u32, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(number)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
        match Form::deserialize(from)? {
            Form::Number(number) => Ok(number),
            Form::Text(text) => text.parse().map_err(D::Error::custom),
        }
    }
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
            Work::Remind { booking_id: id, hours: 72 },
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
                assert_eq!(whole["kind"], w.kind().code());
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
    fn the_hours_of_a_reminder_are_read_as_text_and_as_a_number() {
        let nil = "00000000-0000-0000-0000-000000000000";
        for hours in [json!("72"), json!(72)] {
            let whole = json!({ "kind": "move_reminder", "payload": { "bookingId": nil, "hours": hours } });
            let work: Work = serde_json::from_value(whole).unwrap();
            assert_eq!(work, Work::Remind { booking_id: BookingId(kernel::uuid::Uuid::nil()), hours: 72 });
            assert_eq!(work.key(), Some(format!("remind:{nil}:72")));
        }
        let whole = json!({ "kind": "move_reminder", "payload": { "bookingId": nil, "hours": "soon" } });
        assert!(serde_json::from_value::<Work>(whole).is_err());
    }

    #[test]
    fn every_kind_has_its_work_and_its_own_code() {
        assert_eq!(all().iter().map(Work::kind).collect::<Vec<_>>(), Kind::ALL);
        for kind in Kind::ALL {
            assert_eq!(Kind::from_code(kind.code()), Some(kind));
        }
    }

    #[test]
    fn every_kind_is_in_exactly_one_lane() {
        for kind in Kind::ALL {
            let lanes: Vec<Lane> = Lane::ALL.into_iter().filter(|lane| lane.has(kind.code())).collect();
            assert_eq!(lanes, [kind.lane()], "{kind:?}");
        }
        // A newer program's kind waits for one.
        assert!(!Lane::ALL.into_iter().any(|lane| lane.has("unheard_of")));
    }

    /// Every five minutes for an hour is twelve times.
    #[test]
    fn what_moves_money_waits_five_minutes_for_an_hour() {
        let waits = |kind: Kind| [1, 2, 12, 13].map(|n| kind.pause(n).num_minutes());
        assert_eq!(waits(Kind::BillBooking), [5, 5, 5, 60]);
        assert_eq!(waits(Kind::Compare), [1, 10, 60, 60]);
        assert_eq!(waits(Kind::SendMessage), [1, 5, 240, 240]);
    }
}
