//! How the amount of a line comes about, as one sentence: quantity × rate × named factors = amount. Its numbers,
//! multiplied, give the amount to the cent.

use chrono::NaiveDate;
use kernel::{BasisPoints, Language, Money, Province};
use pricing::{
    ContentType, Discount, DiscountTerms, Line, MoveKind, Period, Quote, Unit, line::code, line::exact_factor,
};

use super::{job::MoveToPrice, labels::day_label};
use crate::{formats, ports::priced::BookedLine};

/// What the explanations of a price need besides its lines.
#[derive(Debug, Clone, PartialEq)]
pub struct ExplanationContext {
    province: Province,
    /// The day and the period that makes it dear.
    dear: Option<(NaiveDate, Period)>,
    discount: Option<DiscountTerms>,
    needed_minutes: u32,
    tier: u8,
    /// Cubic feet at which the second and the third size class begin.
    thresholds: [u32; 2],
    distance_km10: u32,
    included_km: u32,
    /// The truck's empty way back is billed as well: the kilometres count twice.
    bills_way_back: bool,
}

impl ExplanationContext {
    pub(super) fn of(job: &MoveToPrice<'_>, day: Option<NaiveDate>, discount: Option<&Discount>) -> ExplanationContext {
        let province = job.request.pickup.province;
        let holiday = day.is_some_and(|d| scheduling::is_statutory(province, d));
        ExplanationContext {
            province,
            dear: day.zip(job.card.dear_period(province, day, holiday).cloned()),
            discount: discount.map(|d| d.terms.clone()),
            needed_minutes: job.duration.minutes,
            tier: job.duration.tier,
            thresholds: [job.card.level_one_threshold, job.card.level_two_threshold],
            distance_km10: job.request.distance_km10,
            included_km: job.card.rate(province).included_km,
            bills_way_back: job.duration.effective_kind == MoveKind::LongDistance,
        }
    }
}

/// The named factors of a booked line, `× 1.25 (overtime)`: what its quantity and unit price are multiplied by besides, where
/// no sentence in that language was frozen with it. None where the two alone give the amount.
pub fn factors(line: &BookedLine, language: Language) -> Option<String> {
    let pick = |en: &'static str, fr: &'static str, zh: &'static str| match language {
        Language::En => en,
        Language::Fr => fr,
        Language::Zh => zh,
    };
    let own = match line.code.as_str() {
        code::OVERTIME => pick("overtime", "temps supplémentaire", "超时"),
        code::RETURN_LABOUR => {
            pick("share billed of the empty way back", "part facturée du retour à vide", "空车返程计费比例")
        }
        _ => pick("factor of this line", "coefficient de cette ligne", "本项系数"),
    };
    let day = pick("factor of the day", "coefficient du jour", "当日系数");
    let both = [(line.own_factor, own), (line.date_factor, day)];
    let known = both.iter().all(|(factor, _)| factor.is_some());
    // A line of before the two were kept apart has their product only.
    let whole = [(Some(line.multiplier), own)];
    let told = if known { &both[..] } else { &whole[..] };
    let named = told
        .iter()
        .filter_map(|(factor, why)| Some(((*factor)?, *why)))
        .filter(|(factor, _)| *factor != exact_factor(BasisPoints::ONE));
    let parts: Vec<String> = named
        .map(|(factor, why)| match language {
            Language::Zh => format!("× {factor}（{why}）"),
            Language::En | Language::Fr => format!("× {} ({why})", formats::decimal(&factor.to_string(), language)),
        })
        .collect();
    (!parts.is_empty()).then(|| formats::tight(&parts.join(" "), language))
}

/// Writes the sentences of one price.
pub struct Explainer<'a> {
    facts: &'a ExplanationContext,
    quote: &'a Quote,
    language: Language,
    day: Option<String>,
}

impl<'a> Explainer<'a> {
    /// For the price of an estimate.
    pub fn of(facts: &'a ExplanationContext, quote: &'a Quote, language: Language) -> Self {
        let day = facts.dear.as_ref().map(|(day, period)| day_label(period, facts.province, *day, language));
        Explainer { facts, quote, language, day }
    }

    /// The name of the day where it has a factor.
    pub fn day(&self) -> Option<&str> {
        self.day.as_deref()
    }

    /// The sentence of a line.
    pub fn line(&self, line: &Line) -> String {
        formats::tight(&self.explanation(line), self.language)
    }

