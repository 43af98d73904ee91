//! Removal of templates that a generator evaluates: statements, bodies of loops, and expressions.

use super::lines::logical_line;
use crate::dialects::Left;
use crate::dialects::code::{code_lines, code_outside_directives};
use crate::dialects::inline::{outside_code, replace_between};

/// Statements whose body is not shown as written.
const SKIPPED: [&str; 4] = ["for", "tablerow", "comment", "capture"];

/// Removes statements, bodies of loops, and expressions, which only the generator can evaluate. Statements and
/// expressions for which `keeps` returns true are kept.
pub(in crate::dialects) fn without_templates(
    text: &str,
    keeps: &dyn Fn(&str) -> bool,
    left: &mut Left,
) -> String {
    if !text.contains("{%") {
        return without_expressions(text, keeps, left);
    }
    let lines: Vec<&str> = text.lines().collect();
    let is_code = code_lines(&lines);
    let last_ends = SKIPPED.map(|name| {
        let end = format!("end{name}");
        (name, lines.iter().rposition(|line| line.contains(&end)))
    });
    let is_closed = |name: &str, at: usize| {
        last_ends.iter().any(|(skipped, end)| *skipped == name && end.is_some_and(|end| end >= at))
    };
    let mut out = String::with_capacity(text.len());
    let (mut skipped, mut is_raw, mut at) = (0_usize, false, 0);
    while let Some(line) = lines.get(at) {
        let from = at;
        at += 1;
        if is_code.get(from).copied().unwrap_or_default() {
            if skipped == 0 {
                out.push_str(line);
                out.push('\n');
            }
            continue;
        }
        let (logical, taken) = logical_line(lines.get(from..).unwrap_or_default());
        at = from + taken;
        let mut rest = logical.as_str();
        let mut kept = String::new();
        while let Some((before, behind)) = rest.split_once("{%") {
            let Some((statement, after)) = behind.split_once("%}") else { break };
            let statement = statement.trim_matches(['-', ' ']);
            let name = statement.split_whitespace().next().unwrap_or_default();
            if skipped == 0 {
                kept.push_str(&if is_raw { before.to_owned() } else { expressions(before, keeps, left) });
            }
            match name {
                "raw" | "endraw" => is_raw = name == "raw",
                _ if is_raw || keeps(statement) => {
                    if skipped == 0 {
                        kept.push_str(&format!("{{% {statement} %}}"));
                    }
                }
                name if is_closed(name, from) => {
                    skipped += 1;
                    left.add(&format!("{{% {name} %}}"));
                }
                name => match name.strip_prefix("end") {
                    Some(name) => skipped -= usize::from(skipped > 0 && SKIPPED.contains(&name)),
                    None => left.add(&format!("{{% {name} %}}")),
                },
            }
            rest = after;
        }
        if skipped == 0 {
            kept.push_str(&if is_raw { rest.to_owned() } else { expressions(rest, keeps, left) });
        }
        if !kept.trim().is_empty() || line.trim().is_empty() {
            out.push_str(&kept);
            out.push('\n');
        }
    }
    out
}

/// Removes expressions between double braces, which only the generator can evaluate. Expressions for which `keeps`
/// returns true are kept.
pub(in crate::dialects) fn without_expressions(
    text: &str,
    keeps: &dyn Fn(&str) -> bool,
    left: &mut Left,
) -> String {
    if !text.contains("{{") {
        return text.to_owned();
    }
    let lines: Vec<&str> = text.lines().collect();
    let is_code = code_outside_directives(&lines);
    let line = |(line, is_code): (&&str, bool)| {
        let line = if is_code { (*line).to_owned() } else { expressions(line, keeps, left) };
        format!("{line}\n")
    };
    lines.iter().zip(is_code).map(line).collect()
}

/// Removes the expressions of a line.
pub(in crate::dialects) fn expressions(line: &str, keeps: &dyn Fn(&str) -> bool, left: &mut Left) -> String {
    if !line.contains("{{") {
        return line.to_owned();
    }
    outside_code(line, |piece, out| {
        out.push_str(&replace_between(piece, "{{", "}}", |inside| {
            if keeps(inside) {
                return None;
            }
            let words = inside.trim().trim_matches('-').trim();
            let name: String = words.chars().take_while(|c| !c.is_whitespace() && *c != '|').collect();
            left.add(&format!("{{{{ {name} }}}}"));
            Some(String::new())
        }));
    })
}
