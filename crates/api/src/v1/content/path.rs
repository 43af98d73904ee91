//! Content that is identified by a path.

use quire_content::computed::{Computed, Expansions, expand};
use quire_revision::Tree;
use quire_storage::content::change_requests::{ChangeRequestKey, ChangeRequestRecord};
use quire_storage::content::store::{ContentAt, ContentHead, NamedChangeRequest};

use crate::prelude::*;
use crate::present::{ContentView, Viewed};

/// Path of content: the current content of a space, a change request or a revision.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ContentPath {
    space_id: SpaceId,
    change_request_id: Option<ChangeRequestKey>,
    revision_id: Option<RevisionId>,
}

impl ContentPath {
    /// Returns the space in the path.
    pub fn space(&self) -> SpaceId {
        self.space_id
    }

    /// Returns the revision in the path.
    pub fn revision(&self) -> Option<RevisionId> {
        self.revision_id
    }

    /// Returns the selector of the content for storage.
    pub fn selector(&self) -> ContentSelector {
        match (self.revision_id, self.change_request_id) {
            (Some(revision), _) => ContentSelector::Revision(revision),
            (None, Some(key)) => ContentSelector::ChangeRequest(key),
            (None, None) => ContentSelector::Space,
        }
    }

    /// Returns the path of the content below `/v1/`.
    pub fn location(&self) -> String {
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

    /// Returns the content with its tree, with computed pages expanded if requested. `expansions` caches them.
    ///
    /// # Errors
    /// 401; 404 if the content does not exist or the caller may not see it.
    pub fn expanded(
        &self,
        reader: &mut Reader<'_>,
        expansions: Option<&Expansions>,
    ) -> ApiResult<(Authorized<ContentAt>, Tree, Arc<Computed>)> {
        let (content, tree) = reader.content_with_tree(self.space_id, self.selector())?;
        let (tree, computed) = match expansions {
            Some(_) => expand(reader, content.specs(), tree, expansions)?,
            None => (tree, Arc::default()),
        };
        Ok((content, tree, computed))
    }

    /// Returns the view that presents the content.
    pub fn view<'a>(&self, state: &'a ServerState, content: &ContentAt, tree: &'a Tree) -> ContentView<'a> {
        let change_request = content.change_request.as_ref().map(ChangeRequestRecord::name);
        ContentView::new(&state.urls, &state.signer, self.viewed(change_request), tree)
            .on_site(content.space.site.as_ref())
    }

    /// Returns the view that presents parts of the content, which do not depend on its site.
    pub fn view_of_head<'a>(
        &self,
        state: &'a ServerState,
        content: &ContentHead,
        tree: &'a Tree,
    ) -> ContentView<'a> {
        ContentView::new(&state.urls, &state.signer, self.viewed(content.change_request), tree)
    }

    /// Returns the kind of content that is presented.
    pub(super) fn viewed(&self, change_request: Option<NamedChangeRequest>) -> Viewed {
        match (self.revision_id, change_request) {
            (Some(revision), _) => Viewed::Revision(self.space_id, revision),
            (None, Some(change_request)) => Viewed::ChangeRequest(self.space_id, change_request.number),
            (None, None) => Viewed::Space(self.space_id),
        }
    }
}
