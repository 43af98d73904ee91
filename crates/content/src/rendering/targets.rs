//! Targets of the references in documents, as addresses in the workspace.

use std::collections::{BTreeSet, HashMap};

use quire_content::computed::{Expansions, expand};
use quire_domain::ids::{PageId, SpaceId, UserId};
use quire_domain::policy::Action;
use quire_markup::ContentRef;
use quire_render::{Target, link_address};
use quire_revision::{FileNode, PageType, Tree};
use quire_server::files::FileAddress;
use quire_server::{ApiResult, UrlSigner};
use quire_storage::Reader;
use quire_storage::lookup::{
    Authorized, ContentAt, ContentKey, ContentPoint as _, Credentials, OrganizationRecord, SpaceRecord,
};

use super::tree::Place;

/// Other spaces that the references of a page are looked up in.
const MOST_SPACES: usize = 20;
/// Users whose names a page shows.
const MOST_PEOPLE: usize = 500;

/// Loader of the targets of references.
pub(super) struct Targets<'a> {
    pub(super) place: &'a Place,
    pub(super) signer: &'a UrlSigner,
    pub(super) expansions: &'a Expansions,
    /// Tree of the content that is read.
    pub(super) tree: &'a Tree,
    /// Other spaces, with the trees of those whose pages or files are referred to.
    others: HashMap<SpaceId, (SpaceRecord, Tree)>,
}

impl<'a> Targets<'a> {
    pub(super) fn new(
        place: &'a Place,
        signer: &'a UrlSigner,
        expansions: &'a Expansions,
        tree: &'a Tree,
    ) -> Self {
        Self { place, signer, expansions, tree, others: HashMap::new() }
    }

    /// Returns the targets that the caller may see: at most three statements, besides those that load trees of other
    /// spaces.
    pub(super) fn load(
        mut self,
        reader: &mut Reader<'_>,
        caller: Credentials,
        organization: &Authorized<OrganizationRecord>,
        content: &Authorized<ContentAt>,
        wanted: BTreeSet<ContentRef>,
    ) -> ApiResult<HashMap<ContentRef, Target>> {
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
    ) -> ApiResult<()> {
        let named = wanted.iter().filter_map(space_named).filter_map(|space| space.parse::<SpaceId>().ok());
        let named: BTreeSet<SpaceId> = named.filter(|space| *space != self.place.space).collect();
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

    /// Returns the tree of the space of a reference, and the place of its pages.
    fn tree_of(&self, space: Option<&String>) -> Option<(Place, &Tree)> {
        let id = match space {
            None => self.place.space,
            Some(space) => space.parse().ok()?,
        };
        if id == self.place.space {
            return Some((self.place.clone(), self.tree));
        }
        let (_, tree) = self.others.get(&id)?;
        Some((Place { space: id, change: None, revision: None, ..self.place.clone() }, tree))
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
                let (place, tree) = self.tree_of(space.as_ref())?;
                let file = tree.file(file.parse().ok()?)?;
                Some(Target {
                    address: address_of_file(&place, self.signer, file),
                    title: file.name.clone(),
                    bytes: Some(file.size),
                    size: file.dimensions.map(|size| (size.width, size.height)),
                    ..Target::default()
                })
            }
            ContentRef::Space { space } => {
                let id = space.parse::<SpaceId>().ok()?;
                let (record, _) = self.others.get(&id)?;
                let address = format!("{}/s/{id}", self.place.prefix);
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
        let (place, tree) = self.tree_of(space)?;
        let page = tree.page(id)?;
        let shown = match page.page_type() {
            PageType::Document => page,
            PageType::Group => tree.descendants(id).find(|below| below.page_type() == PageType::Document)?,
            PageType::Link | PageType::Computed => return None,
        };
        Some(Target {
            address: place.at(&tree.path_of(shown.id)?),
            title: page.title.clone(),
            description: page.description.clone(),
            emoji: page.emoji.clone(),
            icon: page.icon.clone(),
            ..Target::default()
        })
    }
}

/// Returns the path of a file, which its signature makes readable without a token.
pub(super) fn address_of_file(place: &Place, signer: &UrlSigner, file: &FileNode) -> String {
    let address = FileAddress {
        space: place.space,
        blob: file.blob,
        name: file.name.clone(),
        content_type: file.content_type.clone(),
    };
    format!("{}/v1/spaces/{}/files/{}", place.prefix, place.space, address.path(signer))
}

/// Returns the names of the users that references name: one statement, or none.
fn people(
    reader: &mut Reader<'_>,
    content: &Authorized<ContentAt>,
    wanted: &BTreeSet<ContentRef>,
) -> ApiResult<HashMap<UserId, String>> {
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
