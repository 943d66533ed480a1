//! The figures of the policy that texts for people name.

use policy::Settings;
use serde::Serialize;
use utoipa::ToSchema;

use super::values::TermCode;

/// Figures of the policy a booking is made under. Shares are of one.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PolicyFigures {
    /// Of this set of figures.
    #[schema(example = "1")]
    version: String,
    /// Share of the total.
    #[schema(example = "0.2")]
    deposit: String,
    /// Hours from the booking in which cancelling is free; the deposit is charged at their end.
    #[schema(example = 24)]
    free_window: u32,
    /// Hours before the move in which all is due and nothing is changed online.
    #[schema(example = 48)]
    lock_window: u32,
    /// Share of the total that a late change costs; `terms` say whether it does.
    #[schema(example = "0.2")]
    change_fee: String,
    /// Share of the total that a cancellation after the free hours keeps.
    #[schema(example = "0.2")]
    after_free: String,
    /// Share of the total that a cancellation within the hours before the move keeps.
    #[schema(example = "1")]
    after_lock: String,
    /// Hours from the end of the move to the charge of the tip.
    #[schema(example = 24)]
    tip_delay: u32,
}

impl From<&Settings> for PolicyFigures {
    fn from(s: &Settings) -> PolicyFigures {
        PolicyFigures {
            version: s.version.clone(),
            deposit: s.deposit.to_string(),
            free_window: s.free_window.0,
            lock_window: s.lock_window.0,
            change_fee: s.change_fee.to_string(),
            after_free: s.retention.after_free.to_string(),
            after_lock: s.retention.after_lock.to_string(),
            tip_delay: s.tip_delay.0,
        }
    }
}

/// The policy in force, for texts that are read before there is a move.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PublicPolicy {
    figures: PolicyFigures,
    /// What is true of a move on a day far off, in the order people read it.
    #[schema(value_type = Vec<TermCode>)]
    terms: Vec<&'static str>,
    /// In some province a cancellation keeps something else: what holds is known with the pickup.
    differs_by_province: bool,
}

impl From<&Settings> for PublicPolicy {
    fn from(s: &Settings) -> PublicPolicy {
        let general = s.retention;
        let mut own = s.provinces.values().filter_map(|province| province.retention);
        let differs = |r: policy::Retention| {
            (r.mode, r.after_free, r.after_lock) != (general.mode, general.after_free, general.after_lock)
        };
        PublicPolicy {
            figures: s.into(),
            terms: policy::general_terms(s).into_iter().map(policy::Term::code).collect(),
            differs_by_province: own.any(differs),
        }
    }
}
