//! Fits words into the available width: table columns grow for their longest word, and words that are still too wide
//! get break opportunities.

use serde_json::{Value, json};

use super::text::{Type, wrapped};

/// Width of the text of a page in points: A4 without its margins.
pub const PAGE: f64 = 464.0;
/// Size of running text in points.
pub const BODY: f64 = 10.5;
/// Size of code.
const CODE: f64 = 8.5;
/// Largest share of a table's width that one column may claim.
const LARGEST_SHARE: f64 = 0.4;
/// Minimum width for a word, however narrow its column.
const LEAST_ROOM: f64 = 8.0;

/// Fits blocks into a width, with text of this size.
pub fn blocks(nodes: &mut Value, room: f64, size: f64) {
    for node in nodes.as_array_mut().into_iter().flatten() {
        block(node, room.max(LEAST_ROOM), size);
    }
}

fn block(node: &mut Value, room: f64, size: f64) {
    let kind = node.get("k").and_then(Value::as_str).unwrap_or_default().to_owned();
    let mut inner = |name: &str, room: f64, size: f64| {
        if let Some(nodes) = node.get_mut(name) {
            blocks(nodes, room, size);
        }
    };
    match kind.as_str() {
        "quote" | "titled" => inner("c", room - 12.0, size),
        "hint" => inner("c", room - 20.0, size),
        "list" | "enum" | "columns" | "tasks" => {
            let widths = node.get("widths").cloned().unwrap_or_default();
            let widths: Vec<f64> =
                widths.as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
            let total: f64 = widths.iter().sum();
            for (index, item) in items(node, "items").enumerate() {
                let room = match widths.get(index) {
                    Some(width) => (room - 14.0 * count(widths.len())) * width / total + 14.0,
                    None => room - 20.0,
                };
                // Items of task lists have their blocks in the field `c`.
                let content = if item.is_array() { Some(item) } else { item.get_mut("c") };
                if let Some(content) = content {
                    blocks(content, room, size);
                }
            }
        }
        "cards" => {
            let columns = node.get("columns").and_then(Value::as_f64).unwrap_or(1.0);
            let room = (room - 10.0 * (columns - 1.0)) / columns - 16.0;
            items(node, "cards").for_each(|card| blocks(card, room, size));
        }
        "table" => return table(node, room),
        "code" => {
            let kind = Type { size: CODE, is_bold: false, is_code: true };
            text_of(node, "s", kind, room - 18.0);
        }
        _ => {}
    }
    let size = match (kind.as_str(), node.get("rank").and_then(Value::as_u64)) {
        ("heading", Some(1)) => 15.0,
        ("heading", Some(2)) => 12.5,
        ("heading", _) => 11.0,
        _ => size,
    };
    let is_bold = kind == "heading";
    let boxed = matches!(kind.as_str(), "missing" | "reference");
    let room = if boxed { room - 16.0 } else { room };
    for name in ["title", "caption"] {
        runs(node.get_mut(name), room, size, is_bold || name == "title");
    }
    if matches!(kind.as_str(), "paragraph" | "heading" | "missing" | "reference") {
        runs(node.get_mut("c"), room, size, is_bold);
    }
}

/// Fits runs of text. A code title is a plain text.
fn runs(nodes: Option<&mut Value>, room: f64, size: f64, is_bold: bool) {
    let Some(nodes) = nodes else { return };
    if let Some(text) = nodes.as_str() {
        *nodes = wrapped(text, Type { size, is_bold, is_code: false }, room).into();
        return;
    }
    for node in nodes.as_array_mut().into_iter().flatten() {
        let is = |name: &str| node.get(name).and_then(Value::as_bool).unwrap_or(false);
        let (bold, code) = (is_bold || is("bold"), is("code"));
        text_of(node, "s", Type { size: if code { CODE } else { size }, is_bold: bold, is_code: code }, room);
        runs(node.get_mut("c"), room, size, is_bold);
        if let Some(body) = node.get_mut("body") {
            blocks(body, PAGE - 12.0, BODY);
        }
    }
}

fn text_of(node: &mut Value, name: &str, kind: Type, room: f64) {
    if let Some(text) = node.get_mut(name)
        && let Some(own) = text.as_str()
    {
        *text = wrapped(own, kind, room).into();
    }
}

