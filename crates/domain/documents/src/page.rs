//! Where everything stands: pages of pieces of text and rules, and the structure a reader aloud follows.

use crate::{
    font::{Faces, Weight},
    lines::{clean, wrapped_lines},
    sheet::Sheet,
};

/// Letter, in points.
pub(crate) const WIDTH: f32 = 612.0;
pub(crate) const HEIGHT: f32 = 792.0;
pub(crate) const MARGIN: f32 = 48.0;
pub(crate) const INNER: f32 = WIDTH - 2.0 * MARGIN;
/// The lowest line of the text.
pub(crate) const BOTTOM: f32 = HEIGHT - 56.0;
/// The right edge of everything.
pub(crate) const RIGHT: f32 = MARGIN + INNER;
/// The widest a logo is drawn.
const LOGO_WIDTH: f32 = 170.0;
/// The widest the name below it runs before it is broken.
const ISSUER: f32 = 210.0;
/// Table rows that the first page and each further one are meant to have: twelve lines and their sum are one page, sixty
/// are three.
const FIRST_ROWS: usize = 12;
const MORE_ROWS: usize = 24;

/// How closely a sheet is set, in points. Whoever has few lines gets them in comfort.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Density {
    body: f32,
    small: f32,
    /// Line to line, in parts of the size.
    pub leading: f32,
    /// Below a row of the table.
    pub row_gap: f32,
    /// Other gaps, in parts of the comfortable ones.
    gap: f32,
    /// The highest a logo is drawn.
    logo: f32,
    /// Notes stand on the left of the sum where there is room.
    pub notes_beside: bool,
    /// How an amount comes about stands behind the description where there is room.
    pub detail_behind: bool,
}

const DENSITIES: [Density; 4] = [
    Density {
        body: 9.0,
        small: 7.5,
        leading: 1.32,
        row_gap: 4.0,
        gap: 1.0,
        logo: 48.0,
        notes_beside: false,
        detail_behind: false,
    },
    Density {
        body: 9.0,
        small: 7.5,
        leading: 1.26,
        row_gap: 2.5,
        gap: 0.75,
        logo: 44.0,
        notes_beside: true,
        detail_behind: false,
    },
    Density {
        body: 8.5,
        small: 7.5,
        leading: 1.22,
        row_gap: 1.5,
        gap: 0.6,
        logo: 38.0,
        notes_beside: true,
        detail_behind: false,
    },
    Density {
        body: 8.5,
        small: 7.5,
        leading: 1.2,
        row_gap: 1.5,
        gap: 0.5,
        logo: 34.0,
        notes_beside: true,
        detail_behind: true,
    },
];

/// What a piece of text is, for a screen reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Heading(u16),
    Paragraph,
    Table,
    Line,
    HeaderCell,
    Cell,
}

/// A part of the structure; its children come after it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Part {
    pub role: Role,
    pub parent: Option<usize>,
}

/// What a piece of text belongs to in the structure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PieceOwner {
    Part(usize),
    /// Nothing: it repeats another page's text, or has no meaning.
    Repeated,
}

/// Text at a place.
#[derive(Debug, Clone)]
pub(crate) struct Piece {
    pub x: f32,
    pub y: f32,
    pub size: f32,
    pub weight: Weight,
    /// 0 is black.
    pub grey: u8,
    pub text: String,
    pub of: PieceOwner,
}

/// A line across.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rule {
    pub from: f32,
    pub to: f32,
    pub y: f32,
    pub width: f32,
}

/// Where the logo stands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Frame {
    pub x: f32,
    pub y: f32,
    pub width: f32,
    pub height: f32,
}

#[derive(Debug, Default)]
pub(crate) struct Page {
    pub logo: Option<Frame>,
    pub pieces: Vec<Piece>,
    pub rules: Vec<Rule>,
}

/// A sheet that was laid out on pages.
pub(crate) struct LaidOutSheet {
    pub pages: Vec<Page>,
    pub parts: Vec<Part>,
}

/// How a text is set.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Style {
    pub size: f32,
    pub weight: Weight,
    /// 0 is black.
    pub grey: u8,
}

impl Density {
    pub fn plain(&self) -> Style {
        Style { size: self.body, weight: Weight::Regular, grey: 0 }
    }

    pub fn strong(&self) -> Style {
        Style { size: self.body, weight: Weight::Bold, grey: 0 }
    }

