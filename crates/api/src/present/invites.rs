//! Invites.

use quire_domain::invites::{
    CollectionInvite, Invite, InviteUrls, OrganizationInvite, OwnInvite, OwnInviteOrganization, SpaceInvite,
};
use quire_domain::object::{EmailInviteTag, InviteTag};
use quire_storage::people::invites::{AddressedInvite, InviteRecord, InviteTarget};

use super::{collection, space};
use crate::urls::Urls;

/// Returns an invite, as its creator or the bearer of the link sees it.
#[must_use]
pub fn invite(urls: &Urls, record: InviteRecord) -> Invite {
    let InviteRecord { id, seed: _, organization: _, role, target, actor_role, redundant } = record;
    let object = InviteTag::Tag;
    let app = InviteUrls { app: urls.invite(id, None) };
    match target {
        InviteTarget::Organization => {
            Invite::Organization(OrganizationInvite { object, id, role, redundant, urls: app })
        }
        InviteTarget::Space(record) => {
            let space = space(urls, &record, actor_role);
            Invite::Space(Box::new(SpaceInvite { object, id, level: role, redundant, urls: app, space }))
        }
        InviteTarget::Collection(record) => {
            let collection = collection(urls, &record, actor_role);
            Invite::Collection(CollectionInvite { object, id, level: role, redundant, urls: app, collection })
        }
    }
}

/// Returns an e-mail invite, as the invited person sees it.
#[must_use]
pub fn own_invite(record: AddressedInvite) -> OwnInvite {
    let AddressedInvite { invite, organization, organization_title } = record;
    OwnInvite {
        object: EmailInviteTag::Tag,
        id: invite.id,
        organization: OwnInviteOrganization { id: organization, title: organization_title },
        role: invite.role,
        created_at: invite.created_at,
        expires_at: invite.expires_at,
    }
}
