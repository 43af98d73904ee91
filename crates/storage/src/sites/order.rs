//! The order of what stands on a site: siblings with their positions, read under the site's lock.

use diesel::prelude::*;
use diesel::sql_types::{Bool, Nullable, Text, Uuid as SqlUuid};
use quire_domain::ids::{SiteSectionGroupId, SiteSectionId, SiteSpaceId, SpaceId};
use quire_domain::positions::{PlaceError, Position, Wanted, place};
use quire_domain::sites::Sibling;
use uuid::Uuid;

use super::{LockedSite, invalid, require_room};
use crate::list::CountRow;
use crate::statement::{Sql, statements, val};
use crate::transaction::Tx;
use crate::{Error, Result};

statements! {
    TopOfSite = "SELECT id, position, true AS is_section FROM site_sections \
                 WHERE organization_id = $1 AND site_id = $2 AND group_id IS NULL \
                 UNION ALL SELECT id, position, false FROM site_section_groups WHERE organization_id = $1 AND site_id = $2 \
                 ORDER BY position, id";
    SectionsInGroup = "SELECT id, position, true AS is_section FROM site_sections \
                       WHERE organization_id = $1 AND site_id = $2 AND group_id = $3 ORDER BY position, id";
    SpacesInPlace = "SELECT id, space_id, path, position, is_default FROM site_spaces \
                     WHERE organization_id = $1 AND site_id = $2 AND section_id IS NOT DISTINCT FROM $3 ORDER BY position, id";
}

#[derive(QueryableByName)]
struct SiblingRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Text)]
    position: String,
    #[diesel(sql_type = Bool)]
    is_section: bool,
}

#[derive(QueryableByName)]
struct PlacedRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = SqlUuid)]
    space_id: Uuid,
    #[diesel(sql_type = Text)]
    path: String,
    #[diesel(sql_type = Text)]
    position: String,
    #[diesel(sql_type = Bool)]
    is_default: bool,
}

/// A space that stands in the same section, or on the same site without sections. Deleted spaces keep their place until they
/// are purged or come back.
pub(super) struct Placed {
    pub(super) id: SiteSpaceId,
    pub(super) space: SpaceId,
    pub(super) path: String,
    pub(super) position: Position,
    pub(super) is_default: bool,
}

fn position(text: &str) -> Result<Position> {
    text.parse().map_err(|error| Error::corrupt("a position is damaged", anyhow::Error::from(error)))
}

/// A position that was asked for by a body's `position`.
pub(super) fn placed<K: PartialEq>(siblings: &[(K, Position)], wanted: &Wanted<K>) -> Result<Position> {
    place(siblings, wanted).map_err(|error| {
        let field = match error {
            PlaceError::UnknownBefore | PlaceError::Contradiction => "position.before",
            PlaceError::UnknownAfter => "position.after",
        };
        invalid(field, &error.to_string())
    })
}

/// A position among siblings, of which one is moved.
pub(super) fn moved<K: PartialEq>(
    siblings: impl IntoIterator<Item = (K, Position)>,
    id: &K,
    wanted: &Wanted<K>,
) -> Result<Position> {
    let others: Vec<_> = siblings.into_iter().filter(|(sibling, _)| sibling != id).collect();
    placed(&others, wanted)
}

/// A position after all siblings.
pub(super) fn at_end<'a>(positions: impl Iterator<Item = &'a Position>) -> Position {
    positions.max().map_or_else(Position::first, Position::after)
}

