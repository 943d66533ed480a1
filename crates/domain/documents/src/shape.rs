//! Texts as glyphs at their places: which ones, from left to right, and of which fonts.
//!
//! Most scripts are one glyph a character. What is not goes through a shaper, run by run; the order of the runs is that of
//! the Unicode bidirectional algorithm in a line that begins on the left, since the sheet around it does.

use std::ops::Range;

use harfrust::{BufferClusterLevel, BufferFlags, Direction, Feature, ShapeOptions, Tag, UnicodeBuffer};
use krilla::text::{GlyphId, KrillaGlyph};
use unicode_bidi::{Level, ParagraphBidiInfo};

use crate::{
    font::{Face, Faces, Weight},
    script::{is_indic, is_joiner, is_shaped},
};

/// Glyphs of one font beside each other, from left to right.
pub(crate) struct Run<'f> {
    pub face: &'f Face,
    /// Its part of the text. The glyphs' own parts are counted from its beginning.
    pub range: Range<usize>,
    /// Measured in parts of the size.
    pub glyphs: Vec<KrillaGlyph>,
}

impl Run<'_> {
    /// In parts of the size.
    pub fn width(&self) -> f32 {
        self.glyphs.iter().map(|g| g.x_advance).sum()
    }

    /// A file maps glyphs to characters, but never the empty box. Where two glyphs stand for one part of the text, that
    /// part is written beside them: each box has a blank without width with it, so that its character can be copied.
    pub fn boxes_told(mut self) -> Self {
        let is_box = |g: &KrillaGlyph| g.glyph_id.to_u32() == 0 && !g.text_range.is_empty();
        let Some(blank) = self.face.glyph(' ').filter(|_| self.glyphs.iter().any(is_box)) else { return self };
        let blank = GlyphId::new(blank.to_u32());
        for glyph in std::mem::take(&mut self.glyphs) {
            let part = is_box(&glyph).then(|| glyph.text_range.clone());
            self.glyphs.push(glyph);
            self.glyphs.extend(part.map(|part| KrillaGlyph::new(blank, 0.0, 0.0, 0.0, 0.0, part, None)));
        }
        self
    }

    /// There is no such weight of its font: it is drawn heavier.
    pub fn embolden(&self, weight: Weight) -> bool {
        weight == Weight::Bold && !self.face.is_own
    }
}

impl Faces {
    /// How wide a line is at a size.
    pub fn width(&self, text: &str, size: f32, weight: Weight) -> f32 {
        if text.chars().any(is_shaped) {
            self.runs(text, weight).iter().flat_map(|run| &run.glyphs).map(|g| g.x_advance).sum::<f32>() * size
        } else {
            text.chars().map(|c| self.set(c, weight).advance).sum::<f32>() * size
        }
    }

    /// A line as runs, from left to right.
    pub fn runs(&self, text: &str, weight: Weight) -> Vec<Run<'_>> {
        if !text.chars().any(is_shaped) {
            return self.plain(text, 0..text.len(), weight);
        }
        let order = ParagraphBidiInfo::new(text, Some(Level::ltr()));
        let (levels, parts) = order.visual_runs(0..text.len());
        let mut runs = Vec::new();
        for part in parts {
            let is_rtl = levels.get(part.start).is_some_and(Level::is_rtl);
            let mut here = self.one_way(text, part, weight, is_rtl);
            if is_rtl {
                here.reverse();
            }
            runs.append(&mut here);
        }
        runs
    }

    /// One glyph a character.
    fn plain(&self, text: &str, part: Range<usize>, weight: Weight) -> Vec<Run<'_>> {
        let mut runs: Vec<Run<'_>> = Vec::new();
        for (at, c) in text.get(part.clone()).unwrap_or_default().char_indices() {
            let (from, to) = (part.start + at, part.start + at + c.len_utf8());
            let set = self.set(c, weight);
            let glyph = |begin: usize| {
                let id = GlyphId::new(set.glyph.to_u32());
                KrillaGlyph::new(id, set.advance, 0.0, 0.0, 0.0, from - begin..to - begin, None)
            };
            match runs.last_mut().filter(|run| std::ptr::eq(run.face, set.face)) {
                Some(run) => {
                    run.glyphs.push(glyph(run.range.start));
                    run.range.end = to;
                }
                None => runs.push(Run { face: set.face, range: from..to, glyphs: vec![glyph(from)] }),
            }
        }
        runs
    }

    /// A part that runs one way, as runs in the order of the text.
    fn one_way(&self, text: &str, part: Range<usize>, weight: Weight, is_rtl: bool) -> Vec<Run<'_>> {
        let mut spans: Vec<(&Face, Range<usize>)> = Vec::new();
        for (at, c) in text.get(part.clone()).unwrap_or_default().char_indices() {
            let (from, to) = (part.start + at, part.start + at + c.len_utf8());
            let face = self.face(c, weight, spans.last().map(|(face, _)| *face));
            match spans.last_mut().filter(|(last, _)| std::ptr::eq(*last, face)) {
                Some((_, range)) => range.end = to,
                None => spans.push((face, from..to)),
            }
        }
        let mut runs = Vec::new();
        for (face, range) in spans {
            let words = text.get(range.clone()).unwrap_or_default();
            if is_rtl {
                runs.append(&mut letters(face, range.start, shaped(face, words, is_rtl)));
            } else if words.chars().any(is_shaped) {
                runs.push(Run { face, glyphs: shaped(face, words, is_rtl), range });
            } else {
                runs.append(&mut self.plain(text, range, weight));
            }
        }
        runs
    }

    /// The font of a character after others. Marks stay with what they stand on, and the blank between two words of a
    /// script with both.
    fn face<'f>(&'f self, c: char, weight: Weight, before: Option<&'f Face>) -> &'f Face {
        let own = self.set(c, weight).face;
        match before {
            Some(before) if is_joiner(c) => before,
            Some(before) if (!own.is_own || c == ' ' || is_shaped(c)) && before.glyph(c).is_some() => before,
            _ => own,
        }
    }
}

