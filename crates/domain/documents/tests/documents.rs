//! Sheets as files: text that can be found, pages that go on, bytes that stay.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "example.rs"]
mod example;
#[path = "names.rs"]
mod names;
#[path = "pages.rs"]
mod pages;
#[path = "text.rs"]
mod text;

use std::io::Write as _;

use documents::{Row, Sheet};
use example::sheet;
use flate2::{Compression, Crc, write::ZlibEncoder};
use kernel::Language;
use names::NAMES;
use text::{File, count, find};

#[test]
fn every_text_is_found_in_three_languages() {
    for language in Language::ALL {
        let sheet = sheet(language, 12);
        let bytes = documents::pdf(&sheet).unwrap();
        let pages = File::read(&bytes).pages();
        assert_eq!(pages.len(), 1, "{language}: twelve lines are one page");
        let spaced = pages[0].replace('\n', " ");
        let mut wanted: Vec<&str> =
            vec!["2027-000042", "12345 6782 RT0001", "1224002901 TQ0001", "王小明", "陳大文", "Ελένη", "Ольга"];
        wanted.extend(sheet.rows.iter().flat_map(|r| [r.description.as_str(), r.amount.as_str()]));
        wanted.extend(sheet.totals.iter().map(|t| t.amount.as_str()));
        for text in wanted {
            assert!(spaced.contains(text), "{language}: {text} is not found in\n{}", pages[0]);
        }
        assert!(!spaced.contains('\u{fffd}'), "{language}: a glyph without its text");
        assert!(!spaced.contains("14,975") && !spaced.contains("14.975"));
        assert!(bytes.len() < 150_000, "{language}: {} bytes", bytes.len());
    }
}

#[test]
fn a_name_in_another_script_is_found_as_it_is_written() {
    let names = [&NAMES[..], &["مُحَمَّد قاسمی", "മലയാളം", "Nguyễn"]].concat();
    for language in Language::ALL {
        let mut own = sheet(language, 3);
        own.blocks[1].lines = names.iter().map(|name| (*name).to_owned()).collect();
        own.blocks[1].lines.push("Trần Thi\u{323} Nguye\u{302}\u{303}n".into());
        own.lead = format!("{} – {}", names[0], names[4]);
        let bytes = documents::pdf(&own).unwrap();
        assert_eq!(bytes, documents::pdf(&own).unwrap());
        let page = File::read(&bytes).pages().concat();
        for name in &names {
            assert!(page.lines().any(|line| line == *name), "{language}: {name} is not found in\n{page}");
        }
        assert!(page.contains("Trần Thị Nguyễn") && page.contains(&own.lead), "{language}: {page}");
        assert!(!page.contains('\u{fffd}'), "{language}: a glyph without its text");
        let roles = File::read(&bytes).roles();
        assert!(roles.iter().any(|role| role == "TH"), "{roles:?}");
        assert!(bytes.len() < 250_000, "{language}: {} bytes", bytes.len());
    }
}

/// What no font has is seen as a box, and is copied as what it is: the first one of a file as well.
#[test]
fn what_prints_as_a_box_keeps_its_text() {
    let lines = ["\u{2d63}\u{2d63}", "ܐܒܓ", "සුනිල්", "a 🏠\u{2d63} b 🏠"];
    for (i, line) in lines.iter().enumerate() {
        let mut own = sheet(Language::Fr, 3);
        own.blocks[1].lines = lines[i..].iter().map(|l| (*l).to_owned()).collect();
        let page = File::read(&documents::pdf(&own).unwrap()).pages().concat();
        let joined: String = page.split('\n').collect();
        assert!(joined.contains(line), "{line} is not found in\n{page}");
        assert!(!page.contains('\u{fffd}'), "{line}: a glyph without its text");
    }
}

/// An issued invoice is drawn again when somebody asks for it, so what can be drawn without a shaper stays as it is. All of
/// its characters have a glyph here.
#[test]
fn what_was_issued_stays_as_it_was_drawn() {
    let sums = Language::ALL.map(|language| {
        let mut issued = sheet(language, 60);
        issued.mark = "Brouillon 草稿".into();
        issued.notes.push("さくら « Owner’s » № 5 ½, Nguye\u{302}\u{303}n ".repeat(9));
        let mut sum = Crc::new();
        sum.update(&File::read(&documents::pdf(&issued).unwrap()).drawn());
        sum.sum()
    });
    assert_eq!(sums, [2_925_232_598, 3_925_186_413, 1_600_870_903]);
}

