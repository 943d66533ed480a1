//! Addresses from an issuer's userinfo endpoint, for access tokens that carry none.

use std::collections::HashMap;

use kernel::chrono::{DateTime, Duration, Utc};
use serde_json::Value;
use tokio::sync::Mutex;

use super::transport;

/// How long an answer (or a failure) is believed.
const KEEP: Duration = Duration::minutes(10);
/// The most people in the cache.
const MOST: usize = 10_000;

type CachedUserInfo = (DateTime<Utc>, Option<Value>);

/// Userinfo by subject.
#[derive(Default)]
pub(super) struct UserInfos(Mutex<HashMap<String, CachedUserInfo>>);

impl UserInfos {
    /// Forgets a person's answer: they have come with a token that userinfo accepts.
    pub async fn forget(&self, subject: &str) {
        self.0.lock().await.remove(subject);
    }

    /// Userinfo of the token's person. None when the issuer does not tell: the person then is a
    /// customer without a known address, which is safe.
    pub async fn of(
        &self,
        http: &reqwest::Client,
        endpoint: &str,
        subject: &str,
        token: &str,
        now: DateTime<Utc>,
    ) -> Option<Value> {
        if let Some((at, known)) = self.0.lock().await.get(subject)
            && now - *at < KEEP
            && *at <= now
        {
            return known.clone();
        }
        // Not under the lock: one slow answer must not hold up everybody.
        let answer = transport::get(http, endpoint, Some(token)).await;
        let found = match answer {
            // OpenID Connect Core §5.3.2: otherwise the answer is somebody else's.
            Ok(info) if info.get("sub").and_then(Value::as_str) == Some(subject) => Some(info),
            Ok(_) => None,
            Err(why) => {
                tracing::warn!(why, "userinfo is not to be had");
                None
            }
        };
        let mut all = self.0.lock().await;
        if all.len() >= MOST {
            all.retain(|_, (at, _)| now - *at < KEEP);
        }
        if all.len() < MOST {
            all.insert(subject.to_owned(), (now, found.clone()));
        }
        found
    }
}
