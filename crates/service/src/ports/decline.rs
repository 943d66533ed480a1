//! Why a card was refused, as far as whoever holds it can do something about it.

/// What a person is told of a refused card. A card that is reported lost, stolen or used in fraud is
/// [`DeclineReason::Bank`]: whoever holds it is told no more than that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeclineReason {
    /// Not enough money on it.
    InsufficientFunds,
    /// More than may be spent with it for now.
    LimitExceeded,
    /// It has ended.
    Expired,
    /// No card has this number.
    WrongNumber,
    /// The card has another expiry date.
    WrongExpiry,
    /// The card has another security code.
    WrongCode,
    /// The bank has another address.
    WrongAddress,
    /// A card of this kind does not pay for this.
    NotAllowed,
    /// The bank wants the person to confirm.
    ConfirmationNeeded,
    /// The bank could not be asked.
    BankUnreachable,
    /// Tried too often.
    TriedTooOften,
    /// Whatever else the bank or the gateway has against it.
    Bank,
}

impl DeclineReason {
    /// All of them.
    pub const ALL: [DeclineReason; 12] = [
        DeclineReason::InsufficientFunds,
        DeclineReason::LimitExceeded,
        DeclineReason::Expired,
        DeclineReason::WrongNumber,
        DeclineReason::WrongExpiry,
        DeclineReason::WrongCode,
        DeclineReason::WrongAddress,
        DeclineReason::NotAllowed,
        DeclineReason::ConfirmationNeeded,
        DeclineReason::BankUnreachable,
        DeclineReason::TriedTooOften,
        DeclineReason::Bank,
    ];

    /// The name in the API.
    pub fn code(self) -> &'static str {
        match self {
            DeclineReason::InsufficientFunds => "insufficient_funds",
            DeclineReason::LimitExceeded => "limit_exceeded",
            DeclineReason::Expired => "expired",
            DeclineReason::WrongNumber => "wrong_number",
            DeclineReason::WrongExpiry => "wrong_expiry",
            DeclineReason::WrongCode => "wrong_code",
            DeclineReason::WrongAddress => "wrong_address",
            DeclineReason::NotAllowed => "not_allowed",
            DeclineReason::ConfirmationNeeded => "confirmation_needed",
            DeclineReason::BankUnreachable => "bank_unreachable",
            DeclineReason::TriedTooOften => "tried_too_often",
            DeclineReason::Bank => "bank",
        }
    }

    /// Of the code that the port answers with a refusal: of the processor (`2001`), of the gateway's own rules (`CVV`), or
    /// of a field of the card that the gateway does not take (`81715`).
    pub fn of(code: &str) -> DeclineReason {
        match code {
            "2001" => DeclineReason::InsufficientFunds,
            "2002" | "2003" => DeclineReason::LimitExceeded,
            "2004" => DeclineReason::Expired,
            "2005" | "2007" | "2008" | "81714" | "81715" | "81716" => DeclineReason::WrongNumber,
            "2006" | "81709" | "81710" | "81711" | "81712" | "81713" => DeclineReason::WrongExpiry,
            "2010" | "2060" | "CVV" | "AVS_AND_CVV" | "81706" | "81707" => DeclineReason::WrongCode,
            "2059" | "AVS" => DeclineReason::WrongAddress,
            "2015" | "2024" | "2057" => DeclineReason::NotAllowed,
            "2099" | "THREE_D_SECURE" => DeclineReason::ConfirmationNeeded,
            "3000" => DeclineReason::BankUnreachable,
            "EXCESSIVE_RETRY" => DeclineReason::TriedTooOften,
            _ => DeclineReason::Bank,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_holder_can_mend_is_named_and_nothing_else() {
        for (code, reason) in [
            ("2001", "insufficient_funds"),
            ("2004", "expired"),
            ("2010", "wrong_code"),
            ("81715", "wrong_number"),
            ("AVS", "wrong_address"),
            ("2099", "confirmation_needed"),
            ("3000", "bank_unreachable"),
            // Not honoured, lost, stolen, fraud, and whatever a later version adds.
            ("2000", "bank"),
            ("2012", "bank"),
            ("2013", "bank"),
            ("2014", "bank"),
            ("FRAUD", "bank"),
            ("", "bank"),
            ("9999", "bank"),
        ] {
            assert_eq!(DeclineReason::of(code).code(), reason, "{code}");
        }
    }
}
