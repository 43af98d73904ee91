//! Pending addresses of sites, and the rules for host names.

use quire_domain::patch::Patch;

/// Rules of a deployment for the host names of sites.
#[derive(Clone, Debug, Default)]
pub struct HostnameRules {
    /// Host names of the deployment, in lower case. Sites cannot use them.
    pub own: Vec<String>,
    /// `true` to accept all names without proof of ownership; `None` to do so while the deployment has one
    /// organization.
    pub trust: Option<bool>,
}

/// Rules for the host names of a request, and proofs of ownership.
#[derive(Clone, Copy, Debug)]
pub struct HostnameProof<'a> {
    /// Rules of the deployment.
    pub rules: &'a HostnameRules,
    /// Names with a TXT record for the organization.
    pub by_dns: &'a [String],
}

/// Current address, and the pending address that replaces it once its host name is proven.
pub(super) struct Address {
    pub(super) live: Option<String>,
    pub(super) pending: Option<String>,
}

impl Address {
    pub(super) fn of(live: &Option<String>, pending: &Option<String>) -> Self {
        Self { live: live.clone(), pending: pending.clone() }
    }

    /// Returns the address after a change.
    pub(super) fn set(self, change: Patch<String>) -> Self {
        match change {
            Patch::Keep => self,
            Patch::Clear => Self { live: None, pending: None },
            Patch::Set(new) if self.live.as_ref() == Some(&new) => Self { pending: None, ..self },
            Patch::Set(new) => Self { pending: Some(new), ..self },
        }
    }
}
