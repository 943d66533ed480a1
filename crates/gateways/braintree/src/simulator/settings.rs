//! How the simulator was told to behave, until it is told otherwise. Kept in its file.

use serde::{Deserialize, Serialize};

use super::chaos::Chaos;

/// Everything about it that lasts longer than one operation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Settings {
    /// The merchant has the feature `apiRequestKey`; without it keys are ignored.
    pub request_keys: bool,
    /// The merchant has the duplicate check on.
    pub duplicate_checking: bool,
    /// The standing random mode.
    pub chaos: Option<Chaos>,
    /// Where webhooks are sent.
    pub webhook_url: Option<String>,
    /// Each webhook is sent twice.
    pub webhooks_twice: bool,
    /// Of webhooks that are due together the newest is sent first.
    pub webhooks_out_of_order: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            request_keys: true,
            duplicate_checking: true,
            chaos: None,
            webhook_url: None,
            webhooks_twice: false,
            webhooks_out_of_order: false,
        }
    }
}
