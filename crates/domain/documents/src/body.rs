//! What stands between the head of a sheet and its feet. What belongs together stays on one page: a row, a party, the sum with
//! the row above it, a heading with what it is of.

use crate::{
    font::Weight,
    lines::clean,
    page::{BOTTOM, INNER, MARGIN, PieceOwner, RIGHT, Role, Setter, Style, first_line},
    sheet::{Block, Row, Total},
};

/// Right edges of quantity and unit price; the description has what is left of them.
const QUANTITY: f32 = RIGHT - 175.0;
const UNIT_PRICE: f32 = RIGHT - 85.0;
const DESCRIPTION: f32 = INNER - 240.0;
/// Where the labels of the sum begin, and how wide labels and amounts are.
const SUM: f32 = 250.0;
const TOTALS: f32 = RIGHT - SUM;
/// What notes have beside the sum.
const BESIDE: f32 = INNER - SUM - 20.0;
/// Lines of a paragraph that stand on a page at least.
const FEW: usize = 2;
/// From the names of the columns to the first row.
const HEAD_RULE: f32 = 6.0;
const HEAD_GAP: f32 = 14.0;

/// A row, broken into lines.
struct Broken {
    what: Vec<String>,
    detail: Vec<String>,
    /// The detail stands behind the description.
    is_behind: bool,
}

