//! MyST, the Markdown of Sphinx: directives in fences of backticks or colons, roles, targets.

use super::admonitions::with_admonitions;
use super::code::{Fence, code_lines};
use super::containers::listing_tabs;
use super::definitions::definitions;
use super::inline::{formulas_of_line, outside_code};
use super::templates::without_expressions;
use super::{
    Left, Translated, attributes, callout, dedented, indent, list_table, push_indented, restructured, roles,
    translated,
};
use crate::limits::markdown::MAX_DIALECT_DEPTH;

/// Settings of a MyST site.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MystOptions {
    /// Substitutions: `{{ name }}`.
    pub has_substitutions: bool,
    /// Formulas between single dollars.
    pub has_math: bool,
    /// Attributes of blocks and of inline text: `{#id .class}`, `[words]{#id}`.
    pub has_attributes: bool,
}

/// Translates a MyST page: directives such as `:::{note}` and `{tab-set}`, roles such as `` {doc}`page` ``, targets.
/// Unknown directives between colons are replaced by their content; others stay listings.
///
/// ```
/// use quire_markup::dialects::{MystOptions, myst};
/// let page = myst("```{warning}\nMind the *gap*.\n```\n", MystOptions::default());
/// assert_eq!(page.text, "{% hint style=\"warning\" %}\nMind the *gap*.\n{% endhint %}\n");
/// ```
#[must_use]
pub fn myst(text: &str, options: MystOptions) -> Translated {
    translated(text, |body, left| {
        let body = if options.has_substitutions {
            without_expressions(body, &|_| false, left)
        } else {
            body.to_owned()
        };
        let body = definitions(&with_admonitions(&body));
        let lines: Vec<&str> = body.lines().collect();
        blocks(&lines, 0, &mut Page { options, left })
    })
}

/// Splits the words between the braces of a directive into its name and options: `{note .dropdown #id key=value}`.
fn with_options(words: &str) -> (&str, Vec<(&str, &str)>) {
    let words = words.trim();
    let (name, mut rest) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
    let mut options = Vec::new();
    while !rest.trim().is_empty() {
        rest = rest.trim_start();
        let word = rest.find(char::is_whitespace).unwrap_or(rest.len());
        // A quoted value may contain spaces.
        let quoted = rest.find("=\"").filter(|at| *at < word).and_then(|at| {
            let end = rest.get(at + 2..)?.find('"')?;
            Some(at + 2 + end + 1)
        });
        let Some((word, behind)) = rest.split_at_checked(quoted.unwrap_or(word)) else { break };
        options.extend(match word.split_at_checked(1) {
            Some((".", class)) => Some(("class", class)),
            Some(("#", label)) => Some(("label", label)),
            _ => word.split_once('=').map(|(key, value)| (key, value.trim_matches('"'))),
        });
        rest = behind;
    }
    (name, options)
}

/// The page that is translated.
struct Page<'l> {
    options: MystOptions,
    left: &'l mut Left,
}

/// A directive with its arguments.
struct Directive<'t> {
    name: &'t str,
    /// The text after its name.
    argument: &'t str,
    options: Vec<(&'t str, &'t str)>,
    body: Vec<&'t str>,
}

