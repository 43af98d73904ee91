//! Which content a path means.

use std::sync::Arc;

use quire_content::computed::{Computed, Expansions, expand};
use quire_domain::ids::{RevisionId, SpaceId};
use quire_domain::policy::Action;
use quire_revision::Tree;
use quire_storage::lookup::{Authorized, ChangeRequestKey, ContentAt, ContentSelector};
use quire_storage::{Reader, Result};
use serde::Deserialize;

use crate::error::ApiResult;
use crate::present::ContentView;
use crate::state::ServerState;

/// The content that a path means: the current one of its space, unless it goes on with a change request or a revision.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ContentPath {
    space_id: SpaceId,
    change_request_id: Option<ChangeRequestKey>,
    revision_id: Option<RevisionId>,
}

impl ContentPath {
    /// The revision that the path names.
    pub fn revision(&self) -> Option<RevisionId> {
        self.revision_id
    }

    /// What storage looks the content up by.
    pub fn selector(&self) -> ContentSelector {
        match (self.revision_id, self.change_request_id) {
            (Some(revision), _) => ContentSelector::Revision(revision),
            (None, Some(key)) => ContentSelector::ChangeRequest(key),
            (None, None) => ContentSelector::Space,
        }
    }

    /// Where the content is, below `/v1/`.
    pub fn path(&self) -> String {
        let space = self.space_id;
        match self.selector() {
            ContentSelector::Space => format!("spaces/{space}/content"),
            ContentSelector::ChangeRequest(ChangeRequestKey::Id(id)) => {
                format!("spaces/{space}/change-requests/{id}/content")
            }
            ContentSelector::ChangeRequest(ChangeRequestKey::Number(number)) => {
                format!("spaces/{space}/change-requests/{number}/content")
            }
            ContentSelector::Revision(id) => format!("spaces/{space}/revisions/{id}"),
        }
    }

    /// The content, for somebody who may read it.
    ///
    /// # Errors
    /// 401; 404 when there is none or the caller may not see it.
    pub fn content(&self, reader: &mut Reader<'_>) -> Result<Authorized<ContentAt>> {
        reader.content(self.space_id, self.selector())?.authorize(Action::ViewSpace)
    }

    /// The content, for somebody who may edit it.
    ///
    /// # Errors
    /// As [`ContentPath::content`]; 403 when the caller may only see it.
    pub fn content_to_edit(&self, reader: &mut Reader<'_>) -> Result<Authorized<ContentAt>> {
        reader.content(self.space_id, self.selector())?.authorize(Action::EditContent)
    }

    /// The content, for somebody who may edit it and would bring much along: what [`quire_storage::Tx::lock_for_edit`] would refuse in the
    /// end is refused before it is taken in.
    ///
    /// # Errors
    /// As [`ContentPath::content_to_edit`]; 409 when the space is locked, or the change request merged or archived.
    pub fn content_to_fill(&self, reader: &mut Reader<'_>) -> Result<Authorized<ContentAt>> {
        let content = self.content_to_edit(reader)?;
        content.require_editable()?;
        Ok(content)
    }

    /// The content with its tree.
    ///
    /// # Errors
    /// As [`ContentPath::content`].
    pub fn content_and_tree(&self, reader: &mut Reader<'_>) -> Result<(Authorized<ContentAt>, Tree)> {
        let content = self.content(reader)?;
        let tree = reader.tree(&content)?;
        Ok((content, tree))
    }

    /// The content with its tree, in which computed pages stand if they are asked for: then with those of earlier requests.
    ///
    /// # Errors
    /// As [`ContentPath::content`].
    pub fn content_and_pages(
        &self,
        reader: &mut Reader<'_>,
        expansions: Option<&Expansions>,
    ) -> ApiResult<(Authorized<ContentAt>, Tree, Arc<Computed>)> {
        let (content, tree) = self.content_and_tree(reader)?;
        let (tree, computed) = match expansions {
            Some(_) => expand(reader, content.specs(), tree, expansions)?,
            None => (tree, Arc::default()),
        };
        Ok((content, tree, computed))
    }

    /// How the content is presented.
    pub fn view<'a>(&self, state: &'a ServerState, content: &ContentAt, tree: &'a Tree) -> ContentView<'a> {
        ContentView::new(&state.urls, &state.signer, self.selector(), content, tree)
    }
}
