//! The lines of a page that readers see.

use super::syntax::{without, without_syntax};

/// Directives of MyST whose content names pages, which the navigation shows.
const NAVIGATION: [&str; 2] = ["{toctree}", "{tableofcontents}"];

/// Directives of MyST whose argument is invisible.
const ADDRESSED: [&str; 9] = [
    "{grid}",
    "{figure}",
    "{image}",
    "{iframe}",
    "{include}",
    "{literalinclude}",
    "{embed}",
    "{div}",
    "{container}",
];

/// Elements and statements whose lines are invisible up to their end. A reference to a page shows that page's title,
/// and an include shows the text of another file.
const HIDDEN: [(&str, &str); 7] = [
    ("<!--", "-->"),
    ("{/*", "*/}"),
    ("<script", "</script>"),
    ("<style", "</style>"),
    ("<include", "</include>"),
    ("{% comment", "endcomment"),
    ("{% content-ref", "endcontent-ref"),
];

/// Loops, whose content a program repeats.
const LOOPS: [(&str, &str); 3] = [("{% for", "endfor"), ("{%- for", "endfor"), ("{% unless", "endunless")];

/// Open fence.
struct Fence {
    marks: String,
    is_code: bool,
    is_navigation: bool,
    /// Columns before the text of the item that contains the fence. The fence ends with the item.
    item: usize,
}

/// Returns the text of a page without syntax. The content of loops does not count if the report names `loops`.
pub(super) fn visible(source: &str, loops: bool) -> String {
    let front = source.strip_prefix("---\n").and_then(|rest| {
        let ends = [rest.find("\n---"), rest.find("\n...")];
        let at = ends.into_iter().flatten().min()?;
        Some(&rest[at + 4..])
    });
    let mut reader = Reader { loops, ..Reader::default() };
    for line in front.unwrap_or(source).lines() {
        reader.line(line);
    }
    reader.code + &without_syntax(&reader.prose)
}

/// Reads a page line by line.
#[derive(Default)]
struct Reader {
    loops: bool,
    /// Listings.
    code: String,
    prose: String,
    fences: Vec<Fence>,
    /// Columns before the text of the current item.
    item: usize,
    /// End of the current comment, script or style.
    hidden: Option<&'static str>,
    /// A function, which ends with a bracket at the start of a line, and may have empty lines.
    in_function: bool,
    in_statement: bool,
    /// The last line ended a statement.
    ends_statement: bool,
    /// Documentation of code has options.
    in_object: bool,
    /// The last line was the beginning or an option of a directive.
    in_head: bool,
    begins_directive: bool,
    /// Options of a directive in YAML.
    in_yaml: bool,
    /// The address of a definition is on the next line.
    in_address: bool,
}

impl Reader {
    fn line(&mut self, line: &str) {
        if let Some(close) = self.hidden {
            self.hidden = Some(close).filter(|close| !line.contains(close));
        } else if self.in_function {
            self.in_function = !line.starts_with(['}', ')']);
        } else {
            let text = self.text_of(line);
            let is_read = self.fence(line, text) || self.yaml(text) || self.listing(line, text);
            if !is_read && !self.invisible(line, text) {
                self.text(line, text);
            }
        }
    }

