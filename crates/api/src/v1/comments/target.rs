//! Target of a new comment.

use quire_domain::comments::{NodeQuote, TargetNode};
use quire_domain::documents::DocumentJson;
use quire_markup::Document;
use quire_storage::content::comments::CommentedPage;
use quire_storage::content::store::ContentAt;

use super::path::CommentsPath;
use crate::prelude::*;

/// Returns the page of the content with this id.
///
/// # Errors
/// 400 if it does not exist.
pub fn page(
    reader: &mut Reader<'_>,
    content: &Authorized<ContentAt>,
    id: PageId,
) -> ApiResult<CommentedPage> {
    known_page(reader.commented_page(content, id)?)
}

/// Returns the page that was found.
///
/// # Errors
/// 400 if no page was found.
pub fn known_page(found: Option<CommentedPage>) -> ApiResult<CommentedPage> {
    found.ok_or_else(|| unknown("page", "does not exist"))
}

/// Returns the error for a node without its page.
pub fn node_without_page() -> ApiError {
    unknown("node", "requires `page`")
}

/// Returns the error for a quotation without its node.
pub fn quote_without_node() -> ApiError {
    unknown("quote", "requires `node`")
}

/// Node that a new comment names.
#[derive(Clone, Debug)]
pub struct WantedNode {
    /// Key or index path of the node, or anchor of a heading.
    pub key: String,
    /// Words of the node, with their approximate position.
    pub quote: Option<(String, usize)>,
}

/// Node of a new comment, looked up in the page's document before the transaction.
#[derive(Debug)]
pub struct FoundNode {
    document: DocumentId,
    node: Option<TargetNode>,
}

impl FoundNode {
    /// Looks up a node and its quoted words; `None` if the page has no document.
    ///
    /// # Errors
    /// Errors of the comment; 503 if no permit is free in time.
    pub async fn look_up(
        state: &ServerState,
        caller: Credentials,
        path: CommentsPath,
        id: PageId,
        wanted: &WantedNode,
    ) -> ApiResult<Option<Self>> {
        let found = state
            .read(caller, move |reader| {
                let content =
                    reader.content(path.space_id, path.of().into())?.authorize(Action::CommentOnSpace)?;
                let Some(page) = reader.commented_page(&content, id)? else { return Ok(None) };
                Ok(page.document.zip(reader.commented_document(&content, &page)?))
            })
            .await?;
        let Some((document, body)) = found else { return Ok(None) };
        let wanted = wanted.clone();
        state.compute(move |_| Ok(Some(Self { document, node: node_of(&body, wanted)? }))).await
    }
}

/// Returns the node of the comment.
///
/// # Errors
/// 400 if it does not exist, or does not have the quoted words.
pub fn node(
    reader: &mut Reader<'_>,
    content: &Authorized<ContentAt>,
    page: &CommentedPage,
    wanted: &WantedNode,
    found: &Option<FoundNode>,
) -> ApiResult<TargetNode> {
    let found = match found.as_ref().filter(|found| page.document == Some(found.document)) {
        Some(found) => found.node.clone(),
        // The page has changed since the lookup, so its current document is searched.
        None => match reader.commented_document(content, page)? {
            Some(document) => node_of(&document, wanted.clone())?,
            None => None,
        },
    };
    found.ok_or_else(|| unknown("node", "does not exist on the page"))
}

fn node_of(document: &DocumentJson, wanted: WantedNode) -> ApiResult<Option<TargetNode>> {
    let document = quire_content::page_body::stored_document(document)?;
    let WantedNode { key, quote } = wanted;
    let Some(preview) = preview(&document, &key) else { return Ok(None) };
    let quote = quote.map(|(text, near)| quote_of(&document, &key, text, near)).transpose()?;
    Ok(Some(TargetNode { id: key, preview: (!preview.is_empty()).then_some(preview), quote }))
}

/// Finds quoted words in the text of a node.
fn quote_of(document: &Document, key: &str, text: String, near: usize) -> ApiResult<NodeQuote> {
    let node = quire_markup::find_node(document, key);
    let words = node.and_then(|node| quire_markup::node_text(document, &node.path)).unwrap_or_default();
    match quire_revision::find_words(&words, &text, near) {
        Some(at) => Ok(NodeQuote { text, offset: Some(at) }),
        None => Err(unknown("quote.text", "must be in the text of the node")),
    }
}

/// Returns the text of the node; `None` if it does not exist.
fn preview(document: &Document, key: &str) -> Option<String> {
    quire_markup::node_preview(document, key).or_else(|| {
        let known = quire_markup::anchors(document).iter().any(|anchor| anchor == key);
        // A heading inside another block has an anchor, but no section of its own, and so no preview.
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
    fn nodes_are_named_by_path_or_anchor() {
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
