//! Normalization of lines with shortcodes and statements, which may take several lines or share one.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::call::Call;
use crate::dialects::code::code_lines;
use crate::dialects::{indent, push_indented};

/// Maximum number of lines of a statement.
const MAX_STATEMENT_LINES: usize = 50;

/// Puts each shortcode on one line: joins the lines of a multi-line shortcode, and splits a line that consists of
/// several.
pub(super) fn single_lines(text: &str) -> Cow<'_, str> {
    let lines: Vec<&str> = text.lines().collect();
    if !lines.iter().any(|line| is_open(line) || several(line).is_some()) {
        return Cow::Borrowed(text);
    }
    let is_code = code_lines(&lines);
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        at += 1;
        let is_code = is_code.get(at - 1).copied().unwrap_or_default();
        match several(line).filter(|_| !is_code) {
            Some(calls) => out.push_str(&calls),
            None => out.push_str(line),
        }
        if !is_code && is_open(line) {
            let rest = lines.get(at..).unwrap_or_default().iter().take(MAX_STATEMENT_LINES);
            let length = rest.clone().position(|line| line.contains("}}")).map_or(0, |last| last + 1);
            for line in rest.take(length) {
                out.push(' ');
                out.push_str(line.trim());
            }
            at += length;
        }
        out.push('\n');
    }
    Cow::Owned(out)
}

/// Returns whether a shortcode begins on a line and ends on another.
fn is_open(line: &str) -> bool {
    let begin = ["{{<", "{{%"].into_iter().filter_map(|mark| line.rfind(mark)).max();
    let rest = begin.and_then(|begin| line.get(begin..));
    rest.is_some_and(|rest| !rest.contains("}}")) && !line.contains('`')
}

/// Call-outs, whose end text may directly follow.
pub(super) const CALL_OUTS: [&str; 6] = ["notice", "alert", "callout", "admonition", "hint", "panel"];

/// Returns the shortcodes of a line that has no other content, each on a line of its own; `None` for other lines. Text
/// after the end of a call-out follows on the next line.
fn several(line: &str) -> Option<String> {
    if !line.trim_start().starts_with("{{") {
        return None;
    }
    let indent = line.get(..line.len() - line.trim_start().len())?;
    let mut calls: Vec<&str> = Vec::new();
    let mut rest = line.trim();
    while !rest.is_empty() {
        let Some(call) = Call::read(rest).filter(|call| call.is_hugo) else {
            let before = Call::read(calls.last()?)?;
            if !before.is_end || !CALL_OUTS.contains(&before.name) {
                return None;
            }
            calls.push(rest);
            break;
        };
        let (written, after) = rest.split_at_checked(rest.len() - call.after.len())?;
        calls.push(written);
        rest = after.trim_start();
    }
    (calls.len() > 1)
        .then(|| calls.iter().map(|call| format!("{indent}{call}")).collect::<Vec<_>>().join("\n"))
}

/// Returns the name and the column of an indented shortcode at the start of its content.
fn opens(line: &str) -> Option<(&str, usize)> {
    let call = Call::whole(line).filter(|call| indent(line) > 0 && call.is_hugo && !call.is_end)?;
    Some((call.name, indent(line)))
}

/// Indents the content of a shortcode like its beginning, from the first line that is indented less. Since a generator
/// inserts its output there, the content belongs to a list item regardless of its own indentation.
pub(super) fn aligned(text: &str) -> Cow<'_, str> {
    let lines: Vec<&str> = text.lines().collect();
    if !lines.iter().any(|line| opens(line).is_some()) {
        return Cow::Borrowed(text);
    }
    let is_code = code_lines(&lines);
    let mut ends: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, line) in lines.iter().enumerate().rev() {
        if let Some(call) = Call::whole(line).filter(|call| call.is_hugo && call.is_end) {
            ends.entry(call.name).or_default().push(at);
        }
    }
    let outside = next_outside(&lines);
    let mut out = String::with_capacity(text.len());
    // Column of the shortcode around the current line, and the line of its end.
    let mut around: Option<(usize, usize)> = None;
    let mut shift = 0;
    for (at, line) in lines.iter().enumerate() {
        around = around.filter(|(_, end)| at <= *end);
        match around {
            Some((columns, end)) if at < end => {
                if indent(line) < columns && !line.trim().is_empty() {
                    shift = columns;
                }
                push_indented(&mut out, line, shift);
            }
            Some((columns, _)) => push_indented(&mut out, line.trim_start(), columns),
            None => out.push_str(line),
        }
        out.push('\n');
        let opened =
            if around.is_none() && !is_code.get(at).copied().unwrap_or(true) { opens(line) } else { None };
        if let Some((name, columns)) = opened
            && let Some(ends) = ends.get_mut(name)
        {
            ends.truncate(ends.partition_point(|end| *end > at));
            let first_outside = outside.get(at).copied().unwrap_or_default();
            let end = ends.last().filter(|end| first_outside < **end);
            around = end.map(|end| (columns, *end));
            shift = 0;
        }
    }
    Cow::Owned(out)
}

/// Returns for each line the next one that is indented less and not blank, or the number of lines.
fn next_outside(lines: &[&str]) -> Vec<usize> {
    let mut found = vec![lines.len(); lines.len()];
    let mut open: Vec<(usize, usize)> = Vec::new();
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let columns = indent(line);
        while let Some((_, before)) = open.pop_if(|(around, _)| *around > columns) {
            if let Some(next) = found.get_mut(before) {
                *next = at;
            }
        }
        open.push((columns, at));
    }
    found
}

/// Returns the first line, joined with the lines up to the end of its last statement, and the number of lines.
pub(super) fn logical_line(lines: &[&str]) -> (String, usize) {
    let first = lines.first().copied().unwrap_or_default();
    let is_open =
        |text: &str| text.rfind("{%").is_some_and(|open| text.rfind("%}").is_none_or(|end| end < open));
    let mut behind = lines.iter().skip(1).take(MAX_STATEMENT_LINES);
    if !is_open(first) || !behind.any(|line| line.contains("%}")) {
        return (first.to_owned(), 1);
    }
    let mut logical = first.to_owned();
    for (count, line) in (1..).zip(lines.iter().skip(1).take(MAX_STATEMENT_LINES)) {
        if !is_open(&logical) {
            return (logical, count);
        }
        logical.push(' ');
        logical.push_str(line.trim());
    }
    if is_open(&logical) {
        (first.to_owned(), 1)
    } else {
        (logical, lines.len().min(MAX_STATEMENT_LINES + 1))
    }
}

/// Joins the lines of multi-line expressions.
pub(super) fn with_whole_expressions(text: &str) -> Cow<'_, str> {
    let is_open =
        |line: &str| line.rfind("{{").and_then(|at| line.get(at..)).is_some_and(|rest| !rest.contains("}}"));
    let lines: Vec<&str> = text.lines().collect();
    if !lines.iter().any(|line| is_open(line)) {
        return Cow::Borrowed(text);
    }
    let is_code = code_lines(&lines);
    let mut out = String::with_capacity(text.len());
    for (at, line) in lines.iter().enumerate() {
        let next = lines.get(at + 1).copied().unwrap_or_default();
        let ends = next.find("}}").is_some_and(|end| next.find("{{").is_none_or(|begin| end < begin));
        let is_split = is_open(line) && ends && !is_code.get(at).copied().unwrap_or_default();
        out.push_str(if is_split { line.trim_end() } else { line });
        out.push(if is_split { ' ' } else { '\n' });
    }
    Cow::Owned(out)
}
