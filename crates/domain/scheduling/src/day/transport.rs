//! The transportation problem: what leaves rows arrives at columns at the least cost.
//!
//! Solved by successive shortest augmenting paths with potentials (Ahuja, Magnanti and Orlin, *Network Flows*, 1993, §9.7;
//! for units of one it is the Hungarian method). Rows and columns are added one after the other, and what was sent stays the
//! cheapest for those that are there: a job is tried, and taken back when it does not fit.

use std::rc::Rc;

/// No arc.
const NONE: i64 = i64::MAX;
/// Not reached.
const FAR: i64 = i64::MAX;

/// Rows, columns, the cost of a unit from each to each, and what is sent.
#[derive(Debug, Clone)]
pub(super) struct Transport {
    columns: usize,
    /// Shared with the copies that are kept to go back to.
    cost: Rc<[i64]>,
    sent: Vec<u16>,
    /// Potentials: `cost + row − column` is never negative, and zero where something is sent.
    row: Vec<i64>,
    column: Vec<i64>,
    rows_on: Vec<usize>,
    columns_on: Vec<usize>,
}

impl Transport {
    /// Of so many rows and columns, none of which is there yet; `cost` answers nothing where there is no arc.
    pub fn new(rows: usize, columns: usize, cost: impl Fn(usize, usize) -> Option<i64>) -> Transport {
        let arcs = (0..rows).flat_map(|r| (0..columns).map(move |c| (r, c)));
        Transport {
            columns,
            cost: arcs.map(|(r, c)| cost(r, c).unwrap_or(NONE)).collect(),
            sent: vec![0; rows * columns],
            row: vec![0; rows],
            column: vec![0; columns],
            rows_on: Vec::new(),
            columns_on: Vec::new(),
        }
    }

    const fn at(&self, row: usize, column: usize) -> usize {
        row * self.columns + column
    }

    /// Units from a row to a column.
    pub fn sent(&self, row: usize, column: usize) -> u16 {
        self.sent[self.at(row, column)]
    }

    /// Adds a row that sends nothing yet.
    pub fn add_row(&mut self, row: usize) {
        let arcs = self.columns_on.iter().filter(|c| self.cost[self.at(row, **c)] != NONE);
        self.row[row] = arcs.map(|c| self.column[*c] - self.cost[self.at(row, *c)]).max().unwrap_or(0);
        self.rows_on.push(row);
    }

    /// Adds a column that gets nothing yet.
    pub fn add_column(&mut self, column: usize) {
        let arcs = self.rows_on.iter().filter(|r| self.cost[self.at(**r, column)] != NONE);
        self.column[column] = arcs.map(|r| self.row[*r] + self.cost[self.at(*r, column)]).min().unwrap_or(0);
        self.columns_on.push(column);
    }

    /// Sends units where no dearer way was there before: from a new row to its cheapest column.
    pub fn begin(&mut self, row: usize, column: usize, units: u16) {
        let at = self.at(row, column);
        self.sent[at] += units;
    }

    /// Takes one of the units that a row sends out again: to which column it went.
    pub fn take(&mut self, row: usize) -> Option<usize> {
        let column = (0..self.columns).find(|c| self.sent(row, *c) > 0)?;
        let at = self.at(row, column);
        self.sent[at] -= 1;
        Some(column)
    }

    /// The row and the column added last are taken out again; nothing is sent from or to them.
    pub fn drop_last(&mut self) {
        self.rows_on.pop();
        self.columns_on.pop();
    }

    /// One more unit leaves `from` and one more arrives at `to`, by the cheapest change of what is sent. False: there is no
    /// way, and nothing changed.
    pub fn augment(&mut self, from: usize, to: usize) -> bool {
        let rows = self.row.len();
        let (mut row_far, mut column_far) = (vec![FAR; rows], vec![FAR; self.columns]);
        // The row a column is reached from, the column a row is.
        let (mut before, mut back) = (vec![from; self.columns], vec![to; rows]);
        let mut settled = vec![false; self.columns];
        let mut ahead = vec![from];
        row_far[from] = 0;
        loop {
            for row in ahead.drain(..) {
                for column in self.columns_on.iter().copied().filter(|c| !settled[*c]) {
                    let cost = self.cost[self.at(row, column)];
                    if cost == NONE {
                        continue;
                    }
                    let far = row_far[row] + cost + self.row[row] - self.column[column];
                    if far < column_far[column] {
                        (column_far[column], before[column]) = (far, row);
                    }
                }
            }
            let open = self.columns_on.iter().copied().filter(|c| !settled[*c] && column_far[*c] != FAR);
            let Some(column) = open.min_by_key(|c| (column_far[*c], *c)) else { return false };
            settled[column] = true;
            if column == to {
                break;
            }
            for row in self.rows_on.iter().copied() {
                if row_far[row] == FAR && self.sent[self.at(row, column)] > 0 {
                    (row_far[row], back[row]) = (column_far[column], column);
                    ahead.push(row);
                }
            }
        }
        let whole = column_far[to];
        for row in self.rows_on.iter().copied() {
            self.row[row] += row_far[row].min(whole);
        }
        for column in self.columns_on.iter().copied() {
            self.column[column] += column_far[column].min(whole);
        }
        let mut column = to;
        loop {
            let row = before[column];
            let at = self.at(row, column);
            self.sent[at] += 1;
            if row == from {
                return true;
            }
            column = back[row];
            let at = self.at(row, column);
            self.sent[at] -= 1;
        }
    }
}

/// Each of `wanted` by one of `given`, at the least sum of costs; the answer is by `wanted`. There are at least as many given.
pub(super) fn matched(wanted: usize, given: usize, cost: impl Fn(usize, usize) -> i64) -> Vec<usize> {
    // Row 0 has all who are given until somebody wants them; column 0 takes what it has no use for any more.
    let mut t = Transport::new(wanted + 1, given + 1, |row, column| match (row, column) {
        (0, _) => Some(0),
        (_, 0) => None,
        _ => Some(cost(row - 1, column - 1)),
    });
    t.add_row(0);
    for column in 0..=given {
        t.add_column(column);
    }
    for column in 1..=given {
        t.begin(0, column, 1);
    }
    for row in 1..=wanted {
        t.add_row(row);
        t.augment(row, 0);
    }
    (1..=wanted).filter_map(|row| (1..=given).find(|c| t.sent(row, *c) > 0).map(|c| c - 1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The least sum by trying all.
    fn least(costs: &[Vec<i64>], row: usize, taken: u32) -> i64 {
        if row == costs.len() {
            return 0;
        }
        let free = (0..costs[row].len()).filter(|c| taken & (1 << c) == 0);
        free.map(|c| costs[row][c] + least(costs, row + 1, taken | 1 << c)).min().unwrap_or(0)
    }

    proptest! {
        #[test]
        fn a_matching_is_the_cheapest(costs in proptest::collection::vec(proptest::collection::vec(-50i64..50, 6), 1..=6)) {
            let found = matched(costs.len(), 6, |r, c| costs[r][c]);
            prop_assert_eq!(found.len(), costs.len());
            let distinct: std::collections::BTreeSet<_> = found.iter().collect();
            prop_assert_eq!(distinct.len(), found.len());
            let sum: i64 = found.iter().enumerate().map(|(r, c)| costs[r][*c]).sum();
            prop_assert_eq!(sum, least(&costs, 0, 0));
        }
    }
}
