//! Invites.

use quire_domain::Role;
use quire_domain::collections::{Collection, CollectionPermissions, CollectionUrls};
use quire_domain::invites::{CollectionInvite, Invite, OrganizationInvite, SpaceInvite};
use quire_domain::object::{CollectionTag, InviteTag};
use quire_storage::invites::{InviteRecord, InviteTarget, InvitingCollection};

use super::space;
use crate::urls::Urls;

/// An invite, as its maker or whoever has the link sees it.
#[must_use]
pub fn invite(urls: &Urls, record: InviteRecord) -> Invite {
    let InviteRecord { id, organization: _, role, target, actor_role, redundant } = record;
    let object = InviteTag::Tag;
    match target {
        InviteTarget::Organization => {
            Invite::Organization(OrganizationInvite { object, id, role, redundant })
        }
        InviteTarget::Space(record) => {
            let space = space(urls, &record, actor_role);
            Invite::Space(Box::new(SpaceInvite { object, id, level: role, redundant, space }))
        }
        InviteTarget::Collection(record) => {
            let collection = collection(urls, record, actor_role);
            Invite::Collection(CollectionInvite { object, id, level: role, redundant, collection })
        }
    }
}

fn collection(urls: &Urls, record: InvitingCollection, role: Option<Role>) -> Collection {
    let InvitingCollection { id, organization, parent, title, description, default_level } = record;
    Collection {
        object: CollectionTag::Tag,
        id,
        title,
        description,
        organization,
        parent,
        default_level,
        urls: CollectionUrls {
            location: urls.api(format_args!("collections/{id}")),
            app: urls.app(format_args!("c/{id}")),
        },
        permissions: CollectionPermissions::of(role),
    }
}