    /// Returns the text of a line after the marks of quotes and items.
    fn text_of<'l>(&mut self, line: &'l str) -> &'l str {
        let indent = columns(line);
        if !line.trim().is_empty() {
            if indent < self.item {
                self.item = 0;
            }
            // A fence ends with the item that contains it.
            if self.fences.last().is_some_and(|fence| indent < fence.item) {
                self.fences.pop();
            }
        }
        // `>` alone closes a tag; otherwise it begins a quote.
        let closes = line.trim() == ">" || line.trim_start().starts_with(">}}");
        let text = if closes { line.trim() } else { line.trim_start_matches([' ', '>', '\t']) };
        let item = |text: &'l str| {
            let body = text.strip_prefix("- ").or_else(|| text.strip_prefix("* ")).or_else(|| numbered(text));
            body.map(str::trim_start)
        };
        // An item may begin with an item.
        let Some(last) = std::iter::successors(item(text), |text| item(text)).last() else {
            return text.trim_start();
        };
        self.item = line.len() - last.len();
        last
    }

    /// Reads the beginning or the end of a fence.
    fn fence(&mut self, line: &str, text: &str) -> bool {
        let marks: String = text.chars().take_while(|c| matches!(c, '`' | '~')).collect();
        if marks.len() < 3 || text[marks.len()..].contains('`') {
            return false;
        }
        let info = text[marks.len()..].trim();
        match self.fences.last() {
            Some(open) if info.is_empty() && marks.starts_with(open.marks.as_str()) => {
                drop(self.fences.pop());
            }
            Some(open) if open.is_code => push(&mut self.code, line),
            _ => self.fences.push(Fence {
                marks,
                is_code: !info.starts_with('{') && info != "mdx-code-block" || info.starts_with("{code"),
                is_navigation: NAVIGATION.iter().any(|name| info.starts_with(name)),
                item: self.item,
            }),
        }
        self.in_head = info.starts_with('{');
        self.begins_directive = self.in_head;
        self.in_yaml = false;
        true
    }

    /// Reads the options of a directive in YAML. A directive with other options has none.
    fn yaml(&mut self, text: &str) -> bool {
        let is_opened = std::mem::take(&mut self.begins_directive);
        if !(self.in_yaml || self.in_head && is_opened && text == "---") {
            return false;
        }
        self.in_yaml = !self.in_yaml || text != "---";
        self.in_head = false;
        let caption = text.split_once(':').filter(|(key, _)| matches!(*key, "caption" | "title" | "alt"));
        push(&mut self.prose, caption.map_or("", |(_, words)| words));
        true
    }

    /// Reads a line of a listing.
    fn listing(&mut self, line: &str, text: &str) -> bool {
        if !self.fences.last().is_some_and(|fence| fence.is_code) {
            return false;
        }
        // Options of a directive, and the files that books include.
        self.in_head = self.in_head && text.starts_with(':');
        if self.in_head || text.starts_with("{{#") {
            return true;
        }
        let line = line.replace("{% raw %}", "").replace("{% endraw %}", "");
        let line = without(&without(&line, "{{% param", "%}}", 100), "{{< param", ">}}", 100);
        let code = line.split("[!code").next().unwrap_or_default();
        push(&mut self.code, code.split("highlight-").next().unwrap_or_default());
        true
    }

    /// Reads a line of a comment, of documented code, or of a function.
    fn invisible(&mut self, line: &str, text: &str) -> bool {
        let loops = LOOPS.iter().filter(|_| self.loops);
        if let Some((_, close)) = HIDDEN.iter().chain(loops).find(|(open, _)| text.starts_with(open)) {
            self.hidden = Some(*close).filter(|close| !line.contains(close));
            return true;
        }
        self.in_object = self.in_object && (line.is_empty() || line.starts_with(' '))
            || text.strip_prefix("::: ").is_some_and(|name| !name.trim().contains(' ') && names_code(name));
        if self.in_object || text.starts_with(".. ") && text.contains("::") {
            return true;
        }
        // The code of a component ends with the enclosing MDX fence.
        if let Some(fence) = self.fences.last_mut().filter(|_| text.starts_with("export ")) {
            fence.is_navigation = true;
            return true;
        }
        let functions = ["export const ", "export default ", "export function ", "export async "];
        self.in_function = functions.iter().any(|mark| line.starts_with(mark)) && line.ends_with(['{', '(']);
        self.in_function
    }

    /// Reads a line of prose, unless it is a statement, a definition, or an option of a directive.
    fn text(&mut self, line: &str, text: &str) {
        let in_pages = self
            .fences
            .last()
            .is_some_and(|fence| fence.is_navigation || !fence.is_code && !text.contains(' '));
        // Statements of MDX are not indented, in contrast to code in the attribute of a component.
        self.in_statement = (self.in_statement && !line.is_empty() && !self.ends_statement)
            || ["import ", "export "].iter().any(|mark| line.starts_with(mark))
            || ["--8<--", "<<< ", "{* ", "% "].iter().any(|mark| text.starts_with(mark));
        self.ends_statement = line.trim_end().ends_with(';');
        let is_contents = matches!(text.trim().to_lowercase().as_str(), "[[toc]]" | "[toc]" | "[[_toc_]]");
        let is_definition = text.starts_with('[') && !text.starts_with("[^") && text.contains("]:");
        let in_directive = self.in_head || !self.fences.is_empty();
        let is_option =
            in_directive && text.starts_with(':') && text[1..].contains(':') && !text.starts_with("::");
        self.begins_directive = text.trim_start_matches(':').starts_with('{') && text.starts_with(":::");
        self.in_head = is_option || self.begins_directive;
        let is_target = self.in_address || text.starts_with('(') && text.ends_with(")=");
        self.in_address = is_definition && text.ends_with("]:");
        let is_syntax =
            self.in_statement || is_definition || is_target || is_option || in_pages || is_contents;
        if !is_syntax {
            push(&mut self.prose, content(text));
        }
    }
}

