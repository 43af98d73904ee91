//! Tags of a document.

use crate::document::{BlockKind, ContentRef, Document};
use crate::paths;
use serde_json::Value;
use std::collections::BTreeSet;

/// Returns the references to tags in the updates of a document, without duplicates, ordered by tag.
#[must_use]
pub fn tags(document: &Document) -> Vec<ContentRef> {
    let mut found: BTreeSet<(String, Option<String>)> = BTreeSet::new();
    paths::walk(&document.nodes, "", &mut |_, block| {
        if block.kind == BlockKind::Update {
            let tags = block.data.get("tags").and_then(Value::as_array);
            for tag in tags.into_iter().flatten().filter_map(ContentRef::from_value) {
                if let ContentRef::Tag { tag, space } = tag {
                    found.insert((tag, space));
                }
            }
        }
        false
    });
    found.into_iter().map(|(tag, space)| ContentRef::Tag { tag, space }).collect()
}

#[cfg(test)]
mod tests {
    use super::tags;
    use crate::document::ContentRef;
    use crate::markdown::{StableRefs, parse};

    #[test]
    fn tags_of_updates_are_found_once_at_any_depth() {
        let text = "{% tabs %}\n{% tab title=\"A\" %}\n{% updates format=\"full\" %}\n\
            {% update date=\"2026-01-02\" tags=\"new, api\" %}\nOne.\n{% endupdate %}\n\
            {% update date=\"2026-01-01\" tags=\"api\" %}\nTwo.\n{% endupdate %}\n\
            {% update date=\"2025-01-01\" %}\nThree.\n{% endupdate %}\n\
            {% endupdates %}\n{% endtab %}\n{% endtabs %}\n";
        let document = parse(text, &StableRefs);
        let tag = |tag: &str| ContentRef::Tag { tag: tag.to_owned(), space: None };
        assert_eq!(tags(&document), [tag("api"), tag("new")]);
    }
}
