//! A service for text messages that does what a test says.

use std::{collections::VecDeque, sync::Mutex};

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use kernel::E164;
use service::{
    ports::sms::{KnownSms, OutgoingSms, Reason, SendId, SmsError, SmsStatus, SmsTrouble, Texter},
    sms::Report,
};

/// What the service does with the next message.
#[derive(Clone)]
pub enum How {
    Takes,
    /// It takes it, and nobody hears of it.
    LosesAnswer,
    /// It never hears of it.
    LosesRequest,
    Refuses(SmsError),
}

#[derive(Default)]
pub struct FakeTexter {
    next: Mutex<VecDeque<How>>,
    /// What it has, the oldest first.
    pub taken: Mutex<Vec<(OutgoingSms, KnownSms)>>,
}

impl FakeTexter {
    pub fn queue(&self, how: impl IntoIterator<Item = How>) {
        self.next.lock().unwrap().extend(how);
    }

    pub fn bodies(&self) -> Vec<String> {
        self.taken.lock().unwrap().iter().map(|(sms, _)| sms.body.clone()).collect()
    }

    /// A report of the `n`th message that was taken.
    pub fn report(&self, n: usize, status: &str, error_code: Option<i32>) -> Report {
        let (sms, known) = self.taken.lock().unwrap()[n].clone();
        let send: SendId = sms.callback.rsplit_once("?send=").unwrap().1.parse().unwrap();
        Report { send: Some(send), sid: known.sid, status: status.into(), error_code }
    }
}

#[async_trait]
impl Texter for FakeTexter {
    async fn send(&self, sms: &OutgoingSms) -> Result<KnownSms, SmsError> {
        let how = self.next.lock().unwrap().pop_front().unwrap_or(How::Takes);
        if let How::Refuses(error) = how {
            return Err(error);
        }
        let lost = SmsError::Unknown("no answer in time".into());
        if matches!(how, How::LosesRequest) {
            return Err(lost);
        }
        let mut taken = self.taken.lock().unwrap();
        let known = KnownSms {
            sid: format!("SM{:032x}", taken.len() + 1),
            status: SmsStatus::Queued,
            error_code: None,
            body: sms.body.clone(),
            created_at: None,
        };
        taken.push((sms.clone(), known.clone()));
        if matches!(how, How::LosesAnswer) { Err(lost) } else { Ok(known) }
    }

    async fn sent_to(&self, to: &E164, _: DateTime<Utc>) -> Result<Vec<KnownSms>, SmsError> {
        let taken = self.taken.lock().unwrap();
        Ok(taken.iter().rev().filter(|(sms, _)| sms.to == *to).map(|(_, known)| known.clone()).collect())
    }

    async fn read(&self, sid: &str) -> Result<Option<KnownSms>, SmsError> {
        Ok(self.taken.lock().unwrap().iter().find(|(_, known)| known.sid == sid).map(|(_, known)| known.clone()))
    }

    fn signed(&self, _: &str, _: &[(String, String)], signature: &str) -> bool {
        signature == "right"
    }

    fn reason(&self, error_code: i32) -> Reason {
        let trouble = if error_code == 30003 { SmsTrouble::Unreachable } else { SmsTrouble::NotMobile };
        Reason { trouble, again: error_code == 30003, alarm: false }
    }
}
