//! A sheet with everything that stands on an invoice.

use documents::{Block, Day, Row, Sheet, Total};
use kernel::Language;

fn row(n: usize, language: Language) -> Row {
    let (description, detail) = match language {
        Language::En => (format!("Labour {n}, two mates and a truck"), "4.5 hours × $162.00".to_owned()),
        Language::Fr => {
            (format!("Main-d’œuvre {n} : deux aidants, camion compris"), "4,5 heures × 162,00\u{a0}$".to_owned())
        }
        Language::Zh => (format!("劳务费 {n}：2名帮手，含卡车"), "4.5 小时 × CA$162.00".to_owned()),
    };
    Row {
        description,
        detail,
        quantity: "4.5 h".into(),
        unit_price: "162.00 $".into(),
        amount: format!("{}.00 $", 700 + n),
    }
}

pub fn sheet(language: Language, rows: usize) -> Sheet {
    let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    let block = |heading: &str, lines: &[&str]| Block {
        heading: heading.to_owned(),
        lines: lines.iter().map(|l| (*l).to_owned()).collect(),
    };
    let total = |label: &str, amount: &str, strong| Total { label: label.into(), amount: amount.into(), strong };
    Sheet {
        language,
        title: match language {
            Language::En => "Invoice".into(),
            Language::Fr => "Facture".into(),
            Language::Zh => "发票".into(),
        },
        issuer: "Déménagements Portage inc.".into(),
        logo: None,
        facts: vec![pair("Numéro", "2027-000042"), pair("Date", "1er juillet 2027")],
        blocks: vec![
            block(
                "De",
                &[
                    "Déménagements Portage inc.",
                    "1200 rue Peel, Montréal (Québec) H3B 2T6",
                    "TPS 12345 6782 RT0001",
                    "TVQ 1224002901 TQ0001",
                ],
            ),
            block("Facturé à", &["王小明", "陳大文 · Ελένη · Ольга", "xiaoming@portage.test"]),
            block(
                "Déménagement",
                &[
                    "18 février 2027",
                    "Départ : 4500 rue Saint-Denis, Montréal",
                    "Arrivée : 12 avenue du Mont-Royal, Montréal",
                ],
            ),
        ],
        lead: "574,88 $ à payer au plus tard le 1er juillet 2027".into(),
        columns: ["Description".into(), "Quantité".into(), "Prix unitaire".into(), "Montant".into()],
        rows: (1..=rows).map(|n| row(n, language)).collect(),
        totals: vec![
            total("Sous-total", "500,00 $", false),
            total("TPS (5 %)", "25,00 $", false),
            total("TVQ (9,975 %)", "49,88 $", false),
            total("Total", "574,88 $", true),
            total("Payé le 2 mars 2027 · carte se terminant par 4242", "−574,88 $", false),
            total("Solde à payer", "0,00 $", true),
        ],
        notes: vec!["Payable à la réception.".into()],
        footer: "Déménagements Portage inc. · 1200 rue Peel".into(),
        page_words: ["Page ".into(), " de ".into(), String::new()],
        mark: String::new(),
        file_title: "Facture 2027-000042".into(),
        made_on: Day { year: 2027, month: 7, day: 1 },
    }
}