#[test]
fn sixty_lines_go_on_with_their_head_and_say_which_page_it_is() {
    let bytes = documents::pdf(&sheet(Language::Fr, 60)).unwrap();
    let pages = File::read(&bytes).pages();
    assert_eq!(pages.len(), 3);
    for (i, page) in pages.iter().enumerate() {
        assert!(page.contains(&format!("Page {} de 3", i + 1)), "{page}");
        assert_eq!(page.contains("Prix unitaire"), page.contains("Main-d’œuvre"), "a table has its head on each page");
        assert!(page.contains("2027-000042"));
    }
    let all = pages.concat();
    for n in 1..=60 {
        assert_eq!(all.matches(&format!("Main-d’œuvre {n} :")).count(), 1, "line {n}");
    }
}

/// The paper of a partner: a line a move, with both addresses and the customer below it.
#[test]
fn sixty_moves_of_a_partner_are_three_pages() {
    let mut paper = sheet(Language::Fr, 60);
    paper.page_words = ["Page ".into(), "/".into(), String::new()];
    for (n, row) in (1..).zip(&mut paper.rows) {
        row.description = format!("K7M{n:03} · 18 février 2027 · BC-{n}");
        row.detail =
            "1200 avenue Bernard, Montréal (Québec) H2V 1V3, Canada › 4500 rue Saint-Denis, Montréal (Québec) \
                      H2J 2L1, Canada · Camille Tremblay"
                .into();
        row.quantity = "1".into();
    }
    let pages = File::read(&documents::pdf(&paper).unwrap()).pages();
    assert_eq!(pages.len(), 3);
    for (i, page) in pages.iter().enumerate() {
        assert!(page.contains(&format!("{}/3", i + 1)), "{page}");
        assert_eq!(page.contains("Prix unitaire"), page.contains("K7M"), "a table has its head on each page");
    }
    assert_eq!(pages.concat().matches("Camille Tremblay").count(), 60);
}

#[test]
fn registration_numbers_are_found_whole_beside_long_labels() {
    for (language, labels) in [
        (Language::En, ["GST/HST registration number", "QST registration number"]),
        (Language::Fr, ["Numéro d’inscription TPS/TVH", "Numéro d’inscription TVQ"]),
        (Language::Zh, ["GST/HST 登记号", "魁北克省销售税（QST）登记号"]),
    ] {
        let numbers = ["12345 6782 RT0001", "1224002901 TQ0001"];
        let mut own = sheet(language, 3);
        own.blocks[0].lines = labels.iter().zip(numbers).map(|(label, number)| format!("{label} {number}")).collect();
        let page = File::read(&documents::pdf(&own).unwrap()).pages().concat();
        for number in numbers {
            assert!(page.lines().any(|line| line.ends_with(number)), "{language}: {number} is not found in\n{page}");
        }
    }
}

#[test]
fn the_same_sheet_is_the_same_bytes_and_a_draft_is_marked() {
    let issued = sheet(Language::Fr, 5);
    assert_eq!(documents::pdf(&issued).unwrap(), documents::pdf(&issued).unwrap());
    let draft = Sheet { mark: "BROUILLON".into(), ..issued.clone() };
    let text = |s: &Sheet| File::read(&documents::pdf(s).unwrap()).pages().concat();
    assert!(text(&draft).contains("BROUILLON") && !text(&issued).contains("BROUILLON"));
}

#[test]
fn a_file_says_what_it_is_and_can_be_read_aloud() {
    let bytes = documents::pdf(&sheet(Language::Fr, 5)).unwrap();
    assert!(find(&bytes, b"fr-CA").is_some(), "its language");
    assert!(count(&bytes, b"Facture 2027-000042") + count(&bytes, b"/Title") > 0, "its title");
    let roles = File::read(&bytes).roles();
    for role in ["H1", "H2", "Table", "TR", "TH", "TD", "P"] {
        assert!(roles.iter().any(|r| r == role), "{role} is missing: {roles:?}");
    }
}

