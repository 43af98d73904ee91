//! Heads of content move only by compare-and-set, and merges follow heads that moved.

use diesel::prelude::*;
use diesel::{dsl, sql_types::BigInt};
use quire_domain::Role;
use quire_domain::error::Reason;
use quire_domain::ids::{ChangeRequestId, PageId, RevisionId, SpaceId};
use quire_domain::policy::Action;
use quire_domain::revisions::RevisionType;
use quire_storage::content::change_requests::{ChangeRequestKey, Choice, MergeReport, PreparedMerge};
use quire_storage::content::store::{Amending, Commit, ContentSelector};
use quire_storage::{Error, Result};
use quire_test_support::{ContentEditor, TestStore, TestUser};

const MAIN: ContentSelector = ContentSelector::Space;

struct Fixture {
    store: TestStore,
    admin: TestUser,
    space: SpaceId,
}

impl Fixture {
    fn new() -> Self {
        let store = TestStore::new();
        let admin = store.as_role(Role::Admin);
        let space = store.create_space(&admin.credentials, "Guide");
        Self { store, admin, space }
    }

    fn edit<T>(
        &self,
        content: ContentSelector,
        edit: impl FnOnce(&mut ContentEditor) -> T,
    ) -> (RevisionId, T) {
        self.store.edit(&self.admin.credentials, self.space, content, edit)
    }

    fn titles(&self, content: ContentSelector) -> Vec<String> {
        let tree = self.store.tree(&self.admin.credentials, self.space, content);
        tree.pages_in_order().map(|page| page.title.clone()).collect()
    }

    fn head(&self) -> RevisionId {
        let head = self.store.storage().read(&self.admin.credentials, |reader| {
            Ok::<_, Error>(reader.content(self.space, MAIN)?.authorize(Action::ViewSpace)?.revision.id)
        });
        head.unwrap()
    }

    /// Creates a page with three paragraphs, and a change request that changes the first.
    fn proposal(&self) -> (PageId, ChangeRequestId) {
        let (_, page) = self.edit(MAIN, |draft| draft.page(None, "Page", "One.\n\nTwo.\n\nThree."));
        let id = self.store.create_change_request(&self.admin.credentials, self.space);
        self.edit(ContentSelector::ChangeRequest(ChangeRequestKey::Id(id)), |draft| {
            draft.write(page, "ONE.\n\nTwo.\n\nThree.");
        });
        (page, id)
    }

    fn prepare(&self, id: ChangeRequestId) -> PreparedMerge {
        let prepared = self.store.storage().read(&self.admin.credentials, |reader| {
            let found = reader.change_request(self.space, ChangeRequestKey::Id(id))?;
            reader.prepare_merge(&found.authorize(Action::MergeChangeRequest)?, Choice::default())
        });
        prepared.unwrap()
    }

    fn merge(&self, id: ChangeRequestId, prepared: &PreparedMerge) -> Result<MergeReport> {
        self.store.storage().transact(&self.admin.credentials, |tx| {
            let found = tx.change_request(self.space, ChangeRequestKey::Id(id))?;
            tx.merge_change_request(&found.authorize(Action::MergeChangeRequest)?, prepared)
        })
    }

    /// Returns whether the JSON of the page's document contains this text.
    fn page_has(&self, page: PageId, text: &str) -> bool {
        let document = self.store.storage().read(&self.admin.credentials, |reader| {
            let content = reader.content(self.space, MAIN)?.authorize(Action::ViewSpace)?;
            let tree = reader.tree(&content)?;
            reader.document(&content, tree.page(page).unwrap().document.unwrap())
        });
        document.map_err(|error: Error| error).unwrap().as_str().contains(text)
    }
}

#[test]
fn content_stored_ahead_is_on_disk_before_a_transaction_refers_to_it() {
    let f = Fixture::new();
    // The test cluster does not flush by default.
    f.store.execute(
        "DO $$ BEGIN \
            EXECUTE format('ALTER DATABASE %I SET synchronous_commit = on', current_database()); \
         END $$",
    );
    let node = f.store.another_node();
    let before = f.store.tree(&f.admin.credentials, f.space, MAIN);
    let mut draft = ContentEditor::new(before.clone());
    draft.page(None, "Page", "Text.");
    let mut connection = f.store.connection();
    let mut position = |function: &str| {
        let bytes = dsl::sql::<BigInt>(&format!("({function}() - '0/0'::pg_lsn)::bigint"));
        diesel::select(bytes).get_result::<i64>(&mut connection).unwrap()
    };
    let written = position("pg_current_wal_insert_lsn");
    let stored = node.storage().read(&f.admin.credentials, |reader| {
        let content = reader.content(f.space, MAIN)?.authorize(Action::EditContent)?;
        reader.store_ahead(&content, draft.documents(), Some((&draft.tree, &before)))
    });
    stored.map_err(|error: Error| error).unwrap();
    assert!(position("pg_current_wal_flush_lsn") > written);
}

#[test]
fn a_commit_makes_its_revision_the_head_and_names_the_one_before_as_parent() {
    let f = Fixture::new();
    let before = f.head();
    let (revision, _) = f.edit(MAIN, |draft| draft.page(None, "A", "Text."));
    assert_eq!(f.head(), revision);
    let parents = f.store.storage().read(&f.admin.credentials, |reader| {
        let content = reader.content(f.space, MAIN)?.authorize(Action::ViewSpace)?;
        Ok::<_, Error>(content.revision.parents.clone())
    });
    assert_eq!(parents.unwrap(), [before]);
}

