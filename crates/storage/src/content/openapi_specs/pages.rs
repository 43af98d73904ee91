//! Pages of a version: outlines and bodies.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use diesel::prelude::*;
use diesel::sql_types::{Array, Integer, Nullable, Text, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::ids::OpenApiSpecVersionId;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::ReadableSpecs;
use crate::schema::openapi_spec_pages;
use crate::transaction::Reader;
use crate::{Result, parse_enum};

/// Kind of a page of a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PageKind {
    /// Information about the specification.
    Info,
    /// Tag. Its operations are below it.
    Tag,
    /// Operation.
    Operation,
    /// All models. Their pages are below it.
    Models,
    /// Model.
    Model,
}

impl PageKind {
    /// Returns the stored name.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Tag => "tag",
            Self::Operation => "operation",
            Self::Models => "models",
            Self::Model => "model",
        }
    }
}

/// Pages of a version without their bodies, each after its parent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outline {
    /// Version.
    pub version: OpenApiSpecVersionId,
    /// Pages; the index of a page is its ordinal.
    pub pages: Vec<OutlinePage>,
    /// Indexes of the pages, sorted by their pointers.
    by_pointer: Vec<usize>,
    /// Number of operations or models below each page.
    objects: HashMap<usize, usize>,
}

/// Page of an [`Outline`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutlinePage {
    /// Index of the parent.
    pub parent: Option<usize>,
    /// Kind.
    pub kind: PageKind,
    /// JSON pointer in the specification.
    pub pointer: String,
    /// Title.
    pub title: String,
    /// Segment of the path.
    pub slug: String,
    /// One-sentence description.
    pub description: Option<String>,
    /// Name of the icon shown before the title.
    pub icon: Option<String>,
}

/// Pages of versions with the components to which they refer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SpecPieces {
    /// Pages, by their versions and indexes.
    pub pages: HashMap<(OpenApiSpecVersionId, usize), SpecPage>,
    /// Referenced components, by version and number.
    pub parts: HashMap<(OpenApiSpecVersionId, i32), SpecPart>,
}

/// Body of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SpecPage {
    /// Content of the page as JSON.
    pub body: String,
    /// Numbers of the referenced components.
    pub parts: Vec<i32>,
}

/// Component to which pages refer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SpecPart {
    /// JSON pointer by which references name the component.
    pub pointer: String,
    /// Component as JSON.
    pub body: String,
}

impl Outline {
    /// Creates the outline of a version. Each page must follow its parent.
    #[must_use]
    pub fn new(version: OpenApiSpecVersionId, pages: Vec<OutlinePage>) -> Self {
        let mut by_pointer: Vec<(usize, &str)> =
            pages.iter().enumerate().map(|(index, page)| (index, page.pointer.as_str())).collect();
        by_pointer.sort_by_key(|(_, pointer)| *pointer);
        let by_pointer = by_pointer.into_iter().map(|(index, _)| index).collect();
        let mut objects: HashMap<usize, usize> = HashMap::new();
        let is_object = |page: &&OutlinePage| matches!(page.kind, PageKind::Operation | PageKind::Model);
        for parent in pages.iter().filter(is_object).filter_map(|page| page.parent) {
            let count = objects.entry(parent).or_default();
            *count = count.saturating_add(1);
        }
        Self { version, pages, by_pointer, objects }
    }

    /// Returns the number of operations or models below a page.
    #[must_use]
    pub fn objects_below(&self, index: usize) -> usize {
        self.objects.get(&index).copied().unwrap_or_default()
    }

    /// Returns the index of the page at a JSON pointer.
    #[must_use]
    pub fn index_of(&self, pointer: &str) -> Option<usize> {
        let pointer_of = |index: &usize| self.pages.get(*index).map(|page| page.pointer.as_str());
        let found = self.by_pointer.binary_search_by(|index| pointer_of(index).cmp(&Some(pointer))).ok()?;
        self.by_pointer.get(found).copied()
    }

    /// Returns the approximate memory in bytes.
    #[must_use]
    pub fn approximate_bytes(&self) -> usize {
        let of = |page: &OutlinePage| {
            let texts = [&page.pointer, &page.title, &page.slug];
            size_of::<OutlinePage>()
                + size_of::<usize>()
                + texts.into_iter().chain(&page.description).chain(&page.icon).map(String::len).sum::<usize>()
        };
        let counts = self.objects.len() * 2 * size_of::<(usize, usize)>();
        size_of::<Self>() + counts + self.pages.iter().map(of).sum::<usize>()
    }
}