/// A file with so many pixels, the left half transparent.
fn png(width: u32, height: u32) -> Vec<u8> {
    let row = |_| std::iter::once(0).chain((0..width).flat_map(|x| [20, 120, 60, if x < width / 2 { 0 } else { 255 }]));
    let pixels: Vec<u8> = (0..height).flat_map(row).collect();
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::default());
    packed.write_all(&pixels).unwrap();
    let chunk = |name: &[u8], data: &[u8]| {
        let mut sum = Crc::new();
        sum.update(name);
        sum.update(data);
        let length = u32::try_from(data.len()).unwrap();
        [&length.to_be_bytes()[..], name, data, &sum.sum().to_be_bytes()[..]].concat()
    };
    let size = [&width.to_be_bytes()[..], &height.to_be_bytes()[..], &[8, 6, 0, 0, 0]].concat();
    let (head, data) = (chunk(b"IHDR", &size), chunk(b"IDAT", &packed.finish().unwrap()));
    [&b"\x89PNG\r\n\x1a\n"[..], &head, &data, &chunk(b"IEND", &[])].concat()
}

#[test]
fn a_logo_stands_once_above_the_name() {
    let plain = sheet(Language::Fr, 30);
    for (width, height) in [(640, 240), (640, 1), (2, 240)] {
        let own = Sheet { logo: Some(png(width, height)), ..plain.clone() };
        let bytes = documents::pdf(&own).unwrap();
        assert_eq!(bytes, documents::pdf(&own).unwrap());
        // The picture, and beside it what is transparent of it.
        assert_eq!(count(&bytes, b"/Subtype/Image"), 2, "{width} × {height}");
        let pages = File::read(&bytes).pages();
        assert_eq!(pages.len(), File::read(&documents::pdf(&plain).unwrap()).pages().len());
        assert!(pages[0].contains("Déménagements Portage inc."), "{}", pages[0]);
    }
    assert_eq!(count(&documents::pdf(&plain).unwrap(), b"/Subtype/Image"), 0);
    let broken = Sheet { logo: Some(b"<svg/>".to_vec()), ..plain };
    assert!(documents::pdf(&broken).unwrap_err().to_string().contains("logo"));
}

#[test]
fn nothing_breaks_it() {
    let mut odd = sheet(Language::En, 1);
    odd.blocks[1].lines = vec!["\u{0}\u{202e}محمد 김철수 🏠".into(), "x".repeat(5_000)];
    odd.rows[0].description = "Ŵ".repeat(2_000);
    odd.notes = vec!["字".repeat(3_000), String::new()];
    odd.facts.clear();
    odd.totals.clear();
    odd.rows.push(Row::default());
    let bytes = documents::pdf(&odd).unwrap();
    let all = File::read(&bytes).pages().concat();
    assert_eq!(all.matches('字').count(), 3_000);
    assert_eq!(all.matches('Ŵ').count(), 2_000);
    let empty = Sheet { blocks: Vec::new(), rows: Vec::new(), notes: Vec::new(), ..odd };
    assert!(documents::pdf(&empty).unwrap().starts_with(b"%PDF"));
}

/// The same in two languages: one after the other, each on pages of its own, for who has it read aloud in its own language.
/// Pages are counted through the file: no two of them say the same.
#[test]
fn sheets_of_several_languages_are_one_file() {
    let pages = |bytes: &[u8]| File::read(bytes).pages();
    // Of one language, so that the fonts of all pages have the same names.
    let twice = [sheet(Language::Fr, 60), sheet(Language::Fr, 5)];
    let alone = twice.each_ref().map(|one| pages(&documents::pdf(one).unwrap()));
    let uncounted = |all: &[String]| -> Vec<String> {
        let is_count = |line: &&str| line.starts_with("Page ");
        all.iter().map(|page| page.lines().filter(|line| !is_count(line)).collect::<Vec<_>>().join("\n")).collect()
    };
    let together = pages(&documents::pdf_of(&twice).unwrap());
    assert_eq!(uncounted(&together), uncounted(&alone.concat()));
    for (i, page) in together.iter().enumerate() {
        assert!(page.contains(&format!("Page {} de {}", i + 1, together.len())), "{page}");
    }
    let both = [sheet(Language::Fr, 60), sheet(Language::Zh, 5)];
    let bytes = documents::pdf_of(&both).unwrap();
    assert_eq!(documents::pdf_of(&both).unwrap(), bytes, "the same sheets are the same bytes");
    assert_eq!(pages(&bytes).len(), 4);
    for (language, many) in [("fr-CA", 2), ("zh-Hans", 1)] {
        assert!(count(&bytes, language.as_bytes()) >= many, "{language}");
    }
    assert!(documents::pdf_of(&[]).is_err());
}
