//! Pages as a file.

use std::num::NonZeroU16;

use krilla::{
    Document, SerializeSettings,
    color::luma,
    geom::{PathBuilder, Point, Size, Transform},
    image::Image,
    metadata::{DateTime, Metadata},
    num::NormalizedF32,
    page::PageSettings,
    paint::{Fill, Stroke},
    surface::Surface,
    tagging::{
        Artifact, ArtifactType, ContentTag, Identifier, Node, SpanTag, TableHeaderScope, Tag, TagGroup, TagKind,
        TagTree,
    },
};

use crate::{
    font::{Faces, Weight, faces},
    lines::clean,
    page::{Frame, HEIGHT, LaidOutSheet, MARGIN, Page, Part, Piece, PieceOwner, Role, Rule, WIDTH, feet, lay_out},
    shape::Run,
    sheet::Sheet,
};

/// The sheet could not be written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the document cannot be written: {0}")]
pub struct Failed(String);

const MARK_GREY: u8 = 205;
const BLACK: u8 = 0;

fn html_lang(language: kernel::Language) -> &'static str {
    match language {
        kernel::Language::En => "en-CA",
        kernel::Language::Fr => "fr-CA",
        kernel::Language::Zh => "zh-Hans",
    }
}

/// The file of a sheet.
///
/// # Errors
/// When the fonts of the program or the logo cannot be read, or the file cannot be made.
pub fn pdf(sheet: &Sheet) -> Result<Vec<u8>, Failed> {
    pdf_of(std::slice::from_ref(sheet))
}

/// One file of sheets, one after the other, each on pages of its own and in its own language; the pages are counted through
/// the file. Title and language of the file are those of the first.
///
/// # Errors
/// The same, and when there is none.
pub fn pdf_of(sheets: &[Sheet]) -> Result<Vec<u8>, Failed> {
    let faces = faces().ok_or_else(|| Failed("the fonts cannot be read".to_owned()))?;
    let first = sheets.first().ok_or_else(|| Failed("there is no sheet".to_owned()))?;
    let mut document = Document::new_with(SerializeSettings::default());
    let mut tree = TagTree::new().with_lang(Some(html_lang(first.language).to_owned()));
    let mut set: Vec<(&Sheet, Option<Image>, LaidOutSheet)> = Vec::with_capacity(sheets.len());
    for sheet in sheets {
        let logo = sheet.logo.clone().map(|png| Image::from_png(png.into(), false));
        let logo = logo.transpose().map_err(|e| Failed(format!("the logo cannot be read: {e}")))?;
        let laid = lay_out(faces, sheet, logo.as_ref().map(measure));
        set.push((sheet, logo, laid));
    }
    let (count, mut number) = (set.iter().map(|(_, _, laid)| laid.pages.len()).sum(), 1);
    for (sheet, logo, LaidOutSheet { mut pages, parts }) in set {
        feet(faces, sheet, &mut pages, number, count);
        number += pages.len();
        let mut found: Vec<Vec<Identifier>> = parts.iter().map(|_| Vec::new()).collect();
        for page in &pages {
            let size = PageSettings::from_wh(WIDTH, HEIGHT).ok_or_else(|| Failed("no such page".to_owned()))?;
            let mut drawn = document.start_page_with(size);
            let mut surface = drawn.surface();
            mark(&mut surface, faces, &sheet.mark);
            if let (Some(logo), Some(frame)) = (&logo, page.logo) {
                place(&mut surface, logo, frame);
            }
            draw(&mut surface, faces, page, &mut found);
            surface.finish();
            drawn.finish();
        }
        let nodes = nodes(&parts, found);
        if sheets.len() == 1 {
            tree.children.extend(nodes);
        } else {
            // A screen reader reads each sheet in its own language.
            let section = Tag::Section.with_lang(Some(html_lang(sheet.language).to_owned()));
            tree.children.push(Node::Group(TagGroup::with_children(section, nodes)));
        }
    }
    document.set_tag_tree(tree);
    let day = DateTime::new(first.made_on.year).month(first.made_on.month).day(first.made_on.day);
    let about = Metadata::new()
        .title(clean(&first.file_title))
        .authors(vec![clean(&first.issuer)])
        .creator("Portage".to_owned())
        .language(html_lang(first.language).to_owned())
        .creation_date(day);
    document.set_metadata(about);
    document.finish().map_err(|e| Failed(format!("{e:?}")))
}

fn fill(grey: u8) -> Fill {
    Fill { paint: luma::Color::new(grey).into(), opacity: NormalizedF32::ONE, ..Fill::default() }
}

fn stroke(grey: u8, width: f32) -> Stroke {
    Stroke { paint: luma::Color::new(grey).into(), width, ..Stroke::default() }
}

/// Width and height, pixels.
fn measure(logo: &Image) -> (f32, f32) {
    // A logo has some hundred pixels; an absurd one is drawn as a strip and not refused.
    let side = |n: u32| f32::from(u16::try_from(n).unwrap_or(u16::MAX)).max(1.0);
    let (width, height) = logo.size();
    (side(width), side(height))
}

