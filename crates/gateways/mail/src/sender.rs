//! Who writes, and when.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use kernel::Email;

/// The clock that dates messages; in demo mode the one that tests move.
pub type Now = Arc<dyn Fn() -> DateTime<Utc> + Send + Sync>;

/// The sending side of every message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sender {
    /// Address in `From`. Its domain must align with SPF and DKIM of the relay.
    pub from: Email,
    /// Name in `From`, usually the company's.
    pub from_name: String,
    /// Where answers go, when not to `from`.
    pub reply_to: Option<Email>,
    /// Right side of the Message-ID and name in the greeting of the relay. Set by us so that no
    /// machine's name leaks.
    pub domain: String,
}

impl Sender {
    /// A sender that names its address's domain.
    pub fn new(from: Email, from_name: impl Into<String>) -> Sender {
        let domain = from.as_str().rsplit_once('@').map_or("localhost", |(_, domain)| domain).to_owned();
        Sender { from, from_name: from_name.into(), reply_to: None, domain }
    }
}
