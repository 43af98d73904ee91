//! Invites.

use quire_domain::Organization;
use quire_domain::invites::{
    EmailInvite, EmailInvites, EmailInvitesResult, Invite, InviteAccept, InviteCreate, InviteRegister,
    InviteUpdate, Registration,
};
use quire_domain::list::PageQuery;
use quire_domain::policy::{Action, OwnAction};

use crate::route::Access::{Needs, Own, Public, SignedIn};
use crate::route::{Object, Resource, Route, Tag};
use crate::v1;

pub(super) fn routes() -> Vec<Route> {
    use v1::invites::{accept, create, delete, email, email_list, email_revoke, get, list, register, update};
    const LINKS: Resource =
        Tag::Invites.at("/v1/orgs/{organizationId}/link-invites", Some(Object::Organization));
    const LINK: Resource =
        Tag::Invites.at("/v1/orgs/{organizationId}/link-invites/{inviteId}", Some(Object::InviteLink));
    const EMAILS: Resource = Tag::Invites.at("/v1/orgs/{organizationId}/invites", Some(Object::Organization));
    const EMAIL: Resource =
        Tag::Invites.at("/v1/orgs/{organizationId}/invites/{inviteId}", Some(Object::Invite));
    const REGISTER: Resource = Tag::Invites.at("/v1/invites/{inviteId}/register", Some(Object::InviteLink));
    const ACCEPT: Resource = Tag::Invites.at("/v1/invites/{inviteId}/accept", Some(Object::InviteLink));
    let (see, administer) = (Needs(Action::InspectOrganization), Needs(Action::AdministerOrganization));
    vec![
        Route::get(
            LINKS,
            "listOrganizationInviteLinks",
            see,
            "List invite links",
            list::list_organization_invite_links,
        )
        .query::<PageQuery>()
        .lists::<Invite>(),
        Route::post(
            LINKS,
            "createOrganizationInvite",
            administer,
            "Create an invite link",
            create::create_organization_invite,
        )
        .body::<InviteCreate>()
        .answers::<Invite>(201),
        Route::get(
            LINK,
            "getOrganizationInviteLink",
            SignedIn,
            "Get an invite link",
            get::get_organization_invite_link,
        )
        .answers::<Invite>(200),
        Route::delete(
            LINK,
            "deleteOrganizationInviteById",
            administer,
            "Delete an invite link",
            delete::delete_organization_invite_by_id,
        )
        .answers_nothing(),
        Route::patch(
            LINK,
            "updateOrganizationInviteById",
            administer,
            "Update an invite link",
            update::update_organization_invite_by_id,
        )
        .body::<InviteUpdate>()
        .answers::<Invite>(200),
        Route::get(
            EMAILS,
            "listOrganizationEmailInvites",
            see,
            "List e-mail invites",
            email_list::list_organization_email_invites,
        )
        .query::<PageQuery>()
        .lists::<EmailInvite>(),
        Route::post(
            EMAILS,
            "inviteUsersToOrganization",
            administer,
            "Invite people by e-mail",
            email::invite_users_to_organization,
        )
        .body::<EmailInvites>()
        .answers::<EmailInvitesResult>(200),
        Route::delete(
            EMAIL,
            "deleteOrganizationEmailInvite",
            administer,
            "Revoke an e-mail invite",
            email_revoke::delete_organization_email_invite,
        )
        .answers_nothing(),
        Route::post(
            ACCEPT,
            "joinOrganizationWithInvite",
            Own(OwnAction::AcceptInvite),
            "Accept an invite",
            accept::join_organization_with_invite,
        )
        .body::<InviteAccept>()
        .answers::<Organization>(200),
        Route::post(
            REGISTER,
            "registerWithInvite",
            Public,
            "Register with an e-mail invite",
            register::register_with_invite,
        )
        .body::<InviteRegister>()
        .answers::<Registration>(201),
    ]
}
