//! XML nodes of SAML documents.

use roxmltree::Node;

/// Namespace of signatures.
pub(super) const DSIG: &str = "http://www.w3.org/2000/09/xmldsig#";
/// Namespace of encrypted data.
pub(super) const XENC: &str = "http://www.w3.org/2001/04/xmlenc#";

/// Returns the only item; `None` unless there is exactly one.
pub(super) fn only<T>(mut items: impl Iterator<Item = T>) -> Option<T> {
    let first = items.next();
    if items.next().is_some() { None } else { first }
}

/// Returns the child elements with a name.
pub(super) fn children<'a, 'input>(
    parent: Node<'a, 'input>,
    namespace: &'static str,
    name: &'static str,
) -> impl Iterator<Item = Node<'a, 'input>> {
    parent.children().filter(move |node| node.has_tag_name((namespace, name)))
}
