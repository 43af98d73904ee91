//! `import` and `export` statements, which are not content.

use std::cell::Cell;
use std::collections::BTreeMap;

use super::super::code::{Fence, Scanner};
use super::syntax::literal;
use crate::limits::markdown::{MAX_CONSTANT_BYTES, MAX_STATEMENT_LINES};

/// Start of a template in an attribute.
const TEMPLATE: &str = "={`";

/// Returns whether a backtick begins or ends a template in a line.
fn has_mark(line: &str) -> bool {
    line.contains('`') && line.replace("\\`", "").contains('`')
}

/// Module of a page: its text without statements, and its constants.
#[derive(Debug, Default)]
pub(super) struct Module {
    pub(super) text: String,
    /// Texts of exported constants and addresses of imported files, by name.
    names: BTreeMap<String, String>,
    /// Number of bytes of constants that may still be inserted.
    left: Cell<usize>,
}

impl Module {
    /// Removes the statements of a page. A statement begins at the start of a line after an empty line or another
    /// statement, and ends when its brackets are closed.
    pub(super) fn of(text: &str) -> Self {
        let lines: Vec<&str> = text.lines().collect();
        // Texts of a statement may look like fences, so its lines are not scanned.
        let mut scanner = Scanner::default();
        let (kept, left) = (String::with_capacity(text.len()), Cell::new(MAX_CONSTANT_BYTES));
        let mut module = Self { text: kept, names: BTreeMap::new(), left };
        let mut at = 0;
        let mut begins_block = true;
        let mut fence: Option<Fence<'_>> = None;
        // Code in an attribute is not a statement.
        let mut in_attribute = false;
        let last_end = lines.iter().rposition(|line| has_mark(line)).unwrap_or_default();
        while let Some(line) = lines.get(at) {
            let in_fence = fence.is_some() || in_attribute;
            match fence {
                Some(open) if open.is_closed_by(line) => fence = None,
                Some(_) => {}
                None if in_attribute => {}
                None => fence = Fence::begins(line).filter(|fence| fence.mark != ':'),
            }
            let may_begin = !scanner.is_code(line) && begins_block && !in_fence;
            let length = if may_begin { statement_length(lines.get(at..).unwrap_or_default()) } else { 0 };
            if length > 0 {
                module.name(&lines.get(at..at + length).unwrap_or_default().join("\n"));
                at += length;
                scanner.is_code("");
                continue;
            }
            in_attribute = match in_attribute {
                true => !has_mark(line),
                false if in_fence || fence.is_some() => false,
                false => at < last_end && line.rsplit_once(TEMPLATE).is_some_and(|(_, code)| !has_mark(code)),
            };
            begins_block = line.trim().is_empty();
            module.text.push_str(line);
            module.text.push('\n');
            at += 1;
        }
        module
    }

    /// Returns the text of a constant or the address of an imported file; `None` if the total bound is exceeded.
    pub(super) fn constant(&self, name: &str) -> Option<String> {
        let text = self.names.get(name)?;
        self.left.set(self.left.get().checked_sub(text.len())?);
        Some(text.clone())
    }

    fn name(&mut self, statement: &str) {
        let statement = statement.trim().trim_end_matches(';');
        if let Some((name, file)) =
            statement.strip_prefix("import ").and_then(|rest| rest.split_once(" from "))
        {
            self.names.extend(literal(file).map(|file| (name.trim().to_owned(), file)));
        } else if let Some(rest) = statement.strip_prefix("export const ")
            && let Some((name, value)) = rest.split_once('=')
        {
            let name = name.split(':').next().unwrap_or_default().trim();
            self.names.extend(literal(value).map(|value| (name.to_owned(), value)));
        }
    }
}

/// Returns the number of lines of the statement at the start of these lines; 0 for prose.
fn statement_length(lines: &[&str]) -> usize {
    const EXPORTS: [&str; 8] = [
        "export const ",
        "export let ",
        "export var ",
        "export default ",
        "export function ",
        "export async ",
        "export {",
        "export class ",
    ];
    const TYPES: [&str; 3] = ["export type ", "export interface ", "export * from "];
    let first = lines.first().copied().unwrap_or_default();
    let is_export = EXPORTS.iter().chain(&TYPES).any(|begin| first.starts_with(begin));
    let is_import = first.starts_with("import ") || first.starts_with("import{");
    if !is_export && !is_import {
        return 0;
    }
    let mut brackets = Brackets::default();
    for (index, line) in lines.iter().take(MAX_STATEMENT_LINES).enumerate() {
        brackets.read(line);
        let is_source =
            [" from '", " from \"", "}from", "import '", "import \""].iter().any(|mark| line.contains(mark));
        // An operator at the end continues in the next line.
        let continues = line.trim_end().ends_with(['=', '>', ',', '(', '+', '?', ':', '|', '&']);
        if brackets.is_closed() && !continues && (is_export || is_source) {
            return index + 1;
        }
        if is_import && line.trim().is_empty() {
            return 0;
        }
    }
    0
}

/// Counter of open brackets, outside strings and comments.
#[derive(Default)]
struct Brackets {
    depth: i32,
    in_template: bool,
    in_comment: bool,
}

impl Brackets {
    fn is_closed(&self) -> bool {
        self.depth <= 0 && !self.in_template && !self.in_comment
    }

    fn read(&mut self, line: &str) {
        let mut rest = line;
        while let Some(first) = rest.chars().next() {
            let behind = rest.get(first.len_utf8()..).unwrap_or_default();
            if first == '\\' && !self.in_comment {
                let mut characters = behind.chars();
                characters.next();
                rest = characters.as_str();
                continue;
            }
            if self.in_comment {
                self.in_comment = !rest.starts_with("*/");
            } else if self.in_template {
                self.in_template = first != '`';
            } else if rest.starts_with("//") && !line.contains("://") {
                return;
            } else if rest.starts_with("/*") {
                self.in_comment = true;
            } else {
                match first {
                    '`' => self.in_template = true,
                    // A quote without a second one on its line is an apostrophe.
                    '"' | '\'' => {
                        if let Some((_, after)) = behind.split_once(first) {
                            rest = after;
                            continue;
                        }
                    }
                    '{' | '(' | '[' => self.depth += 1,
                    '}' | ')' | ']' => self.depth -= 1,
                    _ => {}
                }
            }
            rest = behind;
        }
    }
}
