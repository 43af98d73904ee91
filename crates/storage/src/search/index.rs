//! The rows that searches read.
//!
//! They are brought up to date in the transaction that moves the head, from the difference alone, so a search sees a merge
//! as soon as the merge has answered.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use diesel::prelude::*;
use diesel::sql_types::{Array, Integer, Nullable, Text, Uuid as SqlUuid};
use quire_domain::ids::{DocumentId, PageId, SpaceId};
use quire_revision::{Entry, PageKind, PageNode, Tree, raw_diff};
use uuid::Uuid;

use crate::content::{Commit, NewDocument, SectionFact};
use crate::lookup::{Authorized, ContentAt};
use crate::statement::{Sql, statements, val};
use crate::transaction::{Reader, Tx};
use crate::{Result, Storage};

/// A longer section is found through several rows: a vector holds no more than 256 places of a word, which the commonest characters
/// of scripts without spaces would exceed in longer texts.
const SECTION_BYTES: usize = 8 << 10;
/// How much of a heading is searched for and shown. It stands with each piece of its section.
const HEADING_BYTES: usize = 1 << 10;

statements! {
    ForgetPages = "DELETE FROM search_pages WHERE space_id = $1 AND page_id = ANY ($2)";
    InsertPages = "INSERT INTO search_pages (space_id, page_id, title, folded_title, terms) \
                   SELECT $1, p.page_id, p.title, search_fold(p.title), to_tsvector(o.search_language::regconfig, search_words(p.title)) \
                   FROM unnest($2, $3) AS p (page_id, title), spaces s JOIN organizations o ON o.id = s.organization_id WHERE s.id = $1";
    InsertSections = "INSERT INTO search_sections (space_id, page_id, ordinal, anchor, heading, body, terms) \
                      SELECT $1, p.page_id, p.ordinal, p.anchor, p.heading, p.body, \
                             setweight(to_tsvector(o.search_language::regconfig, search_words(coalesce(p.heading, ''))), 'B') \
                             || to_tsvector(o.search_language::regconfig, search_words(p.body)) \
                      FROM unnest($2, $3, $4, $5, $6) AS p (page_id, ordinal, anchor, heading, body), \
                           spaces s JOIN organizations o ON o.id = s.organization_id WHERE s.id = $1";
}

/// The columns of the sections, one vector each.
#[derive(Default)]
struct SectionColumns {
    pages: Vec<Uuid>,
    ordinals: Vec<i32>,
    anchors: Vec<Option<String>>,
    headings: Vec<Option<String>>,
    bodies: Vec<String>,
}

impl SectionColumns {
    fn push_page(&mut self, page: PageId, sections: &[SectionFact]) {
        let pieces = sections.iter().flat_map(|section| {
            let SectionFact { anchor, heading, text } = section;
            // An anchor that is cut leads nowhere.
            let anchor = anchor.clone().filter(|anchor| anchor.len() <= HEADING_BYTES);
            let heading = heading.clone().map(|heading| shortened(heading, HEADING_BYTES));
            pieces(text).into_iter().map(move |body| (anchor.clone(), heading.clone(), body))
        });
        for (ordinal, (anchor, heading, body)) in (0_i32..).zip(pieces.collect::<Vec<_>>()) {
            self.pages.push(*page.as_uuid());
            self.ordinals.push(ordinal);
            self.anchors.push(anchor);
            self.headings.push(heading);
            self.bodies.push(body);
        }
    }
}

/// Difference of two trees in search rows.
struct Changed {
    /// Pages whose rows are deleted.
    stale: Vec<Uuid>,
    /// Pages that get new rows.
    fresh: BTreeMap<PageId, Arc<PageNode>>,
}

