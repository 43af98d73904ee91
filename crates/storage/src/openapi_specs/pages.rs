//! The pages of a version, read one at a time.

use std::collections::HashMap;
use std::sync::Arc;

use diesel::prelude::*;
use diesel::sql_types::{Array, Integer, Nullable, Text, Uuid as SqlUuid};
use quire_domain::ids::{OpenApiSpecId, OpenApiSpecVersionId};
use quire_domain::openapi_specs::SpecSlug;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::lookup::{Authorized, ContentAt};
use crate::statement::{Sql, statements, val};
use crate::transaction::Reader;
use crate::{Error, Result, stored};

/// What a page of a version shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PageKind {
    /// What the specification says of itself.
    Info,
    /// A tag, with its operations below it.
    Tag,
    /// An operation.
    Operation,
    /// All models, which stand below it.
    Models,
    /// A model.
    Model,
}

impl PageKind {
    /// The stored word.
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

/// A specification that content is computed from, with the version to compute it from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecOf {
    /// Its id.
    pub id: OpenApiSpecId,
    /// Its slug.
    pub slug: SpecSlug,
    /// Its last version.
    pub version: OpenApiSpecVersionId,
}

/// The pages of a version without their bodies, each after the one it stands below.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outline {
    /// The version.
    pub version: OpenApiSpecVersionId,
    /// Its pages; a page's ordinal is its index.
    pub pages: Vec<OutlinePage>,
}

/// A page of an [`Outline`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutlinePage {
    /// The index of the page it stands below.
    pub parent: Option<usize>,
    /// What it shows.
    pub kind: PageKind,
    /// Its place in the specification, a JSON pointer.
    pub place: String,
    /// Its title.
    pub title: String,
    /// Its part of the path.
    pub slug: String,
    /// A sentence about it.
    pub description: Option<String>,
}

/// The body of a page with what it refers to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SpecPage {
    /// What the page is made of, in JSON.
    pub body: String,
    /// What it refers to, in JSON, by the JSON pointers that references name.
    pub parts: HashMap<String, String>,
}

impl Outline {
    /// About how many bytes it takes in memory.
    pub(crate) fn approximate_bytes(&self) -> u32 {
        let of = |page: &OutlinePage| {
            let texts = [&page.place, &page.title, &page.slug];
            size_of::<OutlinePage>()
                + texts.into_iter().chain(&page.description).map(String::len).sum::<usize>()
        };
        u32::try_from(self.pages.iter().map(of).sum::<usize>()).unwrap_or(u32::MAX)
    }
}

#[derive(QueryableByName)]
struct SpecRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Text)]
    slug: String,
    #[diesel(sql_type = SqlUuid)]
    version_id: Uuid,
}

#[derive(QueryableByName)]
struct OutlineRow {
    #[diesel(sql_type = SqlUuid)]
    version_id: Uuid,
    #[diesel(sql_type = Nullable<Integer>)]
    parent: Option<i32>,
    #[diesel(sql_type = Text)]
    kind: String,
    #[diesel(sql_type = Text)]
    place: String,
    #[diesel(sql_type = Text)]
    title: String,
    #[diesel(sql_type = Text)]
    slug: String,
    #[diesel(sql_type = Nullable<Text>)]
    description: Option<String>,
}

#[derive(QueryableByName)]
struct BodyRow {
    #[diesel(sql_type = Nullable<Text>)]
    place: Option<String>,
    #[diesel(sql_type = Text)]
    body: String,
}

statements! {
    FindSpecs = "SELECT id, slug, last_version_id AS version_id FROM openapi_specs \
                 WHERE organization_id = $1 AND (slug = ANY ($2) OR id = ANY ($3)) AND last_version_id IS NOT NULL";
    LoadOutlines = "SELECT version_id, parent, kind, place, title, slug, description FROM openapi_spec_pages \
                    WHERE organization_id = $1 AND version_id = ANY ($2) ORDER BY version_id, ordinal";
    LoadPage = "WITH page AS (SELECT body, parts FROM openapi_spec_pages WHERE organization_id = $1 AND version_id = $2 AND ordinal = $3) \
                SELECT NULL::text AS place, body FROM page \
                UNION ALL SELECT p.place, p.body FROM page JOIN openapi_spec_parts p \
                  ON p.organization_id = $1 AND p.version_id = $2 AND p.ordinal = ANY (page.parts)";
}

