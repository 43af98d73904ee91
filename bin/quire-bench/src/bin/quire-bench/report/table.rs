//! Markdown tables with aligned columns.

/// A table. The first column is aligned to the left, the others to the right.
pub(super) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(super) fn new(header: &[&str]) -> Self {
        Self { rows: vec![header.iter().map(|&cell| cell.to_owned()).collect()] }
    }

    pub(super) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// The lines, each with a line feed; empty if there is only the header.
    pub(super) fn text(&self) -> String {
        if self.rows.len() < 2 {
            return String::new();
        }
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let widths: Vec<usize> = (0..columns).map(|column| self.width(column)).collect();
        let rule = widths.iter().enumerate().map(|(column, &width)| match column {
            0 => "-".repeat(width),
            _ => format!("{}:", "-".repeat(width - 1)),
        });
        let rule = line(&rule.collect::<Vec<_>>(), &widths);
        let mut lines = self.rows.iter().map(|row| line(row, &widths));
        let header = lines.next().unwrap_or_default();
        [header, rule].into_iter().chain(lines).collect()
    }

    fn width(&self, column: usize) -> usize {
        let cells = self.rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0).max(3)
    }
}

fn line(cells: &[String], widths: &[usize]) -> String {
    let cells = cells.iter().zip(widths).enumerate().map(|(column, (cell, &width))| match column {
        0 => format!("{cell:<width$}"),
        _ => format!("{cell:>width$}"),
    });
    format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let mut table = Table::new(&["case", "req/s"]);
        table.row(["a long name".to_owned(), "1,234,567".to_owned()]);
        let expected = "\
            | case        |     req/s |\n\
            | ----------- | --------: |\n\
            | a long name | 1,234,567 |\n";
        assert_eq!(table.text(), expected);
        assert_eq!(Table::new(&["case"]).text(), "");
    }
}
