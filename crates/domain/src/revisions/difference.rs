//! Differences between two versions of a page's document.

use quire_revision::{
    DifferenceSummary, DocumentDifference, NodeChange, NodeDifference, WordChange, WordRun,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_with::{apply, skip_serializing_none};
use utoipa::{IntoParams, ToSchema};
use validator::Validate;

use super::page::is_false;
use crate::ids::{DocumentId, PageId};

/// Difference between two versions of a page's document. Applying it to one version gives the other.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PageDifference {
    /// Id of the page.
    #[schema(value_type = String, format = "uuid")]
    pub page: PageId,
    /// Id of the earlier document. Absent if the page had none, or didn't exist.
    #[schema(value_type = String, required = false)]
    pub before: Option<DocumentId>,
    /// Id of the later document. Absent if the page has none, or doesn't exist any more.
    #[schema(value_type = String, required = false)]
    pub after: Option<DocumentId>,
    /// Numbers of words and blocks that differ.
    pub summary: ChangeSummary,
    /// `true` if some parts differ so much that they count as removed and added as a whole.
    #[serde(default, skip_serializing_if = "is_false")]
    pub coarse: bool,
    /// Blocks of both versions in reading order. A removed block is at its former position. Absent with `format=html`.
    pub blocks: Option<Vec<BlockDifference>>,
    /// The difference as the content of `<article class="document">`, with `<ins>` and `<del>`. Present with
    /// `format=html`.
    pub html: Option<String>,
}

/// Query parameters of the difference of a page.
#[derive(Clone, Copy, Debug, Default, Deserialize, Validate, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct DifferenceQuery {
    /// Format of the difference.
    #[param(inline, default = "json")]
    pub format: DifferenceFormat,
    /// Arrangement of both versions in HTML.
    #[param(inline, default = "inline")]
    pub view: DifferenceArrangement,
}

/// Format of a difference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum DifferenceFormat {
    /// Blocks.
    #[default]
    Json,
    /// HTML.
    Html,
}

/// Arrangement of two versions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum DifferenceArrangement {
    /// One column with what was removed before what was added.
    #[default]
    Inline,
    /// The earlier version at the left, the later one at the right.
    Split,
}

/// Numbers of words and blocks that differ. A table or a listing is one block; other blocks count with those in them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChangeSummary {
    /// Words that only the later version has.
    pub words_added: usize,
    /// Words that only the earlier version has.
    pub words_removed: usize,
    /// Blocks that only the later version has.
    pub blocks_added: usize,
    /// Blocks that only the earlier version has.
    pub blocks_removed: usize,
    /// Blocks whose text or properties differ.
    pub blocks_edited: usize,
    /// Blocks at another position.
    pub blocks_moved: usize,
}

/// Kind of the difference between two versions of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum BlockChange {
    /// Both versions have the node.
    Unchanged,
    /// Only the later version has the node.
    Added,
    /// Only the earlier version has the node.
    Removed,
    /// The node was edited.
    Edited,
    /// The node is elsewhere in the later version. It is listed at both positions: with `before` and with `after`.
    Moved,
}

/// Node of one version or of both: a block, a fragment, or a row or cell of a table.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BlockDifference {
    /// Kind of the difference.
    pub change: BlockChange,
    /// Node of the earlier version, without `nodes` and `fragments` that are listed below. Absent if the version
    /// doesn't have it, and for an unchanged node that is equal to `after`.
    #[schema(value_type = Object, required = false)]
    pub before: Option<Value>,
    /// Node of the later version, without `nodes` and `fragments` that are listed below. Absent if the version doesn't
    /// have it.
    #[schema(value_type = Object, required = false)]
    pub after: Option<Value>,
    /// Members of `data` that differ, and columns that only one version of a table has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attributes: Vec<AttributeDifference>,
    /// Text of both versions of an edited block. Runs with equal marks are joined.
    pub words: Option<Vec<TextDifference>>,
    /// Blocks in both versions of an edited block.
    #[schema(no_recursion)]
    pub nodes: Option<Vec<BlockDifference>>,
    /// Fragments of both versions of an edited block.
    #[schema(no_recursion)]
    pub fragments: Option<Vec<BlockDifference>>,
    /// Rows of both versions of an edited table, whose `nodes` are the cells in the order of the columns.
    #[schema(no_recursion)]
    pub rows: Option<Vec<BlockDifference>>,
}

