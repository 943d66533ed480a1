//! How money, dates and times read in each language (`messages.md`): for messages and line
//! texts. The browser formats with `Intl` and agrees.

use chrono::{Datelike, NaiveDate, NaiveTime, Timelike};
use kernel::{Language, Money, Zone, is_han};

const NBSP: char = '\u{a0}';
/// A true minus sign, as wide as a plus; a hyphen breaks from its number at the end of a line.
pub const MINUS: &str = "\u{2212}";
const EN_MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const FR_MONTHS: [&str; 12] = [
    "janvier",
    "février",
    "mars",
    "avril",
    "mai",
    "juin",
    "juillet",
    "août",
    "septembre",
    "octobre",
    "novembre",
    "décembre",
];

/// `$1,234.50`, `1 234,50 $`, `CA$1,234.50`.
pub fn money(amount: Money, language: Language) -> String {
    let cents = amount.cents().unsigned_abs();
    let sign = if amount.is_negative() { MINUS } else { "" };
    let (whole, rest) = ((cents / 100).to_string(), cents % 100);
    match language {
        Language::En => format!("{sign}${}.{rest:02}", grouped(&whole, ',')),
        Language::Fr => format!("{sign}{},{rest:02}{NBSP}$", grouped(&whole, NBSP)),
        Language::Zh => format!("{sign}CA${}.{rest:02}", grouped(&whole, ',')),
    }
}

fn grouped(digits: &str, separator: char) -> String {
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(separator);
        }
        out.push(c);
    }
    out
}

/// A whole number with its thousands apart: `1,000`, `1 000`.
pub fn whole(number: u32, language: Language) -> String {
    let separator = if language == Language::Fr { NBSP } else { ',' };
    grouped(&number.to_string(), separator)
}

/// A decimal number as each language writes it: `2.50`, `2,50`, `2.50`.
pub fn decimal(text: &str, language: Language) -> String {
    match language {
        Language::Fr => text.replace('.', ","),
        Language::En | Language::Zh => text.to_owned(),
    }
}

/// A percentage: `12.5%`, `12,5 %`, `12.5%`.
pub fn percent(number: &str, language: Language) -> String {
    let gap = if language == Language::Fr { "\u{a0}" } else { "" };
    format!("{}{gap}%", decimal(number, language))
}

/// Tenths of a kilometre, exactly: `1,052.4 km`, `1 052,4 km`, `1,052.4 公里`; no decimal where it is none.
pub fn kilometres(km10: u32, language: Language) -> String {
    let number = match (km10 / 10, km10 % 10) {
        (all, 0) => whole(all, language),
        (all, tenth) => format!("{}{}", whole(all, language), decimal(&format!(".{tenth}"), language)),
    };
    match language {
        Language::Zh => format!("{number} 公里"),
        Language::En | Language::Fr => format!("{number}{NBSP}km"),
    }
}

/// The text of a line as people read it on paper and in mail: an English length of time at its end has both units,
/// `2 mates × 2 h 30 min`, as the sentences beside it have. Everything else stays as it was frozen.
pub fn line_text(text: &str, language: Language) -> String {
    let is_number = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
    let hours = |before: &str| before.rsplit(' ').next().is_some_and(is_number);
    match text.rsplit_once(" h ") {
        Some((before, minutes))
            if language == Language::En && minutes.len() == 2 && is_number(minutes) && hours(before) =>
        {
            format!("{before} h {} min", minutes.strip_prefix('0').unwrap_or(minutes))
        }
        _ => text.to_owned(),
    }
}

/// `July 1, 2027`, `1er juillet 2027`, `2027年7月1日`.
pub fn date(day: NaiveDate, language: Language) -> String {
    // The remainder is below the twelve names of each table.
    let month = day.month0() as usize % 12;
    match language {
        Language::En => format!("{} {}, {}", EN_MONTHS[month], day.day(), day.year()),
        Language::Fr => {
            let number = if day.day() == 1 { "1er".to_owned() } else { day.day().to_string() };
            format!("{number} {} {}", FR_MONTHS[month], day.year())
        }
        Language::Zh => format!("{}年{}月{}日", day.year(), day.month(), day.day()),
    }
}

/// A day of any year: `July 1`, `1er juillet`, `7月1日`.
pub fn month_day(month: u32, day: u32, language: Language) -> String {
    let index = month.saturating_sub(1) as usize % 12;
    match language {
        Language::En => format!("{}{NBSP}{day}", EN_MONTHS[index]),
        Language::Fr if day == 1 => format!("1er{NBSP}{}", FR_MONTHS[index]),
        Language::Fr => format!("{day}{NBSP}{}", FR_MONTHS[index]),
        Language::Zh => format!("{month}月{day}日"),
    }
}

/// `9:00 a.m.`, `9 h`, `13 h 30`, `9:00`.
pub fn time(at: NaiveTime, language: Language) -> String {
    let (hour, minute) = (at.hour(), at.minute());
    match language {
        Language::En => {
            let half = if hour < 12 { "a.m." } else { "p.m." };
            let twelve = if hour.is_multiple_of(12) { 12 } else { hour % 12 };
            format!("{twelve}:{minute:02} {half}")
        }
        Language::Fr if minute == 0 => format!("{hour}{NBSP}h"),
        Language::Fr => format!("{hour}{NBSP}h{NBSP}{minute:02}"),
        Language::Zh => format!("{hour}:{minute:02}"),
    }
}

