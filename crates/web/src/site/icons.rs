//! Shapes of icons by their names: Font Awesome Free, solid and brands, with nearest free ones for other names.

use std::sync::LazyLock;

use quire_render::Symbol;

/// Lines in the order of names: name, view box, path; or name, and `=` with the name of another line. Written by
/// `scripts/vendor-web`.
const TABLE: &str = include_str!("../../vendor/icons.tsv");

static LINES: LazyLock<Vec<(&str, &str)>> =
    LazyLock::new(|| TABLE.lines().filter_map(|line| line.split_once('\t')).collect());

/// Returns the shape of an icon.
pub(crate) fn shape(name: &str) -> Option<Symbol<'static>> {
    let shape = find(name)?;
    let shape = match shape.strip_prefix('=') {
        Some(other) => find(other)?,
        None => shape,
    };
    let (view_box, path) = shape.split_once('\t')?;
    Some(Symbol { view_box, path })
}

fn find(name: &str) -> Option<&'static str> {
    let index = LINES.binary_search_by(|(found, _)| (*found).cmp(name)).ok()?;
    LINES.get(index).map(|(_, shape)| *shape)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_other_names_have_shapes() {
        assert!(LINES.is_sorted());
        let book = shape("book").unwrap();
        assert!(book.path.starts_with('M') && book.view_box.split(' ').count() == 4, "{book:?}");
        assert_eq!(shape("books"), Some(book));
        assert_eq!(shape("home"), shape("house"));
        assert!(shape("github").is_some());
        for (name, _) in LINES.iter() {
            assert!(shape(name).is_some(), "{name}");
        }
        assert_eq!(shape("no-such-icon"), None);
    }
}