/// The logo. Screen readers skip it: the name below it says the same.
fn place(surface: &mut Surface<'_>, logo: &Image, frame: Frame) {
    let Some(size) = Size::from_wh(frame.width, frame.height) else { return };
    surface.start_tagged(ContentTag::Artifact(Artifact::with_kind(ArtifactType::Layout)));
    surface.push_transform(&Transform::from_translate(frame.x, frame.y));
    surface.draw_image(logo.clone(), size);
    surface.pop();
    surface.end_tagged();
}

/// The word across a page that does not count yet.
fn mark(surface: &mut Surface<'_>, faces: &Faces, word: &str) {
    let word = clean(word);
    if word.is_empty() {
        return;
    }
    let natural = faces.width(&word, 1.0, Weight::Bold).max(1.0);
    let size = (480.0 / natural).min(120.0);
    surface.start_tagged(ContentTag::Artifact(Artifact::with_kind(ArtifactType::Watermark)));
    surface.push_transform(&Transform::from_rotate_at(-45.0, WIDTH / 2.0, HEIGHT / 2.0));
    let from = Point::from_xy((WIDTH - natural * size) / 2.0, HEIGHT / 2.0 + size / 3.0);
    text(surface, faces, &word, from, size, Weight::Bold, MARK_GREY);
    surface.pop();
    surface.end_tagged();
}

fn draw(surface: &mut Surface<'_>, faces: &Faces, page: &Page, found: &mut [Vec<Identifier>]) {
    for rule in &page.rules {
        line(surface, *rule);
    }
    for piece in &page.pieces {
        let Piece { x, y, size, weight, grey, text: words, of } = piece;
        let tag = match of {
            PieceOwner::Part(_) => ContentTag::Span(SpanTag::empty()),
            PieceOwner::Repeated if *y < MARGIN || *y > HEIGHT - MARGIN => {
                ContentTag::Artifact(Artifact::with_kind(ArtifactType::Footer))
            }
            PieceOwner::Repeated => ContentTag::Artifact(Artifact::with_kind(ArtifactType::Header)),
        };
        let id = surface.start_tagged(tag);
        text(surface, faces, words, Point::from_xy(*x, *y), *size, *weight, *grey);
        surface.end_tagged();
        if let PieceOwner::Part(part) = of
            && let Some(ids) = found.get_mut(*part)
        {
            ids.push(id);
        }
    }
}

fn line(surface: &mut Surface<'_>, rule: Rule) {
    let mut path = PathBuilder::new();
    path.move_to(rule.from, rule.y);
    path.line_to(rule.to, rule.y);
    let Some(path) = path.finish() else { return };
    surface.start_tagged(ContentTag::Artifact(Artifact::with_kind(ArtifactType::Layout)));
    surface.set_fill(None);
    surface.set_stroke(Some(stroke(BLACK, rule.width)));
    surface.draw_path(&path);
    surface.end_tagged();
}

/// Runs are placed from left to right and written in the order of the text, which copying and screen readers follow.
fn text(surface: &mut Surface<'_>, faces: &Faces, words: &str, from: Point, size: f32, weight: Weight, grey: u8) {
    surface.set_fill(Some(fill(grey)));
    let mut x = from.x;
    let mut placed: Vec<(f32, Run<'_>)> = Vec::new();
    for run in faces.runs(words, weight) {
        let left = x;
        x += run.width() * size;
        placed.push((left, run));
    }
    placed.sort_by_key(|(_, run)| run.range.start);
    for (left, run) in placed {
        let run = run.boxes_told();
        surface.set_stroke(run.embolden(weight).then(|| stroke(grey, size * 0.03)));
        let part = words.get(run.range.clone()).unwrap_or_default();
        surface.draw_glyphs(Point::from_xy(left, from.y), &run.glyphs, run.face.font.clone(), part, size, false);
    }
    surface.set_stroke(None);
}

fn tag(role: Role) -> TagKind {
    match role {
        Role::Heading(level) => Tag::Hn(NonZeroU16::new(level).unwrap_or(NonZeroU16::MIN), None).into(),
        Role::Paragraph => Tag::P.into(),
        Role::Table => Tag::Table.into(),
        Role::Line => Tag::TR.into(),
        Role::HeaderCell => Tag::TH(TableHeaderScope::Both).into(),
        Role::Cell => Tag::TD.into(),
    }
}

/// The structure with what was drawn of it. A part of which nothing was drawn is left out.
fn nodes(parts: &[Part], found: Vec<Vec<Identifier>>) -> Vec<Node> {
    let mut groups: Vec<Option<TagGroup>> = Vec::with_capacity(parts.len());
    for (part, ids) in parts.iter().zip(found) {
        groups.push(Some(TagGroup::with_children(tag(part.role), ids.into_iter().map(Node::from).collect())));
    }
    let mut top = Vec::new();
    // A child comes after its parent, so the last ones are whole first; children are put in front to keep their order.
    for i in (0..groups.len()).rev() {
        let Some(group) = groups.get_mut(i).and_then(Option::take).filter(|g| !g.children.is_empty()) else { continue };
        match parts.get(i).and_then(|p| p.parent) {
            Some(parent) => {
                if let Some(Some(above)) = groups.get_mut(parent) {
                    above.children.insert(0, Node::Group(group));
                }
            }
            None => top.insert(0, Node::Group(group)),
        }
    }
    top
}