/// Member of the `data` of a node that differs.
#[apply(Option => #[schema(nullable = false)])]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AttributeDifference {
    /// Name of the member.
    pub name: String,
    /// Value in the earlier version. Absent if the version has none.
    pub before: Option<Value>,
    /// Value in the later version. Absent if the version has none.
    pub after: Option<Value>,
}

/// Kind of the difference of a run of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum TextChange {
    /// Both versions have the text.
    Unchanged,
    /// Only the later version has the text.
    Added,
    /// Only the earlier version has the text.
    Removed,
}

/// Run of text of one version or of both.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TextDifference {
    /// Kind of the difference.
    pub change: TextChange,
    /// Text with its marks and links, as in the `nodes` of a block.
    #[schema(value_type = Vec<Object>)]
    pub nodes: Vec<Value>,
}

impl PageDifference {
    /// Returns the difference of a page between two documents.
    #[must_use]
    pub fn new(
        page: PageId,
        [before, after]: [Option<DocumentId>; 2],
        difference: DocumentDifference,
    ) -> Self {
        let blocks = Some(all(difference.blocks));
        let (summary, coarse) = (difference.summary.into(), difference.is_coarse);
        Self { page, before, after, summary, coarse, blocks, html: None }
    }

    /// Returns the difference as [`Self::new`] does, with its HTML.
    #[must_use]
    pub fn of_html(
        page: PageId,
        [before, after]: [Option<DocumentId>; 2],
        difference: &DocumentDifference,
        html: String,
    ) -> Self {
        let (summary, coarse) = (difference.summary.into(), difference.is_coarse);
        Self { page, before, after, summary, coarse, blocks: None, html: Some(html) }
    }
}

fn all(nodes: Vec<NodeDifference>) -> Vec<BlockDifference> {
    nodes.into_iter().map(BlockDifference::from).collect()
}

impl std::ops::AddAssign for ChangeSummary {
    fn add_assign(&mut self, other: Self) {
        self.words_added += other.words_added;
        self.words_removed += other.words_removed;
        self.blocks_added += other.blocks_added;
        self.blocks_removed += other.blocks_removed;
        self.blocks_edited += other.blocks_edited;
        self.blocks_moved += other.blocks_moved;
    }
}

impl From<DifferenceSummary> for ChangeSummary {
    fn from(summary: DifferenceSummary) -> Self {
        let DifferenceSummary {
            words_added,
            words_removed,
            blocks_added,
            blocks_removed,
            blocks_edited,
            blocks_moved,
        } = summary;
        Self { words_added, words_removed, blocks_added, blocks_removed, blocks_edited, blocks_moved }
    }
}

impl From<NodeDifference> for BlockDifference {
    fn from(difference: NodeDifference) -> Self {
        let NodeDifference { change, before, after, attributes, words, nodes, fragments, rows } = difference;
        let change = match change {
            NodeChange::Unchanged => BlockChange::Unchanged,
            NodeChange::Added => BlockChange::Added,
            NodeChange::Removed => BlockChange::Removed,
            NodeChange::Edited => BlockChange::Edited,
            NodeChange::Moved => BlockChange::Moved,
        };
        let attributes = attributes.into_iter().map(|attribute| AttributeDifference {
            name: attribute.name,
            before: attribute.before,
            after: attribute.after,
        });
        Self {
            change,
            before,
            after,
            attributes: attributes.collect(),
            words: words.map(|runs| runs.into_iter().map(TextDifference::from).collect()),
            nodes: nodes.map(all),
            fragments: fragments.map(all),
            rows: rows.map(all),
        }
    }
}

impl From<WordRun> for TextDifference {
    fn from(WordRun { change, nodes }: WordRun) -> Self {
        let change = match change {
            WordChange::Unchanged => TextChange::Unchanged,
            WordChange::Added => TextChange::Added,
            WordChange::Removed => TextChange::Removed,
        };
        Self { change, nodes }
    }
}
