//! Targets of the references in documents.

use std::collections::{BTreeSet, HashMap};

use quire_domain::ids::{PageId, SpaceId, UserId};
use quire_domain::policy::Action;
use quire_markup::ContentRef;
use quire_render::{Target, link_address};
use quire_revision::{FileNode, PageType, Tree};
use quire_storage::Reader;
use quire_storage::content::spaces::SpaceRecord;
use quire_storage::content::store::{ContentAt, ContentPoint as _};
use quire_storage::lookup::{Authorized, ContentKey, Credentials};
use quire_storage::people::organizations::OrganizationRecord;

use crate::Result;
use crate::computed::{Expansions, expand};

/// Maximum number of other spaces in which references of a page are looked up.
const MOST_SPACES: usize = 20;
/// Maximum number of users whose names a page shows.
const MOST_PEOPLE: usize = 500;

/// Addresses that rendered documents link to.
pub trait Addresses {
    /// Returns the address of the page at a path. `None` as the space means the space of the content.
    fn page(&self, space: Option<SpaceId>, path: &str) -> String;

    /// Returns the address of a space.
    fn space(&self, space: SpaceId) -> String;

    /// Returns the address of the bytes of a file.
    fn file(&self, space: SpaceId, file: &FileNode) -> String;
}

/// Loader of the targets of references.
pub struct Targets<'a> {
    addresses: &'a dyn Addresses,
    expansions: &'a Expansions,
    /// Space of the content.
    space: SpaceId,
    /// Tree of the content.
    tree: &'a Tree,
    /// Other spaces, with trees if their pages or files are referred to.
    others: HashMap<SpaceId, (SpaceRecord, Tree)>,
}

impl<'a> Targets<'a> {
    /// Creates the loader for content of a space with this tree.
    #[must_use]
    pub fn new(
        addresses: &'a dyn Addresses,
        expansions: &'a Expansions,
        space: SpaceId,
        tree: &'a Tree,
    ) -> Self {
        Self { addresses, expansions, space, tree, others: HashMap::new() }
    }

    /// Returns the targets that the caller may see. Sends at most three statements, plus those that load trees of other
    /// spaces.
    ///
    /// # Errors
    /// If a stored tree is damaged.
    pub fn load(
        mut self,
        reader: &mut Reader<'_>,
        caller: Credentials,
        organization: &Authorized<OrganizationRecord>,
        content: &Authorized<ContentAt>,
        wanted: BTreeSet<ContentRef>,
    ) -> Result<HashMap<ContentRef, Target>> {
        self.load_others(reader, caller, organization, &wanted)?;
        let people = people(reader, content, &wanted)?;
        let found =
            wanted.into_iter().filter_map(|reference| Some((self.target(&reference, &people)?, reference)));
        Ok(found.map(|(target, reference)| (reference, target)).collect())
    }

    fn load_others(
        &mut self,
        reader: &mut Reader<'_>,
        caller: Credentials,
        organization: &Authorized<OrganizationRecord>,
        wanted: &BTreeSet<ContentRef>,
    ) -> Result<()> {
        let named = wanted.iter().filter_map(space_named).filter_map(|space| space.parse::<SpaceId>().ok());
        let named: BTreeSet<SpaceId> = named.filter(|space| *space != self.space).collect();
        let named: Vec<SpaceId> = named.into_iter().take(MOST_SPACES).collect();
        if named.is_empty() {
            return Ok(());
        }
        let spaces = reader.visible_spaces(organization, &named)?;
        let keys: Vec<ContentKey> = spaces
            .iter()
            .map(|space| ContentKey { credentials: caller, space: space.id, revision: None })
            .collect();
        if keys.is_empty() {
            return Ok(());
        }
        let heads = reader.content_heads(&keys)?;
        for (space, head) in spaces.into_iter().zip(heads) {
            let Some(head) = head else { continue };
            let Ok(head) = head.found.authorize(Action::ViewSpace) else { continue };
            let tree = reader.tree(&head)?;
            let (tree, _) = expand(reader, head.readable_specs(), tree, Some(self.expansions))?;
            self.others.insert(space.id, (space.into_inner(), tree));
        }
        Ok(())
    }

