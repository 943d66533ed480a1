//! What the service's numbers of errors mean for a message (`twilio.com/docs/api/errors`).

use service::ports::sms::{Reason, SmsError, SmsTrouble};

/// Why a message did not arrive, and what is done about it. Numbers that nobody listed are a refusal.
pub fn reason(code: i32) -> Reason {
    let of = |trouble, again, alarm| Reason { trouble, again, alarm };
    match code {
        // The queue of the number or of the account is full.
        21611 | 30001 => of(SmsTrouble::Unreachable, true, false),
        30002 => of(SmsTrouble::Account, false, true),
        // Switched off or out of reach; and what nobody knows.
        30003 | 30008 => of(SmsTrouble::Unreachable, true, false),
        30004 => of(SmsTrouble::Blocked, false, false),
        30005 | 30006 | 21614 => of(SmsTrouble::NotMobile, false, false),
        30007 => of(SmsTrouble::Filtered, false, false),
        21610 => of(SmsTrouble::Stopped, false, false),
        21211 => of(SmsTrouble::NoNumber, false, false),
        21612 => of(SmsTrouble::Unreachable, false, false),
        21408 | 21608 => of(SmsTrouble::Account, false, false),
        30032 | 30034 => of(SmsTrouble::Account, false, true),
        _ => of(SmsTrouble::Refused, false, false),
    }
}

/// An error of the service that is about our settings or our account, whatever the message was.
const fn is_settings(code: i32) -> bool {
    matches!(code, 20003 | 20404 | 21212 | 21606 | 30002 | 30032 | 30034)
}

/// Sorts a refusal of a request to send. `said` is the service's own sentence.
pub(crate) fn refusal(status: u16, code: Option<i32>, said: &str) -> SmsError {
    let why = match code {
        Some(code) => format!("HTTP {status}, error {code}: {said}"),
        None => format!("HTTP {status}: {said}"),
    };
    match code {
        // 404 of an address that is not the service's, and whatever has no number of its own.
        _ if matches!(status, 300..=399 | 401 | 403 | 404 | 405) => SmsError::Misconfigured(why),
        Some(code) if is_settings(code) => SmsError::Misconfigured(why),
        Some(code) if reason(code).again => SmsError::NotTaken { why, wait: None },
        Some(code) => SmsError::Refused { code, trouble: reason(code).trouble, why },
        None => SmsError::Refused { code: 0, trouble: SmsTrouble::Refused, why },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `contracts/sms-twilio.md` §6, row by row.
    #[test]
    fn each_number_is_acted_upon_as_the_table_says() {
        for code in [20003, 20404, 21212, 21606, 30032, 30034] {
            assert!(matches!(refusal(400, Some(code), ""), SmsError::Misconfigured(_)), "{code}");
        }
        assert!(matches!(refusal(401, None, ""), SmsError::Misconfigured(_)), "the code may be null");
        assert!(matches!(refusal(400, Some(21611), ""), SmsError::NotTaken { .. }));
        for (code, trouble) in [
            (21211, SmsTrouble::NoNumber),
            (21408, SmsTrouble::Account),
            (21608, SmsTrouble::Account),
            (21610, SmsTrouble::Stopped),
            (21612, SmsTrouble::Unreachable),
            (21614, SmsTrouble::NotMobile),
            (29999, SmsTrouble::Refused),
        ] {
            let told = refusal(400, Some(code), "no");
            assert!(
                matches!(told, SmsError::Refused { code: c, trouble: t, .. } if (c, t) == (code, trouble)),
                "{code}"
            );
        }
        for code in [30001, 30003, 30008] {
            assert!(reason(code).again, "{code}");
        }
        for code in [30002, 30004, 30005, 30006, 30007, 30032, 30034, 12345] {
            assert!(!reason(code).again, "{code}");
        }
        assert!(reason(30002).alarm && !reason(30003).alarm);
        assert_eq!(reason(30007).trouble, SmsTrouble::Filtered);
    }
}
