//! The words of a printed quote, in three languages.

use kernel::Language;

/// A word of a printed quote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Word {
    /// Kind of move.
    Kind,
    /// Volume, cubic feet.
    Volume,
    /// Large pieces.
    Big,
    /// Small pieces.
    Small,
    /// Size class.
    Tier,
    /// How long it takes.
    Duration,
    /// Heading of the lines.
    Line,
    /// Heading of quantities.
    Quantity,
    /// Heading of unit prices.
    UnitPrice,
    /// Heading of multipliers.
    Multiplier,
    /// Heading of amounts.
    Amount,
    /// Sum before tax.
    BeforeTax,
    /// Sum with tax.
    Total,
    /// Cannot be booked online.
    TooLong,
    /// The file names a code, and there is no database.
    CodeNotLookedUp,
}

/// The text of a word.
pub fn word(word: Word, language: Language) -> &'static str {
    let [en, fr, zh] = match word {
        Word::Kind => ["Kind of move", "Type de déménagement", "搬家类型"],
        Word::Volume => ["Volume (cubic feet)", "Volume (pieds cubes)", "体积（立方英尺）"],
        Word::Big => ["big", "gros", "件大件"],
        Word::Small => ["small", "petits", "件小件"],
        Word::Tier => ["Size class", "Catégorie de taille", "规格"],
        Word::Duration => ["Duration", "Durée", "时长"],
        Word::Line => ["Line", "Ligne", "项目"],
        Word::Quantity => ["Quantity", "Quantité", "数量"],
        Word::UnitPrice => ["Unit price", "Prix unitaire", "单价"],
        Word::Multiplier => ["Multiplier", "Coefficient", "系数"],
        Word::Amount => ["Amount", "Montant", "金额"],
        Word::BeforeTax => ["Before tax", "Avant taxes", "税前"],
        Word::Total => ["Total", "Total", "总计"],
        Word::TooLong => [
            "This move is too long to be booked online.",
            "Ce déménagement est trop long pour être réservé en ligne.",
            "此次搬家时间过长，无法在线预订。",
        ],
        Word::CodeNotLookedUp => [
            "The discount code was left out: codes are kept in the database. Say --discount CODE=10% to apply one.",
            "Le code de réduction n’a pas été appliqué\u{a0}: les codes sont dans la base de données. Indiquez --discount CODE=10% pour en appliquer un.",
            "未应用折扣码：折扣码保存在数据库中。请用 --discount CODE=10% 指定折扣。",
        ],
    };
    match language {
        Language::En => en,
        Language::Fr => fr,
        Language::Zh => zh,
    }
}
