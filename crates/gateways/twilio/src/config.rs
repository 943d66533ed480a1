//! The client's settings, and which of them it refuses.

use std::time::Duration;

use reqwest::Url;
use secrecy::{ExposeSecret as _, SecretString};
use service::ports::sms::SmsError;

/// Settings of the client. `Debug` never shows the token.
#[derive(Debug, Clone)]
pub struct Config {
    /// Up to the version: `https://api.twilio.com/2010-04-01`, or the simulator's mount.
    pub base_url: String,
    /// `AC` and 32 hexadecimal digits.
    pub account_sid: String,
    /// Signs in, and proves what the service tells us.
    pub auth_token: SecretString,
    /// Who writes: a number of ours (`+15145550100`), a short code, or a messaging service (`MG…`).
    pub sender: String,
    /// How long calls may take.
    pub timeouts: Timeouts,
}

/// How long calls may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// To open a connection.
    pub connect: Duration,
    /// A whole call.
    pub total: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Timeouts { connect: Duration::from_secs(5), total: Duration::from_secs(15) }
    }
}

fn misconfigured(why: &str) -> SmsError {
    SmsError::Misconfigured(why.to_owned())
}

/// A name the service gives: two letters and 32 hexadecimal digits.
fn is_sid(text: &str, prefix: &str) -> bool {
    let rest = text.strip_prefix(prefix);
    rest.is_some_and(|rest| rest.len() == 32 && rest.bytes().all(|b| b.is_ascii_hexdigit()))
}

impl Config {
    /// The address below which the account's messages are, once everything has been checked.
    pub(crate) fn checked(&self) -> Result<Url, SmsError> {
        let url =
            Url::parse(self.base_url.trim_end_matches('/')).map_err(|_| misconfigured("its address is not a URL"))?;
        if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
            return Err(misconfigured("its address must begin with http:// or https://"));
        }
        if !is_sid(&self.account_sid, "AC") {
            return Err(misconfigured("the account SID is AC and 32 hexadecimal digits"));
        }
        if self.auth_token.expose_secret().trim().is_empty() {
            return Err(misconfigured("the auth token is empty"));
        }
        let number = self.sender.strip_prefix('+').unwrap_or(&self.sender);
        let is_number = (4..=15).contains(&number.len()) && number.bytes().all(|b| b.is_ascii_digit());
        if !is_number && !self.is_service() {
            return Err(misconfigured(
                "the sender is a number such as +15145550100, or a messaging service, MG and 32 digits",
            ));
        }
        Ok(url)
    }

    /// The sender is a messaging service, which chooses one of its numbers.
    pub(crate) fn is_service(&self) -> bool {
        is_sid(&self.sender, "MG")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_of_no_use_is_refused() {
        let good = Config {
            base_url: "https://api.twilio.com/2010-04-01".into(),
            account_sid: format!("AC{}", "a".repeat(32)),
            auth_token: "token".to_owned().into(),
            sender: "+15145550100".into(),
            timeouts: Timeouts::default(),
        };
        let set = |change: fn(&mut Config)| {
            let mut config = good.clone();
            change(&mut config);
            config.checked().is_ok()
        };
        assert!(
            set(|_| {}) && set(|c| c.sender = format!("MG{}", "0".repeat(32))) && set(|c| c.sender = "24365".into())
        );
        assert!(!set(|c| c.base_url = "api.twilio.com".into()) && !set(|c| c.base_url = "ftp://x".into()));
        assert!(!set(|c| c.account_sid = "AC12".into()) && !set(|c| c.account_sid = format!("SK{}", "a".repeat(32))));
        assert!(!set(|c| c.auth_token = " ".to_owned().into()) && !set(|c| c.sender = "us".into()));
        assert!(!format!("{good:?}").contains("\"token\""));
    }
}
