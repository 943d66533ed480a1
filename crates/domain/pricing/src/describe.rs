//! What a line says to people, in three languages.

use kernel::{Language, round_half_up};

use crate::line::code;
use crate::{ContentType, ExtraService, Line, Unit};

/// A length of time: `2 h 30 min`, `2 h 30`, `45 min`; Chinese `2 小时 30 分钟`.
pub fn describe_minutes(minutes: i64, language: Language) -> String {
    let text = line_minutes(minutes, language);
    if language == Language::En && text.contains(" h ") { format!("{} min", text.replace(" h 0", " h ")) } else { text }
}

/// As [`describe_minutes`], in the writing that the texts of lines have in every answer of the API: without the unit of
/// the minutes in English as well. Whoever prints a line for people adds it.
fn line_minutes(minutes: i64, language: Language) -> String {
    let (hours, rest) = (minutes.max(0) / 60, minutes.max(0) % 60);
    match (language, hours, rest) {
        (Language::Zh, 0, m) => format!("{m} 分钟"),
        (Language::Zh, h, 0) => format!("{h} 小时"),
        (Language::Zh, h, m) => format!("{h} 小时 {m} 分钟"),
        (_, 0, m) => format!("{m} min"),
        (_, h, 0) => format!("{h} h"),
        (_, h, m) => format!("{h} h {m:02}"),
    }
}

fn describe_mates(mates: u8, language: Language) -> String {
    match (language, mates) {
        (Language::En, 1) => "1 mate".to_owned(),
        (Language::En, n) => format!("{n} mates"),
        // French counts 0 and 1 as singular.
        (Language::Fr, n @ (0 | 1)) => format!("{n} aidant"),
        (Language::Fr, n) => format!("{n} aidants"),
        (Language::Zh, n) => format!("{n} 名帮手"),
    }
}

/// Kilometres with one decimal and the language's decimal mark; from a hundred on whole ones, with thousands apart.
fn describe_km(km10: i64, language: Language) -> String {
    let (mark, thousands) = if language == Language::Fr { (',', '\u{a0}') } else { ('.', ',') };
    let number = if km10 < 1_000 {
        format!("{}{mark}{}", km10 / 10, (km10 % 10).abs())
    } else {
        let digits = round_half_up(km10.into(), 10).to_string();
        let mut apart = String::with_capacity(digits.len() + 1);
        for (i, digit) in digits.chars().enumerate() {
            if i > 0 && (digits.len() - i).is_multiple_of(3) {
                apart.push(thousands);
            }
            apart.push(digit);
        }
        apart
    };
    match language {
        Language::Zh => format!("{number} 公里"),
        _ => format!("{number} km"),
    }
}

/// `name, detail`; Chinese with its own comma.
fn with_detail(name: &str, detail: &str, language: Language) -> String {
    match language {
        Language::Zh => format!("{name}，{detail}"),
        _ => format!("{name}, {detail}"),
    }
}

fn content_name(content: ContentType, language: Language) -> &'static str {
    let [en, fr, zh] = match content {
        ContentType::Regular => ["Regular", "Régulier", "常规"],
        ContentType::RideAlong => ["Ride along", "Passager à bord", "随车乘坐"],
        ContentType::Overtime => ["Overtime", "Temps supplémentaire", "超时"],
        ContentType::Discount => ["Discount", "Réduction", "折扣"],
        ContentType::Other => ["Other", "Autre", "其他"],
    };
    match language {
        Language::En => en,
        Language::Fr => fr,
        Language::Zh => zh,
    }
}

/// What people call a service beside the move.
pub fn extra_name(service: ExtraService, language: Language) -> &'static str {
    let [en, fr, zh] = match service {
        ExtraService::Packing => ["Packing", "Emballage", "打包"],
        ExtraService::Unpacking => ["Unpacking", "Déballage", "拆包整理"],
        ExtraService::Disposal => ["Disposal", "Mise au rebut", "旧物清运"],
        ExtraService::Storage => ["Storage", "Entreposage", "仓储"],
        ExtraService::TvMounting => ["TV mounting", "Installation du téléviseur", "电视挂装"],
    };
    match language {
        Language::En => en,
        Language::Fr => fr,
        Language::Zh => zh,
    }
}

