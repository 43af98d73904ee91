//! Listings of components, and commands in their attributes.

use super::super::{callout, listing as list};
use super::statements::Module;
use super::syntax::{Tag, Value, evaluated};
use super::tree::{Element, Node};
use crate::markdown::unescaped;

/// Programs whose commands are alternatives, in attributes of a component: `<Commands npm="…" yarn="…" />`.
const PROGRAMS: [&str; 9] = ["npm", "pnpm", "yarn", "bun", "deno", "cargo", "pip", "brew", "curl"];

/// Returns the commands and listings in the attributes of a component.
pub(super) fn code_of(tag: &Tag<'_>) -> Vec<String> {
    let commands = PROGRAMS.iter().filter_map(|name| Some((*name, tag.first(&[*name])?)));
    let commands: Vec<(&str, String)> = commands.filter(|(_, command)| command.contains(' ')).collect();
    let own = tag.first(&["command"]).filter(|command| command.contains(' '));
    let shell = match commands.as_slice() {
        [] => own.map(|command| listing("sh", None, &command)),
        [(_, only)] => Some(listing("sh", None, only)),
        all => Some(alternatives(all)),
    };
    shell.into_iter().chain(tag.listings().map(|text| listing("", None, &text))).collect()
}

/// Returns commands as tabs.
fn alternatives(commands: &[(&str, String)]) -> String {
    let tabs = commands.iter().map(|(name, command)| callout::tab(name, &listing("sh", None, command)));
    format!("{{% tabs %}}\n{}{{% endtabs %}}\n", tabs.collect::<String>())
}

/// The commands that add a package, run or create one.
pub(super) fn packages(package: &str, tag: &Tag<'_>) -> String {
    let arguments = tag.first(&["args"]).map(|arguments| format!(" {arguments}")).unwrap_or_default();
    let dev = if tag.has("dev") { "-D " } else { "" };
    let commands = match tag.first(&["type"]).as_deref() {
        Some("dlx") => [("npm", "npx "), ("pnpm", "pnpm dlx "), ("yarn", "yarn dlx ")],
        Some("create") => [("npm", "npm create "), ("pnpm", "pnpm create "), ("yarn", "yarn create ")],
        Some("exec") => [("npm", "npx "), ("pnpm", "pnpm "), ("yarn", "yarn ")],
        Some("remove") => [("npm", "npm uninstall "), ("pnpm", "pnpm remove "), ("yarn", "yarn remove ")],
        Some("run") => [("npm", "npm run "), ("pnpm", "pnpm run "), ("yarn", "yarn run ")],
        _ => [("npm", "npm i "), ("pnpm", "pnpm add "), ("yarn", "yarn add ")],
    };
    let commands = commands.map(|(name, command)| (name, format!("{command}{dev}{package}{arguments}")));
    alternatives(&commands)
}

/// A fenced listing without comments that highlight its lines, and with its title as an option.
pub(super) fn listing_of(code: &str) -> String {
    let (opening, rest) = code.split_once('\n').unwrap_or((code, ""));
    list::cleaned(&format!("{}\n{rest}", list::titled(opening)))
}

/// Returns the title of a listing, otherwise its language.
pub(super) fn title_of(info: &str) -> String {
    let quoted = ["title=", "filename=", "label=", "tab="].iter().find_map(|key| {
        let (_, behind) = info.split_once(key)?;
        let quote = behind.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
        behind.get(1..)?.split_once(quote).map(|(title, _)| title.to_owned())
    });
    let (language, rest) = info.trim().split_once(char::is_whitespace).unwrap_or((info.trim(), ""));
    let words: Vec<&str> = rest.split_whitespace().take_while(|word| !word.contains(['=', '{'])).collect();
    quoted.unwrap_or_else(|| {
        let title = words.join(" ");
        let title = title.trim_matches(['[', ']', '"']);
        match (title.is_empty(), language.is_empty()) {
            (false, _) => title.to_owned(),
            (true, false) => language.to_owned(),
            (true, true) => "Code".to_owned(),
        }
    })
}

pub(super) fn has_literal(element: &Element<'_>) -> bool {
    let is_text = |node: &Node<'_>| matches!(node, Node::Text(_));
    !element.children.is_empty() && element.children.iter().all(is_text) && element.tag.get("file").is_none()
}

/// The text of a listing's children, as written.
pub(super) fn literals(element: &Element<'_>) -> String {
    let text: String = element
        .children
        .iter()
        .map(|node| match node {
            Node::Text(text) | Node::Code(text) => text.as_str(),
            Node::Element(_) => "",
        })
        .collect();
    // Texts of expressions were escaped as Markdown.
    unescaped(&text)
}

/// A fenced listing.
pub(super) fn listing(language: &str, title: Option<&str>, text: &str) -> String {
    let text = super::margins::without_indent(text);
    let longest =
        text.lines().map(|line| line.chars().take_while(|c| *c == '`').count()).max().unwrap_or_default();
    let marks = "`".repeat(longest.max(2) + 1);
    let title = title.map(|title| format!(" title=\"{}\"", title.replace('"', ""))).unwrap_or_default();
    format!("{marks}{language}{title}\n{}\n{marks}", text.trim_matches('\n'))
}

/// Returns the code in an attribute: the value of the expression, otherwise the source text between backticks, with the
/// names of computed values.
pub(super) fn code_in(value: Option<Value<'_>>, module: &Module) -> Option<String> {
    let Some(Value::Expression(inside)) = value else { return None };
    evaluated(inside, &|name| module.constant(name)).or_else(|| {
        let text = inside.trim().strip_prefix('`')?.strip_suffix('`')?;
        (!text.contains('`')).then(|| text.to_owned())
    })
}
