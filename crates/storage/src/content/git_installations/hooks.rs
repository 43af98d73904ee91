//! Webhooks of servers of repositories. They report changes, and cause nothing but a look at the repository.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use diesel::prelude::*;
use quire_database::Seal;
use quire_domain::git_installations::GitTrigger;
use quire_domain::ids::{GitInstallationId, OrganizationId, SiteId, SpaceId};
use rand::RngExt as _;
use uuid::Uuid;

use super::changes::require_own;
use super::{GitInstallationRecord, SEAL};
use crate::content::change_requests::InSpace;
use crate::lookup::Authorized;
use crate::schema::{git_installations, spaces};
use crate::transaction::{Reader, Tx};
use crate::{Error, Result};

/// Start of secrets in the form of Standard Webhooks, before the key in Base64.
const PREFIX: &str = "whsec_";

/// Bytes of a key: the fewest that Standard Webhooks allows, whose Base64 has no padding.
const KEY_BYTES: usize = 24;

/// Space or site of a webhook.
#[derive(Clone, Copy, Debug)]
pub(crate) enum HookTarget {
    Space(SpaceId),
    Site(OrganizationId, SiteId),
}

/// Webhook of a repository.
#[derive(Clone)]
pub struct GitHookRecord {
    pub(crate) target: HookTarget,
    /// Secret that deliveries are signed with.
    pub secret: String,
    /// Full name of the branch; `None` for the branch of HEAD.
    pub reference: Option<String>,
}

impl std::fmt::Debug for GitHookRecord {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GitHookRecord").field("target", &self.target).finish_non_exhaustive()
    }
}

impl Reader<'_> {
    /// Returns the webhook of a connection, whatever the caller may see: a delivery proves itself by its signature.
    /// `None` for a connection without one, of a deleted space, or that is not set up.
    pub fn git_hook(&mut self, id: GitInstallationId) -> Result<Option<GitHookRecord>> {
        let row: Option<(Uuid, Option<Vec<u8>>, Option<String>)> = git_installations::table
            .inner_join(spaces::table)
            .filter(git_installations::id.eq(id))
            .filter(git_installations::priority.is_not_null())
            .filter(spaces::deleted_at.is_null())
            .select((
                git_installations::space_id,
                git_installations::hook_secret,
                git_installations::reference,
            ))
            .get_result(self.connection)
            .optional()?;
        let Some((space, sealed, reference)) = row else { return self.site_git_hook(id) };
        let Some(sealed) = sealed else { return Ok(None) };
        let target = HookTarget::Space(SpaceId::from_uuid(space));
        Ok(Some(GitHookRecord { target, secret: self.open_hook_secret(id, &sealed)?, reference }))
    }

    /// Opens the sealed secret of the webhook of a connection.
    pub(crate) fn open_hook_secret(&mut self, id: GitInstallationId, sealed: &[u8]) -> Result<String> {
        let damaged = |error: anyhow::Error| Error::corrupt("the secret of a webhook is damaged", error);
        let key = self.known_deployment_key(SEAL)?;
        let key = key.ok_or_else(|| damaged(anyhow::anyhow!("there is no key for that of {id}")))?;
        let secret = Seal::new(key).open(&hook_owner(id), sealed)?;
        String::from_utf8(secret).map_err(|error| damaged(error.into()))
    }
}

impl Tx<'_> {
    /// Gives the webhook of a connection another secret, and returns it: only its sealed form is stored.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the space was disconnected;
    /// [`Reason::GitManagedBySite`](quire_domain::error::Reason) if a site's connection manages it.
    pub fn rotate_git_hook_secret(
        &mut self,
        installation: &Authorized<InSpace<GitInstallationRecord>>,
    ) -> Result<String> {
        let InSpace { space, item } = &**installation;
        require_own(item)?;
        let secret = new_hook_secret();
        let sealed = self.seal(SEAL)?.seal(&hook_owner(item.id), secret.as_bytes())?;
        let row = git_installations::table.find(space.id).filter(git_installations::id.eq(item.id));
        let changed = diesel::update(row)
            .set((
                git_installations::hook_secret.eq(sealed),
                git_installations::updated_at.eq(time::OffsetDateTime::from(self.now)),
            ))
            .execute(self.connection)?;
        if changed == 0 { Err(Error::NotFound) } else { Ok(secret) }
    }

    /// Has a connection synchronize because the server of the repository reported a change.
    pub fn request_git_sync_by_hook(&mut self, hook: &GitHookRecord) -> Result<()> {
        match hook.target {
            HookTarget::Space(space) => self.schedule_git_sync(space, GitTrigger::Hook),
            HookTarget::Site(organization, site) => {
                self.schedule_site_git((organization, site), GitTrigger::Hook)
            }
        }
    }
}

/// Returns the owner of a sealed secret. That of the password or token is the id alone.
pub(crate) fn hook_owner(id: GitInstallationId) -> String {
    format!("{id} hook")
}

/// Returns a new secret, of letters and digits, which have the same form in a query.
pub(crate) fn new_hook_secret() -> String {
    loop {
        let key: [u8; KEY_BYTES] = rand::rng().random();
        let key = STANDARD.encode(key);
        // About one in three.
        if key.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return format!("{PREFIX}{key}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_keys_of_standard_webhooks_without_special_characters() {
        let (one, other) = (new_hook_secret(), new_hook_secret());
        assert_ne!(one, other);
        let key = one.strip_prefix(PREFIX).unwrap();
        assert_eq!(STANDARD.decode(key).unwrap().len(), KEY_BYTES);
        assert!(key.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{key}");
    }
}