    pub fn dim(&self) -> Style {
        Style { size: self.small, weight: Weight::Regular, grey: 95 }
    }

    /// From a line of this style to the next.
    pub fn line(&self, style: Style) -> f32 {
        style.size * self.leading
    }

    /// A gap of the comfortable setting.
    pub fn gap(&self, points: f32) -> f32 {
        points * self.gap
    }
}

pub(crate) struct Setter<'s> {
    pub faces: &'s Faces,
    /// Width and height of the logo in its own measure.
    logo: Option<(f32, f32)>,
    pub sheet: &'s Sheet,
    pub density: Density,
    pages: Vec<Page>,
    parts: Vec<Part>,
    /// Where the next line stands.
    pub y: f32,
}

/// Lays a sheet out, without the feet of its pages: with wide spacing, and with narrower spacing where it would take more
/// pages than it is meant to.
pub(crate) fn lay_out(faces: &Faces, sheet: &Sheet, logo: Option<(f32, f32)>) -> LaidOutSheet {
    let wanted = 1 + sheet.rows.len().saturating_sub(FIRST_ROWS).div_ceil(MORE_ROWS);
    let [comfortable, closer @ ..] = DENSITIES;
    let mut best = lay_out_as(faces, sheet, logo, comfortable);
    for density in closer {
        if best.pages.len() <= wanted {
            break;
        }
        let other = lay_out_as(faces, sheet, logo, density);
        if other.pages.len() < best.pages.len() {
            best = other;
        }
    }
    best
}

fn lay_out_as(faces: &Faces, sheet: &Sheet, logo: Option<(f32, f32)>, density: Density) -> LaidOutSheet {
    let mut setter = Setter { faces, logo, sheet, density, pages: vec![Page::default()], parts: Vec::new(), y: MARGIN };
    setter.head();
    setter.blocks(&sheet.blocks);
    setter.lead();
    setter.table();
    if !setter.totals(&sheet.totals) {
        setter.notes(&sheet.notes);
    }
    LaidOutSheet { pages: setter.pages, parts: setter.parts }
}

