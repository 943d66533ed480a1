//! Services beside the move itself.

use std::{fmt, str::FromStr};

use kernel::Money;
use serde::{Deserialize, Serialize};

use crate::card::ints::optional_cents;

/// A service people may ask for with a move. It has a price when the rate card says so; else staff call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ExtraService {
    /// Belongings are packed before the move.
    Packing,
    /// And unpacked after it.
    Unpacking,
    /// What is not wanted any more is taken away.
    Disposal,
    /// Belongings are kept for a while.
    Storage,
    /// A television is taken off one wall and put on another.
    TvMounting,
}

/// None of the five services.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("an extra service is packing, unpacking, disposal, storage or tvMounting")]
pub struct UnknownExtraService;

impl ExtraService {
    /// All five, in the order of lines.
    pub const ALL: [ExtraService; 5] = [
        ExtraService::Packing,
        ExtraService::Unpacking,
        ExtraService::Disposal,
        ExtraService::Storage,
        ExtraService::TvMounting,
    ];

    /// The code of the HTTP contract, and of the price line.
    pub const fn code(self) -> &'static str {
        match self {
            ExtraService::Packing => "packing",
            ExtraService::Unpacking => "unpacking",
            ExtraService::Disposal => "disposal",
            ExtraService::Storage => "storage",
            ExtraService::TvMounting => "tvMounting",
        }
    }
}

impl fmt::Display for ExtraService {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl FromStr for ExtraService {
    type Err = UnknownExtraService;
    fn from_str(s: &str) -> Result<Self, UnknownExtraService> {
        ExtraService::ALL.into_iter().find(|e| e.code() == s).ok_or(UnknownExtraService)
    }
}

/// What each service costs a move; one without a price is not billed by itself.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[allow(missing_docs)]
pub struct ExtraPrices {
    #[serde(skip_serializing_if = "Option::is_none", with = "optional_cents")]
    pub packing: Option<Money>,
    #[serde(skip_serializing_if = "Option::is_none", with = "optional_cents")]
    pub unpacking: Option<Money>,
    #[serde(skip_serializing_if = "Option::is_none", with = "optional_cents")]
    pub disposal: Option<Money>,
    #[serde(skip_serializing_if = "Option::is_none", with = "optional_cents")]
    pub storage: Option<Money>,
    #[serde(skip_serializing_if = "Option::is_none", with = "optional_cents")]
    pub tv_mounting: Option<Money>,
}

impl ExtraPrices {
    /// The price of a service.
    pub const fn get(&self, service: ExtraService) -> Option<Money> {
        match service {
            ExtraService::Packing => self.packing,
            ExtraService::Unpacking => self.unpacking,
            ExtraService::Disposal => self.disposal,
            ExtraService::Storage => self.storage,
            ExtraService::TvMounting => self.tv_mounting,
        }
    }

    /// True where no service has a price; such a card reads and writes as one from before there were any.
    pub fn is_empty(&self) -> bool {
        *self == ExtraPrices::default()
    }

    /// These prices, and `base`'s where they say nothing.
    pub fn over(&self, base: &ExtraPrices) -> ExtraPrices {
        ExtraPrices {
            packing: self.packing.or(base.packing),
            unpacking: self.unpacking.or(base.unpacking),
            disposal: self.disposal.or(base.disposal),
            storage: self.storage.or(base.storage),
            tv_mounting: self.tv_mounting.or(base.tv_mounting),
        }
    }
}
