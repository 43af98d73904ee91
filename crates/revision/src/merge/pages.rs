//! Three-way merge of one page that both sides changed, field by field.

use std::sync::Arc;

use serde::Serialize;
use serde_json::{Value, json};

use super::conflict::{ConflictKind, kind_of_fields, place, summary};
use super::outcome::Outcome;
use super::records::{Three, agreed, deleted_or, merge_documents, merge_git, settled};
use crate::diff::PageAttributes;
use crate::entry::{PageKind, PageNode};
use crate::hash::DocumentId;
use crate::id::PageId;
use crate::position::Position;

/// Decides the outcome of a page that both sides changed.
pub(super) fn merge_page(outcome: &mut Outcome<'_>, page: Three<Arc<PageNode>>) -> Option<Arc<PageNode>> {
    let (kind, base, kept) = match page.as_ref() {
        Three { base, ours: Some(ours), theirs: Some(theirs) } => {
            let base = base.map(Arc::as_ref);
            return Some(Arc::new(PageFields { outcome, base, ours, theirs }.merge()));
        }
        Three { base, ours: None, theirs: Some(theirs) } => (ConflictKind::DeletedHere, base?, theirs),
        Three { base, ours: Some(ours), theirs: None } => (ConflictKind::DeletedThere, base?, ours),
        Three { ours: None, theirs: None, .. } => return None,
    };
    let moved = (base.parent, &base.position) != (kept.parent, &kept.position);
    if !moved && PageAttributes::between(base, kept).is_empty() {
        return None;
    }
    let values = [outcome.base, outcome.ours, outcome.theirs].map(|tree| summary(tree, kept.id));
    outcome.conflict_on_page(kept.id, kind, values);
    deleted_or(outcome.strategy, page.ours, page.theirs)
}

/// The merge of a page that both sides changed.
struct PageFields<'o, 't, 'p> {
    outcome: &'o mut Outcome<'t>,
    base: Option<&'p PageNode>,
    ours: &'p PageNode,
    theirs: &'p PageNode,
}

impl PageFields<'_, '_, '_> {
    fn merge(mut self) -> PageNode {
        use ConflictKind as Kind;
        let (parent, position) = self.place();
        PageNode {
            id: self.ours.id,
            parent,
            position,
            kind: self.kind(),
            title: self.field(Kind::Title, |page| &page.title),
            slug: self.field(Kind::Slug, |page| &page.slug),
            emoji: self.field(Kind::Emoji, |page| &page.emoji),
            icon: self.field(Kind::Icon, |page| &page.icon),
            description: self.field(Kind::Description, |page| &page.description),
            hidden: self.field(Kind::Hidden, |page| &page.hidden),
            no_index: self.field(Kind::NoIndex, |page| &page.no_index),
            no_robots_index: self.field(Kind::NoRobotsIndex, |page| &page.no_robots_index),
            cover: self.field(Kind::Cover, |page| &page.cover),
            layout: self.field(Kind::Layout, |page| &page.layout),
            document: self.document(),
            created_at: self.theirs.created_at.or(self.ours.created_at),
            updated_at: self.ours.updated_at.max(self.theirs.updated_at),
            git: merge_git(self.base.map(|page| &page.git), &self.ours.git, &self.theirs.git),
        }
    }

    fn field<T: Clone + PartialEq + Serialize>(
        &mut self,
        kind: ConflictKind,
        field: impl Fn(&PageNode) -> &T,
    ) -> T {
        let (base, ours, theirs) = (self.base.map(&field), field(self.ours), field(self.theirs));
        if let Some(agreed) = agreed(base, ours, theirs) {
            return agreed.clone();
        }
        self.conflict(kind, [base.map(|base| json!(base)), Some(json!(ours)), Some(json!(theirs))]);
        settled(self.outcome.strategy, ours, theirs).clone()
    }

    fn kind(&mut self) -> PageKind {
        let value = |page: &PageNode| match &page.kind {
            PageKind::Document | PageKind::Group => Value::Null,
            PageKind::Link { target } => target.clone(),
            PageKind::Computed { source, seed } => json!({"source": source, "seed": seed}),
        };
        let (base, ours, theirs) = (self.base, self.ours, self.theirs);
        if let Some(agreed) = agreed(base.map(|page| &page.kind), &ours.kind, &theirs.kind) {
            return agreed.clone();
        }
        let values = [base.map(value), Some(value(ours)), Some(value(theirs))];
        self.conflict(kind_of_fields(ours.page_type()), values);
        settled(self.outcome.strategy, ours, theirs).kind.clone()
    }

    fn place(&mut self) -> (Option<PageId>, Position) {
        fn of(page: &PageNode) -> (Option<PageId>, &Position) {
            (page.parent, &page.position)
        }
        let (base, ours, theirs) = (self.base, self.ours, self.theirs);
        let (parent, position) = agreed(base.map(of), of(ours), of(theirs)).unwrap_or_else(|| {
            // A reordering among former siblings is void once the page has other siblings.
            match agreed(base.map(|page| page.parent), ours.parent, theirs.parent) {
                Some(parent) if parent == ours.parent => return of(ours),
                Some(_) => return of(theirs),
                None => {}
            }
            self.conflict(ConflictKind::Moved, [base.map(place), Some(place(ours)), Some(place(theirs))]);
            match (self.outcome.strategy, base) {
                // Without a strategy the outcome is not used, but further conflicts must not
                // depend on which side is which.
                (None, Some(base)) => of(base),
                (strategy, _) => settled(strategy, of(ours), of(theirs)),
            }
        });
        (parent, position.clone())
    }

    fn document(&mut self) -> Option<DocumentId> {
        let versions =
            [self.base.map(|page| page.document), Some(self.ours.document), Some(self.theirs.document)];
        let (merged, conflict) = merge_documents(self.outcome, versions.map(Option::flatten));
        if conflict {
            let value = |document: Option<Option<DocumentId>>| document.flatten().map(|id| json!(id));
            self.conflict(ConflictKind::Document, versions.map(value));
        }
        merged
    }

    fn conflict(&mut self, kind: ConflictKind, values: [Option<Value>; 3]) {
        let values = values.map(|value| value.filter(|value| !value.is_null()));
        self.outcome.conflict_on_page(self.ours.id, kind, values);
    }
}
