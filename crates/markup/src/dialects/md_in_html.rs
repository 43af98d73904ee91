//! HTML elements whose content is Markdown because of the attribute `markdown`.

use super::code::code_lines;
use super::dedented;
use super::indent;
use super::inline::replace_between;

/// Elements for layout only, which are replaced by their content.
const LAYOUT: [&str; 9] = ["div", "section", "center", "p", "span", "article", "aside", "main", "header"];

/// Removes the attribute from elements, and separates their content so that it is parsed as Markdown.
pub(super) fn md_in_html(text: &str) -> String {
    if !text.contains(" markdown") {
        return text.to_owned();
    }
    let lines: Vec<&str> = text.lines().collect();
    let is_code = code_lines(&lines);
    let mut out = String::with_capacity(text.len());
    let mut open: Vec<Open<'_>> = Vec::new();
    for (line, is_code) in lines.iter().zip(is_code) {
        let fenced_only = is_code && indent(line) < 4;
        if fenced_only || line.trim().is_empty() {
            let columns = open.last().map_or(0, |open| open.columns);
            out.push_str(dedented(line, columns));
            out.push('\n');
            continue;
        }
        let trimmed = line.trim();
        if let Some((name, start, behind)) = begins(trimmed) {
            let end = format!("</{name}>");
            match behind.strip_suffix(end.as_str()) {
                Some(inside) if !LAYOUT.contains(&name) => {
                    out.push_str(&format!("{start}{}{end}\n", pictures(inside)));
                }
                Some(inside) => out.push_str(&format!("\n{inside}\n\n")),
                None => {
                    let is_layout = LAYOUT.contains(&name);
                    let columns = indent(line);
                    out.push_str(&if is_layout { "\n".to_owned() } else { format!("\n{start}\n") });
                    if !matches!(name, "figure") {
                        out.push('\n');
                    }
                    if !behind.trim().is_empty() {
                        out.push_str(&format!("{}\n", behind.trim()));
                    }
                    open.push(Open { name, is_layout, inner: 0, columns });
                }
            }
            continue;
        }
        if let Some(last) = open.last_mut() {
            if trimmed.starts_with(&format!("<{}", last.name))
                && !trimmed.contains(&format!("</{}>", last.name))
            {
                last.inner += 1;
            } else if trimmed == format!("</{}>", last.name) {
                if last.inner == 0 {
                    let is_figure = last.name == "figure";
                    let end = if last.is_layout { "\n".to_owned() } else { format!("{trimmed}\n\n") };
                    out.push_str(if is_figure { "" } else { "\n" });
                    out.push_str(&end);
                    open.pop();
                    continue;
                }
                last.inner -= 1;
            } else if let Some(inside) = ends_with(trimmed, last.name).filter(|_| last.inner == 0) {
                let end = if last.is_layout { "\n".to_owned() } else { format!("</{}>\n\n", last.name) };
                let inside = if last.name == "figure" { pictures(inside) } else { inside.to_owned() };
                out.push_str(&format!("{inside}\n{end}"));
                open.pop();
                continue;
            }
        }
        match open.last() {
            // A figure must not contain empty lines, so its images become elements.
            Some(Open { name: "figure", .. }) => out.push_str(&pictures(trimmed)),
            Some(open) => {
                let line = dedented(line, open.columns);
                match line.split_once("</summary>") {
                    Some((before, behind)) => {
                        out.push_str(&format!("{before}</summary>\n\n{}", behind.trim_start()));
                    }
                    None => out.push_str(line),
                }
            }
            None => out.push_str(line),
        }
        out.push('\n');
    }
    out
}

/// Returns the text before the end tag at the end of a line, unless the element also begins on this line.
fn ends_with<'t>(line: &'t str, name: &str) -> Option<&'t str> {
    let inside = line.strip_suffix('>')?.strip_suffix(name)?.strip_suffix("</")?;
    (!inside.contains(&format!("<{name}"))).then(|| inside.trim_end())
}

struct Open<'t> {
    name: &'t str,
    is_layout: bool,
    /// Number of open nested elements with the same name.
    inner: usize,
    columns: usize,
}

/// Splits a line that begins with such an element into its name, its start tag without the attribute, and the rest.
fn begins(line: &str) -> Option<(&str, String, &str)> {
    let rest = line.strip_prefix('<')?;
    let length = rest.find(|c: char| !c.is_ascii_alphanumeric())?;
    let (name, behind) = rest.split_at_checked(length)?;
    let (attributes, after) = behind.split_once('>')?;
    let at = attributes.find(" markdown")?;
    let value = attributes.get(at + " markdown".len()..)?;
    let (_, others) = match value.strip_prefix("=\"") {
        Some(value) => value.split_once('"')?,
        None if value.is_empty() || value.starts_with([' ', '=']) => {
            ("", value.trim_start_matches(|c| c != ' '))
        }
        None => return None,
    };
    let before = attributes.get(..at)?;
    (!name.is_empty()).then(|| (name, format!("<{name}{before}{others}>"), after))
}

/// Returns a line of a figure with its images as elements.
fn pictures(line: &str) -> String {
    let line = replace_between(line, "![", ")", |inside| {
        let (alt, source) = inside.split_once("](")?;
        let source = source.split_whitespace().next().unwrap_or_default();
        Some(format!("<img src=\"{source}\" alt=\"{}\">", alt.replace('"', "&quot;")))
    });
    replace_between(&line, "{", "}", |inside| inside.contains(['=', '.', '#']).then(String::new))
}

#[cfg(test)]
mod tests {
    use super::md_in_html;
    use crate::{StableRefs, parse, print};

    #[test]
    fn content_of_elements_is_markdown() {
        for (text, expected) in [
            ("<div class=\"x\" markdown=\"1\">\n*it*\n</div>\n", "_it_\n"),
            ("<div markdown>*it*</div>\n", "_it_\n"),
            ("<p markdown=\"1\">*it*\n  goes `on`.</p>\n\nAfter.\n", "_it_ goes `on`.\n\nAfter.\n"),
            (
                "<figure markdown=\"span\">\n  ![Image](i.png){ width=\"300\" }\n  <figcaption>Cap</figcaption>\n</figure>\n",
                "<figure><img src=\"i.png\" alt=\"Image\"><figcaption><p>Cap</p></figcaption></figure>\n",
            ),
            (
                "<details markdown>\n<summary>S</summary>**b** c\n</details>\n",
                "<details>\n\n<summary>S</summary>\n\n**b** c\n\n</details>\n",
            ),
            (
                "<details markdown>\n<summary>S</summary>\n**b**\n</details>\n",
                "<details>\n\n<summary>S</summary>\n\n**b**\n\n</details>\n",
            ),
        ] {
            assert_eq!(
                print(&parse(&md_in_html(text), &StableRefs), &StableRefs),
                expected,
                "{}",
                md_in_html(text)
            );
        }
    }
}