/// The text of a line: `2 mates × 2 h 30`, `2 aidants × 2 h 30`, `2 名帮手 × 2 小时 30 分钟`.
///
/// Lines with a code of their own (discounts, lines staff add) read content type and code.
pub fn describe_line(line: &Line, language: Language) -> String {
    let pick = |en: &'static str, fr: &'static str, zh: &'static str| match language {
        Language::En => en,
        Language::Fr => fr,
        Language::Zh => zh,
    };
    let time = || line_minutes(line.quantity, language);
    match (line.content, line.code.as_str()) {
        (ContentType::Discount, code) => format!("{} {code}", content_name(line.content, language)),
        (_, code::LABOUR) => format!("{} × {}", describe_mates(line.mates, language), time()),
        (_, code::TRAVEL_FEE) => with_detail(
            pick("Travel from and to the depot", "Déplacement depuis et vers le dépôt", "往返仓库的交通费"),
            &time(),
            language,
        ),
        (_, code::RETURN_LABOUR) => {
            with_detail(pick("Return trip of the crew", "Retour de l’équipe", "搬家团队返程"), &time(), language)
        }
        (_, code::TRUCK_FEE) => pick("Truck", "Camion", "卡车").to_owned(),
        (_, code::KM_FEE) => with_detail(
            pick("Additional distance", "Distance supplémentaire", "超出里程"),
            &describe_km(line.quantity, language),
            language,
        ),
        (_, code::RIDE_ALONG) => content_name(ContentType::RideAlong, language).to_owned(),
        (ContentType::Other, code) if code.parse::<ExtraService>().is_ok() => {
            code.parse().map_or(code, |service| extra_name(service, language)).to_owned()
        }
        (_, code::CHANGE_FEE) => pick("Change fee", "Frais de modification", "修改费").to_owned(),
        (_, code::OVERTIME) => with_detail(content_name(ContentType::Overtime, language), &time(), language),
        (content, code) if line.unit == Unit::Hour => {
            with_detail(content_name(content, language), &with_detail(code, &time(), language), language)
        }
        (content, code) => with_detail(content_name(content, language), code, language),
    }
}

#[cfg(test)]
mod tests {
    use kernel::{BasisPoints, Money};

    use super::*;

    fn line(content: ContentType, code: &str, quantity: i64, unit: Unit, mates: u8) -> Line {
        Line {
            content,
            code: code.to_owned(),
            quantity,
            unit,
            unit_price: Money::from_cents(100),
            factor: BasisPoints::ONE,
            multiplier: BasisPoints::ONE,
            period: "base".to_owned(),
            mates,
            amount: Money::from_cents(100),
        }
    }

    #[test]
    fn lengths_of_time_have_their_units() {
        for (minutes, texts) in [
            (255, ["4 h 15 min", "4 h 15", "4 小时 15 分钟"]),
            (245, ["4 h 5 min", "4 h 05", "4 小时 5 分钟"]),
            (240, ["4 h", "4 h", "4 小时"]),
            (45, ["45 min", "45 min", "45 分钟"]),
        ] {
            assert_eq!(Language::ALL.map(|l| describe_minutes(minutes, l)), texts.map(str::to_owned));
        }
    }

    #[test]
    fn every_code_in_every_language() {
        use ContentType::{Discount, Other, Overtime, Regular, RideAlong};
        for (line, texts) in [
            (
                line(Regular, code::LABOUR, 150, Unit::Hour, 2),
                ["2 mates × 2 h 30", "2 aidants × 2 h 30", "2 名帮手 × 2 小时 30 分钟"],
            ),
            (line(Regular, code::LABOUR, 300, Unit::Hour, 1), ["1 mate × 5 h", "1 aidant × 5 h", "1 名帮手 × 5 小时"]),
            (
                line(Regular, code::TRAVEL_FEE, 30, Unit::Hour, 2),
                [
                    "Travel from and to the depot, 30 min",
                    "Déplacement depuis et vers le dépôt, 30 min",
                    "往返仓库的交通费，30 分钟",
                ],
            ),
            (
                line(Regular, code::RETURN_LABOUR, 345, Unit::Hour, 2),
                ["Return trip of the crew, 5 h 45", "Retour de l’équipe, 5 h 45", "搬家团队返程，5 小时 45 分钟"],
            ),
            (line(Other, code::TRUCK_FEE, 1, Unit::Flat, 0), ["Truck", "Camion", "卡车"]),
            (
                line(Other, code::KM_FEE, 74, Unit::Km, 0),
                ["Additional distance, 7.4 km", "Distance supplémentaire, 7,4 km", "超出里程，7.4 公里"],
            ),
            (
                line(Other, code::KM_FEE, 10_520, Unit::Km, 0),
                ["Additional distance, 1,052 km", "Distance supplémentaire, 1\u{a0}052 km", "超出里程，1,052 公里"],
            ),
            (
                line(Other, code::KM_FEE, 1_045, Unit::Km, 0),
                ["Additional distance, 105 km", "Distance supplémentaire, 105 km", "超出里程，105 公里"],
            ),
            (line(Other, "packing", 1, Unit::Flat, 0), ["Packing", "Emballage", "打包"]),
            (line(RideAlong, code::RIDE_ALONG, 1, Unit::Flat, 0), ["Ride along", "Passager à bord", "随车乘坐"]),
            (line(Other, code::CHANGE_FEE, 1, Unit::Flat, 0), ["Change fee", "Frais de modification", "修改费"]),
            (
                line(Discount, "WELCOME10", 1, Unit::Flat, 0),
                ["Discount WELCOME10", "Réduction WELCOME10", "折扣 WELCOME10"],
            ),
            (
                line(Overtime, code::OVERTIME, 60, Unit::Hour, 3),
                ["Overtime, 1 h", "Temps supplémentaire, 1 h", "超时，1 小时"],
            ),
            (
                line(Other, "parking ticket", 1, Unit::Flat, 0),
                ["Other, parking ticket", "Autre, parking ticket", "其他，parking ticket"],
            ),
        ] {
            assert_eq!(Language::ALL.map(|l| describe_line(&line, l)), texts.map(str::to_owned));
        }
    }
}