/// From right to left each letter is a run, in the order of the text: so they are written, and so they are read.
fn letters(face: &Face, start: usize, glyphs: Vec<KrillaGlyph>) -> Vec<Run<'_>> {
    let mut runs: Vec<Run<'_>> = Vec::new();
    for mut glyph in glyphs.into_iter().rev() {
        let part = glyph.text_range.clone();
        // The dots of a letter come after it here, and are seen before it.
        if let Some(run) = runs.last_mut().filter(|run| part.is_empty() && run.range.end == start + part.end) {
            let end = run.range.len();
            glyph.text_range = end..end;
            run.glyphs.insert(0, glyph);
        } else {
            glyph.text_range = 0..part.len();
            runs.push(Run { face, range: start + part.start..start + part.end, glyphs: vec![glyph] });
        }
    }
    runs
}

/// The glyphs of a text in one font and one direction.
fn shaped(face: &Face, words: &str, is_rtl: bool) -> Vec<KrillaGlyph> {
    let mut buffer = UnicodeBuffer::new();
    buffer.push_str(words);
    buffer.set_direction(if is_rtl { Direction::RightToLeft } else { Direction::LeftToRight });
    buffer.guess_segment_properties();
    buffer.set_flags(BufferFlags::REMOVE_DEFAULT_IGNORABLES);
    // A mark is copied as a character of its own, unless the letters around it change places.
    if !words.chars().any(is_indic) {
        buffer.set_cluster_level(BufferClusterLevel::MonotoneCharacters);
    }
    // Latin letters are not kerned elsewhere either.
    let unkerned = [Feature::new(Tag::new(b"kern"), 0, ..)];
    let features: &[Feature] = if face.is_own { &unkerned } else { &[] };
    let shaper = face.shaping().shaper(&face.bytes).build();
    let glyphs = shaper.shape(buffer, ShapeOptions::new().features(features));
    // A glyph stands for the text from where its cluster begins to where the next one does.
    let start = |cluster: u32| usize::try_from(cluster).unwrap_or(usize::MAX).min(words.len());
    let infos = glyphs.glyph_infos();
    let mut starts: Vec<usize> = infos.iter().map(|info| start(info.cluster)).collect();
    starts.sort_unstable();
    let size = |units: i32| measure(units) / face.units;
    let set = infos.iter().zip(glyphs.glyph_positions()).enumerate().map(|(i, (info, at))| {
        let from = start(info.cluster);
        let next = starts.partition_point(|begin| *begin <= from);
        let to = starts.get(next).copied().unwrap_or(words.len());
        // From right to left the dots of a letter may come before it: the letter stands for the character and they for
        // nothing. Marked as one piece, readers would leave gaps around it.
        let is_part = is_rtl && infos.get(i + 1).is_some_and(|next| next.cluster == info.cluster);
        // What keeps letters apart would be copied on the wrong side of one.
        let piece = words.get(from..to).unwrap_or_default();
        let from = from + (piece.len() - piece.trim_start_matches(is_joiner).len());
        let end = from + piece.trim_matches(is_joiner).len();
        let part = if is_part { end..end } else { from..end };
        let id = GlyphId::new(info.glyph_id);
        KrillaGlyph::new(id, size(at.x_advance), size(at.x_offset), size(at.y_offset), size(at.y_advance), part, None)
    });
    set.collect()
}

/// Units of a font. They fit 16 bits; what does not is a broken font's.
fn measure(units: i32) -> f32 {
    f32::from(i16::try_from(units).unwrap_or(0))
}

