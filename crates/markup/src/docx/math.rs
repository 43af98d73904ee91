//! Equations: Office Math Markup Language → TeX (22.1).

use super::xml::{child, toggle, value};
use crate::limits::docx::MAX_EQUATION_DEPTH;
use crate::tex;
use roxmltree::Node;

/// Returns the equations in a node, each in TeX.
pub(super) fn formulas(node: Node<'_, '_>) -> Vec<String> {
    let formulas: Vec<String> = if node.tag_name().name() == "oMathPara" {
        node.children()
            .filter(|child| child.tag_name().name() == "oMath")
            .map(|formula| children(formula, 0))
            .collect()
    } else {
        vec![element(node, 0)]
    };
    formulas.into_iter().map(|tex| tex.trim().to_owned()).filter(|tex| !tex.is_empty()).collect()
}

fn children(node: Node<'_, '_>, depth: usize) -> String {
    tex::join(node.children().filter(Node::is_element).map(|child| element(child, depth + 1)))
}

fn element(node: Node<'_, '_>, depth: usize) -> String {
    if depth > MAX_EQUATION_DEPTH {
        let words: String =
            node.descendants().filter_map(|inner| inner.text().filter(|_| inner.is_text())).collect();
        return tex::text(&words);
    }
    let name = node.tag_name().name();
    let part = |name: &str| child(node, name).map(|part| children(part, depth)).unwrap_or_default();
    let properties = |name: &str| child(node, name);
    match name {
        "r" => run(node),
        "f" => match properties("fPr").and_then(|fraction| value(fraction, "type")) {
            Some("noBar") => format!("{{{} \\atop {}}}", part("num"), part("den")),
            Some("lin") => format!("{}/{}", part("num"), part("den")),
            _ => tex::fraction(&part("num"), &part("den")),
        },
        "rad" => tex::root(Some(part("deg").as_str()), &part("e")),
        "sSub" => tex::scripts(&part("e"), Some(&part("sub")), None),
        "sSup" => tex::scripts(&part("e"), None, Some(&part("sup"))),
        "sSubSup" => tex::scripts(&part("e"), Some(&part("sub")), Some(&part("sup"))),
        "sPre" => format!("{}{}", tex::scripts("{}", Some(&part("sub")), Some(&part("sup"))), part("e")),
        "nary" => {
            let sign = properties("naryPr").and_then(|nary| value(nary, "chr")).unwrap_or("∫");
            let sign = tex::scripts(&tex::symbols(sign, false), Some(&part("sub")), Some(&part("sup")));
            tex::join([sign, part("e")].into_iter())
        }
        "d" => delimited(node, depth),
        "func" => tex::join([part("fName"), part("e")].into_iter()),
        "acc" => {
            let sign = properties("accPr").and_then(|accent| value(accent, "chr")).unwrap_or("\u{302}");
            tex::over(&part("e"), sign)
        }
        "bar" => match properties("barPr").and_then(|bar| value(bar, "pos")) {
            Some("top") => format!("\\overline{{{}}}", part("e")),
            _ => format!("\\underline{{{}}}", part("e")),
        },
        "groupChr" => match properties("groupChrPr").and_then(|group| value(group, "pos")) {
            Some("top") => format!("\\overbrace{{{}}}", part("e")),
            _ => format!("\\underbrace{{{}}}", part("e")),
        },
        "limLow" => tex::under(&part("e"), &part("lim")),
        "limUpp" => tex::over(&part("e"), &part("lim")),
        "borderBox" => format!("\\boxed{{{}}}", part("e")),
        "phant" => part("e"),
        "m" => tex::matrix(
            rows(node, "mr").map(|row| rows(row, "e").map(|cell| children(cell, depth + 1)).collect()),
        ),
        "eqArr" => {
            let lines: Vec<String> = rows(node, "e").map(|line| children(line, depth)).collect();
            format!("\\begin{{aligned}}{}\\end{{aligned}}", lines.join(" \\\\ "))
        }
        name if name.ends_with("Pr")
            || matches!(name, "bookmarkStart" | "bookmarkEnd" | "del" | "moveFrom") =>
        {
            String::new()
        }
        "t" => tex::symbols(node.text().unwrap_or_default(), false),
        _ => children(node, depth),
    }
}

fn rows<'a, 'i>(node: Node<'a, 'i>, name: &'a str) -> impl Iterator<Item = Node<'a, 'i>> {
    node.children().filter(move |child| child.tag_name().name() == name)
}

/// Returns the TeX of a run: signs, names of functions, or words.
fn run(node: Node<'_, '_>) -> String {
    let text: String = rows(node, "t").filter_map(|text| text.text()).collect();
    let properties = child(node, "rPr");
    if properties.is_some_and(|properties| toggle(properties, "nor") == Some(true)) {
        return tex::text(&text);
    }
    let is_upright = properties.and_then(|properties| value(properties, "sty")) == Some("p");
    let trimmed = text.trim();
    if tex::FUNCTIONS.contains(&trimmed) || (is_upright && trimmed.chars().count() > 1) {
        return tex::symbols(trimmed, true);
    }
    tex::symbols(&text, false)
}

fn delimited(node: Node<'_, '_>, depth: usize) -> String {
    let properties = child(node, "dPr");
    let sign = |name: &str, usual: &'static str| {
        properties.and_then(|properties| value(properties, name)).unwrap_or(usual).to_owned()
    };
    let parts = rows(node, "e").map(|part| children(part, depth));
    let inner = tex::join_with(parts, &sign("sepChr", "|"));
    tex::fenced(&sign("begChr", "("), &sign("endChr", ")"), &inner)
}
