//! Invites.

use quire_domain::Organization;
use quire_domain::invites::{
    EmailInvite, EmailInvites, EmailInvitesResult, Invite, InviteAccept, InviteCreate, InviteKind,
    InviteRegister, InviteUpdate, InviteUrls, Registration,
};
use quire_domain::policy::may_use_sso;
use quire_server::sign_in;
use quire_storage::people::invites::{InviteTarget, NewTarget};
use quire_storage::people::mails::NewMail;
use uuid::Uuid;

use crate::prelude::*;

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    const LINKS: Resource =
        Tag::Invites.at("/v1/orgs/{organizationId}/link-invites", Some(Object::Organization));
    const LINK: Resource =
        Tag::Invites.at("/v1/orgs/{organizationId}/link-invites/{inviteId}", Some(Object::InviteLink));
    const EMAILS: Resource = Tag::Invites.at("/v1/orgs/{organizationId}/invites", Some(Object::Organization));
    const EMAIL: Resource =
        Tag::Invites.at("/v1/orgs/{organizationId}/invites/{inviteId}", Some(Object::Invite));
    const ACCEPT: Resource = Tag::Invites.at("/v1/invites/{inviteId}/accept", Some(Object::InviteLink));
    const REGISTER: Resource = Tag::Invites.at("/v1/invites/{inviteId}/register", Some(Object::InviteLink));
    let see = Needs(Action::InspectOrganization);
    let administer = Needs(Action::AdministerOrganization);
    vec![
        Route::get(LINKS, see, "List invite links", list_organization_invite_links)
            .query::<PageQuery>()
            .lists::<Invite>(),
        Route::post(LINKS, administer, "Create an invite link", create_organization_invite)
            .body::<InviteCreate>()
            .answers::<Invite>(201),
        Route::get(LINK, SignedIn, "Get an invite link", get_organization_invite_link).answers::<Invite>(200),
        Route::delete(LINK, administer, "Delete an invite link", delete_organization_invite_by_id)
            .answers_nothing(),
        Route::patch(LINK, administer, "Update an invite link", update_organization_invite_by_id)
            .body::<InviteUpdate>()
            .answers::<Invite>(200),
        Route::get(EMAILS, see, "List e-mail invites", list_organization_email_invites)
            .query::<PageQuery>()
            .lists::<EmailInvite>(),
        Route::post(EMAILS, administer, "Invite people by e-mail", invite_users_to_organization)
            .body::<EmailInvites>()
            .answers::<EmailInvitesResult>(200),
        Route::delete(EMAIL, administer, "Revoke an e-mail invite", delete_organization_email_invite)
            .answers_nothing(),
        Route::post(ACCEPT, Own(OwnAction::AcceptInvite), "Accept an invite", join_organization_with_invite)
            .body::<InviteAccept>()
            .answers::<Organization>(200),
        Route::post(REGISTER, Public, "Register with an e-mail invite", register_with_invite)
            .body::<InviteRegister>()
            .answers::<Registration>(201),
    ]
}

async fn list_organization_invite_links(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::<Uuid>::new(format!("invites of {id}"), &query)?;
    let (after, limit) = list.position();
    let slice = state
        .read(caller, move |reader| {
            let organization = reader.organization(id)?.authorize(Action::InspectOrganization)?;
            Ok(reader.invites_of(&organization, after, limit)?)
        })
        .await?;
    list.respond(&request, slice, |invite| invite.seed, |invite| Ok(present::invite(&state.urls, invite)))
}

