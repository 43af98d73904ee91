//! Markup of GitBook, mdBook and plain repositories, which needs little translation.

use super::alerts::alerts;
use super::code::code_lines;
use super::definitions::definitions_with_ids;
use super::inline::{outside_code, with_strong};
use super::kramdown::{CalloutKind, callouts, with_ends_of_html};
use super::liquid_listings::fenced;
use super::md_in_html::md_in_html;
use super::templates::{templates, without_liquid};
use super::{Left, Translated, attributes, indent, mdx, split_front_matter, translated};
use crate::markdown::starts_with_block_tag;
use crate::markdown_html::knows_element;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Maximum number of tags in a line that are looked at for a block behind text.
const MAX_BLOCKS_IN_LINE: usize = 20;

/// Translates a page of GitBook, of mdBook or of an unknown generator: shortcodes and template tags that have an
/// equivalent. Drops component tags on lines of their own, and keeps the Markdown between them. Reports the syntax that
/// [`parse`](crate::parse) reads as text.
///
/// ```
/// let page = quire_markup::dialects::book("<Steps>\n\nOne *step*.\n\n</Steps>\n\n{% widget %}\n");
/// assert_eq!(page.text, "\n\nOne *step*.\n\n\n\n{% widget %}\n");
/// assert_eq!(page.left, ["<Steps>", "{% widget %}"]);
/// ```
#[must_use]
pub fn book(text: &str) -> Translated {
    translated(text, |body, left| {
        let body = templates(&with_tags_on_lines(body), left);
        let body = without_components(&alerts(&with_strong_signs(&body)), left);
        unread(&body, left);
        body
    })
}

/// Translates a page of mdBook, like [`book`]. Names of rules on lines of their own (`r[names.scope]`, a syntax of
/// specifications) become visible names with an anchor.
///
/// ```
/// let page = quire_markup::dialects::mdbook("r[names.scope]\n# Scopes\n\nr[names.scope.intro]\nA *scope*.\n");
/// assert_eq!(
///     page.text,
///     "# Scopes <a id=\"r-names.scope\"></a>\n\n`names.scope`\n\n\
///      <a id=\"r-names.scope.intro\"></a>`names.scope.intro`\n\nA *scope*.\n"
/// );
/// ```
#[must_use]
pub fn mdbook(text: &str) -> Translated {
    let own = translated(text, |body, left| without_directives(&with_rules(body), left));
    let mut page = book(&own.text);
    page.left.extend(own.left);
    page
}

/// Removes the directives of preprocessors that are alone on a line, such as `{{#title Words}}` and `{{%outline}}`.
/// Includes of missing files stay.
fn without_directives(text: &str, left: &mut Left) -> String {
    if !text.contains("{{#") && !text.contains("{{%") {
        return text.to_owned();
    }
    let lines: Vec<&str> = text.lines().collect();
    let mut out = String::with_capacity(text.len());
    for (line, is_code) in lines.iter().zip(code_lines(&lines)) {
        match directive(line).filter(|_| !is_code) {
            Some(name) => left.add(&format!("{{{{{name}}}}}")),
            None => out.push_str(line),
        }
        out.push('\n');
    }
    out
}

/// Returns the sign and the name of a directive that is alone on its line, and that a preprocessor replaces.
fn directive(line: &str) -> Option<&str> {
    let inside = line.trim().strip_prefix("{{")?.strip_suffix("}}")?.trim_end();
    let name = inside.split(char::is_whitespace).next()?;
    let is_name = |name: &str| {
        name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
    };
    let is_one = name.strip_prefix(['#', '%']).is_some_and(is_name) && !inside.ends_with('%');
    let is_include = matches!(name, "#include" | "#rustdoc_include" | "#playground" | "#playpen");
    (is_one && !is_include && !inside.contains("}}")).then_some(name)
}

