//! Helpers for XML nodes.

use roxmltree::Node;

/// Returns whether a node is an element of WordprocessingML with this name, in either edition of the standard.
pub(super) fn is_word(node: Node<'_, '_>, name: &str) -> bool {
    node.tag_name().name() == name
        && node
            .tag_name()
            .namespace()
            .is_some_and(|namespace| namespace.contains("wordprocessingml") && namespace.ends_with("/main"))
}

/// Returns whether a node is an element of Office Math Markup Language.
pub(super) fn is_math(node: Node<'_, '_>) -> bool {
    node.tag_name().namespace().is_some_and(|namespace| {
        namespace.ends_with("officeDocument/math") || namespace.ends_with("officeDocument/2006/math")
    })
}

/// Returns an attribute by its local name, since the namespace depends on the writing program.
pub(super) fn attribute<'a>(node: Node<'a, '_>, name: &str) -> Option<&'a str> {
    node.attributes().find(|attribute| attribute.name() == name).map(|attribute| attribute.value())
}

/// Returns the first child element with a name.
pub(super) fn child<'a, 'i>(node: Node<'a, 'i>, name: &str) -> Option<Node<'a, 'i>> {
    node.children().find(|child| child.is_element() && child.tag_name().name() == name)
}

/// Returns the value of a child element: `<w:jc w:val="center"/>`.
pub(super) fn value<'a>(node: Node<'a, '_>, name: &str) -> Option<&'a str> {
    attribute(child(node, name)?, "val")
}

/// Returns the state of a toggle property, which is on if present without a contrary value (17.17.4).
pub(super) fn toggle(node: Node<'_, '_>, name: &str) -> Option<bool> {
    let found = child(node, name)?;
    Some(!matches!(attribute(found, "val"), Some("0" | "false" | "off" | "none")))
}

/// Returns the first element below a node with a name.
pub(super) fn find<'a, 'i>(node: Node<'a, 'i>, name: &str) -> Option<Node<'a, 'i>> {
    node.descendants().find(|inner| inner.is_element() && inner.tag_name().name() == name)
}

/// Returns the alternative of a drawing to read. Newer programs write two versions of the same content, one of them for
/// older programs.
pub(super) fn alternative<'a, 'i>(node: Node<'a, 'i>) -> Option<Node<'a, 'i>> {
    child(node, "Choice").filter(|choice| choice.has_children()).or_else(|| child(node, "Fallback"))
}
