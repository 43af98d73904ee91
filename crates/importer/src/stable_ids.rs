//! Stable ids of imported content, derived from its position and name, so that importing the same content twice gives
//! the same tree.
//!
//! A page is identified by its parent and its slug, a file by its name and bytes, a reusable content by its title. The
//! id is a UUID version 8 (RFC 9562) derived from a hash of these. If the tree already has the id from an earlier
//! import of the same content, the next id of the same sequence is used.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::plan::{PlannedFile, PlannedReusableContent};
use quire_domain::ids::{FileId, PageId, ReusableContentId};
use quire_markup::ContentRef;
use quire_revision::{BlobHash, Tree};
use sha2::{Digest, Sha256};
use uuid::Uuid;

/// Final ids of planned content, by the ids in the plan.
#[derive(Debug, Default)]
pub(super) struct StableIds {
    pages: HashMap<PageId, PageId>,
    files: HashMap<FileId, FileId>,
    reusable_contents: HashMap<ReusableContentId, ReusableContentId>,
}

impl StableIds {
    /// Assigns ids to files by their names and bytes, and to reusable contents by their titles. Among equal ones, the
    /// shortest path gets the first id. An export numbers equal names in the order of their ids, so reading it back
    /// gives the same ids.
    pub(super) fn of(
        tree: &Tree,
        files: &[PlannedFile],
        hashes: &HashMap<FileId, BlobHash>,
        contents: &[PlannedReusableContent],
    ) -> Self {
        let is_file = |id: &FileId| tree.file(*id).is_some();
        let files = assigned("file", named(files, hashes), FileId::from_uuid, is_file);
        let is_content = |id: &ReusableContentId| tree.reusable_content(*id).is_some();
        let contents = titled(contents);
        let reusable_contents =
            assigned("reusable-content", contents, ReusableContentId::from_uuid, is_content);
        Self { pages: HashMap::new(), files, reusable_contents }
    }

    /// Assigns the ids of matched files and reusable contents, and new ids to the others.
    pub(super) fn matching(
        known_files: &HashMap<FileId, FileId>,
        known_contents: &HashMap<ReusableContentId, ReusableContentId>,
        (files, hashes, contents): (&[PlannedFile], &HashMap<FileId, BlobHash>, &[PlannedReusableContent]),
    ) -> Self {
        let taken: HashSet<FileId> = known_files.values().copied().collect();
        let others = named(files, hashes).filter(|(_, _, id)| !known_files.contains_key(id));
        let mut files = assigned("file", others, FileId::from_uuid, |id| taken.contains(id));
        files.extend(known_files);
        let taken: HashSet<ReusableContentId> = known_contents.values().copied().collect();
        let others = titled(contents).filter(|(_, _, id)| !known_contents.contains_key(id));
        let is_taken = |id: &ReusableContentId| taken.contains(id);
        let mut reusable_contents =
            assigned("reusable-content", others, ReusableContentId::from_uuid, is_taken);
        reusable_contents.extend(known_contents);
        Self { pages: HashMap::new(), files, reusable_contents }
    }

    /// Maps a planned page to a page of the tree.
    pub(super) fn is_page(&mut self, planned: PageId, page: PageId) {
        self.pages.insert(planned, page);
    }

    /// Assigns an id to a new page by its position: its parent, and its slug, or its title if it has none.
    pub(super) fn name_page(
        &mut self,
        is_taken: impl Fn(PageId) -> bool,
        planned: PageId,
        parent: Option<PageId>,
        name: &str,
    ) -> PageId {
        let parent = parent.map(|parent| parent.to_string()).unwrap_or_default();
        let location = format!("{parent}\0{name}");
        let row = row("page", &location).map(PageId::from_uuid);
        let id = row.into_iter().find(|id| !is_taken(*id)).unwrap_or(planned);
        self.is_page(planned, id);
        id
    }

    /// Returns the final id of a planned page.
    pub(super) fn page(&self, planned: PageId) -> PageId {
        self.pages.get(&planned).copied().unwrap_or(planned)
    }

    /// Returns the final ids of planned pages.
    pub(super) fn into_pages(self) -> HashMap<PageId, PageId> {
        self.pages
    }

    /// Returns the final id of a planned file.
    pub(super) fn file(&self, planned: FileId) -> FileId {
        self.files.get(&planned).copied().unwrap_or(planned)
    }

    /// Returns the final id of a planned reusable content.
    pub(super) fn reusable_content(&self, planned: ReusableContentId) -> ReusableContentId {
        self.reusable_contents.get(&planned).copied().unwrap_or(planned)
    }