impl Setter<'_> {
    /// As much as a further page has, with the names of the columns on it or without.
    fn whole_page(&self, has_head: bool) -> f32 {
        BOTTOM - first_line() - if has_head { HEAD_RULE + HEAD_GAP } else { 0.0 }
    }

    /// Parties beside each other, on one page where they can be.
    pub fn blocks(&mut self, blocks: &[Block]) {
        let blocks = &blocks[..blocks.len().min(3)];
        let Ok(count) = u16::try_from(blocks.len().max(1)) else { return };
        let column = INNER / f32::from(count);
        let (strong, plain) = (self.density.strong(), self.density.plain());
        // The lines of each block, with what they belong to.
        let mut columns: Vec<Vec<(Style, String, PieceOwner)>> = Vec::with_capacity(blocks.len());
        for block in blocks {
            let of = PieceOwner::Part(self.part(Role::Heading(2), None));
            let heading = self.lines(&block.heading, strong, column - 16.0);
            let mut own: Vec<_> = heading.into_iter().map(|line| (strong, line, of)).collect();
            for line in &block.lines {
                let of = PieceOwner::Part(self.part(Role::Paragraph, None));
                own.extend(self.lines(line, plain, column - 16.0).into_iter().map(|line| (plain, line, of)));
            }
            columns.push(own);
        }
        let step = self.density.line(plain);
        let at = |n: usize| f32::from(u16::try_from(n).unwrap_or(u16::MAX)) * step;
        let longest = columns.iter().map(Vec::len).max().unwrap_or(0);
        if !self.has_room(at(longest)) && at(longest) <= self.whole_page(false) {
            self.turn();
        }
        let mut done = 0;
        while done < longest {
            if !self.has_room(step) {
                self.turn();
            }
            let mut here = 1;
            while done + here < longest && self.has_room(at(here + 1)) {
                here += 1;
            }
            for (i, own) in (0u16..).zip(&columns) {
                let mut y = self.y;
                for (style, line, of) in own.iter().skip(done).take(here) {
                    self.put(MARGIN + f32::from(i) * column, y, *style, line, *of);
                    y += step;
                }
            }
            (self.y, done) = (self.y + at(here), done + here);
        }
        self.y += self.density.gap(18.0);
    }

    /// What is to be read first, with the beginning of the table below it.
    pub fn lead(&mut self) {
        let style = Style { size: 14.0, weight: Weight::Bold, grey: 0 };
        let lines = self.lines(&self.sheet.lead, style, INNER);
        if lines.is_empty() {
            return;
        }
        let below = lines.iter().map(|_| self.density.line(style)).sum::<f32>() + self.density.gap(10.0);
        if !self.has_room(below + self.beginning()) {
            self.turn();
        }
        let of = PieceOwner::Part(self.part(Role::Paragraph, None));
        self.y = self.put_lines(MARGIN, self.y, style, &lines, of) + self.density.gap(10.0);
    }

    /// How high the names of the columns are with the first row, which is never far from them.
    fn beginning(&self) -> f32 {
        let first = self.sheet.rows.first().map_or(0.0, |row| self.height(&self.broken(row)));
        HEAD_RULE + HEAD_GAP + first.min(self.whole_page(true))
    }

    /// The names of the columns.
    fn table_head(&mut self, of: [PieceOwner; 4]) {
        let [what, quantity, price, amount] = self.sheet.columns.clone();
        let dim = self.density.dim();
        self.put(MARGIN, self.y, dim, &clean(&what), of[0]);
        self.put_right(QUANTITY, self.y, dim, &quantity, of[1]);
        self.put_right(UNIT_PRICE, self.y, dim, &price, of[2]);
        self.put_right(RIGHT, self.y, dim, &amount, of[3]);
        self.y += HEAD_RULE;
        self.rule(MARGIN, self.y, 0.8);
        self.y += HEAD_GAP;
    }

    pub fn table(&mut self) {
        if !self.has_room(self.beginning()) {
            self.turn();
        }
        let table = self.part(Role::Table, None);
        let row = self.part(Role::Line, Some(table));
        let of = [(); 4].map(|()| PieceOwner::Part(self.part(Role::HeaderCell, Some(row))));
        self.table_head(of);
        let last = self.sheet.rows.len().saturating_sub(1);
        for (i, row) in self.sheet.rows.iter().enumerate() {
            let below = if i == last { self.sum_height() } else { 0.0 };
            self.row(table, row, below);
        }
    }

    fn broken(&self, row: &Row) -> Broken {
        let (plain, dim) = (self.density.plain(), self.density.dim());
        let mut what = self.lines(&row.description, plain, DESCRIPTION);
        if what.is_empty() {
            what.push(String::new());
        }
        // The numbers stand beside the first line of the description: below them the whole width is free.
        let detail = self.lines(&row.detail, dim, INNER);
        let is_behind = match (what.as_slice(), detail.as_slice()) {
            ([what], [detail]) if self.density.detail_behind => {
                self.width(what, plain) + 8.0 + self.width(detail, dim) <= DESCRIPTION
            }
            _ => false,
        };
        Broken { what, detail, is_behind }
    }

    fn height(&self, row: &Broken) -> f32 {
        let what: f32 = row.what.iter().map(|_| self.density.line(self.density.plain())).sum();
        let detail: f32 = row.detail.iter().map(|_| self.density.line(self.density.dim())).sum();
        what + if row.is_behind { 0.0 } else { detail } + self.density.row_gap
    }

    /// A row is whole, on this page or on the next; only one that no page holds is broken. `below` is what stands below it
    /// on the same page.
    fn row(&mut self, table: usize, row: &Row, below: f32) {
        let broken = self.broken(row);
        let height = self.height(&broken);
        let most = self.whole_page(true);
        let wanted = if height + below <= most { height + below } else { height };
        if wanted <= most {
            self.make_room(wanted);
        }
        let part = self.part(Role::Line, Some(table));
        let of = [(); 4].map(|()| PieceOwner::Part(self.part(Role::Cell, Some(part))));
        let (plain, dim) = (self.density.plain(), self.density.dim());
        let mut numbers = true;
        let Broken { what, detail, is_behind } = broken;
        let below = detail.iter().filter(|_| !is_behind).map(|line| (dim, line));
        for (style, line) in what.iter().map(|line| (plain, line)).chain(below) {
            self.make_room(self.density.line(style));
            if std::mem::take(&mut numbers) {
                self.put_right(QUANTITY, self.y, plain, &row.quantity, of[1]);
                self.put_right(UNIT_PRICE, self.y, plain, &row.unit_price, of[2]);
                self.put_right(RIGHT, self.y, plain, &row.amount, of[3]);
            }
            self.put(MARGIN, self.y, style, line, of[0]);
            if let ([what], [detail], true) = (what.as_slice(), detail.as_slice(), is_behind) {
                self.put(MARGIN + self.width(what, plain) + 8.0, self.y, dim, detail, of[0]);
            }
            self.y += self.density.line(style);
        }
        self.y += self.density.row_gap;
    }

    /// A page with the table's head when less than `height` is left.
    fn make_room(&mut self, height: f32) {
        if !self.has_room(height) {
            self.turn();
            self.table_head([PieceOwner::Repeated; 4]);
        }
    }

    /// A line of the sum: its style, its label in lines, and how high it is.
    fn sum_line(&self, total: &Total) -> (Style, Vec<String>, f32) {
        let style = if total.strong { self.density.strong() } else { self.density.plain() };
        let amount = self.width(&clean(&total.amount), style);
        let label = self.lines(&total.label, style, SUM - amount - 12.0);
        let lines: f32 = label.iter().map(|_| self.density.line(style)).sum();
        let above = if total.strong { self.density.gap(6.0) } else { 0.0 };
        (style, label, above + lines.max(self.density.line(style)) + self.density.gap(3.0))
    }

    /// From the last row of the table to below its sum.
    fn sum_height(&self) -> f32 {
        let lines: f32 = self.sheet.totals.iter().map(|total| self.sum_line(total).2).sum();
        lines + self.density.gap(6.0)
    }

    /// The sum below the table, as a whole. Answers whether the notes stand beside it.
    pub fn totals(&mut self, totals: &[Total]) -> bool {
        let height = self.sum_height();
        if self.has_room(height) || height > self.whole_page(false) {
            self.rule(MARGIN, self.y - self.density.gap(8.0), 0.4);
            self.y += self.density.gap(6.0);
        } else {
            self.turn();
        }
        let from = self.y;
        let table = self.part(Role::Table, None);
        for total in totals {
            let (style, label, height) = self.sum_line(total);
            if !self.has_room(height) {
                self.turn();
            }
            let row = self.part(Role::Line, Some(table));
            let head = PieceOwner::Part(self.part(Role::HeaderCell, Some(row)));
            let cell = PieceOwner::Part(self.part(Role::Cell, Some(row)));
            let mut y = self.y;
            if total.strong {
                self.rule(TOTALS, y - style.size * 0.8, 0.4);
                y += self.density.gap(6.0);
            }
            self.put_right(RIGHT, y, style, &total.amount, cell);
            self.put_lines(TOTALS, y, style, &label, head);
            self.y += height;
        }
        let beside = self.density.notes_beside && self.y > from && self.notes_beside(from);
        self.y += self.density.gap(16.0);
        beside
    }

    /// The notes on the left of the sum, from `y` down, where the page holds them: all of them, since one that goes on below
    /// the sum would be read apart. False: they do not stand there.
    fn notes_beside(&mut self, y: f32) -> bool {
        let (plain, gap) = (self.density.plain(), self.density.gap(5.0));
        let notes: Vec<Vec<String>> = self.sheet.notes.iter().map(|note| self.lines(note, plain, BESIDE)).collect();
        let notes = || notes.iter().filter(|lines| !lines.is_empty());
        let height: f32 = notes().map(|lines| gap + lines.iter().map(|_| self.density.line(plain)).sum::<f32>()).sum();
        if y + height - gap > BOTTOM {
            return false;
        }
        let mut below = y;
        for lines in notes() {
            let of = PieceOwner::Part(self.part(Role::Paragraph, None));
            below = self.put_lines(MARGIN, below, plain, lines, of) + gap;
        }
        self.y = self.y.max(below);
        true
    }

    /// Paragraphs. At least two lines of each stand together on a page.
    pub fn notes(&mut self, notes: &[String]) {
        let plain = self.density.plain();
        let step = self.density.line(plain);
        for note in notes {
            let lines = self.lines(note, plain, INNER);
            if lines.is_empty() {
                continue;
            }
            let of = PieceOwner::Part(self.part(Role::Paragraph, None));
            for (i, line) in lines.iter().enumerate() {
                let left = lines.len() - i;
                // A short one is whole; of a long one the first two, and the last two, stay together.
                let together = match i {
                    0 if left < 2 * FEW => left,
                    0 => FEW,
                    _ if left == FEW => FEW,
                    _ => 1,
                };
                let height = f32::from(u16::try_from(together).unwrap_or(u16::MAX)) * step;
                if !self.has_room(height) {
                    self.turn();
                }
                self.put(MARGIN, self.y, plain, line, of);
                self.y += step;
            }
            self.y += self.density.gap(5.0);
        }
    }
}
