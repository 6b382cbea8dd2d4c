//! What a skewed loop is: rows that take the same columns, each some of them later than the row before it.
//!
//! ```text
//! loop j in 0..m skewed 1 over i { block { a } block { a @ i+1 } }
//! ```
//! is one column of the first row, then columns of both, `a @ j+1; a @ i+1`, and the last column of the second row.
//! Validation runs them in the order in which emission prints them.

use super::jamming::moved;
use super::tree::{Loop, Node, Steps, instances, offset};
use crate::ir::IndexId;

/// The rows of a skewed loop, which are numbered by the offsets of an index.
pub fn rows(l: &Loop, over: IndexId) -> usize {
    let all = instances(&l.body).into_iter();
    let numbers = all.map(|instance| offset(&instance.offsets, over));
    numbers.max().unwrap_or(0) + 1
}

/// The loops that a skewed one is, one after the other.
pub fn expanded(l: &Loop) -> Vec<Node> {
    let Steps::Skewed { over, by } = l.steps else {
        return vec![Node::Loop(l.clone())];
    };
    let rows = rows(l, over);
    let own = |row: usize, columns: usize| {
        let own = instances(&l.body).into_iter();
        let own = own.filter(move |instance| offset(&instance.offsets, over) == row);
        own.map(move |instance| moved(instance.clone(), (l.index, columns)))
    };
    let parts = parts(rows, by).into_iter().map(|part| {
        let body = part
            .rows
            .into_iter()
            .flat_map(|(row, ahead)| own(row, ahead));
        Node::Loop(Loop {
            start: part.start,
            end: l.end.shorter(part.less),
            steps: part.steps,
            body: vec![Node::Block(body.collect())],
            ..l.clone()
        })
    });
    parts.collect()
}

/// The order in which a skewed loop of some length takes the columns of its rows, as its [expansion](expanded) does.
pub fn order(rows: usize, by: usize, length: usize) -> Vec<(usize, usize)> {
    let parts = parts(rows, by).into_iter().flat_map(|part| {
        let end = length.saturating_sub(part.less);
        let columns = match part.steps {
            Steps::First(most) => part.start..end.min(part.start + most),
            Steps::Last(most) => part.start.max(end.saturating_sub(most))..end,
            _ => part.start..end,
        };
        columns.flat_map(move |column| {
            let rows = part.rows.clone().into_iter();
            rows.map(move |(row, ahead)| (row, column + ahead))
        })
    });
    parts.collect()
}

/// One of the loops that a skewed one is.
struct Part {
    /// Rows, and how many columns each is ahead of the loop.
    rows: Vec<(usize, usize)>,
    /// The first column.
    start: usize,
    /// How many columns it ends before the last one.
    less: usize,
    /// Which of them it takes.
    steps: Steps,
}

/// Each row's columns before all rows have begun, those of all rows at once, and each row's that are left when the first
/// one has ended.
fn parts(rows: usize, by: usize) -> Vec<Part> {
    let apart = by * (rows - 1);
    let ahead = |row: usize| apart - row * by;
    let alone = |row: usize, start: usize, steps: Steps| Part {
        rows: vec![(row, 0)],
        start,
        less: 0,
        steps,
    };
    let together = Part {
        rows: (0..rows).map(|row| (row, ahead(row))).collect(),
        start: 0,
        less: apart,
        steps: Steps::All,
    };
    let first = (0..rows - 1).map(|row| alone(row, 0, Steps::First(ahead(row))));
    let last = (1..rows).map(|row| alone(row, ahead(row), Steps::Last(row * by)));
    let (first, last) = (first.filter(|_| by > 0), last.filter(|_| by > 0));
    first.chain([together]).chain(last).collect()
}

/// The nodes of a skewed loop that belong to a row.
pub fn of_row(body: &[Node], over: IndexId, row: usize) -> impl Iterator<Item = &Node> {
    body.iter().filter(move |node| {
        let all = instances(std::slice::from_ref(*node)).into_iter();
        all.take(1)
            .any(|instance| offset(&instance.offsets, over) == row)
    })
}

#[cfg(test)]
mod tests {
    use super::order;

    #[test]
    fn each_column_of_each_row_is_taken_once_and_in_order() {
        for (rows, by, length) in (1..5).flat_map(|rows| {
            (0..4).flat_map(move |by| (0..20).map(move |length| (rows, by, length)))
        }) {
            let order = order(rows, by, length);
            let at = |row: usize, column: usize| {
                let mut found = order
                    .iter()
                    .enumerate()
                    .filter(|(_, own)| **own == (row, column));
                let first = found.next().map(|(at, _)| at);
                assert!(
                    first.is_some() && found.next().is_none(),
                    "{rows} {by} {length}"
                );
                first
            };
            assert_eq!(order.len(), rows * length);
            for (row, column) in (0..rows).flat_map(|row| (0..length).map(move |c| (row, c))) {
                assert!(column == 0 || at(row, column - 1) < at(row, column));
                // What is less than `by` columns ahead in the row before has been done, and nothing that is further ahead.
                let until = (column + by).min(length);
                assert!(row == 0 || (0..until).all(|c| at(row - 1, c) < at(row, column)));
            }
        }
    }
}