    /// Returns a reference into the plan with its final id; `None` for other references.
    pub(super) fn renamed(&self, reference: &ContentRef) -> Option<ContentRef> {
        let page = |id: &str| Some(self.pages.get(&id.parse().ok()?)?.to_string());
        match reference {
            ContentRef::Page { page: id, space: None } => {
                Some(ContentRef::Page { page: page(id)?, space: None })
            }
            ContentRef::Anchor { anchor, page: Some(id), space: None } => {
                Some(ContentRef::Anchor { anchor: anchor.clone(), page: Some(page(id)?), space: None })
            }
            ContentRef::File { file, space: None } => {
                let file = self.files.get(&file.parse().ok()?)?.to_string();
                Some(ContentRef::File { file, space: None })
            }
            ContentRef::ReusableContent { reusable_content, space: None } => {
                let id = self.reusable_contents.get(&reusable_content.parse().ok()?)?.to_string();
                Some(ContentRef::ReusableContent { reusable_content: id, space: None })
            }
            _ => None,
        }
    }
}

/// Returns files with stored bytes by their names and bytes.
fn named<'p>(
    files: &'p [PlannedFile],
    hashes: &HashMap<FileId, BlobHash>,
) -> impl Iterator<Item = (String, &'p str, FileId)> {
    files.iter().filter_map(|file| {
        let hash = hashes.get(&file.id)?;
        Some((format!("{}\0{hash}", file.name), file.source_path.as_str(), file.id))
    })
}

/// Returns reusable contents by their titles.
fn titled(contents: &[PlannedReusableContent]) -> impl Iterator<Item = (String, &str, ReusableContentId)> {
    contents.iter().map(|content| (content.title.clone(), content.source_path.as_str(), content.id))
}

/// Assigns an id to each item by its name. Items have a name, a path and the id in the plan.
fn assigned<'p, Id: Copy + Eq + Ord + std::hash::Hash>(
    kind: &str,
    things: impl Iterator<Item = (String, &'p str, Id)>,
    id: fn(Uuid) -> Id,
    is_taken: impl Fn(&Id) -> bool,
) -> HashMap<Id, Id> {
    let mut alike: BTreeMap<String, Vec<(usize, &str, Id)>> = BTreeMap::new();
    for (name, path, planned) in things {
        alike.entry(name).or_default().push((path.len(), path, planned));
    }
    let mut assigned = HashMap::new();
    for (name, mut things) in alike {
        things.sort_unstable();
        let free = row(kind, &name).map(id).filter(|id| !is_taken(id));
        let mut ids: Vec<Id> = free.take(things.len()).collect();
        ids.sort_unstable();
        assigned.extend(things.into_iter().map(|(_, _, planned)| planned).zip(ids));
    }
    assigned
}

/// Returns the sequence of possible ids for a name, the default one first. In a name, NUL only occurs between its
/// parts.
fn row(kind: &str, name: &str) -> impl Iterator<Item = Uuid> {
    let start = Sha256::new()
        .chain_update("quire.import.v1\0")
        .chain_update(kind)
        .chain_update("\0")
        .chain_update(name);
    (0_u64..).map(move |number| {
        let digest = start.clone().chain_update("\0").chain_update(number.to_string()).finalize();
        let bytes = digest.first_chunk::<16>().copied().unwrap_or_default();
        uuid::Builder::from_custom_bytes(bytes).into_uuid()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_follow_from_the_location_and_pass_those_that_are_taken() {
        let mut stable_ids = StableIds::default();
        let planned = |number| PageId::from_uuid(Uuid::from_u128(number));
        let a = stable_ids.name_page(|_| false, planned(1), None, "a");
        let b = stable_ids.name_page(|_| false, planned(2), Some(a), "a");
        assert_ne!(a, b);
        assert_eq!(a.as_uuid().get_version_num(), 8);
        assert_eq!(a, StableIds::default().name_page(|_| false, planned(7), None, "a"));
        assert_eq!((stable_ids.page(planned(1)), stable_ids.page(planned(9))), (a, planned(9)));
        let link = ContentRef::Page { page: planned(2).to_string(), space: None };
        assert_eq!(stable_ids.renamed(&link), Some(ContentRef::Page { page: b.to_string(), space: None }));
    }

    #[test]
    fn equal_items_get_ids_in_the_order_of_their_paths() {
        let file = |number| FileId::from_uuid(Uuid::from_u128(number));
        let ids = |paths: [&str; 3]| {
            let things =
                paths.into_iter().zip(1..).map(|(path, number)| ("a".to_owned(), path, file(number)));
            let ids = assigned("file", things, FileId::from_uuid, |_| false);
            [1, 2, 3].map(|number| ids[&file(number)])
        };
        let [first, second, third] = ids(["a", "2/a", "10/a"]);
        assert!(first < second && second < third);
        assert_eq!(ids(["10/a", "a", "2/a"]), [third, first, second]);
        let taken = |id: &FileId| *id == first;
        let things = [("a".to_owned(), "a", file(1))].into_iter();
        assert!(![first].contains(&assigned("file", things, FileId::from_uuid, taken)[&file(1)]));
    }
}