async fn create_organization_invite(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    Json(body): Json<InviteCreate>,
    state: State,
) -> ApiResult<HttpResponse> {
    let invite = state
        .transact(caller, move |tx| {
            let organization = tx.organization(id)?.authorize(Action::AdministerOrganization)?;
            if !organization.invite_links {
                return Err(ApiError::new(Reason::InviteLinksDisabled));
            }
            let kind = body.kind().map_err(|wrong| ApiError::invalid_field(wrong.field, wrong.message))?;
            let (target, field, role) = match kind {
                InviteKind::Organization(role) => (NewTarget::Organization, "role", role),
                InviteKind::Space(space, role) => (NewTarget::Space(space), "space", role),
                InviteKind::Collection(collection, role) => {
                    (NewTarget::Collection(collection), "collection", role)
                }
            };
            let invite = tx.create_invite(&organization, target, role)?;
            let invite = invite
                .ok_or_else(|| ApiError::invalid_field(field, "does not belong to the organization"))?;
            Ok(tx.invite(id, invite)?)
        })
        .await?;
    let location = state.urls.api(format_args!("orgs/{id}/link-invites/{}", invite.id));
    respond::created(&location, &present::invite(&state.urls, invite))
}

async fn get_organization_invite_link(
    Caller(caller): Caller,
    Path((organization, invite)): Path<(OrganizationId, InviteId)>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let invite = state.read(caller, move |reader| Ok(reader.open_invite(organization, invite)?)).await?;
    respond::ok(&request, &present::invite(&state.urls, invite))
}

async fn update_organization_invite_by_id(
    Caller(caller): Caller,
    Path((id, invite)): Path<(OrganizationId, InviteId)>,
    OptionalJson(body): OptionalJson<InviteUpdate>,
    if_match: IfMatch,
    state: State,
) -> ApiResult<HttpResponse> {
    let urls = state.urls.clone();
    let invite = state
        .transact(caller, move |tx| {
            let organization = tx.organization(id)?.authorize(Action::AdministerOrganization)?;
            tx.lock_invite(&organization, invite)?;
            let found = tx.invite(id, invite)?;
            if_match.check_with(|| Ok(present::invite(&urls, found.clone())))?;
            let role = match role_for(&found.target, body)? {
                Patch::Keep => return Ok(found),
                Patch::Clear => None,
                Patch::Set(role) => Some(role),
            };
            tx.set_invite_role(&organization, &found, role)?;
            Ok(tx.invite(id, invite)?)
        })
        .await?;
    respond::changed(&present::invite(&state.urls, invite))
}

/// Returns the role from the key that fits the target of the invite. The other key is refused.
fn role_for(target: &InviteTarget, body: InviteUpdate) -> ApiResult<Patch<Role>> {
    let InviteUpdate { role, level } = body;
    let is_to_organization = matches!(target, InviteTarget::Organization);
    if is_to_organization && !level.is_keep() {
        return Err(ApiError::invalid_field("level", "must be absent for an invite to the organization"));
    }
    if !is_to_organization && !role.is_keep() {
        return Err(ApiError::invalid_field("role", "must be absent for an invite to a space or collection"));
    }
    Ok(if is_to_organization { role } else { level })
}

async fn delete_organization_invite_by_id(
    Caller(caller): Caller,
    Path((id, invite)): Path<(OrganizationId, InviteId)>,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            let organization = tx.organization(id)?.authorize(Action::AdministerOrganization)?;
            Ok(tx.delete_invite(&organization, invite)?)
        })
        .await?;
    Ok(respond::no_content())
}

async fn join_organization_with_invite(
    Caller(caller): Caller,
    Path(invite): Path<InviteId>,
    OptionalJson(InviteAccept { secret }): OptionalJson<InviteAccept>,
    state: State,
) -> ApiResult<HttpResponse> {
    let secret = secret.into_text()?;
    let organization = state
        .transact(caller, move |tx| {
            let organization = tx.accept_invite(invite, secret.as_deref())?;
            Ok(tx.organization(organization)?.authorize(Action::ViewOrganization)?.into_inner())
        })
        .await?;
    respond::changed(&present::organization(&state.urls, organization)?)
}

