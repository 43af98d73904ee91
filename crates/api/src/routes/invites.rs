//! Invites.

use quire_domain::Organization;
use quire_domain::invites::{EmailInvites, EmailInvitesResult, Invite, InviteCreate, InviteUpdate};
use quire_domain::list::PageQuery;
use quire_domain::policy::Action;

use super::{delete, get, patch, post};
use crate::route::Access::{Needs, SignedIn};
use crate::route::Route;
use crate::v1;

pub(super) fn routes() -> Vec<Route> {
    use v1::invites::{accept, create, delete as remove, email, get as read, list, update};
    const LINKS: &str = "/v1/orgs/{organizationId}/link-invites";
    const LINK: &str = "/v1/orgs/{organizationId}/link-invites/{inviteId}";
    const EMAILS: &str = "/v1/orgs/{organizationId}/invites";
    const ACCEPT: &str = "/v1/invites/{inviteId}/accept";
    let (see, administer) = (Needs(Action::InspectOrganization), Needs(Action::AdministerOrganization));
    vec![
        get(LINKS, "listOrganizationInviteLinks", see, "List invites", list::handle)
            .query::<PageQuery>()
            .lists::<Invite>(),
        post(LINKS, "createOrganizationInvite", administer, "Make an invite", create::handle)
            .body::<InviteCreate>()
            .answers::<Invite>(201),
        get(LINK, "getOrganizationInviteLink", SignedIn, "Get an invite", read::handle)
            .answers::<Invite>(200),
        delete(LINK, "deleteOrganizationInviteById", administer, "Delete an invite", remove::handle)
            .answers_nothing(),
        patch(LINK, "updateOrganizationInviteById", administer, "Change an invite", update::handle)
            .body::<InviteUpdate>()
            .answers::<Invite>(200),
        post(EMAILS, "inviteUsersToOrganization", administer, "Invite people by e-mail", email::handle)
            .body::<EmailInvites>()
            .answers::<EmailInvitesResult>(200),
        post(ACCEPT, "joinOrganizationWithInvite", SignedIn, "Accept an invite", accept::handle)
            .answers::<Organization>(200),
    ]
}