fn with_rules(text: &str) -> Cow<'_, str> {
    let lines: Vec<&str> = text.lines().collect();
    if !lines.iter().any(|line| rule(line).is_some()) {
        return Cow::Borrowed(text);
    }
    let is_code = code_lines(&lines);
    let mut out = String::with_capacity(text.len());
    // Rules before the next block.
    let mut names: Vec<&str> = Vec::new();
    for (line, is_code) in lines.iter().zip(is_code) {
        match rule(line).filter(|_| !is_code) {
            Some(name) => names.push(name),
            None if names.is_empty() || line.trim().is_empty() => {
                out.push_str(line);
                out.push('\n');
            }
            None => {
                let anchor = |name: &&str| format!("<a id=\"r-{name}\"></a>");
                // Its own heading stays the first block of a page.
                if line.starts_with('#') {
                    let anchors: String = names.iter().map(anchor).collect();
                    out.push_str(&format!("{line} {anchors}\n\n`{}`\n", names.join("` `")));
                } else {
                    let rules: Vec<String> =
                        names.iter().map(|name| format!("{}`{name}`", anchor(name))).collect();
                    out.push_str(&format!("{}\n\n{line}\n", rules.join(" ")));
                }
                names.clear();
            }
        }
    }
    names.iter().for_each(|name| out.push_str(&format!("\n<a id=\"r-{name}\"></a>`{name}`\n")));
    Cow::Owned(out)
}

/// Returns the name of a rule that is alone on its line.
fn rule(line: &str) -> Option<&str> {
    let name = line.trim_end().strip_prefix("r[")?.strip_suffix(']')?;
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    (!name.is_empty() && name.chars().all(is_name)).then_some(name)
}

/// Translates a page of Hugo, like [`book`]. Also translates definition lists, and removes block attributes
/// (`{.class}`).
///
/// ```
/// let page = quire_markup::dialects::hugo("Term\n: Its *meaning*.\n");
/// assert_eq!(page.text, "- **Term** <a id=\"term\"></a>\n\n  Its *meaning*.\n");
/// let page = quire_markup::dialects::hugo("- a\n{.wide}\n");
/// assert_eq!((page.text.as_str(), page.left), ("- a\n", vec!["{.wide}".to_owned()]));
/// assert_eq!(quire_markup::dialects::hugo("\\[\na^2\n\\]\n").text, "$$\na^2\n$$\n");
/// ```
#[must_use]
pub fn hugo(text: &str) -> Translated {
    let own = translated(text, |body, left| without_block_attributes(&with_formulas(body), left));
    let mut page = with_definitions(&own.text);
    page.left.extend(own.left);
    page
}

/// Converts formulas between lines of `\[` and `\]` to our own Markdown.
fn with_formulas(text: &str) -> Cow<'_, str> {
    const MARKS: [&str; 2] = ["\\[", "\\]"];
    if !text.contains(MARKS[0]) {
        return Cow::Borrowed(text);
    }
    let lines: Vec<&str> = text.lines().collect();
    let is_code = code_lines(&lines);
    let is_mark = |at: usize, mark: &str| {
        lines.get(at).is_some_and(|line| *line == mark) && !is_code.get(at).copied().unwrap_or_default()
    };
    let mut ends = (0..lines.len()).filter(|at| is_mark(*at, MARKS[1])).peekable();
    let mut out = String::with_capacity(text.len());
    let mut end = None;
    for (at, line) in lines.iter().enumerate() {
        while ends.next_if(|end| *end < at).is_some() {}
        if end.is_none() && is_mark(at, MARKS[0]) {
            end = ends.peek().copied();
        }
        let is_end = end == Some(at);
        let is_begin = end.is_some() && is_mark(at, MARKS[0]);
        out.push_str(if is_end || is_begin { "$$" } else { line });
        out.push('\n');
        end = end.filter(|_| !is_end);
    }
    Cow::Owned(out)
}

fn with_definitions(text: &str) -> Translated {
    let (front, body) = split_front_matter(text);
    book(&format!("{front}{}", definitions_with_ids(body)))
}

/// Removes the lines that set attributes of the preceding block. An id becomes an anchor at the end of that block.
fn without_block_attributes(text: &str, left: &mut Left) -> String {
    if !text.lines().any(|line| is_attributes(line.trim())) {
        return text.to_owned();
    }
    let lines: Vec<&str> = text.lines().collect();
    let mut out = String::with_capacity(text.len());
    for (line, is_code) in lines.iter().zip(code_lines(&lines)) {
        let list = line.trim();
        let anchor = (!is_code && is_attributes(list)).then(|| attributes::without(list, false));
        match anchor.filter(|anchor| !anchor.contains('{')) {
            Some(anchor) => {
                left.add(list);
                if !anchor.is_empty() && out.ends_with('\n') {
                    out.pop();
                    out.push_str(&format!(" {anchor}\n"));
                }
            }
            None => {
                out.push_str(line);
                out.push('\n');
            }
        }
    }
    out
}

