//! Targets of links outside of the space's content: other spaces, collections, users and OpenAPI specifications.

use std::collections::{BTreeSet, HashMap};
use std::hash::Hash;
use std::sync::Arc;

use diesel::dsl;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{Array, Nullable, Text, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::Role;
use quire_domain::ids::{CollectionId, OpenApiSpecId, OrganizationId, SpaceId, UserId};
use quire_domain::policy::{self, Action};
use uuid::Uuid;

use super::target::Elsewhere;
use crate::Result;
use crate::content::collections::{CollectionRecord, collections_with_access};
use crate::content::openapi_specs::{OpenApiSpecRecord, ReadableSpecs};
use crate::content::spaces::SpaceRecord;
use crate::content::spaces::spaces_with_access;
use crate::lookup::{Authorized, UserRecord, role_from_rank};
use crate::people::organizations::OrganizationRecord;
use crate::sites::SharedSpace;
use crate::sites::published::PublishedSite;
use crate::transaction::Reader;
use crate::views::{collection_access, space_access};

sql_files! {
    FindPresent(SqlUuid, Array<SqlUuid>, Array<SqlUuid>, Array<SqlUuid>, Array<Text>, Array<SqlUuid>)
        -> (Text, SqlUuid, Nullable<Text>) = "present.sql";
    FindSpacesOfSite(SqlUuid, Array<SqlUuid>)
        -> dsl::SqlTypeOf<dsl::AsSelect<SpaceRecord, Pg>> = "spaces.sql" of SpaceRecord;
    FindUsersAndSpecs(SqlUuid, Array<SqlUuid>, Array<Text>, Array<SqlUuid>)
        -> (
            dsl::SqlTypeOf<dsl::AsSelect<UserRecord, Pg>>,
            Nullable<dsl::SqlTypeOf<<OpenApiSpecRecord as Selectable<Pg>>::SelectExpression>>,
        ) = "users_and_specs.sql";
}

/// Targets of links outside of their space that the actor may see.
#[derive(Clone, Debug, Default)]
pub struct ExternalTargets {
    /// Spaces, with the actor's role on each.
    pub spaces: HashMap<SpaceId, (SpaceRecord, Option<Role>)>,
    /// Collections, with the actor's role on each.
    pub collections: HashMap<CollectionId, (CollectionRecord, Option<Role>)>,
    /// Users.
    pub users: HashMap<UserId, UserRecord>,
    /// Spaces of the site that the actor visits.
    pub visited_spaces: HashMap<SpaceId, SharedSpace>,
    /// OpenAPI specifications, by their name in the references.
    pub specifications: HashMap<Arc<str>, Authorized<OpenApiSpecRecord>>,
}

/// Ids to look up, by kind.
#[derive(Default)]
struct RequestedIds<'a> {
    spaces: BTreeSet<SpaceId>,
    collections: BTreeSet<CollectionId>,
    users: BTreeSet<UserId>,
    specifications: BTreeSet<&'a Arc<str>>,
}

impl<'a> FromIterator<&'a Elsewhere> for RequestedIds<'a> {
    fn from_iter<I: IntoIterator<Item = &'a Elsewhere>>(all: I) -> Self {
        let mut wanted = Self::default();
        for id in all {
            match id {
                Elsewhere::Space(id) => drop(wanted.spaces.insert(*id)),
                Elsewhere::Collection(id) => drop(wanted.collections.insert(*id)),
                Elsewhere::User(id) => drop(wanted.users.insert(*id)),
                Elsewhere::Specification(name) => drop(wanted.specifications.insert(name)),
            }
        }
        wanted
    }
}

impl<'a> RequestedIds<'a> {
    fn slugs(&self) -> Vec<&str> {
        self.specifications.iter().map(|name| &***name).collect()
    }

    fn specification_ids(&self) -> Vec<OpenApiSpecId> {
        let ids = self.specifications.iter().filter_map(|name| name.parse::<OpenApiSpecId>().ok());
        ids.collect()
    }

    /// Returns the requested names that refer to the specification with this id and slug.
    fn names_of(&self, id: OpenApiSpecId, slug: &str) -> impl Iterator<Item = &'a Arc<str>> {
        let is_meant =
            move |name: &str| name == slug || name.parse::<OpenApiSpecId>().is_ok_and(|named| named == id);
        self.specifications.iter().copied().filter(move |name| is_meant(name))
    }
}

fn listed<T>(ids: BTreeSet<T>) -> Vec<T> {
    ids.into_iter().collect()
}

/// Returns the records whose role permits the actor to see them, by id, with the role.
fn seen<Record, Id: Eq + Hash>(
    rows: Vec<(Option<i16>, Record)>,
    view: Action,
    id: fn(&Record) -> Id,
) -> Result<HashMap<Id, (Record, Option<Role>)>> {
    let mut seen = HashMap::with_capacity(rows.len());
    for (role, record) in rows {
        let role = role_from_rank(role)?;
        if policy::allows(role, view) {
            seen.insert(id(&record), (record, role));
        }
    }
    Ok(seen)
}

