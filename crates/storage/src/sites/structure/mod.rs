//! What stands on a site, read: a fixed number of statements for any number of sections and spaces.

mod groups;
mod sections;
mod spaces;

use diesel::PgConnection;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Text, Uuid as SqlUuid};
use quire_domain::Role;
use quire_domain::ids::{SiteSectionGroupId, SiteSectionId, SiteSpaceId};

use crate::Result;
use crate::list::{CountRow, Slice, fetch_limit};
use crate::lookup::{ReadableSite, SpaceRecord};
use crate::statement::{Sql, val};

/// A section as it is stored.
#[derive(Clone, Debug)]
pub struct SectionRecord {
    /// Its id.
    pub id: SiteSectionId,
    /// The group that it stands in.
    pub group: Option<SiteSectionGroupId>,
    /// Its title.
    pub title: String,
    /// What it is about.
    pub description: Option<String>,
    /// Its path on the site.
    pub path: String,
    /// Which visitors see it.
    pub condition: Option<String>,
    /// The name of its icon.
    pub icon: Option<String>,
    /// Whether it is the site's default.
    pub is_default: bool,
    /// Orders the sections of a site.
    pub order_key: String,
}

/// A space's place on a site as it is stored.
#[derive(Clone, Debug)]
pub struct SiteSpaceRecord {
    /// Its id.
    pub id: SiteSpaceId,
    /// The section that it stands in.
    pub section: Option<SiteSectionId>,
    /// That section's path.
    pub section_path: Option<String>,
    /// Its path in its section, or on the site.
    pub path: String,
    /// Which visitors see it.
    pub condition: Option<String>,
    /// Whether it is the default of its section, or of a site without sections.
    pub is_default: bool,
    /// The space.
    pub space: SpaceRecord,
    /// The reader's role on the space.
    pub role: Option<Role>,
    /// Orders the spaces of a site.
    pub order_key: String,
}

/// A group of sections as it is stored.
#[derive(Clone, Debug)]
pub struct GroupRecord {
    /// Its id.
    pub id: SiteSectionGroupId,
    /// Its title.
    pub title: String,
    /// The name of its icon.
    pub icon: Option<String>,
    /// Orders the groups of a site among each other and among sections.
    pub position: String,
}

/// A section with the spaces in it, as far as the reader may see them.
#[derive(Clone, Debug)]
pub struct Section {
    /// The section.
    pub section: SectionRecord,
    /// The spaces.
    pub site_spaces: Vec<SiteSpaceRecord>,
}

/// A group with its sections.
#[derive(Clone, Debug)]
pub struct Group {
    /// The group.
    pub group: GroupRecord,
    /// The sections.
    pub sections: Vec<Section>,
}

/// The organization's and the site's id as values.
macro_rules! keys {
    ($site:expr) => {
        (val::<SqlUuid, _>(*$site.organization.as_uuid()), val::<SqlUuid, _>(*$site.id.as_uuid()))
    };
}

use keys;

/// A slice of what stands on a site, by its key: what `List` finds after a key and up to a limit, and what `Count` counts.
fn slice_on_site<List: Sql, Count: Sql, Row: QueryableByName<Pg> + 'static>(
    connection: &mut PgConnection,
    site: ReadableSite<'_>,
    after: Option<&str>,
    limit: u16,
) -> Result<Slice<Row>> {
    let (organization, id) = keys!(site);
    let after = val::<Nullable<Text>, _>(after.map(str::to_owned));
    let rows =
        List::bind((organization, id, after, val::<BigInt, _>(fetch_limit(limit)))).load(connection)?;
    let count: CountRow = Count::bind(keys!(site)).get_result(connection)?;
    Ok(Slice::cut(rows, limit, count.total))
}
