use super::{Format, InlineBuilder, link_node};
use crate::document::{ContentRef, Inline, InlineKind, InlineNode, Mark};
use std::rc::Rc;

/// Returns inline content in short form: marks as `b(…)`, nodes as their kind and content.
fn shown(nodes: &[Inline]) -> String {
    let leaf = |text: &str, marks: &[Mark]| {
        let marks: Vec<_> = marks.iter().map(Mark::name).collect();
        format!("{}({text:?})", marks.join("+"))
    };
    let nodes = nodes.iter().map(|node| match node {
        Inline::Text(text) => {
            text.leaves.iter().map(|l| leaf(&l.text, &l.marks)).collect::<Vec<_>>().join(" ")
        }
        Inline::Node(node) => format!("{:?}[{}]", node.kind, shown(&node.nodes)),
    });
    nodes.collect::<Vec<_>>().join(" ")
}

fn bold() -> Format {
    Format::default().with(Mark::Bold)
}

fn node() -> Rc<InlineNode> {
    Rc::new(link_node(&ContentRef::url("https://example.com"), ""))
}

fn link() -> Format {
    Format { link: Some(node()), ..bold() }
}

#[test]
fn neighbours_with_equal_marks_are_one_leaf() {
    let mut builder = InlineBuilder::default();
    builder.text("a", &bold());
    builder.text("b", &bold());
    builder.text("c", &Format::default());
    assert_eq!(shown(&builder.finish()), r#"bold("ab") ("c")"#);
}

#[test]
fn white_space_has_the_format_of_both_sides() {
    let mut builder = InlineBuilder::default();
    builder.collapsed("\n a \t b ", &link());
    builder.collapsed(" ", &Format::default());
    builder.collapsed("c ", &bold());
    assert_eq!(shown(&builder.finish_line()), r#"Link[bold("a b")] bold(" c")"#);
}

#[test]
fn white_space_at_the_edges_of_lines_is_removed() {
    let mut builder = InlineBuilder::default();
    builder.collapsed("a ", &bold());
    builder.line_break(&bold());
    builder.collapsed(" b", &bold());
    builder.line_break(&bold());
    assert_eq!(shown(&builder.finish_line()), r#"bold("a\nb")"#);
}

#[test]
fn references_to_white_space_do_not_collapse() {
    let mut builder = InlineBuilder::default();
    builder.collapsed_then("a  &#32;&#32;b", &Format::default(), crate::markdown_html::decode);
    assert_eq!(shown(&builder.finish()), r#"("a   b")"#);
}

#[test]
fn links_hold_images_and_the_words_of_other_nodes() {
    let mut builder = InlineBuilder::default();
    let format = link();
    builder.node(InlineNode::new(InlineKind::InlineImage), &format);
    builder.node(InlineNode::new(InlineKind::InlineMath).with("formula", "x"), &format);
    assert_eq!(shown(&builder.finish()), r#"Link[InlineImage[] bold("x")]"#);
}

#[test]
fn an_opened_link_is_added_even_if_it_is_empty() {
    let mut builder = InlineBuilder::default();
    builder.open_link(&node());
    assert_eq!(shown(&builder.finish()), "Link[]");
}

#[test]
fn captured_text_is_not_added() {
    let mut builder = InlineBuilder::default();
    builder.collapsed("a ", &bold());
    builder.settle(&bold());
    builder.capture();
    builder.collapsed("x  y", &bold());
    builder.line_break(&bold());
    assert_eq!(builder.take_captured(), "x y\n");
    assert_eq!(shown(&builder.finish()), r#"bold("a ")"#);
}
