//! `POST /v1/orgs/{organizationId}/invites`

use actix_web::HttpResponse;
use quire_domain::ids::OrganizationId;
use quire_domain::invites::{EmailInvite, EmailInvites, EmailInvitesResult, InviteUrls};
use quire_domain::patch::Patch;
use quire_domain::policy::{Action, may_use_sso};
use quire_storage::invites::NewEmailInvite;
use quire_storage::mails::NewMail;

use crate::error::ApiResult;
use crate::extract::{Caller, Json, Path};
use crate::respond;
use crate::state::State;
use crate::urls::Urls;

/// Invites people by e-mail address. They become members only on acceptance, and the response does not reveal whether
/// an address has an account. Existing members are not invited and keep their roles.
pub async fn invite_users_to_organization(
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
            let invite = |(email, own)| NewEmailInvite { email, role: Option::unwrap_or(own, role) };
            let invites: Vec<_> = able.into_iter().map(invite).collect();
            let invited = tx.invite_by_email(&organization, &invites, sso)?;
            if sends_mail {
                let mail = |invite: &EmailInvite| NewMail::Invitation {
                    organization: id,
                    invite: invite.id,
                    recipient: invite.email.clone(),
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

/// Adds the link to a new invite, whose secret only this answer has.
fn with_link(urls: &Urls, invite: EmailInvite) -> EmailInvite {
    let link =
        invite.secret.as_deref().map(|secret| InviteUrls { app: urls.invite(invite.id, Some(secret)) });
    EmailInvite { urls: link, ..invite }
}
