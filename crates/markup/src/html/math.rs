//! Formulas: MathML, and the output of KaTeX, MathJax and generators for TeX.

use super::dom::{Data, Dom, Element, Id};
use super::flow::{Flow, Reader, is_math_script};
use super::scope::Scope;
use crate::document::{Block, BlockKind, InlineKind, InlineNode};
use crate::limits::html::MAX_MATHML_DEPTH;
use crate::tex;

/// A formula in TeX, and whether it is displayed on a line of its own.
struct Formula {
    tex: String,
    display: bool,
}

impl Reader<'_, '_> {
    /// Reads a formula. Returns whether the element is one.
    pub(super) fn math(&mut self, id: Id, element: &Element, flow: &mut Flow, scope: &Scope) -> bool {
        let Some(formula) = self.formula(id, element) else { return false };
        let tex = formula.tex.trim();
        if tex.is_empty() {
            return true;
        }
        self.anchors.words();
        if formula.display && !flow.flat && scope.format.link.is_none() {
            flow.push(Block::void(BlockKind::Math).with("formula", tex));
        } else {
            flow.runs.node(InlineNode::new(InlineKind::InlineMath).with("formula", tex), &scope.format);
        }
        true
    }

    fn formula(&mut self, id: Id, element: &Element) -> Option<Formula> {
        let dom = self.dom;
        let name = element.name();
        if name == "math" {
            let display = element.get("display") == Some("block") || element.get("mode") == Some("display");
            return Some(Formula { tex: of_mathml(dom, id), display });
        }
        if is_math_script(element) {
            let display = element.get("type").is_some_and(|kind| kind.contains("mode=display"));
            return Some(Formula { tex: dom.text(id), display });
        }
        if name == "img" {
            let is_formula =
                element.has_class(&["latex", "tex", "math", "mwe-math-fallback-image-inline", "equation"]);
            let tex = element.get("alt").filter(|alt| is_formula && !alt.is_empty())?;
            return Some(Formula {
                tex: undelimited(tex).map_or(tex, |(tex, _)| tex).to_owned(),
                display: false,
            });
        }
        let is_rendered = matches!(name, "mjx-container")
            || element.has_class(&[
                "katex",
                "katex-display",
                "mwe-math-element",
                "MathJax",
                "MathJax_Display",
                "MathJax_SVG",
                "MathJax_CHTML",
                "MathJax_SVG_Display",
            ]);
        if is_rendered {
            return self.rendered(id, element);
        }
        if element.has_class(&["MathJax_Preview"]) && self.has_script(id) {
            return Some(Formula { tex: String::new(), display: false });
        }
        let is_source = element.has_class(&["math", "arithmatex", "tex2jax_process", "MathJax_Preview"]);
        let is_line = || dom.children(id).iter().all(|child| matches!(dom.data(*child), Some(Data::Text(_))));
        if !is_source || !is_line() {
            return None;
        }
        let text = dom.text(id);
        let (tex, display) = undelimited(text.trim())?;
        Some(Formula { tex: tex.to_owned(), display: display || element.has_class(&["display"]) })
    }

    /// Returns a rendered formula, whose source is within or after the element.
    fn rendered(&mut self, id: Id, element: &Element) -> Option<Formula> {
        let dom = self.dom;
        let display = element.has_class(&["katex-display", "MathJax_Display", "MathJax_SVG_Display"])
            || matches!(element.get("display"), Some("true" | "block"))
            || dom
                .find(id, |inner| inner.name() == "math" && inner.get("display") == Some("block"))
                .is_some();
        if let Some(math) = dom.find(id, |inner| inner.name() == "math") {
            return Some(Formula { tex: of_mathml(dom, math), display });
        }
        // The next script contains the source, so the rendered formula is dropped.
        self.has_script(id).then(|| Formula { tex: String::new(), display: false })
    }

    /// Returns whether a sibling script contains the source of a rendered formula.
    fn has_script(&mut self, id: Id) -> bool {
        let dom = self.dom;
        let mut below = |id: Id| {
            let look = || dom.child_elements(id).any(|(_, element)| is_math_script(element));
            *self.memo.scripts.entry(id).or_insert_with(look)
        };
        let parent = dom.parent(id);
        parent.is_some_and(|parent| below(parent) || dom.parent(parent).is_some_and(below))
    }
}

/// Returns TeX without its delimiters, and whether they mark a displayed formula.
fn undelimited(text: &str) -> Option<(&str, bool)> {
    let pairs = [("\\(", "\\)", false), ("\\[", "\\]", true), ("$$", "$$", true), ("$", "$", false)];
    pairs.iter().find_map(|(open, close, display)| {
        let inner = text.strip_prefix(open)?.strip_suffix(close)?;
        Some((inner.trim(), *display))
    })
}

/// Returns the TeX of MathML: the annotated source if present, otherwise a translation of its elements.
fn of_mathml(dom: &Dom, id: Id) -> String {
    let is_source = |element: &Element| {
        element.name() == "annotation"
            && element.get("encoding").is_some_and(|encoding| encoding.to_ascii_lowercase().contains("tex"))
    };
    if let Some(source) = dom.find(id, is_source) {
        return dom.text(source).trim().to_owned();
    }
    if let Some(alt) = dom.element(id).and_then(|math| math.get("alttext")).filter(|alt| alt.contains('\\')) {
        return alt.to_owned();
    }
    children(dom, id, 0)
}

fn children(dom: &Dom, id: Id, depth: usize) -> String {
    let parts = dom.children(id).iter().map(|child| node(dom, *child, depth + 1));
    tex::join(parts)
}

fn node(dom: &Dom, id: Id, depth: usize) -> String {
    let element = match dom.data(id) {
        Some(Data::Element(element)) => element,
        Some(Data::Text(text)) => return tex::text(text),
        _ => return String::new(),
    };
    if depth > MAX_MATHML_DEPTH {
        return tex::text(&dom.text(id));
    }
    let parts: Vec<Id> = dom.child_elements(id).map(|(id, _)| id).collect();
    let part = |at: usize| parts.get(at).map(|id| node(dom, *id, depth + 1)).unwrap_or_default();
    match element.name() {
        "mi" | "mo" | "mn" => tex::symbols(dom.text(id).trim(), element.name() == "mi"),
        "mtext" | "ms" => tex::text(&dom.text(id)),
        "mfrac" => tex::fraction(&part(0), &part(1)),
        "msqrt" => tex::root(None, &children(dom, id, depth)),
        "mroot" => tex::root(Some(&part(1)), &part(0)),
        "msub" => tex::scripts(&part(0), Some(&part(1)), None),
        "msup" => tex::scripts(&part(0), None, Some(&part(1))),
        "msubsup" | "munderover" => tex::scripts(&part(0), Some(&part(1)), Some(&part(2))),
        "munder" => tex::under(&part(0), &part(1)),
        "mover" => tex::over(&part(0), &part(1)),
        "mtable" => tex::matrix(parts.iter().map(|row| {
            dom.child_elements(*row).map(|(cell, _)| children(dom, cell, depth + 1)).collect::<Vec<_>>()
        })),
        "mfenced" => {
            let inner = tex::join_with(parts.iter().map(|part| node(dom, *part, depth + 1)), ", ");
            tex::fenced(element.get("open").unwrap_or("("), element.get("close").unwrap_or(")"), &inner)
        }
        "mspace" => "\\;".to_owned(),
        "annotation" | "annotation-xml" | "mphantom" => String::new(),
        _ => children(dom, id, depth),
    }
}
