//! Natural size of SVG images.

use roxmltree::Document;

/// Maximum side in CSS pixels. A larger size is a mistake or an attack.
const LONGEST: f64 = 100_000.0;

/// Returns the natural width and height of an SVG image in CSS pixels. If the root element has only one of them, the
/// other follows from the proportions of the view box; if it has neither, they are the size of the view box. `head` is
/// the beginning of the image, with the start tag of the root. `None` for an image without a natural size, or if the
/// tag is incomplete.
///
/// ```
/// use quire_markup::svg_size;
/// assert_eq!(svg_size(r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 30">"#), Some((40, 30)));
/// ```
#[must_use]
pub fn svg_size(head: &str) -> Option<(u32, u32)> {
    let tag = head.get(head.find("<svg")?..)?;
    let tag = tag.get(..end_of(tag)?)?;
    let alone = format!("{}/>", tag.trim_end_matches('/'));
    let document = Document::parse(&alone).ok()?;
    let root = document.root_element();
    let side = |name: &str| root.attribute(name).and_then(pixels);
    let (width, height) = match (side("width"), side("height"), root.attribute("viewBox").and_then(view_box))
    {
        (Some(width), Some(height), _) => (width, height),
        (Some(width), None, Some((across, down))) => (width, width * down / across),
        (None, Some(height), Some((across, down))) => (height * across / down, height),
        (None, None, Some(size)) => size,
        (_, _, None) => return None,
    };
    Some((whole(width)?, whole(height)?))
}

/// Returns the end of the start tag: the first `>` outside quotes.
fn end_of(tag: &str) -> Option<usize> {
    let mut quote = None;
    tag.char_indices().find_map(|(at, character)| {
        match (quote, character) {
            (None, '>') => return Some(at),
            (None, '"' | '\'') => quote = Some(character),
            (Some(open), _) if open == character => quote = None,
            _ => {}
        }
        None
    })
}

/// Returns a length in pixels; `None` in other units, which depend on the context of the image.
fn pixels(length: &str) -> Option<f64> {
    let length = length.trim();
    positive(length.strip_suffix("px").unwrap_or(length))
}

fn view_box(value: &str) -> Option<(f64, f64)> {
    let numbers: Vec<&str> = value.split([' ', ',', '\n', '\t']).filter(|part| !part.is_empty()).collect();
    let [_, _, width, height] = numbers.as_slice() else { return None };
    Some((positive(width)?, positive(height)?))
}

fn positive(number: &str) -> Option<f64> {
    number.trim().parse().ok().filter(|number: &f64| *number > 0.0 && *number <= LONGEST)
}

/// Rounds to a whole number of pixels.
fn whole(number: f64) -> Option<u32> {
    format!("{number:.0}").parse().ok().filter(|number| (1..=100_000).contains(number))
}

#[cfg(test)]
mod tests {
    use super::svg_size;

    #[test]
    fn sizes_are_those_of_the_root() {
        for (root, expected) in [
            (r#"width="300" height="200" viewBox="0 0 3 2""#, Some((300, 200))),
            (r#"width="12.4px" height='20px'"#, Some((12, 20))),
            (r#"viewBox="0 0 640.5 480""#, Some((640, 480))),
            (r#"viewBox="-1,-1,640,480" width="100%""#, Some((640, 480))),
            (r#"width="320" viewBox="0 0 640 480""#, Some((320, 240))),
            (r#"height="240" viewBox="0 0 640 480""#, Some((320, 240))),
            (r#"data-x=">" width="4" height="3""#, Some((4, 3))),
            (r#"width="2em" height="1em""#, None),
            (r#"width="5""#, None),
            (r#"width="0" height="0""#, None),
            (r#"width="1e999" height="1""#, None),
            (r#"width="NaN" height="1""#, None),
            (r#"viewBox="0 0 1000000 1""#, None),
            (r#"viewBox="0 0 1""#, None),
            ("a=b", None),
        ] {
            let image = format!(
                "<?xml version=\"1.0\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" {root}><path/></svg>"
            );
            assert_eq!(svg_size(&image), expected, "{root}");
        }
        assert_eq!(svg_size("<svg width='1' height='2'/>"), Some((1, 2)));
        assert_eq!(svg_size("<svg width='1' height='2'"), None, "a tag that is cut");
        assert_eq!(svg_size("no drawing"), None);
    }
}