/// Date and time of an instant on a zone's wall clock, with the zone's name in words.
pub fn moment(at: chrono::DateTime<chrono::Utc>, zone: Zone, language: Language) -> String {
    let local = zone.local(at);
    let (day, hour, place) = (date(local.date, language), time(local.time, language), zone_name(zone, language));
    match language {
        Language::En => format!("{day}, {hour} ({place})"),
        Language::Fr => format!("{day} à {hour} ({place})"),
        Language::Zh => format!("{day} {hour}（{place}）"),
    }
}

/// What people call a zone.
pub fn zone_name(zone: Zone, language: Language) -> &'static str {
    match (zone.name(), language) {
        ("America/Vancouver", Language::En) => "Vancouver time",
        ("America/Vancouver", Language::Fr) => "heure de Vancouver",
        ("America/Vancouver", Language::Zh) => "温哥华时间",
        ("America/Edmonton", Language::En) => "Alberta time",
        ("America/Edmonton", Language::Fr) => "heure de l’Alberta",
        ("America/Edmonton", Language::Zh) => "阿尔伯塔时间",
        (_, Language::En) => "Montreal time",
        (_, Language::Fr) => "heure de Montréal",
        (_, Language::Zh) => "蒙特利尔时间",
    }
}

/// `2 h 30 min`, `2 h 30`, `2 小时 30 分钟`; `45 min` in both of the first.
pub fn minutes(total: u32, language: Language) -> String {
    let (h, m) = (total / 60, total % 60);
    match (language, h, m) {
        (Language::Zh, 0, m) => format!("{m} 分钟"),
        (Language::Zh, h, 0) => format!("{h} 小时"),
        (Language::Zh, h, m) => format!("{h} 小时 {m} 分钟"),
        (_, 0, m) => format!("{m}{NBSP}min"),
        (_, h, 0) => format!("{h}{NBSP}h"),
        (Language::Fr, h, m) => format!("{h}{NBSP}h{NBSP}{m:02}"),
        (Language::En, h, m) => format!("{h}{NBSP}h{NBSP}{m}{NBSP}min"),
    }
}

/// A text with its values in place of `{name}`. In Chinese a text has a space around a value for the sake of figures and
/// Latin letters: where the value begins or ends with a Chinese character (`2 小时`) there is none.
pub fn filled<'a>(text: &str, language: Language, values: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    values.into_iter().fold(text.to_owned(), |text, (name, value)| {
        let place = format!("{{{name}}}");
        if language == Language::Zh { put_in(&text, &place, value) } else { text.replace(&place, value) }
    })
}

