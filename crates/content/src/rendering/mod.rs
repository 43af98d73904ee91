//! Targets of references and parts of specifications, which rendering of documents needs.

mod apis;
mod targets;

use std::collections::{BTreeSet, HashMap};

use quire_domain::policy::Action;
use quire_markup::{ContentRef, Document};
use quire_render::{References, Resolved, references};
use quire_storage::Reader;
use quire_storage::content::store::{ContentAt, ContentPoint as _};
use quire_storage::lookup::{Authorized, Credentials};

use crate::Result;
use crate::computed::Computed;

pub use self::apis::{Apis, apis};
pub use self::targets::{Addresses, Targets};

/// Loads the data for rendering documents of some content for a member, who sees all conditional parts. Sends a fixed
/// number of statements, plus those that load trees of other spaces. `computed` has the computed pages of the tree.
///
/// # Errors
/// If stored content is damaged.
pub fn resolve(
    reader: &mut Reader<'_>,
    caller: Credentials,
    content: &Authorized<ContentAt>,
    targets: Targets<'_>,
    computed: &Computed,
    documents: &[&Document],
) -> Result<Resolved> {
    let organization =
        reader.organization(content.space.organization)?.authorize(Action::ViewOrganization)?;
    let mut named: BTreeSet<ContentRef> = BTreeSet::new();
    let mut wanted = BTreeSet::new();
    for document in documents {
        let References { targets, apis, .. } = references(document);
        named.extend(targets);
        wanted.extend(apis);
    }
    let apis = apis(reader, content.readable_specs(), computed, &wanted)?;
    let pages = apis.values().flat_map(HashMap::values).flat_map(|piece| piece.pages.values());
    named.extend(pages.map(|page| ContentRef::Page { page: page.clone(), space: None }));
    let targets = targets.load(reader, caller, &organization, content, named)?;
    Ok(Resolved { targets, apis, shows_all: true, ..Resolved::default() })
}
