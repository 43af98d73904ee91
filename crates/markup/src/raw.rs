//! Syntax that a document shows as text, because it has no equivalent.

use crate::document::{Block, BlockKind, Children, Document, Fragment, Inline, Mark};
use std::collections::BTreeSet;

/// Forms of syntax that are named of one document.
const MAX_NAMED: usize = 20;
/// Characters of a name.
const MAX_NAME_CHARS: usize = 40;

/// Returns the syntax of generators and template languages in the running text of a document, each form once: tags of
/// templates, call-outs, module statements, and Markdown that was not read as such.
///
/// ```
/// use quire_markup::{StableRefs, parse, raw_syntax};
/// let document = parse("See {{< ref \"a\" >}}.\n\n:::custom\nText.\n:::\n", &StableRefs);
/// assert_eq!(raw_syntax(&document), [":::custom", "{{< ref >}}"]);
/// assert!(raw_syntax(&parse("Use `{{ name }}`.", &StableRefs)).is_empty());
/// ```
#[must_use]
pub fn raw_syntax(document: &Document) -> Vec<String> {
    let mut found = BTreeSet::new();
    blocks(&document.nodes, &mut found);
    found.into_iter().collect()
}

fn blocks(nodes: &[Block], found: &mut BTreeSet<String>) {
    for node in nodes.iter().filter(|node| node.kind != BlockKind::Code) {
        match &node.children {
            Children::Inlines(nodes) => inlines(nodes, found),
            Children::Blocks(nodes) => blocks(nodes, found),
            Children::Void => {}
        }
        fragments(&node.fragments, found);
    }
}

fn fragments(fragments: &[Fragment], found: &mut BTreeSet<String>) {
    fragments.iter().for_each(|fragment| blocks(&fragment.nodes, found));
}

fn inlines(nodes: &[Inline], found: &mut BTreeSet<String>) {
    let mut begins = true;
    // Emphasis may be read within a formula.
    let mut words = String::new();
    for node in nodes {
        match node {
            Inline::Text(text) => {
                for leaf in text.leaves.iter().filter(|leaf| !leaf.marks.contains(&Mark::Code)) {
                    if found.len() < MAX_NAMED {
                        text_of(&leaf.text, begins, found);
                    }
                    words.push_str(&leaf.text);
                    begins = false;
                }
            }
            Inline::Node(node) => {
                inlines(&node.nodes, found);
                fragments(&node.fragments, found);
            }
        }
        begins = false;
    }
    if is_formula(&words) {
        found.insert("$…$".to_owned());
    }
}

/// Finds the syntax in a run of text. `begins` is true for the first of a block.
fn text_of(text: &str, begins: bool, found: &mut BTreeSet<String>) {
    let mut add = |name: String| {
        found.insert(name.chars().take(MAX_NAME_CHARS).collect());
    };
    for (mark, end) in [("{%", "%}"), ("{{<", ">}}"), ("{{%", "%}}"), ("{{", "}}"), ("{*", "*}")] {
        // A tag may end in another line.
        let is_open = matches!(mark, "{%" | "{{<");
        if let Some((_, behind)) = text.split_once(mark)
            && let Some(inside) =
                behind.split_once(end).map(|(inside, _)| inside).or(Some(behind).filter(|_| is_open))
            && !(mark == "{{" && inside.starts_with(['<', '%']))
        {
            let name = inside.split_whitespace().next().unwrap_or_default();
            let shown = if mark == "{*" { "file" } else { name.trim_start_matches('/') };
            add(format!("{mark} {shown} {end}"));
        }
    }
    if begins {
        let line = text.trim_start();
        let first = |text: &str| {
            text.split(|c: char| c.is_whitespace() || c == '[').next().unwrap_or_default().to_owned()
        };
        let marked = |mark: &str| line.strip_prefix(mark).filter(|rest| !rest.trim().is_empty());
        if line.starts_with(":::") {
            add(format!(":::{}", first(line.trim_start_matches(':').trim_start())));
        }
        for mark in ["!!! ", "??? ", "???+ ", "/// ", "<<< "] {
            if let Some(rest) = marked(mark) {
                add(format!("{mark}{}", first(rest)));
            }
        }
        if line.starts_with("{: ") && line.contains('}') {
            add("{: … }".to_owned());
        }
        if marked("=== \"").is_some() {
            add("=== \"tab\"".to_owned());
        }
        if let Some((kind, _)) = line.strip_prefix("[!").and_then(|rest| rest.split_once(']'))
            && !kind.is_empty()
            && kind.chars().all(|c| c.is_ascii_uppercase())
        {
            add(format!("[!{kind}]"));
        }
        let is_import = line.starts_with("import ") && line.contains(" from ") && line.contains(['"', '\'']);
        if is_import || line.starts_with("import {") || line.starts_with("export const ") {
            add("import".to_owned());
        }
    }
    if text.split_once("**").is_some_and(|(_, rest)| rest.find("**").is_some_and(|at| at > 0)) {
        add("**".to_owned());
    }
    if let Some((_, behind)) = text.split_once("](")
        && behind.contains(')')
    {
        add(if text.contains("![") { "![](…)" } else { "[](…)" }.to_owned());
    }
    if let Some((_, behind)) = text.split_once("[[")
        && behind.starts_with(char::is_alphabetic)
        && behind.contains("]]")
    {
        add("[[…]]".to_owned());
    }
}

/// Returns whether a text contains a formula between single dollars: with a command, an index or a power.
fn is_formula(text: &str) -> bool {
    let mut pieces = text.split('$').skip(1);
    while let Some(inside) = pieces.next() {
        if pieces.clone().next().is_none() {
            return false;
        }
        let is_tex = inside.contains(['\\', '^', '_']) && inside.trim() == inside && !inside.is_empty();
        // Variables of a shell: `${A}_${B}`, `$HOME/a_b:$PATH`.
        let is_variable = inside.starts_with('{') || inside.contains('/') && !inside.contains(['\\', '^']);
        if is_tex && !is_variable || inside.contains("\\frac") {
            return true;
        }
    }
    false
}
