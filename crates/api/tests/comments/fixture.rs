//! A space with a change request, and both their comments.

use diesel::connection::SimpleConnection as _;
use quire_domain::Role;
use quire_domain::clock::IdGenerator as _;
use quire_domain::ids::{PageId, SpaceId};
use quire_domain::policy::Action;
use quire_domain::revisions::RevisionType;
use quire_markup::StableRefs;
use quire_revision::{PageKind, PageNode, Tree};
use quire_storage::Error;
use quire_storage::content::{Commit, NewDocument};
use quire_storage::lookup::{ChangeRequestKey, ContentSelector, Credentials};
use quire_test_support::{Caller, TestApp};
use serde_json::{Value, json};

pub struct Fixture {
    pub app: TestApp,
    pub space: String,
    pub admin: Caller,
    /// The change request's id.
    pub change_request: String,
    /// The paths to the comments of the space and of the change request.
    pub places: [String; 2],
}

impl Fixture {
    pub async fn new() -> Self {
        let app = TestApp::start().await;
        let (space, admin) = app.space().await;
        let made = admin.post(&format!("/v1/spaces/{space}/change-requests"), json!({})).await.expect(201);
        let change_request = made.text("/id");
        let places = [
            format!("/v1/spaces/{space}/comments"),
            format!("/v1/spaces/{space}/change-requests/{change_request}/comments"),
        ];
        Self { app, space, admin, change_request, places }
    }

    pub fn of_space(&self) -> &str {
        &self.places[0]
    }

    pub fn of_change_request(&self) -> &str {
        &self.places[1]
    }

    /// A member with this role on the space.
    pub fn role(&self, role: Role) -> Caller {
        self.app.on_space(&self.space, Some(role))
    }

    /// The open comments that the space and the change request show.
    pub async fn open(&self) -> (u64, u64) {
        let space = self.admin.get(&format!("/v1/spaces/{}", self.space)).await.expect(200);
        let path = format!("/v1/spaces/{}/change-requests/{}", self.space, self.change_request);
        let change_request = self.admin.get(&path).await.expect(200);
        (space.at("/comments").as_u64().unwrap(), change_request.at("/comments").as_u64().unwrap())
    }

    /// Does what has no endpoint.
    pub fn execute(&self, statement: &str) {
        self.app.connection().batch_execute(statement).expect("the statement fits the schema");
    }

    /// Edits the main content.
    pub fn edit<T>(&self, edit: impl FnOnce(&mut Draft) -> T) -> T {
        self.edit_content(ContentSelector::Space, edit)
    }

    /// Edits the change request's content.
    pub fn edit_change_request<T>(&self, edit: impl FnOnce(&mut Draft) -> T) -> T {
        let key = ChangeRequestKey::Id(self.change_request.parse().unwrap());
        self.edit_content(ContentSelector::ChangeRequest(key), edit)
    }

    fn edit_content<T>(&self, selector: ContentSelector, edit: impl FnOnce(&mut Draft) -> T) -> T {
        let space: SpaceId = self.space.parse().unwrap();
        let credentials = Credentials::from_token(self.admin.token()).unwrap();
        let edited = self.app.state.storage.transact(&credentials, |tx| {
            let content = tx.content(space, selector)?.authorize(Action::EditContent)?;
            let head = tx.lock_for_edit(&content)?;
            let mut draft = Draft { tree: head.tree.clone(), documents: Vec::new() };
            let result = edit(&mut draft);
            let Draft { tree, documents } = &draft;
            let commit =
                Commit { kind: RevisionType::Edits, other_parent: None, merged_from: None, tree, documents };
            tx.commit(&head, &commit)?;
            Ok::<_, Error>(result)
        });
        edited.expect("the edit fits the content")
    }
}

/// Content in the middle of an edit.
pub struct Draft {
    pub tree: Tree,
    documents: Vec<NewDocument>,
}

impl Draft {
    pub fn add(&mut self, title: &str, markdown: &str) -> PageId {
        let id = PageId::from_uuid(quire_test_support::TestIds.uuid());
        let position = self.tree.position_at(None, None, None);
        let slug = quire_markup::slugify(title);
        self.tree
            .insert_page(PageNode::new(id, None, position, PageKind::Document, title, slug))
            .expect("the page is new");
        self.write(id, markdown);
        id
    }

    pub fn write(&mut self, id: PageId, markdown: &str) {
        let document = NewDocument::new(quire_markup::parse(markdown, &StableRefs).to_json());
        self.change(id, |page| page.document = Some(document.id));
        self.documents.push(document);
    }

    pub fn change(&mut self, id: PageId, change: impl FnOnce(&mut PageNode)) {
        let mut page = self.tree.page(id).expect("the page is there").clone();
        change(&mut page);
        self.tree.update_page(page).expect("the page can be so");
    }
}

/// A body with this Markdown.
pub fn markdown(text: &str) -> Value {
    json!({"body": {"markdown": text}})
}