impl Reader<'_> {
    /// Returns the targets of `all` that exist in an organization, and of its specifications those that the actor may
    /// see. Takes one statement besides those of [`Reader::shown_specs`], or none without targets.
    pub(super) fn present_elsewhere(
        &mut self,
        organization: OrganizationId,
        specs: ReadableSpecs,
        all: &BTreeSet<Elsewhere>,
    ) -> Result<BTreeSet<Elsewhere>> {
        if all.is_empty() {
            return Ok(BTreeSet::new());
        }
        let mut wanted: RequestedIds<'_> = all.iter().collect();
        let rows: Vec<(String, Uuid, Option<String>)> = FindPresent::bind((
            organization,
            listed(std::mem::take(&mut wanted.spaces)),
            listed(std::mem::take(&mut wanted.collections)),
            listed(std::mem::take(&mut wanted.users)),
            wanted.slugs(),
            wanted.specification_ids(),
        ))
        .load(self.connection)?;
        let shown = match wanted.specifications.is_empty() {
            true => None,
            false => self.shown_specs(specs)?,
        };
        let mut present = BTreeSet::new();
        for (kind, id, slug) in rows {
            match (kind.as_str(), slug) {
                ("space", _) => drop(present.insert(Elsewhere::Space(SpaceId::from_uuid(id)))),
                ("collection", _) => drop(present.insert(Elsewhere::Collection(CollectionId::from_uuid(id)))),
                ("user", _) => drop(present.insert(Elsewhere::User(UserId::from_uuid(id)))),
                (_, slug) => {
                    let id_of_spec = OpenApiSpecId::from_uuid(id);
                    if shown.as_ref().is_some_and(|shown| !shown.contains(&id_of_spec)) {
                        continue;
                    }
                    let names = wanted.names_of(id_of_spec, slug.as_deref().unwrap_or_default());
                    present.extend(names.map(|name| Elsewhere::Specification(Arc::clone(name))));
                }
            }
        }
        Ok(present)
    }

    /// Returns the records to which links outside of their space refer. Takes at most three statements. `site` is the
    /// site of a visitor.
    pub(super) fn find_external_targets<'a>(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        targets: impl Iterator<Item = &'a Elsewhere>,
        site: Option<&PublishedSite>,
    ) -> Result<ExternalTargets> {
        let mut wanted: RequestedIds<'_> = targets.collect();
        let (spaces, collections) =
            (std::mem::take(&mut wanted.spaces), std::mem::take(&mut wanted.collections));
        let (spaces, visited_spaces) = match site {
            Some(site) => (HashMap::new(), self.find_target_spaces_of_site(site, listed(spaces))?),
            None => (self.find_target_spaces(organization.id, listed(spaces))?, HashMap::new()),
        };
        let mut seen = ExternalTargets {
            spaces,
            visited_spaces,
            collections: self.find_target_collections(organization.id, listed(collections))?,
            ..ExternalTargets::default()
        };
        self.find_target_users_and_specifications(organization, wanted, &mut seen)?;
        Ok(seen)
    }

    fn find_target_spaces(
        &mut self,
        organization: OrganizationId,
        ids: Vec<SpaceId>,
    ) -> Result<HashMap<SpaceId, (SpaceRecord, Option<Role>)>> {
        if ids.is_empty() {
            return Ok(HashMap::new());
        }
        let rows = spaces_with_access()
            .filter(self.token_is_valid::<space_access::table>())
            .filter(space_access::organization_id.eq(organization))
            .filter(space_access::id.eq_any(ids))
            .filter(space_access::deleted_at.is_null())
            .select((space_access::role, SpaceRecord::as_select()))
            .load(self.connection)?;
        seen(rows, Action::ViewSpace, |space: &SpaceRecord| space.id)
    }

    fn find_target_spaces_of_site(
        &mut self,
        site: &PublishedSite,
        ids: Vec<SpaceId>,
    ) -> Result<HashMap<SpaceId, SharedSpace>> {
        if ids.is_empty() {
            return Ok(HashMap::new());
        }
        let records: Vec<SpaceRecord> =
            FindSpacesOfSite::bind((site.site.organization, ids)).load(self.connection)?;
        let shown = records.into_iter().filter_map(|space| {
            let on_site = site.spaces.iter().find(|own| own.space == space.id)?;
            Some((space.id, site.shared(on_site, space)))
        });
        Ok(shown.collect())
    }

    fn find_target_collections(
        &mut self,
        organization: OrganizationId,
        ids: Vec<CollectionId>,
    ) -> Result<HashMap<CollectionId, (CollectionRecord, Option<Role>)>> {
        if ids.is_empty() {
            return Ok(HashMap::new());
        }
        let rows = collections_with_access()
            .filter(self.token_is_valid::<collection_access::table>())
            .filter(collection_access::organization_id.eq(organization))
            .filter(collection_access::id.eq_any(ids))
            .select((collection_access::role, CollectionRecord::as_select()))
            .load(self.connection)?;
        seen(rows, Action::ViewCollection, |collection: &CollectionRecord| collection.id)
    }

    fn find_target_users_and_specifications(
        &mut self,
        organization: &Authorized<OrganizationRecord>,
        mut wanted: RequestedIds<'_>,
        seen: &mut ExternalTargets,
    ) -> Result<()> {
        if wanted.users.is_empty() && wanted.specifications.is_empty() {
            return Ok(());
        }
        let rows: Vec<(UserRecord, Option<OpenApiSpecRecord>)> = FindUsersAndSpecs::bind((
            organization.id,
            listed(std::mem::take(&mut wanted.users)),
            wanted.slugs(),
            wanted.specification_ids(),
        ))
        .load(self.connection)?;
        for (user, specification) in rows {
            if let Some(id) = user.id() {
                seen.users.insert(id, user);
            }
            let Some(record) = specification else { continue };
            // Guests see no specifications of the organization. For a visitor, only the visible ones are requested.
            if !organization.may(Action::ViewOrganizationContent) {
                continue;
            }
            let names: Vec<_> = wanted.names_of(record.id, record.slug.as_str()).collect();
            for name in names {
                let meant_by_slug = name.as_ref() == record.slug.as_str();
                // A slug may have the form of another specification's id. The slug takes precedence.
                if meant_by_slug || !seen.specifications.contains_key(name) {
                    seen.specifications.insert(Arc::clone(name), organization.with(record.clone())?);
                }
            }
        }
        Ok(())
    }
}