#[cfg(test)]
#[path = "../tests/names.rs"]
mod names;

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::{names::NAMES, *};
    use crate::{font::faces, lines::clean};

    /// The names of the tests, and those whose characters a font puts together.
    fn every_name() -> impl Iterator<Item = &'static str> {
        let together = ["مُحَمَّد", "علی\u{200c}رضا", "שָׂרָה", "ക്രിസ്തു", "Nguye\u{302}\u{303}n Thi\u{323}"];
        NAMES.into_iter().chain(together)
    }

    fn runs(text: &str) -> Vec<Run<'static>> {
        faces().unwrap().runs(text, Weight::Regular)
    }

    /// What each glyph stands for, from left to right.
    fn seen(text: &str) -> Vec<String> {
        let of = |run: &Run<'_>| {
            let words = text[run.range.clone()].to_owned();
            run.glyphs.iter().map(|g| words[g.text_range.clone()].to_owned()).collect::<Vec<_>>()
        };
        runs(text).iter().flat_map(of).collect()
    }

    fn ids(text: &str) -> Vec<u32> {
        runs(text).iter().flat_map(|run| &run.glyphs).map(|g| g.glyph_id.to_u32()).collect()
    }

    #[test]
    fn no_name_has_an_empty_box_and_no_character_is_lost() {
        for name in every_name() {
            let text = clean(name);
            for weight in [Weight::Regular, Weight::Bold] {
                let runs = faces().unwrap().runs(&text, weight);
                assert!(runs.iter().flat_map(|run| &run.glyphs).all(|g| g.glyph_id.to_u32() != 0), "{name}");
                for (at, c) in text.char_indices().filter(|(_, c)| !is_joiner(*c)) {
                    let mut here = runs.iter().filter(|run| run.range.contains(&at));
                    let is_told =
                        here.any(|run| run.glyphs.iter().any(|g| g.text_range.contains(&(at - run.range.start))));
                    assert!(is_told, "{name}: {c} at {at}");
                }
            }
        }
    }

    #[test]
    fn what_is_written_from_right_to_left_is_drawn_so() {
        assert_eq!(seen("שרה כהן").concat(), "ןהכ הרש");
        assert_eq!(seen("Ali שרה 12").concat(), "Ali 12 הרש");
        assert_eq!(seen("(שרה) 4500, Montréal").concat(), "(הרש) 4500, Montréal");
        // The parts of a line in Arabic, numbers among them.
        let parts: Vec<&str> = runs("Ali علي 12").iter().map(|run| &"Ali علي 12"[run.range.clone()]).collect();
        assert_eq!(parts, ["Ali ", "12", " ", "ي", "ل", "ع"]);
        let text = "دار 12 شارع";
        let at = |part: &str| seen(text).iter().position(|s| s == part).unwrap();
        assert!(at("ش") < at("1") && at("1") < at("د"), "{:?}", seen(text));
    }

    #[test]
    fn letters_change_with_their_neighbours() {
        // Of three joined letters none looks as it does alone.
        let alone: Vec<u32> = ["ع", "ل", "م"].iter().flat_map(|c| ids(c)).collect();
        assert!(!ids("علم").iter().any(|g| alone.contains(g)), "{:?} {alone:?}", ids("علم"));
        // Kept apart, they do not join.
        assert_ne!(ids("عل\u{200c}م"), ids("علم"));
        // Consonants without a vowel between them are one sign.
        assert!(ids("क्ष").len() < 3);
        // This vowel is written before the consonant that it follows.
        let (ka, ki) = (ids("क"), ids("कि"));
        assert_eq!((ki.len(), ki.last()), (2, ka.first()));
    }

    #[test]
    fn marks_stand_above_what_they_belong_to() {
        for name in ["שָׂרָה", "x̱", "น้ำ"] {
            let moved = |g: &KrillaGlyph| g.x_offset != 0.0 || g.y_offset != 0.0;
            assert!(runs(name).iter().flat_map(|run| &run.glyphs).any(moved), "{name}");
        }
        // Vietnamese has letters of its own, however it is typed.
        assert_eq!(ids(&clean("Nguye\u{302}\u{303}n")), ids("Nguyễn"));
        assert_eq!(ids("Nguyễn").len(), 6);
    }

    #[test]
    fn what_is_measured_is_what_is_drawn() {
        let faces = faces().unwrap();
        for name in every_name() {
            let text = clean(name);
            let drawn: f32 = faces.runs(&text, Weight::Bold).iter().map(Run::width).sum();
            assert!((faces.width(&text, 9.0, Weight::Bold) - drawn * 9.0).abs() < 0.001, "{name}");
        }
        // Joined letters are not as wide as the same ones alone.
        let alone: f32 = "محمد".chars().map(|c| faces.width(&c.to_string(), 9.0, Weight::Regular)).sum();
        assert!((faces.width("محمد", 9.0, Weight::Regular) - alone).abs() > 1.0);
    }

    #[test]
    fn other_scripts_are_one_glyph_a_character() {
        for text in [
            "Déménagements « Portage » — 12,50\u{a0}$",
            "王小明 · Ελένη · Ольга",
            "김민수",
            "さくら 田中",
            "Արամ გიორგი አበበ",
        ] {
            let seen = seen(text);
            assert_eq!(seen.len(), text.chars().count());
            assert_eq!(seen.concat(), text);
            for glyph in runs(text).iter().flat_map(|run| &run.glyphs) {
                assert_eq!((glyph.x_offset, glyph.y_offset), (0.0, 0.0));
            }
        }
    }
}