/// Fits a table. With many columns, text and padding are smaller.
fn table(node: &mut Value, room: f64) {
    let mut widths: Vec<f64> = node
        .get("widths")
        .and_then(Value::as_array)
        .map(|widths| widths.iter().filter_map(Value::as_f64).collect())
        .unwrap_or_default();
    let (size, inset) = match widths.len() {
        ..=6 => (9.5, 6.0),
        7..=9 => (8.5, 4.0),
        10..=14 => (7.0, 3.0),
        _ => (6.0, 2.0),
    };
    let columns = widths.len().max(1);
    let mut needs = vec![0.0_f64; columns];
    for (index, title) in items(node, "header").enumerate() {
        let kind = Type { size, is_bold: true, is_code: false };
        if let (Some(need), Some(title)) = (needs.get_mut(index), title.as_str()) {
            *need = need.max(kind.longest_word(title));
        }
    }
    for (index, cell) in items(node, "cells").enumerate() {
        if let Some(need) = needs.get_mut(index % columns) {
            *need = need.max(longest_word(cell, size));
        }
    }
    needs.iter_mut().for_each(|need| *need = need.min(room * LARGEST_SHARE) + 2.0 * inset + 1.0);
    share(&mut widths, &needs, room);
    for (index, title) in items(node, "header").enumerate() {
        let room = widths.get(index).copied().unwrap_or_default() - 2.0 * inset;
        runs(Some(title), room.max(LEAST_ROOM), size, true);
    }
    for (index, cell) in items(node, "cells").enumerate() {
        let room = widths.get(index % columns).copied().unwrap_or_default() - 2.0 * inset;
        blocks(cell, room, size);
    }
    if let Some(fields) = node.as_object_mut() {
        fields.insert("widths".to_owned(), json!(widths));
        fields.insert("size".to_owned(), json!(size));
        fields.insert("inset".to_owned(), json!(inset));
    }
}

/// Distributes a width among columns in proportion to `widths`. Each column gets at least what it needs, if there is
/// room for all.
fn share(widths: &mut [f64], needs: &[f64], room: f64) {
    let needed: f64 = needs.iter().sum();
    if needed >= room {
        widths.iter_mut().zip(needs).for_each(|(width, need)| *width = need * room / needed);
        return;
    }
    let wanted = widths.to_vec();
    let mut is_fixed = vec![false; widths.len()];
    // Each round fixes at least one column, or is the last.
    for _ in 0..=widths.len() {
        let columns = || wanted.iter().zip(needs).zip(&is_fixed);
        let taken: f64 = columns().filter(|(_, fixed)| **fixed).map(|((_, need), _)| need).sum();
        let total: f64 = columns().filter(|(_, fixed)| !**fixed).map(|((wanted, _), _)| wanted).sum();
        let scale = (room - taken) / total.max(1.0);
        let mut changed = false;
        for (((width, wanted), need), fixed) in widths.iter_mut().zip(&wanted).zip(needs).zip(&mut is_fixed) {
            let share = wanted * scale;
            changed |= !*fixed && share < *need;
            *fixed |= share < *need;
            *width = if *fixed { *need } else { share };
        }
        if !changed {
            break;
        }
    }
}

/// Returns the width of the longest word of a cell. The content of boxes counts as text.
fn longest_word(node: &Value, size: f64) -> f64 {
    match node {
        Value::Array(nodes) => nodes.iter().map(|node| longest_word(node, size)).fold(0.0, f64::max),
        Value::Object(fields) => {
            let is = |name: &str| fields.get(name).and_then(Value::as_bool).unwrap_or(false);
            let kind =
                Type { size: if is("code") { CODE } else { size }, is_bold: is("bold"), is_code: is("code") };
            let own = fields.get("s").and_then(Value::as_str).map_or(0.0, |text| kind.longest_word(text));
            let inner = ["c", "items", "cells", "title"].iter().filter_map(|name| fields.get(*name));
            inner.map(|nodes| longest_word(nodes, size)).fold(own, f64::max)
        }
        _ => 0.0,
    }
}

fn items<'v>(node: &'v mut Value, name: &str) -> impl Iterator<Item = &'v mut Value> {
    node.get_mut(name).and_then(Value::as_array_mut).into_iter().flatten()
}

fn count(columns: usize) -> f64 {
    u32::try_from(columns).map_or(1.0, f64::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_grow_for_their_longest_word() {
        let mut widths = [100.0, 100.0, 100.0];
        share(&mut widths, &[20.0, 200.0, 20.0], 300.0);
        assert_eq!(widths, [50.0, 200.0, 50.0]);
        let mut widths = [100.0, 300.0];
        share(&mut widths, &[10.0, 10.0], 200.0);
        assert_eq!(widths, [50.0, 150.0]);
        let mut widths = [100.0, 100.0];
        share(&mut widths, &[300.0, 100.0], 200.0);
        assert_eq!(widths, [150.0, 50.0]);
    }

    #[test]
    fn words_fit_their_columns() {
        let cell = |text: &str| json!([{"k": "paragraph", "c": [{"k": "text", "s": text, "code": true}]}]);
        let mut nodes = json!([{"k": "table", "widths": vec![150.0; 5], "header": ["A", "B", "C", "D", "E"],
            "cells": [cell("x"), cell(&"LONG_NAME_".repeat(20)), cell("x"), cell("x"), cell("x")]}]);
        blocks(&mut nodes, PAGE, BODY);
        let total: f64 = nodes[0]["widths"].as_array().unwrap().iter().filter_map(Value::as_f64).sum();
        assert!((total - PAGE).abs() < 0.1, "{nodes}");
        assert!(nodes[0]["cells"][1][0]["c"][0]["s"].as_str().unwrap().contains('\u{200b}'), "{nodes}");
    }
}
