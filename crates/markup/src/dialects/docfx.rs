//! DocFX: images, layout and tabs in the Markdown of Microsoft's documentation
//! (<https://dotnet.github.io/docfx/docs/markdown.html>). Includes are expanded before.

use super::code::code_lines;
use super::inline::{outside_code, replace_between};
use super::{Left, Translated, book, callout, dedented, indent, translated};
use std::borrow::Cow;

/// Blocks that only arrange their content or select it for a version of the product.
const LAYOUT: [&str; 10] = [
    "row",
    "row-end",
    "column",
    "column-end",
    "moniker",
    "moniker-end",
    "zone",
    "zone-end",
    "image-end",
    "zone-pivot-end",
];

/// Translates a page of DocFX, like [`book`]. Drops the lines of blocks that only arrange their content. `page_of`
/// returns the address of the page that declares a name (`uid`), which references mention.
///
/// ```
/// let docfx = |text| quire_markup::dialects::docfx(text, &|name| (name == "a").then(|| "/a.md".to_owned()));
/// assert_eq!(docfx("See <xref:a> and [b](xref:a).\n").text, "See [a](</a.md>) and [b](</a.md>).\n");
/// let page = docfx(":::row:::\n:::image type=\"content\" source=\"a.png\" alt-text=\"An *a*\":::\n:::row-end:::\n");
/// assert_eq!(page.text, "\n![An \\*a\\*](<a.png>)\n\n");
/// let page = docfx("# [Linux](#tab/linux)\nOne.\n# [macOS](#tab/mac)\nTwo.\n***\n");
/// assert_eq!(
///     page.text,
///     "{% tabs %}\n{% tab title=\"Linux\" %}\nOne.\n{% endtab %}\n{% tab title=\"macOS\" %}\nTwo.\n\
///      {% endtab %}\n{% endtabs %}\n"
/// );
/// ```
#[must_use]
pub fn docfx(text: &str, page_of: &PageOf<'_>) -> Translated {
    let own = translated(text, |body, left| with_blocks(body, page_of, left));
    let mut page = book(&own.text);
    page.left.extend(own.left);
    page
}

/// Returns the address of the page with a name.
type PageOf<'f> = dyn Fn(&str) -> Option<String> + 'f;

fn with_blocks(text: &str, page_of: &PageOf<'_>, left: &mut Left) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut out = String::with_capacity(text.len());
    let mut has_tabs = false;
    // Columns that the content of a column is indented by.
    let mut column: Option<Option<usize>> = None;
    for (line, is_code) in lines.iter().zip(code_lines(&lines)) {
        if let Some(columns) = &mut column
            && columns.is_none()
            && !line.trim().is_empty()
        {
            *columns = Some(indent(line));
        }
        let line = dedented(line, column.flatten().unwrap_or_default());
        let trimmed = line.trim();
        let block = layout(trimmed);
        // Content of a column may be indented like code.
        if is_code && column.is_none() {
            out.push_str(line);
        } else if let Some(name) = block {
            left.add(&format!(":::{name}"));
            match name {
                "column" => column = Some(None),
                "column-end" => column = None,
                _ => {}
            }
        } else if let Some(title) = tab(trimmed) {
            out.push_str(if has_tabs { "{% endtab %}\n" } else { "{% tabs %}\n" });
            out.push_str(callout::tab_begin(title).trim_end());
            has_tabs = true;
        } else if has_tabs && matches!(trimmed, "---" | "***" | "* * *" | "___") {
            out.push_str("{% endtab %}\n{% endtabs %}");
            has_tabs = false;
        } else {
            out.push_str(&self::line(line, page_of, left));
        }
        out.push('\n');
    }
    if has_tabs {
        out.push_str("{% endtab %}\n{% endtabs %}\n");
    }
    out
}

/// Returns the name of the block without an equivalent that a line begins or ends.
fn layout(line: &str) -> Option<&str> {
    let inside = line.strip_prefix(":::")?.trim_start();
    let name = inside.split(|c: char| c.is_whitespace() || c == ':').next()?;
    LAYOUT.contains(&name).then_some(name)
}

/// Returns the title of a heading that begins a tab: `# [Linux](#tab/linux)`.
fn tab(line: &str) -> Option<&str> {
    let link = line.strip_prefix('#')?.trim_start_matches('#').trim().strip_prefix('[')?;
    let (title, target) = link.split_once("](#tab/")?;
    target.ends_with(')').then_some(title)
}