impl Changed {
    fn between(before: &Tree, after: &Tree) -> Self {
        let mut changed = Self { stale: Vec::new(), fresh: BTreeMap::new() };
        for (old, new) in raw_diff(before, after) {
            let (old, new) = (old.and_then(searchable), new.and_then(searchable));
            if old.as_deref().map(search_facts) == new.as_deref().map(search_facts) {
                continue;
            }
            changed.stale.extend(old.map(|page| *page.id.as_uuid()));
            changed.fresh.extend(new.map(|page| (page.id, page)));
        }
        changed
    }
}

/// Sections of documents, extracted before the transaction that writes the search rows of their pages.
#[derive(Clone, Debug, Default)]
pub struct Sections(HashMap<DocumentId, Arc<[SectionFact]>>);

impl Sections {
    /// Adds sections from the cache for the pages that differ in `after` and whose document is not in `documents`.
    /// Returns the documents whose sections are still missing.
    fn add_cached(
        &mut self,
        storage: &Storage,
        pages: &BTreeMap<PageId, Arc<PageNode>>,
        documents: &[NewDocument],
    ) -> Vec<DocumentId> {
        let new: HashSet<DocumentId> = documents.iter().map(NewDocument::id).collect();
        let mut missing = Vec::new();
        for id in pages.values().filter_map(|page| page.document) {
            if self.0.contains_key(&id) || new.contains(&id) {
                continue;
            }
            match storage.caches().sections.get(&id) {
                Some(sections) => drop(self.0.insert(id, sections)),
                None => missing.push(id),
            }
        }
        missing
    }

    fn get(&self, id: DocumentId) -> Option<&[SectionFact]> {
        self.0.get(&id).map(|sections| &**sections)
    }
}

impl Storage {
    /// Returns the sections that a commit of `after` on `before` needs in addition to those of `documents`; `None` if not all
    /// of them are in memory. [`Reader::sections`] then loads them.
    #[must_use]
    pub fn cached_sections(
        &self,
        before: &Tree,
        after: &Tree,
        documents: &[NewDocument],
    ) -> Option<Sections> {
        let mut sections = Sections::default();
        let missing = sections.add_cached(self, &Changed::between(before, after).fresh, documents);
        missing.is_empty().then_some(sections)
    }
}

impl Reader<'_> {
    /// Returns the sections that a commit of `after` on `before` needs in addition to those of `documents`: at most one
    /// statement.
    ///
    /// # Errors
    /// [`Error::Outdated`](crate::Error::Outdated) in a transaction, which must not analyze documents.
    pub fn sections(
        &mut self,
        space: &Authorized<ContentAt>,
        before: &Tree,
        after: &Tree,
        documents: &[NewDocument],
    ) -> Result<Sections> {
        self.find_sections(space.space.id, before, after, documents)
    }

    /// [`Reader::sections`] of a space that was authorized as part of something else.
    pub(crate) fn find_sections(
        &mut self,
        space: SpaceId,
        before: &Tree,
        after: &Tree,
        documents: &[NewDocument],
    ) -> Result<Sections> {
        let fresh = Changed::between(before, after).fresh;
        self.complete_sections(space, Sections::default(), &fresh, documents)
    }

    fn complete_sections(
        &mut self,
        space: SpaceId,
        mut sections: Sections,
        pages: &BTreeMap<PageId, Arc<PageNode>>,
        documents: &[NewDocument],
    ) -> Result<Sections> {
        let missing = sections.add_cached(self.storage, pages, documents);
        if missing.is_empty() {
            return Ok(sections);
        }
        self.require_no_transaction()?;
        for (id, document) in self.documents_of(space, &missing)? {
            sections.0.insert(id, self.storage.sections_of(id, &document));
        }
        Ok(sections)
    }
}

