//! Facts about the company.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::ports::logos::LogoId;

/// Facts about the company that texts name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Company {
    /// Shown name.
    pub name: String,
    /// Postal address, one line.
    pub address: String,
    /// Where customers write.
    pub support_email: String,
    /// Where customers call.
    pub support_phone: String,
    /// GST registration; empty: none is shown.
    pub gst_number: String,
    /// QST registration; empty: none is shown.
    pub qst_number: String,
    /// Quebec enterprise number; empty: none is shown.
    pub neq: String,
    /// The uploaded logo that is shown; empty: none is.
    pub logo: String,
    /// Where answers to mails about a booking go, by its hub. For other hubs the installation says it.
    pub reply_to: BTreeMap<String, String>,
    /// Before the year in the numbers of invoices, by hub: `MTL-2027-000001`. Other hubs share one sequence.
    pub invoice_prefix: BTreeMap<String, String>,
    /// Root of links in messages, without a trailing slash. The installation's: nobody saves it.
    #[serde(skip)]
    pub public_url: String,
}

impl Company {
    /// Path of the logo's file; none without a logo.
    pub fn logo_path(&self) -> Option<String> {
        self.logo.parse::<LogoId>().ok().map(|id| format!("/api/logos/{id}"))
    }
}