impl Setter<'_> {
    pub fn part(&mut self, role: Role, parent: Option<usize>) -> usize {
        self.parts.push(Part { role, parent });
        self.parts.len() - 1
    }

    fn page(&mut self) -> &mut Page {
        if self.pages.is_empty() {
            self.pages.push(Page::default());
        }
        let last = self.pages.len() - 1;
        &mut self.pages[last]
    }

    pub fn rule(&mut self, from: f32, y: f32, width: f32) {
        self.page().rules.push(Rule { from, to: RIGHT, y, width });
    }

    pub fn put(&mut self, x: f32, y: f32, style: Style, text: &str, of: PieceOwner) {
        if text.is_empty() {
            return;
        }
        let Style { size, weight, grey } = style;
        self.page().pieces.push(Piece { x, y, size, weight, grey, text: text.to_owned(), of });
    }

    pub fn put_right(&mut self, right: f32, y: f32, style: Style, text: &str, of: PieceOwner) {
        let text = clean(text);
        let x = right - self.width(&text, style);
        self.put(x, y, style, &text, of);
    }

    /// How wide a line is.
    pub fn width(&self, text: &str, style: Style) -> f32 {
        self.faces.width(text, style.size, style.weight)
    }

    pub fn lines(&self, text: &str, style: Style, width: f32) -> Vec<String> {
        wrapped_lines(self.faces, text, style.size, style.weight, width)
    }

    /// Lines from `y` down; answers where the next one would stand.
    pub fn put_lines(&mut self, x: f32, y: f32, style: Style, lines: &[String], of: PieceOwner) -> f32 {
        let mut y = y;
        for line in lines {
            self.put(x, y, style, line, of);
            y += self.density.line(style);
        }
        y
    }

    /// Title and facts on the left, logo and name on the right.
    fn head(&mut self) {
        let title = Style { size: 20.0, weight: Weight::Bold, grey: 0 };
        let issuer = Style { size: 13.0, weight: Weight::Bold, grey: 0 };
        let of = PieceOwner::Part(self.part(Role::Heading(1), None));
        self.y = MARGIN + 16.0;
        let text = clean(&self.sheet.title);
        self.put(MARGIN, self.y, title, &text, of);
        let of = PieceOwner::Part(self.part(Role::Paragraph, None));
        let room = (INNER - self.width(&text, title) - 24.0).clamp(120.0, ISSUER);
        let name = self.lines(&self.sheet.issuer, issuer, room);
        let logo = self.logo();
        let mut right = self.y + logo.map_or(0.0, |frame| frame.height + 4.0);
        for line in &name {
            self.put_right(RIGHT, right, issuer, line, of);
            right += issuer.size * 1.25;
        }
        let widest = name.iter().map(|line| self.width(line, issuer)).fold(0.0, f32::max);
        let right_width = widest.max(logo.map_or(0.0, |frame| frame.width));
        self.y += 22.0 + self.density.gap(6.0);
        self.facts(INNER - right_width - 24.0);
        self.y = self.y.max(right) + self.density.gap(14.0);
    }

    fn facts(&mut self, width: f32) {
        let (strong, plain) = (self.density.strong(), self.density.plain());
        let table = self.part(Role::Table, None);
        let labels = self.sheet.facts.iter().map(|(label, _)| self.width(&clean(label), strong));
        let column = labels.fold(0.0, f32::max).min(180.0).min(width / 2.0) + 14.0;
        for (label, value) in &self.sheet.facts {
            let row = self.part(Role::Line, Some(table));
            let head = PieceOwner::Part(self.part(Role::HeaderCell, Some(row)));
            let cell = PieceOwner::Part(self.part(Role::Cell, Some(row)));
            let labels = self.lines(label, strong, column - 6.0);
            let values = self.lines(value, plain, width - column);
            let left = self.put_lines(MARGIN, self.y, strong, &labels, head);
            let right = self.put_lines(MARGIN + column, self.y, plain, &values, cell);
            self.y = left.max(right);
        }
    }

    /// The logo in the upper corner, as large as its frame allows.
    fn logo(&mut self) -> Option<Frame> {
        let (width, height) = self.logo?;
        let scale = (LOGO_WIDTH / width).min(self.density.logo / height);
        let (width, height) = (width * scale, height * scale);
        let frame = Frame { x: RIGHT - width, y: MARGIN, width, height };
        self.page().logo = Some(frame);
        Some(frame)
    }

    /// Whether so much is left of the page.
    pub fn has_room(&self, height: f32) -> bool {
        self.y + height <= BOTTOM
    }

    /// The next page, with what it belongs to.
    pub fn turn(&mut self) {
        self.pages.push(Page::default());
        self.y = MARGIN + 8.0;
        let number = self.sheet.facts.first().map(|(_, value)| value.clone()).unwrap_or_default();
        let (strong, dim) = (self.density.strong(), self.density.dim());
        let title = clean(&format!("{} {number}", self.sheet.title));
        let room = (INNER - self.width(&title, strong) - 24.0).max(120.0);
        self.put(MARGIN, self.y, strong, &title, PieceOwner::Repeated);
        // A name too long for one line is whole on the first page.
        if let Some(issuer) = self.lines(&self.sheet.issuer, dim, room).first() {
            self.put_right(RIGHT, self.y, dim, issuer, PieceOwner::Repeated);
        }
        self.y = first_line();
    }
}

/// Where the text of a further page begins.
pub(crate) const fn first_line() -> f32 {
    MARGIN + 34.0
}

/// Says at the foot of the pages of a sheet who made it and which page of the file it is: `first` is the number of its first
/// page, `count` that of the last of the file.
pub(crate) fn feet(faces: &Faces, sheet: &Sheet, pages: &mut [Page], first: usize, count: usize) {
    let [comfortable, ..] = DENSITIES;
    let dim = comfortable.dim();
    let [before, between, after] = &sheet.page_words;
    let footer = wrapped_lines(faces, &sheet.footer, dim.size, dim.weight, INNER - 110.0);
    let set = |x, y, text: String| Piece {
        x,
        y,
        size: dim.size,
        weight: dim.weight,
        grey: dim.grey,
        text,
        of: PieceOwner::Repeated,
    };
    for (page, n) in pages.iter_mut().zip(first..) {
        let number = format!("{before}{n}{between}{count}{after}");
        let x = RIGHT - faces.width(&number, dim.size, dim.weight);
        page.rules.push(Rule { from: MARGIN, to: RIGHT, y: HEIGHT - 50.0, width: 0.4 });
        page.pieces.push(set(x, HEIGHT - 39.0, number));
        let mut y = HEIGHT - 39.0;
        for line in footer.iter().take(3) {
            page.pieces.push(set(MARGIN, y, line.clone()));
            y += comfortable.line(dim);
        }
    }
}
