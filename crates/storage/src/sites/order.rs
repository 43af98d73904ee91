//! Order of the parts of a site: siblings with their positions, read while the site is locked.

use std::collections::HashSet;

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{Bool, Text, Uuid as SqlUuid};
use quire_database::sql_files;
use quire_domain::ids::{SiteSectionGroupId, SiteSectionId, SiteSpaceId, SpaceId};
use quire_domain::positions::{Position, PositionError, RequestedPosition, requested_position};
use quire_domain::sites::Sibling;
use uuid::Uuid;

use super::{LockedSite, invalid};
use crate::Result;
use crate::content::hierarchy::stored_position;
use crate::schema::{site_sections, site_spaces};
use crate::transaction::Tx;

/// Site space with the siblings in its section, or on a site without sections. Deleted spaces keep their site spaces
/// until they are purged or restored.
#[derive(Queryable, Selectable)]
#[diesel(table_name = site_spaces, check_for_backend(Pg))]
pub(super) struct SiblingSpace {
    pub(super) id: SiteSpaceId,
    #[diesel(column_name = space_id)]
    pub(super) space: SpaceId,
    pub(super) path: String,
    pub(super) position: Position,
    pub(super) is_default: bool,
}

sql_files! {
    ListTop(SqlUuid, SqlUuid) -> (SqlUuid, Text, Bool) = "list_top.sql";
}

/// Returns the position requested by `position` in a body.
pub(super) fn placed<K: PartialEq>(
    siblings: &[(K, Position)],
    wanted: &RequestedPosition<K>,
) -> Result<Position> {
    requested_position(siblings, wanted).map_err(|error| {
        let field = match error {
            PositionError::UnknownBefore | PositionError::Contradiction => "position.before",
            PositionError::UnknownAfter => "position.after",
        };
        invalid(field, &error.to_string())
    })
}

/// Returns a new position for one of the siblings.
pub(super) fn moved<K: PartialEq>(
    siblings: impl IntoIterator<Item = (K, Position)>,
    id: &K,
    wanted: &RequestedPosition<K>,
) -> Result<Position> {
    let others: Vec<_> = siblings.into_iter().filter(|(sibling, _)| sibling != id).collect();
    placed(&others, wanted)
}

/// Returns a position after all siblings.
pub(super) fn at_end<'a>(positions: impl Iterator<Item = &'a Position>) -> Position {
    positions.max().map_or_else(Position::first, Position::after)
}

/// Returns the new positions of siblings, some of which are to be in another order. The others keep their places.
fn reordered<K: Copy + PartialEq>(siblings: &[(K, Position)], wanted: &[K]) -> Vec<(K, Position)> {
    let mut named: Vec<K> = Vec::new();
    for name in wanted {
        if siblings.iter().any(|(sibling, _)| sibling == name) && !named.contains(name) {
            named.push(*name);
        }
    }
    let mut next = named.iter().copied();
    let order = siblings.iter().map(|(sibling, _)| match named.contains(sibling) {
        true => next.next().unwrap_or(*sibling),
        false => *sibling,
    });
    let order: Vec<K> = order.collect();
    if order.iter().eq(siblings.iter().map(|(sibling, _)| sibling)) {
        return Vec::new();
    }
    let mut positions: Vec<Position> = siblings.iter().map(|(_, position)| position.clone()).collect();
    if !positions.is_sorted_by(|one, next| one < next) {
        positions = Position::n_evenly(positions.len());
    }
    let placed = order.into_iter().zip(positions);
    placed.filter(|(name, position)| !siblings.contains(&(*name, position.clone()))).collect()
}