async fn register_with_invite(
    Path(invite): Path<InviteId>,
    Json(body): Json<InviteRegister>,
    state: State,
) -> ApiResult<HttpResponse> {
    let InviteRegister { secret, display_name } = body;
    let (secret, display_name) = (secret.into_text()?, display_name.into_text()?);
    let named = (invite, secret.clone());
    let made = sign_in::with_invite(&state, named, move |tx| {
        Ok(tx.register_with_invite(invite, &secret, display_name.as_deref())?)
    })
    .await?;
    let location = state.urls.api(format_args!("users/{}", made.user));
    let registration = Registration { organization: made.organization, user: made.user, token: made.token };
    respond::created(&location, &registration)
}

async fn invite_users_to_organization(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    Json(body): Json<EmailInvites>,
    state: State,
) -> ApiResult<HttpResponse> {
    let EmailInvites { emails, role, sso } = body;
    let sso = sso.unwrap_or(false);
    let people = emails.into_iter().map(|invitee| {
        let role = invitee.role();
        Ok((invitee.into_email().into_text()?, role))
    });
    let people: Vec<_> = people.collect::<ApiResult<_>>()?;
    let urls = state.urls.clone();
    let sends_mail = state.settings.mail;
    let result = state
        .transact(caller, move |tx| {
            let organization = tx.organization(id)?.authorize(Action::AdministerOrganization)?;
            let role = match role {
                Patch::Keep => organization.default_role,
                Patch::Clear => None,
                Patch::Set(role) => Some(role),
            };
            let (able, unable): (Vec<_>, Vec<_>) = people
                .into_iter()
                .partition(|(email, _)| !sso || may_use_sso(email, &organization.email_domains));
            let invite = |(email, own)| (email, Option::unwrap_or(own, role));
            let invites: Vec<_> = able.into_iter().map(invite).collect();
            let invited = tx.invite_by_email(&organization, &invites, sso)?;
            if sends_mail {
                let mail = |invite: &EmailInvite| NewMail::Invitation {
                    organization: id,
                    invite: invite.facts.id,
                    recipient: invite.facts.email.clone(),
                };
                tx.post_mails(invited.invites.iter().map(mail).collect())?;
            }
            Ok(EmailInvitesResult {
                users: invited.members,
                invited: u64::try_from(invited.invites.len()).unwrap_or(u64::MAX),
                failed_sso_emails: unable.into_iter().map(|(email, _)| email).collect(),
                invites: invited.invites.into_iter().map(|invite| with_link(&urls, invite)).collect(),
            })
        })
        .await?;
    respond::changed(&result)
}

/// Adds the link to a new invite. Only the response that creates the invite has its secret.
fn with_link(urls: &Urls, invite: EmailInvite) -> EmailInvite {
    let link =
        invite.secret.as_deref().map(|secret| InviteUrls { app: urls.invite(invite.facts.id, Some(secret)) });
    EmailInvite { urls: link, ..invite }
}

async fn list_organization_email_invites(
    Caller(caller): Caller,
    Path(id): Path<OrganizationId>,
    Query(query): Query<PageQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let list = Listing::<InviteId>::new(format!("e-mail invites of {id}"), &query)?;
    let (after, limit) = list.position();
    let slice = state
        .read(caller, move |reader| {
            let organization = reader.organization(id)?.authorize(Action::InspectOrganization)?;
            Ok(reader.email_invites_of(&organization, after, limit)?)
        })
        .await?;
    list.respond(&request, slice, |invite| invite.id, |invite| Ok(invite.with_secret(None)))
}

async fn delete_organization_email_invite(
    Caller(caller): Caller,
    Path((id, invite)): Path<(OrganizationId, InviteId)>,
    state: State,
) -> ApiResult<HttpResponse> {
    state
        .transact(caller, move |tx| {
            let organization = tx.organization(id)?.authorize(Action::AdministerOrganization)?;
            Ok(tx.revoke_email_invite(&organization, invite)?)
        })
        .await?;
    Ok(respond::no_content())
}
