//! What a reader finds in a file: its text, page by page, as copying or a search has it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::{collections::BTreeMap, io::Read as _};

/// A part of a file between two marks.
fn between<'a>(text: &'a [u8], from: &[u8], to: &[u8]) -> Option<&'a [u8]> {
    let begin = find(text, from)? + from.len();
    let end = find(&text[begin..], to)?;
    Some(&text[begin..begin + end])
}

pub fn find(text: &[u8], what: &[u8]) -> Option<usize> {
    text.windows(what.len()).position(|w| w == what)
}

pub fn count(text: &[u8], what: &[u8]) -> usize {
    text.windows(what.len()).filter(|w| *w == what).count()
}

/// The objects of a file by number, streams unpacked.
pub struct File(BTreeMap<u32, (Vec<u8>, Vec<u8>)>);

impl File {
    pub fn read(bytes: &[u8]) -> File {
        let mut objects = BTreeMap::new();
        let mut at = 0;
        while let Some(next) = find(&bytes[at..], b" 0 obj") {
            let begin = at + next;
            let digits = bytes[..begin].iter().rev().take_while(|b| b.is_ascii_digit()).count();
            let number: u32 = std::str::from_utf8(&bytes[begin - digits..begin]).unwrap().parse().unwrap();
            let body = begin + b" 0 obj".len();
            let dictionary_end = find(&bytes[body..], b"endobj").map_or(bytes.len(), |e| body + e);
            let stream_at = find(&bytes[body..dictionary_end], b"stream\n").map(|s| body + s);
            let (head, stream, end) = match stream_at {
                Some(s) => {
                    let head = &bytes[body..s];
                    let after = &head[find(head, b"/Length ").unwrap() + 8..];
                    let digits = after.iter().take_while(|b| b.is_ascii_digit()).count();
                    let length: usize = std::str::from_utf8(&after[..digits]).unwrap().parse().unwrap();
                    let raw = &bytes[s + 7..s + 7 + length];
                    (head, unpacked(head, raw), s + 7 + length)
                }
                None => (&bytes[body..dictionary_end], Vec::new(), dictionary_end),
            };
            objects.insert(number, (head.to_vec(), stream));
            at = end;
        }
        File(objects)
    }

    fn reference(&self, dictionary: &[u8], key: &[u8]) -> Option<u32> {
        let rest = &dictionary[find(dictionary, key)? + key.len()..];
        let text: String = rest.iter().map(|b| char::from(*b)).take(12).collect();
        text.trim_start_matches(['[', ' ', '\n']).split_whitespace().next()?.parse().ok()
    }

    /// Characters by glyph, of each font by its name on a page.
    fn fonts(&self, page: &[u8]) -> BTreeMap<String, BTreeMap<u16, String>> {
        let mut fonts = BTreeMap::new();
        let own = self.reference(page, b"/Resources").map_or(page, |number| &self.0[&number].0);
        let listed = between(own, b"/Font <<", b">>").or_else(|| between(own, b"/Font<<", b">>"));
        let text = String::from_utf8_lossy(listed.unwrap_or_default()).into_owned();
        for part in text.split('/').filter(|p| !p.trim().is_empty()) {
            let mut words = part.split_whitespace();
            let (name, number) = (words.next().unwrap().to_owned(), words.next().unwrap().parse::<u32>().unwrap());
            let font = &self.0[&number].0;
            let map = self.reference(font, b"/ToUnicode").map(|m| characters(&self.0[&m].1)).unwrap_or_default();
            fonts.insert(name, map);
        }
        fonts
    }

    /// Everything that is packed in it, unpacked: what is drawn, fonts and their maps.
    pub fn drawn(&self) -> Vec<u8> {
        let packed = self.0.values().filter(|(head, _)| find(head, b"FlateDecode").is_some());
        packed.flat_map(|(_, stream)| stream.iter().copied()).collect()
    }

    /// The text of each page, one line a piece.
    pub fn pages(&self) -> Vec<String> {
        let mut pages = Vec::new();
        for (head, _) in
            self.0.values().filter(|(h, _)| find(h, b"/Type /Page\n").is_some() || find(h, b"/Type/Page/").is_some())
        {
            let content = self.reference(head, b"/Contents").unwrap();
            pages.push(shown(&self.0[&content].1, &self.fonts(head)));
        }
        pages
    }

    /// Names in the tree of structure.
    pub fn roles(&self) -> Vec<String> {
        let of = |head: &[u8]| -> Option<String> {
            find(head, b"/StructElem")?;
            let rest = match find(head, b"/S /") {
                Some(at) => &head[at + 4..],
                None => &head[find(head, b"/S/")? + 3..],
            };
            Some(rest.iter().take_while(|b| b.is_ascii_alphanumeric()).map(|b| char::from(*b)).collect())
        };
        self.0.values().filter_map(|(head, _)| of(head)).collect()
    }
}

fn unpacked(head: &[u8], raw: &[u8]) -> Vec<u8> {
    if find(head, b"FlateDecode").is_none() {
        return raw.to_vec();
    }
    let mut out = Vec::new();
    flate2::read::ZlibDecoder::new(raw).read_to_end(&mut out).unwrap();
    out
}