#[test]
fn a_head_that_moved_after_it_was_locked_is_not_set() {
    let f = Fixture::new();
    f.edit(MAIN, |draft| draft.page(None, "A", ""));
    let tree = f.store.tree(&f.admin.credentials, f.space, MAIN);
    let head = f.head();
    let twice = f.store.storage().transact(&f.admin.credentials, |tx| {
        let content = tx.content(f.space, MAIN)?.authorize(Action::EditContent)?;
        let locked = tx.lock_for_edit(&content)?;
        let mut editor = ContentEditor::new(tree);
        editor.page(None, "B", "");
        let commit = Commit {
            kind: RevisionType::Edits,
            other_parent: None,
            merged_from: None,
            imported: None,
            tree: &editor.tree,
            amending: Amending::Never,
            documents: &[],
            stored_ahead: None,
        };
        tx.commit(&locked, &commit)?;
        // The head is now the revision of the first commit.
        tx.commit(&locked, &commit)
    });
    assert!(
        matches!(&twice, Err(Error::Refused(refusal)) if refusal.reason == Reason::StaleRevision),
        "{twice:?}"
    );
    assert_eq!((f.head(), f.titles(MAIN)), (head, vec!["A".to_owned()]));
}

#[test]
fn writers_at_the_same_moment_each_get_a_revision_in_one_line() {
    const WRITERS: usize = 6;
    let f = Fixture::new();
    let before = f.store.count("revisions");
    std::thread::scope(|scope| {
        for n in 0..WRITERS {
            let f = &f;
            scope.spawn(move || {
                loop {
                    let title = format!("Page {n}");
                    let edit = |draft: &mut ContentEditor| draft.page(None, &title, "");
                    match f.store.try_edit(&f.admin.credentials, f.space, MAIN, edit) {
                        Ok(_) => return,
                        Err(error) => assert!(matches!(error, Error::Outdated), "{error:?}"),
                    }
                }
            });
        }
    });
    let mut titles = f.titles(MAIN);
    titles.sort();
    assert_eq!(titles, (0..WRITERS).map(|n| format!("Page {n}")).collect::<Vec<_>>());
    assert_eq!(f.store.count("revisions") - before, i64::try_from(WRITERS).unwrap());
    let forks =
        "(SELECT unnest(parents) AS parent FROM revisions GROUP BY parent HAVING count(*) > 1) AS forks";
    assert_eq!(f.store.count(forks), 0);
}

#[test]
fn a_locked_space_takes_proposals_only() {
    let f = Fixture::new();
    let id = f.store.create_change_request(&f.admin.credentials, f.space);
    let lock = format!("UPDATE spaces SET edit_mode = 'locked' WHERE id = '{}'", f.space);
    f.store.execute(&lock);
    let add = |draft: &mut ContentEditor| draft.page(None, "A", "");
    let refused = f.store.try_edit(&f.admin.credentials, f.space, MAIN, add);
    assert!(
        matches!(&refused, Err(Error::Refused(refusal)) if refusal.reason == Reason::SpaceLocked),
        "{refused:?}"
    );
    let proposal = ContentSelector::ChangeRequest(ChangeRequestKey::Id(id));
    f.edit(proposal, add);
    assert_eq!((f.titles(MAIN).len(), f.titles(proposal).len()), (0, 1));
}

#[test]
fn a_merge_is_repeated_on_a_head_that_moved_elsewhere() {
    let f = Fixture::new();
    let (page, proposal) = f.proposal();
    let prepared = f.prepare(proposal);
    f.edit(MAIN, |draft| draft.page(None, "Other", "Text."));
    let merged = f.merge(proposal, &prepared).unwrap();
    assert!(matches!(merged, MergeReport::Done(revision) if revision == f.head()), "{merged:?}");
    assert_eq!(f.titles(MAIN), ["Page", "Other"]);
    assert!(f.page_has(page, "ONE."));
}

#[test]
fn a_merge_is_outdated_when_the_head_changed_the_same_document() {
    let f = Fixture::new();
    let (page, proposal) = f.proposal();
    let prepared = f.prepare(proposal);
    f.edit(MAIN, |draft| draft.write(page, "One.\n\nTwo.\n\nTHREE."));
    assert!(matches!(f.merge(proposal, &prepared), Err(Error::Outdated)));
    assert!(!f.page_has(page, "ONE."), "the outdated merge changed the page");
    let merged = f.merge(proposal, &f.prepare(proposal)).unwrap();
    assert!(matches!(merged, MergeReport::Done(_)), "{merged:?}");
    assert!(f.page_has(page, "ONE.") && f.page_has(page, "THREE."));
}

#[test]
fn a_merge_with_conflicts_changes_nothing() {
    let f = Fixture::new();
    let (page, proposal) = f.proposal();
    let (head, ()) = f.edit(MAIN, |draft| draft.write(page, "One, by others.\n\nTwo.\n\nThree."));
    let report = f.merge(proposal, &f.prepare(proposal)).unwrap();
    let MergeReport::Conflicts { conflicts, .. } = report else { panic!("{report:?}") };
    assert_eq!(conflicts.len(), 1);
    assert_eq!(f.head(), head);
    assert!(f.page_has(page, "One, by others."));
}