impl<'t> Directive<'t> {
    /// Returns the directive of a fence, given the lines in it; `None` for other fences.
    fn of(fence: &Fence<'t>, lines: &[&'t str]) -> Option<Self> {
        let (name, argument) = fence.info.strip_prefix('{')?.split_once('}')?;
        let (name, mut options) = with_options(name);
        let mut body: Vec<&str> = lines.iter().map(|line| dedented(line, fence.indent)).collect();
        let is_key = |key: &&str| {
            !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c))
        };
        let option = |line: &'t str| {
            let (key, value) = line.trim().strip_prefix(':')?.split_once(':')?;
            is_key(&key).then_some((key, value))
        };
        let found: Vec<(&str, &str)> = body.iter().map_while(|line| option(line)).collect();
        let count = found.len();
        body.drain(..count);
        options.extend(found.into_iter().map(|(key, value)| (key, value.trim())));
        let mut has_yaml = false;
        // Options may also be YAML between lines of hyphens. After other options, such lines are part of the content.
        if count == 0
            && body.first().is_some_and(|line| line.trim() == "---")
            && let Some(end) = body.iter().skip(1).position(|line| line.trim() == "---")
        {
            let yaml = body.drain(..end + 2).filter_map(|line| line.split_once(':'));
            options.extend(yaml.map(|(key, value)| (key.trim(), value.trim())));
            has_yaml = true;
        }
        // An empty line separates the options from the content.
        if (count > 0 || has_yaml) && body.first().is_some_and(|line| line.trim().is_empty()) {
            body.remove(0);
        }
        Some(Self { name, argument: argument.trim(), options, body })
    }

    fn option(&self, name: &str) -> Option<&'t str> {
        self.options.iter().find(|(key, _)| *key == name).map(|(_, value)| *value)
    }

    /// Returns the translation, preceded by an anchor for the name of the directive; `None` for an unknown directive.
    fn named(&self, depth: usize, page: &mut Page<'_>) -> Option<String> {
        let built = self.build(depth, page)?;
        let name = self.option("name").or_else(|| self.option("label")).filter(|_| !built.is_empty());
        let anchor = name.map(roles::target).filter(|anchor| !anchor.is_empty());
        Some(anchor.map_or_else(|| built.clone(), |anchor| format!("{anchor}\n\n{built}")))
    }

    fn build(&self, depth: usize, page: &mut Page<'_>) -> Option<String> {
        let mut content = || blocks(&self.body, depth + 1, page);
        Some(match self.name {
            "toctree" | "contents" | "tableofcontents" | "meta" | "index" | "currentmodule" => String::new(),
            "only" if is_for_readers(self.argument) => content(),
            "only" => {
                page.left.add("{only}");
                String::new()
            }
            "dropdown" | "details" => {
                let title = if self.argument.is_empty() { "Details" } else { self.argument };
                callout::details(title, self.option("open").is_some(), &content())
            }
            "tab-set" | "tabs" => {
                format!("{{% tabs %}}\n{}\n{{% endtabs %}}\n", content().trim_matches('\n'))
            }
            // Its tabs are named by the languages of their listings.
            "tab-set-code" => listing_tabs(&content()),
            "tab-item" | "tab" | "group-tab" => callout::tab(self.argument, &content()),
            "code-block" | "code" | "sourcecode" | "code-cell" | "parsed-literal" => self.listing(),
            "eval-rst" => {
                page.left.add("{eval-rst}");
                restructured::paragraphs(&self.body, depth)
            }
            "list-table" => {
                let has_header = self.option("header-rows").is_some_and(|count| count != "0");
                let translate = |lines: &[&str]| blocks(lines, depth + 1, page);
                list_table::list_table(self.argument, has_header, &self.body, translate)?
            }
            // The file is not in the import.
            "include" | "literalinclude" => {
                page.left.add(&format!("{{{}}}", self.name));
                format!("`{}`\n", self.argument)
            }
            name if name.starts_with("auto") => {
                page.left.add(&format!("{{{name}}}"));
                restructured::object(name, self.argument)
            }
            "image" | "figure" => self.picture(&content()),
            "math" => format!("$$\n{}\n$$\n", self.body.join("\n").trim()),
            "mermaid" => format!("```mermaid\n{}\n```\n", self.body.join("\n")),
            "figure-md" | "raw-html" | "div" | "grid" | "grid-item" | "container" | "card-carousel" => {
                content()
            }
            "card" | "grid-item-card" if self.argument.is_empty() => content(),
            "card" | "grid-item-card" => format!("**{}**\n\n{}", self.argument, content()),
            "epigraph" | "pull-quote" | "highlights" => {
                content().lines().map(|line| format!("> {line}\n")).collect()
            }
            "rubric" | "centered" => format!("**{}**\n", self.argument),
            "admonition" => {
                let class =
                    self.option("class").and_then(|class| callout::style(class.split_whitespace().next()?));
                callout::hint(class.unwrap_or("info"), self.argument, &content())
            }
            "versionadded" | "versionchanged" | "deprecated" | "versionremoved" => {
                callout::hint(callout::style(self.name)?, &self.version(), &content())
            }
            // For other admonitions, the argument is the start of their text.
            name => {
                let Some(style) = callout::style(name) else {
                    // An extension generates the content of an unknown directive without content.
                    let is_empty = self.body.iter().all(|line| line.trim().is_empty());
                    return is_empty.then(|| {
                        page.left.add(&format!("{{{name}}}"));
                        if self.argument.is_empty() {
                            String::new()
                        } else {
                            format!("`{}`\n", self.argument)
                        }
                    });
                };
                let text = format!("{}\n\n{}", roles::line(self.argument), content());
                callout::hint(style, "", &text)
            }
        })
    }

    fn version(&self) -> String {
        let verb = match self.name {
            "versionadded" => "Added in version",
            "versionchanged" => "Changed in version",
            "versionremoved" => "Removed in version",
            _ => "Deprecated since version",
        };
        format!("{verb} {}", self.argument)
    }

    fn listing(&self) -> String {
        let longest = self.body.iter().filter_map(|line| Fence::opens(line)).map(|fence| fence.length).max();
        let marks = "`".repeat(longest.map_or(3, |length| length + 1));
        let fence = format!("{marks}{}\n{}\n{marks}\n", self.argument, self.body.join("\n"));
        let mut tag = String::new();
        if let Some(title) = self.option("caption").or_else(|| self.option("filename")) {
            tag.push_str(&format!(" title=\"{}\"", callout::value(title)));
        }
        if self.option("linenos").is_some() {
            tag.push_str(" lineNumbers=\"true\"");
        }
        if let Some(lines) = self.option("emphasize-lines") {
            tag.push_str(&format!(" highlight=\"{}\"", callout::value(lines)));
        }
        if tag.is_empty() { fence } else { format!("{{% code{tag} %}}\n{fence}{{% endcode %}}\n") }
    }

    fn picture(&self, caption: &str) -> String {
        let alt = self.option("alt").unwrap_or_default().replace(['[', ']'], "");
        let picture = format!("![{alt}](<{}>)\n", self.argument);
        if caption.trim().is_empty() { picture } else { format!("{picture}\n{}\n", caption.trim()) }
    }
}

