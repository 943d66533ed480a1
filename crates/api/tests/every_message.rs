//! Every message in every language, of a booking that was made in that language: no key is left empty, no word is of another language, amounts
//! and days are written as that language writes them.

use crate::support::{
    Options, TestApp,
    bodies::draft,
    chinese::stray_space,
    people::{CUSTOMER, OPS},
};
use serde_json::{Value, json};

/// Words that give a language away. Names, addresses and what customers type are none of them.
const ENGLISH: &[&str] = &[
    "your",
    "you",
    "booking",
    "hello",
    "write",
    "charged",
    "paid",
    "owed",
    "from",
    "to",
    "arrival",
    "mates",
    "reference",
    "see",
    "please",
    "invoice",
    "thank",
    "quote",
    "the",
    "and",
    "is",
    "was",
    "move",
    "truck",
    "hours",
    "total",
    "february",
    "march",
    "a.m",
    "p.m",
    "until",
    "unsubscribe",
    "time",
];
const FRENCH: &[&str] = &[
    "votre",
    "vos",
    "vous",
    "réservation",
    "bonjour",
    "écrivez",
    "prélevé",
    "payé",
    "départ",
    "arrivée",
    "aidants",
    "référence",
    "voir",
    "veuillez",
    "facture",
    "merci",
    "soumission",
    "le",
    "la",
    "les",
    "et",
    "est",
    "déménagement",
    "camion",
    "heures",
    "février",
    "mars",
    "jusqu",
    "désabonner",
    "heure",
    "pour",
    "avec",
    "une",
    "des",
];
/// Words of one language that are in order in another: "total" is French as well.
const SHARED: &[(&str, &str)] = &[("fr", "total")];

fn is_han(c: char) -> bool {
    ('\u{4e00}'..='\u{9fff}').contains(&c)
}

/// The words of a text in lower case, without addresses.
fn words(text: &str) -> Vec<String> {
    let plain = text.split_whitespace().filter(|word| !word.contains("://") && !word.contains('@'));
    let apart = |word: &str| {
        word.split(|c: char| !c.is_alphanumeric() && c != '.')
            .map(|w| w.trim_matches('.').to_lowercase())
            .collect::<Vec<_>>()
    };
    plain.flat_map(apart).filter(|word| !word.is_empty()).collect()
}

/// The text of a page, without its markup.
fn shown(html: &str) -> String {
    let body = html.split_once("</head>").map_or(html, |(_, body)| body);
    let mut out = String::new();
    let mut inside = false;
    for c in body.chars() {
        match c {
            '<' => inside = true,
            '>' => {
                inside = false;
                out.push(' ');
            }
            c if !inside => out.push(c),
            _ => {}
        }
    }
    out.replace("&nbsp;", " ").replace("&#x27;", "'").replace("&#x3D;", "=").replace("&amp;", "&")
}

/// Each key of plain words between marks, so that an empty one is seen. Conditions and shared parts stay as they are.
fn marked(words: &str) -> String {
    let mut out = String::new();
    let mut rest = words;
    while let Some(at) = rest.find("{{") {
        let end = at + rest[at..].find("}}").unwrap() + 2;
        let tag = &rest[at..end];
        let is_key = tag[2..tag.len() - 2].chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && tag != "{{else}}";
        out.push_str(&rest[..at]);
        out.push_str(&if is_key { format!("⟦{tag}⟧") } else { tag.to_owned() });
        rest = &rest[end..];
    }
    out + rest
}

/// What is wrong with a text of a language.
fn wrong(text: &str, language: &str) -> Option<String> {
    if text.contains("{{") {
        return Some("a tag is left".to_owned());
    }
    if language != "zh" && text.chars().any(is_han) {
        return Some("Chinese".to_owned());
    }
    if language == "zh" && !text.chars().any(is_han) {
        return Some("not Chinese".to_owned());
    }
    let others: Vec<&str> = match language {
        "en" => FRENCH.to_vec(),
        "fr" => ENGLISH.to_vec(),
        _ => [FRENCH, ENGLISH].concat(),
    };
    let foreign = words(text).into_iter().find(|word| {
        others.contains(&word.as_str()) && !SHARED.iter().any(|(of, shared)| *of == language && shared == word)
    });
    if let Some(word) = foreign {
        return Some(format!("{word:?} is a word of another language"));
    }
    money(text, language)
}

/// `$1,234.50`, `1 234,50 $`, `CA$1,234.50`: each amount as its language writes it.
fn money(text: &str, language: &str) -> Option<String> {
    for (at, _) in text.match_indices('$') {
        let (before, after) = (&text[..at], &text[at + 1..]);
        let begins = after.starts_with(|c: char| c.is_ascii_digit());
        let right = match language {
            "en" => begins && !before.ends_with("CA"),
            "fr" => !begins && before.ends_with('\u{a0}'),
            _ => begins && before.ends_with("CA"),
        };
        if !right {
            let around: String = before.chars().rev().take(12).collect::<Vec<_>>().into_iter().rev().collect();
            return Some(format!("an amount: {around}${}", after.chars().take(12).collect::<String>()));
        }
    }
    None
}

