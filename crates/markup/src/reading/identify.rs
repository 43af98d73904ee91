//! Keys and anchors of nodes.

use serde_json::{Map, Value};

use super::nodes::for_each_node;
use crate::anchors::{AnchorNames, heading_slug, of_headings};
use crate::document::{Block, BlockKind, Children, Document};
use crate::text::plain_block_text;

/// Sets the path of each node without a key as its key, and the anchor of each block that can be linked to as
/// `meta.id`.
///
/// Keys of blocks are as in [`node_keys`](crate::node_keys), anchors of headings as in [`anchors`](crate::anchors).
/// Tabs, expandables and blocks of API descriptions get anchors from their titles, distinct from those of headings.
pub fn identify(document: &mut Document) {
    for_each_node(&mut document.nodes, "", &mut |path, mut node| {
        node.key_mut().get_or_insert_with(|| path.into());
    });
    let mut headings = of_headings(document);
    let mut names = AnchorNames::default();
    for heading in &headings {
        let _ = names.take(heading.clone());
    }
    headings.reverse();
    write_anchors(&mut document.nodes, &mut headings, &mut names);
}

/// Writes anchors in the order of [`of_headings`]: a block, its children, its fragments.
fn write_anchors(blocks: &mut [Block], headings: &mut Vec<String>, names: &mut AnchorNames) {
    for block in blocks {
        let id = if block.heading_rank().is_some() {
            headings.pop()
        } else {
            title(block).map(|title| names.take(title))
        };
        if let Some(id) = id {
            set_anchor(block, id);
        }
        if let Children::Blocks(children) = &mut block.children {
            write_anchors(children, headings, names);
        }
        for fragment in &mut block.fragments {
            write_anchors(&mut fragment.nodes, headings, names);
        }
    }
}

/// Returns the text for the anchor of a block other than a heading; `None` if blocks of its kind are not link targets.
fn title(block: &Block) -> Option<String> {
    let word = |name| block.str(name).unwrap_or_default();
    let title = match block.kind {
        BlockKind::TabsItem | BlockKind::OpenApiSchemas => word("title").to_owned(),
        BlockKind::Expandable => {
            let title = block.fragment("expandable-title");
            title.iter().map(plain_block_text).collect::<Vec<_>>().join(" ")
        }
        BlockKind::Swagger | BlockKind::OpenApiOperation => {
            format!("{} {}", word("method"), word("path").replace('/', " "))
        }
        BlockKind::OpenApiWebhook => word("name").to_owned(),
        _ => return None,
    };
    let slug = heading_slug(&title);
    Some(if slug.is_empty() { block.kind.as_str().to_owned() } else { slug })
}

/// Returns the anchor of a block.
pub(super) fn anchor(block: &Block) -> Option<&str> {
    block.meta.as_ref()?.get("id")?.as_str()
}

/// Sets the anchor of a block.
pub(super) fn set_anchor(block: &mut Block, id: String) {
    block.meta.get_or_insert_with(|| Box::new(Map::new())).insert("id".to_owned(), Value::String(id));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{StableRefs, anchors, node_keys, parse};

    const PAGE: &str = "# One\n\n{% tabs %}\n{% tab title=\"One\" %}\n## Two\n\n## Two\n{% endtab %}\n\n\
        {% tab title=\"Two\" %}\ntext [^1]\n{% endtab %}\n{% endtabs %}\n\n\
        <details><summary>One</summary>\n\n### Three\n\n</details>\n\n[^1]: a note\n";

    fn of_kind<'d>(document: &'d Document, wanted: &dyn Fn(&Block) -> bool) -> Vec<&'d Block> {
        let mut found = Vec::new();
        crate::paths::walk(&document.nodes, "", &mut |_, block| {
            found.extend(wanted(block).then_some(block));
            false
        });
        found
    }

    #[test]
    fn keys_are_those_that_comments_use_and_anchors_those_that_links_use() {
        let stored = parse(PAGE, &StableRefs);
        let mut document = stored.clone();
        identify(&mut document);
        assert_eq!(node_keys(&document), node_keys(&stored));
        assert!(of_kind(&document, &|block| block.key.is_none()).is_empty());
        let headings = of_kind(&document, &|block| block.heading_rank().is_some());
        let ids: Vec<_> = headings.iter().filter_map(|block| anchor(block)).map(str::to_owned).collect();
        assert_eq!(ids, anchors(&stored));
        let others = of_kind(&document, &|block| block.heading_rank().is_none());
        let ids: Vec<_> = others.iter().filter_map(|block| anchor(block)).collect();
        assert_eq!(ids, ["one-1", "two-2", "one-2"]);
    }

    #[test]
    fn the_keys_of_all_nodes_differ_and_own_keys_stay() {
        let mut document = parse(PAGE, &StableRefs);
        document.nodes[0].key = Some("mine".into());
        identify(&mut document);
        let mut keys = Vec::new();
        for_each_node(&mut document.nodes, "", &mut |_, mut node| keys.push(node.key_mut().clone().unwrap()));
        assert_eq!(&*keys[0], "mine");
        let all = keys.len();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), all);
    }
}