impl Tx<'_> {
    /// Puts groups, and sections outside of groups, into an order. Those that are not in `wanted` keep their places.
    /// Returns whether anything changed.
    pub(crate) fn order_top(&mut self, site: &LockedSite, wanted: &[Sibling]) -> Result<bool> {
        let moves = reordered(&self.top_of_site(site)?, wanted);
        for (sibling, position) in &moves {
            match sibling {
                Sibling::Section(section) => self.place_section(site, *section, None, position)?,
                Sibling::Group(group) => self.place_group(site, *group, position)?,
            }
        }
        Ok(!moves.is_empty())
    }

    /// Like [`Tx::order_top`], for the sections of a group.
    pub(crate) fn order_sections(
        &mut self,
        site: &LockedSite,
        group: SiteSectionGroupId,
        wanted: &[SiteSectionId],
    ) -> Result<bool> {
        let moves = reordered(&self.sections_in_group(site, group)?, wanted);
        for (section, position) in &moves {
            self.place_section(site, *section, Some(group), position)?;
        }
        Ok(!moves.is_empty())
    }

    /// Like [`Tx::order_top`], for the site spaces of a section, or of a site without sections.
    pub(crate) fn order_site_spaces(
        &mut self,
        site: &LockedSite,
        section: Option<SiteSectionId>,
        wanted: &[SiteSpaceId],
    ) -> Result<bool> {
        let siblings = self.spaces_in_section(site, section)?.into_iter();
        let siblings: Vec<_> = siblings.map(|sibling| (sibling.id, sibling.position)).collect();
        let moves = reordered(&siblings, wanted);
        for (id, position) in &moves {
            self.place_site_space(site, *id, position)?;
        }
        Ok(!moves.is_empty())
    }

    /// Returns the groups, and the sections outside of groups, in their order.
    pub(super) fn top_of_site(&mut self, site: &LockedSite) -> Result<Vec<(Sibling, Position)>> {
        let (organization, id) = site.keys();
        let rows: Vec<(Uuid, String, bool)> = ListTop::bind((organization, id)).load(self.connection)?;
        let sibling = |(id, position, is_section): (Uuid, String, bool)| {
            let sibling = if is_section { Sibling::Section(id.into()) } else { Sibling::Group(id.into()) };
            Ok((sibling, stored_position(&position)?))
        };
        rows.into_iter().map(sibling).collect()
    }

    /// Returns the sections of a group in their order.
    pub(super) fn sections_in_group(
        &mut self,
        site: &LockedSite,
        group: SiteSectionGroupId,
    ) -> Result<Vec<(SiteSectionId, Position)>> {
        let (organization, id) = site.keys();
        let rows: Vec<(Uuid, String)> = site_sections::table
            .filter(site_sections::organization_id.eq(organization))
            .filter(site_sections::site_id.eq(id))
            .filter(site_sections::group_id.eq(group))
            .order((site_sections::position, site_sections::id))
            .select((site_sections::id, site_sections::position))
            .load(self.connection)?;
        rows.into_iter().map(|(id, position)| Ok((id.into(), stored_position(&position)?))).collect()
    }

    /// Returns the site spaces of a section, or of a site without sections, in their order.
    pub(super) fn spaces_in_section(
        &mut self,
        site: &LockedSite,
        section: Option<SiteSectionId>,
    ) -> Result<Vec<SiblingSpace>> {
        let (organization, id) = site.keys();
        let spaces = site_spaces::table
            .filter(site_spaces::organization_id.eq(organization))
            .filter(site_spaces::site_id.eq(id))
            .filter(site_spaces::section_id.is_not_distinct_from(section.map(Uuid::from)))
            .order((site_spaces::position, site_spaces::id))
            .select(SiblingSpace::as_select());
        Ok(spaces.load(self.connection)?)
    }
}

/// Returns a path that is not in `taken`: the requested one, or with the suffix `-1`, `-2`…
pub(crate) fn free_path<'a>(wanted: &str, taken: impl Iterator<Item = &'a str>) -> String {
    const LONGEST: usize = 100;
    let taken: HashSet<&str> = taken.collect();
    let is_free = |path: &str| !taken.contains(path);
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
    use super::*;

    #[test]
    fn a_taken_path_gets_a_number() {
        let taken = ["guide", "guide-1"];
        assert_eq!(free_path("api", taken.into_iter()), "api");
        assert_eq!(free_path("guide", taken.into_iter()), "guide-2");
        let long = "a".repeat(100);
        let next = free_path(&long, [long.as_str()].into_iter());
        assert_eq!((next.len(), next.ends_with("a-1")), (100, true));
    }

    #[test]
    fn siblings_that_are_not_named_keep_their_places() {
        let positions = Position::n_evenly(4);
        let siblings: Vec<_> = "abcd".chars().zip(positions).collect();
        let order = |wanted: &str| {
            let mut order = siblings.clone();
            for (name, position) in reordered(&siblings, &wanted.chars().collect::<Vec<_>>()) {
                order.iter_mut().find(|(sibling, _)| *sibling == name).unwrap().1 = position;
            }
            order.sort_by(|(_, one), (_, other)| one.cmp(other));
            order.into_iter().map(|(name, _)| name).collect::<String>()
        };
        for (wanted, expected) in
            [("", "abcd"), ("da", "dbca"), ("dcba", "dcba"), ("cax", "cbad"), ("bb", "abcd"), ("dda", "dbca")]
        {
            assert_eq!(order(wanted), expected, "{wanted}");
        }
        assert!(reordered(&siblings, &['a', 'c']).is_empty());
        assert_eq!(reordered(&siblings, &['b', 'a']).len(), 2);
        // Equal positions become distinct.
        let same: Vec<_> = "ab".chars().map(|name| (name, Position::first())).collect();
        let mut moved = same.clone();
        for (name, position) in reordered(&same, &['b', 'a']) {
            moved.iter_mut().find(|(sibling, _)| *sibling == name).unwrap().1 = position;
        }
        assert!(moved[1].1 < moved[0].1, "{moved:?}");
    }
}