/// Returns whether a line may be a list of attributes: classes, ids, or names with values.
fn is_attributes(line: &str) -> bool {
    line.starts_with('{')
        && line.ends_with('}')
        && line.get(1..).is_some_and(|list| list.starts_with(['.', '#']) || list.contains("=\""))
        && !line.get(1..).unwrap_or_default().contains('{')
}

/// Translates a page of Jekyll, like [`book`]. Also translates definition lists, and removes tags and expressions that
/// only Jekyll can evaluate. The call-outs of the theme *Just the Docs* become hints; `kinds` are those declared in the
/// settings.
///
/// ```
/// let page = quire_markup::dialects::jekyll("[a]({% link a.md %}) {{ page.date }}\n", &[]);
/// assert_eq!((page.text.as_str(), page.left), ("[a](/a.md) \n", vec!["{{ page.date }}".to_owned()]));
/// ```
#[must_use]
pub fn jekyll(text: &str, kinds: &[CalloutKind]) -> Translated {
    let run = translated(text, |body, left| {
        let body = without_liquid(&fenced(body), left);
        callouts(&md_in_html(&with_ends_of_html(&body)), kinds)
    });
    let mut page = with_definitions(&run.text);
    page.left.extend(run.left);
    page
}

/// Reports the tags of GitBook and the directives of mdBook that are read as text.
fn unread(text: &str, left: &mut Left) {
    if !text.contains("{%") && !text.contains("{{#") {
        return;
    }
    let lines: Vec<&str> = text.lines().collect();
    for (line, _) in lines.iter().zip(code_lines(&lines)).filter(|(_, is_code)| !is_code) {
        let line = line.trim_start();
        if line.starts_with("{%") && !starts_with_block_tag(line) {
            left.add(closed(line, "%}"));
        }
        if line.contains("{{#") {
            outside_code(line, |prose, _| {
                if let Some(directive) = prose.find("{{#").and_then(|at| prose.get(at..)) {
                    left.add(closed(directive, "}}"));
                }
            });
        }
    }
}

/// Begins a line with each block of GitBook that text precedes: `Text {% hint style="info" %} words {% endhint %}`.
fn with_tags_on_lines(text: &str) -> Cow<'_, str> {
    if !text.contains("{% end") {
        return Cow::Borrowed(text);
    }
    let lines: Vec<&str> = text.lines().collect();
    let mut out = String::with_capacity(text.len());
    for (line, is_code) in lines.iter().zip(code_lines(&lines)) {
        match block_in_line(line).filter(|_| !is_code) {
            Some(at) => {
                let (before, block) = line.split_at_checked(at).unwrap_or((*line, ""));
                let columns = indent(line) + marker(before).map_or(0, |marker| marker.len() + 1);
                out.push_str(&format!("{}\n{}{block}", before.trim_end(), " ".repeat(columns)));
            }
            None => out.push_str(line),
        }
        out.push('\n');
    }
    Cow::Owned(out)
}

/// Returns the marker of the list item that a line begins.
fn marker(line: &str) -> Option<&str> {
    let (first, _) = line.trim_start().split_once(' ')?;
    let number = first.strip_suffix(['.', ')']).unwrap_or_default();
    let is_number = !number.is_empty() && number.chars().all(|c| c.is_ascii_digit());
    (matches!(first, "-" | "*" | "+") || is_number).then_some(first)
}

