//! Inclusion of reusable content in place of its references.

use std::collections::{BTreeSet, HashMap};
use std::hash::BuildHasher;
use std::mem;

use super::identify::{anchor, set_anchor};
use super::nodes::{Node, for_each_node};
use crate::anchors::AnchorNames;
use crate::document::{Block, BlockKind, Children, ContentRef, Document, Inline, MAX_NODES};

/// Maximum depth of inclusions of reusable content within reusable content.
pub const MAX_INCLUSION_DEPTH: usize = 4;

/// Reusable content that documents can include.
#[derive(Debug, Clone)]
pub struct Included {
    document: Document,
    nodes: usize,
}

impl Included {
    /// Wraps a document to include, and counts its nodes.
    #[must_use]
    pub fn new(document: Document) -> Self {
        Self { nodes: document.node_count(), document }
    }

    /// Returns the document.
    #[must_use]
    pub fn document(&self) -> &Document {
        &self.document
    }
}

/// Returns the ids of the reusable contents in its own space that a document refers to.
#[must_use]
pub fn reusable_contents(document: &Document) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    collect(&document.nodes, &mut found);
    found
}

fn collect(blocks: &[Block], found: &mut BTreeSet<String>) {
    for block in blocks {
        found.extend(reference(block));
        collect(block.child_blocks(), found);
        collect_notes(block.child_inlines(), found);
        block.fragments.iter().for_each(|fragment| collect(&fragment.nodes, found));
    }
}

fn collect_notes(inlines: &[Inline], found: &mut BTreeSet<String>) {
    for inline in inlines {
        if let Inline::Node(node) = inline {
            collect_notes(&node.nodes, found);
            node.fragments.iter().for_each(|note| collect(&note.nodes, found));
        }
    }
}

fn reference(block: &Block) -> Option<String> {
    match block.reference() {
        Some(ContentRef::ReusableContent { reusable_content, space: None })
            if block.kind == BlockKind::ReusableContent =>
        {
            Some(reusable_content)
        }
        _ => None,
    }
}

/// Replaces references to reusable content with its blocks, to a depth of [`MAX_INCLUSION_DEPTH`].
///
/// So that content can be included more than once, keys of included nodes are prefixed with the key of the replaced
/// block, and anchors that the document already has get a number. A reference is kept if `contents` lacks its target,
/// if the target includes itself, or if more than [`MAX_NODES`] nodes would be included in total.
pub fn include<S: BuildHasher>(document: &mut Document, contents: &HashMap<String, Included, S>) {
    let mut anchors = AnchorNames::default();
    for_each_node(&mut document.nodes, "", &mut |_, node| {
        if let Node::Block(block) = node
            && let Some(id) = anchor(block)
        {
            let _ = anchors.take(id.to_owned());
        }
    });
    let find = |id: &str| contents.get(id);
    Inclusion { find: &find, remaining: MAX_NODES, open: Vec::new(), anchors }.blocks(&mut document.nodes);
}

struct Inclusion<'c> {
    find: &'c dyn Fn(&str) -> Option<&'c Included>,
    /// Number of nodes that may still be included.
    remaining: usize,
    /// Contents on the path of inclusions, the outermost first.
    open: Vec<String>,
    /// Anchors of the document so far.
    anchors: AnchorNames,
}

