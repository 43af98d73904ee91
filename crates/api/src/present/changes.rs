//! Presentation of the changes between two revisions.

use std::collections::HashMap;

use quire_content::page_body::{cover, layout};
use quire_domain::ChangeRequest;
use quire_domain::ids::PageId;
use quire_domain::revisions::{
    ChangeSummary, ChangedFile, ChangedPage, ChangedReusableContent, Delta, Dimensions, FileAttributes,
    PageAttributes, PageType, ReusableContentAttributes, RevisionChange, RevisionChanges,
};
use quire_revision::{BlobHash, Change, FileNode, ReusableContentNode};

use super::content::ContentView;
use super::files::FileAddress;

/// Returns the first `limit` changes, and the number of others. `summaries` has those of pages with another document.
#[must_use]
pub fn changes(
    view: &ContentView<'_>,
    changes: Vec<Change>,
    summaries: &HashMap<PageId, ChangeSummary>,
    limit: usize,
    merged_from: Option<Box<ChangeRequest>>,
) -> RevisionChanges {
    let more = u64::try_from(changes.len().saturating_sub(limit)).unwrap_or(u64::MAX);
    let changes = changes.into_iter().take(limit).map(|change| view.change(change, summaries)).collect();
    RevisionChanges { merged_from, changes, more: (more > 0).then_some(more) }
}

impl ContentView<'_> {
    fn change(&self, change: Change, summaries: &HashMap<PageId, ChangeSummary>) -> RevisionChange {
        let summary = |page: &quire_revision::ChangedPage| summaries.get(&page.id).copied();
        match change {
            Change::PageCreated { page } => {
                RevisionChange::PageCreated { summary: summary(&page), page: changed_page(page) }
            }
            Change::PageEdited { page, attributes } => RevisionChange::PageEdited {
                summary: summary(&page),
                page: changed_page(page),
                attributes: Box::new(page_attributes(*attributes)),
            },
            Change::PageMoved { page, parent } => {
                RevisionChange::PageMoved { page: changed_page(page), parent: each(parent, changed_page) }
            }
            Change::PageDeleted { page } => {
                RevisionChange::PageDeleted { summary: summary(&page), page: changed_page(page) }
            }
            Change::FileCreated { file } => RevisionChange::FileCreated { file: self.changed_file(&file) },
            Change::FileEdited { file, attributes } => RevisionChange::FileEdited {
                attributes: Box::new(self.file_attributes(&file, attributes)),
                file: self.changed_file(&file),
            },
            Change::FileDeleted { file } => RevisionChange::FileDeleted { file: self.changed_file(&file) },
            Change::ReusableContentCreated { content } => {
                RevisionChange::ReusableContentCreated { reusable_content: changed_content(&content) }
            }
            Change::ReusableContentEdited { content, attributes } => RevisionChange::ReusableContentEdited {
                reusable_content: changed_content(&content),
                attributes: ReusableContentAttributes {
                    title: attributes.title.map(same),
                    document: attributes.document.map(same),
                },
            },
            Change::ReusableContentDeleted { content } => {
                RevisionChange::ReusableContentDeleted { reusable_content: changed_content(&content) }
            }
        }
    }

    fn changed_file(&self, node: &FileNode) -> ChangedFile {
        ChangedFile {
            id: node.id,
            name: node.name.clone(),
            content_type: node.content_type.clone(),
            download_url: self.download_url(node.blob, node.name.clone(), node.content_type.clone()),
        }
    }

    /// The URLs of a file differ if its bytes do. Each is signed with the name and media type of its own revision.
    fn file_attributes(
        &self,
        after: &FileNode,
        attributes: quire_revision::FileAttributes,
    ) -> FileAttributes {
        let quire_revision::FileAttributes { name, blob, size, content_type, dimensions } = attributes;
        let text = |delta: &Option<quire_revision::Delta<String>>, now: &str| {
            let before = delta.as_ref().and_then(|delta| delta.before.clone());
            before.unwrap_or_else(|| now.to_owned())
        };
        let download_url = blob.map(|blob| Delta {
            before: blob.before.map(|blob| {
                self.download_url(blob, text(&name, &after.name), text(&content_type, &after.content_type))
            }),
            after: blob
                .after
                .map(|blob| self.download_url(blob, after.name.clone(), after.content_type.clone())),
        });
        let pixels = |size: quire_revision::Dimensions| Dimensions { width: size.width, height: size.height };
        FileAttributes {
            name: name.map(same),
            download_url,
            size: size.map(same),
            content_type: content_type.map(same),
            dimensions: dimensions.map(|delta| each(delta, pixels)),
        }
    }

    fn download_url(&self, blob: BlobHash, name: String, content_type: String) -> String {
        FileAddress { space: self.space, blob, name, content_type }.url(self.urls, self.signer)
    }
}

fn changed_page(page: quire_revision::ChangedPage) -> ChangedPage {
    ChangedPage {
        id: page.id,
        page_type: match page.page_type {
            quire_revision::PageType::Document => PageType::Document,
            quire_revision::PageType::Group => PageType::Group,
            quire_revision::PageType::Link => PageType::Link,
            quire_revision::PageType::Computed => PageType::Computed,
        },
        title: page.title,
        path: page.path,
    }
}

fn page_attributes(attributes: quire_revision::PageAttributes) -> PageAttributes {
    let quire_revision::PageAttributes {
        title,
        link_title,
        slug,
        description,
        emoji,
        icon,
        cover: covers,
        layout: layouts,
        document,
        target,
        // The API reference has no attribute for the source of a placeholder.
        computed: _,
        hidden,
        no_index,
        no_robots_index,
    } = attributes;
    PageAttributes {
        title: title.map(same),
        link_title: link_title.map(same),
        description: description.map(same),
        slug: slug.map(same),
        document: document.map(same),
        cover: covers.map(|covers| Delta {
            before: covers.before.as_ref().and_then(cover),
            after: covers.after.as_ref().and_then(cover),
        }),
        emoji: emoji.map(same),
        icon: icon.map(same),
        layout: layouts.map(|layouts| each(layouts, |stored| layout(&stored))),
        target: target.map(same),
        hidden: hidden.map(same),
        no_index: no_index.map(same),
        no_robots_index: no_robots_index.map(same),
    }
}

fn changed_content(content: &ReusableContentNode) -> ChangedReusableContent {
    ChangedReusableContent { id: content.id, title: content.title.clone(), document: content.document }
}

fn same<T>(delta: quire_revision::Delta<T>) -> Delta<T> {
    each(delta, |value| value)
}

fn each<T, U>(delta: quire_revision::Delta<T>, turn: impl Fn(T) -> U) -> Delta<U> {
    Delta { before: delta.before.map(&turn), after: delta.after.map(&turn) }
}