/// Returns the position of a block that begins behind text, and ends in the same line.
fn block_in_line(line: &str) -> Option<usize> {
    let trimmed = line.trim_start();
    if starts_with_block_tag(trimmed) || trimmed.starts_with(['|', '<', '>']) {
        return None;
    }
    let mut found = line.match_indices("{%").take(MAX_BLOCKS_IN_LINE).map(|(at, _)| at);
    found.find(|at| {
        let (before, block) = line.split_at_checked(*at).unwrap_or((line, ""));
        let name = block.trim_start_matches("{%").split_whitespace().next().unwrap_or_default();
        let in_code = before.matches('`').count() % 2 == 1;
        let words = before.trim_start().strip_prefix(marker(before).unwrap_or_default()).unwrap_or(before);
        !words.trim().is_empty()
            && !in_code
            && !before.ends_with('\\')
            && !name.starts_with("end")
            && starts_with_block_tag(block)
            && block.contains(&format!("{{% end{name} %}}"))
    })
}

fn with_strong_signs(text: &str) -> Cow<'_, str> {
    if !text.contains("**") {
        return Cow::Borrowed(text);
    }
    let lines: Vec<&str> = text.lines().collect();
    let mut out = String::with_capacity(text.len());
    for (line, is_code) in lines.iter().zip(code_lines(&lines)) {
        out.push_str(&if is_code { Cow::Borrowed(*line) } else { with_strong(line) });
        out.push('\n');
    }
    Cow::Owned(out)
}

/// Returns a text without the tags of components that have lines for themselves. In Markdown they would be HTML up to
/// the next blank line. Components are known by their capital letter, or by a closing tag of an unknown element.
fn without_components(text: &str, left: &mut Left) -> String {
    if !text.contains('<') {
        return text.to_owned();
    }
    let lines: Vec<&str> = text.lines().collect();
    let is_code = code_lines(&lines);
    let closed = closed_components(&lines, &is_code);
    let begins = |line: &str| {
        let tag = line
            .trim_start_matches(['>', ' ', '\t'])
            .strip_prefix('<')
            .map(|rest| rest.strip_prefix('/').unwrap_or(rest));
        tag.is_some_and(|tag| {
            tag.starts_with(|c: char| c.is_ascii_uppercase()) || closed.contains(mdx::component_name(tag))
        })
    };
    if !lines.iter().any(|line| begins(line)) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let is_prose = !is_code.get(at).copied().unwrap_or_default();
        let unquoted = line.trim_start_matches(['>', ' ', '\t']);
        let quote = line.strip_suffix(unquoted).unwrap_or_default();
        let found = (is_prose && begins(line)).then(|| match quote.contains('>') {
            true => mdx::component(&[unquoted]),
            false => mdx::component(lines.get(at..).unwrap_or_default()),
        });
        match found.flatten() {
            Some(component) => {
                left.add(&format!("<{}>", component.name));
                let end = quote.trim_end();
                out.push_str(&match component.words.as_str() {
                    "" => format!("{end}\n"),
                    words => format!("{end}\n{quote}{words}\n{end}\n"),
                });
                at += component.length;
            }
            None => {
                out.push_str(line);
                out.push('\n');
                at += 1;
            }
        }
    }
    out
}

/// HTML elements without an equivalent block.
const OF_HTML: [&str; 12] = [
    "body", "button", "canvas", "dialog", "form", "head", "html", "label", "noscript", "object", "svg",
    "template",
];

/// Returns the lower-case names that are unknown to HTML and have a closing tag on a line of its own. Other unknown
/// names may be placeholders: `<name>`.
fn closed_components<'t>(lines: &[&'t str], is_code: &[bool]) -> BTreeSet<&'t str> {
    let prose = lines.iter().zip(is_code).filter(|(_, is_code)| !**is_code);
    let names = prose.filter_map(|(line, _)| line.trim().strip_prefix("</")?.strip_suffix('>'));
    let is_html = |name: &str| knows_element(name) || OF_HTML.contains(&name);
    names.filter(|name| mdx::component_name(name) == *name && !is_html(name)).collect()
}