/// Columns of a page or a part: version, ordinal, pointer, body and parts.
type Piece = (Uuid, i32, Option<String>, String, Vec<i32>);

/// Columns of a page: version, parent, kind, pointer, title, slug, description and icon.
type OutlineColumns = (Uuid, Option<i32>, String, String, String, String, Option<String>, Option<String>);

sql_files! {
    LoadPages(SqlUuid, Array<SqlUuid>, Array<Integer>)
        -> (SqlUuid, Integer, Nullable<Text>, Text, Array<Integer>) = "load_pages.sql";
}

impl Reader<'_> {
    /// Returns the outlines of these versions. Takes one statement, or none if they are cached.
    pub fn outlines(
        &mut self,
        specs: ReadableSpecs,
        versions: &[OpenApiSpecVersionId],
    ) -> Result<HashMap<OpenApiSpecVersionId, Arc<Outline>>> {
        let cache = &self.storage.caches().outlines;
        let mut outlines = HashMap::with_capacity(versions.len());
        let mut missing = HashMap::new();
        for version in versions {
            match cache.get(version) {
                Some(outline) => drop(outlines.insert(*version, outline)),
                None => drop(missing.insert(*version, Vec::new())),
            }
        }
        if missing.is_empty() {
            return Ok(outlines);
        }
        let ids: Vec<_> = missing.keys().copied().collect();
        let rows: Vec<OutlineColumns> = openapi_spec_pages::table
            .filter(openapi_spec_pages::organization_id.eq(specs.organization()))
            .filter(openapi_spec_pages::version_id.eq_any(ids))
            .order((openapi_spec_pages::version_id, openapi_spec_pages::ordinal))
            .select((
                openapi_spec_pages::version_id,
                openapi_spec_pages::parent,
                openapi_spec_pages::kind,
                openapi_spec_pages::place,
                openapi_spec_pages::title,
                openapi_spec_pages::slug,
                openapi_spec_pages::description,
                openapi_spec_pages::icon,
            ))
            .load(self.connection)?;
        for (version, parent, kind, pointer, title, slug, description, icon) in rows {
            let version = OpenApiSpecVersionId::from_uuid(version);
            let Some(pages) = missing.get_mut(&version) else { continue };
            let parent = parent.and_then(|parent| usize::try_from(parent).ok());
            let kind = parse_enum(&kind)?;
            pages.push(OutlinePage { parent, kind, pointer, title, slug, description, icon });
        }
        // A version without pages was pruned during the read. It must not be cached as empty.
        for (version, pages) in missing.into_iter().filter(|(_, pages)| !pages.is_empty()) {
            let outline = Arc::new(Outline::new(version, pages));
            cache.insert(version, outline.clone());
            outlines.insert(version, outline);
        }
        Ok(outlines)
    }

    /// Returns pages of versions with the components to which they refer, by version and index. Missing pages are left
    /// out. Takes one statement.
    pub fn spec_pages(
        &mut self,
        specs: ReadableSpecs,
        wanted: &[(OpenApiSpecVersionId, usize)],
    ) -> Result<SpecPieces> {
        let wanted: BTreeSet<(OpenApiSpecVersionId, i32)> = wanted
            .iter()
            .filter_map(|(version, index)| Some((*version, i32::try_from(*index).ok()?)))
            .collect();
        let (versions, ordinals): (Vec<OpenApiSpecVersionId>, Vec<i32>) = wanted.into_iter().unzip();
        let rows: Vec<Piece> =
            LoadPages::bind((specs.organization(), versions, ordinals)).load(self.connection)?;
        let mut pieces = SpecPieces::default();
        for (version_id, ordinal, pointer, body, parts) in rows {
            let version = OpenApiSpecVersionId::from_uuid(version_id);
            match (pointer, usize::try_from(ordinal)) {
                (Some(pointer), _) => {
                    drop(pieces.parts.insert((version, ordinal), SpecPart { pointer, body }))
                }
                (None, Ok(index)) => drop(pieces.pages.insert((version, index), SpecPage { body, parts })),
                (None, Err(_)) => {}
            }
        }
        Ok(pieces)
    }
}