impl Inclusion<'_> {
    fn blocks(&mut self, blocks: &mut Vec<Block>) {
        if !blocks.iter().any(|block| block.kind == BlockKind::ReusableContent) {
            blocks.iter_mut().for_each(|block| self.inside(block));
            return;
        }
        for mut block in mem::take(blocks) {
            if let Some(mut included) = self.included(&block) {
                blocks.append(&mut included);
            } else {
                self.inside(&mut block);
                blocks.push(block);
            }
        }
    }

    /// Returns the blocks that a block refers to; `None` if they can't be included.
    fn included(&mut self, block: &Block) -> Option<Vec<Block>> {
        let id = reference(block)?;
        let content = (self.find)(&id)?;
        let fits = self.open.len() < MAX_INCLUSION_DEPTH && content.nodes <= self.remaining;
        if !fits || self.open.contains(&id) {
            return None;
        }
        self.remaining -= content.nodes;
        let mut nodes = content.document.nodes.clone();
        let prefix = block.key.as_deref().unwrap_or(&id);
        for_each_node(&mut nodes, "", &mut |_, mut node| {
            if let Some(key) = node.key_mut() {
                *key = format!("{prefix}.{key}").into();
            }
            if let Node::Block(block) = node
                && let Some(id) = anchor(block).map(str::to_owned)
            {
                set_anchor(block, self.anchors.take(id));
            }
        });
        self.open.push(id);
        self.blocks(&mut nodes);
        self.open.pop();
        Some(nodes)
    }

    fn inside(&mut self, block: &mut Block) {
        match &mut block.children {
            Children::Void => {}
            Children::Blocks(children) => self.blocks(children),
            Children::Inlines(inlines) => self.notes(inlines),
        }
        (&mut block.fragments).into_iter().for_each(|fragment| self.blocks(&mut fragment.nodes));
    }

    fn notes(&mut self, inlines: &mut [Inline]) {
        for inline in inlines {
            if let Inline::Node(node) = inline {
                self.notes(&mut node.nodes);
                (&mut node.fragments).into_iter().for_each(|note| self.blocks(&mut note.nodes));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::identify;
    use crate::{StableRefs, anchors, parse, plain_text};

    fn refer(ids: &[&str]) -> Document {
        let reference = |id: &&str| {
            let target = ContentRef::ReusableContent { reusable_content: (*id).to_owned(), space: None };
            Block::void(BlockKind::ReusableContent).with("ref", target.to_value())
        };
        Document::new(ids.iter().map(reference).collect())
    }

    fn contents(list: &[(&str, Document)]) -> HashMap<String, Included> {
        let read = |(id, document): &(&str, Document)| {
            let mut document = document.clone();
            identify(&mut document);
            ((*id).to_owned(), Included::new(document))
        };
        list.iter().map(read).collect()
    }

    fn words(document: &Document) -> String {
        plain_text(document).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn content_that_is_included_twice_has_different_keys_and_anchors() {
        let part = parse("# Title\n\ntext", &StableRefs);
        let mut document = parse("# Title", &StableRefs);
        document.nodes.extend(refer(&["a", "a"]).nodes);
        identify(&mut document);
        assert_eq!(reusable_contents(&document), BTreeSet::from(["a".to_owned()]));
        include(&mut document, &contents(&[("a", part)]));
        assert_eq!(words(&document), "Title Title text Title text");
        let (mut keys, mut ids) = (Vec::new(), Vec::new());
        for_each_node(&mut document.nodes, "", &mut |_, mut node| {
            keys.extend(node.key_mut().clone());
            if let Node::Block(block) = node {
                ids.extend(anchor(block).map(str::to_owned));
            }
        });
        assert_eq!(ids, ["title", "title-1", "title-2"]);
        assert_eq!(ids, anchors(&document));
        let all = keys.len();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!((keys.len(), all > 9), (all, true));
    }

    #[test]
    fn what_cannot_be_included_stays_a_reference() {
        let mut with_itself = parse("a", &StableRefs);
        with_itself.nodes.extend(refer(&["a"]).nodes);
        let mut chain = vec![("a", with_itself)];
        chain.extend([
            ("0", refer(&["1"])),
            ("1", refer(&["2"])),
            ("2", refer(&["3"])),
            ("3", refer(&["4"])),
        ]);
        chain.push(("4", parse("deepest", &StableRefs)));
        let known = contents(&chain);
        for (id, text, left) in
            [("a", "a", "a"), ("0", "", "4"), ("1", "deepest", ""), ("unknown", "", "unknown")]
        {
            let mut document = refer(&[id]);
            include(&mut document, &known);
            let references: Vec<_> = reusable_contents(&document).into_iter().collect();
            assert_eq!((words(&document).as_str(), references.join(" ").as_str()), (text, left), "{id}");
        }
    }

    #[test]
    fn included_nodes_are_bounded() {
        let large = Document::new(vec![Block::paragraph(Vec::new()); MAX_NODES / 2]);
        let mut document = refer(&["large", "large", "large"]);
        include(&mut document, &contents(&[("large", large)]));
        assert_eq!(document.nodes.len(), MAX_NODES / 2 * 2 + 1);
    }
}