impl Reader<'_> {
    /// The specifications of the content's organization with these slugs or ids, by the name they were asked by; those that have no
    /// version yet are left out. One statement.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn specs_named(
        &mut self,
        content: &Authorized<ContentAt>,
        names: &[&str],
    ) -> Result<HashMap<String, SpecOf>> {
        let ids: Vec<Uuid> = names
            .iter()
            .filter_map(|name| name.parse::<OpenApiSpecId>().ok())
            .map(|id| *id.as_uuid())
            .collect();
        let rows: Vec<SpecRow> = FindSpecs::bind((
            val::<SqlUuid, _>(*content.space.organization.as_uuid()),
            val::<Array<Text>, _>(names),
            val::<Array<SqlUuid>, _>(ids),
        ))
        .load(self.connection)?;
        let mut specs = HashMap::with_capacity(rows.len());
        let mut by_id = Vec::new();
        for SpecRow { id, slug, version_id } in rows {
            let spec = SpecOf {
                id: OpenApiSpecId::from_uuid(id),
                slug: stored(&slug)?,
                version: OpenApiSpecVersionId::from_uuid(version_id),
            };
            by_id.push((id.to_string(), spec.clone()));
            specs.insert(slug, spec);
        }
        // A slug may look like the id of another specification, and then means the one whose slug it is.
        for (id, spec) in by_id {
            for name in names.iter().filter(|name| name.eq_ignore_ascii_case(&id)) {
                specs.entry((*name).to_owned()).or_insert_with(|| spec.clone());
            }
        }
        Ok(specs)
    }

    /// The pages of these versions: one statement, none when they are cached.
    ///
    /// # Errors
    /// When the statement fails.
    pub fn outlines(
        &mut self,
        content: &Authorized<ContentAt>,
        versions: &[OpenApiSpecVersionId],
    ) -> Result<HashMap<OpenApiSpecVersionId, Arc<Outline>>> {
        let cache = &self.storage.caches().outlines;
        let mut outlines = HashMap::with_capacity(versions.len());
        let mut missing = HashMap::new();
        for version in versions {
            match cache.get(version) {
                Some(outline) => drop(outlines.insert(*version, outline)),
                None => drop(missing.insert(*version, Outline { version: *version, pages: Vec::new() })),
            }
        }
        if missing.is_empty() {
            return Ok(outlines);
        }
        let rows: Vec<OutlineRow> = LoadOutlines::bind((
            val::<SqlUuid, _>(*content.space.organization.as_uuid()),
            val::<Array<SqlUuid>, _>(missing.keys().map(|id| *id.as_uuid()).collect::<Vec<_>>()),
        ))
        .load(self.connection)?;
        for row in rows {
            let version = OpenApiSpecVersionId::from_uuid(row.version_id);
            let Some(outline) = missing.get_mut(&version) else { continue };
            outline.pages.push(OutlinePage {
                parent: row.parent.and_then(|parent| usize::try_from(parent).ok()),
                kind: stored(&row.kind)?,
                place: row.place,
                title: row.title,
                slug: row.slug,
                description: row.description,
            });
        }
        // A version without pages was pruned while this was read: it must not be remembered as empty.
        for (version, outline) in missing.into_iter().filter(|(_, outline)| !outline.pages.is_empty()) {
            let outline = Arc::new(outline);
            cache.insert(version, outline.clone());
            outlines.insert(version, outline);
        }
        Ok(outlines)
    }

    /// A page of a version with all that it refers to: one statement.
    ///
    /// # Errors
    /// [`Error::NotFound`] when the version has no such page.
    pub fn spec_page(
        &mut self,
        content: &Authorized<ContentAt>,
        version: OpenApiSpecVersionId,
        index: usize,
    ) -> Result<SpecPage> {
        let rows: Vec<BodyRow> = LoadPage::bind((
            val::<SqlUuid, _>(*content.space.organization.as_uuid()),
            val::<SqlUuid, _>(*version.as_uuid()),
            val::<Integer, _>(i32::try_from(index).map_err(|_| Error::NotFound)?),
        ))
        .load(self.connection)?;
        let mut page = None;
        let mut parts = HashMap::with_capacity(rows.len());
        for row in rows {
            match row.place {
                None => page = Some(row.body),
                Some(place) => drop(parts.insert(place, row.body)),
            }
        }
        Ok(SpecPage { body: page.ok_or(Error::NotFound)?, parts })
    }
}
