//! How many pages, and what stands together on them.

use documents::{Row, Sheet};
use kernel::Language;

use crate::{example::sheet, png, text::File};

/// What may make a paper longer than the usual one.
#[derive(Debug, Clone, Copy)]
struct Kind {
    logo: bool,
    /// Names and addresses of both parties run over several lines.
    long: bool,
    /// Moves of several provinces: six taxes, and a third registration number.
    provinces: bool,
    /// How to pay is said below the sum.
    unpaid: bool,
}

fn pages(sheet: &Sheet) -> Vec<String> {
    File::read(&documents::pdf(sheet).unwrap()).pages()
}

fn of(language: Language, rows: usize, kind: Kind) -> Sheet {
    let mut own = sheet(language, rows);
    own.page_words = ["Page ".into(), "/".into(), String::new()];
    own.facts.extend(
        [("Échéance", "1er juillet 2027"), ("Réservation", "CA7F2K"), ("Votre référence", "BC-2027-004512")]
            .map(|(a, b)| (a.to_owned(), b.to_owned())),
    );
    own.blocks[0].lines.extend(["bonjour@portage.test".into(), "514-555-0142".into()]);
    if kind.logo {
        own.logo = Some(png(640, 480));
    }
    if kind.long {
        let name = "Les Entreprises de déménagement et d’entreposage Saint-Louis–Papineau et fils (2004) inc.";
        let address = "1200, boulevard René-Lévesque Ouest, bureau 2650, tour Est, Montréal (Québec)  H3B 4W8, Canada";
        own.issuer = name.into();
        own.footer = format!("{name} · {address} · bonjour@portage.test · 514-555-0142");
        own.blocks[0].lines[0] = name.into();
        own.blocks[0].lines[1] = address.into();
        own.blocks[1].lines = vec![name.into(), "À l’attention du service des comptes fournisseurs".into()];
        own.blocks[1].lines.extend([address.into(), "comptes-fournisseurs.quebec@exemple-tres-long.test".into()]);
        own.blocks[2].lines[1] = format!("Départ : {address}");
        own.blocks[2].lines[2] = format!("Arrivée : {address}");
    }
    if kind.provinces {
        own.blocks[0].lines.push("NEQ 1161234567".into());
        let tax = own.totals[1].clone();
        for place in ["QC", "ON", "NB"] {
            let label = format!("TVH (13 %) · {place}");
            own.totals.insert(2, documents::Total { label, ..tax.clone() });
        }
    }
    if kind.unpaid {
        own.notes = [
            "Montant à payer : 574,88 $, au plus tard le 1er juillet 2027. Indiquez le numéro de la facture : 2027-000042.",
            "Par carte : au moyen du lien sécurisé de notre courriel.",
            "Par virement Interac : bonjour@portage.test. Comptant, ou par chèque à l’ordre de Déménagements Portage inc.",
        ]
        .map(str::to_owned)
        .to_vec();
    }
    own
}

#[test]
fn twelve_lines_are_one_page_and_sixty_are_three() {
    for language in Language::ALL {
        for n in 0..16 {
            let is = |bit: u32| n & bit != 0;
            let kind = Kind { logo: is(1), long: is(2), provinces: is(4), unpaid: is(8) };
            let twelve = pages(&of(language, 12, kind));
            assert_eq!(twelve.len(), 1, "{language} {kind:?}");
            let sixty = pages(&of(language, 60, kind));
            assert_eq!(sixty.len(), 3, "{language} {kind:?}");
            for (i, page) in sixty.iter().enumerate() {
                assert!(page.contains(&format!("Page {}/3", i + 1)), "{page}");
                assert_eq!(
                    page.contains("Prix unitaire"),
                    page.contains("162.00 $"),
                    "a table has its head on each page"
                );
            }
        }
        // And sixty that have nothing but their description.
        let mut bare = of(language, 60, Kind { logo: false, long: false, provinces: false, unpaid: false });
        bare.rows.iter_mut().for_each(|row| row.detail.clear());
        assert_eq!(pages(&bare).len(), 3, "{language}");
    }
}

#[test]
fn few_lines_are_set_in_comfort() {
    let few = of(Language::Fr, 3, Kind { logo: false, long: false, provinces: false, unpaid: true });
    let drawn = String::from_utf8_lossy(&File::read(&documents::pdf(&few).unwrap()).drawn()).into_owned();
    assert!(drawn.contains(" 9 Tf") && !drawn.contains(" 8.5 Tf"), "nine points");
}

/// Of a row that a page has part of it has all.
#[test]
fn a_row_is_on_one_page() {
    for lines in 1..40 {
        let mut long = sheet(Language::Fr, 3);
        long.rows = (0..9)
            .map(|n| Row {
                description: format!("R{n}: {}", "mot ".repeat(60 + lines)),
                detail: format!("D{n}: {}", "détail ".repeat(40)),
                amount: format!("A{n}."),
                ..long.rows[0].clone()
            })
            .collect();
        let found = pages(&long);
        assert!(found.len() > 1);
        for page in &found {
            let count = |what: &str| page.matches(what).count();
            for n in 0..9 {
                let told = [count(&format!("R{n}:")), count(&format!("D{n}:")), count(&format!("A{n}."))];
                assert!(told == [0; 3] || told == [1; 3], "{lines}: row {n} is torn: {told:?}\n{page}");
            }
            let words = [count("mot"), count("détail")];
            let rows = (0..9).map(|n| count(&format!("R{n}:"))).sum::<usize>();
            assert_eq!(words, [rows * (60 + lines), rows * 40], "{lines}: some lines of a row are elsewhere\n{page}");
        }
    }
}

/// The sum is with the last row, a heading with what it is of, and no line of a paragraph is alone.
#[test]
fn what_belongs_together_is_on_one_page() {
    for rows in 1..70 {
        let mut own = sheet(Language::Fr, rows);
        own.notes = vec!["Paragraphe ".repeat(120)];
        let found = pages(&own);
        let last = format!("Main-d’œuvre {rows} :");
        for page in &found {
            assert_eq!(page.contains("Sous-total"), page.contains(&last), "{rows}: {page}");
            assert_eq!(page.contains("Sous-total"), page.contains("Solde à payer"), "{rows}: {page}");
            let lines = page.lines().filter(|line| line.starts_with("Paragraphe")).count();
            assert_ne!(lines, 1, "{rows}: {page}");
        }
    }
    for lines in 1..120 {
        let mut own = sheet(Language::Fr, 2);
        own.blocks[1].lines = (0..lines).map(|n| format!("Ligne {n}.")).collect();
        let found = pages(&own);
        for page in &found {
            assert_eq!(page.contains("au plus tard le"), page.contains("Prix unitaire"), "{lines}: {page}");
            assert_eq!(page.contains("Prix unitaire"), page.contains("Main-d’œuvre 1 :"), "{lines}: {page}");
        }
        let all = found.concat();
        for n in 0..lines {
            assert_eq!(all.matches(&format!("Ligne {n}.")).count(), 1, "{lines}");
        }
    }
}

/// What is set stands on the paper: nothing runs out of it at the bottom.
#[test]
fn nothing_is_below_the_foot_of_a_page() {
    let mut own = sheet(Language::En, 3);
    own.blocks[1].lines = vec!["x".repeat(5_000)];
    assert!(pages(&own).len() > 2);
}