/// Returns whether a condition of `{only}` holds for a site: `html`, `not latex`, `html or epub`.
fn is_for_readers(condition: &str) -> bool {
    condition.split(" or ").any(|part| match part.trim().strip_prefix("not ") {
        Some(other) => other.trim() != "html",
        None => part.split(" and ").any(|name| name.trim() == "html"),
    })
}

fn blocks(lines: &[&str], depth: usize, page: &mut Page<'_>) -> String {
    let is_code = code_lines(lines);
    let mut out = String::new();
    let mut targets: Vec<&str> = Vec::new();
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        // Lines that are indented outside lists are code, not directives.
        let is_indented = is_code.get(at).copied().unwrap_or_default() && Fence::opens(line).is_none();
        let fence = Fence::opens(line).filter(|_| !is_indented);
        let Some(fence) = fence.filter(|fence| fence.mark != ':' || fence.info.starts_with('{')) else {
            prose(line, is_indented, page.options, &mut targets, &mut out);
            at += 1;
            continue;
        };
        let closes = |line: &str| fence.is_closed_by(line) && indent(line) < fence.indent + 4;
        let inside = lines.iter().skip(at + 1).take_while(|line| !closes(line)).count();
        let body = lines.get(at + 1..at + 1 + inside).unwrap_or_default();
        let built = Directive::of(&fence, body).filter(|_| depth < MAX_DIALECT_DEPTH);
        let translated = built.as_ref().and_then(|directive| directive.named(depth, page));
        match (translated, built) {
            (Some(text), _) => push_indented(&mut out, &text, fence.indent),
            // Fences of colons contain text, as do those of backticks with further directives.
            (None, Some(directive)) if fence.mark == ':' || has_directives(&directive.body) => {
                page.left.add(fence.info);
                let content = blocks(&directive.body, depth + 1, page);
                let text = format!("{}\n\n{content}\n", words(directive.argument, page.options));
                push_indented(&mut out, &text, fence.indent);
            }
            (None, _) => {
                if fence.info.starts_with('{') {
                    page.left.add(fence.info);
                }
                for line in lines.iter().skip(at).take(inside + 2) {
                    out.push_str(line);
                    out.push('\n');
                }
            }
        }
        at += inside + 2;
    }
    if !targets.is_empty() {
        let anchors: String = targets.into_iter().map(roles::target).collect();
        out.push_str(&format!("\n{anchors}\n"));
    }
    out
}

