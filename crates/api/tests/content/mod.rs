//! Content for tests, written past the API.

use quire_domain::ids::{PageId, SpaceId};
use quire_domain::policy::Action;
use quire_domain::revisions::RevisionType;
use quire_markup::StableRefs;
use quire_revision::{PageKind, PageNode, Tree};
use quire_storage::Error;
use quire_storage::content::{Commit, NewDocument};
use quire_storage::lookup::{ContentSelector, Credentials};
use quire_test_support::{Caller, TestApp};

/// A tree on its way to the next revision.
pub struct Draft {
    pub tree: Tree,
    documents: Vec<NewDocument>,
}

impl Draft {
    /// Adds a page at the end of the top level.
    pub fn add(&mut self, title: &str, markdown: &str) -> PageId {
        let id = PageId::from_uuid(uuid::Uuid::now_v7());
        let slug = self.tree.free_slug(None, &quire_markup::slugify(title));
        let position = self.tree.position_at(None, None, None);
        let page = PageNode::new(id, None, position, PageKind::Document, title, slug);
        self.tree.insert_page(page).unwrap();
        self.write(id, markdown);
        id
    }

    /// Gives a page another document.
    pub fn write(&mut self, id: PageId, markdown: &str) {
        let document = NewDocument::new(quire_markup::parse(markdown, &StableRefs).to_json());
        self.change(id, |page| page.document = Some(document.id));
        self.documents.push(document);
    }

    /// Changes a page.
    pub fn change(&mut self, id: PageId, change: impl FnOnce(&mut PageNode)) {
        let mut page = self.tree.page(id).unwrap().clone();
        change(&mut page);
        self.tree.update_page(page).unwrap();
    }
}

/// Commits an edit of a space's main content, or of the change request that a path would name so.
pub fn try_edit<T>(
    app: &TestApp,
    caller: &Caller,
    space: &str,
    change_request: Option<&str>,
    edit: impl FnOnce(&mut Draft) -> T,
) -> Result<T, Error> {
    let space: SpaceId = space.parse().unwrap();
    let selector = match change_request {
        None => ContentSelector::Space,
        Some(key) => ContentSelector::ChangeRequest(key.parse().unwrap()),
    };
    app.state.storage.transact(&Credentials::from_token(caller.token()).unwrap(), |tx| {
        let content = tx.content(space, selector)?.authorize(Action::EditContent)?;
        let head = tx.lock_for_edit(&content)?;
        let mut draft = Draft { tree: head.tree.clone(), documents: Vec::new() };
        let done = edit(&mut draft);
        let commit = Commit {
            kind: RevisionType::Edits,
            other_parent: None,
            merged_from: None,
            tree: &draft.tree,
            documents: &draft.documents,
        };
        tx.commit(&head, &commit)?;
        Ok(done)
    })
}

/// Commits an edit that must be possible.
pub fn edit<T>(
    app: &TestApp,
    caller: &Caller,
    space: &str,
    change_request: Option<&str>,
    edit: impl FnOnce(&mut Draft) -> T,
) -> T {
    try_edit(app, caller, space, change_request, edit).unwrap()
}
