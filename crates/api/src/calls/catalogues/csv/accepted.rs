//! What a cell may hold, told where what it holds is refused.

use kernel::{Language, Province};
use pricing::MoveKind;
use service::ports::directory::{MateState, PartnerState, TruckState};

use crate::http::{problem::Field, texts};

/// What a column takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Accepts {
    /// Whatever its refusal says enough about.
    Anything,
    /// A day.
    Day,
    /// A day and its time.
    Instant,
    /// Yes or no.
    Flag,
    /// Papers of a mate.
    Papers,
    /// People of a partner.
    People,
    /// Sizes of trucks.
    Sizes,
    /// Hubs.
    Hubs,
    /// Provinces and territories.
    Provinces,
    /// Languages.
    Languages,
    /// What the value of a discount is.
    DiscountKinds,
    /// Kinds of move.
    MoveKinds,
    /// Where a mate stands.
    MateStates,
    /// Where a partner stands.
    PartnerStates,
    /// Where a truck stands.
    TruckStates,
}

impl Accepts {
    /// Every value, where there are few.
    fn values(self, language: Language) -> Vec<&'static str> {
        match self {
            Accepts::Anything | Accepts::Day | Accepts::Instant | Accepts::Papers | Accepts::People => Vec::new(),
            Accepts::Flag => match language {
                Language::En => vec!["yes", "no"],
                Language::Fr => vec!["oui", "non"],
                Language::Zh => vec!["是", "否"],
            },
            Accepts::Sizes => vec!["10ft", "20ft", "26ft"],
            Accepts::Hubs => geography::hubs().iter().map(|hub| hub.id).collect(),
            Accepts::Provinces => Province::ALL.iter().map(|province| province.code()).collect(),
            Accepts::Languages => Language::ALL.iter().map(|language| language.code()).collect(),
            Accepts::DiscountKinds => vec!["percent", "fixed"],
            Accepts::MoveKinds => MoveKind::ALL.iter().map(|kind| kind.code()).collect(),
            Accepts::MateStates => MateState::ALL.iter().map(|state| state.code()).collect(),
            Accepts::PartnerStates => PartnerState::ALL.iter().map(|state| state.code()).collect(),
            Accepts::TruckStates => TruckState::ALL.iter().map(|state| state.code()).collect(),
        }
    }

    /// What is wrong with a cell, and what it may hold where the value itself is refused.
    pub(super) fn words(self, field: &Field, language: Language) -> String {
        let said = field.words(language);
        let key = match (field.message, self) {
            (_, Accepts::Anything) => return said,
            // A paper without its day is written in another form as well.
            ("form.invalid" | "form.required", Accepts::Papers) => "csv.papers",
            ("form.invalid" | "form.required", Accepts::People) => "csv.people",
            ("form.invalid" | "field.wrongType", Accepts::Day) => "csv.day",
            ("form.invalid" | "field.wrongType", Accepts::Instant) => "csv.instant",
            ("form.invalid" | "field.unknownValue" | "field.wrongType", _) => "csv.accepted",
            _ => return said,
        };
        let values = self.values(language).join(", ");
        texts::filled(key, language, [("said", said.as_str()), ("values", values.as_str())])
    }
}
