//! MDX: Markdown with modules, expressions and components, used by Docusaurus, Starlight, Nextra, Fumadocs and
//! Mintlify. It has no indented code, and the content of elements is Markdown.

mod components;
mod groups;
mod html;
mod listings;
mod margins;
mod render;
mod statements;
mod syntax;
mod tree;

use self::render::Renderer;
use self::statements::Module;
use super::alerts::alerts;
use super::code::code_lines;
use super::containers::{Container, Tabs, containers, split_attributes};
use super::inline::formulas;
use super::{Left, Translated, callout, translated};

/// Translates an MDX page: call-outs, tabs, steps, cards and other components of documentation generators. Drops
/// imports, exports and comments. Components without an equivalent are replaced by their content and reported.
///
/// ```
/// let page = quire_markup::dialects::mdx("import {Tip} from 'x'\n\n<Tip>\n    Mind the *gap*.\n</Tip>\n");
/// assert_eq!(page.text.trim(), "{% hint style=\"success\" %}\nMind the *gap*.\n{% endhint %}");
/// ```
#[must_use]
pub fn mdx(text: &str) -> Translated {
    translated(text, page)
}

/// [`mdx`] for sites with formulas between single dollars.
///
/// ```
/// let page = quire_markup::dialects::mdx_with_math("The root $\\sqrt{x}$ costs $5.\n");
/// assert_eq!(page.text, "The root $$\\sqrt{x}$$ costs $5.\n");
/// ```
#[must_use]
pub fn mdx_with_math(text: &str) -> Translated {
    translated(text, |body, left| page(&formulas(body), left))
}

fn page(body: &str, left: &mut Left) -> String {
    let module = Module::of(body);
    let stretches = tree::stretches(&module.text, false);
    let nodes = tree::parse(&stretches, Some(&module), left);
    let text = Renderer { module: &module, left, figures: 0 }.nodes(&nodes);
    let text = margins::without_indented_code(&text);
    containers(&with_heading_ids(&alerts(&text)), left, call_out)
}

/// Converts the ids of headings from Fumadocs' brackets, `## Words [#id]`, to braces. `[!toc]` and `[toc]`, which
/// control whether the outline shows the heading, are removed.
fn with_heading_ids(text: &str) -> String {
    if !text.contains("[#") && !text.contains("toc]") {
        return text.to_owned();
    }
    let lines: Vec<&str> = text.lines().collect();
    let is_code = code_lines(&lines);
    let mut out = String::with_capacity(text.len());
    for (line, is_code) in lines.iter().zip(is_code) {
        let is_heading = !is_code && line.trim_start_matches('#').starts_with(' ') && line.starts_with('#');
        let mut line = *line;
        if is_heading {
            line = line.trim_end();
            line = ["[!toc]", "[toc]"]
                .iter()
                .find_map(|mark| line.strip_suffix(mark))
                .unwrap_or(line)
                .trim_end();
        }
        let id = line.strip_suffix(']').and_then(|line| line.rsplit_once(" [#")).filter(|_| is_heading);
        match id.filter(|(_, id)| !id.contains(char::is_whitespace)) {
            Some((words, id)) => out.push_str(&format!("{words} {{#{id}}}")),
            None => out.push_str(line),
        }
        out.push('\n');
    }
    out
}

/// Returns the name at the start of a tag, without its bracket.
pub(super) fn component_name(tag: &str) -> &str {
    let end = tag.find(|c: char| !c.is_ascii_alphanumeric() && c != '.' && c != '-').unwrap_or(tag.len());
    tag.get(..end).unwrap_or_default()
}

/// Component tag on lines of its own.
pub(super) struct Component<'t> {
    pub(super) name: &'t str,
    /// Number of lines.
    pub(super) length: usize,
    /// Visible text: title, caption and the name of a file, as a line of Markdown.
    pub(super) words: String,
}

