//! Sales taxes by where a service is supplied.

use std::collections::BTreeMap;

use kernel::{Ppm, Province};
use serde::{Deserialize, Serialize};

use super::ints::ppm;

/// One tax of a rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TaxShare {
    /// `gst`, `qst`, `hst`.
    pub name: String,
    /// Its own rate.
    #[serde(rename = "rate_ppm", with = "ppm")]
    pub rate: Ppm,
}

/// What is added to an amount.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TaxRule {
    /// `gst+qst`, `gst`, `hst`.
    #[serde(rename = "type")]
    pub type_code: String,
    /// All components together.
    #[serde(rename = "rate_ppm", with = "ppm")]
    pub rate: Ppm,
    /// In the order they are printed; the last takes the remainder of the rounding.
    pub components: Vec<TaxShare>,
}

impl Default for TaxRule {
    /// Quebec's rule, which the specification names as the default (`gst+qst`, 0.14975).
    fn default() -> Self {
        let share = |name: &str, rate| TaxShare { name: name.to_owned(), rate: Ppm::new(rate) };
        TaxRule {
            type_code: "gst+qst".to_owned(),
            rate: Ppm::new(149_750),
            components: vec![share("gst", 50_000), share("qst", 99_750)],
        }
    }
}

/// The rules by province.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "BTreeMap<String, TaxRule>")]
pub struct Taxes {
    /// A move with a truck within Quebec or labour there; also where no rule is known.
    #[serde(rename = "QC")]
    pub quebec: TaxRule,
    /// Freight that enters Quebec from another province: QST is not collected.
    #[serde(rename = "QC_from_outside")]
    pub quebec_from_outside: TaxRule,
    /// The other provinces.
    #[serde(flatten)]
    pub provinces: BTreeMap<Province, TaxRule>,
}

// Not read through serde's `flatten`, which forgets where in the card a mistake is.
impl TryFrom<BTreeMap<String, TaxRule>> for Taxes {
    type Error = String;

    fn try_from(mut rules: BTreeMap<String, TaxRule>) -> Result<Taxes, String> {
        let mut named = |name: &str| rules.remove(name).ok_or_else(|| format!("missing field `{name}`"));
        let (quebec, quebec_from_outside) = (named("QC")?, named("QC_from_outside")?);
        let provinces = rules.into_iter().map(|(name, rule)| Ok((super::province(&name)?, rule)));
        Ok(Taxes { quebec, quebec_from_outside, provinces: provinces.collect::<Result<_, String>>()? })
    }
}

impl Taxes {
    /// The rule of a service supplied wholly in `province`; Quebec's where none is known.
    pub fn of(&self, province: Province) -> &TaxRule {
        self.provinces.get(&province).unwrap_or(&self.quebec)
    }

    /// The rule of a move: a truck's freight is taxed where it arrives (Excise Tax Act, freight
    /// transportation services), labour where it is done, at the pickup.
    pub fn of_move(&self, pickup: Province, dropoff: Province, just_mates: bool) -> &TaxRule {
        if just_mates {
            self.of(pickup)
        } else if dropoff == Province::QC && pickup != Province::QC {
            &self.quebec_from_outside
        } else {
            self.of(dropoff)
        }
    }
}