/// Returns the start of a text up to and including its closing mark.
fn closed<'t>(text: &'t str, mark: &str) -> &'t str {
    text.find(mark).and_then(|at| text.get(..at + mark.len())).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::{book, mdbook};

    #[test]
    fn blocks_behind_text_begin_lines() {
        for (text, expected) in [
            (
                "Text {% hint style=\"info\" %} *x* {% endhint %} more.\n",
                "Text\n{% hint style=\"info\" %} *x* {% endhint %} more.\n",
            ),
            (
                "1. Text {% tabs %}{% tab title=\"A\" %} a {% endtab %}{% endtabs %}\n",
                "1. Text\n   {% tabs %}{% tab title=\"A\" %} a {% endtab %}{% endtabs %}\n",
            ),
        ] {
            assert_eq!(book(text).text, expected);
            assert!(
                !crate::plain_text(&crate::parse(expected, &crate::StableRefs)).contains("{%"),
                "{expected}"
            );
        }
        for text in [
            "`{% hint %} x {% endhint %}` {% endhint %}\n",
            "- {% hint style=\"info\" %} x {% endhint %}\n",
            "| a {% hint %} x {% endhint %} |\n| - |\n",
            "```\na {% hint %} x {% endhint %}\n```\n",
            "Text \\\\{% hint %} x {% endhint %}\n",
        ] {
            assert_eq!(book(text).text, text);
        }
    }

    #[test]
    fn tags_without_meaning_are_named_and_code_is_not_searched() {
        let text = "{% hint style=\"info\" %}\nNote.\n{% endhint %}\n\n{% widget a=1 %}\n\nSee {{#title X}} there, not `{{#title Y}}`.\n\n```\n{% for x in y %}\n```\n";
        let page = book(text);
        assert_eq!(
            (page.text.as_str(), page.left),
            (text, vec!["{% widget a=1 %}".into(), "{{#title X}}".into()])
        );
        assert!(book("Plain {% widget %} in a line.").left.is_empty());
    }

    #[test]
    fn directives_of_preprocessors_are_dropped() {
        let page = mdbook(
            "{{#title A b}}\n# A\n\n{{%outline}}\n\nA {{#b}}.\n\n{{#include c}}\n\n```\n{{%d}}\n```\n",
        );
        assert_eq!(page.text, "\n# A\n\n\n\nA {{#b}}.\n\n{{#include c}}\n\n```\n{{%d}}\n```\n");
        assert_eq!(page.left, ["{{#b}}", "{{#include c}}", "{{#title}}", "{{%outline}}"]);
    }

    #[test]
    fn call_outs_have_kinds_of_github() {
        for (text, expected) in [
            ("> [!info]- Title\n> Text.\n", "> [!NOTE] Title\n> Text.\n"),
            ("> > [!DANGER]\n", "> > [!CAUTION]\n"),
            ("> [!WARNING]- T\n", "> [!WARNING] T\n"),
            ("> [!NB] **T** [a](b)\n> c\n", "> [!NOTE]\n> **T** [a](b)\n> \n> c\n"),
            ("> [!x]\na [!info] b\n", "> [!x]\na [!info] b\n"),
            ("```\n> [!info]\n```\n", "```\n> [!info]\n```\n"),
        ] {
            assert_eq!(book(text).text, expected);
        }
    }

    #[test]
    fn components_on_their_lines_are_dropped() {
        for (text, expected) in [
            ("<Tabs id=\"x\">\n*a*\n</Tabs>\n", "\n*a*\n\n"),
            ("<Card\n  title=\"T\"\n/>\nb\n", "\n**T**\n\nb\n"),
            (
                "> <Listing number=\"1-2\" file-name=\"a.rs\" caption=\"A `b`\">\n>\n> c\n>\n> </Listing>\n",
                ">\n> Listing 1-2: A `b` (`a.rs`)\n>\n>\n> c\n>\n>\n",
            ),
            ("The type <T> and\n<Foo> bar\n", "The type <T> and\n<Foo> bar\n"),
            ("```\n<Tabs>\n```\n", "```\n<Tabs>\n```\n"),
            ("<Image src\n\nnever closed\n", "<Image src\n\nnever closed\n"),
            ("<card title=\"T\">\n*a*\n</card>\n", "\n**T**\n\n*a*\n\n"),
            ("<my-note>\n\n*a*\n\n</my-note>\n", "\n\n*a*\n\n\n"),
            ("<name>\nText.\n", "<name>\nText.\n"),
            ("<div>\n*a*\n</div>\n", "<div>\n*a*\n</div>\n"),
            ("<IMG src=\"a.png\">\n<TABLE>\n", "<IMG src=\"a.png\">\n<TABLE>\n"),
        ] {
            assert_eq!(book(text).text, expected, "{text}");
        }
    }
}