/// Returns whether the name of a MkDocs block is that of documented code, or of a program that documents code.
fn names_code(name: &str) -> bool {
    name.contains(['.', '_']) || name.starts_with("mkdocs-")
}

/// Returns the text of an item after its number, which is derived from its position.
fn numbered(text: &str) -> Option<&str> {
    let behind = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_number = (1..=9).contains(&(text.len() - behind.len()));
    let marks = [". ", ") ", ".\t"];
    marks.iter().find_map(|mark| behind.strip_prefix(mark)).filter(|_| is_number)
}

/// Returns the columns before the text of a line.
fn columns(line: &str) -> usize {
    line.chars().take_while(|c| c.is_whitespace()).map(|c| if c == '\t' { 4 } else { 1 }).sum()
}

fn push(out: &mut String, line: &str) {
    out.push_str(line);
    out.push('\n');
}

/// Returns a line without the name of its directive.
fn content(line: &str) -> &str {
    // `:active` marks the tab that is open.
    if let Some(title) = line.strip_prefix("@tab") {
        return title.strip_prefix(":active").unwrap_or(title);
    }
    let kinds = ["!!! ", "??? ", "???+ ", "::: ", "/// "];
    let kind = kinds.iter().find_map(|mark| line.strip_prefix(mark)).or_else(|| {
        let rest = line.strip_prefix(":::").map(|rest| rest.trim_start_matches(':').trim_start());
        rest.filter(|rest| !rest.is_empty())
    });
    // The argument of a grid is its numbers of columns, the argument of others an address.
    let is_grid = kind.is_some_and(|kind| ADDRESSED.iter().any(|name| kind.starts_with(name)));
    // In MkDocs, only quoted text is a title; further words are classes.
    let is_quoted = ["!!!", "???"].iter().any(|mark| line.starts_with(mark));
    // A block between slashes has its title after a bar; the elements of `html` are none.
    let is_slashed = line.starts_with("/// ");
    match kind.filter(|_| !is_grid) {
        _ if is_grid => "",
        Some(kind) if is_slashed => {
            let title = kind.split_once('|').filter(|(name, _)| name.trim() != "html");
            title.map_or("", |(_, title)| title)
        }
        Some(kind) if is_quoted => kind.split_once('"').map_or("", |(_, title)| title),
        // Options may follow the name of a directive.
        Some(kind) if kind.starts_with('{') => kind.split_once('}').map_or("", |(_, title)| title),
        // The words behind tabs name the choice that they share with others.
        Some(kind) if kind.split_whitespace().next() == Some("tabs") => "",
        Some(kind) => kind.split_once([' ', '[']).map_or("", |(_, title)| title),
        None if line.starts_with('|') && line.chars().all(|c| "|-: ".contains(c)) => "",
        None => line,
    }
}