    /// Returns the tree of the space of a reference, and the id if it is another space.
    fn tree_of(&self, space: Option<&String>) -> Option<(Option<SpaceId>, &Tree)> {
        let id = match space {
            None => self.space,
            Some(space) => space.parse().ok()?,
        };
        if id == self.space {
            return Some((None, self.tree));
        }
        let (_, tree) = self.others.get(&id)?;
        Some((Some(id), tree))
    }

    fn target(&self, reference: &ContentRef, people: &HashMap<UserId, String>) -> Option<Target> {
        match reference {
            ContentRef::Url { url } => {
                link_address(url).map(|address| Target { address, ..Target::default() })
            }
            ContentRef::Page { page, space } => self.page(page.parse().ok()?, space.as_ref()),
            ContentRef::Anchor { anchor, page: Some(page), space } => {
                let target = self.page(page.parse().ok()?, space.as_ref())?;
                Some(Target { address: format!("{}#{anchor}", target.address), ..target })
            }
            ContentRef::Anchor { anchor, page: None, .. } => {
                Some(Target { address: format!("#{anchor}"), ..Target::default() })
            }
            ContentRef::File { file, space } => {
                let (other, tree) = self.tree_of(space.as_ref())?;
                let file = tree.file(file.parse().ok()?)?;
                Some(Target {
                    address: self.addresses.file(other.unwrap_or(self.space), file),
                    title: file.name.clone(),
                    bytes: Some(file.size),
                    size: file.dimensions.map(|size| (size.width, size.height)),
                    ..Target::default()
                })
            }
            ContentRef::Space { space } => {
                let id = space.parse::<SpaceId>().ok()?;
                let (record, _) = self.others.get(&id)?;
                let address = self.addresses.space(id);
                Some(Target { address, title: record.title.clone(), ..Target::default() })
            }
            ContentRef::User { user } => {
                let title = people.get(&user.parse().ok()?)?.clone();
                Some(Target { title, ..Target::default() })
            }
            ContentRef::Collection { .. }
            | ContentRef::ReusableContent { .. }
            | ContentRef::OpenApi { .. }
            | ContentRef::Snippet { .. }
            | ContentRef::Tag { .. } => None,
        }
    }

    fn page(&self, id: PageId, space: Option<&String>) -> Option<Target> {
        let (other, tree) = self.tree_of(space)?;
        let page = tree.page(id)?;
        let shown = match page.page_type() {
            PageType::Document => page,
            PageType::Group => tree.descendants(id).find(|below| below.page_type() == PageType::Document)?,
            PageType::Link | PageType::Computed => return None,
        };
        Some(Target {
            address: self.addresses.page(other, &tree.path_of(shown.id)?),
            title: page.title.clone(),
            description: page.description.clone(),
            emoji: page.emoji.clone(),
            icon: page.icon.clone(),
            ..Target::default()
        })
    }
}

/// Returns the names of the users in references. Sends one statement, or none without such references.
fn people(
    reader: &mut Reader<'_>,
    content: &Authorized<ContentAt>,
    wanted: &BTreeSet<ContentRef>,
) -> Result<HashMap<UserId, String>> {
    let ids = wanted.iter().filter_map(|reference| match reference {
        ContentRef::User { user } => user.parse().ok(),
        _ => None,
    });
    let ids: Vec<UserId> = ids.take(MOST_PEOPLE).collect();
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    Ok(reader.names_in_organization_of(content, &ids)?.into_iter().collect())
}

/// Returns the space that a reference names, if any.
fn space_named(reference: &ContentRef) -> Option<&String> {
    match reference {
        ContentRef::Page { space, .. }
        | ContentRef::Anchor { space, .. }
        | ContentRef::File { space, .. } => space.as_ref(),
        ContentRef::Space { space } => Some(space),
        _ => None,
    }
}