/// Returns the component whose tag consists of the first line or lines.
pub(super) fn component<'t>(lines: &[&'t str]) -> Option<Component<'t>> {
    const MOST: usize = 40;
    let mut text = String::new();
    for (count, line) in (1..).zip(lines.iter().take(MOST).take_while(|line| !line.trim().is_empty())) {
        text.push_str(line.trim());
        text.push('\n');
        if !line.contains('>') {
            continue;
        }
        if let Some(tag) = syntax::Tag::read(&text) {
            let first = lines.first()?.trim_start().trim_start_matches(['<', '/']);
            let name = component_name(first);
            // A name in capital letters only is HTML.
            let is_html = !name.contains(|c: char| c.is_ascii_lowercase());
            let is_whole = text.get(tag.source.len()..)?.trim().is_empty();
            return (!is_html && is_whole).then(|| Component {
                name,
                length: count,
                words: words(name, &tag),
            });
        }
    }
    None
}

fn words(name: &str, tag: &syntax::Tag<'_>) -> String {
    let link = |words: String, names: &[&str]| {
        tag.first(names).map_or_else(|| words.clone(), |href| format!("[{words}](<{href}>)"))
    };
    let escaped = |names: &[&str]| tag.first(names).map(|words| crate::markdown::escaped(words.trim()));
    let title = escaped(&["title", "label", "heading"]);
    let title = title.map(|title| format!("**{}**", link(title, &["href", "to", "link", "url"])));
    let caption = tag.first(&["caption"]).map(|caption| match tag.first(&["number"]) {
        Some(number) => format!("{name} {number}: {caption}"),
        None => caption,
    });
    let file = tag.first(&["file-name"]).map(|file| format!("(`{}`)", file.replace('`', "")));
    let further = escaped(&["subtitle", "subTitle", "description"]);
    let action = escaped(&["ctaLabel", "cta"]).map(|words| link(words, &["ctaLink"]));
    let parts: Vec<String> = [title, caption, file, further, action].into_iter().flatten().collect();
    parts.join(" ").replace('\n', " ")
}

/// Translates the elements of Markdown with components but without modules and expressions, such as VitePress's.
pub(super) fn elements(text: &str, left: &mut Left) -> String {
    let module = Module::default();
    let stretches = tree::stretches(text, true);
    let nodes = tree::parse(&stretches, None, left);
    Renderer { module: &module, left, figures: 0 }.nodes(&nodes)
}

/// Translates Markdown with call-outs between colons, the syntax of Starlight in files other than MDX.
///
/// ```
/// let page = quire_markup::dialects::asides(":::tip[Hurry]\nMind the *gap*.\n:::\n");
/// assert_eq!(page.text, "{% hint style=\"success\" %}\n**Hurry**\n\nMind the *gap*.\n{% endhint %}\n");
/// ```
#[must_use]
pub fn asides(text: &str) -> Translated {
    translated(text, |body, left| containers(body, left, call_out))
}

/// Splits a text into the label in brackets at its start and the text after it.
fn label(text: &str) -> Option<(&str, &str)> {
    let inside = text.strip_prefix('[')?;
    let mut depth = 0_usize;
    let end = inside.char_indices().find_map(|(at, c)| {
        match c {
            '[' => depth += 1,
            ']' if depth == 0 => return Some(at),
            ']' => depth -= 1,
            _ => {}
        }
        None
    })?;
    Some((inside.get(..end)?, inside.get(end + 1..)?))
}

fn call_out(info: &str) -> Option<Container> {
    let end = info.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(info.len());
    let (name, title) = info.split_at_checked(end)?;
    let title = title.trim();
    let (title, text) = match label(title) {
        Some((label, text)) => (label, text),
        None => (split_attributes(title).0, ""),
    };
    // Attributes are in braces; other text belongs to the content.
    let text = if text.trim_start().starts_with('{') { "" } else { text.trim() };
    let text = if text.is_empty() { String::new() } else { format!("{text}\n") };
    let begin = match name {
        "details" => {
            return Some(Container {
                begin: callout::details_begin(&super::inline::html(title), false) + &text,
                end: "\n</details>\n",
                tabs: Tabs::Never,
            });
        }
        name => callout::hint_begin(callout::style(name)?, title) + &text,
    };
    Some(Container { begin, end: "{% endhint %}\n", tabs: Tabs::Never })
}

#[cfg(test)]
mod tests;