impl Tx<'_> {
    /// Checks that a site may have one more of the parts that a statement counts.
    pub(super) fn require_room_for<Count: Sql>(
        &mut self,
        site: &LockedSite,
        most: u64,
        things: &str,
    ) -> Result<()> {
        let (organization, id) = site.keys();
        let present: CountRow = Count::bind((val::<SqlUuid, _>(organization), val::<SqlUuid, _>(id)))
            .get_result(self.connection)?;
        require_room(usize::try_from(present.total).unwrap_or(usize::MAX), 1, most, things)
    }

    /// Executes a statement about one part of a site.
    pub(super) fn on_part<S: Sql>(&mut self, site: &LockedSite, part: &Uuid) -> Result<()> {
        let (organization, id) = site.keys();
        S::bind((val::<SqlUuid, _>(organization), val::<SqlUuid, _>(id), val::<SqlUuid, _>(*part)))
            .execute(self.connection)?;
        Ok(())
    }

    /// Writes the position of a part of a site.
    pub(super) fn set_position<S: Sql>(
        &mut self,
        site: &LockedSite,
        part: &Uuid,
        position: &Position,
    ) -> Result<()> {
        let (organization, id) = site.keys();
        S::bind((
            val::<SqlUuid, _>(organization),
            val::<SqlUuid, _>(id),
            val::<SqlUuid, _>(*part),
            val::<Text, _>(position.to_string()),
        ))
        .execute(self.connection)?;
        Ok(())
    }

    /// Groups, and sections outside of groups, in their order.
    pub(super) fn top_of_site(&mut self, site: &LockedSite) -> Result<Vec<(Sibling, Position)>> {
        let (organization, id) = site.keys();
        let rows: Vec<SiblingRow> = TopOfSite::bind((val::<SqlUuid, _>(organization), val::<SqlUuid, _>(id)))
            .load(self.connection)?;
        rows.into_iter().map(sibling).collect()
    }

    /// The sections of a group in their order.
    pub(super) fn sections_in_group(
        &mut self,
        site: &LockedSite,
        group: SiteSectionGroupId,
    ) -> Result<Vec<(Sibling, Position)>> {
        let (organization, id) = site.keys();
        let rows: Vec<SiblingRow> = SectionsInGroup::bind((
            val::<SqlUuid, _>(organization),
            val::<SqlUuid, _>(id),
            val::<SqlUuid, _>(*group.as_uuid()),
        ))
        .load(self.connection)?;
        rows.into_iter().map(sibling).collect()
    }

    /// The spaces of a section, or of the site itself, in their order.
    pub(super) fn spaces_in_place(
        &mut self,
        site: &LockedSite,
        section: Option<SiteSectionId>,
    ) -> Result<Vec<Placed>> {
        let (organization, id) = site.keys();
        let rows: Vec<PlacedRow> = SpacesInPlace::bind((
            val::<SqlUuid, _>(organization),
            val::<SqlUuid, _>(id),
            val::<Nullable<SqlUuid>, _>(section.map(|section| *section.as_uuid())),
        ))
        .load(self.connection)?;
        rows.into_iter()
            .map(|row| {
                Ok(Placed {
                    id: SiteSpaceId::from_uuid(row.id),
                    space: SpaceId::from_uuid(row.space_id),
                    path: row.path,
                    position: position(&row.position)?,
                    is_default: row.is_default,
                })
            })
            .collect()
    }
}

fn sibling(row: SiblingRow) -> Result<(Sibling, Position)> {
    let sibling = if row.is_section {
        Sibling::Section(SiteSectionId::from_uuid(row.id))
    } else {
        Sibling::Group(SiteSectionGroupId::from_uuid(row.id))
    };
    Ok((sibling, position(&row.position)?))
}

/// A path that none of `taken` has: the wanted one, or that with `-1`, `-2`…
pub(super) fn free_path<'a>(wanted: &str, taken: impl Iterator<Item = &'a str> + Clone) -> String {
    const LONGEST: usize = 100;
    let is_free = |path: &str| taken.clone().all(|other| other != path);
    if is_free(wanted) {
        return wanted.to_owned();
    }
    let mut number = 1_u32;
    loop {
        let suffix = format!("-{number}");
        let head: String = wanted.chars().take(LONGEST.saturating_sub(suffix.len())).collect();
        let path = format!("{head}{suffix}");
        if is_free(&path) {
            return path;
        }
        number = number.saturating_add(1);
    }
}

#[cfg(test)]
mod tests {
    use super::free_path;

    #[test]
    fn a_taken_path_gets_a_number() {
        let taken = ["guide", "guide-1"];
        assert_eq!(free_path("api", taken.into_iter()), "api");
        assert_eq!(free_path("guide", taken.into_iter()), "guide-2");
        let long = "a".repeat(100);
        let next = free_path(&long, [long.as_str()].into_iter());
        assert_eq!((next.len(), next.ends_with("a-1")), (100, true));
    }
}
