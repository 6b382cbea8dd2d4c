//! Tables of numbers.

use comfy_table::{CellAlignment, Table, presets};

/// An empty table.
pub fn new_table() -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_FULL_CONDENSED);
    table
}

/// Aligns all columns but the first to the right.
pub fn align_right(mut table: Table, columns: usize) -> Table {
    for column in 1..=columns {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}
