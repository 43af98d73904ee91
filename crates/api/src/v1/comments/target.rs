//! What a new comment is about.

use quire_domain::comments::TargetNode;
use quire_domain::error::{FieldError, Reason};
use quire_domain::ids::PageId;
use quire_markup::Document;
use quire_storage::Tx;
use quire_storage::comments::CommentedPage;
use quire_storage::lookup::{Authorized, ContentAt};

use crate::error::{ApiError, ApiResult};

/// The page of the content with this id.
///
/// # Errors
/// 400 when there is none.
pub fn page(tx: &mut Tx<'_>, content: &Authorized<ContentAt>, id: PageId) -> ApiResult<CommentedPage> {
    tx.commented_page(content, id)?.ok_or_else(|| unknown("page", "there is no such page"))
}

/// The node of the page's document that a key names: a node's own key, its place, or the anchor of a heading.
///
/// # Errors
/// 400 when there is none.
pub fn node(
    tx: &mut Tx<'_>,
    content: &Authorized<ContentAt>,
    page: Option<&CommentedPage>,
    key: String,
) -> ApiResult<TargetNode> {
    let page = page.ok_or_else(|| unknown("node", "needs the page that it is on"))?;
    let missing = || unknown("node", "there is no such node on the page");
    let document = tx.commented_document(content, page)?.ok_or_else(missing)?;
    let document = Document::from_stored(&document).map_err(|errors| {
        ApiError::internal(anyhow::anyhow!("a stored document can't be read in {} places", errors.len()))
    })?;
    let preview = preview(&document, &key).ok_or_else(missing)?;
    Ok(TargetNode { id: key, preview: (!preview.is_empty()).then_some(preview) })
}

/// The words of the node; `None` without such a node.
fn preview(document: &Document, key: &str) -> Option<String> {
    quire_markup::node_preview(document, key).or_else(|| {
        let known = quire_markup::anchors(document).iter().any(|anchor| anchor == key);
        // A heading inside of another block has an anchor, but no section of its own, and so no preview.
        let section = quire_markup::sections(document)
            .into_iter()
            .find(|section| section.anchor.as_deref() == Some(key));
        known.then(|| section.and_then(|section| section.heading).unwrap_or_default())
    })
}

fn unknown(field: &str, message: &str) -> ApiError {
    ApiError::new(Reason::InvalidTarget)
        .with_details(vec![FieldError { field: field.to_owned(), message: message.to_owned() }])
}

#[cfg(test)]
mod tests {
    use quire_markup::StableRefs;

    use super::*;

    #[test]
    fn nodes_are_named_by_place_or_anchor() {
        let document = quire_markup::parse(
            "Intro\n\n## Set up\n\nSome *words*.\n\n> ### Inner\n\n## Set up\n",
            &StableRefs,
        );
        assert_eq!(preview(&document, "0").as_deref(), Some("Intro"));
        assert_eq!(preview(&document, "2").as_deref(), Some("Some words."));
        assert_eq!(preview(&document, "set-up").as_deref(), Some("Set up"));
        assert_eq!(preview(&document, "set-up-1").as_deref(), Some("Set up"));
        assert_eq!(preview(&document, "inner").as_deref(), Some(""));
        for absent in ["", "9", "2.9", "set-up-2", "Intro"] {
            assert_eq!(preview(&document, absent), None, "{absent}");
        }
    }
}
