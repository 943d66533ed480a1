//! The words of the policy: its texts, with the figures of the settings they are about.

use kernel::{BasisPoints, Language};
use policy::{Hours, PaymentPlan, Settings, Term};

use crate::{
    formats::{self, whole},
    limit::Limit,
    texts::text,
};

/// The terms of a plan in whole sentences, in the order they are read: what the guidelines page shows.
pub fn sentences(s: &Settings, plan: &PaymentPlan, l: Language) -> Vec<String> {
    policy::sentences(s, plan).iter().map(|sentence| words(sentence.term, s, l)).collect()
}

/// What one term says under these settings.
pub fn words(term: Term, s: &Settings, l: Language) -> String {
    filled(text(term.key(), l), s, l)
}

/// A text with the figures of these settings in place of its names for them.
pub fn filled(text: &str, s: &Settings, l: Language) -> String {
    let rest = BasisPoints::new(BasisPoints::ONE.get() - s.deposit.get());
    let figures = [
        ("deposit", share(s.deposit, l)),
        ("rest", share(rest, l)),
        ("changeFee", share(s.change_fee, l)),
        ("afterFree", share(s.retention.after_free, l)),
        ("afterLock", share(s.retention.after_lock, l)),
        ("freeWindow", hours(s.free_window, l)),
        ("freeSpan", span(s.free_window, l)),
        ("lockWindow", hours(s.lock_window, l)),
        ("lockSpan", span(s.lock_window, l)),
        ("lockNext", next(s.lock_window, l)),
        ("tipDelay", hours(s.tip_delay, l)),
    ];
    formats::filled(text, l, figures.iter().map(|(name, value)| (*name, value.as_str())))
}

fn share(share: BasisPoints, l: Language) -> String {
    Limit::Share(share).words(l)
}

/// `24 hours`, `24 heures`, `24 小时`.
fn hours(n: Hours, l: Language) -> String {
    let unit = match (l, n.0) {
        (Language::En, 1) => "hour",
        (Language::En, _) => "hours",
        (Language::Fr, 0 | 1) => "heure",
        (Language::Fr, _) => "heures",
        (Language::Zh, _) => "小时",
    };
    format!("{} {unit}", whole(n.0, l))
}

/// After `within`: French puts an article before it, and leaves one hour without its number.
fn span(n: Hours, l: Language) -> String {
    match (l, n.0) {
        (Language::Fr, 1) => "l’heure".to_owned(),
        (Language::Fr, _) => format!("les {}", hours(n, l)),
        (Language::En | Language::Zh, _) => hours(n, l),
    }
}

/// `the next 48 hours`, `les 48 prochaines heures`, `48 小时`.
fn next(n: Hours, l: Language) -> String {
    match (l, n.0) {
        (Language::En, 1) => "the next hour".to_owned(),
        (Language::En, _) => format!("the next {}", hours(n, l)),
        (Language::Fr, 0 | 1) => "la prochaine heure".to_owned(),
        (Language::Fr, _) => format!("les {} prochaines heures", whole(n.0, l)),
        (Language::Zh, _) => hours(n, l),
    }
}

#[cfg(test)]
mod tests {
    use policy::Retention;

    use super::*;

    /// The specification's own sentences are those of the shipped figures, word for word.
    #[test]
    fn the_shipped_figures_make_the_specified_sentences() {
        let s = Settings::default();
        for (term, specified) in [
            (
                Term::Deposit,
                [
                    "A deposit of 20% of the total estimate is charged 24 hours after booking and is not refundable.",
                    "Un dépôt de 20\u{a0}% du total estimé est prélevé 24 heures après la réservation et n’est pas remboursable.",
                    "预订 24 小时后将收取总估价 20% 的订金，恕不退还。",
                ],
            ),
            (
                Term::Balance,
                [
                    "The remaining 80% is authorized and charged 48 hours before the move.",
                    "Les 80\u{a0}% restants sont autorisés et prélevés 48 heures avant le déménagement.",
                    "其余 80% 将在搬家前 48 小时预授权并扣款。",
                ],
            ),
            (
                Term::FullAtOnce,
                [
                    "Your move is within the next 48 hours: the full amount is charged now.",
                    "Votre déménagement a lieu dans les 48 prochaines heures\u{a0}: le montant total est prélevé immédiatement.",
                    "您的搬家将在 48 小时内进行：现在将收取全额。",
                ],
            ),
            (
                Term::CancelFree,
                [
                    "Cancelling within 24 hours of booking and more than 48 hours before the move is free.",
                    "L’annulation dans les 24 heures suivant la réservation et plus de 48 heures avant le déménagement est gratuite.",
                    "在预订后 24 小时内且距搬家 48 小时以上取消，免收费用。",
                ],
            ),
            (
                Term::DepositKept,
                [
                    "After 24 hours, the deposit of 20% is kept as a cancellation fee.",
                    "Après 24 heures, le dépôt de 20\u{a0}% est conservé à titre de frais d’annulation.",
                    "超过 24 小时后取消，将扣留 20% 的订金作为取消费用。",
                ],
            ),
            (
                Term::LockRest,
                [
                    "Within 48 hours of the move, the remaining 80% is charged and is not refundable.",
                    "Dans les 48 heures précédant le déménagement, les 80\u{a0}% restants sont prélevés et ne sont pas remboursables.",
                    "搬家前 48 小时内，将收取其余 80%，恕不退还。",
                ],
            ),
            (
                Term::Changes,
                [
                    "Changes made 24 hours after booking, once a mate is assigned, may cost an extra 20% of the total.",
                    "Les modifications faites plus de 24 heures après la réservation, une fois un aidant assigné, peuvent coûter 20\u{a0}% du total en plus.",
                    "预订 24 小时后且已分配帮手时进行修改，可能加收总额的 20%。",
                ],
            ),
        ] {
            assert_eq!(Language::ALL.map(|l| words(term, &s, l)), specified.map(str::to_owned));
        }
    }

    #[test]
    fn every_term_is_said_in_every_language_with_its_own_figures() {
        let s = Settings {
            deposit: BasisPoints::new(5_050),
            free_window: Hours(1),
            lock_window: Hours(1),
            change_fee: BasisPoints::new(1_250),
            retention: Retention { after_free: BasisPoints::new(3_000), ..Retention::default() },
            tip_delay: Hours(1),
            ..Settings::default()
        };
        for term in Term::ALL {
            for l in Language::ALL {
                let said = words(term, &s, l);
                assert!(!said.contains(['{', '}', '…']), "{said}");
                assert!(!["24", "48", "20%", "20\u{a0}%", "80"].iter().any(|old| said.contains(old)), "{said}");
                assert!(!said.contains("1 hours") && !said.contains("1 heures") && !said.contains("les 1"), "{said}");
            }
        }
        assert_eq!(
            words(Term::DepositKept, &s, Language::Fr),
            "Après 1 heure, le dépôt de 50,5\u{a0}% est conservé à titre de frais d’annulation."
        );
        assert_eq!(
            words(Term::FullAtOnce, &s, Language::En),
            "Your move is within the next hour: the full amount is charged now."
        );
        assert!(
            words(Term::LockRest, &s, Language::Fr).starts_with("Dans l’heure précédant le déménagement, les 49,5")
        );
    }
}
