//! Where everything stands: pages of pieces of text and rules, and the structure a reader aloud follows.

use crate::{
    font::{Faces, Weight},
    lines::{broken, clean},
    sheet::{Block, Row, Sheet, Total},
};

/// Letter, in points.
pub(crate) const WIDTH: f32 = 612.0;
pub(crate) const HEIGHT: f32 = 792.0;
pub(crate) const MARGIN: f32 = 48.0;
const INNER: f32 = WIDTH - 2.0 * MARGIN;
/// The lowest line of the text.
const BOTTOM: f32 = HEIGHT - 62.0;
const BODY: f32 = 9.0;
const SMALL: f32 = 7.5;
/// With it twelve lines and their sum are one page, sixty are three.
const LEADING: f32 = 1.32;
/// Right edges of quantity, unit price and amount; the description has what is left of them.
const QUANTITY: f32 = MARGIN + INNER - 175.0;
const UNIT_PRICE: f32 = MARGIN + INNER - 85.0;
const AMOUNT: f32 = MARGIN + INNER;
const DESCRIPTION: f32 = INNER - 240.0;
/// The largest a logo is drawn.
const LOGO_WIDTH: f32 = 170.0;
const LOGO_HEIGHT: f32 = 48.0;
/// Where the labels of the sum begin.
const TOTALS: f32 = MARGIN + INNER - 250.0;

/// What a piece of text is, for who has it read aloud.
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

/// What a piece belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Of {
    Part(usize),
    /// Said on another page already, or of no meaning.
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
    pub of: Of,
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

/// A sheet on its pages.
pub(crate) struct Laid {
    pub pages: Vec<Page>,
    pub parts: Vec<Part>,
}

/// How a text is set.
#[derive(Clone, Copy)]
struct Style {
    size: f32,
    weight: Weight,
    grey: u8,
}

const PLAIN: Style = Style { size: BODY, weight: Weight::Regular, grey: 0 };
const STRONG: Style = Style { size: BODY, weight: Weight::Bold, grey: 0 };
const DIM: Style = Style { size: SMALL, weight: Weight::Regular, grey: 95 };

struct Setter<'s> {
    faces: &'s Faces,
    /// Width and height of the logo in its own measure.
    logo: Option<(f32, f32)>,
    sheet: &'s Sheet,
    pages: Vec<Page>,
    parts: Vec<Part>,
    y: f32,
}

/// Sets a sheet.
pub(crate) fn laid(faces: &Faces, sheet: &Sheet, logo: Option<(f32, f32)>) -> Laid {
    let mut setter = Setter { faces, logo, sheet, pages: vec![Page::default()], parts: Vec::new(), y: MARGIN };
    setter.head();
    setter.blocks(&sheet.blocks);
    setter.lead();
    setter.table();
    setter.totals(&sheet.totals);
    setter.notes();
    setter.feet();
    Laid { pages: setter.pages, parts: setter.parts }
}