/// A booking whose customer reads this language, with its day as that language writes it.
async fn booked(app: &TestApp, language: &str, date: &str) -> Value {
    let mut body = draft(date, "09:00");
    body["language"] = json!(language);
    // What customers type is theirs, in whatever language.
    body["comments"] = json!("");
    let request = app.builder(CUSTOMER, reqwest::Method::POST, "/api/bookings").await;
    let request = request.header("accept-language", language).json(&json!({
        "bookingRequest": body, "tipRequest": { "type": "amount", "value": "20,00" },
    }));
    let made = crate::support::answer::Answer::of(request.send().await.unwrap()).await.expect(201).body;
    app.run_jobs().await;
    made
}

#[actix_web::test]
async fn every_message_reads_right_in_every_language() {
    let app = TestApp::with(Options { people: &[CUSTOMER, OPS], texts: true, ..Options::default() }).await;
    app.store_card(CUSTOMER, "fake-valid-nonce").await.expect(200);
    let list = app.get(OPS, "/api/templates").await.expect(200).body;
    let rows = list["data"].as_array().unwrap();
    let mut problems = Vec::new();
    let mut seen = 0;
    for (language, date, day) in [
        ("en", "2027-02-17", "February 17, 2027"),
        ("fr", "2027-02-18", "18 février 2027"),
        ("zh", "2027-02-19", "2027年2月19日"),
    ] {
        let booking = booked(&app, language, date).await;
        let mut days = 0;
        for row in rows.iter().filter(|row| row["language"] == language) {
            let kind = row["messageType"].as_str().unwrap();
            let path = format!("/api/templates/{kind}/{language}");
            let one = app.get(OPS, &path).await.expect(200).body;
            let mut asked = json!({ "bookingId": booking["id"] });
            let told = app.post(OPS, &format!("{path}/preview"), &asked).await.expect(200).body;
            let part = |name: &str| told[name].as_str().unwrap().to_owned();
            let is_text = row["channel"] == "sms";
            let whole = [part("subject"), part("text"), shown(&part("html"))];
            for (name, text) in ["subject", "text", "html"].into_iter().zip(&whole) {
                if is_text && name != "text" {
                    assert_eq!(text, "", "{kind}: a text has no {name}");
                    continue;
                }
                if text.trim().is_empty() {
                    problems.push(format!("{kind}/{language} {name}: empty"));
                } else if name != "subject" || language != "zh" || text.chars().any(is_han) {
                    problems.extend(wrong(text, language).map(|why| format!("{kind}/{language} {name}: {why}")));
                }
                // Of a page the markup is taken away, which leaves spaces.
                let stray = if name == "html" || language != "zh" { None } else { stray_space(text) };
                problems.extend(stray.map(|place| format!("{kind}/{language} {name}: a stray space in {place}")));
            }
            days += usize::from(whole[1].contains(day));
            // The same with each key between marks.
            asked["text"] = json!(marked(one["text"].as_str().unwrap()));
            asked["subject"] = json!(marked(one["subject"].as_str().unwrap()));
            let told = app.post(OPS, &format!("{path}/preview"), &asked).await.expect(200).body;
            for name in ["subject", "text"] {
                if told[name].as_str().unwrap().contains("⟦⟧") {
                    problems.push(format!("{kind}/{language} {name}: an empty key in {}", told[name]));
                }
            }
            seen += 1;
        }
        assert!(days >= 15, "{language}: the day of the move is written so in {days} messages");
    }
    assert_eq!(seen, rows.len());
    assert_eq!(seen, (31 + 7) * 3);
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn the_eye_sees_what_is_wrong() {
    for (text, language) in [
        ("Votre total : 574,88\u{a0}$", "en"),
        ("Your total: 574,88\u{a0}$", "fr"),
        ("总额 $574.88", "zh"),
        ("总额 CA$574.88 paid", "zh"),
        ("Total: CA$574.88", "en"),
        ("Montant : $574.88", "fr"),
        ("Bonjour {{x}}", "fr"),
        ("Hello 您好", "en"),
        ("Nothing", "zh"),
    ] {
        assert!(wrong(text, language).is_some(), "{text}");
    }
    for (text, language) in [
        ("Your total: $1,574.88 for Jean-François, 4100 Rue Notre-Dame O", "en"),
        ("Total de votre déménagement\u{a0}: 1\u{a0}574,88\u{a0}$", "fr"),
        ("总额 CA$1,574.88，客户 Camille", "zh"),
    ] {
        assert_eq!(wrong(text, language), None, "{text}");
    }
    assert_eq!(stray_space("最少按 2 小时 计费").as_deref(), Some("少按 2 小时 计费"));
    assert_eq!(stray_space("最少按 2 小时计费"), None);
    for text in
        ["每小时 CA$5.00（2 名帮手） = CA$10.00", "夏季（7月） +15%", "（GST） 12", "9:00（蒙特利尔时间） · 尾号"]
    {
        assert!(stray_space(text).is_some(), "{text}");
    }
    assert_eq!(
        marked("{{#if a}}{{a}} {{> b c=d}}{{else}}{{e_f}}{{/if}}"),
        "{{#if a}}⟦{{a}}⟧ {{> b c=d}}{{else}}⟦{{e_f}}⟧{{/if}}"
    );
}