/// Returns whether lines contain the beginning of a directive.
fn has_directives(lines: &[&str]) -> bool {
    lines.iter().filter_map(|line| Fence::opens(line)).any(|fence| fence.info.starts_with('{'))
}

/// Translates a line outside of fences. Targets are attached to the next heading or paragraph.
fn prose<'t>(
    line: &'t str,
    is_code: bool,
    options: MystOptions,
    targets: &mut Vec<&'t str>,
    out: &mut String,
) {
    let text = line.trim();
    let attribute = Some(text).filter(|_| options.has_attributes && !is_code).and_then(block_attributes);
    if is_code {
        out.push_str(line);
    } else if let Some(label) = text.strip_prefix('(').and_then(|text| text.strip_suffix(")=")) {
        targets.push(label);
        return;
    } else if let Some(id) = attribute {
        targets.extend(id);
        return;
    } else if line.starts_with("% ") || text.starts_with("+++") || is_container(text) {
        return;
    } else {
        let is_heading = text.starts_with('#') && text.trim_start_matches('#').starts_with(' ');
        let takes_targets = is_heading || text.starts_with(char::is_alphabetic);
        let taken = if takes_targets { std::mem::take(targets) } else { Vec::new() };
        let anchors: String = taken.into_iter().map(roles::anchor).collect();
        if is_heading {
            out.push_str(&words(line, options));
            out.push_str(&anchors);
        } else if takes_targets {
            out.push_str(line.get(..line.len() - line.trim_start().len()).unwrap_or_default());
            out.push_str(anchors.trim_start());
            out.push_str(&words(line.trim_start(), options));
        } else {
            out.push_str(&words(line, options));
        }
    }
    out.push('\n');
}

/// Returns whether a line begins a container with a class, or ends a container: `:::name`, `:::`.
fn is_container(line: &str) -> bool {
    let class = line.trim_start_matches(':');
    let is_name = class.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
    line.len() - class.len() >= 3 && is_name
}

/// Converts the roles, formulas and attributes of a line to Markdown.
fn words(line: &str, options: MystOptions) -> String {
    let mut line = roles::line(line);
    if options.has_math {
        line = formulas_of_line(&line);
    }
    if options.has_attributes && line.contains('{') {
        let is_heading = line.trim_start().starts_with('#');
        line = outside_code(&line, |piece, out| {
            out.push_str(&attributes::without(&spans(piece), is_heading));
        });
    }
    line
}

/// Removes the brackets of inline text with attributes: `[words]{#id}`.
fn spans(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("]{") {
        let list = behind.split_once('}').map(|(list, _)| format!("{{{list}}}"));
        let is_list = list.is_some_and(|list| attributes::without(&list, false) != list);
        let open =
            before.rfind('[').filter(|at| is_list && !before.get(..*at).is_some_and(|b| b.ends_with('!')));
        match open.and_then(|at| Some((before.get(..at)?, before.get(at + 1..)?))) {
            Some((above, words)) => out.push_str(&format!("{above}{words}{{")),
            None => out.push_str(&format!("{before}]{{")),
        }
        rest = behind;
    }
    out + rest
}

/// Returns the id in a line that only has attributes of the next block; `None` for other lines.
fn block_attributes(line: &str) -> Option<Option<&str>> {
    let list = line.strip_prefix('{')?.strip_suffix('}')?;
    let is_list =
        !list.contains(['{', '}']) && !attributes::without(line, true).replace("{#", "").contains('{');
    is_list.then(|| list.split_whitespace().find_map(|word| word.strip_prefix('#')))
}
