//! Webhooks of Git servers. They report changes, and only trigger a synchronization.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use diesel::prelude::*;
use quire_database::Seal;
use quire_domain::git_installations::GitTrigger;
use quire_domain::ids::{GitInstallationId, OrganizationId, SiteId, SpaceId};
use quire_domain::webhooks::SECRET_PREFIX;
use rand::RngExt as _;
use uuid::Uuid;

use super::changes::require_own;
use super::{GitInstallationRecord, SEAL};
use crate::content::change_requests::InSpace;
use crate::lookup::Authorized;
use crate::schema::{git_installations, spaces};
use crate::transaction::{Reader, Tx};
use crate::{Error, Result};

/// Size of a key in bytes: the minimum of Standard Webhooks, whose Base64 has no padding.
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
    /// Secret with which deliveries are signed.
    pub secret: String,
    /// URL of the repository, without credentials.
    pub url: Option<String>,
    /// Full name of the branch; `None` for the branch of HEAD.
    pub reference: Option<String>,
}

impl std::fmt::Debug for GitHookRecord {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GitHookRecord").field("target", &self.target).finish_non_exhaustive()
    }
}

impl Reader<'_> {
    /// Returns the webhook of a connection, regardless of the caller's permissions: the signature authenticates a
    /// delivery. Returns `None` for a connection without a webhook, of a deleted space, or that is not set up.
    pub fn git_hook(&mut self, id: GitInstallationId) -> Result<Option<GitHookRecord>> {
        type Row = (Uuid, Option<Vec<u8>>, Option<String>, Option<String>);
        let row: Option<Row> = git_installations::table
            .inner_join(spaces::table)
            .filter(git_installations::id.eq(id))
            .filter(git_installations::priority.is_not_null())
            .filter(spaces::deleted_at.is_null())
            .select((
                git_installations::space_id,
                git_installations::hook_secret,
                git_installations::url,
                git_installations::reference,
            ))
            .get_result(self.connection)
            .optional()?;
        let Some((space, sealed, url, reference)) = row else { return self.site_git_hook(id) };
        let Some(sealed) = sealed else { return Ok(None) };
        let target = HookTarget::Space(SpaceId::from_uuid(space));
        Ok(Some(GitHookRecord { target, secret: self.open_hook_secret(id, &sealed)?, url, reference }))
    }

    /// Decrypts the secret of a connection's webhook.
    pub(crate) fn open_hook_secret(&mut self, id: GitInstallationId, sealed: &[u8]) -> Result<String> {
        let damaged = |error: anyhow::Error| Error::corrupt("the secret of a webhook is damaged", error);
        let key = self.known_deployment_key(SEAL)?;
        let key = key.ok_or_else(|| damaged(anyhow::anyhow!("there is no key to decrypt it: {id}")))?;
        let secret = Seal::new(key).open(&hook_owner(id), sealed)?;
        String::from_utf8(secret).map_err(|error| damaged(error.into()))
    }
}

impl Tx<'_> {
    /// Replaces the secret of a connection's webhook and returns the new one. Only its encrypted form is stored.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the space is not connected; [`Reason::GitManagedBySite`](quire_domain::error::Reason) if
    /// a site's connection manages the connection.
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

    /// Schedules a synchronization of a connection, because the Git server reported a change.
    pub fn request_git_sync_by_hook(&mut self, hook: &GitHookRecord) -> Result<()> {
        match hook.target {
            HookTarget::Space(space) => self.schedule_git_sync(space, GitTrigger::Hook),
            HookTarget::Site(organization, site) => {
                self.schedule_site_git((organization, site), GitTrigger::Hook)
            }
        }
    }
}

/// Returns the owner of a webhook's sealed secret. The owner of the password or token is the id alone.
pub(crate) fn hook_owner(id: GitInstallationId) -> String {
    format!("{id} hook")
}

/// Returns a new secret of letters and digits, which need no escaping in a query.
pub(crate) fn new_hook_secret() -> String {
    loop {
        let key: [u8; KEY_BYTES] = rand::rng().random();
        let key = STANDARD.encode(key);
        // About one in three keys qualifies.
        if key.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return format!("{SECRET_PREFIX}{key}");
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
        let key = one.strip_prefix(SECRET_PREFIX).unwrap();
        assert_eq!(STANDARD.decode(key).unwrap().len(), KEY_BYTES);
        assert!(key.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{key}");
    }
}