fn put_in(text: &str, place: &str, value: &str) -> String {
    let mut out = String::with_capacity(text.len() + value.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(place) {
        out.push_str(before);
        let ahead = out.strip_suffix(' ').and_then(|t| t.chars().next_back()).zip(value.chars().next());
        if ahead.is_some_and(|(left, right)| is_close(left, right)) {
            out.pop();
        }
        out.push_str(value);
        let behind = value.chars().next_back().zip(after.strip_prefix(' ').and_then(|t| t.chars().next()));
        rest = if behind.is_some_and(|(left, right)| is_close(left, right)) { &after[1..] } else { after };
    }
    out.push_str(rest);
    out
}

/// A Chinese text put together from parts, without a space between two Chinese characters or beside punctuation as wide as
/// they are: `（2 名帮手） = CA$2.00` is `（2 名帮手）= CA$2.00`. Texts of other languages stay as they are.
pub fn tight(text: &str, language: Language) -> String {
    if language != Language::Zh {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let beside = out.chars().next_back().zip(rest.peek().copied());
        if c != ' ' || !beside.is_some_and(|(left, right)| is_close(left, right)) {
            out.push(c);
        }
    }
    out
}

/// Whether no space belongs between the two: both are Chinese characters, or one is punctuation as wide as they are.
fn is_close(left: char, right: char) -> bool {
    let is_wide = |c: char| "，。：；！？（）、“”「」《》…".contains(c);
    is_wide(left) || is_wide(right) || (is_han(left) && is_han(right))
}

/// A text without e-mail addresses: people type them where they are not asked for.
pub fn without_addresses(text: &str) -> String {
    let hidden = |word: &str| {
        let address = word.find('@').is_some_and(|at| at > 0 && word[at + 1..].contains('.'));
        if address { "•••".to_owned() } else { word.to_owned() }
    };
    text.split_inclusive(char::is_whitespace)
        .map(|piece| {
            let word = piece.trim_end_matches(char::is_whitespace);
            format!("{}{}", hidden(word), &piece[word.len()..])
        })
        .collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn money_reads_as_people_write_it() {
        let m = Money::from_cents(123_450);
        assert_eq!(money(m, Language::En), "$1,234.50");
        assert_eq!(money(m, Language::Fr), "1\u{a0}234,50\u{a0}$");
        assert_eq!(money(m, Language::Zh), "CA$1,234.50");
        assert_eq!(money(Money::from_cents(-5), Language::En), "−$0.05");
        assert_eq!(money(Money::from_cents(-5), Language::Fr), "−0,05\u{a0}$");
        assert_eq!(money(Money::from_cents(100_000_000), Language::En), "$1,000,000.00");
    }

    #[test]
    fn percentages_distances_and_lines_follow_the_language() {
        assert_eq!(Language::ALL.map(|l| percent("12.5", l)), ["12.5%", "12,5\u{a0}%", "12.5%"].map(str::to_owned));
        assert_eq!(
            Language::ALL.map(|l| kilometres(10_524, l)),
            ["1,052.4\u{a0}km", "1\u{a0}052,4\u{a0}km", "1,052.4 公里"].map(str::to_owned)
        );
        assert_eq!(kilometres(300, Language::En), "30\u{a0}km");
        for (frozen, read) in [
            ("2 mates × 2 h 30", "2 mates × 2 h 30 min"),
            ("Return trip of the crew, 5 h 05", "Return trip of the crew, 5 h 5 min"),
            ("2 mates × 2 h", "2 mates × 2 h"),
            ("Truck", "Truck"),
            ("from 9 h 5", "from 9 h 5"),
        ] {
            assert_eq!(line_text(frozen, Language::En), read);
        }
        assert_eq!(line_text("2 aidants × 2 h 30", Language::Fr), "2 aidants × 2 h 30");
    }

    #[test]
    fn dates_and_times_follow_the_language() {
        let day = NaiveDate::from_ymd_opt(2027, 7, 1).unwrap();
        assert_eq!(date(day, Language::En), "July 1, 2027");
        assert_eq!(date(day, Language::Fr), "1er juillet 2027");
        assert_eq!(date(day, Language::Zh), "2027年7月1日");
        let t = |h, m| NaiveTime::from_hms_opt(h, m, 0).unwrap();
        assert_eq!(
            [time(t(9, 0), Language::En), time(t(0, 30), Language::En), time(t(12, 0), Language::En)],
            ["9:00 a.m.", "12:30 a.m.", "12:00 p.m."]
        );
        assert_eq!([time(t(9, 0), Language::Fr), time(t(13, 30), Language::Fr)], ["9\u{a0}h", "13\u{a0}h\u{a0}30"]);
        assert_eq!(
            Language::ALL.map(|l| minutes(150, l)),
            ["2\u{a0}h\u{a0}30\u{a0}min", "2\u{a0}h\u{a0}30", "2 小时 30 分钟"].map(str::to_owned)
        );
        assert_eq!(minutes(65, Language::En), "1\u{a0}h\u{a0}5\u{a0}min");
        assert_eq!(month_day(7, 1, Language::Fr), "1er\u{a0}juillet");
    }

    #[test]
    fn a_value_in_a_chinese_text_has_no_space_beside_chinese() {
        let least = |n: &str| filled("最少按 {n} 计费", Language::Zh, [("n", n)]);
        assert_eq!(least("2 小时"), "最少按 2 小时计费");
        assert_eq!(least("CA$5.00"), "最少按 CA$5.00 计费");
        assert_eq!(least("两小时"), "最少按两小时计费");
        let at = "7月1日 9:00（蒙特利尔时间）";
        assert_eq!(filled("于 {at} 退回 {n}", Language::Zh, [("at", at), ("n", "3")]), format!("于 {at}退回 3"));
        assert_eq!(filled("{who} 没空，{who} 没空", Language::Zh, [("who", "王芳")]), "王芳没空，王芳没空");
        assert_eq!(filled("{who} 没空", Language::Zh, [("who", "Ana")]), "Ana 没空");
        assert_eq!(filled("{who} is away", Language::En, [("who", "王芳")]), "王芳 is away");
    }

    #[test]
    fn a_chinese_text_of_parts_has_no_space_beside_wide_punctuation() {
        for (parts, whole) in [
            ("每小时 CA$171.10（2 名帮手） = CA$855.50。", "每小时 CA$171.10（2 名帮手）= CA$855.50。"),
            ("夏季（6月1日至8月31日） +15%", "夏季（6月1日至8月31日）+15%"),
            ("商品及服务税（GST） 123456782RT0001", "商品及服务税（GST）123456782RT0001"),
            ("甲 乙， 丙 2 丁", "甲乙，丙 2 丁"),
            ("周六 +10%", "周六 +10%"),
        ] {
            assert_eq!(tight(parts, Language::Zh), whole);
            assert_eq!(tight(parts, Language::En), parts);
        }
    }

    #[test]
    fn addresses_are_hidden_and_nothing_else() {
        let said = "Ring twice,\n write to ana@portage.test (or bob+x@mail.example.ca) @ the door";
        assert_eq!(without_addresses(said), "Ring twice,\n write to ••• (or ••• @ the door");
        assert_eq!(without_addresses(""), "");
    }
}
