//! Three-way merge of one page that both sides changed, field by field.

use std::sync::Arc;

use serde::Serialize;
use serde_json::{Value, json};

use super::Strategy;
use super::conflict::{Conflict, ConflictKind, ConflictPage, kind_of_fields, parent_of, summary};
use super::outcome::Outcome;
use super::shared_fields::{merge_documents, merge_git};
use super::three_way::{ThreeWay, agreed, deleted_or, settled};
use crate::diff::PageAttributes;
use crate::entry::{PageKind, PageNode};
use crate::hash::DocumentId;
use crate::id::PageId;
use crate::position::Position;

/// Merges a page that both sides changed.
pub(super) fn merge_page(outcome: &mut Outcome<'_>, page: ThreeWay<Arc<PageNode>>) -> Option<Arc<PageNode>> {
    let (kind, base, kept) = match page.as_ref() {
        ThreeWay { base, into: Some(into), from: Some(from) } => {
            let base = base.map(Arc::as_ref);
            return Some(Arc::new(PageFields { outcome, base, into, from }.merge()));
        }
        ThreeWay { base, into: None, from: Some(from) } => (ConflictKind::DeletedThere, base?, from),
        ThreeWay { base, into: Some(into), from: None } => (ConflictKind::DeletedHere, base?, into),
        ThreeWay { into: None, from: None, .. } => return None,
    };
    let moved = (base.parent, &base.position) != (kept.parent, &kept.position);
    if !moved && PageAttributes::between(base, kept).is_empty() {
        return None;
    }
    let values = [outcome.base, outcome.into, outcome.from].map(|tree| summary(tree, kept.id));
    let side = outcome.conflict_on_page(kept.id, kind, values);
    deleted_or(side, page.into, page.from)
}

/// State of the merge of a page that both sides changed.
struct PageFields<'o, 't, 'p> {
    outcome: &'o mut Outcome<'t>,
    base: Option<&'p PageNode>,
    into: &'p PageNode,
    from: &'p PageNode,
}

impl PageFields<'_, '_, '_> {
    fn merge(mut self) -> PageNode {
        use ConflictKind as Kind;
        let (parent, position) = self.location();
        PageNode {
            id: self.into.id,
            parent,
            position,
            kind: self.kind(),
            title: self.field(Kind::Title, |page| &page.title),
            link_title: self.field(Kind::LinkTitle, |page| &page.link_title),
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
            created_at: self.from.created_at.or(self.into.created_at),
            updated_at: self.into.updated_at.max(self.from.updated_at),
            git: merge_git(self.base.map(|page| &page.git), &self.into.git, &self.from.git),
        }
    }

    fn field<T: Clone + PartialEq + Serialize>(
        &mut self,
        kind: ConflictKind,
        field: impl Fn(&PageNode) -> &T,
    ) -> T {
        let (base, into, from) = (self.base.map(&field), field(self.into), field(self.from));
        if let Some(agreed) = agreed(base, into, from) {
            return agreed.clone();
        }
        let side = self.conflict(kind, [base.map(|base| json!(base)), Some(json!(into)), Some(json!(from))]);
        settled(side, into, from).clone()
    }

    fn kind(&mut self) -> PageKind {
        let value = |page: &PageNode| match &page.kind {
            PageKind::Document | PageKind::Group => Value::Null,
            PageKind::Link { target } => target.clone(),
            PageKind::Computed { source, seed } => json!({"source": source, "seed": seed}),
        };
        let (base, into, from) = (self.base, self.into, self.from);
        if let Some(agreed) = agreed(base.map(|page| &page.kind), &into.kind, &from.kind) {
            return agreed.clone();
        }
        let values = [base.map(value), Some(value(into)), Some(value(from))];
        let side = self.conflict(kind_of_fields(into.page_type()), values);
        settled(side, into, from).kind.clone()
    }

    fn location(&mut self) -> (Option<PageId>, Position) {
        fn of(page: &PageNode) -> (Option<PageId>, &Position) {
            (page.parent, &page.position)
        }
        let (base, into, from) = (self.base, self.into, self.from);
        let (parent, position) = agreed(base.map(of), of(into), of(from)).unwrap_or_else(|| {
            // A new position among the former siblings has no meaning below another parent.
            match agreed(base.map(|page| page.parent), into.parent, from.parent) {
                Some(parent) if parent == into.parent => return of(into),
                Some(_) => return of(from),
                None => {}
            }
            let values = [base.map(parent_of), Some(parent_of(into)), Some(parent_of(from))];
            match (self.conflict(ConflictKind::Moved, values), base) {
                // Without a side the outcome is not used, but the conflicts must be the same when the sides are
                // swapped.
                (None, Some(base)) => of(base),
                (side, _) => settled(side, of(into), of(from)),
            }
        });
        (parent, position.clone())
    }

    fn document(&mut self) -> Option<DocumentId> {
        let versions =
            [self.base.map(|page| page.document), Some(self.into.document), Some(self.from.document)];
        let versions = versions.map(Option::flatten);
        let (id, from, into) = (self.into.id, self.outcome.from, self.outcome.into);
        merge_documents(self.outcome, versions, || {
            let values = versions.map(|document| document.map(|id| json!(id)));
            Conflict::on_page(ConflictPage::new(id, from, into), ConflictKind::Document, values)
        })
    }

    fn conflict(&mut self, kind: ConflictKind, values: [Option<Value>; 3]) -> Option<Strategy> {
        let values = values.map(|value| value.filter(|value| !value.is_null()));
        self.outcome.conflict_on_page(self.into.id, kind, values)
    }
}