impl Setter<'_> {
    fn part(&mut self, role: Role, parent: Option<usize>) -> usize {
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

    fn rule(&mut self, from: f32, y: f32, width: f32) {
        self.page().rules.push(Rule { from, to: AMOUNT, y, width });
    }

    fn put(&mut self, x: f32, y: f32, style: Style, text: &str, of: Of) {
        if text.is_empty() {
            return;
        }
        let Style { size, weight, grey } = style;
        self.page().pieces.push(Piece { x, y, size, weight, grey, text: text.to_owned(), of });
    }

    fn put_right(&mut self, right: f32, y: f32, style: Style, text: &str, of: Of) {
        let text = clean(text);
        let x = right - self.faces.width(&text, style.size, style.weight);
        self.put(x, y, style, &text, of);
    }

    fn lines(&self, text: &str, style: Style, width: f32) -> Vec<String> {
        broken(self.faces, text, style.size, style.weight, width)
    }

    /// Lines from `y` down; answers where the next one would stand.
    fn put_lines(&mut self, x: f32, y: f32, style: Style, lines: &[String], of: Of) -> f32 {
        let mut y = y;
        for line in lines {
            self.put(x, y, style, line, of);
            y += style.size * LEADING;
        }
        y
    }

    fn head(&mut self) {
        let title = Style { size: 20.0, weight: Weight::Bold, grey: 0 };
        let issuer = Style { size: 13.0, weight: Weight::Bold, grey: 0 };
        let of = Of::Part(self.part(Role::Heading(1), None));
        self.y = MARGIN + 16.0;
        let text = clean(&self.sheet.title);
        self.put(MARGIN, self.y, title, &text, of);
        let of = Of::Part(self.part(Role::Paragraph, None));
        let room = INNER - self.faces.width(&text, title.size, title.weight) - 24.0;
        let name = self.lines(&self.sheet.issuer, issuer, room.max(120.0));
        let mut y = self.y + self.logo();
        for line in &name {
            self.put_right(AMOUNT, y, issuer, line, of);
            y += issuer.size * 1.25;
        }
        self.y = y.max(self.y + 22.0) + 6.0;
        let table = self.part(Role::Table, None);
        let labels = self.sheet.facts.iter().map(|(label, _)| self.faces.width(&clean(label), BODY, Weight::Bold));
        let column = labels.fold(0.0, f32::max).min(180.0) + 14.0;
        for (label, value) in &self.sheet.facts {
            let row = self.part(Role::Line, Some(table));
            let head = Of::Part(self.part(Role::HeaderCell, Some(row)));
            let cell = Of::Part(self.part(Role::Cell, Some(row)));
            let (labels, values) = (self.lines(label, STRONG, column - 6.0), self.lines(value, PLAIN, INNER - column));
            let left = self.put_lines(MARGIN, self.y, STRONG, &labels, head);
            let right = self.put_lines(MARGIN + column, self.y, PLAIN, &values, cell);
            self.y = left.max(right);
        }
        self.y += 14.0;
    }

    /// The logo in the upper corner, as large as its frame allows; answers by how much the name below it moves down.
    fn logo(&mut self) -> f32 {
        let Some((width, height)) = self.logo else { return 0.0 };
        let scale = (LOGO_WIDTH / width).min(LOGO_HEIGHT / height);
        let (width, height) = (width * scale, height * scale);
        let frame = Frame { x: AMOUNT - width, y: MARGIN, width, height };
        self.page().logo = Some(frame);
        height + 4.0
    }

    fn blocks(&mut self, blocks: &[Block]) {
        let blocks = &blocks[..blocks.len().min(3)];
        let Ok(count) = u16::try_from(blocks.len().max(1)) else { return };
        let column = INNER / f32::from(count);
        let mut lowest = self.y;
        for (i, block) in (0u16..).zip(blocks) {
            let x = MARGIN + f32::from(i) * column;
            let width = column - 16.0;
            let of = Of::Part(self.part(Role::Heading(2), None));
            let heading = self.lines(&block.heading, STRONG, width);
            let mut y = self.put_lines(x, self.y, STRONG, &heading, of);
            for line in &block.lines {
                let lines = self.lines(line, PLAIN, width);
                let of = Of::Part(self.part(Role::Paragraph, None));
                y = self.put_lines(x, y, PLAIN, &lines, of);
            }
            lowest = lowest.max(y);
        }
        self.y = lowest + 18.0;
    }

    fn lead(&mut self) {
        let style = Style { size: 14.0, weight: Weight::Bold, grey: 0 };
        let lines = self.lines(&self.sheet.lead, style, INNER);
        if lines.is_empty() {
            return;
        }
        let of = Of::Part(self.part(Role::Paragraph, None));
        self.y = self.put_lines(MARGIN, self.y, style, &lines, of) + 10.0;
    }

    /// The names of the columns; `first` says that they were not read yet.
    fn table_head(&mut self, of: [Of; 4]) {
        let [what, quantity, price, amount] = self.sheet.columns.clone();
        self.put(MARGIN, self.y, DIM, &clean(&what), of[0]);
        self.put_right(QUANTITY, self.y, DIM, &quantity, of[1]);
        self.put_right(UNIT_PRICE, self.y, DIM, &price, of[2]);
        self.put_right(AMOUNT, self.y, DIM, &amount, of[3]);
        self.y += 6.0;
        self.rule(MARGIN, self.y, 0.8);
        self.y += 14.0;
    }

    fn table(&mut self) {
        let table = self.part(Role::Table, None);
        let row = self.part(Role::Line, Some(table));
        let of = [(); 4].map(|()| Of::Part(self.part(Role::HeaderCell, Some(row))));
        self.table_head(of);
        for row in &self.sheet.rows {
            self.row(table, row);
        }
    }

    fn row(&mut self, table: usize, row: &Row) {
        let mut what = self.lines(&row.description, PLAIN, DESCRIPTION);
        if what.is_empty() {
            what.push(String::new());
        }
        // The numbers stand beside the first line of the description: below them the whole width is free.
        let detail = self.lines(&row.detail, DIM, INNER);
        let part = self.part(Role::Line, Some(table));
        let of = [(); 4].map(|()| Of::Part(self.part(Role::Cell, Some(part))));
        let mut numbers = true;
        for (style, line) in what.iter().map(|l| (PLAIN, l)).chain(detail.iter().map(|l| (DIM, l))) {
            self.make_room(style.size * LEADING);
            if std::mem::take(&mut numbers) {
                self.put_right(QUANTITY, self.y, PLAIN, &row.quantity, of[1]);
                self.put_right(UNIT_PRICE, self.y, PLAIN, &row.unit_price, of[2]);
                self.put_right(AMOUNT, self.y, PLAIN, &row.amount, of[3]);
            }
            self.put(MARGIN, self.y, style, line, of[0]);
            self.y += style.size * LEADING;
        }
        self.y += 3.0;
    }

    /// A page with the table's head when less than `height` is left.
    fn make_room(&mut self, height: f32) {
        if self.y + height <= BOTTOM {
            return;
        }
        self.turn();
        self.table_head([Of::Repeated; 4]);
    }

    /// The next page, with what it belongs to.
    fn turn(&mut self) {
        self.pages.push(Page::default());
        self.y = MARGIN + 8.0;
        let number = self.sheet.facts.first().map(|(_, value)| value.clone()).unwrap_or_default();
        let (title, issuer) = (clean(&format!("{} {number}", self.sheet.title)), self.sheet.issuer.clone());
        self.put(MARGIN, self.y, STRONG, &title, Of::Repeated);
        self.put_right(AMOUNT, self.y, DIM, &issuer, Of::Repeated);
        self.y += 26.0;
    }

    fn totals(&mut self, totals: &[Total]) {
        // The sum stands on one page.
        let height: f32 = totals.iter().map(|t| if t.strong { 22.0 } else { 15.0 }).sum();
        if self.y + height > BOTTOM {
            self.turn();
        } else {
            self.rule(MARGIN, self.y - 8.0, 0.4);
            self.y += 6.0;
        }
        let table = self.part(Role::Table, None);
        for total in totals {
            let row = self.part(Role::Line, Some(table));
            let head = Of::Part(self.part(Role::HeaderCell, Some(row)));
            let cell = Of::Part(self.part(Role::Cell, Some(row)));
            let style = if total.strong { STRONG } else { PLAIN };
            if total.strong {
                self.rule(TOTALS, self.y - 7.0, 0.4);
                self.y += 6.0;
            }
            let amount = self.faces.width(&clean(&total.amount), style.size, style.weight);
            let label = self.lines(&total.label, style, 250.0 - amount - 12.0);
            self.put_right(AMOUNT, self.y, style, &total.amount, cell);
            let end = self.put_lines(TOTALS, self.y, style, &label, head);
            self.y = end.max(self.y + style.size * LEADING) + 3.0;
        }
        self.y += 16.0;
    }

    fn notes(&mut self) {
        for note in &self.sheet.notes {
            let lines = self.lines(note, PLAIN, INNER);
            if lines.is_empty() {
                continue;
            }
            let of = Of::Part(self.part(Role::Paragraph, None));
            for line in &lines {
                if self.y + BODY * LEADING > BOTTOM {
                    self.turn();
                }
                self.put(MARGIN, self.y, PLAIN, line, of);
                self.y += BODY * LEADING;
            }
            self.y += 5.0;
        }
    }

    fn feet(&mut self) {
        let count = self.pages.len();
        let [before, between, after] = self.sheet.page_words.clone();
        let room = INNER - 110.0;
        let footer = self.lines(&self.sheet.footer, DIM, room);
        let set = |x, y, text: String| Piece {
            x,
            y,
            size: DIM.size,
            weight: DIM.weight,
            grey: DIM.grey,
            text,
            of: Of::Repeated,
        };
        for (i, page) in self.pages.iter_mut().enumerate() {
            let number = format!("{before}{}{between}{count}{after}", i + 1);
            let x = AMOUNT - self.faces.width(&number, DIM.size, DIM.weight);
            page.rules.push(Rule { from: MARGIN, to: AMOUNT, y: HEIGHT - 52.0, width: 0.4 });
            page.pieces.push(set(x, HEIGHT - 40.0, number));
            let mut y = HEIGHT - 40.0;
            for line in footer.iter().take(2) {
                page.pieces.push(set(MARGIN, y, line.clone()));
                y += DIM.size * LEADING;
            }
        }
    }
}