/// `<0001> <0041>` of a map from glyphs to characters.
fn characters(map: &[u8]) -> BTreeMap<u16, String> {
    let text = String::from_utf8_lossy(map).into_owned();
    let mut found = BTreeMap::new();
    for section in text.split("beginbfchar").skip(1) {
        let section = section.split("endbfchar").next().unwrap();
        for line in section.lines().filter(|l| l.starts_with('<')) {
            let mut parts = line.split(['<', '>']).filter(|p| !p.trim().is_empty());
            let (Some(glyph), Some(units)) = (parts.next(), parts.next()) else { continue };
            let units: Vec<u16> = units
                .as_bytes()
                .chunks(4)
                .map(|c| u16::from_str_radix(std::str::from_utf8(c).unwrap(), 16).unwrap())
                .collect();
            found.insert(u16::from_str_radix(glyph, 16).unwrap(), String::from_utf16_lossy(&units));
        }
    }
    found
}

/// What a mark around strings says of them.
enum Mark {
    Nothing,
    /// They are in the order in which they are seen, from right to left.
    Backwards(usize),
    /// This is the text, whatever they are.
    Instead(usize, String),
}

/// A text outside of what is drawn.
fn aside(bytes: &[u8]) -> String {
    match bytes.strip_prefix(b"\xfe\xff") {
        Some(units) => {
            let units: Vec<u16> = units.chunks_exact(2).map(|c| u16::from_be_bytes([c[0], c[1]])).collect();
            String::from_utf16_lossy(&units)
        }
        None => bytes.iter().map(|b| char::from(*b)).collect(),
    }
}

/// The strings that a page shows, with the font in force, in the order of the text.
fn shown(content: &[u8], fonts: &BTreeMap<String, BTreeMap<u16, String>>) -> String {
    let (mut out, mut font, mut i) = (Vec::<String>::new(), String::new(), 0);
    let mut name = String::new();
    let (mut marks, mut instead) = (Vec::new(), None);
    while i < content.len() {
        match content[i] {
            b'/' => {
                name =
                    content[i + 1..].iter().take_while(|b| b.is_ascii_alphanumeric()).map(|b| char::from(*b)).collect();
                i += 1 + name.len();
            }
            b'T' if content[i..].starts_with(b"Tf") => {
                font.clone_from(&name);
                i += 2;
            }
            b'E' if content[i..].starts_with(b"ET") => {
                i += 2;
            }
            b'B' if content[i..].starts_with(b"BMC") || content[i..].starts_with(b"BDC") => {
                marks.push(match instead.take() {
                    Some(text) => Mark::Instead(out.len(), text),
                    None if name == "ReversedChars" => Mark::Backwards(out.len()),
                    None => Mark::Nothing,
                });
                i += 3;
            }
            b'E' if content[i..].starts_with(b"EMC") => {
                match marks.pop() {
                    Some(Mark::Backwards(from)) => out[from..].reverse(),
                    Some(Mark::Instead(from, text)) => {
                        out.truncate(from);
                        out.push(text);
                    }
                    Some(Mark::Nothing) | None => {}
                }
                if marks.is_empty() {
                    out.push("\n".to_owned());
                }
                i += 3;
            }
            b'(' => {
                let (bytes, end) = literal(content, i + 1);
                i = end;
                if name == "ActualText" {
                    instead = Some(aside(&bytes));
                } else {
                    speak(&mut out, &bytes, fonts.get(&font), &marks);
                }
            }
            b'<' if content.get(i + 1) != Some(&b'<') => {
                let end = i + find(&content[i..], b">").unwrap();
                let digits: Vec<u8> = content[i + 1..end].iter().copied().filter(u8::is_ascii_hexdigit).collect();
                let bytes: Vec<u8> = digits
                    .chunks(2)
                    .map(|c| u8::from_str_radix(std::str::from_utf8(c).unwrap(), 16).unwrap())
                    .collect();
                if name == "ActualText" {
                    instead = Some(aside(&bytes));
                } else {
                    speak(&mut out, &bytes, fonts.get(&font), &marks);
                }
                i = end + 1;
            }
            b'<' => i += 2,
            _ => i += 1,
        }
    }
    out.concat()
}

fn speak(out: &mut Vec<String>, bytes: &[u8], font: Option<&BTreeMap<u16, String>>, marks: &[Mark]) {
    let Some(font) = font else { return };
    // From right to left a letter's dots are glyphs of their own that stand for nothing.
    let unknown = if matches!(marks.last(), Some(Mark::Backwards(_))) { "" } else { "\u{fffd}" };
    for glyph in bytes.chunks(2).filter(|c| c.len() == 2) {
        let known = font.get(&u16::from_be_bytes([glyph[0], glyph[1]]));
        out.push(known.map_or(unknown, String::as_str).to_owned());
    }
}

/// A string in parentheses, with its escapes.
fn literal(content: &[u8], from: usize) -> (Vec<u8>, usize) {
    let (mut bytes, mut i, mut deep) = (Vec::new(), from, 1);
    while i < content.len() {
        match content[i] {
            b'\\' => {
                let next = content[i + 1];
                i += 2;
                match next {
                    b'n' => bytes.push(b'\n'),
                    b'r' => bytes.push(b'\r'),
                    b't' => bytes.push(b'\t'),
                    b'b' => bytes.push(8),
                    b'f' => bytes.push(12),
                    b'0'..=b'7' => {
                        let digits: Vec<u8> = content[i - 1..]
                            .iter()
                            .copied()
                            .take(3)
                            .take_while(|b| (b'0'..=b'7').contains(b))
                            .collect();
                        let value = digits.iter().fold(0u32, |v, d| v * 8 + u32::from(d - b'0'));
                        bytes.push(u8::try_from(value & 255).unwrap());
                        i += digits.len() - 1;
                    }
                    other => bytes.push(other),
                }
            }
            b')' if deep == 1 => return (bytes, i + 1),
            c => {
                deep += i32::from(c == b'(') - i32::from(c == b')');
                bytes.push(c);
                i += 1;
            }
        }
    }
    (bytes, i)
}