fn line<'t>(line: &'t str, page_of: &PageOf<'_>, left: &mut Left) -> Cow<'t, str> {
    let trimmed = line.trim_start();
    if let Some(inside) =
        trimmed.strip_prefix('>').map(str::trim_start).and_then(|rest| rest.strip_prefix("[!"))
        && let Some((kind, value)) =
            inside.trim_end().strip_suffix(']').and_then(|inside| inside.split_once(' '))
    {
        if kind.eq_ignore_ascii_case("video") {
            return Cow::Owned(format!("\n{{% embed url=\"{}\" %}}", callout::value(value)));
        }
        if kind.eq_ignore_ascii_case("div") {
            left.add("[!div]");
            return Cow::Borrowed(">");
        }
    }
    if !line.contains(":::") && !line.contains("xref:") && !line.contains("[!") {
        return Cow::Borrowed(line);
    }
    Cow::Owned(outside_code(line, |piece, out| {
        let piece = replace_between(piece, ":::image ", ":::", image);
        let piece = replace_between(&piece, ":::no-loc ", ":::", |inside| attribute(inside, "text"));
        let piece = replace_between(&piece, "<xref:", ">", |name| {
            let shown = name.split(['?', '#']).next().unwrap_or_default();
            if shown.is_empty() || name.contains(char::is_whitespace) {
                return None;
            }
            let page = page_of(shown);
            if page.is_none() {
                left.add("<xref:>");
            }
            Some(page.map_or_else(|| format!("`{shown}`"), |page| format!("[{shown}](<{page}>)")))
        });
        let piece = replace_between(&piece, "](xref:", ")", |name| {
            let page = page_of(name.split(['?', '#']).next().unwrap_or_default())?;
            Some(format!("](<{page}>)"))
        });
        let piece = replace_between(&piece, "[!UICONTROL ", "]", |words| Some(format!("**{words}**")));
        out.push_str(&replace_between(&piece, "[!DNL ", "]", |words| Some(words.to_owned())));
    }))
}

fn image(inside: &str) -> Option<String> {
    let source = attribute(inside, "source").filter(|source| !source.contains(['<', '>', '\n']))?;
    let alt = attribute(inside, "alt-text").unwrap_or_default();
    Some(format!("![{}](<{source}>)", crate::markdown::escaped(&alt)))
}

/// Returns the value of an attribute in double quotes.
fn attribute(inside: &str, name: &str) -> Option<String> {
    let mark = format!("{name}=\"");
    let is_whole =
        |at: &usize| inside.get(..*at).is_some_and(|before| before.is_empty() || before.ends_with(' '));
    let at = inside.match_indices(&mark).map(|(at, _)| at).find(is_whole)?;
    let (value, _) = inside.get(at.saturating_add(mark.len())..)?.split_once('"')?;
    Some(value.to_owned())
}

#[cfg(test)]
mod tests {
    use super::Translated;

    fn docfx(text: &str) -> Translated {
        super::docfx(text, &|name| (name == "C").then(|| "/c.md".to_owned()))
    }

    #[track_caller]
    fn same(text: &str, expected: &str) {
        assert_eq!(docfx(text).text, expected, "{text}");
    }

    #[test]
    fn columns_are_layout() {
        let text = ":::row:::\n   :::column span=\"2\":::\n      **A**\n\n      - b\n   :::column-end:::\n:::row-end:::\nEnd\n";
        same(text, "\n\n**A**\n\n- b\n\n\nEnd\n");
        assert_eq!(docfx(text).left, [":::column", ":::column-end", ":::row", ":::row-end"]);
        same("```\n:::row:::\n```\n", "```\n:::row:::\n```\n");
    }

    #[test]
    fn films_names_and_references_have_equivalents() {
        same(
            "> [!Video https://www.youtube.com/embed/x]\n",
            "\n{% embed url=\"https://www.youtube.com/embed/x\" %}\n",
        );
        same(
            "Use <xref:A.B?displayProperty=fullName>, <xref:C>, [!UICONTROL Save] and :::no-loc text=\"x\":::.\n",
            "Use `A.B`, [C](</c.md>), **Save** and x.\n",
        );
        same("[a](xref:C?text=x) [b](xref:D)\n", "[a](</c.md>) [b](xref:D)\n");
        same("`<xref:A>`\n", "`<xref:A>`\n");
        same("> [!NOTE]\n> Text.\n", "> [!NOTE]\n> Text.\n");
    }

    #[test]
    fn tabs_without_an_end_end_with_the_page() {
        same(
            "## [A](#tab/a)\n\nOne.\n",
            "{% tabs %}\n{% tab title=\"A\" %}\n\nOne.\n{% endtab %}\n{% endtabs %}\n",
        );
        same("# [A](#part)\n\n---\n", "# [A](#part)\n\n---\n");
    }
}