impl Tx<'_> {
    /// Brings the search rows of a space from the content of `before` to that of `commit`: three statements at most.
    ///
    /// # Errors
    /// [`Error::Outdated`](crate::Error::Outdated) if the commit lacks the sections of a changed page.
    pub(crate) fn refresh_search(
        &mut self,
        space: SpaceId,
        before: &Tree,
        commit: &Commit<'_>,
    ) -> Result<()> {
        let Changed { stale, fresh } = Changed::between(before, commit.tree);
        let space_id = *space.as_uuid();
        if !stale.is_empty() {
            ForgetPages::bind((val::<SqlUuid, _>(space_id), val::<Array<SqlUuid>, _>(stale)))
                .execute(self.connection)?;
        }
        if fresh.is_empty() {
            return Ok(());
        }
        let sections = self.complete_sections(space, commit.sections.clone(), &fresh, commit.documents)?;
        InsertPages::bind((
            val::<SqlUuid, _>(space_id),
            val::<Array<SqlUuid>, _>(fresh.keys().map(|id| *id.as_uuid()).collect::<Vec<_>>()),
            val::<Array<Text>, _>(fresh.values().map(|page| page.title.clone()).collect::<Vec<_>>()),
        ))
        .execute(self.connection)?;
        let documents: HashMap<DocumentId, &NewDocument> =
            commit.documents.iter().map(|document| (document.id(), document)).collect();
        let sections = |id| documents.get(&id).map(|new| &*new.sections).or_else(|| sections.get(id));
        self.insert_sections(space, &fresh, sections)
    }

    fn insert_sections<'s>(
        &mut self,
        space: SpaceId,
        pages: &BTreeMap<PageId, Arc<PageNode>>,
        sections: impl Fn(DocumentId) -> Option<&'s [SectionFact]>,
    ) -> Result<()> {
        let mut columns = SectionColumns::default();
        for page in pages.values() {
            if let Some(sections) = page.document.and_then(&sections) {
                columns.push_page(page.id, sections);
            }
        }
        if columns.pages.is_empty() {
            return Ok(());
        }
        InsertSections::bind((
            val::<SqlUuid, _>(*space.as_uuid()),
            val::<Array<SqlUuid>, _>(columns.pages),
            val::<Array<Integer>, _>(columns.ordinals),
            val::<Array<Nullable<Text>>, _>(columns.anchors),
            val::<Array<Nullable<Text>>, _>(columns.headings),
            val::<Array<Text>, _>(columns.bodies),
        ))
        .execute(self.connection)?;
        Ok(())
    }
}

/// The page, if it can be found at all.
fn searchable(entry: Entry) -> Option<Arc<PageNode>> {
    match entry {
        Entry::Page(page) if matches!(page.kind, PageKind::Document) && !page.no_index => Some(page),
        _ => None,
    }
}

/// What of a page its search rows show.
fn search_facts(page: &PageNode) -> (PageId, &str, Option<DocumentId>) {
    (page.id, &page.title, page.document)
}

/// The beginning of a text.
fn shortened(mut text: String, bytes: usize) -> String {
    text.truncate(text.floor_char_boundary(bytes));
    text
}

/// A text cut into pieces, between words where there is such a place.
fn pieces(text: &str) -> Vec<String> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while rest.len() > SECTION_BYTES {
        let bound = rest.floor_char_boundary(SECTION_BYTES);
        let (head, _) = rest.split_at(bound);
        let at = head.rfind(|c: char| !c.is_alphanumeric()).filter(|at| *at > 0).unwrap_or(bound);
        let (piece, tail) = rest.split_at(at);
        pieces.push(piece.to_owned());
        rest = tail;
    }
    pieces.push(rest.to_owned());
    pieces
}

#[cfg(test)]
mod tests {
    use super::{SECTION_BYTES, pieces};

    #[test]
    fn a_long_text_is_cut_without_losing_a_character() {
        let text = "ab cdé ".repeat(SECTION_BYTES / 4);
        let pieces = pieces(&text);
        assert!(pieces.len() > 1 && pieces.iter().all(|piece| piece.len() <= SECTION_BYTES));
        assert_eq!(pieces.concat(), text);
        assert!(pieces.iter().all(|piece| !piece.ends_with('c')), "no word is cut");
    }
}