    fn explanation(&self, line: &Line) -> String {
        match (line.content, line.code.as_str()) {
            (ContentType::Discount, _) => self.discount(line),
            (_, code::LABOUR) => format!("{}{}", self.product(line), self.minimum()),
            (_, code::TRUCK_FEE) => self.truck(line),
            _ if line.unit == Unit::Flat && line.quantity == 1 => {
                let whole = self.pick(
                    "One price for the whole move",
                    "Prix unique pour tout le déménagement",
                    "整次搬家一口价",
                );
                format!("{whole} = {}{}", self.money(line.amount), self.pick(".", ".", "。"))
            }
            _ => self.product(line),
        }
    }

    fn pick<'t>(&self, en: &'t str, fr: &'t str, zh: &'t str) -> &'t str {
        match self.language {
            Language::En => en,
            Language::Fr => fr,
            Language::Zh => zh,
        }
    }

    fn money(&self, amount: Money) -> String {
        formats::money(amount, self.language)
    }

    fn minutes(&self, minutes: i64) -> String {
        formats::minutes(u32::try_from(minutes).unwrap_or(0), self.language)
    }

    fn number(&self, text: &str) -> String {
        formats::decimal(text, self.language)
    }

    fn in_brackets(&self, text: &str) -> String {
        match self.language {
            Language::Zh => format!("（{text}）"),
            Language::En | Language::Fr => format!(" ({text})"),
        }
    }

    /// What is multiplied and what comes out.
    fn product(&self, line: &Line) -> String {
        let price = self.money(line.unit_price);
        let mut parts = match line.unit {
            Unit::Hour => vec![self.minutes(line.quantity), self.per_hour(line, &price)],
            Unit::Km => vec![self.km(u32::try_from(line.quantity).unwrap_or(0)), self.per_km(&price)],
            Unit::Flat => vec![line.quantity.to_string(), price],
        };
        if line.factor != BasisPoints::ONE {
            let why = match line.code.as_str() {
                code::RETURN_LABOUR => self.pick(
                    "share billed of the empty way back",
                    "part facturée du retour à vide",
                    "空车返程计费比例",
                ),
                code::OVERTIME => self.pick("overtime", "temps supplémentaire", "超时"),
                _ => self.pick("factor of this line", "coefficient de cette ligne", "本项系数"),
            };
            parts.push(format!("{}{}", self.number(&line.exact_own_factor().to_string()), self.in_brackets(why)));
        }
        if line.multiplier != BasisPoints::ONE {
            parts.push(format!(
                "{}{}",
                self.number(&line.exact_date_factor().to_string()),
                self.in_brackets(&self.named_factor(line))
            ));
        }
        let stop = self.pick(".", ".", "。");
        format!("{} = {}{stop}", parts.join(" × "), self.money(line.amount))
    }

    fn per_hour(&self, line: &Line, price: &str) -> String {
        match (self.language, line.mates) {
            (Language::En, 1) => format!("{price} per hour (1 mate)"),
            (Language::En, n) => format!("{price} per hour ({n} mates)"),
            (Language::Fr, n @ (0 | 1)) => format!("{price} l’heure ({n} aidant)"),
            (Language::Fr, n) => format!("{price} l’heure ({n} aidants)"),
            (Language::Zh, n) => format!("每小时 {price}（{n} 名帮手）"),
        }
    }

    fn km(&self, km10: u32) -> String {
        formats::kilometres(km10, self.language)
    }

    fn per_km(&self, price: &str) -> String {
        let included = self.km(self.facts.included_km.saturating_mul(10));
        let one_way = self.km(self.facts.distance_km10);
        match (self.language, self.facts.bills_way_back) {
            (Language::En, false) => format!("{price} per km (beyond the {included} included)"),
            (Language::Fr, false) => format!("{price} le km (au-delà des {included} compris)"),
            (Language::Zh, false) => format!("每公里 {price}（超出所含的 {included}）"),
            (Language::En, true) => {
                format!(
                    "{price} per km ({one_way} there, as much for the empty way back, less the {included} included)"
                )
            }
            (Language::Fr, true) => {
                format!(
                    "{price} le km ({one_way} à l’aller, autant pour le retour à vide, moins les {included} compris)"
                )
            }
            (Language::Zh, true) => {
                format!("每公里 {price}（去程 {one_way}，空车返程按同样里程计费，减去所含的 {included}）")
            }
        }
    }

    /// `Saturday +10%`; from twice the price on, the factor alone says it.
    fn named_factor(&self, line: &Line) -> String {
        let name = self.day.as_deref().unwrap_or(&line.period);
        let more = line.multiplier.get() - BasisPoints::ONE.get();
        if more <= 0 || more >= BasisPoints::ONE.get() {
            return name.to_owned();
        }
        format!("{name} +{}", self.percent(BasisPoints::new(more)))
    }

    fn percent(&self, share: BasisPoints) -> String {
        let number = exact_factor(BasisPoints::new(share.get() * 100)).to_string();
        formats::percent(number.trim_end_matches('0').trim_end_matches('.'), self.language)
    }

    /// Why more time is billed than the work takes; empty when it is not.
    fn minimum(&self) -> String {
        let (billed, needed) = (self.quote.billed_minutes, self.facts.needed_minutes);
        if billed <= needed {
            return String::new();
        }
        let (billed, needed) = (self.minutes(billed.into()), self.minutes(needed.into()));
        match self.language {
            Language::En => format!(" {billed} is the least we bill; the work takes about {needed}."),
            Language::Fr => format!(" {billed} est le minimum facturé; le travail prend environ {needed}."),
            Language::Zh => format!("最少按 {billed}计费；实际工作约需 {needed}。"),
        }
    }

    fn truck(&self, line: &Line) -> String {
        let [small, large] = self.facts.thresholds.map(|n| formats::whole(n, self.language));
        let price = self.money(line.amount);
        match (self.language, self.facts.tier) {
            (Language::En, 1) => format!("One price for the whole move, truck for up to {small} cubic feet = {price}."),
            (Language::En, 2) => {
                format!("One price for the whole move, truck for {small} to {large} cubic feet = {price}.")
            }
            (Language::En, _) => format!("One price for the whole move, truck for over {large} cubic feet = {price}."),
            (Language::Fr, 1) => {
                format!("Prix unique pour tout le déménagement, camion jusqu’à {small} pieds cubes = {price}.")
            }
            (Language::Fr, 2) => {
                format!("Prix unique pour tout le déménagement, camion de {small} à {large} pieds cubes = {price}.")
            }
            (Language::Fr, _) => {
                format!("Prix unique pour tout le déménagement, camion de plus de {large} pieds cubes = {price}.")
            }
            (Language::Zh, 1) => format!("整次搬家一口价，{small} 立方英尺以内的卡车 = {price}。"),
            (Language::Zh, 2) => format!("整次搬家一口价，{small} 至 {large} 立方英尺的卡车 = {price}。"),
            (Language::Zh, _) => format!("整次搬家一口价，{large} 立方英尺以上的卡车 = {price}。"),
        }
    }

    fn discount(&self, line: &Line) -> String {
        let off = self.money(line.amount);
        let given = line.amount.negated();
        // What a code takes off: everything before it but the change fee.
        let counted = |l: &&Line| {
            !matches!(l.content, ContentType::Discount | ContentType::Overtime) && l.code != code::CHANGE_FEE
        };
        let base: Money = self.quote.lines.iter().filter(counted).map(|l| l.amount).sum();
        let stop = self.pick(".", ".", "。");
        match &self.facts.discount {
            Some(DiscountTerms::Percent { share, max }) => {
                let percent = self.percent(*share);
                let whole = self.money(base);
                let of = match self.language {
                    Language::En => format!("{percent} of {whole}"),
                    Language::Fr => format!("{percent} de {whole}"),
                    Language::Zh => format!("{whole} 的 {percent}"),
                };
                match max.filter(|m| *m == given && base.share(*share) != given) {
                    Some(most) => {
                        let most = self.money(most);
                        let at_most = match self.language {
                            Language::En => format!("{of}, at most {most}"),
                            Language::Fr => format!("{of}, au plus {most}"),
                            Language::Zh => format!("{of}，最多 {most}"),
                        };
                        format!("{at_most} = {off}{stop}")
                    }
                    None => format!("{of} = {off}{stop}"),
                }
            }
            Some(DiscountTerms::Fixed { amount }) => {
                let amount_text = self.money(*amount);
                let mut of = match self.language {
                    Language::En => format!("{amount_text} off with the code"),
                    Language::Fr => format!("{amount_text} de moins avec le code"),
                    Language::Zh => format!("使用优惠码立减 {amount_text}"),
                };
                if *amount != given {
                    of.push_str(self.pick(", at most the price itself", ", au plus le prix lui-même", "，最多减至零"));
                }
                format!("{of} = {off}{stop}")
            }
            None => format!("{off}{stop}"),
        }
    }
}
